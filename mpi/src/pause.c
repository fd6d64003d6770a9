/* Looking again and again, with a system call for patience only where the other rank takes its time. */
#include "pause.h"

#include <sched.h>

/* A look takes some nanoseconds, a call of MPI up to a microsecond: Open MPI gives the processor away in each. */
enum { LOOKS_OF_MPI = 32, LOOKS_ALONE = 200 };

bool svm_pause_is_for_mpi(const struct svm_pause *pause)
{
    return pause->looks % LOOKS_OF_MPI == LOOKS_OF_MPI - 1;
}

void svm_pause(struct svm_pause *pause)
{
    if (++pause->looks > LOOKS_ALONE)
        sched_yield();
}
