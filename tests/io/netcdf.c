/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields read back with netCDF: the file has the solver's values, bit for bit, and only complete files get their name.
 */
#include "edgewise-case.h"
#include "tap.h"

#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { CELLS = 4, ELEMENTS = 2 * CELLS * CELLS, VARIABLES = 4 };

static char whole_text[4096]; /* the case and its settings, as stored in the file */

static const char case_text[] =
    "title = \"a \\\"small\\\" wave\";\n"
    "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [4, 4]; jitter = 0.3;\n"
    "         left = \"in\"; right = \"out\"; }; };\n"
    "order = 2;\n"
    "time = { end = 1.0; };\n"
    "initial = { rho = \"1 + 0.1*sin(x - t/2)\"; u = \"0.5\"; v = \"0\"; p = \"1\"; };\n"
    "exact = \"initial\";\n"
    "boundary = { in = { kind = \"state\"; state = \"exact\"; }; out = { kind = \"state\"; state = \"exact\"; };\n"
    "             top = { kind = \"state\"; state = \"exact\"; }; bottom = { kind = \"state\"; state = \"exact\"; }; "
    "};\n";

static ew_error error;

static void expect(int status, const char *what)
{
    if (status != EW_OK)
        bail_out("%s: %s", what, error.message);
}

static void expect_netcdf(int code, const char *what)
{
    if (code != NC_NOERR)
        bail_out("%s: %s", what, nc_strerror(code));
}

static size_t largest_write; /* most bytes that HDF5 wrote at once */

#define EXPORT __attribute__((visibility("default")))

static ssize_t write_at(int file, const void *bytes, size_t length, off_t at)
{
    largest_write = length > largest_write ? length : largest_write;
    return syscall(SYS_pwrite64, file, bytes, length, at);
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t length, off_t at)
{
    return write_at(file, bytes, length, at);
}

EXPORT ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at);
ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at)
{
    return write_at(file, bytes, length, at);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        bail_out("no memory");
    return memory;
}

struct setup {
    ew_case *that;
    ew_solver *solver;
};

static struct setup make(size_t settings, const char *const *setting)
{
    struct setup setup;
    ew_case_options options = {.settings = settings, .setting = setting};
    expect(ew_case_read(NULL, "wave.cfg", &options, &setup.that, &error), "reading the case");
    expect(ew_solver_create(NULL, ew_case_mesh(setup.that), ew_case_problem(setup.that), &setup.solver, &error),
           "the solver");
    return setup;
}

static void unmake(struct setup *setup)
{
    ew_solver_destroy(setup->solver);
    ew_case_destroy(setup->that);
}

static int variable(int file, const char *name)
{
    int number;
    expect_netcdf(nc_inq_varid(file, name, &number), name);
    return number;
}

static size_t dimension(int file, const char *name)
{
    int number;
    size_t length;
    expect_netcdf(nc_inq_dimid(file, name, &number), name);
    expect_netcdf(nc_inq_dimlen(file, number, &length), name);
    return length;
}

/* One row of a variable (time, n). */
static void read_frame(int file, const char *name, size_t frame, size_t count, double *values)
{
    size_t start[2] = {frame, 0}, length[2] = {1, count};
    expect_netcdf(nc_get_vara_double(file, variable(file, name), start, length, values), name);
}

static double read_number(int file, const char *name, size_t frame)
{
    double value;
    expect_netcdf(nc_get_var1_double(file, variable(file, name), &frame, &value), name);
    return value;
}

static void read_text(int file, const char *name, char *text, size_t size)
{
    size_t length;
    expect_netcdf(nc_inq_attlen(file, NC_GLOBAL, name, &length), name);
    if (length >= size)
        bail_out("the attribute %s is too long", name);
    expect_netcdf(nc_get_att_text(file, NC_GLOBAL, name, text), name);
    text[length] = '\0';
}

static void is_attribute(int file, const char *name, const char *expected)
{
    char text[4096];
    read_text(file, name, text, sizeof text);
    is_str(text, expected, "attribute %s", name);
}

/* The nodes of an element in the reference triangle, row by row. */
static void reference_nodes(int subdivide, double *rs)
{
    for (int j = 0; j <= subdivide; j++)
        for (int i = 0; i + j <= subdivide; i++) {
            *rs++ = (double)i / subdivide;
            *rs++ = (double)j / subdivide;
        }
}

static double in_file(double value, bool single)
{
    return single ? (double)(float)value : value;
}

/* Compares the last frame with the solver's state. */
static void check_frame(int file, ew_solver *solver, size_t frame, int subdivide, bool single)
{
    static const char *const primitive[] = {"rho", "u", "v", "p"};
    static const char *const mean[] = {"rho_mean", "rho_u_mean", "rho_v_mean", "E_mean"};
    size_t points = (size_t)(subdivide + 1) * (size_t)(subdivide + 2) / 2, nodes = ELEMENTS * points;
    double *rs = allocate(2 * points, sizeof *rs), *sampled = allocate(nodes * VARIABLES, sizeof *sampled);
    double *means = allocate(ELEMENTS * VARIABLES, sizeof *means), *got = allocate(nodes, sizeof *got);
    reference_nodes(subdivide, rs);
    expect(ew_solver_sample(solver, 0, ELEMENTS, (int)points, rs, 1, sampled, &error), "sampling");
    expect(ew_solver_get_means(solver, means, &error), "means");

    size_t different = 0;
    for (size_t m = 0; m < VARIABLES; m++) {
        read_frame(file, primitive[m], frame, nodes, got);
        for (size_t k = 0; k < nodes; k++)
            different += got[k] != in_file(sampled[k * VARIABLES + m], single);
    }
    is_int((int64_t)different, 0, "frame %zu: the values at the nodes are those of ew_solver_sample", frame);
    different = 0;
    for (size_t m = 0; m < VARIABLES; m++) {
        read_frame(file, mean[m], frame, ELEMENTS, got);
        for (size_t k = 0; k < ELEMENTS; k++)
            different += got[k] != in_file(means[k * VARIABLES + m], single);
    }
    is_int((int64_t)different, 0, "frame %zu: the means are those of ew_solver_get_means", frame);
    free(got);
    free(means);
    free(sampled);
    free(rs);
}

static void check_series(int file, ew_solver *solver, size_t frame)
{
    ew_norms norms;
    expect(ew_solver_norms(solver, &norms, &error), "norms");
    ok(read_number(file, "time", frame) == ew_solver_time(solver), "frame %zu: time", frame);
    ok(read_number(file, "step", frame) == (double)ew_solver_steps(solver), "frame %zu: step", frame);
    ok(read_number(file, "total_E", frame) == norms.total[3], "frame %zu: total_E", frame);
    ok(read_number(file, "error_l2_rho", frame) == norms.error_l2[0], "frame %zu: error_l2_rho", frame);
    ok(read_number(file, "error_linf_rho_u", frame) == norms.error_linf[1], "frame %zu: error_linf_rho_u", frame);
}

/* Every triangle is counter-clockwise and uses only nodes of its own element, and together they cover the domain. */
static void check_mesh(int file, const ew_mesh *mesh, int subdivide)
{
    size_t points = (size_t)(subdivide + 1) * (size_t)(subdivide + 2) / 2, triangles = (size_t)(subdivide * subdivide);
    is_int((int64_t)dimension(file, "n_node"), (int64_t)(ELEMENTS * points), "n_node");
    is_int((int64_t)dimension(file, "n_face"), (int64_t)(ELEMENTS * triangles), "n_face");
    double *x = allocate(ELEMENTS * points, sizeof *x), *y = allocate(ELEMENTS * points, sizeof *y), area = 0;
    int *node = allocate(ELEMENTS * triangles * 3, sizeof *node);
    expect_netcdf(nc_get_var_double(file, variable(file, "mesh_node_x"), x), "mesh_node_x");
    expect_netcdf(nc_get_var_double(file, variable(file, "mesh_node_y"), y), "mesh_node_y");
    expect_netcdf(nc_get_var_int(file, variable(file, "mesh_face_nodes"), node), "mesh_face_nodes");

    size_t strangers = 0, clockwise = 0;
    for (size_t f = 0; f < ELEMENTS * triangles; f++) {
        const int *corner = &node[3 * f];
        for (int k = 0; k < 3; k++)
            strangers += corner[k] < 0 || (size_t)corner[k] / points != f / triangles;
        double det = (x[corner[1]] - x[corner[0]]) * (y[corner[2]] - y[corner[0]]) -
                     (x[corner[2]] - x[corner[0]]) * (y[corner[1]] - y[corner[0]]);
        clockwise += !(det > 0);
        area += det / 2;
    }
    is_int((int64_t)strangers, 0, "triangles have nodes of their own element only");
    is_int((int64_t)clockwise, 0, "triangles are counter-clockwise");
    is_close(area, 2, 1e-12, "triangles make up the domain");

    double xy[2 * (CELLS + 1) * (CELLS + 1)];
    int64_t triangle[3 * ELEMENTS];
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    size_t corner_of[3] = {0, (size_t)subdivide, points - 1}, moved = 0;
    for (size_t e = 0; e < ELEMENTS; e++)
        for (size_t k = 0; k < 3; k++) {
            size_t n = e * points + corner_of[k];
            moved += x[n] != xy[2 * triangle[3 * e + k]] || y[n] != xy[2 * triangle[3 * e + k] + 1];
        }
    is_int((int64_t)moved, 0, "corners of elements are the mesh's nodes, in its order");
    free(node);
    free(y);
    free(x);
}

static void check_boundary(int file, const ew_mesh *mesh)
{
    size_t edges = dimension(file, "n_boundary_edge"), wrong = 0;
    is_int((int64_t)edges, 4 * CELLS, "boundary edges");
    int *element = allocate(edges, sizeof *element), *side = allocate(edges, sizeof *side);
    int *boundary = allocate(edges, sizeof *boundary);
    expect_netcdf(nc_get_var_int(file, variable(file, "boundary_element"), element), "boundary_element");
    expect_netcdf(nc_get_var_int(file, variable(file, "boundary_side"), side), "boundary_side");
    expect_netcdf(nc_get_var_int(file, variable(file, "boundary"), boundary), "boundary");
    for (size_t e = 0; e < edges; e++) {
        int64_t expected_element;
        int32_t expected_boundary;
        int expected_side;
        ew_mesh_boundary_edge(mesh, (int64_t)e, &expected_element, &expected_side, &expected_boundary);
        wrong += element[e] != expected_element || side[e] != expected_side || boundary[e] != expected_boundary;
    }
    is_int((int64_t)wrong, 0, "boundary edges have their element, side and boundary");

    char expected[256] = "", got[256] = "";
    for (int k = 0; ew_mesh_boundary(mesh, k, NULL); k++) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s%s", k ? " " : "", ew_mesh_boundary(mesh, k, NULL));
    }
    expect_netcdf(nc_get_att_text(file, variable(file, "boundary"), "flag_meanings", got), "flag_meanings");
    is_str(got, expected, "flag_meanings are the names of the boundaries");
    free(boundary);
    free(side);
    free(element);
}

static void check_provenance(int file, ew_solver *solver)
{
    uint64_t hash;
    char digits[17];
    expect(ew_solver_hash(solver, &hash, &error), "hash");
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    is_attribute(file, "Conventions", "CF-1.9 UGRID-1.0");
    is_attribute(file, "title", "a \"small\" wave");
    is_attribute(file, "case_text", whole_text);
    is_attribute(file, "edgewise_version", ew_version());
    is_attribute(file, "law", "euler");
    is_attribute(file, "state_hash", digits);
    is_attribute(file, "status", "complete");
    int format = 0, order = 0;
    expect_netcdf(nc_get_att_int(file, NC_GLOBAL, "edgewise_format", &format), "edgewise_format");
    expect_netcdf(nc_get_att_int(file, NC_GLOBAL, "order", &order), "order");
    is_int(format, 1, "attribute edgewise_format");
    is_int(order, 2, "attribute order");
}

/* Writes two frames, closes the file and opens it again. */
static void check_file(int subdivide, int compression, const char *precision)
{
    bool single = strcmp(precision, "single") == 0;
    char settings[3][64];
    snprintf(settings[0], sizeof settings[0], "output.fields.subdivide=%d", subdivide);
    snprintf(settings[1], sizeof settings[1], "output.fields.compression=%d", compression);
    snprintf(settings[2], sizeof settings[2], "output.fields.precision=%s", precision);
    snprintf(whole_text, sizeof whole_text, "%s# --set %s\n# --set %s\n# --set %s\n", case_text, settings[0],
             settings[1], settings[2]);
    struct setup setup = make(3, (const char *const[]){settings[0], settings[1], settings[2]});
    diag("subdivide = %d, compression = %d, precision = %s", subdivide, compression, precision);

    ew_fields *fields;
    enum ew_stop stop;
    int file;
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    expect(ew_solver_advance(setup.solver, 1.0, 3, &stop, &error), "ew_solver_advance");
    ok(access("wave.nc.part", F_OK) == 0 && access("wave.nc", F_OK) != 0, "an unfinished file has another name");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    is_int(ew_fields_close(fields, "complete", &error), EW_OK, "ew_fields_close");
    ok(access("wave.nc.part", F_OK) != 0 && access("wave.nc", F_OK) == 0, "a finished file has its name");
    is_int(ew_fields_write(fields, setup.solver, &error), EW_EINVAL, "a closed file takes no frame");
    is_int(ew_fields_close(fields, "complete", &error), EW_EINVAL, "a closed file is not closed again");
    ew_fields_destroy(fields);

    expect_netcdf(nc_open("wave.nc", NC_NOWRITE, &file), "nc_open");
    is_int((int64_t)dimension(file, "time"), 2, "frames");
    check_mesh(file, ew_case_mesh(setup.that), subdivide);
    check_boundary(file, ew_case_mesh(setup.that));
    check_frame(file, setup.solver, 1, subdivide, single);
    check_series(file, setup.solver, 1);
    check_provenance(file, setup.solver);
    struct setup start = make(0, NULL);
    check_frame(file, start.solver, 0, subdivide, single);
    check_series(file, start.solver, 0);
    unmake(&start);
    nc_close(file);
    unlink("wave.nc");
    unmake(&setup);
}

/* Several slabs, the last one smaller, with any number of threads. */
static void test_slabs(void)
{
    enum { NODES = 153 };
    size_t side = long_checks() ? 90 : 59; /* five or three slabs, the last one smaller */
    const char *cells = long_checks() ? "mesh.rectangle.cells=[90,90]" : "mesh.rectangle.cells=[59,59]";
    const char *const settings[][5] = {
        {cells, "output.fields.subdivide=16", "output.fields.variables=[\"rho\"]",
         "output.fields.precision=\"double\"", NULL},
        {cells, "output.fields.subdivide=16", "output.fields.variables=[\"rho\"]",
         "output.fields.precision=\"single\"", NULL},
        {cells, "output.fields.subdivide=16", "output.fields.variables=[\"rho\"]",
         "output.fields.precision=\"double\"", "output.fields.compression=1"}};
    size_t nodes = 2 * side * side * NODES;
    double *rs = allocate(2 * NODES, sizeof *rs), *right = allocate(nodes, sizeof *right),
           *got = allocate(nodes, sizeof *got);
    reference_nodes(16, rs);
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
        struct setup setup = make(settings[n][4] ? 5 : 4, settings[n]);
        ew_fields *fields;
        int file, output = 0;
        size_t wrong = 0;
        expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
               "ew_fields_create");
        largest_write = 0;
        for (int threads = 1; threads <= 3; threads += 2) {
#ifdef _OPENMP
            omp_set_num_threads(threads);
#endif
            expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
        }
        if (largest_write == 0)
            skip("this HDF5 writes by other calls", "values are written from where they were evaluated (%s)",
                 settings[n][3]);
        else
            ok(largest_write <= 512 * 1024 * (n == 1 ? sizeof(float) : sizeof(double)), /* of one variable in a slab */
               "values are written from where they were evaluated (%s, at most %zu bytes at once)", settings[n][3],
               largest_write);
        expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
        ew_fields_destroy(fields);
        expect(ew_solver_sample_outputs(setup.solver, 0, (int64_t)(2 * side * side), NODES, rs, 1, &output, right,
                                        &error), "sampling");
        expect_netcdf(nc_open("wave.nc", NC_NOWRITE, &file), "nc_open");
        for (size_t frame = 0; frame < 2; frame++) {
            read_frame(file, "rho", frame, nodes, got);
            for (size_t k = 0; k < nodes; k++)
                wrong += got[k] != in_file(right[k], n == 1);
        }
        char hash[2][17];
        for (size_t frame = 0; frame < 2; frame++) {
            size_t start[2] = {frame, 0}, count[2] = {1, 16};
            hash[frame][16] = '\0';
            expect_netcdf(nc_get_vara_text(file, variable(file, "state_hash"), start, count, hash[frame]),
                          "state_hash");
        }
        is_int((int64_t)wrong, 0, "a frame of several slabs, written by one thread and by three: all values (%s)",
               settings[n][3]);
        is_str(hash[1], hash[0], "... and the same hash");
        nc_close(file);
        unlink("wave.nc");
        unmake(&setup);
    }
    free(got);
    free(right);
    free(rs);
}

enum { SNAPSHOTS = 4 };

/* Cells in each direction: three or two slabs in a frame. */
static size_t many(void)
{
    return long_checks() ? 60 : 42;
}

static struct setup make_many(ew_solver *snapshot[SNAPSHOTS])
{
    const char *const settings[] = {many() == 60 ? "mesh.rectangle.cells=[60,60]" : "mesh.rectangle.cells=[42,42]",
                                    "output.fields.subdivide=16", "output.fields.variables=[\"rho\"]"};
    struct setup setup = make(sizeof settings / sizeof *settings, settings);
    for (int k = 0; k < SNAPSHOTS; k++) {
        snapshot[k] = NULL;
        expect(ew_solver_advance(setup.solver, 1, k > 0, NULL, &error), "a step");
        expect(ew_solver_snapshot(setup.solver, 0, NULL, &snapshot[k], &error), "a snapshot");
    }
    return setup;
}

static void unmake_many(struct setup *setup, ew_solver *snapshot[SNAPSHOTS])
{
    for (int k = 0; k < SNAPSHOTS; k++)
        ew_solver_destroy(snapshot[k]);
    unmake(setup);
}

/* Frames are in the file in the order of writing, whichever were expected, and when. */
static void check_order(const int *order, size_t frames, ew_solver *const *snapshot, const char *what)
{
    enum { NODES = 153 };
    size_t elements = 2 * many() * many(), nodes = elements * NODES, wrong = 0;
    double *rs = allocate(2 * NODES, sizeof *rs), *right = allocate(nodes, sizeof *right),
           *got = allocate(nodes, sizeof *got);
    int file, output = 0;
    reference_nodes(16, rs);
    expect_netcdf(nc_open("wave.nc", NC_NOWRITE, &file), "nc_open");
    is_int((int64_t)dimension(file, "time"), (int64_t)frames, "%s: frames", what);
    for (size_t k = 0; k < frames; k++) {
        ew_solver *of = snapshot[order[k]];
        char text[17] = "", digits[17];
        uint64_t hash;
        expect(ew_solver_sample_outputs(of, 0, (int64_t)elements, NODES, rs, 1, &output, right, &error), "sampling");
        read_frame(file, "rho", k, nodes, got);
        wrong += memcmp(got, right, nodes * sizeof *got) != 0;
        wrong += read_number(file, "step", k) != (double)ew_solver_steps(of);
        expect(ew_solver_hash(of, &hash, &error), "hash");
        snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
        expect_netcdf(nc_get_vara_text(file, variable(file, "state_hash"), (size_t[]){k, 0}, (size_t[]){1, 16}, text),
                      "state_hash");
        wrong += strcmp(text, digits) != 0;
    }
    is_int((int64_t)wrong, 0, "%s: each is the one that was written", what);
    nc_close(file);
    unlink("wave.nc");
    free(got);
    free(right);
    free(rs);
}

/* Expected frames are evaluated while earlier ones are written; the file is the same. */
static void test_expected(void)
{
    static const struct {
        int expected[4], written[6];
        size_t expectations, frames;
        const char *what;
    } rows[] = {
        {{0, 1, 2, 3}, {0, 1, 2, 3}, 4, 4, "expected frames"},
        {{0, 1}, {0, 1, 2, 3}, 2, 4, "some that were not expected"},
        {{0, 2, 3}, {0, 1, 2, 3}, 3, 4, "one between them that was not"},
        {{3, 2, 1, 0}, {0, 1, 2, 3}, 4, 4, "another order than expected"},
        {{0, 1, 2, 3}, {0}, 4, 1, "more expected than written"},
        {{2}, {0, 0, 1}, 1, 3, "a frame twice, and none of those expected"},
    };
    ew_solver *snapshot[SNAPSHOTS];
    struct setup setup = make_many(snapshot);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        ew_fields *fields;
        expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
               "ew_fields_create");
#ifdef _OPENMP
        omp_set_num_threads(3);
#endif
        for (size_t k = 0; k < rows[n].expectations; k++)
            ew_fields_expect(fields, snapshot[rows[n].expected[k]]);
        for (size_t k = 0; k < rows[n].frames; k++)
            expect(ew_fields_write(fields, snapshot[rows[n].written[k]], &error), "ew_fields_write");
        expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
        ew_fields_destroy(fields);
        check_order(rows[n].written, rows[n].frames, snapshot, rows[n].what);
    }
    unmake_many(&setup, snapshot);
}

/* The disk has no room for a frame: later frames are not evaluated, and can be written when there is room. */
static void test_expected_in_vain(void)
{
    ew_solver *snapshot[SNAPSHOTS];
    struct setup setup = make_many(snapshot);
    ew_fields *fields;
    struct rlimit limit, before;
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
#ifdef _OPENMP
    omp_set_num_threads(3);
#endif
    for (int k = 0; k < SNAPSHOTS; k++)
        ew_fields_expect(fields, snapshot[k]);
    expect(ew_fields_write(fields, snapshot[0], &error), "ew_fields_write");
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_FSIZE, &limit);
    is_int(ew_fields_write(fields, snapshot[1], &error), EW_EIO, "a frame for which there is no room");
    setrlimit(RLIMIT_FSIZE, &before);
    ew_fields_expect(fields, snapshot[2]);
    ew_solver_destroy(snapshot[2]); /* no frame is expected any more */
    snapshot[2] = NULL;
    is_int(ew_fields_write(fields, snapshot[3], &error), EW_OK, "... does no harm to a later one");
    expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
    ew_fields_destroy(fields);
    check_order((int[]){0, 3}, 2, snapshot, "frames around it");
    unmake_many(&setup, snapshot);
}

static void write_earlier(void)
{
    FILE *earlier = fopen("wave.nc", "w");
    fputs("an earlier result", earlier);
    fclose(earlier);
}

static bool is_earlier(void)
{
    char text[32] = "";
    FILE *earlier = fopen("wave.nc", "r");
    bool same = earlier && fgets(text, sizeof text, earlier) && strcmp(text, "an earlier result") == 0;
    if (earlier)
        fclose(earlier);
    return same;
}

static void test_destroying(void)
{
    struct setup setup = make(0, NULL);
    ew_fields *fields;
    write_earlier();
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    ew_fields_destroy(fields);
    ok(access("wave.nc.part", F_OK) != 0, "destroying without closing leaves no half-written file");
    ok(is_earlier(), "... and an earlier one as it was");
    unlink("wave.nc");
    ew_fields_destroy(NULL);
    unmake(&setup);
}

/* Only a complete file replaces an earlier one. */
static void test_names(void)
{
    static const struct {
        const char *path, *status, *name;
    } row[] = {
        {"wave.nc", "interrupted", "wave.interrupted.nc"},
        {"wave.nc", "failed: no luck", "wave.failed.nc"},
        {"wave.nc", "stopped", "wave.failed.nc"},
        {"./wave", "interrupted", "./wave.interrupted"},
        {"wave.nc", "complete", "wave.nc"},
    };
    struct setup setup = make(0, NULL);
    ew_fields *fields;
    int file;
    write_earlier();
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        expect(ew_fields_create(NULL, row[k].path, ew_case_plan(setup.that), setup.solver, &fields, &error),
               "ew_fields_create");
        expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
        contains(ew_fields_path(fields), ".part", "%s: an unfinished file's name", row[k].status);
        is_int(ew_fields_close(fields, row[k].status, &error), EW_OK, "%s: ew_fields_close", row[k].status);
        is_str(ew_fields_path(fields), row[k].name, "%s: the name", row[k].status);
        ok(is_earlier() == (strcmp(row[k].status, "complete") != 0),
           "%s: an earlier result is replaced only by a complete one", row[k].status);
        expect_netcdf(nc_open(row[k].name, NC_NOWRITE, &file), row[k].name);
        is_attribute(file, "status", row[k].status);
        nc_close(file);
        ew_fields_destroy(fields);
        ok(access(row[k].name, F_OK) == 0, "%s: the file stays", row[k].status);
        unlink(row[k].name);
        if (strcmp(row[k].status, "complete") != 0)
            ok(is_earlier(), "%s: so does an earlier one", row[k].status);
    }
    unmake(&setup);
}

/* The final name may become a folder while the run goes on. */
static void test_name_taken(void)
{
    struct setup setup = make(0, NULL);
    ew_fields *fields;
    ew_series *series;
    int file;
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_series_create(NULL, "wave.csv", ew_case_plan(setup.that), setup.solver, -1, &series, &error),
           "ew_series_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    if (mkdir("wave.nc", 0777) != 0 || mkdir("wave.csv", 0777) != 0)
        bail_out("cannot make a folder");
    is_int(ew_fields_close(fields, "complete", &error), EW_EIO, "fields whose name has become a folder");
    contains(error.message, "cannot rename wave.nc.part to wave.nc: Is a directory; the whole file is wave.nc.part",
             "... the error names the file that is kept");
    is_str(ew_fields_path(fields), "wave.nc.part", "... as ew_fields_path does");
    ew_fields_destroy(fields);
    expect_netcdf(nc_open("wave.nc.part", NC_NOWRITE, &file), "wave.nc.part");
    is_attribute(file, "status", "complete");
    nc_close(file);
    is_int(ew_series_close(series, "complete", &error), EW_EIO, "a series whose name has become a folder");
    contains(error.message, "the whole file is wave.csv.part", "... the error names the file that is kept");
    is_str(ew_series_path(series), "wave.csv.part", "... as ew_series_path does");
    ew_series_destroy(series);
    ok(rmdir("wave.nc") == 0 && rmdir("wave.csv") == 0 && unlink("wave.nc.part") == 0 && unlink("wave.csv.part") == 0,
       "... and both are there");
    unmake(&setup);
}

static void is_refused(const struct setup *setup, const char *path, const char *message)
{
    ew_fields *fields;
    is_int(ew_fields_create(NULL, path, ew_case_plan(setup->that), setup->solver, &fields, &error), EW_ECREATE,
           "%s is refused", path);
    contains(error.message, message, "... says why");
}

/* Folders that do not let this user replace a file. The superuser acts as another user. */
static void test_protected_folders(void)
{
    struct setup setup = make(0, NULL);
    bool super = geteuid() == 0;
    if (mkdir("locked", 0777) != 0 || mkdir("sticky", 0777) != 0 || chmod("sticky", 01777) != 0 ||
        chmod(".", 0711) != 0)
        bail_out("cannot make the folders");
    close(open("locked/wave.nc.part", O_WRONLY | O_CREAT, 0666));
    close(open("sticky/wave.nc", O_WRONLY | O_CREAT, 0666));
    chmod("locked/wave.nc.part", 0666);
    chmod("locked", 0555);
    if (super && seteuid(65534) != 0)
        bail_out("cannot become another user");
    is_refused(&setup, "locked/wave.nc", "cannot remove locked/wave.nc.part, which a killed run left");
    if (super)
        is_refused(&setup, "sticky/wave.nc", "belongs to another user");
    else
        skip("a file of another user needs root", "a sticky folder");
    if (super && seteuid(0) != 0)
        bail_out("cannot become root again");
    chmod("locked", 0755);
    unlink("locked/wave.nc.part");
    unlink("sticky/wave.nc");
    ok(rmdir("locked") == 0 && rmdir("sticky") == 0, "... and nothing is written");
    unmake(&setup);
}

static void test_errors(void)
{
    struct setup setup = make(0, NULL);
    ew_fields *fields;
    is_int(ew_fields_create(NULL, "nowhere/wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           EW_ECREATE, "no folder");
    contains(error.message, "nowhere/wave.nc.part", "no folder: the file is named");
    is_int(ew_fields_create(NULL, ".", ew_case_plan(setup.that), setup.solver, &fields, &error), EW_ECREATE,
           "a folder in the way");
    is_int(ew_fields_create(NULL, "nowhere/wave.nc", ew_case_plan(setup.that), setup.solver, &fields, NULL), EW_ECREATE,
           "error may be NULL");
    char name[300] = "";
    memset(name, 'n', 243);
    is_int(ew_fields_create(NULL, strcat(name, ".nc"), ew_case_plan(setup.that), setup.solver, &fields, &error),
           EW_ECREATE, "a name that would be too long for an interrupted run");
    contains(error.message, "the name is too long", "... says so");
    if (symlink("elsewhere", "wave.nc.part") != 0)
        bail_out("cannot make a link");
    is_int(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error), EW_ECREATE,
           "a link in the way");
    contains(error.message, "symbolic link", "... says so");
    unlink("wave.nc.part");
    ok(access("elsewhere", F_OK) != 0, "... and is not followed");
    unmake(&setup);
}

/* Quantities with known values for a polynomial state; the order is the case's. */
static void test_quantities(void)
{
    const char *settings[] = {
        "mesh.rectangle.left=\"a\"",
        "mesh.rectangle.right=\"b\"",
        "boundary={a={kind=\"copy\"},b={kind=\"copy\"},top={kind=\"copy\"},bottom={kind=\"copy\"}}",
        "initial={rho=\"1 + 0.1*x\",u=\"-y\",v=\"x\",p=\"2\"}",
        "exact={rho=\"1\",u=\"0\",v=\"0\",p=\"1\"}",
        ("output.fields.variables=[\"vorticity\",\"p\",\"divergence\",\"schlieren\",\"rho_v\",\"mach\",\"entropy\","
         "\"limiter\"]")};
    struct setup setup = make(sizeof settings / sizeof *settings, settings);
    ew_fields *fields;
    int file, number;
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
    ew_fields_destroy(fields);
    expect_netcdf(nc_open("wave.nc", NC_NOWRITE, &file), "nc_open");
    size_t nodes = dimension(file, "n_node");
    double *x = allocate(nodes, sizeof *x), *y = allocate(nodes, sizeof *y), *got = allocate(nodes, sizeof *got);
    expect_netcdf(nc_get_var_double(file, variable(file, "mesh_node_x"), x), "mesh_node_x");
    expect_netcdf(nc_get_var_double(file, variable(file, "mesh_node_y"), y), "mesh_node_y");
    /*
     * The velocity is a quotient of polynomials of degree 2 and 1 that is itself a polynomial, so all values are exact.
     */
    static const char *const names[] = {"vorticity", "divergence", "schlieren", "rho_v", "mach", "entropy", "limiter"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        double worst = 0;
        read_frame(file, names[n], 0, nodes, got);
        for (size_t k = 0; k < nodes; k++) {
            double rho = 1 + 0.1 * x[k];
            const double right[] = {
                2, 0, 0.1, rho * x[k], sqrt((x[k] * x[k] + y[k] * y[k]) * rho / 2.8), 2 / pow(rho, 1.4), 0};
            worst = fmax(worst, fabs(got[k] - right[n]));
        }
        ok(worst < (strcmp(names[n], "mach") == 0 || strcmp(names[n], "entropy") == 0 ? 1e-2 : 1e-11),
           "%s has its values (%.1e)", names[n], worst);
    }
    ok(nc_inq_varid(file, "rho", &number) == NC_ENOTVAR, "what was not asked for is not there");
    nc_close(file);
    free(got);
    free(y);
    free(x);
    unlink("wave.nc");
    unmake(&setup);
}

static bool second_is_refused(const struct setup *setup)
{
    ew_fields *second;
    int status = ew_fields_create(NULL, "wave.nc", ew_case_plan(setup->that), setup->solver, &second, &error);
    return status == EW_ECREATE && strstr(error.message, "another run");
}

static void test_second_writer(void)
{
    struct setup setup = make(0, NULL);
    ew_fields *fields;
    expect(ew_fields_create(NULL, "wave.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    ok(second_is_refused(&setup), "a second writer of the same file is refused");
    close(open("wave.nc.part", O_RDONLY));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(second_is_refused(&setup) ? 0 : 1);
    int how = 1;
    ok(child > 0 && waitpid(child, &how, 0) == child && how == 0,
       "... by another process, too, though this one has read the file");
    is_int(ew_fields_write(fields, setup.solver, &error), EW_OK, "... and does the first one no harm");
    is_int(ew_fields_close(fields, "complete", &error), EW_OK, "... nor does it at the end");
    ew_fields_destroy(fields);
    unlink("wave.nc");
    unmake(&setup);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/edgewise-netcdf.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make the folder %s", folder);
    FILE *file = fopen("wave.cfg", "w");
    if (!file || fputs(case_text, file) == EOF || fclose(file) != 0)
        bail_out("cannot write a case");
    check_file(1, 0, "double");
    check_file(3, 0, "double");
    check_file(1, 4, "double");
    check_file(2, 1, "double");
    check_file(2, 0, "single");
    check_file(1, 1, "single");
    test_slabs();
    test_expected();
    test_expected_in_vain();
    test_destroying();
    test_names();
    test_name_taken();
    test_protected_folders();
    test_errors();
    test_quantities();
    test_second_writer();
    unlink("wave.cfg");
    ok(chdir("/") == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return done_testing();
}
