/* Derived types of MPI, from layouts whose neighbouring axes are merged where they are one run. */
#include <inttypes.h>

#include "failure.h"

enum { MOST = 1 << 30 }; /* of a constructor's count, which is an int */

static void free_type(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL && *type != MPI_BYTE)
        MPI_Type_free(type);
}

/* A few of a type. MPICH 4.0 moves a vector of bytes one by one, but not a run of them. Open MPI 4.1 takes a step of -1
 * byte for none, so that such a type is made of its places. */
static int repeat_few(MPI_Datatype type, int count, MPI_Aint step, MPI_Datatype *out)
{
    const MPI_Aint places[] = {0, step};

    if (step == -1 && count == 2)
        return MPI_Type_create_hindexed_block(count, 1, places, type, out);
    if (step == 1 && type == MPI_BYTE)
        return MPI_Type_contiguous(count, type, out);
    return MPI_Type_create_hvector(count, 1, step, type, out);
}

/* `count` of a type, `step` bytes apart: so many as an int counts at a time, and these repeated. */
static int repeat_type(MPI_Datatype type, int64_t count, MPI_Aint step, MPI_Datatype *out)
{
    const int most = step == -1 ? 2 : MOST, rest = (int)(count % most), counts[] = {1, 1};
    const int64_t whole = count / most;
    MPI_Datatype some = MPI_DATATYPE_NULL, parts[] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Aint places[] = {0, 0};
    int error;

    if (whole == 0)
        return repeat_few(type, rest, step, out);
    places[1] = step * most * (MPI_Aint)whole;
    if ((error = repeat_few(type, most, step, &some)) == MPI_SUCCESS &&
        (error = repeat_type(some, whole, step * most, rest == 0 ? out : &parts[0])) == MPI_SUCCESS && rest > 0 &&
        (error = repeat_few(type, rest, step, &parts[1])) == MPI_SUCCESS)
        error = MPI_Type_create_struct(2, counts, places, parts, out);
    free_type(&some);
    free_type(&parts[0]);
    free_type(&parts[1]);
    return error;
}

/* Replace a type by `count` of it. */
static sv_status repeat(MPI_Datatype *type, int64_t count, MPI_Aint step)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int error = repeat_type(*type, count, step, &made);

    if (error == MPI_SUCCESS) {
        free_type(type);
        *type = made;
    }
    return svm_of_mpi(error, "a constructor of derived types");
}

/* Whether the axis k and all behind it are one run of bytes, which are nbytes then. */
static int is_run(const sv_layout *layout, int32_t k, int64_t nbytes)
{
    return sv_layout_shape(layout)[k] == 1 || sv_layout_byte_strides(layout)[k] == nbytes;
}

static sv_status build(const sv_layout *layout, MPI_Datatype *type)
{
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
    int64_t nbytes = sv_layout_itemsize(layout);
    int32_t k = sv_layout_ndim(layout) - 1;
    sv_status status;

    for (; k >= 0 && is_run(layout, k, nbytes); k--)
        nbytes *= shape[k];
    status = repeat(type, nbytes, 1);
    for (; k >= 0 && status == SV_OK; k--)
        if (shape[k] != 1)
            status = repeat(type, shape[k], (MPI_Aint)strides[k]);
    return status;
}

sv_status sv_mpi_type_new(const sv_view *view, MPI_Datatype *out)
{
    MPI_Datatype type = MPI_BYTE;
    sv_layout *merged = NULL;
    sv_status status;

    if ((status = svm_need(view, "view")) || (status = svm_need(out, "out")))
        return status;

    const sv_layout *layout = sv_view_layout(view);

    status = svm_of_libsv(sv_layout_flatten_masked(layout, sv_layout_flatten_mask(layout), &merged));
    if (status == SV_OK && (status = build(merged, &type)) == SV_OK)
        status = svm_of_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
    sv_layout_release(merged);
    if (status == SV_OK)
        *out = type;
    else
        free_type(&type);
    return status;
}
