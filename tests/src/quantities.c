/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantities by formula: functions of the law's own, with the same bits however and wherever they are sampled. */
#include "edgewise.h"
#include "flows.h"
#include "helpers.h"

enum { POINTS = 4, MOST = 4 };

static const double rs[2 * POINTS] = {0.2, 0.3, 0.0, 0.0, 1.0, 0.0, 0.1, 0.8};
static ew_mesh *mesh;
static ew_formula *initial;

static ew_formula *quantity_formula(const char *law, const char *text)
{
    ew_scope *scope, *with_outputs;
    ew_formula *made;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_set(scope, "mach", 3.0, &error), &error);
    must(ew_scope_with_outputs(scope, ew_law_find(law), &with_outputs, &error), &error);
    must(ew_formula_create(with_outputs, 1, &text, &made, &error), &error);
    ew_scope_destroy(with_outputs);
    ew_scope_destroy(scope);
    return made;
}

static ew_problem problem_with(int quantities, const ew_quantity *quantity)
{
    return (ew_problem){.order = 2, .initial.formula = initial, .time = 0.25, .backend = "omp", .threads = 1,
                        .quantities = quantities, .quantity = quantity};
}

static int number_of(const ew_solver *solver, const char *name)
{
    int k = 0;
    for (const char *of; (of = ew_solver_output(solver, k, NULL)) != NULL; k++)
        if (strcmp(of, name) == 0)
            return k;
    return -1;
}

/* The position of a point, from the corners. */
static void locate(int64_t e, const double *at, double xy[2])
{
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    double *node = calloc((size_t)info.nodes, 2 * sizeof *node);
    int64_t *triangle = calloc((size_t)info.elements, 3 * sizeof *triangle);
    ew_mesh_get_nodes(mesh, node);
    ew_mesh_get_triangles(mesh, triangle);
    const double *a = node + 2 * triangle[3 * e], *b = node + 2 * triangle[3 * e + 1],
                 *c = node + 2 * triangle[3 * e + 2];
    for (int d = 0; d < 2; d++)
        xy[d] = a[d] + (b[d] - a[d]) * at[0] + (c[d] - a[d]) * at[1];
    free(node);
    free(triangle);
}

/* rho, rho_u, vorticity and the quantities, at all points of all elements. */
struct values {
    size_t count;
    double *of[6];
};

static struct values sample_all(ew_solver *solver)
{
    static const char *const names[] = {"rho", "rho_u", "vorticity", "sum", "twist", "where"};
    struct values values = {.count = (size_t)elements_of(mesh) * POINTS};
    int number[6];
    ew_error error;
    for (int k = 0; k < 6; k++) {
        number[k] = number_of(solver, names[k]);
        values.of[k] = calloc(values.count, sizeof(double));
    }
    must(ew_solver_sample_columns(solver, 0, elements_of(mesh), POINTS, rs, 6, number, 0, (void **)values.of, NULL,
                                  &error), &error);
    return values;
}

static void free_values(struct values *values)
{
    for (int k = 0; k < 6; k++)
        free(values->of[k]);
}

static void check_values(ew_solver *solver, const char *when)
{
    struct values values = sample_all(solver);
    double time = ew_solver_time(solver);
    int wrong = 0;
    for (size_t i = 0; i < values.count; i++) {
        double rho = values.of[0][i], rho_u = values.of[1][i], vorticity = values.of[2][i], xy[2];
        locate((int64_t)(i / POINTS), rs + 2 * (i % POINTS), xy);
        wrong += values.of[3][i] != rho + rho_u * 3.0 || values.of[4][i] != vorticity * vorticity ||
                 !(fabs(values.of[5][i] - (xy[0] + 10 * xy[1] + 100 * time)) < 1e-12);
    }
    is_int(wrong, 0, "%s: functions of variables, gradients, x, y and t", when);
    free_values(&values);
}

static void check_ways(ew_solver *solver)
{
    int64_t elements = elements_of(mesh);
    size_t count = (size_t)elements * POINTS;
    int32_t *element = calloc(count, sizeof *element);
    double *where = calloc(count, 2 * sizeof *where), *row = calloc(count, 3 * sizeof *row), *column[3];
    int number[] = {number_of(solver, "sum"), number_of(solver, "twist"), number_of(solver, "where")}, wrong = 0;
    struct values values = sample_all(solver);
    ew_error error;
    for (size_t i = 0; i < count; i++) {
        element[i] = (int32_t)(i / POINTS);
        memcpy(where + 2 * i, rs + 2 * (i % POINTS), 2 * sizeof *where);
    }
    for (int k = 0; k < 3; k++)
        column[k] = calloc(count, sizeof(double));
    must(ew_solver_sample_outputs(solver, 0, elements, POINTS, rs, 3, number, row, &error), &error);
    must(ew_solver_sample_points(solver, (int64_t)count, element, where, 3, number, 0, (void **)column, &error),
         &error);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            wrong += row[3 * i + (size_t)k] != values.of[3 + k][i] || column[k][i] != values.of[3 + k][i];
    is_int(wrong, 0, "... with the same bits from all functions that sample");
    for (int k = 0; k < 3; k++)
        free(column[k]);
    free_values(&values);
    free(element);
    free(where);
    free(row);
}

static void check_law(void)
{
    ew_formula *sum = quantity_formula("euler", "rho + rho_u*mach"), *twist = quantity_formula("euler", "vorticity^2"),
               *where = quantity_formula("euler", "x + 10*y + 100*t");
    ew_quantity quantity[] = {{"sum", "a sum", sum}, {"twist", NULL, twist}, {"where", NULL, where}};
    ew_problem problem = problem_with(3, quantity);
    ew_solver *solver, *snapshot = NULL;
    const char *description;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    int first = number_of(solver, "limiter") + 1;
    is_str(ew_solver_output(solver, first, &description), "sum", "quantities follow those of the law");
    is_str(description, "a sum", "... with their description");
    is_str(ew_problem_output(&problem, first + 1, &description), "twist", "... as in the problem");
    is_str(description, "twist", "... whose description may be the name");
    ok(!ew_solver_output(solver, first + 3, NULL) && !ew_problem_output(&problem, first + 3, NULL) &&
           !ew_problem_output(&problem, -1, NULL), "... and there are no others");
    check_values(solver, "the initial state");
    must(ew_solver_advance(solver, INFINITY, 3, NULL, &error), &error);
    check_values(solver, "after 3 steps");
    check_ways(solver);
    must(ew_solver_snapshot(solver, 1, &first, &snapshot, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 3, NULL, &error), &error);
    check_values(snapshot, "a snapshot");
    ew_solver_destroy(snapshot);
    uint64_t hash, plain_hash;
    must(ew_solver_hash(solver, &hash, &error), &error);
    ew_solver_destroy(solver);
    problem.quantities = 0;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 6, NULL, &error), &error);
    must(ew_solver_hash(solver, &plain_hash, &error), &error);
    ok(hash == plain_hash, "quantities do not change the state");
    ew_solver_destroy(solver);
    ew_formula_destroy(sum);
    ew_formula_destroy(twist);
    ew_formula_destroy(where);
}

static void refuses(int quantities, const ew_quantity *quantity, const char *sentence)
{
    ew_problem problem = problem_with(quantities, quantity);
    ew_error error = {0};
    is_int(ew_problem_check(NULL, NULL, &problem, NULL, &error), EW_EINVAL, "refused");
    contains(error.message, sentence, "... because %s", sentence);
}

static void check_errors(void)
{
    ew_formula *good = quantity_formula("euler", "p/rho"), *two = formula_from("1;2"),
               *foreign = source_formula(4, (const char *const[]){"a", "b", "c", "d"});
    refuses(1, (ew_quantity[]){{"p", NULL, good}}, "a quantity of the law");
    refuses(1, (ew_quantity[]){{"t", NULL, good}}, "a coordinate");
    refuses(1, (ew_quantity[]){{"step", NULL, good}}, "the files of a run have another variable of that name");
    refuses(1, (ew_quantity[]){{"raster_p", NULL, good}}, "names of other variables in the files of a run begin");
    refuses(1, (ew_quantity[]){{"u_mean", NULL, good}}, "the name of a mean");
    refuses(1, (ew_quantity[]){{"2p", NULL, good}}, "must begin with a letter");
    refuses(1, (ew_quantity[]){{NULL, NULL, good}}, "must begin with a letter");
    refuses(2, (ew_quantity[]){{"a", NULL, good}, {"a", NULL, good}}, "two quantities \"a\"");
    refuses(1, (ew_quantity[]){{"a", NULL, NULL}}, "has no formula");
    refuses(1, (ew_quantity[]){{"a", NULL, two}}, "has 2 outputs");
    refuses(1, (ew_quantity[]){{"a", NULL, foreign}}, "has 4 outputs");
    refuses(1, NULL, "where is NULL");
    refuses(EW_MAX_QUANTITIES + 1, (ew_quantity[]){{"a", NULL, good}}, "there can be 0 to 32");
    ew_formula_destroy(good);
    ew_formula_destroy(two);
    ew_formula_destroy(foreign);
}

static void check_scope(void)
{
    ew_scope *scope, *made;
    ew_formula *wrong;
    ew_error error;
    const char *limiter = "limiter";
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_with_outputs(scope, ew_law_find("euler"), &made, &error), &error);
    is_int(ew_formula_create(made, 1, &limiter, &wrong, &error), EW_EFORMULA, "formulas cannot use the limiter");
    ew_scope_destroy(made);
    must(ew_scope_set(scope, "p", 1.0, &error), &error);
    is_int(ew_scope_with_outputs(scope, ew_law_find("euler"), &made, &error), EW_EFORMULA,
           "a name cannot be that of a primitive variable, too");
    is_int(ew_scope_with_outputs(scope, NULL, &made, &error), EW_EINVAL, "a law must be given");
    ew_scope_destroy(scope);
}

int main(void)
{
    mesh = box((struct box){5, 4, 2.0, 1.0, 0.3, true});
    initial = formula_from("1 + 0.2*sin(pi*x);0.3*cos(2*pi*y);0.1*sin(pi*x);1 + 0.1*cos(pi*x)");
    check_law();
    check_errors();
    check_scope();
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
    return done_testing();
}
