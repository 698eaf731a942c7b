/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many threads a solver takes, and that its team works like one thread: the same bits and sentences, wherever it is
 * called from.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw */
#endif
#include "ewi_parallel.h"
#include "ewi_threads.h"
#include "flows.h"

#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- cgroups ----------------------------------------------------------------------------------------------------- */

static void put(const char *root, const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0777);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        bail_out("%s cannot be written", name);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static void remove_root(const char *root)
{
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void new_root(char *root, size_t size)
{
    snprintf(root, size, "/tmp/edgewise-threads.XXXXXX");
    if (!mkdtemp(root))
        bail_out("no temporary folder");
}

static void check_version_2(void)
{
    char root[64];
    new_root(root, sizeof root);
    ok(ewi_cgroup_cpus(root) == INFINITY, "a system without cgroups has no limit");
    put(root, "/proc/self/cgroup", "0::/outer/inner\n");
    ok(ewi_cgroup_cpus(root) == INFINITY, "a cgroup without the controller has no limit");
    put(root, "/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
    ok(ewi_cgroup_cpus(root) == INFINITY, "\"max\" is no limit");
    put(root, "/sys/fs/cgroup/outer/inner/cpu.max", "150000 100000\n");
    is_close(ewi_cgroup_cpus(root), 1.5, 0.0, "a limit of 1.5 CPUs");
    put(root, "/sys/fs/cgroup/outer/cpu.max", "50000 100000\n");
    is_close(ewi_cgroup_cpus(root), 0.5, 0.0, "the least limit of a group and those around it counts");
    put(root, "/sys/fs/cgroup/cpu.max", "25000 100000\n");
    is_close(ewi_cgroup_cpus(root), 0.25, 0.0, "so does that of the outermost one that a container sees");
    put(root, "/sys/fs/cgroup/cpu.max", "nonsense\n");
    is_close(ewi_cgroup_cpus(root), 0.5, 0.0, "what is no number is no limit");
    remove_root(root);
}

static void check_version_1(void)
{
    char root[64];
    new_root(root, sizeof root);
    put(root, "/proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/x\n");
    put(root, "/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    put(root, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    ok(ewi_cgroup_cpus(root) == INFINITY, "version 1: -1 is no limit");
    put(root, "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
    is_close(ewi_cgroup_cpus(root), 3.0, 0.0, "version 1: a limit of 3 CPUs");
    put(root, "/proc/self/cgroup", "5:cpuset:/job\n");
    ok(ewi_cgroup_cpus(root) == INFINITY, "version 1: another controller's group has no limit");
    remove_root(root);
}

static void check_count(void)
{
    char why[128];
#ifdef _OPENMP
    is_int(ew_thread_count(3, why, sizeof why), 3, "as many threads as were asked for");
    is_str(why, "as asked for", "... and why");
    is_int(ew_thread_count(EW_MAX_THREADS + 1, NULL, 0), EW_MAX_THREADS, "but no more than EW_MAX_THREADS");
    int before = omp_get_max_threads();
    omp_set_num_threads(omp_get_num_procs() + 3);
    is_int(ew_thread_count(0, why, sizeof why), omp_get_num_procs() + 3, "the host's own word to OpenMP counts");
    is_str(why, getenv("OMP_NUM_THREADS") ? "OMP_NUM_THREADS" : "omp_set_num_threads", "... and is the reason");
    omp_set_num_threads(before);
    ok(ew_thread_count(0, why, sizeof why) >= 1 && why[0], "%d threads here: %s", ew_thread_count(0, NULL, 0), why);
#else
    is_int(ew_thread_count(3, why, sizeof why), 1, "one thread without OpenMP");
    contains(why, "without OpenMP", "... and why");
#endif
}

/* ---- the team ---------------------------------------------------------------------------------------------------- */

static const char *const wave[] = {"1 + 0.2*sin(6*x)*cos(5*y)", "0.4", "0.3", "1"};
static const char *const pulse[] = {"1 + 0.1*sin(20*t)", "0.4", "0.3", "1"};

struct flow {
    ew_problem problem;
    ew_boundary boundary[4];
    ew_formula *formula[2];
};

/*
 * With all that a step may consist of: boundaries in time, and as the variant says the limiter, a search for a steady
 * state, each set.
 */
static struct flow flow_of(const ew_mesh *mesh, int variant)
{
    struct flow flow = {.problem = {.order = variant & 1 ? 1 : 2,
                                    .limiter = variant & 1 ? "barth-jespersen" : "none",
                                    .kernels = variant & 2 ? "edgewise" : "fused",
                                    .steady = variant & 4 ? 1e-300 : 0.0,
                                    .scheme = variant & 4 ? "ssprk33" : NULL,
                                    .backend = "omp"},
                        .formula = {formula(4, wave), formula(4, pulse)}};
    flow.problem.initial.formula = flow.formula[0];
    flow.problem.boundaries = boundaries(mesh, "state", (ew_data){.formula = flow.formula[1]}, flow.boundary);
    return flow;
}

static void forget(const struct flow *flow)
{
    for (int k = 0; k < 2; k++)
        ew_formula_destroy(flow->formula[k]);
}

static ew_solver *solver_of(const ew_mesh *mesh, const struct flow *flow, int threads)
{
    ew_solver *solver;
    ew_error error;
    ew_problem problem = flow->problem;
    problem.boundary = flow->boundary;
    problem.threads = threads;
    if (ew_solver_create(NULL, mesh, &problem, &solver, &error))
        bail_out("no solver: %s", error.message);
    return solver;
}

static uint64_t hash_after(const ew_mesh *mesh, const struct flow *flow, int threads, int calls, int64_t steps)
{
    ew_solver *solver = solver_of(mesh, flow, threads);
    uint64_t hash = 0;
    bool good = true;
    for (int k = 0; k < calls; k++)
        good = good && advance(solver, never, steps);
    if (!good || ew_solver_hash(solver, &hash, NULL))
        bail_out("no hash");
    ew_solver_destroy(solver);
    return hash;
}

static void check_bits(const ew_mesh *mesh)
{
    for (int variant = 0; variant < 8; variant++) {
        struct flow flow = flow_of(mesh, variant);
        uint64_t one = hash_after(mesh, &flow, 1, 1, 12);
        int same = 0;
        for (int threads = 2; threads <= 9; threads += threads < 3 ? 1 : 3)
            same += (hash_after(mesh, &flow, threads, 1, 12) == one) + (hash_after(mesh, &flow, threads, 6, 2) == one);
        is_int(same, 8, "variant %d: the same bits for 1, 2, 3, 6 and 9 threads, however the run is divided", variant);
        forget(&flow);
    }
}

/* A mean that is broken by a time step too large: the same sentence, and the solver can be set anew. */
static void check_broken(const ew_mesh *mesh)
{
    struct flow flow = flow_of(mesh, 0);
    char sentence[2][1024];
    ew_error error;
    flow.problem.cfl = 20.0;
    for (int threads = 1; threads <= 4; threads += 3) {
        ew_solver *solver = solver_of(mesh, &flow, threads);
        is_int(ew_solver_advance(solver, never, 1000, NULL, &error), EW_ESTATE, "%d threads: a run that breaks says so",
               threads);
        memcpy(sentence[threads > 1], error.message, sizeof error.message);
        is_int(ew_solver_advance(solver, never, 1000, NULL, &error), EW_ESTATE,
               "... and says it again when it is called again");
        ew_solver_destroy(solver);
    }
    is_str(sentence[1], sentence[0], "... with the same sentence for one thread and several");
    forget(&flow);
}

struct job {
    const ew_mesh *mesh;
    struct flow *flow;
    uint64_t hash;
};

static void *run_job(void *context)
{
    struct job *job = context;
    job->hash = hash_after(job->mesh, job->flow, 3, 4, 3);
    return NULL;
}

static void check_callers(const ew_mesh *mesh)
{
    struct flow flow = flow_of(mesh, 0);
    struct job job[3];
    pthread_t thread[3];
    uint64_t one = hash_after(mesh, &flow, 1, 1, 12);
    for (int k = 0; k < 3; k++) {
        job[k] = (struct job){mesh, &flow, 0};
        if (pthread_create(&thread[k], NULL, run_job, &job[k]))
            bail_out("no thread");
    }
    bool same = true;
    for (int k = 0; k < 3; k++) {
        pthread_join(thread[k], NULL);
        same = same && job[k].hash == one;
    }
    ok(same, "solvers of three threads of the host at once");
    uint64_t inside[2] = {one, one};
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int k = 0; k < 2; k++)
        inside[k] = hash_after(mesh, &flow, 3, 4, 3);
#endif
    ok(inside[0] == one && inside[1] == one, "solvers of a parallel region of the host's");
    forget(&flow);
}

/* A limited stage whose order was planned for several threads, by one. */
static void check_fewer(const ew_mesh *mesh)
{
    struct flow flow = flow_of(mesh, 1);
    uint64_t one = hash_after(mesh, &flow, 1, 1, 12), hash = 0;
    ew_solver *solver = solver_of(mesh, &flow, 3);
    bool good = advance(solver, never, 4);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#pragma omp single
#endif
    good = advance(solver, never, 4) && good;
    good = advance(solver, never, 4) && good;
    ok(good && ew_solver_hash(solver, &hash, NULL) == EW_OK && hash == one,
       "a limited solver of three threads, for some steps in a parallel region of the host's");
    ew_solver_destroy(solver);
    forget(&flow);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

enum { ITEMS = 100000 };

struct marks {
    uint8_t done[ITEMS];
    _Atomic int calls;
    _Atomic bool nested;
};

static void mark(void *context, int64_t first, int64_t last)
{
    struct marks *marks = context;
    marks->calls++;
    if (marks->nested) {
        struct marks *inner = calloc(1, sizeof *inner);
        ewi_parallel_shares(ITEMS, 0, mark, inner);
        marks->nested = inner->calls == 1; /* by the thread that calls it */
        free(inner);
    }
    for (int64_t k = first; k < last; k++)
        marks->done[k]++;
}

static bool each_once(const struct marks *marks, int64_t count)
{
    for (int64_t k = 0; k < ITEMS; k++)
        if (marks->done[k] != (k < count))
            return false;
    return true;
}

static bool loop_is_whole(int threads, int64_t count, int64_t part)
{
    struct marks *parts = calloc(1, sizeof *parts), *shares = calloc(1, sizeof *shares);
    ewi_parallel_parts(threads, count, part, mark, parts);
    ewi_parallel_shares(count, part, mark, shares);
    bool whole = each_once(parts, count) && each_once(shares, count);
    free(parts);
    free(shares);
    return whole;
}

static void *loop_often(void *result)
{
    *(bool *)result = true;
    for (int k = 0; k < 20; k++)
        *(bool *)result = loop_is_whole(2 + k % 2, ITEMS - k, 100) && *(bool *)result;
    return NULL;
}

static void check_loops(void)
{
    bool whole = true;
    for (int threads = 0; threads < 6; threads++)
        for (int64_t count = 0; count <= ITEMS; count = 7 * count + 1)
            whole = loop_is_whole(threads, count, 1 + count / 9) && whole;
    ok(whole, "a loop does each item once, for any number of threads, items and parts");

    struct marks *marks = calloc(1, sizeof *marks);
    marks->nested = true;
    ewi_parallel_parts(3, ITEMS, ITEMS / 8, mark, marks);
    ok(marks->nested && each_once(marks, ITEMS), "a loop within a loop stays with its thread");
    free(marks);

    pthread_t thread[3];
    bool right[3];
    for (int k = 0; k < 3; k++)
        if (pthread_create(&thread[k], NULL, loop_often, &right[k]))
            bail_out("no thread");
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    ok(right[0] && right[1] && right[2], "loops of several threads of the host's at once");
}

struct takers {
    pthread_t caller;
    atomic_int others, take_signals;
};

static void count_takers(void *context, int64_t first, int64_t last)
{
    struct takers *takers = context;
    sigset_t blocked;
    (void)first, (void)last;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    takers->others += !pthread_equal(pthread_self(), takers->caller);
    takers->take_signals += !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1);
}

/* First of all loops: later ones find the threads made. */
static void check_signals(void)
{
    struct takers takers = {.caller = pthread_self()};
    ewi_parallel_shares(2 * ITEMS, 1, count_takers, &takers);
    if (takers.others == 0)
        skip("the loop had one thread", "of a loop's threads only the caller takes signals");
    else
        is_int(takers.take_signals, 1, "of a loop's threads only the caller takes signals");
}

/* The child has none of the threads that wait for the parent's loops. */
static void check_fork(void)
{
#ifdef __SANITIZE_ADDRESS__
    skip("AddressSanitizer's locks may be held by a thread that ends during fork", "a child of fork loops");
    return;
#endif
    loop_is_whole(4, ITEMS, 10);
    pid_t child = fork();
    if (child == 0) {
        alarm(300); /* it hangs; a busy machine may need half a minute */
        _exit(loop_is_whole(4, ITEMS, 10) ? 0 : 1);
    }
    int how = -1;
    waitpid(child, &how, 0);
    is_int(how, 0, "a child of fork loops with threads of its own");
    ok(loop_is_whole(4, ITEMS, 10), "... and its parent with those that it had");
}

int main(void)
{
    check_signals();
    check_loops();
    check_fork();
    check_version_2();
    check_version_1();
    check_count();
    ew_mesh *mesh = box((struct box){.nx = 33, .ny = 21, .width = 1.0, .height = 1.0, .jitter = 0.2});
    check_bits(mesh);
    check_broken(mesh);
    check_callers(mesh);
    check_fewer(mesh);
    ew_mesh_destroy(mesh);
    return done_testing();
}
