/* What the two ranks of a message tell each other in memory that both see. */
#ifndef SVM_SIGNALS_H
#define SVM_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"

/* Of a slot, before the bytes of all slots of its message: all 0 at the beginning. Each rank writes to a line of its own. */
struct svm_signals {
    _Alignas(64) _Atomic uint64_t ready; /* how often something was packed into it; written by the sender */
    sv_status status;                    /* whether that could be done */
    struct svm_place place;              /* where the receiver reads instead; of block 0: nowhere else */
    _Alignas(64) _Atomic uint64_t taken; /* how often it is free again; written by the receiver */
    bool is_far; /* whether it reads faster what the sender did not leave in its caches */
};

/* All that was written before is seen by a rank that finds the count. */
void svm_signal_set(_Atomic uint64_t *signal, uint64_t count);
bool svm_signal_has(const _Atomic uint64_t *signal, uint64_t count);

#endif
