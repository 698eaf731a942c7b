/* SPDX-License-Identifier: BSD-2-Clause */
/* The medium of an element in numbers; ewi_media.h has the equations. */
#ifndef EWI_MEDIUM_H
#define EWI_MEDIUM_H

#include "ewi_layout.h"

/* Coefficients that elements have means of; and the number of rows that follow from them. */
enum { EWI_INERTIA, EWI_COMPLIANCE, EWI_MEDIUM_ROWS };

/* The rows v and z of an element, EWI_TILE apart. Returns its speed of waves, v z. */
EW_HD double ewi_medium_rows(const double *coefficient, double *row)
{
    row[0] = 1.0 / coefficient[EWI_INERTIA];
    row[EWI_TILE] = __builtin_sqrt(coefficient[EWI_INERTIA] / coefficient[EWI_COMPLIANCE]);
    return row[0] * row[EWI_TILE];
}

#endif
