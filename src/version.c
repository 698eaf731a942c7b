/* SPDX-License-Identifier: BSD-2-Clause */
/* The version. */
#include "edgewise.h"

const char *ew_version(void)
{
    return EWI_VERSION;
}
