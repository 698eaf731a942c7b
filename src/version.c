/* SPDX-License-Identifier: BSD-2-Clause */
/* The version, and the sizes of edgewise.h's structs. */
#include "edgewise.h"
#include "ewi_struct_size.h"

const char *ew_version(void)
{
    return EWI_VERSION;
}

static const struct ewi_struct_size sizes[] = {
    EWI_SIZE(ew_error), EWI_SIZE(ew_host), EWI_SIZE(ew_raster_data), EWI_SIZE(ew_data),
    EWI_SIZE(ew_periodic), EWI_SIZE(ew_mesh_data),
    EWI_SIZE(ew_side_part), EWI_SIZE(ew_rectangle), EWI_SIZE(ew_mesh_info), EWI_SIZE(ew_mesh_quality),
    EWI_SIZE(ew_boundary_curve), EWI_SIZE(ew_spline_info), EWI_SIZE(ew_parameter), EWI_SIZE(ew_law),
    EWI_SIZE(ew_boundary_value), EWI_SIZE(ew_boundary_kind),
    EWI_SIZE(ew_boundary), EWI_SIZE(ew_place), EWI_SIZE(ew_quantity),
    EWI_SIZE(ew_average), EWI_SIZE(ew_averages), EWI_SIZE(ew_averages_info),
    EWI_SIZE(ew_problem), EWI_SIZE(ew_advance), EWI_SIZE(ew_solver_info), EWI_SIZE(ew_state_view), EWI_SIZE(ew_moment),
    EWI_SIZE(ew_kernel_shape), EWI_SIZE(ew_boundary_integrals), EWI_SIZE(ew_norms), EWI_SIZE(ew_kernel_profile),
    EWI_SIZE(ew_limits), EWI_SIZE(ew_wall_point),
};

size_t ew_struct_size(const char *name)
{
    return ewi_struct_size(sizes, sizeof sizes / sizeof *sizes, name);
}
