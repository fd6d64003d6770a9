/* Conversions by every instruction set, dense and of every layout, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/alloc.h"
#include "support/arena.h"
#include "support/numbers.h"
#include "support/no_memory.h"
#include "host/front/compound.h"
#include "host/convert/convert.h"
#include "host/isa/baseline.h"

TestSuite(host_cast, .init = set_up);

static struct svi_chain chain_of(sv_dtype dst, sv_dtype src, bool swapped)
{
    struct svi_chain chain;

    cr_assert_eq(svi_chain_find(dst, src, true, swapped, &chain), SV_OK);
    return chain;
}

/* --- what single numbers become --------------------------------------------- */

static const struct {
    const char *name;
    sv_dtype dst, src;
    uint64_t to, from;
} rows[] = {
    {"300 keeps its low bits", SV_UINT8, SV_FLOAT32, 44, 0x43960000},
    {"-1.5 is cut off, then keeps its low bits", SV_UINT16, SV_FLOAT32, 0xffff, 0xbfc00000},
    {"3e9 wraps", SV_INT32, SV_FLOAT64, 0xb2d05e00, 0x41e65a0bc0000000},
    {"2^63 wraps", SV_INT64, SV_FLOAT64, 0x8000000000000000, 0x43e0000000000000},
    {"2^64 - 2^11", SV_UINT64, SV_FLOAT64, 0xfffffffffffff800, 0x43efffffffffffff},
    {"2^64 and more: no low bits", SV_UINT64, SV_FLOAT64, 0, 0x43f0000000000000},
    {"2^64 + 2^12 has some", SV_UINT64, SV_FLOAT64, 4096, 0x43f0000000000001},
    {"NaN to an integer", SV_INT32, SV_FLOAT32, 0, 0x7fc00000},
    {"infinity to an integer", SV_INT64, SV_FLOAT16, 0, 0xfc00},
    {"-1 without sign", SV_UINT32, SV_INT8, 0xffffffff, 0xff},
    {"a sign extended", SV_INT64, SV_INT16, 0xffffffffffff8000, 0x8000},
    {"2 is true", SV_INT32, SV_BOOL, 1, 2},
    {"-0 is false", SV_BOOL, SV_FLOAT64, 0, 0x8000000000000000},
    {"NaN is true", SV_BOOL, SV_FLOAT8_E4M3FNUZ, 1, 0x80},
    {"a subnormal is true", SV_BOOL, SV_FLOAT32, 1, 1},
    {"i is true", SV_BOOL, SV_COMPLEX64, 1, 0x3f80000000000000},
    {"-0 - 0i is false", SV_BOOL, SV_COMPLEX32, 0, 0x80008000},
    {"a half above an even", SV_FLOAT16, SV_FLOAT32, 0x3c00, 0x3f801000},
    {"a half above an odd", SV_FLOAT16, SV_FLOAT32, 0x3c02, 0x3f803000},
    {"more than a half, by the last bit of 53", SV_FLOAT16, SV_FLOAT64, 0x3c01, 0x3ff0020000000001},
    {"the same to bfloat16", SV_BFLOAT16, SV_FLOAT64, 0x3f81, 0x3ff0100000000001},
    {"the same of an integer", SV_BFLOAT16, SV_UINT64, 0x5f01, 0x8080000000000001},
    {"2^63 - 1", SV_FLOAT32, SV_INT64, 0x5f000000, 0x7fffffffffffffff},
    {"2^64 - 1", SV_FLOAT16, SV_UINT64, 0x7c00, 0xffffffffffffffff},
    {"too large: infinity", SV_FLOAT16, SV_FLOAT32, 0x7c00, 0x477ff000},
    {"just not too large", SV_FLOAT16, SV_FLOAT32, 0x7bff, 0x477fefff},
    {"subnormal, half", SV_FLOAT16, SV_FLOAT32, 0, 0x33000000},
    {"subnormal, more than half", SV_FLOAT16, SV_FLOAT32, 1, 0x33000001},
    {"subnormal of bfloat16", SV_BFLOAT16, SV_FLOAT64, 0x0001, 0x3790000000000001},
    {"464 to e4m3fn is even", SV_FLOAT8_E4M3FN, SV_FLOAT32, 0x7e, 0x43e80000},
    {"too large for e4m3fn: NaN", SV_FLOAT8_E4M3FN, SV_FLOAT64, 0x7f, 0x407d000000000001},
    {"infinity to e4m3fnuz: NaN", SV_FLOAT8_E4M3FNUZ, SV_FLOAT32, 0x80, 0x7f800000},
    {"-0 to e5m2fnuz: 0", SV_FLOAT8_E5M2FNUZ, SV_FLOAT32, 0, 0x80000000},
    {"infinity of e5m2", SV_FLOAT32, SV_FLOAT8_E5M2, 0xff800000, 0xfc},
    {"0 to e8m0fnu: NaN", SV_FLOAT8_E8M0FNU, SV_FLOAT32, 0xff, 0},
    {"3 to e8m0fnu", SV_FLOAT8_E8M0FNU, SV_FLOAT32, 0x81, 0x40400000},
    {"NaN stays NaN, with its sign", SV_FLOAT16, SV_FLOAT32, 0xfe00, 0xff800001},
    {"NaN keeps the upper bits of its payload, which are 0", SV_FLOAT16, SV_FLOAT64, 0x7e00, 0x7ff0000000000001},
    {"the real part", SV_FLOAT32, SV_COMPLEX64, 0x40000000, 0x4040000040000000},
    {"no imaginary part", SV_COMPLEX64, SV_FLOAT32, 0x40000000, 0x40000000},
};

Test(host_cast, single_numbers)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int m = 0; m < machine_count; m += 2) {
            const struct svi_chain chain = chain_of(rows[i].dst, rows[i].src, false);
            uint64_t to = 0;

            svi_host_convert(machines[m].isa, &chain, (char *)&to, (const char *)&rows[i].from, 1);
            cr_expect_eq(to, rows[i].to, "%s by %s: 0x%llx", rows[i].name, machines[m].isa->name,
                         (unsigned long long)to);
        }
}

/* --- dense: every operation, every length, every alignment -------------------- */

static void one_by_one(const struct svi_chain *chain, unsigned char *dst, const unsigned char *src, int64_t count)
{
    const size_t to = svi_chain_dst_bytes(chain), from = svi_chain_src_bytes(chain);

    for (int64_t k = 0; k < count; k++)
        svi_host_convert(&svi_isa_plain, chain, (char *)dst + (size_t)k * to, (const char *)src + (size_t)k * from, 1);
}

static void check_dense(const struct svi_isa *isa, const struct svi_chain *chain, int64_t count, int64_t place)
{
    const size_t to = svi_chain_dst_bytes(chain) * (size_t)count, from = svi_chain_src_bytes(chain) * (size_t)count;
    unsigned char *dst = place < 0 ? dst_arena + ARENA - to : dst_arena + place;
    const unsigned char *src = place < 0 ? src_arena + ARENA - from : src_arena + place;

    one_by_one(chain, expected, src, count);
    svi_host_convert(isa, chain, (char *)dst, (const char *)src, count);
    cr_assert_eq(memcmp(dst, expected, to), 0, "%s: first step %d of %d, %d items at %d", isa->name,
                 chain->steps[0].op, chain->count, (int)count, (int)place);
}

Test(host_cast, dense)
{
    static const int64_t counts[] = {1, 63, 64, 65, 128, 257, 700};
    static const int64_t places[] = {0, -1, 1};

    for (int i = 0; i < NUMBERS; i++)
        for (int j = 0; j < 2 * NUMBERS; j++) {
            const struct svi_chain chain = chain_of(numbers[i], numbers[j / 2], j % 2 && i % 5 == 0);

            for (int k = 0; chain.count > 0 && k < 7; k++)
                for (int m = 0; m < machine_count; m += 2)
                    check_dense(machines[m].isa, &chain, counts[k], places[(i + j + k) % 3]);
        }
}

/* There is no conversion to another type. */
Test(host_cast, numbers_of_16_bytes_swapped)
{
    const struct svi_chain chain = chain_of(SV_FLOAT128, SV_FLOAT128, true);
    const int64_t count = 700;

    for (int m = 0; m < machine_count; m += 2) {
        svi_host_convert(machines[m].isa, &chain, (char *)dst_arena + 1, (const char *)src_arena + 7, count);
        for (int64_t k = 0; k < 16 * count; k++)
            cr_assert_eq(dst_arena[1 + k], src_arena[7 + k / 16 * 16 + 15 - k % 16], "%s: byte %d",
                         machines[m].isa->name, (int)k);
    }
}

/* --- any layout --------------------------------------------------------------- */

static void random_strides(const struct test_pair *p, int64_t item, int64_t *strides)
{
    int64_t next = item;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (test_between(0, 5) == 0)
            next += test_between(1, 3) * item;
        if (i > 0 && test_between(0, 2) == 0)
            next = (next + 63) / 64 * 64;
        strides[k] = test_between(0, 5) == 0 ? -next : next;
        next *= p->shape[k];
    }
}

/* Bytes from the first one of the hull to the element [0,...,0], and of the hull. */
static int64_t origin(const struct test_pair *p, const int64_t *strides, int64_t item, int64_t *nbytes)
{
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, item, &lower, &upper);
    *nbytes = upper - lower;
    return -lower;
}

static void random_shape(struct test_pair *p)
{
    int64_t left = 6000;

    p->ndim = (int32_t)test_between(1, 4);
    for (int32_t k = 0; k < p->ndim; k++) {
        const int64_t most = test_between(0, 1) ? 5 : test_between(0, 9) ? 300 : 2000;

        p->shape[k] = test_between(1, most < left ? most : left);
        left /= p->shape[k];
    }
}

/* What one_by_one() makes of each element; all of them at once, which takes less time. */
static void copy_all(const struct test_pair *p, const struct svi_chain *chain, int32_t lanes, unsigned char *dst,
                     const unsigned char *src)
{
    const size_t to = svi_chain_dst_bytes(chain) * (size_t)lanes, from = svi_chain_src_bytes(chain) * (size_t)lanes;
    static unsigned char before[ARENA], after[ARENA];
    int64_t index[PAIR_NDIM] = {0}, count = 0;

    do
        memcpy(before + (size_t)count++ * from, src + test_offset(p->ndim, index, p->src), from);
    while (test_next(p->ndim, p->shape, index));
    svi_host_convert(&svi_isa_plain, chain, (char *)after, (const char *)before, count * lanes);
    count = 0;
    do
        memcpy(dst + test_offset(p->ndim, index, p->dst), after + (size_t)count++ * to, to);
    while (test_next(p->ndim, p->shape, index));
}

static void check_layout(const struct svi_machine *machine, const struct test_pair *p, const struct svi_chain *chain,
                         int32_t lanes)
{
    int64_t dst_bytes, src_bytes;
    const int64_t dst_origin = origin(p, p->dst, (int64_t)svi_chain_dst_bytes(chain) * lanes, &dst_bytes);
    const int64_t src_origin = origin(p, p->src, (int64_t)svi_chain_src_bytes(chain) * lanes, &src_bytes);
    const bool at_end = test_between(0, 1) == 1;
    unsigned char *dst = at_end ? dst_arena + ARENA - dst_bytes : dst_arena + test_between(0, 130);
    const unsigned char *src = at_end ? src_arena + ARENA - src_bytes : src_arena + test_between(0, 130);
    struct svi_plan plan;

    memset(dst, 0xa5, (size_t)dst_bytes);
    memset(expected, 0xa5, (size_t)dst_bytes);
    copy_all(p, chain, lanes, expected + dst_origin, src + src_origin);
    svi_plan_make_cast(p->ndim, p->shape, p->dst, p->src, chain, lanes, &plan);
    cr_assert_eq(plan.kind, SVI_CLASS_CAST);
    svi_host_run(machine, &plan, (char *)dst + dst_origin, (const char *)src + src_origin);
    cr_assert_eq(memcmp(dst, expected, (size_t)dst_bytes), 0, "%s, cache of %lld, %d axes, %d to %d bytes, %d x %d",
                 machine->isa->name, (long long)machine->cache, plan.ndim, (int)plan.src_item, (int)plan.item,
                 (int)p->shape[0], (int)p->shape[p->ndim - 1]);
}

Test(host_cast, random_layouts)
{
    const int count = test_rounds(3000, 30000, 300000);

    for (int64_t round = test_first_round(); test_round(round, count); round++) {
        const sv_dtype dst = numbers[test_between(0, NUMBERS - 1)], src = numbers[test_between(0, NUMBERS - 1)];
        const struct svi_chain chain = chain_of(dst, src, test_between(0, 7) == 0);
        const int32_t lanes = test_between(0, 9) == 0 ? 3 : 1;
        struct svi_machine machine = machines[test_between(0, machine_count - 1)];
        int64_t dst_bytes, src_bytes;
        struct test_pair p;

        if (test_between(0, 1))
            machine.tuning = random_tuning(machine.tuning);
        svi_alloc.allocate = round % 5 == 1 ? sometimes_memory : malloc;
        if (chain.count == 0)
            continue;
        random_shape(&p);
        do {
            random_strides(&p, (int64_t)svi_chain_dst_bytes(&chain) * lanes, p.dst);
            random_strides(&p, (int64_t)svi_chain_src_bytes(&chain) * lanes, p.src);
            origin(&p, p.dst, 16 * lanes, &dst_bytes);
            origin(&p, p.src, 16 * lanes, &src_bytes);
        } while (dst_bytes > ARENA / 2 || src_bytes > ARENA / 2);
        for (int32_t k = 0; k < p.ndim; k++)
            if (test_between(0, 11) == 0)
                p.src[k] = 0;
        test_tell_copy(p.ndim, p.shape, p.dst, (int64_t)svi_chain_dst_bytes(&chain) * lanes, lanes == 1 ? dst : 0, p.src,
                       (int64_t)svi_chain_src_bytes(&chain) * lanes, src);
        check_layout(&machine, &p, &chain, lanes);
    }
}

/* --- items that the source repeats, along axes whose bit is set ---------------------- */

static const struct {
    const char *name;
    int32_t ndim, repeated;
    int64_t shape[3];
    int64_t gap; /* items behind each row of the destination */
    bool turned; /* the source has the order of its axes backwards */
} repeats[] = {
    {"a row", 2, 1, {300, 100}, 0, false},
    {"a row, few times", 2, 1, {3, 2000}, 0, false},
    {"a row of one item", 2, 1, {5000, 1}, 3, false},
    {"a column", 2, 2, {100, 300}, 0, false},
    {"a column, with gaps", 2, 2, {100, 77}, 5, false},
    {"one item", 2, 3, {70, 70}, 1, false},
    {"in the middle", 3, 2, {20, 30, 13}, 0, false},
    {"at both ends", 3, 5, {20, 30, 13}, 2, false},
    {"turned", 3, 2, {40, 5, 33}, 0, true},
    {"several chunks", 2, 2, {12000, 4}, 0, false},
    {"several chunks, turned", 3, 2, {130, 4, 100}, 0, true},
    {"a long row", 2, 1, {5, 5000}, 0, false},
    {"a long row, of some types more than a chunk", 2, 1, {4, 16000}, 0, false},
};

static void check_repeats(const struct svi_machine *machine, const struct svi_chain *chain, size_t i)
{
    int64_t to = (int64_t)svi_chain_dst_bytes(chain), from = (int64_t)svi_chain_src_bytes(chain);
    const int32_t ndim = repeats[i].ndim;
    struct test_pair p = {.ndim = ndim};

    for (int32_t n = 0; n < ndim; n++) {
        const int32_t k = ndim - 1 - n, s = repeats[i].turned ? n : k;

        p.shape[k] = repeats[i].shape[k];
        p.dst[k] = to;
        to *= repeats[i].shape[k] + (n == 0 ? repeats[i].gap : 0);
        p.src[s] = repeats[i].repeated >> s & 1 ? 0 : from;
        from *= p.src[s] == 0 ? 1 : repeats[i].shape[s];
    }
    check_layout(machine, &p, chain, 1);
}

Test(host_cast, repeated)
{
    static const sv_dtype pairs[][2] = {{SV_FLOAT32, SV_UINT8}, {SV_FLOAT64, SV_INT32}, {SV_UINT8, SV_FLOAT32},
                                        {SV_FLOAT16, SV_FLOAT32}, {SV_COMPLEX128, SV_INT16}};

    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++)
            for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
                const struct svi_chain chain = chain_of(pairs[k][0], pairs[k][1], false);

                svi_alloc.allocate = k == 4 ? no_memory : malloc;
                check_repeats(&machines[m], &chain, i);
            }
    svi_alloc.allocate = malloc;
}

/* So long that parts of them are converted in turns. */
Test(host_cast, long_runs)
{
    static const sv_dtype pairs[][2] = {{SV_FLOAT32, SV_FLOAT64}, {SV_UINT8, SV_FLOAT32}, {SV_COMPLEX64, SV_COMPLEX128}};

    for (int m = 0; m < machine_count; m++)
        for (int i = 0; i < 3; i++) {
            const struct svi_chain chain = chain_of(pairs[i][0], pairs[i][1], false);
            const int64_t to = (int64_t)svi_chain_dst_bytes(&chain), from = (int64_t)svi_chain_src_bytes(&chain);
            const int64_t count = test_between(16000, 30000), row = count + test_between(0, 1);

            check_layout(&machines[m],
                         &(struct test_pair){
                             .ndim = 2, .shape = {2, count}, .dst = {row * to, to}, .src = {row * from, from}},
                         &chain, 1);
        }
}

static bool is_split(const struct svi_isa *isa, const struct svi_chain *chain)
{
    return chain->count == 1 && isa->cast != NULL && isa->cast->has(chain->steps[0].op);
}

/* Dense rows of every second, third or fourth number. */
static void check_apart(const struct svi_machine *machine, const struct svi_chain *chain)
{
    const int64_t to = (int64_t)svi_chain_dst_bytes(chain), from = (int64_t)svi_chain_src_bytes(chain);
    const int64_t count = test_between(64, 700), apart = test_between(2, 4), row = count + test_between(0, 1);

    check_layout(machine,
                 &(struct test_pair){.ndim = 2,
                                     .shape = {2, count},
                                     .dst = {row * to, to},
                                     .src = {(count * apart + 1) * from, apart * from}},
                 chain, 1);
}

/* Pixels to planes that are whole lines apart. */
static void check_channels(const struct svi_machine *machine, const struct svi_chain *chain)
{
    const int64_t to = (int64_t)svi_chain_dst_bytes(chain), from = (int64_t)svi_chain_src_bytes(chain);
    const int64_t channels = test_between(2, 4), count = test_between(100, 400);
    const int64_t plane = (count * to / 64 + test_between(1, 2)) * 64;

    check_layout(machine,
                 &(struct test_pair){.ndim = 2,
                                     .shape = {channels, count},
                                     .dst = {plane, to},
                                     .src = {from, channels * from}},
                 chain, 1);
}

/* Every pair of types, and more often where numbers are converted as they are taken apart. */
static void for_all_pairs(void (*check)(const struct svi_machine *machine, const struct svi_chain *chain))
{
    int64_t round = 0;

    for (int i = 0; i < NUMBERS; i++)
        for (int j = 0; j < NUMBERS; j++) {
            const struct svi_chain chain = chain_of(numbers[i], numbers[j], false);

            for (int m = 0; chain.count > 0 && m < machine_count; m++)
                for (int times = is_split(machines[m].isa, &chain) ? 8 : 1; times > 0; times--)
                    if (test_round(round++, INT64_MAX))
                        check(&machines[m], &chain);
        }
    test_round(round, 0);
}

Test(host_cast, numbers_apart)
{
    for_all_pairs(check_apart);
}

Test(host_cast, channels)
{
    for_all_pairs(check_channels);
}

/*
 * Of one plane or two. At times rows or planes of the destination are no whole lines apart; rows of the source follow
 * each other, or are as far apart as the caches want it for small items, or for those of 8 bytes.
 */
static void check_transpose(const struct svi_machine *machine, const struct svi_chain *chain)
{
    const int64_t to = (int64_t)svi_chain_dst_bytes(chain), from = (int64_t)svi_chain_src_bytes(chain);
    const int64_t width = test_between(60, 90), gaps[] = {0, 128, 8192 + 64}, planes = test_between(1, 2);
    const int64_t row = width * from, apart = row + gaps[test_between(0, 2)] + test_between(0, 9) * from;
    const int64_t height = test_between(64, apart > 8192 ? ARENA / apart - 1 : 240);
    const int64_t pitch = (height * to / 64 + 1) * 64 + (test_between(0, 5) == 0 ? to : 0);
    const int64_t plane = width * pitch + (test_between(0, 5) == 0 ? to : 0);

    svi_alloc.allocate = test_between(0, 7) == 0 ? sometimes_memory : malloc;
    check_layout(machine,
                 &(struct test_pair){.ndim = 3,
                                     .shape = {planes, width, height},
                                     .dst = {plane, pitch, to},
                                     .src = {apart > 2 * row ? row : height * apart, from, apart}},
                 chain, 1);
}

static bool is_turned(const struct svi_isa *isa, const struct svi_chain *chain)
{
    return chain->count == 1 && isa->cast->has(chain->steps[0].op);
}

/* Beyond the cache, of every pair of types: most are done where vectors are turned and converted. */
Test(host_cast, transposes)
{
    int64_t round = 0;

    for (int m = 0; m < machine_count; m++)
        for (int i = 0; i < NUMBERS && machines[m].isa->cast != NULL; i++)
            for (int j = 0; j < NUMBERS; j++) {
                const struct svi_chain chain = chain_of(numbers[i], numbers[j], false);

                for (int times = is_turned(machines[m].isa, &chain) ? 24 : 1; chain.count > 0 && times > 0; times--)
                    if (test_round(round++, INT64_MAX))
                        check_transpose(&machines[m], &chain);
            }
    test_round(round, 0);
}

/* --- blocks use what the machine has --------------------------------------------- */

static bool (*own_permuted_line)(struct svi_permuted_line *line, const int32_t *offset);
static int permuted_lines;

static bool count_permuted_line(struct svi_permuted_line *line, const int32_t *offset)
{
    permuted_lines++;
    return own_permuted_line(line, offset);
}

/* To every second place: the blocks leave their buffer by combs, where there are any. */
Test(host_cast, blocks_by_combs)
{
    const struct svi_chain chain = chain_of(SV_UINT16, SV_UINT8, false);
    const struct test_pair p = {2, 2, {100, 300}, {1200, 4}, {300, 1}};

    for (int m = 0; m < machine_count; m++) {
        struct svi_isa isa = *machines[m].isa;
        struct svi_permute_kernels permute;
        struct svi_machine machine = machines[m];

        own_permuted_line = NULL;
        if (isa.permute != NULL) {
            permute = *isa.permute;
            own_permuted_line = permute.make_line;
            permute.make_line = count_permuted_line;
            isa.permute = &permute;
        }
        machine.isa = &isa;
        permuted_lines = 0;
        check_layout(&machine, &p, &chain, 1);
        cr_assert_eq(permuted_lines > 0, own_permuted_line != NULL && machine.permutes_bytes, "%d lines by %s",
                     permuted_lines, isa.name);
    }
}
