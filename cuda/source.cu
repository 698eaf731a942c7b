/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of one order, EWI_ORDER, that evaluate sources, for every law and both sets: a module. On current cards
 * it is linked when it is loaded, with a problem's formulas in machine code in place of the functions that interpret
 * them (sources.c).
 */
#ifdef __CUDACC__
#define EWI_BOUNDS __launch_bounds__(EWI_CUDA_SOURCE_BLOCK, 6) /* 80 registers a thread, as the build gives functions */
#define EWI_PARAMETER const __grid_constant__
#define EWI_LINKED extern "C" __device__ __noinline__
/* inline makes the symbol weak: the definition in a formula's PTX, which is strong, replaces it when it is linked. */
#define EWI_REPLACEABLE extern "C" inline __device__ __noinline__
#else
#define EWI_BOUNDS __attribute__((launch_bounds(EWI_CUDA_SOURCE_BLOCK)))
#define EWI_REPLACEABLE EWI_APART
#endif
#include "ewi_cuda_threads.h"
#include "ewi_every_law.h"
#include "tables/order.h"
#include "tables/volumes_order.h"
#include "kernels/begin.h"

#include "constants.h"

/* Two neighbouring numbers, which a thread loads or stores at once. */
struct ewi_two {
    double first, second;
} __attribute__((aligned(16)));

#define EWI_MODULE EWI_JOIN2(source_p, EWI_ORDER)

#ifdef EWI_LINKED
/* Functions that a formula's PTX calls: all operations but +, -, * and /. */
#define EWI_LINK_1(operation, result) EWI_LINKED double ewi_formula_##operation(double a) { return result; }
#define EWI_LINK_2(operation, result) EWI_LINKED double ewi_formula_##operation(double a, double b) { return result; }
#define EWI_LINK_NAMED_1(operation, name, result) EWI_LINK_1(operation, result)
#define EWI_LINK_NAMED_2(operation, name, result) EWI_LINK_2(operation, result)
EWI_OPERATORS_1(EWI_LINK_1)
EWI_OPERATORS_2(EWI_LINK_2)
EWI_FUNCTIONS_1(EWI_LINK_NAMED_1)
EWI_FUNCTIONS_2(EWI_LINK_NAMED_2)
EWI_LINKED double ewi_formula_INTEGER_POWER(double a, int32_t exponent) { return ewi_integer_power(a, exponent); }
EWI_LINKED double ewi_formula_SELECT(double a, double b, double c) { return a != 0.0 ? b : c; }
EWI_LINKED double ewi_formula_STRICT_SELECT(double a, double b, double c) { return a != a ? a : a != 0.0 ? b : c; }
EWI_LINKED double ewi_formula_RASTER(const struct ewi_raster_use *raster, double x, double y, double t)
{
    return ewi_raster_value(raster, x, y, t);
}
EWI_LINKED double ewi_formula_OUTPUT(double a) { return a != a ? ewi_nan() : a; }
#endif

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "source_kernel.h"
#include "each_law.h"
