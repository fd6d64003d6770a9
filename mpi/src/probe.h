/* How messages between ranks of one machine are best packed, which is measured when a plan is made. */
#ifndef SVM_PROBE_H
#define SVM_PROBE_H

#include "plan.h"

/* Find the sends whose receivers read what this rank has just written faster from memory than from its caches: is_far. Of
 * messages that are large enough to be worth it, and are packed. All ranks of this machine come. A failure of libsv's. */
sv_status svm_probe(struct sv_mpi_plan *plan);

#endif
