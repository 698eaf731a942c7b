/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields read back from NAME.nc: every element's polynomials, recovered from the values at its nodes.
 *
 * The primitive variables at the lattice of degree s >= p determine the conserved variables' polynomials of degree p,
 * which are those of the solver. Velocity, pressure and the like are functions of these at every point. A variable that
 * is not a function of the state is the polynomial of degree s through its own values.
 *
 * In a triangle that is partly dry, the primitive variables at the nodes are those of no polynomial, because the
 * surface ends at the ground (shore.c). The scheme's linear surface follows from the wet nodes; a variable that is not
 * a function of the state is linear between nodes. So are minima, maxima and arrivals, and variables in a triangle with
 * values that are not finite.
 *
 * At the nodes themselves, a variable has the file's values.
 */
#ifndef EWI_RESULTS_H
#define EWI_RESULTS_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <stdbool.h>
#include <string.h>

enum { EWI_MOST_TERMS = (EW_MAX_ORDER + 1) * (EW_MAX_ORDER + 2) / 2 };

/* The field that is computed from the pressure and reference values. */
#define EWI_PRESSURE_COEFFICIENT "cp"

enum ewi_field_kind {
    EWI_FIELD_NODES, /* a polynomial of its own */
    EWI_FIELD_STATE, /* a function of the conserved variables' polynomials */
    EWI_FIELD_FACES  /* constant on each of subdivide^2 triangles, or on the element */
};

struct ewi_field {
    char name[64], long_name[128], units[32];
    enum ewi_field_kind kind;
    int variable;   /* netCDF's number; unused by EWI_FIELD_STATE */
    int component;  /* of the state */
    bool primitive; /* the component is a primitive variable */
    bool derived;   /* the component is a number of ew_law.derived */
    bool exact;     /* EWI_FIELD_NODES: a conserved variable */
    bool linear;    /* EWI_FIELD_NODES: linear between the nodes */
    int faces;      /* EWI_FIELD_FACES: values per element */
    double shift, scale; /* the field shows (value - shift) scale; scale 0: the value */
};

/* Polynomials in monomials r^a s^b, a + b <= degree, at ewi_lattice_node(degree, a, b). */
struct ewi_fit {
    int degree, terms;
    double *matrix; /* [terms][points]: from values at the nodes, by least squares if they outnumber the terms */
};

/* ---- fit.c ---- */

/*
 * matrix[terms][points]: from values at points to coefficients of functions whose values are q[terms][points]. q has
 * terms^2 more zeros at its end, as workspace.
 */
void ewi_least_squares(int terms, int points, long double *q, double *matrix);
int ewi_fit_create(struct ewi_arena *memory, int subdivide, int degree, struct ewi_fit *fit, ew_error *error);

/* True if triangles can be partly dry. */
static inline bool ewi_has_shores(const ew_law *law)
{
    return law && strcmp(law->name, "shallow-water-bed") == 0;
}

struct ew_results {
    ew_host host;
    struct ewi_arena memory; /* for all members below */
    char *path, *title, *case_name, *version, *status;
    int descriptor, file; /* file: netCDF's number, or -1 */
    const ew_law *law;
    double parameter[EW_MAX_PARAMETERS];
    double rounding; /* relative error of the values; smaller differences count as none */
    bool single;     /* values at nodes are floats */
    bool has_state;
    int state[EW_MAX_VARIABLES]; /* netCDF's variables of the primitive variables */
    int order, subdivide, points, faces;
    int64_t elements, slab, frames;
    double *time;
    int64_t *step;
    int node_x, node_y;
    double xmin, ymin, xmax, ymax;
    int fields;
    struct ewi_field *field;
    int boundaries;
    char **boundary; /* [boundaries]: names, as numbered in the file */
    struct ewi_fit exact, plain; /* exact: for conserved variables, plain: for others */
    const struct ew_results *minus; /* the results that are subtracted, or NULL */
    /* For a restart file, which has coefficients and a mesh instead of nodes and their values. */
    bool is_restart;
    int coefficient, triangle; /* netCDF's variables */
    int64_t nodes;
    double *xy;                /* [nodes][2] */
    double *phi;               /* [points][terms]: basis functions at the lattice */
};

/* ---- restart_frame.c: the state of the last frame, for a run that resumes from it ---- */

/*
 * EW_ECONFIG unless the last frame determines the polynomials; the sentence names the key that writes the missing data.
 */
int ewi_frame_check(const struct ew_results *results, const ew_law *law, ew_error *error);
/* The modal coefficients [elements][variables][basis], up to rounding errors. */
int ewi_frame_coefficients(const struct ew_results *results, const ew_law *law, double *coefficients, ew_error *error);

/* ---- shore.c: triangles that are partly dry ---- */

/* True if a triangle with these depths at its nodes is partly dry. */
bool ewi_shore_crosses(int points, const double *depth);
/*
 * Replaces the primitive variables at the nodes of such a triangle by conserved ones; those of variable m start at
 * values + m plane.
 */
void ewi_shore_conserved(int subdivide, double *values, int64_t plane);
/* A value at (r, s), linear between the nodes; those of weight 0 need no value. */
double ewi_shore_value(int subdivide, const double *value, double r, double s);

/* ---- slabs of elements (results_read.c) ---- */

/* A slab of elements with the polynomials of one field at one frame. */
struct ewi_patches {
    const struct ew_results *results;
    struct ewi_arena memory;
    const struct ewi_field *field;
    int components, terms, degree;
    int64_t frame, first, count;
    struct ewi_patches *minus; /* the same elements of the results that are subtracted, or NULL */
    double *corner;      /* [slab][3][2] */
    double *coefficient; /* [slab][components][terms]; EWI_FIELD_FACES: the values */
    double *values;      /* [components][slab][points], as read */
    double *modes;       /* [slab][components][points], as read from a restart file */
    double *depth;       /* [slab][points]: of water over a bed, as read; NULL: no triangle is partly dry */
    double *own;         /* [slab][points]: the field itself, as read; NULL: the file does not have it at nodes */
};

int ewi_results_no_memory(const struct ew_results *results, ew_error *error);
/* The error when netCDF failed to read `what`. */
int ewi_results_failure(const struct ew_results *results, int code, const char *what, ew_error *error);
int ewi_results_check_field(const struct ew_results *results, int field, ew_error *error);
int ewi_results_check_frame(const struct ew_results *results, int64_t frame, ew_error *error);

int ewi_patches_create(const struct ew_results *results, int field, int64_t frame, struct ewi_patches *patches,
                       ew_error *error);
/* Reads and recovers elements first .. first+count-1, count at most results->slab. */
int ewi_patches_load(struct ewi_patches *patches, int64_t first, ew_error *error);
void ewi_patches_destroy(struct ewi_patches *patches);

/* The field at n points of element first + e; r, s in the reference triangle. n is at most EWI_RUN. */
enum { EWI_RUN = 256 };
void ewi_patches_evaluate(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s,
                          double *value);

/* True if the field is linear on every element, so that it needs no subdivision. */
bool ewi_field_is_linear(const struct ew_results *results, const struct ewi_field *field);

/* Reads the names of the boundaries; call between ewi_netcdf_begin and _end. A file without them has none. */
int ewi_results_read_boundaries(struct ew_results *results, ew_error *error);

#endif
