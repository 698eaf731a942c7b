/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface elements, their views and trials; ewi_level_steps.h says what each function does. */
#include "ewi_level_steps.h"
#include "ewi_bed.h"
#include "ewi_bed_room.h"
#include "ewi_coupling.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_step_parameter.h"

#include <math.h>
#include <string.h>

/* ---- creation ---- */

/* Elements without faster neighbours give all that they have; also trials, to interface elements. */
static void set_full_rooms(const struct ewi_level_steps *steps, int k, enum ewi_level_kind kind)
{
    const struct ewi_level *level = &steps->of->level[k];
    for (int32_t n = 0; n < level->padded[kind]; n++)
        steps->room[level->first[kind] + n] = ewi_bed_room_scale(steps->of->levels, k);
}

bool ewi_level_steps_create(struct ewi_level_steps *steps, const struct ewi_level_plan *of,
                            const struct ewi_omp_level *level)
{
    const struct ewi_plan *plan = of->plan;
    size_t doubles = (size_t)of->coupled * (size_t)plan->rows;
    *steps = (struct ewi_level_steps){.of = of, .level = level, .scheme = plan->scheme};
    ewi_scheme_rows(plan->scheme, steps->row);
    size_t stages = (size_t)plan->scheme->stages * doubles;
    bool has_bed = ewi_bed_has(plan->law);
    if (has_bed && !(steps->room = ewi_alloc(&plan->host, (size_t)plan->padded, sizeof(double))))
        return false;
    for (int k = 0; has_bed && k < of->levels; k++) {
        set_full_rooms(steps, k, EWI_LEVEL_PLAIN);
        set_full_rooms(steps, k, EWI_LEVEL_TRIAL);
    }
    return (steps->slope = ewi_alloc(&plan->host, doubles, sizeof(double))) &&
           (steps->k = ewi_alloc(&plan->host, stages, sizeof(double))) &&
           (steps->sum = ewi_alloc(&plan->host, stages, sizeof(double))) &&
           (steps->q = ewi_alloc(&plan->host, stages, sizeof(double)));
}

void ewi_level_steps_destroy(struct ewi_level_steps *steps)
{
    if (!steps->of)
        return;
    const ew_host *host = &steps->of->plan->host;
    ewi_free(host, steps->room);
    ewi_free(host, steps->slope);
    ewi_free(host, steps->k);
    ewi_free(host, steps->sum);
    ewi_free(host, steps->q);
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

/* The tiles of one kind of elements of a level; no tile holds two kinds. */
struct level_kind {
    int32_t first, tiles;
};

/* Adds the tiles of a range to the list, or only counts them. */
static struct level_kind add_tiles(const struct ewi_level_plan *of, int level, enum ewi_level_kind kind, int32_t size,
                                   int threads, struct ewi_tile_list *list)
{
    int32_t first = of->level[level].first[kind], padded = of->level[level].padded[kind];
    struct level_kind added = {list->count, padded > 0 ? tiles_for(padded, size, threads) : 0};
    for (int32_t n = 0; n < added.tiles; n++, list->count++)
        if (list->first)
            list->first[list->count] = first + (int32_t)((int64_t)(padded / EWI_TILE) * n / added.tiles) * EWI_TILE;
    return added;
}

/* Appends tiles to those that stages evaluate, from place `at` on; if `tile` is NULL, only counts them. */
static int32_t add_evaluated(const struct level_kind *of, int level, enum ewi_level_kind kind, int32_t at,
                             const struct ewi_tile_list *list, struct ewi_level_tile *tile)
{
    for (int32_t n = 0; n < of->tiles; n++, at++) {
        int32_t number = of->first + n;
        if (!tile)
            continue;
        tile[at].number = number;
        tile[at].level = (uint8_t)level;
        tile[at].kind = (uint8_t)kind;
        tile[at + 1].before = tile[at].before + list->first[number + 1] - list->first[number];
    }
    return at;
}

/* Tiles are in the order of elements; those that stages evaluate are sorted by the lowest level that needs them. */
static void list_tiles(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                       struct ewi_tile_list *list)
{
    static const enum ewi_level_kind evaluated[] = {EWI_LEVEL_PLAIN, EWI_LEVEL_INTERFACE, EWI_LEVEL_SUM,
                                                    EWI_LEVEL_TRIAL};
    struct level_kind at[EW_MAX_STEP_LEVELS + 1][EWI_LEVEL_KINDS] = {{{0, 0}}};
    int32_t end = 0;
    list->count = 0;
    for (int k = 0; k < of->levels; k++)
        for (int kind = EWI_LEVEL_PLAIN; kind <= EWI_LEVEL_INTERFACE; kind++)
            at[k][kind] = add_tiles(of, k, (enum ewi_level_kind)kind, size, threads, list);
    for (int k = 0; k < of->levels; k++)
        for (int kind = EWI_LEVEL_VIEW; kind < EWI_LEVEL_GHOST; kind++)
            at[k][kind] = add_tiles(of, k, (enum ewi_level_kind)kind, size, threads, list);
    for (int kind = EWI_LEVEL_GHOST; kind < EWI_LEVEL_KINDS; kind++)
        for (int k = 0; k < of->levels; k++)
            add_tiles(of, k, (enum ewi_level_kind)kind, size, threads, list);
    if (list->first)
        list->first[list->count] = of->plan->padded;
    for (int k = 0; k < of->levels; k++) {
        for (size_t n = 0; n < sizeof evaluated / sizeof *evaluated; n++)
            end = add_evaluated(&at[k][evaluated[n]], k, evaluated[n], end, list, tiles->tile);
        tiles->end[k] = end = add_evaluated(&at[k + 1][EWI_LEVEL_VIEW], k + 1, EWI_LEVEL_VIEW, end, list, tiles->tile);
    }
}

int ewi_level_tiles_create(const struct ewi_level_plan *of, int32_t size, int threads, struct ewi_level_tiles *tiles,
                           struct ewi_tile_list *list, ew_error *error)
{
    const ew_host *host = &of->plan->host;
    *tiles = (struct ewi_level_tiles){.tile = NULL};
    *list = (struct ewi_tile_list){.first = NULL};
    list_tiles(of, size, threads, tiles, list);
    list->first = ewi_alloc(host, (size_t)list->count + 1, sizeof *list->first);
    tiles->tile = ewi_alloc(host, (size_t)tiles->end[of->levels - 1] + 1, sizeof *tiles->tile);
    if (!list->first || !tiles->tile)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the tiles of levels");
    list_tiles(of, size, threads, tiles, list);
    return EW_OK;
}

void ewi_level_tiles_destroy(const ew_host *host, struct ewi_level_tiles *tiles)
{
    ewi_free(host, tiles->tile);
}

/* The tile with which a thread's share begins. */
static int32_t tile_at(const struct ewi_level_tiles *tiles, int32_t end, int64_t share, int threads)
{
    int32_t k = 0;
    while (k < end && (int64_t)tiles->tile[k].before * threads < share * tiles->tile[end].before)
        k++;
    return k;
}

struct ewi_share ewi_level_tiles_share(const struct ewi_level_tiles *tiles, int32_t end, int thread, int threads)
{
    return (struct ewi_share){tile_at(tiles, end, thread, threads), tile_at(tiles, end, thread + 1, threads)};
}

/* ---- trials ---- */

/* Over a bed: depths have the sign of what is wet. Schemes of more than three stages are not for a bed. */
static void try_depth(const struct ewi_level_steps *steps, const double *base, const double *state, double *trial)
{
    int64_t row = (int64_t)EWI_BED_DEPTH * steps->of->plan->basis->np * EWI_TILE;
    trial[row] = ewi_bed_tried_depth(base[row], state[row]);
}

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
    if (steps->room)
        try_depth(steps, base, state + from, state + to);
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

/* The arrays of level k, each from its first element on. */
static struct ewi_coupled coupled_of(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                                     const struct ewi_stage *stage, int k)
{
    const struct ewi_level *level = &steps->of->level[k];
    int64_t rows = steps->of->plan->rows, alone = level->coupled * rows;
    int64_t own = level->first[EWI_LEVEL_INTERFACE] * rows, view = level->first[EWI_LEVEL_VIEW] * rows;
    return (struct ewi_coupled){
        .steps = k <= now->top,
        .before = k <= now->top ? 0.0 : 1.0,
        .own_step = ewi_level_step(steps, now->macro, k),
        .view_step = ewi_level_step(steps, now->macro, k - 1),
        .own = now->rhs + own,
        .of_view = now->rhs + view,
        .of_sum = now->rhs + level->first[EWI_LEVEL_SUM] * rows,
        .k = steps->k + alone,
        .sum = steps->sum + alone,
        .q = steps->q + alone,
        .slope = steps->slope + alone,
        .base = now->state[0] + own,
        .source = now->state[stage->source] + own,
        .target = now->state[stage->target] + own,
        .view_base = now->state[0] + view,
        .view_target = now->state[stage->target] + view,
        .own_rate = steps->room ? now->rhs + own : NULL,
        .view_rate = steps->room ? now->rhs + view : NULL,
    };
}

/* Levels that have views which active elements see: 1 .. this. */
static int highest_seen(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    return now->top + 1 < steps->of->levels ? now->top + 1 : now->top;
}

static struct ewi_coupling coupling_of(const struct ewi_level_steps *steps, int stage)
{
    int64_t doubles = steps->of->coupled * steps->of->plan->rows;
    return steps->room ? ewi_coupling_of_rates(steps->scheme, stage, doubles)
                       : ewi_coupling_of(steps->scheme, stage, doubles);
}

void ewi_level_couple(const struct ewi_level_steps *steps, const struct ewi_level_moment *now, int stage)
{
    int64_t rows = steps->of->plan->rows;
    const struct ewi_coupling coupling = coupling_of(steps, stage);
    for (int k = 1; k <= highest_seen(steps, now); k++) {
        const struct ewi_level *level = &steps->of->level[k];
        const struct ewi_ranges *of = &level->list[EWI_LEVEL_INTERFACE].elements;
        const struct ewi_coupled coupled = coupled_of(steps, now, &steps->scheme->stage[stage - 1], k);
        int32_t first = level->first[EWI_LEVEL_INTERFACE];
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < of->count; n++)
            steps->level->couple(&coupling, &coupled, (of->range[n].first - first) * rows,
                                 (of->range[n].last - first) * rows);
    }
}

/* ---- over a bed ---- */

/* New states of level k from the mean rates of the part `share` of steps of this length. */
static void update_over_bed(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                            const struct ewi_paper *paper, struct ewi_arguments *arguments, int stage, int k,
                            enum ewi_level_kind kind)
{
    const struct ewi_stage *of = &steps->scheme->stage[stage - 1];
    double step = ewi_level_step(steps, now->macro, kind == EWI_LEVEL_VIEW ? k - 1 : k);
    const struct ewi_update update = {.step = coupling_of(steps, stage).share * step, .base = now->state[0],
                                      .terms = 1, .term = {now->state[of->source]}};
    arguments->parameter[EWI_STEP_PARAMETER] = step;
    ewi_paper_update(paper, &steps->of->level[k].list[kind], &update, now->rhs, now->state[of->target]);
}

void ewi_level_update_over_bed(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                               const struct ewi_paper *paper, struct ewi_arguments *arguments, int stage)
{
    for (int k = 1; k <= highest_seen(steps, now); k++) {
        if (k <= now->top && stage < steps->scheme->stages)
            update_over_bed(steps, now, paper, arguments, stage, k, EWI_LEVEL_INTERFACE);
        update_over_bed(steps, now, paper, arguments, stage, k, EWI_LEVEL_VIEW);
    }
    arguments->parameter[EWI_STEP_PARAMETER] = now->macro;
}

/* Element n of a kind and level, whose edges may take so much of its water in `state`. */
static void set_room(const struct ewi_level_steps *steps, const double *state, const struct ewi_paper *paper, int k,
                     enum ewi_level_kind kind, int32_t n, double left)
{
    const struct ewi_grid *grid = steps->of->plan->grid;
    int32_t i = steps->of->level[k].first[kind] + n;
    int sides = 0;
    for (int side = 0; side < 3; side++)
        sides |= (grid->side_slot[(int64_t)side * grid->padded + i] != 2 * steps->of->none) << side;
    double scale = ewi_bed_room_scale(steps->of->levels, kind == EWI_LEVEL_VIEW ? k - 1 : k);
    steps->room[i] = scale * ewi_bed_room(left, paper->kernels->water_at_sides(paper->arguments, state, i, sides));
}

static int64_t depth_row(const struct ewi_level_steps *steps)
{
    return (int64_t)EWI_BED_DEPTH * steps->of->plan->basis->np * EWI_TILE;
}

void ewi_level_find_own_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                              const struct ewi_paper *paper, int stage)
{
    const struct ewi_stage *of_scheme = &steps->scheme->stage[stage - 1];
    for (int k = 1; k <= now->top; k++) {
        const struct ewi_coupled of = coupled_of(steps, now, of_scheme, k);
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < steps->of->level[k].padded[EWI_LEVEL_INTERFACE]; n++) {
            int64_t at = ewi_layout_base(EWI_TILE, steps->of->plan->rows, n);
            set_room(steps, now->state[of_scheme->target], paper, k, EWI_LEVEL_INTERFACE, n,
                     EWI_BED_OWN_SHARE * fabs(of.base[at + depth_row(steps)]));
        }
    }
}

void ewi_level_find_view_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                               const struct ewi_paper *paper, int stage)
{
    const struct ewi_stage *of_scheme = &steps->scheme->stage[stage - 1];
    const struct ewi_coupling coupling = coupling_of(steps, stage);
    for (int k = 1; k <= highest_seen(steps, now); k++) {
        const struct ewi_coupled of = coupled_of(steps, now, of_scheme, k);
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < steps->of->level[k].padded[EWI_LEVEL_VIEW]; n++) {
            int64_t at = ewi_layout_base(EWI_TILE, steps->of->plan->rows, n);
            set_room(steps, now->state[of_scheme->target], paper, k, EWI_LEVEL_VIEW, n,
                     ewi_bed_left_for_view(&coupling, &of, at, at + depth_row(steps)));
        }
    }
}

void ewi_level_begin_rooms(const struct ewi_level_steps *steps, const struct ewi_level_moment *now,
                           const struct ewi_paper *paper)
{
    const double *state = now->state[0];
    for (int k = 1; k <= now->top; k++) {
        const struct ewi_level *level = &steps->of->level[k];
#pragma omp for schedule(static) nowait
        for (int32_t n = 0; n < level->padded[EWI_LEVEL_VIEW]; n++) {
            int64_t i = level->first[EWI_LEVEL_VIEW] + n;
            double water = fabs(state[ewi_layout_base(EWI_TILE, steps->of->plan->rows, i) + depth_row(steps)]);
            double own = EWI_BED_OWN_SHARE * water;
            set_room(steps, state, paper, k, EWI_LEVEL_INTERFACE, n, own);
            set_room(steps, state, paper, k, EWI_LEVEL_VIEW, n, water - own);
        }
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

void ewi_level_means(const struct ewi_level_steps *steps, const struct ewi_ranges *of, const double *state,
                     double *means, int components)
{
    const struct ewi_plan *plan = steps->of->plan;
    int64_t variable = (int64_t)plan->basis->np * EWI_TILE;
#pragma omp for schedule(static) nowait
    for (int32_t n = 0; n < of->count; n++)
        for (int32_t at = of->range[n].first; at < of->range[n].last; at++)
            for (int m = 0; m < plan->variables; m++)
                means[(int64_t)at * components + m] =
                    state[ewi_layout_base(EWI_TILE, plan->rows, at) + m * variable];
}

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

void ewi_level_spread_ghosts(const struct ewi_level_steps *steps, const struct ewi_level_moment *now)
{
    spread_means(steps, now, &steps->of->level[now->top].ghosts.elements);
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
