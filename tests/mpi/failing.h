/*
 * Calls that fail on one rank, in turn: of MPI, of the allocator and of libsv. For programs that are built with the
 * sources of libsv_mpi, whose calls of what is named here come to this file (--wrap, and MPI's own profiling names).
 */
#ifndef SVM_TESTS_FAILING_H
#define SVM_TESTS_FAILING_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../mpi/src/block.h"
#include "../../mpi/src/probe.h"
#include "ranks.h"

enum { LIMIT_SECONDS = 300 };

/* --- the call that fails ------------------------------------------------------ */

static int countdown = -1; /* calls until the one that fails; below 0: none does */
static const char *failed; /* the one that did */
static bool is_without_windows, is_killed, is_far;

static inline bool fails(const char *name)
{
    if (countdown < 0 || countdown-- > 0)
        return false;
    if (is_killed)
        raise(SIGKILL);
    failed = name;
    return true;
}

static inline void arm(bool is_here, int at)
{
    failed = NULL;
    countdown = is_here ? at : -1;
}

static inline void disarm(void)
{
    countdown = -1;
}

/* A call that one rank makes alone: MPI itself refuses it, by the error handler of the communicator or window. */
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Isend(buffer, count, type, fails(__func__) ? ranks + 7 : dest, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Irecv(buffer, count, type, fails(__func__) ? ranks + 7 : source, tag, comm, request);
}

int MPI_Win_shared_query(MPI_Win window, int of, MPI_Aint *size, int *unit, void *base)
{
    return PMPI_Win_shared_query(window, fails(__func__) ? ranks + 7 : of, size, unit, base);
}

/* Calls that this file refuses. */
#define REFUSED(name, parameters, ...)                                                                                         \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        return fails(#name) ? MPI_ERR_OTHER : P##name(__VA_ARGS__);                                                            \
    }

/* Calls that all ranks make together: done, and then said to have failed. */
#define DONE(name, parameters, ...)                                                                                            \
    int name parameters                                                                                                        \
    {                                                                                                                          \
        const int error = P##name(__VA_ARGS__);                                                                                \
                                                                                                                               \
        return fails(#name) ? MPI_ERR_OTHER : error;                                                                           \
    }

REFUSED(MPI_Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status), count, requests, index, status)
REFUSED(MPI_Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status), count, requests, index, flag,
        status)
REFUSED(MPI_Win_get_attr, (MPI_Win window, int key, void *value, int *flag), window, key, value, flag)
REFUSED(MPI_Win_lock_all, (int mode, MPI_Win window), mode, window)
REFUSED(MPI_Group_translate_ranks, (MPI_Group a, int n, const int x[], MPI_Group b, int y[]), a, n, x, b, y)
DONE(MPI_Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), buffer, count, type, root, comm)
DONE(MPI_Alltoall, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, MPI_Comm comm), from, n, type,
     to, m, other, comm)
DONE(MPI_Allgather, (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, MPI_Comm comm), from, n, type,
     to, m, other, comm)
DONE(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out), comm, type, key, info, out)

/* The agreements, and the first duplicate, by which ranks learn of failures, cannot themselves be told to fail. */
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window)
{
    const int error = PMPI_Win_allocate_shared(size, unit, info, comm, base, window);

    return fails(__func__) || (is_without_windows && rank == ranks - 1) ? MPI_ERR_OTHER : error;
}

#define WRAPPED(result, refusal, name, parameters, ...)                                                                        \
    result __real_##name parameters;                                                                                           \
    result __wrap_##name parameters;                                                                                           \
    result __wrap_##name parameters                                                                                            \
    {                                                                                                                          \
        return fails(#name) ? (refusal) : __real_##name(__VA_ARGS__);                                                          \
    }

WRAPPED(void *, NULL, malloc, (size_t size), size)
WRAPPED(void *, NULL, calloc, (size_t count, size_t size), count, size)
WRAPPED(void *, NULL, realloc, (void *memory, size_t size), memory, size)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_buffer_new, (sv_allocator * a, int64_t n, int64_t m, int64_t k, uint32_t f, sv_buffer **out),
        a, n, m, k, f, out)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_plan_new, (const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out), dst, src,
        flags, out)
WRAPPED(sv_status, SV_ERROR_MEMORY, sv_plan_execute, (const sv_plan *plan, void *dst, const void *src, uintptr_t stream), plan, dst,
        src, stream)
WRAPPED(sv_status, SV_ERROR_MEMORY, svm_block_map, (const struct svm_place *place, struct svm_mapping *mapping), place, mapping)

/* Ranks may be far from each other, whatever is found. */
sv_status __real_svm_probe(struct sv_mpi_plan *plan);
sv_status __wrap_svm_probe(struct sv_mpi_plan *plan);
sv_status __wrap_svm_probe(struct sv_mpi_plan *plan)
{
    if (fails("svm_probe"))
        return SV_ERROR_MEMORY;
    for (int64_t i = 0; i < plan->sends.count && is_far; i++)
        plan->sends.items[i].is_far = plan->sends.items[i].is_near;
    return is_far ? SV_OK : __real_svm_probe(plan);
}

/* --- every call in turn ------------------------------------------------------- */

static inline bool on_any(bool good)
{
    return !on_all(!good);
}

static inline bool complain(bool good, int at, const char *words)
{
    if (!good)
        printf("# rank %d: call %d (%s): %s: %s\n", rank, at, failed != NULL ? failed : "of another rank", words,
               sv_mpi_last_message());
    return good;
}

static inline bool sweep(bool (*fail)(bool, int, bool *), int victim, int first, int step, const char *name)
{
    bool good = true, is_over = false;
    char title[100];
    int at = first;

    for (; good && !is_over; at += step)
        good = on_all(fail(rank == victim, at, &is_over));
    snprintf(title, sizeof title, "%s: rank %d fails at %d calls", name, victim, (at - first) / step);
    tap_ok(good, title);
    return good;
}

#endif
