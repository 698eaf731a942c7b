# SPDX-License-Identifier: BSD-2-Clause
"""The package's declarations against the headers: by the generator, and by what a C compiler makes of them."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import edgewise
from edgewise import _c, _library

SOURCE = os.environ["EW_SRCDIR"]
HEADERS = "".join(f"#include <{name}>\n" for name in ("stddef.h", "stdio.h", "edgewise-plot.h"))


def structs():
    return {name: kind for name, kind in vars(_c).items()
            if name.startswith("ew_") and isinstance(kind, type) and issubclass(kind, ctypes.Structure)}


def constants():
    return {name: value for name, value in vars(_c).items() if name.startswith("EW_") and isinstance(value, int)}


def expected():
    rows = [(f"sizeof({name})", ctypes.sizeof(kind)) for name, kind in structs().items()]
    for name, kind in structs().items():
        for field, _ in kind._fields_:
            rows.append((f"offsetof({name}, {field})", getattr(kind, field).offset))
            rows.append((f"sizeof((({name} *)0)->{field})", getattr(kind, field).size))
    return rows + list(constants().items())


class Declarations(unittest.TestCase):
    def test_generated(self):
        """the declarations are those that python/generate.py makes of the headers"""
        made = subprocess.run([sys.executable, f"{SOURCE}/python/generate.py", f"{SOURCE}/src"], check=True,
                              capture_output=True, text=True).stdout
        with open(_c.__file__, encoding="utf-8") as file:
            self.assertTrue(made == file.read(),
                            "run: python3 python/generate.py src > python/edgewise/_c.py")

    def test_compiler(self):
        """a C compiler gives structs, members and constants the same sizes, places and values"""
        compiler = os.environ.get("EW_CC", "cc").split()
        rows = expected()
        self.assertGreater(len(rows), 500)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/sizes.c", "w", encoding="utf-8") as file:
                file.write(HEADERS + "int main(void)\n{\n" + "".join(
                    f'    printf("%lld\\n", (long long)({what}));\n' for what, _ in rows) + "    return 0;\n}\n")
            try:
                subprocess.run(compiler + ["-O0", f"-I{SOURCE}/src", f"{folder}/sizes.c", "-o", f"{folder}/sizes"],
                               check=True)
            except FileNotFoundError:
                self.skipTest(f"there is no {compiler[0]}")
            got = subprocess.run([f"{folder}/sizes"], check=True, capture_output=True, text=True).stdout.split()
        differ = [f"{what}: {value} in Python, {c} in C" for (what, value), c in zip(rows, got) if int(c) != value]
        self.assertEqual(differ, [])

    def test_other_library(self):
        """a library whose structs are others is refused at import, in a sentence"""
        class Longer(ctypes.Structure):
            _fields_ = [("more", ctypes.c_double * 999)]
        for name in ("ew_moment", "ew_run_progress"):  # one of each library
            with unittest.mock.patch.object(_c, name, Longer):
                self.assertRaisesRegex(ImportError, f"{name} of .* 7992: .*same sources", _library._load)
        with unittest.mock.patch.object(_c, "ew_new", Longer, create=True):
            self.assertRaisesRegex(ImportError, "ew_new of 0 bytes", _library._load)

    def test_library_without_cases(self):
        """libedgewise in place of libedgewise-case is told so, not as another version"""
        path = os.environ["EDGEWISE_LIBRARY"].replace("-case", "")
        if not os.path.exists(path):
            self.skipTest(f"there is no {path}")
        with unittest.mock.patch.dict(os.environ, EDGEWISE_LIBRARY=path):
            self.assertRaisesRegex(ImportError, "is not libedgewise-case", _library._load)

    def test_functions(self):
        """every function of the headers is declared, with as many parameters"""
        found = {}
        for name in ("edgewise.h", "edgewise-case.h", "edgewise-plot.h"):
            with open(f"{SOURCE}/src/{name}", encoding="utf-8") as file:
                code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
            for function, parameters in re.findall(r"EW_API[^;(]*?(\w+)\(([^;]*)\);", code):
                found[function] = 0 if parameters.strip() == "void" else parameters.count(",") + 1
        self.assertEqual({name: len(kinds) for name, (_, kinds) in _c.FUNCTIONS.items()}, found)

    def test_version(self):
        """package and library have the version of configure.ac"""
        with open(f"{SOURCE}/configure.ac", encoding="utf-8") as file:
            version = re.search(r"AC_INIT\(\[edgewise\], \[([^]]*)\]", file.read()).group(1)
        self.assertEqual((edgewise.__version__, edgewise.library_version()), (version, version))
