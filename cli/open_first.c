/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens possibly harmful files: first by HDF5 in another process, and never pipes. */
#include "cases.h"
#include "ewi_file.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

FILE *cli_open_file(const char *path)
{
    int descriptor = ewi_open_regular(path);
    return descriptor < 0 ? NULL : fdopen(descriptor, "rb");
}

void cli_prepare_files(void)
{
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
}

void cli_add_other_file(const char *path, const char *ending, ew_error *error)
{
    static const char *const forms[] = {"%.*s%s", "%.*s.interrupted%s", "%.*s.failed%s", "%.*s%s.part"};
    size_t length = strlen(path), size = strlen(ending), said = strlen(error->message);
    bool ends = ewi_ends_in(path, ending);
    bool there = access(path, F_OK) == 0 || errno != ENOENT;
    for (size_t k = 0; !there && k < sizeof forms / sizeof *forms; k++) {
        char *other = cli_format(forms[k], (int)(ends ? length - size : length), path, ending);
        there = access(other, F_OK) == 0;
        if (there)
            snprintf(error->message + said, sizeof error->message - said, "; there is %s", other);
        free(other);
    }
}

enum { MEMORY_TO_OPEN = 256 << 20, MEMORY_OF_BYTE = 16 };
enum { NO_MEMORY = 100 }; /* an exit status that the command does not otherwise use */

/* Memory of this process; 0 if the system does not report it. */
static double present_memory(void)
{
    double pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %*s %*s %*s %*s %lf", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* Limits memory. Opening a file takes little more than a list of its frames, however well it is compressed. */
static void limit_memory(const char *path, struct rlimit *before)
{
    struct stat info;
    double present = present_memory();
    getrlimit(RLIMIT_DATA, before);
    struct rlimit limit = *before;
    if (present == 0 || stat(path, &info) != 0)
        return;
    double most = present + MEMORY_TO_OPEN + MEMORY_OF_BYTE * (double)info.st_size;
    if (most < (double)limit.rlim_cur)
        limit.rlim_cur = (rlim_t)most;
    setrlimit(RLIMIT_DATA, &limit);
}

static int open_within_limit(const ew_host *host, const char *path, ew_results **results, ew_error *error)
{
    struct rlimit before;
    limit_memory(path, &before);
    int status = ew_results_open(host, path, results, error);
    setrlimit(RLIMIT_DATA, &before);
    return status;
}

int cli_open_first(const char *path)
{
    const struct rlimit no_core = {0, 0};
    ew_results *results = NULL;
    setrlimit(RLIMIT_CORE, &no_core);
    cli_prepare_files();
    int status = open_within_limit(NULL, path, &results, NULL);
    if (status == EW_OK)
        ew_results_close(results);
    return status == EW_ENOMEM ? NO_MEMORY : 0;
}

/*
 * A child of fork would inherit the locks that other threads hold, and wait for them for ever. It takes signals even if
 * this thread does not, so that Control-C ends it. Returns 0 or errno.
 */
static int start_opening(const char *path, pid_t *child)
{
    char program[] = "edgewise", word[] = CLI_OPEN_FIRST;
    char *arguments[] = {program, word, (char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    int number = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (number == 0)
        number = posix_spawn(child, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return number;
}

/*
 * HDF5 itself crashes on some damaged files (of 2,250 with a few bytes changed, 1.10 on three), so another process
 * opens the file first. Returns its end as from waitpid; 0, as for a normal end, if no process could be started.
 */
static int try_to_open(const char *path)
{
    int how = 0;
    pid_t child, ended;
    if (start_opening(path, &child) != 0)
        return 0;
    do
        ended = waitpid(child, &how, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child ? how : 0;
}

/* A signal that was sent to stop the run is no crash. */
static bool has_crashed(int how)
{
    int number = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return number != 0 && number != SIGINT && number != SIGTERM && number != SIGHUP;
}

bool cli_crashes_hdf5(const char *path, ew_error *error)
{
    int how = try_to_open(path);
    if (has_crashed(how))
        snprintf(error->message, sizeof error->message, "%s is damaged: HDF5 crashes on it (%s)", path,
                 strsignal(WTERMSIG(how)));
    else if (WIFEXITED(how) && WEXITSTATUS(how) == NO_MEMORY)
        snprintf(error->message, sizeof error->message, "%s is damaged: opening it takes more memory than a file of "
                 "its size can need", path);
    else
        return false;
    error->code = EW_EIO;
    return true;
}

int cli_open_results(const char *path, ew_results **results, ew_error *error)
{
    int status = cli_crashes_hdf5(path, error) ? error->code : open_within_limit(&cli_host, path, results, error);
    if (status != EW_OK)
        cli_add_other_file(path, ".nc", error);
    return status;
}
