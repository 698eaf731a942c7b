/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of boundary kinds with their ghosts, from which kernels, tables and option values are made. */
#ifndef EWI_GHOSTS_H
#define EWI_GHOSTS_H

#include "ewi_hd.h"

/*
 * X(ghost, kind in a case, choice of `ghost` there, needs given values, replaces the inner state, description); ghosts
 * of one kind follow each other. A ghost that replaces the inner state is the state of the boundary itself: both sides
 * of the numerical flux take it, so the flux through the boundary is that of this state.
 */
#define EWI_GHOST_LIST(X)                                                             \
    X(state, "state", NULL, 1, 0, "the ghost is a given state of x, y and t")         \
    X(copy, "copy", NULL, 0, 0, "the ghost is the inner state (supersonic outflow)")  \
    X(mirror, "wall", "mirror", 0, 0, "a solid wall, a perfect conductor; ghost = \"mirror\" or \"tangential\"") \
    X(tangential, "wall", "tangential", 0, 0, "a wall that keeps only the tangential momentum")                      \
    X(curved, "wall", NULL, 0, 0, "a wall along a curve; `given` is the inner polynomials' value there")             \
    X(far, "far", NULL, 1, 0, "characteristic far field towards a given state")       \
    X(oblique, "far", NULL, 1, 0, "far field for waves at an angle, which the normal's length gives (ewi_oblique.h)") \
    X(outlet, "outlet", NULL, 1, 1, "outflow at a given pressure or depth")           \
    X(total, "inlet", "total", 1, 1, "inflow of given total pressure and temperature, mass flow or discharge")    \
    X(mass_flow, "inlet", "mass-flow", 1, 1, "inflow of a given mass flow and temperature")                          \
    X(discharge, "inlet", "discharge", 1, 1, "inflow of a given discharge")           \
    X(level, "level", NULL, 1, 0, "water at a given elevation of its surface")        \
    X(symmetry, "symmetry", NULL, 0, 0, "a straight line at which the solution is mirrored") \
    X(adiabatic, "no-slip", "adiabatic", 1, 0, "a wall at which a viscous gas sticks")       \
    X(isothermal, "no-slip", "isothermal", 1, 0, "the same, at a given temperature")  \
    X(adiabatic_curved, "no-slip", NULL, 1, 0, "the same, along a curve")             \
    X(isothermal_curved, "no-slip", NULL, 1, 0, "the same, along a curve")

#define EWI_ENUM_GHOST(name, kind, choice, given, replaces, description) EWI_GHOST_##name,
enum ewi_ghost { EWI_GHOST_LIST(EWI_ENUM_GHOST) EWI_GHOST_COUNT };
#undef EWI_ENUM_GHOST

/* True if the ghost replaces the inner state in the flux. */
#define EWI_REPLACES(name, kind, choice, given, replaces, description) | (replaces) << EWI_GHOST_##name
EW_HD int ewi_ghost_replaces(int ghost)
{
    return (0 EWI_GHOST_LIST(EWI_REPLACES)) >> ghost & 1;
}
#undef EWI_REPLACES

/* True if the ghost takes the inner polynomials' value on a curve in place of, or besides, what is given. */
EW_HD int ewi_ghost_is_curved(int ghost)
{
    return ghost == EWI_GHOST_curved || ghost == EWI_GHOST_adiabatic_curved || ghost == EWI_GHOST_isothermal_curved;
}

#endif
