/* SPDX-License-Identifier: BSD-2-Clause */
/* Correct cases, and the values read from them. */
#include "case-files.h"

#include <math.h>

#define RECTANGLE "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 3]; }; };\n"
#define STATE "initial = { rho = 1; u = 0; v = 0; p = 1; };\n"
#define COPIES "boundary = { left = { kind = \"copy\"; }; right = { kind = \"supersonic-out\"; };\n" \
               "bottom = { kind = \"copy\"; }; top = { kind = \"copy\"; }; };\n"
#define SHORT RECTANGLE "order = 1;\ntime = { end = 1; };\n" STATE COPIES

static ew_case *read_file(const char *path, const ew_case_options *options)
{
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    if (!ok(ew_case_read(NULL, path, options, &that, &error) == EW_OK, "%s is read", path))
        diag("%s", error.message);
    return that;
}

static ew_case *read_text(const char *text)
{
    write_text("case.cfg", text);
    return read_file("case.cfg", NULL);
}

static ew_case *read_with(const char *text, const char *setting)
{
    write_text("case.cfg", text);
    ew_case_options options = {.settings = 1, .setting = &setting};
    return read_file("case.cfg", &options);
}

static double value_of(const ew_data *data, int output, double x, double y, double t)
{
    double values[EW_MAX_VARIABLES];
    for (int m = 0; m < EW_MAX_VARIABLES; m++)
        values[m] = NAN;
    if (data->formula)
        ew_formula_evaluate(data->formula, 1, &x, &y, t, values, 1);
    return values[output];
}

static const ew_boundary *boundary_of(const ew_problem *problem, const char *name)
{
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(problem->boundary[k].name, name) == 0)
            return &problem->boundary[k];
    bail_out("the problem has no boundary %s", name);
}

/* ---- examples ---------------------------------------------------------------------------------------------------- */

static void check_example(const char *name)
{
    char path[2 * PATH_ROOM];
    snprintf(path, sizeof path, "%s/examples/%s.cfg", source_folder(), name);
    ew_case *that = read_file(path, NULL);
    ew_case_destroy(that);
}

static void check_vortex(void)
{
    char path[2 * PATH_ROOM];
    ew_case_info info;
    ew_mesh_info mesh;
    snprintf(path, sizeof path, "%s/examples/vortex/vortex.cfg", source_folder());
    ew_case *that = read_file(path, NULL);
    if (!that)
        return;
    const ew_problem *problem = ew_case_problem(that);
    ew_case_get_info(that, &info);
    ew_mesh_get_info(ew_case_mesh(that), &mesh);
    is_str(info.path, path, "vortex: the path");
    is_str(info.plan.name, "vortex", "vortex: the name is the file's");
    is_str(info.plan.title, "supersonic vortex", "vortex: the title");
    contains(info.plan.text, "# Supersonic vortex", "vortex: the text has the comments, too");
    contains(info.plan.mesh, "examples/vortex/annulus-A.msh", "vortex: the mesh is beside the case");
    is_int(mesh.elements, 180, "vortex: the mesh is read");
    is_close(info.plan.end, 100, 0, "vortex: the end");
    ok(info.plan.steps == INT64_MAX, "vortex: steps are not limited");
    is_str(problem->law, "euler", "vortex: the law");
    is_int(problem->order, 2, "vortex: the order");
    is_int(info.plan.subdivide, 2, "vortex: subdivide is the order, so that the fields have the whole polynomials");
    is_close(problem->steady, 1e-14, 0, "vortex: steady");
    is_int((int64_t)problem->boundaries, 4, "vortex: four boundaries");
    double r = 1.2, x = 1.2 * cos(0.3), y = 1.2 * sin(0.3), density = pow(1 + 1.0125 * (1 - 1 / (r * r)), 2.5);
    is_close(value_of(&problem->initial, 0, x, y, 0), density, 1e-13, "vortex: density");
    is_close(value_of(&problem->initial, 1, x, y, 0), 2.25 * y / (r * r), 1e-13, "vortex: velocity");
    is_close(value_of(&problem->exact, 3, x, y, 5), pow(density, 1.4) / 1.4, 1e-13, "vortex: the exact pressure");
    const ew_boundary *inner = boundary_of(problem, "inner"), *inflow = boundary_of(problem, "inflow");
    is_str(inner->kind, "wall", "vortex: the inner arc is a wall");
    is_str(inner->ghost, "tangential", "vortex: with a tangential ghost");
    is_close(value_of(&inner->normal, 0, x, y, 0), -x / r, 1e-13, "vortex: and a normal");
    is_close(value_of(&inflow->state, 0, x, y, 0), density, 1e-13, "vortex: the inflow is the exact state");
    is_close(ew_run_plan_next_frame(ew_case_plan(that), 0), 100, 0, "vortex: fields are due at the end only");
    ew_case_destroy(that);
}

static void check_double_mach(void)
{
    char path[2 * PATH_ROOM];
    snprintf(path, sizeof path, "%s/examples/double-mach/double-mach.cfg", source_folder());
    static const char *const setting = "mesh = { rectangle = { corners = [0.0, 0.0, 3.5, 1.0]; cells = [21, 6];\n"
                                       "left = \"inflow\";"
                                       "bottom = ( { name = \"behind\"; to = \"x0\"; }, { name = \"wedge\"; } ); }; }";
    ew_case_options options = {.settings = 1, .setting = &setting};
    ew_case *that = read_file(path, &options);
    if (!that)
        return;
    const ew_boundary *top = boundary_of(ew_case_problem(that), "top");
    is_close(value_of(&top->state, 0, 1, 1, 0), 1.4, 0, "double Mach: before the shock");
    is_close(value_of(&top->state, 0, 1, 1, 0.1), 8, 0, "double Mach: the state at the top follows the shock");
    is_str(ew_case_problem(that)->scheme, "rk2", "double Mach: the scheme");
    int64_t edges;
    for (int32_t k = 0; ew_mesh_boundary(ew_case_mesh(that), k, &edges); k++)
        if (strcmp(ew_mesh_boundary(ew_case_mesh(that), k, NULL), "behind") == 0)
            is_int(edges, 1, "double Mach: one edge before the wedge");
    ew_case_destroy(that);
}

/* ---- what is not given, and what is ------------------------------------------------------------------------------ */

static void check_defaults(void)
{
    ew_case_info info;
    ew_case *that = read_text(SHORT);
    if (!that)
        return;
    const ew_problem *problem = ew_case_problem(that);
    ew_case_get_info(that, &info);
    is_str(info.plan.title, "", "no title");
    is_str(info.plan.mesh, "rectangle", "a mesh that is made");
    is_int(info.plan.subdivide, 1, "subdivide is 1");
    is_int(info.plan.compression, 0, "compression is 0");
    is_str(problem->law, "euler", "the law is euler");
    is_int((int64_t)problem->parameters, 0, "with its own parameters");
    is_str(problem->flux, "llf", "the flux is llf");
    is_str(problem->limiter, "none", "no limiter");
    is_str(problem->scheme, "rk4", "the scheme is rk4");
    is_close(problem->cfl, 0, 0, "the Courant number is the scheme's");
    is_close(problem->steady, 0, 0, "never steady");
    is_close(problem->time, 0, 0, "it starts at 0");
    is_int(problem->fine_errors, 0, "errors by the standard rule");
    ok(!problem->exact.formula && !problem->exact.callback, "no exact solution");
    is_str(problem->backend, "auto", "any backend");
    ok(!problem->kernels && !problem->level, "kernels and level are the backend's");
    is_int(problem->threads, 0, "as many threads as there are");
    is_int(problem->tile, 0, "tiles of the usual width");
    is_str(boundary_of(problem, "right")->kind, "copy", "supersonic-out is copy");
    ok(!boundary_of(problem, "right")->ghost, "and has no ghost");
    ew_case_destroy(that);
}

static void check_all_given(void)
{
    ew_case_info info;
    ew_mesh_info mesh;
    ew_case *that =
        read_text("title = \"all\"; let = { n = 3; half = \"n/6\"; wave = \"sin(x - t)\"; };\n"
                  "mesh = { rectangle = { corners = (\"-n\", 0, 1.5, \"2*half\"); cells = [\"n\", \"2*n\"]; jitter = "
                  "\"half/2\";\n"
                  "seed = 5; left = \"inflow\"; top = ( { name = \"lid\"; } );\n"
                  "right = ( { name = \"low\"; to = \"half\"; }, { name = \"high\"; } ); }; };\n"
                  "law = { name = \"euler\"; gamma = \"5/3\"; };\n"
                  "order = \"n\"; flux = \"hllc\"; limiter = \"none\";\n"
                  "time = { scheme = \"ssprk33\"; cfl = \"half\"; start = -1; end = \"pi\"; steps = 10000000000L; "
                  "steady = 1e-9; };\n"
                  "initial = { rho = \"2 + wave\"; u = \"half\"; v = -0.1; p = \"gamma\"; };\n"
                  "exact = { rho = \"2 + wave\"; u = 0.5; v = -0.1; p = \"5/3\"; };\n"
                  "errors = { rule = \"fine\"; };\n"
                  "boundary = { inflow = { kind = \"far\"; state = \"initial\"; }; lid = { kind = \"state\"; state = "
                  "\"exact\"; };\n"
                  "low = { kind = \"state\"; rho = \"2 + t\"; u = 0; v = 1e-3; p = 3; }; high = { kind = \"copy\"; };\n"
                  "bottom = { kind = \"wall\"; normal = [\"half\", \"-1\"]; ghost = \"mirror\"; }; };\n"
                  "output = { fields = { every = \"half\"; at = (0.25, \"n\"); subdivide = 2; compression = 9; }; };\n"
                  "backend = { name = \"omp\"; kernels = \"edgewise\"; threads = 2; device = 1; level = \"scalar\"; "
                  "tile = -1; };\n");
    if (!that)
        return;
    const ew_problem *problem = ew_case_problem(that);
    ew_case_get_info(that, &info);
    ew_mesh_get_info(ew_case_mesh(that), &mesh);
    is_close(mesh.xmin, -3, 0, "corners may be formulas");
    is_close(mesh.ymax, 1, 0, "of earlier names");
    is_int(mesh.elements, 36, "and so may be numbers of cells");
    is_int(problem->order, 3, "and the order");
    is_close(problem->parameter[0].value, 5.0 / 3.0, 0, "and parameters of the law");
    is_close(problem->cfl, 0.5, 0, "and the Courant number");
    is_close(problem->time, -1, 0, "a negative start");
    is_close(info.plan.end, acos(-1), 0, "pi as the end");
    ok(info.plan.steps == INT64_C(10000000000), "more steps than 32 bits hold");
    is_int(problem->fine_errors, 1, "the fine rule");
    is_close(value_of(&problem->initial, 0, 0.5, 0, 0.2), 2 + sin(0.3), 1e-15, "initial data of x and t");
    is_close(value_of(&problem->initial, 3, 0, 0, 0), 5.0 / 3.0, 0, "gamma is a name in formulas");
    is_close(value_of(&problem->initial, 2, 0, 0, 0), -0.1, 0, "numbers keep their bits");
    is_close(value_of(&boundary_of(problem, "low")->state, 0, 0, 0, 2), 4, 0, "a boundary's own state of t");
    is_close(value_of(&boundary_of(problem, "bottom")->normal, 1, 0, 0, 0), -1, 0, "a constant normal");
    is_str(boundary_of(problem, "inflow")->kind, "far", "a far field");
    is_str(problem->backend, "omp", "the backend");
    is_str(problem->level, "scalar", "the level");
    is_int(problem->tile, -1, "the tile");
    is_close(ew_run_plan_next_frame(ew_case_plan(that), -1), -0.5, 0, "multiples of the period count from the start");
    ew_case_destroy(that);
}

/* For a check, a large rectangle is made coarser. */
static void check_coarser(void)
{
    ew_case_info info;
    ew_mesh_info made, asked;
    static const char *const cells[] = {"mesh.rectangle.cells=[1000000, 2]", "mesh.rectangle.cells=[1, 1000000]",
                                        "mesh.rectangle.cells=[30000, 8000]", "mesh.rectangle.cells=[20, 10]"};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        ew_case_options options = {.settings = 1, .setting = &cells[k], .most_triangles = 1000};
        write_text("case.cfg", "mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [2, 3];\n"
                               "left = ( { name = \"left\"; to = 0.001; }, { name = \"top\"; } ); }; };\n"
                               "order = 1;\ntime = { end = 1; };\n" STATE COPIES);
        ew_case *that = read_file("case.cfg", k < 3 ? &options : NULL);
        if (!that)
            continue;
        ew_case_get_info(that, &info);
        ew_case_mesh_info(that, &asked);
        ew_mesh_get_info(ew_case_mesh(that), &made);
        is_int(info.coarser, k < 3, "%s: whether it is coarser", cells[k]);
        if (k < 3)
            ok(made.elements <= 1000 && made.elements > 400, "%s: few triangles", cells[k]);
        is_int(asked.elements,
               k == 0   ? 4000000
               : k == 1 ? 2000000
               : k == 2 ? 480000000
                        : 12,
               "%s: what is asked for", cells[k]);
        ew_case_destroy(that);
    }
}

/* Names in the mesh that cannot be keys. */
static void check_names(void)
{
    ew_mesh_info mesh;
    ew_case *that = read_text(
        "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 3]; left = \"left wall\"; right = \"5.a\";\n"
        "top = \"the lid\"; }; };\norder = 1; time = { end = 1; };" STATE
        "boundary = { any = { name = \"the lid\"; kind = \"wall\"; }; bottom = { kind = \"copy\"; };\n"
        "west = { name = \"left wall\"; kind = \"periodic\"; with = \"5.a\"; }; };\n");
    if (!that)
        return;
    ew_mesh_get_info(ew_case_mesh(that), &mesh);
    is_int(mesh.boundary_edges, 4, "\"left wall\" and \"5.a\" are periodic");
    is_int((int64_t)ew_case_problem(that)->boundaries, 2, "the others have conditions");
    is_str(boundary_of(ew_case_problem(that), "the lid")->kind, "wall", "a boundary whose name is no key");
    ew_case_destroy(that);
}

static void check_periodic(void)
{
    ew_mesh_info mesh;
    ew_case *that =
        read_text(RECTANGLE "order = 1; time = { end = 1; };" STATE
                            "boundary = { left = { kind = \"periodic\"; with = \"right\"; translation = [1, 0]; };\n"
                            "right = { kind = \"periodic\"; with = \"left\"; translation = [-1, 0]; };\n"
                            "top = { kind = \"periodic\"; }; bottom = { kind = \"periodic\"; with = \"top\"; }; };\n");
    if (!that)
        return;
    ew_mesh_get_info(ew_case_mesh(that), &mesh);
    is_int(mesh.boundary_edges, 0, "a torus has no boundary");
    is_int((int64_t)ew_case_problem(that)->boundaries, 0, "and needs no condition");
    ew_case_destroy(that);
    that = read_text(RECTANGLE "order = 1; time = { end = 1; };" STATE
                     "boundary = { right = { kind = \"periodic\"; with = \"left\"; };\n"
                     "top = { kind = \"copy\"; }; bottom = { kind = \"wall\"; }; };\n");
    if (!that)
        return;
    is_int((int64_t)ew_case_problem(that)->boundaries, 2, "one of a periodic pair is enough");
    ew_case_destroy(that);
}

static void check_advection(void)
{
    ew_case *that = read_text(RECTANGLE "order = 2; time = { end = 1; }; let = { speed = \"2*pi\"; };\n"
                                        "law = { name = \"advection\";\n"
                                        "velocity = [ \"-(y - 0.5)*speed\", \"(x - 0.5)*speed\" ]; };\n"
                                        "initial = { u = \"exp(-x^2)\"; };\n" COPIES);
    if (!that)
        return;
    const ew_problem *problem = ew_case_problem(that);
    is_str(problem->law, "advection", "advection: the law");
    is_close(value_of(&problem->field, 0, 0, 1, 0), -acos(-1), 1e-15, "advection: velocity in x");
    is_close(value_of(&problem->field, 1, 1, 0, 0), acos(-1), 1e-15, "advection: velocity in y");
    ew_case_destroy(that);
}

static void check_included(void)
{
    write_text("part.cfg", "let = { a = 2; };\norder = 3;\n");
    ew_case *that = read_text(RECTANGLE "@include \"part.cfg\"\ntime = { end = \"a\"; };\n" STATE COPIES);
    is_int(that ? ew_case_problem(that)->order : -1, 3, "settings of an included file count");
    ew_case_destroy(that);
    that = read_text("\xef\xbb\xbf# a comment with \" and /*\r\n" SHORT);
    ok(that != NULL, "a byte order mark and quotes in comments do no harm");
    ew_case_destroy(that);
}

/* ---- overrides --------------------------------------------------------------------------------------------------- */

/* Constants of a law by names of `let` that use other constants, which the case gives in any order. */
static void check_parameters_by_names(void)
{
    ew_case *that = read_with(SHORT "law = { name = \"navier-stokes\"; mu = \"2*speed/re\"; gamma = \"ratio\"; };\n"
                              "let = { re = 10; ratio = \"7/5\"; mach = 3; speed = \"mach*gamma\";\n"
                              "wave = \"mu*x\"; };\n",
                              "let.re=20");
    const ew_problem *problem = that ? ew_case_problem(that) : NULL;
    is_int(problem ? (long long)problem->parameters : -1, 2, "constants of the law by names");
    is_close(problem ? problem->parameter[0].value : NAN, 1.4, 0, "... a number by a name");
    is_close(problem ? problem->parameter[1].value : NAN, 2 * (3 * 1.4) / 20, 1e-16,
             "... another one by a name that uses it, and by a name that --set changes");
    ew_case_destroy(that);
    static const char *const density[] = {"r", "1 + r*x"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 RECTANGLE COPIES "order = 1;\ntime = { end = 1; };\ninitial = { p = 0; u = 0; v = 0; };\n"
                 "law = { name = \"acoustics\"; rho0 = \"%s\"; };\nlet = { r = 2; };\n", density[k]);
        that = read_text(text);
        is_str(that ? ew_case_problem(that)->law : NULL, k ? "acoustics-media" : "acoustics",
               "a density by a name is that of media %s", k ? "if it depends on x" : "only if it depends on x or y");
        ew_case_destroy(that);
    }
}

static void check_overrides(void)
{
    ew_case *that = read_with(SHORT, "order=3");
    is_int(that ? ew_case_problem(that)->order : -1, 3, "--set an integer");
    ew_case_destroy(that);
    that = read_with(SHORT, "order=1 + 1");
    is_int(that ? ew_case_problem(that)->order : -1, 2, "--set a formula without quotes");
    ew_case_destroy(that);
    that = read_with(SHORT, "flux=\"roe\"");
    is_str(that ? ew_case_problem(that)->flux : NULL, "roe", "--set a name with quotes");
    ew_case_destroy(that);
    that = read_with(SHORT, "backend.name=omp");
    is_str(that ? ew_case_problem(that)->backend : NULL, "omp",
           "--set a name without quotes, in a group that is not there");
    ew_case_destroy(that);
    that = read_with(SHORT, "initial.u=(x < 0.5)*2");
    is_close(that ? value_of(&ew_case_problem(that)->initial, 1, 0.2, 0, 0) : NAN, 2, 0,
             "--set a formula that starts with a (");
    ew_case_destroy(that);
    that = read_with(SHORT, "mesh.rectangle.cells=[4, 5]");
    ew_mesh_info mesh = {0};
    if (that)
        ew_mesh_get_info(ew_case_mesh(that), &mesh);
    is_int(mesh.elements, 40, "--set a list");
    ew_case_destroy(that);
    that = read_with(SHORT, "boundary.top={ kind = \"wall\"; ghost = \"tangential\"; }");
    is_str(that ? boundary_of(ew_case_problem(that), "top")->ghost : NULL, "tangential", "--set a group");
    ew_case_destroy(that);
    that = read_with(SHORT "law = \"euler\";\n", "law.gamma=5/3");
    is_close(that ? ew_case_problem(that)->parameter[0].value : NAN, 5.0 / 3.0, 0,
             "--set a parameter of a law that has none");
    ew_case_destroy(that);
    check_parameters_by_names();
    that = read_with(SHORT "let = { n = 1; m = \"2*n\"; k = 3; };\nbackend = { threads = \"m\"; };\n", "let.n=4");
    is_int(that ? ew_case_problem(that)->threads : -1, 8, "--set a name before those that use it");
    ew_case_destroy(that);
    that = read_with(SHORT "backend = { threads = \"m\"; };\n", "let={ m = 2; }");
    is_int(that ? ew_case_problem(that)->threads : -1, 2, "--set all names");
    ew_case_destroy(that);
    that = read_with(SHORT, "title=(a \"short\"; text");
    ew_case_info named = {.plan.title = NULL};
    if (that)
        ew_case_get_info(that, &named);
    is_str(named.plan.title, "(a \"short\"; text", "--set a text that starts with a (");
    ew_case_destroy(that);
    that = read_with(SHORT, "title=2 = 1 + 1");
    ew_case_info info = {.plan.title = NULL};
    if (that)
        ew_case_get_info(that, &info);
    is_str(info.plan.title, "2 = 1 + 1", "--set a text with = in it");
    ew_case_destroy(that);
    that = read_with(SHORT, "time.steps=3000000000L");
    if (that)
        ew_case_get_info(that, &info);
    ok(that && info.plan.steps == INT64_C(3000000000), "--set a large integer");
    ew_case_destroy(that);
}

/* ---- output times ------------------------------------------------------------------------------------------------ */

/* The times after the start at which fields are due, at most `room` of them. */
static int output_times(const ew_case *that, double *times, int room)
{
    ew_case_info info;
    ew_case_get_info(that, &info);
    double time = ew_case_problem(that)->time;
    int count = 0;
    while (count < room && time < info.plan.end)
        times[count++] = time = ew_run_plan_next_frame(ew_case_plan(that), time);
    return count;
}

static void check_times(const char *time, const char *fields, const char *expected)
{
    char text[2048], got[1024] = "";
    double times[32];
    size_t length = 0;
    snprintf(text, sizeof text,
             RECTANGLE "order = 1;\n" STATE COPIES "time = { %s };\noutput = { fields = { %s }; };\n", time, fields);
    ew_case *that = read_text(text);
    int count = that ? output_times(that, times, 32) : 0;
    for (int k = 0; k < count && length < sizeof got; k++)
        length += (size_t)snprintf(got + length, sizeof got - length, "%s%.17g", k > 0 ? " " : "", times[k]);
    is_str(got, expected, "%s and %s: fields are due", time, fields);
    ew_case_destroy(that);
}

static void check_output(void)
{
    check_times("end = 1;", "", "1");
    check_times("end = 1;", "every = 0.25;", "0.25 0.5 0.75 1");
    check_times("end = 1;", "every = 0.375;", "0.375 0.75 1");
    check_times("end = 1;", "every = 2;", "1");
    check_times("start = 10; end = 11;", "every = 0.5;", "10.5 11");
    check_times("start = -1; end = 1;", "at = (0.5, -0.5, 0, 3, -2);", "-0.5 0 0.5 1");
    check_times("end = 2;", "every = 1; at = [0.5, 1.0, 1.5];", "0.5 1 1.5 2");
    check_times("end = 0.3;", "every = 0.1;", "0.10000000000000001 0.20000000000000001 0.29999999999999999");
    check_times(
        "end = 1;", "every = 0.1; at = [0.3];",
        "0.10000000000000001 0.20000000000000001 0.29999999999999999 0.40000000000000002 0.5 0.60000000000000009 "
        "0.70000000000000007 0.80000000000000004 0.90000000000000002 1");
    check_times("end = 0;", "every = 1;", "");
    ew_case *that = read_text(RECTANGLE "order = 1;\n" STATE COPIES
                                        "time = { end = 1; };\noutput = { fields = { every = \"1/3000000\"; }; };\n");
    double last = 0;
    bool rising = that != NULL;
    for (int k = 0; rising && k < 3000; k++) {
        double next = ew_run_plan_next_frame(ew_case_plan(that), last);
        rising = next > last && fabs(next - (k + 1) / 3e6) < 1e-15;
        last = next;
    }
    ok(rising, "no multiple of a short period is lost");
    ew_case_destroy(that);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void check_memory(const char *name, const char *text, const char *setting, int wanted)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_case_options options = {.settings = 1, .setting = &setting};
    int status = EW_ENOMEM, wrong = 0;
    int64_t limit = 0;
    write_text("case.cfg", text);
    for (; status == EW_ENOMEM && limit < 100000; limit++) {
        ew_case *that = NULL;
        ew_error error = {.message = ""};
        memory = (struct memory){.fail_at = limit + 1};
        status = ew_case_read(&host, "case.cfg", &options, &that, &error);
        wrong += status == EW_ENOMEM && !strstr(error.message, "memory");
        ew_case_destroy(that);
        wrong += memory.blocks != 0;
    }
    is_int(status, wanted, "%s: with enough memory the outcome is the usual one", name);
    is_int(wrong, 0, "%s: without memory it says so and keeps none (%lld times)", name, (long long)limit);
}

int main(void)
{
    static const char *const examples[] = {"vortex/vortex",
                                           "double-mach/double-mach-small",
                                           "sod/sod",
                                           "density-wave/density-wave",
                                           "hill/hill",
                                           "free-stream/free-stream",
                                           "isentropic-vortex/isentropic-vortex",
                                           "cylinder/cylinder",
                                           "naca0012/naca0012",
                                           "naca0012/naca0012-fishtail",
                                           "forward-step/forward-step",
                                           "shu-osher/shu-osher",
                                           "kelvin-helmholtz/kelvin-helmholtz",
                                           "dam-break/dam-break",
                                           "cavity/cavity",
                                           "pulse/pulse",
                                           "scattering/scattering"};
    static const char *const files[] = {"case.cfg", "part.cfg", NULL};
    enter_test_folder();
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        check_example(examples[k]);
    check_vortex();
    check_double_mach();
    check_defaults();
    check_all_given();
    check_names();
    check_coarser();
    check_periodic();
    check_advection();
    check_included();
    check_overrides();
    check_output();
    check_memory("a case", SHORT "let = { a = 1; b = \"2*x\"; };\nlaw = { name = \"navier-stokes\"; mu = \"a/9\"; };\n",
                 "order=2", EW_OK);
    check_memory("a wrong case", SHORT "let = { a = \"1 +\"; };\nlimitter = 2;\nflux = \"lff\";\n", "order=9",
                 EW_ECONFIG);
    check_memory("a constant of the law that depends on itself",
                 SHORT "let = { a = \"mu\"; };\nlaw = { name = \"navier-stokes\"; mu = \"a/9\"; };\n", "order=2",
                 EW_ECONFIG);
    leave_test_folder(files);
    return done_testing();
}
