/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of other codes, and what edgewise has for them. A test holds the table against the lists of real words. */
#include "ewi_hints.h"
#include "ewi_text.h"

#include <stdbool.h>
#include <string.h>

#define STATES "initial. exact. boundary.NAME."
#define VISCOUS "the law navier-stokes is the gas with viscosity"
#define WITH_SET "--run --check --submit --sweep"
#define GRAVITY "it is a \"source\": edgewise-case(5), section SOURCES, has the formulas"
#define BED "the bed is \"law.bed\""
#define FORCES "friction and Coriolis forces are formulas of \"source\"; with \"law.bed\", Manning's n is a parameter"

static const struct ewi_hint hints[] = {
    /* ---- kinds of boundaries ---- */
    {"boundary.NAME.kind", "outflow open extrapolation farfield far-field freestream", .law = "advection",
     .sentence = "\"copy\" lets out, and \"state\" lets in"},
    {"boundary.NAME.kind", "sub-out-fp fixed-pressure outlet-pressure pressure-outlet subsonic-outlet subsonic-outflow "
     "marker-outlet subsonic-out pressure-inlet-outlet-velocity", .law = "euler", .instead = "outlet"},
    {"boundary.NAME.kind", "sub-in-ftpttang total-pressure pressure-inlet subsonic-in subsonic-inlet subsonic-inflow "
     "marker-inlet mass-flow-inlet mass-inflow", .law = "euler", .instead = "inlet"},
    {"boundary.NAME.kind", "outflow open out", .law = "euler",
     .sentence = "\"copy\" is for supersonic outflow, \"outlet\" for a given pressure, and \"far\" lets waves out"},
    {"boundary.NAME.kind", "inflow in velocity-inlet", .law = "euler",
     .sentence = "\"state\" is for supersonic inflow, \"inlet\" for a given total pressure or mass flow, and \"far\" "
     "lets waves out"},
    {"boundary.NAME.kind", "outflow supersonic-outlet supersonic-outflow pressure-outlet open transmissive "
     "extrapolation extrapolate zero-gradient neumann do-nothing marker-outlet out "
     "sup-out-fn",
     .sentence = "\"copy\" is for supersonic outflow, \"far\" for subsonic outflow"},
    {"boundary.NAME.kind", "empty", .sentence = "edgewise is 2D and needs no boundary for the third dimension"},
    {"boundary.NAME.kind", "farfield far-field freestream characteristic riemann riemann-invariant riemann-inv "
     "char-riem-inv marker-far non-reflecting nonreflecting absorbing radiation", .instead = "far"},
    {"boundary.NAME.kind", "sponge damping sponge-layer damping-layer absorbing-layer pml",
     .sentence = "kinds \"far\" and \"state\" take \"boundary.NAME.sponge\", with its width"},
    {"boundary.NAME.kind", "slip slip-wall free-slip inviscid-wall wall-inviscid wall-slip slp-adia-wall euler-wall "
     "inviscid marker-euler reflecting reflective reflection reflect solid body conductor pec hard-wall",
     .instead = "wall"},
    {"boundary.NAME.kind", "noslip no-slip-wall viscous-wall adiabatic adiabatic-wall isothermal isothermal-wall "
     "no-slp-adia-wall no-slp-isot-wall marker-heatflux marker-isothermal", .law = "navier-stokes",
     .instead = "no-slip"},
    {"boundary.NAME.kind", "noslip no-slip-wall viscous-wall adiabatic adiabatic-wall isothermal isothermal-wall "
     "no-slp-adia-wall no-slp-isot-wall marker-heatflux marker-isothermal", .sentence = "\"no-slip\" is for the law "
     "navier-stokes; other fluids slip along a \"wall\""},
    {"boundary.NAME.kind", "inflow dirichlet fixed fixed-value supersonic-inlet supersonic-inflow velocity-inlet "
     "sup-in-fa sub-in-frv sub-in-ftpttang subsonic-inlet subsonic-inflow pressure-inlet marker-inlet in",
     .sentence = "\"state\" is for supersonic inflow, \"far\" for subsonic inflow"},
    {"boundary.NAME.kind", "tide stage water-level waterlevel fixed-level", .law = "shallow-water-bed",
     .instead = "level"},
    {"boundary.NAME.kind", "mirror symm symmetry-plane sym symmetric marker-sym", .instead = "symmetry"},
    {"boundary.NAME.kind", "cyclic translational", .instead = "periodic"},

    /* ---- the scheme ---- */
    {"flux", "rusanov lax-friedrichs local-lax-friedrichs lf llxf lax laxf lxf", .instead = "llf"},
    {"flux", "hll hlle hllem einfeldt hll-c", .instead = "hllc"},
    {"flux", "ausm ausm+ ausm-up slau van-leer vanleer steger-warming godunov exact osher",
     .law = "euler", .sentence = "the nearest is \"hllc\"; there are also \"roe\" and \"llf\""},
    {"flux", "central average", .sentence = "there is no central flux; the most robust one is \"llf\""},
    {"limiter", "minmod mc superbee van-leer vanleer van-albada tvd tvb tvbm muscl slope slope-limiter barth bj "
     "venkatakrishnan venkat kuzmin vertex-based moment",
     .sentence = "\"barth-jespersen\" limits slopes, at order 1; \"oscillation-free\" is for all orders"},
    {"limiter", "subcells subcell-fv fv finite-volume", .instead = "subcell"},
    {"limiter", "weno hweno entropy-viscosity artificial-viscosity shock-capturing filter of ofdg oedg od",
     .instead = "oscillation-free"},
    {"limiter", "positivity positivity-preserving zhang-shu bound-preserving", .sentence = "that is the key "
     "\"positivity\", with or without a limiter"},
    {"limiter", "off no false", .instead = "none"},
    {"time.scheme", "euler forward-euler explicit-euler rk1", .sentence = "of two stages there are \"rk2\" and "
     "\"ssprk22\""},
    {"time.scheme", "heun ssprk2 ssp2 ssp22 tvdrk2 tvd-rk2 ssprk-22", .instead = "ssprk22"},
    {"time.scheme", "rk3 ssprk3 ssp3 ssp33 ssp-rk3 tvdrk3 tvd-rk3 shu-osher runge-kutta-3 rk33", .instead = "ssprk33"},
    {"time.scheme", "ssp32 ssprk-32", .instead = "ssprk32"},
    {"time.scheme", "rk44 runge-kutta runge-kutta-4 classical erk4", .instead = "rk4"},
    {"time.scheme", "midpoint rk22", .instead = "rk2"},
    {"time.scheme", "ssp54 ssprk4 rk45 rk54 carpenter-kennedy lsrk54 lserk", .instead = "ssprk54"},
    {"time.scheme", "implicit backward-euler bdf bdf2 crank-nicolson implicit-euler dirk esdirk imex newton",
     .sentence = "all schemes are explicit; \"ssprk54\" takes the longest steps"},
    {"time.step", "multirate lts", .instead = "levels"},
    {"time.step", "pseudo", .instead = "local"},
    {"time.step", "global adaptive fixed constant", .sentence = "all elements take the same step, which \"element\" or "
     "\"uniform\" limits; with \"levels\" and \"local\" each takes its own"},

    /* ---- laws ---- */
    {"law law.name", "ns compressible-navier-stokes viscous laminar", .instead = "navier-stokes"},
    {"law law.name", "rans les turbulent", .sentence = "there is no model of turbulence; \"navier-stokes\" is for "
     "laminar flow"},
    {"law law.name", "compressible compressible-euler gas ideal-gas gas-dynamics inviscid", .instead = "euler"},
    {"law law.name", "swe saint-venant st-venant shallow", .instead = "shallow-water"},
    {"law law.name", "maxwell maxwells electromagnetic em tm", .instead = "maxwell-tm"},
    {"law law.name", "scalar transport linear-advection linear convection", .instead = "advection"},
    {"law law.name", "acoustic linear-acoustics wave wave-equation sound", .instead = "acoustics"},
    {"law law.name", "burgers", .sentence = "the only scalar law is \"advection\""},
    {"law law.name", "mhd ideal-mhd lee linearized-euler heat diffusion poisson incompressible",
     .sentence = "there is no such law; the nonlinear ones are \"euler\" and \"shallow-water\", the linear ones "
     "\"advection\", \"acoustics\" and \"maxwell-tm\""},
    {"law.", "bottom bathymetry topography zb", .law = "shallow-water", .instead = "bed"},
    {"law.", "manning friction chezy coriolis", .law = "shallow-water", .sentence = FORCES},
    {"law.", "g grav", .law = "shallow-water", .instead = "gravity"},
    {"law.", "viscosity mu0 dynamic-viscosity", .law = "navier-stokes", .instead = "mu"},
    {"law.", "pr prandtl-number", .law = "navier-stokes", .instead = "prandtl"},
    {"law.", "nu reynolds re", .law = "navier-stokes", .sentence = "the viscosity is \"mu\": density times speed times "
     "length over the Reynolds number"},
    {"law.", "sutherland ts", .law = "navier-stokes", .instead = "S"},
    {"law.", "viscosity mu nu prandtl reynolds re pr", .law = "euler", .sentence = VISCOUS},
    {"law.", "heat-capacity-ratio kappa adiabatic-index specific-heat-ratio", .law = "euler", .instead = "gamma"},
    {"law.", "r gas-constant cp cv", .law = "navier-stokes", .sentence = "the gas constant is 1, and \"gamma\" gives "
     "the heat capacities"},
    {"law.", "r gas-constant cp cv", .law = "euler", .sentence = "the gas has \"gamma\" only"},
    {"law.", "speed velocity-field a", .law = "advection", .instead = "velocity"},
    {"law.", "source sources gravity", .law = "euler", .sentence = GRAVITY},

    /* ---- keys of no group ---- */
    {".", "bed bottom bathymetry topography zb", .law = "shallow-water", .sentence = BED},
    {".", "manning friction coriolis", .law = "shallow-water", .sentence = FORCES},
    {".", "cfl cfl-number courant courant-number", .instead = "time.cfl"},
    {".", "dt time-step timestep delta-t step-size", .sentence = "the length of steps follows from \"time.cfl\""},
    {".", "end-time t-end tend final-time tfinal t-final tmax t-max stop-time", .instead = "time.end"},
    {".", "scheme time-scheme integrator time-integrator time-integration timestepper stepper ode-solver",
     .instead = "time.scheme"},
    {".", "max-steps nsteps iterations max-iterations niter maxiter n-steps", .instead = "time.steps"},
    {".", "bc bcs boundaries boundary-conditions boundary-condition markers", .instead = "boundary"},
    {".", "ic ics initial-condition initial-conditions init initial-state", .instead = "initial"},
    {".", "degree polynomial-order poly-order polynomial-degree p basis-order polydeg", .instead = "order"},
    {".", "equation equations system model physics pde", .instead = "law"},
    {".", "riemann-solver numerical-flux riemann surface-flux conv-num-method-flow", .instead = "flux"},
    {".", "grid mesh-file mesh-filename meshfile", .instead = "mesh"},
    {".", "gamma", .instead = "law.gamma"},
    {".", "parameters parameter constants constant variables define vars", .instead = "let"},
    {".", "reference exact-solution analytic analytical solution", .instead = "exact"},
    {".", "device gpu", .instead = "backend.device"},
    {".", "nthreads num-threads", .instead = "backend.threads"},
    {".", "sources source-term source-terms forcing body-force rhs", .instead = "source"},
    {".", "gravity", .law = "euler", .sentence = GRAVITY},
    {".", "viscosity viscous reynolds prandtl", .sentence = VISCOUS},
    {".", "turbulence turbulence-model rans les", .sentence = "there is no model of turbulence; the law navier-stokes "
     "is for laminar flow"},
    {".", "restart restart-file", .sentence = "\"output.restart\" writes restart files, and \"edgewise run --restart "
     "FILE\" reads them"},

    /* ---- groups ---- */
    {"time.", "cfl-number courant courant-number", .instead = "cfl"},
    {"time.", "dt time-step timestep delta-t step-size fixed-dt", .sentence = "the length of steps follows from "
     "\"cfl\""},
    {"time.", "final final-time tend t-end end-time tfinal tmax t-max stop t1", .instead = "end"},
    {"time.", "initial-time t0 t-start tstart start-time", .instead = "start"},
    {"time.", "integrator method stepper type discretization", .instead = "scheme"},
    {"time.", "max-steps nsteps iterations max-iterations niter", .instead = "steps"},
    {"time.", "tolerance tol convergence residual steady-state", .instead = "steady"},
    {"boundary.NAME.", "type bc condition bctype", .instead = "kind"},
    {"boundary.NAME.", "partner other pair neighbour neighbor", .instead = "with"},
    {"boundary.NAME.", "offset shift vector", .instead = "translation"},
    {"boundary.NAME.", "spline splines", .sentence = "that is a value of \"curve\""},
    {"boundary.NAME.curve", "circle arc ellipse", .sentence = "a circle is a formula, for example x^2 + y^2 - 1"},
    {"boundary.NAME.curve", "none off no false polygon line", .instead = "straight"},
    {"boundary.NAME.curve", "bezier nurbs on yes true curved", .instead = "spline"},
    {STATES, "density r", .law = "euler", .instead = "rho"},
    {STATES, "pressure", .law = "euler", .instead = "p"},
    {STATES, "velocity vel v1 ux velocity-x", .law = "euler", .sentence = "velocities are \"u\" and \"v\""},
    {"initial. exact.", "temperature", .law = "euler",
     .sentence = "states have the variables \"rho\", \"u\", \"v\" and \"p\""},
    {"boundary.NAME.", "tw twall t-wall wall-temperature", .law = "navier-stokes", .instead = "T"},
    {"boundary.NAME.", "q qw heat-flux heatflux adiabatic isothermal insulated", .law = "navier-stokes",
     .sentence = "a wall of kind no-slip has the temperature \"T\" or, without it, no heat flux"},
    {"boundary.NAME.", "omega rotation angular-velocity speed wall-velocity uw", .law = "navier-stokes",
     .sentence = "velocities of walls are \"u\" and \"v\", in a rotation -omega*y and omega*x"},
    {"boundary.NAME.", "p0 pt ptotal stagnation-pressure", .law = "euler", .instead = "total_pressure"},
    {"boundary.NAME.", "t0 tt ttotal stagnation-temperature", .law = "euler", .instead = "total_temperature"},
    {"boundary.NAME.", "mdot mass-flow-rate massflow", .law = "euler", .instead = "mass_flow"},
    {"boundary.NAME.", "back-pressure static-pressure", .law = "euler", .instead = "p"},
    {STATES, "t mach energy e rhoe rho-u rhou momentum",
     .law = "euler", .sentence = "states have the variables \"rho\", \"u\", \"v\" and \"p\""},
    {STATES, "depth height eta zeta elevation level", .law = "shallow-water", .instead = "h"},
    {"boundary.NAME.", "q flow-rate", .law = "shallow-water", .instead = "discharge"},
    {"initial. exact.", "discharge", .law = "shallow-water", .sentence = "velocities are \"u\" and \"v\""},
    {STATES, "hu hv qx qy velocity", .law = "shallow-water", .sentence = "velocities are \"u\" and \"v\""},
    {STATES, "bed bottom bathymetry topography b zb z", .law = "shallow-water", .sentence = BED},
    {"mesh.", "file filename path gmsh", .sentence = "for a file, write mesh = \"FILE.msh\";"},
    {"mesh.", "box square generate structured cartesian", .instead = "rectangle"},
    {"mesh.rectangle.", "nx ny n resolution elements divisions", .instead = "cells"},
    {"mesh.rectangle.", "size lower upper xmin xmax ymin ymax extent bounds length width", .instead = "corners"},
    {"output.", "vtk vtu paraview tecplot hdf5 format", .sentence = "\"output.fields\" are netCDF; \"edgewise export\" "
     "makes VTU and other formats of them"},
    {"output.", "interval frequency every dt period", .instead = "output.fields.every"},
    {"output.", "points point-probes gauges", .instead = "probes"},
    {"output.", "wall surface skin-friction wall-shear nusselt heat-flux cf", .instead = "walls"},
    {"output.", "force coefficients lift drag moment moments cl cd cm", .instead = "forces"},
    {"output.", "checkpoint checkpoints", .instead = "restart"},
    {"output.", "history timeseries time-series", .instead = "series"},
    {"output.fields.", "interval frequency dt period", .instead = "every"},
    {"output.fields.", "times snapshots", .instead = "at"},
    {"output.fields.", "format vtk vtu", .sentence = "fields are netCDF; \"edgewise export\" makes VTU and other "
     "formats of them"},
    {"output.forces.PART.", "boundary markers patches surfaces surface", .instead = "boundaries"},
    {"output.forces.PART.", "chord reference-length lref l-ref", .instead = "length"},
    {"output.forces.PART.", "u-inf uinf velocity magnitude umag", .instead = "speed"},
    {"output.forces.PART.", "rho rho-inf rhoinf", .instead = "density"},
    {"output.forces.PART.", "alpha aoa angle", .instead = "direction"},
    {"output.forces.PART.", "moment moment-point moment-center origin center cofr reference-point", .instead = "point"},
    {"backend.", "gpu", .instead = "device"},
    {"backend.", "nthreads num-threads cores", .instead = "threads"},
    {"backend.name", "cpu openmp host threads", .instead = "omp"},
    {"backend.name", "gpu nvidia device", .instead = "cuda"},

    /* ---- quantities ---- */
    {"output.fields.variables", "cf skin-friction shear shear-stress wall-shear wall-shear-stress tau tau-wall heat "
     "heat-flux nusselt", .sentence = "it is a value along walls: \"output.walls\" of a case writes them, and "
     "\"edgewise export --wall\" shows them"},
    {"output.fields.variables", "density", .law = "euler", .instead = "rho"},
    {"output.fields.variables", "pressure", .law = "euler", .instead = "p"},
    {"output.fields.variables", "velocity vel", .law = "euler",
     .sentence = "velocities are \"u\" and \"v\", their magnitude \"speed\""},
    {"output.fields.variables", "energy total-energy", .law = "euler", .instead = "E"},
    {"output.fields.variables", "mach-number", .law = "euler", .instead = "mach"},
    {"output.fields.variables", "sound-speed speed-of-sound", .law = "euler", .instead = "sound"},
    {"output.fields.variables", "temp", .law = "euler", .instead = "temperature"},
    {"output.fields.variables", "depth height", .law = "shallow-water", .instead = "h"},
    {"output.fields.variables", "velocity vel", .law = "shallow-water",
     .sentence = "velocities are \"u\" and \"v\", their magnitude \"speed\""},
    {"output.fields.variables", "pressure", .law = "acoustics", .instead = "p"},

    /* ---- formulas and commands ---- */
    {"formula", "ln", .instead = "log"},
    {"formula", "arcsin", .instead = "asin"},
    {"formula", "arccos", .instead = "acos"},
    {"formula", "arctan", .instead = "atan"},
    {"formula", "arctan2", .instead = "atan2"},
    {"formula", "fabs", .instead = "abs"},
    {"formula", "sgn", .instead = "sign"},
    {"formula", "heaviside", .instead = "step"},
    {"formula", "fmod", .instead = "mod"},
    {"formula", "power", .instead = "pow"},
    {"formula", "ceiling", .instead = "ceil"},
    {"formula", "if where", .sentence = "write condition ? value : other value"},
    {"formula", "interp interp2d interpolate table lookup", .sentence = "write raster('FILE', 'VARIABLE', x, y)"},
    {"formula", "log2 lb", .sentence = "write log(x)/log(2)"},
    {"formula", "e", .sentence = "the exponential function is \"exp\""},
    {"formula", "not", .instead = "!"},
    {"formula", "sqr square", .sentence = "for squares, write x^2"},
    {"formula", "round rint nint", .sentence = "write floor(x + 0.5)"},
    {"formula", "acosh arcosh asinh arsinh atanh artanh", .sentence = "write it with \"log\" and \"sqrt\""},
    {"formula", "rand random noise", .sentence = "formulas have no random numbers"},
    {"formula", "math np numpy std cmath", .sentence = "functions have no prefix, for example sin(x)"},
    {"formula", "r radius", .sentence = "\"let\" can define it, for example as hypot(x, y)"},
    {"sign", "and &", .sentence = "write \"&&\""},
    {"sign", "or", .sentence = "write \"||\""},
    {"sign", "|", .sentence = "write \"||\" or, for an absolute value, abs(x)"},
    {"sign", "=", .sentence = "to compare, write \"==\""},
    {"sign", "<>", .sentence = "write \"!=\""},
    {"sign", "** \xc2\xb2 \xc2\xb3", .sentence = "for powers, write \"^\""},
    {"sign", "% mod rem", .sentence = "for remainders, write mod(a, b)"},
    {"sign", "\xc2\xb7 \xc3\x97", .sentence = "to multiply, write \"*\""},
    {"sign", "' \"", .sentence = "texts are in single quotes, as in raster('dem.nc', 'z', x, y)"},
    {"sign", "\xc3\xb7", .sentence = "to divide, write \"/\""},
    {"sign", "\xe2\x88\x92 \xe2\x80\x93", .sentence = "write \"-\""},
    {"sign", "\xcf\x80", .sentence = "write pi"},
    {"sign", "if", .sentence = "write condition ? value : other value"},
    {"command", "solve simulate start restart resume", .instead = "run"},
    {"command", "view show draw render picture film visualize", .instead = "plot"},
    {"command", "vtk vtu csv paraview", .instead = "export"},
    {"command", "validate lint test", .instead = "check"},
    {"command", "refine gmsh convert", .instead = "mesh"},
    {"command", "diff", .instead = "compare"},
    {"command", "strouhal frequency oscillation spectrum fft", .instead = "series"},
    {"command", "convergence", .instead = "study"},
    {"command", "ensemble batch", .instead = "sweep"},
    {"command", "serve service daemon worker", .instead = "watch"},
    {"command", "queue list jobs ls ps", .instead = "status"},

    /* ---- options ---- */
    {WITH_SET, "cfl courant cfl-number", .sentence = "\"--set time.cfl=NUMBER\" sets it"},
    {WITH_SET, "flux riemann-solver", .sentence = "\"--set flux=NAME\" sets it"},
    {WITH_SET, "limiter", .sentence = "\"--set limiter=NAME\" sets it"},
    {WITH_SET, "scheme integrator", .sentence = "\"--set time.scheme=NAME\" sets it"},
    {WITH_SET, "dt time-step", .sentence = "the length of steps follows from \"--set time.cfl=NUMBER\""},
    {"--submit", "end tend", .sentence = "\"--set time.end=NUMBER\" sets it"},
    {"--submit", "order degree", .sentence = "\"--set order=NUMBER\" sets it"},
    {"--run", "gpu cuda", .sentence = "\"--backend cuda\" runs on a GPU, \"--device N\" on GPU N"},
    {"--run", "gpus ngpus", .instead = "--devices"},
    {"--run", "np nprocs ranks mpi", .sentence = "ranks are started by mpirun -n N edgewise run"},
    {"--run", "resume continue checkpoint", .instead = "--restart"},
    {"--run --sweep", "o out outdir output-dir", .instead = "--output"},
    {"--plot", "contours contour isoline levels", .instead = "--isolines"},
    {"--plot", "cmap colormap colourmap palette", .instead = "--map"},
    {"--plot", "var variable variables quantity", .instead = "--field"},
    {"--plot", "zoom xlim ylim crop", .instead = "--window"},
    {"--plot", "vmin vmax clim limits", .instead = "--range"},
    {"--export", "vtk vtu format", .sentence = "the ending of \"--output FILE\" chooses the format"},
};

const struct ewi_hint *ewi_hints(size_t *count)
{
    *count = sizeof hints / sizeof *hints;
    return hints;
}

static char next_letter(const char **text, const char *end)
{
    while (*text < end && (**text == '-' || **text == '_'))
        ++*text;
    char letter = *text < end ? *(*text)++ : '\0';
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

static bool is_same(const char *a, const char *a_end, const char *b, const char *b_end)
{
    char first, second;
    do {
        first = next_letter(&a, a_end);
        second = next_letter(&b, b_end);
    } while (first == second && first);
    return first == second;
}

/* True if the word is one of those that blanks separate. */
static bool has_word(const char *words, const char *word, bool exactly)
{
    size_t size = strlen(word);
    for (size_t length; *words; words += length + strspn(words + length, " ")) {
        length = strcspn(words, " ");
        if (exactly ? length == size && memcmp(words, word, size) == 0
                    : is_same(words, words + length, word, word + size))
            return true;
    }
    return false;
}

/* True for a law and its variant with media; the viscous gas has the words of euler, too. */
static bool is_law(const char *law, const char *name)
{
    size_t length = strlen(name);
    if (law && strcmp(law, "navier-stokes") == 0 && strcmp(name, "euler") == 0)
        return true;
    return law && strncmp(law, name, length) == 0 && (!law[length] || strcmp(law + length, "-media") == 0);
}

const struct ewi_hint *ewi_hint_find(const char *place, const char *law, const char *word)
{
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++) {
        bool holds = !hints[k].law || is_law(law, hints[k].law);
        if (holds && has_word(hints[k].place, place, true) && has_word(hints[k].words, word, false))
            return &hints[k];
    }
    return NULL;
}

const char *ewi_hint_text(const struct ewi_hint *hint, char *text, size_t size)
{
    if (hint->instead)
        ewi_snprintf(text, size, "; did you mean \"%s\"?", hint->instead);
    else
        ewi_snprintf(text, size, "; %s", hint->sentence);
    return text;
}
