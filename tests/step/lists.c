/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of elements: a step whose operations are divided into two lists has the bits of the one that goes over all
 * elements, with every backend and set of kernels; and an operation of a list leaves other elements alone. Backends are
 * called here without a solver, with a step that the test has rewritten.
 */
#include "ewi_backend.h"
#include "ewi_element_lists.h"
#include "fake-cuda.h"
#include "flows.h"

enum { CLASSES = 3, STEPS = 3 };

/* ---- steps that are rewritten ---- */

/* How: which list comes first, and whether states of the second one alone are made positive. */
static bool backward, second_positive;

struct rewriting {
    struct ewi_step from, *step;
    int list[2];
};

static void append(struct rewriting *rewriting, struct ewi_operation operation, int list)
{
    struct ewi_step *step = rewriting->step;
    if (step->operations == EWI_MAX_OPERATIONS)
        bail_out("no room for a longer step");
    operation.elements = list;
    step->operation[step->operations++] = operation;
}

static bool limits_by_means(const struct ewi_operation *operation)
{
    return operation->kind == EWI_OP_stage && operation->on_store & EWI_OP_BIT(limit) &&
           !(operation->on_load & EWI_OP_BIT(jump_sensor));
}

/* In a list, a stage cannot limit by the new means of all neighbours: that becomes an operation of its own. */
static struct ewi_operation take_limiter(struct ewi_operation *stage)
{
    unsigned limits = EWI_OP_BIT(limit) | EWI_OP_BIT(positivity);
    struct ewi_operation limit = {.kind = EWI_OP_limit, .source = stage->target, .target = stage->target,
                                  .stage = stage->stage, .on_store = stage->on_store & EWI_OP_BIT(positivity)};
    stage->on_store &= ~limits;
    stage->completes = false;
    return limit;
}

static void append_both(struct rewriting *rewriting, struct ewi_operation operation)
{
    append(rewriting, operation, rewriting->list[0]);
    if (second_positive && operation.kind == EWI_OP_stage && operation.stage > 0)
        operation.on_store |= EWI_OP_BIT(positivity);
    append(rewriting, operation, rewriting->list[1]);
    if (second_positive && operation.kind == EWI_OP_update)
        append(rewriting, (struct ewi_operation){.kind = EWI_OP_positivity, .source = operation.target,
                                                 .target = operation.target, .stage = operation.stage},
               rewriting->list[1]);
}

static struct ewi_operation_range divide(struct rewriting *rewriting, struct ewi_operation_range range)
{
    struct ewi_operation_range made = {rewriting->step->operations, 0};
    for (int k = range.first; k < range.first + range.count; k++) {
        struct ewi_operation operation = rewriting->from.operation[k], limit = {.kind = EWI_OP_end};
        if (limits_by_means(&operation))
            limit = take_limiter(&operation);
        if (ewi_operation_is_listed(operation.kind))
            append_both(rewriting, operation);
        else
            append(rewriting, operation, EWI_ALL_ELEMENTS);
        if (limit.kind == EWI_OP_limit)
            append_both(rewriting, limit);
    }
    made.count = rewriting->step->operations - made.first;
    return made;
}

static struct ewi_operation_range copy(struct rewriting *rewriting, struct ewi_operation_range range)
{
    struct ewi_operation_range made = {rewriting->step->operations, range.count};
    for (int k = range.first; k < range.first + range.count; k++)
        append(rewriting, rewriting->from.operation[k], EWI_ALL_ELEMENTS);
    return made;
}

static void add_lists(struct ewi_step *step, int *list)
{
    list[backward] = ewi_step_add_list(step, "first", 0, 1);
    list[!backward] = ewi_step_add_list(step, "others", 1, CLASSES);
}

static void divide_all(struct ewi_step *step)
{
    struct rewriting rewriting = {.from = *step, .step = step};
    struct ewi_operation_range rest = step->step;
    add_lists(step, rewriting.list);
    step->operations = 0;
    bool shared = step->opening.first == step->step.first;
    if (shared)
        rest = (struct ewi_operation_range){rest.first + step->opening.count, rest.count - step->opening.count};
    step->opening = divide(&rewriting, step->opening);
    step->step = divide(&rewriting, rest);
    if (shared)
        step->step = (struct ewi_operation_range){step->opening.first, step->opening.count + step->step.count};
    step->rhs = copy(&rewriting, step->rhs);
    step->initial = divide(&rewriting, step->initial);
    step->finalize = divide(&rewriting, step->finalize);
}

/* A state that is set is limited, or made positive, in the first class only. */
static void limit_some(struct ewi_step *step)
{
    int list[2];
    add_lists(step, list);
    for (int k = step->initial.first; k < step->initial.first + step->initial.count; k++)
        step->operation[k].elements = list[backward];
}

/* A stage that limits by means, for some elements. */
static void limit_in_stage(struct ewi_step *step)
{
    int list[2];
    add_lists(step, list);
    for (int k = step->step.first; k < step->step.first + step->step.count; k++)
        if (limits_by_means(&step->operation[k]))
            step->operation[k].elements = list[0];
}

/* Ghost states by themselves. */
static void add_ghosts(struct ewi_step *step)
{
    struct rewriting rewriting = {.from = *step, .step = step};
    step->operations = step->step.first + step->step.count;
    append(&rewriting, (struct ewi_operation){.kind = EWI_OP_ghost, .target = EWI_NO_REGISTER}, EWI_ALL_ELEMENTS);
    step->step.count++;
    step->rhs = copy(&rewriting, rewriting.from.rhs);
    step->initial = copy(&rewriting, rewriting.from.initial);
    step->finalize = copy(&rewriting, rewriting.from.finalize);
}

/* ---- runs ---- */

struct way {
    const char *backend, *kernels;
    int unit; /* elements that are in one class: a multiple of those of a tile or block */
};
static const struct way ways[] = {{"omp", "edgewise", 64}, {"omp", "fused", 384}, {"cuda", "edgewise", 64},
                                  {"cuda", "fused", 384}};

struct flow {
    int order;
    const char *limiter, *scheme;
    bool positivity, uniform_step;
    double steady;
};

struct run {
    const struct way *way;
    const struct flow *flow;
    void (*rewrite)(struct ewi_step *step); /* NULL: the backend's own step */
    int steps, threads;
    int classes; /* of elements */
};

static ew_mesh *mesh;
static size_t doubles;

static ew_formula *state, *given;

static void make_formulas(void)
{
    static const char *const initial[] = {"x < 1 ? 1 : 1e-2", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x)",
                                          "y < 0.4 ? 1 : 1e-2"};
    static const char *const moving[] = {"1 + 0.1*sin(20*t + x)", "0.1", "0.2*cos(10*t)", "1 + 0.2*t"};
    state = formula(4, initial);
    given = formula(4, moving);
}

static ew_plan *plan_of(const struct run *run)
{
    ew_boundary boundary[4];
    ew_problem problem = {.law = "euler", .order = run->flow->order, .scheme = run->flow->scheme, .cfl = 0.2,
                          .limiter = run->flow->limiter, .positivity = run->flow->positivity,
                          .uniform_step = run->flow->uniform_step, .steady = run->flow->steady,
                          .kernels = run->way->kernels, .initial.formula = state, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "copy"};
    boundary[3] = (ew_boundary){.name = boundary[3].name, .kind = "state", .state.formula = given};
    ew_plan *plan;
    ew_error error;
    if (ew_problem_check(NULL, mesh, &problem, &plan, &error))
        bail_out("no plan: %s", error.message);
    doubles = ewi_plan_state_doubles(plan);
    plan->element_class = calloc((size_t)plan->padded, 1);
    for (int32_t i = 0; i < plan->padded; i++)
        plan->element_class[i] = (uint8_t)(i / run->way->unit % run->classes);
    return plan;
}

static int try_instance(const struct run *run, ew_plan *plan, void **instance, ew_error *error)
{
    const struct ewi_backend_options options = {.threads = run->threads, .rewrite = run->rewrite};
    return ewi_backend_find(run->way->backend)->create(plan, &options, instance, error);
}

static double *state_of(const struct run *run, struct ewi_progress *progress)
{
    const struct ewi_backend *backend = ewi_backend_find(run->way->backend);
    ew_plan *plan = plan_of(run);
    double *got = malloc(doubles * sizeof *got);
    void *instance;
    ew_error error;
    *progress = (struct ewi_progress){.dt = NAN, .change = NAN};
    if (!got || try_instance(run, plan, &instance, &error))
        bail_out("no instance: %s", error.message);
    if (backend->set_state(instance, plan->initial, true, &error) ||
        (run->steps > 0 && backend->advance(instance, never, run->steps, progress, &error)) ||
        backend->get_state(instance, got, &error))
        bail_out("%s, %s, does not run: %s", run->way->backend, run->way->kernels, error.message);
    backend->destroy(instance);
    ew_plan_destroy(plan);
    return got;
}

static void same_bits(const struct run *run, const struct run *reference, const char *what)
{
    struct ewi_progress all, some;
    double *expected = state_of(reference, &all), *got = state_of(run, &some);
    ok(memcmp(expected, got, doubles * sizeof *got) == 0 && all.time == some.time && all.dt == some.dt &&
           all.steps == some.steps && (all.change == some.change || !(run->flow->steady > 0)),
       "%s, %s, p = %d, %s%s, %s: %s", run->way->backend, run->way->kernels, run->flow->order,
       run->flow->limiter ? run->flow->limiter : "no limiter", run->flow->positivity ? ", positive" : "",
       run->flow->scheme, what);
    free(expected);
    free(got);
}

static void check_divided(const struct way *way)
{
    static const struct flow flows[] = {
        {1, "none", "rk4", true, true, 0},
        {1, "barth-jespersen", "ssprk33", false, false, 0},
        {1, "barth-jespersen", "rk4", true, false, 1e-12},
        {2, "oscillation-free", "ssprk33", true, false, 0},
        {3, "none", "ssprk54", true, true, 0},
        {1, "barth-jespersen", "ssprk32", true, false, 0},
        {2, "none", "rk43", true, true, 0},
    };
    for (size_t k = 0; k < COUNT(flows); k++)
        for (int reverse = 0; reverse < 2; reverse++) {
            const struct run all = {.way = way, .flow = &flows[k], .steps = STEPS, .threads = 1, .classes = CLASSES};
            struct run divided = all;
            divided.threads = 1 + reverse;
            divided.rewrite = divide_all;
            backward = reverse;
            same_bits(&divided, &all, backward ? "... the last one first" : "two lists have the bits of all elements");
        }
}

/* ---- that other elements are left alone ---- */

static void check_some(const struct way *way)
{
    static const struct flow flows[] = {{1, "barth-jespersen", "ssprk33", false, true, 0},
                                        {2, "none", "ssprk33", true, true, 0}};
    for (size_t k = 0; k < COUNT(flows); k++) {
        const struct run all = {.way = way, .flow = &flows[k], .threads = 1, .classes = CLASSES};
        struct run some = all;
        struct ewi_progress progress;
        int different[2] = {0, 0}, wrong = 0;
        some.rewrite = limit_some;
        ew_plan *plan = plan_of(&all);
        double *limited = state_of(&all, &progress), *got = state_of(&some, &progress);
        int32_t tile = EWI_TILE * plan->rows;
        for (int32_t i = 0; i < plan->elements; i++)
            for (int row = 0; row < plan->rows; row++) {
                size_t at = (size_t)(i / EWI_TILE * tile + row * EWI_TILE + i % EWI_TILE);
                bool listed = i / way->unit % CLASSES == 0;
                different[listed] += limited[at] != plan->initial[at];
                wrong += got[at] != (listed ? limited[at] : plan->initial[at]);
            }
        ok(different[0] > 0 && different[1] > 0, "%s, %s, %s: all elements are limited", way->backend, way->kernels,
           flows[k].limiter);
        is_int(wrong, 0, "... and of a list its elements alone");
        free(limited);
        free(got);
        ew_plan_destroy(plan);
    }
}

/* The second list alone is made positive, which would show if stages of the second one ran over all. */
static void check_positive(const struct way *way)
{
    static const struct flow flow = {1, "none", "ssprk33", false, true, 0};
    struct run here = {.way = way, .flow = &flow, .steps = 2, .threads = 1, .classes = CLASSES, .rewrite = divide_all};
    struct run paper = here;
    struct way reference = {"omp", "edgewise", way->unit};
    paper.way = &reference;
    second_positive = true;
    for (int k = 0; k < 2; k++) {
        backward = k;
        same_bits(&here, &paper, backward ? "only the first class is made positive" : "only the others are");
    }
    second_positive = backward = false;
}

/* ---- what is refused ---- */

static void refuses(struct run run, void (*rewrite)(struct ewi_step *step), const char *why)
{
    ew_plan *plan = plan_of(&run);
    void *instance;
    ew_error error = {.message = ""};
    run.rewrite = rewrite;
    is_int(try_instance(&run, plan, &instance, &error), EW_EINVAL, "%s, %s, refuses a step that it cannot do",
           run.way->backend, run.way->kernels);
    contains(error.message, why, "... and says why");
    ew_plan_destroy(plan);
}

static void check_refusals(void)
{
    static const struct flow flow = {1, "barth-jespersen", "ssprk33", false, true, 0};
    struct run run = {.flow = &flow, .threads = 1, .classes = CLASSES};
    run.way = &ways[1];
    refuses(run, limit_in_stage, "it limits by means of elements that are not in its list");
    for (int k = 0; k < 3; k++) {
        run.way = &ways[k];
        refuses(run, add_ghosts, k < 2 ? "the backend omp has no such operation" : "make ghost states with fluxes");
    }
    for (size_t k = 0; k < COUNT(ways); k++) {
        run.way = &ways[k];
        run.classes = CLASSES + 1;
        refuses(run, divide_all, "an element is of class 3, and the step's lists have 3 classes");
    }
}

/* ---- the lists ---- */

static void check_ranges(void)
{
    static const struct flow flow = {1, "none", "ssprk33", false, true, 0};
    const struct run run = {.way = &ways[0], .flow = &flow, .classes = CLASSES};
    ew_plan *plan = plan_of(&run);
    struct ewi_element_lists lists = {0};
    struct ewi_step step;
    const struct ewi_fusion none = {0};
    int wrong = 0, *times = calloc((size_t)plan->padded, sizeof *times);
    ew_error error;
    ewi_step_make_fused(&plan->sizes, &none, &step);
    divide_all(&step);
    if (!times || ewi_element_lists_create(plan, &step, 64, 16, &lists, &error))
        bail_out("no lists");
    for (int list = 0; list < step.lists; list++) {
        const struct ewi_listed *listed = &lists.list[list];
        for (int32_t k = 0; k < listed->elements.count; k++)
            for (int32_t i = listed->elements.range[k].first; i < listed->elements.range[k].last; i++)
                times[i] += list == EWI_ALL_ELEMENTS ? 10 : 1;
        for (int32_t k = 0; k < listed->elements.count; k++)
            wrong += listed->elements.range[k].last - listed->elements.range[k].first > 16;
    }
    for (int32_t i = 0; i < plan->padded; i++)
        wrong += times[i] != 11;
    is_int(wrong, 0, "each element is in one range of one list, and in one of all");
    int32_t all = lists.list[0].units, both = lists.list[1].units + lists.list[2].units;
    ok(all == both && lists.list[1].units > 0 && lists.list[2].units > lists.list[1].units,
       "%d units are in two lists", (int)all);
    free(times);
    ewi_element_lists_destroy(&plan->host, &lists);
    ew_plan_destroy(plan);
}

int main(void)
{
    load_fake_cuda();
    mesh = box((struct box){.nx = 24, .ny = 25, .width = 2, .height = 1, .jitter = 0.5});
    make_formulas();
    check_ranges();
    for (size_t k = 0; k < COUNT(ways); k++) {
        check_divided(&ways[k]);
        check_some(&ways[k]);
        check_positive(&ways[k]);
    }
    check_refusals();
    ew_mesh_destroy(mesh);
    ew_formula_destroy(state);
    ew_formula_destroy(given);
    return done_testing();
}
