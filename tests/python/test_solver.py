# SPDX-License-Identifier: BSD-2-Clause
"""Solvers that are stepped by hand: state without a copy, functions that raise, Control-C, threads."""
import gc
import os
import signal
import threading
import time
import unittest

import numpy as np

import edgewise
from edgewise import _c
from edgewise._library import lib
from flows import SIDES, box, wind


def address_of(solver):
    view = _c.ew_state_view()
    lib.ew_solver_view_state(solver._handle, view, None)
    return _c.c_void_p.from_buffer(view, _c.ew_state_view.coefficients.offset).value


class Solvers(unittest.TestCase):
    def test_advance(self):
        """a solver reaches a time or a number of steps, and says which"""
        solver = edgewise.Solver(box())
        self.assertEqual(solver.advance(steps=3), "steps")
        self.assertEqual(solver.steps, 3)
        self.assertEqual(solver.advance(0.05), "time")
        self.assertEqual(solver.time, 0.05)
        with self.assertRaises(edgewise.Error):
            solver.advance(0.01)
        with self.assertRaises(ValueError):
            solver.advance()

    def test_callback(self):
        """a callback sees the solver after so many steps, and changes no bits"""
        alone, watched, seen = edgewise.Solver(box()), edgewise.Solver(box()), []
        alone.advance(0.1)
        watched.advance(0.1, every=2, callback=lambda solver: seen.append(solver.steps))
        self.assertEqual(seen[:3], [2, 4, 6])
        self.assertEqual(alone.hash, watched.hash)
        self.assertEqual(watched.advance(0.5, callback=lambda solver: True), "callback")

    def test_callback_that_raises(self):
        """what a callback raises comes out of advance, and the solver goes on after it"""
        solver = edgewise.Solver(box())

        def sensor(solver):
            raise LookupError("too hot")
        with self.assertRaisesRegex(LookupError, "too hot"):
            solver.advance(0.1, callback=sensor)
        self.assertEqual(solver.steps, 1)
        self.assertEqual(solver.advance(0.1), "time")

    def test_data_that_raise(self):
        """what a boundary's function raises during a step comes out of advance"""
        def state(x, y, t):
            if t > 0.02:
                raise OverflowError("no wind any more")
            return 1, 0.1, 0, 1
        solver = edgewise.Solver(wind(state))
        with self.assertRaisesRegex(OverflowError, "no wind any more"):
            solver.advance(0.1)
        self.assertLess(solver.time, 0.1)

    def test_view(self):
        """the state is the solver's own memory, by its address; it cannot be written, and keeps the solver alive"""
        solver = edgewise.Solver(box())
        solver.advance(steps=2)
        state = solver.state
        self.assertEqual(state.__array_interface__["data"], (address_of(solver), True))
        self.assertEqual(state.shape, (9, 4, 6, 8))
        with self.assertRaises(ValueError):
            state[0] = 1
        place = solver.place
        np.testing.assert_array_equal(state[place // 8, :, :, place % 8], solver.coefficients)
        before = state.copy()
        del solver
        gc.collect()
        np.testing.assert_array_equal(state, before)

    def test_dlpack(self):
        """the view is taken by DLPack, at the same address"""
        solver = edgewise.Solver(box())
        state = solver.state
        try:
            taken = np.from_dlpack(state)
        except (AttributeError, BufferError) as error:  # NumPy before 2.1 hands no read-only arrays on
            self.skipTest(str(error))
        self.assertEqual((taken.ctypes.data, taken.shape), (address_of(solver), state.shape))
        self.assertFalse(taken.flags.writeable)
        before = solver.coefficients
        place = solver.place.copy()
        del solver, state
        gc.collect()
        np.testing.assert_array_equal(taken[place // 8, :, :, place % 8], before)

    def test_parts(self):
        """a case in several parts has the same bits, says so, and has no view"""
        whole, divided = edgewise.Solver(box()), edgewise.Solver(box(), settings={"backend.parts": 3})
        whole.advance(0.02)
        divided.advance(0.02)
        self.assertEqual(whole.hash, divided.hash)
        self.assertEqual((whole.info["parts"], divided.info["parts"]), (1, 3))
        self.assertGreater(divided.info["cut_edges"], 0)
        self.assertEqual(len(whole.info["level_elements"]), whole.info["step_levels"])
        with self.assertRaisesRegex(edgewise.Error, "in several parts"):
            divided.state

    def test_least(self):
        """the smallest values are those of the norms, of what must stay positive"""
        solver = edgewise.Solver(box())
        solver.advance(0.02)
        least = solver.norms()["min"]
        self.assertEqual(solver.least, {"rho": least["rho"], "p": least["p"]})

    def test_growth(self):
        """a state that has grown beyond what was given is an error, and stays"""
        solver = edgewise.Solver(box())
        solver.check_growth()
        solver.set(2000 * solver.coefficients)
        with self.assertRaisesRegex(edgewise.Error, "unstable") as caught:
            solver.check_growth()
        self.assertEqual(caught.exception.name, "EW_ESTATE")
        solver.set(solver.coefficients / 2000)
        solver.check_growth()

    def test_set(self):
        """coefficients are set, and the solver goes on from there with the same bits"""
        one, other = edgewise.Solver(box()), edgewise.Solver(box())
        one.advance(steps=3)
        other.set(one.coefficients, one.time, one.steps)
        self.assertEqual((one.hash, one.time, one.steps), (other.hash, other.time, other.steps))
        one.advance(0.05)
        other.advance(0.05)
        self.assertEqual(one.hash, other.hash)
        with self.assertRaisesRegex(ValueError, "shape"):
            other.set(np.zeros((1, 2, 3)))

    def test_quantities(self):
        """means, samples, residual, norms and boundaries agree with each other"""
        solver = edgewise.Solver(box())
        np.testing.assert_allclose(solver.means, solver.coefficients[:, :, 0] * np.sqrt(2), rtol=1e-15)
        rho, mach = np.moveaxis(solver.sample(["rho", "mach"], [[0, 0], [1, 0], [0, 1]]), 2, 0)
        self.assertEqual(rho.shape, (72, 3))
        self.assertLess(abs(mach).max(), 1e-12)
        np.testing.assert_array_equal(solver.sample("rho", [[0, 0], [1, 0], [0, 1]]), rho)
        with self.assertRaisesRegex(ValueError, "no quantity 'machs'.*mach"):
            solver.sample("machs")
        self.assertEqual(solver.residual.shape, (72, 4, 6))
        self.assertAlmostEqual(float(solver.means[:, 0].mean()), solver.norms()["total"]["rho"])
        left = solver.boundary("left")
        np.testing.assert_allclose(left["force"], [-1, 0], atol=1e-3)
        self.assertAlmostEqual(left["length"], 1)
        self.assertAlmostEqual(left["moment"], 0.5, delta=1e-3)
        with self.assertRaisesRegex(ValueError, "middle.*left"):
            solver.boundary("middle")
        with self.assertRaisesRegex(ValueError, "machs.*mach"):
            solver.sample(["machs"])

    def test_wall(self):
        """values along a wall are arrays of its edges; other boundaries have none"""
        solver = edgewise.Solver(box())
        wall = solver.wall("right")
        self.assertEqual(sorted(wall), ["arc", "normal_x", "normal_y", "pressure", "x", "y"])
        self.assertEqual(wall["x"].shape, (6, 3))
        np.testing.assert_array_equal(wall["x"], 1)
        np.testing.assert_allclose(wall["normal_x"], 1, rtol=1e-15)
        np.testing.assert_allclose(wall["pressure"], 1, atol=1e-3)
        with self.assertRaisesRegex(edgewise.Error, "is not a wall"):
            edgewise.Solver(wind("initial")).wall("left")

    def test_viscous_wall(self):
        """walls at which the gas sticks have the shear and the heat flux of Couette's flow (examples/couette)"""
        sides = {side: {"kind": "state", "state": "initial"} for side in ("left", "right")}
        solver = edgewise.Solver(box(
            n=3, order=3, law={"name": "navier-stokes", "mu": 0.05, "prandtl": 0.72},
            let={"T": "1 + 0.2*y + prandtl*(gamma - 1)/(2*gamma)*y*(1 - y)"},
            initial={"rho": "1/T", "u": "y", "v": 0, "p": 1},
            boundary={"bottom": {"kind": "no-slip", "T": 1}, "top": {"kind": "no-slip", "T": 1.2, "u": 1}, **sides}))
        solver.advance(0.02)
        conductivity, slope = 0.05 * 1.4 / (0.72 * 0.4), 0.72 / 7
        for side, normal, temperature, heat in (("bottom", -1, 1, 0.2 + slope), ("top", 1, 1.2, slope - 0.2)):
            wall = solver.wall(side)
            self.assertEqual(wall["shear"].shape, (3, 4))
            for name, exact in (("normal_y", normal), ("temperature", temperature), ("shear", 0.05),
                                ("heat", conductivity * heat), ("conductivity", conductivity), ("pressure", 1)):
                np.testing.assert_allclose(wall[name], exact, atol=2e-5, err_msg=f"{side}: {name}")

    def test_formulas(self):
        """quantities by formula are sampled like those of the law"""
        solver = edgewise.Solver(box(output={"quantities": {"momentum": "rho*u", "double": "2*momentum"}}))
        self.assertEqual(solver.outputs()[-2:], ["momentum", "double"])
        values = solver.sample(["rho", "u", "momentum", "double"])
        np.testing.assert_array_equal(values[:, :, 2], values[:, :, 0] * values[:, :, 1])
        np.testing.assert_array_equal(values[:, :, 3], 2 * values[:, :, 2])

    def test_averages(self):
        """averages over time are sampled like quantities"""
        averages = {"steps": 1, "variables": ["rho"], "extrema": ["rho"]}
        solver = edgewise.Solver(box(output={"averages": averages}))
        self.assertTrue(np.isnan(solver.sample("mean_rho")).all())
        solver.advance(0.05)
        corner = ((0, 0),)
        least, mean, most = (solver.sample(name, corner) for name in ("min_rho", "mean_rho", "max_rho"))
        self.assertTrue((least <= mean + 1e-14).all() and (mean <= most + 1e-14).all() and (least < most).any())

    def test_walls_at_rest(self):
        """a wall at which the gas sticks is at rest and insulated if nothing else is given"""
        def stirred(**values):
            return edgewise.Solver(box(law={"name": "navier-stokes", "mu": 0.01},
                                       boundary={side: {"kind": "no-slip", **values} for side in SIDES}))
        unsaid, said, warm = stirred(), stirred(u=0, v=0), stirred(T=1.1)
        for solver in (unsaid, said, warm):
            solver.advance(0.02)
        self.assertEqual(unsaid.hash, said.hash)
        self.assertNotEqual(unsaid.hash, warm.hash)
        energy = warm.norms()["total"]["E"]
        self.assertAlmostEqual(said.norms()["total"]["E"], 2.5, delta=1e-13)
        self.assertGreater(energy, 2.501)

    def test_outflow(self):
        """what has flowed out through all boundaries is what the totals have lost"""
        solver = edgewise.Solver(box(output={"series": {"fluxes": ["left", "right", "bottom", "top"]}}))
        before = solver.norms()["total"]
        solver.advance(0.05)
        after = solver.norms()["total"]
        outflow = [solver.outflow(name) for name in solver.case.mesh.boundaries]
        self.assertAlmostEqual(solver.outflow("left")["rho_u"], -0.05, delta=1e-3)
        for name in solver.variables:
            self.assertAlmostEqual(after[name] + sum(of[name] for of in outflow), before[name], delta=1e-13)
        with self.assertRaisesRegex(ValueError, "middle.*left"):
            solver.outflow("middle")
        with self.assertRaisesRegex(edgewise.Error, "not integrated"):
            edgewise.Solver(box()).outflow("left")

    def test_broken_state(self):
        """a state that becomes inadmissible is an error that says where"""
        case = box(initial={"rho": "x < 0.5 ? 1 : 0.001", "u": 0, "v": 0, "p": "x < 0.5 ? 1000 : 0.001"})
        with self.assertRaises(edgewise.Error) as caught:
            edgewise.Solver(case).advance(1.0)
        self.assertEqual(caught.exception.name, "EW_ESTATE")

    def test_control_c(self):
        """Control-C ends advance after a whole step, and the solver can go on"""
        solver = edgewise.Solver(box(24))
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            solver.advance(1e6)
        timer.join()
        steps, before = solver.steps, solver.hash
        self.assertGreater(steps, 0)
        self.assertEqual(solver.hash, before)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        solver.advance(steps=1)
        self.assertEqual(solver.steps, steps + 1)

    def test_threads(self):
        """two threads step two solvers at the same time, whose functions meet, with the bits of one alone"""
        meeting, hashes = threading.Barrier(2, timeout=60), {}

        def step(name, meets):
            waited = []

            def state(x, y, t):
                if meets and t > 0.02 and not waited:  # within a step of both
                    waited.append(meeting.wait())
                return 1 + 0.1 * np.sin(20 * t) + 0 * x, 0.1, 0, 1
            solver = edgewise.Solver(wind(state))
            solver.advance(0.05)
            hashes[name] = solver.hash
        threads = [threading.Thread(target=step, args=(name, True)) for name in ("one", "other")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        step("alone", False)
        self.assertEqual(hashes, dict.fromkeys(("one", "other", "alone"), hashes["alone"]))

    def test_lock_is_free(self):
        """a call into the library leaves Python's lock to others"""
        solver, calls, seen, done = edgewise.Solver(box(24)), [0], [], threading.Event()

        def step():
            while not done.is_set():
                calls[0] += 1
                lib.ew_solver_advance(solver._handle, 1e6, 20, None, None)
        thread = threading.Thread(target=step, daemon=True)
        thread.start()
        end = time.monotonic() + 60
        while len(seen) < 3 or len(set(seen[-3:])) > 1:  # until one call was seen three times, from start to end
            self.assertLess(time.monotonic(), end)
            seen.append(calls[0])
            time.sleep(0.0001)
        done.set()
        thread.join()
