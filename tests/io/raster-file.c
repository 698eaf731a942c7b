/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rasters of cases: ESRI grids and netCDF files against each other, their conventions, wrong files, and what a case
 * keeps of them.
 */
#include "case-files.h"

#include <math.h>
#include <netcdf.h>

#define COPY(name) name " = { kind = \"copy\"; }; "
#define CASE "mesh = { rectangle = { corners = [0, 0, 5, 4]; cells = [5, 4]; }; };\nlaw = { name = \"advection\"; " \
    "velocity = [1, 0]; };\norder = 2;\ntime = { end = 1; };\n" \
    "boundary = { " COPY("left") COPY("right") COPY("bottom") COPY("top") "};\n"

#define HEADER "ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
#define ROWS "4 5 6 7 8\n3 4 5 6 7\n2 3 4 5 6\n1 2 3 4 5\n"

enum { COLUMNS = 5, LINES = 4, TIMES = 3 };

static int read_with(const char *formula, const ew_case_options *given, ew_case **that, struct said *said)
{
    char text[4096];
    ew_case_options options = given ? *given : (ew_case_options){0};
    ew_error error = {.message = ""};
    *said = (struct said){.sentences = 0};
    *that = NULL;
    options.report = listen_to;
    options.report_context = said;
    snprintf(text, sizeof text, CASE "initial = { u = \"%s\"; };\n", formula);
    write_text("case.cfg", text);
    int status = ew_case_read(NULL, "case.cfg", &options, that, &error);
    if (status != EW_OK && said->sentences == 0)
        listen_to(said, error.message);
    return status;
}

static ew_case *case_of(const char *formula)
{
    struct said said;
    ew_case *that;
    if (read_with(formula, NULL, &that, &said) != EW_OK)
        bail_out("%s: %s", formula, said.text);
    return that;
}

static double value_of(const ew_case *that, double x, double y, double t)
{
    double value;
    ew_formula_evaluate(ew_case_problem(that)->initial.formula, 1, &x, &y, t, &value, 1);
    return value;
}

static void is_value(const char *formula, double x, double y, double t, double expected, const char *name)
{
    ew_case *that = case_of(formula);
    is_close(value_of(that, x, y, t), expected, 1e-13, "%s", name);
    ew_case_destroy(that);
}

static void is_refused(const char *formula, const char *sentence, const char *name)
{
    struct said said;
    ew_case *that;
    int status = read_with(formula, NULL, &that, &said);
    ok(status == EW_ECONFIG, "%s is refused", name);
    is_str(said.text, sentence, "... in one sentence");
    ew_case_destroy(that);
}

/* ---- ESRI grids -------------------------------------------------------------------------------------------------- */

static void check_esri(void)
{
    write_text("a.asc", HEADER ROWS);
    is_value("raster('a.asc', x, y)", 1.5, 2.5, 0, 4, "an ESRI grid has its values at the centres of cells");
    is_value("raster('a.asc', 'z', x, y)", 2, 2, 0, 4, "... and between them the interpolation; its variable is z");
    is_value("raster('a.asc', x, y)", 0, 4, 0, 4, "... and covers the outer halves of its cells");
    write_text("b.asc", "NCOLS 5\r\nNROWS 4\r\nXLLCENTER 0.5\r\nyllcenter 0.5\r\ndx 1\r\ndy 1\r\n"
                        "NODATA_value -1\r\n" ROWS);
    is_value("raster('b.asc', x, y)", 2.25, 1.75, 0, 4, "a grid by its first centre, with dx and dy, and line ends of "
             "Windows");
    write_text("c.asc", HEADER "nodata_value -9\n4 5 6 7 8\n3 -9 5 6 7\n2 3 nan 5 6\n1 2 3 4 5\n");
    is_refused("raster('c.asc', x, y)",
               "case.cfg:6: the initial state is not admissible at 88 of 240 points, for example (1.55405, 0.891897), "
               "t = 0: u is nan; c.asc has a gap at (1.55405151, 0.891896982): a value that it needs there is missing",
               "a mesh over a gap");
    is_value("x < 0.5 || y > 3.5 ? raster('c.asc', x, y) : 9", 1, 3.75, 0, 4.5, "... but not one beside it");
}

static void check_wrong_esri(void)
{
    static const struct {
        const char *text, *sentence, *name;
    } wrong[] = {
        {"", "w.asc is empty or cannot be read", "an empty file"},
        {"ncols 5\n", "w.asc:2: the header of the ESRI grid lacks nrows", "a grid without rows"},
        {"ncols 5\nnrows 4\nxllcorner 0\ncellsize 1\n" ROWS, "w.asc:5: the header of the ESRI grid lacks yllcorner",
         "... without a corner"},
        {HEADER "xllcenter 0\n" ROWS, "w.asc:7: the header of the ESRI grid has both xllcorner and xllcenter",
         "... with two"},
        {HEADER "ncols 5\n" ROWS, "w.asc:6: ncols is given twice", "... with a line twice"},
        {"ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\n" ROWS, "w.asc:5: the header of the ESRI grid lacks cellsize",
         "... without a size of cells"},
        {"ncols 5\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize -1\n" ROWS,
         "w.asc:6: cellsize is -1; it must be greater than 0", "... with a negative one"},
        {"ncols 5\nnrows 4.5\nxllcorner 0\nyllcorner 0\ncellsize 1\n" ROWS,
         "w.asc:6: nrows is 4.5; it must be a whole number from 1 to 134217728", "... with half a row"},
        {HEADER "1 2 3\n", "w.asc:6: there should be 20 values, but only 6 bytes follow", "a short one"},
        {HEADER ROWS "1\n", "w.asc:10: the grid has more than ncols times nrows values", "a long one"},
        {HEADER "1 2 3 four 5\n" ROWS, "w.asc:6: \"four\" stands where a value should be", "one with a word"},
        {"width 5\n" ROWS, "w.asc:1: \"width\" is no keyword of an ESRI grid, and the file is no netCDF file",
         "a text"},
        {"\211PNG\r\n\032\n", "w.asc is a picture; \"gdal_translate -of AAIGrid -b 1\" makes an ESRI grid of it",
         "a picture"},
        {"CDF?????????????", "w.asc cannot be read: NetCDF: Unknown file format", "a damaged netCDF file"},
    };
    char sentence[512];
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        write_text("w.asc", wrong[k].text);
        snprintf(sentence, sizeof sentence, "case.cfg:6: initial.u: column 8: %s", wrong[k].sentence);
        is_refused("raster('w.asc', x, y)", sentence, wrong[k].name);
    }
    write_text("w.asc", "ncols 100000\nnrows 100000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    is_refused("raster('none.asc', x, y)",
               "case.cfg:6: initial.u: column 8: none.asc cannot be read: No such file or directory", "no file");
    is_refused("raster('a.asc', 'h', x, y)",
               "case.cfg:6: initial.u: column 8: a.asc is an ESRI grid, whose only variable is called z; it has no "
               "variable \"h\"", "another variable of a grid");
    is_refused("raster('a.asc', x + 1, y)",
               "case.cfg:6: the initial state is not admissible at 48 of 240 points, for example (4.8919, 0.445948), t "
               "= 0: u is nan; a.asc does not cover the point (5.89189698, 0.445948491): its x is from 0 to 5; with "
               "the argument 'clamp', raster takes the nearest value", "a mesh beyond the grid");
}

/* ---- netCDF ------------------------------------------------------------------------------------------------------ */

static void check(int code)
{
    if (code != NC_NOERR)
        bail_out("%s", nc_strerror(code));
}

/* A file with x, y and perhaps time; dimension: their numbers. */
static int new_file(const char *name, int times, int dimension[3])
{
    int file;
    check(nc_create(name, NC_NETCDF4, &file));
    check(nc_def_dim(file, "x", COLUMNS, &dimension[0]));
    check(nc_def_dim(file, "y", LINES, &dimension[1]));
    if (times > 0)
        check(nc_def_dim(file, "time", (size_t)times, &dimension[2]));
    return file;
}

static void put(int file, const char *name, nc_type type, int dimensions, const int *dimension, const double *values)
{
    int variable;
    check(nc_redef(file) == NC_NOERR ? NC_NOERR : NC_NOERR);
    check(nc_def_var(file, name, type, dimensions, dimension, &variable));
    check(nc_enddef(file));
    check(nc_put_var_double(file, variable, values));
}

static void put_attribute(int file, const char *variable, const char *name, nc_type type, double value)
{
    int number;
    check(nc_inq_varid(file, variable, &number));
    nc_redef(file);
    check(nc_put_att_double(file, number, name, type, 1, &value));
}

static void put_word(int file, const char *variable, const char *name, const char *word)
{
    int number;
    check(nc_inq_varid(file, variable, &number));
    nc_redef(file);
    check(nc_put_att_text(file, number, name, strlen(word), word));
}

static const double xs[COLUMNS] = {0.5, 1.5, 2.5, 3.5, 4.5}, ys[LINES] = {0.5, 1.5, 2.5, 3.5}, ts[TIMES] = {0, 1, 3};

/* x + y at the points: what the grid a.asc has. */
static double plane(int i, int j)
{
    return xs[i] + ys[j];
}

static void write_plain(void)
{
    int dimension[3], file = new_file("a.nc", 0, dimension), order[2];
    double values[LINES * COLUMNS], turned[LINES * COLUMNS], packed[LINES * COLUMNS];
    for (int j = 0; j < LINES; j++)
        for (int i = 0; i < COLUMNS; i++) {
            values[j * COLUMNS + i] = turned[i * LINES + j] = plane(i, j);
            packed[j * COLUMNS + i] = (plane(i, j) - 2) / 0.5;
        }
    put(file, "x", NC_DOUBLE, 1, &dimension[0], xs);
    put(file, "y", NC_DOUBLE, 1, &dimension[1], ys);
    order[0] = dimension[1];
    order[1] = dimension[0];
    put(file, "z", NC_DOUBLE, 2, order, values);
    put(file, "packed", NC_SHORT, 2, order, packed);
    put_attribute(file, "packed", "scale_factor", NC_DOUBLE, 0.5);
    put_attribute(file, "packed", "add_offset", NC_DOUBLE, 2);
    values[0] = -99.9;
    values[1] = 1e6;
    put(file, "gaps", NC_FLOAT, 2, order, values);
    put_attribute(file, "gaps", "missing_value", NC_DOUBLE, -99.9); /* of more digits than the values */
    put_attribute(file, "gaps", "valid_max", NC_FLOAT, 1000);
    order[0] = dimension[0];
    order[1] = dimension[1];
    put(file, "turned", NC_DOUBLE, 2, order, turned);
    put(file, "line", NC_DOUBLE, 1, order, xs);
    check(nc_close(file));
}

static void check_plain(void)
{
    struct said said;
    ew_case *grid = case_of("raster('a.asc', x, y, 'clamp')"), *file = case_of("raster('a.nc', 'z', x, y, 'clamp')");
    bool same = true;
    for (double x = -1; x < 6; x += 0.37)
        for (double y = -1; y < 5; y += 0.29)
            same = same && value_of(grid, x, y, 0) == value_of(file, x, y, 0);
    ok(same, "a netCDF file and an ESRI grid of the same values have the same bits");
    ew_case_destroy(grid);
    ew_case_destroy(file);
    is_value("raster('a.nc', 'turned', x, y, 'clamp')", 2.25, 1.25, 0, 3.5, "dimensions in the order x, y");
    is_value("raster('a.nc', 'packed', x, y, 'clamp')", 2.25, 1.25, 0, 3.5, "scale_factor and add_offset");
    ew_case *that = NULL;
    ok(read_with("raster('a.nc', 'gaps', x, y, 'clamp')", NULL, &that, &said) == EW_ECONFIG,
       "missing_value and valid_max are gaps");
    contains(said.text, "a.nc: gaps has a gap at (", "... which the error names");
    ew_case_destroy(that);
    is_value("x > 2.5 ? raster('a.nc', 'gaps', x, y, 'clamp') : 0", 3, 1, 0, 4, "... beside them are values");
    is_refused("raster('case.nc', 'h', x, y)", "case.cfg:6: initial.u: column 8: a run of this case would replace "
               "case.nc by its own output; rename one of them", "a raster that the run would replace");
    is_refused("raster('a.nc', 'h', x, y)", "case.cfg:6: initial.u: column 8: a.nc has no variable \"h\"; it has z, "
               "packed, gaps, turned", "a variable that is not there");
    is_refused("raster('a.nc', x, y)", "case.cfg:6: initial.u: column 8: a.nc needs the name of a variable after its "
               "own; it has z, packed, gaps, turned", "a netCDF file without a variable's name");
    is_refused("raster('a.nc', 'line', x, y)", "case.cfg:6: initial.u: column 8: a.nc: line does not depend on y",
               "a variable of one dimension");
    is_refused("raster('a.nc', 'z', x, y, t)", "case.cfg:6: initial.u: column 1: a.nc: z has no times: raster takes x "
               "and y after its texts, and then options", "a time that the file has not");
}

/* Longitudes by units, descending latitudes by their standard name, and a time by its units. */
static void write_named(void)
{
    int file, dimension[3], order[3];
    double down[LINES], values[TIMES * LINES * COLUMNS];
    check(nc_create("b.nc", NC_CLOBBER, &file));
    check(nc_def_dim(file, "n", TIMES, &dimension[0]));
    check(nc_def_dim(file, "i", COLUMNS, &dimension[1]));
    check(nc_def_dim(file, "j", LINES, &dimension[2]));
    for (int j = 0; j < LINES; j++)
        down[j] = ys[LINES - 1 - j];
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < COLUMNS; i++)
            for (int j = 0; j < LINES; j++)
                values[(k * COLUMNS + i) * LINES + j] = plane(i, LINES - 1 - j) * (1 + ts[k]);
    check(nc_enddef(file));
    put(file, "n", NC_DOUBLE, 1, &dimension[0], ts);
    put(file, "i", NC_DOUBLE, 1, &dimension[1], xs);
    put(file, "j", NC_DOUBLE, 1, &dimension[2], down);
    put_word(file, "n", "units", "hours since 2026-01-01");
    put_word(file, "i", "units", "degrees_east");
    put_word(file, "j", "standard_name", "latitude");
    memcpy(order, dimension, sizeof order);
    put(file, "rate", NC_DOUBLE, 3, order, values);
    check(nc_close(file));
}

static void check_named(void)
{
    is_value("raster('b.nc', 'rate', x, y, t, 'clamp')", 2.25, 1.25, 2, 3.5 * 3,
             "axes by their attributes, one of them descending, and a time");
    is_value("raster('b.nc', 'rate', x, y, t, 'clamp', 'nearest')", 2.4, 1.3, 0.5, 4 * 1.5, "... nearest in the plane");
    is_value("raster('b.nc', 'rate', x, y, 1, 'clamp')", 2.25, 1.25, 9, 3.5 * 2, "... at a time");
    is_refused("raster('b.nc', 'rate', x, y)", "case.cfg:6: initial.u: column 1: raster takes x, y and t after its "
               "texts, because the raster depends on time", "a raster of times without one");
}

static void check_wrong_axes(void)
{
    static const double bent[COLUMNS] = {0, 1, 3, 2, 4}, filled[COLUMNS] = {0, 1, NAN, 3, 4};
    int dimension[3], order[2], file = new_file("w.nc", 0, dimension);
    double values[LINES * COLUMNS] = {0}, layers[3 * LINES * COLUMNS] = {0};
    order[0] = dimension[1];
    order[1] = dimension[0];
    put(file, "y", NC_DOUBLE, 1, &dimension[1], ys);
    put(file, "z", NC_DOUBLE, 2, order, values);
    check(nc_close(file));
    is_refused("raster('w.nc', 'z', x, y)", "case.cfg:6: initial.u: column 8: w.nc: the coordinates of z must be "
               "one-dimensional: its dimension x needs a variable x(x) of numbers; regrid the file if its coordinates "
               "are curvilinear", "a dimension without coordinates");
    int layer[3];
    file = new_file("w.nc", 0, dimension);
    check(nc_def_dim(file, "k", 3, &layer[0]));
    layer[1] = dimension[1];
    layer[2] = dimension[0];
    put(file, "x", NC_DOUBLE, 1, &dimension[0], xs);
    put(file, "y", NC_DOUBLE, 1, &dimension[1], ys);
    put(file, "z", NC_DOUBLE, 3, layer, layers);
    check(nc_close(file));
    is_refused("raster('w.nc', 'z', x, y)", "case.cfg:6: initial.u: column 8: w.nc: the coordinates of z must be "
               "one-dimensional: its dimension k needs a variable k(k) of numbers, or the length 1 if it is none of x, "
               "y and t; regrid the file if its coordinates are curvilinear", "layers");
    file = new_file("w.nc", 0, dimension);
    put(file, "x", NC_DOUBLE, 1, &dimension[0], bent);
    put(file, "y", NC_DOUBLE, 1, &dimension[1], ys);
    put(file, "z", NC_DOUBLE, 2, order, values);
    check(nc_close(file));
    is_refused("raster('w.nc', 'z', x, y)", "case.cfg:6: initial.u: column 8: w.nc: the coordinates x must ascend or "
               "descend all the way; number 4 is 2, which is not between its neighbours", "an axis that turns");
    file = new_file("w.nc", 0, dimension);
    put(file, "x", NC_DOUBLE, 1, &dimension[0], filled);
    put(file, "y", NC_DOUBLE, 1, &dimension[1], ys);
    put(file, "z", NC_DOUBLE, 2, order, values);
    check(nc_close(file));
    is_refused("raster('w.nc', 'z', x, y)", "case.cfg:6: initial.u: column 8: w.nc: the coordinates x must ascend or "
               "descend all the way; number 3 is nan", "an axis with a gap");
}

/* ---- what a case keeps ------------------------------------------------------------------------------------------- */

static void note(void *context, enum ew_named_file kind, const char *name, const char *path)
{
    char *text = context;
    size_t length = strlen(text);
    snprintf(text + length, 256 - length, "%d %s %s;", (int)kind, name, path);
}

static void check_case(void)
{
    char named[256] = "";
    struct said said;
    const ew_case_options options = {.named = note, .named_context = named};
    ew_case *that;
    const ew_raster_data *raster = NULL;
    if (read_with("raster('a.nc', 'z', x, y, 'clamp') + raster('a.asc', x, y) + raster('a.nc', 'z', y, x, 'clamp')",
                  &options, &that, &said) != EW_OK)
        bail_out("%s", said.text);
    is_str(named, "1 a.nc a.nc;1 a.asc a.asc;", "each raster is named once");
    is_str(ew_case_raster(that, 0, &raster), "a.nc: z", "a case lists its rasters");
    ok(raster && raster->columns == COLUMNS && raster->rows == LINES && raster->times == 0, "... with their sizes");
    is_str(ew_case_raster(that, 1, NULL), "a.asc", "... in the order of its formulas");
    ok(!ew_case_raster(that, 2, NULL) && !ew_case_raster(that, -1, NULL) && !ew_case_raster(NULL, 0, NULL),
       "... and no others");
    char lines[128];
    snprintf(lines, sizeof lines, "%016llx a.nc z\n", (unsigned long long)ew_raster_hash(raster));
    contains(ew_case_plan(that)->rasters, lines, "its plan has their hashes");
    ew_case_destroy(that);
}

static void check_shared(void)
{
    ew_meshes *meshes;
    ew_error error = {.message = ""};
    must(ew_meshes_create(NULL, &meshes, &error), &error);
    const ew_case_options options = {.meshes = meshes};
    struct said said;
    ew_case *one, *two;
    const ew_raster_data *first = NULL, *second = NULL, *other = NULL;
    must(read_with("raster('a.asc', x, y)", &options, &one, &said), &error);
    must(read_with("2*raster('a.asc', x, y, 'nearest')", &options, &two, &said), &error);
    ew_case_raster(one, 0, &first);
    ew_case_raster(two, 0, &second);
    ok(first && first == second, "cases that share meshes share rasters");
    ew_case_destroy(one);
    is_close(value_of(two, 1.6, 2.4, 0), 8, 0, "... also after the end of one of them");
    write_text("new.asc", HEADER "nodata_value 0\n" ROWS);
    if (rename("new.asc", "a.asc") != 0)
        bail_out("cannot rename a.asc");
    must(read_with("raster('a.asc', x, y)", &options, &one, &said), &error);
    ew_case_raster(one, 0, &other);
    ok(other && other != second, "a file that has been replaced is another raster");
    ew_case_destroy(one);
    ew_case_destroy(two);
    ew_meshes_destroy(meshes);
}

static void check_confined(void)
{
    static const char *const names[] = {"/dev/zero", "../a.asc", "link.asc"};
    const ew_case_options options = {.confined = 1};
    if (symlink("a.asc", "link.asc") != 0)
        bail_out("cannot link a.asc");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char formula[64];
        struct said said;
        ew_case *that;
        snprintf(formula, sizeof formula, "raster('%s', x, y)", names[k]);
        ok(read_with(formula, &options, &that, &said) == EW_ECONFIG, "a confined case cannot name %s", names[k]);
        contains(said.text, "; this case may name files in its own folder only", "... and says so");
        ew_case_destroy(that);
    }
}

static void check_memory(void)
{
    struct memory memory = {.fail_at = 0};
    ew_host host = memory_host(&memory);
    ew_case *that = case_of("raster('a.asc', x, y) + raster('b.nc', 'rate', x, y, t, 'clamp')");
    ew_case_destroy(that);
    ew_error error;
    bool right = ew_case_read(&host, "case.cfg", NULL, &that, &error) == EW_OK;
    ew_case_destroy(that);
    long calls = memory.calls;
    for (long k = 0; k < calls; k++) {
        that = NULL;
        memory_allow(&memory, k);
        int status = ew_case_read(&host, "case.cfg", NULL, &that, &error);
        if (status != EW_ENOMEM || memory.blocks != 0)
            diag("allocation %ld: %d, %s, %ld blocks", k, status, error.message, (long)memory.blocks);
        right = right && status == EW_ENOMEM && memory.blocks == 0;
        ew_case_destroy(that);
    }
    ok(right && calls > 20, "every allocation that fails is reported, and nothing is left over");
}

int main(void)
{
    enter_test_folder();
    check_esri();
    check_wrong_esri();
    write_plain();
    check_plain();
    write_named();
    check_named();
    check_wrong_axes();
    check_case();
    check_confined();
    check_shared();
    check_memory();
    leave_test_folder((const char *const[]){"a.asc", "b.asc", "c.asc", "w.asc", "a.nc", "b.nc", "w.nc", "link.asc",
                                            "case.cfg", NULL});
    return done_testing();
}
