/* SPDX-License-Identifier: BSD-2-Clause */
/* How many threads there are to take, and why. */
#include "ewi_threads.h"
#include "edgewise.h"

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

/* Of one group, whose folder is `group`. */
static double cpus_of_group(const char *group, bool second)
{
    char quota[4096], period[4096];
    snprintf(quota, sizeof quota, "%s/%s", group, second ? "cpu.max" : "cpu.cfs_quota_us");
    snprintf(period, sizeof period, "%s/%s", group, second ? "cpu.max" : "cpu.cfs_period_us");
    double some = microseconds(quota, 0), of = microseconds(period, second);
    return some > 0.0 && of > 0.0 ? some / of : INFINITY;
}

/* Of a group and all around it. What a container sees is often only the innermost, as if it were the outermost. */
static double cpus_of_groups(const char *root, char *path, bool second)
{
    double least = INFINITY;
    for (char *slash = path + strlen(path); slash; slash = strrchr(path, '/')) {
        char group[4096 - 32];
        *slash = '\0';
        int length = snprintf(group, sizeof group, "%s/sys/fs/cgroup%s%s", root, second ? "" : "/cpu", path);
        if (length > 0 && (size_t)length < sizeof group)
            least = fmin(least, cpus_of_group(group, second));
    }
    return least;
}

static bool has_word(const char *list, const char *end, const char *word)
{
    for (size_t length; list < end; list += length + 1) {
        length = strcspn(list, ",:");
        if (length == strlen(word) && strncmp(list, word, length) == 0)
            return true;
    }
    return false;
}

/* Lines are "NUMBER:CONTROLLERS:/PATH", without controllers in version 2. */
double ewi_cgroup_cpus(const char *root)
{
    char name[4096], line[4096];
    double least = INFINITY;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (path && (path == controllers + 1 || has_word(controllers + 1, path, "cpu")))
            least = fmin(least, cpus_of_groups(root, path + 1, path == controllers + 1));
    }
    if (file)
        fclose(file);
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

/* What OpenMP was told, or else what there is. */
static int threads_offered(char *why, size_t size)
{
    int offered = omp_get_max_threads(), processors = omp_get_num_procs(), places = processors_of_places();
    int cores = places > 0 && places < processors ? places : processors;
    double cgroup = ewi_cgroup_cpus("");
    int natural = cgroup < cores ? (int)ceil(cgroup) : cores;
    int count = offered == processors ? natural : offered;
    if (getenv("OMP_NUM_THREADS")) {
        snprintf(why, size, "OMP_NUM_THREADS");
        return offered;
    }
    if (count != natural)
        snprintf(why, size, "omp_set_num_threads");
    else if (cgroup < cores)
        snprintf(why, size, "cgroup limit %.4g CPU%s", cgroup, cgroup == 1.0 ? "" : "s");
    else
        snprintf(why, size, "%d core%s that this process may use%s", cores, cores == 1 ? "" : "s",
                 cores < processors ? ": OMP_PLACES" : "");
    return count;
}

int ew_thread_count(int asked, char *why, size_t size)
{
    char reason[128] = "as asked for";
    int most = omp_get_thread_limit() < EW_MAX_THREADS ? omp_get_thread_limit() : EW_MAX_THREADS;
    int count = asked > 0 ? asked : threads_offered(reason, sizeof reason);
    if (count >= most)
        snprintf(reason, sizeof reason, most < EW_MAX_THREADS ? "OMP_THREAD_LIMIT" : "the most there are");
    if (why)
        snprintf(why, size, "%s", reason);
    return count < most ? count : most;
}

#else

int ew_thread_count(int asked, char *why, size_t size)
{
    (void)asked;
    if (why)
        snprintf(why, size, "built without OpenMP");
    return 1;
}

#endif
