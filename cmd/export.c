/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise export: fields for other programs. */
#include "cmd.h"
#include "ewi_file.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_FIELDS = 256 };

struct export_arguments {
    struct cli_arguments common;
    const char *format, *field, *frame, *time, *subdivide, *boundary, *reference, *wall;
    bool lagrange;
};

struct format {
    const char *name, *ending, *suffix; /* FILE.nc becomes FILE followed by the suffix */
    enum ew_export_format format;
};

struct exporting {
    const struct export_arguments *given;
    ew_results *results;
    ew_results_info info;
    const struct format *format;
    ew_export what;
    bool all;
    int field[MOST_FIELDS];
    ew_error error;
};

static const struct format formats[] = {
    {"vtu", ".pvd", ".pvd", EW_EXPORT_VTU},
    {"vtu", ".vtu", ".vtu", EW_EXPORT_VTU},
    {"gmsh", ".msh", "-fields.msh", EW_EXPORT_GMSH}, /* not FILE.msh, which may be the case's mesh */
    {"csv", ".csv", ".csv", EW_EXPORT_CSV},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* Chooses by --format and the ending of --output, which must agree. */
static int choose_format(struct exporting *exporting)
{
    const char *name = exporting->given->format, *output = exporting->given->common.output;
    bool device = output && strncmp(output, "/dev/", 5) == 0;
    if (exporting->given->wall && !name && !output)
        name = "csv";
    bool known = !name;
    for (int k = 0; k < FORMATS; k++) {
        bool right_name = !name || strcmp(name, formats[k].name) == 0;
        known = known || right_name;
        if (right_name && (!output || (device && name) || cmd_ends_with(output, formats[k].ending))) {
            exporting->format = &formats[k];
            exporting->what.format = formats[k].format;
            return EX_OK;
        }
    }
    if (!known)
        return cli_misuse(&cmd_export, "there is no format \"%s\"; there are vtu, gmsh and csv.", name);
    if (name)
        return cli_misuse(&cmd_export, "a file of the format %s cannot be called \"%s\"; vtu makes .pvd or .vtu, gmsh "
                                       ".msh, csv .csv.", name, output);
    return cli_misuse(&cmd_export,
                      "the ending of \"%s\" is no known format; use .pvd, .vtu, .msh or .csv, or add --format.",
                      output);
}

/* Adds a field. Two fields of one name would be ambiguous in CSV and ParaView. */
static int choose_field(struct exporting *exporting, const char *name)
{
    int *number = &exporting->field[exporting->what.fields];
    if (!*name)
        return cli_misuse(&cmd_export, "--field \"%s\" has an empty name; separate names by commas.",
                          exporting->given->field);
    if (exporting->what.fields == MOST_FIELDS)
        return cli_misuse(&cmd_export, "--field has more than %d names.", (int)MOST_FIELDS);
    if (ew_results_find(exporting->results, name, number, &exporting->error) != EW_OK)
        return cmd_results_failed(&exporting->error);
    for (int k = 0; k < exporting->what.fields; k++)
        if (exporting->field[k] == *number)
            return cli_misuse(&cmd_export, "\"%s\" is named twice in --field.", name);
    exporting->what.fields++;
    return EX_OK;
}

static int choose_fields(struct exporting *exporting)
{
    const char *text = exporting->given->field;
    int code = EX_OK;
    while (text && code == EX_OK) {
        size_t length = strcspn(text, ",");
        char *name = cli_format("%.*s", (int)length, text);
        code = choose_field(exporting, name);
        free(name);
        text = text[length] ? text + length + 1 : NULL;
    }
    exporting->what.field = exporting->field;
    return code;
}

static int choose_frames(struct exporting *exporting)
{
    bool gmsh = exporting->what.format == EW_EXPORT_GMSH;
    const struct export_arguments *given = exporting->given;
    int code = cmd_choose_frame(&cmd_export, exporting->results, given->frame, given->time,
                                &exporting->what.first_frame, &exporting->all);
    if (code != EX_OK)
        return code;
    bool many = strcmp(exporting->format->ending, ".pvd") == 0 || gmsh;
    exporting->all = exporting->all || (many && !given->frame && !given->time);
    exporting->what.frames = 1;
    if (exporting->all && gmsh) {
        exporting->all = false;
        exporting->what.first_frame = 0;
        exporting->what.frames = exporting->info.frames;
    }
    return EX_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* The name with an ending, which replaces an ending of VTK's files. */
static char *with_ending(const char *name, const char *ending)
{
    bool has_one = cmd_ends_with(name, ".vtu") || cmd_ends_with(name, ".pvd");
    return cli_format("%.*s%s", (int)strlen(name) - (has_one ? 4 : 0), name, ending);
}

static int write_file(struct exporting *exporting, const char *name)
{
    if (ew_export_write(exporting->results, &exporting->what, name, &exporting->error) != EW_OK)
        return cmd_results_failed(&exporting->error);
    if (!exporting->given->common.quiet && exporting->what.frames > 1)
        printf("%s: %lld frames\n", name, (long long)exporting->what.frames);
    else if (!exporting->given->common.quiet)
        printf("%s: t = %.6g\n", name, ew_results_time(exporting->results, exporting->what.first_frame, NULL));
    return EX_OK;
}

/* Writes frames first .. first+count-1 as numbered files, and for VTU, last, the collection of them. */
static int write_frames(struct exporting *exporting, const char *name, int64_t first, int64_t count)
{
    bool vtu = exporting->what.format == EW_EXPORT_VTU;
    char *collection = vtu ? with_ending(name, ".pvd") : NULL,
         *single = vtu ? with_ending(name, ".vtu") : cli_copy(name);
    char **file = cli_allocate((size_t)count * sizeof *file);
    const char **base = cli_allocate((size_t)count * sizeof *base);
    double *time = cli_allocate((size_t)count * sizeof *time);
    int code = EX_OK;
    for (int64_t k = 0; k < count; k++) {
        file[k] = cmd_numbered(single, first + k);
        base[k] = ewi_file_name(file[k]);
        time[k] = ew_results_time(exporting->results, first + k, NULL);
    }
    for (int64_t k = 0; code == EX_OK && k < count; k++) {
        exporting->what.first_frame = first + k;
        code = write_file(exporting, file[k]);
    }
    if (code == EX_OK && vtu && ew_export_collection(NULL, count, base, time, collection, &exporting->error) != EW_OK)
        code = cmd_results_failed(&exporting->error);
    if (code == EX_OK && vtu && !exporting->given->common.quiet)
        printf("%s: %lld frame%s\n", collection, (long long)count, count == 1 ? "" : "s");
    for (int64_t k = 0; k < count; k++)
        free(file[k]);
    free(time);
    free(base);
    free(file);
    free(single);
    free(collection);
    return code;
}

/* FILE.pvd or, along boundaries, FILE-NAME.pvd. */
static char *name_output(const struct exporting *exporting)
{
    const struct export_arguments *given = exporting->given;
    char *boundary = cmd_boundary_suffix(given->wall ? given->wall : given->boundary);
    char *suffix = cli_format("%s%s", boundary, exporting->format->suffix);
    char *name = cmd_output_name(&exporting->given->common, exporting->results, suffix);
    free(suffix);
    free(boundary);
    return name;
}

static int write_all(struct exporting *exporting)
{
    char *name = name_output(exporting);
    int code = cli_check_target(name);
    if (code == EX_OK && exporting->all)
        code = write_frames(exporting, name, 0, exporting->info.frames);
    else if (code == EX_OK && cmd_ends_with(name, ".pvd"))
        code = write_frames(exporting, name, exporting->what.first_frame, 1);
    else if (code == EX_OK)
        code = write_file(exporting, name);
    free(name);
    return code;
}

static int refuse_with_wall(const struct exporting *exporting)
{
    const struct export_arguments *given = exporting->given;
    const char *other = !given->wall                                   ? NULL
                        : given->field                                 ? "--field"
                        : given->boundary                              ? "--boundary"
                        : given->reference                             ? "--reference"
                        : given->lagrange                              ? "--lagrange"
                        : given->subdivide                             ? "--subdivide"
                        : exporting->what.format != EW_EXPORT_CSV      ? "another format"
                                                                       : NULL;
    return other ? cli_misuse(&cmd_export, "%s does not apply to --wall, which writes all values along a wall as csv.",
                              other)
                 : EX_OK;
}

static int refuse_with_boundary(const struct exporting *exporting)
{
    const struct export_arguments *given = exporting->given;
    const char *other = !given->boundary                               ? NULL
                        : given->lagrange                              ? "--lagrange"
                        : given->subdivide                             ? "--subdivide"
                        : exporting->what.format == EW_EXPORT_GMSH     ? "the format gmsh"
                                                                       : NULL;
    return other ? cli_misuse(&cmd_export, "%s does not apply to --boundary, which writes lines as vtu or csv.", other)
                 : EX_OK;
}

static int read_options(struct exporting *exporting)
{
    const struct export_arguments *given = exporting->given;
    int code = choose_format(exporting);
    code = code ? code : refuse_with_wall(exporting);
    code = code ? code : refuse_with_boundary(exporting);
    code = code ? code : cmd_set_reference(&cmd_export, exporting->results, given->reference);
    if (code != EX_OK)
        return code;
    exporting->what.boundary = given->boundary;
    exporting->what.wall = given->wall;
    if (given->lagrange && exporting->what.format != EW_EXPORT_VTU)
        return cli_misuse(&cmd_export, "--lagrange applies only to the format vtu.");
    if (given->subdivide && exporting->what.format == EW_EXPORT_GMSH)
        return cli_misuse(&cmd_export,
                          "--subdivide does not apply to the format gmsh; its views have the polynomials themselves.");
    exporting->what.lagrange = given->lagrange;
    if (given->subdivide)
        exporting->what.subdivide = (int)strtol(given->subdivide, NULL, 10);
    code = choose_fields(exporting);
    return code ? code : choose_frames(exporting);
}

static int export_fields(void *context, ew_results *results)
{
    struct exporting *exporting = context;
    exporting->results = results;
    ew_results_get_info(results, &exporting->info);
    int code = read_options(exporting);
    return code ? code : write_all(exporting);
}

static int export(struct cli_arguments *arguments)
{
    struct exporting exporting = {.given = (const struct export_arguments *)arguments};
    return cmd_with_results(arguments, false, export_fields, &exporting);
}

#define ARGUMENTS struct export_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("format", "NAME", format, "vtu, gmsh or csv; default: from the output's ending, or vtu"),
    CLI_OUTPUT_OPTION("FILE", ".pvd, .vtu, .msh or .csv; default: FILE.pvd, FILE-fields.msh, FILE.csv"),
    CLI_TEXT_OPTION("field", "NAME[,NAME...]", field,
                    "fields to write; default: all but means (\"plot --list\" prints them)"),
    CMD_BOUNDARY_OPTIONS("write the fields along these boundaries, as lines (vtu) or a table (csv)"),
    CLI_TEXT_OPTION("wall", "NAME", wall, "write the values along this wall of output.walls as a table (csv)"),
    CLI_WHOLE_OPTION("subdivide", "N", subdivide, 1, EW_EXPORT_SUBDIVIDE,
                     "cut every triangle into N^2; default: as in the file"),
    CLI_FLAG_OPTION("lagrange", lagrange, "vtu: write Lagrange cells of degree N, not N^2 triangles"),
    CLI_FRAME_OPTIONS("frame number, from 0; default: all in .pvd and .msh, else the last"),
    CLI_QUIET_OPTION("do not print what was written"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_export = {
    .name = "export",
    .operand = "FILE.nc",
    .summary = "Write fields for ParaView, VisIt or Gmsh, or as CSV",
    .options = options,
    .size = sizeof(struct export_arguments),
    .run = export,
};
