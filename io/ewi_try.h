/* SPDX-License-Identifier: BSD-2-Clause */
/* Returns what a failed call returns; where something must be freed first, EWI_TRY goes to `out`. */
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
