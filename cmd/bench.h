/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of "edgewise bench": flows that need no case file, measurements, and their report. */
#ifndef EDGEWISE_CMD_BENCH_H
#define EDGEWISE_CMD_BENCH_H

#include "cmd.h"
#include "compare.h"

/* ---- flows (bench_flows.c) --------------------------------------------------------------------------------------- */

/* A mesh and a problem on it. The flow owns the problem's formulas and boundaries. */
struct cmd_flow {
    ew_mesh *mesh;
    ew_formula *formula[2];
    ew_boundary boundary[5];
    ew_problem problem;
    int64_t elements;
};

/* Both flows start from `side`, which sets only where to run. */
/* A smooth wave in a periodic, jittered unit square of about `elements` elements; the order is not set. */
int cmd_flow_wave(const ew_problem *side, int64_t elements, struct cmd_flow *flow, ew_error *error);
/* The double Mach reflection: order 1, rk2, limited. */
int cmd_flow_double_mach(const ew_problem *side, int64_t elements, struct cmd_flow *flow, ew_error *error);
void cmd_flow_destroy(struct cmd_flow *flow);

/* ---- the command (bench.c) --------------------------------------------------------------------------------------- */

enum { CMD_BENCH_SIZES = 16, CMD_BENCH_PARTS = 16 };

struct bench_arguments {
    struct cli_arguments common;
    const char *side, *elements, *order, *flux, *seconds, *parts, *devices;
    bool kernels;
};

struct bench {
    const struct bench_arguments *arguments;
    struct cmd_side side; /* only its words, and its problem's backend */
    int64_t size[CMD_BENCH_SIZES];
    int sizes, first_order, last_order;
    double seconds; /* per round */
    int part[CMD_BENCH_PARTS], parts; /* numbers of parts; parts = 0: the mesh is not divided */
    int device[CLI_MOST_DEVICES];     /* GPUs of the parts, in turn */
    ew_comm *comm; /* its ranks are the parts; NULL: parts are threads */
    ew_limits limits; /* largest limits measured */
    bool again, exceeded; /* again: limits were measured again; exceeded: something is still faster than they allow */
    struct cli_json json;
    int tables; /* number of the JSON object's arrays that have been opened */
    ew_error error;
};

/* ---- measurements (bench_measure.c, bench_report.c) -------------------------------------------------------------- */

struct cmd_bench_rate {
    int64_t elements;
    int order;
    double seconds, dt;      /* per step; NaN: not measured */
    double gdof_stage_per_s, bound; /* bound: the rate that the machine's limits allow; NaN: unknown */
    ew_solver_info info;
    ew_kernel_profile profile[EW_MAX_PROFILES]; /* over `steps` steps */
    int profiles;
    int64_t steps;
    char skipped[sizeof((ew_error *)NULL)->message]; /* why it was not measured; empty if it was */
};

/* Sets the wave's order and the requested flux. */
void cmd_bench_prepare(const struct bench *bench, struct cmd_flow *flow, int order);
/* Skips a size that does not fit in memory, and records the reason. */
int cmd_bench_measure(struct bench *bench, const struct cmd_flow *flow, struct cmd_bench_rate *rate, ew_error *error);
/* The rate that the limits allow; NaN: unknown. */
double cmd_bench_bound(const ew_limits *limits, const struct cmd_bench_rate *rate);
/* True if a step, or one of its kernels, is faster than the limits allow. */
bool cmd_bench_exceeds(const ew_limits *limits, const struct cmd_bench_rate *rate);

/* ---- scaling (bench_parts.c) ------------------------------------------------------------------------------------- */

/* Reads the numbers of parts, and the backend that they need. EX_OK, or an exit code and a sentence on stderr. */
int cmd_bench_read_parts(struct bench *bench);
void cmd_bench_print_parts_head(const struct bench *bench, const ew_solver_info *info);
/*
 * Measures the wave on one mesh, and on one that grows with the parts. Ranks other than 0 do their share and print
 * nothing.
 */
int cmd_bench_scaling(struct bench *bench, int64_t size);

/* ---- the report (bench_report.c) --------------------------------------------------------------------------------- */

void cmd_bench_print_head(const ew_limits *limits, const ew_solver_info *info);
void cmd_bench_print_rates_head(int first_order, int last_order);
void cmd_bench_print_rate(const struct cmd_bench_rate *rate);
void cmd_bench_print_profile(const ew_limits *limits, const struct cmd_bench_rate *rate);
/* Prints each kernel's share of a step, order by order: the paper's figure "Relative GPU utilization". */
void cmd_bench_print_shares(const struct cmd_bench_rate *rate, int rates);
/* limits: NULL unless they differ from those in the head; exceeded: a share was above 100 %. */
void cmd_bench_print_tail(const ew_limits *limits, bool exceeded);
void cmd_bench_put_limits(struct cli_json *json, const ew_limits *limits);
void cmd_bench_put_rate(struct cli_json *json, const ew_limits *limits, const struct cmd_bench_rate *rate,
                        bool kernels);

#endif
