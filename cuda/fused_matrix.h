/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A variant of the fused set (p >= 2, and p = 1 on small meshes): eight elements a warp, whose sums over basis functions and points are
 * products of small matrices (ewi_fused.h). Lane 4 g + t has element g; of a product over basis functions it has j = 4 q + t, of one over points 4 q + t.
 * What fills a product up is -0 times 0: adding -0 changes no sum, not even one that is -0.
 * From p = 3 on the loops over groups of the volume's points and over sides in their sums stay loops: unrolled, they take so many registers
 * that some are spilled.
 */
#define EWI_KS EWI_FUSED_KS(EWI_NP)
#define EWI_GJ EWI_FUSED_GJ(EWI_NP)

/* The second variable of a pair, if there is one. */
#define EWI_PAIRED(pair, value, none) (2 * (pair) + 1 < EWI_M ? value[2 * (pair) + 1 < EWI_M ? 2 * (pair) + 1 : 0] none : 0.0)
#define EWI_FRAGMENT(number) shared[at->table + 32 * (number) + thread % 32]

EWI_DEVICE void EWI_K(take_own)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, const double *shared, int number,
                                struct EWI_K(kept) *own, int thread)
{
    (void)call, (void)number;
    int tile = thread / 32, g = thread % 32 / 4;
    const double *staged = shared + at->staged + tile * (EWI_TILE * EWI_ROWS) + EWI_OWN_LANE, *shape = shared + at->shape + tile * (EWI_TILE * EWI_FUSED_SHAPE);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
            own->c[m][q] = EWI_OWN_J(q) < EWI_NP ? staged[EWI_OWN_ROW(m, q)] : -0.0;
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE + g];
}

/* d[pair][..]: values at the eight points of product `number` of the fragments from `first` on, of `c` or `outside`. */
#define EWI_INTERPOLATE(d, of, first, number)                                                                          \
    do {                                                                                                               \
        EWI_FUSED_EACH                                                                                                 \
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)                                                    \
                EWI_UNROLL for (int x = 0; x < 4; x++)                                                                 \
                    (d)[mine][pair][x] = 0.0;                                                                          \
        EWI_UNROLL for (int s = 0; s < EWI_KS; s++)                                                                    \
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)                                                    \
                EWI_WARP_PRODUCT((d)[mine][pair], own[mine].of[2 * pair][s], EWI_PAIRED(pair, own[mine].of, [s]),      \
                                 EWI_FRAGMENT((first) + (number)*EWI_KS + s));                                         \
    } while (0)

EWI_DEVICE void EWI_K(load_rows)(const double *row, int first, int end, int thread, double (*x)[EWI_OWN_ROWS])
{
    EWI_EACH_ROW(m, q)
        x[m][q] = EWI_HAS_ROW(m, q) ? row[EWI_OWN_ROW(m, q)] : 0.0;
}

EWI_DEVICE void EWI_K(store_rows)(double *row, const struct EWI_K(kept) *own, int thread)
{
    enum { first = 0, end = EWI_M };
    EWI_EACH_ROW(m, q)
        if (EWI_HAS_ROW(m, q))
            row[EWI_OWN_ROW(m, q)] = EWI_SUM(own, m, q);
}

/* ---- traces ---- */

/* Four lanes copy the element behind a side: two halves of groups of four rows, and then what rows are left. */
EWI_DEVICE void EWI_K(copy_side)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared, int32_t entry,
                                 int round, int thread)
{
    int item = (entry >> 2) % EWI_TILE, t = thread % 4, half = 4 * EWI_TILE * (t / 2) + 2 * (t % 2);
    const int halves = 2 * ewi_fused_fours(EWI_M, EWI_NP);
    const double *source = call->state + EWI_K(tile_of)(entry >> 2);
    double *target = EWI_K(copied)(at, shared, round, thread);
    EWI_UNROLL for (int x = 0; x < halves; x += 4)
    {
        if (x + 4 <= halves || x + t < halves)
            ewi_copy_16(target + 4 * EWI_OWN_ITEM + half + 2 * EWI_TILE * x, source + 4 * item + half + 2 * EWI_TILE * x);
    }
    EWI_UNROLL for (int m = 2 * halves < EWI_ROWS ? 0 : EWI_M; m < EWI_M; m++)
    {
        int q = EWI_NP / 4;
        if (EWI_OWN_J(q) < EWI_NP && EWI_LANE_ROW(m, q, 0) >= 2 * EWI_TILE * halves)
            ewi_copy_8(target + EWI_OWN_ROW(m, q) + EWI_OWN_LANE, source + EWI_LANE_ROW(m, q, item));
    }
}

/* The traces of the own sides (`own_too`), of a round's sides of the halo (`others`), or of both with the same operands. */
EWI_DEVICE void EWI_K(traces_of)(int own_too, int others, const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared,
                                 const int32_t *entry, int round, struct EWI_K(kept) *own)
{
    int32_t first[EWI_PRIVATE]; /* its first point among those of all three sides; none if there is no side */
    EWI_FUSED_EACH
    {
        const double *copied = EWI_K(copied)(at, shared, 0, thread) + EWI_OWN_LANE;
        (void)copied;
        first[mine] = entry[mine] >= 0 ? (entry[mine] & 3) * EWI_NE : -3 * EWI_NE;
        if (others)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
                    own[mine].outside[m][q] = entry[mine] >= 0 && EWI_OWN_J(q) < EWI_NP ? copied[EWI_OWN_ROW(m, q)] : -0.0;
    }
    EWI_UNROLL for (int number = 0; number < EWI_FUSED_GE(EWI_NE); number++)
    {
        double d[EWI_PRIVATE][EWI_PAIRS][4], outer[EWI_PRIVATE][EWI_PAIRS][4];
        if (own_too)
            EWI_INTERPOLATE(d, c, EWI_FUSED_AT_SIDES, number);
        if (others)
            EWI_INTERPOLATE(outer, outside, EWI_FUSED_AT_SIDES, number);
        EWI_FUSED_EACH
            EWI_UNROLL for (int h = 0; h < 2; h++)
            {
                int point = 8 * number + 4 * h + thread % 4;
                int place = EWI_OWN_ELEMENT + point * EWI_STRIDE, e = point - first[mine];
                int there = round * EWI_SIDES_A_ROUND + EWI_SIDE_OF_ROUND + e * call->halo_room;
                EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                {
                    if (own_too && point < 3 * EWI_NE)
                        ewi_put_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), d[mine][pair][h], d[mine][pair][2 + h]);
                    if (others && e >= 0 && e < EWI_NE)
                        ewi_put_pair(shared + at->outer + 2 * (pair * at->outer_plane + there), outer[mine][pair][h], outer[mine][pair][2 + h]);
                }
            }
    }
}

EWI_DEVICE void EWI_K(traces)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared,
                              const struct ewi_fused_block *block, struct EWI_K(kept) *own)
{
    int32_t entry[EWI_PRIVATE];
    EWI_FUSED_EACH
        entry[mine] = own[mine].halo[0];
    if (EWI_WARP_ANY(entry[mine] >= 0))
        EWI_K(traces_of)(1, 1, call, at, shared, entry, 0, own);
    else
        EWI_K(traces_of)(1, 0, call, at, shared, entry, 0, own);
    /* What there was no room for: few sides of few blocks. */
    EWI_NO_UNROLL for (int round = 1; round * EWI_SIDES_A_ROUND < block->halos; round++)
    {
        EWI_FUSED_EACH
        {
            entry[mine] = EWI_K(halo_entry)(call, block, round, thread);
            EWI_WARP_BARRIER; /* its lanes copy for each other */
            if (entry[mine] >= 0)
                EWI_K(copy_side)(call, at, shared, entry[mine], 0, thread);
            ewi_copies_end();
            EWI_COPIES_WAIT(0);
            EWI_WARP_BARRIER;
        }
        EWI_K(traces_of)(0, 1, call, at, shared, entry, round, own);
    }
}

/* ---- integrals ---- */

EWI_DEVICE void EWI_K(volume)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, const double *shared, int number,
                              struct EWI_K(kept) *own)
{
    EWI_FUSED_EACH
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
            EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                EWI_UNROLL for (int x = 0; x < 4; x++)
                    own[mine].sum[pair][n][x] = 0.0;
    EWI_NO_UNROLL for (int group = 0; group < EWI_FUSED_GQ(EWI_NQ); group++)
    {
        double d[EWI_PRIVATE][EWI_PAIRS][4];
        EWI_INTERPOLATE(d, c, EWI_FUSED_AT_POINTS(EWI_NP, EWI_NE), group);
        EWI_UNROLL for (int h = 0; h < 2; h++)
            if (8 * group + 4 * h < EWI_NQ) {
                double fr[EWI_PRIVATE][EWI_M], fs[EWI_PRIVATE][EWI_M];
                EWI_FUSED_EACH
                {
                    double u[EWI_M], field[EWI_FIELD_ROOM];
                    if (EWI_FIELDS) {
                        int point = 8 * group + 4 * h + thread % 4;
                        int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_OWN_ELEMENT;
                        i = i < call->a.padded ? i : call->a.padded - 1;
                        const double *fields = call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
                        for (int f = 0; f < EWI_FIELDS; f++)
                            field[f] = fields[((point < EWI_NQ ? point : 0) * EWI_FIELDS + f) * EWI_TILE];
                    }
                    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                        u[m] = d[mine][m / 2][2 * (m % 2) + h];
                    EWI_L(volume_flux)(call->a.parameter, field, u, own[mine].shape[EWI_XR], own[mine].shape[EWI_XS],
                                       own[mine].shape[EWI_YR], own[mine].shape[EWI_YS], fr[mine], fs[mine]);
                    if (EWI_NQ % 4 != 0 && 8 * group + 4 * h + thread % 4 >= EWI_NQ)
                        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                            fr[mine][m] = fs[mine][m] = -0.0;
                }
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                {
                    int at_r = EWI_FUSED_AT_GRADIENTS(EWI_NP, EWI_NQ, EWI_NE) + 2 * ((2 * group + h) * EWI_GJ + n);
                    EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                        EWI_WARP_PRODUCT(own[mine].sum[pair][n], fr[mine][2 * pair], EWI_PAIRED(pair, fr[mine], ), EWI_FRAGMENT(at_r));
                    EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                        EWI_WARP_PRODUCT(own[mine].sum[pair][n], fs[mine][2 * pair], EWI_PAIRED(pair, fs[mine], ), EWI_FRAGMENT(at_r + 1));
                }
            }
    }
    /* The first basis function is constant; 0 * infinity would not be. */
    EWI_FUSED_EACH
        if (thread % 4 == 0)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                EWI_SUM(&own[mine], m, 0) = 0.0;
}

EWI_DEVICE void EWI_K(lift)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own)
{
    enum { AT_ONCE = EWI_ORDER < 3 ? 3 : 1 }; /* sides, for which registers have room */
    EWI_UNROLL_BY(AT_ONCE) for (int k = 0; k < 3; k++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            double z[EWI_PRIVATE][EWI_GJ][4], f[EWI_PRIVATE][2];
            EWI_FUSED_EACH
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        z[mine][n][x] = 0.0;
            EWI_UNROLL for (int s = 0; s < EWI_FUSED_KE(EWI_NE); s++)
            {
                EWI_FUSED_EACH
                {
                    int e = 4 * s + thread % 4, place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, EWI_OWN_ELEMENT) + e * EWI_STRIDE;
                    f[mine][0] = f[mine][1] = -0.0;
                    if (e < EWI_NE)
                        ewi_get_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), &f[mine][0], &f[mine][1]);
                }
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_WARP_PRODUCT(z[mine][n], f[mine][0], f[mine][1],
                                     EWI_FRAGMENT(EWI_FUSED_AT_LIFT(EWI_NP, EWI_NQ, EWI_NE) + (k * EWI_FUSED_KE(EWI_NE) + s) * EWI_GJ + n));
            }
            EWI_FUSED_EACH
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        own[mine].sum[pair][n][x] = own[mine].sum[pair][n][x] + z[mine][n][x];
        }
}

#undef EWI_INTERPOLATE
#undef EWI_FRAGMENT
#undef EWI_PAIRED
#undef EWI_GJ
#undef EWI_KS
