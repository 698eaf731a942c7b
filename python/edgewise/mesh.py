# SPDX-License-Identifier: BSD-2-Clause
"""Meshes: from arrays, meshio objects and Gmsh files."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping

import numpy as np

from . import _c
from ._library import Trap, call, encoded, host, lib, member_types


def _pointer(array: np.ndarray, kind: Any) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(kind))


def _receiver(sentences: list[str], kind: Any) -> Any:
    return kind(lambda context, sentence: sentences.append(sentence.decode("utf-8", "replace")))


def _whole(nodes: Any) -> np.ndarray:
    """Numbers of nodes; NumPy would cut fractions off."""
    given = np.asarray(nodes)
    if given.dtype.kind not in "iu" and not np.array_equal(given, np.rint(given.astype(np.float64))):
        raise ValueError("triangles and boundaries must have whole numbers, which are those of nodes")
    return np.ascontiguousarray(given, dtype=np.int64)


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    columns = min(part.shape[1] for part in parts)
    return np.concatenate([part[:, :columns] for part in parts])


def _without_middles(xy: np.ndarray, triangle: np.ndarray, line: np.ndarray,
                     parts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    for nodes in [triangle, *parts]:
        if nodes.size and not (0 <= nodes.min() and nodes.max() < len(xy)):
            raise ValueError(f"triangles and boundaries must have nodes from 0 to {len(xy) - 1}")
    keep = np.ones(len(xy), dtype=bool)
    for part in parts:
        keep[part[:, 2:]] = False
    keep[triangle] = keep[line] = True
    position = np.cumsum(keep) - 1
    return np.ascontiguousarray(xy[keep]), position[triangle], position[line]


class Mesh:
    """A mesh of triangles.

    Parameters
    ----------
    points : array_like, shape (nodes, 2)
        Coordinates of the nodes.
    triangles : array_like of int, shape (elements, 3)
        Nodes of the triangles, in either orientation.
    boundaries : mapping of str to array_like of int, shape (edges, 2) or (edges, 3)
        Nodes of the edges of each boundary, by its name. Every boundary edge is in one of them. A third node, in the
        middle, is for walls with ``curve = "spline"`` and is not kept.

    Examples
    --------
    >>> square = Mesh([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1, 2], [0, 2, 3]],
    ...               {"wall": [[0, 1], [1, 2], [2, 3]], "inlet": [[3, 0]]})
    >>> square
    <Mesh of 2 triangles; boundaries wall, inlet>
    >>> square.refine().elements
    8
    """

    def __init__(self, points: Any, triangles: Any, boundaries: Mapping[str, Any]) -> None:
        xy = np.ascontiguousarray(points, dtype=np.float64)
        triangle = _whole(triangles)
        parts = [_whole(edges) for edges in boundaries.values()]
        parts = [part if part.ndim == 2 and part.shape[1] == 3 else part.reshape(-1, 2) for part in parts]
        line = np.ascontiguousarray(np.concatenate([np.empty((0, 2), np.int64)] + [part[:, :2] for part in parts]))
        number = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in parts])
        if xy.ndim != 2 or xy.shape[1] != 2 or triangle.ndim != 2 or triangle.shape[1] != 3:
            raise ValueError(f"points must have the shape (nodes, 2) and triangles (elements, 3), not {xy.shape} and "
                             f"{triangle.shape}")
        middle = None
        if any(part.shape[1] == 3 for part in parts):
            points, (xy, triangle, line) = xy, _without_middles(xy, triangle, line, parts)
            middle = np.ascontiguousarray(np.concatenate(
                [points[part[:, 2]] if part.shape[1] == 3 else np.full((len(part), 2), np.nan) for part in parts]))
        names = (ctypes.c_char_p * max(len(parts), 1))(*[name.encode() for name in boundaries])
        sentences: list[str] = []
        data = _c.ew_mesh_data(
            nodes=len(xy), xy=_pointer(xy, ctypes.c_double), triangles=len(triangle),
            triangle=_pointer(triangle, ctypes.c_int64), lines=len(line), line=_pointer(line, ctypes.c_int64),
            line_name=_pointer(number, ctypes.c_int32), names=len(parts), name=names,
            line_middle=None if middle is None else _pointer(middle, ctypes.c_double),
            report=_receiver(sentences, member_types(_c.ew_mesh_data)["report"]))
        self._take("ew_mesh_create", ctypes.byref(data), sentences=sentences)

    def _take(self, name: str, *arguments: Any, sentences: Any = ()) -> None:
        self._handle = ctypes.c_void_p()
        self._owner: Any = None
        with Trap():
            call(name, host, *arguments, ctypes.byref(self._handle), sentences=sentences)

    @classmethod
    def _borrow(cls, handle: int, owner: Any) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._handle, mesh._owner = ctypes.c_void_p(handle), owner
        return mesh

    @classmethod
    def read(cls, path: Any) -> "Mesh":
        """Reads a Gmsh file, .msh 2.2 or 4.1."""
        mesh = cls.__new__(cls)
        sentences: list[str] = []
        data = _c.ew_mesh_data(report=_receiver(sentences, member_types(_c.ew_mesh_data)["report"]))
        mesh._handle, mesh._owner = ctypes.c_void_p(), None
        with Trap():
            call("ew_gmsh_read", host, encoded(path), ctypes.byref(data), ctypes.byref(mesh._handle),
                 sentences=sentences)
        return mesh

    @classmethod
    def from_meshio(cls, mesh: Any) -> "Mesh":
        """Takes a ``meshio.Mesh`` whose lines have physical names (``cell_sets`` or ``gmsh:physical``).

        Of second-order triangles (``triangle6``) and lines (``line3``), corners and the lines' middles are taken.
        """
        others = sorted({block.type for block in mesh.cells} - {"triangle", "triangle6", "line", "line3", "vertex"})
        if others:
            hint = "; `edgewise mesh convert` splits quadrangles" if any("quad" in kind for kind in others) else ""
            raise ValueError(f"the mesh has cells of the type {', '.join(others)}, and edgewise solves on triangles"
                             + hint)
        triangles = np.concatenate([mesh.get_cells_type("triangle").reshape(-1, 3),
                                    mesh.get_cells_type("triangle6").reshape(-1, 6)[:, :3]]).astype(np.int64)
        named: dict[str, list[np.ndarray]] = {}
        physical = mesh.cell_data.get("gmsh:physical")
        numbers = {int(value[0]): name for name, value in mesh.field_data.items() if int(value[1]) == 1}
        for k, block in enumerate(mesh.cells):
            if block.type not in ("line", "line3"):
                continue
            chosen = {name: sets[k] for name, sets in mesh.cell_sets.items()
                      if not name.startswith("gmsh:") and sets[k] is not None and len(sets[k])}
            if not chosen and physical is not None:
                chosen = {numbers[tag]: np.flatnonzero(physical[k] == tag) for tag in np.unique(physical[k])
                          if tag in numbers}
            for name, edges in chosen.items():
                named.setdefault(name, []).append(block.data[np.asarray(edges, dtype=np.int64)])
        boundaries = {name: _joined(parts) for name, parts in named.items()}
        points = mesh.points[:, :2]
        if len(mesh.get_cells_type("triangle6")):
            used = np.zeros(len(points), dtype=bool)
            for nodes in [triangles, *boundaries.values()]:
                used[nodes] = True
            position = np.cumsum(used) - 1
            points, triangles = points[used], position[triangles]
            boundaries = {name: position[edges] for name, edges in boundaries.items()}
        return cls(points, triangles, boundaries)

    def __del__(self) -> None:
        if getattr(self, "_owner", self) is None:
            lib.ew_mesh_destroy(self._handle)

    @property
    def info(self) -> dict[str, Any]:
        """Sizes, extent, area and hash."""
        info = _c.ew_mesh_info()
        lib.ew_mesh_get_info(self._handle, ctypes.byref(info))
        return {name: getattr(info, name) for name in member_types(info)}

    @property
    def elements(self) -> int:
        """Number of triangles."""
        return self.info["elements"]

    @property
    def points(self) -> np.ndarray:
        """Coordinates of the nodes, (nodes, 2); a copy."""
        xy = np.empty((self.info["nodes"], 2))
        lib.ew_mesh_get_nodes(self._handle, _pointer(xy, ctypes.c_double))
        return xy

    @property
    def triangles(self) -> np.ndarray:
        """Nodes of the triangles, counter-clockwise, (elements, 3); a copy."""
        triangle = np.empty((self.elements, 3), dtype=np.int64)
        lib.ew_mesh_get_triangles(self._handle, _pointer(triangle, ctypes.c_int64))
        return triangle

    @property
    def boundaries(self) -> dict[str, int]:
        """Number of edges of each boundary, in the order of their numbers."""
        edges, found, k = ctypes.c_int64(), {}, 0
        while (name := lib.ew_mesh_boundary(self._handle, k, ctypes.byref(edges))) is not None:
            found[name.decode()] = edges.value
            k += 1
        return found

    def refine(self, times: int = 1) -> "Mesh":
        """Cuts each triangle into four, `times` times; boundaries stay straight."""
        mesh = Mesh.__new__(Mesh)
        mesh._take("ew_mesh_refine", self._handle, times, 0, None)
        return mesh

    def write(self, path: Any, *, binary: bool = True) -> None:
        """Writes a Gmsh file, .msh 4.1, which is the same mesh to the last bit."""
        call("ew_gmsh_write", host, self._handle, _c.EW_GMSH_41, int(binary), encoded(os.fspath(path)))

    def __repr__(self) -> str:
        return f"<Mesh of {self.elements} triangles; boundaries {', '.join(self.boundaries) or 'none'}>"
