/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise bench: measures the solver against the machine's limits. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { TABLES = 4 };
static const char *const tables[TABLES] = {"rates", "limiter", "double_mach", "scaling"}; /* names in the JSON object */
#define LARGEST_SIZE 40000000 /* its mesh still fits the memory of most machines */

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int read_sizes(struct bench *bench, const char *text)
{
    double number[CMD_BENCH_SIZES];
    bench->sizes = cli_read_numbers(text, 1, CMD_BENCH_SIZES, number);
    bool good = bench->sizes > 0;
    for (int k = 0; k < bench->sizes; k++) {
        good = good && number[k] >= 8 && number[k] <= LARGEST_SIZE && number[k] == floor(number[k]);
        bench->size[k] = good ? (int64_t)number[k] : 0;
    }
    if (good)
        return EX_OK;
    return cli_fail(EX_USAGE, "--elements needs 1 to %d whole numbers from 8 to %d, separated by commas, not \"%s\".",
                    (int)CMD_BENCH_SIZES, LARGEST_SIZE, text);
}

static int read_arguments(struct bench *bench)
{
    const struct bench_arguments *arguments = bench->arguments;
    const ew_problem none = {0};
    int code = EX_OK;
    if (arguments->order)
        bench->first_order = bench->last_order = (int)strtol(arguments->order, NULL, 10);
    if (arguments->seconds && (cli_read_numbers(arguments->seconds, 1, 1, &bench->seconds) != 1 ||
                               !(bench->seconds > 0 && bench->seconds <= 3600)))
        return cli_fail(EX_USAGE, "--seconds needs a number greater than 0 and at most 3600, not \"%s\".",
                        arguments->seconds);
    if (arguments->elements && (code = read_sizes(bench, arguments->elements)) != EX_OK)
        return code;
    if (arguments->side)
        code = cmd_side_parse(&bench->side, "side", arguments->side, &none);
    else if (arguments->kernels)
        bench->side.problem.kernels = "edgewise";
    if (code == EX_OK && arguments->devices && !arguments->parts)
        return cli_fail(EX_USAGE, "--devices is for the GPUs of parts, and there is no --parts; for one GPU, take "
                                  "--side cuda,device=N.");
    return code == EX_OK && arguments->parts ? cmd_bench_read_parts(bench) : code;
}

/* The sizes for a GPU would take minutes on a CPU. */
static void choose_sizes(struct bench *bench, const char *backend)
{
    bool gpu = ew_backend_has_devices(backend);
    if (bench->sizes > 0)
        return;
    if (bench->arguments->kernels)
        read_sizes(bench, gpu ? "1000000" : "30000");
    else
        read_sizes(bench, gpu ? "10000,100000,1000000,4000000" : "10000,100000");
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void print_rate(struct bench *bench, const struct cmd_bench_rate *rate)
{
    bench->exceeded = bench->exceeded || cmd_bench_exceeds(&bench->limits, rate);
    if (bench->arguments->common.json)
        cmd_bench_put_rate(&bench->json, &bench->limits, rate, bench->arguments->kernels);
    else if (bench->arguments->kernels)
        cmd_bench_print_profile(&bench->limits, rate);
    else
        cmd_bench_print_rate(rate);
}

static int measure_orders(struct bench *bench, int64_t size)
{
    struct cmd_flow flow;
    struct cmd_bench_rate *rate = cli_allocate(EW_MAX_ORDER * sizeof *rate);
    int rates = 0, status = cmd_flow_wave(&bench->side.problem, size, &flow, &bench->error);
    bool table = !bench->arguments->common.json && !bench->arguments->kernels;
    if (table && status == EW_OK)
        printf("  %10lld", (long long)flow.elements);
    for (int order = bench->first_order; order <= bench->last_order && status == EW_OK; order++) {
        cmd_bench_prepare(bench, &flow, order);
        status = cmd_bench_measure(bench, &flow, &rate[rates], &bench->error);
        if (status == EW_OK)
            print_rate(bench, &rate[rates++]);
    }
    if (table)
        putchar('\n');
    for (int k = 0; k < rates && table; k++)
        if (rate[k].skipped[0])
            printf("             p = %d: %s\n", rate[k].order, rate[k].skipped);
    if (status == EW_OK && bench->arguments->kernels && !bench->arguments->common.json)
        cmd_bench_print_shares(rate, rates);
    free(rate);
    cmd_flow_destroy(&flow);
    return status;
}

/* Measures the same flow without and with the limiter, at order 1. */
static int measure_limiter(struct bench *bench, int64_t size)
{
    struct cmd_flow flow;
    struct cmd_bench_rate rate[2];
    int status = cmd_flow_wave(&bench->side.problem, size, &flow, &bench->error);
    for (int limited = 0; limited < 2 && status == EW_OK; limited++) {
        cmd_bench_prepare(bench, &flow, 1);
        flow.problem.limiter = limited ? "barth-jespersen" : "none";
        status = cmd_bench_measure(bench, &flow, &rate[limited], &bench->error);
    }
    double cost = status == EW_OK ? rate[1].seconds / rate[0].seconds - 1 : NAN;
    if (status == EW_OK && bench->arguments->common.json) {
        cli_json_open(&bench->json, NULL, '{');
        cli_json_integer(&bench->json, "elements", flow.elements);
        cli_json_number(&bench->json, "without_seconds_per_step", rate[0].seconds);
        cli_json_number(&bench->json, "with_seconds_per_step", rate[1].seconds);
        cli_json_number(&bench->json, "cost", cost);
        cli_json_close(&bench->json, '}');
    } else if (status == EW_OK && isnan(cost)) {
        printf("  %10lld  not measured: %s\n", (long long)flow.elements, rate[rate[0].skipped[0] ? 0 : 1].skipped);
    } else if (status == EW_OK) {
        printf("  %10lld  %14.4f  %14.4f  %+6.1f %%\n", (long long)flow.elements, 1e3 * rate[0].seconds,
               1e3 * rate[1].seconds, 100 * cost);
        fflush(stdout);
    }
    cmd_flow_destroy(&flow);
    return status;
}

static int measure_double_mach(struct bench *bench, int64_t size)
{
    struct cmd_flow flow;
    struct cmd_bench_rate rate;
    int status = cmd_flow_double_mach(&bench->side.problem, size, &flow, &bench->error);
    if (status == EW_OK)
        status = cmd_bench_measure(bench, &flow, &rate, &bench->error);
    double steps = status == EW_OK ? ceil(0.2 / rate.dt) : NAN;
    if (status == EW_OK && bench->arguments->common.json) {
        cli_json_open(&bench->json, NULL, '{');
        cli_json_integer(&bench->json, "elements", flow.elements);
        cli_json_number(&bench->json, "seconds_per_step", rate.seconds);
        cli_json_number(&bench->json, "gdof_stage_per_s", rate.gdof_stage_per_s);
        cli_json_number(&bench->json, "first_dt", rate.dt);
        cli_json_number(&bench->json, "steps_estimate", steps);
        cli_json_number(&bench->json, "seconds_estimate", steps * rate.seconds);
        cli_json_close(&bench->json, '}');
    } else if (status == EW_OK && rate.skipped[0]) {
        printf("  %10lld  not measured: %s\n", (long long)flow.elements, rate.skipped);
    } else if (status == EW_OK) {
        char duration[32];
        printf("  %10lld  %14.4f  %14.4f  %8.0f steps, %s\n", (long long)flow.elements, 1e3 * rate.seconds,
               rate.gdof_stage_per_s, steps, cli_duration(steps * rate.seconds, duration, sizeof duration));
        fflush(stdout);
    }
    cmd_flow_destroy(&flow);
    return status;
}

/* Measures rows for each size and writes them to their array or below their head. */
static int measure_sizes(struct bench *bench, const char *head, int (*table)(struct bench *bench, int64_t size))
{
    int status = EW_OK;
    for (; bench->arguments->common.json && bench->parts > 0 && bench->tables < TABLES - 1; bench->tables++)
        cli_json_null(&bench->json, tables[bench->tables]); /* only the last table is measured */
    if (bench->arguments->common.json)
        cli_json_open(&bench->json, tables[bench->tables], '[');
    else if (head)
        printf("\n%s", head);
    else if (!bench->arguments->kernels && bench->parts == 0)
        cmd_bench_print_rates_head(bench->first_order, bench->last_order);
    bench->tables++;
    for (int k = 0; k < bench->sizes && status == EW_OK; k++)
        status = table(bench, bench->size[k]);
    if (bench->arguments->common.json)
        cli_json_close(&bench->json, ']');
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Makes a small solver to find out backend, kernels and device, or why there is none. */
static int ask_backend(struct bench *bench, ew_solver_info *info)
{
    struct cmd_flow flow;
    ew_solver *solver = NULL;
    int64_t size = bench->parts > 0 ? 100000 : 8; /* with parts, enough for all threads, which the head shows */
    int status = cmd_flow_wave(&bench->side.problem, size, &flow, &bench->error);
    if (status == EW_OK) {
        cmd_bench_prepare(bench, &flow, bench->first_order);
        status = ew_solver_create(&cli_host, flow.mesh, &flow.problem, &solver, &bench->error);
    }
    if (status == EW_OK)
        ew_solver_get_info(solver, info);
    ew_solver_destroy(solver);
    cmd_flow_destroy(&flow);
    bench->side.problem.backend = status == EW_OK ? info->backend : NULL;
    return status;
}

static int measure_all(struct bench *bench)
{
    if (bench->parts > 0)
        return measure_sizes(bench, NULL, cmd_bench_scaling);
    int status = measure_sizes(bench, NULL, measure_orders);
    if (bench->arguments->kernels || bench->first_order > 1)
        return status; /* all other tables use order 1 */
    if (status == EW_OK)
        status = measure_sizes(bench, "  p = 1: ms per step without and with the limiter, and its cost\n",
                               measure_limiter);
    if (status == EW_OK)
        status = measure_sizes(bench,
                               "  double Mach reflection, p = 1, rk2, limited: ms per step, GDOF-stage/s, and an "
                               "estimate to t = 0.2\n",
                               measure_double_mach);
    return status;
}

/* A backend that cannot measure its machine still has rates. */
static int measure_limits(struct bench *bench, const ew_solver_info *info)
{
    int status = ew_measure_limits(NULL, &bench->side.problem, &bench->limits, &bench->error);
    if (status != EW_EUNAVAILABLE)
        return status;
    bench->limits = (ew_limits){.copy_bytes_per_s = NAN, .flops_per_s = NAN, .tensor_flops_per_s = NAN};
    snprintf(bench->limits.device, sizeof bench->limits.device, "%s", info->device);
    return EW_OK;
}

/* The keys are always the same, even if nothing was measured. */
static void put_head(struct bench *bench, const ew_solver_info *info, bool measured)
{
    bench->json = cli_json_begin(stdout);
    cli_json_text(&bench->json, "version", ew_version());
    cli_json_text(&bench->json, "backend", info->backend);
    cli_json_text(&bench->json, "device", !measured ? NULL : bench->parts > 0 ? info->device : bench->limits.device);
    cli_json_text(&bench->json, "flux", info->flux);
    cli_json_text(&bench->json, "scheme", info->scheme);
}

static void put_tail(struct bench *bench, bool measured)
{
    for (int k = bench->tables; k < TABLES; k++)
        cli_json_null(&bench->json, tables[k]);
    if (measured && bench->parts == 0)
        cmd_bench_put_limits(&bench->json, &bench->limits);
    else
        cli_json_null(&bench->json, "limits");
}

/* A rank other than 0. Rank 0 reports errors, also by its exit code. */
static int follow(struct bench *bench)
{
    ew_solver_info info;
    int status = ask_backend(bench, &info);
    if (status == EW_OK)
        choose_sizes(bench, info.backend);
    for (int k = 0; k < bench->sizes && status == EW_OK; k++)
        status = cmd_bench_scaling(bench, bench->size[k]);
    return EX_OK;
}

static int bench_loop(struct bench *bench)
{
    ew_solver_info info = {0};
    int status = ask_backend(bench, &info);
    if (status == EW_OK)
        choose_sizes(bench, info.backend);
    if (status == EW_OK && bench->parts == 0)
        status = measure_limits(bench, &info);
    if (bench->arguments->common.json)
        put_head(bench, &info, status == EW_OK);
    else if (status == EW_OK && bench->parts > 0)
        cmd_bench_print_parts_head(bench, &info);
    else if (status == EW_OK)
        cmd_bench_print_head(&bench->limits, &info);
    bool measured = status == EW_OK;
    if (measured)
        status = measure_all(bench);
    if (measured && !bench->arguments->common.json)
        cmd_bench_print_tail(bench->again ? &bench->limits : NULL, bench->exceeded);
    if (bench->arguments->common.json) {
        put_tail(bench, measured);
        cli_json_text(&bench->json, "error", status == EW_OK ? NULL : bench->error.message);
        cli_json_end(&bench->json);
    }
    if (status != EW_OK)
        cli_error("%s", bench->error.message);
    return cli_exit_code(status, EX_IOERR);
}

static int run_bench(struct cli_arguments *arguments)
{
    struct bench bench = {.arguments = (const struct bench_arguments *)arguments, .seconds = 0.5, .first_order = 1,
                          .last_order = EW_MAX_ORDER};
    int code = bench.arguments->parts ? EX_OK
                                      : cmd_refuse_ranks("disturb what the others measure, unless --parts makes them "
                                                         "the parts of one case");
    code = code ? code : read_arguments(&bench);
    if (code == EX_OK)
        code = bench.comm && ew_comm_rank(bench.comm) > 0 ? follow(&bench) : bench_loop(&bench);
    ew_comm_destroy(bench.comm);
    free(bench.side.words);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct bench_arguments

static const struct cli_option options[] = {
    CLI_FLAG_OPTION("kernels", kernels, "print time, traffic and arithmetic of each kernel instead of rates"),
    CLI_TEXT_OPTION("side", "SIDE", side, "the side to measure, as for compare; the default is the best backend"),
    CLI_TEXT_OPTION("parts", "N[,N...]", parts,
                    "strong and weak scaling: divide the mesh among so many threads, or ranks of mpirun"),
    CLI_TEXT_OPTION("devices", "all|K,...", devices, "GPUs of the parts, in turn, by their numbers"),
    CLI_TEXT_OPTION("elements", "N[,N...]", elements, "numbers of triangles of the meshes"),
    CLI_WHOLE_OPTION("order", "P", order, 1, EW_MAX_ORDER,
                     "measure only this polynomial degree; the default is 1 to 5"),
    CLI_TEXT_OPTION("flux", "NAME", flux, "numerical flux; the default is llf"),
    CLI_TEXT_OPTION("seconds", "S", seconds,
                    "length of a round; the best of three counts; the default is 0.5"),
    CLI_JSON_OPTION("print one JSON object instead of the tables"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_bench = {
    .name = "bench",
    .summary = "Measure the speed of this machine and compare it with the machine's limits",
    .text = "Needs no case and writes no files. The machine should be idle.",
    .options = options,
    .size = sizeof(struct bench_arguments),
    .run = run_bench,
};
