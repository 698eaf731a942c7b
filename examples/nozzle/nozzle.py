# SPDX-License-Identifier: BSD-2-Clause
"""Writes the upper half of the nozzle as a Gmsh mesh: python3 nozzle.py 60 3 >nozzle.msh, cells along and across."""
import math
import sys

ALONG, ACROSS = int(sys.argv[1]), int(sys.argv[2])
NAMES = ("inlet", "outlet", "wall", "axis", "gas")


def height(x):
    return 0.1 * (1.25 - 0.25 * math.cos(math.pi * (x - 1)))


def node(i, j):
    return i * (ACROSS + 1) + j + 1


def elements():
    """Lines and triangles as (Gmsh's type, number of the name, nodes ...)."""
    for j in range(ACROSS):
        yield 1, 1, node(0, j + 1), node(0, j)
        yield 1, 2, node(ALONG, j), node(ALONG, j + 1)
    for i in range(ALONG):
        yield 1, 3, node(i + 1, ACROSS), node(i, ACROSS)
        yield 1, 4, node(i, 0), node(i + 1, 0)
        for j in range(ACROSS):
            a, b, c, d = node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)
            for triangle in ((a, b, c), (a, c, d)) if (i + j) % 2 else ((a, b, d), (b, c, d)):
                yield (2, 5) + triangle


print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5")
for number, name in enumerate(NAMES, 1):
    print(2 if name == "gas" else 1, number, f'"{name}"')
print(f"$EndPhysicalNames\n$Nodes\n{(ALONG + 1) * (ACROSS + 1)}")
for column in range(ALONG + 1):
    x = 2 * column / ALONG
    for row in range(ACROSS + 1):
        print(node(column, row), f"{x:.10g} {height(x) * row / ACROSS:.10g} 0")
LIST = list(elements())
print(f"$EndNodes\n$Elements\n{len(LIST)}")
for number, (kind, name, *nodes) in enumerate(LIST, 1):
    print(number, kind, 2, name, name, *nodes)
print("$EndElements")
