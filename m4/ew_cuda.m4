# SPDX-License-Identifier: BSD-2-Clause
# The compilers of device code: nvcc for current cards, clang's NVPTX target for the paper's. Either may be missing.
AC_DEFUN([EW_CUDA], [
  AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=PATH@:>@],
    [build GPU code by nvcc, below PATH or found (default: if there is one); without it there is still the PTX of
     --with-sm-20])], [], [with_cuda=check])
  AC_ARG_WITH([cuda-arch], [AS_HELP_STRING([--with-cuda-arch=LIST],
    [GPUs to build machine code for, for example sm_90 or "sm_80 sm_90" (default: the common ones that nvcc knows)])],
    [], [with_cuda_arch=default])
  AC_ARG_WITH([sm-20], [AS_HELP_STRING([--without-sm-20], [leave out the PTX for the GTX 580 and later cards])],
    [], [with_sm_20=check])

  NVCC=
  AS_IF([test "x$with_cuda" != xno], [
    AS_CASE([$with_cuda], [yes|check], [ew_nvcc_path=$PATH:/usr/local/cuda/bin:/opt/cuda/bin], [ew_nvcc_path=$with_cuda/bin])
    AC_PATH_PROG([NVCC], [nvcc], [], [$ew_nvcc_path])
    AS_IF([test "x$with_cuda" != xcheck && test -z "$NVCC"],
      [AC_MSG_ERROR([nvcc was asked for and is not in $ew_nvcc_path; install the CUDA toolkit
  (apt: nvidia-cuda-toolkit, dnf: cuda-toolkit, zypper: cuda-toolkit, pacman: cuda), or name its folder: --with-cuda=/usr/local/cuda])])])

  ew_native="no: needs nvcc (apt: nvidia-cuda-toolkit, dnf and zypper: cuda-toolkit, pacman: cuda)"
  AS_IF([test -n "$NVCC"], [EW_CUDA_ARCHITECTURES])
  AC_SUBST([EW_DISTCHECK_CUDA])
  AM_CONDITIONAL([EW_NATIVE], [test -n "$NVCC"])

  CLANG_CUDA=
  AS_IF([test "x$with_sm_20" != xno], [
    AC_PATH_PROGS([EW_CLANG], [clang clang-18 clang-17 clang-16 clang-15 clang-14 clang-13])
    AC_MSG_CHECKING([whether clang makes PTX for sm_20])
    AS_IF([test -n "$EW_CLANG" &&
        echo '__attribute__((global)) void f(double *x) { *x = __builtin_fma(*x, *x, *x); }' |
        $EW_CLANG -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -S -O2 -o - - 2>/dev/null |
        grep 'fma\.rn\.f64' >/dev/null], [CLANG_CUDA=$EW_CLANG])
    AC_MSG_RESULT([${CLANG_CUDA:-no}])])
  AC_SUBST([CLANG_CUDA])
  ew_sm_20="no: needs clang before version 19 (apt, dnf, zypper, pacman: clang), or the release tarball"
  AS_IF([test -n "$CLANG_CUDA"], [ew_sm_20="yes, by $CLANG_CUDA"],
    [test "x$with_sm_20" != xno && test -f "$srcdir/cuda/sm_20/common.ptx"], [ew_sm_20="yes, as it came"],
    [test "x$with_sm_20" = xno], [ew_sm_20=no],
    [test "x$with_sm_20" = xyes], [AC_MSG_ERROR([the sm_20 image was asked for; it $ew_sm_20])])
  AM_CONDITIONAL([EW_SM_20], [test "x${ew_sm_20%%,*}" = xyes])
  AC_SUBST([ew_sm_20])
  AS_IF([test "x$ew_sm_20" = xno], [EW_DISTCHECK_CUDA="$EW_DISTCHECK_CUDA --without-sm-20"])
])

# Machine code for each architecture asked for, and PTX of the newest for later cards. Each takes two minutes of a core
# and 8 MB, so that by default there is one for each family: cards of sm_86 and sm_89 run what is made for sm_80.
AC_DEFUN([EW_CUDA_ARCHITECTURES], [
  AC_MSG_CHECKING([which GPUs $NVCC knows])
  ew_known=`$NVCC --list-gpu-code 2>/dev/null | tr '\n' ' '`
  AC_MSG_RESULT([$ew_known])
  EW_CUDA_ARCH= EW_CUDA_GENCODE=
  AS_IF([test "x$with_cuda_arch" = xdefault], [ew_wanted="sm_75 sm_80 sm_90 sm_100 sm_120"], [ew_wanted=`echo "$with_cuda_arch" | tr ',' ' '`])
  for ew_arch in $ew_wanted; do
    AS_CASE([" $ew_known "], [*" $ew_arch "*], [EW_CUDA_ARCH="$EW_CUDA_ARCH${EW_CUDA_ARCH:+ }$ew_arch"],
      [AS_IF([test "x$with_cuda_arch" != xdefault],
        [AC_MSG_ERROR([$NVCC makes no code for "$ew_arch"; it knows $ew_known])])])
  done
  for ew_arch in $EW_CUDA_ARCH; do
    ew_number=${ew_arch#sm_}
    EW_CUDA_GENCODE="$EW_CUDA_GENCODE -gencode arch=compute_$ew_number,code=$ew_arch"
  done
  EW_CUDA_GENCODE="$EW_CUDA_GENCODE -gencode arch=compute_${ew_number%%[[a-z]]*},code=compute_${ew_number%%[[a-z]]*}"
  AC_SUBST([EW_CUDA_ARCH])
  AC_SUBST([EW_CUDA_GENCODE])
  ew_native="$EW_CUDA_ARCH, by $NVCC"
  EW_DISTCHECK_CUDA="--with-cuda-arch='$EW_CUDA_ARCH'"
])
