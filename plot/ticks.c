/* SPDX-License-Identifier: BSD-2-Clause */
/* Positions and labels of an axis' ticks. */
#include "ewi_canvas.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

double ewi_share(double low, double high, bool logarithmic, double value)
{
    if (logarithmic)
        return log(value / low) / log(high / low);
    return (value / 2 - low / 2) / (high / 2 - low / 2); /* halves: the difference of large numbers may overflow */
}

static int decimals_of(double step)
{
    return (int)-floor(log10(step) + 1e-9);
}

/* "1.5" */
static void write_fixed(double value, double step, char *label, size_t size)
{
    int decimals = decimals_of(step);
    char text[512];
    ewi_snprintf(text, sizeof text, "%.*f", decimals > 0 ? (decimals < 15 ? decimals : 15) : 0, value);
    ewi_snprintf(label, size, "%.*s", (int)size - 1, text);
}

/* "2e-05" */
static void write_power(double value, double step, char *label, size_t size)
{
    double digits = floor(log10(fabs(value)) + 1e-9) + decimals_of(step);
    ewi_snprintf(label, size, "%.*e", (int)fmin(fmax(digits, 0), 16), value);
}

static bool is_shorter_as_power(double value, double step)
{
    double largest = fmax(fabs(value), step);
    char power[64], fixed[512];
    write_power(value, step, power, sizeof power);
    write_fixed(value, step, fixed, sizeof fixed);
    return (largest >= 1e6 || largest < 1e-4) && strlen(power) < strlen(fixed);
}

/*
 * Writes the shortest labels that distinguish multiples of the step; step 0: arbitrary values. If a power is shorter
 * for one label, all labels of the axis are powers: "1e-05" is not next to "0.0001".
 */
static void write_labels(struct ewi_ticks *ticks, double step)
{
    bool powers = false;
    for (int k = 0; k < ticks->count; k++)
        powers = powers || (ticks->value[k] != 0 &&
                            is_shorter_as_power(ticks->value[k], step > 0 ? step : fabs(ticks->value[k])));
    for (int k = 0; k < ticks->count; k++) {
        double value = ticks->value[k];
        if (value == 0)
            ewi_snprintf(ticks->label[k], sizeof ticks->label[k], "0");
        else
            (powers ? write_power : write_fixed)(value, step > 0 ? step : fabs(value), ticks->label[k],
                                                 sizeof ticks->label[k]);
    }
}

static void add(struct ewi_ticks *ticks, double value)
{
    if (ticks->count < EWI_MOST_TICKS)
        ticks->value[ticks->count++] = value;
}

/* Adds the ticks and returns their step. */
static double add_multiples(struct ewi_ticks *ticks, double low, double high, int wanted)
{
    double rough = (high - low) / (wanted > 1 ? wanted : 1), power = pow(10, floor(log10(rough)));
    double ratio = rough / power, step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    double slack = 1e-9 * (high - low);
    for (double k = ceil((low - slack) / step); k * step <= high + slack && ticks->count < EWI_MOST_TICKS; k++)
        add(ticks, k * step);
    return step;
}

void ewi_ticks(double low, double high, int wanted, bool logarithmic, struct ewi_ticks *ticks)
{
    ticks->count = 0;
    if (!isfinite(low) || !isfinite(high) || !(high > low))
        return;
    if (!logarithmic && !isfinite(high - low)) { /* the range overflows: use the ticks of a tenth of it */
        add_multiples(ticks, low / 10, high / 10, wanted);
        for (int k = 0; k < ticks->count; k++)
            ticks->value[k] *= 10;
        write_labels(ticks, 0);
        return;
    }
    if (!logarithmic || high / low < 10) {
        write_labels(ticks, add_multiples(ticks, low, high, wanted));
        return;
    }
    double decades = log10(high / low);
    int every = (int)ceil(decades / (wanted > 1 ? wanted : 1));
    static const double parts[] = {1, 2, 5};
    for (double k = floor(log10(low)); k <= ceil(log10(high)); k++)
        for (int i = 0; i < (decades < 3 ? 3 : 1); i++) {
            double value = parts[i] * pow(10, k);
            if (fmod(k, every) == 0 && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                add(ticks, value);
        }
    write_labels(ticks, 0);
}

/* Requests more ticks until there are three. */
void ewi_ticks_along(double low, double high, double pixels, double room, bool logarithmic, struct ewi_ticks *ticks)
{
    int wanted = (int)fmin(fmax(pixels / room, 1), 10), most = (int)fmin(2 * pixels / room, 10);
    ewi_ticks(low, high, wanted, logarithmic, ticks);
    while (ticks->count < 3 && wanted < most)
        ewi_ticks(low, high, ++wanted, logarithmic, ticks);
}

double ewi_ticks_width(const struct ewi_ticks *ticks, double size)
{
    double widest = 0;
    for (int k = 0; k < ticks->count; k++)
        widest = fmax(widest, ewi_text_width(ticks->label[k], size));
    return widest;
}
