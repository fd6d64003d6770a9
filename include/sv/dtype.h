/*
 * libsv: element types, and their names.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * An element type is a number, such as SV_FLOAT32: it is not made, counted or released. Constants name the usual
 * types, and sv_dtype_make() makes any other that DLPack 1.3 has. Functions turn a type into its name, NumPy's type
 * string or a PEP 3118 format, and read it from one.
 */
#ifndef SV_DTYPE_H
#define SV_DTYPE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- dtype -------------------------------------------------------------- */

/** Element type: the DLPack (1.3) triple as code + 256 * bits + 65536 * lanes.
 *
 * An element has bits * lanes bits, which fill whole bytes; but a single lane below a byte is padded to one, so
 * "int4" is a number in a byte of its own and "int4x2" two that share a byte. SV_OPAQUE stands for items of which
 * only the size is known: they can be moved but not exchanged by DLPack.
 *
 * Numbers are in this machine's byte order. Functions that read type strings and formats refuse numbers in the other
 * order (SV_ERROR_UNSUPPORTED): view such an array with the same type in this order, and copy it with SV_COPY_SWAP.
 * */
typedef uint32_t sv_dtype;

enum {
    SV_OPAQUE = 0,
    SV_BOOL = 0x010806,
    SV_INT8 = 0x010800,
    SV_INT16 = 0x011000,
    SV_INT32 = 0x012000,
    SV_INT64 = 0x014000,
    SV_UINT8 = 0x010801,
    SV_UINT16 = 0x011001,
    SV_UINT32 = 0x012001,
    SV_UINT64 = 0x014001,
    SV_FLOAT16 = 0x011002,
    SV_FLOAT32 = 0x012002,
    SV_FLOAT64 = 0x014002,
    SV_FLOAT128 = 0x018002,
    SV_BFLOAT16 = 0x011004,
    SV_COMPLEX32 = 0x012005,
    SV_COMPLEX64 = 0x014005,
    SV_COMPLEX128 = 0x018005,
    SV_FLOAT8_E3M4 = 0x010807,
    SV_FLOAT8_E4M3 = 0x010808,
    SV_FLOAT8_E4M3B11FNUZ = 0x010809,
    SV_FLOAT8_E4M3FN = 0x01080a,
    SV_FLOAT8_E4M3FNUZ = 0x01080b,
    SV_FLOAT8_E5M2 = 0x01080c,
    SV_FLOAT8_E5M2FNUZ = 0x01080d,
    SV_FLOAT8_E8M0FNU = 0x01080e,
    SV_FLOAT4_E2M1FN_X2 = 0x020411
};

/** Make an element type from its DLPack parts: type code, bits of one lane, and 1 lane or the width of a vector.
 *
 * SV_ERROR_DTYPE  unknown code, a width the code does not have, 0 lanes, or several lanes that do not fill whole
 *                 bytes */
SV_API sv_status sv_dtype_make(int32_t code, int32_t bits, int32_t lanes, SV_OUT sv_dtype *out);

/** Bytes of one element; 0 for SV_OPAQUE and for a number that is no type. */
SV_API int64_t sv_dtype_itemsize(sv_dtype dtype);

/** DLPack's code: 0 signed, 1 unsigned, 2 floating, and so on; -1 of SV_OPAQUE and of a number that is no type. */
SV_API int32_t sv_dtype_code(sv_dtype dtype);

/** Bits of one lane; 0 of SV_OPAQUE and of a number that is no type. */
SV_API int32_t sv_dtype_bits(sv_dtype dtype);

/** Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no type. */
SV_API int32_t sv_dtype_lanes(sv_dtype dtype);

/** Write the name of a type: "float32", "float32x4" with four lanes, "opaque". */
SV_API sv_status sv_dtype_name(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                               SV_OUT SV_OPT size_t *length);

/** Read a name that sv_dtype_name() writes; SV_ERROR_DTYPE where there is no such name. */
SV_API sv_status sv_dtype_parse(const char *name, SV_OUT sv_dtype *out);

/** Write the type string of NumPy's array interface, "<f4". Of types that NumPy does not have by itself the bytes
 * remain: "|V1", "<V2". SV_OPAQUE is SV_ERROR_DTYPE. */
SV_API sv_status sv_dtype_typestr(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                                  SV_OUT SV_OPT size_t *length);

/** Read a type string of the array interface, version 3.
 *
 * SV_ERROR_DTYPE        not a type string, or a kind that has no DLPack type
 * SV_ERROR_UNSUPPORTED  a number in the other byte order, see sv_dtype */
SV_API sv_status sv_dtype_from_typestr(const char *typestr, SV_OUT sv_dtype *out);

/** Write the PEP 3118 format of a type, "f", "Zd"; SV_ERROR_DTYPE for a type without a format. */
SV_API sv_status sv_dtype_format(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                                 SV_OUT SV_OPT size_t *length);

/** Read a PEP 3118 format of one number, in native or byte-equal order.
 *
 * @param format    format text; NULL means "B", as in a Py_buffer
 * @param itemsize  bytes of one item as the exporter states them
 *
 * SV_ERROR_DTYPE        not the format of one number, or not of itemsize bytes
 * SV_ERROR_UNSUPPORTED  a number in the other byte order, see sv_dtype */
SV_API sv_status sv_dtype_from_format(SV_OPT const char *format, int64_t itemsize, SV_OUT sv_dtype *out);

/** Which conversions are allowed: NumPy's levels, each of which allows what those before it do. */
typedef int32_t sv_casting;

enum {
    SV_CASTING_NO = 0,        /**< none: the types are equal */
    SV_CASTING_EQUIV = 1,     /**< none either, since byte order is no part of a type */
    SV_CASTING_SAFE = 2,      /**< each value is kept; also integers of 64 bits to float64, as in NumPy */
    SV_CASTING_SAME_KIND = 3, /**< what SV_COPY_CAST converts: to the same kind of number, or to a later kind */
    SV_CASTING_UNSAFE = 4     /**< what SV_COPY_CAST_UNSAFE converts: any number to any */
};

/** Whether a copy converts elements of one type to another at a level of casting: 1 or 0.
 *
 * Every level allows equal types, SV_OPAQUE with SV_OPAQUE among them, and none allows types that no copy converts:
 * float128, types below a byte, vectors of different widths. Infinity, NaN and -0 are values, so no safe conversion
 * leads to a type that lacks one of them. Numbers that are no type or no level answer 0. */
SV_API int32_t sv_can_cast(sv_dtype source, sv_dtype target, sv_casting casting);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_DTYPE_H */
