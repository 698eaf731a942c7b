/* SPDX-License-Identifier: BSD-2-Clause */
/* The findings of "edgewise check" about a case before it runs. */
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
    ew_mesh_info mesh_info, made; /* of the case, and of the check's own mesh, which may be coarser */
    ew_solver_info solver_info;
    ew_run_levels levels;
    struct {
        double least, greatest;
    } medium[EW_MAX_FIELDS]; /* the range of each field of media */
    bool has_media;
    bool overcommit;
    bool timed;      /* the caller wants the time of a step */
    bool elsewhere;  /* the run will be on another machine */
    bool has_solver; /* solver_info and dt are valid */
    bool too_large;  /* the case needs more memory than there is */
    double scale;    /* smallest diameter of the case's mesh over that of the check's mesh */
    ew_run_memory memory;
    double dt, later_dt, steps; /* later_dt: of a whole step after the sampled ones */
    int64_t sampled;
    int sampled_levels; /* levels of time steps of the sampled steps, which may be fewer than the case's */
    double step_seconds; /* wall time on the case's mesh */
    bool guesses_wall;   /* it follows from steps with fewer levels */
    bool frames_are_counted;
    double frames, file_mesh_bytes, frame_bytes; /* bytes in the file: of the mesh, and of a frame */
};

/*
 * Fills `check`; the caller sets `what`, `overcommit`, `timed` and `elsewhere`. Returns an exit code; errors have been
 * printed on stderr.
 */
int cli_examine_case(struct case_check *check);
/* The case's condition for a boundary, or NULL. */
const ew_boundary *cli_boundary_of(const ew_problem *problem, const char *name);

/*
 * Checks a case that will run on another machine: a device that only this machine lacks is not an error. Returns the
 * exit code; errors have been printed on stderr, and `error` has the first one. *that is the case, or NULL if it cannot
 * be read.
 */
int cli_check_case(const struct cli_case *what, ew_case **that, ew_error *error);

#endif
