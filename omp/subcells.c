/* SPDX-License-Identifier: BSD-2-Clause */
/* The limiter subcell on CPUs; ewi_omp_subcells.h says what each function does. */
#include "ewi_omp_subcells.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <string.h>

/* ---- arrays ---- */

/* Doubles per element (`own`, `alpha`, traces, lifted sums) and per edge (jumps, fluxes). */
static size_t element_doubles(const struct ewi_sizes *sizes)
{
    return 3 + (size_t)(3 * sizes->basis->ne * sizes->variables + sizes->rows);
}

static size_t edge_doubles(const struct ewi_sizes *sizes)
{
    return EWI_SUBCELL_JUMPS + (size_t)(sizes->basis->ne * sizes->variables);
}

size_t ewi_omp_subcells_bytes(const struct ewi_sizes *sizes)
{
    size_t padded = (size_t)sizes->padded, slots = (size_t)sizes->slots;
    return padded * (element_doubles(sizes) * sizeof(double) + sizeof(int32_t)) +
           slots * (edge_doubles(sizes) * sizeof(double) + sizeof(int32_t) + 1);
}

int ewi_omp_subcells_create(const struct ewi_plan *plan, int threads, struct ewi_omp_subcells *subcells,
                            ew_error *error)
{
    const struct ewi_grid *grid = plan->grid;
    const ew_host *host = &plan->host;
    size_t padded = (size_t)grid->padded, slots = (size_t)grid->slots,
           trace = (size_t)(plan->basis->ne * plan->variables);
    struct ewi_subcells *arrays = &subcells->arrays;
    subcells->ghost = ewi_alloc(host, (size_t)(grid->boundary_slots / EWI_TILE) + 1, sizeof *subcells->ghost);
    subcells->found = ewi_alloc(host, (size_t)threads * EWI_SUBCELL_LISTS, sizeof *subcells->found);
    *arrays = (struct ewi_subcells){
        .boundary_slots = grid->boundary_slots, .edge_slots = grid->edge_slots, .ghost = subcells->ghost,
        .jumps = ewi_alloc(host, EWI_SUBCELL_JUMPS * slots, sizeof(double)),
        .own = ewi_alloc(host, 2 * padded, sizeof(double)),
        .alpha = ewi_alloc(host, padded, sizeof(double)),
        .touched = ewi_alloc(host, slots, 1),
        .element = ewi_alloc(host, padded, sizeof(int32_t)),
        .edge = ewi_alloc(host, slots, sizeof(int32_t)),
        .count = ewi_alloc(host, 2, sizeof(int32_t)),
        .trace = ewi_alloc(host, 3 * padded * trace, sizeof(double)),
        .flux = ewi_alloc(host, slots * trace, sizeof(double)),
        .lifted = ewi_alloc(host, ewi_plan_state_doubles(plan), sizeof(double)),
    };
    if (!subcells->ghost || !subcells->found || !arrays->jumps || !arrays->own || !arrays->alpha ||
        !arrays->touched || !arrays->element || !arrays->edge || !arrays->count || !arrays->trace || !arrays->flux ||
        !arrays->lifted)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the limiter of %d elements", grid->elements);
    for (int32_t slot = 0; slot < grid->boundary_slots; slot += EWI_TILE)
        subcells->ghost[slot / EWI_TILE] = (uint8_t)ewi_paper_ghost_at(plan, slot);
    return EW_OK;
}

void ewi_omp_subcells_destroy(const ew_host *host, struct ewi_omp_subcells *subcells)
{
    struct ewi_subcells *a = &subcells->arrays;
    void *const arrays[] = {subcells->ghost, subcells->found, a->jumps, a->own, a->alpha, a->touched, a->element,
                            a->edge, a->count, a->trace, a->flux, a->lifted};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ewi_free(host, arrays[k]);
}

/* ---- once a step ---- */

void ewi_omp_sense_edges(const struct ewi_paper *paper, const struct ewi_listed *of, const double *state)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < of->slots.count; k++) {
        struct ewi_range e = of->slots.range[k];
        if (e.first >= paper->plan->grid->boundary_slots)
            paper->kernels->sense(paper->arguments, state, e.first, e.last);
    }
}

void ewi_omp_sense(const struct ewi_paper *paper, struct ewi_thread *thread, const struct ewi_listed *of,
                   const double *state)
{
    const struct ewi_plan *plan = paper->plan;
    const struct ewi_arguments *a = paper->arguments;
    ewi_omp_sense_edges(paper, of, state);
    ewi_team_wait(thread);
    struct ewi_share own = ewi_team_share(thread, plan->grid->elements);
    for (int64_t i = own.first; i < own.last; i++)
        ewi_find_own_alpha(&a->subcells, plan->basis->order, a->side_slot, a->padded, i);
    ewi_team_wait(thread);
}

void ewi_omp_find_alpha(const struct ewi_paper *paper, struct ewi_thread *thread)
{
    const struct ewi_arguments *a = paper->arguments;
    struct ewi_share own = ewi_team_share(thread, paper->plan->grid->elements);
    for (int64_t i = own.first; i < own.last; i++)
        a->subcells.alpha[i] = ewi_find_alpha(&a->subcells, a->neighbour, a->padded, i);
    ewi_team_wait(thread);
}

/* The place of a thread's first item in the list of all threads' items. own: its number of items; *count: of all. */
static int32_t begin_of(struct ewi_thread *thread, int32_t *found, int32_t own, int32_t *count)
{
    int32_t first = 0;
    found[thread->number] = own;
    ewi_team_wait(thread);
    for (int t = 0; t < thread->number; t++)
        first += found[t];
    if (thread->number + 1 == thread->size)
        *count = first + own;
    ewi_team_wait(thread);
    return first;
}

void ewi_omp_divide(const struct ewi_paper *paper, struct ewi_thread *thread, struct ewi_omp_subcells *subcells)
{
    const struct ewi_grid *grid = paper->plan->grid;
    const struct ewi_subcells *a = &subcells->arrays;
    struct ewi_share own = ewi_team_share(thread, grid->connected), edges = ewi_team_share(thread, grid->slots);
    int32_t divided = 0, touched = 0;
    for (int64_t i = own.first; i < own.last; i++)
        divided += a->alpha[i] > 0.0;
    for (int64_t s = edges.first; s < edges.last; s++)
        touched += a->touched[s] = (uint8_t)ewi_is_touched(a, paper->arguments->left, paper->arguments->right, s);
    int32_t *element = a->element + begin_of(thread, subcells->found, divided, &a->count[0]);
    int32_t *edge = a->edge + begin_of(thread, subcells->found, touched, &a->count[1]);
    for (int64_t i = own.first; i < own.last; i++)
        if (a->alpha[i] > 0.0)
            *element++ = (int32_t)i;
    for (int64_t s = edges.first; s < edges.last; s++)
        if (a->touched[s])
            *edge++ = (int32_t)s;
    ewi_team_wait(thread);
}

/* ---- stages ---- */

void ewi_omp_evaluate_volumes(const struct ewi_paper *paper, struct ewi_thread *thread, const double *state)
{
    const struct ewi_subcells *a = &paper->arguments->subcells;
    struct ewi_share own = ewi_team_share(thread, a->count[0]), edges = ewi_team_share(thread, a->count[1]);
    paper->kernels->divide(paper->arguments, state, own.first, own.last);
    ewi_team_wait(thread);
    paper->kernels->touched_fluxes(paper->arguments, state, edges.first, edges.last);
    ewi_team_wait(thread);
    paper->kernels->lift_volumes(paper->arguments, state, own.first, own.last);
    ewi_team_wait(thread);
}
