/* The text of the last failure, one for each thread. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[SVM_TEXT_BYTES];

const char *sv_mpi_last_message(void)
{
    return message;
}

sv_status svm_fail(sv_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, SVM_TEXT_BYTES, format, args);
    va_end(args);
    return status;
}

sv_status svm_of_libsv(sv_status status)
{
    return status == SV_OK ? SV_OK : svm_fail(status, "%s", sv_last_message());
}

sv_status svm_of_mpi(int error, const char *function)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;

    if (error == MPI_SUCCESS)
        return SV_OK;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        length = snprintf(text, sizeof text, "error %d", error);
    return svm_fail(SV_ERROR_MPI, "%s: %.*s", function, length < 400 ? length : 400, text);
}

sv_status svm_need(const void *pointer, const char *name)
{
    return pointer != NULL ? SV_OK : svm_fail(SV_ERROR_NULL, "%s is NULL", name);
}

void svm_failure_keep(struct svm_failure *failure, sv_status status)
{
    if (failure->status != SV_OK || status == SV_OK)
        return;
    failure->status = status;
    memcpy(failure->text, message, SVM_TEXT_BYTES);
}

sv_status svm_failure_tell(const struct svm_failure *failure)
{
    return failure->status == SV_OK ? SV_OK : svm_fail(failure->status, "%s", failure->text);
}

sv_status svm_check_dst(const char *name, const sv_view *dst)
{
    sv_answer unique;
    sv_status status;

    if (sv_view_is_readonly(dst))
        return svm_fail(SV_ERROR_READ_ONLY, "%s is read-only", name);
    if ((status = svm_of_libsv(sv_layout_is_unique(sv_view_layout(dst), 0, &unique))))
        return status;
    return unique == SV_NO ? svm_fail(SV_ERROR_OVERLAP, "elements of %s share bytes", name) : SV_OK;
}
