/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of a comparison, from words like "omp,edgewise,avx2,threads=2". */
#include "compare.h"
#include "ewi_text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static const char *const images[] = {"native", "sm_20", NULL};

enum { MOST_NAMES = 64, MOST_DEVICES = 65536 };

static bool is_in_list(enum ew_list list, const char *word)
{
    for (int k = 0; ew_list_name(list, k); k++)
        if (strcmp(ew_list_name(list, k), word) == 0)
            return true;
    return false;
}

static bool is_image(const char *word)
{
    for (int k = 0; images[k]; k++)
        if (strcmp(images[k], word) == 0)
            return true;
    return false;
}

static int refuse_word(const char *option, const char *word)
{
    static const enum ew_list lists[] = {EW_BACKENDS, EW_KERNELS, EW_LEVELS};
    const char *names[MOST_NAMES] = {"native", "sm_20", "threads", "device", "tile", "backend", "kernels", "level", "image"};
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
    if (*member) {
        cli_error("--%s names both \"%s\" and \"%s\"; only one is possible.", option, *member, value);
        return EX_USAGE;
    }
    *member = value;
    return EX_OK;
}

/* What a side says with numbers; each once. */
struct numbers {
    bool threads, device, tile;
};

static int set_number(const char *option, const char *key, const char *value, int least, int most, bool *given, int *member)
{
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (*given) {
        cli_error("--%s gives %s twice.", option, key);
        return EX_USAGE;
    }
    if (end == value || *end || errno || number < least || number > most) {
        cli_error("--%s: %s needs a whole number from %d to %d, not \"%s\".", option, key, least, most, value);
        return EX_USAGE;
    }
    *given = true;
    *member = (int)number;
    return EX_OK;
}

static int set_tile(const char *option, const char *value, bool *given, int *tile)
{
    int code = set_number(option, "tile", value, -1, 8, given, tile);
    if (code == EX_OK && *tile != -1 && *tile != 0 && *tile != 8) {
        cli_error("--%s: tile is %s; it must be 8 or -1 (all elements).", option, value);
        code = EX_USAGE;
    }
    return code;
}

/* Values are checked by the library, which knows what is in this build. */
static int apply_pair(const char *option, char *key, char *value, ew_problem *problem, struct numbers *given)
{
    *value++ = '\0';
    if (strcmp(key, "backend") == 0)
        return set_text(option, &problem->backend, value);
    if (strcmp(key, "kernels") == 0)
        return set_text(option, &problem->kernels, value);
    if (strcmp(key, "level") == 0)
        return set_text(option, &problem->level, value);
    if (strcmp(key, "image") == 0)
        return set_text(option, &problem->image, value);
    if (strcmp(key, "threads") == 0)
        return set_number(option, key, value, 0, EW_MAX_THREADS, &given->threads, &problem->threads);
    if (strcmp(key, "tile") == 0)
        return set_tile(option, value, &given->tile, &problem->tile);
    if (strcmp(key, "device") == 0)
        return set_number(option, key, value, 0, MOST_DEVICES, &given->device, &problem->device);
    return refuse_word(option, key);
}

static int apply_word(const char *option, char *word, ew_problem *problem, struct numbers *given)
{
    char *equals = strchr(word, '=');
    if (equals)
        return apply_pair(option, word, equals, problem, given);
    if (is_in_list(EW_BACKENDS, word))
        return set_text(option, &problem->backend, word);
    if (is_in_list(EW_KERNELS, word))
        return set_text(option, &problem->kernels, word);
    if (is_image(word))
        return set_text(option, &problem->image, word);
    if (is_in_list(EW_LEVELS, word))
        return set_text(option, &problem->level, word);
    return refuse_word(option, word);
}

static int refuse_device(const char *option, const char *backend)
{
    cli_error("--%s: the backend %s has no numbered devices; leave \"device\" out, or use cuda.", option, backend);
    return EX_USAGE;
}

int cmd_side_parse(struct cmd_side *side, const char *option, const char *words, const ew_problem *of)
{
    ew_problem *problem = &side->problem;
    struct numbers given = {false};
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
        code = apply_word(option, word, problem, &given);
    }
    if (code == EX_OK && !problem->backend)
        problem->backend = problem->image || given.device ? "cuda" : "omp";
    if (code == EX_OK && given.device && !ew_backend_has_devices(problem->backend))
        return refuse_device(option, problem->backend);
    if (code == EX_OK && !ew_backend_has_devices(problem->backend))
        problem->device = 0; /* the case's is the other side's */
    return code;
}
