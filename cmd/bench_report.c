/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints measurements as tables or as parts of one JSON object. */
#include "bench.h"

#include <math.h>
#include <string.h>

static double all_flops(const ew_limits *limits)
{
    return fmax(limits->flops_per_s, limits->tensor_flops_per_s);
}

/* The shortest time that the limits allow: the sum over kernels of the longer of memory and arithmetic time. */
static double least_seconds(const ew_limits *limits, const ew_kernel_profile *profile, int profiles)
{
    double least = 0, flops = all_flops(limits);
    for (int k = 0; k < profiles; k++) {
        double moved = profile[k].bytes / limits->copy_bytes_per_s, computed = profile[k].flops / flops;
        double slower = fmax(moved, computed); /* either may be unknown */
        least += isnan(slower) ? 0 : slower;
    }
    return least;
}

double cmd_bench_bound(const ew_limits *limits, const struct cmd_bench_rate *rate)
{
    double unknowns = (double)rate->elements * rate->info.basis * rate->info.law->variables * rate->info.stages;
    if (isnan(limits->copy_bytes_per_s) || rate->profiles == 0)
        return NAN;
    return unknowns * (double)rate->steps / least_seconds(limits, rate->profile, rate->profiles) / 1e9;
}

bool cmd_bench_exceeds(const ew_limits *limits, const struct cmd_bench_rate *rate)
{
    bool exceeds = !rate->skipped[0] && rate->gdof_stage_per_s > cmd_bench_bound(limits, rate);
    for (int k = 0; k < rate->profiles; k++)
        exceeds = exceeds || rate->profile[k].bytes > rate->profile[k].seconds * limits->copy_bytes_per_s ||
                  rate->profile[k].flops > rate->profile[k].seconds * all_flops(limits);
    return exceeds;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void print_limits(const ew_limits *limits)
{
    if (isnan(limits->copy_bytes_per_s))
        printf("  limits     the backend cannot measure them");
    else
        printf("  limits     copying %.4g GB/s (read and written), fma %.4g GFLOP/s", limits->copy_bytes_per_s / 1e9,
               limits->flops_per_s / 1e9);
    if (!isnan(limits->tensor_flops_per_s))
        printf(", matrix units %.4g GFLOP/s", limits->tensor_flops_per_s / 1e9);
}

/* " 45 %", or "*" above 100 %, which cmd_bench_print_tail explains. */
static void print_share(double share)
{
    if (share > 1)
        printf("  *  ");
    else
        printf("%3.0f %%", 100 * share);
}

void cmd_bench_print_tail(const ew_limits *limits, bool exceeded)
{
    if (limits) {
        putchar('\n');
        print_limits(limits);
        printf(": measured again; the larger values count\n");
    }
    if (exceeded)
        printf("  *          above the limits: the data are in caches, or other programs disturbed the "
               "measurement\n");
}

void cmd_bench_print_head(const ew_limits *limits, const ew_solver_info *info)
{
    printf("edgewise %s: %s, %s kernels (%s)\n", ew_version(), info->backend, info->kernels, limits->device);
    print_limits(limits);
    printf("\n  flow       a smooth wave in a periodic, jittered square: Euler, %s, %s\n", info->flux, info->scheme);
    fflush(stdout);
}

void cmd_bench_print_rates_head(int first_order, int last_order)
{
    printf("\n  GDOF-stage/s, and the share of what the limits allow\n  %10s", "elements");
    for (int order = first_order; order <= last_order; order++)
        printf("  %7s p = %d", "", order);
    putchar('\n');
    fflush(stdout);
}

void cmd_bench_print_rate(const struct cmd_bench_rate *rate)
{
    if (rate->skipped[0])
        printf("  %13s", "-");
    else
        printf("  %7.4f ", rate->gdof_stage_per_s);
    if (!rate->skipped[0] && isnan(rate->bound))
        printf("     ");
    else if (!rate->skipped[0])
        print_share(rate->gdof_stage_per_s / rate->bound);
    fflush(stdout);
}

static double total_seconds(const struct cmd_bench_rate *rate)
{
    double seconds = 0;
    for (int k = 0; k < rate->profiles; k++)
        seconds += rate->profile[k].seconds;
    return seconds;
}

/* "12.3  45 %", or blanks if unknown. */
static void print_use(double amount, double seconds, double limit)
{
    if (isnan(amount))
        printf("  %8s %5s", "-", "");
    else if (isnan(limit))
        printf("  %8.3f %5s", amount / seconds / 1e9, "");
    else {
        printf("  %8.3f ", amount / seconds / 1e9);
        print_share(amount / seconds / limit);
    }
}

static void print_device(const ew_kernel_profile *profile)
{
    if (!isnan(profile->occupancy))
        printf("  %3.0f %%", 100 * profile->occupancy);
    if (profile->registers >= 0)
        printf("  %4d registers", profile->registers);
    if (profile->local_bytes >= 0)
        printf("  %5d bytes local", profile->local_bytes);
}

/* Prints the sum of all kernels whose work is counted, as in the paper's figure of bandwidth and throughput. */
static void print_net(const ew_limits *limits, const struct cmd_bench_rate *rate)
{
    double bytes = 0, flops = 0, total = total_seconds(rate);
    for (int k = 0; k < rate->profiles; k++) {
        bytes += isnan(rate->profile[k].bytes) ? 0 : rate->profile[k].bytes;
        flops += isnan(rate->profile[k].flops) ? 0 : rate->profile[k].flops;
    }
    printf("    %-13s %5s %10.4f %4d %%", "net", "", 1e3 * total / (double)rate->steps, 100);
    print_use(bytes, total, limits->copy_bytes_per_s);
    print_use(flops, total, all_flops(limits));
    putchar('\n');
}

void cmd_bench_print_profile(const ew_limits *limits, const struct cmd_bench_rate *rate)
{
    printf("\n  p = %d, %lld elements", rate->order, (long long)rate->elements);
    if (rate->skipped[0]) {
        printf(": not measured: %s\n", rate->skipped);
        return;
    }
    double total = total_seconds(rate), steps = (double)rate->steps, flops = all_flops(limits);
    printf(", %s kernels: %.4g ms per step, %.4g ms kernel by kernel\n", rate->info.kernels, 1e3 * rate->seconds,
           1e3 * total / steps);
    printf("    %-13s %5s %10s %6s %9s %5s %10s %5s\n", "kernel", "calls", "ms a step", "share", "GB/s", "", "GFLOP/s",
           "");
    for (int k = 0; k < rate->profiles; k++) {
        const ew_kernel_profile *profile = &rate->profile[k];
        printf("    %-13s %5.0f %10.4f %4.0f %%", profile->name, (double)profile->calls / steps,
               1e3 * profile->seconds / steps, 100 * profile->seconds / total);
        print_use(profile->bytes, profile->seconds, limits->copy_bytes_per_s);
        print_use(profile->flops, profile->seconds, flops);
        print_device(profile);
        putchar('\n');
    }
    print_net(limits, rate);
    fflush(stdout);
}

static double share_of(const struct cmd_bench_rate *rate, const char *kernel)
{
    for (int k = 0; k < rate->profiles; k++)
        if (strcmp(rate->profile[k].name, kernel) == 0)
            return rate->profile[k].seconds / total_seconds(rate);
    return 0;
}

void cmd_bench_print_shares(const struct cmd_bench_rate *rate, int rates)
{
    const struct cmd_bench_rate *first = rate;
    while (first < rate + rates && first->profiles == 0)
        first++;
    if (first == rate + rates)
        return;
    printf("\n  share of a step in %%, %lld elements\n    %-13s", (long long)first->elements, "kernel");
    for (int r = 0; r < rates; r++)
        printf("  p = %d", rate[r].order);
    for (int k = 0; k < first->profiles; k++) {
        printf("\n    %-13s", first->profile[k].name);
        for (int r = 0; r < rates; r++)
            printf("  %5.1f", 100 * share_of(&rate[r], first->profile[k].name));
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

void cmd_bench_put_limits(struct cli_json *json, const ew_limits *limits)
{
    cli_json_open(json, "limits", '{');
    cli_json_number(json, "copy_bytes_per_s", limits->copy_bytes_per_s);
    cli_json_number(json, "flops_per_s", limits->flops_per_s);
    cli_json_number(json, "tensor_flops_per_s", limits->tensor_flops_per_s);
    cli_json_close(json, '}');
}

/* A speed above the limits has no meaningful share. */
static double share_or_none(double share)
{
    return share > 1 ? NAN : share;
}

static void put_kernel(struct cli_json *json, const ew_limits *limits, const struct cmd_bench_rate *rate,
                       const ew_kernel_profile *profile)
{
    double steps = (double)rate->steps;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", profile->name);
    cli_json_number(json, "calls_per_step", (double)profile->calls / steps);
    cli_json_number(json, "seconds_per_step", profile->seconds / steps);
    cli_json_number(json, "share", profile->seconds / total_seconds(rate));
    cli_json_number(json, "bytes_per_call", profile->bytes / (double)profile->calls);
    cli_json_number(json, "flops_per_call", profile->flops / (double)profile->calls);
    cli_json_number(json, "bytes_per_s", profile->bytes / profile->seconds);
    cli_json_number(json, "flops_per_s", profile->flops / profile->seconds);
    cli_json_number(json, "share_of_copy", share_or_none(profile->bytes / profile->seconds / limits->copy_bytes_per_s));
    cli_json_number(json, "share_of_flops", share_or_none(profile->flops / profile->seconds / all_flops(limits)));
    cli_json_number(json, "occupancy", profile->occupancy);
    cli_json_number(json, "registers", profile->registers >= 0 ? profile->registers : NAN);
    cli_json_number(json, "local_bytes", profile->local_bytes >= 0 ? profile->local_bytes : NAN);
    cli_json_close(json, '}');
}

void cmd_bench_put_rate(struct cli_json *json, const ew_limits *limits, const struct cmd_bench_rate *rate, bool kernels)
{
    bool measured = !rate->skipped[0];
    cli_json_open(json, NULL, '{');
    cli_json_integer(json, "elements", rate->elements);
    cli_json_integer(json, "order", rate->order);
    cli_json_text(json, "kernels", measured ? rate->info.kernels : NULL);
    cli_json_number(json, "seconds_per_step", rate->seconds);
    cli_json_number(json, "gdof_stage_per_s", rate->gdof_stage_per_s);
    cli_json_number(json, "bound_gdof_stage_per_s", rate->bound);
    cli_json_number(json, "share", share_or_none(rate->gdof_stage_per_s / rate->bound));
    cli_json_text(json, "skipped", measured ? NULL : rate->skipped);
    if (kernels) {
        cli_json_open(json, "profile", '[');
        for (int k = 0; k < rate->profiles; k++)
            put_kernel(json, limits, rate, &rate->profile[k]);
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}
