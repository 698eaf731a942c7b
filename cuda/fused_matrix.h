/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A variant of the fused set (p >= 2, and p = 1 on small meshes): eight elements a warp, whose sums over basis
 * functions and points are products of small matrices (ewi_fused.h). Lane 4 g + t has element g; of a product over
 * basis functions it has j = 4 q + t, of one over points 4 q + t. What fills a product up is -0 times 0: adding -0
 * changes no sum, not even one that is -0. From p = 3 on the loops over groups of the volume's points and over sides in
 * their sums stay loops: unrolled, they take so many registers that some are spilled.
 */
#define EWI_KS EWI_FUSED_KS(EWI_NP)
#define EWI_GJ EWI_FUSED_GJ(EWI_NP)

EWI_DEVICE int EWI_K(element_of)(int thread) { return thread / 32 * 8 + thread % 32 / 4; }
EWI_DEVICE int EWI_K(item_of)(int thread) { return thread % 32 / 4; }
EWI_DEVICE int EWI_K(lane_of)(int thread) { return 4 * (thread % 32 / 4) + thread % 4; }
EWI_DEVICE int EWI_K(basis_of)(int q, int thread) { return 4 * q + thread % 4; }

EWI_DEVICE int EWI_K(row_at)(int m, int q, int thread, int e)
{
    return ewi_fused_row(1, EWI_M, EWI_NP, m, q, thread % 4, e);
}

EWI_DEVICE int EWI_K(own_row)(int m, int q, int thread)
{
    int t = thread % 4, e = thread % 32 / 4;
    return ewi_fused_row(1, EWI_M, EWI_NP, m, q, t, e) - (4 * e + t);
}

/* As products of matrices leave them. */
EWI_DEVICE int EWI_K(sum_at)(int m, int q) { return (m / 2 * EWI_GJ + q / 2) * 4 + 2 * (m % 2) + q % 2; }

EWI_DEVICE void EWI_K(take_own)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own,
                                int thread)
{
    const double *staged = shared + at->staged + thread / 32 * (EWI_TILE * EWI_ROWS) + EWI_K(lane_of)(thread);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
            own->c[m][q] = EWI_K(basis_of)(q, thread) < EWI_NP ? staged[EWI_K(own_row)(m, q, thread)] : -0.0;
}

EWI_DEVICE void EWI_K(take_shape)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                  const double *shared, int number, struct EWI_K(kept) *own, int thread)
{
    (void)call, (void)number;
    const double *shape = shared + at->shape + thread / 32 * (EWI_TILE * EWI_FUSED_SHAPE);
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE + thread % 32 / 4];
}

/* A thread's number in a fragment of the table. */
EWI_DEVICE double EWI_K(fragment)(const struct ewi_fused_memory *at, const double *shared, int number, int thread)
{
    return shared[at->table + 32 * number + thread % 32];
}

/*
 * d[..][pair][..]: values of c, or of what is `outside`, at the eight points of product `number` of the fragments from
 * `first` on.
 */
EWI_DEVICE void EWI_K(interpolate)(double (*d)[EWI_PAIRS][4], const struct ewi_fused_memory *at, const double *shared,
                                   const struct EWI_K(kept) *own, int outside, int first, int number)
{
    struct ewi_factors factors[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
            EWI_UNROLL for (int x = 0; x < 4; x++)
                d[mine][pair][x] = 0.0;
    EWI_UNROLL for (int s = 0; s < EWI_KS; s++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            for (int mine = 0; mine < EWI_PRIVATE; mine++) {
                const double(*c)[EWI_OWN_ROWS] = outside ? own[mine].outside : own[mine].c;
                factors[mine].a0 = c[2 * pair][s];
                factors[mine].a1 = 2 * pair + 1 < EWI_M ? c[EWI_K(partner)(2 * pair)][s] : 0.0;
                factors[mine].b = EWI_K(fragment)(at, shared, first + number * EWI_KS + s, ewi_thread(mine));
            }
            ewi_warp_product(d[0][pair], EWI_PAIRS * 4, factors);
        }
}

EWI_DEVICE void EWI_K(load_rows)(const double *mean, const double *row, int first, int end, int thread,
                                 double (*x)[EWI_OWN_ROWS])
{
    (void)mean;
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (!EWI_K(follows)(m, q))
                x[m][q] = EWI_K(has_row)(m, q, thread) ? row[EWI_K(own_row)(m, q, thread)] : 0.0;
}

EWI_DEVICE void EWI_K(store_rows)(double *row, const struct EWI_K(kept) *own, int thread)
{
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (!EWI_K(follows)(m, q) && EWI_K(has_row)(m, q, thread))
                row[EWI_K(own_row)(m, q, thread)] = own->sum[EWI_K(sum_at)(m, q)];
}

EWI_DEVICE void EWI_K(store_limited)(int slopes_only, double *row, const struct EWI_K(kept) *own, int thread)
{
    (void)slopes_only;
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (EWI_K(basis_of)(q, thread) < EWI_NP)
                row[EWI_K(own_row)(m, q, thread)] = own->c[m][q];
}

/* Limits on load, in shared memory: each of an element's four lanes has a variable. */
EWI_DEVICE void EWI_K(limit_staged)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                    double *shared,
                                    const struct ewi_fused_block *block, uint32_t neighbours,
                                    const struct EWI_K(kept) *own, int thread)
{
    int here = EWI_K(element_of)(thread), m = thread % 4;
    if (m < EWI_M && own->limiter_pending) {
        double other[3];
        EWI_UNROLL for (int k = 0; k < 3; k++)
            EWI_K(neighbour_means)(call, at, shared, block, ewi_fused_neighbour(neighbours, k), m, 1, &other[k]);
        EWI_K(limit_variable)(m, shared + at->staged + EWI_K(tile_of)(here), EWI_K(item_of)(thread), other);
    }
    EWI_WARP_BARRIER;
}

EWI_DEVICE void EWI_K(limit_taken)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                   const double *shared, const struct ewi_fused_block *block, uint32_t neighbours,
                                   struct EWI_K(kept) *own)
{
    (void)call, (void)at, (void)shared, (void)block, (void)neighbours, (void)own;
}

/* Loads the means of the neighbours of a round's halo cells before they are needed: a lane has a variable. */
EWI_DEVICE void EWI_K(load_halo_means)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                       const double *shared, const struct ewi_fused_block *block,
                                       struct EWI_K(kept) *own, int thread)
{
    int side = EWI_K(side_of)(thread), m = thread % 4;
    if (side >= block->halos || m >= EWI_M)
        return;
    uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(at, shared, side);
    EWI_UNROLL for (int last = 0; last < 2; last++)
        own->halo_mean[0][last] = *EWI_K(halo_neighbour_mean)(call, halo_neighbours, last, m);
}

/* ---- traces ---- */

/* Four lanes copy the element behind a side: two halves of groups of four rows, and then what rows are left. */
EWI_DEVICE void EWI_K(copy_side)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                 int32_t entry, int round, int thread)
{
    int item = (entry >> 2) % EWI_TILE, t = thread % 4, half = 4 * EWI_TILE * (t / 2) + 2 * (t % 2);
    const int halves = 2 * ewi_fused_fours(EWI_M, EWI_NP);
    const double *source = EWI_K(state_of)(call, at, shared, entry >> 2) + EWI_K(tile_of)(entry >> 2);
    double *target = EWI_K(copied)(at, shared, round, thread);
    EWI_UNROLL for (int x = 0; x < halves; x += 4)
    {
        if (x + 4 <= halves || x + t < halves)
            ewi_copy_16(target + 4 * EWI_K(item_of)(thread) + half + 2 * EWI_TILE * x,
                        source + 4 * item + half + 2 * EWI_TILE * x);
    }
    EWI_UNROLL for (int m = 2 * halves < EWI_ROWS ? 0 : EWI_M; m < EWI_M; m++)
    {
        int q = EWI_NP / 4;
        if (EWI_K(basis_of)(q, thread) < EWI_NP && EWI_K(row_at)(m, q, thread, 0) >= 2 * EWI_TILE * halves)
            ewi_copy_8(target + EWI_K(row_at)(m, q, thread, EWI_K(item_of)(thread)),
                       source + EWI_K(row_at)(m, q, thread, item));
    }
}

/*
 * The traces of the own sides (`own_too`), of a round's sides of the halo (`others`), or of both with the same
 * operands.
 */
EWI_DEVICE void EWI_K(traces_of)(int own_too, int others, int jump_sensor, const struct ewi_cuda_stage *call,
                                 const struct ewi_fused_memory *at, double *shared, const int32_t *entry, int round,
                                 struct EWI_K(kept) *own)
{
    int32_t first[EWI_PRIVATE]; /* its first point among those of all three sides; none if there is no side */
    for (int mine = 0; mine < EWI_PRIVATE; mine++) {
        int thread = ewi_thread(mine);
        const double *copied = EWI_K(copied)(at, shared, 0, thread) + EWI_K(lane_of)(thread);
        first[mine] = entry[mine] >= 0 ? (entry[mine] & 3) * EWI_NE : -3 * EWI_NE;
        EWI_UNROLL for (int m = 0; m < (others ? EWI_M : 0); m++)
            EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
                own[mine].outside[m][q] =
                    entry[mine] >= 0 && EWI_K(basis_of)(q, thread) < EWI_NP ? copied[EWI_K(own_row)(m, q, thread)]
                                                                            : -0.0;
        if (jump_sensor && others && entry[mine] >= 0 && thread % 4 == 0)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                EWI_K(first_at)(at, shared, EWI_OWN + round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread))[m] =
                    own[mine].outside[m][0];
    }
    EWI_UNROLL for (int number = 0; number < EWI_FUSED_GE(EWI_NE); number++)
    {
        double d[EWI_PRIVATE][EWI_PAIRS][4], outer[EWI_PRIVATE][EWI_PAIRS][4];
        if (own_too)
            EWI_K(interpolate)(d, at, shared, own, 0, EWI_FUSED_AT_SIDES, number);
        if (others)
            EWI_K(interpolate)(outer, at, shared, own, 1, EWI_FUSED_AT_SIDES, number);
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            EWI_UNROLL for (int h = 0; h < 2; h++)
            {
                int thread = ewi_thread(mine), point = 8 * number + 4 * h + thread % 4;
                int place = EWI_K(element_of)(thread) + point * EWI_STRIDE, e = point - first[mine];
                int there = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread) + e * call->halo_room;
                EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                {
                    if (own_too && point < 3 * EWI_NE)
                        ewi_put_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), d[mine][pair][h],
                                     d[mine][pair][2 + h]);
                    if (others && e >= 0 && e < EWI_NE)
                        ewi_put_pair(shared + at->outer + 2 * (pair * at->outer_plane + there), outer[mine][pair][h],
                                     outer[mine][pair][2 + h]);
                }
            }
    }
}

/* The sides of the halo of a round. */
EWI_DEVICE void EWI_K(limit_round)(int limits_on_load, const struct ewi_cuda_stage *call,
                                   const struct ewi_fused_memory *at, double *shared,
                                   const struct ewi_fused_block *block, const int32_t *entry, int round,
                                   const struct EWI_K(kept) *own)
{
    for (int mine = 0; limits_on_load && mine < EWI_PRIVATE; mine++)
        EWI_K(limit_halo)(call, at, shared, block, entry[mine], round, 0, &own[mine], ewi_thread(mine));
}

EWI_DEVICE void EWI_K(traces)(int jump_sensor, int limits_on_load, const struct ewi_cuda_stage *call,
                              const struct ewi_fused_memory *at, double *shared, const struct ewi_fused_block *block,
                              struct EWI_K(kept) *own)
{
    int32_t entry[EWI_PRIVATE];
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        entry[mine] = own[mine].halo[0];
    EWI_K(limit_round)(limits_on_load, call, at, shared, block, entry, 0, own);
    if (ewi_warp_any(entry[0] >= 0))
        EWI_K(traces_of)(1, 1, jump_sensor, call, at, shared, entry, 0, own);
    else
        EWI_K(traces_of)(1, 0, jump_sensor, call, at, shared, entry, 0, own);
    /* Sides for which there was no room: few sides of few blocks. */
    EWI_NO_UNROLL for (int round = 1; round * EWI_SIDES_A_ROUND < block->halos; round++)
    {
        if (limits_on_load && round == EWI_ROUNDS) {
            EWI_BARRIER; /* until now others read means in the place where copy_late copies */
        }
        for (int mine = 0; mine < EWI_PRIVATE; mine++)
            entry[mine] = EWI_K(copy_late)(call, at, shared, block, round, 0, ewi_thread(mine));
        EWI_K(limit_round)(limits_on_load, call, at, shared, block, entry, round, own);
        EWI_K(traces_of)(0, 1, jump_sensor, call, at, shared, entry, round, own);
    }
}

/* ---- integrals ---- */

/* Fluxes of the h-th half of a group's points; what fills the group up is -0. */
EWI_DEVICE void EWI_K(volume_fluxes)(const struct ewi_cuda_stage *call, int number, const struct EWI_K(kept) *own,
                                     double (*d)[4], int group, int h, double *fr, double *fs, int thread)
{
    int point = 8 * group + 4 * h + thread % 4;
    double u[EWI_M], field[EWI_FIELD_ROOM];
    if (EWI_FIELDS) {
        int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
        i = i < call->a.padded ? i : call->a.padded - 1;
        const double *fields = call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i);
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = fields[((point < EWI_NQ ? point : 0) * EWI_FIELDS + f) * EWI_TILE];
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        u[m] = d[m / 2][2 * (m % 2) + h];
    EWI_L(volume_flux)(call->a.parameter, field, u, own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR],
                       own->shape[EWI_YS], fr, fs);
    if (EWI_NQ % 4 != 0 && point >= EWI_NQ)
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            fr[m] = fs[m] = -0.0;
}

/* Adds the products of fluxes and a fragment of the derivatives to sums from `first` on of each pair. */
EWI_DEVICE void EWI_K(project)(struct EWI_K(kept) *own, const struct ewi_fused_memory *at, const double *shared,
                               const double (*flux)[EWI_M], int first, int number)
{
    struct ewi_factors factors[EWI_PRIVATE];
    EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
    {
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            factors[mine].a0 = flux[mine][2 * pair];
            factors[mine].a1 = 2 * pair + 1 < EWI_M ? flux[mine][EWI_K(partner)(2 * pair)] : 0.0;
            factors[mine].b = EWI_K(fragment)(at, shared, number, ewi_thread(mine));
        }
        ewi_warp_product(&own->sum[pair * EWI_GJ * 4 + first], EWI_KEPT_DOUBLES, factors);
    }
}

EWI_DEVICE void EWI_K(volume)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                              const double *shared,
                              int number, struct EWI_K(kept) *own)
{
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_UNROLL for (int x = 0; x < EWI_SUMS; x++)
            own[mine].sum[x] = 0.0;
    EWI_NO_UNROLL for (int group = 0; group < EWI_FUSED_GQ(EWI_NQ); group++)
    {
        double d[EWI_PRIVATE][EWI_PAIRS][4];
        EWI_K(interpolate)(d, at, shared, own, 0, EWI_FUSED_AT_POINTS(EWI_NP, EWI_NE), group);
        EWI_UNROLL for (int h = 0; h < 2; h++)
            if (8 * group + 4 * h < EWI_NQ) {
                double fr[EWI_PRIVATE][EWI_M], fs[EWI_PRIVATE][EWI_M];
                for (int mine = 0; mine < EWI_PRIVATE; mine++)
                    EWI_K(volume_fluxes)(call, number, &own[mine], d[mine], group, h, fr[mine], fs[mine],
                                         ewi_thread(mine));
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                {
                    int at_r = EWI_FUSED_AT_GRADIENTS(EWI_NP, EWI_NQ, EWI_NE) + 2 * ((2 * group + h) * EWI_GJ + n);
                    EWI_K(project)(own, at, shared, fr, 4 * n, at_r);
                    EWI_K(project)(own, at, shared, fs, 4 * n, at_r + 1);
                }
            }
    }
    /* The first basis function is constant; 0 * infinity would not be. */
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        if (ewi_thread(mine) % 4 == 0)
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                own[mine].sum[EWI_K(sum_at)(m, 0)] = 0.0;
}

EWI_DEVICE void EWI_K(lift)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own)
{
    enum { AT_ONCE = EWI_ORDER < 3 ? 3 : 1 }; /* sides, for which registers have room */
    EWI_UNROLL_BY(AT_ONCE) for (int k = 0; k < 3; k++)
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
        {
            double z[EWI_PRIVATE][EWI_GJ][4];
            struct ewi_factors factors[EWI_PRIVATE];
            for (int mine = 0; mine < EWI_PRIVATE; mine++)
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        z[mine][n][x] = 0.0;
            EWI_UNROLL for (int s = 0; s < EWI_FUSED_KE(EWI_NE); s++)
            {
                for (int mine = 0; mine < EWI_PRIVATE; mine++) {
                    int thread = ewi_thread(mine), e = 4 * s + thread % 4;
                    int place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, EWI_K(element_of)(thread)) + e * EWI_STRIDE;
                    factors[mine].a0 = factors[mine].a1 = -0.0;
                    if (e < EWI_NE)
                        ewi_get_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), &factors[mine].a0,
                                     &factors[mine].a1);
                }
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                {
                    int number =
                        EWI_FUSED_AT_LIFT(EWI_NP, EWI_NQ, EWI_NE) + (k * EWI_FUSED_KE(EWI_NE) + s) * EWI_GJ + n;
                    for (int mine = 0; mine < EWI_PRIVATE; mine++)
                        factors[mine].b = EWI_K(fragment)(at, shared, number, ewi_thread(mine));
                    ewi_warp_product(z[0][n], EWI_GJ * 4, factors);
                }
            }
            for (int mine = 0; mine < EWI_PRIVATE; mine++)
                EWI_UNROLL for (int n = 0; n < EWI_GJ; n++)
                    EWI_UNROLL for (int x = 0; x < 4; x++)
                        own[mine].sum[(pair * EWI_GJ + n) * 4 + x] =
                            own[mine].sum[(pair * EWI_GJ + n) * 4 + x] + z[mine][n][x];
        }
}
