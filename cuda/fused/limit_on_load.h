/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limiters by cell means (kernels/limit.h), and stages that apply one when they load a state: the stage before stores
 * its new state unlimited; this one limits it for its own elements and for those behind the halo. The means of
 * neighbours of own elements are in shared memory, as those of the block and its halo are; those of neighbours of the
 * halo come from the state.
 */

/* a / b where it is `wanted`, for |a| <= |b|, and 1 elsewhere; clears *sure if the bits may be wrong. */
EWI_DEVICE double EWI_K(quotient)(int wanted, double a, double b, int *sure)
{
#ifdef EWI_QUICK_ARITHMETIC
    int good;
    double quotient = ewi_quick_part(a, b, &good);
    *sure &= !wanted | good;
    return wanted ? quotient : 1.0;
#else
    (void)sure;
    return wanted ? a / b : 1.0;
#endif
}

/*
 * The bits of limit_factor, where it is `sure` of them, by one division: that of the smaller quotient. a/b < c/d is
 * decided by a*d < c*b. Rounding reverses neither comparison; if both products round to the same value or one is NaN,
 * the result is not sure. Where all means are equal, as in gas at rest, both quotients are 0 and the second one counts.
 */
EWI_DEVICE double EWI_K(quick_factor)(int limiter, const double *c, const double *other, int *sure)
{
    struct EWI_K(reach) r = EWI_K(reach_of)(limiter, c, other);
    int over = r.above > r.room_above, under = r.room_below > r.below;
    double of_above = over & under ? r.room_above * -r.below : -1.0, of_below = -r.room_below * r.above;
    int first = of_below > of_above;
    *sure = first | (of_above > of_below) | (r.room_above == r.room_below);
    first &= over;
    return EWI_K(quotient)(over | under, first ? r.room_above : r.room_below, first ? r.above : r.below, sure);
}

/*
 * Limiter factors of some of an element's variables, from the means of its neighbours. Quotients have no branches where
 * their bits are sure, so that none waits for another one.
 */
EWI_DEVICE void EWI_K(factors)(int limiter, int count, double (*c)[EWI_NP], double (*other)[3], double *alpha)
{
    int all = 1;
    EWI_UNROLL for (int m = 0; m < count; m++)
    {
        int sure;
        alpha[m] = EWI_K(quick_factor)(limiter, c[m], other[m], &sure);
        all &= sure;
    }
    if (!all)
        EWI_UNROLL for (int m = 0; m < count; m++)
            alpha[m] = EWI_K(limit_factor)(limiter, c[m], other[m]);
}

/* Slopes by their factors. */
EWI_DEVICE void EWI_K(scale_slopes)(int count, const double *alpha, double (*c)[EWI_NP])
{
    EWI_UNROLL for (int m = 0; m < count; m++)
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            c[m][j] = alpha[m] * c[m][j];
}

/* A variable's slopes of an element whose tile in the order of states is here. */
EWI_DEVICE void EWI_K(limit_variable)(int limiter, int m, double *tile, int e, const double *other)
{
    double c[1][EWI_NP], neighbour[1][3] = {{other[0], other[1], other[2]}}, alpha[1];
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        c[0][j] = tile[EWI_K(row)(m, j, e)];
    EWI_K(factors)(limiter, 1, c, neighbour, alpha);
    EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
        tile[EWI_K(row)(m, j, e)] = alpha[0] * c[0][j];
}

/* ---- on load ---- */

/* Address of a variable's mean in one of the two further neighbours of a halo cell. */
EWI_DEVICE const double *EWI_K(halo_neighbour_mean)(const struct ewi_cuda_stage *call, uint64_t halo_neighbours,
                                                    int last, int m)
{
    return call->state + EWI_K(at)(0, ewi_fused_halo_neighbour(halo_neighbours, last), m, 0);
}

/* A mean that was not copied for lack of room. Not inlined: other threads would wait for this load, too. */
EWI_APART double EWI_K(late_mean)(const double *mean) { return *mean; }

/*
 * First coefficients, from variable `first` on, of the neighbour at a place of ewi_fused_neighbour, from the copy in
 * shared memory if there was room for it.
 */
EWI_DEVICE void EWI_K(neighbour_means)(const struct EWI_K(context) *ctx, int place, int first, int count,
                                       double *mean)
{
    if (place < EWI_BLOCK_ELEMENTS + EWI_ROUNDS * EWI_SIDES_A_ROUND) {
        const double *tile = EWI_K(staged)(ctx) + EWI_K(tile_of)(place);
        EWI_UNROLL for (int m = 0; m < count; m++)
            mean[m] = tile[EWI_K(row)(first + m, 0, place % EWI_TILE)];
    } else {
        int64_t element = ctx->call->halo[ctx->block->halo_first + place - EWI_BLOCK_ELEMENTS] >> 2;
        EWI_UNROLL for (int m = 0; m < count; m++)
            mean[m] = EWI_K(late_mean)(ctx->call->state + EWI_K(at)(0, element, first + m, 0));
    }
}

/* Orders means by sides, as limit_c does: `here` on side `side`, then the further neighbours. */
EWI_DEVICE void EWI_K(by_sides)(int side, double here, double next, double last, double *other)
{
    other[0] = side == 0 ? here : side == 1 ? last : next;
    other[1] = side == 1 ? here : side == 2 ? last : next;
    other[2] = side == 2 ? here : side == 0 ? last : next;
}

/* Limits a halo cell that has been copied: each of its four lanes has a variable. */
EWI_DEVICE void EWI_K(limit_halo)(const struct EWI_K(context) *ctx, int32_t entry, int round, int column,
                                  const struct EWI_K(thread) *own, int thread)
{
    int m = thread % 4, place = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    EWI_WARP_BARRIER; /* copied by the four of them */
    if (entry >= 0 && m < EWI_M && own->limiter_pending) {
        double next = own->halo_mean[0][0], last = own->halo_mean[0][1], other[3];
        uint64_t halo_neighbours;
        if (EWI_MATRIX && round < EWI_ROUNDS)
            halo_neighbours = EWI_K(copied_halo_neighbours)(ctx, place);
        else {
            halo_neighbours = ctx->call->halo_neighbours[ctx->block->halo_first + place];
            next = EWI_K(late_mean)(EWI_K(halo_neighbour_mean)(ctx->call, halo_neighbours, 0, m));
            last = EWI_K(late_mean)(EWI_K(halo_neighbour_mean)(ctx->call, halo_neighbours, 1, m));
        }
        int here = ewi_fused_halo_own(halo_neighbours);
        EWI_K(by_sides)(entry & 3, EWI_K(staged)(ctx)[EWI_K(tile_of)(here) + EWI_K(row)(m, 0, here % EWI_TILE)], next,
                        last, other);
        EWI_K(limit_variable)(ctx->limiter, m, EWI_K(copied)(ctx, column, thread), EWI_K(side_of)(thread) % 8, other);
    }
    EWI_WARP_BARRIER;
}

/* Stores the limited state for later stages; with slopes only, without its means, which the state still has. */
EWI_DEVICE void EWI_K(leave_limited)(const struct EWI_K(context) *ctx, const struct EWI_K(thread) *own, int thread)
{
    int64_t element = (int64_t)ctx->block->number * EWI_BLOCK_ELEMENTS + EWI_K(element_of)(thread);
    if (element < ctx->call->a.padded)
        EWI_K(store_limited)(EWI_K(slopes_only)(ctx),
                             ctx->call->limited + EWI_K(tile_of)(element) + EWI_K(lane_of)(thread), own, thread);
}
