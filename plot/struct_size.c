/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of the structs in edgewise-case.h and edgewise-plot.h. No other folder may include both headers. */
#include "edgewise-plot.h"
#include "ewi_struct_size.h"

static const struct ewi_struct_size sizes[] = {
    EWI_SIZE(ew_series_probe), EWI_SIZE(ew_series_body), EWI_SIZE(ew_force), EWI_SIZE(ew_wall),
    EWI_SIZE(ew_oscillation), EWI_SIZE(ew_text_difference),
    EWI_SIZE(ew_raster), EWI_SIZE(ew_run_plan), EWI_SIZE(ew_case_options), EWI_SIZE(ew_case_info),
    EWI_SIZE(ew_sweep_info), EWI_SIZE(ew_results_info), EWI_SIZE(ew_export), EWI_SIZE(ew_restart_info),
    EWI_SIZE(ew_run_progress), EWI_SIZE(ew_run_options), EWI_SIZE(ew_run_summary), EWI_SIZE(ew_run_levels),
    EWI_SIZE(ew_run_memory),
    EWI_SIZE(ew_plot), EWI_SIZE(ew_plot_shown), EWI_SIZE(ew_probe), EWI_SIZE(ew_curve), EWI_SIZE(ew_chart),
};

size_t ew_case_struct_size(const char *name)
{
    return ewi_struct_size(sizes, sizeof sizes / sizeof *sizes, name);
}
