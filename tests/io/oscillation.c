/* SPDX-License-Identifier: BSD-2-Clause */
/* Mean, amplitude and frequency of synthetic signals. */
#include "edgewise-case.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SAMPLES = 1000 };

static double times[SAMPLES], values[SAMPLES];

static ew_oscillation measured(size_t count, double from, double to)
{
    ew_oscillation found;
    ew_error error;
    must(ew_oscillation_measure(count, times, values, from, to, &found, &error), &error);
    return found;
}

/* Samples at k step, moved by up to `shift` steps. */
static void set_times(double step, double shift)
{
    uint64_t state = 5;
    for (int k = 0; k < SAMPLES; k++)
        times[k] = step * (k + shift * random_double(&state));
}

static void check_sine(void)
{
    const double frequency = 0.164, pi = acos(-1);
    set_times(0.15, 0);
    for (int k = 0; k < SAMPLES; k++)
        values[k] = 1.5 + 0.33 * sin(2 * pi * frequency * times[k] + 0.4);
    ew_oscillation found = measured(SAMPLES, -INFINITY, INFINITY);
    is_close(found.frequency, frequency, 1e-6, "the frequency of a sine with 41 samples a period");
    is_close(found.amplitude, 0.33, 1e-5, "its amplitude");
    is_close(found.mean, 1.5, 1e-4, "its mean");
    is_close(found.deviation, 0.33 / sqrt(2), 1e-3, "its standard deviation");
    ok(found.periods == 23 && found.spread < 1e-3 && !found.why, "its whole periods: %d, spread %.1e", found.periods,
       found.spread);
    found = measured(SAMPLES, 30, 60);
    is_close(found.frequency, frequency, 1e-4, "the frequency within an interval");
    ok(found.from >= 30 && found.to <= 60 && found.periods == 3, "of the periods in it: %d", found.periods);
    set_times(0.15, 0.45);
    for (int k = 0; k < SAMPLES; k++)
        values[k] = 1.5 + 0.33 * sin(2 * pi * frequency * times[k] + 0.4);
    found = measured(SAMPLES, -INFINITY, INFINITY);
    is_close(found.frequency, frequency, 1e-5, "times that are not evenly spaced: the frequency");
    is_close(found.amplitude, 0.33, 1e-4, "... the amplitude");
    is_close(found.mean, 1.5, 1e-3, "... the mean");
}

static void check_disturbed(void)
{
    const double pi = acos(-1);
    uint64_t state = 3;
    set_times(0.05, 0);
    for (int k = 0; k < SAMPLES; k++)
        values[k] = sin(2 * pi * 0.3 * times[k]) + 0.1 * random_double(&state);
    ew_oscillation found = measured(SAMPLES, -INFINITY, INFINITY);
    is_close(found.frequency, 0.3, 2e-3, "a tenth of noise: the frequency");
    ok(found.periods == 13, "... and no periods of the noise: %d", found.periods);
    is_close(found.amplitude, 1, 0.1, "... the amplitude, with the noise");
    for (int k = 0; k < SAMPLES; k++)
        values[k] = 2 * exp(-times[k] / 5) + 0.2 * sin(2 * pi * 0.5 * times[k]);
    found = measured(SAMPLES, 25, INFINITY);
    is_close(found.frequency, 0.5, 1e-3, "after a transient: the frequency");
    is_close(found.mean, 0, 4e-3, "... the mean");
    ok(found.spread < 0.01, "... periods of one length: spread %.2e", found.spread);
    for (int k = 0; k < SAMPLES; k++)
        values[k] = sin(2 * pi * 0.3 * times[k]) + 0.4 * sin(2 * pi * 0.6 * times[k] + 1);
    is_close(measured(SAMPLES, -INFINITY, INFINITY).frequency, 0.3, 1e-4, "with a harmonic: the lower frequency");
}

static void check_without(void)
{
    set_times(0.1, 0);
    for (int k = 0; k < SAMPLES; k++)
        values[k] = 0.7 + 1e-15 * (k % 3);
    ew_oscillation found = measured(SAMPLES, -INFINITY, INFINITY);
    is_close(found.mean, 0.7, 1e-14, "a constant has a mean");
    ok(isnan(found.frequency) && isnan(found.amplitude) && found.periods == 0, "... no frequency");
    ok(strstr(found.why, "does not change") != NULL, "... because it does not change");
    for (int k = 0; k < SAMPLES; k++)
        values[k] = times[k];
    found = measured(SAMPLES, 10, 20);
    is_close(found.mean, 15, 1e-12, "a ramp has a mean");
    ok(isnan(found.frequency) && strstr(found.why, "fewer than two whole periods"), "... and no whole period");
    for (int k = 0; k < SAMPLES; k++)
        values[k] = sin(times[k]);
    found = measured(SAMPLES, 0, 15);
    ok(isnan(found.frequency) && found.periods == 1, "two and a third periods have one whole one between two rises");
    is_close(found.from, 0, 0, "the mean is then that of the interval, from its beginning");
    is_close(found.to, 15, 0.11, "... to its end");
}

static void check_wrong(void)
{
    ew_oscillation found;
    ew_error error;
    set_times(0.1, 0);
    memset(values, 0, sizeof values);
    ok(ew_oscillation_measure(SAMPLES, times, values, 5, 5.05, &found, &error) == EW_EINVAL &&
       strstr(error.message, "fewer than two samples lie between t = 5 and 5.05"), "an interval with one sample");
    values[7] = NAN;
    ok(ew_oscillation_measure(SAMPLES, times, values, 0, 1, &found, &error) == EW_EINVAL &&
       strstr(error.message, "the value at t = 0.7 is not finite"), "a value that is not finite");
    ok(ew_oscillation_measure(SAMPLES, times, values, 1, 2, &found, &error) == EW_OK, "... outside of the interval");
    times[15] = 1;
    ok(ew_oscillation_measure(SAMPLES, times, values, 1, 2, &found, &error) == EW_EINVAL &&
       strstr(error.message, "the times do not ascend at t = 1"), "times that do not ascend");
    ok(ew_oscillation_measure(SAMPLES, NULL, values, 1, 2, &found, &error) == EW_EINVAL, "times that are NULL");
}

int main(void)
{
    check_sine();
    check_disturbed();
    check_without();
    check_wrong();
    return done_testing();
}
