/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of place and time that a problem is given, as formulas or as callbacks. */
#ifndef EWI_DATA_H
#define EWI_DATA_H

#include "edgewise.h"

#include <stdbool.h>
#include <stddef.h>

/* Values of a formula or callback at n points: values[k * n + i]. */
void ewi_data_evaluate(const ew_data *data, size_t n, const double *x, const double *y, double t, double *values);
bool ewi_data_is_given(const ew_data *data);
/* True if it is given and can have so many outputs. */
bool ewi_data_has_outputs(const ew_data *data, int outputs);
unsigned ewi_data_variables(const ew_data *data);
/* Writes "; " and the reason why a raster has no value at the point, or an empty text. Returns the text. */
enum { EWI_EXPLANATION = 480 };
const char *ewi_data_explain(const ew_data *data, double x, double y, double t, char text[EWI_EXPLANATION]);

#endif
