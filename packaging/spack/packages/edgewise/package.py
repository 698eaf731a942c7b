# SPDX-License-Identifier: BSD-2-Clause
"""edgewise for Spack.

spack repo add packaging/spack
spack install --no-checksum edgewise    # in the folder of the release tarball
"""
import os

from spack.package import *


class Edgewise(AutotoolsPackage):
    """Solver for two-dimensional hyperbolic conservation laws by the modal discontinuous Galerkin method on triangles,
    on CPUs and NVIDIA GPUs, with the same bits on both."""

    url = f"file://{os.getcwd()}/edgewise-0.1.0.tar.xz"
    manual_download = True

    license("BSD-2-Clause")

    version("0.1.0")

    variant("cuda", default=False, description="Machine code for current NVIDIA GPUs")
    variant("openmp", default=True, description="Several threads")
    variant("case", default=True, description="Case files, netCDF, pictures and the command; not the core alone")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    # The driver is loaded at run time; the toolkit is needed for the build only.
    depends_on("cuda", type="build", when="+cuda")

    with when("+case"):
        depends_on("libconfig@1.5:")
        depends_on("netcdf-c@4.4:")
        depends_on("libpng@1.5:")
        depends_on("zlib-api")
        depends_on("hdf5@1.8:")

    def configure_args(self):
        args = ["--with-systemdsystemunitdir=no"]
        args += [f"--with-cuda={self.spec['cuda'].prefix}"] if self.spec.satisfies("+cuda") else ["--without-cuda"]
        args += self.enable_or_disable("openmp")
        args += self.with_or_without("case")
        return args

    @run_after("build")
    @on_package_attributes(run_tests=True)
    def check_hashes(self):
        with working_dir(self.build_directory):
            make("check-hashes")

    def check(self):
        """check_hashes stands for the whole of make check, which compiles for minutes."""
