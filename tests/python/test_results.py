# SPDX-License-Identifier: BSD-2-Clause
"""Fields read back, and pictures of them."""
import os
import unittest

import numpy as np

import edgewise
import edgewise.results
from flows import box, inside

CASE = box(initial={"rho": "1 + x + 2*y", "u": 0, "v": 0, "p": 1}, time={"end": 0.0})


class Fields(unittest.TestCase):
    def test_sample(self):
        """samples come from the polynomials"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            self.assertEqual((results.fields[:4], results.elements), (["rho", "u", "v", "p"], 72))
            self.assertEqual(results.status, "complete")
            x, y, triangles, rs = results.triangulation(3)
            self.assertEqual((len(x), triangles.shape), (720, (648, 3)))
            np.testing.assert_allclose(results.sample("rho", 0, rs).ravel(), 1 + x + 2 * y, rtol=1e-6)
            areas = [np.cross(*(np.array([x[t[k]], y[t[k]], 0]) - [x[t[0]], y[t[0]], 0] for k in (1, 2)))[2] / 2
                     for t in triangles]
            self.assertTrue(min(areas) > 0)
            self.assertAlmostEqual(sum(areas), 1)

    def test_at(self):
        """values at points are those of the polynomials, and NaN outside"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            xy = np.random.default_rng(1).uniform(-0.2, 1.2, (40, 5, 2))
            there = ((xy >= 0) & (xy <= 1)).all(axis=-1)
            found = results.at(xy, "rho", 0)
            self.assertEqual(found.shape, (40, 5))
            np.testing.assert_array_equal(np.isnan(found), ~there)
            np.testing.assert_allclose(found[there], (1 + xy[..., 0] + 2 * xy[..., 1])[there], rtol=1e-9)
            both = results.at([(0.5, 0.5), (1.0, 1.0)], ["rho", "p"])
            np.testing.assert_allclose(both, [[2.5, 1], [4, 1]], rtol=1e-6)
            self.assertEqual(results.at((0.5, 0.25)).shape, ())
            with self.assertRaisesRegex(ValueError, "shape"):
                results.at([1, 2, 3])

    def test_line(self):
        """values along a line are those of the command's table"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            line = results.line((0, 0.1), (1, 0.6), "rho", 0, points=11)
            self.assertEqual(list(line), ["distance", "x", "y", "element", "rho"])
            np.testing.assert_allclose(line["rho"], 1 + line["x"] + 2 * line["y"], rtol=1e-9)
            self.assertAlmostEqual(line["distance"][-1], np.hypot(1, 0.5))
            self.assertGreater(len(line["rho"]), 11)

    def test_boundary(self):
        """fields along boundaries, in order, with both values where edges meet"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            wall = results.boundary(["bottom", "right"], ["p", "rho"], 0)
            self.assertEqual(list(wall), ["arc", "x/c", "x", "y", "boundary", "element", "p", "rho"])
            np.testing.assert_allclose(wall["rho"], 1 + wall["x"] + 2 * wall["y"], rtol=1e-9)
            np.testing.assert_allclose(wall["arc"], wall["x"] + wall["y"], atol=1e-12)
            self.assertEqual((wall["element"].dtype, set(wall["boundary"])), (np.int64, {"bottom", "right"}))
            self.assertTrue((wall["x/c"] == wall["x"]).all() and (np.diff(wall["arc"]) == 0).any())
            self.assertEqual(list(results.boundary("top"))[6:], results.fields)
            with self.assertRaisesRegex(edgewise.Error, "middle"):
                results.boundary("middle")

    def test_vtu(self):
        """a frame goes out as VTU"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            results.vtu("all.vtu")
            results.vtu("one.vtu", ["rho"], 0, lagrange=True)
            with open("one.vtu", "rb") as file:
                text = file.read()
            self.assertTrue(b'Name="rho"' in text and b'Name="p"' not in text)
            self.assertGreater(os.path.getsize("all.vtu"), len(text))
            with self.assertRaisesRegex(ValueError, "a.vtk.*a file must end in .vtu"):
                results.vtu("a.vtk")

    def test_wrong_names(self):
        """a field, a frame or a file that is not there is refused with a sentence"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9}).results
            with self.assertRaisesRegex(edgewise.Error, "rho"):
                results.sample("rhoo")
            with self.assertRaises(IndexError):
                results.sample("rho", 7)
            with self.assertRaisesRegex(edgewise.Error, "nowhere.nc"):
                edgewise.open("nowhere.nc")
            with self.assertRaisesRegex(ValueError, "automatic"):
                results.png("a.png", range="wide")
            for range in "1%,2", "1,2,3", "a,b", (1, "2%"), 5:
                with self.assertRaisesRegex(ValueError, "two numbers or two percentiles"):
                    results.png("a.png", range=range)
            with self.assertRaisesRegex(ValueError, "a.jpg.*must end in .png or .svg or .pdf"):
                results.png("a.jpg")
            with self.assertRaisesRegex(ValueError, "a.gif.*a film from Python must end in .png"):
                results.film("a.gif")
            for draw in results.png, results.film:
                with self.assertRaisesRegex(ValueError, "no room for a title"):
                    draw("a.png", title="x", bare=True)
            with self.assertRaisesRegex(ValueError, "a.jpg.*must end in .png"):
                edgewise.chart("a.jpg", {"a": ([1, 2], [1, 2])})
            self.assertEqual([name for name in os.listdir() if name.startswith("a.")], [])
            with self.assertRaisesRegex(edgewise.Error, "no bodies"):
                results.png("a.png", window="bodies")
            with self.assertRaisesRegex(ValueError, "bodies"):
                results.png("a.png", window="body")
            with self.assertRaisesRegex(TypeError, "no option 'colours'; it has range, log"):
                results.png("a.png", colours=3)

    def test_png(self):
        """edgewise draws a picture"""
        with inside():
            result = edgewise.run(CASE, settings={"time.end": 1e-9})
            try:
                shown = result.png("rho.png", "rho", frame=0, range=(0, 5), width=400, height=300, isolines=5)
            except edgewise.Error as error:
                if error.name == "EW_EUNAVAILABLE":
                    self.skipTest(str(error))
                raise
            self.assertEqual((shown["low"], shown["high"]), (0, 5))
            with open("rho.png", "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def _draw(self, draw):
        try:
            return draw()
        except edgewise.Error as error:
            if error.name == "EW_EUNAVAILABLE":
                self.skipTest(str(error))
            raise

    def test_several(self):
        """several fields in one picture, with levels, arrows and streamlines of the velocity"""
        with inside():
            results = edgewise.run(CASE, settings={"time.end": 1e-9, "initial.u": 1.0}).results
            shown = self._draw(lambda: results.png("all.png", ["rho", "p"], frame=0, width=500, isolines=[1.5, 2.5],
                                                   vectors=10, streamlines=5, range=("1%", "99%"), palette=True))
            self.assertEqual(len(shown), 2)
            self.assertTrue(1 < shown[0]["low"] < shown[0]["high"] < 4)
            again = results.png("all.png", ["rho", "p"], frame=0, width=500, isolines=[1.5, 2.5], vectors=10,
                                streamlines=5, range="1%,99%", palette=True)
            self.assertEqual(again, shown)
            self.assertEqual(results.png("low.png", "rho", range="0.5,2")["high"], 2)
            with open("all.png", "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")
            results.png("rho.svg", "rho", range="full")
            self.assertGreater(os.path.getsize("rho.svg"), 1000)

    def test_film(self):
        """a film has all frames"""
        with inside():
            results = edgewise.run(box(output={"fields": {"every": 0.025}})).results
            self._draw(lambda: results.film("film.png", ["rho", "u"], rate=5, width=300, vectors=5))
            with open("film.png", "rb") as file:
                data = file.read()
            self.assertEqual(data.count(b"fcTL"), len(results.times))

    def _around(self, left, right):
        """The window of "bodies" where two cells of a grid of 40 by 20 are missing, the tenth from below."""
        cells = [(i, j) for j in range(20) for i in range(40) if (i, j) not in ((left, 9), (right, 9))]
        corner = [i + 41 * j for i, j in cells]
        triangles = [t for k in corner for t in ((k, k + 1, k + 42), (k, k + 42, k + 41))]
        sides = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
        known = set(sides)
        edges = [side for side in sides if side[::-1] not in known]
        mesh = edgewise.Mesh([(i, j) for j in range(21) for i in range(41)], triangles, {"all": edges})
        case = {"mesh": mesh, "order": 1, "time": {"end": 1e-9}, "boundary": {"all": {"kind": "wall"}},
                "initial": {"rho": 1, "u": 0, "v": 0, "p": 1}}
        with inside():
            results = edgewise.run(case).results
            return edgewise.results._window(results._handle, "bodies")

    def test_bodies(self):
        """what is around two bodies is a window that leaves room, but not as much as they are apart"""
        self.assertEqual(self._around(8, 10), (6, 7, 13, 12))
        self.assertEqual(self._around(8, 30), (2.25, 3.25, 36.75, 15.75))

    def test_minus(self):
        """the difference of two runs is that of their fields"""
        with inside():
            one = edgewise.run(CASE, settings={"time.end": 1e-9}, folder=os.getcwd(), name="one").results
            other = edgewise.run(CASE, settings={"time.end": 1e-9, "initial.rho": "x"}, name="other").results
            np.testing.assert_allclose(one.minus(other).sample("rho", 0), 1 + 2 * np.mean(other.corners, axis=1)[:, 1:],
                                       atol=1e-6)
            self.assertIn("rho", one.minus(other).fields)
            with self.assertRaisesRegex(edgewise.Error, "mesh"):
                one.minus(edgewise.run(box(12), settings={"time.end": 1e-9}, name="finer").results)

    def test_chart(self):
        """curves are drawn, and those that are none refused"""
        with inside():
            result = edgewise.run(box(output={"series": {"steps": 1}}))
            series = result.series_arrays
            self._draw(lambda: edgewise.chart("mass.png", {"mass": (series["time"], series["total_rho"])},
                                              x_title="t", title="history", width=400, height=300))
            self.assertGreater(os.path.getsize("mass.png"), 500)
            with self.assertRaisesRegex(ValueError, "3 values of x and 2 of y"):
                edgewise.chart("wrong.png", {"a": ([1, 2, 3], [1, 2])})

    def test_matplotlib(self):
        """matplotlib draws filled contours"""
        try:
            import matplotlib.pyplot
        except ImportError:
            self.skipTest("there is no matplotlib")
        with inside():
            axes = edgewise.run(CASE, settings={"time.end": 1e-9}).plot("rho", frame=0, levels=8, cmap="viridis")
            self.assertEqual(axes.get_title(), "rho, t = 0")
            axes.figure.savefig("rho.svg")
            self.assertGreater(os.path.getsize("rho.svg"), 1000)
            matplotlib.pyplot.close("all")
