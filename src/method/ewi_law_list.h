/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lists from which kernels, tables and option values are made. A new law: its file physics/<law>.h and its name in
 * EWI_LAWS; the file says all that there is to know of it (physics/advection.h is the shortest). A new flux: its file
 * under flux/, included by the laws that have it, its name in their EWI_FLUXES_<law> and in EWI_FLUX_LIST. A new
 * boundary kind: a function ewi_<law>_ghost_<kind>, its name in EWI_GHOSTS_<law> and a line in EWI_GHOST_LIST
 * (ewi_ghosts.h). If its given values are not the law's primitive variables, the kind also has a line with their names
 * in EWI_VALUES_<law> and two functions, ewi_<law>_valid_<kind> and ewi_<law>_scale_<kind>. A new quantity to be
 * written: a function ewi_<law>_output_<name> and a line in EWI_OUTPUTS_<law>.
 */
#ifndef EWI_LAW_LIST_H
#define EWI_LAW_LIST_H

#include "ewi_ghosts.h"
#include "ewi_lanes.h"

#ifndef EWI_LAWS /* tests/laws has a list of its own */
#define EWI_LAWS(X) X(euler) X(navier_stokes) X(advection) X(shallow_water) X(maxwell_tm) X(acoustics) \
    X(acoustics_media) X(maxwell_tm_media)
#endif

/* X(name, description) */
#define EWI_FLUX_LIST(X)                                                              \
    X(llf, "local Lax-Friedrichs (Rusanov)")                                          \
    X(roe, "Roe with Harten's entropy fix")                                           \
    X(hllc, "HLLC with Toro's wave speeds")                                           \
    X(upwind, "the exact Riemann solution of a linear law")

#define EWI_ENUM_FLUX(name, description) EWI_FLUX_##name,
enum ewi_flux { EWI_FLUX_LIST(EWI_ENUM_FLUX) EWI_FLUX_COUNT };
#undef EWI_ENUM_FLUX

#define EWI_QUOTED_(path) #path
#define EWI_QUOTED(path) EWI_QUOTED_(path)
#define EWI_EACH_LAW_FILE EWI_QUOTED(physics/EWI_LAW.h)
#include "each_law.h"
#undef EWI_EACH_LAW_FILE

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

/*
 * Given values of boundaries. EWI_VALUES_<law>(X): X(law, ghost, {name, description, outputs, optional, what it
 * must}...). ewi_<law>_given makes what is kept of the values: the conserved state of primitive variables; a ghost with
 * values of its own keeps those. The other two take what is kept: ewi_<law>_valid tells whether a boundary with the
 * outward unit normal (nx, ny) can have it, and ewi_<law>_scale gives a conserved state that stands for it: its speed
 * limits the time step, and its first variable is what the blow-up check compares. That state may be inadmissible; it
 * then says nothing.
 */
#define EWI_CASE_GIVEN(law, ghost, ...)                                                 \
    case EWI_GHOST_##ghost:                                                             \
        for (int m = 0; m < ewi_##law##_variables; m++)                                 \
            given[m] = values[m];                                                       \
        break;
#define EWI_CASE_VALID(law, ghost, ...)                                                 \
    case EWI_GHOST_##ghost:                                                             \
        return ewi_##law##_valid_##ghost(parameter, given, nx, ny);
#define EWI_CASE_SCALE(law, ghost, ...)                                                 \
    case EWI_GHOST_##ghost:                                                             \
        ewi_##law##_scale_##ghost(parameter, given, u);                                 \
        break;
#define EWI_DEFINE_VALUES(law)                                                                                     \
    EW_HD void ewi_##law##_given(int ghost, const double *parameter, const ewi_v *values, ewi_v *given)            \
    {                                                                                                              \
        switch (ghost) {                                                                                           \
            EWI_VALUES_##law(EWI_CASE_GIVEN)                                                                       \
        default:                                                                                                   \
            ewi_##law##_conserved(parameter, values, given);                                                       \
        }                                                                                                          \
    }                                                                                                              \
    EW_HD ewi_mask ewi_##law##_valid(int ghost, const double *parameter, const ewi_v *given, ewi_v nx, ewi_v ny)   \
    {                                                                                                              \
        (void)nx, (void)ny;                                                                                        \
        switch (ghost) {                                                                                           \
            EWI_VALUES_##law(EWI_CASE_VALID)                                                                       \
        default:                                                                                                   \
            return ewi_##law##_admissible(parameter, given);                                                       \
        }                                                                                                          \
    }                                                                                                              \
    EW_HD void ewi_##law##_scale(int ghost, const double *parameter, const ewi_v *given, ewi_v *u)                 \
    {                                                                                                              \
        (void)parameter;                                                                                           \
        switch (ghost) {                                                                                           \
            EWI_VALUES_##law(EWI_CASE_SCALE)                                                                       \
        default:                                                                                                   \
            for (int m = 0; m < ewi_##law##_variables; m++)                                                        \
                u[m] = given[m];                                                                                   \
        }                                                                                                          \
    }
EWI_LAWS(EWI_DEFINE_VALUES)
#undef EWI_DEFINE_VALUES
#undef EWI_CASE_GIVEN
#undef EWI_CASE_VALID
#undef EWI_CASE_SCALE
#undef EWI_CASE_FLUX
#undef EWI_CASE_GHOST

#endif
