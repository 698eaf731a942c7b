/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sensor that stops a run: it looks at the pressure at the case's first probe after every step, and ends the run when
 * the blast arrives. The run's files are whole, and have the state at that moment as their last frame.
 *   cc sensor.c $(pkg-config --cflags --libs edgewise-case) && ./a.out sensor.cfg 1.1
 */
#include <edgewise-case.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sensor {
    ew_solver *solver;
    const ew_series_probe *probe;
    int pressure; /* its number among the law's quantities */
    double limit, last;
    int fired;
};

static int find_pressure(const ew_law *law)
{
    int k = 0;
    const char *name;
    while ((name = ew_law_output(law, k, NULL)) && strcmp(name, "p") != 0)
        k++;
    return k;
}

/* Between steps. */
static int look(struct sensor *sensor, ew_error *error)
{
    int status = ew_solver_sample_outputs(sensor->solver, sensor->probe->element, 1, 1, sensor->probe->rs, 1,
                                          &sensor->pressure, &sensor->last, error);
    sensor->fired = status == EW_OK && sensor->last > sensor->limit;
    return status;
}

/* What the run asks. */
static int has_fired(void *context)
{
    return ((const struct sensor *)context)->fired;
}

static int watch(ew_run *run, struct sensor *sensor, ew_error *error)
{
    ew_run_summary summary = {EW_RUN_GOES_ON};
    int status = EW_OK;
    while (status == EW_OK && summary.end == EW_RUN_GOES_ON) {
        status = look(sensor, error);
        if (status == EW_OK)
            status = ew_run_advance(run, sensor->fired ? INT64_MAX : 1, error);
        ew_run_get_summary(run, &summary);
    }
    if (status == EW_OK)
        printf("%s at t = %.4f, p = %.3f: %s\n", ew_run_end_name(summary.end), summary.time, sensor->last,
               summary.fields);
    return status;
}

int main(int argc, char **argv)
{
    ew_case *box = NULL;
    ew_solver *solver = NULL;
    ew_run *run = NULL;
    ew_error error;
    struct sensor sensor = {0};
    ew_run_options options = {0};
    int status;
    if (argc != 3)
        return fprintf(stderr, "usage: %s CASE.cfg PRESSURE\n", argv[0]), 64;
    sensor.limit = strtod(argv[2], NULL);
    options.context = &sensor;
    options.stop = has_fired;
    status = ew_case_read(NULL, argv[1], NULL, &box, &error);
    if (status == EW_OK)
        status = ew_solver_create(NULL, ew_case_mesh(box), ew_case_problem(box), &solver, &error);
    if (status == EW_OK && ew_case_plan(box)->probes == 0)
        return fprintf(stderr, "%s has no probe\n", argv[1]), 65;
    if (status == EW_OK) {
        sensor.solver = solver;
        sensor.probe = ew_case_plan(box)->probe;
        sensor.pressure = find_pressure(ew_law_find(ew_case_problem(box)->law));
        status = ew_run_create(NULL, ew_case_plan(box), solver, &options, &run, &error);
    }
    if (status == EW_OK)
        status = watch(run, &sensor, &error);
    if (status != EW_OK)
        fprintf(stderr, "%s\n", error.message);
    ew_run_destroy(run);
    ew_solver_destroy(solver);
    ew_case_destroy(box);
    return status != EW_OK;
}
