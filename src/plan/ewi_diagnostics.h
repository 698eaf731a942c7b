/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnostics of a problem: every defect is reported with its place, and the first is kept for the error. */
#ifndef EWI_DIAGNOSTICS_H
#define EWI_DIAGNOSTICS_H

#include "edgewise.h"

struct ewi_diagnostics {
    const ew_problem *receiver; /* its `report` gets every sentence; NULL: none does */
    int64_t count;
    char first[960];
};

void ewi_diagnose(struct ewi_diagnostics *diagnostics, ew_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One, if `data` is a formula of another number of outputs; `what` is the data in words. */
void ewi_check_outputs(const ew_data *data, int outputs, ew_place place, const char *what,
                       struct ewi_diagnostics *diagnostics);

/* EW_OK if there are none; else EW_EINVAL and the first sentence, with the number of the others. */
int ewi_diagnostics_close(const struct ewi_diagnostics *diagnostics, ew_error *error);

#endif
