/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many frames a second can be written, with nothing else going on: one state, again and again, as a run writes its
 * frames from copies of it. Milliseconds, of some rounds the best:
 *     copy       of the state in the host's memory: into memory that is new, and into the same again
 *     norms, hash, values    of all elements, by the threads that there are
 *     alone      a frame that nobody has announced, from the call to its end: the least and the median
 *     in a row   the time from one frame to the next where each is announced while those before are written, and frames
 *     a second
 *     of that    in the system, for each frame: for room on the disk, for writing, and, beside it, for bringing it to
 *     the disk
 *     disk       until all of it is on the disk, after the last frame
 * Usage: writer [-t threads] [-n frames] [-r rounds] [-s path.to.key=value]... CASE.cfg FILE.nc
 */
#include "edgewise-case.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { COPIES = 4, MOST_FRAMES = 1000, MOST_SETTINGS = 16 };

struct bench {
    const char *path;
    ew_case *that;
    ew_solver *solver, *copy[COPIES];
    ew_case_info info;
    ew_solver_info solver_info;
    int64_t elements;
    int frames, rounds;
    const char *setting[MOST_SETTINGS];
    size_t settings;
};

static ew_error error;

static void stop_on(int status)
{
    if (status == EW_OK)
        return;
    fprintf(stderr, "writer: %s\n", error.message);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

/* ---- what the library and HDF5 call of the system ---- */

enum { ROOM, WRITING, TO_DISK, CALLS };

static _Atomic int64_t spent[CALLS]; /* nanoseconds */

static long timed(int call, long number, long a, long b, long c, long d)
{
    double begun = now();
    long result = syscall(number, a, b, c, d);
    atomic_fetch_add(&spent[call], (int64_t)(1e6 * (now() - begun)));
    return result;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT int fallocate(int file, int mode, off_t at, off_t length);
int fallocate(int file, int mode, off_t at, off_t length)
{
    return (int)timed(ROOM, SYS_fallocate, file, mode, at, length);
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t length, off_t at)
{
    return timed(WRITING, SYS_pwrite64, file, (long)bytes, (long)length, at);
}

EXPORT ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at);
ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at)
{
    return timed(WRITING, SYS_pwrite64, file, (long)bytes, (long)length, at);
}

EXPORT int fsync(int file)
{
    return (int)timed(TO_DISK, SYS_fsync, file, 0, 0, 0);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ew_fields *create(const struct bench *bench)
{
    ew_fields *fields;
    stop_on(ew_fields_create(NULL, bench->path, ew_case_plan(bench->that), bench->solver, &fields, &error));
    return fields;
}

static double close_and_remove(const struct bench *bench, ew_fields *fields)
{
    double begun = now();
    stop_on(ew_fields_close(fields, "complete", &error));
    double taken = now() - begun;
    ew_fields_destroy(fields);
    unlink(bench->path);
    return taken;
}

static void measure_copies(struct bench *bench)
{
    double new = INFINITY, again = INFINITY;
    for (int k = 0; k < COPIES + bench->rounds; k++) {
        double begun = now();
        stop_on(ew_solver_snapshot(bench->solver, bench->info.plan.outputs, bench->info.plan.output,
                                   &bench->copy[k % COPIES], &error));
        if (k < COPIES)
            new = fmin(new, now() - begun);
        else
            again = fmin(again, now() - begun);
    }
    printf("copy     %8.2f ms, again %.2f ms\n", new, again);
}

static void measure_parts(const struct bench *bench)
{
    enum { POINTS = 66 };
    int s = bench->info.plan.subdivide, points = (s + 1) * (s + 2) / 2;
    if (points > POINTS)
        return;
    double rs[2 * POINTS] = {0}, best[3] = {INFINITY, INFINITY, INFINITY};
    for (int j = 0, k = 0; j <= s; j++)
        for (int i = 0; i + j <= s; i++, k++) {
            rs[2 * k] = (double)i / s;
            rs[2 * k + 1] = (double)j / s;
        }
    int variables = bench->solver_info.law->variables;
    size_t column = (size_t)bench->elements * (size_t)points;
    double *values = calloc(column * (size_t)(bench->info.plan.outputs + variables), sizeof *values);
    void **node = malloc((size_t)(bench->info.plan.outputs + variables) * sizeof *node);
    if (!values || !node)
        exit(1);
    for (int k = 0; k < bench->info.plan.outputs + variables; k++)
        node[k] = values + (size_t)k * column;
    for (int round = 0; round < bench->rounds; round++) {
        ew_norms norms;
        uint64_t hash;
        double begun = now();
        stop_on(ew_solver_norms(bench->copy[0], &norms, &error));
        best[0] = fmin(best[0], now() - begun);
        begun = now();
        stop_on(ew_solver_hash(bench->copy[0], &hash, &error));
        best[1] = fmin(best[1], now() - begun);
        begun = now();
        stop_on(ew_solver_sample_columns(bench->copy[0], 0, bench->elements, points, rs, bench->info.plan.outputs,
                                         bench->info.plan.output, bench->info.plan.single, node,
                                         node + bench->info.plan.outputs, &error));
        best[2] = fmin(best[2], now() - begun);
    }
    printf("norms    %8.2f ms\nhash     %8.2f ms\nvalues   %8.2f ms\n", best[0], best[1], best[2]);
    free(node);
    free(values);
}

static void measure_alone(const struct bench *bench)
{
    double taken[MOST_FRAMES];
    ew_fields *fields = create(bench);
    for (int k = 0; k < bench->frames; k++) {
        double begun = now();
        stop_on(ew_fields_write(fields, bench->copy[0], &error));
        taken[k] = now() - begun;
    }
    double disk = close_and_remove(bench, fields);
    qsort(taken, (size_t)bench->frames, sizeof *taken, by_size);
    printf("alone    %8.2f ms, median %.2f ms; disk %.0f ms\n", taken[0], taken[bench->frames / 2], disk);
}

/* As many copies as a run has: a frame is announced when its copy would be free. */
static void measure_row(const struct bench *bench)
{
    double best = INFINITY, disk = 0, part[CALLS] = {0};
    for (int round = 0; round < bench->rounds; round++) {
        ew_fields *fields = create(bench);
        for (int k = 0; k < CALLS; k++)
            atomic_store(&spent[k], 0);
        double begun = now();
        for (int k = 0; k < COPIES && k < bench->frames; k++)
            ew_fields_expect(fields, bench->copy[k]);
        for (int k = 0; k < bench->frames; k++) {
            stop_on(ew_fields_write(fields, bench->copy[k % COPIES], &error));
            if (k + COPIES < bench->frames)
                ew_fields_expect(fields, bench->copy[k % COPIES]);
        }
        double taken = (now() - begun) / bench->frames, of_it[CALLS];
        for (int k = 0; k < CALLS; k++)
            of_it[k] = 1e-6 * (double)atomic_load(&spent[k]) / bench->frames;
        double closing = close_and_remove(bench, fields);
        if (taken < best) {
            best = taken;
            memcpy(part, of_it, sizeof part);
            disk = closing;
        }
    }
    printf("in a row %8.2f ms, %.1f frames a second; disk %.0f ms\n", best, 1e3 / best, disk);
    printf("of that  %8.2f ms for room, %.2f ms for writing; beside it %.2f ms to the disk\n", part[ROOM],
           part[WRITING], part[TO_DISK]);
}

static int read_options(int argc, char **argv, struct bench *bench)
{
    int option;
    while ((option = getopt(argc, argv, "t:n:r:s:")) != -1) {
        if (option == 's' && bench->settings < MOST_SETTINGS) {
            bench->setting[bench->settings++] = optarg;
            continue;
        }
        int number = option == '?' ? 0 : (int)strtol(optarg, NULL, 10);
        if (number < 1 || option == 's' || (option == 'n' && number > MOST_FRAMES))
            return -1;
        if (option == 'n')
            bench->frames = number;
        else if (option == 'r')
            bench->rounds = number;
#ifdef _OPENMP
        else
            omp_set_num_threads(number);
#endif
    }
    return argc - optind == 2 ? optind : -1;
}

int main(int argc, char **argv)
{
    struct bench bench = {.frames = 16, .rounds = 3, .settings = 1, .setting = {"backend.name=omp"}};
    int first = read_options(argc, argv, &bench);
    if (first < 0) {
        fprintf(stderr,
                "Usage: writer [-t threads] [-n frames] [-r rounds] [-s path.to.key=value]... CASE.cfg FILE.nc\n");
        return 64;
    }
    bench.path = argv[first + 1];
    ew_case_options options = {.settings = bench.settings, .setting = bench.setting};
    stop_on(ew_case_read(NULL, argv[first], &options, &bench.that, &error));
    ew_mesh_info mesh;
    ew_mesh_get_info(ew_case_mesh(bench.that), &mesh);
    ew_case_get_info(bench.that, &bench.info);
    bench.elements = mesh.elements;
    stop_on(ew_solver_create(NULL, ew_case_mesh(bench.that), ew_case_problem(bench.that), &bench.solver, &error));
    ew_solver_get_info(bench.solver, &bench.solver_info);
    printf("%lld triangles, order %d, a frame of %.1f MB\n", (long long)bench.elements, bench.solver_info.order,
           1e-6 * ew_fields_frame_bytes(&bench.info.plan, ew_case_problem(bench.that), &mesh, NULL));
    measure_copies(&bench);
    measure_parts(&bench);
    measure_alone(&bench);
    measure_row(&bench);
    for (int k = 0; k < COPIES; k++)
        ew_solver_destroy(bench.copy[k]);
    ew_solver_destroy(bench.solver);
    ew_case_destroy(bench.that);
    return 0;
}
