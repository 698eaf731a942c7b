# SPDX-License-Identifier: BSD-2-Clause
"""A solver to step by hand, and its state."""
from __future__ import annotations

import ctypes
import time as clock
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _c
from ._library import Error, Trap, call, host, lib, member_types
from .case import as_case, primitive
from .device import DeviceArray
from .mesh import _pointer

_STOPS = {_c.EW_STOP_TIME: "time", _c.EW_STOP_STEPS: "steps", _c.EW_STOP_STEADY: "steady"}
_PIECE = 0.1  # seconds between two looks at Control-C
_STEPS = 2**62


def _doubles(array: np.ndarray) -> Any:
    return _pointer(array, ctypes.c_double)


class Solver:
    """A case's state, to be stepped, looked at and set.

    Two threads may use two solvers at the same time: the library runs without Python's lock, and takes it for the
    functions of the case only.

    Parameters
    ----------
    case : Case, path or mapping
        What to solve.
    settings, folder
        As of `Case`.

    Examples
    --------
    >>> solver = Solver({"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [4, 4]}}, "order": 1,
    ...                  "initial": {"rho": "1 + 0.1*x", "u": 0, "v": 0, "p": 1}, "time": {"end": 1},
    ...                  "boundary": {side: {"kind": "wall"} for side in ("left", "right", "top", "bottom")}})
    >>> solver.advance(steps=3)
    'steps'
    >>> solver.state.shape  # tiles of 8 triangles
    (4, 4, 3, 8)
    >>> round(solver.norms()["total"]["rho"], 12)
    1.05
    """

    def __init__(self, case: Any, *, settings: Optional[Mapping[str, Any]] = None, folder: Any = None,
                 _ensemble: Any = None) -> None:
        self.case = as_case(case, settings, folder)
        self.trap = Trap()
        self._handle = ctypes.c_void_p()
        self._ensemble = _ensemble  # outlives the solver
        problem, self._kept = self.case.problem(self.trap)
        if _ensemble is not None:
            problem.ensemble = _ensemble.handle
        try:
            with self.trap:
                call("ew_solver_create", host, lib.ew_case_mesh(self.case._handle), ctypes.byref(problem),
                     ctypes.byref(self._handle))
        except Error as error:  # what functions give is seen only here
            raise Error(error.code, f"{self.case.label}: {error}") from None
        self._info = self._get_info()
        self.elements, self.basis = self.case.mesh.elements, self._info.basis
        self.variables = [name.decode() for name in self.case.law.conserved[:self.case.law.variables]]
        self.primitive = primitive(self.case.law)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.ew_solver_destroy(self._handle)

    def _get_info(self) -> _c.ew_solver_info:
        info = _c.ew_solver_info()
        lib.ew_solver_get_info(self._handle, ctypes.byref(info))
        return info

    @property
    def info(self) -> dict[str, Any]:
        """What it runs on and with: backend, kernels, device, order, flux, limiter, scheme, cfl, bytes.

        Also into how many parts the mesh is divided (``backend.parts`` of the case), the edges between them and by how
        much the largest one exceeds the mean: parts, cut_edges, imbalance. With ``time.step = "levels"``, step_levels,
        the elements of each, level_elements, and for as many levels and for fewer the step of one level over the
        shortest one, level_shortening.
        """
        info = self._get_info()
        names = [name for name in member_types(info) if name not in ("mesh", "law", "parameter")]
        values = {name: getattr(info, name) for name in names}
        for name in "level_elements", "level_shortening":
            values[name] = getattr(info, name)[:info.step_levels]
        return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}

    @property
    def time(self) -> float:
        """The present time."""
        return lib.ew_solver_time(self._handle)

    @property
    def steps(self) -> int:
        """Steps done."""
        return lib.ew_solver_steps(self._handle)

    @property
    def time_step(self) -> float:
        """Length of the last step; before the first one, what it would be."""
        dt = ctypes.c_double()
        with self.trap:
            call("ew_solver_time_step", self._handle, ctypes.byref(dt))
        return dt.value

    def advance(self, until: float = float("inf"), steps: Optional[int] = None, *, every: int = 1,
                callback: Optional[Callable[["Solver"], Any]] = None) -> str:
        """Steps until a time is reached exactly, so many steps are done, or the state is steady.

        Parameters
        ----------
        until : float
            The time; the last step is cut.
        steps : int, optional
            At most so many.
        every, callback
            Called with the solver after so many steps each; something true ends it, an exception ends it and is
            raised. The bits do not depend on it.

        Returns
        -------
        str
            "time", "steps", "steady", or "callback".

        Raises
        ------
        Error
            The state became inadmissible (``EW_ESTATE``), and is of no use until it is set.
        KeyboardInterrupt
            Control-C was pressed; the solver stands after a whole step, and can go on.
        """
        if steps is None and until == float("inf"):
            raise ValueError("advance needs a time or a number of steps")
        if not isinstance(every, int) or every < 1:
            raise ValueError(f"every is a whole number of steps from 1, not {every!r}")
        last = self.steps + (_STEPS if steps is None else steps)
        with self.trap:
            while True:
                end = self._advance_piece(until, min(last, self.steps + every) if callback else last)
                done = end != "steps" or self.steps >= last
                if self.trap.sprung or (callback and callback(self)):
                    return "callback"
                if done:
                    return end

    def _advance_piece(self, until: float, last: int) -> str:
        """Up to step `last`, in pieces of a tenth of a second."""
        stop, piece = ctypes.c_int(), 1
        while True:
            begun, left = clock.perf_counter(), last - self.steps
            call("ew_solver_advance", self._handle, until, min(piece, left), ctypes.byref(stop))
            if stop.value != _c.EW_STOP_STEPS or piece >= left or self.trap.sprung:
                return _STOPS[stop.value]
            if clock.perf_counter() - begun < _PIECE / 2:
                piece *= 2

    # ---- the state ----

    @property
    def state(self) -> Union[np.ndarray, DeviceArray]:
        """The coefficients where the solver keeps them, without a copy: (tiles, variables, basis, width), read-only.

        Element e is ``state[place[e] // width, :, :, place[e] % width]``, with ``place`` of this solver. The array
        shows the state until the solver advances or is set; ask again then. It keeps the solver alive, and so does
        whatever takes it by DLPack (``np.from_dlpack``, ``torch.from_dlpack``).

        Of a state on a GPU it is a `DeviceArray`, for packages that compute there; it shows the state until the solver
        is called again. `Error` with ``EW_EUNAVAILABLE`` if the state lies in several parts: take `coefficients`.
        """
        view, device = self._view()
        shape = (view.tiles, view.variables, view.basis, view.width)
        seen = self._seen(view.coefficients, ctypes.c_double, shape)
        if device is not None:
            return DeviceArray(seen, device)
        seen.flags.writeable = False
        return seen

    @property
    def place(self) -> np.ndarray:
        """Where each element of the mesh's file lies in `state`; a view."""
        view, _ = self._view()
        seen = self._seen(view.place, ctypes.c_int32, (view.elements,))
        seen.flags.writeable = False
        return seen

    def _view(self) -> tuple[_c.ew_state_view, Optional[int]]:
        """The state where it is; and the number of the GPU if that is not the host's memory."""
        view, device = _c.ew_state_view(), ctypes.c_int()
        with self.trap:
            if lib.ew_backend_has_devices(self._info.backend):
                call("ew_solver_view_device_state", self._handle, ctypes.byref(view), ctypes.byref(device))
                return view, device.value
            call("ew_solver_view_state", self._handle, ctypes.byref(view))
        return view, None

    def _seen(self, pointer: Any, kind: Any, shape: tuple[int, ...]) -> np.ndarray:
        array = (kind * int(np.prod(shape))).from_address(ctypes.addressof(pointer.contents))
        array._solver = self  # what the array shows must live
        return np.frombuffer(array, dtype=kind).reshape(shape)

    def _shape(self) -> tuple[int, int, int]:
        return self.elements, len(self.variables), self.basis

    def _get(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        values = np.empty(shape)
        with self.trap:
            call(name, self._handle, _doubles(values))
        return values

    @property
    def coefficients(self) -> np.ndarray:
        """Modal coefficients of the conserved variables, (elements, variables, basis), in the file's order; a copy."""
        return self._get("ew_solver_get_coefficients", self._shape())

    @property
    def means(self) -> np.ndarray:
        """Cell means of the conserved variables, (elements, variables)."""
        return self._get("ew_solver_get_means", self._shape()[:2])

    @property
    def residual(self) -> np.ndarray:
        """d/dt of the coefficients."""
        return self._get("ew_solver_get_residual", self._shape())

    def set(self, coefficients: Any, time: Optional[float] = None, steps: Optional[int] = None) -> None:
        """Sets the coefficients, and the time and number of steps unless they stay."""
        values = np.ascontiguousarray(coefficients, dtype=np.float64)
        if values.shape != self._shape():
            raise ValueError(f"the coefficients have the shape {values.shape}, and not {self._shape()}")
        with self.trap:
            call("ew_solver_set_coefficients", self._handle, _doubles(values), self.time if time is None else time,
                 self.steps if steps is None else steps)

    def outputs(self) -> list[str]:
        """Names of the quantities that `sample` gives."""
        names: list[str] = []
        while (name := lib.ew_solver_output(self._handle, len(names), None)) is not None:
            names.append(name.decode())
        return names

    def sample(self, names: Union[str, Sequence[str]], points: Any = ((1 / 3, 1 / 3),), first: int = 0,
               count: Optional[int] = None) -> np.ndarray:
        """Values of quantities at points of the reference triangle (0,0), (1,0), (0,1), in each element.

        Returns
        -------
        ndarray, shape (elements, points, quantities)
            One quantity, as ``"rho"``, gives (elements, points), as `Results.sample` does.
        """
        if isinstance(names, str):
            return self.sample([names], points, first, count)[:, :, 0]
        known = self.outputs()
        for name in names:
            if name not in known:
                raise ValueError(f"there is no quantity {name!r}; there are {', '.join(known)}")
        rs = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
        count = self.elements - first if count is None else count
        numbers = (ctypes.c_int * max(len(names), 1))(*[known.index(name) for name in names])
        values = np.empty((count, len(rs), len(names)))
        with self.trap:
            call("ew_solver_sample_outputs", self._handle, first, count, len(rs), _doubles(rs), len(names), numbers,
                 _doubles(values))
        return values

    def norms(self) -> dict[str, dict[str, float]]:
        """Integrals of the conserved variables, least and greatest primitive ones, errors if there is an exact one."""
        norms = _c.ew_norms()
        with self.trap:
            call("ew_solver_norms", self._handle, ctypes.byref(norms))
        return norms_of(norms, self.variables, self.primitive)

    @property
    def least(self) -> dict[str, float]:
        """The smallest values of what must stay positive by the law: density and pressure, or depth."""
        return least_of(self.case.law, self._get("ew_solver_get_least", (len(self.variables),)))

    def check_growth(self) -> None:
        """Raises `Error` with ``EW_ESTATE`` if the state is beyond belief, though it is admissible.

        That is so if the mean of an element is a thousand times what the initial state and the boundaries have at most.
        The solver stays as it is.
        """
        with self.trap:
            call("ew_solver_check_growth", self._handle)

    @property
    def hash(self) -> str:
        """Of the coefficients: equal hashes, equal bits."""
        value = ctypes.c_uint64()
        with self.trap:
            call("ew_solver_hash", self._handle, ctypes.byref(value))
        return f"{value.value:016x}"

    def _boundary_number(self, name: str) -> int:
        names = list(self.case.mesh.boundaries)
        if name not in names:
            raise ValueError(f"there is no boundary {name!r}; there are {', '.join(names)}")
        return names.index(name)

    def outflow(self, name: str) -> dict[str, float]:
        """Flux of the conserved variables through a boundary, outwards, integrated over time since the start.

        It needs a case with ``output.series.fluxes``. Over all boundaries, it is what the totals have lost.
        """
        outflow = (ctypes.c_double * _c.EW_MAX_VARIABLES)()
        with self.trap:
            call("ew_solver_outflow", self._handle, self._boundary_number(name), outflow)
        return dict(zip(self.variables, outflow))

    def boundary(self, name: str) -> dict[str, Any]:
        """Length of a boundary, flux of the conserved variables through it, outwards, force on it and its moment.

        The moment is about (0, 0), counterclockwise. Friction, the viscous part of the force, and heat, which flows out
        of the domain, are those of walls of viscous laws; otherwise 0.
        """
        integrals = _c.ew_boundary_integrals()
        with self.trap:
            call("ew_solver_boundary", self._handle, self._boundary_number(name), ctypes.byref(integrals))
        return {"length": integrals.length, "flux": dict(zip(self.variables, integrals.flux)),
                "force": np.array(integrals.force), "moment": integrals.moment,
                "friction": np.array(integrals.friction), "heat": integrals.heat}

    def wall(self, name: str) -> dict[str, np.ndarray]:
        """Values along a wall, edge by edge in the solver's order, each an array [edges, order + 1].

        x, y, normal_x, normal_y (outward), arc (length from the beginning of the edge), pressure and, for viscous laws,
        temperature, conductivity, shear (tangential stress, positive with the domain on the left) and heat (flux out of
        the domain). Frames of cases with ``output.walls`` have them in order along the wall.
        """
        number = self._boundary_number(name)
        edges = ctypes.c_int64()
        lib.ew_mesh_boundary(self.case.mesh._handle, number, ctypes.byref(edges))
        points = (_c.ew_wall_point * (edges.value * (self._info.order + 1)))()
        with self.trap:
            call("ew_solver_wall", self._handle, number, points, None)
        table = np.frombuffer(points, dtype=float).reshape(edges.value, self._info.order + 1, -1)
        columns = ["x", "y", "normal_x", "normal_y", "arc", "pressure", "temperature", "conductivity", "shear", "heat"]
        if not self.case.law.viscous:
            columns = columns[:6]
        return {column: table[..., k].copy() for k, column in enumerate(columns)}

    def __repr__(self) -> str:
        return f"<Solver of {self.case.name}: t = {self.time:g}, {self.steps} steps, {self.info['device']}>"


def norms_of(norms: _c.ew_norms, variables: list[str], primitives: list[str]) -> dict[str, dict[str, float]]:
    found = {"total": dict(zip(variables, norms.total)), "min": dict(zip(primitives, norms.min)),
             "max": dict(zip(primitives, norms.max))}
    if norms.has_errors:
        found["error_l2"] = dict(zip(variables, norms.error_l2))
        found["error_linf"] = dict(zip(variables, norms.error_linf))
    return found


def least_of(law: Any, values: np.ndarray) -> dict[str, float]:
    """Of the primitive variables, those that must stay positive and are known."""
    return {name: float(value) for name, value, positive in zip(primitive(law), values, law.positive)
            if positive and not np.isnan(value)}


class Ensemble:
    """Solvers that advance together; each keeps its bits."""

    def __init__(self) -> None:
        self.handle = ctypes.c_void_p()
        call("ew_ensemble_create", host, ctypes.byref(self.handle))

    def __del__(self) -> None:
        lib.ew_ensemble_destroy(self.handle)
