/* casting=: NumPy's words for which dtypes may meet in a copy. */
#ifndef SVPY_CASTING_H
#define SVPY_CASTING_H

#include "base/python.h"

#define SVPY_SAFE (1u << 31) /* among SV_COPY bits: only what loses nothing; no bit of libsv's */

/* The level of sv_can_cast() that a word stands for; 0, or -1 and ValueError. */
int svpy_casting_level(PyObject *casting, sv_casting *out);

/* Add the bits that a word of casting= stands for; NULL is 'no'. */
int svpy_casting(PyObject *casting, uint32_t *flags);

/* TypeError where flags ask for safe conversions and this one is not; 0 or -1. */
int svpy_check_casting(const sv_view *target, const sv_view *source, uint32_t flags);

#endif
