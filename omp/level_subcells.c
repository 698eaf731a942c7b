/* SPDX-License-Identifier: BSD-2-Clause */
/* The limiter subcell at an instant of levels of time steps; ewi_level_subcells.h says how it acts. */
#include "ewi_level_subcells.h"
#include "ewi_bed.h"
#include "ewi_plan.h"

/* The elements and edges of a list at this instant. */
static const struct ewi_ranges *ranges_of(const struct ewi_worker *worker, enum ewi_subcell_list list)
{
    const struct ewi_level *top = &worker->omp->levels->level[worker->now.top];
    switch (list) {
    case EWI_DIVIDED_TRIALS: return &top->trials.elements;
    case EWI_DIVIDED_GHOSTS: return &top->ghosts.elements;
    case EWI_DIVIDED_OWN: return &top->active.elements;
    case EWI_DIVIDED_VIEWS: return &top->views.elements;
    case EWI_DIVIDED_SUMS: return &top->sums.elements;
    case EWI_TOUCHED_OWN: return &top->active.slots;
    default: return &top->trials.slots;
    }
}

/* This thread's share of items first .. end - 1. */
static struct ewi_share share_of(const struct ewi_worker *worker, int32_t first, int32_t end)
{
    struct ewi_share own = ewi_team_share(worker->thread, end - first);
    return (struct ewi_share){first + own.first, first + own.last};
}

/* ---- alpha ---- */

void ewi_level_sense(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_arguments *a = &worker->arguments;
    const struct ewi_listed *of = ewi_listed_of(worker, operation);
    ewi_omp_sense_edges(&worker->paper, of, omp->state[operation->source]);
    ewi_team_wait(worker->thread);
    struct ewi_share own = ewi_team_share(worker->thread, of->elements.count);
    for (int64_t n = own.first; n < own.last; n++)
        for (int32_t i = of->elements.range[n].first; i < of->elements.range[n].last; i++)
            ewi_find_own_alpha(&a->subcells, omp->plan->basis->order, omp->levels->edge_slot, a->padded, i);
    ewi_team_wait(worker->thread);
}

/* This thread's share of a list gets the numbers of its elements; what only fills tiles gets 0. */
static void copy_numbers(const struct ewi_worker *worker, enum ewi_subcell_list list, double *number)
{
    const struct ewi_level_plan *levels = worker->omp->levels;
    const struct ewi_ranges *of = ranges_of(worker, list);
    struct ewi_share own = ewi_team_share(worker->thread, of->count);
    for (int64_t n = own.first; n < own.last; n++)
        for (int32_t at = of->range[n].first; at < of->range[n].last; at++) {
            bool fills = at % EWI_TILE > 0 && levels->of[at] == levels->of[at - 1];
            if (levels->original[at] != at)
                number[at] = fills ? 0.0 : number[levels->original[at]];
        }
}

void ewi_level_find_alpha(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_arguments *a = &worker->arguments;
    const struct ewi_ranges *of = &ewi_listed_of(worker, operation)->elements;
    copy_numbers(worker, EWI_DIVIDED_GHOSTS, a->subcells.own + a->padded);
    copy_numbers(worker, EWI_DIVIDED_VIEWS, a->subcells.own + a->padded);
    ewi_team_wait(worker->thread);
    struct ewi_share own = ewi_team_share(worker->thread, of->count);
    for (int64_t n = own.first; n < own.last; n++)
        for (int32_t i = of->range[n].first; i < of->range[n].last; i++)
            a->subcells.alpha[i] = ewi_find_alpha(&a->subcells, a->neighbour, a->padded, i);
    ewi_team_wait(worker->thread);
}

/* ---- lists ---- */

static bool is_listed(const struct ewi_worker *worker, enum ewi_subcell_list list, int32_t k)
{
    const struct ewi_arguments *a = &worker->arguments;
    if (list < EWI_TOUCHED_OWN)
        return a->subcells.alpha[k] > 0.0;
    a->subcells.touched[k] = (uint8_t)ewi_is_touched(&a->subcells, a->left, a->right, k);
    return a->subcells.touched[k];
}

/* This thread's items of a list, which go to `to` unless that is NULL; returns their number. */
static int32_t list_own(const struct ewi_worker *worker, enum ewi_subcell_list list, int32_t *to)
{
    const struct ewi_ranges *of = ranges_of(worker, list);
    struct ewi_share own = ewi_team_share(worker->thread, of->count);
    int32_t count = 0;
    for (int64_t n = own.first; n < own.last; n++)
        for (int32_t k = of->range[n].first; k < of->range[n].last; k++) {
            if (!is_listed(worker, list, k))
                continue;
            if (to)
                to[count] = k;
            count++;
        }
    return count;
}

/* All threads have counted their items. Each list follows the one before it in the array of elements, or of edges. */
static void place_own(struct ewi_worker *worker, struct ewi_omp_subcells *subcells)
{
    int number = worker->thread->number;
    int32_t at = 0;
    for (int list = 0; list < EWI_SUBCELL_LISTS; list++) {
        bool edges = list >= EWI_TOUCHED_OWN;
        at = list == EWI_TOUCHED_OWN ? 0 : at;
        if (number == 0)
            subcells->first[list] = at;
        for (int t = 0; t < worker->thread->size; t++) {
            if (t == number)
                list_own(worker, (enum ewi_subcell_list)list,
                         (edges ? subcells->arrays.edge : subcells->arrays.element) + at);
            at += subcells->found[t * EWI_SUBCELL_LISTS + list];
        }
        if (number == 0)
            subcells->end[list] = at;
    }
}

void ewi_level_divide(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    struct ewi_omp_subcells *subcells = &worker->omp->subcells;
    (void)operation;
    for (int list = 0; list < EWI_TOUCHED_OWN; list++)
        copy_numbers(worker, (enum ewi_subcell_list)list, subcells->arrays.alpha);
    ewi_team_wait(worker->thread);
    for (int list = 0; list < EWI_SUBCELL_LISTS; list++)
        subcells->found[worker->thread->number * EWI_SUBCELL_LISTS + list] =
            list_own(worker, (enum ewi_subcell_list)list, NULL);
    ewi_team_wait(worker->thread);
    place_own(worker, subcells);
    ewi_team_wait(worker->thread);
}

/* ---- stages ---- */

/* Element `at` has no inner faces. Over a bed, its alpha in this stage stays. */
static void clear_inner_faces(const struct ewi_plan *plan, double *lifted, int32_t at)
{
    int variables = ewi_bed_has(plan->law) ? EWI_BED_BED : plan->variables;
    double *row = lifted + ewi_layout_base(EWI_TILE, plan->rows, at);
    for (int k = 0; k < variables * plan->basis->np; k++)
        row[k * EWI_TILE] = 0.0;
}

/* Over a bed, a sum has its element's alpha in this stage. */
static void take_alpha(const struct ewi_plan *plan, double *lifted, int32_t from, int32_t to)
{
    int64_t row = (int64_t)EWI_BED_DEPTH * plan->basis->np * EWI_TILE;
    if (ewi_bed_has(plan->law))
        lifted[ewi_layout_base(EWI_TILE, plan->rows, to) + row] =
            lifted[ewi_layout_base(EWI_TILE, plan->rows, from) + row];
}

/* All divided elements have their traces. */
static void prepare_sides(struct ewi_worker *worker, int32_t first, int32_t end)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_subcells *a = &omp->subcells.arrays;
    struct ewi_share own = share_of(worker, first, end);
    for (int64_t n = own.first; n < own.last; n++) {
        int32_t at = a->element[n];
        if (n >= omp->subcells.first[EWI_DIVIDED_SUMS])
            take_alpha(omp->plan, a->lifted, omp->levels->original[at], at);
        clear_inner_faces(omp->plan, a->lifted, at);
    }
}

void ewi_level_evaluate_volumes(struct ewi_worker *worker, const struct ewi_operation *operation)
{
    const struct ewi_omp *omp = worker->omp;
    const struct ewi_omp_kernels *kernels = omp->kernels;
    const struct ewi_arguments *a = &worker->arguments;
    const int32_t *first = omp->subcells.first, *end = omp->subcells.end;
    const double *state = omp->state[operation->source];
    bool tries = ewi_level_tries(omp->plan->scheme, operation->stage - 1);
    bool evaluates = ewi_level_evaluates(omp->plan->scheme, operation->stage - 1);
    int32_t lifted = end[tries ? EWI_DIVIDED_SUMS : EWI_DIVIDED_VIEWS];
    struct ewi_share own =
        share_of(worker, first[tries ? EWI_DIVIDED_TRIALS : EWI_DIVIDED_GHOSTS], end[EWI_DIVIDED_VIEWS]);
    kernels->divide(a, state, own.first, own.last);
    ewi_team_wait(worker->thread);
    prepare_sides(worker, first[EWI_DIVIDED_VIEWS], lifted);
    own = share_of(worker, 0, end[tries ? EWI_TOUCHED_TRIALS : EWI_TOUCHED_OWN]);
    kernels->touched_fluxes(a, state, own.first, own.last);
    ewi_team_wait(worker->thread);
    own = share_of(worker, first[evaluates ? EWI_DIVIDED_TRIALS : EWI_DIVIDED_OWN], lifted);
    kernels->lift_volumes(a, state, own.first, own.last);
    ewi_team_wait(worker->thread);
}
