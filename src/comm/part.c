/* SPDX-License-Identifier: BSD-2-Clause */
/* Extracts the plan of a part from the plan of the whole case. */
#include "ewi_part.h"
#include "ewi_error.h"
#include "ewi_extract.h"
#include "ewi_host.h"

#include <string.h>

/* ---- where parts begin ------------------------------------------------------------------------------------------- */

/* The work of an element in a step of the highest level. */
static int64_t work_of(const struct ewi_plan *whole, int32_t i)
{
    return whole->level ? (int64_t)1 << (whole->levels - 1 - whole->level[i]) : 1;
}

static int64_t work_of_range(const struct ewi_plan *whole, int32_t first, int32_t last)
{
    int64_t work = whole->level ? 0 : last - first;
    for (int32_t i = first; whole->level && i < last; i++)
        work += work_of(whole, i);
    return work;
}

/* Part r begins with the last element before which there are at most r / size of the work. */
static void cut_by_work(const struct ewi_plan *whole, int size, int32_t *cut)
{
    int32_t elements = whole->grid->elements, i = 0;
    int64_t all = work_of_range(whole, 0, elements), before = 0;
    for (int r = 1; r < size; r++) {
        while (before + work_of(whole, i) <= all * r / size)
            before += work_of(whole, i++);
        cut[r] = i;
    }
    cut[size] = elements;
    /* Each has an element, if there are enough. */
    for (int r = 1; r < size; r++)
        cut[r] = cut[r] > cut[r - 1] ? cut[r] : cut[r - 1] + 1;
    for (int r = size - 1; r > 0; r--)
        cut[r] = cut[r] < cut[r + 1] ? cut[r] : cut[r + 1] - 1;
}

int ewi_part_cut(const struct ewi_plan *whole, int size, int32_t **cut, ew_error *error)
{
    *cut = ewi_alloc(&whole->host, (size_t)size + 1, sizeof **cut);
    if (!*cut)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to divide the mesh");
    cut_by_work(whole, size, *cut);
    return EW_OK;
}

int ewi_part_of(const int32_t *cut, int size, int32_t i)
{
    int low = 0, high = size;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (i < cut[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

int64_t ewi_part_cut_edges(const struct ewi_grid *whole, const int32_t *cut, int size)
{
    const struct ewi_edge_group *inner = &whole->group[whole->groups - 1];
    int64_t edges = 0;
    for (int32_t slot = inner->first; slot < inner->first + inner->count; slot++)
        edges += ewi_part_of(cut, size, whole->left[slot]) != ewi_part_of(cut, size, whole->right[slot]);
    return edges;
}

double ewi_part_imbalance(const struct ewi_plan *whole, const int32_t *cut, int size)
{
    int64_t largest = 0;
    for (int r = 0; r < size; r++) {
        int64_t work = work_of_range(whole, cut[r], cut[r + 1]);
        largest = work > largest ? work : largest;
    }
    return (double)largest * size / (double)work_of_range(whole, 0, whole->grid->elements) - 1.0;
}

/* State of the extraction of a part. "Whole" numbers of elements and slots are those of the whole case. */
struct extraction {
    const struct ewi_plan *whole;
    struct ewi_plan *plan;
    struct ewi_part *part;
    int32_t *local; /* [whole elements]: numbers in the part, or -1 */
    int32_t *of;    /* [padded]: numbers in the whole, or -1 */
    int32_t *slot;  /* [slots]: numbers in the whole; padded slots repeat the last one's */
};

static bool is_own(const struct extraction *x, int32_t i)
{
    return i >= x->part->first && i < x->part->first + x->part->count;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Own elements come first, then the ghost layer; both in the order of the whole. */
static void number_elements(struct extraction *x)
{
    enum { AWAY = -1, IN_GHOST_LAYER = -2 };
    const struct ewi_grid *grid = x->whole->grid;
    struct ewi_part *part = x->part;
    for (int32_t i = 0; i < grid->elements; i++)
        x->local[i] = is_own(x, i) ? i - part->first : AWAY;
    for (int32_t i = part->first; i < part->first + part->count; i++)
        for (int k = 0; k < 3; k++) {
            int32_t other = grid->neighbour[(size_t)k * (size_t)grid->padded + (size_t)i];
            if (x->local[other] == AWAY)
                x->local[other] = IN_GHOST_LAYER;
        }
    for (int32_t i = 0; i < grid->elements; i++)
        if (x->local[i] == IN_GHOST_LAYER)
            x->local[i] = part->count + part->ghosts++;
}

static void list_elements(struct extraction *x, int32_t padded)
{
    for (int32_t i = 0; i < padded; i++)
        x->of[i] = -1;
    for (int32_t i = 0; i < x->whole->grid->elements; i++)
        if (x->local[i] >= 0)
            x->of[x->local[i]] = i;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static bool is_slot_of_part(const struct extraction *x, int32_t slot)
{
    return is_own(x, x->whole->grid->left[slot]) || is_own(x, x->whole->grid->right[slot]);
}

static void count_group(const struct extraction *x, int32_t g, int32_t first, struct ewi_edge_group *group)
{
    const struct ewi_edge_group *all = &x->whole->grid->group[g];
    *group = (struct ewi_edge_group){.boundary = all->boundary, .first = first};
    for (int32_t slot = all->first; slot < all->first + all->count; slot++)
        group->count += is_slot_of_part(x, slot);
    group->padded = (int32_t)ewi_layout_padded(group->count);
}

static void list_group(const struct extraction *x, int32_t g, const struct ewi_edge_group *group)
{
    const struct ewi_edge_group *all = &x->whole->grid->group[g];
    int32_t at = group->first;
    for (int32_t slot = all->first; slot < all->first + all->count; slot++)
        if (is_slot_of_part(x, slot))
            x->slot[at++] = slot;
    for (; at < group->first + group->padded; at++)
        x->slot[at] = x->slot[at - 1];
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static void connect(const struct extraction *x, struct ewi_grid *grid, int32_t slot)
{
    const struct ewi_grid *whole = x->whole->grid;
    int32_t from = x->slot[slot];
    grid->left[slot] = x->local[whole->left[from]];
    grid->right[slot] = x->local[whole->right[from]];
    grid->left_side[slot] = whole->left_side[from];
    grid->right_side[slot] = whole->right_side[from];
}

/*
 * Sides of the ghost layer without an edge here are their own neighbours, and count as right of some inner edge, which
 * adds nothing to them. Like padded elements, ghost elements have inverse_det 0 (ewi_part.h).
 */
static void fill_ghost_layer(struct ewi_grid *grid)
{
    for (int32_t i = grid->elements; i < grid->connected; i++) {
        grid->geometry[ewi_layout_index(EWI_TILE, EWI_GEOMETRY, EWI_INVERSE_DET, i)] = 0.0;
        for (int k = 0; k < 3; k++) {
            size_t side = (size_t)k * (size_t)grid->padded + (size_t)i;
            grid->neighbour[side] = i;
            grid->neighbour_side[side] = (uint8_t)k;
            grid->side_slot[side] = 2 * grid->boundary_slots + 1;
        }
    }
}

static int make_grid(struct extraction *x, ew_error *error)
{
    const struct ewi_grid *whole = x->whole->grid;
    const ew_host *host = &x->plan->host;
    struct ewi_part *part = x->part;
    struct ewi_grid shape = {.mesh = &part->mesh, .elements = part->count, .connected = part->count + part->ghosts,
                             .padded = (int32_t)ewi_layout_padded(part->count + part->ghosts), .groups = whole->groups};
    struct ewi_edge_group group = {.count = 0};
    for (int32_t g = 0; g < whole->groups; g++) {
        shape.boundary_slots = shape.slots;
        count_group(x, g, shape.slots, &group);
        shape.slots += group.padded;
        part->mesh.edges += group.count;
    }
    part->mesh.boundary_edges = part->mesh.edges - group.count; /* the last group is of inner edges */
    TRY(ewi_grid_allocate(host, &shape, &x->plan->grid, error));
    struct ewi_grid *grid = x->plan->grid;
    x->of = ewi_alloc(host, (size_t)grid->padded, sizeof *x->of);
    x->slot = ewi_alloc(host, (size_t)grid->slots, sizeof *x->slot);
    if (!x->of || !x->slot)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to divide the mesh");
    list_elements(x, grid->padded);
    ewi_extract_rows(EWI_GEOMETRY, x->of, grid->padded, whole->geometry, grid->geometry);
    fill_ghost_layer(grid);
    ewi_grid_fill_padding(grid);
    int32_t first = 0;
    for (int32_t g = 0; g < grid->groups; g++) {
        count_group(x, g, first, &grid->group[g]);
        list_group(x, g, &grid->group[g]);
        for (int32_t k = 0; k < grid->group[g].padded; k++)
            connect(x, grid, first + k);
        for (int32_t k = 0; k < grid->group[g].count; k++)
            ewi_grid_connect(grid, first + k);
        first += grid->group[g].padded;
    }
    return EW_OK;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

static void count_plan(struct ewi_plan *plan)
{
    const struct ewi_grid *grid = plan->grid;
    plan->elements = grid->elements;
    plan->padded = grid->padded;
    plan->slots = grid->slots;
    plan->boundary_slots = grid->boundary_slots;
    plan->edges = plan->mesh->edges;
    plan->width = plan->width == EWI_TILE ? EWI_TILE : grid->padded;
}

/* ---- peers ------------------------------------------------------------------------------------------------------- */

static int owner_of(const struct extraction *x, int32_t i)
{
    return ewi_part_of(x->part->cut, x->part->comm->size, i);
}

/* True if own element i has a neighbour in part `rank`. */
static bool touches(const struct extraction *x, int32_t i, int rank)
{
    const struct ewi_grid *grid = x->whole->grid;
    for (int k = 0; k < 3; k++) {
        int32_t other = grid->neighbour[(size_t)k * (size_t)grid->padded + (size_t)i];
        if (!is_own(x, other) && owner_of(x, other) == rank)
            return true;
    }
    return false;
}

static int make_peer(struct extraction *x, struct ewi_peer *peer, ew_error *error)
{
    struct ewi_part *part = x->part;
    const ew_host *host = &x->plan->host;
    for (int32_t i = part->first; i < part->first + part->count; i++)
        peer->sends += touches(x, i, peer->rank);
    size_t rows = (size_t)x->plan->rows;
    peer->send = ewi_alloc(host, (size_t)peer->sends, sizeof *peer->send);
    peer->outgoing = ewi_alloc(host, (size_t)peer->sends * rows, sizeof(double));
    peer->incoming = ewi_alloc(host, (size_t)peer->receives * rows, sizeof(double));
    if (!peer->send || !peer->outgoing || !peer->incoming)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange between parts");
    for (int32_t i = part->first, k = 0; i < part->first + part->count; i++)
        if (touches(x, i, peer->rank))
            peer->send[k++] = i - part->first;
    return EW_OK;
}

static void add_messages(struct ewi_part *part, const struct ewi_peer *peer, int rows)
{
    struct ewi_message *message = &part->message[2 * (peer - part->peer)];
    size_t bytes = (size_t)rows * sizeof(double);
    message[0] = (struct ewi_message){peer->rank, true, peer->incoming, (size_t)peer->receives * bytes};
    message[1] = (struct ewi_message){peer->rank, false, peer->outgoing, (size_t)peer->sends * bytes};
}

/* The ghost layer is in the order of the whole, so its elements are grouped by owner. */
static int make_peers(struct extraction *x, ew_error *error)
{
    struct ewi_part *part = x->part;
    const ew_host *host = &x->plan->host;
    for (int32_t k = 0, rank = -1; k < part->ghosts; k++) {
        int owner = owner_of(x, x->of[part->count + k]);
        part->peers += owner != rank;
        rank = owner;
    }
    part->peer = ewi_alloc(host, (size_t)part->peers, sizeof *part->peer);
    part->message = ewi_alloc(host, 2 * (size_t)part->peers, sizeof *part->message);
    if (!part->peer || !part->message)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the neighbours of a part");
    struct ewi_peer *peer = part->peer - 1;
    for (int32_t k = 0, rank = -1; k < part->ghosts; k++) {
        int owner = owner_of(x, x->of[part->count + k]);
        if (owner != rank)
            *++peer = (struct ewi_peer){.rank = owner, .first = part->count + k};
        peer->receives++;
        rank = owner;
    }
    for (int k = 0; k < part->peers; k++) {
        TRY(make_peer(x, &part->peer[k], error));
        add_messages(part, &part->peer[k], x->plan->rows);
    }
    return EW_OK;
}

static int classify(const struct extraction *x, ew_error *error)
{
    struct ewi_plan *plan = x->plan;
    plan->element_class = ewi_alloc(&plan->host, (size_t)plan->padded, 1);
    if (!plan->element_class)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the interface of a part");
    memset(plan->element_class, 1, (size_t)plan->padded);
    for (int p = 0; p < x->part->peers; p++)
        for (int32_t k = 0; k < x->part->peer[p].sends; k++)
            plan->element_class[x->part->peer[p].send[k]] = 0;
    return EW_OK;
}

static int copy_levels(const struct extraction *x, ew_error *error)
{
    const struct ewi_plan *whole = x->whole;
    struct ewi_plan *plan = x->plan;
    if (!whole->level)
        return EW_OK;
    plan->level = ewi_alloc(&plan->host, (size_t)plan->grid->connected, sizeof *plan->level);
    plan->neighbour_levels = ewi_alloc(&plan->host, (size_t)plan->grid->connected, sizeof *plan->neighbour_levels);
    if (!plan->level || !plan->neighbour_levels)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the levels of a part");
    for (int32_t i = 0; i < plan->grid->connected; i++) {
        plan->level[i] = whole->level[x->of[i]];
        plan->neighbour_levels[i] = whole->neighbour_levels[x->of[i]];
    }
    return EW_OK;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static int extract_part(struct extraction *x, ew_error *error)
{
    struct ewi_part *part = x->part;
    TRY(ewi_part_cut(x->whole, part->comm->size, &part->cut, error));
    part->first = part->cut[part->comm->rank];
    part->count = part->cut[part->comm->rank + 1] - part->first;
    part->mesh.elements = part->count;
    number_elements(x);
    TRY(make_grid(x, error));
    count_plan(x->plan);
    TRY(copy_levels(x, error));
    TRY(ewi_extract_data(&(struct ewi_extraction){x->whole, x->plan, x->of, x->slot}, error));
    TRY(make_peers(x, error));
    return classify(x, error);
}

static void destroy_part(const ew_host *host, struct ewi_part *part)
{
    for (int k = 0; part->peer && k < part->peers; k++) {
        ewi_free(host, part->peer[k].send);
        ewi_free(host, part->peer[k].outgoing);
        ewi_free(host, part->peer[k].incoming);
    }
    ewi_free(host, part->peer);
    ewi_free(host, part->message);
    ewi_free(host, part->cut);
    ewi_free(host, part);
}

/* Only rank 0 logs: other parts are those of other threads, or ranks. */
static void begin(const struct ewi_plan *whole, struct ew_comm *comm, struct ewi_part *part, struct ewi_plan *plan)
{
    part->comm = comm;
    part->mesh.boundaries = whole->mesh->boundaries;
    part->mesh.info = whole->mesh->info;
    plan->sizes = whole->sizes;
    plan->divided = true;
    plan->host = whole->host;
    plan->host.log = comm->rank == 0 ? whole->host.log : NULL;
    plan->mesh = &part->mesh;
    plan->part = part;
    plan->destroy_part = destroy_part;
    plan->given_speed = whole->given_speed;
}

int ewi_part_create(const struct ewi_plan *whole, struct ew_comm *comm, struct ewi_plan **result, ew_error *error)
{
    const ew_host *host = &whole->host;
    struct ewi_plan *plan = ewi_alloc(host, 1, sizeof *plan);
    struct ewi_part *part = ewi_alloc(host, 1, sizeof *part);
    struct extraction x = {.whole = whole, .plan = plan, .part = part,
                           .local = ewi_alloc(host, (size_t)whole->grid->elements, sizeof *x.local)};
    int status = EW_ENOMEM;
    if (plan && part && x.local) {
        begin(whole, comm, part, plan);
        status = extract_part(&x, error);
    } else {
        ewi_fail(error, EW_ENOMEM, "not enough memory for a part of the mesh");
    }
    ewi_free(host, x.local);
    ewi_free(host, x.of);
    ewi_free(host, x.slot);
    if (status == EW_OK) {
        *result = plan;
    } else if (plan && plan->part) {
        ew_plan_destroy(plan);
    } else {
        ewi_free(host, plan);
        ewi_free(host, part);
    }
    return status;
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

static void pack_one(const struct ewi_plan *plan, const double *state, int32_t i, double *packed)
{
    const double *base = state + ewi_layout_base(plan->width, plan->rows, i);
    for (int row = 0; row < plan->rows; row++)
        packed[row] = base[row * plan->width];
}

void ewi_part_pack(const struct ewi_plan *plan, const double *state, int32_t first, int32_t count, double *packed)
{
    for (int32_t k = 0; k < count; k++)
        pack_one(plan, state, first + k, packed + (size_t)k * (size_t)plan->rows);
}

void ewi_part_unpack(const struct ewi_plan *plan, const double *packed, int32_t first, int32_t count, double *state)
{
    for (int32_t k = 0; k < count; k++) {
        double *base = state + ewi_layout_base(plan->width, plan->rows, first + k);
        for (int row = 0; row < plan->rows; row++)
            base[row * plan->width] = packed[(size_t)k * (size_t)plan->rows + (size_t)row];
    }
}

/* Exchanges messages of `rows` numbers per element. */
static void exchange_rows(const struct ewi_part *part, int rows)
{
    for (int p = 0; p < part->peers; p++) {
        part->message[2 * p].bytes = (size_t)part->peer[p].receives * (size_t)rows * sizeof(double);
        part->message[2 * p + 1].bytes = (size_t)part->peer[p].sends * (size_t)rows * sizeof(double);
    }
    part->comm->calls->exchange(part->comm, 2 * part->peers, part->message);
}

void ewi_part_exchange_numbers(const struct ewi_plan *plan, double *number)
{
    const struct ewi_part *part = plan->part;
    for (int p = 0; p < part->peers; p++)
        for (int32_t k = 0; k < part->peer[p].sends; k++)
            part->peer[p].outgoing[k] = number[part->peer[p].send[k]];
    exchange_rows(part, 1);
    for (int p = 0; p < part->peers; p++)
        memcpy(number + part->peer[p].first, part->peer[p].incoming,
               (size_t)part->peer[p].receives * sizeof *number);
}

void ewi_part_exchange(const struct ewi_plan *plan, double *state)
{
    const struct ewi_part *part = plan->part;
    for (int p = 0; p < part->peers; p++)
        for (int32_t k = 0; k < part->peer[p].sends; k++)
            pack_one(plan, state, part->peer[p].send[k], part->peer[p].outgoing + (size_t)k * (size_t)plan->rows);
    exchange_rows(part, plan->rows);
    for (int p = 0; p < part->peers; p++)
        ewi_part_unpack(plan, part->peer[p].incoming, part->peer[p].first, part->peer[p].receives, state);
}
