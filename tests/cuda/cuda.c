/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA backend without a GPU: what it says of a machine that cannot run it, and every call of the driver failing in
 * turn. What its kernels compute is compared in tests/src/parity and, on a GPU, in tests/src/parity-gpu.
 */
#include "edgewise.h"
#include "ewi_cuda.h"
#include "ewi_diagnostics.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "fake-cuda.h"
#include "helpers.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ew_mesh *mesh;
static ew_formula *state, *moving;

static void make_mesh(void)
{
    static const ew_side_part side[] = {{"in", 0, 1}};
    const ew_rectangle rectangle = {.x1 = 1, .y1 = 1, .nx = 4, .ny = 4, .jitter = 0.3, .seed = 7,
                                    .side = {{1, side}, {1, side}, {1, side}, {1, side}}};
    static const char *const text[] = {"1 + 0.1*x", "0.1", "0.2", "1"}, *const late[] = {"1 + 0.1*x", "0.1*cos(t)",
                                                                                         "0.2", "1"};
    ew_scope *scope;
    ew_error error;
    must(ew_mesh_rectangle(NULL, &rectangle, &mesh, &error), &error);
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_formula_create(scope, 4, text, &state, &error), &error);
    must(ew_formula_create(scope, 4, late, &moving, &error), &error);
    ew_scope_destroy(scope);
}

static void from_callback(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    ew_formula_evaluate(moving, n, x, y, t, values, n);
}

static ew_boundary boundary = {.name = "in", .kind = "state"};

static ew_problem problem_of(bool callback)
{
    boundary.state = callback ? (ew_data){.callback = from_callback, .variables = EW_X | EW_T}
                              : (ew_data){.formula = moving};
    return (ew_problem){.backend = "cuda", .order = 1, .limiter = "barth-jespersen", .scheme = "rk2", .steady = 1e-30,
                        .initial = {.formula = state}, .boundaries = 1, .boundary = &boundary};
}

/* A short life: create, step, take two copies between steps, look, read. The hash is of all that was read. */
static int live(const ew_problem *problem, uint64_t *hash, ew_error *error)
{
    ew_solver *solver = NULL, *copy[2] = {NULL, NULL};
    double dt;
    uint64_t part[3];
    int status = ew_solver_create(NULL, mesh, problem, &solver, error);
    if (status == EW_OK)
        status = ew_solver_time_step(solver, &dt, error);
    for (int k = 0; k < 3 && status == EW_OK; k++) {
        status = ew_solver_snapshot(solver, 0, NULL, &copy[k % 2], error); /* the first one again */
        if (status == EW_OK)
            status = ew_solver_advance(solver, INFINITY, 2, NULL, error);
    }
    for (int k = 0; k < 2 && status == EW_OK; k++)
        status = ew_solver_hash(copy[k], &part[k], error);
    if (status == EW_OK)
        status = ew_solver_hash(solver, &part[2], error);
    if (status == EW_OK)
        *hash = part[0] * 3 + part[1] * 5 + part[2];
    for (int k = 0; k < 2; k++)
        ew_solver_destroy(copy[k]);
    ew_solver_destroy(solver);
    return status;
}

static void ask(const char *rule)
{
    setenv("FAKE_CUDA", rule, 1);
}

static void refused(const char *rule, int device, const char *image, int code, const char *words, const char *what)
{
    ew_problem problem = problem_of(false);
    ew_error error = {0};
    uint64_t hash;
    problem.device = device;
    problem.image = image;
    ask(rule);
    is_int(live(&problem, &hash, &error), code, "%s: refused", what);
    contains(error.message, words, "%s: the sentence says so", what);
    ask("");
}

/* Each with the file that was loaded, the number, and what to do about it. */
static void check_advice(void)
{
    static const struct {
        const char *rule, *advice;
    } cases[] = {
        {"cuInit:34", ": this file is the CUDA toolkit's stub"},
        {"cuInit:46", ": its GPUs are in exclusive use"},
        {"cuInit:802", ": GPUs that NVSwitch joins need the fabric manager"},
        {"cuInit:803", ": this file and the kernel module are of different versions"},
        {"cuInit:804", ": this file is from a cuda-compat package"},
        {"cuInit:999", ": the kernel module is out of order"},
        {"cuInit:712", ": is its kernel module loaded?"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        refused(cases[k].rule, 0, NULL, EW_EUNAVAILABLE, "/libcuda.so.1", cases[k].rule);
        refused(cases[k].rule, 0, NULL, EW_EUNAVAILABLE, cases[k].advice, "... and its cause");
    }
}

static void check_refusals(void)
{
    check_advice();
    refused("cuInit:100", 0, NULL, EW_EUNAVAILABLE, "finds no GPU", "no GPU");
    refused("devices:0", 0, NULL, EW_EUNAVAILABLE, "finds no GPU", "a driver that counts no GPU");
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    refused("cuInit:100", 0, NULL, EW_EUNAVAILABLE, "finds no GPU: CUDA_VISIBLE_DEVICES is \"\"", "hidden GPUs");
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    refused("", 2, NULL, EW_EUNAVAILABLE, "there is no GPU 2; CUDA_VISIBLE_DEVICES leaves 1", "a hidden GPU");
    unsetenv("CUDA_VISIBLE_DEVICES");
    refused("devices:2", 2, NULL, EW_EUNAVAILABLE, "there is no GPU 2; this machine has 2", "a GPU that is not there");
    refused("", -1, NULL, EW_EUNAVAILABLE, "there is no GPU -1", "a negative number of a GPU");
    refused("", 0, "sm_21", EW_EUNAVAILABLE, "there is no image \"sm_21\" in this build; it has native",
            "an image that is not there");
    refused("cuDevicePrimaryCtxRetain:46", 0, NULL, EW_EUNAVAILABLE, "in exclusive use", "a GPU in exclusive use");
    refused("cuDevicePrimaryCtxRetain:101", 0, NULL, EW_EUNAVAILABLE, "not allowed to compute",
            "a GPU in prohibited mode");
    refused("cuModuleLoadDataEx:209", 0, NULL, EW_EUNAVAILABLE,
            "has no code for GPU 0 (no GPU at all, compute capability 9.0)", "a GPU for which there is no code");
    refused("cuMemAlloc_v2:2@3", 0, NULL, EW_ENOMEM, "the case needs 1 MB there, 5 of 1024 MB are free",
            "too little memory");
    refused("cuGraphLaunch:719@2", 0, NULL, EW_EDEVICE, "resume from the last restart file", "a GPU that is lost");
}

/* A lost GPU stays lost, with the first sentence, and nothing hangs or crashes. */
static void check_lost(void)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver;
    ew_error error, again;
    double dt;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ask("cuStreamSynchronize:700@2");
    is_int(ew_solver_advance(solver, 1, 3, NULL, &error), EW_EDEVICE, "a fault ends the steps");
    contains(error.message,
             "failed in kernel advance_clock of order 1, step 1, blocks 0 to 0, while stepping: CUDA_ERROR_700",
             "... with the kernel that began last");
    is_int(ew_solver_advance(solver, 1, 3, NULL, &again), EW_EDEVICE, "... and all later ones");
    is_str(again.message, error.message, "... with the same sentence");
    ask("");
    is_int(ew_solver_time_step(solver, &dt, &again), EW_EDEVICE, "... and whatever else is asked of that solver");
    ew_solver_destroy(solver);
    uint64_t hash;
    is_int(live(&problem, &hash, &error), EW_OK, "another solver finds the GPU well again");
}

static ew_mesh *make_periodic_mesh(void)
{
    static const ew_side_part low[] = {{"low", 0, 1}}, high[] = {{"high", 0, 1}}, left[] = {{"left", 0, 1}},
                              right[] = {{"right", 0, 1}};
    static const ew_periodic pairs[] = {{.first = "left", .second = "right", .automatic = 1},
                                        {.first = "low", .second = "high", .automatic = 1}};
    const ew_rectangle rectangle = {.x1 = 1,
                                    .y1 = 1, .nx = 6, .ny = 6, .side = {{1, low}, {1, right}, {1, high}, {1, left}},
                                    .periodics = 2,
                                    .periodic = pairs};
    ew_mesh *periodic;
    ew_error error;
    must(ew_mesh_rectangle(NULL, &rectangle, &periodic, &error), &error);
    return periodic;
}

/*
 * Steps too long by so much that a state breaks, in any stage of one of many that are under way when the host looks.
 * With boundaries the kernel of their formulas is a step's first, without any the first stage is; which once waited for
 * ever if a stage before the last broke. What is left is the same, too, but for an inadmissible state that a last stage
 * left: whether that is limited is not laid down.
 */
static void check_broken(ew_mesh *on, int boundaries, const char *limiter, const char *what)
{
    static const struct {
        const char *backend, *kernels;
    } side[] = {{"omp", "fused"}, {"cuda", "fused"}, {"cuda", "edgewise"}};
    bool stage[5] = {false}; /* whose sentences have been seen */
    int differing = 0, is_left = 0, runs = 0;
    alarm(60);
    for (double cfl = 1; cfl < 400; cfl *= 1.1) {
        ew_error error[3];
        int status[3];
        uint64_t hash[3] = {0};
        for (int k = 0; k < 3; k++) {
            ew_problem problem = problem_of(false);
            ew_solver *solver;
            problem.backend = side[k].backend;
            problem.kernels = side[k].kernels;
            problem.limiter = limiter;
            problem.scheme = "rk4";
            problem.steady = 0;
            problem.cfl = cfl;
            problem.boundaries = (size_t)boundaries;
            must(ew_solver_create(NULL, on, &problem, &solver, &error[k]), &error[k]);
            error[k].message[0] = '\0';
            status[k] = ew_solver_advance(solver, INFINITY, 40, NULL, &error[k]);
            is_left += ew_solver_hash(solver, &hash[k], NULL) == EW_OK;
            ew_solver_destroy(solver);
            bool same = (limiter && strstr(error[k].message, "stage 4")) || hash[k] == hash[0];
            if (status[k] != status[0] || strcmp(error[k].message, error[0].message) != 0 || !same) {
                diag("CFL %g: \"%s\" and \"%s\"", cfl, error[0].message, error[k].message);
                differing++;
            }
        }
        runs++;
        const char *at = status[0] == EW_OK ? NULL : strstr(error[0].message, "stage ");
        if (at && at[6] >= '1' && at[6] <= '4')
            stage[at[6] - '0'] = true;
    }
    alarm(0);
    ok(differing == 0,
       "a state that breaks ends the steps in all kernel sets with the same sentence and state, in %d runs%s", runs,
       what);
    is_int(is_left, 3 * runs, "... which can still be looked at");
    ok(stage[1], "... in a first stage");
    ok(stage[2] || stage[3], "... in one that is neither the first nor the last");
    ok(stage[4], "... and in a last one");
}

/* A boundary whose given state becomes inadmissible stops the steps, too, with the boundary's name. */
static void check_bad_boundary(void)
{
    static const struct {
        const char *backend, *kernels;
    } side[] = {{"omp", "fused"}, {"omp", "edgewise"}, {"cuda", "fused"}, {"cuda", "edgewise"}};
    static const char *const text[] = {"1 + 0.1*x", "0.1", "0.2", "x > 0.5 ? 1 : 1 - 30*t"};
    enum { SIDES = sizeof side / sizeof *side };
    ew_formula *falling, *before = moving;
    ew_scope *scope;
    ew_error error[SIDES];
    must(ew_scope_create(NULL, &scope, error), error);
    must(ew_formula_create(scope, 4, text, &falling, error), error);
    ew_scope_destroy(scope);
    moving = falling;
    alarm(60);
    for (int variant = 0; variant < 4; variant++) {
        bool callback = variant % 2, limited = variant < 2;
        int wrong = 0;
        for (int k = 0; k < SIDES; k++) {
            ew_problem problem = problem_of(callback);
            ew_solver *solver;
            problem.backend = side[k].backend;
            problem.kernels = side[k].kernels;
            problem.scheme = "rk4";
            if (!limited) {
                problem.limiter = NULL;
                problem.steady = 0;
            }
            must(ew_solver_create(NULL, mesh, &problem, &solver, &error[k]), &error[k]);
            int status = ew_solver_advance(solver, INFINITY, 1000, NULL, &error[k]);
            wrong += status != EW_ESTATE || strcmp(error[k].message, error[0].message) != 0;
            ew_solver_destroy(solver);
        }
        ok(wrong == 0,
           "a boundary's state that becomes inadmissible ends the steps in all kernel sets with the same sentence%s%s",
           callback ? " (a callback)" : "", limited ? "" : ", without a limiter");
        contains(error[0].message, "boundary \"in\": the given state is not admissible at ",
                 "... it names the boundary");
        contains(error[0].message, "; the run stopped in step ", "... and the step");
        for (int k = 1; k < SIDES && wrong; k++)
            diag("%s: %s", side[k].kernels, error[k].message);
    }
    alarm(0);
    moving = before;
    ew_formula_destroy(falling);
}

/* Every entry fails at its first, second, ... call, until nothing fails any more. */
static void check_failures(bool callback)
{
    ew_problem problem = problem_of(callback);
    ew_error error;
    uint64_t reference, hash;
    static const char *const entries[] = {
#define NAME(member, symbol, parameters) #symbol,
        EWI_DRIVER_ENTRIES(NAME) EWI_DRIVER_OPTIONAL(NAME)
#undef NAME
    };
    must(live(&problem, &reference, &error), &error);
    int failures = 0, wrong = 0;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        for (int call = 1; call < 400; call = call < 16 ? call + 1 : call * 5 / 4) {
            char rule[80];
            snprintf(rule, sizeof rule, "%s:999@%d", entries[k], call);
            ask(rule);
            memset(&error, 0, sizeof error);
            int status = live(&problem, &hash, &error);
            if (status == EW_OK && hash != reference) {
                diag("%s: no error, and another state", rule);
                wrong++;
            }
            if (status != EW_OK && (error.message[0] == '\0' || error.code != status)) {
                diag("%s: code %d, \"%s\"", rule, status, error.message);
                wrong++;
            }
            if (status == EW_OK)
                break;
            failures++;
        }
    ask("");
    ok(wrong == 0 && failures > 60,
       "every call of the driver fails in turn%s: %d failures, each with a sentence or without harm",
       callback ? " (a boundary by a callback)" : "", failures);
}

/*
 * Older drivers have no graphs, and code made for earlier cards does not wait for the launch before it, with which none
 * may overlap.
 */
static void check_without(const char *rule, const char *what)
{
    ew_problem problem = problem_of(false);
    uint64_t with, without;
    ew_error error;
    must(live(&problem, &with, &error), &error);
    ask(rule);
    must(live(&problem, &without, &error), &error);
    ok(with == without, "%s: the same bits", what);
    ask("");
}

/* Where the driver cannot compile formulas of sources, kernels interpret them. */
static void check_interpreted(void)
{
    static const char *const names[] = {"rho", "u", "v", "p"}, *const texts[] = {"0", "-0.1*rho", "0.1*sin(x)", "0"};
    ew_problem problem = problem_of(false);
    ew_scope *scope, *with_state;
    ew_formula *source;
    uint64_t compiled, interpreted;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_with_state(scope, 4, names, &with_state, &error), &error);
    must(ew_formula_create(with_state, 4, texts, &source, &error), &error);
    problem.source.formula = source;
    must(live(&problem, &compiled, &error), &error);
    ask("compiler:218");
    must(live(&problem, &interpreted, &error), &error);
    ask("");
    ok(compiled == interpreted, "a driver that does not compile formulas: they are interpreted, with the same bits");
    ew_formula_destroy(source);
    ew_scope_destroy(with_state);
    ew_scope_destroy(scope);
}

static uint64_t hash_of(ew_solver *solver)
{
    uint64_t hash;
    ew_error error;
    must(ew_solver_hash(solver, &hash, &error), &error);
    return hash;
}

/* A state that could not be fetched is on the device as it was. */
static void check_failed_fetch(void)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver[2];
    ew_error error;
    for (int k = 0; k < 2; k++) {
        uint64_t none;
        must(ew_solver_create(NULL, mesh, &problem, &solver[k], &error), &error);
        must(ew_solver_advance(solver[k], INFINITY, 2, NULL, &error), &error);
        ask(k ? "cuMemcpyDtoHAsync_v2:2" : "");
        is_int(ew_solver_hash(solver[k], &none, &error) == EW_OK, !k,
               k ? "fetching the state fails" : "the state is fetched");
        ask("");
        must(ew_solver_advance(solver[k], INFINITY, 2, NULL, &error), &error);
    }
    ok(hash_of(solver[0]) == hash_of(solver[1]), "... after which steps go on as if nothing had been");
    for (int k = 0; k < 2; k++)
        ew_solver_destroy(solver[k]);
}

/*
 * Copies that are taken while steps go on are of the moment in which they were asked for, with whatever memory there
 * is.
 */
static void check_copies(const char *rule, const char *what)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver, *copy[3] = {NULL, NULL, NULL};
    uint64_t right[3];
    ew_error error;
    int same = 0;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    for (int k = 0; k < 3; k++) {
        must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
        right[k] = hash_of(solver);
    }
    ew_solver_destroy(solver);
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ask(rule);
    for (int k = 0; k < 3; k++) {
        must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
        must(ew_solver_snapshot(solver, 0, NULL, &copy[k], &error), &error);
    }
    must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
    for (int k = 2; k >= 0; k--) {
        same += hash_of(copy[k]) == right[k];
        same += ew_solver_time(copy[k]) < ew_solver_time(solver);
    }
    is_int(same, 6, "copies of the state while steps go on%s", what);
    ask("");
    for (int k = 0; k < 3; k++)
        ew_solver_destroy(copy[k]);
    ew_solver_destroy(solver);
}

static void check_lost_copy(void)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver, *copy = NULL;
    ew_error error;
    uint64_t hash;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_snapshot(solver, 0, NULL, &copy, &error), &error);
    ask("cuEventSynchronize:719");
    is_int(ew_solver_hash(copy, &hash, &error), EW_EDEVICE, "a copy that fails says so to whoever reads it");
    contains(error.message, "failed while copying the state: CUDA_ERROR_719", "... in a sentence");
    ask("");
    ew_solver_destroy(copy);
    ew_solver_destroy(solver);
}

static void check_view(void)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver;
    ew_state_view view;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    is_int(ew_solver_view_state(solver, &view, &error), EW_EUNAVAILABLE, "the state on a GPU is not the host's to see");
    contains(error.message, "memory of a GPU", "... the sentence says so");
    ew_solver_destroy(solver);
}

/* As a program does that reads it: by the driver, in the primary context. */
static void read_device(const void *address, double *values, size_t bytes)
{
    struct ewi_driver driver;
    cu_context context;
    cu_stream stream;
    ew_error error;
    must(ewi_driver_open(&driver, &error), &error);
    if (driver.primary_retain(&context, 0) != 0 || driver.context_push(context) != 0 ||
        driver.stream_create(&stream, 0) != 0 ||
        driver.to_host(values, (cu_address)(uintptr_t)address, bytes, stream) != 0 || driver.stream_wait(stream) != 0)
        bail_out("the state on the device cannot be read");
    driver.stream_destroy(stream);
    driver.context_pop(&context);
    driver.primary_release(0);
    ewi_driver_close(&driver);
}

static bool is_state(ew_solver *solver, const ew_state_view *view)
{
    size_t rows = (size_t)(view->variables * view->basis), all = (size_t)(view->tiles * view->width) * rows, wrong = 0;
    double *there = calloc(all, sizeof *there), *right = calloc((size_t)view->elements * rows, sizeof *right);
    ew_error error;
    if (!there || !right)
        bail_out("no memory");
    read_device(view->coefficients, there, all * sizeof *there);
    must(ew_solver_get_coefficients(solver, right, &error), &error);
    for (size_t e = 0; e < (size_t)view->elements; e++) {
        size_t place = (size_t)view->place[e], width = (size_t)view->width;
        for (size_t row = 0; row < rows; row++)
            wrong += there[(place / width * rows + row) * width + place % width] != right[e * rows + row];
    }
    free(there);
    free(right);
    return wrong == 0;
}

static void check_device_view(const char *kernels)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver, *alone;
    ew_state_view view;
    ew_error error;
    int device = -1;
    problem.kernels = kernels;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_create(NULL, mesh, &problem, &alone, &error), &error);
    for (int k = 0; k < 2; k++) {
        must(ew_solver_advance(solver, INFINITY, 3, NULL, &error), &error);
        must(ew_solver_view_device_state(solver, &view, &device, &error), &error);
        ok(device == 0 && is_state(solver, &view), "the state on the GPU, where a view of it says (%s)", kernels);
    }
    must(ew_solver_advance(alone, INFINITY, 6, NULL, &error), &error);
    ok(hash_of(solver) == hash_of(alone), "... which changes no bits");
    ask("cuStreamSynchronize:700");
    is_int(ew_solver_view_device_state(solver, &view, &device, &error), EW_EDEVICE, "... and fails with a lost GPU");
    ask("");
    ew_solver_destroy(solver);
    ew_solver_destroy(alone);
}

/* What is asked for and is not to be had is not passed over. */
static void check_level(void)
{
    ew_problem problem = problem_of(false);
    ew_error error = {0};
    uint64_t hash;
    problem.level = "scalar";
    is_int(live(&problem, &hash, &error), EW_EINVAL, "a CPU's instruction level: refused");
    contains(error.message, "\"scalar\" is a CPU's", "... the sentence says so");
}

static void check_automatic(void)
{
    ew_problem problem = problem_of(false);
    ew_solver *solver;
    ew_solver_info info;
    ew_error error;
    problem.backend = "auto";
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ew_solver_get_info(solver, &info);
    is_str(info.backend, "cuda", "auto takes the GPU");
    is_str(info.choice, "", "... and has nothing to explain");
    ew_solver_destroy(solver);
    static const struct {
        const char *rule, *words, *what;
    } cases[] = {
        {"cuInit:100", ") finds no GPU in this machine", "without a GPU"},
        {"cuDevicePrimaryCtxRetain:46", "not cuda: GPU 0 (no GPU at all) is in exclusive use", "if the GPU is in use"},
        {"cuMemAlloc_v2:2", "not cuda: GPU 0 (no GPU at all) has too little memory",
         "if the GPU has too little memory"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ask(cases[k].rule);
        must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
        ew_solver_get_info(solver, &info);
        is_str(info.backend, "omp", "auto takes the CPU %s", cases[k].what);
        contains(info.choice, cases[k].words, "... and says why");
        ew_solver_destroy(solver);
    }
    ask("");
    problem.level = "scalar";
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ew_solver_get_info(solver, &info);
    is_str(info.backend, "omp", "auto takes the CPU if its instruction level is asked for");
    contains(info.choice, "it has no instruction levels", "... and says why");
    ew_solver_destroy(solver);
}

static void check_measuring(void)
{
    ew_problem problem = problem_of(false);
    ew_kernel_profile profile[EW_MAX_PROFILES];
    ew_limits limits;
    ew_solver *solver;
    ew_error error;
    int count;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_profile(solver, 3, profile, &count, &error), &error);
    is_int(ew_solver_steps(solver), 3, "profiling makes the steps asked for");
    int complete = 0;
    for (int k = 0; k < count; k++)
        complete += profile[k].calls > 0 && profile[k].seconds > 0 && profile[k].registers == 32 &&
                    profile[k].occupancy == (strcmp(profile[k].name, "stage") == 0 ? 0.625 : 0.5);
    is_int(complete, count, "... and knows time, registers and occupancy of all %d kernels", count);
    ew_solver_destroy(solver);
    must(ew_measure_limits(NULL, &problem, &limits, &error), &error);
    ok(limits.copy_bytes_per_s > 0 && limits.flops_per_s > 0 && isnan(limits.tensor_flops_per_s),
       "what the device can do is measured");
    char text[128];
    ok(ew_device_describe(0, text, sizeof text) && !ew_device_describe(1, text, sizeof text), "the GPUs can be listed");
    contains(text, "no GPU at all, compute capability 9.0, 1.0 GiB", "... with capability and memory");
}

static ew_mesh *make_large_mesh(void)
{
    static const ew_side_part side[] = {{"in", 0, 1}};
    const ew_rectangle rectangle = {.x1 = 1, .y1 = 1, .nx = 150, .ny = 150, .jitter = 0.3, .seed = 7,
                                    .side = {{1, side}, {1, side}, {1, side}, {1, side}}};
    ew_mesh *large;
    ew_error error;
    must(ew_mesh_rectangle(NULL, &rectangle, &large, &error), &error);
    return large;
}

static double stage_occupancy(ew_solver *solver)
{
    ew_kernel_profile profile[EW_MAX_PROFILES];
    ew_error error;
    int count;
    must(ew_solver_profile(solver, 1, profile, &count, &error), &error);
    for (int k = 0; k < count; k++)
        if (strcmp(profile[k].name, "stage") == 0)
            return profile[k].occupancy;
    return NAN;
}

/*
 * Two multiprocessors hold four blocks of 128 elements each, or two of 192: with which of them the one that has most
 * has fewer elements, but for a block that is left over from full rounds.
 */
static void check_sharing_out(void)
{
    static const ew_side_part side[] = {{"in", 0, 1}};
    static const struct {
        int cells, threads;
    } trial[] = {{26, 384}, {24, 512}, {28, 512}};
    for (size_t k = 0; k < sizeof trial / sizeof *trial; k++) {
        const ew_rectangle rectangle = {.x1 = 1,
                                        .y1 = 1, .nx = trial[k].cells, .ny = trial[k].cells, .jitter = 0.3, .seed = 7,
                                        .side = {{1, side}, {1, side}, {1, side}, {1, side}}};
        ew_problem problem = problem_of(false);
        ew_mesh *some;
        ew_solver *gpu, *cpu;
        ew_error error;
        problem.limiter = "none";
        problem.steady = 0;
        must(ew_mesh_rectangle(NULL, &rectangle, &some, &error), &error);
        must(ew_solver_create(NULL, some, &problem, &gpu, &error), &error);
        problem.backend = "omp";
        must(ew_solver_create(NULL, some, &problem, &cpu, &error), &error);
        is_int((long)(stage_occupancy(gpu) * 2048), trial[k].threads, "%d elements: %d threads a multiprocessor",
               2 * trial[k].cells * trial[k].cells, trial[k].threads);
        must(ew_solver_advance(gpu, INFINITY, 2, NULL, &error), &error);
        must(ew_solver_advance(cpu, INFINITY, 3, NULL, &error), &error);
        ok(hash_of(gpu) == hash_of(cpu), "... and the same bits");
        ew_solver_destroy(gpu);
        ew_solver_destroy(cpu);
        ew_mesh_destroy(some);
    }
}

/* All that is made of a mesh before its first step. */
struct prepared {
    ew_mesh *mesh;
    struct ewi_plan *plan;
    struct ewi_blocks blocks;
};

static struct prepared prepare(int threads)
{
    struct prepared all;
    ew_problem problem = problem_of(false);
    ew_error error;
#ifdef _OPENMP
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
    all.mesh = make_large_mesh();
    must(ew_problem_check(NULL, all.mesh, &problem, &all.plan, &error), &error);
    must(ewi_blocks_create(all.plan, ewi_blocks_variant(&all.plan->sizes), &all.blocks, &error), &error);
#ifdef _OPENMP
    omp_set_num_threads(before);
#endif
    return all;
}

static void put_away(struct prepared *all)
{
    ewi_blocks_destroy(&all->plan->host, &all->blocks);
    ew_plan_destroy(all->plan);
    ew_mesh_destroy(all->mesh);
}

static void check_threads(void)
{
    struct prepared one = prepare(1), more = prepare(5);
    const ew_mesh *a = one.mesh, *b = more.mesh;
    const struct ewi_grid *c = one.plan->grid, *d = more.plan->grid;
    size_t elements = (size_t)a->elements, padded = (size_t)c->padded;
    ok(a->elements > EWI_MANY && memcmp(&a->info, &b->info, sizeof a->info) == 0 &&
           memcmp(a->triangle, b->triangle, 3 * elements * sizeof *a->triangle) == 0 &&
           memcmp(a->file_index, b->file_index, elements * sizeof *a->file_index) == 0 &&
           memcmp(a->order, b->order, elements * sizeof *a->order) == 0,
       "the same mesh, whatever the number of threads");
    ok(memcmp(c->geometry, d->geometry, padded * EWI_GEOMETRY * sizeof *c->geometry) == 0 &&
           memcmp(c->neighbour, d->neighbour, 3 * padded * sizeof *c->neighbour) == 0 &&
           memcmp(c->neighbour_side, d->neighbour_side, 3 * padded) == 0 &&
           memcmp(c->side_slot, d->side_slot, 3 * padded * sizeof *c->side_slot) == 0 &&
           memcmp(c->left, d->left, (size_t)c->slots * sizeof *c->left) == 0 &&
           memcmp(c->right, d->right, (size_t)c->slots * sizeof *c->right) == 0,
       "... the same grid");
    const struct ewi_blocks *e = &one.blocks, *f = &more.blocks;
    ok(e->count == f->count && e->edges == f->edges && e->halos == f->halos && e->halo_room == f->halo_room &&
           e->edge_room == f->edge_room && memcmp(e->block, f->block, (size_t)e->count * sizeof *e->block) == 0 &&
           memcmp(e->edge, f->edge, (size_t)e->edges * EWI_FUSED_EDGE_BYTES(e->variant)) == 0 &&
           memcmp(e->halo, f->halo, (size_t)e->halos * sizeof *e->halo) == 0 &&
           memcmp(e->neighbours, f->neighbours, padded * sizeof *e->neighbours) == 0 &&
           memcmp(e->halo_neighbours, f->halo_neighbours, (size_t)e->halos * sizeof *e->halo_neighbours) == 0 &&
           memcmp(e->shape, f->shape, padded * EWI_FUSED_SHAPE * sizeof *e->shape) == 0,
       "... and the same blocks for a GPU");
    put_away(&one);
    put_away(&more);
}

static int variant_of(const ew_mesh *on, const char *limiter, int processors, bool viscous)
{
    static const ew_parameter viscosity = {.name = "mu", .value = 0.01};
    ew_problem problem = problem_of(false);
    struct ewi_plan *plan;
    ew_error error;
    problem.order = 1;
    problem.steady = 0;
    problem.limiter = limiter;
    if (viscous) {
        problem.law = "navier-stokes";
        problem.parameters = 1;
        problem.parameter = &viscosity;
    }
    must(ew_problem_check(NULL, on, &problem, &plan, &error), &error);
    int variant = ewi_cuda_variant(plan, processors, false);
    ew_plan_destroy(plan);
    return variant;
}

/* bench/results/gpu-h200.md: with p1_middle, steps without a limiter took 5 to 7 % longer on a million triangles. */
static void check_variants(void)
{
    ew_mesh *large = make_large_mesh();
    is_int(variant_of(large, "none", 5, false), EWI_FUSED_p1,
           "many elements a multiprocessor: more warps hide latency");
    is_int(variant_of(large, "barth-jespersen", 5, false), EWI_FUSED_p1_middle, "... but a limiter needs registers");
    is_int(variant_of(large, "none", 60, false), EWI_FUSED_p1_middle, "two rounds of blocks, which larger ones fill");
    is_int(variant_of(large, "none", 1000, false), EWI_FUSED_p1_small,
           "few elements a multiprocessor: small blocks");
    is_int(variant_of(large, "none", 60, true), EWI_FUSED_p1_diffusion, "a law with gradients");
    is_int(variant_of(large, "none", 1000, true), EWI_FUSED_p1_diffusion_small,
           "... on few elements a multiprocessor");
    ew_mesh_destroy(large);
}

/* Checks what is foretold of the fused set against what its blocks then take. Returns the bytes. */
static double check_memory_of(const ew_mesh *large, const ew_problem *problem)
{
    struct ewi_plan *plan;
    struct ewi_blocks blocks;
    size_t bytes, foretold;
    ew_error error;
    must(ew_problem_check(NULL, large, problem, &plan, &error), &error);
    must(ewi_blocks_create(plan, ewi_blocks_variant(&plan->sizes), &blocks, &error), &error);
    must(ew_solver_memory(large, problem, &bytes, &foretold, &error), &error);
    double taken = (double)ewi_cuda_bytes(&plan->sizes, &blocks);
    ok(fabs((double)foretold / taken - 1) < 0.01, "%s, order %d: %.2f MB are foretold, %.2f MB taken",
       plan->law->info->name, problem->order, (double)foretold / 1e6, taken / 1e6);
    ewi_blocks_destroy(&plan->host, &blocks);
    ew_plan_destroy(plan);
    return taken;
}

/* The paper's code took 717.82 MB for 964,338 triangles. */
static void check_memory(void)
{
    static const ew_parameter viscosity = {"mu", 0.01};
    ew_mesh *large = make_large_mesh();
    const double paper = 717.82e6 / 964338 * large->elements;
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        ew_problem problem = problem_of(false);
        problem.order = order;
        problem.steady = 0;
        problem.limiter = order == 1 ? "barth-jespersen" : "none";
        double taken = check_memory_of(large, &problem);
        if (order == 1)
            ok(taken < 0.6 * paper, "... at most 60 %% of the paper's for as many triangles, %.1f MB", paper / 1e6);
        problem.law = "navier-stokes";
        problem.parameter = &viscosity;
        problem.parameters = 1;
        problem.limiter = "none";
        check_memory_of(large, &problem);
    }
    ew_mesh_destroy(large);
}

int main(void)
{
    load_fake_cuda();
    make_mesh();
    check_refusals();
    check_lost();
    check_broken(mesh, 1, NULL, "");
    check_broken(mesh, 1, "barth-jespersen", " with a limiter");
    ew_mesh *periodic = make_periodic_mesh();
    check_broken(periodic, 0, NULL, " on a periodic mesh");
    check_broken(periodic, 0, "barth-jespersen", " on a periodic mesh with a limiter");
    ew_mesh_destroy(periodic);
    check_bad_boundary();
    check_failures(false);
    check_failures(true);
    check_failed_fetch();
    check_without("cuStreamBeginCapture_v2:801", "steps without graphs");
    check_without("nodes:2", "graphs that are too small for a step");
    check_interpreted();
    check_without("ptx:80", "code made for earlier cards, launch after launch");
    check_copies("", "");
    check_copies("cuMemAlloc_v2:2", ", without memory on the device for it");
    check_copies("cuMemHostAlloc:2", ", without page-locked memory");
    check_copies("cuStreamCreate:2", ", without a stream");
    check_copies("cuEventCreate:2@4", ", without events for all of them");
    check_lost_copy();
    check_level();
    check_view();
    check_device_view("fused");
    check_device_view("edgewise");
    check_automatic();
    check_measuring();
    check_sharing_out();
    check_variants();
    check_memory();
    check_threads();
    ew_formula_destroy(state);
    ew_formula_destroy(moving);
    ew_mesh_destroy(mesh);
    return done_testing();
}
