/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the law shallow_water_bed (physics/shallow_water_bed.h) that host code needs, too. */
#ifndef EWI_BED_ROWS_H
#define EWI_BED_ROWS_H

enum { EWI_BED_GRAVITY, EWI_BED_DRY, EWI_BED_ORDER, EWI_BED_MANNING };
enum { EWI_BED_SURFACE, EWI_BED_X, EWI_BED_Y, EWI_BED_BED, EWI_BED_DEPTH, EWI_BED_VARIABLES };
#define EWI_BED_SQRT2 0x1.6a09e667f3bcdp+0
#define EWI_BED_BY_SURFACE (-1e300) /* h of a given state that has its surface */
#define EWI_BED_NO_SURFACE (-1e300) /* the surface of a dry element: below every bed */

enum { EWI_BED_MOST_BUCKETS = 43 }; /* points of a bucket, EWI_P5_NB */

/* The weights at the volume points of an order, and then at the points of a side. */
const double *ewi_bed_buckets(int order);

#endif
