/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same bits: from every backend, instruction level, kernel set, tile width and number of threads, however a run is
 * divided, and with a restart in the middle. Threads are paired with laws, fluxes, schemes, orders and meshes by Latin
 * squares.
 *
 * tests/src/parity runs the CUDA kernels on the host (tests/cuda/fake); tests/src/parity-gpu (EW_REAL_GPU) on a GPU,
 * with each image that the build has.
 */
#include "edgewise.h"
#include "ewi_backend.h"
#include "ewi_images.h"
#include "ewi_omp.h"
#include "ewi_cuda.h"
#include "ewi_host.h"
#include "fake-cuda.h"
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20261121u

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

enum formula {
    EULER, STEADY, MOVING, FAR, NORMAL, SCALAR, SCALAR_MOVING, VELOCITY, THREE, THREE_STEADY, THREE_MOVING, THREE_FAR,
    STEEP, THREE_STEEP, STILL, FAST, THREE_FAST, WAVY, OUTLET, TOTAL, MASS_FLOW, DISCHARGE, MEDIUM, ADIABATIC,
    ISOTHERMAL, FORMULAS
};

/* Smooth, periodic on all meshes below (2 by 1), subsonic; the flow leaves and enters on every side. */
static const struct {
    int outputs;
    const char *text[4];
} formulas[FORMULAS] = {
    [EULER] = {4,
               {"1 + 0.2*sin(pi*x)*cos(2*pi*y)", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x) - 0.1*sin(2*pi*y)",
                "1 + 0.1*cos(pi*x + 2*pi*y)"}},
    [STEADY] = {4, {"1.1 + 0.1*x", "0.2", "0.1 + 0.05*x", "1.05"}},
    [MOVING] = {4, {"1 + 0.1*sin(20*t + x)", "0.1", "0.2*cos(10*t)", "1 + 0.2*t"}},
    [FAR] = {4, {"0.9", "0.3*sin(7*y)", "0.1", "1"}},
    [NORMAL] = {2, {"0.2*sin(3*x)", "1"}},
    [SCALAR] = {1, {"1 + 0.5*sin(pi*x)*sin(2*pi*y)"}},
    [SCALAR_MOVING] = {1, {"1 + 0.3*sin(15*t + x)"}},
    [VELOCITY] = {2, {"1 + 0.5*cos(2*pi*y)", "0.3*sin(pi*x)"}},
    [THREE] = {3, {"1 + 0.2*sin(pi*x)*cos(2*pi*y)", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x) - 0.1*sin(2*pi*y)"}},
    [THREE_STEADY] = {3, {"1.1 + 0.1*x", "0.2", "0.1 + 0.05*x"}},
    [THREE_MOVING] = {3, {"1 + 0.1*sin(20*t + x)", "0.1", "0.2*cos(10*t)"}},
    /* Nearly nothing beside something: polynomials that are negative somewhere. */
    [STEEP] = {4,
               {"x < 1 ? 1 : 1e-2", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x)", "y < 0.4 ? 1 : 1e-2"}},
    [THREE_STEEP] = {3, {"x + y < 1 ? 1 : 1e-2", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x) - 0.1*sin(2*pi*y)"}},
    /* Gas at rest in a half: all means are equal there, and slopes are rounding errors. */
    [STILL] = {4, {"x < 1 ? 1.4 : 1 + 0.3*sin(9*x*y)", "0", "0", "1"}},
    /* Faster than any mean. */
    [FAST] = {4, {"1 + 0.1*sin(20*t + x)", "0.1", "5 + 20*t - x", "1 + 0.2*t"}},
    [THREE_FAST] = {3, {"1 + 0.1*sin(20*t + x)", "0.1", "5 + 20*t - x"}},
    [WAVY] = {1, {"y - 1 - 1e-5*sin(9*x)"}}, /* a curve near the top */
    [MEDIUM] = {2, {"x < 1 ? 1.3 + sin(5*x*y) : 50", "1 + (y < 0.4 ? 0 : 3) + 0.5*sin(x)"}},
    [ADIABATIC] = {2, {"0.1*sin(20*t) + 0.1*x", "9e-5*cos(9*x)*(0.1*sin(20*t) + 0.1*x)"}}, /* along WAVY */
    [ISOTHERMAL] = {3, {"1.1 + 0.1*x*sin(10*t)", "0.2", "0"}},
    [OUTLET] = {1, {"1 + 0.1*sin(20*t) + 0.05*y"}},
    [TOTAL] = {4, {"1.3", "1.1", "0.9", "0.3*y"}},
    [DISCHARGE] = {1, {"0.5 + 0.3*y*sin(10*t)"}},
    [MASS_FLOW] = {2, {"0.3*y", "1 + 0.2*sin(10*t)"}},
    [THREE_FAR] = {3, {"0.9", "0.3*sin(7*y)", "0.1"}},
};

static ew_formula *formula[FORMULAS];

static void make_formulas(void)
{
    ew_scope *scope;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    for (int k = 0; k < FORMULAS; k++)
        must(ew_formula_create(scope, formulas[k].outputs, formulas[k].text, &formula[k], &error), &error);
    ew_scope_destroy(scope);
}

/* A raster without and one with times, for sources. */
static const double raster_x[] = {-3, 0, 2, 5}, raster_y[] = {-3, 1, 4}, raster_t[] = {0, 0.01},
                    raster_values[24] = {.3, .1, .7, .2, .9, .4, .6, .8, .5, .3, .2, .1,
                                         .2, .5, .3, .9, .1, .8, .4, .6, .7, .2, .5, .3};
static const ew_raster_data hill = {.columns = 4, .rows = 3, .x = raster_x, .y = raster_y, .values = raster_values},
                            rain = {.columns = 4, .rows = 3, .times = 2, .x = raster_x, .y = raster_y, .t = raster_t,
                                    .values = raster_values};

/* Sources for laws of one, three and four variables; a, b, c and d are the primitive variables. */
static const struct {
    int variables;
    const char *text[4];
} sources[] = {
    {1, {"0.3*sin(x + 9*t)*a + exp(-y)"}},
    {3, {"0.1*sin(x + 9*t)*a", "0.1*y - 0.3*a", "exp(-b)*t + 0.1*raster('rain', x, y, t, 'clamp')"}},
    {4, {"0.1*sin(x + 9*t)*a + 0.01*raster('rain', x, y, t, 'clamp', 'nearest')",
         "0.1*y - raster('hill', x, y, 'clamp')*a", "a*b*exp(-c) + max(a, d)^3*0.01",
         "0.5*cos(20*t)*d + (x < 1 ? 1 : 0)"}},
};

static ew_formula *source_formula[COUNT(sources)];

static void make_sources(void)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    ew_scope *scope, *with_state;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_add_raster(scope, "hill", NULL, &hill, &error), &error);
    must(ew_scope_add_raster(scope, "rain", NULL, &rain, &error), &error);
    for (int k = 0; k < COUNT(sources); k++) {
        must(ew_scope_with_state(scope, sources[k].variables, names, &with_state, &error), &error);
        must(ew_formula_create(with_state, sources[k].variables, sources[k].text, &source_formula[k], &error), &error);
        ew_scope_destroy(with_state);
    }
    ew_scope_destroy(scope);
}

static ew_data source_for(const char *law)
{
    int k = 0;
    while (sources[k].variables != ew_law_find(law)->variables)
        k++;
    return (ew_data){.formula = source_formula[k]};
}

static ew_data data_of(enum formula k)
{
    return (ew_data){.formula = formula[k]};
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

enum shape {
    ALL_KINDS, MANY_TILES, PERIODIC_X, PERIODIC_XY, FOUR_ELEMENTS, ROTATED, FOUR_TILES = ROTATED, MIDDLE, THIN, SHAPES
};

static const struct {
    const char *name;
    int nx, ny, periodics;
} shapes[SHAPES] = {
    [ALL_KINDS] = {"154 elements, all kinds of boundaries", 7, 11, 0},
    [MANY_TILES] = {"646 elements, all kinds of boundaries", 17, 19, 0},
    [PERIODIC_X] = {"162 elements, periodic in x", 9, 9, 1},
    [PERIODIC_XY] = {"140 elements, periodic in x and y", 7, 10, 2},
    [FOUR_ELEMENTS] = {"4 elements, all kinds of boundaries", 2, 1, 0},
    /*
     * A tile borders on several others; too large for the variant that p = 1 has for small meshes, and fits the other
     * one (ewi_fused.h).
     */
#ifdef EW_REAL_GPU
    [FOUR_TILES] = {"71,442 elements, periodic in x and y", 189, 189, 2},
    [MIDDLE] = {"98,568 elements, periodic in x", 222, 222, 1},
    [THIN] = {"80,000 thin elements, all kinds of boundaries", 8, 5000, 0},
#else
    [FOUR_TILES] = {"1,152 elements, periodic in x and y", 24, 24, 2},
    [MIDDLE] = {"1,352 elements, periodic in x", 26, 26, 1},
    /* An element has few neighbours in its block, so that the halo is more than there is room for. */
    [THIN] = {"1,800 thin elements, all kinds of boundaries", 3, 300, 0},
#endif
};

static ew_mesh *mesh[SHAPES];

static void make_meshes(void)
{
    static const ew_side_part bottom[] = {{"steady", 0, 1}, {"moving", 1, 2}},
                              top[] = {{"mirror", 0, 1}, {"tangential", 1, 2}};
    static const ew_side_part right[] = {{"copy", 0, 0.5}, {"outlet", 0.5, 1}};
    static const ew_side_part left[] = {{"far", 0, 0.4}, {"total", 0.4, 0.7}, {"mass-flow", 0.7, 1}};
    static const ew_side_part whole_right[] = {{"copy", 0, 1}}, whole_left[] = {{"far", 0, 1}};
    static const ew_side_part low[] = {{"low", 0, 2}}, high[] = {{"high", 0, 2}};
    const ew_periodic pairs[] = {{.first = "far", .second = "copy", .automatic = 1},
                                 {.first = "low", .second = "high", .dy = 1}};
    for (int k = 0; k < SHAPES; k++) {
        bool low_high = shapes[k].periodics == 2, whole = shapes[k].periodics > 0 || shapes[k].ny == 1;
        const ew_rectangle rectangle = {
            .x1 = 2, .y1 = 1, .nx = shapes[k].nx, .ny = shapes[k].ny, .jitter = 0.6, .seed = SEED + (unsigned)k,
            .side = {{low_high ? 1 : 2, low_high ? low : bottom},
                     {whole ? 1 : 2, whole ? whole_right : right}, {low_high ? 1 : 2, low_high ? high : top},
                     {whole ? 1 : 3, whole ? whole_left : left}},
            .periodics = shapes[k].periodics, .periodic = pairs,
        };
        ew_error error;
        must(ew_mesh_rectangle(NULL, &rectangle, &mesh[k], &error), &error);
    }
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

struct setup {
    const char *law, *flux, *scheme;
    int order;
    bool limited;
    enum shape shape;
    double steady;
    const char *limiter;
    bool positivity, steep, still;
    bool uniform_step, source;
    enum { SLOW, BY_FORMULA, BY_CALLBACK } fast; /* the state of a boundary, which time steps follow */
};

static void from_callback(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    ew_formula_evaluate(context, n, x, y, t, values, n);
}

/* Which formulas a law's states are. */
static const struct states {
    int variables;
    enum formula initial, steady, moving, far, steep;
} states[] = {{4, EULER, STEADY, MOVING, FAR, STEEP},
              {1, SCALAR, SCALAR, SCALAR_MOVING, SCALAR, SCALAR},
              {3, THREE, THREE_STEADY, THREE_MOVING, THREE_FAR, THREE_STEEP}};

static const struct states *states_of(const char *law)
{
    int k = 0;
    while (states[k].variables != ew_law_find(law)->variables)
        k++;
    return &states[k];
}

static ew_boundary_curve wavy = {.kind = EW_CURVE_LEVEL};

static bool is_light(const char *law)
{
    return strncmp(law, "maxwell-tm", strlen("maxwell-tm")) == 0;
}

/* Can have conservative walls. */
static bool is_mean_flow(const struct setup *setup)
{
    return !is_light(setup->law) &&
           (strcmp(setup->flux, "llf") == 0 || strcmp(setup->flux, "upwind") == 0);
}

static bool has_ghost(const char *law, const char *kind, const char *ghost)
{
    ew_boundary_kind row;
    bool found = false;
    for (int k = 0; ew_law_boundary(ew_law_find(law), k, &row); k++)
        found = found || (strcmp(row.kind, kind) == 0 && (!ghost || (row.ghost && strcmp(row.ghost, ghost) == 0)));
    return found;
}

/* At orders 3 and 5 along "steady", at 2 and 5 along "far"; at order 1 along that, too, where states are steep. */
static double sponge_width_for(const char *name, const struct setup *setup)
{
    int order = setup->order;
    bool is_steady = strcmp(name, "steady") == 0;
    bool has_sponge = order == 5 || order == (is_steady ? 3 : 2) || (!is_steady && order == 1 && setup->steep);
    return has_sponge ? 0.3 : 0.0;
}

static ew_boundary boundary_for(const char *name, const struct setup *setup)
{
    bool curved = setup->order % 2;
    wavy.level = data_of(WAVY);
    const char *law = setup->law;
    ew_formula *fast = formula[ew_law_find(law)->variables == 4 ? FAST : THREE_FAST];
    if (strcmp(name, "steady") == 0)
        return (ew_boundary){.name = name, .kind = "state", .state = data_of(states_of(law)->steady),
                             .sponge_width = sponge_width_for(name, setup)};
    if (strcmp(name, "moving") == 0 && setup->fast == BY_FORMULA)
        return (ew_boundary){.name = name, .kind = "state", .state.formula = fast};
    if (strcmp(name, "moving") == 0 && setup->fast == BY_CALLBACK)
        return (ew_boundary){.name = name, .kind = "state", .state = {.callback = from_callback, .context = fast,
                             .variables = EW_X | EW_T}};
    if (strcmp(name, "moving") == 0)
        return (ew_boundary){.name = name, .kind = "state", .state = data_of(states_of(law)->moving)};
    if (ew_law_find(law)->variables == 1 || strcmp(name, "copy") == 0)
        return (ew_boundary){.name = name, .kind = "copy"};
    if (strcmp(name, "outlet") == 0 && has_ghost(law, name, NULL))
        return (ew_boundary){.name = name, .kind = name, .state = data_of(OUTLET)};
    if (strcmp(name, "total") == 0 && has_ghost(law, "inlet", "discharge"))
        return (ew_boundary){.name = name, .kind = "inlet", .state = data_of(DISCHARGE)};
    if (strcmp(name, "total") == 0 && has_ghost(law, "inlet", name))
        return (ew_boundary){.name = name, .kind = "inlet", .state = data_of(TOTAL)};
    if (strcmp(name, "mass-flow") == 0 && has_ghost(law, "inlet", name) && setup->fast == BY_CALLBACK)
        return (ew_boundary){.name = name, .kind = "inlet", .ghost = name, .state = {.callback = from_callback,
                             .context = formula[MASS_FLOW], .variables = EW_X | EW_Y | EW_T}};
    if (strcmp(name, "mass-flow") == 0 && has_ghost(law, "inlet", name))
        return (ew_boundary){.name = name, .kind = "inlet", .ghost = name, .state = data_of(MASS_FLOW)};
    if (strcmp(name, "far") == 0 || strcmp(name, "outlet") == 0 || strcmp(name, "total") == 0 ||
        strcmp(name, "mass-flow") == 0)
        return (ew_boundary){.name = name, .kind = "far", .state = data_of(states_of(law)->far),
                             .angle = setup->order % 2 ? 40.0 : 0.0, .sponge_width = sponge_width_for(name, setup)};
    bool sticks = has_ghost(law, "no-slip", NULL);
    if (sticks && strcmp(name, "mirror") == 0 && setup->order > 1)
        return (ew_boundary){.name = name, .kind = "no-slip", .ghost = "adiabatic", .state = data_of(ADIABATIC),
                             .curve = curved ? &wavy : NULL};
    if (sticks && strcmp(name, "tangential") == 0 && setup->order != 2)
        return (ew_boundary){.name = name, .kind = "no-slip", .ghost = "isothermal", .state = data_of(ISOTHERMAL),
                             .curve = setup->order > 3 ? &wavy : NULL};
    if (strcmp(name, "mirror") == 0)
        return (ew_boundary){.name = name, .kind = "wall", .curve = curved ? &wavy : NULL,
                             .conservative = curved && setup->order > 1 && is_mean_flow(setup)};
    if (is_light(law))
        return (ew_boundary){.name = name, .kind = "symmetry"};
    return (ew_boundary){.name = name, .kind = "wall", .ghost = "tangential", .normal = data_of(NORMAL)};
}

struct problem {
    ew_problem problem;
    ew_boundary boundary[9];
};

/* At even orders; with a limiter at order 1, which GPUs then do not apply on load, on one mesh. */
static bool adds_outflow(const struct setup *setup)
{
    return setup->order % 2 == 0 || (setup->limited && setup->shape == THIN);
}

static void set_problem(struct problem *p, const struct setup *setup, const ew_mesh *on)
{
    size_t boundaries = 0;
    for (const char *name; (name = ew_mesh_boundary(on, (int32_t)boundaries, NULL)); boundaries++)
        p->boundary[boundaries] = boundary_for(name, setup);
    /* The viscosity limits the step; Sutherland's law at odd orders, unless there is positivity. */
    static const ew_parameter viscous[] = {{.name = "mu", .value = 0.03}, {.name = "T0", .value = 1.1}};
    bool diffuses = strcmp(setup->law, "navier-stokes") == 0;
    p->problem = (ew_problem){
        .parameters = !diffuses ? 0 : setup->positivity ? 1 : 1 + (size_t)(setup->order % 2),
        .parameter = viscous,
        .backend = "omp",
        .law = setup->law,
        .order = setup->order,
        .flux = setup->flux,
        .limiter = setup->limiter ? setup->limiter : setup->limited ? "barth-jespersen" : NULL,
        .positivity = setup->positivity,
        .scheme = setup->scheme,
        .cfl = 0.3,
        .uniform_step = setup->uniform_step,
        .steady = setup->steady,
        .field = ew_law_find(setup->law)->media    ? data_of(MEDIUM)
                 : ew_law_find(setup->law)->fields ? data_of(VELOCITY)
                                                   : (ew_data){0},
        .initial = data_of(setup->still   ? STILL
                           : setup->steep ? states_of(setup->law)->steep
                                          : states_of(setup->law)->initial),
        .source = setup->source ? source_for(setup->law) : (ew_data){0},
        .time = 0.25,
        .boundaries = boundaries,
        .boundary = p->boundary,
        .outflow = adds_outflow(setup),
        .threads = 1,
        .level = "scalar",
        .kernels = "edgewise",
    };
}

static ew_solver *solver_for(const struct problem *p, const ew_mesh *on)
{
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, on, &p->problem, &solver, &error), &error);
    return solver;
}

static size_t coefficients_of(const ew_solver *solver, const ew_mesh *on)
{
    ew_solver_info info;
    ew_mesh_info mesh_info;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(on, &mesh_info);
    return (size_t)mesh_info.elements * (size_t)(info.law->variables * info.basis);
}

/* ---- what a run leaves ------------------------------------------------------------------------------------------- */

struct result {
    size_t count, elements, outflows;
    double *coefficients, *residual, *activity, *outflow; /* outflow: of boundary edges, or NULL */
    uint64_t hash;
    double time, dt, change, rate, largest_rate;
    int64_t steps;
};

static double *doubles(size_t count)
{
    double *array = malloc(count * sizeof *array);
    if (!array)
        bail_out("no memory");
    return array;
}

/* What the limiter does to each element. */
static double *activity_of(ew_solver *solver, size_t elements)
{
    static const double middle[2] = {1.0 / 3, 1.0 / 3};
    ew_solver_info info;
    ew_error error;
    int number = 0;
    double *activity = doubles(elements);
    ew_solver_get_info(solver, &info);
    while (strcmp(ew_law_output(info.law, number, NULL), "limiter") != 0)
        number++;
    must(ew_solver_sample_outputs(solver, 0, (int64_t)elements, 1, middle, 1, &number, activity, &error), &error);
    double most = 0;
    for (size_t k = 0; k < elements; k++) {
        if (!(activity[k] >= 0 && activity[k] <= 1))
            bail_out("the limiter removes %g of the slopes of element %zu", activity[k], k);
        most = activity[k] > most ? activity[k] : most;
    }
    if ((most > 0) != (strcmp(info.limiter, "none") != 0))
        bail_out("the limiter %s removes %g at most", info.limiter, most);
    return activity;
}

static size_t outflows_of(const ew_solver *solver, const ew_mesh *on)
{
    ew_solver_info info;
    ew_mesh_info mesh_info;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(on, &mesh_info);
    return (size_t)mesh_info.boundary_edges * (size_t)info.law->variables;
}

static bool integrates_outflow(const ew_solver *solver)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    return info.outflow;
}

/* A snapshot has the same. */
static void take_outflow(ew_solver *solver, ew_solver *snapshot, const ew_mesh *on, struct result *result)
{
    ew_error error;
    size_t outflows = outflows_of(solver, on);
    result->outflow = doubles(outflows + 1);
    if (!integrates_outflow(solver))
        return;
    must(ew_solver_get_edge_outflow(solver, result->outflow, &error), &error);
    double *same = doubles(outflows + 1);
    must(ew_solver_get_edge_outflow(snapshot, same, &error), &error);
    if (memcmp(same, result->outflow, outflows * sizeof *same) != 0)
        bail_out("a snapshot has another outflow than its solver");
    result->outflows = outflows;
    free(same);
}

static struct result result_of(ew_solver *solver, const ew_mesh *on)
{
    struct result result = {.count = coefficients_of(solver, on)};
    ew_error error;
    result.coefficients = doubles(result.count);
    result.residual = doubles(result.count);
    must(ew_solver_get_coefficients(solver, result.coefficients, &error), &error);
    must(ew_solver_get_residual(solver, result.residual, &error), &error);
    ew_mesh_info info;
    ew_mesh_get_info(on, &info);
    result.elements = (size_t)info.elements;
    must(ew_solver_hash(solver, &result.hash, &error), &error);
    ew_solver *snapshot = NULL;
    must(ew_solver_snapshot(solver, 0, NULL, &snapshot, &error), &error);
    uint64_t hash;
    must(ew_solver_hash(snapshot, &hash, &error), &error);
    if (hash != result.hash || ew_solver_steps(snapshot) != ew_solver_steps(solver))
        bail_out("the snapshot's hash is %016" PRIx64 ", the solver's %016" PRIx64, hash, result.hash);
    take_outflow(solver, snapshot, on, &result);
    ew_solver_destroy(snapshot);
    result.activity = activity_of(solver, result.elements);
    must(ew_solver_time_step(solver, &result.dt, &error), &error);
    result.time = ew_solver_time(solver);
    result.steps = ew_solver_steps(solver);
    ew_moment moment;
    ew_solver_moment(solver, &moment);
    result.change = moment.change;
    result.rate = moment.rate;
    result.largest_rate = moment.largest_rate;
    return result;
}

static void free_result(struct result *result)
{
    free(result->coefficients);
    free(result->residual);
    free(result->activity);
    free(result->outflow);
}

static size_t different_words(const double *a, const double *b, size_t count, size_t *first)
{
    size_t different = 0;
    for (size_t k = count; k-- > 0;)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0) {
            different++;
            *first = k;
        }
    return different;
}

static bool same_words(const double *a, const double *b, size_t count, const char *what)
{
    size_t first = 0, different = memcmp(a, b, count * sizeof *a) == 0 ? 0 : different_words(a, b, count, &first);
    if (different)
        diag("%s: %zu of %zu words differ, first word %zu: %a and %a", what, different, count, first, a[first],
             b[first]);
    return different == 0;
}

/* Whether two runs left the same bits; says what differs. */
static bool same_result(const struct result *a, const struct result *b)
{
    bool same = a->count == b->count && same_words(a->coefficients, b->coefficients, a->count, "coefficients");
    same = same_words(a->residual, b->residual, a->count, "residual") && same;
    same = same_words(a->activity, b->activity, a->elements, "limiter activity") && same;
    same = a->outflows == b->outflows && same_words(a->outflow, b->outflow, a->outflows, "outflow") && same;
    same = same_words(&a->dt, &b->dt, 1, "time step") && same;
    same = same_words(&a->time, &b->time, 1, "time") && same;
    if (!isnan(a->change) || !isnan(b->change))
        same = same_words(&a->change, &b->change, 1, "change") && same;
    same = same_words(&a->rate, &b->rate, 1, "rate") && same;
    same = same_words(&a->largest_rate, &b->largest_rate, 1, "largest rate") && same;
    if (a->hash != b->hash || a->steps != b->steps)
        diag("hashes %016" PRIx64 " and %016" PRIx64 ", steps %" PRId64 " and %" PRId64, a->hash, b->hash, a->steps,
             b->steps);
    return same && a->hash == b->hash && a->steps == b->steps;
}

static struct result run(const struct problem *p, const ew_mesh *on, int64_t steps)
{
    ew_solver *solver = solver_for(p, on);
    ew_error error;
    must(ew_solver_advance(solver, 1e3, steps, NULL, &error), &error);
    struct result result = result_of(solver, on);
    ew_solver_destroy(solver);
    return result;
}

/* ---- all variants ------------------------------------------------------------------------------------------------ */

struct variant {
    const char *backend, *level, *image, *kernels;
    int tile;
};

static struct variant variant[64];
static int variants;

static void add_variants(const char *backend, const char *level, const char *image)
{
    static const struct variant sets[] = {{.kernels = "edgewise", .tile = 8}, {.kernels = "fused", .tile = 8},
                                          {.kernels = "edgewise", .tile = -1}};
    for (int s = 0; s < COUNT(sets); s++) {
        /* sm_20 has the paper's */
        bool lacks = image && strcmp(image, "native") != 0 && strcmp(sets[s].kernels, "fused") == 0;
        if (lacks)
            continue;
        variant[variants] = sets[s];
        variant[variants].backend = backend;
        variant[variants].level = level;
        variant[variants++].image = image;
    }
}

static void list_variants(void)
{
#ifndef EW_REAL_GPU
    for (int l = 0; ewi_omp_level_at(l); l++)
        if (ewi_omp_level_at(l)->runs_here())
            add_variants("omp", ewi_omp_level_at(l)->name, NULL);
#endif
    for (int k = 0; ewi_image_at(k); k++)
        add_variants("cuda", NULL, ewi_image_at(k)->name);
}

static void take_variant(struct problem *p, const struct variant *v)
{
    p->problem.backend = v->backend;
    p->problem.level = v->level;
    p->problem.image = v->image;
    p->problem.kernels = v->kernels;
    p->problem.tile = v->tile;
}

/*
 * Whether a variant has its turn: on a host every second one of each setup, the others of the next; without FMA
 * hardware, where an fma is 20 operations, every sixth. A GPU and long checks run them all.
 */
static bool has_turn(int v, int round)
{
#ifdef EW_REAL_GPU
    return v + round >= 0;
#else
    bool slow = variant[v].level && strcmp(variant[v].level, "base") == 0;
    return long_checks() || (v + round) % (slow ? 6 : 2) == 0;
#endif
}

/* The number of threads rotates, so that `turn`s meet each with each. Returns how many variants were run. */
static int compare_variants(struct problem *p, const ew_mesh *on, const struct result *reference, int64_t steps,
                            int turn, int *failures)
{
    static int round;
    int compared = 0;
    round++;
    for (int v = 0; v < variants; v++) {
        if (!has_turn(v, round))
            continue;
        compared++;
        take_variant(p, &variant[v]);
        p->problem.threads = 1 + (v + turn) % 3;
        struct result result = run(p, on, steps);
        if (!same_result(reference, &result)) {
            diag("^ %s, %s, %s, tile %d, %d threads", variant[v].backend,
                 variant[v].level ? variant[v].level : variant[v].image, variant[v].kernels, variant[v].tile,
                 p->problem.threads);
            ++*failures;
        }
        free_result(&result);
    }
    return compared;
}

static void check_setup(const struct setup *setup, int turn)
{
    struct problem p;
    /* Levels without FMA hardware take long at high orders; check_large_state has those on several tiles. */
    bool high = setup->order > 3;
    int64_t steps = high ? 1 : 2;
    enum shape shape = high && setup->shape == MANY_TILES && !long_checks() ? ALL_KINDS : setup->shape;
    set_problem(&p, setup, mesh[shape]);
    struct result reference = run(&p, mesh[shape], steps);
    int failures = 0;
    int compared = compare_variants(&p, mesh[shape], &reference, steps, turn, &failures);
    ok(failures == 0, "%s, %s, %s, p = %d%s%s, %s: the same bits from %d variants", setup->law, setup->flux,
       setup->scheme, setup->order, p.problem.limiter ? p.problem.positivity ? ", limited and positive" : ", limited"
                     : p.problem.positivity ? ", positive" : "", setup->source ? ", with a source" : "",
       shapes[shape].name, compared);
    free_result(&reference);
}

#ifndef EW_REAL_GPU
/* What the caches cannot keep from one stage to the next is written past them, by levels that can. */
static void check_large_state(int cells, const struct setup *setup)
{
    static const ew_side_part low[] = {{"low", 0, 2}}, high[] = {{"high", 0, 2}}, left[] = {{"left", 0, 1}},
                              right[] = {{"right", 0, 1}};
    const ew_periodic pairs[] = {{.first = "left", .second = "right", .automatic = 1},
                                 {.first = "low", .second = "high", .dy = 1}};
    const ew_rectangle rectangle = {.x1 = 2, .y1 = 1, .nx = 2 * cells, .ny = cells, .jitter = 0.6, .seed = SEED,
                                    .side = {{1, low}, {1, right}, {1, high}, {1, left}}, .periodics = 2,
                                    .periodic = pairs};
    ew_mesh *large;
    ew_error error;
    must(ew_mesh_rectangle(NULL, &rectangle, &large, &error), &error);
    struct problem p;
    set_problem(&p, setup, large);
    p.problem.level = NULL;
    struct result reference = run(&p, large, 1);
    p.problem.kernels = "fused";
    for (int l = 0; ewi_omp_level_at(l); l++) {
        const struct ewi_omp_level *level = ewi_omp_level_at(l);
        if (!level->runs_here() || level->kernels[setup->order - 1][0]->lanes < 4)
            continue;
        p.problem.level = level->name;
        p.problem.threads = 1 + l;
        struct result result = run(&p, large, 1);
        ok(same_result(&reference, &result),
           "%d elements, p = %d, whose state caches do not keep: the same bits from the fused set, %s",
           4 * cells * cells, setup->order, level->name);
        free_result(&result);
    }
    free_result(&reference);
    ew_mesh_destroy(large);
}

static void check_large_states(void)
{
    static const struct setup smooth = {.law = "euler", .flux = "llf", .scheme = "rk4", .order = 5},
                              limited = {.law = "euler", .flux = "llf", .scheme = "ssprk54", .order = 1,
                                         .limited = true};
    check_large_state(60, &smooth);
    check_large_state(150, &limited);
}
#endif

static const char *const schemes[] = {"rk2", "rk4", "ssprk22", "ssprk33", "ssprk54", "ssprk32", "rk43"};
static const char *const fluxes[] = {"llf", "roe", "hllc"};

/* Every scheme with every order; fluxes and meshes in rotation. */
static void check_euler(void)
{
    for (int s = 0; s < COUNT(schemes); s++)
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            enum shape shape = (enum shape)((s + 2 * order) % ROTATED);
            const struct setup setup = {.law = "euler",
                                        .flux = fluxes[(s + order) % COUNT(fluxes)], .scheme = schemes[s],
                                        .order = order, .limited = order == 1 && s % 2 == 0, .shape = shape,
                                        .source = (s + order) % 3 == 0,
                                        .steady = s == 1 ? 1e-30 : 0};
            check_setup(&setup, s + order);
        }
}

static void check_advection(void)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        const struct setup setup = {.law = "advection", .flux = "llf", .scheme = schemes[order - 1], .order = order,
                                    .limited = order == 1, .shape = (enum shape)(order % ROTATED),
                                    .source = order % 2 == 1};
        check_setup(&setup, order);
    }
    const struct setup large = {.law = "advection", .flux = "llf", .scheme = "rk4", .order = 1, .shape = MANY_TILES};
    check_setup(&large, 0);
    const struct setup tiles[] = {
        {.law = "advection", .flux = "llf", .scheme = "ssprk33", .order = 2, .shape = FOUR_TILES},
        {.law = "euler", .flux = "llf", .scheme = "rk2", .order = 1, .limited = true, .shape = FOUR_TILES},
        {.law = "euler", .flux = "hllc", .scheme = "rk4", .order = 1, .shape = MIDDLE},
        {.law = "navier-stokes", .flux = "roe", .scheme = "ssprk54", .order = 1, .limiter = "oscillation-free",
         .positivity = true, .shape = FOUR_TILES}};
    for (int k = 0; k < COUNT(tiles); k++)
        check_setup(&tiles[k], k);
}

/* Every law with every order; fluxes, schemes and meshes in rotation. */
static void check_other_laws(void)
{
    static const char *const others[] = {"shallow-water", "maxwell-tm", "acoustics", "maxwell-tm-media",
                                         "acoustics-media", "navier-stokes"};
    for (int l = 0; l < COUNT(others); l++) {
        const ew_law *law = ew_law_find(others[l]);
        int count = 0;
        while (law->fluxes[count])
            count++;
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            if (l + 1 == COUNT(others) && order % 2 == 0 && !long_checks()) /* the time that it takes */
                continue;
            const struct setup setup = {.law = others[l], .flux = law->fluxes[order % count],
                                        .scheme = schemes[(l + order) % COUNT(schemes)], .order = order,
                                        .limited = order == 1 && !law->media, .source = (l + order) % 2 == 0,
                                        .shape = (enum shape)((l + 2 * order) % ROTATED)};
            check_setup(&setup, l + order);
        }
    }
}

/* The limiter with each flux, each kind of boundary and both kinds of periodic meshes. */
static void check_limiter(void)
{
    for (int k = 0; k < 3; k++) {
        const struct setup setup = {.law = "euler",
                                    .flux = fluxes[k], .scheme = schemes[(3 * k + 1) % COUNT(schemes)], .order = 1,
                                    .limited = true,
                                    .shape = (enum shape)(MANY_TILES + k)};
        check_setup(&setup, k + 1);
    }
    const struct setup thin = {
        .law = "euler", .flux = "llf", .scheme = "rk4", .order = 1, .limited = true, .shape = THIN};
    check_setup(&thin, 0);
    const struct setup viscous = {.law = "navier-stokes", .flux = "llf", .scheme = "rk4", .order = 1, .shape = THIN};
    check_setup(&viscous, 0);
    /* Where a thread of a GPU has an element, limited slopes are kept without means, unless the flux takes long. */
    static const struct setup slopes_only[] = {
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk54", .order = 1, .limited = true, .shape = FOUR_TILES},
        {.law = "advection", .flux = "llf", .scheme = "rk4", .order = 1, .limited = true, .shape = MIDDLE},
        {.law = "euler", .flux = "llf", .scheme = "ssprk54", .order = 1, .limited = true, .steady = 1e-30,
         .shape = MIDDLE},
        {.law = "euler", .flux = "hllc", .scheme = "rk4", .order = 1, .limited = true, .shape = FOUR_TILES},
        {.law = "euler", .flux = "llf", .scheme = "rk2", .order = 1, .limited = true, .still = true, .shape = MIDDLE},
        {.law = "euler", .flux = "llf", .scheme = "ssprk32", .order = 1, .limited = true, .shape = MIDDLE},
        {.law = "euler", .flux = "llf", .scheme = "rk43", .order = 1, .limited = true, .shape = MIDDLE}};
    for (int k = 0; k < COUNT(slopes_only); k++)
        check_setup(&slopes_only[k], k);
}

/* Limiters with a jump sensor, and positivity, alone and after each limiter, for every law that has them. */
static void check_shocks(void)
{
    static const char *const laws[] = {"euler", "shallow-water"};
    for (int l = 0; l < COUNT(laws); l++)
        for (int order = 1; order <= EW_MAX_ORDER; order++)
            for (int kind = 0; kind < 3; kind++) {
                if (order > 3 && kind != (l + order) % 3 && !long_checks())
                    continue; /* the time that they take */
                const struct setup setup = {
                    .law = laws[l], .flux = fluxes[(l + order + kind) % COUNT(fluxes)],
                    .scheme = schemes[(2 * l + order + kind) % COUNT(schemes)], .order = order,
                    .limited = kind == 0 && order == 1, .limiter = kind > 0 ? "oscillation-free" : NULL,
                    .positivity = kind < 2, .steep = kind < 2, .shape = (enum shape)((l + order + kind) % ROTATED)};
                check_setup(&setup, l + order + kind);
            }
}

/* Finite volumes in elements with shocks, with all kinds of boundaries, sources, formulas of t and schemes. */
static void check_subcells(void)
{
    static const struct setup setups[] = {
        {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 1, .shape = ALL_KINDS},
        {.law = "euler", .flux = "llf", .scheme = "ssprk54", .order = 2, .shape = ALL_KINDS, .fast = BY_FORMULA},
        {.law = "euler", .flux = "hllc", .scheme = "rk4", .order = 3, .shape = MANY_TILES, .source = true},
        {.law = "euler", .flux = "roe", .scheme = "rk43", .order = 3, .shape = ALL_KINDS},
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk32", .order = 1, .shape = THIN},
        {.law = "shallow-water", .flux = "hllc", .scheme = "ssprk33", .order = 2, .shape = ALL_KINDS},
        {.law = "shallow-water", .flux = "llf", .scheme = "rk2", .order = 3, .shape = PERIODIC_XY},
        {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 2, .steady = 1e-30, .shape = THIN},
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk22", .order = 3, .shape = ALL_KINDS,
         .fast = BY_CALLBACK}};
    for (int k = 0; k < COUNT(setups); k++) {
        struct setup setup = setups[k];
        setup.limiter = "subcell";
        setup.positivity = setup.steep = true;
        check_setup(&setup, k);
    }
}

/* Boundaries' given states that are faster than the state. */
static void check_fast(void)
{
    static const struct setup setups[] = {
        {.law = "euler", .flux = "llf", .scheme = "ssprk54", .order = 2, .shape = MANY_TILES, .fast = BY_FORMULA},
        {.law = "euler", .flux = "hllc", .scheme = "rk2", .order = 1, .limited = true, .steady = 1e-30,
         .fast = BY_FORMULA},
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk33", .order = 3, .fast = BY_FORMULA},
        {.law = "euler", .flux = "llf", .scheme = "rk4", .order = 2, .fast = BY_CALLBACK},
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk22", .order = 1, .fast = BY_CALLBACK}};
    for (int k = 0; k < COUNT(setups); k++)
        check_setup(&setups[k], k);
}

/* The least width of all, with speeds of the state, of fields and of boundaries. */
static void check_uniform_steps(void)
{
    static const struct setup setups[] = {
        {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 2, .shape = MANY_TILES},
        {.law = "euler", .flux = "roe", .scheme = "rk2", .order = 1, .shape = PERIODIC_XY},
        {.law = "advection", .flux = "llf", .scheme = "rk4", .order = 3},
        {.law = "acoustics-media", .flux = "upwind", .scheme = "rk4", .order = 2, .shape = MANY_TILES},
        {.law = "euler", .flux = "llf", .scheme = "ssprk22", .order = 4, .fast = BY_FORMULA},
        {.law = "shallow-water", .flux = "llf", .scheme = "ssprk54", .order = 1, .fast = BY_CALLBACK}};
    for (int k = 0; k < COUNT(setups); k++) {
        struct setup setup = setups[k];
        setup.uniform_step = true;
        check_setup(&setup, k);
    }
}

/* ---- dividing and restarting ------------------------------------------------------------------------------------- */

static const struct setup divided[] = {
    {.law = "euler", .flux = "hllc", .scheme = "ssprk54", .order = 2, .shape = ALL_KINDS},
    {.law = "euler", .flux = "roe", .scheme = "rk2", .order = 1, .limited = true, .shape = MANY_TILES, .steady = 1e-30},
    {.law = "advection", .flux = "llf", .scheme = "ssprk33", .order = 3, .shape = ALL_KINDS},
    {.law = "maxwell-tm", .flux = "upwind", .scheme = "rk4", .order = 2, .shape = ALL_KINDS},
    {.law = "acoustics-media", .flux = "upwind", .scheme = "rk4", .order = 3, .shape = ALL_KINDS},
    {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 3, .shape = ALL_KINDS, .fast = BY_FORMULA},
    {.law = "navier-stokes", .flux = "hllc", .scheme = "ssprk54", .order = 2, .shape = ALL_KINDS},
    {.law = "euler", .flux = "llf", .scheme = "ssprk32", .order = 1, .limited = true, .shape = MANY_TILES},
    {.law = "euler", .flux = "roe", .scheme = "rk43", .order = 2, .shape = ALL_KINDS},
    {.law = "euler", .flux = "llf", .scheme = "ssprk33", .order = 3, .shape = ALL_KINDS, .limiter = "subcell",
     .positivity = true, .steep = true},
};

#define DIVIDED_STEPS 7

/* A time that takes DIVIDED_STEPS steps, the last of them cut. */
static double time_to_reach(const struct problem *p, const ew_mesh *on)
{
    struct result full = run(p, on, DIVIDED_STEPS);
    double until = full.time - 0.4 * full.dt;
    free_result(&full);
    return until;
}

static struct result run_divided(const struct problem *p, const ew_mesh *on, double until, const int64_t *parts,
                                 enum ew_stop *stop)
{
    ew_solver *solver = solver_for(p, on);
    ew_error error;
    do {
        must(ew_solver_advance(solver, until, *parts, stop, &error), &error);
        parts += parts[1] > 0;
    } while (*stop == EW_STOP_STEPS);
    struct result result = result_of(solver, on);
    ew_solver_destroy(solver);
    return result;
}

/* A solver of another backend, level, kernel set and tile goes on after `steps` steps, as after a restart. */
static struct result run_restarted(struct problem *p, const ew_mesh *on, double until, int64_t steps)
{
    ew_solver *first = solver_for(p, on);
    ew_error error;
    double *coefficients = doubles(coefficients_of(first, on));
    must(ew_solver_advance(first, until, steps, NULL, &error), &error);
    must(ew_solver_get_coefficients(first, coefficients, &error), &error);
    static const struct variant host = {.backend = "omp", .kernels = "fused", .tile = 8};
    take_variant(p, steps % 2 ? &variant[variants - 1] : &host); /* the last variant is a GPU's */
    p->problem.time = 0; /* comes with the moment */
    ew_solver *second = solver_for(p, on);
    ew_moment moment;
    ew_solver_moment(first, &moment);
    must(ew_solver_restore(second, p->problem.order, coefficients, &moment, &error), &error);
    double *outflow = doubles(outflows_of(second, on) + 1);
    if (integrates_outflow(first))
        must(ew_solver_get_edge_outflow(first, outflow, &error), &error);
    if (integrates_outflow(first))
        must(ew_solver_set_edge_outflow(second, outflow, &error), &error);
    free(outflow);
    must(ew_solver_advance(second, until, 1000, NULL, &error), &error);
    struct result result = result_of(second, on);
    free(coefficients);
    ew_solver_destroy(first);
    ew_solver_destroy(second);
    return result;
}

static void check_division(const struct setup *setup)
{
    static const int64_t whole[] = {1000, 0}, singly[] = {1, 0}, unevenly[] = {0, 3, 2, 0};
    const ew_mesh *on = mesh[setup->shape];
    struct problem p;
    enum ew_stop stop;
    set_problem(&p, setup, on);
    p.problem.kernels = "fused";
    p.problem.level = NULL;
    double until = time_to_reach(&p, on);
    struct result one = run_divided(&p, on, until, whole, &stop);
    ok(stop == EW_STOP_TIME && one.time == until && one.steps == DIVIDED_STEPS,
       "%s, %s: a run ends at the time asked for", setup->law, setup->scheme);
    struct result many = run_divided(&p, on, until, singly, &stop), some = run_divided(&p, on, until, unevenly, &stop);
    ok(same_result(&one, &many), "%s, %s: a step at a time gives the same bits", setup->law, setup->scheme);
    ok(same_result(&one, &some), "%s, %s: a run divided unevenly gives the same bits", setup->law, setup->scheme);
    for (int64_t steps = 2; steps <= 5; steps += 3) {
        set_problem(&p, setup, on);
        struct result again = run_restarted(&p, on, until, steps);
        ok(same_result(&one, &again), "%s, %s: a restart after %d steps with other kernels gives the same bits",
           setup->law, setup->scheme, (int)steps);
        free_result(&again);
    }
    free_result(&one);
    free_result(&many);
    free_result(&some);
}

static void check_identity(const struct setup *setup)
{
    const ew_mesh *on = mesh[setup->shape];
    struct problem p;
    ew_error error;
    double dt_before;
    set_problem(&p, setup, on);
    ew_solver *solver = solver_for(&p, on);
    must(ew_solver_advance(solver, 1e3, 3, NULL, &error), &error);
    struct result before = result_of(solver, on);
    must(ew_solver_set_coefficients(solver, before.coefficients, before.time, before.steps, &error), &error);
    if (before.outflows > 0)
        must(ew_solver_set_edge_outflow(solver, before.outflow, &error), &error);
    must(ew_solver_time_step(solver, &dt_before, &error), &error);
    struct result after = result_of(solver, on);
    after.dt = before.dt; /* a state that was set has no last step */
    after.change = before.change;
    after.rate = before.rate;
    after.largest_rate = before.largest_rate;
    ok(same_result(&before, &after), "%s, %s%s: setting the coefficients that were read changes nothing", setup->law,
       setup->scheme, setup->limited ? ", limited" : "");
    must(ew_solver_advance(solver, 1e3, 1, NULL, &error), &error);
    ok(ew_solver_time(solver) == before.time + dt_before, "%s, %s: the time step foretold is the one taken", setup->law,
       setup->scheme);
    free_result(&before);
    free_result(&after);
    ew_solver_destroy(solver);
}

/* ---- another numbering of the same mesh -------------------------------------------------------------------------- */

struct numbering {
    ew_mesh_info info;
    double *xy;
    int64_t *triangle, *place; /* place[new] = old element */
    int *turn;                 /* [new]: its vertex k is the old one's vertex (k + turn) % 3 */
    int64_t *line;
    int32_t *line_name;
    const char **name;
};

static void *space(int64_t count, size_t size)
{
    void *pointer = calloc((size_t)count + 1, size);
    if (!pointer)
        bail_out("no memory");
    return pointer;
}

static void copy_boundary(const ew_mesh *from, struct numbering *to, const int64_t *old)
{
    to->name = space(to->info.boundaries, sizeof *to->name);
    for (int32_t b = 0; b < to->info.boundaries; b++)
        to->name[b] = ew_mesh_boundary(from, b, NULL);
    to->line = space(to->info.boundary_edges, 2 * sizeof *to->line);
    to->line_name = space(to->info.boundary_edges, sizeof *to->line_name);
    for (int64_t e = 0; e < to->info.boundary_edges; e++) {
        int64_t element;
        int side;
        ew_mesh_boundary_edge(from, e, &element, &side, &to->line_name[e]);
        to->line[2 * e] = old[3 * element + (side + 1) % 3];
        to->line[2 * e + 1] = old[3 * element + side];
    }
}

/* Elements in random order, each begun at another vertex. */
static ew_mesh *renumbered(const ew_mesh *from, struct numbering *to)
{
    uint64_t random = SEED;
    ew_mesh *result;
    ew_error error;
    ew_mesh_get_info(from, &to->info);
    int64_t n = to->info.elements, *old = space(n, 3 * sizeof *old);
    to->xy = space(to->info.nodes, 2 * sizeof *to->xy);
    to->triangle = space(n, 3 * sizeof *to->triangle);
    to->place = space(n, sizeof *to->place);
    to->turn = space(n, sizeof *to->turn);
    ew_mesh_get_nodes(from, to->xy);
    ew_mesh_get_triangles(from, old);
    for (int64_t i = 0; i < n; i++) {
        int64_t other = (int64_t)(splitmix64(&random) % (uint64_t)(i + 1));
        to->place[i] = to->place[other];
        to->place[other] = i;
    }
    for (int64_t i = 0; i < n; i++) {
        to->turn[i] = (int)(splitmix64(&random) % 3);
        for (int k = 0; k < 3; k++)
            to->triangle[3 * i + k] = old[3 * to->place[i] + (k + to->turn[i]) % 3];
    }
    copy_boundary(from, to, old);
    free(old);
    const ew_mesh_data data = {.nodes = to->info.nodes, .xy = to->xy, .triangles = n, .triangle = to->triangle,
                               .lines = to->info.boundary_edges, .line = to->line, .line_name = to->line_name,
                               .names = to->info.boundaries, .name = to->name};
    must(ew_mesh_create(NULL, &data, &result, &error), &error);
    return result;
}

static void free_numbering(struct numbering *numbering)
{
    void *const arrays[] = {numbering->xy,   numbering->triangle,  numbering->place, numbering->turn,
                            numbering->line, numbering->line_name, numbering->name};
    for (int k = 0; k < COUNT(arrays); k++)
        free(arrays[k]);
}

/* The largest difference at the vertices and in the centre of all elements after some steps. */
static double numbering_difference(const struct setup *setup, const ew_mesh *before, const ew_mesh *after,
                                   const struct numbering *numbering)
{
    static const double rs[] = {0, 0, 1, 0, 0, 1, 1.0 / 3, 1.0 / 3};
    const ew_mesh *const on[2] = {before, after};
    double *values[2], largest = 0;
    ew_error error;
    int variables = ew_law_find(setup->law)->variables;
    for (int k = 0; k < 2; k++) {
        struct problem p;
        set_problem(&p, setup, on[k]);
        p.problem.kernels = "fused";
        p.problem.level = NULL;
        ew_solver *solver = solver_for(&p, on[k]);
        values[k] = doubles((size_t)numbering->info.elements * 16);
        must(ew_solver_advance(solver, 1e3, 10, NULL, &error), &error);
        must(ew_solver_sample(solver, 0, numbering->info.elements, 4, rs, 0, values[k], &error), &error);
        ew_solver_destroy(solver);
    }
    for (int64_t i = 0; i < numbering->info.elements; i++)
        for (int q = 0; q < 4; q++)
            for (int m = 0; m < variables; m++) {
                int old_point = q == 3 ? 3 : (q + numbering->turn[i]) % 3;
                double difference = fabs(values[1][(i * 4 + q) * variables + m] -
                                         values[0][(numbering->place[i] * 4 + old_point) * variables + m]);
                largest = difference > largest || isnan(difference) ? difference : largest;
            }
    free(values[0]);
    free(values[1]);
    return largest;
}

static void check_numbering(void)
{
    static const struct setup setups[] = {
        {.law = "euler", .flux = "roe", .scheme = "rk2", .order = 1, .limited = true, .shape = ALL_KINDS},
        {.law = "euler", .flux = "hllc", .scheme = "rk4", .order = 3, .shape = ALL_KINDS},
        {.law = "advection", .flux = "llf", .scheme = "ssprk33", .order = 5, .shape = ALL_KINDS},
        {.law = "shallow-water", .flux = "hllc", .scheme = "ssprk33", .order = 2, .shape = ALL_KINDS},
    };
    struct numbering numbering = {0};
    ew_mesh *other = renumbered(mesh[ALL_KINDS], &numbering);
    for (int k = 0; k < COUNT(setups); k++)
        is_close(numbering_difference(&setups[k], mesh[ALL_KINDS], other, &numbering), 0, 1e-12,
                 "%s, %s, p = %d%s: another numbering of elements and vertices changes results by rounding only",
                 setups[k].law, setups[k].flux, setups[k].order, setups[k].limited ? ", limited" : "");
    ew_mesh_destroy(other);
    free_numbering(&numbering);
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

/* Kernels divide in a way of their own on a GPU (ewi_cuda_quick.h); its bits are those of IEEE. */
static void check_arithmetic(void)
{
#ifdef EW_REAL_GPU
    enum { TRIES = 4096, BLOCKS = 2048 };
#else
    enum { TRIES = 256, BLOCKS = 2 };
#endif
    for (int k = 0; ewi_image_at(k); k++) {
        struct ewi_cuda cuda = {.host = ewi_host_or_default(NULL)};
        ew_error error;
        int64_t different = -1;
        must(ewi_cuda_open(&cuda, 0, ewi_image_at(k)->name, &error), &error);
        must(ewi_cuda_enter_context(&cuda, &error), &error);
        must(ewi_cuda_check_arithmetic(&cuda, TRIES, BLOCKS, &different, &error), &error);
        ewi_cuda_leave_context(&cuda);
        ewi_cuda_close(&cuda);
        is_int((int)different, 0, "the image %s divides and takes roots as IEEE asks: %lld operands",
               ewi_image_at(k)->name, (long long)TRIES * BLOCKS * EWI_CUDA_BLOCK);
    }
}

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error)) {
#ifdef EW_REAL_GPU
        skip_all(error.message);
#else
        bail_out("%s", error.message);
#endif
    }
    list_variants();
    diag("the meshes' seed is %u", SEED);
    make_formulas();
    make_sources();
    make_meshes();
    check_arithmetic();
    check_euler();
    check_advection();
    check_other_laws();
    check_limiter();
    check_subcells();
    check_shocks();
    check_fast();
    check_uniform_steps();
#ifndef EW_REAL_GPU
    check_large_states();
#endif
    for (int k = 0; k < COUNT(divided); k++) {
        check_division(&divided[k]);
        check_identity(&divided[k]);
    }
    check_numbering();
    for (int k = 0; k < SHAPES; k++)
        ew_mesh_destroy(mesh[k]);
    for (int k = 0; k < FORMULAS; k++)
        ew_formula_destroy(formula[k]);
    for (int k = 0; k < COUNT(sources); k++)
        ew_formula_destroy(source_formula[k]);
    return done_testing();
}
