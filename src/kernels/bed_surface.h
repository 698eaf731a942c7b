/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Surface integrals of water over a bed, as eval_surface.h has those of other laws. What both sides of an edge get
 * differs by the pressure of the water below the sill: mass and what goes with it are opposite, and the push by the
 * difference of the surfaces is the same.
 */

/* The area of one of a side's bucket points, its share of the element's, SIDE_SHARE det J; or the part to be taken. */
EW_HD ewi_v EWI_K(bed_room)(const struct ewi_arguments *a, const int32_t *element, int64_t s)
{
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = ewi_layout_base(EWI_TILE, EWI_GEOMETRY, element[s + lane]);
    ewi_v xr = ewi_gather(a->geometry + EWI_XR * EWI_TILE, place);
    ewi_v xs = ewi_gather(a->geometry + EWI_XS * EWI_TILE, place);
    ewi_v yr = ewi_gather(a->geometry + EWI_YR * EWI_TILE, place);
    ewi_v ys = ewi_gather(a->geometry + EWI_YS * EWI_TILE, place);
    ewi_v area = ewi_set(EWI_TABLE(SIDE_SHARE)[0]) * ewi_fma(xr, ys, -(xs * yr));
    if (!a->room)
        return area;
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = element[s + lane];
    return ewi_gather(a->room, place) * area;
}

/* The mass times -weight, and the momenta of both sides with the push, the left ones times -weight. */
struct EWI_K(bed_side) {
    ewi_v mass, left[2], right[2];
};

EW_HD struct EWI_K(bed_side) EWI_K(bed_side_of)(const struct ewi_bed_exchange *f, ewi_v nx, ewi_v ny, double weight)
{
    struct EWI_K(bed_side) side;
    side.mass = ewi_set(-weight) * f->mass;
    side.left[0] = ewi_set(-weight) * ewi_fma(f->push, nx, f->x);
    side.left[1] = ewi_set(-weight) * ewi_fma(f->push, ny, f->y);
    side.right[0] = ewi_set(weight) * ewi_fma(-f->push, nx, f->x);
    side.right[1] = ewi_set(weight) * ewi_fma(-f->push, ny, f->y);
    return side;
}

EW_HD void EWI_K(eval_surface)(const struct ewi_arguments *a, const double *state, int ghost, double *rhs_surface_left,
                               double *rhs_surface_right, int64_t s)
{
    int64_t left[EWI_LANES], right[EWI_LANES], left_table[EWI_LANES], right_table[EWI_LANES], geometry[EWI_LANES];
    int64_t slot[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t l = a->left[s + lane], r = a->right[s + lane], side = a->left_side[s + lane];
        left[lane] = EWI_K(place)(a->width, l);
        right[lane] = EWI_K(place)(a->width, r);
        slot[lane] = s + lane;
        left_table[lane] = side * (EWI_NE * EWI_NP);
        right_table[lane] = (int64_t)a->right_side[s + lane] * (EWI_NE * EWI_NP);
        geometry[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * side, l);
    }
    ewi_v nx = ewi_gather(a->geometry, geometry), ny = ewi_gather(a->geometry + EWI_TILE, geometry);
    ewi_v length = ewi_gather(a->geometry + 2 * EWI_TILE, geometry), infinity = ewi_set(__builtin_inf());
    ewi_v left_room = EWI_K(bed_room)(a, a->left, s), right_room = EWI_K(bed_room)(a, a->right, s);

    struct EWI_K(bed_side) side[EWI_NE];
    for (int e = 0; e < EWI_NE; e++) {
        ewi_v ul[EWI_M], ur[EWI_M];
        const double *left_phi = EWI_TABLE(SIDE) + e * EWI_NP, *right_phi = EWI_TABLE(SIDE) + (EWI_NE - 1 - e) * EWI_NP;
        EWI_K(trace)(a, state, left, left_phi, left_table, ul);
        const struct ewi_bed_point inner = ewi_bed_point(a->parameter, ul);
        if (ghost < 0) {
            EWI_K(trace)(a, state, right, right_phi, right_table, ur);
        } else {
            EWI_K(boundary_states)(a, state, ghost, left, slot, e, ul, ur);
            ur[EWI_BED_BED] = ul[EWI_BED_BED];
        }
        struct ewi_bed_point wl = ewi_bed_point(a->parameter, ul), wr = ewi_bed_point(a->parameter, ur);
        ewi_v sill = ewi_max(ul[EWI_BED_BED], ur[EWI_BED_BED]);
        struct ewi_bed_exchange f = ewi_bed_llf(a->parameter, &wl, &wr, sill, nx, ny, length);
        ewi_v left_most = left_room * inner.h, right_most = infinity;
        if (ghost < 0)
            right_most = right_room * wr.h;
        else if (ewi_ghost_replaces(ghost))
            f.push = ewi_bed_push(a->parameter, inner.h, wr.h);
        ewi_bed_cap(a->parameter, left_most, right_most, &f);
        EWI_K(take_touched)(a, slot, e, &f);
        side[e] = EWI_K(bed_side_of)(&f, nx, ny, 0.5 * EWI_TABLE(EDGE_WEIGHT)[e]);
    }

    double *out_left = rhs_surface_left + ewi_layout_base(a->width, EWI_ROWS, s);
    double *out_right = rhs_surface_right + ewi_layout_base(a->width, EWI_ROWS, s);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 0; j < EWI_NP; j++) {
            ewi_v sum_left = ewi_set(0.0), sum_right = ewi_set(0.0);
            for (int e = 0; m < 3 && e < EWI_NE; e++) {
                const struct EWI_K(bed_side) *l = &side[e], *r = &side[EWI_NE - 1 - e];
                const double *phi = EWI_TABLE(SIDE) + e * EWI_NP + j;
                sum_left = ewi_fma(ewi_gather(phi, left_table), m == 0 ? l->mass : l->left[m - 1], sum_left);
                sum_right = ewi_fma(ewi_gather(phi, right_table), m == 0 ? -r->mass : r->right[m - 1], sum_right);
            }
            ewi_store(out_left + (m * EWI_NP + j) * a->width, sum_left);
            ewi_store(out_right + (m * EWI_NP + j) * a->width, sum_right);
        }
}
