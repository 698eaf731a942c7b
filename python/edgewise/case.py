# SPDX-License-Identifier: BSD-2-Clause
"""Cases: from case files, or from dicts that say the same; data may be Python functions."""
from __future__ import annotations

import contextlib
import ctypes
import inspect
import os
import re
import tempfile
from typing import Any, Callable, Iterator, Mapping, Optional

import numpy as np

from . import _c
from ._library import Error, Trap, call, encoded, host, lib, member_types, text
from .mesh import Mesh, _receiver

_options = member_types(_c.ew_case_options)
_admit = ctypes.cast(lib.ew_run_admit, _options["admit"])
_word = re.compile(r"[A-Za-z*][-A-Za-z0-9_*]*\Z")


def _scalar(value: Any) -> Optional[str]:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value}L" if not -2**31 <= value < 2**31 else str(value)
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError(f"{value} cannot be written in a case")
        return repr(value) if any(c in repr(value) for c in ".") else repr(value).replace("e", ".0e")
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}
        return '"' + "".join(escapes.get(c, c if ord(c) >= 32 else f"\\x{ord(c):02x}") for c in value) + '"'
    return None


def case_value(value: Any) -> str:
    """A value as a case has it.

    Examples
    --------
    >>> case_value({"end": 2, "at": [0.5, 1], "title": 'a "b"'})
    '{ end = 2; at = [0.5, 1.0]; title = "a \\\\"b\\\\""; }'
    """
    one = _scalar(value)
    if one is not None:
        return one
    if isinstance(value, Mapping):
        return "{ " + "".join(f"{case_setting(key, item)} " for key, item in value.items()) + "}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in value):
            if any(isinstance(v, (float, np.floating)) for v in value):
                value = [float(v) for v in value]
            return "[" + ", ".join(case_value(v) for v in value) + "]"
        return "( " + ", ".join(case_value(v) for v in value) + " )"
    raise TypeError(f"a case cannot have a value of type {type(value).__name__}")


def case_setting(key: Any, value: Any) -> str:
    if not isinstance(key, str) or not _word.match(key):
        raise ValueError(f"{key!r} is not a name that a case can have")
    return f"{key} = {case_value(value)};"


def case_text(case: Mapping[str, Any]) -> str:
    """The text of a case file that says what a dict says.

    Examples
    --------
    >>> print(case_text({"order": 2, "time": {"end": 1.0}}))
    order = 2;
    time = { end = 1.0; };
    """
    return "\n".join(case_setting(key, value) for key, value in case.items())


def _takes_time(function: Callable[..., Any]) -> bool:
    """Whether it takes t after x and y. A third parameter with a default is t only if that is its name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some that are written in C
        return True
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if any(one.kind == one.VAR_POSITIONAL for one in parameters):
        return True
    return len(positional) > 2 and (positional[2].default is inspect.Parameter.empty or positional[2].name == "t")


def _in_order(got: Any, names: list[str]) -> list[Any]:
    """What a function has returned for the names, in their order."""
    wanted = ", ".join(names)
    if isinstance(got, Mapping):
        missing = [name for name in names if name not in got]
        if missing:
            raise ValueError(f"the function gives no {', '.join(missing)}; it must give {wanted}")
        unknown = [str(name) for name in got if name not in names]
        if unknown:
            raise ValueError(f"the function gives {', '.join(unknown)}, too; it must give {wanted} only")
        return [got[name] for name in names]
    try:
        parts = [] if isinstance(got, (str, bytes)) else list(got)
    except TypeError:  # one number, or None
        parts = []
    if not parts:
        raise TypeError(f"the function gives {got!r}; it must give a sequence, or a dict by name, of {wanted}")
    if len(parts) != len(names):
        raise ValueError(f"the function gives {len(parts)} quantities, and {wanted} are needed")
    return parts


def _put(row: np.ndarray, name: str, part: Any) -> None:
    """Numbers for one variable; NumPy would take None for NaN, and drop imaginary parts."""
    wanted = f"it must give a number or an array of {len(row)}, as many as there are points"
    try:
        values = np.asarray(part)
    except ValueError:  # rows of different lengths
        values = np.array(None)
    if values.dtype.kind not in "biufO" or (values.dtype.kind == "O" and any(one is None for one in values.flat)):
        raise TypeError(f"the function gives a {type(part).__name__} for {name} that is not of real numbers; {wanted}")
    try:
        row[...] = values
    except ValueError:
        raise ValueError(f"the function gives an array of the shape {values.shape} for {name}; {wanted}") from None


class Data:
    """A Python function as the C library's data: it fills `names` at points, and may raise."""

    def __init__(self, function: Callable[..., Any], names: list[str], trap: Trap) -> None:
        self._function, self._names, self._trap = function, names, trap
        self._timed = _takes_time(function)
        self._callback = _c.ew_callback(self._fill)  # must live as long as the solver

    def data(self) -> _c.ew_data:
        return _c.ew_data(callback=self._callback,
                          variables=_c.EW_X | _c.EW_Y | (_c.EW_T if self._timed else 0))

    def _fill(self, context: Any, n: int, x: Any, y: Any, t: float, values: Any) -> None:
        try:
            target = np.ctypeslib.as_array(values, (len(self._names), n))
            target[...] = np.nan
            points = [np.ctypeslib.as_array(part, (n,)) for part in (x, y)]
            for part in points:
                part.flags.writeable = False
            got = self._function(*points, t) if self._timed else self._function(*points)
            for row, name, part in zip(target, self._names, _in_order(got, self._names)):
                _put(row, name, part)
        except BaseException as exception:  # C cannot pass it on
            self._trap.keep(exception)
            np.ctypeslib.as_array(values, (len(self._names), n))[...] = np.nan


def _law_of(case: Mapping[str, Any]) -> Any:
    law = case.get("law", {})
    name = law.get("name") if isinstance(law, Mapping) else law
    found = lib.ew_law_find(encoded(name))
    return found.contents if found else lib.ew_law_find(None).contents  # the case says what is wrong with it


def primitive(law: Any) -> list[str]:
    return [name.decode() for name in law.primitive[:law.variables]]


def _without_functions(case: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Callable[..., Any]]]:
    """The case with states at which the library can check the rest, and the functions by their paths."""
    case, functions = dict(case), {}
    anything = {name: 1.0 for name in primitive(_law_of(case))}
    for key in ("initial", "exact"):
        if callable(case.get(key)):
            functions[key] = case.pop(key)
    if "initial" in functions:
        case["initial"] = anything
    if isinstance(case.get("boundary"), Mapping):
        case["boundary"] = {name: dict(one) if isinstance(one, Mapping) else one
                            for name, one in case["boundary"].items()}
        for name, one in case["boundary"].items():
            for key in ("state", "normal"):
                if isinstance(one, dict) and callable(one.get(key)):
                    if key == "state" and one.get("kind") in ("wall", "no-slip", "symmetry", "inlet", "outlet"):
                        raise ValueError(
                            f"boundary.{name}.state is a function, which boundaries of the kinds \"state\" and \"far\" "
                            f"take; one of the kind \"{one.get('kind')}\" takes numbers and formulas")
                    functions[f"boundary.{name}.{key}"] = one.pop(key)
                    one.update(anything if key == "state" else {})
            _refuse_functions(f"boundary.{name}", one)
    return case, functions


def _refuse_functions(path: str, group: Any) -> None:
    """Names the key of a function where only numbers and formulas can stand."""
    for key, value in group.items() if isinstance(group, Mapping) else ():
        if callable(value):
            raise TypeError(f"{path}.{key} is a function, but takes a number or a formula")


def _describe(path: str, function: Callable[..., Any]) -> str:
    name = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', type(function).__name__)}"
    return f"# {path}: the Python function {re.sub('[^ -~]', '?', name)}"


def without_folder(error: Error, place: str) -> Error:
    """The same error, in which the file of a dict is "NAME (dict)"; lines are those of `case_text`."""
    def say(sentence: str) -> str:
        return re.sub(re.escape(place) + r"/([^/:]*)\.cfg", r"\1 (dict)", sentence).replace(place + "/", "")
    other = Error(error.code, say(str(error)), [say(sentence) for sentence in error.sentences])
    other.result = error.result
    return other


@contextlib.contextmanager
def case_folder() -> Iterator[str]:
    """A folder for the file of a dict, which errors do not name."""
    with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
        try:
            yield place
        except Error as error:
            raise without_folder(error, place) from None


def write_case(source: Mapping[str, Any], place: str, name: str,
               folder: Any) -> tuple[str, dict[str, Callable[..., Any]]]:
    """Writes a dict as a case file into a folder, with its mesh; gives its path, and the functions in the dict."""
    if not name or "/" in name:
        raise ValueError(f"{name!r} cannot be the name of a case")
    case, functions = _without_functions(source)
    mesh = case.get("mesh")
    if isinstance(mesh, Mesh):
        case["mesh"] = os.path.join(place, "mesh.msh")
        mesh.write(case["mesh"])
    elif isinstance(mesh, (str, os.PathLike)):
        case["mesh"] = os.path.abspath(os.path.join(folder, mesh))
    path = os.path.join(place, f"{name}.cfg")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(_describe(*item) + "\n" for item in functions.items()) + case_text(case) + "\n")
    return path, functions


class Case:
    """A case: what edgewise-case(5) describes, read, checked and ready to run.

    Parameters
    ----------
    source : path or mapping
        A case file, or a dict with its keys. In a dict, `mesh` may be a `Mesh`; and `initial`, `exact`,
        `boundary.NAME.state` (kinds state and far) and `boundary.NAME.normal` may be functions of x and y, or of x,
        y and t. They get NumPy arrays and return a sequence, or a dict by name, of the primitive variables (of a
        normal: x and y).
    settings : mapping, optional
        Keys with dots, and values in place of the file's, as with ``--set``; also functions.
    folder : path, optional
        What paths in a dict are relative to; the default is the current folder.
    name : str, optional
        Of the files, for a dict; the default is "case".
    member : int, optional
        Which member of a sweep is meant, from 1.

    Examples
    --------
    >>> case = Case({"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [4, 4]}}, "order": 2,
    ...              "initial": lambda x, y: (1 + x, 0, 0, 1), "time": {"end": 0.1},
    ...              "boundary": {side: {"kind": "wall"} for side in ("left", "right", "top", "bottom")}})
    >>> case.mesh
    <Mesh of 32 triangles; boundaries bottom, right, top, left>
    """

    def __init__(self, source: Any, *, settings: Optional[Mapping[str, Any]] = None, folder: Any = None,
                 name: str = "case", member: int = 0) -> None:
        settings = dict(settings or {})
        self.functions = {key: settings.pop(key) for key in list(settings) if callable(settings[key])}
        self._handle = ctypes.c_void_p()
        self.label = f"{name} (dict)" if isinstance(source, Mapping) else os.fspath(source)  # in errors
        if isinstance(source, Mapping):
            with case_folder() as place:
                path, functions = write_case(source, place, name, folder or os.getcwd())
                self.functions = {**functions, **self.functions}
                self._read(path, settings, member)
        else:
            self._read(os.fspath(source), settings, member)
        law = lib.ew_law_find(self._problem().law)
        self.law = law.contents
        for path in self.functions:
            self._check_path(path)

    def _check_path(self, path: str) -> None:
        names = [boundary.name.decode() for boundary in self._boundaries()]
        places = ["initial", "exact"] + [f"boundary.{name}.{key}" for name in names for key in ("state", "normal")]
        if path not in places:
            raise ValueError(f"there can be no function at {path}; there can be at {', '.join(places)}")

    def _read(self, path: str, settings: Mapping[str, Any], member: int) -> None:
        sentences: list[str] = []
        texts = [f"{key}={case_value(value)}".encode() for key, value in settings.items()]
        options = _c.ew_case_options(
            settings=len(texts), setting=(ctypes.c_char_p * max(len(texts), 1))(*texts), member=member, admit=_admit,
            report=_receiver(sentences, _options["report"]))
        with Trap():
            call("ew_case_read", host, encoded(path), ctypes.byref(options), ctypes.byref(self._handle),
                 sentences=sentences)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.ew_case_destroy(self._handle)

    def _problem(self) -> _c.ew_problem:
        address = lib.ew_case_problem(self._handle)
        return _c.ew_problem.from_buffer_copy(address.contents)

    def _boundaries(self) -> list[_c.ew_boundary]:
        problem = self._problem()
        return [_c.ew_boundary.from_buffer_copy(problem.boundary[k]) for k in range(problem.boundaries)]

    def problem(self, trap: Trap) -> tuple[_c.ew_problem, Any]:
        """The C struct with the functions in it, and what it needs to live as long."""
        problem, boundaries, kept = self._problem(), self._boundaries(), []
        for path, function in self.functions.items():
            data = Data(function, ["x", "y"] if path.endswith(".normal") else primitive(self.law), trap)
            kept.append(data)
            if path in ("initial", "exact"):
                setattr(problem, path, data.data())
            for boundary in boundaries:
                prefix, _, key = path.rpartition(".")
                if prefix == f"boundary.{boundary.name.decode()}":
                    setattr(boundary, key, data.data())
        array = (_c.ew_boundary * max(len(boundaries), 1))(*boundaries)
        problem.boundary = array
        return problem, (kept, array)

    @property
    def plan(self) -> Any:
        return lib.ew_case_plan(self._handle)

    @property
    def name(self) -> str:
        """Of the run's files."""
        return text(self.plan.contents.name) or ""

    @property
    def source(self) -> str:
        """The text of the case file, with those that it includes."""
        info = _c.ew_case_info()
        lib.ew_case_get_info(self._handle, ctypes.byref(info))
        return info.source.decode("utf-8", "replace")

    @property
    def end(self) -> float:
        """The final time."""
        return self.plan.contents.end

    @property
    def mesh(self) -> Mesh:
        """The mesh, which belongs to the case."""
        return Mesh._borrow(lib.ew_case_mesh(self._handle), self)

    def __repr__(self) -> str:
        return f"<Case {self.name}: {self.law.name.decode()}, {self.mesh.elements} triangles>"


def as_case(source: Any, settings: Optional[Mapping[str, Any]] = None, folder: Any = None, name: str = "case",
            member: int = 0) -> Case:
    """A case as it is, or one that is made of a path or a dict."""
    if not isinstance(source, Case):
        return Case(source, settings=settings, folder=folder, name=name, member=member)
    if settings or member:
        raise ValueError("settings and member are for a path or a dict: a Case has them already")
    return source
