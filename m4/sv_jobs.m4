dnl SV_JOBS
dnl Lets GNU make use all processors unless it is told how many jobs to run, by its user or by the make that called it.
dnl Sets SV_PARALLEL to the line of the Makefile that does so, or to nothing for other makes.
AC_DEFUN([SV_JOBS], [
AC_MSG_CHECKING([how many jobs make runs])
sv_jobs=`(nproc || getconf _NPROCESSORS_ONLN) 2>/dev/null`
AS_IF([test "${sv_jobs:-1}" -gt 1 && ${MAKE-make} --version 2>/dev/null | grep GNU >/dev/null],
  [SV_PARALLEL="MAKEFLAGS := \$(MAKEFLAGS) \$(if \$(filter 0,\$(MAKELEVEL)),\$(if \$(filter -j%,\$(MAKEFLAGS)),,-j$sv_jobs))"],
  [sv_jobs=1
   SV_PARALLEL=])
AC_MSG_RESULT([$sv_jobs])
AC_SUBST([SV_PARALLEL])
AM_SUBST_NOTMAKE([SV_PARALLEL])
])
