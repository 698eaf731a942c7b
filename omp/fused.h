/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fused stage of a tile of elements: traces of its own sides, of the sides just outside and of boundary ghosts
 * first; then the fluxes of its edges; then for EWI_TILE elements at a time the volume integrals and side sums,
 * EWI_LANES at once, the new state, and its traces on the tile's border. Loops are blocked for the registers; every
 * chain has the order of operations of the bodies in src/kernels, so the bits are the same.
 */

/* How often there is time in the volume integrals of EWI_TILE elements to ask for something. */
#define EWI_PAUSES          \
    (EWI_TILE / EWI_LANES * \
     ((EWI_NP - 1) * EWI_BLOCKS(EWI_NQ) + EWI_NQ * (EWI_BLOCKS(EWI_ORDER) + 2 * EWI_BLOCKS(EWI_NP - 1 - EWI_ORDER))))

/* Vectors that hold the points of a side. */
#define EWI_SIDE_VECTORS ((EWI_NE + EWI_LANES - 1) / EWI_LANES)

/* Doubles at a point of a trace: whole vectors of four are moved and transposed. */
#define EWI_COMPONENTS (EWI_M == 1 && !EWI_HAS_DIFFUSION ? 1 : (EWI_EDGE_VALUES + 3) / 4 * 4)

#ifndef EWI_FUSED_BLOCKS
#define EWI_FUSED_BLOCKS

/* Points (or basis functions) times four variables that stay in registers: 16 registers without AVX-512, 32 with it. */
#if EWI_LANES == 8
#define EWI_BLOCK 6
#else
#define EWI_BLOCK 3
#endif
/* How many of `count` are done at once, so that the last block is not much smaller than the others. */
#define EWI_BLOCKS(count) (((count) + EWI_BLOCK - 1) / EWI_BLOCK)
#define EWI_OF_BLOCK(count) (((count) + EWI_BLOCKS(count) - 1) / EWI_BLOCKS(count))
#define EWI_UNROLL _Pragma("GCC unroll 8")
#define EWI_NO_UNROLL _Pragma("GCC unroll 1")

/*
 * Cache lines to prefetch, spread evenly over the arithmetic: each array is read in long strides, which hardware does
 * not predict, and issuing all prefetches at once would delay the current loads. The arrays of the update are needed
 * next and go into L1; array[0], which is prefetched last, waits in L2 for the next tile.
 */
struct ewi_prefetch {
    const double *line;     /* the next one */
    int left;               /* lines of its array, this one included */
    int arrays, due, share; /* arrays that follow; of the number of pauses: what is due, and what a pause adds */
    const double *array[3 + EWI_MAX_TERMS];
};

EW_HD void ewi_prefetch_lines(struct ewi_prefetch *prefetch, int lines, int pauses)
{
    for (prefetch->due += prefetch->share; prefetch->due >= pauses; prefetch->due -= pauses) {
        if (prefetch->left == 0) {
            prefetch->line = prefetch->array[--prefetch->arrays];
            prefetch->left = lines;
        }
        if (prefetch->arrays > 0)
            __builtin_prefetch(prefetch->line, 0, 3);
        else
            __builtin_prefetch(prefetch->line, 0, 2);
        prefetch->line += EWI_TILE;
        prefetch->left--;
    }
}

/* Basis functions of r alone (src/tables/README: b = 0), and the others. */
static const int ewi_functions_of_r[] = {1, 3, 6, 10, 15};
static const int ewi_functions_of_both[] = {2, 4, 5, 7, 8, 9, 11, 12, 13, 14, 16, 17, 18, 19, 20};

/* Elements whose traces fit the L2 cache of a core together with their coefficients. */
#define EWI_TILE_SIZE 384

#endif

/*
 * The states at `points` points (at most EWI_BLOCK): chains over ascending j, whose first term is the same everywhere;
 * table row q has the np values at point q.
 */
EW_HD void EWI_K(interpolate)(int points, const double *table, const double *c, int64_t stride, ewi_v u[][EWI_M],
                              struct ewi_prefetch *prefetch)
{
    EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
        ewi_v constant = ewi_fma(ewi_set(table[0]), ewi_load(c + m * EWI_NP * stride), ewi_set(0.0));
        EWI_UNROLL for (int q = 0; q < points; q++)
            u[q][m] = constant;
    }
    EWI_NO_UNROLL for (int j = 1; j < EWI_NP; j++) {
        ewi_v row[EWI_M];
        if (prefetch)
            ewi_prefetch_lines(prefetch, EWI_ROWS, EWI_PAUSES);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            row[m] = ewi_load(c + (m * EWI_NP + j) * stride);
        EWI_UNROLL for (int q = 0; q < points; q++) {
            ewi_v phi = ewi_set(table[q * EWI_NP + j]);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                u[q][m] = ewi_fma(phi, row[m], u[q][m]);
        }
    }
}

/* One point of a trace, with `count` values, to and from the element-major scratch. */
EW_HD void EWI_K(put_values)(int count, double *p, const int64_t *offset, const ewi_v *u)
{
    if (EWI_COMPONENTS == 1) {
        for (int lane = 0; lane < EWI_LANES; lane++)
            p[offset[lane]] = ewi_lane(u[0], lane);
    } else {
        for (int first = 0; first < count; first += 4) {
            ewi_v four[4];
            for (int m = 0; m < 4; m++)
                four[m] = u[first + m < count ? first + m : first];
            ewi_store4(p + first, offset, four);
        }
    }
}

EW_HD void EWI_K(get_values)(int count, const double *p, const int64_t *offset, ewi_v *u)
{
    if (EWI_COMPONENTS == 1) {
        u[0] = ewi_gather(p, offset);
    } else {
        for (int first = 0; first < count; first += 4) {
            ewi_v four[4];
            ewi_load4(p + first, offset, four);
            for (int m = first; m < count && m < first + 4; m++)
                u[m] = four[m - first];
        }
    }
}

/* ... with a state or a flux only. */
EW_HD void EWI_K(put_point)(double *p, const int64_t *offset, const ewi_v *u)
{
    EWI_K(put_values)(EWI_M, p, offset, u);
}

EW_HD void EWI_K(get_point)(const double *p, const int64_t *offset, ewi_v *u)
{
    EWI_K(get_values)(EWI_M, p, offset, u);
}

/* The map of elements i .. i + EWI_LANES - 1. */
EW_HD struct EWI_K(shape) EWI_K(load_shape)(const struct ewi_arguments *a, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    return EWI_K(shape_from)(ewi_load(geometry + EWI_XR * EWI_TILE), ewi_load(geometry + EWI_XS * EWI_TILE),
                             ewi_load(geometry + EWI_YR * EWI_TILE), ewi_load(geometry + EWI_YS * EWI_TILE));
}

/* Where EWI_LANES neighbouring elements, or sides, begin in the scratch. */
EW_HD void EWI_K(strides)(int64_t stride, int64_t *offset)
{
    for (int lane = 0; lane < EWI_LANES; lane++)
        offset[lane] = lane * stride;
}

#if EWI_HAS_DIFFUSION
/* How many of `points` derivatives differ, and which is that at point k: those of linear functions are constant. */
#define EWI_DISTINCT_SLOPES(points) (EWI_ORDER > 1 ? (points) : 1)
#define EWI_SLOPE_AT(k) (EWI_ORDER > 1 ? (k) : 0)

/*
 * Derivatives along s at `points` points (at most EWI_BLOCK). Skips basis functions of r alone, whose derivatives along
 * s are 0.
 */
EW_HD void EWI_K(derivatives_s)(int points, const double *table, const double *c, ewi_v u[][EWI_M])
{
    EWI_UNROLL for (int q = 0; q < points; q++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            u[q][m] = ewi_set(0.0);
    EWI_NO_UNROLL for (int k = 0; k < EWI_NP - 1 - EWI_ORDER; k++) {
        ewi_v row[EWI_M];
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            row[m] = ewi_load(c + (m * EWI_NP + ewi_functions_of_both[k]) * EWI_TILE);
        EWI_UNROLL for (int q = 0; q < points; q++) {
            ewi_v slope = ewi_set(table[q * EWI_NP + ewi_functions_of_both[k]]);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                u[q][m] = ewi_fma(slope, row[m], u[q][m]);
        }
    }
}

/* Derivatives along r and s at `points` points, by the rows of their tables from the first point's on. */
EW_HD void EWI_K(derivatives)(int points, const double *table_r, const double *table_s, const double *c,
                              ewi_v ur[][EWI_M], ewi_v us[][EWI_M])
{
    EWI_K(interpolate)(EWI_DISTINCT_SLOPES(points), table_r, c, EWI_TILE, ur, NULL);
    EWI_K(derivatives_s)(EWI_DISTINCT_SLOPES(points), table_s, c, us);
}

/* Stores the trace at a point where the state is u, with the derivatives ur and us. */
EW_HD void EWI_K(put_trace)(const double *parameter, const struct EWI_K(shape) *shape, const ewi_v *u, const ewi_v *ur,
                            const ewi_v *us, double *p, const int64_t *offset)
{
    ewi_v values[EWI_TRACE_VALUES];
    for (int m = 0; m < EWI_M; m++)
        values[m] = u[m];
    EWI_K(diffusion)(parameter, shape, u, ur, us, values + EWI_M);
    EWI_K(put_values)(EWI_TRACE_VALUES, p, offset, values);
}
#endif

/* The traces at `points` points (at most EWI_BLOCK) from q on, of the elements with coefficients c. */
EW_HD void EWI_K(trace_block)(const double *parameter, const struct EWI_K(shape) *shape, int points, int q,
                              const double *c, const int64_t *element, double *traces)
{
    ewi_v u[EWI_BLOCK][EWI_M];
    EWI_K(interpolate)(points, EWI_TABLE(SIDE) + q * EWI_NP, c, EWI_TILE, u, NULL);
#if EWI_HAS_DIFFUSION
    ewi_v ur[EWI_BLOCK][EWI_M], us[EWI_BLOCK][EWI_M];
    EWI_K(derivatives)(points, EWI_TABLE(SIDE_R) + q * EWI_NP, EWI_TABLE(SIDE_S) + q * EWI_NP, c, ur, us);
    for (int k = 0; k < points; k++)
        EWI_K(put_trace)(parameter, shape, u[k], ur[EWI_SLOPE_AT(k)], us[EWI_SLOPE_AT(k)],
                         traces + (q + k) * EWI_COMPONENTS, element);
#else
    (void)parameter, (void)shape;
    EWI_UNROLL for (int k = 0; k < points; k++)
        EWI_K(put_point)(traces + (q + k) * EWI_COMPONENTS, element, u[k]);
#endif
}

/* Traces of elements i .. i + EWI_LANES - 1 on their own sides: traces[lanes][3 ne][components]. */
static inline void EWI_K(fused_traces)(const struct ewi_arguments *a, const double *state, int64_t i, double *traces)
{
    const struct EWI_K(shape) shape = EWI_K(load_shape)(a, i);
    const double *c = state + ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    int64_t element[EWI_LANES];
    EWI_K(strides)(3 * EWI_NE * EWI_COMPONENTS, element);
    int q = 0;
    EWI_NO_UNROLL for (; q + EWI_OF_BLOCK(3 * EWI_NE) <= 3 * EWI_NE; q += EWI_OF_BLOCK(3 * EWI_NE))
        EWI_K(trace_block)(a->parameter, &shape, EWI_OF_BLOCK(3 * EWI_NE), q, c, element, traces);
    if (3 * EWI_NE % EWI_OF_BLOCK(3 * EWI_NE))
        EWI_K(trace_block)(a->parameter, &shape, 3 * EWI_NE % EWI_OF_BLOCK(3 * EWI_NE), q, c, element, traces);
}

/* The points of a side of one element, as lanes: chains by `table`, [np][vectors][lanes], from coefficients `own`. */
EW_HD void EWI_K(side_points)(const double *table, const double *own, ewi_v u[][EWI_M])
{
    EWI_UNROLL for (int v = 0; v < EWI_SIDE_VECTORS; v++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            u[v][m] = ewi_set(0.0);
    EWI_NO_UNROLL for (int j = 0; j < EWI_NP; j++)
        EWI_UNROLL for (int v = 0; v < EWI_SIDE_VECTORS; v++) {
            ewi_v phi = ewi_load(table + (j * EWI_SIDE_VECTORS + v) * EWI_LANES);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                u[v][m] = ewi_fma(phi, ewi_set(own[(m * EWI_NP + j) * EWI_TILE]), u[v][m]);
        }
}

/*
 * Traces of elements i .. i + EWI_TILE - 1, whose state is c, on the tile's border. Lanes are the points of one side
 * here.
 */
static inline void EWI_K(fused_border)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *c,
                                       int64_t i, double *border)
{
    enum { TABLE = EWI_NP * EWI_SIDE_VECTORS * EWI_LANES };
    int64_t point[EWI_LANES];
    EWI_K(strides)(EWI_COMPONENTS, point);
    for (int32_t s = tiles->border_first[i / EWI_TILE]; s < tiles->border_first[i / EWI_TILE + 1]; s++) {
        const double *own = c + tiles->border_side[s] % EWI_TILE;
        const double *table = tiles->border_table + tiles->border_side[s] / EWI_TILE * TABLE;
        _Alignas(64) double trace[EWI_SIDE_VECTORS * EWI_LANES * EWI_COMPONENTS];
        ewi_v u[EWI_SIDE_VECTORS][EWI_M];
        EWI_K(side_points)(table, own, u);
#if EWI_HAS_DIFFUSION
        const double *geometry =
            a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i + tiles->border_side[s] % EWI_TILE);
        const struct EWI_K(shape) shape =
            EWI_K(shape_from)(ewi_set(geometry[EWI_XR * EWI_TILE]), ewi_set(geometry[EWI_XS * EWI_TILE]),
                              ewi_set(geometry[EWI_YR * EWI_TILE]), ewi_set(geometry[EWI_YS * EWI_TILE]));
        ewi_v ur[EWI_SIDE_VECTORS][EWI_M], us[EWI_SIDE_VECTORS][EWI_M];
        EWI_K(side_points)(table + 3 * TABLE, own, ur);
        EWI_K(side_points)(table + 6 * TABLE, own, us);
        for (int v = 0; v < EWI_SIDE_VECTORS; v++)
            EWI_K(put_trace)(a->parameter, &shape, u[v], ur[v], us[v], trace + v * EWI_LANES * EWI_COMPONENTS, point);
#else
        (void)a;
        EWI_UNROLL for (int v = 0; v < EWI_SIDE_VECTORS; v++)
            EWI_K(put_point)(trace + v * EWI_LANES * EWI_COMPONENTS, point, u[v]);
#endif
        double *place = border + (int64_t)tiles->border_place[s] * (EWI_NE * EWI_COMPONENTS);
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++) /* in the pieces that were stored, which need not be waited for */
            memcpy(place + e * EWI_COMPONENTS, trace + e * EWI_COMPONENTS, EWI_COMPONENTS * sizeof *border);
    }
}

/* Copies the traces behind the tile's border; returns the place of the ghosts, which follow. */
static inline double *EWI_K(fused_behind)(const struct ewi_tiles *tiles, const double *behind, int32_t tile,
                                          double *outside)
{
    int64_t first = tiles->behind_first[tile], last = tiles->behind_first[tile + 1];
    size_t doubles = (size_t)(last - first) * (EWI_NE * EWI_COMPONENTS);
    memcpy(outside, behind + first * (EWI_NE * EWI_COMPONENTS), doubles * sizeof *outside);
    return outside + doubles;
}

#if EWI_HAS_DIFFUSION
/*
 * The fluxes of the tile's boundary edges, which fused_fluxes does not have, in place of their inner traces: the
 * diffusive flux of a boundary does not follow from a ghost.
 */
static inline void EWI_K(fused_ghosts)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                                       const double *state, double *traces, double *outside)
{
    (void)outside;
    for (int32_t block = tiles->ghost_first[tile]; block < tiles->ghost_first[tile + 1]; block++) {
        const int32_t *slots = tiles->ghost_slot + (int64_t)block * EWI_LANES;
        int64_t own[EWI_LANES], place[EWI_LANES], side[EWI_LANES], slot[EWI_LANES];
        int32_t element[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++) {
            own[lane] = tiles->ghost_own[(int64_t)block * EWI_LANES + lane];
            slot[lane] = slots[lane];
            element[lane] = a->left[slot[lane]];
            place[lane] = ewi_layout_base(EWI_TILE, EWI_ROWS, element[lane]);
            side[lane] = ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * a->left_side[slot[lane]],
                                          element[lane]);
        }
        const struct EWI_K(shape) shape = EWI_K(shape_of)(a, element);
        ewi_v nx = ewi_gather(a->geometry, side), ny = ewi_gather(a->geometry + EWI_TILE, side);
        ewi_v length = ewi_gather(a->geometry + 2 * EWI_TILE, side), field[EWI_FIELD_ROOM] = {nx};
        for (int e = 0; e < EWI_NE; e++) {
            ewi_v inner[EWI_TRACE_VALUES], ul[EWI_M], ur[EWI_M], f[EWI_FLUX_VALUES];
            struct EWI_K(symmetry) symmetry;
            EWI_K(get_values)(EWI_TRACE_VALUES, traces + e * EWI_COMPONENTS, own, inner);
            for (int m = 0; m < EWI_M; m++)
                ul[m] = inner[m];
            EWI_K(boundary_states)(a, state, tiles->ghost[block], place, slot, e, ul, ur);
            EWI_L(numerical_flux)(a->flux, a->parameter, field, ul, ur, nx, ny, length, f);
            EWI_K(diffuse_boundary)(a, state, tiles->ghost[block], place, &shape, slot, e, inner, inner + EWI_M, nx, ny,
                                    length, f, &symmetry);
            EWI_K(weigh_point)(e, f, &symmetry);
            EWI_K(put_values)(EWI_FLUX_VALUES, traces + e * EWI_COMPONENTS, own, f);
        }
    }
}
#else
/*
 * Ghosts of the tile's boundary sides, in reverse order of points, as a neighbour would have them; some replace the
 * inner traces, too.
 */
static inline void EWI_K(fused_ghosts)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                                       const double *state, double *traces, double *outside)
{
    int64_t trace[EWI_LANES];
    EWI_K(strides)(EWI_NE * EWI_COMPONENTS, trace);
    for (int32_t block = tiles->ghost_first[tile]; block < tiles->ghost_first[tile + 1]; block++) {
        const int32_t *slot = tiles->ghost_slot + (int64_t)block * EWI_LANES;
        const int32_t *where = tiles->ghost_own + (int64_t)block * EWI_LANES;
        int64_t own[EWI_LANES], normal[EWI_LANES], given[EWI_LANES], element[EWI_LANES], edge[EWI_LANES];
        for (int lane = 0; lane < EWI_LANES; lane++) {
            own[lane] = where[lane];
            element[lane] = ewi_layout_base(EWI_TILE, EWI_ROWS, a->left[slot[lane]]);
            edge[lane] = slot[lane];
            normal[lane] = ewi_layout_base(EWI_TILE, 2 * EWI_NE, slot[lane]);
            given[lane] = ewi_layout_base(EWI_TILE, EWI_NE * EWI_M, slot[lane]);
        }
        for (int e = 0; e < EWI_NE; e++) {
            ewi_v u[EWI_M], data[EWI_M], g[EWI_M];
            ewi_v nx = ewi_gather(a->normal + 2 * e * EWI_TILE, normal);
            ewi_v ny = ewi_gather(a->normal + (2 * e + 1) * EWI_TILE, normal);
            EWI_K(get_point)(traces + e * EWI_COMPONENTS, own, u);
            if (tiles->ghost[block] == EWI_GHOST_curved)
                EWI_K(wall_state)(a, state, element, edge, e, nx, ny, data);
            else
                for (int m = 0; m < EWI_M; m++)
                    data[m] = ewi_gather(a->given + (e * EWI_M + m) * EWI_TILE, given);
            EWI_L(ghost)(tiles->ghost[block], a->parameter, u, data, nx, ny, g);
            EWI_K(put_point)(outside + (EWI_NE - 1 - e) * EWI_COMPONENTS, trace, g);
            if (ewi_ghost_replaces(tiles->ghost[block]))
                EWI_K(put_point)(traces + e * EWI_COMPONENTS, own, g);
        }
        outside += EWI_LANES * EWI_NE * EWI_COMPONENTS;
    }
}
#endif

/* EWI_LANES edges: where the traces of their left and right sides begin, and the geometry. */
struct EWI_K(edges) {
    int64_t left[EWI_LANES], right[EWI_LANES];
    int64_t slot[EWI_LANES]; /* if some are touched */
    int touched;
    ewi_v nx, ny, length;
    const double *penalty; /* NULL for laws without gradients */
};

/*
 * The flux at point e, in place of the traces there: what the left element adds to its side sum, and the negative for
 * the right one.
 */
#if EWI_HAS_DIFFUSION
EW_HD void EWI_K(fused_flux)(int kind, const struct ewi_arguments *a, const struct EWI_K(edges) *edge, int e,
                             const ewi_v *field, double *traces)
{
    double *at_left = traces + e * EWI_COMPONENTS, *at_right = traces + (EWI_NE - 1 - e) * EWI_COMPONENTS;
    ewi_v ul[EWI_TRACE_VALUES], ur[EWI_TRACE_VALUES], f[EWI_FLUX_VALUES];
    struct EWI_K(symmetry) symmetry;
    EWI_K(get_values)(EWI_TRACE_VALUES, at_left, edge->left, ul);
    EWI_K(get_values)(EWI_TRACE_VALUES, at_right, edge->right, ur);
    EWI_L(numerical_flux)(kind, a->parameter, field, ul, ur, edge->nx, edge->ny, edge->length, f);
    EWI_L(diffuse)(a->parameter, ul, ul + EWI_M, ur, ur + EWI_M, edge->nx, edge->ny, ewi_load(edge->penalty), f,
                   symmetry.x, symmetry.y);
    EWI_K(weigh_point)(e, f, &symmetry);
    EWI_K(put_values)(EWI_FLUX_VALUES, at_left, edge->left, f);
    for (int m = 0; m < EWI_M; m++)
        f[m] = -f[m];
    EWI_K(put_values)(EWI_FLUX_VALUES, at_right, edge->right, f);
}
#else
EW_HD void EWI_K(fused_flux)(int kind, const struct ewi_arguments *a, const struct EWI_K(edges) *edge, int e,
                             const ewi_v *field, double *traces)
{
    double *at_left = traces + e * EWI_COMPONENTS, *at_right = traces + (EWI_NE - 1 - e) * EWI_COMPONENTS;
    ewi_v ul[EWI_M], ur[EWI_M], f[EWI_M], to_left[EWI_M], to_right[EWI_M];
    EWI_K(get_point)(at_left, edge->left, ul);
    EWI_K(get_point)(at_right, edge->right, ur);
    EWI_L(numerical_flux)(kind, a->parameter, field, ul, ur, edge->nx, edge->ny, edge->length, f);
    if (edge->touched)
        EWI_K(take_touched)(a, edge->slot, e, f);
    ewi_v weight = ewi_set(-0.5 * EWI_TABLE(EDGE_WEIGHT)[e]);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
        to_left[m] = weight * f[m];
        to_right[m] = -to_left[m];
    }
    EWI_K(put_point)(at_left, edge->left, to_left);
    EWI_K(put_point)(at_right, edge->right, to_right);
}
#endif

/*
 * The fluxes of all edges that touch the tile (for laws with gradients, of its inner edges: fused_ghosts has the
 * others), once each and in the edge's own orientation.
 */
EW_HD void EWI_K(fused_fluxes)(int kind, const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                               double *traces)
{
    EWI_NO_UNROLL for (int64_t block = tiles->edge_first[tile]; block < tiles->edge_first[tile + 1]; block++) {
        const double *geometry = tiles->edge_geometry + block * ((3 + EWI_HAS_DIFFUSION) * EWI_LANES);
        const double *fields = tiles->edge_field + block * ((EWI_NE * EWI_FIELDS + 2 * EWI_MEDIA) * EWI_LANES);
        struct EWI_K(edges) edge = {.nx = ewi_load(geometry), .ny = ewi_load(geometry + EWI_LANES),
                                    .length = ewi_load(geometry + 2 * EWI_LANES),
                                    .penalty = EWI_HAS_DIFFUSION ? geometry + 3 * EWI_LANES : NULL};
        for (int lane = 0; lane < EWI_LANES; lane++) {
            edge.left[lane] = tiles->edge_left[block * EWI_LANES + lane];
            edge.right[lane] = tiles->edge_right[block * EWI_LANES + lane];
        }
        for (int lane = 0; EWI_HAS_SUBCELLS && a->subcells.flux && lane < EWI_LANES; lane++) {
            edge.slot[lane] = tiles->edge_slot[block * EWI_LANES + lane];
            edge.touched |= a->subcells.touched[edge.slot[lane]];
        }
        EWI_NO_UNROLL for (int e = 0; e < EWI_NE; e++) {
            ewi_v field[EWI_FIELD_ROOM];
            for (int d = 0; d < EWI_FIELDS; d++)
                field[d] = ewi_load(fields + (e * EWI_FIELDS + d) * EWI_LANES);
            for (int d = 0; d < 2 * EWI_MEDIA; d++)
                field[d] = ewi_load(fields + d * EWI_LANES);
            EWI_K(fused_flux)(kind, a, &edge, e, field, traces);
        }
    }
}

/* For the edges from `first` on; inside[lane] is 0 for boundary edges. Returns V. */
EW_HD ewi_v EWI_K(fused_gauge)(int limiter, const struct ewi_arguments *a, const struct ewi_tiles *tiles, int64_t first,
                               const double *state, struct EWI_K(gauge) *gauge, ewi_v *inside)
{
    int64_t left[EWI_LANES], right[EWI_LANES];
    _Alignas(64) double differ[EWI_LANES];
    ewi_v ul[EWI_M], ur[EWI_M];
    for (int lane = 0; lane < EWI_LANES; lane++) {
        left[lane] = EWI_K(place)(EWI_TILE, tiles->left_element[first + lane]);
        right[lane] = EWI_K(place)(EWI_TILE, tiles->right_element[first + lane]);
        differ[lane] = left[lane] != right[lane];
    }
    for (int m = 0; m < EWI_M; m++) {
        ul[m] = EWI_K(gather)(state, EWI_TILE, left, m, 0);
        ur[m] = EWI_K(gather)(state, EWI_TILE, right, m, 0);
    }
    *inside = ewi_load(differ);
    return EWI_K(gauge_edge)(limiter, a->parameter, ul, ur, gauge);
}

/*
 * J and V of the tile's edges for the sides that they are, [2] of each in the order of their traces, which fluxes have
 * not replaced yet.
 */
EW_HD void EWI_K(fused_jumps)(int limiter, const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                              const double *state, const double *traces, double *jumps)
{
    EWI_NO_UNROLL for (int64_t block = tiles->edge_first[tile]; block < tiles->edge_first[tile + 1]; block++) {
        int64_t first = block * EWI_LANES, left[EWI_LANES], right[EWI_LANES];
        struct EWI_K(gauge) gauge;
        ewi_v ul[EWI_M], ur[EWI_M], jump = ewi_set(0.0), inside;
        ewi_v between = EWI_K(fused_gauge)(limiter, a, tiles, first, state, &gauge, &inside);
        for (int lane = 0; lane < EWI_LANES; lane++) {
            left[lane] = tiles->edge_left[first + lane];
            right[lane] = tiles->edge_right[first + lane];
        }
        EWI_NO_UNROLL for (int e = 0; e < EWI_NE; e++) {
            EWI_K(get_point)(traces + e * EWI_COMPONENTS, left, ul);
            EWI_K(get_point)(traces + (EWI_NE - 1 - e) * EWI_COMPONENTS, right, ur);
            for (int m = 0; m < EWI_M; m++)
                ul[m] = ul[m] - ur[m];
            jump = ewi_fma(ewi_set(EWI_TABLE(EDGE_WEIGHT)[e]), EWI_K(gauged)(&gauge, ul), jump);
        }
        jump = ewi_select(ewi_gt(inside, ewi_set(0.0)), jump, ewi_set(0.0));
        for (int lane = 0; lane < EWI_LANES; lane++)
            for (int side = 0; side < 2; side++) {
                double *at = jumps + (side ? right : left)[lane] / (EWI_NE * EWI_COMPONENTS) * 2;
                at[0] = ewi_lane(jump, lane);
                at[1] = ewi_lane(between, lane);
            }
    }
    /* Laws with gradients have boundary edges apart; these have no jump. */
    for (int64_t k = (int64_t)tiles->ghost_first[tile] * EWI_LANES;
         EWI_HAS_DIFFUSION && k < (int64_t)tiles->ghost_first[tile + 1] * EWI_LANES; k++) {
        double *at = jumps + tiles->ghost_own[k] / (EWI_NE * EWI_COMPONENTS) * 2;
        at[0] = at[1] = 0.0;
    }
}

static inline void EWI_K(fused_all_fluxes)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, int32_t tile,
                                           double *traces)
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

/* Sides without an edge have no flux. */
EW_HD void EWI_K(close_sides)(const struct ewi_tiles *tiles, int32_t tile, double *traces)
{
    for (int32_t k = tiles->closed_first[tile]; k < tiles->closed_first[tile + 1]; k++)
        memset(traces + tiles->closed[k], 0, EWI_NE * EWI_COMPONENTS * sizeof *traces);
}

/* The fluxes at EWI_LANES elements' own sides, from element-major to flux[3 ne][values][lanes]. */
EW_HD void EWI_K(gather_fluxes)(const struct EWI_K(shape) *shape, const double *traces, double *flux)
{
    int64_t element[EWI_LANES];
    EWI_K(strides)(3 * EWI_NE * EWI_COMPONENTS, element);
    EWI_NO_UNROLL for (int q = 0; q < 3 * EWI_NE; q++) {
        ewi_v f[EWI_FLUX_VALUES];
        EWI_K(get_values)(EWI_FLUX_VALUES, traces + q * EWI_COMPONENTS, element, f);
        double *at = flux + q * EWI_FLUX_VALUES * EWI_LANES;
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            ewi_store(at + m * EWI_LANES, f[m]);
#if EWI_HAS_DIFFUSION
        ewi_v along_r[EWI_DIFFUSING], along_s[EWI_DIFFUSING];
        EWI_K(symmetry_terms)(shape, q % EWI_NE, f, along_r, along_s);
        EWI_UNROLL for (int d = 0; d < EWI_DIFFUSING; d++) {
            ewi_store(at + (EWI_M + d) * EWI_LANES, along_r[d]);
            ewi_store(at + (EWI_M + EWI_DIFFUSING + d) * EWI_LANES, along_s[d]);
        }
#else
        (void)shape;
#endif
    }
}

EW_HD void EWI_K(volume_block)(int points, int q, const double *parameter, const double *c, const double *fields,
                               const struct EWI_K(shape) *shape, double *flux, struct ewi_prefetch *prefetch)
{
    ewi_v u[EWI_BLOCK][EWI_M];
    EWI_K(interpolate)(points, EWI_TABLE(PHI) + q * EWI_NP, c, EWI_TILE, u, prefetch);
#if EWI_HAS_DIFFUSION
    ewi_v ur[EWI_BLOCK][EWI_M], us[EWI_BLOCK][EWI_M];
    EWI_K(derivatives)(points, EWI_TABLE(SLOPE_R) + q * EWI_NP, EWI_TABLE(SLOPE_S) + q * EWI_NP, c, ur, us);
#endif
    EWI_UNROLL for (int k = 0; k < points; k++) {
        ewi_v field[EWI_FIELD_ROOM], fr[EWI_M], fs[EWI_M];
        for (int d = 0; d < EWI_FIELDS; d++)
            field[d] = ewi_load(fields + ((q + k) * EWI_FIELDS + d) * EWI_TILE);
        EWI_L(volume_flux)(parameter, field, u[k], shape->xr, shape->xs, shape->yr, shape->ys, fr, fs);
#if EWI_HAS_DIFFUSION
        EWI_K(subtract_diffusion)(parameter, shape, u[k], ur[EWI_SLOPE_AT(k)], us[EWI_SLOPE_AT(k)],
                                  fr, fs);
#endif
        EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
            ewi_store(flux + ((2 * (q + k)) * EWI_M + m) * EWI_LANES, fr[m]);
            ewi_store(flux + ((2 * (q + k) + 1) * EWI_M + m) * EWI_LANES, fs[m]);
        }
    }
}

/*
 * Volume integrals of some basis functions: groups of four points, first the d/dr terms, then the d/ds terms.
 * directions = 1: d/ds is zero, and what it would add changes no sum.
 */
EW_HD void EWI_K(project_block)(int functions, int directions, const int *function, const double *flux,
                                double *integral, struct ewi_prefetch *prefetch)
{
    ewi_v sum[EWI_BLOCK][EWI_M];
    const double *column[EWI_BLOCK];
    EWI_UNROLL for (int b = 0; b < functions; b++)
        column[b] = EWI_TABLE(GRADIENT)[0] + function[b];
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            sum[b][m] = ewi_set(0.0);
    EWI_NO_UNROLL for (int group = 0; group < EWI_NQ; group += 4) {
        int end = group + 4 < EWI_NQ ? group + 4 : EWI_NQ;
        EWI_NO_UNROLL for (int direction = 0; direction < directions; direction++)
            EWI_NO_UNROLL for (int64_t q = group; q < end; q++) {
                ewi_v f[EWI_M];
                ewi_prefetch_lines(prefetch, EWI_ROWS, EWI_PAUSES);
                EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                    f[m] = ewi_load(flux + ((2 * q + direction) * EWI_M + m) * EWI_LANES);
                EWI_UNROLL for (int b = 0; b < functions; b++) {
                    ewi_v d = ewi_set(column[b][(direction * EWI_NQ + q) * EWI_NP]);
                    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                        sum[b][m] = ewi_fma(d, f[m], sum[b][m]);
                }
            }
    }
    EWI_UNROLL for (int b = 0; b < functions; b++)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            ewi_store(integral + (m * EWI_NP + function[b]) * EWI_TILE, sum[b][m]);
}

/* The integrals of `functions` basis functions of which there are `count`. */
EW_HD void EWI_K(project)(int count, int functions, int directions, const int *function, const double *flux,
                          double *integral, struct ewi_prefetch *prefetch)
{
    int k = 0;
    EWI_NO_UNROLL for (; k + functions <= count; k += functions)
        EWI_K(project_block)(functions, directions, function + k, flux, integral, prefetch);
    if (count % functions)
        EWI_K(project_block)(count % functions, directions, function + k, flux, integral, prefetch);
}

/* integral is laid out like the state of EWI_TILE elements, and so is c. */
EW_HD void EWI_K(fused_volume)(const struct ewi_arguments *a, const struct EWI_K(shape) *shape, const double *c,
                               int64_t i, double *flux, double *integral, struct ewi_prefetch *prefetch)
{
    const double *fields = a->volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
    const double *parameter = ewi_parameter_at(EWI_MEDIA, a->parameter, a->volume_field, i);
    int q = 0;
    EWI_NO_UNROLL for (; q + EWI_OF_BLOCK(EWI_NQ) <= EWI_NQ; q += EWI_OF_BLOCK(EWI_NQ))
        EWI_K(volume_block)(EWI_OF_BLOCK(EWI_NQ), q, parameter, c, fields, shape, flux, prefetch);
    if (EWI_NQ % EWI_OF_BLOCK(EWI_NQ))
        EWI_K(volume_block)(EWI_NQ % EWI_OF_BLOCK(EWI_NQ), q, parameter, c, fields, shape, flux, prefetch);
    for (int m = 0; m < EWI_M; m++)
        ewi_store(integral + m * EWI_NP * EWI_TILE, ewi_set(0.0));
    EWI_K(project)(EWI_ORDER, EWI_OF_BLOCK(EWI_ORDER), 1, ewi_functions_of_r, flux, integral, prefetch);
    EWI_K(project)(EWI_NP - 1 - EWI_ORDER, EWI_OF_BLOCK(EWI_NP - 1 - EWI_ORDER), 2, ewi_functions_of_both, flux,
                   integral, prefetch);
}

/*
 * Adds the side sums of `functions` basis functions from j on to their volume integrals, which there are no registers
 * for.
 */
EW_HD void EWI_K(lift_block)(int functions, int j, const double *flux, double *integral)
{
    EWI_NO_UNROLL for (int k = 0; k < 3; k++) {
        ewi_v side[EWI_BLOCK][EWI_M];
        EWI_UNROLL for (int b = 0; b < functions; b++)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                side[b][m] = ewi_set(0.0);
        EWI_NO_UNROLL for (int e = 0; e < EWI_NE; e++) {
            ewi_v f[EWI_M];
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                f[m] = ewi_load(flux + ((k * EWI_NE + e) * EWI_FLUX_VALUES + m) * EWI_LANES);
            EWI_UNROLL for (int b = 0; b < functions; b++) {
                ewi_v phi = EWI_SIDE(k, e, j + b);
                EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                    side[b][m] = ewi_fma(phi, f[m], side[b][m]);
            }
        }
#if EWI_HAS_DIFFUSION
        EWI_NO_UNROLL for (int direction = 0; direction < 2; direction++) {
            const double *table = direction == 0 ? EWI_TABLE(SIDE_R) : EWI_TABLE(SIDE_S);
            EWI_NO_UNROLL for (int e = k * EWI_NE; e < (k + 1) * EWI_NE; e++) {
                const double *at = flux + (e * EWI_FLUX_VALUES + EWI_M + direction * EWI_DIFFUSING) * EWI_LANES;
                EWI_UNROLL for (int b = 0; b < functions; b++) {
                    ewi_v slope = ewi_set(table[e * EWI_NP + j + b]);
                    EWI_UNROLL for (int d = 0; d < EWI_DIFFUSING; d++)
                        side[b][EWI_FIRST_DIFFUSING + d] =
                            ewi_fma(slope, ewi_load(at + d * EWI_LANES), side[b][EWI_FIRST_DIFFUSING + d]);
                }
            }
        }
#endif
        EWI_UNROLL for (int b = 0; b < functions; b++)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++) {
                double *sum = integral + (m * EWI_NP + j + b) * EWI_TILE;
                ewi_store(sum, ewi_load(sum) + side[b][m]);
            }
    }
}

EW_HD void EWI_K(fused_lift)(const double *flux, double *integral)
{
    int j = 0;
    EWI_NO_UNROLL for (; j + EWI_OF_BLOCK(EWI_NP) <= EWI_NP; j += EWI_OF_BLOCK(EWI_NP))
        EWI_K(lift_block)(EWI_OF_BLOCK(EWI_NP), j, flux, integral);
    if (EWI_NP % EWI_OF_BLOCK(EWI_NP))
        EWI_K(lift_block)(EWI_NP % EWI_OF_BLOCK(EWI_NP), j, flux, integral);
}

/* The right-hand side of edges alone of elements i .. i + EWI_LANES - 1, to rhs; volume integrals are +0. */
EW_HD void EWI_K(fused_edges)(const struct ewi_arguments *a, const double *traces, int64_t i, double *rhs)
{
    _Alignas(64) double flux[3 * EWI_NE * EWI_FLUX_VALUES * EWI_LANES];
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    const struct EWI_K(shape) shape = EWI_K(load_shape)(a, i);
    ewi_v inverse_det = ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE);
    EWI_K(gather_fluxes)(&shape, traces, flux);
    EWI_NO_UNROLL for (int row = 0; row < EWI_ROWS * EWI_TILE; row += EWI_TILE)
        ewi_store(rhs + row, ewi_set(0.0));
    EWI_K(fused_lift)(flux, rhs);
    ewi_v alpha = EWI_K(load_alpha)(a, i);
    bool divided = EWI_K(any_divided)(alpha);
    const double *lifted = divided ? a->subcells.lifted + ewi_layout_base(EWI_TILE, EWI_ROWS, i) : NULL;
    EWI_NO_UNROLL for (int row = 0; row < EWI_ROWS * EWI_TILE; row += EWI_TILE) {
        ewi_v sum = ewi_load(rhs + row);
        if (divided)
            sum = EWI_K(blended_sum)(alpha, sum, ewi_load(lifted + row));
        ewi_store(rhs + row, sum * inverse_det);
    }
}

/*
 * The new state of elements i .. i + EWI_TILE - 1, which takes the place of their integrals as well: what streams past
 * the caches is not read back from memory. A loop of its own: a copy for each number of terms within the side sums
 * outgrew the instruction cache. `block`: where else it goes.
 */
EW_HD void EWI_K(fused_update)(int terms, bool streams, const struct ewi_arguments *a, const struct ewi_update *update,
                               int64_t i, double *integral, double *block)
{
    const double *inverse_det = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i) + EWI_INVERSE_DET * EWI_TILE;
    int64_t base = ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    EWI_NO_UNROLL for (int row = 0; row < EWI_ROWS * EWI_TILE; row += EWI_TILE)
        EWI_UNROLL for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
            ewi_v rhs = ewi_load(integral + row + lane) * ewi_load(inverse_det + lane);
            ewi_v value = ewi_updated(update, terms, base + row + lane, rhs);
            ewi_store(integral + row + lane, value);
            if (streams)
                ewi_stream(block + row + lane, value);
            else
                ewi_store(block + row + lane, value);
        }
}

_Static_assert(EWI_MAX_TERMS == 3, "fused_any_update has a case for each number of terms");

EW_HD void EWI_K(fused_any_update)(bool streams, const struct ewi_arguments *a, const struct ewi_update *update,
                                   int64_t i, double *integral, double *block)
{
    switch (update->terms) {
    case 0:
        EWI_K(fused_update)(0, streams, a, update, i, integral, block);
        break;
    case 1:
        EWI_K(fused_update)(1, streams, a, update, i, integral, block);
        break;
    case 2:
        EWI_K(fused_update)(2, streams, a, update, i, integral, block);
        break;
    default:
        EWI_K(fused_update)(EWI_MAX_TERMS, streams, a, update, i, integral, block);
        break;
    }
}

/* Elements i .. i + EWI_LANES - 1, which are those from `lane` on of `now`, by J and V of their sides. */
EW_HD void EWI_K(fused_damp)(const struct ewi_arguments *a, const struct ewi_limiting *with, const double *jumps,
                             double *now, int lane, int64_t i)
{
    int64_t element[EWI_LANES];
    ewi_v jump[3], between[3];
    EWI_K(strides)(6, element);
    for (int k = 0; k < 3; k++) {
        jump[k] = ewi_gather(jumps + 2 * k, element);
        between[k] = ewi_gather(jumps + 2 * k + 1, element);
    }
    EWI_K(damp)(with->limiter->number, a, with->step, jump, between, now, EWI_TILE, lane, i);
}

EW_HD void EWI_K(copy_block)(bool streams, const double *now, double *block)
{
    EWI_NO_UNROLL for (int k = 0; k < EWI_ROWS * EWI_TILE; k += EWI_LANES)
        if (streams)
            ewi_stream(block + k, ewi_load(now + k));
        else
            ewi_store(block + k, ewi_load(now + k));
}

/* Limits the new state of elements i .. i + EWI_TILE - 1 before it is stored. */
EW_HD void EWI_K(fused_limits)(bool streams, const struct ewi_arguments *a, const struct ewi_limiting *with,
                               const double *jumps, int64_t i, double *now, double *block)
{
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        if (with->jump_sensor)
            EWI_K(fused_damp)(a, with, jumps + 6 * lane, now, lane, i + lane);
        if (with->positive)
            EWI_K(make_positive)(a, now, EWI_TILE, lane);
    }
    EWI_K(copy_block)(streams, now, block);
}

/* Elements i .. i + EWI_TILE - 1 leave their means. */
EW_HD void EWI_K(fused_wait)(const struct ewi_limiting *with, int64_t i, const double *now)
{
    int64_t element[EWI_LANES];
    EWI_K(strides)(EWI_COMPONENTS, element);
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        ewi_v first[EWI_M];
        for (int m = 0; m < EWI_M; m++)
            first[m] = ewi_load(now + m * EWI_NP * EWI_TILE + lane);
        EWI_K(put_point)(with->first + (i + lane) * EWI_COMPONENTS, element, first);
    }
}

/* Where the new state of elements i .. i + EWI_TILE - 1 waits to be limited. */
EW_HD double *EWI_K(waiting)(const struct ewi_tiles *tiles, int64_t i, double *scratch)
{
    return scratch + tiles->waiting + (int64_t)tiles->slot[i / EWI_TILE] * (EWI_ROWS * EWI_TILE);
}

/* Limits elements i .. i + EWI_TILE - 1, whose new state is `now`, and makes them positive. */
EW_HD void EWI_K(fused_limit)(const struct ewi_arguments *a, const struct ewi_limiting *with, int64_t i, double *now)
{
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        ewi_v first[3][EWI_M];
        for (int k = 0; k < 3; k++) {
            int64_t neighbour[EWI_LANES];
            for (int l = 0; l < EWI_LANES; l++)
                neighbour[l] = a->neighbour[k * a->padded + i + lane + l] * EWI_COMPONENTS;
            EWI_K(get_point)(with->first, neighbour, first[k]);
        }
        EWI_K(limit_by_means)(with->limiter->number, first, now + lane, EWI_TILE);
        if (with->positive)
            EWI_K(make_positive)(a, now, EWI_TILE, lane);
    }
}

/*
 * Prefetches the update's arrays for elements i .. i + EWI_TILE - 1, and the states of the same elements in the next
 * tile; at once, since they are few, the next elements' geometry and the places of these elements' border traces.
 */
EW_HD struct ewi_prefetch EWI_K(prefetch_of)(const struct ewi_arguments *a, const struct ewi_tiles *tiles,
                                             const double *state, const struct ewi_update *update, bool streams,
                                             const double *target, const double *border, int64_t i)
{
    struct ewi_prefetch prefetch = {.left = 0};
    if (i + EWI_TILE_SIZE + EWI_TILE <= a->padded)
        prefetch.array[prefetch.arrays++] = state + (i + EWI_TILE_SIZE) * EWI_ROWS;
    if (update->base != state)
        prefetch.array[prefetch.arrays++] = update->base + i * EWI_ROWS;
    if (target != update->base && !streams)
        prefetch.array[prefetch.arrays++] = target + i * EWI_ROWS;
    for (int k = 0; k < update->terms; k++)
        if (update->term[k] != state)
            prefetch.array[prefetch.arrays++] = update->term[k] + i * EWI_ROWS;
    prefetch.share = prefetch.arrays * EWI_ROWS;

    if (i + 2 * EWI_TILE <= a->padded)
        for (int row = 0; row < EWI_SIDES; row++)
            __builtin_prefetch(a->geometry + (i + EWI_TILE) * EWI_GEOMETRY + row * EWI_TILE, 0, 2);
    for (int32_t s = tiles->border_first[i / EWI_TILE]; border && s < tiles->border_first[i / EWI_TILE + 1]; s++)
        for (int k = 0; k < EWI_NE * EWI_COMPONENTS; k += EWI_TILE)
            __builtin_prefetch(border + (int64_t)tiles->border_place[s] * (EWI_NE * EWI_COMPONENTS) + k, 1, 2);
    return prefetch;
}

/* Adds sources to the integrals of elements i .. i + EWI_TILE - 1. */
EW_HD void EWI_K(fused_source)(const struct ewi_arguments *a, const double *state, double t, int64_t i,
                               double *integral)
{
    _Alignas(64) double source[EWI_ROWS * EWI_TILE];
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES)
        EWI_K(all_sources)(a, state, t, i + lane, source, lane);
    EWI_NO_UNROLL for (int k = 0; k < EWI_ROWS * EWI_TILE; k += EWI_LANES)
        ewi_store(integral + k, ewi_load(integral + k) + ewi_load(source + k));
}

/* Blends the sums of elements i .. i + EWI_TILE - 1 with those over their control volumes. */
EW_HD void EWI_K(fused_volumes)(const struct ewi_arguments *a, int64_t i, double *integral)
{
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        ewi_v alpha = EWI_K(load_alpha)(a, i + lane);
        for (int row = 0; EWI_K(any_divided)(alpha) && row < EWI_ROWS; row++) {
            double *at = integral + row * EWI_TILE + lane;
            ewi_v lifted = ewi_load(a->subcells.lifted + i * EWI_ROWS + row * EWI_TILE + lane);
            ewi_store(at, EWI_K(blended_sum)(alpha, ewi_load(at), lifted));
        }
    }
}

/* The stage of elements i .. i + EWI_TILE - 1; `integral` has their new state in the end, too. */
static inline void EWI_K(fused_elements)(const struct ewi_arguments *a, const struct ewi_tiles *tiles,
                                         const double *state, const double *traces, const double *jumps,
                                         const struct ewi_update *update, double *target, double *border,
                                         const struct ewi_limiting *with, int64_t i, double *integral)
{
    _Alignas(64) double edge_flux[3 * EWI_NE * EWI_FLUX_VALUES * EWI_LANES];
    _Alignas(64) double volume_flux[EWI_NQ * 2 * EWI_M * EWI_LANES];
    const struct ewi_update formula = *update; /* which no store can change: it stays in registers */
    bool streams = ewi_streams(tiles, &formula, target);
    bool limits = !with->first && (with->positive || with->jump_sensor);

    struct ewi_prefetch prefetch = EWI_K(prefetch_of)(a, tiles, state, &formula, streams, target, border, i);
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        const struct EWI_K(shape) shape = EWI_K(load_shape)(a, i + lane);
        EWI_K(gather_fluxes)(&shape, traces + lane * (3 * EWI_NE * EWI_COMPONENTS), edge_flux);
        EWI_K(fused_volume)(a, &shape, state + i * EWI_ROWS + lane, i + lane, volume_flux, integral + lane, &prefetch);
        EWI_K(fused_lift)(edge_flux, integral + lane);
    }
    if (EWI_HAS_SUBCELLS && a->subcells.flux)
        EWI_K(fused_volumes)(a, i, integral);
    if (ewi_source_of(a, i) >= 0)
        EWI_K(fused_source)(a, state, formula.time, i, integral);
    double *block = target + ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    if (streams && !limits && !with->first)
        EWI_K(fused_any_update)(true, a, &formula, i, integral, block);
    else
        EWI_K(fused_any_update)(false, a, &formula, i, integral, limits || (with->first && streams) ? integral : block);
    if (limits)
        EWI_K(fused_limits)(streams, a, with, jumps, i, integral, block);
    if (with->first)
        EWI_K(fused_wait)(with, i, integral);
    else if (border)
        EWI_K(fused_border)(a, tiles, integral, i, border);
}
