/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inlets and outlets of gas: the state of the boundary has the given values and the invariant that leaves; the flux is
 * that of this state, so what enters is its target to rounding; and a uniform flow stays.
 */
#include "flows.h"
#include "ewi_law_list.h"
#include "helpers.h"

#define SEED 20261127u

static uint64_t random_state = SEED;
static const char *const fluxes[] = {"llf", "roe", "hllc"};
static const char *const sets[] = {"fused", "edgewise"};

static double next_random(void)
{
    return random_double(&random_state);
}

/* Keeps a NaN. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* ---- the state of the boundary ----------------------------------------------------------------------------------- */

struct gas {
    double rho, vx, vy, p, c, normal, outgoing, entropy;
};

static struct gas gas_of(double gamma, const double *u, double nx, double ny)
{
    struct gas w = {.rho = u[0], .vx = u[1] / u[0], .vy = u[2] / u[0]};
    w.p = (gamma - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
    w.c = sqrt(gamma * w.p / w.rho);
    w.normal = w.vx * nx + w.vy * ny;
    w.outgoing = w.normal + 2 * w.c / (gamma - 1);
    w.entropy = w.p / pow(w.rho, gamma);
    return w;
}

/* A flow with this normal Mach number. */
static void random_flow(double gamma, double mach, double nx, double ny, double *u)
{
    double rho = exp(next_random()), p = exp(next_random()), c = sqrt(gamma * p / rho), t = 0.3 * next_random();
    double w[4] = {rho, c * (mach * nx - t * ny), c * (mach * ny + t * nx), p};
    ewi_euler_conserved(&gamma, w, u);
}

static struct gas behind(enum ewi_ghost ghost, double gamma, const double *u, const double *given, double nx, double ny)
{
    double g[4];
    ewi_euler_ghost(ghost, &gamma, u, given, nx, ny, g);
    return gas_of(gamma, g, nx, ny);
}

static void check_outlet(double gamma)
{
    double pressure = 0, invariant = 0, entropy = 0, tangential = 0, same = 0, sonic = 0, above = -INFINITY;
    double closed = -INFINITY, least = INFINITY;
    for (int k = 0; k < 5000; k++) {
        double angle = 4 * next_random(), nx = cos(angle), ny = sin(angle), u[4], g[4];
        random_flow(gamma, 0.9 * next_random(), nx, ny, u);
        struct gas in = gas_of(gamma, u, nx, ny), out;
        double given[4] = {in.p * exp(2 * next_random())};
        out = behind(EWI_GHOST_outlet, gamma, u, given, nx, ny);
        if (fabs(out.normal) < 1e-13 * out.c)
            closed = larger(out.p / given[0] - 1, closed);
        else if (out.p > given[0] * (1 + 1e-12))
            sonic = larger(fabs(out.normal / out.c - 1), sonic);
        else
            pressure = larger(fabs(out.p / given[0] - 1), pressure);
        above = larger(out.normal / out.c - 1, above);
        least = fmin(least, out.normal / out.c);
        invariant = larger(fabs(out.outgoing - in.outgoing) / in.c, invariant);
        entropy = larger(fabs(out.entropy / in.entropy - 1), entropy);
        tangential = larger(fabs((out.vx - in.vx) * ny - (out.vy - in.vy) * nx) / in.c, tangential);
        random_flow(gamma, 1.001 + fabs(next_random()), nx, ny, u);
        ewi_euler_ghost(EWI_GHOST_outlet, &gamma, u, given, nx, ny, g);
        for (int m = 0; m < 4; m++)
            same = larger(fabs(g[m] - u[m]), same);
    }
    is_close(pressure, 0, 1e-13, "gamma %g: an outlet has the given pressure", gamma);
    is_close(sonic, 0, 1e-12, "... or, if that is too low, a sonic outflow");
    ok(above < 1e-12, "... which no outflow exceeds");
    ok(least > -1e-13 && closed < 1e-12 && closed > -1, "... or no flow, if that pressure is too high for an outflow");
    is_close(invariant, 0, 1e-12, "... and the invariant that leaves");
    is_close(entropy, 0, 1e-12, "... the inner entropy");
    is_close(tangential, 0, 1e-13, "... and the inner tangential velocity");
    is_close(same, 0, 0, "... and leaves a supersonic outflow as it is");
}

/* A direction within 60 degrees of the inward normal, of any length; every third one is left out. */
static void random_direction(int k, double nx, double ny, double *d)
{
    double angle = k % 3 ? 1.05 * next_random() : 0, length = k % 3 ? exp(3 * next_random()) : 0;
    d[0] = length * (-nx * cos(angle) + ny * sin(angle));
    d[1] = length * (-ny * cos(angle) - nx * sin(angle));
}

static void check_total(double gamma)
{
    double total_pressure = 0, total_temperature = 0, along = 0, invariant = 0, rest = 0, sonic = 0, above = -INFINITY;
    double closed = 0;
    int ordinary = 0, blocked = 0;
    for (int k = 0; k < 5000; k++) {
        double angle = 4 * next_random(), nx = cos(angle), ny = sin(angle), u[4];
        random_flow(gamma, next_random(), nx, ny, u);
        struct gas in = gas_of(gamma, u, nx, ny), out;
        double given[4] = {in.p * exp(next_random())}, *d = given + 2;
        given[1] = in.p / in.rho * (k % 2 ? exp(next_random()) : 1 + (gamma - 1) * next_random());
        random_direction(k, nx, ny, d);
        out = behind(EWI_GHOST_total, gamma, u, given, nx, ny);
        double m2 = (out.vx * out.vx + out.vy * out.vy) / (out.c * out.c), up = 1 + 0.5 * (gamma - 1) * m2;
        double length = hypot(d[0], d[1]), dx = length > 0 ? d[0] / length : -nx, dy = length > 0 ? d[1] / length : -ny;
        if (fabs(out.normal) < 1e-13 * out.c) {
            closed = larger(fabs(out.outgoing - in.outgoing) / in.c, closed);
            closed = larger(fabs(out.entropy / in.entropy - 1), closed);
            closed = larger(fabs((out.vx - in.vx) * ny - (out.vy - in.vy) * nx) / in.c, closed);
            blocked++;
            continue;
        }
        total_pressure = larger(fabs(out.p * pow(up, gamma / (gamma - 1)) / given[0] - 1), total_pressure);
        total_temperature = larger(fabs(out.p / out.rho * up / given[1] - 1), total_temperature);
        along = larger(fabs(out.vx * dy - out.vy * dx) / out.c, along);
        above = larger(-out.normal / out.c - 1, above);
        if (m2 > 1e-12 && -out.normal < out.c * (1 - 1e-9)) {
            invariant = larger(fabs(out.outgoing - in.outgoing) / in.c, invariant);
            ordinary++;
        }
        /* the flow inside comes so fast, or leaves so fast, that no subsonic inflow matches it */
        random_flow(gamma, 1, nx, ny, u);
        given[1] = u[3] / u[0] * 1e-3;
        rest = larger(fabs(behind(EWI_GHOST_total, gamma, u, given, nx, ny).normal), rest);
        random_flow(gamma, -20, nx, ny, u);
        out = behind(EWI_GHOST_total, gamma, u, given, nx, ny);
        sonic = larger(fabs(-out.normal / out.c - 1), sonic);
    }
    is_close(total_pressure, 0, 1e-12, "gamma %g: an inlet has the given total pressure", gamma);
    is_close(total_temperature, 0, 1e-12, "... and total temperature");
    is_close(along, 0, 1e-13, "... the given direction, or that of the normal");
    ok(ordinary > 1000, "... and %d of 5000 inflows are neither blocked nor sonic", ordinary);
    is_close(invariant, 0, 1e-12, "... they have the invariant that leaves");
    ok(blocked > 100, "... %d are blocked", blocked);
    is_close(closed, 0, 1e-12, "... they have that invariant, too, the inner entropy and tangential velocity");
    is_close(rest, 0, 1e-14, "... nothing enters against a flow that leaves too fast");
    is_close(sonic, 0, 1e-12, "... and the inflow is sonic where the flow recedes");
    ok(above < 1e-12, "... and never faster");
}

static void check_mass_flow(double gamma)
{
    double mass = 0, temperature = 0, along = 0, wave = 0, above = -INFINITY;
    for (int k = 0; k < 5000; k++) {
        double angle = 4 * next_random(), nx = cos(angle), ny = sin(angle), u[4], g[4];
        random_flow(gamma, next_random(), nx, ny, u);
        struct gas in = gas_of(gamma, u, nx, ny), out;
        double given[4] = {in.rho * in.c * fabs(next_random()), in.p / in.rho * exp(next_random())};
        given[0] = k % 7 ? given[0] : 0;
        ewi_euler_ghost(EWI_GHOST_mass_flow, &gamma, u, given, nx, ny, g);
        out = gas_of(gamma, g, nx, ny);
        mass = larger(fabs(g[1] * nx + g[2] * ny + given[0]), mass);
        temperature = larger(fabs(out.p / out.rho / given[1] - 1), temperature);
        along = larger(fabs(g[1] * ny - g[2] * nx), along);
        above = larger(-out.normal / sqrt(gamma * given[1]) - 1, above);
        if (out.rho > 1.01e-3 * in.rho && -out.normal < 0.999 * out.c)
            wave = larger(fabs((out.p - in.p) / (in.rho * in.c) + out.normal - in.normal) / in.c, wave);
    }
    is_close(mass, 0, 1e-14, "gamma %g: an inlet has the given mass flow", gamma);
    is_close(temperature, 0, 1e-12, "... and temperature");
    is_close(along, 0, 1e-14, "... along the normal");
    is_close(wave, 0, 1e-12, "... and the acoustic wave that leaves");
    ok(above < 1e-12, "... and is never faster than sound");
}

/* ---- water ------------------------------------------------------------------------------------------------------- */

struct water {
    double h, vx, vy, c, normal, outgoing;
};

static struct water water_of(double gravity, const double *u, double nx, double ny)
{
    struct water w = {.h = u[0], .vx = u[1] / u[0], .vy = u[2] / u[0], .c = sqrt(gravity * u[0])};
    w.normal = w.vx * nx + w.vy * ny;
    w.outgoing = w.normal + 2 * w.c;
    return w;
}

static void random_water(double gravity, double froude, double nx, double ny, double *u)
{
    double h = exp(2 * next_random()), c = sqrt(gravity * h), t = 0.3 * next_random();
    u[0] = h;
    u[1] = h * c * (froude * nx - t * ny);
    u[2] = h * c * (froude * ny + t * nx);
}

static void check_water_outlet(double gravity)
{
    double depth = 0, invariant = 0, tangential = 0, critical = 0, same = 0, above = -INFINITY, closed = -INFINITY;
    double least = INFINITY;
    for (int k = 0; k < 5000; k++) {
        double angle = 4 * next_random(), nx = cos(angle), ny = sin(angle), u[3], g[3];
        random_water(gravity, 0.9 * next_random(), nx, ny, u);
        struct water in = water_of(gravity, u, nx, ny), out;
        double given[3] = {in.h * exp(2 * next_random())};
        ewi_shallow_water_ghost(EWI_GHOST_outlet, &gravity, u, given, nx, ny, g);
        out = water_of(gravity, g, nx, ny);
        if (fabs(out.normal) < 1e-13 * out.c)
            closed = larger(out.h / given[0] - 1, closed);
        else if (out.h > given[0] * (1 + 1e-12))
            critical = larger(fabs(out.normal / out.c - 1), critical);
        else
            depth = larger(fabs(out.h - given[0]), depth);
        above = larger(out.normal / out.c - 1, above);
        least = fmin(least, out.normal / out.c);
        invariant = larger(fabs(out.outgoing - in.outgoing) / in.c, invariant);
        tangential = larger(fabs((out.vx - in.vx) * ny - (out.vy - in.vy) * nx) / in.c, tangential);
        random_water(gravity, 1.001 + fabs(next_random()), nx, ny, u);
        ewi_shallow_water_ghost(EWI_GHOST_outlet, &gravity, u, given, nx, ny, g);
        for (int m = 0; m < 3; m++)
            same = larger(fabs(g[m] - u[m]), same);
    }
    is_close(depth, 0, 0, "gravity %g: an outlet has the given depth", gravity);
    ok(least > -1e-13 && closed < 1e-12 && closed > -1, "... or no flow, if that depth is too great for an outflow");
    is_close(critical, 0, 1e-12, "... or, if that is too low, a critical outflow");
    ok(above < 1e-12, "... which no outflow exceeds");
    is_close(invariant, 0, 1e-12, "... and the invariant that leaves");
    is_close(tangential, 0, 1e-13, "... and the inner tangential velocity");
    is_close(same, 0, 0, "... and leaves a supercritical outflow as it is");
}

static void check_discharge(double gravity)
{
    double discharge = 0, invariant = 0, along = 0, critical = 0, above = -INFINITY;
    for (int k = 0; k < 5000; k++) {
        double angle = 4 * next_random(), nx = cos(angle), ny = sin(angle), u[3], g[3];
        random_water(gravity, next_random(), nx, ny, u);
        struct water in = water_of(gravity, u, nx, ny), out;
        double given[3] = {k % 7 ? in.h * in.c * exp(8 * next_random() - 6) : 0};
        ewi_shallow_water_ghost(EWI_GHOST_discharge, &gravity, u, given, nx, ny, g);
        out = water_of(gravity, g, nx, ny);
        discharge = larger(fabs(g[1] * nx + g[2] * ny + given[0]) / (in.h * in.c), discharge);
        along = larger(fabs(g[1] * ny - g[2] * nx) / (in.h * in.c), along);
        above = larger(-out.normal / out.c - 1, above);
        if (-out.normal < 0.999 * out.c && out.h > 1.01e-3 * in.h)
            invariant = larger(fabs(out.outgoing - in.outgoing) / in.c, invariant);
        random_water(gravity, -20, nx, ny, u);
        given[0] = u[0];
        ewi_shallow_water_ghost(EWI_GHOST_discharge, &gravity, u, given, nx, ny, g);
        out = water_of(gravity, g, nx, ny);
        critical = larger(fabs(-out.normal / out.c - 1), critical);
    }
    is_close(discharge, 0, 1e-14, "gravity %g: an inlet has the given discharge", gravity);
    is_close(along, 0, 1e-14, "... along the normal");
    is_close(invariant, 0, 1e-12, "... and the invariant that leaves");
    is_close(critical, 0, 1e-12, "... and is critical where the water recedes");
    ok(above < 1e-12, "... and never faster");
}

/* ---- the flux ---------------------------------------------------------------------------------------------------- */

enum { GAS = 4, WATER = 3 }; /* laws by their number of variables */

static const char *law_of(int variables)
{
    return variables == GAS ? "euler" : "shallow-water";
}

struct inlet {
    const char *kind, *ghost;
    int outputs;
    const char *value[4];
};

static ew_boundary boundary_of(const char *name, const struct inlet *inlet)
{
    return (ew_boundary){.name = name, .kind = inlet->kind, .ghost = inlet->ghost,
                         .state.formula = formula(inlet->outputs, inlet->value)};
}

static void random_coefficients(ew_solver *solver, const ew_mesh *mesh)
{
    ew_solver_info info;
    ew_error error;
    ew_solver_get_info(solver, &info);
    int variables = info.law->variables;
    size_t count = (size_t)(elements_of(mesh) * variables * info.basis), at = 0;
    static const double mean[4] = {1, 0.1, -0.2, 2.5};
    double *c = malloc(count * sizeof *c);
    for (int64_t i = 0; c && i < elements_of(mesh); i++)
        for (int m = 0; m < variables; m++)
            for (int j = 0; j < info.basis; j++)
                c[at++] = j == 0 ? (mean[m] + 0.2 * next_random()) / sqrt(2) : 0.03 * next_random() / j;
    must(ew_solver_set_coefficients(solver, c, 0.25, 0, &error), &error);
    free(c);
}

/* Twice the areas, which are the integrals of the first basis function divided by its value. */
static double *areas(const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    double *xy = malloc((size_t)info.nodes * 2 * sizeof *xy), *area = malloc((size_t)info.elements * sizeof *area);
    int64_t *triangle = malloc((size_t)info.elements * 3 * sizeof *triangle);
    if (!xy || !area || !triangle)
        bail_out("no memory");
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    for (int64_t i = 0; i < info.elements; i++) {
        const int64_t *node = triangle + 3 * i;
        const double *a = xy + 2 * node[0], *b = xy + 2 * node[1], *c = xy + 2 * node[2];
        area[i] = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    free(xy);
    free(triangle);
    return area;
}

/* d/dt of the total of each variable. */
static void rates(ew_solver *solver, const ew_mesh *mesh, double *rate)
{
    ew_solver_info info;
    ew_error error;
    ew_solver_get_info(solver, &info);
    int variables = info.law->variables;
    double *rhs = malloc((size_t)(elements_of(mesh) * variables * info.basis) * sizeof *rhs), *area = areas(mesh);
    must(ew_solver_get_residual(solver, rhs, &error), &error);
    for (int m = 0; m < variables; m++)
        rate[m] = 0;
    for (int64_t i = 0; i < elements_of(mesh); i++)
        for (int m = 0; m < variables; m++)
            rate[m] += sqrt(2) * area[i] * rhs[(i * variables + m) * info.basis];
    free(rhs);
    free(area);
}

/* A vessel with one open side, full of noise; *unaccounted: mass that comes by no boundary. */
static void noisy_rates(int variables, const struct inlet *inlet, int order, const char *flux, const char *kernels,
                        double *rate, double *unaccounted)
{
    ew_mesh *mesh = box((struct box){.nx = 5, .ny = 4, .width = 1.5, .height = 1, .jitter = 0.4});
    static const char *const rest[4] = {"1", "0", "0", "1"};
    ew_formula *state = formula(variables, rest);
    ew_boundary boundary[4];
    ew_problem problem = {.law = law_of(variables), .order = order, .flux = flux, .kernels = kernels,
                          .initial.formula = state, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    boundary[3] = boundary_of(boundary[3].name, inlet);
    ew_solver *solver = start(mesh, &problem);
    ew_boundary_integrals integrals;
    ew_error error;
    random_coefficients(solver, mesh);
    rates(solver, mesh, rate);
    must(ew_solver_boundary(solver, 3, &integrals, &error), &error);
    *unaccounted = fabs(rate[0] + integrals.flux[0]);
    ew_solver_destroy(solver);
    ew_formula_destroy(state);
    ew_formula_destroy((ew_formula *)boundary[3].state.formula);
    ew_mesh_destroy(mesh);
}

/* All that goes through walls is momentum, so mass and energy are those of the inlet. */
static void check_targets(void)
{
    static const struct inlet mass_flow = {"inlet", "mass-flow", 2, {"0.05 + 0.2*y + t", "1.1"}},
                              total = {"inlet", NULL, 4, {"1.5", "1.3", "1", "0.3*y"}},
                              discharge = {"inlet", NULL, 1, {"0.05 + 0.2*y + t"}};
    for (size_t set = 0; set < COUNT(sets); set++)
        for (size_t f = 0; f < COUNT(fluxes); f++) {
            double mass = 0, energy = 0, water = 0, balance = 0, least = INFINITY;
            for (int order = 1; order <= EW_MAX_ORDER; order++) {
                double rate[4], unaccounted;
                noisy_rates(GAS, &mass_flow, order, fluxes[f], sets[set], rate, &unaccounted);
                balance = larger(unaccounted, balance);
                mass = larger(fabs(rate[0] - 0.4), mass);
                noisy_rates(WATER, &discharge, order, fluxes[f], sets[set], rate, &unaccounted);
                balance = larger(unaccounted, balance);
                water = larger(fabs(rate[0] - 0.4), water);
                noisy_rates(GAS, &total, order, fluxes[f], sets[set], rate, &unaccounted);
                balance = larger(unaccounted, balance);
                least = fmin(rate[0], least);
                energy = larger(fabs(rate[3] / rate[0] - 1.3 * GAMMA / (GAMMA - 1)), energy);
            }
            is_close(mass, 0, 1e-13, "%s, %s: the mass flow meets its target", sets[set], fluxes[f]);
            is_close(water, 0, 1e-13, "... and so does the discharge of water");
            is_close(balance, 0, 1e-13, "... and the flow through the boundary is all that comes");
            ok(least > 0.1, "... and enters through an inlet of total quantities");
            is_close(energy, 0, 1e-12, "... with the total enthalpy");
        }
}

/* ---- flows ------------------------------------------------------------------------------------------------------- */

static const char *const stream[4] = {"1", "0.3*sqrt(gamma)", "0", "1"};
#define UP "(1 + 0.2*0.09)"
static const char *const river[4] = {"1", "0.9", "0"};
static const struct inlet by_depth = {"outlet", NULL, 1, {"1"}}, by_discharge = {"inlet", NULL, 1, {"0.9"}};
static const struct inlet by_far = {"far", NULL, 4, {"1", "0.3*sqrt(gamma)", "0", "1"}},
                          by_pressure = {"outlet", NULL, 1, {"1"}},
                          by_total = {"inlet", "total", 4, {UP "^3.5", UP, "0", "0"}},
                          by_direction = {"inlet", NULL, 4, {UP "^3.5", UP, "3", "0"}},
                          by_mass_flow = {"inlet", "mass-flow", 2, {"0.3*sqrt(gamma)", "1"}};

/* A channel with an inlet on the left and an outlet on the right. */
struct channel {
    ew_mesh *mesh;
    ew_formula *state;
    ew_boundary boundary[4];
    ew_problem problem;
};

static void open_channel(struct channel *channel, int variables, struct box shape, const char *const *state,
                         const struct inlet *in, const struct inlet *out)
{
    channel->mesh = box(shape);
    channel->state = formula(variables, state);
    channel->problem = (ew_problem){.law = law_of(variables), .initial.formula = channel->state,
                                    .boundary = channel->boundary};
    channel->problem.boundaries = boundaries(channel->mesh, "wall", (ew_data){0}, channel->boundary);
    channel->boundary[1] = boundary_of(channel->boundary[1].name, out);
    channel->boundary[3] = boundary_of(channel->boundary[3].name, in);
}

static void close_channel(struct channel *channel)
{
    ew_formula_destroy((ew_formula *)channel->boundary[1].state.formula);
    ew_formula_destroy((ew_formula *)channel->boundary[3].state.formula);
    ew_formula_destroy(channel->state);
    ew_mesh_destroy(channel->mesh);
}

static double largest_difference(ew_solver *solver, const ew_mesh *mesh, const ew_formula *state)
{
    int variables = ew_formula_outputs(state);
    double given[4], worst = 0;
    ew_formula_evaluate(state, 1, &(double){0}, &(double){0}, 0, given, 1);
    double *values = sample(solver, elements_of(mesh));
    for (int64_t i = 0; i < elements_of(mesh) * samples; i++)
        for (int m = 0; m < variables; m++)
            worst = larger(fabs(values[variables * i + m] - given[m]), worst);
    free(values);
    return worst;
}

static void check_streams(void)
{
    static const struct {
        const char *what;
        int variables;
        const char *const *state;
        const struct inlet *in, *out;
    } pairs[] = {{"far, outlet", GAS, stream, &by_far, &by_pressure},
                 {"total quantities, outlet", GAS, stream, &by_total, &by_pressure},
                 {"total quantities with a direction, far", GAS, stream, &by_direction, &by_far},
                 {"mass flow, outlet", GAS, stream, &by_mass_flow, &by_pressure},
                 {"discharge, outlet", WATER, river, &by_discharge, &by_depth}};
    for (size_t k = 0; k < COUNT(pairs); k++)
        for (size_t f = 0; f < COUNT(fluxes); f++) {
            double worst = 0;
            for (int order = 1; order <= EW_MAX_ORDER; order++) {
                struct channel channel;
                open_channel(&channel, pairs[k].variables,
                             (struct box){.nx = 6, .ny = 4, .width = 1.5, .height = 1, .jitter = 0.5}, pairs[k].state,
                             pairs[k].in, pairs[k].out);
                channel.problem.order = order;
                channel.problem.flux = fluxes[f];
                ew_solver *solver = start(channel.mesh, &channel.problem);
                bool went = advance(solver, never, 60);
                worst = larger(went ? largest_difference(solver, channel.mesh, channel.state) : NAN, worst);
                ew_solver_destroy(solver);
                close_channel(&channel);
            }
            is_close(worst, 0, 1e-13, "a uniform flow stays: %s, %s", pairs[k].what, fluxes[f]);
        }
}

/* The inlet and the outlet reflect each other's waves; what is lost at each end is little, but the flow settles. */
static void check_settling(const struct inlet *inlet, const char *what)
{
    static const char *const slow[4] = {"1", "0.2*sqrt(gamma)", "0", "1"};
    struct channel channel;
    open_channel(&channel, GAS, (struct box){.nx = 10, .ny = 2, .width = 4, .height = 0.8}, slow, inlet, &by_pressure);
    channel.problem.order = 1;
    ew_formula *fast = formula(4, stream);
    ew_solver *solver = start(channel.mesh, &channel.problem);
    double before = advance(solver, 2, INT64_MAX) ? largest_difference(solver, channel.mesh, fast) : NAN;
    double after = advance(solver, 80, INT64_MAX) ? largest_difference(solver, channel.mesh, fast) : NAN;
    ok(before > 0.01, "a channel at Mach 0.2 with %s for Mach 0.3 and an outlet", what);
    is_close(after, 0, 5e-4, "... settles at Mach 0.3");
    ew_solver_destroy(solver);
    ew_formula_destroy(fast);
    close_channel(&channel);
}

/*
 * Steady flows that friction slows between an inlet and an outlet, disturbed at the start. Water: depth 1.2 - 0.2 x and
 * discharge 1; gas: pressure 2 - x, density 1 and velocity 0.3.
 */
#define DRAG "-(9.81*(1.2 - 0.2*x) - 1/(1.2 - 0.2*x)^2)*0.2*a*"
static const char *const slowed_river[4] = {"1.2 - 0.2*x + (t > 0 ? 0 : 0.05*sin(3*x))", "1/(1.2 - 0.2*x)", "0"},
                  *const river_friction[4] = {"0", DRAG "b", DRAG "c"},
                  *const slowed_stream[4] = {"1 + (t > 0 ? 0 : 0.1*sin(3*x))", "0.3", "0", "2 - x"},
                  *const stream_friction[4] = {"0", "-a*b/0.3", "-a*c/0.3", "-1.05"};

static double error_after_settling(int variables, double until, int order, const char *flux)
{
    static const struct inlet discharge = {"inlet", NULL, 1, {"1"}},
                              mass_flow = {"inlet", "mass-flow", 2, {"0.3", "2"}};
    bool gas = variables == GAS;
    struct channel channel;
    ew_norms norms;
    ew_error error;
    double worst = 0;
    open_channel(&channel, variables, (struct box){.nx = 4, .ny = 1, .width = 1, .height = 0.25, .jitter = 0.3},
                 gas ? slowed_stream : slowed_river, gas ? &mass_flow : &discharge, gas ? &by_pressure : &by_depth);
    ew_formula *friction = source_formula(variables, gas ? stream_friction : river_friction);
    channel.problem.order = order;
    channel.problem.flux = flux;
    channel.problem.exact.formula = channel.state;
    channel.problem.source.formula = friction;
    ew_solver *solver = start(channel.mesh, &channel.problem);
    bool went = advance(solver, until, INT64_MAX);
    must(ew_solver_norms(solver, &norms, &error), &error);
    for (int m = 0; m < variables; m++)
        worst = larger(norms.error_l2[m], worst);
    ew_solver_destroy(solver);
    ew_formula_destroy(friction);
    close_channel(&channel);
    return went ? worst : NAN;
}

/* The outlet's state on both sides of the flux leaves no modes of the last triangles undamped. */
static void check_friction(void)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        double water = 0, gas = 0;
        for (size_t f = 0; f < COUNT(fluxes); f++) {
            water = larger(error_after_settling(WATER, 8, order, fluxes[f]), water);
            gas = larger(error_after_settling(GAS, 15, order, fluxes[f]), gas);
        }
        is_close(water, 0, order == 1 ? 1e-6 : 1e-7, "order %d: a river with friction settles before an outlet", order);
        is_close(gas, 0, 3e-6, "order %d: ... and so does a gas", order);
    }
}

/* An inlet of hot gas, or of none, starts on gas at rest: the inlet limits the first step, and the run continues. */
static void check_start(const struct inlet *inlet, const char *what, double speed)
{
    static const char *const rest[4] = {"1", "0", "0", "1"};
    static const struct inlet outlet = {"outlet", NULL, 1, {"1"}};
    struct channel channel;
    ew_mesh_info info;
    ew_error error;
    double dt = NAN;
    open_channel(&channel, GAS, (struct box){.nx = 12, .ny = 2, .width = 1, .height = 1.0 / 6}, rest, inlet, &outlet);
    channel.problem.order = 2;
    channel.problem.limiter = "oscillation-free";
    channel.problem.positivity = 1;
    channel.problem.scheme = "ssprk33";
    channel.problem.cfl = 0.4;
    ew_mesh_get_info(channel.mesh, &info);
    ew_solver *solver = start(channel.mesh, &channel.problem);
    ok(!ew_solver_time_step(solver, &dt, &error), "%s: a time step", what);
    is_close(dt / (0.4 * info.smallest_diameter / (5 * speed)), 1, 1e-14, "... which the inlet limits");
    ok(advance(solver, never, 400), "... and the run goes on");
    ew_solver_destroy(solver);
    close_channel(&channel);
}

static void check_starts(void)
{
    static const struct inlet hot = {"inlet", "total", 4, {"2", "100", "0", "0"}},
                              cold = {"inlet", "total", 4, {"1.2", "0.5", "0", "0"}},
                              jet = {"inlet", "mass-flow", 2, {"3", "50"}},
                              ramp = {"inlet", "mass-flow", 2, {"min(t, 0.5)", "1"}};
    check_start(&hot, "hot gas", sqrt(100 * GAMMA));
    check_start(&cold, "cold gas", sqrt(GAMMA));
    check_start(&jet, "a hot jet", sqrt(50 * GAMMA));
    check_start(&ramp, "a mass flow that begins", sqrt(GAMMA));
}

int main(void)
{
    static const double gammas[] = {1.4, 5.0 / 3, 1.1};
    diag("seed %u", SEED);
    for (size_t k = 0; k < COUNT(gammas); k++) {
        check_outlet(gammas[k]);
        check_total(gammas[k]);
        check_mass_flow(gammas[k]);
    }
    check_water_outlet(9.81);
    check_discharge(9.81);
    check_discharge(1);
    check_targets();
    check_streams();
    check_settling(&by_total, "total quantities");
    check_settling(&by_mass_flow, "the mass flow");
    check_friction();
    check_starts();
    return done_testing();
}
