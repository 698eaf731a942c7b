/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Solvers that advance together. Who advances one asks, and waits; one of those who wait leads: takes what has been
 * asked up to then to the backend, and hands the lead on when its own solver has stopped.
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_solver.h"
#include "ewi_team.h"

#include <pthread.h>

/* A request is worth stopping others for if it is one in so many of theirs, or has waited so long. */
enum { FEW = 8 };
#define PATIENCE_S 0.005

struct request {
    struct ewi_entrant *entrant;
    int64_t last_step;
    bool done; /* `entrant` is the leader's until then */
    pthread_cond_t called; /* it is done, or may lead */
    struct request *next;
};

struct ew_ensemble {
    ew_host host;
    const struct ewi_backend *backend; /* of those that share something; NULL: none yet */
    void *shared;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t idle;  /* nobody leads */
    bool led;
    int leavers; /* who wait for that */
    struct request *first;
    int entered, waiting; /* requests that are with the backend, and those that came since */
    double waiting_since;
    struct ewi_entrant **entrant; /* [room] */
    int room;
};

int ew_ensemble_create(const ew_host *host, ew_ensemble **result, ew_error *error)
{
    EWI_REQUIRE_AS(result, "ensemble");
    const ew_host own = ewi_host_or_default(host);
    ew_ensemble *ensemble = ewi_alloc(&own, 1, sizeof *ensemble);
    if (!ensemble)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the ensemble");
    ensemble->host = own;
    pthread_mutex_init(&ensemble->lock, NULL);
    pthread_cond_init(&ensemble->idle, NULL);
    *result = ensemble;
    return EW_OK;
}

void ew_ensemble_destroy(ew_ensemble *ensemble)
{
    if (!ensemble)
        return;
    if (ensemble->shared)
        ensemble->backend->ensemble_destroy(ensemble->shared);
    pthread_cond_destroy(&ensemble->idle);
    pthread_mutex_destroy(&ensemble->lock);
    ew_host host = ensemble->host;
    ewi_free(&host, ensemble->entrant);
    ewi_free(&host, ensemble);
}

int ewi_ensemble_join(ew_ensemble *ensemble, const struct ewi_backend *backend, struct ewi_backend_options *options,
                      ew_error *error)
{
    int status = EW_OK;
    options->in_ensemble = ensemble != NULL;
    options->ensemble = NULL;
    if (!ensemble || !backend->ensemble_create)
        return EW_OK;
    pthread_mutex_lock(&ensemble->lock);
    if (!ensemble->shared)
        status = backend->ensemble_create(&ensemble->host, options, &ensemble->shared, error);
    if (status == EW_OK)
        ensemble->backend = backend;
    options->ensemble = ensemble->shared;
    pthread_mutex_unlock(&ensemble->lock);
    return status;
}

/* ---- who leads ---- */

/* The first one that waits may look whether it can. */
static void call_next(ew_ensemble *ensemble)
{
    pthread_cond_broadcast(&ensemble->idle);
    if (ensemble->first && ensemble->leavers == 0)
        pthread_cond_signal(&ensemble->first->called);
}

static void end_lead(ew_ensemble *ensemble)
{
    ensemble->led = false;
    call_next(ensemble);
}

/* For callers that need the backend for themselves. Call it with the lock, which it releases while waiting. */
static void take_lead(ew_ensemble *ensemble)
{
    ensemble->leavers++;
    while (ensemble->led)
        pthread_cond_wait(&ensemble->idle, &ensemble->lock);
    ensemble->leavers--;
    ensemble->led = true;
}

void ewi_ensemble_leave(ew_ensemble *ensemble, void *instance)
{
    pthread_mutex_lock(&ensemble->lock);
    take_lead(ensemble);
    ensemble->backend->ensemble_leave(ensemble->shared, instance);
    end_lead(ensemble);
    pthread_mutex_unlock(&ensemble->lock);
}

/* ---- advancing ---- */

/* True if it is worth stopping for a waiting member. */
static bool is_called(void *context)
{
    ew_ensemble *ensemble = context;
    pthread_mutex_lock(&ensemble->lock);
    bool called = ensemble->leavers > 0 || FEW * ensemble->waiting > ensemble->entered ||
                  (ensemble->waiting > 0 && ewi_seconds() - ensemble->waiting_since > PATIENCE_S);
    pthread_mutex_unlock(&ensemble->lock);
    return called;
}

static bool is_never_called(void *context)
{
    (void)context;
    return false;
}

static bool make_room(ew_ensemble *ensemble, int members)
{
    if (members <= ensemble->room)
        return true;
    struct ewi_entrant **larger = ewi_alloc(&ensemble->host, 2 * (size_t)members, sizeof(struct ewi_entrant *));
    if (!larger)
        return false;
    ewi_free(&ensemble->host, ensemble->entrant);
    ensemble->entrant = larger;
    ensemble->room = 2 * members;
    return true;
}

static int count_requests(const ew_ensemble *ensemble)
{
    int count = 0;
    for (const struct request *request = ensemble->first; request; request = request->next)
        count++;
    return count;
}

/* Those that have stopped leave the list; the others still want what is left. */
static void tell_stopped(ew_ensemble *ensemble)
{
    for (struct request **at = &ensemble->first; *at;) {
        struct request *request = *at;
        if (request->entrant->stopped) {
            *at = request->next;
            request->done = true;
            pthread_cond_signal(&request->called);
        } else {
            struct ewi_entrant *entrant = request->entrant;
            entrant->max_steps = request->last_step - entrant->progress.steps;
            at = &request->next;
        }
    }
}

/* Without memory for a list of all, it is the first one alone. */
static void lead(ew_ensemble *ensemble)
{
    int members = count_requests(ensemble), count = 0;
    members = make_room(ensemble, members) ? members : 1;
    struct ewi_entrant *alone = ensemble->first->entrant, **entrant = members > 1 ? ensemble->entrant : &alone;
    for (struct request *request = ensemble->first; request && count < members; request = request->next)
        entrant[count++] = request->entrant;
    ensemble->led = true;
    ensemble->entered = members;
    ensemble->waiting = 0;
    pthread_mutex_unlock(&ensemble->lock);
    ensemble->backend->advance_together(ensemble->shared, members, entrant, 1, is_called, ensemble);
    pthread_mutex_lock(&ensemble->lock);
    tell_stopped(ensemble);
    end_lead(ensemble);
}

static void post(ew_ensemble *ensemble, struct request *request)
{
    struct request **last = &ensemble->first;
    while (*last)
        last = &(*last)->next;
    *last = request;
    if (ensemble->waiting++ == 0)
        ensemble->waiting_since = ewi_seconds();
}

void ewi_ensemble_advance(ew_ensemble *ensemble, struct ewi_entrant *entrant)
{
    int64_t steps = entrant->progress.steps, rest = INT64_MAX - steps;
    struct request request = {.entrant = entrant,
                              .last_step = steps + (entrant->max_steps < rest ? entrant->max_steps : rest)};
    pthread_cond_init(&request.called, NULL);
    pthread_mutex_lock(&ensemble->lock);
    post(ensemble, &request);
    while (!request.done) {
        if (ensemble->led || ensemble->leavers > 0)
            pthread_cond_wait(&request.called, &ensemble->lock);
        else
            lead(ensemble);
    }
    pthread_mutex_unlock(&ensemble->lock);
    pthread_cond_destroy(&request.called);
}

/* ---- all by one thread ---- */

static int check_members(const ew_ensemble *ensemble, int members, const ew_advance *member, ew_error *error)
{
    for (int k = 0; k < members; k++) {
        if (!member[k].solver)
            return ewi_fail(error, EW_EINVAL, "member %d has no solver: it is NULL", k);
        TRY(ewi_solver_may_advance(member[k].solver, member[k].until, member[k].max_steps, error));
        if (member[k].solver->averages)
            return ewi_fail(error, EW_EINVAL, "solver %d has averages, which only ew_solver_advance samples; advance "
                            "it by that, in a thread of its own", k);
        if (member[k].solver->ensemble != ensemble)
            return ewi_fail(error, EW_EINVAL, "solver %d is not of this ensemble; its problem must name it", k);
    }
    return EW_OK;
}

/* Those of one backend; the list is the ensemble's. */
static void advance_kind(ew_ensemble *ensemble, const struct ewi_backend *backend, int members,
                         struct ewi_entrant *entrant, const ew_advance *member, int enough)
{
    int count = 0;
    for (int k = 0; k < members; k++)
        if (member[k].solver->backend == backend && (member[k].solver->meets || !backend->goes_along))
            ensemble->entrant[count++] = &entrant[k];
    if (count > 0)
        backend->advance_together(backend == ensemble->backend ? ensemble->shared : NULL, count, ensemble->entrant,
                                  enough < count ? enough : count, is_never_called, NULL);
    for (int k = 0; k < members; k++)
        if (member[k].solver->backend == backend && !member[k].solver->meets && backend->goes_along) {
            struct ewi_entrant *one = &entrant[k];
            one->status = backend->advance(one->instance, one->until, one->max_steps, &one->progress, &one->error);
            one->stopped = true;
        }
}

static void take_result(ew_advance *member, struct ewi_entrant *entrant)
{
    member->error = entrant->error;
    member->status = ewi_solver_advanced(member->solver, entrant->status, &entrant->progress, &member->error);
    member->stop = entrant->stopped ? entrant->progress.stop : EW_STOP_NONE;
}

enum { MOST_MEMBERS = 100000 }; /* there are no solvers without memory of their own */

int ew_ensemble_advance(ew_ensemble *ensemble, int members, ew_advance *member, int enough, ew_error *error)
{
    EWI_REQUIRE(ensemble, member);
    if (members < 1 || members > MOST_MEMBERS || enough < 0 || enough > members)
        return ewi_fail(error, EW_EINVAL, "%d members are to advance until %d stop; take 1 to %d, and 0 (all) or at "
                        "most as many", members, enough, MOST_MEMBERS);
    TRY(check_members(ensemble, members, member, error));
    struct ewi_entrant *entrant = ewi_alloc(&ensemble->host, (size_t)members, sizeof *entrant);
    pthread_mutex_lock(&ensemble->lock);
    take_lead(ensemble);
    bool has_room = entrant && make_room(ensemble, members);
    pthread_mutex_unlock(&ensemble->lock);
    for (int k = 0; has_room && k < members; k++)
        entrant[k] = (struct ewi_entrant){.instance = member[k].solver->instance, .until = member[k].until,
                                          .max_steps = member[k].max_steps,
                                          .progress = ewi_solver_start(member[k].solver)};
    for (int k = 0; has_room && ewi_backend_at(k); k++)
        advance_kind(ensemble, ewi_backend_at(k), members, entrant, member, enough > 0 ? enough : members);
    for (int k = 0; has_room && k < members; k++)
        take_result(&member[k], &entrant[k]);
    pthread_mutex_lock(&ensemble->lock);
    end_lead(ensemble);
    pthread_mutex_unlock(&ensemble->lock);
    ewi_free(&ensemble->host, entrant);
    return has_room ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory to advance %d solvers", members);
}
