/* SPDX-License-Identifier: BSD-2-Clause */
/* The raster in NAME.nc: its values, its mask, and the errors of wrong ones. */
#include "ewi_fields.h"
#include "fake-cuda.h"
#include "small-case.h"

#include <math.h>
#include <unistd.h>

enum { NX = 37, NY = 29, CELLS = NX * NY };

static const char annulus_text[] =
    "mesh = \"annulus.msh\";\n"
    "order = 2;\n"
    "time = { end = 1.0; };\n"
    "initial = { rho = \"2 + 0.1*x - 0.2*x*y + 0.3*y*y\"; u = 0; v = 0; p = 1; };\n"
    "boundary = { inner = { kind = \"wall\"; }; outer = { kind = \"wall\"; };\n"
    "             inflow = { kind = \"copy\"; }; outflow = { kind = \"copy\"; }; };\n"
    "output = { raster = { cells = [37, 29]; variables = [\"rho\", \"mach\"]; precision = \"double\"; }; };\n";

static double density(double x, double y)
{
    return 2 + 0.1 * x - 0.2 * x * y + 0.3 * y * y;
}

/* ---- what is in the file ----------------------------------------------------------------------------------------- */

static int open_fields(void)
{
    int file;
    expect_netcdf(nc_open("small.nc", NC_NOWRITE, &file), "small.nc");
    return file;
}

static int variable_of(int file, const char *name)
{
    int variable = -1;
    expect_netcdf(nc_inq_varid(file, name, &variable), name);
    return variable;
}

static void get(const char *name, double *values)
{
    int file = open_fields();
    expect_netcdf(nc_get_var_double(file, variable_of(file, name), values), name);
    nc_close(file);
}

static bool has_variable(const char *name)
{
    int file = open_fields(), variable;
    bool has = nc_inq_varid(file, name, &variable) == NC_NOERR;
    nc_close(file);
    return has;
}

/* ---- against the mesh -------------------------------------------------------------------------------------------- */

struct triangles {
    int64_t count;
    double *xy;
    int64_t *triangle;
};

static struct triangles triangles_of(const ew_mesh *mesh)
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    struct triangles all = {.count = info.elements, .xy = allocate(2 * (size_t)info.nodes, sizeof(double)),
                            .triangle = allocate(3 * (size_t)info.elements, sizeof(int64_t))};
    ew_mesh_get_nodes(mesh, all.xy);
    ew_mesh_get_triangles(mesh, all.triangle);
    return all;
}

static void free_triangles(struct triangles *all)
{
    free(all->xy);
    free(all->triangle);
}

/* The smallest of the three barycentric coordinates in element e, and the point's place in the element. */
static double depth(const struct triangles *all, int64_t e, double x, double y, double rs[2])
{
    const double *a = all->xy + 2 * all->triangle[3 * e], *b = all->xy + 2 * all->triangle[3 * e + 1],
                 *c = all->xy + 2 * all->triangle[3 * e + 2];
    double xr = b[0] - a[0], xs = c[0] - a[0], yr = b[1] - a[1], ys = c[1] - a[1], det = xr * ys - xs * yr;
    rs[0] = (ys * (x - a[0]) - xs * (y - a[1])) / det;
    rs[1] = (xr * (y - a[1]) - yr * (x - a[0])) / det;
    return fmin(fmin(rs[0], rs[1]), 1 - rs[0] - rs[1]);
}

/* The first element that contains the point, or -1; *deepest: the point's depth in the domain, negative outside. */
static int64_t element_at(const struct triangles *all, double x, double y, double rs[2], double *deepest)
{
    *deepest = -INFINITY;
    for (int64_t e = 0; e < all->count; e++) {
        double here = depth(all, e, x, y, rs);
        *deepest = fmax(*deepest, here);
        if (here >= -1e-12)
            return e;
    }
    return -1;
}

/* An annulus, with a raster that is larger than the domain. */
static void test_values(void)
{
    static const char *const settings[] = {"output.raster.window=[-0.3, -0.2, 1.7, 1.5]"};
    static double values[CELLS], mach[CELLS], x[NX], y[NY];
    write_bytes("small.cfg", annulus_text, sizeof annulus_text - 1);
    struct setup setup = write_fields(1, settings);
    struct triangles all = triangles_of(ew_case_mesh(setup.that));
    get("raster_rho", values);
    get("raster_mach", mach);
    get("x", x);
    get("y", y);
    ok(fabs(x[0] - (-0.3 + 1.0 / NX)) < 1e-15 && fabs(y[NY - 1] - (1.5 - 0.85 / NY)) < 1e-14 && x[1] > x[0] &&
       y[1] > y[0], "x and y are the cells' centres, ascending");
    int inside = 0, mask = 0, other_bits = 0;
    double worst = 0;
    for (int k = 0; k < CELLS; k++) {
        double rs[2], deepest, sampled;
        int64_t e = element_at(&all, x[k % NX], y[k / NX], rs, &deepest);
        mask += fabs(deepest) > 1e-9 && isnan(values[k]) != (e < 0);
        if (e < 0 || isnan(values[k]))
            continue;
        inside++;
        worst = fmax(worst, fabs(values[k] - density(x[k % NX], y[k / NX])));
        expect(ew_solver_sample_outputs(setup.solver, e, 1, 1, rs, 1, (int[]){0}, &sampled, &error), "a sample");
        other_bits += sampled != values[k];
    }
    is_int(mask, 0, "values are NaN outside the annulus, and only there");
    ok(inside > 100 && inside < CELLS / 2, "%d of %d centres are inside", inside, (int)CELLS);
    ok(worst < 1e-13, "a density of second degree is reproduced: %.3g", worst);
    is_int(other_bits, 0, "the values have the bits of ew_solver_sample_outputs");
    double largest = 0;
    for (int k = 0; k < CELLS; k++)
        largest = isnan(mach[k]) ? largest : fmax(largest, fabs(mach[k]));
    ok(largest < 1e-12, "a gas at rest has Mach number 0");
    free_triangles(&all);
    unmake(&setup);
}

/* Every centre is a node or the middle of a side. */
static void test_edges(void)
{
    static const char *const settings[] = {
        "output.raster={ cells = [17, 9]; window = [-0.0625, -0.0625, 2.0625, 1.0625]; }"};
    static double values[17 * 9], v[17 * 9];
    write_bytes("small.cfg", case_text, sizeof case_text - 1);
    struct setup setup = write_fields(1, settings);
    get("raster_rho", values);
    get("raster_v", v);
    unmake(&setup);
    int outside = 0;
    double worst = 0;
    for (int k = 0; k < 17 * 9; k++) {
        outside += isnan(values[k]) || isnan(v[k]);
        worst = fmax(worst, fabs(values[k] - (1 + 0.125 * (k % 17) + 2 * 0.125 * (k / 17))));
    }
    is_int(outside, 0, "no centre on an edge falls between two triangles");
    ok(worst < 5e-7, "single precision, in all variables of the fields, is the default");
}

/* The window is the mesh's extent if none is given. */
static void test_window(void)
{
    static const char *const settings[] = {"output.raster={ cells = [4, 2]; variables = [\"rho\"]; }",
                                           "output.fields.compression=1"};
    double x[4], y[2], window[4], rho[8];
    struct setup setup = write_fields(2, settings);
    unmake(&setup);
    get("x", x);
    get("y", y);
    get("raster_rho", rho);
    int file = open_fields();
    expect_netcdf(nc_get_att_double(file, NC_GLOBAL, "raster_window", window), "raster_window");
    nc_close(file);
    ok(window[0] == 0 && window[1] == 0 && window[2] == 2 && window[3] == 1, "the default window is the mesh's extent");
    ok(x[0] == 0.25 && x[3] == 1.75 && y[1] == 0.75 && rho[7] == 4.25, "... with its centres and values");
    ok(!has_variable("raster_p") && has_variable("p"), "the raster has its own list of variables");
}

static void test_only(void)
{
    static const char *const settings[] = {"output.raster={ cells = [4, 2]; only = true; }"};
    ew_results *results = NULL;
    struct setup setup = write_fields(1, settings);
    double memory[2];
    ew_run_plan plan = *ew_case_plan(setup.that);
    ew_mesh_info mesh;
    ew_mesh_get_info(ew_case_mesh(setup.that), &mesh);
    double only = ew_fields_frame_bytes(&plan, ew_case_problem(setup.that), &mesh, &memory[0]);
    plan.raster.cells[0] = plan.raster.cells[1] = 1000;
    is_close(ew_fields_frame_bytes(&plan, ew_case_problem(setup.that), &mesh, &memory[1]), 1e6 * only / 8, 0,
             "a frame's bytes are those of the raster alone");
    ok(memory[1] > memory[0] + 2e7, "the estimate of the memory counts its cells");
    unmake(&setup);
    ok(!has_variable("rho") && !has_variable("E_mean") && has_variable("raster_rho") && has_variable("raster_p"),
       "only the raster is in the file");
    is_int(ew_results_open(NULL, "small.nc", &results, &error), EW_EIO, "which cannot be plotted or exported");
    contains(error.message, "has no values at nodes, only a raster", "... and the sentence says why");
}

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

static void refuses(const ew_run_plan *plan, ew_solver *solver, const char *words)
{
    ew_fields *fields = NULL;
    is_int(ew_fields_create(NULL, "wrong.nc", plan, solver, &fields, &error), EW_EINVAL, "refused: %s", words);
    contains(error.message, words, "... and the sentence says so");
}

static void test_wrong_plans(void)
{
    static const char *const settings[] = {"output.raster={ cells = [4, 2]; }"};
    static const int none[] = {77};
    struct setup setup = write_fields(1, settings);
    const ew_run_plan right = *ew_case_plan(setup.that);
    ew_run_plan plan = right;
    plan.raster.cells[1] = 0;
    refuses(&plan, setup.solver, "4 x 0 cells");
    ew_mesh_info mesh;
    ew_mesh_get_info(ew_case_mesh(setup.that), &mesh);
    ok(ew_fields_frame_bytes(&plan, ew_case_problem(setup.that), &mesh, NULL) > 0, "... and harmless in an estimate");
    plan = right, plan.raster.cells[0] = EW_MOST_RASTER_CELLS + 1;
    refuses(&plan, setup.solver, "16385 x 2 cells");
    plan = right, plan.raster.outputs = 1, plan.raster.output = none;
    refuses(&plan, setup.solver, "has the number 77");
    plan = right, plan.raster.outputs = 1;
    refuses(&plan, setup.solver, "plan's raster has 1 outputs");
    plan = right, plan.raster.window[0] = 1;
    refuses(&plan, setup.solver, "is empty or not finite");
    plan = right, plan.raster.window[2] = INFINITY, plan.raster.window[3] = 1;
    refuses(&plan, setup.solver, "is empty or not finite");
    plan = right, plan.raster.window[0] = plan.raster.window[1] = 5;
    plan.raster.window[2] = plan.raster.window[3] = 6;
    refuses(&plan, setup.solver, "no cell of the raster has its centre in the domain");
    ok(access("wrong.nc", F_OK) != 0 && access("wrong.nc.part", F_OK) != 0, "none of them leaves a file");
    unmake(&setup);
}

static void test_no_memory(void)
{
    static const char *const settings[] = {"output.raster={ cells = [9, 5]; }"};
    struct setup setup = write_fields(1, settings);
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    int status = EW_ENOMEM, failures = 0, wrong = 0;
    for (long k = 0; status == EW_ENOMEM; k++, failures++) {
        ew_fields *fields = NULL;
        memory_allow(&memory, k);
        status = ew_fields_create(&host, "short.nc", ew_case_plan(setup.that), setup.solver, &fields, &error);
        memory_allow(&memory, -1);
        if (status == EW_OK)
            expect(ew_fields_close(fields, "complete", &error), "closing");
        ew_fields_destroy(status == EW_OK ? fields : NULL);
        wrong += memory.blocks != 0 || access("short.nc.part", F_OK) == 0;
    }
    ok(status == EW_OK && failures > 8 && wrong == 0, "%d failures for lack of memory leave nothing behind",
       failures - 1);
    unlink("short.nc");
    unmake(&setup);
}

/* ---- quantities by formula --------------------------------------------------------------------------------------- */

#define NAMES "output.quantities={ again = \"p\"; place = \"x + 10*y\"; }"

static int dimensions_of(const char *name)
{
    int file = open_fields(), count = 0;
    expect_netcdf(nc_inq_varndims(file, variable_of(file, name), &count), name);
    nc_close(file);
    return count;
}

static void test_formulas(void)
{
    static const char *const settings[] = {
        "output.raster={ cells = [4, 2]; variables = [\"place\", \"p\", \"again\"]; "
        "window = [-1.0, 0.0, 1.0, 1.0]; }", NAMES};
    double p[8], again[8], place[8];
    int wrong = 0;
    write_bytes("small.cfg", case_text, sizeof case_text - 1);
    struct setup setup = write_fields(2, settings);
    const ew_problem *problem = ew_case_problem(setup.that);
    ew_run_plan plan = *ew_case_plan(setup.that);
    ew_mesh_info mesh;
    ew_mesh_get_info(ew_case_mesh(setup.that), &mesh);
    double bytes = ew_fields_mesh_bytes(&plan, problem, &mesh),
           frame = ew_fields_frame_bytes(&plan, problem, &mesh, NULL);
    plan.raster.output++; /* without "place" */
    plan.raster.outputs--;
    is_close(bytes - ew_fields_mesh_bytes(&plan, problem, &mesh), 8 * 4, 0, "an estimate counts a formula of x and y");
    is_close(frame, ew_fields_frame_bytes(&plan, problem, &mesh, NULL), 0, "... once, not in each frame");
    unmake(&setup);
    get("raster_p", p);
    get("raster_again", again);
    get("raster_place", place);
    for (int k = 0; k < 8; k++) {
        double x = -1 + (k % 4 + 0.5) / 2, y = (k / 4 + 0.5) / 2;
        wrong += x < 0 ? !isnan(place[k]) || !isnan(again[k])
                       : again[k] != p[k] || fabs(place[k] - (x + 10 * y)) > 1e-5;
    }
    is_int(wrong, 0, "another name of a quantity has its values, and a formula of x and y its own");
    is_int(dimensions_of("raster_again"), 3, "... with a dimension of time");
    is_int(dimensions_of("raster_place"), 2, "... and without");
}

/* ---- on a GPU (tests/cuda/fake) ---------------------------------------------------------------------------------- */

/* A frame from a snapshot of the initial state. Once the GPU has the samples, no code reads the places of centres. */
static void write_by_gpu(const ew_case_options *options)
{
    ew_case *that;
    ew_solver *solver, *snapshot = NULL;
    ew_fields *fields;
    ew_solver_info before, after;
    double raster;
    expect(ew_case_read(NULL, "small.cfg", options, &that, &error), "reading the case");
    expect(ew_solver_create(NULL, ew_case_mesh(that), ew_case_problem(that), &solver, &error), "the solver");
    expect(ew_fields_create(NULL, "small.nc", ew_case_plan(that), solver, &fields, &error), "the fields");
    ew_solver_get_info(solver, &before);
    expect(ew_fields_expect_raster(fields, solver, &error), "expecting the raster");
    ew_solver_get_info(solver, &after);
    ew_fields_raster_bytes(ew_case_plan(that), before.law, 1000, &raster);
    ok(after.device_bytes > before.device_bytes + CELLS * 20 && raster >= CELLS * (20 + 3 * 4) + 40000,
       "what a raster takes of a GPU is counted");
    expect(ew_solver_snapshot(solver, 0, NULL, &snapshot, &error), "a snapshot");
    memset(fields->raster.rs, 0, 2 * CELLS * sizeof *fields->raster.rs);
    expect(ew_fields_write(fields, snapshot, &error), "ew_fields_write");
    expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
    ew_fields_destroy(fields);
    ew_case_destroy(that);
}

static void test_gpu(const char *precision)
{
    static const char *const name[] = {"raster_rho", "raster_p", "raster_schlieren", "raster_again",
                                       "raster_place"};
    static double right[5][CELLS], values[CELLS];
    char raster[256];
    snprintf(raster, sizeof raster, "output.raster={ cells = [37, 29]; window = [-0.3, -0.2, 1.7, 1.5]; "
             "precision = \"%s\"; variables = [\"rho\", \"place\", \"p\", \"schlieren\", \"again\"]; }", precision);
    const char *const by_cpu[] = {raster, "backend.name=omp", NAMES},
                      *const by_gpu[] = {raster, "backend.name=cuda", NAMES};
    const ew_case_options options = {.settings = 3, .setting = by_gpu};
    write_bytes("small.cfg", annulus_text, sizeof annulus_text - 1);
    struct setup setup = write_fields(3, by_cpu);
    unmake(&setup);
    for (int k = 0; k < 5; k++)
        get(name[k], right[k]);
    write_by_gpu(&options);
    bool same = true;
    for (int k = 0; k < 5; k++) {
        get(name[k], values);
        same = same && memcmp(values, right[k], sizeof values) == 0;
    }
    ok(same, "the raster that a GPU samples is the CPU's, in %s precision", precision);
}

int main(void)
{
    char folder[] = "/tmp/edgewise-raster.XXXXXX", mesh[4096];
    const char *srcdir = getenv("srcdir");
    char *root = realpath(srcdir ? srcdir : ".", NULL);
    snprintf(mesh, sizeof mesh, "%s/tests/meshes/annulus-A.msh", root ? root : ".");
    free(root);
    load_fake_cuda(); /* while its relative path is valid */
    if (!mkdtemp(folder) || chdir(folder) != 0 || symlink(mesh, "annulus.msh") != 0)
        bail_out("no temporary folder");
    test_values();
    test_edges();
    test_window();
    test_only();
    test_wrong_plans();
    test_no_memory();
    test_formulas();
    test_gpu("single");
    test_gpu("double");
    unlink("annulus.msh");
    unlink("small.cfg");
    unlink("small.nc");
    if (chdir("/") == 0)
        rmdir(folder);
    return done_testing();
}
