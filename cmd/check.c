/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise check: prints the findings of cli/case_check.c. */
#include "case_check.h"
#include "cmd.h"

#include <math.h>
#include <string.h>
#include <sysexits.h>

struct check_arguments {
    struct cli_arguments common;
    const char *member;
    bool all, untimed;
};

/* The cost of a member's run. Unknown numbers are NaN. */
struct estimate {
    bool wrong;
    int64_t elements;
    double steps, step_seconds;
};

/* The members of a case with a sweep; zeros for other cases. */
struct members {
    struct estimate *estimate; /* [info.members] with --all, or NULL */
    ew_sweep *sweep;
    ew_sweep_info info;
    int64_t wrong; /* number of wrong members so far */
    int code;      /* of the reported member, or of the case */
    struct cli_report told; /* sentences about the other members */
};

static const char *curve_of(const ew_boundary *boundary)
{
    if (!boundary || (strcmp(boundary->kind, "wall") != 0 && strcmp(boundary->kind, "no-slip") != 0))
        return NULL;
    if (boundary->curve)
        return boundary->curve->kind == EW_CURVE_SPLINE ? "spline" : "formula";
    return boundary->normal.formula || boundary->normal.callback ? "normal" : "straight";
}

static bool has_spline(const ew_boundary *boundary)
{
    return boundary && boundary->curve && boundary->curve->kind == EW_CURVE_SPLINE;
}

static ew_spline_info spline_of(const struct case_check *check, int32_t k, const ew_boundary *boundary)
{
    ew_spline_info spline = {0};
    if (!check->case_info.coarser)
        ew_mesh_spline(check->mesh, k, has_spline(boundary) ? boundary->curve->corner : 0, &spline, NULL);
    return spline;
}

static int shown_corners(const ew_spline_info *spline)
{
    return spline->corners < EW_CORNERS ? (int)spline->corners : EW_CORNERS;
}

static void print_corners(const ew_spline_info *spline)
{
    printf(", a spline with %lld corner%s", (long long)spline->corners, spline->corners == 1 ? "" : "s");
    for (int k = 0; k < shown_corners(spline); k++)
        printf("%s(%.6g, %.6g)", k == 0 ? ": " : ", ", spline->corner[k][0], spline->corner[k][1]);
    printf(spline->corners > EW_CORNERS ? ", ..." : "");
}

static void print_curve(const struct case_check *check, int32_t k, const ew_boundary *boundary)
{
    const ew_spline_info spline = spline_of(check, k, boundary);
    const char *curve = curve_of(boundary);
    bool wanted = has_spline(boundary);
    if (curve && strcmp(curve, "normal") == 0)
        printf(", normals by formulas");
    if (curve && strcmp(curve, "formula") == 0)
        printf(", a curve by formulas");
    if (wanted)
        print_corners(&spline);
    if (wanted && spline.middles > 0)
        printf(", through %lld second-order node%s, too", (long long)spline.middles, spline.middles == 1 ? "" : "s");
    if (curve && !wanted && spline.middles > 0)
        printf(", with nodes in their middles that only curve = \"spline\" uses");
}

static void print_boundaries(const struct case_check *check)
{
    int64_t edges;
    const char *name;
    for (int32_t k = 0; (name = ew_mesh_boundary(check->mesh, k, &edges)) != NULL; k++) {
        const ew_boundary *boundary = cli_boundary_of(check->problem, name);
        printf("  boundary   %s: %s", name, boundary ? boundary->kind : "not given");
        if (!check->case_info.coarser)
            printf(", %lld edge%s", (long long)edges, edges == 1 ? "" : "s");
        print_curve(check, k, boundary);
        if (boundary && boundary->angle > 0)
            printf(", for waves at %g degrees", boundary->angle);
        if (boundary && boundary->sponge_width > 0)
            printf(", with a sponge %g wide", boundary->sponge_width);
        putchar('\n');
    }
}

static void print_mesh(const struct case_check *check)
{
    const ew_mesh_info *mesh = &check->mesh_info;
    printf("  mesh       %s: %lld elements, %lld edges, %lld nodes\n", check->case_info.plan.mesh,
           (long long)mesh->elements, (long long)mesh->edges, (long long)mesh->nodes);
    printf("             x %.9g .. %.9g, y %.9g .. %.9g, area %.9g\n", mesh->xmin, mesh->xmax, mesh->ymin, mesh->ymax,
           mesh->area);
    printf("             inscribed circles: diameter %.4g .. %.4g\n", mesh->smallest_diameter, mesh->largest_diameter);
    if (mesh->reoriented > 0)
        printf("             %lld clockwise triangle%s turned\n", (long long)mesh->reoriented,
               mesh->reoriented == 1 ? " was" : "s were");
    print_boundaries(check);
    if (check->case_info.coarser)
        printf("  checked    on a coarser mesh of %lld elements; the number of steps is an estimate\n",
               (long long)check->made.elements);
}

/* Finds the smallest and the largest value; both are NaN if all values are missing. */
static void find_range(const ew_raster_data *raster, double range[2])
{
    int64_t count = (int64_t)raster->columns * raster->rows * (raster->times > 0 ? raster->times : 1);
    range[0] = range[1] = NAN;
    for (int64_t k = 0; k < count; k++) {
        range[0] = fmin(range[0], raster->values[k]);
        range[1] = fmax(range[1], raster->values[k]);
    }
}

static void print_rasters(const struct case_check *check)
{
    const ew_raster_data *raster;
    const char *name;
    for (int k = 0; (name = ew_case_raster(check->that, k, &raster)); k++) {
        double range[2];
        find_range(raster, range);
        printf("  raster     %s: %d x %d", name, raster->columns, raster->rows);
        if (raster->times > 0)
            printf(", %d time%s %.9g .. %.9g", raster->times, raster->times == 1 ? "" : "s", raster->t[0],
                   raster->t[raster->times - 1]);
        printf(", values %.6g .. %.6g\n", range[0], range[1]);
        printf("             x %.9g .. %.9g, y %.9g .. %.9g\n", raster->x[0], raster->x[raster->columns - 1],
               raster->y[0], raster->y[raster->rows - 1]);
    }
}

static void print_memory(const struct case_check *check)
{
    char mesh[32], solver[32], output[32], available[32];
    double total =
        check->memory.solver + (double)check->mesh_info.bytes + (check->memory.output + check->memory.copies);
    printf("  memory     mesh %s, solver %s, output %s: %.0f bytes",
           ewi_bytes_in_words((double)check->mesh_info.bytes, mesh, sizeof mesh),
           ewi_bytes_in_words(check->memory.solver, solver, sizeof solver),
           ewi_bytes_in_words((check->memory.output + check->memory.copies), output, sizeof output), total);
    if (!isnan(check->memory.available))
        printf("; %s%s available", check->too_large ? "too much: only " : "",
               ewi_bytes_in_words(check->memory.available, available, sizeof available));
    if (check->memory.device > 0)
        printf("; %s on the GPU, and %s for frames if it keeps them",
               ewi_bytes_in_words((double)check->memory.device, solver, sizeof solver),
               ewi_bytes_in_words(check->memory.copy, output, sizeof output));
    putchar('\n');
}

static void print_media(const struct case_check *check)
{
    const ew_law *law = check->solver_info.law;
    for (int k = 0; k < law->fields; k++)
        printf("%s%s %.6g .. %.6g", k == 0 ? "  media      " : ", ", law->field[k], check->medium[k].least,
               check->medium[k].greatest);
    putchar('\n');
}

static bool may_be_steady(const struct case_check *check)
{
    return check->problem->steady > 0 || check->problem->steady_orders > 0;
}

/* Length and number of later steps. The first ones with levels of time steps are shorter. */
static void print_steps(const struct case_check *check)
{
    int levels = check->solver_info.step_levels;
    bool alike = check->sampled_levels == levels;
    if (alike && check->steps <= (double)check->sampled) {
        printf(", and there are %lld steps", (long long)check->sampled);
        return;
    }
    if (alike && check->sampled > 0 && check->sampled + 1 >= levels)
        printf(", step %lld is %.4g", (long long)check->sampled + 1, check->later_dt);
    else if (levels > 1)
        printf(", whole steps are %.4g", check->later_dt);
    if (!isfinite(check->steps))
        return;
    printf(check->steps < 1e15 ? ": about %.0f step%s " : ": about %.3g step%s ", check->steps,
           check->steps == 1 ? "" : "s");
    bool are_cut = check->later_dt * (check->frames - 1) > check->case_info.plan.end - check->problem->time;
    printf(are_cut ? "from frame to frame" : "of that length");
}

/* The warning about short steps says it, too. */
static void print_enough(const ew_solver_info *info, const ew_run_levels *levels)
{
    bool hardly_pays = info->levels_asked > 1 && levels->enough < levels->levels && !levels->is_wasteful;
    if (hardly_pays && levels->enough == 1)
        printf("             time.levels = 1 would take fewer\n");
    else if (hardly_pays)
        printf("             time.levels = %d would take %.3g of the evaluations of one level, with shorter steps\n",
               levels->enough, levels->enough_work);
}

static void print_solver(const struct case_check *check)
{
    const ew_solver_info *info = &check->solver_info;
    if (!check->has_solver) {
        printf("  time       unknown: not enough memory for the solver\n");
        return;
    }
    cli_print_scheme(info, &check->mesh_info, &check->levels);
    print_enough(info, &check->levels);
    if (check->has_media)
        print_media(check);
    cli_print_backend(info);
    printf("  time       from %.9g to %.9g; ", check->problem->time, check->case_info.plan.end);
    if (isinf(check->dt)) /* only dry ground, where no wave limits the step */
        printf("nothing moves at the start: the first step ends at a frame or the end");
    else
        printf("the first step is %.4g", check->dt);
    print_steps(check);
    if (may_be_steady(check))
        printf(", unless it becomes steady earlier");
    putchar('\n');
}

/* Uses about as many digits as an estimate has. */
static const char *in_words(double seconds, char *text, size_t size)
{
    if (seconds >= 10 && seconds < 1e9)
        return cli_duration(seconds, text, size);
    snprintf(text, size, seconds < 10 ? "%.2g s" : "%.2g years", seconds < 10 ? seconds : seconds / (365.25 * 86400));
    return text;
}

static void print_wall(const struct case_check *check)
{
    double seconds = check->steps * check->step_seconds;
    char all[64];
    if (!check->timed || !check->has_solver)
        return;
    const char *from = check->case_info.coarser ? " (from the coarser mesh)" : "";
    if (check->guesses_wall)
        from = " (from fewer levels)";
    if (isnan(check->step_seconds))
        printf("  wall       unknown: a step takes too long to be timed here\n");
    else if (!(seconds < INFINITY))
        printf("  wall       %.3g ms a step; the number of steps is unknown\n", 1e3 * check->step_seconds);
    else
        printf("  wall       %s %s, by %.3g ms a step%s; writing files not counted\n",
               may_be_steady(check) ? "at most" : "about", in_words(seconds, all, sizeof all),
               1e3 * check->step_seconds, from);
}

static void print_members(const struct case_check *check, const struct members *members)
{
    char values[2048];
    if (members->info.members == 0)
        return;
    printf("  sweep      %lld members; this is %s: %s\n", (long long)members->info.members, check->case_info.plan.name,
           cli_sweep_values(members->sweep, check->what.member, values, sizeof values));
    if (members->wrong > 0)
        printf("             %lld of them %s wrong\n", (long long)members->wrong, members->wrong == 1 ? "is" : "are");
}

static void print_estimate(const struct members *members, int64_t member)
{
    const struct estimate *estimate = &members->estimate[member - 1];
    double seconds = estimate->steps * estimate->step_seconds;
    char name[512], values[2048], words[64];
    ew_sweep_name(members->sweep, member, name, sizeof name);
    printf("  %s  %s", name, cli_sweep_values(members->sweep, member, values, sizeof values));
    if (estimate->wrong)
        printf(": wrong");
    else
        printf(": %lld elements", (long long)estimate->elements);
    if (isfinite(estimate->steps))
        printf(", about %.6g steps", estimate->steps);
    printf(isfinite(seconds) ? ", %s\n" : "\n", in_words(seconds, words, sizeof words));
}

static void print_estimates(const struct members *members)
{
    double seconds = 0;
    char words[64];
    for (int64_t m = 1; members->estimate && m <= members->info.members; m++) {
        print_estimate(members, m);
        seconds += members->estimate[m - 1].steps * members->estimate[m - 1].step_seconds;
    }
    if (members->estimate && isfinite(seconds))
        printf("  all members one after another: about %s\n", in_words(seconds, words, sizeof words));
}

static void print_check(const struct case_check *check, const struct members *members)
{
    const ew_case_info *info = &check->case_info;
    char mesh[32], frame[32], all[32];
    printf("%s\n", cli_title_of(info));
    print_members(check, members);
    print_mesh(check);
    print_rasters(check);
    print_solver(check);
    print_wall(check);
    print_memory(check);
    printf("  output     %s.nc, mesh %s and %s%.*g frames of %s: %s%s\n", info->plan.name,
           ewi_bytes_in_words(check->file_mesh_bytes, mesh, sizeof mesh), check->frames_are_counted ? "" : "about ",
           check->frames < 1e15 ? 15 : 3, check->frames, ewi_bytes_in_words(check->frame_bytes, frame, sizeof frame),
           ewi_bytes_in_words(check->file_mesh_bytes + check->frame_bytes * check->frames, all, sizeof all),
           info->plan.compression > 0 ? " before compression" : "");
    print_estimates(members);
    if (!check->too_large)
        printf("  next       edgewise %s %s\n", members->info.members > 0 ? "sweep" : "run", check->what.path);
}

static void put_texts(struct cli_json *json, const struct cli_report *report)
{
    for (size_t k = 0; k < report->count; k++)
        cli_json_text(json, NULL, report->sentence[k]);
}

static void put_sentences(struct cli_json *json, const struct case_check *check, const struct members *members)
{
    cli_json_open(json, "errors", '[');
    if (members->code != EX_OK && check->report.count == 0)
        cli_json_text(json, NULL, check->error.message);
    put_texts(json, &check->report);
    put_texts(json, &members->told);
    cli_json_close(json, ']');
    cli_json_texts(json, "warnings", check->warnings.count, (const char *const *)check->warnings.sentence);
    cli_json_number(json, "members", members->info.members > 0 ? (double)members->info.members : NAN);
    cli_json_number(json, "member", members->info.members > 0 ? (double)check->what.member : NAN);
}

static void put_point(struct cli_json *json, const double point[2])
{
    cli_json_open(json, NULL, '[');
    cli_json_number(json, NULL, point[0]);
    cli_json_number(json, NULL, point[1]);
    cli_json_close(json, ']');
}

static void put_boundaries(struct cli_json *json, const struct case_check *check)
{
    int64_t edges;
    const char *name;
    cli_json_open(json, "boundaries", '[');
    for (int32_t k = 0; (name = ew_mesh_boundary(check->mesh, k, &edges)) != NULL; k++) {
        const ew_boundary *boundary = cli_boundary_of(check->problem, name);
        const ew_spline_info spline = spline_of(check, k, boundary);
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", name);
        cli_json_text(json, "kind", boundary ? boundary->kind : NULL);
        cli_json_number(json, "edges", check->case_info.coarser ? NAN : (double)edges);
        cli_json_text(json, "curve", curve_of(boundary));
        cli_json_number(json, "corners", has_spline(boundary) ? (double)spline.corners : NAN);
        cli_json_open(json, "corner_points", '[');
        for (int i = 0; has_spline(boundary) && i < shown_corners(&spline); i++)
            put_point(json, spline.corner[i]);
        cli_json_close(json, ']');
        cli_json_integer(json, "second_order_edges", spline.middles);
        cli_json_number(json, "angle", boundary && strcmp(boundary->kind, "far") == 0 ? boundary->angle : NAN);
        cli_json_number(json, "sponge_width", boundary && boundary->sponge_width > 0 ? boundary->sponge_width : NAN);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_estimates(struct cli_json *json, const struct members *members)
{
    cli_json_open(json, "all", '[');
    for (int64_t m = 1; members->estimate && m <= members->info.members; m++) {
        const struct estimate *estimate = &members->estimate[m - 1];
        char name[512];
        ew_sweep_name(members->sweep, m, name, sizeof name);
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "member", m);
        cli_json_text(json, "name", name);
        cli_json_bool(json, "ok", !estimate->wrong);
        cli_json_number(json, "elements", estimate->wrong ? NAN : (double)estimate->elements);
        cli_json_number(json, "steps_estimate", estimate->steps);
        cli_json_number(json, "step_s", estimate->step_seconds);
        cli_json_number(json, "wall_s_estimate", estimate->steps * estimate->step_seconds);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_rasters(struct cli_json *json, const struct case_check *check)
{
    const ew_raster_data *raster;
    const char *name;
    cli_json_open(json, "rasters", '[');
    for (int k = 0; (name = ew_case_raster(check->that, k, &raster)); k++) {
        char hash[17];
        double range[2];
        find_range(raster, range);
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)ew_raster_hash(raster));
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", name);
        cli_json_text(json, "hash", hash);
        cli_json_integer(json, "columns", raster->columns);
        cli_json_integer(json, "rows", raster->rows);
        cli_json_integer(json, "times", raster->times);
        cli_json_number(json, "least", range[0]);
        cli_json_number(json, "greatest", range[1]);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_case(struct cli_json *json, const struct case_check *check)
{
    const ew_mesh_info *mesh = &check->mesh_info;
    cli_json_text(json, "mesh", check->case_info.plan.mesh);
    cli_json_integer(json, "elements", mesh->elements);
    cli_json_integer(json, "edges", mesh->edges);
    cli_json_integer(json, "nodes", mesh->nodes);
    cli_json_number(json, "area", mesh->area);
    cli_json_number(json, "smallest_diameter", mesh->smallest_diameter);
    cli_json_integer(json, "reoriented", mesh->reoriented);
    put_boundaries(json, check);
    put_rasters(json, check);
    cli_json_integer(json, "mesh_bytes", (int64_t)mesh->bytes);
    cli_json_integer(json, "solver_bytes", (int64_t)check->memory.solver);
    cli_json_integer(json, "device_bytes", (int64_t)check->memory.device);
    cli_json_integer(json, "output_bytes", (int64_t)(check->memory.output + check->memory.copies));
    cli_json_number(json, "available_bytes", check->memory.available);
    cli_json_number(json, "frames", check->frames);
    cli_json_number(json, "frame_bytes", check->frame_bytes);
    cli_json_number(json, "file_mesh_bytes", check->file_mesh_bytes);
    cli_json_number(json, "start", check->problem->time);
    cli_json_number(json, "end", check->case_info.plan.end);
    cli_json_integer(json, "sampled_elements", check->made.elements);
    cli_json_integer(json, "sampled_steps", check->sampled);
    cli_json_number(json, "dt", check->dt);
    cli_json_number(json, "dt_sampled", check->later_dt);
    cli_json_number(json, "steps_estimate", check->steps);
    cli_json_number(json, "step_s", check->step_seconds);
    cli_json_number(json, "wall_s_estimate", check->steps * check->step_seconds);
}

static void put_media(struct cli_json *json, const struct case_check *check)
{
    const ew_law *law = check->solver_info.law;
    cli_json_open(json, "media", '{');
    for (int k = 0; k < law->fields; k++) {
        cli_json_open(json, law->field[k], '[');
        cli_json_number(json, NULL, check->medium[k].least);
        cli_json_number(json, NULL, check->medium[k].greatest);
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}

static void put_levels(struct cli_json *json, const ew_solver_info *info, const ew_run_levels *levels)
{
    cli_json_open(json, "step_levels", '[');
    for (int k = 0; k < info->step_levels; k++)
        cli_json_integer(json, NULL, info->level_elements[k]);
    cli_json_close(json, ']');
    cli_json_number(json, "step_level_work", levels->work);
    cli_json_integer(json, "step_levels_enough", levels->enough);
}

static void put_solver(struct cli_json *json, const struct case_check *check)
{
    const ew_solver_info *info = &check->solver_info;
    cli_json_scheme(json, info);
    cli_json_number(json, "cfl", info->cfl);
    cli_json_number(json, "curve_share", info->curve_share);
    put_levels(json, info, &check->levels);
    if (check->has_media)
        put_media(json, check);
    cli_json_integer(json, "unknowns", check->mesh_info.elements * info->basis * info->law->variables);
    cli_json_backend(json, info);
}

static void print_json(const struct case_check *check, const struct members *members, int code)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "case", check->what.path);
    cli_json_bool(&json, "ok", code == EX_OK);
    put_sentences(&json, check, members);
    if (members->estimate)
        put_estimates(&json, members);
    if (check->that)
        put_case(&json, check);
    if (check->has_solver)
        put_solver(&json, check);
    cli_json_end(&json);
}

static struct case_check begin_check(struct cli_arguments *arguments, int64_t member)
{
    struct case_check check = {.what = cli_case_of(arguments), .overcommit = arguments->overcommit,
                               .memory.available = NAN, .dt = NAN, .later_dt = NAN, .steps = NAN,
                               .step_seconds = NAN};
    check.what.member = member;
    return check;
}

static void end_check(struct case_check *check)
{
    ew_case_destroy(check->that);
    cli_free_report(&check->report);
    cli_free_report(&check->warnings);
}

static void hear(void *context, const char *sentence)
{
    cli_is_new(context, sentence);
}

static void note_estimate(struct members *members, const struct case_check *check, int code)
{
    if (members->estimate)
        members->estimate[check->what.member - 1] =
            (struct estimate){.wrong = code != EX_OK, .elements = check->mesh_info.elements, .steps = check->steps,
                              .step_seconds = check->step_seconds};
}

/* Reports the error of another member, unless an earlier one had the same. */
static int check_other(struct check_arguments *own, struct members *members, int64_t member)
{
    struct case_check check = begin_check(&own->common, member);
    struct cli_report heard = {0};
    char name[512], values[2048];
    check.timed = !own->untimed;
    cli_hear(hear, &heard);
    int code = cli_examine_case(&check);
    cli_hear(NULL, NULL);
    ew_sweep_name(members->sweep, member, name, sizeof name);
    for (size_t k = 0; k < heard.count && code != EX_OK; k++)
        if (cli_is_new(&members->told, heard.sentence[k]))
            cli_error("%s (%s): %s", name, cli_sweep_values(members->sweep, member, values, sizeof values),
                      heard.sentence[k]);
    members->wrong += code != EX_OK;
    note_estimate(members, &check, code);
    cli_free_report(&heard);
    end_check(&check);
    return code;
}

/* Checks all members. The reported one is the requested one, or the first. */
static int check_all(struct check_arguments *own, struct case_check *check, struct members *members)
{
    int status = cli_read_sweep(&check->what, &cli_host, &check->report, &members->sweep, &check->error);
    if (status != EW_OK)
        return members->code = cli_exit_code(status, EX_NOINPUT);
    ew_sweep_get_info(members->sweep, &members->info);
    check->what.member = cmd_number(own->member, members->info.members > 0);
    if (own->all && members->info.members > 0)
        members->estimate = cli_allocate((size_t)members->info.members * sizeof *members->estimate);
    check->timed = !own->untimed;
    int code = members->code = cli_examine_case(check);
    members->wrong = code != EX_OK;
    if (check->what.member <= members->info.members)
        note_estimate(members, check, code);
    for (int64_t m = 1; own->all && m <= members->info.members; m++) {
        int other = m == check->what.member ? EX_OK : check_other(own, members, m);
        code = code == EX_OK ? other : code;
    }
    return code;
}

static int check_case(struct cli_arguments *arguments)
{
    struct case_check check = begin_check(arguments, 0);
    struct members members = {0};
    int code = check_all((struct check_arguments *)arguments, &check, &members);
    if (arguments->json)
        print_json(&check, &members, code);
    else if (members.code == EX_OK || check.too_large)
        print_check(&check, &members);
    end_check(&check);
    cli_free_report(&members.told);
    free(members.estimate);
    ew_sweep_destroy(members.sweep);
    return cli_finish_stdout(code);
}

#define ARGUMENTS struct check_arguments

static const struct cli_option options[] = {
    CLI_BACKEND_OPTION,
    CLI_ORDER_OPTION,
    CLI_END_OPTION,
    CLI_STEPS_OPTION,
    CLI_SET_OPTION(CLI_ANY_KEY),
    CMD_MEMBER_OPTION("report this member of a sweep; the default is the first one"),
    CLI_FLAG_OPTION("all", all, "look at all members of a sweep, and tell what each takes"),
    CLI_FLAG_OPTION("no-estimate", untimed, "do not time steps to estimate the wall time of a run"),
    CLI_OVERCOMMIT_OPTION,
    CLI_JSON_OPTION("print one JSON object instead of the summary"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_check = {
    .name = "check",
    .operand = "CASE.cfg",
    .summary = "Report every error of a case, and estimate the cost of a run",
    .text = "Prints the mesh, the scheme, the memory, and the length, number and wall time of steps. Writes no files.",
    .options = options,
    .size = sizeof(struct check_arguments),
    .run = check_case,
};
