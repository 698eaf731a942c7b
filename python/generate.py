#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes edgewise/_c.py, the declarations of the public headers for ctypes, to stdout; usage: generate.py SRC

tests/python/python.sh compares: after a header has changed, run
    python3 python/generate.py src > python/edgewise/_c.py
It reads the C that the headers are written in, and stops at what it does not know.
"""
import os
import re
import sys

HEADERS = ["edgewise.h", "edgewise-case.h", "edgewise-plot.h"]
SCALARS = {"int": "c_int", "unsigned": "c_uint", "double": "c_double", "float": "c_float", "char": "c_char",
           "size_t": "c_size_t", "int32_t": "c_int32", "int64_t": "c_int64", "uint64_t": "c_uint64"}
HEAD = '''# SPDX-License-Identifier: BSD-2-Clause
"""The C library's declarations. Written by python/generate.py from the headers: do not edit."""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t,
                    c_uint, c_uint64, c_void_p)
'''


def fail(text):
    sys.exit(f"generate.py: {' '.join(text.split())[:200]} is not understood")


class Header:
    """What the headers declare, and the lines that say the same in Python."""

    def __init__(self):
        self.constants, self.enums, self.structs, self.opaque, self.callbacks = {}, set(), {}, set(), set()
        self.functions, self.lines = {}, []

    def value(self, text):
        return int(eval(text, {"__builtins__": {}}, dict(self.constants)))

    def type_of(self, name, stars):
        """The ctypes expression of a C type, of which the qualifiers are gone."""
        if name == "void":
            base, stars = ("None", 0) if stars == 0 else ("c_void_p", stars - 1)
        elif name == "char" and stars:
            base, stars = "c_char_p", stars - 1
        elif name in SCALARS:
            base = SCALARS[name]
        elif name in self.enums:
            base = "c_int"
        elif name in self.structs or name in self.callbacks:
            base = name
        elif name in self.opaque and stars:  # a handle: an address
            base, stars = "c_void_p", stars - 1
        else:
            fail(f"the type {name}")
        for _ in range(stars):
            base = f"POINTER({base})"
        return base

    def declarator(self, text):
        """(name, type) of one declaration such as "const char *const *name" or "double force[2]"."""
        head, sizes = re.fullmatch(r"(.*?)((?:\[\w*\])*)\s*", text, re.S).groups()
        tokens = [token for token in re.findall(r"\w+|\*", head) if token not in ("const", "struct", "enum")]
        words = [token for token in tokens if token != "*"]
        if len(words) not in (1, 2):
            fail(text)
        kind = self.type_of(words[0], tokens.count("*"))
        for size in reversed(re.findall(r"\[(\w*)\]", sizes)):
            kind = f"{kind} * {self.value(size)}"
        return words[-1], kind

    def parameter(self, text):
        """The type of a function's parameter; an array is a pointer there."""
        return self.declarator(re.sub(r"(\w+)\s*\[\w*\]\s*$", r"*\1", text))[1]

    def signature(self, result, parameters):
        kinds = [] if parameters.strip() == "void" else [self.parameter(p) for p in parameters.split(",")]
        return self.declarator(result)[1], kinds

    def members(self, name, body):
        """The fields of a struct; structs within it come before."""
        fields = []
        for match in re.finditer(r"struct\s*\{([^{}]*)\}\s*(\w+)\s*\[(\w+)\]\s*;|([^;{}]+);", body):
            inner, array, size, plain = match.groups()
            if inner is not None:
                self.structure(f"_{name}_{array}", inner)
                fields.append((array, f"_{name}_{array} * {self.value(size)}"))
                continue
            pointer = re.fullmatch(r"\s*(.*?)\(\*(\w+)\)\((.*)\)\s*", plain, re.S)
            if pointer:
                result, kinds = self.signature(pointer.group(1), pointer.group(3))
                fields.append((pointer.group(2), f"CFUNCTYPE({', '.join([result] + kinds)})"))
                continue
            first, *others = plain.split(",")
            fields.append(self.declarator(first))
            kind = re.match(r"\s*(?:(?:const|struct|enum)\s+)*\w+", first)[0]
            fields += [self.declarator(f"{kind} {other}") for other in others]
        return fields

    def structure(self, name, body):
        fields = self.members(name, body)
        self.structs[name] = fields
        self.opaque.discard(name)
        rows = [f'        ("{field}", {kind}),' for field, kind in fields]
        self.lines += ["", "", f"class {name}(Structure):", "    _fields_ = ["] + wrapped(rows) + ["    ]"]

    def enumeration(self, body):
        following = 0
        self.lines.append("")
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, text = (part.strip() for part in item.partition("="))
            following = self.value(text) if text else following
            self.constants[name] = following
            self.lines.append(f"{name} = {following}")
            following += 1

    def function(self, name, result, parameters):
        kind, kinds = self.signature(result, parameters)
        self.functions[name] = (kind, kinds)

    def read(self, text):
        self.lines.append("")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        constants = r"^#define (EW_MAX\w+|EW_DEFAULT\w+|EW_PLOT\w+|EW_STEP_LEVELS\w+) +(\S+)"
        for name, value in re.findall(constants, text, re.M):
            self.constants[name] = eval(value, {"__builtins__": {}})
            self.lines.append(f"{name} = {self.constants[name]!r}")
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        text = text.replace('extern "C" {', "")
        text = re.sub(r"\}\s*$", "", text.rstrip())
        self.opaque.update(re.findall(r"typedef\s+struct\s+\w+\s+(\w+)\s*;", text))
        position = 0
        patterns = [
            (r"\s*enum\s*(\w*)\s*\{([^}]*)\}\s*;", lambda m: (self.enums.add(m[1]), self.enumeration(m[2]))),
            (r"\s*typedef\s+struct\s+\w+\s+\w+\s*;", lambda m: None),
            (r"\s*typedef\s+struct\s+(\w+)\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*\w+\s*;",
             lambda m: self.structure(m[1], m[2])),
            (r"\s*typedef\s+([^;()]*)\(\*(\w+)\)\(([^;]*)\)\s*;", self.callback),
            (r"\s*EW_API\s+([^;()]*?)(\w+)\(([^;]*)\)\s*;", lambda m: self.function(m[2], m[1], m[3])),
            (r"\s*;", lambda m: None),
        ]
        while text[position:].strip():
            for pattern, action in patterns:
                match = re.compile(pattern, re.S).match(text, position)
                if match:
                    action(match)
                    position = match.end()
                    break
            else:
                fail(text[position:])

    def callback(self, match):
        result, kinds = self.signature(match[1], match[3])
        self.callbacks.add(match[2])
        self.lines += ["", "", f"{match[2]} = CFUNCTYPE({', '.join([result] + kinds)})"]

    def text(self):
        rows = [f'    "{name}": ({kind}, [{", ".join(kinds)}]),' for name, (kind, kinds) in self.functions.items()]
        table = ["", "", "# Result and parameters of each function.", "FUNCTIONS = {"] + wrapped(rows) + ["}", ""]
        return HEAD + "\n".join(self.lines + table)


def wrapped(rows):
    """Rows of at most 120 columns."""
    lines = []
    for row in rows:
        indent = " " * (len(row) - len(row.lstrip()) + 4)
        while len(row) > 120:
            cut = row.rfind(", ", 0, 119)
            lines.append(row[:cut + 1])
            row = indent + row[cut + 2:]
        lines.append(row)
    return lines


def declarations(folder):
    header = Header()
    for name in HEADERS:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            header.read(file.read())
    return header


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(declarations(sys.argv[1]).text())
