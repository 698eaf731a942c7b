#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compare densities at the points of a grid, whatever meshes they are on.

Prints a line for each FILE: the mean of the difference's absolute value over
all points, and over those outside --without. The files are edgewise's netCDF or
worker.py's; the venv's Python runs this.
"""
import argparse

import h5py
import numpy as np

from pyfr.polys import get_polybasis
from pyfr.shapes import TriShape


def read(path):
    """Nodes' places and densities of the last frame, each (nodes, elements)."""
    with h5py.File(path) as f:
        n = int(f.attrs['subdivide'][0])
        nodes = (n + 1)*(n + 2)//2
        names = f['mesh_node_x'][:], f['mesh_node_y'][:], f['rho'][-1]
        return n, *(a.reshape(-1, nodes).T for a in names)


def barycentric(x, y, px, py):
    """Weights of the second and third corner at a point of each triangle."""
    ax, ay, bx, by = x[1] - x[0], y[1] - y[0], x[2] - x[0], y[2] - y[0]
    qx, qy, det = px - x[0], py - y[0], ax*by - ay*bx
    return (qx*by - qy*bx)/det, (ax*qy - ay*qx)/det


def locate(x, y, shape, rows):
    """The triangle around each point ((i + 1/2)/rows, (j + 1/2)/rows), or -1."""
    owner = np.full(shape, -1)
    first = [np.ceil(c.min(axis=0)*rows - 0.5).astype(int) for c in (x, y)]
    last = [np.floor(c.max(axis=0)*rows - 0.5).astype(int) for c in (x, y)]
    # Every triangle's k-th candidate at once
    for k in np.ndindex(*(1 + (b - a).max() for a, b in zip(first, last))):
        i, j = (a + d for a, d in zip(first, k))
        e = np.flatnonzero((i <= last[0]) & (j <= last[1]))
        i, j = i[e], j[e]
        s, t = barycentric(x[:, e], y[:, e], (i + 0.5)/rows, (j + 0.5)/rows)
        inside = (s > -1e-9) & (t > -1e-9) & (s + t < 1 + 1e-9)
        owner[i[inside], j[inside]] = e[inside]
    return owner


def sample(path, width, height, rows):
    n, x, y, rho = read(path)
    corners = [0, n, -1]
    x, y = x[corners], y[corners]
    shape = round(width*rows), round(height*rows)
    owner = locate(x, y, shape, rows).ravel()
    if (owner < 0).any():
        raise SystemExit(f'{path}: {(owner < 0).sum()} points in no triangle')
    px, py = (np.indices(shape).reshape(2, -1) + 0.5)/rows
    s, t = barycentric(x[:, owner], y[:, owner], px, py)
    basis = get_polybasis('tri', n + 1, TriShape.std_ele(n))
    at = basis.nodal_basis_at(np.stack([2*s - 1, 2*t - 1], axis=1),
                              clean=False)
    return px, py, np.einsum('pn,np->p', at, rho[:, owner])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('reference')
    ap.add_argument('files', nargs='+')
    ap.add_argument('--size', type=float, nargs=2, default=(3.5, 1.0),
                    help='of the rectangle at the origin (default: 3.5 1)')
    ap.add_argument('--rows', type=int, default=500,
                    help='points per unit of length (default: 500)')
    ap.add_argument('--without', type=float, nargs=4,
                    default=(2.1, 0.0, 2.85, 0.5), metavar='X',
                    help='x0 y0 x1 y1 of what the second figure leaves out')
    args = ap.parse_args()

    x, y, exact = sample(args.reference, *args.size, args.rows)
    x0, y0, x1, y1 = args.without
    outside = (x < x0) | (x > x1) | (y < y0) | (y > y1)
    for path in args.files:
        error = abs(sample(path, *args.size, args.rows)[2] - exact)
        print(f'{error.mean():.4e} {error[outside].mean():.4e}')


if __name__ == '__main__':
    main()
