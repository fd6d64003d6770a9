# SV_THREAD_SANITIZER
# A program with threads runs under ThreadSanitizer, if need be with its addresses left in place: some kernels put them
# where it cannot have them. Sets EMULATOR; without ThreadSanitizer exits with 77.
AC_DEFUN([SV_THREAD_SANITIZER], [
AC_CACHE_CHECK([how programs run under ThreadSanitizer], [sv_cv_tsan_run], [
  sv_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -fsanitize=thread"
  sv_cv_tsan_run=missing
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <pthread.h>
    static void *nothing(void *arg) { return arg; }]], [[pthread_t thread;
    return pthread_create(&thread, 0, nothing, 0) || pthread_join(thread, 0);]])], [
    for way in env 'setarch -R'; do
      AS_IF([$way ./conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1], [sv_cv_tsan_run=$way; break])
    done])
  CFLAGS=$sv_save_CFLAGS
])
AS_IF([test "$sv_cv_tsan_run" = missing], [AC_MSG_ERROR([no program runs under ThreadSanitizer here], [77])])
EMULATOR=$sv_cv_tsan_run
])
