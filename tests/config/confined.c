/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cases of strangers who own the folder and change it during the reading: no link, device or pipe is opened, and
 * nothing outside the folder is reached. The tests run with openat2, and again in a sandbox that refuses it. Also:
 * pipes as a user's own cases.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2 */
#endif
#include "case-files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#define COPY(name) name " = { kind = \"copy\"; }; "
#define REST "order = 1;\ntime = { end = 1; };\ninitial = { rho = 1; u = 0; v = 0; p = 1; };\n" \
    "boundary = { " COPY("left") COPY("right") COPY("bottom") COPY("top") "};\n"
#define RECTANGLE "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; }; };\n"
#define SQUARE "mesh = \"sub/own.msh\";\n"

static const char *way; /* name of the method of opening, for test names */

static void make_link(const char *to, const char *name)
{
    remove(name);
    if (symlink(to, name) != 0)
        bail_out("cannot link %s", name);
}

/* Reads the case confined to its folder; returns the status, and the sentences in `said`. */
static int read_confined(const char *path, const char *setting, struct said *said, ew_case **that)
{
    const char *const settings[] = {setting};
    const ew_case_options options = {.settings = setting ? 1 : 0, .setting = settings, .confined = 1,
                                     .report = listen_to, .report_context = said};
    ew_error error = {.message = ""};
    *said = (struct said){.sentences = 0};
    *that = NULL;
    int status = ew_case_read(NULL, path, &options, that, &error);
    if (said->sentences == 0)
        listen_to(said, error.message);
    return status;
}

static void refuses(const char *path, const char *setting, const char *part, const char *name)
{
    struct said said;
    ew_case *that;
    int status = read_confined(path, setting, &said, &that);
    ok(status == EW_EIO || status == EW_ECONFIG, "%s: %s is refused", way, name);
    contains(said.text, part, "%s: ... with the reason", way);
    ok(!strstr(said.text, "secret"), "%s: ... and without a word of what it leads to", way);
    ew_case_destroy(that);
}

static void reads(const char *path, const char *name)
{
    struct said said;
    ew_case *that;
    if (!ok(read_confined(path, NULL, &said, &that) == EW_OK, "%s: %s is read", way, name))
        diag("%s", said.text);
    ew_case_destroy(that);
}

/* ---- what lies there --------------------------------------------------------------------------------------------- */

static void check_cases(void)
{
    write_text("job/plain.cfg", SQUARE REST);
    reads("job/plain.cfg", "a case with a mesh in a folder within its own");
    make_link("../secret.cfg", "job/link.cfg");
    refuses("job/link.cfg", NULL, "it is a link", "a link in the place of the case");
    mkfifo("job/pipe.cfg", 0600);
    refuses("job/pipe.cfg", NULL, "it is not a regular file", "a pipe in the place of the case");
    make_link("/dev/zero", "job/device.cfg");
    refuses("job/device.cfg", NULL, "it is a link", "a device in the place of the case");
    refuses("job/sub", NULL, "it is not a regular file", "a folder in the place of the case");
    refuses("job/none.cfg", NULL, "No such file", "a case that is not there");
}

static void check_meshes(void)
{
    make_link("own.msh", "job/sub/link.msh");
    make_link("sub", "job/bend");
    mkfifo("job/pipe.msh", 0600);
    refuses("job/plain.cfg", "mesh=\"sub/link.msh\"", "it is a link", "a mesh that is a link");
    refuses("job/plain.cfg", "mesh=\"bend/own.msh\"", "it is a link", "a mesh behind a link");
    refuses("job/plain.cfg", "mesh=\"pipe.msh\"", "it is not a regular file", "a mesh that is a pipe");
    refuses("job/plain.cfg", "mesh=\"sub\"", "it is not a regular file", "a mesh that is a folder");
    refuses("job/plain.cfg", "mesh=\"/dev/zero\"", "absolute", "an absolute path");
    refuses("job/plain.cfg", "mesh=\"../foreign.msh\"", "leads out", "a path upwards");
    refuses("job/plain.cfg", "mesh=\"sub/../../foreign.msh\"", "leads out", "a path upwards in its middle");
    refuses("job/plain.cfg", "mesh=\"sub/\"", "cannot be read", "a path that ends in a slash");
    refuses("job/plain.cfg", "mesh=\"plain.cfg/own.msh\"", "Not a directory", "a file in the place of a folder");
    refuses("job/plain.cfg", "mesh=\"no/own.msh\"", "No such file", "a mesh that is not there");
}

/* ---- what changes meanwhile -------------------------------------------------------------------------------------- */

struct swapper {
    pthread_t thread;
    const char *one, *other;
    atomic_bool ends;
};

static void *swap(void *argument)
{
    struct swapper *swapper = argument;
    while (!atomic_load(&swapper->ends))
        renameat2(AT_FDCWD, swapper->one, AT_FDCWD, swapper->other, RENAME_EXCHANGE);
    return NULL;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* True if the case's text, the mesh's size or a sentence shows the contents of the file behind the link, `foreign`. */
static bool is_foreign(const ew_case *that, const struct said *said)
{
    ew_case_info info = {.source = ""};
    ew_mesh_info mesh = {.elements = 2};
    if (that) {
        ew_case_get_info(that, &info);
        ew_mesh_get_info(ew_case_mesh(that), &mesh);
    }
    return strstr(said->text, "secret") || strstr(info.source, "secret") || mesh.elements != 2;
}

/* Swaps the two names as fast as possible while the case is read again and again. */
static void swaps(const char *one, const char *other, const char *name)
{
    struct swapper swapper = {.one = one, .other = other};
    int whole = 0, refused = 0, foreign = 0;
    atomic_init(&swapper.ends, false);
    if (pthread_create(&swapper.thread, NULL, swap, &swapper) != 0)
        bail_out("no threads");
    for (double end = now() + 0.3; now() < end || (whole == 0 && now() < end + 20);) {
        struct said said;
        ew_case *that;
        int status = read_confined("job/swapped.cfg", NULL, &said, &that);
        whole += status == EW_OK;
        refused += status != EW_OK;
        foreign += is_foreign(that, &said);
        ew_case_destroy(that);
    }
    atomic_store(&swapper.ends, true);
    pthread_join(swapper.thread, NULL);
    diag("%s, %s: %d times read, %d times refused", way, name, whole, refused);
    is_int(foreign, 0, "%s: %s never shows the other's text or mesh", way, name);
    ok(whole > 0, "%s: ... and the case itself is read", way);
}

/* Restores both files, because a swap may have left either under either name. */
static void write_anew(const char *path, const char *text)
{
    remove(path);
    write_text(path, text);
}

static void check_swaps(void)
{
    write_text("job/swapped.cfg", SQUARE REST);
    make_link("../secret.cfg", "job/.link");
    swaps("job/swapped.cfg", "job/.link", "a case that becomes a link");
    write_anew("job/swapped.cfg", SQUARE REST);
    make_link("../../secret.msh", "job/sub/.link");
    swaps("job/sub/own.msh", "job/sub/.link", "a mesh that becomes a link");
    write_anew("job/sub/own.msh", square_mesh);
    make_link("../other", "job/.other");
    swaps("job/sub", "job/.other", "a folder that becomes a link");
}

static void remove_job(void)
{
    static const char *const files[] = {"plain.cfg", "link.cfg", "pipe.cfg", "device.cfg", "bend", "pipe.msh",
                                        "swapped.cfg", ".link", "sub/own.msh", "sub/link.msh", "sub/.link",
                                        ".other/own.msh", ".other/link.msh", ".other/.link", "sub", ".other"};
    char path[64];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "job/%s", files[k]);
        remove(path);
    }
    rmdir("job");
}

static void check_confined(const char *name)
{
    way = name;
    mkdir("job", 0700);
    mkdir("job/sub", 0700);
    write_text("job/sub/own.msh", square_mesh);
    check_cases();
    check_meshes();
    check_swaps();
    remove_job();
}

static void write_foreign(void)
{
    char mesh[sizeof square_mesh + 64];
    mkdir("other", 0700);
    write_text("secret.cfg", "title = \"secret\";\n" RECTANGLE REST "secret = 1;\n");
    /* one triangle */
    snprintf(mesh, sizeof mesh, "%s", square_mesh);
    memcpy(strstr(mesh, "3 1 2 3 3 3 4"), "3 1 2 4 4 3 1", 13);
    char *rest = strstr(mesh, "4 1 2 4 4 4 1");
    memmove(rest, strstr(mesh, "5 2 2"), strlen("5 2 2 0 1 1 2 3\n"));
    memcpy(rest + strlen("5 2 2 0 1 1 2 3\n"), "$EndElements\n", sizeof "$EndElements\n");
    memcpy(strstr(mesh, "$Elements\n6"), "$Elements\n4", 11);
    write_text("secret.msh", mesh);
    write_text("other/own.msh", mesh);
}

/* False: this system cannot install the filter. */
static bool refuse_openat2(void)
{
#ifdef SYS_openat2
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return false;
#endif
}

/* ---- the user's own ---------------------------------------------------------------------------------------------- */

static int read_own(const char *path, struct said *said)
{
    const ew_case_options options = {.report = listen_to, .report_context = said};
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    *said = (struct said){.sentences = 0};
    int status = ew_case_read(NULL, path, &options, &that, &error);
    if (said->sentences == 0)
        listen_to(said, error.message);
    ew_case_destroy(that);
    return status;
}

static void check_pipes(void)
{
    struct said said;
    int ends[2];
    char path[64];
    mkfifo("pipe.cfg", 0600);
    is_int(read_own("pipe.cfg", &said), EW_EIO, "a case that is a pipe without a writer does not wait");
    contains(said.text, "a pipe that nobody writes to", "... and says so");
    write_text("own.cfg", RECTANGLE REST "@include \"pipe.cfg\"\n");
    is_int(read_own("own.cfg", &said), EW_ECONFIG, "an included pipe is refused");
    contains(said.text, "own.cfg:6: cannot read the included file \"pipe.cfg\": it is not a regular file", "... at its "
             "line");
    if (pipe(ends) != 0 || write(ends[1], RECTANGLE REST, strlen(RECTANGLE REST)) < 0)
        bail_out("no pipe");
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    ok(read_own(path, &said) == EW_OK, "a case may come through a pipe");
    close(ends[0]);
}

int main(void)
{
    enter_test_folder();
    write_foreign();
    check_pipes();
    check_confined("openat2");
    if (refuse_openat2())
        check_confined("a folder at a time");
    else
        skip("there is no seccomp here", "a folder at a time");
    leave_test_folder((const char *const[]){"secret.cfg", "secret.msh", "other/own.msh", "other", "pipe.cfg", "own.cfg",
                                            NULL});
    return done_testing();
}
