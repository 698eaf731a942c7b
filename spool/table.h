/* SPDX-License-Identifier: BSD-2-Clause */
/* What all jobs of a spool gave, as one table. */
#ifndef EDGEWISE_TABLE_H
#define EDGEWISE_TABLE_H

#include "listing.h"

/*
 * Comma-separated values on stdout: a head, and a line for each job of the listing, by name. Beside the columns that
 * every table has, there is one for each setting of a job, and one for each force, error and total.
 */
void table_print(const struct listing *listing);

#endif
