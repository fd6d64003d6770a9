dnl SV_PYTHON
dnl Python 3.11 or later in PYTHON, or an empty PYTHON: the .venv that bootstrap makes in the source tree, else
dnl python3. sv_python_missing lists the modules that the package and its tests need and that are not there.
AC_DEFUN([SV_PYTHON], [
AC_ARG_VAR([PYTHON], [Python 3.11 or later [.venv/bin/python, else python3]])
AC_MSG_CHECKING([for Python 3.11 or later])
sv_python_given=$PYTHON
AS_IF([test -z "$PYTHON"], [
  PYTHON=python3
  AS_IF([test -x "$srcdir/.venv/bin/python"], [PYTHON=`cd "$srcdir" && pwd`/.venv/bin/python])
])
sv_python_version=`"$PYTHON" -c 'import sys; print("%d.%d.%d" % sys.version_info[[:3]]); sys.exit(sys.version_info < (3, 11))' 2>/dev/null`
AS_IF([test $? -eq 0], [
  PYTHON=`"$PYTHON" -c 'import sys; print(sys.executable)'`
  sv_python="$sv_python_version, $PYTHON"
  sv_python_missing=`"$PYTHON" -c '
from importlib.metadata import PackageNotFoundError, version
def lacks(name, least):
    try:
        return int(version(name).split(".")[[0]]) < least
    except PackageNotFoundError:
        return True
needs = {"cffi": 1, "hypothesis": 6, "numpy": 1, "pycparser": 2, "pytest": 7, "setuptools": 77}
print(*(f"{name}>={least}" for name, least in needs.items() if lacks(name, least)))'`
], [
  AS_IF([test -n "$sv_python_given"], [
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([PYTHON=$sv_python_given is not Python 3.11 or later ${sv_python_version:+but $sv_python_version}])
  ])
  PYTHON=
  sv_python=no
  sv_python_missing=everything
])
AC_MSG_RESULT([$sv_python])
AC_SUBST([sv_python_missing])
])
