/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of Runge-Kutta schemes against theory: the Butcher tableau that its stages amount to, the conditions of
 * order, the stability polynomial and the SSP coefficient.
 */
#include "ewi_scheme.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { ROWS = EWI_MAX_STAGES + 1, CONDITIONS = 8 };

/* Row i: the weights of R in the state that stage i evaluates; the last row: in that of the step's end. */
struct tableau {
    int stages;
    double weight[ROWS][EWI_MAX_STAGES], time[ROWS];
};

static const struct {
    const char *name;
    int order;
    double ssp; /* Spiteri and Ruuth 2002; 0: no convex combination of Euler steps */
} expected[] = {{"rk2", 2, 0},     {"rk43", 3, 0},    {"rk4", 4, 0},          {"ssprk22", 2, 1},
                {"ssprk32", 2, 2}, {"ssprk33", 3, 1}, {"ssprk54", 4, 1.508}};

static struct tableau tableau_of(const struct ewi_scheme *scheme)
{
    struct tableau t = {.stages = scheme->stages};
    double of[EWI_MAX_REGISTERS][EWI_MAX_STAGES] = {{0}};
    int kept = 0;
    for (int i = 0; i < scheme->stages; i++) {
        const struct ewi_stage *stage = &scheme->stage[i];
        double sum[EWI_MAX_STAGES] = {0};
        memcpy(t.weight[i], of[stage->source], sizeof *of);
        for (int x = 0; x < stage->terms; x++)
            for (int j = 0; j < i; j++)
                sum[j] += stage->term[x].weight * of[stage->term[x].from][j];
        sum[kept] += stage->kept;
        sum[i] += stage->step;
        kept = stage->keeps ? i : kept;
        memcpy(of[stage->target], sum, sizeof sum);
    }
    memcpy(t.weight[scheme->stages], of[0], sizeof *of);
    for (int i = 0; i <= scheme->stages; i++)
        for (int j = 0; j < i; j++)
            t.time[i] += t.weight[i][j];
    return t;
}

/* result_i = sum_j a_ij x_j y_j, for the step's end, too */
static void apply(const struct tableau *t, const double *x, const double *y, double result[ROWS])
{
    for (int i = 0; i <= t->stages; i++) {
        result[i] = 0;
        for (int j = 0; j < i && j < t->stages; j++)
            result[i] += t->weight[i][j] * x[j] * y[j];
    }
}

/* The conditions of order 1, 2, 3, 3, 4, 4, 4, 4 (Butcher): what their sums differ by from their values. */
static void conditions_of(const struct tableau *t, double difference[CONDITIONS])
{
    const double one[ROWS] = {1, 1, 1, 1, 1, 1}, *c = t->time;
    double square[ROWS], of_c[ROWS], row[CONDITIONS][ROWS];
    static const double value[CONDITIONS] = {1, 1 / 2., 1 / 3., 1 / 6., 1 / 4., 1 / 8., 1 / 12., 1 / 24.};
    for (int i = 0; i < ROWS; i++)
        square[i] = c[i] * c[i];
    apply(t, c, one, of_c);
    apply(t, one, one, row[0]);
    apply(t, c, one, row[1]);
    apply(t, c, c, row[2]);
    apply(t, of_c, one, row[3]);
    apply(t, square, c, row[4]);
    apply(t, c, of_c, row[5]);
    apply(t, row[2], one, row[6]);
    apply(t, row[3], one, row[7]);
    for (int k = 0; k < CONDITIONS; k++)
        difference[k] = fabs(row[k][t->stages] - value[k]);
}

static int order_of(const struct tableau *t)
{
    static const int order[CONDITIONS] = {1, 2, 3, 3, 4, 4, 4, 4};
    double difference[CONDITIONS];
    int least = 5;
    conditions_of(t, difference);
    for (int k = CONDITIONS; k-- > 0;)
        if (!(difference[k] < 1e-12))
            least = order[k];
    return least - 1;
}

/* u' = z u, u(0) = 1, after a step of 1 */
static double stability_polynomial(const struct tableau *t, double z)
{
    double u[ROWS];
    for (int i = 0; i <= t->stages; i++) {
        u[i] = 1;
        for (int j = 0; j < i; j++)
            u[i] += z * t->weight[i][j] * u[j];
    }
    return u[t->stages];
}

static bool is_stable_to(const struct tableau *t, double extent)
{
    enum { STEPS = 10000 };
    bool stable = true;
    for (int k = 0; k <= STEPS; k++)
        stable = stable && fabs(stability_polynomial(t, -extent * k / STEPS)) <= 1;
    return stable;
}

/*
 * True if the steps are convex combinations of Euler steps of 1/r: no entry of (1 + r A)^-1 e and of r A (1 + r A)^-1
 * is negative, with A the tableau and its last row (Kraaijevanger 1991).
 */
static bool is_monotone(const struct tableau *t, double r)
{
    double inverse[ROWS][ROWS] = {{0}};
    bool monotone = true;
    for (int i = 0; i <= t->stages; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) {
            inverse[i][j] = i == j;
            for (int k = j; k < i; k++)
                inverse[i][j] -= r * t->weight[i][k] * inverse[k][j];
            sum += inverse[i][j];
            monotone = monotone && (i == j || inverse[i][j] < 1e-12); /* r A (1 + r A)^-1 = 1 - (1 + r A)^-1 */
        }
        monotone = monotone && sum > -1e-12;
    }
    return monotone;
}

static void check_scheme(const struct ewi_scheme *scheme, int order, double ssp)
{
    const struct tableau t = tableau_of(scheme);
    double weight[EWI_MAX_STAGES], worst = 0;
    ewi_scheme_weights(scheme, weight);
    for (int i = 0; i < scheme->stages; i++) {
        worst = fmax(worst, fabs(t.time[i] - scheme->stage[i].time));
        worst = fmax(worst, fabs(t.weight[scheme->stages][i] - weight[i]));
    }
    is_close(worst, 0, 1e-13, "%s: its stages have the times of the Butcher tableau, and its step the weights",
             scheme->name);
    is_int(order_of(&t), order, "%s: meets the conditions of order %d, and of no higher one", scheme->name, order);
    ok(is_stable_to(&t, scheme->real_extent - 1e-3) && !is_stable_to(&t, scheme->real_extent + 1e-3),
       "%s: is stable on the negative real axis to %g", scheme->name, scheme->real_extent);
    ok((ssp == 0 || is_monotone(&t, ssp - 1e-4)) && !is_monotone(&t, ssp + 1e-3), "%s: has the SSP coefficient %g",
       scheme->name, ssp);
}

int main(void)
{
    const int count = sizeof expected / sizeof *expected;
    for (int k = 0; k < count; k++) {
        const struct ewi_scheme *scheme = ewi_scheme_find(expected[k].name);
        if (ok(scheme != NULL, "%s: is in the table", expected[k].name))
            check_scheme(scheme, expected[k].order, expected[k].ssp);
    }
    ok(!ewi_scheme_at(count), "all schemes are tested");
    return done_testing();
}
