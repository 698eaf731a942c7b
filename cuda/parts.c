/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A part of a case on a GPU (ewi_part.h). If the GPUs of all parts reach each other's memory, kernels exchange
 * interfaces and all-reduce (part_kernels.h), and the host only polls. Otherwise interfaces are messages between the
 * hosts, which a GPU-aware MPI takes from GPU memory, and the host synchronizes at each stage and keeps the clock. A
 * failed part keeps exchanging until the all-reduce reports its failure.
 */
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is exchanged ---- */

static size_t doubles_of(const struct ewi_cuda *cuda, int64_t elements)
{
    return (size_t)elements * (size_t)cuda->exchange.doubles;
}

static int allocate(struct ewi_cuda *cuda, enum ewi_cuda_array array, size_t bytes, ew_error *error)
{
    int status = EW_OK;
    if (cuda->array[array])
        cuda->driver.release(cuda->array[array]);
    cuda->array[array] = 0;
    if (bytes > 0)
        EWI_CUDA(cuda, cuda->driver.allocate(&cuda->array[array], bytes), "for what parts exchange", error);
    cuda->bytes += bytes;
out:
    return status;
}

/* ---- through the hosts ---- */

/* Points the messages at a buffer: the interface, peer by peer, then the ghost layer. Returns their number. */
static int address_messages(const struct ewi_plan *plan, double *packed, size_t sent, struct ewi_message *message)
{
    const struct ewi_part *part = plan->part;
    double *out = packed, *in = out + sent;
    memcpy(message, part->message, 2 * (size_t)part->peers * sizeof *message);
    for (int p = 0; p < part->peers; p++, message += 2) {
        message[0].data = in;
        message[1].data = out;
        in += message[0].bytes / sizeof *in;
        out += message[1].bytes / sizeof *out;
    }
    return 2 * part->peers;
}

/* Points the messages of a kind of exchange at the host's memory, or at the GPU's. Returns their number. */
static int address_kind(const struct ewi_cuda *cuda, int kind, double *packed, struct ewi_message *message)
{
    size_t sent = doubles_of(cuda, cuda->exchange.messages[kind].sends);
    if (!cuda->levels)
        return address_messages(cuda->plan, packed, sent, message);
    const struct ewi_level_range range = ewi_cuda_exchange_range(cuda, kind);
    return ewi_level_exchange_messages(cuda->exchange.of_levels, &range, cuda->exchange.doubles, packed,
                                       packed + sent, message);
}

/* A part that has failed has its host's memory alone, which then goes in place of the GPU's. */
static int make_messages(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_exchange *exchange = &cuda->exchange;
    size_t most = 2 * (size_t)cuda->plan->part->peers;
    for (int kind = 0; kind < ewi_cuda_kinds_of_exchange(cuda); kind++) {
        struct ewi_cuda_messages *messages = &exchange->messages[kind];
        if (!messages->message)
            messages->message = ewi_alloc(&cuda->host, 2 * most, sizeof *messages->message);
        if (!messages->message)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange between parts");
        messages->count = address_kind(cuda, kind, exchange->packed, messages->message);
        address_kind(cuda, kind, ewi_cuda_at(cuda, EWI_ARRAY_PACKED), messages->message + messages->count);
    }
    return EW_OK;
}

/* For what goes while the interior is computed. */
static int make_way(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_exchange *exchange = &cuda->exchange;
    const struct ewi_driver *driver = &cuda->driver;
    int status;
    EWI_CUDA(cuda, driver->stream_create(&exchange->stream, CU_STREAM_NON_BLOCKING), "making a stream", error);
    EWI_CUDA(cuda, driver->event_create(&exchange->packs, CU_EVENT_NO_TIMING), "making an event", error);
    EWI_CUDA(cuda, driver->event_create(&exchange->came, CU_EVENT_NO_TIMING), "making an event", error);
out:
    return status;
}

static int make_packed(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_exchange *exchange = &cuda->exchange;
    int64_t most = 0;
    for (int kind = 0; kind < ewi_cuda_kinds_of_exchange(cuda); kind++) {
        int64_t count = exchange->messages[kind].sends + exchange->messages[kind].receives;
        most = count > most ? count : most;
    }
    size_t bytes = doubles_of(cuda, most) * sizeof(double);
    int status;
    void *packed;
    EWI_TRY(allocate(cuda, EWI_ARRAY_PACKED, bytes, error));
    if (bytes > 0 && !exchange->packed) {
        EWI_CUDA(cuda, cuda->driver.host_allocate(&packed, bytes, 0), "taking page-locked memory", error);
        exchange->packed = packed;
        EWI_TRY(make_way(cuda, error));
    }
    if (bytes > 0)
        status = make_messages(cuda, error);
out:
    return status;
}

/* All elements to send, in the order of the peers. */
static int64_t list_sends(const struct ewi_part *part, int32_t *list)
{
    int64_t at = 0;
    for (int p = 0; p < part->peers; p++)
        for (int32_t k = 0; k < part->peer[p].sends; k++, at++)
            if (list)
                list[at] = part->peer[p].send[k];
    return at;
}

/* The elements of a kind of exchange or, where GPUs reach each other, their places. */
static int64_t list_level(const struct ewi_cuda *cuda, enum ewi_way way, int kind, int32_t *list)
{
    const struct ewi_level_range range = ewi_cuda_exchange_range(cuda, kind);
    bool direct = cuda->exchange.direct;
    return ewi_level_exchange_list(cuda->exchange.of_levels, way, &range, direct ? NULL : list, direct ? list : NULL);
}

/* Lists of all kinds of exchanges, one after the other; if `list` is NULL, only counts them. Returns their length. */
static int64_t make_lists(struct ewi_cuda *cuda, int32_t *list)
{
    const int32_t *there = ewi_cuda_at(cuda, EWI_ARRAY_SEND_LIST);
    int64_t at = 0;
    for (int kind = 0; kind < ewi_cuda_kinds_of_exchange(cuda); kind++) {
        struct ewi_cuda_messages *messages = &cuda->exchange.messages[kind];
        messages->send_list = there ? there + at : NULL;
        if (!cuda->levels) {
            messages->receives = cuda->exchange.receives;
            at += messages->sends = list_sends(cuda->plan->part, list);
            continue;
        }
        at += messages->sends = list_level(cuda, EWI_SENDS, kind, list ? list + at : NULL);
        messages->receive_list = there ? there + at : NULL;
        at += messages->receives = list_level(cuda, EWI_RECEIVES, kind, list ? list + at : NULL);
    }
    return at;
}

static int upload_lists(struct ewi_cuda *cuda, ew_error *error)
{
    size_t count = (size_t)make_lists(cuda, NULL);
    int32_t *list = ewi_alloc(&cuda->host, count, sizeof *list);
    if (!list)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the interface of a part");
    int status = cuda->array[EWI_ARRAY_SEND_LIST] ? EW_OK
                                                  : allocate(cuda, EWI_ARRAY_SEND_LIST, count * sizeof *list, error);
    if (status == EW_OK && count > 0) {
        make_lists(cuda, list);
        status = ewi_cuda_upload(cuda, EWI_ARRAY_SEND_LIST, 0, list, count * sizeof *list, error);
    }
    ewi_free(&cuda->host, list);
    return status;
}

int ewi_cuda_make_exchange(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_cuda_exchange *exchange = &cuda->exchange;
    exchange->sends = list_sends(cuda->plan->part, NULL);
    exchange->receives = cuda->plan->part->ghosts;
    bool brings_room = cuda->levels && cuda->levels->room;
    exchange->doubles = cuda->plan->rows + brings_room;
    if (brings_room || ewi_limiter_has_subcells(cuda->plan->limiter)) {
        exchange->number = ewi_alloc(&cuda->host, (size_t)cuda->plan->padded, sizeof *exchange->number);
        if (!exchange->number)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange between parts");
    }
    if (cuda->levels)
        TRY(ewi_level_exchange_create(cuda->whole, cuda->levels->of, &exchange->of_levels, error));
    exchange->messages = ewi_alloc(&cuda->host, (size_t)ewi_cuda_kinds_of_exchange(cuda), sizeof *exchange->messages);
    if (!exchange->messages)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange between parts");
    TRY(upload_lists(cuda, error));
    return make_packed(cuda, error);
}

/* ---- directly ---- */

/*
 * Information that each part sends to each other one. Its IPC buffer holds its flags and, from ghosts_offset on, its
 * ghost buffers; for another process, the address is the one mapped here.
 */
struct peer_info {
    cu_address buffer;
    struct cu_ipc handle; /* of the allocation that contains the buffer, at `offset` */
    size_t offset;
    char bus[32];         /* PCI bus address of the GPU */
    cu_context context;
    cu_device device;
    int32_t elements, at; /* at: first element of the receiver in its ghost layer */
    int64_t *trail;
};

static size_t ghosts_offset(size_t ranks)
{
    size_t flags = EWI_FLAG_RANKS + EWI_FLAG_KINDS * ranks;
    return (flags * sizeof(uint64_t) + 255) / 256 * 256;
}

/* Exchanges peer info between all ranks; info[r] is that of rank r. */
static void exchange_peer_info(const struct ewi_plan *plan, struct peer_info *own, struct peer_info *info,
                               struct ewi_message *message)
{
    struct ew_comm *comm = plan->part->comm;
    int messages = 0;
    for (int r = 0; r < comm->size; r++) {
        info[r] = own[r];
        if (r == comm->rank)
            continue;
        message[messages++] = (struct ewi_message){r, true, &info[r], sizeof *info};
        message[messages++] = (struct ewi_message){r, false, &own[r], sizeof *own};
    }
    comm->calls->exchange(comm, messages, message);
}

/* An empty bus address means that the GPU cannot be reached. */
static void write_peer_info(const struct ewi_cuda *cuda, struct peer_info *own)
{
    const struct ewi_part *part = cuda->plan->part;
    const struct ewi_driver *driver = &cuda->driver;
    struct peer_info info = {.buffer = cuda->array[EWI_ARRAY_IPC], .context = cuda->context, .device = cuda->device,
                             .trail = cuda->trail, .elements = part->count};
    cu_address base = 0;
    size_t bytes;
    if (!driver->device_bus || driver->device_bus(info.bus, sizeof info.bus, cuda->device) != 0)
        info.bus[0] = '\0';
    if (!part->comm->one_process &&
        (!driver->ipc_handle || !driver->memory_range || driver->memory_range(&base, &bytes, info.buffer) != 0 ||
         driver->ipc_handle(&info.handle, info.buffer) != 0))
        info.bus[0] = '\0';
    info.offset = (size_t)(info.buffer - base);
    for (int r = 0; r < part->comm->size; r++)
        own[r] = info;
    for (int p = 0; p < part->peers; p++)
        own[part->peer[p].rank].at = part->peer[p].first - part->count;
}

static bool reach_in_process(const struct ewi_cuda *cuda, const struct peer_info *info)
{
    const struct ewi_driver *driver = &cuda->driver;
    int can = 0;
    if (!driver->can_reach || !driver->reach || driver->can_reach(&can, cuda->device, info->device) != 0 || !can)
        return false;
    cu_result result = driver->reach(info->context, 0);
    return result == 0 || result == CU_REACHED_ALREADY;
}

static bool reach_process(struct ewi_cuda *cuda, struct peer_info *info, cu_address *opened)
{
    const struct ewi_driver *driver = &cuda->driver;
    if (!driver->ipc_open || !driver->ipc_close || driver->ipc_open(opened, info->handle, CU_IPC_REACH) != 0)
        return false;
    info->buffer = *opened + info->offset;
    info->trail = NULL;
    return true;
}

/*
 * GPUs with several parts are excluded: they may run one part's kernels, which wait for those of another, and never
 * start these. The paper's kernels are excluded, too, since their clock is the hosts', and so are cases that exchange
 * numbers of elements, which go through the hosts.
 */
static bool reach_all(struct ewi_cuda *cuda, struct peer_info *info)
{
    const struct ew_comm *comm = cuda->plan->part->comm;
    const char *bus = info[comm->rank].bus;
    bool all = cuda->fused && cuda->primary && bus[0] != '\0' && !cuda->exchange.number;
    for (int r = 0; r < comm->size && all; r++) {
        if (r == comm->rank)
            continue;
        all = info[r].bus[0] != '\0' && strcmp(info[r].bus, bus) != 0 &&
              (comm->one_process ? reach_in_process(cuda, &info[r])
                                 : reach_process(cuda, &info[r], &cuda->exchange.opened[r]));
    }
    return all;
}

/* Doubles of a ghost buffer: whole tiles, or the places of all that levels of time steps may exchange. */
static size_t ghost_doubles(const struct ewi_cuda *cuda)
{
    int64_t own = cuda->plan->part->count, ghosts = cuda->exchange.receives,
            tiles = (own + ghosts + EWI_TILE - 1) / EWI_TILE - own / EWI_TILE;
    return doubles_of(cuda, cuda->levels ? EWI_SENT_COUNT * ghosts : tiles * EWI_TILE);
}

/* Messages for each element to send. */
static int64_t messages_to_send(const struct ewi_cuda *cuda)
{
    return cuda->levels ? EWI_SENT_COUNT * cuda->exchange.sends : cuda->exchange.sends;
}

/* Levels: one message for each place, to the same place of the receiver. */
static void fill_level_messages(const struct ewi_cuda *cuda, const struct peer_info *info, const int32_t *number,
                                struct ewi_cuda_message *message)
{
    const struct ewi_part *part = cuda->plan->part;
    for (int p = 0; p < part->peers; p++) {
        const struct peer_info *to = &info[part->peer[p].rank];
        cu_address ghosts = to->buffer + ghosts_offset((size_t)part->comm->size);
        for (int32_t n = 0; n < EWI_SENT_COUNT * part->peer[p].sends; n++) {
            size_t there = doubles_of(cuda, EWI_SENT_COUNT * (int64_t)to->at + n) * sizeof(double);
            *message++ = (struct ewi_cuda_message){(double *)(uintptr_t)(ghosts + there), *number++, 0};
        }
    }
}

/* Levels: the element at each place, which is the caller's to free. */
static int list_places(const struct ewi_cuda *cuda, enum ewi_way way, int32_t **element, ew_error *error)
{
    int levels = cuda->levels->of->levels;
    const struct ewi_level_range all = {.end = {levels, levels, levels}};
    size_t places = EWI_SENT_COUNT * (size_t)(way == EWI_SENDS ? cuda->exchange.sends : cuda->exchange.receives);
    int32_t *at = *element = ewi_alloc(&cuda->host, 3 * places, sizeof **element);
    if (!at)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the interface of a part");
    int32_t *number = at + places, *place = number + places;
    int32_t count = ewi_level_exchange_list(cuda->exchange.of_levels, way, &all, number, place);
    for (int32_t n = 0; n < count; n++)
        at[place[n]] = number[n];
    return EW_OK;
}

/* One message for each element to send, peer by peer. */
static void fill_messages(const struct ewi_cuda *cuda, const struct peer_info *info, struct ewi_cuda_message *message)
{
    const struct ewi_part *part = cuda->plan->part;
    for (int p = 0; p < part->peers; p++) {
        const struct peer_info *to = &info[part->peer[p].rank];
        for (int32_t k = 0; k < part->peer[p].sends; k++) {
            int32_t there = to->elements + to->at + k, tile = there / EWI_TILE - to->elements / EWI_TILE;
            cu_address ghosts = to->buffer + ghosts_offset((size_t)part->comm->size) +
                              doubles_of(cuda, (int64_t)tile * EWI_TILE) * sizeof(double);
            *message++ =
                (struct ewi_cuda_message){(double *)(uintptr_t)ghosts, part->peer[p].send[k], there % EWI_TILE};
        }
    }
}

/* Block by block. */
static int compare_messages(const void *a, const void *b)
{
    int32_t x = ((const struct ewi_cuda_message *)a)->element, y = ((const struct ewi_cuda_message *)b)->element;
    return (x > y) - (x < y);
}

static int upload_messages(struct ewi_cuda *cuda, const struct peer_info *info, ew_error *error)
{
    size_t sends = (size_t)messages_to_send(cuda), size = sizeof(struct ewi_cuda_message);
    struct ewi_cuda_message *message = ewi_alloc(&cuda->host, sends, size);
    int32_t *element = NULL;
    int status;
    if (!message)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the interface of a part");
    if (cuda->levels) {
        EWI_TRY(list_places(cuda, EWI_SENDS, &element, error));
        fill_level_messages(cuda, info, element, message);
    } else {
        fill_messages(cuda, info, message);
        qsort(message, sends, size, compare_messages);
    }
    status = ewi_cuda_upload(cuda, EWI_ARRAY_MESSAGES, 0, message, sends * size, error);
out:
    ewi_free(&cuda->host, element);
    ewi_free(&cuda->host, message);
    return status;
}

/* Levels: which elements come, and lists of places in place of those of elements. */
static int upload_places(struct ewi_cuda *cuda, ew_error *error)
{
    size_t bytes = EWI_SENT_COUNT * (size_t)cuda->exchange.receives * sizeof(int32_t);
    int32_t *element;
    int status = list_places(cuda, EWI_RECEIVES, &element, error);
    if (status == EW_OK)
        status = allocate(cuda, EWI_ARRAY_RECEIVED, bytes, error);
    if (status == EW_OK)
        status = ewi_cuda_upload(cuda, EWI_ARRAY_RECEIVED, 0, element, bytes, error);
    ewi_free(&cuda->host, element);
    return status == EW_OK ? upload_lists(cuda, error) : status;
}

static int upload_addresses(struct ewi_cuda *cuda, const struct peer_info *info, ew_error *error)
{
    const struct ewi_part *part = cuda->plan->part;
    size_t ranks = (size_t)part->comm->size;
    cu_address *address = ewi_alloc(&cuda->host, ranks, sizeof *address);
    int status = EW_OK;
    if (!address)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the addresses of %zu parts", ranks));
    for (size_t r = 0; r < ranks; r++)
        address[r] = info[r].buffer;
    EWI_TRY(upload_messages(cuda, info, error));
    if (cuda->levels)
        EWI_TRY(upload_places(cuda, error));
    EWI_TRY(ewi_cuda_upload(cuda, EWI_ARRAY_PEER_FLAGS, 0, address, ranks * sizeof *address, error));
    cuda->exchange.peers = (struct ewi_cuda_peers){
        .rank = part->comm->rank, .ranks = part->comm->size, .flags = ewi_cuda_at(cuda, EWI_ARRAY_PEER_FLAGS),
        .message = ewi_cuda_at(cuda, EWI_ARRAY_MESSAGES),
        .ghosts = (double *)((char *)ewi_cuda_at(cuda, EWI_ARRAY_IPC) + ghosts_offset(ranks)),
        .sends = (int64_t)doubles_of(cuda, cuda->exchange.sends), .stride = cuda->exchange.peers.stride};
out:
    ewi_free(&cuda->host, address);
    return status;
}

static int allocate_direct(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_part *part = cuda->plan->part;
    size_t ranks = (size_t)part->comm->size, word = sizeof(uint64_t), sends = (size_t)messages_to_send(cuda),
           buffers = cuda->levels ? EWI_LEVEL_GHOST_BUFFERS : EWI_GHOST_BUFFERS,
           ghosts = buffers * (size_t)cuda->exchange.peers.stride * sizeof(double);
    int status;
    cuda->exchange.opened = ewi_alloc(&cuda->host, ranks, sizeof *cuda->exchange.opened);
    if (!cuda->exchange.opened)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the addresses of %zu parts", ranks));
    EWI_TRY(allocate(cuda, EWI_ARRAY_PACKED, 0, error));
    EWI_TRY(allocate(cuda, EWI_ARRAY_IPC, ghosts_offset(ranks) + ghosts, error));
    EWI_TRY(allocate(cuda, EWI_ARRAY_PEER_FLAGS, ranks * word, error));
    EWI_TRY(allocate(cuda, EWI_ARRAY_MESSAGES, sends * sizeof(struct ewi_cuda_message), error));
    cu_address buffer = cuda->array[EWI_ARRAY_IPC];
    size_t own_words = EWI_FLAG_RANKS * word;
    EWI_CUDA(cuda, cuda->driver.clear(buffer, 0, own_words / 4, cuda->stream), "clearing memory", error);
    EWI_CUDA(cuda,
             cuda->driver.clear(buffer + own_words, EWI_HALF_NOT_SENT, (ghosts_offset(ranks) + ghosts - own_words) / 4,
                                      cuda->stream), "clearing memory", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "clearing memory", error);
out:
    return status;
}

static int keep_trails(struct ewi_cuda *cuda, const struct peer_info *info, ew_error *error)
{
    int ranks = cuda->plan->part->comm->size;
    cuda->exchange.trail = ewi_alloc(&cuda->host, (size_t)ranks, sizeof *cuda->exchange.trail);
    if (!cuda->exchange.trail)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the addresses of %d parts", ranks);
    for (int r = 0; r < ranks; r++)
        cuda->exchange.trail[r] = info[r].trail;
    return EW_OK;
}

void ewi_cuda_warn_parts(struct ewi_cuda *cuda)
{
    for (int r = 0; cuda->exchange.direct && cuda->exchange.trail && r < cuda->plan->part->comm->size; r++)
        if (cuda->exchange.trail[r])
            ((volatile int64_t *)cuda->exchange.trail[r])[EWI_TRAIL_LEAVES] = 1;
}

/* Either all parts exchange directly, or none. An error of one part fails the creation of all, but only afterwards. */
static int go_directly(struct ewi_cuda *cuda, int status, ew_error *error)
{
    const struct ewi_plan *plan = cuda->plan;
    struct ewi_cuda_exchange *exchange = &cuda->exchange;
    size_t ranks = (size_t)plan->part->comm->size;
    struct peer_info *info = ewi_alloc(&cuda->host, 2 * ranks, sizeof *info);
    struct ewi_message *message = ewi_alloc(&cuda->host, 2 * ranks, sizeof *message);
    exchange->peers.stride = (int64_t)ewi_part_max(plan, ghost_doubles(cuda));
    if (status == EW_OK)
        status = info && message ? allocate_direct(cuda, error)
                                 : ewi_fail(error, EW_ENOMEM, "not enough memory for the addresses of parts");
    if (ewi_part_max(plan, status != EW_OK) == 0) {
        write_peer_info(cuda, info);
        exchange_peer_info(plan, info, info + ranks, message);
        exchange->direct = ewi_part_max(plan, !reach_all(cuda, info + ranks)) == 0;
    }
    if (exchange->direct && (status = upload_addresses(cuda, info + ranks, error)) == EW_OK)
        status = keep_trails(cuda, info + ranks, error);
    ewi_free(&cuda->host, info);
    ewi_free(&cuda->host, message);
    return status;
}

/*
 * The interface is computed in the first round, by its last thread blocks, so that it is in flight while the rest is
 * computed: if some thread blocks have a block less than others, it is these.
 */
static int place_interface(struct ewi_cuda *cuda, ew_error *error)
{
    struct ewi_blocks *blocks = &cuda->blocks;
    size_t size = sizeof *blocks->block, bytes = (size_t)blocks->interface_blocks * size;
    int32_t grid = 0;
    for (int k = cuda->launches - 1; k >= 0; k--)
        if (cuda->launch[k].list_blocks > 0 && cuda->launch[k].call.stage.peers.interface_blocks > 0)
            grid = cuda->launch[k].call.stage.grid;
    if (grid <= blocks->interface_blocks || blocks->interface_blocks == 0)
        return EW_OK;
    struct ewi_fused_block *first = ewi_alloc(&cuda->host, (size_t)blocks->interface_blocks, size);
    if (!first)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the interface of a part");
    blocks->first_interface = grid - blocks->interface_blocks;
    memcpy(first, blocks->block, bytes);
    memmove(blocks->block, blocks->block + blocks->interface_blocks, (size_t)blocks->first_interface * size);
    memcpy(blocks->block + blocks->first_interface, first, bytes);
    ewi_free(&cuda->host, first);
    for (int k = 0; k < cuda->launches; k++)
        if (cuda->launch[k].list_blocks > 0)
            cuda->launch[k].call.stage.peers.first_interface = blocks->first_interface;
    return ewi_cuda_upload(cuda, EWI_ARRAY_BLOCK, 0, blocks->block, (size_t)blocks->count * size, error);
}

/* The list of launches is another one then. */
int ewi_cuda_connect(void *instance, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    int status = ewi_cuda_enter_context(cuda, error);
    bool entered = status == EW_OK;
    status = go_directly(cuda, status, error);
    if (status == EW_OK) {
        ewi_cuda_free_steps(cuda);
        status = cuda->exchange.direct ? EW_OK : make_packed(cuda, error);
    }
    if (status == EW_OK)
        status = ewi_cuda_make_steps(cuda, error);
    if (status == EW_OK)
        status = place_interface(cuda, error);
    if (entered)
        ewi_cuda_leave_context(cuda);
    return status;
}

void ewi_cuda_free_exchange(struct ewi_cuda *cuda)
{
    for (int r = 0; cuda->exchange.opened && r < cuda->plan->part->comm->size; r++)
        if (cuda->exchange.opened[r])
            cuda->driver.ipc_close(cuda->exchange.opened[r]);
    ewi_free(&cuda->host, cuda->exchange.opened);
    if (cuda->exchange.packs)
        cuda->driver.event_destroy(cuda->exchange.packs);
    if (cuda->exchange.came)
        cuda->driver.event_destroy(cuda->exchange.came);
    if (cuda->exchange.stream)
        cuda->driver.stream_destroy(cuda->exchange.stream);
    if (cuda->exchange.packed)
        cuda->driver.host_release(cuda->exchange.packed);
    for (int kind = 0; cuda->exchange.messages && kind < ewi_cuda_kinds_of_exchange(cuda); kind++)
        ewi_free(&cuda->host, cuda->exchange.messages[kind].message);
    ewi_free(&cuda->host, cuda->exchange.messages);
    ewi_level_exchange_destroy(cuda->exchange.of_levels);
    ewi_free(&cuda->host, cuda->exchange.number);
    ewi_free(&cuda->host, cuda->exchange.trail);
    cuda->exchange = (struct ewi_cuda_exchange){0};
}

static int fetch(struct ewi_cuda *cuda, void *target, enum ewi_cuda_array array, size_t bytes, ew_error *error)
{
    return bytes > 0 ? ewi_cuda_download(cuda, target, array, bytes, error) : EW_OK;
}

/* Runs after the kernel pack_interface. */
int ewi_cuda_send_interface(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    const struct ewi_cuda_exchange *exchange = &cuda->exchange;
    const struct ewi_driver *driver = &cuda->driver;
    size_t bytes = doubles_of(cuda, launch->messages->sends) * sizeof(double);
    int status;
    EWI_CUDA(cuda, driver->event_record(exchange->packs, cuda->stream), "packing the interface", error);
    EWI_CUDA(cuda, driver->stream_wait_event(exchange->stream, exchange->packs, 0), "packing the interface", error);
    if (!cuda->plan->part->comm->takes_gpus && bytes > 0)
        EWI_CUDA(cuda, driver->to_host(exchange->packed, cuda->array[EWI_ARRAY_PACKED], bytes, exchange->stream),
                 "copying the interface", error);
out:
    return status;
}

static int upload_ghosts(struct ewi_cuda *cuda, const struct ewi_cuda_messages *messages, ew_error *error)
{
    const struct ewi_cuda_exchange *exchange = &cuda->exchange;
    const struct ewi_driver *driver = &cuda->driver;
    size_t sent = doubles_of(cuda, messages->sends), ghosts = doubles_of(cuda, messages->receives);
    cu_address target = cuda->array[EWI_ARRAY_PACKED] + sent * sizeof(double);
    int status;
    EWI_CUDA(cuda, driver->to_device(target, exchange->packed + sent, ghosts * sizeof(double), exchange->stream),
             "copying the ghost layer", error);
    EWI_CUDA(cuda, driver->event_record(exchange->came, exchange->stream), "copying the ghost layer", error);
    EWI_CUDA(cuda, driver->stream_wait_event(cuda->stream, exchange->came, 0), "copying the ghost layer", error);
out:
    return status;
}

/* Runs before the kernel unpack_ghosts. */
int ewi_cuda_exchange(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    const struct ewi_cuda_exchange *exchange = &cuda->exchange;
    struct ew_comm *comm = cuda->plan->part->comm;
    int count = launch->messages->count, status = EW_OK;
    if (!cuda->failed && count > 0)
        status = ewi_cuda_result(cuda, cuda->driver.stream_wait(exchange->stream), "copying the interface", error);
    bool works = status == EW_OK && !cuda->failed && count > 0, by_gpu = works && comm->takes_gpus;
    cuda->known_to_mpi |= by_gpu;
    comm->calls->exchange(comm, count, launch->messages->message + (by_gpu ? count : 0));
    bool comes = works && !by_gpu && launch->messages->receives > 0;
    return comes ? upload_ghosts(cuda, launch->messages, error) : status;
}

/* Numbers of the host: with levels, those of the elements of a range. */
static void exchange_on_host(const struct ewi_cuda *cuda, struct ewi_level_range levels)
{
    const struct ewi_level_message message = {.levels = levels, .number = cuda->exchange.number};
    if (cuda->levels)
        ewi_level_exchange(cuda->exchange.of_levels, &message, true);
    else
        ewi_part_exchange_numbers(cuda->plan, cuda->exchange.number);
}

/* One number of each element, through the hosts. Those of the ghost layer that do not come stay. */
static int exchange_numbers(struct ewi_cuda *cuda, cu_address device, struct ewi_level_range levels, ew_error *error)
{
    size_t real = sizeof(double), all = (size_t)cuda->plan->padded, own = (size_t)cuda->plan->grid->elements;
    double *number = cuda->exchange.number;
    int status = EW_OK;
    if (!cuda->failed)
        status = ewi_cuda_result(cuda, cuda->driver.to_host(number, device, all * real, cuda->stream),
                                 "copying numbers of elements", error);
    if (!cuda->failed && status == EW_OK)
        status = ewi_cuda_result(cuda, cuda->driver.stream_wait(cuda->stream), "copying numbers of elements", error);
    exchange_on_host(cuda, levels);
    if (cuda->failed || status != EW_OK || all == own)
        return status;
    return ewi_cuda_result(cuda,
                           cuda->driver.to_device(device + own * real, number + own, (all - own) * real, cuda->stream),
                           "copying numbers of elements", error);
}

/* With levels, of the elements whose steps begin. */
static struct ewi_level_range alpha_range(const struct ewi_cuda_launch *launch)
{
    return (struct ewi_level_range){.end = {[EWI_SENT_STATE] = launch->top + 1}};
}

int ewi_cuda_exchange_own_alpha(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    size_t by_all = (size_t)cuda->plan->padded * sizeof(double); /* neighbours read what comes behind it */
    return exchange_numbers(cuda, cuda->array[EWI_ARRAY_OWN_ALPHA] + by_all, alpha_range(launch), error);
}

int ewi_cuda_exchange_alpha(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    return exchange_numbers(cuda, cuda->array[EWI_ARRAY_ALPHA], alpha_range(launch), error);
}

/* Over a bed, caps on outflow change from level 1 on, those of views, too. */
int ewi_cuda_exchange_room(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    int end = launch->top + 1;
    const struct ewi_level_range levels = {1, {[EWI_SENT_STATE] = end, [EWI_SENT_VIEW] = end}};
    return exchange_numbers(cuda, cuda->levels->room, levels, error);
}

/* ---- the clock ---- */

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* As ewi_cuda_faster. */
static double faster(double speed, uint64_t bits)
{
    return speed < number_of(bits) ? number_of(bits) : speed;
}

/* The maximum of `count` numbers on the device. */
static int find_largest(struct ewi_cuda *cuda, enum ewi_cuda_array array, int64_t count, double *largest,
                        ew_error *error)
{
    double *number = ewi_alloc(&cuda->host, (size_t)count, sizeof *number);
    if (!number)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for %lld maxima", (long long)count);
    int status = fetch(cuda, number, array, (size_t)count * sizeof *number, error);
    *largest = 0.0;
    for (int64_t k = 0; status == EW_OK && k < count; k++)
        *largest = larger(*largest, number[k]);
    ewi_free(&cuda->host, number);
    return status;
}

/* Results of kernels, for the clock. */
struct found {
    double speed, change;
};

/* Copies the device clock, and the results of the steps, at once. */
static int sync_clock(struct ewi_cuda *cuda, ew_error *error)
{
    int status;
    EWI_CUDA(cuda, cuda->driver.to_host(cuda->left, cuda->array[EWI_ARRAY_DEVICE_CLOCK], sizeof *cuda->left,
                                        cuda->stream), "stepping", error);
    status = ewi_cuda_sync_clock(cuda, error);
out:
    return status;
}

static int find_at_start(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, struct found *found,
                         ew_error *error)
{
    int status;
    EWI_TRY(sync_clock(cuda, error));
    EWI_TRY(find_largest(cuda, EWI_ARRAY_PARTIAL, launch->call.all_reduce.partials, &found->speed, error));
    if (cuda->array[EWI_ARRAY_PROGRAM])
        found->speed = faster(found->speed, cuda->left->given[EWI_CUDA_GIVEN_AT_START]);
    cuda->clock->stage = 0; /* the first stage will find out, too */
out:
    return status;
}

static int find_at_end(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, struct found *found,
                       ew_error *error)
{
    TRY(sync_clock(cuda, error));
    int64_t step = cuda->clock->steps;
    found->speed = number_of(cuda->left->max_speed[step % 2]);
    if (cuda->array[EWI_ARRAY_PROGRAM])
        found->speed = faster(found->speed, cuda->left->given[cuda->fused ? step & 3 : EWI_CUDA_GIVEN_AT_START]);
    if (cuda->plan->watches_change)
        TRY(find_largest(cuda, cuda->fused ? EWI_ARRAY_CHANGES : EWI_ARRAY_PARTIAL, launch->call.all_reduce.partials,
                         &found->change, error));
    return EW_OK;
}

/*
 * The host has taken all maxima. Both clocks are page-locked; who changes them next waits before that, and so does this
 * where nobody else might.
 */
static int put_clock(struct ewi_cuda *cuda, ew_error *error)
{
    const struct ewi_driver *driver = &cuda->driver;
    struct ewi_cuda_device_clock *left = cuda->left;
    int status;
    left->clock = *cuda->clock;
    left->due = 0;
    memset(left->max_speed, 0, sizeof left->max_speed);
    memset(left->given, 0, sizeof left->given);
    EWI_CUDA(cuda, driver->to_device(cuda->array[EWI_ARRAY_CLOCK], cuda->clock, sizeof *cuda->clock, cuda->stream),
             "stepping", error);
    EWI_CUDA(cuda, driver->to_device(cuda->array[EWI_ARRAY_DEVICE_CLOCK], left, sizeof *left, cuda->stream), "stepping",
             error);
    if (cuda->clock->state != EWI_CLOCK_RUNNING)
        EWI_CUDA(cuda, driver->stream_wait(cuda->stream), "stepping", error);
out:
    return status;
}

/* The stage of a break, for all parts: with levels, which may be on other backends, by its code. */
static int code_of_break(const struct ewi_cuda *cuda)
{
    int stage = cuda->clock->stage;
    return cuda->levels && stage > 0 ? ewi_level_break_code(stage - 1, false, ewi_cuda_level_of_bad_data(cuda)) : stage;
}

static void decode_break(struct ewi_cuda *cuda)
{
    int code = cuda->clock->stage, place = ewi_level_break_place(code);
    bool own = cuda->inadmissible > 0 && ewi_level_break_place(cuda->inadmissible) == place;
    if (code == 0)
        return;
    cuda->levels->bad_level = ewi_level_break_level(code);
    cuda->clock->stage = place / 2 + 1;
    cuda->inadmissible = own ? cuda->clock->stage : 0;
}

/* Replaces the kernels begin_step, end_step and advance_clock. */
static int all_reduce(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, bool ends, ew_error *error)
{
    struct ewi_clock *clock = cuda->clock;
    struct found found = {.speed = NAN};
    int status = cuda->failed ? EW_OK
                 : ends       ? find_at_end(cuda, launch, &found, error)
                              : find_at_start(cuda, launch, &found, error);
    bool failed = cuda->failed || status != EW_OK;
    if (ends && cuda->plan->watches_change)
        found.change = number_of(ewi_part_max(cuda->plan, ewi_clock_key(0, found.change)));
    cuda->inadmissible = failed ? 0 : code_of_break(cuda);
    double speed = found.speed < clock->floor ? clock->floor : found.speed;
    uint64_t own = failed ? EWI_CLOCK_FAILURE : ewi_clock_key(cuda->inadmissible, speed);
    if (ewi_clock_decide(clock, ewi_part_max(cuda->plan, own), &speed)) {
        if (ends && cuda->plan->watches_change)
            clock->change = found.change;
        if (ends)
            ewi_clock_end(clock);
        ewi_clock_follow_speed(clock, speed);
        ewi_clock_begin(clock);
    } else if (cuda->levels) {
        decode_break(cuda);
    }
    return failed ? status : put_clock(cuda, error);
}

int ewi_cuda_all_reduce_at_start(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    return all_reduce(cuda, launch, false, error);
}

int ewi_cuda_all_reduce_at_end(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    return all_reduce(cuda, launch, true, error);
}

/* ---- what a part is called for ---- */

int ewi_cuda_begin(struct ewi_cuda *cuda, const struct ewi_clock *clock, struct ewi_cuda_range opening, int status,
                   ew_error *error)
{
    *cuda->clock = *clock;
    if (status == EW_OK)
        status = ewi_cuda_set_clock(cuda, clock, error);
    return ewi_cuda_launch_as_part(cuda, opening, status, error);
}

/* All parts know whether the clock runs, also one that has failed. */
int ewi_cuda_advance_part(struct ewi_cuda *cuda, int status, ew_error *error)
{
    while (cuda->clock->state == EWI_CLOCK_RUNNING)
        status = ewi_cuda_launch_as_part(cuda, cuda->step, status, error);
    return status;
}

/* Finds the stage in which this part's own state became inadmissible, if the clock reports that some part's did. */
int ewi_cuda_find_inadmissible(struct ewi_cuda *cuda, ew_error *error)
{
    uint64_t flags[EWI_FLAG_RANKS];
    if (cuda->exchange.direct && cuda->clock->state == EWI_CLOCK_INADMISSIBLE) {
        TRY(fetch(cuda, flags, EWI_ARRAY_IPC, sizeof flags, error));
        cuda->inadmissible = (int32_t)flags[EWI_FLAG_INADMISSIBLE];
        bool own = cuda->levels && cuda->clock->stage > 0 && cuda->inadmissible == cuda->clock->stage;
        if (cuda->levels)
            cuda->levels->bad_level = own ? ewi_cuda_level_of_bad_data(cuda) : -1;
    }
    return EW_OK;
}
