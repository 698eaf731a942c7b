/* SPDX-License-Identifier: BSD-2-Clause */
/* The lists of names that an option can have, each from the room that knows it. */
#include "ewi_kernel_output.h"
#include "ewi_solver.h"

static ewi_choices *const lists[] = {
    [EW_LAWS] = ewi_law_choice,
    [EW_FLUXES] = ewi_flux_choice,
    [EW_LIMITERS] = ewi_limiter_choice,
    [EW_SCHEMES] = ewi_scheme_choice,
    [EW_BOUNDARIES] = ewi_boundary_choice,
    [EW_BACKENDS] = ewi_backend_choice,
    [EW_KERNELS] = ewi_kernel_set_choice,
    [EW_LEVELS] = ewi_level_choice,
    [EW_IMAGES] = ewi_image_choice,
    [EW_KERNEL_OUTPUTS] = ewi_kernel_output_choice,
};

static struct ewi_choice choice_at(enum ew_list list, int index)
{
    bool known = index >= 0 && (int)list >= 0 && (size_t)list < sizeof lists / sizeof *lists;
    return known ? lists[list](index) : EWI_NO_CHOICE;
}

const char *ew_list_name(enum ew_list list, int index)
{
    return choice_at(list, index).name;
}

const char *ew_list_description(enum ew_list list, int index)
{
    return choice_at(list, index).description;
}
