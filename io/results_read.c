/* SPDX-License-Identifier: BSD-2-Clause */
/* Slabs of elements from NAME.nc, with their polynomials. */
#include "ewi_results.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_mesh.h"
#include "ewi_netcdf.h"
#include "ewi_parallel.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

static int get_row(const struct ew_results *results, int variable, size_t first, size_t count, double *values,
                   ew_error *error)
{
    ewi_netcdf_begin();
    int code = nc_get_vara_double(results->file, variable, &first, &count, values);
    ewi_netcdf_end();
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, "the mesh", error);
}

static int get_frame(const struct ew_results *results, int variable, int64_t frame, size_t first, size_t count,
                     double *values, ew_error *error)
{
    size_t start[2] = {(size_t)frame, first}, length[2] = {1, count};
    char name[NC_MAX_NAME + 1] = "a field";
    ewi_netcdf_begin();
    int code = nc_get_vara_double(results->file, variable, start, length, values);
    if (code != NC_NOERR)
        nc_inq_varname(results->file, variable, name);
    ewi_netcdf_end();
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, name, error);
}

/* ---- corners ----------------------------------------------------------------------------------------------------- */

static bool is_coordinate(double x)
{
    return fabs(x) <= EWI_MESH_LARGEST_COORDINATE;
}

/* For a restart file, whose corners come from its triangles. */
static int look_up_corners(const struct ew_results *results, int64_t first, int64_t count, double *xy, ew_error *error)
{
    size_t start[2] = {(size_t)first, 0}, length[2] = {(size_t)count, 3};
    int *node = ewi_alloc(&results->host, 3 * (size_t)count, sizeof *node);
    if (!node)
        return ewi_results_no_memory(results, error);
    ewi_netcdf_begin();
    int code = nc_get_vara_int(results->file, results->triangle, start, length, node);
    ewi_netcdf_end();
    int status = code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, "the mesh", error);
    for (int64_t k = 0; status == EW_OK && k < 3 * count; k++) {
        const double *from = node[k] >= 0 && node[k] < results->nodes ? results->xy + 2 * (int64_t)node[k] : NULL;
        if (!from || !is_coordinate(from[0]) || !is_coordinate(from[1])) {
            status = ewi_fail(error, EW_EIO, "%s is damaged: element %lld has a corner that is nowhere", results->path,
                              (long long)(first + k / 3));
            break;
        }
        memcpy(xy + 2 * k, from, 2 * sizeof *xy);
    }
    ewi_free(&results->host, node);
    return status;
}

static int read_corners(const struct ew_results *results, int64_t first, int64_t count, double *values, double *xy,
                        ew_error *error)
{
    if (results->is_restart)
        return look_up_corners(results, first, count, xy, error);
    const int corner[3] = {0, results->subdivide, results->points - 1},
        variable[2] = {results->node_x, results->node_y};
    size_t points = (size_t)results->points;
    for (int d = 0; d < 2; d++) {
        TRY(get_row(results, variable[d], (size_t)first * points, (size_t)count * points, values, error));
        for (int64_t e = 0; e < count; e++)
            for (int k = 0; k < 3; k++) {
                double x = values[(size_t)e * points + (size_t)corner[k]];
                if (!is_coordinate(x))
                    return ewi_fail(error, EW_EIO, "%s is damaged: a corner of element %lld is at %c = %g",
                                    results->path, (long long)(first + e), d ? 'y' : 'x', x);
                xy[6 * e + 2 * k + d] = x;
            }
    }
    return EW_OK;
}

static int check_elements(const struct ew_results *results, int64_t first, int64_t count, ew_error *error)
{
    if (first >= 0 && count >= 0 && first <= results->elements && count <= results->elements - first)
        return EW_OK;
    return ewi_fail(error, EW_EINVAL, "%lld elements from %lld on are asked for, but %s has %lld", (long long)count,
                    (long long)first, results->path, (long long)results->elements);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int ew_results_corners(const ew_results *results, int64_t first, int64_t count, double *xy, ew_error *error)
{
    EWI_REQUIRE(results, xy);
    int status = check_elements(results, first, count, error);
    if (status != EW_OK)
        return status;
    double *values =
        ewi_alloc(&results->host, (size_t)smaller(count, results->slab) * (size_t)results->points, sizeof *values);
    if (!values)
        return ewi_results_no_memory(results, error);
    for (int64_t done = 0; status == EW_OK && done < count; done += results->slab)
        status = read_corners(results, first + done, smaller(count - done, results->slab), values, xy + 6 * done,
                              error);
    ewi_free(&results->host, values);
    return status;
}

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

static const struct ewi_fit *fit_of(const struct ew_results *results, const struct ewi_field *field)
{
    return field->exact || field->kind == EWI_FIELD_STATE ? &results->exact : &results->plain;
}

/* Opens the field of the same name in the file that is subtracted, at the frame of the nearest time. */
static int create_minus(struct ewi_patches *patches, ew_error *error)
{
    const struct ew_results *results = patches->results, *other = results->minus;
    int field;
    if (!other)
        return EW_OK;
    TRY(ew_results_find(other, patches->field->name, &field, error));
    struct ewi_patches *minus = ewi_arena_alloc(&patches->memory, 1, sizeof *minus);
    if (!minus)
        return ewi_results_no_memory(results, error);
    int64_t frame = ew_results_nearest(other, ew_results_time(results, patches->frame, NULL));
    int status = ewi_patches_create(other, field, frame, minus, error);
    patches->minus = status == EW_OK ? minus : NULL;
    return status;
}

/* True if triangles may be partly dry. A restart file has their whole state, and some files have no depth. */
static bool has_shores(const struct ew_results *results)
{
    return ewi_has_shores(results->law) && !results->is_restart && results->state[0] >= 0;
}

int ewi_patches_create(const struct ew_results *results, int field, int64_t frame, struct ewi_patches *patches,
                       ew_error *error)
{
    TRY(ewi_results_check_field(results, field, error));
    TRY(ewi_results_check_frame(results, frame, error));
    const struct ewi_field *chosen = &results->field[field];
    const struct ewi_fit *fit = fit_of(results, chosen);
    bool faces = chosen->kind == EWI_FIELD_FACES;
    *patches = (struct ewi_patches){.results = results, .memory.host = results->host, .field = chosen, .frame = frame,
                                    .components = chosen->kind == EWI_FIELD_STATE ? results->law->variables : 1,
                                    .terms = faces ? chosen->faces : fit->terms, .degree = faces ? 0 : fit->degree};
    struct ewi_arena *memory = &patches->memory;
    size_t slab = (size_t)results->slab, states = slab * (size_t)patches->components;
    patches->corner = ewi_arena_alloc(memory, 6 * slab, sizeof *patches->corner);
    patches->coefficient = ewi_arena_alloc(memory, states * (size_t)patches->terms, sizeof *patches->coefficient);
    patches->values = ewi_arena_alloc(memory, states * (size_t)results->points, sizeof *patches->values);
    if (chosen->kind == EWI_FIELD_NODES && !chosen->exact && has_shores(results))
        patches->depth = ewi_arena_alloc(memory, slab * (size_t)results->points, sizeof *patches->depth);
    if (chosen->primitive && chosen->kind == EWI_FIELD_STATE && !results->is_restart)
        patches->own = ewi_arena_alloc(memory, slab * (size_t)results->points, sizeof *patches->own);
    if (results->is_restart)
        patches->modes = ewi_arena_alloc(memory, states * (size_t)results->points, sizeof *patches->modes);
    int status = memory->lacks ? ewi_results_no_memory(results, error) : create_minus(patches, error);
    if (status != EW_OK)
        ewi_patches_destroy(patches);
    return status;
}

void ewi_patches_destroy(struct ewi_patches *patches)
{
    if (patches->minus)
        ewi_arena_free(&patches->minus->memory);
    ewi_arena_free(&patches->memory);
}

/* Converts the state at the nodes of element e, in place, from primitive to conserved. */
static void convert_nodes(struct ewi_patches *patches, int64_t e)
{
    const struct ew_results *results = patches->results;
    int64_t points = results->points, plane = results->slab * points;
    double *own = patches->values + e * points;
    if (has_shores(results) && ewi_shore_crosses((int)points, own)) {
        ewi_shore_conserved(results->subdivide, own, plane);
        return;
    }
    for (int64_t k = e * points; k < (e + 1) * points; k++) {
        double state[EW_MAX_VARIABLES];
        for (int m = 0; m < patches->components; m++)
            state[m] = patches->values[m * plane + k];
        ew_law_conserved(results->law, results->parameter, 1, state, state);
        for (int m = 0; m < patches->components; m++)
            patches->values[m * plane + k] = state[m];
    }
}

/* Computes the conserved variables at the nodes of element e from its modes. */
static void sum_modes(struct ewi_patches *patches, int64_t e)
{
    const struct ew_results *results = patches->results;
    int points = results->points;
    for (int m = 0; m < patches->components; m++) {
        const double *mode = patches->modes + (e * patches->components + m) * points;
        double *values = patches->values + (m * results->slab + e) * points;
        for (int k = 0; k < points; k++) {
            values[k] = 0;
            for (int j = 0; j < points; j++)
                values[k] += results->phi[k * points + j] * mode[j];
        }
    }
}

static int get_modes(struct ewi_patches *patches, ew_error *error)
{
    const struct ew_results *results = patches->results;
    size_t start[3] = {(size_t)patches->first, 0, 0};
    size_t length[3] = {(size_t)patches->count, (size_t)patches->components, (size_t)results->points};
    ewi_netcdf_begin();
    int code = nc_get_vara_double(results->file, results->coefficient, start, length, patches->modes);
    ewi_netcdf_end();
    return code == NC_NOERR ? EW_OK : ewi_results_failure(results, code, "the coefficients", error);
}

static void fit_element(struct ewi_patches *patches, int64_t e)
{
    const struct ew_results *results = patches->results;
    const double *matrix = (patches->degree == results->exact.degree ? &results->exact : &results->plain)->matrix;
    int points = results->points;
    if (results->is_restart)
        sum_modes(patches, e);
    else if (patches->field->kind == EWI_FIELD_STATE)
        convert_nodes(patches, e);
    for (int m = 0; m < patches->components; m++) {
        const double *values = patches->values + (m * results->slab + e) * points;
        double *coefficient = patches->coefficient + (e * patches->components + m) * patches->terms;
        for (int j = 0; j < patches->terms; j++) {
            double sum = 0;
            for (int k = 0; k < points; k++)
                sum += matrix[j * points + k] * values[k];
            coefficient[j] = sum;
        }
    }
}

static void fit_elements(void *patches, int64_t first, int64_t last)
{
    for (int64_t e = first; e < last; e++)
        fit_element(patches, e);
}

int ewi_patches_load(struct ewi_patches *patches, int64_t first, ew_error *error)
{
    const struct ew_results *results = patches->results;
    const struct ewi_field *field = patches->field;
    size_t points = (size_t)results->points;
    int64_t count = smaller(results->elements - first, results->slab);
    patches->first = first;
    patches->count = count;
    if (patches->minus)
        TRY(ewi_patches_load(patches->minus, first, error));
    TRY(read_corners(results, first, count, patches->values, patches->corner, error));
    if (field->kind == EWI_FIELD_FACES)
        return get_frame(results, field->variable, patches->frame, (size_t)(first * field->faces),
                         (size_t)(count * field->faces), patches->coefficient, error);
    if (results->is_restart)
        TRY(get_modes(patches, error));
    if (patches->depth)
        TRY(get_frame(results, results->state[0], patches->frame, (size_t)first * points, (size_t)count * points,
                      patches->depth, error));
    for (int m = 0; !results->is_restart && m < patches->components; m++)
        TRY(get_frame(results, field->kind == EWI_FIELD_STATE ? results->state[m] : field->variable, patches->frame,
                      (size_t)first * points, (size_t)count * points,
                      patches->values + (size_t)m * (size_t)results->slab * points, error));
    if (patches->own)
        memcpy(patches->own, patches->values + (size_t)field->component * (size_t)results->slab * points,
               (size_t)count * points * sizeof *patches->own);
    ewi_parallel_shares(count, EWI_FEW, fit_elements, patches);
    return EW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double polynomial(int degree, const double *c, double r, double s)
{
    double value = 0;
    for (int b = degree; b >= 0; b--) {
        const double *row = c + ewi_lattice_node(degree, 0, b);
        double inner = 0;
        for (int a = degree - b; a >= 0; a--)
            inner = inner * r + row[a];
        value = value * s + inner;
    }
    return value;
}

/* The number, in the file's order, of the small triangle that contains (r, s). */
static int face_of(int subdivide, double r, double s)
{
    int j = (int)fmin(fmax(floor(s * subdivide), 0), subdivide - 1), i = (int)floor(r * subdivide);
    i = i < 0 ? 0 : i > subdivide - 1 - j ? subdivide - 1 - j : i;
    bool upper = r * subdivide - i + (s * subdivide - j) > 1 && i + j + 1 < subdivide;
    return j * (2 * subdivide - j) + 2 * i + upper;
}

/* The polynomial's derivatives by r and s. */
static void differentiate(int degree, const double *c, double r, double s, double *dr, double *ds)
{
    double rn[EW_MAX_ORDER + 1] = {1}, sn[EW_MAX_ORDER + 1] = {1};
    for (int k = 1; k <= degree; k++) {
        rn[k] = rn[k - 1] * r;
        sn[k] = sn[k - 1] * s;
    }
    *dr = *ds = 0;
    for (int b = 0; b <= degree; b++)
        for (int a = 0; a + b <= degree; a++) {
            double term = c[ewi_lattice_node(degree, a, b)];
            *dr += a > 0 ? a * term * rn[a - 1] * sn[b] : 0;
            *ds += b > 0 ? b * term * rn[a] * sn[b - 1] : 0;
        }
}

/* A derived quantity from the state and its gradient, as the solver computes it. */
static double derive(const struct ewi_patches *patches, int64_t e, double r, double s, const double *state)
{
    const struct ew_results *results = patches->results;
    const double *c = patches->coefficient + e * patches->components * patches->terms, *t = patches->corner + 6 * e;
    double xr = t[2] - t[0], yr = t[3] - t[1], xs = t[4] - t[0], ys = t[5] - t[1], det = xr * ys - xs * yr;
    double gradient[2 * EW_MAX_VARIABLES], value, dr, ds;
    for (int m = 0; m < patches->components; m++) {
        differentiate(patches->degree, c + m * patches->terms, r, s, &dr, &ds);
        gradient[2 * m] = (ys * dr - yr * ds) / det;
        gradient[2 * m + 1] = (xr * ds - xs * dr) / det;
    }
    ew_law_derived(results->law, results->parameter, patches->field->component, 1, state, gradient, &value);
    return value;
}

static bool all_finite(int points, const double *value)
{
    bool finite = true;
    for (int k = 0; k < points; k++)
        finite = finite && isfinite(value[k]);
    return finite;
}

static void evaluate_nodes(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s,
                           double *value)
{
    const struct ew_results *results = patches->results;
    const double *c = patches->coefficient + e * patches->terms, *own = patches->values + e * results->points;
    bool linear = patches->field->linear || !all_finite(results->points, own) ||
                  (patches->depth && ewi_shore_crosses(results->points, patches->depth + e * results->points));
    for (int k = 0; k < n; k++)
        value[k] = linear ? ewi_shore_value(results->subdivide, own, r[k], s[k])
                          : polynomial(patches->degree, c, r[k], s[k]);
}

/* The number of the file's node at exactly (r, s), or -1. */
static int node_at(int subdivide, double r, double s)
{
    double i = nearbyint(r * subdivide), j = nearbyint(s * subdivide);
    bool is_node = i >= 0 && j >= 0 && i + j <= subdivide && i / subdivide == r && j / subdivide == s;
    return is_node ? ewi_lattice_node(subdivide, (int)i, (int)j) : -1;
}

/* Replaces the values at the file's nodes by the file's. */
static void take_own(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s,
                     double *value)
{
    const struct ew_results *results = patches->results;
    const double *own = patches->field->kind == EWI_FIELD_NODES ? patches->values : patches->own;
    for (int k = 0; own && k < n; k++) {
        int node = node_at(results->subdivide, r[k], s[k]);
        if (node >= 0)
            value[k] = own[e * results->points + node];
    }
}

/* Returns the mean of r^a s^b in the reference triangle, 2 a! b!/(a + b + 2)!. */
static double mean_of_term(int a, int b)
{
    double mean = 2.0 / ((a + b + 1) * (a + b + 2));
    for (int k = 1; k <= b; k++)
        mean *= (double)k / (a + k);
    return mean;
}

/* Computes the mean of the state's polynomials in element e. */
static void mean_state(const struct ewi_patches *patches, int64_t e, double mean[EW_MAX_VARIABLES])
{
    const double *c = patches->coefficient + e * patches->components * patches->terms;
    int degree = patches->degree;
    for (int m = 0; m < patches->components; m++) {
        mean[m] = 0;
        for (int b = 0; b <= degree; b++)
            for (int a = 0; a + b <= degree; a++)
                mean[m] += c[m * patches->terms + ewi_lattice_node(degree, a, b)] * mean_of_term(a, b);
    }
}

static void evaluate_state(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s,
                           double *value)
{
    const struct ew_results *results = patches->results;
    const struct ewi_field *field = patches->field;
    const double *c = patches->coefficient + e * patches->components * patches->terms;
    double mean[EW_MAX_VARIABLES];
    mean_state(patches, e, mean);
    for (int k = 0; k < n; k++) {
        double state[EW_MAX_VARIABLES] = {0};
        for (int m = 0; m < patches->components; m++)
            state[m] = polynomial(patches->degree, c + m * patches->terms, r[k], s[k]);
        if (field->primitive || field->derived)
            ew_law_limit_points(results->law, results->parameter, mean, 1, state);
        if (field->primitive)
            ew_law_primitive(results->law, results->parameter, 1, state, state);
        value[k] = field->derived ? derive(patches, e, r[k], s[k], state) : state[field->component];
    }
}

void ewi_patches_evaluate(const struct ewi_patches *patches, int64_t e, int n, const double *r, const double *s,
                          double *value)
{
    const double *c = patches->coefficient + e * patches->components * patches->terms;
    switch (patches->field->kind) {
    case EWI_FIELD_NODES:
        evaluate_nodes(patches, e, n, r, s, value);
        break;
    case EWI_FIELD_STATE:
        evaluate_state(patches, e, n, r, s, value);
        break;
    case EWI_FIELD_FACES:
        for (int k = 0; k < n; k++)
            value[k] = c[patches->terms > 1 ? face_of(patches->results->subdivide, r[k], s[k]) : 0];
        break;
    }
    take_own(patches, e, n, r, s, value);
    for (int k = 0; k < n && patches->field->scale != 0; k++)
        value[k] = (value[k] - patches->field->shift) * patches->field->scale;
    if (patches->minus) {
        double other[EWI_RUN];
        ewi_patches_evaluate(patches->minus, e, n, r, s, other);
        for (int k = 0; k < n; k++)
            value[k] -= other[k];
    }
}

bool ewi_field_is_linear(const struct ew_results *results, const struct ewi_field *field)
{
    const struct ew_results *other = results->minus;
    int k;
    if (other && (ew_results_find(other, field->name, &k, NULL) != EW_OK ||
                  !ewi_field_is_linear(other, &other->field[k])))
        return false;
    bool in_pieces = results->subdivide > 1 && (field->linear || has_shores(results));
    return fit_of(results, field)->degree <= 1 && !in_pieces &&
           (field->kind == EWI_FIELD_NODES || (field->kind == EWI_FIELD_STATE && !field->primitive && !field->derived));
}

static void sample_element(const struct ewi_patches *patches, int64_t e, int points, const double *rs, double *values)
{
    for (int done = 0; done < points; done += EWI_RUN) {
        double r[EWI_RUN], s[EWI_RUN];
        int n = points - done < EWI_RUN ? points - done : EWI_RUN;
        for (int k = 0; k < n; k++) {
            r[k] = rs[2 * (done + k)];
            s[k] = rs[2 * (done + k) + 1];
        }
        ewi_patches_evaluate(patches, e, n, r, s, values + done);
    }
}

struct sampling {
    const struct ewi_patches *patches;
    int64_t first;
    int points;
    const double *rs;
    double *values;
};

static void sample_elements(void *context, int64_t from, int64_t to)
{
    const struct sampling *sampling = context;
    for (int64_t e = from; e < to; e++)
        sample_element(sampling->patches, sampling->first + e, sampling->points, sampling->rs,
                       sampling->values + e * sampling->points);
}

int ew_results_sample(const ew_results *results, int64_t frame, int field, int64_t first, int64_t count, int points,
                      const double *rs, double *values, ew_error *error)
{
    EWI_REQUIRE(results, rs, values);
    struct ewi_patches patches;
    int status = check_elements(results, first, count, error);
    if (status == EW_OK && points < 1)
        status = ewi_fail(error, EW_EINVAL, "%d points are asked for; there must be at least one", points);
    if (status != EW_OK)
        return status;
    if ((status = ewi_patches_create(results, field, frame, &patches, error)) != EW_OK)
        return status;
    int64_t end = first + count;
    for (int64_t done = first - first % results->slab; status == EW_OK && done < end; done += results->slab) {
        status = ewi_patches_load(&patches, done, error);
        int64_t from = done < first ? first - done : 0, to = smaller(patches.count, end - done);
        struct sampling sampling = {&patches, from, points, rs, values + (done + from - first) * points};
        if (status == EW_OK)
            ewi_parallel_shares(to - from, EWI_FEW / points, sample_elements, &sampling);
    }
    ewi_patches_destroy(&patches);
    return status;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

static int compare_corners(const struct ew_results *results, const struct ew_results *other, double *xy,
                           ew_error *error)
{
    double near = 1e-6 * hypot(results->xmax - results->xmin, results->ymax - results->ymin);
    int64_t slab = results->slab;
    for (int64_t first = 0; first < results->elements; first += slab) {
        int64_t count = results->elements - first < slab ? results->elements - first : slab;
        TRY(ew_results_corners(results, first, count, xy, error));
        TRY(ew_results_corners(other, first, count, xy + 6 * slab, error));
        for (int64_t k = 0; k < 6 * count; k++)
            if (!(fabs(xy[k] - xy[6 * slab + k]) <= near))
                return ewi_fail(error, EW_EINVAL, "%s and %s have different meshes: triangle %lld is not the same; a "
                                "difference needs one mesh", results->path, other->path, (long long)(first + k / 6));
    }
    return EW_OK;
}

static bool has_field(const struct ew_results *results, const char *name)
{
    for (int k = 0; k < results->fields; k++)
        if (strcmp(results->field[k].name, name) == 0)
            return true;
    return false;
}

/* Keeps the fields that both have, and renames them to differences. */
static void keep_common_fields(struct ew_results *results, const struct ew_results *other)
{
    int kept = 0;
    const char *slash = strrchr(other->path, '/'), *base = slash ? slash + 1 : other->path;
    for (int k = 0; k < results->fields; k++) {
        struct ewi_field field = results->field[k];
        if (!has_field(other, field.name))
            continue;
        size_t length = strlen(field.long_name);
        ewi_snprintf(field.long_name + length, sizeof field.long_name - length, ", difference to %s", base);
        results->field[kept++] = field;
    }
    results->fields = kept;
}

int ew_results_subtract(ew_results *results, ew_results *other, ew_error *error)
{
    EWI_REQUIRE(results, other);
    if (results == other || results->minus || other->minus)
        return ewi_fail(error, EW_EINVAL, "%s has already something subtracted, or is itself to be", results->path);
    if (results->elements != other->elements)
        return ewi_fail(error, EW_EINVAL, "%s and %s have different meshes, of %lld and %lld triangles; a difference "
                        "needs one mesh", results->path, other->path, (long long)results->elements,
                        (long long)other->elements);
    if (other->frames == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no frames yet", other->path);
    results->slab = other->slab = results->slab < other->slab ? results->slab : other->slab;
    double *xy = ewi_alloc(&results->host, 12 * (size_t)results->slab, sizeof *xy);
    int status = xy ? compare_corners(results, other, xy, error) : ewi_results_no_memory(results, error);
    ewi_free(&results->host, xy);
    if (status != EW_OK)
        return status;
    keep_common_fields(results, other);
    results->minus = other;
    return results->fields > 0 ? EW_OK : ewi_fail(error, EW_EINVAL, "%s and %s have no field in common", results->path,
                                                  other->path);
}
