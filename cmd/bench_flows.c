/* SPDX-License-Identifier: BSD-2-Clause */
/* Flows that need no case file. */
#include "bench.h"

#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static int make_formulas(const char *const (*texts)[4], int count, const char *const (*define)[2], int definitions,
                         struct cmd_flow *flow, ew_error *error)
{
    ew_scope *scope = NULL;
    int status = ew_scope_create(NULL, &scope, error);
    for (int k = 0; k < definitions && status == EW_OK; k++)
        status = ew_scope_define(scope, define[k][0], define[k][1], error);
    for (int k = 0; k < count && status == EW_OK; k++)
        status = ew_formula_create(scope, 4, texts[k], &flow->formula[k], error);
    ew_scope_destroy(scope);
    return status;
}

int cmd_flow_wave(const ew_problem *side, int64_t elements, struct cmd_flow *flow, ew_error *error)
{
    static const char *const texts[][4] = {
        {"1 + 0.2*sin(2*pi*(x+y))", "0.5 + 0.2*sin(2*pi*y)", "0.3 + 0.2*cos(2*pi*x)", "1 + 0.1*cos(2*pi*(x-y))"}};
    static const ew_side_part parts[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    static const ew_periodic pairs[2] = {{"left", "right", 1, 0, 0}, {"bottom", "top", 0, 1, 0}};
    int32_t cells = (int32_t)fmax(2, floor(sqrt((double)elements / 2) + 0.5));
    ew_rectangle square = {.x1 = 1, .y1 = 1, .nx = cells, .ny = cells, .jitter = 0.3, .seed = 77, .periodics = 2,
                           .periodic = pairs};
    for (int k = 0; k < 4; k++) {
        square.side[k].parts = 1;
        square.side[k].part = &parts[k];
    }
    *flow = (struct cmd_flow){.elements = 2 * (int64_t)cells * cells, .problem = *side};
    int status = make_formulas(texts, 1, NULL, 0, flow, error);
    if (status == EW_OK)
        status = ew_mesh_rectangle(NULL, &square, &flow->mesh, error);
    flow->problem.initial.formula = flow->formula[0];
    return status;
}

/* The flow of examples/double-mach/double-mach-small.cfg. */
int cmd_flow_double_mach(const ew_problem *side, int64_t elements, struct cmd_flow *flow, ew_error *error)
{
    static const char *const define[][2] = {{"x0", "1/6"}, {"shocked", "x < x0 + (y + 20*t)/sqrt(3)"}};
    static const char *const texts[][4] = {
        {"shocked ? 8 : 1.4", "shocked ? 8.25*cos(pi/6) : 0", "shocked ? -8.25*sin(pi/6) : 0", "shocked ? 116.5 : 1"},
        {"8", "8.25*cos(pi/6)", "-8.25*sin(pi/6)", "116.5"}};
    static const ew_side_part bottom[] = {{"behind", 0, 1.0 / 6}, {"wedge", 1.0 / 6, 3.5}};
    static const ew_side_part right[] = {{"right", 0, 1}}, top[] = {{"top", 0, 3.5}}, left[] = {{"inflow", 0, 1}};
    int32_t cells = (int32_t)fmax(2, 2 * floor(sqrt((double)elements / 7) / 2 + 0.5));
    const ew_rectangle rectangle = {.x1 = 3.5, .y1 = 1, .nx = cells / 2 * 7, .ny = cells,
                                    .side = {{2, bottom}, {1, right}, {1, top}, {1, left}}};
    *flow = (struct cmd_flow){.elements = 2 * (int64_t)rectangle.nx * rectangle.ny, .problem = *side};
    int status = make_formulas(texts, COUNT(texts), define, COUNT(define), flow, error);
    if (status == EW_OK)
        status = ew_mesh_rectangle(NULL, &rectangle, &flow->mesh, error);
    const ew_data moving = {.formula = flow->formula[0]}, shocked = {.formula = flow->formula[1]};
    const ew_boundary boundary[] = {{.name = "inflow", .kind = "state", .state = shocked},
                                    {.name = "behind", .kind = "state", .state = shocked},
                                    {.name = "wedge", .kind = "wall"},
                                    {.name = "right", .kind = "copy"},
                                    {.name = "top", .kind = "state", .state = moving}};
    memcpy(flow->boundary, boundary, sizeof boundary);
    flow->problem.order = 1;
    flow->problem.limiter = "barth-jespersen";
    flow->problem.scheme = "rk2";
    flow->problem.cfl = 0.7;
    flow->problem.uniform_step = 1; /* as in the paper */
    flow->problem.initial = moving;
    flow->problem.boundaries = COUNT(boundary);
    flow->problem.boundary = flow->boundary;
    return status;
}

void cmd_flow_destroy(struct cmd_flow *flow)
{
    ew_mesh_destroy(flow->mesh);
    for (int k = 0; k < COUNT(flow->formula); k++)
        ew_formula_destroy(flow->formula[k]);
}
