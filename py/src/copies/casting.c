/* casting=: NumPy's words for which dtypes may meet in a copy, as SV_COPY bits and, for 'safe', a check of its own. */
#include "copies/casting.h"

#include "base/dtype.h"

int svpy_casting(PyObject *casting, uint32_t *flags)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {{"no", 0},
                 {"equiv", 0}, /* another byte order is no dtype of ours */
                 {"safe", SV_COPY_CAST | SVPY_SAFE},
                 {"same_kind", SV_COPY_CAST},
                 {"unsafe", SV_COPY_CAST_UNSAFE}};

    if (casting == NULL)
        return 0;
    for (size_t i = 0; PyUnicode_Check(casting) && i < sizeof words / sizeof *words; i++)
        if (PyUnicode_CompareWithASCIIString(casting, words[i].word) == 0) {
            *flags |= words[i].flag;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "casting must be 'no', 'equiv', 'safe', 'same_kind' or 'unsafe', not %R", casting);
    return -1;
}

/* The numbers that a type can hold. digits: value bits of an integer, significant bits of a floating type. lowest and
 * highest: the exponents of two of the smallest positive number and of the largest one. */
struct range {
    char kind; /* 'b', 'u', 'i', 'f', 'c'; 0: no number */
    int16_t digits, lowest, highest;
};

static struct range range_of(sv_dtype one)
{
    switch (one) {
    case SV_BOOL: return (struct range){'b', 1, 0, 0};
    case SV_UINT8: return (struct range){'u', 8, 0, 7};
    case SV_UINT16: return (struct range){'u', 16, 0, 15};
    case SV_UINT32: return (struct range){'u', 32, 0, 31};
    case SV_UINT64: return (struct range){'u', 64, 0, 63};
    case SV_INT8: return (struct range){'i', 7, 0, 7};
    case SV_INT16: return (struct range){'i', 15, 0, 15};
    case SV_INT32: return (struct range){'i', 31, 0, 31};
    case SV_INT64: return (struct range){'i', 63, 0, 63};
    case SV_FLOAT8_E3M4: return (struct range){'f', 5, -6, 3};
    case SV_FLOAT8_E4M3: return (struct range){'f', 4, -9, 7};
    case SV_FLOAT8_E4M3FN: return (struct range){'f', 4, -9, 8};
    case SV_FLOAT8_E4M3FNUZ: return (struct range){'f', 4, -10, 7};
    case SV_FLOAT8_E4M3B11FNUZ: return (struct range){'f', 4, -13, 4};
    case SV_FLOAT8_E5M2: return (struct range){'f', 3, -16, 15};
    case SV_FLOAT8_E5M2FNUZ: return (struct range){'f', 3, -17, 15};
    case SV_FLOAT8_E8M0FNU: return (struct range){'f', 1, -127, 127};
    case SV_FLOAT16: return (struct range){'f', 11, -24, 15};
    case SV_BFLOAT16: return (struct range){'f', 8, -133, 127};
    case SV_FLOAT32: return (struct range){'f', 24, -149, 127};
    case SV_FLOAT64: return (struct range){'f', 53, -1074, 1023};
    case SV_COMPLEX32: return (struct range){'c', 11, -24, 15};
    case SV_COMPLEX64: return (struct range){'c', 24, -149, 127};
    case SV_COMPLEX128: return (struct range){'c', 53, -1074, 1023};
    default: return (struct range){0, 0, 0, 0};
    }
}

/* Floating to floating, or an integer to floating. */
static bool fits(struct range dst, struct range src)
{
    return dst.digits >= src.digits && dst.lowest <= src.lowest && dst.highest >= src.highest;
}

/*
 * np.can_cast(src, dst, 'safe'). NumPy lets integers of 64 bits go to float64. Between types of 8 bits there are
 * infinities, negative zeros and NaNs that the other has not, so none is safe but the same.
 */
static bool is_safe(sv_dtype dst_one, sv_dtype src_one)
{
    const struct range dst = range_of(dst_one), src = range_of(src_one);
    const bool wide = dst.digits == 53 && src.kind != 'f' && src.kind != 'c';

    if (dst_one == src_one)
        return true;
    if (dst.kind == 'b' || dst_one == SV_FLOAT8_E8M0FNU)
        return false;
    if (src.kind == 'b')
        return true;
    switch (dst.kind) {
    case 'u': return src.kind == 'u' && src.digits <= dst.digits;
    case 'i': return (src.kind == 'u' || src.kind == 'i') && src.digits <= dst.digits;
    case 'f': return src.kind != 'c' && (wide || (fits(dst, src) && dst_one >> 8 != src_one >> 8) ||
                                         (src.kind != 'f' && fits(dst, src)));
    default: return wide || fits(dst, src);
    }
}

int svpy_check_casting(const sv_view *target, const sv_view *source, uint32_t flags)
{
    const sv_dtype dst = sv_view_dtype(target), src = sv_view_dtype(source);
    PyObject *names[2];

    if ((flags & SVPY_SAFE) == 0 || dst == src || dst == SV_OPAQUE || src == SV_OPAQUE || dst >> 16 != src >> 16 ||
        range_of((dst & 0xffff) | 1u << 16).kind == 0 || range_of((src & 0xffff) | 1u << 16).kind == 0 ||
        is_safe((dst & 0xffff) | 1u << 16, (src & 0xffff) | 1u << 16))
        return 0;
    names[0] = svpy_dtype_name(src);
    names[1] = names[0] == NULL ? NULL : svpy_dtype_name(dst);
    if (names[1] != NULL)
        PyErr_Format(PyExc_TypeError, "%U to %U is not safe: pass casting='same_kind' or 'unsafe' to convert", names[0],
                     names[1]);
    Py_XDECREF(names[1]);
    Py_XDECREF(names[0]);
    return -1;
}
