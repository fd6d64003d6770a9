/* Every type of number, for the tests of conversions. */
#ifndef SVI_TEST_NUMBERS_H
#define SVI_TEST_NUMBERS_H

#include "sv.h"

static const sv_dtype numbers[] = {
    SV_BOOL,        SV_INT8,         SV_INT16,       SV_INT32,              SV_INT64,         SV_UINT8,
    SV_UINT16,      SV_UINT32,       SV_UINT64,      SV_FLOAT16,            SV_FLOAT32,       SV_FLOAT64,
    SV_BFLOAT16,    SV_FLOAT8_E3M4,  SV_FLOAT8_E4M3, SV_FLOAT8_E4M3B11FNUZ, SV_FLOAT8_E4M3FN, SV_FLOAT8_E4M3FNUZ,
    SV_FLOAT8_E5M2, SV_FLOAT8_E5M2FNUZ, SV_FLOAT8_E8M0FNU, SV_COMPLEX32,    SV_COMPLEX64,     SV_COMPLEX128,
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

#endif
