/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's kernels as OpenMP loops over elements and edges; ewi_paper.h says what each does. */
#include "ewi_paper.h"

#include <math.h>

void ewi_paper_volume(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state, double *volume)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->eval_volume(paper->arguments, state, volume, i.first, i.last);
    }
}

/* Edges of one kind of boundary lie together: the flux has no branches within a range. */
int ewi_paper_ghost_at(const struct ewi_plan *plan, int32_t slot)
{
    const struct ewi_edge_group *group = plan->grid->group;
    while (slot >= group->first + group->padded)
        group++;
    return group->boundary < 0 ? -1 : plan->boundary[group->boundary].ghost;
}

void ewi_paper_surface(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                       double *surface)
{
    double *right = surface + ewi_plan_slot_doubles(paper->plan);
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->slots.count; k++) {
        struct ewi_range e = of->slots.range[k];
        const int ghost = ewi_paper_ghost_at(paper->plan, e.first);
        paper->kernels->eval_surface(paper->arguments, state, ghost, surface, right, e.first, e.last);
    }
}

void ewi_paper_outflow(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state, double time,
                       double *outflow)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->slots.count; k++) {
        struct ewi_range e = of->slots.range[k];
        const int ghost = ewi_paper_ghost_at(paper->plan, e.first);
        if (ghost >= 0)
            paper->kernels->eval_outflow(paper->arguments, state, ghost, time, outflow, e.first, e.last);
    }
}

void ewi_paper_source(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                      double t, double *sources)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->eval_source(paper->arguments, state, t, sources, i.first, i.last);
    }
}

void ewi_paper_rhs(const struct ewi_paper *paper, const struct ewi_listed *of, const double *volume,
                   const double *surface, const double *sources, double *rhs)
{
    const int64_t right = (int64_t)ewi_plan_slot_doubles(paper->plan);
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->eval_rhs(paper->arguments, volume, surface, right, sources, rhs, i.first, i.last);
    }
}

void ewi_paper_update(const struct ewi_paper *paper, const struct ewi_listed *of, const struct ewi_update *update,
                      const double *rhs, double *target)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->update(paper->arguments, update, rhs, target, i.first, i.last);
    }
}

bool ewi_paper_is_admissible(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state)
{
    const int64_t elements = paper->plan->grid->elements;
    bool admissible = true;
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        if (paper->kernels->inadmissible(paper->arguments, state, elements, i.first, i.last) >= 0)
            admissible = false;
    }
    return admissible;
}

double ewi_paper_speed(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state)
{
    const int64_t elements = paper->plan->grid->elements;
    double largest = 0.0;
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        double speed = paper->kernels->speed(paper->arguments, state, elements, i.first, i.last);
        largest = speed > largest || isnan(speed) ? speed : largest;
    }
    return largest;
}

void ewi_paper_jump_sensor(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state,
                           double *sensor)
{
    const struct ewi_limiting with = {.limiter = paper->plan->limiter};
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->slots.count; k++) {
        struct ewi_range e = of->slots.range[k];
        if (e.first >= paper->plan->grid->boundary_slots)
            paper->kernels->jump_sensor(paper->arguments, &with, state, sensor, e.first, e.last);
    }
}

void ewi_paper_limit(const struct ewi_paper *paper, const struct ewi_listed *of, const struct ewi_limiting *with,
                     double *state)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->limit(paper->arguments, with, state, i.first, i.last);
    }
}

void ewi_paper_make_positive(const struct ewi_paper *paper, const struct ewi_listed *of, double *state)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->elements.count; k++) {
        struct ewi_range i = of->elements.range[k];
        paper->kernels->make_positive(paper->arguments, state, i.first, i.last);
    }
}
