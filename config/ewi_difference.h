/* SPDX-License-Identifier: BSD-2-Clause */
/* What two texts of a case say otherwise; for what goes on with a state of another text. */
#ifndef EWI_DIFFERENCE_H
#define EWI_DIFFERENCE_H

#include "edgewise-case.h"

/*
 * In the C locale. The texts are as a case's plan has them, with overrides as comments at their ends. What is no case,
 * such as the text of a version that knew other settings, differs in nothing that could be told. EW_ENOMEM.
 */
int ewi_compare_texts(const ew_host *host, const char *before, const char *after, ew_text_difference *result,
                      ew_error *error);

#endif
