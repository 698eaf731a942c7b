# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of the package share."""
import contextlib
import os
import tempfile

SIDES = ("left", "right", "bottom", "top")


def box(n=6, **keys):
    """Euler on the unit square of n by n cells, in walls."""
    case = {"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [n, n]}}, "order": 2, "time": {"end": 0.1},
            "initial": {"rho": "1 + 0.1*sin(6*x)*y", "u": 0, "v": 0, "p": 1},
            "boundary": {side: {"kind": "wall"} for side in SIDES}, "backend": {"name": "omp", "threads": 1}}
    return {**case, **keys}


def wind(state):
    """The same, open on the left, where the state comes in."""
    case = box()
    case["boundary"]["left"] = {"kind": "state", "state": state}
    return case


@contextlib.contextmanager
def inside():
    """An empty folder, as the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)
