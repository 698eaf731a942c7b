/* SPDX-License-Identifier: BSD-2-Clause */
#include "edgewise.h"

const char *ew_version(void)
{
    return EWI_VERSION;
}
