/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels of a part of a case (parts.c). For exchanges through the hosts, pack_interface packs and unpack_ghosts
 * unpacks. For direct exchanges, send_interface writes to the memory of other GPUs, receive_ghosts copies from the
 * buffer to the state, and all_reduce decides with them. Stages of the fused set may do both by themselves
 * (ewi_cuda_peers.h). With levels of time steps, send_levels and receive_levels do so with the elements of a list.
 */
#ifndef EWI_PART_KERNELS_H
#define EWI_PART_KERNELS_H

#include "ewi_cuda_peers.h"

/* ---- interface and ghost layer ----------------------------------------------------------------------------------- */

/* Where a row of an element lies in a state. */
EWI_DEVICE int64_t row_of(const struct ewi_cuda_interface *call, int64_t element, int64_t row)
{
    int64_t rows = call->variables * call->np;
    int j = (int)(row % call->np);
    if (call->width > 0)
        return ewi_layout_index(call->width, rows, row, element);
    return element / EWI_TILE * (EWI_TILE * rows) + ewi_fused_row(call->matrix, call->variables, call->np,
                                                                  (int)(row / call->np), j / 4, j % 4,
                                                                  (int)(element % EWI_TILE));
}

/* The i-th number of all packed elements; NULL behind the last one. */
EWI_DEVICE double *packed_number(const struct ewi_cuda_interface *call, int64_t i)
{
    int ahead = call->room ? 1 : 0;
    int64_t numbers = call->variables * call->np + ahead, k = i / numbers, row = i % numbers - ahead;
    if (k >= call->packs)
        return NULL;
    int64_t element = call->list ? call->list[k] : call->elements + k;
    return row < 0 ? &call->room[element] : &call->target[row_of(call, element, row)];
}

EWI_DEVICE void pack_interface_of(const struct ewi_cuda_interface *call, int64_t block, int64_t i)
{
    const double *number = packed_number(call, i);
    (void)block;
    if (number)
        call->packed[i] = *number;
}
EWI_THREAD_KERNEL(pack_interface, interface, pack_interface_of)

EWI_DEVICE void unpack_ghosts_of(const struct ewi_cuda_interface *call, int64_t block, int64_t i)
{
    double *number = packed_number(call, i);
    (void)block;
    if (number)
        *number = call->packed[i];
}
EWI_THREAD_KERNEL(unpack_ghosts, interface, unpack_ghosts_of)

/* Offset of the i-th number of the ghost layer in its buffer. */
EWI_DEVICE int64_t row_of_ghost(const struct ewi_cuda_interface *call, int64_t i)
{
    int64_t rows = call->variables * call->np;
    return row_of(call, call->elements + i / rows, i % rows) - row_of(call, call->elements / EWI_TILE * EWI_TILE, 0);
}

/* Waits for a number, takes it, and clears its place in the previous buffer. */
EWI_DEVICE double take_number(const struct ewi_cuda_interface *call, double *place, int64_t before)
{
    double number = ewi_from_bits(ewi_await(&call->head, place));
    ewi_put(place + before, EWI_NOT_SENT);
    return number;
}

EWI_DEVICE void send_interface_of(const struct ewi_cuda_interface *call, int64_t block)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    int64_t rows = call->variables * call->np, doubles = call->packs * rows;
    if (call->head.clock->state != EWI_CLOCK_RUNNING)
        return;
    double *ghosts = ewi_ghost_buffer(peers);
    int64_t place = ewi_next_buffer(peers, ghosts), before = ewi_to_previous_buffer(peers, ghosts);
    int drops = peers->flags[peers->rank][EWI_FLAG_SENT] >= (uint64_t)peers->sends; /* others have sent, too */
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int64_t i = block * EWI_CUDA_BLOCK + ewi_thread(mine);
        if (drops && i < peers->drops * rows)
            take_number(call, ghosts + row_of_ghost(call, i), before);
        if (i < doubles) {
            struct ewi_cuda_message message = peers->message[i / rows];
            ewi_send(message.tile + place + row_of(call, message.item, i % rows),
                     call->target[row_of(call, message.element, i % rows)]);
        }
    }
    EWI_BARRIER; /* all have found the place */
    if (EWI_FIRST_THREAD) {
        int64_t rest = doubles - block * EWI_CUDA_BLOCK;
        ewi_has_sent(peers, rest < 0 ? 0 : rest < EWI_CUDA_BLOCK ? rest : EWI_CUDA_BLOCK);
    }
}
EWI_KERNEL(send_interface, interface, send_interface_of)

EWI_DEVICE void receive_ghosts_of(const struct ewi_cuda_interface *call, int64_t block, int64_t i)
{
    double *number = packed_number(call, i);
    (void)block;
    if (call->head.clock->state != EWI_CLOCK_RUNNING || !number)
        return;
    double *ghosts = ewi_ghost_buffer(&call->peers);
    *number = take_number(call, ghosts + row_of_ghost(call, i), ewi_to_previous_buffer(&call->peers, ghosts));
}
EWI_THREAD_KERNEL(receive_ghosts, interface, receive_ghosts_of)

/* Waits for the launch before this one, and lets the next one begin; true if the clock runs. */
EWI_DEVICE int runs_after_previous(const struct ewi_cuda_head *head)
{
    ewi_await_previous();
    ewi_next_may_begin();
    return head->clock->state == EWI_CLOCK_RUNNING;
}

/*
 * Each part sends a flag to all others with every exchange, since parts of different levels do not always send to each
 * other. Two buffers suffice: a part writes to one again only after every other part's next flag, which follows the
 * clearing of that buffer.
 */
EWI_DEVICE void send_levels_of(const struct ewi_cuda_interface *call, int64_t block, int64_t i)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    int64_t rows = call->variables * call->np;
    (void)block;
    if (!runs_after_previous(&call->head))
        return;
    if (i < call->packs * rows) {
        struct ewi_cuda_message message = peers->message[call->list[i / rows]];
        ewi_send(message.tile + call->odd * peers->stride + i % rows,
                 call->target[row_of(call, message.element, i % rows)]);
    }
    if (i < peers->ranks && i != peers->rank)
        ewi_put(ewi_flag(peers, (int32_t)i, call->odd ? EWI_FLAG_ODD_LEVELS : EWI_FLAG_EVEN_LEVELS, peers->rank), 0);
}
EWI_THREAD_KERNEL(send_levels, interface, send_levels_of)

EWI_DEVICE void receive_levels_of(const struct ewi_cuda_interface *call, int64_t block, int64_t i)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    int64_t rows = call->variables * call->np;
    (void)block;
    if (!runs_after_previous(&call->head))
        return;
    if (i < call->packs * rows) {
        int32_t place = call->list[i / rows];
        double *ghosts = peers->ghosts + call->odd * peers->stride + place * rows;
        call->target[row_of(call, call->received[place], i % rows)] = take_number(call, ghosts + i % rows, 0);
    }
    if (i < peers->ranks && i != peers->rank) {
        uint64_t *sent = ewi_flag(peers, peers->rank, call->odd ? EWI_FLAG_ODD_LEVELS : EWI_FLAG_EVEN_LEVELS,
                                  (int32_t)i);
        ewi_await(&call->head, sent);
        ewi_put(sent, EWI_NOT_SENT);
    }
}
EWI_THREAD_KERNEL(receive_levels, interface, receive_levels_of)

/* ---- all-reduce -------------------------------------------------------------------------------------------------- */

/* Maximum of all parts' numbers of a kind; EWI_NOT_SENT if some have not arrived. */
EWI_DEVICE uint64_t exchange_words(const struct ewi_cuda_all_reduce *call, enum ewi_cuda_flag what, uint64_t most)
{
    const struct ewi_cuda_peers *peers = &call->peers;
    for (int32_t r = 0; r < peers->ranks; r++)
        if (r != peers->rank)
            ewi_put(ewi_flag(peers, r, what, peers->rank), most);
    for (int32_t r = 0; r < peers->ranks && most != EWI_NOT_SENT; r++) {
        uint64_t *place = ewi_flag(peers, peers->rank, what, r);
        uint64_t other = r == peers->rank ? 0 : ewi_await(&call->head, place);
        most = other > most ? other : most;
        ewi_put(place, EWI_NOT_SENT);
    }
    return most;
}

EWI_DEVICE uint64_t own_key(const struct ewi_cuda_all_reduce *call, const struct ewi_clock *clock, double largest)
{
    const struct ewi_cuda_device_clock *device_clock = call->head.device_clock;
    int at = call->ends ? (int)(clock->steps & 3) : EWI_CUDA_GIVEN_AT_START;
    union {
        uint64_t bits;
        double value;
    } speed;
    speed.value = largest;
    if (call->ends)
        speed.bits = device_clock->max_speed[clock->steps % 2];
    if (call->head.program)
        speed.value = ewi_cuda_faster(speed.value, device_clock->given[at]);
    return ewi_clock_key(call->ends ? clock->stage : 0, speed.value < clock->floor ? clock->floor : speed.value);
}

/*
 * One block. Runs at the end of a step, and before the first one, where each part finds inadmissible boundary data
 * itself.
 */
EWI_DEVICE void all_reduce_of(const struct ewi_cuda_all_reduce *call, int64_t block)
{
    EWI_SHARED double largest[EWI_CUDA_BLOCK];
    (void)block;
    if (!runs_after_previous(&call->head))
        return;
    all_blocks_maximum(largest, call->partial, call->partials);
    if (!EWI_FIRST_THREAD)
        return;
    struct ewi_clock clock = *call->head.clock;
    uint64_t change = 0;
    double speed;
    uint64_t *own = call->peers.flags[call->peers.rank], odd = own[EWI_FLAG_REDUCTIONS]++ & 1;
    uint64_t key = exchange_words(call, odd ? EWI_FLAG_ODD_KEY : EWI_FLAG_EVEN_KEY,
                                  own_key(call, &clock, largest[0]));
    if (call->ends && call->partials > 0)
        change = exchange_words(call, odd ? EWI_FLAG_ODD_CHANGE : EWI_FLAG_EVEN_CHANGE, ewi_to_bits(largest[0]));
    own[EWI_FLAG_INADMISSIBLE] = (uint64_t)clock.stage;
    if (key == EWI_NOT_SENT || change == EWI_NOT_SENT)
        return;
    if (!ewi_clock_decide(&clock, key, &speed)) {
        *call->head.clock = call->head.device_clock->clock = clock;
        call->head.device_clock->due = 0;
    } else if (call->ends) {
        call->head.device_clock->max_speed[clock.steps % 2] = key;
        if (call->partials > 0)
            call->partial[0] = ewi_from_bits(change);
    } else {
        call->head.clock->stage = 0;
        call->partial[0] = speed;
    }
}
EWI_KERNEL(all_reduce, all_reduce, all_reduce_of)

#endif
