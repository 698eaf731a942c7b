/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of a comparison, from words like "omp,edgewise,avx2,threads=2". */
#include "compare.h"
#include "ewi_text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { NUMBERS = 4, TEXTS = 4, MOST_NAMES = 64, MOST_DEVICES = 65536 };

/* Text settings of a side, as NAME or KEY=NAME. */
static const struct {
    const char *key;
    enum ew_list list;
    size_t member;
} texts[TEXTS] = {
    {"backend", EW_BACKENDS, offsetof(ew_problem, backend)},
    {"kernels", EW_KERNELS, offsetof(ew_problem, kernels)},
    {"level", EW_LEVELS, offsetof(ew_problem, level)},
    {"image", EW_IMAGES, offsetof(ew_problem, image)},
};

/* The library lists only the images of this build. */
static const char *name_of(int text, int k)
{
    static const char *const images[] = {"native", "sm_20", NULL};
    return texts[text].list == EW_IMAGES ? images[k] : ew_list_name(texts[text].list, k);
}

/* Numbers of a side, as KEY=NUMBER; each at most once. */
static const struct {
    const char *key;
    int least, most;
    size_t member;
} numbers[NUMBERS] = {
    {"threads", 0, EW_MAX_THREADS, offsetof(ew_problem, threads)},
    {"device", 0, MOST_DEVICES, offsetof(ew_problem, device)},
    {"tile", -1, 8, offsetof(ew_problem, tile)},
    {"parts", 0, EW_MAX_PARTS, offsetof(ew_problem, parts)},
};
enum { DEVICE = 1, TILE = 2 };

static bool is_name_of(int text, const char *word)
{
    for (int k = 0; name_of(text, k); k++)
        if (strcmp(name_of(text, k), word) == 0)
            return true;
    return false;
}

static int refuse_word(const char *option, const char *word)
{
    const char *names[MOST_NAMES], *name;
    size_t count = 0;
    for (int k = 0; k < NUMBERS; k++)
        names[count++] = numbers[k].key;
    for (int l = 0; l < TEXTS; l++)
        for (int k = -1; (name = k < 0 ? texts[l].key : name_of(l, k)) && count < MOST_NAMES; k++)
            names[count++] = name;
    const char *nearest = ewi_nearest(word, names, count);
    if (nearest)
        return cli_fail(EX_USAGE, "--%s: \"%s\" is no backend, set of kernels, level or image; did you mean \"%s\"?",
                        option, word, nearest);
    return cli_fail(EX_USAGE,
                    "--%s: \"%s\" is no backend, set of kernels, level or image; \"edgewise info\" lists them.", option,
                    word);
}

static int set_text(const char *option, const char **member, const char *value)
{
    if (*member)
        return cli_fail(EX_USAGE, "--%s names both \"%s\" and \"%s\"; only one is possible.", option, *member, value);
    *member = value;
    return EX_OK;
}

static int set_number(const char *option, int k, const char *value, ew_problem *problem, bool given[NUMBERS])
{
    const char *key = numbers[k].key;
    int least = numbers[k].least, most = numbers[k].most;
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (given[k])
        return cli_fail(EX_USAGE, "--%s gives %s twice.", option, key);
    if (end == value || *end || errno || number < least || number > most)
        return cli_fail(EX_USAGE, "--%s: %s needs a whole number from %d to %d, not \"%s\".", option, key, least, most,
                        value);
    if (k == TILE && number != -1 && number != 0 && number != 8)
        return cli_fail(EX_USAGE, "--%s: tile is %s; it must be 8 or -1 (all elements).", option, value);
    given[k] = true;
    *(int *)(void *)((char *)problem + numbers[k].member) = (int)number;
    return EX_OK;
}

/* The library refuses names that this build or machine lacks. */
static int apply_word(const char *option, char *word, ew_problem *problem, bool given[NUMBERS])
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    for (int k = 0; k < TEXTS; k++)
        if (value ? strcmp(word, texts[k].key) == 0 : is_name_of(k, word)) {
            const char *name = value ? value : word, **member = (void *)((char *)problem + texts[k].member);
            return is_name_of(k, name) ? set_text(option, member, name) : refuse_word(option, name);
        }
    for (int k = 0; k < NUMBERS && value; k++)
        if (strcmp(word, numbers[k].key) == 0)
            return set_number(option, k, value, problem, given);
    return refuse_word(option, word);
}

enum { SENTENCE = sizeof((ew_error *)NULL)->message };

/* Keeps the first sentence about the settings of a side. */
static void note_finding(void *kept, const ew_place *place, const char *sentence)
{
    const char *member = place->member && !place->boundary ? place->member : "";
    bool is_ours = false;
    for (int k = 0; k < TEXTS; k++)
        is_ours = is_ours || strcmp(member, texts[k].key) == 0;
    for (int k = 0; k < NUMBERS; k++)
        is_ours = is_ours || strcmp(member, numbers[k].key) == 0;
    if (is_ours && *(char *)kept == '\0')
        snprintf(kept, SENTENCE, "%s", sentence);
}

/* Words that are valid one by one may not be so together; the library checks that. */
static int check_together(const char *option, const ew_problem *of)
{
    char wrong[SENTENCE] = "";
    ew_problem problem = *of;
    problem.report = note_finding;
    problem.report_context = wrong;
    ew_problem_check(NULL, NULL, &problem, NULL, NULL);
    return wrong[0] ? cli_fail(EX_USAGE, "--%s: %s", option, wrong) : EX_OK;
}

int cmd_side_parse(struct cmd_side *side, const char *option, const char *words, const ew_problem *of)
{
    ew_problem *problem = &side->problem;
    bool given[NUMBERS] = {false};
    int code = EX_OK;
    free(side->words);
    side->words = cli_copy(words);
    *problem = *of;
    problem->backend = problem->kernels = problem->level = problem->image = NULL;
    problem->tile = problem->parts = 0;
    char *rest = side->words;
    while (rest && code == EX_OK) {
        char *word = rest, *comma = strchr(rest, ',');
        rest = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        code = apply_word(option, word, problem, given);
    }
    if (code == EX_OK && !problem->backend)
        problem->backend = problem->image || given[DEVICE] ? "cuda" : "omp";
    if (code == EX_OK && given[DEVICE] && !ew_backend_has_devices(problem->backend))
        return cli_fail(EX_USAGE, "--%s: the backend %s has no numbered devices; leave \"device\" out, or use cuda.",
                        option, problem->backend);
    if (code == EX_OK && !ew_backend_has_devices(problem->backend))
        problem->device = 0; /* the case's device is the other side's */
    return code == EX_OK ? check_together(option, problem) : code;
}
