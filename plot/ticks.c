/* SPDX-License-Identifier: BSD-2-Clause */
/* Positions and labels of an axis' ticks. */
#include "ewi_canvas.h"
#include "ewi_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ewi_share(double low, double high, bool logarithmic, double value)
{
    if (logarithmic)
        return log(value / low) / log(high / low);
    return (value / 2 - low / 2) / (high / 2 - low / 2); /* halves: the difference of large numbers is finite, too */
}

/* "1.5", "2e-05": the shortest text that distinguishes multiples of the step. */
static void write_label(double value, double step, char *label, size_t size)
{
    double largest = fabs(value) > step ? fabs(value) : step;
    int decimals = (int)-floor(log10(step) + 1e-9);
    if (value == 0)
        ewi_snprintf(label, size, "0");
    else {
        char exponent[64], fixed[512];
        ewi_snprintf(exponent, sizeof exponent, "%.*e",
                     (int)fmin(fmax(floor(log10(fabs(value)) + 1e-9) + decimals, 0), 16), value);
        ewi_snprintf(fixed, sizeof fixed, "%.*f", decimals > 0 ? (decimals < 15 ? decimals : 15) : 0, value);
        bool extreme = largest >= 1e6 || largest < 1e-4;
        ewi_snprintf(label, size, "%.*s", (int)size - 1,
                     extreme && strlen(exponent) < strlen(fixed) ? exponent : fixed);
    }
}

static void add(struct ewi_ticks *ticks, double value, double step)
{
    if (ticks->count == EWI_MOST_TICKS)
        return;
    ticks->value[ticks->count] = value;
    write_label(value, step, ticks->label[ticks->count++], sizeof ticks->label[0]);
}

static void add_multiples(struct ewi_ticks *ticks, double low, double high, int wanted)
{
    double rough = (high - low) / (wanted > 1 ? wanted : 1), power = pow(10, floor(log10(rough)));
    double ratio = rough / power, step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    double slack = 1e-9 * (high - low);
    for (double k = ceil((low - slack) / step); k * step <= high + slack && ticks->count < EWI_MOST_TICKS; k++)
        add(ticks, k * step, step);
}

/* The range overflows: ticks are those of a tenth of it. */
static void add_of_wide_range(struct ewi_ticks *ticks, double low, double high, int wanted)
{
    add_multiples(ticks, low / 10, high / 10, wanted);
    for (int k = 0; k < ticks->count; k++) {
        ticks->value[k] *= 10;
        write_label(ticks->value[k], fmax(fabs(ticks->value[k]), 1), ticks->label[k], sizeof ticks->label[k]);
    }
}

void ewi_ticks(double low, double high, int wanted, bool logarithmic, struct ewi_ticks *ticks)
{
    ticks->count = 0;
    if (!isfinite(low) || !isfinite(high) || !(high > low))
        return;
    if (!logarithmic && !isfinite(high - low)) {
        add_of_wide_range(ticks, low, high, wanted);
        return;
    }
    if (!logarithmic || high / low < 10) {
        add_multiples(ticks, low, high, wanted);
        return;
    }
    double decades = log10(high / low);
    int every = (int)ceil(decades / (wanted > 1 ? wanted : 1));
    static const double parts[] = {1, 2, 5};
    for (double k = floor(log10(low)); k <= ceil(log10(high)); k++)
        for (int i = 0; i < (decades < 3 ? 3 : 1); i++) {
            double value = parts[i] * pow(10, k);
            if (fmod(k, every) == 0 && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                add(ticks, value, value);
        }
}

/* Asks for more ticks until there are three. */
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
