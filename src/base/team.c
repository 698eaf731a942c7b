/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls by all threads of an OpenMP parallel region. */
#define _GNU_SOURCE /* for RUSAGE_THREAD */
#include "ewi_team.h"
#include "ewi_host.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { LINE = 64 };

/* Where a thread's time has gone. */
struct time_spent {
    double clock, ran, slept;
    int64_t preemptions;
};

struct worker {
    _Alignas(LINE) struct time_spent spent; /* in calls */
};

struct ewi_team {
    struct ewi_barrier barrier;
    int size;
    ew_host host;
    struct worker worker[]; /* [size] */
};

/* ---- time lost to others ----------------------------------------------------------------------------------------- */

static struct time_spent time_spent(const struct ewi_thread *thread)
{
    struct time_spent spent = {.clock = ewi_seconds(), .slept = thread->slept};
#ifdef RUSAGE_THREAD
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        spent.ran = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
                    (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
        spent.preemptions = usage.ru_nivcsw;
    }
#endif
    return spent;
}

static void add_time(struct ewi_team *team, const struct ewi_thread *thread, const struct time_spent *before)
{
    struct time_spent now = time_spent(thread), *sum = &team->worker[thread->number].spent;
    sum->clock += now.clock - before->clock;
    sum->ran += now.ran - before->ran;
    sum->slept += now.slept - before->slept;
    sum->preemptions += now.preemptions - before->preemptions;
}

/* Not counted: what no other thread has caused, as when the program was stopped, or read from a disk. */
enum { LEAST_PREEMPTIONS = 20 }; /* a second */

double ewi_team_lost(struct ewi_team *team, double least)
{
    struct time_spent all = {0};
    if (team->worker[0].spent.clock < least)
        return -1.0;
    for (int k = 0; k < team->size; k++) {
        const struct time_spent *spent = &team->worker[k].spent;
        if ((double)spent->preemptions > LEAST_PREEMPTIONS * spent->clock)
            all.ran += spent->clock - spent->ran - spent->slept;
        all.clock += spent->clock;
        team->worker[k].spent = (struct time_spent){0};
    }
    return all.ran / all.clock;
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

#if defined(_OPENMP) && (_OPENMP >= 201811 || (!defined(__clang__) && __GNUC__ >= 9))
#define EWI_CAN_PAUSE 1
#endif

#ifdef EWI_CAN_PAUSE

static _Thread_local bool has_threads; /* OpenMP has made some for this thread, which wait for its next region */

/* A child of fork has none of them, and its first region would wait for them for ever. */
static void end_waiting_threads(void)
{
    if (has_threads && omp_pause_resource_all(omp_pause_soft) == 0)
        has_threads = false;
}

static void watch_forks(void)
{
    pthread_atfork(end_waiting_threads, NULL, NULL);
}

static void expect_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    has_threads = true;
}

#else

static void expect_forks(void)
{
}

#endif

/* ---- parallel regions -------------------------------------------------------------------------------------------- */

/* Signals are for the host's own threads: those that OpenMP makes here take none. */
void ewi_parallel_region(int threads, void (*body)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    if (threads > 1) {
        expect_forks();
        pthread_sigmask(SIG_SETMASK, &all, &before);
    }
#pragma omp parallel num_threads(threads)
    {
#ifdef _OPENMP
        if (threads > 1 && omp_get_thread_num() == 0)
            pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
        body(context);
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Within a parallel region of the host's, whose threads have the cores already, the caller works alone. */
static int threads_for(const struct ewi_team *team)
{
#ifdef _OPENMP
    if (omp_in_parallel())
        return 1;
#endif
    return team->size;
}

static struct ewi_thread this_thread(struct ewi_team *team)
{
    struct ewi_thread thread = {.size = 1, .barrier = &team->barrier};
#ifdef _OPENMP
    thread.number = omp_get_thread_num();
    thread.size = omp_get_num_threads();
#endif
    return thread;
}

/* A call, for all its threads. */
struct call {
    struct ewi_team *team;
    void (*work)(struct ewi_thread *thread, void *context);
    void *context;
};

static void take_part(void *context)
{
    const struct call *call = context;
    struct ewi_thread thread = this_thread(call->team);
    if (thread.size == 1) {
        call->work(&thread, call->context);
        return;
    }
    const struct time_spent before = time_spent(&thread);
    call->work(&thread, call->context);
    add_time(call->team, &thread, &before);
    ewi_team_wait(&thread);
}

void ewi_team_run(struct ewi_team *team, void (*work)(struct ewi_thread *thread, void *context), void *context)
{
    struct call call = {team, work, context};
    int threads = threads_for(team);
    if (threads > 1)
        ewi_barrier_reset(&team->barrier);
    ewi_parallel_region(threads, take_part, &call);
}

struct ewi_team *ewi_team_create(const ew_host *host, int threads)
{
    size_t bytes = sizeof(struct ewi_team) + (size_t)threads * sizeof(struct worker);
    struct ewi_team *team = ewi_alloc_untouched(host, 1, bytes);
    if (!team)
        return NULL;
    memset(team, 0, bytes);
    team->host = *host;
    team->size = ewi_threads_to_have(threads);
    return team;
}

void ewi_team_destroy(struct ewi_team *team)
{
    if (!team)
        return;
    ew_host host = team->host;
    ewi_free(&host, team);
}

int ewi_team_size(const struct ewi_team *team)
{
    return team->size;
}
