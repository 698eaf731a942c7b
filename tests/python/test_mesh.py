# SPDX-License-Identifier: BSD-2-Clause
"""Meshes from arrays, meshio objects and files."""
import unittest

import numpy as np

import edgewise
from flows import box, inside

POINTS = [[0, 0], [1, 0], [1, 1], [0, 1]]
TRIANGLES = [[0, 1, 2], [0, 3, 2]]  # the second one is clockwise
BOUNDARIES = {"wall": [[0, 1], [1, 2], [2, 3]], "inlet": [[3, 0]]}
MIDDLES = [[0.5, -0.1], [1.1, 0.5], [0.5, 1.1]]


class Meshes(unittest.TestCase):
    def assert_same(self, one, other):
        np.testing.assert_array_equal(one.points, other.points)
        np.testing.assert_array_equal(one.triangles, other.triangles)
        self.assertEqual(one.boundaries, other.boundaries)

    def test_arrays(self):
        """a mesh from arrays has its points, its triangles counter-clockwise, and its boundaries"""
        mesh = edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES)
        self.assertEqual(mesh.boundaries, {"wall": 3, "inlet": 1})
        np.testing.assert_array_equal(mesh.points, POINTS)
        np.testing.assert_array_equal(mesh.triangles[1] != TRIANGLES[1], [False, True, True])
        self.assertEqual(mesh.info["reoriented"], 1)

    def test_defects(self):
        """every defect of a mesh is a sentence of the exception"""
        with self.assertRaises(edgewise.Error) as caught:
            edgewise.Mesh([[0, 0], [1, 0], [2, 0], [0, 1]], [[0, 1, 2]], {"wall": [[0, 1]]})
        self.assertEqual(caught.exception.name, "EW_EMESH")
        self.assertIn("triangle", str(caught.exception))

    def test_shapes(self):
        """arrays of other shapes are refused"""
        with self.assertRaisesRegex(ValueError, "shape"):
            edgewise.Mesh(np.zeros((4, 3)), TRIANGLES, BOUNDARIES)

    def test_fractions(self):
        """numbers of nodes are whole, of whatever type"""
        mesh = edgewise.Mesh(POINTS, np.array(TRIANGLES, dtype=float), BOUNDARIES)
        self.assert_same(mesh, edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES))
        for triangles, inlet in ([[0, 1, 2.5], [0, 3, 2]], [[3, 0]]), (TRIANGLES, [[3, 0.5]]):
            with self.assertRaisesRegex(ValueError, "whole numbers"):
                edgewise.Mesh(POINTS, triangles, {**BOUNDARIES, "inlet": inlet})

    def test_second_order(self):
        """a third node of a boundary edge is its middle, and no node of the mesh"""
        curved = {"wall": [[0, 1, 4], [1, 2, 5], [2, 3, 6]], "inlet": [[3, 0]]}
        mesh = edgewise.Mesh(POINTS + MIDDLES, TRIANGLES, curved)
        self.assert_same(mesh, edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES))
        self.assertEqual(mesh.info["middles"], 3)
        with self.assertRaisesRegex(ValueError, "from 0 to 6"):
            edgewise.Mesh(POINTS + MIDDLES, TRIANGLES, {"wall": [[0, 1, 7]]})

    def test_files(self):
        """a mesh that was written and read is the same mesh, and so is a refined one"""
        with inside():
            mesh = edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES).refine(2)
            mesh.write("fine.msh")
            again = edgewise.Mesh.read("fine.msh")
            self.assert_same(again, mesh)
            self.assertEqual(again.elements, 32)

    def test_meshio(self):
        """a meshio object is taken with its named lines, by cell sets or by Gmsh's numbers"""
        try:
            import meshio
        except ImportError:
            self.skipTest("there is no meshio")
        points = np.column_stack([POINTS, np.zeros(4)])
        lines = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
        cells = [("line", lines), ("triangle", np.array(TRIANGLES))]
        mesh = edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES)
        sets = meshio.Mesh(points, cells, cell_sets={"wall": [[0, 1, 2], []], "inlet": [[3], []]})
        tags = meshio.Mesh(points, cells, cell_data={"gmsh:physical": [np.array([1, 1, 1, 2]), np.array([3, 3])]},
                           field_data={"wall": np.array([1, 1]), "inlet": np.array([2, 1]), "air": np.array([3, 2])})
        for one in (sets, tags):
            self.assertEqual(edgewise.Mesh.from_meshio(one).info["hash"], mesh.info["hash"])
        points = np.column_stack([POINTS + MIDDLES + [[-0.1, 0.5], [0.5, 0.5]], np.zeros(9)])
        cells = [("line3", np.column_stack([lines, [4, 5, 6, 7]])),
                 ("triangle6", [[0, 1, 2, 4, 5, 8], [0, 3, 2, 7, 6, 8]])]
        second = meshio.Mesh(points, cells, cell_sets={"wall": [[0, 1, 2], []], "inlet": [[3], []]})
        self.assert_same(edgewise.Mesh.from_meshio(second), mesh)
        self.assertEqual(edgewise.Mesh.from_meshio(second).info["middles"], 4)
        quads = meshio.Mesh(np.column_stack([POINTS, np.zeros(4)]), [("line", lines), ("quad", [[0, 1, 2, 3]])])
        self.assertRaisesRegex(ValueError, "type quad, .*`edgewise mesh convert` splits quadrangles",
                               edgewise.Mesh.from_meshio, quads)

    def test_case(self):
        """a case runs on a mesh from arrays"""
        mesh = edgewise.Mesh(POINTS, TRIANGLES, BOUNDARIES).refine(2)
        case = edgewise.Case(box(mesh=mesh, boundary={"wall": {"kind": "wall"}, "inlet": {"kind": "wall"}}))
        self.assert_same(case.mesh, mesh)
        self.assertEqual(edgewise.run(case, output=False).end, "end")
