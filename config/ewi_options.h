/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys of case files. This one table drives reading, defaults, range checks, "did you mean" and edgewise-case(5).
 */
#ifndef EWI_OPTIONS_H
#define EWI_OPTIONS_H

#include "edgewise-case.h"

#include <stdbool.h>
#include <stddef.h>

/* Types of values. A formula of constants may replace any number or integer. */
enum ewi_type {
    EWI_GROUP,
    EWI_TEXT,
    EWI_WORD,          /* one of a list of names */
    EWI_FLAG,          /* true or false */
    EWI_NUMBER,
    EWI_INTEGER,
    EWI_FORMULA,       /* of x, y and t */
    EWI_NUMBERS,       /* lists of these: libconfig's [ ] or ( ) */
    EWI_INTEGERS,
    EWI_FORMULAS,
    EWI_NAMES,         /* a list of texts */
    EWI_VALUES,        /* a list of whatever another key may be, groups left out */
    EWI_TEXT_OR_GROUP,
    EWI_WORD_OR_GROUP,
    EWI_TEXT_OR_PARTS, /* a name, or a list of groups */
    EWI_PARTS,         /* a list of groups */
    EWI_TYPES
};

enum { EWI_OPTION_WORDS = 3, EWI_OPTION_KINDS = 2, EWI_LONGEST_PATH = 64, EWI_LONGEST_LIST = 100000 };

struct ewi_option {
    /*
     * Names separated by dots, for example "time.cfl". A name in capitals matches any: boundary.NAME.kind. All members
     * of a list of groups have the same keys: mesh.rectangle.bottom.PART.name.
     */
    const char *path;
    enum ewi_type type;
    /* The default: a number, a word, or a description in brackets. NULL: the key is required. */
    const char *value;
    const char *unit; /* NULL: none, or whatever the case's unit is */
    /* Ranges of numbers; those of lists hold for each member. */
    enum { EWI_ANY = 0, EWI_LOW = 1, EWI_LOW_OPEN = 2, EWI_HIGH = 4, EWI_HIGH_OPEN = 8 } bounds;
    double low, high;
    int count; /* members of a list; 0: any number of them ... */
    int most;  /* ... up to this one; 0: EWI_LONGEST_LIST */
    /* Words: some of its own and all of a list of the library. */
    const char *word[EWI_OPTION_WORDS];
    bool has_list;
    enum ew_list list;
    const char *kind[EWI_OPTION_KINDS]; /* the kinds of boundaries that take this key; none: all do */
    const char *text; /* its meaning, without a full stop */
};

const struct ewi_option *ewi_options(size_t *count);

/* Member `name` of the group with this path ("": the whole file), or NULL. Names in capitals match only themselves. */
const struct ewi_option *ewi_option_member(const char *group, const char *name);
/* The member that matches any name, or NULL. */
const struct ewi_option *ewi_option_any_member(const char *group);
/* The option with exactly this path; it must be there. */
const struct ewi_option *ewi_option_find(const char *path);
/* The option of a key in a case, for example boundary.NAME.kind of boundary.inflow.kind; NULL: there is none. */
const struct ewi_option *ewi_option_of_key(const char *key);
/* Whether the option is directly in the group; then *name is its last name. */
bool ewi_option_is_in(const struct ewi_option *option, const char *group, const char **name);

/* Word number `index` that the option accepts, or NULL beyond the last one. */
const char *ewi_option_word(const struct ewi_option *option, int index);

/* In words: "greater than 0", ...; empty for no range. */
void ewi_option_range(const struct ewi_option *option, char *text, size_t size);

/* Whether boundaries of this kind take the key. */
bool ewi_option_suits(const struct ewi_option *option, const char *kind);

/* Whether the value is in the option's range. */
bool ewi_option_admits(const struct ewi_option *option, double value);

#endif
