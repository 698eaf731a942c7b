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
    EWI_FORMULA,       /* may use x, y and t */
    EWI_NUMBERS,       /* a list of the types above, in libconfig's [ ] or ( ) */
    EWI_INTEGERS,
    EWI_FORMULAS,
    EWI_NAMES,         /* a list of texts */
    EWI_VALUES,        /* a list of values of any other key, except groups */
    EWI_TEXT_OR_GROUP,
    EWI_WORD_OR_GROUP,
    EWI_TEXT_OR_PARTS, /* a name, or a list of groups */
    EWI_PARTS,         /* a list of groups */
    EWI_CURVE,         /* a name, a formula or a list of formulas */
    EWI_TYPES
};

enum { EWI_OPTION_WORDS = 4, EWI_OPTION_KINDS = 5, EWI_LONGEST_PATH = 64, EWI_LONGEST_LIST = 100000 };

struct ewi_option {
    /*
     * Names separated by dots, for example "time.cfl". A name in capitals matches any name: boundary.NAME.kind. All
     * members of a list of groups have the same keys: mesh.rectangle.bottom.PART.name.
     */
    const char *path;
    enum ewi_type type;
    /* The default: a number, a word, or a description in brackets. NULL: the key is required. */
    const char *value;
    const char *unit; /* NULL: none, or the case's unit */
    /* Ranges of numbers; in lists, of each member. */
    enum { EWI_ANY = 0, EWI_LOW = 1, EWI_LOW_OPEN = 2, EWI_HIGH = 4, EWI_HIGH_OPEN = 8 } bounds;
    double low, high;
    int count; /* members of a list; 0: any number ... */
    int most;  /* ... up to this one; 0: EWI_LONGEST_LIST */
    /* Words: some listed here, and all of a list of the library. */
    const char *word[EWI_OPTION_WORDS];
    bool has_list;
    enum ew_list list;
    const char *kind[EWI_OPTION_KINDS]; /* kinds of boundaries with this key; none: all kinds */
    const char *text; /* its meaning, without a full stop */
};

const struct ewi_option *ewi_options(size_t *count);

/* Member `name` of the group with this path ("": the whole file), or NULL. Names in capitals match only themselves. */
const struct ewi_option *ewi_option_member(const char *group, const char *name);
/* The member that matches any name, or NULL. */
const struct ewi_option *ewi_option_any_member(const char *group);
/* The option with exactly this path, which must exist. */
const struct ewi_option *ewi_option_find(const char *path);
/* The option of a case's key, for example boundary.NAME.kind for boundary.inflow.kind; NULL if there is none. */
const struct ewi_option *ewi_option_of_key(const char *key);
/* True if the option is directly in the group; then *name is the last name of its path. */
bool ewi_option_is_in(const struct ewi_option *option, const char *group, const char **name);

/* Word number `index` that the option accepts; NULL after the last one. */
const char *ewi_option_word(const struct ewi_option *option, int index);

/* The range in words: "greater than 0", ...; empty without a range. */
void ewi_option_range(const struct ewi_option *option, char *text, size_t size);

/* True if boundaries of this kind take the key. */
bool ewi_option_suits(const struct ewi_option *option, const char *kind);

/* True if the value is in the option's range. */
bool ewi_option_admits(const struct ewi_option *option, double value);

#endif
