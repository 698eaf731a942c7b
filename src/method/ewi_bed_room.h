/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of the water at its edges an element gives in a step, over a bed with levels of time steps. An edge takes at
 * most what there is at its points, so that an element without faster neighbours never has less than nothing. What an
 * interface element has at the end of its step (ewi_level_plan.h) is the sum of two kinds of fluxes, whose stages know
 * nothing of each other, so that its water is divided among them:
 *   - half of it goes to its own edges: no stage takes more of what there is at the start of its step;
 *   - the rest goes to the edges of its view, to whose stages it is as all water is to those of other elements. In the
 *     second step of its neighbours, the own edges' part is what they will take.
 * Where there is less than that at the edges' points, as in all elements that are wet, but for very steep ones, it
 * limits nothing. Neither a stage of the element's own step nor one of the view's before the last is a part of that
 * sum: where such a state would have less than nothing, it is dry.
 */
#ifndef EWI_BED_ROOM_H
#define EWI_BED_ROOM_H

#include "ewi_bed_rows.h"
#include "ewi_coupling.h"
#include "ewi_hd.h"

/* Of the water of an interface element, for its own edges. */
#define EWI_BED_OWN_SHARE 0.5

/* The factor of an edge of level k: limits are for the longest steps. */
EW_HD double ewi_bed_room_scale(int levels, int k)
{
    return (double)((int64_t)1 << (levels - 1 - k));
}

/* The depth of a faster neighbour's trial state: from that at the start of its step through that after a stage. */
EW_HD double ewi_bed_tried_depth(double start, double now)
{
    double first = __builtin_fabs(start), volume = 2.0 * (__builtin_fabs(now) - first) + first;
    volume = volume > 0.0 ? volume : 0.0;
    return start < 0.0 && now < 0.0 ? -volume : volume;
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
 * The water of a view that is for its edges, after a stage that is not the last one of the element's own step. depth:
 * its row of the mean depth
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
