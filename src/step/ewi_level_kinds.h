/* SPDX-License-Identifier: BSD-2-Clause */
/* The elements of a level of time steps (ewi_level_plan.h); shared by host and device code. */
#ifndef EWI_LEVEL_KINDS_H
#define EWI_LEVEL_KINDS_H

enum ewi_level_kind {
    EWI_LEVEL_PLAIN, /* without faster neighbours */
    EWI_LEVEL_INTERFACE,
    EWI_LEVEL_OWN, /* both */
    EWI_LEVEL_VIEW,
    EWI_LEVEL_SUM,
    EWI_LEVEL_TRIAL, /* for the interface elements of this level; */
    EWI_LEVEL_NEAR, EWI_LEVEL_NEAR_FASTER, /* ... neighbours of these, one level below this one or two */
    EWI_LEVEL_GHOST, EWI_LEVEL_GHOST_VIEW, /* elements of a part's ghost layer, and their views */
    EWI_LEVEL_KINDS
};

#endif
