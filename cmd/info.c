/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise info: lists the features of this build and this machine. */
#include "config.h"
#include "cases.h"
#include "cmd.h"

#include <libconfig.h>
#include <netcdf_meta.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#ifndef EWI_HAVE_HDF5
#define EWI_HAVE_HDF5 "no HDF5"
#endif
#ifndef EWI_HAVE_PNG
#define EWI_HAVE_PNG "no libpng"
#endif

#define TEXT_OF(x) TEXT_OF_(x)
#define TEXT_OF_(x) #x
#define LIBCONFIG_VERSION \
    TEXT_OF(LIBCONFIG_VER_MAJOR) "." TEXT_OF(LIBCONFIG_VER_MINOR) "." TEXT_OF(LIBCONFIG_VER_REVISION)

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "not known"
#endif

static const struct {
    const char *name, *key; /* key: in JSON */
    enum ew_list list;
} lists[] = {
    {"backends", "backends", EW_BACKENDS},
    {"kernels", "kernels", EW_KERNELS},
    {"instruction levels", "instruction_levels", EW_LEVELS},
    {"laws", "laws", EW_LAWS},
    {"fluxes", "fluxes", EW_FLUXES},
    {"images", "images", EW_IMAGES},
    {"limiters", "limiters", EW_LIMITERS},
    {"schemes", "schemes", EW_SCHEMES},
    {"boundaries", "boundaries", EW_BOUNDARIES},
};

enum { LISTS = sizeof lists / sizeof *lists };

/* A build with GPU code may run on a machine without a GPU. */
static const char *describe(enum ew_list list, int k, char *text, size_t size)
{
    char device[128];
    bool useless = list == EW_BACKENDS && ew_backend_has_devices(ew_list_name(list, k)) &&
                   !strstr(ew_list_description(list, k), "not ") && !ew_device_describe(0, device, sizeof device);
    snprintf(text, size, "%s%s", ew_list_description(list, k), useless ? "; no GPU can be used here" : "");
    return text;
}

/* True if a GPU can be used. Otherwise `why` has the reason; the measurement is refused before it begins. */
static bool has_gpu(ew_error *why)
{
    char text[128];
    ew_limits limits;
    return ew_device_describe(0, text, sizeof text) ||
           ew_measure_limits(NULL, &(ew_problem){.backend = "cuda"}, &limits, why) == EW_OK;
}

/* Optional parts of a build, chosen by configure. */
static const struct {
    enum ew_list list;
    const char *name, *text;
} optional[] = {
#ifdef __x86_64__
    {EW_LEVELS, "avx512", "AVX-512 kernels: configure without --disable-avx512, with --enable-levels=all"},
    {EW_LEVELS, "avx2", "AVX2 kernels: configure with --enable-levels=all"},
#endif
    {EW_IMAGES, "native", "machine code for current GPUs: configure with nvcc, without --without-cuda"},
    {EW_IMAGES, "sm_20", "PTX for all GPUs: configure with clang, without --without-sm-20"},
};

static bool is_left_out(size_t k)
{
    const char *name;
    for (int i = 0; (name = ew_list_name(optional[k].list, i)) != NULL; i++)
        if (strcmp(name, optional[k].name) == 0)
            return false;
    return true;
}

static void print_left_out(void)
{
    int count = 0;
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
        if (is_left_out(k))
            printf("%s  %-16s %s\n", count++ ? "" : "\nnot in this build\n", optional[k].name, optional[k].text);
}

static void put_left_out(struct cli_json *json)
{
    cli_json_open(json, "left_out", '{');
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
        if (is_left_out(k))
            cli_json_text(json, optional[k].name, optional[k].text);
    cli_json_close(json, '}');
}

static void print_devices(void)
{
    char text[128];
    ew_error none;
    printf("\nGPUs\n");
    if (!has_gpu(&none))
        printf("  none can be used: %s\n", none.message);
    for (int k = 0; ew_device_describe(k, text, sizeof text); k++)
        printf("  %-16d %s\n", k, text);
}

/* MPI is loaded at run time by a run that mpirun starts. */
static void print_mpi(void)
{
    char text[128];
    printf("\nMPI\n");
    if (!ew_comm_library(0, text, sizeof text))
        printf("  none is here; mpirun edgewise run needs Open MPI or MPICH\n");
    for (int k = 0; ew_comm_library(k, text, sizeof text); k++)
        printf("  %s\n", text);
}

/* Law number k, those with media after the others; NULL after the last one. */
static const ew_law *law_at(int k)
{
    int i = 0;
    for (; ew_list_name(EW_LAWS, i); i++)
        if (k-- == 0)
            return ew_law_find(ew_list_name(EW_LAWS, i));
    for (i = 0; ew_list_name(EW_LAWS, i); i++) {
        const ew_law *media = ew_law_of_media(ew_law_find(ew_list_name(EW_LAWS, i)));
        if (media && k-- == 0)
            return media;
    }
    return NULL;
}

/* The output quantities of each law. */
static void print_quantities(void)
{
    const ew_law *law;
    for (int k = 0; (law = law_at(k)) != NULL; k++) {
        const char *name, *text;
        printf("\nquantities of %s\n", law->name);
        for (int i = 0; (name = ew_law_output(law, i, &text)) != NULL; i++)
            printf("  %-16s %s\n", name, text);
    }
}

static void put_quantities(struct cli_json *json)
{
    cli_json_open(json, "quantities", '{');
    const ew_law *law;
    for (int k = 0; (law = law_at(k)) != NULL; k++) {
        const char *name, *text;
        cli_json_open(json, law->name, '{');
        for (int i = 0; (name = ew_law_output(law, i, &text)) != NULL; i++)
            cli_json_text(json, name, text);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void print_info(void)
{
    char why[128];
    int threads = ew_thread_count(0, why, sizeof why);
    printf("edgewise %s\n", ew_version());
    printf("  compiler   %s\n", COMPILER);
    printf("  options    %s\n", EWI_BUILD_OPTIONS);
    printf("  libraries  netCDF %s, libconfig %s, %s, %s\n", NC_VERSION, LIBCONFIG_VERSION, EWI_HAVE_PNG,
           EWI_HAVE_HDF5);
    printf("  threads    %d: %s\n", threads, why);
    print_devices();
    print_mpi();
    for (int k = 0; k < LISTS; k++) {
        const char *name;
        char text[512];
        printf("\n%s\n", lists[k].name);
        for (int i = 0; (name = ew_list_name(lists[k].list, i)) != NULL; i++)
            printf("  %-16s %s\n", name, describe(lists[k].list, i, text, sizeof text));
    }
    print_left_out();
    print_quantities();
}

static void print_json(void)
{
    struct cli_json json = cli_json_begin(stdout);
    cli_json_text(&json, "version", ew_version());
    cli_json_text(&json, "compiler", COMPILER);
    cli_json_text(&json, "options", EWI_BUILD_OPTIONS);
    char why[128];
    cli_json_integer(&json, "threads", ew_thread_count(0, why, sizeof why));
    cli_json_text(&json, "threads_because", why);
    cli_json_open(&json, "libraries", '{');
    cli_json_text(&json, "netcdf", NC_VERSION);
    cli_json_text(&json, "libconfig", LIBCONFIG_VERSION);
    cli_json_text(&json, "libpng", EWI_HAVE_PNG);
    cli_json_text(&json, "hdf5", EWI_HAVE_HDF5);
    cli_json_close(&json, '}');
    char text[128];
    cli_json_open(&json, "devices", '[');
    for (int k = 0; ew_device_describe(k, text, sizeof text); k++)
        cli_json_text(&json, NULL, text);
    cli_json_close(&json, ']');
    ew_error none;
    cli_json_text(&json, "no_devices_because", has_gpu(&none) ? NULL : none.message);
    cli_json_open(&json, "mpi", '[');
    for (int k = 0; ew_comm_library(k, text, sizeof text); k++)
        cli_json_text(&json, NULL, text);
    cli_json_close(&json, ']');
    for (int k = 0; k < LISTS; k++) {
        const char *name;
        char line[512];
        cli_json_open(&json, lists[k].key, '{');
        for (int i = 0; (name = ew_list_name(lists[k].list, i)) != NULL; i++)
            cli_json_text(&json, name, describe(lists[k].list, i, line, sizeof line));
        cli_json_close(&json, '}');
    }
    put_left_out(&json);
    put_quantities(&json);
    cli_json_end(&json);
}

/* ---- the operations of a step ---- */

struct info_arguments {
    struct cli_arguments common;
    const char *path, *parts; /* show the step of this case */
};

enum { LINE = sizeof((ew_error *)0)->message };

static void print_step(const ew_plan *plan, const char *backend, int parts)
{
    char line[LINE];
    int kind;
    if (backend)
        printf("kernels of the backend %s, with the operations that they combine\n", backend);
    else
        printf("single operations, as in the paper; --backend prints the kernels that combine them\n");
    for (int k = 0; (kind = ew_plan_step(plan, backend, parts, k, line, sizeof line)) != 0; k++)
        printf(kind == 1 ? "\n%s\n" : "  %s\n", line);
}

static void put_step(const ew_plan *plan, const char *backend, int parts)
{
    struct cli_json json = cli_json_begin(stdout);
    char line[LINE];
    int kind;
    for (int k = 0; (kind = ew_plan_step(plan, backend, parts, k, line, sizeof line)) != 0; k++) {
        if (kind == 1 && k > 0)
            cli_json_close(&json, ']');
        if (kind == 1)
            cli_json_open(&json, line, '[');
        else
            cli_json_text(&json, NULL, line);
    }
    cli_json_close(&json, ']');
    cli_json_end(&json);
}

static int show_step(struct info_arguments *arguments)
{
    struct cli_report report = {0};
    ew_plan *plan = NULL;
    ew_case *that = NULL;
    ew_error error;
    struct cli_case what = cli_case_of(&arguments->common);
    what.path = arguments->path;
    what.plan = &plan;
    what.parts = arguments->parts ? (int)strtol(arguments->parts, NULL, 10) : 0;
    int status = cli_read_case(&what, &cli_host, &report, &that, &error);
    cli_free_report(&report);
    if (status != EW_OK)
        return cli_exit_code(status, EX_NOINPUT);
    const char *backend = ew_case_problem(that)->backend;
    int parts = what.parts > 0 ? what.parts : ew_case_problem(that)->parts;
    char line[LINE];
    backend = backend && strcmp(backend, "auto") != 0 ? backend : NULL;
    int kind = ew_plan_step(plan, backend, parts, 0, line, sizeof line), code = EX_OK;
    if (kind < 0)
        code = cli_fail(cli_exit_code(kind, EX_NOINPUT), "%s", line);
    else
        (arguments->common.json ? put_step : print_step)(plan, backend, parts);
    ew_plan_destroy(plan);
    ew_case_destroy(that);
    return cli_finish_stdout(code);
}

static int show_info(struct cli_arguments *arguments)
{
    struct info_arguments *info = (struct info_arguments *)arguments;
    if (info->path)
        return show_step(info);
    if (info->parts || arguments->settings > 0)
        return cli_misuse(&cmd_info, "%s is for the step of a case: give --step CASE, too.",
                          info->parts ? "--parts" : arguments->setting_name[0]);
    if (arguments->json)
        print_json();
    else
        print_info();
    return cli_finish_stdout(0);
}

#define ARGUMENTS struct info_arguments
static const struct cli_option options[] = {
    CLI_TEXT_OPTION("step", "CASE", path, "print the operations of a time step of this case instead"),
    CLI_BACKEND_OPTION,
    CLI_WHOLE_OPTION("parts", "N", parts, 1, EW_MAX_THREADS,
                     "... of a case that is divided among N GPUs or ranks; default: backend.parts"),
    CLI_SET_OPTION(CLI_ANY_KEY),
    CLI_JSON_OPTION("print one JSON object"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_info = {
    .name = "info",
    .summary = "Print the version, the build, and the available backends, laws and schemes",
    .options = options,
    .size = sizeof(struct info_arguments),
    .run = show_info,
};
