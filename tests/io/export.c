/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields in other programs' formats, read back as those programs would: the same numbers, and jumps preserved. */
#include "config.h"
#include "edgewise-case.h"
#include "small-case.h"
#include "tap.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#ifdef EWI_HAVE_ZLIB
#include <zlib.h>
#endif

enum { ELEMENTS = 64 };

static void lattice(int s, double *rs)
{
    for (int j = 0; j <= s; j++)
        for (int i = 0; i + j <= s; i++) {
            *rs++ = (double)i / s;
            *rs++ = (double)j / s;
        }
}

/* A field's values at the nodes of the lattice, in the file's order. */
static double *nodal(const ew_results *results, const char *name, int s, int *points)
{
    double rs[2 * 200], *value;
    *points = (s + 1) * (s + 2) / 2;
    lattice(s, rs);
    value = allocate((size_t)ELEMENTS * (size_t)*points, sizeof *value);
    expect(ew_results_sample(results, 0, field_of(results, name), 0, ELEMENTS, *points, rs, value, &error), name);
    return value;
}

static void test_csv(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=x < 1 ? 1 + y : 3"});
    int fields[2] = {field_of(results, "p"), field_of(results, "rho_u")}, points, wrong = 0, rows = 0;
    ew_export what = {.format = EW_EXPORT_CSV, .frames = 1, .fields = 2, .field = fields, .subdivide = 3};
    expect(ew_export_write(results, &what, "small.csv", &error), "ew_export_write");
    double *p = nodal(results, "p", 3, &points), *rho_u = nodal(results, "rho_u", 3, &points), x, y, a, b;
    FILE *file = fopen("small.csv", "r");
    char line[256] = "";
    long long element;
    ok(file && fgets(line, sizeof line, file) && strcmp(line, "element,x,y,p,rho_u\n") == 0, "CSV has a head");
    for (; file && fgets(line, sizeof line, file); rows++) {
        wrong += sscanf(line, "%lld,%lg,%lg,%lg,%lg", &element, &x, &y, &a, &b) != 5;
        wrong += element != rows / points || a != p[rows] || b != rho_u[rows];
    }
    if (file)
        fclose(file);
    is_int(rows, ELEMENTS * points, "CSV has a row for each node of each triangle");
    is_int(wrong, 0, "... with its own values, to the last bit");
    free(rho_u);
    free(p);
    unlink("small.csv");
    ew_results_close(results);
}

/* The values of a variable of small.nc, and those of a table's last column. */
static void compare_with_file(const char *name, const char *what)
{
    enum { MOST = ELEMENTS * 200 };
    double *from_file = allocate(MOST, sizeof *from_file), exported;
    int netcdf, variable, wrong = 0, rows = 0;
    size_t start[2] = {0, 0}, count[2] = {1, 0};
    char line[256] = "";
    expect_netcdf(nc_open("small.nc", NC_NOWRITE, &netcdf), "nc_open");
    expect_netcdf(nc_inq_varid(netcdf, name, &variable), name);
    expect_netcdf(nc_inq_dimid(netcdf, "n_node", &rows), "n_node");
    expect_netcdf(nc_inq_dimlen(netcdf, rows, &count[1]), "n_node");
    expect_netcdf(nc_get_vara_double(netcdf, variable, start, count, from_file), name);
    nc_close(netcdf);
    rows = -1;
    for (FILE *file = fopen("small.csv", "r"); file; rows++)
        if (!fgets(line, sizeof line, file)) {
            fclose(file);
            break;
        } else if (rows >= 0) {
            exported = strtod(strrchr(line, ',') + 1, NULL);
            wrong += !(exported == from_file[rows] || (isnan(exported) && isnan(from_file[rows])));
        }
    is_int(rows == (int)count[1] ? wrong : -1, 0, "%s: the table has the file's values", what);
    free(from_file);
}

/* Values of no polynomial: more nodes than a polynomial has terms, and nodes without a value. */
static void test_own_nodes(void)
{
    static const struct {
        const char *name, *what, *setting[3];
    } rows[] = {
        {"jump", "a jump at 28 nodes", {"output.quantities.jump=x + y < 0.7 ? 1 : 0",
                                        "output.fields.variables=[\"rho\",\"u\",\"v\",\"p\",\"jump\"]",
                                        "output.fields.subdivide=6"}},
        {"u", "a function of the state", {"output.quantities.jump=x + y < 0.7 ? 1 : 0",
                                          "output.fields.variables=[\"rho\",\"u\",\"v\",\"p\",\"jump\"]",
                                          "initial.u=x < 0.3 ? 1 : 2*y"}},
        {"gap", "nodes without a value", {"output.quantities.gap=x + y < 0.7 ? 0/0 : 1/3 + x^5",
                                          "output.fields.variables=[\"rho\",\"u\",\"v\",\"p\",\"gap\"]",
                                          "output.fields.subdivide=3"}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        ew_results *results = results_of(3, rows[n].setting);
        int field = field_of(results, rows[n].name);
        ew_export what = {.format = EW_EXPORT_CSV, .frames = 1, .fields = 1, .field = &field};
        expect(ew_export_write(results, &what, "small.csv", &error), "ew_export_write");
        compare_with_file(rows[n].name, rows[n].what);
        unlink("small.csv");
        ew_results_close(results);
    }
}

/* ---- VTU --------------------------------------------------------------------------------------------------------- */

/* The appended bytes of a DataArray, as VTK reads them. */
static char *read_array(const char *file, size_t size, const char *name, size_t *count)
{
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *array = strstr(file, key), *offset = array ? strstr(array, "offset=\"") : NULL;
    const char *data = strstr(file, "<AppendedData encoding=\"raw\">");
    if (!offset || !data)
        bail_out("there is no array %s", name);
    const char *from = strchr(data, '_') + 1 + strtol(offset + 8, NULL, 10);
    uint64_t head[3], packed;
    memcpy(head, from, sizeof head);
#ifdef EWI_HAVE_ZLIB
    const char *block = from + 8 * (3 + head[0]);
    uint64_t last = head[2] ? head[2] : head[1];
    *count = (size_t)((head[0] - 1) * head[1] + last);
    char *bytes = allocate(*count, 1);
    for (uint64_t k = 0; k < head[0]; k++) {
        memcpy(&packed, from + 8 * (3 + k), sizeof packed);
        uLongf length = (uLongf)(k + 1 < head[0] ? head[1] : last);
        if (block + packed > file + size ||
            uncompress((Bytef *)bytes + k * head[1], &length, (const Bytef *)block, (uLong)packed) != Z_OK)
            bail_out("block %d of %s is not as it should be", (int)k, name);
        block += packed;
    }
#else
    packed = head[0];
    *count = (size_t)packed;
    char *bytes = allocate(*count, 1);
    if (from + 8 + packed > file + size)
        bail_out("%s is not as it should be", name);
    memcpy(bytes, from + 8, *count);
#endif
    return bytes;
}

static void test_vtu(int subdivide)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=x < 1 ? 1 + y : 3"});
    ew_export what = {.format = EW_EXPORT_VTU, .frames = 1, .subdivide = subdivide};
    expect(ew_export_write(results, &what, "small.vtu", &error), "ew_export_write");
    size_t size, count;
    char *file = read_bytes("small.vtu", &size);
    file = realloc(file, size + 1);
    file[size] = '\0';
    int points, triangles = subdivide * subdivide;
    double *expected = nodal(results, "p", subdivide, &points);
    double *p = (double *)(void *)read_array(file, size, "p", &count);
    ok(count == (size_t)(ELEMENTS * points) * 8 && memcmp(p, expected, count) == 0,
       "subdivide %d: VTU has the values, bit for bit", subdivide);
    double *u = (double *)(void *)read_array(file, size, "u", &count),
           *v = (double *)(void *)read_array(file, size, "v", &count);
    double *velocity = (double *)(void *)read_array(file, size, "velocity", &count);
    int64_t wrong = (int64_t)count != (int64_t)ELEMENTS * points * 24;
    for (int k = 0; k < ELEMENTS * points && !wrong; k++)
        wrong += velocity[3 * k] != u[k] || velocity[3 * k + 1] != v[k] || velocity[3 * k + 2] != 0;
    is_int(wrong, 0, "the velocity is a vector of u and v, too");
    free(u);
    free(v);
    free(velocity);
    double *xyz = (double *)(void *)read_array(file, size, "Points", &count), area = 0;
    is_int((int64_t)count, (int64_t)ELEMENTS * points * 24, "every triangle has points of its own");
    int64_t *node = (int64_t *)(void *)read_array(file, size, "connectivity", &count);
    is_int((int64_t)count, (int64_t)ELEMENTS * triangles * 24, "every triangle is cut into as many as were asked for");
    for (int t = 0; t < ELEMENTS * triangles; t++) {
        const double *a = xyz + 3 * node[3 * t], *b = xyz + 3 * node[3 * t + 1], *c = xyz + 3 * node[3 * t + 2];
        area += ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
    }
    is_close(area, 2, 1e-12, "they make up the domain");
    free(node);
    free(xyz);
    free(p);
    free(expected);
    free(file);
    unlink("small.vtu");
    ew_results_close(results);
}

static void test_refusals(void)
{
    ew_results *results = results_of(0, NULL);
    int field = 99;
    const struct {
        ew_export what;
        const char *part;
    } refused[] = {
        {{.format = EW_EXPORT_CSV, .frames = 1, .first_frame = 1}, "no frame 1; its frames are 0 to 0"},
        {{.format = EW_EXPORT_CSV, .frames = 0}, "no frame"},
        {{.format = EW_EXPORT_CSV, .frames = 1, .subdivide = 17}, "subdivision by 17"},
        {{.format = EW_EXPORT_VTU, .frames = 1, .subdivide = 11, .lagrange = 1}, "1 to 10 are possible"},
        {{.format = EW_EXPORT_VTU, .frames = 1, .fields = 1, .field = &field}, "no field 99"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        int status = ew_export_write(results, &refused[k].what, "refused", &error);
        ok(status == EW_EINVAL && strstr(error.message, refused[k].part) && access("refused", F_OK) != 0, "refused: %s",
           refused[k].part) ||
            (diag("%s", error.message), 0);
    }
    for (int format = EW_EXPORT_VTU; format <= EW_EXPORT_CSV; format++) {
        ew_export what = {.format = (enum ew_export_format)format, .frames = 1};
        is_int(ew_export_write(results, &what, "nowhere/small", &error), EW_EIO, "format %d: no folder", format);
        contains(error.message, "nowhere/small", "... the file is named");
        if (access("/dev/full", W_OK) == 0)
            is_int(ew_export_write(results, &what, "/dev/full", &error), format == EW_EXPORT_VTU ? EW_EIO : EW_EFULL,
                   "format %d: a full disk", format);
        else
            skip("there is no /dev/full", "a full disk");
    }
    int made = symlink("target.csv", "link.csv");
    write_bytes("target.csv", "what was there before, longer than nothing\n", 43);
    ew_export what = {.format = EW_EXPORT_CSV, .frames = 1};
    struct stat info;
    expect(ew_export_write(results, &what, "link.csv", &error), "ew_export_write");
    ok(made == 0 && lstat("link.csv", &info) == 0 && S_ISREG(info.st_mode), "the file takes a link's place");
    size_t size;
    char *bytes = read_bytes("target.csv", &size);
    ok(size == 43 && memcmp(bytes, "what was there", 14) == 0, "... and what the link points to is as it was");
    free(bytes);
    unlink("link.csv");
    unlink("target.csv");
    ew_results_close(results);
}

static int export_with(const ew_host *host)
{
    ew_results *results;
    int status = ew_results_open(host, "small.nc", &results, &error);
    if (status != EW_OK)
        return status;
    for (int format = EW_EXPORT_VTU; status == EW_OK && format <= EW_EXPORT_CSV; format++) {
        ew_export what = {.format = (enum ew_export_format)format, .frames = 1};
        unlink("failing.out");
        status = ew_export_write(results, &what, "failing.out", &error);
    }
    const char *name = "failing.out";
    double time = 0;
    if (status == EW_OK)
        status = ew_export_collection(host, 1, &name, &time, "failing.pvd", &error);
    ew_results_close(results);
    return status;
}

static void test_allocations(void)
{
    ew_results_close(results_of(0, NULL));
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    expect(export_with(&host), "exporting with a host");
    long made = memory.calls, wrong = 0, leaks = memory.blocks, files = 0;
    unlink("failing.pvd");
    for (long k = 1; k <= made; k++) {
        memory = (struct memory){.fail_at = k};
        error = (ew_error){0};
        int status = export_with(&host);
        wrong += status != EW_ENOMEM || error.code != EW_ENOMEM || !strstr(error.message, "memory");
        leaks += memory.blocks;
        files += access("failing.pvd", F_OK) == 0;
    }
    diag("%ld allocations", made);
    is_int(wrong, 0, "every allocation that fails is a sentence");
    is_int(leaks, 0, "... and leaks nothing");
    is_int(files, 0, "... and leaves no half-written file");
    unlink("failing.out");
}

/* Samples all fields; returns how many fail, and adds to *wrong those that succeed with other values than `right`. */
static int sample_all(const ew_results *results, int fields, double (*right)[ELEMENTS], bool fill, int *wrong)
{
    static const double middle[2] = {1.0 / 3, 1.0 / 3};
    int failures = 0;
    for (int k = 0; k < fields; k++) {
        double value[ELEMENTS] = {0};
        if (ew_results_sample(results, 0, k, 0, ELEMENTS, 1, middle, fill ? right[k] : value, &error) != EW_OK)
            failures++;
        else if (!fill)
            *wrong += memcmp(value, right[k], sizeof value) != 0;
    }
    return failures;
}

/* Corrupts a byte of one compressed block: only reads that need the block fail. */
static void test_damaged_values(void)
{
    enum { MOST = 64 };
    static double right[MOST][ELEMENTS];
    ew_results *results = results_of(1, (const char *const[]){"output.fields.compression=1"});
    ew_results_info info;
    int wrong = 0, failures = 0;
    size_t size;
    ew_results_get_info(results, &info);
    is_int(info.fields <= MOST ? sample_all(results, info.fields, right, true, NULL) : -1, 0, "a whole file is read");
    ew_results_close(results);
    char *bytes = read_bytes("small.nc", &size);
    for (size_t at = 0; at + 12 < size; at++) {
        if (memcmp(bytes + at, "x\1", 2) != 0) /* zlib's head */
            continue;
        bytes[at + 8] = (char)~bytes[at + 8];
        write_bytes("small.nc", bytes, size);
        bytes[at + 8] = (char)~bytes[at + 8];
        if (ew_results_open(NULL, "small.nc", &results, &error) != EW_OK)
            continue;
        failures += sample_all(results, info.fields, right, false, &wrong);
        ew_results_close(results);
    }
    ok(failures >= info.fields, "damaged values of a field are not read (%d times)", failures);
    is_int(wrong, 0, "... and no sample is wrong");
    free(bytes);
}

static void *write_often(void *wrong)
{
    static const char *const name = "a.vtu";
    static const double time = 0.5;
    for (int k = 0; k < 1000; k++)
        *(int *)wrong += ew_export_collection(NULL, 1, &name, &time, "same.pvd", NULL) != EW_OK;
    return NULL;
}

static void test_threads(void)
{
    int wrong[2] = {0, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_often, &wrong[0]) != 0)
        bail_out("cannot start a thread");
    write_often(&wrong[1]);
    pthread_join(thread, NULL);
    is_int(wrong[0] + wrong[1], 0, "two threads may write a file of one name");
    unlink("same.pvd");
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/edgewise-export.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make the folder %s", folder);
    write_bytes("small.cfg", case_text, strlen(case_text));
    test_csv();
    test_own_nodes();
    test_vtu(1);
    test_vtu(4);
    test_refusals();
    test_allocations();
    test_damaged_values();
    test_threads();
    unlink("small.nc");
    unlink("small.cfg");
    ok(chdir("/") == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return done_testing();
}
