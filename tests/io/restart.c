/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Restart files: a resumed run has the bits of an uninterrupted one; every error in a file is reported and changes
 * nothing.
 */
#include "edgewise-case.h"
#include "ewi_fields.h"
#include "helpers.h"

#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SETTINGS = 12 };

static const char base_text[] =
    "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [5, 4]; jitter = 0.3; }; };\n"
    "order = 2;\n"
    "time = { end = 0.2; };\n"
    "initial = { rho = \"1 + 0.1*sin(3*x - t/2)\"; u = \"0.5 + 0.1*y\"; v = \"0.1*x\"; p = \"1 + 0.1*x*y\"; };\n"
    "exact = \"initial\";\n"
    "boundary = { left = { kind = \"state\"; state = \"exact\"; }; right = { kind = \"copy\"; };\n"
    "             top = { kind = \"wall\"; }; bottom = { kind = \"far\"; state = \"initial\"; }; };\n"
    "output = { fields = { every = 0.03; }; raster = { cells = [7, 5]; window = [-1, 0, 2, 2]; }; };\n";

static const char advection_text[] =
    "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [5, 4]; jitter = 0.3; }; };\n"
    "law = { name = \"advection\"; velocity = [\"1\", \"0\"]; };\n"
    "order = 2;\n"
    "time = { end = 0.2; };\n"
    "initial = { u = \"x\"; };\n"
    "boundary = { left = { kind = \"copy\"; }; right = { kind = \"copy\"; }; top = { kind = \"copy\"; };\n"
    "             bottom = { kind = \"copy\"; }; };\n";

static ew_error error;

static void expect(int status, const char *what)
{
    if (status != EW_OK)
        bail_out("%s: %s", what, error.message);
}

/* ---- a host that counts, fails and listens ----------------------------------------------------------------------- */

static struct memory memory;
static char told[4096];

static void listen(void *context, int level, const char *sentence)
{
    (void)context;
    size_t length = strlen(told);
    if (level == EW_LOG_WARNING)
        snprintf(told + length, sizeof told - length, "%s%s", length > 0 ? "\n" : "", sentence);
}

static ew_host host; /* main makes it */

/* ---- cases and solvers ------------------------------------------------------------------------------------------- */

struct setup {
    ew_case *that;
    ew_solver *solver;
};

static struct setup make_from(const char *path, const char *settings)
{
    struct setup setup;
    char text[1024];
    const char *setting[MOST_SETTINGS];
    snprintf(text, sizeof text, "%s", settings);
    ew_case_options options = {.setting = setting};
    for (char *word = strtok(text, ";"); word; word = strtok(NULL, ";"))
        setting[options.settings++] = word;
    expect(ew_case_read(NULL, path, &options, &setup.that, &error), "reading the case");
    expect(ew_solver_create(NULL, ew_case_mesh(setup.that), ew_case_problem(setup.that), &setup.solver, &error),
           "the solver");
    return setup;
}

static struct setup make(const char *settings)
{
    return make_from("base.cfg", settings);
}

static void unmake(struct setup *setup)
{
    ew_solver_destroy(setup->solver);
    ew_case_destroy(setup->that);
}

static uint64_t hash_of(struct setup *setup)
{
    uint64_t hash;
    expect(ew_solver_hash(setup->solver, &hash, &error), "the hash");
    return hash;
}

static void step(struct setup *setup, int64_t steps)
{
    expect(ew_solver_advance(setup->solver, INFINITY, steps, NULL, &error), "advancing");
}

static void write_restart(struct setup *setup, ew_fields *fields)
{
    expect(ew_restart_write(NULL, "a.nc", ew_case_plan(setup->that), setup->solver, fields, &error),
           "writing a restart file");
}

static bool same_moment(const struct setup *a, const struct setup *b)
{
    ew_moment first, second;
    ew_solver_moment(a->solver, &first);
    ew_solver_moment(b->solver, &second);
    return memcmp(&first, &second, sizeof first) == 0;
}

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

/* One run stops after 7 of 20 steps, with some settings; another one resumes from there with others. */
static void check_bits(const char *both, const char *before, const char *after)
{
    char settings[2][512];
    snprintf(settings[0], sizeof settings[0], "%s;%s", both, before);
    snprintf(settings[1], sizeof settings[1], "%s;%s", both, after);
    struct setup whole = make(settings[0]), next = make(settings[1]);
    step(&whole, 7);
    write_restart(&whole, NULL);
    step(&whole, 13);
    ew_restart_info info;
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(next.that), next.solver, &info, &error),
           "reading a restart file");
    is_int(ew_solver_steps(next.solver), 7, "%s; %s, then %s: the steps are counted on", both, before, after);
    step(&next, 13);
    ok(hash_of(&whole) == hash_of(&next), "... the state has the same bits");
    ok(same_moment(&whole, &next), "... time, steps, length and change of the last step are the same");
    unmake(&whole);
    unmake(&next);
}

static void test_bits(void)
{
    static const char *const both[] = {"order=1",
                                       "order=1;limiter=\"barth-jespersen\";time.scheme=\"rk2\"",
                                       "order=2;time.steady=1e-30",
                                       "order=3;flux=\"hllc\"",
                                       "order=4;time.scheme=\"ssprk54\"",
                                       "order=5;flux=\"roe\"",
                                       "order=2;positivity=true;time.scheme=\"ssprk32\"",
                                       "order=3;time.scheme=\"rk43\""};
    for (size_t k = 0; k < sizeof both / sizeof *both; k++) {
        check_bits(both[k], "backend.threads=1", "backend.threads=2");
        check_bits(both[k], "backend.kernels=\"edgewise\";backend.tile=-1", "backend.kernels=\"fused\"");
        check_bits(both[k], "backend.level=\"base\"", "backend.kernels=\"edgewise\";backend.level=\"scalar\"");
    }
}

/* The length and change of the last step are known at once, as if this solver had taken it. */
static void test_moment(void)
{
    struct setup first = make("time.steady=1e-30"), next = make("time.steady=1e-30");
    write_restart(&first, NULL);
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(next.that), next.solver, NULL, &error),
           "a restart file before the first step");
    step(&first, 4);
    step(&next, 4);
    ok(hash_of(&first) == hash_of(&next), "a restart file of the initial state goes on, too");
    write_restart(&first, NULL);
    step(&next, 3);
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(next.that), next.solver, NULL, &error), "going back");
    ok(same_moment(&first, &next) && hash_of(&first) == hash_of(&next), "a solver can be put back");
    unmake(&first);
    unmake(&next);
}

static void test_order(void)
{
    struct setup first = make("order=3");
    step(&first, 5);
    write_restart(&first, NULL);
    ew_mesh_info mesh;
    ew_mesh_get_info(ew_case_mesh(first.that), &mesh);
    double from[40 * 4 * 10], to[40 * 4 * 21];
    is_int(mesh.elements, 40, "the mesh");
    expect(ew_solver_get_coefficients(first.solver, from, &error), "coefficients");
    for (int order = 1; order <= 5; order++) {
        char settings[32];
        snprintf(settings, sizeof settings, "order=%d", order);
        struct setup next = make(settings);
        ew_restart_info info;
        told[0] = '\0';
        int status = ew_restart_read(&host, "a.nc", ew_case_plan(next.that), next.solver, &info, &error);
        expect(ew_solver_get_coefficients(next.solver, to, &error), "coefficients");
        int basis = (order + 1) * (order + 2) / 2, wrong = 0;
        for (int row = 0; row < 40 * 4; row++)
            for (int j = 0; j < basis; j++)
                wrong += to[row * basis + j] != (j < 10 ? from[row * 10 + j] : 0.0);
        ok(status == EW_OK && wrong == 0 && info.order == 3, "order 3 goes on as order %d: modes are cut off or 0",
           order);
        contains(told, order == 3 ? "" : "(was 3)", "... and that is told");
        is_int(ew_solver_advance(next.solver, INFINITY, 2, NULL, &error), EW_OK, "... and goes on");
        unmake(&next);
    }
    unmake(&first);

    first = make("order=2;time.scheme=\"rk2\"");
    struct setup limited = make("order=1;limiter=\"barth-jespersen\";time.scheme=\"rk2\""),
                 plain = make("order=1;time.scheme=\"rk2\"");
    write_restart(&first, NULL);
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(limited.that), limited.solver, NULL, &error),
           "order 2 as limited order 1");
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(plain.that), plain.solver, NULL, &error), "order 2 as order 1");
    ok(hash_of(&limited) != hash_of(&plain), "a state that is cut to order 1 is limited, if the case has a limiter");
    unmake(&first);
    unmake(&limited);
    unmake(&plain);
}

/* ---- what does not fit, what is wrong ---------------------------------------------------------------------------- */

/* A solver that refuses a file does not change. */
static void refuses(struct setup *setup, const char *path, int code, const char *part, const char *what)
{
    uint64_t before = hash_of(setup);
    is_int(ew_restart_read(NULL, path, ew_case_plan(setup->that), setup->solver, NULL, &error), code, "%s is refused",
           what);
    contains(error.message, part, "... the sentence says \"%s\"", part);
    ok(hash_of(setup) == before && ew_solver_steps(setup->solver) == 2, "... and the solver is as it was");
}

static void test_mismatch(void)
{
    static const struct {
        const char *settings, *part, *what;
    } table[] = {
        {"mesh.rectangle.cells=[5,5]", "its mesh has 40 elements, the case's has 50",
         "a mesh of another size"},
        {"mesh.rectangle.seed=2", "other coordinates", "a mesh with other nodes"},
        {"mesh.rectangle.corners=[0.0,0.0,2.5,1.0]", "x 0 .. 2, y 0 .. 1, the case's in x 0 .. 2.5",
         "a mesh of another domain"},
        {"mesh.rectangle.left=\"top\";mesh.rectangle.top=\"left\"",
         "\"bottom right top left\", the case's mesh has \"bottom right left top\"", "a mesh with other boundaries"},
    };
    struct setup first = make("");
    step(&first, 2);
    write_restart(&first, NULL);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct setup other = make(table[k].settings);
        step(&other, 2);
        refuses(&other, "a.nc", EW_EMESH, table[k].part, table[k].what);
        unmake(&other);
    }
    struct setup other = make_from("advection.cfg", "");
    step(&other, 2);
    refuses(&other, "a.nc", EW_ECONFIG, "is of the law \"euler\"; the case's law is \"advection\"", "another law");
    unmake(&other);

    other = make("law={name=\"euler\",gamma=1.5};flux=\"roe\";time.cfl=0.25");
    told[0] = '\0';
    is_int(ew_restart_read(&host, "a.nc", ew_case_plan(other.that), other.solver, NULL, &error), EW_OK,
           "another flux is no error");
    contains(told, "flux roe (was llf), cfl 0.25 (was 0.752), gamma 1.5 (was 1.4)", "... but told");
    unmake(&other);
    unmake(&first);
}

/* Reads the file of order 2 after two steps with a case with these settings. */
static const char *told_of(const char *before, const char *settings)
{
    struct setup first = make(before), next = make(settings);
    step(&first, 2);
    write_restart(&first, NULL);
    told[0] = '\0';
    is_int(ew_restart_read(&host, "a.nc", ew_case_plan(next.that), next.solver, NULL, &error), EW_OK,
           "%s, then %s: the file is read", before, settings);
    unmake(&first);
    unmake(&next);
    return told;
}

static void test_other_text(void)
{
    static const char state[] = "the state and its time, t = 0.0";
    const char *sentence = told_of("", "initial.rho=2;let={a=3};boundary.right.kind=\"wall\"");
    contains(sentence, "the run resumes from a.nc with other settings: initial.rho 2 (was 1 + 0.1*sin(3*x - t/2)), ",
             "another initial state is told");
    contains(sentence, "boundary.right.kind wall (was copy)", "... and another boundary");
    contains(sentence, "let.a 3 (was not given)", "... and what was not there");
    contains(sentence, state, "... and that the state is the file's");
    contains(sentence, "come from a.nc; initial and time.start do not apply", "... whatever the case has");
    sentence = told_of("let={a=3};order=1;flux=\"roe\"", "order=1;time.start=-1");
    contains(sentence, "flux llf (was roe), time.start -1 (was not given), let.a not given (was 3)",
             "flux, start, and what is no longer there");
    contains(sentence, state, "... and that the time is the file's");
    sentence = told_of("let={a=3}", "let={a=\"3.5*2\"}");
    contains(sentence, "let.a 3.5*2 (was 3)", "another let");
    ok(!strstr(sentence, state), "... which may be meant for anything");
    is_str(told_of("let={a=3};boundary.top.ghost=\"mirror\"",
                   "let={a=\"3\"};boundary.top={ghost=\"mirror\",kind=\"wall\"};time.end=3;title=\"x\";output.fields."
                   "every=0.1;backend.threads=1"),
           "", "the same values in another order or notation, another end, output or backend: nothing is told");
    char longest[1024] = "let={";
    for (int k = 0; k < 10; k++)
        snprintf(longest + strlen(longest), sizeof longest - strlen(longest),
                 "a%d=\"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1\"%s", k, k < 9 ? "," : "}");
    sentence = told_of("", longest);
    contains(sentence, ", and more", "what is too much for a sentence is not told");
}

static void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
        bail_out("cannot write %s", path);
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(1 << 20);
    if (!file || !text)
        bail_out("cannot read %s", path);
    *length = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static void reseal(const char *path)
{
    struct stat info;
    int descriptor = open(path, O_RDWR);
    if (descriptor < 0 || fstat(descriptor, &info) != 0 || ftruncate(descriptor, info.st_size - EWI_SEAL) != 0)
        bail_out("cannot change %s", path);
    expect(ewi_seal(descriptor, path, &error), "sealing");
    close(descriptor);
}

static void test_foreign(void)
{
    struct setup setup = make("");
    step(&setup, 2);
    refuses(&setup, "nowhere.nc", EW_EIO, "nowhere.nc: No such file", "a file that is not there");
    mkdir("folder.nc", 0777);
    refuses(&setup, "folder.nc", EW_EIO, "folder.nc", "a folder");
    rmdir("folder.nc");
    write_text("b.nc", "", 0);
    refuses(&setup, "b.nc", EW_EIO, "b.nc", "an empty file");
    write_text("b.nc", "# not this one\n", 15);
    refuses(&setup, "b.nc", EW_EIO, "b.nc is not a restart file of edgewise", "a text");
    int file;
    nc_create("b.nc", NC_NETCDF4 | NC_CLOBBER, &file);
    nc_close(file);
    refuses(&setup, "b.nc", EW_EIO, "it has no attribute edgewise_format", "a netCDF file of another program");
    ew_fields *fields;
    expect(ew_fields_create(NULL, "b.nc", ew_case_plan(setup.that), setup.solver, &fields, &error), "fields");
    expect(ew_fields_close(fields, "complete", &error), "fields");
    ew_fields_destroy(fields);
    refuses(&setup, "b.nc", EW_EIO, "it has no frame", "fields without a frame");

    write_restart(&setup, NULL);
    rename("a.nc", "b.nc");
    nc_open("b.nc", NC_WRITE, &file);
    nc_put_att_longlong(file, NC_GLOBAL, "format", NC_INT64, 1, (long long[]){7});
    nc_close(file);
    reseal("b.nc");
    refuses(&setup, "b.nc", EW_EUNAVAILABLE, "which reads format 1", "a file of a newer version");
    unlink("b.nc");
    unmake(&setup);
}

/* Missing or wrong bytes, anywhere. */
static void test_damage(void)
{
    struct setup setup = make("order=1"), next = make("order=1");
    step(&setup, 2);
    step(&next, 3);
    write_restart(&setup, NULL);
    size_t length;
    char *text = read_text("a.nc", &length), *spoilt = malloc(length);
    uint64_t other = hash_of(&next);
    int refused = 0, tried = 0;
    uint32_t seed = 12345;
    bool slow = long_checks();
    size_t cuts = slow ? 7 : 23, coarse_cuts = slow ? 501 : 997, bytes = slow ? 3 : 13, coarse_bytes = slow ? 57 : 211;
    for (size_t cut = 0; cut < length; cut += cut < 600 || cut + 64 > length ? cuts : coarse_cuts, tried++) {
        write_text("b.nc", text, cut);
        refused += ew_restart_read(NULL, "b.nc", ew_case_plan(next.that), next.solver, NULL, &error) == EW_EIO;
    }
    is_int(refused, tried, "a truncated file is refused, wherever it ends");
    tried = refused = 0;
    for (size_t at = 0; at < length; at += at < 4096 || at + 64 > length ? bytes : coarse_bytes, tried++) {
        memcpy(spoilt, text, length);
        seed = seed * 1664525u + 1013904223u;
        spoilt[at] = (char)(spoilt[at] ^ (char)(1 + (seed >> 24) % 255));
        write_text("b.nc", spoilt, length);
        refused += ew_restart_read(NULL, "b.nc", ew_case_plan(next.that), next.solver, NULL, &error) == EW_EIO;
    }
    is_int(refused, tried, "a file with a wrong byte is refused, wherever that is");
    ok(hash_of(&next) == other, "... and the solver is as it was");
    free(spoilt);
    free(text);
    unlink("b.nc");
    unmake(&setup);
    unmake(&next);
}

/* ---- looking at it ----------------------------------------------------------------------------------------------- */

static const double viewed[4][2] = {{0, 0}, {0.2, 0.3}, {1, 0}, {0.1, 0.85}};

/* Reads the solver's own values from the file; returns the largest difference. */
static double view_difference(struct setup *setup, const ew_results *results)
{
    enum { MOST = 60 * 4 * EW_MAX_VARIABLES };
    static double own[MOST], values[60 * 4];
    double most = 0;
    ew_results_info info;
    ew_solver_info solver;
    ew_results_get_info(results, &info);
    ew_solver_get_info(setup->solver, &solver);
    for (int primitive = 0; primitive < 2; primitive++) {
        expect(ew_solver_sample(setup->solver, 0, info.elements, 4, &viewed[0][0], primitive, own, &error), "sampling");
        for (int m = 0; m < solver.law->variables; m++) {
            int field = -1;
            expect(ew_results_find(results, primitive ? solver.law->primitive[m] : solver.law->conserved[m], &field,
                                   &error),
                   "a field");
            expect(ew_results_sample(results, 0, field, 0, info.elements, 4, &viewed[0][0], values, &error),
                   "the file's values");
            for (int64_t k = 0; k < 4 * info.elements; k++)
                most = fmax(most, fabs(values[k] - own[k * solver.law->variables + m]));
        }
    }
    return most;
}

static void test_view(void)
{
    for (int order = 1; order <= 6; order++) {
        char settings[32];
        snprintf(settings, sizeof settings, "order=%d", order < 6 ? order : 3);
        struct setup setup = make_from(order < 6 ? "base.cfg" : "advection.cfg", settings);
        ew_results *results = NULL;
        ew_results_info info;
        step(&setup, 3);
        write_restart(&setup, NULL);
        expect(ew_results_open(NULL, "a.nc", &results, &error), "a restart file is opened to be looked at");
        ew_results_get_info(results, &info);
        double most = view_difference(&setup, results);
        ok(most < 1e-12, "%s, %s: a restart file has the solver's values (%.2g)", info.law->name, settings, most);
        int64_t steps;
        double time = ew_results_time(results, 0, &steps), corner[6], xy[2 * 60], area = 0;
        int64_t triangle[3 * 60];
        is_int(info.frames, 1, "... one frame");
        ok(time == ew_solver_time(setup.solver) && steps == 3, "... its time and step");
        ew_mesh_get_nodes(ew_case_mesh(setup.that), xy);
        ew_mesh_get_triangles(ew_case_mesh(setup.that), triangle);
        for (int64_t e = 0; e < info.elements; e++) {
            expect(ew_results_corners(results, e, 1, corner, &error), "corners");
            for (int k = 0; k < 3; k++)
                area += memcmp(corner + 2 * k, xy + 2 * triangle[3 * e + k], 2 * sizeof *xy) != 0;
        }
        ok(area == 0, "... and the mesh to the last bit");
        ew_results_close(results);
        unmake(&setup);
    }
}

static void check_view(const char *path, int code, const char *part, const char *what)
{
    ew_results *results = NULL;
    is_int(ew_results_open(NULL, path, &results, &error), code, "%s is not shown", what);
    contains(error.message, part, "... the sentence says \"%s\"", part);
}

static void test_bad_view(void)
{
    int file;
    struct setup setup = make("order=1");
    write_restart(&setup, NULL);
    size_t length;
    char *text = read_text("a.nc", &length);
    write_text("b.nc", text, length - 100);
    check_view("b.nc", EW_EIO, "b.nc", "a truncated restart file");
    text[length / 2] ^= 1;
    write_text("b.nc", text, length);
    check_view("b.nc", EW_EIO, "checksum", "a restart file with a wrong bit");
    text[length / 2] ^= 1;

    write_text("b.nc", text, length);
    nc_open("b.nc", NC_WRITE, &file);
    nc_put_att_longlong(file, NC_GLOBAL, "format", NC_INT64, 1, (long long[]){7});
    nc_close(file);
    reseal("b.nc");
    check_view("b.nc", EW_EUNAVAILABLE, "which reads format 1", "one of a newer version");

    write_text("b.nc", text, length);
    nc_open("b.nc", NC_WRITE, &file);
    nc_redef(file);
    nc_rename_var(file, 1, "node_yx");
    nc_close(file);
    reseal("b.nc");
    check_view("b.nc", EW_EUNAVAILABLE, "has no mesh", "one without a mesh");

    write_text("b.nc", text, length);
    int triangle;
    nc_open("b.nc", NC_WRITE, &file);
    nc_inq_varid(file, "triangle", &triangle);
    nc_put_var1_int(file, triangle, (size_t[]){3, 1}, (int[]){12345678});
    nc_close(file);
    reseal("b.nc");
    check_view("b.nc", EW_EIO, "element 3 has a corner that is nowhere", "one with a node that is not there");
    free(text);
    unlink("b.nc");

    int status = EW_ENOMEM, failures = 0, wrong = 0;
    for (long k = 1; status == EW_ENOMEM; k++, failures++) {
        ew_results *results = NULL;
        memory = (struct memory){.fail_at = k};
        status = ew_results_open(&host, "a.nc", &results, &error);
        ew_results_close(results);
        wrong += memory.blocks != 0;
    }
    memory_allow(&memory, -1);
    ok(status == EW_OK && failures > 5 && wrong == 0, "without memory it is not shown, %d times, and nothing is lost",
       failures - 1);
    unmake(&setup);
}

/* ---- failing ----------------------------------------------------------------------------------------------------- */

static void test_no_memory(void)
{
    struct setup setup = make("");
    step(&setup, 2);
    write_restart(&setup, NULL);
    size_t length, after;
    char *text = read_text("a.nc", &length);
    step(&setup, 2);
    uint64_t before = hash_of(&setup);
    int status = EW_ENOMEM, failures = 0, wrong = 0;
    for (long k = 1; status == EW_ENOMEM; k++, failures++) {
        memory = (struct memory){.fail_at = k};
        status = ew_restart_read(&host, "a.nc", ew_case_plan(setup.that), setup.solver, NULL, &error);
        wrong += status == EW_ENOMEM && hash_of(&setup) != before;
        wrong += memory.blocks != 0;
    }
    ok(status == EW_OK && failures > 2 && wrong == 0, "reading without memory fails %d times and changes nothing",
       failures - 1);
    status = EW_ENOMEM;
    failures = 0;
    for (long k = 1; status == EW_ENOMEM; k++, failures++) {
        memory = (struct memory){.fail_at = k};
        status = ew_restart_write(&host, "a.nc", ew_case_plan(setup.that), setup.solver, NULL, &error);
        char *now = read_text("a.nc", &after);
        wrong += status == EW_ENOMEM && (after != length || memcmp(now, text, length) != 0);
        wrong += memory.blocks != 0 || access("a.nc.part", F_OK) == 0;
        free(now);
    }
    ok(status == EW_OK && failures > 2 && wrong == 0,
       "writing without memory fails %d times and leaves the earlier file", failures - 1);
    memory_allow(&memory, -1);
    free(text);
    unmake(&setup);
}

/* A limit on file sizes simulates a disk that is full at any byte. */
static void test_full_disk(void)
{
    struct setup setup = make("");
    write_restart(&setup, NULL);
    size_t length, after;
    char *text = read_text("a.nc", &length);
    step(&setup, 2);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    int failures = 0, wrong = 0;
    for (size_t room = 0; room < length; room += 333) {
        limit = before;
        limit.rlim_cur = room;
        setrlimit(RLIMIT_FSIZE, &limit);
        int status = ew_restart_write(NULL, "a.nc", ew_case_plan(setup.that), setup.solver, NULL, &error);
        setrlimit(RLIMIT_FSIZE, &before);
        failures++;
        char *now = read_text("a.nc", &after);
        wrong += status != EW_EIO || !strstr(error.message, "limit on the size of files") ||
                 access("a.nc.part", F_OK) == 0;
        wrong += after != length || memcmp(now, text, length) != 0;
        free(now);
    }
    is_int(wrong, 0, "writing that fails after any of %d lengths is an error, and the earlier file is as it was",
           failures);
    is_int(ew_restart_write(NULL, "nowhere/a.nc", ew_case_plan(setup.that), setup.solver, NULL, &error), EW_ECREATE,
           "no folder is an error");
    contains(error.message, "nowhere/a.nc.part: No such file", "... and named");
    free(text);
    unmake(&setup);
}

/* ---- fields that go on ------------------------------------------------------------------------------------------- */

static int64_t frames_of(const char *path)
{
    int file, dimension;
    size_t frames = 0;
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR)
        return -1;
    if (nc_inq_dimid(file, "time", &dimension) != NC_NOERR || nc_inq_dimlen(file, dimension, &frames) != NC_NOERR)
        frames = 0;
    nc_close(file);
    return (int64_t)frames;
}

/* Compares all values of a variable in two files. */
static bool same_values(const char *first, const char *second, const char *name)
{
    const char *const paths[2] = {first, second};
    double *values[2];
    size_t counts[2] = {1, 1};
    for (int k = 0; k < 2; k++) {
        int file, variable, dimensions, dimension[4];
        if (nc_open(paths[k], NC_NOWRITE, &file) != NC_NOERR || nc_inq_varid(file, name, &variable) != NC_NOERR)
            bail_out("there is no %s in %s", name, paths[k]);
        nc_inq_var(file, variable, NULL, NULL, &dimensions, dimension, NULL);
        for (int d = 0; d < dimensions; d++) {
            size_t length;
            nc_inq_dimlen(file, dimension[d], &length);
            counts[k] *= length;
        }
        values[k] = malloc((counts[k] + 1) * sizeof(double));
        nc_get_var_double(file, variable, values[k]);
        nc_close(file);
    }
    bool same = counts[0] == counts[1] && counts[0] > 0 &&
                memcmp(values[0], values[1], counts[0] * sizeof(double)) == 0;
    free(values[0]);
    free(values[1]);
    return same;
}

static void write_frames(struct setup *setup, ew_fields *fields, int frames)
{
    for (int k = 0; k < frames; k++) {
        step(setup, 3);
        expect(ew_fields_write(fields, setup->solver, &error), "a frame");
    }
}

static void write_whole(const char *path, const char *settings, int frames)
{
    struct setup setup = make(settings);
    ew_fields *fields;
    expect(ew_fields_create(NULL, path, ew_case_plan(setup.that), setup.solver, &fields, &error), "fields");
    write_frames(&setup, fields, frames);
    expect(ew_fields_close(fields, "complete", &error), "fields");
    ew_fields_destroy(fields);
    unmake(&setup);
}

/*
 * Writes two frames, a restart file a.nc, and two more frames. Then it ends, or is killed; in that case it runs in a
 * child.
 */
static void write_first_part(bool killed)
{
    struct setup setup = make("");
    ew_fields *fields;
    expect(ew_fields_create(NULL, "w.nc", ew_case_plan(setup.that), setup.solver, &fields, &error), "fields");
    write_frames(&setup, fields, 2);
    write_restart(&setup, fields);
    write_frames(&setup, fields, 2);
    if (killed)
        kill(getpid(), SIGKILL);
    expect(ew_fields_close(fields, "interrupted", &error), "fields");
    ew_fields_destroy(fields);
    unmake(&setup);
}

static int go_on(const char *settings, int frames)
{
    struct setup setup = make(settings);
    ew_restart_info info;
    ew_fields *fields;
    int64_t taken = -1;
    told[0] = '\0';
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(setup.that), setup.solver, &info, &error), "the restart file");
    int status =
        ew_fields_resume(&host, "w.nc", ew_case_plan(setup.that), setup.solver, &info, &fields, &taken, &error);
    if (status == EW_OK) {
        write_frames(&setup, fields, frames);
        expect(ew_fields_close(fields, "complete", &error), "fields");
        ew_fields_destroy(fields);
    }
    unmake(&setup);
    return status == EW_OK ? (int)taken : -1;
}

static void check_same_files(const char *what)
{
    static const char *const names[] = {"time",      "step",       "rho",         "p",       "E_mean",
                                        "total_rho", "error_l2_E", "mesh_node_x", "boundary",
                                        "x",         "y",          "raster_rho",  "raster_p"};
    bool same = true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        same = same && same_values("whole.nc", "w.nc", names[k]);
    ok(same, "%s: the frames are those of a run that was not divided", what);
    ok(access("w.nc.part", F_OK) != 0 && access("w.nc.before", F_OK) != 0 &&
           access("w.interrupted.nc", F_OK) != 0,
       "... and nothing half-written is left");
}

/* Must be the first test: OpenMP's threads do not survive a fork. */
static void test_killed(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        write_first_part(true);
    waitpid(child, NULL, 0);
    ok(access("w.nc.part", F_OK) == 0 && access("w.nc", F_OK) != 0, "a killed run leaves its frames");
    write_whole("whole.nc", "", 5);
    is_int(go_on("", 3), 2, "of a killed run's file the frames before the restart are taken over");
    check_same_files("killed run");
    unlink("w.nc");
    unlink("whole.nc");
}

static void test_fields(void)
{
    write_whole("whole.nc", "", 5);
    write_first_part(false);
    ok(access("w.interrupted.nc", F_OK) == 0, "an interrupted run leaves its frames");
    is_int(go_on("", 3), 2, "of an interrupted run's file the frames before the restart are taken over");
    check_same_files("interrupted run");
    is_int(go_on("", 3), 2, "... once more, from the longer file");
    check_same_files("longer file");

    is_int(go_on("output.fields.subdivide=3", 3), 0, "frames of another subdivision are not taken over");
    contains(told, "have another subdivision; w.nc will start there, and what is now w.nc becomes w.before-6.nc",
             "... which is told");
    is_int(frames_of("w.nc"), 3, "... the new file has the new frames");
    is_int(frames_of("w.before-6.nc"), 5, "... and the old one is kept");
    is_int(go_on("output.fields.subdivide=4", 3), 0, "nor are they the next time");
    contains(told, "what is now w.nc becomes w.before-6-2.nc", "... which is told with another name");
    is_int(frames_of("w.before-6.nc"), 5, "... and what was kept first is still there");
    is_int(frames_of("w.before-6-2.nc"), 3, "... beside what is kept now");
    unlink("w.before-6.nc");
    unlink("w.before-6-2.nc");
    is_int(go_on("", 1), 0, "a file without the run's frames is not taken over");
    is_int(frames_of("w.before-6.nc"), 3, "... and is kept");
    unlink("w.before-6.nc");
    unlink("w.nc");
    is_int(go_on("", 3), 0, "where there is no file, a new one begins");
    contains(told, "are not there; w.nc will start there", "... which is told");
    is_int(frames_of("w.nc"), 3, "... with the frames from there on");
    unlink("w.nc");
    unlink("whole.nc");
}

/* Attributes that readers compute with hold for the whole file. */
static void test_other_reading(void)
{
    static const struct {
        const char *settings, *why;
    } table[] = {
        {"order=1;output.fields.subdivide=2", "have another order; w.nc will start there"},
        {"law={name=\"euler\",gamma=1.5}", "have other parameters of the law; w.nc will start there"},
        {"output.fields.precision=\"single\"", "have other fields or another precision; w.nc will start there"},
        {"output.raster.precision=\"double\"", "have other fields or another precision; w.nc will start there"},
        {"output.raster.cells=[7, 6]", "have other fields or another precision; w.nc will start there"},
        {"output.raster.window=[-1, 0, 2, 3]", "have no raster or one of another window; w.nc will start there"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        write_first_part(false);
        is_int(go_on(table[k].settings, 2), 0, "%s: the frames before are not in the same file", table[k].settings);
        contains(told, table[k].why, "... which is told");
        is_int(frames_of("w.nc"), 2, "... the new file has its own");
        is_int(frames_of("w.before-6.nc"), 4, "... the old one those before");
        unlink("w.before-6.nc");
        unlink("w.nc");
    }
}

/* An attribute as text; "" if it is missing. */
static const char *attribute_of(const char *path, const char *name)
{
    static char text[4096];
    int file;
    size_t length = 0;
    memset(text, 0, sizeof text);
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR)
        return "";
    if (nc_inq_attlen(file, NC_GLOBAL, name, &length) != NC_NOERR || length >= sizeof text ||
        nc_get_att_text(file, NC_GLOBAL, name, text) != NC_NOERR)
        text[0] = '\0';
    nc_close(file);
    return text;
}

/* Frames say which case they are from, even if the case was changed in between. */
static void test_earlier_text(void)
{
    write_first_part(false);
    is_int(go_on("time.end=3", 2), 2, "frames are taken over");
    is_str(attribute_of("w.nc", "case_text_until_6"), "", "... of the same case, but for its end");
    unlink("w.nc");
    write_first_part(false);
    is_int(go_on("boundary.right.kind=\"wall\"", 2), 2, "frames of another case, of the same mesh, are taken over");
    is_str(attribute_of("w.nc", "case_text_until_6"), base_text, "... its text is kept beside the new one");
    contains(attribute_of("w.nc", "case_text"), "# --set boundary.right.kind=\"wall\"", "... which is the file's");
    is_int(go_on("flux=\"roe\"", 2), 2, "once more from the same step");
    is_str(attribute_of("w.nc", "case_text_until_6"), base_text, "... the frames' text stays");
    contains(attribute_of("w.nc", "case_text"), "# --set flux=\"roe\"", "... beside the newest");
    unlink("w.nc");
}

static void test_fields_failing(void)
{
    write_first_part(false);
    struct setup setup = make("");
    ew_restart_info info;
    ew_fields *fields;
    expect(ew_restart_read(NULL, "a.nc", ew_case_plan(setup.that), setup.solver, &info, &error), "the restart file");
    int status = EW_ENOMEM, failures = 0, wrong = 0;
    for (long k = 1; status == EW_ENOMEM; k++, failures++) {
        memory = (struct memory){.fail_at = k};
        status = ew_fields_resume(&host, "w.nc", ew_case_plan(setup.that), setup.solver, &info, &fields, NULL, &error);
        wrong += status != EW_OK &&
                 (memory.blocks != 0 || access("w.nc.part", F_OK) == 0 || frames_of("w.interrupted.nc") != 4);
    }
    memory_allow(&memory, -1);
    ok(status == EW_OK && failures > 5 && wrong == 0,
       "going on without memory fails %d times and leaves the fields as they were", failures - 1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        ew_fields *second;
        status = ew_fields_resume(NULL, "w.nc", ew_case_plan(setup.that), setup.solver, &info, &second, NULL, &error);
        _exit(status == EW_ECREATE && strstr(error.message, "another run") ? 0 : 1);
    }
    int how = 1;
    ok(child > 0 && waitpid(child, &how, 0) == child && how == 0, "fields that another run is writing are refused");
    write_frames(&setup, fields, 1);
    is_int(ew_fields_close(fields, "complete", &error), EW_OK, "... and that does them no harm");
    ew_fields_destroy(fields);
    is_int(frames_of("w.nc"), 3, "... nor their frames");
    unmake(&setup);
    unlink("w.nc");
}

int main(void)
{
    host = memory_host(&memory);
    host.log = listen;
    const char *parent = getenv("TMPDIR");
    char folder[1024];
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    snprintf(folder, sizeof folder, "%s/edgewise-restart.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make the folder %s", folder);
    write_text("base.cfg", base_text, strlen(base_text));
    write_text("advection.cfg", advection_text, strlen(advection_text));
    test_killed();
    test_bits();
    test_moment();
    test_order();
    test_mismatch();
    test_other_text();
    test_foreign();
    test_damage();
    test_view();
    test_bad_view();
    test_no_memory();
    test_full_disk();
    test_fields();
    test_other_reading();
    test_earlier_text();
    test_fields_failing();
    unlink("a.nc");
    unlink("base.cfg");
    unlink("advection.cfg");
    ok(chdir("/") == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return done_testing();
}
