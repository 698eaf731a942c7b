/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shallow water over a bed: lakes with islands stay at rest to the last bit, whatever the bed; water is conserved; a
 * basin with moving shores against its exact solution; the sentences on what the law does not have.
 */
#include "edgewise.h"
#include "ewi_backend.h"
#include "fake-cuda.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 5, BOUNDARIES = 4 };
static const char *const sides[] = {"bottom", "right", "top", "left"};

struct flow {
    const char *state; /* h, u, v, bed, surface */
    double size;
    int cells, order;
    const char *backend, *level, *scheme, *kind, *left, *right; /* left, right: the kinds of these boundaries */
    double dry, manning;
    const char *limiter, *source;
    int threads, parts;
    bool periodic;
    double cfl;
};

#define DISCHARGE "0.5 + y"

static ew_boundary side_of(const struct flow *flow, int k, ew_data state, ew_data discharge)
{
    const char *kind = k == 3 && flow->left ? flow->left : k == 1 && flow->right ? flow->right : flow->kind;
    ew_boundary boundary = {.name = sides[k], .kind = kind ? kind : "wall"};
    if (strcmp(boundary.kind, "far") == 0 || strcmp(boundary.kind, "level") == 0)
        boundary.state = state;
    if (strcmp(boundary.kind, "inlet") == 0)
        boundary.state = discharge;
    return boundary;
}

static ew_solver *begin(const struct flow *flow, ew_formula *formula, ew_formula *source, ew_formula *discharge,
                        ew_mesh *mesh)
{
    ew_boundary boundary[BOUNDARIES];
    const ew_parameter parameter[] = {{.name = "manning", .value = flow->manning}, {.name = "dry", .value = flow->dry}};
    ew_data state = {.formula = formula};
    ew_solver *solver;
    ew_error error;
    for (int k = 0; k < BOUNDARIES; k++)
        boundary[k] = side_of(flow, k, state, (ew_data){.formula = discharge});
    ew_problem problem = {.law = "shallow-water-bed", .order = flow->order,
                          .scheme = flow->scheme ? flow->scheme : "ssprk33", .initial = state, .exact = state,
                          .boundaries = flow->periodic ? 0 : BOUNDARIES, .boundary = boundary, .cfl = flow->cfl,
                          .backend = flow->backend ? flow->backend : "omp",
                          .level = flow->level, .parts = flow->parts,
                          .parameter = parameter, .parameters = flow->dry > 0 ? 2 : 1, .limiter = flow->limiter,
                          .source.formula = source, .threads = flow->threads};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

struct result {
    double volume, speed, lowest, error;
    uint64_t hash;
};

static struct result result_of(ew_solver *solver)
{
    struct result result;
    ew_norms norms;
    ew_error error;
    must(ew_solver_norms(solver, &norms, &error), &error);
    must(ew_solver_hash(solver, &result.hash, &error), &error);
    result.volume = norms.total[4];
    result.speed = fmax(fmax(norms.max[1], -norms.min[1]), fmax(norms.max[2], -norms.min[2]));
    result.lowest = norms.min[0];
    result.error = norms.error_l2[4];
    return result;
}

/* The state at the start, and after some steps. */
static void run(const struct flow *flow, double until, int64_t steps, struct result *first, struct result *last)
{
    ew_formula *formula = formula_from(flow->state), *source = flow->source ? formula_from(flow->source) : NULL,
               *discharge = formula_from(DISCHARGE);
    const ew_periodic pairs[2] = {{.first = "left", .second = "right", .dx = flow->size},
                                  {.first = "bottom", .second = "top", .dy = flow->size}};
    ew_mesh *mesh = mesh_of_rectangle((ew_rectangle){.x1 = flow->size, .y1 = flow->size, .nx = flow->cells,
                                                     .ny = flow->cells, .jitter = 0.2, .seed = 3,
                                                     .periodics = flow->periodic ? 2 : 0, .periodic = pairs});
    ew_solver *solver = begin(flow, formula, source, discharge, mesh);
    ew_error error;
    *first = result_of(solver);
    must(ew_solver_advance(solver, until, steps, NULL, &error), &error);
    *last = result_of(solver);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(formula);
    ew_formula_destroy(source);
    ew_formula_destroy(discharge);
}

/* ---- rest ---- */

#define SWAMP "-1e300;0;0;0.5*sin(3*x)*cos(2.3*y)+0.3*sin(7*y+x);"

static void check_rest(void)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        struct flow flow = {.state = SWAMP "0", .size = 10, .cells = 8, .order = order, .threads = 1};
        struct result first, last;
        run(&flow, INFINITY, long_checks() ? 1000 : 25, &first, &last);
        ok(last.speed == 0.0 && last.hash == first.hash && first.volume > 1.0,
           "order %d: a swamp, most of whose triangles a shoreline crosses, keeps every bit", order);
        flow.state = SWAMP "0.3 + x - x";
        flow.kind = "far";
        run(&flow, INFINITY, 20, &first, &last);
        ok(last.speed < 1e-12 && fabs(last.volume - first.volume) < 1e-13 * first.volume,
           "order %d: one of another level, with far fields of that level, is at rest to rounding", order);
        diag("order %d: greatest velocity %.1e, volume %.3g", order, last.speed, first.volume);
        flow.state = SWAMP "0";
        flow.kind = "level";
        run(&flow, INFINITY, 20, &first, &last);
        ok(last.speed == 0.0 && last.hash == first.hash, "order %d: a given level of 0 keeps every bit of it", order);
    }
}

/* The discharge of an inlet is that of the volume, into water and onto dry ground. */
static void check_discharge(void)
{
    static const char *const states[] = {"-1e300;0;0;0.3*sin(5*x)*cos(4*y);0", "0;0;0;0.3*sin(5*x)*cos(4*y);0"};
    static const char *const what[] = {"a lake", "dry ground"};
    for (int k = 0; k < 2; k++)
        for (int order = 1; order <= EW_MAX_ORDER; order += 2) {
            struct flow flow = {.state = states[k], .size = 1, .cells = 4, .order = order, .threads = 1, .dry = 1e-6,
                                .left = "inlet"};
            struct result first, last;
            run(&flow, 0.1, INT64_MAX, &first, &last);
            double gain = last.volume - first.volume; /* the mean of DISCHARGE is 1 */
            ok(fabs(gain - 0.1) < 1e-13 && last.lowest >= 0.0, "order %d: an inlet's discharge enters %s", order,
               what[k]);
            diag("order %d: %.15g", order, gain);
        }
}

/* The basin fills through its left side until its surface is that of the sea. */
static void check_tide(void)
{
    struct flow flow = {.state = "-1e300;0;0;x-0.5;t>0?0.1:-0.4", .size = 1, .cells = 4, .order = 2, .threads = 1,
                        .manning = 0.1, .left = "level"};
    struct result first, last;
    run(&flow, 20.0, INT64_MAX, &first, &last);
    ok(first.volume < 0.02 && fabs(last.volume - 0.18) < 0.01 && last.speed < 0.1,
       "a sea that has risen fills a dry bay to its level");
    diag("volume %.3g, then %.6g of 0.18, velocity %.1e", first.volume, last.volume, last.speed);
}

static void check_dry(void)
{
    struct flow flow = {.state = "0;0;0;x;0", .size = 1, .cells = 4, .order = 2, .threads = 1, .dry = 1e-6};
    struct result first, last;
    run(&flow, 1.0, INT64_MAX, &first, &last);
    ok(first.volume == 0.0 && last.volume == 0.0 && last.speed == 0.0, "a dry bed stays dry");
}

/* ---- orders ---- */

/* A manufactured flow of the velocity (0.5, 0.5): the surface 2 + 0.1 sin k(x + y - t) over waves of the bed. */
#define K "6.28318530717958648"
#define WAVES "0.3*sin(" K "*x)*cos(" K "*y)"
#define RISE "0.1*sin(" K "*(x+y-t))"
#define SLOPE "(0.1*" K "*cos(" K "*(x+y-t)))"
#define BED_SLOPES "(0.3*" K "*cos(" K "*(x+y)))"
#define FILLS "(-0.5*" BED_SLOPES ")"
#define PUSHES "0.5*" FILLS "+9.81*(2+" RISE "-" WAVES ")*" SLOPE

static void check_orders(void)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        struct flow flow = {.state = "-1e300;0.5;0.5;" WAVES ";2+" RISE, .source = FILLS ";" PUSHES ";" PUSHES ";0;0",
                            .size = 1, .order = order, .periodic = true, .cfl = order < 4 ? 0.2 : 0.1};
        struct result first, coarse, fine;
        if (!long_checks() && order != 2 && order != 3)
            continue;
        flow.cells = 6;
        run(&flow, 0.1, INT64_MAX, &first, &coarse);
        flow.cells = 12;
        run(&flow, 0.1, INT64_MAX, &first, &fine);
        double rate = log2(coarse.error / fine.error);
        ok(fabs(rate - order - 1) < 0.4, "order %d: a manufactured flow converges at the design order", order);
        diag("order %d: errors %.3e and %.3e, rate %.2f", order, coarse.error, fine.error, rate);
    }
}

/* ---- moving shores ---- */

/* Thacker's planar surface in a basin, g = 9.81: om = sqrt(2 g 0.1). */
#define OM "1.400714104"
#define ETA "0.05*(2*(x-2)*cos(" OM "*t)+2*(y-2)*sin(" OM "*t)-0.5)"
#define BASIN "0.1*((x-2)^2+(y-2)^2-1)"
#define WET(u) ETA ">" BASIN "?" u ":0"
#define PLANAR \
    "-1e300;" WET("-0.5*" OM "*sin(" OM "*t)") ";" WET("0.5*" OM "*cos(" OM "*t)") ";" BASIN ";" ETA

static void check_planar(void)
{
    static const double most[] = {5.6e-3, 9.5e-4, 6e-4};
    for (int order = 1; order <= (long_checks() ? 3 : 2); order++) {
        struct flow flow = {.state = PLANAR, .size = 4, .cells = long_checks() ? 20 : 10, .order = order};
        struct result first, last;
        double scale = long_checks() ? 1.0 : 5.0;
        run(&flow, 4.4857, INT64_MAX, &first, &last);
        ok(last.error < scale * most[order - 1], "order %d: a tilted surface goes round in a basin", order);
        ok(fabs(last.volume - first.volume) < 1e-13 * first.volume && last.lowest >= 0.0,
           "order %d: its water is conserved, and no depth is negative", order);
        diag("order %d: error %.3e, volume %+.1e", order, last.error, last.volume / first.volume - 1.0);
    }
}

/* Thacker's paraboloid in the same basin, after a period; the velocity is 0 then. */
#define Q "(0.97560975609756098/(1-0.21951219512195122*cos(2.801428208*t)))"
#define RADIAL "-1e300;0;0;" BASIN ";0.1*(" Q "-1-((x-2)^2+(y-2)^2)*(" Q "^2-1))"
/* Ritter's dam break on a dry bed, c = sqrt g; the velocity is that at the start. */
#define AT "((x-10)/max(t,1e-9))"
#define RITTER "min(1,max(0,2*sqrt(9.81)-" AT ")^2/(9*9.81));0;0;0;0"
/* A film of 1 cm on rough hills of 5 m. */
#define FILM "0.01;0;0;5*exp(-8*((x-0.4)^2+(y-0.55)^2))+0.5*sin(19*x)*sin(23*y);0"

static void check_more_shores(void)
{
    static const double radial[] = {3e-3, 1.5e-3, 9e-4}, ritter[] = {0.35, 0.25, 0.2};
    for (int order = 1; order <= 3; order++) {
        struct flow bowl = {.state = RADIAL, .size = 4, .cells = 20, .order = order};
        struct flow dam = {.state = RITTER, .size = 20, .cells = 40, .order = order, .dry = 1e-6,
                           .limiter = "oscillation-free"};
        struct result first, last;
        run(&bowl, 2.24285, INT64_MAX, &first, &last);
        ok(last.error < radial[order - 1], "order %d: a paraboloid of water swings in a basin", order);
        diag("order %d: error %.3e", order, last.error);
        run(&dam, 1.0, INT64_MAX, &first, &last);
        ok(last.error < ritter[order - 1], "order %d: a front runs over a dry bed", order);
        diag("order %d: error %.3e", order, last.error);
    }
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        struct flow film = {.state = FILM, .size = 1, .cells = 8, .order = order, .manning = 0.02,
                            .limiter = "oscillation-free"};
        struct result first, last;
        run(&film, 1.0, 2000 * order, &first, &last);
        ok(last.speed < 8.0 && last.lowest >= 0.0 && fabs(last.volume - first.volume) < 1e-13 * first.volume,
           "order %d: a film of water runs off rough hills", order);
        diag("order %d: velocity %.3g", order, last.speed);
    }
}

/* Compares a flood over a rough bed with a block, which takes all branches. */
#define FLOOD "x<0.3?1:0;0;0;0.1*sin(19*x)*sin(23*y)+(hypot(x-0.6,y-0.5)<0.2?1.5:0);0"

#define HILLS "-1e300;0;0;0.2*sin(9*x)*sin(8*y)-0.6;x<0.4?0.5:0"

static void check_bits(const char *what, struct flow flow)
{
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        if (!long_checks() && flow.source && order > 3)
            continue;
        if (flow.limiter && strcmp(flow.limiter, "subcell") == 0 && order > 3)
            continue;
        flow.order = order;
        flow.backend = NULL;
        struct result first, last[6];
        const char *level;
        int levels = 0;
        bool same = true;
        for (int k = 0; (level = ew_list_name(EW_LEVELS, k)); k++) {
            if (strcmp(level, "avx512") == 0 || levels == 3)
                continue;
            flow.level = level;
            flow.threads = 1 + levels % 2;
            run(&flow, INFINITY, 16, &first, &last[levels++]);
        }
        flow.level = NULL;
        flow.parts = 3;
        run(&flow, INFINITY, 16, &first, &last[levels++]);
        flow.parts = 0;
        flow.backend = "cuda";
        run(&flow, INFINITY, 16, &first, &last[levels++]);
        for (int k = 1; k < levels; k++)
            same = same && last[k].hash == last[0].hash;
        ok(same && levels > 3, "order %d: %s has the same bits with all levels of instructions, on a GPU and in parts",
           order, what);
        bool closed = !flow.source && !flow.left;
        bool keeps = !closed || fabs(last[0].volume - first.volume) < 1e-13 * first.volume;
        ok(keeps && last[0].lowest >= 0.0 && last[0].speed < 12.0,
           closed ? "order %d: its water is conserved, and no depth is negative" : "order %d: no depth is negative",
           order);
        diag("order %d: volume %+.1e, greatest velocity %.3g", order, last[0].volume / first.volume - 1.0,
             last[0].speed);
    }
}

/* ---- velocities between the scheme's points ---- */

/*
 * Returns true if all depths, beds and surfaces are those of the conserved variables; counts other velocities, and
 * finds the greatest momentum over depth.
 */
static bool compare_samples(const double *conserved, const double *primitive, int64_t count, int64_t *limited,
                            double *most)
{
    const double parameter[] = {9.81, 1e-6, 0, 0};
    bool same = true;
    for (int64_t k = 0; k < count; k++) {
        double plain[VARIABLES];
        const double *own = primitive + VARIABLES * k;
        ew_law_primitive(ew_law_find("shallow-water-bed"), parameter, 1, conserved + VARIABLES * k, plain);
        *most = fmax(hypot(plain[1], plain[2]), *most);
        *limited += own[1] != plain[1] || own[2] != plain[2];
        same = same && own[0] == plain[0] && own[3] == plain[3] && own[4] == plain[4];
    }
    return same;
}

/* In a wet triangle of a flood the depth all but vanishes between the points at which the scheme bounds velocities. */
static void check_velocities(void)
{
    enum { SPLIT = 8, POINTS = (SPLIT + 1) * (SPLIT + 2) / 2, MOST = 2 * 8 * 8 };
    struct flow flow = {.state = FLOOD, .size = 1, .cells = 8, .order = 3, .threads = 1, .dry = 1e-6,
                        .limiter = "oscillation-free"};
    static double rs[2 * POINTS], u[MOST * POINTS * VARIABLES], w[MOST * POINTS * VARIABLES], speed[MOST * POINTS];
    int points = 0, number = 0;
    while (strcmp(ew_law_output(ew_law_find("shallow-water-bed"), number, NULL), "speed") != 0)
        number++;
    for (int j = 0; j <= SPLIT; j++)
        for (int i = 0; i + j <= SPLIT; i++, points++) {
            rs[2 * points] = (double)i / SPLIT;
            rs[2 * points + 1] = (double)j / SPLIT;
        }
    ew_formula *formula = formula_from(flow.state);
    ew_mesh *mesh = mesh_of_rectangle((ew_rectangle){.x1 = 1, .y1 = 1, .nx = 8, .ny = 8, .jitter = 0.2, .seed = 3});
    ew_solver *solver = begin(&flow, formula, NULL, NULL, mesh);
    ew_error error;
    double top = 0, most = 0, difference = 0;
    int64_t limited = 0;
    bool same = true;
    for (int k = 0; k < 12; k++) {
        must(ew_solver_advance(solver, 0.03 * (k + 1), INT64_MAX, NULL, &error), &error);
        must(ew_solver_sample(solver, 0, MOST, POINTS, rs, 0, u, &error), &error);
        must(ew_solver_sample(solver, 0, MOST, POINTS, rs, 1, w, &error), &error);
        must(ew_solver_sample_outputs(solver, 0, MOST, POINTS, rs, 1, &number, speed, &error), &error);
        same = compare_samples(u, w, MOST * POINTS, &limited, &most) && same;
        for (int64_t i = 0; i < MOST * POINTS; i++) {
            double size = hypot(w[VARIABLES * i + 1], w[VARIABLES * i + 2]);
            top = fmax(size, top);
            difference = fmax(fabs(speed[i] - size), difference);
        }
    }
    ok(top > 1.0 && top < 12.0 && most > 50.0, "velocities of a flood are bounded at any point");
    ok(difference < 1e-14 * top, "... and so is the quantity speed");
    ok(same && limited > 0 && limited < 12 * MOST * POINTS / 50,
       "... depths keep every bit, and so do nearly all velocities");
    diag("greatest velocity %.3g, momentum over depth %.3g; %lld of %d points are limited", top, most,
         (long long)limited, 12 * MOST * POINTS);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(formula);
}

/*
 * Rain of 72 mm/h on a dry plane of slope 0.05 with friction: after a while the kinematic wave, of which the depth is
 * (n q/sqrt(0.05))^0.6, of the discharge q that falls above.
 */
static void check_rain(void)
{
    struct flow flow = {.state = "(0.02*2e-5*x/sqrt(0.05))^0.6*(t>0);0;0;5-0.05*x;0", .size = 100, .cells = 10,
                        .order = 2, .right = "copy", .dry = 1e-9, .manning = 0.02, .source = "2e-5;0;0;0;0"};
    struct result first, last;
    run(&flow, 600.0, INT64_MAX, &first, &last);
    ok(first.volume == 0.0 && last.error < 2e-5 * 100.0, "rain on a dry plane runs off as the kinematic wave");
    diag("error %.2e of 3.5e-3", last.error / 100.0);
}

/* ---- what is wrong ---- */

static void check_sentence(ew_problem problem, const char *sentence)
{
    ew_error error = {0};
    ew_mesh *mesh = mesh_of_rectangle((ew_rectangle){.x1 = 1.0, .y1 = 1.0, .nx = 2, .ny = 2});
    int status = ew_problem_check(NULL, mesh, &problem, NULL, &error);
    ok(status == EW_EINVAL && strstr(error.message, sentence), "%s", sentence);
    diag("%s", error.message);
    ew_mesh_destroy(mesh);
}

static void check_sentences(void)
{
    ew_boundary boundary[BOUNDARIES];
    for (int k = 0; k < BOUNDARIES; k++)
        boundary[k] = (ew_boundary){.name = sides[k], .kind = "wall"};
    ew_formula *lake = formula_from(SWAMP "0"), *dry = formula_from("0;0;0;x;0");
    ew_formula *negative = formula_from("x-2;0;0;x;0");
    const ew_problem good = {.law = "shallow-water-bed", .order = 2, .scheme = "ssprk33", .initial.formula = lake,
                             .boundaries = BOUNDARIES, .boundary = boundary};
    const ew_parameter bed_order = {.name = "bed_order", .value = 3};
    ew_problem bad = good;
    bad.scheme = "rk4";
    check_sentence(bad, "the scheme rk4 does not keep depths positive where a bed dries; take ssprk22 or ssprk33");
    bad = good;
    bad.kernels = "fused";
    check_sentence(bad, "the kernels \"fused\" do not know a bed yet; take \"edgewise\", or leave them out");
    bad = good;
    bad.limiter = "barth-jespersen";
    bad.order = 1;
    check_sentence(bad, "the limiter \"barth-jespersen\" does not know a bed; take subcell, oscillation-free, or "
                        "none");
    bad = good;
    bad.initial.formula = dry;
    check_sentence(bad, "nothing is wet at the start, so that no depth says what is as good as dry; give dry");
    bad = good;
    bad.initial.formula = negative;
    check_sentence(bad, "the initial state is not admissible");
    bad = good;
    bad.parameter = &bed_order;
    bad.parameters = 1;
    check_sentence(bad, "bed_order is 3; it can be an integer from 1 to the order, 2, or 0: the order");
    bad = good;
    bad.outflow = 1;
    check_sentence(bad, "outflow over a bed is not integrated yet");
    ew_formula_destroy(lake);
    ew_formula_destroy(dry);
    ew_formula_destroy(negative);
}

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    check_rest();
    check_dry();
    check_bits("a flood", (struct flow){.state = FLOOD, .size = 1, .cells = 6, .threads = 1});
    check_bits("one with friction, rain and damping",
               (struct flow){.state = FLOOD, .size = 1, .cells = 6, .threads = 1, .manning = 0.03,
                             .limiter = "oscillation-free", .source = "0.1*x;0;0;0;0"});
    check_bits("a flood between an inlet and a level",
               (struct flow){.state = FLOOD, .size = 1, .cells = 6, .threads = 1, .left = "inlet", .right = "level"});
    check_bits("a flood with friction and divided triangles, between an inlet and a level",
               (struct flow){.state = FLOOD, .size = 1, .cells = 6, .threads = 1, .manning = 0.03, .limiter = "subcell",
                             .left = "inlet", .right = "level"});
    check_bits("a dam break over hills with divided triangles",
               (struct flow){.state = HILLS, .size = 1, .cells = 6, .threads = 1, .limiter = "subcell"});
    check_discharge();
    check_tide();
    check_orders();
    check_planar();
    check_velocities();
    if (long_checks()) {
        check_more_shores();
        check_rain();
    }
    check_sentences();
    return done_testing();
}
