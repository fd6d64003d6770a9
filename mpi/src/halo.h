/* What a halo keeps: the bundles of pieces that go to each other rank and come from it, and the pieces that stay here. */
#ifndef SVM_HALO_H
#define SVM_HALO_H

#include "elements.h"
#include "listener.h"
#include "margins.h"
#include "near.h"
#include "request.h"
#include "traffic.h"

struct sv_mpi_halo {
    struct sv_mpi_request request; /* of the exchange that is under way */
    int64_t references; /* one of the caller, and one of the exchange */
    MPI_Comm comm;
    int32_t rank, size;
    bool is_started;
    bool is_broken; /* MPI failed in an exchange, of which messages may still come */
    sv_view *view;
    sv_buffer *buffer; /* where messages are packed; NULL: none is */
    struct svm_bundles sends, receives;
    struct svm_bundle own;
    MPI_Request *requests; /* of all receives, of all sends, and of what tells that another rank failed */
    struct svm_listener listener;
    struct svm_traffic traffic; /* messages that are under way */
    struct svm_failure failure; /* the first copy of the exchange that failed */
    struct svm_near near;
    uint64_t exchanges; /* that have begun; odd and even ones have a slot of shared memory each */
    int64_t buffer_bytes, near_bytes, sent_bytes;
};

enum { SVM_HALO_ALIGNMENT = 64 }; /* bytes, of where messages are packed */
enum { SVM_HALO_SLOTS = 2 }; /* of a message in shared memory */

/* Bytes of a slot. */
int64_t svm_halo_slot_size(const struct svm_bundle *bundle);

/* Take memory in which messages to ranks of this machine are packed, and find that of others, where there is such memory.
 * Collective. */
sv_status svm_halo_share(struct sv_mpi_halo *halo);

/* Receives and sends. */
int svm_halo_messages(const struct sv_mpi_halo *halo);

/* Drop a reference. Collective where it is the last one. */
void svm_halo_release(struct sv_mpi_halo *halo);

#endif
