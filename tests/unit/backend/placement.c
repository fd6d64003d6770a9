/* Who copies between all pairs of memory, whose streams order it, what is waited for, what is done on return. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "backend/placement.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0}, pinned = {SV_DEVICE_CUDA_HOST, 1},
                               rocm = {SV_DEVICE_ROCM_HOST, 0}, first = {SV_DEVICE_CUDA, 0},
                               second = {SV_DEVICE_CUDA, 1}, managed = {SV_DEVICE_CUDA_MANAGED, 0},
                               other = {SV_DEVICE_CUDA_MANAGED, 1}, foreign = {SV_DEVICE_ONEAPI, 0},
                               third = {SV_DEVICE_ROCM, 0}, fourth = {SV_DEVICE_ROCM, 1};

/* "relation, family: where" with a * where another stream tells the device. */
static const char *told(struct svi_device dst, struct svi_device src, bool is_ready)
{
    static const char *const families[] = {
        [SVI_FAMILY_NONE] = "none", [SVI_FAMILY_HOST] = "host", [SVI_FAMILY_CUDA] = "cuda", [SVI_FAMILY_ROCM] = "rocm"};
    static char text[200];
    const struct svi_placement p = svi_placement_make(dst, src, is_ready);

    snprintf(text, sizeof text, "%s, %s: %s %d%s%s", svi_relation_name(p.relation), families[p.family],
             sv_device_name(p.where.type), (int)p.where.id, p.follows_stream ? "*" : "",
             p.has_managed ? ", managed" : "");
    return text;
}

#define HOST_COPIES "host, host: cpu 0"
#define NOBODY "-, none: cpu 0"

static const struct {
    const struct svi_device *dst, *src;
    const char *ready, *unready; /* NULL: the same */
} relations[] = {
    {&cpu, &cpu, HOST_COPIES, NULL},
    {&cpu, &pinned, HOST_COPIES, NULL},
    {&cpu, &rocm, HOST_COPIES, NULL},
    {&cpu, &first, "fetch, cuda: cuda 0", NULL},
    {&cpu, &second, "fetch, cuda: cuda 1", NULL},
    {&cpu, &managed, "shared, host: cuda_managed 0, managed", HOST_COPIES},
    {&cpu, &foreign, NOBODY, NULL},
    {&pinned, &cpu, HOST_COPIES, NULL},
    {&pinned, &pinned, HOST_COPIES, NULL},
    {&pinned, &rocm, HOST_COPIES, NULL},
    {&pinned, &first, "pinned, cuda: cuda 0", NULL},
    {&pinned, &managed, "shared, host: cuda_managed 0, managed", HOST_COPIES},
    {&pinned, &foreign, NOBODY, NULL},
    {&rocm, &cpu, HOST_COPIES, NULL},
    {&rocm, &pinned, HOST_COPIES, NULL},
    {&rocm, &rocm, HOST_COPIES, NULL},
    {&rocm, &first, NOBODY, NULL},
    {&rocm, &other, "shared, host: cuda_managed 1, managed", HOST_COPIES},
    {&rocm, &foreign, NOBODY, NULL},
    {&first, &cpu, "send, cuda: cuda 0", NULL},
    {&second, &pinned, "pinned, cuda: cuda 1", NULL},
    {&first, &rocm, NOBODY, NULL},
    {&second, &second, "within, cuda: cuda 1", NULL},
    {&second, &first, "peers, cuda: cuda 1*", NULL},
    {&first, &second, "peers, cuda: cuda 0*", NULL},
    {&first, &other, "within, cuda: cuda 0, managed", NULL},
    {&first, &foreign, NOBODY, NULL},
    {&other, &cpu, "shared, host: cuda_managed 1, managed", HOST_COPIES},
    {&other, &pinned, "shared, host: cuda_managed 1, managed", HOST_COPIES},
    {&managed, &rocm, "shared, host: cuda_managed 0, managed", HOST_COPIES},
    {&managed, &second, "within, cuda: cuda 1, managed", NULL},
    {&other, &managed, "managed, cuda: cuda_managed 1*, managed", HOST_COPIES},
    {&managed, &foreign, NOBODY, NULL},
    {&third, &third, "within, rocm: rocm 0", NULL},
    {&third, &fourth, "peers, rocm: rocm 0*", NULL},
    {&third, &cpu, "send, rocm: rocm 0", NULL},
    {&rocm, &fourth, "pinned, rocm: rocm 1", NULL},
    {&third, &pinned, "pinned, rocm: rocm 0", NULL},
    {&third, &first, NOBODY, NULL},
    {&first, &third, NOBODY, NULL},
    {&managed, &third, NOBODY, NULL},
    {&foreign, &foreign, NOBODY, NULL},
    {&foreign, &cpu, NOBODY, NULL},
    {&foreign, &first, NOBODY, NULL},
    {&foreign, &managed, NOBODY, NULL},
};

Test(placement, all_pairs_of_memory)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const struct svi_device dst = *relations[i].dst, src = *relations[i].src;
        const char *unready = relations[i].unready == NULL ? relations[i].ready : relations[i].unready;

        cr_expect_str_eq(told(dst, src, true), relations[i].ready, "%zu: %s", i, told(dst, src, true));
        cr_expect_str_eq(told(dst, src, false), unready, "%zu: %s", i, told(dst, src, false));
        cr_expect_eq(svi_placement_make(dst, src, i % 2).asks_driver, relations[i].unready != NULL, "%zu", i);
    }
}

/* Devices of a kind that this table of pairs does not have are told by no row. */
Test(placement, no_pair_of_types_is_left_out)
{
    for (int32_t dst = 1; dst < SVI_DEVICE_TYPES; dst++)
        for (int32_t src = 1; src < SVI_DEVICE_TYPES; src++) {
            const struct svi_placement p =
                svi_placement_make((struct svi_device){dst, 0}, (struct svi_device){src, 0}, true);
            const bool host = (sv_device_traits(dst) & sv_device_traits(src) & SV_TRAIT_HOST) != 0;
            const bool known = svi_devices[dst].owner != SVI_FAMILY_NONE && svi_devices[src].owner != SVI_FAMILY_NONE;
            const bool one_driver =
                svi_devices[dst].family == svi_devices[src].family || dst == SV_DEVICE_CPU || src == SV_DEVICE_CPU;

            cr_expect_eq(p.relation != SVI_RELATION_NONE, known && (host || one_driver), "%d from %d", (int)dst,
                         (int)src);
            cr_expect_eq(p.family == SVI_FAMILY_NONE, p.relation == SVI_RELATION_NONE);
        }
}

enum { BLOCKING = SV_COPY_BLOCKING };

static const struct {
    const struct svi_device *dst, *src;
    uint32_t flags;
    int32_t method;
    const char *waits, *done;
} methods[] = {
    {&cpu, &pinned, 0, SV_METHOD_DIRECT, "nothing", "all"},
    {&cpu, &pinned, BLOCKING, SV_METHOD_TASKS, "nothing", "all"},
    {&cpu, &pinned, 0, SV_METHOD_IN_PLACE, "nothing", "all"},
    {&cpu, &cpu, 0, SV_METHOD_TEMPORARY, "nothing", "all"},
    {&cpu, &managed, 0, SV_METHOD_DIRECT, "the stream and devices", "all"},
    {&cpu, &managed, BLOCKING, SV_METHOD_TEMPORARY, "the stream and devices", "all"},
    {&cpu, &managed, 0, SV_METHOD_NOTHING, "nothing", "all"},
    {&first, &first, 0, SV_METHOD_DIRECT, "nothing", "nothing"},
    {&first, &first, BLOCKING, SV_METHOD_DIRECT, "the stream", "all"},
    {&first, &first, 0, SV_METHOD_TEMPORARY, "nothing", "nothing"},
    {&first, &first, BLOCKING, SV_METHOD_TEMPORARY, "the stream", "all"},
    {&first, &first, 0, SV_METHOD_HOST_TEMPORARY, "the stream", "all"},
    {&first, &first, 0, SV_METHOD_NOTHING, "nothing", "all"},
    {&first, &first, BLOCKING, SV_METHOD_NOTHING, "nothing", "all"},
    {&first, &managed, 0, SV_METHOD_DIRECT, "nothing", "nothing"},
    {&first, &managed, 0, SV_METHOD_HOST_TEMPORARY, "the stream and devices", "all"},
    {&managed, &managed, 0, SV_METHOD_DIRECT, "nothing", "nothing"},
    {&managed, &managed, BLOCKING, SV_METHOD_DIRECT, "the stream", "all"},
    {&managed, &managed, 0, SV_METHOD_HOST_TEMPORARY, "the stream and devices", "all"},
    {&first, &pinned, 0, SV_METHOD_DIRECT, "nothing", "nothing"},
    {&pinned, &first, BLOCKING, SV_METHOD_DIRECT, "the stream", "all"},
    {&first, &cpu, 0, SV_METHOD_RING, "a free ring", "reading src"},
    {&first, &cpu, BLOCKING, SV_METHOD_RING, "the stream", "all"},
    {&first, &cpu, 0, SV_METHOD_DIRECT, "the stream", "all"},
    {&cpu, &first, 0, SV_METHOD_RING, "the stream", "all"},
    {&cpu, &first, 0, SV_METHOD_DIRECT, "the stream", "all"},
    {&cpu, &first, BLOCKING, SV_METHOD_DIRECT, "the stream", "all"},
    {&second, &first, 0, SV_METHOD_DIRECT, "nothing", "nothing"},
    {&second, &first, BLOCKING, SV_METHOD_DIRECT, "the stream", "all"},
};

Test(placement, what_is_waited_for_and_done)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct svi_placement p = svi_placement_make(*methods[i].dst, *methods[i].src, true);

        svi_placement_set(&p, methods[i].flags, methods[i].method);
        cr_expect_str_eq(svi_waits_words(p.waits), methods[i].waits, "%zu: %s", i, svi_waits_words(p.waits));
        cr_expect_str_eq(svi_done_words(p.done), methods[i].done, "%zu: %s", i, svi_done_words(p.done));
        cr_expect_eq(p.method, methods[i].method);
    }
}

Test(placement, who_copies_is_a_device_type)
{
    static const struct {
        const struct svi_device *dst, *src;
        int32_t by;
    } cases[] = {{&cpu, &cpu, SV_DEVICE_CPU},
                 {&managed, &pinned, SV_DEVICE_CPU},
                 {&first, &cpu, SV_DEVICE_CUDA},
                 {&managed, &other, SV_DEVICE_CUDA},
                 {&pinned, &second, SV_DEVICE_CUDA}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct svi_placement p = svi_placement_make(*cases[i].dst, *cases[i].src, true);

        cr_expect_eq(svi_placement_copier(&p), cases[i].by, "%zu", i);
    }
}

Test(placement, everything_has_words)
{
    for (int k = 0; k < SVI_RELATIONS; k++)
        cr_expect(svi_relation_name((enum svi_relation)k) != NULL, "%d", k);
    for (int32_t k = SV_METHOD_NOTHING; k <= SV_METHOD_TASKS; k++)
        cr_expect(svi_method_words(k) != NULL && strlen(svi_method_words(k)) > 3, "%d", k);
    for (int32_t k = SV_WAITS_NOTHING; k <= SV_WAITS_DEVICES; k++)
        cr_expect(svi_waits_words(k) != NULL, "%d", k);
    for (int32_t k = SV_DONE_NOTHING; k <= SV_DONE_ALL; k++)
        cr_expect(svi_done_words(k) != NULL, "%d", k);
}
