# SPDX-License-Identifier: BSD-2-Clause
# EW_COMPILER_FLAGS(VARIABLE, FLAGS, [PROLOGUE]): those of FLAGS that the compiler takes for a program that begins so.
AC_DEFUN([EW_COMPILER_FLAGS], [
  $1=
  for ew_flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $ew_flag])
    ew_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $ew_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([$3], [])], [AC_MSG_RESULT([yes]); $1="$$1 $ew_flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$ew_saved_CFLAGS
  done
  AC_SUBST([$1])
])

# EW_LINKER_FLAGS(VARIABLE, FLAGS): those of FLAGS that the linker takes.
AC_DEFUN([EW_LINKER_FLAGS], [
  $1=
  for ew_flag in $2; do
    AC_MSG_CHECKING([whether the linker takes $ew_flag])
    ew_saved_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS $ew_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes]); $1="$$1 $ew_flag"], [AC_MSG_RESULT([no])])
    LDFLAGS=$ew_saved_LDFLAGS
  done
  AC_SUBST([$1])
])

# EW_FORTIFY: functions of the C library that check the size of what they write to. They need optimization, a sanitizer
# has its own, and packagers set their own level.
AC_DEFUN([EW_FORTIFY], [
  EW_FORTIFY_CFLAGS=
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <string.h>
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined _FORTIFY_SOURCE || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined HAS_SANITIZER
#error
#endif]], [])], [EW_COMPILER_FLAGS([EW_FORTIFY_CFLAGS], [-D_FORTIFY_SOURCE=2], [@%:@include <string.h>])])
  AC_SUBST([EW_FORTIFY_CFLAGS])
])

# EW_CHECK_ARITHMETIC: the compiler must do the floating-point operations that the sources state.
# src/base/ewi_arithmetic.h refuses what shows in a macro, the list of words also what does not, here and in whatever is
# given to make; a program sees what neither knows.
AC_DEFUN([EW_CHECK_ARITHMETIC], [
  EW_REFUSED_FLAGS="-ffast-math -Ofast -funsafe-math-optimizations -fassociative-math -freciprocal-math\
 -ffinite-math-only -fno-honor-nans -fno-honor-infinities -fno-signed-zeros -fapprox-func\
 -fsingle-precision-constant -mdaz-ftz\
 -ffp-contract=on -ffp-contract=fast -ffp-contract=fast-honor-pragmas -ffp-model=fast\
 -ffp-model=aggressive -ffp-model=precise"
  AC_SUBST([EW_REFUSED_FLAGS])
  AC_MSG_CHECKING([whether double arithmetic is plain IEEE])
  for ew_flag in $CC $CPPFLAGS $CFLAGS $LDFLAGS; do
    AS_CASE([$ew_flag],
      [-ffp-*], [ew_effect="fuses a*b + c into one operation, which rounds once"],
      [-ffinite*|-fno-honor*], [ew_effect="takes NaN and infinity for impossible"],
      [-freciprocal*], [ew_effect="replaces divisions by products"],
      [-fno-signed*], [ew_effect="exchanges 0 and -0"],
      [-fsingle*], [ew_effect="rounds constants to float"],
      [-mdaz*], [ew_effect="takes tiny numbers for 0"],
      [ew_effect="reorders and approximates arithmetic"])
    AS_CASE([" $EW_REFUSED_FLAGS "], [*" $ew_flag "*],
      [EW_REFUSE_ARITHMETIC([$ew_flag $ew_effect: leave it out of CC, CPPFLAGS, CFLAGS and LDFLAGS])])
  done
  ew_saved_CFLAGS=$CFLAGS ew_saved_CPPFLAGS=$CPPFLAGS
  CFLAGS="$EW_FP_CFLAGS $CFLAGS" CPPFLAGS="-I$srcdir/src/base $CPPFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[@%:@include "ewi_arithmetic.h"]], [])], [],
    [ew_effect=`sed -n 's/^.*error: *//p' conftest.err | sed 's/^.error *//' | tr -d '"' | head -n 1`
    EW_REFUSE_ARITHMETIC([$ew_effect])])
  AC_RUN_IFELSE([AC_LANG_SOURCE([EW_ARITHMETIC_PROGRAM])], [],
    [EW_REFUSE_ARITHMETIC([a program made by $CC $CFLAGS $LDFLAGS
has other bits (sum of 1: a*b + c is one operation; 2: sums are reordered; 4: divisions are products;
8: zeros have no sign; 16: there is no NaN; 32: there are no tiny numbers): $ac_status])], [:])
  CFLAGS=$ew_saved_CFLAGS CPPFLAGS=$ew_saved_CPPFLAGS
  AC_MSG_RESULT([yes])
])

m4_define([EW_REFUSE_ARITHMETIC], [AC_MSG_RESULT([no])
    AC_MSG_ERROR([edgewise gives the same bits everywhere, for which double arithmetic must be plain IEEE:
$1])])

# Operands that the compiler does not know; its exit status says what is not IEEE.
m4_define([EW_ARITHMETIC_PROGRAM], [[
static volatile double one = 1, tiny = 0x1p-30, large = 0x1p60, three = 3, minus_zero = -0.0, zero = 0;
static volatile double least = 0x1p-1060;

int main(void)
{
    double a = one + tiny, b = a, c = -(1 + 0x1p-29), d = large, e = one, f = three, g = minus_zero;
    double h = zero, i = least;
    double nan = h / h;
    int fused = a * b + c != 0, reordered = (d + e) - d != 0, products = f / 5.0 != 0.6;
    int unsigned_zero = 1 / (g + h) < 0, no_nan = nan == nan, flushed = i * 0.5 == 0;
    return fused + 2 * reordered + 4 * products + 8 * unsigned_zero + 16 * no_nan + 32 * flushed;
}
]])

# EW_OPENMP_RUNS: a compiler for another C library (musl-gcc) may link an OpenMP library that does not start.
AC_DEFUN([EW_OPENMP_RUNS], [
  AC_MSG_CHECKING([whether programs with OpenMP start])
  ew_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $OPENMP_CFLAGS"
  AC_RUN_IFELSE([AC_LANG_PROGRAM([[@%:@include <omp.h>]], [[return omp_get_max_threads() < 1;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no]); ew_openmp="no: one core only (programs with $OPENMP_CFLAGS do not start)"; OPENMP_CFLAGS=],
    [AC_MSG_RESULT([taken for granted: it cannot be tried here])])
  CFLAGS=$ew_saved_CFLAGS
])

# EW_X86_LEVELS: whether AVX2 and AVX-512 kernels can be compiled, and are wanted.
AC_DEFUN([EW_X86_LEVELS], [
  AC_ARG_ENABLE([levels], [AS_HELP_STRING([--enable-levels=WORD],
    [which of the AVX2 and AVX-512 kernels to build: all (default), native: those that this machine would choose, or
     base: none; fewer take less time to build, have the same bits, and are slower on CPUs that have the others])], [], [enable_levels=all])
  AC_ARG_ENABLE([avx512], [AS_HELP_STRING([--disable-avx512],
    [leave out the AVX-512 kernels: less time to build, the same bits, slower on CPUs that have it])], [],
    [enable_avx512=yes])
  EW_AVX2_CFLAGS="-mavx2 -mfma"
  EW_AVX512_CFLAGS="-mavx2 -mfma -mavx512f -mavx512dq -mavx512vl"
  AC_MSG_CHECKING([whether $CC makes AVX2 and AVX-512 code])
  ew_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $EW_AVX512_CFLAGS"
  ew_x86=no
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <immintrin.h>]],
    [[__m512d a = _mm512_set1_pd(1.0); __builtin_cpu_init(); return __builtin_cpu_supports("avx512f") + (int)_mm512_cmp_pd_mask(a, a, _CMP_GT_OQ);]])],
    [ew_x86=yes])
  CFLAGS=$ew_saved_CFLAGS
  AC_MSG_RESULT([$ew_x86])
  ew_avx2=$ew_x86 ew_avx512=$ew_x86 ew_level=unknown EW_HOST_FMA_CFLAGS=
  AS_IF([test "x$ew_x86" = xyes], [EW_NATIVE_LEVEL])
  AS_IF([test "x$enable_avx512" = xno], [ew_avx512=no])
  AS_CASE([$enable_levels:$ew_level],
    [all:*|yes:*], [],
    [base:*], [ew_avx2=no ew_avx512=no],
    [native:AVX-512], [AS_IF([test "x$ew_avx512" = xyes], [ew_avx2=no])],
    [native:AVX2], [ew_avx512=no],
    [native:none], [ew_avx2=no ew_avx512=no],
    [native:unknown], [AS_IF([test "x$ew_x86" = xyes],
      [AC_MSG_ERROR([--enable-levels=native: programs do not run here])])],
    [AC_MSG_ERROR([--enable-levels=$enable_levels: the choices are all, native and base])])
  # What tests run on this machine only is compiled for it.
  AS_CASE([$ew_level], [AVX*], [EW_HOST_FMA_CFLAGS=-mfma])
  AC_SUBST([EW_HOST_FMA_CFLAGS])
  ew_levels="base, scalar"
  AS_IF([test "x$ew_avx2" = xyes],
    [AC_DEFINE([EWI_HAVE_AVX2], [1], [AVX2 kernels are built]) ew_levels="AVX2, $ew_levels"])
  AS_IF([test "x$ew_avx512" = xyes],
    [AC_DEFINE([EWI_HAVE_AVX512], [1], [AVX-512 kernels are built]) ew_levels="AVX-512, $ew_levels"])
  AM_CONDITIONAL([EW_X86], [test "x$ew_x86" = xyes])
  AM_CONDITIONAL([EW_AVX2], [test "x$ew_avx2" = xyes])
  AM_CONDITIONAL([EW_AVX512], [test "x$ew_avx512" = xyes])
  AC_SUBST([EW_AVX2_CFLAGS])
  AC_SUBST([EW_AVX512_CFLAGS])
])

# EW_NATIVE_LEVEL: what omp/levels.c would choose here.
AC_DEFUN([EW_NATIVE_LEVEL], [
  AC_MSG_CHECKING([which of AVX-512 and AVX2 this machine has])
  AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]], [[
    FILE *file = fopen("conftest.out", "w");
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512vl");
    return !file || fputs(avx512 ? "AVX-512" : avx2 ? "AVX2" : "none", file) < 0 || fclose(file) != 0;]])],
    [ew_level=`cat conftest.out; rm -f conftest.out`], [], [:])
  AC_MSG_RESULT([$ew_level])
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

# EW_OPTIONAL_PACKAGE(PREFIX, OPTION, PKG-CONFIG MODULE, NAME, APT, DNF, ZYPPER, PACMAN): --with-OPTION asks for it,
# --without-OPTION leaves it out. Sets EWI_HAVE_PREFIX and, for the summary, ew_PREFIX; adds to EW_CASE_REQUIRES.
AC_DEFUN([EW_OPTIONAL_PACKAGE], [
  AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [build without $4])], [], [with_$2=check])
  ew_$1="no: left out by --without-$2"
  AS_IF([test "x$with_$2" != xno], [
    PKG_CHECK_MODULES([$1], [$3], [
      ew_$1="$4 $($PKG_CONFIG --modversion $2 2>/dev/null)"
      EW_CASE_REQUIRES="$EW_CASE_REQUIRES $3"
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

# EW_SITE: what make html needs: MANDOC, and a Python, perhaps not the first one, that has Python-Markdown.
AC_DEFUN([EW_SITE], [
  AC_ARG_VAR([SITE_PYTHON], [a Python with Python-Markdown, for make html])
  AC_CACHE_CHECK([for a Python with Markdown], [ac_cv_path_SITE_PYTHON],
    [AC_PATH_PROGS_FEATURE_CHECK([SITE_PYTHON], [python3],
      [AS_IF(["$ac_path_SITE_PYTHON" -c 'import markdown, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null],
        [ac_cv_path_SITE_PYTHON=$ac_path_SITE_PYTHON ac_path_SITE_PYTHON_found=:])],
      [ac_cv_path_SITE_PYTHON=])])
  SITE_PYTHON=$ac_cv_path_SITE_PYTHON
  ew_site=yes
  AS_IF([test -z "$MANDOC"], [ew_site="no: mandoc is missing (apt, dnf, zypper, pacman: mandoc)"])
  AS_IF([test -z "$SITE_PYTHON"],
    [ew_site="no: Python-Markdown is missing (apt, dnf: python3-markdown, zypper: python3-Markdown, pacman: python-markdown)"])
  AC_SUBST([ew_site])
])
