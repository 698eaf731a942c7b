/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mean, amplitude and frequency of a signal that is linear between its samples, whose times need not be evenly spaced.
 *
 * A period begins where the signal rises through its mean. So that noise near the mean begins none, the signal must
 * have been below the mean by BAND standard deviations before, and reach as far above it afterwards. Mean and standard
 * deviation are those of the whole periods between the first and the last such crossing, which depend on the mean in
 * turn; a few repetitions settle it.
 */
#include "edgewise-case.h"
#include "ewi_error.h"

#include <math.h>
#include <stdbool.h>

#define BAND 0.3            /* of the standard deviation */
#define ROUNDING 1e-10      /* of the largest value: a smaller standard deviation is none */
enum { REPETITIONS = 8, FEWEST_PERIODS = 2 };

/* The samples from number `first` to `last`. */
struct signal {
    const double *time, *value;
    size_t first, last;
};

struct periods {
    int count;           /* whole ones */
    double begin, end;   /* of the first and of the last one */
    double square;       /* sum of their lengths' squares */
    double range;        /* sum of greatest less least values */
};

/* Integrals over [a, b] of the difference to `mean`, and of its square. */
static void integrate(const struct signal *signal, double mean, double a, double b, double *sum, double *square)
{
    *sum = *square = 0;
    for (size_t k = signal->first; k < signal->last; k++) {
        double t0 = fmax(signal->time[k], a), t1 = fmin(signal->time[k + 1], b);
        if (!(t1 > t0))
            continue;
        double slope = (signal->value[k + 1] - signal->value[k]) / (signal->time[k + 1] - signal->time[k]);
        double d0 = signal->value[k] - mean + slope * (t0 - signal->time[k]),
               d1 = signal->value[k] - mean + slope * (t1 - signal->time[k]);
        *sum += (t1 - t0) * (d0 + d1) / 2;
        *square += (t1 - t0) * (d0 * d0 + d0 * d1 + d1 * d1) / 3;
    }
}

/*
 * The extreme of the parabola through sample k and its neighbours if that sample is an extreme, otherwise its value:
 * samples miss the extremes of the signal.
 */
static double extreme_at(const struct signal *signal, size_t k)
{
    const double *t = signal->time, *v = signal->value;
    if (k == signal->first || k == signal->last || (v[k] - v[k - 1]) * (v[k + 1] - v[k]) >= 0)
        return v[k];
    double before = (v[k] - v[k - 1]) / (t[k] - t[k - 1]), after = (v[k + 1] - v[k]) / (t[k + 1] - t[k]);
    double curvature = (after - before) / (t[k + 1] - t[k - 1]);
    double slope = (before * (t[k + 1] - t[k]) + after * (t[k] - t[k - 1])) / (t[k + 1] - t[k - 1]);
    return v[k] - slope * slope / (4 * curvature);
}

/* The time between samples k and k + 1 at which the signal has this value. */
static double time_at(const struct signal *signal, size_t k, double value)
{
    double share = (value - signal->value[k]) / (signal->value[k + 1] - signal->value[k]);
    return signal->time[k] + share * (signal->time[k + 1] - signal->time[k]);
}

static struct periods find_periods(const struct signal *signal, double mean, double band)
{
    struct periods periods = {.count = -1, .begin = NAN, .end = NAN};
    bool was_below = false;
    double crossing = NAN, least = INFINITY, greatest = -INFINITY;
    for (size_t k = signal->first; k <= signal->last; k++) {
        double value = signal->value[k];
        was_below = was_below || value < mean - band;
        if (was_below && k > signal->first && signal->value[k - 1] < mean && value >= mean)
            crossing = time_at(signal, k - 1, mean);
        if (was_below && value > mean + band) {
            if (periods.count >= 0) {
                periods.square += (crossing - periods.end) * (crossing - periods.end);
                periods.range += greatest - least;
            } else {
                periods.begin = crossing;
            }
            periods.end = crossing;
            periods.count++;
            was_below = false;
            least = INFINITY;
            greatest = -INFINITY;
        }
        least = fmin(least, extreme_at(signal, k));
        greatest = fmax(greatest, extreme_at(signal, k));
    }
    return periods;
}

/* Fills the mean and the standard deviation over [a, b]. */
static void measure(const struct signal *signal, double a, double b, ew_oscillation *result)
{
    double sum, square, guess = signal->value[signal->first];
    integrate(signal, guess, a, b, &sum, &square);
    result->mean = guess + sum / (b - a);
    integrate(signal, result->mean, a, b, &sum, &square);
    result->deviation = sqrt(square / (b - a));
    result->from = a;
    result->to = b;
}

static void find_extremes(const struct signal *signal, ew_oscillation *result)
{
    result->least = INFINITY;
    result->greatest = -INFINITY;
    for (size_t k = signal->first; k <= signal->last; k++) {
        result->least = fmin(result->least, signal->value[k]);
        result->greatest = fmax(result->greatest, signal->value[k]);
    }
}

static void find_frequency(const struct signal *signal, ew_oscillation *result)
{
    struct periods periods = {0};
    for (int k = 0; k < REPETITIONS; k++) {
        periods = find_periods(signal, result->mean, BAND * result->deviation);
        if (periods.count < FEWEST_PERIODS)
            break;
        measure(signal, periods.begin, periods.end, result);
    }
    result->periods = periods.count > 0 ? periods.count : 0;
    if (result->periods < FEWEST_PERIODS) {
        result->why = "there are fewer than two whole periods";
        measure(signal, signal->time[signal->first], signal->time[signal->last], result);
        return;
    }
    double length = (periods.end - periods.begin) / periods.count;
    result->frequency = 1 / length;
    result->amplitude = periods.range / periods.count / 2;
    result->spread = sqrt(fmax(periods.square / periods.count / (length * length) - 1, 0));
}

static int take_samples(struct signal *signal, size_t count, double from, double to, ew_error *error)
{
    size_t samples = 0;
    for (size_t k = 0; k < count; k++) {
        if (!(signal->time[k] >= from && signal->time[k] <= to))
            continue;
        if (!isfinite(signal->value[k]) || !isfinite(signal->time[k]))
            return ewi_fail(error, EW_EINVAL, "the value at t = %.9g is not finite", signal->time[k]);
        if (samples > 0 && !(signal->time[k] > signal->time[signal->last] && k == signal->last + 1))
            return ewi_fail(error, EW_EINVAL, "the times do not ascend at t = %.9g", signal->time[k]);
        signal->first = samples++ == 0 ? k : signal->first;
        signal->last = k;
    }
    return samples >= 2 ? EW_OK
                        : ewi_fail(error, EW_EINVAL, "fewer than two samples lie between t = %.9g and %.9g", from, to);
}

int ew_oscillation_measure(size_t count, const double *time, const double *value, double from, double to,
                           ew_oscillation *result, ew_error *error)
{
    EWI_REQUIRE(time, value);
    EWI_REQUIRE_AS(result, "oscillation");
    struct signal signal = {.time = time, .value = value};
    TRY(take_samples(&signal, count, from, to, error));
    *result = (ew_oscillation){.amplitude = NAN, .frequency = NAN, .spread = NAN};
    measure(&signal, time[signal.first], time[signal.last], result);
    find_extremes(&signal, result);
    if (result->deviation <= ROUNDING * fmax(fabs(result->least), fabs(result->greatest)))
        result->why = "it does not change";
    else
        find_frequency(&signal, result);
    return EW_OK;
}
