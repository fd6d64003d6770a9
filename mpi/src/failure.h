/* The text of the last failure. */
#ifndef SVM_FAILURE_H
#define SVM_FAILURE_H

#include <sv_mpi.h>

/* Keeps the text and returns the status. */
__attribute__((format(printf, 2, 3))) sv_status svm_fail(sv_status status, const char *format, ...);

/* What libsv answered; its text, where it refused. */
sv_status svm_of_libsv(sv_status status);

/* What MPI answered; its text, where it refused. */
sv_status svm_of_mpi(int error, const char *function);

sv_status svm_need(const void *pointer, const char *name);

#endif
