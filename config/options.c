/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of all keys of a case. */
#include "ewi_options.h"
#include "ewi_text.h"

#include <assert.h>
#include <string.h>

#define AT_LEAST(bound) .bounds = EWI_LOW, .low = (bound)
#define ABOVE(bound) .bounds = EWI_LOW | EWI_LOW_OPEN, .low = (bound)
#define BETWEEN(first, last) .bounds = EWI_LOW | EWI_HIGH, .low = (first), .high = (last)
#define FROM_TO_BELOW(first, end) .bounds = EWI_LOW | EWI_HIGH | EWI_HIGH_OPEN, .low = (first), .high = (end)
#define LIST(which) .has_list = true, .list = (which)

#define LARGEST_EXACT 9007199254740992.0 /* 2^53: doubles hold every integer up to it */

#define SIDE(side, where)                                                                                              \
    {.path = "mesh.rectangle." side,                                                                                   \
     .type = EWI_TEXT_OR_PARTS,                                                                                        \
     .value = side,                                                                                                    \
     .text = "name of the boundary " where ", or its parts in ascending order"},                                       \
    {.path = "mesh.rectangle." side ".PART.name", .type = EWI_TEXT, .text = "name of the part"},                       \
    {.path = "mesh.rectangle." side ".PART.to",                                                                        \
     .type = EWI_NUMBER,                                                                                               \
     .value = "(the side's end)",                                                                                      \
     .unit = "length",                                                                                                 \
     .text = "coordinate at which the part ends; every part but the last one needs it"}

static const struct ewi_option options[] = {
    {.path = "title", .type = EWI_TEXT, .value = "(none)", .text = "a line that is written to the output files"},

    {.path = "mesh", .type = EWI_TEXT_OR_GROUP, .text = "a Gmsh file, or a mesh to be made"},
    {.path = "mesh.rectangle", .type = EWI_GROUP, .text = "a rectangle of cells, each cut into two triangles"},
    {.path = "mesh.rectangle.corners", .type = EWI_NUMBERS, .count = 4, .unit = "length",
     .text = "x and y of the lower left corner, x and y of the upper right corner"},
    {.path = "mesh.rectangle.cells", .type = EWI_INTEGERS, .count = 2, BETWEEN(1, 1000000),
     .text = "cells in x and in y"},
    {.path = "mesh.rectangle.jitter", .type = EWI_NUMBER, .value = "0", FROM_TO_BELOW(0, 0.7), .unit = "cells",
     .text = "inner nodes move at random by up to half of this in x and in y"},
    {.path = "mesh.rectangle.seed", .type = EWI_INTEGER, .value = "1", BETWEEN(0, LARGEST_EXACT),
     .text = "number that the jitter is drawn from: the same seed, the same mesh"},
    SIDE("bottom", "at the smallest y"),
    SIDE("right", "at the largest x"),
    SIDE("top", "at the largest y"),
    SIDE("left", "at the smallest x"),

    {.path = "law", .type = EWI_WORD_OR_GROUP, .value = EW_DEFAULT_LAW, LIST(EW_LAWS),
     .text = "the conservation law, or a group with its name and parameters"},
    {.path = "law.name", .type = EWI_WORD, .value = EW_DEFAULT_LAW, LIST(EW_LAWS), .text = "the conservation law"},
    {.path = "law.PARAMETER", .type = EWI_NUMBER, .value = "(the law's)",
     .text = "a constant of the law, for example gamma"},
    {.path = "law.bed", .type = EWI_FORMULA, .value = "(none)", .unit = "length",
     .text = "elevation of the bed of shallow water, a formula of x and y, and a name in those of states"},
    {.path = "law.bulk_modulus", .type = EWI_NUMBER, .value = "(none)", .unit = "pressure",
     .text = "of acoustics, rho0 c0^2 in place of law.c0; also a formula of x and y"},
    {.path = "law.velocity", .type = EWI_FORMULAS, .value = "(none)", .count = 2, .unit = "length/time",
     .text = "the velocity field of linear advection, two formulas of x and y; that law needs it"},

    {.path = "order", .type = EWI_INTEGER, BETWEEN(1, EW_MAX_ORDER), .text = "polynomial degree p of the solution"},
    {.path = "flux", .type = EWI_WORD, .value = EW_DEFAULT_FLUX, LIST(EW_FLUXES),
     .text = "numerical flux between the triangles"},
    {.path = "limiter", .type = EWI_WORD, .value = EW_DEFAULT_LIMITER, LIST(EW_LIMITERS),
     .text = "the limiter of oscillations at shocks"},
    {.path = "positivity", .type = EWI_FLAG, .value = "false",
     .text = "keeps density, pressure and depth positive at all points"},

    {.path = "time", .type = EWI_GROUP, .text = "how the case advances in time"},
    {.path = "time.scheme", .type = EWI_WORD, .value = EW_DEFAULT_SCHEME, LIST(EW_SCHEMES),
     .text = "Runge-Kutta scheme"},
    {.path = "time.cfl", .type = EWI_NUMBER, .value = "(by scheme and order)", ABOVE(0), .text = "Courant number"},
    {.path = "time.step", .type = EWI_WORD, .value = "element", .word = {"element", "uniform", "levels", "local"},
     .text = "how steps are limited: by each element, by the least width and the largest speed, in levels, or each"
             " element's by itself"},
    {.path = "time.levels", .type = EWI_INTEGER, .value = "(as many as pay)", BETWEEN(1, EW_MAX_STEP_LEVELS),
     .text = "the largest number of levels of time.step = \"levels\""},
    {.path = "time.start", .type = EWI_NUMBER, .value = "0", .unit = "time", .text = "time of the initial state"},
    {.path = "time.end", .type = EWI_NUMBER, .unit = "time",
     .text = "final time, reached exactly; not before the start"},
    {.path = "time.steps", .type = EWI_INTEGER, .value = "(no limit)", BETWEEN(0, LARGEST_EXACT),
     .text = "stop after so many steps"},
    {.path = "time.steady", .type = EWI_NUMBER, .value = "0", AT_LEAST(0),
     .text = "stop when no coefficient changes by more than this in a step; 0: never"},
    {.path = "time.steady_orders", .type = EWI_NUMBER, .value = "0", BETWEEN(0, 16),
     .text = "stop when rates of change have fallen by so many orders of magnitude; 0: never"},

    {.path = "let", .type = EWI_GROUP, .value = "(none)", .text = "names for numbers and formulas"},
    {.path = "let.NAME", .type = EWI_FORMULA, .value = "(none)", .text = "the value of the name"},

    {.path = "initial", .type = EWI_GROUP, .text = "the initial state"},
    {.path = "initial.VARIABLE", .type = EWI_FORMULA, .text = "a primitive variable of the law; all must be given"},
    {.path = "exact", .type = EWI_WORD_OR_GROUP, .value = "(none)", .word = {"initial"},
     .text = "the exact solution; errors are reported against it"},
    {.path = "exact.VARIABLE", .type = EWI_FORMULA, .text = "a primitive variable of the law; all must be given"},
    {.path = "errors", .type = EWI_GROUP, .value = "(none)", .text = "how errors are computed"},
    {.path = "errors.rule", .type = EWI_WORD, .value = "standard", .word = {"standard", "fine"},
     .text = "quadrature rule of the errors"},

    {.path = "source", .type = EWI_GROUP, .value = "(none)",
     .text = "source terms, added to the right-hand side of the law's equations"},
    {.path = "source.VARIABLE", .type = EWI_FORMULA, .value = "0",
     .text = "the source of a conserved variable of the law, a formula of x, y, t and the primitive variables"},

    {.path = "boundary", .type = EWI_GROUP, .value = "(none)", .text = "the conditions at the boundaries of the mesh"},
    {.path = "boundary.NAME", .type = EWI_GROUP, .value = "(none)",
     .text = "one boundary, by its name in the mesh; all must be given"},
    {.path = "boundary.NAME.name", .type = EWI_TEXT, .value = "(NAME)",
     .text = "the boundary's name in the mesh, if that cannot be a key"},
    {.path = "boundary.NAME.kind", .type = EWI_WORD, .word = {"supersonic-out"}, LIST(EW_BOUNDARIES),
     .text = "the boundary condition"},
    {.path = "boundary.NAME.state", .type = EWI_WORD, .value = "(none)", .word = {"exact", "initial"},
     .kind = {"state", "far", "level"},
     .text = "the outer state, in place of formulas; kinds state, far and level"},
    {.path = "boundary.NAME.VARIABLE", .type = EWI_FORMULA, .value = "(none)",
     .kind = {"state", "far", "outlet", "level", "no-slip"},
     .text = "a primitive variable: kinds state and far need all of them or \"state\", kind outlet p or h, kind level "
             "surface or h; kind no-slip may have u and v, the wall's velocity along itself"},
    {.path = "boundary.NAME.T", .type = EWI_FORMULA, .value = "(none: no heat goes through the wall)",
     .kind = {"no-slip"}, .text = "the temperature p/rho of the wall; kind no-slip"},
    {.path = "boundary.NAME.total_pressure", .type = EWI_FORMULA, .value = "(none)", .kind = {"inlet"},
     .text = "the pressure of the inflowing gas, brought to rest without losses; kind inlet"},
    {.path = "boundary.NAME.total_temperature", .type = EWI_FORMULA, .value = "(none)", .kind = {"inlet"},
     .text = "the temperature p/rho of that gas at rest; kind inlet"},
    {.path = "boundary.NAME.direction", .type = EWI_FORMULAS, .value = "(normal to the edge)", .count = 2,
     .kind = {"inlet"},
     .text = "the direction of the flow with these two, a vector of any length; kind inlet"},
    {.path = "boundary.NAME.mass_flow", .type = EWI_FORMULA, .value = "(none)", .kind = {"inlet"},
     .text = "the mass that enters per length of the boundary and time, instead of these; kind inlet"},
    {.path = "boundary.NAME.temperature", .type = EWI_FORMULA, .value = "(none)", .kind = {"inlet"},
     .text = "the temperature p/rho of that inflow; kind inlet"},
    {.path = "boundary.NAME.discharge", .type = EWI_FORMULA, .value = "(none)", .kind = {"inlet"},
     .text = "the discharge of water per length of the boundary; kind inlet"},
    {.path = "boundary.NAME.angle", .type = EWI_NUMBER, .value = "0", FROM_TO_BELOW(0, 90), .unit = "degrees",
     .kind = {"far"}, .text = "waves that leave at this angle to the normal are not reflected; kind far"},
    {.path = "boundary.NAME.sponge", .type = EWI_GROUP, .value = "(none)", .kind = {"state", "far"},
     .text = "a layer along the boundary in which the solution relaxes to its state; kinds state and far"},
    {.path = "boundary.NAME.sponge.width", .type = EWI_NUMBER, ABOVE(0), .unit = "length",
     .text = "the layer's width"},
    {.path = "boundary.NAME.sponge.strength", .type = EWI_NUMBER,
     .value = "(4 times the speed of waves over the width)", ABOVE(0), .unit = "1/time",
     .text = "rate of the relaxation at the boundary"},
    {.path = "boundary.NAME.normal", .type = EWI_FORMULAS, .value = "(the edge's)", .count = 2, .kind = {"wall"},
     .text = "outward normal at the straight edges, of any length; kind wall"},
    {.path = "boundary.NAME.curve", .type = EWI_CURVE, .value = "straight", .word = {"spline", "straight"}, .count = 2,
     .kind = {"wall", "no-slip"},
     .text = "the true wall: a spline, a formula that is zero on it, or two of its outward normal; kinds wall and "
             "no-slip"},
    {.path = "boundary.NAME.conservative", .type = EWI_FLAG, .value = "false", .kind = {"wall"},
     .text = "no mass goes through the wall's edges, for steady flow in closed vessels; kind wall with a curve"},
    {.path = "boundary.NAME.corner", .type = EWI_NUMBER, .value = "30", .low = 0, .high = 180, .unit = "degrees",
     .bounds = EWI_LOW | EWI_LOW_OPEN | EWI_HIGH, .kind = {"wall", "no-slip"},
     .text = "the spline has a corner where edges meet at a greater angle; kinds wall and no-slip"},
    {.path = "boundary.NAME.ghost", .type = EWI_WORD, .value = "mirror", .word = {"mirror", "tangential"},
     .kind = {"wall"},
     .text = "the momentum of the outer state; kind wall"},
    {.path = "boundary.NAME.with", .type = EWI_TEXT, .value = "(none)", .kind = {"periodic"},
     .text = "name of the other boundary; one of a pair needs it; kind periodic"},
    {.path = "boundary.NAME.translation", .type = EWI_NUMBERS, .value = "(from the mesh)", .count = 2, .unit = "length",
     .kind = {"periodic"}, .text = "vector from this boundary to the other one; kind periodic"},

    {.path = "output", .type = EWI_GROUP, .value = "(none)", .text = "the output of a run"},
    {.path = "output.quantities", .type = EWI_GROUP, .value = "(none)",
     .text = "quantities by formulas, in addition to those of the law"},
    {.path = "output.quantities.NAME", .type = EWI_FORMULA, .value = "(none)",
     .text = "a formula of x, y, t and the quantities of the law at the place"},
    {.path = "output.averages", .type = EWI_GROUP, .value = "(none)", .text = "statistics over time"},
    {.path = "output.averages.from", .type = EWI_NUMBER, .value = "(the start)", .unit = "time",
     .text = "the time at which they begin"},
    {.path = "output.averages.steps", .type = EWI_INTEGER, .value = "10", BETWEEN(1, LARGEST_EXACT),
     .text = "a sample after every multiple of this many steps"},
    {.path = "output.averages.variables", .type = EWI_NAMES, .most = 1000, .value = "(none)",
     .text = "quantities with mean_NAME and variance_NAME"},
    {.path = "output.averages.covariances", .type = EWI_FLAG, .value = "false",
     .text = "covariance_NAME_NAME of each two of the variables"},
    {.path = "output.averages.extrema", .type = EWI_NAMES, .most = 1000, .value = "(none)",
     .text = "quantities with min_NAME and max_NAME"},
    {.path = "output.averages.arrivals", .type = EWI_GROUP, .value = "(none)",
     .text = "quantities with arrival_NAME"},
    {.path = "output.averages.arrivals.NAME", .type = EWI_NUMBER, .value = "(none)",
     .text = "the threshold of a quantity, whose first time above it is arrival_NAME"},
    {.path = "output.fields", .type = EWI_GROUP, .value = "(none)", .text = "the fields in NAME.nc"},
    {.path = "output.fields.every", .type = EWI_NUMBER, .value = "(none)", ABOVE(0), .unit = "time",
     .text = "write whenever this much time has passed since the start"},
    {.path = "output.fields.at", .type = EWI_NUMBERS, .most = 10000, .value = "(none)", .unit = "time",
     .text = "write at these times, too"},
    {.path = "output.fields.variables", .type = EWI_NAMES, .most = 1000,
     .value = "(the primitive ones, and averages)",
     .text = "the quantities to write; edgewise info lists those of each law"},
    {.path = "output.fields.subdivide", .type = EWI_INTEGER, .value = "(order)", BETWEEN(1, 16),
     .text = "each triangle is written as n^2 triangles"},
    {.path = "output.fields.precision", .type = EWI_WORD, .value = "double", .word = {"double", "single"},
     .text = "precision of the values at the nodes, and of the means; single: half the bytes"},
    {.path = "output.fields.compression", .type = EWI_INTEGER, .value = "0", BETWEEN(0, 9),
     .text = "effort to make the file smaller; 0: none"},
    {.path = "output.raster", .type = EWI_GROUP, .value = "(none)",
     .text = "values at the centres of a regular grid's cells, in the frames of NAME.nc"},
    {.path = "output.raster.cells", .type = EWI_INTEGERS, .count = 2, BETWEEN(1, EW_MOST_RASTER_CELLS),
     .text = "cells in x and in y"},
    {.path = "output.raster.window", .type = EWI_NUMBERS, .value = "(the mesh's extent)", .count = 4, .unit = "length",
     .text = "x and y of the lower left corner, x and y of the upper right corner"},
    {.path = "output.raster.variables", .type = EWI_NAMES, .most = 1000, .value = "(those of the fields)",
     .text = "its quantities"},
    {.path = "output.raster.precision", .type = EWI_WORD, .value = "single", .word = {"single", "double"},
     .text = "precision of its values"},
    {.path = "output.raster.only", .type = EWI_FLAG, .value = "false",
     .text = "NAME.nc has the raster, but no values at nodes and no means"},
    {.path = "output.restart", .type = EWI_GROUP, .value = "(none)",
     .text = "restart files NAME.restart-STEP.nc, from which a run can resume"},
    {.path = "output.restart.every", .type = EWI_NUMBER, .value = "(none)", ABOVE(0), .unit = "time",
     .text = "write one whenever this much time has passed since the start"},
    {.path = "output.restart.steps", .type = EWI_INTEGER, .value = "(none)", BETWEEN(1, LARGEST_EXACT),
     .text = "write one after so many steps, too"},
    {.path = "output.restart.keep", .type = EWI_INTEGER, .value = "2", BETWEEN(1, 1000000),
     .text = "number of restart files to keep; older ones are removed"},
    {.path = "output.series", .type = EWI_GROUP, .value = "(none)", .text = "time series NAME.series.csv"},
    {.path = "output.series.steps", .type = EWI_INTEGER, .value = "10", BETWEEN(1, LARGEST_EXACT),
     .text = "a line after every so many steps"},
    {.path = "output.series.residuals", .type = EWI_FLAG, .value = "false",
     .text = "the residual norm of each conserved variable"},
    {.path = "output.series.fluxes", .type = EWI_NAMES, .most = 1000, .value = "(none)",
     .text = "boundaries through which the flow of the conserved variables is written"},
    {.path = "output.probes", .type = EWI_PARTS, .most = 1000, .value = "(none)",
     .text = "points whose values are in the time series"},
    {.path = "output.probes.PART.name", .type = EWI_TEXT, .value = "(its number)", .text = "its name in the columns"},
    {.path = "output.probes.PART.x", .type = EWI_NUMBER, .unit = "length", .text = "its position"},
    {.path = "output.probes.PART.y", .type = EWI_NUMBER, .unit = "length", .text = "its position"},
    {.path = "output.forces", .type = EWI_PARTS, .most = 1000, .value = "(none)",
     .text = "pressure forces on boundaries, in the time series"},
    {.path = "output.forces.PART.name", .type = EWI_TEXT, .value = "(its number)", .text = "its name in the columns"},
    {.path = "output.forces.PART.boundaries", .type = EWI_NAMES, .most = 1000,
     .text = "the boundaries that make up the body"},
    {.path = "output.forces.PART.density", .type = EWI_NUMBER, .value = "1", ABOVE(0),
     .text = "density of the free stream, to which the coefficients refer"},
    {.path = "output.forces.PART.speed", .type = EWI_NUMBER, .value = "1", ABOVE(0), .unit = "length/time",
     .text = "speed of the free stream"},
    {.path = "output.forces.PART.length", .type = EWI_NUMBER, .value = "1", ABOVE(0), .unit = "length",
     .text = "length of the body"},
    {.path = "output.forces.PART.direction", .type = EWI_NUMBERS, .value = "(that of x)", .count = 2,
     .text = "direction of the free stream, along which the drag is"},
    {.path = "output.forces.PART.point", .type = EWI_NUMBERS, .value = "(the origin)", .count = 2, .unit = "length",
     .text = "point about which the moment is, counterclockwise"},
    {.path = "output.forces.PART.pressure", .type = EWI_NUMBER, .value = "0", .unit = "density*length^2/time^2",
     .text = "pressure of the free stream, for the pressure coefficient of plot and export"},

    {.path = "output.walls", .type = EWI_PARTS, .most = 1000, .value = "(none)",
     .text = "walls along which frames have the pressure, shear stress and heat flux"},
    {.path = "output.walls.PART.name", .type = EWI_TEXT, .value = "(its number)", .text = "its name in NAME.nc"},
    {.path = "output.walls.PART.boundaries", .type = EWI_NAMES, .most = 1000,
     .text = "the boundaries that make up the wall"},
    {.path = "output.walls.PART.density", .type = EWI_NUMBER, .value = "1", ABOVE(0),
     .text = "density of the free stream, to which the coefficients refer"},
    {.path = "output.walls.PART.speed", .type = EWI_NUMBER, .value = "1", ABOVE(0), .unit = "length/time",
     .text = "speed of the free stream"},
    {.path = "output.walls.PART.pressure", .type = EWI_NUMBER, .value = "0", .unit = "density*length^2/time^2",
     .text = "pressure of the free stream, for the pressure coefficient"},
    {.path = "output.walls.PART.length", .type = EWI_NUMBER, .value = "1", ABOVE(0), .unit = "length",
     .text = "length in the Nusselt number"},
    {.path = "output.walls.PART.temperature", .type = EWI_NUMBER, .value = "(none)", ABOVE(0),
     .unit = "length^2/time^2", .text = "temperature p/rho of the free stream, for the Nusselt number"},

    {.path = "backend", .type = EWI_GROUP, .value = "(none)",
     .text = "where and how the case runs; never changes the result"},
    {.path = "backend.name", .type = EWI_WORD, .value = "auto", .word = {"auto"}, LIST(EW_BACKENDS),
     .text = "backend; auto: the best one of the machine"},
    {.path = "backend.kernels", .type = EWI_WORD, .value = "(the backend's)", LIST(EW_KERNELS),
     .text = "set of kernels"},
    {.path = "backend.threads", .type = EWI_INTEGER, .value = "0", BETWEEN(0, EW_MAX_THREADS),
     .text = "threads of the backend omp; 0: as many as the machine offers"},
    {.path = "backend.parts", .type = EWI_INTEGER, .value = "1", BETWEEN(0, EW_MAX_PARTS),
     .text = "parts of the mesh, each with these threads, for the backend omp"},
    {.path = "backend.device", .type = EWI_INTEGER, .value = "0", BETWEEN(0, 65536),
     .text = "number of the GPU, for the backend cuda"},
    {.path = "backend.level", .type = EWI_TEXT, .value = "(the best one)",
     .text = "instruction level of the CPU's kernels; edgewise info lists them"},
    {.path = "backend.image", .type = EWI_WORD, .value = "(the best one)", .word = {"native", "sm_20"},
     .text = "code for the GPU; sm_20: that for the paper's card, which newer ones run, too"},
    {.path = "backend.tile", .type = EWI_INTEGER, .value = "0", BETWEEN(-1, 8),
     .text = "width of the state's tiles: 0 or 8, or -1 for all elements (the paper's layout)"},

    {.path = "sweep", .type = EWI_GROUP, .value = "(none)",
     .text = "many cases, the members, in one file; edgewise sweep runs them"},
    {.path = "sweep.design", .type = EWI_WORD, .value = "grid", .word = {"grid", "list", "random"},
     .text = "the choice of members: all combinations of values, one after the other, or drawn"},
    {.path = "sweep.samples", .type = EWI_INTEGER, .value = "(none)", BETWEEN(1, EW_MOST_MEMBERS),
     .text = "number of members of the design random, which needs it"},
    {.path = "sweep.seed", .type = EWI_INTEGER, .value = "1", BETWEEN(0, LARGEST_EXACT),
     .text = "seed of the design random: the same seed, the same members"},
    {.path = "sweep.over", .type = EWI_PARTS, .text = "the keys that the members vary"},
    {.path = "sweep.over.PART.key", .type = EWI_TEXT, .text = "the key, for example let.alpha, order or mesh"},
    {.path = "sweep.over.PART.values", .type = EWI_VALUES, .value = "(none)",
     .text = "its values; each key needs these or a range"},
    {.path = "sweep.over.PART.from", .type = EWI_NUMBER, .value = "(none)", .text = "the range's first value"},
    {.path = "sweep.over.PART.to", .type = EWI_NUMBER, .value = "(none)", .text = "the range's last value"},
    {.path = "sweep.over.PART.steps", .type = EWI_INTEGER, .value = "(none)", BETWEEN(1, EW_MOST_MEMBERS),
     .text = "number of values of the range, both ends included; designs grid and list need it"},
    {.path = "sweep.over.PART.scale", .type = EWI_WORD, .value = "linear", .word = {"linear", "log"},
     .text = "equal differences or equal ratios of the range's values"},

    {.path = "spool", .type = EWI_GROUP, .value = "(none)", .text = "for the service; a run takes no notice of it"},
    {.path = "spool.priority", .type = EWI_INTEGER, .value = "0", BETWEEN(-99, 99),
     .text = "jobs with a higher one are run first"},
};

enum { OPTIONS = sizeof options / sizeof *options };

const struct ewi_option *ewi_options(size_t *count)
{
    *count = OPTIONS;
    return options;
}

bool ewi_option_is_in(const struct ewi_option *option, const char *group, const char **name)
{
    size_t length = strlen(group);
    const char *rest = option->path;
    if (length > 0) {
        if (strncmp(rest, group, length) != 0 || rest[length] != '.')
            return false;
        rest += length + 1;
    }
    *name = rest;
    return strchr(rest, '.') == NULL;
}

/* True for NAME, VARIABLE and so on, which stand for any name; false for T, a key. */
static bool stands_for_any(const char *name)
{
    return name[0] >= 'A' && name[0] <= 'Z' && name[1] >= 'A' && name[1] <= 'Z';
}

const struct ewi_option *ewi_option_member(const char *group, const char *name)
{
    const char *last;
    for (size_t k = 0; k < OPTIONS; k++)
        if (ewi_option_is_in(&options[k], group, &last) && !stands_for_any(last) && strcmp(last, name) == 0)
            return &options[k];
    return NULL;
}

/* The members of a list of groups have the keys of LIST.PART, which is itself not a key. */
const struct ewi_option *ewi_option_any_member(const char *group)
{
    const char *last;
    for (size_t k = 0; k < OPTIONS; k++)
        if (ewi_option_is_in(&options[k], group, &last) && stands_for_any(last))
            return &options[k];
    return NULL;
}

const struct ewi_option *ewi_option_find(const char *path)
{
    for (size_t k = 0; k < OPTIONS; k++)
        if (strcmp(options[k].path, path) == 0)
            return &options[k];
    assert(false && "an option that is in the table");
    return NULL;
}

/* True if all names between dots match; those in capitals match any. */
static bool agrees(const char *path, const char *key)
{
    for (;;) {
        size_t length = strcspn(path, "."), other = strcspn(key, ".");
        if (other == 0 || (!stands_for_any(path) && (length != other || strncmp(path, key, length) != 0)))
            return false;
        path += length;
        key += other;
        if (!*path || !*key)
            return !*path && !*key;
        path++;
        key++;
    }
}

const struct ewi_option *ewi_option_of_key(const char *key)
{
    const struct ewi_option *found = NULL;
    for (size_t k = 0; k < OPTIONS; k++)
        if (strcmp(options[k].path, key) == 0)
            return &options[k];
        else if (!found && !strstr(options[k].path, ".PART.") && agrees(options[k].path, key))
            found = &options[k];
    return found;
}

const char *ewi_option_word(const struct ewi_option *option, int index)
{
    int own = 0;
    while (own < EWI_OPTION_WORDS && option->word[own])
        own++;
    if (index < own)
        return option->word[index];
    return option->has_list ? ew_list_name(option->list, index - own) : NULL;
}

static void words_range(const struct ewi_option *option, char *text, size_t size)
{
    size_t length = 0;
    for (int k = 0; ewi_option_word(option, k) && length < size; k++) {
        const char *between = k == 0 ? "" : ewi_option_word(option, k + 1) ? ", " : " or ";
        length += (size_t)ewi_snprintf(text + length, size - length, "%s%s", between, ewi_option_word(option, k));
    }
}

void ewi_option_range(const struct ewi_option *option, char *text, size_t size)
{
    bool low = option->bounds & EWI_LOW, high = option->bounds & EWI_HIGH;
    text[0] = '\0';
    if (ewi_option_word(option, 0))
        words_range(option, text, size);
    else if (low && high && option->bounds & EWI_LOW_OPEN)
        ewi_snprintf(text, size, "greater than %.16g and at most %.16g", option->low, option->high);
    else if (low && high)
        ewi_snprintf(text, size, "from %.16g to %s%.16g", option->low, option->bounds & EWI_HIGH_OPEN ? "below " : "",
                     option->high);
    else if (low)
        ewi_snprintf(text, size, "%s %.16g", option->bounds & EWI_LOW_OPEN ? "greater than" : "at least", option->low);
    else if (high)
        ewi_snprintf(text, size, "%s %.16g", option->bounds & EWI_HIGH_OPEN ? "less than" : "at most", option->high);
}

bool ewi_option_suits(const struct ewi_option *option, const char *kind)
{
    bool suits = !option->kind[0];
    for (int k = 0; k < EWI_OPTION_KINDS && option->kind[k]; k++)
        suits = suits || strcmp(option->kind[k], kind) == 0;
    return suits;
}

bool ewi_option_admits(const struct ewi_option *option, double value)
{
    if (option->bounds & EWI_LOW && !(option->bounds & EWI_LOW_OPEN ? value > option->low : value >= option->low))
        return false;
    if (option->bounds & EWI_HIGH && !(option->bounds & EWI_HIGH_OPEN ? value < option->high : value <= option->high))
        return false;
    return true;
}
