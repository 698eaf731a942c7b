/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a case is read. The reader lasts for one call of ew_case_read; ewi_keep allocates what outlives it.
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

struct ewi_formulas; /* of a case */

/* A key that differs from member to member of a sweep. */
struct ewi_axis {
    const char *key;
    const config_setting_t *place; /* of its values; only while the case is read */
    int64_t count;                 /* of values; of a range that is drawn from: 0 */
    const char **text, **shown;    /* [count], quoted and as they are; NULL: a range */
    double *number;                /* [count]; NaN: not a number */
    double from, to;
    bool logarithmic, whole;
};

enum ewi_design { EWI_GRID, EWI_IN_A_ROW, EWI_RANDOM };

/* No members: the case has no sweep. */
struct ewi_sweep {
    enum ewi_design design;
    int64_t members;
    uint64_t seed;
    int axes;
    struct ewi_axis *axis;
};

/* Where a mesh comes from. */
struct ewi_mesh_source {
    const char *path; /* NULL: a rectangle */
    const char *beside, *name; /* of a confined case: its own path, and how it names the mesh; otherwise NULL */
    int file; /* while the mesh is made, otherwise -1: all that is known of it comes from one descriptor */
    ew_rectangle rectangle;
};

struct ew_case {
    struct ewi_mesh_source mesh_source;
    struct ewi_arena memory;
    struct ewi_formulas *formulas;
    ew_meshes *meshes; /* NULL: the mesh is its own */
    ew_mesh *mesh;
    ew_mesh_info mesh_info; /* of the mesh that is asked for */
    ew_problem problem;
    ew_case_info info;
    struct ewi_sweep sweep;
    uint64_t sweep_hash; /* of all that no member changes; only of ew_sweep_read */
};

/* A case of which the sweep alone is read. */
struct ew_sweep {
    ew_case that;
};

struct ewi_issue;

enum { EWI_SUGGESTIONS = 32 };

struct ewi_reader {
    ew_host host;
    ew_case *that;
    const char *path;
    ew_plan *plan;          /* if the caller asks for it */
    char *folder; /* of the case file, with the slash; empty if there is none */
    config_t config;
    const config_setting_t *root;

    struct ewi_issue *issues; /* sorted by place */
    size_t issue_count;
    bool out_of_memory;
    char lack[256]; /* the sentence that names what lacks memory; empty: the case itself */
    ew_case_options options;
    bool only_sweep; /* nothing else is read */
    bool only_settings; /* there is no case */
    struct ewi_override *first_override, **next_override;
    int includes; /* that were followed */
    int32_t periodics;
    ew_periodic *periodic;
    bool broken_name; /* a wrong `let` or parameter stands for NaN */

    /* Keys suggested for mistyped ones; they are not reported as missing. */
    struct {
        const config_setting_t *group;
        const char *name;
    } suggestion[EWI_SUGGESTIONS];
    size_t suggestions;

    const ew_law *law; /* NULL if the case names an unknown one */
    ew_scope *scope;
};

/* ---- case_reader.c: errors and memory ---- */

/* Reports an error at the setting, in one sentence; NULL: of the case as a whole. */
void ewi_issue(struct ewi_reader *reader, const config_setting_t *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at a line of a file, and at an override. */
void ewi_issue_at(struct ewi_reader *reader, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ewi_issue_override(struct ewi_reader *reader, const char *override, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A defect of the mesh; `reader` is an ewi_reader. */
void ewi_issue_mesh(void *reader, const char *sentence);
/* Whether an error was reported at the setting or within it. */
bool ewi_issue_told(const struct ewi_reader *reader, const config_setting_t *setting);
/* Drops the errors of the mesh once a better reason is known. */
void ewi_issues_drop_mesh(struct ewi_reader *reader);
/* Reports the errors in order and frees them. Returns the result of the reading, with the first one in `error`. */
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
/* Gives the formula to the case; without memory, destroys it and returns false. */
bool ewi_keep_formula(struct ewi_reader *reader, ew_formula *formula);
void ewi_free_kept(ew_case *that);

/* A path relative to the case's folder. Kept. */
const char *ewi_case_path(struct ewi_reader *reader, const char *path);

/* ---- case_source.c: from files and overrides to a tree of settings ---- */

/* false: there is no tree, and an issue says why. A file that cannot be read is EW_EIO instead. */
int ewi_source_load(struct ewi_reader *reader, ew_error *error);
bool ewi_source_parse(struct ewi_reader *reader);
/* Reports the errors for which libconfig has no sentence, or would need too long. */
void ewi_source_scan(struct ewi_reader *reader, const char *text);
void ewi_source_override(struct ewi_reader *reader, const char *text, const char *name);
/* Whether the key is let.NAME and the case does not have the name. */
#define EWI_NO_NAME "the case has no \"%s\", so it would change nothing"
bool ewi_source_lacks_name(const struct ewi_reader *reader, const char *key);
/* Whether the case has let.NAME. */
bool ewi_source_has_name(const struct ewi_reader *reader, const char *name);
/* Appends the overrides to the case's text as comments, so that files keep the complete case. */
void ewi_source_note_overrides(struct ewi_reader *reader);
/* The override that a setting comes from, as sentences call it, or NULL. */
const char *ewi_source_override_of(const config_setting_t *setting);

/* ---- case_check.c: the tree against the option table ---- */

void ewi_check_tree(struct ewi_reader *reader);
/*
 * "; did you mean ...?", a hint or a list of the choices: the end of a sentence about an unknown word. `place`: as of
 * ewi_hint, or NULL. Returns `text`.
 */
const char *ewi_alternatives(const struct ewi_reader *reader, const char *place, const char *word,
                             const char *const *candidates, size_t count, char *text, size_t size);
/* The same for the group `sweep` alone. */
void ewi_check_sweep(struct ewi_reader *reader, const config_setting_t *sweep);
/* Reports that the setting cannot be a value of the option. */
void ewi_issue_type(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting);
/* Whether `name` was suggested for an unknown key in the group. */
bool ewi_was_suggested(const struct ewi_reader *reader, const config_setting_t *group, const char *name);
/* Whether the setting's type is one of the option's. */
bool ewi_type_fits(const struct ewi_option *option, const config_setting_t *setting);

/* ---- case_values.c: settings to values ---- */

/*
 * `path` is the option's in the table, `group` the setting that has it, which may be NULL. A setting of the wrong type
 * counts as missing: ewi_check_tree has reported it. Without a default in the table, *value stays as it is. Each of
 * these returns whether the case gives a valid value.
 */
const config_setting_t *ewi_get(const config_setting_t *group, const char *path);
bool ewi_get_number(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *value);
bool ewi_get_integer(struct ewi_reader *reader, const config_setting_t *group, const char *path, int64_t *value);
/* Exactly option->count members. */
bool ewi_get_numbers(struct ewi_reader *reader, const config_setting_t *group, const char *path, double *values);
/* A kept word or text. */
bool ewi_get_text(struct ewi_reader *reader, const config_setting_t *group, const char *path, const char **value);

/* Whether it is there and true. */
void ewi_get_flag(const config_setting_t *group, const char *path, int *value);

/* Whether the setting, wherever it stands, may be the option's value; texts of formulas are not looked at. */
bool ewi_check_value(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting);
/*
 * Adds a value to a text that has `length` bytes so far, as ewi_append does. A number is the same with and without a
 * point or, unless texts are quoted as libconfig has them, as a text. `depth` is 0.
 */
size_t ewi_put_value(const config_setting_t *setting, bool quoted, char *text, size_t size, size_t length, int depth);
/* As few digits as bring the number back. */
enum { EWI_SHORTEST = 32 };
const char *ewi_shortest(double number, char digits[EWI_SHORTEST]);

/* The value of a number or of a formula of constants. */
bool ewi_constant(struct ewi_reader *reader, const config_setting_t *setting, double *value);
/* The setting as a formula's text; `digits` receives a number. NULL (and reported) if it is not finite. */
enum { EWI_DIGITS = 32 };
const char *ewi_formula_text(struct ewi_reader *reader, const config_setting_t *setting, char digits[EWI_DIGITS]);
/* A list of option->count formulas as one program. They may use only `variables` of EW_X | EW_Y | EW_T. Kept. */
bool ewi_get_formulas(struct ewi_reader *reader, const config_setting_t *group, const char *path, unsigned variables,
                      ew_data *data);
/* All primitive variables of the law from a group; reports missing ones. */
bool ewi_get_state(struct ewi_reader *reader, const config_setting_t *group, ew_data *data);

/* ---- case_sweep.c: the members of a sweep ---- */

/*
 * Reads the group, if the case has one, and applies the settings of the member that options ask for. Returns whether
 * the rest of the case is to be read; issues say why not.
 */
bool ewi_read_sweep(struct ewi_reader *reader);

/* ---- the parts of a case ---- */

/* case_law.c: the law's name, which everything else needs; its parameters and `let`; its given fields */
void ewi_read_law(struct ewi_reader *reader);
void ewi_read_scope(struct ewi_reader *reader);
void ewi_read_field(struct ewi_reader *reader);

/* case_mesh.c: the case's mesh stays NULL if it cannot be made */
void ewi_read_mesh(struct ewi_reader *reader);
/* Opens the source's file, if it has one. */
int ewi_open_mesh(struct ewi_mesh_source *source, ew_error *error);
void ewi_close_mesh(struct ewi_mesh_source *source);
/* The source's mesh; `options` has the periodic pairs, and where defects are reported. */
int ewi_make_mesh(const ew_host *host, const struct ewi_mesh_source *source, const ew_rectangle *options,
                  ew_mesh **mesh, ew_error *error);

/* meshes.c: the same, or one of `meshes` (nullable) that was made from the same, and its end */
int ewi_get_mesh(ew_meshes *meshes, const ew_host *host, const struct ewi_mesh_source *source,
                 const ew_rectangle *wanted, ew_mesh **mesh, ew_error *error);
void ewi_release_mesh(ew_meshes *meshes, ew_mesh *mesh);

/* case_boundary.c: periodic pairs, which the mesh needs, and the conditions, which need the mesh */
void ewi_read_periodics(struct ewi_reader *reader);
void ewi_read_boundaries(struct ewi_reader *reader);
/* Whether its kind takes the key; false without a kind. The boundary may be NULL. */
bool ewi_boundary_takes(const config_setting_t *boundary, const char *path);
bool ewi_mesh_has_boundary(const ew_mesh *mesh, const char *name);
/* Reports that the mesh has no boundary of this name, and lists those it has. */
void ewi_unknown_boundary(struct ewi_reader *reader, const config_setting_t *setting, const ew_mesh *mesh,
                          const char *name);
/* The setting for the boundary of this name in the mesh, or NULL. */
const config_setting_t *ewi_boundary_named(const struct ewi_reader *reader, const char *name);

/* case_problem.c: the library's errors, at the lines of the case that cause them */
void ewi_check_problem(struct ewi_reader *reader);

/* case_output.c: when fields and restart files are due */
void ewi_read_output(struct ewi_reader *reader);
/* The same file; needs the mesh. */
void ewi_read_raster(struct ewi_reader *reader);

/* case_series.c: the time series; needs the mesh */
void ewi_read_series(struct ewi_reader *reader);

#endif
