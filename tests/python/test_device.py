# SPDX-License-Identifier: BSD-2-Clause
"""A state on a GPU that is none (tests/cuda/fake): the array's address, device, capsules and lifetime."""
import os
import subprocess
import sys
import unittest

BUILD = os.path.dirname(os.path.dirname(os.environ["EDGEWISE_LIBRARY"]))
LIBRARY = os.path.join(BUILD, "tests/cuda/.libs/libedgewise-fake-gpu.so")
FAKE = os.path.join(BUILD, "tests/cuda/fake/.libs")

PROGRAM = r"""
import ctypes, gc, sys, weakref
import numpy as np
import edgewise
from edgewise import device
from flows import box

kernels = sys.argv[1]
solver = edgewise.Solver(box(), settings={"backend.name": "cuda", "backend.kernels": kernels})
solver.advance(steps=3)
array = solver.state
address = array.__cuda_array_interface__["data"][0]

def read():  # as who computes there: by the driver, in the primary context
    driver, context, numbers = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), np.empty(array.shape)
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxPushCurrent_v2(context) == 0
    stream = ctypes.c_void_p()
    assert driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    assert driver.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(numbers.ctypes.data), ctypes.c_uint64(address),
                                       ctypes.c_size_t(numbers.nbytes), stream) == 0
    assert driver.cuStreamSynchronize(stream) == 0
    assert driver.cuCtxPopCurrent_v2(ctypes.byref(context)) == 0
    return numbers

place = solver.place
got = read()[place // 8, :, :, place % 8]
assert np.array_equal(got, solver.coefficients), "other numbers"
assert array.__dlpack_device__() == (2, 0)

class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]

def tensor(capsule, name, begin):
    place = ctypes.pythonapi.PyCapsule_GetPointer(capsule, name)
    return Tensor.from_address(place + begin), ctypes.c_uint64.from_address(place + 24)

capsule = array.__dlpack__(stream=1)
seen, _ = tensor(capsule, b"dltensor", 0)
assert (seen.data + seen.offset, tuple(seen.device), seen.ndim) == (address, (2, 0), 4)
assert (seen.code, seen.bits, seen.lanes) == (2, 64, 1)
assert tuple(seen.shape[k] for k in range(4)) == array.shape
if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
    again = array.__dlpack__(max_version=(1, 0), dl_device=(2, 0))
    seen, flags = tensor(again, b"dltensor_versioned", 32)
    assert (seen.data + seen.offset, tuple(seen.device)) == (address, (2, 0))
    assert flags.value & 1, "it is not read-only"
    del again
for wrong in ({"copy": True}, {"dl_device": (1, 0)}):
    try:
        array.__dlpack__(**wrong)
    except BufferError:
        continue
    raise AssertionError("nothing refused " + repr(wrong))

lives = weakref.ref(solver)
del solver, array, place
gc.collect()
assert lives() is not None, "the capsule does not keep the solver"
del capsule
gc.collect()
assert lives() is None, "nothing lets the solver go"
print("well")
"""


class Devices(unittest.TestCase):
    def _run(self, kernels):
        if not os.path.exists(LIBRARY) or not os.path.exists(os.path.join(FAKE, "libcuda.so.1")):
            self.skipTest("the GPU that is none was not built")
        libraries = os.pathsep.join([FAKE, os.environ.get("LD_LIBRARY_PATH", "")])
        ended = subprocess.run([sys.executable, "-c", PROGRAM, kernels], capture_output=True, text=True, timeout=300,
                               env={**os.environ, "EDGEWISE_LIBRARY": LIBRARY, "LD_LIBRARY_PATH": libraries,
                                    "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__),
                                                                   os.environ.get("PYTHONPATH", "")])})
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("well\n", "", 0))

    def test_own_order(self):
        """a state on a GPU is given by its address there, to DLPack and to CUDA's interface, and lives as long"""
        self._run("edgewise")

    def test_other_order(self):
        """... also if its kernels have another order, of which it is a copy on the GPU"""
        self._run("fused")
