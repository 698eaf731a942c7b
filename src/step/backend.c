/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of backends, and what they list. */
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

struct ewi_choice ewi_backend_choice(int index)
{
    const struct ewi_backend *backend = ewi_backend_at(index);
    return backend ? (struct ewi_choice){backend->name, backend->description} : EWI_NO_CHOICE;
}

static struct ewi_choice code_at(bool images, int index)
{
    struct ewi_choice code;
    for (int k = 0; ewi_backend_at(k); k++) {
        const char *(*list)(int, const char **) = images ? ewi_backend_at(k)->image : ewi_backend_at(k)->level;
        for (int i = 0; list && (code.name = list(i, &code.description)); i++)
            if (index-- == 0)
                return code;
    }
    return EWI_NO_CHOICE;
}

struct ewi_choice ewi_level_choice(int index)
{
    return code_at(false, index);
}

struct ewi_choice ewi_image_choice(int index)
{
    return code_at(true, index);
}

int ew_backend_has_devices(const char *name)
{
    const struct ewi_backend *backend = name ? ewi_backend_find(name) : NULL;
    return backend && backend->device;
}

int ew_device_describe(int index, char *text, size_t size)
{
    for (int k = 0; text && ewi_backend_at(k); k++)
        if (ewi_backend_at(k)->device && ewi_backend_at(k)->device(index, text, size))
            return 1;
    return 0;
}
