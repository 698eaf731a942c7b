/* SPDX-License-Identifier: BSD-2-Clause */
/* Suggestions in place of words that other codes use. */
#ifndef EWI_HINTS_H
#define EWI_HINTS_H

#include <stddef.h>

/*
 * `place`: of words, the key whose value they are ("flux"); of keys, their group and a dot ("time.", and "." for those
 * of no group); "formula" for names in formulas, "sign" for what stands where an operator or another sign should,
 * "command" for subcommands, "--run" for options of run. There may be several with blanks between them; so may words.
 * Case, "-" and "_" do not count in words.
 */
struct ewi_hint {
    const char *place, *words;
    const char *instead;  /* what is right in that place, or the path of a key elsewhere; or NULL and ... */
    const char *sentence; /* ... the end of a sentence, with what is right in quotes */
    const char *law;      /* it holds for this law only; NULL: for all */
};

const struct ewi_hint *ewi_hints(size_t *count);

/* `law`: the case's, or NULL. NULL: nothing is known about the word in this place. */
const struct ewi_hint *ewi_hint_find(const char *place, const char *law, const char *word);

/* "; did you mean "wall"?", or "; " and the sentence. Returns `text`. */
const char *ewi_hint_text(const struct ewi_hint *hint, char *text, size_t size);

#endif
