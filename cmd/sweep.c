/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise sweep: runs the members of a case with a sweep concurrently, and writes one table of the results. */
#include "ewi_team.h"
#include "sweep.h"

#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

enum { MOST_JOBS = 1024, DEVICE_JOBS = 64 };

struct sweep_arguments {
    struct cli_arguments common;
    const char *jobs, *devices, *png, *columns, *well;
    struct cli_texts over;
    bool no_output, resume, replace, list;
};

/* ---- jobs at a time ---------------------------------------------------------------------------------------------- */

static void ignore(void *context, const char *sentence)
{
    (void)context;
    (void)sentence;
}

/* True if a case runs on a GPU: "auto" takes the first or the named one. */
static bool has_device(const struct sweep *sweep, const ew_problem *problem)
{
    char text[256];
    bool automatic = !problem->backend || strcmp(problem->backend, "auto") == 0;
    return automatic ? sweep->are_chosen || problem->device > 0 || ew_device_describe(0, text, sizeof text)
                     : ew_backend_has_devices(problem->backend);
}

static int jobs_of(const ew_case *that, int most)
{
    ew_run_memory memory;
    ew_mesh_info mesh;
    ew_case_mesh_info(that, &mesh);
    if (ew_run_get_memory(ew_case_plan(that), ew_case_problem(that), &mesh, &memory, NULL) != EW_OK)
        return most;
    double fit = memory.available / (memory.mesh + memory.solver + memory.output + memory.copies);
    return fit < 1 ? 1 : fit < most ? (int)fit : most;
}

/* True if all members have the same backend. If not, a member without its GPU fails alone. */
static bool have_one_backend(const struct sweep_table *table)
{
    for (int k = 0; k < table->info.keys; k++)
        if (strncmp(ew_sweep_key(table->sweep, k), "backend", strlen("backend")) == 0)
            return false;
    return true;
}

/* Without this check every member would fail, and an earlier sweep's table would be lost. */
static int check_gpus(struct sweep *sweep, const char *named_by)
{
    char text[256];
    for (int k = 0; k < sweep->devices && sweep->todos > 0; k++)
        if (!ew_device_describe(sweep->device[k].number, text, sizeof text)) {
            snprintf(sweep->error.message, sizeof sweep->error.message, "%s: there is no GPU %d here that edgewise can "
                     "use; \"edgewise info\" lists those that it can", named_by, sweep->device[k].number);
            return EW_EUNAVAILABLE;
        }
    return EW_OK;
}

static int check_devices(struct sweep *sweep, const ew_problem *problem)
{
    if (!has_device(sweep, problem)) {
        if (!sweep->are_chosen)
            return EW_OK;
        snprintf(sweep->error.message, sizeof sweep->error.message, "--devices is for GPUs, and the members run on the "
                 "CPU (backend %s); leave it out, or take --backend cuda", problem->backend);
        return EW_EUNAVAILABLE;
    }
    if (sweep->are_chosen)
        return check_gpus(sweep, "--devices");
    sweep->devices = 1;
    sweep->device[0].number = problem->device;
    if (!have_one_backend(&sweep->table))
        return EW_OK;
    return check_gpus(sweep, problem->device > 0 ? "backend.device" : "backend cuda");
}

/*
 * Finds out if members run on GPUs, and how many jobs fit in memory, from the first member. If that cannot be read, it
 * fails on its own later.
 */
static int jobs_that_fit(struct sweep *sweep, int *most)
{
    struct cli_case what = cli_case_of(sweep->arguments);
    struct cli_report report = {0};
    ew_case *that = NULL;
    ew_error error;
    int status = EW_OK;
    what.member = sweep->todos > 0 ? sweep->todo[0] : 1;
    cli_hear(ignore, NULL);
    if (cli_read_case(&what, &cli_host, &report, &that, &error) == EW_OK) {
        status = check_devices(sweep, ew_case_problem(that));
        *most = jobs_of(that, sweep->devices > 0 ? DEVICE_JOBS * sweep->devices : *most);
        if (status == EW_OK && sweep->well_path)
            status = sweep_well_begin(sweep, that);
    }
    cli_hear(NULL, NULL);
    cli_free_report(&report);
    ew_case_destroy(that);
    return cli_exit_code(status, EX_CANTCREAT);
}

static int choose_jobs(struct sweep *sweep, const char *asked)
{
    int cores = ew_thread_count(0, NULL, 0), fitting = cores, code = jobs_that_fit(sweep, &fitting);
    fitting = fitting < MOST_JOBS ? fitting : MOST_JOBS;
    sweep->jobs = asked ? (int)cmd_number(asked, 0) : fitting;
    if (!asked && sweep->todos < sweep->jobs)
        sweep->jobs = sweep->todos > 0 ? (int)sweep->todos : 1;
    sweep->threads = cli_share_threads(sweep->arguments, sweep->jobs);
    sweep->threads = sweep->threads > 0 ? sweep->threads : cores;
    return code;
}

/* ---- members to run ---------------------------------------------------------------------------------------------- */

/* A resumed sweep skips a member if its table has it and its fields exist. */
static bool is_done(const struct sweep *sweep, int64_t member)
{
    struct stat info;
    if (sweep->table.row[member - 1].status != SWEEP_DONE)
        return false;
    if (sweep->no_output)
        return true;
    char *path = sweep_fields_path(sweep, member);
    bool there = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    free(path);
    return there;
}

static void list_todo(struct sweep *sweep)
{
    int64_t members = sweep->table.info.members;
    sweep->todo = cli_allocate((size_t)members * sizeof *sweep->todo);
    for (int64_t m = 1; m <= members; m++)
        if (is_done(sweep, m))
            sweep->counts[SWEEP_DONE]++;
        else {
            sweep->table.row[m - 1].status = SWEEP_WAITING;
            sweep->todo[sweep->todos++] = m;
        }
    sweep->counts[SWEEP_WAITING] = sweep->todos;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static int worst_code(const struct sweep *sweep)
{
    for (int64_t m = 0; m < sweep->table.info.members; m++)
        if (sweep->table.row[m].status == SWEEP_FAILED)
            return sweep->table.row[m].code;
    return EX_OK;
}

static void print_failed(const struct sweep *sweep)
{
    enum { SHOWN = 5 };
    int64_t failed = sweep->counts[SWEEP_FAILED], shown = 0;
    char name[SWEEP_NAME];
    if (failed == 0)
        return;
    printf("  failed     %lld:", (long long)failed);
    for (int64_t m = 1; m <= sweep->table.info.members && shown < SHOWN; m++)
        if (sweep->table.row[m - 1].status == SWEEP_FAILED) {
            ew_sweep_name(sweep->table.sweep, m, name, sizeof name);
            printf("%s %s", shown++ > 0 ? "," : "", name);
        }
    printf("%s\n", failed > SHOWN ? " and others" : "");
}

static void print_devices(const struct sweep *sweep)
{
    const struct sweep_device *device = sweep->device;
    if (sweep->devices < 2 && !device->lost)
        return;
    printf("  GPUs      ");
    for (int k = 0; k < sweep->devices; k++)
        printf("%s %d (%lld members%s)", k > 0 ? "," : "", device[k].number, (long long)device[k].members,
               device[k].lost ? ", lost" : "");
    putchar('\n');
}

static void print_text(const struct sweep *sweep, double seconds, const char *png)
{
    const struct sweep_table *table = &sweep->table;
    int64_t earlier = table->info.members - sweep->todos, rest = sweep->counts[SWEEP_STOPPED];
    printf("%s: %lld members over", table->info.name, (long long)table->info.members);
    for (int k = 0; k < table->info.keys; k++)
        printf("%s %s", k > 0 ? "," : "", ew_sweep_key(table->sweep, k));
    printf("\n  done       %lld", (long long)sweep->counts[SWEEP_DONE]);
    if (earlier > 0)
        printf(", %lld of them earlier", (long long)earlier);
    putchar('\n');
    print_failed(sweep);
    if (rest + sweep->counts[SWEEP_WAITING] > 0) {
        char *next = cli_command_line(sweep->arguments, "--resume", "--replace");
        printf("  stopped    %lld, and %lld not begun\n  next       %s\n", (long long)rest,
               (long long)sweep->counts[SWEEP_WAITING], next);
        free(next);
    }
    print_devices(sweep);
    printf("  wall       %.3f s, %d at a time\n", seconds, sweep->jobs);
    printf("  table      %s, %s\n", table->csv, table->json);
    if (png)
        printf("  chart      %s\n", png);
    if (sweep->well_path)
        printf("  data set   %s\n", sweep->well_path);
}

static void put_failures(struct cli_json *json, const struct sweep_table *table)
{
    char name[SWEEP_NAME];
    cli_json_open(json, "failures", '[');
    for (int64_t m = 1; m <= table->info.members; m++)
        if (table->row[m - 1].status == SWEEP_FAILED) {
            ew_sweep_name(table->sweep, m, name, sizeof name);
            cli_json_open(json, NULL, '{');
            cli_json_integer(json, "member", m);
            cli_json_text(json, "name", name);
            cli_json_text(json, "error", table->row[m - 1].sentence);
            cli_json_close(json, '}');
        }
    cli_json_close(json, ']');
}

static void put_devices(struct cli_json *json, const struct sweep *sweep)
{
    cli_json_open(json, "devices", '[');
    for (int k = 0; k < sweep->devices; k++) {
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "device", sweep->device[k].number);
        cli_json_integer(json, "members", sweep->device[k].members);
        cli_json_bool(json, "lost", sweep->device[k].lost);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void print_json(const struct sweep *sweep, double seconds, const char *png)
{
    struct cli_json json = cli_json_begin(stdout);
    const struct sweep_table *table = &sweep->table;
    cli_json_text(&json, "case", table->case_path);
    cli_json_text(&json, "error", sweep->error.message[0] ? sweep->error.message : NULL);
    cli_json_integer(&json, "members", table->info.members);
    for (int k = SWEEP_DONE; k < SWEEP_STATUSES; k++)
        cli_json_integer(&json, sweep_status_names[k], sweep->counts[k]);
    cli_json_integer(&json, "waiting", sweep->counts[SWEEP_WAITING]);
    cli_json_integer(&json, "earlier", table->info.members - sweep->todos);
    cli_json_integer(&json, "jobs", sweep->jobs);
    cli_json_integer(&json, "threads", sweep->threads);
    put_devices(&json, sweep);
    cli_json_number(&json, "wall_s", seconds);
    cli_json_text(&json, "csv", table->csv);
    cli_json_text(&json, "json", table->json);
    cli_json_text(&json, "png", png);
    cli_json_text(&json, "well", sweep->well_path);
    put_failures(&json, table);
    cli_json_end(&json);
}

/* Prints a failure without results. */
static void print_json_failure(const struct sweep *sweep)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "case", sweep->arguments->case_path);
    cli_json_text(&json, "error", sweep->error.message);
    cli_json_null(&json, "members");
    cli_json_end(&json);
}

static int report_error(const struct sweep *sweep, int code)
{
    return code == EX_OK ? EX_OK : cli_fail(code, "%s", sweep->error.message);
}

static int begin_table(struct sweep *sweep, const struct sweep_arguments *given)
{
    int code = sweep_table_lock(&sweep->table, &sweep->error);
    if (code == EX_OK && given->resume)
        code = sweep_table_resume(&sweep->table, &sweep->error);
    if (code == EX_OK) {
        list_todo(sweep);
        code = choose_jobs(sweep, given->jobs);
    }
    if (code == EX_OK && !given->resume && !given->replace)
        code = sweep_table_is_new(&sweep->table, &sweep->error);
    if (code == EX_OK) {
        sweep_table_tell_left(&sweep->table);
        code = sweep_table_write(&sweep->table, &sweep->error);
    }
    return report_error(sweep, code);
}

static int run_members(struct sweep *sweep, const struct sweep_arguments *given)
{
    double begun = ewi_seconds();
    const char *png = given->png;
    int code = begin_table(sweep, given);
    if (code != EX_OK)
        return code;
    cli_catch_signals();
    sweep_run(sweep);
    code = report_error(sweep, sweep_table_write(&sweep->table, &sweep->error));
    int gathered = sweep_well_end(sweep);
    code = code == EX_OK ? worst_code(sweep) : code;
    code = code == EX_OK ? gathered : code;
    if (png && sweep->counts[SWEEP_DONE] == 0)
        png = NULL;
    if (png) {
        int drawn = sweep_chart_write(&sweep->table, given->columns, png);
        code = code == EX_OK ? drawn : code;
    }
    sweep->reported = true;
    if (sweep->arguments->json)
        print_json(sweep, ewi_seconds() - begun, png);
    else if (!sweep->arguments->quiet)
        print_text(sweep, ewi_seconds() - begun, png);
    return code;
}

/* Refuses options that have no effect with --list. */
static int refuse_useless(const struct sweep_arguments *given)
{
    const struct {
        const char *name;
        bool given;
    } useless[] = {{"png", given->png}, {"columns", given->columns}, {"well", given->well},
                   {"resume", given->resume}, {"replace", given->replace}, {"jobs", given->jobs},
                   {"devices", given->devices}, {"output", given->common.output},
                   {"no-output", given->no_output}, {"overcommit", given->common.overcommit}};
    for (size_t k = 0; given->list && k < sizeof useless / sizeof *useless; k++)
        if (useless[k].given)
            return cli_misuse(&cmd_sweep, "--list runs nothing; leave out --%s.", useless[k].name);
    return EX_OK;
}

static int check_options(const struct sweep_arguments *given)
{
    const char *comma = given->columns ? strchr(given->columns, ',') : NULL;
    int code = refuse_useless(given);
    if (code != EX_OK)
        return code;
    if (given->resume && given->replace)
        return cli_misuse(&cmd_sweep, "--resume keeps an earlier sweep, --replace does not; leave out one of them.");
    if (given->png && !cmd_ends_with(given->png, ".png"))
        return cli_misuse(&cmd_sweep, "--png needs a name that ends in .png, not \"%s\".", given->png);
    if (given->well && !cmd_ends_with(given->well, ".hdf5") && !cmd_ends_with(given->well, ".h5"))
        return cli_misuse(&cmd_sweep, "--well needs a name that ends in .hdf5, not \"%s\".", given->well);
    if (given->well && given->no_output)
        return cli_misuse(&cmd_sweep, "--well gathers the files of the members; leave out --no-output.");
    if (given->columns && !given->png)
        return cli_misuse(&cmd_sweep, "--columns is for the chart: give --png FILE.png, too.");
    if (given->columns && (!comma || comma == given->columns || !comma[1] || strchr(comma + 1, ',')))
        return cli_misuse(&cmd_sweep, "--columns needs two names, X,Y, not \"%s\".", given->columns);
    return given->png ? cli_check_target(given->png) : EX_OK;
}

static int check_folder(struct sweep *sweep)
{
    int status = ew_run_check_folder(sweep->arguments->output, &sweep->error);
    return report_error(sweep, status == EW_OK ? EX_OK : EX_CANTCREAT);
}

/* Replaces the case's own sweep by the options --sweep. */
static int add_options(struct sweep *sweep, const struct cli_texts *options)
{
    char *name, *setting;
    if (options->count == 0)
        return EX_OK;
    int code = cli_sweep_setting(sweep->arguments, options, &name, &setting, &sweep->error);
    if (code != EX_OK)
        return code;
    cli_add_setting(sweep->arguments, name, setting);
    free(name);
    free(setting);
    return EX_OK;
}

/* Reads the sweep; errors of the case have been printed. */
static int read_sweep(struct sweep *sweep, ew_sweep **what)
{
    const struct cli_case that = cli_case_of(sweep->arguments);
    struct cli_report report = {0};
    ew_sweep_info info;
    int status = cli_read_sweep(&that, &cli_host, &report, what, &sweep->error);
    cli_free_report(&report);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    ew_sweep_get_info(*what, &info);
    if (info.members > 0)
        return EX_OK;
    snprintf(sweep->error.message, sizeof sweep->error.message, "%s has no group \"sweep\": name what differs by "
             "--sweep KEY=VALUES, or see edgewise-case(5); \"edgewise run\" runs the case as it is",
             sweep->arguments->case_path);
    return report_error(sweep, EX_CONFIG);
}

/* Reads the GPUs of --devices. EX_OK, or an exit code and a sentence on stderr. */
static int read_devices(struct sweep *sweep, const char *text)
{
    int number[CLI_MOST_DEVICES], code = cli_read_devices(text, number, &sweep->devices);
    for (int k = 0; k < sweep->devices && code == EX_OK; k++) {
        sweep->device[k].number = number[k];
        for (int other = 0; other < k; other++)
            if (number[other] == number[k])
                code = cli_fail(EX_USAGE, "--devices names GPU %d twice.", number[k]);
    }
    sweep->are_chosen = true;
    return code;
}

static int do_sweep(struct sweep *sweep, const struct sweep_arguments *given, ew_sweep **what)
{
    int code = given->list ? EX_OK : check_folder(sweep);
    code = code ? code : add_options(sweep, &given->over);
    code = code ? code : read_sweep(sweep, what);
    if (code != EX_OK)
        return code;
    sweep_table_begin(&sweep->table, *what, sweep->arguments->case_path, sweep->arguments->output);
    if (!given->list && given->columns)
        code = sweep_chart_check(&sweep->table, given->columns, sweep->arguments);
    if (!given->list)
        return code ? code : run_members(sweep, given);
    sweep->reported = true;
    sweep_print_members(&sweep->table, sweep->arguments->json);
    return EX_OK;
}

static int sweep_case(struct cli_arguments *arguments)
{
    const struct sweep_arguments *given = (const struct sweep_arguments *)arguments;
    struct sweep sweep = {.arguments = arguments, .no_output = given->no_output, .resume = given->resume,
                          .well_path = given->well, .progress = {.quiet = arguments->quiet}};
    ew_sweep *what = NULL;
    int code = check_options(given);
    code = code ? code : cmd_refuse_ranks("run the whole sweep");
    if (code == EX_OK && given->devices)
        code = read_devices(&sweep, given->devices);
    if (code != EX_OK)
        return code;
    code = do_sweep(&sweep, given, &what);
    if (arguments->json && !sweep.reported)
        print_json_failure(&sweep);
    code = cli_finish_stdout(code);
    sweep_table_end(&sweep.table);
    ew_sweep_destroy(what);
    ew_well_destroy(sweep.well);
    free(sweep.well_key);
    free(sweep.todo);
    if (code == EX_IOERR)
        _Exit(code); /* HDF5 may crash in its atexit function after a failed write; all output is complete */
    if (cli_caught_signal())
        cli_end_by_signal(cli_caught_signal());
    return code;
}

#define ARGUMENTS struct sweep_arguments

static const struct cli_option options[] = {
    CLI_LIST_OPTION("sweep", "KEY=VALUES", over,
                    "a member for each value, for example let.angle=0..9 or order=1,2; may be repeated"),
    CLI_WHOLE_OPTION("jobs", "N", jobs, 1, MOST_JOBS,
                     "members at a time; the default is one for each core, and 64 on each GPU"),
    CLI_TEXT_OPTION("devices", "all|K,...", devices, "spread the members over these GPUs, by their numbers"),
    CLI_FLAG_OPTION("resume", resume, "keep the members that are done, and run the others"),
    CLI_FLAG_OPTION("replace", replace, "begin again, though there is the table of an earlier sweep"),
    CLI_FLAG_OPTION("list", list, "print the members and their values; run nothing"),
    CLI_TEXT_OPTION("png", "FILE.png", png, "also draw one column of the table over another"),
    CLI_TEXT_OPTION("columns", "X,Y", columns, "those columns; the default is the first key, and a lift or an error"),
    CLI_TEXT_OPTION("well", "FILE.hdf5", well,
                    "also gather the members' rasters in one file with the layout of The Well"),
    CLI_BACKEND_OPTION,
    CLI_THREADS_OPTION("threads of each member on the backend omp; the default shares all among the jobs"),
    CLI_ORDER_OPTION,
    CLI_END_OPTION,
    CLI_STEPS_OPTION,
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_TEXT_OPTION("output", "DIR", common.output, "folder for the table and the members' files"),
    CLI_FLAG_OPTION("no-output", no_output, "compute and write nothing but the table"),
    CLI_OVERCOMMIT_OPTION,
    CLI_JSON_OPTION("print one JSON object instead of the summary"),
    CLI_QUIET_OPTION("print neither progress nor summary, only errors"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_sweep = {
    .name = "sweep",
    .operand = "CASE.cfg",
    .summary = "Run all members of a sweep and tabulate their results",
    .text = "The options --sweep, or the group \"sweep\" of the case, say over what. A member that fails does not "
            "affect the others.",
    .options = options,
    .size = sizeof(struct sweep_arguments),
    .run = sweep_case,
};
