# SPDX-License-Identifier: BSD-2-Clause
"""Executes a notebook, with nbclient if it is there, or else its code cells by Python; usage: notebook.py FILE"""
import json
import sys


def execute(path):
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError:
        with open(path, encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        exec(compile(code, path, "exec"), {"__name__": "__main__"})
        return "by Python"
    nbclient.NotebookClient(nbformat.read(path, 4), timeout=120).execute()
    return "by nbclient"


if __name__ == "__main__":
    print(execute(sys.argv[1]))
