/* The messages of a plan. */
#ifndef SVM_MESSAGES_H
#define SVM_MESSAGES_H

#include "arguments.h"
#include "plan.h"

/* Find what this rank keeps, sends and gets. The ranks behind this one come first, so that not all ranks send to the
 * same one at once. What was made is to be freed in case of a failure, too. */
sv_status svm_messages_add(const struct svm_arguments *arguments, const int32_t *order,
                           const struct svm_exchange *exchange, struct sv_mpi_plan *plan);

/* All that rank `from` has and rank `to` gets, as copies from the one array to the other. */
sv_status svm_messages_find(const struct svm_arguments *arguments, const int32_t *order,
                            const struct svm_exchange *exchange, int32_t from, int32_t to, struct svm_parts *out);

/* Take the memory that sends to ranks of this machine are packed in, and find that of others. Collective; all ranks get the
 * failure of one. */
sv_status svm_messages_share(struct sv_mpi_plan *plan);

/* Plan again how this rank packs those sends that are far. */
sv_status svm_messages_plan_far(const struct svm_arguments *arguments, const int32_t *order,
                                const struct svm_exchange *exchange, struct sv_mpi_plan *plan);

void svm_messages_free(struct sv_mpi_plan *plan);

#endif
