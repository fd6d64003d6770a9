dnl SV_DLPACK
dnl The DLPack header, 1.3 or a later 1.x: the directory given, else the one of $PYTHON's package apache-tvm-ffi,
dnl else the system's. Sets DLPACK_DIR, DLPACK_CPPFLAGS, and DLPACK_FLAGS: what tells another configure the same.
AC_DEFUN([SV_DLPACK], [
AC_ARG_WITH([dlpack], [AS_HELP_STRING([--with-dlpack=DIR], [directory that holds dlpack/dlpack.h, 1.3 or later
  @<:@that of the Python package apache-tvm-ffi, else the system's@:>@])], [], [with_dlpack=auto])
AC_MSG_CHECKING([for the DLPack header])
sv_dlpack_help="libsv needs dlpack/dlpack.h, 1.3 or a later 1.x. It comes with the package apache-tvm-ffi from PyPI
(pip install apache-tvm-ffi); say --with-dlpack=DIR when it lies where \$PYTHON does not see it."
AS_CASE([$with_dlpack],
  [yes|no], [AC_MSG_RESULT([$with_dlpack])
             AC_MSG_ERROR([--with-dlpack needs a directory. $sv_dlpack_help])],
  [auto], [DLPACK_DIR=
           AS_IF([test -n "$PYTHON"], [DLPACK_DIR=`"$PYTHON" -c '
from importlib.metadata import files
for file in files("apache-tvm-ffi"):
    if file.as_posix() == "tvm_ffi/include/dlpack/dlpack.h":
        print(file.locate().resolve().parent.parent)' 2>/dev/null`])],
  [DLPACK_DIR=`cd "$with_dlpack" 2>/dev/null && pwd || echo "$with_dlpack"`])

DLPACK_CPPFLAGS=${DLPACK_DIR:+-isystem $DLPACK_DIR}
sv_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $DLPACK_CPPFLAGS"
AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <dlpack/dlpack.h>]])], [], [
  AC_MSG_RESULT([no])
  AC_MSG_ERROR([no dlpack/dlpack.h in ${DLPACK_DIR:-the compiler's directories}. $sv_dlpack_help])
])
AC_COMPUTE_INT([sv_dlpack_major], [DLPACK_MAJOR_VERSION], [[#include <dlpack/dlpack.h>]], [sv_dlpack_major=0])
AC_COMPUTE_INT([sv_dlpack_minor], [DLPACK_MINOR_VERSION], [[#include <dlpack/dlpack.h>]], [sv_dlpack_minor=0])
CPPFLAGS=$sv_save_CPPFLAGS
sv_dlpack="$sv_dlpack_major.$sv_dlpack_minor, ${DLPACK_DIR:-the system's}"
AC_MSG_RESULT([$sv_dlpack])
AS_IF([test $sv_dlpack_major -ne 1 || test $sv_dlpack_minor -lt 3],
  [AC_MSG_ERROR([DLPack $sv_dlpack does not serve. $sv_dlpack_help])])
DLPACK_FLAGS=${DLPACK_DIR:+--with-dlpack=$DLPACK_DIR}
AC_SUBST([DLPACK_CPPFLAGS])
AC_SUBST([DLPACK_DIR])
AC_SUBST([DLPACK_DIR])
AC_SUBST([DLPACK_FLAGS])
])
