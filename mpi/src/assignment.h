/* Which rank gets which part, so that many elements stay where they are. */
#ifndef SVM_ASSIGNMENT_H
#define SVM_ASSIGNMENT_H

#include "shares.h"

/* Both write ranks[part], a permutation of 0, 1, ...: a rank less the first one of to. SV_ERROR_MEMORY. */

/* As many elements stay as can, in a time of parts^3. */
sv_status svm_assign_exactly(const struct svm_shares *shares, int32_t *ranks);

/* At least half as many stay, in a time of parts^2. */
sv_status svm_assign_greedily(const struct svm_shares *shares, int32_t *ranks);

#endif
