/* The elements of a view as bytes in C order: where they lie, if that is one run of memory that MPI takes, or packed. */
#include "elements.h"

#include "memory.h"

/* Memory for the packed elements, and a view of them. */
static sv_status make_packed(struct svm_elements *elements)
{
    const sv_layout *layout = sv_view_layout(elements->view);
    sv_allocator *allocator = NULL;
    sv_layout *dense = NULL;
    sv_status status = svm_memory_to_pack(elements->view, elements->view, &allocator);

    if (status != SV_OK)
        return status;
    if ((status = sv_buffer_new(allocator, elements->nbytes, 0, 0, 0, &elements->buffer)) == SV_OK &&
        (status = sv_layout_new_dense(sv_layout_ndim(layout), sv_layout_shape(layout), SV_ORDER_C, NULL,
                                      sv_layout_itemsize(layout), &dense)) == SV_OK)
        status = sv_view_from_buffer(elements->buffer, dense, sv_view_dtype(elements->view), 0, 0, &elements->packed);
    sv_layout_release(dense);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

sv_status svm_elements_count(void *bytes, int64_t nbytes, MPI_Datatype *type, svm_count *count)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    sv_view *view = NULL;
    sv_status status;

    *type = MPI_BYTE;
    *count = (svm_count)nbytes;
    if (*count == nbytes)
        return SV_OK;
    status = svm_of_libsv(sv_view_from_host(SV_UINT8, 1, &nbytes, NULL, bytes, SV_READ_ONLY, &view));
    if (status == SV_OK && (status = sv_mpi_type_new(view, &made)) == SV_OK) {
        *type = made;
        *count = 1;
    }
    sv_view_release(view);
    return status;
}

void svm_elements_end(struct svm_elements *elements)
{
    if (elements->type != MPI_BYTE && elements->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&elements->type);
    sv_view_release(elements->packed);
    sv_buffer_release(elements->buffer);
    sv_view_release(elements->view);
}

sv_status svm_elements_begin(const sv_view *view, int is_sent, struct svm_elements *out)
{
    const sv_layout *layout = sv_view_layout(view);
    sv_status status;

    *out = (struct svm_elements){
        .type = MPI_DATATYPE_NULL, .nbytes = sv_layout_nbytes(layout), .view = sv_view_retain(view)};
    status = sv_layout_is_contiguous(layout, SV_ORDER_C) && svm_memory_is_taken(view) ? svm_memory_wait(view)
                                                                                      : make_packed(out);
    if (status == SV_OK)
        status = svm_elements_count(sv_view_data(view), out->nbytes, &out->type, &out->count);
    if (status == SV_OK && is_sent && out->packed != NULL)
        status = svm_of_libsv(sv_copy(out->packed, view, SV_COPY_BLOCKING, 0));
    if (status != SV_OK)
        svm_elements_end(out);
    return status;
}

void *svm_elements_bytes(const struct svm_elements *elements)
{
    return elements->packed != NULL ? sv_buffer_data(elements->buffer) : sv_view_data(elements->view);
}

sv_status svm_elements_unpack(const struct svm_elements *elements)
{
    if (elements->packed == NULL)
        return SV_OK;
    return svm_of_libsv(sv_copy(elements->view, elements->packed, SV_COPY_BLOCKING | SV_COPY_TRUST, 0));
}
