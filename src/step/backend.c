/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of backends. */
#include "ewi_backend.h"

#include <string.h>

#define EWI_DECLARE(name) extern const struct ewi_backend ewi_backend_##name;
EWI_BACKENDS(EWI_DECLARE)

#define EWI_ADDRESS(name) &ewi_backend_##name,
static const struct ewi_backend *const backends[] = {EWI_BACKENDS(EWI_ADDRESS)};

const struct ewi_backend *ewi_backend_at(int index)
{
    return index >= 0 && index < (int)(sizeof backends / sizeof *backends) ? backends[index] : NULL;
}

const struct ewi_backend *ewi_backend_find(const char *name)
{
    for (int k = 0; ewi_backend_at(k); k++)
        if (strcmp(backends[k]->name, name) == 0)
            return backends[k];
    return NULL;
}
