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
    {"stages of tiles", {.stages = true, .limits = true, .speed = true, .sources = true}},
    {"stages of tiles, of parts", {.next_step = true, .stages = true, .limits = true, .speed = true, .sources = true}},
    {"a GPU's stages", {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .of_means = true,
      .data_ahead = true}},
    {"stages that send",
     {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .of_means = true,
      .data_ahead = true, .sends = true}},
    {"stages that overlap",
     {.next_step = true, .stages = true, .limits_on_load = true, .speed = true, .of_means = true,
      .data_ahead = true, .overlaps = true}},
};

enum { FUSIONS = sizeof fusions / sizeof *fusions, BITS = 8 };

/* Bits of a number are the choices that are independent of each other. */
static struct ewi_sizes sizes_of(const struct ewi_scheme *scheme, const struct ewi_limiter *limiter, unsigned bits)
{
    return (struct ewi_sizes){.scheme = scheme, .limiter = limiter, .positivity = bits & 1, .levels = 1,
                              .preserves_order = (bits & 1) && !limiter, .divided = bits & 2,
                              .steady = bits & 4 ? 1e-9 : 0.0, .time_dependent = bits & 8,
                              .callbacks = (bits & 24) == 24, .instructions = (bits & 40) == 40,
                              .has_sponge = bits & 64, .outflow = bits & 128};
}

struct counts {
    int lists, wrong, longest, missed;
};

/* Operations without which some other one would not find what it needs. */
static bool is_needed(const struct ewi_operation *operation)
{
    switch (operation->kind) {
    case EWI_OP_volume: case EWI_OP_surface: case EWI_OP_gather: case EWI_OP_update: case EWI_OP_exchange:
    case EWI_OP_source: case EWI_OP_outflow: case EWI_OP_send: case EWI_OP_change:
    case EWI_OP_sense: case EWI_OP_alpha: case EWI_OP_divide: case EWI_OP_subcells:
        return true;
    case EWI_OP_ghost: case EWI_OP_limit: case EWI_OP_positivity:
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
        shorter.operation[k].kind = EWI_OP_keep; /* which needs nothing, and leaves nothing */
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
    ewi_operation_describe(&step, &step.operation[at], text, sizeof text);
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

static bool is_needed_at_instant(enum ewi_operation_kind kind)
{
    return kind == EWI_OP_ghost || kind == EWI_OP_update || kind == EWI_OP_stage || kind == EWI_OP_couple ||
           kind == EWI_OP_close || kind == EWI_OP_view || kind == EWI_OP_exchange || kind == EWI_OP_sense ||
           kind == EWI_OP_alpha || kind == EWI_OP_divide || kind == EWI_OP_subcells;
}

/* Each operation of an instant in turn is left out: those that are always needed are missed. */
static void try_instant(const struct ewi_sizes *sizes, const struct ewi_fusion *fusion, struct counts *counts)
{
    struct ewi_step step;
    const char *why = "";
    int at = 0;
    ewi_step_make_fused(sizes, fusion, &step);
    counts->lists++;
    if (!ewi_step_is_valid(sizes, &step, &at, &why)) {
        counts->wrong++;
        diag("%s: number %d, %s: %s", sizes->scheme->name, at, ewi_operation_name(step.operation[at].kind), why);
    }
    for (int k = step.instant.first; k < step.instant.first + step.instant.count; k++) {
        struct ewi_step shorter = step;
        if (!is_needed_at_instant(step.operation[k].kind))
            continue;
        shorter.operation[k].kind = EWI_OP_end;
        counts->missed += ewi_step_is_valid(sizes, &shorter, &at, &why);
    }
}

static void test_instants(void)
{
    const struct ewi_fusion ways[] = {{.stages = false},
                                      {.stages = true, .sources = true},
                                      {.next_step = true, .stages = true, .sources = true}};
    struct counts counts = {0};
    for (int s = 0; ewi_scheme_at(s); s++)
        for (int l = -1; l < EWI_LIMITER_COUNT; l++)
            for (unsigned bits = 0; bits < 1 << BITS; bits++) {
                struct ewi_sizes sizes = sizes_of(ewi_scheme_at(s), l < 0 ? NULL : ewi_limiter_at(l), bits);
                sizes.levels = 3;
                sizes.law = bits & 1 ? ewi_law_find("shallow-water-bed") : NULL;
                if (sizes.scheme->stages > EWI_MOST_LEVEL_STAGES)
                    continue;
                for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
                    try_instant(&sizes, &ways[w], &counts);
            }
    ok(counts.lists > 0 && counts.wrong == 0, "levels: all %d lists are valid", counts.lists);
    is_int(counts.missed, 0, "levels: no instant is valid without an operation that it needs");
}

/* The rules at struct ewi_scheme. */
static bool is_proper(const struct ewi_scheme *scheme)
{
    bool stored[EWI_MAX_REGISTERS] = {true}, kept = false;
    bool good = scheme->registers >= 2 && scheme->registers <= EWI_MAX_REGISTERS && scheme->stages <= EWI_MAX_STAGES;
    for (int s = 0; good && s < scheme->stages; s++) {
        const struct ewi_stage *stage = &scheme->stage[s];
        good = stage->target < scheme->registers && stored[stage->source] && stage->source != stage->target &&
               (stage->target == 0) == (s + 1 == scheme->stages) && stage->terms <= EWI_MAX_TERMS &&
               (stage->kept == 0 || (kept && stage->terms > 0)) && !(stage->keeps && kept);
        for (int t = 0; t < stage->terms; t++)
            good = good && stored[stage->term[t].from];
        stored[stage->target] = true;
        kept = kept || stage->keeps;
    }
    return good && kept == (scheme->keeps > 0);
}

static void test_schemes(void)
{
    for (int s = 0; ewi_scheme_at(s); s++)
        ok(is_proper(ewi_scheme_at(s)), "%s: follows the rules of schemes", ewi_scheme_at(s)->name);
}

/* The first exchange of a step, with each quantity. */
static void test_quantities(void)
{
    const struct ewi_sizes sizes = sizes_of(ewi_scheme_at(0), NULL, 2);
    for (int quantity = 0; quantity < EWI_QUANTITY_COUNT; quantity++) {
        struct ewi_step step;
        const char *why = "";
        int k, at = -1;
        ewi_step_make(&sizes, &step);
        for (k = step.step.first; step.operation[k].kind != EWI_OP_exchange;)
            k++;
        step.operation[k].quantity = (enum ewi_quantity)quantity;
        bool valid = ewi_step_is_valid(&sizes, &step, &at, &why);
        if (quantity == EWI_QUANTITY_state) {
            ok(valid, "an exchange of the state is valid");
        } else if (quantity == EWI_QUANTITY_means) {
            ok(!valid && at > k, "an exchange of the means leaves the ghost layer incomplete");
        } else {
            is_int(valid ? -1 : at, k, "an exchange of neither is not valid");
            is_str(why, "an exchange is for the state or its means", "in a sentence");
        }
    }
}

/* The first operation of a step of this kind. */
static struct ewi_operation *first_of(struct ewi_step *step, enum ewi_operation_kind kind)
{
    int k = step->step.first;
    while (step->operation[k].kind != kind)
        k++;
    return &step->operation[k];
}

static void make_listed(const struct ewi_sizes *sizes, int fusion, struct ewi_step *step, int *list)
{
    ewi_step_make_fused(sizes, &fusions[fusion].fusion, step);
    *list = ewi_step_add_list(step, "some", 0, 1);
    ewi_step_add_list(step, "others", 1, 2);
}

static void test_too_many_lists(void)
{
    struct ewi_step step = {.lists = 0};
    is_int(ewi_step_add_list(&step, "far", 0, EWI_MAX_CLASSES + 1), EWI_NO_LIST, "a list of too many classes is none");
    for (int k = 0; k < EWI_MAX_ELEMENT_LISTS; k++)
        ewi_step_add_list(&step, "one", 0, 1);
    is_int(ewi_step_add_list(&step, "more", 0, 1), EWI_NO_LIST, "nor is one for which a step has no room");
    is_int(step.lists, EWI_MAX_ELEMENT_LISTS, "and the step stays as it was");
}

/* An operation of a list leaves the others without its result, as each kind notices in its own way. */
static void test_lists(void)
{
    static const struct {
        enum ewi_operation_kind kind;
        int fusion;
        const char *why;
    } cases[] = {
        {EWI_OP_speed, 0, "what it is the maximum of has not been found"},
        {EWI_OP_begin, 0, "it cannot be of a list of elements"},
        {EWI_OP_exchange, 1, "it cannot be of a list of elements"},
        {EWI_OP_ghost, 6, "the ghost states of its source are missing"},
        {EWI_OP_volume, 0, "the volume or surface integrals of its source are missing"},
        {EWI_OP_surface, 0, "the volume or surface integrals of its source are missing"},
        {EWI_OP_gather, 0, "there is no right-hand side"},
        {EWI_OP_update, 0, "its target holds a state of some elements only"},
        {EWI_OP_limit, 0, "its source is still to be limited"},
        {EWI_OP_stage, 2, "it limits by means of elements that are not in its list"},
        {EWI_OP_stage, 4, "its source holds a state of some elements only"},
    };
    const struct ewi_limiter *by_means = ewi_limiter_at(EWI_LIMITER_barth_jespersen);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool divided = cases[k].fusion == 1 || cases[k].fusion == 6;
        const struct ewi_sizes sizes = sizes_of(ewi_scheme_find("ssprk33"), divided ? NULL : by_means, divided ? 2 : 0);
        struct ewi_step step;
        const char *why = "";
        int at, list;
        make_listed(&sizes, cases[k].fusion, &step, &list);
        ok(ewi_step_is_valid(&sizes, &step, &at, &why), "lists that no operation names change nothing");
        first_of(&step, cases[k].kind)->elements = list;
        ok(!ewi_step_is_valid(&sizes, &step, &at, &why), "%s of some elements", ewi_operation_name(cases[k].kind));
        is_str(why, cases[k].why, "... is not enough");
    }
}

static void test_whole_rhs(void)
{
    const struct ewi_sizes sizes = sizes_of(ewi_scheme_at(0), NULL, 0);
    struct ewi_step step;
    const char *why = "";
    int at, list;
    make_listed(&sizes, 0, &step, &list);
    step.operation[step.rhs.first].elements = list;
    ok(!ewi_step_is_valid(&sizes, &step, &at, &why), "a right-hand side by itself has no lists");
    is_str(why, "a right-hand side by itself is of all elements", "... as a sentence says");
}

static void test_list_lines(void)
{
    const struct ewi_sizes sizes = sizes_of(ewi_scheme_at(0), NULL, 2);
    struct ewi_step step;
    char text[128];
    int lines = 0;
    ewi_step_make_fused(&sizes, &fusions[FUSIONS - 1].fusion, &step);
    bool names = false;
    for (; ewi_step_line(&step, lines, text, sizeof text) > 0; lines++)
        names = names || strcmp(text, "1  stage u0 -> u1, interior") == 0;
    ok(names, "a printed operation names its list");
    ewi_step_line(&step, lines - 3, text, sizeof text);
    is_str(text, "lists of elements", "the lists come last");
    ewi_step_line(&step, lines - 2, text, sizeof text);
    is_str(text, "interface: class 0 of the elements", "... the interface");
    ewi_step_line(&step, lines - 1, text, sizeof text);
    is_str(text, "interior: class 1 of the elements", "... and the interior");
}

static void test_words(void)
{
    const struct ewi_operation operation = {.kind = EWI_OP_stage, .stage = 2, .source = 1, .target = 0,
                                            .on_load = EWI_OP_BIT(ghost)};
    char text[64], cut[8];
    int length = ewi_operation_describe(NULL, &operation, text, sizeof text);
    is_str(text, "2  stage u1 -> u0; on load: ghost", "an operation in words");
    is_int(length, (int)strlen(text), "its length");
    is_int(ewi_operation_describe(NULL, &operation, cut, sizeof cut), length, "also where there is no room");
    is_str(cut, "2  stag", "which cuts it");
}

int main(void)
{
    for (int k = 0; k < FUSIONS; k++)
        try_all(k);
    test_schemes();
    test_quantities();
    test_too_many_lists();
    test_lists();
    test_whole_rhs();
    test_list_lines();
    test_words();
    test_instants();
    return done_testing();
}
