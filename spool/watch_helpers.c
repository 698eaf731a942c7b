/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers: processes for work that would block the watcher's loop. */
#include "page.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#define PAGE_SECONDS 5.0       /* least time between two pages, */
#define PAGE_SHARE 20.0        /* and at least this multiple of the last one's duration */
#define LONGEST_PAGE_SECONDS 60
#define LAST_PAGE_SECONDS 10
#define LONGEST_CLEAN_SECONDS 60 /* --drain waits for it; the next one continues */

/* ---- processes -------------------------------------------------------------------------------------------------- */

void watch_in_child(void)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0); /* Control-C goes to the watcher, which then stops its workers */
    static const int ours[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD, SIGPIPE};
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        signal(ours[k], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A job remains locked while any process has its lock open. */
static void close_locks(const struct watch *watch)
{
    for (int k = 0; k < watch->workers; k++)
        if (watch->worker[k].job.lock >= 0)
            close(watch->worker[k].job.lock);
    for (int k = 0; k < MOST_HELPERS; k++)
        if (watch->helper[k].kind == HELPER_DELIVER)
            close(watch->helper[k].job.lock);
}

void watch_in_helper(const struct watch *watch)
{
    watch_in_child();
    close_locks(watch);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int watch_end_process(pid_t pid)
{
    int status = 0;
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* ---- work ------------------------------------------------------------------------------------------------------- */

/* Runs in a helper, which has a copy of the queue and ends after `most_seconds`. */
static int write_page(const struct watch *watch, unsigned most_seconds)
{
    ew_error error = {0};
    struct ewi_queue queue = watch->queue;
    alarm(most_seconds);
    setpriority(PRIO_PROCESS, 0, 10);
    if (page_write_both(&watch->spool, &queue, watch->instance, watch->settings.reload, &error) == EW_OK)
        return EX_OK;
    watch_event(WATCH_ERROR, "page", NULL, "error=%s", watch_quoted(error.message));
    return EX_IOERR;
}

/* EX_CANTCREAT: the job's folder refuses the results. On the last try, the remaining files are delivered. */
static int deliver(const struct helper *helper)
{
    ew_error error;
    const struct ewi_job *job = &helper->job;
    int status = ewi_job_deliver(job->private, job->folder, &error), code = status == EW_ECREATE ? EX_CANTCREAT : EX_OK;
    if (status != EW_OK && !helper->quiet)
        watch_event(WATCH_ERROR, "deliver", job->name, "error=%s", watch_quoted(error.message));
    if (status == EW_ECREATE && helper->last) {
        char why[sizeof error.message];
        memcpy(why, error.message, sizeof why);
        status = ewi_job_give_up(job->private, job->folder, why, &error);
    }
    return status == EW_OK || status == EW_ECREATE ? code : EX_IOERR;
}

static int work(const struct watch *watch, const struct helper *helper)
{
    ew_error error = {0};
    int status = EW_OK;
    switch (helper->kind) {
    case HELPER_DELIVER:
        return deliver(helper);
    case HELPER_INTAKE:
        status = ewi_intake_recover(&watch->spool, &watch->settings.limits, &error);
        break;
    case HELPER_CLEAN:
        alarm(LONGEST_CLEAN_SECONDS);
        ewi_private_clean(&watch->spool);
        ewi_private_clean_reports(&watch->spool);
        ewi_draft_clean(&watch->spool, false); /* last, because submitters control its size */
        break;
    case HELPER_PAGE:
        return write_page(watch, LONGEST_PAGE_SECONDS);
    case HELPER_NONE:
        break;
    }
    if (status < 0)
        watch_event(WATCH_ERROR, "intake", NULL, "error=%s", watch_quoted(error.message));
    return status == EW_OK ? EX_OK : EX_IOERR;
}

/* The slot of the first helper of this kind, or MOST_HELPERS. */
static int find(const struct watch *watch, enum helper_kind kind)
{
    int k = 0;
    while (k < MOST_HELPERS && watch->helper[k].kind != kind)
        k++;
    return k;
}

bool watch_may_deliver(const struct watch *watch)
{
    return watch_has_helper(watch, HELPER_NONE);
}

bool watch_has_helper(const struct watch *watch, enum helper_kind kind)
{
    return find(watch, kind) < MOST_HELPERS;
}

bool watch_is_delivering(const struct watch *watch, const char *name)
{
    for (int k = 0; k < MOST_HELPERS; k++)
        if (watch->helper[k].kind == HELPER_DELIVER && strcmp(watch->helper[k].job.name, name) == 0)
            return true;
    return false;
}

static bool start(struct watch *watch, const struct helper *how)
{
    int slot = find(watch, HELPER_NONE);
    pid_t pid = slot < MOST_HELPERS ? fork() : -1;
    if (pid == 0) {
        watch_in_helper(watch);
        _exit(work(watch, how));
    }
    if (pid < 0)
        return false;
    watch->helper[slot] = *how;
    watch->helper[slot].pid = pid;
    watch->helper[slot].begun = ewi_seconds();
    return true;
}

bool watch_start_helper(struct watch *watch, enum helper_kind kind)
{
    return start(watch, &(struct helper){.kind = kind});
}

bool watch_deliver(struct watch *watch, const struct ewi_job *job, const struct helper *how)
{
    struct helper helper = *how;
    helper.kind = HELPER_DELIVER;
    helper.job = *job;
    return start(watch, &helper);
}

bool watch_reap_helper(struct watch *watch, struct helper *ended, int *code)
{
    for (int k = 0; k < MOST_HELPERS; k++) {
        int status;
        *ended = watch->helper[k];
        if (ended->kind == HELPER_NONE || waitpid(ended->pid, &status, WNOHANG) != ended->pid)
            continue;
        watch->helper[k].kind = HELPER_NONE;
        *code = WIFEXITED(status) ? WEXITSTATUS(status) : EX_IOERR;
        if (ended->kind == HELPER_INTAKE)
            watch->recover_at = 0; /* adopt the case from run/ */
        else if (ended->kind == HELPER_PAGE)
            watch->page_at = ewi_seconds() + fmax(PAGE_SECONDS, PAGE_SHARE * (ewi_seconds() - ended->begun));
        return true;
    }
    return false;
}

/* The next watcher completes their work. */
void watch_stop_helpers(struct watch *watch)
{
    for (int k = 0; k < MOST_HELPERS; k++) {
        struct helper *helper = &watch->helper[k];
        if (helper->kind == HELPER_NONE)
            continue;
        watch_end_process(helper->pid);
        if (helper->kind == HELPER_DELIVER)
            ewi_job_release(&helper->job);
        helper->kind = HELPER_NONE;
    }
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* True if another watcher of the spool has just written the page. */
static bool is_young(const struct watch *watch)
{
    struct stat info;
    double age = fstatat(watch->spool.place[EWI_STATE], PAGE_STILL, &info, AT_SYMLINK_NOFOLLOW) == 0
                     ? ewi_now() - ewi_seconds_of(info.st_mtim) : INFINITY;
    return age >= 0 && age < PAGE_SECONDS;
}

double watch_page_wake(const struct watch *watch)
{
    bool waits = watch->page_changed && watch->settings.html != HTML_NONE && !watch_has_helper(watch, HELPER_PAGE);
    return waits ? watch->page_at : INFINITY;
}

/* Keeps the last free slot for results. */
void watch_tend_page(struct watch *watch)
{
    int idle = 0;
    if (ewi_seconds() < watch_page_wake(watch))
        return;
    for (int k = 0; k < MOST_HELPERS; k++)
        idle += watch->helper[k].kind == HELPER_NONE;
    if (idle < 2 || is_young(watch) || !watch_start_helper(watch, HELPER_PAGE))
        watch->page_at = ewi_seconds() + PAGE_SECONDS;
    else
        watch->page_changed = false;
}

void watch_write_last_page(struct watch *watch)
{
    int status;
    if (watch->settings.html == HTML_NONE)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        watch_in_helper(watch);
        _exit(write_page(watch, LAST_PAGE_SECONDS));
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
}
