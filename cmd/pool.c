/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of threads for a list of items, one item per thread at a time. */
#include "cmd.h"
#include "ewi_team.h"

struct pool {
    int64_t next, count;
    int (*work)(void *context, int64_t k);
    void *context;
    int result;
    pthread_mutex_t lock;
};

static bool take_one(struct pool *pool, int result, int64_t *k)
{
    pthread_mutex_lock(&pool->lock);
    pool->result = pool->result ? pool->result : result;
    bool more = pool->result == 0 && pool->next < pool->count;
    if (more)
        *k = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return more;
}

static void *work(void *context)
{
    struct pool *pool = context;
    int64_t k;
    for (int result = 0; take_one(pool, result, &k);)
        result = pool->work(pool->context, k);
    return NULL;
}

/* If the system grants fewer threads, the pool is smaller; the caller is one of them. */
int cmd_pool_run(int jobs, int64_t count, int (*function)(void *context, int64_t k), void *context)
{
    struct pool pool = {.count = count, .work = function, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t *thread = cli_allocate((size_t)jobs * sizeof *thread);
    int threads = 0;
    while (threads < jobs - 1 && threads < count - 1 && ewi_thread_start(&thread[threads], work, &pool))
        threads++;
    work(&pool);
    for (int k = 0; k < threads; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&pool.lock);
    free(thread);
    return pool.result;
}
