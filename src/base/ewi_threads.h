/* SPDX-License-Identifier: BSD-2-Clause */
/* How many threads there are to take. */
#ifndef EWI_THREADS_H
#define EWI_THREADS_H

/*
 * How many CPUs' time the cgroups of this process let it use, INFINITY if as much as there is: of cgroup's version 1 or
 * 2, and of all groups around this one. `root` is before /proc and /sys: "", or a test's folder.
 */
double ewi_cgroup_cpus(const char *root);

#endif
