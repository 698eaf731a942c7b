/* SPDX-License-Identifier: BSD-2-Clause */
/* What "edgewise check" finds out about a case before it runs. */
#ifndef EDGEWISE_CASE_CHECK_H
#define EDGEWISE_CASE_CHECK_H

#include "cases.h"

/* The findings; NaN and negative numbers mean unknown. */
struct case_check {
    struct cli_case what;
    struct cli_report report, warnings;
    ew_error error;
    ew_case *that;
    const ew_mesh *mesh;
    const ew_problem *problem;
    ew_case_info case_info;
    ew_mesh_info mesh_info, made; /* of the case, and of the mesh that stands for it, which may be coarser */
    ew_solver_info solver_info;
    bool overcommit;
    bool timed;      /* the caller wants to know how long steps take */
    bool elsewhere;  /* the run will be on another machine */
    bool has_solver; /* solver_info and dt are known */
    bool too_large;  /* more memory is needed than there is */
    double scale;    /* diameter of the mesh's least triangle to that of the one that is looked at */
    ew_run_memory memory;
    double dt, later_dt, steps; /* later_dt: after `sampled` steps */
    int64_t sampled;
    double step_seconds; /* of wall time, on the mesh of the case */
    bool frames_are_counted;
    double frames, file_mesh_bytes, frame_bytes; /* in the file: the mesh, and a frame */
};

/*
 * Fills `check`; the caller sets `what`, `overcommit`, `timed` and `elsewhere`. Returns an exit code; errors have been
 * printed on stderr.
 */
int cli_examine_case(struct case_check *check);
/* What the case gives to a boundary, or NULL. */
const ew_boundary *cli_boundary_of(const ew_problem *problem, const char *name);

/*
 * Checks a case that will run on another machine: what only this machine lacks is no error. Returns the exit code;
 * errors have been printed on stderr, and `error` has the first one. *that is the case, or NULL if it cannot be read.
 */
int cli_check_case(const struct cli_case *what, ew_case **that, ew_error *error);

#endif
