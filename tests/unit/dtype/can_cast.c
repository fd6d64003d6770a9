#include <criterion/criterion.h>

#include "dtype/chain.h"
#include "support/numbers.h"

/* The first level that allows a conversion; NEVER: none does. */
enum { NEVER = SV_CASTING_UNSAFE + 1 };

static const struct {
    const char *name;
    sv_dtype from, to;
    int32_t first;
} cases[] = {
    {"the same", SV_FLOAT32, SV_FLOAT32, SV_CASTING_NO},
    {"the same bytes", SV_OPAQUE, SV_OPAQUE, SV_CASTING_NO},
    {"the same, below a byte", 0x010400, 0x010400, SV_CASTING_NO},
    {"the same, never converted", SV_FLOAT128, SV_FLOAT128, SV_CASTING_NO},
    {"the same lanes", 0x042002, 0x042002, SV_CASTING_NO},

    {"bool has 0 and 1", SV_BOOL, SV_UINT8, SV_CASTING_SAFE},
    {"bool to float8", SV_BOOL, SV_FLOAT8_E5M2FNUZ, SV_CASTING_SAFE},
    {"to a type without 0", SV_BOOL, SV_FLOAT8_E8M0FNU, SV_CASTING_SAME_KIND},
    {"to a larger integer", SV_INT8, SV_INT16, SV_CASTING_SAFE},
    {"without sign to a larger one with it", SV_UINT8, SV_INT16, SV_CASTING_SAFE},
    {"without sign to one as large", SV_UINT8, SV_INT8, SV_CASTING_SAME_KIND},
    {"to a smaller integer", SV_INT16, SV_INT8, SV_CASTING_SAME_KIND},
    {"to one without sign", SV_INT8, SV_UINT64, SV_CASTING_UNSAFE},
    {"to bool", SV_UINT8, SV_BOOL, SV_CASTING_UNSAFE},

    {"11 bits hold 8", SV_UINT8, SV_FLOAT16, SV_CASTING_SAFE},
    {"8 bits hold 8", SV_UINT8, SV_BFLOAT16, SV_CASTING_SAFE},
    {"11 bits do not hold 16", SV_UINT16, SV_FLOAT16, SV_CASTING_SAME_KIND},
    {"24 bits hold 16", SV_UINT16, SV_FLOAT32, SV_CASTING_SAFE},
    {"24 bits do not hold 31", SV_INT32, SV_FLOAT32, SV_CASTING_SAME_KIND},
    {"53 bits are taken for 64", SV_UINT64, SV_FLOAT64, SV_CASTING_SAFE},
    {"those of complex numbers too", SV_INT64, SV_COMPLEX128, SV_CASTING_SAFE},
    {"but not 24", SV_INT64, SV_COMPLEX64, SV_CASTING_SAME_KIND},
    {"fractions are lost", SV_FLOAT16, SV_INT64, SV_CASTING_UNSAFE},

    {"to a larger floating type", SV_FLOAT16, SV_FLOAT32, SV_CASTING_SAFE},
    {"bfloat16 is the upper half", SV_BFLOAT16, SV_FLOAT32, SV_CASTING_SAFE},
    {"bfloat16 has a larger exponent", SV_BFLOAT16, SV_FLOAT16, SV_CASTING_SAME_KIND},
    {"float16 has a longer fraction", SV_FLOAT16, SV_BFLOAT16, SV_CASTING_SAME_KIND},
    {"e5m2 begins float16", SV_FLOAT8_E5M2, SV_FLOAT16, SV_CASTING_SAFE},
    {"e5m2fnuz has a number below", SV_FLOAT8_E5M2FNUZ, SV_FLOAT8_E5M2, SV_CASTING_SAME_KIND},
    {"e5m2 has infinity and -0", SV_FLOAT8_E5M2, SV_FLOAT8_E5M2FNUZ, SV_CASTING_SAME_KIND},
    {"e4m3 has infinity", SV_FLOAT8_E4M3, SV_FLOAT8_E4M3FN, SV_CASTING_SAME_KIND},
    {"powers of two are in bfloat16", SV_FLOAT8_E8M0FNU, SV_BFLOAT16, SV_CASTING_SAFE},
    {"and not in float16", SV_FLOAT8_E8M0FNU, SV_FLOAT16, SV_CASTING_SAME_KIND},
    {"no other numbers are powers of two", SV_FLOAT8_E5M2, SV_FLOAT8_E8M0FNU, SV_CASTING_SAME_KIND},
    {"real to complex", SV_FLOAT16, SV_COMPLEX32, SV_CASTING_SAFE},
    {"to smaller parts", SV_FLOAT64, SV_COMPLEX64, SV_CASTING_SAME_KIND},
    {"to larger parts", SV_COMPLEX64, SV_COMPLEX128, SV_CASTING_SAFE},
    {"imaginary parts are lost", SV_COMPLEX64, SV_FLOAT64, SV_CASTING_UNSAFE},

    {"lane by lane", 0x021002, 0x022002, SV_CASTING_SAFE},
    {"other lanes", 0x021002, 0x042002, NEVER},
    {"a lane and a vector", SV_FLOAT32, 0x022002, NEVER},
    {"float128", SV_FLOAT64, SV_FLOAT128, NEVER},
    {"from float128", SV_FLOAT128, SV_FLOAT64, NEVER},
    {"from below a byte", 0x010400, SV_INT8, NEVER},
    {"between types below a byte", 0x010200, 0x010400, NEVER},
    {"to bytes", SV_INT8, SV_OPAQUE, NEVER},
    {"from bytes", SV_OPAQUE, SV_INT8, NEVER},
    {"no type", 0x012102, 0x012102, NEVER},
    {"to no type", SV_INT8, 0xffffffff, NEVER},
    {"lanes that fill no byte", 0x030400, 0x030400, NEVER},
};

Test(can_cast, levels)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int32_t casting = SV_CASTING_NO; casting <= SV_CASTING_UNSAFE; casting++)
            cr_expect_eq(sv_can_cast(cases[i].from, cases[i].to, casting), casting >= cases[i].first, "%s: level %d",
                         cases[i].name, casting);
}

Test(can_cast, numbers_that_are_no_level)
{
    static const sv_casting bad[] = {-1, NEVER, INT32_MIN, INT32_MAX};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(sv_can_cast(SV_FLOAT32, SV_FLOAT32, bad[i]), 0, "%d", bad[i]);
        cr_expect_eq(sv_can_cast(SV_OPAQUE, SV_OPAQUE, bad[i]), 0, "%d", bad[i]);
        cr_expect_eq(sv_can_cast(SV_INT8, SV_FLOAT32, bad[i]), 0, "%d", bad[i]);
    }
}

/* Each level allows what the one before it does; the last two are those of copies. */
Test(can_cast, levels_are_those_of_copies)
{
    struct svi_chain chain;

    for (int i = 0; i < NUMBERS; i++)
        for (int j = 0; j < NUMBERS; j++) {
            const sv_dtype dst = numbers[i], src = numbers[j];

            for (int32_t casting = SV_CASTING_EQUIV; casting <= SV_CASTING_UNSAFE; casting++)
                cr_expect(sv_can_cast(src, dst, casting) >= sv_can_cast(src, dst, casting - 1), "%x to %x", src, dst);
            cr_expect_eq(sv_can_cast(src, dst, SV_CASTING_SAME_KIND),
                         svi_chain_find(dst, src, false, false, &chain) == SV_OK, "%x to %x", src, dst);
            cr_expect_eq(sv_can_cast(src, dst, SV_CASTING_UNSAFE),
                         svi_chain_find(dst, src, true, false, &chain) == SV_OK, "%x to %x", src, dst);
        }
}
