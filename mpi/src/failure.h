/* The text of the last failure, failures that are told later, and what many functions refuse. */
#ifndef SVM_FAILURE_H
#define SVM_FAILURE_H

#include <sv_mpi.h>

enum { SVM_TEXT_BYTES = 512 };

/* A failure that is told when the work that it belongs to has ended. SV_OK: none. */
struct svm_failure {
    sv_status status;
    char text[SVM_TEXT_BYTES];
};

/* Keeps the text and returns the status. */
__attribute__((format(printf, 2, 3))) sv_status svm_fail(sv_status status, const char *format, ...);

/* What libsv answered; its text, where it refused. */
sv_status svm_of_libsv(sv_status status);

/* What MPI answered; its text, where it refused. */
sv_status svm_of_mpi(int error, const char *function);

/* Keep the failure that has just happened, if it is the first one. */
void svm_failure_keep(struct svm_failure *failure, sv_status status);

/* The status again, with its text. */
sv_status svm_failure_tell(const struct svm_failure *failure);

sv_status svm_need(const void *pointer, const char *name);

/* Refuses a view that cannot receive: it is read-only, or its elements share bytes. */
sv_status svm_check_dst(const char *name, const sv_view *dst);

#endif
