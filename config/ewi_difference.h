/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two texts of a case, for runs that resume from a state of another text. */
#ifndef EWI_DIFFERENCE_H
#define EWI_DIFFERENCE_H

#include "edgewise-case.h"

#include <libconfig.h>

/*
 * Call in the C locale. The texts are those of a case's plan, with overrides as comments at their ends. A text that is
 * not a case, for example of a version with other settings, counts as equal. EW_ENOMEM.
 */
int ewi_compare_texts(const ew_host *host, const char *before, const char *after, ew_text_difference *result,
                      ew_error *error);
/* A number for all settings of a case but its title, backend, spool and sweep; values alone count, and their order. */
uint64_t ewi_hash_settings(const config_setting_t *root);

#endif
