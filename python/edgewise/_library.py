# SPDX-License-Identifier: BSD-2-Clause
"""The C library: where it is, calls that raise, and what Python code that it calls may do."""
from __future__ import annotations

import ctypes
import logging
import os
import signal
import threading
from typing import Any, Optional, Sequence

from . import _c

VERSION = "0.1.0"
_log = logging.getLogger("edgewise")
_levels = {_c.EW_LOG_DEBUG: logging.DEBUG, _c.EW_LOG_INFO: logging.INFO, _c.EW_LOG_WARNING: logging.WARNING}
_names = {getattr(_c, name): name for name in dir(_c) if name.startswith("EW_E") and getattr(_c, name) < 0}


class Error(RuntimeError):
    """What the library refuses or fails at.

    Attributes
    ----------
    code : int
        One of ``EW_E*`` of edgewise.h, which ``name`` spells out.
    sentences : list of str
        Everything that was found wrong, where there is more than one thing.
    result : Result or None
        Of a run that failed: what it has left.
    """

    def __init__(self, code: int, message: str, sentences: Sequence[str] = ()) -> None:
        super().__init__("\n".join(sentences) if len(sentences) > 1 else message)
        self.code = code
        self.name = _names.get(code, str(code))
        self.sentences = list(sentences) or [message]
        self.result: Any = None


def _candidates() -> list[str]:
    """EDGEWISE_LIBRARY alone if it is set; or else the wheel's own library, then the one that the system finds."""
    if os.environ.get("EDGEWISE_LIBRARY"):
        return [os.environ["EDGEWISE_LIBRARY"]]
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "libedgewise-python.so")
    places = [own] if os.path.exists(own) else []
    return places + ["libedgewise-case.so.0", "/usr/local/lib/libedgewise-case.so.0"]


def _load() -> ctypes.CDLL:
    reasons = []
    for path in _candidates():
        try:
            found = ctypes.CDLL(path)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise ImportError("libedgewise-case is not found: install edgewise, or set EDGEWISE_LIBRARY to the path of "
                          f"libedgewise-case.so ({'; '.join(reasons)})")
    if not hasattr(found, "ew_case_read"):
        raise ImportError(f"{path} is not libedgewise-case, which this package needs: set EDGEWISE_LIBRARY to the path "
                          "of libedgewise-case.so")
    for name, (result, parameters) in _c.FUNCTIONS.items():
        try:
            function = getattr(found, name)
        except AttributeError:
            raise ImportError(f"{path} has no {name}: it is another version than this package, {VERSION}") from None
        function.restype, function.argtypes = result, parameters
    version = found.ew_version().decode()
    if version != VERSION:
        raise ImportError(f"{path} is edgewise {version}, and this package is for {VERSION}: install the same version")
    _check_structs(found, path)
    return found


def _check_structs(found: ctypes.CDLL, path: str) -> None:
    """Between two releases the version says too little, and a struct of another size would overwrite memory."""
    for name, struct in vars(_c).items():
        if name.startswith("ew_") and isinstance(struct, type) and issubclass(struct, ctypes.Structure):
            size = found.ew_struct_size(name.encode()) or found.ew_case_struct_size(name.encode())
            if size != ctypes.sizeof(struct):
                raise ImportError(f"{path} has a struct {name} of {size} bytes, and this package one of "
                                  f"{ctypes.sizeof(struct)}: install both from the same sources")


lib = _load()


def call(name: str, *arguments: Any, sentences: Sequence[str] = ()) -> int:
    """Calls a function whose last parameter is an ew_error, and raises Error for what it says."""
    error = _c.ew_error()
    status = getattr(lib, name)(*arguments, ctypes.byref(error))
    if status < 0:
        raise Error(status, error.message.decode("utf-8", "replace"), sentences)
    return status


def member_types(struct: Any) -> dict[str, Any]:
    """The types of a struct's members, by name; of a pointer to a function, what makes one of a Python function."""
    return {member[0]: member[1] for member in struct._fields_}


@member_types(_c.ew_host)["log"]
def _report_log(context: Any, level: int, sentence: bytes) -> None:
    _log.log(_levels.get(level, logging.INFO), "%s", sentence.decode("utf-8", "replace"))


host = ctypes.byref(_c.ew_host(log=_report_log))


def text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else os.fsdecode(value)


def encoded(value: Any) -> Optional[bytes]:
    return None if value is None else os.fsencode(value)


class Trap:
    """Keeps the first exception of Python code that C code has called, and Control-C, until the C code is left.

    An exception cannot pass through C. Whoever runs long asks ``sprung`` between steps.
    """

    def __init__(self) -> None:
        self.exception: Optional[BaseException] = None
        self._depth = 0
        self._previous: Any = None

    def keep(self, exception: BaseException) -> None:
        if self.exception is None:
            self.exception = exception

    @property
    def sprung(self) -> bool:
        return self.exception is not None

    def _interrupted(self, number: int, frame: Any) -> None:
        try:
            self._previous(number, frame)
        except BaseException as exception:  # mostly KeyboardInterrupt
            self.keep(exception)

    def __enter__(self) -> "Trap":
        self._depth += 1
        if self._depth == 1:
            self.exception = None
            self._previous = None
            if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
                self._previous = signal.getsignal(signal.SIGINT)
                signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, kind: Any, value: Optional[BaseException], traceback: Any) -> None:
        self._depth -= 1
        if self._depth > 0:
            return
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
        exception, self.exception = self.exception, None
        if exception is not None:
            raise exception from (value if isinstance(value, Error) else None)
