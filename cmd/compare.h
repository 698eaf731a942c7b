/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of "edgewise compare": two solvers of one case, their differences, and the report. */
#ifndef EDGEWISE_CMD_COMPARE_H
#define EDGEWISE_CMD_COMPARE_H

#include "cmd.h"

enum { CMD_REFERENCE, CMD_WITH, CMD_SIDES };

/* ---- sides (compare_side.c) -------------------------------------------------------------------------------------- */

struct cmd_side {
    char *words;        /* owns the problem's texts */
    ew_problem problem; /* the case's problem with this side's backend */
    ew_solver *solver;
    ew_solver_info info;
    ew_run *run;
    const char *stop; /* "end", "steady", "steps" or "failed"; NULL: not yet stopped */
    ew_error error;   /* valid if the side failed */
};

/*
 * Sets the problem of a side from words like "omp,edgewise,avx2,threads=2,tile=-1"; `of` is the case's problem.
 * Settings without a word are the backend's defaults; threads and device are the case's. Returns 0, or an exit code
 * with a sentence on stderr.
 */
int cmd_side_parse(struct cmd_side *side, const char *option, const char *words, const ew_problem *of);

/* ---- records (compare_records.c) --------------------------------------------------------------------------------- */

#define CMD_ULP_NAN UINT64_MAX /* the distance between a NaN and a number */

/* The number of steps from one double to the next between a and b; 0 between +0 and -0, and between two NaNs. */
uint64_t cmd_ulp_distance(double a, double b);

struct cmd_difference {
    size_t words, differing; /* differing: words with different bits, where all NaNs count as equal */
    uint64_t ulp;            /* the largest distance */
    size_t index;            /* first word with that distance, if any differs */
    double a, b;             /* the two values of that word */
};

/* Computes difference[variable] of two arrays [items][variables][basis]. */
void cmd_compare_words(const double *a, const double *b, size_t items, int variables, int basis,
                       struct cmd_difference *difference);

/* The difference in one variable, and its position where it is largest. */
struct cmd_compared {
    const char *name;
    struct cmd_difference difference;
    int64_t element, edge; /* -1: none; an edge comes with the element that the word belongs to */
    int basis;
    double x, y; /* the element's centroid */
};

/* One comparison: of the state, of a kernel's output, or of how the sides stopped. */
struct cmd_record {
    const char *what; /* "state", a kernel, or "stop" */
    int64_t step;
    double time;
    int count;
    struct cmd_compared compared[EW_MAX_VARIABLES + 1]; /* for states, the time as well */
    size_t words, differing;                            /* over all variables */
    uint64_t ulp;
    char *sentence; /* why nothing could be compared, or how the sides behave differently */
    bool one_sided; /* only one side stopped or failed, or both did in different ways */
};

struct cmd_comparison {
    const ew_mesh *mesh;
    ew_solver *solver[CMD_SIDES];
    double *word[CMD_SIDES]; /* buffers for the largest array */
    size_t records;
    struct cmd_record *record;
    int passes; /* number of passes over the kernels */
    /* Sums over all records; compared: the number of records with words. */
    size_t compared, words, differing, one_sided;
    uint64_t ulp;
    /* Called with every record as it is made; may be NULL. */
    void (*tell)(void *context, const struct cmd_record *record);
    void *context;
};

/* Bytes of a comparison in addition to its solvers. */
size_t cmd_comparison_bytes(const ew_mesh *mesh, int variables, int order);
/* The solvers are borrowed. Their problems are the same except for the backends. */
void cmd_comparison_begin(struct cmd_comparison *comparison, const ew_mesh *mesh, ew_solver *reference,
                          ew_solver *with);
void cmd_comparison_end(struct cmd_comparison *comparison);

/* Compares the states, which must be of the same step. */
int cmd_compare_states(struct cmd_comparison *comparison, ew_error *error);
/* Compares each kernel's output for the reference's current state; both solvers keep their states. */
int cmd_compare_kernels(struct cmd_comparison *comparison, ew_error *error);
/* Records something that only one side does. */
void cmd_compare_one_sided(struct cmd_comparison *comparison, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True if no word differs or, if ulp is not NULL, none by more than *ulp. */
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
    ew_case *that; /* NULL: reading it failed */
    ew_case_info case_info;
    ew_mesh_info mesh_info;
    struct cmd_side side[CMD_SIDES];
    struct cmd_comparison comparison;
    int64_t every; /* steps between two comparisons of states; 0: at steps 1, 2, 4, 8, ... */
    uint64_t ulp, *admitted; /* admitted: the ulp of the option, or NULL */
    const char *stop;
    ew_error error;
};

extern const char *const cmd_side_names[CMD_SIDES]; /* names of the sides' options */

void cmd_compare_print_head(const struct compare *compare);
void cmd_compare_print_record(void *context, const struct cmd_record *record);
void cmd_compare_print_end(const struct compare *compare);
void cmd_compare_print_json(const struct compare *compare);

#endif
