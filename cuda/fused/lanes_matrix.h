/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads of matrix variants (p >= 2, and p = 1 on small meshes): eight elements a warp, whose sums over basis
 * functions and points are products of small matrices (ewi_fused.h). Lane 4 g + t has element g; of a product over
 * basis functions it has j = 4 q + t, of one over points 4 q + t. What fills a product up is -0 times 0: adding -0
 * changes no sum, not even one that is -0.
 */
#define EWI_KS EWI_FUSED_KS(EWI_NP)
#define EWI_GJ EWI_FUSED_GJ(EWI_NP)

/* ---- which element and rows a thread has ---- */

EWI_DEVICE int EWI_K(element_of)(int thread) { return thread / 32 * 8 + thread % 32 / 4; } /* of the block */
EWI_DEVICE int EWI_K(item_of)(int thread) { return thread % 32 / 4; }                      /* in its tile */
/* The offset that nearly all addresses of a thread in a tile share. */
EWI_DEVICE int EWI_K(lane_of)(int thread) { return 4 * (thread % 32 / 4) + thread % 4; }
/* The basis function of its row q; there is one if it is below EWI_NP. */
EWI_DEVICE int EWI_K(basis_of)(int q, int thread) { return 4 * q + thread % 4; }

/* Where its row q of variable m lies in the tile, of element e. */
EWI_DEVICE int EWI_K(row_at)(int m, int q, int thread, int e)
{
    return ewi_fused_row(1, EWI_M, EWI_NP, m, q, thread % 4, e);
}

/* ... of its own element, behind lane_of. */
EWI_DEVICE int EWI_K(own_row)(int m, int q, int thread)
{
    int t = thread % 4, e = thread % 32 / 4;
    return ewi_fused_row(1, EWI_M, EWI_NP, m, q, t, e) - (4 * e + t);
}

/* Where that row's sum is, as products of matrices leave them. */
EWI_DEVICE int EWI_K(sum_at)(int m, int q) { return (m / 2 * EWI_GJ + q / 2) * 4 + 2 * (m % 2) + q % 2; }

EWI_DEVICE int EWI_K(has_row)(int m, int q, int thread)
{
    return EWI_K(shares)(m, q) || EWI_K(basis_of)(q, thread) < EWI_NP;
}

/* ---- rows to and from a state; `row` points to what lane_of says ---- */

EWI_DEVICE void EWI_K(load_rows)(const double *mean, const double *row, int first, int end, int thread,
                                 double (*x)[EWI_OWN_ROWS])
{
    (void)mean;
    EWI_UNROLL for (int m = first; m < end; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (!EWI_K(follows)(m, q))
                x[m][q] = EWI_K(has_row)(m, q, thread) ? row[EWI_K(own_row)(m, q, thread)] : 0.0;
}

/* Adds the rows of an array to the sums. */
EWI_DEVICE void EWI_K(add_to_sums)(const double *row, struct EWI_K(thread) *own, int thread)
{
    double x[EWI_M][EWI_OWN_ROWS];
    EWI_K(load_rows)(row, row, 0, EWI_M, thread, x);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            own->sum[EWI_K(sum_at)(m, q)] = own->sum[EWI_K(sum_at)(m, q)] + x[m][q];
}

EWI_DEVICE void EWI_K(store_rows)(double *row, const struct EWI_K(thread) *own, int thread)
{
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (!EWI_K(follows)(m, q) && EWI_K(has_row)(m, q, thread))
                row[EWI_K(own_row)(m, q, thread)] = own->sum[EWI_K(sum_at)(m, q)];
}

EWI_DEVICE void EWI_K(store_limited)(int slopes_only, double *row, const struct EWI_K(thread) *own, int thread)
{
    (void)slopes_only;
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_OWN_ROWS; q++)
            if (EWI_K(basis_of)(q, thread) < EWI_NP)
                row[EWI_K(own_row)(m, q, thread)] = own->c[m][q];
}

/* ---- from shared memory, and to it ---- */

EWI_DEVICE void EWI_K(take_own)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    const double *staged = EWI_K(staged)(ctx) + thread / 32 * (EWI_TILE * EWI_ROWS) + EWI_K(lane_of)(thread);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int q = 0; q < EWI_KS; q++)
            own->c[m][q] = EWI_K(basis_of)(q, thread) < EWI_NP ? staged[EWI_K(own_row)(m, q, thread)] : -0.0;
}

EWI_DEVICE void EWI_K(take_shape)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    const double *shape = EWI_K(shapes)(ctx) + thread / 32 * (EWI_TILE * EWI_FUSED_SHAPE);
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE + thread % 32 / 4];
}

/* A thread's number in a fragment of the table. */
EWI_DEVICE double EWI_K(fragment)(const struct EWI_K(context) *ctx, int number, int thread)
{
    return EWI_K(table)(ctx)[32 * number + thread % 32];
}

/* Four lanes copy the element behind a side: two halves of groups of four rows, and then what rows are left. */
EWI_DEVICE void EWI_K(copy_side)(const struct EWI_K(context) *ctx, int32_t entry, int round, int thread)
{
    int item = (entry >> 2) % EWI_TILE, t = thread % 4, half = 4 * EWI_TILE * (t / 2) + 2 * (t % 2);
    const int halves = 2 * ewi_fused_fours(EWI_M, EWI_NP);
    const double *source = EWI_K(state_of)(ctx, entry >> 2) + EWI_K(tile_of)(entry >> 2);
    double *target = EWI_K(copied)(ctx, round, thread);
    if (EWI_HAS_DIFFUSION)
        EWI_K(copy_map)(ctx, entry, round, thread);
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
