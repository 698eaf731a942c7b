/* SPDX-License-Identifier: BSD-2-Clause */
/* Restarting from NAME.nc: the polynomials of its last frame, recovered from the values at the nodes. */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_results.h"
#include "ewi_text.h"

#include <string.h>
#include <unistd.h>

/* why: the missing data and the key that writes them. */
static int lacks(const struct ew_results *results, const char *why, ew_error *error)
{
    return ewi_fail(error, EW_ECONFIG, "cannot resume from %s: %s, or write restart files (output.restart)",
                    results->path, why);
}

static int field_of(const struct ew_results *results, const char *name)
{
    for (int k = 0; k < results->fields; k++)
        if (strcmp(results->field[k].name, name) == 0 && results->field[k].kind != EWI_FIELD_FACES)
            return k;
    return -1;
}

/*
 * True if frames determine a conserved variable. Over a bed, primitive variables do not determine those of a triangle
 * that is partly dry, whose surface continues below the ground.
 */
static bool determines(const struct ew_results *results, const ew_law *law, int m)
{
    int k = field_of(results, law->conserved[m]);
    return k >= 0 && !(ewi_has_shores(law) && results->field[k].kind == EWI_FIELD_STATE);
}

int ewi_frame_check(const struct ew_results *results, const ew_law *law, ew_error *error)
{
    char why[256];
    if (results->frames == 0)
        return lacks(results, "it has no frame; take an earlier file", error);
    if (results->subdivide < results->order) {
        ewi_snprintf(why, sizeof why,
                 "a subdivision of %d holds too few values for polynomials of order %d; set output.fields.subdivide to "
                 "%d or leave it out", results->subdivide, results->order, results->order);
        return lacks(results, why, error);
    }
    if (results->single)
        return lacks(results, "its values are in single precision; set output.fields.precision to double", error);
    for (int m = 0; m < law->variables; m++)
        if (!determines(results, law, m)) {
            ewi_snprintf(why, sizeof why,
                     "its frames do not determine %s; write %s conserved variables (output.fields.variables)",
                     law->conserved[m], law->media || ewi_has_shores(law) ? "all" : "all primitive or all");
            return lacks(results, why, error);
        }
    return EW_OK;
}

/* matrix[np][np]: from values at the lattice of this degree to modal coefficients. */
static int invert_basis(int order, int np, const double *rs, double *matrix, ew_error *error)
{
    double phi[EWI_MOST_TERMS * EWI_MOST_TERMS];
    long double q[2 * EWI_MOST_TERMS * EWI_MOST_TERMS] = {0};
    if (ew_basis_values(order, np, rs, phi) != EW_OK)
        return ewi_fail(error, EW_EINVAL, "there is no basis of order %d", order);
    for (int j = 0; j < np; j++)
        for (int k = 0; k < np; k++)
            q[j * np + k] = phi[k * np + j];
    ewi_least_squares(np, np, q, matrix);
    return EW_OK;
}

static void multiply(int np, const double *matrix, const double *values, double *coefficients)
{
    for (int j = 0; j < np; j++) {
        coefficients[j] = 0;
        for (int k = 0; k < np; k++)
            coefficients[j] += matrix[j * np + k] * values[k];
    }
}

int ewi_frame_coefficients(const struct ew_results *results, const ew_law *law, double *coefficients, ew_error *error)
{
    const int order = results->order, np = (order + 1) * (order + 2) / 2;
    double rs[2 * EWI_MOST_TERMS], matrix[EWI_MOST_TERMS * EWI_MOST_TERMS];
    ewi_lattice_nodes(order, rs);
    TRY(invert_basis(order, np, rs, matrix, error));
    double *values = ewi_alloc(&results->host, (size_t)results->elements * (size_t)np, sizeof *values);
    int status = values ? EW_OK : ewi_results_no_memory(results, error);
    for (int m = 0; status == EW_OK && m < law->variables; m++) {
        status = ew_results_sample(results, results->frames - 1, field_of(results, law->conserved[m]), 0,
                                   results->elements, np, rs, values, error);
        for (int64_t e = 0; status == EW_OK && e < results->elements; e++)
            multiply(np, matrix, values + e * np, coefficients + (e * law->variables + m) * np);
    }
    ewi_free(&results->host, values);
    return status;
}
