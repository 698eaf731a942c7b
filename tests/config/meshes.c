/* SPDX-License-Identifier: BSD-2-Clause */
/* Meshes that cases share: which cases share one, in several threads, and meshes that cannot be made. */
#include "case-files.h"

#include <pthread.h>

#define COPY(name) name " = { kind = \"copy\"; }; "
#define REST "order = 1;\ntime = { end = 1; };\ninitial = { rho = 1; u = 0; v = 0; p = 1; };\n"
#define OPEN "boundary = { " COPY("left") COPY("right") COPY("bottom") COPY("top") "};\n"
#define ROUND "boundary = { left = { kind = \"periodic\"; with = \"right\"; }; " COPY("bottom") COPY("top") "};\n"
#define RECTANGLE "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; }; };\n"
#define BENT "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; jitter = 0.5; }; };\n"
#define NAMED "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; left = \"inflow\"; }; };\n"
#define INFLOW "boundary = { " COPY("inflow") COPY("right") COPY("bottom") COPY("top") "};\n"

static ew_case *read_case(const char *text, ew_meshes *meshes)
{
    const ew_case_options options = {.meshes = meshes};
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    write_text("case.cfg", text);
    if (ew_case_read(NULL, "case.cfg", &options, &that, &error) != EW_OK)
        bail_out("%s", error.message);
    return that;
}

static ew_meshes *new_meshes(void)
{
    ew_meshes *meshes = NULL;
    if (ew_meshes_create(NULL, &meshes, NULL) != EW_OK)
        bail_out("no list of meshes");
    return meshes;
}

static void check_pair(const char *first, const char *second, bool same, const char *name)
{
    ew_meshes *meshes = new_meshes();
    ew_case *one = read_case(first, meshes), *two = read_case(second, meshes);
    ok((ew_case_mesh(one) == ew_case_mesh(two)) == same, "%s", name);
    ew_case_destroy(one);
    ew_mesh_info info;
    ew_mesh_get_info(ew_case_mesh(two), &info);
    is_int(info.elements > 0, 1, "%s: the other case's end leaves the mesh", name);
    ew_case_destroy(two);
    ew_meshes_destroy(meshes);
}

static void check_files(void)
{
    ew_meshes *meshes = new_meshes();
    write_text("a.msh", square_mesh);
    ew_case *one = read_case("mesh = \"a.msh\";\n" REST OPEN, meshes);
    ew_case *two = read_case("mesh = \"./a.msh\";\n" REST OPEN, meshes);
    ok(ew_case_mesh(one) == ew_case_mesh(two), "two names of one file are one mesh");
    write_text("b.msh", square_mesh);
    if (rename("b.msh", "a.msh") != 0)
        bail_out("cannot rename a.msh");
    ew_case *three = read_case("mesh = \"a.msh\";\n" REST OPEN, meshes);
    ok(ew_case_mesh(three) != ew_case_mesh(one), "a file that has been replaced is another mesh");
    const ew_mesh *before = ew_case_mesh(three);
    ew_case_destroy(three);
    three = read_case("mesh = \"a.msh\";\n" REST OPEN, meshes);
    ok(ew_case_mesh(three) == before, "a mesh without a case is kept for the next one");
    ew_case_destroy(one);
    ew_case_destroy(two);
    ew_case_destroy(three);
    ew_meshes_destroy(meshes);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 8 };

struct user {
    pthread_t thread;
    ew_meshes *meshes;
    ew_case *that;
    int status;
};

static void *use(void *argument)
{
    struct user *user = argument;
    const ew_case_options options = {.meshes = user->meshes};
    user->status = ew_case_read(NULL, "case.cfg", &options, &user->that, NULL);
    return NULL;
}

static void read_at_once(struct user *user, const char *text)
{
    ew_meshes *meshes = new_meshes();
    write_text("case.cfg", text);
    for (int k = 0; k < THREADS; k++) {
        user[k] = (struct user){.meshes = meshes};
        if (pthread_create(&user[k].thread, NULL, use, &user[k]) != 0)
            bail_out("no threads");
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(user[k].thread, NULL);
}

static void check_threads(void)
{
    struct user user[THREADS];
    int same = 0, failed = 0;
    read_at_once(user, RECTANGLE REST OPEN);
    for (int k = 0; k < THREADS; k++)
        same += user[k].status == EW_OK && ew_case_mesh(user[k].that) == ew_case_mesh(user[0].that);
    is_int(same, THREADS, "threads get one mesh");
    for (int k = 0; k < THREADS; k++)
        ew_case_destroy(user[k].that);
    ew_meshes_destroy(user[0].meshes);
    write_text("a.msh", "$MeshFormat\n");
    read_at_once(user, "mesh = \"a.msh\";\n" REST OPEN);
    for (int k = 0; k < THREADS; k++)
        failed += user[k].status == EW_EMESH || user[k].status == EW_ECONFIG;
    is_int(failed, THREADS, "a mesh that cannot be made fails in each of them");
    ew_meshes_destroy(user[0].meshes);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Reads two cases with a limited number of allocations, and returns the status of reading or of creating the list. */
static int read_two(const ew_host *host, ew_error *error)
{
    ew_meshes *meshes = NULL;
    ew_case *that[2] = {NULL, NULL};
    int status = ew_meshes_create(host, &meshes, error);
    const ew_case_options options = {.meshes = meshes};
    for (int k = 0; status == EW_OK && k < 2; k++)
        status = ew_case_read(host, "case.cfg", &options, &that[k], error);
    ew_case_destroy(that[0]);
    ew_case_destroy(that[1]);
    ew_meshes_destroy(meshes);
    return status;
}

static void check_memory(void)
{
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    int status = EW_ENOMEM, wrong = 0;
    int64_t limit = 0;
    write_text("case.cfg", RECTANGLE REST ROUND);
    for (; status == EW_ENOMEM && limit < 100000; limit++) {
        ew_error error = {.message = ""};
        memory = (struct memory){.fail_at = limit + 1};
        status = read_two(&host, &error);
        wrong += (status == EW_ENOMEM && !strstr(error.message, "memory")) || memory.blocks != 0;
    }
    is_int(status, EW_OK, "with enough memory both cases are read");
    is_int(wrong, 0, "without memory it says so and keeps none (%lld times)", (long long)limit);
}

int main(void)
{
    static const char *const files[] = {"case.cfg", "a.msh", NULL};
    enter_test_folder();
    check_pair(RECTANGLE REST OPEN, REST RECTANGLE OPEN, true, "equal rectangles are one mesh");
    check_pair(RECTANGLE REST OPEN, BENT REST OPEN, false, "another jitter makes another mesh");
    check_pair(RECTANGLE REST OPEN, RECTANGLE REST ROUND, false, "periodic boundaries make another mesh");
    check_pair(RECTANGLE REST ROUND, RECTANGLE REST ROUND, true, "equal periodic boundaries are one mesh");
    check_pair(RECTANGLE REST OPEN, NAMED REST INFLOW, false, "other names of boundaries make another mesh");
    check_files();
    check_threads();
    check_memory();
    leave_test_folder(files);
    return done_testing();
}
