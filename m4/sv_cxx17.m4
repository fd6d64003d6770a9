dnl SV_CXX17
dnl Whether there is a C++17 compiler whose objects link with those of the C compiler, for the test of sv.hpp: the library
dnl needs none.
AC_DEFUN([SV_CXX17], [
AC_CACHE_CHECK([whether $CXX compiles C++17 and links with $CC], [sv_cv_cxx17], [
  sv_cv_cxx17=no
  echo 'int sv_test(void) { return 0; }' >conftest2.c
  echo 'extern "C" int sv_test(); inline constexpr int zero = 0; int main() { return sv_test() + zero; }' >conftest3.cpp
  AS_IF([$CC $CFLAGS $SV_CFLAGS -c conftest2.c -o conftest2.o >&AS_MESSAGE_LOG_FD 2>&1 &&
         $CXX -std=c++17 $CXXFLAGS $SV_CFLAGS conftest3.cpp conftest2.o -o conftest3 >&AS_MESSAGE_LOG_FD 2>&1],
    [sv_cv_cxx17=yes])
  rm -f conftest2.* conftest3 conftest3.*
])
AM_CONDITIONAL([HAVE_CXX17], [test $sv_cv_cxx17 = yes])
])
