/*
 * A part with its margins is a box of indices of the whole array, of which periodic axes go on at their other end. Along
 * each axis it is cut where the elements have another owner, and every choice of one stretch an axis is a piece, whose
 * owner fills it. So a margin may be wider than the part beside it, or than the whole array. The rank that gives a
 * piece cuts the boxes of all processes along an axis in the same way, and keeps what is its own.
 */
#include "margins.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* Consecutive elements of an axis that one process has and one process gets. */
struct stretch {
    int64_t process;  /* the other one of the two along this axis */
    int64_t dst, src; /* the first index in the part of who gets them, and of who has them, with their margins */
    int64_t extent;
    bool is_inside;   /* of the part, no margin of this axis */
};

struct stretches {
    struct stretch *items;
    int64_t count, capacity;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* --- one axis ---------------------------------------------------------------- */

static sv_status append(struct stretches *list, const struct stretch *stretch)
{
    struct stretch *items = svm_grow(list->items, list->count, &list->capacity, sizeof *items);

    if (items == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the margins of an axis");
    list->items = items;
    list->items[list->count++] = *stretch;
    return SV_OK;
}

enum { ANY = -1 };

/* What a process has around its part and in it, of one owner or of all. Blocks begin and end where parts do, so that no
 * stretch is in a part and in a margin. */
static sv_status find_stretches(const struct svm_margin *margin, int64_t process, int64_t wanted, struct stretches *out)
{
    const struct svm_axis *axis = &margin->axis;
    const int64_t size = svm_axis_local_extent(axis, process);

    if (size == 0)
        return SV_OK;

    const int64_t begin = process * axis->block, end = begin + size;
    const int64_t first = begin - margin->low, last = end + margin->high;
    const int64_t stop = margin->is_periodic ? last : least(last, axis->extent);
    int64_t at = margin->is_periodic || first > 0 ? first : 0, extent;

    for (; at < stop; at += extent) {
        const int64_t index = (at % axis->extent + axis->extent) % axis->extent;
        const int64_t owner = index / axis->block, inside = index % axis->block;
        struct stretch found = {owner, at - first, inside + margin->low, 0, at >= begin && at < end};
        sv_status status;

        extent = least(least(axis->block - inside, axis->extent - index), stop - at);
        found.extent = extent;
        if (wanted == ANY || wanted == owner) {
            if (wanted != ANY)
                found.process = process;
            if ((status = append(out, &found)))
                return status;
        }
    }
    return SV_OK;
}

/* --- all axes ---------------------------------------------------------------- */

void svm_bundle_free(struct svm_bundle *bundle)
{
    for (int64_t i = 0; i < bundle->count; i++)
        sv_plan_release(bundle->pieces[i].plan);
    if (bundle->type != MPI_BYTE)
        MPI_Type_free(&bundle->type);
    free(bundle->pieces);
    *bundle = (struct svm_bundle){.type = MPI_BYTE};
}

void svm_bundles_free(struct svm_bundles *bundles)
{
    for (int64_t i = 0; i < bundles->count; i++)
        svm_bundle_free(&bundles->items[i]);
    free(bundles->items);
    *bundles = (struct svm_bundles){0};
}

/* The bundle of a rank, which is made where there is none, and for a piece that is alone. */
static struct svm_bundle *find_bundle(struct svm_bundles *bundles, int32_t rank, bool is_alone)
{
    for (int64_t i = bundles->count - 1; i >= 0 && !is_alone; i--)
        if (bundles->items[i].rank == rank && !bundles->items[i].is_alone)
            return &bundles->items[i];

    struct svm_bundle *items = svm_grow(bundles->items, bundles->count, &bundles->capacity, sizeof *items);

    if (items == NULL)
        return NULL;
    bundles->items = items;
    bundles->items[bundles->count] = (struct svm_bundle){.rank = rank, .is_alone = is_alone, .type = MPI_BYTE};
    return &bundles->items[bundles->count++];
}

static sv_status add_piece(struct svm_bundles *bundles, int32_t rank, bool is_alone, const struct svm_piece *piece)
{
    struct svm_bundle *bundle = find_bundle(bundles, rank, is_alone);

    if (bundle == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the messages of a halo");

    struct svm_piece *pieces = svm_grow(bundle->pieces, bundle->count, &bundle->capacity, sizeof *pieces);

    if (pieces == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the pieces of a margin");
    bundle->pieces = pieces;
    bundle->pieces[bundle->count++] = *piece;
    return SV_OK;
}

/* Who has the part at this place of the grid, which is not empty. */
static int32_t rank_at(const struct svm_margins *margins, const struct stretch *const *stretches)
{
    int64_t index[SVM_MAX_NDIM];
    int32_t rank = 0;

    for (int32_t k = 0; k < margins->ndim; k++)
        index[margins->axes[k].number] = stretches[k]->process * margins->axes[k].axis.block;
    sv_mpi_distribution_place(margins->distribution, index, &rank, NULL);
    return rank;
}

/* One stretch of each axis: a piece, unless it lies in the part, or is an edge that nobody asked for. */
static sv_status add_choice(const struct svm_margins *margins, const struct stretch *const *stretches,
                            struct svm_bundles *out)
{
    struct svm_piece piece = {.size = 1};
    int32_t outside = 0;

    for (int32_t k = 0; k < margins->ndim; k++) {
        const struct stretch *stretch = stretches[k];

        outside += !stretch->is_inside;
        piece.shape[k] = stretch->extent;
        piece.size *= stretch->extent;
        piece.dst += stretch->dst * margins->axes[k].stride;
        piece.src += stretch->src * margins->axes[k].stride;
    }
    if (outside == 0 || (outside > 1 && !margins->has_edges))
        return SV_OK;

    const int32_t rank = rank_at(margins, stretches);

    return add_piece(out, rank, rank != margins->rank && piece.size >= margins->alone, &piece);
}

/* Every choice of one stretch an axis, in C order. */
static sv_status add_choices(const struct svm_margins *margins, const struct stretches *axes, struct svm_bundles *out)
{
    int64_t chosen[SVM_MAX_NDIM] = {0};
    int32_t k;

    for (k = 0; k < margins->ndim; k++)
        if (axes[k].count == 0)
            return SV_OK;
    for (;;) {
        const struct stretch *each[SVM_MAX_NDIM];
        sv_status status;

        for (k = 0; k < margins->ndim; k++)
            each[k] = &axes[k].items[chosen[k]];
        if ((status = add_choice(margins, each, out)))
            return status;
        for (k = margins->ndim - 1; k >= 0 && ++chosen[k] == axes[k].count; k--)
            chosen[k] = 0;
        if (k < 0)
            return SV_OK;
    }
}

static sv_status find(const struct svm_margins *margins, const int64_t *place, bool is_given, struct svm_bundles *out)
{
    struct stretches axes[SVM_MAX_NDIM] = {{0}};
    sv_status status = SV_OK;

    for (int32_t k = 0; k < margins->ndim && status == SV_OK; k++) {
        const struct svm_margin *margin = &margins->axes[k];

        if (!is_given)
            status = find_stretches(margin, place[k], ANY, &axes[k]);
        for (int64_t process = 0; is_given && process < margin->axis.count && status == SV_OK; process++)
            status = find_stretches(margin, process, place[k], &axes[k]);
    }
    if (status == SV_OK)
        status = add_choices(margins, axes, out);
    for (int32_t k = 0; k < margins->ndim; k++)
        free(axes[k].items);
    return status;
}

sv_status svm_margins_filled(const struct svm_margins *margins, const int64_t *place, struct svm_bundles *out)
{
    return find(margins, place, false, out);
}

sv_status svm_margins_given(const struct svm_margins *margins, const int64_t *place, struct svm_bundles *out)
{
    return find(margins, place, true, out);
}
