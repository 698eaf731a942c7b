# SPDX-License-Identifier: BSD-2-Clause
"""Runs with their files, runs that are ended, and sweeps."""
import logging
import os
import re
import signal
import sys
import threading
import unittest
import unittest.mock
import warnings

import numpy as np

import edgewise
from flows import box, inside, wind

OUTPUT = {"fields": {"every": 0.025}, "series": {"steps": 2}}


def blocks(path, language):
    """The blocks of code in a language of a page of the project."""
    with open(f"{os.environ['EW_SRCDIR']}/{path}", encoding="utf-8") as file:
        parts = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", file.read(), re.MULTILINE)
    return (text for kind, text in parts if kind == language)


def frames_of(path):
    return len(edgewise.open(path).times)


class Runs(unittest.TestCase):
    def test_run(self):
        """a run writes its fields, and says how it ended"""
        with inside():
            with self.assertRaisesRegex(TypeError, "output is True or False, not 'there'; folder says"):
                edgewise.run(box(output=OUTPUT), output="there")
            result = edgewise.run(box(output=OUTPUT), name="wave")
            self.assertEqual((result.end, result.time, os.path.basename(result.path)), ("end", 0.1, "wave.nc"))
            self.assertEqual((result.frames, frames_of("wave.nc")), (5, 5))
            self.assertEqual(result.hash, result.solver.hash)
            self.assertAlmostEqual(result.norms["total"]["rho"], edgewise.Solver(box()).norms()["total"]["rho"])
            self.assertEqual(result.series_arrays["time"][-1], 0.1)

    def test_other_folder(self):
        """results are found when the program has gone to another folder"""
        with inside():
            os.mkdir("out")
            output = {**OUTPUT, "restart": {"steps": 4}}
            result = edgewise.run(box(output=output), folder="out", progress=lambda now: os.chdir("/"))
            os.chdir("/")
            self.assertEqual(frames_of(result.path), 5)
            self.assertEqual(result.series_arrays["time"][-1], 0.1)
            self.assertTrue(all(os.path.isabs(path) and os.path.exists(path) for path in result.restarts))
            self.assertEqual(abs(result.results.minus(result.results).sample("rho")).max(), 0)

    def test_xarray(self):
        """fields and series are xarray datasets"""
        try:
            import netCDF4  # noqa: F401
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("there is no xarray with netCDF4")
        with inside():
            result = edgewise.run(box(output=OUTPUT))
            with result.fields as fields:
                self.assertEqual(fields.rho.dims, ("time", "n_node"))
                np.testing.assert_allclose(fields.time, [0, 0.025, 0.05, 0.075, 0.1])
            self.assertAlmostEqual(float(result.series.total_rho[-1]), result.norms["total"]["rho"], places=12)

    def test_missing_modules(self):
        """without optional modules, the error says how to install them"""
        with inside(), unittest.mock.patch.dict(sys.modules, {"xarray": None, "matplotlib": None}):
            result = edgewise.run(box(output=OUTPUT))
            for packages, use in (("xarray netCDF4", lambda: result.fields), ("xarray netCDF4", lambda: result.series),
                                  ("matplotlib", result.plot)):
                install = re.escape(f"pip install {packages}, or pip install './python[all]'; ")
                self.assertRaisesRegex(ImportError, install, use)

    def test_readme(self):
        """the first example of python/README.md runs as it is, with the case of README.md"""
        try:
            import matplotlib.pyplot
            import netCDF4  # noqa: F401
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("there is no xarray with netCDF4 and matplotlib")
        with inside():
            with open("sod.cfg", "w", encoding="utf-8") as file:
                file.write(next(text for text in blocks("README.md", "") if "Sod's tube" in text))
            names = {}
            try:
                exec(next(blocks("python/README.md", "python")), names)
            except edgewise.Error as error:
                if error.name == "EW_EUNAVAILABLE":
                    self.skipTest(str(error))
                raise
            finally:
                matplotlib.pyplot.close("all")
            self.assertEqual(names["r"].end, "end")
            for name in "rho.png", "film.png", "difference.png", "mass.svg":
                self.assertGreater(os.path.getsize(name), 500)

    def test_warnings(self):
        """a run warns of its initial state as the command does, at the caller's line, and the README's case does not"""
        case = box()
        case["boundary"]["right"] = {"kind": "copy"}
        with self.assertWarnsRegex(UserWarning, 'boundary "right": waves enter along 100 % of it') as caught:
            edgewise.run(case, output=False)
        self.assertEqual(caught.filename, __file__)
        with inside(), warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            with open("sod.cfg", "w", encoding="utf-8") as file:
                file.write(next(text for text in blocks("README.md", "") if "Sod's tube" in text))
            edgewise.run("sod.cfg", settings={"order": 2, "limiter": "none", "time.steps": 1}, output=False)

    def test_no_output(self):
        """without output there is no file, and asking for one says so"""
        with inside():
            result = edgewise.run(box(), output=False)
            self.assertEqual(os.listdir(), [])
            with self.assertRaisesRegex(FileNotFoundError, "no fields"):
                result.results

    def test_residual(self):
        """a run that looks for a steady state has its residuals"""
        self.assertIsNone(edgewise.run(box(), output=False).residual)
        result = edgewise.run(box(time={"end": 0.1, "steady": 1e-9}), output=False)
        self.assertEqual(list(result.residual), result.solver.variables)
        self.assertTrue(all(value >= 0 for value in result.residual.values()))
        self.assertGreaterEqual(result.orders_fallen, 0)

    def test_progress(self):
        """progress sees the run, and ends it"""
        seen, least, kept = [], [], []

        def progress(now):
            seen.append((now.fraction, now.steps, now.solver.time))
            least.append(now.least)
            kept.append(now)
            return now.time > 0.02
        with inside():
            result = edgewise.run(box(12), settings={"time.end": 50.0}, progress=progress)
            self.assertEqual(result.end, "interrupted")
            self.assertEqual(os.path.basename(result.path), "case.interrupted.nc")
            self.assertGreaterEqual(len(seen), 1)
            self.assertEqual(list(least[0]), ["rho", "p"])
            self.assertTrue(0.5 < least[0]["rho"] < 1.1)
            with self.assertRaisesRegex(RuntimeError, "over"):
                kept[0].least

    def test_callback(self):
        """callback is called after so many steps, or at frames, and ends the run at the same step each time"""
        steps, times = [], []
        with inside():
            whole = edgewise.run(box(output=OUTPUT), name="whole")
            again = edgewise.run(box(output=OUTPUT), name="same", callback=lambda s: steps.append(s.steps), every=3)
            self.assertEqual((again.end, again.hash), ("end", whole.hash))
            self.assertEqual(steps, [*range(3, whole.steps, 3), whole.steps])
            edgewise.run(box(output=OUTPUT), name="frames", callback=lambda s: times.append(s.time), every="frame")
            np.testing.assert_allclose(times, [0.025, 0.05, 0.075, 0.1])
            ended = [edgewise.run(box(output=OUTPUT), name=f"ended{k}", callback=lambda s: s.time > 0.06)
                     for k in range(2)]
            self.assertEqual([(r.end, r.steps, r.hash) for r in ended],
                             2 * [("interrupted", ended[0].steps, ended[0].hash)])
            self.assertTrue(ended[0].time - ended[0].solver.time_step <= 0.06 < ended[0].time)
            self.assertEqual(os.path.basename(ended[0].path), "ended0.interrupted.nc")
            for every in 0, "steps", True, 1.5:
                with self.assertRaisesRegex(ValueError, "every is a whole number"):
                    edgewise.run(box(), callback=print, every=every)

    def test_callback_that_raises(self):
        """what callback raises comes out of the run, with the result until then; so does Control-C"""
        def interrupt(solver):
            if solver.steps == 2:
                os.kill(os.getpid(), signal.SIGINT)
        with inside():
            with self.assertRaisesRegex(LookupError, "enough") as caught:
                edgewise.run(box(output=OUTPUT), callback=lambda s: {}["enough"])
            self.assertEqual((caught.exception.result.end, caught.exception.result.steps), ("interrupted", 1))
            self.assertGreaterEqual(frames_of("case.interrupted.nc"), 1)
            with self.assertRaises(KeyboardInterrupt) as caught:
                edgewise.run(box(output=OUTPUT), callback=interrupt)
            self.assertEqual(caught.exception.result.steps, 2)

    def test_names(self):
        """tracebacks show public names"""
        with self.assertRaises(edgewise.Error) as caught:
            edgewise.run("none.cfg")
        self.assertEqual(f"{type(caught.exception).__module__}.{type(caught.exception).__qualname__}", "edgewise.Error")
        for name in edgewise.__all__:
            if isinstance(getattr(edgewise, name), type):
                self.assertEqual(getattr(edgewise, name).__module__, "edgewise")

    def test_progress_that_raises(self):
        """what progress raises ends the run and comes out of it; the file is whole"""
        def progress(now):
            raise LookupError("enough")
        with inside():
            with self.assertRaisesRegex(LookupError, "enough") as caught:
                edgewise.run(box(output=OUTPUT), progress=progress)
            self.assertGreaterEqual(frames_of("case.interrupted.nc"), 1)
            self.assertFalse(any(name.endswith(".part") for name in os.listdir()))
            if hasattr(caught.exception, "__notes__"):
                self.assertIn("case.interrupted.nc", caught.exception.__notes__[0])

    def test_data_that_raise(self):
        """what a boundary's function raises ends the run and comes out of it; the file is whole"""
        def state(x, y, t):
            if t > 0.06:
                raise OverflowError("no wind any more")
            return 1, 0.1, 0, 1
        with inside():
            with self.assertRaisesRegex(OverflowError, "no wind any more"):
                edgewise.run({**wind(state), "output": OUTPUT})
            files = [name for name in os.listdir() if name.endswith(".nc")]
            self.assertEqual(len(files), 1)
            self.assertGreaterEqual(frames_of(files[0]), 3)
            self.assertFalse(any(name.endswith(".part") for name in os.listdir()))

    def test_control_c(self):
        """Control-C ends a run after a whole step: KeyboardInterrupt, and a file to go on from"""
        with inside():
            timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                edgewise.run(box(24), settings={"time.end": 1e6, "output.restart.steps": 10**9})
            timer.join()
            self.assertGreaterEqual(frames_of("case.interrupted.nc"), 1)

    def test_restart(self):
        """a run that goes on from a restart file ends with the same bits"""
        whole = edgewise.run(box(), output=False)
        with inside():
            case = box(output={"restart": {"steps": 4}})
            edgewise.run(case, settings={"time.steps": 8})
            result = edgewise.run(case, restart="auto")
            self.assertEqual(result.hash, whole.hash)

    def test_broken_run(self):
        """a run that breaks is an error with its result"""
        case = box(initial={"rho": "x < 0.5 ? 1 : 0.001", "u": 0, "v": 0, "p": "x < 0.5 ? 1000 : 0.001"})
        with inside():
            with self.assertRaises(edgewise.Error) as caught:
                edgewise.run(case)
            self.assertEqual(caught.exception.result.end, "failed")
            self.assertEqual(os.path.basename(caught.exception.result.path), "case.failed.nc")

    def test_log(self):
        """what the library has to say goes to the log \"edgewise\""""
        with inside():
            edgewise.run(box(output={"restart": {"steps": 4}}), settings={"time.steps": 4})
            with self.assertLogs("edgewise", logging.INFO) as caught:
                edgewise.run(box(output={"restart": {"steps": 4}}), settings={"flux": "roe"}, restart="auto")
            self.assertIn("flux", "\n".join(caught.output))


class Sweeps(unittest.TestCase):
    case = box(let={"a": 0.1}, initial={"rho": "1 + a*x", "u": 0, "v": 0, "p": 1}, time={"end": 0.02})

    def test_grid(self):
        """a sweep runs all combinations, each with the bits that it has alone"""
        with inside():
            sweep = edgewise.sweep(self.case, {"let.a": [0.1, 0.3], "order": [1, 2]}, name="set")
            self.assertEqual(sweep.keys, ["let.a", "order"])
            self.assertEqual(sweep.values, [(0.1, 1), (0.1, 2), (0.3, 1), (0.3, 2)])
            alone = edgewise.run(self.case, settings={"let.a": 0.3, "order": 2}, output=False)
            self.assertEqual(sweep[3].hash, alone.hash)
            name = "set-4.nc" if os.path.exists("set-4.nc") else sweep.names[3] + ".nc"
            self.assertEqual(os.path.basename(sweep[3].path), name)
            np.testing.assert_allclose(sweep.table["total_rho"], [1.05, 1.05, 1.15, 1.15])

    def test_arguments(self):
        """a sweep refuses what cannot be meant, before anything runs"""
        with self.assertRaisesRegex(edgewise.Error, 'the case has no "let.b", so it would change nothing'):
            edgewise.run(self.case, settings={"let.b": 0.3}, output=False)
        for words, wrong in (("nothing to sweep", {}), ("sequence of values", {"let.a": "0..4"}),
                             ("sequence of values", {"let.a": 3})):
            with self.assertRaisesRegex(ValueError, words):
                edgewise.sweep(self.case, wrong, output=False)
        with self.assertRaisesRegex(ValueError, "jobs"):
            edgewise.sweep(self.case, {"let.a": [1]}, output=False, jobs=0)
        with self.assertRaisesRegex(TypeError, "folder says"):
            edgewise.sweep(self.case, {"let.a": [1]}, output="there")
        with self.assertRaisesRegex(NotADirectoryError, "nowhere"):
            edgewise.sweep(self.case, {"let.a": [1]}, folder="nowhere")

    def test_failures(self):
        """members that fail do not hinder the others"""
        sweep = edgewise.sweep(self.case, {"let.a": np.array([0.1, -3.0])}, output=False)
        self.assertEqual(sweep[0].end, "end")
        self.assertIsNone(sweep[1])
        self.assertIn("rho", str(sweep.failures[1]))
        self.assertEqual(list(sweep.table["end"]), ["end", "failed"])

    def test_functions(self):
        """members share a function of the case, and what it raises ends the sweep"""
        case = {**self.case, "initial": lambda x, y: (1 + x, 0, 0, 1)}
        sweep = edgewise.sweep(case, {"order": [1, 2, 3]}, output=False, jobs=2)
        np.testing.assert_allclose(sweep.table["total_rho"], 1.5)

        def wrong(x, y):
            raise LookupError("not known")
        with self.assertRaisesRegex(LookupError, "not known"):
            edgewise.sweep({**self.case, "initial": wrong}, {"order": [1, 2, 3]}, output=False, jobs=2)

    def test_well(self):
        """the rasters of all members are gathered in one file, with the keys that are numbers"""
        case = {**self.case, "output": {"raster": {"cells": [6, 4]}, "fields": {"every": 0.01}}}
        with inside():
            with self.assertRaisesRegex(ValueError, "output=False"):
                edgewise.sweep(case, {"order": [1, 2]}, output=False, well="set.hdf5")
            try:
                sweep = edgewise.sweep(case, {"let.a": [0.1, 0.3], "order": [1, 2]}, name="set", well="set.hdf5")
            except edgewise.Error as error:
                if error.name == "EW_EUNAVAILABLE":
                    self.skipTest(str(error))
                raise
            self.assertEqual(sweep.failures, {})
            with open("set.hdf5", "rb") as file:
                self.assertEqual(file.read(8), b"\x89HDF\r\n\x1a\n")
            self.assertFalse(any(name.endswith(".part") for name in os.listdir()))
            try:
                import netCDF4
            except ImportError:
                return
            with netCDF4.Dataset("set.hdf5") as file:
                self.assertEqual(file.dataset_name, "set")
                self.assertEqual(file["t0_fields"]["rho"].shape, (4, 3, 6, 4))
            with self.assertRaisesRegex(edgewise.Error, "raster"):
                edgewise.sweep(self.case, {"order": [1, 2]}, well="none.hdf5")

    def test_file(self):
        """a case file's own sweep is run"""
        with inside():
            with open("set.cfg", "w", encoding="utf-8") as file:
                file.write(edgewise.case_text({**self.case, "sweep": {"over": ({"key": "order", "values": [1, 2]},)}}))
            self.assertEqual([one.end for one in edgewise.sweep("set.cfg", output=False)], ["end", "end"])
