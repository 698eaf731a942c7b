/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bodies of kernels of the law shallow_water_bed, under the names that those of other laws have: not all numbers of
 * an element are coefficients, and edges give both sides different momenta. Between begin.h and end.h.
 */
#define EWI_NB EWI_JOIN3(EWI_P, EWI_ORDER, _NB)
#include "kernels/rows.h"
#include "kernels/bed_trace.h"
#include "kernels/wall.h"
#include "kernels/boundary_states.h"
#include "kernels/bed_volume.h"
#include "kernels/touched.h"
#include "kernels/bed_surface.h"
#include "kernels/eval_source.h"
#include "kernels/eval_rhs.h"
#include "kernels/bed_means.h"
#include "kernels/bed_update.h"
#include "kernels/bed_settle.h"
#include "kernels/bed_limit.h"
