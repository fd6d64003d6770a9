dnl SV_EMULATION
dnl Whether tests can run the CUDA kernels on this machine: a GNU C++ compiler, whose ThreadSanitizer calls hooks of our own, and
dnl whose objects link with those of the C compiler. Sets sv_emulation_missing to words where they cannot, else to nothing.
AC_DEFUN([SV_EMULATION], [
sv_emulation_missing=
SV_EMULATED_CXXFLAGS='-std=c++17 -O1 -g -fno-tree-sra -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -fno-extern-tls-init'
AC_SUBST([SV_EMULATED_CXXFLAGS])
AC_MSG_CHECKING([whether tests can emulate CUDA kernels])
AS_IF([test $sv_native = no], [sv_emulation_missing="programs are not run as they are"],
  [test "$enable_sanitizers" != no], [sv_emulation_missing="a sanitizer has the hooks"],
  [
    echo 'int sv_test(int *i) { return *i; }' >conftest2.c
    echo 'int sv_test_hooked(int *i) { return *i; }' >conftest3.cc
    echo 'extern "C" int sv_test(int *); int main() { int i = 0; return sv_test(&i); }' >conftest4.cc
    AS_IF([$CXX $SV_EMULATED_CXXFLAGS -Werror -c conftest3.cc -o conftest3.o >&AS_MESSAGE_LOG_FD 2>&1 &&
           $CC $CFLAGS -c conftest2.c -o conftest2.o >&AS_MESSAGE_LOG_FD 2>&1 &&
           $CXX $CXXFLAGS conftest4.cc conftest2.o -o conftest4 >&AS_MESSAGE_LOG_FD 2>&1], [],
      [sv_emulation_missing="$CXX is no GNU C++ compiler that works with $CC"])
    rm -f conftest2.* conftest3.* conftest4 conftest4.*
  ])
AC_MSG_RESULT([${sv_emulation_missing:-yes}])
AM_CONDITIONAL([HAVE_EMULATION], [test -z "$sv_emulation_missing"])
AC_SUBST([SV_EMULATION_MISSING], [$sv_emulation_missing])
])
