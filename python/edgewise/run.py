# SPDX-License-Identifier: BSD-2-Clause
"""Runs from their first state to their last, with their files; and sweeps of many."""
from __future__ import annotations

import concurrent.futures
import ctypes
import importlib.util
import math
import os
import tempfile
import threading
import warnings
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _c
from ._library import Error, call, encoded, host, lib, member_types, text
from .case import Case, as_case, case_folder, case_value, without_folder, write_case
from .mesh import _pointer, _receiver
from .results import Results, optional, read_series, series_dataset
from .solver import Ensemble, Solver, least_of, norms_of

_host, _options = member_types(_c.ew_host), member_types(_c.ew_run_options)


class Result:
    """What a run has given.

    Attributes
    ----------
    end : str
        "end", "steps", "steady", "interrupted" or "failed".
    time, steps : float, int
        Of the last state.
    hash : str or None
        Of the last state: equal hashes, equal bits.
    norms : dict or None
        As of `Solver.norms`.
    forces : dict
        By the name of the body: force, drag, lift, moment (about its point, counterclockwise) and
        moment_coefficient; for viscous laws also drag_pressure, drag_friction, lift_pressure, lift_friction and heat.
    residual : dict or None
        By conserved variable: root mean square of its residual, if the case looks for a steady state (``time.steady``)
        or has ``output.series.residuals``.
    orders_fallen : float or None
        By how many orders of magnitude rates of change have fallen, if the case looks for a steady state.
    seconds, rate : float
        Of time stepping; degrees of freedom times stages a second.
    path, series_path : str or None
        Absolute paths of the files.
    restarts : list of str
        Absolute paths of the restart files, the newest one last.
    solver : Solver
        With the last state.
    """

    def __init__(self, solver: Solver, run: Any) -> None:
        summary = _c.ew_run_summary()
        lib.ew_run_get_summary(run, ctypes.byref(summary))
        self.solver = solver
        self.end = lib.ew_run_end_name(summary.end).decode()
        self.time, self.steps, self.frames = summary.time, summary.steps, summary.frames
        self.hash = f"{summary.hash:016x}" if summary.has_last else None
        self.norms = norms_of(summary.norms, solver.variables, solver.primitive) if summary.has_last else None
        self.forces = self._forces(summary) if summary.has_last else {}
        self.residual = dict(zip(solver.variables, summary.residual)) if summary.has_residual else None
        self.orders_fallen = summary.orders_fallen if math.isfinite(summary.orders_fallen) else None
        self.seconds, self.rate = summary.seconds, summary.rate
        self.path, self.series_path = text(summary.fields), text(summary.series)
        self.restarts = [os.fsdecode(summary.restart[k]) for k in range(summary.restarts)]

    def _forces(self, summary: Any) -> dict[str, dict[str, Any]]:
        plan = self.solver.case.plan.contents
        coefficients = ["drag", "lift", "moment", "moment_coefficient"]
        if self.solver.case.law.viscous:
            coefficients += ["drag_pressure", "drag_friction", "lift_pressure", "lift_friction", "heat"]
        return {plan.body[k].name.decode(): {"force": np.array(summary.force[k].force),
                                             **{name: getattr(summary.force[k], name) for name in coefficients}}
                for k in range(plan.bodies)}

    def _needs(self, path: Optional[str], what: str) -> str:
        if path is None:
            raise FileNotFoundError(f"the run has written no {what}")
        return path

    @property
    def fields(self) -> Any:
        """The frames as an ``xarray.Dataset``; close it before the file is written anew."""
        xarray = optional("xarray", "xarray netCDF4", "Result.results does not need it")
        if not any(importlib.util.find_spec(name) for name in ("netCDF4", "h5netcdf")):
            raise ImportError("xarray reads fields by netCDF4, which is not installed: pip install netCDF4, or "
                              "pip install './python[all]'; Result.results needs neither")
        return xarray.open_dataset(self._needs(self.path, "fields"))

    @property
    def series(self) -> Any:
        """The time series as an ``xarray.Dataset`` over ``time``."""
        return series_dataset(self._needs(self.series_path, "time series"))

    @property
    def series_arrays(self) -> dict[str, np.ndarray]:
        """The time series' columns, without xarray."""
        return read_series(self._needs(self.series_path, "time series"))

    @property
    def results(self) -> Results:
        """The frames, read by edgewise itself."""
        return Results(self._needs(self.path, "fields"))

    def plot(self, field: Optional[str] = None, **options: Any) -> Any:
        """As `Results.plot`."""
        return self.results.plot(field, **options)

    def png(self, path: Any, field: Optional[str] = None, **options: Any) -> dict[str, float]:
        """As `Results.png`."""
        return self.results.png(path, field, **options)

    def __repr__(self) -> str:
        return f"<Result {self.end}: t = {self.time:g}, {self.steps} steps, {self.path or 'no file'}>"


class Progress:
    """How far a run is, for its `progress` function: fraction, time, dt, steps, rate, and the solver.

    `least` has the smallest values of what must stay positive, measured no more often than it takes a hundredth of the
    run's time; `Solver.least` measures them now.
    """

    def __init__(self, solver: Solver, run: Any) -> None:
        progress = _c.ew_run_progress()
        lib.ew_run_get_progress(run, ctypes.byref(progress))
        self.fraction, self.time, self.dt = progress.fraction, progress.time, progress.dt
        self.steps, self.rate, self.solver = progress.steps, progress.rate, solver
        self._run = run  # None after the call

    @property
    def least(self) -> dict[str, float]:
        """By name, for example of density and pressure; ask while `progress` is called."""
        if self._run is None:
            raise RuntimeError("the progress is over; solver.least measures the present state")
        values = np.empty(len(self.solver.variables))
        lib.ew_run_get_least(self._run, _pointer(values, ctypes.c_double))
        return least_of(self.solver.case.law, values)

    def __repr__(self) -> str:
        return f"<Progress {self.fraction:.1%}: t = {self.time:g}, {self.steps} steps>"


def run(case: Any, *, settings: Optional[Mapping[str, Any]] = None, folder: Any = None, name: str = "case",
        output: bool = True, restart: Any = None, member: int = 0,
        progress: Optional[Callable[[Progress], Any]] = None, callback: Optional[Callable[[Solver], Any]] = None,
        every: Union[int, str] = 1) -> Result:
    """Runs a case to its end and writes its files, as ``edgewise run`` does.

    Parameters
    ----------
    case : path, mapping or Case
        What to run; see `Case`.
    settings : mapping, optional
        Values in place of the case's: ``{"order": 2, "time.end": 0.1}``.
    folder : path, optional
        Where the files are written, and what paths in a dict are relative to; the default is the current folder.
    name : str
        Of the files, if the case is a dict.
    output : bool
        Whether files are written.
    restart : path or "auto", optional
        A restart file to go on from, or NAME.nc, whose last frame has the state but for rounding errors; "auto": the
        newest restart file, if there is one. "auto" does not replace a finished result.
    member : int, optional
        Which member of the case's sweep to run, from 1.
    progress : function, optional
        Called with a `Progress` about ten times a second, and so at other steps each time. Something true ends the run
        after the step in hand.
    callback, every : function and int or "frame", optional
        Called with the solver after so many steps each, or at the time of each frame (``output.fields``), and at the
        end. Something true ends the run there: the same steps, bits and files each time. ``end`` is "interrupted"
        then, and the fields are in NAME.interrupted.nc.

    Returns
    -------
    Result

    Raises
    ------
    Error
        The case is wrong, or the run failed. ``error.result`` then tells what it has left (NAME.failed.nc).
    KeyboardInterrupt
        Control-C ended the run after the step in hand; its ``result`` tells what is there, and the frames until then
        are in NAME.interrupted.nc.
        What `progress` or `callback` raises ends the run in the same way; what a function of the case raises ends it
        as a state that broke does, with NAME.failed.nc.

    Warns
    -----
    UserWarning
        About the initial state, as ``edgewise check`` does: boundaries of kind "copy" through which waves enter, and
        doubtful reference values of forces.

    Examples
    --------
    >>> import tempfile
    >>> case = {"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [4, 4]}}, "order": 2, "time": {"end": 0.1},
    ...         "initial": lambda x, y: {"rho": 1 + x, "u": 0, "v": 0, "p": 1},
    ...         "boundary": {side: {"kind": "wall"} for side in ("left", "right", "top", "bottom")}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     r = run(case, folder=folder)
    ...     print(r.end, r.time, r.results.fields[:4])
    end 0.1 ['rho', 'u', 'v', 'p']
    """
    _check_output(output)
    if every != "frame" and (not isinstance(every, int) or isinstance(every, bool) or every < 1):
        raise ValueError(f'every is a whole number of steps from 1, or "frame", not {every!r}')
    solver = Solver(as_case(case, settings, folder, name, member))
    for sentence in _doubts(solver):
        warnings.warn(sentence, stacklevel=2)
    return _run(solver, folder, output, restart, progress, None, callback, every)


def _doubts(solver: Solver) -> list[str]:
    sentences: list[str] = []

    def hear(context: Any, level: int, sentence: bytes) -> None:
        sentences.append(sentence.decode("utf-8", "replace"))

    with solver.trap:
        call("ew_run_warn_of_state", ctypes.byref(_c.ew_host(log=_host["log"](hear))), solver.case.plan,
             lib.ew_case_problem(solver.case._handle), solver._handle)
    return sentences


def _check_output(output: Any) -> None:
    if not isinstance(output, bool):
        raise TypeError(f"output is True or False, not {output!r}; folder says where files go")


def _goes_on(handle: Any) -> bool:
    summary = _c.ew_run_summary()
    lib.ew_run_get_summary(handle, ctypes.byref(summary))
    return summary.end == _c.EW_RUN_GOES_ON


def _run(solver: Solver, folder: Any, output: bool, restart: Any, progress: Any, ends: Any,
         callback: Optional[Callable[[Solver], Any]] = None, every: Union[int, str] = 1) -> Result:
    """`ends`: an event that ends the run, or None."""
    trap, handle = solver.trap, ctypes.c_void_p()

    def stop(context: Any) -> int:
        return int(bool(wanted) or trap.sprung or (ends is not None and ends.is_set()))

    def show(context: Any, run: Any) -> None:
        now = Progress(solver, run)
        try:
            if progress(now):
                wanted.append(True)
        except BaseException as exception:  # C cannot pass it on
            trap.keep(exception)
        finally:
            now._run = None

    wanted: list[bool] = []
    options = _c.ew_run_options(
        folder=encoded(os.path.abspath(folder or os.curdir)), no_output=int(not output), restart=encoded(restart),
        halts_at_frames=int(callback is not None and every == "frame"), stop=_options["stop"](stop))
    if progress is not None:
        options.progress = _options["progress"](show)
    result: Optional[Result] = None
    try:
        with trap:
            call("ew_run_create", host, solver.case.plan, solver._handle, ctypes.byref(options), ctypes.byref(handle))
            try:
                while _goes_on(handle):
                    call("ew_run_advance", handle, every if callback and isinstance(every, int) else 2**63 - 1)
                    if callback is not None and not trap.sprung and not wanted and callback(solver):
                        wanted.append(True)
            except BaseException as exception:
                if not _goes_on(handle):
                    raise
                trap.keep(exception)  # of `callback`: the run ends with its files
                call("ew_run_advance", handle, 2**63 - 1)
            finally:
                result = Result(solver, handle)
        return result
    except BaseException as exception:
        exception.result = result  # type: ignore[attr-defined]
        if result is not None and result.path and hasattr(exception, "add_note"):
            exception.add_note(f"The frames until then are in {result.path}.")
        raise
    finally:
        lib.ew_run_destroy(handle)


class Sweep(Sequence[Optional[Result]]):
    """The results of many cases, in their order; None where a member failed.

    Attributes
    ----------
    keys : list of str
        What differs from member to member.
    values : list of tuple
        What each member has for the keys.
    names : list of str
        Of the members' files.
    failures : dict of int to Error
        By the member's index.
    """

    def __init__(self, keys: list[str], values: list[tuple[Any, ...]], names: list[str]) -> None:
        self.keys, self.values, self.names = keys, values, names
        self.results: list[Optional[Result]] = [None] * len(names)
        self.failures: dict[int, Error] = {}

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, k: Any) -> Any:
        return self.results[k]

    @property
    def table(self) -> dict[str, np.ndarray]:
        """A row for each member: keys, end, time, steps, hash, totals, errors and forces. For ``pandas.DataFrame``."""
        rows = [self._row(k) for k in range(len(self))]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}

    def _row(self, k: int) -> dict[str, Any]:
        row: dict[str, Any] = {"name": self.names[k], **dict(zip(self.keys, self.values[k]))}
        result = self.results[k]
        if result is None:
            return {**row, "end": "failed"}
        row.update(end=result.end, time=result.time, steps=result.steps, hash=result.hash or "")
        for what, numbers in (result.norms or {}).items():
            row.update({f"{what}_{name}": value for name, value in numbers.items()})
        for body, force in result.forces.items():
            row.update({f"{body}_x": force["force"][0], f"{body}_y": force["force"][1]})
            row.update({f"{body}_{what}": value for what, value in force.items() if what != "force"})
        return row

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} over {', '.join(self.keys)}; {len(self.failures)} failed>"


class _Well:
    """The rasters of a sweep's members in one file, each added when the member is done, by any thread."""

    def __init__(self, path: Any, case: Case, name: str, found: Sweep) -> None:
        self._case, self._handle = case, ctypes.c_void_p()  # the plan's raster is the case's
        numeric = [k for k in range(len(found.keys)) if all(isinstance(row[k], float) for row in found.values)]
        self._values = [[row[k] for k in numeric] for row in found.values]
        keys = (ctypes.c_char_p * max(len(numeric), 1))(*[found.keys[k].encode() for k in numeric])
        plan = _c.ew_run_plan.from_buffer_copy(case.plan.contents)
        self._name = plan.name = encoded(name)
        call("ew_well_create", host, encoded(os.fspath(path)), ctypes.byref(plan), lib.ew_case_mesh(case._handle),
             lib.ew_case_problem(case._handle), len(found), len(numeric), keys, ctypes.byref(self._handle))

    def add(self, k: int, fields: Optional[str]) -> None:
        values = (ctypes.c_double * max(len(self._values[k]), 1))(*self._values[k])
        call("ew_well_add", self._handle, k, encoded(fields), values)

    def close(self) -> None:
        call("ew_well_close", self._handle)

    def __del__(self) -> None:
        lib.ew_well_destroy(self._handle)


def _over_setting(over: Mapping[str, Any], design: str) -> dict[str, Any]:
    for key, values in over.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise ValueError(f"over[{key!r}] must be a sequence of values, such as range(5), not {values!r}")
    parts = tuple({"key": key, "values": tuple(values.tolist() if isinstance(values, np.ndarray) else values)}
                  for key, values in over.items())
    return {"sweep.design": design, "sweep.over": parts}


def _members(path: str, settings: Mapping[str, Any]) -> tuple[list[str], list[tuple[Any, ...]], list[str]]:
    sentences: list[str] = []
    texts = [f"{key}={case_value(value)}".encode() for key, value in settings.items()]
    options = _c.ew_case_options(settings=len(texts), setting=(ctypes.c_char_p * max(len(texts), 1))(*texts),
                                 report=_receiver(sentences, member_types(_c.ew_case_options)["report"]))
    sweep, info, number = ctypes.c_void_p(), _c.ew_sweep_info(), ctypes.c_double()
    call("ew_sweep_read", host, encoded(path), ctypes.byref(options), ctypes.byref(sweep), sentences=sentences)
    try:
        lib.ew_sweep_get_info(sweep, ctypes.byref(info))
        keys = [lib.ew_sweep_key(sweep, k).decode() for k in range(info.keys)]
        room, values, names = ctypes.create_string_buffer(4096), [], []
        for member in range(1, info.members + 1):
            row: list[Union[str, float]] = []
            for k in range(len(keys)):
                lib.ew_sweep_value(sweep, member, k, room, len(room), ctypes.byref(number))
                row.append(room.value.decode() if np.isnan(number.value) else number.value)
            values.append(tuple(row))
            lib.ew_sweep_name(sweep, member, room, len(room))
            names.append(os.fsdecode(room.value))
        return keys, values, names
    finally:
        lib.ew_sweep_destroy(sweep)


def sweep(case: Any, over: Optional[Mapping[str, Sequence[Any]]] = None, *, design: str = "grid",
          settings: Optional[Mapping[str, Any]] = None, folder: Any = None, name: str = "case", output: bool = True,
          jobs: Optional[int] = None, well: Any = None) -> Sweep:
    """Runs many cases at once; each has the bits that it has alone.

    Parameters
    ----------
    case : path or mapping
        The case. It may have a group ``sweep`` itself.
    over : mapping, optional
        Values by key: ``{"let.alpha": [0, 1, 2], "order": [1, 2]}``. They replace a ``sweep`` that the case has.
    design : str
        "grid": all combinations; "list": the first values of all keys, then the second ones.
    settings : mapping, optional
        Values by key that all members have, in place of what the case says.
    folder : path, optional
        Where the members' files go, a folder that exists; the default is the current one.
    name : str
        Of the files, if the case is a mapping: ``name-0001.nc`` and so on.
    output : bool
        Whether there are files.
    jobs : int, optional
        So many at a time; the default is the number of cores.
    well : path, optional
        Of an HDF5 file in the layout of The Well, which gets the raster (``output.raster``) of every member that has
        ended, and the keys that are numbers; as ``edgewise sweep --well``. A member whose raster cannot be added is in
        `Sweep.failures`, too. `Error` with ``EW_EUNAVAILABLE`` if the library was built without HDF5.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> case = {"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [4, 4]}}, "order": 1, "let": {"a": 0},
    ...         "initial": {"rho": "1 + a*x", "u": 0, "v": 0, "p": 1}, "time": {"end": 0.01},
    ...         "boundary": {side: {"kind": "wall"} for side in ("left", "right", "top", "bottom")}}
    >>> sweep(case, {"let.a": [0, 1, 2]}, output=False).table["total_rho"]
    array([1. , 1.5, 2. ])
    """
    _check_output(output)
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs must be 1 or more, not {jobs}")
    if folder is not None and not os.path.isdir(folder):
        raise NotADirectoryError(f"there is no folder {os.fspath(folder)!r}")
    folder = os.path.abspath(folder or os.curdir)
    settings = {**(settings or {}), **(_over_setting(over, design) if over else {})}
    with case_folder() as place:
        functions: Mapping[str, Any] = {}
        if isinstance(case, Mapping):  # a file that every member reads
            path, functions = write_case(case, place, name, folder)
        else:
            path = os.fspath(case)
        found = Sweep(*_members(path, {key: value for key, value in settings.items() if not callable(value)}))
        if len(found) == 0:
            raise ValueError("there is nothing to sweep over: give over, or a case with a group sweep")
        settings = {**functions, **settings}
        gathered = None
        if well is not None and not output:
            raise ValueError("a data set needs the members' files, which output=False does not write")
        if well is not None:
            stem = os.path.splitext(os.path.basename(path))[0]
            gathered = _Well(well, Case(path, settings=settings, member=1), stem, found)
        _run_members(found, path, settings, folder, output, jobs or lib.ew_thread_count(0, None, 0), gathered)
        found.failures.update({k: without_folder(error, place) for k, error in found.failures.items()})
        if gathered:
            gathered.close()
        return found


def _run_members(found: Sweep, path: str, settings: Mapping[str, Any], folder: Any, output: bool, jobs: int,
                 well: Optional[_Well]) -> None:
    ends, ensemble = threading.Event(), Ensemble()

    def run_member(k: int) -> None:
        if ends.is_set():
            return
        try:
            solver = Solver(Case(path, settings=settings, member=k + 1), _ensemble=ensemble)
            result = found.results[k] = _run(solver, folder, output, None, None, ends)
            if well and result.end != "interrupted":
                well.add(k, result.path)
        except Error as error:
            found.failures[k] = error
        except BaseException:
            ends.set()
            raise

    with concurrent.futures.ThreadPoolExecutor(max(1, min(jobs, len(found)))) as pool:
        futures = [pool.submit(run_member, k) for k in range(len(found))]
        try:
            for future in futures:
                future.result()
        except BaseException:  # a function of the case's, or Control-C: the others end after the step in hand
            ends.set()
            raise
