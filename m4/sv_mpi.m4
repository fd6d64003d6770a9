dnl SV_MPI
dnl An MPI that libsv_mpi can be built with, by what its compiler's wrapper would add. Sets MPICC, MPI_CPPFLAGS, MPI_LIBS;
dnl and sv_mpi to words for the summary.
AC_DEFUN([SV_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=auto|yes|no|MPICC],
  [libsv_mpi: yes fails without MPI, MPICC is the wrapper of the compiler that knows it @<:@auto@:>@])], [],
  [with_mpi=auto])
AC_ARG_VAR([MPICC], [compiler's wrapper of an MPI])
AS_CASE([$with_mpi], [auto|yes|no], [], [MPICC=$with_mpi])
AC_MSG_CHECKING([for MPI])
sv_mpi_missing=
AS_IF([test "$with_mpi" = no], [sv_mpi_missing="--without-mpi was given"],
  [test "$with_mpi" = auto && { test "$cross_compiling" = yes || test -n "$EMULATOR"; }],
    [sv_mpi_missing="programs run under an emulator, or elsewhere"],
  [_SV_MPI_SEARCH])
AS_IF([test -z "$sv_mpi_missing"], [sv_mpi=$MPICC], [
  MPI_CPPFLAGS=
  MPI_LIBS=
  sv_mpi="no ($sv_mpi_missing)"])
AC_MSG_RESULT([$sv_mpi])
AS_IF([test -n "$sv_mpi_missing"],
  [AS_CASE([$with_mpi], [auto|no], [], [AC_MSG_ERROR([--with-mpi=$with_mpi: $sv_mpi_missing])])])
AM_CONDITIONAL([HAVE_MPI], [test -z "$sv_mpi_missing"])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
])

dnl Open MPI's wrapper tells by -showme what it adds, those of MPICH and its kin by -show, with the compiler's name.
AC_DEFUN([_SV_MPI_SEARCH], [
MPICC=${MPICC:-mpicc}
sv_mpi_shown=`{ "$MPICC" -showme:compile && "$MPICC" -showme:link; } 2>/dev/null || "$MPICC" -show 2>/dev/null`
MPI_CPPFLAGS=
MPI_LIBS=
for sv_word in $sv_mpi_shown; do
  AS_CASE([$sv_word],
    [-I*], [MPI_CPPFLAGS="$MPI_CPPFLAGS -isystem ${sv_word@%:@-I}"],
    [-D*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $sv_word"],
    [-L* | -l* | -Wl,-rpath*], [MPI_LIBS="$MPI_LIBS $sv_word"])
done
sv_save_CPPFLAGS=$CPPFLAGS
sv_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"
LIBS="$MPI_LIBS $LIBS"
AS_IF([test -z "$sv_mpi_shown"], [sv_mpi_missing="no $MPICC"],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error "MPI 3.0 or later is needed"
#endif
  ]], [[return MPI_Init(0, 0);]])], [], [sv_mpi_missing="$CC does not link MPI 3.0 with what $MPICC adds"])])
CPPFLAGS=$sv_save_CPPFLAGS
LIBS=$sv_save_LIBS
])
