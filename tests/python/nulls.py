# SPDX-License-Identifier: BSD-2-Clause
"""Calls every exported function with NULL for each of its pointers, one after the other, each in a process of its own.

A function that returns a status must refuse it in a sentence, unless it documents that it may be NULL; a getter must
return something neutral. The functions are those of the headers, so new ones are called, too; usage: nulls.py LIBRARY
SRCDIR, in a folder of its own. Needs no numpy.
"""
import ctypes
import importlib.util
import itertools
import os
import re
import subprocess
import sys
from ctypes import byref

LIBRARY, SOURCE = sys.argv[1:]
CASE = b"""mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [4, 4]; }; };
order = 2; time = { end = 1.0; };
initial = { rho = "1"; u = "0"; v = "0"; p = "1"; };
boundary = { left = { kind = "copy"; }; right = { kind = "copy"; };
             top = { kind = "copy"; }; bottom = { kind = "copy"; }; };
"""
# Parameters that may be NULL, of all functions that have one of that name, and of single ones.
NULLABLE = {"host", "error", "options", "device_bytes", "shown", "title", "means", "stop", "frames", "context",
            "long_name", "units", "step", "number", "why", "edges"}
NULLABLE_IN = {
    "ew_law_find": {"name"}, "ew_force_number": {"law", "force", "value"}, "ew_fields_frame_bytes": {"memory"},
    "ew_expected_points_bytes": {"device"}, "ew_fields_raster_bytes": {"device"}, "ew_formula_create": {"scope"},
    "ew_mesh_boundary_edge": {"element", "side", "boundary"}, "ew_problem_check": {"mesh", "plan"},
    "ew_gmsh_read": {"data"}, "ew_mesh_import": {"data"}, "ew_restart_write": {"fields"}, "ew_restart_read": {"info"},
    "ew_run_check_folder": {"folder"}, "ew_plan_step": {"backend"}, "ew_plan_step_levels": {"elements", "work"},
    "ew_solver_wall": {"length"}, "ew_solver_wall_places": {"point", "length"},
}


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


c = load("_c", f"{SOURCE}/python/edgewise/_c.py")
lib = ctypes.CDLL(LIBRARY)
for name, (result, kinds) in c.FUNCTIONS.items():
    function = getattr(lib, name)
    function.restype, function.argtypes = result, kinds
error = c.ew_error()


def parameters():
    """For each function [(C type without qualifiers, name of the parameter)]."""
    found = {}
    for header in ("edgewise.h", "edgewise-case.h", "edgewise-plot.h"):
        with open(f"{SOURCE}/src/{header}", encoding="utf-8") as file:
            code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        for function, text in re.findall(r"EW_API[^;(]*?(\w+)\(([^;]*)\);", code):
            found[function] = []
            for one in [] if text.strip() == "void" else text.split(","):
                one = re.sub(r"\b(const|struct|enum)\b", "", re.sub(r"(\w+)\[\w*\]$", r"*\1", one.strip()))
                found[function].append((re.sub(r"\w+\s*$", "", one).replace(" ", ""), re.search(r"\w+$", one)[0]))
    return found


def exported():
    """What the libraries export, by the map src/edgewise.map."""
    folder = os.path.dirname(LIBRARY)
    names = set()
    for library in ("libedgewise.so", "libedgewise-case.so"):
        text = subprocess.run(["nm", "-D", "--defined-only", f"{folder}/{library}"], capture_output=True, text=True,
                              check=True).stdout
        names.update(re.findall(r" T (ew_\w+)", text))
    return names


# ---- something for each pointer that is right --------------------------------------------------------------------

class Right:
    """Objects of a small case, and whatever else a function wants."""

    def __init__(self):
        self.keep = []
        # Only children write into them; no function has more arguments.
        self.rooms = itertools.cycle([ctypes.create_string_buffer(1 << 20) for _ in range(16)])
        with open("small.cfg", "wb") as file:
            file.write(CASE)
        self.handles = {}
        case = self.make("ew_case", lib.ew_case_read, None, b"small.cfg", None)
        problem, mesh, plan = lib.ew_case_problem(case), lib.ew_case_mesh(case), lib.ew_case_plan(case)
        self.handles["ew_mesh"] = mesh
        self.structs = {"ew_problem": problem, "ew_run_plan": plan}
        info = c.ew_mesh_info()
        lib.ew_mesh_get_info(mesh, byref(info))
        self.structs["ew_mesh_info"] = ctypes.pointer(info)
        solver = self.make("ew_solver", lib.ew_solver_create, None, mesh, problem)
        fields = self.make("ew_fields", lib.ew_fields_create, None, b"small.nc", plan, solver)
        self.check(lib.ew_fields_write(fields, solver, byref(error)))
        self.check(lib.ew_fields_close(fields, b"complete", byref(error)))
        lib.ew_fields_destroy(fields)
        self.make("ew_fields", lib.ew_fields_create, None, b"other.nc", plan, solver)
        self.make("ew_series", lib.ew_series_create, None, b"other.csv", plan, solver, -1)
        self.make("ew_results", lib.ew_results_open, None, b"small.nc")
        self.make("ew_scope", lib.ew_scope_create, None)
        self.make("ew_sweep", lib.ew_sweep_read, None, b"small.cfg", None)
        self.make("ew_meshes", lib.ew_meshes_create, None)
        self.make("ew_ensemble", lib.ew_ensemble_create, None)
        self.make("ew_film", lib.ew_film_create, None, b"film.png", 2, 10.0)
        self.make("ew_formula", lib.ew_formula_create, self.handles["ew_scope"], 1, self.texts(b"x + y"))
        self.make_well(problem, mesh, plan.contents)
        options = c.ew_run_options(no_output=1)
        self.make("ew_run", lib.ew_run_create, None, plan, solver, byref(options))
        plan = ctypes.c_void_p()
        self.check(lib.ew_problem_check(None, mesh, problem, byref(plan), byref(error)))
        self.handles["ew_plan"] = plan.value
        self.structs["ew_law"] = lib.ew_law_find(None)
        self.structs["ew_plot"] = ctypes.pointer(c.ew_plot(width=200, height=200, supersample=1))
        self.check(lib.ew_gmsh_write(None, mesh, 0, 0, b"small.msh", byref(error)))
        plan = self.structs["ew_run_plan"]
        self.check(lib.ew_restart_write(None, b"small.restart-0.nc", plan, solver, None, byref(error)))

    def make_well(self, problem, mesh, plan):
        """A data set, if the library has HDF5."""
        plan.raster.cells[:] = [2, 2]
        well, key = ctypes.c_void_p(), self.texts(b"a")
        if lib.ew_well_create(None, b"small.h5", plan, mesh, problem, 1, 1, key, byref(well), None) == c.EW_OK:
            self.handles["ew_well"] = well.value

    def check(self, status):
        if status != c.EW_OK:
            sys.exit(f"Bail out! {error.message.decode()}")

    def make(self, kind, create, *arguments):
        handle = ctypes.c_void_p()
        self.check(create(*arguments, byref(handle), byref(error)))
        self.handles[kind] = handle.value
        return handle.value

    def texts(self, *texts):
        return (ctypes.c_char_p * len(texts))(*texts)

    def text(self, function, name):
        """A text, which has room to be written to."""
        known = {"ew_case_read": b"small.cfg", "ew_sweep_read": b"small.cfg", "ew_results_open": b"small.nc",
                 "ew_gmsh_read": b"small.msh", "ew_mesh_import": b"small.msh", "ew_restart_read": b"small.restart-0.nc",
                 "ew_run_check_folder": b"."}
        text = {"kernel": b"update", "field": b"rho", "name": b"euler"}.get(name, known.get(function, b"out"))
        room = ctypes.create_string_buffer(text, 4096)
        self.keep.append(room)
        return ctypes.cast(room, ctypes.c_char_p)

    def argument(self, function, kind, name, ctype):
        base, stars = kind.rstrip("*"), kind.count("*")
        if issubclass(ctype, ctypes._CFuncPtr):
            return ctype()
        if stars == 0:
            return {"t": 0.0, "time": 0.5, "value": 1.5, "rate": 10.0}.get(name, 1)
        if name == "error":
            return byref(error)
        if base in self.handles or base in ("ew_comm", "ew_well"):
            handle = self.handles.get(base)
            return handle if stars == 1 else byref(ctypes.c_void_p(handle if base == "ew_plan" else None))
        if base == "ew_host":
            return None
        if base == "char":
            if stars == 1:
                return self.text(function, name)
            return self.texts(b"1")
        if base in self.structs:
            return self.structs[base]
        if stars == 2 and base == "void":
            return (ctypes.c_void_p * 16)(*[ctypes.addressof(next(self.rooms)) for _ in range(16)])
        return ctypes.cast(next(self.rooms), ctype)


def calls(name, variants):
    """For each list of arguments, one after the other in one process, (what it returned, the error's sentence); fewer
    if the process died."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        for arguments in variants:
            error.message = b""
            result = getattr(lib, name)(*arguments)
            message = error.message.decode()
            if not isinstance(result, (int, float, bytes, type(None))):
                result = bool(result)
            os.write(writer, repr((result, message)).encode() + b"\n")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        lines = pipe.readlines()
    os.waitpid(child, 0)
    return [eval(line, {"nan": float("nan"), "inf": float("inf")}) for line in lines]


def refusal(name, label, got, before):
    """What is wrong with a refusal; None: nothing. Without MPI or HDF5 it is another NULL's."""
    result, sentence = got
    if got == before and name.startswith(("ew_comm_", "ew_well_")):
        return None
    given = re.search(r"(\w+) was given NULL as its argument \"(\w+)\"", sentence)
    if result != c.EW_EINVAL or not sentence:
        return f"returned {result} {sentence}"
    if given and given.groups() != (name, label) or "ewi_" in sentence:
        return f"says: {sentence}"
    return None


def verdict(name, label, got, before):
    """What is wrong with what the function did when this pointer was NULL; None: nothing."""
    if got is None:
        return "died"
    if label in NULLABLE | NULLABLE_IN.get(name, set()):
        return None
    if refuses(name):
        return refusal(name, label, got, before)
    neutral = got[0] in (None, False, 0, c.EW_EINVAL) or got[0] != got[0]
    return None if neutral else f"returned {got[0]}"


def refuses(name):
    """Whether it returns a status, and so refuses NULL."""
    returns, kinds = c.FUNCTIONS[name]
    return returns is ctypes.c_int and kinds[-1] is ctypes.POINTER(c.ew_error)


def mistakes(name, kinds, arguments):
    """What is wrong when each of its pointers is NULL. One process gets all NULLs that the function must refuse and,
    after them, the right arguments; each other NULL has a process of its own."""
    nullable = NULLABLE | NULLABLE_IN.get(name, set())
    nulls = {label: arguments[:k] + [None] + arguments[k + 1:] for k, (kind, label) in enumerate(kinds)
             if "*" in kind and arguments[k] is not None}
    refused = [label for label in nulls if refuses(name) and label not in nullable]
    got = calls(name, [nulls[label] for label in refused] + [arguments])
    before = got.pop() if len(got) > len(refused) else None
    results = dict(zip(refused, got))
    results.update((label, (calls(name, [nulls[label]]) or [None])[0]) for label in nulls if label not in refused)
    bad = [] if before else [f"{(refused + ['right arguments'])[len(got)]}: died"]
    for label, result in results.items():
        wrong = verdict(name, label, result, before)
        bad += [f"{label}: {wrong}"] if wrong else []
    return bad


def main():
    right, table = Right(), parameters()
    print(f"1..{len(table) + 1}")
    for number, (name, kinds) in enumerate(table.items(), 1):
        bad = mistakes(name, kinds, [right.argument(name, kind, label, ctype)
                                     for (kind, label), ctype in zip(kinds, c.FUNCTIONS[name][1])])
        print(f"{'not ' if bad else ''}ok {number} - {name}")
        print("".join(f"# {line}\n" for line in bad), end="", flush=True)
    differ = exported() ^ set(table)
    print(f"{'not ' if differ else ''}ok {len(table) + 1} - the libraries export what the headers declare")
    print("".join(f"# {name}\n" for name in sorted(differ)), end="")


main()
