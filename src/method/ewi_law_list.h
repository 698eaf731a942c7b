/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lists from which kernels, tables and option values are made. A new law: its file physics/<law>.h and its name in
 * EWI_LAWS; the file says all that there is to know of it (physics/advection.h is the shortest). A new flux: its file
 * under flux/, included by the laws that have it, its name in their EWI_FLUXES_<law> and in EWI_FLUX_LIST. A new
 * boundary kind: a function ewi_<law>_ghost_<kind>, its name in EWI_GHOSTS_<law> and a line in EWI_GHOST_LIST. A new
 * quantity to be written: a function ewi_<law>_output_<name> and a line in EWI_OUTPUTS_<law>.
 */
#ifndef EWI_LAW_LIST_H
#define EWI_LAW_LIST_H

#include "ewi_lanes.h"

#ifndef EWI_LAWS /* tests/laws has a list of its own */
#define EWI_LAWS(X) X(euler) X(advection) X(shallow_water) X(maxwell_tm) X(acoustics)
#endif

#define EWI_QUOTED_(path) #path
#define EWI_QUOTED(path) EWI_QUOTED_(path)
#define EWI_EACH_LAW_FILE EWI_QUOTED(physics/EWI_LAW.h)
#include "each_law.h"
#undef EWI_EACH_LAW_FILE

/* X(name, description) */
#define EWI_FLUX_LIST(X)                                                              \
    X(llf, "local Lax-Friedrichs (Rusanov)")                                          \
    X(roe, "Roe with Harten's entropy fix")                                           \
    X(hllc, "HLLC with Toro's wave speeds")                                           \
    X(upwind, "the exact Riemann solution of a linear law")

/*
 * X(ghost, kind in a case, choice of `ghost` there, needs given state, description); ghosts of one kind follow each
 * other.
 */
#define EWI_GHOST_LIST(X)                                                             \
    X(state, "state", NULL, 1, "the ghost is a given state of x, y and t")            \
    X(copy, "copy", NULL, 0, "the ghost is the inner state (supersonic outflow)")     \
    X(mirror, "wall", "mirror", 0, "a solid wall, a perfect conductor; ghost = \"mirror\" or \"tangential\"") \
    X(tangential, "wall", "tangential", 0, "a wall that keeps only the tangential momentum")                      \
    X(curved, "wall", NULL, 0, "a wall along a curve; `given` is the inner polynomials' value there")             \
    X(far, "far", NULL, 1, "characteristic far field towards a given state")          \
    X(symmetry, "symmetry", NULL, 0, "a straight line at which the solution is mirrored")

#define EWI_ENUM_FLUX(name, description) EWI_FLUX_##name,
enum ewi_flux { EWI_FLUX_LIST(EWI_ENUM_FLUX) EWI_FLUX_COUNT };
#undef EWI_ENUM_FLUX

#define EWI_ENUM_GHOST(name, kind, choice, given, description) EWI_GHOST_##name,
enum ewi_ghost { EWI_GHOST_LIST(EWI_ENUM_GHOST) EWI_GHOST_COUNT };
#undef EWI_ENUM_GHOST

/* Ghosts that know nothing of the law. */
#define EWI_DEFINE_GHOSTS(law)                                                                                         \
    EW_HD void ewi_##law##_ghost_state(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx,          \
                                       ewi_v ny,                                                                       \
                                       ewi_v *g)                                                                       \
    {                                                                                                                  \
        (void)parameter, (void)u, (void)nx, (void)ny;                                                                  \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                                \
            g[m] = given[m];                                                                                           \
    }                                                                                                                  \
    EW_HD void ewi_##law##_ghost_copy(const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, ewi_v ny, \
                                      ewi_v *g)                                                                        \
    {                                                                                                                  \
        (void)parameter, (void)given, (void)nx, (void)ny;                                                              \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                                \
            g[m] = u[m];                                                                                               \
    }
EWI_LAWS(EWI_DEFINE_GHOSTS)
#undef EWI_DEFINE_GHOSTS

/*
 * A numerical flux gives TWICE F_n times the edge's length, for a normal (nx, ny) of that length: most have a mean of
 * two sides, and the half goes into the weight of the rule, where it costs nothing (a power of two changes no bits).
 *
 * ewi_<law>_numerical_flux and ewi_<law>_ghost choose by number; the choice is the same for all lanes and points of a
 * side.
 */
#define EWI_CASE_FLUX(law, flux, operations)                                            \
    case EWI_FLUX_##flux:                                                               \
        ewi_##law##_flux_##flux(parameter, field, ul, ur, nx, ny, length, result);      \
        break;
#define EWI_CASE_GHOST(law, ghost)                                                      \
    case EWI_GHOST_##ghost:                                                             \
        ewi_##law##_ghost_##ghost(parameter, u, given, nx, ny, g);                      \
        break;
#define EWI_DEFINE_CHOICES(law)                                                                                    \
    EW_HD void ewi_##law##_numerical_flux(int flux, const double *parameter, const ewi_v *field, const ewi_v *ul,  \
                                          const ewi_v *ur, ewi_v nx, ewi_v ny, ewi_v length, ewi_v *result)        \
    {                                                                                                              \
        switch (flux) {                                                                                            \
            EWI_FLUXES_##law(EWI_CASE_FLUX)                                                                        \
        default:                                                                                                   \
            __builtin_unreachable(); /* the plan has only what the law has */                                      \
        }                                                                                                          \
    }                                                                                                              \
    EW_HD void ewi_##law##_ghost(int ghost, const double *parameter, const ewi_v *u, const ewi_v *given, ewi_v nx, \
                                 ewi_v ny,                                                                         \
                                 ewi_v *g)                                                                         \
    {                                                                                                              \
        switch (ghost) {                                                                                           \
            EWI_GHOSTS_##law(EWI_CASE_GHOST)                                                                       \
        default:                                                                                                   \
            __builtin_unreachable();                                                                               \
        }                                                                                                          \
    }
EWI_LAWS(EWI_DEFINE_CHOICES)
#undef EWI_DEFINE_CHOICES
#undef EWI_CASE_FLUX
#undef EWI_CASE_GHOST

#endif
