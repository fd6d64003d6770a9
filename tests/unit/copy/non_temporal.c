/* SV_COPY_NON_TEMPORAL: the same bytes as without it, by loops for copies beyond the cache, whatever the size. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sv.h"

enum { ROOM = 1 << 22, CAST = SV_COPY_CAST_UNSAFE };

static unsigned char *memory[3]; /* the source, and two targets */

static void begin(void)
{
    for (int i = 0; i < 3; i++)
        cr_assert_not_null(memory[i] = aligned_alloc(4096, ROOM));
    for (int i = 0; i < ROOM; i++)
        memory[0][i] = (unsigned char)(i * 2654435761u >> 13);
}

static void end(void)
{
    for (int i = 0; i < 3; i++)
        free(memory[i]);
}

TestSuite(non_temporal, .init = begin, .fini = end);

static sv_view *view_of(unsigned char *base, sv_dtype dtype, const char *text)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_parse(text, &layout), SV_OK, "%s: %s", text, sv_last_message());
    cr_assert_eq(sv_view_new(layout, dtype, base, 0, ROOM, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view), SV_OK, "%s: %s",
                 text, sv_last_message());
    sv_layout_release(layout);
    return view;
}

static const struct {
    sv_dtype dst, src;
    uint32_t flags;
    const char *dst_text, *src_text;
} cases[] = {
    {SV_FLOAT32, SV_FLOAT32, 0, "()*4", "()*4"},
    {SV_FLOAT32, SV_FLOAT32, 0, "(0, 3)*4", "(0, 3)*4"},
    {SV_UINT8, SV_UINT8, 0, "(1,)*1", "(1,)*1+5"},
    {SV_UINT8, SV_UINT8, 0, "(63,)*1+1", "(63,)*1+2"},
    {SV_UINT8, SV_UINT8, 0, "(4096,)*1+7", "(4096,)*1"},
    {SV_UINT8, SV_UINT8, 0, "(3000001,)*1+64", "(3000001,)*1+3"},
    {SV_FLOAT64, SV_FLOAT64, 0, "(32, 1024)*8", "(32, 1024)*8"},
    {SV_FLOAT64, SV_FLOAT64, 0, "(16, 128)*8+8", "(16, 128):(200, 1)*8"},
    {SV_FLOAT32, SV_FLOAT32, 0, "(16, 100):(130, 1)*4+12", "(16, 100)*4"},
    {SV_FLOAT32, SV_FLOAT32, 0, "(5, 7)*4", "(5, 7):(1, 5)*4"},
    {SV_FLOAT32, SV_FLOAT32, 0, "(200, 300)*4", "(200, 300):(1, 200)*4+4"},
    {SV_UINT8, SV_UINT8, 0, "(3, 64, 64)*1", "(3, 64, 64):(1, 192, 3)*1"},
    {SV_INT16, SV_INT16, 0, "(64, 33)*2", "(64, 33):(-33, 1)*2+4158"},
    {SV_INT16, SV_INT16, 0, "(1000,):(3,)*2", "(1000,):(2,)*2"},
    {SV_FLOAT64, SV_FLOAT64, 0, "(100, 50)*8", "(100, 50):(0, 1)*8"},
    {SV_FLOAT64, SV_FLOAT64, 0, "(100, 50)*8", "(100, 50):(0, 0)*8"},
    {SV_COMPLEX128, SV_COMPLEX128, 0, "(9, 17, 5)*16", "(9, 17, 5):(1, 45, 9)*16"},
    {SV_FLOAT32, SV_UINT8, CAST, "(3, 40, 50)*4", "(3, 40, 50):(1, 150, 3)*1"},
    {SV_UINT8, SV_INT32, CAST, "(5000,)*1+3", "(5000,)*4"},
    {SV_INT32, SV_INT64, CAST, "(64, 65)*4", "(64, 65):(1, 64)*8"},
    {SV_INT32, SV_INT32, SV_COPY_SWAP, "(70, 30)*4", "(70, 30)*4"},
};

/* All bytes of both targets, those between elements too. */
static void expect_same(const char *what)
{
    cr_expect(memcmp(memory[1], memory[2], ROOM) == 0, "%s", what);
}

Test(non_temporal, the_same_bytes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_view *src = view_of(memory[0], cases[i].src, cases[i].src_text);

        for (int with = 0; with < 2; with++) {
            sv_view *dst = view_of(memory[1 + with], cases[i].dst, cases[i].dst_text);

            memset(memory[1 + with], 0xcc, ROOM);
            cr_expect_eq(sv_copy(dst, src, cases[i].flags | (with ? SV_COPY_NON_TEMPORAL : 0), 0), SV_OK, "%s",
                         sv_last_message());
            sv_view_release(dst);
        }
        expect_same(cases[i].dst_text);
        sv_view_release(src);
    }
}

Test(non_temporal, where_both_sides_share_bytes)
{
    static const char *const texts[][2] = {{"(1000,)*4+4", "(1000,)*4"}, {"(1000,)*4", "(1000,):(-1,)*4+3996"},
                                           {"(60, 60)*4", "(60, 60):(1, 60)*4"}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int with = 0; with < 2; with++) {
            sv_view *dst = view_of(memory[1 + with], SV_INT32, texts[i][0]);
            sv_view *src = view_of(memory[1 + with], SV_INT32, texts[i][1]);

            memcpy(memory[1 + with], memory[0], ROOM);
            cr_expect_eq(sv_copy(dst, src, with ? SV_COPY_NON_TEMPORAL : 0, 0), SV_OK, "%s", sv_last_message());
            sv_view_release(dst);
            sv_view_release(src);
        }
        expect_same(texts[i][0]);
    }
}

static sv_status run_tasks(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
    for (int64_t i = count - 1; i >= 0; i--)
        task(task_ctx, i);
    return SV_OK;
}

static sv_status run_each_way(int way, sv_view *dst, sv_view *src, uint32_t flags)
{
    const double half = 0.5;
    sv_plan *plan = NULL;
    sv_status status;

    if (way == 0)
        return sv_copy_parallel(dst, src, 4, run_tasks, NULL, flags, 0);
    if (way == 1)
        return sv_copy_batch(1, &dst, &src, flags, 0, NULL);
    if (way == 2)
        return sv_copy_scaled(dst, src, &half, 1, NULL, 0, 0, flags, 0);
    if ((status = sv_plan_new(dst, src, flags, &plan)) == SV_OK)
        status = sv_plan_execute_views(plan, dst, src, 0);
    sv_plan_release(plan);
    return status;
}

Test(non_temporal, each_way)
{
    for (int way = 0; way < 4; way++) {
        sv_view *src = view_of(memory[0], SV_INT32, "(500, 600):(1, 500)*4");

        for (int with = 0; with < 2; with++) {
            sv_view *dst = view_of(memory[1 + with], SV_INT32, "(500, 600)*4");

            memset(memory[1 + with], 0xcc, ROOM);
            cr_expect_eq(run_each_way(way, dst, src, with ? SV_COPY_NON_TEMPORAL : 0), SV_OK, "%d: %s", way,
                         sv_last_message());
            sv_view_release(dst);
        }
        expect_same("a way");
        sv_view_release(src);
    }
}

Test(non_temporal, plans_tell_it)
{
    sv_view *dst = view_of(memory[1], SV_FLOAT64, "(16, 1024)*8"), *src = view_of(memory[0], SV_FLOAT64, "(16, 1024)*8");
    char text[16384];
    sv_plan *plan = NULL;

    cr_assert_eq(sv_plan_new(dst, src, SV_COPY_NON_TEMPORAL, &plan), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(sv_plan_kernel(plan), "non-temporal");
    cr_expect_eq(sv_plan_explain(plan, NULL, NULL, sizeof text, text, NULL), SV_OK);
    cr_expect_not_null(strstr(text, "SV_COPY_NON_TEMPORAL: as if no cache held anything"), "%s", text);
    cr_expect_not_null(strstr(text, "the copy is beyond the cache"), "%s", text);
    sv_plan_release(plan);
    cr_expect_eq(sv_fill(dst, &(double){1}, 8, SV_COPY_NON_TEMPORAL, 0), SV_ERROR_INVALID);
    sv_view_release(dst);
    sv_view_release(src);
}
