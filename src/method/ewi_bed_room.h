/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Caps on what flows out of an element, over a bed with levels of time steps. A point of an edge takes at most the
 * water in its bucket, so that an element without faster neighbours never gets a negative depth. An interface element
 * (ewi_level_plan.h) loses water through two sets of edges, whose stages do not see each other: its own, and those of
 * its view. So its water at the start of its step is split:
 *   - own edges may take half of it in any stage;
 *   - edges of the view may take the rest; in the second step of its neighbours all but what own edges will still take.
 * The split limits only elements with little water away from their edges: others have less than their share at the
 * points of edges. Neither a stage of the element's own step nor one of the view's before the last enters the sum at
 * the end of its step; where such a state would have a negative depth, it is dry.
 */
#ifndef EWI_BED_ROOM_H
#define EWI_BED_ROOM_H

#include "ewi_bed_rows.h"
#include "ewi_coupling.h"
#include "ewi_hd.h"

/* The share of an interface element's water that is for its own edges. */
#define EWI_BED_OWN_SHARE 0.5

/* The factor of an edge of level k: limits are for the longest steps. */
EW_HD double ewi_bed_room_scale(int levels, int k)
{
    return (double)((int64_t)1 << (levels - 1 - k));
}

/* The mean depth of a trial state: extrapolated linearly to twice the faster neighbour's step. */
EW_HD double ewi_bed_tried_depth(double start, double now)
{
    double first = __builtin_fabs(start), volume = 2.0 * (__builtin_fabs(now) - first) + first;
    volume = volume > 0.0 ? volume : 0.0;
    return volume > 0.0 && start < 0.0 && now < 0.0 ? -volume : volume;
}

/* Edges give away at most `left` of the water at their points. */
EW_HD double ewi_bed_room(double left, double water)
{
    return water > left ? (left > 0.0 ? left / water : 0.0) : 1.0;
}

/* The water that own edges take in the second step of faster neighbours. at: the first row of the element */
EW_HD double ewi_bed_promised(const struct ewi_coupled *of, int64_t at)
{
    double rate = of->k[at] + 0.75 * of->slope[at], volume = -(of->view_step * (EWI_BED_SQRT2 * rate));
    return volume > 0.0 ? volume : 0.0;
}

/*
 * The water that a view's edges may take in the next stage: after the last stage what the view has, less what own edges
 * will take in the neighbours' second step; before it the view's share, plus what its edges have added. depth: its row
 * of the mean depth
 */
EW_HD double ewi_bed_left_for_view(const struct ewi_coupling *c, const struct ewi_coupled *of, int64_t at,
                                   int64_t depth)
{
    if (c->stage == c->stages)
        return __builtin_fabs(of->view_target[depth]) - ewi_bed_promised(of, at);
    double start = __builtin_fabs(of->view_base[depth]), gains = 0.0;
    for (int m = 0; m < c->stage; m++)
        gains = __builtin_fma(c->row[m], of->q[m * c->doubles + at], gains);
    start = start - (of->before > 0.0 ? ewi_bed_promised(of, at) : EWI_BED_OWN_SHARE * start);
    return __builtin_fma(of->view_step * c->share, EWI_BED_SQRT2 * gains, start);
}

#endif
