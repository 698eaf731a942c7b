/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions shared by operations of the OpenMP backend; ewi_worker.h says what each one does. */
#include "ewi_worker.h"
#include "ewi_plan.h"

struct ewi_share ewi_own_elements(const struct ewi_worker *worker, int64_t padded)
{
    struct ewi_share own = ewi_team_share(worker->thread, (padded + EWI_CHUNK - 1) / EWI_CHUNK);
    own.first *= EWI_CHUNK;
    own.last = own.last * EWI_CHUNK < padded ? own.last * EWI_CHUNK : padded;
    return own;
}

static int code_of_break(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    int64_t stage = worker->instant * worker->omp->plan->scheme->stages + operation->stage - 1;
    return ewi_level_break_code(stage, operation->kind == EWI_OP_couple, worker->failed_level);
}

bool ewi_level_decode_break(const struct ewi_omp *omp, int code, int own, struct ewi_level_break *at, int *stage)
{
    int place = ewi_level_break_place(code), stages = omp->plan->scheme->stages;
    at->failed_level = ewi_level_break_level(code);
    at->instant = place / 2 / stages;
    *stage = place / 2 % stages + 1;
    return own > 0 && ewi_level_break_place(own) == place;
}

/* The elements of an operation of levels, and its edges. */
static const struct ewi_listed *listed_at_instant(const struct ewi_worker *worker,
                                                  const struct ewi_operation *operation)
{
    const struct ewi_level_plan *levels = worker->omp->levels;
    const struct ewi_level *top = &levels->level[worker->now.top];
    switch (operation->elements) {
    case EWI_LIST_ACTIVE: return &top->active;
    case EWI_LIST_VIEWS: return &top->views;
    case EWI_LIST_TRIALS: return &top->trials;
    case EWI_LIST_SUMS: return &top->sums;
    case EWI_LIST_ENDING: return &levels->level[worker->now.ending].active;
    case EWI_LIST_INTERFACE: return &top->coupled_active;
    default: return &levels->all;
    }
}

const struct ewi_listed *ewi_listed_of(const struct ewi_worker *worker, const struct ewi_operation *operation)
{
    return worker->omp->levels ? listed_at_instant(worker, operation) : &worker->omp->lists.list[operation->elements];
}

bool ewi_evaluate_own_slots(struct ewi_worker *worker, const struct ewi_edge_group *group, double t, double *max_speed)
{
    struct ewi_plan *plan = worker->omp->plan;
    struct ewi_share own = {0, worker->thread->number == 0 ? group->padded : 0};
    if (plan->boundary[group->boundary].state.formula)
        own = ewi_own_elements(worker, group->padded);
    int32_t count = (int32_t)(own.last - own.first);
    return count == 0 ||
           ewi_plan_evaluate_boundary(plan, group, group->first + (int32_t)own.first, count, t, max_speed);
}

void ewi_take_given(struct ewi_worker *worker, uint64_t largest)
{
    worker->given = largest <= INT64_MAX;
    worker->failed_level = worker->given ? -1 : (int)((uint64_t)EWI_INADMISSIBLE - largest);
    worker->given_speed = worker->given ? ewi_speed_of(largest) : 0.0;
}

struct ewi_update ewi_update_of(const struct ewi_omp *omp, const struct ewi_stage *stage, double dt)
{
    struct ewi_update update = {
        .step = stage->step * dt,
        .base = omp->state[0],
        .terms = stage->terms,
        .keep = stage->keeps ? omp->kept : NULL,
        .kept = stage->kept != 0.0 ? omp->kept : NULL,
        .kept_step = stage->kept * dt,
    };
    for (int k = 0; k < stage->terms; k++) {
        update.term[k] = omp->state[stage->term[k].from];
        update.weight[k] = stage->term[k].weight;
    }
    return update;
}

void ewi_end_stage(struct ewi_worker *worker, const struct ewi_operation *operation, bool admissible)
{
    const struct ewi_plan *plan = worker->omp->plan;
    if (admissible && (!plan->time_dependent || worker->given))
        return;
    worker->inadmissible = operation->stage;
    if (plan->part && worker->omp->levels)
        worker->inadmissible = code_of_break(worker, operation);
    if (plan->part)
        return; /* all parts stop at the end of the step */
    worker->clock.stage = worker->inadmissible;
    worker->clock.state = EWI_CLOCK_INADMISSIBLE;
}
