/* SPDX-License-Identifier: BSD-2-Clause */
/* The time step of laws with gradients (kernels/diffusion.h). */
#include "ewi_plan_parts.h"

/*
 * The eigenvalues of diffusion on an element are at most SPECTRAL_RADIUS times the diffusivity times the sum of the
 * squared sides over det J squared: measured on 33 lattices of triangles from equilateral to 1:20, where they were 0.82
 * to 1.00 of that.
 */
static const double SPECTRAL_RADIUS[EW_MAX_ORDER] = {26.4, 93.0, 238.3, 520.2, 1005.8};

/* The share of the estimated stable step that the default takes: measured ones are 1.01 to 1.81 times the estimate. */
#define SAFE_SHARE 0.85

/* The sum of the squared sides over det J squared. */
static double inverse_width_squared(const double *geometry)
{
    double sum = 0.0, inverse = geometry[EWI_INVERSE_DET * EWI_TILE];
    for (int k = 0; k < 3; k++) {
        double length = geometry[(EWI_SIDES + 3 * k + 2) * EWI_TILE];
        sum += length * length;
    }
    return sum * inverse * inverse;
}

/*
 * Rates add up: 1/dt = speed width_ratio/length + diffusivity SPECTRAL_RADIUS w/(real_extent SAFE_SHARE), with w from
 * inverse_width_squared and the length of the default Courant number, which that of a problem scales.
 */
void ewi_diffusion_fill(struct ewi_plan *plan)
{
    const struct ewi_grid *grid = plan->grid;
    int order = plan->basis->order;
    double length = ewi_default_cfl(&plan->sizes) * plan->mesh->info.smallest_diameter / (2 * order + 1);
    double factor = SPECTRAL_RADIUS[order - 1] * length / (plan->scheme->real_extent * SAFE_SHARE);
    for (int32_t i = 0; i < grid->elements; i++) {
        const double *geometry = grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
        plan->diffusion_rate[i] = factor * inverse_width_squared(geometry);
    }
}
