/*
 * The whole way of a copy, without a device: the library gives work to the fake CUDA runtime, which runs the library's
 * own kernels by the emulator when their turn on the stream has come.
 */
#include <string.h>

#include "device/backends.h"
#include "fake/fake.h"
#include "kernels.h"
#include "shapes.h"
#include "tap.h"
#include "support/pairs.h"
#include "host/front/host.h"
#include "gpu/cuda/cuda.h"

/* --- kernels of the fake runtime ---------------------------------------------------------------- */

struct range {
    uintptr_t begin, end;
};

struct taken {
    int32_t kernel;
    struct range written, read; /* by addresses of the device */
    char *dst;
    const char *src;
    unsigned char block[];
};

struct watcher {
    struct taken *taken;
    fake_touched *touched;
    void *with;
};

static int launches;

static void widen(struct range *range, uintptr_t begin, size_t nbytes)
{
    if (range->end == 0 || begin < range->begin)
        range->begin = begin;
    if (begin + nbytes > range->end)
        range->end = begin + nbytes;
}

static void watch(void *with, const void *memory, size_t nbytes, bool write)
{
    const struct watcher *watcher = with;

    widen(write ? &watcher->taken->written : &watcher->taken->read, (uintptr_t)memory, nbytes);
    watcher->touched(watcher->with, memory, nbytes, write);
}

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    int32_t kernel = 0;
    struct taken *taken;
    struct watcher watcher;

    while (strcmp(svi_kernel_name(kernel), name) != 0)
        kernel++;
    taken = calloc(1, sizeof *taken + svi_kernel_block_bytes(kernel));
    taken->kernel = kernel;
    taken->dst = *(char **)arguments[1];
    taken->src = *(const char **)arguments[2];
    memcpy(taken->block, arguments[0], svi_kernel_block_bytes(kernel));
    watcher = (struct watcher){taken, touched, with};
    free(fake_launched.take(name, config, arguments, watch, &watcher));
    return taken;
}

static struct emulated_region region_of(const struct range *range, uint8_t *writes)
{
    const size_t nbytes = range->end - range->begin;

    return (struct emulated_region){fake_bytes((void *)range->begin), nbytes, writes != NULL, writes};
}

static cudaError_t run(const char *name, const cudaLaunchConfig_t *config, void *with)
{
    const struct taken *taken = with;
    uint8_t *writes = calloc(taken->written.end - taken->written.begin + 1, 1);
    struct emulated_region regions[] = {region_of(&taken->written, writes), region_of(&taken->read, NULL)};
    const struct emulated_launch launch = {
        .kernel = emulated_kernel_of(taken->kernel),
        .block = taken->block,
        .block_nbytes = svi_kernel_block_bytes(taken->kernel),
        .dst = fake_bytes(taken->dst),
        .src = fake_bytes(taken->src),
        .grid = config->gridDim.x,
        .copies = config->gridDim.y,
        .threads = config->blockDim.x,
        .shared = (unsigned)config->dynamicSmemBytes,
        .order = EMULATED_SHUFFLED,
        .nregions = taken->read.end == 0 ? 1 : 2,
        .regions = regions,
    };
    enum emulated_fault fault;

    if (strncmp(name, "svi_box_", 8) == 0 || strncmp(name, "svi_permute_", 12) == 0) /* tiles at the end of an axis share items */
        regions[0].writes = NULL;
    fault = emulated_run(&launch, NULL);
    free(writes);
    launches++;
    if (fault != EMULATED_NOTHING)
        tap_note("%s: %s", name, emulated_text());
    return fault == EMULATED_NOTHING ? cudaSuccess : cudaErrorIllegalAddress;
}

/* --- sides ------------------------------------------------------------------------------------------- */

enum place { DEVICE, OTHER_DEVICE, PINNED, PAGEABLE };

static const struct {
    const char *name;
    enum place dst, src;
} ways[] = {
    {"on a device", DEVICE, DEVICE},
    {"from pageable memory", DEVICE, PAGEABLE},
    {"from pinned memory", DEVICE, PINNED},
    {"to pageable memory", PAGEABLE, DEVICE},
    {"to pinned memory", PINNED, DEVICE},
    {"to another device", OTHER_DEVICE, DEVICE},
};

static struct svi_device device_of(enum place place)
{
    switch (place) {
    case DEVICE:
        return (struct svi_device){SV_DEVICE_CUDA, 0};
    case OTHER_DEVICE:
        return (struct svi_device){SV_DEVICE_CUDA, 1};
    case PINNED:
        return (struct svi_device){SV_DEVICE_CUDA_HOST, 0};
    default:
        return (struct svi_device){SV_DEVICE_CPU, 0};
    }
}

struct side {
    enum place place;
    char *memory;
    size_t nbytes;
    int64_t first; /* bytes to the element [0,...,0] */
};

static struct side make_side(enum place place, const struct emulated_copy *copy, const int64_t *strides, int64_t item,
                             int64_t skew)
{
    struct side side = {.place = place};
    int64_t lower, upper;

    test_hull(copy->ndim, copy->shape, strides, item, &lower, &upper);
    side.first = skew - lower;
    side.nbytes = (size_t)(upper - lower + skew);
    side.memory = place == PAGEABLE ? malloc(side.nbytes)
                                    : fake_allocate(place == PINNED ? cudaMemoryTypeHost : cudaMemoryTypeDevice,
                                                    place == OTHER_DEVICE, side.nbytes);
    return side;
}

static void put(const struct side *side, const char *bytes)
{
    if (side->place == PAGEABLE)
        memcpy(side->memory, bytes, side->nbytes);
    else
        fake_write(side->memory, bytes, side->nbytes);
}

static void get(const struct side *side, char *bytes)
{
    if (side->place == PAGEABLE)
        memcpy(bytes, side->memory, side->nbytes);
    else
        fake_read(bytes, side->memory, side->nbytes);
}

static void end_side(const struct side *side)
{
    if (side->place == PAGEABLE)
        free(side->memory);
    else
        fake_free(side->memory);
}

static char *random_bytes(size_t nbytes)
{
    char *bytes = malloc(nbytes);

    for (size_t i = 0; i < nbytes; i++)
        bytes[i] = (char)test_random();
    return bytes;
}

/* Whether the copy that way leaves what the host engine does. */
static bool is_copied(size_t way, const struct emulated_copy *copy)
{
    const struct svi_device cpu = {SV_DEVICE_CPU, 0};
    const int64_t src_item = copy->scale != NULL ? copy->scale->src_itemsize : copy->itemsize;
    const struct side dst = make_side(ways[way].dst, copy, copy->dst, copy->itemsize, copy->dst_skew);
    const struct side src = make_side(ways[way].src, copy, copy->src, src_item, copy->src_skew);
    char *want = random_bytes(dst.nbytes), *from = random_bytes(src.nbytes), *found = malloc(dst.nbytes);
    struct svi_plan plan;
    bool ok;

    if (copy->scale != NULL)
        svi_affine_make_plan(copy->ndim, copy->shape, copy->dst, copy->src, 1, copy->scale->axis,
                             &copy->scale->affine, &plan);
    else
        svi_plan_make(copy->ndim, copy->shape, copy->dst, copy->src, copy->itemsize, &plan);
    put(&dst, want);
    put(&src, from);
    svi_host.copy(
        &(struct svi_request){&plan, cpu, want + dst.first, cpu, from + src.first, 0, SV_COPY_BLOCKING, NULL, NULL});
    ok = svi_cuda.copy(&(struct svi_request){&plan, device_of(dst.place), dst.memory + dst.first, device_of(src.place),
                                             src.memory + src.first, 2, 0, NULL, NULL}) == SV_OK;
    get(&dst, found);
    ok = ok && memcmp(found, want, dst.nbytes) == 0;
    free(found);
    free(from);
    free(want);
    end_side(&src);
    end_side(&dst);
    return ok;
}

/* --- copies -------------------------------------------------------------------------------------------- */

static const struct emulated_shape shapes[] = {
    {.name = "tiles", .itemsize = 4, .ndim = 2, .shape = {192, 128}, .order = {1, 0}},
    {.name = "odd tiles of bytes", .itemsize = 1, .ndim = 3, .shape = {3, 151, 253}, .order = {0, 2, 1}, .src_skew = 1},
    {.name = "odd tiles backwards", .itemsize = 8, .ndim = 2, .shape = {63, 131}, .order = {1, 0}, .step = -1},
    {.name = "long rows", .itemsize = 1, .ndim = 2, .shape = {3, 20001}, .order = {0, 1}, .dst_pad = 3},
    {.name = "short rows", .itemsize = 1, .ndim = 2, .shape = {100, 201}, .order = {0, 1}, .dst_pad = 3, .src_pad = 1},
    {.name = "items of 12 bytes", .itemsize = 12, .ndim = 2, .shape = {91, 73}, .order = {1, 0}, .dst_pad = 1},
    {.name = "short axes", .itemsize = 2, .ndim = 5, .shape = {5, 7, 3, 9, 4}, .order = {3, 1, 4, 0, 2}, .src_pad = 1},
    {.name = "steps", .itemsize = 2, .ndim = 3, .shape = {7, 11, 13}, .order = {0, 1, 2}, .dst_pad = 3, .step = 2},
    {.name = "backwards", .itemsize = 2, .ndim = 2, .shape = {5, 700}, .order = {0, 1}, .step = -1},
    {.name = "repeats", .itemsize = 4, .ndim = 2, .shape = {5, 700}, .order = {0, 1}, .dst_pad = 1, .repeat = true},
};

enum { SHAPES = sizeof shapes / sizeof *shapes, RANDOM_COPIES = 60 };

static struct emulated_copy random_copy(void)
{
    struct emulated_copy copy = {0};
    struct test_pair p;

    do
        test_pair_random(&p, 1500);
    while (test_pair_is_empty(&p));
    copy.ndim = p.ndim;
    copy.itemsize = p.itemsize;
    memcpy(copy.shape, p.shape, sizeof p.shape);
    memcpy(copy.dst, p.dst, sizeof p.dst);
    memcpy(copy.src, p.src, sizeof p.src);
    copy.dst_skew = test_between(0, 15);
    copy.src_skew = test_between(0, 15);
    return copy;
}

/* --- copies that scale --------------------------------------------------------------------------------- */

enum { SCALED_COPIES = 40, FACTORS = 3000 };

static const sv_dtype scaled_types[] = {SV_BOOL,    SV_UINT8,    SV_INT8,    SV_INT16,   SV_INT32,
                                        SV_FLOAT16, SV_BFLOAT16, SV_FLOAT32, SV_FLOAT64, SV_INT64};

static sv_dtype random_type(void)
{
    return scaled_types[test_between(0, sizeof scaled_types / sizeof *scaled_types - 1)];
}

static void lay_out(struct emulated_copy *copy, int64_t item, bool pads, int64_t *strides)
{
    int32_t order[COPY_NDIM];
    int64_t next = item;

    test_shuffle(copy->ndim, order);
    for (int32_t i = copy->ndim - 1; i >= 0; i--) {
        strides[order[i]] = next;
        next *= copy->shape[order[i]];
        next += pads ? item * test_between(0, 3) : 0;
    }
}

/* Along an axis of which one launch has not all values, now and then; a source that is repeated along it. */
static struct emulated_copy random_scaled_copy(int i)
{
    static struct emulated_scale scale;
    static double factors[2][FACTORS];
    const sv_dtype to = random_type(), from = random_type();
    const int64_t extent = i % 8 == 0 ? test_between(1000, FACTORS) : test_between(1, 40);
    struct emulated_copy copy = {.ndim = 3, .shape = {extent, test_between(1, 9), test_between(1, 40)},
                                 .itemsize = sv_dtype_itemsize(to), .scale = &scale};

    scale.src_itemsize = sv_dtype_itemsize(from);
    svi_affine_choose(to, from, test_between(0, 3) == 0, &scale.affine);
    for (int k = 0; k < FACTORS; k++) {
        factors[0][k] = (double)test_between(-300, 300) / 128;
        factors[1][k] = (double)test_between(-5000, 5000) / 64;
    }
    scale.affine.scale = (struct svi_factor){factors[0], test_between(0, 3) == 0 ? 1 : extent};
    scale.affine.bias = (struct svi_factor){test_between(0, 3) == 0 ? NULL : factors[1], extent};
    lay_out(&copy, copy.itemsize, test_between(0, 1), copy.dst);
    lay_out(&copy, scale.src_itemsize, test_between(0, 1), copy.src);
    if (test_between(0, 5) == 0)
        copy.src[0] = 0;
    copy.dst_skew = test_between(0, 1) ? 0 : test_between(0, 15);
    copy.src_skew = test_between(0, 1) ? 0 : test_between(0, 15);
    return copy;
}

static int count_wrong_scaled(size_t way)
{
    int bad = 0;

    for (int i = 0; i < SCALED_COPIES; i++) {
        const struct emulated_copy copy = random_scaled_copy(i);

        bad += !is_copied(way, &copy);
    }
    return bad;
}

static void test_way(size_t way, enum fake_policy policy, unsigned seed)
{
    static const char *const policies[] = {"at once", "as late as possible", "in any order"};
    const struct fake_kernels emulated = {take, run, fake_launched.names, NULL};
    int bad = 0;

    launches = 0;
    fake_start(policy, seed);
    fake_use_kernels(&emulated);
    for (size_t i = 0; i < SHAPES; i++) {
        const struct emulated_copy copy = emulated_copy_of(&shapes[i]);

        if (is_copied(way, &copy))
            continue;
        tap_note("%s are wrong", shapes[i].name);
        bad++;
    }
    for (int i = 0; i < RANDOM_COPIES; i++) {
        const struct emulated_copy copy = random_copy();

        bad += !is_copied(way, &copy);
    }
    bad += count_wrong_scaled(way);
    fake_use_kernels(NULL);
    tap_ok(bad == 0 && launches > 0, "%d copies %s, work is done %s: %d launches", SHAPES + RANDOM_COPIES + SCALED_COPIES,
           ways[way].name, policies[policy], launches);
    if (!tap_ok(*fake_end() == '\0', "no fault of the runtime"))
        tap_note("%s", fake_text());
}

int main(void)
{
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (unsigned policy = 0; policy < FAKE_POLICIES; policy++)
            test_way(way, (enum fake_policy)policy, (unsigned)way + 1);
    return tap_done();
}
