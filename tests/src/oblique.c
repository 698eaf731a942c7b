/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Far fields with an angle: the reflected amplitude of plane waves is that of theory for each law, and uniform flows of
 * the given state stay as they are.
 */
#include "edgewise.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define PI 3.14159265358979323846

/* A square channel that is periodic in y. */
static ew_mesh *channel(double jitter)
{
    static const ew_periodic pair = {.first = "bottom", .second = "top", .dy = 1.0};
    return mesh_of_rectangle((ew_rectangle){.x1 = 1.0, .y1 = 1.0, .nx = 6, .ny = 6, .jitter = jitter, .seed = 3,
                                            .periodics = 1, .periodic = &pair});
}

/* The problem's state at `end`. The caller destroys the solver. */
static ew_solver *advanced(const ew_mesh *mesh, const ew_problem *problem, double end)
{
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, problem, &solver, &error), &error);
    must(ew_solver_advance(solver, end, INT64_MAX, NULL, &error), &error);
    return solver;
}

/* The largest error of a conserved variable. */
static double error_of(const ew_mesh *mesh, const ew_problem *problem, double end)
{
    ew_norms norms;
    ew_error error;
    double worst = 0.0;
    ew_solver *solver = advanced(mesh, problem, end);
    must(ew_solver_norms(solver, &norms, &error), &error);
    for (int m = 0; m < ew_law_find(problem->law)->variables; m++)
        worst = fmax(worst, norms.error_linf[m]);
    ew_solver_destroy(solver);
    return worst;
}

/* ---- plane waves ---- */

/*
 * Waves of speed 1 and impedance 1. state: a uniform state at rest and the size of the waves; the wave's potential,
 * its flow along x and its flow along y take the places of %1$s, %2$s and %3$s.
 */
#define TINY "1e-5*"
static const struct medium {
    const char *law, *flux, *field, *rest, *waves;
    double size;
} media[] = {
    {"acoustics", "llf", NULL, "0;0;0", "%1$s;%2$s;%3$s", 1.0},
    {"acoustics", "upwind", NULL, "0;0;0", "%1$s;%2$s;%3$s", 1.0},
    {"acoustics-media", "upwind", "1;1", "0;0;0", "%1$s;%2$s;%3$s", 1.0},
    {"maxwell-tm", "llf", NULL, "0;0;0", "%3$s;-(%2$s);%1$s", 1.0},
    {"maxwell-tm", "upwind", NULL, "0;0;0", "%3$s;-(%2$s);%1$s", 1.0},
    {"maxwell-tm-media", "upwind", "1;1", "0;0;0", "%3$s;-(%2$s);%1$s", 1.0},
    {"euler", "hllc", NULL, "1;0;0;1/1.4", "1 + " TINY "(%1$s);" TINY "(%2$s);" TINY "(%3$s);1/1.4 + " TINY "(%1$s)",
     1e-5},
    {"shallow-water", "hllc", NULL, "1;0;0", "1 + " TINY "(%1$s);" TINY "(%2$s);" TINY "(%3$s)", 1e-5},
};

static double cosine(double degrees)
{
    return cos(degrees * (PI / 180.0));
}

/*
 * The waves of a far field on the right for `angle` where one arrives at `arrives` degrees: that one, and `reflected`
 * times its mirror image.
 */
static ew_formula *waves_of(const struct medium *medium, double arrives, double reflected)
{
    char in[160], out[160], potential[400], along[400], across[400], text[2048];
    double ky = 2.0 * PI, kx = ky / tan(arrives * (PI / 180.0)), k = hypot(kx, ky);
    snprintf(in, sizeof in, "cos(%.17g*x + %.17g*y - %.17g*t)", kx, ky, k);
    snprintf(out, sizeof out, "%.17g*cos(%.17g*(2 - x) + %.17g*y - %.17g*t)", reflected, kx, ky, k);
    snprintf(potential, sizeof potential, "%s + %s", in, out);
    snprintf(along, sizeof along, "%.17g*(%s - %s)", kx / k, in, out);
    snprintf(across, sizeof across, "%.17g*(%s + %s)", ky / k, in, out);
    snprintf(text, sizeof text, medium->waves, potential, along, across);
    return formula_from(text);
}

/* cos b - cos a over cos b + cos a is the solution of R- = -k R+ at the boundary. */
static void check_waves(const struct medium *medium, double arrives, double angle)
{
    double reflected = (cosine(arrives) - cosine(angle)) / (cosine(arrives) + cosine(angle));
    ew_formula *rest = formula_from(medium->rest), *waves = waves_of(medium, arrives, reflected);
    ew_formula *field = medium->field ? formula_from(medium->field) : NULL;
    ew_mesh *mesh = channel(0.0);
    ew_boundary boundary[2] = {{.name = "left", .kind = "far", .state.formula = waves},
                               {.name = "right", .kind = "far", .state.formula = rest, .angle = angle}};
    ew_parameter gravity = {"gravity", 1.0};
    ew_problem problem = {.law = medium->law, .flux = medium->flux, .order = 5, .initial.formula = waves,
                          .exact.formula = waves, .boundaries = 2, .boundary = boundary, .threads = 1,
                          .field.formula = field, .parameter = &gravity,
                          .parameters = strcmp(medium->law, "shallow-water") == 0};
    is_close(error_of(mesh, &problem, 0.5) / medium->size, 0.0, 2e-3,
             "%s, %s: %.1f %% of a wave at %g degrees return from a far field for %g degrees", medium->law,
             medium->flux, 100.0 * fabs(reflected), arrives, angle);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(rest);
    ew_formula_destroy(waves);
    ew_formula_destroy(field);
}

/* ---- uniform flows ---- */

static const struct {
    const char *law, *what, *state;
} uniform[] = {{"euler", "slow", "1.3;0.4;0.1;0.9"},
               {"euler", "supersonic", "1;2.5;0.3;0.7"},
               {"shallow-water", "slow", "1.2;0.3;-0.1"},
               {"acoustics", "slow", "0.2;0.1;0.3"},
               {"maxwell-tm", "constant", "0.2;0.1;0.3"}};

static void check_uniform(int k)
{
    ew_formula *state = formula_from(uniform[k].state);
    ew_mesh *mesh = channel(0.4);
    ew_boundary boundary[2] = {{.name = "left", .kind = "far", .state.formula = state, .angle = 50.0},
                               {.name = "right", .kind = "far", .state.formula = state, .angle = 80.0}};
    ew_problem problem = {.law = uniform[k].law, .order = 3, .initial.formula = state, .exact.formula = state,
                          .boundaries = 2, .boundary = boundary, .threads = 1};
    is_close(error_of(mesh, &problem, 0.3), 0.0, 1e-13, "%s: a %s flow of the given state stays as it is",
             uniform[k].law, uniform[k].what);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(state);
}

int main(void)
{
    static const double angles[][2] = {{60, 60}, {60, 45}, {60, 0}, {30, 60}};
    for (int k = 0; k < COUNT(media); k++)
        for (int j = 0; j < COUNT(angles); j++)
            check_waves(&media[k], angles[j][0], angles[j][1]);
    for (int k = 0; k < COUNT(uniform); k++)
        check_uniform(k);
    return done_testing();
}
