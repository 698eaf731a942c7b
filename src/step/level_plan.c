/* SPDX-License-Identifier: BSD-2-Clause */
/* Elements sorted by level, with views, sums and trials, and the grid that connects them. */
#include "ewi_level_plan.h"
#include "ewi_error.h"
#include "ewi_extract.h"
#include "ewi_host.h"

#include <math.h>
#include <string.h>

struct making {
    const struct ewi_plan *whole;
    struct ewi_level_plan *levels;
    const uint8_t *level;
    struct ewi_level_room room;
    bool deep;                    /* trials have right-hand sides */
    int32_t *sum, *near, *near_faster; /* [whole elements and ghost layer]: numbers here, or -1 */
    int32_t *slot;                /* [slots here]: numbers in the whole */
    int32_t *inner, *of_trial, *outer; /* [whole slots]: numbers here */
};

static int32_t neighbour_of(const struct making *x, int32_t i, int side)
{
    return x->whole->grid->neighbour[(size_t)side * (size_t)x->whole->grid->padded + (size_t)i];
}

static bool is_of_ghost_layer(const struct making *x, int32_t i)
{
    return i >= x->whole->grid->elements;
}

/* False for those sides of the ghost layer whose edges the part does not have. */
static bool has_edge(const struct making *x, int32_t i, int side)
{
    return !is_of_ghost_layer(x, i) || neighbour_of(x, i, side) != i;
}

/* Also of neighbours of the ghost layer that the part does not have. */
static bool has_faster_neighbour(const struct making *x, int32_t i)
{
    return x->whole->neighbour_levels[i] & EWI_NEIGHBOUR_FASTER;
}

/* ---- elements ---- */

/* True for faster neighbours of interface elements, of which there are trials. */
static bool is_tried(const struct making *x, int32_t i)
{
    return x->whole->neighbour_levels[i] & EWI_NEIGHBOUR_SLOWER;
}

/* True if an element is a neighbour of one of this level that is tried. */
static bool is_near(const struct making *x, int32_t i, int level)
{
    for (int side = 0; side < 3; side++) {
        int32_t other = neighbour_of(x, i, side);
        if (x->level[other] == level && is_tried(x, other))
            return true;
    }
    return false;
}

static bool is_in(const struct making *x, int32_t i, int level, enum ewi_level_kind kind)
{
    if (kind == EWI_LEVEL_TRIAL)
        return x->level[i] == level - 1 && is_tried(x, i);
    if (kind == EWI_LEVEL_NEAR)
        return x->deep && x->level[i] == level - 1 && !is_tried(x, i) && is_near(x, i, level - 1);
    if (kind == EWI_LEVEL_NEAR_FASTER)
        return x->deep && x->level[i] == level - 2 && is_near(x, i, level - 1);
    bool of_ghost_layer = kind == EWI_LEVEL_GHOST || kind == EWI_LEVEL_GHOST_VIEW;
    if (x->level[i] != level || is_of_ghost_layer(x, i) != of_ghost_layer)
        return false;
    return kind == EWI_LEVEL_GHOST || has_faster_neighbour(x, i) == (kind != EWI_LEVEL_PLAIN);
}

/* Copies of the last element up to the next unit, which is returned. */
static int32_t fill_unit(const struct making *x, int32_t at)
{
    for (; at % x->room.unit > 0; at++)
        if (x->levels->of)
            x->levels->of[at] = x->levels->of[at - 1];
    return at;
}

/* Numbers the elements of a list from `at` on, if there is an array for them; returns the end. */
static int32_t number_list(struct making *x, int level, enum ewi_level_kind kind, int32_t at, int32_t *local)
{
    struct ewi_level_plan *levels = x->levels;
    int32_t first = at;
    int32_t filled = kind == EWI_LEVEL_PLAIN ? x->room.unit : x->room.filled;
    for (int32_t i = 0; i < x->whole->grid->connected; i++) {
        if (!is_in(x, i, level, kind))
            continue;
        if (at % x->room.unit == filled)
            at = fill_unit(x, at);
        if (levels->of) {
            levels->of[at] = i;
            local[i] = at;
        }
        at++;
    }
    at = fill_unit(x, at);
    levels->level[level].first[kind] = first;
    levels->level[level].padded[kind] = at - first;
    return at;
}

/* The ghost layer, from `at` on; returns the end. */
static int32_t number_ghost_layer(struct making *x, int32_t at)
{
    struct ewi_level_plan *levels = x->levels;
    for (int k = 0; k < levels->levels; k++)
        at = number_list(x, k, EWI_LEVEL_GHOST, at, levels->local);
    for (int k = 0; k < levels->levels; k++)
        at = number_list(x, k, EWI_LEVEL_GHOST_VIEW, at, levels->view);
    return at;
}

/* Returns the number of elements but those of the ghost layer; without the array `of`, only counts them. */
static int32_t number_elements(struct making *x)
{
    struct ewi_level_plan *levels = x->levels;
    int32_t at = 0;
    for (int k = 0; k < levels->levels; k++) {
        levels->level[k].first[EWI_LEVEL_OWN] = at;
        at = number_list(x, k, EWI_LEVEL_PLAIN, at, levels->local);
        at = number_list(x, k, EWI_LEVEL_INTERFACE, at, levels->local);
        levels->level[k].padded[EWI_LEVEL_OWN] = at - levels->level[k].first[EWI_LEVEL_OWN];
    }
    levels->moving = at;
    levels->coupled = 0;
    for (int k = 0; k < levels->levels; k++) {
        levels->level[k].coupled = levels->coupled;
        levels->coupled += levels->level[k].padded[EWI_LEVEL_INTERFACE];
        at = number_list(x, k, EWI_LEVEL_VIEW, at, levels->view);
        at = number_list(x, k, EWI_LEVEL_SUM, at, x->sum);
        at = number_list(x, k, EWI_LEVEL_TRIAL, at, levels->trial);
        at = number_list(x, k, EWI_LEVEL_NEAR, at, x->near);
        at = number_list(x, k, EWI_LEVEL_NEAR_FASTER, at, x->near_faster);
    }
    return at;
}

/* ---- slots ---- */

static int level_of_slot(const struct making *x, int32_t from)
{
    const struct ewi_grid *whole = x->whole->grid;
    int left = x->level[whole->left[from]], right = x->level[whole->right[from]];
    return left < right ? left : right;
}

static int highest_of_slot(const struct making *x, int32_t from)
{
    const struct ewi_grid *whole = x->whole->grid;
    int left = x->level[whole->left[from]], right = x->level[whole->right[from]];
    return left > right ? left : right;
}

/* True if the element with the higher level at an edge is tried; at equal levels, if either one is. */
static bool is_of_tried(const struct making *x, int32_t from)
{
    const struct ewi_grid *whole = x->whole->grid;
    const int32_t element[2] = {whole->left[from], whole->right[from]};
    int highest = highest_of_slot(x, from);
    return (x->level[element[0]] == highest && is_tried(x, element[0])) ||
           (x->level[element[1]] == highest && is_tried(x, element[1]));
}

static bool is_interface(const struct making *x, int32_t from)
{
    const struct ewi_grid *whole = x->whole->grid;
    return x->level[whole->left[from]] != x->level[whole->right[from]];
}

static bool is_coupled(const struct making *x, int32_t from)
{
    const struct ewi_grid *whole = x->whole->grid;
    return is_interface(x, from) || has_faster_neighbour(x, whole->left[from]) ||
           has_faster_neighbour(x, whole->right[from]);
}

static bool is_of_group(const struct making *x, int32_t from, const struct ewi_level_group *of)
{
    if (of->trial)
        return highest_of_slot(x, from) == of->level && is_interface(x, from);
    if (of->outer)
        return highest_of_slot(x, from) == of->level - 1 && is_of_tried(x, from);
    return level_of_slot(x, from) == of->level && is_coupled(x, from) == of->coupled;
}

/* Lists the slots of group g of the whole plan that belong to group `of` here, from `at` on; returns their end. */
static int32_t list_slots(struct making *x, int32_t g, struct ewi_level_group of, int32_t at)
{
    const struct ewi_edge_group *all = &x->whole->grid->group[g];
    int32_t first = at, *number = of.trial ? x->of_trial : of.outer ? x->outer : x->inner;
    for (int32_t from = all->first; from < all->first + all->count; from++) {
        if (!is_of_group(x, from, &of))
            continue;
        if (x->slot) {
            x->slot[at] = from;
            number[from] = at;
        }
        at++;
    }
    int32_t count = at - first;
    for (; at % EWI_TILE > 0; at++)
        if (x->slot)
            x->slot[at] = x->slot[at - 1];
    struct ewi_grid *grid = x->levels->plan->grid;
    if (x->slot) {
        x->levels->group[grid->groups] = of;
        grid->group[grid->groups++] = (struct ewi_edge_group){all->boundary, first, count, at - first};
    }
    return at;
}

enum { GROUPS_A_LEVEL = 2 };

/* Groups: each boundary's levels, with those of trials; inner edges by level, then those of trials. */
static int32_t list_groups(struct making *x, int32_t *boundary_slots)
{
    int32_t at = 0, inner = x->whole->grid->groups - 1;
    for (int32_t g = 0; g <= inner; g++) {
        if (g == inner)
            *boundary_slots = at;
        for (int n = 0; n < GROUPS_A_LEVEL * x->levels->levels; n++)
            at = list_slots(x, g, (struct ewi_level_group){.level = n / 2, .coupled = n % 2}, at);
        for (int k = 0; x->deep && k < x->levels->levels; k++)
            at = list_slots(x, g, (struct ewi_level_group){.level = k, .outer = true}, at);
    }
    for (int k = 0; k < x->levels->levels; k++)
        at = list_slots(x, inner, (struct ewi_level_group){.level = k, .trial = true}, at);
    return at;
}

/* ---- connections ---- */

/* The number here of element i, as an edge of this level takes it: slower elements are taken by their views. */
static int32_t seen(const struct making *x, int32_t i, int level)
{
    return x->level[i] > level ? x->levels->view[i] : x->levels->local[i];
}

/* The number of element i in a trial state for interface elements of this level. */
static int32_t tried(const struct making *x, int32_t i, int level)
{
    if (x->level[i] == level)
        return x->levels->local[i];
    return x->level[i] < level - 1 ? x->near_faster[i] : is_tried(x, i) ? x->levels->trial[i] : x->near[i];
}

static void connect_group(struct making *x, const struct ewi_edge_group *group, const struct ewi_level_group *of)
{
    const struct ewi_grid *whole = x->whole->grid;
    struct ewi_grid *grid = x->levels->plan->grid;
    bool trials = of->trial || of->outer;
    for (int32_t slot = group->first; slot < group->first + group->padded; slot++) {
        int32_t from = x->slot[slot], l = whole->left[from], r = whole->right[from];
        grid->left_side[slot] = whole->left_side[from];
        grid->right_side[slot] = whole->right_side[from];
        grid->left[slot] = trials ? tried(x, l, of->level) : seen(x, l, of->level);
        grid->right[slot] = trials ? tried(x, r, of->level) : seen(x, r, of->level);
    }
}

/* Connects a side of an element here, element i of the whole plan, to a slot (< 0: none) and a neighbour. */
static void connect_side(struct making *x, int32_t at, int32_t i, int side, int32_t slot, int32_t behind)
{
    const struct ewi_grid *whole = x->whole->grid;
    struct ewi_grid *grid = x->levels->plan->grid;
    size_t from = (size_t)side * (size_t)whole->padded + (size_t)i;
    size_t to = (size_t)side * (size_t)grid->padded + (size_t)at;
    grid->side_slot[to] = slot < 0 ? 2 * x->levels->none : 2 * slot + (whole->side_slot[from] & 1);
    grid->neighbour[to] = behind;
    grid->neighbour_side[to] = whole->neighbour_side[from];
}

static int32_t whole_slot(const struct making *x, int32_t i, int side)
{
    const struct ewi_grid *whole = x->whole->grid;
    return whole->side_slot[(size_t)side * (size_t)whole->padded + (size_t)i] / 2;
}

/* A copy of an element that fills a tile. */
static bool is_padding(const struct making *x, int32_t at, int32_t first)
{
    return at > first && x->levels->of[at] == x->levels->of[at - 1];
}

static void connect_padding(struct making *x, int32_t at)
{
    struct ewi_level_plan *levels = x->levels;
    struct ewi_plan *plan = levels->plan;
    plan->grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, at)] = 0.0;
    plan->width_ratio[at] = 0.0;
    if (plan->diffusion_rate)
        plan->diffusion_rate[at] = 0.0;
    for (int side = 0; side < 3; side++) {
        size_t place = (size_t)side * (size_t)plan->grid->padded + (size_t)at;
        plan->grid->neighbour[place] = at;
        plan->grid->neighbour_side[place] = (uint8_t)side;
        plan->grid->side_slot[place] = levels->edge_slot[place] = 2 * levels->none;
    }
}

/*
 * Views have the edges to faster elements; all other edges are those of the interface element, or of an element without
 * faster neighbours. Views are limited by the views of neighbours.
 */
static void connect_seen(struct making *x, int32_t at, int side, bool is_view)
{
    int32_t i = x->levels->of[at], other = neighbour_of(x, i, side), slot = x->inner[whole_slot(x, i, side)];
    bool faster = x->level[other] < x->level[i];
    bool sees_view = is_view && !faster && x->levels->view[other] >= 0;
    int32_t behind = sees_view ? x->levels->view[other] : seen(x, other, x->level[i]);
    connect_side(x, at, i, side, faster == is_view ? slot : -1, behind);
}

static void connect_sum(struct making *x, int32_t at, int side)
{
    int32_t i = x->levels->of[at], other = neighbour_of(x, i, side);
    if (x->level[other] < x->level[i])
        connect_side(x, at, i, side, x->of_trial[whole_slot(x, i, side)], tried(x, other, x->level[i]));
    else
        connect_side(x, at, i, side, -1, at);
}

static void connect_trial(struct making *x, int32_t at, int side)
{
    int32_t i = x->levels->of[at], other = neighbour_of(x, i, side), slot = whole_slot(x, i, side);
    bool slower = x->level[other] > x->level[i];
    connect_side(x, at, i, side, slower ? x->of_trial[slot] : x->outer[slot], tried(x, other, x->level[i] + 1));
}

static void connect_element(struct making *x, int32_t at, enum ewi_level_kind kind)
{
    struct ewi_level_plan *levels = x->levels;
    for (int side = 0; side < 3; side++) {
        int32_t i = levels->of[at];
        bool is_view = kind == EWI_LEVEL_VIEW || kind == EWI_LEVEL_GHOST_VIEW;
        if (!has_edge(x, i, side))
            connect_side(x, at, i, side, -1, at);
        else if (is_view || kind == EWI_LEVEL_PLAIN || kind == EWI_LEVEL_INTERFACE || kind == EWI_LEVEL_GHOST)
            connect_seen(x, at, side, is_view);
        else if (kind == EWI_LEVEL_SUM)
            connect_sum(x, at, side);
        else if (kind == EWI_LEVEL_TRIAL && x->deep)
            connect_trial(x, at, side);
        else
            connect_side(x, at, i, side, -1, at);
        levels->edge_slot[(size_t)side * (size_t)levels->plan->grid->padded + (size_t)at] =
            2 * (has_edge(x, i, side) ? x->inner[whole_slot(x, i, side)] : levels->none);
    }
}

static void connect_kind(struct making *x, const struct ewi_level *level, enum ewi_level_kind kind)
{
    int32_t first = level->first[kind];
    for (int32_t at = first; at < first + level->padded[kind]; at++)
        if (is_padding(x, at, first))
            connect_padding(x, at);
        else
            connect_element(x, at, kind);
}

static void connect(struct making *x)
{
    struct ewi_level_plan *levels = x->levels;
    const struct ewi_grid *grid = levels->plan->grid;
    for (int32_t g = 0; g < grid->groups; g++)
        connect_group(x, &grid->group[g], &levels->group[g]);
    for (int k = 0; k < levels->levels; k++) {
        for (int kind = 0; kind < EWI_LEVEL_KINDS; kind++)
            if (kind != EWI_LEVEL_OWN)
                connect_kind(x, &levels->level[k], (enum ewi_level_kind)kind);
    }
}

/* ---- lists for loops ---- */

static int add_range(const struct making *x, int32_t first, int32_t padded, struct ewi_ranges *ranges,
                     ew_error *error)
{
    int32_t more = (padded + x->room.most - 1) / x->room.most;
    struct ewi_range *range =
        ewi_alloc(&x->whole->host, (size_t)(ranges->count + more), sizeof *ranges->range);
    if (!range)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the lists of levels");
    if (ranges->count > 0)
        memcpy(range, ranges->range, (size_t)ranges->count * sizeof *range);
    ewi_free(&x->whole->host, ranges->range);
    ranges->range = range;
    for (int32_t at = first; at < first + padded; at += x->room.most)
        range[ranges->count++] =
            (struct ewi_range){at, at + x->room.most < first + padded ? at + x->room.most : first + padded};
    return EW_OK;
}

enum slots { ALL_EDGES, COUPLED_EDGES, TRIAL_EDGES };

static int add_boundary(const struct making *x, int k, struct ewi_ranges *ranges, ew_error *error)
{
    const struct ewi_grid *grid = x->levels->plan->grid;
    for (int32_t g = 0; g < grid->groups; g++) {
        const struct ewi_level_group *of = &x->levels->group[g];
        if (grid->group[g].boundary >= 0 && of->level == k && !of->outer && grid->group[g].padded > 0)
            TRY(add_range(x, grid->group[g].first, grid->group[g].padded, ranges, error));
    }
    return EW_OK;
}

/* The edges of levels up to this one. */
static int add_slots(const struct making *x, int highest, enum slots which, struct ewi_ranges *ranges, ew_error *error)
{
    const struct ewi_grid *grid = x->levels->plan->grid;
    for (int32_t g = 0; g < grid->groups; g++) {
        const struct ewi_level_group *of = &x->levels->group[g];
        bool trials = of->trial || of->outer;
        bool wanted = trials == (which == TRIAL_EDGES) && (of->coupled || which != COUPLED_EDGES);
        if (wanted && of->level <= highest && grid->group[g].padded > 0)
            TRY(add_range(x, grid->group[g].first, grid->group[g].padded, ranges, error));
    }
    return EW_OK;
}

static int add_elements(const struct making *x, int k, enum ewi_level_kind kind, struct ewi_ranges *ranges,
                        ew_error *error)
{
    const struct ewi_level *level = &x->levels->level[k];
    return add_range(x, level->first[kind], level->padded[kind], ranges, error);
}

static int make_lists(const struct making *x, ew_error *error)
{
    struct ewi_level_plan *levels = x->levels;
    TRY(add_range(x, 0, levels->moving, &levels->all.elements, error));
    for (int top = 0; top < levels->levels; top++) {
        struct ewi_level *level = &levels->level[top];
        for (int kind = 0; kind < EWI_LEVEL_KINDS; kind++)
            TRY(add_elements(x, top, (enum ewi_level_kind)kind, &level->list[kind].elements, error));
        for (int k = 0; k <= top; k++) {
            TRY(add_elements(x, k, EWI_LEVEL_OWN, &level->active.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_INTERFACE, &level->coupled_active.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_TRIAL, &level->trials.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_NEAR, &level->trials.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_NEAR_FASTER, &level->trials.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_SUM, &level->sums.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_GHOST, &level->ghosts.elements, error));
        }
        for (int k = 0; k <= top + 1 && k < levels->levels; k++) {
            TRY(add_elements(x, k, EWI_LEVEL_VIEW, &level->views.elements, error));
            TRY(add_elements(x, k, EWI_LEVEL_GHOST_VIEW, &level->ghosts.elements, error));
        }
        TRY(add_boundary(x, top, &level->boundary.slots, error));
        TRY(add_slots(x, top, ALL_EDGES, &level->active.slots, error));
        TRY(add_slots(x, top, COUPLED_EDGES, &level->coupled_active.slots, error));
        TRY(add_slots(x, top, TRIAL_EDGES, &level->trials.slots, error));
    }
    return EW_OK;
}

/* ---- creation ---- */

static int allocate(struct making *x, ew_error *error)
{
    const struct ewi_grid *whole = x->whole->grid;
    const ew_host *host = &x->whole->host;
    struct ewi_level_plan *levels = x->levels;
    int32_t of_group = GROUPS_A_LEVEL + x->deep;
    struct ewi_grid shape = {.mesh = x->whole->mesh, .groups = (of_group * whole->groups + 1) * levels->levels};
    shape.elements = number_elements(x);
    shape.padded = shape.connected = number_ghost_layer(x, shape.elements);
    levels->none = list_groups(x, &shape.boundary_slots);
    shape.slots = levels->none + EWI_TILE;
    shape.edge_slots = levels->none;
    TRY(ewi_grid_allocate(host, &shape, &levels->plan->grid, error));
    levels->plan->grid->groups = 0; /* those that list_groups has filled */
    size_t elements = (size_t)whole->connected, slots = (size_t)whole->slots, padded = (size_t)shape.padded;
    levels->group = ewi_alloc(host, (size_t)shape.groups, sizeof *levels->group);
    levels->of = ewi_alloc(host, padded, sizeof *levels->of);
    levels->level_of = ewi_alloc(host, padded, sizeof *levels->level_of);
    levels->boundary_slot = ewi_alloc(host, (size_t)whole->boundary_slots, sizeof *levels->boundary_slot);
    levels->original = ewi_alloc(host, padded, sizeof *levels->original);
    levels->edge_slot = ewi_alloc(host, 3 * padded, sizeof *levels->edge_slot);
    levels->local = ewi_alloc(host, elements, sizeof *levels->local);
    levels->view = ewi_alloc(host, elements, sizeof *levels->view);
    levels->trial = ewi_alloc(host, elements, sizeof *levels->trial);
    x->sum = ewi_alloc(host, elements, sizeof *x->sum);
    x->near = ewi_alloc(host, elements, sizeof *x->near);
    x->near_faster = ewi_alloc(host, elements, sizeof *x->near_faster);
    x->slot = ewi_alloc(host, (size_t)shape.slots, sizeof *x->slot);
    x->inner = ewi_alloc(host, slots, sizeof *x->inner);
    x->of_trial = ewi_alloc(host, slots, sizeof *x->of_trial);
    x->outer = ewi_alloc(host, slots, sizeof *x->outer);
    if (!levels->group || !levels->boundary_slot || !levels->level_of || !levels->of || !levels->original ||
        !levels->edge_slot || !levels->local || !levels->view || !levels->trial || !x->sum || !x->near ||
        !x->near_faster || !x->slot || !x->inner || !x->of_trial || !x->outer)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    for (size_t i = 0; i < elements; i++)
        levels->view[i] = levels->trial[i] = x->sum[i] = x->near[i] = x->near_faster[i] = -1;
    return EW_OK;
}

static void count_plan(struct ewi_plan *plan, const struct ewi_plan *whole)
{
    const struct ewi_grid *grid = plan->grid;
    plan->sizes = whole->sizes;
    plan->mesh = whole->mesh;
    plan->given_speed = whole->given_speed;
    plan->elements = grid->elements;
    plan->padded = grid->padded;
    plan->part = whole->part;
    plan->slots = grid->slots;
    plan->boundary_slots = grid->boundary_slots;
    plan->edges = whole->edges;
}

static int make(struct making *x, ew_error *error)
{
    struct ewi_level_plan *levels = x->levels;
    int32_t boundary_slots;
    TRY(allocate(x, error));
    number_ghost_layer(x, number_elements(x));
    list_groups(x, &boundary_slots);
    count_plan(levels->plan, x->whole);
    struct ewi_grid *grid = levels->plan->grid;
    for (int32_t slot = 0; slot < x->whole->boundary_slots; slot++)
        levels->boundary_slot[slot] = x->inner[slot];
    for (int32_t at = 0; at < grid->padded; at++) {
        levels->level_of[at] = x->level[levels->of[at]];
        levels->original[at] = levels->local[levels->of[at]];
    }
    ewi_extract_rows(EWI_GEOMETRY, levels->of, grid->padded, x->whole->grid->geometry, grid->geometry);
    TRY(ewi_extract_data(&(struct ewi_extraction){x->whole, levels->plan, levels->of, x->slot}, error));
    connect(x);
    return make_lists(x, error);
}

int ewi_level_plan_create(const struct ewi_plan *whole, struct ewi_level_room room, struct ewi_level_plan **result,
                          ew_error *error)
{
    const ew_host *host = &whole->host;
    struct ewi_level_plan *levels = ewi_alloc(host, 1, sizeof *levels);
    struct ewi_plan *plan = ewi_alloc(host, 1, sizeof *plan);
    struct making x = {.whole = whole, .levels = levels, .level = whole->level, .room = room,
                       .deep = whole->scheme->stages > 3};
    if (!levels || !plan) {
        ewi_free(host, levels);
        ewi_free(host, plan);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for levels of time steps");
    }
    levels->plan = plan;
    levels->levels = whole->levels;
    plan->host = whole->host;
    plan->mesh = whole->mesh;
    int status = make(&x, error);
    int32_t *const arrays[] = {x.sum, x.near, x.near_faster, x.slot, x.inner, x.of_trial, x.outer};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(host, arrays[k]);
    if (status == EW_OK)
        *result = levels;
    else
        ewi_level_plan_destroy(levels);
    return status;
}

static void free_list(const ew_host *host, struct ewi_listed *list)
{
    ewi_free(host, list->elements.range);
    ewi_free(host, list->slots.range);
}

void ewi_level_plan_destroy(struct ewi_level_plan *levels)
{
    if (!levels)
        return;
    ew_host host = levels->plan->host;
    for (int k = 0; k < EW_MAX_STEP_LEVELS; k++) {
        struct ewi_level *level = &levels->level[k];
        for (int kind = 0; kind < EWI_LEVEL_KINDS; kind++)
            free_list(&host, &level->list[kind]);
        struct ewi_listed *const lists[] = {&level->active, &level->views, &level->trials, &level->sums,
                                           &level->coupled_active, &level->ghosts, &level->boundary};
        for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
            free_list(&host, lists[n]);
    }
    free_list(&host, &levels->all);
    void *const arrays[] = {levels->group, levels->level_of, levels->of, levels->local, levels->view, levels->trial,
                            levels->original, levels->edge_slot, levels->boundary_slot};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(&host, arrays[k]);
    levels->plan->part = NULL; /* the whole plan's */
    ew_plan_destroy(levels->plan);
    ewi_free(&host, levels);
}

int ewi_level_of_steps(const struct ewi_level_plan *levels, int32_t at)
{
    int k = levels->level_of[levels->original[at]];
    int32_t first = levels->level[k].first[EWI_LEVEL_VIEW], padded = levels->level[k].padded[EWI_LEVEL_VIEW];
    return at >= first && at < first + padded ? k - 1 : k;
}

static bool is_of_kind(const struct ewi_level *level, enum ewi_level_kind kind, int32_t at)
{
    return at >= level->first[kind] && at < level->first[kind] + level->padded[kind];
}

uint32_t ewi_level_precedence(const struct ewi_level_plan *levels, int32_t at)
{
    uint32_t number = 0;
    for (int views = 0; views < 2; views++)
        for (int k = 0; k < levels->levels; k++)
            for (int kind = views ? EWI_LEVEL_VIEW : 0; kind < (views ? EWI_LEVEL_KINDS : EWI_LEVEL_OWN); kind++) {
                if (is_of_kind(&levels->level[k], (enum ewi_level_kind)kind, at))
                    return number;
                number++;
            }
    return number;
}

/* ---- sizes before there is a mesh ---- */

/*
 * The number of interface elements does not follow from the mesh's size. They lie along lines, so it grows as the root
 * of the number of elements: 3 to 5.6 times that on the meshes of the examples, also refined ones; this takes 4.5
 * times. Meshes whose widths double within two or three elements have more, and a uniform one has none: it takes about
 * half of what this foretells.
 */
int32_t ewi_level_interface_elements(const struct ewi_sizes *sizes)
{
    double elements = sizes->elements;
    return (int32_t)fmin(4.5 * sqrt(elements), elements);
}

/* The sizes of the plan of levels: views, sums and trials are elements, and with four stages neighbours of trials. */
struct ewi_sizes ewi_level_sizes(const struct ewi_sizes *whole)
{
    struct ewi_sizes sizes = *whole;
    bool deep = whole->scheme->stages > 3;
    int32_t interface = ewi_level_interface_elements(whole), trial_edges = interface * (deep ? 3 : 2) * 3 / 4;
    sizes.elements += (deep ? 4 : 3) * interface;
    sizes.padded = (int32_t)ewi_layout_padded(sizes.elements);
    sizes.edges += trial_edges;
    sizes.slots += trial_edges;
    return sizes;
}

/* ---- states ---- */

static void copy_element(int64_t width, int64_t rows, const double *from, int64_t i, double *to, int64_t at)
{
    const double *source = from + ewi_layout_base(width, rows, i);
    double *target = to + ewi_layout_base(width, rows, at);
    for (int64_t row = 0; row < rows; row++)
        target[row * width] = source[row * width];
}

void ewi_level_plan_take(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *from,
                         double *state)
{
    for (int32_t at = 0; at < levels->plan->padded; at++)
        copy_element(EWI_TILE, whole->rows, from, levels->of[at], state, at);
}

void ewi_level_plan_give(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *state,
                         double *to, int32_t first, int32_t last)
{
    for (int32_t i = first; i < last; i++)
        copy_element(EWI_TILE, whole->rows, state, levels->local[i], to, i);
}

/* Copies rows of boundary edges; padding of the whole plan has no place here. */
static void copy_slots(const struct ewi_level_plan *levels, const struct ewi_plan *whole, bool back, const double *from,
                       double *to)
{
    for (int32_t g = 0; g < whole->grid->groups; g++) {
        const struct ewi_edge_group *group = &whole->grid->group[g];
        for (int32_t slot = group->first; group->boundary >= 0 && slot < group->first + group->count; slot++) {
            int32_t own = levels->boundary_slot[slot];
            copy_element(EWI_TILE, whole->variables, from, back ? own : slot, to, back ? slot : own);
        }
    }
}

void ewi_level_plan_give_slots(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *own,
                               double *to)
{
    copy_slots(levels, whole, true, own, to);
}

void ewi_level_plan_take_slots(const struct ewi_level_plan *levels, const struct ewi_plan *whole, const double *from,
                               double *own)
{
    copy_slots(levels, whole, false, from, own);
}
