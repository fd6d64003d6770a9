/* The messages of a plan, one to and one from each rank that shares elements with this one, and their chunks. */
#include "messages.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "failure.h"
#include "grow.h"

/* The places of a rank in both grids, in the order of a message. */
struct places {
    bool is_dst, is_src;
    int64_t dst[SVM_MAX_NDIM], src[SVM_MAX_NDIM];
};

static void find_places(const struct svm_arguments *arguments, const int32_t *order, int32_t rank, struct places *out)
{
    int64_t dst[SVM_MAX_NDIM] = {0}, src[SVM_MAX_NDIM] = {0};

    out->is_dst = svm_distribution_coordinates(arguments->to, rank, dst);
    out->is_src = svm_distribution_coordinates(arguments->from, rank, src);
    for (int32_t k = 0; k < arguments->to->ndim; k++) {
        out->dst[k] = dst[order[k]];
        out->src[k] = src[arguments->axes[order[k]]];
    }
}

/* Parts one after another, until a chunk is full. */
static sv_status make_chunks(struct svm_message *message, int64_t limit)
{
    bool is_packed = message->is_near;

    message->chunks = malloc((size_t)message->parts.count * sizeof *message->chunks);
    if (message->chunks == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the chunks of a message");
    for (int64_t i = 0; i < message->parts.count; i++) {
        const int64_t nbytes = message->parts.items[i].nbytes;
        struct svm_chunk *last = message->count > 0 ? &message->chunks[message->count - 1] : NULL;

        if (last != NULL && last->nbytes + nbytes <= limit) {
            last->nbytes += nbytes;
            last->count++;
        } else {
            message->chunks[message->count++] = (struct svm_chunk){i, 1, nbytes};
        }
    }
    for (int64_t i = 0; i < message->count; i++) {
        const struct svm_chunk *chunk = &message->chunks[i];

        is_packed |= chunk->count > 1 || message->parts.items[chunk->first].plan != NULL;
        if (message->slot_size < chunk->nbytes)
            message->slot_size = chunk->nbytes;
    }
    message->slot_size =
        is_packed ? (message->slot_size + SVM_SLOT_ALIGNMENT - 1) / SVM_SLOT_ALIGNMENT * SVM_SLOT_ALIGNMENT : 0;
    return SV_OK;
}

/* A run of bytes that shares its chunk, or goes by shared memory, is copied like any other part. */
static sv_status plan_runs(const struct svm_exchange *exchange, struct svm_message *message, enum svm_here here)
{
    for (int64_t i = 0; i < message->count; i++)
        for (int64_t k = 0; k < message->chunks[i].count && (message->is_near || message->chunks[i].count > 1); k++) {
            struct svm_part *part = &message->parts.items[message->chunks[i].first + k];
            const struct svm_box run = {1, {part->nbytes / exchange->itemsize}, {exchange->itemsize}};
            const sv_view *side = here == SVM_HERE_DST ? exchange->dst.view : exchange->src.view;
            sv_status status;

            if (part->plan == NULL &&
                (status = here == SVM_HERE_DST
                              ? svm_box_plan(side, &run, exchange->packed, &run, exchange->flags, &part->plan)
                              : svm_box_plan(exchange->packed, &run, side, &run, exchange->flags, &part->plan)))
                return status;
        }
    return SV_OK;
}

static void free_message(struct svm_message *message)
{
    svm_parts_free(&message->parts);
    svm_parts_free(&message->readings);
    svm_block_unmap(&message->mapping);
    free(message->chunks);
}

void svm_messages_free(struct sv_mpi_plan *plan)
{
    for (int64_t i = 0; i < plan->sends.count; i++)
        free_message(&plan->sends.items[i]);
    for (int64_t i = 0; i < plan->receives.count; i++)
        free_message(&plan->receives.items[i]);
    free(plan->sends.items);
    free(plan->receives.items);
    plan->sends = plan->receives = (struct svm_messages){0};
    svm_parts_free(&plan->own);
    plan->buffer_bytes = plan->near_bytes = plan->sent_bytes = 0;
}

static sv_status add_message(const struct svm_exchange *exchange, struct sv_mpi_plan *plan, int32_t rank,
                             const int64_t *to, const int64_t *from, enum svm_here here, struct svm_messages *out)
{
    const bool is_near = plan->near.ranks != NULL && plan->near.ranks[rank] != MPI_UNDEFINED;
    struct svm_message message = {.rank = rank, .is_send = here == SVM_HERE_SRC, .is_near = is_near};
    sv_status status = svm_parts_find(exchange, to, from, here, &message.parts);

    if (status == SV_OK && message.parts.count > 0 && (status = make_chunks(&message, exchange->chunk)) == SV_OK)
        status = plan_runs(exchange, &message, here);
    if (status == SV_OK && message.parts.count > 0) {
        struct svm_message *items = svm_grow(out->items, out->count, &out->capacity, sizeof *items);

        if (items == NULL)
            status = svm_fail(SV_ERROR_MEMORY, "no memory for the messages of a plan");
        else
            out->items = items;
    }
    if (status != SV_OK || message.parts.count == 0) {
        free_message(&message);
        return status;
    }

    int64_t *nbytes = is_near ? &plan->near_bytes : &plan->buffer_bytes;

    message.slot = *nbytes;
    if (!is_near || here == SVM_HERE_SRC)
        *nbytes += SVM_SLOTS * (message.slot_size + (is_near ? (int64_t)sizeof(struct svm_signals) : 0));
    for (int64_t i = 0; i < message.count && here == SVM_HERE_SRC; i++)
        plan->sent_bytes += message.chunks[i].nbytes;
    out->items[out->count++] = message;
    return SV_OK;
}

sv_status svm_messages_find(const struct svm_arguments *arguments, const int32_t *order,
                            const struct svm_exchange *exchange, int32_t from, int32_t to, struct svm_parts *out)
{
    struct places source, target;

    find_places(arguments, order, from, &source);
    find_places(arguments, order, to, &target);
    return svm_parts_find(exchange, target.dst, source.src, SVM_HERE_BOTH, out);
}

sv_status svm_messages_add(const struct svm_arguments *arguments, const int32_t *order,
                           const struct svm_exchange *exchange, struct sv_mpi_plan *plan)
{
    struct places here, there;
    sv_status status = SV_OK;

    plan->near_bytes = plan->near.ranks != NULL ? SVM_MESSAGES : 0;
    find_places(arguments, order, plan->rank, &here);
    if (here.is_dst && here.is_src)
        status = svm_parts_find(exchange, here.dst, here.src, SVM_HERE_BOTH, &plan->own);
    for (int32_t distance = 1; distance < plan->size && status == SV_OK; distance++) {
        const int32_t next = (int32_t)(((int64_t)plan->rank + distance) % plan->size);
        const int32_t before = (int32_t)(((int64_t)plan->rank + plan->size - distance) % plan->size);

        find_places(arguments, order, next, &there);
        if (here.is_src && there.is_dst)
            status = add_message(exchange, plan, next, there.dst, here.src, SVM_HERE_SRC, &plan->sends);
        find_places(arguments, order, before, &there);
        if (status == SV_OK && here.is_dst && there.is_src)
            status = add_message(exchange, plan, before, here.dst, there.src, SVM_HERE_DST, &plan->receives);
    }
    return status;
}

sv_status svm_messages_plan_far(const struct svm_arguments *arguments, const int32_t *order,
                                const struct svm_exchange *exchange, struct sv_mpi_plan *plan)
{
    struct svm_exchange far = *exchange;
    struct places here, there;
    sv_status status = SV_OK;

    far.flags |= SV_COPY_NON_TEMPORAL;
    find_places(arguments, order, plan->rank, &here);
    for (int64_t i = 0; i < plan->sends.count && status == SV_OK; i++) {
        struct svm_message *message = &plan->sends.items[i];

        if (!message->is_far)
            continue;
        svm_parts_free(&message->parts);
        find_places(arguments, order, message->rank, &there);
        if ((status = svm_parts_find(&far, there.dst, here.src, SVM_HERE_SRC, &message->parts)) == SV_OK)
            status = plan_runs(&far, message, SVM_HERE_SRC);
    }
    return status;
}

/* --- shared memory ------------------------------------------------------------ */

static void tell_slots(void *owner, struct svm_slots *told)
{
    const struct sv_mpi_plan *plan = owner;

    for (int64_t i = 0; i < plan->sends.count; i++) {
        const struct svm_message *message = &plan->sends.items[i];

        if (message->is_near)
            told[plan->near.ranks[message->rank]] = (struct svm_slots){message->slot, message->slot_size};
    }
}

/* The memory of this rank is all 0 before others look at it. */
static void find_slots(void *owner, struct svm_slots *told, struct svm_slots *found)
{
    struct sv_mpi_plan *plan = owner;
    const struct svm_near *near = &plan->near;

    (void)told;
    for (int64_t i = 0; i < plan->sends.count; i++) {
        struct svm_message *message = &plan->sends.items[i];

        if (!message->is_near)
            continue;
        message->signals = (void *)(near->bases[near->own] + message->slot);
        memset(message->signals, 0, SVM_SLOTS * sizeof *message->signals);
    }
    for (int64_t i = 0; i < plan->receives.count; i++) {
        struct svm_message *message = &plan->receives.items[i];
        const int number = near->ranks[message->rank];

        if (!message->is_near)
            continue;
        message->signals = (void *)(near->bases[number] + found[number].offset);
        message->slot_size = found[number].slot_size;
    }
}

static const struct svm_telling telling = {tell_slots, find_slots};

sv_status svm_messages_share(struct sv_mpi_plan *plan)
{
    struct svm_near *near = &plan->near;
    const sv_status status = svm_near_allocate(plan->comm, plan->rank, plan->near_bytes, near);

    if (status != SV_OK)
        return status;
    memset(near->bases[near->own], 0, SVM_MESSAGES);
    return svm_near_tell(plan->comm, plan->rank, near, &telling, plan);
}
