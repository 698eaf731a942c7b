/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one law and one order: loops over the shared bodies, and the fused stage. */
#include "kernels/begin.h"

#include "kernels/rows.h"
#include "kernels/trace.h"
#include "kernels/media.h"
#include "kernels/wall.h"
#include "kernels/boundary_states.h"
#include "kernels/diffusion.h"
#include "kernels/touched.h"
#include "kernels/eval_outflow.h"
#include "kernels/eval_volume.h"
#include "kernels/eval_surface.h"

#include "kernels/source_point.h"
#include "kernels/eval_source.h"

#include "kernels/eval_rhs.h"
#include "kernels/positive.h"
#include "kernels/step_rate.h"
#include "kernels/eval_means.h"
#include "kernels/limit.h"
#include "element_loops.h"
#include "subcell_loops.h"
#include "fused.h"

static void EWI_K(loop_outflow)(const struct ewi_arguments *a, const double *state, int ghost, double time,
                                double *outflow, int64_t first, int64_t last)
{
    for (int64_t s = first; s < last; s += EWI_LANES)
        EWI_K(eval_outflow)(a, state, ghost, time, outflow, s);
}

static void EWI_K(loop_update)(const struct ewi_arguments *a, const struct ewi_update *update, const double *rhs,
                               double *target, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES) {
        int64_t base = ewi_layout_base(a->width, EWI_ROWS, i);
        for (int row = 0; row < EWI_ROWS; row++) {
            int64_t offset = base + row * a->width;
            ewi_store(target + offset, ewi_updated(update, update->terms, offset, ewi_load(rhs + offset)));
        }
    }
}

static void EWI_K(loop_jump_sensor)(const struct ewi_arguments *a, const struct ewi_limiting *with, const double *state,
                                    double *sensor, int64_t first, int64_t last)
{
    for (int64_t s = first; s < last; s += EWI_LANES)
        EWI_K(jump_sensor)(with->limiter->number, a, state, sensor, s);
}

static void EWI_K(loop_limit)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                              int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES) {
        if (with->limiter->kind == EWI_LIMITER_CELL_MEANS)
            EWI_K(limit_elements)(with->limiter->number, a, state, i);
        else
            EWI_K(damp_elements)(with->limiter->number, a, with, state, i);
        if (with->positive)
            EWI_K(make_positive)(a, state, a->width, EWI_K(place)(a->width, i));
    }
}

/* The traces of a tile's own sides, and those behind its border; returns the place of the ghosts. */
static double *EWI_K(tile_traces)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                                  const double *behind, int32_t tile, double *traces)
{
    int64_t first = tiles->first[tile], last = tiles->first[tile + 1];
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(fused_traces)(a, state, i, traces + (i - first) * (3 * EWI_NE * EWI_COMPONENTS));
    double *outside = traces + (int64_t)tiles->size * (3 * EWI_NE * EWI_COMPONENTS);
    return EWI_K(fused_behind)(tiles, behind, tile, outside);
}

static int64_t EWI_K(stage)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                            const double *behind, const struct ewi_update *update, double *target, double *border,
                            const struct ewi_limiting *with, int64_t elements, int32_t tile, double *scratch)
{
    double *traces = scratch, *jumps = scratch + tiles->jumps;
    int64_t first = tiles->first[tile], last = tiles->first[tile + 1];
    double *ghosts = EWI_K(tile_traces)(a, tiles, state, behind, tile, traces);
    EWI_K(fused_ghosts)(a, tiles, tile, state, traces, ghosts);
    if (with->jump_sensor)
        EWI_K(fused_jumps)(with->limiter->number, a, tiles, tile, state, traces, jumps);
    EWI_K(fused_all_fluxes)(a, tiles, tile, traces);
    EWI_K(close_sides)(tiles, tile, traces);

    bool waits = with->first && ewi_streams(tiles, update, target);
    int64_t inadmissible = -1;
    for (int64_t i = first; i < last; i += EWI_TILE) {
        _Alignas(64) double here[EWI_ROWS * EWI_TILE];
        double *now = waits ? EWI_K(waiting)(tiles, i, scratch) : here;
        EWI_K(fused_elements)(a, tiles, state, traces + (i - first) * (3 * EWI_NE * EWI_COMPONENTS),
                              jumps + 6 * (i - first), update, target, border, with, i, now);
        for (int lane = 0; lane < EWI_TILE && inadmissible < 0; lane += EWI_LANES) {
            int64_t at = EWI_K(first_inadmissible)(EWI_K(eval_admissible)(a, now, lane), elements - i, lane);
            inadmissible = at >= 0 ? i + at : -1;
        }
    }
    if (tiles->streams)
        ewi_streamed();
    return inadmissible;
}

static void EWI_K(edge_rhs)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                            const double *behind, double *rhs, int32_t tile, double *traces)
{
    int64_t first = tiles->first[tile], last = tiles->first[tile + 1];
    EWI_K(tile_traces)(a, tiles, state, behind, tile, traces);
    EWI_K(fused_all_fluxes)(a, tiles, tile, traces);
    EWI_K(close_sides)(tiles, tile, traces);
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(fused_edges)(a, traces + (i - first) * (3 * EWI_NE * EWI_COMPONENTS), i,
                           rhs + ewi_layout_base(EWI_TILE, EWI_ROWS, i));
}

static void EWI_K(damp_tile)(const struct ewi_arguments *a, const struct ewi_tiles *tiles,
                             const struct ewi_limiting *with, const double *behind, double *state, int32_t tile,
                             double *scratch)
{
    double *traces = scratch, *jumps = scratch + tiles->jumps;
    int64_t first = tiles->first[tile], last = tiles->first[tile + 1];
    EWI_K(tile_traces)(a, tiles, state, behind, tile, traces);
    EWI_K(fused_jumps)(with->limiter->number, a, tiles, tile, state, traces, jumps);
    for (int32_t k = tiles->closed_first[tile]; k < tiles->closed_first[tile + 1]; k++)
        for (int which = 0; which < 2; which++)
            jumps[tiles->closed[k] / (EWI_NE * EWI_COMPONENTS) * 2 + which] = 0.0;
    for (int64_t i = first; i < last; i += EWI_LANES) {
        double *block = state + i / EWI_TILE * (EWI_ROWS * EWI_TILE);
        int lane = (int)(i % EWI_TILE);
        EWI_K(fused_damp)(a, with, jumps + 6 * (i - first), block, lane, i);
        if (with->positive)
            EWI_K(make_positive)(a, block, EWI_TILE, lane);
    }
}

static void EWI_K(limit_due)(const struct ewi_arguments *a, const struct ewi_tiles *tiles,
                             const struct ewi_limiting *with, bool streams, double *target, double *border,
                             int32_t from, int32_t to, double *scratch)
{
    for (int32_t k = from; k < to; k++) {
        int64_t i = (int64_t)tiles->due[k] * EWI_TILE;
        double *now = streams ? EWI_K(waiting)(tiles, i, scratch) : target + i * EWI_ROWS;
        EWI_K(fused_limit)(a, with, i, now);
        if (streams)
            EWI_K(copy_block)(true, now, target + i * EWI_ROWS);
        EWI_K(fused_border)(a, tiles, now, i, border);
    }
    if (streams)
        ewi_streamed();
}

static void EWI_K(loop_border)(const struct ewi_arguments *a, const struct ewi_tiles *tiles, const double *state,
                               double *border, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_TILE)
        EWI_K(fused_border)(a, tiles, state + i * EWI_ROWS, i, border);
}

static const struct ewi_omp_kernels EWI_K(kernels) = {
    .lanes = EWI_LANES,
    .eval_volume = EWI_K(loop_volume),
    .eval_surface = EWI_K(loop_surface),
    .eval_source = EWI_K(loop_source),
    .eval_outflow = EWI_K(loop_outflow),
    .eval_rhs = EWI_K(loop_rhs),
    .update = EWI_K(loop_update),
    .jump_sensor = EWI_K(loop_jump_sensor),
    .limit = EWI_K(loop_limit),
    .sense = EWI_K(loop_sense),
    .divide = EWI_K(loop_divide),
    .touched_fluxes = EWI_K(loop_touched),
    .lift_volumes = EWI_K(loop_lift),
    .make_positive = EWI_K(loop_positive),
    .speed = EWI_K(loop_speed),
    .inadmissible = EWI_K(loop_inadmissible),
    .tile = EWI_TILE_SIZE,
    .components = EWI_COMPONENTS,
    .stage = EWI_K(stage),
    .edge_rhs = EWI_K(edge_rhs),
    .damp_tile = EWI_K(damp_tile),
    .limit_due = EWI_K(limit_due),
    .border = EWI_K(loop_border),
};

#undef EWI_COMPONENTS
#undef EWI_TRACE_VALUES
#undef EWI_FLUX_VALUES
#undef EWI_MOST_VALUES
#undef EWI_SIDE_VECTORS
#undef EWI_PAUSES
#include "kernels/end.h"
