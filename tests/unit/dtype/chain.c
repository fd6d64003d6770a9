#include <criterion/criterion.h>

#include "dtype/chain.h"
#include "dtype/dtype.h"
#include "support/numbers.h"

/* Of an item before a step, or behind it. */
static size_t before(const struct svi_step *s)
{
    return (size_t)s->src * s->lanes;
}

static size_t behind(const struct svi_step *s)
{
    return (size_t)s->dst * s->lanes;
}

Test(chain, every_pair_fits_together)
{
    struct svi_chain c;

    for (int i = 0; i < NUMBERS; i++)
        for (int j = 0; j < 2 * NUMBERS; j++) {
            const sv_dtype dst = numbers[i], src = numbers[j / 2];

            cr_assert_eq(svi_chain_find(dst, src, true, j % 2, &c), SV_OK, "0x%x to 0x%x: %s", src, dst,
                         sv_last_message());
            cr_assert(c.count <= SVI_STEPS, "0x%x to 0x%x: %d steps", src, dst, c.count);
            if (c.count == 0) {
                cr_assert_eq(svi_dtype_bytes(dst), svi_dtype_bytes(src), "0x%x to 0x%x", src, dst);
                continue;
            }
            cr_assert_eq(svi_chain_src_bytes(&c), (size_t)svi_dtype_bytes(src), "0x%x to 0x%x", src, dst);
            cr_assert_eq(svi_chain_dst_bytes(&c), (size_t)svi_dtype_bytes(dst), "0x%x to 0x%x", src, dst);
            for (int k = 0; k < c.count; k++) {
                cr_assert(c.steps[k].op < SVI_OP_COUNT && before(&c.steps[k]) <= SVI_STEP_ITEM);
                if (k > 0)
                    cr_assert_eq(behind(&c.steps[k - 1]), before(&c.steps[k]), "0x%x to 0x%x, step %d", src, dst, k);
            }
        }
}

static bool is_listed(sv_dtype dtype)
{
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i] == dtype)
            return true;
    return false;
}

/* A type that converts and is in no list of the tests would be tested by nothing. */
Test(chain, every_type_that_converts_is_in_the_list_of_the_tests)
{
    struct svi_chain c;
    int found = 0;

    for (uint32_t code = 0; code < 256; code++)
        for (uint32_t bits = 0; bits < 256; bits++) {
            const sv_dtype dtype = svi_dtype_pack(code, bits, 1);

            if (svi_dtype_check(dtype) == SV_OK && svi_chain_find(SV_FLOAT64, dtype, true, false, &c) == SV_OK) {
                found++;
                cr_expect(is_listed(dtype), "0x%x converts, and is not in tests/support/numbers.h", dtype);
            }
        }
    cr_expect_eq(found, NUMBERS);
}

static const struct {
    const char *name;
    sv_dtype dst, src;
    bool swapped;
    int count;
    uint8_t ops[SVI_STEPS];
} chains[] = {
    {"the same", SV_FLOAT32, SV_FLOAT32, false, 0, {0}},
    {"only the sign differs", SV_UINT32, SV_INT32, false, 0, {0}},
    {"in one step", SV_FLOAT32, SV_UINT8, false, 1, {SVI_OP_F32_FROM_U8}},
    {"rounded once", SV_BFLOAT16, SV_FLOAT64, false, 2, {SVI_OP_ODD_FROM_F64, SVI_OP_BF16_FROM_F32}},
    {"rounded once, from integers", SV_FLOAT16, SV_INT64, false, 2, {SVI_OP_ODD_FROM_I64, SVI_OP_F16_FROM_F32}},
    {"exact", SV_FLOAT64, SV_FLOAT8_E5M2, false, 2, {SVI_OP_F32_FROM_E5M2, SVI_OP_F64_FROM_F32}},
    {"low bits", SV_INT8, SV_UINT64, false, 2, {SVI_OP_I32_FROM_I64, SVI_OP_I8_FROM_I32}},
    {"8 and 16 bits", SV_UINT16, SV_INT8, false, 1, {SVI_OP_I16_FROM_I8}},
    {"8 and 16 bits, without sign", SV_INT16, SV_UINT8, false, 1, {SVI_OP_I16_FROM_U8}},
    {"16 and 8 bits", SV_INT8, SV_UINT16, false, 1, {SVI_OP_I8_FROM_I16}},
    {"without sign", SV_INT64, SV_UINT32, false, 1, {SVI_OP_I64_FROM_U32}},
    {"swapped", SV_COMPLEX64, SV_COMPLEX64, true, 1, {SVI_OP_SWAP_4}},
    {"nothing to swap", SV_INT8, SV_INT8, true, 0, {0}},
    {"swapped first", SV_UINT8, SV_COMPLEX32, true, 4,
     {SVI_OP_SWAP_2, SVI_OP_REAL_2, SVI_OP_F32_FROM_F16, SVI_OP_I8_FROM_F32}},
};

Test(chain, steps)
{
    struct svi_chain c;

    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        cr_assert_eq(svi_chain_find(chains[i].dst, chains[i].src, true, chains[i].swapped, &c), SV_OK);
        cr_expect_eq(c.count, chains[i].count, "%s: %d steps", chains[i].name, c.count);
        for (int k = 0; k < c.count; k++)
            cr_expect_eq(c.steps[k].op, chains[i].ops[k], "%s: step %d is %d", chains[i].name, k, c.steps[k].op);
    }
}

static const struct {
    const char *name;
    sv_dtype dst, src;
    bool unsafe, swapped;
} refused[] = {
    {"fractions", SV_INT64, SV_FLOAT16, false, false},
    {"signs", SV_UINT64, SV_INT8, false, false},
    {"imaginary parts", SV_FLOAT64, SV_COMPLEX64, false, false},
    {"numbers to bool", SV_BOOL, SV_UINT8, false, false},
    {"opaque", SV_INT8, SV_OPAQUE, true, false},
    {"to opaque", SV_OPAQUE, SV_INT8, true, false},
    {"opaque, swapped", SV_OPAQUE, SV_OPAQUE, true, true},
    {"below a byte", SV_INT8, 0x020400, true, false},
    {"as many lanes, below a byte", 0x020801, 0x020400, true, false},
    {"float128", SV_FLOAT128, SV_FLOAT64, true, false},
    {"lanes", SV_FLOAT32, 0x022002, true, false},
};

Test(chain, refused)
{
    struct svi_chain c = {.count = 77};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(svi_chain_find(refused[i].dst, refused[i].src, refused[i].unsafe, refused[i].swapped, &c),
                     SV_ERROR_DTYPE, "%s", refused[i].name);
        cr_expect_eq(c.count, 77, "%s", refused[i].name);
    }
}

/* bool, unsigned, signed, floating, complex: never back. */
Test(chain, kinds_in_order)
{
    static const sv_dtype kinds[] = {SV_BOOL, SV_UINT16, SV_INT16, SV_FLOAT8_E5M2, SV_COMPLEX32};
    struct svi_chain c;

    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            cr_expect_eq(svi_chain_find(kinds[i], kinds[j], false, false, &c) == SV_OK, i >= j, "%d to %d", j, i);
}
