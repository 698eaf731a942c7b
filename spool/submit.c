/* SPDX-License-Identifier: BSD-2-Clause */
/* "edgewise submit" submits a case with its mesh and rasters as a job, completely or not at all. */
#include "case_check.h"
#include "client.h"
#include "ewi_text.h"
#include "submit_sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

static const char case_name[] = "case.cfg";

struct submit_arguments {
    struct cli_arguments common;
    const char *spool, *name, *priority;
    struct cli_texts sweep;
    bool wait, no_check;
};

/* The files of the last jobs of a sweep; the next jobs link them. */
struct shared_files {
    size_t count;
    struct shared_file {
        char *path;
        int file; /* a descriptor */
    } *file;
};

/* A mesh or raster that the case names. */
struct named_file {
    enum ew_named_file kind;
    char *name, *path;
    char in_job[EWI_NAME]; /* its name in the job's folder */
};

struct submission {
    const struct submit_arguments *arguments;
    const char *case_path;
    const char *name;           /* the job's wanted name */
    char *member;               /* of a sweep, for messages: "wing-0002 (let.alpha=1)"; NULL: no sweep */
    struct shared_files *shared; /* NULL: no sweep */
    size_t files;
    struct named_file *file; /* [files] */
    ew_case *that;          /* NULL: it cannot be read */
    char *settings;         /* the text of .settings */
    size_t settings_length;
    struct ewi_record record;
    ew_error error;
};

struct submit {
    const struct submit_arguments *arguments;
    struct ewi_spool spool;
    int priority;
    bool has_priority;
    struct client_job *job;   /* [count] */
    const char **case_path; /* [count] */
    size_t count;           /* submitted cases */
    int code;
};

__attribute__((format(printf, 3, 4))) static int refuse(struct submission *submission, int code, const char *format,
                                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(submission->error.message, sizeof submission->error.message, format, arguments);
    va_end(arguments);
    cli_error("%s: %s", submission->case_path, submission->error.message);
    return code;
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

static void note_file(void *context, enum ew_named_file kind, const char *name, const char *path)
{
    struct submission *submission = context;
    for (size_t k = 0; k < submission->files; k++)
        if (submission->file[k].kind == kind && strcmp(submission->file[k].name, name) == 0)
            return;
    submission->file = cli_reallocate(submission->file, (submission->files + 1) * sizeof *submission->file);
    submission->file[submission->files++] =
        (struct named_file){.kind = kind, .name = cli_copy(name), .path = cli_copy(path)};
}

static void forget_files(struct submission *submission)
{
    for (size_t k = 0; k < submission->files; k++) {
        free(submission->file[k].name);
        free(submission->file[k].path);
    }
    free(submission->file);
}

/* Reads the case, which also yields the names of its files. --no-check ignores errors. */
static int read_case(struct submission *submission)
{
    struct cli_case what = cli_case_of(&submission->arguments->common);
    what.path = submission->case_path;
    what.named = note_file;
    what.named_context = submission;
    if (!submission->arguments->no_check)
        return cli_check_case(&what, &submission->that, &submission->error);
    ew_case_options options = {.settings = what.settings, .setting = (const char *const *)what.setting,
                               .named = note_file, .named_context = submission};
    (void)ew_case_read(NULL, what.path, &options, &submission->that, NULL);
    return EX_OK;
}

/* ---- its files --------------------------------------------------------------------------------------------------- */

/* True for names of results: NAME.nc, NAME.failed.nc, case.restart-8.nc. A mesh has none that ends in .nc. */
static bool is_result(const struct submission *submission, enum ew_named_file kind, const char *name)
{
    char job[EWI_NAME];
    ewi_spool_clean_name(submission->name, job);
    size_t length = strlen(job);
    bool own = strncmp(name, job, length) == 0 && name[length] == '.';
    return ewi_ends_in(name, ".nc") && (kind == EW_NAMED_MESH || own || strncmp(name, "case.restart-", 13) == 0);
}

/* True if the file can keep its name: it must not leave the job's folder or be the name of a file of the service. */
static bool is_good_in_job(const struct submission *submission, enum ew_named_file kind, const char *name)
{
    static const char *const taken[] = {case_name, EWI_LOG_FILE, EWI_SUMMARY_FILE, EWI_ERROR_FILE};
    if (!name[0] || name[0] == '/' || name[0] == '.' || strlen(name) > EWI_LONGEST_NAME || strstr(name, "/."))
        return false;
    for (const char *at = name; *at; at++)
        if (ewi_is_control(*at))
            return false;
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        if (strcmp(name, taken[k]) == 0)
            return false;
    return !is_result(submission, kind, name);
}

/* Makes a valid name for file k in the job's folder; rasters get their numbers, as they may have equal names. */
static void choose_name(const struct submission *submission, size_t k, char name[EWI_NAME])
{
    enum ew_named_file kind = submission->file[k].kind;
    const char *base = ewi_file_name(submission->file[k].path);
    if (kind == EW_NAMED_RASTER)
        snprintf(name, EWI_NAME, "raster%zu-%.100s", k + 1, base);
    else
        snprintf(name, EWI_NAME, is_good_in_job(submission, kind, base) ? "%s" : "mesh-%.100s", base);
    for (char *at = name; *at; at++)
        *at = ewi_is_control(*at) ? '_' : *at;
    if (is_result(submission, kind, name))
        name[strlen(name) - 3] = '_';
}

static void choose_names(struct submission *submission)
{
    for (size_t k = 0; k < submission->files; k++) {
        struct named_file *file = &submission->file[k];
        if (is_good_in_job(submission, file->kind, file->name))
            snprintf(file->in_job, sizeof file->in_job, "%s", file->name);
        else
            choose_name(submission, k, file->in_job);
    }
}

static bool is_renamed(const struct named_file *file)
{
    return strcmp(file->name, file->in_job) != 0;
}

/* A copy of the text with the new names of rasters in the calls of raster('NAME', ...); the caller frees it. */
static char *rename_rasters(const struct submission *submission, const char *text)
{
    char *copy = cli_copy(text);
    for (size_t k = 0; k < submission->files; k++) {
        const struct named_file *file = &submission->file[k];
        char *quoted = cli_format("'%s'", file->name), *found;
        size_t length = strlen(quoted);
        while (file->kind == EW_NAMED_RASTER && is_renamed(file) && (found = strstr(copy, quoted))) {
            char *longer = cli_format("%.*s'%s'%s", (int)(found - copy), copy, file->in_job, found + length);
            free(copy);
            copy = longer;
        }
        free(quoted);
    }
    return copy;
}

static int make_settings(struct submission *submission)
{
    const struct cli_arguments *arguments = &submission->arguments->common;
    FILE *file = open_memstream(&submission->settings, &submission->settings_length);
    for (size_t k = 0; file && k < arguments->settings; k++) {
        char *setting = rename_rasters(submission, arguments->setting[k]);
        fprintf(file, "%s\n", setting);
        free(setting);
    }
    for (size_t k = 0; file && k < submission->files; k++)
        if (submission->file[k].kind == EW_NAMED_MESH && is_renamed(&submission->file[k])) {
            char *setting = cli_mesh_setting(submission->file[k].in_job);
            fprintf(file, "%s\n", setting);
            free(setting);
        }
    if (!file || fclose(file) != 0)
        return refuse(submission, EX_OSERR, "not enough memory for its settings");
    if (submission->settings_length > EWI_LARGEST_SETTINGS)
        return refuse(submission, EX_USAGE, "its settings have more than %d bytes; write them into the case",
                      EWI_LARGEST_SETTINGS);
    return EX_OK;
}

/* ---- the job ----------------------------------------------------------------------------------------------------- */

/* Converts the status of a step to an exit code and reports the error, which is in submission->error. */
static int code_of(struct submission *submission, int status)
{
    char sentence[sizeof submission->error.message];
    memcpy(sentence, submission->error.message, sizeof sentence);
    return status == EW_OK ? EX_OK : refuse(submission, cli_exit_code(status, EX_IOERR), "%s", sentence);
}

/* True if a file begins like a mesh of Gmsh. */
static bool begins_as_mesh(int file)
{
    char start[64] = "", *at = start;
    if (pread(file, start, sizeof start - 1, 0) <= 0)
        return false;
    at += strncmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    at += strspn(at, " \t\r\n");
    return strncmp(at, "$MeshFormat", 11) == 0 || strncmp(at, "$Comments", 9) == 0;
}

/* True if a file begins like a netCDF file or an ESRI grid. */
static bool begins_as_raster(int file)
{
    char start[64] = "", *at = start;
    if (pread(file, start, sizeof start - 1, 0) <= 0)
        return false;
    at += strspn(at, " \t\r\n");
    return strncmp(start, "CDF", 3) == 0 || strncmp(start, "\211HDF", 4) == 0 || strncasecmp(at, "ncols", 5) == 0 ||
           strncasecmp(at, "nrows", 5) == 0;
}

/* kind: NULL for the case itself. */
static int copy_file(struct submission *submission, struct ewi_draft *draft, const char *path, const char *name,
                     const enum ew_named_file *kind)
{
    int file = ewi_open_regular(path);
    if (file < 0)
        return refuse(submission, EX_NOINPUT, "cannot read \"%s\": %s", path, ewi_open_error(errno));
    /* An unread case may be untrusted and name any file of the user, so the file must begin like one of its kind. */
    bool wrong = !submission->that && kind &&
                 !(*kind == EW_NAMED_MESH ? begins_as_mesh(file) : begins_as_raster(file));
    int code = wrong ? refuse(submission, EX_DATAERR, "\"%s\" is not submitted: it does not begin as a %s", path,
                              *kind == EW_NAMED_MESH ? "Gmsh mesh" : "netCDF file or an ESRI grid")
                     : code_of(submission, ewi_draft_copy(draft, name, file, &submission->error));
    close(file);
    return code;
}

static const struct shared_file *find_shared(const struct shared_files *shared, const char *path)
{
    for (size_t k = 0; shared && k < shared->count; k++)
        if (strcmp(shared->file[k].path, path) == 0)
            return &shared->file[k];
    return NULL;
}

/* The limit on open files; files over it are copied for each member. */
enum { MOST_SHARED = 64 };

static void share(struct shared_files *shared, const struct ewi_draft *draft, const char *path, const char *name)
{
    int file = shared->count < MOST_SHARED && !find_shared(shared, path) ? ewi_draft_open(draft, name) : -1;
    if (file < 0)
        return;
    shared->file = cli_reallocate(shared->file, (shared->count + 1) * sizeof *shared->file);
    shared->file[shared->count++] = (struct shared_file){.path = cli_copy(path), .file = file};
}

static void free_shared(struct shared_files *shared)
{
    for (size_t k = 0; k < shared->count; k++) {
        ewi_close(shared->file[k].file);
        free(shared->file[k].path);
    }
    free(shared->file);
}

static int put_file(struct submission *submission, struct ewi_draft *draft, const struct named_file *file)
{
    const struct shared_file *shared = find_shared(submission->shared, file->path);
    if (shared && ewi_draft_link(draft, file->in_job, shared->file))
        return EX_OK;
    int code = copy_file(submission, draft, file->path, file->in_job, &file->kind);
    if (code == EX_OK && submission->shared)
        share(submission->shared, draft, file->path, file->in_job);
    return code;
}

/* An unread case is copied as it is, so its rasters must keep their names. */
static int check_renamed(struct submission *submission)
{
    for (size_t k = 0; !submission->that && k < submission->files; k++)
        if (submission->file[k].kind == EW_NAMED_RASTER && is_renamed(&submission->file[k]))
            return refuse(submission, EX_DATAERR, "the raster \"%s\" cannot have this name in a job; put it into the "
                          "case's folder, under another name if this one is a result's", submission->file[k].name);
    return EX_OK;
}

/* Writes the case with its includes expanded: a job's case is one file. */
static int write_case(struct submission *submission, struct ewi_draft *draft)
{
    ew_case_info info;
    if (!submission->that)
        return copy_file(submission, draft, submission->case_path, case_name, NULL);
    ew_case_get_info(submission->that, &info);
    char *text = rename_rasters(submission, info.source);
    int code = code_of(submission, ewi_draft_text(draft, case_name, text, strlen(text), &submission->error));
    free(text);
    return code;
}

static int fill(struct submission *submission, struct ewi_draft *draft)
{
    choose_names(submission);
    int code = check_renamed(submission);
    if (code == EX_OK)
        code = make_settings(submission);
    if (code == EX_OK)
        code = write_case(submission, draft);
    for (size_t k = 0; code == EX_OK && k < submission->files; k++)
        code = put_file(submission, draft, &submission->file[k]);
    if (code == EX_OK && submission->settings_length > 0)
        code = code_of(submission, ewi_draft_text(draft, EWI_SETTINGS_FILE, submission->settings,
                                                  submission->settings_length, &submission->error));
    if (code == EX_OK)
        code = code_of(submission, ewi_draft_record(draft, &submission->record, &submission->error));
    return code;
}

/* Makes an id that is unique across all hosts. */
static void choose_id(char id[64])
{
    static unsigned count;
    char host[256] = "";
    struct timespec now;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(id, 64, "%.16s-%ld-%llx%09lx-%u", host, (long)getpid(), (long long)now.tv_sec, now.tv_nsec, count++);
}

static int send_job(struct submission *submission, const struct ewi_spool *spool, struct client_job *job)
{
    struct ewi_draft draft;
    ewi_spool_clean_name(submission->name, job->name);
    int code = code_of(submission, ewi_draft_create(spool, &draft, &submission->error));
    if (code != EX_OK)
        return code;
    choose_id(submission->record.id);
    memcpy(job->id, submission->record.id, sizeof job->id);
    submission->record.submitted = ewi_now();
    code = fill(submission, &draft);
    if (code != EX_OK) {
        ewi_draft_discard(&draft);
        return code;
    }
    job->place = EWI_NEW;
    return code_of(submission, ewi_draft_send(&draft, job->name, &submission->error));
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static char *read_summary(const struct ewi_spool *spool, const struct client_job *job)
{
    int folder = ewi_open_inside(spool->place[job->place], job->name);
    char *text = folder < 0 ? NULL : client_read_json(folder, EWI_SUMMARY_FILE, (size_t)1 << 24);
    ewi_close(folder);
    return text;
}

/* Prints one object for each case. `job`: NULL if the case was not submitted. */
static void print_json(const struct submit *submit, const char *case_path, const struct client_job *job,
                       const char *state, int code, const char *sentence)
{
    struct cli_json json = cli_json_begin(stdout);
    char *folder = NULL, *summary = job && job->place == EWI_DONE ? read_summary(&submit->spool, job) : NULL;
    if (job && !job->gone)
        folder = cli_format("%s/%s/%s", submit->spool.path, ewi_place_name[job->place], job->name);
    cli_json_text(&json, "case", case_path);
    cli_json_text(&json, "job", job ? job->name : NULL);
    cli_json_text(&json, "id", job ? job->id : NULL);
    cli_json_text(&json, "state", state);
    cli_json_integer(&json, "exit_code", code);
    cli_json_text(&json, "error", sentence);
    cli_json_text(&json, "folder", folder);
    cli_json_raw(&json, "summary", summary);
    cli_json_end(&json);
    fflush(stdout);
    free(folder);
    free(summary);
}

static void report_end(void *context, size_t k)
{
    struct submit *submit = context;
    const struct client_job *job = &submit->job[k];
    char shown[CLIENT_SHOWN];
    client_shown(job->name, shown);
    bool done = job->exit_code == EX_OK, quiet = submit->arguments->common.quiet || submit->arguments->common.json;
    if (submit->arguments->common.json)
        print_json(submit, submit->case_path[k], job, job->gone ? "gone" : done ? "done" : "failed", job->exit_code,
                   done ? NULL : job->sentence);
    if (!done)
        cli_error("%s has failed: %s", shown, job->sentence);
    else if (!quiet)
        printf("%s is done: %s/done/%s\n", shown, submit->spool.path, shown);
    fflush(stdout);
}

static void report_submitted(const struct submit *submit, const char *case_path, const struct client_job *job)
{
    char shown[CLIENT_SHOWN];
    if (submit->arguments->common.json && !submit->arguments->wait)
        print_json(submit, case_path, job, "submitted", EX_OK, NULL);
    else if (!submit->arguments->common.json && !submit->arguments->common.quiet)
        printf("%s\n", client_shown(job->name, shown));
    fflush(stdout);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Prefixes messages about a member of a sweep with its name. */
static void report_for_member(void *context, const char *sentence)
{
    const struct submission *submission = context;
    cli_hear(NULL, NULL);
    cli_error("%s: %s", submission->member, sentence);
    cli_hear(report_for_member, context);
}

static int read_and_send(struct submit *submit, struct submission *submission, struct client_job *job)
{
    if (submission->member)
        cli_hear(report_for_member, submission);
    int code = read_case(submission);
    if (code == EX_OK)
        code = send_job(submission, &submit->spool, job);
    cli_hear(NULL, NULL);
    return code;
}

static void print_refused(const struct submit *submit, const struct submission *submission, int code)
{
    const char *member = submission->member, *sentence = submission->error.message;
    char *named = cli_format("%s%s%s", member ? member : "", member ? ": " : "", sentence);
    print_json(submit, submission->case_path, NULL, "refused", code, named);
    free(named);
}

static void submit_one(struct submit *submit, struct submission *submission)
{
    submit->job = cli_reallocate(submit->job, (submit->count + 1) * sizeof *submit->job);
    submit->case_path = cli_reallocate(submit->case_path, (submit->count + 1) * sizeof *submit->case_path);
    struct client_job *job = &submit->job[submit->count];
    *job = (struct client_job){0};
    submission->record = (struct ewi_record){.priority = submit->priority, .has_priority = submit->has_priority};
    int code = read_and_send(submit, submission, job);
    if (code == EX_OK) {
        submit->case_path[submit->count++] = submission->case_path;
        report_submitted(submit, submission->case_path, job);
    } else {
        client_note(&submit->code, code);
        if (submit->arguments->common.json)
            print_refused(submit, submission, code);
    }
    ew_case_destroy(submission->that);
    forget_files(submission);
    free(submission->settings);
}

/* If the path is the case of a job in a spool, copies the job's name. */
static bool name_of_job(const char *case_path, char name[EWI_NAME])
{
    char *path = realpath(case_path, NULL), *place = NULL, *job = NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    bool is_job = slash && strcmp(slash + 1, case_name) == 0;
    if (is_job) {
        *slash = '\0';
        job = strrchr(path, '/');
    }
    if (job) {
        *job++ = '\0';
        place = strrchr(path, '/');
    }
    for (int k = EWI_NEW; place && k <= EWI_HOLD; k++)
        if (strcmp(place + 1, ewi_place_name[k]) == 0) {
            snprintf(name, EWI_NAME, "%s", job);
            free(path);
            return true;
        }
    free(path);
    return false;
}

static void warn_lost_settings(const char *case_path)
{
    char *path = cli_format("%.*s.", (int)(ewi_file_name(case_path) - case_path), case_path);
    char *what = cli_format("%s: the settings of that job are not taken; give", case_path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        client_print_settings(folder, what);
    ewi_close(folder);
    free(what);
    free(path);
}

static void submit_case(struct submit *submit, const char *case_path)
{
    char base[EWI_NAME];
    const char *given = submit->arguments->name;
    if (name_of_job(case_path, base))
        warn_lost_settings(case_path);
    else
        ewi_case_base(ewi_file_name(case_path), base);
    submit_one(submit, &(struct submission){.arguments = submit->arguments, .case_path = case_path,
                                            .name = given ? given : base});
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

struct members {
    const char *case_path;
    ew_sweep *sweep;
    int64_t count;
    bool own;   /* the case has a group of its own */
    int suffix; /* of all the jobs' names; 1: none */
    struct shared_files shared;
};

static void name_member(const struct submit *submit, const struct members *members, int64_t member, char *name,
                        size_t size)
{
    submit_sweep_name(members->sweep, member, submit->arguments->name, name, size);
    size_t length = strlen(name);
    if (members->suffix > 1 && length < size)
        snprintf(name + length, size - length, ".%d", members->suffix);
}

static bool is_taken(const struct ewi_spool *spool, const char *name)
{
    static const enum ewi_place places[] = {EWI_NEW, EWI_HOLD, EWI_RUN, EWI_FAILED, EWI_DONE};
    struct stat info;
    char clean[EWI_NAME];
    ewi_spool_clean_name(name, clean);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (fstatat(spool->place[places[k]], clean, &info, AT_SYMLINK_NOFOLLOW) == 0)
            return true;
    return false;
}

static bool are_free(const struct submit *submit, const struct members *members)
{
    char name[2 * EWI_NAME];
    for (int64_t member = 1; member <= members->count; member++) {
        name_member(submit, members, member, name, sizeof name);
        if (is_taken(&submit->spool, name))
            return false;
    }
    return true;
}

/* Chooses one suffix for all jobs of a sweep that is submitted again, so that no name is taken. */
static void choose_suffix(const struct submit *submit, struct members *members)
{
    enum { MOST_SUFFIXES = 1000 };
    members->suffix = 1;
    while (members->suffix < MOST_SUFFIXES && !are_free(submit, members))
        members->suffix++;
}

/* Submits a member with its settings after the others. Messages call them "--sweep let.alpha=3". */
static void submit_member(struct submit *submit, struct members *members, int64_t member)
{
    struct submit_arguments arguments = *submit->arguments;
    char name[2 * EWI_NAME], values[2048];
    submit_sweep_settings(&submit->arguments->common, members->sweep, members->own, member, &arguments.common);
    name_member(submit, members, member, name, sizeof name);
    char *shown = cli_format("%s (%s)", name, cli_sweep_values(members->sweep, member, values, sizeof values));
    submit_one(submit, &(struct submission){.arguments = &arguments, .case_path = members->case_path, .name = name,
                                            .member = shown, .shared = &members->shared});
    free(shown);
    submit_sweep_free(&submit->arguments->common, &arguments.common);
}

static void submit_members(struct submit *submit, struct members *members)
{
    ew_sweep_info info;
    ew_sweep_get_info(members->sweep, &info);
    members->count = info.members;
    choose_suffix(submit, members);
    for (int64_t member = 1; member <= members->count; member++)
        submit_member(submit, members, member);
    free_shared(&members->shared);
}

static int find_sweep(const struct submit *submit, struct members *members, ew_error *error)
{
    const struct submit_arguments *given = submit->arguments;
    members->sweep = submit_sweep_find(&given->common, members->case_path);
    members->own = members->sweep != NULL;
    if (given->sweep.count == 0)
        return members->own ? submit_sweep_check(members->sweep, members->case_path, error) : EX_OK;
    ew_sweep_destroy(members->sweep);
    members->sweep = NULL;
    return submit_sweep_read(&given->common, &given->sweep, members->case_path, &members->sweep, error);
}

/* Submits a case, or all members of its sweep. Options --sweep replace the case's own sweep. */
static void submit_all_of(struct submit *submit, const char *case_path)
{
    struct members members = {.case_path = case_path};
    ew_error error;
    int code = find_sweep(submit, &members, &error);
    client_note(&submit->code, code);
    if (code != EX_OK && submit->arguments->common.json)
        print_json(submit, case_path, NULL, "refused", code, error.message);
    if (code == EX_OK && members.sweep)
        submit_members(submit, &members);
    else if (code == EX_OK)
        submit_case(submit, case_path);
    ew_sweep_destroy(members.sweep);
}

/* Reads --priority, or --set spool.priority=N: the queue does not read settings. */
static int choose_priority(struct submit *submit)
{
    static const char key[] = "spool.priority=";
    const struct cli_arguments *arguments = &submit->arguments->common;
    const char *given = submit->arguments->priority, *text = given;
    for (size_t k = 0; k < arguments->settings && !given; k++)
        if (strncmp(arguments->setting[k], key, sizeof key - 1) == 0)
            text = arguments->setting[k] + sizeof key - 1;
    submit->has_priority = text;
    if (!text || ewi_read_priority(text, &submit->priority))
        return EX_OK;
    return cli_fail(EX_USAGE, "a priority is a whole number from -99 to 99, not \"%s\".", text);
}

static int submit_cases(struct submit *submit)
{
    const struct cli_arguments *arguments = &submit->arguments->common;
    bool wait = submit->arguments->wait;
    ewi_draft_clean(&submit->spool, true); /* own drafts only: others could take long */
    for (size_t k = 0; k < arguments->operands; k++)
        submit_all_of(submit, arguments->operand[k]);
    if (submit->count > 0 && !client_is_watched(&submit->spool))
        cli_error("no watcher runs in %s; \"edgewise watch %s\" starts one", submit->spool.path,
                  submit->spool.path);
    if (wait)
        client_wait(&submit->spool, submit->job, submit->count, report_end, submit);
    for (size_t k = 0; k < submit->count && wait; k++)
        client_note(&submit->code, submit->job[k].exit_code);
    free(submit->job);
    free(submit->case_path);
    return cli_finish_stdout(submit->code);
}

static int check_name(const struct submit_arguments *own)
{
    char sentence[EWI_SENTENCE];
    if (own->name && own->common.operands > 1)
        return cli_fail(EX_USAGE, "--name is for one case, but %zu were given.", own->common.operands);
    if (own->name && !ewi_spool_good_name(own->name, sentence))
        return cli_fail(EX_USAGE, "--name: %s", sentence);
    return EX_OK;
}

static int submit(struct cli_arguments *arguments)
{
    const struct submit_arguments *own = (const struct submit_arguments *)arguments;
    struct submit all = {.arguments = own};
    int code = check_name(own);
    if (code == EX_OK)
        code = client_check_settings(arguments);
    if (code == EX_OK)
        code = choose_priority(&all);
    if (code == EX_OK)
        code = client_open_spool(own->spool, &all.spool);
    if (code != EX_OK)
        return code;
    code = submit_cases(&all);
    ewi_spool_close(&all.spool);
    return code;
}

#define ARGUMENTS struct submit_arguments

static const struct cli_option options[] = {
    CLIENT_SPOOL_OPTION,
    CLI_TEXT_OPTION("name", "NAME", name, "the job's name; the default is the case's"),
    CLI_TEXT_OPTION("priority", "N", priority, "-99 to 99, higher ones first; overrides the name and the case"),
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_LIST_OPTION("sweep", "KEY=VALUES", sweep,
                    "submit a job for each value, for example let.alpha=0..9; may be repeated, for all combinations"),
    CLI_FLAG_OPTION("no-check", no_check, "submit the case unchecked"),
    CLI_FLAG_OPTION("wait", wait, "wait until the job has ended, and exit with its exit code"),
    CLI_JSON_OPTION("print one JSON object for each case"),
    CLI_QUIET_OPTION("print no names of jobs"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_submit = {
    .name = "submit",
    .operand = "CASE.cfg...",
    .summary = "Put cases into a spool as jobs",
    .text = "Checks each case first and refuses a wrong one. Prints the names of the jobs.",
    .options = options,
    .size = sizeof(struct submit_arguments),
    .run = submit,
};
