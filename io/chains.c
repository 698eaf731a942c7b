/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of edges along boundaries. */
#include "ewi_chains.h"

#include <stdlib.h>

static int compare_points(const double *a, const double *b)
{
    int x = (a[0] > b[0]) - (a[0] < b[0]);
    return x ? x : (a[1] > b[1]) - (a[1] < b[1]);
}

static int by_start(const void *a, const void *b)
{
    const struct ewi_chain_edge *first = *(struct ewi_chain_edge *const *)a,
                                *second = *(struct ewi_chain_edge *const *)b;
    int order = compare_points(first->from, second->from);
    return order ? order : (first > second) - (first < second);
}

/* An edge that begins where `edge` ends and is not taken yet, or NULL. */
static struct ewi_chain_edge *find_next(const struct ewi_chains *all, const struct ewi_chain_edge *edge)
{
    int64_t low = 0, high = all->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_points(all->start[middle]->from, edge->to) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < all->count && compare_points(all->start[low]->from, edge->to) == 0; low++)
        if (!all->start[low]->taken)
            return all->start[low];
    return NULL;
}

static int visit_chain(const struct ewi_chains *all, struct ewi_chain_edge *edge, ewi_chain_visitor *visit,
                       void *context, ew_error *error)
{
    for (; edge; edge = find_next(all, edge)) {
        edge->taken = true;
        TRY(visit(context, edge, error));
    }
    return EW_OK;
}

int ewi_chains_visit(struct ewi_chains *all, ewi_chain_visitor *visit, void *context, ew_error *error)
{
    for (int64_t k = 0; k < all->count; k++)
        all->start[k] = &all->edge[k];
    qsort(all->start, (size_t)all->count, sizeof *all->start, by_start);
    for (struct ewi_chain_edge *edge = all->edge; edge < all->edge + all->count; edge++) {
        struct ewi_chain_edge *next = find_next(all, edge);
        if (next)
            next->follows = true;
    }
    for (struct ewi_chain_edge *edge = all->edge; edge < all->edge + all->count; edge++)
        if (!edge->follows && !edge->taken)
            TRY(visit_chain(all, edge, visit, context, error));
    for (int64_t k = all->count - 1; k >= 0; k--)
        if (!all->start[k]->taken)
            TRY(visit_chain(all, all->start[k], visit, context, error));
    return EW_OK;
}
