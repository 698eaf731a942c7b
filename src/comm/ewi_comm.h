/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the parts of a divided case reach each other: exchange of messages, and a maximum over all. Two kinds: threads of
 * one process (parts.c), and the ranks of MPI (mpi.c). Every rank makes the same calls in the same order.
 */
#ifndef EWI_COMM_H
#define EWI_COMM_H

#include "edgewise.h"

#include <stdbool.h>

/* To or from another rank. Two ranks exchange one message each way at a time. */
struct ewi_message {
    int peer;
    bool receives;
    void *data;
    size_t bytes;
};

struct ewi_comm_calls {
    /* Returns when sent data may be changed and received data has arrived. */
    void (*exchange)(struct ew_comm *comm, int count, const struct ewi_message *message);
    /* Maximum of numbers below 2^63, which MPICH 4.0 compares as signed, whatever their type. */
    uint64_t (*max)(struct ew_comm *comm, uint64_t value);
    /* From rank 0 to all others, who may have to wait long and leave their cores to others meanwhile. */
    void (*broadcast)(struct ew_comm *comm, void *data, size_t bytes);
    void (*destroy)(struct ew_comm *comm);
};

struct ew_comm {
    ew_host host;
    const struct ewi_comm_calls *calls;
    int rank, size;
    int sharers; /* ranks, this one included, on the same cores of the same host */
    bool one_process; /* all ranks are threads of this one */
    bool takes_gpus;  /* messages may be in the memory of a GPU, whose context is current */
    uint64_t machine; /* the same number, not 0, of all ranks of a host */
    bool called, ended; /* of other ranks than 0: rank 0 has asked for the next case, or has ended */
};

#endif
