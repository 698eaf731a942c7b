/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Estimates the available memory, and checks that a case fits. Linux grants memory that it does not have and kills the
 * process that touches it, often long after the start, so a run checks first.
 */
#include "ewi_cgroup.h"
#include "ewi_error.h"
#include "ewi_run.h"
#include "ewi_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The number after `name` at the start of a line or, without a name, in the file; NaN: none, or "max". */
static double number_in(const char *path, const char *name)
{
    char line[256];
    double number = NAN;
    size_t length = name ? strlen(name) : 0;
    FILE *file = fopen(path, "r");
    while (file && isnan(number) && fgets(line, sizeof line, file)) {
        char *end;
        if (length > 0 && (strncmp(line, name, length) != 0 || !strchr(" :", line[length])))
            continue;
        number = ewi_strtod(line + length + (name && line[length] == ':'), &end);
        if (end == line + length)
            number = NAN;
        if (!name)
            break;
    }
    if (file)
        fclose(file);
    return number;
}

/* ---- groups of processes that have a limit ----------------------------------------------------------------------- */

struct group_files {
    const char *limit, *usage;
    const char *active, *inactive; /* file caches, which the kernel can drop */
};

static double number_of_group(const char *folder, const char *file, const char *name)
{
    char path[4096 + 32];
    int length = ewi_snprintf(path, sizeof path, "%s/%s", folder, file);
    return length > 0 && (size_t)length < sizeof path ? number_in(path, name) : NAN;
}

struct room {
    double room, swap;
};

/* Free memory of a group, if it has a limit. */
static void take_room(void *context, const char *folder, bool second)
{
    static const struct group_files one = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_active_file",
                                           "total_inactive_file"};
    static const struct group_files two = {"memory.max", "memory.current", "active_file", "inactive_file"};
    const struct group_files *files = second ? &two : &one;
    struct room *room = context;
    double limit = number_of_group(folder, files->limit, NULL), usage = number_of_group(folder, files->usage, NULL);
    double kept = number_of_group(folder, "memory.stat", files->active) +
                  number_of_group(folder, "memory.stat", files->inactive);
    if (!isnan(limit) && !isnan(usage))
        room->room = fmin(room->room, fmax(limit - usage, 0) + (isnan(kept) ? 0 : kept) + room->swap);
}

static double room_of_groups(double swap)
{
    struct room room = {INFINITY, swap};
    ewi_each_cgroup("", "memory", take_room, &room);
    return room.room;
}

/* On Linux the available memory, elsewhere all memory of the machine. */
double ew_available_memory(void)
{
    double available = number_in("/proc/meminfo", "MemAvailable"), swap = number_in("/proc/meminfo", "SwapFree");
    if (isnan(swap))
        swap = 0;
    if (!isnan(available))
        return fmin(1024 * (available + swap), room_of_groups(1024 * swap));
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : NAN;
}

/* ---- room for a run ---------------------------------------------------------------------------------------------- */

static double copy_of_state(const ew_problem *problem, const ew_mesh_info *mesh)
{
    const ew_law *law = ew_law_find(problem->law);
    int p = problem->order;
    return law ? (double)(mesh->elements * law->variables) * ((p + 1) * (p + 2) / 2) * sizeof(double) : 0.0;
}

/* The bytes of the averages of a state, which each copy of it has, too. */
static double averages_of(const ew_problem *problem, const ew_mesh_info *mesh, size_t solver)
{
    ew_problem without = *problem;
    size_t bytes = solver, device;
    without.averages.count = 0;
    return ew_solver_memory_for(mesh, &without, &bytes, &device, NULL) == EW_OK ? (double)(solver - bytes) : 0.0;
}

/* Works without a solver. */
int ew_run_get_memory(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                      ew_run_memory *memory, ew_error *error)
{
    EWI_REQUIRE(plan, problem, mesh, memory);
    if (plan->outputs < 0 || plan->outputs > EW_MAX_OUTPUTS || plan->raster.outputs < 0 ||
        plan->raster.outputs > EW_MAX_OUTPUTS)
        return ewi_fail(error, EW_EINVAL, "the plan has %d outputs, and %d of its raster; there can be 0 to %d",
                        plan->outputs, plan->raster.outputs, EW_MAX_OUTPUTS);
    size_t solver = 0, device = 0;
    *memory = (ew_run_memory){
        .mesh = (double)mesh->bytes, .available = ew_available_memory()};
    int status = ew_solver_memory_for(mesh, problem, &solver, &device, error);
    if (status != EW_OK)
        return status;
    memory->copy = copy_of_state(problem, mesh);
    ew_fields_frame_bytes(plan, problem, mesh, &memory->output);
    memory->solver = (double)solver;
    memory->device = (double)device;
    const ew_law *law = ew_law_find(problem->law);
    double raster = 0, values = law && device > 0 ? ew_fields_raster_bytes(plan, law, mesh->elements, &raster) : 0;
    memory->device += raster;
    values += memory->copy + averages_of(problem, mesh, solver);
    memory->copies = ewi_frame_copies(values) * values;
    return status;
}

int ew_run_check_memory(const ew_run_memory *memory, ew_error *error)
{
    EWI_REQUIRE(memory);
    enum { WORDS = 32 };
    char mesh[WORDS], solver[WORDS], output[WORDS], all[WORDS], available[WORDS];
    double files = memory->output + (memory->device > 0 ? 0 : memory->copies),
           needed = memory->mesh + memory->solver + files;
    if (!(needed > memory->available))
        return EW_OK;
    return ewi_fail(
        error, EW_ENOMEM,
        "not enough memory: mesh %s, solver %s%s%s take %s, and %s are available; take a coarser mesh or "
        "a lower order, or try it with run --overcommit",
        ewi_bytes_in_words(memory->mesh, mesh, WORDS), ewi_bytes_in_words(memory->solver, solver, WORDS),
        files > 0 ? ", output " : "", files > 0 ? ewi_bytes_in_words(files, output, WORDS) : "",
        ewi_bytes_in_words(needed, all, WORDS), ewi_bytes_in_words(memory->available, available, WORDS));
}

int ew_run_admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error)
{
    EWI_REQUIRE(mesh, problem);
    ew_run_memory memory;
    ew_run_plan plan;
    (void)context;
    ew_run_plan_init(&plan);
    if (ew_run_get_memory(&plan, problem, mesh, &memory, NULL) != EW_OK) /* creating the solver reports the error */
        return EW_OK;
    memory.output = memory.copies = 0;
    return ew_run_check_memory(&memory, error);
}
