/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts worker processes, assigns jobs to them, reads their reports and ends them. */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#define START_SECONDS 120.0 /* a worker that takes longer to start hangs */
#define LONGEST_ABSENCE 60.0

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static bool sets_threads(const struct watch *watch)
{
    static const char key[] = "backend.threads=";
    for (size_t k = 0; k < watch->settings.settings; k++)
        if (strncmp(watch->settings.setting[k], key, sizeof key - 1) == 0)
            return true;
    return false;
}

/*
 * Divides the cores among the workers: together they must not have more OpenMP threads than there are cores, because
 * waiting threads would spin. The user's own settings take precedence.
 */
static void share_cores(const struct watch *watch)
{
    char threads[24];
    int cores = ew_thread_count(0, NULL, 0);
    snprintf(threads, sizeof threads, "%d", cores > watch->settings.jobs ? cores / watch->settings.jobs : 1);
    setenv("OMP_NUM_THREADS", threads, 0);
    if (!sets_threads(watch))
        setenv("OMP_THREAD_LIMIT", getenv("OMP_NUM_THREADS"), 0); /* cases may ask for more */
}

/* The command line of a worker: settings for every case, and the GPU of this process. Free it and its last word. */
static char **words_for(const struct watch *watch, int process, char *program, char *kind, char *pack)
{
    const struct watch_settings *settings = &watch->settings;
    char **word = cli_allocate((settings->settings + 5) * sizeof *word);
    word[0] = program;
    word[1] = kind;
    word[2] = pack;
    for (size_t k = 0; k < settings->settings; k++)
        word[k + 3] = settings->setting[k];
    word[settings->settings + 3] =
        settings->devices > 0
            ? cli_format("backend.device=%d", settings->device[process % settings->devices]) : NULL;
    return word;
}

/* Moves the child's sockets to WORKER_SOCKET and following. The first loop keeps them from overwriting each other. */
static void place_sockets(const int *end, int count)
{
    int saved[MOST_PACKED];
    for (int k = 0; k < count; k++)
        saved[k] = fcntl(end[k], F_DUPFD_CLOEXEC, WORKER_SOCKET + count);
    for (int k = 0; k < count; k++)
        dup2(saved[k], WORKER_SOCKET + k);
}

static void close_all(const int *descriptor, int count)
{
    for (int k = 0; k < count; k++)
        close(descriptor[k]);
}

/* Starts a process for `first` and the following settings.pack - 1 slots. */
static bool fork_worker(struct watch *watch, struct worker *first)
{
    char program[] = "edgewise", kind[] = CMD_WORKER, pack[16];
    int count = 0, ours[MOST_PACKED], theirs[MOST_PACKED], pair[2];
    for (; count < watch->settings.pack && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0; count++) {
        ours[count] = pair[0];
        theirs[count] = pair[1];
    }
    snprintf(pack, sizeof pack, "%d", count);
    char **word = words_for(watch, (int)(first - watch->worker) / watch->settings.pack, program, kind, pack);
    pid_t pid = count == watch->settings.pack ? fork() : -1;
    if (pid == 0) {
        watch_in_child();
        place_sockets(theirs, count);
        execv("/proc/self/exe", word);
        _exit(EX_OSERR);
    }
    free(word[watch->settings.settings + 3]);
    free(word);
    close_all(theirs, count);
    if (pid < 0) {
        close_all(ours, count);
        return false;
    }
    for (int k = 0; k < count; k++) {
        first[k].pid = pid;
        first[k].socket = ours[k];
    }
    return true;
}

static void mark_absent(struct worker *worker, double seconds)
{
    worker->state = WORKER_ABSENT;
    worker->pid = 0;
    worker->socket = -1;
    worker->kill = KILL_NOT;
    worker->leaves = worker->old = worker->alone = false;
    worker->absent_until = ewi_seconds() + seconds;
}

static struct worker *first_slot(const struct watch *watch, const struct worker *worker)
{
    return watch->worker + (worker - watch->worker) / watch->settings.pack * watch->settings.pack;
}

/* Number of other busy slots of the same process. */
static int busy_neighbours(const struct watch *watch, const struct worker *worker)
{
    const struct worker *first = first_slot(watch, worker);
    int busy = 0;
    for (const struct worker *other = first; other < first + watch->settings.pack; other++)
        busy += other != worker && other->state == WORKER_BUSY;
    return busy;
}

static void start(struct watch *watch, struct worker *first)
{
    struct worker *end = first + watch->settings.pack;
    if (watch->settings.exec) {
        first->state = WORKER_IDLE; /* each job has its own process */
        return;
    }
    bool forked = fork_worker(watch, first);
    if (!forked)
        watch_event(WATCH_ERROR, "worker-start", NULL, "error=%s", watch_quoted(strerror(errno)));
    for (struct worker *worker = first; worker < end; worker++) {
        if (!forked)
            mark_absent(worker, 5.0);
        worker->state = forked ? WORKER_STARTING : WORKER_ABSENT;
        worker->begun = ewi_seconds();
        worker->reported = -INFINITY;
    }
}

void watch_start_workers(struct watch *watch)
{
    share_cores(watch);
    watch->workers = watch->settings.jobs * watch->settings.pack;
    watch->worker = cli_allocate((size_t)watch->workers * sizeof *watch->worker);
    for (int k = 0; k < watch->workers; k++)
        watch->worker[k] = (struct worker){.socket = -1, .job = {.folder = -1, .private = -1, .lock = -1}};
    for (int k = 0; k < watch->workers; k += watch->settings.pack)
        start(watch, &watch->worker[k]);
}

/* True if the process has a job that must run alone. */
static bool runs_alone(const struct watch *watch, const struct worker *worker)
{
    const struct worker *first = first_slot(watch, worker);
    for (const struct worker *other = first; other < first + watch->settings.pack; other++)
        if (other->state == WORKER_BUSY && other->alone)
            return true;
    return false;
}

/*
 * The first slot of the process that is reserved for a job that must run alone: the process with the fewest jobs. It
 * gets no other job until it is empty, so the number of its jobs only falls. NULL: no process is reserved.
 */
static const struct worker *reserved(const struct watch *watch)
{
    const struct worker *found = NULL;
    int least = watch->settings.pack + 1;
    for (int k = 0; watch->reserves && k < watch->workers; k++) {
        const struct worker *worker = &watch->worker[k];
        bool works = worker->state == WORKER_IDLE || worker->state == WORKER_BUSY;
        int busy = busy_neighbours(watch, worker) + (worker->state == WORKER_BUSY);
        if (works && busy < least) {
            found = first_slot(watch, worker);
            least = busy;
        }
    }
    return found;
}

/* An idle slot of the process with the fewest jobs. `alone`: of a process without jobs. */
struct worker *watch_idle_worker(const struct watch *watch, bool alone)
{
    struct worker *found = NULL;
    const struct worker *other = alone ? NULL : reserved(watch);
    int least = alone ? 1 : watch->settings.pack;
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        if (worker->state != WORKER_IDLE || worker->old || first_slot(watch, worker) == other ||
            runs_alone(watch, worker) || busy_neighbours(watch, worker) >= least)
            continue;
        found = worker;
        least = busy_neighbours(watch, worker);
    }
    return found;
}

static bool must_be_alone(const struct watch *watch, const struct ewi_job *job)
{
    return watch->settings.pack > 1 && ewi_record_is_suspect(&job->record);
}

struct worker *watch_worker_for(struct watch *watch, const struct ewi_job *job)
{
    return watch_idle_worker(watch, must_be_alone(watch, job));
}

int watch_busy_workers(const struct watch *watch)
{
    int busy = 0;
    for (int k = 0; k < watch->workers; k++)
        busy += watch->worker[k].state == WORKER_BUSY;
    return busy;
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static bool send_order(const struct watch *watch, const struct worker *worker, const struct ewi_job *job)
{
    static struct worker_order order;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = {.bytes = {0}};
    int descriptor[2] = {job->folder, job->lock};
    order = (struct worker_order){.record = job->record, .limits = watch->settings.limits, .claimed = ewi_now(),
                                  .last = job->record.attempts + 1 >= watch->settings.max_attempts,
                                  .report = watch->settings.html == HTML_REPORTS};
    memcpy(order.name, job->name, sizeof order.name);
    struct iovec part = {.iov_base = &order, .iov_len = sizeof order};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), descriptor, sizeof descriptor);
    ssize_t sent;
    do
        sent = sendmsg(worker->socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof order;
}

/* Writes a word in single quotation marks for a shell. */
static void put_shell_word(FILE *file, const char *word)
{
    fputc('\'', file);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    fputc('\'', file);
}

/* Writes the script that --exec runs, where no submitter can change it. 0, or errno. */
static int write_script(const struct watch *watch, const struct ewi_job *job)
{
    char program[4096] = "", folder[8192], *text = NULL;
    size_t length = 0;
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return errno;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return errno;
    snprintf(folder, sizeof folder, "%s/%s/%s", watch->spool.path, ewi_place_name[EWI_RUN], job->name);
    fputs("#!/bin/sh\ncd ", file);
    put_shell_word(file, folder);
    fprintf(file, " || exit %d\nexec ", EX_TEMPFAIL);
    put_shell_word(file, program);
    fputs(" " CMD_JOB " . ", file);
    put_shell_word(file, job->name);
    fprintf(file, " %lld %lld %s", (long long)watch->settings.limits.files, (long long)watch->settings.limits.bytes,
            watch->settings.html == HTML_REPORTS ? "report" : "none");
    for (size_t k = 0; k < watch->settings.settings; k++) {
        fputc(' ', file);
        put_shell_word(file, watch->settings.setting[k]);
    }
    fputs("\n", file);
    int reason = fclose(file) == 0 ? 0 : errno;
    if (reason == 0)
        reason = ewi_write_file(job->private, EWI_SCRIPT_FILE, text, length, false);
    if (reason == 0 && fchmodat(job->private, EWI_SCRIPT_FILE, 0755, 0) != 0) /* mpirun needs an executable */
        reason = errno;
    free(text);
    return reason;
}

/* The command inherits the lock, so that no other watcher adopts the job while the command lives. */
static bool fork_command(const struct watch *watch, struct worker *worker, const struct ewi_job *job)
{
    char command[8192], script[8192], private[EWI_PRIVATE_NAME + 16];
    if (write_script(watch, job) != 0)
        return false;
    snprintf(command, sizeof command, "%s \"$0\"", watch->settings.exec);
    ewi_private_path(job->folder, private);
    snprintf(script, sizeof script, "%s/%s/%s", watch->spool.path, private + strlen("../../"), EWI_SCRIPT_FILE);
    int reason, log = ewi_job_log(job->folder, &reason);
    pid_t pid = log < 0 ? -1 : fork();
    if (pid == 0) {
        watch_in_child();
        watch_restore_limits();
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        fcntl(job->lock, F_SETFD, 0);
        if (fchdir(job->folder) == 0)
            execl("/bin/sh", "sh", "-c", command, script, (char *)NULL);
        _exit(EX_OSERR);
    }
    ewi_close(log);
    worker->pid = pid > 0 ? pid : 0;
    return pid > 0;
}

void watch_assign(struct watch *watch, struct worker *worker, struct ewi_job *job)
{
    bool given = watch->settings.exec ? fork_command(watch, worker, job)
                                      : send_order(watch, worker, job);
    if (!given) {
        watch_event(WATCH_ERROR, "assign", job->name, "error=%s", watch_quoted(strerror(errno)));
        watch_job_interrupted(watch, job);
        if (worker->pid > 0)
            kill(worker->pid, SIGKILL);
        watch->scan_at = ewi_seconds() + 1.0;
        return;
    }
    worker->alone = must_be_alone(watch, job);
    worker->job = *job;
    worker->state = WORKER_BUSY;
    worker->begun = ewi_seconds();
    worker->begun_at = ewi_now();
    worker->time = worker->fraction = worker->first_fraction = worker->rate = NAN;
    worker->step = 0;
    worker->asked_until = 0;
    worker->kill = KILL_NOT;
    watch->status_changed = true;
}

static struct ewi_job take_job(struct worker *worker)
{
    struct ewi_job job = worker->job;
    worker->job.folder = worker->job.private = worker->job.lock = -1;
    return job;
}

/* When a packed worker dies, the job that caused it is unknown. No job loses an attempt; each runs alone next time. */
static void suspect(struct watch *watch, struct ewi_job *job)
{
    job->record.lost++;
    watch_job_interrupted(watch, job);
}

/* Handles a job without a result: it saved its state on request, or its process ended. */
static void job_stopped(struct watch *watch, const struct worker *worker, struct ewi_job *job)
{
    char sentence[EWI_SENTENCE];
    switch (worker->kill) {
    case KILL_HUNG:
        snprintf(sentence, sizeof sentence,
                 "the worker showed no sign of life for %.6g s (--timeout) and was ended", watch->settings.timeout);
        watch_job_retry(watch, job, EX_TEMPFAIL, sentence);
        break;
    case KILL_TOO_LONG:
        snprintf(sentence, sizeof sentence, "the job ran longer than %.6g s (--max-time)", watch->settings.max_time);
        watch_job_refused(watch, job, EX_UNAVAILABLE, sentence);
        break;
    case KILL_SILENT:
        suspect(watch, job);
        break;
    case KILL_STOPPING:
    case KILL_NOT:
        watch_job_interrupted(watch, job);
        break;
    }
}

static void job_ended(struct watch *watch, struct worker *worker, const struct worker_report *message)
{
    struct ewi_job job = take_job(worker);
    double seconds = ewi_seconds() - worker->begun;
    worker->state = WORKER_IDLE;
    worker->leaves = message->leaves || worker->old || watch->stopping; /* see read_all_reports */
    switch (message->outcome) {
    case OUTCOME_DONE:
        watch_job_done(watch, &job, seconds, message->delivered);
        break;
    case OUTCOME_FAILED:
        watch_job_failed(watch, &job, message->exit_code, message->sentence, message->delivered);
        break;
    case OUTCOME_RETRY:
        if (message->disk_full)
            watch_pause(watch, message->sentence);
        if (message->device_lost && watch->settings.pack > 1 && !worker->alone)
            suspect(watch, &job);
        else
            watch_job_retry(watch, &job, message->exit_code, message->sentence);
        break;
    case OUTCOME_INTERRUPTED:
        job_stopped(watch, worker, &job);
        break;
    }
}

/* ---- ends of processes ------------------------------------------------------------------------------------------- */

static void describe_exit(int status, const char *who, const char *when, char sentence[EWI_SENTENCE])
{
    if (WIFSIGNALED(status))
        snprintf(sentence, EWI_SENTENCE, "%s died by signal %d (%s)%s", who, WTERMSIG(status),
                 strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? ", perhaps because memory ran out" : "");
    else
        snprintf(sentence, EWI_SENTENCE, "%s ended with exit code %d %s", who, WEXITSTATUS(status), when);
}

/*
 * Handles a job whose worker has ended. The worker may have written the result before it died. `others`: the process
 * had other jobs, one of which may be the cause.
 */
static void job_orphaned(struct watch *watch, struct worker *worker, int status, bool others)
{
    struct ewi_job job = take_job(worker);
    char sentence[EWI_SENTENCE];
    enum ewi_left left = ewi_job_left(&job);
    describe_exit(status, "the worker", "in the middle of the job", sentence);
    /* A command of --exec may still be running. */
    if (left == EWI_LEFT_UNFINISHED && !watch->settings.exec &&
        ewi_private_discard_partial(watch->spool.place[EWI_STATE], job.private))
        (void)watch_start_helper(watch, HELPER_CLEAN);
    if (left == EWI_LEFT_DONE) {
        watch_job_done(watch, &job, ewi_seconds() - worker->begun, false);
    } else if (left == EWI_LEFT_FAILED) {
        watch_job_failed(watch, &job, WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status) : EX_SOFTWARE,
                         NULL, false);
    } else if (worker->kill != KILL_NOT) {
        job_stopped(watch, worker, &job);
    } else if (others) {
        suspect(watch, &job);
    } else {
        watch_job_retry(watch, &job, EX_TEMPFAIL, sentence);
    }
}

/* Retires the slot of a thread that left its process. The other slots get no more jobs, and all restart together. */
static void retire(struct watch *watch, struct worker *worker)
{
    struct worker *first = first_slot(watch, worker);
    ewi_close(worker->socket);
    mark_absent(worker, INFINITY);
    for (struct worker *other = first; other < first + watch->settings.pack; other++)
        other->old = other->socket >= 0;
    watch->status_changed = true;
}

static bool note_report(struct watch *watch, struct worker *worker, struct worker_report *message);

/* Reads all reports of a worker. false: it has ended, or must end. */
static bool read_all_reports(struct watch *watch, struct worker *worker)
{
    static struct worker_report message;
    ssize_t got;
    do {
        got = worker->socket < 0 ? 0 : recv(worker->socket, &message, sizeof message, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
    } while ((got < 0 && errno == EINTR) ||
             (got == (ssize_t)sizeof message && note_report(watch, worker, &message)));
    return false;
}

static void report_death(struct watch *watch, const struct worker *worker, int status)
{
    char how[EWI_SENTENCE];
    describe_exit(status, "the worker", "in the middle of the job", how);
    watch->counts.deaths++;
    watch_event(WATCH_WARNING, "worker-died", worker->state == WORKER_BUSY ? worker->job.name : NULL,
                "pid=%ld reason=%s", (long)worker->pid, watch_quoted(how));
}

/* Handles a closed socket: the worker's process has ended or is about to, or its thread has ended. */
static void process_ended(struct watch *watch, struct worker *worker)
{
    struct worker *first = first_slot(watch, worker), *end = first + watch->settings.pack;
    if (worker->leaves && busy_neighbours(watch, worker) > 0) {
        retire(watch, worker);
        return;
    }
    bool early = worker->state == WORKER_STARTING, ended_by_us = first->kill_at > 0, leaves = worker->leaves;
    int early_deaths = early ? worker->early_deaths + 1 : 0, busy = 0;
    int status = watch_end_process(worker->pid); /* it may still run, but is useless without the socket */
    for (struct worker *other = first; other < end; other++) {
        if (other != worker && other->socket >= 0)
            read_all_reports(watch, other);
        busy += other->state == WORKER_BUSY;
        ended_by_us = ended_by_us || other->kill != KILL_NOT;
    }
    if (!leaves && !watch->stopping && !ended_by_us)
        report_death(watch, worker, status);
    for (struct worker *other = first; other < end; other++) {
        ewi_close(other->socket);
        if (other->state == WORKER_BUSY)
            job_orphaned(watch, other, status, busy > 1 || ended_by_us);
        mark_absent(other, early ? fmin(pow(2.0, early_deaths - 1), LONGEST_ABSENCE) : 0);
        other->early_deaths = early_deaths;
    }
    first->kill_at = 0;
    first->killed = false;
    watch->status_changed = true;
}

/* Acts on a report; false: the worker must end. */
static bool note_report(struct watch *watch, struct worker *worker, struct worker_report *message)
{
    worker->reported = ewi_seconds();
    watch->status_changed = true;
    if (message->kind == WORKER_READY && worker->state == WORKER_STARTING) {
        worker->state = WORKER_IDLE;
        worker->early_deaths = 0;
    } else if (message->kind == WORKER_PROGRESS && worker->state == WORKER_BUSY) {
        worker->time = message->time;
        worker->fraction = message->fraction;
        worker->rate = message->rate;
        if (isnan(worker->first_fraction)) {
            worker->first_fraction = message->fraction;
            worker->first_reported = worker->reported;
        }
        worker->step = message->step;
    } else if (message->kind == WORKER_END && worker->state == WORKER_BUSY) {
        message->sentence[sizeof message->sentence - 1] = '\0';
        job_ended(watch, worker, message);
    }
    return !worker->leaves;
}

void watch_read_reports(struct watch *watch, struct worker *worker)
{
    if (worker->socket >= 0 && !read_all_reports(watch, worker))
        process_ended(watch, worker);
}

static void command_ended(struct watch *watch, struct worker *worker, int status)
{
    struct ewi_job job = worker->job;
    enum ewi_left left = ewi_job_left(&job);
    unlinkat(job.private, EWI_SCRIPT_FILE, 0);
    worker->pid = 0;
    worker->state = WORKER_IDLE;
    watch->status_changed = true;
    if (left == EWI_LEFT_UNFINISHED && worker->kill == KILL_NOT) {
        char sentence[EWI_SENTENCE];
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        job = take_job(worker);
        describe_exit(status, "the command of --exec", "and left no result", sentence);
        watch_job_retry(watch, &job, code ? code : EX_TEMPFAIL, sentence);
    } else {
        job_orphaned(watch, worker, status, false);
    }
    worker->kill = KILL_NOT;
    worker->kill_at = 0;
    worker->killed = false;
}

void watch_reap(struct watch *watch)
{
    for (int k = 0; watch->settings.exec && k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        int status;
        if (worker->state == WORKER_BUSY && waitpid(worker->pid, &status, WNOHANG) == worker->pid)
            command_ended(watch, worker, status);
    }
}

/* ---- timeouts and stops ------------------------------------------------------------------------------------------ */

static void kill_worker(const struct watch *watch, const struct worker *worker, int number)
{
    if (worker->pid > 0)
        kill(watch->settings.exec ? -worker->pid : worker->pid, number);
}

/*
 * Asks a job to end after its current step. It saves its state, and its neighbours keep running. A command of --exec
 * checks by itself whether its job is still wanted.
 */
static void ask_job(struct watch *watch, struct worker *worker, enum worker_kill why)
{
    worker->kill = why;
    worker->asked_until = ewi_seconds() + watch->settings.grace;
    if (worker->socket >= 0)
        (void)send(worker->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void find_unwanted(struct watch *watch)
{
    watch->wanted_at = ewi_seconds() + WANTED_SECONDS;
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        if (worker->state == WORKER_BUSY && worker->asked_until <= 0 &&
            !ewi_job_is_wanted(worker->job.folder, worker->job.name)) {
            watch_event(WATCH_INFO, "unwanted", worker->job.name, "grace_s=%.1f", watch->settings.grace);
            ask_job(watch, worker, KILL_STOPPING);
        }
    }
}

/* Asks a process to end within `seconds`; its jobs save their states. 0: kills it at once. */
static void ask_process(struct watch *watch, struct worker *worker, double seconds)
{
    struct worker *first = first_slot(watch, worker);
    if (first->kill_at > 0)
        return;
    first->kill_at = ewi_seconds() + seconds;
    for (struct worker *slot = first; slot < first + watch->settings.pack; slot++)
        slot->old = slot->socket >= 0;
    if (seconds > 0)
        kill_worker(watch, worker, SIGTERM);
}

/* True if some job of the process may still end by itself. */
static bool may_end_by_itself(const struct watch *watch, const struct worker *first)
{
    for (const struct worker *slot = first; slot < first + watch->settings.pack; slot++)
        if (slot->state == WORKER_BUSY && slot->kill != KILL_HUNG && slot->kill != KILL_TOO_LONG)
            return true;
    return false;
}

/* When to send SIGKILL to the process, by ewi_seconds. */
static double end_of_process(const struct watch *watch, const struct worker *worker)
{
    if (worker != first_slot(watch, worker) || worker->kill_at <= 0 || worker->killed)
        return INFINITY;
    return may_end_by_itself(watch, worker) ? worker->kill_at : 0;
}

/* When to end the job or process, and why. --timeout does not apply to commands of --exec: they send no reports. */
static double deadline(const struct watch *watch, const struct worker *worker, enum worker_kill *why)
{
    double hung = INFINITY, too_long = INFINITY, since = fmax(worker->begun, worker->reported);
    if (first_slot(watch, worker)->kill_at > 0)
        return INFINITY;
    if (worker->state == WORKER_STARTING)
        hung = since + START_SECONDS;
    else if (worker->state == WORKER_BUSY && watch->settings.timeout > 0 && !watch->settings.exec)
        hung = since + watch->settings.timeout;
    if (worker->state == WORKER_BUSY && worker->asked_until > 0) {
        *why = worker->kill;
        return worker->asked_until;
    }
    if (worker->state == WORKER_BUSY && watch->settings.max_time > 0)
        too_long = worker->begun + watch->settings.max_time;
    *why = too_long < hung ? KILL_TOO_LONG : KILL_HUNG;
    return fmin(hung, too_long);
}

/* True if another slot of the process has reported recently. A job that has just begun there proves nothing. */
static bool is_alive(const struct watch *watch, const struct worker *worker)
{
    const struct worker *first = first_slot(watch, worker);
    for (const struct worker *other = first; other < first + watch->settings.pack; other++)
        if (other != worker && ewi_seconds() - other->reported < watch->settings.timeout / 2)
            return true;
    return false;
}

static void mark_silent(struct watch *watch, const struct worker *worker)
{
    struct worker *first = first_slot(watch, worker);
    for (struct worker *slot = first; slot < first + watch->settings.pack; slot++)
        if (slot->state == WORKER_BUSY)
            slot->kill = KILL_SILENT;
    watch_event(WATCH_WARNING, "silent", NULL, "pid=%ld timeout_s=%.6g", (long)worker->pid, watch->settings.timeout);
}

/* The time in which the neighbours of a killed job must save their states. */
static double grace_of_neighbours(const struct watch *watch)
{
    double timeout = watch->settings.timeout > 0 ? watch->settings.timeout : INFINITY;
    return fmin(watch->settings.grace, timeout);
}

/* A hanging job does not react to requests; only the end of its process ends it. */
static void time_out(struct watch *watch, struct worker *worker, enum worker_kill why)
{
    bool together = busy_neighbours(watch, worker) > 0;
    if (why == KILL_TOO_LONG && worker->asked_until <= 0 && !watch->settings.exec) {
        ask_job(watch, worker, why);
        return;
    }
    worker->kill = why;
    if (why == KILL_HUNG && together && !is_alive(watch, worker))
        mark_silent(watch, worker);
    ask_process(watch, worker, together ? grace_of_neighbours(watch) : 0);
}

/* True for the first slot of a process that is not running. */
static bool is_absent(const struct watch *watch, const struct worker *worker)
{
    const struct worker *first = first_slot(watch, worker);
    for (const struct worker *other = first; other < first + watch->settings.pack; other++)
        if (other->state != WORKER_ABSENT)
            return false;
    return worker == first;
}

void watch_tend_workers(struct watch *watch)
{
    double now = ewi_seconds();
    if (now >= watch->wanted_at)
        find_unwanted(watch);
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        enum worker_kill why;
        if (is_absent(watch, worker) && !watch->stopping && now >= worker->absent_until)
            start(watch, worker);
        else if (deadline(watch, worker, &why) <= now)
            time_out(watch, worker, why);
    }
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        if (end_of_process(watch, worker) > now)
            continue;
        worker->killed = true;
        for (const struct worker *slot = worker; slot < worker + watch->settings.pack; slot++)
            kill_worker(watch, slot, SIGKILL); /* no effect on retired slots: they have no pid */
    }
}

double watch_workers_wake(const struct watch *watch)
{
    double when = watch_busy_workers(watch) > 0 ? watch->wanted_at : INFINITY;
    enum worker_kill why;
    for (int k = 0; k < watch->workers; k++) {
        const struct worker *worker = &watch->worker[k];
        when = fmin(when, fmin(deadline(watch, worker, &why), end_of_process(watch, worker)));
        if (is_absent(watch, worker) && !watch->stopping)
            when = fmin(when, worker->absent_until);
    }
    return when;
}

void watch_stop_workers(struct watch *watch, bool at_once)
{
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        if (worker->state == WORKER_BUSY) {
            if (at_once || watch->settings.exec)
                worker->kill = KILL_STOPPING;
            if (at_once)
                kill_worker(watch, worker, SIGKILL);
            else
                ask_process(watch, worker, watch->settings.grace);
        } else if (worker->socket >= 0 && busy_neighbours(watch, worker) == 0) {
            process_ended(watch, worker);
        }
    }
}

void watch_renew_workers(struct watch *watch)
{
    for (int k = 0; k < watch->workers; k++) {
        struct worker *worker = &watch->worker[k];
        worker->old = worker->socket >= 0;
        if (worker->socket < 0 || worker->state == WORKER_BUSY || busy_neighbours(watch, worker) > 0)
            continue;
        worker->leaves = true;
        process_ended(watch, worker);
    }
}

bool watch_workers_gone(const struct watch *watch)
{
    for (int k = 0; k < watch->workers; k++)
        if (watch->worker[k].pid > 0)
            return false;
    return true;
}
