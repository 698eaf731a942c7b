#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measure PyFR's OpenMP or CUDA backend on this machine: Euler, triangles,
Rusanov, classical RK4, double precision, no anti-aliasing. See README beside
this file.

Figures go to standard output, one line an order; what is being done, and what
each mode gave, to standard error.
"""
import argparse
import json
import math
import os
from pathlib import Path
import shutil
import subprocess
import sys

HERE = Path(__file__).resolve().parent
NVARS, STAGES = 4, 4
CLANG = 'clang-14'


def say(*words, sep=' '):
    print('run.py:', *words, file=sys.stderr, sep=sep, flush=True)


def die(*words):
    say(*words)
    sys.exit(1)


def modes(venv, backend):
    """The ways of running PyFR that are tried: settings and environment."""
    if backend == 'cuda':
        # It times the kernels that it has for a product itself, and keeps the
        # fastest
        return {'cuda': ({}, {})}
    try:
        avx512 = ' avx512f ' in Path('/proc/cpuinfo').read_text()
    except OSError:
        avx512 = False

    compilers = {}
    if gcc := shutil.which('gcc'):
        compilers['gcc'] = (gcc, '')
    lib = venv/'omp/usr/lib'/CLANG.replace('clang', 'llvm')/'lib'
    inc = sorted(lib.glob('clang/*/include/omp.h'))
    if inc and (clang := shutil.which(CLANG)):
        compilers['clang'] = (
            clang, f'-I{inc[0].parent} -L{lib} -Wl,-rpath,{lib}'
        )

    layouts = {'': ({}, {}), '+soa2': ({'n-soa': 2}, {})}
    if avx512:
        # Normal stores where PyFR asks for non-temporal ones
        layouts['+nont'] = ({}, {'XSMM_NT': '0'})
    else:
        # Vectors of four; PyFR then asks for no non-temporal stores either
        layouts['+align32'] = ({'alignb': 32, 'n-soa': 2}, {})

    out = {}
    for name, (cc, flags) in compilers.items():
        base = {'cc': cc, 'cflags': flags}
        if avx512:
            out[name] = (base, {})
            # PyFR's own advice where there is AVX-512
            name += '512'
            base = base | {'cflags': f'{flags} -mprefer-vector-width=512'}
        for suffix, (layout, env) in layouts.items():
            out[name + suffix] = (base | layout, env)
    return {name: ({f'backend-openmp.{k}': v for k, v in opts.items() if v},
                   env)
            for name, (opts, env) in out.items()}


def cuda_libraries():
    """Where CUDA's libraries are. PyFR looks for names without a version, which
    a driver alone, and NVIDIA's wheels, do not have."""
    root = Path(os.environ.get('CUDA_HOME', '/usr/local/cuda'))
    folders = [root/'lib64', root/'targets/x86_64-linux/lib']
    for path in sys.path:
        folders += sorted(Path(path).glob('nvidia/*/lib'))
    env = {'PYFR_CUDA_LIBRARY_PATH': 'libcuda.so.1'}
    # NVRTC loads a part of itself by name
    search = os.environ.get('LD_LIBRARY_PATH', '').split(':')
    for name in ('nvrtc', 'cublasLt'):
        found = [f for d in folders for f in sorted(d.glob(f'lib{name}.so*'))]
        if found:
            env[f'PYFR_{name.upper()}_LIBRARY_PATH'] = str(found[0])
            search.append(str(found[0].parent))
        else:
            say(f'no lib{name}.so in {root} (CUDA_HOME names another folder) or '
                'beside this Python; leaving it to the loader')
    return env, ':'.join(dict.fromkeys(filter(None, search)))


def environment(venv, backend, threads):
    env = dict(os.environ)
    if backend == 'cuda':
        libraries, search = cuda_libraries()
        env = libraries | env | {'LD_LIBRARY_PATH': search}
    env.setdefault('PYFR_XSMM_LIBRARY_PATH', str(venv/'lib/libxsmm.so'))
    # Beside other work, the environment may say something else
    env.setdefault('OMP_PROC_BIND', 'true')
    env.setdefault('OMP_WAIT_POLICY', 'active')
    env |= {
        'OMP_NUM_THREADS': str(threads),
        # NumPy's own threads would spin beside the solver's
        'OPENBLAS_NUM_THREADS': '1',
        # Compiled kernels stay inside the environment
        'PYFR_OMP_CACHE_DIR': str(venv/'cache'),
        'PYFR_CUDA_CACHE_DIR': str(venv/'cache'),
    }
    return env


# A stream of Mach 0.2 along x, where the speed of sound and the density are 1; boundaries and plugins follow.
VISCOUS = '''
[backend]
precision = double
[backend-{backend}]
{settings}
[constants]
gamma = 1.4
mu = {mu}
Pr = 0.72
mach = 0.2
ps = 0.71428571428571429
[solver]
system = navier-stokes
order = {order}
viscosity-correction = none
[solver-time-integrator]
formulation = std
scheme = rk45
controller = pi
tstart = 0
tend = {end}
dt = 1e-3
atol = 1e-6
rtol = 1e-6
[solver-interfaces]
riemann-solver = hllc
ldg-beta = 0.5
ldg-tau = 0.1
[solver-interfaces-line]
flux-pts = gauss-legendre
[solver-elements-tri]
soln-pts = williams-shunn
[soln-ics]
rho = 1
u = {u}
v = {v}
p = ps
{boundaries}'''
FAR = '''[soln-bcs-{}]
type = char-riem-inv
rho = 1
u = mach
v = 0
p = ps
'''


def write_viscous(file, venv, backend, **values):
    """Writes a case of VISCOUS; returns the environment that its first mode needs."""
    settings, more = next(iter(modes(venv, backend).values()))
    text = '\n'.join(f'{key.split(".")[1]} = {value}' for key, value in settings.items())
    file.write_text(VISCOUS.format(backend=backend, settings=text, **values))
    return more


def launcher(venv, backend, ranks, threads):
    """What starts so many ranks on this machine, which asks no name service.
    On the CPU each has cores of its own; elsewhere OMP_PROC_BIND would give all
    of them the same ones."""
    if ranks == 1:
        return []
    bound = ['-bind-to', f'core:{threads}'] if backend == 'openmp' else []
    return [venv/'bin/mpiexec', '-launcher', 'fork', '-hosts', 'localhost',
            *bound, '-n', str(ranks)]


def cells_of(elements):
    cells = math.isqrt(elements//2)
    if 2*cells*cells != elements:
        lo, hi = 2*cells**2, 2*(cells + 1)**2
        die(f'--elements {elements} is not 2*n*n; {lo} and {hi} are')
    return cells


def imported(venv, msh, pyfrm):
    part = pyfrm.with_suffix('.part.pyfrm')
    subprocess.run([venv/'bin/pyfr', 'import', msh, part], check=True)
    part.rename(pyfrm)


def metis_libraries(venv):
    """METIS's wheel does not find the library that it needs by itself."""
    folder = next(venv.glob('lib/python3*/site-packages/cmeel.prefix/lib'), None)
    if not folder:
        return {}
    search = [str(folder), os.environ.get('LD_LIBRARY_PATH', '')]
    return {'PYFR_METIS_LIBRARY_PATH': str(folder/'libmetis.so'),
            'LD_LIBRARY_PATH': ':'.join(filter(None, search))}


def partitioned(venv, pyfrm, ranks):
    """The mesh with METIS's partitioning for so many ranks, made once."""
    if ranks == 1:
        return pyfrm
    out = pyfrm.with_suffix(f'.{ranks}.pyfrm')
    if not out.exists():
        part = out.with_suffix('.part.pyfrm')
        shutil.copyfile(pyfrm, part)
        subprocess.run([venv/'bin/pyfr', 'partition', 'add', '-p', 'metis',
                        part, str(ranks)],
                       env=os.environ | metis_libraries(venv), check=True)
        part.rename(out)
    return out


def meshes(venv, folder, cells, order):
    """Write (once) and import the mesh; the same one for others beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    base = folder/f'square-{2*cells*cells}-{order}'
    pyfrm = base.with_suffix('.pyfrm')
    if not pyfrm.exists():
        msh = folder/(base.name + '-pyfr.msh')
        subprocess.run([sys.executable, HERE/'mesh.py', '--cells', str(cells),
                        '--order', order, '--pyfr', msh,
                        '--plain', base.with_suffix('.msh')], check=True)
        imported(venv, msh, pyfrm)
        msh.unlink()
    return pyfrm


class Bench:
    def __init__(self, args, ranks=1):
        self.args = args
        self.ranks = ranks
        self.env = environment(args.venv, args.backend, args.threads)
        self.command = [
            *launcher(args.venv, args.backend, ranks, args.threads),
            args.venv/'bin/python', HERE/'worker.py'
        ]
        self.extra = dict(s.split('=', 1) for s in args.set)

    def mesh(self, cells, order):
        pyfrm = meshes(self.args.venv, self.args.meshes, cells, order)
        return partitioned(self.args.venv, pyfrm, self.ranks)

    def once(self, mesh, cells, order, mode, **limits):
        settings, env = mode
        task = {
            'mesh': str(mesh), 'order': order,
            'backend': self.args.backend,
            # Steps between two looks at the clock
            'chunk': 20 if self.args.backend == 'cuda' else 1,
            'settings': settings | self.extra,
            'dt': 0.05/(cells*(2*order + 1)),
            'seconds': self.args.seconds, 'min_steps': 3, 'max_steps': 10**9
        } | limits
        p = subprocess.run(self.command, text=True, input=json.dumps(task),
                           capture_output=True, env=self.env | env)
        if p.returncode:
            # mpiexec's own words are on its standard output
            say(p.stderr.strip(), p.stdout.strip(), sep='\n')
            die('PyFR failed; its words are above')
        r = json.loads(p.stdout.splitlines()[-1])
        if r['ranks'] != self.ranks:
            die(f'{self.ranks} ranks were started, and {r["ranks"]} ran')
        work = r['elements']*(order + 1)*(order + 2)//2*NVARS*STAGES/1e9
        r['rate'] = work*r['steps']/r[self.args.clock]
        r['peak'] = work/r['fastest_step_s']
        return r

    def measure(self, mesh, cells, order, todo):
        """Every mode once, then the two fastest until they have their rounds."""
        found = {}

        def one(name):
            r = self.once(mesh, cells, order, todo[name])
            # The wave is resolved on every mesh that anybody would time
            if not r['l2_rho'] < 1e-3:
                die(f'p={order} {name}: wrong solution, L2 error of the '
                    f'density {r["l2_rho"]:.3g}')
            found.setdefault(name, []).append(r)
            say(f'p={order} {name}: {r["rate"]:.3f} over {r["steps"]} steps, '
                f'fastest step {r["peak"]:.3f}, L2 error {r["l2_rho"]:.2e} '
                f'at t={r["time"]:.2e}')

        for name in todo:
            one(name)
        # By the fastest step, which other work on the machine disturbs least
        ranked = sorted(found, key=lambda k: -found[k][0]['peak'])
        for _ in range(self.args.rounds - 1):
            for name in ranked[:2]:
                one(name)
        best = max(found, key=lambda k: max(r['rate'] for r in found[k]))
        rates = [r['rate'] for r in found[best]]
        say(f'p={order} best mode {best}: rounds',
            ' '.join(f'{r:.3f}' for r in rates))
        return max(r['rate'] for rs in found.values() for r in rs)

    def check(self, mode):
        """Errors on two meshes after the same time, and the rate between."""
        errors = []
        for cells in (12, 24):
            mesh = self.mesh(cells, 'row')
            steps = cells*8
            r = self.once(mesh, cells, 3, mode, dt=0.1/(steps + 2),
                          min_steps=steps, max_steps=steps, chunk=1)
            errors.append(r['l2_rho'])
            print(f'pyfr check p=3 elements={2*cells*cells} '
                  f't={r["time"]:.3f} l2_rho={r["l2_rho"]:.3e}', flush=True)
        rate = math.log2(errors[0]/errors[1])
        print(f'pyfr check p=3 rate={rate:.2f}')
        if not (errors[1] < 1e-4 and rate > 3.5):
            die('PyFR does not solve the equations meant here')


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--venv', type=Path, default=Path('pyfr-venv'),
                    help='what setup made (default: ./pyfr-venv)')
    ap.add_argument('--backend', choices=('openmp', 'cuda'), default='openmp')
    ap.add_argument('--elements', default='31250', metavar='N[,N...]',
                    help='triangles, each 2*n*n (default: 31250)')
    ap.add_argument('--orders', default='1,2,3,4,5', metavar='P[,P...]')
    ap.add_argument('--threads', type=int, default=2,
                    help='of each rank, on the CPU (default: 2)')
    ap.add_argument('--ranks', type=int, default=1, metavar='N',
                    help='MPI ranks, each with a part of the mesh and, with '
                    'cuda, a GPU of its own (default: 1)')
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--seconds', type=float, default=2, metavar='S',
                    help='least length of a round (default: 2)')
    ap.add_argument('--modes', metavar='NAME[,NAME...]',
                    help='only these (default: all; "list" names them)')
    ap.add_argument('--mesh-order', choices=('row', 'hilbert', 'random'),
                    default='hilbert')
    ap.add_argument('--meshes', type=Path, metavar='DIR',
                    help='where meshes are kept (default: VENV/meshes)')
    ap.add_argument('--set', action='append', default=[],
                    metavar='SECTION.KEY=VALUE', help="any of PyFR's settings")
    ap.add_argument('--clock', choices=('wall_s', 'cpu_s'), default='wall_s',
                    help="cpu_s: processor's time")
    ap.add_argument('--check', action='store_true',
                    help='verify the solution instead of measuring')
    args = ap.parse_args()

    args.venv = args.venv.absolute()
    if not (args.venv/'bin/pyfr').exists():
        die(f'no PyFR in {args.venv}; run {HERE/"setup"} {args.venv}')
    args.meshes = args.meshes or args.venv/'meshes'

    todo = modes(args.venv, args.backend)
    if args.modes == 'list':
        print('\n'.join(todo))
        return 0
    if args.modes:
        names = args.modes.split(',')
        for name in names:
            if name not in todo:
                die(f'no mode "{name}" here; there are {", ".join(todo)}')
        todo = {name: todo[name] for name in names}
    if not todo:
        die('no gcc and no', CLANG)

    bench = Bench(args, args.ranks)
    if args.check:
        bench.check(next(iter(todo.values())))
        return 0

    for elements in map(int, args.elements.split(',')):
        cells = cells_of(elements)
        mesh = bench.mesh(cells, args.mesh_order)
        for order in map(int, args.orders.split(',')):
            rate = bench.measure(mesh, cells, order, todo)
            where = ('cuda' if args.backend == 'cuda'
                     else f'threads={args.threads}')
            if args.ranks > 1:
                where += f' ranks={args.ranks}'
            print(f'pyfr p={order} elements={elements} {where} '
                  f'gdof_stage_per_s={rate:.3f}', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
