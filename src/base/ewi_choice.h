/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of names that an option can have, each a function of the index. */
#ifndef EWI_CHOICE_H
#define EWI_CHOICE_H

#include <stddef.h>

struct ewi_choice {
    const char *name, *description;
};

#define EWI_NO_CHOICE ((struct ewi_choice){NULL, NULL})

/* Entry `index` >= 0; EWI_NO_CHOICE after the last one. */
typedef struct ewi_choice ewi_choices(int index);

/* Index of a name in a list; -1: it is not in the list. */
int ewi_choice_find(ewi_choices *list, const char *name);
/* The names of a list, "a, b and c". Returns the text. */
const char *ewi_choices_in_words(ewi_choices *list, char *text, size_t size);

#endif
