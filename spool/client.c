/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the spool, its jobs and its watchers for all clients. */
#include "client.h"
#include "ewi_error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

enum { LARGEST_STATUS = 1 << 20 };

/* ---- the spool --------------------------------------------------------------------------------------------------- */

static bool is_in_spool(void)
{
    struct stat info;
    for (int k = 0; k < EWI_PLACES; k++)
        if (stat(ewi_place_name[k], &info) != 0 || !S_ISDIR(info.st_mode))
            return false;
    return true;
}

int client_open_spool(const char *path, struct ewi_spool *spool)
{
    const char *variable = getenv("EDGEWISE_SPOOL");
    ew_error error;
    if (!path && variable && variable[0])
        path = variable;
    if (!path && !is_in_spool())
        return cli_fail(EX_USAGE,
                        "which spool? The current folder is not one; give --spool FOLDER, or set EDGEWISE_SPOOL.");
    if (ewi_spool_open(path ? path : ".", false, spool, &error) == EW_OK)
        return EX_OK;
    return cli_fail(EX_NOINPUT, "%s", error.message);
}

const char *client_shown(const char *name, char text[CLIENT_SHOWN])
{
    size_t length = 0;
    text[0] = '\0';
    while (*name && length < CLIENT_SHOWN - EWI_SHOWN) {
        name += ewi_show_character((const unsigned char *)name, text + length);
        length += strlen(text + length);
    }
    return text;
}

char *client_read_json(int folder, const char *name, size_t most)
{
    size_t length;
    char *text = ewi_read_file(folder, name, most, &length);
    if (text && strlen(text) == length && cli_json_is_valid(text))
        return text;
    free(text);
    return NULL;
}

char *client_first_line(int folder, const char *name)
{
    size_t length;
    char *text = ewi_read_file(folder, name, EWI_SENTENCE, &length);
    if (text)
        text[strcspn(text, "\n")] = '\0';
    return text;
}

/* ---- entries of a place ------------------------------------------------------------------------------------------ */

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct client_entry *)left)->name, ((const struct client_entry *)right)->name);
}

int client_list(const struct ewi_spool *spool, enum ewi_place place, struct client_list *list, ew_error *error)
{
    size_t room = 0;
    *list = (struct client_list){0};
    DIR *entries = ewi_open_entries(spool->place[place]);
    if (!entries)
        return ewi_fail(error, EW_EIO, "cannot read %.300s/%s: %s", spool->path, ewi_place_name[place],
                        strerror(errno));
    for (const char *name; (name = ewi_next_entry(&entries));) {
        struct stat info;
        if (name[0] == '.' || fstatat(spool->place[place], name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool file = (place == EWI_NEW || place == EWI_HOLD) && S_ISREG(info.st_mode) && ewi_is_case(name);
        if (!S_ISDIR(info.st_mode) && !file)
            continue;
        if (list->count == room) {
            room = 2 * room + 64;
            list->entry = cli_reallocate(list->entry, room * sizeof *list->entry);
        }
        list->entry[list->count++] = (struct client_entry){cli_copy(name), ewi_seconds_of(info.st_ctim), !file};
    }
    if (list->count > 0)
        qsort(list->entry, list->count, sizeof *list->entry, compare_names);
    return EW_OK;
}

void client_free_list(struct client_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        free(list->entry[k].name);
    free(list->entry);
}

/* ---- watchers ---------------------------------------------------------------------------------------------------- */

size_t client_watchers(const struct ewi_spool *spool, struct client_watcher **watchers)
{
    size_t count = 0;
    *watchers = cli_allocate(MOST_WATCHERS * sizeof **watchers);
    for (int number = 1; number <= MOST_WATCHERS; number++) {
        char name[64];
        watch_file_name(number, "status", "json", name);
        struct client_watcher watcher = {.number = number,
                                         .alive = watch_is_alive(spool->place[EWI_STATE], number),
                                         .status = client_read_json(spool->place[EWI_STATE], name, LARGEST_STATUS)};
        if (watcher.alive || watcher.status)
            (*watchers)[count++] = watcher;
    }
    return count;
}

void client_free_watchers(struct client_watcher *watchers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(watchers[k].status);
    free(watchers);
}

bool client_is_watched(const struct ewi_spool *spool)
{
    for (int number = 1; number <= MOST_WATCHERS; number++)
        if (watch_is_alive(spool->place[EWI_STATE], number))
            return true;
    return false;
}

void client_note(int *first, int code)
{
    if (*first == EX_OK)
        *first = code;
}
