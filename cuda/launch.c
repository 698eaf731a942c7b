/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a step's list of launches: one by one, or as a graph where the driver has them. */
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"

/* The most that a kernel may be given at a launch is the kernel's, not the launch's: it never becomes less. */
static cu_result allow_shared(const struct ewi_driver *driver, cu_function function, int shared)
{
    int most = 0;
    cu_result result = driver->function_attribute(&most, CU_FUNCTION_DYNAMIC_SHARED_BYTES, function);
    return result == 0 && shared > most ? driver->function_set(function, CU_FUNCTION_DYNAMIC_SHARED_BYTES, shared)
                                        : result;
}

int ewi_cuda_hold(struct ewi_cuda *cuda, cu_function function, unsigned threads, unsigned shared, int64_t *held,
                  ew_error *error)
{
    const struct ewi_driver *driver = &cuda->driver;
    pthread_mutex_t *lock = cuda->code->lock;
    int status = EW_OK, processors = 0, of_each = 0;
    EWI_CUDA(cuda, driver->function_cache(function, CU_PREFER_SHARED), "asking for shared memory", error);
    if (lock)
        pthread_mutex_lock(lock);
    cu_result allowed = allow_shared(driver, function, (int)shared);
    if (lock)
        pthread_mutex_unlock(lock);
    EWI_CUDA(cuda, allowed, "asking for shared memory", error);
    EWI_CUDA(cuda, driver->occupancy(&of_each, function, (int)threads, shared), "asking how many blocks it holds",
             error);
    EWI_CUDA(cuda, driver->device_attribute(&processors, CU_DEVICE_MULTIPROCESSORS, cuda->device),
             "counting its processors", error);
    *held = (int64_t)of_each * processors;
out:
    return status;
}

int ewi_cuda_set_clock(struct ewi_cuda *cuda, const struct ewi_clock *clock, ew_error *error)
{
    *cuda->clock = *clock;
    return ewi_cuda_upload(cuda, EWI_ARRAY_CLOCK, 0, cuda->clock, sizeof *clock, error);
}

int ewi_cuda_sync_clock(struct ewi_cuda *cuda, ew_error *error)
{
    int status = EW_OK;
    EWI_CUDA(cuda, cuda->driver.to_host(cuda->clock, cuda->array[EWI_ARRAY_CLOCK], sizeof *cuda->clock, cuda->stream),
             "stepping", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "stepping", error);
out:
    return status;
}

int ewi_cuda_start(struct ewi_cuda *cuda, cu_function function, unsigned blocks, unsigned threads, unsigned shared,
                   bool early, cu_stream stream, void *argument, ew_error *error)
{
    int status = EW_OK;
    void *parameter[] = {argument};
    struct cu_launch_attribute attribute = {.id = CU_LAUNCH_PROGRAMMATIC, .allowed = 1};
    struct cu_launch_config config = {blocks, 1, 1, threads, 1, 1, shared, stream, &attribute, 1};
    if (early)
        EWI_CUDA(cuda, cuda->driver.launch_with(&config, function, parameter, NULL), "starting a kernel", error);
    else
        EWI_CUDA(cuda, cuda->driver.launch(function, blocks, 1, 1, threads, 1, 1, shared, stream, parameter, NULL),
                 "starting a kernel", error);
out:
    return status;
}

int ewi_cuda_launch_one(struct ewi_cuda *cuda, struct ewi_cuda_launch *launch, ew_error *error)
{
    if (!launch->function)
        return launch->on_host(cuda, launch, error);
    return ewi_cuda_start(cuda, launch->function, launch->blocks, launch->threads, launch->shared,
                          launch->early && cuda->early, cuda->stream, &launch->call, error);
}

int ewi_cuda_launch(struct ewi_cuda *cuda, struct ewi_cuda_range range, ew_error *error)
{
    for (int k = range.first; k < range.first + range.count; k++)
        TRY(ewi_cuda_launch_one(cuda, &cuda->launch[k], error));
    return EW_OK;
}

int ewi_cuda_launch_as_part(struct ewi_cuda *cuda, struct ewi_cuda_range range, int status, ew_error *error)
{
    ew_error later;
    for (int k = range.first; k < range.first + range.count; k++) {
        cuda->failed = status != EW_OK;
        if (!cuda->failed)
            status = ewi_cuda_launch(cuda, (struct ewi_cuda_range){k, 1}, error);
        else if (cuda->launch[k].is_awaited)
            cuda->launch[k].on_host(cuda, &cuda->launch[k], &later);
    }
    return status;
}

/*
 * Numbers the stages of a macro step from 1 across its instants: once a state is inadmissible, kernels of later stages
 * do nothing. As lowered, a launch has only the scheme's stage. `status`: of what went before, in a part.
 */
static int launch_at(struct ewi_cuda *cuda, struct ewi_cuda_range range, int64_t instant, int status,
                     ew_error *error)
{
    const struct ewi_scheme *scheme = cuda->plan->scheme;
    for (int k = range.first; k < range.first + range.count; k++) {
        struct ewi_cuda_launch *launch = &cuda->launch[k];
        int64_t stage = launch->stage ? launch->stage - scheme->stage + 1 : 0;
        launch->call.head.stage = stage > 0 ? (int32_t)(instant * scheme->stages + stage) : 0;
        if (launch->function && launch->messages)
            launch->call.interface.odd = cuda->levels->exchanges++ / 2 % 2;
        if (cuda->plan->part)
            status = ewi_cuda_launch_as_part(cuda, (struct ewi_cuda_range){k, 1}, status, error);
        else
            TRY(ewi_cuda_launch_one(cuda, launch, error));
    }
    return status;
}

static bool launches_one_by_one(const struct ewi_cuda *cuda)
{
    return cuda->has_graphs && !cuda->graph;
}

int ewi_cuda_launch_instants(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error)
{
    struct ewi_cuda_levels *levels = cuda->levels;
    int count = levels->of->levels, status = cuda->failed ? EW_EDEVICE : EW_OK;
    (void)launch;
    levels->exchanges = 0; /* of a macro step their number is even */
    for (int64_t n = 0; n < (int64_t)1 << (count - 1); n++) {
        status = launch_at(cuda, levels->stages[ewi_level_top(count, n)], n, status, error);
        status = launch_at(cuda, levels->end[ewi_level_top(count, n + 1)], n, status, error);
        if (status != EW_OK && !cuda->plan->part)
            return status;
        /* after a break, the remaining instants need not be launched */
        bool syncs_clock = launches_one_by_one(cuda) && !cuda->plan->part;
        if (syncs_clock && (n + 1) % EWI_CUDA_INSTANTS_UNSEEN == 0) {
            TRY(ewi_cuda_sync_clock(cuda, error));
            if (cuda->clock->stage > 0 || cuda->clock->state != EWI_CLOCK_RUNNING)
                break;
        }
    }
    return status;
}

cu_graph_exec ewi_cuda_capture(const struct ewi_driver *driver, cu_stream stream, int steps,
                               int (*step)(void *context), void *context)
{
    cu_graph graph = NULL;
    cu_graph_exec made = NULL;
    if (!driver->capture_begin || !driver->capture_end || !driver->graph_instantiate || !driver->graph_launch ||
        !driver->graph_exec_destroy || !driver->graph_destroy)
        return NULL;
    if (driver->capture_begin(stream, CU_CAPTURE_RELAXED) != 0)
        return NULL;
    int status = EW_OK;
    for (int k = 0; k < steps && status == EW_OK; k++)
        status = step(context);
    if (driver->capture_end(stream, &graph) != 0 || !graph)
        return NULL;
    if (status != EW_OK || driver->graph_instantiate(&made, graph, 0) != 0)
        made = NULL;
    driver->graph_destroy(graph);
    return made;
}

static int capture_step(void *context)
{
    struct ewi_cuda *cuda = context;
    return ewi_cuda_launch(cuda, cuda->step, NULL);
}

static cu_graph_exec make_graph(struct ewi_cuda *cuda, int steps)
{
    if (cuda->plan->callbacks || (cuda->plan->part && !cuda->exchange.direct)) /* the host has its place in it */
        return NULL;
    if (cuda->plan->levels > EWI_CUDA_GRAPH_LEVELS || (cuda->levels && steps > 1))
        return NULL;
    bool lost = cuda->lost;
    cu_graph_exec graph = ewi_cuda_capture(&cuda->driver, cuda->stream, steps, capture_step, cuda);
    cuda->lost = lost; /* a launch that cannot be recorded has not run */
    return graph;
}

/*
 * Without graphs, or if making one fails, steps go launch by launch: slower on small meshes, but the same. Some drivers
 * have graphs, and launches that overlap, but not the one in the other.
 */
static void make_graphs(struct ewi_cuda *cuda)
{
    for (int k = 0; k < 2 && !cuda->graph; k++) {
        cuda->graph = make_graph(cuda, 1);
        cuda->early = cuda->early &&
                      (cuda->graph || cuda->plan->callbacks || cuda->plan->levels > EWI_CUDA_GRAPH_LEVELS);
    }
    cuda->graph_of_some = cuda->graph ? make_graph(cuda, EWI_CUDA_SOME_STEPS) : NULL;
    cuda->has_graphs = true;
}

int ewi_cuda_steps(struct ewi_cuda *cuda, int64_t count, ew_error *error)
{
    int status = EW_OK;
    if (!cuda->has_graphs)
        make_graphs(cuda);
    while (count > 0) {
        bool some = cuda->graph_of_some && count >= EWI_CUDA_SOME_STEPS;
        if (!cuda->graph)
            EWI_TRY(ewi_cuda_launch(cuda, cuda->step, error));
        else
            EWI_CUDA(cuda, cuda->driver.graph_launch(some ? cuda->graph_of_some : cuda->graph, cuda->stream),
                     "starting a step", error);
        count -= some ? EWI_CUDA_SOME_STEPS : 1;
    }
    EWI_TRY(ewi_cuda_launch(cuda, cuda->closing, error));
out:
    return status;
}

void ewi_cuda_free_steps(struct ewi_cuda *cuda)
{
    if (cuda->graph)
        cuda->driver.graph_exec_destroy(cuda->graph);
    if (cuda->graph_of_some)
        cuda->driver.graph_exec_destroy(cuda->graph_of_some);
    ewi_cuda_free_items(cuda);
    ewi_free(&cuda->host, cuda->launch);
    cuda->graph = cuda->graph_of_some = NULL;
    cuda->launch = NULL;
}
