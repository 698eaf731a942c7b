/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of vector variants (p = 1 on all but small meshes): each has an element of its own. As lanes_matrix.h. */

/* ---- which element and rows a thread has ---- */

EWI_DEVICE int EWI_K(element_of)(int thread) { return thread; }
EWI_DEVICE int EWI_K(item_of)(int thread) { return thread % EWI_TILE; }
EWI_DEVICE int EWI_K(lane_of)(int thread) { return 2 * EWI_K(item_of)(thread); }

EWI_DEVICE int EWI_K(basis_of)(int q, int thread)
{
    (void)thread;
    return q;
}

EWI_DEVICE int EWI_K(own_row)(int m, int q, int thread)
{
    int e = thread % EWI_TILE;
    return ewi_fused_row(0, EWI_M, EWI_NP, m, 0, q, e) - 2 * e;
}

EWI_DEVICE int EWI_K(sum_at)(int m, int q) { return m * EWI_NP + q; }

/* ---- rows to and from a state ---- */

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

EWI_APART void EWI_K(add_rows)(const double *row, double *sum, int thread)
{
    double x[EWI_M][EWI_OWN_ROWS];
    EWI_K(load_rows)(row, row, 0, EWI_M, thread, x);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            sum[EWI_K(sum_at)(m, q)] = sum[EWI_K(sum_at)(m, q)] + x[m][q];
}

/* Adds the rows of an array to the sums, by way of memory: all stages would pay for the registers that it takes. */
EWI_DEVICE void EWI_K(add_to_sums)(const double *row, struct EWI_K(thread) *own, int thread)
{
    double sum[EWI_SUMS];
    EWI_UNROLL for (int k = 0; k < EWI_SUMS; k++)
        sum[k] = own->sum[k];
    EWI_K(add_rows)(row, sum, thread);
    EWI_UNROLL for (int k = 0; k < EWI_SUMS; k++)
        own->sum[k] = sum[k];
}

EWI_DEVICE void EWI_K(store_rows)(double *row, const struct EWI_K(thread) *own, int thread)
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

EWI_DEVICE void EWI_K(store_limited)(int slopes_only, double *row, const struct EWI_K(thread) *own, int thread)
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

/* ---- from shared memory, and to it; shapes come from global memory ---- */

EWI_DEVICE void EWI_K(take_own)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    const double *row = EWI_K(staged)(ctx) + EWI_K(tile_of)(thread) + EWI_K(lane_of)(thread);
    EWI_K(load_rows)(row, row, 0, EWI_M, thread, own->c);
}

EWI_DEVICE void EWI_K(take_shape)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    int64_t i = (int64_t)ctx->block->number * EWI_BLOCK_ELEMENTS + thread;
    i = i < ctx->call->a.padded ? i : ctx->call->a.padded - EWI_TILE + thread % EWI_TILE;
    const double *shape = ctx->call->shape + ewi_layout_base(EWI_TILE, EWI_FUSED_SHAPE, i);
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE];
}

/* Numbers of an element's two variables from `first` on, of which a pair is together where their number is even. */
EWI_DEVICE void EWI_K(get_two)(const double *tile, int first, int j, int e, double *a, double *b)
{
    if (EWI_M % 2 == 0) {
        ewi_get_pair(tile + EWI_K(row)(first, j, e), a, b);
    } else {
        int second = first + 1 < EWI_M ? first + 1 : first; /* no second variable: the first one twice */
        *a = tile[EWI_K(row)(first, j, e)];
        *b = tile[EWI_K(row)(second, j, e)];
    }
}

/* Four lanes copy the element behind a side, two rows at a time. */
EWI_DEVICE void EWI_K(copy_side)(const struct EWI_K(context) *ctx, int32_t entry, int round, int thread)
{
    enum { PAIRS = EWI_ROWS / 2, LAST = EWI_ROWS - 1 };
    int item = (entry >> 2) % EWI_TILE, side = EWI_K(side_of)(thread) % 8, t = thread % 4;
    const double *source = EWI_K(state_of)(ctx, entry >> 2) + EWI_K(tile_of)(entry >> 2);
    double *target = EWI_K(copied)(ctx, round, thread);
    if (EWI_HAS_DIFFUSION)
        EWI_K(copy_map)(ctx, entry, round, thread);
    EWI_UNROLL for (int x = 0; x < PAIRS; x += 4)
    {
        if (x + 4 <= PAIRS || x + t < PAIRS)
            ewi_copy_16(target + 2 * EWI_TILE * (x + t) + 2 * side, source + 2 * EWI_TILE * (x + t) + 2 * item);
    }
    if (EWI_ROWS % 2 != 0 && t == 0)
        ewi_copy_8(target + EWI_TILE * LAST + side, source + EWI_TILE * LAST + item);
}
