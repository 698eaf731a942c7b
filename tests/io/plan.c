/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of a program without a case: fields, a time series and restart files from a solver and a plan. */
#include "edgewise-case.h"
#include "flows.h"
#include "helpers.h"

#include <inttypes.h>
#include <unistd.h>

static void wave(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.1 * sin(6 * x[i]) * cos(5 * y[i]);
        values[n + i] = values[2 * n + i] = 0.2;
        values[3 * n + i] = 1;
    }
}

static ew_solver *make_solver(const ew_mesh *mesh)
{
    static const ew_boundary boundary[] = {
        {.name = "bottom", .kind = "wall"}, {.name = "right", .kind = "wall"}, {.name = "top", .kind = "wall"},
        {.name = "left", .kind = "wall"}};
    ew_problem problem = {.order = 2, .initial = {.callback = wave, .variables = EW_X | EW_Y}, .boundaries = 4,
                          .boundary = boundary};
    ew_solver *solver = NULL;
    ew_error error;
    if (ew_solver_create(NULL, mesh, &problem, &solver, &error) != EW_OK)
        bail_out("%s", error.message);
    return solver;
}

/* The ten lines of a program that made its mesh from arrays. */
static void write_fields(ew_solver *solver, const ew_run_plan *plan)
{
    ew_fields *fields = NULL;
    ew_error error = {0};
    int status = ew_fields_create(NULL, "wave.nc", plan, solver, &fields, &error);
    if (status == EW_OK)
        status = ew_fields_write(fields, solver, &error);
    if (status == EW_OK)
        status = ew_solver_advance(solver, 0.01, 1000, NULL, &error);
    if (status == EW_OK)
        status = ew_fields_write(fields, solver, &error);
    if (status == EW_OK)
        status = ew_restart_write(NULL, "wave.restart.nc", plan, solver, fields, &error);
    if (status == EW_OK)
        status = ew_fields_close(fields, "complete", &error);
    ok(status == EW_OK, "fields and a restart file without a case%s%s", error.message[0] ? ": " : "", error.message);
    ew_fields_destroy(fields);
}

static void check_fields(const ew_law *law)
{
    ew_results *results = NULL;
    ew_results_info info;
    ew_error error = {0};
    if (ew_results_open(NULL, "wave.nc", &results, &error) != EW_OK)
        bail_out("%s", error.message);
    ew_results_get_info(results, &info);
    is_int(info.frames, 2, "both frames come back");
    is_str(info.case_name, "wave", "the plan's name is in the file");
    is_str(info.title, "wave", "... and is its title, if there is none");
    is_int(info.subdivide, 2, "without a word the fields have the whole polynomials");
    int k;
    for (int m = 0; m < law->variables; m++)
        is_int(ew_results_find(results, law->primitive[m], &k, &error), EW_OK, "... and %s", law->primitive[m]);
    ew_results_close(results);
}

static void check_restart(const ew_mesh *mesh, ew_solver *solver, const ew_run_plan *plan)
{
    ew_solver *other = make_solver(mesh);
    ew_restart_info info;
    ew_error error = {0};
    uint64_t hash, again;
    ok(ew_restart_read(NULL, "wave.restart.nc", plan, other, &info, &error) == EW_OK, "the restart file is read%s%s",
       error.message[0] ? ": " : "", error.message);
    ew_solver_hash(solver, &hash, NULL);
    ew_solver_hash(other, &again, NULL);
    ok(hash == again && info.frames == 2, "... and has the state and its %" PRId64 " frames", info.frames);
    ew_solver_destroy(other);
}

static void check_series(ew_solver *solver, ew_run_plan plan)
{
    static const int32_t boundary[] = {0, 1, 2, 3};
    const ew_series_probe probe = {.name = "p", .rs = {0.2, 0.3}, .element = 3};
    const ew_series_body body = {.name = "box", .boundaries = 4, .boundary = boundary, .density = 1, .speed = 1,
                                 .length = 1,
                                 .direction = {1, 0}};
    plan.series_steps = plan.probes = plan.bodies = plan.fluxes = 1;
    plan.probe = &probe;
    plan.body = &body;
    plan.flux = boundary;
    ew_series *series = NULL;
    ew_error error = {0};
    int status = ew_series_create(NULL, "wave.csv", &plan, solver, -1, &series, &error);
    if (status == EW_OK)
        status = ew_series_write(series, solver, &error);
    if (status == EW_OK)
        status = ew_series_close(series, "complete", &error);
    ok(status == EW_OK, "a time series without a case%s%s", error.message[0] ? ": " : "", error.message);
    ew_series_destroy(series);
    char line[1024] = "";
    FILE *file = fopen("wave.csv", "r");
    ok(file && fgets(line, sizeof line, file), "... is written");
    is_str(line,
           "step,time,dt,total_rho,total_rho_u,total_rho_v,total_E,flux_bottom_rho,flux_bottom_rho_u,flux_bottom_rho_v,"
           "flux_bottom_E,p_rho,p_u,p_v,p_p,box_x,box_y,box_drag,box_lift,"
           "box_moment,box_moment_coefficient\n",
           "... with the columns that the plan asks for");
    if (file)
        fclose(file);
}

/* Writes a frame with values along walls, and reads them back as a table. */
static int write_walls(const ew_host *host, ew_solver *solver, const ew_run_plan *plan, ew_error *error)
{
    ew_fields *fields = NULL;
    ew_results *results = NULL;
    int status = ew_fields_create(host, "walls.nc", plan, solver, &fields, error);
    if (status == EW_OK)
        status = ew_fields_write(fields, solver, error);
    if (status == EW_OK)
        status = ew_fields_close(fields, "complete", error);
    ew_fields_destroy(fields);
    if (status == EW_OK)
        status = ew_results_open(host, "walls.nc", &results, error);
    const ew_export table = {.format = EW_EXPORT_CSV, .frames = 1, .wall = "all"};
    if (status == EW_OK)
        status = ew_export_write(results, &table, "walls.csv", error);
    ew_results_close(results);
    return status;
}

static void check_walls(ew_solver *solver, ew_run_plan plan)
{
    static const int32_t boundary[] = {3, 1};
    const ew_wall wall = {.name = "all", .boundaries = 2, .boundary = boundary, .density = 1, .speed = 1, .length = 1,
                          .temperature = NAN};
    ew_error error = {0};
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    plan.walls = 1;
    plan.wall = &wall;
    ok(write_walls(&host, solver, &plan, &error) == EW_OK, "values along two walls%s%s", error.message[0] ? ": " : "",
       error.message);
    long made = memory.calls, wrong = 0, leaks = memory.blocks;
    for (long k = 1; k <= made; k++) {
        memory = (struct memory){.fail_at = k};
        wrong += write_walls(&host, solver, &plan, &error) != EW_ENOMEM || !strstr(error.message, "memory");
        leaks += memory.blocks;
    }
    is_int(wrong, 0, "every one of %ld allocations that fails is a sentence", made);
    is_int(leaks, 0, "... and leaks nothing");
    unlink("walls.nc");
    unlink("walls.csv");
}

static void refuses(ew_solver *solver, const ew_run_plan *plan, const char *words)
{
    ew_fields *fields = NULL;
    ew_error error = {0};
    is_int(ew_fields_create(NULL, "wrong.nc", plan, solver, &fields, &error), EW_EINVAL, "a wrong plan: %s", words);
    contains(error.message, words, "... and the sentence says so");
}

static void check_wrong_walls(ew_solver *solver, const ew_run_plan *right)
{
    static const int32_t first = 0, ninth = 9;
    const ew_wall wall = {.name = "w", .boundaries = 1, .boundary = &first, .density = 1, .speed = 1, .length = 1,
                          .temperature = NAN};
    ew_wall wrong[] = {wall, wall};
    ew_run_plan plan = *right;
    plan.walls = 1;
    refuses(solver, &plan, "the plan has 1 walls, or they are not given");
    plan.wall = wrong;
    wrong[0].name = "a/b";
    refuses(solver, &plan, "wall 0 of the plan has no name, or one with a slash");
    wrong[0] = wall, wrong[0].boundary = &ninth;
    refuses(solver, &plan, "w: there is no boundary 9");
    wrong[0] = wall, wrong[0].speed = 0;
    refuses(solver, &plan, "w: the density is 1, the speed 0");
    wrong[0] = wall, wrong[0].boundaries = 0;
    refuses(solver, &plan, "w: the wall has no boundary");
    wrong[0] = wall, wrong[0].temperature = 0;
    refuses(solver, &plan, "w: the temperature is 0; it must be greater than 0");
    wrong[0] = wall, plan.walls = 2;
    refuses(solver, &plan, "walls 0 and 1 of the plan are both called \"w\"");
}

static void check_wrong_plans(ew_solver *solver, const ew_run_plan *right)
{
    static const int output[] = {0, 77};
    static const int32_t boundary[] = {9};
    const ew_series_probe probe = {.name = "p", .element = 1 << 20};
    const ew_series_body body = {.name = "b", .boundaries = 1, .boundary = boundary};
    ew_run_plan plan = *right;
    plan.name = NULL;
    refuses(solver, &plan, "has no name");
    plan = *right, plan.outputs = 2, plan.output = output;
    refuses(solver, &plan, "has the number 77");
    plan = *right, plan.outputs = 99;
    refuses(solver, &plan, "99 outputs");
    plan = *right, plan.subdivide = 101;
    refuses(solver, &plan, "101^2");
    plan = *right, plan.compression = 10;
    refuses(solver, &plan, "compression is 10");
    plan = *right, plan.fluxes = 1, plan.flux = boundary;
    refuses(solver, &plan, "boundary 9");
    plan = *right, plan.probes = 1, plan.probe = &probe;
    refuses(solver, &plan, "probe 0");
    plan = *right, plan.bodies = 1, plan.body = &body;
    refuses(solver, &plan, "there is no boundary 9");
    check_wrong_walls(solver, right);
    ok(access("wrong.nc", F_OK) != 0 && access("wrong.nc.part", F_OK) != 0, "and none of them leaves a file");
}

static void check_times(void)
{
    static const double at[] = {0.25, 0.7};
    ew_run_plan plan;
    ew_run_plan_init(&plan);
    ok(ew_run_plan_next_frame(&plan, 3) == INFINITY && ew_run_plan_next_restart(&plan, 3) == INFINITY,
       "a plan that says nothing has neither an end nor frames on the way");
    plan.end = 1, plan.every = 0.5, plan.times = 2, plan.at = at;
    is_close(ew_run_plan_next_frame(&plan, 0), 0.25, 0, "a time that is asked for");
    is_close(ew_run_plan_next_frame(&plan, 0.25), 0.5, 0, "a multiple of the period");
    is_close(ew_run_plan_next_frame(&plan, 0.7), 1, 0, "the end");
}

int main(void)
{
    char folder[] = "/tmp/edgewise-plan.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("no temporary folder");
    ew_mesh *mesh = box((struct box){.nx = 5, .ny = 4, .width = 1.0, .height = 1.0, .jitter = 0.1});
    ew_solver *solver = make_solver(mesh);
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    ew_run_plan plan;
    ew_run_plan_init(&plan);
    plan.name = "wave";
    plan.end = 0.01;
    write_fields(solver, &plan);
    check_fields(info.law);
    check_restart(mesh, solver, &plan);
    check_series(solver, plan);
    check_walls(solver, plan);
    check_wrong_plans(solver, &plan);
    check_times();
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    unlink("wave.nc");
    unlink("wave.csv");
    unlink("wave.restart.nc");
    if (chdir("/") == 0)
        rmdir(folder);
    return done_testing();
}
