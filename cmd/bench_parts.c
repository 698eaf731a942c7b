/* SPDX-License-Identifier: BSD-2-Clause */
/* Scaling: a wave on more and more parts, on one mesh (strong) and on one that grows with them (weak). */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <sysexits.h>

static int read_numbers(struct bench *bench, const char *text)
{
    double number[CMD_BENCH_PARTS];
    int count = cli_read_numbers(text, 1, CMD_BENCH_PARTS, number);
    bool good = count > 0;
    for (int k = 0; k < count && good; k++) {
        good = number[k] >= 2 && number[k] <= EW_MAX_PARTS && number[k] == floor(number[k]);
        bench->part[k] = good ? (int)number[k] : 0;
    }
    bench->parts = count;
    return good ? EX_OK
                : cli_fail(EX_USAGE, "--parts needs 1 to %d whole numbers from 2 to %d, separated by commas, not "
                           "\"%s\".", (int)CMD_BENCH_PARTS, EW_MAX_PARTS, text);
}

/* A single part has as many threads as each of several, so that the ideal is a multiple of its rate. */
static void choose_threads(struct bench *bench)
{
    int most = 1, cores = ew_thread_count(0, NULL, 0);
    for (int k = 0; k < bench->parts; k++)
        most = bench->part[k] > most ? bench->part[k] : most;
    if (bench->side.problem.threads == 0 && !bench->comm)
        bench->side.problem.threads = cores / most > 1 ? cores / most : 1;
}

int cmd_bench_read_parts(struct bench *bench)
{
    ew_problem *problem = &bench->side.problem;
    int ranks = ew_comm_launched(), code = read_numbers(bench, bench->arguments->parts);
    if (code != EX_OK)
        return code;
    if (bench->arguments->kernels)
        return cli_fail(EX_USAGE, "--parts and --kernels exclude each other.");
    if (problem->parts > 0)
        return cli_fail(EX_USAGE, "--parts says how many parts there are; --side cannot say it, too.");
    if (ranks > 1 && (bench->parts > 1 || bench->part[0] != ranks))
        return cli_fail(EX_USAGE, "there are %d ranks of MPI, which are the parts: --parts must be %d, not \"%s\".",
                        ranks, ranks, bench->arguments->parts);
    if (!problem->backend)
        problem->backend = bench->arguments->devices ? "cuda" : "omp";
    if (bench->arguments->devices) {
        code = cli_read_devices(bench->arguments->devices, bench->device, &problem->devices);
        problem->device_of_part = bench->device;
        problem->device = bench->device[0];
    }
    if (code != EX_OK)
        return code;
    if (ranks > 1 && ew_comm_create(&cli_host, &bench->comm, &bench->error) != EW_OK)
        return cli_fail(cli_exit_code(bench->error.code, EX_UNAVAILABLE), "%s", bench->error.message);
    choose_threads(bench);
    return EX_OK;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static bool leads(const struct bench *bench)
{
    return !bench->comm || ew_comm_rank(bench->comm) == 0;
}

/* Does this rank's share of rank 0's measurement. */
static int serve(struct bench *bench, struct cmd_flow *flow, int status)
{
    ew_plan *plan = NULL;
    if (status == EW_OK)
        status = ew_problem_check(&cli_host, flow->mesh, &flow->problem, &plan, &bench->error);
    status = ew_comm_agree(bench->comm, status, &bench->error);
    if (status == EW_OK && ew_comm_divide(bench->comm, &plan, NULL) == EW_OK) { /* otherwise the next call fails */
        ew_mesh_destroy(flow->mesh);
        flow->mesh = NULL;
    }
    if (status == EW_OK)
        status = ew_comm_serve(bench->comm, &plan, &flow->problem, &bench->error);
    ew_plan_destroy(plan);
    return status;
}

static int measure(struct bench *bench, int order, int64_t elements, int parts, struct cmd_bench_rate *rate)
{
    struct cmd_flow flow;
    bool divided = bench->comm && parts > 1;
    if (bench->comm && !divided && !leads(bench))
        return EW_OK;
    if (divided && !ew_comm_next(bench->comm))
        return EW_EUNAVAILABLE; /* rank 0 has failed and reports why */
    int status = cmd_flow_wave(&bench->side.problem, elements, &flow, &bench->error);
    cmd_bench_prepare(bench, &flow, order);
    flow.problem.comm = divided ? bench->comm : NULL;
    flow.problem.parts = bench->comm ? 0 : parts;
    if (!leads(bench))
        status = serve(bench, &flow, status);
    else if (divided)
        status = ew_comm_agree(bench->comm, status, &bench->error);
    if (status == EW_OK && leads(bench))
        status = cmd_bench_measure(bench, &flow, rate, &bench->error);
    cmd_flow_destroy(&flow);
    return status;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

void cmd_bench_print_parts_head(const struct bench *bench, const ew_solver_info *info)
{
    printf("edgewise %s: %s, %s kernels\n", ew_version(), info->backend, info->kernels);
    printf("  parts      %s, the first on %s\n", bench->comm ? "ranks of MPI" : "threads of this process",
           info->device);
    printf("  flow       a smooth wave in a periodic, jittered square: Euler, %s, %s\n", info->flux, info->scheme);
    printf("\n  GDOF-stage/s, and the share of as many times the rate of one part\n  %10s   p  mesh    %10s",
           "elements", "1 part");
    for (int k = 0; k < bench->parts; k++)
        printf("  %10d parts", bench->part[k]);
    putchar('\n');
    fflush(stdout);
}

static void put_row(struct bench *bench, const char *mesh, int parts, const struct cmd_bench_rate *rate, double ideal)
{
    struct cli_json *json = &bench->json;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "mesh", mesh);
    cli_json_integer(json, "elements", rate->elements);
    cli_json_integer(json, "order", rate->order);
    cli_json_integer(json, "parts", parts);
    cli_json_number(json, "seconds_per_step", rate->seconds);
    cli_json_number(json, "gdof_stage_per_s", rate->gdof_stage_per_s);
    cli_json_number(json, "ideal_gdof_stage_per_s", ideal);
    cli_json_number(json, "share", rate->gdof_stage_per_s / ideal);
    cli_json_text(json, "skipped", rate->skipped[0] ? rate->skipped : NULL);
    cli_json_close(json, '}');
}

static void tell(struct bench *bench, const char *mesh, int parts, const struct cmd_bench_rate *rate, double ideal)
{
    if (bench->arguments->common.json)
        put_row(bench, mesh, parts, rate, ideal);
    else if (rate->skipped[0])
        printf("  %10s      ", "-");
    else if (parts == 1)
        printf("  %10.4f", rate->gdof_stage_per_s);
    else
        printf("  %10.4f %3.0f %%", rate->gdof_stage_per_s, 100 * rate->gdof_stage_per_s / ideal);
    fflush(stdout);
}

/* Measures a row of the table: one part, whose rate is known, and all numbers of parts. */
static int measure_row(struct bench *bench, bool grows, int order, int64_t size, const struct cmd_bench_rate *one)
{
    const char *mesh = grows ? "grows" : "same";
    struct cmd_bench_rate *rate = cli_allocate(sizeof *rate);
    int status = EW_OK;
    if (leads(bench) && !bench->arguments->common.json)
        printf("  %10lld   %d  %-6s", (long long)one->elements, order, mesh);
    if (leads(bench) && !(bench->arguments->common.json && grows))
        tell(bench, mesh, 1, one, one->gdof_stage_per_s);
    for (int k = 0; k < bench->parts && status == EW_OK; k++) {
        int parts = bench->part[k];
        status = measure(bench, order, grows ? size * parts : size, parts, rate);
        if (status == EW_OK && leads(bench))
            tell(bench, mesh, parts, rate, parts * one->gdof_stage_per_s);
    }
    if (leads(bench) && !bench->arguments->common.json)
        putchar('\n');
    free(rate);
    return status;
}

int cmd_bench_scaling(struct bench *bench, int64_t size)
{
    struct cmd_bench_rate *one = cli_allocate(sizeof *one);
    int status = EW_OK;
    for (int order = bench->first_order; order <= bench->last_order && status == EW_OK; order++) {
        status = measure(bench, order, size, 1, one);
        for (int grows = 0; grows <= 1 && status == EW_OK; grows++)
            status = measure_row(bench, grows, order, size, one);
    }
    free(one);
    return status;
}
