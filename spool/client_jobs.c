/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds jobs by name, tracks them from folder to folder, and claims them. */
#include "client.h"
#include "ewi_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>

enum { CLAIMS_TRIED = 400 };

/* ---- names ------------------------------------------------------------------------------------------------------- */

static bool is_in(const struct ewi_spool *spool, enum ewi_place place, const char *name)
{
    struct stat info;
    return fstatat(spool->place[place], name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Writes "new/, hold/ or run/". */
static const char *in_words(const enum ewi_place *place, size_t count, const char *last, char *words, size_t size)
{
    size_t length = 0;
    for (size_t k = 0; k < count; k++)
        length += (size_t)snprintf(words + length, size - length, "%s%s/",
                                   k == 0           ? ""
                                   : k == count - 1 ? last
                                                    : ", ",
                                   ewi_place_name[place[k]]);
    return words;
}

static bool ends_in_place(const char *path, size_t length, const char *place)
{
    size_t size = strlen(place);
    return length >= size && strncmp(path + length - size, place, size) == 0 &&
           (length == size || path[length - size - 1] == '/');
}

/* Shells complete a name to "failed/wave/", which means wave in failed/. false: it is in none of the wanted places. */
static bool read_operand(const struct client_wanted *wanted, const char *operand, char name[EWI_NAME],
                         bool in[EWI_PLACES])
{
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && operand[start - 1] != '/')
        start--;
    if (length - start >= EWI_NAME - sizeof ".cfg")
        return false;
    snprintf(name, EWI_NAME, "%.*s", (int)(length - start), operand + start);
    bool found = false;
    for (size_t k = 0; k < wanted->count && name[0] != '.'; k++) {
        enum ewi_place place = wanted->place[k];
        in[place] = start == 0 || ends_in_place(operand, start - 1, ewi_place_name[place]);
        found = found || in[place];
    }
    return found;
}

static int report_elsewhere(const struct client_wanted *wanted, const char *name)
{
    static const enum ewi_place of_jobs[] = {EWI_RUN, EWI_NEW, EWI_HOLD, EWI_FAILED, EWI_DONE};
    enum ewi_place found[EWI_PLACES];
    char shown[CLIENT_SHOWN], there[64], here[64];
    size_t count = 0;
    for (size_t k = 0; k < sizeof of_jobs / sizeof *of_jobs; k++)
        if (is_in(wanted->spool, of_jobs[k], name))
            found[count++] = of_jobs[k];
    if (count == 0)
        return EX_OK;
    return cli_fail(EX_TEMPFAIL, "%s cannot be %s: it is in %s, and only jobs in %s can be", client_shown(name, shown),
                    wanted->done, in_words(found, count, " and ", there, sizeof there),
                    in_words(wanted->place, wanted->count, " or ", here, sizeof here));
}

static const char *nearest_in(const struct client_list *list, const char *name)
{
    const char **names = cli_allocate((list->count + 1) * sizeof *names);
    for (size_t k = 0; k < list->count; k++)
        names[k] = list->entry[k].name;
    const char *nearest = ewi_nearest(name, names, list->count);
    free(names);
    return nearest;
}

int client_report_missing(const struct client_wanted *wanted, const char *name)
{
    char shown[CLIENT_SHOWN], near[CLIENT_SHOWN] = "", words[64];
    ew_error error;
    bool empty = true;
    int code = report_elsewhere(wanted, name);
    if (code != EX_OK)
        return code;
    for (size_t k = 0; k < wanted->count && !near[0]; k++) {
        struct client_list list;
        (void)client_list(wanted->spool, wanted->place[k], &list, &error);
        const char *nearest = nearest_in(&list, name);
        if (nearest)
            client_shown(nearest, near);
        empty = empty && list.count == 0;
        client_free_list(&list);
    }
    client_shown(name, shown);
    in_words(wanted->place, wanted->count, " or ", words, sizeof words);
    if (near[0])
        return cli_fail(EX_NOINPUT, "there is no job \"%s\" in %s; did you mean \"%s\"?", shown, words, near);
    return cli_fail(EX_NOINPUT, "there is no job \"%s\" in %s%s", shown, words,
                    !empty              ? "; \"edgewise status\" lists the jobs"
                    : wanted->count > 1 ? ", which are empty"
                                        : ", which is empty");
}

/* "failed/wave", but wave is in another of the wanted places. EX_OK: it is in none. */
static int report_other_place(const struct client_wanted *wanted, const bool in[EWI_PLACES], const char *name)
{
    enum ewi_place named[EWI_PLACES];
    char shown[CLIENT_SHOWN], words[64];
    size_t count = 0;
    client_shown(name, shown);
    for (size_t k = 0; k < wanted->count; k++)
        if (in[wanted->place[k]])
            named[count++] = wanted->place[k];
    in_words(named, count, " or ", words, sizeof words);
    for (size_t k = 0; k < wanted->count; k++) {
        const char *place = ewi_place_name[wanted->place[k]];
        if (!in[wanted->place[k]] && is_in(wanted->spool, wanted->place[k], name))
            return cli_fail(EX_TEMPFAIL, "%s is in %s/, not in %s; say %s/%s", shown, place, words, place, shown);
    }
    return EX_OK;
}

int client_find(const struct client_wanted *wanted, const char *operand, struct client_found *found)
{
    enum ewi_place places[EWI_PLACES];
    char name[EWI_NAME], shown[CLIENT_SHOWN], words[64];
    bool in[EWI_PLACES] = {false};
    size_t count = 0;
    if (!read_operand(wanted, operand, name, in))
        return cli_fail(EX_NOINPUT, "\"%s\" is not in %s; only jobs there can be %s", client_shown(operand, shown),
                        in_words(wanted->place, wanted->count, " or ", words, sizeof words), wanted->done);
    for (size_t k = 0; k < wanted->count; k++) {
        struct client_found here = {.place = wanted->place[k]};
        snprintf(here.name, sizeof here.name, "%.*s%s", (int)(sizeof here.name - sizeof ".cfg"), name,
                 is_in(wanted->spool, here.place, name) ? "" : ".cfg");
        if (!in[here.place] || !is_in(wanted->spool, here.place, here.name))
            continue;
        if (count == 0)
            *found = here;
        places[count++] = here.place;
    }
    if (count == 0) {
        int code = report_other_place(wanted, in, name);
        return code == EX_OK ? client_report_missing(wanted, name) : code;
    }
    if (count > 1 && !wanted->first)
        return cli_fail(EX_USAGE, "there are jobs \"%s\" in %s; say which one, for example %s/%s",
                        client_shown(name, shown), in_words(places, count, " and ", words, sizeof words),
                        ewi_place_name[found->place], shown);
    return EX_OK;
}

/* ---- following a folder ------------------------------------------------------------------------------------------ */

static bool is_it(const struct client_tracked *job, int place, const char *name)
{
    struct stat info;
    return fstatat(place, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_ino == job->inode &&
           info.st_dev == job->device;
}

/* Searches for the job under another name, for example with a suffix. */
static bool search(const struct ewi_spool *spool, enum ewi_place place, struct client_tracked *job)
{
    bool found = false;
    DIR *entries = ewi_open_entries(spool->place[place]);
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        found = entry->d_ino == job->inode && entry->d_name[0] != '.' && is_it(job, spool->place[place], entry->d_name);
        if (found)
            snprintf(job->found.name, sizeof job->found.name, "%s", entry->d_name);
    }
    if (entries)
        closedir(entries);
    return found;
}

bool client_track(const struct ewi_spool *spool, struct client_tracked *job)
{
    /* The order in which jobs move, so that we find a job that moves during the search. */
    static const enum ewi_place way[] = {EWI_HOLD, EWI_NEW, EWI_RUN, EWI_DONE, EWI_FAILED};
    enum { PLACES = sizeof way / sizeof *way };
    for (int k = 0; k < 2 * PLACES; k++) {
        enum ewi_place place = way[k % PLACES];
        if (k < PLACES ? is_it(job, spool->place[place], job->found.name) : search(spool, place, job)) {
            job->found.place = place;
            return true;
        }
    }
    return false;
}

bool client_begin_tracking(const struct ewi_spool *spool, const struct client_found *found, struct client_tracked *job)
{
    struct stat info;
    *job = (struct client_tracked){.found = *found};
    if (fstatat(spool->place[found->place], found->name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    job->device = info.st_dev;
    job->inode = info.st_ino;
    job->is_folder = S_ISDIR(info.st_mode);
    return true;
}

/* ---- claims ------------------------------------------------------------------------------------------------------ */

/* True if another case in new/ also names the mesh. */
static bool is_shared(const struct ewi_spool *spool, const char *name, const char *mesh)
{
    struct client_list list;
    ew_error error;
    bool shared = false;
    (void)client_list(spool, EWI_NEW, &list, &error);
    for (size_t k = 0; k < list.count && !shared; k++) {
        struct ewi_probe other;
        if (list.entry[k].folder || strcmp(list.entry[k].name, name) == 0)
            continue;
        ewi_probe_case(spool->place[EWI_NEW], list.entry[k].name, &other);
        shared = strcmp(other.mesh, mesh) == 0;
    }
    client_free_list(&list);
    return shared;
}

const char *client_mesh_of(const struct ewi_spool *spool, const struct client_found *found, struct ewi_probe *probe)
{
    ewi_probe_case(spool->place[found->place], found->name, probe);
    bool there = found->place == EWI_NEW && probe->mesh[0] && is_in(spool, EWI_NEW, probe->mesh);
    return there ? probe->mesh : NULL;
}

/* Claims a case like a watcher, which makes a folder of it. If we are killed, a watcher returns it to the queue. */
static int claim_case(const struct ewi_spool *spool, const struct client_found *found, struct ewi_job *job,
                      ew_error *error)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    struct ewi_probe probe;
    const char *mesh = client_mesh_of(spool, found, &probe);
    bool shared = mesh && is_shared(spool, found->name, mesh);
    int status = EWI_BUSY;
    for (int k = 0; status == EWI_BUSY && k < CLAIMS_TRIED; k++) {
        status = ewi_claim_case(spool, found->place, found->name, mesh, shared, job, error);
        if (status == EWI_BUSY && ewi_intake_recover(spool, &(struct ewi_limits){0}, NULL) == EWI_BUSY)
            nanosleep(&pause, NULL);
    }
    return status;
}

int client_claim(const struct ewi_spool *spool, const struct client_found *found, struct ewi_job *job, ew_error *error)
{
    struct stat info;
    if (fstatat(spool->place[found->place], found->name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return EWI_GONE;
    return S_ISDIR(info.st_mode) ? ewi_claim_folder(spool, found->place, found->name, job, error)
                                 : claim_case(spool, found, job, error);
}
