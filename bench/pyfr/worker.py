# SPDX-License-Identifier: BSD-2-Clause
"""One PyFR run in a fresh process; run.py starts it with the environment's
Python, under mpiexec if there are to be several ranks, each with its part of
the mesh. Rank 0 reads a task (JSON) on standard input and writes the figures of
all of them (JSON).

The case: a density wave carried by a uniform stream, an exact solution of the
Euler equations, on the periodic unit square; or another one, by the settings.
A task with `fields` gets the density at the end in that file, as edgewise
writes it, in place of the wave's error; it has one rank.
"""
import gc
import json
import math
import sys
import time

import mpi4py.rc
mpi4py.rc.initialize = False

import h5py
import numpy as np

from pyfr.backends import get_backend
from pyfr.inifile import Inifile
from pyfr.mpiutil import get_comm_rank_root, init_mpi
from pyfr.quadrules import get_quadrule
from pyfr.readers.native import NativeReader
from pyfr.shapes import TriShape
from pyfr.solvers import get_solver

U, V = 0.7, 0.3

CONFIG = f'''
[backend]
precision = double

[constants]
gamma = 1.4

[solver]
system = euler

[solver-time-integrator]
formulation = std
scheme = rk4
controller = none
tstart = 0
tend = 1

[solver-interfaces]
riemann-solver = rusanov

[solver-interfaces-line]
flux-pts = gauss-legendre

[solver-elements-tri]
soln-pts = williams-shunn

[soln-ics]
rho = 1 + 0.2*sin(2*pi*(x + y))
u = {U}
v = {V}
p = 1
'''


def squared_error(intg, cfg, verts, t):
    """Square of the density's L2 error on this rank, by a rule two degrees finer
    than the scheme's."""
    shape = TriShape(len(verts), cfg)
    rule = get_quadrule('tri', qdeg=2*shape.order + 2)
    pts = np.atleast_2d(rule.pts)

    # Solution and places at the rule's points; the triangles are straight
    rho = shape.ubasis.nodal_basis_at(pts) @ intg.soln[0][:, 0, :]
    x = np.tensordot(shape.sbasis.nodal_basis_at(pts), verts, axes=1)
    a, b = verts[1] - verts[0], verts[2] - verts[0]
    det = np.abs(a[:, 0]*b[:, 1] - a[:, 1]*b[:, 0])/4

    exact = 1 + 0.2*np.sin(2*np.pi*(x[..., 0] + x[..., 1] - (U + V)*t))
    if not np.isfinite(rho).all():
        return math.inf
    return float(np.einsum('q,e,qe->', rule.wts, det, (rho - exact)**2))


def write_fields(path, rho, cfg, verts):
    """The density at the nodes of each triangle, as in edgewise's netCDF."""
    shape = TriShape(len(verts), cfg)
    pts = np.array(shape.std_ele(shape.order))
    places = np.tensordot(shape.sbasis.nodal_basis_at(pts), verts, axes=1)
    with h5py.File(path, 'w') as f:
        f.attrs['subdivide'] = [shape.order]
        f['mesh_node_x'] = places[..., 0].T.ravel()
        f['mesh_node_y'] = places[..., 1].T.ravel()
        f['rho'] = (shape.ubasis.nodal_basis_at(pts) @ rho).T.reshape(1, -1)


def main():
    # The set-up makes millions of objects, and drops few
    gc.disable()
    init_mpi()
    comm, rank, root = get_comm_rank_root()
    # mpiexec gives its input to rank 0 alone
    task = comm.bcast(json.load(sys.stdin) if rank == root else None, root)
    order, dt = task['order'], task['dt']

    cfg = Inifile(CONFIG)
    cfg.set('solver', 'order', order)
    cfg.set('solver-time-integrator', 'dt', dt)
    for key, value in task['settings'].items():
        cfg.set(*key.split('.', 1), value)

    mesh = NativeReader(task['mesh']).mesh
    backend = get_backend(task['backend'], cfg)
    intg = get_solver(backend, mesh, None, cfg)
    verts = mesh.spts['tri']

    def steps(count):
        for _ in range(count):
            # What advance_to() does for the controller `none`, less its plugins
            intg._idxcurr = intg.step(intg.tcurr, dt)
            intg.tcurr += dt
        # A GPU is still at work; it is not waited for after every single step
        backend.wait()
        comm.Barrier()

    # Kernels are made, and bound to their arguments, in the first steps
    steps(2)

    def wanted(taken, seconds):
        # By one rank's clock, so that all take as many steps
        return comm.bcast(taken < task['max_steps']
                          and (taken < task['min_steps']
                               or seconds < task['seconds']), root)

    chunk, taken, fastest = task['chunk'], 0, math.inf
    began, cpu = time.perf_counter(), time.process_time()
    while wanted(taken, time.perf_counter() - began):
        t0 = time.perf_counter()
        steps(chunk)
        fastest = min(fastest, (time.perf_counter() - t0)/chunk)
        taken += chunk
    wall = time.perf_counter() - began
    cpu = comm.allreduce(time.process_time() - cpu)

    if path := task.get('fields'):
        write_fields(path, intg.soln[0][:, 0, :], cfg, verts)
    found = {
        'elements': comm.allreduce(verts.shape[1]),
        'ranks': comm.size,
        'steps': taken,
        'wall_s': wall,
        'cpu_s': cpu,
        'fastest_step_s': fastest,
        'time': intg.tcurr,
        'l2_rho': (None if path else math.sqrt(
            comm.allreduce(squared_error(intg, cfg, verts, intg.tcurr))))
    }
    if rank == root:
        print(json.dumps(found))


if __name__ == '__main__':
    main()
