/* Which memory MPI takes, and which memory messages are packed in. */
#ifndef SVM_MEMORY_H
#define SVM_MEMORY_H

#include <stdbool.h>

#include <sv_mpi.h>

/* Whether the host reads and writes it without a driver that moves pages: of the CPU, or pinned. */
bool svm_memory_is_of_host(const sv_view *view);

/* Whether MPI takes addresses of it: memory of the host, and that of CUDA devices where MPI knows them. */
bool svm_memory_is_taken(const sv_view *view);

/* What messages between two views are packed in. NULL: ordinary memory. That of their device, where both are of one
 * that MPI knows, else pinned memory. The caller releases it. */
sv_status svm_memory_to_pack(const sv_view *dst, const sv_view *src, sv_allocator **out);

/* MPI knows no streams: before it is given memory of a device that it knows, wait for what the default stream holds. */
sv_status svm_memory_wait(const sv_view *view);

#endif
