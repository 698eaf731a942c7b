/* SPDX-License-Identifier: BSD-2-Clause */
/* True curves over straight edges: circles, splines, and those given by formulas of their normals or of the curve. */
#include "ewi_curve.h"
#include "ewi_basis.h"
#include "ewi_data.h"
#include "ewi_error.h"
#include "ewi_math.h"
#include "ewi_text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define ON_CIRCLE 1e-4      /* of the radius: how far nodes may be off */
#define ON_CURVE 0.02       /* of an edge: how far a curve may miss the edge's ends */
#define FOUND 1e-9          /* of an edge: the largest last step of an iteration that has converged */
#define DIFFERENCE 1e-3     /* of an edge: the step of differences of fourth order, which balances their two errors */
#define MOSTLY 0.7071       /* cosine of the greatest angle between a curve's normal and its edge's, as a rule */
#define MEND "correct the formula, or put the nodes onto the curve"
enum { SWEEPS = 60 };

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static int check_outputs(const ew_data *data, const char *what, int outputs, const char *boundary, ew_error *error)
{
    if (!data->formula && !data->callback)
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": its curve needs the %s; give it", boundary, what);
    if (data->formula && data->callback)
        return ewi_fail(error, EW_EINVAL,
                        "boundary \"%s\": the %s has both a formula and a callback; give one of them", boundary, what);
    if (data->formula && ew_formula_outputs(data->formula) != outputs)
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the number of formulas for the %s is %d; it must be %d",
                        boundary, what, ew_formula_outputs(data->formula), outputs);
    if (data->formula && (ew_formula_variables(data->formula) & EW_STATE))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the %s depends on the local state; only a source may",
                        boundary, what);
    return EW_OK;
}

static int check_circle(const ew_boundary_curve *curve, const char *boundary, ew_error *error)
{
    if (!(curve->radius > 0 && isfinite(curve->radius)))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the circle's radius is %g; it must be greater than 0",
                        boundary, curve->radius);
    if (!isfinite(curve->centre[0]) || !isfinite(curve->centre[1]))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": the circle's centre is (%g, %g); it must be finite",
                        boundary, curve->centre[0], curve->centre[1]);
    return EW_OK;
}

int ewi_curve_check(const ew_boundary_curve *curve, const char *boundary, ew_error *error)
{
    switch (curve->kind) {
    case EW_CURVE_NORMAL:
        return check_outputs(&curve->normal, "normal", 2, boundary, error);
    case EW_CURVE_LEVEL:
        return check_outputs(&curve->level, "function that is zero on it", 1, boundary, error);
    case EW_CURVE_CIRCLE:
        return check_circle(curve, boundary, error);
    case EW_CURVE_SPLINE:
        if (!(curve->corner >= 0 && curve->corner <= 180))
            return ewi_fail(error, EW_EINVAL,
                            "boundary \"%s\": the angle of a corner is %g degrees; it must be 0 to 180",
                            boundary, curve->corner);
        return EW_OK;
    }
    return ewi_fail(error, EW_EINVAL, "boundary \"%s\": there is no curve of kind %d", boundary, (int)curve->kind);
}

/* ---- an edge ----------------------------------------------------------------------------------------------------- */

struct chord {
    double from[2], along[2], length, normal[2]; /* along: from one end to the other */
};

static struct chord chord_of(const struct ewi_arc *arc)
{
    const struct ewi_bezier *piece = &arc->piece;
    struct chord chord = {{piece->from[0], piece->from[1]},
                          .along = {piece->to[0] - piece->from[0], piece->to[1] - piece->from[1]}};
    chord.length = ewi_sqrt(chord.along[0] * chord.along[0] + chord.along[1] * chord.along[1]);
    chord.normal[0] = chord.along[1] / chord.length;
    chord.normal[1] = -chord.along[0] / chord.length;
    return chord;
}

static void point_over(const struct chord *chord, double t, double height, double *x, double *y)
{
    *x = chord->from[0] + t * chord->along[0] + height * chord->normal[0];
    *y = chord->from[1] + t * chord->along[1] + height * chord->normal[1];
}

/* Makes n a unit vector; false if it is 0 or not finite. Its square may underflow or overflow. */
static bool normalize(double n[2])
{
    double largest = fmax(fabs(n[0]), fabs(n[1]));
    if (!(largest > 0) || !isfinite(n[0]) || !isfinite(n[1]))
        return false;
    int exponent;
    frexp(largest, &exponent);
    double x = ldexp(n[0], -exponent), y = ldexp(n[1], -exponent), length = ewi_sqrt(x * x + y * y);
    n[0] = x / length;
    n[1] = y / length;
    return true;
}

static double outward_part(const struct chord *chord, const double n[2])
{
    return n[0] * chord->normal[0] + n[1] * chord->normal[1];
}

/* Normalizes n; `turns`: its sign is arbitrary, so make it point outward. False if it does not point outward then. */
static bool make_outward(const struct chord *chord, bool turns, double n[2])
{
    if (!normalize(n))
        return false;
    double sign = turns && outward_part(chord, n) < 0 ? -1 : 1;
    n[0] *= sign;
    n[1] *= sign;
    return outward_part(chord, n) > 0;
}

/* An error that begins with the edge; `format`: what is wrong over it, and what to do. */
static int no_curve(const struct ewi_arc *arc, ew_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int no_curve(const struct ewi_arc *arc, ew_error *error, const char *format, ...)
{
    const struct ewi_bezier *piece = &arc->piece;
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return ewi_fail(error, EW_EMESH, "boundary \"%s\": over the edge from (%.9g, %.9g) to (%.9g, %.9g) %s",
                    arc->boundary, piece->from[0], piece->from[1], piece->to[0], piece->to[1], what);
}

/* ---- circles ----------------------------------------------------------------------------------------------------- */

static int check_node(const struct ewi_arc *arc, const double node[2], ew_error *error)
{
    const ew_boundary_curve *curve = arc->curve;
    double x = node[0] - curve->centre[0], y = node[1] - curve->centre[1], distance = ewi_sqrt(x * x + y * y);
    if (!(fabs(distance - curve->radius) <= ON_CIRCLE * curve->radius))
        return ewi_fail(error, EW_EMESH,
                        "boundary \"%s\": its node (%.9g, %.9g) is not on the circle of radius %.9g around (%.9g, "
                        "%.9g), but at the distance %.9g from the centre",
                        arc->boundary, node[0], node[1], curve->radius, curve->centre[0], curve->centre[1], distance);
    return EW_OK;
}

static int check_on_circle(const struct ewi_arc *arc, ew_error *error)
{
    int status = check_node(arc, arc->piece.from, error);
    return status == EW_OK ? check_node(arc, arc->piece.to, error) : status;
}

static int circle_over(const struct ewi_arc *arc, const struct chord *chord, double t, double *height, double normal[2],
                       ew_error *error)
{
    const ew_boundary_curve *curve = arc->curve;
    double x, y;
    point_over(chord, t, 0, &x, &y);
    x -= curve->centre[0];
    y -= curve->centre[1];
    double out = x * chord->normal[0] + y * chord->normal[1], across = x * chord->normal[1] - y * chord->normal[0];
    double root = ewi_sqrt(fmax(curve->radius * curve->radius - across * across, 0));
    if (!(fabs(out) > 1e-6 * curve->radius))
        return ewi_fail(error, EW_EMESH,
                        "boundary \"%s\": the edge from (%.9g, %.9g) to (%.9g, %.9g) passes through the circle's "
                        "centre; more than two edges around it are needed",
                        arc->boundary, arc->piece.from[0], arc->piece.from[1], arc->piece.to[0], arc->piece.to[1]);
    *height = (out > 0 ? root : -root) - out;
    normal[0] = x + *height * chord->normal[0];
    normal[1] = y + *height * chord->normal[1];
    return make_outward(chord, true, normal)
               ? EW_OK
               : no_curve(arc, error, "the circle is perpendicular to the edge; make the mesh finer there");
}

/* ---- normals ----------------------------------------------------------------------------------------------------- */

static int normal_at(const struct ewi_arc *arc, const struct chord *chord, double t, double height, double n[2],
                     ew_error *error)
{
    double x, y, given[2];
    char why[EWI_EXPLANATION];
    point_over(chord, t, height, &x, &y);
    ewi_data_evaluate(&arc->curve->normal, 1, &x, &y, 0.0, given);
    memcpy(n, given, sizeof given);
    if (!normalize(n))
        return no_curve(arc, error, "the normal has no direction: at (%.9g, %.9g) it is (%.9g, %.9g)%s", x, y,
                        given[0], given[1], ewi_data_explain(&arc->curve->normal, x, y, 0.0, why));
    if (!(outward_part(chord, n) > 0))
        return no_curve(arc, error,
                        "the normal at (%.9g, %.9g) is (%.9g, %.9g), which does not point out of the domain; %s", x, y,
                        given[0], given[1],
                        outward_part(chord, n) < -MOSTLY ? "change both signs" : "give that of this boundary's curve");
    return EW_OK;
}

/* Slope over an edge with unit normal n0 of a curve with normal n, both outward; the edge runs counter-clockwise. */
static double slope_of(const double *n0, const double *n)
{
    return (n0[1] * n[0] - n0[0] * n[1]) / (n0[0] * n[0] + n0[1] * n[1]);
}

/* Lagrange's polynomial number r of the points, at t. */
static double lagrange(int ne, const double *point, int r, double t)
{
    double value = 1;
    for (int k = 0; k < ne; k++)
        if (k != r)
            value *= (t - point[k]) / (point[r] - point[k]);
    return value;
}

/*
 * A curve y = h(t) over the edge 0 <= t <= 1, in lengths of the edge, with h(0) = h(1) = 0 and slope[r] = h'(point[r])
 * at the points of a rule of ne <= EWI_MAX_NE points: h(t) is the sum of factor[r] * slope[r]. The slopes' polynomial
 * is integrated, exactly by the same rule, moved to 0 .. t; a linear term then makes h(1) = 0.
 */
static void height_factors(int ne, const double *point, const double *weight, double t, double *factor)
{
    for (int r = 0; r < ne; r++) {
        double sum = 0;
        for (int k = 0; k < ne; k++)
            sum += weight[k] * lagrange(ne, point, r, t * point[k]);
        factor[r] = t * sum - t * weight[r];
    }
}

static double height_at(const struct ewi_basis *rule, const double *slope, double t)
{
    double factor[EWI_MAX_NE], height = 0;
    height_factors(rule->ne, rule->edge_t, rule->edge_weight, t, factor);
    for (int r = 0; r < rule->ne; r++)
        height += factor[r] * slope[r];
    return height;
}

/*
 * Finds the curve through both nodes that has these normals: its slopes at the points of a rule. They are needed at the
 * curve's own points, which are unknown at first, so it takes some sweeps. Each reduces the error by about the edge's
 * angle.
 */
static int slopes_of_normals(const struct ewi_arc *arc, const struct chord *chord, const struct ewi_basis *rule,
                             double *slope, ew_error *error)
{
    double height[EWI_MAX_NE] = {0}, change = 1, missed = 0;
    for (int sweep = 0; sweep < SWEEPS && change > 1e-15; sweep++) {
        for (int q = 0; q < rule->ne; q++) {
            double n[2];
            TRY(normal_at(arc, chord, rule->edge_t[q], height[q] * chord->length, n, error));
            slope[q] = slope_of(chord->normal, n);
        }
        change = 0;
        for (int q = 0; q < rule->ne; q++) {
            double now = height_at(rule, slope, rule->edge_t[q]);
            change = fmax(change, fabs(now - height[q]));
            height[q] = now;
        }
    }
    for (int q = 0; q < rule->ne; q++)
        missed += rule->edge_weight[q] * slope[q];
    if (!(change < FOUND))
        return no_curve(arc, error, "the normals are not those of a curve; give other formulas, or a finer mesh");
    if (!(fabs(missed) <= ON_CURVE))
        return no_curve(arc, error,
                        "the curve that has these normals and begins at the first node ends at the distance %.3g from "
                        "the other one, which is %.3g of the edge's length, and at most %g is possible; " MEND,
                        fabs(missed) * chord->length, fabs(missed), ON_CURVE);
    return EW_OK;
}

static int normals_over(const struct ewi_arc *arc, const struct chord *chord, int points, const double *t,
                        double *height, double (*normal)[2], ew_error *error)
{
    const struct ewi_basis *rule = ewi_basis_get(EWI_MAX_ORDER);
    double slope[EWI_MAX_NE];
    int status = slopes_of_normals(arc, chord, rule, slope, error);
    for (int k = 0; status == EW_OK && k < points; k++) {
        height[k] = height_at(rule, slope, t[k]) * chord->length;
        status = normal_at(arc, chord, t[k], height[k], normal[k], error);
    }
    return status;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static double level_at(const struct ewi_arc *arc, double x, double y)
{
    double value;
    ewi_data_evaluate(&arc->curve->level, 1, &x, &y, 0.0, &value);
    return value;
}

/* The gradient, by central differences. */
static void level_gradient(const struct ewi_arc *arc, const struct chord *chord, double x, double y, double g[2])
{
    double h = DIFFERENCE * chord->length;
    for (int axis = 0; axis < 2; axis++) {
        double dx = axis == 0 ? h : 0, dy = axis == 0 ? 0 : h;
        double near = level_at(arc, x + dx, y + dy) - level_at(arc, x - dx, y - dy);
        double far = level_at(arc, x + 2 * dx, y + 2 * dy) - level_at(arc, x - 2 * dx, y - 2 * dy);
        g[axis] = (8 * near - far) / (12 * h);
    }
}

/* The zero over a place, by Newton's method from the edge; g: the gradient there. */
static bool level_zero(const struct ewi_arc *arc, const struct chord *chord, double t, double *height, double g[2])
{
    double x, y, change = chord->length;
    *height = 0;
    for (int step = 0; step < SWEEPS && fabs(change) > 1e-15 * chord->length; step++) {
        point_over(chord, t, *height, &x, &y);
        level_gradient(arc, chord, x, y, g);
        change = level_at(arc, x, y) / outward_part(chord, g);
        *height -= change;
        if (!(fabs(*height) <= chord->length))
            return false;
    }
    return fabs(change) <= FOUND * chord->length;
}

/* Squares and absolute values have a zero, too, but no gradient there that shows where the curve goes. */
static bool has_rate(const struct ewi_arc *arc, const struct chord *chord, double t, double height, const double g[2])
{
    double h = DIFFERENCE * chord->length, rate = h * outward_part(chord, g), outer[2], inner[2];
    point_over(chord, t, height + h, &outer[0], &outer[1]);
    point_over(chord, t, height - h, &inner[0], &inner[1]);
    return level_at(arc, outer[0], outer[1]) / rate > 0.5 && level_at(arc, inner[0], inner[1]) / rate < -0.5;
}

/* The distance of a zero from a point, found along gradients; infinite: none is found. */
static double distance_of_zero(const struct ewi_arc *arc, const struct chord *chord, const double from[2])
{
    double x = from[0], y = from[1], value = level_at(arc, x, y), step = INFINITY;
    for (int k = 0; k < SWEEPS && fabs(step) > FOUND * chord->length; k++) {
        double g[2], n[2];
        level_gradient(arc, chord, x, y, g);
        memcpy(n, g, sizeof n);
        if (!normalize(n))
            return INFINITY;
        step = value / (g[0] * n[0] + g[1] * n[1]);
        x -= step * n[0];
        y -= step * n[1];
        value = level_at(arc, x, y);
    }
    x -= from[0];
    y -= from[1];
    return fabs(step) <= FOUND * chord->length ? ewi_sqrt(x * x + y * y) : INFINITY;
}

/* At the edge, or within its length outside: where the function is needed. */
static const char *explain_level(const struct ewi_arc *arc, const struct chord *chord, double t,
                                 char why[EWI_EXPLANATION])
{
    for (int outside = 0; outside < 2; outside++) {
        double at[2];
        point_over(chord, t, outside * chord->length, &at[0], &at[1]);
        if (ewi_data_explain(&arc->curve->level, at[0], at[1], 0.0, why)[0])
            break;
    }
    return why;
}

static int no_zero(const struct ewi_arc *arc, const struct chord *chord, double t, ew_error *error)
{
    double at[2], distance;
    char why[EWI_EXPLANATION];
    point_over(chord, t, 0, &at[0], &at[1]);
    distance = distance_of_zero(arc, chord, at);
    return no_curve(arc, error,
                    "the function, %.3g at (%.9g, %.9g), has no zero within an edge's length, %s%.3g; " MEND "%s",
                    level_at(arc, at[0], at[1]), at[0], at[1],
                    isfinite(distance) ? "but one at the distance " : "as far as can be found: ",
                    isfinite(distance) ? distance : chord->length, explain_level(arc, chord, t, why));
}

static int level_over(const struct ewi_arc *arc, const struct chord *chord, double t, double *height, double normal[2],
                      ew_error *error)
{
    double x, y;
    if (!level_zero(arc, chord, t, height, normal))
        return no_zero(arc, chord, t, error);
    point_over(chord, t, *height, &x, &y);
    if (!has_rate(arc, chord, t, *height, normal) || !make_outward(chord, true, normal))
        return no_curve(arc, error,
                        "the function is zero at (%.9g, %.9g), but does not change there at a finite rate; give one "
                        "whose sign is another inside than outside, not its square or absolute value", x, y);
    return EW_OK;
}

static int levels_over(const struct ewi_arc *arc, const struct chord *chord, int points, const double *t,
                       double *height, double (*normal)[2], ew_error *error)
{
    for (int end = 0; end < 2; end++) {
        const double *node = end ? arc->piece.to : arc->piece.from;
        double missed, n[2];
        TRY(level_over(arc, chord, end, &missed, n, error));
        if (!(fabs(missed) <= ON_CURVE * chord->length))
            return no_curve(arc, error,
                            "the function is zero at the distance %.3g from the node (%.9g, %.9g), which is %.3g of "
                            "the edge's length, and at most %g is possible; " MEND,
                            fabs(missed), node[0], node[1], fabs(missed) / chord->length, ON_CURVE);
    }
    for (int k = 0; k < points; k++)
        TRY(level_over(arc, chord, t[k], &height[k], normal[k], error));
    return EW_OK;
}

/* ---- all kinds --------------------------------------------------------------------------------------------------- */

int ewi_curve_over(const struct ewi_arc *arc, int points, const double *t, double *height, double (*normal)[2],
                   ew_error *error)
{
    const struct chord chord = chord_of(arc);
    int status = EW_OK;
    switch (arc->curve->kind) {
    case EW_CURVE_NORMAL:
        return normals_over(arc, &chord, points, t, height, normal, error);
    case EW_CURVE_LEVEL:
        return levels_over(arc, &chord, points, t, height, normal, error);
    case EW_CURVE_CIRCLE:
        status = check_on_circle(arc, error);
        for (int k = 0; status == EW_OK && k < points; k++)
            status = circle_over(arc, &chord, t[k], &height[k], normal[k], error);
        break;
    case EW_CURVE_SPLINE:
        for (int k = 0; status == EW_OK && k < points; k++) {
            if (!ewi_spline_over(&arc->piece, t[k], &height[k], normal[k]) || !make_outward(&chord, false, normal[k]))
                status = no_curve(arc, error,
                                  "the spline turns back, since the edges turn too sharply there; make the mesh finer "
                                  "there, or make the node a corner by a smaller \"corner\"");
        }
        break;
    }
    return status;
}
