/* SPDX-License-Identifier: BSD-2-Clause */
/* The library writes the same bytes in a program whose locale has decimal commas. */
#include "edgewise-plot.h"
#include "small-case.h"

#include <dirent.h>
#include <locale.h>
#include <unistd.h>

static const char everything[] =
    "title = \"speed 1.5\";\n"
    "mesh = { rectangle = { corners = [0.0, 0.0, 1.5, 0.5]; cells = [6, 2]; jitter = 0.25; }; };\n"
    "order = 2; let = { u0 = 0.25; };\n"
    "time = { end = 0.0625; cfl = 0.5; };\n"
    "initial = { rho = \"1 + x/3\"; u = \"u0\"; v = 0.125; p = 1.5; };\n"
    "boundary = { left = { kind = \"far\"; state = \"initial\"; }; right = { kind = \"copy\"; };\n"
    "             top = { kind = \"wall\"; }; bottom = { kind = \"wall\"; }; };\n"
    "output = { fields = { every = 0.03125; }; restart = { every = 0.03125; };\n"
    "           raster = { cells = [6, 3]; window = [0.125, 0.125, 1.25, 0.375]; };\n"
    "           series = { steps = 1; fluxes = [\"right\"]; }; probes = ( { x = 0.75; y = 0.25; } );\n"
    "           forces = ( { boundaries = [\"top\"]; density = 1.5; speed = 0.25; length = 1.5; } ); };\n"
    "sweep = { over = ( { key = \"let.u0\"; from = 0.125; to = 0.25; steps = 3; } ); };\n";

static FILE *sentences;

static void write_sentence(void *context, int level, const char *sentence)
{
    (void)context, (void)level;
    fprintf(sentences, "%s\n", sentence);
}

static const ew_host host = {.log = write_sentence};

static void write_pictures(const ew_results *results)
{
    static const char *const ending[] = {"svg", "pdf", "png"};
    static const double x[] = {0.001, 0.25, 12.5}, y[] = {1.5, 0.5, 1e-7};
    const ew_curve curve = {.name = "error", .points = 3, .x = x, .y = y};
    for (int k = 0; k < 3; k++) {
        char path[32];
        ew_plot plot = {.frame = 1, .isolines = 3, .vectors = 5, .width = 400, .height = 400};
        ew_probe probe = {.line = {0, 0.125, 1.5, 0.25}, .picture = 1};
        ew_chart chart = {.curves = 1, .curve = &curve, .logarithmic_y = 1};
        snprintf(path, sizeof path, "field.%s", ending[k]);
        expect(ew_plot_write(results, &plot, path, NULL, &error), path);
        snprintf(path, sizeof path, "line.%s", ending[k]);
        expect(ew_probe_write(results, &probe, path, &error), path);
        snprintf(path, sizeof path, "chart.%s", ending[k]);
        expect(ew_chart_write(&host, &chart, path, &error), path);
    }
    ew_probe table = {.line = {0, 0.125, 1.5, 0.25}};
    expect(ew_probe_write(results, &table, "line.csv", &error), "line.csv");
}

static void write_exports(const ew_results *results)
{
    static const char *const path[] = {[EW_EXPORT_VTU] = "fields.vtu", [EW_EXPORT_GMSH] = "fields.msh",
                                       [EW_EXPORT_CSV] = "fields.csv"};
    for (int format = EW_EXPORT_VTU; format <= EW_EXPORT_CSV; format++) {
        ew_export what = {.format = format, .first_frame = 1, .frames = 1};
        expect(ew_export_write(results, &what, path[format], &error), path[format]);
    }
    expect(ew_export_collection(&host, 1, path, (double[]){0.0625}, "fields.pvd", &error), "fields.pvd");
}

static void write_meshes(const ew_mesh *mesh)
{
    expect(ew_gmsh_write(&host, mesh, EW_GMSH_22, 0, "mesh-22.msh", &error), "mesh-22.msh");
    expect(ew_gmsh_write(&host, mesh, EW_GMSH_41, 0, "mesh-41.msh", &error), "mesh-41.msh");
    ew_mesh *same;
    expect(ew_gmsh_read(&host, "mesh-41.msh", NULL, &same, &error), "reading mesh-41.msh");
    expect(ew_gmsh_write(&host, same, EW_GMSH_41, 1, "same.msh", &error), "same.msh");
    ew_mesh_destroy(same);
}

/* Runs a case, or resumes one with these settings, if there are any. */
static void run_case(const char *restart, size_t settings, const char *const *setting)
{
    ew_case *that;
    ew_solver *solver;
    ew_run *run;
    ew_case_options options = {.settings = settings, .setting = setting};
    ew_run_options how = {.restart = restart};
    expect(ew_case_read(&host, "small.cfg", &options, &that, &error), "the case");
    expect(ew_solver_create(&host, ew_case_mesh(that), ew_case_problem(that), &solver, &error), "the solver");
    expect(ew_run_create(&host, ew_case_plan(that), solver, &how, &run, &error), "the run");
    expect(ew_run_advance(run, INT64_MAX, &error), "running");
    ew_run_destroy(run);
    if (!restart)
        write_meshes(ew_case_mesh(that));
    ew_solver_destroy(solver);
    ew_case_destroy(that);
}

static void write_sweep(void)
{
    ew_sweep *sweep;
    char text[64];
    expect(ew_sweep_read(&host, "small.cfg", NULL, &sweep, &error), "the sweep");
    for (int member = 1; member <= 3; member++)
        if (ew_sweep_setting(sweep, member, 0, text, sizeof text))
            write_sentence(NULL, 0, text);
    ew_sweep_destroy(sweep);
}

static void write_errors(void)
{
    static const char *const wrong[] = {"time.cfl=-0.5", "output.fields.every=1e-30", "mesh.rectangle.jitter=1.5",
                                        "order=1.5"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ew_case *that = NULL;
        ew_case_options options = {.settings = 2, .setting = (const char *const[]){"sweep={}", wrong[k]}};
        if (ew_case_read(&host, "small.cfg", &options, &that, &error) != EW_OK)
            write_sentence(NULL, 0, error.message);
        ew_case_destroy(that);
    }
}

static void write_everything(const char *folder)
{
    if (mkdir(folder, 0777) != 0 || chdir(folder) != 0 || !(sentences = fopen("sentences.txt", "w")))
        bail_out("cannot make the folder %s", folder);
    write_bytes("small.cfg", everything, sizeof everything - 1);
    run_case(NULL, 1, (const char *const[]){"sweep={}"});
    ew_results *results = open_results(&host);
    write_pictures(results);
    write_exports(results);
    ew_results_close(results);
    run_case("auto", 3, (const char *const[]){"sweep={}", "time={end=0.125;cfl=0.375;}", "initial.p=1.25"});
    write_sweep();
    write_errors();
    fclose(sentences);
    if (chdir("..") != 0)
        bail_out("cannot leave the folder %s", folder);
}

/* ---- a comma ----------------------------------------------------------------------------------------------------- */

static bool has_comma(const char *name)
{
    return setlocale(LC_NUMERIC, name) && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Enters the system's locale, or one that localedef makes without the system's files; it warns of omissions. */
static bool enter_comma_locale(void)
{
    if (has_comma("de_DE.UTF-8") || has_comma("de_DE.utf8") || has_comma("fr_FR.UTF-8"))
        return true;
    static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    char here[4096];
    write_bytes("comma.source", source, sizeof source - 1);
    int made = system("localedef --no-archive -c -i comma.source ./commas >localedef.log 2>&1");
    (void)made;
    return getcwd(here, sizeof here) && setenv("LOCPATH", here, 1) == 0 && has_comma("commas");
}

static int compare_folders(const char *folder, const char *other)
{
    int files = 0;
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened && (entry = readdir(opened));) {
        char path[2][600];
        size_t length[2];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path[0], sizeof path[0], "%s/%s", folder, entry->d_name);
        snprintf(path[1], sizeof path[1], "%s/%s", other, entry->d_name);
        char *bytes[2] = {read_bytes(path[0], &length[0]), read_bytes(path[1], &length[1])};
        ok(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0, "%s has the same bytes",
           entry->d_name);
        free(bytes[0]);
        free(bytes[1]);
        files++;
    }
    if (opened)
        closedir(opened);
    return files;
}

int main(void)
{
    char folder[] = "locale-XXXXXX", command[64];
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make a folder");
    write_everything("point");
    if (enter_comma_locale()) {
        write_everything("comma");
        ok(compare_folders("point", "comma") >= 23, "... and that is all that was written");
    } else
        skip("there is no locale with commas, and localedef makes none", "numbers have points in any locale");
    snprintf(command, sizeof command, "cd .. && rm -rf %s", folder);
    if (system(command) != 0)
        diag("cannot remove %s", folder);
    return done_testing();
}
