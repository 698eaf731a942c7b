/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's kernels as OpenMP loops over elements and edges; ewi_paper.h says what each does. */
#include "ewi_paper.h"

#include <math.h>

enum { CHUNK = 64 }; /* elements or edges of a call, a multiple of all numbers of lanes */

static int64_t end_of(int64_t first, int64_t count)
{
    return first + CHUNK < count ? first + CHUNK : count;
}

void ewi_paper_volume(const struct ewi_paper *paper, const double *state, double *volume)
{
    const int64_t elements = paper->plan->grid->padded;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        paper->kernels->eval_volume(paper->arguments, state, volume, i, end_of(i, elements));
}

/* Edges of one kind of boundary lie together: the flux has no branches within a group. */
void ewi_paper_surface(const struct ewi_paper *paper, const double *state, double *surface)
{
    const struct ewi_plan *plan = paper->plan;
    double *right = surface + ewi_plan_slot_doubles(plan);
    for (int32_t g = 0; g < plan->grid->groups; g++) {
        const struct ewi_edge_group *group = &plan->grid->group[g];
        const int ghost = group->boundary < 0 ? -1 : plan->boundary[group->boundary].ghost;
        const int64_t first = group->first, end = first + group->padded;
#pragma omp for schedule(static) nowait
        for (int64_t e = first; e < end; e += CHUNK)
            paper->kernels->eval_surface(paper->arguments, state, ghost, surface, right, e, end_of(e, end));
    }
}

void ewi_paper_rhs(const struct ewi_paper *paper, const double *volume, const double *surface, double *rhs)
{
    const int64_t elements = paper->plan->grid->padded, right = (int64_t)ewi_plan_slot_doubles(paper->plan);
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        paper->kernels->eval_rhs(paper->arguments, volume, surface, right, rhs, i, end_of(i, elements));
}

void ewi_paper_update(const struct ewi_paper *paper, const struct ewi_update *update, const double *rhs,
                      double *target)
{
    const int64_t elements = paper->plan->grid->padded;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        paper->kernels->update(paper->arguments, update, rhs, target, i, end_of(i, elements));
}

bool ewi_paper_is_admissible(const struct ewi_paper *paper, const double *state)
{
    const int64_t elements = paper->plan->grid->padded, own = paper->plan->grid->elements;
    bool admissible = true;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        if (paper->kernels->inadmissible(paper->arguments, state, own, i, end_of(i, elements)) >= 0)
            admissible = false;
    return admissible;
}

double ewi_paper_speed(const struct ewi_paper *paper, const double *state)
{
    const int64_t elements = paper->plan->grid->padded, own = paper->plan->grid->elements;
    double largest = 0.0;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK) {
        double speed = paper->kernels->speed(paper->arguments, state, own, i, end_of(i, elements));
        largest = speed > largest || isnan(speed) ? speed : largest;
    }
    return largest;
}

void ewi_paper_jump_sensor(const struct ewi_paper *paper, const double *state, double *sensor)
{
    const struct ewi_grid *grid = paper->plan->grid;
    const int limiter = (int)paper->plan->limiter->number;
#pragma omp for schedule(static) nowait
    for (int64_t e = grid->boundary_slots; e < grid->slots; e += CHUNK)
        paper->kernels->jump_sensor[limiter](paper->arguments, state, sensor, e, end_of(e, grid->slots));
}

void ewi_paper_limit(const struct ewi_paper *paper, const struct ewi_limiting *with, double *state)
{
    const int64_t elements = paper->plan->grid->padded;
    const int limiter = (int)paper->plan->limiter->number;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        paper->kernels->limit[limiter](paper->arguments, with, state, i, end_of(i, elements));
}

void ewi_paper_make_positive(const struct ewi_paper *paper, double *state)
{
    const int64_t elements = paper->plan->grid->padded;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < elements; i += CHUNK)
        paper->kernels->make_positive(paper->arguments, state, i, end_of(i, elements));
}
