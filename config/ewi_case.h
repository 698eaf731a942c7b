/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reader of a case. It lasts for one call of ew_case_read; ewi_keep allocates memory that outlives it.
 *
 * Reading continues after an error: each part adds its sentences to the reader's list and uses a harmless value. The
 * list is sorted and reported at the end. Only a lack of memory stops the reading early.
 */
#ifndef EWI_CASE_H
#define EWI_CASE_H

#include "edgewise-case.h"
#include "ewi_host.h"
#include "ewi_options.h"

#include <libconfig.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct ewi_formulas; /* the formulas that a case keeps */
struct ewi_case_raster;
struct ewi_raster_file;

/* A key that varies over the members of a sweep. */
struct ewi_axis {
    const char *key;
    const config_setting_t *place; /* the setting with its values; only while the case is read */
    int64_t count;                 /* number of values; 0: drawn from a range */
    const char **text, **shown;    /* [count], quoted and plain; NULL: a range */
    double *number;                /* [count]; NaN: not a number */
    double from, to;
    bool logarithmic, whole;
};

enum ewi_design { EWI_GRID, EWI_IN_A_ROW, EWI_RANDOM };

/* Without members, the case has no sweep. */
struct ewi_sweep {
    enum ewi_design design;
    int64_t members;
    uint64_t seed;
    int axes;
    struct ewi_axis *axis;
};

/* The source of a mesh. */
struct ewi_mesh_source {
    const char *path; /* NULL: a rectangle */
    const char *beside, *name; /* confined case: the case's path, and the mesh's name in it; otherwise NULL */
    int file; /* open while the mesh is made, so that all data come from one file; otherwise -1 */
    ew_rectangle rectangle;
};

struct ew_case {
    struct ewi_mesh_source mesh_source;
    struct ewi_arena memory;
    struct ewi_formulas *formulas;
    struct ewi_case_raster *rasters; /* that formulas name (rasters.c) */
    ew_meshes *meshes; /* NULL: the mesh is not shared */
    ew_mesh *mesh;
    ew_mesh_info mesh_info; /* of the requested mesh */
    ew_problem problem;
    ew_case_info info;
    struct ewi_sweep sweep;
    uint64_t sweep_hash; /* of all settings that no member changes; only with ew_sweep_read */
};

/* A case of which only the sweep is read. */
struct ew_sweep {
    ew_case that;
};

struct ewi_issue;

enum { EWI_SUGGESTIONS = 32 };

struct ewi_reader {
    ew_host host;
    ew_case *that;
    const char *path;
    ew_plan *plan;          /* NULL unless the caller wants it */
    char *folder; /* of the case file, with the slash; empty for the current folder */
    config_t config;
    const config_setting_t *root;

    struct ewi_issue *issues; /* sorted by place */
    size_t issue_count;
    bool out_of_memory;
    char lack[256]; /* the sentence about the memory that is missing; empty: that of the case itself */
    ew_case_options options;
    bool only_sweep; /* reads nothing but the sweep */
    bool only_settings; /* settings without a case */
    struct ewi_override *first_override, **next_override;
    int includes; /* number of files included */
    int32_t periodics;
    ew_periodic *periodic;
    bool broken_name; /* a wrong `let` or parameter has become NaN */

    /* Keys suggested for mistyped ones; they are not reported as missing. */
    struct {
        const config_setting_t *group;
        const char *name;
    } suggestion[EWI_SUGGESTIONS];
    size_t suggestions;

    const ew_law *law; /* NULL if the law is unknown */
    ew_scope *scope;
};

/* ---- case_reader.c: errors and memory ---- */

/* Reports an error at the setting, or, if that is NULL, in the case as a whole. The error is one sentence. */
void ewi_issue(struct ewi_reader *reader, const config_setting_t *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Report an error at a line of a file, and at an override. */
void ewi_issue_at(struct ewi_reader *reader, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ewi_issue_override(struct ewi_reader *reader, const char *override, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports a defect of the mesh; `reader` is a struct ewi_reader. */
void ewi_issue_mesh(void *reader, const char *sentence);
/* The override that set the setting, as sentences name it, or NULL. */
const char *ewi_override_of(const config_setting_t *setting);
/* True if an error was reported at the setting or within it. */
bool ewi_issue_told(const struct ewi_reader *reader, const config_setting_t *setting);
/* Drops the errors of the mesh once a better explanation is known. */
void ewi_issues_drop_mesh(struct ewi_reader *reader);
/* Reports the errors in order and frees them. Returns the result of the reading, with the first error in `error`. */
int ewi_issues_finish(struct ewi_reader *reader, ew_error *error);

/* Sets out_of_memory: there is not enough memory to read the setting. */
void ewi_lack_memory(struct ewi_reader *reader, const config_setting_t *setting, const char *sentence);

/* Adds to a text that has `length` bytes so far, cut at its size; returns the new length. */
size_t ewi_append(char *text, size_t size, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The full path of a setting, for example mesh.rectangle.corners[2]. Returns its text. */
const char *ewi_setting_path(const config_setting_t *setting, char *text, size_t size);

/* Zeroed memory that is freed with the case; NULL sets out_of_memory. */
void *ewi_keep(struct ewi_reader *reader, size_t count, size_t size);
char *ewi_keep_text(struct ewi_reader *reader, const char *text);
/* Passes the formula to the case; if memory is short, destroys it and returns false. */
bool ewi_keep_formula(struct ewi_reader *reader, ew_formula *formula);
void ewi_free_kept(ew_case *that);

/* A path relative to the case's folder; kept with the case. */
const char *ewi_case_path(struct ewi_reader *reader, const char *path);

/* Opens a file that the case names; `beside`: the path of a confined case, otherwise NULL (ewi_mesh_source). */
int ewi_open_named(const char *path, const char *beside, const char *name, int *file, ew_error *error);

/* ---- case_source.c: from files and overrides to a tree of settings ---- */

/* Returns false if there is no tree; an issue says why. A file that cannot be read is EW_EIO instead. */
int ewi_source_load(struct ewi_reader *reader, ew_error *error);
bool ewi_source_parse(struct ewi_reader *reader);
/* Reports the errors for which libconfig has no sentence, or takes too long. */
void ewi_source_scan(struct ewi_reader *reader, const char *text);
void ewi_source_override(struct ewi_reader *reader, const char *text, const char *name);
/* The error for a key let.NAME that the case does not have. */
#define EWI_NO_NAME "the case has no \"%s\", so it would change nothing"
bool ewi_source_lacks_name(const struct ewi_reader *reader, const char *key);
/* True if the case has let.NAME. */
bool ewi_source_has_name(const struct ewi_reader *reader, const char *name);
/* Appends the overrides to the case's text as comments, so that files keep the complete case. */
void ewi_source_note_overrides(struct ewi_reader *reader);

/* ---- case_types.c: types of values, and the words that an issue suggests ---- */

/* True if the setting's type is one of the option's. */
bool ewi_type_fits(const struct ewi_option *option, const config_setting_t *setting);
/* Reports that the setting cannot be a value of the option. */
void ewi_issue_type(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting);
/* True if `name` was suggested for an unknown key in the group. */
bool ewi_was_suggested(const struct ewi_reader *reader, const config_setting_t *group, const char *name);
/*
 * The end of a sentence about an unknown word: "; did you mean ...?", a hint, or a list of the choices. `place` is
 * ewi_hint's, or NULL. Returns `text`.
 */
const char *ewi_alternatives(const struct ewi_reader *reader, const char *place, const char *word,
                             const char *const *candidates, size_t count, char *text, size_t size);

/* ---- case_check.c: the tree against the option table ---- */

void ewi_check_tree(struct ewi_reader *reader);
/* Does the same for the group `sweep` only. */
void ewi_check_sweep(struct ewi_reader *reader, const config_setting_t *sweep);

/* The law's name if shallow water has a bed, and whether it is the case's. */
#define EWI_LAW_WITH_BED "shallow-water-bed"
/* The name of the source of a conserved variable; over a bed, of water and momenta only. NULL: it has none. */
static inline const char *ewi_source_name(const ew_law *law, int m)
{
    static const char *const over_bed[] = {"h", "h_u", "h_v"};
    if (strcmp(law->name, EWI_LAW_WITH_BED) != 0)
        return law->conserved[m];
    return m < 3 ? over_bed[m] : NULL;
}
static inline bool ewi_law_has_bed(const struct ewi_reader *reader)
{
    return reader->law && strcmp(reader->law->name, EWI_LAW_WITH_BED) == 0;
}

/* ---- case_values.c: settings to values ---- */

/*
 * `path` is the option's in the table, and `group` the setting that contains it, which may be NULL. A setting of the
 * wrong type counts as missing: ewi_check_tree has reported it. If the table has no default, *value is unchanged. Each
 * of these functions returns true if the case gives a valid value.
 */
const config_setting_t *ewi_get(const config_setting_t *group, const char *path);
bool ewi_get_number(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *value);
bool ewi_get_integer(struct ewi_reader *reader, const config_setting_t *group, const char *path, int64_t *value);
/* Exactly option->count members. */
bool ewi_get_numbers(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *values);
/* Reads a word or a text, which is kept with the case. */
bool ewi_get_text(struct ewi_reader *reader, const config_setting_t *group, const char *path, const char **value);

/* Sets *value to 1 if the flag exists and is true, otherwise to 0. */
void ewi_get_flag(const config_setting_t *group, const char *path, int *value);

/* True if the setting, wherever it is, may be the option's value. The contents of formulas are not checked. */
bool ewi_check_value(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting);
/*
 * Appends a value to a text of `length` bytes, like ewi_append. A number gives the same text with and without a point.
 * Unless `quoted`, which gives libconfig's notation of texts, so does the same number as a text. `depth` is 0.
 */
size_t ewi_put_value(const config_setting_t *setting, bool quoted, char *text, size_t size, size_t length, int depth);
/* The fewest digits that are read back as the same number. */
enum { EWI_SHORTEST = 32 };
const char *ewi_shortest(double number, char digits[EWI_SHORTEST]);

/* The value of a setting that is a number, not a formula. */
double ewi_literal(const config_setting_t *setting);
/* The value of a number or of a formula of constants. */
bool ewi_constant(struct ewi_reader *reader, const config_setting_t *setting, double *value);
/* Checks the text of a setting: it must be a formula of these variables. Reports it if not. */
bool ewi_check_formula(struct ewi_reader *reader, const config_setting_t *setting, const char *text,
                       unsigned variables);
/* The setting as a formula's text; `digits` receives a number. NULL (and reported) if it is not finite. */
enum { EWI_DIGITS = 32 };
const char *ewi_formula_text(struct ewi_reader *reader, const config_setting_t *setting, char digits[EWI_DIGITS]);
/*
 * Compiles all settings into one program, which is kept. A NULL setting is the formula 0; at least one is given. They
 * may use only `variables` of EW_X | EW_Y | EW_T | EW_STATE.
 */
bool ewi_compile_formulas(struct ewi_reader *reader, size_t count, const config_setting_t *const *settings,
                          unsigned variables, ew_data *data);
/* False, and reported, if `let` has a name of the local state; `formulas`: whose formulas use that. */
bool ewi_check_names_of_state(struct ewi_reader *reader, const char *formulas);
/*
 * Compiles a list of option->count formulas, or a single one, into one program, which is kept. They may use only
 * `variables` of EW_X | EW_Y | EW_T.
 */
bool ewi_get_formulas(struct ewi_reader *reader, const config_setting_t *group, const char *path, unsigned variables,
                      ew_data *data);
/* Reads all primitive variables of the law from a group; reports missing ones. */
bool ewi_get_state(struct ewi_reader *reader, const config_setting_t *group, ew_data *data);
/* Reads a state over a bed: h or surface and, if it `moves`, u and v. */
bool ewi_get_bed_state(struct ewi_reader *reader, const config_setting_t *group, bool moves, ew_data *data);
/* Reads the sources of the law's conserved variables from the group; those that are not given are 0. */
bool ewi_get_source(struct ewi_reader *reader, const config_setting_t *group, ew_data *data);
/* The values of a boundary of a kind that has its own; false if some are missing or wrong. */
bool ewi_get_boundary_values(struct ewi_reader *reader, const config_setting_t *boundary, const ew_boundary_kind *kind,
                             ew_data *data);

/* ---- case_sweep.c: the members of a sweep ---- */

/*
 * Reads the group, if the case has one, and applies the settings of the requested member. Returns true if the rest of
 * the case is to be read; otherwise issues say why not.
 */
bool ewi_read_sweep(struct ewi_reader *reader);

/* ---- the parts of a case ---- */

/* case_law.c: the law's name, which everything else needs; its parameters and `let`; its given fields */
void ewi_read_law(struct ewi_reader *reader);
/* True if the law's c0 may be given by a bulk modulus. */
bool ewi_has_bulk_modulus(const ew_law *law);
void ewi_read_scope(struct ewi_reader *reader);
void ewi_read_field(struct ewi_reader *reader);

/* case_mesh.c: sets the case's mesh, or leaves it NULL if it cannot be made */
void ewi_read_mesh(struct ewi_reader *reader);

/*
 * meshes.c: makes the source's mesh. `options` has the periodic pairs and the function that defects are reported to.
 * ewi_get_mesh shares a mesh of `meshes` (nullable) that was made from the same source.
 */
int ewi_make_mesh(const ew_host *host, const struct ewi_mesh_source *source, const ew_rectangle *options,
                  ew_mesh **mesh, ew_error *error);
int ewi_get_mesh(ew_meshes *meshes, const ew_host *host, const struct ewi_mesh_source *source,
                 const ew_rectangle *wanted, ew_mesh **mesh, ew_error *error);
void ewi_release_mesh(ew_meshes *meshes, ew_mesh *mesh);
/* The same for a raster of an open file. */
int ewi_get_raster(ew_meshes *meshes, const ew_host *host, int file, const char *path, const char *variable,
                   struct ewi_raster_file **raster, ew_error *error);
void ewi_release_raster(ew_meshes *meshes, struct ewi_raster_file *raster);

/* rasters.c: lets the scope's formulas read rasters, which the case keeps; lists these rasters in the run's plan */
int ewi_provide_rasters(struct ewi_reader *reader, ew_scope *scope, ew_error *error);
void ewi_note_rasters(struct ewi_reader *reader);
void ewi_release_rasters(ew_case *that);

/* case_boundary.c: reads the periodic pairs, which the mesh needs, and the conditions, which need the mesh */
void ewi_read_periodics(struct ewi_reader *reader);
void ewi_read_boundaries(struct ewi_reader *reader);
/* True if the boundary's kind takes the key; false if it has no kind or is NULL. */
bool ewi_boundary_takes(const config_setting_t *boundary, const char *path);
bool ewi_mesh_has_boundary(const ew_mesh *mesh, const char *name);
/* Reports that the mesh has no boundary of this name, and lists its boundaries. */
void ewi_unknown_boundary(struct ewi_reader *reader, const config_setting_t *setting, const ew_mesh *mesh,
                          const char *name);
/* The setting for the boundary of this name in the mesh, or NULL. */
const config_setting_t *ewi_boundary_named(const struct ewi_reader *reader, const char *name);

/* case_problem.c: the library's errors, at the lines of the case that cause them */
void ewi_check_problem(struct ewi_reader *reader);

/* case_quantities.c: reads quantities by formula; call it before reading keys that name them */
void ewi_read_quantities(struct ewi_reader *reader);

/* case_averages.c: reads averages; call it after the run's times and the quantities, before keys that name averages */
void ewi_read_averages(struct ewi_reader *reader);
/* case_output.c: the number of the quantity `word`; reports a name that cannot be averaged and returns -1. */
int ewi_averaged_output(struct ewi_reader *reader, const config_setting_t *setting, const char *word);

/* case_output.c: the times of fields and restart files */
void ewi_read_output(struct ewi_reader *reader);
/* Also in case_output.c; needs the mesh. */
void ewi_read_raster(struct ewi_reader *reader);

/* case_series.c: the time series; needs the mesh */
void ewi_read_series(struct ewi_reader *reader);
/* Likewise; needs the mesh: the walls along which frames have values */
void ewi_read_walls(struct ewi_reader *reader);

#endif
