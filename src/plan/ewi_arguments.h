/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of kernels: the plan's arrays, wherever the backend keeps them. All are read only. */
#ifndef EWI_ARGUMENTS_H
#define EWI_ARGUMENTS_H

#include "edgewise.h"
#include "ewi_formula.h"
#include "ewi_grid.h"
#include "ewi_scheme.h"
#include "ewi_subcells.h"

/* A source by formulas. */
struct ewi_source {
    struct ewi_program program; /* one output per conserved variable; length 0: there is no such source */
    const double *origin;       /* [padded] in tiles: rows x, y of the elements' first corners */
};

struct ewi_arguments {
    int64_t width;  /* of the tiles of states and right-hand sides */
    int64_t padded; /* elements */
    double parameter[EW_MAX_PARAMETERS];
    int flux;
    double floor;        /* positivity: the share of the first variable's mean that is left at points */
    int preserves_order; /* positivity preserves the order (ewi_sizes.h) */
    int has_volumes;     /* positivity is also of the means over control volumes */
    const double *geometry;
    const int32_t *neighbour, *side_slot, *left, *right;
    const uint8_t *neighbour_side, *left_side, *right_side;
    const double *normal, *given;                /* of boundary slots */
    const double *wall, *wall_gradient, *excess; /* of boundary slots, or NULL (ewi_plan.h) */
    const double *volume_field, *edge_field, *speed_bound; /* volume_field: media, if the law has them (ewi_plan.h) */
    const double *width_ratio, *diffusion_rate; /* of elements, or NULL (ewi_plan.h) */
    const double *room; /* of elements over a bed, or NULL: largest outflow in a macro step over the water at a point */
    const int32_t *sponge;     /* number of each tile's sponge, or -1; NULL: there are no sponges (ewi_sponge) */
    const double *sponge_weight, *sponge_target;
    struct ewi_source source;
    struct ewi_subcells subcells;
};

/*
 * The parameters of element i: with media, rows of its tile (ewi_media.h), which also serve the elements after it in a
 * vector.
 */
EW_HD const double *ewi_parameter_at(int media, const double *parameter, const double *volume_field, int64_t i)
{
    return media > 0 ? volume_field + ewi_layout_base(EWI_TILE, media, i) : parameter;
}

/*
 * Where the sources of element i are in an array of sources: those of all elements if there are formulas, otherwise
 * those of tiles with a sponge; < 0: it has none.
 */
EW_HD int64_t ewi_source_of(const struct ewi_arguments *a, int64_t i)
{
    if (a->source.program.length > 0)
        return i;
    return a->sponge ? (int64_t)a->sponge[i / EWI_TILE] * EWI_TILE + i % EWI_TILE : -1;
}

/* How a stage forms the new state (ewi_scheme.h), with dt already multiplied in. */
struct ewi_update {
    double step;
    const double *base; /* u_0 */
    int terms;
    const double *term[EWI_MAX_TERMS]; /* u_k */
    double weight[EWI_MAX_TERMS];
    const double *kept; /* a right-hand side; NULL: none */
    double kept_step;
    double *keep; /* where to keep this stage's right-hand side; NULL: nowhere */
    double time;  /* of the stage's source, for sources that a CPU's stage evaluates by itself */
};

#endif
