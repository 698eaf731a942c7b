/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of fields, and restart files, for plot and export. The first byte: 1 a restart file, 6 what is done with it,
 * the rest which field. What opens is sampled, drawn, probed or exported.
 */
#include "edgewise-plot.h"
#include "ewi_fields.h"
#include "netcdf.h"
#include "small-run.h"

enum { FEW_TRIANGLES = 200 };

static struct fuzz_file fields_file, restart_file;

static void write_files(void)
{
    struct small_run run = make_small_run();
    ew_fields *fields = NULL;
    ew_error error = {0};
    enum ew_stop stop;
    MUST(ew_fields_create(NULL, fuzz_path("seed.nc"), ew_case_plan(run.that), run.solver, &fields, &error) == EW_OK);
    MUST(ew_fields_write(fields, run.solver, &error) == EW_OK);
    MUST(ew_solver_advance(run.solver, 0.05, 3, &stop, &error) == EW_OK);
    MUST(ew_fields_write(fields, run.solver, &error) == EW_OK);
    MUST(ew_restart_write(NULL, fuzz_path("seed.restart.nc"), ew_case_plan(run.that), run.solver, fields, &error) ==
         EW_OK);
    MUST(ew_fields_close(fields, "complete", &error) == EW_OK);
    ew_fields_destroy(fields);
    ew_solver_destroy(run.solver);
    ew_case_destroy(run.that);
}

static void prepare(void)
{
    if (fields_file.size > 0)
        return;
    write_files();
    fuzz_make_classic("seed.nc", "classic.nc");
    fuzz_load("classic.nc", &fields_file);
    fuzz_load("seed.restart.nc", &restart_file);
    restart_file.size -= EWI_SEAL;
}

void fuzz_seeds(fuzz_add *add, void *context)
{
    prepare();
    for (int how = 0; how < 64; how += how < 8 ? 1 : 9)
        add(context, (const uint8_t[]){(uint8_t)how, 0, 0, 0}, 1);
}

static void expect(int status, const ew_error *why)
{
    ew_error error = *why;
    MUST(status == EW_OK || fuzz_is_told(status, &error));
}

static void sample(const ew_results *results, const ew_results_info *info, int field)
{
    static const double rs[] = {0.2, 0.3};
    double corners[6], value;
    ew_error error = {0};
    expect(ew_results_corners(results, info->elements - 1, 1, corners, &error), &error);
    expect(ew_results_sample(results, info->frames - 1, field, info->elements - 1, 1, 1, rs, &value, &error), &error);
}

static void draw(const ew_results *results, const ew_results_info *info, int field)
{
    const ew_plot plot = {.field = field, .frame = info->frames - 1, .width = EW_PLOT_LEAST, .height = EW_PLOT_LEAST,
                          .supersample = 1, .isolines = 3, .mesh = 1, .threads = 1, .bare = field % 2};
    const ew_probe probe = {.field = field, .line = {info->xmin, info->ymin, info->xmax, info->ymax}, .points = 20};
    ew_error error = {0};
    double window[4];
    expect(ew_plot_bodies(results, window, &error), &error);
    expect(ew_plot_write(results, &plot, fuzz_path("fuzzed.png"), NULL, &error), &error);
    expect(ew_probe_write(results, &probe, fuzz_path("fuzzed.csv"), &error), &error);
}

static void export(const ew_results *results, const ew_results_info *info, int field)
{
    static const char *const names[] = {
        [EW_EXPORT_VTU] = "fuzzed.vtu", [EW_EXPORT_GMSH] = "fuzzed.msh", [EW_EXPORT_CSV] = "fuzzed.csv"};
    ew_export what = {.format = (enum ew_export_format)(field % 3), .frames = 1, .lagrange = field / 3 % 2};
    ew_error error = {0};
    if (info->elements <= FEW_TRIANGLES)
        expect(ew_export_write(results, &what, fuzz_path(names[what.format]), &error), &error);
}

static void use(const ew_results *results, int how)
{
    ew_results_info info;
    ew_results_get_info(results, &info);
    ew_error error = {0};
    MUST(info.elements > 0 && info.frames >= 0 && info.fields >= 0);
    if (info.frames == 0 || info.fields == 0)
        return;
    int field = how / 8 % info.fields;
    if (how & 2)
        draw(results, &info, field);
    else if (how & 4)
        export(results, &info, how / 8);
    else
        sample(results, &info, field);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_results *results = NULL;
    ew_error error = {0};
    if (size == 0)
        return 0;
    prepare();
    bool is_restart = data[0] & 1;
    if (!fuzz_change(is_restart ? &restart_file : &fields_file, "fuzzed.nc", data + 1, size - 1))
        return 0;
    MUST(!is_restart || fuzz_seal(fuzz_path("fuzzed.nc")));
    fuzz_live = 0;
    int status = ew_results_open(&fuzz_host, fuzz_path("fuzzed.nc"), &results, &error);
    MUST(status == EW_OK ? results != NULL : !results && fuzz_is_told(status, &error));
    if (results)
        use(results, data[0]);
    fuzz_accepted += results != NULL;
    ew_results_close(results);
    MUST(fuzz_live == 0);
    return 0;
}
