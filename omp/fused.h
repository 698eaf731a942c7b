/*
 * The fused stage of a tile of elements: traces of its own sides, of the sides just outside and of boundary ghosts first; then the
 * fluxes of its edges; then for EWI_LANES elements at a time the volume integrals, the side sums and the new state; then the new
 * state's traces on the tile's rim. Loops are blocked for the registers; every chain has the order of operations of the bodies in
 * src/kernels, so the bits are the same.
 */

/* Lines of an array that EWI_LANES elements are answerable for, and how many of them a pass of the interpolation's loop takes. */
#define EWI_LINES ((EWI_ROWS * EWI_LANES + EWI_TILE - 1) / EWI_TILE)
#define EWI_LOOPS (EWI_NP * ((EWI_NQ + EWI_POINT_BLOCK - 1) / EWI_POINT_BLOCK))
#define EWI_LINES_A_LOOP ((EWI_LINES + EWI_LOOPS - 1) / EWI_LOOPS)

/* Doubles at a point of a trace: whole vectors of four are moved and transposed. */
#define EWI_COMPONENTS (EWI_M == 1 ? 1 : 4)

#ifndef EWI_FUSED_BLOCKS
#define EWI_FUSED_BLOCKS

/* Points (or basis functions) times four variables that stay in registers: 16 registers without AVX-512, 32 with it. */
#if EWI_LANES == 8
#define EWI_POINT_BLOCK 5
#define EWI_BASIS_BLOCK 5
#else
#define EWI_POINT_BLOCK 3
#define EWI_BASIS_BLOCK 3
#endif
#define EWI_UNROLL _Pragma("GCC unroll 8")
#define EWI_NO_UNROLL _Pragma("GCC unroll 1")

/*
 * Lines of the arrays that the next elements need, asked for a few at a time between the arithmetic: each array is read in long
 * strides, which hardware does not foresee, and all at once they would hold up the loads of the moment.
 */
struct ewi_ahead {
    const double *line[6];
    int arrays;
};

EW_HD void ewi_look_ahead(struct ewi_ahead *ahead)
{
    for (int k = 0; k < ahead->arrays; k++) {
        __builtin_prefetch(ahead->line[k], 0, 2);
        ahead->line[k] += EWI_TILE;
    }
}

/* Elements whose traces fit the second-level cache of a core beside their coefficients. */
#define EWI_TILE_SIZE 384

#endif

/* The states at `points` points (at most EWI_POINT_BLOCK): chains over ascending j; table row q has the np values at point q. */
EW_HD void EWI_K(interpolate)(int points, const double *table, const double *c, int64_t stride, ewi_v u[][EWI_M],
                              struct ewi_ahead *ahead)
{
    EWI_UNROLL for (int q = 0; q < points; q++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            u[q][m] = ewi_set(0.0);
    EWI_NO_UNROLL for (int j = 0; j < EWI_NP; j++) {
        ewi_v row[EWI_M];
        if (ahead)
            EWI_UNROLL for (int k = 0; k < EWI_LINES_A_LOOP; k++)
                ewi_look_ahead(ahead);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            row[m] = ewi_load(c + (m * EWI_NP + j) * stride);
        EWI_UNROLL for (int q = 0; q < points; q++) {
            ewi_v phi = ewi_set(table[q * EWI_NP + j]);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                u[q][m] = ewi_fma(phi, row[m], u[q][m]);
        }
    }
}

/* One point of a trace to and from the element-major scratch. */
EW_HD void EWI_K(put_point)(double *p, const int64_t *offset, const ewi_v *u)
{
    if (EWI_M == 1) {
        for (int lane = 0; lane < EWI_LANES; lane++)
            p[offset[lane]] = ewi_lane(u[0], lane);
    } else {
        ewi_v four[4];
        for (int m = 0; m < 4; m++)
            four[m] = u[m < EWI_M ? m : 0];
        ewi_store4(p, offset, four);
    }
}

EW_HD void EWI_K(get_point)(const double *p, const int64_t *offset, ewi_v *u)
{
    if (EWI_M == 1) {
        u[0] = ewi_gather(p, offset);
    } else {
        ewi_v four[4];
        ewi_load4(p, offset, four);
        for (int m = 0; m < EWI_M; m++)
            u[m] = four[m];
    }
}

/* Where EWI_LANES neighbouring elements, or sides, begin in the scratch. */
EW_HD void EWI_K(strides)(int64_t stride, int64_t *offset)
{
    for (int lane = 0; lane < EWI_LANES; lane++)
        offset[lane] = lane * stride;
}

EW_HD void EWI_K(trace_block)(int points, int q, const double *c, const int64_t *element, double *traces)
{
    ewi_v u[EWI_POINT_BLOCK][EWI_M];
    EWI_K(interpolate)(points, EWI_TABLE(SIDE) + q * EWI_NP, c, EWI_TILE, u, NULL);
    EWI_UNROLL for (int k = 0; k < points; k++)
        EWI_K(put_point)(traces + (q + k) * EWI_COMPONENTS, element, u[k]);
}

/* Traces of elements i .. i + EWI_LANES - 1 on their own sides: traces[lanes][3 ne][components]. */
static inline void EWI_K(fused_traces)(const double *state, int64_t i, double *traces)
{
    const double *c = state + ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    int64_t element[EWI_LANES];
    EWI_K(strides)(3 * EWI_NE * EWI_COMPONENTS, element);
    int q = 0;
    EWI_NO_UNROLL for (; q + EWI_POINT_BLOCK <= 3 * EWI_NE; q += EWI_POINT_BLOCK)
        EWI_K(trace_block)(EWI_POINT_BLOCK, q, c, element, traces);
    if (3 * EWI_NE % EWI_POINT_BLOCK)
        EWI_K(trace_block)(3 * EWI_NE % EWI_POINT_BLOCK, q, c, element, traces);
}

/* Traces of points q .. q + points - 1 of one side of EWI_LANES elements of the rim. */
EW_HD void EWI_K(rim_block)(int points, const double *table, int q, const double *c, double *rim, const int64_t *place)
{
    ewi_v u[EWI_POINT_BLOCK][EWI_M];
    EWI_K(interpolate)(points, table + q * EWI_NP, c, EWI_LANES, u, NULL);
    EWI_UNROLL for (int k = 0; k < points; k++)
        EWI_K(put_point)(rim + (q + k) * EWI_COMPONENTS, place, u[k]);
}

/* Traces of the tile's rim, for its neighbours. */
static void EWI_K(fused_rim)(const struct ewi_tiles *tiles, const double *state, int32_t tile, double *rim)
{
    const int32_t *first = tiles->rim_first + 4 * (int64_t)tile;
    for (int k = 0; k < 3; k++)
        for (int32_t block = first[k]; block < first[k + 1]; block++) {
            const int32_t *element = tiles->rim_element + (int64_t)block * EWI_LANES;
            const double *table = EWI_TABLE(SIDE) + k * EWI_NE * EWI_NP;
            _Alignas(64) double c[EWI_ROWS * EWI_LANES];
            int64_t base[EWI_LANES], place[EWI_LANES];
            for (int lane = 0; lane < EWI_LANES; lane++) {
                base[lane] = ewi_layout_base(EWI_TILE, EWI_ROWS, element[lane]);
                place[lane] = (int64_t)tiles->rim_place[(int64_t)block * EWI_LANES + lane] * (EWI_NE * EWI_COMPONENTS);
            }
            for (int row = 0; row < EWI_ROWS; row++)
                ewi_store(c + row * EWI_LANES, ewi_gather(state + row * EWI_TILE, base));
            int q = 0;
            EWI_NO_UNROLL for (; q + EWI_POINT_BLOCK <= EWI_NE; q += EWI_POINT_BLOCK)
                EWI_K(rim_block)(EWI_POINT_BLOCK, table, q, c, rim, place);
            if (EWI_NE % EWI_POINT_BLOCK)
                EWI_K(rim_block)(EWI_NE % EWI_POINT_BLOCK, table, q, c, rim, place);
        }
}

/* The traces behind the tile's rim; returns where the ghosts follow. */
static inline double *EWI_K(fused_behind)(const struct ewi_tiles *tiles, const double *behind, int32_t tile, double *outside)
{
    int64_t first = tiles->behind_first[tile], last = tiles->behind_first[tile + 1];
    size_t doubles = (size_t)(last - first) * (EWI_NE * EWI_COMPONENTS);
    memcpy(outside, behind + first * (EWI_NE * EWI_COMPONENTS), doubles * sizeof *outside);
    return outside + doubles;
}

/* Ghosts of the tile's boundary sides, in reverse order of points, as a neighbour would have them. */
static inline void EWI_K(fused_ghosts)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                                       const double *traces, double *outside)
{
    int64_t trace[EWI_LANES];
    EWI_K(strides)(EWI_NE * EWI_COMPONENTS, trace);
    for (int32_t block = tiles->ghost_first[tile]; block < tiles->ghost_first[tile + 1]; block++) {
        const int32_t *slot = tiles->ghost_slot + (int64_t)block * EWI_LANES;
        const int32_t *where = tiles->ghost_own + (int64_t)block * EWI_LANES;
        int64_t own[EWI_LANES], normal[EWI_LANES], given[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++) {
            own[lane] = where[lane];
            normal[lane] = ewi_layout_base(EWI_TILE, 2 * EWI_NE, slot[lane]);
            given[lane] = ewi_layout_base(EWI_TILE, EWI_NE * EWI_M, slot[lane]);
        }
        for (int e = 0; e < EWI_NE; e++) {
            ewi_v u[EWI_M], data[EWI_M], g[EWI_M];
            EWI_K(get_point)(traces + e * EWI_COMPONENTS, own, u);
            for (int m = 0; m < EWI_M; m++)
                data[m] = ewi_gather(a->given + (e * EWI_M + m) * EWI_TILE, given);
            ewi_v nx = ewi_gather(a->normal + 2 * e * EWI_TILE, normal);
            ewi_v ny = ewi_gather(a->normal + (2 * e + 1) * EWI_TILE, normal);
            EWI_L(ghost)(tiles->ghost[block], a->parameter, u, data, nx, ny, g);
            EWI_K(put_point)(outside + (EWI_NE - 1 - e) * EWI_COMPONENTS, trace, g);
        }
        outside += EWI_LANES * EWI_NE * EWI_COMPONENTS;
    }
}

/*
 * The fluxes of all edges that touch the tile, once each and in the edge's own orientation. They take the place of the traces: what
 * the left element adds at a point, and its negative for the right one.
 */
EW_HD void EWI_K(fused_fluxes)(int kind, const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile, double *traces)
{
    EWI_NO_UNROLL for (int64_t block = tiles->edge_first[tile]; block < tiles->edge_first[tile + 1]; block++) {
        const double *geometry = tiles->edge_geometry + block * (3 * EWI_LANES);
        const double *fields = tiles->edge_field + block * (EWI_NE * EWI_FIELDS * EWI_LANES);
        ewi_v nx = ewi_load(geometry), ny = ewi_load(geometry + EWI_LANES), length = ewi_load(geometry + 2 * EWI_LANES);
        int64_t left[EWI_LANES], right[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++) {
            left[lane] = tiles->edge_left[block * EWI_LANES + lane];
            right[lane] = tiles->edge_right[block * EWI_LANES + lane];
        }
        EWI_NO_UNROLL for (int e = 0; e < EWI_NE; e++) {
            double *at_left = traces + e * EWI_COMPONENTS, *at_right = traces + (EWI_NE - 1 - e) * EWI_COMPONENTS;
            ewi_v ul[EWI_M], ur[EWI_M], field[EWI_FIELD_ROOM], f[EWI_M], to_left[EWI_M], to_right[EWI_M];
            EWI_K(get_point)(at_left, left, ul);
            EWI_K(get_point)(at_right, right, ur);
            for (int d = 0; d < EWI_FIELDS; d++)
                field[d] = ewi_load(fields + (e * EWI_FIELDS + d) * EWI_LANES);
            EWI_L(numerical_flux)(kind, a->parameter, field, ul, ur, nx, ny, length, f);
            ewi_v weight = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
                to_left[m] = weight * f[m];
                to_right[m] = -to_left[m];
            }
            EWI_K(put_point)(at_left, left, to_left);
            EWI_K(put_point)(at_right, right, to_right);
        }
    }
}

static inline void EWI_K(fused_all_fluxes)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile, double *traces)
{
    switch (a->flux) {
#define EWI_CASE(law, name, operations)                                          \
    case EWI_FLUX_##name:                                                        \
        EWI_K(fused_fluxes)(EWI_FLUX_##name, a, tiles, tile, traces);            \
        break;
        EWI_JOIN2(EWI_FLUXES_, EWI_LAW)(EWI_CASE)
#undef EWI_CASE
    }
}

/* The fluxes at EWI_LANES elements' own sides, from element-major to flux[3 ne][M][lanes]. */
EW_HD void EWI_K(gather_fluxes)(const double *traces, double *flux)
{
    int64_t element[EWI_LANES];
    EWI_K(strides)(3 * EWI_NE * EWI_COMPONENTS, element);
    EWI_NO_UNROLL for (int q = 0; q < 3 * EWI_NE; q++) {
        ewi_v f[EWI_M];
        EWI_K(get_point)(traces + q * EWI_COMPONENTS, element, f);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            ewi_store(flux + (q * EWI_M + m) * EWI_LANES, f[m]);
    }
}

EW_HD void EWI_K(volume_block)(int points, int q, const struct ewi_arguments *a, const double *c, const double *fields, ewi_v xr,
                               ewi_v xs, ewi_v yr, ewi_v ys, double *flux, struct ewi_ahead *ahead)
{
    ewi_v u[EWI_POINT_BLOCK][EWI_M];
    EWI_K(interpolate)(points, EWI_TABLE(PHI) + q * EWI_NP, c, EWI_TILE, u, ahead);
    EWI_UNROLL for (int k = 0; k < points; k++) {
        ewi_v field[EWI_FIELD_ROOM], fr[EWI_M], fs[EWI_M];
        for (int d = 0; d < EWI_FIELDS; d++)
            field[d] = ewi_load(fields + ((q + k) * EWI_FIELDS + d) * EWI_TILE);
        EWI_L(volume_flux)(a->parameter, field, u[k], xr, xs, yr, ys, fr, fs);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
            ewi_store(flux + ((2 * (q + k)) * EWI_M + m) * EWI_LANES, fr[m]);
            ewi_store(flux + ((2 * (q + k) + 1) * EWI_M + m) * EWI_LANES, fs[m]);
        }
    }
}

/* Volume integrals of `functions` basis functions from j on: groups of four points, first the d/dr terms, then the d/ds terms. */
EW_HD void EWI_K(project_block)(int functions, int j, const double *flux, double *integral)
{
    ewi_v sum[EWI_BASIS_BLOCK][EWI_M];
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            sum[b][m] = ewi_set(0.0);
    EWI_NO_UNROLL for (int group = 0; group < EWI_NQ; group += 4) {
        int end = group + 4 < EWI_NQ ? group + 4 : EWI_NQ;
        EWI_NO_UNROLL for (int direction = 0; direction < 2; direction++) {
            const double *table = direction ? EWI_TABLE(DS) : EWI_TABLE(DR);
            EWI_NO_UNROLL for (int q = group; q < end; q++) {
                ewi_v f[EWI_M];
                EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                    f[m] = ewi_load(flux + ((2 * q + direction) * EWI_M + m) * EWI_LANES);
                EWI_UNROLL for (int b = 0; b < functions; b++) {
                    ewi_v d = ewi_set(table[q * EWI_NP + j + b]);
                    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                        sum[b][m] = ewi_fma(d, f[m], sum[b][m]);
                }
            }
        }
    }
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            ewi_store(integral + ((j + b) * EWI_M + m) * EWI_LANES, sum[b][m]);
}

/* integral[np][M][lanes] */
EW_HD void EWI_K(fused_volume)(const struct ewi_arguments *a, const double *c, int64_t i, double *flux, double *integral,
                               struct ewi_ahead *ahead)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    const double *fields = a->volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
    ewi_v xr = ewi_load(geometry + EWI_XR * EWI_TILE), xs = ewi_load(geometry + EWI_XS * EWI_TILE);
    ewi_v yr = ewi_load(geometry + EWI_YR * EWI_TILE), ys = ewi_load(geometry + EWI_YS * EWI_TILE);
    int q = 0, j = 1;
    EWI_NO_UNROLL for (; q + EWI_POINT_BLOCK <= EWI_NQ; q += EWI_POINT_BLOCK)
        EWI_K(volume_block)(EWI_POINT_BLOCK, q, a, c, fields, xr, xs, yr, ys, flux, ahead);
    if (EWI_NQ % EWI_POINT_BLOCK)
        EWI_K(volume_block)(EWI_NQ % EWI_POINT_BLOCK, q, a, c, fields, xr, xs, yr, ys, flux, ahead);
    for (int m = 0; m < EWI_M; m++)
        ewi_store(integral + m * EWI_LANES, ewi_set(0.0));
    EWI_NO_UNROLL for (; j + EWI_BASIS_BLOCK <= EWI_NP; j += EWI_BASIS_BLOCK)
        EWI_K(project_block)(EWI_BASIS_BLOCK, j, flux, integral);
    if ((EWI_NP - 1) % EWI_BASIS_BLOCK)
        EWI_K(project_block)((EWI_NP - 1) % EWI_BASIS_BLOCK, j, flux, integral);
}

/* Adds the side sums of `functions` basis functions from j on, and forms the new state. */
EW_HD void EWI_K(lift_block)(int terms, int functions, int j, const double *flux, const double *integral, ewi_v inverse_det,
                             const struct ewi_update *update, int64_t base, double *target, ewi_v *mean)
{
    ewi_v sum[EWI_BASIS_BLOCK][EWI_M], side[EWI_BASIS_BLOCK][EWI_M];
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            sum[b][m] = ewi_load(integral + ((j + b) * EWI_M + m) * EWI_LANES);
    EWI_NO_UNROLL for (int k = 0; k < 3; k++) {
        EWI_UNROLL for (int b = 0; b < functions; b++)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                side[b][m] = ewi_set(0.0);
        EWI_NO_UNROLL for (int e = 0; e < EWI_NE; e++) {
            ewi_v f[EWI_M];
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                f[m] = ewi_load(flux + ((k * EWI_NE + e) * EWI_M + m) * EWI_LANES);
            EWI_UNROLL for (int b = 0; b < functions; b++) {
                ewi_v phi = EWI_SIDE(k, e, j + b);
                EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                    side[b][m] = ewi_fma(phi, f[m], side[b][m]);
            }
        }
        EWI_UNROLL for (int b = 0; b < functions; b++)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                sum[b][m] = sum[b][m] + side[b][m];
    }
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
            int64_t offset = base + (m * EWI_NP + j + b) * EWI_TILE;
            ewi_v value = ewi_updated(update, terms, offset, sum[b][m] * inverse_det);
            ewi_store(target + offset, value);
            if (j + b == 0)
                mean[m] = ewi_set(EWI_SQRT2) * value;
        }
}

EW_HD void EWI_K(fused_lift)(int terms, const double *flux, const double *integral, ewi_v inverse_det,
                             const struct ewi_update *update, int64_t base, double *target, ewi_v *mean)
{
    EWI_K(lift_block)(terms, EWI_BASIS_BLOCK < EWI_NP ? EWI_BASIS_BLOCK : EWI_NP, 0, flux, integral, inverse_det, update, base,
                      target, mean);
    int j = EWI_BASIS_BLOCK;
    EWI_NO_UNROLL for (; j + EWI_BASIS_BLOCK <= EWI_NP; j += EWI_BASIS_BLOCK)
        EWI_K(lift_block)(terms, EWI_BASIS_BLOCK, j, flux, integral, inverse_det, update, base, target, mean);
    if (EWI_NP > EWI_BASIS_BLOCK && EWI_NP % EWI_BASIS_BLOCK)
        EWI_K(lift_block)(terms, EWI_NP % EWI_BASIS_BLOCK, j, flux, integral, inverse_det, update, base, target, mean);
}

/* The update's arrays for the next EWI_TILE elements, and the coefficients that the next tile of elements begins with. */
EW_HD struct ewi_ahead EWI_K(look_ahead)(const struct ewi_arguments *a, const double *state, const struct ewi_update *update,
                                         const double *target, int64_t i)
{
    struct ewi_ahead ahead = {.arrays = 0};
    int64_t block = i / EWI_TILE * EWI_TILE, part = (i - block) / EWI_LANES * EWI_LINES * EWI_TILE;
    if (block + EWI_TILE_SIZE + EWI_TILE < a->padded)
        ahead.line[ahead.arrays++] = state + (block + EWI_TILE_SIZE) * EWI_ROWS + part;
    if (block + 2 * EWI_TILE < a->padded) {
        int64_t next = (block + EWI_TILE) * EWI_ROWS + part;
        if (update->base != state)
            ahead.line[ahead.arrays++] = update->base + next;
        if (target != update->base)
            ahead.line[ahead.arrays++] = target + next;
        for (int k = 0; k < update->terms; k++)
            if (update->term[k] != state)
                ahead.line[ahead.arrays++] = update->term[k] + next;
    }
    return ahead;
}

/* The stage of elements i .. i + EWI_LANES - 1; tells which of the new means are admissible. */
static inline ewi_mask EWI_K(fused_elements)(const struct ewi_arguments *a, const double *state, const double *traces,
                                             const struct ewi_update *update, double *target, int64_t i)
{
    _Alignas(64) double edge_flux[3 * EWI_NE * EWI_M * EWI_LANES];
    _Alignas(64) double volume_flux[EWI_NQ * 2 * EWI_M * EWI_LANES];
    _Alignas(64) double integral[EWI_NP * EWI_M * EWI_LANES];
    int64_t base = ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    ewi_v inverse_det = ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE), mean[EWI_M];

    EWI_K(gather_fluxes)(traces, edge_flux);
    struct ewi_ahead ahead = EWI_K(look_ahead)(a, state, update, target, i);
    EWI_K(fused_volume)(a, state + base, i, volume_flux, integral, &ahead);
    switch (update->terms) {
    case 0:
        EWI_K(fused_lift)(0, edge_flux, integral, inverse_det, update, base, target, mean);
        break;
    case 1:
        EWI_K(fused_lift)(1, edge_flux, integral, inverse_det, update, base, target, mean);
        break;
    default:
        EWI_K(fused_lift)(3, edge_flux, integral, inverse_det, update, base, target, mean);
        break;
    }
    return EWI_L(admissible)(a->parameter, mean);
}
