/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix of runs of "study", and its report. */
#ifndef EDGEWISE_CMD_STUDY_H
#define EDGEWISE_CMD_STUDY_H

#include "cmd.h"

enum { STUDY_NAME = 64, STUDY_SENTENCE = 1100 };

/* The result that a run, or the check of a case before it, sends through a pipe. */
struct study_result {
    int code;        /* EX_OK if it succeeded */
    bool has_exact;  /* the case has an exact solution */
    char title[256], law[STUDY_NAME], flux[STUDY_NAME], scheme[STUDY_NAME];
    char stop[16];                 /* empty: not started */
    char sentence[STUDY_SENTENCE]; /* reason of the failure */
    int64_t elements, edges, steps;
    double area, time, seconds, l2[EW_MAX_VARIABLES], linf[EW_MAX_VARIABLES];
    int32_t cells[2]; /* of a rectangle; 0: another mesh */
};

struct study_mesh {
    char name[STUDY_NAME];
    char *setting, *given;    /* "mesh=..." and its option in the user's words; NULL: the case's own mesh */
    int code;                 /* EX_OK if some order can use it */
    char sentence[STUDY_SENTENCE]; /* otherwise why not */
};

struct study_arguments {
    struct cli_arguments common;
    const char *meshes, *refine, *orders, *norm, *variable, *jobs, *png;
    bool csv, latex;
};

struct study {
    struct study_arguments *arguments;
    int meshes, orders, norm; /* norm: index in study_norms */
    struct study_mesh *mesh;
    int order[EW_MAX_ORDER];
    int variable;                /* -1: all */
    struct study_result *result; /* [meshes][orders] */
    struct cli_report told;      /* lines printed about runs, each once */
    bool printed;
    char error[STUDY_SENTENCE];  /* why there is no table */
};

extern const char *const study_norms[]; /* ends with NULL */

static inline struct study_result *study_at(const struct study *study, int mesh, int order)
{
    return &study->result[mesh * study->orders + order];
}

/* The first successful result, or NULL. */
const struct study_result *study_good(const struct study *study);

void study_print_text(const struct study *study);
void study_print_csv(const struct study *study);
void study_print_latex(const struct study *study);
void study_print_json(const struct study *study);
/* EX_OK, or an exit code and a sentence on stderr. */
int study_write_picture(const struct study *study, const char *path);

#endif
