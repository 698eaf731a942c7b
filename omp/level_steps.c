/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface elements, their views and trials; ewi_level_steps.h says what each function does. */
#include "ewi_level_steps.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "kernels/couple.h"

#include <math.h>
#include <string.h>

/* ---- creation ---- */

bool ewi_level_steps_create(struct ewi_level_steps *steps, const struct ewi_level_plan *of,
                            const struct ewi_omp_level *level)
{
    const struct ewi_plan *plan = of->plan;
    size_t doubles = (size_t)of->coupled * (size_t)plan->rows;
    *steps = (struct ewi_level_steps){.of = of, .level = level, .scheme = plan->scheme};
    ewi_scheme_rows(plan->scheme, steps->row);
    bool complete = (steps->slope = ewi_alloc(&plan->host, doubles, sizeof(double)));
    for (int m = 0; m < plan->scheme->stages; m++) {
        complete = complete && (steps->k[m] = ewi_alloc(&plan->host, doubles, sizeof(double)));
        complete = complete && (steps->sum[m] = ewi_alloc(&plan->host, doubles, sizeof(double)));
        complete = complete && (steps->q[m] = ewi_alloc(&plan->host, doubles, sizeof(double)));
    }
    return complete;
}

void ewi_level_steps_destroy(struct ewi_level_steps *steps)
{
    if (!steps->of)
        return;
    const ew_host *host = &steps->of->plan->host;
    ewi_free(host, steps->slope);
    for (int m = 0; m < EWI_MAX_STAGES; m++) {
        ewi_free(host, steps->k[m]);
        ewi_free(host, steps->sum[m]);
        ewi_free(host, steps->q[m]);
    }
}

double ewi_level_step(const struct ewi_level_steps *steps, double macro, int k)
{
    return ldexp(macro, k + 1 - steps->of->levels);
}

/* ---- tiles ---- */

enum { SMALLEST_TILE = 64 };

/* So many tiles for a range that each thread gets the same number, unless they would be very small. */
static int32_t tiles_for(int32_t padded, int32_t size, int threads)
{
    int32_t count = (padded + size - 1) / size, even = (count + threads - 1) / threads * threads;
    return even > 1 && padded / even < SMALLEST_TILE ? count : even;
}

/* Adds the tiles of a range to the list, or only counts them. */
static void add_tiles(int32_t first, int32_t padded, int32_t count, struct ewi_tile_list *list)
{
    for (int32_t n = 0; n < count; n++, list->count++)
        if (list->first)
            list->first[list->count] = first + (int32_t)((int64_t)(padded / EWI_TILE) * n / count) * EWI_TILE;
}

static void list_tiles(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                       struct ewi_tile_list *list)
{
    int32_t plain = 0;
    list->count = 0;
    for (int k = 0; k < of->levels; k++) {
        const struct ewi_level *level = &of->level[k];
        int32_t padded = level->padded[EWI_LEVEL_PLAIN], count = padded > 0 ? tiles_for(padded, size, threads) : 0;
        for (int32_t n = 0; tiles->tile && n < count; n++) {
            tiles->tile[plain + n] = list->count + n;
            tiles->level[plain + n] = (uint8_t)k;
        }
        tiles->end[k] = plain += count;
        add_tiles(level->first[EWI_LEVEL_PLAIN], padded, count, list);
        padded = level->padded[EWI_LEVEL_INTERFACE];
        add_tiles(level->first[EWI_LEVEL_INTERFACE], padded, (padded + size - 1) / size, list);
    }
    int32_t rest = of->plan->padded - of->moving;
    add_tiles(of->moving, rest, (rest + size - 1) / size, list);
    if (list->first)
        list->first[list->count] = of->plan->padded;
}

int ewi_level_tiles_create(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                           struct ewi_tile_list *list, ew_error *error)
{
    const ew_host *host = &of->plan->host;
    *tiles = (struct ewi_level_tiles){.tile = NULL};
    *list = (struct ewi_tile_list){.first = NULL};
    list_tiles(of, size, threads, tiles, list);
    size_t plain = (size_t)tiles->end[of->levels - 1];
    list->first = ewi_alloc(host, (size_t)list->count + 1, sizeof *list->first);
    tiles->tile = ewi_alloc(host, plain + 1, sizeof *tiles->tile); /* there may be none */
    tiles->level = ewi_alloc(host, plain + 1, sizeof *tiles->level);
    if (!list->first || !tiles->tile || !tiles->level)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the tiles of levels");
    list_tiles(of, size, threads, tiles, list);
    return EW_OK;
}

void ewi_level_tiles_destroy(const ew_host *host, struct ewi_level_tiles *tiles)
{
    ewi_free(host, tiles->tile);
    ewi_free(host, tiles->level);
}

/* ---- trials ---- */

/*
 * The first one is u_0 + n (u_1 - u_0), with u_1 the first stage of a step 1/n as long as the interface element's; the
 * next one of a scheme without a_20 is u_0 + H a_21 R, with R the right-hand side in the first one.
 */
static void try_element(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage, int k,
                        int32_t at)
{
    int64_t rows = steps->of->plan->rows;
    int32_t original = steps->of->original[at];
    int64_t from = ewi_layout_base(EWI_TILE, rows, original), to = ewi_layout_base(EWI_TILE, rows, at);
    const double *base = now->state[0] + from;
    double *state = now->state[steps->scheme->stage[stage - 1].source];
    double ratio = ldexp(1.0, k - steps->of->level_of[original]);
    double weight = steps->row[1][1], step = ewi_level_step(steps, now->macro, k);
    for (int64_t row = 0; row < rows * EWI_TILE; row += EWI_TILE)
        if (stage == 2)
            state[to + row] = ratio * (state[from + row] - base[row]) + base[row];
        else
            state[to + row] = fma(step, weight * now->rhs[to + row], base[row]);
}

static void try_elements(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage, int k,
                         enum ewi_level_kind kind)
{
    const struct ewi_ranges *of = &steps->of->level[k].list[kind].elements;
#pragma omp for schedule(static) nowait
    for (int32_t n = 0; n < of->count; n++)
        for (int32_t at = of->range[n].first; at < of->range[n].last; at++)
            try_element(steps, now, stage, k, at);
}

void ewi_level_trial(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage)
{
    for (int k = 1; k <= now->top; k++) {
        try_elements(steps, now, stage, k, EWI_LEVEL_TRIAL);
        if (stage > 2)
            continue;
        try_elements(steps, now, stage, k, EWI_LEVEL_NEAR);
        try_elements(steps, now, stage, k, EWI_LEVEL_NEAR_FASTER);
    }
}

/* ---- interface elements and views ---- */

static void set_times(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int k,
                      struct ewi_coupling *coupling)
{
    const struct ewi_stage *stage = steps->scheme->stage;
    double before = k <= now->top ? 0.0 : 1.0; /* steps of the faster neighbours in the element's */
    for (int m = 0; m < coupling->stage; m++) {
        coupling->theta[m] = 0.5 * (before + stage[m].time);
        if (stage[m].time > 0.0)
            coupling->latest = m;
    }
    coupling->latest_time = stage[coupling->latest].time;
    memcpy(coupling->row, steps->row[coupling->stage - 1], sizeof coupling->row);
    coupling->own_step = ewi_level_step(steps, now->macro, k);
    coupling->view_step = ewi_level_step(steps, now->macro, k - 1);
}

/* The arrays of level k, each from its first element on. */
static void set_arrays(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int k,
                       struct ewi_coupling *coupling)
{
    const struct ewi_level *level = &steps->of->level[k];
    const struct ewi_stage *stage = &steps->scheme->stage[coupling->stage - 1];
    int64_t rows = steps->of->plan->rows, alone = level->coupled * rows;
    int64_t own = level->first[EWI_LEVEL_INTERFACE] * rows, view = level->first[EWI_LEVEL_VIEW] * rows;
    for (int m = 0; m < steps->scheme->stages; m++) {
        coupling->k[m] = steps->k[m] + alone;
        coupling->sum[m] = steps->sum[m] + alone;
        coupling->q[m] = steps->q[m] + alone;
    }
    coupling->slope = steps->slope + alone;
    coupling->own = now->rhs + own;
    coupling->of_view = now->rhs + view;
    coupling->of_sum = now->rhs + level->first[EWI_LEVEL_SUM] * rows;
    coupling->base = now->state[0] + own;
    coupling->source = now->state[stage->source] + own;
    coupling->target = now->state[stage->target] + own;
    coupling->view_base = now->state[0] + view;
    coupling->view_target = now->state[stage->target] + view;
}

/* Levels that have views which active elements see: 1 .. this. */
static int highest_seen(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    return now->top + 1 < steps->of->levels ? now->top + 1 : now->top;
}

void ewi_level_couple(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage)
{
    int64_t rows = steps->of->plan->rows;
    for (int k = 1; k <= highest_seen(steps, now); k++) {
        const struct ewi_level *level = &steps->of->level[k];
        const struct ewi_ranges *of = &level->list[EWI_LEVEL_INTERFACE].elements;
        struct ewi_coupling coupling = {.stage = stage, .stages = steps->scheme->stages, .steps = k <= now->top};
        set_times(steps, now, k, &coupling);
        set_arrays(steps, now, k, &coupling);
        int32_t first = level->first[EWI_LEVEL_INTERFACE];
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < of->count; n++)
            steps->level->couple(&coupling, (of->range[n].first - first) * rows, (of->range[n].last - first) * rows);
    }
}

bool ewi_level_is_admissible(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                             const struct ewi_paper *paper, int stage)
{
    const double *state = now->state[steps->scheme->stage[stage - 1].target];
    bool admissible = ewi_paper_is_admissible(paper, &steps->of->level[now->top].views, state);
    for (int k = 1; k <= now->top; k++)
        if (!ewi_paper_is_admissible(paper, &steps->of->level[k].list[EWI_LEVEL_INTERFACE], state))
            admissible = false;
    return admissible;
}

/* ---- copies ---- */

static void spread_means(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                         const struct ewi_ranges *of)
{
    const struct ewi_plan *plan = steps->of->plan;
    int64_t tile = (int64_t)plan->rows * EWI_TILE, variable = (int64_t)plan->basis->np * EWI_TILE;
#pragma omp for schedule(static) nowait
    for (int32_t n = 0; n < of->count; n++)
        for (int32_t at = of->range[n].first; at < of->range[n].last; at += EWI_TILE)
            for (int64_t row = at / EWI_TILE * tile; row < (at / EWI_TILE + 1) * tile; row += variable)
                for (int other = 1; other < steps->scheme->registers; other++)
                    memcpy(now->state[other] + row, now->state[0] + row, EWI_TILE * sizeof(double));
}

void ewi_level_spread_means(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    spread_means(steps, now, &steps->of->level[now->top].views.elements);
    for (int k = 0; k <= now->top; k++)
        spread_means(steps, now, &steps->of->level[k].list[EWI_LEVEL_PLAIN].elements);
}

/* Interface elements of levels whose steps end: from one kind of element to the other. */
static void copy_ending(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                        enum ewi_level_kind from, enum ewi_level_kind to)
{
    int64_t rows = steps->of->plan->rows;
    for (int k = 1; k <= now->ending; k++) {
        const struct ewi_level *level = &steps->of->level[k];
        const struct ewi_ranges *of = &level->list[to].elements;
        int64_t offset = (int64_t)(level->first[from] - level->first[to]) * rows;
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < of->count; n++) {
            double *target = now->state[0] + of->range[n].first * rows;
            memcpy(target, target + offset, (size_t)((of->range[n].last - of->range[n].first) * rows) * sizeof *target);
        }
    }
}

void ewi_level_close(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    copy_ending(steps, now, EWI_LEVEL_VIEW, EWI_LEVEL_INTERFACE);
}

void ewi_level_view(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    copy_ending(steps, now, EWI_LEVEL_INTERFACE, EWI_LEVEL_VIEW);
}
