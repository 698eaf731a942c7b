/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kills watchers, workers and clients of a spool, and lets system calls fail: whatever happens when, every job ends
 * in exactly one of done/ and failed/, what is in done/ is complete and has the bits of an undisturbed run, and no
 * input is lost.
 *
 *   spool-faults [KILLS [POINTS [SEED]]]    so many random SIGKILLs, so many points a kind of job (0: all)
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 1024, TEXT = 8192, WATCHERS = 2, MOST_WORDS = 32, KINDS = 8, VARIANTS = 3, MOST_POINTS = 10000 };

static char program[PATH], shim[PATH], base[PATH];
static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double random_number(void)
{
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static void pause_for(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

__attribute__((format(printf, 2, 3))) static char *join(char path[PATH], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (vsnprintf(path, PATH, format, list) >= PATH)
        bail_out("a path is too long");
    va_end(list);
    return path;
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* Two triangles; the boundary is one physical line. */
static const char mesh_text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                                "$PhysicalNames\n2\n1 1 \"rim\"\n2 2 \"gas\"\n$EndPhysicalNames\n"
                                "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                                "$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 1 2 2 3\n3 1 2 1 3 3 4\n4 1 2 1 4 4 1\n"
                                "5 2 2 2 1 1 2 3\n6 2 2 2 1 1 3 4\n$EndElements\n";

/* What kinds of jobs there are. */
enum kind { FOLDER, SINGLE, MESH_BEFORE, MESH_AFTER, MESH_BELOW, WRONG_CASE, NO_CASE, LONGER };

static bool has_mesh(int number)
{
    int kind = number % KINDS;
    return kind == MESH_BEFORE || kind == MESH_AFTER || kind == MESH_BELOW;
}

static bool is_single(int number)
{
    int kind = number % KINDS;
    return kind == SINGLE || kind == MESH_BEFORE || kind == MESH_AFTER;
}

static bool is_good(int number)
{
    return number % KINDS != WRONG_CASE && number % KINDS != NO_CASE;
}

static void case_text(int number, char text[TEXT])
{
    int kind = number % KINDS;
    char mesh[256];
    if (kind == MESH_BELOW)
        snprintf(mesh, sizeof mesh, "mesh = \"below/box.msh\";");
    else if (has_mesh(number))
        snprintf(mesh, sizeof mesh, "mesh = \"job-%d.msh\";", number);
    else
        snprintf(mesh, sizeof mesh,
                 "mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [2, 2]; bottom = \"rim\"; "
                                    "right = \"rim\"; top = \"rim\"; left = \"rim\"; }; };");
    snprintf(text, TEXT,
             "%s\norder = 1;\n%stime = { scheme = \"rk2\"; end = %s; };\n"
             "initial = { rho = \"1 + 0.%d*x\"; u = 0; v = 0; p = 1; };\nboundary = { rim = { kind = \"copy\"; }; };\n",
             mesh, kind == WRONG_CASE ? "colour = 3;\n" : "", kind == LONGER ? "60.0" : "0.05",
                 1 + number / KINDS % VARIANTS);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        bail_out("cannot write %s: %s", path, strerror(errno));
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        bail_out("cannot make %s: %s", path, strerror(errno));
}

static void move(const char *from, const char *to)
{
    if (rename(from, to) != 0)
        bail_out("cannot move %s to %s: %s", from, to, strerror(errno));
}

static void submit_folder(const char *spool, int number)
{
    char path[PATH], to[PATH], text[TEXT];
    make_folder(join(path, "%s/tmp/job-%d", spool, number));
    case_text(number, text);
    write_text(join(path, "%s/tmp/job-%d/%s", spool, number, number % KINDS == NO_CASE ? "notes" : "case.cfg"), text);
    if (number % KINDS == MESH_BELOW) {
        make_folder(join(path, "%s/tmp/job-%d/below", spool, number));
        write_text(join(path, "%s/tmp/job-%d/below/box.msh", spool, number), mesh_text);
    }
    move(join(path, "%s/tmp/job-%d", spool, number), join(to, "%s/new/job-%d", spool, number));
}

/* By a rename, so that no watcher needs to guess whether a file is complete. */
static void drop_file(const char *spool, int number, const char *extension, const char *text)
{
    char path[PATH], to[PATH];
    write_text(join(path, "%s/tmp/drop", spool), text);
    move(path, join(to, "%s/new/job-%d.%s", spool, number, extension));
}

static void submit(const char *spool, int number)
{
    char text[TEXT];
    int kind = number % KINDS;
    if (!is_single(number)) {
        submit_folder(spool, number);
        return;
    }
    case_text(number, text);
    if (kind == MESH_BEFORE)
        drop_file(spool, number, "msh", mesh_text);
    drop_file(spool, number, "cfg", text);
    if (kind == MESH_AFTER)
        drop_file(spool, number, "msh", mesh_text);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

struct faults {
    double rate;
    int64_t kill_at;
    const char *counter;
};

static void set_faults(const struct faults *faults)
{
    char value[64], options[PATH];
    const char *asan = getenv("ASAN_OPTIONS");
    setenv("LD_PRELOAD", shim, 1);
    /* AddressSanitizer wants to be the first library; it need not be. */
    setenv("ASAN_OPTIONS", join(options, "%s:verify_asan_link_order=0", asan ? asan : ""), 1);
    snprintf(value, sizeof value, "%g", faults->rate);
    setenv("EW_FAULT_RATE", value, 1);
    snprintf(value, sizeof value, "%llu", (unsigned long long)random_bits());
    setenv("EW_FAULT_SEED", value, 1);
    snprintf(value, sizeof value, "%lld", (long long)faults->kill_at);
    setenv("EW_FAULT_KILL_AT", value, 1);
    if (faults->counter)
        setenv("EW_FAULT_COUNTER", faults->counter, 1);
}

/* Standard output and errors go to `log`, at its end. */
static pid_t start(const char *log, const struct faults *faults, const char *const *words)
{
    char *all[MOST_WORDS + 2] = {program};
    for (int k = 0; words[k]; k++)
        all[k + 1] = (char *)(uintptr_t)words[k];
    pid_t pid = fork();
    if (pid == 0) {
        int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        if (faults)
            set_faults(faults);
        execv(program, all);
        _exit(127);
    }
    if (pid < 0)
        bail_out("cannot fork: %s", strerror(errno));
    return pid;
}

static pid_t start_watcher(const char *spool, const char *jobs, bool drain, const struct faults *faults)
{
    char log[PATH];
    const char *words[] = {"watch",  spool,
                           "--init", "--jobs",
                           jobs,     "--max-attempts",
                           "1000",   "--retry-delay",
                           "0.02",   "--settle",
                           "0",      "--poll",
                           "1",      "--mesh-wait",
                           "600",    "--min-free",
                           "0",      "--threads",
                           "1",      drain ? "--drain" : NULL,
                           NULL};
    return start(join(log, "%s.log", spool), faults, words);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* The value of "key": in JSON text, without quotation marks. */
static bool json_value(const char *text, const char *key, char *value, size_t size)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(text, pattern);
    if (!at)
        return false;
    at += strlen(pattern);
    at += *at == '"';
    size_t length = strcspn(at, "\",}");
    snprintf(value, size, "%.*s", (int)length, at);
    return true;
}

static bool read_text(const char *path, char text[TEXT])
{
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, TEXT - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return file != NULL;
}

/* state_hash of an undisturbed run of such a job. */
static const char *reference(int number)
{
    static char known[KINDS * VARIANTS][32];
    int index = number % KINDS * VARIANTS + number / KINDS % VARIANTS;
    if (known[index][0])
        return known[index];
    char folder[PATH], path[PATH], out[PATH], text[TEXT];
    make_folder(join(folder, "%s/reference-%d", base, index));
    make_folder(join(path, "%s/below", folder));
    case_text(number, text);
    write_text(join(path, "%s/case.cfg", folder), text);
    write_text(join(out, "%s/below/box.msh", folder), mesh_text);
    write_text(join(out, "%s/job-%d.msh", folder, number), mesh_text);
    const char *words[] = {"run", path, "--json", "--no-output", "--threads", "1", NULL};
    join(path, "%s/case.cfg", folder);
    if (wait_for(start(join(out, "%s/out", folder), NULL, words)) != 0 || !read_text(out, text) ||
        !json_value(text, "state_hash", known[index], sizeof known[index]))
        bail_out("the undisturbed run of job %d failed: %s", number, text);
    return known[index];
}

/* ---- what must hold ---------------------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static int entries(const char *spool, const char *place, char first[PATH])
{
    char path[PATH];
    int count = 0;
    DIR *folder = opendir(join(path, "%s/%s", spool, place));
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(first, PATH, "%s", entry->d_name);
            count++;
        }
    if (folder)
        closedir(folder);
    return count;
}

static bool same_text(const char *path, const char *expected)
{
    char text[TEXT];
    return read_text(path, text) && strcmp(text, expected) == 0;
}

static bool input_is_there(const char *spool, const char *place, int number)
{
    char path[PATH], text[TEXT];
    case_text(number, text);
    if (is_single(number))
        join(path, "%s/%s/job-%d/job-%d.cfg", spool, place, number, number);
    else
        join(path, "%s/%s/job-%d/%s", spool, place, number, number % KINDS == NO_CASE ? "notes" : "case.cfg");
    if (!same_text(path, text))
        return false;
    if (number % KINDS == MESH_BELOW)
        return same_text(join(path, "%s/%s/job-%d/below/box.msh", spool, place, number), mesh_text);
    return !has_mesh(number) ||
           same_text(join(path, "%s/%s/job-%d/job-%d.msh", spool, place, number, number), mesh_text);
}

static bool fields_are_complete(const char *path, const char *hash)
{
    int file;
    char status[64] = "", found[64] = "";
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR)
        return false;
    nc_get_att_text(file, NC_GLOBAL, "status", status);
    nc_get_att_text(file, NC_GLOBAL, "state_hash", found);
    nc_close(file);
    return strcmp(status, "complete") == 0 && strcmp(found, hash) == 0;
}

/* NULL, or what is wrong with the job. */
static const char *fault_of(const char *spool, int number)
{
    char path[PATH], text[TEXT], hash[64];
    bool done = exists(join(path, "%s/done/job-%d", spool, number)),
         failed = exists(join(path, "%s/failed/job-%d", spool, number));
    if (done == failed)
        return done ? "it is in both places" : "it is in neither place";
    if (done != is_good(number))
        return done ? "it should have failed" : "it should be done";
    if (!input_is_there(spool, done ? "done" : "failed", number))
        return "its input is not as it was";
    if (!done)
        return read_text(join(path, "%s/failed/job-%d/error.txt", spool, number), text) && strlen(text) > 20 &&
                       strchr(text, '\n') == text + strlen(text) - 1 ? NULL : "error.txt is not a sentence";
    if (!read_text(join(path, "%s/done/job-%d/summary.json", spool, number), text) ||
        !json_value(text, "state_hash", hash, sizeof hash) || text[strlen(text) - 1] != '\n')
        return "summary.json is not complete";
    if (strcmp(hash, reference(number)) != 0)
        return "its bits are not those of an undisturbed run";
    if (!fields_are_complete(join(path, "%s/done/job-%d/job-%d.nc", spool, number, number), hash))
        return "its fields are not complete";
    return exists(join(path, "%s/done/job-%d/job-%d.nc.part", spool, number, number)) ? "half-written fields are left"
        : NULL;
}

/* `numbers`: of the jobs; NULL: they are 0, 1, ... */
static void verify(const char *spool, int jobs, const int *numbers, const char *what)
{
    static const char *const empty[] = {"new", "run", "tmp", "hold"};
    char first[PATH], path[PATH];
    int wrong = 0;
    for (int k = 0; k < jobs; k++) {
        int number = numbers ? numbers[k] : k;
        const char *fault = fault_of(spool, number);
        if (fault && ++wrong <= 5)
            diag("job-%d: %s", number, fault);
    }
    is_int(wrong, 0, "%s: every job has ended as it should, with complete results and its input", what);
    is_int(entries(spool, "done", first) + entries(spool, "failed", first), jobs, "%s: nothing was published twice",
           what);
    int left = 0;
    for (size_t k = 0; k < sizeof empty / sizeof *empty; k++)
        if (entries(spool, empty[k], first) > 0 && ++left)
            diag("%s/%s is left", empty[k], first);
    left += exists(join(path, "%s/state/intake", spool));
    if (!is_int(left, 0, "%s: nothing is left elsewhere", what) || wrong)
        diag("the log is %s.log", spool);
}

static void drain(const char *spool, const char *what)
{
    int status = wait_for(start_watcher(spool, "2", true, NULL));
    is_int(status, 0, "%s: an undisturbed watcher finishes what is left", what);
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

/* A worker of the watcher, if the kernel tells who its children are. */
static pid_t some_worker(pid_t watcher)
{
    char path[PATH], text[TEXT];
    pid_t found[16];
    int count = 0;
    if (!read_text(join(path, "/proc/%ld/task/%ld/children", (long)watcher, (long)watcher), text))
        return 0;
    for (char *rest = text, *end; count < 16; rest = end) {
        long pid = strtol(rest, &end, 10);
        if (end == rest)
            break;
        found[count++] = (pid_t)pid;
    }
    return count > 0 ? found[random_bits() % (uint64_t)count] : 0;
}

static void kill_at_random(int kills)
{
    char spool[PATH];
    pid_t watcher[WATCHERS] = {0};
    int jobs = 0, wanted = 8 + kills / 3, killed_workers = 0;
    join(spool, "%s/random", base);
    wait_for(start_watcher(spool, "1", true, NULL));
    for (int killed = 0; killed < kills;) {
        for (int k = 0; k < WATCHERS; k++)
            if (watcher[k] == 0 || waitpid(watcher[k], NULL, WNOHANG) == watcher[k])
                watcher[k] = start_watcher(spool, "2", false, NULL);
        while (jobs < wanted && jobs < 8 + killed / 3)
            submit(spool, jobs++);
        pause_for(0.4 * random_number() * random_number());
        int k = (int)(random_bits() % WATCHERS);
        pid_t worker = random_number() < 0.5 ? some_worker(watcher[k]) : 0;
        if (kill(worker > 0 ? worker : watcher[k], SIGKILL) == 0) {
            killed++;
            killed_workers += worker > 0;
        }
    }
    for (int k = 0; k < WATCHERS; k++)
        if (watcher[k] > 0) {
            kill(watcher[k], SIGKILL);
            wait_for(watcher[k]);
        }
    while (jobs < wanted)
        submit(spool, jobs++);
    diag("%d kills, %d of them of workers, over %d jobs", kills, killed_workers, jobs);
    drain(spool, "random kills");
    verify(spool, jobs, NULL, "random kills");
}

static const char *new_counter(void)
{
    static char path[PATH];
    int64_t zero = 0;
    FILE *file = fopen(join(path, "%s/counter", base), "w");
    if (!file || fwrite(&zero, sizeof zero, 1, file) != 1 || fclose(file) != 0)
        bail_out("cannot write %s", path);
    return path;
}

static int64_t counted(void)
{
    char path[PATH];
    int64_t value = 0;
    FILE *file = fopen(join(path, "%s/counter", base), "r");
    if (!file || fread(&value, sizeof value, 1, file) != 1)
        bail_out("cannot read %s", path);
    fclose(file);
    return value;
}

/* Returns how many calls there were. */
static int64_t kill_at_point(const char *spool, int64_t point, int number)
{
    struct faults faults = {.kill_at = point, .counter = new_counter()};
    submit(spool, number);
    wait_for(start_watcher(spool, "1", true, &faults));
    return counted();
}

static void kill_everywhere(int points)
{
    char spool[PATH];
    static int number[MOST_POINTS];
    int jobs = 0, tried = 0, all = 0;
    join(spool, "%s/points", base);
    wait_for(start_watcher(spool, "1", true, NULL));
    for (int kind = 0; kind < LONGER; kind++) {
        number[jobs++] = kind;
        int64_t last = kill_at_point(spool, INT64_MAX, kind);
        double step = points > 0 && points < last ? (double)last / points : 1.0;
        for (double point = 1 + step * random_number(); point <= (double)last && jobs < MOST_POINTS; point += step,
             tried++) {
            number[jobs] = number[jobs - 1] + KINDS; /* a job of the same kind */
            kill_at_point(spool, (int64_t)point, number[jobs++]);
        }
        all += (int)last;
    }
    ok(all > 500, "there are many points at which a process can be killed: %d", all);
    diag("%d of them, %d jobs", tried, jobs);
    drain(spool, "a kill at each call");
    verify(spool, jobs, number, "a kill at each call");
}

/* ---- verbs ------------------------------------------------------------------------------------------------------- */

/* NULL, or what is wrong with a job that somebody wanted to cancel; `must`: it cannot be done. */
static const char *fault_of_cancelled(const char *spool, int number, bool must)
{
    char path[PATH], text[TEXT];
    bool done = exists(join(path, "%s/done/job-%d", spool, number)),
         failed = exists(join(path, "%s/failed/job-%d", spool, number));
    if (done == failed)
        return done ? "it is in both places" : "it is in neither place";
    if (!input_is_there(spool, done ? "done" : "failed", number))
        return "its input is not as it was";
    if (exists(join(path, "%s/%s/job-%d/.cancel", spool, done ? "done" : "failed", number)))
        return "it would be cancelled again";
    if (done)
        return must ? "it is done" : NULL;
    return read_text(join(path, "%s/failed/job-%d/error.txt", spool, number), text) &&
                   strncmp(text, "cancelled ", 10) == 0 ? NULL : "error.txt does not say that it was cancelled";
}

/* Returns how many calls there were. */
static int64_t kill_verb(const char *verb, const char *spool, int64_t point, int number)
{
    struct faults faults = {.kill_at = point, .counter = new_counter()};
    char log[PATH], job[64];
    submit(spool, number);
    snprintf(job, sizeof job, "job-%d", number);
    const char *words[] = {verb, "--spool", spool, job, strcmp(verb, "priority") == 0 ? "7" : NULL, NULL};
    wait_for(start(join(log, "%s.log", spool), &faults, words));
    return counted();
}

static int64_t kill_cancel(const char *spool, int64_t point, int number)
{
    return kill_verb("cancel", spool, point, number);
}

static void prioritise_everywhere(int kind, int points, const char *what)
{
    char spool[PATH];
    static int number[MOST_POINTS];
    int jobs = 1;
    number[0] = kind;
    join(spool, "%s/priority-%d", base, kind);
    wait_for(start_watcher(spool, "1", true, NULL));
    int64_t last = kill_verb("priority", spool, INT64_MAX, kind);
    double step = points > 0 && points < last ? (double)last / points : 1.0;
    for (double point = 1 + step * random_number(); point <= (double)last; point += step, jobs++) {
        number[jobs] = number[jobs - 1] + KINDS;
        kill_verb("priority", spool, (int64_t)point, number[jobs]);
    }
    drain(spool, what);
    verify(spool, jobs, number, what);
}

/* A watcher files the job. */
static int64_t kill_canceller(const char *spool, int64_t point, int number)
{
    char path[PATH];
    struct faults faults = {.kill_at = point, .counter = new_counter()};
    submit(spool, number);
    write_text(join(path, "%s/new/job-%d/.cancel", spool, number), "");
    wait_for(start_watcher(spool, "1", true, &faults));
    return counted();
}

static void cancel_everywhere(int kind, int points, int64_t (*try)(const char *spool, int64_t point, int number),
                              bool must, const char *what)
{
    char spool[PATH];
    int number = kind, wrong = 0, jobs = 1;
    join(spool, "%s/cancel-%d-%d", base, kind, must);
    wait_for(start_watcher(spool, "1", true, NULL));
    int64_t last = try(spool, INT64_MAX, number);
    double step = points > 0 && points < last ? (double)last / points : 1.0;
    for (double point = 1 + step * random_number(); point <= (double)last; point += step, jobs++)
        try(spool, (int64_t)point, number += KINDS);
    ok(last > 10, "%s: there are many points at which it can be killed: %d", what, (int)last);
    drain(spool, what);
    for (; number >= kind; number -= KINDS) {
        const char *fault = fault_of_cancelled(spool, number, must || number == kind);
        if (fault && ++wrong <= 5)
            diag("job-%d: %s", number, fault);
    }
    is_int(wrong, 0, "%s: %d jobs are cancelled or done, once, with their input", what, jobs);
}

/* Watchers that cannot go on end; the next one takes over. */
static void fail_calls(int jobs, double rate)
{
    char spool[PATH];
    struct faults faults = {.rate = rate};
    join(spool, "%s/failing", base);
    wait_for(start_watcher(spool, "1", true, NULL));
    for (int number = 0; number < jobs; number++)
        submit(spool, number);
    for (int round = 0; round < 4; round++) {
        pid_t watcher = start_watcher(spool, "2", true, &faults);
        pause_for(0.2 + 0.01 * jobs);
        kill(watcher, round % 2 ? SIGKILL : SIGTERM);
        wait_for(watcher);
    }
    drain(spool, "failing calls");
    verify(spool, jobs, NULL, "failing calls");
}

static bool has_logged(const char *spool, const char *words)
{
    char path[PATH], line[4096];
    FILE *log = fopen(join(path, "%s.log", spool), "r");
    bool found = false;
    while (log && !found && fgets(line, sizeof line, log))
        found = strstr(line, words) != NULL;
    if (log)
        fclose(log);
    return found;
}

/* ---- the spool on a small disk ----------------------------------------------------------------------------------- */

static int command(const char *format, const char *argument)
{
    char line[2 * PATH];
    snprintf(line, sizeof line, format, argument);
    return system(line);
}

static void fill_the_disk(int jobs)
{
    char spool[PATH], path[PATH];
    join(spool, "%s/disk", base);
    make_folder(spool);
    if (command("mount -t tmpfs -o size=2m tmpfs '%s' 2>/dev/null", spool) != 0) {
        skip("a file system cannot be mounted here", "a full disk");
        return;
    }
    join(spool, "%s/disk/spool", base);
    wait_for(start_watcher(spool, "1", true, NULL));
    for (int number = 0; number < jobs; number++)
        submit(spool, number);
    command("head -c 1900k /dev/zero >'%s/ballast' 2>/dev/null", spool);
    pid_t watcher = start_watcher(spool, "2", false, NULL);
    char first[PATH];
    for (int k = 0; k < 600 && !has_logged(spool, "event=paused"); k++)
        pause_for(0.05);
    ok(has_logged(spool, "event=paused"), "a full disk: the watcher takes no more jobs");
    diag("%d jobs done on the full disk", entries(spool, "done", first));
    unlink(join(path, "%s/ballast", spool));
    join(path, "%s/disk", base);
    command("mount -o remount,size=256m '%s'", path);
    pause_for(0.2);
    kill(watcher, SIGTERM);
    is_int(wait_for(watcher), 0, "a full disk: SIGTERM ends the watcher well");
    drain(spool, "a full disk");
    verify(spool, jobs, NULL, "a full disk");
    command("umount '%s'", path);
}

int main(int argc, char **argv)
{
    int kills = argc > 1 ? atoi(argv[1]) : 8, points = argc > 2 ? atoi(argv[2]) : 1;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : (uint64_t)time(NULL) * 2654435761u + (uint64_t)getpid();
    const char *build = getenv("top_builddir"), *folder = getenv("TMPDIR");
    char here[PATH], pattern[PATH];
    if (!getcwd(here, sizeof here))
        bail_out("there is no current folder");
    bool absolute = build && build[0] == '/';
    join(program, "%s/%s/edgewise", absolute ? "" : here, build ? build : ".");
    join(shim, "%s/%s/.libs/libfaults.so", absolute ? "" : here, build ? build : ".");
    if (access(program, X_OK) != 0 || access(shim, R_OK) != 0)
        bail_out("%s or %s has not been built", program, shim);
    if (!mkdtemp(join(pattern, "%s/edgewise-spool.XXXXXX", folder ? folder : "/tmp")))
        bail_out("cannot make a folder: %s", strerror(errno));
    memcpy(base, pattern, sizeof base);
    random_state = seed | 1;
    diag("seed %llu", (unsigned long long)seed);
    kill_at_random(kills);
    kill_everywhere(points);
    cancel_everywhere(FOLDER, 6 * points, kill_cancel, false, "cancel, killed at each call");
    cancel_everywhere(MESH_BEFORE, 6 * points, kill_cancel, false, "cancel of a dropped case, killed at each call");
    cancel_everywhere(FOLDER, 3 * points, kill_canceller, true, "a watcher that cancels, killed at each call");
    prioritise_everywhere(FOLDER, 6 * points, "priority, killed at each call");
    prioritise_everywhere(MESH_BEFORE, 6 * points, "priority of a dropped case, killed at each call");
    fail_calls(kills < 100 ? 16 : 200, 0.02);
    fill_the_disk(kills < 100 ? 16 : 64);
    int status = done_testing();
    if (status == 0)
        command("rm -rf '%s'", base);
    return status;
}
