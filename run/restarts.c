/* SPDX-License-Identifier: BSD-2-Clause */
/* Restart files of a run: the one to resume from, the time of the next one, and those to keep. */
#include "ewi_error.h"
#include "ewi_file.h"
#include "ewi_run.h"
#include "ewi_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INFIX ".restart-"

/* ---- the files of a folder --------------------------------------------------------------------------------------- */

struct found {
    char *path;
    int64_t step;
    struct timespec written;
};

struct files {
    const ew_host *host;
    struct found *found;
    size_t count;
};

char *ewi_run_text(const ew_host *host, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t size = (size_t)ewi_vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *text = ewi_alloc(host, size, 1);
    if (text)
        ewi_vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

char *ewi_path_in(const ew_host *host, const char *folder, const char *file)
{
    if (!folder || strcmp(folder, ".") == 0)
        return ewi_strdup(host, file);
    return ewi_run_text(host, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", file);
}

/* Reallocates the array with room for one more. NULL: not enough memory, and the array is unchanged. */
static void *grown(const ew_host *host, void *array, size_t count, size_t size)
{
    void *larger = ewi_alloc(host, count + 1, size);
    if (larger && count > 0)
        memcpy(larger, array, count * size);
    if (larger)
        ewi_free(host, array);
    return larger;
}

/* The step in "NAME.restart-STEP.nc"; -1: another name. */
static int64_t step_of(const char *file, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || strncmp(file + length, INFIX, sizeof INFIX - 1) != 0)
        return -1;
    const char *digits = file + length + sizeof INFIX - 1;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || strcmp(digits + count, ".nc") != 0)
        return -1;
    return strtoll(digits, NULL, 10);
}

/* Compares by time of writing, newest first: an earlier run of the same name may have higher steps. */
static int compare_found(const void *a, const void *b)
{
    const struct found *first = a, *second = b;
    if (first->written.tv_sec != second->written.tv_sec)
        return first->written.tv_sec < second->written.tv_sec ? 1 : -1;
    if (first->written.tv_nsec != second->written.tv_nsec)
        return first->written.tv_nsec < second->written.tv_nsec ? 1 : -1;
    return (first->step < second->step) - (first->step > second->step);
}

/* Returns 0 or errno. */
static int add_file(struct files *files, const struct ewi_restarts *restarts, const char *file)
{
    struct stat info;
    int64_t step = step_of(file, restarts->plan->name);
    if (step < 0)
        return 0;
    char *path = ewi_path_in(files->host, restarts->options->folder, file);
    bool is_one = path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    struct found *found = is_one ? grown(files->host, files->found, files->count, sizeof *found) : NULL;
    if (!found) {
        int number = !path || is_one ? ENOMEM : 0;
        ewi_free(files->host, path);
        return number;
    }
    files->found = found;
    files->found[files->count++] = (struct found){.path = path, .step = step, .written = info.st_mtim};
    return 0;
}

/* A missing folder has no files, but a folder that cannot be listed may have some. */
static int find(const struct ewi_restarts *restarts, struct files *files, ew_error *error)
{
    const char *folder = restarts->options->folder ? restarts->options->folder : ".";
    *files = (struct files){.host = restarts->host};
    DIR *directory = opendir(folder);
    if (!directory && errno == ENOENT)
        return EW_OK;
    struct dirent *entry;
    int failure = directory ? 0 : errno;
    while (failure == 0 && (errno = 0, entry = readdir(directory)) != NULL)
        failure = add_file(files, restarts, entry->d_name);
    if (failure == 0)
        failure = errno;
    if (directory)
        closedir(directory);
    if (files->count > 0)
        qsort(files->found, files->count, sizeof *files->found, compare_found);
    if (failure == 0)
        return EW_OK;
    return ewi_fail(error, failure == ENOMEM ? EW_ENOMEM : EW_EIO, "cannot look for restart files in %s: %s", folder,
                    strerror(failure));
}

static void free_files(struct files *files)
{
    for (size_t k = 0; k < files->count; k++)
        ewi_free(files->host, files->found[k].path);
    ewi_free(files->host, files->found);
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

/* Warnings, held back until the run is known to resume from the file. */
struct held {
    const ew_host *host;
    struct sentence {
        struct sentence *next;
        char text[];
    } *first, **last;
};

static void *allocate(void *context, size_t alignment, size_t bytes)
{
    const ew_host *host = ((struct held *)context)->host;
    return host->allocate(host->context, alignment, bytes);
}

static void release(void *context, void *pointer)
{
    const ew_host *host = ((struct held *)context)->host;
    host->release(host->context, pointer);
}

static void hold(void *context, int level, const char *text)
{
    struct held *held = context;
    size_t size = strlen(text) + 1;
    struct sentence *sentence = level < EW_LOG_WARNING ? NULL : ewi_alloc(held->host, 1, sizeof *sentence + size);
    if (!sentence)
        return;
    memcpy(sentence->text, text, size);
    *held->last = sentence;
    held->last = &sentence->next;
}

static void log_held(struct held *held, bool wanted)
{
    while (held->first) {
        struct sentence *sentence = held->first;
        held->first = sentence->next;
        if (wanted)
            ewi_log(held->host, EW_LOG_WARNING, "%s", sentence->text);
        ewi_free(held->host, sentence);
    }
}

static int check_moment(const struct ewi_restarts *restarts, const char *path, ew_error *error)
{
    const ew_run_plan *plan = restarts->plan;
    const ew_moment *moment = &restarts->info.moment;
    if (moment->time < plan->start)
        return ewi_fail(
            error, EW_ECONFIG,
            "%s is at t = %.9g, before the case's start, %.9g; take a later restart file, or an earlier time.start",
            path, moment->time, plan->start);
    if (moment->time > plan->end)
        return ewi_fail(error, EW_ECONFIG,
                        "%s is at t = %.9g, after the case's end, %.9g; take an earlier restart file, or a later end",
                        path, moment->time, plan->end);
    if (moment->steps > plan->steps)
        return ewi_fail(
            error, EW_ECONFIG,
            "%s is after step %lld, and the run ends after step %lld; take an earlier restart file, or more steps",
            path, (long long)moment->steps, (long long)plan->steps);
    return EW_OK;
}

/* The library's warnings say how the run resumes, so they are printed only if it does. */
static int read_one(struct ewi_restarts *restarts, const char *path, ew_error *error)
{
    struct held held = {.host = restarts->host};
    held.last = &held.first;
    const ew_host host = {.allocate = allocate, .release = release, .log = hold, .context = &held};
    const ew_run_options *options = restarts->options;
    int status = options->admit ? options->admit(options->context, path, error) : EW_OK;
    if (status == EW_OK)
        status = ew_restart_read(&host, path, restarts->plan, restarts->solver, &restarts->info, error);
    if (status == EW_OK)
        status = check_moment(restarts, path, error);
    log_held(&held, status == EW_OK);
    if (status == EW_OK && !(restarts->from = ewi_strdup(restarts->host, path)))
        status = ewi_fail(error, EW_ENOMEM, "not enough memory to resume from %s", path);
    return status;
}

/* The time of the file's last frame; NaN: no frame, or the file may be replaced. */
static double end_of_result(const struct ewi_restarts *restarts, const char *path)
{
    const ew_run_options *options = restarts->options;
    ew_error refusal;
    if (options->restart_is_optional || options->no_output || access(path, R_OK) != 0 ||
        (options->admit && options->admit(options->context, path, &refusal) != EW_OK))
        return NAN;
    return ew_results_end(restarts->host, path);
}

/* Length of the name of the run's files without ".nc". */
static int stem_of(const char *target)
{
    return (int)strlen(target) - (ewi_ends_in(target, ".nc") ? 3 : 0);
}

/* STEM.before.END, or STEM.before.2.END and so on if that exists; NULL: not enough memory. */
static char *name_before(const struct ewi_restarts *restarts, const char *stem, const char *end)
{
    char *name = ewi_run_text(restarts->host, "%s.before.%s", stem, end);
    struct stat there;
    for (int k = 2; name && lstat(name, &there) == 0; k++) {
        ewi_free(restarts->host, name);
        name = ewi_run_text(restarts->host, "%s.before.%d.%s", stem, k, end);
    }
    return name;
}

/* Keeps the time series with the frames, so that a run that resumes from them finds its lines. */
static int keep_series(const struct ewi_restarts *restarts, ew_error *error)
{
    char *stem = ewi_run_text(restarts->host, "%.*s.series", stem_of(restarts->target), restarts->target);
    char *part = stem ? ewi_run_text(restarts->host, "%s.csv.part", stem) : NULL;
    char *before = part ? name_before(restarts, stem, "csv") : NULL;
    int status = before ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory to keep a time series");
    if (before && rename(part, before) != 0 && errno != ENOENT)
        status = ewi_fail(error, EW_ECREATE, "cannot rename %s to %s: %s", part, before, strerror(errno));
    ewi_free(restarts->host, before);
    ewi_free(restarts->host, part);
    ewi_free(restarts->host, stem);
    return status;
}

static int rename_part(const struct ewi_restarts *restarts, const char *part, ew_error *error)
{
    char *stem = ewi_run_text(restarts->host, "%.*s", stem_of(restarts->target), restarts->target);
    char *before = stem ? name_before(restarts, stem, "nc") : NULL;
    ewi_free(restarts->host, stem);
    if (!before)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to keep %s", part);
    int status = EW_OK;
    if (rename(part, before) != 0)
        status = ewi_fail(error, EW_ECREATE, "cannot rename %s to %s: %s", part, before, strerror(errno));
    else
        ewi_log(restarts->host, EW_LOG_WARNING,
                "%s has the frames of a run that was killed: it becomes %s; to resume from its last frame instead, use "
                "--restart %s", part, before, before);
    ewi_free(restarts->host, before);
    return status == EW_OK ? keep_series(restarts, error) : status;
}

/* Keeps a killed run's frames. If another run holds the lock and is writing them, this run fails later. */
static int keep_killed(const struct ewi_restarts *restarts, ew_error *error)
{
    char *part = ewi_run_text(restarts->host, "%s.part", restarts->target);
    if (!part)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to look for frames of a killed run");
    int status = EW_OK;
    int file = end_of_result(restarts, part) > restarts->plan->start
                   ? open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                   : -1;
    if (file >= 0 && ewi_file_lock(file, F_WRLCK) == 0 && ewi_is_file(file, AT_FDCWD, part))
        status = rename_part(restarts, part, error);
    if (file >= 0)
        close(file);
    ewi_free(restarts->host, part);
    return status;
}

/* Handles the case that no restart file is intact. "auto" continues runs, so it does not replace a finished result. */
static int start_fresh(const struct ewi_restarts *restarts, size_t files, ew_error *error)
{
    int status = EW_OK;
    const char *target = restarts->target,
               *found = files > 0 ? "no restart file is intact" : "there is no restart file";
    char *stem = ewi_path_in(restarts->host, restarts->options->folder, restarts->plan->name);
    double end = end_of_result(restarts, target);
    if (!stem)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the name of a restart file");
    if (end > restarts->plan->start)
        status = ewi_fail(error, EW_ECREATE,
                          "%s, %s" INFIX "STEP.nc, and %s is a finished result up to t = %.9g; resume from its last "
                          "frame by --restart %s, or replace it by a run without --restart",
                          found, stem, target, end, target);
    else if (files > 0 || !restarts->options->restart_is_optional)
        ewi_log(restarts->host, EW_LOG_WARNING, "%s, %s" INFIX "STEP.nc; the run starts from the initial state", found,
                stem);
    ewi_free(restarts->host, stem);
    return status == EW_OK ? keep_killed(restarts, error) : status;
}

/*
 * Skips damaged files. A file without permission to read is an error: it may be the one to resume from.
 */
static int read_newest(struct ewi_restarts *restarts, ew_error *error)
{
    struct files files;
    ew_error reason;
    int status = find(restarts, &files, error);
    for (size_t k = 0; status == EW_OK && k < files.count && !restarts->from; k++) {
        status = read_one(restarts, files.found[k].path, &reason);
        if (status == EW_EIO && access(files.found[k].path, R_OK) == 0) {
            ewi_log(restarts->host, EW_LOG_WARNING, "%s", reason.message);
            status = EW_OK;
        } else if (status != EW_OK && error) {
            *error = reason;
        }
    }
    if (status == EW_OK && !restarts->from)
        status = start_fresh(restarts, files.count, error);
    free_files(&files);
    return status;
}

/* Lists the files up to the step at which the run resumes, oldest first, which is the order of removal. */
static int list_earlier(struct ewi_restarts *restarts, ew_error *error)
{
    struct files files;
    int status = find(restarts, &files, error);
    if (status == EW_OK && files.count > 0 &&
        !(restarts->kept = ewi_alloc(restarts->host, files.count, sizeof *restarts->kept)))
        status = ewi_fail(error, EW_ENOMEM, "not enough memory for the names of %zu restart files", files.count);
    for (size_t k = files.count; status == EW_OK && k-- > 0;)
        if (files.found[k].step <= restarts->info.moment.steps) {
            restarts->kept[restarts->kept_count++] = files.found[k].path;
            files.found[k].path = NULL;
        }
    free_files(&files);
    return status;
}

static char *path_of(const struct ewi_restarts *restarts, int64_t step)
{
    char *file = ewi_run_text(restarts->host, "%s" INFIX "%lld.nc", restarts->plan->name, (long long)step);
    char *path = file ? ewi_path_in(restarts->host, restarts->options->folder, file) : NULL;
    ewi_free(restarts->host, file);
    return path;
}

/* Rejects a name that would be too long for any number of steps, before the run. */
static int check_name(const struct ewi_restarts *restarts, ew_error *error)
{
    static const int64_t many = 999999999999;
    int64_t steps = restarts->plan->steps;
    struct stat there;
    char *path = path_of(restarts, steps < many ? steps : many);
    char *part = path ? ewi_run_text(restarts->host, "%s.part", path) : NULL;
    int status = EW_OK;
    if (!part)
        status = ewi_fail(error, EW_ENOMEM, "not enough memory for the name of a restart file");
    else if (lstat(part, &there) != 0 && errno == ENAMETOOLONG)
        status = ewi_fail(error, EW_ECREATE, "cannot create %s: the name is too long for a restart file", part);
    ewi_free(restarts->host, part);
    ewi_free(restarts->host, path);
    return status;
}

int ewi_restarts_begin(struct ewi_restarts *restarts, ew_error *error)
{
    const ew_run_plan *plan = restarts->plan;
    const ew_run_options *options = restarts->options;
    const ew_solver *solver = restarts->solver;
    restarts->written_step = -1;
    int status = options->no_output ? EW_OK : check_name(restarts, error);
    if (status == EW_OK && options->restart && strcmp(options->restart, "auto") == 0)
        status = read_newest(restarts, error);
    else if (status == EW_OK && options->restart)
        status = read_one(restarts, options->restart, error);
    if (status == EW_OK && restarts->from)
        status = list_earlier(restarts, error);
    if (status != EW_OK)
        return status;
    restarts->next_time = ew_run_plan_next_restart(plan, ew_solver_time(solver));
    restarts->next_step =
        plan->restart_steps > 0 ? (ew_solver_steps(solver) / plan->restart_steps + 1) * plan->restart_steps : INT64_MAX;
    return EW_OK;
}

/* Renames it to "NAME.restart-STEP.before.nc", which step_of does not accept. */
static int put_one_aside(const struct ewi_restarts *restarts, const struct files *files, size_t k, ew_error *error)
{
    const char *path = files->found[k].path;
    char *other = ewi_run_text(restarts->host, "%.*s.before.nc", (int)(strlen(path) - strlen(".nc")), path);
    if (!other)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to rename %s", path);
    int status = rename(path, other) == 0
                     ? EW_OK
                     : ewi_fail(error, EW_ECREATE, "cannot rename %s to %s: %s", path, other, strerror(errno));
    if (status == EW_OK && k == 0 && files->count == 1)
        ewi_log(restarts->host, EW_LOG_WARNING, "%s is of an earlier run: it becomes %s", path, other);
    else if (status == EW_OK && k == 0)
        ewi_log(restarts->host, EW_LOG_WARNING, "%zu restart files of an earlier run are renamed: %s becomes %s, and "
                "so on", files->count, path, other);
    ewi_free(restarts->host, other);
    return status;
}

int ewi_restarts_put_aside(struct ewi_restarts *restarts, ew_error *error)
{
    struct files files;
    int status = find(restarts, &files, error);
    for (size_t k = 0; k < files.count && status == EW_OK; k++)
        status = put_one_aside(restarts, &files, k, error);
    free_files(&files);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Steps may become longer, so the result covers only half of the way to a restart time. */
int64_t ewi_restarts_steps_left(const struct ewi_restarts *restarts)
{
    if (restarts->options->no_output)
        return INT64_MAX;
    ew_moment moment;
    ew_solver_moment(restarts->solver, &moment);
    int64_t left = restarts->next_step - moment.steps;
    if (isfinite(restarts->next_time)) {
        double half = moment.dt > 0 ? 0.5 * (restarts->next_time - moment.time) / moment.dt : 1.0;
        int64_t steps = half < 1.0 || isnan(half) ? 1 : half < 1e15 ? (int64_t)half : (int64_t)1e15;
        left = left < steps ? left : steps;
    }
    return left;
}

bool ewi_restarts_due(struct ewi_restarts *restarts)
{
    const ew_run_plan *plan = restarts->plan;
    double next_time = ew_run_plan_next_restart(plan, ew_solver_time(restarts->solver));
    int64_t step = ew_solver_steps(restarts->solver);
    bool due = next_time > restarts->next_time || step >= restarts->next_step;
    restarts->next_time = next_time;
    if (plan->restart_steps > 0)
        restarts->next_step = (step / plan->restart_steps + 1) * plan->restart_steps;
    return !restarts->options->no_output && due;
}

static void forget(struct ewi_restarts *restarts, size_t k)
{
    ewi_free(restarts->host, restarts->kept[k]);
    memmove(&restarts->kept[k], &restarts->kept[k + 1], (restarts->kept_count - k - 1) * sizeof *restarts->kept);
    restarts->kept_count--;
}

/* A file for whose name there is not enough memory is never removed. */
static void remember(struct ewi_restarts *restarts, char *path)
{
    size_t most = restarts->plan->restart_keep > 0 ? (size_t)restarts->plan->restart_keep : 1;
    for (size_t k = restarts->kept_count; k-- > 0;)
        if (strcmp(restarts->kept[k], path) == 0)
            forget(restarts, k);
    char **kept = grown(restarts->host, restarts->kept, restarts->kept_count, sizeof *kept);
    if (!kept) {
        ewi_free(restarts->host, path);
        return;
    }
    restarts->kept = kept;
    restarts->kept[restarts->kept_count++] = path;
    while (restarts->kept_count > most) {
        if (unlink(restarts->kept[0]) != 0 && errno != ENOENT)
            ewi_log(restarts->host, EW_LOG_WARNING, "cannot remove the old restart file %s: %s", restarts->kept[0],
                    strerror(errno));
        forget(restarts, 0);
    }
}

int ewi_restarts_write(struct ewi_restarts *restarts, ew_fields *fields, ew_error *error)
{
    int64_t step = ew_solver_steps(restarts->solver);
    if (restarts->options->no_output || restarts->written_step == step)
        return EW_OK;
    char *path = path_of(restarts, step);
    if (!path)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the name of a restart file");
    int status = ew_restart_write(restarts->host, path, restarts->plan, restarts->solver, fields, error);
    if (status != EW_OK) {
        ewi_free(restarts->host, path);
        return status;
    }
    restarts->written_step = step;
    remember(restarts, path);
    return EW_OK;
}

void ewi_restarts_end(struct ewi_restarts *restarts)
{
    for (size_t k = 0; k < restarts->kept_count; k++)
        ewi_free(restarts->host, restarts->kept[k]);
    ewi_free(restarts->host, restarts->kept);
    ewi_free(restarts->host, restarts->from);
}
