/* What is under way between ranks, by the memory of their machine and by MPI, until all of it is done. */
#ifndef SVM_TRAFFIC_H
#define SVM_TRAFFIC_H

#include <stdbool.h>

#include "failure.h"

/* Messages, or chunks of them; those who end one count it. */
struct svm_traffic {
    int64_t running, near; /* all, and those of them between ranks of this machine, which MPI does not move */
};

/* What is there of the near ones is taken; and one that MPI moves, for which is_waiting waits. */
struct svm_movers {
    sv_status (*near)(void *owner, bool *has_moved);
    sv_status (*far)(void *owner, bool is_waiting, bool *has_moved);
};

/* Take one after another, as they are there: all, or unless is_waiting those for which nothing has to be waited for.
 * MPI is asked now and then also where it moves none: another rank may tell that it failed, and the program may have
 * messages of its own, which the others wait for. */
sv_status svm_traffic_go_on(void *owner, const struct svm_traffic *traffic, const struct svm_movers *movers,
                            bool is_waiting, bool *is_over);

#endif
