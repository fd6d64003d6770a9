/* What the columns of dtypes.def mean. Plain enumerations, which C and CUDA C++ read. */
#ifndef SVI_TYPES_H
#define SVI_TYPES_H

/* Kinds of NumPy, and in its order: a type may become one of a kind not before its own. */
enum svi_kind { SVI_BOOLEAN, SVI_UNSIGNED, SVI_SIGNED, SVI_FLOATING, SVI_COMPLEX, SVI_MOVED };

/*
 * What the largest exponent means: infinity and NaN; NaN where all bits of the fraction are set too; a number, and
 * there is no -0, whose code is NaN; NaN, in a type of powers of two without sign and 0.
 */
enum svi_special { SVI_IEEE, SVI_FN, SVI_FNUZ, SVI_FNU };

/* The floating types below float32. */
enum svi_narrow {
#define SVI_NARROW(KIND, NAME, OP, ...) SVI_NARROW_##OP,
#include "dtype/dtypes.def"
};

#endif
