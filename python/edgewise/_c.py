# SPDX-License-Identifier: BSD-2-Clause
"""The C library's declarations. Written by python/generate.py from the headers: do not edit."""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t,
                    c_uint, c_uint64, c_void_p)

EW_MAX_VARIABLES = 8
EW_MAX_PARAMETERS = 8
EW_MAX_FIELDS = 2
EW_MAX_DERIVED = 16
EW_MAX_QUANTITIES = 32
EW_MAX_AVERAGES = 64
EW_MAX_OUTPUTS = 129
EW_MAX_THREADS = 1024
EW_MAX_PARTS = 256
EW_MAX_STEP_LEVELS = 20
EW_STEP_LEVELS_AUTO = -1
EW_MAX_ORDER = 5
EW_DEFAULT_LAW = 'euler'
EW_DEFAULT_FLUX = 'llf'
EW_DEFAULT_LIMITER = 'none'
EW_DEFAULT_SCHEME = 'rk4'

EW_OK = 0
EW_EINVAL = -1
EW_ENOMEM = -2
EW_EMESH = -3
EW_EFORMULA = -4
EW_ESTATE = -5
EW_EUNAVAILABLE = -6
EW_EIO = -7
EW_ECONFIG = -8
EW_EINTERNAL = -9
EW_ECREATE = -10
EW_EDEVICE = -11
EW_EFULL = -12


class ew_error(Structure):
    _fields_ = [
        ("code", c_int),
        ("message", c_char * 1024),
    ]

EW_LOG_DEBUG = 0
EW_LOG_INFO = 1
EW_LOG_WARNING = 2


class ew_host(Structure):
    _fields_ = [
        ("allocate", CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)),
        ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("log", CFUNCTYPE(None, c_void_p, c_int, c_char_p)),
        ("context", c_void_p),
    ]

EW_X = 1
EW_Y = 2
EW_T = 4
EW_STATE = 8


class ew_raster_data(Structure):
    _fields_ = [
        ("columns", c_int32),
        ("rows", c_int32),
        ("times", c_int32),
        ("x", POINTER(c_double)),
        ("y", POINTER(c_double)),
        ("t", POINTER(c_double)),
        ("values", POINTER(c_double)),
        ("window", c_double * 4),
        ("name", c_char_p),
    ]


ew_raster_finder = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, POINTER(POINTER(ew_raster_data)), POINTER(ew_error))


ew_callback = CFUNCTYPE(None, c_void_p, c_size_t, POINTER(c_double), POINTER(c_double), c_double, POINTER(c_double))


class ew_data(Structure):
    _fields_ = [
        ("formula", c_void_p),
        ("callback", ew_callback),
        ("context", c_void_p),
        ("variables", c_uint),
    ]


class ew_periodic(Structure):
    _fields_ = [
        ("first", c_char_p),
        ("second", c_char_p),
        ("dx", c_double),
        ("dy", c_double),
        ("automatic", c_int),
    ]


class ew_mesh_data(Structure):
    _fields_ = [
        ("nodes", c_int64),
        ("xy", POINTER(c_double)),
        ("triangles", c_int64),
        ("triangle", POINTER(c_int64)),
        ("lines", c_int64),
        ("line", POINTER(c_int64)),
        ("line_name", POINTER(c_int32)),
        ("names", c_int32),
        ("name", POINTER(c_char_p)),
        ("periodics", c_int32),
        ("periodic", POINTER(ew_periodic)),
        ("line_middle", POINTER(c_double)),
        ("source", c_char_p),
        ("node_label", POINTER(c_int64)),
        ("triangle_label", POINTER(c_int64)),
        ("line_label", POINTER(c_int64)),
        ("report", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("report_context", c_void_p),
    ]


class ew_side_part(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("from", c_double),
        ("to", c_double),
    ]


class _ew_rectangle_side(Structure):
    _fields_ = [
        ("parts", c_size_t),
        ("part", POINTER(ew_side_part)),
    ]


class ew_rectangle(Structure):
    _fields_ = [
        ("x0", c_double),
        ("y0", c_double),
        ("x1", c_double),
        ("y1", c_double),
        ("nx", c_int32),
        ("ny", c_int32),
        ("jitter", c_double),
        ("seed", c_uint64),
        ("side", _ew_rectangle_side * 4),
        ("periodics", c_int32),
        ("periodic", POINTER(ew_periodic)),
        ("report", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("report_context", c_void_p),
    ]


class ew_mesh_info(Structure):
    _fields_ = [
        ("nodes", c_int64),
        ("elements", c_int64),
        ("edges", c_int64),
        ("boundary_edges", c_int64),
        ("boundaries", c_int32),
        ("area", c_double),
        ("smallest_diameter", c_double),
        ("largest_diameter", c_double),
        ("xmin", c_double),
        ("ymin", c_double),
        ("xmax", c_double),
        ("ymax", c_double),
        ("hash", c_uint64),
        ("bytes", c_size_t),
        ("reoriented", c_int64),
        ("middles", c_int64),
    ]

EW_ANGLE_BINS = 12
EW_RATIO_BINS = 10


class ew_mesh_quality(Structure):
    _fields_ = [
        ("smallest_angle", c_double),
        ("largest_angle", c_double),
        ("mean_angle", c_double),
        ("angle", c_int64 * 12),
        ("smallest_ratio", c_double),
        ("mean_ratio", c_double),
        ("ratio", c_int64 * 10),
        ("shortest_edge", c_double),
        ("longest_edge", c_double),
        ("worst", c_int64),
    ]

EW_CURVE_NORMAL = 0
EW_CURVE_CIRCLE = 1
EW_CURVE_SPLINE = 2
EW_CURVE_LEVEL = 3


class ew_boundary_curve(Structure):
    _fields_ = [
        ("boundary", c_char_p),
        ("kind", c_int),
        ("normal", ew_data),
        ("level", ew_data),
        ("centre", c_double * 2),
        ("radius", c_double),
        ("corner", c_double),
    ]

EW_CORNERS = 8


class ew_spline_info(Structure):
    _fields_ = [
        ("edges", c_int64),
        ("middles", c_int64),
        ("bent", c_int64),
        ("smooth", c_int64),
        ("corners", c_int64),
        ("corner", c_double * 2 * 8),
    ]

EW_LAWS = 0
EW_FLUXES = 1
EW_LIMITERS = 2
EW_SCHEMES = 3
EW_BOUNDARIES = 4
EW_BACKENDS = 5
EW_KERNELS = 6
EW_LEVELS = 7
EW_IMAGES = 8
EW_KERNEL_OUTPUTS = 9


class ew_parameter(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_double),
    ]


class _ew_law_parameter(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("value", c_double),
        ("above", c_double),
    ]


class ew_law(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("variables", c_int),
        ("conserved", c_char_p * 8),
        ("conserved_long", c_char_p * 8),
        ("primitive", c_char_p * 8),
        ("primitive_long", c_char_p * 8),
        ("parameters", c_int),
        ("parameter", _ew_law_parameter * 8),
        ("fields", c_int),
        ("field", c_char_p * 2),
        ("media", c_int),
        ("fluxes", c_char_p * 8),
        ("derived", c_char_p * 16),
        ("derived_long", c_char_p * 16),
        ("pressure", c_char_p),
        ("viscous", c_int),
        ("positive", c_int * 8),
    ]


class ew_boundary_value(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("outputs", c_int),
        ("optional", c_int),
        ("must", c_char_p),
    ]


class ew_boundary_kind(Structure):
    _fields_ = [
        ("kind", c_char_p),
        ("ghost", c_char_p),
        ("description", c_char_p),
        ("values", c_int),
        ("value", ew_boundary_value * 8),
    ]


class ew_boundary(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_char_p),
        ("state", ew_data),
        ("curve", POINTER(ew_boundary_curve)),
        ("conservative", c_int),
        ("normal", ew_data),
        ("ghost", c_char_p),
        ("sponge_width", c_double),
        ("sponge_strength", c_double),
        ("angle", c_double),
    ]


class ew_place(Structure):
    _fields_ = [
        ("member", c_char_p),
        ("boundary", c_char_p),
        ("variable", c_char_p),
    ]


class ew_quantity(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("formula", c_void_p),
    ]

EW_MEAN = 0
EW_VARIANCE = 1
EW_COVARIANCE = 2
EW_MINIMUM = 3
EW_MAXIMUM = 4
EW_ARRIVAL = 5


class ew_average(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("statistic", c_int),
        ("output", c_int),
        ("other", c_int),
        ("above", c_double),
    ]


class ew_averages(Structure):
    _fields_ = [
        ("from", c_double),
        ("steps", c_int64),
        ("count", c_int),
        ("average", POINTER(ew_average)),
    ]


class ew_problem(Structure):
    _fields_ = [
        ("law", c_char_p),
        ("parameters", c_size_t),
        ("parameter", POINTER(ew_parameter)),
        ("field", ew_data),
        ("order", c_int),
        ("flux", c_char_p),
        ("limiter", c_char_p),
        ("positivity", c_int),
        ("scheme", c_char_p),
        ("cfl", c_double),
        ("uniform_step", c_int),
        ("local_step", c_int),
        ("step_levels", c_int),
        ("output_interval", c_double),
        ("steady", c_double),
        ("steady_orders", c_double),
        ("initial", ew_data),
        ("exact", ew_data),
        ("source", ew_data),
        ("source_end", c_double),
        ("quantities", c_int),
        ("quantity", POINTER(ew_quantity)),
        ("averages", ew_averages),
        ("fine_errors", c_int),
        ("time", c_double),
        ("boundaries", c_size_t),
        ("boundary", POINTER(ew_boundary)),
        ("outflow", c_int),
        ("backend", c_char_p),
        ("kernels", c_char_p),
        ("threads", c_int),
        ("device", c_int),
        ("level", c_char_p),
        ("image", c_char_p),
        ("tile", c_int),
        ("ensemble", c_void_p),
        ("parts", c_int),
        ("comm", c_void_p),
        ("devices", c_int),
        ("device_of_part", POINTER(c_int)),
        ("report", CFUNCTYPE(None, c_void_p, POINTER(ew_place), c_char_p)),
        ("report_context", c_void_p),
    ]

EW_STOP_TIME = 0
EW_STOP_STEPS = 1
EW_STOP_STEADY = 2
EW_STOP_NONE = 3


class ew_advance(Structure):
    _fields_ = [
        ("solver", c_void_p),
        ("until", c_double),
        ("max_steps", c_int64),
        ("stop", c_int),
        ("status", c_int),
        ("error", ew_error),
    ]


class ew_solver_info(Structure):
    _fields_ = [
        ("mesh", c_void_p),
        ("law", POINTER(ew_law)),
        ("parameter", POINTER(c_double)),
        ("has_exact", c_int),
        ("order", c_int),
        ("basis", c_int),
        ("stages", c_int),
        ("flux", c_char_p),
        ("limiter", c_char_p),
        ("scheme", c_char_p),
        ("backend", c_char_p),
        ("kernels", c_char_p),
        ("limited", c_int),
        ("positivity", c_int),
        ("source", c_int),
        ("outflow", c_int),
        ("device", c_char * 128),
        ("choice", c_char * 512),
        ("cfl", c_double),
        ("steady", c_double),
        ("steady_orders", c_double),
        ("curve_share", c_double),
        ("bytes", c_size_t),
        ("device_bytes", c_size_t),
        ("parts", c_int),
        ("cut_edges", c_int64),
        ("imbalance", c_double),
        ("local_step", c_int),
        ("step_levels", c_int),
        ("level_elements", c_int64 * 20),
        ("level_work", c_double),
        ("levels_asked", c_int),
        ("level_shortening", c_double * 20),
    ]


class ew_state_view(Structure):
    _fields_ = [
        ("coefficients", POINTER(c_double)),
        ("place", POINTER(c_int32)),
        ("elements", c_int64),
        ("tiles", c_int64),
        ("width", c_int64),
        ("variables", c_int),
        ("basis", c_int),
    ]


class ew_moment(Structure):
    _fields_ = [
        ("time", c_double),
        ("dt", c_double),
        ("change", c_double),
        ("steps", c_int64),
        ("rate", c_double),
        ("largest_rate", c_double),
    ]


class ew_kernel_shape(Structure):
    _fields_ = [
        ("items", c_int64),
        ("parts", c_int),
        ("variables", c_int),
        ("basis", c_int),
        ("count", c_size_t),
    ]


class ew_boundary_integrals(Structure):
    _fields_ = [
        ("length", c_double),
        ("flux", c_double * 8),
        ("force", c_double * 2),
        ("moment", c_double),
        ("friction", c_double * 2),
        ("heat", c_double),
    ]


class ew_wall_point(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("normal", c_double * 2),
        ("arc", c_double),
        ("pressure", c_double),
        ("temperature", c_double),
        ("conductivity", c_double),
        ("shear", c_double),
        ("heat", c_double),
    ]


class ew_averages_info(Structure):
    _fields_ = [
        ("count", c_int),
        ("first", c_int),
        ("from", c_double),
        ("steps", c_int64),
        ("duration", c_double),
        ("last", c_double),
        ("values", c_size_t),
    ]


class ew_norms(Structure):
    _fields_ = [
        ("has_errors", c_int),
        ("error_l2", c_double * 8),
        ("error_linf", c_double * 8),
        ("total", c_double * 8),
        ("min", c_double * 8),
        ("max", c_double * 8),
    ]


class ew_kernel_profile(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("calls", c_int64),
        ("seconds", c_double),
        ("bytes", c_double),
        ("flops", c_double),
        ("occupancy", c_double),
        ("registers", c_int),
        ("local_bytes", c_int),
    ]


class ew_limits(Structure):
    _fields_ = [
        ("device", c_char * 128),
        ("copy_bytes_per_s", c_double),
        ("flops_per_s", c_double),
        ("tensor_flops_per_s", c_double),
    ]

EW_MAX_PROFILES = 16


EW_GMSH_22 = 0
EW_GMSH_41 = 1


class ew_series_probe(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("x", c_double),
        ("y", c_double),
        ("rs", c_double * 2),
        ("element", c_int64),
    ]


class ew_series_body(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("boundaries", c_int),
        ("boundary", POINTER(c_int32)),
        ("density", c_double),
        ("speed", c_double),
        ("length", c_double),
        ("direction", c_double * 2),
        ("point", c_double * 2),
        ("pressure", c_double),
    ]


class ew_force(Structure):
    _fields_ = [
        ("force", c_double * 2),
        ("drag", c_double),
        ("lift", c_double),
        ("moment", c_double),
        ("moment_coefficient", c_double),
        ("drag_pressure", c_double),
        ("drag_friction", c_double),
        ("lift_pressure", c_double),
        ("lift_friction", c_double),
        ("heat", c_double),
    ]

EW_LONGEST_WALL_NAME = 100


class ew_wall(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("boundaries", c_int),
        ("boundary", POINTER(c_int32)),
        ("density", c_double),
        ("speed", c_double),
        ("length", c_double),
        ("pressure", c_double),
        ("temperature", c_double),
    ]


class ew_text_difference(Structure):
    _fields_ = [
        ("differs", c_int),
        ("initial", c_int),
        ("text", c_char * 640),
    ]

EW_MOST_RASTER_CELLS = 16384


class ew_raster(Structure):
    _fields_ = [
        ("cells", c_int * 2),
        ("window", c_double * 4),
        ("outputs", c_int),
        ("output", POINTER(c_int)),
        ("double_precision", c_int),
        ("only", c_int),
    ]


class ew_run_plan(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("title", c_char_p),
        ("text", c_char_p),
        ("mesh", c_char_p),
        ("rasters", c_char_p),
        ("start", c_double),
        ("end", c_double),
        ("steps", c_int64),
        ("every", c_double),
        ("times", c_size_t),
        ("at", POINTER(c_double)),
        ("outputs", c_int),
        ("output", POINTER(c_int)),
        ("subdivide", c_int),
        ("compression", c_int),
        ("single", c_int),
        ("raster", ew_raster),
        ("walls", c_int),
        ("wall", POINTER(ew_wall)),
        ("series_steps", c_int64),
        ("series_residuals", c_int),
        ("probes", c_int),
        ("bodies", c_int),
        ("fluxes", c_int),
        ("probe", POINTER(ew_series_probe)),
        ("body", POINTER(ew_series_body)),
        ("flux", POINTER(c_int32)),
        ("restarts", c_int),
        ("restart_every", c_double),
        ("restart_steps", c_int64),
        ("restart_keep", c_int),
        ("compare", CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(ew_text_difference), POINTER(ew_error))),
        ("context", c_void_p),
    ]

EW_NAMED_MESH = 0
EW_NAMED_RASTER = 1


class ew_case_options(Structure):
    _fields_ = [
        ("settings", c_size_t),
        ("setting", POINTER(c_char_p)),
        ("setting_name", POINTER(c_char_p)),
        ("most_triangles", c_int64),
        ("report", CFUNCTYPE(None, c_void_p, c_char_p)),
        ("report_context", c_void_p),
        ("confined", c_int),
        ("named", CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)),
        ("named_context", c_void_p),
        ("admit", CFUNCTYPE(c_int, c_void_p, POINTER(ew_mesh_info), POINTER(ew_problem), POINTER(ew_error))),
        ("admit_context", c_void_p),
        ("plan", POINTER(c_void_p)),
        ("meshes", c_void_p),
        ("member", c_int64),
        ("parts", c_int),
    ]


class ew_case_info(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("source", c_char_p),
        ("coarser", c_int),
        ("cells", c_int32 * 2),
        ("plan", ew_run_plan),
    ]

EW_MOST_MEMBERS = 100000
EW_MOST_KEYS = 64


class ew_sweep_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("source", c_char_p),
        ("members", c_int64),
        ("keys", c_int),
        ("hash", c_uint64),
    ]


class ew_results_info(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("title", c_char_p),
        ("case_name", c_char_p),
        ("version", c_char_p),
        ("status", c_char_p),
        ("law", POINTER(ew_law)),
        ("elements", c_int64),
        ("frames", c_int64),
        ("order", c_int),
        ("subdivide", c_int),
        ("fields", c_int),
        ("xmin", c_double),
        ("ymin", c_double),
        ("xmax", c_double),
        ("ymax", c_double),
    ]

EW_EXPORT_VTU = 0
EW_EXPORT_GMSH = 1
EW_EXPORT_CSV = 2

EW_EXPORT_SUBDIVIDE = 16


class ew_export(Structure):
    _fields_ = [
        ("format", c_int),
        ("first_frame", c_int64),
        ("frames", c_int64),
        ("fields", c_int),
        ("field", POINTER(c_int)),
        ("subdivide", c_int),
        ("lagrange", c_int),
        ("boundary", c_char_p),
        ("wall", c_char_p),
    ]


class ew_oscillation(Structure):
    _fields_ = [
        ("from", c_double),
        ("to", c_double),
        ("mean", c_double),
        ("deviation", c_double),
        ("least", c_double),
        ("greatest", c_double),
        ("periods", c_int),
        ("frequency", c_double),
        ("amplitude", c_double),
        ("spread", c_double),
        ("why", c_char_p),
    ]


class ew_restart_info(Structure):
    _fields_ = [
        ("moment", ew_moment),
        ("order", c_int),
        ("state_hash", c_uint64),
        ("frames", c_int64),
        ("frame_hash", c_uint64),
    ]


class ew_run_progress(Structure):
    _fields_ = [
        ("fraction", c_double),
        ("time", c_double),
        ("dt", c_double),
        ("steps", c_int64),
        ("rate", c_double),
    ]


class ew_run_options(Structure):
    _fields_ = [
        ("folder", c_char_p),
        ("fields", c_char_p),
        ("no_output", c_int),
        ("halts_at_frames", c_int),
        ("restart", c_char_p),
        ("restart_is_optional", c_int),
        ("context", c_void_p),
        ("stop", CFUNCTYPE(c_int, c_void_p)),
        ("progress", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("admit", CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(ew_error))),
    ]

EW_RUN_GOES_ON = 0
EW_RUN_AT_END = 1
EW_RUN_AT_STEPS = 2
EW_RUN_STEADY = 3
EW_RUN_STOPPED = 4
EW_RUN_FAILED = 5


class ew_run_summary(Structure):
    _fields_ = [
        ("end", c_int),
        ("time", c_double),
        ("steps", c_int64),
        ("has_last", c_int),
        ("norms", ew_norms),
        ("has_residual", c_int),
        ("residual", c_double * 8),
        ("orders_fallen", c_double),
        ("hash", c_uint64),
        ("force", POINTER(ew_force)),
        ("setup_seconds", c_double),
        ("seconds", c_double),
        ("output_seconds", c_double),
        ("closing_seconds", c_double),
        ("rate", c_double),
        ("frames", c_int64),
        ("fields", c_char_p),
        ("series", c_char_p),
        ("ends_before_break", c_int),
        ("earlier", c_char_p),
        ("resumed", c_char_p),
        ("restarts", c_size_t),
        ("restart", POINTER(c_char_p)),
    ]


class ew_run_levels(Structure):
    _fields_ = [
        ("levels", c_int),
        ("step", c_double),
        ("interval", c_double),
        ("work", c_double),
        ("enough", c_int),
        ("enough_work", c_double),
        ("is_wasteful", c_int),
    ]


class ew_run_memory(Structure):
    _fields_ = [
        ("mesh", c_double),
        ("solver", c_double),
        ("device", c_double),
        ("output", c_double),
        ("copies", c_double),
        ("copy", c_double),
        ("available", c_double),
    ]

EW_PLOT_LOG_FLOOR = 1e-06
EW_PLOT_PERCENTILE = 0.5

EW_RANGE_AUTOMATIC = 0
EW_RANGE_SYMMETRIC = 1
EW_RANGE_FIXED = 2
EW_RANGE_FULL = 3
EW_RANGE_ROBUST = 4


class ew_plot(Structure):
    _fields_ = [
        ("field", c_int),
        ("frame", c_int64),
        ("title", c_char_p),
        ("map", c_char_p),
        ("range", c_int),
        ("low", c_double),
        ("high", c_double),
        ("logarithmic", c_int),
        ("isolines", c_int),
        ("level", POINTER(c_double)),
        ("mesh", c_int),
        ("vectors", c_int),
        ("streamlines", c_int),
        ("speed", c_double),
        ("zoom", c_int),
        ("window", c_double * 4),
        ("width", c_int),
        ("height", c_int),
        ("supersample", c_int),
        ("bare", c_int),
        ("threads", c_int),
        ("palette", c_int),
    ]

EW_PLOT_LEAST = 128
EW_PLOT_MOST = 32768
EW_PLOT_SUPERSAMPLE = 8
EW_PLOT_POINTS = 1000000
EW_PLOT_PANELS = 64
EW_PLOT_FRAMES = 100000
EW_PLOT_FLOW = 1000


class ew_plot_shown(Structure):
    _fields_ = [
        ("low", c_double),
        ("high", c_double),
        ("least", c_double),
        ("greatest", c_double),
        ("first_level", c_double),
        ("last_level", c_double),
        ("levels_missed", c_int),
        ("speed", c_double),
        ("beyond", c_double),
    ]

EW_OVER_ARC = 0
EW_OVER_CHORD = 1


class ew_probe(Structure):
    _fields_ = [
        ("field", c_int),
        ("frame", c_int64),
        ("line", c_double * 4),
        ("points", c_int),
        ("picture", c_int),
        ("title", c_char_p),
        ("low", c_double),
        ("high", c_double),
        ("logarithmic", c_int),
        ("width", c_int),
        ("height", c_int),
        ("others", c_int),
        ("other", POINTER(c_int)),
        ("boundary", c_char_p),
        ("over", c_int),
    ]


class ew_curve(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("points", c_int),
        ("x", POINTER(c_double)),
        ("y", POINTER(c_double)),
        ("apart", c_int),
        ("parts", c_int),
        ("part", POINTER(c_int)),
    ]


class ew_chart(Structure):
    _fields_ = [
        ("title", c_char_p),
        ("x_title", c_char_p),
        ("y_title", c_char_p),
        ("curves", c_int),
        ("curve", POINTER(ew_curve)),
        ("logarithmic_x", c_int),
        ("logarithmic_y", c_int),
        ("falling_y", c_int),
        ("x_low", c_double),
        ("x_high", c_double),
        ("y_low", c_double),
        ("y_high", c_double),
        ("width", c_int),
        ("height", c_int),
    ]


# Result and parameters of each function.
FUNCTIONS = {
    "ew_version": (c_char_p, []),
    "ew_struct_size": (c_size_t, [c_char_p]),
    "ew_thread_count": (c_int, [c_int, c_char_p, c_size_t]),
    "ew_scope_create": (c_int, [POINTER(ew_host), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_scope_set": (c_int, [c_void_p, c_char_p, c_double, POINTER(ew_error)]),
    "ew_scope_define": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(ew_error)]),
    "ew_scope_with_state": (c_int, [c_void_p, c_int, POINTER(c_char_p), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_scope_destroy": (None, [c_void_p]),
    "ew_scope_add_raster": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(ew_raster_data), POINTER(ew_error)]),
    "ew_scope_find_rasters": (c_int, [c_void_p, ew_raster_finder, c_void_p, POINTER(ew_error)]),
    "ew_raster_hash": (c_uint64, [POINTER(ew_raster_data)]),
    "ew_formula_create": (c_int, [c_void_p, c_int, POINTER(c_char_p), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_formula_outputs": (c_int, [c_void_p]),
    "ew_formula_variables": (c_uint, [c_void_p]),
    "ew_formula_evaluate": (None, [c_void_p, c_size_t, POINTER(c_double), POINTER(c_double), c_double,
        POINTER(c_double), c_size_t]),
    "ew_formula_destroy": (None, [c_void_p]),
    "ew_mesh_create": (c_int, [POINTER(ew_host), POINTER(ew_mesh_data), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_mesh_rectangle": (c_int, [POINTER(ew_host), POINTER(ew_rectangle), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_mesh_destroy": (None, [c_void_p]),
    "ew_mesh_get_info": (None, [c_void_p, POINTER(ew_mesh_info)]),
    "ew_rectangle_info": (c_int, [POINTER(ew_host), POINTER(ew_rectangle), POINTER(ew_mesh_info), POINTER(ew_error)]),
    "ew_mesh_boundary": (c_char_p, [c_void_p, c_int32, POINTER(c_int64)]),
    "ew_mesh_get_nodes": (None, [c_void_p, POINTER(c_double)]),
    "ew_mesh_get_triangles": (None, [c_void_p, POINTER(c_int64)]),
    "ew_mesh_boundary_edge": (c_int, [c_void_p, c_int64, POINTER(c_int64), POINTER(c_int), POINTER(c_int32)]),
    "ew_mesh_edge": (c_int, [c_void_p, c_int64, POINTER(c_int64), POINTER(c_int)]),
    "ew_mesh_get_quality": (None, [c_void_p, POINTER(ew_mesh_quality)]),
    "ew_mesh_refine": (c_int, [POINTER(ew_host), c_void_p, c_int, c_size_t, POINTER(ew_boundary_curve),
        POINTER(c_void_p), POINTER(ew_error)]),
    "ew_mesh_spline": (c_int, [c_void_p, c_int32, c_double, POINTER(ew_spline_info), POINTER(ew_error)]),
    "ew_list_name": (c_char_p, [c_int, c_int]),
    "ew_list_description": (c_char_p, [c_int, c_int]),
    "ew_backend_has_devices": (c_int, [c_char_p]),
    "ew_device_describe": (c_int, [c_int, c_char_p, c_size_t]),
    "ew_law_find": (POINTER(ew_law), [c_char_p]),
    "ew_law_of_media": (POINTER(ew_law), [POINTER(ew_law)]),
    "ew_law_conserved": (None, [POINTER(ew_law), POINTER(c_double), c_size_t, POINTER(c_double), POINTER(c_double)]),
    "ew_law_primitive": (None, [POINTER(ew_law), POINTER(c_double), c_size_t, POINTER(c_double), POINTER(c_double)]),
    "ew_law_limit_points": (None, [POINTER(ew_law), POINTER(c_double), POINTER(c_double), c_size_t, POINTER(c_double)]),
    "ew_law_derived": (None, [POINTER(ew_law), POINTER(c_double), c_int, c_size_t, POINTER(c_double),
        POINTER(c_double), POINTER(c_double)]),
    "ew_law_output": (c_char_p, [POINTER(ew_law), c_int, POINTER(c_char_p)]),
    "ew_scope_with_outputs": (c_int, [c_void_p, POINTER(ew_law), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_law_boundary": (c_int, [POINTER(ew_law), c_int, POINTER(ew_boundary_kind)]),
    "ew_problem_output": (c_char_p, [POINTER(ew_problem), c_int, POINTER(c_char_p)]),
    "ew_problem_output_varies": (c_int, [POINTER(ew_problem), c_int]),
    "ew_problem_check": (c_int, [POINTER(ew_host), c_void_p, POINTER(ew_problem), POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_plan_destroy": (None, [c_void_p]),
    "ew_plan_step_levels": (c_int, [c_void_p, POINTER(c_int64), POINTER(c_double)]),
    "ew_plan_bytes": (c_size_t, [c_void_p]),
    "ew_plan_media": (c_int, [c_void_p, c_int, POINTER(c_double), POINTER(c_double)]),
    "ew_plan_step": (c_int, [c_void_p, c_char_p, c_int, c_int, c_char_p, c_size_t]),
    "ew_solver_memory": (c_int, [c_void_p, POINTER(ew_problem), POINTER(c_size_t), POINTER(c_size_t),
        POINTER(ew_error)]),
    "ew_solver_memory_for": (c_int, [POINTER(ew_mesh_info), POINTER(ew_problem), POINTER(c_size_t), POINTER(c_size_t),
        POINTER(ew_error)]),
    "ew_solver_create": (c_int, [POINTER(ew_host), c_void_p, POINTER(ew_problem), POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_solver_of_plan": (c_int, [POINTER(c_void_p), POINTER(ew_problem), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_solver_destroy": (None, [c_void_p]),
    "ew_solver_advance": (c_int, [c_void_p, c_double, c_int64, POINTER(c_int), POINTER(ew_error)]),
    "ew_ensemble_create": (c_int, [POINTER(ew_host), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_ensemble_destroy": (None, [c_void_p]),
    "ew_ensemble_advance": (c_int, [c_void_p, c_int, POINTER(ew_advance), c_int, POINTER(ew_error)]),
    "ew_comm_launched": (c_int, []),
    "ew_comm_library": (c_int, [c_int, c_char_p, c_size_t]),
    "ew_comm_create": (c_int, [POINTER(ew_host), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_comm_of_mpi": (c_int, [POINTER(ew_host), c_void_p, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_comm_destroy": (None, [c_void_p]),
    "ew_comm_rank": (c_int, [c_void_p]),
    "ew_comm_size": (c_int, [c_void_p]),
    "ew_comm_agree": (c_int, [c_void_p, c_int, POINTER(ew_error)]),
    "ew_comm_next": (c_int, [c_void_p]),
    "ew_comm_divide": (c_int, [c_void_p, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_comm_serve": (c_int, [c_void_p, POINTER(c_void_p), POINTER(ew_problem), POINTER(ew_error)]),
    "ew_solver_time": (c_double, [c_void_p]),
    "ew_solver_steps": (c_int64, [c_void_p]),
    "ew_solver_time_step": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_change": (c_double, [c_void_p]),
    "ew_solver_orders_fallen": (c_double, [c_void_p]),
    "ew_solver_is_steady": (c_int, [c_void_p]),
    "ew_solver_get_info": (None, [c_void_p, POINTER(ew_solver_info)]),
    "ew_solver_output": (c_char_p, [c_void_p, c_int, POINTER(c_char_p)]),
    "ew_solver_output_varies": (c_int, [c_void_p, c_int]),
    "ew_solver_output_is_linear": (c_int, [c_void_p, c_int]),
    "ew_solver_get_coefficients": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_set_coefficients": (c_int, [c_void_p, POINTER(c_double), c_double, c_int64, POINTER(ew_error)]),
    "ew_solver_view_state": (c_int, [c_void_p, POINTER(ew_state_view), POINTER(ew_error)]),
    "ew_solver_view_device_state": (c_int, [c_void_p, POINTER(ew_state_view), POINTER(c_int), POINTER(ew_error)]),
    "ew_solver_moment": (None, [c_void_p, POINTER(ew_moment)]),
    "ew_solver_restore": (c_int, [c_void_p, c_int, POINTER(c_double), POINTER(ew_moment), POINTER(ew_error)]),
    "ew_solver_get_residual": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_kernel_shape": (c_int, [c_void_p, c_char_p, POINTER(ew_kernel_shape), POINTER(ew_error)]),
    "ew_solver_get_kernel_output": (c_int, [c_void_p, c_char_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_basis_values": (c_int, [c_int, c_int, POINTER(c_double), POINTER(c_double)]),
    "ew_solver_get_means": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_sample": (c_int, [c_void_p, c_int64, c_int64, c_int, POINTER(c_double), c_int, POINTER(c_double),
        POINTER(ew_error)]),
    "ew_solver_sample_outputs": (c_int, [c_void_p, c_int64, c_int64, c_int, POINTER(c_double), c_int, POINTER(c_int),
        POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_sample_columns": (c_int, [c_void_p, c_int64, c_int64, c_int, POINTER(c_double), c_int, POINTER(c_int),
        c_int, POINTER(c_void_p), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_solver_sample_points": (c_int, [c_void_p, c_int64, POINTER(c_int32), POINTER(c_double), c_int, POINTER(c_int),
        c_int, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_solver_sample_constant": (c_int, [c_void_p, c_int64, POINTER(c_int32), POINTER(c_double), c_int, c_int,
        c_void_p, POINTER(ew_error)]),
    "ew_solver_expect_points": (c_int, [c_void_p, c_int64, POINTER(c_int32), POINTER(c_double), c_int, POINTER(c_int),
        c_int, POINTER(ew_error)]),
    "ew_expected_points_bytes": (c_double, [POINTER(ew_law), c_int64, c_int64, c_int, POINTER(c_int), c_int,
        POINTER(c_double)]),
    "ew_solver_snapshot": (c_int, [c_void_p, c_int, POINTER(c_int), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_solver_boundary": (c_int, [c_void_p, c_int32, POINTER(ew_boundary_integrals), POINTER(ew_error)]),
    "ew_solver_wall": (c_int, [c_void_p, c_int32, POINTER(ew_wall_point), POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_wall_places": (c_int, [c_void_p, c_int32, POINTER(ew_wall_point), POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_outflow": (c_int, [c_void_p, c_int32, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_get_edge_outflow": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_set_edge_outflow": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_averages_info": (None, [c_void_p, POINTER(ew_averages_info)]),
    "ew_solver_get_averages": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_set_averages": (c_int, [c_void_p, POINTER(c_double), c_double, c_double, POINTER(ew_error)]),
    "ew_solver_inflow": (c_int, [c_void_p, c_int32, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_check_growth": (c_int, [c_void_p, POINTER(ew_error)]),
    "ew_solver_norms": (c_int, [c_void_p, POINTER(ew_norms), POINTER(ew_error)]),
    "ew_solver_get_least": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_solver_hash": (c_int, [c_void_p, POINTER(c_uint64), POINTER(ew_error)]),
    "ew_solver_profile": (c_int, [c_void_p, c_int64, POINTER(ew_kernel_profile), POINTER(c_int), POINTER(ew_error)]),
    "ew_measure_limits": (c_int, [POINTER(ew_host), POINTER(ew_problem), POINTER(ew_limits), POINTER(ew_error)]),
    "ew_case_struct_size": (c_size_t, [c_char_p]),
    "ew_gmsh_read": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_mesh_data), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_mesh_import": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_mesh_data), POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_gmsh_write": (c_int, [POINTER(ew_host), c_void_p, c_int, c_int, c_char_p, POINTER(ew_error)]),
    "ew_run_plan_init": (None, [POINTER(ew_run_plan)]),
    "ew_run_plan_next_frame": (c_double, [POINTER(ew_run_plan), c_double]),
    "ew_run_plan_next_restart": (c_double, [POINTER(ew_run_plan), c_double]),
    "ew_series_residual": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_series_body_force": (c_int, [POINTER(ew_series_body), c_void_p, POINTER(ew_force), POINTER(ew_error)]),
    "ew_force_number": (c_char_p, [POINTER(ew_law), POINTER(ew_force), c_int, POINTER(c_double)]),
    "ew_meshes_create": (c_int, [POINTER(ew_host), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_meshes_destroy": (None, [c_void_p]),
    "ew_case_read": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_case_options), POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_case_destroy": (None, [c_void_p]),
    "ew_case_check_settings": (c_int, [POINTER(ew_host), POINTER(ew_case_options), POINTER(ew_error)]),
    "ew_case_check_text": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_error)]),
    "ew_case_get_info": (None, [c_void_p, POINTER(ew_case_info)]),
    "ew_case_plan": (POINTER(ew_run_plan), [c_void_p]),
    "ew_case_mesh": (c_void_p, [c_void_p]),
    "ew_case_open_mesh": (c_int, [POINTER(ew_host), c_void_p, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_case_free_mesh": (None, [c_void_p]),
    "ew_case_raster": (c_char_p, [c_void_p, c_int, POINTER(POINTER(ew_raster_data))]),
    "ew_case_mesh_info": (None, [c_void_p, POINTER(ew_mesh_info)]),
    "ew_case_problem": (POINTER(ew_problem), [c_void_p]),
    "ew_sweep_read": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_case_options), POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_sweep_destroy": (None, [c_void_p]),
    "ew_sweep_get_info": (None, [c_void_p, POINTER(ew_sweep_info)]),
    "ew_sweep_key": (c_char_p, [c_void_p, c_int]),
    "ew_sweep_value": (c_size_t, [c_void_p, c_int64, c_int, c_char_p, c_size_t, POINTER(c_double)]),
    "ew_sweep_setting": (c_size_t, [c_void_p, c_int64, c_int, c_char_p, c_size_t]),
    "ew_sweep_name": (None, [c_void_p, c_int64, c_char_p, c_size_t]),
    "ew_results_open": (c_int, [POINTER(ew_host), c_char_p, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_results_close": (None, [c_void_p]),
    "ew_results_get_info": (None, [c_void_p, POINTER(ew_results_info)]),
    "ew_results_field": (c_char_p, [c_void_p, c_int, POINTER(c_char_p), POINTER(c_char_p)]),
    "ew_results_find": (c_int, [c_void_p, c_char_p, POINTER(c_int), POINTER(ew_error)]),
    "ew_results_boundary": (c_char_p, [c_void_p, c_int]),
    "ew_results_set_reference": (c_int, [c_void_p, c_double, c_double, c_double, POINTER(ew_error)]),
    "ew_results_time": (c_double, [c_void_p, c_int64, POINTER(c_int64)]),
    "ew_results_nearest": (c_int64, [c_void_p, c_double]),
    "ew_results_subtract": (c_int, [c_void_p, c_void_p, POINTER(ew_error)]),
    "ew_results_corners": (c_int, [c_void_p, c_int64, c_int64, POINTER(c_double), POINTER(ew_error)]),
    "ew_results_end": (c_double, [POINTER(ew_host), c_char_p]),
    "ew_results_sample": (c_int, [c_void_p, c_int64, c_int, c_int64, c_int64, c_int, POINTER(c_double),
        POINTER(c_double), POINTER(ew_error)]),
    "ew_export_write": (c_int, [c_void_p, POINTER(ew_export), c_char_p, POINTER(ew_error)]),
    "ew_export_collection": (c_int, [POINTER(ew_host), c_int64, POINTER(c_char_p), POINTER(c_double), c_char_p,
        POINTER(ew_error)]),
    "ew_fields_create": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, POINTER(c_void_p),
        POINTER(ew_error)]),
    "ew_fields_write": (c_int, [c_void_p, c_void_p, POINTER(ew_error)]),
    "ew_fields_expect": (None, [c_void_p, c_void_p]),
    "ew_fields_expect_raster": (c_int, [c_void_p, c_void_p, POINTER(ew_error)]),
    "ew_fields_raster_bytes": (c_double, [POINTER(ew_run_plan), POINTER(ew_law), c_int64, POINTER(c_double)]),
    "ew_fields_close": (c_int, [c_void_p, c_char_p, POINTER(ew_error)]),
    "ew_fields_path": (c_char_p, [c_void_p]),
    "ew_fields_frame_bytes": (c_double, [POINTER(ew_run_plan), POINTER(ew_problem), POINTER(ew_mesh_info),
        POINTER(c_double)]),
    "ew_fields_mesh_bytes": (c_double, [POINTER(ew_run_plan), POINTER(ew_problem), POINTER(ew_mesh_info)]),
    "ew_fields_destroy": (None, [c_void_p]),
    "ew_series_create": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, c_int64,
        POINTER(c_void_p), POINTER(ew_error)]),
    "ew_series_write": (c_int, [c_void_p, c_void_p, POINTER(ew_error)]),
    "ew_series_last_step": (c_int64, [c_void_p]),
    "ew_series_close": (c_int, [c_void_p, c_char_p, POINTER(ew_error)]),
    "ew_series_path": (c_char_p, [c_void_p]),
    "ew_series_destroy": (None, [c_void_p]),
    "ew_oscillation_measure": (c_int, [c_size_t, POINTER(c_double), POINTER(c_double), c_double, c_double,
        POINTER(ew_oscillation), POINTER(ew_error)]),
    "ew_restart_write": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, c_void_p,
        POINTER(ew_error)]),
    "ew_restart_read": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, POINTER(ew_restart_info),
        POINTER(ew_error)]),
    "ew_fields_resume": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, POINTER(ew_restart_info),
        POINTER(c_void_p), POINTER(c_int64), POINTER(ew_error)]),
    "ew_well_create": (c_int, [POINTER(ew_host), c_char_p, POINTER(ew_run_plan), c_void_p, POINTER(ew_problem),
        c_int64, c_int, POINTER(c_char_p), POINTER(c_void_p), POINTER(ew_error)]),
    "ew_well_add": (c_int, [c_void_p, c_int64, c_char_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_well_close": (c_int, [c_void_p, POINTER(ew_error)]),
    "ew_well_destroy": (None, [c_void_p]),
    "ew_run_end_name": (c_char_p, [c_int]),
    "ew_run_check_folder": (c_int, [c_char_p, POINTER(ew_error)]),
    "ew_run_warn_of_state": (c_int, [POINTER(ew_host), POINTER(ew_run_plan), POINTER(ew_problem), c_void_p,
        POINTER(ew_error)]),
    "ew_run_get_levels": (None, [POINTER(ew_run_plan), c_void_p, POINTER(ew_run_levels)]),
    "ew_run_create": (c_int, [POINTER(ew_host), POINTER(ew_run_plan), c_void_p, POINTER(ew_run_options),
        POINTER(c_void_p), POINTER(ew_error)]),
    "ew_run_advance": (c_int, [c_void_p, c_int64, POINTER(ew_error)]),
    "ew_run_get_progress": (None, [c_void_p, POINTER(ew_run_progress)]),
    "ew_run_get_least": (None, [c_void_p, POINTER(c_double)]),
    "ew_run_get_residual": (None, [c_void_p, POINTER(c_double)]),
    "ew_run_solver": (c_void_p, [c_void_p]),
    "ew_run_get_summary": (None, [c_void_p, POINTER(ew_run_summary)]),
    "ew_run_destroy": (None, [c_void_p]),
    "ew_available_memory": (c_double, []),
    "ew_run_get_memory": (c_int, [POINTER(ew_run_plan), POINTER(ew_problem), POINTER(ew_mesh_info),
        POINTER(ew_run_memory), POINTER(ew_error)]),
    "ew_run_check_memory": (c_int, [POINTER(ew_run_memory), POINTER(ew_error)]),
    "ew_run_admit": (c_int, [c_void_p, POINTER(ew_mesh_info), POINTER(ew_problem), POINTER(ew_error)]),
    "ew_plot_map": (c_char_p, [c_int]),
    "ew_plot_range": (c_int, [c_void_p, POINTER(ew_plot), POINTER(c_double), POINTER(c_double), POINTER(ew_error)]),
    "ew_plot_film_range": (c_int, [c_void_p, POINTER(ew_plot), POINTER(c_double), POINTER(c_double),
        POINTER(ew_error)]),
    "ew_plot_speed": (c_int, [c_void_p, POINTER(ew_plot), POINTER(c_double), POINTER(ew_error)]),
    "ew_plot_bodies": (c_int, [c_void_p, POINTER(c_double), POINTER(ew_error)]),
    "ew_plot_write": (c_int, [c_void_p, POINTER(ew_plot), c_char_p, POINTER(ew_plot_shown), POINTER(ew_error)]),
    "ew_plots_write": (c_int, [c_void_p, c_int, POINTER(ew_plot), c_char_p, c_char_p, POINTER(ew_plot_shown),
        POINTER(ew_error)]),
    "ew_probe_range": (c_int, [c_void_p, POINTER(ew_probe), POINTER(c_double), POINTER(c_double), POINTER(ew_error)]),
    "ew_probe_write": (c_int, [c_void_p, POINTER(ew_probe), c_char_p, POINTER(ew_error)]),
    "ew_film_create": (c_int, [POINTER(ew_host), c_char_p, c_int, c_double, POINTER(c_void_p), POINTER(ew_error)]),
    "ew_film_add": (c_int, [c_void_p, c_void_p, c_int, POINTER(ew_plot), c_char_p, POINTER(ew_plot_shown),
        POINTER(ew_error)]),
    "ew_film_add_probe": (c_int, [c_void_p, c_void_p, POINTER(ew_probe), POINTER(ew_error)]),
    "ew_film_write": (c_int, [c_void_p, POINTER(ew_error)]),
    "ew_film_destroy": (None, [c_void_p]),
    "ew_chart_write": (c_int, [POINTER(ew_host), POINTER(ew_chart), c_char_p, POINTER(ew_error)]),
}
