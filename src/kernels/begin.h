/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens a kernel body's world for one law and one order; kernels/end.h closes it. Whoever includes them has defined
 *   EWI_LAW         a name of EWI_LAWS
 *   EWI_ORDER       1..5
 *   EWI_TABLE(name) the array of that table of tables/p<order>.h, wherever the backend keeps it
 * Bodies work on EWI_LANES elements (or edges) that begin at a multiple of EWI_LANES.
 */
#include "ewi_arguments.h"
#include "ewi_basis.h"
#include "ewi_law_list.h"
#include "ewi_layout.h"
#include "ewi_limiters.h"

#ifndef EWI_KERNELS_BEGIN_H
#define EWI_KERNELS_BEGIN_H
#define EWI_JOIN2_(a, b) a##b
#define EWI_JOIN2(a, b) EWI_JOIN2_(a, b)
#define EWI_JOIN3_(a, b, c) a##b##c
#define EWI_JOIN3(a, b, c) EWI_JOIN3_(a, b, c)
#define EWI_JOIN4_(a, b, c, d) a##b##c##d
#define EWI_JOIN4(a, b, c, d) EWI_JOIN4_(a, b, c, d)
#endif

#define EWI_K(name) EWI_JOIN4(name##_, EWI_LAW, _p, EWI_ORDER)     /* a kernel of this law and order */
#define EWI_L(name) EWI_JOIN4(ewi_, EWI_LAW, _, name)             /* a function of this law */
#define EWI_NP EWI_JOIN3(EWI_P, EWI_ORDER, _NP)
#define EWI_NQ EWI_JOIN3(EWI_P, EWI_ORDER, _NQ)
#define EWI_NE EWI_JOIN3(EWI_P, EWI_ORDER, _NE)
#define EWI_M EWI_JOIN3(ewi_, EWI_LAW, _variables)
#define EWI_FIELDS EWI_JOIN3(ewi_, EWI_LAW, _fields)
#define EWI_MEDIA EWI_JOIN3(ewi_, EWI_LAW, _media)
/* Room for what the numerical flux gets: fields at a point, or the media on both sides. */
#define EWI_FIELD_ROOM (EWI_FIELDS > 0 ? EWI_FIELDS : EWI_MEDIA > 0 ? 2 * EWI_MEDIA : 1)
#define EWI_HAS_BOUND (EWI_FIELDS + EWI_MEDIA > 0) /* speeds follow from fields or media (speed_bound) */
#define EWI_ROWS (EWI_M * EWI_NP)
/* Laws with gradients (kernels/diffusion.h): values that describe a point's diffusive flux; variables that diffuse. */
#define EWI_HAS_DIFFUSION EWI_JOIN2(EWI_HAS_DIFFUSION_, EWI_LAW)
#define EWI_DIFFUSION EWI_JOIN3(ewi_, EWI_LAW, _diffusion_values)
#define EWI_FIRST_DIFFUSING EWI_JOIN3(ewi_, EWI_LAW, _first_diffusing)
#define EWI_DIFFUSING (EWI_M - EWI_FIRST_DIFFUSING)
/*
 * The numbers that fused kernels keep at a point of an edge: first the state and, for laws with gradients, its
 * diffusion; later the flux and, for these laws, S (kernels/diffusion.h).
 */
#if EWI_HAS_DIFFUSION
#define EWI_TRACE_VALUES (EWI_M + EWI_DIFFUSION)
#define EWI_FLUX_VALUES (EWI_M + 2 * EWI_DIFFUSING)
#else
#define EWI_TRACE_VALUES EWI_M
#define EWI_FLUX_VALUES EWI_M
#endif
#define EWI_EDGE_VALUES (EWI_TRACE_VALUES > EWI_FLUX_VALUES ? EWI_TRACE_VALUES : EWI_FLUX_VALUES)
/* Positivity (physics/advection.h): 1.0 is the floor of laws that have nothing to keep positive. */
#define EWI_HAS_POSITIVE (EWI_JOIN3(ewi_, EWI_LAW, _thinnest) > 0)
#define EWI_OWN_FLOOR (EWI_HAS_POSITIVE ? 1.0 / EWI_JOIN3(ewi_, EWI_LAW, _thinnest) : 1.0)
#define EWI_THIN EWI_JOIN3(ewi_, EWI_LAW, _thin)
#define EWI_JUMP_COUNT EWI_JOIN3(ewi_, EWI_LAW, _jump_count)
/* Laws for finite volumes in elements (limiter/subcell.h), and orders with tables of them. */
#define EWI_HAS_SUBCELLS (EWI_JOIN2(EWI_HAS_SUBCELLS_, EWI_LAW) && EWI_ORDER <= EWI_SUBCELL_ORDERS)
/* Over a bed, the surface replaces the depth; bed and mean depth, the last two variables, have no rates. */
#define EWI_OVER_BED (EWI_JOIN2(EWI_HAS_SUBCELLS_, EWI_LAW) > 1)
#define EWI_EVOLVING (EWI_OVER_BED ? 3 : EWI_M)
#define EWI_VOLUME_VALUES (EWI_EVOLVING + EWI_OVER_BED)
#define EWI_TOUCHED_VALUES (EWI_M + EWI_OVER_BED) /* of a trace at a touched edge */
#define EWI_PRESSURE_JUMP EWI_JOIN3(ewi_, EWI_LAW, _pressure_jump)
#define EWI_FACES EWI_JOIN3(EWI_P, EWI_ORDER, _FACES)
#define EWI_JUMPS (EWI_JUMP_COUNT > 0 ? EWI_JUMP_COUNT : 1)

#define EWI_PHI(q, j) ewi_set(EWI_TABLE(PHI)[(q)*EWI_NP + (j)])
#define EWI_DR(q, j) ewi_set(EWI_TABLE(DR)[(q)*EWI_NP + (j)])
#define EWI_DS(q, j) ewi_set(EWI_TABLE(DS)[(q)*EWI_NP + (j)])
#define EWI_SIDE(k, e, j) ewi_set(EWI_TABLE(SIDE)[((k)*EWI_NE + (e)) * EWI_NP + (j)])
