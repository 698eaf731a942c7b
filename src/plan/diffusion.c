/* SPDX-License-Identifier: BSD-2-Clause */
/* The time step of laws with gradients (kernels/diffusion.h). */
#include "ewi_plan_parts.h"

#include <math.h>

/*
 * The eigenvalues of diffusion on an element are at most SPECTRAL_RADIUS times the diffusivity times the sum of the
 * squared sides over det J squared: measured on 33 lattices of triangles from equilateral to 1:20, where they were 0.82
 * to 1.00 of that.
 */
static const double SPECTRAL_RADIUS[EW_MAX_ORDER] = {26.4, 93.0, 238.3, 520.2, 1005.8};

/* The share of the estimated stable step that the default takes: measured ones are 1.01 to 1.81 times the estimate. */
#define SAFE_SHARE 0.85

/* The sum of the squared sides over det J squared. */
static double inverse_width_squared(const struct ewi_grid *grid, int32_t i)
{
    const double *geometry = grid->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    double sum = 0.0, inverse = geometry[EWI_INVERSE_DET * EWI_TILE];
    for (int k = 0; k < 3; k++) {
        double length = geometry[(EWI_SIDES + 3 * k + 2) * EWI_TILE];
        sum += length * length;
    }
    return sum * inverse * inverse;
}

/*
 * The same for an element whose steps are 2^level times as long as the smallest ones. The penalty at an edge also grows
 * with the inverse width of a narrower neighbour, whose own limit no longer protects the element, since its steps are
 * shorter: the geometric mean of both counts. Since levels follow from diameters, the result is rarely above that of
 * the smallest elements, so steps are as long as with one level.
 */
static double inverse_width_squared_of_level(const struct ewi_plan *plan, int32_t i)
{
    const struct ewi_grid *grid = plan->grid;
    double own = inverse_width_squared(grid, i), largest = own;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, inverse_width_squared(grid, grid->neighbour[k * grid->padded + i]));
    return ldexp(sqrt(own * largest), plan->level[i]);
}

/*
 * Rates add up: 1/dt = speed width_ratio/length + diffusivity SPECTRAL_RADIUS w/(real_extent SAFE_SHARE), with w from
 * inverse_width_squared and the length of the default Courant number, which that of a problem scales.
 */
void ewi_diffusion_fill(struct ewi_plan *plan)
{
    int order = plan->basis->order;
    double length = ewi_default_cfl(&plan->sizes) * plan->mesh->info.smallest_diameter / (2 * order + 1);
    double factor = SPECTRAL_RADIUS[order - 1] * length / (plan->scheme->real_extent * SAFE_SHARE);
    for (int32_t i = 0; i < plan->grid->elements; i++)
        plan->diffusion_rate[i] = factor * (plan->level ? inverse_width_squared_of_level(plan, i)
                                                        : inverse_width_squared(plan->grid, i));
}
