/* SPDX-License-Identifier: BSD-2-Clause */
/* Variants of the fused set (p = 1 on all but small meshes) in which a thread has an element of its own. */

EWI_DEVICE int EWI_K(element_of)(int thread) { return thread; }
EWI_DEVICE int EWI_K(item_of)(int thread) { return thread % EWI_TILE; }
EWI_DEVICE int EWI_K(lane_of)(int thread) { return 2 * EWI_K(item_of)(thread); }

EWI_DEVICE int EWI_K(basis_of)(int q, int thread)
{
    (void)thread;
    return q;
}

EWI_DEVICE int EWI_K(row_at)(int m, int q, int thread, int e)
{
    (void)thread;
    return ewi_fused_row(0, EWI_M, EWI_NP, m, 0, q, e);
}

EWI_DEVICE int EWI_K(own_row)(int m, int q, int thread)
{
    int e = thread % EWI_TILE;
    return ewi_fused_row(0, EWI_M, EWI_NP, m, 0, q, e) - 2 * e;
}

EWI_DEVICE int EWI_K(sum_at)(int m, int q) { return m * EWI_NP + q; }

/* Rows of a tile that hold means in pairs; a mean that is paired with a slope is not among them. */
#define EWI_MEAN_ROWS (EWI_M / 2 * 2)

/*
 * Rows of variables first .. end - 1, two at a time: all of them, or an even number of an even number. The first
 * EWI_MEAN_ROWS come from `mean`.
 */
EWI_DEVICE void EWI_K(load_rows)(const double *mean, const double *row, int first, int end, int thread,
                                 double (*x)[EWI_OWN_ROWS])
{
    EWI_UNROLL for (int r = 0; r < EWI_ROWS; r += 2)
    {
        int m = r % EWI_M, j = r / EWI_M, next = r + 1;
        if (m < first || m >= end)
            continue;
        if (next < EWI_ROWS)
            ewi_get_pair((r < EWI_MEAN_ROWS ? mean : row) + EWI_K(own_row)(m, j, thread), &x[m][j],
                         &x[next % EWI_M][next / EWI_M]);
        else
            x[m][j] = row[EWI_K(own_row)(m, j, thread)];
    }
}

EWI_DEVICE void EWI_K(store_rows)(double *row, const struct EWI_K(kept) *own, int thread)
{
    EWI_UNROLL for (int r = 0; r < EWI_ROWS; r += 2)
    {
        int m = r % EWI_M, j = r / EWI_M, next = r + 1;
        double value = own->sum[EWI_K(sum_at)(m, j)];
        if (next < EWI_ROWS)
            ewi_put_pair(row + EWI_K(own_row)(m, j, thread), value,
                         own->sum[EWI_K(sum_at)(next % EWI_M, next / EWI_M)]);
        else
            row[EWI_K(own_row)(m, j, thread)] = value;
    }
}

EWI_DEVICE void EWI_K(store_limited)(int slopes_only, double *row, const struct EWI_K(kept) *own, int thread)
{
    EWI_UNROLL for (int r = slopes_only ? EWI_MEAN_ROWS : 0; r < EWI_ROWS; r += 2)
    {
        int m = r % EWI_M, j = r / EWI_M, next = r + 1;
        if (next < EWI_ROWS)
            ewi_put_pair(row + EWI_K(own_row)(m, j, thread), own->c[m][j], own->c[next % EWI_M][next / EWI_M]);
        else
            row[EWI_K(own_row)(m, j, thread)] = own->c[m][j];
    }
}

EWI_DEVICE void EWI_K(take_own)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own,
                                int thread)
{
    const double *row = shared + at->staged + EWI_K(tile_of)(thread) + EWI_K(lane_of)(thread);
    EWI_K(load_rows)(row, row, 0, EWI_M, thread, own->c);
}

EWI_DEVICE void EWI_K(take_shape)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                  const double *shared, int number, struct EWI_K(kept) *own, int thread)
{
    (void)at, (void)shared;
    int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + thread;
    i = i < call->a.padded ? i : call->a.padded - EWI_TILE + thread % EWI_TILE;
    const double *shape = call->shape + ewi_layout_base(EWI_TILE, EWI_FUSED_SHAPE, i);
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE];
}

/* Limits on load in registers, not in shared memory: a thread has an element. */
EWI_DEVICE void EWI_K(limit_staged)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                    double *shared,
                                    const struct ewi_fused_block *block, uint32_t neighbours,
                                    const struct EWI_K(kept) *own, int thread)
{
    (void)call, (void)at, (void)shared, (void)block, (void)neighbours, (void)own, (void)thread;
}

EWI_DEVICE void EWI_K(limit_taken)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                   const double *shared, const struct ewi_fused_block *block, uint32_t neighbours,
                                   struct EWI_K(kept) *own)
{
    if (!own->limiter_pending)
        return;
    EWI_UNROLL for (int first = 0; first < EWI_M; first += EWI_LIMITED_AT_ONCE)
    {
        const int count = first + EWI_LIMITED_AT_ONCE < EWI_M ? EWI_LIMITED_AT_ONCE : EWI_M - first;
        double mean[EWI_M], other[EWI_M][3], alpha[EWI_M];
        EWI_UNROLL for (int k = 0; k < 3; k++)
        {
            EWI_K(neighbour_means)(call, at, shared, block, ewi_fused_neighbour(neighbours, k), first, count, mean);
            EWI_UNROLL for (int m = 0; m < count; m++)
                other[m][k] = mean[m];
        }
        EWI_K(factors)(count, own->c + first, other, alpha);
        EWI_K(scale_slopes)(count, alpha, own->c + first);
    }
}

/* The second one of a lane's two variables of an element behind a side of the halo, or the first one if it has none. */
EWI_DEVICE int EWI_K(second)(int first) { return first + 1 < EWI_M ? first + 1 : first; }

/* Numbers of an element's two variables from `first` on, of which a pair is together where their number is even. */
EWI_DEVICE void EWI_K(get_two)(const double *tile, int first, int j, int e, double *a, double *b)
{
    if (EWI_M % 2 == 0) {
        ewi_get_pair(tile + EWI_K(row)(first, j, e), a, b);
    } else {
        *a = tile[EWI_K(row)(first, j, e)];
        *b = tile[EWI_K(row)(EWI_K(second)(first), j, e)];
    }
}

/*
 * Loads the means of the neighbours of halo cells before they are needed: two lanes have a side, and two variables
 * each.
 */
EWI_DEVICE void EWI_K(load_halo_means)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                       const double *shared, const struct ewi_fused_block *block,
                                       struct EWI_K(kept) *own, int thread)
{
    int first = thread % 2 * 2;
    if (thread / 2 >= block->halos || first >= EWI_M)
        return;
    uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(at, shared, thread / 2);
    EWI_UNROLL for (int last = 0; last < 2; last++)
    {
        int64_t element = ewi_fused_halo_neighbour(halo_neighbours, last);
        EWI_K(get_two)(call->state + EWI_K(tile_of)(element), first, 0, (int)(element % EWI_TILE),
                       &own->halo_mean[0][last], &own->halo_mean[1][last]);
    }
}

/* ---- traces ---- */

/* Four lanes copy the element behind a side, two rows at a time. */
EWI_DEVICE void EWI_K(copy_side)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at, double *shared,
                                 int32_t entry, int round, int thread)
{
    enum { PAIRS = EWI_ROWS / 2, LAST = EWI_ROWS - 1 };
    int item = (entry >> 2) % EWI_TILE, side = EWI_K(side_of)(thread) % 8, t = thread % 4;
    const double *source = EWI_K(state_of)(call, at, shared, entry >> 2) + EWI_K(tile_of)(entry >> 2);
    double *target = EWI_K(copied)(at, shared, round, thread);
    EWI_UNROLL for (int x = 0; x < PAIRS; x += 4)
    {
        if (x + 4 <= PAIRS || x + t < PAIRS)
            ewi_copy_16(target + 2 * EWI_TILE * (x + t) + 2 * side, source + 2 * EWI_TILE * (x + t) + 2 * item);
    }
    if (EWI_ROWS % 2 != 0 && t == 0)
        ewi_copy_8(target + EWI_TILE * LAST + side, source + EWI_TILE * LAST + item);
}

/* A lane has the trace of one variable on a side of the halo. */
EWI_DEVICE void EWI_K(halo_trace)(int jump_sensor, const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                  double *shared, int32_t entry, int round, int column, int thread)
{
    const double *side = shared + at->table + (entry & 3) * (EWI_NP * EWI_NE);
    const double *c = EWI_K(copied)(at, shared, column, thread);
    int variable = thread % 4, place = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    double u[EWI_NE];
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        u[e] = 0.0;
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
    {
        double here = c[EWI_K(row)(variable, j, EWI_K(side_of)(thread) % 8)];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            u[e] = ewi_fma(side[j * EWI_NE + e], here, u[e]);
    }
    double *trace = shared + at->outer + 2 * (variable / 2 * at->outer_plane + place) + variable % 2;
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        trace[2 * e * call->halo_room] = u[e];
    if (jump_sensor)
        EWI_K(first_at)(at, shared, EWI_OWN + place)[variable] = c[EWI_K(row)(variable, 0, EWI_K(side_of)(thread) % 8)];
}

/* Two variables' slopes of an element behind a side of the halo; c: their coefficients. */
EWI_DEVICE void EWI_K(limit_two)(const struct ewi_fused_memory *at, const double *shared, uint64_t halo_neighbours,
                                 int first, const struct EWI_K(kept) *own, double (*c)[EWI_NP])
{
    const int here = ewi_fused_halo_own(halo_neighbours);
    double mean[2], other[2][3], alpha[2];
    EWI_K(get_two)(shared + at->staged + EWI_K(tile_of)(here), first, 0, here % EWI_TILE, &mean[0], &mean[1]);
    EWI_UNROLL for (int m = 0; m < 2; m++)
        EWI_K(by_sides)(ewi_fused_halo_side(halo_neighbours), mean[m], own->halo_mean[m][0], own->halo_mean[m][1],
                        other[m]);
    EWI_K(factors)(2, c, other, alpha);
    EWI_K(scale_slopes)(2, alpha, c);
}

/*
 * Limited traces of sides of the halo that have been copied, which are as many as there is room for: two lanes have a
 * side, and two variables each, since rounds of a variable a lane would wait one for the other.
 */
EWI_DEVICE void EWI_K(limited_traces)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                                      double *shared, const struct ewi_fused_block *block,
                                      const struct EWI_K(kept) *own, int thread)
{
    const int place = thread / 2, first = thread % 2 * 2;
    if (place >= block->halos || first >= EWI_M)
        return;
    const uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(at, shared, place);
    const double *side = shared + at->table + ewi_fused_halo_side(halo_neighbours) * (EWI_NP * EWI_NE);
    double c[2][EWI_NP], *trace = shared + at->outer + 2 * (first / 2 * at->outer_plane + place);
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        EWI_K(get_two)(shared + at->halo + EWI_K(tile_of)(place), first, j, place % EWI_TILE, &c[0][j], &c[1][j]);
    if (own->limiter_pending)
        EWI_K(limit_two)(at, shared, halo_neighbours, first, own, c);
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
    {
        double u[2] = {0.0, 0.0};
        EWI_UNROLL for (int m = 0; m < 2; m++)
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(side[j * EWI_NE + e], c[m][j], u[m]);
        ewi_put_pair(trace + 2 * e * call->halo_room, u[0], u[1]);
    }
}

EWI_DEVICE void EWI_K(halo_traces)(int jump_sensor, int limits_on_load, const struct ewi_cuda_stage *call,
                                   const struct ewi_fused_memory *at, double *shared,
                                   const struct ewi_fused_block *block, const struct EWI_K(kept) *own)
{
    for (int mine = 0; limits_on_load && mine < EWI_PRIVATE; mine++)
        EWI_K(limited_traces)(call, at, shared, block, &own[mine], EWI_K(thread_of)(limits_on_load, mine));
    EWI_NO_UNROLL for (int round = limits_on_load ? EWI_ROUNDS : 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
    {
        int32_t entry[EWI_PRIVATE];
        int column = round < EWI_ROUNDS ? round : 0;
        if (limits_on_load && round == EWI_ROUNDS) {
            EWI_BARRIER; /* until now others read means in the place where copy_late copies */
        }
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            entry[mine] = own[mine].halo[0];
            EWI_UNROLL for (int k = 1; k < EWI_ROUNDS; k++)
                entry[mine] = round == k ? own[mine].halo[k] : entry[mine];
            if (round >= EWI_ROUNDS) /* what there was no room for: few sides of few blocks */
                entry[mine] =
                    EWI_K(copy_late)(call, at, shared, block, round, column, EWI_K(thread_of)(limits_on_load, mine));
        }
        for (int mine = 0; limits_on_load && mine < EWI_PRIVATE; mine++)
            EWI_K(limit_halo)(call, at, shared, block, entry[mine], round, column, &own[mine],
                              EWI_K(thread_of)(limits_on_load, mine));
        for (int mine = 0; mine < EWI_PRIVATE; mine++) {
            int thread = EWI_K(thread_of)(limits_on_load, mine);
            if (entry[mine] >= 0 && thread % 4 < EWI_M)
                EWI_K(halo_trace)(jump_sensor, call, at, shared, entry[mine], round, column, thread);
        }
    }
}

EWI_DEVICE void EWI_K(own_traces)(const struct ewi_fused_memory *at, double *shared, const struct EWI_K(kept) *own,
                                  int thread)
{
    EWI_UNROLL for (int point = 0; point < 3 * EWI_NE; point++)
    {
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, point / EWI_NE, thread) + point % EWI_NE * EWI_STRIDE;
        double u[2 * EWI_PAIRS];
        EWI_UNROLL for (int m = 0; m < 2 * EWI_PAIRS; m++)
        {
            u[m] = 0.0;
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_TABLE(SIDE)[point * EWI_NP + j], m < EWI_M ? own->c[m < EWI_M ? m : 0][j] : 0.0,
                               u[m]);
        }
        EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
            ewi_put_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), u[2 * pair], u[2 * pair + 1]);
    }
}

EWI_DEVICE void EWI_K(traces)(int jump_sensor, int limits_on_load, const struct ewi_cuda_stage *call,
                              const struct ewi_fused_memory *at, double *shared, const struct ewi_fused_block *block,
                              const struct EWI_K(kept) *own)
{
    EWI_K(halo_traces)(jump_sensor, limits_on_load, call, at, shared, block, own);
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(own_traces)(at, shared, &own[mine], ewi_thread(mine));
}

/* ---- integrals ---- */

EWI_DEVICE void EWI_K(volume_of)(const struct ewi_cuda_stage *call, int number, struct EWI_K(kept) *own, int thread)
{
    int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + thread;
    i = i < call->a.padded ? i : call->a.padded - 1;
    const double *fields = EWI_FIELDS ? call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i) : 0;
    double fr[EWI_NQ][EWI_M], fs[EWI_NQ][EWI_M]; /* one group of points */
    EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
    {
        double u[EWI_M], field[EWI_FIELD_ROOM];
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        {
            u[m] = 0.0;
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_PHI(q, j), own->c[m][j], u[m]);
        }
        for (int f = 0; f < EWI_FIELDS; f++)
            field[f] = fields[(q * EWI_FIELDS + f) * EWI_TILE];
        EWI_L(volume_flux)(call->a.parameter, field, u, own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR],
                           own->shape[EWI_YS], fr[q], fs[q]);
    }
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
    {
        own->sum[EWI_K(sum_at)(m, 0)] = 0.0;
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
        {
            double sum = 0.0;
            EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                sum = ewi_fma(EWI_DR(q, j), fr[q][m], sum);
            EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                sum = ewi_fma(EWI_DS(q, j), fs[q][m], sum);
            own->sum[EWI_K(sum_at)(m, j)] = sum;
        }
    }
}

EWI_DEVICE void EWI_K(volume)(const struct ewi_cuda_stage *call, const struct ewi_fused_memory *at,
                              const double *shared,
                              int number, struct EWI_K(kept) *own)
{
    (void)at, (void)shared;
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(volume_of)(call, number, &own[mine], ewi_thread(mine));
}

EWI_DEVICE void EWI_K(lift_of)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own,
                               int thread)
{
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        int place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, thread);
        double f[EWI_NE][2 * EWI_PAIRS];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                ewi_get_pair(shared + at->own + 2 * (pair * EWI_PLANE + place + e * EWI_STRIDE), &f[e][2 * pair],
                             &f[e][2 * pair + 1]);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            {
                double side = 0.0;
                EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
                    side = ewi_fma(EWI_SIDE(k, e, j), f[e][m], side);
                own->sum[EWI_K(sum_at)(m, j)] = own->sum[EWI_K(sum_at)(m, j)] + side;
            }
    }
}

EWI_DEVICE void EWI_K(lift)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *own)
{
    for (int mine = 0; mine < EWI_PRIVATE; mine++)
        EWI_K(lift_of)(at, shared, &own[mine], ewi_thread(mine));
}
