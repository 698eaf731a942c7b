/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits on load in matrix variants, in shared memory: each of an element's four lanes has a variable. */

EWI_DEVICE void EWI_K(limit_staged)(const struct EWI_K(context) *ctx, uint32_t neighbours,
                                    const struct EWI_K(thread) *own, int thread)
{
    int here = EWI_K(element_of)(thread), m = thread % 4;
    if (m < EWI_M && own->limiter_pending) {
        double other[3];
        EWI_UNROLL for (int k = 0; k < 3; k++)
            EWI_K(neighbour_means)(ctx, ewi_fused_neighbour(neighbours, k), m, 1, &other[k]);
        EWI_K(limit_variable)(ctx->limiter, m, EWI_K(staged)(ctx) + EWI_K(tile_of)(here), EWI_K(item_of)(thread),
                              other);
    }
    EWI_WARP_BARRIER;
}

EWI_DEVICE void EWI_K(limit_taken)(const struct EWI_K(context) *ctx, uint32_t neighbours, struct EWI_K(thread) *own)
{
    (void)ctx, (void)neighbours, (void)own;
}

/* Loads the means of the neighbours of a round's halo cells before they are needed: a lane has a variable. */
EWI_DEVICE void EWI_K(load_halo_means)(const struct EWI_K(context) *ctx, struct EWI_K(thread) *own, int thread)
{
    int side = EWI_K(side_of)(thread), m = thread % 4;
    if (side >= ctx->block->halos || m >= EWI_M)
        return;
    uint64_t halo_neighbours = EWI_K(copied_halo_neighbours)(ctx, side);
    EWI_UNROLL for (int last = 0; last < 2; last++)
        own->halo_mean[0][last] = *EWI_K(halo_neighbour_mean)(ctx->call, halo_neighbours, last, m);
}

/* The sides of the halo of a round. */
EWI_DEVICE void EWI_K(limit_round)(const struct EWI_K(context) *ctx, const int32_t *entry, int round,
                                   const struct EWI_K(thread) *own)
{
    for (int mine = 0; ctx->limits_on_load && mine < EWI_PRIVATE; mine++)
        EWI_K(limit_halo)(ctx, entry[mine], round, 0, &own[mine], ewi_thread(mine));
}
