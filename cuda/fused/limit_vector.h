/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits on load in vector variants, in registers, not in shared memory: a thread has an element. */

EWI_DEVICE void EWI_K(limit_staged)(const struct EWI_K(context) *ctx, uint32_t neighbours,
                                    const struct EWI_K(thread) *own, int thread)
{
    (void)ctx, (void)neighbours, (void)own, (void)thread;
}

EWI_DEVICE void EWI_K(limit_taken)(const struct EWI_K(context) *ctx, uint32_t neighbours, struct EWI_K(thread) *own)
{
    if (!own->limiter_pending)
        return;
    EWI_UNROLL for (int first = 0; first < EWI_M; first += EWI_LIMITED_AT_ONCE)
    {
        const int count = first + EWI_LIMITED_AT_ONCE < EWI_M ? EWI_LIMITED_AT_ONCE : EWI_M - first;
        double mean[EWI_M], other[EWI_M][3], alpha[EWI_M];
        EWI_UNROLL for (int k = 0; k < 3; k++)
        {
            EWI_K(neighbour_means)(ctx, ewi_fused_neighbour(neighbours, k), first, count, mean);
            EWI_UNROLL for (int m = 0; m < count; m++)
                other[m][k] = mean[m];
        }
        EWI_K(factors)(ctx->limiter, count, own->c + first, other, alpha);
        EWI_K(scale_slopes)(count, alpha, own->c + first);
    }
}

/*
 * Loads the means of the neighbours of halo cells before they are needed: two lanes have a side, and two variables
 * each.
 */
EWI_DEVICE void EWI_K(load_halo_means)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    int first = thread % 2 * 2;
    if (thread / 2 >= ctx->block->halos || first >= EWI_M)
        return;
    uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(ctx, thread / 2);
    EWI_UNROLL for (int last = 0; last < 2; last++)
    {
        int64_t element = ewi_fused_halo_neighbour(halo_neighbours, last);
        EWI_K(get_two)(ctx->call->state + EWI_K(tile_of)(element), first, 0, (int)(element % EWI_TILE),
                       &own->halo_mean[0][last], &own->halo_mean[1][last]);
    }
}

/* Two variables' slopes of an element behind a side of the halo; c: their coefficients. */
EWI_DEVICE void EWI_K(limit_two)(const struct EWI_K(context) *ctx, uint64_t halo_neighbours, int first,
                                 const struct EWI_K(thread) *own, double (*c)[EWI_NP])
{
    const int here = ewi_fused_halo_own(halo_neighbours);
    double mean[2], other[2][3], alpha[2];
    EWI_K(get_two)(EWI_K(staged)(ctx) + EWI_K(tile_of)(here), first, 0, here % EWI_TILE, &mean[0], &mean[1]);
    EWI_UNROLL for (int m = 0; m < 2; m++)
        EWI_K(by_sides)(ewi_fused_halo_side(halo_neighbours), mean[m], own->halo_mean[m][0], own->halo_mean[m][1],
                        other[m]);
    EWI_K(factors)(ctx->limiter, 2, c, other, alpha);
    EWI_K(scale_slopes)(2, alpha, c);
}
