/* SPDX-License-Identifier: BSD-2-Clause */
/* The cgroups of this process, whose resources Linux may limit. */
#ifndef EWI_CGROUP_H
#define EWI_CGROUP_H

#include <stdbool.h>

/*
 * Calls `visit` with the folder of each group that a controller ("cpu", "memory") has put this process into, and of all
 * around it; second: of cgroup's version 2. `root` is before /proc and /sys: "", or a test's folder.
 */
void ewi_each_cgroup(const char *root, const char *controller,
                     void (*visit)(void *context, const char *folder, bool second), void *context);

#endif
