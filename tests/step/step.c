/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of operations: valid for every scheme, limiter and set of kernels, and no longer without one that is needed. */
#include "ewi_step.h"
#include "tap.h"

#include <string.h>

/* What fusions there are, and what is checked with each. */
static const struct {
    const char *name;
    struct ewi_fusion fusion;
} fusions[] = {
    {"one by one", {.stages = false}},
    {"one by one, of parts", {.next_step = true}},
    {"stages of tiles", {.stages = true, .limits = true, .speed = true}},
    {"stages of tiles, of parts", {.next_step = true, .stages = true, .limits = true, .speed = true}},
    {"a GPU's stages", {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .data_ahead = true}},
    {"stages that send",
     {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .data_ahead = true, .sends = true}},
    {"stages that overlap",
     {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .data_ahead = true, .overlaps = true}},
};

enum { FUSIONS = sizeof fusions / sizeof *fusions, BITS = 6 };

/* Bits of a number are the choices that are independent of each other. */
static struct ewi_sizes sizes_of(const struct ewi_scheme *scheme, const struct ewi_limiter *limiter, unsigned bits)
{
    return (struct ewi_sizes){.scheme = scheme, .limiter = limiter, .positivity = bits & 1, .divided = bits & 2,
                              .steady = bits & 4 ? 1e-9 : 0.0, .time_dependent = bits & 8,
                              .callbacks = (bits & 24) == 24, .instructions = (bits & 40) == 40};
}

struct counts {
    int lists, wrong, longest, missed;
};

/* Operations without which some other one would not find what it needs. */
static bool is_needed(const struct ewi_operation *operation)
{
    switch (operation->kind) {
    case EWI_OP_volume: case EWI_OP_surface: case EWI_OP_gather: case EWI_OP_update: case EWI_OP_exchange:
    case EWI_OP_send: case EWI_OP_change:
        return true;
    case EWI_OP_limit: case EWI_OP_positivity:
        return operation->stage > 0;
    default:
        return false;
    }
}

static void try_without(const struct ewi_sizes *sizes, const struct ewi_step *step, struct counts *counts)
{
    const char *why;
    int at;
    for (int k = step->step.first; k < step->step.first + step->step.count; k++) {
        struct ewi_step shorter = *step;
        if (!is_needed(&step->operation[k]))
            continue;
        shorter.operation[k].kind = EWI_OP_end; /* which needs nothing, and leaves nothing */
        if (!ewi_step_is_valid(sizes, &shorter, &at, &why))
            continue;
        counts->missed++;
        diag("%s: without number %d, %s, the list is valid", sizes->scheme->name, k,
             ewi_operation_name(step->operation[k].kind));
    }
}

static void try_list(const struct ewi_sizes *sizes, const struct ewi_fusion *fusion, struct counts *counts)
{
    struct ewi_step step;
    const char *why = "";
    char text[256];
    int at = 0;
    ewi_step_make_fused(sizes, fusion, &step);
    counts->lists++;
    counts->longest = step.operations > counts->longest ? step.operations : counts->longest;
    if (ewi_step_is_valid(sizes, &step, &at, &why)) {
        try_without(sizes, &step, counts);
        return;
    }
    counts->wrong++;
    ewi_operation_describe(&step.operation[at], text, sizeof text);
    diag("%s, limiter %s: number %d, %s: %s", sizes->scheme->name, sizes->limiter ? sizes->limiter->name : "none",
         at, text, why);
}

static void try_all(int number)
{
    struct counts counts = {0};
    for (int s = 0; ewi_scheme_at(s); s++)
        for (int l = -1; l < EWI_LIMITER_COUNT; l++)
            for (unsigned bits = 0; bits < 1 << BITS; bits++) {
                const struct ewi_sizes sizes = sizes_of(ewi_scheme_at(s), l < 0 ? NULL : ewi_limiter_at(l), bits);
                try_list(&sizes, &fusions[number].fusion, &counts);
            }
    is_int(counts.wrong, 0, "%s: all %d lists are valid", fusions[number].name, counts.lists);
    is_int(counts.missed, 0, "%s: no list is valid without an operation that it needs", fusions[number].name);
    ok(counts.longest <= EWI_MAX_OPERATIONS, "%s: the longest list has room", fusions[number].name);
}

static void test_words(void)
{
    const struct ewi_operation operation = {.kind = EWI_OP_stage, .stage = 2, .source = 1, .target = 0,
                                            .on_load = EWI_OP_BIT(ghost)};
    char text[64], cut[8];
    int length = ewi_operation_describe(&operation, text, sizeof text);
    is_str(text, "2  stage u1 -> u0; on load: ghost", "an operation in words");
    is_int(length, (int)strlen(text), "its length");
    is_int(ewi_operation_describe(&operation, cut, sizeof cut), length, "also where there is no room");
    is_str(cut, "2  stag", "which cuts it");
}

int main(void)
{
    for (int k = 0; k < FUSIONS; k++)
        try_all(k);
    test_words();
    return done_testing();
}
