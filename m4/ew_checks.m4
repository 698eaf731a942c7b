# EW_COMPILER_FLAGS(VARIABLE, FLAGS): those of FLAGS that the compiler takes.
AC_DEFUN([EW_COMPILER_FLAGS], [
  $1=
  for ew_flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $ew_flag])
    ew_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $ew_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes]); $1="$$1 $ew_flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$ew_saved_CFLAGS
  done
  AC_SUBST([$1])
])

# Doubles must be IEEE doubles at every step: x87 and fast-math builds would have other bits.
AC_DEFUN([EW_CHECK_ARITHMETIC], [
  AC_MSG_CHECKING([whether double arithmetic is plain IEEE])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <float.h>
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error
#endif
_Static_assert(sizeof(double) == 8 && DBL_MANT_DIG == 53, "double");
  ]], [])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
    AC_MSG_ERROR([edgewise needs plain IEEE double arithmetic: leave out -ffast-math, and on 32-bit x86 add CFLAGS="-O2 -msse2 -mfpmath=sse"])])
])

# EW_OPENMP_RUNS: a compiler for another C library (musl-gcc) may link an OpenMP library that does not start.
AC_DEFUN([EW_OPENMP_RUNS], [
  AC_MSG_CHECKING([whether programs with OpenMP start])
  ew_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $OPENMP_CFLAGS"
  AC_RUN_IFELSE([AC_LANG_PROGRAM([[@%:@include <omp.h>]], [[return omp_get_max_threads() < 1;]])], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no]); ew_openmp="no: one core only (programs with $OPENMP_CFLAGS do not start)"; OPENMP_CFLAGS=],
    [AC_MSG_RESULT([taken for granted: it cannot be tried here])])
  CFLAGS=$ew_saved_CFLAGS
])

# EW_X86_LEVELS: whether AVX2 and AVX-512 kernels can be compiled.
AC_DEFUN([EW_X86_LEVELS], [
  EW_AVX2_CFLAGS="-mavx2 -mfma"
  EW_AVX512_CFLAGS="-mavx2 -mfma -mavx512f -mavx512dq -mavx512vl"
  AC_MSG_CHECKING([whether $CC makes AVX2 and AVX-512 code])
  ew_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $EW_AVX512_CFLAGS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <immintrin.h>]],
    [[__m512d a = _mm512_set1_pd(1.0); __builtin_cpu_init(); return __builtin_cpu_supports("avx512f") + (int)_mm512_cmp_pd_mask(a, a, _CMP_GT_OQ);]])],
    [ew_x86=yes; ew_levels="AVX-512, AVX2, base, scalar"], [ew_x86=no; ew_levels="base, scalar"])
  CFLAGS=$ew_saved_CFLAGS
  AC_MSG_RESULT([$ew_x86])
  AS_IF([test "x$ew_x86" = xyes], [AC_DEFINE([EWI_HAVE_X86_LEVELS], [1], [AVX2 and AVX-512 kernels are built])])
  AM_CONDITIONAL([EW_X86], [test "x$ew_x86" = xyes])
  AC_SUBST([EW_AVX2_CFLAGS])
  AC_SUBST([EW_AVX512_CFLAGS])
])

# EW_REQUIRE_PACKAGE(PREFIX, PKG-CONFIG MODULE, NAME, APT, DNF, ZYPPER, PACMAN)
AC_DEFUN([EW_REQUIRE_PACKAGE], [
  PKG_CHECK_MODULES([$1], [$2], [], [
    AC_MSG_ERROR([$3 ($2) is missing. Install it and configure again:
    Debian, Ubuntu     apt install $4
    Fedora, RHEL       dnf install $5
    openSUSE           zypper install $6
    Arch               pacman -S $7
or, if it is installed in a place of its own, set PKG_CONFIG_PATH, or $1_CFLAGS and $1_LIBS.])])
])

# EW_OPTIONAL_PACKAGE(PREFIX, OPTION, PKG-CONFIG MODULE, NAME, APT, DNF, ZYPPER, PACMAN): --with-OPTION asks for it, --without-OPTION
# leaves it out. Sets EWI_HAVE_PREFIX and, for the summary, ew_PREFIX.
AC_DEFUN([EW_OPTIONAL_PACKAGE], [
  AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [build without $4])], [], [with_$2=check])
  ew_$1="no: left out by --without-$2"
  AS_IF([test "x$with_$2" != xno], [
    PKG_CHECK_MODULES([$1], [$3], [
      ew_$1="$4 $($PKG_CONFIG --modversion $2 2>/dev/null)"
      AC_DEFINE_UNQUOTED([EWI_HAVE_$1], ["$ew_$1"], [$4 is used: its name and version])
    ], [
      ew_$1="no: $4 is missing (apt $5, dnf $6, zypper $7, pacman $8)"
      AS_IF([test "x$with_$2" != xcheck], [AC_MSG_ERROR([--with-$2 was given, but $4 ($3) is missing. Install it and configure again:
    Debian, Ubuntu     apt install $5
    Fedora, RHEL       dnf install $6
    openSUSE           zypper install $7
    Arch               pacman -S $8])])
    ])
  ])
  AC_SUBST([$1_CFLAGS])
  AC_SUBST([$1_LIBS])
])
