# SPDX-License-Identifier: BSD-2-Clause
"""Cases from files and dicts, and what is wrong with them."""
import os
import unittest

import numpy as np

import edgewise
from flows import box, inside, wind

SOD = f"{os.environ['EW_SRCDIR']}/examples/sod/sod.cfg"


class Cases(unittest.TestCase):
    def test_file(self):
        """a case file is read as it is, and settings replace its values"""
        case = edgewise.Case(SOD, settings={"order": 2, "limiter": "none", "time.end": 0.125})
        self.assertEqual((case.name, case.end), ("sod", 0.125))
        self.assertEqual(edgewise.Solver(case).coefficients.shape[2], 6)

    def test_dict(self):
        """a dict gives the bits of the case file that says the same"""
        with inside():
            with open("box.cfg", "w", encoding="utf-8") as file:
                file.write(edgewise.case_text(box()))
            self.assertEqual(edgewise.Solver("box.cfg").hash, edgewise.Solver(box()).hash)

    def test_values(self):
        """values of all types are written as a case has them"""
        self.assertEqual(
            edgewise.case_text({"a": np.float64(1), "b": [1, 2.5], "c": (1, "x"), "d": True, "e": 1e300, "f": 2**40,
                                "g": np.arange(3), "h": 1e-7, "i": []}),
            "a = 1.0;\nb = [1.0, 2.5];\nc = ( 1, \"x\" );\nd = true;\ne = 1.0e+300;\nf = 1099511627776L;\n"
            "g = [0, 1, 2];\nh = 1.0e-07;\ni = (  );")

    def test_strange_values(self):
        """what a case cannot have is refused in Python"""
        for case, kind in ({"a b": 1}, ValueError), ({"a": float("nan")}, ValueError), ({"a": object()}, TypeError):
            with self.assertRaises(kind):
                edgewise.case_text(case)

    def test_hostile_strings(self):
        """quotes, backslashes and line breaks stay within their string"""
        title = 'a"; order = 5; b = "\\\n\x01'
        self.assertIn('order = 2', edgewise.case_text({"title": title, "order": 2}))
        with self.assertRaisesRegex(edgewise.Error, "control character"):
            edgewise.Case(box(title=title))
        case = edgewise.Case(box(title=title.replace("\n", "").replace("\x01", "")))
        self.assertEqual(edgewise.Solver(case).info["order"], 2)

    def test_errors(self):
        """everything that is wrong with a case is in the exception, with its code"""
        with self.assertRaises(edgewise.Error) as caught:
            edgewise.Case(box(order=9, flux="rho", limiter="none"))
        self.assertEqual(caught.exception.name, "EW_ECONFIG")
        self.assertEqual(len(caught.exception.sentences), 2)
        self.assertIn("order", str(caught.exception))

    def test_place(self):
        """errors of a dict name it, not a folder that is gone"""
        for case in box(initial={"rho": "q", "u": 0, "v": 0, "p": 1}), box(order=9, flux="rho"):
            with self.assertRaisesRegex(edgewise.Error, r"^wing \(dict\):\d+: ") as caught:
                edgewise.Case(case, name="wing")
            self.assertNotIn("edgewise-", str(caught.exception) + "".join(caught.exception.sentences))
        with self.assertRaisesRegex(edgewise.Error, r"^wing \(dict\): the initial state is not admissible"):
            edgewise.run(box(initial=lambda x, y: (-1, 0, 0, 1)), name="wing", output=False)
        with inside():
            failures = edgewise.sweep(box(let={"a": 1}, initial={"rho": "a", "u": 0, "v": 0, "p": 1}),
                                      {"let.a": [1, -1]}, output=False).failures
            self.assertEqual(list(failures), [1])
            self.assertRegex(str(failures[1]), r"^case \(dict\):\d+: ")

    def test_missing_variable(self):
        """a function that lacks a variable is told so"""
        with self.assertRaisesRegex(ValueError, "the function gives no v, p; it must give rho, u, v, p"):
            edgewise.Solver(box(initial=lambda x, y: {"rho": 1 + x, "u": 0}))

    def test_what_functions_give(self):
        """what is no variable, not known, not a number or of another shape is told with the variable's name"""
        for given, kind, words in ((3, TypeError, "gives 3; .* of rho, u, v, p"),
                                   (None, TypeError, "gives None; .* of rho, u, v, p"),
                                   (np.array(3), TypeError, "of rho, u, v, p"), ("abcd", TypeError, "gives 'abcd'"),
                                   ((1, [0, 0], 0, 1), ValueError, r"shape \(2,\) for u; .* array of 6"),
                                   ((1, 0, 0, [[1, 2], [1]]), TypeError, "list for p"),
                                   ((1, "a", 0, 1), TypeError, "str for u"),
                                   ((1, 0, 0, 1j), TypeError, "complex for p"),
                                   ((1, 0, None, 1), TypeError, "NoneType for v"),
                                   ({"rho": 1, "u": 0, "v": 0, "p": 1, "w": 0}, ValueError, "gives w, too")):
            with self.assertRaisesRegex(kind, words):
                edgewise.Solver(box(initial=lambda x, y, given=given: given))

    def test_no_file(self):
        """a case file that is not there is an error with a sentence"""
        with self.assertRaisesRegex(edgewise.Error, "nowhere.cfg"):
            edgewise.Case("nowhere.cfg")

    def test_functions(self):
        """functions give the bits of the formulas that say the same, with and without time"""
        by_formula = box(initial={"rho": "1 + x", "u": "y", "v": 0, "p": 1}, exact={"rho": 1, "u": 0, "v": 0, "p": 1})
        by_formula["boundary"]["left"] = {"kind": "state", "rho": "1 + t", "u": 0.5, "v": 0, "p": 1}
        case = box(initial=lambda x, y: (1 + x, y, 0, 1), exact=lambda x, y: {"p": 1, "rho": 1, "u": 0, "v": 0})
        case["boundary"]["left"] = {"kind": "state", "state": lambda x, y, t: (1 + t, 0.5, 0, 1)}
        runs = [edgewise.run(one, output=False) for one in (by_formula, case)]
        self.assertEqual(runs[0].hash, runs[1].hash)
        self.assertEqual(runs[0].norms["error_l2"], runs[1].norms["error_l2"])

    def test_defaults(self):
        """a parameter with a default is not taken for the time, unless it is t"""
        ends = []
        for function in (lambda x, y, density=2.0: (density, 0, 0, 1), lambda x, y, t=5.0: (2 + t, 0, 0, 1)):
            ends.append(edgewise.Solver(box(initial=function)).norms()["total"]["rho"])
        np.testing.assert_allclose(ends, 2)

    def test_functions_for_files(self):
        """settings put a function into the case of a file"""
        solver = edgewise.Solver(SOD, settings={"initial": lambda x, y: (2, 0, 0, 1)})
        self.assertAlmostEqual(solver.norms()["min"]["rho"], 2)
        with self.assertRaisesRegex(ValueError, "boundary.left.state"):
            edgewise.Case(SOD, settings={"boundary.middle.state": lambda x, y: (2, 0, 0, 1)})

    def test_wrong_functions(self):
        """a function that gives too little, or what is not admissible, is an exception"""
        with self.assertRaisesRegex(ValueError, "rho, u, v, p are needed"):
            edgewise.Solver(box(initial=lambda x, y: (1, 0, 0)))
        with self.assertRaisesRegex(edgewise.Error, "rho"):
            edgewise.Solver(box(initial=lambda x, y: (-1, 0, 0, 1)))
        with self.assertRaises(ZeroDivisionError):
            edgewise.Solver(wind(lambda x, y, t: (1 / 0, 0, 0, 1)))

    def test_function_of_a_wall(self):
        """a function cannot give the values of a wall, and the error says who takes one"""
        case = box(law={"name": "navier-stokes", "mu": 1})
        case["boundary"]["top"] = {"kind": "no-slip", "state": lambda x, y: (1, 0)}
        with self.assertRaisesRegex(ValueError, 'boundary.top.state is a function.*"far".*"no-slip" takes numbers'):
            edgewise.Case(case)
        case["boundary"]["top"] = {"kind": "no-slip", "u": lambda x, y, t: x}
        with self.assertRaisesRegex(TypeError, "boundary.top.u is a function, but takes a number or a formula"):
            edgewise.Case(case)

    def test_curved_wall(self):
        """a wall's normal may be a function"""
        case = box()
        case["boundary"]["top"]["normal"] = lambda x, y: (0, 2)
        straight, curved = (edgewise.run(one, output=False).norms["total"]["rho"] for one in (box(), case))
        self.assertAlmostEqual(straight, curved)
