/* SPDX-License-Identifier: BSD-2-Clause */
/* The jobs in run/ that we cannot adopt, deliver or publish: a table in the order of their inodes. */
#include "watch.h"

#include <math.h>
#include <string.h>

enum { TRIES_LOGGED = 6 };

#define LONGEST_STUCK_DELAY 3600.0

/* The first entry whose inode is not less. */
static size_t place_of(const struct watch *watch, ino_t inode)
{
    size_t first = 0, end = watch->stuck_count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (watch->stuck[middle].inode < inode)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

struct stuck *watch_find_stuck(const struct watch *watch, ino_t inode)
{
    size_t k = place_of(watch, inode);
    return k < watch->stuck_count && watch->stuck[k].inode == inode ? &watch->stuck[k] : NULL;
}

/* Drops the jobs that nobody has tried since they were due: they left run/. */
static void drop_old(struct watch *watch)
{
    size_t count = 0;
    double now = ewi_seconds();
    for (size_t k = 0; k < watch->stuck_count; k++)
        if (now < watch->stuck[k].until + LONGEST_STUCK_DELAY)
            watch->stuck[count++] = watch->stuck[k];
    watch->stuck_count = count;
}

static struct stuck *add(struct watch *watch, ino_t inode)
{
    if (watch->stuck_count == watch->stuck_room)
        drop_old(watch);
    if (watch->stuck_count == watch->stuck_room) {
        watch->stuck_room = 2 * watch->stuck_room + 64;
        watch->stuck = cli_reallocate(watch->stuck, watch->stuck_room * sizeof *watch->stuck);
    }
    size_t k = place_of(watch, inode);
    memmove(watch->stuck + k + 1, watch->stuck + k, (watch->stuck_count++ - k) * sizeof *watch->stuck);
    watch->stuck[k] = (struct stuck){.inode = inode};
    return &watch->stuck[k];
}

const struct stuck *watch_note_stuck(struct watch *watch, ino_t inode, double first_delay)
{
    struct stuck *stuck = watch_find_stuck(watch, inode);
    if (!stuck)
        stuck = add(watch, inode);
    stuck->delay = fmin(first_delay * pow(2.0, fmin(stuck->tries++, 30)), LONGEST_STUCK_DELAY);
    stuck->until = ewi_seconds() + stuck->delay;
    return stuck;
}

void watch_drop_stuck(struct watch *watch, ino_t inode)
{
    struct stuck *stuck = watch_find_stuck(watch, inode);
    if (stuck)
        memmove(stuck, stuck + 1, (--watch->stuck_count - (size_t)(stuck - watch->stuck)) * sizeof *stuck);
}

bool watch_is_quiet(const struct watch *watch, ino_t inode)
{
    const struct stuck *stuck = watch_find_stuck(watch, inode);
    return stuck && stuck->tries >= TRIES_LOGGED;
}
