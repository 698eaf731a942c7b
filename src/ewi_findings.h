/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a problem: every defect is told with its place, and the first is kept for the error. */
#ifndef EWI_FINDINGS_H
#define EWI_FINDINGS_H

#include "edgewise.h"

struct ewi_findings {
    const ew_problem *receiver; /* its `report` gets every sentence; NULL: none does */
    int64_t count;
    char first[960];
};

void ewi_finding(struct ewi_findings *findings, ew_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* One, if `data` is a formula of another number of outputs; `what` is the data in words. */
void ewi_check_outputs(const ew_data *data, int outputs, ew_place place, const char *what, struct ewi_findings *findings);

/* EW_OK if there are none; else EW_EINVAL and the first sentence, with the number of the others. */
int ewi_findings_close(const struct ewi_findings *findings, ew_error *error);

#endif
