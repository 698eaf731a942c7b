/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops whose items several threads share. */
#include "ewi_parallel.h"
#include "ewi_host.h"
#include "ewi_team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- teams that wait for loops ----------------------------------------------------------------------------------- */

enum { KEPT = 4 };

static struct {
    pthread_mutex_t lock;
    struct idle {
        struct ewi_team *team;
        int asked; /* threads; the system may have given fewer */
    } idle[KEPT];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock_pool(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void unlock_pool(void)
{
    pthread_mutex_unlock(&pool.lock);
}

/* A child of fork has none of the threads. */
static void forget_teams(void)
{
    for (int k = 0; k < KEPT; k++) {
        ewi_team_forget(pool.idle[k].team);
        pool.idle[k].team = NULL;
    }
    unlock_pool();
}

static void watch_forks(void)
{
    pthread_atfork(lock_pool, unlock_pool, forget_teams);
}

__attribute__((destructor)) static void end_teams(void)
{
    for (int k = 0; k < KEPT; k++)
        ewi_team_destroy(pool.idle[k].team);
}

static struct ewi_team *take_team(int asked)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ewi_team *team = NULL;
    pthread_once(&once, watch_forks);
    lock_pool();
    for (int k = 0; k < KEPT && !team; k++)
        if (pool.idle[k].team && pool.idle[k].asked == asked) {
            team = pool.idle[k].team;
            pool.idle[k].team = NULL;
        }
    unlock_pool();
    const ew_host host = ewi_host_or_default(NULL);
    return team ? team : ewi_team_create(&host, asked);
}

static void give_back(struct ewi_team *team, int asked)
{
    lock_pool();
    for (int k = 0; k < KEPT && team; k++)
        if (!pool.idle[k].team) {
            pool.idle[k] = (struct idle){team, asked};
            team = NULL;
        }
    unlock_pool();
    ewi_team_destroy(team);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static _Thread_local bool is_inside;

struct loop {
    ewi_items *items;
    void *context;
    int64_t count, part;
    _Atomic int64_t next;
};

/* OpenMP's number, which omp_set_num_threads can change. */
static int default_threads(void)
{
#ifdef _OPENMP
    int most = omp_in_parallel() ? 1 : omp_get_max_threads();
    return most < EW_MAX_THREADS ? most : EW_MAX_THREADS;
#else
    return 1;
#endif
}

static void do_share(struct ewi_member *member, void *context)
{
    struct loop *loop = context;
    struct ewi_share share = ewi_team_share(member, loop->count);
    is_inside = true;
    if (share.first < share.last)
        loop->items(loop->context, share.first, share.last);
    is_inside = false;
}

static void do_parts(struct ewi_member *member, void *context)
{
    (void)member;
    struct loop *loop = context;
    int64_t first;
    is_inside = true;
    while ((first = atomic_fetch_add_explicit(&loop->next, loop->part, memory_order_relaxed)) < loop->count) {
        int64_t left = loop->count - first;
        loop->items(loop->context, first, first + (left < loop->part ? left : loop->part));
    }
    is_inside = false;
}

static void run(int threads, void (*work)(struct ewi_member *member, void *context), struct loop *loop)
{
    struct ewi_team *team = threads > 1 && !is_inside ? take_team(threads) : NULL;
    if (team) {
        ewi_team_run(team, work, loop);
        give_back(team, threads);
    } else if (loop->count > 0) {
        loop->items(loop->context, 0, loop->count);
    }
}

void ewi_parallel_shares(int64_t count, int64_t few, ewi_items *items, void *context)
{
    struct loop loop = {.items = items, .context = context, .count = count};
    run(count > few ? default_threads() : 1, do_share, &loop);
}

void ewi_parallel_parts(int threads, int64_t count, int64_t part, ewi_items *items, void *context)
{
    struct loop loop = {.items = items, .context = context, .count = count, .part = part};
    run(count <= part ? 1 : threads > 0 ? threads : default_threads(), do_parts, &loop);
}
