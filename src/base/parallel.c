/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops whose items several threads share: OpenMP's worksharing. */
#include "ewi_parallel.h"
#include "ewi_team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* `asked`, or OpenMP's number, which omp_set_num_threads can change; one within a parallel region. */
static int threads_for(int asked)
{
#ifdef _OPENMP
    int most = omp_in_parallel() ? 1 : asked > 0 ? asked : omp_get_max_threads();
    return ewi_threads_to_have(most < EW_MAX_THREADS ? most : EW_MAX_THREADS);
#else
    (void)asked;
    return 1;
#endif
}

static struct ewi_share share_of_thread(int64_t count)
{
    struct ewi_thread thread = {.size = 1};
#ifdef _OPENMP
    thread.number = omp_get_thread_num();
    thread.size = omp_get_num_threads();
#endif
    return ewi_team_share(&thread, count);
}

struct loop {
    ewi_items *items;
    void *context;
    int64_t count, part;
};

static void do_share(void *context)
{
    const struct loop *loop = context;
    struct ewi_share share = share_of_thread(loop->count);
    if (share.first < share.last)
        loop->items(loop->context, share.first, share.last);
}

void ewi_parallel_shares(int64_t count, int64_t few, ewi_items *items, void *context)
{
    struct loop loop = {.items = items, .context = context, .count = count};
    ewi_parallel_region(count > few ? threads_for(0) : 1, do_share, &loop);
}

static void do_parts(void *context)
{
    const struct loop *loop = context;
    int64_t count = loop->count, part = loop->part, parts = count > part ? (count + part - 1) / part : count > 0;
#pragma omp for schedule(dynamic)
    for (int64_t k = 0; k < parts; k++)
        loop->items(loop->context, k * part, (k + 1) * part < count ? (k + 1) * part : count);
}

void ewi_parallel_parts(int threads, int64_t count, int64_t part, ewi_items *items, void *context)
{
    struct loop loop = {.items = items, .context = context, .count = count, .part = part};
    ewi_parallel_region(count > part ? threads_for(threads) : 1, do_parts, &loop);
}
