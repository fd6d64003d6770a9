/* Sources in memory that others can read: what goes to a rank of this machine is copied by that rank, from where it lies. */
#ifndef SVM_READING_H
#define SVM_READING_H

#include "messages.h"

/* Find which messages may go that way, for which both sides have to be able to, and plan their copies. Collective.
 * Sources that lie elsewhere in a later execution are packed. */
sv_status svm_reading_prepare(const struct svm_arguments *arguments, const int32_t *order,
                              const struct svm_exchange *exchange, struct sv_mpi_plan *plan);

/* Where the source of an execution is. */
void svm_reading_find(const struct sv_mpi_plan *plan, const char *src, struct svm_place *out);

/* Copy all of a message from the place that its sender told. */
sv_status svm_reading_copy(struct svm_message *message, const struct svm_place *place, char *dst);

#endif
