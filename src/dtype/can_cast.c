/*
 * NumPy's casting levels. Which values a type has follows from its row in dtypes.def, so a new row is complete: a
 * conversion is safe where the destination has every value of the source, its infinities, NaNs and -0 among them.
 */
#include <float.h>

#include "dtype/dtype.h"

/* What a type has besides positive finite numbers; bits. */
enum { HAS_ZERO = 1, HAS_NEGATIVE = 2, HAS_NEGATIVE_ZERO = 4, HAS_INFINITY = 8, HAS_NAN = 16 };

/* digits: value bits of an integer, significant bits of a floating type. lowest and highest: the exponents of two of
 * the smallest positive number and of the largest one. */
struct range {
    int digits, lowest, highest;
    unsigned has;
};

static struct range integer_range(const struct svi_dtype_row *row)
{
    const bool is_signed = row->kind == SVI_SIGNED;
    const int digits = row->kind == SVI_BOOLEAN ? 1 : row->bits - is_signed;

    /* The least number of a signed type is a power of two more than its largest one. */
    return (struct range){digits, 0, digits - !is_signed, is_signed ? HAS_ZERO | HAS_NEGATIVE : HAS_ZERO};
}

static struct range floating_range(const struct svi_dtype_row *row)
{
    const int bits = row->kind == SVI_COMPLEX ? row->bits / 2 : row->bits, exponent = bits - 1 - row->fraction;
    const int lowest = 1 - row->bias - row->fraction, highest = (1 << exponent) - 1 - row->bias;
    const unsigned has_signs = HAS_ZERO | HAS_NEGATIVE | HAS_NEGATIVE_ZERO;

    switch ((enum svi_special)row->special) {
    case SVI_IEEE: return (struct range){row->fraction + 1, lowest, highest - 1, has_signs | HAS_INFINITY | HAS_NAN};
    case SVI_FN: return (struct range){row->fraction + 1, lowest, highest, has_signs | HAS_NAN};
    case SVI_FNUZ: return (struct range){row->fraction + 1, lowest, highest, HAS_ZERO | HAS_NEGATIVE | HAS_NAN};
    case SVI_FNU: break;
    }
    /* No sign, so one more bit of exponent, whose largest one is NaN. */
    return (struct range){1, -row->bias, (2 << exponent) - 2 - row->bias, HAS_NAN};
}

static struct range range_of(const struct svi_dtype_row *row)
{
    return row->kind == SVI_FLOATING || row->kind == SVI_COMPLEX ? floating_range(row) : integer_range(row);
}

/* Whether each value stays what it is. But integers of 64 bits may become float64, as in NumPy. */
static bool is_safe(const struct svi_dtype_row *to, const struct svi_dtype_row *from)
{
    const struct range dst = range_of(to), src = range_of(from);

    if (from->kind < SVI_FLOATING && to->kind >= SVI_FLOATING && dst.digits >= DBL_MANT_DIG)
        return true;
    return dst.digits >= src.digits && dst.lowest <= src.lowest && dst.highest >= src.highest &&
           (src.has & ~dst.has) == 0;
}

/* Of two types that differ. */
static bool is_allowed(const struct svi_dtype_row *to, const struct svi_dtype_row *from, sv_casting casting)
{
    return casting >= SV_CASTING_SAFE &&
           svi_kind_converts((enum svi_kind)to->kind, (enum svi_kind)from->kind, casting == SV_CASTING_UNSAFE) &&
           (casting != SV_CASTING_SAFE || is_safe(to, from));
}

int32_t sv_can_cast(sv_dtype source, sv_dtype target, sv_casting casting)
{
    const bool are_types = sv_dtype_itemsize(source) > 0 && sv_dtype_itemsize(target) > 0;

    if (casting < SV_CASTING_NO || casting > SV_CASTING_UNSAFE)
        return 0;
    if (source == target)
        return are_types || source == SV_OPAQUE;
    return are_types && svi_dtype_lanes(source) == svi_dtype_lanes(target) &&
           is_allowed(svi_dtype_find_row(target), svi_dtype_find_row(source), casting);
}
