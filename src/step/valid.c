/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that each operation of a step has its input: follows the state of all registers through the list. */
#include "ewi_bed.h"
#include "ewi_error.h"
#include "ewi_step.h"

/*
 * Content of a register. state, limited: sets of classes of elements; stage: which stage made each class. A state is
 * ready for a stage once all of it is limited and its ghost layer has arrived.
 */
struct content {
    unsigned state, limited;
    int stage[EWI_MAX_CLASSES];
    bool ghost_layer, means; /* means: of the ghost layer */
};

/* How far alpha of the limiter subcell is known: of the part's elements, or of the ghost layer, too. */
enum alpha { NO_ALPHA, OWN_ALPHA, OWN_ALPHA_OF_ALL, ALPHA, ALPHA_OF_ALL, DIVIDED };

struct walk {
    const struct ewi_sizes *sizes;
    const struct ewi_step *step;
    unsigned every;   /* all classes */
    unsigned classes; /* of the operation */
    struct content content[EWI_MAX_REGISTERS];
    unsigned integrals[EWI_OP_COUNT]; /* classes for which each kind has been evaluated since their last update, */
    int of;                           /* of this register */
    unsigned speed;                   /* classes whose speed is known */
    bool change, sent, reduced;
    enum alpha alpha; /* of this step */
};

static bool is_register(const struct walk *walk, int number)
{
    return number >= 0 && number < walk->sizes->scheme->registers;
}

/* A complete state in register 0, and nothing known of it. */
static struct walk begin_walk(const struct ewi_sizes *sizes, const struct ewi_step *step)
{
    unsigned every = (1u << step->classes) - 1;
    return (struct walk){.sizes = sizes, .step = step, .every = every,
                         .content[0] = {.state = every, .limited = every, .ghost_layer = true}};
}

/* Neighbours of a list's elements are of any class. */
static bool is_of_one_stage(const struct walk *walk, const struct content *content)
{
    for (int k = 1; k < walk->step->classes; k++)
        if (content->stage[k] != content->stage[0])
            return false;
    return true;
}

static const char *load(struct walk *walk, const struct ewi_operation *operation)
{
    if (!is_register(walk, operation->source))
        return "it loads a register that the scheme does not have";
    struct content *content = &walk->content[operation->source];
    if (content->state != walk->every)
        return content->state ? "its source holds a state of some elements only" : "its source holds no state";
    if (!is_of_one_stage(walk, content))
        return "its source holds a former state of some elements";
    if (!(operation->on_load & EWI_OP_BIT(limit)) && content->limited != walk->every)
        return "its source is still to be limited";
    bool alone = operation->kind == EWI_OP_source || operation->kind == EWI_OP_outflow; /* needs no neighbours */
    if (!alone && !(operation->on_load & EWI_OP_BIT(receive)) && !content->ghost_layer)
        return "the ghost layer of its source has not come";
    if (operation->stores_limited)
        content->limited |= walk->classes;
    return NULL;
}

/* The states that a stage adds to its right-hand side: the one at the step's start, and other registers. */
static const char *load_terms(const struct walk *walk, const struct ewi_operation *operation)
{
    const struct ewi_stage *stage = &walk->sizes->scheme->stage[operation->stage - 1];
    unsigned limited = operation->source == 0 ? walk->every : walk->content[0].limited;
    for (int k = 0; k < stage->terms; k++)
        if (stage->term[k].from != operation->source) /* that is loaded, and limited if need be */
            limited &= walk->content[stage->term[k].from].limited;
    return walk->classes & ~limited ? "a register of its update is still to be limited" : NULL;
}

static bool has_integrals(const struct walk *walk, const struct ewi_operation *operation, enum ewi_operation_kind kind)
{
    return walk->of == operation->source && !(walk->classes & ~walk->integrals[kind]);
}

/* A new state is complete if no operation follows. */
static const char *store(struct walk *walk, const struct ewi_operation *operation)
{
    const struct ewi_sizes *sizes = walk->sizes;
    if (!is_register(walk, operation->target))
        return "it stores a register that the scheme does not have";
    if (sizes->outflow && !has_integrals(walk, operation, EWI_OP_outflow))
        return "the flux through boundaries has not been added to its integral";
    const char *why = load_terms(walk, operation);
    struct content *content = &walk->content[operation->target];
    bool limits = ewi_limiter_acts(sizes->limiter, operation->stage == sizes->scheme->stages) || sizes->positivity;
    bool limited = !limits || operation->on_store & (EWI_OP_BIT(limit) | EWI_OP_BIT(positivity));
    content->state |= walk->classes;
    content->limited = (content->limited & ~walk->classes) | (limited ? walk->classes : 0);
    content->ghost_layer = !sizes->divided || operation->on_store & EWI_OP_BIT(exchange);
    content->means = false;
    for (int k = 0; k < walk->step->classes; k++)
        if (walk->classes >> k & 1)
            content->stage[k] = operation->stage;
    walk->speed = (walk->speed & ~walk->classes) | (operation->on_store & EWI_OP_BIT(speed) ? walk->classes : 0);
    for (int kind = 0; kind < EWI_OP_COUNT; kind++)
        walk->integrals[kind] &= ~walk->classes;
    return why;
}

static bool lacks_sources(const struct walk *walk, const struct ewi_operation *operation)
{
    return ewi_has_sources(walk->sizes) && !(operation->on_load & EWI_OP_BIT(source)) &&
           !has_integrals(walk, operation, EWI_OP_source);
}

/* In a stage: a right-hand side by itself has none. */
static bool lacks_subcells(const struct walk *walk, const struct ewi_operation *operation)
{
    return ewi_limiter_has_subcells(walk->sizes->limiter) && operation->stage > 0 &&
           !has_integrals(walk, operation, EWI_OP_subcells);
}

static const char *integrate(struct walk *walk, const struct ewi_operation *operation)
{
    const char *why = load(walk, operation);
    bool needs_ghosts = operation->kind == EWI_OP_surface && !(operation->on_load & EWI_OP_BIT(ghost));
    bool begun = false;
    for (int kind = 0; kind < EWI_OP_COUNT; kind++)
        begun = begun || walk->integrals[kind];
    if (!why && begun && walk->of != operation->source)
        why = "it is of another register than the integrals before it";
    if (!why && needs_ghosts && !has_integrals(walk, operation, EWI_OP_ghost))
        why = "the ghost states of its source are missing";
    bool has_fluxes = operation->kind == EWI_OP_surface || operation->kind == EWI_OP_outflow;
    if (!why && has_fluxes && lacks_subcells(walk, operation))
        why = "the control volumes of its source are missing";
    walk->integrals[operation->kind] |= walk->classes;
    walk->of = operation->source;
    return why;
}

static const char *sense(struct walk *walk, const struct ewi_operation *operation)
{
    walk->alpha = walk->sizes->divided ? OWN_ALPHA : OWN_ALPHA_OF_ALL;
    return load(walk, operation);
}

/* The next step from one of alpha to another. */
static const char *step_alpha(enum alpha *alpha, enum alpha from, enum alpha to)
{
    if (*alpha != from)
        return "what it needs of alpha has not been found, or has not come";
    *alpha = to;
    return NULL;
}

static bool is_of_alpha(const struct ewi_operation *operation)
{
    return operation->kind == EWI_OP_alpha || operation->kind == EWI_OP_divide ||
           (operation->kind == EWI_OP_exchange && (operation->quantity == EWI_QUANTITY_own_alpha ||
                                                   operation->quantity == EWI_QUANTITY_alpha));
}

/* Operations after EWI_OP_sense, up to the lists of what is divided. */
static const char *follow_alpha(const struct walk *walk, enum alpha *alpha, const struct ewi_operation *operation)
{
    bool own = operation->quantity == EWI_QUANTITY_own_alpha;
    switch (operation->kind) {
    case EWI_OP_alpha: return step_alpha(alpha, OWN_ALPHA_OF_ALL, walk->sizes->divided ? ALPHA : ALPHA_OF_ALL);
    case EWI_OP_divide: return step_alpha(alpha, ALPHA_OF_ALL, DIVIDED);
    default: return step_alpha(alpha, own ? OWN_ALPHA : ALPHA, own ? OWN_ALPHA_OF_ALL : ALPHA_OF_ALL);
    }
}

static const char *gather(struct walk *walk, const struct ewi_operation *operation)
{
    if (!has_integrals(walk, operation, EWI_OP_volume) || !has_integrals(walk, operation, EWI_OP_surface))
        return "the volume or surface integrals of its source are missing";
    if (lacks_sources(walk, operation))
        return "the sources in its elements are missing";
    walk->integrals[EWI_OP_gather] |= walk->classes;
    return NULL;
}

static const char *update(struct walk *walk, const struct ewi_operation *operation)
{
    if (walk->classes & ~walk->integrals[EWI_OP_gather])
        return "there is no right-hand side";
    return store(walk, operation);
}

/* Means of neighbours are of the new state, which other lists do not have yet. */
static bool limits_by_new_means(const struct walk *walk, const struct ewi_operation *operation)
{
    return operation->on_store & EWI_OP_BIT(limit) && ewi_limiter_by_means(walk->sizes->limiter);
}

static const char *stage(struct walk *walk, const struct ewi_operation *operation)
{
    const char *why = load(walk, operation);
    if (!why && !(operation->on_load & EWI_OP_BIT(ghost)) && !has_integrals(walk, operation, EWI_OP_ghost))
        why = "the ghost states of its source are missing";
    if (!why && lacks_sources(walk, operation))
        why = "the sources in its elements are missing";
    if (!why && lacks_subcells(walk, operation))
        why = "the control volumes of its source are missing";
    if (!why && limits_by_new_means(walk, operation) && operation->elements != EWI_ALL_ELEMENTS)
        why = "it limits by means of elements that are not in its list";
    return why || operation->target == EWI_NO_REGISTER ? why : store(walk, operation);
}

static const char *limit(struct walk *walk, const struct ewi_operation *operation)
{
    struct content *content = &walk->content[operation->target];
    bool divided = walk->sizes->divided;
    bool by_means = operation->kind == EWI_OP_limit && ewi_limiter_by_means(walk->sizes->limiter);
    if ((by_means ? walk->every : walk->classes) & ~content->state)
        return content->state ? "its target holds a state of some elements only" : "its target holds no state";
    if (by_means && !is_of_one_stage(walk, content))
        return "its target holds a former state of some elements";
    content->means = content->means || content->ghost_layer; /* limiting keeps means */
    if (by_means && !content->means)
        return "the means of the ghost layer have not come";
    content->limited |= walk->classes;
    content->ghost_layer = !divided;
    return NULL;
}

static const char *exchange(struct walk *walk, const struct ewi_operation *operation)
{
    if (is_of_alpha(operation) && ewi_limiter_has_subcells(walk->sizes->limiter))
        return follow_alpha(walk, &walk->alpha, operation);
    struct content *content = &walk->content[operation->target];
    if (operation->kind == EWI_OP_receive && !walk->sent)
        return "nothing has been sent";
    walk->sent = false;
    if (!is_of_one_stage(walk, content))
        return "its target holds a former state of some elements";
    switch (operation->quantity) {
    case EWI_QUANTITY_state: content->ghost_layer = true; return NULL;
    case EWI_QUANTITY_means: content->means = true; return NULL;
    default: return "an exchange is for the state or its means";
    }
}

static const char *reduce(struct walk *walk, const struct ewi_operation *operation)
{
    bool known = operation->quantity == EWI_QUANTITY_speed ? walk->speed == walk->every : walk->change;
    walk->reduced = walk->reduced || operation->quantity == EWI_QUANTITY_speed;
    return known ? NULL : "what it is the maximum of has not been found";
}

static const char *check(struct walk *walk, const struct ewi_operation *operation)
{
    if (operation->elements < 0 || operation->elements >= walk->step->lists)
        return "it names a list of elements that the step does not have";
    if (operation->elements != EWI_ALL_ELEMENTS && !ewi_operation_is_listed(operation->kind))
        return "it cannot be of a list of elements";
    walk->classes = ewi_step_classes(walk->step, operation);
    switch (operation->kind) {
    case EWI_OP_speed: walk->speed |= walk->classes; return NULL;
    case EWI_OP_instants: walk->speed = 0; return NULL;
    case EWI_OP_change: walk->change = true; return NULL;
    case EWI_OP_send: walk->sent = true; return NULL;
    case EWI_OP_sense: return sense(walk, operation);
    case EWI_OP_alpha:
    case EWI_OP_divide: return follow_alpha(walk, &walk->alpha, operation);
    case EWI_OP_subcells: return walk->alpha == DIVIDED ? integrate(walk, operation) : "no elements are divided";
    case EWI_OP_end: walk->alpha = NO_ALPHA; return NULL;
    case EWI_OP_source:
    case EWI_OP_outflow:
    case EWI_OP_ghost:
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

/* ---- instants of levels of time steps ---- */

struct instant {
    unsigned states; /* registers that hold one, */
    unsigned means, ghost_layers; /* ... whose ghost layer has come, or its means */
    bool trials, rooms;           /* those of the ghost layer have come; over a bed, their caps on outflow */
    unsigned known;  /* kinds of operations since the last stage */
    enum alpha alpha; /* of active elements */
    int coupled;     /* the last stage of interface elements */
};

static const char *load_at_instant(const struct walk *walk, const struct instant *instant,
                                   const struct ewi_operation *operation)
{
    if (operation->elements < 0 || operation->elements >= walk->step->lists)
        return "it names a list of elements that the step does not have";
    if (operation->source == EWI_NO_REGISTER)
        return NULL;
    if (!is_register(walk, operation->source))
        return "it loads a register that the scheme does not have";
    return instant->states >> operation->source & 1 ? NULL : "its source holds no state";
}

static const char *need(const struct instant *instant, unsigned kinds, const char *why)
{
    return kinds & ~instant->known ? why : NULL;
}

static unsigned bit_of(int number)
{
    return number == EWI_NO_REGISTER ? 0 : 1u << number;
}

/* Tracks which ghost layers are up to date: checks those that an operation reads, and marks those that it changes. */
static const char *follow_ghost_layer(const struct walk *walk, struct instant *instant,
                                      const struct ewi_operation *operation)
{
    const struct ewi_limiter *limiter = walk->sizes->limiter;
    unsigned source = bit_of(operation->source), target = bit_of(operation->target);
    bool trials = operation->elements == EWI_LIST_TRIALS;
    int number = operation->stage - 1;
    switch (operation->kind) {
    case EWI_OP_surface:
    case EWI_OP_stage:
        if (ewi_level_trials_need_rhs(walk->sizes->scheme, number) && !instant->trials)
            return "the trials of the ghost layer have not come";
        if (!instant->rooms)
            return "the caps on outflow of the ghost layer have not come";
        /* fall through */
    case EWI_OP_jump_sensor:
        return instant->ghost_layers & source ? NULL : "the ghost layer of its source has not come";
    case EWI_OP_trial: instant->trials = false; return NULL;
    case EWI_OP_limit:
        if (!((ewi_limiter_by_means(limiter) ? instant->means : instant->ghost_layers) & target))
            return "the ghost layer of its target has not come";
        instant->ghost_layers &= ~target; /* means stay */
        return NULL;
    case EWI_OP_positivity:
    case EWI_OP_view: instant->ghost_layers &= trials ? ~0u : ~target; return NULL;
    case EWI_OP_couple:
    case EWI_OP_close:
        instant->ghost_layers &= ~target;
        instant->means &= ~target;
        return NULL;
    case EWI_OP_exchange:
        instant->trials = instant->trials || trials;
        instant->rooms = instant->rooms || operation->quantity == EWI_QUANTITY_room;
        if (trials || operation->quantity == EWI_QUANTITY_room)
            return NULL;
        instant->means |= target;
        instant->ghost_layers |= operation->quantity == EWI_QUANTITY_state ? target : 0;
        return NULL;
    default: return NULL;
    }
}

static const char *check_at_instant(const struct walk *walk, struct instant *instant,
                                    const struct ewi_operation *operation)
{
    unsigned integrals = EWI_OP_BIT(volume) | EWI_OP_BIT(surface);
    unsigned volumes = ewi_limiter_has_subcells(walk->sizes->limiter) ? EWI_OP_BIT(subcells) : 0;
    const char *why = load_at_instant(walk, instant, operation);
    if (!why && is_of_alpha(operation))
        return follow_alpha(walk, &instant->alpha, operation);
    if (!why && walk->sizes->divided)
        why = follow_ghost_layer(walk, instant, operation);
    if (why)
        return why;
    switch (operation->kind) {
    case EWI_OP_sense: instant->alpha = walk->sizes->divided ? OWN_ALPHA : OWN_ALPHA_OF_ALL; break;
    case EWI_OP_subcells: why = instant->alpha == DIVIDED ? NULL : "no elements are divided"; break;
    case EWI_OP_outflow: why = need(instant, volumes, "the control volumes of its source are missing"); break;
    case EWI_OP_surface:
    case EWI_OP_stage:
        why = need(instant, volumes, "the control volumes of its source are missing");
        if (!why && !(operation->on_load & EWI_OP_BIT(ghost)))
            why = need(instant, EWI_OP_BIT(ghost), "the ghost states of its source are missing");
        break;
    case EWI_OP_gather: why = need(instant, integrals, "the integrals of its source are missing"); break;
    case EWI_OP_update: why = need(instant, EWI_OP_BIT(gather), "the right-hand sides are missing"); break;
    case EWI_OP_couple:
        if (!(instant->known & (EWI_OP_BIT(update) | EWI_OP_BIT(stage))))
            why = "elements without faster neighbours have no new state";
        instant->states |= 1u << operation->target;
        instant->known = 0;
        instant->coupled = operation->stage;
        return why;
    case EWI_OP_close:
        why = instant->coupled == walk->sizes->scheme->stages ? NULL : "the last stage has not been made";
        break;
    case EWI_OP_view: why = need(instant, EWI_OP_BIT(close), "interface elements have no new state"); break;
    default: break;
    }
    instant->known |= 1u << operation->kind;
    return why;
}

static bool check_instant(const struct walk *walk, const struct ewi_step *step, int *at, const char **why)
{
    struct instant instant = {.states = 1, .means = 1, .ghost_layers = 1, .rooms = !ewi_bed_has(walk->sizes->law)};
    for (int k = 0; k < step->instant.count; k++) {
        *at = step->instant.first + k;
        *why = check_at_instant(walk, &instant, &step->operation[*at]);
        if (*why)
            return false;
    }
    *why = "views of the new states are missing at the end of the instant";
    if (step->instant.count > 0 && !(instant.known & EWI_OP_BIT(view)))
        return false;
    *why = "the ghost layer is missing at the end of the instant";
    return instant.ghost_layers & 1;
}

/* Backends also return the result of each kernel of a right-hand side, so it must be of all elements. */
static bool is_whole(const struct ewi_step *step, struct ewi_operation_range range, int *at, const char **why)
{
    *why = "a right-hand side by itself is of all elements";
    for (*at = range.first; *at < range.first + range.count; ++*at)
        if (step->operation[*at].elements != EWI_ALL_ELEMENTS)
            return false;
    return true;
}

/* The next step must find what this one leaves, so that the step is followed twice. */
bool ewi_step_is_valid(const struct ewi_sizes *sizes, const struct ewi_step *step, int *at, const char **why)
{
    struct walk walk = begin_walk(sizes, step);
    if (step->opening.first != step->step.first && !check_range(&walk, step, step->opening, at, why))
        return false;
    for (int k = 0; k < 2; k++)
        if (!check_range(&walk, step, step->step, at, why))
            return false;
    if (!check_range(&walk, step, step->finalize, at, why))
        return false;
    *why = "the state at the step's end is still to be limited";
    if (walk.content[0].limited != walk.every)
        return false;
    walk = begin_walk(sizes, step);
    return is_whole(step, step->rhs, at, why) && check_range(&walk, step, step->rhs, at, why) &&
           check_range(&walk, step, step->initial, at, why) && check_instant(&walk, step, at, why);
}

int ewi_step_refuse(const struct ewi_step *step, int at, const char *why, ew_error *error)
{
    return ewi_fail(error, EW_EINVAL, "operation %d of the step, %s, is not possible: %s", at,
                    ewi_operation_name(step->operation[at].kind), why);
}

int ewi_step_check(const struct ewi_sizes *sizes, const struct ewi_step *step, ew_error *error)
{
    const char *why;
    int at;
    return ewi_step_is_valid(sizes, step, &at, &why) ? EW_OK : ewi_step_refuse(step, at, why, error);
}
