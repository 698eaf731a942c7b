/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The diffusive part of a law that has gradients, by the symmetric interior penalty method (Arnold, Brezzi, Cockburn
 * and Marini, "Unified analysis of discontinuous Galerkin methods for elliptic problems", 2002; Hartmann and Houston,
 * "An optimal order interior penalty discontinuous Galerkin discretization of the compressible Navier-Stokes
 * equations", 2008), with the penalty and the symmetry term at the edges' points. With the law's diffusive flux G, the
 * jump of the diffusing quantities over an edge, and S = G of that jump times the normal in place of a gradient:
 *     volume   int (F - G) . grad phi_j
 *     edges    -int (F_n - {G.n} - H S.n) phi_j - 1/2 int S . grad phi_j
 * With H = eta (p + 1)(p + 2)/2 times the mean of length/det J and eta = 1.2, the method is coercive on every
 * straight triangle.
 *
 * Order of operations: gradients are chains over ascending j, along r and s, before they are turned to x and y. The sum
 * of a side is one chain: all phi terms, then all d/dr terms, then all d/ds terms.
 */
/* 1/det J follows from the map: the geometry's is 0 in a part's ghost layer, whose elements must not change. */
struct EWI_K(shape) {
    ewi_v xr, xs, yr, ys, inverse_det;
};

EW_HD struct EWI_K(shape) EWI_K(shape_from)(ewi_v xr, ewi_v xs, ewi_v yr, ewi_v ys)
{
    return (struct EWI_K(shape)){xr, xs, yr, ys, ewi_inverse(xr * ys - xs * yr)};
}

#if EWI_HAS_DIFFUSION

EW_HD ewi_v EWI_K(penalty)(ewi_v left_inverse_det, ewi_v right_inverse_det)
{
    return ewi_set(ewi_penalty(EWI_ORDER)) * (left_inverse_det + right_inverse_det);
}

EW_HD struct EWI_K(shape) EWI_K(shape_of)(const struct ewi_arguments *a, const int32_t *element)
{
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element[lane]);
    return EWI_K(shape_from)(
        ewi_gather(a->geometry + EWI_XR * EWI_TILE, place), ewi_gather(a->geometry + EWI_XS * EWI_TILE, place),
        ewi_gather(a->geometry + EWI_YR * EWI_TILE, place), ewi_gather(a->geometry + EWI_YS * EWI_TILE, place));
}

/* The law's diffusion at a point with the state u and its derivatives ur, us. */
EW_HD void EWI_K(diffusion)(const double *parameter, const struct EWI_K(shape) *shape, const ewi_v *u, const ewi_v *ur,
                            const ewi_v *us, ewi_v *diffusion)
{
    ewi_v rx = shape->ys * shape->inverse_det, sx = -(shape->yr * shape->inverse_det);
    ewi_v ry = -(shape->xs * shape->inverse_det), sy = shape->xr * shape->inverse_det, ux[EWI_M], uy[EWI_M];
    for (int m = 0; m < EWI_M; m++) {
        ux[m] = ewi_fma(rx, ur[m], sx * us[m]);
        uy[m] = ewi_fma(ry, ur[m], sy * us[m]);
    }
    EWI_L(diffusion)(parameter, u, ux, uy, diffusion);
}

/* Subtracts the diffusive flux at a volume point from fr, fs. */
EW_HD void EWI_K(subtract_diffusion)(const double *parameter, const struct EWI_K(shape) *shape, const ewi_v *u,
                                 const ewi_v *ur, const ewi_v *us, ewi_v *fr, ewi_v *fs)
{
    ewi_v diffusion[EWI_DIFFUSION], gx[EWI_DIFFUSING], gy[EWI_DIFFUSING];
    EWI_K(diffusion)(parameter, shape, u, ur, us, diffusion);
    EWI_L(diffusive_flux)(parameter, u, diffusion, gx, gy);
    for (int d = 0, m = EWI_FIRST_DIFFUSING; m < EWI_M; d++, m++) {
        fr[m] = ewi_fma(-shape->ys, gx[d], ewi_fma(shape->xs, gy[d], fr[m]));
        fs[m] = ewi_fma(shape->yr, gx[d], ewi_fma(-shape->xr, gy[d], fs[m]));
    }
}

/* The same at volume point q of an element with coefficients c, where the state is u. */
EW_HD void EWI_K(diffuse_volume)(const double *parameter, const struct EWI_K(shape) *shape, int q, const ewi_v *u,
                                 ewi_v (*c)[EWI_NP], ewi_v *fr, ewi_v *fs)
{
    ewi_v ur[EWI_M], us[EWI_M];
    for (int m = 0; m < EWI_M; m++) {
        ur[m] = us[m] = ewi_set(0.0);
        for (int j = 0; j < EWI_NP; j++) {
            ur[m] = ewi_fma(ewi_set(EWI_TABLE(SLOPE_R)[q * EWI_NP + j]), c[m][j], ur[m]);
            us[m] = ewi_fma(ewi_set(EWI_TABLE(SLOPE_S)[q * EWI_NP + j]), c[m][j], us[m]);
        }
    }
    EWI_K(subtract_diffusion)(parameter, shape, u, ur, us, fr, fs);
}

/* One side of EWI_LANES edges: where the coefficients and the tables of the element's side begin, and its shape. */
struct EWI_K(diffusing_side) {
    const int64_t *place, *table;
    struct EWI_K(shape) shape;
};

/* S at a point, by which the gradients of the basis functions of both sides are multiplied. */
struct EWI_K(symmetry) {
    ewi_v x[EWI_DIFFUSING], y[EWI_DIFFUSING];
};

/* State and diffusion of one side at point e, counted counter-clockwise on that side. */
EW_HD void EWI_K(diffusing_trace)(const struct ewi_arguments *a, const double *state,
                                  const struct EWI_K(diffusing_side) *side, int e, ewi_v *u, ewi_v *diffusion)
{
    ewi_v ur[EWI_M], us[EWI_M];
    EWI_K(trace)(a, state, side->place, EWI_TABLE(SIDE) + e * EWI_NP, side->table, u);
    EWI_K(trace)(a, state, side->place, EWI_TABLE(SIDE_R) + e * EWI_NP, side->table, ur);
    EWI_K(trace)(a, state, side->place, EWI_TABLE(SIDE_S) + e * EWI_NP, side->table, us);
    EWI_K(diffusion)(a->parameter, &side->shape, u, ur, us, diffusion);
}

/* State and diffusion on the true wall's curve over point e of boundary edges. */
EW_HD void EWI_K(diffusing_wall)(const struct ewi_arguments *a, const double *state, const int64_t *place,
                                 const struct EWI_K(shape) *shape, const int64_t *slot, int e, ewi_v *u,
                                 ewi_v *diffusion)
{
    ewi_v ur[EWI_M], us[EWI_M];
    int64_t value[EWI_LANES], gradient[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        value[lane] = slot[lane] * (EWI_NE * EWI_NP);
        gradient[lane] = 2 * value[lane];
    }
    EWI_K(trace)(a, state, place, a->wall + e * EWI_NP, value, u);
    EWI_K(trace)(a, state, place, a->wall_gradient + 2 * e * EWI_NP, gradient, ur);
    EWI_K(trace)(a, state, place, a->wall_gradient + (2 * e + 1) * EWI_NP, gradient, us);
    EWI_K(diffusion)(a->parameter, shape, u, ur, us, diffusion);
}

/*
 * Subtracts twice the diffusive flux and the penalty at point e of boundary edges from the numerical flux f.
 *   place, shape: of the edges' elements; u, diffusion: the inner trace; given: the boundary's data
 */
EW_HD void EWI_K(diffuse_boundary)(const struct ewi_arguments *a, const double *state, int ghost, const int64_t *place,
                                   const struct EWI_K(shape) *shape, const int64_t *slot, int e, const ewi_v *u,
                                   const ewi_v *diffusion, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *f,
                                   struct EWI_K(symmetry) *symmetry)
{
    ewi_v wall[EWI_M], at_wall[EWI_DIFFUSION], given[EWI_M], penalty;
    int64_t unit[EWI_LANES], data[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        unit[lane] = ewi_layout_index(EWI_TILE, 2 * EWI_NE, 2 * e, slot[lane]);
        data[lane] = ewi_layout_index(EWI_TILE, EWI_NE * EWI_M, e * EWI_M, slot[lane]);
    }
    for (int m = 0; m < EWI_M; m++)
        given[m] = ewi_gather(a->given + m * EWI_TILE, data);
    struct ewi_diffusing_side side = {u, diffusion, u, diffusion, ewi_gather(a->normal, unit),
                                      ewi_gather(a->normal + EWI_TILE, unit)};
    if (ewi_ghost_is_curved(ghost)) {
        EWI_K(diffusing_wall)(a, state, place, shape, slot, e, wall, at_wall);
        side.wall = wall;
        side.wall_diffusion = at_wall;
    }
    penalty = EWI_K(penalty)(shape->inverse_det, shape->inverse_det);
    EWI_L(diffuse_at_boundary)(ghost, a->parameter, &side, given, nx, ny, length, penalty, f, symmetry->x, symmetry->y);
}

/* The same with the inner trace by itself. */
EW_HD void EWI_K(diffuse_boundary_edge)(const struct ewi_arguments *a, const double *state, int ghost,
                                        const int64_t *slot, int e, const struct EWI_K(diffusing_side) *inner, ewi_v nx,
                                        ewi_v ny, ewi_v length, ewi_v *f, struct EWI_K(symmetry) *symmetry)
{
    ewi_v u[EWI_M], diffusion[EWI_DIFFUSION];
    EWI_K(diffusing_trace)(a, state, inner, e, u, diffusion);
    EWI_K(diffuse_boundary)(a, state, ghost, inner->place, &inner->shape, slot, e, u, diffusion, nx, ny, length, f,
                            symmetry);
}

/* Subtracts twice the diffusive flux and the penalty at point e of inner edges from the numerical flux f. */
EW_HD void EWI_K(diffuse_edge)(const struct ewi_arguments *a, const double *state, int e,
                               const struct EWI_K(diffusing_side) *left, const struct EWI_K(diffusing_side) *right,
                               ewi_v nx, ewi_v ny, ewi_v *f, struct EWI_K(symmetry) *symmetry)
{
    ewi_v penalty = EWI_K(penalty)(left->shape.inverse_det, right->shape.inverse_det);
    ewi_v ul[EWI_M], ur[EWI_M], inner[EWI_DIFFUSION], outer[EWI_DIFFUSION];
    EWI_K(diffusing_trace)(a, state, left, e, ul, inner);
    EWI_K(diffusing_trace)(a, state, right, EWI_NE - 1 - e, ur, outer);
    EWI_L(diffuse)(a->parameter, ul, inner, ur, outer, nx, ny, penalty, f, symmetry->x, symmetry->y);
}

/* Turns f at point e into what the left element adds, and appends S. The right element has -f and the same S. */
EW_HD void EWI_K(weigh_point)(int e, ewi_v *f, const struct EWI_K(symmetry) *symmetry)
{
    ewi_v weight = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]);
    for (int m = 0; m < EWI_M; m++)
        f[m] = weight * f[m];
    for (int d = 0; d < EWI_DIFFUSING; d++) {
        f[EWI_M + d] = symmetry->x[d];
        f[EWI_M + EWI_DIFFUSING + d] = symmetry->y[d];
    }
}

/* The symmetry terms along r and s at point e, of an element of this shape. */
EW_HD void EWI_K(turn_symmetry)(const struct EWI_K(shape) *shape, int e, const struct EWI_K(symmetry) *symmetry,
                                ewi_v *along_r, ewi_v *along_s)
{
    ewi_v weight = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]) * shape->inverse_det;
    for (int d = 0; d < EWI_DIFFUSING; d++) {
        along_r[d] = weight * ewi_fma(shape->ys, symmetry->x[d], -(shape->xs * symmetry->y[d]));
        along_s[d] = weight * ewi_fma(shape->xr, symmetry->y[d], -(shape->yr * symmetry->x[d]));
    }
}

/* turn_symmetry for S behind the EWI_M values of a flux (weigh_point). */
EW_HD void EWI_K(symmetry_terms)(const struct EWI_K(shape) *shape, int e, const ewi_v *f, ewi_v *along_r,
                                 ewi_v *along_s)
{
    struct EWI_K(symmetry) symmetry;
    for (int d = 0; d < EWI_DIFFUSING; d++) {
        symmetry.x[d] = f[EWI_M + d];
        symmetry.y[d] = f[EWI_M + EWI_DIFFUSING + d];
    }
    EWI_K(turn_symmetry)(shape, e, &symmetry, along_r, along_s);
}

/* Adds the symmetry terms of variable m and basis function j to the sum of a side. */
EW_HD ewi_v EWI_K(add_symmetry)(int m, int j, const int64_t *table, ewi_v (*along_r)[EWI_DIFFUSING],
                                ewi_v (*along_s)[EWI_DIFFUSING], ewi_v sum)
{
    int d = m - EWI_FIRST_DIFFUSING;
    for (int e = 0; d >= 0 && e < EWI_NE; e++)
        sum = ewi_fma(ewi_gather(EWI_TABLE(SIDE_R) + e * EWI_NP + j, table), along_r[e][d], sum);
    for (int e = 0; d >= 0 && e < EWI_NE; e++)
        sum = ewi_fma(ewi_gather(EWI_TABLE(SIDE_S) + e * EWI_NP + j, table), along_s[e][d], sum);
    return sum;
}

#endif
