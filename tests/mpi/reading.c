/*
 * Sources in memory that the other ranks of the machine read: random redistributions in which some sources lie there and
 * others do not, against the number that each element has; which way they went is looked up in the plan. Run by mpiexec.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "../../mpi/src/plan.h"
#include "pairs.h"

enum { MAX_ELEMENTS = 2 * 2 * 2 * 1728 };

static sv_allocator *shared;

/* --- arrays -------------------------------------------------------------------- */

/* Writes the number of each element that this rank has by a view, or compares it. */
static bool visit(const struct pair *it, const sv_mpi_distribution *distribution, const int32_t *axes, const sv_view *view,
                  bool is_written)
{
    const sv_layout *layout = sv_view_layout(view);
    int64_t local[MAX_NDIM] = {0}, index[MAX_NDIM], source[MAX_NDIM];

    if (sv_layout_size(layout) == 0)
        return true;
    do {
        char *at = sv_view_data(view);
        int64_t number = 0;

        if (sv_mpi_distribution_index(distribution, rank, local, index) != SV_OK)
            return false;
        for (int32_t k = 0; k < it->ndim; k++) {
            at += local[k] * sv_layout_byte_strides(layout)[k];
            source[axes != NULL ? axes[k] : k] = index[k];
        }
        for (int32_t k = 0; k < it->ndim; k++)
            number = number * it->shape[k] + source[k];
        if (sv_view_dtype(view) == SV_FLOAT32) {
            if (is_written)
                *(float *)at = (float)number;
            else if (*(const float *)at != (float)number)
                return false;
        } else if (is_written) {
            *(double *)at = (double)number;
        } else if (*(const double *)at != (double)number) {
            return false;
        }
    } while (advance(it->ndim, sv_layout_shape(layout), local));
    return true;
}

/* A view with gaps and one axis backwards, the same on all ranks but for its extents. */
static sv_view *make_view(const struct pair *it, const sv_mpi_distribution *distribution, sv_dtype dtype, char *memory)
{
    int64_t shape[MAX_NDIM], strides[MAX_NDIM], step = dtype == SV_FLOAT32 ? 4 : 8, first = 0;
    const int64_t gap = random_between(1, 2), backwards = random_between(0, it->ndim);
    sv_view *view = NULL;

    sv_mpi_distribution_local_shape(distribution, rank, shape);
    for (int32_t k = it->ndim - 1; k >= 0; k--) {
        strides[k] = step * gap;
        step *= gap * (shape[k] > 0 ? shape[k] : 1);
        if (k == backwards && shape[k] > 0) {
            first = (shape[k] - 1) * strides[k];
            strides[k] = -strides[k];
        }
    }
    if (sv_view_from_host(dtype, it->ndim, shape, strides, memory + first, 0, &view) != SV_OK)
        printf("# %s\n", sv_last_message());
    return view;
}

/* Another memory for the elements of a view, with the same strides. */
static sv_view *move_view(const sv_view *view, const char *memory, char *other)
{
    const sv_layout *layout = sv_view_layout(view);
    sv_view *moved = NULL;

    sv_view_from_host(sv_view_dtype(view), sv_layout_ndim(layout), sv_layout_shape(layout), sv_layout_byte_strides(layout),
                      other + ((char *)sv_view_data(view) - memory), 0, &moved);
    return moved;
}

/* --- executions ---------------------------------------------------------------- */

/* How many messages to this rank were read from where they lay in the last execution. */
static int64_t count_read(const sv_mpi_plan *plan)
{
    int64_t read = 0;

    for (int64_t i = 0; i < plan->receives.count; i++)
        read += plan->receives.items[i].is_readable && plan->receives.items[i].signals[0].place.number != 0;
    return read;
}

static bool execute(const struct pair *it, sv_mpi_plan *plan, const sv_view *dst, const sv_view *src, void *dst_memory)
{
    memset(dst_memory, 0xee, MAX_ELEMENTS * sizeof(double));
    return visit(it, it->from, NULL, src, true) && on_all(true) && sv_mpi_plan_execute(plan, dst, src) == SV_OK &&
           visit(it, it->to, it->axes, dst, false);
}

/* Sources of ranks below `sharing` lie in shared memory: when the plan is made, in an execution with another block, and in
 * one whose sources lie elsewhere. */
static bool run(const struct pair *it, int sharing)
{
    static double dst_memory[MAX_ELEMENTS], own[MAX_ELEMENTS];
    sv_buffer *blocks[2] = {NULL, NULL};
    sv_mpi_plan *plan = NULL;
    sv_allocator *allocator = rank < sharing ? shared : NULL;
    bool good = sv_buffer_new(allocator, sizeof own, 0, 0, 0, &blocks[0]) == SV_OK &&
                sv_buffer_new(allocator, sizeof own, 0, 0, 0, &blocks[1]) == SV_OK;
    char *memory = sv_buffer_data(blocks[0]);
    sv_view *dst = make_view(it, it->to, random_between(0, 1) ? SV_FLOAT32 : SV_FLOAT64, (char *)dst_memory);
    sv_view *src = make_view(it, it->from, SV_FLOAT64, memory);
    sv_view *other = move_view(src, memory, sv_buffer_data(blocks[1])), *away = move_view(src, memory, (char *)own);
    int64_t expected = 0;

    good = on_all(good && sv_mpi_plan_new(MPI_COMM_WORLD, it->to, it->from, it->axes, dst, src, SV_COPY_CAST_UNSAFE, 64,
                                          &plan) == SV_OK);
    for (int64_t i = 0; good && i < plan->receives.count; i++)
        expected += plan->receives.items[i].rank < sharing;
    good = good && execute(it, plan, dst, src, dst_memory) && count_read(plan) == expected;
    good = on_all(good) && execute(it, plan, dst, other, dst_memory) && count_read(plan) == expected;
    good = on_all(good) && execute(it, plan, dst, away, dst_memory) && count_read(plan) == 0;
    good = on_all(good) && execute(it, plan, dst, src, dst_memory) && count_read(plan) == expected;
    sv_mpi_plan_free(plan);
    sv_view_release(away);
    sv_view_release(other);
    sv_view_release(src);
    sv_view_release(dst);
    sv_buffer_release(blocks[1]);
    sv_buffer_release(blocks[0]);
    return good;
}

static bool test_random(int rounds)
{
    for (int round = 0; round < rounds; round++) {
        struct pair it;
        bool good;

        random_begin((uint64_t)(400000 + round));
        choose_pair(&it, ranks);
        good = run(&it, (int)random_between(0, 2) > 0 ? ranks : (int)random_between(0, ranks));
        free_pair(&it);
        if (!on_all(good)) {
            if (rank == 0)
                printf("# round %d\n", round);
            return false;
        }
    }
    return true;
}

/* --- blocks -------------------------------------------------------------------- */

/* An address is found in its block, with all bytes around it, and nowhere else. */
static bool test_places(void)
{
    sv_buffer *block = NULL;
    struct svm_mapping mapping = {0};
    struct svm_place place, next;
    const int64_t nbytes = 10000;
    static char outside[100];
    bool good = sv_buffer_new(shared, nbytes, 0, SV_BUFFER_ZERO, 0, &block) == SV_OK;
    char *base = sv_buffer_data(block);

    svm_block_find(base + 100, -100, nbytes - 100, &place);
    good &= place.number > 0 && place.offset == 100 && place.nbytes >= nbytes;
    svm_block_find(base + 100, -101, 8, &next);
    good &= next.number == 0;
    svm_block_find(base + 100, 0, place.nbytes - 99, &next);
    good &= next.number == 0;
    svm_block_find(outside, 0, 8, &next);
    good &= next.number == 0;
    base[100] = 77;
    good &= svm_block_map(&place, &mapping) == SV_OK && mapping.base[100] == 77 && mapping.base != base;
    next = place;
    next.number = place.number + 1;
    next.inode = place.inode + 1; /* another file than was told */
    good &= svm_block_map(&next, &mapping) == SV_ERROR_MEMORY && mapping.number == 0;
    next.descriptor = 99999;
    good &= svm_block_map(&next, &mapping) == SV_ERROR_MEMORY && mapping.number == 0;
    sv_buffer_release(block);
    svm_block_find(base, 0, 8, &next);
    return good && next.number == 0;
}

/* The system has no more descriptors, or no such memory: a status, and nothing is left. */
static bool test_refusals(void)
{
    struct rlimit kept, none;
    sv_buffer *block = NULL;
    bool good = sv_mpi_allocator_shared(NULL) == SV_ERROR_NULL;

    getrlimit(RLIMIT_NOFILE, &kept);
    none = kept;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    good &= sv_buffer_new(shared, 100, 0, 0, 0, &block) == SV_ERROR_MEMORY && block == NULL;
    none.rlim_cur = 200;
    setrlimit(RLIMIT_NOFILE, &none);
    good &= sv_buffer_new(shared, INT64_C(1) << 60, 0, 0, 0, &block) == SV_ERROR_MEMORY && block == NULL;
    for (int i = 0; i < 2000 && good; i++) { /* a descriptor that is left would be missed */
        good = sv_buffer_new(shared, 1, 0, 0, 0, &block) == SV_OK;
        sv_buffer_release(block);
    }
    setrlimit(RLIMIT_NOFILE, &kept);
    block = NULL;
    return good && sv_buffer_new(shared, 100, 1 << 16, 0, 0, &block) == SV_ERROR_UNSUPPORTED && block == NULL;
}

/* No memory of other ranks is mapped, and no block of this one is left. */
static bool test_rest(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1000];
    bool good = maps != NULL;

    while (good && fgets(line, sizeof line, maps) != NULL)
        good = strstr(line, "memfd:libsv_mpi") == NULL;
    if (maps != NULL)
        fclose(maps);
    return good;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    tap_ok(sv_mpi_allocator_shared(&shared) == SV_OK, "an allocator");
    tap_ok(test_places(), "addresses in blocks");
    tap_ok(test_refusals(), "blocks that are refused");
    tap_ok(test_random(argc > 1 ? atoi(argv[1]) : 60), "sources that are read where they lie");
    tap_ok(test_rest(), "what is left of them");
    sv_allocator_release(shared);
    return ranks_end();
}
