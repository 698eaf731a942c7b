/* SPDX-License-Identifier: BSD-2-Clause */
/* The convergence table as text, CSV, LaTeX, JSON and as a picture. */
#include "ewi_text.h"
#include "study.h"
#include "edgewise-plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

const char *const study_norms[] = {"l2", "linf", NULL};
static const char *const norm_names[] = {"L2", "Linf"};

static const double *errors_of(const struct study_result *result, int norm)
{
    return norm == 0 ? result->l2 : result->linf;
}

/* The error of a variable; NaN: unknown. */
static double error_of(const struct study *study, int mesh, int order, int norm, int variable)
{
    const struct study_result *result = study_at(study, mesh, order);
    return result->code == EX_OK ? errors_of(result, norm)[variable] : NAN;
}

/* The convergence rate from the previous mesh with a result; NaN: unknown. */
static double rate_of(const struct study *study, int mesh, int order, int norm, int variable)
{
    int before = mesh - 1;
    while (before >= 0 && study_at(study, before, order)->code != EX_OK)
        before--;
    if (before < 0)
        return NAN;
    double coarse = error_of(study, before, order, norm, variable);
    double fine = error_of(study, mesh, order, norm, variable);
    double finer = (double)study_at(study, mesh, order)->elements / (double)study_at(study, before, order)->elements;
    double rate = 2.0 * log(coarse / fine) / log(finer);
    return isfinite(rate) ? rate : NAN;
}

const struct study_result *study_good(const struct study *study)
{
    for (int k = 0; study->result && k < study->meshes * study->orders; k++)
        if (study->result[k].code == EX_OK)
            return &study->result[k];
    return NULL;
}

static const ew_law *law_of(const struct study *study)
{
    const struct study_result *good = study_good(study);
    return good ? ew_law_find(good->law) : NULL;
}

static bool is_asked(const struct study *study, int variable)
{
    return study->variable < 0 || study->variable == variable;
}

/* Number of triangles, from any run that knows it; 0: unknown. */
static int64_t elements_of(const struct study *study, int mesh)
{
    int64_t elements = 0;
    for (int p = 0; p < study->orders; p++)
        elements = study_at(study, mesh, p)->elements > 0 ? study_at(study, mesh, p)->elements : elements;
    return elements;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static int name_width(const struct study *study)
{
    int width = (int)strlen("mesh");
    for (int k = 0; k < study->meshes; k++)
        width = (int)strlen(study->mesh[k].name) > width ? (int)strlen(study->mesh[k].name) : width;
    return width;
}

static void print_head(const struct study *study, const char *what)
{
    printf("\n%s\n\n  %-*s %10s", what, name_width(study), "mesh", "triangles");
    for (int p = 0; p < study->orders; p++)
        printf("%*sp = %d", p == 0 ? 3 : 14, "", study->order[p]);
    printf("\n");
}

/* The name of a mesh and its number of triangles, if known. */
static void print_mesh(const struct study *study, int mesh)
{
    int64_t elements = elements_of(study, mesh);
    printf("  %-*s ", name_width(study), study->mesh[mesh].name);
    if (elements > 0)
        printf("%10lld", (long long)elements);
    else
        printf("%10s", "-");
}

static const char *rate_text(double rate, char text[16])
{
    if (isnan(rate))
        return "-";
    snprintf(text, 16, "%.3f", rate);
    return text;
}

static const char *how_failed(const struct study_result *result)
{
    return strcmp(result->stop, "interrupted") == 0 ? result->stop : result->stop[0] ? "failed" : "not begun";
}

static void print_errors(const struct study *study, int variable)
{
    char what[160], text[16];
    snprintf(what, sizeof what, "%s error of %s, and rate", norm_names[study->norm],
             law_of(study)->conserved[variable]);
    print_head(study, what);
    for (int k = 0; k < study->meshes; k++) {
        print_mesh(study, k);
        for (int p = 0; p < study->orders; p++) {
            double error = error_of(study, k, p, study->norm, variable);
            double rate = rate_of(study, k, p, study->norm, variable);
            if (isnan(error))
                printf("   %9s",
                       study_at(study, k, p)->code == EX_OK ? "no number" : how_failed(study_at(study, k, p)));
            else
                printf("   %.3e", error);
            printf(" %5s", rate_text(rate, text));
        }
        printf("\n");
    }
}

static void print_times(const struct study *study)
{
    print_head(study, "wall time in s, and steps");
    for (int k = 0; k < study->meshes; k++) {
        print_mesh(study, k);
        for (int p = 0; p < study->orders; p++) {
            const struct study_result *result = study_at(study, k, p);
            if (result->code == EX_OK)
                printf("   %9.2f %5lld", result->seconds, (long long)result->steps);
            else
                printf("   %9s %5s", how_failed(result), "-");
        }
        printf("\n");
    }
}

void study_print_text(const struct study *study)
{
    const struct study_result *good = study_good(study);
    if (!good)
        return;
    printf("%s: %s, flux %s, %s\n", good->title, good->law, good->flux, good->scheme);
    for (int m = 0; m < law_of(study)->variables; m++)
        if (is_asked(study, m))
            print_errors(study, m);
    print_times(study);
}

/* ---- CSV and JSON ------------------------------------------------------------------------------------------------ */

static void put_csv_number(double value)
{
    if (isnan(value))
        putchar(',');
    else
        printf(",%.17g", value);
}

/* One line per run; unknown values are empty. */
void study_print_csv(const struct study *study)
{
    const ew_law *law = law_of(study);
    printf("mesh,triangles,edges,order,steps,time,wall_s,stop");
    for (int norm = 0; law && study_norms[norm]; norm++)
        for (int m = 0; m < law->variables; m++)
            if (is_asked(study, m))
                printf(",%s_%s,rate_%s_%s", study_norms[norm], law->conserved[m], study_norms[norm], law->conserved[m]);
    printf("\n");
    for (int k = 0; k < study->meshes; k++)
        for (int p = 0; p < study->orders; p++) {
            const struct study_result *result = study_at(study, k, p);
            ewi_csv_text(stdout, study->mesh[k].name);
            if (result->code == EX_OK)
                printf(",%lld,%lld,%d,%lld,%.17g,%.6g,%s", (long long)result->elements, (long long)result->edges,
                       study->order[p], (long long)result->steps, result->time, result->seconds, result->stop);
            else
                printf(",,,%d,,,,%s", study->order[p], result->stop[0] ? how_failed(result) : "");
            for (int norm = 0; law && study_norms[norm]; norm++)
                for (int m = 0; m < law->variables; m++)
                    if (is_asked(study, m)) {
                        put_csv_number(error_of(study, k, p, norm, m));
                        put_csv_number(rate_of(study, k, p, norm, m));
                    }
            printf("\n");
        }
}

static void put_variables(struct cli_json *json, const char *name, const ew_law *law, const double *values)
{
    cli_json_variables(json, name, law ? law->variables : 0, law ? law->conserved : NULL, values);
}

static void put_run(struct cli_json *json, const struct study *study, int mesh, int order)
{
    const struct study_result *result = study_at(study, mesh, order);
    const ew_law *law = law_of(study);
    bool good = result->code == EX_OK;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "mesh", study->mesh[mesh].name);
    cli_json_integer(json, "order", study->order[order]);
    cli_json_text(json, "stop", good ? result->stop : result->stop[0] ? how_failed(result) : NULL);
    cli_json_text(json, "error", good ? NULL : result->sentence);
    cli_json_number(json, "elements", good ? (double)result->elements : NAN);
    cli_json_number(json, "edges", good ? (double)result->edges : NAN);
    cli_json_number(json, "steps", good ? (double)result->steps : NAN);
    cli_json_number(json, "time", good ? result->time : NAN);
    cli_json_number(json, "wall_s", good ? result->seconds : NAN);
    for (int norm = 0; norm < 2; norm++) {
        static const char *const errors[] = {"error_l2", "error_linf"}, *const rates[] = {"rate_l2", "rate_linf"};
        double rate[EW_MAX_VARIABLES];
        for (int m = 0; law && m < law->variables; m++)
            rate[m] = rate_of(study, mesh, order, norm, m);
        put_variables(json, errors[norm], law, good ? errors_of(result, norm) : NULL);
        put_variables(json, rates[norm], law, good ? rate : NULL);
    }
    cli_json_close(json, '}');
}

void study_print_json(const struct study *study)
{
    const struct study_result *good = study_good(study);
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "case", study->arguments->common.case_path);
    cli_json_text(&json, "error", study->error[0] ? study->error : NULL);
    cli_json_text(&json, "title", good ? good->title : NULL);
    cli_json_text(&json, "law", good ? good->law : NULL);
    cli_json_text(&json, "flux", good ? good->flux : NULL);
    cli_json_text(&json, "scheme", good ? good->scheme : NULL);
    cli_json_open(&json, "runs", '[');
    for (int k = 0; study->result && k < study->meshes; k++)
        for (int p = 0; p < study->orders; p++)
            put_run(&json, study, k, p);
    cli_json_close(&json, ']');
    cli_json_end(&json);
}

/* ---- LaTeX ------------------------------------------------------------------------------------------------------- */

static void put_latex_text(const char *text)
{
    for (; *text; text++)
        if (strchr("#$%&_{}", *text))
            printf("\\%c", *text);
        else if (strchr("\\^~", *text))
            printf("\\char`\\%c{}", *text);
        else
            putchar(*text);
}

/* 4.934e-03 as in the paper's tables: $4.934$E$-3$ */
static void put_latex_error(double error)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3e", error);
    char *e = strchr(digits, 'e');
    if (isnan(error) || !e)
        printf(" & -");
    else
        printf(" & $%.*s$E$%ld$", (int)(e - digits), digits, strtol(e + 1, NULL, 10));
}

static void print_latex_table(const struct study *study, int variable)
{
    char text[16];
    printf("%% %s error of %s; ", norm_names[study->norm], law_of(study)->conserved[variable]);
    printf("made by edgewise %s\n\\begin{tabular}{|l|", ew_version());
    for (int p = 0; p < study->orders; p++)
        printf("ll");
    printf("|}\n\\hline\n");
    for (int p = 0; p < study->orders; p++)
        printf(" & \\multicolumn{2}{c|}{$p = %d$}", study->order[p]);
    printf(" \\\\\n\\hline\nMesh");
    for (int p = 0; p < study->orders; p++)
        printf(" & Error & $r$");
    printf(" \\\\\n\\hline\n");
    for (int k = 0; k < study->meshes; k++) {
        put_latex_text(study->mesh[k].name);
        for (int p = 0; p < study->orders; p++) {
            put_latex_error(error_of(study, k, p, study->norm, variable));
            printf(" & %s", rate_text(rate_of(study, k, p, study->norm, variable), text));
        }
        printf(" \\\\\n");
    }
    printf("\\hline\n\\end{tabular}\n");
}

void study_print_latex(const struct study *study)
{
    for (int m = 0; law_of(study) && m < law_of(study)->variables; m++)
        if (is_asked(study, m))
            print_latex_table(study, m);
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

/* The points of one order. Errors of 0 have no logarithm, and failed runs no errors. */
static int points_of(const struct study *study, int order, int variable, double *x, double *y)
{
    int points = 0;
    for (int k = 0; k < study->meshes; k++) {
        double error = error_of(study, k, order, study->norm, variable);
        if (!(error > 0.0))
            continue;
        x[points] = sqrt(study_at(study, k, order)->area / (double)study_at(study, k, order)->elements);
        y[points++] = error;
    }
    return points;
}

int study_write_picture(const struct study *study, const char *path)
{
    const struct study_result *good = study_good(study);
    int variable = study->variable < 0 ? 0 : study->variable, curves = 0;
    if (!good)
        return cli_fail(EX_SOFTWARE, "there is nothing to draw: no run succeeded");
    ew_curve curve[EW_MAX_ORDER];
    char name[EW_MAX_ORDER][48], label[160];
    double *place = cli_allocate(2 * (size_t)study->orders * (size_t)study->meshes * sizeof *place);
    for (int p = 0; p < study->orders; p++) {
        double *x = place + 2 * p * study->meshes, *y = x + study->meshes;
        int points = points_of(study, p, variable, x, y);
        double rate = rate_of(study, study->meshes - 1, p, study->norm, variable);
        if (isnan(rate))
            snprintf(name[curves], sizeof *name, "p = %d", study->order[p]);
        else
            snprintf(name[curves], sizeof *name, "p = %d, rate %.2f", study->order[p], rate);
        curve[curves] = (ew_curve){.name = name[curves], .points = points, .x = x, .y = y};
        curves += points > 0;
    }
    snprintf(label, sizeof label, "%s error of %s", norm_names[study->norm],
             ew_law_find(good->law)->conserved[variable]);
    const ew_chart chart = {.title = good->title, .x_title = "mesh size: root of the mean area of a triangle",
                            .y_title = label,
                            .curves = curves, .curve = curve, .logarithmic_x = 1, .logarithmic_y = 1};
    ew_error error;
    int status = ew_chart_write(NULL, &chart, path, &error);
    free(place);
    return status == EW_OK ? EX_OK : cli_fail(cli_exit_code(status, EX_IOERR), "%s", error.message);
}
