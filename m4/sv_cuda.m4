dnl SV_CUDA
dnl A CUDA toolkit that libsv can be built with: nvcc, cuda_runtime_api.h, and a static runtime that loads kernels from
dnl memory. Sets NVCC, NVCC_GENCODE, NVCC_FLAGS, CUDA_CPPFLAGS, CUDA_LIBS, CUDA_DIR; and sv_cuda to words for the
dnl summary.
AC_DEFUN([SV_CUDA], [
AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=auto|yes|no|DIR],
  [CUDA backend: yes fails without a toolkit, DIR is the toolkit's directory @<:@auto@:>@])], [], [with_cuda=auto])
AC_ARG_VAR([CUDA_HOME], [directory of the CUDA toolkit [that of nvcc]])
AC_ARG_VAR([NVCC], [CUDA compiler])
AC_ARG_VAR([NVCC_GENCODE], [nvcc's -gencode options [those of --with-kernels]])
AC_ARG_WITH([kernels], [AS_HELP_STRING([--with-kernels=all|here],
  [all: machine code for each generation of devices from sm_75 on, and PTX for those to come; here: machine code for
   the device of this machine, or for sm_90 where none is found, and PTX of the oldest generation, which the driver
   compiles for any other: two minutes of building less @<:@all@:>@])], [], [with_kernels=all])
AS_CASE([$with_kernels], [all|here], [], [AC_MSG_ERROR([--with-kernels takes all or here, not $with_kernels])])

AC_MSG_CHECKING([for a CUDA toolkit])
sv_cuda_missing=
AS_IF([test "$with_cuda" = no], [sv_cuda_missing="--without-cuda was given"], [_SV_CUDA_SEARCH])
AS_IF([test -z "$sv_cuda_missing"],
  [sv_cuda="toolkit $sv_nvcc_version, $CUDA_DIR"
   AC_MSG_RESULT([$sv_cuda])
   AC_DEFINE([SVI_CUDA], [1], [The CUDA backend is compiled in])],
  [CUDA_DIR=no
   CUDA_CPPFLAGS=
   CUDA_LIBS=
   sv_cuda="no ($sv_cuda_missing)"
   AC_MSG_RESULT([$sv_cuda])
   AS_CASE([$with_cuda], [auto|no], [], [AC_MSG_ERROR([--with-cuda=$with_cuda: $sv_cuda_missing])])])
AM_CONDITIONAL([HAVE_CUDA], [test -z "$sv_cuda_missing"])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_DIR])
AC_SUBST([CUDA_LIBS])
AC_SUBST([NVCC_FLAGS])
AC_SUBST([SV_CUDA_MISSING], [$sv_cuda_missing])
])

dnl Sets sv_cuda_missing to what is missing, in words.
AC_DEFUN([_SV_CUDA_SEARCH], [
AS_CASE([$with_cuda], [auto|yes], [CUDA_DIR=$CUDA_HOME], [CUDA_DIR=$with_cuda])
AS_IF([test -z "$NVCC" && test -n "$CUDA_DIR"], [NVCC=$CUDA_DIR/bin/nvcc])
for sv_nvcc in "$NVCC" nvcc /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc; do
  AS_IF([test -z "$NVCC" && command -v "$sv_nvcc" >/dev/null], [NVCC=$sv_nvcc])
done
sv_nvcc_version=`"${NVCC:-nvcc}" --version 2>/dev/null | $SED -n 's/.*release \([[0-9]]*\.[[0-9]]*\).*/\1/p'`
AS_IF([test -z "$CUDA_DIR"],
  [CUDA_DIR=`"${NVCC:-nvcc}" --dryrun -E -x cu /dev/null 2>&1 | $SED -n 's/^#\\$ TOP=//p'`])
CUDA_DIR=`cd "$CUDA_DIR" 2>/dev/null && pwd -P || echo "$CUDA_DIR"`
sv_cuda_libdir=
for sv_dir in "$CUDA_DIR"/lib64 "$CUDA_DIR"/lib "$CUDA_DIR"/targets/*/lib "$CUDA_DIR"/lib/*-linux-gnu; do
  AS_IF([test -z "$sv_cuda_libdir" && test -f "$sv_dir/libcudart_static.a"], [sv_cuda_libdir=$sv_dir])
done
CUDA_CPPFLAGS="-isystem $CUDA_DIR/include"
CUDA_LIBS="-L$sv_cuda_libdir -lcudart_static -lrt -lpthread -ldl"

AS_IF([test -z "$sv_nvcc_version"], [sv_cuda_missing="no nvcc${NVCC:+ at $NVCC}"],
  [test ! -f "$CUDA_DIR/include/cuda_runtime_api.h"], [sv_cuda_missing="no include/cuda_runtime_api.h in $CUDA_DIR"],
  [test -z "$sv_cuda_libdir"], [sv_cuda_missing="no libcudart_static.a in $CUDA_DIR"],
  [_SV_CUDA_TRY])
])

dnl Links the calls that came last to the runtime, and runs nvcc once.
AC_DEFUN([_SV_CUDA_TRY], [
sv_save_CPPFLAGS=$CPPFLAGS
sv_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
LIBS="$CUDA_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cuda_runtime_api.h>]],
  [[cudaLibrary_t library; return cudaLibraryLoadData(&library, "", 0, 0, 0, 0, 0, 0) + cudaLaunchKernelExC(0, 0, 0);]])],
  [], [sv_cuda_missing="the runtime of $CUDA_DIR does not link, or has no cudaLibraryLoadData"])
CPPFLAGS=$sv_save_CPPFLAGS
LIBS=$sv_save_LIBS

NVCC_FLAGS=-std=c++17
AS_IF([test "${sv_nvcc_version%%.*}" -ge 13], [NVCC_FLAGS="$NVCC_FLAGS --compress-mode=size"])
sv_try=$NVCC_GENCODE
AS_IF([test -z "$NVCC_GENCODE"], [
  sv_archs=" "`"$NVCC" --list-gpu-arch`" "
  sv_wanted='75 80 86 89 90 100 120'
  sv_ptx=
  AS_IF([test $with_kernels = here], [
    sv_wanted=`nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | $SED -n 's/^\([[0-9]]*\)\.\([[0-9]]\)$/\1\2/p' | sort -u`
    for sv_arch in 80 75; do
      AS_CASE([$sv_archs], [*compute_$sv_arch[[!0-9]]*],
        [sv_ptx="-gencode=arch=compute_$sv_arch,code=compute_$sv_arch"])
    done])
  for sv_arch in ${sv_wanted:-90}; do
    AS_CASE([$sv_archs], [*compute_$sv_arch[[!0-9]]*], [
      NVCC_GENCODE="$NVCC_GENCODE -gencode=arch=compute_$sv_arch,code=sm_$sv_arch"
      sv_try="-gencode=arch=compute_$sv_arch,code=compute_$sv_arch"])
  done
  sv_try=${sv_ptx:-$sv_try}
  NVCC_GENCODE="$NVCC_GENCODE $sv_try"
])
AS_IF([test -z "$sv_cuda_missing"], [
  echo 'extern "C" __global__ void conftest(int *i) { *i = 1; }' >conftest.cu
  AS_IF(["$NVCC" -fatbin $NVCC_FLAGS $sv_try -o conftest.fatbin conftest.cu >conftest.err 2>&1], [],
    [cat conftest.err >&AS_MESSAGE_LOG_FD
     sv_cuda_missing="$NVCC does not compile $sv_try, see config.log"])
  rm -f conftest.cu conftest.fatbin conftest.err
])
])
