/* The elements of a view as bytes that MPI takes. */
#ifndef SVM_ELEMENTS_H
#define SVM_ELEMENTS_H

#include "failure.h"

/* MPI 4 has functions whose counts are large; before, many bytes are one element of a type of their own. */
#if MPI_VERSION >= 4
#define SVM_LARGE(function) function##_c
typedef MPI_Count svm_count;
#else
#define SVM_LARGE(function) function
typedef int svm_count;
#endif

struct svm_elements {
    MPI_Datatype type;
    svm_count count;   /* of it */
    int64_t nbytes;
    sv_view *view;     /* a reference */
    sv_buffer *buffer; /* the packed bytes; NULL: the view is one run of them */
    sv_view *packed;   /* the elements there */
};

/* Find them, with memory to pack them in where that is needed. Where they are sent, they are packed. */
sv_status svm_elements_begin(const sv_view *view, int is_sent, struct svm_elements *out);

/* Where the bytes are. */
void *svm_elements_bytes(const struct svm_elements *elements);

/* After they came: each goes to its place. */
sv_status svm_elements_unpack(const struct svm_elements *elements);

/* How MPI counts bytes at an address: as bytes, or as one element of a type of that many, which the caller frees where it
 * is not MPI_BYTE. */
sv_status svm_elements_count(void *bytes, int64_t nbytes, MPI_Datatype *type, svm_count *count);

void svm_elements_end(struct svm_elements *elements);

#endif
