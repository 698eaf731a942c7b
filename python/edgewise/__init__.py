# SPDX-License-Identifier: BSD-2-Clause
"""edgewise: two-dimensional hyperbolic conservation laws by the modal discontinuous Galerkin method on triangles.

>>> import edgewise
>>> edgewise.__version__ == edgewise.library_version()
True

`run` runs a case to its end, `sweep` many of them; `Solver` is stepped by hand; `Case` and `Mesh` say what is solved;
`open` reads what was written. Keys and values of cases are those of edgewise-case(5).
"""
from __future__ import annotations

from ._library import VERSION as __version__
from ._library import Error, lib as _lib
from .case import Case, case_text
from .device import DeviceArray
from .mesh import Mesh
from .results import Results, chart, oscillation
from .run import Progress, Result, Sweep, run, sweep
from .solver import Solver

__all__ = ["Case", "DeviceArray", "Error", "Mesh", "Progress", "Result", "Results", "Solver", "Sweep", "case_text",
           "chart", "library_path", "library_version", "open", "oscillation", "run", "sweep"]

for _public in (Case, DeviceArray, Error, Mesh, Progress, Result, Results, Solver, Sweep):
    _public.__module__ = "edgewise"  # what tracebacks call them
del _public


def open(path: object) -> Results:
    """Reads NAME.nc, also while a run is still writing it."""
    return Results(path)


def library_version() -> str:
    """The C library's version."""
    return _lib.ew_version().decode()


def library_path() -> str:
    """The C library's file, by the name that it was found with."""
    return _lib._name
