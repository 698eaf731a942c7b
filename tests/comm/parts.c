/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A case that is divided among parts, threads of this process here: its bits are those of one part, whatever the law,
 * the limiter, the boundaries, the backend, the set of kernels and the number of parts and threads.
 *
 * tests/comm/parts runs the CUDA kernels on the host (tests/cuda/fake); tests/comm/parts-gpu (EW_REAL_GPU) on a GPU,
 * which all parts share, and where there is a second one on two.
 */
#include "ewi_backend.h"
#include "fake-cuda.h"
#include "flows.h"
#include "helpers.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *const gas[] = {"1 + 0.2*sin(pi*x)*cos(2*pi*y)", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x) - 0.1*y",
                                  "1 + 0.1*exp(-x^2)"};
static const char *const moving[] = {"1 + 0.2*sin(pi*x + 5*t)*cos(2*pi*y)", "0.4*sin(2*pi*y) + 0.1*cos(9*t)",
                                     "0.3*cos(pi*x) - 0.1*y", "1 + 0.1*exp(-x^2 - t)"};
static const char *const steep[] = {"x < 0.7 ? 1 : 0.1", "0.4*sin(2*pi*y)", "y < 0.5 ? 0.3 : -0.5",
                                    "x < 0.7 ? 1 : 0.1"};
static const char *const wavy[] = {"0.01*sin(9*x)", "1"}; /* normals of a curve near the top */
static const char *const hot[] = {"1.1 + 0.1*sin(20*t)", "0.2", "0"};
static const char *const warm[] = {"1.1", "0.2", "0"};
static const char *const medium[] = {"x < 0.7 ? 1.3 + sin(5*x*y) : 50", "1 + (y < 0.4 ? 0 : 3) + 0.5*sin(x)"};
static const char *const velocity[] = {"1 + 0.5*cos(2*pi*y)", "0.3*sin(pi*x)"};

static const char *const sources[5][4] = {
    [1] = {"0.3*sin(x + 9*t)*a"},
    [3] = {"0.1*sin(x + 9*t)*a", "0.1*y - 0.3*a", "exp(-b)*t"},
    [4] = {"0.1*sin(x + 9*t)*a", "0.1*y - 0.3*a", "a*b", "0.1*cos(20*t)*d + 0.2"},
};

static const struct flow {
    const char *law, *flux, *scheme, *limiter;
    int order;
    bool positive, periodic, moves, uniform_step, steady, local;
} flows[] = {
    {.law = "euler", .flux = "roe", .scheme = "rk4", .order = 1},
    {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 2, .moves = true},
    {.law = "euler", .flux = "hllc", .scheme = "rk4", .order = 3, .periodic = true},
    {.law = "euler", .flux = "roe", .scheme = "ssprk54", .order = 4, .steady = true},
    {.law = "euler", .flux = "llf", .scheme = "ssprk54", .order = 5, .moves = true, .uniform_step = true},
    {.law = "euler", .flux = "hllc", .scheme = "ssprk22", .limiter = "barth-jespersen", .order = 1, .positive = true},
    {.law = "euler", .flux = "roe", .scheme = "rk2", .limiter = "barth-jespersen", .order = 1, .periodic = true},
    {.law = "euler", .flux = "hllc", .scheme = "ssprk33", .limiter = "oscillation-free", .order = 2, .positive = true,
     .moves = true},
    {.law = "euler", .flux = "llf", .scheme = "ssprk54", .limiter = "oscillation-free", .order = 4, .periodic = true},
    {.law = "shallow-water", .flux = "hllc", .scheme = "ssprk33", .order = 3, .positive = true},
    {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 2, .positive = true},
    {.law = "shallow-water", .flux = "roe", .scheme = "ssprk33", .limiter = "oscillation-free", .order = 1},
    {.law = "advection", .flux = "llf", .scheme = "rk4", .order = 2, .periodic = true},
    {.law = "advection", .flux = "llf", .scheme = "rk2", .limiter = "barth-jespersen", .order = 1, .moves = true},
    {.law = "maxwell-tm", .flux = "upwind", .scheme = "rk4", .order = 3},
    {.law = "acoustics", .flux = "upwind", .scheme = "ssprk54", .order = 2, .moves = true},
    {.law = "acoustics-media", .flux = "upwind", .scheme = "rk4", .order = 2, .moves = true},
    {.law = "maxwell-tm-media", .flux = "upwind", .scheme = "ssprk33", .order = 3, .periodic = true},
    {.law = "navier-stokes", .flux = "hllc", .scheme = "ssprk54", .order = 2, .moves = true},
    {.law = "navier-stokes", .flux = "llf", .scheme = "rk4", .order = 3},
    {.law = "euler", .flux = "llf", .scheme = "ssprk32", .limiter = "barth-jespersen", .order = 1, .moves = true},
    {.law = "euler", .flux = "hllc", .scheme = "rk43", .order = 2, .moves = true},
    {.law = "euler", .flux = "hllc", .scheme = "ssprk33", .limiter = "oscillation-free", .order = 3, .local = true},
    {.law = "navier-stokes", .flux = "llf", .scheme = "ssprk32", .order = 1, .local = true},
    {.law = "shallow-water", .flux = "llf", .scheme = "ssprk33", .limiter = "subcell", .order = 1, .moves = true},
    {.law = "euler", .flux = "hllc", .scheme = "rk4", .limiter = "subcell", .order = 2, .positive = true,
     .periodic = true},
    {.law = "euler", .flux = "llf", .scheme = "ssprk33", .limiter = "subcell", .order = 3, .moves = true},
};
static const int divisions[] = {2, 3, 7, 16};
enum { SHORT_MOST = 9 }; /* in place of 16, whose threads mostly wait for each other, but in long checks */
static const struct way {
    const char *backend, *kernels;
    int tile, threads, devices;
    const char *driver; /* of the GPU that is none */
} ways[] = {
    {"omp", "fused", 0, 1, 0, ""},
    {"cuda", "fused", 0, 0, 1, ""},
    {"omp", "fused", 0, 2, 0, ""},
#ifndef EW_REAL_GPU
    {"cuda", "fused", 0, 0, 8, "devices:8"},
    {"cuda", "fused", 0, 0, 2, "devices:2 cuCtxEnablePeerAccess:217"},
#endif
    {"omp", "edgewise", 0, 2, 0, ""},
    {"omp", "edgewise", -1, 1, 0, ""},
    {"cuda", "edgewise", -1, 0, 1, ""},
    {"cuda", "fused", 0, 0, 2, "devices:2"},
    {"cuda", "edgewise", 0, 0, 2, "devices:2"},
};
enum { ON_GPU = 1, ON_TWO_GPUS = COUNT(ways) - 2, BY_PAPER = ON_TWO_GPUS - 3 };
static const int gpus[] = {0, 1, 2, 3, 4, 5, 6, 7};

struct data {
    ew_formula *source, *initial, *given, *field, *normal, *level, *inflow, *wall;
    ew_boundary_curve curve;
    ew_boundary boundary[4];
};

static ew_problem problem_of(const struct flow *flow, const ew_mesh *mesh, struct data *data)
{
    int variables = ew_law_find(flow->law)->variables;
    const char *const *start = flow->limiter ? steep : gas;
    data->wall = NULL;
    data->source = source_formula(variables, sources[variables]);
    data->initial = formula(variables, start);
    data->given = formula(variables, flow->moves ? moving : start);
    data->field = formula(2, ew_law_find(flow->law)->media ? medium : velocity);
    ew_problem problem = {.law = flow->law, .order = flow->order, .flux = flow->flux, .scheme = flow->scheme,
                          .limiter = flow->limiter, .positivity = flow->positive, .cfl = flow->local ? 0.1 : 0.4,
                          .backend = "omp",
                          .uniform_step = flow->uniform_step, .steady = flow->steady ? 1e-9 : 0,
                          .local_step = flow->local, .steady_orders = flow->local ? 12 : 0,
                          .outflow = flow->order % 2 == 0 || flow->positive,
                          .initial.formula = data->initial, .boundary = data->boundary};
    if (flow->order < 4 && !flow->positive && !flow->local)
        problem.source.formula = data->source;
    if (ew_law_find(flow->law)->fields)
        problem.field.formula = data->field;
    problem.boundaries = boundaries(mesh, "state", (ew_data){.formula = data->given}, data->boundary);
    data->curve = (ew_boundary_curve){.kind = EW_CURVE_NORMAL, .normal.formula = data->normal = formula(2, wavy)};
    if (variables > 1 && problem.boundaries > 0)
        data->boundary[2] = (ew_boundary){.name = data->boundary[2].name, .kind = "wall",
                                          .curve = flow->order % 2 ? &data->curve : NULL,
                                          .conservative = flow->order == 5};
    static const ew_parameter viscosity = {.name = "mu", .value = 0.05};
    if (strcmp(flow->law, "navier-stokes") == 0) {
        problem.parameters = 1;
        problem.parameter = &viscosity;
        data->wall = formula(3, flow->local ? warm : hot);
        data->boundary[2] = (ew_boundary){.name = data->boundary[2].name, .kind = "no-slip", .ghost = "isothermal",
                                          .curve = flow->order % 2 ? &data->curve : NULL,
                                          .state.formula = data->wall};
    }
    static const char *const pressure[] = {"1 + 0.1*sin(20*t)"};
    static const char *const mass_flow[] = {"0.3 + 0.1*y", "1 + 0.3*sin(9*t)"};
    bool is_gas = strcmp(flow->law, "euler") == 0, has_inlets = is_gas || strcmp(flow->law, "shallow-water") == 0;
    data->level = formula(1, pressure);
    data->inflow = formula(is_gas ? 2 : 1, mass_flow);
    if (has_inlets && flow->order % 2 == 0 && problem.boundaries == 4) {
        data->boundary[1] =
            (ew_boundary){.name = data->boundary[1].name, .kind = "outlet", .state.formula = data->level};
        data->boundary[3] = (ew_boundary){.name = data->boundary[3].name, .kind = "inlet",
                                          .ghost = is_gas ? "mass-flow" : "discharge",
                                          .state.formula = data->inflow};
    }
    if (variables > 1 && flow->order % 2 == 1 && problem.boundaries > 0)
        data->boundary[0] = (ew_boundary){.name = data->boundary[0].name, .kind = "state",
                                          .state.formula = data->initial, .sponge_width = 0.2};
    return problem;
}

static void free_data(struct data *data)
{
    ew_formula_destroy(data->source);
    ew_formula_destroy(data->initial);
    ew_formula_destroy(data->given);
    ew_formula_destroy(data->field);
    ew_formula_destroy(data->normal);
    ew_formula_destroy(data->level);
    ew_formula_destroy(data->inflow);
    ew_formula_destroy(data->wall);
}

static ew_solver *solver_of(const ew_mesh *mesh, const ew_problem *problem, int parts, int way)
{
    ew_problem here = *problem;
    ew_solver *solver;
    ew_error error;
    here.parts = parts;
    here.devices = ways[way].devices;
    here.device_of_part = gpus;
    setenv("FAKE_CUDA", ways[way].driver, 1);
    here.backend = ways[way].backend;
    here.kernels = ways[way].kernels;
    here.tile = ways[way].tile;
    here.threads = ways[way].threads;
    if (ew_solver_create(NULL, mesh, &here, &solver, &error))
        bail_out("no solver: %s", error.message);
    return solver;
}

/* What the runs are compared by. */
struct end {
    uint64_t hash, outflow;
    double time, change, dt;
    ew_norms norms;
};

static struct end end_of(ew_solver *solver)
{
    struct end end;
    ew_error error;
    memset(&end, 0, sizeof end);
    if (ew_solver_hash(solver, &end.hash, &error) || ew_solver_time_step(solver, &end.dt, &error))
        bail_out("no hash: %s", error.message);
    end.outflow = outflow_hash(solver);
    end.norms = norms_of(solver);
    end.time = ew_solver_time(solver);
    end.change = ew_solver_change(solver);
    return end;
}

static struct end run(const ew_mesh *mesh, const ew_problem *problem, int parts, int way)
{
    ew_solver *solver = solver_of(mesh, problem, parts, way);
    if (!advance(solver, never, 2) || !advance(solver, 2 * ew_solver_time(solver), INT64_MAX))
        bail_out("%d parts do not run", parts);
    struct end end = end_of(solver);
    ew_solver_destroy(solver);
    return end;
}

/* All but the last two, if there is no second GPU. */
static int ways_here(void)
{
#ifdef EW_REAL_GPU
    char text[256];
    bool two = ew_device_describe(1, text, sizeof text) > 0;
#else
    bool two = true;
#endif
    return ON_TWO_GPUS + 2 * two;
}

/* Each number of parts takes turns at the ways to compute. */
static void check_flow(int number)
{
    const struct flow *flow = &flows[number];
    ew_mesh *mesh = box((struct box){.nx = 6, .ny = 5, .width = 2, .height = 1, .jitter = flow->periodic ? 0 : 0.5,
                                     .periodic = flow->periodic});
    struct data data;
    ew_problem problem = problem_of(flow, mesh, &data);
    struct end one = run(mesh, &problem, 1, 0);
    for (int d = 0; d < (int)COUNT(divisions); d++) {
        int parts = divisions[d] > SHORT_MOST && !long_checks() ? SHORT_MOST : divisions[d];
        for (int w = 0; w < ways_here(); w++) {
            bool on_gpu = ways[w].devices > 0;
            bool turn = w == (number + d) % (int)COUNT(ways) || (on_gpu && d == (number + w) % 6);
            if (!turn && !long_checks() && (w != ON_TWO_GPUS || parts != 2))
                continue;
            struct end end = run(mesh, &problem, parts, w);
            ok(memcmp(&end, &one, sizeof end) == 0,
               "%s, %s, %s, p = %d, limiter %s%s%s: %d parts, %s, %s, %d threads, %d GPUs %s",
               flow->law, flow->flux, flow->scheme, flow->order, flow->limiter ? flow->limiter : "none",
               flow->periodic ? ", periodic" : "", flow->moves ? ", boundaries of t" : "", parts,
               ways[w].backend, ways[w].kernels, ways[w].threads, ways[w].devices, ways[w].driver);
        }
    }
    free_data(&data);
    ew_mesh_destroy(mesh);
}

/* Parts of several blocks. Blocks with interface elements run before those without. */
static void check_blocks(void)
{
    static const int number[] = {0, 1, 5, 7, 18, 25};
    for (int k = 0; k < (int)COUNT(number); k++) {
        const struct flow *flow = &flows[number[k]];
        ew_mesh *mesh = box((struct box){.nx = 40, .ny = 16, .width = 2, .height = 1, .jitter = 0.5});
        struct data data;
        ew_problem problem = problem_of(flow, mesh, &data);
        struct end one = run(mesh, &problem, 1, 0);
        for (int w = ON_GPU; w < ways_here(); w += ON_TWO_GPUS - ON_GPU) {
            struct end end = run(mesh, &problem, 2, w);
            ok(memcmp(&end, &one, sizeof end) == 0, "2 parts of several blocks, %s, p = %d, limiter %s, %d GPUs",
               flow->scheme, flow->order, flow->limiter ? flow->limiter : "none", ways[w].devices);
        }
        free_data(&data);
        ew_mesh_destroy(mesh);
    }
}

/* ---- beds -------------------------------------------------------------------------------------------------------- */

/* Water that breaks into a basin with islands, or over ground that stays wet. */
static const char *const flood[] = {"x < 0.7 ? 0.6 : 0", "0", "0", "0.05*sin(19*x) + 0.3*y^2", "0"};
static const char *const surge[] = {"x < 0.7 ? 0.9 : 0.5", "0", "0", "0.05*sin(19*x) + 0.3*y^2", "0"};
static const char *const tide[] = {"-1e300", "0", "0", "0", "0.5 + 0.2*sin(9*t)"};
static const char *const rain[] = {"0.1*x*t", "0", "0", "0", "0"};

static const struct {
    const char *const *start;
    const char *scheme, *limiter;
    int order;
    double steady, manning;
} beds[] = {
    {flood, "ssprk33", NULL, 1, 0, 0},
    {flood, "ssprk22", "oscillation-free", 2, 1e-9, 0.03},
    {surge, "ssprk33", "subcell", 3, 0, 0},
};

static void check_bed(const ew_mesh *mesh, int number)
{
    const ew_parameter parameter[] = {{"manning", beds[number].manning}, {"dry", 1e-6}};
    ew_formula *start = formula(5, beds[number].start), *level = formula(5, tide), *source = formula(5, rain);
    ew_boundary boundary[4];
    ew_problem problem = {.law = "shallow-water-bed", .order = beds[number].order, .scheme = beds[number].scheme,
                          .limiter = beds[number].limiter, .steady = beds[number].steady, .parameters = 2,
                          .parameter = parameter, .initial.formula = start, .source.formula = source,
                          .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){.formula = NULL}, boundary);
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "level", .state.formula = level};
    struct end one = run(mesh, &problem, 1, BY_PAPER);
    for (int w = 0; w < ways_here(); w++) {
        int parts = divisions[(w + number) % 3];
        if (strcmp(ways[w].kernels, "edgewise") != 0)
            continue;
        struct end end = run(mesh, &problem, parts, w);
        ok(memcmp(&end, &one, sizeof end) == 0, "a bed, %s, p = %d, limiter %s: %d parts, %s, %d GPUs",
           beds[number].scheme, problem.order, problem.limiter ? problem.limiter : "none", parts, ways[w].backend,
           ways[w].devices);
    }
    ew_formula_destroy(start);
    ew_formula_destroy(level);
    ew_formula_destroy(source);
}

static void check_beds(void)
{
    ew_mesh *mesh = box((struct box){.nx = 6, .ny = 5, .width = 2, .height = 1, .jitter = 0.5});
    for (int k = 0; k < (int)COUNT(beds); k++)
        check_bed(mesh, k);
    ew_mesh_destroy(mesh);
}

/* ---- what else rank 0 is asked for ------------------------------------------------------------------------------- */

static double *coefficients_of(ew_solver *solver, size_t count, int residual)
{
    double *values = malloc(count * sizeof *values);
    ew_error error;
    if (!values || (residual ? ew_solver_get_residual(solver, values, &error)
                             : ew_solver_get_coefficients(solver, values, &error)))
        bail_out("no coefficients");
    return values;
}

/* Copies the outflow of one solver to another; both have problems that integrate it. */
static bool take_outflow(const ew_mesh *mesh, ew_solver *from, ew_solver *to)
{
    ew_mesh_info info;
    ew_error error;
    ew_mesh_get_info(mesh, &info);
    double *outflow = malloc((size_t)info.boundary_edges * EW_MAX_VARIABLES * sizeof *outflow);
    bool taken = outflow && !ew_solver_get_edge_outflow(from, outflow, &error) &&
                 !ew_solver_set_edge_outflow(to, outflow, &error);
    free(outflow);
    return taken;
}

/* From 3 parts to 5, by the coefficients and the outflow. */
static void check_restart(const ew_mesh *mesh, const ew_problem *problem, size_t count)
{
    ew_solver *one = solver_of(mesh, problem, 1, 0), *three = solver_of(mesh, problem, 3, ON_GPU),
              *five = solver_of(mesh, problem, 5, 0);
    ew_moment moment;
    ew_error error;
    bool runs = advance(one, never, 8) && advance(three, never, 4);
    double *half = coefficients_of(three, count, 0);
    ew_solver_moment(three, &moment);
    ok(runs && !ew_solver_restore(five, problem->order, half, &moment, &error) &&
           (!problem->outflow || take_outflow(mesh, three, five)) && advance(five, never, 4),
       "5 parts go on where 3 have stopped");
    struct end a = end_of(one), b = end_of(five);
    ok(memcmp(&a, &b, sizeof a) == 0, "... to the bits of one");
    double *rhs = coefficients_of(one, count, 1), *same = coefficients_of(five, count, 1);
    ok(memcmp(rhs, same, count * sizeof *rhs) == 0, "... and have its residual");
    if (ways_here() > ON_TWO_GPUS) {
        ew_solver *two = solver_of(mesh, problem, 2, ON_TWO_GPUS);
        bool both = advance(two, never, 8);
        double *too = coefficients_of(two, count, 1);
        ok(both && memcmp(rhs, too, count * sizeof *rhs) == 0, "... as 2 parts on two GPUs do");
        free(too);
        ew_solver_destroy(two);
    }
    free(half);
    free(rhs);
    free(same);
    ew_solver_destroy(one);
    ew_solver_destroy(three);
    ew_solver_destroy(five);
}

/* The output "limiter" needs residual and time step. */
static void check_snapshot(const ew_mesh *mesh, const ew_problem *problem)
{
    static const double centre[2] = {1.0 / 3, 1.0 / 3};
    const ew_law *law = ew_law_find(problem->law);
    int limiter = 0;
    const char *name;
    while ((name = ew_law_output(law, limiter, NULL)) && strcmp(name, "limiter") != 0)
        limiter++;
    size_t elements = (size_t)elements_of(mesh);
    double *value[2];
    for (int k = 0; k < 2; k++) {
        ew_solver *solver = solver_of(mesh, problem, k ? 4 : 1, k), *snapshot = NULL;
        ew_error error;
        value[k] = calloc(elements, sizeof(double));
        if (!advance(solver, never, 4) || ew_solver_snapshot(solver, 1, &limiter, &snapshot, &error) ||
            !advance(solver, never, 2) ||
            ew_solver_sample_outputs(snapshot, 0, (int64_t)elements, 1, centre, 1, &limiter, value[k], &error))
            bail_out("no snapshot");
        ew_solver_destroy(snapshot);
        ew_solver_destroy(solver);
    }
    ok(memcmp(value[0], value[1], elements * sizeof(double)) == 0, "a snapshot of 4 parts has the output limiter");
    free(value[0]);
    free(value[1]);
}

/* ---- what fails -------------------------------------------------------------------------------------------------- */

/* A run until its state breaks, with whose sentence; and the bits after the first step of another one. */
static uint64_t break_once(const ew_mesh *mesh, const ew_problem *problem, int parts, int way, ew_error *error)
{
    ew_solver *solver = solver_of(mesh, problem, parts, way);
    double *start = coefficients_of(solver, (size_t)elements_of(mesh) * 4 * 6, 0);
    uint64_t hash = 0;
    ew_error later = {0};
    is_int(ew_solver_advance(solver, never, 100000, NULL, error), EW_ESTATE, "%d parts: the state breaks", parts);
    if (ew_solver_set_coefficients(solver, start, 0, 0, &later) || !advance(solver, never, 1) ||
        ew_solver_hash(solver, &hash, &later))
        bail_out("%d parts cannot begin again: %s", parts, later.message);
    free(start);
    ew_solver_destroy(solver);
    return hash;
}

static void check_broken(const ew_mesh *mesh, ew_problem problem, const char *what)
{
    ew_error one, four;
    uint64_t hash = break_once(mesh, &problem, 1, 0, &one);
    for (int way = 0; way < ways_here(); way++) {
        uint64_t same = break_once(mesh, &problem, 4, way, &four);
        is_str(four.message, one.message, "... with the sentence of one part, %s, %s: %s", ways[way].backend,
               ways[way].kernels, what);
        ok(same == hash, "... and the bits of one part, once it has begun again");
    }
}

static void refused(const ew_mesh *mesh, const ew_problem *problem, int code, const char *sentence)
{
    ew_solver *solver = NULL;
    ew_error error;
    is_int(ew_solver_create(NULL, mesh, problem, &solver, &error), code, "refused: %s", sentence);
    contains(error.message, sentence, "... with a sentence");
}

static void call_back(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)x, (void)y, (void)t;
    for (size_t k = 0; k < 4 * n; k++)
        values[k] = k / n == 0 || k / n == 3;
}

static void check_refusals(const ew_mesh *mesh, ew_problem problem)
{
    problem.parts = 61;
    refused(mesh, &problem, EW_EINVAL, "there are 61 parts and only 60 elements; take fewer parts");
    problem.parts = -1;
    refused(mesh, &problem, EW_EINVAL, "the number of parts is -1; it must be from 0 to 256");
    problem.parts = 2;
    ew_boundary boundary[4];
    memcpy(boundary, problem.boundary, sizeof boundary);
    boundary[1].state = (ew_data){.callback = call_back, .variables = EW_T};
    problem.boundary = boundary;
    refused(mesh, &problem, EW_EINVAL, "threads of several parts cannot call the host for its state");
}

/* The child has none of the threads of its parent's parts, nor those of OpenMP. */
static void check_fork(const ew_mesh *mesh, const ew_problem *problem)
{
    ew_solver *solver = solver_of(mesh, problem, 3, 0);
    uint64_t hash = 0, expected = 0;
    bool good = advance(solver, never, 3);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        bool same = advance(solver, never, 3) && ew_solver_hash(solver, &hash, NULL) == EW_OK;
        ew_solver_destroy(solver);
        _exit(same ? (int)(hash & 127) : 128);
    }
    int how = -1;
    waitpid(child, &how, 0);
    good = good && advance(solver, never, 3) && ew_solver_hash(solver, &expected, NULL) == EW_OK;
    ok(good && WIFEXITED(how) && WEXITSTATUS(how) == (int)(expected & 127), "parts go on in a child of fork");
    ew_solver_destroy(solver);
}

static void check_rest(void)
{
    ew_mesh *mesh = box((struct box){.nx = 6, .ny = 5, .width = 2, .height = 1, .jitter = 0.5});
    struct data data;
    ew_problem problem = problem_of(&flows[5], mesh, &data);
    check_restart(mesh, &problem, (size_t)elements_of(mesh) * 4 * 3);
    struct data smooth;
    ew_problem third = problem_of(&flows[1], mesh, &smooth);
    check_restart(mesh, &third, (size_t)elements_of(mesh) * 4 * 6);
    free_data(&smooth);
    check_snapshot(mesh, &problem);
    problem.backend = "omp";
    check_fork(mesh, &problem);
    problem.backend = NULL;
    ew_solver *solver = solver_of(mesh, &problem, 4, 0);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    ok(info.parts == 4 && info.cut_edges > 4 && info.cut_edges < 60 && info.imbalance == 0,
       "parts, cut edges and imbalance are told");
    ew_solver_destroy(solver);
    check_refusals(mesh, problem);
    free_data(&data);

    const struct flow unstable = {.law = "euler", .flux = "llf", .scheme = "rk4", .order = 2};
    problem = problem_of(&unstable, mesh, &data);
    problem.cfl = 2.5;
    check_broken(mesh, problem, "an unstable step");
    free_data(&data);
    static const char *const vacuum[] = {"1 - 40*t*(x > 1)", "0", "0", "1"};
    problem = problem_of(&unstable, mesh, &data);
    ew_formula *bad = formula(4, vacuum);
    data.boundary[0].state.formula = bad;
    check_broken(mesh, problem, "a boundary's state");
    ew_formula_destroy(bad);
    free_data(&data);
    ew_mesh_destroy(mesh);
}

/* A GPU that fails while others compute: all end, with its sentence; whatever is asked for then is refused. */
static void check_failure(void)
{
#ifndef EW_REAL_GPU
    static const char *const failures[] = {"cuLaunchKernel:700@2 only:1", "cuMemcpyDtoHAsync_v2:700@3 only:1",
                                           "cuStreamSynchronize:700@3 only:1", "cuMemcpyHtoDAsync_v2:700@1 only:1",
                                           "cuGraphLaunch:700@2 only:1"};
    static const char *const through[] = {"cuLaunchKernel:700@200 only:1", "cuMemcpyDtoHAsync_v2:700@150 only:1",
                                          "cuStreamSynchronize:700@300 only:1", "cuMemcpyHtoDAsync_v2:700@200 only:1"};
    const struct flow flow = {.law = "euler", .flux = "llf", .scheme = "ssprk33", .limiter = "barth-jespersen",
                              .order = 1};
    ew_mesh *mesh = box((struct box){.nx = 6, .ny = 5, .width = 2, .height = 1, .jitter = 0.5});
    struct data data;
    ew_problem problem = problem_of(&flow, mesh, &data);
    problem.backend = "cuda";
    problem.parts = problem.devices = 3;
    problem.device_of_part = gpus;
    for (int k = 0; k < (int)(COUNT(failures) + COUNT(through)); k++) {
        bool directly = k < (int)COUNT(failures);
        problem.kernels = k % 2 && !directly ? "edgewise" : NULL;
        const char *failure = directly ? failures[k] : through[k - (int)COUNT(failures)];
        char rule[96];
        ew_solver *solver;
        ew_error error;
        ew_moment moment;
        setenv("FAKE_CUDA", directly ? "devices:3" : "devices:3 cuCtxEnablePeerAccess:217", 1);
        if (ew_solver_create(NULL, mesh, &problem, &solver, &error))
            bail_out("no solver: %s", error.message);
        snprintf(rule, sizeof rule, "devices:3 %s", failure);
        setenv("FAKE_CUDA", rule, 1);
        is_int(ew_solver_advance(solver, never, 100000, NULL, &error), EW_EDEVICE, "a GPU fails, %s: %s",
               directly ? "others wait on theirs" : "others wait on the host", failure);
        contains(error.message, "part 1: GPU 1 (no GPU at all) failed", "... and says so");
        is_int(ew_solver_advance(solver, never, 1, NULL, &error), EW_EDEVICE, "... once more");
        ew_solver_moment(solver, &moment);
        ew_solver_destroy(solver);
    }
    unsetenv("FAKE_CUDA");
    free_data(&data);
    ew_mesh_destroy(mesh);
#endif
}

static void check_gpu_refusals(void)
{
    ew_mesh *mesh = box((struct box){.nx = 6, .ny = 5, .width = 2, .height = 1});
    struct data data;
    ew_problem problem = problem_of(&flows[0], mesh, &data);
    problem.backend = "cuda";
    problem.parts = 9;
    refused(mesh, &problem, EW_EUNAVAILABLE, "9 parts need a GPU each, and there is no number 8");
    free_data(&data);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    for (int k = 0; k < (int)COUNT(flows); k++)
        check_flow(k);
    check_blocks();
    check_beds();
    check_rest();
    check_failure();
    check_gpu_refusals();
    return done_testing();
}
