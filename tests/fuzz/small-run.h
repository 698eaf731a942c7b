/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of eight triangles with fields, series and restart files, for targets that read what such a run leaves. */
#ifndef FUZZ_SMALL_RUN_H
#define FUZZ_SMALL_RUN_H

#include "target.h"

struct small_run {
    ew_case *that;
    ew_solver *solver;
};

static struct small_run make_small_run(void)
{
    static const char text[] =
        "title=\"b\"; mesh={rectangle={corners=[0.0,0.0,1.0,1.0];cells=[2,2];};}; order=1;\n"
        "time={scheme=\"rk2\";end=0.1;}; initial={rho=\"1+0.1*x\";u=0;v=0;p=1;};\n"
        "boundary={left={kind=\"copy\";};right={kind=\"copy\";};top={kind=\"copy\";};bottom={kind=\"copy\";};};\n"
        "output={fields={every=0.02;};series={steps=2;};restart={every=0.05;};}; backend={threads=1;};\n";
    const ew_case_options options = {0};
    struct small_run run = {0};
    ew_error error = {0};
    fuzz_write("run.cfg", text, sizeof text - 1);
    MUST(ew_case_read(NULL, fuzz_path("run.cfg"), &options, &run.that, &error) == EW_OK);
    MUST(ew_solver_create(NULL, ew_case_mesh(run.that), ew_case_problem(run.that), &run.solver, &error) == EW_OK);
    return run;
}

#endif
