# SPDX-License-Identifier: BSD-2-Clause
"""Runs the tests of this folder and the package's doctests, and reports each as TAP; usage: tap.py [NAME...]"""
import doctest
import importlib
import os
import signal
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


class Tap(unittest.TestResult):
    count = 0

    def _line(self, test, verdict, note=""):
        self.count += 1
        print(f"{verdict} {self.count} - {test.shortDescription() or test.id()}{note}", flush=True)

    def _bad(self, test, error):
        self._line(test, "not ok")
        print("".join(f"# {line}\n" for line in self._exc_info_to_string(error, test).splitlines()), end="")

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line(test, "ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line(test, "ok", f" # SKIP {reason}")

    def addError(self, test, error):
        super().addError(test, error)
        self._bad(test, error)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._bad(test, error)


class Example(doctest.DocTestCase):
    def shortDescription(self):
        return f"doctest of {self.id()}"


def doctests(name):
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        if test.examples and test.name.startswith(name):
            yield Example(test, optionflags=doctest.NORMALIZE_WHITESPACE)


def main(names):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in a shell's background ignores Control-C
    suite = unittest.TestSuite()
    for name in names or ["test_declarations", "test_mesh", "test_case", "test_solver", "test_device", "test_run",
                          "test_results"]:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name))
    if not names:
        for name in ("edgewise", "edgewise.mesh", "edgewise.case", "edgewise.solver", "edgewise.run",
                     "edgewise.results"):
            suite.addTests(doctests(name))
    result = Tap()
    suite.run(result)
    print(f"1..{result.count}")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
