/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that each operation of a step has its input: follows the state of all registers through the list. */
#include "ewi_step.h"

/* Content of a register. A state is ready for a stage once it is limited and its ghost layer has arrived. */
enum content { NOTHING = 0, STATE = 1, LIMITED = 2, GHOST_LAYER = 4, MEANS = 8, READY = STATE | LIMITED | GHOST_LAYER };

struct walk {
    const struct ewi_sizes *sizes;
    unsigned content[EWI_MAX_REGISTERS];
    unsigned integrals; /* kinds that have been evaluated since the last update, */
    int of;             /* of this register */
    bool speed, change, sent, reduced;
};

static bool is_register(const struct walk *walk, int number)
{
    return number >= 0 && number < walk->sizes->scheme->registers;
}

/* The content of a new state: complete, if no operation follows. */
static unsigned content_of_new(const struct walk *walk, const struct ewi_operation *operation)
{
    const struct ewi_sizes *sizes = walk->sizes;
    bool last = operation->stage == sizes->scheme->stages;
    bool limits = ewi_limiter_acts(sizes->limiter, last) || sizes->positivity;
    return STATE | (limits ? 0 : LIMITED) | (sizes->divided ? 0 : GHOST_LAYER);
}

static const char *load(struct walk *walk, const struct ewi_operation *operation)
{
    if (!is_register(walk, operation->source))
        return "it loads a register that the scheme does not have";
    unsigned *content = &walk->content[operation->source], needed = READY;
    if (operation->on_load & EWI_OP_BIT(limit))
        needed &= ~(unsigned)LIMITED;
    if (operation->on_load & EWI_OP_BIT(receive))
        needed &= ~(unsigned)GHOST_LAYER;
    if (!(*content & STATE))
        return "its source holds no state";
    if (needed & ~*content & LIMITED)
        return "its source is still to be limited";
    if (needed & ~*content & GHOST_LAYER)
        return "the ghost layer of its source has not come";
    if (operation->stores_limited)
        *content |= LIMITED;
    return NULL;
}

/* The states that a stage adds to its right-hand side: the one at the step's start, and other registers. */
static const char *load_terms(const struct walk *walk, const struct ewi_operation *operation)
{
    const struct ewi_stage *stage = &walk->sizes->scheme->stage[operation->stage - 1];
    unsigned content = operation->source == 0 ? LIMITED : walk->content[0];
    for (int k = 0; k < stage->terms; k++)
        if (stage->term[k].from != operation->source) /* that is loaded, and limited if need be */
            content &= walk->content[stage->term[k].from];
    return content & LIMITED ? NULL : "a register of its update is still to be limited";
}

static const char *store(struct walk *walk, const struct ewi_operation *operation)
{
    if (!is_register(walk, operation->target))
        return "it stores a register that the scheme does not have";
    const char *why = load_terms(walk, operation);
    unsigned content = content_of_new(walk, operation), limits = EWI_OP_BIT(limit) | EWI_OP_BIT(positivity);
    if (operation->on_store & limits)
        content |= LIMITED;
    if (operation->on_store & EWI_OP_BIT(exchange))
        content |= GHOST_LAYER;
    if (operation->elements != EWI_ELEMENTS_interface) /* the rest follows */
        walk->content[operation->target] = content;
    walk->speed = operation->on_store & EWI_OP_BIT(speed);
    walk->integrals = 0;
    return why;
}

static const char *integrate(struct walk *walk, const struct ewi_operation *operation)
{
    const char *why = load(walk, operation);
    if (walk->integrals && walk->of != operation->source)
        return "it is of another register than the integrals before it";
    walk->integrals |= 1u << operation->kind;
    walk->of = operation->source;
    return why;
}

static const char *gather(struct walk *walk, const struct ewi_operation *operation)
{
    unsigned needed = EWI_OP_BIT(volume) | EWI_OP_BIT(surface);
    if ((walk->integrals & needed) != needed || walk->of != operation->source)
        return "the volume or surface integrals of its source are missing";
    walk->integrals |= EWI_OP_BIT(gather);
    return NULL;
}

static const char *update(struct walk *walk, const struct ewi_operation *operation)
{
    if (!(walk->integrals & EWI_OP_BIT(gather)))
        return "there is no right-hand side";
    return store(walk, operation);
}

static const char *stage(struct walk *walk, const struct ewi_operation *operation)
{
    const char *why = load(walk, operation);
    return why || operation->target == EWI_NO_REGISTER ? why : store(walk, operation);
}

static const char *limit(struct walk *walk, const struct ewi_operation *operation)
{
    unsigned *content = &walk->content[operation->target];
    if (!(*content & STATE))
        return "its target holds no state";
    if (walk->sizes->divided && operation->kind == EWI_OP_limit &&
        ewi_limiter_by_means(walk->sizes->limiter) && !(*content & (MEANS | GHOST_LAYER)))
        return "the means of the ghost layer have not come";
    *content = STATE | LIMITED | (walk->sizes->divided ? 0 : GHOST_LAYER);
    return NULL;
}

static const char *exchange(struct walk *walk, const struct ewi_operation *operation)
{
    if (operation->kind == EWI_OP_receive && !walk->sent)
        return "nothing has been sent";
    walk->sent = false;
    switch (operation->quantity) {
    case EWI_QUANTITY_state: walk->content[operation->target] |= GHOST_LAYER; return NULL;
    case EWI_QUANTITY_means: walk->content[operation->target] |= MEANS; return NULL;
    default: return "an exchange is for the state or its means";
    }
}

static const char *reduce(struct walk *walk, const struct ewi_operation *operation)
{
    bool known = operation->quantity == EWI_QUANTITY_speed ? walk->speed : walk->change;
    walk->reduced = walk->reduced || operation->quantity == EWI_QUANTITY_speed;
    return known ? NULL : "what it is the maximum of has not been found";
}

static const char *check(struct walk *walk, const struct ewi_operation *operation)
{
    switch (operation->kind) {
    case EWI_OP_speed: walk->speed = true; return NULL;
    case EWI_OP_change: walk->change = true; return NULL;
    case EWI_OP_send: walk->sent = true; return NULL;
    case EWI_OP_volume:
    case EWI_OP_surface:
    case EWI_OP_jump_sensor: return integrate(walk, operation);
    case EWI_OP_gather: return gather(walk, operation);
    case EWI_OP_update: return update(walk, operation);
    case EWI_OP_stage: return stage(walk, operation);
    case EWI_OP_limit:
    case EWI_OP_positivity: return limit(walk, operation);
    case EWI_OP_exchange:
    case EWI_OP_receive: return exchange(walk, operation);
    case EWI_OP_reduce: return reduce(walk, operation);
    case EWI_OP_begin: return walk->reduced ? NULL : "the speed of all parts is not known";
    default: return NULL;
    }
}

static bool check_range(struct walk *walk, const struct ewi_step *step, struct ewi_operation_range range, int *at,
                        const char **why)
{
    for (int k = range.first; k < range.first + range.count; k++) {
        *at = k;
        *why = check(walk, &step->operation[k]);
        if (*why)
            return false;
    }
    return true;
}

/* The next step must find what this one leaves, so that the step is followed twice. */
bool ewi_step_is_valid(const struct ewi_sizes *sizes, const struct ewi_step *step, int *at, const char **why)
{
    struct walk walk = {.sizes = sizes, .content = {READY}};
    if (step->opening.first != step->step.first && !check_range(&walk, step, step->opening, at, why))
        return false;
    for (int k = 0; k < 2; k++)
        if (!check_range(&walk, step, step->step, at, why))
            return false;
    if (!check_range(&walk, step, step->finalize, at, why))
        return false;
    *why = "the state at the step's end is still to be limited";
    if (!(walk.content[0] & LIMITED))
        return false;
    walk = (struct walk){.sizes = sizes, .content = {READY}};
    return check_range(&walk, step, step->rhs, at, why) && check_range(&walk, step, step->initial, at, why);
}
