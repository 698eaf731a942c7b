/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA backend: the time loop on an NVIDIA GPU by the paper's kernels. The host only looks in from time to time. */
#include "ewi_bed.h"
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_part.h"
#include "ewi_team.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

static bool usable(ew_error *error)
{
    struct ewi_driver driver;
    int count = 0;
    if (!ewi_image_at(0)) {
        ewi_fail(error, EW_EUNAVAILABLE,
                 "this build of edgewise carries no code for GPUs; install nvcc (the CUDA toolkit) or clang, and "
                 "configure again");
        return false;
    }
    if (ewi_driver_open(&driver, error) != EW_OK)
        return false;
    bool any = driver.device_count(&count) == 0 && count > 0;
    if (!any)
        ewi_driver_no_gpu(&driver, error);
    ewi_driver_close(&driver);
    return any;
}

static const char *image(int index, const char **description)
{
    const struct ewi_image *one = ewi_image_at(index);
    if (one)
        *description = one->description;
    return one ? one->name : NULL;
}

static bool device(int index, char *text, size_t size)
{
    struct ewi_driver driver;
    cu_device gpu;
    char name[80] = "";
    size_t memory = 0;
    int count = 0, major = 0, minor = 0, ordinal = ewi_driver_ordinal(index);
    if (ewi_driver_open(&driver, NULL) != EW_OK)
        return false;
    bool there = driver.device_count(&count) == 0 && ordinal >= 0 && ordinal < count &&
                 driver.device_get(&gpu, ordinal) == 0 && driver.device_name(name, sizeof name, gpu) == 0 &&
                 driver.device_memory(&memory, gpu) == 0;
    if (there) {
        driver.device_attribute(&major, CU_DEVICE_CAPABILITY_MAJOR, gpu);
        driver.device_attribute(&minor, CU_DEVICE_CAPABILITY_MINOR, gpu);
        ewi_snprintf(text, size, "%s, compute capability %d.%d, %.1f GiB", name, major, minor,
                     (double)memory / (1 << 30));
    }
    ewi_driver_close(&driver);
    return there;
}

static void destroy(void *instance)
{
    struct ewi_cuda *cuda = instance;
    if (!cuda)
        return;
    ew_host host = cuda->host;
    if (cuda->context && cuda->driver.context_push(cuda->context) == 0) {
        ewi_cuda_free_steps(cuda);
        ewi_cuda_free_still(cuda);
        ewi_cuda_free_exchange(cuda);
        ewi_cuda_free_samples(cuda);
        ewi_cuda_free_averages(cuda);
        ewi_cuda_free_rasters(cuda);
        ewi_cuda_free_levels(cuda);
        ewi_cuda_leave_context(cuda);
    }
    ewi_cuda_free_rasters(cuda);
    ewi_cuda_free_levels(cuda);
    ewi_free(&host, cuda->samples.host); /* of a context that cannot be entered any more */
    ewi_free(&host, cuda->launch);
    ewi_blocks_destroy(&host, &cuda->blocks);
    ewi_cuda_close(cuda);
    ewi_free(&host, cuda);
}

/* A device, its code, and which of it the plan takes. */
static int open_device(struct ewi_cuda *cuda, const struct ewi_backend_options *options, ew_error *error)
{
    int status;
    EWI_TRY(ewi_cuda_open(cuda, options->device, options->image, error));
    EWI_TRY(ewi_cuda_enter_context(cuda, error));
    status = ewi_cuda_choose_set(cuda, error);
    if (status == EW_OK)
        status = ewi_cuda_load_sources(cuda, error);
    ewi_cuda_leave_context(cuda);
out:
    return status;
}

static int create(struct ewi_plan *plan, const struct ewi_backend_options *options, void **instance, ew_error *error)
{
    struct ewi_cuda *cuda = ewi_alloc(&plan->host, 1, sizeof *cuda);
    int status;
    bool entered = false;
    if (!cuda)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the backend");
    cuda->host = plan->host;
    cuda->plan = cuda->whole = plan;
    cuda->rewrite = options->rewrite;
    if (options->level)
        EWI_TRY(
            ewi_fail(error, EW_EINVAL,
                     "the instruction level \"%s\" is a CPU's, and the backend cuda has none; leave it out, or use omp",
                     options->level));
    cuda->bytes = ewi_cuda_bytes(&plan->sizes, NULL);
    cuda->owner = options->ensemble;
    if (cuda->owner) /* while this instance loads its modules */
        pthread_mutex_lock(cuda->owner->code->lock);
    status = open_device(cuda, options, error);
    if (cuda->owner)
        pthread_mutex_unlock(cuda->owner->code->lock);
    EWI_TRY(status);
    EWI_TRY(ewi_cuda_enter_context(cuda, error));
    entered = true;
    EWI_TRY(ewi_cuda_allocate(cuda, error));
    EWI_TRY(ewi_cuda_allocate_levels(cuda, error));
    if (plan->part)
        EWI_TRY(ewi_cuda_make_exchange(cuda, error));
    EWI_TRY(ewi_cuda_make_steps(cuda, error));
out:
    if (entered)
        ewi_cuda_leave_context(cuda);
    if (status != EW_OK)
        destroy(cuda);
    else
        *instance = cuda;
    return status;
}

/* How a part exchanges. */
static const char *way_of(const struct ewi_cuda *cuda)
{
    const struct ewi_part *part = cuda->plan->part;
    if (!part)
        return "";
    if (cuda->exchange.direct)
        return ", directly";
    return part->comm->takes_gpus ? ", by MPI from its memory" : ", through the host";
}

static void describe(const void *instance, const char **kernels, char *device, size_t size)
{
    const struct ewi_cuda *cuda = instance;
    *kernels = ewi_kernel_set_choice(cuda->fused ? EWI_SET_fused : EWI_SET_edgewise).name;
    ewi_snprintf(device, size, "GPU %d, %s, %s%s%s%s", cuda->number, cuda->name, cuda->image->name, way_of(cuda),
                 cuda->why_not[0] ? "; not fused: " : "", cuda->why_not);
}

static struct ewi_fusion fusion(const struct ewi_sizes *sizes)
{
    if (sizes->set == EWI_SET_edgewise || sizes->width != EWI_TILE)
        return (struct ewi_fusion){.next_step = sizes->divided};
    struct ewi_fusion fusion = ewi_blocks_fusion(sizes);
    fusion.sends = sizes->divided;
    return fusion;
}

/* Bytes of levels of time steps besides the arrays of their plan. */
static size_t level_bytes(const struct ewi_sizes *whole, const struct ewi_sizes *sizes, bool fused)
{
    size_t stages = (size_t)sizes->scheme->stages,
           coupled = (size_t)ewi_level_interface_elements(whole) * (3 * stages + 1) * (size_t)sizes->rows,
           rooms = ewi_bed_has(sizes->law) ? (size_t)sizes->padded : 0,
           zeros = fused ? 0 : ewi_state_doubles(sizes), numbers = 4 * (size_t)sizes->padded + (size_t)whole->padded;
    return (ewi_state_doubles(whole) + coupled + rooms + zeros) * sizeof(double) + numbers * sizeof(int32_t);
}

static size_t bytes(const struct ewi_sizes *sizes, const struct ewi_backend_options *options, size_t *on_device)
{
    struct ewi_blocks blocks;
    const struct ewi_sizes of_levels = ewi_level_sizes(sizes), *own = sizes->levels != 1 ? &of_levels : sizes;
    bool fused = ewi_cuda_estimate_blocks(own, options, &blocks);
    *on_device = ewi_cuda_bytes(own, fused ? &blocks : NULL);
    if (own != sizes)
        *on_device += level_bytes(sizes, own, fused);
    return ewi_state_doubles(sizes) * sizeof(double); /* the solver's copy of the state, for output */
}

/* ---- the state ---- */

/* Kernels work while a clock runs: this one lets them, outside a step. */
static int run_clock_at(struct ewi_cuda *cuda, double t, ew_error *error)
{
    const struct ewi_clock clock = {.until = INFINITY, .last_step = INT64_MAX, .time = t};
    return ewi_cuda_set_clock(cuda, &clock, error);
}

/* status: of what went before. */
static int limit(struct ewi_cuda *cuda, int status, ew_error *error)
{
    if (status == EW_OK)
        status = run_clock_at(cuda, 0.0, error);
    status = ewi_cuda_launch_as_part(cuda, cuda->limit, status, error);
    return status == EW_OK ? ewi_cuda_result(cuda, cuda->driver.stream_wait(cuda->stream), "limiting", error) : status;
}

static int set_state(void *instance, const double *state, bool limited, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    int status = ewi_cuda_enter_context(cuda, error);
    bool entered = status == EW_OK;
    if (entered)
        status = cuda->levels ? ewi_cuda_take_state(cuda, state, error) : ewi_cuda_upload_state(cuda, state, error);
    if (limited && cuda->limit.count > 0) {
        status = limit(cuda, status, error);
        if (status == EW_OK && cuda->levels) /* it limits register 0, and views by neighbours of their own */
            status = ewi_cuda_share_state(cuda, error);
    }
    cuda->last_speed = 0.0;
    if (status == EW_EDEVICE)
        ewi_cuda_warn_parts(cuda);
    if (entered)
        ewi_cuda_leave_context(cuda);
    return status;
}

static int get_state(void *instance, double *state, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    TRY(ewi_cuda_enter_context(cuda, error));
    int status = ewi_cuda_get_state(cuda, state, error);
    ewi_cuda_leave_context(cuda);
    return status;
}

/* The outflow, in tiles of the whole plan's boundary slots. */
static int download_outflow(struct ewi_cuda *cuda, double *tiles, ew_error *error)
{
    size_t doubles = ewi_outflow_doubles(&cuda->plan->sizes);
    double *own = cuda->levels ? ewi_alloc(&cuda->host, doubles, sizeof *own) : tiles;
    if (!own)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the outflow of levels");
    int status = doubles > 0 ? ewi_cuda_download(cuda, own, EWI_ARRAY_OUTFLOW, doubles * sizeof *own, error) : EW_OK;
    if (cuda->levels) {
        ewi_level_plan_give_slots(cuda->levels->of, cuda->whole, own, tiles);
        ewi_free(&cuda->host, own);
    }
    return status;
}

static int upload_outflow(struct ewi_cuda *cuda, const double *tiles, ew_error *error)
{
    size_t doubles = ewi_outflow_doubles(&cuda->plan->sizes);
    double *own = cuda->levels ? ewi_alloc(&cuda->host, doubles, sizeof *own) : NULL;
    if (cuda->levels && !own)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the outflow of levels");
    if (cuda->levels)
        ewi_level_plan_take_slots(cuda->levels->of, cuda->whole, tiles, own);
    int status = ewi_cuda_upload(cuda, EWI_ARRAY_OUTFLOW, 0, own ? own : tiles, doubles * sizeof *own, error);
    ewi_free(&cuda->host, own);
    return status;
}

static int move_outflow(struct ewi_cuda *cuda, const double *given, double *wanted, ew_error *error)
{
    double *tiles = ewi_alloc(&cuda->host, ewi_outflow_doubles(&cuda->whole->sizes), sizeof *tiles);
    if (!tiles)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the outflow of %d edges",
                        cuda->whole->mesh->boundary_edges);
    if (given)
        ewi_outflow_unpack(cuda->whole, given, tiles);
    int status = ewi_cuda_enter_context(cuda, error);
    if (status == EW_OK) {
        status = given ? upload_outflow(cuda, tiles, error) : download_outflow(cuda, tiles, error);
        ewi_cuda_leave_context(cuda);
    }
    if (status == EW_OK && wanted)
        ewi_outflow_pack(cuda->whole, tiles, wanted);
    ewi_free(&cuda->host, tiles);
    return status;
}

static int get_outflow(void *instance, double *outflow, ew_error *error)
{
    return move_outflow(instance, NULL, outflow, error);
}

static int set_outflow(void *instance, const double *outflow, ew_error *error)
{
    return move_outflow(instance, outflow, NULL, error);
}

static int view_device_state(void *instance, const double **state, int *device, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    cu_address shown;
    int status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        return status;
    EWI_TRY(ewi_cuda_show_state(cuda, &shown, error));
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "showing the state", error);
    *state = (const double *)(uintptr_t)shown;
    *device = cuda->number;
out:
    ewi_cuda_leave_context(cuda);
    return status;
}

/* ---- steps ---- */

/* The result of a stopped clock. The host searches the first inadmissible element. */
int ewi_cuda_finish(struct ewi_cuda *cuda, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_clock clock = *cuda->clock;
    double *state = NULL;
    int status = ewi_cuda_find_inadmissible(cuda, error);
    if (status != EW_OK)
        return status;
    bool own = clock.state == EWI_CLOCK_INADMISSIBLE && (!cuda->plan->part || clock.stage == cuda->inadmissible);
    clock.stage = ewi_cuda_stage_of_clock(cuda);
    if (own) {
        int target = clock.stage > 0 ? cuda->plan->scheme->stage[clock.stage - 1].target : 0;
        state = ewi_alloc(&cuda->host, ewi_plan_state_doubles(cuda->plan), sizeof *state);
        if (!state)
            return ewi_fail(error, EW_ENOMEM,
                            "the state became inadmissible in step %lld, and there is not enough memory to say where",
                            (long long)clock.steps + 1);
        EWI_TRY(ewi_cuda_download_state(cuda, state, (enum ewi_cuda_array)(EWI_ARRAY_STATE + target), error));
    }
    status = ewi_clock_result(&clock, cuda->plan, state, progress, error);
    if (cuda->levels && status == EW_ESTATE)
        ewi_cuda_find_place(cuda, progress);
out:
    ewi_free(&cuda->host, state);
    return status;
}

static int time_step(void *instance, double *dt, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct ewi_clock clock = ewi_clock_start(cuda->plan, progress, INFINITY, 1);
    int status = ewi_cuda_enter_context(cuda, error);
    bool entered = status == EW_OK;
    EWI_TRY(ewi_cuda_begin(cuda, &clock, cuda->speed, status, error));
    EWI_TRY(ewi_cuda_sync_clock(cuda, error));
    if (!isfinite(cuda->clock->speed))
        EWI_TRY(ewi_cuda_finish(cuda, progress, error));
    status = ewi_clock_first_step(cuda->clock, cuda->plan, NULL, dt, progress, error);
out:
    if (status == EW_EDEVICE)
        ewi_cuda_warn_parts(cuda);
    if (entered)
        ewi_cuda_leave_context(cuda);
    return status;
}

/*
 * How many steps to start before looking again: `most`, and at most as many as can still be wanted if they are about dt
 * long.
 */
static int64_t steps_ahead(const struct ewi_clock *clock, double dt, double most)
{
    double wanted = (double)(clock->last_step - clock->steps), rest = ceil((clock->until - clock->time) / dt);
    if (rest < wanted)
        wanted = rest;
    if (most < wanted)
        wanted = most;
    return wanted >= 1.0 ? (int64_t)wanted : 1;
}

/*
 * About so many seconds of steps are started at once; a step's length is what those before took, also in an interval
 * before this one.
 */
#define LOOK_S 0.05
enum { STEPS_OF_PARTS = 64 };

static int advance_running(struct ewi_cuda *cuda, ew_error *error)
{
    bool known = cuda->step_s > 0.0 && cuda->clock->dt > 0.0 && !cuda->plan->part;
    int64_t ahead = known ? steps_ahead(cuda->clock, cuda->clock->dt, LOOK_S / cuda->step_s) : 1;
    while (cuda->clock->state == EWI_CLOCK_RUNNING) {
        double begun = ewi_seconds();
        int64_t before = cuda->clock->steps;
        TRY(ewi_cuda_steps(cuda, ahead, error));
        TRY(ewi_cuda_sync_clock(cuda, error));
        if (cuda->clock->steps > before)
            cuda->step_s = (ewi_seconds() - begun) / (double)(cuda->clock->steps - before);
        if (!ewi_clock_wants_step(cuda->clock))
            ewi_clock_begin(cuda->clock); /* which is then the end; no kernel is needed to see that */
        double most = 2.0 * (double)ahead, fitting = cuda->step_s > 0.0 ? LOOK_S / cuda->step_s : most;
        if (cuda->plan->part) /* the same for all parts, whose clocks are the same */
            fitting = STEPS_OF_PARTS;
        ahead = steps_ahead(cuda->clock, cuda->clock->step, fitting < most ? fitting : most);
    }
    return EW_OK;
}

int ewi_cuda_advance(void *instance, double until, int64_t max_steps, struct ewi_progress *progress, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct ewi_clock clock = ewi_clock_start(cuda->plan, progress, until, max_steps);
    int status = ewi_cuda_enter_context(cuda, error);
    clock.speed = cuda->last_speed;
    bool entered = status == EW_OK, starts = clock.time < until && max_steps > 0;
    if (!starts)
        ewi_clock_begin(&clock);
    status = ewi_cuda_begin(cuda, &clock, starts ? cuda->opening : (struct ewi_cuda_range){0}, status, error);
    if (cuda->plan->part && !cuda->exchange.direct)
        status = ewi_cuda_advance_part(cuda, status, error);
    EWI_TRY(status);
    EWI_TRY(advance_running(cuda, error));
    cuda->last_speed = cuda->clock->speed;
    if (!cuda->warned_of_growth)
        cuda->warned_of_growth = ewi_clock_warn_of_growth(&cuda->host, cuda->clock->growth);
    status = ewi_cuda_finish(cuda, progress, error);
out:
    if (status == EW_EDEVICE)
        ewi_cuda_warn_parts(cuda);
    if (entered)
        ewi_cuda_leave_context(cuda);
    return status;
}

static int profile(void *instance, int64_t steps, struct ewi_progress *progress, ew_kernel_profile *kernel,
                   int *kernels, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct ewi_clock clock = ewi_clock_start(cuda->plan, progress, INFINITY, steps);
    if (cuda->levels)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the kernels of levels of time steps cannot be timed one by one so far");
    int status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        return status;
    *kernels = 0;
    EWI_TRY(ewi_cuda_set_clock(cuda, &clock, error));
    EWI_TRY(ewi_cuda_launch(cuda, cuda->opening, error));
    while (cuda->clock->state == EWI_CLOCK_RUNNING && cuda->clock->steps < clock.last_step) {
        EWI_TRY(ewi_cuda_profile_step(cuda, kernel, kernels, error));
        EWI_TRY(ewi_cuda_sync_clock(cuda, error));
    }
    ewi_clock_begin(cuda->clock);
    status = ewi_cuda_finish(cuda, progress, error);
out:
    ewi_cuda_leave_context(cuda);
    return status;
}

static int limits(const ew_host *host, const struct ewi_backend_options *options, ew_limits *measured, ew_error *error)
{
    struct ewi_cuda cuda = {.host = *host};
    int status;
    bool entered = false;
    EWI_TRY(ewi_cuda_open(&cuda, options->device, options->image, error));
    EWI_TRY(ewi_cuda_enter_context(&cuda, error));
    entered = true;
    *measured = (ew_limits){.copy_bytes_per_s = NAN, .flops_per_s = NAN, .tensor_flops_per_s = NAN};
    ewi_snprintf(measured->device, sizeof measured->device, "GPU %d, %s, %s", cuda.number, cuda.name, cuda.image->name);
    EWI_TRY(ewi_cuda_measure(&cuda, measured, error));
out:
    if (entered)
        ewi_cuda_leave_context(&cuda);
    ewi_cuda_close(&cuda);
    return status;
}

static int residual(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error);

/* Right-hand sides of a case with levels are those of one without, of which each call makes an instance. */
static int residual_without_levels(struct ewi_cuda *cuda, double t, double *volume, double *surface, double *rhs,
                                   ew_error *error)
{
    const struct ewi_backend_options options = {.image = cuda->image->name, .device = cuda->number};
    struct ewi_plan plan = *cuda->whole;
    void *plain = NULL;
    int status;
    double *state = ewi_alloc(&cuda->host, ewi_plan_state_doubles(cuda->whole), sizeof *state);
    if (!state)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for right-hand sides");
    plan.levels = 1;
    EWI_TRY(get_state(cuda, state, error));
    EWI_TRY(create(&plan, &options, &plain, error));
    EWI_TRY(set_state(plain, state, false, error));
    status = residual(plain, t, volume, surface, rhs, error);
out:
    destroy(plain);
    ewi_free(&cuda->host, state);
    return status;
}

static int residual(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    int status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        return status;
    if (cuda->levels) {
        ewi_cuda_leave_context(cuda);
        return residual_without_levels(cuda, t, volume, surface, rhs, error);
    }
    if (cuda->fused && (volume || surface)) {
        status = ewi_fail(error, EW_EINVAL, "the kernel set fused has no %s integrals of its own; the set edgewise has",
                          volume ? "volume" : "surface");
        goto out;
    }
    EWI_TRY(run_clock_at(cuda, t, error));
    EWI_TRY(ewi_cuda_launch(cuda, cuda->integrals, error));
    if (volume)
        EWI_TRY(ewi_cuda_download_state(cuda, volume, EWI_ARRAY_RHS, error));
    if (surface)
        EWI_TRY(ewi_cuda_download(cuda, surface, EWI_ARRAY_RHS_SURFACE,
                                  2 * ewi_plan_slot_doubles(cuda->plan) * sizeof(double), error));
    EWI_TRY(ewi_cuda_launch(cuda, cuda->sum, error));
    if (rhs)
        EWI_TRY(ewi_cuda_download_state(cuda, rhs, ewi_cuda_rhs_array(cuda), error));
out:
    ewi_cuda_leave_context(cuda);
    return status;
}

const struct ewi_backend ewi_backend_cuda = {
    .name = "cuda",
    .description = "NVIDIA GPUs, by the CUDA driver",
    .usable = usable,
    .image = image,
    .device = device,
    .create = create,
    .connect = ewi_cuda_connect,
    .destroy = destroy,
    .describe = describe,
    .fusion = fusion,
    .bytes = bytes,
    .set_state = set_state,
    .get_state = get_state,
    .get_outflow = get_outflow,
    .set_outflow = set_outflow,
    .view_device_state = view_device_state,
    .time_step = time_step,
    .advance = ewi_cuda_advance,
    .residual = residual,
    .profile = profile,
    .copy_create = ewi_cuda_copy_create,
    .copy_start = ewi_cuda_copy_start,
    .copy_wait = ewi_cuda_copy_wait,
    .copy_destroy = ewi_cuda_copy_destroy,
    .expect_points = ewi_cuda_expect_points,
    .sample = ewi_cuda_sample,
    .copy_values = ewi_cuda_copy_values,
    .begin_averages = ewi_cuda_begin_averages,
    .add_sample = ewi_cuda_add_sample,
    .get_averages = ewi_cuda_get_averages,
    .set_averages = ewi_cuda_set_averages,
    .ensemble_create = ewi_cuda_ensemble_create,
    .ensemble_destroy = ewi_cuda_ensemble_destroy,
    .ensemble_leave = ewi_cuda_ensemble_leave,
    .goes_along = ewi_cuda_goes_along,
    .advance_together = ewi_cuda_advance_together,
    .limits = limits,
};
