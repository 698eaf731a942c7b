#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws flows around 1 to 10 rectangles at Reynolds numbers from 100 to 1,000: meshes, and a case with a sweep.

usage: obstacles.py FOLDER MEMBERS [SIZE]

SIZE is that of triangles at the rectangles, 0.08 by default. Member k is the same for any number of members. Needs
Gmsh's Python package and NumPy."""
import pathlib
import sys

import gmsh
import numpy

GAP = 0.4


def draw_boxes(draw):
    """Returns boxes (x, y, width, height) in -2 < x < 2, -3 < y < 3, with gaps between them."""
    boxes, wanted = [], draw.integers(1, 11)
    while len(boxes) < wanted:
        width, height = draw.uniform(0.3, 1.2, 2)
        x, y = draw.uniform(-2, 2 - width), draw.uniform(-3, 3 - height)
        if all(max(x - a - w, a - x - width, y - b - h, b - y - height) > GAP for a, b, w, h in boxes):
            boxes.append((x, y, width, height))
    return boxes


def write_mesh(path, boxes, size):
    """Writes a mesh of a square of 10 x 10 with holes, whose triangles grow with the distance from these."""
    gmsh.model.add("obstacles")
    occ, field = gmsh.model.occ, gmsh.model.mesh.field
    occ.cut([(2, occ.addRectangle(-4, -5, 0, 10, 10))], [(2, occ.addRectangle(x, y, 0, w, h)) for x, y, w, h in boxes])
    occ.synchronize()
    groups = {"left": [], "right": [], "bottom": [], "top": [], "obstacles": []}
    for _, line in gmsh.model.getEntities(1):
        x, y, _ = occ.getCenterOfMass(1, line)
        groups["left" if x < -3.9 else "right" if x > 5.9 else "bottom" if y < -4.9 else "top" if y > 4.9
               else "obstacles"].append(line)
    for name, lines in groups.items():
        gmsh.model.addPhysicalGroup(1, lines, name=name)
    gmsh.model.addPhysicalGroup(2, [surface for _, surface in gmsh.model.getEntities(2)], name="gas")
    field.setNumbers(field.add("Distance", 1), "CurvesList", groups["obstacles"])
    field.setString(field.add("MathEval", 2), "F", f"{size} + 0.15*F1")
    field.setAsBackgroundMesh(2)
    gmsh.model.mesh.generate(2)
    gmsh.write(str(path))
    gmsh.model.remove()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, numbers = pathlib.Path(sys.argv[1]), range(1, int(sys.argv[2]) + 1)
    folder.mkdir(parents=True, exist_ok=True)
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.option.setNumber("Mesh.MeshSizeExtendFromBoundary", 0)
    gmsh.option.setNumber("Mesh.MshFileVersion", 2.2)
    meshes, viscosities = [], []
    for number in numbers:
        draw = numpy.random.default_rng([1, number])
        viscosities.append(f"{0.2/(100*10**draw.uniform(0, 1)):.6g}")
        meshes.append(f'"obstacles-{number:04}.msh"')
        write_mesh(folder/meshes[-1].strip('"'), draw_boxes(draw), float(sys.argv[3]) if len(sys.argv) > 3 else 0.08)
    case = pathlib.Path(__file__).with_name("obstacles.cfg").read_text(encoding="ascii")
    over = "".join(f'    {{ key = "{key}"; values = [ {", ".join(values)} ]; }}{end}\n'
                   for key, values, end in (("mesh", meshes, ","), ("law.mu", viscosities, "")))
    (folder/"obstacles.cfg").write_text(f'{case}sweep = {{\n  design = "list";\n  over = (\n{over}  );\n}};\n')


main()
