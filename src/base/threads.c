/* SPDX-License-Identifier: BSD-2-Clause */
/* How many threads there are to take, and why. */
#include "ewi_threads.h"
#include "edgewise.h"
#include "ewi_cgroup.h"
#include "ewi_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- cgroups ----------------------------------------------------------------------------------------------------- */

/* Microseconds from a file's word number `word`; < 0: none, or no limit. */
static double microseconds(const char *path, int word)
{
    char line[128] = "", *at = line;
    FILE *file = fopen(path, "re");
    if (!file)
        return -1.0;
    char *read = fgets(line, sizeof line, file);
    fclose(file);
    for (; read && word > 0 && at; word--) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    char *end = at;
    long long value = read && at ? strtoll(at, &end, 10) : -1;
    return end == at ? -1.0 : (double)value;
}

static void take_least(void *least, const char *group, bool second)
{
    char quota[4096 + 32], period[4096 + 32];
    ewi_snprintf(quota, sizeof quota, "%s/%s", group, second ? "cpu.max" : "cpu.cfs_quota_us");
    ewi_snprintf(period, sizeof period, "%s/%s", group, second ? "cpu.max" : "cpu.cfs_period_us");
    double some = microseconds(quota, 0), of = microseconds(period, second);
    if (some > 0.0 && of > 0.0)
        *(double *)least = fmin(*(double *)least, some / of);
}

double ewi_cgroup_cpus(const char *root)
{
    double least = INFINITY;
    ewi_each_cgroup(root, "cpu", take_least, &least);
    return least;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

#ifdef _OPENMP

/*
 * Processors of all of OpenMP's places; a thread that is bound to one of them would see only that one's. 0: it has no
 * places.
 */
static int processors_of_places(void)
{
    int sum = 0;
    for (int place = 0; place < omp_get_num_places(); place++)
        sum += omp_get_place_num_procs(place);
    return sum;
}

/* The number of threads requested of OpenMP, or else the number available. */
static int threads_offered(char *why, size_t size)
{
    int offered = omp_get_max_threads(), processors = omp_get_num_procs(), places = processors_of_places();
    int cores = places > 0 && places < processors ? places : processors;
    double cgroup = ewi_cgroup_cpus("");
    int natural = cgroup < cores ? (int)ceil(cgroup) : cores;
    int count = offered == processors ? natural : offered;
    if (getenv("OMP_NUM_THREADS")) {
        ewi_snprintf(why, size, "OMP_NUM_THREADS");
        return offered;
    }
    if (count != natural)
        ewi_snprintf(why, size, "omp_set_num_threads");
    else if (cgroup < cores)
        ewi_snprintf(why, size, "cgroup limit %.4g CPU%s", cgroup, cgroup == 1.0 ? "" : "s");
    else
        ewi_snprintf(why, size, "%d core%s that this process may use%s", cores, cores == 1 ? "" : "s",
                     cores < processors ? ": OMP_PLACES" : "");
    return count;
}

int ew_thread_count(int asked, char *why, size_t size)
{
    char reason[128] = "as asked for";
    int most = omp_get_thread_limit() < EW_MAX_THREADS ? omp_get_thread_limit() : EW_MAX_THREADS;
    int count = asked > 0 ? asked : threads_offered(reason, sizeof reason);
    if (count >= most)
        ewi_snprintf(reason, sizeof reason, most < EW_MAX_THREADS ? "OMP_THREAD_LIMIT" : "the most there are");
    if (why)
        ewi_snprintf(why, size, "%s", reason);
    return count < most ? count : most;
}

#else

int ew_thread_count(int asked, char *why, size_t size)
{
    (void)asked;
    if (why)
        ewi_snprintf(why, size, "built without OpenMP");
    return 1;
}

#endif
