/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of one instruction level and one order of the law shallow_water_bed, as kernels.h has those of others. */
#undef EWI_LAWS /* of tests */
#define EWI_LAWS(X) X(shallow_water_bed)
#include "tables/order.h"
#include "tables/bed_order.h"
#include "tables/volumes_order.h"

#include "ewi_omp.h"
#include "kernels/update.h"

#include "kernels/begin.h"

#include <string.h>

#include "kernel_tables.h"
static const double table_PROJECT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _PROJECT);
static const double table_BUCKET[] = EWI_JOIN3(EWI_P, EWI_ORDER, _BUCKET);
static const double table_SIDE_SHARE[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_SHARE);
#if EWI_ORDER <= EWI_SUBCELL_ORDERS
static const double table_CV_AREA[] = EWI_JOIN3(EWI_P, EWI_ORDER, _CV_AREA);
static const double table_FACE_PHI[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_PHI);
#endif

#define EWI_LAW shallow_water_bed
#include "kernels/bed.h"
#include "kernels/source_point.h"
#include "element_loops.h"
#include "subcell_loops.h"

static void loop_update(const struct ewi_arguments *a, const struct ewi_update *update, const double *rhs,
                        double *target, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(update_elements)(a, update, rhs, target, i);
}

static void loop_jump_sensor(const struct ewi_arguments *a, const struct ewi_limiting *with, const double *state,
                             double *sensor, int64_t first, int64_t last)
{
    for (int64_t s = first; s < last; s += EWI_LANES)
        EWI_K(sense_wet)(with->limiter->number, a, state, sensor, s);
}

static void loop_limit(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state, int64_t first,
                       int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES) {
        EWI_K(damp_wet)(with->limiter->number, a, with->sensor, with->step, state, i);
        if (with->positive)
            EWI_K(make_positive)(a, state, a->width, EWI_K(place)(a->width, i));
    }
}

static double water_at_sides(const struct ewi_arguments *a, const double *state, int64_t i, int sides)
{
    return EWI_K(water_at_sides)(state + EWI_K(place)(a->width, i), a->width, sides);
}

/* The law has the set edgewise only (sizes.c). */
static const struct ewi_omp_kernels kernels = {
    .lanes = EWI_LANES,
    .eval_volume = EWI_K(loop_volume),
    .eval_surface = EWI_K(loop_surface),
    .eval_source = EWI_K(loop_source),
    .eval_rhs = EWI_K(loop_rhs),
    .update = loop_update,
    .jump_sensor = loop_jump_sensor,
    .limit = loop_limit,
    .sense = EWI_K(loop_sense),
    .divide = EWI_K(loop_divide),
    .touched_fluxes = EWI_K(loop_touched),
    .lift_volumes = EWI_K(loop_lift),
    .make_positive = EWI_K(loop_positive),
    .water_at_sides = water_at_sides,
    .speed = EWI_K(loop_speed),
    .inadmissible = EWI_K(loop_inadmissible),
};

#define EWI_BED EWI_JOIN4(ewi_omp_, EWI_LEVEL, _bed_p, EWI_ORDER)
extern const struct ewi_omp_kernels *const EWI_BED[];
const struct ewi_omp_kernels *const EWI_BED[] = {&kernels};

#include "kernels/end.h"
