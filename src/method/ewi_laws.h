/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws as tables of scalar functions for host code outside the time loop: conversions, speeds, ghosts. */
#ifndef EWI_LAWS_H
#define EWI_LAWS_H

#include "edgewise.h"
#include "ewi_choice.h"

#include <stdbool.h>

/* Operations at one point: an fma is two, any other + - * / and square root one. */
struct ewi_operations {
    int volume_flux, speed, admissible;
};

struct ewi_diffusing_side; /* ewi_diffusing.h, whose lanes must be 1 here */

struct ewi_law {
    const ew_law *info;
    int number; /* in EWI_LAWS: index of its kernels */
    const char *identifier; /* its name in EWI_LAWS, and in those of kernels */
    bool has_positive; /* whether positivity has anything to do */
    double floor;      /* ... and the share of the first variable's mean that it leaves at points */
    struct ewi_operations operations;
    int media; /* rows of parameters per element (ewi_media.h); 0: all elements share the parameters */
    const int *flux_operations; /* of each of enum ewi_flux; 0: the law has it not */
    void (*conserved)(const double *parameter, const double *primitive, double *conserved);
    void (*primitive)(const double *parameter, const double *conserved, double *primitive);
    void (*limit_point)(const double *parameter, const double *mean, double *conserved);
    bool (*admissible)(const double *parameter, const double *conserved);
    double (*speed)(const double *parameter, const double *conserved, double bound);
    int jump_count; /* quantities by which a jump sensor measures jumps; 0 for linear laws */
    void (*rest)(double *primitive);
    /* Quantity number `which` of info->derived, from the conserved variables and their gradients. */
    double (*derived)(int which, const double *parameter, const double *u, const double *ux, const double *uy);
    /* F(u).n */
    void (*flux)(const double *parameter, const double *field, const double *u, double nx, double ny, double *flux);
    /* The numerical flux number `number` (enum ewi_flux) between states on both sides of a unit normal. */
    void (*numerical_flux)(int number, const double *parameter, const double *field, const double *ul,
                           const double *ur, double nx, double ny, double *flux);
    /* The state g behind a boundary with the true outward unit normal (nx, ny). */
    void (*ghost)(int ghost, const double *parameter, const double *u, const double *given, double nx, double ny,
                  double *g);
    bool (*has_ghost)(int ghost);
    /* Values given to a boundary: see ewi_law_list.h; valid is false where some are not finite. */
    void (*given)(int ghost, const double *parameter, const double *values, double *given);
    bool (*valid)(int ghost, const double *parameter, const double *given, double nx, double ny);
    void (*scale)(int ghost, const double *parameter, const double *given, double *u);
    /*
     * NULL unless the law has gradients (kernels/diffusion.h). diffuse_at_boundary subtracts the diffusive flux
     * from the numerical flux of a unit normal; its penalty is the kernels' times the edge's length.
     */
    bool has_diffusion;
    bool has_subcells; /* for the limiter subcell */
    int edge_values; /* the most numbers that fused kernels keep at a point of an edge: EWI_EDGE_VALUES */
    double (*diffusivity)(const double *parameter, const double *u);
    void (*diffusion)(const double *parameter, const double *u, const double *ux, const double *uy, double *diffusion);
    void (*diffuse_at_boundary)(int ghost, const double *parameter, const struct ewi_diffusing_side *at,
                                const double *given, double nx, double ny, double penalty, double *flux);
    void (*wall_motion)(int ghost, const double *given, double *wall);
    double (*wall_heat)(int ghost, const struct ewi_diffusing_side *at, const double *given, const double *flux);
    double (*conductivity)(const double *parameter, const double *u);
    /* The names of a ghost's own values; NULL: it takes the primitive variables, or none. */
    const ew_boundary_value *(*values)(int ghost);
};

const struct ewi_law *ewi_law_find(const char *name);

/* The variant of the law whose medium is a field, or NULL. */
const struct ewi_law *ewi_law_of_media(const struct ewi_law *law);
/* Converts values of the law's fields to the two coefficients of ewi_media.h that are averaged in elements. */
void ewi_law_coefficients(const struct ewi_law *law, const double *field, double *coefficient);

/* Number of a flux (enum ewi_flux); a sentence, if the law has it not. */
int ewi_flux_find(const struct ewi_law *law, const char *name, int *flux, ew_error *error);

/* The number of the primitive variable that is the pressure, or -1. */
int ewi_law_pressure(const ew_law *law);

/* True if walls of the law stop momenta, its variables 1 and 2, which carry the first one. */
bool ewi_law_has_solid_walls(const struct ewi_law *law);

/*
 * The ghost of a boundary kind and its `ghost` choice, which may be NULL; whether it needs a given state. If there is
 * none, *wrong is the member of ew_boundary that is.
 */
int ewi_ghost_find(const struct ewi_law *law, const ew_boundary *boundary, int *ghost, bool *given, const char **wrong,
                   ew_error *error);

/* Outputs of the state that a boundary with this ghost takes, if it takes one. */
int ewi_ghost_outputs(const struct ewi_law *law, int ghost);

bool ewi_ghost_is_wall(int ghost);

/*
 * Where quantity number `index` of ew_law_output comes from, and its number there; false beyond the last one.
 * EWI_FROM_FORMULA and EWI_FROM_AVERAGE: of ewi_plan_output alone.
 */
struct ewi_output {
    enum { EWI_FROM_PRIMITIVE, EWI_FROM_CONSERVED, EWI_FROM_DERIVED, EWI_FROM_LIMITER, EWI_FROM_FORMULA,
           EWI_FROM_AVERAGE } from;
    int index;
};
bool ewi_output_find(const ew_law *law, int index, struct ewi_output *output);
/* The number of a law's quantities. */
int ewi_law_outputs(const ew_law *law);

/* The lists of names; boundary kinds include "periodic". */
struct ewi_choice ewi_law_choice(int index);
struct ewi_choice ewi_flux_choice(int index);
/* True if the flux of mass between states of the same density and pressure is the mean of their momenta. */
bool ewi_flux_takes_mean(int flux);
struct ewi_choice ewi_boundary_choice(int index);

#endif
