/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libedgewise as an embedder uses it: callbacks, threads, wrong arguments, no memory, broken states, what it says of
 * its memory.
 */
#include "edgewise.h"
#include "ewi_host.h"
#include "helpers.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- formulas, mesh, problem ------------------------------------------------------------------------------------- */

enum formula {
    SMOOTH, MOVING, OUTWARD, SCALAR, VELOCITY, UNIFORM, VACUUM, COLD, NOT_A_NUMBER, INWARD, TILTED, NO_DIRECTION,
    VELOCITY_OF_TIME, BROKEN_VELOCITY, ONE, ZERO, THREE, DENSE_LATER, HIGH, FORMULAS
};

static const struct {
    int outputs;
    const char *text[4];
} formulas[FORMULAS] = {
    [SMOOTH] = {4, {"1 + 0.1*sin(3*x)", "0.2*y", "0.1*x", "1 + 0.1*x*y"}},
    [MOVING] = {4, {"1 + 0.1*x + 0.3*t", "0.2*t", "0.1", "1 + 0.25*x"}},
    [OUTWARD] = {2, {"x - 0.5", "4"}},
    [SCALAR] = {1, {"1 + x*y + t"}},
    [VELOCITY] = {2, {"1 + y", "0.5 - x*y"}},
    [UNIFORM] = {4, {"1", "0.25", "0.5", "1"}},
    [VACUUM] = {4, {"x < 0.5 ? 1 : 0", "0", "0", "1"}},
    [COLD] = {4, {"1", "0", "0", "x < 0.5 ? 1 : -1"}},
    [NOT_A_NUMBER] = {4, {"1", "sqrt(0.5 - x)", "0", "1"}},
    [INWARD] = {2, {"0", "-1"}},
    [TILTED] = {2, {"2", "1"}},
    [NO_DIRECTION] = {2, {"0", "0"}},
    [VELOCITY_OF_TIME] = {2, {"1", "t"}},
    [BROKEN_VELOCITY] = {2, {"1/(x - x)", "1"}},
    [ONE] = {1, {"1"}},
    [ZERO] = {1, {"0"}},
    [THREE] = {3, {"1", "1", "1"}},
    [HIGH] = {1, {"y - 1 - 0.1*sin(6*pi*x)^2"}}, /* half of a cell over each edge of the top */
    [DENSE_LATER] = {4, {"1 + 1e4*t", "0", "0", "1 + 1e4*t"}},
};

static ew_formula *formula[FORMULAS];
static ew_mesh *mesh;

static ew_data data_of(enum formula k)
{
    return (ew_data){.formula = formula[k]};
}

static void make_formulas(void)
{
    ew_scope *scope;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    for (int k = 0; k < FORMULAS; k++)
        must(ew_formula_create(scope, formulas[k].outputs, formulas[k].text, &formula[k], &error), &error);
    ew_scope_destroy(scope);
}

static ew_mesh *rectangle(const ew_host *host, int nx, int ny, bool periodic)
{
    static const ew_side_part side[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    const ew_periodic pairs[] = {{.first = "left", .second = "right", .dx = 1},
                                 {.first = "bottom", .second = "top", .dy = 1}};
    const ew_rectangle box = {.x1 = 1, .y1 = 1, .nx = nx, .ny = ny, .jitter = 0.4, .seed = 3,
                              .side = {{1, &side[0]}, {1, &side[1]}, {1, &side[2]}, {1, &side[3]}},
                              .periodics = periodic ? 2 : 0, .periodic = pairs};
    ew_mesh *result;
    ew_error error;
    must(ew_mesh_rectangle(host, &box, &result, &error), &error);
    return result;
}

/* A problem that is right, to be spoilt. */
struct base {
    ew_problem problem;
    ew_boundary boundary[5];
    ew_parameter parameter;
};

static void set_base(struct base *base)
{
    *base = (struct base){
        .boundary = {{.name = "bottom", .kind = "state", .state = data_of(MOVING)},
                     {.name = "right", .kind = "copy"},
                     {.name = "top", .kind = "wall", .normal = data_of(OUTWARD)},
                     {.name = "left", .kind = "far", .state = data_of(UNIFORM)}},
        .parameter = {"gamma", 1.4},
        .problem = {.order = 2, .initial = data_of(SMOOTH), .exact = data_of(SMOOTH), .boundaries = 4, .parameters = 1,
                    .threads = 1},
    };
    base->problem.boundary = base->boundary;
    base->problem.parameter = &base->parameter;
}

static void set_curve(ew_boundary *boundary, ew_boundary_curve curve)
{
    static ew_boundary_curve kept;
    kept = curve;
    boundary[2].normal = (ew_data){0};
    boundary[2].curve = &kept;
}

static void set_spline(ew_boundary *boundary, double corner)
{
    set_curve(boundary, (ew_boundary_curve){.kind = EW_CURVE_SPLINE, .corner = corner});
}

static void set_level(ew_boundary *boundary, enum formula level)
{
    set_curve(boundary, (ew_boundary_curve){.kind = EW_CURVE_LEVEL, .level = data_of(level)});
}

static void set_advection(struct base *base)
{
    set_base(base);
    base->problem.law = "advection";
    base->problem.parameters = 0;
    base->problem.field = data_of(VELOCITY);
    base->problem.initial = base->problem.exact = data_of(SCALAR);
    base->boundary[0].state = data_of(SCALAR);
    for (int k = 1; k < 4; k++)
        base->boundary[k] = (ew_boundary){.name = base->boundary[k].name, .kind = "copy"};
}

/* A viscous gas below a warm wall, which moves upward. */
static void set_viscous(struct base *base)
{
    set_base(base);
    base->problem.law = "navier-stokes";
    base->parameter = (ew_parameter){.name = "mu", .value = 1};
    base->boundary[2] = (ew_boundary){
        .name = "top", .kind = "no-slip", .ghost = "isothermal", .state = data_of(THREE)};
}

static ew_solver *solver_of(const ew_host *host, const ew_mesh *on, const struct base *base)
{
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(host, on, &base->problem, &solver, &error), &error);
    return solver;
}

static uint64_t hash_of(ew_solver *solver)
{
    uint64_t hash;
    ew_error error;
    must(ew_solver_hash(solver, &hash, &error), &error);
    return hash;
}

static void advance(ew_solver *solver, int64_t steps)
{
    ew_error error;
    must(ew_solver_advance(solver, 100, steps, NULL, &error), &error);
}

static bool is_sentence(const ew_error *error)
{
    size_t length = strlen(error->message);
    return length > 15 && length < sizeof error->message - 1 && !strchr(error->message, '\n') &&
           !strstr(error->message, "(null)");
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static void evaluate(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    ew_formula_evaluate(context, n, x, y, t, values, n);
}

static ew_data callback_for(const ew_data *data)
{
    ew_formula *same = NULL;
    for (int k = 0; k < FORMULAS; k++)
        same = formula[k] == data->formula ? formula[k] : same;
    return same ? (ew_data){.callback = evaluate, .context = same, .variables = ew_formula_variables(same)}
                : (ew_data){0};
}

static void use_callbacks(struct base *base)
{
    ew_data *const data[] = {&base->problem.initial, &base->problem.exact, &base->problem.field};
    for (int k = 0; k < COUNT(data); k++)
        *data[k] = callback_for(data[k]);
    for (int k = 0; k < 4; k++) {
        base->boundary[k].state = callback_for(&base->boundary[k].state);
        base->boundary[k].normal = callback_for(&base->boundary[k].normal);
    }
}

/* MOVING in C: what a host would write. */
static void moving_in_c(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    ++*(int *)context;
    (void)y;
    for (size_t i = 0; i < n; i++) {
        values[0 * n + i] = 1 + 0.1 * x[i] + 0.3 * t;
        values[1 * n + i] = 0.2 * t;
        values[2 * n + i] = 0.1;
        values[3 * n + i] = 1 + 0.25 * x[i];
    }
}

/* What must stay positive is as small as norms say, and nothing else is told. */
static void check_least(ew_solver *solver, const ew_norms *norms, const char *law)
{
    double least[EW_MAX_VARIABLES];
    ew_solver_info info;
    ew_error error;
    int right = 0;
    ew_solver_get_info(solver, &info);
    must(ew_solver_get_least(solver, least, &error), &error);
    for (int m = 0; m < info.law->variables; m++) {
        const char *name = info.law->primitive[m];
        bool positive = strcmp(name, "rho") == 0 || strcmp(name, "h") == 0 ||
                        (strcmp(name, "p") == 0 && info.law->positive[0]);
        right += positive == (info.law->positive[m] != 0) && (positive ? least[m] == norms->min[m] : isnan(least[m]));
    }
    is_int(right, info.law->variables, "%s: the smallest values of what must stay positive", law);
}

static void check_callbacks(void (*set)(struct base *), const char *law)
{
    struct base base, other;
    ew_norms norms, other_norms;
    ew_error error;
    int calls = 0;
    set(&base);
    set(&other);
    use_callbacks(&other);
    if (set == set_base)
        other.boundary[0].state = (ew_data){.callback = moving_in_c, .context = &calls, .variables = EW_X | EW_T};
    base.problem.threads = other.problem.threads = 2;
    ew_solver *solver = solver_of(NULL, mesh, &base), *second = solver_of(NULL, mesh, &other);
    advance(solver, 5);
    advance(second, 5);
    ok(hash_of(solver) == hash_of(second), "%s: callbacks in place of formulas give the same bits", law);
    must(ew_solver_norms(solver, &norms, &error), &error);
    must(ew_solver_norms(second, &other_norms, &error), &error);
    check_least(solver, &norms, law);
    ok(norms.has_errors && memcmp(&norms, &other_norms, sizeof norms) == 0, "%s: and the same errors", law);
    ok(set != set_base || calls > 20, "%s: a callback that depends on t is asked at every stage", law);
    ew_solver_destroy(solver);
    ew_solver_destroy(second);
}

/* ---- two solvers at once ----------------------------------------------------------------------------------------- */

struct job {
    const char *kernels;
    int order;
    uint64_t hash;
};

static void *run_job(void *context)
{
    struct job *job = context;
    struct base base;
    set_base(&base);
    base.problem.kernels = job->kernels;
    base.problem.order = job->order;
    base.problem.threads = 2;
    ew_solver *solver = solver_of(NULL, mesh, &base);
    for (int k = 0; k < 10; k++)
        advance(solver, 2);
    job->hash = hash_of(solver);
    ew_solver_destroy(solver);
    return NULL;
}

static void check_two_threads(void)
{
    struct job alone[2] = {{"fused", 2, 0}, {"edgewise", 3, 0}}, together[2] = {{"fused", 2, 0}, {"edgewise", 3, 0}};
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
        run_job(&alone[k]);
    for (int k = 0; k < 2; k++)
        if (pthread_create(&thread[k], NULL, run_job, &together[k]) != 0)
            bail_out("a thread could not be started");
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    ok(alone[0].hash == together[0].hash && alone[1].hash == together[1].hash,
       "two solvers in two threads at once have the bits of one after the other");
}

/* ---- wrong arguments --------------------------------------------------------------------------------------------- */

/* X(what is wrong, how it is made wrong, code, part of the sentence); p: the problem, b: its boundaries */
#define WRONG(X)                                                                                                 \
    X("an unknown law", p->law = "plasma", EW_EINVAL, "\"plasma\"")                                              \
    X("an unknown parameter", base->parameter.name = "delta", EW_EINVAL, "\"delta\"")                            \
    X("gamma of 1", base->parameter.value = 1, EW_EINVAL, "gamma is 1")                                          \
    X("gamma that is not a number", base->parameter.value = NAN, EW_EINVAL, "gamma is nan")                      \
    X("an unknown flux", p->flux = "upwind", EW_EINVAL, "\"upwind\"")                                            \
    X("a flux of another law", (set_advection(base), p->flux = "roe"), EW_EINVAL,                                \
      "the law \"advection\" has no flux \"roe\"")                                                               \
    X("an unknown limiter", p->limiter = "minmod", EW_EINVAL, "\"minmod\"")                                      \
    X("a limiter at order 2", p->limiter = "barth-jespersen", EW_EINVAL, "order is 2")                           \
    X("an unknown scheme", p->scheme = "rk5", EW_EINVAL, "\"rk5\"")                                              \
    X("a negative Courant number", p->cfl = -0.5, EW_EINVAL, "-0.5")                                             \
    X("a Courant number that is not a number", p->cfl = NAN, EW_EINVAL, "nan")                                   \
    X("an infinite Courant number", p->cfl = INFINITY, EW_EINVAL, "inf")                                         \
    X("a negative tolerance", p->steady = -1, EW_EINVAL, "-1")                                                   \
    X("a tolerance that is not a number", p->steady = NAN, EW_EINVAL, "nan")                                     \
    X("negative orders of magnitude", p->steady_orders = -1, EW_EINVAL, "-1 orders of magnitude")                \
    X("too many orders of magnitude", p->steady_orders = 17, EW_EINVAL, "it must be 0 to 16")                    \
    X("a start that is not a number", p->time = NAN, EW_EINVAL, "start is nan")                                  \
    X("order 0", p->order = 0, EW_EINVAL, "order is 0")                                                          \
    X("order 6", p->order = 6, EW_EINVAL, "order is 6")                                                          \
    X("an unknown backend", p->backend = "abacus", EW_EINVAL, "\"abacus\"")                                      \
    X("an unknown kernel set", (p->backend = "omp", p->kernels = "split"), EW_EINVAL, "\"split\"")               \
    X("an unknown instruction level", (p->backend = "omp", p->level = "mmx"), EW_EINVAL, "\"mmx\"")              \
    X("tiles of 3 elements", p->tile = 3, EW_EINVAL, "width is 3")                                               \
    X("the fused set in one tile", (p->backend = "omp", p->kernels = "fused", p->tile = -1), EW_EINVAL, "fused") \
    X("a boundary without a condition", p->boundaries = 3, EW_EINVAL, "\"left\"")                                \
    X("a condition for no boundary", (b[4] = (ew_boundary){.name = "front", .kind = "copy"}, p->boundaries = 5), \
      EW_EINVAL,                                                                                                 \
      "\"front\" is not in the mesh")                                                                            \
    X("two conditions for a boundary", (b[4] = b[1], p->boundaries = 5), EW_EINVAL, "\"right\"")                 \
    X("a condition without a name", b[1].name = NULL, EW_EINVAL, "name")                                         \
    X("a condition without a kind", b[1].kind = NULL, EW_EINVAL, "\"right\"")                                    \
    X("an unknown kind of boundary", b[1].kind = "door", EW_EINVAL, "\"door\"")                                  \
    X("an outlet without a pressure", b[1].kind = "outlet", EW_EINVAL, "needs a state")                          \
    X("an outlet of three formulas", (b[1].kind = "outlet", b[1].state = data_of(THREE)), EW_EINVAL,             \
      "must have 1")                                                                                             \
    X("an outlet of no pressure", (b[1].kind = "outlet", b[1].state = data_of(ZERO)), EW_EINVAL,                 \
      "p must be greater than 0")                                                                                \
    X("a warm wall without its values", (set_viscous(base), b[2].state = (ew_data){0}), EW_EINVAL,               \
      "\"top\" of kind \"no-slip\" needs a state")                                                               \
    X("a wall that leaves its place", set_viscous(base), EW_EINVAL, "a wall can only move along itself")         \
    X("an inlet of an unknown sort", (b[1].kind = "inlet", b[1].ghost = "steam"), EW_EINVAL, "\"steam\"")        \
    X("a wall with an unknown ghost", b[2].ghost = "casper", EW_EINVAL, "\"casper\"")                            \
    X("a ghost for what is no wall", b[1].ghost = "mirror", EW_EINVAL, "\"mirror\"")                             \
    X("a wall for advection", (set_advection(base), b[1].kind = "wall"), EW_EINVAL, "\"wall\"")                  \
    X("a state that is missing", b[0].state = (ew_data){0}, EW_EINVAL, "\"bottom\"")                             \
    X("a far state that is missing", b[3].state = (ew_data){0}, EW_EINVAL, "\"left\"")                           \
    X("a state of three formulas", b[0].state = data_of(THREE), EW_EINVAL, "3 formulas")                         \
    X("a state without density", b[0].state = data_of(VACUUM), EW_EINVAL, "not admissible")                      \
    X("a state with negative pressure", b[0].state = data_of(COLD), EW_EINVAL, "p is -1")                        \
    X("a normal of one formula", b[2].normal = data_of(ONE), EW_EINVAL, "1 formulas")                            \
    X("a normal that points inward", b[2].normal = data_of(INWARD), EW_EINVAL, "points into the domain")         \
    X("a normal without direction", b[2].normal = data_of(NO_DIRECTION), EW_EINVAL, "no direction")              \
    X("normals beside a curve", (set_spline(b, 0), b[2].normal = data_of(OUTWARD)), EW_EINVAL, "the normals")    \
    X("a ghost beside a curve", (set_spline(b, 0), b[2].ghost = "tangential"), EW_EINVAL, "is mirrored")         \
    X("a curve for what is no wall", (set_spline(b, 0), b[1].curve = b[2].curve), EW_EINVAL, "takes no curve")   \
    X("a corner of more than 180 degrees", set_spline(b, 200), EW_EINVAL, "200 degrees")                         \
    X("a corner that is not a number", set_spline(b, NAN), EW_EINVAL, "nan degrees")                             \
    X("a curve without its function", set_curve(b, (ew_boundary_curve){.kind = EW_CURVE_LEVEL}),                 \
      EW_EINVAL, "give it")                                                                                      \
    X("a curve of two functions", set_level(b, OUTWARD), EW_EINVAL, "must be 1")                                 \
    X("a curve far from its edges", set_level(b, ONE), EW_EINVAL, "has no zero within")                           \
    X("a conservative wall without a curve", b[2].conservative = 1, EW_EINVAL, "has no curve")                   \
    X("a conservative wall with another flux", (set_spline(b, 0), b[2].conservative = 1, p->flux = "roe"),       \
      EW_EINVAL, "take the flux llf")                                                                            \
    X("an angle of a given state", b[0].angle = 45, EW_EINVAL, "takes no angle")                                 \
    X("an angle of 90 degrees", b[3].angle = 90, EW_EINVAL, "less than 90")                                      \
    X("a negative angle", b[3].angle = -1, EW_EINVAL, "-1 degrees")                                              \
    X("an angle that is not a number", b[3].angle = NAN, EW_EINVAL, "nan degrees")                               \
    X("a sponge at a wall", b[2].sponge_width = 0.1, EW_EINVAL, "has no state")                                  \
    X("a sponge of negative width", b[3].sponge_width = -1, EW_EINVAL, "width and strength")                     \
    X("a sponge without a width", b[3].sponge_strength = 1, EW_EINVAL, "but no width")                           \
    X("a sponge of no finite strength", (b[3].sponge_width = 0.1, b[3].sponge_strength = NAN), EW_EINVAL,        \
      "strength of its sponge")                                                                                  \
    X("a sponge that is too strong", (b[3].sponge_width = 0.1, b[3].sponge_strength = 1e6), EW_EINVAL,           \
      "is unstable")                                                                                             \
    X("a sponge over all", b[3].sponge_width = 100, EW_EINVAL, "covers the whole mesh")                          \
    X("a sponge thinner than a triangle", b[3].sponge_width = 1e-9, EW_EINVAL, "no quadrature point")            \
    X("a curve that stands high over its edges", set_level(b, HIGH), EW_EINVAL, "of the triangle's height")      \
    X("advection without a velocity", (set_advection(base), p->field = (ew_data){0}), EW_EINVAL, "velocity_x")   \
    X("a velocity of one formula", (set_advection(base), p->field = data_of(ONE)), EW_EINVAL, "1 formulas")      \
    X("a velocity that depends on t", (set_advection(base), p->field = data_of(VELOCITY_OF_TIME)), EW_EINVAL,    \
      "depends on t")                                                                                            \
    X("a velocity that is not finite", (set_advection(base), p->field = data_of(BROKEN_VELOCITY)), EW_EINVAL,    \
      "velocity_x")                                                                                              \
    X("no initial state", p->initial = (ew_data){0}, EW_EINVAL, "no initial state")                              \
    X("an initial state of three formulas", p->initial = data_of(THREE), EW_EINVAL, "3 formulas")                \
    X("an initial state without density", p->initial = data_of(VACUUM), EW_EINVAL, "not admissible")             \
    X("an initial state with negative pressure", p->initial = data_of(COLD), EW_EINVAL, "p is -1")               \
    X("an initial state that is not a number", p->initial = data_of(NOT_A_NUMBER), EW_EINVAL, "not admissible")  \
    X("an exact solution of three formulas", p->exact = data_of(THREE), EW_EINVAL, "3 formulas")

static void spoil(struct base *base, int which)
{
    ew_problem *p = &base->problem;
    ew_boundary *b = base->boundary;
    int k = 0;
#define SPOIL(what, how, code, part) \
    if (k++ == which)                \
        (void)(how);
    WRONG(SPOIL)
#undef SPOIL
}

static const struct {
    const char *what, *part;
    int code;
} wrong[] = {
#define ROW(what, how, code, part) {what, part, code},
    WRONG(ROW)
#undef ROW
};

static void check_wrong_arguments(void)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    for (int k = 0; k < COUNT(wrong); k++) {
        struct base base;
        ew_solver *solver = NULL;
        ew_error error = {0};
        set_base(&base);
        spoil(&base, k);
        int status = ew_solver_create(&host, mesh, &base.problem, &solver, &error);
        is_int(status, wrong[k].code, "%s: refused", wrong[k].what);
        ok(!solver && error.code == status && is_sentence(&error), "%s: with a sentence", wrong[k].what);
        contains(error.message, wrong[k].part, "%s: that says what", wrong[k].what);
        is_int(ew_solver_create(&host, mesh, &base.problem, &solver, NULL), wrong[k].code,
               "%s: and without a place for it", wrong[k].what);
        is_int(memory.blocks, 0, "%s: nothing is left behind", wrong[k].what);
        ew_solver_destroy(solver);
    }
}

struct told {
    int sentences;
    char places[256], text[2048];
};

static void hear(void *context, const ew_place *place, const char *sentence)
{
    struct told *told = context;
    size_t length = strlen(told->places), used = strlen(told->text);
    snprintf(told->places + length, sizeof told->places - length, "%s%s/%s/%s", told->sentences > 0 ? " " : "",
             place->boundary ? place->boundary : "", place->member ? place->member : "",
             place->variable ? place->variable : "");
    snprintf(told->text + used, sizeof told->text - used, "%s\n", sentence);
    told->sentences++;
}

static void check_all_at_once(void)
{
    struct base base;
    struct told told = {0}, again = {0};
    ew_solver *solver = NULL;
    ew_error error;
    set_base(&base);
    is_int(ew_problem_check(NULL, mesh, &base.problem, NULL, &error), EW_OK, "a problem that is right is said to be");
    base.problem.cfl = -1;
    base.parameter.value = 0.5;
    base.problem.initial = data_of(COLD);
    base.problem.exact = data_of(THREE);
    base.boundary[0].state = data_of(VACUUM);
    base.boundary[1].kind = "door";
    base.boundary[2].normal = data_of(INWARD);
    base.problem.report = hear;
    base.problem.report_context = &told;
    is_int(ew_problem_check(NULL, mesh, &base.problem, NULL, &error), EW_EINVAL,
           "a problem that is wrong in many ways: the code");
    is_str(told.places, "/parameter/gamma /cfl/ /exact/ right/kind/ bottom/state/rho top/normal/ /initial/p",
           "everything is told, each with its place");
    contains(told.text, "points, for example", "of many points one is told");
    contains(error.message, "gamma is 0.5; it must be greater than 1 (and 6 more errors)",
             "the error has the first and their number");
    base.problem.report_context = &again;
    is_int(ew_solver_create(NULL, mesh, &base.problem, &solver, &error), EW_EINVAL, "there is no solver of it");
    is_str(again.text, told.text, "and the same is told");
    is_int(ew_problem_check(NULL, mesh, &base.problem, NULL, NULL), EW_EINVAL, "without a place for the error, too");
}

static void count_elements(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    ++*(int64_t *)context;
    ew_formula_evaluate(formula[SMOOTH], n, x, y, t, values, n);
}

/* What a check has made, a solver does not make again. */
static void check_plans(void)
{
    struct base base;
    ew_mesh_info info;
    ew_plan *plan = NULL;
    ew_solver *solver = NULL;
    ew_error error;
    int64_t calls = 0;
    set_base(&base);
    ew_solver *made_at_once = solver_of(NULL, mesh, &base);
    ew_mesh_get_info(mesh, &info);
    base.problem.initial = (ew_data){.callback = count_elements, .context = &calls};
    is_int(ew_problem_check(NULL, mesh, &base.problem, &plan, &error), EW_OK, "a check makes a plan");
    is_int(calls, info.elements, "for which the initial state of every element is asked for once");
    size_t bytes = ew_plan_bytes(plan);
    base.problem.backend = "abacus";
    is_int(ew_solver_of_plan(&plan, &base.problem, &solver, &error), EW_EINVAL,
           "a backend that there is not gets no plan");
    ok(plan && ew_plan_bytes(plan) == bytes && bytes > 0, "which stays what it was, of %zu bytes", bytes);
    base.problem.backend = "omp";
    is_int(ew_solver_of_plan(&plan, &base.problem, &solver, &error), EW_OK, "another one takes it");
    ok(!plan && calls == info.elements, "and asks nobody again");
    ok(hash_of(solver) == hash_of(made_at_once), "the solver begins with the bits of one that was made at once");
    advance(solver, 3);
    advance(made_at_once, 3);
    ok(hash_of(solver) == hash_of(made_at_once), "and goes on with them");
    ew_solver_destroy(solver);
    ew_solver_destroy(made_at_once);
    is_int(ew_problem_check(NULL, NULL, &base.problem, &plan, &error), EW_OK, "without a mesh the rest is checked");
    ok(!plan, "and there is no plan");
    base.problem.limiter = "barth-jespersen";
    base.problem.order = 2;
    is_int(ew_problem_check(NULL, NULL, &base.problem, NULL, &error), EW_EINVAL, "what is wrong without one is told");
    is_str(error.message, "the limiter \"barth-jespersen\" is made for order 1; the order is 2", "in a sentence");
}

static void check_checks_without_memory(void)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    struct base base;
    int status = EW_ENOMEM;
    long failed = 0;
    bool right = true;
    set_base(&base);
    for (; status == EW_ENOMEM && failed < 100; failed++) {
        ew_error error = {0};
        memory.calls = 0;
        memory.fail_at = failed + 1;
        status = ew_problem_check(&host, mesh, &base.problem, NULL, &error);
        right = right && memory.blocks == 0 && (status == EW_OK || (status == EW_ENOMEM && is_sentence(&error)));
    }
    ok(right && status == EW_OK && failed > 5, "each of %ld allocations of a check may fail, with a sentence",
       failed - 1);
}

/* ---- failed calls change nothing --------------------------------------------------------------------------------- */

struct snapshot {
    uint64_t hash;
    double time;
    int64_t steps;
};

static struct snapshot snapshot_of(ew_solver *solver)
{
    return (struct snapshot){hash_of(solver), ew_solver_time(solver), ew_solver_steps(solver)};
}

static bool is_unchanged(ew_solver *solver, struct snapshot before)
{
    struct snapshot now = snapshot_of(solver);
    return now.hash == before.hash && now.time == before.time && now.steps == before.steps;
}

static double *coefficients_of(ew_solver *solver, size_t *count)
{
    ew_solver_info info;
    ew_mesh_info mesh_info;
    ew_error error;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(mesh, &mesh_info);
    *count = (size_t)mesh_info.elements * (size_t)(info.law->variables * info.basis);
    double *coefficients = malloc(*count * sizeof *coefficients);
    if (!coefficients)
        bail_out("no memory");
    must(ew_solver_get_coefficients(solver, coefficients, &error), &error);
    return coefficients;
}

static void is_refused(ew_solver *solver, struct snapshot before, int status, const ew_error *error, const char *what)
{
    is_int(status, EW_EINVAL, "%s: refused", what);
    ok(error->code == EW_EINVAL && is_sentence(error), "%s: with a sentence", what);
    ok(is_unchanged(solver, before), "%s: nothing is changed", what);
}

static void check_wrong_calls(void)
{
    static const double rs[2] = {0.25, 0.25};
    struct base base;
    ew_mesh_info info;
    ew_error error = {0};
    size_t count;
    double value[4];
    set_base(&base);
    ew_mesh_get_info(mesh, &info);
    ew_solver *solver = solver_of(NULL, mesh, &base);
    advance(solver, 3);
    struct snapshot before = snapshot_of(solver);
    double *c = coefficients_of(solver, &count), kept = c[count / 2];
#define REFUSED(what, call) is_refused(solver, before, (call), &error, what)
    REFUSED("advancing to the past", ew_solver_advance(solver, 0.5 * before.time, 1, NULL, &error));
    REFUSED("advancing to a time that is not a number", ew_solver_advance(solver, NAN, 1, NULL, &error));
    REFUSED("advancing to a time that is not a number", ew_solver_advance(solver, NAN, 1, NULL, &error));
    REFUSED("a negative number of steps", ew_solver_advance(solver, 1, -1, NULL, &error));
    c[count / 2] = NAN;
    REFUSED("a coefficient that is not a number", ew_solver_set_coefficients(solver, c, 0, 0, &error));
    c[count / 2] = -INFINITY;
    REFUSED("an infinite coefficient", ew_solver_set_coefficients(solver, c, 0, 0, &error));
    c[count / 2] = kept;
    REFUSED("a time that is not a number", ew_solver_set_coefficients(solver, c, NAN, 0, &error));
    REFUSED("a negative step number", ew_solver_set_coefficients(solver, c, 0, -1, &error));
    REFUSED("sampling before the first element", ew_solver_sample(solver, -1, 1, 1, rs, 0, value, &error));
    REFUSED("sampling behind the last element", ew_solver_sample(solver, info.elements, 1, 1, rs, 0, value, &error));
    REFUSED("sampling more elements than there are", ew_solver_sample(solver, 1, INT64_MAX, 1, rs, 0, value, &error));
    REFUSED("sampling at less than no points", ew_solver_sample(solver, 0, 1, -1, rs, 0, value, &error));
#undef REFUSED
    is_int(ew_solver_advance(solver, before.time, 5, NULL, &error), EW_OK, "advancing to the present time is no error");
    is_int(ew_solver_advance(solver, 1e9, 0, NULL, &error), EW_OK, "nor is advancing by no step");
    ok(is_unchanged(solver, before), "and both change nothing");
    int64_t steps = ew_solver_steps(solver);
    enum ew_stop stop = EW_STOP_TIME;
    ok(ew_solver_advance(solver, INFINITY, 2, &stop, &error) == EW_OK && ew_solver_steps(solver) == steps + 2 &&
           stop == EW_STOP_STEPS,
       "without an end, a number of steps is done");
    free(c);
    ew_solver_destroy(solver);
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

/* Fails the first, second, ... allocation of a solver's creation until it succeeds; the number of allocations. */
static void check_creation_without_memory(const struct base *base, const char *what)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    bool right = true, clean = true;
    ew_solver *solver = NULL;
    int status = EW_ENOMEM;
    long failed = 0;
    for (; status == EW_ENOMEM && failed < 1000; failed++) {
        ew_error error = {0};
        memory.calls = 0;
        memory.fail_at = failed + 1;
        status = ew_solver_create(&host, mesh, &base->problem, &solver, failed % 2 ? NULL : &error);
        right = right && (status == EW_OK || (status == EW_ENOMEM && !solver && (failed % 2 || is_sentence(&error))));
        clean = clean && (status == EW_OK || (memory.blocks == 0 && memory.bytes == 0));
    }
    ok(right && status == EW_OK && failed > 10, "%s: each of %ld allocations of a solver may fail, with a sentence",
       what, failed - 1);
    ok(clean, "%s: and nothing is left behind", what);
    memory.fail_at = 0;
    if (solver)
        advance(solver, 2);
    ew_solver_destroy(solver);
    ok(memory.blocks == 0 && memory.bytes == 0, "%s: a solver gives back all that it took", what);
    ok(!memory.misaligned, "%s: alignments are powers of two", what);
}

enum call { RESIDUAL, SET, SAMPLE, NORMS, COEFFICIENTS, MEANS, HASH, ADVANCE, CALLS };
static const char *const call_name[CALLS] = {
    "get_residual", "set_coefficients", "sample", "norms", "get_coefficients", "get_means", "hash", "advance",
};

static int make_call(enum call call, ew_solver *solver, double *room, ew_error *error)
{
    static const double rs[] = {0.25, 0.25, 0.5, 0.125};
    ew_norms norms;
    uint64_t hash;
    switch (call) {
    case RESIDUAL:
        return ew_solver_get_residual(solver, room, error);
    case SET:
        return ew_solver_set_coefficients(solver, room, 1.5, 77, error);
    case SAMPLE:
        return ew_solver_sample(solver, 0, 10, 2, rs, 1, room, error);
    case NORMS:
        return ew_solver_norms(solver, &norms, error);
    case COEFFICIENTS:
        return ew_solver_get_coefficients(solver, room, error);
    case MEANS:
        return ew_solver_get_means(solver, room, error);
    case HASH:
        return ew_solver_hash(solver, &hash, error);
    case ADVANCE:
    case CALLS:
        break;
    }
    return ew_solver_advance(solver, ew_solver_time(solver), 1, NULL, error);
}

static void check_calls_without_memory(void)
{
    struct base base;
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    size_t count;
    set_base(&base);
    ew_solver *solver = solver_of(&host, mesh, &base);
    advance(solver, 2);
    struct snapshot before = snapshot_of(solver);
    double *room = coefficients_of(solver, &count);
    long blocks = memory.blocks;
    for (enum call call = 0; call < CALLS; call++) {
        int status = EW_ENOMEM;
        long failed = 0;
        bool right = true, unchanged = true;
        for (; status == EW_ENOMEM && failed < 100; failed++) {
            ew_error error = {0};
            memory.calls = 0;
            memory.fail_at = failed + 1;
            status = make_call(call, solver, room, &error);
            right = right && (status == EW_OK || (status == EW_ENOMEM && error.code == status && is_sentence(&error)));
            memory.fail_at = 0;
            unchanged = unchanged && (status == EW_OK || is_unchanged(solver, before)) && memory.blocks == blocks;
        }
        ok(right && status == EW_OK, "%s: each of %ld allocations may fail, with a sentence", call_name[call],
           failed - 1);
        ok(unchanged, "%s: and nothing is changed or left behind", call_name[call]);
        must(ew_solver_get_coefficients(solver, room, NULL), &(ew_error){0});
        if (call == SET) {
            ok(ew_solver_time(solver) == 1.5 && ew_solver_steps(solver) == 77,
               "set_coefficients: time and step number are set");
            must(ew_solver_set_coefficients(solver, room, before.time, before.steps, NULL), &(ew_error){0});
        }
    }
    free(room);
    ew_solver_destroy(solver);
}

static void check_no_memory(void)
{
    struct base base;
    set_base(&base);
    base.problem.scheme = "ssprk54";
    base.problem.steady = 1e-30;
    base.problem.kernels = "fused";
    check_creation_without_memory(&base, "fused");
    base.problem.kernels = "edgewise";
    base.problem.order = 1;
    base.problem.limiter = "barth-jespersen";
    check_creation_without_memory(&base, "edgewise, limited");
    base.problem.kernels = "fused";
    check_creation_without_memory(&base, "fused, limited");
    set_advection(&base);
    check_creation_without_memory(&base, "advection");
    check_calls_without_memory();
}

/* ---- how much memory --------------------------------------------------------------------------------------------- */

static void check_estimate(const ew_mesh *on, struct base *base, const char *kernels, int tile, int order,
                           const char *scheme)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    size_t estimate = 0;
    ew_error error;
    ew_solver_info info;
    base->problem.kernels = kernels;
    base->problem.tile = tile;
    base->problem.order = order;
    base->problem.scheme = scheme;
    must(ew_solver_memory(on, &base->problem, &estimate, NULL, &error), &error);
    ew_mesh_info mesh_info;
    size_t of_size = 0;
    ew_mesh_get_info(on, &mesh_info);
    must(ew_solver_memory_for(&mesh_info, &base->problem, &of_size, NULL, &error), &error);
    is_int((int64_t)of_size, (int64_t)estimate, "the mesh's size is all that it takes to foretell it");
    ew_solver *solver = solver_of(&host, on, base);
    ew_solver_get_info(solver, &info);
    double taken = (double)memory.bytes;
    if (!ok(fabs((double)estimate - taken) <= 0.2 * taken,
            "%s, %s, tile %d, p = %d, %s: the memory foretold is right to 20 %%",
            base->problem.law ? base->problem.law : "euler", kernels ? kernels : "by default", tile, order, scheme))
        diag("foretold: %zu bytes, taken: %.0f", estimate, taken);
    if (!ok(fabs((double)info.bytes - taken) <= 0.2 * taken, "and what the solver says that it takes"))
        diag("said: %zu bytes, taken: %.0f", info.bytes, taken);
    ew_solver_destroy(solver);
}

static void check_memory(void)
{
    ew_mesh *large = rectangle(NULL, 60, 50, false);
    struct base base;
    set_base(&base);
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        check_estimate(large, &base, "fused", 8, order, "rk4");
        check_estimate(large, &base, "edgewise", 8, order, "rk2");
    }
    check_estimate(large, &base, NULL, 0, 2, "ssprk54");
    check_estimate(large, &base, NULL, -1, 2, "ssprk33");
    check_estimate(large, &base, "fused", 8, 2, "rk43");
    check_estimate(large, &base, "edgewise", 0, 1, "ssprk32");
    base.problem.limiter = "subcell";
    check_estimate(large, &base, "fused", 0, 1, "ssprk33");
    check_estimate(large, &base, "edgewise", 0, 3, "ssprk22");
    base.problem.limiter = "oscillation-free";
    check_estimate(large, &base, "fused", 0, 3, "ssprk33");
    base.problem.limiter = NULL;
    set_advection(&base);
    check_estimate(large, &base, "fused", 0, 1, "rk2");
    check_estimate(large, &base, "edgewise", 0, 3, "rk4");
    ew_mesh_destroy(large);
}

/* ---- states that break ------------------------------------------------------------------------------------------- */

/* Two streams that leave each other at Mach 8: nothing is left between them. */
static void apart(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)y, (void)t;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1;
        values[n + i] = x[i] < 0.5 ? -9.5 : 9.5;
        values[2 * n + i] = 0;
        values[3 * n + i] = 1;
    }
}

static void set_apart(struct base *base)
{
    set_base(base);
    base->problem.initial = (ew_data){.callback = apart, .variables = EW_X};
    base->problem.exact = (ew_data){0};
    base->problem.cfl = 2;
    for (int k = 0; k < 4; k++)
        base->boundary[k] = (ew_boundary){.name = base->boundary[k].name, .kind = "copy"};
}

static void break_state(const char *kernels, int tile, int threads, ew_error *error)
{
    struct base base;
    set_apart(&base);
    base.problem.kernels = kernels;
    base.problem.tile = tile;
    base.problem.threads = threads;
    ew_solver *solver = solver_of(NULL, mesh, &base);
    is_int(ew_solver_advance(solver, 10, 1000, NULL, error), EW_ESTATE,
           "%s, tile %d, %d threads: a vacuum ends the run", kernels, tile, threads);
    ew_solver_destroy(solver);
}

/* The centroid in the sentence is that of the element in it, in the order of the file. */
static bool names_an_element(const char *sentence)
{
    long long element;
    double x, y, centre[2] = {0};
    int64_t triangle[2000];
    static double xy[2000];
    ew_mesh_info info;
    const char *at = strstr(sentence, "element ");
    ew_mesh_get_info(mesh, &info);
    if (!at || sscanf(at, "element %lld with the centroid (%lf, %lf)", &element, &x, &y) != 3 || element < 0 ||
        element >= info.elements)
        return false;
    ew_mesh_get_triangles(mesh, triangle);
    ew_mesh_get_nodes(mesh, xy);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 2; axis++)
            centre[axis] += xy[2 * triangle[3 * element + k] + axis] / 3;
    return fabs(x - centre[0]) < 1e-5 && fabs(y - centre[1]) < 1e-5;
}

static void check_broken_states(void)
{
    ew_error error = {0}, other = {0};
    static const char *const parts[] = {"step ", "stage ", " of 4", "t = ", "element ", "centroid (", "rho = ", "E = "};
    break_state("fused", 8, 1, &error);
    ok(is_sentence(&error), "it ends with a sentence: %s", error.message);
    for (int k = 0; k < COUNT(parts); k++)
        contains(error.message, parts[k], "which has \"%s\"", parts[k]);
    ok(names_an_element(error.message), "element and centroid are of one another");
    break_state("edgewise", 8, 2, &other);
    is_str(other.message, error.message, "the sentence is the same from the other kernel set");
    break_state("edgewise", -1, 3, &other);
    is_str(other.message, error.message, "and in the other layout");
}

/* What helps comes first; a boundary that only copies is named where it is near, and "far" where the law has it. */
static void check_advice(void)
{
    static const struct {
        int order;
        const char *limiter, *kind, *advice;
    } row[] = {
        {1, NULL, "copy", "; try the limiter barth-jespersen, positivity, kind \"far\" for the boundary \""},
        {3, NULL, "copy", "; try the limiter oscillation-free, positivity, kind \"far\" for the boundary \""},
        {3, NULL, "symmetry", "; try the limiter oscillation-free, positivity, a smaller cfl or a finer mesh"},
        {1, "barth-jespersen", "symmetry", "; try positivity, a smaller cfl or a finer mesh"},
    };
    for (int k = 0; k < COUNT(row); k++) {
        struct base base;
        ew_error error = {0};
        set_apart(&base);
        base.problem.order = row[k].order;
        base.problem.limiter = row[k].limiter;
        base.problem.cfl = 20;
        for (int b = 0; b < 4; b++)
            base.boundary[b].kind = row[k].kind;
        ew_solver *solver = solver_of(NULL, mesh, &base);
        is_int(ew_solver_advance(solver, 10, 1000, NULL, &error), EW_ESTATE, "order %d, %s: a run breaks", row[k].order,
               row[k].kind);
        contains(error.message, row[k].advice, "... and the advice fits it");
        ew_solver_destroy(solver);
    }
}

/* ---- where waves enter ------------------------------------------------------------------------------------------ */

static void check_inflow(void)
{
    static const char *const laws[] = {"euler",     "shallow-water",  "acoustics", "maxwell-tm",
                                       "advection", "acoustics-media"};
    static const struct {
        const char *text[4];
        int law;
        double right, left; /* shares */
        const char *what;
    } row[] = {
        {{"1.2", "0", "0", "1e5"}, 0, 1, 1, "gas at rest"},
        {{"1.2", "1e-3", "0", "1e5"}, 0, 1, 1, "gas almost at rest"},
        {{"1.2", "100", "0", "1e5"}, 0, 1, 1, "gas that leaves on the right, slower than sound"},
        {{"1.2", "340", "0", "1e5"}, 0, 1, 1, "gas that leaves on the right, just slower than sound"},
        {{"1.2", "343", "0", "1e5"}, 0, 0, 1, "gas that leaves on the right, just faster than sound"},
        {{"1.2", "-900", "0", "1e5"}, 0, 1, 0, "gas that leaves on the left, faster than sound"},
        {{"1", "y < 0.5 ? 2 : -2", "0", "1"}, 0, 0.5, 0.5, "gas that leaves through one half"},
        {{"2", "0", "0"}, 1, 1, 1, "water at rest"},
        {{"2", "9", "0"}, 1, 0, 1, "water that shoots"},
        {{"0", "0", "0"}, 2, 1, 1, "sound"},
        {{"0", "0", "0"}, 3, 1, 1, "light"},
        {{"x"}, 4, 0, 1, "what is carried to the right"},
        {{"0", "0", "0"}, 5, 1, 1, "sound in two media"},
    };
    ew_mesh *square;
    static const ew_side_part side[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    const ew_rectangle box = {
        .x1 = 1, .y1 = 1, .nx = 2, .ny = 2, .side = {{1, &side[0]}, {1, &side[1]}, {1, &side[2]}, {1, &side[3]}}};
    ew_error error = {0};
    ew_scope *scope;
    ew_formula *carries, *media;
    must(ew_mesh_rectangle(NULL, &box, &square, &error), &error);
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_formula_create(scope, 2, (const char *const[]){"1", "0"}, &carries, &error), &error);
    must(ew_formula_create(scope, 2, (const char *const[]){"x < 0.5 ? 1 : 1e6", "340"}, &media, &error), &error);
    for (int k = 0; k < COUNT(row); k++) {
        ew_formula *initial;
        double share[4];
        ew_boundary boundary[4];
        for (int b = 0; b < 4; b++)
            boundary[b] = (ew_boundary){.name = side[b].name, .kind = "copy"};
        ew_problem problem = {.law = laws[row[k].law], .order = 2, .boundaries = 4, .boundary = boundary, .threads = 1};
        must(ew_formula_create(scope, ew_law_find(problem.law)->variables, row[k].text, &initial, &error), &error);
        problem.initial.formula = initial;
        problem.field.formula = row[k].law == 4 ? carries : row[k].law == 5 ? media : NULL;
        ew_solver *solver;
        must(ew_solver_create(NULL, square, &problem, &solver, &error), &error);
        for (int b = 0; b < 4; b++)
            must(ew_solver_inflow(solver, b, &share[b], &error), &error);
        is_close(share[1], row[k].right, 1e-12, "%s: where waves enter on the right", row[k].what);
        is_close(share[3], row[k].left, 1e-12, "... on the left");
        is_close(share[0] + share[2], row[k].law == 4 ? 0 : 2, 1e-12, "... and along it");
        ew_solver_destroy(solver);
        ew_formula_destroy(initial);
    }
    ew_formula_destroy(carries);
    ew_formula_destroy(media);
    ew_scope_destroy(scope);
    ew_mesh_destroy(square);
}

static void check_recovery(void)
{
    struct base base;
    size_t count;
    set_apart(&base);
    ew_solver *solver = solver_of(NULL, mesh, &base);
    double *start = coefficients_of(solver, &count), dt;
    uint64_t hash = hash_of(solver);
    is_int(ew_solver_advance(solver, 10, 1000, NULL, NULL), EW_ESTATE, "a run breaks, and nobody asks why");
    is_int(ew_solver_set_coefficients(solver, start, 0, 0, NULL), EW_OK, "a broken solver can be set again");
    ok(hash_of(solver) == hash && ew_solver_steps(solver) == 0, "to where it was");
    for (size_t k = 0; k < count; k++)
        start[k] = 0;
    must(ew_solver_set_coefficients(solver, start, 0, 0, NULL), &(ew_error){0});
    ew_error error = {0};
    is_int(ew_solver_time_step(solver, &dt, &error), EW_ESTATE, "there is no time step for a vacuum");
    contains(error.message, "step 1, t = 0", "and the sentence names no stage");
    is_int(ew_solver_advance(solver, 1, 1, NULL, &error), EW_ESTATE, "nor a step from it");
    free(start);
    ew_solver_destroy(solver);
}

/* ---- and the rest ------------------------------------------------------------------------------------------------ */

static void note(void *context, int level, const char *sentence)
{
    snprintf(context, 200, "%d: %s", level, sentence);
}

static void check_logger(void)
{
    char last[200] = "";
    struct base base;
    struct memory memory = {0};
    ew_host host = {.log = note, .context = last}, counted = memory_host(&memory), silent = {0};
    set_base(&base);
    ew_solver *solver = solver_of(&host, mesh, &base);
    advance(solver, 3);
    ew_solver_destroy(solver);
    is_str(last, "", "a run that goes well logs nothing");
    base.boundary[2].normal = data_of(TILTED);
    ew_solver_destroy(solver_of(&host, mesh, &base));
    ok(strstr(last, "2: boundary \"") && strstr(last, "\": the normal is more than 45 degrees off the edges' at all"),
       "another curve's normals are told of");
    ewi_log(&host, EW_LOG_WARNING, "%d boundary edges", 7);
    is_str(last, "2: 7 boundary edges", "the host's logger gets whole sentences");
    ewi_log(&silent, EW_LOG_WARNING, "nobody listens");
    ewi_log(&counted, EW_LOG_WARNING, "nobody listens");
    is_str(last, "2: 7 boundary edges", "a host without a logger hears nothing");
}

/* The default Courant number, and what is said of one that is not stable. */
static void check_courant(void)
{
    static const struct {
        int order, positivity;
        const char *scheme, *limiter;
        double asked, used;
        const char *warning;
    } runs[] = {
        {1, 0, "rk4", "none", 0, 0.8 * 1.03, ""},
        {5, 0, "ssprk22", "none", 0, 0.8 * 0.49, ""},
        {5, 1, "ssprk33", "none", 0, 0.4, ""},
        {1, 0, "ssprk22", "barth-jespersen", 0, 0.8 * 0.74, ""},
        {1, 0, "ssprk54", "barth-jespersen", 0, 0.75, ""},
        {2, 0, "ssprk54", "oscillation-free", 0, 0.4, ""},
        {1, 0, "ssprk32", "barth-jespersen", 0, 0.8 * 1.42, ""},
        {2, 1, "ssprk32", "none", 0, 0.8, ""},
        {2, 1, "rk43", "none", 0, 0.4, ""},
        {3, 1, "ssprk33", "none", 0.6, 0.6, ""},
        {5, 0, "rk2", "none", 0.5, 0.5,
         "the Courant number is 0.5; the time scheme rk2 is stable to about 0.49 at order 5"},
    };
    for (int k = 0; k < COUNT(runs); k++) {
        char last[200] = "";
        struct base base;
        ew_host host = {.log = note, .context = last};
        ew_solver_info info;
        set_base(&base);
        base.problem.order = runs[k].order;
        base.problem.positivity = runs[k].positivity;
        base.problem.scheme = runs[k].scheme;
        base.problem.limiter = runs[k].limiter;
        base.problem.cfl = runs[k].asked;
        ew_solver *solver = solver_of(&host, mesh, &base);
        ew_solver_get_info(solver, &info);
        is_close(info.cfl, runs[k].used, 1e-15, "%s, %s, order %d%s: the Courant number is %g",
                 runs[k].scheme, runs[k].limiter, runs[k].order, runs[k].positivity ? ", positive" : "", runs[k].used);
        contains(last, runs[k].warning, "... and a larger one than the stable one is a warning");
        ok(runs[k].warning[0] || !last[0], "... but no other");
        ew_solver_destroy(solver);
    }
}

/* The step of gas at rest is that of the smallest element, and longer where only larger ones move. */
static void check_element_steps(void)
{
    double dt[2];
    struct base base;
    ew_error error;
    for (int uniform = 0; uniform < 2; uniform++) {
        set_base(&base);
        base.problem.uniform_step = uniform;
        ew_solver *solver = solver_of(NULL, mesh, &base);
        must(ew_solver_time_step(solver, &dt[uniform], &error), &error);
        ew_solver_destroy(solver);
    }
    ok(dt[0] > 1.001 * dt[1], "an element's own width and speed, the default, make steps longer");
    diag("steps %g and %g", dt[0], dt[1]);
}

static void dense_later(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)x, (void)y;
    for (size_t k = 0; k < n; k++) {
        values[k] = values[3 * n + k] = 1 + 1e4 * t;
        values[n + k] = values[2 * n + k] = 0;
    }
}

/* The density of one element, so many times as large, at a time at which boundaries may have given that. */
static int grown(struct base *base, double times, ew_error *error)
{
    size_t count;
    ew_solver_info info;
    ew_solver *solver = solver_of(NULL, mesh, base);
    double *c = coefficients_of(solver, &count);
    ew_solver_get_info(solver, &info);
    size_t variables = (size_t)info.law->variables, basis = (size_t)info.basis;
    for (size_t j = 0; j < basis; j++)
        c[7 * variables * basis + j] *= times;
    must(ew_solver_set_coefficients(solver, c, 1, 10, error), error);
    int status = ew_solver_check_growth(solver, error);
    free(c);
    ew_solver_destroy(solver);
    return status;
}

static void check_growth(void)
{
    struct base base;
    ew_error error;
    set_base(&base);
    base.boundary[0].state = data_of(UNIFORM);
    is_int(grown(&base, 900, &error), EW_OK, "a density 900 times as large passes");
    is_int(grown(&base, 2000, &error), EW_ESTATE, "one 2,000 times as large does not");
    contains(error.message, "the mean of rho is 2", "... which a sentence says");
    contains(error.message, "in element 7 with the centroid (", "... and where");
    contains(error.message, "kind \"far\" for the boundary \"right\"", "... and what may help");
    base.boundary[0].state = data_of(DENSE_LATER);
    is_int(grown(&base, 2000, &error), EW_OK, "it does where a boundary's formula has given as much");
    base.boundary[0].state = (ew_data){.callback = dense_later, .variables = EW_T};
    is_int(grown(&base, 2000, &error), EW_OK, "... or its callback may have");
    set_advection(&base);
    base.boundary[0].state = data_of(ONE);
    is_int(grown(&base, 1e8, &error), EW_OK, "what is carried may grow more");
    is_int(grown(&base, 1e10, &error), EW_ESTATE, "... but not without bounds");
}

static void check_lists(void)
{
    static const enum ew_list lists[] = {EW_LAWS,       EW_FLUXES,   EW_LIMITERS, EW_SCHEMES,
                                         EW_BOUNDARIES, EW_BACKENDS, EW_KERNELS};
    bool complete = true;
    for (int l = 0; l < COUNT(lists); l++) {
        int k = 0;
        for (; ew_list_name(lists[l], k); k++)
            complete = complete && strlen(ew_list_name(lists[l], k)) > 1 && ew_list_description(lists[l], k) &&
                       strlen(ew_list_description(lists[l], k)) > 8;
        complete = complete && k > 1 && !ew_list_description(lists[l], k) && !ew_list_name(lists[l], -1);
    }
    ok(complete, "what can be chosen has names and descriptions");
    for (int k = 0; ew_list_name(EW_LAWS, k); k++) {
        const ew_law *law = ew_law_find(ew_list_name(EW_LAWS, k));
        ok(law && law->variables > 0 && law->fluxes[0] && law->conserved[law->variables - 1] &&
               law->primitive_long[law->variables - 1],
           "%s: the law says what its variables are", ew_list_name(EW_LAWS, k));
    }
    ok(!ew_law_find("none") && ew_version()[0] >= '0' && ew_version()[0] <= '9',
       "there is no law \"none\"; the version is a number");
    ok(ew_struct_size("ew_problem") == sizeof(ew_problem) && ew_struct_size("ew_limits") == sizeof(ew_limits) &&
           ew_struct_size("ew_solver") == 0,
       "a struct's size is known by its name, that of a handle is not");
}

static void check_info(void)
{
    struct base base;
    ew_solver_info info;
    set_base(&base);
    base.problem.flux = "hllc";
    base.problem.backend = "omp";
    ew_solver *solver = solver_of(NULL, mesh, &base);
    ew_solver_get_info(solver, &info);
    ok(info.order == 2 && info.basis == 6 && info.stages == 4 && info.cfl == 0.8 * 0.94 &&
           info.law == ew_law_find("euler"),
       "a solver tells order, basis, stages and Courant number");
    is_str(info.flux, "hllc", "and its flux");
    is_str(info.limiter, "none", "and limiter");
    is_str(info.scheme, "rk4", "and scheme");
    is_str(info.kernels, "fused", "and kernels");
    contains(info.device, "1 thread", "and device");
    ew_solver_destroy(solver);
}

static void check_steady(void)
{
    ew_mesh *torus = rectangle(NULL, 5, 4, true);
    struct base base;
    enum ew_stop stop = EW_STOP_TIME;
    ew_error error;
    set_base(&base);
    base.problem.boundaries = 0;
    base.problem.initial = data_of(UNIFORM);
    base.problem.steady = 1e-12;
    ew_solver *solver = solver_of(NULL, torus, &base);
    ok(isnan(ew_solver_change(solver)), "before the first step there is no change");
    must(ew_solver_advance(solver, 10, 100, &stop, &error), &error);
    ok(stop == EW_STOP_STEADY && ew_solver_steps(solver) == 1, "a uniform flow is steady after a step");
    ok(ew_solver_change(solver) <= 1e-12, "it changes by rounding only");
    ew_solver_destroy(solver);
    ew_mesh_destroy(torus);
}

static void check_means(void)
{
    static const double centre[2] = {1.0 / 3, 1.0 / 3};
    struct base base;
    double means[4 * 60], values[4 * 60];
    ew_error error;
    bool same = true;
    set_base(&base);
    base.problem.initial = data_of(UNIFORM);
    ew_solver *solver = solver_of(NULL, mesh, &base);
    must(ew_solver_get_means(solver, means, &error), &error);
    must(ew_solver_sample(solver, 0, 60, 1, centre, 0, values, &error), &error);
    for (int k = 0; k < 4 * 60; k++)
        same = same && fabs(means[k] - values[k]) < 1e-14;
    ok(same, "means and values of a uniform flow agree");
    must(ew_solver_sample(solver, 7, 1, 1, centre, 1, values, &error), &error);
    ok(fabs(values[0] - 1) + fabs(values[1] - 0.25) + fabs(values[2] - 0.5) + fabs(values[3] - 1) < 1e-14,
       "so do primitive values");
    ew_solver_destroy(solver);
}

/* Sampled by columns: the numbers of ew_solver_sample_outputs and ew_solver_get_means, or those rounded. */
static void check_columns(void)
{
    enum { POINTS = 2, COUNT = 5, FIRST = 3, OUTPUTS = 3 };
    static const int output[OUTPUTS] = {0, 3, 5}; /* primitive, primitive, conserved */
    static const double rs[2 * POINTS] = {0.25, 0.5, 0.1, 0.2};
    struct base base;
    ew_error error;
    ew_mesh_info info;
    set_base(&base);
    ew_mesh_get_info(mesh, &info);
    ew_solver *solver = solver_of(NULL, mesh, &base);
    advance(solver, 3);
    double values[COUNT * POINTS * OUTPUTS], column[OUTPUTS][COUNT * POINTS], mean[4][COUNT];
    float narrow[OUTPUTS][COUNT * POINTS], narrow_mean[4][COUNT];
    double *means = calloc((size_t)info.elements * 4, sizeof *means);
    must(ew_solver_sample_outputs(solver, FIRST, COUNT, POINTS, rs, OUTPUTS, output, values, &error), &error);
    must(ew_solver_get_means(solver, means, &error), &error);
    must(ew_solver_sample_columns(solver, FIRST, COUNT, POINTS, rs, OUTPUTS, output, 0,
                                  (void *[]){column[0], column[1], column[2]},
                                  (void *[]){mean[0], mean[1], mean[2], mean[3]}, &error),
         &error);
    must(ew_solver_sample_columns(solver, FIRST, COUNT, POINTS, rs, OUTPUTS, output, 1,
                                  (void *[]){narrow[0], narrow[1], narrow[2]},
                                  (void *[]){narrow_mean[0], narrow_mean[1], narrow_mean[2], narrow_mean[3]}, &error),
         &error);
    int differing = 0;
    for (int at = 0; at < COUNT * POINTS; at++)
        for (int n = 0; n < OUTPUTS; n++)
            differing += column[n][at] != values[at * OUTPUTS + n] || narrow[n][at] != (float)values[at * OUTPUTS + n];
    for (int e = 0; e < COUNT; e++)
        for (int m = 0; m < 4; m++)
            differing += mean[m][e] != means[(FIRST + e) * 4 + m] ||
                         narrow_mean[m][e] != (float)means[(FIRST + e) * 4 + m];
    is_int(differing, 0, "quantities and means by columns, in double and in single precision");
    is_int(ew_solver_sample_columns(solver, info.elements - 1, 2, POINTS, rs, OUTPUTS, output, 0,
                                    (void *[]){column[0], column[1], column[2]}, NULL, &error),
           EW_EINVAL, "of elements that there are");
    free(means);
    ew_solver_destroy(solver);
}

/* ---- the hash ---------------------------------------------------------------------------------------------------- */

/* As edgewise.h has it. */
static uint64_t plain_hash(const double *coefficients, uint64_t elements, size_t rows)
{
    uint64_t sum = 0;
    for (uint64_t f = 0; f < elements; f++) {
        uint64_t h = 0x9e3779b97f4a7c15u, word = f;
        for (size_t row = 0; row <= rows; row++) {
            h = (h ^ word) * 0xff51afd7ed558ccdu;
            h ^= h >> 32;
            if (row < rows)
                memcpy(&word, &coefficients[f * rows + row], sizeof word);
        }
        h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
        h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
        sum += h ^ h >> 33;
    }
    return sum;
}

static uint64_t hash_with(ew_solver *solver, const double *coefficients)
{
    ew_error error;
    must(ew_solver_set_coefficients(solver, coefficients, 0, 0, &error), &error);
    return hash_of(solver);
}

/* What is alike in two elements must not cancel in the sum of their hashes. */
static void check_hash(void)
{
    struct base base;
    ew_solver_info info;
    ew_mesh_info mesh_info;
    size_t count;
    set_base(&base);
    base.problem.initial = data_of(UNIFORM);
    ew_solver *solver = solver_of(NULL, mesh, &base);
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(mesh, &mesh_info);
    double *c = coefficients_of(solver, &count);
    size_t rows = count / (size_t)mesh_info.elements;
    for (size_t k = 0; k < count; k++)
        c[k] += 1e-3 * sin((double)k);
    uint64_t first = hash_with(solver, c);
    ok(first == plain_hash(c, (uint64_t)mesh_info.elements, rows), "the hash is what edgewise.h says");
#ifdef _OPENMP
    int threads = omp_get_max_threads();
    bool same = true;
    for (int n = 1; n <= 5; n++) {
        omp_set_num_threads(n);
        same = same && hash_of(solver) == first;
    }
    omp_set_num_threads(threads);
    ok(same, "... for any number of threads");
#endif
    int alike = 0;
    for (size_t row = 0; row < rows; row++) {
        double *a = &c[3 * rows + row], *b = &c[17 * rows + row], x = *a, y = *b;
        *a = y, *b = x;
        alike += hash_with(solver, c) == first;
        *a = -x, *b = -y;
        alike += hash_with(solver, c) == first;
        *a = nextafter(x, 9), *b = nextafter(y, -9);
        alike += hash_with(solver, c) == first;
        *a = nextafter(x, 9), *b = y;
        alike += hash_with(solver, c) == first;
        *a = x;
    }
    is_int(alike, 0, "it knows coefficients that are exchanged, of the other sign, or a bit off");
    for (size_t row = 0; row < rows; row++) {
        c[3 * rows + row] = 0.0;
        c[17 * rows + row] = 0.0;
    }
    first = hash_with(solver, c);
    c[4 * rows - 1] = c[18 * rows - 1] = -0.0;
    ok(hash_with(solver, c) != first, "... and zeros of the other sign");
    free(c);
    ew_solver_destroy(solver);
}

/* ---- snapshots --------------------------------------------------------------------------------------------------- */

static void check_snapshots(void)
{
    struct base base;
    ew_solver *solver = NULL, *still = NULL, *second = NULL;
    ew_error error;
    uint64_t before, after, kept;
    double dt, middle[2] = {0.3, 0.3}, values[2][4];
    set_base(&base);
    solver = solver_of(NULL, mesh, &base);
    advance(solver, 3);
    ew_solver_hash(solver, &before, &error);
    is_int(ew_solver_snapshot(solver, 0, NULL, &still, &error), EW_OK, "a snapshot is taken");
    ew_solver_sample(solver, 1, 1, 1, middle, 1, values[0], &error);
    advance(solver, 2);
    ew_solver_hash(solver, &after, &error);
    ew_solver_hash(still, &kept, &error);
    ok(kept == before && after != before, "it stands still while the solver goes on");
    is_int(ew_solver_steps(still), 3, "with its step");
    ew_solver_sample(still, 1, 1, 1, middle, 1, values[1], &error);
    ok(memcmp(values[0], values[1], sizeof values[0]) == 0, "its samples are those that the solver had");
    ew_solver_info info, original;
    ew_solver_get_info(still, &info);
    ew_solver_get_info(solver, &original);
    is_str(info.backend, original.backend, "it says what the solver runs on");
    is_str(info.device, original.device, "and where");
    is_int(ew_solver_advance(still, INFINITY, 1, NULL, &error), EW_EINVAL, "it cannot be advanced");
    contains(error.message, "stands still", "a sentence says why");
    is_int(ew_solver_time_step(still, &dt, &error), EW_OK, "it has the last step's length");
    is_int(ew_solver_snapshot(still, 0, NULL, &second, &error), EW_EINVAL, "there is no snapshot of a snapshot");
    is_int(ew_solver_snapshot(solver, 0, NULL, &still, &error), EW_OK, "it is taken again");
    ew_solver_hash(still, &kept, &error);
    ok(kept == after, "and has the present state");
    ew_solver_destroy(still);
    ew_solver_hash(solver, &kept, &error);
    ok(kept == after, "the solver outlives it");
    ew_solver_destroy(solver);
}

/* ---- the state without a copy ------------------------------------------------------------------------------------ */

static bool shows_coefficients(ew_solver *solver, const ew_state_view *view)
{
    size_t count, rows = (size_t)(view->variables * view->basis), width = (size_t)view->width, different = 0;
    double *own = coefficients_of(solver, &count);
    for (size_t e = 0; e < (size_t)view->elements; e++) {
        size_t place = (size_t)view->place[e], base = place / width * rows * width + place % width;
        for (size_t row = 0; row < rows; row++)
            different += memcmp(&own[e * rows + row], &view->coefficients[base + row * width], sizeof *own) != 0;
    }
    free(own);
    return different == 0 && (size_t)view->elements * rows == count;
}

static void check_view(int tile)
{
    struct base base;
    ew_state_view view, again;
    ew_error error;
    set_base(&base);
    base.problem.tile = tile;
    ew_solver *solver = solver_of(NULL, mesh, &base), *still = NULL;
    advance(solver, 3);
    is_int(ew_solver_view_state(solver, &view, &error), EW_OK, "tiles of %d: the state is seen where it is", tile);
    is_int(ew_solver_view_device_state(solver, &again, &(int){0}, &error), EW_EUNAVAILABLE, "... which is no GPU");
    is_int((int)view.tiles, tile < 0 ? 1 : 8, "... in tiles"); /* 60 triangles */
    ok(shows_coefficients(solver, &view), "... it has the coefficients, in places that are told");
    must(ew_solver_snapshot(solver, 0, NULL, &still, &error), &error);
    advance(solver, 1);
    must(ew_solver_view_state(solver, &view, &error), &error);
    must(ew_solver_view_state(still, &again, &error), &error);
    ok(shows_coefficients(solver, &view) && shows_coefficients(still, &again) &&
           view.coefficients != again.coefficients,
       "... also after a step, and in a snapshot");
    ew_solver_destroy(still);
    ew_solver_destroy(solver);
}

int main(void)
{
    make_formulas();
    mesh = rectangle(NULL, 6, 5, false);
    check_callbacks(set_base, "euler");
    check_callbacks(set_advection, "advection");
    check_two_threads();
    check_wrong_arguments();
    check_all_at_once();
    check_plans();
    check_checks_without_memory();
    check_wrong_calls();
    check_no_memory();
    check_memory();
    check_broken_states();
    check_advice();
    check_inflow();
    check_recovery();
    check_logger();
    check_courant();
    check_element_steps();
    check_growth();
    check_lists();
    check_info();
    check_steady();
    check_means();
    check_columns();
    check_hash();
    check_snapshots();
    check_view(0);
    check_view(-1);
    ew_solver_destroy(NULL);
    ew_mesh_destroy(NULL);
    ew_formula_destroy(NULL);
    ew_scope_destroy(NULL);
    ok(true, "destroying nothing is no error");
    ew_mesh_destroy(mesh);
    for (int k = 0; k < FORMULAS; k++)
        ew_formula_destroy(formula[k]);
    return done_testing();
}
