/*
 * libsv_mpi: strided arrays between the processes of an MPI program.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * An optional library beside libsv, which itself never links MPI. The rules of sv/base.h hold here too: statuses,
 * outputs, handles and the words SV_OUT, SV_OPT and SV_TAKE mean the same. What is particular:
 *
 * Messages     sv_mpi_last_message() has the text of the last failure of this library on this thread, also where libsv
 *              refused something.
 * MPI          MPI is initialized by the caller, and not yet finalized. An error of MPI's own is SV_ERROR_MPI, with its
 *              text, where the communicator's error handler returns errors; plans and broadcasts under way have
 *              communicators of their own, which always do.
 * Collective   Such a function is called by all ranks of the communicator, in the same order. Where one rank refuses
 *              its arguments, or two do not agree, every rank gets an error, and none waits for the others.
 * Threads      Functions are as safe as MPI_Init_thread() made MPI. A plan, and all broadcasts under way of one
 *              communicator, are used by one thread at a time.
 */
#ifndef SV_MPI_H
#define SV_MPI_H

#include <mpi.h>
#include <sv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/** A status beside those of libsv. */
enum {
    SV_ERROR_MPI = -100 /**< MPI refused; sv_mpi_last_message() has its text */
};

/** What went wrong in the last call of this library on this thread that failed, as sv_last_message() tells it of
 * libsv. */
SV_API const char *sv_mpi_last_message(void);

/* --- derived types ------------------------------------------------------ */

/** The elements of a view as a derived type of MPI, for calls of MPI's own with sv_view_data(view) as the buffer and a
 * count of 1. Elements are opaque bytes in C order of the view's axes, in as few constructors as the layout allows;
 * other layouts of as many elements of the same size match it. The type's extent is that of the memory between
 * its lowest and its highest byte. It is committed; the caller frees it by MPI_Type_free(). It does not keep the view alive.
 *
 * SV_ERROR_MPI  MPI refused */
SV_API sv_status sv_mpi_type_new(const sv_view *view, SV_OUT MPI_Datatype *out);

/* --- messages ----------------------------------------------------------- */

/*
 * The elements of a view as one message of MPI: their bytes in C order of the view's axes, whatever its strides, so that
 * the two sides may have different layouts, and that MPI_Recv() of as many bytes takes it too. A view that is one run of
 * bytes of memory that MPI takes goes from and to where it lies; any other is packed by sv_copy() into memory of its size.
 * The two sides have the same number of bytes, where MPI's own rules do not say otherwise.
 *
 * MPI takes memory of the host, pinned memory too, and that of CUDA devices if it knows them: where its function
 * MPIX_Query_cuda_support() answers 1. Views of devices are packed in memory of their device then, else in pinned memory.
 * Before MPI or a copy reads or writes memory of a device, what the default stream of the device holds is done; for
 * other streams that do not wait for it, the caller waits.
 *
 * SV_ERROR_READ_ONLY  of what receives: the view is read-only
 * SV_ERROR_LAYOUT     of what receives: fewer bytes came than the view has; those that came are there
 * SV_ERROR_OVERLAP    of what receives: elements of the view share bytes
 * and what sv_copy() answers.
 */

/** What is under way: a message, a broadcast, an execution of a plan, or an exchange of a halo. */
typedef struct sv_mpi_request sv_mpi_request;

/** Send the elements of a view, as MPI_Send(). */
SV_API sv_status sv_mpi_send(const sv_view *src, int dest, int tag, MPI_Comm comm);

/** Receive the elements of a view, as MPI_Recv().
 *
 * @param source  a rank or MPI_ANY_SOURCE
 * @param tag     a tag or MPI_ANY_TAG
 * @param status  who sent it, and by which tag; NULL: nobody asks */
SV_API sv_status sv_mpi_recv(const sv_view *dst, int source, int tag, MPI_Comm comm, SV_OUT SV_OPT MPI_Status *status);

/** Begin to send. The elements have been packed when it returns, or must not change until the request is done; the
 * request keeps the view alive. */
SV_API sv_status sv_mpi_isend(const sv_view *src, int dest, int tag, MPI_Comm comm, SV_OUT sv_mpi_request **out);

/** Begin to receive. The elements are there when the request is done; the request keeps the view alive. */
SV_API sv_status sv_mpi_irecv(const sv_view *dst, int source, int tag, MPI_Comm comm, SV_OUT sv_mpi_request **out);

/** Wait for what is under way, and end its request, whatever comes out. Of a broadcast or an execution it is collective,
 * as these are: it lasts until all ranks wait for theirs, or test it until it is done. Where several executions are under
 * way, all ranks wait for them in one order, or test them in turn.
 *
 * @param status  of a message: who sent it, and by which tag; NULL: nobody asks */
SV_API sv_status sv_mpi_wait(SV_TAKE sv_mpi_request *request, SV_OUT SV_OPT MPI_Status *status);

/** Go on with what is under way, as far as nothing has to be waited for, and tell whether it is done. Where it is, its
 * request is ended, whatever comes out; else *done is 0. */
SV_API sv_status sv_mpi_test(SV_TAKE sv_mpi_request *request, SV_OUT int32_t *done, SV_OUT SV_OPT MPI_Status *status);

/** Give every rank the elements that the view of one rank has. Collective: views have the same number of elements of
 * the same dtype, and any layouts.
 *
 * @param root  the rank that has them; only the views of others are written
 *
 * SV_ERROR_STATE  another rank refused, or has a view of another size or dtype, or names another root */
SV_API sv_status sv_mpi_bcast(const sv_view *view, int root, MPI_Comm comm);

/** Begin such a broadcast. All ranks call this form, or all call sv_mpi_bcast(). What that one refuses is told on all
 * ranks when the request is done.
 *
 * First the ranks agree, then the elements come, both in calls of sv_mpi_wait() and sv_mpi_test() for this broadcast or a
 * later one of comm. Those of root have been packed when it returns, or must not change until the request is done; the
 * request keeps the view alive. Broadcasts of one communicator begin in the same order on all ranks, and are waited for
 * in any. The first one waits for all ranks, since it makes a duplicate, which comm keeps until it is freed; later ones
 * wait for nobody. */
SV_API sv_status sv_mpi_ibcast(const sv_view *view, int root, MPI_Comm comm, SV_OUT sv_mpi_request **out);

/* --- distributions ------------------------------------------------------ */

/** How the elements of an array are divided over ranks: each axis is cut into blocks, which are dealt out to the
 * processes along that axis of a grid in turn. Ranks are the indices of the grid in C order. */
typedef struct sv_mpi_distribution sv_mpi_distribution;

/** Divide an array of ndim axes, 1 to 32, over a grid of as many axes.
 *
 * @param shape  of the whole array
 * @param grid   processes along each axis, 1 or more; their product is the number of ranks that may have elements
 * @param block  extent of the blocks along each axis, 1 or more; 0, or NULL for all axes: one block for each process,
 *               of ceil(extent / processes) elements, so that the last processes may have fewer or none. 1 is cyclic,
 *               other numbers are block-cyclic, as in ScaLAPACK
 *
 * SV_ERROR_RANGE     ndim is not 1 to 32
 * SV_ERROR_INVALID   a negative extent or block, or a grid below 1
 * SV_ERROR_OVERFLOW  more than 2^31 - 1 ranks, or more elements than int64 counts */
SV_API sv_status sv_mpi_distribution_new(int32_t ndim, const int64_t *shape, const int64_t *grid,
                                         SV_OPT const int64_t *block, SV_OUT sv_mpi_distribution **out);

/** All of an array on one rank. A redistribution from it scatters, one to it gathers.
 *
 * SV_ERROR_INVALID  a negative extent or rank */
SV_API sv_status sv_mpi_distribution_on_rank(int32_t ndim, const int64_t *shape, int32_t rank,
                                             SV_OUT sv_mpi_distribution **out);

/** Add a reference. */
SV_API sv_mpi_distribution *sv_mpi_distribution_retain(SV_OPT const sv_mpi_distribution *distribution);
/** Drop a reference. */
SV_API void sv_mpi_distribution_release(SV_OPT SV_TAKE sv_mpi_distribution *distribution);

SV_API int32_t sv_mpi_distribution_ndim(const sv_mpi_distribution *distribution); /**< Number of axes. */

/** The number behind the last rank that may have elements. */
SV_API int32_t sv_mpi_distribution_ranks(const sv_mpi_distribution *distribution);

/** The shape of what a rank has: its blocks beside each other, in their order. A rank outside the grid, 0 or more, has
 * extents of 0.
 *
 * SV_ERROR_INVALID  rank is negative */
SV_API sv_status sv_mpi_distribution_local_shape(const sv_mpi_distribution *distribution, int32_t rank,
                                                 SV_OUT int64_t *shape);

/** Who has an element, and where.
 *
 * @param index  ndim indices into the whole array (else SV_ERROR_INDEX)
 * @param rank   the rank that has it
 * @param local  ndim indices into what that rank has */
SV_API sv_status sv_mpi_distribution_place(const sv_mpi_distribution *distribution, const int64_t *index,
                                           SV_OUT SV_OPT int32_t *rank, SV_OUT SV_OPT int64_t *local);

/** Which element a rank has at an index of its own: the other way of sv_mpi_distribution_place().
 *
 * @param local  ndim indices into what the rank has (else SV_ERROR_INDEX)
 * @param index  ndim indices into the whole array
 *
 * SV_ERROR_INVALID  rank is negative */
SV_API sv_status sv_mpi_distribution_index(const sv_mpi_distribution *distribution, int32_t rank, const int64_t *local,
                                           SV_OUT int64_t *index);

/** The distribution `to` with its parts on other ranks: each on one that has much of it already, so that fewer elements
 * move. A redistribution to the result never moves more than one to `to`. The ranks that have parts are those of `to`;
 * which part a rank gets depends on the arguments only, so that ranks which call it alike agree without a message.
 *
 * Grids of up to 512 ranks get an assignment that moves the least, in a time of ranks^3 at most. Larger
 * ones get one by which at least half as many elements stay as could, in a time of ranks^2. It holds 8 bytes for each
 * pair of a process of to and one of from along each axis, and 8 x ranks^2 bytes for up to 512 ranks.
 *
 * @param axes  axis k of to is axis axes[k] of from; NULL: the same. As those of sv_mpi_plan_new()
 *
 * SV_ERROR_LAYOUT       to and from have other numbers of axes, or other extents with the axes in that order
 * SV_ERROR_INDEX        axes names an axis that from does not have
 * SV_ERROR_INVALID      axes names an axis twice
 * SV_ERROR_UNSUPPORTED  a grid has more than 16384 ranks */
SV_API sv_status sv_mpi_distribution_relabel(const sv_mpi_distribution *to, const sv_mpi_distribution *from,
                                             SV_OPT const int32_t *axes, SV_OUT sv_mpi_distribution **out);

/* --- memory ------------------------------------------------------------- */

/** Make an allocator of host memory that the other ranks of this machine can read.
 *
 * A redistribution whose source lies in such memory is one copy straight from there to the result, where ranks of one
 * machine else pack into memory that they share and unpack from it. It is for sv_buffer_new(), and called by any rank for
 * itself. The plan has to be made of a source in such memory too; whether one is, is told by its address, whoever made the
 * view. A source that lies elsewhere in an execution, or that another rank may not map, as in a container of its own, is
 * packed. A plan keeps the memory of other ranks that it read last mapped until it reads other memory, or is freed.
 *
 * A block takes whole pages, a file descriptor, and of huge pages only what the system gives shared memory. The kind is
 * SV_MEMORY_HOST. Allocations fail by SV_ERROR_MEMORY where the system refuses, and by SV_ERROR_UNSUPPORTED for an
 * alignment beyond a page.
 *
 * SV_ERROR_MEMORY  as for sv_allocator_callbacks() */
SV_API sv_status sv_mpi_allocator_shared(SV_OUT sv_allocator **out);

/* --- redistribution ----------------------------------------------------- */

/** An array that is distributed one way becomes distributed another way. A plan is made once and executed often. */
typedef struct sv_mpi_plan sv_mpi_plan;

/** Plan a redistribution. Collective.
 *
 * Every element goes straight from the rank that has it to the one that gets it; what stays on a rank is copied by
 * sv_copy(). What is not one run of bytes is packed into and out of messages by sv_plan_execute(), in chunks of which at
 * most two a peer and direction are under way, while others are packed: of arrays of devices in pinned memory, or in memory of
 * the device, where both arrays of the rank are of one that MPI knows (see messages).
 *
 * @param comm   communicator of all ranks of both grids, and any more; the plan uses duplicates of it
 * @param to     how the result is distributed
 * @param from   how the source is distributed
 * @param axes   axis k of the result is axis axes[k] of the source; NULL: the same
 * @param dst    what this rank gets: its layout, dtype and device. Its shape is the local one of to. Its memory does
 *               not matter
 * @param src    what this rank has, as dst; the local shape of from
 * @param flags  SV_COPY_CAST or SV_COPY_CAST_UNSAFE where the dtypes differ; the smaller elements travel
 * @param chunk  largest message in bytes; 0: 256 KiB, or 4 MiB where the order of axes changes. The same on all ranks
 *
 * SV_ERROR_LAYOUT  a shape is not the local one; to's shape is not from's with its axes in that order; a grid has more
 *                  ranks than comm
 * SV_ERROR_STATE   another rank refused its arguments, or was given others: the text says which
 * and what sv_copy() answers */
SV_API sv_status sv_mpi_plan_new(MPI_Comm comm, const sv_mpi_distribution *to, const sv_mpi_distribution *from,
                                 SV_OPT const int32_t *axes, const sv_view *dst, const sv_view *src, uint32_t flags,
                                 int64_t chunk, SV_OUT sv_mpi_plan **out);

/** Redistribute. Collective. dst and src are as those that the plan was made of, with any memory; they must not share
 * bytes.
 *
 * SV_ERROR_LAYOUT, SV_ERROR_DTYPE, SV_ERROR_DEVICE, SV_ERROR_READ_ONLY, SV_ERROR_OVERLAP  they are not. Nothing was
 *                  sent, and all ranks get an error
 * SV_ERROR_STATE   another rank refused or failed, or the plan is under way, or MPI failed in an execution before
 * SV_ERROR_MPI     MPI refused; dst may be written in part. All ranks get an error, and the plan can only be freed */
SV_API sv_status sv_mpi_plan_execute(sv_mpi_plan *plan, const sv_view *dst, const sv_view *src);

/** Begin to redistribute. Collective, but nobody waits for others. What sv_mpi_plan_execute() refuses is told on all
 * ranks when the request is done.
 *
 * First the ranks agree, then the elements move, both in calls of sv_mpi_wait() and sv_mpi_test() alone, since MPI has no
 * thread for it: such a call copies what stays on this rank, packs chunks into slots that are free, and unpacks what has
 * come. Between calls MPI carries the chunks that are packed, if it can. Until the request is done, src must not change,
 * and dst must not be used. The request keeps both views and the plan alive.
 *
 * A plan has memory for one execution. A second one that begins on any rank before the request of the first is done there
 * is refused on all ranks, and the first goes on. Other plans may be under way at the same time, on the same communicator,
 * too. */
SV_API sv_status sv_mpi_plan_start(sv_mpi_plan *plan, const sv_view *dst, const sv_view *src,
                                   SV_OUT sv_mpi_request **out);

/** Bytes that an execution sends to other ranks, and those of the memory that it takes for messages. */
SV_API sv_status sv_mpi_plan_bytes(const sv_mpi_plan *plan, SV_OUT SV_OPT int64_t *sent,
                                   SV_OUT SV_OPT int64_t *buffers);

/** End a plan. Collective, since its communicators are freed. A plan that is under way ends with its request. */
SV_API void sv_mpi_plan_free(SV_OPT SV_TAKE sv_mpi_plan *plan);

/* --- halos -------------------------------------------------------------- */

/*
 * Stencils need the elements around the part that a rank has. The array of each rank is its part with margins: elements
 * before and behind it along each axis, which an exchange fills from the ranks that have them.
 *
 *     int64_t one[] = {1, 1, 1};
 *     sv_mpi_halo_new(comm, distribution, one, one, NULL, view, 0, &halo);    once; view has the part's extents + 2
 *     sv_mpi_halo_start(halo, &request);                                      at each step
 *     ...                                                                     what needs no margin is computed
 *     sv_mpi_wait(request, NULL);
 *     ...                                                                     what needs them
 */

/** The margins of one array, and who fills them. */
typedef struct sv_mpi_halo sv_mpi_halo;

enum {
    SV_MPI_HALO_FACES = 1 /**< edges and corners are left as they are: elements beyond the part along several axes */
};

/** Plan the exchange of margins. Collective.
 *
 * A margin may be of any width: where the parts beside it are thinner, it is filled from more ranks than one. An
 * exchange is one step: edges and corners come from the ranks that have them, without a way around. What goes from one
 * rank to another is one message, also where it belongs to several faces, edges and corners, but that boxes of 64 KiB and
 * more travel alone. What a rank gets from itself, where a periodic axis has one process, is copied. Elements beyond
 * the ends of an axis that is not periodic are left as they are, and so is all of a rank whose part is empty.
 *
 * @param comm          communicator of all ranks of the grid, and any more; the halo uses a duplicate of it
 * @param distribution  how the array is divided: one block at most for each process along each axis
 * @param low           elements before the part, for each axis, 0 or more; the same on all ranks
 * @param high          elements behind it
 * @param periodic      for each axis, whether its ends meet, as for MPI_Cart_create(); NULL: of none
 * @param view          the part of this rank with its margins, of extents low + part + high, also where the part is
 *                      empty; of any strides. The halo keeps it alive: an array that takes turns with another one has
 *                      a halo of its own
 * @param flags         SV_MPI_HALO_FACES, or 0
 *
 * SV_ERROR_LAYOUT       the view has other extents, or the grid more ranks than comm
 * SV_ERROR_UNSUPPORTED  an axis is cyclic or block-cyclic
 * SV_ERROR_READ_ONLY    the view is read-only
 * SV_ERROR_OVERLAP      elements of the view share bytes
 * SV_ERROR_STATE        another rank refused its arguments, or was given others */
SV_API sv_status sv_mpi_halo_new(MPI_Comm comm, const sv_mpi_distribution *distribution, const int64_t *low,
                                 const int64_t *high, SV_OPT const int32_t *periodic, const sv_view *view,
                                 uint32_t flags, SV_OUT sv_mpi_halo **out);

/** Begin to fill the margins. All ranks do so, each for itself: no rank waits here, and ranks that are no neighbours do
 * not meet. Until the request is done, margins are neither read nor written, and the part may be read, but not written.
 * When it is, the margins of this rank are filled; others may be further. Arrays of devices: what writes them has ended.
 *
 * What is sent has been packed, and what a rank gets from itself copied, when it returns. Messages go on as far as MPI
 * carries them between calls; sv_mpi_test() lets it go on, and unpacks what has come.
 *
 * SV_ERROR_STATE  an exchange of the halo is under way, or MPI failed in an earlier one
 * SV_ERROR_MPI    MPI refused, here or by the request: margins may be filled in part, and the halo can only be freed. All
 *                 other ranks get SV_ERROR_STATE: those that wait for this one in the same exchange or in the next, and
 *                 others in a later one
 * and by the request, of devices, what sv_plan_execute() answers: then a rank for which this one could not pack gets
 * SV_ERROR_STATE, others get nothing, and the halo is as good as before */
SV_API sv_status sv_mpi_halo_start(sv_mpi_halo *halo, SV_OUT sv_mpi_request **out);

/** What an exchange gives other ranks, as messages and as bytes, and the memory for packing them: twice the bytes, where
 * two ranks of one machine have messages for each other, of up to 4 MiB, since they pack them in memory that both see. */
SV_API sv_status sv_mpi_halo_bytes(const sv_mpi_halo *halo, SV_OUT SV_OPT int64_t *messages,
                                   SV_OUT SV_OPT int64_t *sent, SV_OUT SV_OPT int64_t *buffers);

/** End a halo. Collective, since its communicator is freed. One that is under way ends with its request. */
SV_API void sv_mpi_halo_free(SV_OPT SV_TAKE sv_mpi_halo *halo);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_MPI_H */
