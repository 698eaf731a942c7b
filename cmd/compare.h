/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of "edgewise compare": two solvers of one case, their differences, and the report. */
#ifndef EDGEWISE_CMD_COMPARE_H
#define EDGEWISE_CMD_COMPARE_H

#include "cmd.h"

enum { CMD_REFERENCE, CMD_WITH, CMD_SIDES };

/* ---- sides (compare_side.c) -------------------------------------------------------------------------------------- */

struct cmd_side {
    char *words;        /* the problem's texts point into it */
    ew_problem problem; /* the case's, with the backend that this side is to have */
    ew_solver *solver;
    ew_solver_info info;
    ew_run *run;
    const char *stop; /* "end", "steady", "steps" or "failed"; NULL: not yet stopped */
    ew_error error;   /* if it failed */
};

/*
 * Sets the problem of a side from words like "omp,edgewise,avx2,threads=2,tile=-1"; `of` is the case's. What they do
 * not say is the backend's default; threads and device are the case's. 0, or an exit code, about which a sentence is
 * then on stderr.
 */
int cmd_side_parse(struct cmd_side *side, const char *option, const char *words, const ew_problem *of);

/* ---- records (compare_records.c) --------------------------------------------------------------------------------- */

#define CMD_ULP_NAN UINT64_MAX /* the distance between a NaN and a number */

/* How many steps from one double to the next lie between a and b; none between +0 and -0, nor between two NaNs. */
uint64_t cmd_ulp_distance(double a, double b);

struct cmd_difference {
    size_t words, differing; /* differing: in at least one bit; all NaNs count as equal */
    uint64_t ulp;            /* the largest distance */
    size_t index;            /* of the first word with that distance, if any differs */
    double a, b;             /* its values */
};

/* difference[variable] of two arrays [items][variables][basis]. */
void cmd_compare_words(const double *a, const double *b, size_t items, int variables, int basis,
                       struct cmd_difference *difference);

/* The difference in one variable, and where it is largest. */
struct cmd_compared {
    const char *name;
    struct cmd_difference difference;
    int64_t element, edge; /* -1: none; the edge's element is the one that the word is for */
    int basis;
    double x, y; /* the element's centroid */
};

/* One comparison: of the state, of a kernel's output, or of how the sides stopped. */
struct cmd_record {
    const char *what; /* "state", a kernel, or "stop" */
    int64_t step;
    double time;
    int count;
    struct cmd_compared compared[EW_MAX_VARIABLES + 1]; /* of states: the time, too */
    size_t words, differing;                            /* in all of them */
    uint64_t ulp;
    char *sentence; /* why nothing could be compared, or how the sides behave differently */
    bool one_sided; /* only one side stopped or failed, or they did so differently */
};

struct cmd_comparison {
    const ew_mesh *mesh;
    ew_solver *solver[CMD_SIDES];
    double *word[CMD_SIDES]; /* room for the largest array that is compared */
    size_t records;
    struct cmd_record *record;
    int passes; /* over the kernels */
    /* Sums over all records; compared: the number of records with words. */
    size_t compared, words, differing, one_sided;
    uint64_t ulp;
    /* Called with every record as it is made; may be NULL. */
    void (*tell)(void *context, const struct cmd_record *record);
    void *context;
};

/* Bytes that a comparison takes beside its solvers. */
size_t cmd_comparison_bytes(const ew_mesh *mesh, int variables, int order);
/* The solvers are borrowed and have the same problem but for their backends. */
void cmd_comparison_begin(struct cmd_comparison *comparison, const ew_mesh *mesh, ew_solver *reference,
                          ew_solver *with);
void cmd_comparison_end(struct cmd_comparison *comparison);

/* Compares the states, which are to be of the same step. */
int cmd_compare_states(struct cmd_comparison *comparison, ew_error *error);
/* Compares each kernel's output for the reference's present state; both solvers keep their states. */
int cmd_compare_kernels(struct cmd_comparison *comparison, ew_error *error);
/* Records that only one side does something. */
void cmd_compare_one_sided(struct cmd_comparison *comparison, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether no word differs or, if ulp is not NULL, none by more than *ulp. */
bool cmd_comparison_passes(const struct cmd_comparison *comparison, const uint64_t *ulp);

/* ---- the report (compare_report.c) ------------------------------------------------------------------------------- */

struct compare_arguments {
    struct cli_arguments common;
    const char *reference, *with, *every, *ulp;
};

struct compare {
    const struct compare_arguments *arguments;
    struct cli_report report;
    struct cli_progress progress;
    ew_case *that; /* NULL: it could not be read */
    ew_case_info case_info;
    ew_mesh_info mesh_info;
    struct cmd_side side[CMD_SIDES];
    struct cmd_comparison comparison;
    int64_t every; /* steps between two states; 0: at steps 1, 2, 4, 8, ... */
    uint64_t ulp, *admitted; /* admitted: the ulp of the option, or NULL */
    const char *stop;
    ew_error error;
};

extern const char *const cmd_side_names[CMD_SIDES]; /* as of their options */

void cmd_compare_print_head(const struct compare *compare);
void cmd_compare_print_record(void *context, const struct cmd_record *record);
void cmd_compare_print_end(const struct compare *compare);
void cmd_compare_print_json(const struct compare *compare);

#endif
