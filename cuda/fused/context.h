/* SPDX-License-Identifier: BSD-2-Clause */
/* The fused set's kernels: constants of a variant, a thread's private numbers, and the context that functions share. */
#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)
#define EWI_PAIRS ((EWI_M + 1) / 2)
#define EWI_EDGE_PAIRS ((EWI_EDGE_VALUES + 1) / 2) /* at a point of an edge */
#define EWI_TABLES EWI_FUSED_TABLES(EWI_VARIANT)
#define EWI_BLOCK_ELEMENTS EWI_FUSED_ELEMENTS(EWI_VARIANT)
#define EWI_STRIDE EWI_FUSED_STRIDE(EWI_VARIANT)
#define EWI_OWN EWI_FUSED_OWN(EWI_VARIANT, EWI_NE)
#define EWI_PLANE EWI_FUSED_PLANE(EWI_VARIANT, EWI_NE)
#define EWI_ROUNDS EWI_FUSED_ROUNDS(EWI_VARIANT)
#define EWI_SIDES_A_ROUND EWI_FUSED_SIDES_A_ROUND(EWI_VARIANT)
/* Where threads have few registers. */
#define EWI_APART_IF_LIMITING (EWI_FUSED_HELD(EWI_VARIANT) > 2)
#define EWI_LIMITED_AT_ONCE (EWI_FUSED_HELD(EWI_VARIANT) > 2 ? 1 : EWI_M) /* variables of an element */
/* Variables per lane when it limits a halo cell. */
#define EWI_LANE_VARIABLES (EWI_MATRIX ? 1 : 2)
/*
 * True if a stage prefetches the arrays that its update reads. By measurement, a stage whose threads have an element
 * each and many registers should not; nor should one that limits on load, unless its flux takes long. A stage that does
 * not prefetch stores limited slopes without their means, which the unlimited state still has. That saves a third of
 * the writes, but leaves too many pieces to prefetch.
 */
#define EWI_PREFETCH (EWI_MATRIX || EWI_FUSED_HELD(EWI_VARIANT) > 2)
#define EWI_LIMIT_ON_LOAD_PREFETCH(operations) (EWI_MATRIX || EWI_FUSED_TAKES_LONG(operations))
#define EWI_NO_LIMITER (-1) /* where a limiter's number is expected */
#define EWI_WARP_TILES (EWI_BLOCK_ELEMENTS / EWI_TILE / EWI_FUSED_WARPS(EWI_VARIANT))
/* A thread's rows of an element, and how many sums it has of them. */
#define EWI_OWN_ROWS (EWI_MATRIX ? EWI_FUSED_KS(EWI_NP) : EWI_NP)
#define EWI_SUMS (EWI_MATRIX ? EWI_PAIRS * EWI_FUSED_GJ(EWI_NP) * 4 : EWI_ROWS)

/* A thread's private numbers between barriers. */
struct EWI_K(thread) {
    double c[EWI_M][EWI_OWN_ROWS];
    double outside[EWI_M][EWI_OWN_ROWS]; /* of the side of the halo that it handles */
    double sum[EWI_SUMS]; /* where: EWI_K(sum_at) */
    double start[EWI_M][EWI_OWN_ROWS]; /* what the update begins with, if it is loaded early */
    double shape[EWI_FUSED_SHAPE];
    int32_t halo[EWI_ROUNDS];
    /* Stages that limit on load: whether the limiter is pending, and means of the neighbours of a lane's halo cell. */
    int limiter_pending;
    double halo_mean[EWI_LANE_VARIABLES][2];
    double largest;
};

#define EWI_THREAD_DOUBLES ((int)(sizeof(struct EWI_K(thread)) / sizeof(double)))

/*
 * The context of a stage's functions: what the kernel is given, where things lie in shared memory (shared.h), what the
 * kernel fuses, which are constants to the compiler, and the current block. A thread's functions also take its number
 * and its private numbers `own`; those of a whole block take all threads' as an array (ewi_cuda_device.h).
 */
struct EWI_K(context) {
    const struct ewi_cuda_stage *call;
    const double *parameter; /* of the law */
    struct ewi_fused_memory at;
    int64_t grid_block;
    int flux, positive, jump_sensor, limits_on_load, limiter, prefetch; /* limiter: number of EWI_LIMITERS */
    int plain;   /* a stage of plain steps (stage_kernels.h) */
    int touched; /* whether the current block has touched edges (limiter/subcell.h) */
    const struct ewi_fused_block *block; /* in shared memory */
};

/*
 * Where things lie in shared memory: constants, but for what depends on the mesh. Threads with an element of their own
 * have no registers for that and read it from the call, whose numbers are operands; four lanes compute it once.
 */
EWI_DEVICE struct ewi_fused_memory EWI_K(memory)(const struct ewi_cuda_stage *call)
{
    struct ewi_fused_memory at =
        ewi_fused_memory(EWI_VARIANT, EWI_M, EWI_EDGE_VALUES, EWI_NP, EWI_NQ, EWI_NE, call->halo_room, call->edge_room);
    if (!EWI_MATRIX) {
        at.outer_plane = call->memory.outer_plane;
        at.edges = call->memory.edges;
        at.first = call->memory.first;
        at.jump = call->memory.jump;
        at.neighbours = call->memory.neighbours;
        at.halo_neighbours = call->memory.halo_neighbours;
    }
    return at;
}

/* A stage without a flux, which fuses nothing; a kernel sets what it knows. */
EWI_DEVICE struct EWI_K(context) EWI_K(context_of)(const struct ewi_cuda_stage *call, int64_t grid_block)
{
    struct EWI_K(context) ctx;
    ctx.call = call;
    ctx.parameter = call->a.parameter;
    ctx.at = EWI_K(memory)(call);
    ctx.grid_block = grid_block;
    ctx.flux = ctx.positive = ctx.jump_sensor = ctx.limits_on_load = ctx.limiter = ctx.prefetch = 0;
    ctx.block = NULL;
    ctx.plain = ctx.touched = 0;
    return ctx;
}

/*
 * A thread's number. A stage that limits has no registers for what depends on it alone, which the compiler would keep
 * from block to block, and spill.
 */
EWI_DEVICE int EWI_K(thread_of)(const struct EWI_K(context) *ctx, int mine)
{
    return ctx->limits_on_load ? ewi_recompute(ewi_thread(mine)) : ewi_thread(mine);
}

/* True if stages store limited slopes without their means; see EWI_PREFETCH. */
EWI_DEVICE int EWI_K(slopes_only)(const struct EWI_K(context) *ctx) { return ctx->limits_on_load && !ctx->prefetch; }

/* The place in the list of a thread block's block number `iteration`. */
EWI_DEVICE int EWI_K(place_at)(const struct EWI_K(context) *ctx, int iteration)
{
    return iteration * ctx->call->grid + (int)ctx->grid_block;
}
