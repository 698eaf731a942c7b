/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that initial states, samples, norms and boundary integrals share: positions of elements, and their
 * polynomials.
 */
#ifndef EWI_ELEMENT_H
#define EWI_ELEMENT_H

#include "ewi_mesh.h"
#include "ewi_plan.h"

struct ewi_corners {
    double x, y, xr, xs, yr, ys; /* x = x + xr r + xs s, y alike */
};

static inline struct ewi_corners ewi_corners_of(const ew_mesh *mesh, int32_t i)
{
    const int32_t *node = mesh->triangle + 3 * (size_t)i;
    const double *a = mesh->xy + 2 * (size_t)node[0], *b = mesh->xy + 2 * (size_t)node[1],
                 *c = mesh->xy + 2 * (size_t)node[2];
    return (struct ewi_corners){a[0], a[1], b[0] - a[0], c[0] - a[0], b[1] - a[1], c[1] - a[1]};
}

/* Points of the reference triangle in the plane. */
static inline void ewi_points_in(const struct ewi_corners *corner, int points, const double *r, const double *s,
                                 double *x, double *y)
{
    for (int q = 0; q < points; q++) {
        x[q] = corner->x + corner->xr * r[q] + corner->xs * s[q];
        y[q] = corner->y + corner->yr * r[q] + corner->ys * s[q];
    }
}

/* The reference coordinates of the point at `height` over the place t of a side whose outward unit normal is n0. */
static inline void ewi_point_over(const struct ewi_corners *corner, int side, double t, const double *n0,
                                   double height, double rs[2])
{
    static const double reference[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const double *from = reference[side], *to = reference[(side + 1) % 3];
    double det = corner->xr * corner->ys - corner->xs * corner->yr, dx = height * n0[0], dy = height * n0[1];
    rs[0] = from[0] + t * (to[0] - from[0]) + (corner->ys * dx - corner->xs * dy) / det;
    rs[1] = from[1] + t * (to[1] - from[1]) + (corner->xr * dy - corner->yr * dx) / det;
}

/* u_m at a point, from the basis functions there. */
static inline void ewi_value_at(const struct ewi_plan *plan, const double *base, const double *phi, double *u)
{
    int np = plan->basis->np;
    for (int m = 0; m < plan->variables; m++) {
        double sum = 0.0;
        for (int j = 0; j < np; j++)
            sum += phi[j] * base[(m * np + j) * plan->width];
        u[m] = sum;
    }
}

/* The mean of u_m over an element. */
static inline double ewi_element_mean(const struct ewi_plan *plan, const double *state, int32_t i, int m)
{
    return EWI_SQRT2 * state[ewi_layout_index(plan->width, plan->rows, m * plan->basis->np, i)];
}

/*
 * EWI_TILE elements from number f of the file on, side by side: c[rows][EWI_TILE]; those behind `last` are the one
 * before it.
 */
void ewi_gather_elements(const struct ewi_plan *plan, const double *state, int64_t f, int64_t last, double *c);
/* Parameters of the same elements: the plan's or, with media, rows[media][EWI_TILE], which this fills. */
const double *ewi_gather_parameters(const struct ewi_plan *plan, int64_t f, int64_t last, double *rows);

#endif
