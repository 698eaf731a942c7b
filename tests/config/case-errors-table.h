/* SPDX-License-Identifier: BSD-2-Clause */
/* Wrong cases and the reader's sentences. Included by case-errors.c, which has the macros. */
#define ALONG_ITSELF                                                                                            \
    "a wall can only move along itself: remove that part; for a body that moves through gas, let the gas move " \
    "instead; for gas that enters, take kind \"inlet\""
static const struct wrong table[] = {
    {"an empty file", "",
     "case.cfg: the key \"mesh\" is missing: a Gmsh file, or a mesh to be made\n"
     "case.cfg: the key \"order\" is missing: polynomial degree p of the solution\n"
     "case.cfg: the key \"time\" is missing: how the case advances in time\n"
     "case.cfg: the key \"initial\" is missing: the initial state",
     0},
    {"a mistyped key", GOOD "limitter = \"none\";\n",
     "case.cfg:11: there is no key \"limitter\" here; did you mean \"limiter\"?", 0},
    {"a key of another group", GOOD "cfl = 0.5;\n",
     "case.cfg:11: there is no key \"cfl\" here; did you mean \"time.cfl\"?", 0},
    {"a name of let as a key", GOOD "let = { mach = 0.5; };\nmach = 0.8;\n",
     "case.cfg:12: there is no key \"mach\" here; did you mean \"let.mach\"?", 0},
    {"a key like no other", GOOD "colour = \"red\";\n",
     "case.cfg:11: there is no key \"colour\" here; the choices are title, mesh, law, order, flux, limiter, "
     "positivity, time, let, initial, exact, errors, source, boundary, output, backend, sweep and "
     "spool",
     0},
    {"a number of levels without levels", MESH ORDER "time = { end = 1; levels = 3; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.levels needs time.step = \"levels\"; give that, or leave it out", 0},
    {"too many levels", MESH ORDER "time = { end = 1; step = \"levels\"; levels = 21; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.levels is 21; it must be from 1 to 20", 0},
    {"levels with a scheme that has none",
     MESH ORDER "time = { end = 1; step = \"levels\"; scheme = \"ssprk54\"; };\n" INITIAL BOUNDARY,
     "case.cfg:3: levels of time steps need a scheme of at most 4 stages, and ssprk54 has 5; take rk43 or ssprk33", 0},
    {"levels with other errors",
     MESH "flux = \"upwind\";\norder = 4;\nlimiter = \"subcell\";\n"
          "time = { end = 1; step = \"levels\"; scheme = \"ssprk54\"; };\n" INITIAL BOUNDARY,
     "case.cfg:2: the law \"euler\" has no flux \"upwind\"; it has llf, roe and hllc\n"
     "case.cfg:4: the limiter \"subcell\" is made for orders 1 to 3; the order is 4: take oscillation-free\n"
     "case.cfg:5: levels of time steps need a scheme of at most 4 stages, and ssprk54 has 5; take rk43 or ssprk33",
     0},
    {"a key of a later version", GOOD "output = { movie = { every = 1; }; };\n",
     "case.cfg:11: there is no key \"movie\" in output; the choices are quantities, averages, fields, raster, restart, "
     "series, probes, forces and walls", 0},
    {"series of what is not there",
     GOOD "output = { series = { steps = 0; fluxes = [\"lefft\"]; }; probes = ( { x = 9; y = 0; name = \"a b\"; }, { x "
          "= 0; name = \"=a\"; } );\n"
          "forces = ( { boundaries = [\"left\"]; speed = 0; direction = [0, 0]; } ); };\n",
     "case.cfg:11: the key \"output.probes[1].y\" is missing: its position\n"
     "case.cfg:11: output.series.steps is 0; it must be from 1 to 9007199254740992\n"
     "case.cfg:11: boundary \"lefft\" is not in the mesh; did you mean \"left\"?\n"
     "case.cfg:11: the name \"a b\" of a probe cannot be part of a column's name: it is empty or has commas, quotes or "
     "blanks\n"
     "case.cfg:11: the name \"=a\" of a probe begins a column's name, which spreadsheets would take for a formula; "
     "begin it with a letter\n"
     "case.cfg:11: the probe \"a b\" at (9, 0) lies in no element of the mesh, which is within x 0 .. 1, y 0 .. "
     "1\n"
     "case.cfg:12: output.forces[0].speed is 0; it must be greater than 0\n"
     "case.cfg:12: output.forces: the direction of the flow is (0, 0)",
     0},
    {"series of the same twice",
     GOOD "output = { series = { fluxes = [\"left\", \"left\"]; };\n"
          "forces = ( { boundaries = [\"left\"]; },\n{ boundaries = [\"right\", \"left\", \"right\"]; } ); };\n",
     "case.cfg:11: \"left\" is named twice in output.series.fluxes\n"
     "case.cfg:13: \"right\" is named twice in output.forces[1].boundaries",
     0},
    {"columns of one name",
     GOOD "output = { series = { fluxes = [\"left\"]; };\nprobes = (\n{ x = 0.5; y = 0.5; name = \"total\"; },\n"
          "{ x = 0.5; y = 0.5; name = \"flux_left\"; }, { x = 0.5; y = 0.5; name = \"a\"; } );\n"
          "forces = ( { name = \"a\"; boundaries = [\"left\"]; } ); };\n",
     "case.cfg:13: two columns of the time series would be called \"total_rho\"; give this another name\n"
     "case.cfg:14: two columns of the time series would be called \"flux_left_rho\"; give this another name",
     0},
    {"quantities that the law has not", GOOD "output = { fields = { variables = [\"rho\", \"mack\", \"rho\"]; }; };\n",
     "case.cfg:11: the law \"euler\" has no quantity \"mack\" to write; did you mean \"mach\"?\n"
     "case.cfg:11: \"rho\" is named twice in output.fields.variables",
     0},
    {"a raster of nothing that is there",
     GOOD "output = { raster = { cells = [0, 16385];\n variables = [\"rho\", \"mack\", \"rho\"];\n"
          "window = [0.5, 0.0, 0.5, 1.0];\n precision = \"half\"; }; };\n",
     "case.cfg:11: output.raster.cells[0] is 0; it must be from 1 to 16384\n"
     "case.cfg:11: output.raster.cells[1] is 16385; it must be from 1 to 16384\n"
     "case.cfg:12: the law \"euler\" has no quantity \"mack\" to write; did you mean \"mach\"?\n"
     "case.cfg:12: \"rho\" is named twice in output.raster.variables\n"
     "case.cfg:13: output.raster.window is empty: x 0.5 .. 0.5, y 0 .. 1; write [x0, y0, x1, y1] with x0 < x1 and y0 < "
     "y1\n"
     "case.cfg:14: output.raster.precision cannot be \"half\"; the choices are single and double",
     0},
    {"a raster beside the mesh", GOOD "output = { raster = { window = [1, 0, 2, 1]; }; };\n",
     "case.cfg:11: the key \"output.raster.cells\" is missing: cells in x and in y\n"
     "case.cfg:11: output.raster.window, x 1 .. 2, y 0 .. 1, is outside the mesh, which lies in x 0 .. 1, y 0 .. 1",
     0},
    {"a raster that is wider than numbers",
     GOOD "output = { raster = { cells = [4, 4]; window = [-1e308, -1e308, 1e308, 1e308]; }; };\n",
     "case.cfg:11: output.raster.window, x -1e+308 .. 1e+308, y -1e+308 .. 1e+308, is wider than the largest number",
     0},
    {"a raster whose cells are wider than the mesh",
     GOOD "output = { raster = { cells = [4, 4]; window = [0.0, 0.0, 1.0, 1e300]; }; };\n",
     "case.cfg:11: output.raster.window, x 0 .. 1, y 0 .. 1e+300: no cell has its centre in the mesh, which lies in "
     "x 0 .. 1, y 0 .. 1; give it another window or more cells",
     0},
    {"a quantity where a list is due", GOOD "output = { fields = { variables = \"rho\"; }; };\n",
     "case.cfg:11: output.fields.variables must be a list of names", 0},
    {"restart files that are too many to count", GOOD "output = { restart = { every = 1e-300; keep = 0; }; };\n",
     "case.cfg:11: output.restart.keep is 0; it must be from 1 to 1000000\n"
     "case.cfg:11: output.restart.every is 1e-300, less than the rounding of times up to 1",
     0},
    {"a mistyped key in a group", MESH ORDER "time = { ends = 1; };\n" INITIAL BOUNDARY,
     "case.cfg:3: there is no key \"ends\" in time; did you mean \"end\"?", 0},
    {"a missing key", MESH TIME INITIAL BOUNDARY,
     "case.cfg: the key \"order\" is missing: polynomial degree p of the solution", 0},
    {"a missing key in a group", MESH ORDER "time = { cfl = 1; };\n" INITIAL BOUNDARY,
     "case.cfg:3: the key \"time.end\" is missing: final time, reached exactly; not before the start", 0},
    {"a string where a group is due", MESH ORDER "time = \"long\";\n" INITIAL BOUNDARY,
     "case.cfg:3: time must be a group { ... }, not a string", 0},
    {"a list where a number is due", MESH ORDER "time = { end = [1, 2]; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end must be a number or a formula of constants, not a list", 0},
    {"true where a number is due", MESH ORDER "time = { end = true; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end must be a number or a formula of constants, not true or false", 0},
    {"a number where a string is due", GOOD "title = 7;\n", "case.cfg:11: title must be a string in \"\", not a number",
     0},
    {"a group where a name is due", GOOD "flux = { name = \"roe\"; };\n",
     "case.cfg:11: flux must be a name in \"\", not a group; the choices are llf, roe, hllc and upwind", 0},
    {"a number where a name is due", GOOD "limiter = 1;\n",
     "case.cfg:11: limiter must be a name in \"\", not a number; the choices are none, barth-jespersen, "
     "oscillation-free and subcell", 0},
    {"an order that is too high", MESH "order = 6;\n" TIME INITIAL BOUNDARY,
     "case.cfg:2: order is 6; it must be from 1 to 5", 0},
    {"an order that is no integer", MESH "order = 2.5;\n" TIME INITIAL BOUNDARY,
     "case.cfg:2: order is 2.5; it must be an integer", 0},
    {"a negative Courant number", MESH ORDER "time = { end = 1; cfl = -0.5; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.cfl is -0.5; it must be greater than 0", 0},
    {"an end before the start", MESH ORDER "time = { start = 2; end = \"1/2\"; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end is 0.5; it must not be before the start, 2", 0},
    {"an end that is none, and a start", MESH ORDER "time = { start = \"s\"; end = \"nan\"; };\n" INITIAL BOUNDARY
     "output = { fields = { every = 0.1; }; probes = ( { x = \"z\"; y = 9; } ); };\n",
     "case.cfg:3: time.start: column 1: unknown name \"s\"\n"
     "case.cfg:3: time.end: column 1: a finite number must be here, not \"nan\"\n"
     "case.cfg:11: output.probes[0].x: column 1: unknown name \"z\"", 0},
    {"a wrong start, and an end before none", MESH ORDER "time = { start = \"s\"; end = -1; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.start: column 1: unknown name \"s\"", 0},
    {"a number that is infinite", MESH ORDER "time = { end = 1e999; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end is infinite; it must be finite", 0},
    {"a formula that is not a number", MESH ORDER "time = { end = \"0/0\"; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end is not a number; it must be finite", 0},
    {"a formula that is no constant", MESH ORDER "time = { end = \"2*x + t\"; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.end depends on x and t; it must be a constant", 0},
    {"an integer of more than 32 bits", MESH ORDER "time = { end = 1; steps = 4294967297; };\n" INITIAL BOUNDARY,
     "case.cfg:3: 4294967297 is too large for 32 bits; add an L", 0},
    {"an integer of more than 64 bits",
     MESH ORDER "time = { end = 1; steps = 99999999999999999999L; };\n" INITIAL BOUNDARY,
     "case.cfg:3: 99999999999999999999 is too large for an integer; add a decimal point", 0},
    {"an unknown law", GOOD "law = { name = \"eulr\"; gamma = 1.4; velocity = [ \"1\", \"0\" ]; };\n",
     "case.cfg:11: law.name cannot be \"eulr\"; did you mean \"euler\"?", 0},
    {"parameters of an unknown law",
     MESH ORDER TIME "initial = { rho = \"gamma\"; u = \"c\"; v = 0; p = \"kappa + gravity\"; };\n" BOUNDARY
                     "let = { gravity = 9; c = \"sqrt(gamma)\"; };\nlaw = { name = \"eulr\"; kappa = 1.4; };\n",
     "case.cfg:12: law.name cannot be \"eulr\"; did you mean \"euler\"?", 0},
    {"a law like no other", GOOD "law = \"plasma\";\n",
     "case.cfg:11: law cannot be \"plasma\"; the choices are euler, navier-stokes, advection, shallow-water, "
     "maxwell-tm, acoustics and shallow-water-bed", 0},
    {"a gas without its viscosity", GOOD "law = \"navier-stokes\";\n",
     "case.cfg:11: the law \"navier-stokes\" needs law.mu, the dynamic viscosity, at T0 if that is given", 0},
    {"words of other codes for a viscous gas", GOOD "law = { name = \"navier-stokes\"; nu = 1e-5; Pr = 0.7; };\n",
     "case.cfg:11: the law \"navier-stokes\" needs law.mu, the dynamic viscosity, at T0 if that is given\n"
     "case.cfg:11: there is no key \"nu\" in law; the viscosity is \"mu\": density times speed times length over the "
     "Reynolds number\n"
     "case.cfg:11: there is no key \"Pr\" in law; did you mean \"prandtl\"?", 0},
    {"constants that no viscous gas has",
     GOOD "law = { name = \"navier-stokes\"; mu = -1; prandtl = 0; T0 = -1; };\n",
     "case.cfg:11: mu is -1; it must be greater than 0\n"
     "case.cfg:11: prandtl is 0; it must be greater than 0\n"
     "case.cfg:11: T0 is -1; it must be at least 0", 0},
    {"half of Sutherland's law", GOOD "law = { name = \"navier-stokes\"; mu = 1; S = 0.4; };\n",
     "case.cfg:11: law.S has no effect without law.T0, the temperature p/rho at which the viscosity is mu; give "
     "law.T0 a value above 0, or remove law.S", 0},
    {"half of Sutherland's law and a T0 of 0", GOOD "law = { name = \"navier-stokes\"; mu = 1; T0 = 0; S = 0.4; };\n",
     "case.cfg:11: law.S has no effect without law.T0, the temperature p/rho at which the viscosity is mu; give "
     "law.T0 a value above 0, or remove law.S", 0},
    {"walls of impossible temperatures", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"no-slip\"; T = 0; };\nright = { kind = \"no-slip\"; T = \"1 - 2*y\"; };\n"
     "top = { kind = \"no-slip\"; T = \"log(x - 0.5)\"; };\n"
     "bottom = { kind = \"no-slip\"; T = \"1 - t\"; }; };\nlaw = { name = \"navier-stokes\"; mu = 1; };\n",
     "case.cfg:5: boundary \"left\": the given values are not possible at all 2 points, for example (0, 0.788675), "
     "t = 0: T is 0, u is 0 and v is 0; T must be greater than 0\n"
     "case.cfg:6: boundary \"right\": the given values are not possible at (1, 0.788675), t = 0: T is -0.57735, u is 0 "
     "and v is 0; T must be greater than 0\n"
     "case.cfg:7: boundary \"top\": the given values are not possible at all 2 points, for example (0.788675, 1), "
     "t = 0: T is -1.24245, u is 0 and v is 0; T must be greater than 0", 0},
    {"words of other codes for a viscous wall", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"no-slip\"; temperature = 1; };\nright = { kind = \"no-slip\"; q = 0; };\n"
     "top = { kind = \"no-slip\"; wall_temperature = 1; };\nbottom = { kind = \"no-slip\"; omega = 1; }; };\n"
     "law = { name = \"navier-stokes\"; mu = 1; };\n",
     "case.cfg:5: boundary.left of kind \"no-slip\" takes no \"temperature\"; the temperature p/rho of a wall is "
     "\"T\"\n"
     "case.cfg:6: there is no key \"q\" in boundary.right; a wall of kind no-slip has the temperature \"T\" or, "
     "without it, no heat flux\n"
     "case.cfg:7: there is no key \"wall_temperature\" in boundary.top; did you mean \"T\"?\n"
     "case.cfg:8: there is no key \"omega\" in boundary.bottom; velocities of walls are \"u\" and \"v\", in a rotation "
     "-omega*y and omega*x", 0},
    {"walls at which only a viscous gas sticks", MESH ORDER TIME INITIAL
     "boundary = { " COPY("left") COPY("right") COPY("top") "bottom = { kind = \"no-slip\"; }; };\n",
     "case.cfg:8: boundary \"bottom\": kind \"no-slip\" is not made for the law \"euler\"; it has state, copy, "
     "wall, far, outlet, inlet and symmetry", 0},
    {"water that would stick", MESH ORDER TIME "initial = { h = 1; u = 0; v = 0; };\n"
     "boundary = { " COPY("left") COPY("right") COPY("top") "bottom = { kind = \"no-slip\"; }; };\n"
     "law = \"shallow-water\";\n",
     "case.cfg:8: boundary \"bottom\": kind \"no-slip\" is not made for the law \"shallow-water\"; it has state, copy, "
     "wall, far, outlet, inlet and symmetry", 0},
    {"walls that leave their places", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"no-slip\"; u = 1; };\n"
     "right = { kind = \"no-slip\"; v = 1; };\n"
     "top = { kind = \"no-slip\"; T = 1; u = \"x + 2\"; v = \"x + t\"; };\n"
     "bottom = { kind = \"no-slip\"; u = 1; v = 0.02; }; };\nlaw = { name = \"navier-stokes\"; mu = 1; };\n",
     "case.cfg:5: boundary \"left\": the wall's velocity at (0, 0.788675), t = 0 is (1, 0), of which 1 is along the "
     "wall's normal; " ALONG_ITSELF "\n"
     "case.cfg:7: boundary \"top\": the wall's velocity at (0.788675, 1), t = 0 is (2.78868, 0.788675), of which "
     "0.788675 is along the wall's normal; " ALONG_ITSELF "\n"
     "case.cfg:8: boundary \"bottom\": the wall's velocity at (0.211325, 0), t = 0 is (1, 0.02), of which 0.02 is "
     "along the wall's normal; " ALONG_ITSELF, 0},
    {"a bed of another law", GOOD "law = { name = \"euler\"; bed = \"x\"; };\n",
     "case.cfg:11: there is no key \"bed\" in law; the choices are gamma and name", 0},
    {"no bed", MESH ORDER TIME "initial = { h = 1; u = 0; v = 0; };\n" BOUNDARY "law = \"shallow-water-bed\";\n",
     "case.cfg:11: the law \"shallow-water-bed\" needs a bed: law = { name = \"shallow-water\"; bed = \"...\"; }", 0},
    {"a bed and its states", MESH ORDER "time = { end = 1; scheme = \"ssprk33\"; };\n"
                             "initial = { h = 1; surface = 1; u = 0; bed = 0; };\n" BOUNDARY
                             "law = { name = \"shallow-water\"; bed = \"x*t\"; };\n",
     "case.cfg:4: initial.h: the surface is given, too; leave out one of them\n"
     "case.cfg:4: initial lacks \"v\"\n"
     "case.cfg:11: law.bed depends on t; it may depend on x and y only", 0},
    {"a law by half its name", GOOD "law = \"maxwell\";\n",
     "case.cfg:11: law cannot be \"maxwell\"; did you mean \"maxwell-tm\"?", 0},
    {"a mistyped parameter of the law", GOOD "law = { name = \"euler\"; gama = 1.4; };\n",
     "case.cfg:11: there is no key \"gama\" in law; did you mean \"gamma\"?", 0},
    {"a parameter out of its range", GOOD "law = { gamma = 1; };\n",
     "case.cfg:11: gamma is 1; it must be greater than 1", 0},
    {"a parameter that is infinite", GOOD "law = { gamma = \"1/0\"; };\n",
     "case.cfg:11: law.gamma is infinite; it must be finite", 0},
    {"parameters by names without a constant value",
     GOOD "law = { name = \"navier-stokes\"; gamma = \"1 + \";\nmu = \"1/ree\"; prandtl = \"2*depth\";\n"
          "T0 = \"t\"; };\nlet = { re = 100; depth = \"1 + y\"; };\n",
     "case.cfg:11: law.gamma: column 5: the formula ends where a number, a name or \"(\" should follow\n"
     "case.cfg:12: law.mu: column 3: unknown name \"ree\"; did you mean \"re\"?\n"
     "case.cfg:12: law.prandtl depends on y; it must be a constant\n"
     "case.cfg:13: law.T0 depends on t; it must be a constant", 0},
    {"parameters that depend on themselves",
     GOOD "law = { name = \"navier-stokes\"; mu = \"1/re\";\nT0 = \"T0/2\";\nprandtl = \"twice\"; };\n"
          "let = { re = \"3/mu\"; half = 0.36; twice = \"2*half\"; wave = \"mu*x\"; };\n",
     "case.cfg:11: law.mu has no value: a name in its formula depends on itself\n"
     "case.cfg:12: law.T0 has no value: a name in its formula depends on itself", 0},
    {"a parameter by a broken name",
     GOOD "law = { name = \"navier-stokes\"; mu = \"1/re\"; };\nlet = { re = \"10*z\"; };\n",
     "case.cfg:12: let.re: column 4: unknown name \"z\"", 0},
    {"a parameter that a name makes infinite",
     GOOD "law = { name = \"navier-stokes\"; mu = \"1/re\"; };\nlet = { re = 0; };\n",
     "case.cfg:11: law.mu is infinite; it must be finite", 0},
    {"a velocity for a law without one", GOOD "law = { name = \"euler\"; velocity = [ \"1\", \"0\" ]; };\n",
     "case.cfg:11: there is no key \"velocity\" in law; the choices are gamma and name", 0},
    {"advection without a velocity",
     MESH ORDER TIME "law = \"advection\";\n"
                     "initial = { u = 1; };\n" BOUNDARY,
     "case.cfg:4: the law \"advection\" needs a velocity: law = { name = \"advection\"; velocity = [ \"...\", \"...\" "
     "]; }",
     0},
    {"a velocity that changes with time",
     MESH ORDER TIME "law = { name = \"advection\";\n"
                     "velocity = [ \"1\", \"t\" ]; };\n"
                     "initial = { u = 1; };\n" BOUNDARY,
     "case.cfg:5: law.velocity[1] depends on t; it may depend on x and y only", 0},
    {"a velocity of one component",
     MESH ORDER TIME "law = { name = \"advection\"; velocity = [ \"1\" ]; };\n"
                     "initial = { u = 1; };\n" BOUNDARY,
     "case.cfg:4: law.velocity must be a list of 2 formulas; it has 1 member", 0},
    {"a density that is not positive somewhere",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = \"x - 10\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:4: rho0 is -9.66667 at all 6 points, for example (0.333333, 0.166667); it must be greater than "
     "0 and finite", 0},
    {"a speed of sound that is no number",
     MESH ORDER TIME "law = { name = \"acoustics\";\n"
                     "c0 = \"1/(x - x)\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:5: c0 is inf at all 6 points, for example (0.333333, 0.166667); it must be greater than 0 and "
     "finite", 0},
    {"a bulk modulus that is negative somewhere",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = 2;\n"
                     "bulk_modulus = \"-1 - x^2\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:5: c0 is nan at all 6 points, for example (0.333333, 0.166667); it must be greater than 0 and "
     "finite; c0 is sqrt(bulk_modulus/rho0)", 0},
    {"a negative bulk modulus of a uniform medium",
     MESH ORDER TIME "law = { name = \"acoustics\"; bulk_modulus = -1; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:4: law.bulk_modulus is -1; it must be greater than 0", 0},
    {"a bulk modulus beside a speed",
     MESH ORDER TIME "law = { name = \"acoustics\"; bulk_modulus = \"1 + x^2\"; c0 = 1; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:4: law.bulk_modulus and law.c0 are both given; one follows from the other and rho0, so leave "
     "one out", 0},
    {"a medium that changes with time",
     MESH ORDER TIME "law = { name = \"maxwell-tm\"; epsilon = \"1 + t\"; };\n"
                     "initial = { H_x = 1; H_y = 0; E_z = 0; };\n" BOUNDARY,
     "case.cfg:4: law.epsilon depends on t; it may depend on x and y only", 0},
    {"a medium that depends on the state",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = \"1 + p\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:4: law.rho0: column 5: unknown name \"p\"", 0},
    {"media for a law without any",
     MESH ORDER TIME "law = { name = \"euler\"; gamma = \"1.4 + x^2\"; };\n" INITIAL BOUNDARY,
     "case.cfg:4: law.gamma depends on x; it must be a constant", 0},
    {"another law's medium",
     MESH ORDER TIME "law = { name = \"maxwell-tm\"; rho0 = \"1 + x^2\"; };\n"
                     "initial = { H_x = 1; H_y = 0; E_z = 0; };\n" BOUNDARY,
     "case.cfg:4: there is no key \"rho0\" in law; the choices are epsilon, mu and name", 0},
    {"a bulk modulus of light",
     MESH ORDER TIME "law = { name = \"maxwell-tm\"; bulk_modulus = 2; };\n"
                     "initial = { H_x = 1; H_y = 0; E_z = 0; };\n" BOUNDARY,
     "case.cfg:4: there is no key \"bulk_modulus\" in law; the choices are epsilon, mu and name", 0},
    {"a flux that media do not have",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = \"1 + x^2\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n"
                     "flux = \"llf\";\n" BOUNDARY,
     "case.cfg:6: the law \"acoustics-media\" has no flux \"llf\"; it has upwind", 0},
    {"a limiter of media",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = \"1 + x^2\"; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n"
                     "limiter = \"barth-jespersen\";\n" BOUNDARY,
     "case.cfg:6: the limiter \"barth-jespersen\" compares the variables of neighbours, which differ where "
     "media do; leave it out", 0},
    {"a name that a medium takes",
     MESH ORDER TIME "law = { name = \"acoustics\"; rho0 = \"1 + x^2\"; };\n"
                     "let = { c0 = 2; };\n"
                     "initial = { p = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:5: let.c0: the name \"c0\" is taken: it is the law's parameter, which law.c0 sets; choose "
     "another one", 0},
    {"an unknown flux", GOOD "flux = \"lff\";\n", "case.cfg:11: flux cannot be \"lff\"; did you mean \"llf\"?", 0},
    {"a flux that the law lacks",
     MESH ORDER TIME "law = { name = \"advection\"; velocity = [ 1, 0 ]; };\n"
                     "initial = { u = 1; };\n"
                     "flux = \"roe\";\n" BOUNDARY,
     "case.cfg:6: the law \"advection\" has no flux \"roe\"; it has llf", 0},
    {"an unknown scheme", MESH ORDER "time = { end = 1; scheme = \"euler\"; };\n" INITIAL BOUNDARY,
     "case.cfg:3: time.scheme cannot be \"euler\"; of two stages there are \"rk2\" and \"ssprk22\"", 0},
    {"an unknown limiter", GOOD "limiter = \"minmod\";\n",
     "case.cfg:11: limiter cannot be \"minmod\"; \"barth-jespersen\" limits slopes, at order 1; "
     "\"oscillation-free\" is for all orders", 0},
    {"words of other codes",
     MESH ORDER "time = { tend = 1; cfl-number = 0.5; };\n" INITIAL
     "boundary = { left = { kind = \"Outlet\"; }; right = { kind = \"farfield\"; }; bottom = { kind = \"no_slip\"; };\n"
     "top = { type = \"inviscid-wall\"; }; };\nflux = \"Rusanov\"; bottom = \"0.1*x\"; law = \"shallow-water\";\n",
     "case.cfg:3: there is no key \"tend\" in time; did you mean \"end\"?\n"
     "case.cfg:3: there is no key \"cfl-number\" in time; did you mean \"cfl\"?\n"
     "case.cfg:4: there is no key \"rho\" in initial; the choices are h, u and v\n"
     "case.cfg:4: there is no key \"p\" in initial; the choices are h, u and v\n"
     "case.cfg:4: initial lacks \"h\" (depth)\n"
     "case.cfg:5: boundary.left.kind cannot be \"Outlet\"; did you mean \"outlet\"?\n"
     "case.cfg:5: boundary.right.kind cannot be \"farfield\"; did you mean \"far\"?\n"
     "case.cfg:5: boundary.bottom.kind cannot be \"no_slip\"; \"no-slip\" is for the law "
     "navier-stokes; other fluids slip along a \"wall\"\n"
     "case.cfg:6: there is no key \"type\" in boundary.top; did you mean \"kind\"?\n"
     "case.cfg:7: there is no key \"bottom\" here; the bed is \"law.bed\"\n"
     "case.cfg:7: flux cannot be \"Rusanov\"; did you mean \"llf\"?", 0},
    {"a limiter for another order", MESH "order = 3;\n" TIME INITIAL BOUNDARY "limiter = \"barth-jespersen\";\n",
     "case.cfg:11: the limiter \"barth-jespersen\" is made for order 1; the order is 3", 0},
    {"an unknown rule of errors", GOOD "errors = { rule = \"finer\"; };\n",
     "case.cfg:11: errors.rule cannot be \"finer\"; did you mean \"fine\"?", 0},
    {"an unknown backend and kernels", GOOD "backend = { name = \"opencl\"; kernels = \"fusd\"; tile = 4; };\n",
     "case.cfg:11: backend.name cannot be \"opencl\"; the choices are auto, cuda and omp\n"
     "case.cfg:11: backend.kernels cannot be \"fusd\"; did you mean \"fused\"?\n"
     "case.cfg:11: the tile width is 4; it must be 0, 8 or -1",
     0},
    {"kernels that need tiles", GOOD "backend = { kernels = \"fused\"; tile = -1; };\n",
     "case.cfg:11: the tile width is -1, but the kernels \"fused\" need tiles of 8", 0},
    {"a mistyped variable", MESH ORDER TIME "initial = { roh = 1; u = 0; v = 0; p = 1; };\n" BOUNDARY,
     "case.cfg:4: there is no key \"roh\" in initial; did you mean \"rho\"?", 0},
    {"missing variables", MESH ORDER TIME "initial = { rho = 1; u = 0; };\n" BOUNDARY,
     "case.cfg:4: initial lacks \"v\" (velocity, y-component) and \"p\" (pressure)", 0},
    {"an unknown name in a formula",
     MESH ORDER TIME "initial = { rho = \"1 + gama\";\n"
                     "u = 0; v = 0; p = 1; };\n" BOUNDARY,
     "case.cfg:4: initial.rho: column 5: unknown name \"gama\"; did you mean \"gamma\"?", 0},
    {"several wrong formulas",
     MESH ORDER TIME "initial = {\n"
                     "rho = \"1 +\";\n"
                     "u = \"sin(x\";\n"
                     "v = \"2 x\";\n"
                     "p = 1; };\n" BOUNDARY,
     "case.cfg:5: initial.rho: column 4: the formula ends where a number, a name or \"(\" should follow\n"
     "case.cfg:6: initial.u: column 4: \"(\" has no \")\"\n"
     "case.cfg:7: initial.v: column 3: an operator is missing before \"x\"; to multiply, write \"*\"",
     0},
    {"a wrong let is told once",
     GOOD "let = { r = \"hypot(x, z)\"; q = \"2*r\"; n = \"1 +\"; };\n"
          "limiter = \"none\";\n"
          "exact = { rho = \"q\"; u = \"r\"; v = 0; p = \"n\"; };\n"
          "output = { fields = { every = \"n\"; }; };\n",
     "case.cfg:11: let.r: column 10: unknown name \"z\"\n"
     "case.cfg:11: let.n: column 4: the formula ends where a number, a name or \"(\" should follow",
     0},
    {"a let that takes a name in use", GOOD "let = { x = 1; sin = 2; gamma = 3; a-b = 4; };\n",
     "case.cfg:11: let.x: the name \"x\" is taken: it is a coordinate; choose another one\n"
     "case.cfg:11: let.sin: the name \"sin\" is taken: it is a function; choose another one\n"
     "case.cfg:11: let.gamma: the name \"gamma\" is taken: it is the law's parameter, which law.gamma sets; choose "
     "another one\n"
     "case.cfg:11: let.a-b: \"a-b\" cannot be a name in formulas: a name has letters, digits and \"_\" and does not "
     "start with a digit",
     0},
    {"a let that uses a later one", GOOD "let = { a = \"b\"; b = 1; };\n",
     "case.cfg:11: let.a: column 1: unknown name \"b\"", 0},
    {"an exact solution that is unknown", GOOD "exact = \"inital\";\n",
     "case.cfg:11: exact cannot be \"inital\"; did you mean \"initial\"?", 0},
    {"an exact solution that lacks a variable", GOOD "exact = { rho = 1; u = 0; v = 0; };\n",
     "case.cfg:11: exact lacks \"p\" (pressure)", 0},
    {"a mesh that is not there", "mesh = \"none.msh\";\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mesh: none.msh cannot be read: No such file or directory", 0},
    {"a mesh in a folder of Windows", "mesh = \"meshes\\none\x7f.msh\";\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mesh: meshes\\none\\x7f.msh cannot be read: No such file or directory; in strings of a case a "
     "backslash begins an escape such as \\n, so write / in its place", 0},
    {"a mesh that is broken", "mesh = \"broken.msh\";\n" ORDER TIME INITIAL BOUNDARY,
     "broken.msh:4: the file ends without a section $Nodes", EW_EMESH},
    {"errors in case and mesh",
     "mesh = \"broken.msh\";\n"
     "order = 9;\n" TIME INITIAL BOUNDARY,
     "case.cfg:2: order is 9; it must be from 1 to 5\n"
     "broken.msh:4: the file ends without a section $Nodes",
     0},
    {"a mesh of neither kind", "mesh = { circle = { radius = 1; }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: there is no key \"circle\" in mesh; the only choice is rectangle\n"
     "case.cfg:1: the key \"mesh.rectangle\" is missing: a rectangle of cells, each cut into two triangles",
     0},
    {"a rectangle without its size", "mesh = { rectangle = { }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: the key \"mesh.rectangle.corners\" is missing: x and y of the lower left corner, x and y of the "
     "upper right corner\n"
     "case.cfg:1: the key \"mesh.rectangle.cells\" is missing: cells in x and in y",
     0},
    {"a rectangle with wrong numbers",
     "mesh = { rectangle = { corners = [1, 1, 0, 0];\n"
     "cells = [0, 2];\n"
     "jitter = 0.7;\n"
     "seed = -1; }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mesh.rectangle.corners: the second corner (0, 0) must be to the right of and above the first one (1, "
     "1)\n"
     "case.cfg:2: mesh.rectangle.cells[0] is 0; it must be from 1 to 1000000\n"
     "case.cfg:3: mesh.rectangle.jitter is 0.7; it must be from 0 to below 0.7\n"
     "case.cfg:4: mesh.rectangle.seed is -1; it must be from 0 to 9007199254740992",
     0},
    {"a rectangle of mixed numbers in [ ]",
     "mesh = { rectangle = { corners = [0, 0, 1.5, 1]; cells = [2, 2]; }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mismatched element type in array: write all members of [ ] with a point (0.0, 3.5) or none, or put "
     "them in ( )",
     0},
    {"a rectangle turned round",
     "mesh = { rectangle = { corners = [1, 1, 0, 0]; cells = [2, 2]; }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mesh.rectangle.corners: the second corner (0, 0) must be to the right of and above the first one (1, "
     "1)",
     0},
    {"a rectangle of too many cells",
     "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [100000, 100000]; }; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:1: mesh.rectangle.cells: 20000000000 triangles are too many; there can be 536870912", 0},
    {"parts of a side",
     "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2];\n"
     "bottom = ( { name = \"a\"; }, { to = 0.5; } );\n"
     "left = ( { name = \"a\"; to = 2; }, { name = \"b\"; too = 1; } );\n"
     "top = ( \"a\", \"b\" );\n"
     "}; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:2: the key \"mesh.rectangle.bottom[1].name\" is missing: name of the part\n"
     "case.cfg:2: this part of mesh.rectangle.bottom needs \"to\": only the last one reaches to the side's end\n"
     "case.cfg:2: the last part of mesh.rectangle.bottom ends at 0.5; it must end at 1, as it does without \"to\"\n"
     "case.cfg:3: there is no key \"too\" in mesh.rectangle.left[1]; did you mean \"to\"?\n"
     "case.cfg:3: this part of mesh.rectangle.left ends at 2; it must end between 0, where it starts, and 1\n"
     "case.cfg:4: mesh.rectangle.top must be a name in \"\" or a list of groups ( { ... }, { ... } ), not a list",
     0},
    {"parts of a side out of order",
     "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2];\n"
     "bottom = ( { name = \"a\"; to = 0.5; },\n"
     "{ name = \"b\"; to = \"1/4\"; },\n"
     "{ name = \"c\"; to = 0.8; } );\n"
     "}; };\n" ORDER TIME INITIAL BOUNDARY,
     "case.cfg:3: this part of mesh.rectangle.bottom ends at 0.25; it must end between 0.5, where it starts, and 1\n"
     "case.cfg:4: the last part of mesh.rectangle.bottom ends at 0.8; it must end at 1, as it does without \"to\"",
     0},
    {"a side without a name",
     "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; bottom = \"\"; }; };\n" ORDER TIME INITIAL
         BOUNDARY,
     "case.cfg:1: mesh.rectangle.bottom is empty", 0},
    {"a boundary that is not in the mesh",
     MESH ORDER TIME INITIAL "boundary = {\n" COPY("lefft") COPY("right") COPY("bottom") COPY("top") "};\n",
     "case.cfg:6: boundary \"lefft\" is not in the mesh; the mesh has bottom, right, top, left", 0},
    {"boundaries that are missing", MESH ORDER TIME INITIAL "boundary = {\n" COPY("left") COPY("bottom") "};\n",
     "case.cfg:5: the mesh has a boundary \"right\", which has no condition here: boundary = { right = { kind = "
     "\"...\"; }; }\n"
     "case.cfg:5: the mesh has a boundary \"top\", which has no condition here: boundary = { top = { kind = \"...\"; "
     "}; }",
     0},
    {"no boundaries at all", MESH ORDER TIME INITIAL,
     "case.cfg: the mesh has a boundary \"bottom\", which has no condition here: boundary = { bottom = { kind = "
     "\"...\"; }; }\n"
     "case.cfg: the mesh has a boundary \"right\", which has no condition here: boundary = { right = { kind = \"...\"; "
     "}; }\n"
     "case.cfg: the mesh has a boundary \"top\", which has no condition here: boundary = { top = { kind = \"...\"; }; "
     "}\n"
     "case.cfg: the mesh has a boundary \"left\", which has no condition here: boundary = { left = { kind = \"...\"; "
     "}; }",
     0},
    {"open boundaries in words of other codes", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"inflow\"; };\n"
     "right = { kind = \"subsonic-out\"; };\n"
     "top = { kind = \"sponge\"; };\n"
     "bottom = { kind = \"copy\"; }; };\n",
     "case.cfg:5: boundary.left.kind cannot be \"inflow\"; \"state\" is for supersonic inflow, \"inlet\" for a given "
     "total pressure or mass flow, and \"far\" lets waves out\n"
     "case.cfg:6: boundary.right.kind cannot be \"subsonic-out\"; did you mean \"outlet\"?\n"
     "case.cfg:7: boundary.top.kind cannot be \"sponge\"; kinds \"far\" and \"state\" take "
     "\"boundary.NAME.sponge\", with its width", 0},
    {"inlets and outlets without their values", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"inlet\"; };\n"
     "right = { kind = \"outlet\"; };\n"
     "top = { kind = \"inlet\"; total_temperature = 1; };\n"
     "bottom = { kind = \"inlet\"; mass_flow = 1; }; };\n",
     "case.cfg:5: boundary.left of kind \"inlet\" needs \"total_pressure\" and \"total_temperature\", or "
     "\"mass_flow\" and \"temperature\"\n"
     "case.cfg:6: boundary.right of kind \"outlet\" needs \"p\"\n"
     "case.cfg:7: boundary.top of kind \"inlet\" gives \"total_temperature\" and lacks \"total_pressure\" (total "
     "pressure)\n"
     "case.cfg:8: boundary.bottom of kind \"inlet\" gives \"mass_flow\" and lacks \"temperature\" (temperature p/rho)",
     0},
    {"inlets and outlets with too many values", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"inlet\"; mass_flow = 1; total_pressure = 1; };\n"
     "right = { kind = \"outlet\"; p = 1; rho = 1; state = \"initial\"; };\n"
     "top = { kind = \"inlet\"; total_temperature = 1; total_pressure = 1; p = 1; };\n"
     "bottom = { kind = \"far\"; state = \"initial\"; direction = [ 1, 0 ]; }; };\n",
     "case.cfg:5: boundary.left gives both \"total_pressure\" and \"mass_flow\"; kind \"inlet\" takes "
     "\"total_pressure\" and \"total_temperature\", or \"mass_flow\" and \"temperature\"\n"
     "case.cfg:6: boundary.right of kind \"outlet\" takes no \"rho\"\n"
     "case.cfg:6: boundary.right of kind \"outlet\" takes no \"state\"\n"
     "case.cfg:7: boundary.top of kind \"inlet\" takes no \"p\"\n"
     "case.cfg:8: boundary.bottom of kind \"far\" takes no \"direction\"",
     0},
    {"values that no inlet or outlet can have", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"inlet\"; total_pressure = 2; total_temperature = 1;\n"
     "direction = ( \"y - 0.5\", 0 ); };\n"
     "right = { kind = \"outlet\"; p = 0; };\n"
     "top = { kind = \"inlet\"; total_pressure = -1; total_temperature = 0; };\n"
     "bottom = { kind = \"inlet\"; mass_flow = \"x - 1\"; temperature = \"1/0\"; }; };\n",
     "case.cfg:6: boundary \"left\": the given values are not possible at (0, 0.211325), t = 0: total_pressure is 2, "
     "total_temperature is 1 and direction is (-0.288675, 0); direction must point into the domain\n"
     "case.cfg:7: boundary \"right\": the given values are not possible at all 2 points, for example (1, 0.211325), "
     "t = 0: p is 0; p must be greater than 0\n"
     "case.cfg:8: boundary \"top\": the given values are not possible at all 2 points, for example (0.788675, 1), "
     "t = 0: total_pressure is -1, total_temperature is 0 and direction is (0, 0); total_pressure must be "
     "greater than 0\n"
     "case.cfg:9: boundary \"bottom\": the given values are not possible at all 2 points, for example (0.211325, 0), "
     "t = 0: mass_flow is -0.788675 and temperature is inf; mass_flow must be at least 0",
     0},
    {"inlets with wrong formulas", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"inlet\"; total_pressure = \"2*\"; total_temperature = true;\n"
     "direction = [ \"1\" ]; };\n"
     "right = { kind = \"outlet\"; p = [ 1 ]; };\n"
     "top = { kind = \"inlet\"; total_presure = 1; total_temperature = 1; direction = 1; };\n"
     "bottom = { kind = \"inlet\"; mass_flow = \"z\"; temperature = \"t\"; }; };\n",
     "case.cfg:5: boundary.left.total_temperature must be a number or a formula, not true or false\n"
     "case.cfg:5: boundary.left.total_pressure: column 3: the formula ends where a number, a name or \"(\" should "
     "follow\n"
     "case.cfg:6: boundary.left.direction must be a list of 2 formulas; it has 1 member\n"
     "case.cfg:7: boundary.right.p must be a number or a formula, not a list\n"
     "case.cfg:8: there is no key \"total_presure\" in boundary.top; did you mean \"total_pressure\"?\n"
     "case.cfg:8: boundary.top.direction must be a list of 2 formulas, not a number\n"
     "case.cfg:9: boundary.bottom.mass_flow: column 1: unknown name \"z\"",
     0},
    {"inlets and outlets of gas for water", MESH ORDER TIME
     "initial = { h = 1; u = 0; v = 0; }; law = \"shallow-water\";\n"
     "boundary = { left = { kind = \"inlet\"; total_pressure = 1; };\n"
     "right = { kind = \"outlet\"; u = 1; };\n"
     "top = { kind = \"inlet\"; discharge = -1; };\n" COPY("bottom") "};\n",
     "case.cfg:5: boundary.left of kind \"inlet\" takes no \"total_pressure\"\n"
     "case.cfg:5: boundary.left of kind \"inlet\" needs \"discharge\"\n"
     "case.cfg:6: boundary.right of kind \"outlet\" takes no \"u\"\n"
     "case.cfg:6: boundary.right of kind \"outlet\" needs \"h\"\n"
     "case.cfg:7: boundary \"top\": the given values are not possible at all 2 points, for example (0.788675, 1), "
     "t = 0: discharge is -1; discharge must be at least 0",
     0},
    {"a level without a bed", MESH ORDER TIME
     "initial = { h = 1; u = 0; v = 0; }; law = \"shallow-water\";\n"
     "boundary = { left = { kind = \"level\"; h = 1; };\n" COPY("right") COPY("top") COPY("bottom") "};\n",
     "case.cfg:5: boundary \"left\": kind \"level\" is not made for the law \"shallow-water\"; it has state, copy, "
     "wall, far, outlet, inlet and symmetry", 0},
    {"a level with a velocity", MESH ORDER "time = { end = 1; };\n"
     "initial = { h = 1; u = 0; v = 0; }; law = { name = \"shallow-water\"; bed = 0; };\n"
     "boundary = { left = { kind = \"level\"; u = 1; };\n"
     "right = { kind = \"level\"; surface = 1; v = 1; };\n" COPY("top") COPY("bottom") "};\n",
     "case.cfg:5: boundary.left of kind \"level\" takes no \"u\"\n"
     "case.cfg:5: boundary.left lacks \"h\", or \"surface\"\n"
     "case.cfg:6: boundary.right of kind \"level\" takes no \"v\"", 0},
    {"an outlet for a law that has none", MESH ORDER TIME
     "initial = { E_z = 0; H_x = 0; H_y = 0; }; law = \"maxwell-tm\";\n"
     "boundary = { left = { kind = \"inlet\"; mass_flow = 1; };\n"
     "right = { kind = \"outlet\"; };\n" COPY("top") COPY("bottom") "};\n",
     "case.cfg:5: boundary \"left\": kind \"inlet\" is not made for the law \"maxwell-tm\"; it has state, copy, wall, "
     "far and symmetry\n"
     "case.cfg:6: boundary \"right\": kind \"outlet\" is not made for the law \"maxwell-tm\"; it has state, copy, "
     "wall, far and symmetry",
     0},
    {"a boundary of no known kind",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"walls\"; };\n"
                             "right = { };\n" COPY("bottom") COPY("top") "};\n",
     "case.cfg:6: boundary.left.kind cannot be \"walls\"; did you mean \"wall\"?\n"
     "case.cfg:7: the key \"boundary.right.kind\" is missing: the boundary condition",
     0},
    {"keys that the kind does not take",
     MESH ORDER TIME INITIAL
     "boundary = {\n"
     "left = { kind = \"copy\"; rho = 1; };\n"
     "right = { kind = \"wall\"; state = \"initial\"; };\n"
     "top = { kind = \"far\"; state = \"initial\"; normal = [ 1, 0 ]; with = \"left\"; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary.left of kind \"copy\" takes no \"rho\"\n"
     "case.cfg:7: boundary.right of kind \"wall\" takes no \"state\"\n"
     "case.cfg:8: boundary.top of kind \"far\" takes no \"normal\"\n"
     "case.cfg:8: boundary.top of kind \"far\" takes no \"with\"",
     0},
    {"states that are not given",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"state\"; };\n"
                             "right = { kind = \"far\"; state = \"exact\"; };\n"
                             "top = { kind = \"state\"; rho = 1; p = \"1/\"; };\n"
                             "bottom = { kind = \"state\"; state = \"initial\"; u = 1; };\n"
                             "};\n",
     "case.cfg:6: boundary.left of kind \"state\" needs state = \"exact\" or \"initial\", or rho, u, v and p\n"
     "case.cfg:7: boundary.right.state is \"exact\", but the case gives no exact solution\n"
     "case.cfg:8: boundary.top lacks \"u\" (velocity, x-component) and \"v\" (velocity, y-component)\n"
     "case.cfg:8: boundary.top.p: column 3: the formula ends where a number, a name or \"(\" should follow\n"
     "case.cfg:9: boundary.bottom gives its state twice: by \"state\" and by variables",
     0},
    {"walls with wrong data",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"wall\"; normal = [ \"x\" ]; };\n"
                             "right = { kind = \"wall\"; normal = [ \"cos(t)\", \"x)\" ]; };\n"
                             "top = { kind = \"wall\"; ghost = \"mirrored\"; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary.left.normal must be a list of 2 formulas; it has 1 member\n"
     "case.cfg:7: boundary.right.normal[0] depends on t; it may depend on x and y only\n"
     "case.cfg:7: boundary.right.normal[1]: column 2: \")\" has no \"(\"\n"
     "case.cfg:8: boundary.top.ghost cannot be \"mirrored\"; did you mean \"mirror\"?",
     0},
    {"walls with wrong curves",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"wall\"; curve = true; };\n"
                             "right = { kind = \"wall\"; curve = \"x - 1\"; corner = 20; };\n"
                             "top = { kind = \"wall\"; curve = \"spline\"; corner = 0; };\n"
                             "bottom = { kind = \"copy\"; curve = \"spline\"; }; };\n",
     "case.cfg:6: boundary.left.curve must be a name, a formula or two formulas, not true or false; the choices "
     "are spline and straight\n"
     "case.cfg:7: boundary.right.corner is the angle of a spline's corners; it needs curve = \"spline\"\n"
     "case.cfg:8: boundary.top.corner is 0; it must be greater than 0 and at most 180\n"
     "case.cfg:9: boundary.bottom of kind \"copy\" takes no \"curve\"",
     0},
    {"walls with wrong formulas of curves",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"wall\"; curve = [ \"x\" ]; };\n"
                             "right = { kind = \"wall\"; curve = \"spine\"; };\n"
                             "top = { kind = \"wall\"; curve = \"y - t\"; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary.left.curve must be a name, a formula or two formulas, not a list; the choices are spline "
     "and straight\n"
     "case.cfg:7: boundary.right.curve: there is no curve \"spine\"; did you mean \"spline\"?\n"
     "case.cfg:8: boundary.top.curve depends on t; it may depend on x and y only",
     0},
    {"walls that cannot be conservative",
     MESH ORDER TIME INITIAL "flux = \"hllc\"; boundary = {\n"
                             "left = { kind = \"wall\"; conservative = true; };\n"
                             "right = { kind = \"wall\"; curve = \"x - 1\"; conservative = true; };\n"
                             "top = { kind = \"copy\"; conservative = false; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary \"left\" is conservative, but has no curve; give one, or remove \"conservative\"\n"
     "case.cfg:7: boundary \"right\" is conservative, but the flux \"hllc\" lets mass through a curve; take "
     "the flux llf\n"
     "case.cfg:8: boundary.top of kind \"copy\" takes no \"conservative\"",
     0},
    {"a source that is no formula",
     GOOD "source = { rho = \"rhoo*x\"; u = 1; E = \"p +\"; };\n",
     "case.cfg:11: there is no key \"u\" in source; the choices are rho, rho_u, rho_v and E\n"
     "case.cfg:11: source.rho: column 1: unknown name \"rhoo\"; did you mean \"rho\"?\n"
     "case.cfg:11: source.E: column 4: the formula ends where a number, a name or \"(\" should follow",
     0},
    {"a source that is empty", GOOD "source = { };\n",
     "case.cfg:11: source is empty; give it formulas of some of rho, rho_u, rho_v and E, or leave it out", 0},
    {"a name of let that the state has", GOOD "let = { p = 2; };\nsource = { E = \"p\"; };\n",
     "case.cfg:11: let.p: in the formulas of a source, \"p\" is the local state's; choose another name", 0},
    {"a source that is not finite", GOOD "source = {\n rho = 0;\n E = \"log(-p)\"; };\n",
     "case.cfg:13: the source of E is nan at (0.333333, 0.166667), in element 0, t = 0, where rho = 1, u = 0, v = 0, p "
     "= 1",
     0},
    {"a source as other codes name it", GOOD "forcing = { E = 1; };\ngravity = 9.81;\n",
     "case.cfg:11: there is no key \"forcing\" here; did you mean \"source\"?\n"
     "case.cfg:12: there is no key \"gravity\" here; it is a \"source\": edgewise-case(5), section SOURCES, has "
     "the formulas",
     0},
    {"quantities that cannot be",
     GOOD "output = { quantities = {\n swift = \"u\";\n dynamic = \"rhoo*u^2\";\n mach = 1;\n time = \"t\";\n"
          "pi = \"p\";\n p0 = [\"p\"];\n twice = \"2*dynamic\";\n more = \"2*swift\"; };\n"
          "fields = { variables = [\"swiftt\", \"dynamic\"]; }; };\n",
     "case.cfg:13: output.quantities.dynamic: column 1: unknown name \"rhoo\"; did you mean \"rho\"?\n"
     "case.cfg:14: a quantity cannot be called \"mach\": it is a quantity of the law; choose another name\n"
     "case.cfg:15: a quantity cannot be called \"time\": the files of a run have another variable of that name; choose "
     "another name\n"
     "case.cfg:16: output.quantities.pi: the name \"pi\" is taken: it is the number pi; choose another one\n"
     "case.cfg:17: output.quantities.p0 must be a number or a formula, not a list\n"
     "case.cfg:20: the law \"euler\" has no quantity \"swiftt\" to write, nor has output.quantities; did you mean "
     "\"swift\"?",
     0},
    {"averages that cannot be",
     GOOD "output = { averages = {\n from = 99;\n steps = 0;\n variables = [\"rho\", \"rhoo\",\n"
          " \"limiter\", \"rho\"];\n"
          "covariances = true;\n arrivals = { p = \"x\";\n machh = 1; }; }; };\n",
     "case.cfg:12: output.averages.from is 99; it must be before the end, 1\n"
     "case.cfg:13: output.averages.steps is 0; it must be from 1 to 9007199254740992\n"
     "case.cfg:14: the law \"euler\" has no quantity \"rhoo\" to write; did you mean \"rho\"?\n"
     "case.cfg:15: \"limiter\" has no averages, since it is found only for states that are written; leave it out\n"
     "case.cfg:15: \"rho\" is named twice in output.averages.variables\n"
     "case.cfg:16: output.averages.covariances needs two quantities or more in output.averages.variables\n"
     "case.cfg:17: output.averages.arrivals.p depends on x; it must be a constant\n"
     "case.cfg:18: the law \"euler\" has no quantity \"machh\" to write; did you mean \"mach\"?",
     0},
    {"averages from before the start", GOOD "output = { averages = { from = -1;\n variables = [\"rho\"]; }; };\n",
     "case.cfg:11: output.averages.from is -1; it must not be before the start, 0", 0},
    {"averages of nothing", GOOD "output = { averages = { steps = 5; }; };\n",
     "case.cfg:11: output.averages has nothing to average; give it variables, extrema or arrivals", 0},
    {"thresholds of nothing", GOOD "output = { averages = { arrivals = { }; }; };\n",
     "case.cfg:11: output.averages.arrivals is empty; give it a quantity and its threshold, as in { p = 2.5; }", 0},
    {"averages that the case does not take",
     GOOD "output = { averages = { variables = [\"u\", \"v\"]; covariances = true; };\n"
          "fields = { variables = [\"mean_rho\", \"max_mach\",\n\"covariance_v_u\", \"mean_x\"]; }; };\n",
     "case.cfg:12: there is no quantity \"mean_rho\"; add \"rho\" to output.averages.variables\n"
     "case.cfg:12: there is no quantity \"max_mach\"; add \"mach\" to output.averages.extrema\n"
     "case.cfg:13: there is no quantity \"covariance_v_u\"; did you mean \"covariance_u_v\"?\n"
     "case.cfg:13: the law \"euler\" has no quantity \"mean_x\" to write; did you mean \"mean_u\"?", 0},
    {"a list of no names", GOOD "output = { averages = { variables = []; }; };\n",
     "case.cfg:11: output.averages.variables is an empty list; give it names\n"
     "case.cfg:11: output.averages has nothing to average; give it variables, extrema or arrivals", 0},
    {"too many averages",
     GOOD "output = { quantities = { a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; };\n"
          "averages = { variables = [\"rho\", \"u\", \"v\", \"p\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\"];\n"
          "covariances = true; }; };\n",
     "case.cfg:12: output.averages has 65 averages; there can be 64: take fewer variables, or leave the "
     "covariances out",
     0},
    {"an average that a quantity has the name of",
     GOOD "output = { quantities = { mean_p = \"p\"; };\n averages = { variables = [\"p\"]; }; };\n",
     "case.cfg:12: there are two quantities \"mean_p\"", 0},
    {"a quantity and a name of let", GOOD "let = { p = 2; k = 1; };\noutput = { quantities = { k = \"u\"; }; };\n",
     "case.cfg:11: let.p: in the formulas of output.quantities, \"p\" is the local state's; choose another name", 0},
    {"a quantity called like a name of let", GOOD "let = { k = 1; };\noutput = { quantities = { k = \"u\"; }; };\n",
     "case.cfg:12: output.quantities.k: the name \"k\" is defined twice", 0},
    {"sponges that cannot be",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"far\"; state = \"initial\"; sponge = { strength = 1; }; };\n"
                             "right = { kind = \"wall\"; sponge = { width = 1; }; };\n"
                             "top = { kind = \"far\"; state = \"initial\"; sponge = { width = 0; breadth = 1; }; };\n"
                             "bottom = { kind = \"state\"; rho = \"1 + t\"; u = 0; v = 0; p = 1; "
                             "sponge = { width = 0.1; }; }; };\n",
     "case.cfg:6: the key \"boundary.left.sponge.width\" is missing: the layer's width\n"
     "case.cfg:7: boundary.right of kind \"wall\" takes no \"sponge\"\n"
     "case.cfg:8: there is no key \"breadth\" in boundary.top.sponge; the choices are width and strength\n"
     "case.cfg:8: boundary.top.sponge.width is 0; it must be greater than 0\n"
     "case.cfg:9: boundary \"bottom\" has a sponge, but its state depends on t; give a state of x and y, or leave out "
     "the sponge",
     0},
    {"angles that cannot be",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"far\"; state = \"initial\"; angle = 90; };\n"
                             "right = { kind = \"wall\"; angle = 45; };\n"
                             "top = { kind = \"far\"; state = \"initial\"; angle = -1; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary.left.angle is 90; it must be from 0 to below 90\n"
     "case.cfg:7: boundary.right of kind \"wall\" takes no \"angle\"\n"
     "case.cfg:8: boundary.top.angle is -1; it must be from 0 to below 90",
     0},
    {"what a bed does not have yet",
     MESH ORDER TIME "law = { name = \"shallow-water\"; bed = \"0\"; };\n"
                     "initial = { h = 1; u = 0; v = 0; };\n"
                     "boundary = { left = { kind = \"wall\"; curve = \"x\"; };\n" COPY("right") COPY("top")
                     COPY("bottom") "};\noutput = { series = {\nfluxes = [\"left\"]; }; };\n",
     "case.cfg:6: boundary \"left\": kind \"wall\" has no curve for the law \"shallow-water-bed\"; leave it out\n"
     "case.cfg:12: outflow over a bed is not integrated yet; leave it out (output.series.fluxes)", 0},
    {"a depth below the bed",
     MESH ORDER TIME "law = { name = \"shallow-water\"; bed = \"0\"; };\n"
                     "initial = { h = -1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:5: the initial state is not admissible at all 18 points, for example (0.333333, 0.166667), t = 0: h is "
     "-1, u is 0, v is 0 and bed is 0", 0},
    {"a bed without bounds",
     MESH ORDER TIME "law = { name = \"shallow-water\"; bed = \"1/(x - x)\"; };\n"
                     "initial = { surface = 1; u = 0; v = 0; };\n" BOUNDARY,
     "case.cfg:4: the initial state is not admissible at all 18 points, for example (0.333333, 0.166667), t = 0: u is "
     "0, v is 0, bed is inf and surface is 1", 0},
    {"a source of the level", MESH ORDER TIME "law = { name = \"shallow-water\"; bed = \"0\"; };\n"
                              "initial = { h = 1; u = 0; v = 0; };\n" BOUNDARY "source = { level = 1; };\n",
     "case.cfg:12: there is no key \"level\" in source; the choices are h, h_u and h_v", 0},
    {"an angle over a bed",
     MESH ORDER TIME "law = { name = \"shallow-water\"; bed = \"0\"; };\n"
                     "initial = { h = 1; u = 0; v = 0; };\n"
                     "boundary = {\n"
                     "left = { kind = \"far\"; state = \"initial\"; angle = 45; };\n" COPY("right") COPY("top")
                     COPY("bottom") "};\n",
     "case.cfg:7: boundary \"left\": kind \"far\" has no angle for the law \"shallow-water-bed\"; remove \"angle\"",
     0},
    {"a sponge wider than the domain",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"far\"; state = \"initial\";\n"
                             "sponge = { width = 9; }; };\n" COPY("right") COPY("top") COPY("bottom") "};\n",
     "case.cfg:7: boundary \"left\": its sponge, of width 9, covers the whole mesh; take a smaller width",
     0},
    {"curves that do not fit their walls",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"wall\"; curve = [ -1, 0 ]; ghost = \"tangential\"; };\n"
                             "right = { kind = \"wall\"; curve = \"x - 1.5\"; normal = [ 1, 0 ]; };\n"
                             "top = { kind = \"wall\"; curve = [ 0, -1 ]; };\n" COPY("bottom") "};\n",
     "case.cfg:6: boundary \"left\" has a curve, at which the flow is mirrored; leave out the ghost \"tangential\"\n"
     "case.cfg:7: boundary \"right\" has a curve, which gives the normals; leave out the others\n"
     "case.cfg:7: boundary \"right\": over the edge from (1, 0) to (1, 1) the function is zero at the distance 0.5 "
     "from the node (1, 0), which is 0.5 of the edge's length, and at most 0.02 is possible; correct the formula, or "
     "put the nodes onto the curve\n"
     "case.cfg:8: boundary \"top\": over the edge from (1, 1) to (0, 1) the normal at (0.966234757, 1) is (0, -1), "
     "which does not point out of the domain; change both signs",
     0},
    {"states that are not admissible somewhere",
     MESH ORDER TIME "initial = { rho = 1; u = 0; v = 0;\n"
                     "p = \"x - 0.5\"; };\n"
                     "exact = { rho = 1; v = 0; p = 1;\n"
                     "u = 1e200; };\n"
                     "boundary = {\n"
                     "left = { kind = \"state\"; state = \"initial\"; };\n"
                     "right = { kind = \"state\"; state = \"exact\"; };\n"
                     "top = { kind = \"far\"; rho = 1; u = 0; v = 0;\n"
                     "p = \"x < 0.5 ? 1 : 0\"; };\n"
                     "bottom = { kind = \"far\"; rho = -1; u = 0; v = 0; p = \"sqrt(-1)\"; };\n"
                     "};\n",
     "case.cfg:5: the initial state is not admissible at 3 of 6 points, for example (0.333333, 0.166667), t = 0: rho "
     "is 1, u is 0, "
     "v is 0 and p is -0.166667\n"
     "case.cfg:7: boundary \"right\": the given state is not admissible at all 2 points, for example (1, 0.211325), t "
     "= 0: rho is 1, "
     "u is 1e+200, v is 0 and p is 1; p is lost in the rounding of the conserved variables, which give nan\n"
     "case.cfg:12: boundary \"top\": the given state is not admissible at (0.788675, 1), t = 0: rho is 1, u is 0, v is "
     "0 and p is 0\n"
     "case.cfg:13: boundary \"bottom\": the given state is not admissible at all 2 points, for example (0.211325, 0), "
     "t = 0: "
     "rho is -1, u is 0, v is 0 and p is nan",
     0},
    {"an exact solution that is the initial state, which is wrong, is told once",
     MESH ORDER "time = { start = 2; end = 3; };\n"
                "initial = { rho = 1; u = 0; v = 0; p = \"1 - t\"; };\n"
                "exact = \"initial\";\n"
                "boundary = {\n"
                "left = { kind = \"state\"; state = \"initial\"; };\n"
                "right = { kind = \"state\"; state = \"exact\"; };\n" COPY("bottom") COPY("top") "};\n",
     "case.cfg:4: the initial state is not admissible at all 6 points, for example (0.333333, 0.166667), t = 2: rho is "
     "1, u is 0, "
     "v is 0 and p is -1",
     0},
    {"a state of another state that is wrong at a boundary only",
     MESH ORDER TIME "initial = { rho = 1; u = 0; v = 0;\n"
                     "p = \"1 - x\"; };\n"
                     "boundary = {\n"
                     "right = { kind = \"state\"; state = \"initial\"; };\n" COPY("left") COPY("bottom")
                         COPY("top") "};\n",
     "case.cfg:5: boundary \"right\": the given state is not admissible at all 2 points, for example (1, 0.211325), t "
     "= 0: rho is 1, "
     "u is 0, v is 0 and p is 0",
     0},
    {"normals of walls",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"wall\"; normal = [ 1, 0 ]; };\n"
                             "right = { kind = \"wall\"; normal = [ \"y - 0.5\", \"0\" ]; };\n"
                             "top = { kind = \"wall\"; normal = ( \"0/0\", 1 ); };\n"
                             "bottom = { kind = \"wall\"; normal = [ 0, -7 ]; };\n"
                             "};\n",
     "case.cfg:6: boundary \"left\": the normal points into the domain at all 2 points, for example (0, 0.788675): it "
     "is (1, 0); it "
     "must point outward\n"
     "case.cfg:7: boundary \"right\": the normal points into the domain at (1, 0.211325): it is (-0.288675, 0); it "
     "must point outward\n"
     "case.cfg:8: boundary \"top\": the normal has no direction at all 2 points, for example (0.788675, 1): it is "
     "(nan, 1)",
     0},
    {"a kind of boundary that the law lacks and a velocity that is not finite",
     MESH ORDER TIME "law = { name = \"advection\";\n"
                     "velocity = [ \"1\", \"1/(x - y)\" ]; };\n"
                     "initial = { u = \"0/0\"; };\n"
                     "boundary = {\n"
                     "left = { kind = \"wall\"; normal = [ 1, 0 ]; };\n" COPY("right") COPY("bottom")
                         COPY("top") "};\n",
     "case.cfg:5: velocity_y is inf at 2 of 16 points, for example (0.211325, 0.211325); it must be finite\n"
     "case.cfg:6: the initial state is not admissible at all 6 points, for example (0.333333, 0.166667), t = 0: u is "
     "nan\n"
     "case.cfg:8: boundary \"left\": kind \"wall\" is not made for the law \"advection\"; it has state and copy",
     0},
    {"errors of both kinds at once",
     MESH "order = 3;\n"
          "limiter = \"barth-jespersen\"; tile = 1;\n"
          "time = { end = 1; cfl = -1; };\n"
          "initial = { rho = 0; u = 0; v = 0; p = 1; };\n"
          "boundary = {\n"
          "left = { kind = \"wall\"; normal = [ 1, 0 ]; };\n"
          "rigth = { kind = \"copy\"; };\n"
          "top = { kind = \"state\"; }; };\n",
     "case.cfg:3: there is no key \"tile\" here; did you mean \"title\"?\n"
     "case.cfg:3: the limiter \"barth-jespersen\" is made for order 1; the order is 3\n"
     "case.cfg:4: time.cfl is -1; it must be greater than 0\n"
     "case.cfg:5: the initial state is not admissible at all 24 points, for example (0.498573, 0.249287), t = 0: rho "
     "is 0, u is 0, "
     "v is 0 and p is 1\n"
     "case.cfg:6: the mesh has a boundary \"bottom\", which has no condition here: boundary = { bottom = { kind = "
     "\"...\"; }; }\n"
     "case.cfg:7: boundary \"left\": the normal points into the domain at all 4 points, for example (0, 0.930568): it "
     "is (1, 0); it "
     "must point outward\n"
     "case.cfg:8: boundary \"rigth\" is not in the mesh; the mesh has bottom, right, top, left\n"
     "case.cfg:9: boundary.top of kind \"state\" needs state = \"exact\" or \"initial\", or rho, u, v and p",
     0},
    {"a boundary without a condition whose name cannot be a key",
     "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; left = \"the left\"; }; };\n" ORDER TIME INITIAL
     "boundary = {\n" COPY("right") COPY("top") COPY("bottom") "};\n",
     "case.cfg:5: the mesh has a boundary \"the left\", which has no condition here and whose name cannot be a key: "
     "boundary = { any = { name = \"the left\"; kind = \"...\"; }; }",
     0},
    {"a name that is not in the mesh",
     MESH ORDER TIME INITIAL "boundary = {\n" COPY("left") COPY("right")
         COPY("top") "low = { name = \"botom\"; kind = \"copy\"; }; };\n",
     "case.cfg:9: boundary \"botom\" is not in the mesh; the mesh has bottom, right, top, left", 0},
    {"two conditions for a boundary",
     MESH ORDER TIME INITIAL "boundary = {\n" COPY("left") COPY("right") COPY("top")
         COPY("bottom") "west = { name = \"left\"; kind = \"wall\"; };\n"
                        "};\n",
     "case.cfg:10: boundary.left and boundary.west are both conditions for the boundary \"left\"", 0},
    {"a periodic boundary without the other one",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; };\n" COPY("right") COPY("bottom") COPY("top") "};\n",
     "case.cfg:6: boundary.left is periodic but has no partner: set \"with\"", 0},
    {"a periodic boundary with itself",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"left\"; };\n" COPY("right") COPY("bottom")
                                 COPY("top") "};\n",
     "case.cfg:6: boundary.left.with is the boundary itself", 0},
    {"a periodic boundary with a wall",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"right\"; };\n"
                             "right = { kind = \"wall\"; };\n" COPY("bottom") COPY("top") "};\n",
     "case.cfg:6: boundary.left.with is \"right\", whose kind is not \"periodic\"", 0},
    {"a periodic boundary with one that is not in the mesh",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"rigth\"; };\n"
                             "right = { kind = \"periodic\"; with = \"left\"; };\n" COPY("bottom") COPY("top") "};\n",
     "case.cfg:6: boundary \"rigth\" is not in the mesh; the mesh has bottom, right, top, left\n"
     "case.cfg:7: boundary.right.with is \"left\", but boundary.left.with is \"rigth\"",
     0},
    {"a periodic boundary with a name that is nowhere",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"east\"; };\n" COPY("right") COPY("bottom")
                                 COPY("top") "};\n",
     "case.cfg:6: boundary \"east\" is not in the mesh; the mesh has bottom, right, top, left", 0},
    {"three periodic boundaries",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"right\"; };\n"
                             "right = { kind = \"periodic\"; };\n"
                             "bottom = { kind = \"periodic\"; with = \"right\"; };\n" COPY("top") "};\n",
     "case.cfg:8: boundary.bottom.with is \"right\", which is paired with \"left\"", 0},
    {"translations that disagree",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"right\"; translation = [1, 0]; };\n"
                             "right = { kind = \"periodic\"; with = \"left\"; translation = [1, 0]; };\n" COPY("bottom")
                                 COPY("top") "};\n",
     "case.cfg:7: boundary.right.translation (1, 0) must be the opposite of boundary.left.translation (1, 0)", 0},
    {"a translation that does not fit the mesh",
     MESH ORDER TIME INITIAL "boundary = {\n"
                             "left = { kind = \"periodic\"; with = \"right\"; translation = [2, 0]; };\n" COPY("bottom")
                                 COPY("top") "};\n",
     "square.msh: the periodic boundaries \"left\" and \"right\", which is (2, 0) away, do not match: 1 of 1 and 1 of "
     "1 edges have no "
     "partner, for example the edge from node 4 (0, 1) to node 1 (0, 0) of triangle 6; leave the translation out, or "
     "correct it",
     EW_EMESH},
    {"wrong output",
     GOOD "output = { fields = { every = -1;\n"
          "at = 3; subdivide = 0;\n"
          "compression = 10; }; };\n",
     "case.cfg:11: output.fields.every is -1; it must be greater than 0\n"
     "case.cfg:12: output.fields.at must be a list of numbers\n"
     "case.cfg:12: output.fields.subdivide is 0; it must be from 1 to 16\n"
     "case.cfg:13: output.fields.compression is 10; it must be from 0 to 9",
     0},
    {"a period that is lost in rounding",
     MESH ORDER "time = { start = 1e9; end = 2e9; };\n" INITIAL BOUNDARY "output = { fields = { every = 1e-9; }; };\n",
     "case.cfg:11: output.fields.every is 1e-09, less than the rounding of times up to 2000000000", 0},
    {"a setting that is given twice", GOOD "order = 2;\n",
     "case.cfg:11: the key \"order\" appears twice in its group", 0},
    {"a setting that is given twice among others",
     MESH ORDER
     "title = \"a\"; time = { end = 1; cfl = 0.5; start = 0; cfl = 0.4; }; flux = \"llf\";\n" INITIAL BOUNDARY,
     "case.cfg:3: the key \"cfl\" appears twice in its group", 0},
    {"a title of two lines", GOOD "title = \"a\nb\";\n",
     "case.cfg:11: title has a line break or another control character; it must be one line", 0},
    {"kinds of boundaries of PyFR and OpenFOAM", MESH ORDER TIME INITIAL
     "boundary = { left = { kind = \"char-riem-inv\"; }; right = { kind = \"totalPressure\"; };\n"
     "bottom = { kind = \"no-slp-adia-wall\"; }; top = { kind = \"empty\"; }; };\n",
     "case.cfg:5: boundary.left.kind cannot be \"char-riem-inv\"; did you mean \"far\"?\n"
     "case.cfg:5: boundary.right.kind cannot be \"totalPressure\"; did you mean \"inlet\"?\n"
     "case.cfg:6: boundary.bottom.kind cannot be \"no-slp-adia-wall\"; \"no-slip\" is for the law "
     "navier-stokes; other fluids slip along a \"wall\"\n"
     "case.cfg:6: boundary.top.kind cannot be \"empty\"; edgewise is 2D and needs no boundary for the third dimension",
     0},
    {"a line that is no setting", MESH "order 2;\n" TIME INITIAL BOUNDARY,
     "case.cfg:2: syntax error: here, or at the end of the line before, this is not \"key = value;\" with texts in "
     "\"\", lists in ( ) or [ ] and groups in { }",
     0},
    {"a formula without quotes", GOOD "let = { a = 1, u = max(mach*cos(a), 2); };\n",
     "case.cfg:11: syntax error: formulas and other texts are in quotes: \"max(mach*cos(a), 2)\"", 0},
    {"... that begins with a number", GOOD "let = { u = 2*a; };\n",
     "case.cfg:11: syntax error: formulas and other texts are in quotes: \"2*a\"", 0},
    {"... in a list", GOOD "law = { velocity = [1.0, -a]; };\n",
     "case.cfg:11: syntax error: formulas and other texts are in quotes: \"-a\"", 0},
    {"a flag that is neither true nor false", GOOD "output = { only = Yes; };\n",
     "case.cfg:11: syntax error: write true or false, not Yes", 0},
    {"a semicolon that is missing", GOOD "output = { only = true series = \"a\"; } };\n",
     "case.cfg:11: syntax error: here, or at the end of the line before, this is not \"key = value;\" with texts in "
     "\"\", lists in ( ) or [ ] and groups in { }", 0},
    {"a string without an end", MESH "title = \"vortex;\n" ORDER TIME,
     "case.cfg:2: the string that starts here has no end: a \" is missing", 0},
    {"a comment without an end", MESH ORDER "/* from here\n" TIME,
     "case.cfg:3: the comment that starts here has no end: a */ is missing", 0},
    {"a group without an end", MESH ORDER "time = { end = 1;\n",
     "case.cfg:4: syntax error: here, or at the end of the line before, this is not \"key = value;\" with texts in "
     "\"\", lists in ( ) or [ ] and groups in { }",
     0},
    {"many errors at once",
     "mesh = \"square.msh\";\n"
     "law = { name = \"euler\"; gama = 1.3; };\n"
     "order = 7;\n"
     "flux = \"lff\";\n"
     "limitter = \"none\";\n"
     "time = { scheme = \"rk5\"; cfll = 0.5; end = 1; };\n"
     "let = { r = \"hypot(x,y\"; };\n"
     "initial = { rho = \"r + qq\"; u = 0; v = 0; };\n"
     "boundary = { left = { kind = \"wal\"; }; inner = { kind = \"copy\"; };\n" COPY("right") COPY("top") "};\n",
     "case.cfg:2: there is no key \"gama\" in law; did you mean \"gamma\"?\n"
     "case.cfg:3: order is 7; it must be from 1 to 5\n"
     "case.cfg:4: flux cannot be \"lff\"; did you mean \"llf\"?\n"
     "case.cfg:5: there is no key \"limitter\" here; did you mean \"limiter\"?\n"
     "case.cfg:6: there is no key \"cfll\" in time; did you mean \"cfl\"?\n"
     "case.cfg:6: time.scheme cannot be \"rk5\"; did you mean \"rk2\"?\n"
     "case.cfg:7: let.r: column 6: \"(\" has no \")\"\n"
     "case.cfg:8: initial lacks \"p\" (pressure)\n"
     "case.cfg:8: initial.rho: column 5: unknown name \"qq\"\n"
     "case.cfg:9: boundary.left.kind cannot be \"wal\"; did you mean \"wall\"?\n"
     "case.cfg:9: boundary \"inner\" is not in the mesh; the mesh has bottom, right, top, left\n"
     "case.cfg:9: the mesh has a boundary \"bottom\", which has no condition here: boundary = { bottom = { kind = "
     "\"...\"; }; }",
     0},
};

static const struct {
    const char *setting, *sentence;
} overrides[] = {
    {"time.cfll=0.4", "--set time.cfll=0.4: there is no key \"cfll\" in time; did you mean \"cfl\"?"},
    {"tme.cfl=0.4", "--set tme.cfl=0.4: there is no key \"tme\" here; did you mean \"time\"?"},
    {"cfl=0.4", "--set cfl=0.4: there is no key \"cfl\" here; did you mean \"time.cfl\"?"},
    {"time.cfl=0", "--set time.cfl=0: time.cfl is 0; it must be greater than 0"},
    {"time.cfl=no", "--set time.cfl=no: time.cfl: column 1: unknown name \"no\""},
    {"time.end=nan", "--set time.end=nan: time.end: column 1: a finite number must be here, not \"nan\""},
    {"output.fields.at=[0.1, nan]",
     "--set output.fields.at=[0.1, nan]: syntax error: numbers must be finite; nan and inf are not"},
    {"output={ fields = { at = [0.1, -inf]; }; }", "--set output={ fields = { at = [0.1, -inf]; }; }: syntax error: "
                                                   "numbers must be finite; nan and inf are not"},
    {"mesh=", "--set mesh=: mesh has no value; it must be the name of a Gmsh file, or a group with a rectangle"},
    {"time.end=1/0", "--set time.end=1/0: time.end is infinite; it must be finite"},
    {"order=", "--set order=: order: column 1: the formula is empty"},
    {"order=two", "--set order=two: order: column 1: unknown name \"two\""},
    {"order", "--set order: this sets nothing; write path.to.key=value"},
    {"=3", "--set =3: this sets nothing; write path.to.key=value"},
    {"1=2", "--set 1=2: \"1\" cannot be set like this; write path.to.key=value"},
    {"a..b=3", "--set a..b=3: this sets nothing; write path.to.key=value"},
    {".order=3", "--set .order=3: this sets nothing; write path.to.key=value"},
    {"order.=3", "--set order.=3: this sets nothing; write path.to.key=value"},
    {"time.cfl.x=1", "--set time.cfl.x=1: time.cfl must be a number or a formula of constants, not a group"},
    {"mesh.rectangle.cells=(2,2)",
     "--set mesh.rectangle.cells=(2,2): \"mesh\" is not a group here, so nothing in it can be set"},
    {"flux=lff", "--set flux=lff: flux cannot be \"lff\"; did you mean \"llf\"?"},
    {"title=[1", "--set title=[1: syntax error: here, or at the end of the line before, this is not \"key = value;\" "
                 "with texts in \"\", lists in ( ) or [ ] and groups in { }"},
    {"mesh.rectangle={ corners = [0, 1.5]; }",
     "--set mesh.rectangle={ corners = [0, 1.5]; }: mismatched element type in array: write all members of [ ] with a "
     "point (0.0, 3.5) or none, or put them in ( )"},
    {"order=10000000000", "--set order=10000000000: order is 10000000000; it must be from 1 to 5"},
    {"order=-10000000000", "--set order=-10000000000: order is -10000000000; it must be from 1 to 5"},
    {"time.steps=99999999999999999999",
     "--set time.steps=99999999999999999999: 99999999999999999999 is too large for an integer; add a decimal point"},
    {"mesh={ rectangle = { corners = [0, 0, 1, 1]; cells = [2, 5000000000]; }; }",
     "--set mesh={ rectangle = { corners = [0, 0, 1, 1]; cells = [2, 5000000000]; }; }: mesh.rectangle.cells[1] is "
     "5000000000; it must be from 1 to 1000000"},
    {"output.fields.at=(5000000000, 99999999999999999999)",
     "--set output.fields.at=(5000000000, 99999999999999999999): 99999999999999999999 is too large for an integer; "
     "add a decimal point"},
    {"let.foo=1", "--set let.foo=1: the case has no \"let.foo\", so it would change nothing"},
    {"title=a\tb", "--set title=a\\tb: title has a line break or another control character; it must be one line"},
    {"time={ end = 2; ends = 3; }",
     "--set time={ end = 2; ends = 3; }: there is no key \"ends\" in time; did you mean \"end\"?"},
    {"boundary.left.kind=wal",
     "--set boundary.left.kind=wal: boundary.left.kind cannot be \"wal\"; did you mean \"wall\"?"},
    {"boundary.inner.kind=wall",
     "--set boundary.inner.kind=wall: boundary \"inner\" is not in the mesh; the mesh has bottom, right, top, left"},
    {"initial.rho=1 + z", "--set initial.rho=1 + z: initial.rho: column 5: unknown name \"z\""},
    {"law.gamma=1", "--set law.gamma=1: gamma is 1; it must be greater than 1"},
    {"output.probes=({name=\"a\"; x=0.5; y=0.02)",
     "--set output.probes=({name=\"a\"; x=0.5; y=0.02): syntax error: here, or at the end of the line before, this is "
     "not \"key = value;\" with texts in \"\", lists in ( ) or [ ] and groups in { }"},
    {"output.probes=({x=0.5; y=0.5; at=[5,5];})", "--set output.probes=({x=0.5; y=0.5; at=[5,5];}): there is no key "
                                                  "\"at\" in output.probes[0]; the choices are name, x and y"},
    {"output.fields.at=5", "--set output.fields.at=5: output.fields.at must be a list of numbers"},
};
