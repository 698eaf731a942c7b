/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise mesh: reports the quality of a mesh, refines it, converts it. */
#include "cmd.h"
#include "ewi_mesh_advice.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

enum { MOST_TIMES = 20 };

struct mesh_arguments {
    struct cli_arguments common;
    const char *format, *times, *corner;
    bool binary;
    struct cli_texts circle, spline, straight;
};

struct meshing {
    const struct mesh_arguments *given;
    const char *path; /* the mesh or the case */
    bool imports;     /* splits quadrangles */
    struct cli_report report;
    ew_case *that;    /* NULL: the operand is a mesh */
    ew_mesh *mesh;
    size_t curves;
    ew_boundary_curve *curve;
    char **name;      /* [curves]: owned names of curves from options; NULL: from the case */
    enum ew_gmsh_version version;
    ew_error error;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/*
 * Reads the whole case first: its errors about the mesh are clearer than those of a mesh with open periodic boundaries.
 */
static int read_case(struct meshing *meshing)
{
    struct cli_case what = cli_case_of(&meshing->given->common);
    what.path = meshing->path;
    int status = cli_read_case(&what, &cli_host, &meshing->report, &meshing->that, &meshing->error);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    if (ew_case_open_mesh(NULL, meshing->that, &meshing->mesh, &meshing->error) == EW_OK)
        return EX_OK;
    return cli_fail(cli_exit_code(meshing->error.code, EX_NOINPUT), "%s", meshing->error.message);
}

/* Prints what importing a mesh has changed. */
static void say(void *context, int level, const char *sentence)
{
    const struct meshing *meshing = context;
    if (level == EW_LOG_INFO && !meshing->given->common.quiet)
        printf("%s\n", sentence);
    cli_host.log(cli_host.context, level, sentence);
}

static int read_mesh(struct meshing *meshing)
{
    if (cmd_ends_with(meshing->path, ".cfg"))
        return read_case(meshing);
    if (meshing->given->common.settings > 0)
        return cli_misuse(&cmd_mesh, "--set needs a case, and %s is not one: its name does not end in .cfg.",
                          meshing->path);
    const ew_mesh_data data = {.report = cli_report, .report_context = &meshing->report};
    const ew_host host = {.log = say, .context = meshing};
    int status = meshing->imports ? ew_mesh_import(&host, meshing->path, &data, &meshing->mesh, &meshing->error)
                                  : ew_gmsh_read(&cli_host, meshing->path, &data, &meshing->mesh, &meshing->error);
    return cli_exit_code(status, EX_NOINPUT);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static ew_boundary_curve *add_curve(struct meshing *meshing, const char *name, size_t length)
{
    size_t k = meshing->curves++;
    meshing->curve = cli_reallocate(meshing->curve, meshing->curves * sizeof *meshing->curve);
    meshing->name = cli_reallocate(meshing->name, meshing->curves * sizeof *meshing->name);
    meshing->name[k] = cli_format("%.*s", (int)length, name);
    meshing->curve[k] = (ew_boundary_curve){.boundary = meshing->name[k]};
    return &meshing->curve[k];
}

static void take_spline(struct meshing *meshing, const char *name, double corner)
{
    ew_boundary_curve *curve = add_curve(meshing, name, strlen(name));
    curve->kind = EW_CURVE_SPLINE;
    curve->corner = corner;
}

static void copy_curve(struct meshing *meshing, const ew_boundary *boundary)
{
    ew_boundary_curve *curve = add_curve(meshing, boundary->name, strlen(boundary->name));
    const char *name = curve->boundary;
    *curve = *boundary->curve;
    curve->boundary = name;
}

/* Takes the case's walls with true curves or normals. */
static void take_curves_of_case(struct meshing *meshing)
{
    const ew_problem *problem = meshing->that ? ew_case_problem(meshing->that) : NULL;
    for (size_t k = 0; problem && k < problem->boundaries; k++) {
        const ew_boundary *boundary = &problem->boundary[k];
        if (boundary->curve)
            copy_curve(meshing, boundary);
        else if (boundary->normal.formula || boundary->normal.callback)
            add_curve(meshing, boundary->name, strlen(boundary->name))->normal = boundary->normal;
    }
}

static bool has_boundary(const ew_mesh *mesh, const char *wanted)
{
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(mesh, k, NULL)) != NULL; k++)
        if (strcmp(name, wanted) == 0)
            return true;
    return false;
}

/* Suggests the nearest boundary, or lists all. */
static int refuse_name(const ew_mesh *mesh, const char *option, const char *wanted)
{
    const char *name[32], *nearest;
    char all[512] = "";
    size_t count = 0, length = 0;
    for (; count < 32 && (name[count] = ew_mesh_boundary(mesh, (int32_t)count, NULL)) != NULL; count++)
        if (length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", count > 0 ? ", " : "", name[count]);
    if ((nearest = ewi_nearest(wanted, name, count)) != NULL)
        return cli_fail(EX_USAGE, "--%s: boundary \"%s\" is not in the mesh; did you mean \"%s\"?", option, wanted,
                        nearest);
    return cli_fail(EX_USAGE, "--%s: boundary \"%s\" is not in the mesh; the mesh has %s", option, wanted,
                    count > 0 ? all : "no boundary");
}

/* Splits at the last "=", because names may contain others. */
static int take_circle(struct meshing *meshing, const char *text)
{
    const char *equals = strrchr(text, '=');
    double number[3];
    if (!equals || equals == text || cli_read_numbers(equals + 1, 3, 3, number) != 3)
        return cli_misuse(&cmd_mesh, "--circle needs NAME=X,Y,R, for example inner=0,0,1, not \"%s\".", text);
    ew_boundary_curve *curve = add_curve(meshing, text, (size_t)(equals - text));
    curve->kind = EW_CURVE_CIRCLE;
    curve->centre[0] = number[0];
    curve->centre[1] = number[1];
    curve->radius = number[2];
    return has_boundary(meshing->mesh, curve->boundary) ? EX_OK
                                                        : refuse_name(meshing->mesh, "circle", curve->boundary);
}

/* Removes the curve that the boundary got from the case. */
static int keep_straight(struct meshing *meshing, const char *name)
{
    size_t kept = 0;
    if (!has_boundary(meshing->mesh, name))
        return refuse_name(meshing->mesh, "straight", name);
    for (size_t c = 0; c < meshing->curves; c++) {
        if (strcmp(meshing->curve[c].boundary, name) == 0) {
            free(meshing->name[c]);
            continue;
        }
        meshing->curve[kept] = meshing->curve[c];
        meshing->name[kept++] = meshing->name[c];
    }
    meshing->curves = kept;
    return EX_OK;
}

/* Number of options that give the boundary a curve. */
static int times_given(const struct mesh_arguments *given, const char *name, size_t length)
{
    const struct cli_texts *const texts[] = {&given->circle, &given->spline, &given->straight};
    int times = 0;
    for (int t = 0; t < 3; t++)
        for (size_t k = 0; k < texts[t]->count; k++) {
            const char *text = texts[t]->text[k], *equals = t == 0 ? strrchr(text, '=') : NULL;
            size_t own = equals ? (size_t)(equals - text) : strlen(text);
            times += own == length && memcmp(text, name, length) == 0;
        }
    return times;
}

/* A boundary may have only one curve. */
static int check_curves(const struct meshing *meshing)
{
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(meshing->mesh, k, NULL)) != NULL; k++)
        if (times_given(meshing->given, name, strlen(name)) > 1)
            return cli_misuse(&cmd_mesh,
                              "boundary \"%s\" can have only one of --circle, --spline and --straight, once.",
                              name);
    return EX_OK;
}

static int choose_curves(struct meshing *meshing)
{
    const struct mesh_arguments *given = meshing->given;
    double corner = 0;
    int code = EX_OK;
    if (given->corner && (cli_read_numbers(given->corner, 1, 1, &corner) != 1 || !(corner > 0 && corner <= 180)))
        return cli_misuse(&cmd_mesh, "--corner needs an angle greater than 0 and at most 180 degrees, not \"%s\".",
                          given->corner);
    if (given->corner && given->spline.count == 0)
        return cli_misuse(&cmd_mesh, "--corner applies to --spline only; add --spline NAME.");
    code = check_curves(meshing);
    take_curves_of_case(meshing);
    for (size_t k = 0; code == EX_OK && k < given->straight.count; k++)
        code = keep_straight(meshing, given->straight.text[k]);
    for (size_t k = 0; code == EX_OK && k < given->circle.count; k++)
        code = take_circle(meshing, given->circle.text[k]);
    for (size_t k = 0; code == EX_OK && k < given->spline.count; k++)
        if (has_boundary(meshing->mesh, given->spline.text[k]))
            take_spline(meshing, given->spline.text[k], corner);
        else
            code = refuse_name(meshing->mesh, "spline", given->spline.text[k]);
    return code;
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

/* Lengths of the boundaries. */
static double *boundary_lengths(const ew_mesh *mesh, const ew_mesh_info *info)
{
    double *length = cli_allocate(((size_t)info->boundaries + 1) * sizeof *length);
    double *xy = cli_allocate((2 * (size_t)info->nodes + 1) * sizeof *xy);
    int64_t *triangle = cli_allocate((3 * (size_t)info->elements + 1) * sizeof *triangle);
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    for (int64_t e = 0; e < info->boundary_edges; e++) {
        int64_t element = 0;
        int side = 0;
        int32_t boundary = 0;
        ew_mesh_boundary_edge(mesh, e, &element, &side, &boundary);
        const double *a = xy + 2 * triangle[3 * element + side], *b = xy + 2 * triangle[3 * element + (side + 1) % 3];
        length[boundary] += hypot(b[0] - a[0], b[1] - a[1]);
    }
    free(triangle);
    free(xy);
    return length;
}

static void print_bins(const char *head, int bins, double width, const int64_t *count, int64_t all)
{
    static const char bar[] = "########################################";
    for (int k = 0; k < bins; k++)
        if (count[k] > 0)
            printf("  %-10s %4.3g .. %-4.3g %10lld  %5.1f %%  %.*s\n", head, k * width, (k + 1) * width,
                   (long long)count[k], 100.0 * (double)count[k] / (double)all,
                   (int)ceil(40.0 * (double)count[k] / (double)all), bar);
}

static void print_info(const struct meshing *meshing, const ew_mesh_info *info, const ew_mesh_quality *quality,
                       const double *length)
{
    const char *name;
    int64_t edges;
    printf("%s\n", meshing->path);
    printf("  mesh       %lld elements, %lld edges, %lld nodes, area %.9g\n", (long long)info->elements,
           (long long)info->edges, (long long)info->nodes, info->area);
    printf("             x %.9g .. %.9g, y %.9g .. %.9g\n", info->xmin, info->xmax, info->ymin, info->ymax);
    if (info->middles > 0)
        printf("             of second order: %lld boundary edge%s\n", (long long)info->middles,
               info->middles == 1 ? "" : "s");
    if (info->reoriented > 0)
        printf("             %lld clockwise triangle%s turned\n", (long long)info->reoriented,
               info->reoriented == 1 ? " was" : "s were");
    for (int32_t k = 0; (name = ew_mesh_boundary(meshing->mesh, k, &edges)) != NULL; k++)
        printf("  boundary   %s: %lld edge%s, length %.9g\n", name, (long long)edges, edges == 1 ? "" : "s", length[k]);
    printf("  edges      length %.6g .. %.6g\n", quality->shortest_edge, quality->longest_edge);
    printf("  circles    inscribed diameter %.6g .. %.6g\n", info->smallest_diameter, info->largest_diameter);
    printf("  angles     %.4g .. %.4g degrees; smallest of a triangle: mean %.4g, least in element %lld (from 0)\n",
           quality->smallest_angle, quality->largest_angle, quality->mean_angle, (long long)quality->worst);
    print_bins("smallest", EW_ANGLE_BINS, 60.0 / EW_ANGLE_BINS, quality->angle, info->elements);
    printf("  ratio      2 r/R of the circles: least %.4g, mean %.4g (1: equilateral)\n", quality->smallest_ratio,
           quality->mean_ratio);
    print_bins("ratio", EW_RATIO_BINS, 1.0 / EW_RATIO_BINS, quality->ratio, info->elements);
}

static void put_bins(struct cli_json *json, const char *name, int bins, const int64_t *count)
{
    cli_json_open(json, name, '[');
    for (int k = 0; k < bins; k++)
        cli_json_integer(json, NULL, count[k]);
    cli_json_close(json, ']');
}

static void put_boundaries(struct cli_json *json, const ew_mesh *mesh, const double *length)
{
    const char *name;
    int64_t edges;
    cli_json_open(json, "boundaries", '[');
    for (int32_t k = 0; (name = ew_mesh_boundary(mesh, k, &edges)) != NULL; k++) {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", name);
        cli_json_integer(json, "edges", edges);
        cli_json_number(json, "length", length[k]);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static struct cli_json open_json(const struct meshing *meshing, const char *why)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "mesh", meshing->path);
    cli_json_text(&json, "error", why);
    return json;
}

static void print_failure(const struct meshing *meshing)
{
    struct cli_json json =
        open_json(meshing, meshing->report.count > 0 ? meshing->report.sentence[0] : meshing->error.message);
    cli_json_end(&json);
}

static void print_json(const struct meshing *meshing, const ew_mesh_info *info, const ew_mesh_quality *quality,
                       const double *length)
{
    struct cli_json json = open_json(meshing, NULL);
    const double box[4] = {info->xmin, info->ymin, info->xmax, info->ymax};
    cli_json_integer(&json, "elements", info->elements);
    cli_json_integer(&json, "edges", info->edges);
    cli_json_integer(&json, "nodes", info->nodes);
    cli_json_number(&json, "area", info->area);
    cli_json_open(&json, "box", '[');
    for (int k = 0; k < 4; k++)
        cli_json_number(&json, NULL, box[k]);
    cli_json_close(&json, ']');
    put_boundaries(&json, meshing->mesh, length);
    cli_json_integer(&json, "second_order_edges", info->middles);
    cli_json_integer(&json, "reoriented", info->reoriented);
    cli_json_number(&json, "smallest_diameter", info->smallest_diameter);
    cli_json_number(&json, "largest_diameter", info->largest_diameter);
    cli_json_number(&json, "shortest_edge", quality->shortest_edge);
    cli_json_number(&json, "longest_edge", quality->longest_edge);
    cli_json_number(&json, "smallest_angle", quality->smallest_angle);
    cli_json_number(&json, "largest_angle", quality->largest_angle);
    cli_json_number(&json, "mean_smallest_angle", quality->mean_angle);
    put_bins(&json, "angle_histogram", EW_ANGLE_BINS, quality->angle);
    cli_json_number(&json, "smallest_ratio", quality->smallest_ratio);
    cli_json_number(&json, "mean_ratio", quality->mean_ratio);
    put_bins(&json, "ratio_histogram", EW_RATIO_BINS, quality->ratio);
    cli_json_integer(&json, "worst_element", quality->worst);
    cli_json_end(&json);
}

static int show_info(struct meshing *meshing)
{
    ew_mesh_info info;
    ew_mesh_quality quality;
    int code = read_mesh(meshing);
    if (code != EX_OK) {
        if (meshing->given->common.json && code != EX_USAGE)
            print_failure(meshing);
        return code;
    }
    ew_mesh_get_info(meshing->mesh, &info);
    ew_mesh_get_quality(meshing->mesh, &quality);
    double *length = boundary_lengths(meshing->mesh, &info);
    (meshing->given->common.json ? print_json : print_info)(meshing, &info, &quality, length);
    free(length);
    return EX_OK;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Checks the output before any work is done. */
static int check_output(struct meshing *meshing)
{
    const char *format = meshing->given->format ? meshing->given->format : "4.1";
    const char *output = meshing->given->common.output;
    meshing->version = strcmp(format, "2.2") == 0 ? EW_GMSH_22 : EW_GMSH_41;
    if (strcmp(format, "2.2") != 0 && strcmp(format, "4.1") != 0)
        return cli_misuse(&cmd_mesh, "there is no format \"%s\"; there are 2.2 and 4.1.", format);
    if (!output || !output[0])
        return cli_misuse(&cmd_mesh, "there is no output file; add --output FILE.msh.");
    struct stat info;
    bool device = stat(output, &info) == 0 && !S_ISREG(info.st_mode);
    if (!device && !cmd_ends_with(output, ".msh")) { /* otherwise it might replace the case */
        return cli_misuse(&cmd_mesh, "the name of a mesh must end in .msh, and %s does not.", output);
    }
    return cli_check_target(output);
}

/* Protects the coarse mesh from being overwritten by a second, accidental refinement. */
static int spare_input(const struct meshing *meshing)
{
    const char *output = meshing->given->common.output;
    const char *input = meshing->that ? ew_case_plan(meshing->that)->mesh : meshing->path;
    struct stat old, read;
    if (!input || stat(output, &old) != 0 || !S_ISREG(old.st_mode) || stat(input, &read) != 0 ||
        old.st_dev != read.st_dev || old.st_ino != read.st_ino)
        return EX_OK;
    return cli_fail(EX_USAGE, "the output %s would replace the mesh that is read; choose another name.", output);
}

static int write_mesh(struct meshing *meshing)
{
    const char *output = meshing->given->common.output;
    ew_mesh_info info;
    if (ew_gmsh_write(&cli_host, meshing->mesh, meshing->version, meshing->given->binary, output,
                      &meshing->error) != EW_OK)
        return cmd_results_failed(&meshing->error);
    ew_mesh_get_info(meshing->mesh, &info);
    if (!meshing->given->common.quiet)
        printf("%s: %lld elements, %lld edges, %lld nodes, %d boundaries\n", output, (long long)info.elements,
               (long long)info.edges, (long long)info.nodes, (int)info.boundaries);
    return EX_OK;
}

/* False if no option and no case sets the boundary's curve; *straight: it is set to be straight. */
static bool has_curve(const struct meshing *meshing, const char *boundary, bool *straight)
{
    bool found = false;
    for (size_t k = 0; k < meshing->curves; k++)
        found = found || strcmp(meshing->curve[k].boundary, boundary) == 0;
    for (size_t k = 0; k < meshing->given->straight.count; k++)
        *straight = *straight || strcmp(meshing->given->straight.text[k], boundary) == 0;
    return found;
}

/* The written file has first-order edges, so bent ones become straight, unless refining moves nodes onto the curve. */
static void warn_of_middles(const struct meshing *meshing, bool refines)
{
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(meshing->mesh, k, NULL)) != NULL; k++) {
        ew_spline_info spline = {0};
        bool straight = false, curved = has_curve(meshing, name, &straight);
        ew_mesh_spline(meshing->mesh, k, 0, &spline, NULL);
        if (spline.bent == 0 || curved || straight)
            continue;
        cli_error(refines ? "warning: %s: the nodes in the middles of %lld second-order edges of boundary \"%s\" are "
                            "dropped, so it stays a polygon; --spline %s puts new nodes onto their curve"
                          : "warning: %s: the nodes in the middles of %lld second-order edges of boundary \"%s\" are "
                            "dropped; \"" EWI_ADVICE_SPLINE "\" keeps them",
                  meshing->path, (long long)spline.bent, name, name);
    }
}

static int convert(struct meshing *meshing)
{
    int code = check_output(meshing);
    meshing->imports = true;
    code = code ? code : read_mesh(meshing);
    code = code ? code : spare_input(meshing);
    if (code == EX_OK)
        warn_of_middles(meshing, false);
    return code ? code : write_mesh(meshing);
}

static void report_curves(const struct meshing *meshing)
{
    static const char *const word[] = {[EW_CURVE_NORMAL] = "the curve of the case's normals",
                                       [EW_CURVE_CIRCLE] = "a circle",
                                       [EW_CURVE_SPLINE] = "a spline through its nodes",
                                       [EW_CURVE_LEVEL] = "the curve of the case's formula"};
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(meshing->mesh, k, NULL)) != NULL; k++) {
        const char *what = "straight edges";
        for (size_t c = 0; c < meshing->curves; c++)
            if (strcmp(meshing->curve[c].boundary, name) == 0)
                what = word[meshing->curve[c].kind];
        printf("  %s: %s\n", name, what);
    }
}

static int refine(struct meshing *meshing)
{
    const char *times = meshing->given->times;
    ew_mesh *fine = NULL;
    int number = times ? (int)strtol(times, NULL, 10) : 1;
    int code = check_output(meshing);
    code = code ? code : read_mesh(meshing);
    code = code ? code : spare_input(meshing);
    code = code ? code : choose_curves(meshing);
    if (code != EX_OK)
        return code;
    warn_of_middles(meshing, true);
    if (ew_mesh_refine(&cli_host, meshing->mesh, number, meshing->curves, meshing->curve, &fine,
                       &meshing->error) != EW_OK) {
        cli_error("%s: %s", meshing->path, meshing->error.message);
        return meshing->error.code == EW_EINVAL ? EX_USAGE : cli_exit_code(meshing->error.code, EX_DATAERR);
    }
    ew_mesh_destroy(meshing->mesh);
    meshing->mesh = fine;
    code = write_mesh(meshing);
    if (code == EX_OK && !meshing->given->common.quiet)
        report_curves(meshing);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* Refuses options of other actions, because one table has the options of all. */
static int check_options(const struct meshing *meshing, bool writes, bool refines)
{
    const struct mesh_arguments *given = meshing->given;
    const struct {
        const char *name;
        bool given, allowed;
    } options[] = {
        {"json", meshing->given->common.json, !writes},
        {"output", meshing->given->common.output != NULL, writes},
        {"format", given->format != NULL, writes},
        {"binary", given->binary, writes},
        {"quiet", meshing->given->common.quiet, writes},
        {"times", given->times != NULL, refines},
        {"circle", given->circle.count > 0, refines},
        {"spline", given->spline.count > 0, refines},
        {"corner", given->corner != NULL, refines},
        {"straight", given->straight.count > 0, refines},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].given && !options[k].allowed)
            return cli_misuse(&cmd_mesh, "\"mesh %s\" does not take --%s.", meshing->given->common.operand[0],
                              options[k].name);
    return EX_OK;
}

static int run_action(struct meshing *meshing)
{
    static const struct {
        const char *name;
        bool writes, refines;
        int (*run)(struct meshing *meshing);
    } actions[] = {{"info", false, false, show_info}, {"refine", true, true, refine},
                   {"convert", true, false, convert}};
    const struct cli_arguments *arguments = &meshing->given->common;
    for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
        if (strcmp(arguments->operand[0], actions[k].name) != 0)
            continue;
        if (arguments->operands != 2)
            return cli_misuse(&cmd_mesh, "\"mesh %s\" takes one mesh or case, but %zu were given.", actions[k].name,
                              arguments->operands - 1);
        meshing->path = arguments->operand[1];
        int code = check_options(meshing, actions[k].writes, actions[k].refines);
        return code ? code : actions[k].run(meshing);
    }
    return cli_misuse(&cmd_mesh, "\"mesh\" does not know \"%s\"; it has info, refine and convert.",
                      arguments->operand[0]);
}

static int mesh(struct cli_arguments *arguments)
{
    struct meshing meshing = {.given = (const struct mesh_arguments *)arguments};
    int code = run_action(&meshing);
    for (size_t k = 0; k < meshing.curves; k++)
        free(meshing.name[k]);
    free(meshing.name);
    free(meshing.curve);
    ew_mesh_destroy(meshing.mesh);
    ew_case_destroy(meshing.that);
    cli_free_report(&meshing.report);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct mesh_arguments

static const struct cli_option options[] = {
    CLI_OUTPUT_OPTION("FILE.msh", "refine, convert: write the mesh to this file"),
    CLI_TEXT_OPTION("format", "2.2|4.1", format, "refine, convert: version of the Gmsh format; default 4.1"),
    CLI_FLAG_OPTION("binary", binary, "refine, convert: write a binary file"),
    CLI_WHOLE_OPTION("times", "N", times, 1, MOST_TIMES, "refine: refine N times; default 1"),
    CLI_LIST_OPTION("circle", "NAME=X,Y,R", circle, "refine: the boundary is on this circle; may be repeated"),
    CLI_LIST_OPTION("spline", "NAME", spline, "refine: the boundary is a spline through its nodes; may be repeated"),
    CLI_TEXT_OPTION("corner", "DEGREES", corner, "refine: greatest angle at which a spline has no corner; default 30"),
    CLI_LIST_OPTION("straight", "NAME", straight,
                    "refine: the boundary stays straight, despite the case; may be repeated"),
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_JSON_OPTION("info: print one JSON object instead of the text"),
    CLI_QUIET_OPTION("do not print what was written"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_mesh = {
    .name = "mesh",
    .operand = "info|refine|convert FILE.msh|FILE.su2|CASE.cfg ...",
    .summary = "Report the quality of a mesh, refine it, or convert it",
    .text = "The mesh is a Gmsh file or that of a case; convert also reads SU2 files. Walls that have normals "
            "or a spline in the case are curved.",
    .options = options,
    .size = sizeof(struct mesh_arguments),
    .run = mesh,
};
