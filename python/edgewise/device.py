# SPDX-License-Identifier: BSD-2-Clause
"""A state in the memory of a GPU, for other packages that compute there."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

_CPU, _CUDA = 1, 2  # DLDeviceType
_python = ctypes.pythonapi
_python.PyCapsule_GetName.restype, _python.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_TENSOR = {b"dltensor": 0, b"dltensor_versioned": 32}  # where the DLTensor begins
_DEVICE = 8  # in it, behind the address: type and number


class DeviceArray:
    """Numbers in the memory of a GPU, read-only: ``torch.from_dlpack``, ``cupy.from_dlpack`` and others take it.

    Nothing is copied to the host. The numbers are there when the array is given, so that any stream may read them at
    once; reading must have ended (``cupy.cuda.get_current_stream().synchronize()``, ``torch.cuda.synchronize()``)
    before the solver is called again. What takes it keeps the solver alive.

    A consumer that knows DLPack 1.0 is told that the array is read-only. Others are not, and must not write to it
    either. The rows of NumPy's arrays are on the host: `Solver.coefficients` copies them there.

    Attributes
    ----------
    shape, dtype
        As of a NumPy array.
    device : int
        Number of the GPU.
    """

    def __init__(self, seen: np.ndarray, device: int) -> None:
        self._seen = seen  # whose address is the GPU's: it is not read, but makes capsules and keeps what it shows
        self.shape, self.dtype, self.device = seen.shape, seen.dtype, device

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._seen.ctypes.data, True), "strides": None,
                "stream": None, "version": 3}

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[tuple[int, int]] = None, dl_device: Any = None,
                   copy: Optional[bool] = None) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("the state is given where it is, and not copied: take Solver.coefficients")
        capsule = self._capsule(max_version)
        name = _python.PyCapsule_GetName(capsule)
        place = _python.PyCapsule_GetPointer(capsule, name) + _TENSOR[name] + _DEVICE
        device = (ctypes.c_int32 * 2).from_address(place)
        if tuple(device) != (_CPU, 0):
            raise BufferError("NumPy makes capsules of a kind that is not known here")
        device[:] = self.__dlpack_device__()
        return capsule

    def _capsule(self, max_version: Optional[tuple[int, int]]) -> Any:
        """NumPy's, as of an array in the host's memory; NumPy before 2.1 knows no versions."""
        if max_version is not None and max_version[0] >= 1 and np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            shown = self._seen.view()
            shown.flags.writeable = False
            return shown.__dlpack__(max_version=max_version)
        return self._seen.__dlpack__()

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} on GPU {self.device}>"
