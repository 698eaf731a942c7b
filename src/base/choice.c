/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of names: how a name is found, and the sentence that lists them. */
#include "ewi_choice.h"
#include "ewi_text.h"

#include <string.h>

int ewi_choice_find(ewi_choices *list, const char *name)
{
    const char *other;
    for (int k = 0; (other = list(k).name); k++)
        if (strcmp(other, name) == 0)
            return k;
    return -1;
}

const char *ewi_choices_in_words(ewi_choices *list, char *text, size_t size)
{
    enum { MOST = 64 };
    const char *names[MOST];
    int count = 0;
    while (count < MOST && (names[count] = list(count).name) != NULL)
        count++;
    return ewi_in_words(names, count, text, size);
}
