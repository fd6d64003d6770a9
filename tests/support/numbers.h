/* Every type of number that converts, for the tests of conversions. */
#ifndef SVI_TEST_NUMBERS_H
#define SVI_TEST_NUMBERS_H

#include "sv.h"

/* Complex types stand last. */
static const sv_dtype numbers[] = {
#define SVI_DTYPE(KIND, NAME, ...) SV_##NAME,
#define SVI_PARTS(...)
#define SVI_BYTES(...)
#include "dtype/dtypes.def"
#define SVI_PARTS(KIND, NAME, ...) SV_##NAME,
#include "dtype/dtypes.def"
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

#endif
