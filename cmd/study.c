/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a case on several meshes with several orders, each run in a process, and reports errors and their rates. */
#include "ewi_file.h"
#include "study.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { MOST_MESHES = 64, MOST_JOBS = 1024, MOST_TIMES = 20 }; /* MOST_TIMES: doublings of the cells */

/* Prints why there will be no table. */
__attribute__((format(printf, 2, 3))) static void refuse(struct study *study, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(study->error, sizeof study->error, format, arguments);
    va_end(arguments);
    cli_error("%s", study->error);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool add_order(struct study *study, long order)
{
    if (order < 1 || order > EW_MAX_ORDER)
        return false;
    study->order[study->orders++] = (int)order;
    return true;
}

/* Returns the order that is given twice; 0: all differ. */
static int order_given_twice(const double *number, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < k; i++)
            if (number[i] == number[k])
                return (int)number[k];
    return 0;
}

/* Reads "1..4", "2" or "1,3,5". */
static int read_orders(struct study *study)
{
    const char *text = study->arguments->orders ? study->arguments->orders : "1..4";
    double number[EW_MAX_ORDER];
    long first, last;
    char rest;
    bool good = true;
    int count = cli_read_numbers(text, 1, EW_MAX_ORDER, number);
    if (sscanf(text, "%ld..%ld%c", &first, &last, &rest) == 2) {
        good = first <= last && last <= EW_MAX_ORDER;
        for (long p = first; good && p <= last; p++)
            good = add_order(study, p);
    } else {
        good = count > 0;
        for (int k = 0; good && k < count; k++)
            good = number[k] == floor(number[k]) && add_order(study, (long)number[k]);
    }
    int twice = good ? order_given_twice(number, count) : 0;
    if (good && twice == 0)
        return EX_OK;
    if (twice > 0)
        return cli_misuse(&cmd_study, "--orders has the degree %d twice: \"%s\".", twice, text);
    return cli_misuse(&cmd_study, "--orders needs degrees from 1 to %d, for example 1..4 or 1,3, not \"%s\".",
                      EW_MAX_ORDER, text);
}

static int read_norm(struct study *study)
{
    const char *text = study->arguments->norm;
    while (text && study_norms[study->norm] && strcmp(study_norms[study->norm], text) != 0)
        study->norm++;
    if (study_norms[study->norm])
        return EX_OK;
    return cli_misuse(&cmd_study, "--norm needs l2 or linf, not \"%s\".", text);
}

static int read_formats(const struct study *study)
{
    const struct study_arguments *given = study->arguments;
    if ((int)given->csv + (int)given->latex + (int)study->arguments->common.json > 1)
        return cli_misuse(&cmd_study, "--csv, --latex and --json exclude each other.");
    if (given->meshes && given->refine)
        return cli_misuse(&cmd_study, "--meshes and --refine exclude each other.");
    if (given->png && !cmd_ends_with(given->png, ".png"))
        return cli_misuse(&cmd_study, "--png needs a name that ends in .png, not \"%s\".", given->png);
    return given->png ? cli_check_target(given->png) : EX_OK;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

/* The setting mesh="PATH", relative to the current folder or, if it has no such file, to the case's folder. */
static char *mesh_setting(const char *path)
{
    char *absolute = realpath(path, NULL), *setting = cli_mesh_setting(absolute ? absolute : path);
    free(absolute);
    return setting;
}

/* The option's value for sentences about it; the caller frees it. Without the file, the case's folder is tried, too. */
static char *shown_mesh(const struct study *study, const char *path)
{
    bool elsewhere = path[0] != '/' && strchr(study->arguments->common.case_path, '/') && access(path, F_OK) != 0;
    return cli_format("%s%s", path, elsewhere ? " (which is not in the current folder)" : "");
}

/* `option` and `value`: the user's words. */
static void add_mesh(struct study *study, const char *name, char *setting, const char *option, const char *value)
{
    study->mesh = cli_reallocate(study->mesh, (size_t)(study->meshes + 1) * sizeof *study->mesh);
    struct study_mesh *mesh = &study->mesh[study->meshes++];
    *mesh = (struct study_mesh){.setting = setting, .given = setting ? cli_format("%s %s", option, value) : NULL};
    snprintf(mesh->name, sizeof mesh->name, "%s", name);
}

/* Reads file names separated by commas; tables show them without folder and ending. */
static int read_mesh_files(struct study *study)
{
    char *list = cli_copy(study->arguments->meshes), *rest = list;
    int code = EX_OK;
    for (char *path; code == EX_OK && (path = strsep(&rest, ",")) != NULL;) {
        char *setting = path[0] ? mesh_setting(path) : NULL, name[STUDY_NAME], *point;
        snprintf(name, sizeof name, "%s", ewi_file_name(path));
        point = strrchr(name, '.');
        if (!setting || study->meshes == MOST_MESHES) {
            code = cli_misuse(&cmd_study, "--meshes needs the names of 1 to %d files, separated by commas.",
                              (int)MOST_MESHES);
            free(setting);
        } else {
            if (point && point > name)
                *point = '\0';
            char *shown = shown_mesh(study, path);
            add_mesh(study, name, setting, "--meshes", shown);
            free(shown);
        }
    }
    free(list);
    return code;
}

/* ---- a run, in a process of its own ------------------------------------------------------------------------------ */

struct task {
    pid_t pid;
    int pipe;
    FILE *messages;
    struct study_result *result;
    char name[STUDY_NAME + 32]; /* "annulus-B, p = 4" */
};

static void take_end(void *context, const struct cli_summary *summary, int code, int error)
{
    struct study_result *result = context;
    (void)error;
    result->code = code;
    if (summary->mesh) {
        result->elements = summary->mesh->elements;
        result->edges = summary->mesh->edges;
        result->area = summary->mesh->area;
    }
    if (summary->case_info)
        snprintf(result->title, sizeof result->title, "%s", cli_title_of(summary->case_info));
    if (summary->solver) {
        snprintf(result->law, sizeof result->law, "%s", summary->solver->law->name);
        snprintf(result->flux, sizeof result->flux, "%s", summary->solver->flux);
        snprintf(result->scheme, sizeof result->scheme, "%s", summary->solver->scheme);
    }
    snprintf(result->stop, sizeof result->stop, "%s", summary->stop);
    snprintf(result->sentence, sizeof result->sentence, "%s", summary->error ? summary->error : "");
    result->steps = summary->run.steps;
    result->time = summary->run.time;
    result->seconds = summary->total_seconds;
    if (summary->run.has_last) {
        memcpy(result->l2, summary->run.norms.error_l2, sizeof result->l2);
        memcpy(result->linf, summary->run.norms.error_linf, sizeof result->linf);
    }
}

/* Reads the case without running it. */
static void check_case(const struct cli_arguments *arguments, struct study_result *result)
{
    const ew_host host = {.log = NULL};
    struct cli_report report = {0};
    ew_case *that = NULL;
    ew_error error;
    const struct cli_case what = cli_case_of(arguments);
    int status = cli_read_case(&what, &host, &report, &that, &error);
    result->code = cli_exit_code(status, EX_NOINPUT);
    if (status != EW_OK) {
        snprintf(result->sentence, sizeof result->sentence, "%s",
                 report.count > 0 ? report.sentence[0] : error.message);
    } else {
        const ew_problem *problem = ew_case_problem(that);
        ew_case_info info;
        ew_case_get_info(that, &info);
        snprintf(result->law, sizeof result->law, "%s", problem->law ? problem->law : EW_DEFAULT_LAW);
        result->has_exact = problem->exact.formula || problem->exact.callback;
        memcpy(result->cells, info.cells, sizeof result->cells);
    }
    cli_free_report(&report);
    ew_case_destroy(that);
}

/* Runs in the child: the arguments become those of one run. */
static void work(struct study *study, const struct study_mesh *mesh, int order, bool run, struct study_result *result)
{
    struct cli_arguments *arguments = &study->arguments->common;
    char text[32];
    snprintf(text, sizeof text, "order=%d", order);
    if (mesh && mesh->setting)
        cli_add_setting(arguments, mesh->given, mesh->setting);
    cli_add_setting(arguments, "--orders", text);
    const struct cli_run task = {.what = cli_case_of(arguments),
                                 .options = {.no_output = true, .context = result},
                                 .end = take_end};
    if (run)
        result->code = cli_run_case(&task);
    else
        check_case(arguments, result);
}

static bool cannot_begin(struct study *study, struct task *task)
{
    refuse(study, "cannot start a run: %s", strerror(errno));
    if (task->messages)
        fclose(task->messages);
    return false;
}

/* Starts a run or a check. Its stderr is stored and printed with its name; its result comes through the pipe. */
static bool begin_task(struct study *study, const struct study_mesh *mesh, int order, bool run, struct task *task)
{
    int ends[2];
    task->messages = tmpfile();
    if (!task->messages || pipe(ends) != 0)
        return cannot_begin(study, task);
    fflush(NULL);
    task->pid = fork();
    if (task->pid == 0) {
        struct study_result result = {.code = EX_SOFTWARE};
        close(ends[0]);
        dup2(fileno(task->messages), STDERR_FILENO);
        work(study, mesh, order, run, &result);
        bool told = write(ends[1], &result, sizeof result) == (ssize_t)sizeof result;
        fflush(stderr);
        _exit(told ? EX_OK : EX_IOERR);
    }
    int reason = errno;
    close(ends[1]);
    task->pipe = ends[0];
    if (task->pid > 0)
        return true;
    close(ends[0]);
    errno = reason;
    return cannot_begin(study, task);
}

/* Prints warnings and errors, each line with the run's name, and no line twice. */
static void report_messages(struct study *study, const struct task *task)
{
    static const char prefix[] = "edgewise: ";
    char line[2048];
    rewind(task->messages);
    while (fgets(line, sizeof line, task->messages)) {
        const char *text = strncmp(line, prefix, sizeof prefix - 1) == 0 ? line + sizeof prefix - 1 : line;
        if (!cli_is_new(&study->told, text))
            continue;
        fprintf(stderr, "edgewise: %s%s%s", task->name, task->name[0] ? ": " : "", text);
        if (!strchr(line, '\n'))
            fputc('\n', stderr);
    }
}

/* Waits for the task's result and for its end. */
static void collect(struct task *task)
{
    struct study_result *result = task->result;
    size_t got = 0;
    int status = 0;
    for (ssize_t more = 1; got < sizeof *result && more != 0;) {
        more = read(task->pipe, (char *)result + got, sizeof *result - got);
        if (more < 0 && errno != EINTR)
            break;
        got += more > 0 ? (size_t)more : 0;
    }
    while (waitpid(task->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (got < sizeof *result) {
        *result = (struct study_result){.code = EX_SOFTWARE, .stop = "failed"};
        if (WIFSIGNALED(status))
            snprintf(result->sentence, sizeof result->sentence, "the run was killed by signal %d", WTERMSIG(status));
        else
            snprintf(result->sentence, sizeof result->sentence, "the run ended without a result");
        fprintf(task->messages, "%s\n", result->sentence);
    }
    if (result->code == EX_OK && strcmp(result->stop, "interrupted") == 0) {
        result->code = EX_TEMPFAIL;
        snprintf(result->sentence, sizeof result->sentence, "interrupted by a signal");
        fprintf(task->messages, "%s\n", result->sentence);
    }
}

static void drop(struct task *task)
{
    close(task->pipe);
    fclose(task->messages);
    task->pid = 0;
}

static void end_task(struct study *study, struct task *task)
{
    collect(task);
    report_messages(study, task);
    drop(task);
}

/* ---- checks before running --------------------------------------------------------------------------------------- */

/*
 * Checks the case with a mesh (NULL: its own) at the first order that it accepts. If it accepts none, prints the first
 * order's error.
 */
static bool check_mesh(struct study *study, const struct study_mesh *mesh, struct study_result *result)
{
    struct study_result at[EW_MAX_ORDER];
    struct task task[EW_MAX_ORDER] = {{0}};
    int looks = 0, good = -1;
    while (looks < study->orders && good < 0) {
        int k = looks;
        task[k].result = &at[k];
        if (!begin_task(study, mesh, study->order[k], false, &task[k]))
            break;
        collect(&task[k]);
        good = at[k].code == EX_OK ? k : -1;
        looks++;
    }
    bool begun = good >= 0 || looks == study->orders;
    if (good < 0 && begun)
        report_messages(study, &task[0]);
    if (begun)
        *result = at[good < 0 ? 0 : good];
    for (int k = 0; k < looks; k++)
        drop(&task[k]);
    if (!begun)
        *result = (struct study_result){.code = EX_OSERR};
    return good >= 0;
}

/* Finds --variable among the law's conserved variables. */
static int choose_variable(struct study *study, const char *law)
{
    const ew_law *found = ew_law_find(law);
    const char *name = study->arguments->variable;
    char names[EW_MAX_VARIABLES * 16] = "";
    for (int m = 0; found && name && m < found->variables; m++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", m > 0 ? ", " : "", found->conserved[m]);
        if (strcmp(found->conserved[m], name) == 0)
            study->variable = m;
    }
    if (!name || study->variable >= 0)
        return EX_OK;
    refuse(study, "--variable %s: the law \"%s\" has no such conserved variable; it has %s", name, law, names);
    return EX_USAGE;
}

/* Checks the requirements of all runs. */
static int accept(struct study *study, const struct study_result *result)
{
    if (result->has_exact)
        return choose_variable(study, result->law);
    refuse(study,
           "%s has no exact solution, so there are no errors to study; give it one, for example exact = \"initial\"",
           study->arguments->common.case_path);
    return EX_CONFIG;
}

/* Checks each of --meshes; an unusable one does not affect the others. */
static int check_mesh_files(struct study *study)
{
    struct study_result result;
    int code = EX_OK, good = 0;
    for (int k = 0; k < study->meshes && code == EX_OK; k++) {
        struct study_mesh *mesh = &study->mesh[k];
        if (check_mesh(study, mesh, &result)) {
            code = good++ == 0 ? accept(study, &result) : EX_OK;
        } else {
            mesh->code = result.code;
            snprintf(mesh->sentence, sizeof mesh->sentence, "%s", result.sentence);
        }
    }
    if (code == EX_OK && good == 0) {
        code = study->mesh[0].code;
        if (!study->error[0])
            snprintf(study->error, sizeof study->error, "%s", study->mesh[0].sentence);
    }
    return code;
}

/* Handles --refine, or the case's own mesh alone. */
static int check_own_mesh(struct study *study)
{
    const char *refine = study->arguments->refine;
    long times = refine ? strtol(refine, NULL, 10) : 0;
    struct study_result result = {0};
    if (!check_mesh(study, NULL, &result)) {
        if (!study->error[0])
            snprintf(study->error, sizeof study->error, "%s", result.sentence);
        return result.code;
    }
    int code = accept(study, &result);
    if (code != EX_OK)
        return code;
    if (!refine) {
        add_mesh(study, "the case's", NULL, NULL, NULL);
        return EX_OK;
    }
    if (result.cells[0] == 0) {
        refuse(study, "--refine doubles the cells of a rectangle; for a mesh file, give finer files with --meshes");
        return EX_CONFIG;
    }
    for (long k = 0; k <= times; k++) {
        char name[STUDY_NAME], *setting = cli_allocate(96);
        double nx = ldexp(result.cells[0], (int)k), ny = ldexp(result.cells[1], (int)k);
        snprintf(name, sizeof name, "%.0fx%.0f", nx, ny);
        snprintf(setting, 96, "mesh.rectangle.cells=[%.0f,%.0f]", nx, ny);
        add_mesh(study, name, setting, "--refine", refine);
    }
    return EX_OK;
}

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

static void report_run(const struct study *study, const struct task *task)
{
    const struct study_result *result = task->result;
    int variable = study->variable < 0 ? 0 : study->variable;
    if (study->arguments->common.quiet || result->code != EX_OK)
        return;
    fprintf(stderr, "%s: %lld triangles, %s error %.3e, %.2f s\n", task->name, (long long)result->elements,
            study->norm == 0 ? "L2" : "Linf", study->norm == 0 ? result->l2[variable] : result->linf[variable],
            result->seconds);
}

/* Waits for the next task to end. Forwards a signal that was sent only to this process. */
static struct task *wait_for_one(struct task *task, int jobs)
{
    struct pollfd *watched = cli_allocate((size_t)jobs * sizeof *watched);
    struct task *ended = NULL;
    bool handed_on = false;
    for (int k = 0; k < jobs; k++)
        watched[k] = (struct pollfd){.fd = task[k].pid > 0 ? task[k].pipe : -1, .events = POLLIN};
    while (!ended) {
        int ready = poll(watched, (nfds_t)jobs, 200);
        for (int k = 0; ready > 0 && k < jobs && !ended; k++)
            if (watched[k].revents)
                ended = &task[k];
        for (int k = 0; cli_caught_signal() && !handed_on && k < jobs; k++)
            if (task[k].pid > 0)
                kill(task[k].pid, SIGTERM);
        handed_on = cli_caught_signal() != 0;
    }
    free(watched);
    return ended;
}

/* Starts the next run in a free place; skips it if its mesh is unusable. */
static int begin_next(struct study *study, int next, struct task *task, int *busy)
{
    int mesh = next / study->orders, order = next % study->orders;
    if (study->mesh[mesh].code != EX_OK)
        return EX_OK;
    task->result = study_at(study, mesh, order);
    snprintf(task->name, sizeof task->name, "%s, p = %d", study->mesh[mesh].name, study->order[order]);
    if (begin_task(study, &study->mesh[mesh], study->order[order], true, task)) {
        ++*busy;
        return EX_OK;
    }
    task->pid = 0;
    return EX_OSERR;
}

static int run_all(struct study *study, int jobs)
{
    int runs = study->meshes * study->orders, next = 0, busy = 0, code = EX_OK;
    struct task *task = cli_allocate((size_t)jobs * sizeof *task);
    for (;;) {
        bool more = next < runs && code == EX_OK && !cli_caught_signal();
        struct task *free_one = NULL;
        for (int k = 0; k < jobs; k++)
            if (task[k].pid == 0)
                free_one = &task[k];
        if (!more && busy == 0)
            break;
        if (more && free_one) {
            code = begin_next(study, next++, free_one, &busy);
            continue;
        }
        struct task *ended = wait_for_one(task, jobs);
        end_task(study, ended);
        busy--;
        if (code == EX_OK)
            report_run(study, ended);
    }
    free(task);
    return code;
}

static int worst_code(const struct study *study)
{
    for (int k = 0; k < study->meshes * study->orders; k++)
        if (study->result[k].code != EX_OK)
            return study->result[k].code;
    return EX_OK;
}

static void print_tables(struct study *study)
{
    study->printed = true;
    const struct study_arguments *given = study->arguments;
    if (study->arguments->common.json)
        study_print_json(study);
    else if (given->csv)
        study_print_csv(study);
    else if (given->latex)
        study_print_latex(study);
    else
        study_print_text(study);
}

static int study_case(struct study *study, int jobs)
{
    int runs = study->meshes * study->orders;
    study->result = cli_allocate((size_t)runs * sizeof *study->result);
    for (int k = 0; k < runs; k++) {
        const struct study_mesh *mesh = &study->mesh[k / study->orders];
        bool lacks = mesh->code != EX_OK;
        study->result[k] = (struct study_result){.code = lacks ? mesh->code : EX_TEMPFAIL};
        snprintf(study->result[k].stop, sizeof study->result[k].stop, "%s", lacks ? "failed" : "");
        snprintf(study->result[k].sentence, STUDY_SENTENCE, "%s", lacks ? mesh->sentence : "was not started");
    }
    cli_catch_signals();
    int code = run_all(study, jobs);
    if (code != EX_OK)
        return code;
    print_tables(study);
    code = worst_code(study);
    if (study->arguments->png && study_good(study)) {
        int drawn = study_write_picture(study, study->arguments->png);
        code = code == EX_OK ? drawn : code;
    }
    code = cli_finish_stdout(code);
    if (cli_caught_signal())
        cli_end_by_signal(cli_caught_signal());
    return code;
}

static int study(struct cli_arguments *arguments)
{
    struct study_arguments *given = (struct study_arguments *)arguments;
    struct study study = {.arguments = given, .variable = -1};
    int jobs = given->jobs ? (int)strtol(given->jobs, NULL, 10) : 1, code = cmd_refuse_ranks("make the whole study");
    code = code ? code : read_orders(&study);
    code = code ? code : read_norm(&study);
    code = code ? code : read_formats(&study);
    if (code == EX_OK && jobs > 1)
        cli_share_threads(arguments, jobs);
    code = code || !given->meshes ? code : read_mesh_files(&study);
    code = code ? code : given->meshes ? check_mesh_files(&study) : check_own_mesh(&study);
    code = code ? code : study_case(&study, jobs);
    if (arguments->json && !study.printed && code != EX_OK && code != EX_USAGE) {
        study_print_json(&study);
        code = cli_finish_stdout(code);
    }
    for (int k = 0; k < study.meshes; k++) {
        free(study.mesh[k].setting);
        free(study.mesh[k].given);
    }
    cli_free_report(&study.told);
    free(study.mesh);
    free(study.result);
    return code;
}

#define ARGUMENTS struct study_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("meshes", "FILE[,FILE...]", meshes, "Gmsh files from coarse to fine, instead of the case's mesh"),
    CLI_WHOLE_OPTION("refine", "N", refine, 0, MOST_TIMES, "the case's rectangle, with its cells doubled 0 to N times"),
    CLI_TEXT_OPTION("orders", "A..B|A[,B...]", orders, "polynomial degrees; the default is 1..4"),
    CLI_TEXT_OPTION("norm", "l2|linf", norm, "norm of the errors; the default is l2"),
    CLI_TEXT_OPTION("variable", "NAME", variable,
                    "print only this conserved variable; the default is all and, for --png, the first one"),
    CLI_WHOLE_OPTION("jobs", "N", jobs, 1, MOST_JOBS, "number of runs at a time; the default is 1"),
    CLI_FLAG_OPTION("csv", csv, "print a line of values for each run"),
    CLI_FLAG_OPTION("latex", latex, "print tables for LaTeX"),
    CLI_JSON_OPTION("print one JSON object"),
    CLI_TEXT_OPTION("png", "FILE.png", png, "also draw the errors over the mesh size"),
    CLI_BACKEND_OPTION,
    CLI_THREADS_OPTION("threads of each run on the backend omp; the default shares all among the jobs"),
    CLI_SET_OPTION("set any key of the case, for example flux=\"roe\"; may be repeated"),
    CLI_QUIET_OPTION("do not report each run as it ends"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_study = {
    .name = "study",
    .operand = "CASE.cfg",
    .summary = "Run a case on several meshes and orders and print the convergence rates",
    .text = "The case needs an exact solution. A run that fails is reported and does not affect the others.",
    .options = options,
    .size = sizeof(struct study_arguments),
    .run = study,
};
