/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a spool's watchers in state/: their names and locks. */
#include "ewi_spool.h"
#include "service.h"

#include <stdio.h>

void watch_file_name(int number, const char *base, const char *extension, char name[64])
{
    if (number <= 1)
        snprintf(name, 64, "%s.%s", base, extension);
    else
        snprintf(name, 64, "%s.%d.%s", base, number, extension);
}

void watch_lock_name(int number, char name[64])
{
    snprintf(name, 64, "watch.%d.lock", number);
}

/* A dead watcher leaves its files, but its lock is released. */
bool watch_is_alive(int state, int number)
{
    char name[64];
    watch_lock_name(number, name);
    int lock = ewi_open_below(state, name);
    bool alive = lock >= 0 && ewi_is_write_locked(lock);
    ewi_close(lock);
    return alive;
}
