/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an earlier run has left as its time series, and behind a byte 1 as a file beside it, for a run that goes on. The
 * first byte: the step that it goes on from (modulo 32), 32 and 64 which file is beside it, 128 how it ends.
 */
#include "small-run.h"

#include <stdio.h>

enum { OTHER = 1 };

const char *const fuzz_words[] = {
    "step", "time", "dt", "rho", "rho_u", "rho_v", "rho_e", ",", "\n", "\r\n", "0", "1", "2", "-1", "1e999", "nan",
    "inf", "0x1p-1074", "\"", "#", " ", "9223372036854775807", "9223372036854775808", "0.015625", "\1",
    "\1step,time\n", NULL,
};

static const char *const beside[] = {"s.csv.part", "s.failed.csv", "s.interrupted.csv", "s.before-2.csv"};
enum { BESIDE = sizeof beside / sizeof *beside };

static struct small_run run;

/* What an undisturbed run has. */
static char *read_series(size_t *size)
{
    static char text[FUZZ_LONGEST];
    ew_series *series = NULL;
    ew_error error = {0};
    enum ew_stop stop;
    MUST(ew_series_create(NULL, fuzz_path("seed.csv"), ew_case_plan(run.that), run.solver, -1, &series, &error) ==
         EW_OK);
    for (int k = 0; k < 4; k++) {
        MUST(ew_series_write(series, run.solver, &error) == EW_OK);
        MUST(ew_solver_advance(run.solver, 1, 2, &stop, &error) == EW_OK);
    }
    MUST(ew_series_close(series, "complete", &error) == EW_OK);
    ew_series_destroy(series);
    FILE *file = fopen(fuzz_path("seed.csv"), "r");
    *size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    MUST(*size > 0 && *size < sizeof text / 2 - 2);
    fclose(file);
    return text;
}

static void prepare(void)
{
    if (!run.that)
        run = make_small_run();
}

void fuzz_seeds(fuzz_add *add, void *context)
{
    size_t size;
    prepare();
    char *text = read_series(&size), twice[2 * FUZZ_LONGEST];
    snprintf(twice, sizeof twice, "%s%c%s", text, OTHER, text);
    for (int k = 0; k < 4; k++) {
        fuzz_add_text(add, context, 32 * k + 4, text);
        fuzz_add_text(add, context, 32 * k + 6, twice);
    }
}

static bool goes_on(int64_t step, bool complete)
{
    ew_series *series = NULL;
    ew_error error = {0};
    int status =
        ew_series_create(&fuzz_host, fuzz_path("s.csv"), ew_case_plan(run.that), run.solver, step, &series, &error);
    MUST(status == EW_OK ? series != NULL : !series && fuzz_is_told(status, &error));
    if (!series)
        return false;
    bool found = ew_series_last_step(series) >= 0;
    MUST(ew_series_last_step(series) <= step);
    MUST(ew_series_write(series, run.solver, &error) == EW_OK);
    MUST(ew_series_close(series, complete ? "complete" : "failed: x", &error) == EW_OK);
    ew_series_destroy(series);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_error error = {0};
    if (size == 0)
        return 0;
    prepare();
    const uint8_t *cut = size > 1 ? memchr(data + 1, OTHER, size - 1) : NULL;
    size_t length = cut ? (size_t)(cut - data - 1) : size - 1;
    fuzz_write("s.csv", data + 1, length);
    if (cut)
        fuzz_write(beside[data[0] / 32 % BESIDE], cut + 1, size - length - 2);
    fuzz_live = 0;
    fuzz_accepted += goes_on(data[0] % 32, data[0] < 128);
    MUST(fuzz_live == 0);
    fuzz_remove("s.");
    return 0;
}
