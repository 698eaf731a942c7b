/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans the blocks of the fused set (ewi_fused.h), and lays out its tables. */
#include "ewi_blocks.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_part.h"

#include <math.h>
#include <stdlib.h>

#define FITS(of, name, order, matrix, diffuses, warps, held) \
    _Static_assert((matrix ? 8 : 32) * warps <= EWI_FUSED_MOST_ELEMENTS, #name);
EWI_VARIANTS(FITS, )
_Static_assert(EWI_FUSED_MOST_ELEMENTS <= 1 << EWI_FUSED_NEAR_BITS, "an element's number in its block");

struct range {
    int32_t first, end; /* elements of a block, without padded ones */
};

static struct range range_of(const struct ewi_plan *plan, int variant, int32_t number)
{
    int32_t size = EWI_FUSED_ELEMENTS(variant), first = number * size, end = first + size;
    return (struct range){first, end < plan->grid->elements ? end : plan->grid->elements};
}

/* The side k of element i as its block sees it. */
struct side {
    int32_t slot, other;
    bool right, boundary, outside, absent; /* absent: without an edge (ewi_grid.h) */
};

static struct side side_of(const struct ewi_grid *grid, struct range range, int32_t i, int k)
{
    size_t at = (size_t)k * (size_t)grid->padded + (size_t)i;
    struct side side = {
        .slot = grid->side_slot[at] >> 1, .right = grid->side_slot[at] & 1, .other = grid->neighbour[at]};
    side.boundary = side.slot < grid->boundary_slots;
    side.absent = grid->edge_slots > 0 && side.slot >= grid->edge_slots;
    side.outside = !side.boundary && !side.absent && (side.other < range.first || side.other >= range.end);
    return side;
}

static int32_t up(int32_t number, int32_t step)
{
    return (number + step - 1) / step * step;
}

static void count_block(const struct ewi_plan *plan, struct ewi_blocks *blocks, int32_t b)
{
    struct ewi_fused_block *block = &blocks->block[b];
    struct range range = range_of(plan, blocks->variant, block->number);
    for (int32_t i = range.first; i < range.end; i++)
        for (int k = 0; k < 3; k++) {
            struct side side = side_of(plan->grid, range, i, k);
            block->edges = (uint16_t)(block->edges + (side.boundary || side.outside || !side.right));
            block->boundary_edges = (uint16_t)(block->boundary_edges + side.boundary);
            block->halos += side.outside;
        }
}

static void place_block(struct ewi_blocks *blocks, int32_t b)
{
    struct ewi_fused_block *block = &blocks->block[b];
    block->edge_first = blocks->edges;
    block->halo_first = blocks->halos;
    blocks->edges += up(block->edges, 4);
    blocks->halos += block->halos + block->boundary_edges;
    if (block->halos + block->boundary_edges > blocks->halo_room)
        blocks->halo_room = block->halos + block->boundary_edges;
    if (up(block->edges, 4) > blocks->edge_room)
        blocks->edge_room = up(block->edges, 4);
}

/* Where the next edge of a block goes. */
struct cursor {
    double *nx, *ny, *length, *penalty; /* penalty: of laws with gradients */
    uint16_t *place;
    int32_t edge;
};

static struct cursor cursor_of(const struct ewi_blocks *blocks, const struct ewi_fused_block *block)
{
    int32_t room = up(block->edges, 4);
    size_t first = (size_t)block->edge_first * EWI_FUSED_EDGE_BYTES(blocks->variant);
    double *chunk = blocks->edge + first / sizeof(double);
    return (struct cursor){.nx = chunk,
                           .ny = chunk + room,
                           .length = chunk + 2 * room,
                           .penalty = chunk + 3 * room,
                           .place = (uint16_t *)(chunk + EWI_FUSED_EDGE_DOUBLES(blocks->variant) * room)};
}

static int place_of(const struct ewi_plan *plan, int variant, struct range range, int32_t i, int k)
{
    return ewi_fused_place(variant, plan->basis->ne, k, i - range.first);
}

struct edge {
    int32_t element; /* one of the two, and its side, for the geometry */
    int side, left, right;
    int32_t other; /* the element on the other side; at a boundary the same */
};

static void put_edge(const struct ewi_plan *plan, struct cursor *cursor, const struct edge *edge)
{
    const double *geometry = plan->grid->geometry +
                             ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_SIDES + 3 * edge->side, edge->element);
    int32_t e = cursor->edge++;
    cursor->nx[e] = geometry[0];
    cursor->ny[e] = geometry[EWI_TILE];
    cursor->length[e] = fabs(geometry[2 * EWI_TILE]);
    if (plan->law->has_diffusion)
        cursor->penalty[e] = ewi_grid_penalty(plan->grid, plan->basis->order, edge->element, edge->other);
    cursor->place[2 * e] = (uint16_t)edge->left;
    cursor->place[2 * e + 1] = (uint16_t)edge->right;
}

/* The banks of a place, as a bit: shared memory is eight places wide. From `own` on places are the halo's. */
static unsigned banks_of(int own, int place)
{
    return 1u << (place < own ? place : place - own) % 8;
}

/*
 * Eight edges side by side are computed at once: their left traces shall lie in different banks, and their right ones,
 * as far as that goes.
 */
static void spread(int own, struct edge *edge, int32_t edges)
{
    unsigned left = 0, right = 0;
    for (int32_t first = 0; first < edges; first++) {
        int32_t best = first;
        int least = 3;
        if (first % 8 == 0)
            left = right = 0;
        for (int32_t k = first; k < edges && least > 0; k++) {
            int clashes = ((left & banks_of(own, edge[k].left)) != 0) + ((right & banks_of(own, edge[k].right)) != 0);
            if (clashes < least) {
                least = clashes;
                best = k;
            }
        }
        struct edge taken = edge[best];
        edge[best] = edge[first];
        edge[first] = taken;
        left |= banks_of(own, taken.left);
        right |= banks_of(own, taken.right);
    }
}

static int compare_entries(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The sides just outside a block, in the order of their elements: some of these lie in the same piece of memory. */
static int32_t list_halo(const struct ewi_plan *plan, struct range range, int32_t *halo)
{
    int32_t halos = 0;
    for (int k = 0; k < 3; k++)
        for (int32_t i = range.first; i < range.end; i++) {
            struct side side = side_of(plan->grid, range, i, k);
            if (side.outside)
                halo[halos++] = side.other << 2 |
                                plan->grid->neighbour_side[(size_t)k * (size_t)plan->grid->padded + (size_t)i];
        }
    qsort(halo, (size_t)halos, sizeof *halo, compare_entries);
    return halos;
}

/* The side of a block's halo behind side k of element i. */
static int find_halo(const struct ewi_grid *grid, const int32_t *halo, int32_t halos, int32_t i, int k)
{
    size_t at = (size_t)k * (size_t)grid->padded + (size_t)i;
    int32_t entry = grid->neighbour[at] << 2 | grid->neighbour_side[at];
    const int32_t *found = bsearch(&entry, halo, (size_t)halos, sizeof *halo, compare_entries);
    return (int32_t)(found - halo);
}

static void fill_neighbours(const struct ewi_plan *plan, struct ewi_blocks *blocks, const struct ewi_fused_block *block)
{
    const struct ewi_grid *grid = plan->grid;
    int32_t size = EWI_FUSED_ELEMENTS(blocks->variant), first = block->number * size;
    const int32_t *halo = blocks->halo + block->halo_first;
    for (int32_t i = first; i < first + size && i < grid->padded; i++) {
        int place[3];
        for (int k = 0; k < 3; k++) {
            int32_t other = grid->neighbour[(size_t)k * (size_t)grid->padded + (size_t)i] - first;
            place[k] = other >= 0 && other < size ? other : size + find_halo(grid, halo, block->halos, i, k);
        }
        blocks->neighbours[i] = ewi_fused_pack_neighbours(place);
    }
    for (int32_t h = 0; h < block->halos; h++) {
        int32_t element = halo[h] >> 2, other[3]; /* from the halo's own side on */
        for (int k = 0; k < 3; k++)
            other[k] = grid->neighbour[(size_t)(((halo[h] & 3) + k) % 3) * (size_t)grid->padded + (size_t)element];
        blocks->halo_neighbours[block->halo_first + h] =
            ewi_fused_pack_halo_neighbours(halo[h] & 3, other[0] - first, other[1], other[2]);
    }
}

static void fill_block(const struct ewi_plan *plan, struct ewi_blocks *blocks, int32_t b)
{
    const struct ewi_fused_block *block = &blocks->block[b];
    struct edge edge[3 * EWI_FUSED_MOST_ELEMENTS];
    struct range range = range_of(plan, blocks->variant, block->number);
    int32_t *halo = blocks->halo + block->halo_first, edges = 0, boundary_edges = 0;
    int32_t halos = list_halo(plan, range, halo);
    int own = EWI_FUSED_OWN(blocks->variant, plan->basis->ne);
    for (int k = 0; k < 3; k++)
        for (int32_t i = range.first; i < range.end; i++) {
            struct side side = side_of(plan->grid, range, i, k);
            int here = place_of(plan, blocks->variant, range, i, k), there;
            if (side.boundary) {
                halo[block->halos + boundary_edges] = side.slot;
                edge[edges++] = (struct edge){i, k, here, own + block->halos + boundary_edges++, i};
                continue;
            }
            if (side.absent) {
                edge[edges++] = (struct edge){i, k, here, here, i};
                continue;
            }
            if (side.right && !side.outside)
                continue;
            int other_side = plan->grid->neighbour_side[(size_t)k * (size_t)plan->grid->padded + (size_t)i];
            there = side.outside ? own + find_halo(plan->grid, halo, halos, i, k)
                                 : place_of(plan, blocks->variant, range, side.other, other_side);
            edge[edges++] = (struct edge){i, k, side.right ? there : here, side.right ? here : there, side.other};
        }
    spread(own, edge, edges);
    struct cursor cursor = cursor_of(blocks, block);
    for (int32_t k = 0; k < edges; k++)
        put_edge(plan, &cursor, &edge[k]);
    if (blocks->neighbours)
        fill_neighbours(plan, blocks, block);
}

struct planning {
    const struct ewi_plan *plan;
    struct ewi_blocks *blocks;
};

static void fill_shape(void *context, int64_t first, int64_t last)
{
    const struct planning *planning = context;
    for (int32_t i = (int32_t)first; i < last; i++)
        for (int row = 0; row < EWI_FUSED_SHAPE; row++)
            planning->blocks->shape[ewi_layout_index(EWI_TILE, EWI_FUSED_SHAPE, row, i)] =
                planning->plan->grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, row, i)];
}

static void count_blocks(void *context, int64_t first, int64_t last)
{
    const struct planning *planning = context;
    for (int32_t b = (int32_t)first; b < last; b++)
        count_block(planning->plan, planning->blocks, b);
}

static void fill_blocks(void *context, int64_t first, int64_t last)
{
    const struct planning *planning = context;
    for (int32_t b = (int32_t)first; b < last; b++)
        fill_block(planning->plan, planning->blocks, b);
}

/* Messages per block: one for each element and each part that has it in its ghost layer. */
static void count_messages(const struct ewi_part *part, int variant, int32_t *messages)
{
    for (int p = 0; p < part->peers; p++)
        for (int32_t k = 0; k < part->peer[p].sends; k++)
            messages[part->peer[p].send[k] / EWI_FUSED_ELEMENTS(variant)]++;
}

/* By their classes: those that other parts wait for come first (until the GPU is known: parts.c). */
static int order_blocks(const struct ewi_plan *plan, struct ewi_blocks *blocks)
{
    int32_t *messages = ewi_alloc(&plan->host, (size_t)blocks->count, sizeof *messages), at = 0, all = 0;
    if (!messages)
        return EW_ENOMEM;
    if (plan->part && plan->levels == 1)
        count_messages(plan->part, blocks->variant, messages);
    for (int class = 0; class < EWI_MAX_CLASSES; class++) {
        for (int32_t number = 0; number < blocks->count; number++) {
            if (ewi_class_of_unit(plan, 1, EWI_FUSED_ELEMENTS(blocks->variant), number) != class)
                continue;
            blocks->block[at++] = (struct ewi_fused_block){
                .number = number, .message_first = all, .messages = messages[number]};
            all += messages[number];
        }
        blocks->class_end[class] = at;
    }
    blocks->interface_blocks = plan->part ? blocks->class_end[0] : 0;
    ewi_free(&plan->host, messages);
    return EW_OK;
}

/* ---- tables ---- */

enum table_kind { SIDES, POINTS, GRADIENTS_R, GRADIENTS_S, LIFT };

/* A table has values of the basis functions, or derivatives. */
enum derivative { VALUE, ALONG_R, ALONG_S };

/* Entry of the table behind fragments, of basis function j at a point; outside the table what changes no sum. */
static double entry_of(const struct ewi_basis *basis, enum table_kind kind, enum derivative derivative, int side,
                       int point, int j)
{
    const double *const at_sides[] = {basis->side, basis->side_r, basis->side_s};
    const double *const at_points[] = {basis->phi, basis->slope_r, basis->slope_s};
    if (j >= basis->np)
        return 0.0;
    switch (kind) {
    case SIDES: /* all three, one after the other */
        return point < 3 * basis->ne ? at_sides[derivative][point * basis->np + j] : 0.0;
    case POINTS: /* a flux shall be finite there */
        return at_points[derivative][(point < basis->nq ? point : 0) * basis->np + j];
    case GRADIENTS_R:
        return point < basis->nq ? basis->dr[point * basis->np + j] : 0.0;
    case GRADIENTS_S:
        return point < basis->nq ? basis->ds[point * basis->np + j] : 0.0;
    default:
        return point < basis->ne ? at_sides[derivative][(side * basis->ne + point) * basis->np + j] : 0.0;
    }
}

/* To columns of points from basis functions 4 step .. 4 step + 3, or (lift, gradients) the other way. */
static double *put_fragment(double *to, const struct ewi_basis *basis, enum table_kind kind,
                            enum derivative derivative, int side, int product, int step)
{
    for (int lane = 0; lane < 32; lane++) {
        int column = ewi_fused_column(product, lane / 4), row = 4 * step + lane % 4;
        bool to_points = kind == SIDES || kind == POINTS;
        *to++ = to_points ? entry_of(basis, kind, derivative, side, column, row)
                          : entry_of(basis, kind, derivative, side, row, column);
    }
    return to;
}

/* To the columns of so many products of points, from all basis functions. */
static double *put_products(double *to, const struct ewi_basis *basis, enum table_kind kind,
                            enum derivative derivative, int products)
{
    for (int product = 0; product < products; product++)
        for (int step = 0; step < EWI_FUSED_KS(basis->np); step++)
            to = put_fragment(to, basis, kind, derivative, 0, product, step);
    return to;
}

static double *put_lift(double *to, const struct ewi_basis *basis, enum derivative derivative)
{
    for (int side = 0; side < 3; side++)
        for (int step = 0; step < EWI_FUSED_KE(basis->ne); step++)
            for (int product = 0; product < EWI_FUSED_GJ(basis->np); product++)
                to = put_fragment(to, basis, LIFT, derivative, side, product, step);
    return to;
}

static void fill_table(const struct ewi_basis *basis, int variant, double *to)
{
    int np = basis->np, nq = basis->nq, ne = basis->ne;
    const enum derivative last = EWI_FUSED_DIFFUSES(variant) ? ALONG_S : VALUE;
    if (EWI_FUSED_MATRIX(variant)) {
        for (enum derivative derivative = VALUE; derivative <= last; derivative++)
            to = put_products(to, basis, SIDES, derivative, EWI_FUSED_GE(ne));
        for (enum derivative derivative = VALUE; derivative <= last; derivative++)
            to = put_products(to, basis, POINTS, derivative, EWI_FUSED_GQ(nq));
        for (int step = 0; step < EWI_FUSED_KQ(nq); step++)
            for (int product = 0; product < EWI_FUSED_GJ(np); product++) {
                to = put_fragment(to, basis, GRADIENTS_R, VALUE, 0, product, step);
                to = put_fragment(to, basis, GRADIENTS_S, VALUE, 0, product, step);
            }
        for (enum derivative derivative = VALUE; derivative <= last; derivative++)
            to = put_lift(to, basis, derivative);
    } else {
        for (int side = 0; side < 3; side++)
            for (int j = 0; j < np; j++)
                for (int e = 0; e < ne; e++)
                    *to++ = entry_of(basis, LIFT, VALUE, side, e, j);
    }
}

/* ---- all of it ---- */

int ewi_blocks_variant(const struct ewi_sizes *sizes)
{
    int variant = 0;
    while (EWI_FUSED_ORDER(variant) != sizes->basis->order || EWI_FUSED_DIFFUSES(variant) != sizes->law->has_diffusion)
        variant++;
    return variant;
}

size_t ewi_blocks_table_doubles(const struct ewi_basis *basis, int variant)
{
    return (size_t)EWI_FUSED_UP(EWI_FUSED_TABLE(variant, basis->np, basis->nq, basis->ne), 2) * 2;
}

/*
 * Stages that limit on load have numbers of elements in so many bits. Those of laws with gradients do not limit on
 * load: the fluxes at boundary edges, which are computed before a stage, need whole limited elements.
 */
struct ewi_fusion ewi_blocks_fusion(const struct ewi_sizes *sizes)
{
    return (struct ewi_fusion){.next_step = true, .stages = true, .speed = true, .of_means = true, .data_ahead = true,
                               .limits_on_load = !sizes->law->has_diffusion &&
                                                 sizes->elements < 1 << EWI_FUSED_FAR_BITS};
}

bool ewi_blocks_limit_on_load(const struct ewi_sizes *sizes)
{
    const struct ewi_fusion fusion = ewi_blocks_fusion(sizes);
    struct ewi_step step;
    ewi_step_make_fused(sizes, &fusion, &step);
    return ewi_step_on_load(&step) & EWI_OP_BIT(limit);
}

int32_t ewi_blocks_count(const struct ewi_sizes *sizes, int variant)
{
    return (sizes->elements + EWI_FUSED_ELEMENTS(variant) - 1) / EWI_FUSED_ELEMENTS(variant);
}

size_t ewi_blocks_room(const struct ewi_blocks *blocks)
{
    return (size_t)blocks->count * EWI_FUSED_ELEMENTS(blocks->variant);
}

static int allocate(const struct ewi_plan *plan, struct ewi_blocks *blocks)
{
    size_t entries = (size_t)(blocks->halos > 0 ? blocks->halos : 1);
    size_t edge_bytes = (size_t)blocks->edges * EWI_FUSED_EDGE_BYTES(blocks->variant);
    bool limits_on_load = ewi_blocks_limit_on_load(&plan->sizes);
    blocks->edge = ewi_alloc(&plan->host, edge_bytes / sizeof(double), sizeof(double));
    blocks->halo = ewi_alloc(&plan->host, entries, sizeof(int32_t));
    blocks->shape = ewi_alloc(&plan->host, (size_t)plan->grid->padded * EWI_FUSED_SHAPE, sizeof(double));
    blocks->table = ewi_alloc(&plan->host, ewi_blocks_table_doubles(plan->basis, blocks->variant), sizeof(double));
    blocks->neighbours = limits_on_load ? ewi_alloc(&plan->host, ewi_blocks_room(blocks), sizeof(uint32_t)) : NULL;
    blocks->halo_neighbours = limits_on_load ? ewi_alloc(&plan->host, entries, sizeof(uint64_t)) : NULL;
    return blocks->edge && blocks->halo && blocks->shape && blocks->table &&
                   (!limits_on_load || (blocks->neighbours && blocks->halo_neighbours))
               ? EW_OK
               : EW_ENOMEM;
}

int ewi_blocks_create(const struct ewi_plan *plan, int variant, struct ewi_blocks *blocks, ew_error *error)
{
    *blocks = (struct ewi_blocks){.variant = variant, .count = ewi_blocks_count(&plan->sizes, variant)};
    blocks->block = ewi_alloc(&plan->host, (size_t)blocks->count, sizeof *blocks->block);
    if (!blocks->block || order_blocks(plan, blocks) != EW_OK)
        goto no_memory;
    struct planning planning = {plan, blocks};
    int64_t few = plan->grid->padded > EWI_MANY ? 0 : blocks->count;
    ewi_parallel_shares(blocks->count, few, count_blocks, &planning);
    for (int32_t b = 0; b < blocks->count; b++)
        place_block(blocks, b);
    /* Two more than a multiple of eight, so that a side's points lie in different banks. */
    blocks->halo_room = (blocks->halo_room + 5) / 8 * 8 + 2;
    if (allocate(plan, blocks) != EW_OK)
        goto no_memory;
    ewi_parallel_shares(blocks->count, few, fill_blocks, &planning);
    ewi_parallel_shares(plan->grid->padded, EWI_MANY, fill_shape, &planning);
    fill_table(plan->basis, variant, blocks->table);
    return EW_OK;
no_memory:
    return ewi_fail(error, EW_ENOMEM, "not enough memory to plan the blocks of %d elements", plan->grid->elements);
}

void ewi_blocks_destroy(const ew_host *host, struct ewi_blocks *blocks)
{
    void *const arrays[] = {blocks->block, blocks->edge,   blocks->halo,  blocks->shape,
                            blocks->table, blocks->neighbours, blocks->halo_neighbours};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(host, arrays[k]);
    *blocks = (struct ewi_blocks){0};
}
