/* SPDX-License-Identifier: BSD-2-Clause */
/* A small case and its fields in small.nc: what the tests of reading, plotting and exporting share. */
#ifndef SMALL_CASE_H
#define SMALL_CASE_H

#include "edgewise-case.h"
#include "helpers.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char case_text[] = "title = \"a small case\";\n"
                                "mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [8, 4]; }; };\n"
                                "order = 2;\n"
                                "time = { end = 1.0; };\n"
                                "initial = { rho = \"1 + x + 2*y\"; u = \"x - 1\"; v = \"0.5\"; p = \"1 + y\"; };\n"
                                "boundary = { left = { kind = \"copy\"; }; right = { kind = \"copy\"; };\n"
                                "             top = { kind = \"copy\"; }; bottom = { kind = \"copy\"; }; };\n";

static ew_error error;

static inline void expect(int status, const char *what)
{
    if (status != EW_OK)
        bail_out("%s: %s", what, error.message);
}

static inline void expect_netcdf(int code, const char *what)
{
    if (code != NC_NOERR)
        bail_out("%s: %s", what, nc_strerror(code));
}

static inline void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        bail_out("no memory");
    return memory;
}

/* ---- cases and files --------------------------------------------------------------------------------------------- */

struct setup {
    ew_case *that;
    ew_solver *solver;
};

/* The case with settings, and small.nc with its initial state as the only frame. */
static inline struct setup write_fields(size_t settings, const char *const *setting)
{
    struct setup setup;
    ew_case_options options = {.settings = settings, .setting = setting};
    ew_fields *fields;
    expect(ew_case_read(NULL, "small.cfg", &options, &setup.that, &error), "reading the case");
    expect(ew_solver_create(NULL, ew_case_mesh(setup.that), ew_case_problem(setup.that), &setup.solver, &error),
           "the solver");
    expect(ew_fields_create(NULL, "small.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    expect(ew_fields_close(fields, "complete", &error), "ew_fields_close");
    ew_fields_destroy(fields);
    return setup;
}

static inline void unmake(struct setup *setup)
{
    ew_solver_destroy(setup->solver);
    ew_case_destroy(setup->that);
}

static inline ew_results *open_results(const ew_host *host)
{
    ew_results *results;
    expect(ew_results_open(host, "small.nc", &results, &error), "ew_results_open");
    return results;
}

static inline ew_results *results_of(size_t settings, const char *const *setting)
{
    struct setup setup = write_fields(settings, setting);
    unmake(&setup);
    return open_results(NULL);
}

static inline int field_of(const ew_results *results, const char *name)
{
    int field = 0;
    expect(ew_results_find(results, name, &field, &error), name);
    return field;
}

static inline void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        bail_out("cannot write %s", path);
}

static inline char *read_bytes(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0)
        bail_out("cannot read %s", path);
    *count = (size_t)info.st_size;
    char *bytes = allocate(*count, 1);
    if (fread(bytes, 1, *count, file) != *count)
        bail_out("cannot read %s", path);
    fclose(file);
    return bytes;
}

#endif
