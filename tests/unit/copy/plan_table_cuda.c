/* Plans between addresses in two arrays, over the fake runtime: who reads the arrays, in how many launches. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_sides.h"
#include "support/pairs.h"

enum { MOST = 70000, NDIM = 12 };

/* --- pages ------------------------------------------------------------------------------------------ */

/* A copy of one page, of items of these sizes. */
struct page {
    int32_t ndim;
    int64_t shape[NDIM], dst[NDIM], src[NDIM];
    sv_dtype dst_dtype, src_dtype;
    int64_t dst_itemsize, src_itemsize;
    const double *scale; /* for each index of the last axis; NULL: it does not scale */
};

struct pages {
    const struct page *page;
    int64_t count;
    int32_t to_type, from_type, table_type;
    int table_device;
    char *to, *from, *table, *expected;
    int64_t dst_room, src_room; /* bytes from page to page */
    sv_plan *plan;
    sv_view *dst, *src; /* arrays of addresses, one behind the other */
};

static sv_view *view_of(const void *base, int32_t type, int device, int32_t ndim, const int64_t *shape,
                        const int64_t *strides, sv_dtype dtype, int64_t itemsize)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(ndim, shape, strides, itemsize, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, (void *)base, INT64_MIN, INT64_MAX, type, device, 0, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static int64_t find_room(const struct page *page, const int64_t *strides, int64_t itemsize)
{
    int64_t lower, upper;

    test_hull(page->ndim, page->shape, strides, itemsize, &lower, &upper);
    cr_assert_eq(lower, 0);
    return (upper + 15) / 16 * 16;
}

static sv_status new_plan(const struct page *page, const sv_view *dst, const sv_view *src, uint32_t flags, sv_plan **out)
{
    if (page->scale == NULL)
        return sv_plan_new(dst, src, flags | SV_COPY_CAST, out);
    return sv_plan_new_scaled(dst, src, page->scale, page->shape[page->ndim - 1], NULL, 0, page->ndim - 1, flags | SV_COPY_CAST, out);
}

static void make_plan(const struct page *page, const char *to, int32_t to_type, const char *from, int32_t from_type,
                      uint32_t flags, sv_plan **out)
{
    sv_view *dst = view_of(to, to_type, 0, page->ndim, page->shape, page->dst, page->dst_dtype, page->dst_itemsize);
    sv_view *src = view_of(from, from_type, 0, page->ndim, page->shape, page->src, page->src_dtype, page->src_itemsize);

    cr_assert_eq(new_plan(page, dst, src, flags, out), SV_OK, "%s", sv_last_message());
    sv_view_release(dst);
    sv_view_release(src);
}

/* Page i of the destination gets page i * 7 of the source. */
static void write_table(struct pages *p, int64_t times)
{
    uint64_t *entries = malloc((size_t)p->count * 16 + 1);

    for (int64_t i = 0; i < p->count; i++) {
        entries[i] = (uintptr_t)(p->to + (p->count - 1 - i) * p->dst_room);
        entries[p->count + i] = (uintptr_t)(p->from + i * times % p->count * p->src_room);
    }
    side_put(p->table_type, p->table, entries, (size_t)p->count * 16);
    free(entries);
}

/* By the host, page by page. */
static void expect(struct pages *p, const char *source, int64_t times)
{
    sv_plan *plan = NULL;

    make_plan(p->page, p->expected, SV_DEVICE_CPU, source, SV_DEVICE_CPU, 0, &plan);
    memset(p->expected, 0x55, (size_t)(p->count * p->dst_room));
    for (int64_t i = 0; i < p->count; i++)
        cr_assert_eq(sv_plan_execute(plan, p->expected + (p->count - 1 - i) * p->dst_room,
                                     source + i * times % p->count * p->src_room, 0), SV_OK);
    sv_plan_release(plan);
}

static void start(struct pages *p, const struct page *page, int64_t count, int32_t to, int32_t from, int32_t table,
                  int table_device, uint32_t flags)
{
    const int64_t step = 8;
    char *source;
    size_t from_nbytes;

    *p = (struct pages){.page = page, .count = count, .to_type = to, .from_type = from, .table_type = table,
                        .table_device = table_device};
    p->dst_room = find_room(page, page->dst, page->dst_itemsize);
    p->src_room = find_room(page, page->src, page->src_itemsize);
    from_nbytes = (size_t)(count * p->src_room);
    p->to = side_new(to, 0, (size_t)(count * p->dst_room));
    p->from = side_new(from, 0, from_nbytes);
    p->table = side_new(table, table_device, (size_t)count * 16);
    p->expected = malloc((size_t)(count * p->dst_room));
    source = malloc(from_nbytes);
    for (size_t k = 0; k < from_nbytes; k++)
        source[k] = (char)test_between(0, 100);
    expect(p, source, 7);
    side_put(from, p->from, source, from_nbytes);
    memset(source, 0x55, from_nbytes);
    for (int64_t i = 0; i < count; i++) {
        char *room = malloc((size_t)p->dst_room);

        memset(room, 0x55, (size_t)p->dst_room);
        side_put(to, p->to + i * p->dst_room, room, (size_t)p->dst_room);
        free(room);
    }
    free(source);
    write_table(p, 7);
    make_plan(page, p->to, to, p->from, from, flags, &p->plan);
    p->dst = view_of(p->table, table, table_device, 1, &count, &step, SV_UINT64, 8);
    p->src = view_of(p->table + count * 8, table, table_device, 1, &count, &step, SV_INT64, 8);
    fake_reset();
}

static bool is_right(struct pages *p)
{
    const size_t nbytes = (size_t)(p->count * p->dst_room);
    char *found = malloc(nbytes);
    bool right;

    side_get(p->to_type, found, p->to, nbytes);
    right = memcmp(found, p->expected, nbytes) == 0;
    free(found);
    return right;
}

static void forget(struct pages *p)
{
    sv_view_release(p->dst);
    sv_view_release(p->src);
    sv_plan_release(p->plan);
    side_free(p->to_type, p->to);
    side_free(p->from_type, p->from);
    side_free(p->table_type, p->table);
    free(p->expected);
}

static sv_status execute(struct pages *p)
{
    return sv_plan_execute_table(p->plan, p->dst, p->src, 0, (uintptr_t)stream, NULL);
}

static const double thirds[20] = {1 / 3., 2 / 3., 1, 4 / 3., 5 / 3., 2, 7 / 3., 8 / 3., 3, 10 / 3., 11 / 3., 4};

static const struct page dense = {1, {500}, {4}, {4}, SV_FLOAT32, SV_FLOAT32, 4, 4, NULL},
                         small = {1, {4}, {4}, {4}, SV_FLOAT32, SV_FLOAT32, 4, 4, NULL},
                         rows = {2, {6, 80}, {100, 1}, {90, 1}, SV_UINT8, SV_UINT8, 1, 1, NULL},
                         turned = {2, {20, 30}, {120, 4}, {4, 80}, SV_FLOAT32, SV_FLOAT32, 4, 4, NULL},
                         tiles = {2, {64, 64}, {256, 4}, {4, 256}, SV_FLOAT32, SV_FLOAT32, 4, 4, NULL},
                         cast = {2, {6, 20}, {80, 4}, {2, 12}, SV_FLOAT32, SV_FLOAT16, 4, 2, NULL},
                         scaled = {2, {6, 20}, {80, 4}, {20, 1}, SV_FLOAT32, SV_UINT8, 4, 1, thirds},
                         many_axes = {11, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                      {2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2},
                                      {6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144},
                                      SV_UINT16, SV_UINT16, 2, 2, NULL};

/* --- who reads, in how many launches ------------------------------------------------------------------ */

static const struct {
    const char *name;
    const struct page *page;
    int64_t count;
    int32_t to, from, table;
    int launches;
} cases[] = {
    {"dense pages", &dense, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"one page", &turned, 1, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"rows", &rows, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"pages turned", &turned, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"tiles", &tiles, 20, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"pages that are converted", &cast, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"pages that are scaled", &scaled, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {"more pages than blocks", &small, 65536 + 3, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 2},
    {"more axes than kernels have", &many_axes, 5, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 16},
    {"an array in pinned memory", &turned, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, 1},
    {"from pinned memory", &dense, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA, 1},
    {"to pinned memory, scaled", &scaled, 100, SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, 1},
    {"few addresses of the host", &turned, 200, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 2},
    {"512 addresses of the host", &turned, 512, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 4},
    {"513 addresses of the host", &turned, 513, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 1},
    {"so many that are converted", &cast, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 1},
    {"of pages in pinned memory", &turned, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, SV_DEVICE_CPU, 5},
    {"to ordinary memory", &turned, 100, SV_DEVICE_CPU, SV_DEVICE_CUDA, SV_DEVICE_CPU, 1},
    {"of the host alone", &turned, 100, SV_DEVICE_CPU, SV_DEVICE_CPU, SV_DEVICE_CUDA_HOST, 0},
};

Test(plan_table_cuda, who_reads_the_arrays)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int policy = 0; policy < FAKE_POLICIES; policy++) {
            struct pages p;

            if (cases[i].count > 1000 && policy > 0)
                continue;
            begin((enum fake_policy)policy, (unsigned)i);
            start(&p, cases[i].page, cases[i].count, cases[i].to, cases[i].from, cases[i].table, 0,
                  i % 3 == 0 ? SV_COPY_BLOCKING : 0);
            cr_assert_eq(execute(&p), SV_OK, "%s: %s", cases[i].name, sv_last_message());
            cr_expect_eq(fake_count(FAKE_CALL(launch)), cases[i].launches, "%s: %d launches", cases[i].name,
                         fake_count(FAKE_CALL(launch)));
            cr_expect(is_right(&p), "%s", cases[i].name);
            forget(&p);
            cr_assert_str_eq(end(), "", "%s", cases[i].name);
        }
}

/* The arrays of ordinary memory may change when the call returns, those of a device only later. */
Test(plan_table_cuda, arrays_are_read_before_the_call_returns_or_in_the_order_of_the_stream)
{
    static const int32_t tables[] = {SV_DEVICE_CPU, SV_DEVICE_CUDA};

    for (int which = 0; which < 2; which++) {
        static uint64_t host[2 * 600];
        struct pages p;
        sv_view *to, *from;
        const int64_t count = 2 * 600, step = 8;

        begin(FAKE_LAZY, 1);
        start(&p, &turned, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA, tables[which], 0, 0);
        if (tables[which] == SV_DEVICE_CUDA) { /* it gets them in the order of the stream only */
            fake_read(host, p.table, sizeof host);
            fake_write(p.table, (uint64_t[2 * 600]){0}, sizeof host);
            to = view_of(p.table, SV_DEVICE_CUDA, 0, 1, &count, &step, SV_UINT64, 8);
            from = view_of(host, SV_DEVICE_CPU, 0, 1, &count, &step, SV_UINT64, 8);
            cr_assert_eq(sv_copy(to, from, 0, (uintptr_t)stream), SV_OK);
            sv_view_release(to);
            sv_view_release(from);
        }
        cr_assert_eq(execute(&p), SV_OK);
        if (tables[which] == SV_DEVICE_CPU)
            memset(p.table, 0, 16 * 600);
        cr_expect(is_right(&p));
        forget(&p);
        cr_assert_str_eq(end(), "");
    }
}

/* --- graphs ------------------------------------------------------------------------------------------- */

Test(plan_table_cuda, a_graph_reads_what_the_arrays_are_when_it_is_launched)
{
    struct fake_graph *graph = NULL;
    struct pages p;
    char *source;

    begin(FAKE_LAZY, 1);
    start(&p, &turned, 100, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 0, 0);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_assert_eq(execute(&p), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    cr_expect_str_eq(fake_graph_text(graph), "a kernel; ");
    fake_launch_graph(graph, stream);
    cr_expect(is_right(&p));
    source = malloc((size_t)(p.count * p.src_room));
    fake_read(source, p.from, (size_t)(p.count * p.src_room));
    expect(&p, source, 3);
    write_table(&p, 3);
    fake_launch_graph(graph, stream);
    cr_expect(is_right(&p));
    free(source);
    fake_end_graph(graph);
    forget(&p);
    cr_assert_str_eq(end(), "");
}

Test(plan_table_cuda, a_graph_keeps_addresses_of_the_host)
{
    struct fake_graph *graph = NULL;
    struct pages p;

    begin(FAKE_LAZY, 1);
    start(&p, &turned, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 0, 0);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_assert_eq(execute(&p), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    cr_expect_str_eq(fake_graph_text(graph), "a kernel; a kernel; a kernel; a kernel; a kernel; ");
    memset(p.table, 0, 16 * 600);
    fake_launch_graph(graph, stream);
    cr_expect(is_right(&p));
    fake_end_graph(graph);
    forget(&p);
    cr_assert_str_eq(end(), "");
}

/* --- refusals and failures ---------------------------------------------------------------------------- */

Test(plan_table_cuda, arrays_that_the_device_does_not_read)
{
    static const struct {
        const char *name;
        int32_t to, from, table;
        int device;
        sv_status status;
    } refused[] = {
        {"of another device", SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1, SV_ERROR_UNSUPPORTED},
        {"of a device, with ordinary memory", SV_DEVICE_CUDA, SV_DEVICE_CPU, SV_DEVICE_CUDA, 0, SV_ERROR_UNSUPPORTED},
        {"of a device, within the host", SV_DEVICE_CPU, SV_DEVICE_CPU, SV_DEVICE_CUDA, 0, SV_ERROR_UNSUPPORTED},
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct pages p;

        begin(FAKE_LAZY, 1);
        start(&p, &turned, 5, refused[i].to, refused[i].from, refused[i].table, refused[i].device, 0);
        cr_expect_eq(execute(&p), refused[i].status, "%s: %s", refused[i].name, sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(launch)), 0);
        forget(&p);
        cr_assert_str_eq(end(), "", "%s", refused[i].name);
    }
}

static struct pages tried;

static void prepare(void *with)
{
    stream = fake_new_stream(0, cudaStreamNonBlocking);
    start(&tried, &turned, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA, *(const int32_t *)with, 0, SV_COPY_BLOCKING);
}

static sv_status try(void *with)
{
    (void)with;
    return execute(&tried);
}

static void clean(void *with, sv_status status)
{
    (void)with;
    if (status == SV_OK)
        cr_expect(is_right(&tried));
    forget(&tried);
    fake_end_stream(stream);
}

Test(plan_table_cuda, each_call_fails_once)
{
    static int32_t tables[] = {SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, SV_DEVICE_CPU};
    int rounds = 0, all = 0;

    for (int i = 0; i < 3; i++) {
        const struct fake_trial trial = {prepare, try, clean, &tables[i], NULL, NULL, 0, false};
        const struct fake_settings settings = {.policy = FAKE_LAZY};

        begin(FAKE_LAZY, 1);
        cr_assert_str_eq(end(), "");
        cr_expect_str_eq(fake_fail_each(&trial, &settings, &rounds), "", "%d", i);
        all += rounds;
    }
    cr_assert_gt(all, 20, "%d", all);
}

/* Without memory of the device for the arrays, launches have the addresses. */
Test(plan_table_cuda, no_memory_for_the_arrays)
{
    struct pages p;

    begin(FAKE_LAZY, 1);
    start(&p, &turned, 600, SV_DEVICE_CUDA, SV_DEVICE_CUDA, SV_DEVICE_CPU, 0, 0);
    fake_fail_call(FAKE_CALL(allocate_from_pool), 1, cudaErrorMemoryAllocation);
    cr_assert_eq(execute(&p), SV_OK, "%s", sv_last_message());
    cr_expect(is_right(&p));
    forget(&p);
    cr_assert_str_eq(end(), "");
}
