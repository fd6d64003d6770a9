/* casting=: NumPy's words for which dtypes may meet in a copy, as levels of sv_can_cast() and as SV_COPY bits. */
#include "copies/casting.h"

#include "base/dtype.h"

int svpy_casting_level(PyObject *casting, sv_casting *out)
{
    static const char *const words[] = {[SV_CASTING_NO] = "no",
                                        [SV_CASTING_EQUIV] = "equiv",
                                        [SV_CASTING_SAFE] = "safe",
                                        [SV_CASTING_SAME_KIND] = "same_kind",
                                        [SV_CASTING_UNSAFE] = "unsafe"};

    for (sv_casting level = SV_CASTING_NO; PyUnicode_Check(casting) && level <= SV_CASTING_UNSAFE; level++)
        if (PyUnicode_CompareWithASCIIString(casting, words[level]) == 0) {
            *out = level;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "casting must be 'no', 'equiv', 'safe', 'same_kind' or 'unsafe', not %R", casting);
    return -1;
}

int svpy_casting(PyObject *casting, uint32_t *flags)
{
    static const uint32_t bits[] = {[SV_CASTING_SAFE] = SV_COPY_CAST | SVPY_SAFE,
                                    [SV_CASTING_SAME_KIND] = SV_COPY_CAST,
                                    [SV_CASTING_UNSAFE] = SV_COPY_CAST_UNSAFE};
    sv_casting level;

    if (casting == NULL)
        return 0;
    if (svpy_casting_level(casting, &level) < 0)
        return -1;
    *flags |= bits[level];
    return 0;
}

/* What no level converts is refused by the copy, which says why. */
int svpy_check_casting(const sv_view *target, const sv_view *source, uint32_t flags)
{
    const sv_dtype dst = sv_view_dtype(target), src = sv_view_dtype(source);
    PyObject *names[2];

    if ((flags & SVPY_SAFE) == 0 || sv_can_cast(src, dst, SV_CASTING_SAFE) || !sv_can_cast(src, dst, SV_CASTING_UNSAFE))
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
