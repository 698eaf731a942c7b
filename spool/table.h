/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of all jobs of a spool as one table. */
#ifndef EDGEWISE_TABLE_H
#define EDGEWISE_TABLE_H

#include "listing.h"

/*
 * Prints comma-separated values on stdout: a head, and a line for each job of the listing, sorted by name. In addition
 * to the fixed columns, there is one for each setting of a job, and one for each force, error and total.
 */
void table_print(const struct listing *listing);

#endif
