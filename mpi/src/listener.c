/*
 * The receive by which a rank learns that MPI failed on another one, once. Who forgets to free a plan leaves it to
 * MPI_Finalize(), where some MPIs print a line for each: so all that are open are cancelled when it begins.
 */
#include "listener.h"

#include <stdatomic.h>

#include "comm.h"
#include "failure.h"
#include "request.h"

static atomic_flag is_taken = ATOMIC_FLAG_INIT;
static struct svm_listener *first;
static bool is_called_at_end;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&is_taken, memory_order_release);
}

static int cancel_all(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    for (const struct svm_listener *it = first; it != NULL; it = it->next)
        svm_request_drop(false, it->request);
    return MPI_SUCCESS;
}

/* MPI deletes the attributes of MPI_COMM_SELF before all else, when it ends. */
static sv_status be_called_at_end(void)
{
    int keyval;
    sv_status status =
        svm_of_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, cancel_all, &keyval, NULL), "MPI_Comm_create_keyval");

    if (status == SV_OK)
        status = svm_of_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL), "MPI_Comm_set_attr");
    is_called_at_end = status == SV_OK;
    return status;
}

sv_status svm_listener_open(MPI_Comm comm, MPI_Request *request, struct svm_listener *out)
{
    sv_status status =
        svm_of_mpi(MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, SVM_TAG_FAILED, comm, request), "MPI_Irecv");

    if (status != SV_OK)
        return status;
    lock();
    *out = (struct svm_listener){request, first, &first};
    if (first != NULL)
        first->link = &out->next;
    first = out;
    if (!is_called_at_end)
        status = be_called_at_end();
    unlock();
    return status;
}

void svm_listener_close(struct svm_listener *listener)
{
    if (listener->request == NULL)
        return;
    lock();
    *listener->link = listener->next;
    if (listener->next != NULL)
        listener->next->link = listener->link;
    unlock();
    svm_request_drop(false, listener->request);
    listener->request = NULL;
}
