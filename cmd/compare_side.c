/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of a comparison, from words like "omp,edgewise,avx2,threads=2". */
#include "compare.h"
#include "ewi_text.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_NAMES = 64, MOST_DEVICES = 65536 };

static bool is_in_list(enum ew_list list, const char *word)
{
    for (int k = 0; ew_list_name(list, k); k++)
        if (strcmp(ew_list_name(list, k), word) == 0)
            return true;
    return false;
}

static int refuse_word(const char *option, const char *word)
{
    static const enum ew_list lists[] = {EW_BACKENDS, EW_KERNELS, EW_LEVELS};
    const char *names[MOST_NAMES] = {"native", "sm_20", "threads", "device", "tile", "backend", "kernels", "level",
                                     "image"};
    size_t count = 9;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (int k = 0; ew_list_name(lists[l], k) && count < MOST_NAMES; k++)
            names[count++] = ew_list_name(lists[l], k);
    const char *nearest = ewi_nearest(word, names, count);
    if (nearest)
        cli_error("--%s: \"%s\" is no backend, set of kernels, level or image; did you mean \"%s\"?", option, word,
                  nearest);
    else
        cli_error("--%s: \"%s\" is no backend, set of kernels, level or image; \"edgewise info\" lists them.", option,
                  word);
    return EX_USAGE;
}

static int set_text(const char *option, const char **member, const char *value)
{
    if (*member)
        return cli_fail(EX_USAGE, "--%s names both \"%s\" and \"%s\"; only one is possible.", option, *member, value);
    *member = value;
    return EX_OK;
}

enum { NUMBERS = 3, TEXTS = 4 };

/* What a side says with numbers; each once. */
static const struct {
    const char *key;
    int least, most;
    size_t member;
} numbers[NUMBERS] = {
    {"threads", 0, EW_MAX_THREADS, offsetof(ew_problem, threads)},
    {"device", 0, MOST_DEVICES, offsetof(ew_problem, device)},
    {"tile", -1, 8, offsetof(ew_problem, tile)},
};
enum { DEVICE = 1, TILE = 2 };

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

/* Values are checked by the library, which knows what is in this build. */
static int apply_pair(const char *option, char *key, char *value, ew_problem *problem, bool given[NUMBERS])
{
    static const char *const keys[TEXTS] = {"backend", "kernels", "level", "image"};
    const char **const texts[TEXTS] = {&problem->backend, &problem->kernels, &problem->level, &problem->image};
    *value++ = '\0';
    for (int k = 0; k < TEXTS; k++)
        if (strcmp(key, keys[k]) == 0)
            return set_text(option, texts[k], value);
    for (int k = 0; k < NUMBERS; k++)
        if (strcmp(key, numbers[k].key) == 0)
            return set_number(option, k, value, problem, given);
    return refuse_word(option, key);
}

static int apply_word(const char *option, char *word, ew_problem *problem, bool given[NUMBERS])
{
    char *equals = strchr(word, '=');
    if (equals)
        return apply_pair(option, word, equals, problem, given);
    if (is_in_list(EW_BACKENDS, word))
        return set_text(option, &problem->backend, word);
    if (is_in_list(EW_KERNELS, word))
        return set_text(option, &problem->kernels, word);
    if (strcmp(word, "native") == 0 || strcmp(word, "sm_20") == 0)
        return set_text(option, &problem->image, word);
    if (is_in_list(EW_LEVELS, word))
        return set_text(option, &problem->level, word);
    return refuse_word(option, word);
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
    problem->tile = 0;
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
        problem->device = 0; /* the case's is the other side's */
    return code;
}
