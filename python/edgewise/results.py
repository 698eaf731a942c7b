# SPDX-License-Identifier: BSD-2-Clause
"""Fields and time series read back, and pictures of them."""
from __future__ import annotations

import csv
import ctypes
import importlib
import os
import tempfile
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import _c
from ._library import Trap, call, encoded, host, lib, text
from .mesh import _pointer

_RANGES = {"automatic": _c.EW_RANGE_AUTOMATIC, "auto": _c.EW_RANGE_AUTOMATIC, "symmetric": _c.EW_RANGE_SYMMETRIC,
           "full": _c.EW_RANGE_FULL, "robust": _c.EW_RANGE_ROBUST}


def _set_range(plot: _c.ew_plot, value: Any) -> None:
    if isinstance(value, str) and "," not in value:
        if value not in _RANGES:
            raise ValueError(f"the range is {value!r}; it can be {', '.join(map(repr, _RANGES))}, (low, high) or "
                             "'1%,99%'")
        plot.range = _RANGES[value]
        return
    try:
        low, high = value.split(",") if isinstance(value, str) else value
        percent = [isinstance(end, str) and end.strip().endswith("%") for end in (low, high)]
        plot.low, plot.high = [float(end.strip().rstrip("%") if isinstance(end, str) else end) for end in (low, high)]
    except (TypeError, ValueError):
        percent = [False, True]
    if percent[0] != percent[1]:
        raise ValueError(f"the range is {value!r}; it needs two numbers or two percentiles, as (0, 2) or '1%,99%'")
    plot.range = _c.EW_RANGE_ROBUST if percent[0] else _c.EW_RANGE_FIXED


def _check_title(title: Optional[str], bare: Any) -> None:
    if title is not None and bare:
        raise ValueError("a picture with bare=True has no room for a title: leave out one of them")


def _target(path: Any, *endings: str, what: str = "picture") -> Optional[bytes]:
    """The path of a picture; its ending says what is written."""
    name = os.fspath(path)
    if not os.fsdecode(name).startswith("/dev/") and not os.fsdecode(name).endswith(endings):
        raise ValueError(f"{os.fsdecode(name)!r}: the name of a {what} must end in {' or '.join(endings)}")
    return encoded(name)


_PICTURES = (".png", ".svg", ".pdf")


def _plot(field: int, frame: int, *, range: Any = "automatic", log: bool = False, isolines: Any = 0,
          mesh: bool = False, vectors: int = 0, streamlines: int = 0, window: Any = None, map: Optional[str] = None,
          width: int = 0, height: int = 0, supersample: int = 0, bare: bool = False,
          palette: bool = False) -> tuple[_c.ew_plot, Any]:
    """A plot, and the numbers that it points to."""
    levels = np.ascontiguousarray(() if isinstance(isolines, int) else isolines, dtype=np.float64)
    plot = _c.ew_plot(field=field, frame=frame, logarithmic=int(log), mesh=int(mesh), vectors=vectors,
                      streamlines=streamlines, map=encoded(map), width=width, height=height, supersample=supersample,
                      bare=int(bare), palette=int(palette))
    plot.isolines = isolines if isinstance(isolines, int) else len(levels)
    if len(levels):
        plot.level = _pointer(levels, ctypes.c_double)
    _set_range(plot, range)
    if window is not None:
        plot.zoom = 1
        plot.window[:] = [float(value) for value in window]
    return plot, levels


def _window(results: Any, window: Any) -> Any:
    """The window's corners."""
    if not isinstance(window, str):
        return window
    if window != "bodies":
        raise ValueError(f'window is (x0, y0, x1, y1) or "bodies", not {window!r}')
    corners = (ctypes.c_double * 4)()
    call("ew_plot_bodies", results, corners)
    return tuple(corners)


def chart(path: Any, curves: Mapping[str, Any], *, title: Optional[str] = None, x_title: Optional[str] = None,
          y_title: Optional[str] = None, log_x: bool = False, log_y: bool = False, x_range: Any = (0, 0),
          y_range: Any = (0, 0), width: int = 0, height: int = 0) -> None:
    """Curves as a picture (.png, .svg, .pdf): histories, for example, by name as pairs of arrays.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     chart(f"{folder}/drag.svg", {"drag": ([0, 1, 2], [0.0, 0.4, 0.5])}, x_title="t")
    ...     os.listdir(folder)
    ['drag.svg']
    """
    target = _target(path, *_PICTURES)
    made, kept = [], []
    for name, (x, y) in curves.items():
        pair = [np.ascontiguousarray(values, dtype=np.float64).ravel() for values in (x, y)]
        if len(pair[0]) != len(pair[1]):
            raise ValueError(f"{name!r} has {len(pair[0])} values of x and {len(pair[1])} of y")
        kept.append(pair)
        made.append(_c.ew_curve(name=encoded(name), points=len(pair[0]), x=_pointer(pair[0], ctypes.c_double),
                                y=_pointer(pair[1], ctypes.c_double)))
    curve = (_c.ew_curve * max(len(made), 1))(*made)
    what = _c.ew_chart(title=encoded(title), x_title=encoded(x_title), y_title=encoded(y_title), curves=len(made),
                       curve=curve, logarithmic_x=int(log_x), logarithmic_y=int(log_y), x_low=x_range[0],
                       x_high=x_range[1], y_low=y_range[0], y_high=y_range[1], width=width, height=height)
    with Trap():
        call("ew_chart_write", host, ctypes.byref(what), target)


def oscillation(time: Any, values: Any, start: float = -np.inf, end: float = np.inf) -> dict[str, Any]:
    """Mean, amplitude and frequency of a signal, such as the lift of a series, between two times.

    The keys are those of the C structure: mean, deviation, frequency, amplitude and spread are as edgewise-series(1)
    describes them; start and end are the times from and to which it counts ``periods`` whole periods; least and
    greatest are the extreme values. Without two whole periods, the frequency is NaN, and ``why`` says why.

    Examples
    --------
    >>> t = np.linspace(0, 10, 500)
    >>> f"{oscillation(t, np.sin(5 * t))['frequency']:.3f}"
    '0.796'
    """
    signal = [np.ascontiguousarray(column, dtype=np.float64).ravel() for column in (time, values)]
    if len(signal[0]) != len(signal[1]):
        raise ValueError(f"there are {len(signal[0])} times and {len(signal[1])} values")
    found = _c.ew_oscillation()
    with Trap():
        call("ew_oscillation_measure", len(signal[0]), *[_pointer(column, ctypes.c_double) for column in signal], start,
             end, ctypes.byref(found))
    names = ["mean", "deviation", "least", "greatest", "periods", "frequency", "amplitude", "spread"]
    return {"start": getattr(found, "from"), "end": found.to, **{name: getattr(found, name) for name in names},
            "why": text(found.why)}


_SLACK = 1e-10  # as config/case_series.c has it for probes


def _locate(corner: np.ndarray, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first triangle that has each point, -1: none; and its place in the reference triangle."""
    order = np.argsort(xy[:, 0], kind="stable")
    element, rs = np.full(len(xy), -1), np.zeros((len(xy), 2))
    least, most = corner[:, :, 0].min(axis=1), corner[:, :, 0].max(axis=1)
    slack = 1e-9 * (most - least)
    first = np.searchsorted(xy[order, 0], least - slack, "left")
    count = np.searchsorted(xy[order, 0], most + slack, "right") - first
    for begin in range(0, len(corner), 65536):  # in pieces, for the sake of memory
        part = slice(begin, begin + 65536)
        e = np.repeat(np.arange(begin, begin + len(count[part])), count[part])
        within = np.arange(len(e)) - np.repeat(np.cumsum(count[part]) - count[part], count[part])
        p = order[np.repeat(first[part], count[part]) + within]
        a, b, c = (corner[e, k] for k in range(3))
        (xr, yr), (xs, ys), (dx, dy) = (b - a).T, (c - a).T, (xy[p] - a).T
        det = xr * ys - xs * yr
        r, s = (ys * dx - xs * dy) / det, (xr * dy - yr * dx) / det
        hit = np.flatnonzero((r >= -_SLACK) & (s >= -_SLACK) & (r + s <= 1 + _SLACK) & (element[p] < 0))
        found, at = np.unique(p[hit], return_index=True)
        element[found] = e[hit][at]
        rs[found] = np.column_stack([r[hit][at], s[hit][at]])
    return element, rs


def optional(name: str, packages: str, instead: str) -> Any:
    """Imports a module that most of the package does without; if it is missing, the error says how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ImportError(f"{error.name} is not installed: pip install {packages}, or pip install './python[all]'; "
                          f"{instead}", name=error.name) from error


def read_series(path: Any) -> dict[str, np.ndarray]:
    """The columns of NAME.series.csv."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        values = np.loadtxt(file, delimiter=",", ndmin=2)
    return {name: values[:, k].astype(np.int64) if name == "step" else values[:, k] for k, name in enumerate(names)}


def series_dataset(path: Any) -> Any:
    """The same as an ``xarray.Dataset`` over ``time``."""
    xarray = optional("xarray", "xarray netCDF4", "Result.series_arrays does not need it")
    columns = read_series(path)
    time = columns.pop("time")
    return xarray.Dataset({name: ("time", column) for name, column in columns.items()}, coords={"time": time})


class Results:
    """Fields of NAME.nc, also while a run is still writing them, or of a restart file.

    Attributes
    ----------
    path, title, status : str
        The file's absolute path; of the run: "complete", "running", ...
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
            call("ew_results_open", host, encoded(os.path.abspath(path)), ctypes.byref(self._handle))
        info = _c.ew_results_info()
        lib.ew_results_get_info(self._handle, ctypes.byref(info))
        self.path, self.title, self.status = text(info.path), text(info.title), text(info.status)
        self.elements, self.order, self.subdivide = info.elements, info.order, info.subdivide
        self.times = np.array([lib.ew_results_time(self._handle, k, None) for k in range(info.frames)])
        self._read_names()

    def _read_names(self) -> None:
        info = _c.ew_results_info()
        lib.ew_results_get_info(self._handle, ctypes.byref(info))
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

    def at(self, points: Any, field: Any = None, frame: int = -1) -> np.ndarray:
        """Values at points (x, y) of the plane, each from its triangle's polynomial; NaN outside of the mesh.

        On an edge, the values are those of the first triangle, as `output.probes` have them.

        Parameters
        ----------
        points : array, shape (..., 2)
        field : str or sequence of str, optional

        Returns
        -------
        ndarray, shape (...), or (..., fields) for several fields
        """
        xy = np.asarray(points, dtype=np.float64)
        if xy.ndim == 0 or xy.shape[-1] != 2:
            raise ValueError(f"points have the shape (..., 2), not {xy.shape}")
        names = [field] if isinstance(field, (str, type(None))) else list(field)
        numbers, flat = [self._field(name) for name in names], xy.reshape(-1, 2)
        element, rs = _locate(self.corners, flat)
        values = np.full((len(flat), len(names)), np.nan)
        for e in np.unique(element[element >= 0]):
            inside = np.flatnonzero(element == e)
            there, found = np.ascontiguousarray(rs[inside]), np.empty(len(inside))
            for k, number in enumerate(numbers):
                call("ew_results_sample", self._handle, self._frame(frame), number, int(e), 1, len(inside),
                     _pointer(there, ctypes.c_double), _pointer(found, ctypes.c_double))
                values[inside, k] = found
        shape = xy.shape[:-1]
        return values.reshape(shape + (len(names),)) if field is not None and not isinstance(field, str) \
            else values.reshape(shape)

    def line(self, start: Any, end: Any, field: Optional[str] = None, frame: int = -1,
             points: int = 0) -> dict[str, np.ndarray]:
        """A field along a line, as ``edgewise plot --line`` tabulates it: distance, x, y, element and the field.

        At an edge there are both triangles' values. `points` are so many evenly over the line, besides those where it
        crosses an edge; 0: 1000, but none within triangles on which the field is linear.
        """
        probe = _c.ew_probe(field=self._field(field), frame=self._frame(frame), points=points)
        probe.line[:] = [float(value) for value in (*start, *end)]
        return self._table(probe)

    def boundary(self, name: Any, fields: Sequence[str] = (), frame: int = -1) -> dict[str, np.ndarray]:
        """Fields along a boundary or several, as ``edgewise plot --boundary`` tabulates them.

        All fields, unless some are named.
        The columns are arc (length along the boundaries, the domain on their left), x/c (from the least x, 0, to the
        greatest, 1), x, y, boundary (its name), element and the fields. Where two edges meet there are both values.
        """
        names = [name] if isinstance(name, str) else list(name)
        numbers = [self._field(field) for field in fields or self.fields]
        others = (ctypes.c_int * max(len(numbers) - 1, 1))(*numbers[1:])
        return self._table(_c.ew_probe(field=numbers[0], frame=self._frame(frame), others=len(numbers) - 1,
                                       other=others, boundary=encoded(",".join(names))))

    def _table(self, probe: _c.ew_probe) -> dict[str, np.ndarray]:
        """The columns of a probe's table."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "probe.csv")
            with Trap():
                call("ew_probe_write", self._handle, ctypes.byref(probe), encoded(path))
            with open(path, encoding="utf-8", newline="") as file:
                head, *rows = csv.reader(file)
        kinds = {"element": np.int64, "boundary": np.str_}
        columns = zip(*rows) if rows else [()] * len(head)
        return {name: np.array(column, dtype=np.str_).astype(kinds.get(name, np.float64))
                for name, column in zip(head, columns)}

    def vtu(self, path: Any, fields: Sequence[str] = (), frame: int = -1, *, subdivide: int = 0,
            lagrange: bool = False) -> None:
        """A frame as VTU for ParaView, as ``edgewise export`` writes it; all fields, unless some are named.

        Lagrange cells are curved surfaces over each triangle, in place of `subdivide`^2 flat ones.
        """
        target = _target(path, ".vtu", what="file")
        numbers = (ctypes.c_int * max(len(fields), 1))(*[self._field(name) for name in fields])
        what = _c.ew_export(format=_c.EW_EXPORT_VTU, first_frame=self._frame(frame), frames=1, fields=len(fields),
                            field=numbers, subdivide=subdivide, lagrange=int(lagrange))
        with Trap():
            call("ew_export_write", self._handle, ctypes.byref(what), target)

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
        pyplot = optional("matplotlib.pyplot", "matplotlib", "png() draws without it")
        ax = pyplot.gca() if ax is None else ax
        field = field or self.fields[0]
        x, y, triangles, rs = self.triangulation()
        drawn = ax.tricontourf(x, y, triangles, self.sample(field, frame, rs).ravel(), levels, **options)
        if colorbar:
            ax.figure.colorbar(drawn, ax=ax, label=field)
        ax.set_aspect("equal")
        ax.set_title(f"{field}, t = {self.times[frame]:g}")
        return ax

    def png(self, path: Any, field: Any = None, frame: int = -1, *, title: Optional[str] = None,
            **options: Any) -> Any:
        """A picture as ``edgewise plot`` makes it, each pixel from its triangle's polynomial.

        The path may also end in .svg or .pdf.

        Parameters
        ----------
        field : str or sequence of str
            Several fields are beside and below each other in one picture.
        range : "automatic", "symmetric", "full", "robust" or (low, high)
            Of the colours; (low, high) may be percentiles, ("1%", "99%"). Words as of ``--range`` do, too: "1%,99%".
        log, mesh, bare, palette : bool
            Logarithmic colours; the triangles' edges; no axes; at most 256 colours, in a third of the bytes.
        isolines : int or sequence of float
            How many, or their values.
        vectors, streamlines : int
            So many arrows or streamlines of the velocity along the width.
        window : (x0, y0, x1, y1) or "bodies"
        map : str
            The colours' name.
        width, height, supersample : int
            Pixels, and samples of each along a side.

        Returns
        -------
        dict, or a list of them for several fields
            The range of the colours, low and high; the least and the greatest value in the picture.
        """
        target = _target(path, *_PICTURES)
        _check_title(title, options.get("bare"))
        plots, kept = self._plots(field, frame, options)
        shown = (_c.ew_plot_shown * len(plots))()
        with Trap():
            call("ew_plots_write", self._handle, len(plots), plots, encoded(title), target, shown)
        del kept
        found = [{name: getattr(one, name) for name in ("low", "high", "least", "greatest")} for one in shown]
        return found[0] if isinstance(field, (str, type(None))) else found

    def _plots(self, field: Any, frame: int, options: dict[str, Any]) -> tuple[Any, list[Any]]:
        """Plots of the fields, and what they point to."""
        fields = [field] if isinstance(field, (str, type(None))) else list(field)
        for name in options:
            if name not in (_plot.__kwdefaults__ or {}):
                raise TypeError(f"a picture has no option {name!r}; it has {', '.join(_plot.__kwdefaults__ or {})}")
        if "window" in options:
            options["window"] = _window(self._handle, options["window"])
        made = [_plot(self._field(one), self._frame(frame), **options) for one in fields]
        return (_c.ew_plot * max(len(made), 1))(*[plot for plot, _ in made]), [kept for _, kept in made]

    def film(self, path: Any, field: Any = None, *, rate: float = 10, title: Optional[str] = None,
             **options: Any) -> None:
        """All frames as an animated PNG, so many a second, with one range of colours; options as of `png`.

        ``edgewise plot --film`` also writes MP4, GIF and WebP, by ffmpeg.
        """
        target = _target(path, ".png", what="film from Python")
        _check_title(title, options.get("bare"))
        plots, kept = self._plots(field, 0, options)
        for plot in plots:
            self._share_range(plot)
        handle = ctypes.c_void_p()
        with Trap():
            call("ew_film_create", host, target, len(self.times), rate, ctypes.byref(handle))
            try:
                for frame in range(len(self.times)):
                    for plot in plots:
                        plot.frame = frame
                    call("ew_film_add", handle, self._handle, len(plots), plots, encoded(title), None)
                call("ew_film_write", handle)
            finally:
                lib.ew_film_destroy(handle)
        del kept

    def _share_range(self, plot: _c.ew_plot) -> None:
        """One range, and one speed of arrows, for all frames."""
        low, high = ctypes.c_double(), ctypes.c_double()
        if plot.range != _c.EW_RANGE_FIXED:
            with Trap():
                call("ew_plot_film_range", self._handle, ctypes.byref(plot), ctypes.byref(low), ctypes.byref(high))
            if plot.logarithmic:
                low.value = max(low.value, _c.EW_PLOT_LOG_FLOOR * high.value)
            if high.value > low.value:
                if plot.range == _c.EW_RANGE_SYMMETRIC and plot.map is None:
                    plot.map = b"blue-red"
                plot.range, plot.low, plot.high = _c.EW_RANGE_FIXED, low.value, high.value
        for frame in range(len(self.times) if plot.vectors else 0):
            plot.frame = frame
            call("ew_plot_speed", self._handle, ctypes.byref(plot), ctypes.byref(low))
            plot.speed = max(plot.speed, low.value)

    def minus(self, other: "Results") -> "Results":
        """The differences of two runs on one mesh: fields of this file less those of `other` at the nearest time.

        Fields that only one of them has are gone. `Error` with ``EW_EINVAL`` if the meshes differ.
        """
        difference = Results(self.path)
        with Trap():
            call("ew_results_subtract", difference._handle, other._handle)
        difference._other = other  # must stay open
        difference._read_names()
        return difference

    def __repr__(self) -> str:
        return f"<Results {self.path}: {', '.join(self.fields)}; {len(self.times)} frames>"

