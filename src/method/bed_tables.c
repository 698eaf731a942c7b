/* SPDX-License-Identifier: BSD-2-Clause */
/* The weights of buckets, for host code. */
#include "ewi_bed_rows.h"

#include "tables/bed_p1.h"
#include "tables/bed_p2.h"
#include "tables/bed_p3.h"
#include "tables/bed_p4.h"
#include "tables/bed_p5.h"

static const double p1[] = EWI_P1_BUCKET, p2[] = EWI_P2_BUCKET, p3[] = EWI_P3_BUCKET, p4[] = EWI_P4_BUCKET,
                    p5[] = EWI_P5_BUCKET;
static const double *const of_order[] = {p1, p2, p3, p4, p5};

const double *ewi_bed_buckets(int order)
{
    return of_order[order - 1];
}
