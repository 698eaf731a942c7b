/* SPDX-License-Identifier: BSD-2-Clause */
/* Returns the result of a failed call. If something must be freed first, use EWI_TRY, which jumps to `out`. */
#ifndef EWI_TRY_H
#define EWI_TRY_H

#include "ewi_error.h"

#define TRY(call)                 \
    do {                          \
        int status_ = (call);     \
        if (status_ != EW_OK)     \
            return status_;       \
    } while (0)

#endif
