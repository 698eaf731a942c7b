/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sources by formulas: manufactured solutions of all laws at the design order, an atmosphere at rest, the sentences on
 * sources that are not finite, and the warning of stiff ones.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- manufactured solutions ---- */

/*
 * Waves W(phase), phase = k (x + y - t): d/dt + d/dx F + d/dy G = k d/dphase (F + G - U). Each source also draws the
 * state to the exact one, which that does not notice. Definitions, primitive variables, sources.
 */
static const struct flow {
    const char *law, *flux, *velocity, *kind;
    const char *let[24][2];
    const char *exact[4], *source[4];
} flows[] = {
    {.law = "euler", .flux = "hllc", .kind = "far",
     .let = {{"s", "sin(k*(x + y - t))"}, {"c", "cos(k*(x + y - t))"},
             {"R", "1 + 0.2*s"}, {"R1", "0.2*c"}, {"U", "0.3 + 0.1*c"}, {"U1", "-0.1*s"},
             {"V", "0.2 - 0.1*s"}, {"V1", "-0.1*c"}, {"P", "1 + 0.1*s"}, {"P1", "0.1*c"},
             {"W", "U + V - 1"}, {"W1", "U1 + V1"}, {"M1", "R1*W + R*W1"},
             {"H", "P/0.4 + R*(U^2 + V^2)/2"}, {"H1", "P1/0.4 + R1*(U^2 + V^2)/2 + R*(U*U1 + V*V1)"}},
     .exact = {"R", "U", "V", "P"},
     .source = {"k*M1 - (rho - R)", "k*(M1*U + R*W*U1 + P1) - (u - U)", "k*(M1*V + R*W*V1 + P1) - rho*(v - V)",
                "k*(H1*W + H*W1 + P1*(U + V) + P*W1) - (p - P)"}},
    {.law = "shallow-water", .flux = "hllc", .kind = "far",
     .let = {{"s", "sin(k*(x + y - t))"}, {"c", "cos(k*(x + y - t))"}, {"G", "9.81"},
             {"D", "1 + 0.1*s"}, {"D1", "0.1*c"}, {"U", "0.3 + 0.1*c"}, {"U1", "-0.1*s"}, {"V", "0.2 - 0.1*s"},
             {"V1", "-0.1*c"}, {"W", "U + V - 1"}, {"M1", "D1*W + D*(U1 + V1)"}},
     .exact = {"D", "U", "V"},
     .source = {"k*M1 - (h - D)", "k*(M1*U + D*W*U1 + G*D*D1) - h*(u - U)", "k*(M1*V + D*W*V1 + G*D*D1) - (v - V)"}},
    {.law = "acoustics", .flux = "upwind", .kind = "far",
     .let = {{"s", "sin(k*(x + y - t))"}, {"c", "cos(k*(x + y - t))"}},
     .exact = {"s", "0.5*c", "1 - 0.3*s"},
     .source = {"k*(-c - 0.5*s - 0.3*c) - 3*(p - s)", "k*(0.5*s + c) - (u - 0.5*c)",
                "k*(0.3*c + c) - (v - 1 + 0.3*s)"}},
    {.law = "maxwell-tm", .flux = "upwind", .kind = "far",
     .let = {{"s", "sin(k*(x + y - t))"}, {"c", "cos(k*(x + y - t))"}},
     .exact = {"s", "0.5*c", "1 - 0.3*s"},
     .source = {"k*(-c - 0.3*c) - 3*(H_x - s)", "k*(0.5*s + 0.3*c)", "k*(0.3*c + 0.5*s + c) - (E_z - 1 + 0.3*s)"}},
    {.law = "advection", .flux = "llf", .velocity = "0.5 + 0.3*sin(k*y);0.2*cos(k*x)", .kind = "state",
     .let = {{"s", "sin(k*(x + y - t))"}, {"c", "cos(k*(x + y - t))"}},
     .exact = {"s"},
     .source = {"k*c*(0.5 + 0.3*sin(k*y) + 0.2*cos(k*x) - 1) - 2*(u - s)"}},
};

struct made {
    ew_formula *exact, *source, *velocity;
};

static struct made make(const struct flow *flow, double k)
{
    const ew_law *law = ew_law_find(flow->law);
    ew_scope *scope, *with_state;
    ew_error error;
    struct made made = {0};
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_set(scope, "k", k, &error), &error);
    for (int n = 0; flow->let[n][0]; n++)
        must(ew_scope_define(scope, flow->let[n][0], flow->let[n][1], &error), &error);
    must(ew_scope_with_state(scope, law->variables, law->primitive, &with_state, &error), &error);
    must(ew_formula_create(scope, law->variables, flow->exact, &made.exact, &error), &error);
    must(ew_formula_create(with_state, law->variables, flow->source, &made.source, &error), &error);
    if (flow->velocity) {
        char first[64], *second;
        snprintf(first, sizeof first, "%s", flow->velocity);
        second = strchr(first, ';');
        *second++ = '\0';
        must(ew_formula_create(scope, 2, (const char *const[]){first, second}, &made.velocity, &error), &error);
    }
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
    return made;
}

static void destroy(struct made *made)
{
    ew_formula_destroy(made->exact);
    ew_formula_destroy(made->source);
    ew_formula_destroy(made->velocity);
}

/* A unit square of n by n cells, with four boundaries or periodic. */
static ew_mesh *square(int n, bool periodic)
{
    static const ew_periodic pairs[2] = {{.first = "left", .second = "right", .dx = 1.0},
                                         {.first = "bottom", .second = "top", .dy = 1.0}};
    ew_rectangle rectangle = {.x1 = 1.0, .y1 = 1.0, .nx = n, .ny = n, .jitter = 0.2, .seed = 3,
                              .periodics = periodic ? 2 : 0, .periodic = pairs};
    return mesh_of_rectangle(rectangle);
}

/* The L2 error of all variables. */
static double error_of(const struct flow *flow, int order, int n, bool periodic)
{
    const ew_law *law = ew_law_find(flow->law);
    struct made made = make(flow, periodic ? 6.28318530717958648 : 2.0);
    ew_data exact = {.formula = made.exact};
    const ew_boundary boundary[] = {{.name = "bottom", .kind = "state", .state = exact},
                                    {.name = "right", .kind = flow->kind, .state = exact},
                                    {.name = "top", .kind = flow->kind, .state = exact},
                                    {.name = "left", .kind = flow->kind, .state = exact}};
    ew_problem problem = {.law = flow->law, .flux = flow->flux, .order = order, .scheme = "rk4",
                          .cfl = order < 5 ? 0.4 : 0.1, /* rk4 loses an order at boundaries that depend on t */
                          .field.formula = made.velocity, .initial = exact, .exact = exact,
                          .source.formula = made.source, .boundaries = periodic ? 0 : 4, .boundary = boundary,
                          .backend = "omp", .threads = 1};
    ew_mesh *mesh = square(n, periodic);
    ew_solver *solver;
    ew_norms norms;
    ew_error error;
    double sum = 0.0;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, 0.2, INT64_MAX, NULL, &error), &error);
    must(ew_solver_norms(solver, &norms, &error), &error);
    for (int m = 0; m < law->variables; m++)
        sum += norms.error_l2[m] * norms.error_l2[m];
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    destroy(&made);
    return sqrt(sum);
}

static void check_rate(const struct flow *flow, int order, bool periodic)
{
    int coarse = order < 3 ? 8 : order < 5 ? 6 : 5;
    double first = error_of(flow, order, coarse, periodic), second = error_of(flow, order, 2 * coarse, periodic);
    double rate = log2(first / second);
    ok(rate > order + 0.6 && rate < order + 1.8,
       "%s, order %d%s: a manufactured solution converges at the design order", flow->law, order,
       periodic ? ", periodic" : "");
    diag("%s, order %d%s: errors %.3e and %.3e, rate %.2f", flow->law, order, periodic ? ", periodic" : "", first,
         second, rate);
}

static void check_manufactured(void)
{
    for (int k = 0; k < COUNT(flows); k++)
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            if (!long_checks() && order != 2 && order != 3)
                continue;
            check_rate(&flows[k], order, order % 2 == 0);
            if (long_checks())
                check_rate(&flows[k], order, order % 2 == 1);
        }
}

/* ---- gravity ---- */

/* An isothermal atmosphere between walls: at rest up to the error of the scheme, also after several sound crossings. */
static void check_atmosphere(void)
{
    static const char *const rest[] = {"exp(-y)", "0", "0", "exp(-y)"}, *const gravity[] = {"0", "0", "-rho", "-rho*v"};
    static const char *const names[] = {"bottom", "right", "top", "left"};
    const ew_law *law = ew_law_find("euler");
    ew_boundary boundary[4];
    ew_scope *scope, *with_state;
    ew_formula *initial, *source;
    ew_solver *solver;
    ew_norms norms;
    ew_error error;
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){.name = names[k], .kind = "wall"};
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_with_state(scope, 4, law->primitive, &with_state, &error), &error);
    must(ew_formula_create(scope, 4, rest, &initial, &error), &error);
    must(ew_formula_create(with_state, 4, gravity, &source, &error), &error);
    ew_data state = {.formula = initial};
    ew_problem problem = {.law = "euler", .flux = "hllc", .order = 4, .initial = state, .exact = state,
                          .source.formula = source, .boundaries = 4, .boundary = boundary, .threads = 1};
    ew_mesh *mesh = square(4, false);
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, 2.0, INT64_MAX, NULL, &error), &error);
    must(ew_solver_norms(solver, &norms, &error), &error);
    ok(norms.error_l2[0] < 1e-6 && norms.error_l2[2] < 1e-6,
       "gravity: an atmosphere in equilibrium stays at rest, by hllc at order 4 on 64 triangles");
    diag("errors of density and momentum: %.2e and %.2e", norms.error_l2[0], norms.error_l2[2]);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(initial);
    ew_formula_destroy(source);
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
}

/* ---- what is wrong ---- */

struct told {
    char member[32], variable[32], sentence[640];
};

static void tell(void *context, const ew_place *place, const char *sentence)
{
    struct told *told = context;
    snprintf(told->member, sizeof told->member, "%s", place->member ? place->member : "");
    snprintf(told->variable, sizeof told->variable, "%s", place->variable ? place->variable : "");
    snprintf(told->sentence, sizeof told->sentence, "%s", sentence);
}

static void warn(void *context, int level, const char *sentence)
{
    struct told *told = context;
    if (level == EW_LOG_WARNING)
        snprintf(told->sentence, sizeof told->sentence, "%s", sentence);
}

/* A formula of p, u, v. */
static ew_formula *of_state(const char *name, int outputs, const char *const *texts)
{
    const ew_law *law = ew_law_find(name);
    ew_scope *scope, *with_state;
    ew_formula *formula;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_with_state(scope, law->variables, law->primitive, &with_state, &error), &error);
    must(ew_formula_create(with_state, outputs, texts, &formula, &error), &error);
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
    return formula;
}

static void zero(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)x, (void)y, (void)t;
    memset(values, 0, 3 * n * sizeof *values);
}

static void check_sentences(void)
{
    static const char *const three[] = {"0", "0", "0"};
    ew_formula *rest = formula_from("0;0;0"), *two = of_state("acoustics", 2, three),
               *bad = of_state("acoustics", 3, (const char *const[]){"0", "1/(x - x)", "0"}),
               *state = of_state("acoustics", 3, (const char *const[]){"p", "u", "v"}),
               *far = of_state("euler", 3, (const char *const[]){"0", "0", "p"});
    struct told told = {.member = ""};
    ew_problem problem = {.law = "acoustics", .flux = "upwind", .order = 2, .initial.formula = rest, .threads = 1,
                          .report = tell, .report_context = &told};
    ew_mesh *mesh = square(2, true);
    ew_error error;
    problem.source.formula = two;
    is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL, "a source has one formula per variable");
    is_str(told.sentence, "the source has 2 formulas; it must have 3", "... as a sentence says");
    problem.source = (ew_data){.callback = zero};
    is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL, "a source cannot be a callback");
    is_str(told.sentence, "the source is a callback; it must be a formula", "... as a sentence says");
    problem.source = (ew_data){.formula = far};
    is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL, "a source of a larger state is refused");
    is_str(told.sentence, "the source uses variable 4 of the local state; the law has 3", "... as a sentence says");
    problem.source = (ew_data){.formula = bad};
    is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL, "a source that is infinite is refused");
    ok(strcmp(told.member, "source") == 0 && strcmp(told.variable, "rho0_u") == 0 &&
           strstr(told.sentence, "the source of rho0_u is inf at (") == told.sentence && strstr(told.sentence, "t = 0"),
       "... with its variable, place and time");
    diag("%s", told.sentence);
    problem.source = (ew_data){0};
    problem.initial.formula = state;
    is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL,
           "an initial state must not depend on the local state");
    contains(error.message, "the initial state depends on the local state; only a source may",
             "... as a sentence says");
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(two);
    ew_formula_destroy(bad);
    ew_formula_destroy(state);
    ew_formula_destroy(far);
}

/* In a run, on both sets. */
static void check_broken_run(const char *kernels)
{
    static const char *const texts[] = {"t > 0.1 && x > 0.5 ? 1/(y - y) : x", "-u", "0"};
    ew_formula *rest = formula_from("0;0;0"), *source = of_state("acoustics", 3, texts);
    ew_problem problem = {.law = "acoustics", .flux = "upwind", .order = 2, .initial.formula = rest, .threads = 1,
                          .source.formula = source, .backend = "omp", .kernels = kernels};
    ew_mesh *mesh = square(4, true);
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    is_int(ew_solver_advance(solver, 1.0, INT64_MAX, NULL, &error), EW_ESTATE, "%s: a source breaks a state", kernels);
    ok(strstr(error.message, "the source of rho is inf at (0.7") && strstr(error.message, "the run stopped in step"),
       "%s: ... and the error names it", kernels);
    diag("%s", error.message);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(source);
}

/* The rate of p is 1e9 with the parameter of u's unit, which does not count; that of u does. */
static bool warns(double rate, double *limit)
{
    char damping[32], coupling[32] = "1e9*u";
    struct told told = {.member = ""};
    ew_host host = {.log = warn, .context = &told};
    snprintf(damping, sizeof damping, "%.17g*u", -rate);
    ew_formula *rest = formula_from("1;0;0"),
               *source = of_state("acoustics", 3, (const char *const[]){coupling, damping, "0"});
    ew_problem problem = {.law = "acoustics", .flux = "upwind", .order = 2, .initial.formula = rest, .threads = 1,
                          .source.formula = source, .backend = "omp"};
    ew_mesh *mesh = square(4, true);
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(&host, mesh, &problem, &solver, &error), &error);
    must(ew_solver_time_step(solver, limit, &error), &error);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(source);
    if (told.sentence[0])
        diag("%s", told.sentence);
    return strstr(told.sentence, "the source is stiff") != NULL;
}

static void check_stiffness(void)
{
    double dt;
    ok(!warns(1.0, &dt), "a source that is slow against the steps gets no warning, whatever the units");
    ok(!warns(0.9 / dt, &dt), "... nor one that changes the state by nine tenths in a step");
    ok(warns(1.1 / dt, &dt), "... but one that changes it by more");
}

int main(void)
{
    check_sentences();
    check_broken_run("edgewise");
    check_broken_run("fused");
    check_stiffness();
    check_atmosphere();
    if (!getenv("EW_NO_CONVERGENCE"))
        check_manufactured();
    return done_testing();
}
