# SPDX-License-Identifier: BSD-2-Clause
"""Fields and time series read back, and pictures of them."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Optional

import numpy as np

from . import _c
from ._library import Trap, call, encoded, host, lib, text
from .mesh import _pointer

_RANGES = {"automatic": _c.EW_RANGE_AUTOMATIC, "symmetric": _c.EW_RANGE_SYMMETRIC}


def read_series(path: Any) -> dict[str, np.ndarray]:
    """The columns of NAME.series.csv."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        values = np.loadtxt(file, delimiter=",", ndmin=2)
    return {name: values[:, k].astype(np.int64) if name == "step" else values[:, k] for k, name in enumerate(names)}


def series_dataset(path: Any) -> Any:
    """The same as an ``xarray.Dataset`` over ``time``."""
    import xarray
    columns = read_series(path)
    time = columns.pop("time")
    return xarray.Dataset({name: ("time", column) for name, column in columns.items()}, coords={"time": time})


class Results:
    """Fields of NAME.nc, also while a run is still writing them, or of a restart file.

    Attributes
    ----------
    path, title, status : str
        The file; of the run: "complete", "running", ...
    fields : list of str
        Names of the fields.
    times : ndarray
        Of the frames.
    elements, order, subdivide : int
        Of the mesh, and of what is in the file.
    """

    def __init__(self, path: Any) -> None:
        self._handle = ctypes.c_void_p()
        with Trap():
            call("ew_results_open", host, encoded(os.fspath(path)), ctypes.byref(self._handle))
        info = _c.ew_results_info()
        lib.ew_results_get_info(self._handle, ctypes.byref(info))
        self.path, self.title, self.status = text(info.path), text(info.title), text(info.status)
        self.elements, self.order, self.subdivide = info.elements, info.order, info.subdivide
        self.times = np.array([lib.ew_results_time(self._handle, k, None) for k in range(info.frames)])
        self.fields = [lib.ew_results_field(self._handle, k, None, None).decode() for k in range(info.fields)]

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.ew_results_close(self._handle)

    def _field(self, field: Optional[str]) -> int:
        number = ctypes.c_int()
        call("ew_results_find", self._handle, encoded(field or self.fields[0]), ctypes.byref(number))
        return number.value

    def _frame(self, frame: int) -> int:
        if not -len(self.times) <= frame < len(self.times):
            raise IndexError(f"there is no frame {frame}; there are {len(self.times)}")
        return frame % len(self.times)

    def sample(self, field: str, frame: int = -1, points: Any = ((1 / 3, 1 / 3),)) -> np.ndarray:
        """Values at points of the reference triangle (0,0), (1,0), (0,1), in each element: (elements, points)."""
        rs = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
        values = np.empty((self.elements, len(rs)))
        call("ew_results_sample", self._handle, self._frame(frame), self._field(field), 0, self.elements, len(rs),
             _pointer(rs, ctypes.c_double), _pointer(values, ctypes.c_double))
        return values

    @property
    def corners(self) -> np.ndarray:
        """Coordinates of the corners of the elements, (elements, 3, 2)."""
        xy = np.empty((self.elements, 3, 2))
        call("ew_results_corners", self._handle, 0, self.elements, _pointer(xy, ctypes.c_double))
        return xy

    def triangulation(self, subdivide: Optional[int] = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """x, y, triangles and the points for `sample`: each element cut into subdivide^2 triangles of its own nodes."""
        n = subdivide or max(self.subdivide, 1)
        lattice = [(i, j) for j in range(n + 1) for i in range(n + 1 - j)]
        number = {ij: k for k, ij in enumerate(lattice)}
        small = [(number[i, j], number[i + 1, j], number[i, j + 1]) for i, j in lattice if i + j < n]
        small += [(number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]) for i, j in lattice if i + j < n - 1]
        rs = np.array(lattice, dtype=np.float64) / n
        corner = self.corners
        weights = np.column_stack([1 - rs.sum(axis=1), rs])
        xy = np.einsum("pk,ekd->epd", weights, corner).reshape(-1, 2)
        shift = np.arange(self.elements)[:, None, None] * len(lattice)
        return xy[:, 0], xy[:, 1], (np.array(small)[None] + shift).reshape(-1, 3), rs

    def plot(self, field: Optional[str] = None, frame: int = -1, ax: Any = None, levels: Any = 64,
             colorbar: bool = True, **options: Any) -> Any:
        """Filled contours by matplotlib's ``tricontourf``, which gets the options; jumps between elements stay.

        Returns
        -------
        matplotlib.axes.Axes
        """
        import matplotlib.pyplot
        ax = matplotlib.pyplot.gca() if ax is None else ax
        field = field or self.fields[0]
        x, y, triangles, rs = self.triangulation()
        drawn = ax.tricontourf(x, y, triangles, self.sample(field, frame, rs).ravel(), levels, **options)
        if colorbar:
            ax.figure.colorbar(drawn, ax=ax, label=field)
        ax.set_aspect("equal")
        ax.set_title(f"{field}, t = {self.times[frame]:g}")
        return ax

    def png(self, path: Any, field: Optional[str] = None, frame: int = -1, *, range: Any = "automatic",
            log: bool = False, isolines: int = 0, mesh: bool = False, window: Any = None, map: Optional[str] = None,
            title: Optional[str] = None, width: int = 0, height: int = 0, bare: bool = False) -> dict[str, float]:
        """A picture as ``edgewise plot`` makes it, each pixel from its triangle's polynomial.

        Parameters
        ----------
        range : "automatic", "symmetric" or (low, high)
            Of the colours.

        Returns
        -------
        dict
            The range of the colours, low and high; the least and the greatest value in the picture.
        """
        plot, shown = _c.ew_plot(), _c.ew_plot_shown()
        plot.field, plot.frame = self._field(field), self._frame(frame)
        if not isinstance(range, str):
            plot.range, (plot.low, plot.high) = _c.EW_RANGE_FIXED, range
        elif range in _RANGES:
            plot.range = _RANGES[range]
        else:
            raise ValueError(f"the range is {range!r}; it can be 'automatic', 'symmetric' or (low, high)")
        plot.logarithmic, plot.isolines, plot.mesh, plot.bare = int(log), isolines, int(mesh), int(bare)
        plot.map, plot.title, plot.width, plot.height = encoded(map), encoded(title), width, height
        if window is not None:
            plot.zoom = 1
            plot.window[:] = [float(value) for value in window]
        with Trap():
            call("ew_plot_write", self._handle, ctypes.byref(plot), encoded(os.fspath(path)), ctypes.byref(shown))
        return {name: getattr(shown, name) for name in ("low", "high", "least", "greatest")}

    def __repr__(self) -> str:
        return f"<Results {self.path}: {', '.join(self.fields)}; {len(self.times)} frames>"

