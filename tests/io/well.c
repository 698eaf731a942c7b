/* SPDX-License-Identifier: BSD-2-Clause */
/* Data sets of many rasters in the layout of The Well, read with HDF5's own library. */
#include "config.h"
#include "small-case.h"

#ifdef EWI_HAVE_HDF5
#include <hdf5.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NX = 6, NY = 4, MEMBERS = 4 };

/* One direction is periodic, the other between a wall and an open side. */
static const char periodic_text[] = "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [8, 4]; }; };\n"
                                    "order = 2;\n"
                                    "time = { end = 1.0; };\n"
                                    "initial = { rho = 1; u = \"x - 1\"; v = 0.5; p = \"1 + y\"; };\n"
                                    "boundary = { left = { kind = \"periodic\"; with = \"right\"; };\n"
                                    "             bottom = { kind = \"wall\"; }; top = { kind = \"copy\"; }; };\n";
static const char raster_setting[] =
    "output.raster={ cells = [6, 4]; variables = [\"rho\", \"rho_u\", \"rho_v\", \"p\"]; }";
static const char with_height[] =
    "output.raster={ cells = [6, 4]; variables = [\"height\", \"rho\", \"rho_u\", \"rho_v\", \"p\"]; }";
static const char *const keys[] = {"let.a", "law.gamma", "order"};
static char path_of_member[MEMBERS][32];

/* A file with one frame of density + member, and its raster as netCDF reads it. */
static struct setup write_member(int member, size_t settings, const char *const *setting, float *rho)
{
    struct setup setup = write_fields(settings, setting);
    int file, variable;
    expect_netcdf(nc_open("small.nc", NC_NOWRITE, &file), "small.nc");
    expect_netcdf(nc_inq_varid(file, "raster_rho", &variable), "raster_rho");
    if (rho)
        expect_netcdf(nc_get_var_float(file, variable, rho), "its values");
    nc_close(file);
    snprintf(path_of_member[member], sizeof path_of_member[member], "member-%d.nc", member);
    rename("small.nc", path_of_member[member]);
    return setup;
}

static ew_well *begin(const struct setup *setup, const char *path)
{
    ew_well *well;
    expect(ew_well_create(NULL, path, ew_case_plan(setup->that), ew_case_mesh(setup->that),
                          ew_case_problem(setup->that), MEMBERS, 3, keys, &well, &error), "ew_well_create");
    return well;
}

/* ---- what HDF5 finds --------------------------------------------------------------------------------------------- */

static hid_t file;

static void open_set(const char *path)
{
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        bail_out("%s is not opened", path);
}

/* "4 1 6 4"; "" for a scalar; "none". */
static const char *shape_of(const char *name, char text[64])
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hsize_t size[8];
    snprintf(text, 64, "none");
    if (set < 0)
        return text;
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, size, NULL);
    text[0] = '\0';
    for (int d = 0; d < rank; d++)
        snprintf(text + strlen(text), 64 - strlen(text), "%s%d", d ? " " : "", (int)size[d]);
    H5Sclose(space);
    H5Dclose(set);
    return text;
}

static void get(const char *name, float *value)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0 || H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0)
        bail_out("%s is not read", name);
    H5Dclose(set);
}

/* The texts of a list, separated by blanks; or the text itself if it must be a scalar. */
static const char *texts_of(const char *object, const char *name, bool is_list, char text[256])
{
    char *value[16] = {NULL};
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    snprintf(text, 256, "none");
    if (attribute < 0)
        return text;
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    text[0] = '\0';
    if ((H5Sget_simple_extent_ndims(space) == 1) != is_list || !H5Tis_variable_str(type))
        snprintf(text, 256, "of another kind");
    else if (count > 0 && count <= 16 && H5Aread(attribute, type, value) >= 0) {
        for (int k = 0; k < count; k++)
            snprintf(text + strlen(text), 256 - strlen(text), "%s%s", k ? " " : "", value[k]);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return text;
}

/* The value of a scalar; -1: missing. */
static double number_of(const char *object, const char *name, bool is_bool)
{
    double value = -1;
    int8_t byte = -1;
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return -1;
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    bool suits = H5Sget_simple_extent_type(space) == H5S_SCALAR && (H5Tget_class(type) == H5T_ENUM) == is_bool;
    if (suits)
        H5Aread(attribute, is_bool ? type : H5T_NATIVE_DOUBLE, is_bool ? (void *)&byte : (void *)&value);
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return is_bool ? byte : value;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void test_layout(void)
{
    char text[256], shape[64];
    ok(strcmp(texts_of("/", "dataset_name", false, text), "small") == 0 &&
           strcmp(texts_of("/", "grid_type", false, text), "cartesian") == 0 &&
           number_of("/", "n_spatial_dims", false) == 2,
       "the file says what it is");
    is_str(texts_of("dimensions", "spatial_dims", true, text), "x y", "the dimensions are x and y");
    is_str(shape_of("dimensions/time", shape), "1", "... and time");
    is_str(shape_of("dimensions/x", shape), "6", "... with as many cells as the raster has");
    is_str(texts_of("t0_fields", "field_names", true, text), "rho p height", "scalars");
    is_str(texts_of("t1_fields", "field_names", true, text), "momentum_density", "vectors");
    is_str(texts_of("t2_fields", "field_names", true, text), "", "there are no tensors");
    ok(number_of("t0_fields/rho", "sample_varying", true) == 1 &&
           number_of("t0_fields/rho", "time_varying", true) == 1 &&
           number_of("dimensions/x", "time_varying", true) == 0,
       "booleans say what varies");
    is_str(texts_of("scalars", "field_names", true, text), "let.a order gamma",
           "numbers of the members are scalars, the law's parameters once");
    is_str(shape_of("scalars/gamma", shape), "", "... one for all, if they have the same");
    is_str(texts_of("/", "simulation_parameters", true, text), "order gamma", "... which the file has, too");
    ok(number_of("/", "gamma", false) == 1.4, "... with its value");
}

static void test_constant(void)
{
    float value[3 * NX * NY];
    char shape[64];
    int wrong = 0;
    is_str(shape_of("t0_fields/height", shape), "3 6 4", "a formula of x and y alone has no frames");
    ok(number_of("t0_fields/height", "sample_varying", true) == 1 &&
           number_of("t0_fields/height", "time_varying", true) == 0, "... which its attributes say");
    get("t0_fields/height", value);
    for (int k = 0; k < 3 * NX * NY; k++) {
        double x = 2 * (k / NY % NX + 0.5) / NX, y = (k % NY + 0.5) / NY;
        wrong += fabs(value[k] - (x + 10 * y)) > 1e-5;
    }
    is_int(wrong, 0, "... and its values are right");
}

static void test_sides(void)
{
    char text[256], shape[64];
    is_str(texts_of("boundary_conditions/x_periodic", "bc_type", false, text), "PERIODIC", "x is periodic");
    is_str(shape_of("boundary_conditions/x_periodic/mask", shape), "6", "... with a mask");
    is_str(texts_of("boundary_conditions/y_wall", "bc_type", false, text), "WALL", "y has a wall");
    is_str(texts_of("boundary_conditions/y_open", "associated_dims", true, text), "y", "... and an open side");
    is_str(shape_of("boundary_conditions/x_open/mask", shape), "none", "x has none");
}

/* Members 0, 1 and 3, with 3 added first. */
static void test_values(float rho[MEMBERS][NX * NY])
{
    static const int member[] = {0, 1, 3};
    float value[3 * NX * NY], momentum[3 * NX * NY * 2], a[3];
    char shape[64];
    int different = 0, wrong = 0;
    is_str(shape_of("t0_fields/rho", shape), "3 1 6 4", "members that are missing leave no gap");
    is_str(shape_of("t1_fields/momentum_density", shape), "3 1 6 4 2", "vectors have a last index");
    ok(number_of("/", "n_trajectories", false) == 3, "the number of trajectories is there");
    get("t0_fields/rho", value);
    get("t1_fields/momentum_density", momentum);
    get("scalars/let.a", a);
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++) {
                int at = (m * NX + i) * NY + j;
                different += value[at] != rho[member[m]][j * NX + i];
                /* rho v = rho / 2 in the small case */
                wrong += fabsf(momentum[2 * at + 1] - 0.5f * value[at]) > 1e-6f;
            }
    is_int(different, 0, "values are those of the rasters, x before y");
    is_int(wrong, 0, "... and of a vector's components");
    ok(a[0] == 0 && a[1] == 10 && a[2] == 30, "scalars are in the same order");
}

static void add(ew_well *well, int member)
{
    const double value[] = {10.0 * member, 1.4, 2};
    expect(ew_well_add(well, member, path_of_member[member], value, &error), "ew_well_add");
}

/* True if another process is refused because this one writes the set. */
static bool is_refused(const struct setup *setup, const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        ew_well *second;
        int status = ew_well_create(NULL, path, ew_case_plan(setup->that), ew_case_mesh(setup->that),
                                    ew_case_problem(setup->that), MEMBERS, 3, keys, &second, &error);
        _exit(status == EW_ECREATE && strstr(error.message, "another run is writing") ? 0 : 1);
    }
    int how = 1;
    return child > 0 && waitpid(child, &how, 0) == child && how == 0;
}

static void test_set(void)
{
    float rho[MEMBERS][NX * NY];
    struct setup setup;
    write_bytes("small.cfg", periodic_text, sizeof periodic_text - 1);
    for (int m = 0; m < MEMBERS; m++) {
        char initial[160];
        snprintf(initial, sizeof initial, "initial.rho=\"%d + x + 2*y\"", m + 1);
        const char *const settings[] = {with_height, "output.quantities={ height = \"x + 10*y\"; }", initial};
        setup = write_member(m, 3, settings, rho[m]);
        if (m < MEMBERS - 1)
            unmake(&setup);
    }
    ew_well *well = begin(&setup, "set.hdf5");
    add(well, 3);
    add(well, 0);
    add(well, 1);
    const double unused[3] = {0};
    ok(ew_well_add(well, 0, path_of_member[0], unused, &error) == EW_EINVAL, "a member is added once");
    ok(access("set.hdf5", F_OK) != 0 && access("set.hdf5.part", F_OK) == 0, "the file has no name until it is whole");
    ok(is_refused(&setup, "set.hdf5"), "another process cannot begin the same set");
    expect(ew_well_close(well, &error), "ew_well_close");
    ew_well_destroy(well);
    ok(access("set.hdf5", F_OK) == 0 && access("set.hdf5.part", F_OK) != 0, "... and then it has");
    open_set("set.hdf5");
    test_layout();
    test_sides();
    test_constant();
    test_values(rho);
    H5Fclose(file);
    unmake(&setup);
}

static void test_mask(void)
{
    const char *const settings[] = {raster_setting, "output.raster.window=[-2.0, 0.0, 2.0, 1.0]",
                                    "output.fields.compression=1"};
    struct setup setup = write_member(0, 3, settings, NULL);
    float mask[NX * NY], rho[NX * NY];
    int inside = 0, wrong = 0;
    char text[256];
    ew_well *well = begin(&setup, "set.hdf5");
    add(well, 0);
    expect(ew_well_close(well, &error), "ew_well_close");
    ew_well_destroy(well);
    open_set("set.hdf5");
    get("t0_fields/mask", mask);
    get("t0_fields/rho", rho);
    for (int k = 0; k < NX * NY; k++) {
        inside += mask[k] == 1;
        wrong += (mask[k] == 0) != (rho[k] == 0);
    }
    is_int(inside, NX * NY / 2, "a mask has the cells of the domain");
    is_int(wrong, 0, "... outside of which fields are 0");
    is_str(texts_of("t0_fields", "field_names", true, text), "rho p mask", "... and it is a field");
    H5Fclose(file);
    unmake(&setup);
}

static void test_name_taken(void)
{
    const char *const settings[] = {raster_setting};
    struct setup setup = write_member(0, 1, settings, NULL);
    ew_well *well = begin(&setup, "taken.hdf5");
    add(well, 0);
    if (mkdir("taken.hdf5", 0777) != 0)
        bail_out("cannot make a folder");
    is_int(ew_well_close(well, &error), EW_EIO, "a set whose name has become a folder");
    contains(error.message, "the whole file is taken.hdf5.part", "... the error names the file that is kept");
    ew_well_destroy(well);
    open_set("taken.hdf5.part");
    H5Fclose(file);
    rmdir("taken.hdf5");
    unlink("taken.hdf5.part");
    unmake(&setup);
}

static void test_other_constants(void)
{
    const char *const settings[] = {with_height, "output.quantities={ height = \"x + 10*y\"; }"},
                      *const other[] = {with_height, "output.quantities={ height = \"x + 10*t\"; }"};
    const double value[2] = {0, 0};
    struct setup setup = write_member(0, 2, settings, NULL), second = write_member(1, 2, other, NULL);
    ew_well *well = begin(&setup, "other.hdf5");
    add(well, 0);
    is_int(ew_well_add(well, 1, path_of_member[1], value, &error), EW_EINVAL, "a constant that varies in a member");
    contains(error.message, "has another choice of variables that change with time", "... in words");
    ew_well_destroy(well);
    unmake(&second);
    unmake(&setup);
}

static void test_refusals(void)
{
    const char *const settings[] = {raster_setting}, *const other[] = {"output.raster={ cells = [6, 5]; }"},
                      *const none[] = {"output.fields.every=0.5"};
    const double value[3] = {0};
    struct setup setup = write_member(0, 1, settings, NULL), second = write_member(1, 1, other, NULL);
    struct setup third;
    expect(ew_case_read(NULL, "small.cfg", &(ew_case_options){.settings = 1, .setting = none}, &third.that, &error),
           "reading the case");
    ew_well *well = begin(&setup, "other.hdf5");
    ok(ew_well_close(well, &error) == EW_EINVAL, "a set without trajectories is none");
    add(well, 0);
    ok(ew_well_add(well, 1, path_of_member[1], value, &error) == EW_EINVAL, "another grid is refused");
    contains(error.message, "has another grid than the members before it", "... in words");
    ok(ew_well_add(well, 2, "nothing.nc", value, &error) == EW_EIO, "a file that is not there is refused");
    write_bytes("text.nc", "no netCDF", 9);
    ok(ew_well_add(well, 2, "text.nc", value, &error) == EW_EIO, "a file of another kind is refused");
    ew_well_destroy(well);
    ok(access("other.hdf5", F_OK) != 0 && access("other.hdf5.part", F_OK) != 0, "what is abandoned leaves nothing");
    ok(ew_well_create(NULL, "set.hdf5", ew_case_plan(third.that), ew_case_mesh(third.that),
                      ew_case_problem(third.that), 1, 0, NULL, &well, &error) == EW_EINVAL, "a set needs a raster");
    contains(error.message, "no output.raster", "... and says so");
    ok(ew_well_create(NULL, "nowhere/set.hdf5", ew_case_plan(setup.that), ew_case_mesh(setup.that),
                      ew_case_problem(setup.that), 1, 0, NULL, &well, &error) == EW_ECREATE, "a set needs a folder");
    ew_case_destroy(third.that);
    unmake(&second);
    unmake(&setup);
}

int main(void)
{
    static const char *const files[] = {"small.cfg", "text.nc", "set.hdf5"};
    char folder[] = "/tmp/edgewise-well.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("no temporary folder");
    test_set();
    write_bytes("small.cfg", case_text, sizeof case_text - 1);
    test_mask();
    test_name_taken();
    test_refusals();
    test_other_constants();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        unlink(files[k]);
    for (int m = 0; m < MEMBERS; m++)
        unlink(path_of_member[m]);
    if (chdir("/") == 0)
        rmdir(folder);
    return done_testing();
}
#else
int main(void)
{
    skip_all("built without HDF5");
}
#endif
