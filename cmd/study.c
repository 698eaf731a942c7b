/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a case on several meshes with several orders, each run a process of its own, and tells its errors and their rates. */
#include "study.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { MOST_MESHES = 64, MOST_JOBS = 1024, MOST_TIMES = 20 }; /* times: that cells are doubled */

static int usage_error(void)
{
    return cli_usage_error(&cmd_study);
}

/* Says why there will be no table. */
__attribute__((format(printf, 2, 3))) static void refuse(struct study *study, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(study->error, sizeof study->error, format, arguments);
    va_end(arguments);
    cli_error("%s", study->error);
}

/* ---- options ---------------------------------------------------------------------------------------------------------- */

static bool add_order(struct study *study, long order)
{
    if (order < 1 || order > EW_MAX_ORDER)
        return false;
    study->order[study->orders++] = (int)order;
    return true;
}

/* 0: all differ. */
static int order_given_twice(const double *number, int count)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < k; i++)
            if (number[i] == number[k])
                return (int)number[k];
    return 0;
}

/* "1..4", "2", "1,3,5" */
static int read_orders(struct study *study)
{
    const char *text = study->arguments->study.orders ? study->arguments->study.orders : "1..4";
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
        cli_error("--orders has the degree %d twice: \"%s\".", twice, text);
    else
        cli_error("--orders needs degrees from 1 to %d, for example 1..4 or 1,3, not \"%s\".", EW_MAX_ORDER, text);
    return usage_error();
}

static int read_norm(struct study *study)
{
    const char *text = study->arguments->study.norm;
    while (text && study_norms[study->norm] && strcmp(study_norms[study->norm], text) != 0)
        study->norm++;
    if (study_norms[study->norm])
        return EX_OK;
    cli_error("--norm needs l2 or linf, not \"%s\".", text);
    return usage_error();
}

static int read_formats(const struct study *study)
{
    const struct cli_study_arguments *given = &study->arguments->study;
    if ((int)given->csv + (int)given->latex + (int)study->arguments->json > 1) {
        cli_error("--csv, --latex and --json exclude each other.");
        return usage_error();
    }
    if (given->meshes && given->refine) {
        cli_error("--meshes and --refine exclude each other.");
        return usage_error();
    }
    if (given->png && !cmd_ends_with(given->png, ".png")) {
        cli_error("--png needs a name that ends in .png, not \"%s\".", given->png);
        return usage_error();
    }
    return given->png ? cli_check_target(given->png) : EX_OK;
}

/* ---- meshes ----------------------------------------------------------------------------------------------------------- */

/* mesh="PATH": as the command line means it, or, if there is no such file, as the case file does. */
static char *mesh_setting(const char *path)
{
    char *absolute = realpath(path, NULL);
    const char *from = absolute ? absolute : path;
    size_t size = 2 * strlen(from) + sizeof "mesh=\"\"", k;
    char *setting = cli_allocate(size);
    k = (size_t)snprintf(setting, size, "mesh=\"");
    for (; *from; from++) {
        if (*from == '"' || *from == '\\')
            setting[k++] = '\\';
        setting[k++] = *from;
    }
    snprintf(setting + k, size - k, "\"");
    free(absolute);
    return setting;
}

/* `option` with its `value` is how the user asked for it. */
static void add_mesh(struct study *study, const char *name, char *setting, const char *option, const char *value)
{
    study->mesh = cli_reallocate(study->mesh, (size_t)(study->meshes + 1) * sizeof *study->mesh);
    char *given = NULL;
    if (setting) {
        size_t size = strlen(option) + strlen(value) + 2;
        given = cli_allocate(size);
        snprintf(given, size, "%s %s", option, value);
    }
    study->mesh[study->meshes] = (struct study_mesh){.setting = setting, .given = given};
    snprintf(study->mesh[study->meshes++].name, STUDY_NAME, "%s", name);
}

/* Files with commas between them; they are called by their names without folder and ending. */
static int read_mesh_files(struct study *study)
{
    char *list = cli_copy(study->arguments->study.meshes), *rest = list;
    int code = EX_OK;
    for (char *path; code == EX_OK && (path = strsep(&rest, ",")) != NULL;) {
        char *setting = path[0] ? mesh_setting(path) : NULL, *slash = strrchr(path, '/');
        char name[STUDY_NAME], *point;
        snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
        point = strrchr(name, '.');
        if (!setting || study->meshes == MOST_MESHES) {
            cli_error("--meshes needs the names of 1 to %d files, separated by commas.", (int)MOST_MESHES);
            code = usage_error();
            free(setting);
        } else {
            if (point && point > name)
                *point = '\0';
            add_mesh(study, name, setting, "--meshes", path);
        }
    }
    free(list);
    return code;
}

/* ---- a run, in a process of its own -------------------------------------------------------------------------------------- */

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
        snprintf(result->title, sizeof result->title, "%s",
                 summary->case_info->plan.title && summary->case_info->plan.title[0] ? summary->case_info->plan.title
                                                                                     : summary->case_info->plan.name);
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

/* What the case is. */
static void look(const struct cli_arguments *arguments, struct study_result *result)
{
    const ew_host host = {.log = NULL};
    struct cli_report report = {0};
    ew_case *that = NULL;
    ew_error error;
    const struct cli_case what = cli_case_of(arguments);
    int status = cli_read_case(&what, &host, &report, &that, &error);
    result->code = cli_exit_code(status, EX_NOINPUT);
    if (status != EW_OK) {
        snprintf(result->sentence, sizeof result->sentence, "%s", report.count > 0 ? report.sentence[0] : error.message);
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

static void child(const struct cli_arguments *arguments, bool run, struct study_result *result)
{
    const struct cli_run task = {.what = cli_case_of(arguments),
                                 .options = {.no_output = true, .restart = arguments->restart, .context = result},
                                 .overcommit = arguments->overcommit,
                                 .end = take_end};
    if (run)
        result->code = cli_run_case(&task);
    else
        look(arguments, result);
}

/* The arguments of one run: those of the study with settings of its own. */
static struct cli_arguments arguments_of(const struct study *study, const struct study_mesh *mesh, const char *order,
                                         char **setting, char **name)
{
    struct cli_arguments arguments = *study->arguments;
    size_t count = arguments.settings;
    for (size_t k = 0; k < count; k++) {
        setting[k] = arguments.setting[k];
        name[k] = arguments.setting_name[k];
    }
    const char *const own[] = {mesh ? mesh->setting : NULL, order};
    const char *const own_name[] = {mesh ? mesh->given : NULL, "--orders"};
    for (size_t k = 0; k < 2; k++)
        if (own[k]) {
            setting[count] = (char *)own[k];
            name[count++] = (char *)own_name[k];
        }
    arguments.settings = count;
    arguments.setting = setting;
    arguments.setting_name = name;
    arguments.no_output = arguments.quiet = true;
    arguments.json = false;
    arguments.output = NULL;
    return arguments;
}

/* A run, or a look. What a task says on stderr is kept and told with its name; what it is asked for goes through the pipe. */
static bool begin_task(struct study *study, const struct study_mesh *mesh, int order, bool run, struct task *task)
{
    char text[32], **setting = cli_allocate((study->arguments->settings + 2) * 2 * sizeof *setting);
    struct cli_arguments arguments;
    int ends[2];
    snprintf(text, sizeof text, "order=%d", order);
    arguments = arguments_of(study, mesh, text, setting, setting + study->arguments->settings + 2);
    task->messages = tmpfile();
    if (!task->messages || pipe(ends) != 0) {
        refuse(study, "cannot start a run: %s", strerror(errno));
        free(setting);
        return false;
    }
    fflush(NULL);
    task->pid = fork();
    if (task->pid == 0) {
        struct study_result result = {.code = EX_SOFTWARE};
        close(ends[0]);
        dup2(fileno(task->messages), STDERR_FILENO);
        child(&arguments, run, &result);
        bool told = write(ends[1], &result, sizeof result) == (ssize_t)sizeof result;
        fflush(stderr);
        _exit(told ? EX_OK : EX_IOERR);
    }
    close(ends[1]);
    task->pipe = ends[0];
    free(setting);
    if (task->pid > 0)
        return true;
    refuse(study, "cannot start a run: %s", strerror(errno));
    close(ends[0]);
    fclose(task->messages);
    return false;
}

/* Whether it is the first time. */
static bool is_new_line(struct study *study, const char *line)
{
    for (size_t k = 0; k < study->told; k++)
        if (strcmp(study->line[k], line) == 0)
            return false;
    study->line = cli_reallocate(study->line, (study->told + 1) * sizeof *study->line);
    study->line[study->told++] = cli_copy(line);
    return true;
}

/* Warnings and errors, each line with the run's name; what other runs have said in the same words is not said again. */
static void tell_messages(struct study *study, const struct task *task)
{
    static const char prefix[] = "edgewise: ";
    char line[2048];
    rewind(task->messages);
    while (fgets(line, sizeof line, task->messages)) {
        const char *text = strncmp(line, prefix, sizeof prefix - 1) == 0 ? line + sizeof prefix - 1 : line;
        if (!is_new_line(study, text))
            continue;
        fprintf(stderr, "edgewise: %s%s%s", task->name, task->name[0] ? ": " : "", text);
        if (!strchr(line, '\n'))
            fputc('\n', stderr);
    }
}

/* Waits for what the task has to tell, and for its end. */
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
    tell_messages(study, task);
    drop(task);
}

/* ---- looking before running --------------------------------------------------------------------------------------------- */

/*
 * Looks at the case with a mesh (NULL: its own) at the first order that it can have. If it can have none, what is wrong at the first
 * one is told.
 */
static bool look_at(struct study *study, const struct study_mesh *mesh, struct study_result *result)
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
        tell_messages(study, &task[0]);
    if (begun)
        *result = at[good < 0 ? 0 : good];
    for (int k = 0; k < looks; k++)
        drop(&task[k]);
    if (!begun)
        *result = (struct study_result){.code = EX_OSERR};
    return good >= 0;
}

/* The numbers of --variable's law, if that has it. */
static int choose_variable(struct study *study, const char *law)
{
    const ew_law *found = ew_law_find(law);
    const char *name = study->arguments->study.variable;
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

/* What must be so for any run to make sense. */
static int accept(struct study *study, const struct study_result *result)
{
    if (result->has_exact)
        return choose_variable(study, result->law);
    refuse(study, "%s has no exact solution, so there are no errors to study; give it one, for example exact = \"initial\"",
           study->arguments->case_path);
    return EX_CONFIG;
}

/* Each of --meshes by itself: one that cannot be had leaves the others as they are. */
static int look_at_files(struct study *study)
{
    struct study_result result;
    int code = EX_OK, good = 0;
    for (int k = 0; k < study->meshes && code == EX_OK; k++) {
        struct study_mesh *mesh = &study->mesh[k];
        if (look_at(study, mesh, &result)) {
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

/* --refine, or the case's own mesh alone. */
static int look_at_own_mesh(struct study *study)
{
    const char *refine = study->arguments->study.refine;
    long times = refine ? strtol(refine, NULL, 10) : 0;
    struct study_result result = {0};
    if (!look_at(study, NULL, &result)) {
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

/* ---- the matrix ------------------------------------------------------------------------------------------------------- */

/* Runs that share the cores share them evenly, unless --threads says how; it makes no difference to results. */
static void share_threads(struct cli_arguments *arguments, int jobs, char **setting, char **name, char *text,
                          size_t size)
{
    for (size_t k = 0; k < arguments->settings; k++)
        if (strncmp(arguments->setting[k], "backend.threads", 15) == 0)
            return;
    int cores = ew_thread_count(0, NULL, 0);
    snprintf(text, size, "backend.threads=%d", cores / jobs > 1 ? cores / jobs : 1);
    for (size_t k = 0; k < arguments->settings; k++) {
        setting[k] = arguments->setting[k];
        name[k] = arguments->setting_name[k];
    }
    setting[arguments->settings] = name[arguments->settings] = text;
    arguments->setting = setting;
    arguments->setting_name = name;
    arguments->settings++;
}

static void tell_run(const struct study *study, const struct task *task)
{
    const struct study_result *result = task->result;
    int variable = study->variable < 0 ? 0 : study->variable;
    if (study->arguments->quiet || result->code != EX_OK)
        return;
    fprintf(stderr, "%s: %lld triangles, %s error %.3e, %.2f s\n", task->name, (long long)result->elements,
            study->norm == 0 ? "L2" : "Linf", study->norm == 0 ? result->l2[variable] : result->linf[variable], result->seconds);
}

/* The task that ends next; the others go on. A signal that only this process was sent is handed on. */
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

static int run_all(struct study *study, int jobs)
{
    int runs = study->meshes * study->orders, next = 0, busy = 0, code = EX_OK;
    struct task *task = cli_allocate((size_t)jobs * sizeof *task);
    memset(task, 0, (size_t)jobs * sizeof *task);
    while (busy > 0 || (next < runs && code == EX_OK && !cli_caught_signal())) {
        struct task *free_one = NULL;
        for (int k = 0; k < jobs; k++)
            if (task[k].pid == 0)
                free_one = &task[k];
        if (free_one && next < runs && code == EX_OK && !cli_caught_signal()) {
            int mesh = next / study->orders, order = next % study->orders;
            if (study->mesh[mesh].code != EX_OK) {
                next++;
                continue;
            }
            free_one->result = study_at(study, mesh, order);
            snprintf(free_one->name, sizeof free_one->name, "%s, p = %d", study->mesh[mesh].name, study->order[order]);
            if (begin_task(study, &study->mesh[mesh], study->order[order], true, free_one)) {
                next++;
                busy++;
            } else {
                free_one->pid = 0;
                code = EX_OSERR;
            }
            continue;
        }
        if (busy == 0)
            continue;
        struct task *ended = wait_for_one(task, jobs);
        end_task(study, ended);
        busy--;
        if (code == EX_OK)
            tell_run(study, ended);
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
    const struct cli_study_arguments *given = &study->arguments->study;
    if (study->arguments->json)
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
    if (study->arguments->study.png && study_good(study)) {
        int drawn = study_write_picture(study, study->arguments->study.png);
        code = code == EX_OK ? drawn : code;
    }
    code = cli_finish_stdout(code);
    if (cli_caught_signal())
        cli_end_by_signal(cli_caught_signal());
    return code;
}

static int study(const struct cli_arguments *given)
{
    struct cli_arguments arguments = *given;
    struct study study = {.arguments = &arguments, .variable = -1};
    int jobs = given->study.jobs ? (int)strtol(given->study.jobs, NULL, 10) : 1, code = read_orders(&study);
    char threads[64], **setting = cli_allocate(2 * (given->settings + 1) * sizeof *setting);
    code = code ? code : read_norm(&study);
    code = code ? code : read_formats(&study);
    if (code == EX_OK && jobs > 1)
        share_threads(&arguments, jobs, setting, setting + given->settings + 1, threads, sizeof threads);
    code = code || !given->study.meshes ? code : read_mesh_files(&study);
    code = code ? code : given->study.meshes ? look_at_files(&study) : look_at_own_mesh(&study);
    code = code ? code : study_case(&study, jobs);
    if (arguments.json && !study.printed && code != EX_OK && code != EX_USAGE) {
        study_print_json(&study);
        code = cli_finish_stdout(code);
    }
    for (int k = 0; k < study.meshes; k++) {
        free(study.mesh[k].setting);
        free(study.mesh[k].given);
    }
    for (size_t k = 0; k < study.told; k++)
        free(study.line[k]);
    free(study.line);
    free(study.mesh);
    free(study.result);
    free(setting);
    return code;
}

#define STUDY(name) offsetof(struct cli_arguments, study.name)

static const struct cli_option options[] = {
    {.name = "meshes", .argument = "FILE[,FILE...]", .kind = CLI_TEXT, .member = STUDY(meshes),
     .text = "Gmsh files from coarse to fine, instead of the case's mesh"},
    {.name = "refine", .argument = "N", .kind = CLI_TEXT, .member = STUDY(refine), .whole = true, .most = MOST_TIMES,
     .text = "the case's rectangle, with its cells doubled 0 to N times"},
    {.name = "orders", .argument = "A..B|A[,B...]", .kind = CLI_TEXT, .member = STUDY(orders),
     .text = "polynomial degrees; the default is 1..4"},
    {.name = "norm", .argument = "l2|linf", .kind = CLI_TEXT, .member = STUDY(norm),
     .text = "norm of the errors; the default is l2"},
    {.name = "variable", .argument = "NAME", .kind = CLI_TEXT, .member = STUDY(variable),
     .text = "print only this conserved variable; the default is all and, for --png, the first one"},
    {.name = "jobs", .argument = "N", .kind = CLI_TEXT, .member = STUDY(jobs), .whole = true, .least = 1,
     .most = MOST_JOBS,
     .text = "number of runs at a time; the default is 1"},
    {.name = "csv", .kind = CLI_FLAG, .member = STUDY(csv), .text = "print a line of values for each run"},
    {.name = "latex", .kind = CLI_FLAG, .member = STUDY(latex), .text = "print tables for LaTeX"},
    {.name = "json", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, json), .text = "print one JSON object"},
    {.name = "png", .argument = "FILE.png", .kind = CLI_TEXT, .member = STUDY(png),
     .text = "also draw the errors over the mesh size"},
    CLI_BACKEND_OPTION,
    {.name = "threads", .argument = "N", .kind = CLI_SETTING, .key = "backend.threads", .whole = true,
     .most = EW_MAX_THREADS,
     .text = "threads of each run on the backend omp; the default shares all among the jobs"},
    {.name = "set", .argument = "KEY=VALUE", .kind = CLI_SET,
     .text = "set any key of the case, for example flux=\"roe\"; may be repeated"},
    {.name = "quiet", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, quiet),
     .text = "do not report each run as it ends"},
    CLI_HELP_OPTION,
    {.name = NULL},
};

const struct cli_command cmd_study = {
    .name = "study",
    .operand = "CASE.cfg",
    .summary = "Run a case on several meshes and orders and print the convergence rates",
    .text = "The case needs an exact solution. A run that fails is reported and does not affect the others.",
    .options = options,
    .run = study,
};
