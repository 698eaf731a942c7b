/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scanner: a process that inspects the entries of new/ for the watcher. It reads untrusted cases, records and
 * folders. Even if they kill or block it, the watcher keeps running.
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

/* After ENTRIES_PER_SCANNER a new scanner takes over, because libconfig leaks a little memory for each wrong case. */
enum { MOST_SENT = 64, ENTRIES_PER_SCANNER = 100000 };

#define SCANNER_SECONDS 20.0 /* for one entry */
#define SCANNER_PAUSE 1.0    /* after a death without an entry to blame */

/* ---- the process ------------------------------------------------------------------------------------------------- */

static void answer_questions(int socket, struct ewi_inspector *inspector)
{
    struct ewi_question question;
    struct ewi_entry entry;
    for (;;) {
        ssize_t got = recv(socket, &question, sizeof question, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)sizeof question)
            return;
        ewi_inspect(inspector, question.name, question.closed, &entry);
        if (send(socket, &entry, sizeof entry, MSG_NOSIGNAL) != (ssize_t)sizeof entry)
            return;
    }
}

static bool start(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        watch_in_helper(watch);
        close(pair[0]);
        answer_questions(pair[1], &watch->queue.inspector);
        _exit(EX_OK);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return false;
    }
    scanner->pid = pid;
    scanner->socket = pair[0];
    scanner->answered = ewi_seconds();
    return true;
}

/* ---- the watcher's side ------------------------------------------------------------------------------------------ */

void watch_stop_scanner(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    if (scanner->pid <= 0)
        return;
    close(scanner->socket);
    watch_end_process(scanner->pid);
    scanner->pid = 0;
    scanner->socket = -1;
    scanner->sent = scanner->entries = 0;
    scanner->absent_until = ewi_seconds();
}

static bool is_deadly(const struct watch *watch, const char *name)
{
    const struct scanner *scanner = &watch->scanner;
    struct stat info;
    for (size_t k = 0; k < MOST_DEADLY && k < scanner->deadly_count; k++)
        if (strcmp(scanner->deadly[k].name, name) == 0 &&
            fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            info.st_ino == scanner->deadly[k].inode)
            return true;
    return false;
}

static void note_deadly(struct watch *watch, const char *name)
{
    struct scanner *scanner = &watch->scanner;
    struct stat info;
    watch_event(WATCH_WARNING, "scanner-died", NULL, "entry=%s", watch_quoted(name));
    if (fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    struct deadly *deadly = &scanner->deadly[scanner->deadly_count++ % MOST_DEADLY];
    *deadly = (struct deadly){.inode = info.st_ino};
    snprintf(deadly->name, sizeof deadly->name, "%s", name);
}

/* Passes an entry that kills scanners to a worker without inspecting it. The worker reports an error, or dies, too. */
static void answer_unseen(struct watch *watch, const char *name)
{
    struct stat info;
    struct ewi_entry entry = {.is_job = false};
    snprintf(entry.name, sizeof entry.name, "%s", name);
    if (fstatat(watch->spool.place[EWI_NEW], name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        entry.exists = true;
        entry.is_folder = S_ISDIR(info.st_mode);
        entry.is_job = entry.is_folder || (S_ISREG(info.st_mode) && ewi_is_case(name));
        entry.age = entry.changed = (double)info.st_ctim.tv_sec;
        entry.inode = info.st_ino;
    }
    ewi_queue_answer(&watch->queue, &entry);
}

/* The first unanswered entry may be the cause. If it also kills the next scanner, no scanner inspects it again. */
static void scanner_died(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    const struct ewi_question *question = scanner->sent > 0 ? ewi_queue_question(&watch->queue, 0) : NULL;
    char name[EWI_NAME];
    snprintf(name, sizeof name, "%s", question ? question->name : "");
    watch_stop_scanner(watch);
    if (question && strcmp(scanner->suspect, name) == 0)
        note_deadly(watch, name);
    memcpy(scanner->suspect, name, sizeof name);
    if (!question)
        scanner->absent_until = ewi_seconds() + SCANNER_PAUSE;
}

/* Starts a scanner if none is running. Replaces an idle one that has inspected too many entries. */
static bool is_ready(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    if (scanner->pid > 0 && scanner->sent == 0 && scanner->entries >= ENTRIES_PER_SCANNER)
        watch_stop_scanner(watch);
    if (scanner->pid <= 0 && ewi_seconds() >= scanner->absent_until && !start(watch)) {
        watch_event(WATCH_ERROR, "scanner-start", NULL, "error=%s", watch_quoted(strerror(errno)));
        scanner->absent_until = ewi_seconds() + SCANNER_PAUSE;
    }
    return scanner->pid > 0;
}

/* The next question for the scanner. The queue needs all answers in the order of the questions, including ours. */
static const struct ewi_question *next_question(struct watch *watch)
{
    const struct scanner *scanner = &watch->scanner;
    const struct ewi_question *question;
    while ((question = ewi_queue_question(&watch->queue, scanner->sent)) && is_deadly(watch, question->name)) {
        if (scanner->sent > 0)
            return NULL;
        answer_unseen(watch, question->name);
    }
    return scanner->sent < MOST_SENT ? question : NULL;
}

void watch_send_questions(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    const struct ewi_question *question;
    ewi_queue_continue(&watch->queue);
    while ((question = next_question(watch)) && is_ready(watch)) {
        ssize_t sent = send(scanner->socket, question, sizeof *question, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent != (ssize_t)sizeof *question)
            return; /* the socket is full, or the scanner died, which watch_read_answers notices */
        if (scanner->sent++ == 0)
            scanner->answered = ewi_seconds();
    }
    if (watch->queue.lost && !watch->queue.entries)
        watch->scan_at = 0;
}

void watch_read_answers(struct watch *watch)
{
    struct scanner *scanner = &watch->scanner;
    struct ewi_entry entry;
    while (scanner->pid > 0 && scanner->sent > 0) {
        ssize_t got = recv(scanner->socket, &entry, sizeof entry, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return;
        if (got != (ssize_t)sizeof entry) {
            scanner_died(watch);
            return;
        }
        scanner->sent--;
        scanner->entries++;
        scanner->answered = ewi_seconds();
        entry.name[sizeof entry.name - 1] = entry.mesh[sizeof entry.mesh - 1] = '\0';
        ewi_queue_answer(&watch->queue, &entry);
        watch->status_changed = true;
    }
    if (scanner->pid > 0 && scanner->sent == 0 && recv(scanner->socket, &entry, sizeof entry, MSG_DONTWAIT) == 0)
        scanner_died(watch);
}

void watch_tend_scanner(struct watch *watch)
{
    const struct scanner *scanner = &watch->scanner;
    if (scanner->pid > 0 && scanner->sent > 0 && ewi_seconds() >= scanner->answered + SCANNER_SECONDS)
        scanner_died(watch);
}

double watch_scanner_wake(const struct watch *watch)
{
    const struct scanner *scanner = &watch->scanner;
    if (scanner->pid > 0)
        return scanner->sent > 0 ? scanner->answered + SCANNER_SECONDS : INFINITY;
    return ewi_queue_question(&watch->queue, 0) ? scanner->absent_until : INFINITY;
}

bool watch_is_asking(const struct watch *watch)
{
    return ewi_queue_question(&watch->queue, 0) || watch->queue.entries;
}
