/* SPDX-License-Identifier: BSD-2-Clause */
/* The subcommands of the spool. */
#ifndef EDGEWISE_SERVICE_H
#define EDGEWISE_SERVICE_H

#include "cli.h"

/* A spool's watchers have numbers from 1; their files in state/ are named after them (watchers.c). */
enum { MOST_WATCHERS = 64 };
bool watch_is_alive(int state, int number); /* state: a descriptor of the folder */
void watch_file_name(int number, const char *base, const char *extension, char name[64]); /* "status", "json" */
void watch_lock_name(int number, char name[64]);

extern const struct cli_command cmd_watch, cmd_submit, cmd_status, cmd_retry, cmd_hold, cmd_release, cmd_cancel,
    cmd_priority, cmd_log, cmd_clean;

/* First words of the service's internal command lines. */
#define CMD_WORKER "--spool-worker"
#define CMD_JOB "--spool-job"
/* Runs jobs until the watcher closes the socket. Arguments: number of slots, settings "path.to.key=value". */
int cmd_worker(int argc, char **argv);
/* Runs one job, for --exec. Arguments: its folder, its name, --max-files, --max-size, "report" or "none", settings. */
int cmd_job(int argc, char **argv);

#endif
