/*
 * A rank whose source lies in a block tells the ranks of its machine where, with each execution. They map the block and
 * copy straight from there, whatever the strides of the two sides: one copy, where packing and unpacking are two.
 */
#include "reading.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "failure.h"

/* What a rank tells of its source when the plan is made. */
struct source {
    struct svm_place place;
    int64_t strides[SVM_MAX_NDIM]; /* in the order of messages */
};

void svm_reading_find(const struct sv_mpi_plan *plan, const char *src, struct svm_place *out)
{
    const int64_t offset = sv_layout_byte_offset(plan->src.layout);
    int64_t lower = 0, upper = 0;

    if (sv_layout_byte_bounds(plan->src.layout, &lower, &upper) == SV_OK)
        svm_block_find(src, lower - offset, upper - offset, out);
    else
        *out = (struct svm_place){0};
}

sv_status svm_reading_copy(struct svm_message *message, const struct svm_place *place, char *dst)
{
    sv_status status = svm_block_map(place, &message->mapping);

    for (int64_t i = 0; i < message->readings.count && status == SV_OK; i++) {
        const struct svm_part *part = &message->readings.items[i];

        status = svm_of_libsv(
            sv_plan_execute(part->plan, dst + part->dst, message->mapping.base + place->offset + part->src, 0));
    }
    return status;
}

/* An element of the source's dtype in memory of another rank, whose address the copies are planned for. */
static sv_status view_element(const sv_view *src, const struct svm_message *message, const struct svm_place *place,
                              sv_view **out)
{
    sv_layout *layout = NULL;
    sv_status status = sv_layout_new_bytes(0, NULL, NULL, sv_layout_itemsize(sv_view_layout(src)), &layout);

    if (status == SV_OK)
        status = sv_view_new(layout, sv_view_dtype(src), message->mapping.base + place->offset, INT64_MIN, INT64_MAX,
                             SV_DEVICE_CPU, 0, 0, NULL, NULL, out);
    sv_layout_release(layout);
    return svm_of_libsv(status);
}

/* The copies of a message from the array of its sender, where its memory can be mapped. */
static sv_status plan_copies(const struct svm_arguments *arguments, const int32_t *order,
                             const struct svm_exchange *exchange, const struct source *source,
                             const struct sv_mpi_plan *plan, struct svm_message *message)
{
    struct svm_exchange straight = *exchange;
    sv_view *element = NULL;
    sv_status status;

    if (source->place.number == 0 || svm_block_map(&source->place, &message->mapping) != SV_OK)
        return SV_OK;
    if ((status = view_element(arguments->src, message, &source->place, &element)))
        return status;
    straight.src.view = element;
    memcpy(straight.src.strides, source->strides, sizeof straight.src.strides);
    status = svm_messages_find(arguments, order, &straight, message->rank, plan->rank, &message->readings);
    message->is_readable = status == SV_OK;
    sv_view_release(element);
    return status;
}

/* is_able: of each rank of the machine, whether this one reads what it has. */
static sv_status plan_all(const struct svm_arguments *arguments, const int32_t *order,
                          const struct svm_exchange *exchange, const struct source *sources, struct sv_mpi_plan *plan,
                          int *is_able)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < plan->receives.count && status == SV_OK; i++) {
        struct svm_message *message = &plan->receives.items[i];

        if (!message->is_near)
            continue;
        status = plan_copies(arguments, order, exchange, &sources[plan->near.ranks[message->rank]], plan, message);
        is_able[plan->near.ranks[message->rank]] = message->is_readable;
    }
    return status;
}

sv_status svm_reading_prepare(const struct svm_arguments *arguments, const int32_t *order,
                              const struct svm_exchange *exchange, struct sv_mpi_plan *plan)
{
    struct source mine = {{0}, {0}}, *sources;
    int size = 0, *is_able;
    sv_status status = SV_OK;

    MPI_Comm_size(plan->near.comm, &size);
    sources = malloc((size_t)size * sizeof *sources);
    is_able = calloc(2 * (size_t)size, sizeof *is_able); /* what this rank can read, and who can read what it has */
    if (sources == NULL || is_able == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for where the sources of %d ranks are", size);
    if ((status = svm_agree(plan->comm, plan->rank, status, 0)) == SV_OK) {
        svm_reading_find(plan, sv_view_data(arguments->src), &mine.place);
        memcpy(mine.strides, exchange->src.strides, sizeof mine.strides);
        status =
            svm_of_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, sources, sizeof mine, MPI_BYTE, plan->near.comm),
                       "MPI_Allgather");
        if (status == SV_OK)
            status = plan_all(arguments, order, exchange, sources, plan, is_able);
        status = svm_agree(plan->comm, plan->rank, status, 0);
    }
    if (status == SV_OK)
        status = svm_agree(
            plan->comm, plan->rank,
            svm_of_mpi(MPI_Alltoall(is_able, 1, MPI_INT, is_able + size, 1, MPI_INT, plan->near.comm), "MPI_Alltoall"),
            0);
    for (int64_t i = 0; i < plan->sends.count && status == SV_OK; i++)
        if (plan->sends.items[i].is_near)
            plan->sends.items[i].is_readable = is_able[size + plan->near.ranks[plan->sends.items[i].rank]];
    free(is_able);
    free(sources);
    return status;
}
