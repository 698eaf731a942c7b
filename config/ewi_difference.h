/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two case texts, for runs that resume from a state of another text. */
#ifndef EWI_DIFFERENCE_H
#define EWI_DIFFERENCE_H

#include "edgewise-case.h"

#include <libconfig.h>
#include <stdbool.h>

/*
 * Call in the C locale. The texts are those of case plans, with overrides as comments at their ends. A text that cannot
 * be parsed, for example from a version with other settings, counts as equal. May fail with EW_ENOMEM.
 *   end_counts: time.end affects the result, and so is compared
 */
int ewi_compare_texts(const ew_host *host, const char *before, const char *after, bool end_counts,
                      ew_text_difference *result, ew_error *error);
/*
 * A hash of all settings of a case except title, backend, spool and sweep. It depends only on the values and their
 * order.
 */
uint64_t ewi_hash_settings(const config_setting_t *root);

#endif
