/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the members of a sweep. */
#include "ewi_team.h"
#include "sweep.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <math.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_FAILURES_TOLD = 20, MOST_LINES_TOLD = 200 };
#define TABLE_SECONDS 1.0  /* least time between two writes of the table ... */
#define TABLE_SHARE 0.05   /* ... which take at most this share of the time */
#define LOOK_SECONDS 0.5   /* between two progress reports of a run */

/* A running member. */
struct member {
    struct sweep *sweep;
    struct sweep_device *device; /* NULL: the cores */
    int64_t number;
    bool lost_device;
    double looked;
    struct cli_report heard; /* its sentences */
    struct sweep_row row;
    const char *names[EW_MAX_VARIABLES];
};

/* ---- progress: with the lock ------------------------------------------------------------------------------------- */

static double fraction_of(const struct sweep *sweep)
{
    double sum = 0;
    for (int64_t k = 0; k < sweep->table.info.members; k++)
        sum += sweep->table.row[k].status == SWEEP_WAITING ? sweep->fraction[k] : 1;
    return sum / (double)sweep->table.info.members;
}

static void show_progress(struct sweep *sweep)
{
    char text[160], plain[160], left[32], failed[32] = "";
    const int64_t *counts = sweep->counts;
    if (!cli_progress_is_due(&sweep->progress))
        return;
    double fraction = fraction_of(sweep), seconds = cli_progress_left(&sweep->progress, fraction);
    if (counts[SWEEP_FAILED] > 0)
        snprintf(failed, sizeof failed, ", %lld failed", (long long)counts[SWEEP_FAILED]);
    snprintf(text, sizeof text, "%3d%% %lld of %lld done%s, %lld running, %s left", (int)(100 * fraction),
             (long long)counts[SWEEP_DONE], (long long)sweep->table.info.members, failed, (long long)sweep->running,
             cli_duration(seconds, left, sizeof left));
    snprintf(plain, sizeof plain, "members=%lld done=%lld failed=%lld running=%lld percent=%.1f left_s=%.0f",
             (long long)sweep->table.info.members, (long long)counts[SWEEP_DONE], (long long)counts[SWEEP_FAILED],
             (long long)sweep->running, 100 * fraction, isnan(seconds) ? -1 : seconds);
    cli_progress_show(&sweep->progress, fraction, text, plain);
}

static void follow(void *context, ew_run *run)
{
    struct member *member = context;
    struct sweep *sweep = member->sweep;
    double now = ewi_seconds();
    ew_run_progress progress;
    if (now - member->looked < LOOK_SECONDS)
        return;
    member->looked = now;
    ew_run_get_progress(run, &progress);
    pthread_mutex_lock(&sweep->lock);
    sweep->fraction[member->number - 1] = isnan(progress.fraction) ? 0 : progress.fraction;
    show_progress(sweep);
    pthread_mutex_unlock(&sweep->lock);
}

/* ---- the end of a member ----------------------------------------------------------------------------------------- */

static void put_variables(struct member *member, const char *what, const ew_law *law, const double *values)
{
    for (int m = 0; m < law->variables; m++) {
        char name[128];
        snprintf(name, sizeof name, "%s_%s", what, law->conserved[m]);
        sweep_row_put(&member->row, sweep_table_column(&member->sweep->table, name), values[m]);
    }
}

static void put_force(struct member *member, const ew_law *law, const char *body, const ew_force *force)
{
    const char *number;
    double value;
    for (int n = 0; (number = ew_force_number(law, force, n, &value)); n++) {
        char name[SWEEP_NAME];
        snprintf(name, sizeof name, "%s_%s", body, number);
        sweep_row_put(&member->row, sweep_table_column(&member->sweep->table, name), value);
    }
}

/* Call with the lock held: members share the columns. */
static void put_values(struct member *member, const struct cli_summary *summary)
{
    const ew_norms *norms = &summary->run.norms;
    const ew_law *law = summary->solver->law;
    for (int k = 0; k < summary->case_info->plan.bodies; k++)
        put_force(member, law, summary->case_info->plan.body[k].name, &summary->run.force[k]);
    if (norms->has_errors) {
        put_variables(member, "error_l2", law, norms->error_l2);
        put_variables(member, "error_linf", law, norms->error_linf);
    }
    put_variables(member, "total", law, norms->total);
}

static void take_end(void *context, const struct cli_summary *summary, int code, int error)
{
    struct member *member = context;
    bool stopped = code == EX_OK && summary->run.end == EW_RUN_STOPPED;
    member->lost_device = error == EW_EDEVICE;
    member->row = (struct sweep_row){
        .status = code != EX_OK ? SWEEP_FAILED : stopped ? SWEEP_STOPPED : SWEEP_DONE,
        .code = code,
        .end = cli_copy(summary->stop),
        .sentence = summary->error ? cli_copy(summary->error) : NULL,
        .time = summary->run.time,
        .steps = summary->run.steps,
        .seconds = summary->total_seconds,
        .has_hash = summary->run.has_last,
        .hash = summary->run.hash,
    };
    if (!summary->run.has_last)
        return;
    pthread_mutex_lock(&member->sweep->lock);
    put_values(member, summary);
    pthread_mutex_unlock(&member->sweep->lock);
}

static void hear(void *context, const char *sentence)
{
    cli_is_new(context, sentence);
}

/* The first of several errors, of which a row has "SENTENCE (and N more errors)"; or else the row's sentence. */
static const char *first_error(const struct member *member)
{
    const char *reason = member->row.sentence ? member->row.sentence : "failed";
    for (size_t k = 0; k < member->heard.count; k++) {
        size_t length = strlen(member->heard.sentence[k]);
        if (strncmp(reason, member->heard.sentence[k], length) == 0 && strncmp(reason + length, " (and ", 6) == 0)
            return member->heard.sentence[k];
    }
    return reason;
}

/*
 * Prints a member's sentences and its failure, each only once, and a limited number of lines. Call with the lock held.
 */
static void report_member(struct sweep *sweep, struct member *member)
{
    char name[SWEEP_NAME], values[SWEEP_VALUE];
    bool failed = member->row.status == SWEEP_FAILED;
    const char *reason = first_error(member);
    ew_sweep_name(sweep->table.sweep, member->number, name, sizeof name);
    bool news = failed && cli_is_new(&sweep->told, reason);
    sweep->failures_told += news;
    if (news && sweep->failures_told <= MOST_FAILURES_TOLD)
        cli_error("%s (%s): %s", name, cli_sweep_values(sweep->table.sweep, member->number, values, sizeof values),
                  reason);
    else if (news && sweep->failures_told == MOST_FAILURES_TOLD + 1)
        cli_error("more members fail; %s has their sentences", sweep->table.csv);
    for (size_t k = 0; k < member->heard.count && sweep->told.count < MOST_LINES_TOLD; k++)
        if (cli_is_new(&sweep->told, member->heard.sentence[k]))
            cli_error("%s: %s", name, member->heard.sentence[k]);
}

static void write_table(struct sweep *sweep)
{
    double now = ewi_seconds();
    ew_error unused; /* the last write reports errors */
    if (now - sweep->written < sweep->interval || sweep_table_write(&sweep->table, &unused) != EX_OK)
        return;
    sweep->written = ewi_seconds();
    sweep->interval = fmax(TABLE_SECONDS, (sweep->written - now) / TABLE_SHARE);
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static char **copy_texts(char *const *text, size_t count, char *last)
{
    char **copy = cli_allocate((count + 1) * sizeof *copy);
    for (size_t k = 0; k < count; k++)
        copy[k] = text[k];
    copy[count] = last;
    return copy;
}

/* Without an ensemble, each member runs by itself. */
static void begin_device(const struct sweep *sweep, struct sweep_device *device)
{
    static char name[] = "--devices";
    const struct cli_arguments *arguments = sweep->arguments;
    device->settings = arguments->settings + sweep->are_chosen;
    device->setting = copy_texts(arguments->setting, arguments->settings,
                                 cli_format("backend.device=%d", device->number));
    device->setting_name = copy_texts(arguments->setting_name, arguments->settings, name);
    if (ew_ensemble_create(&cli_host, &device->ensemble, NULL) != EW_OK)
        device->ensemble = NULL;
}

static void end_device(const struct sweep *sweep, struct sweep_device *device)
{
    ew_ensemble_destroy(device->ensemble);
    free(device->setting[sweep->arguments->settings]);
    free(device->setting);
    free(device->setting_name);
}

/* The device with the fewest running members; NULL: none is left. Call with the lock held. */
static struct sweep_device *choose_device(struct sweep *sweep)
{
    struct sweep_device *chosen = NULL;
    for (int k = 0; k < sweep->devices; k++) {
        struct sweep_device *device = &sweep->device[k];
        if (!device->lost && (!chosen || device->running < chosen->running))
            chosen = device;
    }
    return chosen;
}

/* ---- one member after the other ---------------------------------------------------------------------------------- */

/* False: no GPU is left to run it. */
static bool begin_member(struct sweep *sweep, struct member *member)
{
    pthread_mutex_lock(&sweep->lock);
    member->device = choose_device(sweep);
    bool runs = sweep->devices == 0 || member->device;
    sweep->running += runs;
    if (member->device) {
        member->device->running++;
        member->device->members++;
    }
    pthread_mutex_unlock(&sweep->lock);
    return runs;
}

static void end_member(struct sweep *sweep, struct member *member)
{
    pthread_mutex_lock(&sweep->lock);
    sweep->table.row[member->number - 1] = member->row;
    sweep->running--;
    sweep->counts[SWEEP_WAITING]--;
    sweep->counts[member->row.status]++;
    if (member->device) {
        member->device->running--;
        member->device->lost = member->device->lost || member->lost_device;
    }
    report_member(sweep, member);
    write_table(sweep);
    show_progress(sweep);
    pthread_mutex_unlock(&sweep->lock);
    cli_free_report(&member->heard);
}

static void run_member(struct sweep *sweep, struct member *member)
{
    struct cli_run run = {.what = cli_case_of(sweep->arguments),
                          .options = {.folder = sweep->arguments->output, .no_output = sweep->no_output,
                                      .restart = sweep->resume ? "auto" : NULL, .restart_is_optional = true,
                                      .context = member,
                                      .progress = follow},
                          .overcommit = sweep->arguments->overcommit,
                          .end = take_end};
    run.what.member = member->number;
    run.what.source = sweep->table.info.source;
    run.what.meshes = sweep->meshes;
    if (member->device) {
        run.ensemble = member->device->ensemble;
        run.what.settings = member->device->settings;
        run.what.setting = member->device->setting;
        run.what.setting_name = member->device->setting_name;
    }
    cli_hear(hear, &member->heard);
    cli_run_case(&run);
    cli_hear(NULL, NULL);
}

/* Runs one member at a time. Threads share nothing but the table. */
static int work(void *context, int64_t k)
{
    struct sweep *sweep = context;
    struct member member = {.sweep = sweep, .number = sweep->todo[k]};
    if (cli_caught_signal())
        return EX_TEMPFAIL;
#ifdef _OPENMP
    omp_set_num_threads(sweep->threads);
#endif
    if (!begin_member(sweep, &member))
        return EX_UNAVAILABLE;
    run_member(sweep, &member);
    if (member.row.status == SWEEP_DONE)
        sweep_well_add(sweep, member.number);
    end_member(sweep, &member);
    return EX_OK;
}

void sweep_run(struct sweep *sweep)
{
    cli_prepare_files();
    pthread_mutex_init(&sweep->lock, NULL);
    sweep->fraction = cli_allocate((size_t)sweep->table.info.members * sizeof *sweep->fraction);
    cli_progress_is_due(&sweep->progress);
    sweep->progress.fraction = fraction_of(sweep);
    for (int k = 0; k < sweep->devices; k++)
        begin_device(sweep, &sweep->device[k]);
    if (ew_meshes_create(&cli_host, &sweep->meshes, NULL) != EW_OK)
        sweep->meshes = NULL;
    sweep_well_add_earlier(sweep);
    cmd_pool_run(sweep->jobs, sweep->todos, work, sweep);
    ew_meshes_destroy(sweep->meshes);
    for (int k = 0; k < sweep->devices; k++)
        end_device(sweep, &sweep->device[k]);
    cli_progress_clear();
    pthread_mutex_destroy(&sweep->lock);
    cli_free_report(&sweep->told);
    free(sweep->fraction);
}
