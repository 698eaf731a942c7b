/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finite volumes in elements with shocks over a bed: what limiter/subcell.h has for other laws, by hydrostatic
 * reconstruction. At a point, a volume's state is its reconstructed surface and velocity over the polynomial's bed, so
 * that the bed is the same on both sides of an inner face. The momentum flux into a volume or a side is
 *     the flux over the sill, less its own pressure there (ewi_bed_exchange), and
 *     g/2 (surface - surface of the volume) (h + h of the volume), its pull, times the outward normal:
 * over a flat bed the sum is the flux itself, less the volume's own pressure, whose sum over a closed volume is 0; and
 * at rest all of it is 0 to the bit. The polynomial's side sums have its own trace in the place of the volume.
 *
 * Only elements that are wet all over, in the means of control volumes too, are divided. One that a stage finds partly
 * dry has alpha 0 in that stage.
 *   trace   surface and momenta; the pull of the polynomial, that of the volume
 *   flux    mass, momenta, push
 *   lifted  in the first row of the last variable: this stage's alpha
 */

/* alpha of divided elements in this stage. */
EW_HD ewi_v EWI_K(alpha_now)(const struct ewi_arguments *a, const int64_t *element, const struct EWI_K(volumes) *v)
{
    ewi_v zero = ewi_set(0.0), least = EWI_OF_VOLUME(v->w, 0, EWI_VOLUME_DEPTH);
    for (int n = 1; n < EWI_NP; n++)
        least = ewi_smaller(least, EWI_OF_VOLUME(v->w, n, EWI_VOLUME_DEPTH));
    return ewi_select(ewi_gt(least, zero), ewi_gather(a->subcells.alpha, element), zero);
}

/* g/2 (surface - other surface) (h + other h) */
EW_HD ewi_v EWI_K(pull)(const double *parameter, ewi_v surface, ewi_v h, ewi_v other_surface, ewi_v other_h)
{
    return ewi_set(0.5 * parameter[EWI_BED_GRAVITY]) * ((surface - other_surface) * (h + other_h));
}

/* A volume's water at a point over the bed there, from its mean, the neighbour's, and the slope's step. */
EW_HD struct ewi_bed_point EWI_K(volume_point)(const ewi_v *own, const ewi_v *other, const ewi_v *step, ewi_v bed)
{
    ewi_v w[EWI_EVOLVING];
    EWI_K(face_values)(own, other, step, w);
    struct ewi_bed_point at = {w[0], ewi_max(w[0] - bed, ewi_set(0.0)), w[1], w[2]};
    return at;
}

EW_HD ewi_v EWI_K(bed_in_face)(int f, const ewi_v *c)
{
    ewi_v bed = ewi_set(0.0);
    for (int j = 0; j < EWI_NP; j++)
        bed = ewi_fma(ewi_set(EWI_TABLE(FACE_PHI)[f * EWI_NP + j]), c[j], bed);
    return bed;
}

/* Half the flux through face f: the mass, the momenta from its first volume, and those to its second. */
EWI_PIECE void EWI_K(face_flux)(const struct ewi_arguments *a, int f, const ewi_v *shape, const ewi_v (*c)[EWI_NP],
                                const struct EWI_K(volumes) *v, ewi_v *through)
{
    const ewi_v r = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f]), s = ewi_set(EWI_TABLE(FACE_NORMAL)[2 * f + 1]);
    ewi_v nx = ewi_fma(shape[EWI_YS], r, -(shape[EWI_YR] * s)), ny = ewi_fma(shape[EWI_XR], s, -(shape[EWI_XS] * r));
    ewi_v bed = EWI_K(bed_in_face)(f, c[EWI_BED_BED]), w[2][EWI_EVOLVING], step[2][EWI_EVOLVING], pull[2];
    struct ewi_bed_point at[2];
    for (int end = 0; end < 2; end++)
        EWI_K(step_along)(v, EWI_TABLE(FACE_VOLUME)[2 * f + end], EWI_TABLE(FACE_R)[2 * f + end],
                          EWI_TABLE(FACE_S)[2 * f + end], w[end], step[end]);
    for (int end = 0; end < 2; end++) {
        ewi_v h = EWI_OF_VOLUME(v->w, EWI_TABLE(FACE_VOLUME)[2 * f + end], EWI_VOLUME_DEPTH);
        at[end] = EWI_K(volume_point)(w[end], w[1 - end], step[end], bed);
        pull[end] = EWI_K(pull)(a->parameter, at[end].surface, at[end].h, w[end][0], h);
    }
    struct ewi_bed_exchange flux = ewi_bed_llf(a->parameter, &at[0], &at[1], bed, nx, ny,
                                               ewi_root(ewi_fma(nx, nx, ny * ny)));
    ewi_v half = ewi_set(0.5), first = ewi_fma(half, flux.push, pull[0]), second = ewi_fma(-half, flux.push, pull[1]);
    through[0] = half * flux.mass;
    through[1] = ewi_fma(first, nx, half * flux.x);
    through[2] = ewi_fma(first, ny, half * flux.y);
    through[3] = ewi_fma(second, nx, half * flux.x);
    through[4] = ewi_fma(second, ny, half * flux.y);
}

/* Adds volume n's friction, -k h v times its area. */
EW_HD void EWI_K(volume_drag)(const struct ewi_arguments *a, int n, const int64_t *element,
                              const struct EWI_K(volumes) *v, ewi_v *sum)
{
    ewi_v shape[4], h = EWI_OF_VOLUME(v->w, n, EWI_VOLUME_DEPTH), x = EWI_OF_VOLUME(v->w, n, 1),
                    y = EWI_OF_VOLUME(v->w, n, 2);
    EWI_K(gather_shape)(a, element, shape);
    ewi_v area = ewi_set(EWI_TABLE(CV_AREA)[n]) *
                 ewi_fma(shape[EWI_XR], shape[EWI_YS], -(shape[EWI_XS] * shape[EWI_YR]));
    ewi_v k = area * (h * ewi_bed_friction(a->parameter, h, ewi_root(ewi_fma(x, x, y * y))));
    sum[1] = ewi_fma(-k, x, sum[1]);
    sum[2] = ewi_fma(-k, y, sum[2]);
}

/* Stores volume n's sum of fluxes through inner faces and its friction as coefficient n of `lifted`. */
EWI_PIECE void EWI_K(sum_faces)(const struct ewi_arguments *a, int n, const int64_t *element,
                                const struct EWI_K(volumes) *v, const ewi_v *through)
{
    ewi_v sum[EWI_EVOLVING];
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    for (int m = 0; m < EWI_EVOLVING; m++)
        sum[m] = ewi_set(0.0);
    EWI_EACH_END(end, n)
        for (int m = 0; m < EWI_EVOLVING; m++) {
            ewi_v flux = EWI_OF_FACE(through, end / 2, end % 2 && m > 0 ? m + 2 : m);
            sum[m] = end % 2 ? sum[m] + flux : sum[m] - flux;
        }
    if (a->parameter[EWI_BED_MANNING] > 0.0)
        EWI_K(volume_drag)(a, n, element, v, sum);
    for (int m = 0; m < EWI_EVOLVING; m++)
        EWI_K(scatter_at)(a->subcells.lifted, a->width, place, m, n, sum[m]);
    if (n == 0)
        EWI_K(scatter_at)(a->subcells.lifted, a->width, place, EWI_BED_DEPTH, 0, EWI_K(alpha_now)(a, element, v));
}

/*
 * Stores the blended trace at a point of all sides', and both pulls. The blend of two equal surfaces is the same
 * surface, to the bit.
 */
EWI_PIECE void EWI_K(blend_point)(const struct ewi_arguments *a, int point, const int64_t *element,
                                  const ewi_v (*c)[EWI_NP], const struct EWI_K(volumes) *v,
                                  const struct EWI_K(neighbours) *behind)
{
    const int n = EWI_TABLE(SIDE_VOLUME)[point];
    ewi_v polynomial[EWI_M], own[EWI_M], other[EWI_M], step[EWI_M], zero = ewi_set(0.0);
    int64_t trace[EWI_LANES];
    EWI_K(values_by_row)(c, EWI_TABLE(SIDE) + point * EWI_NP, polynomial);
    EWI_K(step_along)(v, n, EWI_TABLE(SIDE_OFFSET_R)[point], EWI_TABLE(SIDE_OFFSET_S)[point], own, step);
    EWI_K(mean_behind)(a, behind, point % EWI_NE, own, other);
    ewi_v bed = polynomial[EWI_BED_BED], alpha = EWI_K(alpha_now)(a, element, v);
    struct ewi_bed_point at = EWI_K(volume_point)(own, other, step, bed);
    ewi_v volume[EWI_EVOLVING] = {at.surface, at.h * at.vx, at.h * at.vy}, u[EWI_M];
    for (int m = 0; m < EWI_EVOLVING; m++)
        u[m] = ewi_select(ewi_gt(alpha, zero), ewi_fma(alpha, volume[m] - polynomial[m], polynomial[m]),
                          polynomial[m]);
    ewi_v h = ewi_max(u[0] - bed, zero), inner = ewi_max(polynomial[0] - bed, zero);
    u[3] = EWI_K(pull)(a->parameter, u[0], h, polynomial[0], inner);
    u[4] = EWI_K(pull)(a->parameter, u[0], h, own[0], EWI_OF_VOLUME(v->w, n, EWI_VOLUME_DEPTH));
    for (int lane = 0; lane < EWI_LANES; lane++)
        trace[lane] = (element[lane] * (3 * EWI_NE) + point) * EWI_M;
    for (int m = 0; m < EWI_M; m++)
        EWI_K(scatter)(a->subcells.trace + m, trace, u[m]);
}

/*
 * The traces at `points` points from `first` on of one side of touched edges: the polynomials', with the stored surface
 * and momenta of divided elements; and last the polynomial's depth.
 */
EW_HD void EWI_K(touched_traces)(const struct ewi_arguments *a, const double *state, const int32_t *element,
                                 const uint8_t *side, const int64_t *slot, int first, int points,
                                 ewi_v (*u)[EWI_TOUCHED_VALUES])
{
    int64_t i[EWI_LANES], place[EWI_LANES], table[EWI_LANES], trace[EWI_LANES];
    ewi_v c[EWI_M][EWI_NP];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        i[lane] = element[slot[lane]];
        place[lane] = EWI_K(place)(a->width, i[lane]);
        table[lane] = (side[slot[lane]] * EWI_NE + first) * (int64_t)EWI_NP;
        trace[lane] = ((i[lane] * 3 + side[slot[lane]]) * EWI_NE + first) * EWI_M;
    }
    ewi_mask divided = ewi_gt(ewi_gather(a->subcells.alpha, i), ewi_set(0.0));
    EWI_K(gather_coefficients)(a, state, place, c);
    for (int e = 0; e < points; e++) {
        EWI_K(values_by_rows)((const ewi_v(*)[EWI_NP])c, EWI_TABLE(SIDE) + e * EWI_NP, table, u[e]);
        u[e][EWI_M] = ewi_bed_point(a->parameter, u[e]).h;
        for (int m = 0; ewi_any(divided) && m < EWI_EVOLVING; m++)
            u[e][m] = ewi_select(divided, ewi_gather(a->subcells.trace + e * EWI_M + m, trace), u[e][m]);
    }
}

/* The largest outflow at a point of a side, as in eval_surface; h: the polynomials' depth. */
EW_HD ewi_v EWI_K(touched_room)(const struct ewi_arguments *a, const int32_t *element, const int64_t *slot, ewi_v h)
{
    ewi_v shape[4];
    int64_t i[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        i[lane] = element[slot[lane]];
    EWI_K(gather_shape)(a, i, shape);
    ewi_v area = ewi_set(EWI_TABLE(SIDE_SHARE)[0]) *
                 ewi_fma(shape[EWI_XR], shape[EWI_YS], -(shape[EWI_XS] * shape[EWI_YR]));
    if (a->room)
        area = ewi_gather(a->room, i) * area;
    return area * h;
}

/* The flux at a boundary of the kind `ghost`, in all lanes. */
EW_HD void EWI_K(boundary_flux)(const struct ewi_arguments *a, const double *state, int ghost, const int64_t *slot,
                                int e, const ewi_v *inner, const ewi_v *normal, struct ewi_bed_exchange *f)
{
    int64_t place[EWI_LANES];
    ewi_v left[EWI_M], right[EWI_M];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, a->left[slot[lane]]);
    for (int m = 0; m < EWI_M; m++)
        left[m] = inner[m];
    EWI_K(boundary_states)(a, state, ghost, place, slot, e, left, right);
    right[EWI_BED_BED] = left[EWI_BED_BED];
    const struct ewi_bed_point own = ewi_bed_point(a->parameter, inner), l = ewi_bed_point(a->parameter, left),
                               r = ewi_bed_point(a->parameter, right);
    *f = ewi_bed_llf(a->parameter, &l, &r, left[EWI_BED_BED], normal[0], normal[1], normal[2]);
    if (ewi_ghost_replaces(ghost))
        f->push = ewi_bed_push(a->parameter, own.h, r.h);
    ewi_bed_cap(a->parameter, EWI_K(touched_room)(a, a->left, slot, inner[EWI_M]), ewi_set(__builtin_inf()), f);
}

/* The fluxes at boundaries, whose kind each lane has for itself. */
EW_HD_APART void EWI_K(boundary_fluxes)(const struct ewi_arguments *a, const double *state, const int64_t *slot,
                                        int e, const ewi_v *inner, const ewi_v *normal, struct ewi_bed_exchange *f)
{
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int64_t here[EWI_LANES];
        struct ewi_bed_exchange of;
        if (slot[lane] >= a->subcells.boundary_slots)
            continue;
        for (int k = 0; k < EWI_LANES; k++)
            here[k] = slot[lane];
        EWI_K(boundary_flux)(a, state, a->subcells.ghost[slot[lane] / EWI_TILE], here, e, inner, normal, &of);
        f->mass = ewi_set_lane(f->mass, lane, ewi_lane(of.mass, lane));
        f->x = ewi_set_lane(f->x, lane, ewi_lane(of.x, lane));
        f->y = ewi_set_lane(f->y, lane, ewi_lane(of.y, lane));
        f->push = ewi_set_lane(f->push, lane, ewi_lane(of.push, lane));
    }
}

/* Stores the flux at point e of touched edges, in the edges' own direction. given: the boundaries' given states */
EW_HD void EWI_K(touched_flux)(const struct ewi_arguments *a, const double *given, const double *state,
                               const int64_t *slot, int e, const ewi_v *normal, const ewi_v *left, const ewi_v *right)
{
    const struct ewi_bed_point l = ewi_bed_point(a->parameter, left), r = ewi_bed_point(a->parameter, right);
    struct ewi_bed_exchange f = ewi_bed_llf(a->parameter, &l, &r, ewi_max(left[EWI_BED_BED], right[EWI_BED_BED]),
                                            normal[0], normal[1], normal[2]);
    int64_t at[EWI_LANES];
    int boundary = 0;
    ewi_bed_cap(a->parameter, EWI_K(touched_room)(a, a->left, slot, left[EWI_M]),
                EWI_K(touched_room)(a, a->right, slot, right[EWI_M]), &f);
    for (int lane = 0; lane < EWI_LANES; lane++) {
        at[lane] = (slot[lane] * EWI_NE + e) * EWI_M;
        boundary |= slot[lane] < a->subcells.boundary_slots;
    }
    if (boundary) { /* copies, so that on GPUs the others stay in registers */
        struct ewi_bed_exchange flux = f;
        ewi_v inner[EWI_TOUCHED_VALUES], copy[3] = {normal[0], normal[1], normal[2]};
        struct ewi_arguments now = *a;
        now.given = given;
        for (int m = 0; m < EWI_TOUCHED_VALUES; m++)
            inner[m] = left[m];
        EWI_K(boundary_fluxes)(&now, state, slot, e, inner, copy, &flux);
        f = flux;
    }
    EWI_K(scatter)(a->subcells.flux, at, f.mass);
    EWI_K(scatter)(a->subcells.flux + 1, at, f.x);
    EWI_K(scatter)(a->subcells.flux + 2, at, f.y);
    EWI_K(scatter)(a->subcells.flux + 3, at, f.push);
}

/*
 * Adds variable m of the fluxes through side k to the control volumes along it. The traces are those of the edge's
 * element, which is another one for sums (ewi_level_plan.h); a side without an edge pulls nothing. pull: of the
 * polynomial, times weights and the outward normal
 */
EW_HD void EWI_K(add_side)(const struct ewi_arguments *a, int k, const int64_t *element, int m, ewi_v *flux_sum,
                           ewi_v *pull)
{
    int64_t slot[EWI_LANES], begin[EWI_LANES], step[EWI_LANES], at[EWI_LANES], trace[EWI_LANES];
    double sign[EWI_LANES], has_edge[EWI_LANES];
    ewi_v normal[3];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        int32_t side = a->side_slot[k * a->padded + element[lane]], right = side & 1;
        slot[lane] = side >> 1;
        has_edge[lane] = a->subcells.edge_slots == 0 || slot[lane] < a->subcells.edge_slots;
        begin[lane] = (slot[lane] * EWI_NE + (right ? EWI_NE - 1 : 0)) * EWI_M;
        step[lane] = right ? -EWI_M : EWI_M;
        sign[lane] = right ? -1.0 : 1.0;
        trace[lane] = ((right ? a->right : a->left)[slot[lane]] * (int64_t)3 + k) * EWI_NE * EWI_M;
    }
    EWI_K(gather_normal)(a, slot, normal);
    ewi_v outward = ewi_load(sign), along = normal[m == 1 ? 0 : 1], half = ewi_set(0.5), zero = ewi_set(0.0);
    ewi_mask pulls = ewi_gt(ewi_load(has_edge), zero);
    for (int e = 0; e < EWI_NE; e++) {
        int n = EWI_TABLE(SIDE_VOLUME)[k * EWI_NE + e];
        ewi_v weight = ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]);
        for (int lane = 0; lane < EWI_LANES; lane++)
            at[lane] = begin[lane] + e * step[lane];
        ewi_v out = half * (outward * ewi_gather(a->subcells.flux + m, at));
        if (m > 0) {
            ewi_v own = ewi_select(pulls, ewi_gather(a->subcells.trace + e * EWI_M + 4, trace), zero);
            ewi_v inner = ewi_select(pulls, ewi_gather(a->subcells.trace + e * EWI_M + 3, trace), zero);
            ewi_v push = ewi_fma(half, ewi_gather(a->subcells.flux + 3, at), outward * own);
            out = ewi_fma(push, along, out);
            pull[e] = (weight * (outward * along)) * inner;
        }
        flux_sum[n] = ewi_fma(-weight, out, flux_sum[n]);
    }
}

/*
 * alpha times variable m's right-hand side of control volumes, times det J, and 1 - alpha times the polynomial's pulls,
 * in place of the volumes' sums
 */
EW_HD void EWI_K(lift_variable)(const struct ewi_arguments *a, const int64_t *element, const int64_t *place, int m)
{
    double *lifted = a->subcells.lifted;
    ewi_v flux_sum[EWI_NP], pull[3 * EWI_NE], alpha = EWI_K(gather)(lifted, a->width, place, EWI_BED_DEPTH, 0);
    EWI_K(gather_variable)(lifted, a->width, place, m, flux_sum);
    for (int k = 0; k < 3; k++)
        EWI_K(add_side)(a, k, element, m, flux_sum, pull + k * EWI_NE);
    for (int j = 0; j < EWI_NP; j++) {
        ewi_v sum = ewi_set(0.0), pulls = ewi_set(0.0);
        for (int n = 0; n < EWI_NP; n++)
            sum = ewi_fma(ewi_set(EWI_TABLE(CV_LIFT)[j * EWI_NP + n]), flux_sum[n], sum);
        for (int point = 0; m > 0 && point < 3 * EWI_NE; point++)
            pulls = ewi_fma(ewi_set(EWI_TABLE(SIDE)[point * EWI_NP + j]), pull[point], pulls);
        EWI_K(scatter_at)(lifted, a->width, place, m, j, ewi_fma(alpha, sum, (alpha - ewi_set(1.0)) * pulls));
    }
}

EW_HD void EWI_K(lift_variables)(const struct ewi_arguments *a, const int64_t *element, int first, int count)
{
    int64_t place[EWI_LANES];
    for (int lane = 0; lane < EWI_LANES; lane++)
        place[lane] = EWI_K(place)(a->width, element[lane]);
    for (int m = first; m < first + count; m++)
        EWI_K(lift_variable)(a, element, place, m);
}
