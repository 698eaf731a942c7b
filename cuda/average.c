/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Averages on the device: a kernel between two steps adds a sample of the state to accumulators that stay there, and
 * copies nothing until they are read.
 */
#include "ewi_cuda.h"
#include "ewi_cuda_average.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <string.h>

_Static_assert((int)EWI_CUDA_AVERAGE_SAMPLES == (int)EWI_AVERAGE_SAMPLES, "kernels have room for all samples");

/* Offsets in the averages' memory, which begins with a struct ewi_cuda_averages. */
struct layout {
    size_t phi, rs, shape, constant, code, values, end;
};

static const struct ewi_program *formula_of(const struct ewi_plan *plan, int sample)
{
    struct ewi_output output;
    ewi_plan_output(plan, plan->averages.sample[sample], &output);
    return output.from == EWI_FROM_FORMULA ? plan->quantity[output.index].program : NULL;
}

static struct layout layout_of(const struct ewi_plan *plan)
{
    enum { HEAD = (sizeof(struct ewi_cuda_averages) + 255) / 256 * 256 };
    size_t np = (size_t)plan->basis->np, constants = 0, instructions = 0, real = sizeof(double);
    struct layout at = {.phi = HEAD};
    for (int s = 0; s < plan->averages.samples; s++) {
        const struct ewi_program *program = formula_of(plan, s);
        constants += program ? (size_t)program->constants : 0;
        instructions += program ? (size_t)program->length : 0;
    }
    at.rs = at.phi + 3 * np * np * real;
    at.shape = at.rs + 2 * np * real;
    at.constant = at.shape + (size_t)plan->grid->elements * EWI_CUDA_AVERAGE_SHAPE * real;
    at.code = at.constant + constants * real;
    at.values = (at.code + instructions * sizeof(struct ewi_instruction) + 255) / 256 * 256;
    at.end = at.values + ewi_average_doubles(plan) * real;
    return at;
}

static struct ewi_cuda_quantity quantity_of(const struct ewi_output *output)
{
    static const int32_t from[] = {[EWI_FROM_PRIMITIVE] = EWI_CUDA_FROM_PRIMITIVE,
                                   [EWI_FROM_CONSERVED] = EWI_CUDA_FROM_CONSERVED,
                                   [EWI_FROM_DERIVED] = EWI_CUDA_FROM_DERIVED,
                                   [EWI_FROM_LIMITER] = EWI_CUDA_FROM_DERIVED,
                                   [EWI_FROM_FORMULA] = EWI_CUDA_FROM_FORMULA};
    return (struct ewi_cuda_quantity){from[output->from], output->index};
}

/* True if all samples are variables of the state, and few enough for registers. */
static bool is_plain(const struct ewi_plan *plan)
{
    for (int s = 0; s < plan->averages.samples; s++) {
        struct ewi_output output;
        ewi_plan_output(plan, plan->averages.sample[s], &output);
        if (output.from != EWI_FROM_PRIMITIVE && output.from != EWI_FROM_CONSERVED)
            return false;
    }
    return plan->averages.samples <= EWI_CUDA_AVERAGE_TOGETHER;
}

/* Samples, and their programs one after the other. */
static void describe_samples(const struct ewi_plan *plan, struct ewi_cuda_averages *averages)
{
    int32_t code = 0, constant = 0;
    for (int s = 0; s < plan->averages.samples; s++) {
        struct ewi_output output;
        ewi_plan_output(plan, plan->averages.sample[s], &output);
        const struct ewi_program *program = formula_of(plan, s);
        averages->sample[s].of = quantity_of(&output);
        averages->sample[s].mean = plan->averages.mean[s];
        averages->gradients |= output.from == EWI_FROM_DERIVED;
        if (!program)
            continue;
        averages->sample[s].code = code;
        averages->sample[s].length = program->length;
        averages->sample[s].constant = constant;
        averages->sample[s].uses = plan->quantity[output.index].uses;
        averages->gradients |= plan->quantity[output.index].gradients;
        code += program->length;
        constant += program->constants;
    }
}

static struct ewi_cuda_averages describe(const struct ewi_cuda *cuda)
{
    const struct ewi_plan *plan = cuda->whole;
    struct ewi_cuda_averages averages = {.elements = plan->grid->elements, .np = plan->basis->np,
                                         .samples = plan->averages.samples, .slots = plan->averages.slots,
                                         .count = plan->averages.count};
    struct ewi_output output;
    describe_samples(plan, &averages);
    for (int k = 0; k < EWI_CUDA_LAW_OUTPUTS && ewi_output_find(plan->law->info, k, &output); k++)
        averages.law[k] = quantity_of(&output);
    for (int n = 0; n < plan->averages.count; n++) {
        const struct ewi_plan_average *average = &plan->averages.average[n];
        averages.average[n].statistic = (int32_t)average->statistic;
        averages.average[n].a = average->a;
        averages.average[n].b = average->b;
        averages.average[n].slot = average->slot;
        averages.average[n].above = average->above;
    }
    return averages;
}

/* Fills the host's copy of that memory, except for the values; `phi` and `rs` are those of struct ewi_sampling. */
static void fill(const struct ewi_cuda *cuda, const double *phi, const double *rs, char *memory)
{
    const struct ewi_plan *plan = cuda->whole;
    struct layout at = layout_of(plan);
    struct ewi_cuda_averages averages = describe(cuda);
    size_t np = (size_t)plan->basis->np;
    cu_address device = cuda->averages.memory;
    averages.phi = (const double *)(uintptr_t)(device + at.phi);
    averages.rs = (const double *)(uintptr_t)(device + at.rs);
    averages.shape = (const double *)(uintptr_t)(device + at.shape);
    averages.constant = (const double *)(uintptr_t)(device + at.constant);
    averages.code = (const struct ewi_instruction *)(uintptr_t)(device + at.code);
    averages.values = (double *)(uintptr_t)(device + at.values);
    memcpy(memory, &averages, sizeof averages);
    memcpy(memory + at.phi, phi, 3 * np * np * sizeof *phi);
    memcpy(memory + at.rs, rs, 2 * np * sizeof *rs);
    double *shape = (double *)(memory + at.shape);
    for (int32_t i = 0; i < plan->grid->elements; i++, shape += EWI_CUDA_AVERAGE_SHAPE) {
        struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
        memcpy(shape, (double[]){corner.x, corner.y, corner.xr, corner.xs, corner.yr, corner.ys,
                                 ewi_mesh_det(plan->mesh, i)}, EWI_CUDA_AVERAGE_SHAPE * sizeof *shape);
    }
    for (int s = 0; s < plan->averages.samples; s++) {
        const struct ewi_program *program = formula_of(plan, s);
        if (!program)
            continue;
        memcpy((double *)(memory + at.constant) + averages.sample[s].constant, program->constant,
               (size_t)program->constants * sizeof(double));
        memcpy((struct ewi_instruction *)(memory + at.code) + averages.sample[s].code, program->code,
               (size_t)program->length * sizeof(struct ewi_instruction));
    }
}

static int upload(struct ewi_cuda *cuda, size_t offset, const void *source, size_t bytes, ew_error *error)
{
    int status;
    EWI_CUDA(cuda, cuda->driver.to_device(cuda->averages.memory + offset, source, bytes, cuda->stream),
             "copying averages to it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying averages to it", error);
out:
    return status;
}

int ewi_cuda_begin_averages(void *instance, const double *phi, const double *rs, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    struct layout at = layout_of(cuda->whole);
    char name[EWI_CUDA_NAME], *memory = ewi_alloc(&cuda->host, at.values, 1);
    if (!memory)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for averages on the GPU");
    int status = ewi_cuda_enter_context(cuda, error);
    if (status != EW_OK)
        goto out;
    ewi_snprintf(name, sizeof name, "average_%s_%s", is_plain(cuda->whole) ? "plain" : "derived",
                 cuda->whole->law->identifier);
    status = ewi_cuda_function(cuda, cuda->code->common, name, &cuda->averages.function, error);
    if (status == EW_OK)
        status = ewi_cuda_result(cuda, ewi_cuda_take(cuda, &cuda->averages.memory, at.end), "for averages", error);
    if (status == EW_OK) {
        fill(cuda, phi, rs, memory);
        status = upload(cuda, 0, memory, at.values, error);
    }
    ewi_cuda_leave_context(cuda);
out:
    ewi_free(&cuda->host, memory);
    return status;
}

void ewi_cuda_free_averages(struct ewi_cuda *cuda)
{
    if (cuda->averages.memory)
        ewi_cuda_give(cuda, cuda->averages.memory);
    cuda->averages.memory = 0;
}

static int add_sample(struct ewi_cuda *cuda, double weight, double ratio, double time, ew_error *error)
{
    const struct ewi_plan *plan = cuda->whole;
    const struct ewi_arguments a = ewi_cuda_arguments(cuda);
    int64_t elements = (int64_t)ewi_average_tiles_a_block(plan->basis->np) * EWI_TILE;
    bool fused = cuda->fused && !cuda->levels;
    cu_address state = cuda->array[EWI_ARRAY_STATE];
    if (cuda->levels)
        TRY(ewi_cuda_show_state(cuda, &state, error));
    union { /* a launch copies the size of the largest call */
        union ewi_cuda_call any;
        struct ewi_cuda_average average;
    } room = {.average = {.volume_field = a.volume_field, .fused = fused, .width = a.width,
                          .matrix = fused && EWI_FUSED_MATRIX(cuda->blocks.variant),
                          .state = (const double *)(uintptr_t)state,
                          .averages = (const union ewi_cuda_averages_words *)(uintptr_t)cuda->averages.memory,
                          .weight = weight, .ratio = ratio, .time = time}};
    memcpy(room.average.parameter, a.parameter, sizeof room.average.parameter);
    return ewi_cuda_start(cuda, cuda->averages.function, (unsigned)((plan->grid->elements + elements - 1) / elements),
                          EWI_CUDA_BLOCK, 0, false, cuda->stream, &room, error);
}

int ewi_cuda_add_sample(void *instance, double weight, double ratio, double time, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    TRY(ewi_cuda_enter_context(cuda, error));
    int status = add_sample(cuda, weight, ratio, time, error);
    ewi_cuda_leave_context(cuda);
    return status;
}

int ewi_cuda_get_averages(void *instance, double *values, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    size_t bytes = ewi_average_doubles(cuda->whole) * sizeof *values, offset = layout_of(cuda->whole).values;
    TRY(ewi_cuda_enter_context(cuda, error));
    int status;
    EWI_CUDA(cuda, cuda->driver.to_host(values, cuda->averages.memory + offset, bytes, cuda->stream),
             "copying averages from it", error);
    EWI_CUDA(cuda, cuda->driver.stream_wait(cuda->stream), "copying averages from it", error);
out:
    ewi_cuda_leave_context(cuda);
    return status;
}

int ewi_cuda_set_averages(void *instance, const double *values, ew_error *error)
{
    struct ewi_cuda *cuda = instance;
    TRY(ewi_cuda_enter_context(cuda, error));
    int status = upload(cuda, layout_of(cuda->whole).values, values, ewi_average_doubles(cuda->whole) * sizeof *values,
                        error);
    ewi_cuda_leave_context(cuda);
    return status;
}
