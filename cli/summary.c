/* SPDX-License-Identifier: BSD-2-Clause */
/* The summary of a run, for people and as JSON. */
#include "cases.h"

#include <math.h>
#include <string.h>

enum { HASH_DIGITS = 17 };
#define NOTABLY_MORE 1.1 /* evaluations, with steps that frames cut and the first, shorter ones */

static const char *hash_text(uint64_t hash, char *text)
{
    snprintf(text, HASH_DIGITS, "%016llx", (unsigned long long)hash);
    return text;
}

const char *cli_stop_in_words(const char *stop, bool both)
{
    static const struct {
        const char *stop, *words, *both;
    } table[] = {
        {"end", "the final time is reached", "both reached the final time"},
        {"steady", "the state is steady", "both became steady"},
        {"steps", "the number of steps is reached", "both took the requested number of steps"},
        {"interrupted", "interrupted by a signal", "interrupted by a signal"},
        {"failed", "failed", "both failed in the same way"},
        {"one-sided", "one-sided", "only one of them stopped"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].stop, stop) == 0)
            return both ? table[k].both : table[k].words;
    return stop;
}

/* `residual` is NULL if none was evaluated. */
static void print_norms(const ew_law *law, const ew_norms *norms, const double *residual)
{
    printf("\n  %-10s %24s", "", "total");
    if (norms->has_errors)
        printf(" %16s %16s", "L2 error", "Linf error");
    printf("%s\n", residual ? "         residual" : "");
    for (int m = 0; m < law->variables; m++) {
        printf("  %-10s %24.16e", law->conserved[m], norms->total[m]);
        if (norms->has_errors)
            printf(" %16.8e %16.8e", norms->error_l2[m], norms->error_linf[m]);
        if (residual)
            printf(" %16.8e", residual[m]);
        putchar('\n');
    }
    printf("\n  %-10s %24s %24s\n", "", "min", "max");
    for (int m = 0; m < law->variables; m++)
        printf("  %-10s %24.16e %24.16e\n", law->primitive[m], norms->min[m], norms->max[m]);
}

static void print_forces(const ew_case_info *info, const ew_law *law, const ew_force *force)
{
    for (int k = 0; k < info->plan.bodies; k++) {
        printf("%s  force      %s: (%.9g, %.9g), drag coefficient %.9g, lift coefficient %.9g\n"
               "             moment %.9g, moment coefficient %.9g\n", k == 0 ? "\n" : "", info->plan.body[k].name,
               force[k].force[0], force[k].force[1], force[k].drag, force[k].lift, force[k].moment,
               force[k].moment_coefficient);
        if (law->viscous)
            printf("             pressure drag %.9g, friction drag %.9g, pressure lift %.9g, friction lift %.9g, "
                   "heat %.9g\n", force[k].drag_pressure, force[k].drag_friction, force[k].lift_pressure,
                   force[k].lift_friction, force[k].heat);
    }
}

static void print_output(const struct cli_summary *summary)
{
    bool resumable = summary->run.end == EW_RUN_STOPPED && summary->run.restarts > 0;
    for (size_t k = 0; k < summary->run.restarts; k++)
        printf("  restart    %s\n", summary->run.restart[k]);
    if (summary->run.series)
        printf("  series     %s\n", summary->run.series);
    if (!summary->run.fields) {
        printf("  output     none requested\n");
        return;
    }
    printf("  output     %s, %lld frame%s\n", summary->run.fields, (long long)summary->run.frames,
           summary->run.frames == 1 ? "" : "s");
    if (resumable)
        printf("  resume     edgewise run --restart auto %s   (with the other options of this run)\n",
               summary->case_path);
    printf("  next       edgewise plot %s   (or ParaView, or Python: xarray.open_dataset(\"%s\"))\n",
           summary->run.fields, summary->run.fields);
}

const char *cli_title_of(const ew_case_info *info)
{
    return info->plan.title && info->plan.title[0] ? info->plan.title : info->plan.name;
}

void cli_print_case(const ew_case_info *info, const ew_mesh_info *mesh)
{
    printf("%s\n", cli_title_of(info));
    printf("  mesh       %s: %lld elements, %lld edges\n", info->plan.mesh, (long long)mesh->elements,
           (long long)mesh->edges);
}

static const char *reason_for_one_level(int asked)
{
    return asked == 1                     ? "time.levels is 1"
           : asked == EW_STEP_LEVELS_AUTO ? "more would save too few evaluations"
                                          : "no triangle is twice as wide as the smallest one";
}

static void print_levels(const ew_solver_info *solver, const ew_run_levels *levels)
{
    if (solver->step_levels == 1) {
        printf("  levels     1 level of time steps: %s\n", reason_for_one_level(solver->levels_asked));
        return;
    }
    printf("  levels     %d levels of time steps; elements from the shortest steps on:", solver->step_levels);
    for (int k = 0; k < solver->step_levels; k++)
        printf(" %lld", (long long)solver->level_elements[k]);
    double work = solver->level_work * solver->level_shortening[solver->step_levels - 1];
    printf("; %.3g of the evaluations of one level", work);
    if (levels && levels->work > NOTABLY_MORE * work)
        printf(" in whole steps, and %.3g in this run", levels->work);
    putchar('\n');
}

void cli_print_scheme(const ew_solver_info *solver, const ew_mesh_info *mesh, const ew_run_levels *levels)
{
    printf("  scheme     %s, order %d, flux %s, limiter %s%s%s, %s, CFL %.4g, %.0f unknowns\n", solver->law->name,
           solver->order, solver->flux, solver->limiter, solver->positivity ? ", positivity" : "",
           solver->source ? ", with sources" : "", solver->scheme, solver->cfl,
           (double)mesh->elements * solver->basis * solver->law->variables);
    if (solver->local_step)
        printf("  steps      local: each triangle's by itself; t and dt are those of the smallest one\n");
    if (solver->levels_asked != 0)
        print_levels(solver, levels);
    if (solver->curve_share < 1)
        printf("             at curved walls, %.3g of the usual CFL is stable\n", solver->curve_share);
}

void cli_print_backend(const ew_solver_info *solver)
{
    printf("  backend    %s, %s kernels (%s)\n", solver->backend, solver->kernels, solver->device);
    if (solver->choice[0])
        printf("             %s\n", solver->choice);
    if (solver->parts > 1)
        printf("  parts      %d, with %lld cut edges; the largest%s is %.2g %% larger than the mean\n", solver->parts,
               (long long)solver->cut_edges, solver->step_levels > 1 ? " work" : "", 100 * solver->imbalance);
}

void cli_summary_print(const struct cli_summary *summary)
{
    const ew_solver_info *solver = summary->solver;
    char hash[HASH_DIGITS];
    cli_print_case(summary->case_info, summary->mesh);
    cli_print_scheme(solver, summary->mesh, &summary->levels);
    cli_print_backend(solver);
    if (summary->run.resumed)
        printf("  resumed    from %s\n", summary->run.resumed);
    printf("  stopped    at t = %.9g after %lld steps: %s\n", summary->run.time, (long long)summary->run.steps,
           cli_stop_in_words(summary->stop, false));
    if (summary->run.has_last && solver->steady_orders > 0 && isfinite(summary->run.orders_fallen))
        printf("  steady     rates of change have fallen by %.2f of %g orders of magnitude\n",
               summary->run.orders_fallen, solver->steady_orders);
    printf("  wall       %.3f s of set-up, %.3f s of time stepping, %.4g GDOF-stage/s, %.3f s of waiting for output; "
           "%.3f s in all\n",
           summary->run.setup_seconds, summary->run.seconds, isnan(summary->run.rate) ? 0.0 : 1e-9 * summary->run.rate,
           summary->run.output_seconds, summary->total_seconds);
    if (summary->run.has_last) {
        print_norms(solver->law, &summary->run.norms, summary->run.has_residual ? summary->run.residual : NULL);
        print_forces(summary->case_info, solver->law, summary->run.force);
    }
    printf("\n");
    if (summary->run.has_last)
        printf("  state      %s\n", hash_text(summary->run.hash, hash));
    print_output(summary);
}

void cli_json_scheme(struct cli_json *json, const ew_solver_info *solver)
{
    cli_json_text(json, "law", solver->law->name);
    cli_json_integer(json, "order", solver->order);
    cli_json_text(json, "flux", solver->flux);
    cli_json_text(json, "limiter", solver->limiter);
    cli_json_bool(json, "positivity", solver->positivity);
    cli_json_bool(json, "source", solver->source);
    cli_json_text(json, "scheme", solver->scheme);
}

void cli_json_backend(struct cli_json *json, const ew_solver_info *solver)
{
    cli_json_text(json, "backend", solver ? solver->backend : NULL);
    cli_json_text(json, "kernels", solver ? solver->kernels : NULL);
    cli_json_text(json, "device", solver ? solver->device : NULL);
}

static void put_norms(struct cli_json *json, const ew_law *law, const ew_norms *norms)
{
    int count = law ? law->variables : 0;
    bool errors = norms && norms->has_errors;
    cli_json_variables(json, "error_l2", count, law ? law->conserved : NULL, errors ? norms->error_l2 : NULL);
    cli_json_variables(json, "error_linf", count, law ? law->conserved : NULL, errors ? norms->error_linf : NULL);
    cli_json_variables(json, "total", count, law ? law->conserved : NULL, norms ? norms->total : NULL);
    cli_json_variables(json, "min", count, law ? law->primitive : NULL, norms ? norms->min : NULL);
    cli_json_variables(json, "max", count, law ? law->primitive : NULL, norms ? norms->max : NULL);
}

/* Writes null if nothing is known. */
static void put_forces(struct cli_json *json, const ew_case_info *info, const ew_law *law, const ew_force *force)
{
    if (!info || !force) {
        cli_json_null(json, "forces");
        return;
    }
    const char *number;
    double value;
    cli_json_open(json, "forces", '{');
    for (int k = 0; k < info->plan.bodies; k++) {
        cli_json_open(json, info->plan.body[k].name, '{');
        for (int n = 0; (number = ew_force_number(law, &force[k], n, &value)); n++)
            cli_json_number(json, number, value);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

/* The keys are always the same; null means unknown. */
void cli_summary_put_json(struct cli_json *json, const struct cli_summary *summary)
{
    const ew_solver_info *solver = summary->solver;
    const ew_mesh_info *mesh = summary->mesh;
    char hash[HASH_DIGITS];
    cli_json_text(json, "case", summary->case_path);
    cli_json_backend(json, solver);
    cli_json_text(json, "law", solver ? solver->law->name : NULL);
    cli_json_number(json, "order", solver ? (double)solver->order : NAN);
    cli_json_number(json, "elements", mesh ? (double)mesh->elements : NAN);
    cli_json_number(json, "edges", mesh ? (double)mesh->edges : NAN);
    cli_json_number(json, "parts", solver ? (double)solver->parts : NAN);
    cli_json_number(json, "cut_edges", solver ? (double)solver->cut_edges : NAN);
    cli_json_number(json, "imbalance", solver ? solver->imbalance : NAN);
    cli_json_number(json, "time", summary->run.time);
    cli_json_number(json, "steps", solver ? (double)summary->run.steps : NAN);
    cli_json_text(json, "stop", summary->stop);
    cli_json_text(json, "error", summary->error);
    cli_json_number(json, "dt_last", summary->dt);
    cli_json_number(json, "setup_s", summary->run.setup_seconds);
    cli_json_number(json, "wall_s", summary->run.seconds);
    cli_json_number(json, "output_s", summary->run.output_seconds);
    cli_json_number(json, "closing_s", summary->run.closing_seconds);
    cli_json_number(json, "gdof_stage_per_s", 1e-9 * summary->run.rate);
    put_norms(json, solver ? solver->law : NULL, summary->run.has_last ? &summary->run.norms : NULL);
    cli_json_variables(json, "residual", solver ? solver->law->variables : 0, solver ? solver->law->conserved : NULL,
                       summary->run.has_residual ? summary->run.residual : NULL);
    cli_json_number(json, "orders_fallen", summary->run.has_residual ? summary->run.orders_fallen : NAN);
    put_forces(json, summary->case_info, solver ? solver->law : NULL,
               summary->run.has_last ? summary->run.force : NULL);
    cli_json_text(json, "state_hash", summary->run.has_last ? hash_text(summary->run.hash, hash) : NULL);
    cli_json_text(json, "resumed_from", summary->run.resumed);
    cli_json_open(json, "outputs", '[');
    if (summary->run.fields)
        cli_json_text(json, NULL, summary->run.fields);
    if (summary->run.series)
        cli_json_text(json, NULL, summary->run.series);
    for (size_t k = 0; k < summary->run.restarts; k++)
        cli_json_text(json, NULL, summary->run.restart[k]);
    cli_json_close(json, ']');
}

void cli_summary_print_json(const struct cli_summary *summary)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_summary_put_json(&json, summary);
    cli_json_end(&json);
}
