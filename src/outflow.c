/* SPDX-License-Identifier: BSD-2-Clause */
/* Outflow: the numerical flux through boundaries, integrated over time with the weights of the time scheme. */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_solver.h"

#include <math.h>
#include <string.h>

static int check_outflow(const ew_solver *solver, ew_error *error)
{
    return solver->plan->outflow
               ? EW_OK
               : ewi_fail(error, EW_EINVAL, "the flux through boundaries is not integrated over time; set `outflow` of "
                                            "the problem");
}

static int allocate(const ew_solver *solver, double **outflow, ew_error *error)
{
    *outflow = ewi_alloc(&solver->host, ewi_outflow_bytes(solver->plan), 1);
    return *outflow ? EW_OK
                    : ewi_fail(error, EW_ENOMEM, "not enough memory for the outflow of %d edges",
                               solver->plan->mesh->boundary_edges);
}

int ewi_solver_clear_outflow(ew_solver *solver, ew_error *error)
{
    double *none;
    if (!solver->plan->outflow)
        return EW_OK;
    TRY(allocate(solver, &none, error));
    int status = solver->backend->set_outflow(solver->instance, none, error);
    ewi_free(&solver->host, none);
    return status;
}

/* The edges of a boundary one after the other: the same bits, however the mesh is divided. */
int ew_solver_outflow(ew_solver *solver, int32_t k, double *outflow, ew_error *error)
{
    EWI_REQUIRE(solver, outflow);
    const ew_mesh *mesh = solver->plan->mesh;
    int variables = solver->plan->variables;
    double *all;
    if (k < 0 || k >= mesh->boundaries)
        return ewi_fail(error, EW_EINVAL, "there is no boundary %d; the mesh has %d", k, mesh->boundaries);
    TRY(check_outflow(solver, error));
    TRY(allocate(solver, &all, error));
    int status = solver->backend->get_outflow(solver->instance, all, error);
    const double *edge = all + (size_t)mesh->boundary[k].first * (size_t)variables;
    memset(outflow, 0, (size_t)variables * sizeof *outflow);
    for (int32_t e = 0; e < mesh->boundary[k].count; e++, edge += variables)
        for (int m = 0; m < variables; m++)
            outflow[m] += edge[m];
    ewi_free(&solver->host, all);
    return status;
}

int ew_solver_get_edge_outflow(ew_solver *solver, double *outflow, ew_error *error)
{
    EWI_REQUIRE(solver, outflow);
    TRY(check_outflow(solver, error));
    return solver->backend->get_outflow(solver->instance, outflow, error);
}

int ew_solver_set_edge_outflow(ew_solver *solver, const double *outflow, ew_error *error)
{
    EWI_REQUIRE(solver, outflow);
    EWI_REQUIRE_MOVING(solver);
    TRY(check_outflow(solver, error));
    size_t variables = (size_t)solver->plan->variables, count = (size_t)solver->plan->mesh->boundary_edges * variables;
    for (size_t k = 0; k < count; k++)
        if (!isfinite(outflow[k]))
            return ewi_fail(error, EW_EINVAL, "the outflow of boundary edge %zu is not finite", k / variables);
    return solver->backend->set_outflow(solver->instance, outflow, error);
}
