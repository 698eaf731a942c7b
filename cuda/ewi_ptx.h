/* SPDX-License-Identifier: BSD-2-Clause */
/* Formulas as PTX. */
#ifndef EWI_PTX_H
#define EWI_PTX_H

#include "ewi_formula.h"

/*
 * The definition of the function ewi_source_<law> of source.cu for one program, which has an output for each of the
 * law's `variables`: text that ends with a NUL. The caller frees it with ewi_free; NULL: there is not enough memory.
 */
char *ewi_ptx_source(const ew_host *host, const struct ewi_program *program, const char *law, int variables);

#endif
