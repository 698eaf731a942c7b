#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ewi_target_set(const ew_host *host, const char *path, struct ewi_target *target, ew_error *error)
{
    const char *slash = strrchr(path, '/');
    size_t length = strlen(path), folder = slash == path ? 1 : slash ? (size_t)(slash - path) : 1;
    target->path = ewi_strdup(host, path);
    target->part = ewi_alloc(host, length + sizeof ".part", 1);
    target->folder = ewi_alloc(host, folder + 1, 1);
    if (!target->path || !target->part || !target->folder)
        return ewi_fail(error, EW_ENOMEM, "no memory to write %s", path);
    snprintf(target->part, length + sizeof ".part", "%s.part", path);
    memcpy(target->folder, slash ? path : ".", folder);
    return EW_OK;
}

void ewi_target_free(const ew_host *host, struct ewi_target *target)
{
    ewi_free(host, target->folder);
    ewi_free(host, target->part);
    ewi_free(host, target->path);
    *target = (struct ewi_target){0};
}

/* A link is followed where the file takes the link's place in the end, and refused where it would be written through. */
static int check_name(const char *name, bool follow, ew_error *error)
{
    struct stat info;
    if ((follow ? stat : lstat)(name, &info) != 0)
        return errno == ENAMETOOLONG ? ewi_target_failed(name, errno, error) : EW_OK;
    if (S_ISLNK(info.st_mode))
        return ewi_target_failed(name, ELOOP, error);
    return S_ISREG(info.st_mode) ? EW_OK : ewi_fail(error, EW_ECREATE, "cannot write %s: it exists and is not a file", name);
}

int ewi_target_check(const struct ewi_target *target, char *partial, ew_error *error)
{
    TRY(check_name(target->path, true, error));
    TRY(check_name(target->part, false, error));
    for (int k = 0; partial && k < EWI_PARTIALS; k++) {
        ewi_target_name(target, ewi_partial[k], partial);
        TRY(check_name(partial, true, error));
    }
    return EW_OK;
}

/* A disk that is full may have room again; what stands in the way will not go by itself. */
int ewi_target_failed(const char *name, int number, ew_error *error)
{
    bool room = number == ENOSPC || number == EDQUOT || number == EFBIG || number == ENFILE || number == EMFILE || number == EIO;
    return ewi_fail(error, number == ENOMEM ? EW_ENOMEM : room ? EW_EIO : EW_ECREATE, "cannot create %s: %s", name,
                    number == ELOOP          ? "there is a symbolic link of that name"
                    : number == ENAMETOOLONG ? "the name is too long"
                                             : ewi_write_error(number));
}

const char *ewi_write_error(int number)
{
    switch (number) {
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the quota of disk space is used up";
    case EFBIG:
        return "the file has reached the limit on the size of files (ulimit -f)";
    default:
        return strerror(number);
    }
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
    snprintf(name, room, "%.*s.%s%s", (int)(length - strlen(ending)), target->path, word, ending);
}

void ewi_target_name(const struct ewi_target *target, const char *word, char *name)
{
    put_name(target, word, name, ewi_target_room(target));
}

char *ewi_target_aside(const ew_host *host, const struct ewi_target *target, int64_t step)
{
    char word[48];
    struct stat info;
    size_t room = ewi_target_room(target) + sizeof word;
    char *name = ewi_alloc(host, room, 1);
    snprintf(word, sizeof word, "before-%lld", (long long)step);
    for (int more = 2; name; more++) {
        put_name(target, word, name, room);
        if (lstat(name, &info) != 0 || more == INT_MAX)
            break;
        snprintf(word, sizeof word, "before-%lld-%d", (long long)step, more);
    }
    return name;
}

/* The rename is on the disk only when the folder is; not every file system can tell, and then there is nothing to do. */
int ewi_target_publish(const struct ewi_target *target, const char *name, ew_error *error)
{
    if (rename(target->part, name) != 0)
        return ewi_fail(error, EW_EIO, "cannot rename %s to %s: %s", target->part, name, strerror(errno));
    int folder = open(target->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        ewi_sync(folder);
        close(folder);
    }
    return EW_OK;
}
