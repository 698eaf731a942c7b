/* SPDX-License-Identifier: BSD-2-Clause */
/* What two texts of a case say otherwise; for what goes on with a state of another text. */
#ifndef EWI_DIFFERENCE_H
#define EWI_DIFFERENCE_H

#include "edgewise-case.h"

#include <stdbool.h>

struct ewi_difference {
    bool differs;   /* in anything that the result depends on, but for the mesh, which has a hash, and when and where the run ends */
    bool initial;   /* in initial or time.start, which a state that is there already does not depend on */
    char text[640]; /* "let.M 0.3 (was 0.2), ..."; without what a restart file has as attributes: order, flux, parameters of the law, ... */
};

/*
 * The texts are as ew_case_info has them, with overrides as comments at their ends. What is no case, such as the text of a version that knew
 * other settings, differs in nothing that could be told. EW_ENOMEM.
 */
int ewi_case_difference(const ew_case *that, const char *before, struct ewi_difference *result, ew_error *error);
/* The same of two texts, in the C locale. */
int ewi_compare_texts(const ew_host *host, const char *before, const char *after, struct ewi_difference *result, ew_error *error);

#endif
