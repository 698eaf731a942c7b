/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Restart files for a run that goes on. Changed files get a new seal: without it the checksum alone would be tested.
 * The first byte: 1 no new seal; exactly 2, the run's fields are taken over, too, which takes long.
 */
#include "ewi_fields.h"
#include "netcdf.h"
#include "small-run.h"

static struct small_run run;
static struct fuzz_file restart_file, fields_file;

static void prepare(void)
{
    ew_fields *fields = NULL;
    ew_error error = {0};
    enum ew_stop stop;
    if (run.that)
        return;
    run = make_small_run();
    MUST(ew_fields_create(NULL, fuzz_path("seed.nc"), ew_case_plan(run.that), run.solver, &fields, &error) == EW_OK);
    MUST(ew_fields_write(fields, run.solver, &error) == EW_OK &&
         ew_solver_advance(run.solver, 0.05, 3, &stop, &error) == EW_OK);
    MUST(ew_restart_write(NULL, fuzz_path("seed.restart.nc"), ew_case_plan(run.that), run.solver, fields, &error) ==
         EW_OK);
    MUST(ew_fields_close(fields, "complete", &error) == EW_OK);
    ew_fields_destroy(fields);
    fuzz_load("seed.nc", &fields_file);
    fuzz_load("seed.restart.nc", &restart_file);
    restart_file.size -= EWI_SEAL;
}

void fuzz_seeds(fuzz_add *add, void *context)
{
    add(context, (const uint8_t[]){0}, 1);
    add(context, (const uint8_t[]){2}, 1);
}

static void resume(const ew_restart_info *info)
{
    ew_fields *fields = NULL;
    ew_error error = {0};
    int64_t frames;
    fuzz_write("s.nc", fields_file.bytes, fields_file.size);
    int status = ew_fields_resume(&fuzz_host, fuzz_path("s.nc"), ew_case_plan(run.that), run.solver, info, &fields,
                                  &frames, &error);
    MUST(status == EW_OK ? fields && frames >= 0 && frames <= 1 : !fields && fuzz_is_told(status, &error));
    ew_fields_destroy(fields);
    fuzz_remove("s.");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_restart_info info;
    ew_error error = {0};
    enum ew_stop stop;
    if (size == 0)
        return 0;
    prepare();
    if (!fuzz_change(&restart_file, "fuzzed.nc", data + 1, size - 1))
        return 0;
    MUST((data[0] & 1) || fuzz_seal(fuzz_path("fuzzed.nc")));
    fuzz_live = 0;
    int status = ew_restart_read(&fuzz_host, fuzz_path("fuzzed.nc"), ew_case_plan(run.that), run.solver, &info, &error);
    MUST(status == EW_OK || fuzz_is_told(status, &error));
    MUST(fuzz_live == 0);
    if (status != EW_OK)
        return 0;
    fuzz_accepted++;
    if (data[0] == 2)
        resume(&info);
    status = ew_solver_advance(run.solver, ew_solver_time(run.solver) + 0.01, 2, &stop, &error);
    MUST(status == EW_OK || fuzz_is_told(status, &error));
    MUST(fuzz_live == 0);
    return 0;
}
