/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of the public structs' sizes. */
#ifndef EWI_STRUCT_SIZE_H
#define EWI_STRUCT_SIZE_H

#include <stddef.h>
#include <string.h>

struct ewi_struct_size {
    const char *name;
    size_t size;
};

#define EWI_SIZE(type) {#type, sizeof(type)}

static inline size_t ewi_struct_size(const struct ewi_struct_size *sizes, size_t count, const char *name)
{
    for (size_t k = 0; name && k < count; k++)
        if (strcmp(sizes[k].name, name) == 0)
            return sizes[k].size;
    return 0;
}

#endif
