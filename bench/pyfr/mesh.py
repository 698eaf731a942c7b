#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write the bench's mesh: the unit square, n x n cells cut into two triangles
each, inner vertices moved at random, periodic both ways; Gmsh 2.2, ASCII.

Standard library only. The same arguments give the same bytes everywhere.
"""
import argparse
import sys

MASK = (1 << 64) - 1


class Xorshift:
    """The generator of the first prototype's meshes (seed 77 there too)."""

    def __init__(self, seed):
        self.s = (seed*0x9E3779B97F4A7C15 + 12345) & MASK

    def next(self):
        s = self.s
        s ^= (s << 13) & MASK
        s ^= s >> 7
        s ^= (s << 17) & MASK
        self.s = s
        return s

    def uniform(self):
        return (self.next() >> 11)*(1.0/9007199254740992.0)


def hilbert(size, x, y):
    """Place of cell (x, y) along the Hilbert curve of a size x size grid."""
    d = 0
    s = size//2
    while s > 0:
        rx, ry = int((x & s) > 0), int((y & s) > 0)
        d += s*s*((3*rx) ^ ry)
        if ry == 0:
            if rx == 1:
                x, y = size - 1 - x, size - 1 - y
            x, y = y, x
        s //= 2
    return d


def vertices(n, jitter, rng):
    out = []
    for j in range(n + 1):
        for i in range(n + 1):
            jx = jitter*(rng.uniform() - 0.5)
            jy = jitter*(rng.uniform() - 0.5)
            # The boundary stays as it is, so that its sides match
            if not (0 < i < n and 0 < j < n):
                jx = jy = 0.0
            out.append(((i + jx)/n, (j + jy)/n))
    return out


def cells(n, order, rng):
    """The cells (i, j) in the order in which their triangles are written."""
    ij = [(i, j) for j in range(n) for i in range(n)]
    if order == 'hilbert':
        size = 1
        while size < n:
            size *= 2
        ij.sort(key=lambda c: hilbert(size, *c))
    elif order == 'random':
        for k in range(len(ij) - 1, 0, -1):
            m = rng.next() % (k + 1)
            ij[k], ij[m] = ij[m], ij[k]
    return ij


def triangles(n, order, rotate, rng):
    out = []
    for i, j in cells(n, order, rng):
        v00 = j*(n + 1) + i
        v10, v01, v11 = v00 + 1, v00 + n + 1, v00 + n + 2
        for t in ((v00, v10, v11), (v11, v01, v00)):
            q = rng.next() % 3 if rotate else 0
            out.append(t[q:] + t[:q])
    return out


def sides(n):
    """Boundary lines, each side a list of vertex pairs, inside on the left."""
    w = n + 1
    return {
        'left': [((j + 1)*w, j*w) for j in range(n - 1, -1, -1)],
        'right': [(j*w + n, (j + 1)*w + n) for j in range(n)],
        'bottom': [(i, i + 1) for i in range(n)],
        'top': [(n*w + i + 1, n*w + i) for i in range(n - 1, -1, -1)],
    }


NAMES = {
    # PyFR pairs periodic_X_l with periodic_X_r by itself
    'pyfr': {'left': 'periodic_0_l', 'right': 'periodic_0_r',
             'bottom': 'periodic_1_l', 'top': 'periodic_1_r'},
    'plain': {k: k for k in ('left', 'right', 'bottom', 'top')},
}


def write(path, verts, tris, lines, names):
    tags = {side: k for k, side in enumerate(lines, start=1)}
    fluid = len(tags) + 1
    with open(path, 'w', newline='\n') as f:
        w = f.write
        w('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n')
        w(f'$PhysicalNames\n{fluid}\n')
        for side, tag in tags.items():
            w(f'1 {tag} "{names[side]}"\n')
        w(f'2 {fluid} "fluid"\n$EndPhysicalNames\n')
        w(f'$Nodes\n{len(verts)}\n')
        for k, (x, y) in enumerate(verts, start=1):
            w(f'{k} {x!r} {y!r} 0\n')
        w('$EndNodes\n')
        w(f'$Elements\n{sum(map(len, lines.values())) + len(tris)}\n')
        k = 0
        for side, tag in tags.items():
            for a, b in lines[side]:
                k += 1
                w(f'{k} 1 2 {tag} {tag} {a + 1} {b + 1}\n')
        for a, b, c in tris:
            k += 1
            w(f'{k} 2 2 {fluid} {fluid} {a + 1} {b + 1} {c + 1}\n')
        w('$EndElements\n')


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--cells', type=int, required=True, metavar='N',
                    help='cells a side; the mesh has 2*N*N triangles')
    ap.add_argument('--order', choices=('row', 'hilbert', 'random'),
                    default='hilbert', help='order of the triangles')
    ap.add_argument('--rotate', action='store_true',
                    help="start each triangle at a random one of its vertices")
    ap.add_argument('--jitter', type=float, default=0.3, metavar='F',
                    help='inner vertices move within a square box of this '
                    "width, in cells, about the grid's points")
    ap.add_argument('--seed', type=int, default=77)
    ap.add_argument('--pyfr', metavar='FILE',
                    help='write with the names periodic_0_l, periodic_0_r '
                    '(left, right), periodic_1_l, periodic_1_r (bottom, top)')
    ap.add_argument('--plain', metavar='FILE',
                    help='write with the names left, right, bottom, top')
    args = ap.parse_args()
    if args.cells < 3:
        ap.error('--cells must be at least 3')
    if not 0 <= args.jitter < 0.5:
        ap.error('--jitter must be at least 0 and below 0.5')
    if not (args.pyfr or args.plain):
        ap.error('nothing to write: give --pyfr, --plain or both')

    rng = Xorshift(args.seed)
    verts = vertices(args.cells, args.jitter, rng)
    tris = triangles(args.cells, args.order, args.rotate, rng)
    lines = sides(args.cells)
    for path, names in ((args.pyfr, 'pyfr'), (args.plain, 'plain')):
        if path:
            write(path, verts, tris, lines, NAMES[names])
    return 0


if __name__ == '__main__':
    sys.exit(main())
