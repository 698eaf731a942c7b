#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws problems by the rules of five data sets of The Well and writes them as one case with a sweep, and its rasters.

The rules are those of the data sets' pages, https://polymathic-ai.org/the_well: Ohana and others, The Well, NeurIPS
2024. A seed determines all draws; member k is the same for any number of members. Needs NumPy."""
import argparse
import pathlib

import numpy

PIXELS = 256
GASES = (1.13, 1.22, 1.3, 1.33, 1.365, 1.4, 1.404, 1.453, 1.597, 1.76)

ACOUSTICS = """# SPDX-License-Identifier: BSD-2-Clause
title = "acoustic scattering: {name}";
mesh  = {{ rectangle = {{ corners = [-1.0, -1.0, 1.0, 1.0]; cells = [{cells}, {cells}]; }}; }};
law   = {{ name = "acoustics"; rho0 = 1; bulk_modulus = 4; }};
order = {order};
time  = {{ end = {end}; }};
initial  = {{ p = 0; u = 0; v = 0; }};
boundary = {{
  left = {{ kind = "wall"; }};
  right = {{ kind = "wall"; }};
  bottom = {{ kind = "far"; p = 0; u = 0; v = 0; }};
  top = {{ kind = "far"; p = 0; u = 0; v = 0; }};
}};
output = {{
  quantities = {{ pressure = "p"; density = "rho0"; speed_of_sound = "c0"; }};
  fields = {{ every = 0.02; }};
  raster = {{ cells = [256, 256]; variables = ["pressure", "u", "v", "density", "speed_of_sound"]; only = true; }};
}};
"""
QUADRANTS = """# SPDX-License-Identifier: BSD-2-Clause
title = "Euler multi-quadrants: {name}";
mesh  = {{ rectangle = {{ corners = [0.0, 0.0, 1.0, 1.0]; cells = [{cells}, {cells}]; }}; }};
law   = {{ name = "euler"; gamma = 1.4; }};
order = 2;
flux  = "hllc";
limiter    = "oscillation-free";
positivity = true;
time  = {{ scheme = "ssprk33"; end = 1.5; }};
initial  = {{ rho = 1; u = 0; v = 0; p = 1; }};
boundary = {{
{boundary}
}};
output = {{
  quantities = {{ density = "rho"; energy = "E"; pressure = "p"; }};
  fields = {{ every = 0.015; }};
  raster = {{ cells = [512, 512]; variables = ["density", "energy", "pressure", "rho_u", "rho_v"]; only = true; }};
}};
"""
PERIODIC = """  left = { kind = "periodic"; with = "right"; };
  bottom = { kind = "periodic"; with = "top"; };"""
OPEN = "\n".join(f'  {side} = {{ kind = "far"; state = "initial"; }};' for side in ("left", "right", "top", "bottom"))


def write_grid(path, values, left, width):
    """Writes values[x][y] as an ESRI ASCII grid of square cells."""
    columns, rows = values.shape
    with open(path, "w", encoding="ascii") as file:
        file.write(f"ncols {columns}\nnrows {rows}\nxllcorner {left}\nyllcorner {left}\ncellsize {width / columns!r}\n")
        numpy.savetxt(file, values.T[::-1], fmt="%.7g")


def centres():
    """Returns x and y of the pixels' centres, as arrays [x][y]."""
    line = (numpy.arange(PIXELS) + 0.5) * 2 / PIXELS - 1
    return numpy.meshgrid(line, line, indexing="ij")


# ---- media ----

def bump(draw, x, y, inside):
    base, top = draw.uniform(1, 7, 2)
    at = [draw.uniform(line[inside].min(), line[inside].max()) for line in (x, y)]
    return base + (top - base) * numpy.exp(-((x - at[0])**2 + (y - at[1])**2) / draw.uniform(0.1, 5))


def gradient(draw, x, y, inside):
    s, t = ((line - line[inside].min()) / numpy.ptp(line[inside]) for line in (x, y))
    corner = draw.uniform(1, 7, 4)
    return (1 - s) * (1 - t) * corner[0] + s * (1 - t) * corner[1] + (1 - s) * t * corner[2] + s * t * corner[3]


def constant(draw, x, _y, _inside):
    return numpy.full_like(x, draw.uniform(1, 7))


def noise(draw, x, _y, _inside):
    base, sigma = draw.uniform(1, 7), draw.uniform(5, 10)
    reach = int(4 * sigma + 0.5)
    weight = numpy.exp(-0.5 * (numpy.arange(-reach, reach + 1) / sigma)**2)
    values = numpy.pad(draw.standard_normal(x.shape), reach, mode="symmetric")
    for axis in (0, 1):
        values = numpy.apply_along_axis(numpy.convolve, axis, values, weight / weight.sum(), "valid")
    return base + values


def split_medium(draw):
    """Returns the density of two continuous media on either side of a line."""
    x, y = centres()
    behind = (x if draw.integers(2) else y) < draw.uniform(-0.8, 0.8)
    kinds = (bump, gradient, constant, noise)
    sides = [kinds[draw.integers(4)](draw, x, y, inside) for inside in (~behind, behind)]
    return numpy.where(behind, sides[1], sides[0])


def maze(draw, size):
    """Returns a maze of size x size cells and their walls, True in walls, by a depth-first walk."""
    walls = numpy.ones((2 * size + 1, 2 * size + 1), dtype=bool)
    walls[1, 1] = walls[1, 0] = walls[-2, -1] = False
    stack = [(1, 1)]
    while stack:
        x, y = stack[-1]
        for a, b in draw.permutation([(0, 2), (2, 0), (0, -2), (-2, 0)]):
            if 0 < x + a < 2 * size and 0 < y + b < 2 * size and walls[x + a, y + b]:
                walls[x + a, y + b] = walls[x + a // 2, y + b // 2] = False
                stack.append((x + a, y + b))
                break
        else:
            stack.pop()
    return walls


# ---- members: the values of the sweep's keys ----

def ring(x, y, radius, width, intensity):
    distance = f"hypot(x - {x:.6f}, y - {y:.6f}) - {radius:.6f}".replace("- -", "+ ")
    return f"(abs({distance}) <= {width:.6f})*({intensity:.6f} + cos(pi*({distance})/{width:.6f}))"


def rings(draw):
    text = []
    for _ in range(draw.integers(1, 4)):
        x, y, width = *draw.uniform(-0.95, 0.95, 2), draw.uniform(0.05, 0.15)
        text.append(ring(x, y, draw.uniform(width + 0.01, 0.3), width, draw.uniform(0.5, 2)))
    return " + ".join(text)


def discontinuous(draw, folder, number, _cells):
    write_grid(folder / f"rho-{number:04}.asc", split_medium(draw), -1, 2)
    return {"law.rho0": f"raster('rho-{number:04}.asc', x, y, 'nearest')", "initial.p": rings(draw)}


def inclusions(draw, folder, number, _cells):
    (x, y), rho, clear, pressure = centres(), split_medium(draw), [], rings(draw)
    for _ in range(draw.integers(15)):
        a, b, width, height = *draw.uniform(-0.95, 0.95, 2), *draw.uniform(0.025, 0.3, 2)
        angle = draw.uniform(-numpy.pi / 4, numpy.pi / 4)
        c, s = numpy.cos(angle), numpy.sin(angle)
        inside = ((c * (x - a) + s * (y - b)) / width)**2 + ((c * (y - b) - s * (x - a)) / height)**2 <= 1
        rho[inside] = numpy.exp(draw.uniform(-1, 10))
        clear.append(f"(({c:.6f}*(x - {a:.6f}) + {s:.6f}*(y - {b:.6f}))/{width:.6f})^2 + "
                     f"(({c:.6f}*(y - {b:.6f}) - {s:.6f}*(x - {a:.6f}))/{height:.6f})^2".replace("- -", "+ "))
    write_grid(folder / f"rho-{number:04}.asc", rho, -1, 2)
    outside = f"(min({', '.join(clear + ['2', '2'])}) > 1)"
    return {"law.rho0": f"raster('rho-{number:04}.asc', x, y, 'nearest')", "initial.p": f"{outside}*({pressure})"}


def mazes(draw, folder, number, cells):
    walls = maze(draw, draw.integers(3, 9))
    write_grid(folder / f"wall-{number:04}.asc", walls * 1.0, -1, 2)
    wall = f"raster('wall-{number:04}.asc', x, y, 'nearest')"
    paths, pixel, text = numpy.argwhere(~walls), 2 / len(walls), []
    for _ in range(draw.integers(1, 7)):
        x, y = (paths[draw.integers(len(paths))] + draw.uniform(size=2)) * pixel - 1
        text.append(ring(x, y, draw.uniform(0.01, 0.04), draw.uniform(0.01, 0.02), draw.uniform(3, 5)))
    count = -(-cells // len(walls)) * len(walls)         # pixels have whole cells of the mesh
    return {"mesh.rectangle.cells": [count, count], "law.rho0": f"3 + 1e6*{wall}",
            "initial.p": f"({wall} < 0.5)*({' + '.join(text)})"}


def quadrants(draw, folder, number, _cells):
    cuts = [numpy.sort(draw.choice(numpy.arange(1, 16), draw.integers(1, 5), replace=False)) for _ in range(2)]
    strips = [numpy.searchsorted(cut, numpy.arange(16), side="right") for cut in cuts]
    shape, values = [len(cut) + 1 for cut in cuts], {"law.gamma": float(GASES[draw.integers(len(GASES))])}
    for name in ("rho", "p", "u", "v"):
        states = draw.uniform(-0.8, 0.8, shape) if name in "uv" else 0.1 * 20**draw.uniform(size=shape)
        write_grid(folder / f"{name}-{number:04}.asc", states[numpy.ix_(*strips)], 0, 1)
        values[f"initial.{name}"] = f"raster('{name}-{number:04}.asc', x, y, 'nearest')"
    return values


SETS = {
    "discontinuous": (discontinuous, ACOUSTICS, {"end": 2, "order": 3}, 64),
    "inclusions": (inclusions, ACOUSTICS, {"end": 2, "order": 2}, 128),
    "maze": (mazes, ACOUSTICS, {"end": 4, "order": 3}, 64),
    "quadrants-periodic": (quadrants, QUADRANTS, {"boundary": PERIODIC}, 128),
    "quadrants-open": (quadrants, QUADRANTS, {"boundary": OPEN}, 128),
}


def show(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


def write_set(name, folder, count, seed=1, cells=None):
    """Writes the case and its rasters; returns the values of the sweep's keys, a dictionary for each member."""
    make, text, more, default = SETS[name]
    cells = cells or default
    folder.mkdir(parents=True, exist_ok=True)
    members = [make(numpy.random.default_rng([seed, list(SETS).index(name), number]), folder, number, cells)
               for number in range(1, count + 1)]
    over = ",\n".join(f'    {{ key = "{key}"; values = (\n      ' + ",\n      ".join(show(m[key]) for m in members)
                      + " ); }" for key in members[0])
    with open(folder / f"{name}.cfg", "w", encoding="ascii") as file:
        file.write(text.format(name=name, cells=cells, **more))
        file.write(f'sweep = {{\n  design = "list";\n  over = (\n{over}\n  );\n}};\n')
    return members


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("folder", type=pathlib.Path, help="where SET.cfg and its rasters go; is made")
    parser.add_argument("--members", type=positive, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", type=positive, help="of the mesh along a side; default 64 or 128, by the set")
    options = parser.parse_args()
    write_set(options.set, options.folder, options.members, options.seed, options.cells)


if __name__ == "__main__":
    main()
