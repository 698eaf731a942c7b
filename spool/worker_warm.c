/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps a GPU's context alive between jobs: making one takes longer than a small job. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static ew_mesh *mesh;
static ew_solver *solver;

static void gas_at_rest(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)x, (void)y, (void)t;
    for (size_t i = 0; i < n; i++) {
        values[i] = values[3 * n + i] = 1.0;
        values[n + i] = values[2 * n + i] = 0.0;
    }
}

static int make_mesh(ew_error *error)
{
    static const ew_side_part part = {.name = "rim", .from = 0.0, .to = 1.0};
    ew_rectangle rectangle = {.x1 = 1.0, .y1 = 1.0, .nx = 1, .ny = 1};
    for (int side = 0; side < 4; side++) {
        rectangle.side[side].parts = 1;
        rectangle.side[side].part = &part;
    }
    return ew_mesh_rectangle(NULL, &rectangle, &mesh, error);
}

const char *worker_setting(const char *key, size_t settings, char *const *setting)
{
    size_t length = strlen(key);
    for (size_t k = settings; k-- > 0;)
        if (strncmp(setting[k], key, length) == 0 && setting[k][length] == '=')
            return setting[k] + length + 1;
    return NULL;
}

/* A solver on the device keeps its context alive. Errors are ignored here: the first job reports them. */
void worker_warm_up(size_t settings, char *const *setting, ew_ensemble *ensemble)
{
    static const ew_boundary rim = {.name = "rim", .kind = "copy"};
    const char *device = worker_setting("backend.device", settings, setting);
    ew_problem problem = {.order = 1, .boundaries = 1, .boundary = &rim,
                          .initial = {.callback = gas_at_rest},
                          .backend = worker_setting("backend.name", settings, setting),
                          .device = device ? (int)strtol(device, NULL, 10) : 0, .ensemble = ensemble};
    ew_solver_info info;
    ew_error error;
    if (make_mesh(&error) != EW_OK)
        return;
    if (ew_solver_create(NULL, mesh, &problem, &solver, &error) == EW_OK) {
        ew_solver_get_info(solver, &info);
        if (ew_backend_has_devices(info.backend))
            return;
        ew_solver_destroy(solver);
        solver = NULL;
    }
    ew_mesh_destroy(mesh);
    mesh = NULL;
}
