# Copyright (c) the libsv authors. SPDX-License-Identifier: MIT

from spack.package import *


class Libsv(AutotoolsPackage, CudaPackage):
    """Views, layouts and fast copies of strided array memory of every kind, on the host and on CUDA devices."""

    homepage = "https://libsv.invalid"
    url = "https://libsv.invalid/libsv-0.1.0.tar.xz"

    license("MIT", checked_by="libsv authors")

    # The sum is that of SHA256SUMS, which packaging/release.sh writes.
    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("checks", default=False, description="Find out on every call whether handles are alive")
    variant("shared", default=True, description="Build the shared library")
    variant("static", default=True, description="Build the static library")

    depends_on("c", type="build")
    depends_on("dlpack@1.3:1", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cuda@12.8:", when="+cuda")

    requires("+shared", "+static", policy="any_of", msg="one of the libraries is needed")
    conflicts("target=x86:", msg="libsv needs addresses of 64 bits")

    def configure_args(self):
        args = [
            "--with-criterion=no",
            "--without-mpi",
            f"--with-dlpack={self.spec['dlpack'].prefix.include}",
            *self.enable_or_disable("checks"),
            *self.enable_or_disable("shared"),
            *self.enable_or_disable("static"),
        ]
        if not self.spec.satisfies("+cuda"):
            return [*args, "--without-cuda"]
        args.append(f"--with-cuda={self.spec['cuda'].prefix}")
        archs = [arch for arch in self.spec.variants["cuda_arch"].value if arch != "none"]
        if archs:
            codes = " ".join(f"-gencode=arch=compute_{arch},code=sm_{arch}" for arch in archs)
            args.append(f"NVCC_GENCODE={codes}")
        return args
