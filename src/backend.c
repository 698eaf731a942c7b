#include "ewi_backend.h"
#include "ewi_error.h"

#include <string.h>

#define EWI_DECLARE(name) extern const struct ewi_backend ewi_backend_##name;
EWI_BACKENDS(EWI_DECLARE)

#define EWI_ADDRESS(name) &ewi_backend_##name,
static const struct ewi_backend *const backends[] = {EWI_BACKENDS(EWI_ADDRESS)};

#ifndef EWI_HAVE_CUDA
static bool no_cuda(ew_error *error)
{
    ewi_fail(error, EW_EUNAVAILABLE, "the backend \"cuda\" is not in this build of edgewise; use --backend omp");
    return false;
}

const struct ewi_backend ewi_backend_cuda = {
    .version = EWI_BACKEND_VERSION,
    .name = "cuda",
    .description = "NVIDIA GPUs: not in this build of edgewise",
    .usable = no_cuda,
};
#endif

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
