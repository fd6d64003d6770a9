/* Memory that the ranks of one machine share, in which chunks are packed: no MPI copies them. */
#ifndef SVM_NEAR_H
#define SVM_NEAR_H

#include "plan.h"

/* The ranks of this machine. Collective. */
sv_status svm_near_open(MPI_Comm comm, struct svm_near *out);

/* Memory of this rank that the others of its machine see. Collective. */
sv_status svm_near_allocate(struct svm_near *near, int64_t nbytes, char **base);

/* Take the memory that sends to near ranks are packed in, and find that of others. Collective. SV_ERROR_MPI on all ranks
 * where one of them could not. */
sv_status svm_near_share(struct sv_mpi_plan *plan);

void svm_near_close(struct svm_near *near);

#endif
