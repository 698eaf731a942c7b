/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranks of MPI, included by mpi.c once for each kind of handles: these are EWI_HANDLE, and names begin as EWI_MPI
 * says. The library is loaded at run time.
 */
#define EWI_MPI_CALLS(X)                                                                                        \
    X(Get_library_version, (char *, int *))                                                                     \
    X(Init_thread, (int *, char ***, int, int *))                                                               \
    X(Finalize, (void))                                                                                         \
    X(Comm_dup, (EWI_HANDLE, EWI_HANDLE *))                                                                     \
    X(Comm_free, (EWI_HANDLE *))                                                                                \
    X(Comm_rank, (EWI_HANDLE, int *))                                                                           \
    X(Comm_size, (EWI_HANDLE, int *))                                                                           \
    X(Isend, (const void *, int, EWI_HANDLE, int, int, EWI_HANDLE, EWI_HANDLE *))                               \
    X(Irecv, (void *, int, EWI_HANDLE, int, int, EWI_HANDLE, EWI_HANDLE *))                                     \
    X(Waitall, (int, EWI_HANDLE *, void *))                                                                     \
    X(Test, (EWI_HANDLE *, int *, void *))                                                                      \
    X(Allreduce, (const void *, void *, int, EWI_HANDLE, EWI_HANDLE, EWI_HANDLE))

struct EWI_MPI(ranks) {
    struct ew_comm comm;
    void *library, *ignore;                    /* ignore: stands for statuses that nobody wants */
    EWI_HANDLE world, byte, number, largest;   /* number: of 64 bits */
    int funneled;                              /* MPI_THREAD_FUNNELED: one thread calls MPI */
    bool is_guest;                             /* MPI is the host's, and `world` a copy of its communicator */
    EWI_HANDLE *request;                       /* [2 size] */
#define EWI_MEMBER(name, parameters) int (*name) parameters;
    EWI_MPI_CALLS(EWI_MEMBER)
#undef EWI_MEMBER
};

/* MPI counts bytes in an int: what is larger goes in pieces, the same ones on both sides. */
static void EWI_MPI(exchange)(struct ew_comm *comm, int count, const struct ewi_message *message)
{
    struct EWI_MPI(ranks) *ranks = (struct EWI_MPI(ranks) *)comm;
    int requests = count;
    for (size_t done = 0; requests > 0; done += PIECE) {
        requests = 0;
        for (int k = 0; k < count; k++) {
            size_t left = message[k].bytes > done ? message[k].bytes - done : 0;
            int bytes = (int)(left < PIECE ? left : PIECE);
            char *data = (char *)message[k].data + done;
            if (bytes > 0 && message[k].receives)
                ranks->Irecv(data, bytes, ranks->byte, message[k].peer, EXCHANGE, ranks->world,
                             &ranks->request[requests++]);
            else if (bytes > 0)
                ranks->Isend(data, bytes, ranks->byte, message[k].peer, EXCHANGE, ranks->world,
                             &ranks->request[requests++]);
        }
        ranks->Waitall(requests, ranks->request, ranks->ignore);
    }
}

static uint64_t EWI_MPI(max)(struct ew_comm *comm, uint64_t value)
{
    struct EWI_MPI(ranks) *ranks = (struct EWI_MPI(ranks) *)comm;
    unsigned long long own = value, all = 0;
    ranks->Allreduce(&own, &all, 1, ranks->number, ranks->largest, ranks->world);
    return all;
}

static void EWI_MPI(broadcast)(struct ew_comm *comm, void *data, size_t bytes)
{
    struct EWI_MPI(ranks) *ranks = (struct EWI_MPI(ranks) *)comm;
    int there = 0;
    for (int r = 1; comm->rank == 0 && r < comm->size; r++)
        ranks->Isend(data, (int)bytes, ranks->byte, r, CALL, ranks->world, &ranks->request[r - 1]);
    if (comm->rank == 0) {
        ranks->Waitall(comm->size - 1, ranks->request, ranks->ignore);
        return;
    }
    ranks->Irecv(data, (int)bytes, ranks->byte, 0, CALL, ranks->world, ranks->request);
    for (double begun = ewi_seconds(); !there; rest_since(begun))
        ranks->Test(ranks->request, &there, ranks->ignore);
}

static void EWI_MPI(destroy)(struct ew_comm *comm)
{
    struct EWI_MPI(ranks) *ranks = (struct EWI_MPI(ranks) *)comm;
    ew_host host = comm->host;
    if (ranks->is_guest)
        ranks->Comm_free(&ranks->world);
    else
        ranks->Finalize();
    ewi_free(&host, ranks->request);
    ewi_free(&host, ranks);
}

static const struct ewi_comm_calls EWI_MPI(calls) = {
    .exchange = EWI_MPI(exchange), .max = EWI_MPI(max), .broadcast = EWI_MPI(broadcast), .destroy = EWI_MPI(destroy)};

/* Returns whether the library has all functions that are needed. */
static bool EWI_MPI(find_calls)(struct EWI_MPI(ranks) *ranks, void *library)
{
    bool all = true;
    ranks->library = library;
#define EWI_FIND(name, parameters) all = find(library, "MPI_" #name, &ranks->name) && all;
    EWI_MPI_CALLS(EWI_FIND)
#undef EWI_FIND
    return all && EWI_MPI(find_handles)(ranks);
}

static bool EWI_MPI(version)(void *library, char *text)
{
    struct EWI_MPI(ranks) ranks;
    int length;
    return EWI_MPI(find_calls)(&ranks, library) && ranks.Get_library_version(text, &length) == 0;
}

/* given: the host's communicator, in whose copy our messages meet no others; NULL: MPI is to be started. */
static void EWI_MPI(start)(struct EWI_MPI(ranks) *ranks, const void *given)
{
    EWI_HANDLE world = ranks->world;
    int level;
    ranks->is_guest = given != NULL;
    if (given)
        memcpy(&world, given, sizeof world);
    if (given)
        ranks->Comm_dup(world, &ranks->world);
    else
        ranks->Init_thread(NULL, NULL, ranks->funneled, &level);
}

static int EWI_MPI(create)(const ew_host *host, void *library, const void *given, struct ew_comm **comm,
                           ew_error *error)
{
    struct EWI_MPI(ranks) *ranks = ewi_alloc(host, 1, sizeof *ranks);
    int size;
    if (!ranks)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the ranks of MPI");
    ranks->comm.host = *host;
    ranks->comm.calls = &EWI_MPI(calls);
    if (!EWI_MPI(find_calls)(ranks, library)) {
        ewi_free(host, ranks);
        return ewi_fail(error, EW_EUNAVAILABLE, "the MPI library here lacks what edgewise needs of it");
    }
    EWI_MPI(start)(ranks, given);
    ranks->Comm_size(ranks->world, &size);
    ranks->Comm_rank(ranks->world, &ranks->comm.rank);
    ranks->comm.size = size;
    ranks->request = ewi_alloc(host, 2 * (size_t)size, sizeof *ranks->request);
    if (!ranks->request) {
        EWI_MPI(destroy)(&ranks->comm);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the messages of %d ranks", size);
    }
    *comm = &ranks->comm;
    return EW_OK;
}

#undef EWI_MPI_CALLS
#undef EWI_HANDLE
#undef EWI_MPI
