/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans the tiles of the fused set (ewi_omp.h). */
#include "ewi_tiles.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <math.h>

static int32_t blocks_of(int32_t items, int lanes)
{
    return (items + lanes - 1) / lanes;
}

struct range {
    int32_t first, last; /* elements of a tile, padded ones included */
};

static struct range range_of(const struct ewi_tiles *tiles, int32_t tile)
{
    return (struct range){tiles->first[tile], tiles->first[tile + 1]};
}

static bool is_boundary(const struct ewi_grid *grid, size_t side)
{
    return grid->side_slot[side] >> 1 < grid->boundary_slots;
}

/* A side without an edge: its slot is behind all groups (ewi_level_plan.h). */
static bool is_closed(const struct ewi_grid *grid, int32_t i, int k)
{
    const struct ewi_edge_group *last = &grid->group[grid->groups - 1];
    return i < grid->connected &&
           grid->side_slot[(size_t)k * (size_t)grid->padded + (size_t)i] >> 1 >= last->first + last->padded;
}

/* An element outside the tile is behind side k of element i. Padded elements are their own neighbours. */
static bool is_halo(const struct ewi_grid *grid, struct range range, int32_t i, int k)
{
    size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
    int32_t other = grid->neighbour[side];
    return i < grid->connected && !is_closed(grid, i, k) && (other < range.first || other >= range.last);
}

static bool is_ghost(const struct ewi_grid *grid, int32_t i, int k)
{
    return i < grid->connected && is_boundary(grid, (size_t)k * (size_t)grid->padded + (size_t)i);
}

/* Counts a tile's border sides, and its blocks of ghosts by boundary. */
static void count_tile(const struct ewi_grid *grid, struct ewi_tiles *tiles, int lanes, int32_t tile, int32_t *ghosts)
{
    struct range range = range_of(tiles, tile);
    int32_t border = tiles->behind_first[tile];
    for (int32_t b = 0; b + 1 < grid->groups; b++)
        ghosts[b] = 0;
    for (int32_t i = range.first; i < range.last; i++)
        for (int k = 0; k < 3; k++) {
            size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
            if (is_ghost(grid, i, k)) {
                int32_t b = 0, slot = grid->side_slot[side] >> 1;
                while (slot >= grid->group[b].first + grid->group[b].padded)
                    b++;
                ghosts[b]++;
            } else if (is_halo(grid, range, i, k)) {
                border++;
            }
        }
    tiles->behind_first[tile + 1] = border;
    tiles->closed_first[tile + 1] = tiles->closed_first[tile];
    for (int32_t i = range.first; i < range.last; i++)
        for (int k = 0; k < 3; k++)
            tiles->closed_first[tile + 1] += is_closed(grid, i, k);
    tiles->ghost_first[tile + 1] = tiles->ghost_first[tile];
    for (int32_t b = 0; b + 1 < grid->groups; b++)
        tiles->ghost_first[tile + 1] += blocks_of(ghosts[b], lanes);
}

/* Where traces lie in a tile's scratch. */
struct place {
    int32_t element, side; /* doubles of an element's three traces, and of one */
};

static void repeat_last(int32_t *list, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to && from > 0; k++)
        list[k] = list[from - 1];
}

/* Lists where a tile reads the traces behind its border; `reader` says the same to the neighbours, which write them. */
static void fill_behind(const struct ewi_grid *grid, struct ewi_tiles *tiles, int32_t tile, struct place place,
                        int32_t *behind, int32_t *reader)
{
    struct range range = range_of(tiles, tile);
    int32_t outside = tiles->size * place.element, first = tiles->behind_first[tile], at = first;
    for (int k = 0; k < 3; k++)
        for (int32_t i = range.first; i < range.last; i++) {
            size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
            if (is_ghost(grid, i, k) || !is_halo(grid, range, i, k))
                continue;
            behind[side] = outside + (at - first) * place.side;
            reader[(size_t)grid->neighbour_side[side] * (size_t)grid->padded + (size_t)grid->neighbour[side]] = at++;
        }
}

/* Lists the sides of the border that other tiles read, from place `at` of the list on; returns the next place. */
static int32_t fill_border(const struct ewi_grid *grid, struct ewi_tiles *tiles, int32_t tile, const int32_t *reader,
                           int32_t at)
{
    struct range range = range_of(tiles, tile);
    for (int32_t i = range.first; i < range.last; i++) {
        for (int k = 0; k < 3; k++) {
            int32_t place = reader[(size_t)k * (size_t)grid->padded + (size_t)i];
            if (place < 0)
                continue;
            tiles->border_side[at] = k * EWI_TILE + i % EWI_TILE;
            tiles->border_place[at++] = place;
        }
        tiles->border_first[i / EWI_TILE + 1] = at;
    }
    return at;
}

static size_t border_tables(const struct ewi_plan *plan)
{
    return plan->law->has_diffusion ? 3 : 1;
}

static void fill_border_table(const struct ewi_plan *plan, int lanes, double *table)
{
    const struct ewi_basis *basis = plan->basis;
    const double *const values[] = {basis->side, basis->side_r, basis->side_s};
    int points = blocks_of(basis->ne, lanes) * lanes;
    for (size_t which = 0; which < border_tables(plan); which++, table += 3 * basis->np * points)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < basis->np; j++)
                for (int e = 0; e < basis->ne; e++)
                    table[(k * basis->np + j) * points + e] = values[which][(k * basis->ne + e) * basis->np + j];
}

static void fill_ghosts(const struct ewi_grid *grid, const struct ewi_plan *plan, struct ewi_tiles *tiles, int lanes,
                        int32_t tile, struct place place, int32_t *behind)
{
    struct range range = range_of(tiles, tile);
    int32_t border = tiles->behind_first[tile + 1] - tiles->behind_first[tile];
    int32_t outside = tiles->size * place.element + border * place.side;
    int32_t begin = tiles->ghost_first[tile] * lanes, at = begin;
    if (tiles->ghost_first[tile] == tiles->ghost_first[tile + 1])
        return;
    for (int32_t b = 0; b + 1 < grid->groups; b++) {
        const struct ewi_edge_group *group = &grid->group[b];
        int32_t group_begin = at;
        for (int k = 0; k < 3; k++)
            for (int32_t i = range.first; i < range.last; i++) {
                size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
                int32_t slot = grid->side_slot[side] >> 1;
                if (!is_ghost(grid, i, k) || slot < group->first || slot >= group->first + group->padded)
                    continue;
                behind[side] = outside + (at - begin) * place.side;
                tiles->ghost_slot[at] = slot;
                tiles->ghost_own[at++] = (i - range.first) * place.element + k * place.side;
            }
        int32_t end = group_begin + blocks_of(at - group_begin, lanes) * lanes;
        if (at > group_begin) {
            repeat_last(tiles->ghost_slot, at, end);
            repeat_last(tiles->ghost_own, at, end);
        }
        at = end;
        for (int32_t block = group_begin / lanes; block < end / lanes; block++)
            tiles->ghost[block] = plan->boundary[group->boundary].ghost;
    }
}

static void fill_closed(const struct ewi_grid *grid, struct ewi_tiles *tiles, int32_t tile, struct place place)
{
    struct range range = range_of(tiles, tile);
    int32_t at = tiles->closed_first[tile];
    for (int32_t i = range.first; i < range.last; i++)
        for (int k = 0; k < 3; k++)
            if (is_closed(grid, i, k))
                tiles->closed[at++] = (i - range.first) * place.element + k * place.side;
}

static void fill_inside(const struct ewi_grid *grid, const struct ewi_tiles *tiles, int32_t tile, struct place place,
                        int32_t *behind)
{
    struct range range = range_of(tiles, tile);
    for (int k = 0; k < 3; k++)
        for (int32_t i = range.first; i < range.last; i++) {
            size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
            if (!is_ghost(grid, i, k) && !is_halo(grid, range, i, k) && !is_closed(grid, i, k))
                behind[side] =
                    (grid->neighbour[side] - range.first) * place.element + grid->neighbour_side[side] * place.side;
        }
}

/*
 * An edge belongs to the tile of its left element, and besides to that of its right one if that is another. Laws with
 * gradients compute the fluxes of boundary edges apart from the others'.
 */
static bool is_edge_of_tile(const struct ewi_plan *plan, struct range range, int32_t i, int k)
{
    const struct ewi_grid *grid = plan->grid;
    if (plan->law->has_diffusion && is_ghost(grid, i, k))
        return false;
    size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
    bool right = grid->side_slot[side] & 1;
    return i < grid->connected && !is_closed(grid, i, k) && (!right || is_halo(grid, range, i, k));
}

static void count_edges(const struct ewi_plan *plan, struct ewi_tiles *tiles, int lanes, int32_t tile)
{
    struct range range = range_of(tiles, tile);
    int32_t edges = 0;
    for (int32_t i = range.first; i < range.last; i++)
        for (int k = 0; k < 3; k++)
            edges += is_edge_of_tile(plan, range, i, k);
    tiles->edge_first[tile + 1] = tiles->edge_first[tile] + blocks_of(edges, lanes);
}

static size_t geometry_rows(const struct ewi_plan *plan)
{
    return plan->law->has_diffusion ? 4 : 3;
}

static void fill_edge(const struct ewi_plan *plan, struct ewi_tiles *tiles, int lanes, int32_t at, int32_t i, int k)
{
    int ne = plan->basis->ne, fields = plan->media ? 0 : plan->fields, numbers = ewi_fields_per_edge(&plan->sizes);
    bool right = plan->grid->side_slot[(size_t)k * (size_t)plan->grid->padded + (size_t)i] & 1;
    const double *geometry = plan->grid->geometry + ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * k, i);
    int32_t other = plan->grid->neighbour[(size_t)k * (size_t)plan->grid->padded + (size_t)i];
    double *own = tiles->edge_geometry + (size_t)(at / lanes) * geometry_rows(plan) * (size_t)lanes + at % lanes;
    for (int row = 0; row < 3; row++)
        own[row * lanes] = row < 2 ? geometry[row * EWI_TILE] : fabs(geometry[row * EWI_TILE]);
    if (plan->law->has_diffusion)
        own[3 * lanes] = ewi_grid_penalty(plan->grid, plan->basis->order, i, other);
    own = tiles->edge_field + (size_t)(at / lanes) * (size_t)numbers * (size_t)lanes + at % lanes;
    for (int e = 0; e < ne; e++)
        for (int f = 0; f < fields; f++) {
            int row = (k * ne + (right ? ne - 1 - e : e)) * fields + f;
            own[(e * fields + f) * lanes] = plan->edge_field[ewi_layout_index(EWI_TILE, 3 * ne * fields, row, i)];
        }
    for (int f = 0; f < 2 * plan->media; f++)
        own[f * lanes] = ewi_plan_parameter(plan, (f < plan->media) == right ? other : i)[f % plan->media * EWI_TILE];
}

/* `behind` says where the trace behind a side begins; here it becomes pairs of traces. */
static void fill_edges(const struct ewi_plan *plan, struct ewi_tiles *tiles, int lanes, int32_t tile,
                       struct place place, const int32_t *behind)
{
    const struct ewi_grid *grid = plan->grid;
    struct range range = range_of(tiles, tile);
    int32_t at = tiles->edge_first[tile] * lanes, end = tiles->edge_first[tile + 1] * lanes, i = 0;
    int k = 0;
    for (int32_t here = range.first; here < range.last; here++)
        for (int side = 0; side < 3; side++) {
            if (!is_edge_of_tile(plan, range, here, side))
                continue;
            i = here;
            k = side;
            int32_t own = (i - range.first) * place.element + k * place.side;
            int32_t other = behind[(size_t)k * (size_t)grid->padded + (size_t)i];
            bool right = grid->side_slot[(size_t)k * (size_t)grid->padded + (size_t)i] & 1;
            tiles->edge_left[at] = right ? other : own;
            tiles->edge_right[at] = right ? own : other;
            if (tiles->edge_slot)
                tiles->edge_slot[at] = grid->side_slot[(size_t)k * (size_t)grid->padded + (size_t)i] >> 1;
            if (tiles->left_element) {
                int32_t neighbour = grid->neighbour[(size_t)k * (size_t)grid->padded + (size_t)i];
                tiles->left_element[at] = right ? neighbour : i;
                tiles->right_element[at] = right ? i : neighbour;
            }
            fill_edge(plan, tiles, lanes, at++, i, k);
        }
    for (int32_t last = at - 1; at < end; at++) {
        tiles->edge_left[at] = tiles->edge_left[last];
        tiles->edge_right[at] = tiles->edge_right[last];
        if (tiles->edge_slot)
            tiles->edge_slot[at] = tiles->edge_slot[last];
        if (tiles->left_element) {
            tiles->left_element[at] = tiles->left_element[last];
            tiles->right_element[at] = tiles->right_element[last];
        }
        fill_edge(plan, tiles, lanes, at, i, k);
    }
}

/* The last tile that has a neighbour of elements i .. i + EWI_TILE - 1; own.last if one is another thread's. */
static int32_t last_tile(const struct ewi_grid *grid, const struct ewi_tiles *tiles, struct ewi_share own, int32_t i)
{
    int32_t last = i / tiles->size;
    for (int k = 0; k < 3; k++)
        for (int32_t lane = 0; lane < EWI_TILE; lane++) {
            int32_t tile = grid->neighbour[(size_t)k * (size_t)grid->padded + (size_t)(i + lane)] / tiles->size;
            if (tile < own.first || tile >= own.last)
                return (int32_t)own.last;
            last = tile > last ? tile : last;
        }
    return last;
}

struct groups {
    int32_t first, end; /* of EWI_TILE elements each */
};

static struct groups groups_of(const struct ewi_grid *grid, const struct ewi_tiles *tiles, int64_t first, int64_t end)
{
    int32_t groups = tiles->size / EWI_TILE, all = grid->padded / EWI_TILE;
    return (struct groups){(int32_t)first * groups, end * groups < all ? (int32_t)end * groups : all};
}

/* The order in which a thread can limit its elements: by the last tile that each waits for, which goes into `after`. */
static void fill_due(const struct ewi_grid *grid, struct ewi_tiles *tiles, struct ewi_share own, int32_t *after)
{
    struct groups all = groups_of(grid, tiles, own.first, own.last);
    int32_t rest = all.first;
    for (int32_t group = all.first; group < all.end; group++) {
        after[group] = last_tile(grid, tiles, own, group * EWI_TILE);
        if (after[group] < own.last)
            tiles->due_end[after[group]]++;
    }
    for (int64_t tile = own.first; tile < own.last; tile++) {
        int32_t count = tiles->due_end[tile];
        tiles->due_end[tile] = rest;
        rest += count;
    }
    for (int32_t group = all.first; group < all.end; group++)
        tiles->due[after[group] < own.last ? tiles->due_end[after[group]]++ : rest++] = group;
}

/* Where each waits for that: in the slot that was left last, if there is one, which is in the cache. */
static void fill_slots(const struct ewi_grid *grid, struct ewi_tiles *tiles, struct ewi_share own, int32_t *spare)
{
    int32_t begin = groups_of(grid, tiles, own.first, own.last).first, due = begin, slots = 0, spares = 0;
    for (int64_t tile = own.first; tile < own.last; tile++) {
        struct groups here = groups_of(grid, tiles, tile, tile + 1);
        for (int32_t group = here.first; group < here.end; group++)
            tiles->slot[group] = spares > 0 ? spare[begin + --spares] : slots++;
        for (; due < tiles->due_end[tile]; due++)
            spare[begin + spares++] = tiles->slot[tiles->due[due]];
    }
}

static size_t scratch_of(const struct ewi_tiles *tiles, int lanes, struct place place)
{
    int32_t sides = 0;
    for (int32_t tile = 0; tile < tiles->count; tile++) {
        int32_t border = tiles->behind_first[tile + 1] - tiles->behind_first[tile];
        int32_t here = border + (tiles->ghost_first[tile + 1] - tiles->ghost_first[tile]) * lanes;
        sides = here > sides ? here : sides;
    }
    return (size_t)tiles->size * (size_t)place.element + (size_t)sides * (size_t)place.side;
}

static size_t slots_of(const struct ewi_tiles *tiles, int32_t groups)
{
    int32_t last = -1;
    for (int32_t group = 0; group < groups; group++)
        last = tiles->slot[group] > last ? tiles->slot[group] : last;
    return (size_t)last + 1;
}

struct filling {
    const struct ewi_plan *plan;
    struct ewi_tiles *tiles;
    int lanes;
    struct place place;
    int32_t *behind, *reader;
    int32_t *room; /* [elements/EWI_TILE] */
};

/* Each thread the tiles that are its own in every stage, so that their edges are in its memory. */
static void fill_share(struct ewi_thread *thread, void *context)
{
    const struct filling *f = context;
    const struct ewi_grid *grid = f->plan->grid;
    struct ewi_share own = ewi_team_share(thread, f->tiles->count);
    for (int32_t tile = (int32_t)own.first; tile < own.last; tile++) {
        fill_closed(grid, f->tiles, tile, f->place);
        fill_inside(grid, f->tiles, tile, f->place, f->behind);
        fill_behind(grid, f->tiles, tile, f->place, f->behind, f->reader);
        fill_ghosts(grid, f->plan, f->tiles, f->lanes, tile, f->place, f->behind);
        fill_edges(f->plan, f->tiles, f->lanes, tile, f->place, f->behind);
    }
    if (f->tiles->due_end) {
        fill_due(grid, f->tiles, own, f->room);
        fill_slots(grid, f->tiles, own, f->room);
    }
    if (thread->number == 0)
        f->tiles->threads = thread->size;
}

/* Tiles of the kernels' size, but for the last one, or those that `given` says. */
static bool fill_first(const struct ewi_plan *plan, int32_t size, const struct ewi_tile_list *given,
                       struct ewi_tiles *tiles)
{
    int32_t padded = plan->grid->padded;
    tiles->count = given ? given->count : blocks_of(padded, size);
    tiles->size = given ? 0 : size;
    tiles->first = ewi_alloc(&plan->host, (size_t)tiles->count + 1, sizeof *tiles->first);
    for (int32_t tile = 0; tiles->first && tile <= tiles->count; tile++)
        tiles->first[tile] = given ? given->first[tile] : tile < tiles->count ? tile * size : padded;
    for (int32_t tile = 0; given && tiles->first && tile < tiles->count; tile++)
        if (tiles->first[tile + 1] - tiles->first[tile] > tiles->size)
            tiles->size = tiles->first[tile + 1] - tiles->first[tile];
    return tiles->first;
}

int ewi_tiles_create(const struct ewi_plan *plan, const struct ewi_omp_kernels *kernels, struct ewi_team *team,
                     const struct ewi_tile_list *given, struct ewi_tiles *tiles, ew_error *error)
{
    const struct ewi_grid *grid = plan->grid;
    int lanes = kernels->lanes;
    struct place place = {.side = plan->basis->ne * kernels->components};
    place.element = 3 * place.side;
    *tiles = (struct ewi_tiles){.components = kernels->components};
    int status = EW_ENOMEM;
    bool complete = fill_first(plan, kernels->tile, given, tiles);
    int32_t *ghosts = ewi_alloc(&plan->host, (size_t)grid->groups, sizeof *ghosts);
    int32_t *behind = ewi_alloc(&plan->host, 3 * (size_t)grid->padded, sizeof *behind);
    int32_t *reader = ewi_alloc(&plan->host, 3 * (size_t)grid->padded, sizeof *reader);
    int32_t *room = ewi_alloc(&plan->host, (size_t)(grid->padded / EWI_TILE), sizeof *room);
    tiles->behind_first = ewi_alloc(&plan->host, (size_t)tiles->count + 1, sizeof(int32_t));
    tiles->border_first = ewi_alloc(&plan->host, (size_t)(grid->padded / EWI_TILE) + 1, sizeof(int32_t));
    tiles->ghost_first = ewi_alloc(&plan->host, (size_t)tiles->count + 1, sizeof(int32_t));
    tiles->closed_first = ewi_alloc(&plan->host, (size_t)tiles->count + 1, sizeof(int32_t));
    tiles->edge_first = ewi_alloc(&plan->host, (size_t)tiles->count + 1, sizeof(int32_t));
    if (!complete || !ghosts || !behind || !reader || !room || !tiles->behind_first || !tiles->border_first ||
        !tiles->ghost_first || !tiles->closed_first || !tiles->edge_first)
        goto out;
    for (int32_t tile = 0; tile < tiles->count; tile++) {
        count_tile(grid, tiles, lanes, tile, ghosts);
        count_edges(plan, tiles, lanes, tile);
    }

    for (size_t side = 0; side < 3 * (size_t)grid->padded; side++)
        reader[side] = -1;
    size_t border = (size_t)tiles->behind_first[tiles->count],
           side_points = (size_t)(blocks_of(plan->basis->ne, lanes) * lanes);
    size_t ghost_blocks = (size_t)tiles->ghost_first[tiles->count];
    tiles->border_side = ewi_alloc(&plan->host, border, sizeof(int32_t));
    tiles->border_place = ewi_alloc(&plan->host, border, sizeof(int32_t));
    tiles->closed = ewi_alloc(&plan->host, (size_t)tiles->closed_first[tiles->count] + 1, sizeof(int32_t));
    tiles->border_table = ewi_alloc(&plan->host, border_tables(plan) * 3 * (size_t)plan->basis->np * side_points,
                                    sizeof(double));
    tiles->ghost = ewi_alloc(&plan->host, ghost_blocks, sizeof(int32_t));
    tiles->ghost_slot = ewi_alloc(&plan->host, ghost_blocks * (size_t)lanes, sizeof(int32_t));
    tiles->ghost_own = ewi_alloc(&plan->host, ghost_blocks * (size_t)lanes, sizeof(int32_t));
    size_t edges = (size_t)tiles->edge_first[tiles->count] * (size_t)lanes,
           per_edge = (size_t)ewi_fields_per_edge(&plan->sizes);
    tiles->edge_left = ewi_alloc_untouched(&plan->host, edges, sizeof(int32_t));
    tiles->edge_right = ewi_alloc_untouched(&plan->host, edges, sizeof(int32_t));
    bool jump_sensor = ewi_limiter_has_sensor(plan->limiter);
    bool limits = ewi_limiter_by_means(plan->limiter) && !given;
    if (ewi_limiter_by_means(plan->limiter))
        tiles->due = ewi_alloc(&plan->host, (size_t)(grid->padded / EWI_TILE), sizeof(int32_t));
    for (int32_t group = 0; given && tiles->due && group < grid->padded / EWI_TILE; group++)
        tiles->due[group] = group;
    if (limits) {
        tiles->due_end = ewi_alloc(&plan->host, (size_t)tiles->count, sizeof(int32_t));
        tiles->slot = ewi_alloc(&plan->host, (size_t)(grid->padded / EWI_TILE), sizeof(int32_t));
    }
    bool subcells = ewi_limiter_has_subcells(plan->limiter);
    if (subcells)
        tiles->edge_slot = ewi_alloc_untouched(&plan->host, edges, sizeof(int32_t));
    if (jump_sensor) {
        tiles->left_element = ewi_alloc_untouched(&plan->host, edges, sizeof(int32_t));
        tiles->right_element = ewi_alloc_untouched(&plan->host, edges, sizeof(int32_t));
    }
    tiles->edge_geometry = ewi_alloc_untouched(&plan->host, geometry_rows(plan) * edges, sizeof(double));
    tiles->edge_field = ewi_alloc_untouched(&plan->host, per_edge * edges, sizeof(double));
    if (!tiles->border_side || !tiles->border_place || !tiles->closed || !tiles->border_table || !tiles->ghost ||
        !tiles->ghost_slot || !tiles->ghost_own || !tiles->edge_left || !tiles->edge_right || !tiles->edge_geometry ||
        !tiles->edge_field || (subcells && !tiles->edge_slot) ||
        (jump_sensor && (!tiles->left_element || !tiles->right_element)) ||
        (ewi_limiter_by_means(plan->limiter) && !tiles->due) || (limits && (!tiles->due_end || !tiles->slot)))
        goto out;
    struct filling filling = {plan, tiles, lanes, place, behind, reader, room};
    ewi_team_run(team, fill_share, &filling);
    for (int32_t tile = 0, at = 0; tile < tiles->count; tile++)
        at = fill_border(grid, tiles, tile, reader, at);
    fill_border_table(plan, lanes, tiles->border_table);
    tiles->scratch = scratch_of(tiles, lanes, place);
    if (jump_sensor) {
        tiles->jumps = tiles->scratch;
        tiles->scratch += tiles->scratch / (size_t)place.side * 2;
    }
    if (limits) {
        tiles->waiting = (tiles->scratch + EWI_TILE - 1) / EWI_TILE * EWI_TILE;
        tiles->scratch = tiles->waiting + slots_of(tiles, grid->padded / EWI_TILE) * EWI_TILE * (size_t)plan->rows;
    }
    tiles->border = border * (size_t)place.side;
    status = EW_OK;
out:
    ewi_free(&plan->host, ghosts);
    ewi_free(&plan->host, behind);
    ewi_free(&plan->host, reader);
    ewi_free(&plan->host, room);
    return status == EW_OK
               ? status
               : ewi_fail(error, status, "not enough memory to plan the tiles of %d elements", grid->elements);
}

void ewi_tiles_destroy(const ew_host *host, struct ewi_tiles *tiles)
{
    void *const arrays[] = {tiles->first, tiles->behind_first, tiles->border_first, tiles->border_side,
                            tiles->border_place, tiles->closed_first, tiles->closed, tiles->border_table,
                            tiles->ghost_first, tiles->ghost,
                            tiles->ghost_slot, tiles->ghost_own, tiles->edge_first, tiles->edge_left,
                            tiles->edge_right, tiles->edge_slot, tiles->left_element, tiles->right_element, tiles->due,
                            tiles->due_end, tiles->slot, tiles->edge_geometry, tiles->edge_field};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(host, arrays[k]);
}
