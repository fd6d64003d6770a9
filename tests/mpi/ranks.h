/* TAP of a program that all ranks run: a line is good where it is on every rank. */
#ifndef SVM_TESTS_RANKS_H
#define SVM_TESTS_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sv_mpi.h>

static int rank, ranks, tap_count, tap_failed;
static uint64_t random_state = 1;

/* The same numbers on all ranks. */
static inline void random_begin(uint64_t round)
{
    random_state = 88172645463325252u + round * 7919;
    for (int i = 0; i < 20; i++) {
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
    }
}

static inline int64_t random_between(int64_t low, int64_t high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + (int64_t)((random_state >> 11) % (uint64_t)(high - low + 1));
}

/* Whether it is true on all ranks. */
static inline bool on_all(bool good)
{
    int all = good;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static inline void tap_ok(bool good, const char *name)
{
    const bool all = on_all(good);

    if (!good)
        printf("# rank %d: %s\n", rank, sv_mpi_last_message());
    tap_count++;
    tap_failed += !all;
    if (rank == 0)
        printf("%s %d - %s, %d ranks\n", all ? "ok" : "not ok", tap_count, name, ranks);
}

/* Whether a test of random numbers is good each time, on all ranks. */
static inline bool test_rounds(bool (*test)(void), int rounds)
{
    bool good = true;

    for (int round = 0; round < rounds && good; round++) {
        random_begin((uint64_t)round);
        good = on_all(test());
        if (!good && rank == 0)
            printf("# round %d\n", round);
    }
    return good;
}

/* Whether a call answered as it should, with these words in its text. */
static inline bool says(sv_status status, sv_status wanted, const char *words)
{
    if (status == wanted && strstr(sv_mpi_last_message(), words) != NULL)
        return true;
    printf("# rank %d: %s %s, not %s %s\n", rank, sv_status_name(status), sv_mpi_last_message(), sv_status_name(wanted), words);
    return false;
}

/* Whether a call did what it should. */
static inline bool is_ok(sv_status status)
{
    if (status != SV_OK)
        printf("# rank %d: %s: %s\n", rank, sv_status_name(status), sv_mpi_last_message());
    return status == SV_OK;
}

static inline void ranks_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static inline int ranks_end(void)
{
    if (rank == 0)
        printf("1..%d\n", tap_count);
    fflush(stdout);
    MPI_Finalize();
    return tap_failed != 0;
}

#endif
