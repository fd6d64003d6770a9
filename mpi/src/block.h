/* Memory of this process that the other ranks of the machine can read: where it is, and how they map it. */
#ifndef SVM_BLOCK_H
#define SVM_BLOCK_H

#include <stdbool.h>
#include <sv_mpi.h>

/* An address in a block, as another process can find it. */
struct svm_place {
    int64_t number; /* of the block, of which the process never has another one; 0: the address is in no block */
    int64_t process, descriptor, inode;
    int64_t nbytes, offset; /* of the block, and of the address in it */
};

/* A block of another process, or of none (0), in the memory of this one. */
struct svm_mapping {
    int64_t number, nbytes;
    char *base;
};

/* Find the block in which `address` and all bytes from `lower` to `upper` before and behind it lie. */
void svm_block_find(const char *address, int64_t lower, int64_t upper, struct svm_place *out);

/* Map the block of a place for reading, unless it is the one that is mapped already, which is unmapped else.
 * SV_ERROR_MEMORY: the system refused; nothing is mapped then. */
sv_status svm_block_map(const struct svm_place *place, struct svm_mapping *mapping);

void svm_block_unmap(struct svm_mapping *mapping);

#endif
