/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scout: a process of the watcher that looks at the entries of new/. It reads cases, records and folders that
 * anybody may have written. Even if they kill or block it, the watcher goes on.
 */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

/* LOOKS_OF_A_SCOUT: then another scout takes over, since libconfig leaks a little for each wrong case. */
enum { MOST_SENT = 64, LOOKS_OF_A_SCOUT = 100000 };

#define SCOUT_SECONDS 20.0 /* for one entry */
#define SCOUT_PAUSE 1.0    /* after one died without an entry to blame */

/* ---- the process ------------------------------------------------------------------------------------------------- */

static void look_until_told(int socket, struct ewi_looker *looker)
{
    struct ewi_asked asked;
    struct ewi_seen seen;
    for (;;) {
        ssize_t got = recv(socket, &asked, sizeof asked, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof asked)
            return;
        ewi_look(looker, asked.name, asked.closed, &seen);
        if (send(socket, &seen, sizeof seen, MSG_NOSIGNAL) != (ssize_t)sizeof seen)
            return;
    }
}

static bool start(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        watch_in_helper(watch);
        close(pair[0]);
        look_until_told(pair[1], &watch->queue.looker);
        _exit(EX_OK);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return false;
    }
    scout->pid = pid;
    scout->socket = pair[0];
    scout->heard = ewi_seconds();
    return true;
}

/* ---- the watcher's side ------------------------------------------------------------------------------------------ */

void watch_stop_scout(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    if (scout->pid <= 0)
        return;
    close(scout->socket);
    watch_end_process(scout->pid);
    scout->pid = 0;
    scout->socket = -1;
    scout->sent = scout->looks = 0;
    scout->absent_until = ewi_seconds();
}

static bool is_deadly(const struct watch *watch, const char *name)
{
    const struct scout *scout = &watch->scout;
    struct stat info;
    for (size_t k = 0; k < MOST_DEADLY && k < scout->deadly_count; k++)
        if (strcmp(scout->deadly[k].name, name) == 0 &&
            fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            info.st_ino == scout->deadly[k].inode)
            return true;
    return false;
}

static void note_deadly(struct watch *watch, const char *name)
{
    struct scout *scout = &watch->scout;
    struct stat info;
    watch_event(WATCH_WARNING, "scout-died", NULL, "entry=%s", watch_quoted(name));
    if (fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    struct deadly *deadly = &scout->deadly[scout->deadly_count++ % MOST_DEADLY];
    *deadly = (struct deadly){.inode = info.st_ino};
    snprintf(deadly->name, sizeof deadly->name, "%s", name);
}

/* Hands an entry that kills scouts to a worker, unseen: it reports what is wrong, or dies, too. */
static void answer_blindly(struct watch *watch, const char *name)
{
    struct stat info;
    struct ewi_seen seen = {.is_job = false};
    snprintf(seen.name, sizeof seen.name, "%s", name);
    if (fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        seen.is_there = true;
        seen.is_folder = S_ISDIR(info.st_mode);
        seen.is_job = seen.is_folder || (S_ISREG(info.st_mode) && ewi_is_case(name));
        seen.age = seen.changed = (double)info.st_ctim.tv_sec;
        seen.inode = info.st_ino;
    }
    ewi_queue_note(&watch->queue, &seen);
}

/* The entry that it looked at may be the cause: if the next scout dies of it, too, no other looks at it. */
static void scout_died(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    const struct ewi_asked *asked = scout->sent > 0 ? ewi_queue_asked(&watch->queue, 0) : NULL;
    char name[EWI_NAME];
    snprintf(name, sizeof name, "%s", asked ? asked->name : "");
    watch_stop_scout(watch);
    if (asked && strcmp(scout->suspect, name) == 0)
        note_deadly(watch, name);
    memcpy(scout->suspect, name, sizeof name);
    if (!asked)
        scout->absent_until = ewi_seconds() + SCOUT_PAUSE;
}

/* Starts a scout if there is none. An old one that is idle ends first. */
static bool is_ready(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    if (scout->pid > 0 && scout->sent == 0 && scout->looks >= LOOKS_OF_A_SCOUT)
        watch_stop_scout(watch);
    if (scout->pid <= 0 && ewi_seconds() >= scout->absent_until && !start(watch)) {
        watch_event(WATCH_ERROR, "scout-start", NULL, "error=%s", watch_quoted(strerror(errno)));
        scout->absent_until = ewi_seconds() + SCOUT_PAUSE;
    }
    return scout->pid > 0;
}

/* The next question for the scout. Answers come in the order of the questions, also those that we give. */
static const struct ewi_asked *next_asked(struct watch *watch)
{
    const struct scout *scout = &watch->scout;
    const struct ewi_asked *asked;
    while ((asked = ewi_queue_asked(&watch->queue, scout->sent)) && is_deadly(watch, asked->name)) {
        if (scout->sent > 0)
            return NULL;
        answer_blindly(watch, asked->name);
    }
    return scout->sent < MOST_SENT ? asked : NULL;
}

void watch_ask_scout(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    const struct ewi_asked *asked;
    ewi_queue_go_on(&watch->queue);
    while ((asked = next_asked(watch)) && is_ready(watch)) {
        ssize_t sent = send(scout->socket, asked, sizeof *asked, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent != (ssize_t)sizeof *asked)
            return; /* there is no room, or it died, which we hear of */
        if (scout->sent++ == 0)
            scout->heard = ewi_seconds();
    }
    if (watch->queue.lost && !watch->queue.entries)
        watch->scan_at = 0;
}

void watch_hear_scout(struct watch *watch)
{
    struct scout *scout = &watch->scout;
    struct ewi_seen seen;
    while (scout->pid > 0 && scout->sent > 0) {
        ssize_t got = recv(scout->socket, &seen, sizeof seen, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return;
        if (got != (ssize_t)sizeof seen) {
            scout_died(watch);
            return;
        }
        scout->sent--;
        scout->looks++;
        scout->heard = ewi_seconds();
        seen.name[sizeof seen.name - 1] = seen.mesh[sizeof seen.mesh - 1] = '\0';
        ewi_queue_note(&watch->queue, &seen);
        watch->status_changed = true;
    }
    if (scout->pid > 0 && scout->sent == 0 && recv(scout->socket, &seen, sizeof seen, MSG_DONTWAIT) == 0)
        scout_died(watch);
}

void watch_tend_scout(struct watch *watch)
{
    const struct scout *scout = &watch->scout;
    if (scout->pid > 0 && scout->sent > 0 && ewi_seconds() >= scout->heard + SCOUT_SECONDS)
        scout_died(watch);
}

double watch_scout_when(const struct watch *watch)
{
    const struct scout *scout = &watch->scout;
    if (scout->pid > 0)
        return scout->sent > 0 ? scout->heard + SCOUT_SECONDS : INFINITY;
    return ewi_queue_asked(&watch->queue, 0) ? scout->absent_until : INFINITY;
}

bool watch_is_asking(const struct watch *watch)
{
    return ewi_queue_asked(&watch->queue, 0) || watch->queue.entries;
}
