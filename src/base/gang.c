/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads of a process's own that wait for calls: the parts of a case, each of which may use OpenMP by itself. */
#include "ewi_team.h"
#include "ewi_host.h"

#include <pthread.h>
#include <signal.h>

/* ---- forks ------------------------------------------------------------------------------------------------------- */

static _Atomic unsigned forks;

static void count_fork(void)
{
    forks++;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

unsigned ewi_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    return forks;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

struct member {
    struct ewi_thread state;
    struct ewi_gang *gang;
    pthread_t thread;
    uint64_t seen; /* calls before the thread was made */
};

struct ewi_gang {
    struct ewi_barrier barrier;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t calls;
    int size, busy;
    void (*work)(struct ewi_thread *thread, void *context); /* NULL: the threads end */
    void *context;
    struct member *member; /* [size]; number 0 is the caller's */
    unsigned forks;        /* in which of this process's ancestors, or here, the threads were made */
    ew_host host;
};

static void *attend(void *context)
{
    struct member *member = context;
    struct ewi_gang *gang = member->gang;
    pthread_mutex_lock(&gang->lock);
    for (uint64_t seen = member->seen;; seen++) {
        while (gang->calls == seen)
            pthread_cond_wait(&gang->changed, &gang->lock);
        if (!gang->work)
            break;
        pthread_mutex_unlock(&gang->lock);
        gang->work(&member->state, gang->context);
        pthread_mutex_lock(&gang->lock);
        if (--gang->busy == 0)
            pthread_cond_broadcast(&gang->changed);
    }
    pthread_mutex_unlock(&gang->lock);
    return NULL;
}

/* Signals are for the host's own threads. */
bool ewi_thread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(thread, NULL, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

/* Also in a child of fork, which has none of its parent's threads. false: not as many as `size`. */
static bool make_threads(struct ewi_gang *gang, int size)
{
    pthread_mutex_init(&gang->lock, NULL);
    pthread_cond_init(&gang->changed, NULL);
    ewi_barrier_reset(&gang->barrier);
    gang->forks = ewi_forks();
    for (gang->size = 0; gang->size < size; gang->size++) {
        struct member *own = &gang->member[gang->size];
        *own = (struct member){.state = {.number = gang->size, .size = size, .barrier = &gang->barrier}, .gang = gang,
                               .seen = gang->calls};
        if (gang->size > 0 && !ewi_thread_start(&own->thread, attend, own))
            return false;
    }
    return true;
}

static void call(struct ewi_gang *gang, void (*work)(struct ewi_thread *thread, void *context), void *context)
{
    pthread_mutex_lock(&gang->lock);
    gang->work = work;
    gang->context = context;
    gang->busy = gang->size - 1;
    gang->calls++;
    pthread_cond_broadcast(&gang->changed);
    pthread_mutex_unlock(&gang->lock);
}

bool ewi_gang_run(struct ewi_gang *gang, void (*work)(struct ewi_thread *thread, void *context), void *context)
{
    if (gang->forks != ewi_forks() && !make_threads(gang, gang->size))
        return false;
    call(gang, work, context);
    work(&gang->member[0].state, context);
    pthread_mutex_lock(&gang->lock);
    while (gang->busy > 0)
        pthread_cond_wait(&gang->changed, &gang->lock);
    pthread_mutex_unlock(&gang->lock);
    return true;
}

struct ewi_gang *ewi_gang_create(const ew_host *host, int size)
{
    struct ewi_gang *gang = ewi_alloc_untouched(host, 1, sizeof *gang);
    struct member *member = ewi_alloc_untouched(host, (size_t)size, sizeof *member);
    if (!gang || !member) {
        ewi_free(host, gang);
        ewi_free(host, member);
        return NULL;
    }
    *gang = (struct ewi_gang){.host = *host, .member = member};
    if (!make_threads(gang, size)) {
        ewi_gang_destroy(gang);
        return NULL;
    }
    return gang;
}

void ewi_gang_destroy(struct ewi_gang *gang)
{
    if (!gang)
        return;
    ew_host host = gang->host;
    if (gang->forks == ewi_forks()) {
        call(gang, NULL, NULL);
        for (int k = 1; k < gang->size; k++)
            pthread_join(gang->member[k].thread, NULL);
        pthread_cond_destroy(&gang->changed);
        pthread_mutex_destroy(&gang->lock);
    }
    ewi_free(&host, gang->member);
    ewi_free(&host, gang);
}

/* ---- how many threads there can be ------------------------------------------------------------------------------- */

struct trial {
    pthread_mutex_t lock;
};

static void *wait_for_end(void *context)
{
    struct trial *trial = context;
    pthread_mutex_lock(&trial->lock);
    pthread_mutex_unlock(&trial->lock);
    return NULL;
}

/* OpenMP would end the process if it could not have a thread; so it is tried first, once for each number. */
int ewi_threads_to_have(int wanted)
{
    static _Atomic int known = 1, most = EW_MAX_THREADS;
    const ew_host host = ewi_host_or_default(NULL);
    struct trial trial = {.lock = PTHREAD_MUTEX_INITIALIZER};
    int begun = 1;
    wanted = wanted < most ? wanted : most;
    if (wanted <= known)
        return wanted;
    pthread_t *thread = ewi_alloc_untouched(&host, (size_t)wanted, sizeof *thread);
    if (!thread)
        return 1;
    pthread_mutex_lock(&trial.lock);
    while (begun < wanted && ewi_thread_start(&thread[begun], wait_for_end, &trial))
        begun++;
    pthread_mutex_unlock(&trial.lock);
    for (int k = 1; k < begun; k++)
        pthread_join(thread[k], NULL);
    ewi_free(&host, thread);
    if (known < begun)
        known = begun;
    if (begun < wanted)
        most = begun;
    return begun;
}
