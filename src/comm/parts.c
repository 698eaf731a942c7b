/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Solvers of several parts. Rank 0 calls all ranks for one thing after the other. Each does it with its part, and rank
 * 0 gathers what comes of it. The ranks are those of a comm, who wait in ew_comm_serve; or else they are a team of
 * threads of this process.
 */
#include "ewi_parts.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_team.h"
#include "ewi_text.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- ranks that are threads -------------------------------------------------------------------------------------- */

/* Each rank publishes its messages, and the receivers copy them. */
struct thread_comm {
    struct ew_comm comm;
    struct ewi_thread *thread;    /* while all work */
    struct thread_comm *all;      /* [size] */
    const struct ewi_message *message;
    int messages;
};

static void thread_exchange(struct ew_comm *comm, int count, const struct ewi_message *message)
{
    struct thread_comm *own = (struct thread_comm *)comm;
    own->message = message;
    own->messages = count;
    ewi_team_wait(own->thread);
    for (int k = 0; k < count; k++) {
        const struct thread_comm *peer = &own->all[message[k].peer];
        for (int n = 0; message[k].receives && n < peer->messages; n++)
            if (!peer->message[n].receives && peer->message[n].peer == comm->rank)
                memcpy(message[k].data, peer->message[n].data, message[k].bytes);
    }
    ewi_team_wait(own->thread);
}

static uint64_t thread_max(struct ew_comm *comm, uint64_t value)
{
    return ewi_team_max(((struct thread_comm *)comm)->thread, value);
}

/* broadcast: the call of all threads is one. */
static const struct ewi_comm_calls threads = {.exchange = thread_exchange, .max = thread_max};

/* ---- what ranks are called for ----------------------------------------------------------------------------------- */

enum kind {
    CREATE, DESTROY, SET_STATE, GET_STATE, SET_OUTFLOW, GET_OUTFLOW, TIME_STEP, ADVANCE, RESIDUAL, NEXT, END
};

struct call {
    enum kind kind;
    bool limit;         /* SET_STATE */
    double time, until; /* RESIDUAL; ADVANCE */
    int64_t max_steps;
    struct ewi_progress progress; /* TIME_STEP, ADVANCE: on entry */
    uint64_t mark;                /* CREATE: the case's, so that ranks with another one refuse */
    char backend[16];             /* CREATE: what ranks take that are not told another one */
};

/* Rank 0's side of a call: where the whole's arrays are, and what is returned. */
struct answer {
    const double *from;
    double *to;
    double dt;
    struct ewi_progress progress;
    int status;
    ew_error error;
};

enum { PIECE = 16384 }; /* elements that go from or to rank 0 at once */

/* A rank with its part. */
struct rank {
    struct ew_comm *comm;
    const struct ewi_backend *of;
    bool follows;                 /* its backend is the one that rank 0 has */
    const ew_problem *problem;    /* until it is created; which GPUs it may have */
    struct ewi_backend_options options;
    const struct ewi_plan *whole; /* NULL: the plan of the part exists already, and outlives instances */
    struct ewi_plan *plan;
    const ew_error *fault;        /* why it is not; NULL: it is, or can be had of the whole */
    void *instance;
    double *packed;               /* elements on their way from or to rank 0 */
};

/*
 * All ranks have the status of the first one that failed by itself, or else of others, so that all processes end with
 * one exit code; and rank 0 its sentence.
 */
static int agree(struct ew_comm *comm, int status, ew_error *error)
{
    enum { STATUSES = 256 };
    status = status <= -STATUSES || status > 0 ? EW_EINTERNAL : status; /* a host's, which is none */
    int rise = status == EW_EUNAVAILABLE ? 0 : comm->size;
    int own = (comm->size - comm->rank + rise) * STATUSES - status;
    uint64_t first = comm->calls->max(comm, status == EW_OK ? 0 : (uint64_t)own);
    if (first == 0)
        return EW_OK;
    int failed = (2 * comm->size - (int)(first / STATUSES)) % comm->size;
    ew_error sentence = *error;
    sentence.code = status;
    struct ewi_message message = {.peer = comm->rank == 0 ? failed : 0, .receives = comm->rank == 0, .data = &sentence,
                                  .bytes = sizeof sentence};
    comm->calls->exchange(comm, failed > 0 && (comm->rank == 0 || comm->rank == failed), &message);
    if (comm->rank == 0)
        *error = sentence;
    if (comm->rank == 0 && failed > 0)
        ewi_fail(error, sentence.code, "%s %d: %.*s", comm->one_process ? "part" : "rank", failed,
                 (int)sizeof sentence.message - 32, sentence.message);
    return -(int)(first % STATUSES);
}

static void drop(struct rank *rank)
{
    if (rank->instance)
        rank->of->destroy(rank->instance);
    rank->instance = NULL;
    if (rank->plan)
        ewi_free(&rank->plan->host, rank->packed);
    rank->packed = NULL;
    if (rank->whole) {
        ew_plan_destroy(rank->plan);
        rank->plan = NULL;
    }
}

/* Elements of the largest part, or of a piece of it. */
static int32_t largest_piece(const struct ewi_part *part)
{
    int32_t largest = 0;
    for (int r = 0; r < part->comm->size; r++)
        largest = part->cut[r + 1] - part->cut[r] > largest ? part->cut[r + 1] - part->cut[r] : largest;
    return largest < PIECE ? largest : PIECE;
}

static int make(struct rank *rank, ew_error *error)
{
    TRY(rank->whole ? ewi_part_create(rank->whole, rank->comm, &rank->plan, error) : EW_OK);
    struct ewi_plan *plan = rank->plan;
    size_t largest = (size_t)largest_piece(plan->part);
    rank->packed = ewi_alloc(&plan->host, largest * (size_t)plan->rows, sizeof(double));
    if (!rank->packed)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of states with rank 0");
    return rank->of->create(plan, &rank->options, &rank->instance, error);
}

static void add_to_mark(uint64_t *mark, const void *data, size_t bytes)
{
    for (size_t k = 0; k < bytes; k += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, (const char *)data + k, bytes - k < sizeof word ? bytes - k : sizeof word);
        *mark = (*mark ^ word) * 0xff51afd7ed558ccdu;
        *mark ^= *mark >> 32;
    }
}

static void add_raster(uint64_t *mark, const struct ewi_raster_use *use)
{
    const int32_t *points = use->points, reading[] = {use->nearest, use->clamps};
    int64_t layers = points[2] > 0 ? points[2] : 1;
    add_to_mark(mark, points, 3 * sizeof *points);
    add_to_mark(mark, reading, sizeof reading);
    add_to_mark(mark, use->low, sizeof use->low);
    add_to_mark(mark, use->high, sizeof use->high);
    for (int d = 0; d < 3; d++)
        add_to_mark(mark, use->axis[d], (size_t)points[d] * sizeof *use->axis[d]);
    add_to_mark(mark, use->values, (size_t)(points[0] * (int64_t)points[1] * layers) * sizeof *use->values);
}

static void add_program(uint64_t *mark, const struct ewi_program *program)
{
    add_to_mark(mark, program->code, (size_t)program->length * sizeof *program->code);
    add_to_mark(mark, program->constant, (size_t)program->constants * sizeof *program->constant);
    for (int32_t k = 0; k < program->rasters; k++)
        add_raster(mark, &program->raster[k]);
}

/* Its kind and, since the plan has only the values at present, its formula. */
static void add_boundary(uint64_t *mark, const struct ewi_plan_boundary *boundary)
{
    const ew_formula *formula = boundary->given ? boundary->state.formula : NULL;
    const int kind[] = {boundary->ghost, boundary->known, boundary->given, boundary->time_dependent};
    add_to_mark(mark, kind, sizeof kind);
    if (formula)
        add_program(mark, ewi_formula_program(formula));
}

/* Hash of a plan: mesh, numbers, initial state, boundaries, their normals and given states. */
static uint64_t mark_of(const struct ewi_plan *plan)
{
    uint64_t mark = 0xcbf29ce484222325u;
    const int numbers[] = {plan->law->number,    plan->basis->order, plan->flux,
                           plan->positivity,     plan->uniform_step, plan->local_step,
                           plan->time_dependent, plan->outflow,      plan->levels,
                           plan->limiter ? (int)plan->limiter->number : -1};
    add_to_mark(&mark, &plan->mesh->info.hash, sizeof plan->mesh->info.hash);
    add_to_mark(&mark, numbers, sizeof numbers);
    add_to_mark(&mark, plan->scheme->name, strlen(plan->scheme->name));
    add_to_mark(&mark, plan->parameter, sizeof plan->parameter);
    add_to_mark(&mark, &plan->cfl, sizeof plan->cfl);
    add_to_mark(&mark, &plan->steady, sizeof plan->steady);
    add_to_mark(&mark, &plan->steady_orders, sizeof plan->steady_orders);
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        add_boundary(&mark, &plan->boundary[b]);
    if (plan->source.program)
        add_program(&mark, plan->source.program);
    add_to_mark(&mark, plan->initial, ewi_plan_state_doubles(plan) * sizeof(double));
    add_to_mark(&mark, plan->given,
                (size_t)plan->boundary_slots * (size_t)(plan->basis->ne * plan->variables) * sizeof(double));
    add_to_mark(&mark, plan->normal, (size_t)plan->boundary_slots * (size_t)(plan->basis->ne * 2) * sizeof(double));
    if (plan->wall)
        add_to_mark(&mark, plan->wall,
                    (size_t)plan->boundary_slots * (size_t)(plan->basis->ne * plan->basis->np) * sizeof(double));
    if (plan->excess)
        add_to_mark(&mark, plan->excess,
                    (size_t)plan->boundary_slots * (size_t)(2 * plan->basis->np) * sizeof(double));
    add_to_mark(&mark, plan->volume_field,
                (size_t)plan->padded * (size_t)ewi_volume_rows(&plan->sizes) * sizeof(double));
    return mark;
}

/* Those ranks of a host that want a GPU take its GPUs in turn: this one's number among them, whether it does or not. */
static int number_on_host(struct rank *rank)
{
    struct ew_comm *comm = rank->comm;
    int number = 0;
    for (int r = 0; r < comm->size; r++) {
        bool wants = r == comm->rank && rank->of->device;
        number += comm->calls->max(comm, wants ? comm->machine : 0) == comm->machine && r < comm->rank;
    }
    return number;
}

static int choose_device(struct rank *rank, int number, ew_error *error)
{
    const ew_problem *problem = rank->problem;
    char text[128];
    rank->options.device = problem->device;
    if (!rank->of->device)
        return EW_OK;
    int device = problem->devices > 0 ? problem->device_of_part[number % problem->devices] : problem->device + number;
    rank->options.device = device;
    /* The backend has a sentence for one that was named. */
    if (number == 0 || problem->devices > 0 || rank->of->device(device, text, sizeof text))
        return EW_OK;
    return ewi_fail(error, EW_EUNAVAILABLE,
                    "it is number %d of its host's ranks with a GPU, from 0, and there is no GPU %d; start fewer of "
                    "them, or name their GPUs by --devices (one may serve several: --devices 0,0)", number, device);
}

static int make_same(struct rank *rank, int number, uint64_t mark, ew_error *error)
{
    TRY(choose_device(rank, number, error));
    if (rank->fault) {
        *error = *rank->fault;
        return error->code;
    }
    if (!rank->whole && rank->plan->part->mark != mark)
        return ewi_fail(error, EW_EINVAL, "its case is another one than that of rank 0; start all ranks with the same "
                                          "case, mesh and options");
    return make(rank, error);
}

/* All ranks of one host, and the backends of all. */
static bool may_connect(const struct rank *rank)
{
    struct ew_comm *comm = rank->comm;
    bool apart = comm->calls->max(comm, comm->machine) != comm->machine;
    return comm->calls->max(comm, apart || !rank->of->connect) == 0;
}

static void create(struct rank *rank, const struct call *call, struct answer *answer)
{
    if (rank->follows)
        rank->of = ewi_backend_find(call->backend);
    int number = number_on_host(rank);
    answer->status = agree(rank->comm, make_same(rank, number, call->mark, &answer->error), &answer->error);
    if (answer->status == EW_OK && may_connect(rank))
        answer->status = agree(rank->comm, rank->of->connect(rank->instance, &answer->error), &answer->error);
    if (answer->status != EW_OK)
        drop(rank);
}

/* ---- states of parts and of the whole ---------------------------------------------------------------------------- */

static void send(struct rank *rank, int peer, bool receives, int32_t elements)
{
    struct ewi_message message = {.peer = peer, .receives = receives, .data = rank->packed,
                                  .bytes = (size_t)elements * (size_t)rank->plan->rows * sizeof(double)};
    bool takes_part = rank->comm->rank == 0 || peer == 0;
    rank->comm->calls->exchange(rank->comm, takes_part, &message);
}

/* Elements of the whole, all of rank `owner`. */
struct piece {
    int owner;
    int32_t first, count, own; /* own: the number of the first one in its part */
};

/* The next one, which `packed` has room for, of this owner or the one after it; false: there is none. */
static bool next_piece(const struct rank *rank, struct piece *piece)
{
    const int32_t *cut = rank->plan->part->cut;
    int size = rank->comm->size;
    piece->first += piece->count;
    if (piece->first == cut[size])
        return false;
    piece->owner = ewi_part_of(cut, size, piece->first);
    piece->own = piece->first - cut[piece->owner];
    int32_t left = cut[piece->owner + 1] - piece->first;
    piece->count = left < PIECE ? left : PIECE;
    return true;
}

/* The parts' arrays become that of the whole, or the other way, piece by piece. */
static void gather(struct rank *rank, const double *state, double *whole)
{
    int own = rank->comm->rank;
    for (struct piece piece = {.first = 0}; next_piece(rank, &piece);) {
        if (own == piece.owner)
            ewi_part_pack(rank->plan, state, piece.own, piece.count, rank->packed);
        if (piece.owner > 0)
            send(rank, own == 0 ? piece.owner : own == piece.owner ? 0 : -1, own == 0, piece.count);
        if (own == 0)
            ewi_part_unpack(rank->whole, rank->packed, piece.first, piece.count, whole);
    }
}

static void scatter(struct rank *rank, const double *whole, double *state)
{
    int own = rank->comm->rank;
    for (struct piece piece = {.first = 0}; next_piece(rank, &piece);) {
        if (own == 0)
            ewi_part_pack(rank->whole, whole, piece.first, piece.count, rank->packed);
        if (piece.owner > 0)
            send(rank, own == 0 ? piece.owner : own == piece.owner ? 0 : -1, own != 0, piece.count);
        if (own == piece.owner)
            ewi_part_unpack(rank->plan, rank->packed, piece.own, piece.count, state);
    }
}

/* Allocates a copy of the part's state, for one call. */
static int take_copy(const struct rank *rank, double **copy, ew_error *error)
{
    *copy = ewi_alloc(&rank->plan->host, ewi_plan_state_doubles(rank->plan), sizeof **copy);
    return *copy ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory for a copy of the state of a part");
}

static void set_state(struct rank *rank, bool limit, struct answer *answer)
{
    double *state;
    answer->status = agree(rank->comm, take_copy(rank, &state, &answer->error), &answer->error);
    if (answer->status == EW_OK) {
        scatter(rank, answer->from, state);
        ewi_part_exchange(rank->plan, state);
        ewi_fill_padding(rank->plan, state);
        int status = rank->of->set_state(rank->instance, state, limit, &answer->error);
        answer->status = agree(rank->comm, status, &answer->error);
    }
    ewi_free(&rank->plan->host, state);
}

static int see_state(struct rank *rank, double **copy, const double **state, ew_error *error)
{
    if (rank->of->view_state)
        return rank->of->view_state(rank->instance, state, error);
    int status = take_copy(rank, copy, error);
    *state = *copy;
    return status == EW_OK ? rank->of->get_state(rank->instance, *copy, error) : status;
}

static void get_state(struct rank *rank, struct answer *answer)
{
    double *copy = NULL;
    const double *state;
    answer->status = agree(rank->comm, see_state(rank, &copy, &state, &answer->error), &answer->error);
    if (answer->status == EW_OK)
        gather(rank, state, answer->to);
    ewi_free(&rank->plan->host, copy);
}

static void find_residual(struct rank *rank, double time, struct answer *answer)
{
    double *rhs;
    answer->status = agree(rank->comm, take_copy(rank, &rhs, &answer->error), &answer->error);
    if (answer->status == EW_OK) {
        int status = rank->of->residual(rank->instance, time, NULL, NULL, rhs, &answer->error);
        answer->status = agree(rank->comm, status, &answer->error);
    }
    if (answer->status == EW_OK)
        gather(rank, rhs, answer->to);
    ewi_free(&rank->plan->host, rhs);
}

/* ---- outflow of the boundary edges of parts and of the whole ----------------------------------------------------- */

/*
 * On rank 0, copies a rank's share of the edges to those of the whole, or from there; both have the same order. Returns
 * the share's bytes; with whole NULL that is all it does.
 */
static size_t copy_share(const struct rank *rank, int owner, double *share, double *whole, bool to_whole)
{
    const ew_mesh *mesh = rank->whole->mesh;
    size_t row = (size_t)rank->plan->variables, edges = 0;
    for (int32_t e = 0; e < mesh->boundary_edges; e++) {
        if (ewi_part_of(rank->plan->part->cut, rank->comm->size, mesh->left[e]) != owner)
            continue;
        double *here = share + edges++ * row, *there = whole ? whole + (size_t)e * row : here;
        if (whole)
            memcpy(to_whole ? there : here, to_whole ? here : there, row * sizeof *here);
    }
    return edges * row * sizeof *share;
}

/* `share` holds the edges of one rank at a time: on rank 0 those of each in turn. */
static void send_share(struct rank *rank, int owner, double *share, bool to_whole)
{
    int own = rank->comm->rank;
    size_t bytes = own == 0 ? copy_share(rank, owner, share, NULL, to_whole) : ewi_outflow_bytes(rank->plan);
    bool takes_part = bytes > 0 && owner > 0 && (own == 0 || own == owner);
    struct ewi_message message = {.peer = own == 0 ? owner : 0, .receives = (own == 0) == to_whole, .data = share,
                                  .bytes = bytes};
    rank->comm->calls->exchange(rank->comm, takes_part, &message);
}

/* Rank 0's own share is copied to the whole before the others arrive, and from the whole after they are sent. */
static void move_outflow(struct rank *rank, double *share, double *whole, bool to_whole)
{
    int size = rank->comm->size;
    for (int k = 0; k < size; k++) {
        int owner = to_whole ? k : size - 1 - k;
        if (rank->comm->rank == 0 && !to_whole)
            copy_share(rank, owner, share, whole, false);
        send_share(rank, owner, share, to_whole);
        if (rank->comm->rank == 0 && to_whole)
            copy_share(rank, owner, share, whole, true);
    }
}

/* Allocates memory for the rank's share; on rank 0, for the largest one. */
static int take_share(const struct rank *rank, double **share, ew_error *error)
{
    *share = ewi_alloc(&rank->plan->host, ewi_outflow_bytes(rank->whole ? rank->whole : rank->plan), 1);
    return *share ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory for the outflow of a part");
}

static void get_outflow(struct rank *rank, struct answer *answer)
{
    double *share;
    int status = take_share(rank, &share, &answer->error);
    if (status == EW_OK)
        status = rank->of->get_outflow(rank->instance, share, &answer->error);
    answer->status = agree(rank->comm, status, &answer->error);
    if (answer->status == EW_OK)
        move_outflow(rank, share, answer->to, true);
    ewi_free(&rank->plan->host, share);
}

static void set_outflow(struct rank *rank, struct answer *answer)
{
    double *share;
    answer->status = agree(rank->comm, take_share(rank, &share, &answer->error), &answer->error);
    if (answer->status == EW_OK) {
        move_outflow(rank, share, (double *)(uintptr_t)answer->from, false);
        int status = rank->of->set_outflow(rank->instance, share, &answer->error);
        answer->status = agree(rank->comm, status, &answer->error);
    }
    ewi_free(&rank->plan->host, share);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Sends what the first rank with the largest number above 0 has to rank 0. Returns that number. */
static uint64_t take_from_first(struct ew_comm *comm, uint64_t own, void *data, size_t bytes)
{
    uint64_t largest = comm->calls->max(comm, own);
    if (largest == 0)
        return 0;
    int rank = comm->size - (int)comm->calls->max(comm, own == largest ? (uint64_t)(comm->size - comm->rank) : 0);
    struct ewi_message message = {.peer = comm->rank == 0 ? rank : 0, .receives = comm->rank == 0, .data = data,
                                  .bytes = bytes};
    comm->calls->exchange(comm, rank > 0 && (comm->rank == 0 || comm->rank == rank), &message);
    return largest;
}

/* The first inadmissible element of all parts, and the time of a break by boundary data. */
static void find_first(struct ew_comm *comm, const struct ewi_part *part, struct ewi_progress *progress)
{
    const uint64_t last = (uint64_t)1 << 62;
    double time = progress->time;
    uint64_t bad = progress->bad_level > 0 ? (uint64_t)(EW_MAX_STEP_LEVELS + 1 - progress->bad_level) : 0;
    if (progress->element >= 0)
        progress->element += part->first;
    uint64_t place = (uint64_t)progress->precedence << 32 | (uint32_t)progress->element;
    take_from_first(comm, progress->element < 0 ? 0 : last - place, progress, sizeof *progress);
    if (take_from_first(comm, bad, &time, sizeof time) > 0)
        progress->time = time;
}

/* All come to the same end, unless one of them fails: their clocks show the same. */
static void step(struct rank *rank, const struct call *call, struct answer *answer)
{
    answer->progress = call->progress;
    int status = call->kind == ADVANCE
                     ? rank->of->advance(rank->instance, call->until, call->max_steps, &answer->progress,
                                         &answer->error)
                     : rank->of->time_step(rank->instance, &answer->dt, &answer->progress, &answer->error);
    answer->status = agree(rank->comm, status == EW_ESTATE ? EW_OK : status, &answer->error);
    if (answer->status == EW_OK && status == EW_ESTATE) {
        answer->status = EW_ESTATE;
        find_first(rank->comm, rank->plan->part, &answer->progress);
    }
}

static void take(struct rank *rank, const struct call *call, struct answer *answer)
{
    answer->status = EW_OK;
    switch (call->kind) {
    case CREATE:
        create(rank, call, answer);
        break;
    case DESTROY:
        drop(rank);
        break;
    case SET_STATE:
        set_state(rank, call->limit, answer);
        break;
    case GET_STATE:
        get_state(rank, answer);
        break;
    case SET_OUTFLOW:
        set_outflow(rank, answer);
        break;
    case GET_OUTFLOW:
        get_outflow(rank, answer);
        break;
    case RESIDUAL:
        find_residual(rank, call->time, answer);
        break;
    default:
        step(rank, call, answer);
    }
}

/* ---- the backend ------------------------------------------------------------------------------------------------- */

struct parts {
    ew_host host;
    struct rank *rank;           /* those of this process, rank 0 first */
    struct thread_comm *threads; /* [size], or NULL */
    struct ewi_gang *gang;
    const struct call *call;     /* that the threads are called for */
    struct answer *answer;
};

static void work(struct ewi_thread *thread, void *context)
{
    struct parts *parts = context;
    struct answer other = {.status = EW_OK}; /* of a rank that is not asked */
    parts->threads[thread->number].thread = thread;
    take(&parts->rank[thread->number], parts->call, thread->number == 0 ? parts->answer : &other);
}

static int call_ranks(struct parts *parts, struct call call, struct answer *answer, ew_error *error)
{
    struct rank *own = &parts->rank[0];
    parts->call = &call;
    parts->answer = answer;
    if (parts->gang) {
        if (!ewi_gang_run(parts->gang, work, parts))
            return ewi_fail(error, EW_ENOMEM, "not enough threads for the parts of a case in a child of fork");
    } else {
        own->comm->calls->broadcast(own->comm, &call, sizeof call);
        take(own, &call, answer);
    }
    if (answer->status != EW_OK && error)
        *error = answer->error;
    return answer->status;
}

static void parts_destroy(void *instance)
{
    struct parts *parts = instance;
    if (!parts)
        return;
    ew_host host = parts->host;
    struct answer answer = {.status = EW_OK};
    if (parts->rank && parts->rank[0].instance)
        call_ranks(parts, (struct call){.kind = DESTROY}, &answer, NULL);
    ewi_gang_destroy(parts->gang);
    ewi_free(&host, parts->threads);
    ewi_free(&host, parts->rank);
    ewi_free(&host, parts);
}

static void parts_describe(const void *instance, const char **kernels, char *device, size_t size)
{
    const struct parts *parts = instance;
    const struct rank *rank = &parts->rank[0];
    char one[128];
    rank->of->describe(rank->instance, kernels, one, sizeof one);
    ewi_snprintf(device, size, "%d parts, the first on %s", rank->comm->size, one);
}

/*
 * Bytes of all parts. Counts a copy of the whole state, but not the ghost layers and exchange buffers, which are small.
 */
#define EWI_PARTS_BYTES(of)                                                                                       \
    static size_t bytes_of_##of(const struct ewi_sizes *sizes, const struct ewi_backend_options *options,         \
                                size_t *device)                                                                   \
    {                                                                                                             \
        return ewi_backend_find(#of)->bytes(sizes, options, device) + ewi_state_doubles(sizes) * sizeof(double);     \
    }
EWI_BACKENDS(EWI_PARTS_BYTES)

static int parts_set_state(void *instance, const double *state, bool limit, ew_error *error)
{
    struct answer answer = {.from = state};
    return call_ranks(instance, (struct call){.kind = SET_STATE, .limit = limit}, &answer, error);
}

static int parts_get_state(void *instance, double *state, ew_error *error)
{
    struct parts *parts = instance;
    struct answer answer = {.to = state};
    ewi_fill_padding(parts->rank[0].whole, state);
    return call_ranks(parts, (struct call){.kind = GET_STATE}, &answer, error);
}

static int parts_get_outflow(void *instance, double *outflow, ew_error *error)
{
    struct answer answer = {.to = outflow};
    return call_ranks(instance, (struct call){.kind = GET_OUTFLOW}, &answer, error);
}

static int parts_set_outflow(void *instance, const double *outflow, ew_error *error)
{
    struct answer answer = {.from = outflow};
    return call_ranks(instance, (struct call){.kind = SET_OUTFLOW}, &answer, error);
}

static int parts_time_step(void *instance, double *dt, struct ewi_progress *progress, ew_error *error)
{
    struct answer answer = {.dt = NAN};
    int status = call_ranks(instance, (struct call){.kind = TIME_STEP, .progress = *progress}, &answer, error);
    *dt = answer.dt;
    *progress = answer.progress;
    return status;
}

static int parts_advance(void *instance, double until, int64_t max_steps, struct ewi_progress *progress,
                         ew_error *error)
{
    struct answer answer = {.progress = *progress};
    int status = call_ranks(
        instance, (struct call){.kind = ADVANCE, .until = until, .max_steps = max_steps, .progress = *progress},
        &answer, error);
    *progress = answer.progress;
    return status;
}

static int parts_residual(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error)
{
    struct answer answer = {.to = rhs};
    if (volume || surface)
        return ewi_fail(error, EW_EINVAL, "a case of several parts has no %s integrals of the whole; one part has",
                        volume ? "volume" : "surface");
    return rhs ? call_ranks(instance, (struct call){.kind = RESIDUAL, .time = t}, &answer, error) : EW_OK;
}

#define EWI_PARTS_OF(of)                                                                                      \
    {.name = #of, .description = "parts of a case", .destroy = parts_destroy, .describe = parts_describe,     \
     .bytes = bytes_of_##of, .set_state = parts_set_state, .get_state = parts_get_state,                      \
     .get_outflow = parts_get_outflow, .set_outflow = parts_set_outflow,                                      \
     .time_step = parts_time_step, .advance = parts_advance, .residual = parts_residual},
static const struct ewi_backend parts_of[] = {EWI_BACKENDS(EWI_PARTS_OF)};

static const struct ewi_backend *parts_of_backend(const struct ewi_backend *of)
{
    const struct ewi_backend *found = parts_of;
    while (strcmp(found->name, of->name) != 0)
        found++;
    return found;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Without a list, each part has a GPU of its own. */
static int check_devices(const ew_problem *problem, const struct ewi_backend *of, ew_error *error)
{
    int last = problem->device + problem->parts - 1;
    char text[128];
    if (problem->comm || !of->device || problem->devices > 0 || of->device(last, text, sizeof text))
        return EW_OK;
    return ewi_fail(error, EW_EUNAVAILABLE,
                    "%d parts need a GPU each, and there is no number %d; take fewer, or name the GPU of each by "
                    "--devices (one may serve several: --devices 0,0)", problem->parts, last);
}

int ewi_parts_check_number(const struct ewi_plan *whole, int parts, const char *what, ew_error *error)
{
    return parts <= whole->grid->elements
               ? EW_OK
               : ewi_fail(error, EW_EINVAL, "there are %d %s and only %d elements; take fewer %s", parts, what,
                          whole->grid->elements, what);
}

int ewi_parts_check(const struct ewi_plan *whole, const ew_problem *problem, const struct ewi_backend *of,
                    ew_error *error)
{
    int parts = problem->comm ? problem->comm->size : problem->parts;
    const char *what = problem->comm ? "ranks" : "parts";
    TRY(ewi_parts_check_number(whole, parts, what, error));
    if (problem->comm && problem->parts > 1)
        return ewi_fail(error, EW_EINVAL, "%d parts are asked for, and there are %d ranks; leave the parts out",
                        problem->parts, parts);
    if (problem->ensemble)
        return ewi_fail(error, EW_EINVAL, "a member of an ensemble cannot be divided among %d %s; leave these out",
                        parts, what);
    for (int32_t b = 0; !problem->comm && b < whole->mesh->boundaries; b++)
        if (whole->boundary[b].time_dependent && whole->boundary[b].state.callback)
            return ewi_fail(error, EW_EINVAL,
                            "boundary \"%s\": threads of several parts cannot call the host for its state; give it "
                            "as a formula, or take one part",
                            whole->mesh->boundary[b].name);
    return check_devices(problem, of, error);
}

/* Ranks of one host share its cores. */
static int threads_of_rank(int asked, int ranks, int32_t elements)
{
    enum { ELEMENTS_A_THREAD = 512 };
    int offered = ew_thread_count(asked, NULL, 0), fair = offered / ranks, useful = 1 + elements / ELEMENTS_A_THREAD;
    fair = fair < useful ? fair : useful;
    return asked > 0 ? asked : fair > 1 ? fair : 1;
}

static int make_threads(struct parts *parts, int size, ew_error *error)
{
    parts->threads = ewi_alloc(&parts->host, (size_t)size, sizeof *parts->threads);
    parts->gang = ewi_gang_create(&parts->host, size);
    if (!parts->threads || !parts->gang)
        return ewi_fail(error, EW_ENOMEM, "there are no threads for %d parts", size);
    for (int r = 0; r < size; r++) {
        parts->threads[r].comm = (struct ew_comm){.host = parts->host, .calls = &threads, .rank = r, .size = size,
                                                  .sharers = size, .machine = 1, .one_process = true};
        parts->threads[r].all = parts->threads;
    }
    return EW_OK;
}

static struct rank rank_of(const struct ewi_backend *of, const struct ewi_plan *whole, struct ew_comm *comm,
                           const ew_problem *problem)
{
    int elements = (int)(whole->mesh->info.elements / comm->size);
    struct rank rank = {.comm = comm, .of = of, .problem = problem, .whole = whole->part ? NULL : whole};
    rank.options = (struct ewi_backend_options){
        .level = problem->level,
        .image = problem->image,
        .threads = threads_of_rank(problem->threads, comm->sharers, elements),
        .device = problem->device};
    return rank;
}

int ewi_parts_create(const struct ewi_backend *of, struct ewi_plan *whole, const ew_problem *problem,
                     const struct ewi_backend **backend, void **instance, ew_error *error)
{
    int size = problem->comm ? 1 : problem->parts, status;
    struct parts *parts = ewi_alloc(&whole->host, 1, sizeof *parts);
    if (!parts)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the parts of the case");
    parts->host = whole->host;
    parts->rank = ewi_alloc(&whole->host, (size_t)size, sizeof *parts->rank);
    if (!parts->rank)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for the parts of the case"));
    if (!problem->comm)
        EWI_TRY(make_threads(parts, size, error));
    for (int r = 0; r < size; r++)
        parts->rank[r] = rank_of(of, whole, problem->comm ? problem->comm : &parts->threads[r].comm, problem);
    struct answer answer = {.status = EW_OK};
    struct call call = {.kind = CREATE, .mark = problem->comm ? mark_of(whole) : 0};
    ewi_snprintf(call.backend, sizeof call.backend, "%s", of->name);
    EWI_TRY(call_ranks(parts, call, &answer, error));
    *instance = parts;
    *backend = parts_of_backend(of);
    parts = NULL;
out:
    parts_destroy(parts);
    return status;
}

/* ---- ranks of a comm --------------------------------------------------------------------------------------------- */

int ew_comm_agree(ew_comm *comm, int status, ew_error *error)
{
    EWI_REQUIRE(comm, error);
    return agree(comm, status, error);
}

/* The next call; false if it is none for a part. */
static bool hear(ew_comm *comm, struct call *call)
{
    if (comm->called || comm->ended)
        return false;
    comm->calls->broadcast(comm, call, sizeof *call);
    comm->called = call->kind == NEXT;
    comm->ended = call->kind == END;
    return !comm->called && !comm->ended;
}

int ew_comm_next(ew_comm *comm)
{
    struct call call = {.kind = NEXT};
    if (!comm)
        return 0;
    if (comm->rank == 0) {
        comm->calls->broadcast(comm, &call, sizeof call);
        return 1;
    }
    while (hear(comm, &call))
        continue;
    comm->called = false;
    return !comm->ended;
}

int ew_comm_divide(ew_comm *comm, ew_plan **plan, ew_error *error)
{
    EWI_REQUIRE(comm, plan, *plan);
    if (comm->rank == 0 || (*plan)->part)
        return EW_OK;
    struct ewi_plan *part;
    TRY(ewi_parts_check_number(*plan, comm->size, "ranks", error));
    TRY(ewi_part_create(*plan, comm, &part, error));
    part->part->mark = mark_of(*plan);
    ew_plan_destroy(*plan);
    *plan = part;
    return EW_OK;
}

/* A rank without its part waits for its call, to tell rank 0 why. */
int ew_comm_serve(ew_comm *comm, ew_plan **plan, const ew_problem *problem, ew_error *error)
{
    EWI_REQUIRE(comm, plan, *plan, problem);
    ew_error fault;
    int status = ew_comm_divide(comm, plan, &fault);
    struct rank rank = rank_of(ewi_backend_find(problem->backend ? problem->backend : "omp"), *plan, comm, problem);
    rank.follows = !rank.of;
    rank.fault = status == EW_OK ? NULL : &fault;
    rank.plan = status == EW_OK ? *plan : NULL;
    struct call call;
    for (status = EW_OK; hear(comm, &call);) {
        struct answer answer = {.status = EW_OK};
        take(&rank, &call, &answer);
        if (call.kind == CREATE) /* where another backend has failed, this one may do */
            status = EW_OK;
        if (status == EW_OK && answer.status != EW_OK && error)
            *error = answer.error;
        status = status == EW_OK ? answer.status : status;
    }
    drop(&rank);
    ew_plan_destroy(*plan);
    *plan = NULL;
    return status;
}

int ew_comm_rank(const ew_comm *comm)
{
    return comm ? comm->rank : 0;
}

int ew_comm_size(const ew_comm *comm)
{
    return comm ? comm->size : 0;
}

void ew_comm_destroy(ew_comm *comm)
{
    if (!comm)
        return;
    struct call end = {.kind = END};
    if (comm->rank == 0)
        comm->calls->broadcast(comm, &end, sizeof end);
    while (comm->rank > 0 && ew_comm_next(comm))
        continue;
    comm->calls->destroy(comm);
}
