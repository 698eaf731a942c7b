/* SPDX-License-Identifier: BSD-2-Clause */
/* The folders of a spool, names of jobs, and moves between folders. */
#include "ewi_error.h"
#include "ewi_spool.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *const ewi_place_name[EWI_PLACES] = {
    [EWI_TMP] = "tmp",       [EWI_NEW] = "new",   [EWI_RUN] = "run",     [EWI_DONE] = "done",
    [EWI_FAILED] = "failed", [EWI_HOLD] = "hold", [EWI_STATE] = "state",
};

static const struct ewi_spool closed_spool = {.root = -1, .place = {-1, -1, -1, -1, -1, -1, -1}};

enum { SHORT_SUFFIXES = 9, ATTEMPTS_AT_A_NAME = 1000 };

/* ---- opening ----------------------------------------------------------------------------------------------------- */

int ewi_spool_write_code(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EROFS ? EW_ECREATE : ewi_write_code(reason);
}

static int open_place(const char *path, struct ewi_spool *spool, enum ewi_place place, const struct stat *root,
                      ew_error *error)
{
    const char *name = ewi_place_name[place];
    struct stat info;
    int folder = spool->place[place] = openat(spool->root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == ENOENT)
        return ewi_fail(error, EW_EIO,
                        "%.300s is not a spool: it has no folder \"%s\"; \"edgewise watch --init %.300s\" makes one",
                        path, name, path);
    if (folder < 0 || fstat(folder, &info) != 0)
        return ewi_fail(error, EW_EIO, "cannot open %.300s/%s: %s", path, name, strerror(errno));
    if (info.st_dev != root->st_dev)
        return ewi_fail(error, EW_EIO,
                        "%.300s/%s is on another file system than the spool; jobs move between folders by rename, "
                        "so all folders must be on one file system", path, name);
    return EW_OK;
}

/* Only the service's user may write there, whatever its umask is; chmod can allow others. */
enum { FOLDER_MODE = 0755 };

/* If a group may submit, its members may also read running jobs, results and the watchers' state. */
static void open_to_group(int root)
{
    static const enum ewi_place ours[] = {EWI_RUN, EWI_DONE, EWI_FAILED, EWI_STATE};
    struct stat shared, own;
    if (fstatat(root, ewi_place_name[EWI_NEW], &shared, AT_SYMLINK_NOFOLLOW) != 0 || !(shared.st_mode & S_IWGRP))
        return;
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
        const char *name = ewi_place_name[ours[k]];
        if (fstatat(root, name, &own, AT_SYMLINK_NOFOLLOW) == 0 && own.st_gid != shared.st_gid &&
            fchownat(root, name, (uid_t)-1, shared.st_gid, AT_SYMLINK_NOFOLLOW) == 0)
            (void)!fchmodat(root, name, (own.st_mode & 0777) | S_ISGID | S_IRGRP | S_IXGRP, 0);
    }
}

static int make_folders(const char *path, ew_error *error)
{
    if (mkdir(path, FOLDER_MODE) != 0 && errno != EEXIST)
        return ewi_fail(error, ewi_spool_write_code(errno), "cannot make the folder %.300s: %s", path, strerror(errno));
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = EW_OK;
    if (root < 0)
        return ewi_fail(error, EW_EIO, "cannot open the folder %.300s: %s", path, strerror(errno));
    for (int place = 0; place < EWI_PLACES && status == EW_OK; place++)
        if (mkdirat(root, ewi_place_name[place], FOLDER_MODE) != 0 && errno != EEXIST)
            status = ewi_fail(error, ewi_spool_write_code(errno), "cannot make the folder %.300s/%s: %s", path,
                              ewi_place_name[place], strerror(errno));
    if (status == EW_OK)
        open_to_group(root);
    if (status == EW_OK && ewi_sync(root) != 0)
        status = ewi_fail(error, EW_EIO, "cannot sync %.300s to disk: %s", path, strerror(errno));
    close(root);
    return status;
}

int ewi_spool_open(const char *path, bool make, struct ewi_spool *spool, ew_error *error)
{
    int status = EW_OK;
    struct stat info;
    *spool = closed_spool;
    if (make)
        EWI_TRY(make_folders(path, error));
    spool->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (spool->root < 0 || fstat(spool->root, &info) != 0) {
        status = errno == ENOENT
                     ? ewi_fail(error, EW_EIO, "there is no spool %.300s; \"edgewise watch --init %.300s\" makes it",
                                path, path)
                     : ewi_fail(error, EW_EIO, "cannot open the spool %.300s: %s", path, strerror(errno));
        goto out;
    }
    for (int place = 0; place < EWI_PLACES; place++)
        EWI_TRY(open_place(path, spool, (enum ewi_place)place, &info, error));
    spool->path = realpath(path, NULL);
    if (!spool->path)
        status = ewi_fail(error, EW_EIO, "cannot find the full path of %.300s: %s", path, strerror(errno));
out:
    if (status != EW_OK)
        ewi_spool_close(spool);
    return status;
}

void ewi_spool_close(struct ewi_spool *spool)
{
    for (int place = 0; place < EWI_PLACES; place++)
        if (spool->place[place] >= 0)
            close(spool->place[place]);
    ewi_close(spool->root);
    free(spool->path);
    *spool = closed_spool;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

bool ewi_is_control(char letter)
{
    return (unsigned char)letter < 0x20 || letter == 0x7f;
}

bool ewi_is_case(const char *name)
{
    return ewi_ends_in(name, ".cfg");
}

const char *ewi_case_base(const char *name, char base[EWI_NAME])
{
    snprintf(base, EWI_NAME, "%.*s", (int)(strlen(name) - (ewi_is_case(name) ? sizeof ".cfg" - 1 : 0)), name);
    return base;
}

bool ewi_spool_good_name(const char *name, char sentence[EWI_SENTENCE])
{
    size_t length = strlen(name);
    const char *why = NULL;
    if (length == 0 || name[0] == '.')
        why = "it must not be empty or start with a dot";
    else if (length > EWI_LONGEST_NAME)
        why = "it has more than 200 bytes";
    for (const char *at = name; *at && !why; at++)
        if (ewi_is_control(*at))
            why = "it has a control character, for example the end of a line";
        else if (*at == '/')
            why = "it has a slash";
        else if (*at == '\\')
            why = "it has a backslash, which netCDF reads as a slash";
    if (why)
        snprintf(sentence, EWI_SENTENCE, "this cannot be a job's name: %s", why);
    return !why;
}

void ewi_spool_clean_name(const char *name, char clean[EWI_NAME])
{
    size_t length = 0;
    for (; name[length] && length < EWI_LONGEST_NAME; length++)
        clean[length] =
            ewi_is_control(name[length]) || name[length] == '/' || name[length] == '\\' ? '_' : name[length];
    if (length == 0 || clean[0] == '.')
        clean[0] = '_';
    clean[length > 0 ? length : 1] = '\0';
}

bool ewi_read_priority(const char *text, int *priority)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    bool good = !errno && end != text && !*end && value >= -99 && value <= 99;
    if (good)
        *priority = (int)value;
    return good;
}

bool ewi_name_priority(const char *name, int *priority)
{
    const char *at = strrchr(name, '@');
    return at && at[1] != '+' && at[1] != ' ' && ewi_read_priority(at + 1, priority);
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* Short suffixes first: name.2 to name.9; then the time, so that a thousand jobs of one name need few attempts. */
static void add_suffix(const char *base, int attempt, char name[EWI_NAME])
{
    if (attempt < SHORT_SUFFIXES) {
        snprintf(name, EWI_NAME, "%.*s.%d", EWI_LONGEST_NAME, base, attempt + 1);
        return;
    }
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    char when[32];
    strftime(when, sizeof when, "%Y%m%dT%H%M%S", &parts);
    snprintf(name, EWI_NAME, "%.*s.%s.%09ld", EWI_LONGEST_NAME - 28, base, when, now.tv_nsec);
}

int ewi_spool_move(const struct ewi_spool *spool, enum ewi_place from, const char *old_name, enum ewi_place to,
                   char name[EWI_NAME], ew_error *error)
{
    char base[EWI_NAME];
    snprintf(base, sizeof base, "%s", name);
    for (int attempt = 1; ewi_rename_new(spool->place[from], old_name, spool->place[to], name) != 0; attempt++) {
        int reason = errno;
        if ((reason == EEXIST || reason == ENOTEMPTY) && attempt < ATTEMPTS_AT_A_NAME) {
            add_suffix(base, attempt, name);
            continue;
        }
        ewi_fail(error, EW_EIO, "cannot move %.200s from %s/ to %s/: %s", old_name, ewi_place_name[from],
                 ewi_place_name[to], strerror(reason));
        errno = reason;
        return EW_EIO;
    }
    return EW_OK;
}
