/* SPDX-License-Identifier: BSD-2-Clause */
/* Temporary names of files while they are written, and the renaming to their final names. */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ewi_no_memory_to_write(const char *path, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to write %s", path);
}

int ewi_target_set(struct ewi_arena *memory, const char *path, struct ewi_target *target, ew_error *error)
{
    size_t room = strlen(path) + sizeof ".part";
    *target = (struct ewi_target){
        .path = ewi_arena_strdup(memory, path), .part = ewi_arena_alloc(memory, room, 1), .folder = -1};
    if (memory->lacks)
        return ewi_no_memory_to_write(path, error);
    ewi_snprintf(target->part, room, "%s.part", path);
    if (strchr(ewi_file_name(path), '\\'))
        return ewi_fail(error, EW_ECREATE, "cannot create %s: programs that read netCDF take a backslash for the "
                        "end of a folder's name; choose another name", path);
    target->folder = ewi_open_folder(path);
    return target->folder >= 0 ? EW_OK : ewi_target_failed(target->part, errno, error);
}

void ewi_target_close(struct ewi_target *target)
{
    if (target->path && target->folder >= 0)
        close(target->folder);
}

/* `follow`: the file will replace a link. Otherwise a link is refused, because it would be written through. */
static int check_name(int folder, const char *name, bool follow, ew_error *error)
{
    struct stat info;
    if (fstatat(folder, ewi_file_name(name), &info, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENAMETOOLONG ? ewi_target_failed(name, errno, error) : EW_OK;
    if (S_ISLNK(info.st_mode))
        return ewi_target_failed(name, ELOOP, error);
    return S_ISREG(info.st_mode) ? EW_OK : ewi_fail(error, EW_ECREATE, "cannot write %s: it exists and is not a file",
                                                    name);
}

/* With the sticky bit, a file is replaced only by its owner or the folder's. */
static bool is_protected(int folder, const char *name)
{
    struct stat within, file;
    uid_t user = geteuid();
    return user != 0 && fstat(folder, &within) == 0 && (within.st_mode & S_ISVTX) && within.st_uid != user &&
           fstatat(folder, ewi_file_name(name), &file, AT_SYMLINK_NOFOLLOW) == 0 && file.st_uid != user;
}

int ewi_target_check(const struct ewi_target *target, char *partial, ew_error *error)
{
    TRY(check_name(target->folder, target->path, true, error));
    if (is_protected(target->folder, target->path))
        return ewi_fail(error, EW_ECREATE, "cannot write %s: the file of that name belongs to another user, and the "
                        "folder's sticky bit lets nobody else replace it; choose another name or folder for the output",
                        target->path);
    TRY(check_name(target->folder, target->part, false, error));
    for (int k = 0; partial && k < EWI_PARTIALS; k++) {
        ewi_target_name(target, ewi_partial[k], partial);
        TRY(check_name(target->folder, partial, true, error));
    }
    return EW_OK;
}

/* A full disk may have room later; other obstacles do not go away. */
int ewi_target_failed(const char *name, int number, ew_error *error)
{
    bool room = number == ENOSPC || number == EDQUOT || number == EFBIG || number == ENFILE || number == EMFILE ||
                number == EIO;
    return ewi_fail(error,
                    number == ENOMEM ? EW_ENOMEM
                    : room           ? ewi_write_code(number)
                                     : EW_ECREATE,
                    "cannot create %s: %s", name,
                    number == ELOOP          ? "there is a symbolic link of that name"
                    : number == ENAMETOOLONG ? "the name is too long"
                                             : ewi_write_error(number));
}

int ewi_target_lock(const struct ewi_target *target, int descriptor, ew_error *error)
{
    int number = ewi_file_lock(descriptor, F_WRLCK);
    return number != EACCES && number != EAGAIN
               ? EW_OK
               : ewi_fail(error, EW_ECREATE, "another run is writing %s; wait for it, or choose another name or folder "
                          "for the output", target->part);
}

void ewi_target_unlock(int descriptor)
{
    ewi_file_lock(descriptor, F_UNLCK);
}

/* Only the holder of its lock may remove the file of that name. `stale` is a killed run's file, or -1. */
static int make_part(const struct ewi_target *target, int stale, int *descriptor, ew_error *error)
{
    const char *part = ewi_file_name(target->part);
    if (stale >= 0) {
        TRY(ewi_target_lock(target, stale, error));
        if (ewi_is_file(stale, target->folder, part) && unlinkat(target->folder, part, 0) != 0 && errno != ENOENT)
            return ewi_fail(error, EW_ECREATE, "cannot remove %s, which a killed run left: %s", target->part,
                            strerror(errno));
    }
    *descriptor = openat(target->folder, part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*descriptor < 0)
        return errno == EEXIST ? EW_OK : ewi_target_failed(target->part, errno, error);
    return ewi_target_lock(target, *descriptor, error);
}

/* Another run may start in between; then the name belongs to its file. */
int ewi_target_claim(const struct ewi_target *target, int *descriptor, ew_error *error)
{
    const char *part = ewi_file_name(target->part);
    int status;
    for (;;) {
        int stale = openat(target->folder, part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        *descriptor = -1;
        if (stale < 0 && errno != ENOENT)
            return ewi_target_failed(target->part, errno, error);
        status = make_part(target, stale, descriptor, error);
        if (stale >= 0)
            close(stale);
        if (status != EW_OK || ewi_is_file(*descriptor, target->folder, part))
            break;
        if (*descriptor >= 0)
            close(*descriptor);
    }
    if (status != EW_OK && *descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    }
    return status;
}

const char *const ewi_partial[EWI_PARTIALS] = {"interrupted", "failed"};

size_t ewi_target_room(const struct ewi_target *target)
{
    return strlen(target->path) + sizeof "interrupted" + 1;
}

static void put_name(const struct ewi_target *target, const char *word, char *name, size_t room)
{
    static const char *const endings[] = {".nc", ".csv"};
    size_t length = strlen(target->path);
    const char *ending = "";
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (length > strlen(endings[k]) && strcmp(target->path + length - strlen(endings[k]), endings[k]) == 0)
            ending = endings[k];
    ewi_snprintf(name, room, "%.*s.%s%s", (int)(length - strlen(ending)), target->path, word, ending);
}

void ewi_target_name(const struct ewi_target *target, const char *word, char *name)
{
    put_name(target, word, name, ewi_target_room(target));
}

bool ewi_target_end_name(const struct ewi_target *target, const char *status_text, char *name)
{
    bool complete = strcmp(status_text, "complete") == 0;
    if (complete)
        ewi_snprintf(name, ewi_target_room(target), "%s", target->path);
    else
        ewi_target_name(target, strcmp(status_text, "interrupted") == 0 ? "interrupted" : "failed", name);
    return complete;
}

bool ewi_target_has(const struct ewi_target *target, const char *name)
{
    struct stat info;
    return fstatat(target->folder, ewi_file_name(name), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

char *ewi_target_aside(struct ewi_arena *memory, const struct ewi_target *target, int64_t step)
{
    char word[48];
    size_t room = ewi_target_room(target) + sizeof word;
    char *name = ewi_arena_alloc(memory, room, 1);
    ewi_snprintf(word, sizeof word, "before-%lld", (long long)step);
    for (int more = 2; name; more++) {
        put_name(target, word, name, room);
        if (!ewi_target_has(target, name) || more == INT_MAX)
            break;
        ewi_snprintf(word, sizeof word, "before-%lld-%d", (long long)step, more);
    }
    return name;
}

static int rename_failed(const char *name, const char *other, int number, ew_error *error)
{
    return ewi_fail(error, ewi_write_code(number), "cannot rename %s to %s: %s", name, other, strerror(number));
}

int ewi_target_rename(const struct ewi_target *target, const char *name, const char *other, ew_error *error)
{
    bool done = renameat(target->folder, ewi_file_name(name), target->folder, ewi_file_name(other)) == 0;
    return done ? EW_OK : rename_failed(name, other, errno, error);
}

void ewi_target_remove(const struct ewi_target *target, const char *name)
{
    unlinkat(target->folder, ewi_file_name(name), 0);
}

static bool has_part(const struct ewi_target *target, int descriptor)
{
    struct stat info;
    return ewi_is_file(descriptor, target->folder, ewi_file_name(target->part)) && fstat(descriptor, &info) == 0 &&
           info.st_size > 0;
}

int ewi_target_publish(const struct ewi_target *target, int descriptor, const char *name, ew_error *error)
{
    const char *part = ewi_file_name(target->part);
    if (!has_part(target, descriptor))
        return ewi_fail(error, EW_EIO, "cannot complete %s: %s is no longer the file that was written; another program "
                        "has removed or replaced it", name, target->part);
    int number = ewi_publish_file(target->folder, part, ewi_file_name(name), true);
    return number == 0 ? EW_OK : rename_failed(target->part, name, number, error);
}

int ewi_target_keep(const struct ewi_target *target, int descriptor, char *name, int status, ew_error *error)
{
    if (status == EW_OK || !has_part(target, descriptor))
        return status;
    if (name)
        ewi_snprintf(name, ewi_target_room(target), "%s", target->part);
    if (error) {
        size_t length = strlen(error->message);
        ewi_snprintf(error->message + length, sizeof error->message - length,
                     "; the whole file is %s, rename it before the next run replaces it", target->part);
    }
    return status;
}
