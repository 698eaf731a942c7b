/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits of the system: descriptors for all slots, and threads with their own current folders. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* unshare */
#endif
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

/* Numbers of descriptors, with some to spare. */
enum {
    OWN = 128,    /* of a process */
    OF_SLOT = 4,  /* a socket; the folder, private folder and lock of its job */
    OF_JOB = 16,  /* in a worker, including log and output */
    OF_CLAIM = 16
};

static struct rlimit before;

static void raise_limit(void)
{
    struct rlimit all;
    if (getrlimit(RLIMIT_NOFILE, &before) != 0)
        before = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    all = (struct rlimit){before.rlim_max, before.rlim_max};
    if (before.rlim_cur < before.rlim_max && setrlimit(RLIMIT_NOFILE, &all) != 0)
        before.rlim_max = before.rlim_cur;
}

/* With a high limit, commands of --exec may be slow: some programs close every possible descriptor. */
void watch_restore_limits(void)
{
    (void)setrlimit(RLIMIT_NOFILE, &before);
}

static int check_descriptors(const struct watch_settings *settings)
{
    int watcher = OWN + OF_SLOT * settings->jobs * settings->pack, worker = OWN + OF_JOB * settings->pack;
    int need = watcher > worker ? watcher : worker;
    if (before.rlim_max >= (rlim_t)need)
        return EX_OK;
    return cli_fail(EX_USAGE, "%d jobs at a time (--jobs %d, --pack %d) need %d file descriptors, and a process may "
                    "have %lld; choose smaller numbers, or raise the hard limit (LimitNOFILE in a unit of systemd)",
                    settings->jobs * settings->pack, settings->jobs, settings->pack, need,
                    (long long)before.rlim_max);
}

/* Some containers forbid unshare. A process with a single thread does not need it. */
static void check_threads(struct watch_settings *settings)
{
    if (settings->pack == 1 || unshare(CLONE_FS) == 0)
        return;
    watch_event(WATCH_WARNING, "pack", NULL, "pack=1 reason=%s error=%s",
                watch_quoted("the system gives threads no current folder of their own (unshare with CLONE_FS), so "
                             "each worker runs one job at a time"),
                watch_quoted(strerror(errno)));
    settings->pack = 1;
}

int watch_check_limits(struct watch_settings *settings)
{
    raise_limit();
    check_threads(settings);
    return check_descriptors(settings);
}

bool watch_has_descriptors(void)
{
    int held[OF_CLAIM], count = 0;
    while (count < OF_CLAIM && (held[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
        count++;
    for (int k = 0; k < count; k++)
        close(held[k]);
    return count == OF_CLAIM || errno == EBADF;
}
