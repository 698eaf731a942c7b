/* SPDX-License-Identifier: BSD-2-Clause */
#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INFIX ".restart-"

/* ---- the files of a folder ------------------------------------------------------------------------------------------- */

struct found {
    char *path;
    int64_t step;
    struct timespec written;
};

/* The step in "NAME.restart-STEP.nc", -1 if it is no such name. */
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

/* By the time of writing, the newest one first: the steps of an earlier run of the same name may be higher. */
static int compare_found(const void *a, const void *b)
{
    const struct found *first = a, *second = b;
    if (first->written.tv_sec != second->written.tv_sec)
        return first->written.tv_sec < second->written.tv_sec ? 1 : -1;
    if (first->written.tv_nsec != second->written.tv_nsec)
        return first->written.tv_nsec < second->written.tv_nsec ? 1 : -1;
    return (first->step < second->step) - (first->step > second->step);
}

static char *join(const char *folder, const char *file)
{
    bool here = strcmp(folder, ".") == 0;
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = cli_allocate(size);
    snprintf(path, size, "%s%s%s", here ? "" : folder, here || folder[strlen(folder) - 1] == '/' ? "" : "/", file);
    return path;
}

struct files {
    struct found *found;
    size_t count;
};

static void add_file(struct files *files, const char *folder, const char *name, const char *file)
{
    int64_t step = step_of(file, name);
    if (step < 0)
        return;
    char *path = join(folder, file);
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        free(path);
        return;
    }
    files->found = cli_reallocate(files->found, (files->count + 1) * sizeof *files->found);
    files->found[files->count++] = (struct found){.path = path, .step = step, .written = info.st_mtim};
}

/* A folder that is not there has none; one that cannot be listed may have some. */
static int find(const char *folder, const char *name, struct files *files, ew_error *error)
{
    *files = (struct files){0};
    DIR *directory = opendir(folder);
    if (!directory && errno == ENOENT)
        return EW_OK;
    struct dirent *entry;
    while (directory && (errno = 0, entry = readdir(directory)) != NULL)
        add_file(files, folder, name, entry->d_name);
    int failure = errno;
    if (directory)
        closedir(directory);
    if (files->count > 0)
        qsort(files->found, files->count, sizeof *files->found, compare_found);
    if (failure == 0)
        return EW_OK;
    snprintf(error->message, sizeof error->message, "cannot look for restart files in %s: %s", folder, strerror(failure));
    return error->code = EW_EIO;
}

static void free_files(struct files *files)
{
    for (size_t k = 0; k < files->count; k++)
        free(files->found[k].path);
    free(files->found);
}

/* ---- going on -------------------------------------------------------------------------------------------------------- */

static void hold(void *context, int level, const char *sentence)
{
    struct cli_report *held = context;
    if (level < EW_LOG_WARNING)
        return;
    held->sentence = cli_reallocate(held->sentence, (held->count + 1) * sizeof *held->sentence);
    held->sentence[held->count++] = cli_copy(sentence);
}

static int check_moment(const struct cmd_restart *restart, const char *path, ew_error *error)
{
    const ew_run_plan *plan = restart->plan;
    const ew_moment *moment = &restart->info.moment;
    if (moment->time < plan->start) {
        snprintf(error->message, sizeof error->message,
                 "%s is at t = %.9g, before the case's start, %.9g; take a later restart file, or an earlier time.start", path,
                 moment->time, plan->start);
        return error->code = EW_ECONFIG;
    }
    if (moment->time > plan->end) {
        snprintf(error->message, sizeof error->message,
                 "%s is at t = %.9g, after the case's end, %.9g; take an earlier restart file, or a later end", path, moment->time,
                 plan->end);
        return error->code = EW_ECONFIG;
    }
    if (moment->steps > plan->steps) {
        snprintf(error->message, sizeof error->message,
                 "%s is after step %lld, and the run shall end after %lld; take an earlier restart file, or more steps", path,
                 (long long)moment->steps, (long long)plan->steps);
        return error->code = EW_ECONFIG;
    }
    return EW_OK;
}

/* The library's warnings tell how the run goes on; one that is refused does not. */
static int read_one(struct cmd_restart *restart, const char *path, ew_error *error)
{
    struct cli_report held = {0};
    ew_host host = {.log = hold, .context = &held};
    if (cmd_crashes_hdf5(path, error))
        return error->code;
    int status = ew_restart_read(&host, path, restart->plan, restart->solver, &restart->info, error);
    if (status == EW_OK)
        status = check_moment(restart, path, error);
    for (size_t k = 0; k < held.count && status == EW_OK; k++)
        cli_log(NULL, EW_LOG_WARNING, held.sentence[k]);
    cli_free_report(&held);
    if (status == EW_OK)
        restart->from = cli_copy(path);
    return status;
}

/* A damaged file is passed over; one that only cannot be read is an error, since it may be what the run shall go on from. */
static int read_newest(struct cmd_restart *restart, ew_error *error)
{
    struct files files;
    int status = find(restart->folder, restart->name, &files, error);
    for (size_t k = 0; status == EW_OK && k < files.count && !restart->from; k++) {
        status = read_one(restart, files.found[k].path, error);
        if (status == EW_EIO && access(files.found[k].path, R_OK) == 0) {
            cli_log(NULL, EW_LOG_WARNING, error->message);
            status = EW_OK;
        }
    }
    if (status == EW_OK && files.count > 0 && !restart->from)
        cli_error("warning: none of the restart files is whole; the run begins at the start");
    free_files(&files);
    return status;
}

/* Those of the run that goes on, up to where it does, oldest first, so that they are removed in their turn. */
static int list_earlier(struct cmd_restart *restart, ew_error *error)
{
    struct files files;
    int status = find(restart->folder, restart->name, &files, error);
    for (size_t k = files.count; status == EW_OK && k-- > 0;)
        if (files.found[k].step <= restart->info.moment.steps) {
            restart->kept = cli_reallocate(restart->kept, (restart->kept_count + 1) * sizeof *restart->kept);
            restart->kept[restart->kept_count++] = cli_copy(files.found[k].path);
        }
    free_files(&files);
    return status;
}

static char *path_of(const struct cmd_restart *restart, int64_t step)
{
    size_t size = strlen(restart->name) + 48;
    char *file = cli_allocate(size);
    snprintf(file, size, "%s" INFIX "%lld.nc", restart->name, (long long)step);
    char *path = join(restart->folder, file);
    free(file);
    return path;
}

/* That a name is too long is found before the run, whatever step it comes to. */
static int check_name(const struct cmd_restart *restart, ew_error *error)
{
    static const int64_t many = 999999999999;
    int64_t steps = restart->plan->steps;
    struct stat there;
    char *path = path_of(restart, steps < many ? steps : many);
    size_t size = strlen(path) + sizeof ".part";
    char *part = cli_allocate(size);
    snprintf(part, size, "%s.part", path);
    int status = EW_OK;
    if (lstat(part, &there) != 0 && errno == ENAMETOOLONG) {
        snprintf(error->message, sizeof error->message, "cannot create %s: the name is too long for a restart file", part);
        status = error->code = EW_ECREATE;
    }
    free(part);
    free(path);
    return status;
}

int cmd_restart_begin(struct cmd_restart *restart, const char *from, ew_error *error)
{
    restart->name = restart->plan->name;
    restart->steps = restart->plan->restart_steps;
    restart->keep = restart->plan->restart_keep;
    restart->asked = restart->plan->restarts != 0;
    restart->written_step = -1;
    int status = restart->writes ? check_name(restart, error) : EW_OK;
    if (status != EW_OK)
        return status;
    if (from && strcmp(from, "auto") == 0)
        status = read_newest(restart, error);
    else if (from)
        status = read_one(restart, from, error);
    if (status == EW_OK && restart->from)
        status = list_earlier(restart, error);
    if (status != EW_OK)
        return status;
    restart->next_time = ew_run_plan_next_restart(restart->plan, ew_solver_time(restart->solver));
    restart->next_step = restart->steps > 0 ? (ew_solver_steps(restart->solver) / restart->steps + 1) * restart->steps : INT64_MAX;
    return EW_OK;
}

static int rename_found(const struct found *found, const char *other, ew_error *error)
{
    if (rename(found->path, other) == 0)
        return EW_OK;
    snprintf(error->message, sizeof error->message, "cannot rename %s to %s: %s", found->path, other, strerror(errno));
    return error->code = EW_ECREATE;
}

/* "NAME.restart-STEP.before.nc"; step_of takes it for none. */
int cmd_restart_put_aside(const struct cmd_restart *restart, ew_error *error)
{
    struct files files;
    int status = find(restart->folder, restart->name, &files, error);
    for (size_t k = 0; k < files.count && status == EW_OK; k++) {
        const char *path = files.found[k].path;
        size_t length = strlen(path) - strlen(".nc"), size = length + sizeof ".before.nc";
        char *other = cli_allocate(size);
        snprintf(other, size, "%.*s.before.nc", (int)length, path);
        status = rename_found(&files.found[k], other, error);
        if (status == EW_OK && k == 0)
            cli_error("warning: %s%s of an earlier run: %s becomes %s", path, files.count > 1 ? " and others are" : " is",
                      files.count > 1 ? "each" : "it", other);
        free(other);
    }
    free_files(&files);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

/* Steps may become longer, so only half of the way to a restart time is gone at once. */
int64_t cmd_restart_steps_left(const struct cmd_restart *restart)
{
    if (!restart->writes)
        return INT64_MAX;
    ew_moment moment;
    ew_solver_moment(restart->solver, &moment);
    int64_t left = restart->next_step - moment.steps;
    if (isfinite(restart->next_time)) {
        double half = moment.dt > 0 ? 0.5 * (restart->next_time - moment.time) / moment.dt : 1.0;
        int64_t steps = half < 1.0 || isnan(half) ? 1 : half < 1e15 ? (int64_t)half : (int64_t)1e15;
        left = left < steps ? left : steps;
    }
    return left;
}

bool cmd_restart_due(struct cmd_restart *restart)
{
    double time = ew_solver_time(restart->solver), next_time = ew_run_plan_next_restart(restart->plan, time);
    int64_t step = ew_solver_steps(restart->solver);
    bool due = next_time > restart->next_time || step >= restart->next_step;
    restart->next_time = next_time;
    if (restart->steps > 0)
        restart->next_step = (step / restart->steps + 1) * restart->steps;
    return restart->writes && due;
}

static void remember(struct cmd_restart *restart, char *path)
{
    for (size_t k = 0; k < restart->kept_count; k++)
        if (strcmp(restart->kept[k], path) == 0) {
            free(restart->kept[k]);
            memmove(&restart->kept[k], &restart->kept[k + 1], (restart->kept_count - k - 1) * sizeof *restart->kept);
            restart->kept_count--;
            break;
        }
    restart->kept = cli_reallocate(restart->kept, (restart->kept_count + 1) * sizeof *restart->kept);
    restart->kept[restart->kept_count++] = path;
    while (restart->kept_count > (size_t)restart->keep) {
        if (unlink(restart->kept[0]) != 0 && errno != ENOENT)
            cli_error("warning: cannot remove the old restart file %s: %s", restart->kept[0], strerror(errno));
        free(restart->kept[0]);
        restart->kept_count--;
        memmove(&restart->kept[0], &restart->kept[1], restart->kept_count * sizeof *restart->kept);
    }
}

int cmd_restart_write(struct cmd_restart *restart, ew_fields *fields, ew_error *error)
{
    ew_host host = {.log = cli_log};
    int64_t step = ew_solver_steps(restart->solver);
    if (!restart->writes || restart->written_step == step)
        return EW_OK;
    char *path = path_of(restart, step);
    int status = ew_restart_write(&host, path, restart->plan, restart->solver, fields, error);
    if (status != EW_OK) {
        free(path);
        return status;
    }
    restart->written_step = step;
    remember(restart, path);
    return EW_OK;
}

void cmd_restart_free(struct cmd_restart *restart)
{
    for (size_t k = 0; k < restart->kept_count; k++)
        free(restart->kept[k]);
    free(restart->kept);
    free(restart->from);
}
