/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cases: an options byte, the case and, behind a byte 1, a setting as of --set. What is read and small makes two steps.
 * Of a sweep, it is one of the members, and all have values.
 * Bits of the first byte: 1 confined to its folder, 2 only checked, 4 with a time series, 8 the mesh once more by
 * itself.
 */
#include "target.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TRIANGLES = 5000, FEW_TRIANGLES = 300, STEPS = 2, SETTING = 1, MOST_THREADS = 4 };

const char *const fuzz_words[] = {
    "{", "}", "[", "]", "(", ")", ";", "=", "\"", ",", "\n", "#", "/*", "*/", "@include \"case.cfg\"\n",
    "@include \"part.cfg\"\n", "\\", "\"\"", "0", "-1", "1e999", "99999999999", "0x", "5L", "true", "kind",
    "periodic", "with", "left", "right", "top", "bottom", "law", "mesh", "rectangle", "corners", "cells", "jitter",
    "group", "state", "\"exact\"", "initial", "let = { a = \"a\"; };", "\"(((((((((\"", "x", "1/0", "\xff",
    "\xef\xbb\xbf", "{ rectangle = { }; }", "( { } )", "[ ]", ".", "end", "\"square.msh\"", "\"euler\"",
    "\"advection\"", "\"shallow-water\"", "\"acoustics\"", "\"maxwell-tm\"", "\"llf\"", "\"roe\"", "\"hllc\"",
    "limiter", "\"barth-jespersen\"", "order", "flux", "wall", "mirror", "far", "copy", "supersonic-out", "inlet",
    "outlet", "total_pressure", "total_temperature", "direction", "mass_flow", "temperature", "discharge", "series",
    "probes", "forces", "fluxes", "restart", "every", "steps", "at", "fields", "variables", "subdivide", "precision",
    "compression", "backend", "threads", "tile", "kernels", "\"fused\"", "level", "\"scalar\"", "steady", "cfl",
    "errors", "fine", "time", "start", "scheme", "exact", "\1", "\1order=5", "\1mesh.rectangle.cells=[2,2]",
    "\1law.gamma=", "\1time.end=", "\1boundary.left.kind=", "\1let.n=", "\1output.fields.at=", "\1a.b.c.d=", "\1=",
    "\1mesh.rectangle.bottom=", "sweep = { over = ( { key = \"", "values = [", "design", "\"grid\"", "\"list\"",
    "\"random\"", "samples", "seed", "from", "to", "scale", "\"log\"", "\"let.n\"", "\1sweep.samples=", NULL,
};

/* Two triangles with the boundaries left, right, bottom and top. */
static const char square[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n4\n1 1 \"bottom\"\n1 2 \"right\"\n1 3 \"top\"\n1 4 \"left\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
    "$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 2 2 2 3\n3 1 2 3 3 3 4\n4 1 2 4 4 4 1\n"
    "5 2 2 0 1 1 2 3\n6 2 2 0 1 1 3 4\n$EndElements\n";
static const char part[] = "title = \"part\";\n";

static const char *const seeds[] = {
    "title = \"a\"; mesh = \"square.msh\"; order = 2; flux = \"roe\"; limiter = \"none\";\n"
    "law = { name = \"euler\"; gamma = \"7/5\"; };\n"
    "time = { scheme = \"rk4\"; cfl = 0.5; start = 0; end = 1.5; steps = 10L; };\n"
    "let = { r = \"hypot(x, y)\"; n = 3; };\n"
    "initial = { rho = \"1 + r\"; u = 0; v = 0x10; p = \"n > 2 ? 1 : 2\"; };\n"
    "exact = \"initial\"; errors = { rule = \"fine\"; };\n"
    "boundary = { left = { kind = \"state\"; state = \"exact\"; };\n"
    "right = { kind = \"wall\"; normal = [\"x\", \"y\"]; ghost = \"mirror\"; };\n"
    "top = { kind = \"far\"; rho = 1; u = 0; v = 0; p = \"1 + t\"; }; bottom = { kind = \"copy\"; }; };\n"
    "output = { fields = { every = 0.5; at = [0.25, 0.75]; subdivide = 2; compression = 1; }; };\n",
    "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = (2, \"1 + 1\"); jitter = 0.1; seed = 3;\n"
    "bottom = ( { name = \"a\"; to = \"1/2\"; }, { name = \"b\"; } ); }; };\n"
    "law = { name = \"advection\"; velocity = [\"-y\", \"x\"]; };\n"
    "order = 1; time = { end = 1; };\ninitial = { u = \"sin(x)\"; };\n"
    "boundary = { a = { kind = \"copy\"; }; b = { kind = \"copy\"; };\n"
    "# comment\n/* another */ top = { kind = \"copy\"; };\n"
    "left = { kind = \"periodic\"; with = \"right\"; translation = [1, 0]; };\n"
    "right = { kind = \"periodic\"; with = \"left\"; }; };\n"
    "backend = { name = \"omp\"; threads = 1; };\n@include \"part.cfg\"\n",
    "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [3, 2]; }; };\n"
    "law = { name = \"shallow-water\"; gravity = 9.8; };\n"
    "order = 3; flux = \"hllc\"; limiter = \"none\"; time = { scheme = \"ssprk33\"; end = 0.1; };\n"
    "initial = { h = \"x < 1 ? 2 : 1\"; u = 0; v = 0; };\n"
    "boundary = { left = { kind = \"wall\"; }; right = { kind = \"wall\"; };\n"
    "top = { kind = \"wall\"; }; bottom = { kind = \"wall\"; }; };\n"
    "output = { series = { steps = 1; }; probes = ( { name = \"a\"; x = 0.5; y = 0.5; } );\n"
    "restart = { every = 0.05; }; };\1order=2",
    "mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [2, 2]; }; };\n"
    "order = 1; time = { end = 0.1; };\nlet = { n = 1; m = 2; };\n"
    "initial = { rho = \"n\"; u = 0; v = 0; p = \"m\"; };\n"
    "boundary = { left = { kind = \"copy\"; }; right = { kind = \"copy\"; };\n"
    "top = { kind = \"copy\"; }; bottom = { kind = \"copy\"; }; };\n"
    "sweep = { design = \"random\"; samples = 9; seed = 3; over = (\n"
    "{ key = \"let.n\"; from = 1; to = \"2^3\"; scale = \"log\"; }, { key = \"let.m\"; values = (1, \"n\", 0.5); },\n"
    "{ key = \"order\"; from = 1; to = 3; }, { key = \"mesh.rectangle.cells\"; values = ([1, 2], [2, 1]); } ); };\n",
};

void fuzz_seeds(fuzz_add *add, void *context)
{
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        for (int options = 0; options < 16; options += 5)
            if (k != 1 || options % 2 == 0) /* an include is not allowed to who is confined */
                fuzz_add_text(add, context, options, seeds[k]);
}

static int admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error)
{
    (void)context;
    (void)problem;
    if (mesh->elements <= MOST_TRIANGLES)
        return EW_OK;
    error->code = EW_ENOMEM;
    snprintf(error->message, sizeof error->message, "the mesh has too many triangles for a fuzz target");
    return EW_ENOMEM;
}

/* All that a case says of the series is in its first lines. */
static void write_series(const ew_case *that, ew_solver *solver)
{
    ew_series *series = NULL;
    ew_error error = {0};
    int status = ew_series_create(&fuzz_host, fuzz_path("case.csv"), ew_case_plan(that), solver, -1, &series, &error);
    MUST(status == EW_OK || fuzz_is_told(status, &error));
    if (series && (status = ew_series_write(series, solver, &error)) == EW_OK)
        status = ew_series_close(series, "complete", &error);
    MUST(status == EW_OK || fuzz_is_told(status, &error));
    ew_series_destroy(series);
    fuzz_remove("case.csv");
}

static void solve(const ew_case *that, int how)
{
    const ew_problem *problem = ew_case_problem(that);
    ew_solver *solver = NULL;
    ew_error error = {0};
    enum ew_stop stop;
    int status = ew_solver_create(&fuzz_host, ew_case_mesh(that), problem, &solver, &error);
    MUST(status == EW_OK ? solver != NULL : !solver && fuzz_is_told(status, &error));
    if (solver) {
        status = ew_solver_advance(solver, problem->time + 1, STEPS, &stop, &error);
        MUST(status == EW_OK || fuzz_is_told(status, &error));
        if (status == EW_OK && (how & 4))
            write_series(that, solver);
    }
    ew_solver_destroy(solver);
}

static void use(const ew_case *that, int how)
{
    const ew_problem *problem = ew_case_problem(that);
    ew_mesh_info info;
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    ew_case_mesh_info(that, &info);
    MUST(ew_case_mesh(that) && info.elements > 0);
    MUST(ew_run_plan_next_frame(ew_case_plan(that), problem->time) >= problem->time);
    if (how & 8) {
        int status = ew_case_open_mesh(&fuzz_host, that, &mesh, &error);
        MUST(status == EW_OK || fuzz_is_told(status, &error));
        ew_mesh_destroy(mesh);
    }
    if (info.elements <= FEW_TRIANGLES && !(how & 2) && problem->threads <= MOST_THREADS)
        solve(that, how);
}

/* Of the sweep, if there is one, a member; 0: there is none, or it is wrong, which the case then is, too. */
static int64_t choose_member(const ew_case_options *options, size_t size)
{
    ew_sweep *sweep = NULL;
    ew_sweep_info info = {.members = 0};
    ew_error error = {0};
    int status = ew_sweep_read(&fuzz_host, fuzz_path("case.cfg"), options, &sweep, &error);
    MUST(status == EW_OK ? sweep != NULL : !sweep && fuzz_is_told(status, &error));
    if (sweep)
        ew_sweep_get_info(sweep, &info);
    int64_t member = info.members > 0 ? 1 + (int64_t)size % info.members : 0;
    for (int k = 0; k < info.keys; k++) {
        char text[16];
        double number;
        MUST(ew_sweep_key(sweep, k));
        ew_sweep_value(sweep, member, k, text, sizeof text, &number);
        MUST(isnan(number) || isfinite(number));
    }
    ew_sweep_destroy(sweep);
    return member;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    int how = data[0], sentences = 0;
    const uint8_t *cut = size > 1 ? memchr(data + 1, SETTING, size - 1) : NULL;
    size_t length = cut ? (size_t)(cut - data - 1) : size - 1;
    char *setting = cut ? fuzz_text(cut + 1, size - length - 2) : NULL;
    const char *const settings[] = {setting};
    ew_case_options options = {.settings = setting != NULL,
                                     .setting = settings,
                                     .report = fuzz_note,
                                     .report_context = &sentences,
                                     .confined = how & 1,
                                     .most_triangles = how & 2 ? 50 : 0,
                                     .admit = admit};
    ew_case *that = NULL;
    ew_error error = {0};
    fuzz_live = 0;
    fuzz_write("case.cfg", data + 1, length);
    fuzz_write("square.msh", square, sizeof square - 1);
    fuzz_write("part.cfg", part, sizeof part - 1);
    options.member = choose_member(&options, size);
    int status = ew_case_read(&fuzz_host, fuzz_path("case.cfg"), &options, &that, &error);
    MUST(status == EW_OK ? that != NULL : !that && fuzz_is_told(status, &error) && sentences > 0);
    if (that)
        use(that, how);
    fuzz_accepted += that != NULL;
    ew_case_destroy(that);
    free(setting);
    MUST(fuzz_live == 0);
    return 0;
}
