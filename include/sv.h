/*
 * libsv: strided array memory of every kind.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * Turn an interleaved picture (height x width x 3 bytes) into three planes:
 *
 *     int64_t pixels[3] = {height, width, 3}, planes[3] = {3, height, width};
 *     int32_t axes[3] = {2, 0, 1};
 *     sv_view *picture, *source, *target;
 *
 *     sv_view_from_host(SV_UINT8, 3, pixels, NULL, in, 0, &picture);
 *     sv_view_permute(picture, 3, axes, &source);
 *     sv_view_from_host(SV_UINT8, 3, planes, NULL, out, 0, &target);
 *     sv_copy(target, source, 0, 0);
 *
 * Real code checks the status that each call returns, and releases each handle:
 * see examples/copy.c.
 */
#ifndef SV_H
#define SV_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SV_API
#elif defined(__GNUC__)
#define SV_API __attribute__((visibility("default")))
#else
#define SV_API
#endif

/* What a parameter means to a caller. The words expand to nothing. */
#define SV_OUT  /* written, and only when the call succeeds */
#define SV_TAKE /* ownership moves to libsv, and only when the call succeeds */
#define SV_OPT  /* may be NULL */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rules that hold for every function below.
 *
 * Status     A function that can fail returns sv_status: SV_OK, or a negative
 *            SV_ERROR code, with the facts in sv_last_message(). A function
 *            that cannot fail returns its answer, and 0 or NULL when the
 *            handle it was given is NULL.
 * Outputs    A parameter marked SV_OUT is written on SV_OK and left as it was
 *            after any other status.
 * NULL       A pointer not marked SV_OPT must not be NULL: SV_ERROR_NULL. An
 *            array of ndim or count items may be NULL when there are none.
 * Memory     Every function that makes something can answer SV_ERROR_MEMORY, and
 *            so can a copy that needs a temporary.
 * Ownership  A handle that comes out through SV_OUT holds one reference, which
 *            the caller ends with the release function of its type. SV_TAKE
 *            moves ownership with SV_OK only; after any other status nothing
 *            was called and the caller still owns the thing. A pointer that a
 *            getter returns is borrowed and lives as long as the handle.
 * Threads    Layouts, views and plans do not change once made. Any thread may
 *            use them at the same time, and may drop the last reference.
 * Manners    Nothing is printed, no thread is started, errno is not used, and
 *            whatever is wrong the process goes on. Nothing runs when the
 *            library is loaded.
 * Checks     Handles are trusted to be alive. For development, a library can be
 *            configured with --enable-checks (SV_FEATURE_CHECKS): it answers
 *            SV_ERROR_STATE, or 0 or NULL where there is no status, to a handle
 *            that was released, has another type or is none at all. It cannot
 *            tell when a new handle of the same type has the same address.
 * Axes       Axes run from 0 to ndim - 1; negative ones count from the end.
 * Text       A function that writes text takes a capacity in bytes. The text
 *            is never cut: SV_ERROR_BUFFER when it and its closing NUL do not
 *            fit. With capacity 0 nothing is written to text, which may then
 *            be NULL, and length alone is answered. length excludes the NUL.
 * Copies     Several copies of libsv may live in one process. A handle must
 *            not cross from one to another; arrays cross as DLPack tensors.
 *
 * From here to the end mark the text is plain declarations only: parsers of
 * other languages read it. It is the source of every binding.
 */

/* >>> declarations */

/* --- version ------------------------------------------------------------ */

enum {
    SV_VERSION_MAJOR = 0,
    SV_VERSION_MINOR = 1,
    SV_VERSION_PATCH = 0,
    /** Raised when a program compiled against an older header must not run. */
    SV_ABI_VERSION = 0
};

/** What the library was built with: bits of sv_features(). */
enum {
    SV_FEATURE_CUDA = 1,  /**< the CUDA backend is compiled in */
    SV_FEATURE_CHECKS = 2 /**< every call finds out whether its handles are alive and of the right type */
};

/**
 * Version of the library that runs: 10000 * major + 100 * minor + patch.
 *
 * Since 0.1.
 */
SV_API int32_t sv_version(void);

/**
 * Version of the library that runs, as static text: "0.1.0".
 *
 * Since 0.1.
 */
SV_API const char *sv_version_text(void);

/**
 * SV_ABI_VERSION of the library that runs. A binding compares it with the
 * header it was made from before any other call.
 *
 * Since 0.1.
 */
SV_API int32_t sv_abi_version(void);

/**
 * The SV_FEATURE bits this library was built with.
 *
 * Since 0.1.
 */
SV_API uint32_t sv_features(void);

/* --- status ------------------------------------------------------------- */

/** 0 or a negative code. The numbers never change. */
typedef int32_t sv_status;

enum {
    SV_OK = 0,
    SV_ERROR_NULL = -1,         /**< a pointer that is needed is NULL */
    SV_ERROR_INVALID = -2,      /**< senseless for any array: negative extent or count, repeated axis, unknown flag */
    SV_ERROR_INDEX = -3,        /**< index or axis outside the array */
    SV_ERROR_RANGE = -4,        /**< outside bounds: elements past the memory, more than 64 axes, items of no bytes */
    SV_ERROR_OVERFLOW = -5,     /**< a size or an offset in bytes does not fit int64 */
    SV_ERROR_DTYPE = -6,        /**< element type unknown, malformed or not the same */
    SV_ERROR_LAYOUT = -7,       /**< shape or strides do not allow the operation */
    SV_ERROR_OVERLAP = -8,      /**< elements share bytes where they must not */
    SV_ERROR_READ_ONLY = -9,    /**< writing to read-only memory */
    SV_ERROR_ALIGNMENT = -10,   /**< address not aligned as needed */
    SV_ERROR_DEVICE = -11,      /**< device unknown, absent or out of reach */
    SV_ERROR_VERSION = -12,     /**< protocol or ABI version not supported */
    SV_ERROR_PROTOCOL = -13,    /**< a foreign structure breaks its own rules */
    SV_ERROR_UNSUPPORTED = -14, /**< legal, but this build cannot do it */
    SV_ERROR_MEMORY = -15,      /**< out of memory */
    SV_ERROR_CUDA = -16,        /**< the CUDA runtime failed */
    SV_ERROR_STATE = -17,       /**< wrong state: handle released, builder without a layout, tasks left undone */
    SV_ERROR_BLOCKED = -18,     /**< refused while something else uses it */
    SV_ERROR_FORKED = -19,      /**< a device was opened before this process was forked */
    SV_ERROR_BUFFER = -20       /**< the caller's buffer is too small; nothing was written */
};

/**
 * Name of a status as static text, "SV_ERROR_INDEX"; of an unknown number
 * "SV_ERROR_UNKNOWN".
 *
 * Since 0.1.
 */
SV_API const char *sv_status_name(sv_status status);

/**
 * What went wrong in the last call on this thread that failed.
 *
 * One line of ASCII, never NULL, shorter than 512 bytes, empty before the first
 * failure; other characters of a text that it quotes are escaped as by Python's
 * ascii(). It is meaningful only right after a failed call on the same thread,
 * and changes with the next one. Languages that move work between threads can
 * rely on the status alone.
 *
 * Since 0.1.
 */
SV_API const char *sv_last_message(void);

/* --- dtype -------------------------------------------------------------- */

/**
 * Element type: the DLPack (1.3) triple as code + 256 * bits + 65536 * lanes.
 *
 * An element has bits * lanes bits, which fill whole bytes; but a single lane
 * below a byte is padded to one, so "int4" is a number in a byte of its own and
 * "int4x2" two that share a byte. SV_OPAQUE stands for items of which only the
 * size is known: they can be moved but not exchanged by DLPack.
 *
 * Numbers are in this machine's byte order. Functions that read type strings and
 * formats refuse numbers in the other order (SV_ERROR_UNSUPPORTED): view such an
 * array with the same type in this order, and copy it with SV_COPY_SWAP.
 */
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

/**
 * Make an element type from its DLPack parts.
 *
 * @param code   DLPack type code
 * @param bits   bits of one lane
 * @param lanes  1, or the width of a vector
 * @param out    receives the type
 *
 * SV_ERROR_DTYPE  unknown code, a width the code does not have, 0 lanes, or
 *                 several lanes that do not fill whole bytes
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_make(int32_t code, int32_t bits, int32_t lanes, SV_OUT sv_dtype *out);

/**
 * Bytes of one element; 0 for SV_OPAQUE and for a number that is no type.
 *
 * Since 0.1.
 */
SV_API int64_t sv_dtype_itemsize(sv_dtype dtype);

/**
 * DLPack's code of a type: 0 signed, 1 unsigned, 2 floating, and so on. -1 of
 * SV_OPAQUE and of a number that is no type.
 *
 * Since 0.1.
 */
SV_API int32_t sv_dtype_code(sv_dtype dtype);

/**
 * Bits of one lane; 0 of SV_OPAQUE and of a number that is no type.
 *
 * Since 0.1.
 */
SV_API int32_t sv_dtype_bits(sv_dtype dtype);

/**
 * Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no
 * type.
 *
 * Since 0.1.
 */
SV_API int32_t sv_dtype_lanes(sv_dtype dtype);

/**
 * Write the name of a type: "float32", "float32x4" with four lanes, "opaque".
 *
 * SV_ERROR_DTYPE   dtype is no type
 * SV_ERROR_BUFFER  capacity too small
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_name(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                               SV_OUT SV_OPT size_t *length);

/**
 * Read a name that sv_dtype_name() writes.
 *
 * SV_ERROR_DTYPE  no such name
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_parse(const char *name, SV_OUT sv_dtype *out);

/**
 * Write the type string of NumPy's array interface, "<f4".
 *
 * Of types that NumPy does not have by itself the bytes remain: "|V1", "<V2".
 *
 * SV_ERROR_DTYPE   dtype is no type, or opaque
 * SV_ERROR_BUFFER  capacity too small
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_typestr(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                                  SV_OUT SV_OPT size_t *length);

/**
 * Read a type string of the array interface, version 3.
 *
 * SV_ERROR_DTYPE        not a type string, or a kind that has no DLPack type
 * SV_ERROR_UNSUPPORTED  a number in the other byte order: take the type of this
 *                       one, and copy with SV_COPY_SWAP
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_from_typestr(const char *typestr, SV_OUT sv_dtype *out);

/**
 * Write the PEP 3118 format of a type, "f", "Zd".
 *
 * SV_ERROR_DTYPE   dtype is no type, or one without a format
 * SV_ERROR_BUFFER  capacity too small
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_format(sv_dtype dtype, size_t capacity, SV_OUT SV_OPT char *text,
                                 SV_OUT SV_OPT size_t *length);

/**
 * Read a PEP 3118 format of one number, in native or byte-equal order.
 *
 * @param format    format text; NULL means "B", as in a Py_buffer
 * @param itemsize  bytes of one item as the exporter states them
 * @param out       receives the type
 *
 * SV_ERROR_DTYPE        not the format of one number, or not of itemsize bytes
 * SV_ERROR_UNSUPPORTED  a number in the other byte order: take the type of this
 *                       one, and copy with SV_COPY_SWAP
 *
 * Since 0.1.
 */
SV_API sv_status sv_dtype_from_format(SV_OPT const char *format, int64_t itemsize, SV_OUT sv_dtype *out);

/* --- layout ------------------------------------------------------------- */

/**
 * Shape, strides, item size and offset. A layout knows no address and no type.
 *
 * The element with index i[0], ..., i[ndim-1] begins at byte
 * byte_offset + sum(i[k] * byte_strides[k]) from a base address. Strides are
 * signed and may be 0. There are 0 to 64 axes. The number of elements, their
 * bytes, and the first and last byte reached all fit int64 in every layout
 * that exists; what would not answers SV_ERROR_OVERFLOW. A layout with an
 * extent of 0 has no elements, whatever its other extents.
 */
typedef struct sv_layout sv_layout;

enum {
    SV_MAX_NDIM = 64
};

/** Order of the axes in memory. */
typedef int32_t sv_order;

enum {
    SV_ORDER_C = 0,   /**< the last axis moves fastest */
    SV_ORDER_F = 1,   /**< the first axis moves fastest */
    SV_ORDER_K = 2,   /**< the order the strides already have */
    SV_ORDER_AXES = 3 /**< a given list of axes, the slowest first */
};

/** Answer to a question that can be too hard to decide. */
typedef int32_t sv_answer;

enum {
    SV_NO = 0,
    SV_YES = 1,
    SV_MAYBE = 2 /**< not decided within the work limit */
};

/**
 * Make a layout from strides in elements. They are kept as they are, also where
 * nothing moves, except that there 0 stands for one that does not fit int64 in
 * bytes.
 *
 * @param ndim      axes, 0 to 64
 * @param shape     ndim extents, 0 or more
 * @param strides   ndim strides in elements; NULL means C order, dense
 * @param itemsize  bytes of one element, 1 or more
 * @param out       receives the layout
 *
 * SV_ERROR_RANGE     ndim or itemsize outside its limits
 * SV_ERROR_INVALID   an extent is negative
 * SV_ERROR_OVERFLOW  sizes or offsets do not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_new(int32_t ndim, const int64_t *shape, SV_OPT const int64_t *strides, int64_t itemsize,
                               SV_OUT sv_layout **out);

/**
 * Make a layout from strides in bytes, which need not be multiples of itemsize.
 *
 * Parameters and statuses as of sv_layout_new().
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_new_bytes(int32_t ndim, const int64_t *shape, SV_OPT const int64_t *byte_strides,
                                     int64_t itemsize, SV_OUT sv_layout **out);

/**
 * Make a layout without gaps.
 *
 * @param ndim      axes, 0 to 64
 * @param shape     ndim extents
 * @param order     SV_ORDER_C, SV_ORDER_F or SV_ORDER_AXES
 * @param axes      for SV_ORDER_AXES the ndim axes, the slowest first; else not read
 * @param itemsize  bytes of one element
 * @param out       receives the layout; all strides are 0 when it is empty
 *
 * Statuses as of sv_layout_new(), and
 * SV_ERROR_INVALID  unknown order, or an axis twice
 * SV_ERROR_INDEX    an axis outside the layout
 * SV_ERROR_NULL     SV_ORDER_AXES without axes
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_new_dense(int32_t ndim, const int64_t *shape, sv_order order, SV_OPT const int32_t *axes,
                                     int64_t itemsize, SV_OUT sv_layout **out);

/**
 * Make a layout from one line of text, as sv_layout_text() writes it:
 *
 *     layout  = numbers [":" numbers ["b"]] "*" itemsize [("+" | "-") offset]
 *     numbers = "(" [number {"," number} [","]] ")"
 *
 * The first numbers are the shape, the second the strides: in items, or in
 * bytes where a "b" follows; without any in C order, dense. itemsize and offset
 * are in bytes. Thus "(3, 450):(1, -3)*4+5388" reads as what it means: index
 * times strides, times 4, plus 5388. Spaces may stand between all parts.
 *
 * @param text  the line
 * @param out   receives the layout
 *
 * Statuses as of sv_layout_new(), and
 * SV_ERROR_INVALID   no such text, or another number of strides than of
 *                    extents; the message tells the character, from 1
 * SV_ERROR_RANGE     more than 64 numbers
 * SV_ERROR_OVERFLOW  a number does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_parse(const char *text, SV_OUT sv_layout **out);

/**
 * Add a reference. Returns its argument.
 *
 * Since 0.1.
 */
SV_API sv_layout *sv_layout_retain(SV_OPT const sv_layout *layout);

/**
 * Drop a reference; the last one frees the layout. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_layout_release(SV_OPT SV_TAKE sv_layout *layout);

/**
 * Number of axes.
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_ndim(const sv_layout *layout);

/**
 * The ndim extents.
 *
 * Since 0.1.
 */
SV_API const int64_t *sv_layout_shape(const sv_layout *layout);

/**
 * The ndim strides in bytes.
 *
 * Since 0.1.
 */
SV_API const int64_t *sv_layout_byte_strides(const sv_layout *layout);

/**
 * The ndim strides in elements.
 *
 * Where nothing moves, in empty layouts and along extents of 1, a stride that
 * does not divide is rounded towards 0.
 *
 * SV_ERROR_LAYOUT  a stride in bytes is no multiple of the item size
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_strides(const sv_layout *layout, SV_OUT const int64_t **strides);

/**
 * Bytes of one element.
 *
 * Since 0.1.
 */
SV_API int64_t sv_layout_itemsize(const sv_layout *layout);

/**
 * Number of elements; 1 for a layout without axes.
 *
 * Since 0.1.
 */
SV_API int64_t sv_layout_size(const sv_layout *layout);

/**
 * Bytes of all elements, each index counted: size * itemsize.
 *
 * Since 0.1.
 */
SV_API int64_t sv_layout_nbytes(const sv_layout *layout);

/**
 * Bytes from the base address to the element with all indices 0.
 *
 * Since 0.1.
 */
SV_API int64_t sv_layout_byte_offset(const sv_layout *layout);

/**
 * Whether the elements follow one another without gaps in an order: 1 or 0.
 *
 * Extents of 1 do not matter, an empty layout is contiguous, the offset is not
 * looked at. These are NumPy's flags. SV_ORDER_K asks for any order of the
 * axes; strides must be positive.
 *
 * @param layout  layout to look at
 * @param order   SV_ORDER_C, SV_ORDER_F or SV_ORDER_K; 0 for any other
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_is_contiguous(const sv_layout *layout, sv_order order);

/**
 * Whether the elements fill bytes from the base on without gaps: contiguous in
 * any order of the axes, and no offset. 1 or 0; an empty layout is dense.
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_is_dense(const sv_layout *layout);

/**
 * Whether every byte of every element lies in [lower, upper), relative to the
 * base: 1 or 0. The elements of an empty layout lie in any range.
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_is_within(const sv_layout *layout, int64_t lower, int64_t upper);

/**
 * The bytes that elements occupy, relative to the base: [lower, upper).
 *
 * Both are 0 for an empty layout. lower is negative when strides reach below
 * the base.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_byte_bounds(const sv_layout *layout, SV_OUT int64_t *lower, SV_OUT int64_t *upper);

/**
 * Bytes that memory starting at the base must have to hold every element.
 *
 * SV_ERROR_LAYOUT  an element lies below the base
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_required_size(const sv_layout *layout, SV_OUT int64_t *nbytes);

/**
 * The axes by the size of their stride, the slowest first.
 *
 * Of equal strides the larger extent comes first, then the lower axis.
 *
 * @param layout  layout to look at
 * @param axes    receives ndim axes
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_stride_order(const sv_layout *layout, SV_OUT int32_t *axes);

/**
 * Which axes continue the axis before them: bit i of the result is set when
 * axis i can be merged into axis i - 1.
 *
 * Extents of 1 continue any axis, and in an empty layout every axis does as
 * long as extents fit int64. Any of the bits may be cleared: the "and" of the
 * masks of two layouts of one shape is what can be merged in both.
 *
 * Since 0.1.
 */
SV_API uint64_t sv_layout_flatten_mask(const sv_layout *layout);

/**
 * The alignment that all elements have in common: the largest power of two that
 * divides the address of each.
 *
 * @param layout     layout to look at
 * @param address    base address; 0 asks for the alignment relative to it
 * @param alignment  receives 1 to 2^62, which stands for any: there are no
 *                   elements, or none but at address 0
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_alignment(const sv_layout *layout, uintptr_t address, SV_OUT int64_t *alignment);

/**
 * The largest item size, a divisor of limit, that sv_layout_repack() would take
 * with the same address and axis; that of layout where there is none larger,
 * and when it is empty.
 *
 * @param layout    layout to look at
 * @param limit     bytes, at least the item size; 16 for vectors of 1, 2, 4, 8
 *                  or 16 bytes
 * @param address   base address; 0 is a multiple of every size
 * @param axis      axis whose items are neighbours
 * @param itemsize  receives the size in bytes
 *
 * SV_ERROR_INVALID  limit is below the item size
 * SV_ERROR_INDEX    no such axis
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_max_itemsize(const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis,
                                        SV_OUT int64_t *itemsize);

/**
 * Whether two layouts say the same: 1 or 0.
 *
 * Equal are ndim, shape, item size and, unless they are empty, offset and
 * strides: all strides, those of extents of 1 too, as NumPy shows them. Whether
 * two layouts reach the same bytes is sv_layout_same_bytes() to tell.
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_equal(const sv_layout *layout, const sv_layout *other);

/**
 * A number that is the same for equal layouts. It is not to be stored: another
 * version may count otherwise.
 *
 * Since 0.1.
 */
SV_API uint64_t sv_layout_hash(const sv_layout *layout);

/**
 * Write a layout as one line, "(3, 450):(1, -3)*4+5388", which
 * sv_layout_parse() reads back to an equal one. Strides are in items where all
 * of them are multiples of the item size, else in bytes, with a "b" behind; an
 * offset of 0 is left out.
 *
 * SV_ERROR_BUFFER  capacity too small; 3072 is always enough
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_text(const sv_layout *layout, size_t capacity, SV_OUT SV_OPT char *text,
                                SV_OUT SV_OPT size_t *length);

/**
 * Whether no two different indices share a byte.
 *
 * The question is NP-hard, so it has a work limit; the answer is never a wrong
 * SV_YES or SV_NO. Within the default limit are all layouts whose axes nest,
 * and all that have up to four axes when neighbours that are one run are
 * merged, whatever their strides and extents.
 *
 * @param layout  layout to look at; an empty one is unique
 * @param work    steps after which to answer SV_MAYBE; 0 for 100000, which take
 *                a tenth of a second, though hardly any layout needs them
 * @param answer  receives SV_YES, SV_NO or SV_MAYBE
 *
 * SV_ERROR_INVALID  work is negative
 * SV_ERROR_MEMORY   no room for a search, which few layouts need
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_is_unique(const sv_layout *layout, int64_t work, SV_OUT sv_answer *answer);

/**
 * Whether elements of two layouts share a byte, each read from an address.
 *
 * Decided within the default limit are pairs that reach apart, slices of one
 * array, and pairs that together have up to four axes when neighbours are
 * merged; of others, nearly all. Addresses wrap at the end of the address
 * space.
 *
 * @param layout         one layout
 * @param other          the other; shapes and item sizes are free
 * @param address        base address of layout
 * @param other_address  base address of other
 * @param work           as of sv_layout_is_unique()
 * @param answer         receives SV_YES, SV_NO or SV_MAYBE
 *
 * SV_ERROR_INVALID  work is negative
 * SV_ERROR_MEMORY   no room for a search, which few layouts need
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_overlap(const sv_layout *layout, const sv_layout *other, uintptr_t address,
                                   uintptr_t other_address, int64_t work, SV_OUT sv_answer *answer);

/**
 * Whether two layouts, walked in C order, visit the same bytes in the same
 * order, whatever their shapes and item sizes: 1 or 0. Two empty ones do.
 *
 * Since 0.1.
 */
SV_API int32_t sv_layout_same_bytes(const sv_layout *layout, const sv_layout *other);

/**
 * Bring two layouts to the fewest axes that pair the same elements: the form in
 * which sv_copy() reads them together.
 *
 * src is broadcast to the shape of dst. Axes of extent 1 are dropped; axes are
 * turned round so that strides of dst are positive (those of src where dst has
 * 0); sorted by the strides of dst, then by those of src, the largest first;
 * and joined where both go on in one step. Which element of dst meets which of
 * src stays the same. Empty layouts get the shape (0).
 *
 * @param dst      one layout
 * @param src      the other; item sizes may differ and are kept
 * @param dst_out  receives the form of dst
 * @param src_out  receives the form of src, of the same shape
 *
 * SV_ERROR_LAYOUT    src does not broadcast to the shape of dst
 * SV_ERROR_OVERFLOW  a stride of -2^63 turned round
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_common(const sv_layout *dst, const sv_layout *src, SV_OUT sv_layout **dst_out,
                                  SV_OUT sv_layout **src_out);

/**
 * The widest word by which the bytes of two layouts can be walked together: it
 * divides limit, what lies together in both, and every address that the walk
 * comes to. Words need not be whole elements: three bytes of a pixel make rows
 * of words of four.
 *
 * @param dst          one layout
 * @param src          the other, of the same item size, broadcast to the shape
 *                     of dst
 * @param dst_address  base address of dst
 * @param src_address  base address of src
 * @param limit        bytes, 1 or more; 16 asks for 1, 2, 4, 8 or 16
 * @param itemsize     receives the width in bytes; limit when dst is empty
 *
 * SV_ERROR_INVALID  limit is below 1
 * SV_ERROR_LAYOUT   item sizes differ, or src does not broadcast to the shape of
 *                   dst
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_common_itemsize(const sv_layout *dst, const sv_layout *src, uintptr_t dst_address,
                                           uintptr_t src_address, int64_t limit, SV_OUT int64_t *itemsize);

/**
 * The shape that two layouts are broadcast to together: their axes meet at the
 * last, and an extent of 1 or none gives way to the other's.
 *
 * @param layout  one layout
 * @param other   the other
 * @param ndim    receives the number of axes
 * @param shape   receives the extents; has room for 64
 *
 * SV_ERROR_LAYOUT  two extents differ and neither is 1
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_broadcast_shape(const sv_layout *layout, const sv_layout *other, SV_OUT int32_t *ndim,
                                           SV_OUT int64_t *shape);

/**
 * The order of axes by which sv_layout_permute() makes other of layout. Of axes
 * that are alike the lower comes first.
 *
 * @param layout  layout to start from
 * @param other   layout to come to
 * @param axes    receives ndim axes
 *
 * SV_ERROR_LAYOUT  there is none
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_permutation(const sv_layout *layout, const sv_layout *other, SV_OUT int32_t *axes);

/**
 * Reorder the axes: axis i of the result is axis axes[i] of layout.
 *
 * @param layout  layout to start from
 * @param ndim    number of axes given: that of layout; not read when axes is NULL
 * @param axes    each axis once; NULL reverses them
 * @param out     receives the new layout
 *
 * SV_ERROR_INVALID  another number of axes, or an axis twice
 * SV_ERROR_INDEX    an axis outside the layout
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_permute(const sv_layout *layout, int32_t ndim, SV_OPT const int32_t *axes,
                                   SV_OUT sv_layout **out);

/**
 * Take every step-th index of the leading axes, from start up to, not
 * including, stop.
 *
 * The numbers are those of a Python slice: negative ones count from the end,
 * and what lies outside is cut to the axis. INT64_MAX and INT64_MIN thus mean
 * to the end: start 0, stop INT64_MAX, step 1 keeps an axis; start INT64_MAX,
 * stop INT64_MIN, step -1 reverses it. The offset moves to the first index
 * taken. A layout made empty gets strides of 0.
 *
 * @param layout  layout to start from
 * @param count   axes sliced, 0 to ndim; the others stay whole
 * @param start   count first indices
 * @param stop    count end indices
 * @param step    count steps, not 0; NULL means 1 everywhere
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX     more items than axes
 * SV_ERROR_INVALID   count is negative, or a step is 0
 * SV_ERROR_OVERFLOW  a stride of -2^63 turned round
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_slice(const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop,
                                 SV_OPT const int64_t *step, SV_OUT sv_layout **out);

/**
 * Take one index of an axis and drop the axis.
 *
 * @param layout  layout to start from
 * @param axis    the axis
 * @param index   -extent to extent - 1; negative ones count from the end
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX  no such axis or index
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_index(const sv_layout *layout, int32_t axis, int64_t index, SV_OUT sv_layout **out);

/**
 * Give the same elements, in C order of their indices, another shape.
 *
 * Nothing is moved: the strides must allow it. Those of extents of 1 are free.
 *
 * @param layout  layout to start from
 * @param ndim    axes of the new shape, 0 to 64
 * @param shape   extents; one may be -1 and is then found
 * @param out     receives the new layout
 *
 * SV_ERROR_RANGE     ndim outside its limits
 * SV_ERROR_INVALID   an extent below -1, two of -1, or another number of elements
 * SV_ERROR_LAYOUT    only a copy could have this shape
 * SV_ERROR_OVERFLOW  a stride in bytes does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_reshape(const sv_layout *layout, int32_t ndim, const int64_t *shape,
                                   SV_OUT sv_layout **out);

/**
 * Repeat a layout along new leading axes and axes of extent 1, by strides of 0.
 *
 * @param layout  layout to start from
 * @param ndim    axes of the new shape, at least those of layout
 * @param shape   extents; the last ones meet those of layout
 * @param out     receives the new layout
 *
 * SV_ERROR_RANGE     ndim outside its limits
 * SV_ERROR_INVALID   an extent is negative
 * SV_ERROR_LAYOUT    fewer axes than layout, or an extent that is neither 1 nor
 *                    the one wanted
 * SV_ERROR_OVERFLOW  the size does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_broadcast(const sv_layout *layout, int32_t ndim, const int64_t *shape,
                                     SV_OUT sv_layout **out);

/**
 * Drop axes of extent 1.
 *
 * @param layout  layout to start from
 * @param count   number of axes given; not read when axes is NULL
 * @param axes    axes to drop; NULL drops every axis of extent 1
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX    an axis outside the layout
 * SV_ERROR_INVALID  count is negative, or an axis twice
 * SV_ERROR_LAYOUT   the extent of an axis given is not 1
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_squeeze(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                   SV_OUT sv_layout **out);

/**
 * Insert axes of extent 1. Each gets the stride that keeps C order: what the
 * axis behind it spans, or after the last axis that one's stride.
 *
 * @param layout  layout to start from
 * @param count   axes inserted
 * @param axes    their places in the result, in any order
 * @param out     receives the new layout
 *
 * SV_ERROR_RANGE    more than 64 axes
 * SV_ERROR_INDEX    a place outside the result
 * SV_ERROR_INVALID  count is negative, or a place twice
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_unsqueeze(const sv_layout *layout, int32_t count, const int32_t *axes,
                                     SV_OUT sv_layout **out);

/**
 * The layout that a packed copy of the elements would have: the same shape, no
 * gaps, no offset.
 *
 * @param layout    layout to start from
 * @param order     order of the axes in memory. SV_ORDER_K sorts them by the size
 *                  of their stride, as NumPy's copy does; negative strides become
 *                  positive, and repeated axes are laid out innermost
 * @param ndim      for SV_ORDER_AXES the number of axes given; else not read
 * @param axes      for SV_ORDER_AXES each axis once, the slowest first; else not
 *                  read
 * @param itemsize  bytes of one element of the copy, for one of another type; 0
 *                  for those of layout
 * @param out       receives the new layout
 *
 * SV_ERROR_INVALID   unknown order, another number of axes, or an axis twice
 * SV_ERROR_INDEX     an axis outside the layout
 * SV_ERROR_NULL      SV_ORDER_AXES without axes
 * SV_ERROR_RANGE     itemsize is negative
 * SV_ERROR_OVERFLOW  the size does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_to_dense(const sv_layout *layout, sv_order order, int32_t ndim, SV_OPT const int32_t *axes,
                                    int64_t itemsize, SV_OUT sv_layout **out);

/**
 * Merge neighbouring axes that step as one, as far as the strides allow.
 *
 * Elements keep their order. Extents of 1 go into a neighbour; a layout without
 * axes becomes one axis of extent 1.
 *
 * @param layout      layout to start from
 * @param start_axis  first axis that may be merged with those behind it: 0
 * @param end_axis    last axis that may be merged: -1 for all. Nothing is
 *                    merged when it comes before start_axis
 * @param out         receives the new layout
 *
 * SV_ERROR_INDEX  no such axis
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_flatten(const sv_layout *layout, int32_t start_axis, int32_t end_axis,
                                   SV_OUT sv_layout **out);

/**
 * Merge each axis whose bit is set into the axis before it, where the strides
 * allow it.
 *
 * @param layout  layout to start from
 * @param mask    as sv_layout_flatten_mask() gives it, for one layout or for
 *                several by "and". Bit 0 and bits beyond the axes mean nothing
 * @param out     receives the new layout
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_flatten_masked(const sv_layout *layout, uint64_t mask, SV_OUT sv_layout **out);

/**
 * Make one axis of a range of them.
 *
 * @param layout      layout to start from
 * @param start_axis  first axis
 * @param end_axis    last axis, not before the first
 * @param out         receives the new layout
 *
 * SV_ERROR_INDEX     no such axis
 * SV_ERROR_INVALID   the last axis comes before the first
 * SV_ERROR_LAYOUT    the axes do not step as one
 * SV_ERROR_OVERFLOW  the extent, in an empty layout, does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_merge_axes(const sv_layout *layout, int32_t start_axis, int32_t end_axis,
                                      SV_OUT sv_layout **out);

/**
 * Put several axes in the place of one, in C order.
 *
 * @param layout   layout to start from
 * @param axis     axis to split
 * @param count    axes in its place; 0 drops an axis of extent 1
 * @param extents  count extents; one may be -1 and is then found
 * @param out      receives the new layout
 *
 * SV_ERROR_INDEX     no such axis
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   count is negative, an extent below -1, two of -1, or
 *                    another number of elements
 * SV_ERROR_OVERFLOW  a stride in bytes does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_split_axis(const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents,
                                      SV_OUT sv_layout **out);

/**
 * Move axes to other places; the rest keep their order. This is NumPy's
 * moveaxis.
 *
 * @param layout  layout to start from
 * @param count   axes moved
 * @param axes    the axes
 * @param places  their places in the result
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX    an axis or a place outside the layout
 * SV_ERROR_INVALID  count is negative, or an axis or a place twice
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_move_axes(const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places,
                                     SV_OUT sv_layout **out);

/**
 * Exchange two axes, which may be the same.
 *
 * @param layout  layout to start from
 * @param axis    the one
 * @param other   the other
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX  no such axis
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_swap_axes(const sv_layout *layout, int32_t axis, int32_t other, SV_OUT sv_layout **out);

/**
 * Turn axes round: index 0 becomes the last one.
 *
 * @param layout  layout to start from
 * @param count   number of axes given; not read when axes is NULL
 * @param axes    axes to turn; NULL turns all
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX     an axis outside the layout
 * SV_ERROR_INVALID   count is negative, or an axis twice
 * SV_ERROR_OVERFLOW  a stride of -2^63 turned round
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_flip(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                SV_OUT sv_layout **out);

/**
 * Take the elements whose indices along two axes differ by offset. The two axes
 * go, and the diagonal becomes the last axis.
 *
 * @param layout  layout to start from
 * @param offset  index along other minus index along axis
 * @param axis    the axis that counts the rows
 * @param other   the axis that counts the columns
 * @param out     receives the new layout; empty when offset leads outside
 *
 * SV_ERROR_INDEX     no such axis
 * SV_ERROR_INVALID   both axes are the same
 * SV_ERROR_OVERFLOW  the two strides together do not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_diagonal(const sv_layout *layout, int64_t offset, int32_t axis, int32_t other,
                                    SV_OUT sv_layout **out);

/**
 * Look at every place of a sliding window. Each axis given counts the places of
 * the window along it, extent - window + 1; the axes of the window come last.
 *
 * @param layout  layout to start from
 * @param count   axes of the window; ndim when axes is NULL
 * @param axes    count axes that the window slides along; one may come twice;
 *                NULL means each axis in turn
 * @param window  count extents of the window, 0 or more
 * @param out     receives the new layout
 *
 * SV_ERROR_INDEX     no such axis
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   count is negative, or not ndim without axes, or an extent
 *                    is negative
 * SV_ERROR_LAYOUT    the window is larger than the axis
 * SV_ERROR_OVERFLOW  the size does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_window(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                  const int64_t *window, SV_OUT sv_layout **out);

/**
 * Read the same bytes as items of another size: along an axis of neighbouring
 * items several become one, or one becomes several.
 *
 * A larger item size must divide the offset in bytes and the strides of the
 * other axes, so that every item is aligned if the base is. Where nothing
 * moves, strides are not looked at. The same item size changes nothing, and
 * then nothing else is looked at.
 *
 * @param layout    layout to start from
 * @param itemsize  new bytes of one element; one of old and new divides the
 *                  other
 * @param address   for larger items the base address, which must be a multiple
 *                  of itemsize; 0 is one
 * @param axis      axis whose items are neighbours
 * @param keep_dim  0 drops the axis when larger items leave an extent of 1
 * @param out       receives the new layout
 *
 * SV_ERROR_RANGE      itemsize is below 1
 * SV_ERROR_INDEX      no such axis
 * SV_ERROR_INVALID    neither item size divides the other
 * SV_ERROR_LAYOUT     the items of the axis are no neighbours; or its extent,
 *                     the offset or another stride does not divide
 * SV_ERROR_ALIGNMENT  address is no multiple of itemsize
 * SV_ERROR_OVERFLOW   the extent, in an empty layout, does not fit int64
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_repack(const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis,
                                  int32_t keep_dim, SV_OUT sv_layout **out);

/* --- layout builder ----------------------------------------------------- */

/**
 * A layout in the making: operations one after another, in place, and one
 * allocation at the end however many they are.
 *
 * Each operation has the parameters and the statuses of the sv_layout function
 * of its name; before sv_layout_builder_start() it answers SV_ERROR_STATE. One
 * that fails leaves the builder as it was. What comes out is what a chain of
 * the sv_layout functions would have given.
 *
 * A builder has one owner, is not counted, and is used by one thread at a time.
 */
typedef struct sv_layout_builder sv_layout_builder;

/**
 * Make a builder, which has no layout yet.
 *
 * @param out  receives the builder, to be ended with sv_layout_builder_release()
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_new(SV_OUT sv_layout_builder **out);

/**
 * End a builder. What was made with it stays. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_layout_builder_release(SV_OPT SV_TAKE sv_layout_builder *builder);

/**
 * Start from a layout, at any time again. It is copied, not retained.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_start(sv_layout_builder *builder, const sv_layout *layout);

/**
 * sv_layout_permute(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_permute(sv_layout_builder *builder, int32_t ndim, SV_OPT const int32_t *axes);

/**
 * sv_layout_slice(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_slice(sv_layout_builder *builder, int32_t count, const int64_t *start,
                                         const int64_t *stop, SV_OPT const int64_t *step);

/**
 * sv_layout_index(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_index(sv_layout_builder *builder, int32_t axis, int64_t index);

/**
 * sv_layout_reshape(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_reshape(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);

/**
 * sv_layout_broadcast(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_broadcast(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);

/**
 * sv_layout_squeeze(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_squeeze(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes);

/**
 * sv_layout_unsqueeze(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_unsqueeze(sv_layout_builder *builder, int32_t count, const int32_t *axes);

/**
 * sv_layout_to_dense(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_to_dense(sv_layout_builder *builder, sv_order order, int32_t ndim,
                                            SV_OPT const int32_t *axes, int64_t itemsize);

/**
 * sv_layout_flatten(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_flatten(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);

/**
 * sv_layout_flatten_masked(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_flatten_masked(sv_layout_builder *builder, uint64_t mask);

/**
 * sv_layout_merge_axes(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_merge_axes(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);

/**
 * sv_layout_split_axis(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_split_axis(sv_layout_builder *builder, int32_t axis, int32_t count,
                                              const int64_t *extents);

/**
 * sv_layout_move_axes(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_move_axes(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                             const int32_t *places);

/**
 * sv_layout_swap_axes(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_swap_axes(sv_layout_builder *builder, int32_t axis, int32_t other);

/**
 * sv_layout_flip(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_flip(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes);

/**
 * sv_layout_diagonal(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_diagonal(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other);

/**
 * sv_layout_window(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_window(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes,
                                          const int64_t *window);

/**
 * sv_layout_repack(), in place.
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_repack(sv_layout_builder *builder, int64_t itemsize, uintptr_t address,
                                          int32_t axis, int32_t keep_dim);

/**
 * Make a layout of what the builder holds, which stays as it is.
 *
 * SV_ERROR_STATE  the builder was not started
 *
 * Since 0.1.
 */
SV_API sv_status sv_layout_builder_finish(const sv_layout_builder *builder, SV_OUT sv_layout **out);

/* --- device ------------------------------------------------------------- */

/** Kinds of memory, numbered as DLPack (1.3) numbers devices. */
enum {
    SV_DEVICE_CPU = 1,
    SV_DEVICE_CUDA = 2,
    SV_DEVICE_CUDA_HOST = 3,
    SV_DEVICE_OPENCL = 4,
    SV_DEVICE_VULKAN = 7,
    SV_DEVICE_METAL = 8,
    SV_DEVICE_VPI = 9,
    SV_DEVICE_ROCM = 10,
    SV_DEVICE_ROCM_HOST = 11,
    SV_DEVICE_EXT = 12,
    SV_DEVICE_CUDA_MANAGED = 13,
    SV_DEVICE_ONEAPI = 14,
    SV_DEVICE_WEBGPU = 15,
    SV_DEVICE_HEXAGON = 16,
    SV_DEVICE_MAIA = 17,
    SV_DEVICE_TRN = 18
};

/** Facts of a kind of memory, as bits of sv_device_traits(). */
enum {
    SV_TRAIT_HOST = 1,    /**< the host reads and writes it */
    SV_TRAIT_CUDA = 2,    /**< kernels on CUDA devices read and write it */
    SV_TRAIT_MANAGED = 4, /**< a driver moves it between host and devices */
    SV_TRAIT_HANDLES = 8, /**< the data pointer is a handle, which offsets must not be added to */

    /* of single allocations, never of a kind of memory: */
    SV_TRAIT_READ_ONLY = 16,  /**< libsv must not write it */
    SV_TRAIT_ORDERED = 32,    /**< allocated and freed in the order of a stream, from a pool */
    SV_TRAIT_REGISTERED = 64, /**< pages of the host that were page-locked after they had been allocated */
    SV_TRAIT_SHARED = 128     /**< it belongs to another process */
};

/**
 * Name of a kind of memory, for programs and their output: "cpu", "cuda",
 * "cuda_host", "cuda_managed", "oneapi". It is the end of the constant's name in
 * lower case.
 *
 * @param device_type  SV_DEVICE number
 * @returns a static string; NULL for a number that no device type has
 *
 * Since 0.1.
 */
SV_API const char *sv_device_name(int32_t device_type);

/**
 * What holds for all memory of a kind, whether or not its devices can be used
 * here (see sv_device_probe()). Some machines allow more, such as CUDA kernels
 * that read all memory of the host.
 *
 * @param device_type  SV_DEVICE number
 * @returns SV_TRAIT bits; 0 for a number that no device type has
 *
 * Since 0.1.
 */
SV_API uint32_t sv_device_traits(int32_t device_type);

/** Whether a kind of device can be used, and if not, what is missing. */
typedef int32_t sv_device_state;

enum {
    SV_STATE_READY = 0,          /**< one or more devices answer */
    SV_STATE_NO_BACKEND = 1,     /**< this build has no code for it */
    SV_STATE_NO_DRIVER = 2,      /**< no driver is installed */
    SV_STATE_DRIVER_TOO_OLD = 3, /**< the driver is older than the runtime in this library */
    SV_STATE_NO_DEVICE = 4,      /**< a driver, but no device */
    SV_STATE_STUB_DRIVER = 5,    /**< only the toolkit's stub library was found in the driver's place */
    SV_STATE_BROKEN = 6          /**< the driver answers with another error */
};

/**
 * Find out whether a kind of device can be used. Managed memory can where CUDA
 * devices can; pinned memory is the host's, and needs no driver.
 *
 * The first call for CUDA loads the driver, which can take a second; later
 * ones answer at once.
 *
 * @param device_type  SV_DEVICE number
 * @param state        receives the state
 * @param count        receives the number of devices, 0 unless ready
 *
 * SV_ERROR_DEVICE  no such device type
 *
 * Since 0.1.
 */
SV_API sv_status sv_device_probe(int32_t device_type, SV_OUT sv_device_state *state, SV_OUT SV_OPT int32_t *count);

/**
 * Write in words what sv_device_probe() finds, versions included:
 * "CUDA: no driver is installed (libsv was built with runtime 13.0)".
 *
 * SV_ERROR_DEVICE  no such device type
 * SV_ERROR_BUFFER  capacity too small
 *
 * Since 0.1.
 */
SV_API sv_status sv_device_text(int32_t device_type, size_t capacity, SV_OUT SV_OPT char *text,
                                SV_OUT SV_OPT size_t *length);

/** Numbers that describe a device, for sv_device_property(). */
enum {
    SV_PROPERTY_MEMORY_TOTAL = 1,       /**< bytes of memory */
    SV_PROPERTY_MEMORY_FREE = 2,        /**< bytes of memory that can be had at the moment */
    SV_PROPERTY_PAGEABLE_ACCESS = 3,    /**< 1: kernels read and write ordinary memory of the host */
    SV_PROPERTY_CONCURRENT_MANAGED = 4, /**< 1: host and device may use managed memory at the same time */
    SV_PROPERTY_POOLS = 5,              /**< 1: stream-ordered pools of device memory */
    SV_PROPERTY_HOST_POOLS = 6,         /**< 1: stream-ordered pools of pinned memory */
    SV_PROPERTY_MANAGED_POOLS = 7,      /**< 1: stream-ordered pools of managed memory */
    SV_PROPERTY_IPC = 8,                /**< 1: device memory can be shared with other processes */
    SV_PROPERTY_COMPUTE_CAPABILITY = 9, /**< 10 * major + minor, such as 90 */
    SV_PROPERTY_MULTIPROCESSORS = 10    /**< how many there are */
};

/**
 * Ask for a number that describes a device. Of the host only its memory is
 * told; its other properties are 0.
 *
 * Asking for the free memory of a CUDA device opens that device, which can take
 * a second and some of its memory. The thread's current device stays as it is.
 *
 * @param device_type  SV_DEVICE number; of pinned memory it is the host, of
 *                     managed memory a CUDA device
 * @param device_id    ordinal of the device
 * @param property     SV_PROPERTY number
 * @param value        receives the number
 *
 * SV_ERROR_INVALID      no such property
 * SV_ERROR_DEVICE       no such device type, no such device, or no device is
 *                       ready (see sv_device_probe())
 * SV_ERROR_UNSUPPORTED  this build has no code for the device type
 * SV_ERROR_CUDA         the runtime refused
 * SV_ERROR_STATE        the process is exiting
 * SV_ERROR_FORKED       CUDA was opened before this process was forked
 *
 * Since 0.1.
 */
SV_API sv_status sv_device_property(int32_t device_type, int32_t device_id, int32_t property, SV_OUT int64_t *value);

/* --- stream ------------------------------------------------------------- */

/*
 * A stream is a number: 0 (the runtime's) and 1 (DLPack's) the legacy default
 * stream of the device, 2 the calling thread's default stream, else the runtime's
 * handle, which belongs to a device of its own. 2 is another stream on each
 * thread: as an argument it is that of the thread that calls. What a buffer keeps
 * of it is that of the thread that named it. On any other thread the buffer goes
 * by the legacy default stream instead, which waits for those of all threads.
 * Host memory has no streams: work on it is done when its call returns. Which
 * copies a stream orders is told in the section on copies.
 */

/**
 * Let a stream wait for another: what is put on stream from now on starts after
 * all that other holds now. The host does not wait.
 *
 * A stream never waits for itself, so for two that are the same nothing is done
 * and no driver is needed. The devices tell which default streams are meant; any
 * other stream belongs to one device by itself.
 *
 * @param device_type        SV_DEVICE number of the memory that stream works on
 * @param device_id          ordinal of its device
 * @param stream             the stream that shall wait
 * @param other_device_type  SV_DEVICE number of the memory that other works on;
 *                           with SV_DEVICE_CPU there is nothing to wait for
 * @param other_device_id    ordinal of its device
 * @param other              the stream whose work comes first
 *
 * SV_ERROR_DEVICE       no such device type, a negative device number, or the
 *                       device cannot be used
 * SV_ERROR_INVALID      SV_DEVICE_CPU would wait for a device: that is
 *                       sv_stream_synchronize()
 * SV_ERROR_UNSUPPORTED  no backend knows streams of a device type, or of both
 *                       together
 * SV_ERROR_STATE        the process is exiting; or a stream is being captured
 *                       into a graph that cannot hold the wait: stream, while
 *                       other is not, or other, while stream is a legacy default
 *                       stream. Nothing is done, and the capture stays valid. Any
 *                       other stream that waits for a captured one joins it
 * SV_ERROR_FORKED       the devices were found before this process was forked
 * SV_ERROR_CUDA         the CUDA runtime refused, or tells of work that failed
 *
 * Since 0.1.
 */
SV_API sv_status sv_stream_wait(int32_t device_type, int32_t device_id, uintptr_t stream, int32_t other_device_type,
                                int32_t other_device_id, uintptr_t other);

/**
 * Wait, on the host, until all that a stream holds is done.
 *
 * @param device_type  SV_DEVICE number; with SV_DEVICE_CPU this returns at once
 * @param device_id    ordinal of the device whose default streams are meant
 * @param stream       the stream
 *
 * Statuses as of sv_stream_wait(), and
 * SV_ERROR_STATE  the stream is being captured, or is a legacy default stream that
 *                 a captured one waits for; the capture stays valid
 *
 * Since 0.1.
 */
SV_API sv_status sv_stream_synchronize(int32_t device_type, int32_t device_id, uintptr_t stream);

/* --- memory ------------------------------------------------------------- */

/**
 * Kinds of memory, by who can touch it. Each but the last two has a device type
 * of DLPack: SV_DEVICE_CPU, SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA and
 * SV_DEVICE_CUDA_MANAGED.
 */
typedef int32_t sv_memory;

enum {
    SV_MEMORY_UNKNOWN = 0, /**< not known */
    SV_MEMORY_HOST = 1,    /**< ordinary memory of this process */
    SV_MEMORY_PINNED = 2,  /**< page-locked memory of the host, which CUDA devices read and write too */
    SV_MEMORY_DEVICE = 3,  /**< memory of one CUDA device */
    SV_MEMORY_MANAGED = 4, /**< one address for host and devices; the driver moves the pages */
    SV_MEMORY_FOREIGN = 5  /**< of another kind of device: kept and passed on, never touched */
};

/**
 * Name of a kind of memory: "host", "pinned", "device", "managed" or "foreign".
 *
 * @returns a static string; NULL for SV_MEMORY_UNKNOWN and for a number that no
 *          kind has
 *
 * Since 0.1.
 */
SV_API const char *sv_memory_name(sv_memory kind);

/**
 * Find out what kind of memory an address belongs to: CUDA's driver is asked
 * where one of its devices is ready, and where none is, all memory is the host's.
 * The first call may load the driver, as of sv_device_probe().
 *
 * The answer is no check: for the driver an address that was freed, or never
 * allocated, is ordinary memory of the host. Asking costs up to some
 * microseconds, so ask once for each allocation.
 *
 * @param pointer         any address; NULL is SV_MEMORY_UNKNOWN
 * @param kind            receives the kind, never SV_MEMORY_FOREIGN
 * @param traits          receives SV_TRAIT bits. SV_TRAIT_CUDA is set for ordinary
 *                        memory of the host too where every device reads that;
 *                        SV_TRAIT_ORDERED for memory of a pool;
 *                        SV_TRAIT_REGISTERED where it is certain.
 * @param device_id       receives the ordinal of its device, 0 for ordinary memory
 * @param device_address  receives its address for devices, which is another one
 *                        for some registered memory; NULL: they cannot use it
 * @param host_address    receives its address for the host; NULL: it cannot use it
 *
 * SV_ERROR_CUDA    the runtime failed, which may be an earlier error of the
 *                  caller's kernels
 * SV_ERROR_STATE   the process is exiting
 * SV_ERROR_FORKED  CUDA was opened before this process was forked, and cannot be
 *                  asked
 *
 * Since 0.1.
 */
SV_API sv_status sv_pointer_query(SV_OPT const void *pointer, SV_OUT sv_memory *kind, SV_OUT SV_OPT uint32_t *traits,
                                  SV_OUT SV_OPT int32_t *device_id, SV_OUT SV_OPT void **device_address,
                                  SV_OUT SV_OPT void **host_address);

/** What a driver can be told of managed memory, so that it places its pages better. */
enum {
    SV_ADVICE_READ_MOSTLY = 1,     /**< it is rarely written: each device may have a copy */
    SV_ADVICE_NOT_READ_MOSTLY = 2,
    SV_ADVICE_PREFER = 3,          /**< it is best kept in the memory of one device, or of the host */
    SV_ADVICE_NOT_PREFER = 4,
    SV_ADVICE_ACCESSED_BY = 5,     /**< one device, or the host, uses it from where it lies */
    SV_ADVICE_NOT_ACCESSED_BY = 6
};

/**
 * Called when nothing needs the memory any more: once, on the thread that drops
 * the last reference. It must not call back into a handle of that memory.
 */
typedef void (*sv_release_callback)(void *ctx);

/* --- allocator ---------------------------------------------------------- */

/**
 * Where bytes come from: the system, a CUDA driver, a pool, callbacks; and
 * wrappers that count, limit, log or try again what they get from another one.
 *
 * Most programs need none: a buffer of host memory is made without. An allocator
 * does not change once made, is counted, and serves any threads at the same
 * time. No lock of libsv is held while a callback or a driver is called. What
 * was allocated keeps the allocator it came from.
 */
typedef struct sv_allocator sv_allocator;

/** How an allocator works: bits of its flags. */
enum {
    SV_ALLOCATOR_HUGE_PAGES = 1,   /**< host: ask the system for huge pages for 2 MiB and more; a hint */
    SV_ALLOCATOR_BLOCKS = 2,       /**< tracked: keep a list of live blocks */
    SV_ALLOCATOR_GUARD = 4,        /**< host: find writes past the end of a block when it is freed */
    SV_ALLOCATOR_NO_HUGE_PAGES = 8 /**< host: ask the system for none, however large a block is; a hint */
};

/**
 * Allocates nbytes bytes, more than 0, at a multiple of alignment, a power of
 * two, in the order of stream where the memory is ordered by streams.
 *
 * An error travels to the caller of libsv as it is, with the text that a failed
 * call of libsv left; one that is no sv_status becomes SV_ERROR_INVALID.
 * SV_ERROR_MEMORY is the one that is tried again.
 */
typedef sv_status (*sv_allocate_callback)(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream,
                                          SV_OUT void **out);

/**
 * Frees what was allocated with the same nbytes and alignment; stream can be
 * another one. After an error the memory counts as lost, and is not freed again.
 */
typedef sv_status (*sv_free_callback)(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);

/** What happened, for sv_memory_callback. */
enum {
    SV_EVENT_ALLOCATED = 1, /**< a block */
    SV_EVENT_FREED = 2,     /**< a block will be freed now, so that its address cannot be another's yet */
    SV_EVENT_FAILED = 3     /**< an allocation, and pointer is NULL; or the free that was told before */
};

/**
 * Told by a logged allocator. What it does to sv_last_message() is undone.
 */
typedef void (*sv_memory_callback)(void *ctx, int32_t event, SV_OPT const void *pointer, int64_t nbytes,
                                   uintptr_t stream);

/**
 * Asked when an allocation of nbytes failed with SV_ERROR_MEMORY; attempt counts
 * from 1. It answers 0 to let it fail, another number to try again.
 */
typedef int32_t (*sv_no_memory_callback)(void *ctx, int64_t nbytes, int32_t attempt);

/**
 * One live block of a tracked allocator; number counts its allocations from 1. It
 * answers 0 to go on, another number to stop.
 */
typedef int32_t (*sv_block_callback)(void *ctx, int64_t number, const void *pointer, int64_t nbytes,
                                     uintptr_t stream);

/**
 * Make an allocator of ordinary host memory, of any alignment. No driver is
 * needed or loaded, ever.
 *
 * For blocks of 4 MiB and more Linux is asked for huge pages, as NumPy does:
 * writing to new memory then takes a third of the time. SV_HOST_HUGE_PAGES=0 in
 * the environment of the process, read once, leaves that out.
 * SV_ALLOCATOR_HUGE_PAGES asks in any case, from 2 MiB on, for pages that share
 * nothing with other blocks. SV_ALLOCATOR_NO_HUGE_PAGES asks Linux for pages of
 * the usual size: a block that is only touched here and there then takes less
 * memory. Where the kernel has no huge pages all three allocate as well.
 *
 * With SV_ALLOCATOR_GUARD new memory is filled with a pattern unless zeros are
 * asked for, freed memory with another, and a block whose end was overwritten
 * answers SV_ERROR_STATE when it is freed, and stays, so that one can look at it.
 *
 * @param flags  SV_ALLOCATOR_HUGE_PAGES or SV_ALLOCATOR_NO_HUGE_PAGES, and
 *               SV_ALLOCATOR_GUARD
 * @param out    receives the allocator
 *
 * SV_ERROR_INVALID  unknown flag, or both of huge pages
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_host(uint32_t flags, SV_OUT sv_allocator **out);

/**
 * Make an allocator of page-locked host memory, which every CUDA device reads
 * and writes at the address that the host has for it.
 *
 * SV_ERROR_UNSUPPORTED  there is no CUDA here; the message says what is missing
 * SV_ERROR_FORKED       CUDA was opened before this process was forked
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_pinned(SV_OUT sv_allocator **out);

/**
 * Make an allocator of memory of a CUDA device, by cudaMalloc(), which may wait
 * for the device when it frees; sv_allocator_pool() does not.
 *
 * @param device_id  number of the device
 * @param out        receives the allocator
 *
 * SV_ERROR_DEVICE       no such device
 * SV_ERROR_UNSUPPORTED  there is no CUDA here; the message says what is missing
 * SV_ERROR_FORKED       CUDA was opened before this process was forked
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_device(int32_t device_id, SV_OUT sv_allocator **out);

/**
 * Make an allocator of managed memory: one address for the host and all CUDA
 * devices, whose pages the driver moves.
 *
 * @param device_id  the device that is current when it is allocated
 * @param out        receives the allocator
 *
 * Statuses as of sv_allocator_device().
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_managed(int32_t device_id, SV_OUT sv_allocator **out);

/**
 * Make an allocator of a new pool of the CUDA driver, whose memory is allocated
 * and freed in the order of a stream, without waiting; a buffer of pinned memory
 * waits until it is allocated (section buffer). The pool is ended with the
 * allocator.
 *
 * @param kind       SV_MEMORY_DEVICE; SV_MEMORY_PINNED and SV_MEMORY_MANAGED
 *                   where driver and device have such pools, which since CUDA 13
 *                   they may
 * @param device_id  number of the device
 * @param initial    bytes that are reserved at once; 0 none
 * @param threshold  bytes that stay with the pool when they are not in use;
 *                   INT64_MAX all
 * @param most       bytes that the pool may have; 0 any
 * @param out        receives the allocator
 *
 * SV_ERROR_INVALID      memory of another kind, a negative number of bytes, or
 *                       most is less than initial
 * SV_ERROR_DEVICE       no such device
 * SV_ERROR_UNSUPPORTED  there is no CUDA here, or no such pool; the message says
 *                       what is missing
 * SV_ERROR_MEMORY       there is not so much to reserve
 * SV_ERROR_FORKED       CUDA was opened before this process was forked
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_pool(sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most,
                                   SV_OUT sv_allocator **out);

/**
 * Make an allocator of a pool that somebody else has made, and ends.
 *
 * @param kind       as of sv_allocator_pool()
 * @param device_id  number of the device
 * @param pool       a cudaMemPool_t; 0 is the default pool of the device
 * @param out        receives the allocator
 *
 * Statuses as of sv_allocator_pool().
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_pool_view(sv_memory kind, int32_t device_id, uintptr_t pool, SV_OUT sv_allocator **out);

/**
 * Make an allocator of two functions.
 *
 * @param kind         what memory it is; SV_MEMORY_FOREIGN for device types that
 *                     libsv does not touch
 * @param device_type  SV_DEVICE number, the one of that kind
 * @param device_id    number of the device
 * @param allocate     called by any thread
 * @param free         called by any thread, by the last owner of the memory
 * @param release      called with ctx when the allocator and all that came from
 *                     it are gone; NULL when nobody needs to know
 * @param ctx          handed to the functions
 * @param out          receives the allocator
 *
 * SV_ERROR_INVALID  no such kind
 * SV_ERROR_DEVICE   no such device type, a negative number, or the device of
 *                   another kind of memory
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_callbacks(sv_memory kind, int32_t device_type, int32_t device_id,
                                        sv_allocate_callback allocate, sv_free_callback free,
                                        SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                        SV_OUT sv_allocator **out);

/**
 * Make an allocator that counts what it gets from another one.
 *
 * Counting takes some tens of nanoseconds and no lock. With SV_ALLOCATOR_BLOCKS
 * it also keeps a list of live blocks, under a lock: then a free that
 * fits no live block is refused, and sv_allocator_visit() tells what is left.
 *
 * @param base   where the memory comes from; it is retained
 * @param name   that sv_allocator_name() tells; it is copied; NULL means that of
 *               base
 * @param flags  0 or SV_ALLOCATOR_BLOCKS
 * @param out    receives the allocator, whose kind, device and traits are those
 *               of base
 *
 * SV_ERROR_INVALID  unknown flag
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_tracked(const sv_allocator *base, SV_OPT const char *name, uint32_t flags,
                                      SV_OUT sv_allocator **out);

/**
 * Make an allocator that has a limit: past it SV_ERROR_MEMORY is answered, and
 * base is not asked. What base refuses is not counted.
 *
 * @param base  where the memory comes from; it is retained
 * @param most  bytes that may be in use at a time
 * @param out   receives the allocator
 *
 * SV_ERROR_INVALID  most is negative
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_limited(const sv_allocator *base, int64_t most, SV_OUT sv_allocator **out);

/**
 * Make an allocator that tells what it does.
 *
 * @param base     where the memory comes from; it is retained
 * @param log      called by whoever allocates or frees, at the same time by
 *                 several threads
 * @param release  called with ctx when the allocator is gone; NULL when nobody
 *                 needs to know
 * @param ctx      handed to both
 * @param out      receives the allocator
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_logged(const sv_allocator *base, sv_memory_callback log,
                                     SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                     SV_OUT sv_allocator **out);

/**
 * Make an allocator that asks what to do when base has no memory left, and then
 * tries again. Deferred frees are waited for before it asks.
 *
 * @param base      where the memory comes from; it is retained
 * @param attempts  how often it asks for one allocation, 1 or more
 * @param ask       called without a lock; it may free, and allocate
 * @param release   called with ctx when the allocator is gone; NULL when nobody
 *                  needs to know
 * @param ctx       handed to both
 * @param out       receives the allocator
 *
 * SV_ERROR_INVALID  attempts is less than 1
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_retrying(const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask,
                                       SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                       SV_OUT sv_allocator **out);

/**
 * Take another reference.
 *
 * @returns the same handle
 *
 * Since 0.1.
 */
SV_API sv_allocator *sv_allocator_retain(SV_OPT const sv_allocator *allocator);

/**
 * Drop a reference. The last one ends the allocator; memory that came from it
 * holds references of its own. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_allocator_release(SV_OPT SV_TAKE sv_allocator *allocator);

/**
 * Kind of its memory.
 *
 * Since 0.1.
 */
SV_API sv_memory sv_allocator_kind(const sv_allocator *allocator);

/**
 * SV_DEVICE number of its memory, as views and DLPack have it.
 *
 * Since 0.1.
 */
SV_API int32_t sv_allocator_device_type(const sv_allocator *allocator);

/**
 * Number of the device, which is 0 where there is one only.
 *
 * Since 0.1.
 */
SV_API int32_t sv_allocator_device_id(const sv_allocator *allocator);

/**
 * SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED
 * where memory is allocated and freed in the order of a stream.
 *
 * Since 0.1.
 */
SV_API uint32_t sv_allocator_traits(const sv_allocator *allocator);

/**
 * The largest alignment that sv_allocator_allocate() grants. Buffers can have
 * any: they allocate more where they must.
 *
 * Since 0.1.
 */
SV_API int64_t sv_allocator_alignment(const sv_allocator *allocator);

/**
 * Name of the nearest tracked allocator that has one, this one or one that it
 * wraps; else that of the source of the memory: "host", "pinned", "device",
 * "managed", "pool", "callbacks", "handler", "torch".
 *
 * Since 0.1.
 */
SV_API const char *sv_allocator_name(const sv_allocator *allocator);

/**
 * Allocate raw bytes. This is for programs that hand an allocator on to others;
 * all others make buffers.
 *
 * @param allocator  which
 * @param nbytes     how many; with 0 the answer is NULL, and nothing is called
 * @param alignment  a power of two; 0 means that of the kind of memory: 64 for
 *                   host memory, 4096 for pinned, 256 for device and managed
 * @param stream     in whose order, where SV_TRAIT_ORDERED; else not read
 * @param pointer    receives the address
 *
 * SV_ERROR_INVALID    nbytes is negative, or alignment no power of two
 * SV_ERROR_ALIGNMENT  alignment is larger than sv_allocator_alignment(), or a
 *                     callback did not heed it
 * SV_ERROR_OVERFLOW   nbytes and alignment together do not fit int64
 * SV_ERROR_MEMORY     there is not so much
 * or what the source answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_allocate(const sv_allocator *allocator, int64_t nbytes, int64_t alignment,
                                       uintptr_t stream, SV_OUT void **pointer);

/**
 * Free what sv_allocator_allocate() gave.
 *
 * @param allocator  the same one
 * @param pointer    what it gave; NULL does nothing
 * @param nbytes     as it was allocated
 * @param alignment  as it was allocated
 * @param stream     free it after what this stream has to do now, where
 *                   SV_TRAIT_ORDERED; else not read, and the call may wait for
 *                   the device
 *
 * SV_ERROR_INVALID  nbytes is not above 0, or alignment no power of two; with
 *                   SV_ALLOCATOR_BLOCKS also: the block has another nbytes
 * SV_ERROR_STATE    with SV_ALLOCATOR_GUARD: the end of the block was
 *                   overwritten; with SV_ALLOCATOR_BLOCKS: no live block begins
 *                   there; of a pool: the stream is being captured
 * After these nothing was freed. After another error, which the source answered,
 * the memory is lost: it is not to be used, nor freed again.
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_free(const sv_allocator *allocator, SV_OPT SV_TAKE void *pointer, int64_t nbytes,
                                   int64_t alignment, uintptr_t stream);

/** What is counted of memory. */
enum {
    SV_STAT_LIVE_BYTES = 0,     /**< in use */
    SV_STAT_LIVE_COUNT = 1,     /**< blocks in use */
    SV_STAT_PEAK_BYTES = 2,     /**< the most that were in use at a time */
    SV_STAT_PEAK_COUNT = 3,     /**< the most blocks that were in use at a time */
    SV_STAT_TOTAL_BYTES = 4,    /**< all that were ever allocated */
    SV_STAT_TOTAL_COUNT = 5,    /**< all blocks that were ever allocated */
    SV_STAT_FAILED_COUNT = 6,   /**< allocations that failed */
    SV_STAT_DEFERRED_BYTES = 7, /**< released, not yet freed; not of allocators */
    SV_STAT_DEFERRED_COUNT = 8, /**< blocks released, not yet freed; not of allocators */
    SV_STAT_LOST_BYTES = 9,     /**< given up, since freeing them failed */
    SV_STAT_LOST_COUNT = 10     /**< blocks given up */
};

/**
 * Ask the nearest tracked allocator, this one or one that it wraps, for a number.
 * Each number is right by itself; several are not of one moment while other
 * threads allocate.
 *
 * @param allocator  which
 * @param stat       SV_STAT number
 * @param value      receives the number
 *
 * SV_ERROR_INVALID  no such number, or one that is not of allocators
 * SV_ERROR_STATE    none of them is tracked
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_stats(const sv_allocator *allocator, int32_t stat, SV_OUT int64_t *value);

/**
 * Begin both peaks anew with what is in use now.
 *
 * SV_ERROR_STATE  as of sv_allocator_stats()
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_reset_peaks(const sv_allocator *allocator);

/**
 * Call visit for each live block of the nearest allocator with
 * SV_ALLOCATOR_BLOCKS, in the order of their allocation: those of the moment of
 * the call, which visit may free.
 *
 * @param allocator  which
 * @param visit      answers 0 to go on
 * @param ctx        handed to it
 *
 * SV_ERROR_STATE  none of them keeps a list
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_visit(const sv_allocator *allocator, sv_block_callback visit, SV_OPT void *ctx);

/**
 * The two functions of a memory handler of NVIDIA's libraries, which are in
 * cuDSS, cuStateVec, cuTensorNet and cuTENSOR's own struct beside a context: they
 * allocate and free memory of a device in the order of a stream. 0 is success.
 */
typedef int32_t (*sv_handler_allocate_callback)(void *ctx, SV_OUT void **pointer, size_t nbytes, void *stream);

/** The one that frees. */
typedef int32_t (*sv_handler_free_callback)(void *ctx, void *pointer, size_t nbytes, void *stream);

/**
 * Make an allocator of a memory handler. Its memory is aligned to 256 bytes.
 *
 * @param device_id  number of the CUDA device whose memory it is
 * @param allocate   device_alloc of the handler; where it fails, with any number
 *                   but those of sv_status, SV_ERROR_MEMORY is answered
 * @param free       device_free of the handler
 * @param release    called with ctx when the allocator and all that came from it
 *                   are gone; NULL when nobody needs to know
 * @param ctx        ctx of the handler
 * @param out        receives the allocator
 *
 * SV_ERROR_DEVICE  device_id is negative
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_from_handler(int32_t device_id, sv_handler_allocate_callback allocate,
                                           sv_handler_free_callback free, SV_OPT sv_release_callback release,
                                           SV_OPT SV_TAKE void *ctx, SV_OUT sv_allocator **out);

/**
 * device_alloc of a memory handler whose context is an allocator: with it these
 * libraries allocate from libsv. The allocator must outlive the handler.
 *
 * @param allocator  the handler's ctx: an sv_allocator
 * @param pointer    receives the address
 * @param nbytes     how many
 * @param stream     a cudaStream_t
 * @returns SV_OK, which is 0, or another status
 *
 * Since 0.1.
 */
SV_API sv_status sv_handler_allocate_from(void *allocator, SV_OUT void **pointer, size_t nbytes, SV_OPT void *stream);

/**
 * device_free of such a handler.
 *
 * Since 0.1.
 */
SV_API sv_status sv_handler_free_to(void *allocator, SV_OPT void *pointer, size_t nbytes, SV_OPT void *stream);

/** The function that allocates for PyTorch's CUDAPluggableAllocator; NULL: it failed. */
typedef void *(*sv_torch_allocate_callback)(int64_t nbytes, int32_t device, void *stream);

/** The one that frees. */
typedef void (*sv_torch_free_callback)(void *pointer, int64_t nbytes, int32_t device, void *stream);

/**
 * Make an allocator of two functions that were written for PyTorch's
 * CUDAPluggableAllocator. Its memory is aligned to 256 bytes.
 *
 * @param device_id  number of the CUDA device whose memory it is
 * @param allocate   called by any thread
 * @param free       called by any thread
 * @param out        receives the allocator
 *
 * SV_ERROR_DEVICE  device_id is negative
 *
 * Since 0.1.
 */
SV_API sv_status sv_allocator_from_torch(int32_t device_id, sv_torch_allocate_callback allocate,
                                         sv_torch_free_callback free, SV_OUT sv_allocator **out);

/**
 * Say from which allocator sv_torch_allocate() takes the memory of a device. Then
 * in Python PyTorch allocates from libsv by
 *
 *     torch.cuda.memory.CUDAPluggableAllocator(path, "sv_torch_allocate", "sv_torch_free")
 *
 * with the path of this very library, strideview.library_path().
 *
 * @param device_id  number of the CUDA device, below 128
 * @param allocator  of memory that its kernels read and write; it is retained;
 *                   NULL means none again
 *
 * SV_ERROR_DEVICE   no such device number, or memory of another device
 * SV_ERROR_BLOCKED  memory of the one before is still in use
 *
 * Since 0.1.
 */
SV_API sv_status sv_torch_use(int32_t device_id, SV_OPT const sv_allocator *allocator);

/**
 * Allocate for PyTorch, from the allocator of sv_torch_use(). It is not to be
 * called by anybody else.
 *
 * @param nbytes  how many
 * @param device  number of the CUDA device
 * @param stream  a cudaStream_t
 * @returns the address; NULL for 0 bytes, after a failure, and where there is no
 *          allocator; sv_last_message() then says why
 *
 * Since 0.1.
 */
SV_API void *sv_torch_allocate(int64_t nbytes, int32_t device, SV_OPT void *stream);

/**
 * Free what sv_torch_allocate() gave.
 *
 * Since 0.1.
 */
SV_API void sv_torch_free(SV_OPT void *pointer, int64_t nbytes, int32_t device, SV_OPT void *stream);

/* --- buffer ------------------------------------------------------------- */

/*
 * Bytes with an owner: one allocation of any kind of memory. A buffer of host
 * memory takes one call, and sv_empty() makes an array of it:
 *
 *     sv_buffer_new(NULL, nbytes, 0, SV_BUFFER_ZERO, 0, &buffer);
 *     sv_view_from_buffer(buffer, layout, SV_FLOAT32, 0, 0, &view);
 *
 * The handle stays while the memory may move: sv_buffer_resize() and
 * sv_buffer_migrate() change what is behind it. Whatever points into the memory
 * counts as an export and keeps it in place: views, slices, DLPack tensors,
 * sv_buffer_begin_export(), and for their duration the calls that read or write.
 * Exports are references too.
 *
 *     state      call                       then
 *     open, n    view, slice, export        open, n + 1
 *     open, n    their end                  open, n - 1
 *     open, 0    resize, reserve, shrink,   moving, then open
 *                migrate
 *     open, 0    detach                     detached: no memory, 0 bytes
 *     open, 0    close                      closed: no memory, 0 bytes
 *     any        the last release           freed
 *
 * With exports, the calls that need none answer SV_ERROR_BLOCKED; so do all
 * calls on a buffer that is moving, which another thread brings about. Closed
 * and detached ones answer SV_ERROR_STATE, and 0 or NULL where there is no
 * status.
 *
 * Threads    Any two calls may be made at the same time, on one buffer. One of
 *            them comes first, and the other is done after it or refused as
 *            above. Whether the bytes themselves may be read and written at the
 *            same time is the callers' to know.
 * Streams    What a kernel, a copy or another library does with the memory on a
 *            stream is told by sv_buffer_record_use(), after the work was put on
 *            the stream; the memory is not freed before that work is done. The
 *            stream may end before the buffer does. Calls with a stream work in
 *            its order as copies do (section copy): those of device memory return
 *            at once unless a side is host memory or they are to block.
 *            Pinned memory of a pool is the host's to touch as soon as the buffer
 *            is there: making, moving or adopting one waits until the stream has
 *            allocated it. Reads, writes and fills of it wait for their stream. Of
 *            what streams write later, who touches the memory by its address or
 *            through a view waits for it, by sv_stream_synchronize().
 * Release    never waits for a device. Memory of pools is freed in the order of
 *            the buffer's stream, after all recorded uses. Other memory that the
 *            driver frees, and any whose recorded uses are not done, is deferred:
 *            the next allocation of its kind on its device frees it, or
 *            sv_memory_collect(). Memory that was adopted is freed by the thread
 *            that drops the last reference, if no use is left.
 * Lost       When a free fails, or the wait before it, the memory is given up and
 *            counted (SV_STAT_LOST_BYTES), and never freed: a device may still
 *            write to it.
 */
typedef struct sv_buffer sv_buffer;

/** Bits of flags, besides SV_READ_ONLY of the section on views, which is 1. */
enum {
    SV_BUFFER_ZERO = 2,     /**< new bytes are 0 */
    SV_BUFFER_DISCARD = 4,  /**< the contents need not be kept */
    SV_BUFFER_BORROWED = 8, /**< the caller keeps the memory alive */
    SV_BUFFER_TRUST = 16,   /**< the driver is not asked whether kind and device are right */
    SV_BUFFER_STRICT = 32   /**< an error where a hint has no effect */
};

/**
 * Allocate memory.
 *
 * @param allocator  where from; NULL: host memory. The buffer retains it
 * @param nbytes     bytes, 0 or more; with 0 no allocator is called, and the
 *                   address is NULL
 * @param alignment  a power of two, any, for which more is allocated where the
 *                   allocator has less; 0: that of the kind, 64 for host memory,
 *                   4096 for pinned, 256 for device and managed memory
 * @param flags      0, or SV_BUFFER_ZERO: the bytes are 0, on devices in the
 *                   order of the stream
 * @param stream     in whose order memory of a pool is allocated, and freed in
 *                   the end unless sv_buffer_set_stream() names another
 * @param out        receives the buffer
 *
 * SV_ERROR_INVALID   nbytes is negative, alignment no power of two, unknown flag
 * SV_ERROR_OVERFLOW  nbytes and alignment together do not fit int64
 * SV_ERROR_MEMORY    there is not so much memory
 * and what the allocator answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_new(SV_OPT const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags,
                               uintptr_t stream, SV_OUT sv_buffer **out);

/**
 * Make a buffer of memory that somebody else allocated.
 *
 * @param pointer      the memory; may be NULL when nbytes is 0
 * @param nbytes       its size
 * @param kind         SV_MEMORY number; SV_MEMORY_UNKNOWN: the driver is asked,
 *                     and device_type and device_id are not read
 * @param device_type  SV_DEVICE number, the one of that kind; of
 *                     SV_MEMORY_FOREIGN any that no other kind has
 * @param device_id    number of the device, 0 for host memory
 * @param flags        SV_READ_ONLY; SV_BUFFER_BORROWED; SV_BUFFER_TRUST. Host
 *                     memory that is said to be such is believed anyway
 * @param stream       on which it is to be freed
 * @param free         called with ctx, pointer, nbytes, the alignment of the
 *                     address and the stream: once, when the last reference is
 *                     gone and all recorded uses are done. Either this or
 *                     SV_BUFFER_BORROWED
 * @param ctx          what free needs
 * @param out          receives the buffer
 *
 * SV_ERROR_INVALID   neither free nor SV_BUFFER_BORROWED, or both; nbytes is
 *                    negative; no such kind; unknown flag
 * SV_ERROR_NULL      pointer is NULL though there are bytes
 * SV_ERROR_OVERFLOW  the memory leaves the address space
 * SV_ERROR_DEVICE    the driver says that it is other memory; no such device
 *                    type, or the one of another kind
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_adopt(SV_OPT SV_TAKE void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type,
                                 int32_t device_id, uint32_t flags, uintptr_t stream, SV_OPT sv_free_callback free,
                                 SV_OPT SV_TAKE void *ctx, SV_OUT sv_buffer **out);

/**
 * Page-lock host memory that somebody else allocated, so that CUDA devices use
 * it and copies to them are fast and need not block. Its kind is
 * SV_MEMORY_PINNED, with SV_TRAIT_REGISTERED.
 *
 * @param pages    host memory at any address; the system locks whole pages
 * @param nbytes   its size; with 0 no driver is called
 * @param flags    0 or SV_READ_ONLY: libsv does not write to it
 * @param release  called with ctx when the pages are unlocked: once, after the
 *                 last reference is gone. Unlocking may wait for devices, so it is
 *                 deferred as told above, and release with it. Not called when
 *                 unlocking fails, for a device may still use the pages. NULL:
 *                 nobody is told
 * @param ctx      what release needs
 * @param out      receives the buffer
 *
 * SV_ERROR_INVALID      nbytes is negative, unknown flag
 * SV_ERROR_NULL         pages is NULL though there are bytes
 * SV_ERROR_OVERFLOW     the memory leaves the address space
 * SV_ERROR_BLOCKED      some of it is page-locked already
 * SV_ERROR_UNSUPPORTED  there is no CUDA device; the message has the reason
 * SV_ERROR_CUDA, SV_ERROR_MEMORY  the driver refused
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_register(SV_OPT void *pages, int64_t nbytes, uint32_t flags,
                                    SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                    SV_OUT sv_buffer **out);

/**
 * Make a buffer of a part of another one, without copying. The memory stays
 * alive, and in place, until the slice is gone. Slices of slices are slices of
 * the buffer that has the memory.
 *
 * @param buffer  buffer to take a part of
 * @param offset  first byte
 * @param nbytes  number of bytes
 * @param flags   0, or SV_READ_ONLY; parts of read-only memory are so anyway
 * @param out     receives the slice
 *
 * SV_ERROR_RANGE    the part does not lie within the buffer
 * SV_ERROR_INVALID  unknown flag
 * SV_ERROR_STATE, SV_ERROR_BLOCKED  as told above
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_slice(const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags,
                                 SV_OUT sv_buffer **out);

/**
 * Take another reference.
 *
 * @returns the same handle
 *
 * Since 0.1.
 */
SV_API sv_buffer *sv_buffer_retain(SV_OPT const sv_buffer *buffer);

/**
 * Drop a reference. The last one frees the memory, as told above; it never waits
 * for a device. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_buffer_release(SV_OPT SV_TAKE sv_buffer *buffer);

/**
 * Drop a reference where nothing may be called: in finalisers. If it was the
 * last, the buffer waits for the next allocation of its kind of memory, or for
 * sv_memory_collect(). NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_buffer_release_later(SV_OPT SV_TAKE sv_buffer *buffer);

/**
 * Take the memory out of libsv's hands. The caller frees it, some time, by
 * free(ctx, pointer, nbytes, alignment, stream), with a stream of its choice.
 * The buffer is then detached, and to be released as ever.
 *
 * Recorded uses: memory of a pool is handed over in the order of the stream that
 * the call answers; for other memory they must be done.
 *
 * @param buffer     buffer with one reference and no export
 * @param pointer    receives the address
 * @param nbytes     receives the capacity
 * @param alignment  receives the alignment
 * @param stream     receives the stream that it was to be freed on
 * @param free       receives what frees it, never NULL
 * @param ctx        receives what free needs
 *
 * SV_ERROR_BLOCKED  there are exports or other references, or work that uses the
 *                   memory is not done
 * SV_ERROR_STATE    closed or detached already; or a slice
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_detach(sv_buffer *buffer, SV_OUT void **pointer, SV_OUT int64_t *nbytes,
                                  SV_OUT int64_t *alignment, SV_OUT uintptr_t *stream, SV_OUT sv_free_callback *free,
                                  SV_OUT void **ctx);

/**
 * Free the memory now, whoever holds references: they see a closed buffer. The
 * call may wait for the device, but not for recorded uses, which defer the free.
 * A slice only gives up its part. Closed already: nothing is done.
 *
 * @param buffer  buffer without exports
 * @param stream  memory of a pool is freed in the order of this one
 *
 * SV_ERROR_BLOCKED  there are exports
 * or what the free answers: the buffer is closed, the memory lost.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_close(sv_buffer *buffer, uintptr_t stream);

/**
 * Address of the first byte, where its device uses it; that of host memory is
 * the host's. NULL when there is no memory.
 *
 * Since 0.1.
 */
SV_API void *sv_buffer_data(const sv_buffer *buffer);

/**
 * Address of the first byte for the host; NULL where the host cannot touch it.
 *
 * Since 0.1.
 */
SV_API void *sv_buffer_host_data(const sv_buffer *buffer);

/**
 * Size in bytes.
 *
 * Since 0.1.
 */
SV_API int64_t sv_buffer_nbytes(const sv_buffer *buffer);

/**
 * Bytes that the memory has room for, at least the size.
 *
 * Since 0.1.
 */
SV_API int64_t sv_buffer_capacity(const sv_buffer *buffer);

/**
 * The alignment that the address has, and keeps when the memory moves: the one
 * that was asked for; of adopted memory that of the address, and of a slice as
 * far as it follows from the offset.
 *
 * Since 0.1.
 */
SV_API int64_t sv_buffer_alignment(const sv_buffer *buffer);

/**
 * Kind of the memory.
 *
 * Since 0.1.
 */
SV_API sv_memory sv_buffer_kind(const sv_buffer *buffer);

/**
 * SV_TRAIT bits of the memory: who reads and writes it, whether libsv may, and
 * where it comes from.
 *
 * Since 0.1.
 */
SV_API uint32_t sv_buffer_traits(const sv_buffer *buffer);

/**
 * SV_DEVICE number, as views of it and DLPack have it.
 *
 * Since 0.1.
 */
SV_API int32_t sv_buffer_device_type(const sv_buffer *buffer);

/**
 * Number of the device, 0 for host memory.
 *
 * Since 0.1.
 */
SV_API int32_t sv_buffer_device_id(const sv_buffer *buffer);

/**
 * The stream that the memory is freed on. 1 where that is another thread's
 * default stream.
 *
 * Since 0.1.
 */
SV_API uintptr_t sv_buffer_stream(const sv_buffer *buffer);

/**
 * The allocator that the memory came from, which lives as long as the buffer
 * has that memory; NULL for adopted memory, and while another thread moves it.
 *
 * Since 0.1.
 */
SV_API const sv_allocator *sv_buffer_allocator(const sv_buffer *buffer);

/**
 * The buffer that has the memory of a slice; NULL of others.
 *
 * Since 0.1.
 */
SV_API const sv_buffer *sv_buffer_parent(const sv_buffer *buffer);

/**
 * How many views, slices and other exports point into the memory; those of a
 * slice count at the slice.
 *
 * Since 0.1.
 */
SV_API int64_t sv_buffer_exports(const sv_buffer *buffer);

/**
 * How many references there are, those of exports among them.
 *
 * Since 0.1.
 */
SV_API int64_t sv_buffer_references(const sv_buffer *buffer);

/**
 * Whether the buffer has lost its memory by sv_buffer_close() or
 * sv_buffer_detach(): 1 or 0.
 *
 * Since 0.1.
 */
SV_API int32_t sv_buffer_is_closed(const sv_buffer *buffer);

/**
 * The ctx of memory that was adopted with this free; with NULL, of any that was
 * adopted. NULL of other buffers.
 *
 * Since 0.1.
 */
SV_API void *sv_buffer_context(const sv_buffer *buffer, SV_OPT sv_free_callback free);

/**
 * Keep the memory in place for somebody who uses its address, and the buffer
 * alive with it, until sv_buffer_end_export(). Views and slices do it by
 * themselves.
 *
 * SV_ERROR_STATE    closed or detached
 * SV_ERROR_BLOCKED  another thread moves the memory
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_begin_export(sv_buffer *buffer);

/**
 * End what sv_buffer_begin_export() began. It can drop the last reference.
 *
 * Since 0.1.
 */
SV_API void sv_buffer_end_export(sv_buffer *buffer);

/**
 * Copy bytes to host memory, where they have arrived on return.
 *
 * @param buffer  where from
 * @param offset  first byte of the buffer
 * @param dst     host memory
 * @param nbytes  how many; with 0 nothing is done
 * @param flags   0 or SV_COPY_BLOCKING
 * @param stream  device memory: in the order of this one
 *
 * SV_ERROR_RANGE    bytes outside the buffer; nothing is copied
 * SV_ERROR_INVALID  unknown flag
 * SV_ERROR_STATE, SV_ERROR_BLOCKED  as told above
 * and what sv_copy() answers of a device.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_read(const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags,
                                uintptr_t stream);

/**
 * Copy bytes from host memory, which is free for other use on return.
 *
 * @param buffer  where to
 * @param offset  first byte of the buffer
 * @param src     host memory
 * @param nbytes  how many; with 0 nothing is done
 * @param flags   0 or SV_COPY_BLOCKING
 * @param stream  device memory: in the order of this one
 *
 * SV_ERROR_READ_ONLY  the buffer is read-only
 * and what sv_buffer_read() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_write(sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags,
                                 uintptr_t stream);

/**
 * Copy bytes between two buffers of any kinds of memory, or within one: parts
 * that overlap are copied as if they were read first.
 *
 * @param dst         where to
 * @param dst_offset  first byte of dst
 * @param src         where from
 * @param src_offset  first byte of src
 * @param nbytes      how many; with 0 nothing is done
 * @param flags       0 or SV_COPY_BLOCKING
 * @param stream      as in sv_copy()
 *
 * Statuses as of sv_buffer_write(), and
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_copy(sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset,
                                int64_t nbytes, uint32_t flags, uintptr_t stream);

/**
 * Write one item again and again.
 *
 * @param buffer    where to
 * @param offset    first byte
 * @param nbytes    how many, a multiple of itemsize; with 0 nothing is done
 * @param item      host memory, read before the call returns
 * @param itemsize  1, 2, 4, 8 or 16 bytes
 * @param flags     0 or SV_COPY_BLOCKING
 * @param stream    as in sv_fill()
 *
 * SV_ERROR_INVALID  another itemsize
 * SV_ERROR_LAYOUT   nbytes is no multiple of itemsize
 * and what sv_buffer_write() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_fill(sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize,
                                uint32_t flags, uintptr_t stream);

/**
 * Change the size. Within the capacity nothing moves, so that a smaller buffer
 * keeps its memory (see sv_buffer_shrink()); beyond it the buffer gets new memory
 * of its allocator, of exactly nbytes.
 *
 * @param buffer  buffer without exports, unless it has this size already
 * @param nbytes  new size, 0 or more. The bytes that both sizes have are kept;
 *                those after them are undefined
 * @param flags   SV_BUFFER_ZERO: those after them are 0. SV_BUFFER_DISCARD: no
 *                byte need be kept; with both, all are 0
 * @param stream  work on device memory is done in the order of this one, after
 *                all recorded uses. When bytes are copied or written, it becomes
 *                the buffer's stream; memory of a pool is used after what the
 *                stream until then holds, which must be alive
 *
 * Two kinds of host memory are copied by the host, which waits for recorded uses.
 * The old memory is freed, or deferred, as at a release, and a free that fails is
 * told by sv_memory_collect().
 *
 * SV_ERROR_INVALID      nbytes is negative, or unknown flag
 * SV_ERROR_BLOCKED      there are exports
 * SV_ERROR_STATE        closed or detached; or a slice
 * SV_ERROR_READ_ONLY    zeros were to be written to read-only memory
 * SV_ERROR_UNSUPPORTED  adopted memory of less than nbytes, which has no allocator
 * and what sv_buffer_new() and sv_buffer_copy() answer. After an error the buffer
 * is as it was, and within the capacity of the same size.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_resize(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream);

/**
 * Get memory for a larger size before it is needed. The size stays, and so do the
 * bytes; the capacity becomes exactly the one that is asked for, unless it is
 * larger already.
 *
 * @param buffer    buffer without exports, unless its capacity is large enough
 * @param capacity  bytes, 0 or more
 * @param stream    as of sv_buffer_resize()
 *
 * Statuses as of sv_buffer_resize().
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_reserve(sv_buffer *buffer, int64_t capacity, uintptr_t stream);

/**
 * Give back what the size does not need: the buffer moves to memory of exactly
 * its size. When that is its capacity, nothing is done. Host memory of up to
 * 64 KiB that sv_buffer_new() made is returned to the system with the handle.
 *
 * @param buffer  buffer without exports, unless its capacity is its size
 * @param stream  as of sv_buffer_resize()
 *
 * Statuses as of sv_buffer_resize().
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_shrink(sv_buffer *buffer, uintptr_t stream);

/**
 * Move the bytes to another kind of memory, or another device. The handle stays;
 * kind, device, traits, addresses and allocator become those of the new memory,
 * and the capacity becomes the size. It is of the alignment that was asked for,
 * or that of the new kind where this is more. Adopted memory is freed by what it
 * was adopted with; the new memory is libsv's, and not read-only.
 *
 * @param buffer     buffer without exports
 * @param allocator  where to; NULL: host memory. If the memory is from this one,
 *                   nothing is done
 * @param flags      0, or SV_BUFFER_DISCARD: the bytes need not be kept
 * @param stream     as of sv_buffer_resize(). A default stream is that of the new
 *                   device; of the old one, where the new memory is managed and
 *                   the old is not: its use on another device has to wait for that
 *
 * SV_ERROR_INVALID      unknown flag
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices
 * and what sv_buffer_resize() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_migrate(sv_buffer *buffer, SV_OPT const sv_allocator *allocator, uint32_t flags,
                                   uintptr_t stream);

/**
 * Name another stream that the memory is freed on. For memory of a pool, the new
 * stream waits for what the old one holds now; both must be alive.
 *
 * @param buffer  buffer, not a slice; exports do not matter
 * @param stream  the stream
 *
 * SV_ERROR_STATE    closed or detached; or a slice
 * SV_ERROR_BLOCKED  another thread moves the memory
 * and what sv_stream_wait() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_set_stream(sv_buffer *buffer, uintptr_t stream);

/**
 * Tell that work which has been put on a stream uses the memory: it is not freed,
 * moved or handed over before all that the stream holds now is done. The stream
 * may end before the buffer.
 *
 * @param buffer  buffer; a slice stands for the whole memory that it is part of
 * @param stream  the stream; a default one is that of the memory's device, and for
 *                pinned memory of device 0
 *
 * Ordinary host memory has no streams: the call does nothing. A program whose
 * kernels read such memory keeps the buffer until they are done.
 *
 * SV_ERROR_STATE        closed or detached; or the stream is being captured
 * SV_ERROR_BLOCKED      another thread moves the memory
 * SV_ERROR_MEMORY       no memory for what is recorded
 * SV_ERROR_UNSUPPORTED  libsv knows no streams of such a device
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_record_use(const sv_buffer *buffer, uintptr_t stream);

/*
 * Hints for managed memory, each for any number of buffers, which are taken
 * whole: slices are for parts. A driver that has a call for many gets one call.
 * A hint that has no effect is SV_OK: on other kinds of memory, on buffers of no
 * bytes, and where the device or the driver cannot do it. With SV_BUFFER_STRICT
 * other kinds are SV_ERROR_DEVICE, and what a driver cannot do is
 * SV_ERROR_UNSUPPORTED. When one buffer is refused, nothing is done to any.
 */

/**
 * Move memory to where it will be used, in the order of a stream.
 *
 * @param count        number of buffers
 * @param buffers      the buffers
 * @param device_type  SV_DEVICE_CUDA, or SV_DEVICE_CPU: to the host
 * @param device_id    number of the device; 0 for the host
 * @param flags        0 or SV_BUFFER_STRICT
 * @param stream       a stream of any device
 *
 * SV_ERROR_DEVICE    no such device, or one of another type
 * SV_ERROR_INVALID   count is negative, unknown flag
 * SV_ERROR_STATE     a buffer is closed or detached; the stream is being captured
 * SV_ERROR_BLOCKED   a buffer is moving
 * SV_ERROR_CUDA      the driver failed
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_prefetch(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                                    uint32_t flags, uintptr_t stream);

/**
 * Say that the contents are not needed any more, in the order of a stream, and
 * where the memory will be used next: its pages are there then, without their
 * contents, which are undefined until they are written.
 *
 * @param count        number of buffers
 * @param buffers      the buffers
 * @param device_type  SV_DEVICE_CUDA, or SV_DEVICE_CPU: to the host
 * @param device_id    number of the device; 0 for the host
 * @param flags        0 or SV_BUFFER_STRICT
 * @param stream       a stream of any device. Drivers take no legacy default
 *                     stream for it; those before 13.0 do not have it
 *
 * SV_ERROR_READ_ONLY  a buffer is read-only
 * and what sv_buffer_prefetch() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_discard(int64_t count, sv_buffer *const *buffers, int32_t device_type, int32_t device_id,
                                   uint32_t flags, uintptr_t stream);

/**
 * Tell the driver how memory will be used. It holds until the opposite is told.
 *
 * @param count        number of buffers
 * @param buffers      the buffers
 * @param advice       SV_ADVICE number
 * @param device_type  as in sv_buffer_prefetch(); read with SV_ADVICE_PREFER,
 *                     SV_ADVICE_ACCESSED_BY and SV_ADVICE_NOT_ACCESSED_BY
 * @param device_id    number of the device
 * @param flags        0 or SV_BUFFER_STRICT
 *
 * SV_ERROR_INVALID  no such advice
 * and what sv_buffer_prefetch() answers. When the driver fails, buffers before the
 * one it failed on have been advised on.
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_advise(int64_t count, sv_buffer *const *buffers, int32_t advice, int32_t device_type,
                                  int32_t device_id, uint32_t flags);

enum { SV_IPC_NBYTES = 160 /**< bytes that tell another process of a buffer */ };

/**
 * Describe device memory for another process of this machine, in SV_IPC_NBYTES
 * bytes that can be sent by any way. Memory of sv_allocator_device(), wrapped or
 * not, can be exported, and slices of it.
 *
 * The memory must stay until the other process is done with it: neither process
 * knows what the other does. Nor do the two wait for each other's streams. Other
 * processes see the driver's whole allocation, which can have other small blocks
 * in it; blocks of 2 MiB and more have one to themselves.
 *
 * @param buffer    the memory
 * @param capacity  room in blob; 0: only whether it can be exported is checked,
 *                  and the length told
 * @param blob      receives the bytes; NULL with a capacity of 0
 * @param length    receives how many; NULL: not needed
 *
 * SV_ERROR_DEVICE       host, pinned, managed or foreign memory
 * SV_ERROR_UNSUPPORTED  memory of a pool or of callbacks, adopted memory, memory of
 *                       another process; there is no CUDA device
 * SV_ERROR_BUFFER       capacity is too small
 * SV_ERROR_STATE, SV_ERROR_BLOCKED  as told above
 * SV_ERROR_FORKED       CUDA was opened before this process was forked
 * SV_ERROR_CUDA         the driver failed; it cannot share memory of this device
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_export_ipc(const sv_buffer *buffer, size_t capacity, SV_OUT SV_OPT void *blob,
                                      SV_OUT SV_OPT size_t *length);

/**
 * Open device memory of another process. The bytes are checked before a driver
 * sees any of them, and the size with what the driver opened. Take them from
 * somebody trusted: whoever can write them chooses which memory is opened, and
 * which part of it. The buffer is a slice of one with SV_TRAIT_SHARED that has the
 * whole allocation: one for all parts of it that are imported while it lives. In
 * the process that exported it, it is a slice of the buffer itself.
 *
 * @param blob    what sv_buffer_export_ipc() wrote
 * @param length  SV_IPC_NBYTES
 * @param flags   0 or SV_READ_ONLY; memory that was read-only is so anyway
 * @param out     receives the buffer
 *
 * SV_ERROR_PROTOCOL  another length; damaged, or no such bytes at all; more memory
 *                    than the driver opened
 * SV_ERROR_VERSION   written by a later version
 * SV_ERROR_INVALID   unknown flag
 * SV_ERROR_DEVICE    this process does not see the device
 * SV_ERROR_STATE     this process exported it, and has closed, freed or moved it
 * SV_ERROR_UNSUPPORTED, SV_ERROR_FORKED  as in sv_buffer_export_ipc()
 * SV_ERROR_CUDA      the driver failed; the memory is gone
 *
 * Since 0.1.
 */
SV_API sv_status sv_buffer_import_ipc(const void *blob, size_t length, uint32_t flags, SV_OUT sv_buffer **out);

/** Bits of flags of sv_memory_collect(). */
enum {
    SV_COLLECT_WAIT = 1 /**< wait for the work that uses the memory */
};

/**
 * Free the memory whose free had to wait when its buffer was released: what a
 * device may have been using, and what finalisers left by
 * sv_buffer_release_later(). An allocation of the same kind of memory does so too;
 * a program that has stopped to allocate calls this one. It also frees the pinned
 * memory that libsv keeps for copies between CPU and CUDA memory, unless a copy
 * is using it.
 *
 * Deleters of adopted memory are called on this thread. In a process that was
 * forked after a device was opened, memory of devices stays as it is.
 *
 * @param flags  0: frees what no recorded work uses any more, which may wait for
 *               the device; SV_COLLECT_WAIT: waits for that work first
 * @param left   receives how many buffers still wait
 *
 * SV_ERROR_INVALID  unknown flag
 * and the failure of a free, in a release or here, that was told by no other call:
 * its memory is lost. The failure is told once; the next call goes on.
 *
 * Since 0.1.
 */
SV_API sv_status sv_memory_collect(uint32_t flags, SV_OUT SV_OPT int64_t *left);

/**
 * How much memory buffers own: what was allocated for them, and what they adopted
 * with a function that frees it.
 *
 * @param kind   SV_MEMORY number; SV_MEMORY_UNKNOWN: all kinds together
 * @param stat   SV_STAT number: of LIVE, PEAK, TOTAL, DEFERRED and LOST
 * @param value  receives bytes, or a number of buffers
 *
 * SV_ERROR_INVALID  no such kind, or a number that is not counted here
 *
 * Since 0.1.
 */
SV_API sv_status sv_memory_stats(sv_memory kind, int32_t stat, SV_OUT int64_t *value);

/* --- view --------------------------------------------------------------- */

/**
 * Memory of somebody else, read through a layout: base address, layout,
 * element type, device, and what keeps the memory alive.
 *
 * OpenCL, Vulkan, Metal and WebGPU hand out handles instead of addresses (see
 * SV_TRAIT_HANDLES). Such a handle may be NULL and is never added to; the offset
 * stays in the layout.
 */
typedef struct sv_view sv_view;

/* Both are defined by <dlpack/dlpack.h>, 1.0 or later, which is needed only to look into them. */
struct DLManagedTensorVersioned;
struct DLManagedTensor;

/** Bits of a view's flags. */
enum {
    SV_READ_ONLY = 1, /**< libsv must not write through this view */
    SV_IS_COPIED = 2  /**< for exports: nobody else shares this memory */
};

/**
 * View an array in host memory, which stays alive, and in place, until the view
 * and all views made from it are released. The bytes that it reaches are the
 * bounds of the view.
 *
 * @param dtype         element type, not SV_OPAQUE
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param flags         0 or SV_READ_ONLY
 * @param out           receives the view
 *
 * Statuses as of sv_view_from_array(), the general form of this function.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_host(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                   SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, uint32_t flags,
                                   SV_OUT sv_view **out);

/**
 * View host memory that stays alive, and in place, until the view and all
 * views made from it are released, through a layout and within its size.
 *
 * @param layout   how to read it; retained
 * @param dtype    element type, of the layout's item size; or SV_OPAQUE
 * @param pointer  start of the memory; may be NULL when layout is empty
 * @param nbytes   size of the memory, which every element must lie in
 * @param flags    0 or SV_READ_ONLY
 * @param out      receives the view
 *
 * SV_ERROR_RANGE     an element lies outside the memory, or nbytes is negative
 * SV_ERROR_DTYPE     no type, or another item size than the layout's
 * SV_ERROR_INVALID   unknown flag
 * SV_ERROR_NULL      pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW  an element lies past the end of the address space
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_pointer(const sv_layout *layout, sv_dtype dtype, SV_OPT void *pointer, int64_t nbytes,
                                      uint32_t flags, SV_OUT sv_view **out);

/**
 * View memory of any device, with an owner: the general form of
 * sv_view_from_pointer().
 *
 * @param layout       how to read it; retained
 * @param dtype        element type, of the layout's item size; or SV_OPAQUE
 * @param base         address that the layout counts from, on the device
 * @param lower        lowest byte that may be touched, relative to base
 * @param upper        end of the bytes that may be touched, relative to base;
 *                     INT64_MIN and INT64_MAX where a limit is not known
 * @param device_type  SV_DEVICE number
 * @param device_id    ordinal of the device, 0 or more
 * @param flags        0 or SV_READ_ONLY
 * @param release      called with ctx when the last view of the memory is
 *                     gone; NULL: the caller keeps the memory alive
 * @param ctx          what release needs
 * @param out          receives the view
 *
 * Statuses as of sv_view_from_pointer(), and
 * SV_ERROR_RANGE   lower is above upper
 * SV_ERROR_DEVICE  no such device type, or a negative device_id
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_new(const sv_layout *layout, sv_dtype dtype, SV_OPT void *base, int64_t lower, int64_t upper,
                             int32_t device_type, int32_t device_id, uint32_t flags,
                             SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View an array as its shape, byte strides and type tell: in one allocation what
 * sv_layout_new_bytes() and sv_view_new() do in two. The bytes that it reaches
 * are the bounds of the view.
 *
 * @param dtype         element type, not SV_OPAQUE
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param device_type   SV_DEVICE number
 * @param device_id     ordinal of the device, 0 or more
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_DTYPE     no type, or opaque
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   an extent is negative, or an unknown flag
 * SV_ERROR_DEVICE    no such device type, or a negative device_id
 * SV_ERROR_NULL      pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW  sizes, offsets or addresses do not fit
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_array(sv_dtype dtype, int32_t ndim, const int64_t *shape,
                                    SV_OPT const int64_t *byte_strides, SV_OPT void *pointer, int32_t device_type,
                                    int32_t device_id, uint32_t flags, SV_OPT sv_release_callback release,
                                    SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View the bytes of a buffer through a layout. The buffer stays alive, and its
 * memory in place, until the view and all made from it are released; the whole
 * buffer is the bounds of the view.
 *
 * @param buffer  the memory; views of read-only memory are read-only
 * @param layout  how to read it, retained; NULL: one axis of all items from
 *                offset on
 * @param dtype   element type, of the layout's item size; or SV_OPAQUE, with a
 *                layout
 * @param offset  byte of the buffer that the layout counts from
 * @param flags   0 or SV_READ_ONLY
 * @param out     receives the view
 *
 * SV_ERROR_RANGE    an element, or offset, lies outside the buffer
 * SV_ERROR_DTYPE    no type, or another item size than the layout's
 * SV_ERROR_LAYOUT   without a layout: the bytes are no whole number of items
 * SV_ERROR_INVALID  unknown flag
 * SV_ERROR_STATE    the buffer is closed or detached
 * SV_ERROR_BLOCKED  another thread moves its memory
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_buffer(sv_buffer *buffer, SV_OPT const sv_layout *layout, sv_dtype dtype,
                                     int64_t offset, uint32_t flags, SV_OUT sv_view **out);

/**
 * View a DLPack tensor. No element is moved.
 *
 * Shape and strides are copied out, so the tensor's own may change afterwards.
 * Its deleter, unless NULL, runs once, when the last view of the memory is
 * released; but at once for a tensor that this copy of libsv exported, because
 * the view then keeps the exported memory itself. So an array can be handed on
 * any number of times without a chain of owners. DLPack carries no size of the memory: the bytes that its shape and
 * strides reach are trusted to be there, and are the bounds of the view. Where
 * memory has addresses, base is the element with all indices 0.
 *
 * Strides of NULL mean C order. Any alignment, negative and zero strides, and
 * for empty tensors any data will do. Flags that DLPack 1.3 does not have are
 * not looked at.
 *
 * Elements below a byte, packed, are taken in groups that fill bytes, along the
 * last axis of stride 1: int4 of 2 x 6 becomes int4x2 of 2 x 3. Those that the
 * tensor says are padded to bytes stay what they are.
 *
 * @param tensor  DLPack major version 1
 * @param flags   0, or SV_READ_ONLY to read only even where writing is allowed
 * @param out     receives the view
 *
 * SV_ERROR_VERSION      another major version; nothing behind it was read
 * SV_ERROR_PROTOCOL     negative ndim or extent, shape missing, or no data
 *                       though there are elements
 * SV_ERROR_RANGE        more than 64 axes
 * SV_ERROR_DTYPE        element type unknown
 * SV_ERROR_LAYOUT       packed elements below a byte that cannot be grouped: no
 *                       axis of stride 1, an odd extent or stride
 * SV_ERROR_UNSUPPORTED  vectors of sub-byte elements padded to bytes
 * SV_ERROR_DEVICE       device type unknown, or a negative device number
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 * SV_ERROR_INVALID      unknown flag
 *
 * Does not wait for a device: order the producer's stream first.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_dlpack(SV_TAKE struct DLManagedTensorVersioned *tensor, uint32_t flags,
                                     SV_OUT sv_view **out);

/**
 * View a DLPack tensor of the old form, which has no version and no flags.
 *
 * It cannot say that it is read-only: who does not know passes SV_READ_ONLY.
 * Parameters and statuses as of sv_view_from_dlpack().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_dlpack_unversioned(SV_TAKE struct DLManagedTensor *tensor, uint32_t flags,
                                                 SV_OUT sv_view **out);

/**
 * View a bare DLTensor, which does not own its memory. The structure itself is
 * not needed after the call.
 *
 * @param tensor   address of a DLTensor
 * @param flags    0 or SV_READ_ONLY
 * @param release  called with ctx when the last view of the memory is gone;
 *                 NULL: the caller keeps the memory alive
 * @param ctx      what release needs
 * @param out      receives the view
 *
 * Statuses as of sv_view_from_dlpack().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_dltensor(const void *tensor, uint32_t flags, SV_OPT sv_release_callback release,
                                       SV_OPT SV_TAKE void *ctx, SV_OUT sv_view **out);

/**
 * View host memory as a Py_buffer or its like describes it (PEP 3118).
 *
 * Formats of one number become its type. Records, strings, repeats, pointers
 * and whatever else the grammar allows become SV_OPAQUE items of itemsize
 * bytes, and so do items whose format and item size disagree, as those of
 * ctypes do.
 *
 * @param format        format text; NULL means "B"
 * @param itemsize      bytes of one item, 1 or more
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents; NULL with one axis: as many items as there are
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      itemsize; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param nbytes        bytes of all items, each index counted
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_RANGE        ndim or itemsize outside its limits
 * SV_ERROR_DTYPE        format breaks the grammar, nests more than 32 deep, or
 *                       holds references to Python objects
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken
 *                       in any
 * SV_ERROR_INVALID      an extent is negative, or an unknown flag
 * SV_ERROR_PROTOCOL     nbytes is not what the shape has
 * SV_ERROR_NULL         pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_pep3118(SV_OPT const char *format, int64_t itemsize, int32_t ndim,
                                      SV_OPT const int64_t *shape, SV_OPT const int64_t *byte_strides,
                                      SV_OPT void *pointer, int64_t nbytes, uint32_t flags,
                                      SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                      SV_OUT sv_view **out);

/**
 * View memory as the fields of __array_interface__ or of
 * __cuda_array_interface__ (version 3) describe it.
 *
 * Types that DLPack does not have, as "|V7", "<U5" and "<M8[s]", become
 * SV_OPAQUE items.
 *
 * @param typestr       type string, "<f4"
 * @param ndim          axes, 0 to 64
 * @param shape         ndim extents
 * @param byte_strides  ndim strides in bytes, which need not be multiples of
 *                      the item size; NULL means C order
 * @param pointer       address of the element with all indices 0
 * @param device_type   SV_DEVICE number
 * @param device_id     ordinal of the device, 0 or more
 * @param flags         0 or SV_READ_ONLY
 * @param release       called with ctx when the last view of the memory is
 *                      gone; NULL: the caller keeps the memory alive
 * @param ctx           what release needs
 * @param out           receives the view
 *
 * SV_ERROR_DTYPE        no type string, or one of Python objects or of bits
 * SV_ERROR_UNSUPPORTED  a number in the other byte order; opaque items are taken
 *                       in any
 * SV_ERROR_RANGE        more than 64 axes
 * SV_ERROR_INVALID      an extent is negative, or an unknown flag
 * SV_ERROR_DEVICE       no such device type, or a negative device_id
 * SV_ERROR_NULL         pointer is NULL though there are elements
 * SV_ERROR_OVERFLOW     sizes, offsets or addresses do not fit
 *
 * Does not wait for a device: order the producer's stream first.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_from_array_interface(const char *typestr, int32_t ndim, const int64_t *shape,
                                              SV_OPT const int64_t *byte_strides, SV_OPT void *pointer,
                                              int32_t device_type, int32_t device_id, uint32_t flags,
                                              SV_OPT sv_release_callback release, SV_OPT SV_TAKE void *ctx,
                                              SV_OUT sv_view **out);

/**
 * Read the same memory, from the same base, through another layout.
 *
 * @param view    view to start from; its memory stays alive with the new one
 * @param layout  the other layout, of the same item size; retained
 * @param out     receives the new view
 *
 * SV_ERROR_DTYPE     another item size, and the type is not SV_OPAQUE
 * SV_ERROR_RANGE     an element lies outside the memory
 * SV_ERROR_NULL      the base is NULL though there are elements
 * SV_ERROR_OVERFLOW  an element lies past the end of the address space
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_with_layout(const sv_view *view, const sv_layout *layout, SV_OUT sv_view **out);

/**
 * Read the same memory, from the same base, through what a builder holds: as
 * sv_layout_builder_finish() and sv_view_with_layout(), in one allocation.
 *
 * Statuses as of sv_view_with_layout(), and
 * SV_ERROR_STATE  the builder was not started
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_with_builder(const sv_view *view, const sv_layout_builder *builder, SV_OUT sv_view **out);

/**
 * sv_layout_permute() of the layout of a view: the same memory with its axes in
 * another order.
 *
 * This and the next four functions make one allocation each. For any other
 * operation, or several, rearrange the layout and use sv_view_with_layout() or
 * sv_view_with_builder().
 *
 * @param view  view to start from; its memory stays alive with the new one
 * @param ndim  number of axes given: that of view; not read when axes is NULL
 * @param axes  each axis once; NULL reverses them
 * @param out   receives the new view
 *
 * Statuses as of sv_layout_permute().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_permute(const sv_view *view, int32_t ndim, SV_OPT const int32_t *axes, SV_OUT sv_view **out);

/**
 * sv_layout_slice() of the layout of a view: every step-th index of its leading
 * axes, by the numbers of a Python slice.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param count  axes sliced, 0 to ndim; the others stay whole
 * @param start  count first indices
 * @param stop   count end indices
 * @param step   count steps, not 0; NULL means 1 everywhere
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_slice().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_slice(const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop,
                               SV_OPT const int64_t *step, SV_OUT sv_view **out);

/**
 * sv_layout_index() of the layout of a view: one index of an axis, which goes.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param axis   the axis
 * @param index  -extent to extent - 1; negative ones count from the end
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_index().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_index(const sv_view *view, int32_t axis, int64_t index, SV_OUT sv_view **out);

/**
 * sv_layout_reshape() of the layout of a view: the same elements, in C order of
 * their indices, in another shape. Nothing is moved.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param ndim   axes of the new shape, 0 to 64
 * @param shape  extents; one may be -1 and is then found
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_reshape(); SV_ERROR_LAYOUT where only a copy could
 * have this shape.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_reshape(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);

/**
 * sv_layout_broadcast() of the layout of a view: repeated along new leading axes
 * and axes of extent 1, by strides of 0.
 *
 * @param view   view to start from; its memory stays alive with the new one
 * @param ndim   axes of the new shape, at least those of view
 * @param shape  extents; the last ones meet those of view
 * @param out    receives the new view
 *
 * Statuses as of sv_layout_broadcast().
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_broadcast(const sv_view *view, int32_t ndim, const int64_t *shape, SV_OUT sv_view **out);

/**
 * Read the same elements as another type of the same size.
 *
 * SV_ERROR_DTYPE  no type, or another item size
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_with_dtype(const sv_view *view, sv_dtype dtype, SV_OUT sv_view **out);

/**
 * The same view, through which nothing can be written.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_as_readonly(const sv_view *view, SV_OUT sv_view **out);

/**
 * Add a reference. Returns its argument.
 *
 * Since 0.1.
 */
SV_API sv_view *sv_view_retain(SV_OPT const sv_view *view);

/**
 * Drop a reference. With the last view of some memory, and the last export of
 * one, its owner is told. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_view_release(SV_OPT SV_TAKE sv_view *view);

/**
 * Address of the element with all indices 0: base plus byte offset. NULL of an
 * empty view. Where memory goes by handles, the handle.
 *
 * Since 0.1.
 */
SV_API void *sv_view_data(const sv_view *view);

/**
 * The layout, borrowed.
 *
 * Since 0.1.
 */
SV_API const sv_layout *sv_view_layout(const sv_view *view);

/**
 * Element type.
 *
 * Since 0.1.
 */
SV_API sv_dtype sv_view_dtype(const sv_view *view);

/**
 * SV_DEVICE number of the memory.
 *
 * Since 0.1.
 */
SV_API int32_t sv_view_device_type(const sv_view *view);

/**
 * Ordinal of the device.
 *
 * Since 0.1.
 */
SV_API int32_t sv_view_device_id(const sv_view *view);

/**
 * Whether writing through the view is refused: 1 or 0.
 *
 * Since 0.1.
 */
SV_API int32_t sv_view_is_readonly(const sv_view *view);

/**
 * The bytes that may be touched, relative to the base: [lower, upper), with
 * INT64_MIN and INT64_MAX where a limit is not known.
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_bounds(const sv_view *view, SV_OUT int64_t *lower, SV_OUT int64_t *upper);

/**
 * Number of references that keep the memory of a view: those to this view and
 * to the view that it was made from, which has one of each view made from it.
 * An export counts as a view. 1: when this reference ends, the memory is let
 * go. Only then, and while no other thread uses this handle, the number stays
 * what it is. 0 for NULL.
 *
 * Garbage collectors ask this: what keeps the memory may be collected together
 * with the holder of the only reference.
 *
 * Since 0.1.
 */
SV_API int64_t sv_view_references(const sv_view *view);

/**
 * The context that the memory of a view is let go with, when release is what
 * lets it go: ctx of sv_view_new() and its like, also for views made from
 * another. Else, and for NULL, NULL. It is borrowed: the memory may end with
 * the last reference to the view.
 *
 * Since 0.1.
 */
SV_API void *sv_view_context(const sv_view *view, SV_OPT sv_release_callback release);

/**
 * The buffer that a view, or the view it was made from, was made of; NULL when
 * there is none. It is borrowed, and lives as long as the view.
 *
 * Since 0.1.
 */
SV_API const sv_buffer *sv_view_buffer(const sv_view *view);

/**
 * Whether elements of two views share a byte.
 *
 * Host and CUDA memory of any kind and device has one address space. Of other
 * memory only such of the same device type is compared by address: on another
 * device it is apart, of another type it may be shared. Handles are compared
 * the same way, and two different ones may share memory.
 *
 * @param view    one view
 * @param other   the other
 * @param work    as of sv_layout_is_unique()
 * @param answer  receives SV_YES, SV_NO or SV_MAYBE; SV_NO when one is empty
 *
 * SV_ERROR_INVALID  work is negative
 * SV_ERROR_MEMORY   no room for a search, which few layouts need
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_overlap(const sv_view *view, const sv_view *other, int64_t work, SV_OUT sv_answer *answer);

/**
 * Look at a view as a standard DLPack structure, for typed access.
 *
 * It belongs to the view and lives as long as it; deleter and manager_ctx are
 * NULL. Costs nothing. NULL, with a message, where DLPack cannot say it:
 * strides that are no multiple of the item size, opaque items, or an offset
 * below a handle.
 *
 * Since 0.1.
 */
SV_API const struct DLManagedTensorVersioned *sv_view_borrow(const sv_view *view);

/** Flags of sv_view_kernel_arg(). */
enum {
    SV_KERNEL_WRITES = 1, /**< the kernel writes elements: SV_ERROR_READ_ONLY of a read-only view */
    SV_KERNEL_HOST = 2    /**< memory of the host alone is taken too */
};

/**
 * Describe a view for a kernel, as a plain block that is passed by value:
 *
 *     address of the element with all indices 0    uint64_t
 *     shape[ndim]                                  int64_t each
 *     strides[ndim], in elements                   int64_t each
 *
 * without padding, 8 + 16 * ndim bytes. In CUDA C++ it is strideview::array<T, ndim>
 * of sv_kernel.hpp, which is installed beside this header. The block keeps nothing
 * alive, and orders nothing: the memory must live, and what writes it be waited
 * for, as with any pointer that a kernel is given.
 *
 * Kernels are compiled for a number of axes and a type, which the caller tells.
 * Strides may be negative or 0; that of an axis of one element is of no account.
 *
 * @param view      view to describe
 * @param ndim      axes that the kernel expects
 * @param itemsize  bytes of an element that the kernel expects
 * @param flags     SV_KERNEL bits. Without SV_KERNEL_HOST the memory must be such
 *                  that CUDA devices use: pinned, of a device, or managed. With it
 *                  ordinary memory is taken, for code that runs on the host and
 *                  devices that read all of its memory.
 * @param capacity  bytes of block, of which only those that are needed are written
 * @param block     receives the block; it need not be aligned
 *
 * SV_ERROR_INVALID    unknown flag; a negative ndim
 * SV_ERROR_LAYOUT     the view has another number of axes, or a stride in bytes
 *                     is no multiple of the item size
 * SV_ERROR_DTYPE      the elements have another size
 * SV_ERROR_ALIGNMENT  the address is no multiple of the largest power of two, at
 *                     most 16, that divides the item size, as C++ has it
 * SV_ERROR_READ_ONLY  SV_KERNEL_WRITES, and the view is read-only
 * SV_ERROR_DEVICE     memory that is known by a handle, of another kind of device,
 *                     or, without SV_KERNEL_HOST, of the host alone
 * SV_ERROR_BUFFER     capacity is too small
 *
 * After an error nothing was written. Since 0.1.
 */
SV_API sv_status sv_view_kernel_arg(const sv_view *view, int32_t ndim, int64_t itemsize, uint32_t flags,
                                    size_t capacity, SV_OUT void *block);

/**
 * Hand a view on as a DLPack tensor, version 1.3.
 *
 * The tensor keeps the memory alive. Its deleter may run on any thread.
 *
 * @param view   view to hand on
 * @param flags  0 or SV_IS_COPIED; read-only is told by itself
 * @param out    receives the tensor, which the caller ends with its deleter
 *
 * SV_ERROR_LAYOUT   strides are no multiple of the item size, or an offset lies
 *                   below a handle
 * SV_ERROR_DTYPE    opaque items
 * SV_ERROR_INVALID  unknown flag
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_to_dlpack(const sv_view *view, uint32_t flags, SV_OUT struct DLManagedTensorVersioned **out);

/**
 * Hand a view on as a DLPack tensor of the old form.
 *
 * The tensor and the statuses are those of sv_view_to_dlpack(), and
 * SV_ERROR_READ_ONLY    the old form cannot tell that a view is read-only
 * SV_ERROR_UNSUPPORTED  nor that sub-byte elements are padded
 *
 * Since 0.1.
 */
SV_API sv_status sv_view_to_dlpack_unversioned(const sv_view *view, SV_OUT struct DLManagedTensor **out);

/* --- empty -------------------------------------------------------------- */

/**
 * Make a new array: dense, in C order, in memory of its own, which is freed when
 * the view and all views and exports made from it are released.
 *
 * @param allocator  where the memory comes from; NULL: ordinary host memory
 * @param dtype      element type, not SV_OPAQUE
 * @param ndim       axes, 0 to 64
 * @param shape      ndim extents
 * @param flags      0: the elements are not initialised; SV_BUFFER_ZERO: all
 *                   their bytes are 0
 * @param stream     as of sv_buffer_new(); 0 for host memory
 * @param out        receives the view; sv_view_buffer() tells its buffer
 *
 * SV_ERROR_DTYPE     no type, or opaque
 * SV_ERROR_RANGE     more than 64 axes
 * SV_ERROR_INVALID   an extent is negative, or an unknown flag
 * SV_ERROR_OVERFLOW  the size does not fit int64
 * and what sv_buffer_new() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_empty(SV_OPT const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape,
                          uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/**
 * Make a new array of a given layout, in memory of exactly the bytes that its
 * elements reach. A byte_offset, and bytes between elements, are kept as the
 * layout says, but nothing lies before the first and behind the last element.
 *
 * @param allocator  as of sv_empty()
 * @param layout     shape and strides, any; it is copied
 * @param dtype      element type, of the layout's item size; or SV_OPAQUE
 * @param flags      as of sv_empty(); gaps are zeroed too
 * @param stream     as of sv_empty()
 * @param out        receives the view
 *
 * SV_ERROR_DTYPE  no type, or another item size than the layout's
 * and what sv_buffer_new() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_empty_layout(SV_OPT const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype,
                                 uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/**
 * Make a new dense array of the shape and element type of another one, of which
 * no element is read: "a tensor like this one, on the device".
 *
 * @param allocator  as of sv_empty(); what memory view has does not matter
 * @param view       the other array
 * @param order      SV_ORDER_C, SV_ORDER_F, or SV_ORDER_K: the axes in the order
 *                   that they have in memory; axes of stride 0 get memory
 * @param flags      as of sv_empty()
 * @param stream     as of sv_empty()
 * @param out        receives the view
 *
 * SV_ERROR_INVALID   another order, or an unknown flag
 * SV_ERROR_OVERFLOW  the size does not fit int64
 * and what sv_buffer_new() answers.
 *
 * Since 0.1.
 */
SV_API sv_status sv_empty_like(SV_OPT const sv_allocator *allocator, const sv_view *view, sv_order order,
                               uint32_t flags, uintptr_t stream, SV_OUT sv_view **out);

/* --- copy --------------------------------------------------------------- */

/*
 * The two kinds of memory decide who copies, and in which order with the work
 * on streams:
 *
 * - Both of CPU, CUDA_HOST (pinned), ROCM_HOST: the host copies at once, and is
 *   done on return. The stream is not read: for work of a stream on pinned
 *   memory the caller waits by sv_stream_synchronize().
 * - CUDA memory and managed memory or memory of the same device: a kernel, after
 *   what the stream holds; what is put on the stream later comes after it. The
 *   call returns at once, with SV_COPY_BLOCKING when the elements have arrived.
 *   Two sides that share bytes of one device: the same, through a temporary of
 *   the device's default pool; by way of the host, which waits, if it has none.
 * - CUDA memory and CUDA_HOST memory: the same, by the device's copy engine, by a
 *   kernel, or by both in chunks through scratch memory of the default pool.
 *   Both sides are in use until the stream is done.
 * - CUDA memory and CPU memory: the same order. On return the elements have been
 *   read from CPU memory, or written to it; they have arrived on the device with
 *   SV_COPY_BLOCKING. What is not one run of bytes on both sides goes in chunks
 *   through 16 MiB of pinned memory, which libsv keeps: sv_memory_collect()
 *   frees it.
 * - CUDA memory of two devices: in the order of the stream; a default stream is
 *   that of the destination's device. Returns at once. Scratch memory is of the
 *   default pools of both devices.
 * - sv_fill() of CUDA memory: the device, in the same order, without waiting.
 * - Both managed: a kernel, as above, on the device of the stream; device
 *   numbers of managed memory do not matter.
 * - Managed memory else (the other side is the host's; sv_fill(); two sides that
 *   share bytes): the host, after it has waited for the stream. Done on return.
 *   Devices that are without SV_PROPERTY_CONCURRENT_MANAGED are waited for as a
 *   whole, since the host may not use managed memory while any kernel runs there:
 *   no other thread may launch one, or capture a stream of the device, meanwhile.
 * - Managed memory where sv_device_probe() does not answer SV_STATE_READY: as
 *   CPU memory, since no device can have work on it.
 */

/** Bits of a copy's flags. */
enum {
    SV_COPY_NO_TEMP = 1,      /**< SV_ERROR_OVERLAP rather than a temporary */
    SV_COPY_TRUST = 2,        /**< the caller knows that no two elements of dst share a byte, if proof is too hard */
    SV_COPY_BLOCKING = 4,     /**< return when the elements have arrived, on devices too */
    SV_COPY_CAST = 8,         /**< convert to the same kind or a later one: bool, unsigned, signed, floating, complex */
    SV_COPY_CAST_UNSAFE = 16, /**< convert elements to any kind: fractions, signs and imaginary parts may be lost */
    SV_COPY_SWAP = 32,        /**< first reverse the bytes of each number of src, of complex ones those of each part */
    SV_COPY_NO_WAIT = 64      /**< SV_ERROR_BLOCKED, and nothing is done, rather than wait for a device */
};

/**
 * Copy every element of src to the place with the same index in dst.
 *
 * src is broadcast to the shape of dst. Any strides are welcome on both sides.
 * If the two share bytes, dst gets what src held before the call: in an order
 * of copying that allows it where there is one (both in the same order, moved,
 * spread or drawn together), by exchanging where two axes of one extent of the
 * same memory change places (a square matrix transposed in place), else by a
 * temporary of the size of src.
 *
 * @param dst     where to; neither read-only nor overlapping itself
 * @param src     where from; of the same dtype, unless SV_COPY_CAST or
 *                SV_COPY_CAST_UNSAFE is given
 * @param flags   SV_COPY bits
 * @param stream  for devices and managed memory: 0 or 1 the legacy default
 *                stream, 2 the per-thread one, else the runtime's handle
 *
 * SV_ERROR_READ_ONLY    dst is read-only
 * SV_ERROR_DTYPE        dtypes differ, and are not to be converted, or cannot be:
 *                       opaque, below a byte, float128, unlike numbers of lanes
 * SV_ERROR_LAYOUT       src does not broadcast to the shape of dst
 * SV_ERROR_OVERLAP      elements of dst share bytes, or may and SV_COPY_TRUST is
 *                       not given; or src and dst share bytes, or may, so that
 *                       a temporary is needed, and SV_COPY_NO_TEMP is given
 * SV_ERROR_MEMORY       there is no room for a temporary; dst is as it was
 * SV_ERROR_UNSUPPORTED  no backend for this pair of devices
 * SV_ERROR_DEVICE       the device cannot be used: no driver, or no such device
 * SV_ERROR_FORKED       the devices were found before this process was forked
 * SV_ERROR_STATE        the call would wait for a stream that is being captured,
 *                       or stream is a legacy default stream that a captured
 *                       one waits for; nothing is done, the capture stays valid.
 *                       One that waits on a stream that is not captured is not a
 *                       part of any graph, and leaves captures of others valid
 * SV_ERROR_BLOCKED      SV_COPY_NO_WAIT is given, and the call would wait: for
 *                       the stream, as all copies to CPU memory do, or for
 *                       another copy that uses pinned memory of libsv
 * SV_ERROR_CUDA         the CUDA runtime refused. Where it did so after the
 *                       copy had begun, dst holds any mixture of old and new
 * SV_ERROR_INVALID      unknown flag, or both SV_COPY_BLOCKING and SV_COPY_NO_WAIT
 *
 * Conversions give what NumPy's and ml_dtypes' do. What does not fit is rounded
 * once, to the nearest, even in a tie, and is never brought to the nearest end
 * of a range: floating numbers too large for a floating dtype become infinity,
 * or NaN where it has none; whole ones keep their low bits, floating ones become
 * whole by cutting off the fraction and then keeping the low bits, NaN and
 * infinities by becoming 0; NaN stays NaN, on RISC-V without its sign and
 * payload. bool is whether a number is not 0. Complex numbers lose their
 * imaginary part where there is no place for it. All this holds in the default
 * floating-point environment, with which C programs begin.
 *
 * Where the order of axes changes in more memory than a cache holds, about half
 * a megabyte, at most one and a half, is taken for the time of the call; other
 * copies take 128 KiB at most, small ones mostly nothing. Without that memory
 * the copy is slower, or done by one thread. A call takes at most 16 KiB of
 * stack, without what a callback of the caller takes.
 *
 * Whether it is done on return, and what it is ordered with, is told at the head
 * of this section.
 *
 * Since 0.1.
 */
SV_API sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream);

/**
 * sv_copy() with memory of the caller's for what it needs on a device: chunks
 * that are rearranged there, 4 MiB at most, and temporaries of the size of src
 * where both sides share bytes. Copies of the host take none of it.
 *
 * @param dst      as of sv_copy()
 * @param src      as of sv_copy()
 * @param scratch  of memory of the CUDA device that copies, between two devices
 *                 that of the stream; NULL: its default pool. The memory is
 *                 allocated and freed by this call, in the order of the stream
 *                 where the allocator can. What the other device needs is always
 *                 of its default pool
 * @param flags    as of sv_copy()
 * @param stream   as of sv_copy()
 *
 * SV_ERROR_INVALID  scratch allocates no memory of a CUDA device
 * SV_ERROR_DEVICE   scratch allocates memory of another device
 * and what sv_copy() and sv_buffer_new() answer.
 *
 * Since 0.1.
 */
SV_API sv_status sv_copy_with(const sv_view *dst, const sv_view *src, SV_OPT const sv_allocator *scratch,
                              uint32_t flags, uintptr_t stream);

/**
 * Copy and convert in one pass, with a scale and a bias: every element of dst
 * becomes src * scale + bias, in the dtype of dst. Pixels of bytes become the
 * numbers that a network wants, in its layout, and go back.
 *
 * Host memory only: where a side is memory that the host does not read and write,
 * this is SV_ERROR_UNSUPPORTED and nothing is done.
 *
 * Numbers are multiplied in float32 where each side has elements of 8 or 16 bits
 * or float32 (bool among them), otherwise in float64; scale and bias are rounded
 * to that first. The product is rounded before the bias is added, as in NumPy's
 * src.astype("f4") * scale + bias. What dst gets is rounded once more:
 *
 * - To an integer dtype: to the nearest whole number, even in a tie. What is out
 *   of its range becomes the end of the range; NaN becomes 0. (Conversions by
 *   sv_copy() cut off, and keep low bits.)
 * - To a floating dtype, and to bool: as by sv_copy().
 *
 * @param dst     where to, as of sv_copy()
 * @param src     where from; broadcast as by sv_copy(); any dtype of real numbers
 * @param scale   what elements are multiplied by; NULL where nscale is 0
 * @param nscale  0: elements are not multiplied; 1: all by one number; else the
 *                extent of axis: scale has a number for each of its indices
 * @param bias    what is added; NULL where nbias is 0
 * @param nbias   of bias, as nscale
 * @param axis    of dst, negative ones counted from the end; read only where
 *                nscale or nbias is more than 1
 * @param flags   SV_COPY bits. Elements are converted, whether SV_COPY_CAST and
 *                SV_COPY_CAST_UNSAFE are given or not
 * @param stream  of managed memory, as of sv_copy(): the call waits for it
 *
 * SV_ERROR_NULL         scale is NULL and nscale is not 0, or bias and nbias
 * SV_ERROR_INVALID      nscale or nbias is negative
 * SV_ERROR_LAYOUT       nscale or nbias is not 0, not 1, and not the extent of axis
 * SV_ERROR_INDEX        dst has no such axis
 * SV_ERROR_DTYPE        a side has no numbers, or such as sv_copy() does not convert
 * SV_ERROR_UNSUPPORTED  complex numbers, or memory that the host does not read
 * SV_ERROR_MEMORY       there is no room for about 100 KiB, in which the call
 *                       works, or for a temporary; dst is as it was
 * and what sv_copy() answers. Where src and dst share bytes but are not the same
 * elements of one size, a temporary of the size of src is needed.
 *
 * It is done on return, takes at most 16 KiB of stack, and may run on any number
 * of threads at a time that write different elements. scale and bias are not
 * kept. Since 0.1.
 */
SV_API sv_status sv_copy_scaled(const sv_view *dst, const sv_view *src, SV_OPT const double *scale, int64_t nscale,
                                SV_OPT const double *bias, int64_t nbias, int32_t axis, uint32_t flags,
                                uintptr_t stream);

/**
 * Write one item to every element of dst, whatever its layout. A larger one can
 * be had by sv_copy() from a view of it, which is broadcast.
 *
 * @param dst       view to fill; neither read-only nor overlapping itself
 * @param item      what every element becomes, of host memory, of any alignment
 * @param itemsize  bytes of it: those of an element of dst, 1 to 16
 * @param flags     SV_COPY_TRUST and SV_COPY_BLOCKING mean what they mean to
 *                  sv_copy()
 * @param stream    as in sv_copy()
 *
 * SV_ERROR_READ_ONLY    dst is read-only
 * SV_ERROR_RANGE        itemsize is less than 1 or more than 16
 * SV_ERROR_DTYPE        the elements of dst have another size
 * SV_ERROR_OVERLAP      elements of dst share bytes, or may and SV_COPY_TRUST is
 *                       not given
 * SV_ERROR_UNSUPPORTED  no backend fills memory of this device
 * SV_ERROR_INVALID      unknown flag
 * and what sv_copy() answers of a device.
 *
 * item may lie in dst: it is read first.
 *
 * Since 0.1.
 */
SV_API sv_status sv_fill(const sv_view *dst, const void *item, int64_t itemsize, uint32_t flags, uintptr_t stream);

/**
 * Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with less
 * overhead for each, above all where neighbours have the same two layouts.
 *
 * All that can be refused is found before the first byte is written. Each copy
 * reads its source before it writes. Copies between CPU memory are done in the
 * order of i, one after another. A copy with other memory can come before or after
 * any other of the batch: where one of the two writes bytes that the other reads
 * or writes, those bytes are as after some order of the copies, on a device each
 * byte for itself. That is not looked for; what depends on an order goes into
 * calls of its own.
 *
 * Small copies go up to 128 in one launch of a kernel: those of the same two
 * layouts, and those of one run of bytes, whatever its length. Small are up to
 * 1 MiB within what one device reaches, 64 KiB with CUDA_HOST memory, and about
 * 32 KiB with CPU memory, which goes through pinned memory of libsv.
 *
 * @param count   how many, 0 or more
 * @param dst     count views
 * @param src     count views
 * @param flags   as of sv_copy(), for each
 * @param stream  as of sv_copy()
 * @param failed  receives, when the call fails because of one of them, its
 *                place, which the message tells too; else it is left alone
 *
 * Statuses as of sv_copy(); and SV_ERROR_INVALID, count is negative. What can
 * fail later, because it depends on memory or on a device, leaves the copies
 * before that one done.
 *
 * Since 0.1.
 */
SV_API sv_status sv_copy_batch(int64_t count, sv_view *const *dst, sv_view *const *src, uint32_t flags,
                               uintptr_t stream, SV_OPT int64_t *failed);

/* --- plan --------------------------------------------------------------- */

/**
 * What sv_copy() decides before it moves a byte: which elements go where, and
 * by which kernel. Made once, and executed with other addresses each time. A
 * plan keeps the layouts of the two views but not their memory.
 *
 * Plans do not change once made: any thread may execute one at the same time
 * as others do.
 */
typedef struct sv_plan sv_plan;

/**
 * Plan the copy that sv_copy(dst, src, flags, ...) would do.
 *
 * @param dst    where to; its address does not matter
 * @param src    where from, the same
 * @param flags  SV_COPY bits, which hold for every execution
 * @param out    receives the plan
 *
 * Statuses as of sv_copy(), but what depends on addresses: that is for
 * sv_plan_execute().
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_new(const sv_view *dst, const sv_view *src, uint32_t flags, SV_OUT sv_plan **out);

/**
 * Add a reference. Returns its argument.
 *
 * Since 0.1.
 */
SV_API sv_plan *sv_plan_retain(SV_OPT const sv_plan *plan);

/**
 * Drop a reference; the last one frees the plan. NULL does nothing.
 *
 * Since 0.1.
 */
SV_API void sv_plan_release(SV_OPT SV_TAKE sv_plan *plan);

/**
 * Copy between these addresses.
 *
 * That the memory is there, on the devices of the plan, and that dst may be
 * written, is the caller's word. Any alignment will do. Whether the two share
 * bytes is found out each time, as sv_copy() does.
 *
 * @param plan    what to do
 * @param dst     address of the destination's element [0,...,0], as
 *                sv_view_data() gives; NULL only where there are no elements
 * @param src     the same of the source
 * @param stream  as of sv_copy()
 *
 * SV_ERROR_OVERFLOW     an element would lie past the end of the address space
 * SV_ERROR_OVERLAP      dst and src share bytes, or may, so that a temporary is
 *                       needed, and the plan has SV_COPY_NO_TEMP
 * SV_ERROR_MEMORY       there is no room for the temporary
 * SV_ERROR_UNSUPPORTED  they do, in memory that has no temporary
 * and what sv_copy() answers of a device.
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_execute(const sv_plan *plan, SV_OPT void *dst, SV_OPT const void *src, uintptr_t stream);

/**
 * Copy between these views: sv_plan_execute() with everything checked.
 *
 * @param plan    what to do
 * @param dst     where to; not read-only. dtype, device, shape and strides are
 *                those of the view that the plan was made of
 * @param src     where from, the same
 * @param stream  as of sv_copy()
 *
 * Statuses as of sv_plan_execute(), and
 * SV_ERROR_READ_ONLY  dst is read-only
 * SV_ERROR_DTYPE      another dtype than the plan's
 * SV_ERROR_LAYOUT     another shape, strides or item size
 * SV_ERROR_DEVICE     another device
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_execute_views(const sv_plan *plan, const sv_view *dst, const sv_view *src, uintptr_t stream);

/**
 * Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for each i,
 * ordered as in sv_copy_batch(). The same plan may be there often.
 *
 * @param count   how many, 0 or more
 * @param plans   count plans
 * @param dst     count addresses
 * @param src     count addresses
 * @param stream  as of sv_copy()
 * @param failed  as of sv_copy_batch(), of which all else is true here too
 *
 * Statuses as of sv_plan_execute() and sv_copy_batch().
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_execute_batch(int64_t count, sv_plan *const *plans, void *const *dst, const void *const *src,
                                       uintptr_t stream, SV_OPT int64_t *failed);

/**
 * Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i],
 * stream) for each i, ordered as in sv_copy_batch(), all checked before the
 * first.
 *
 * @param plan    what to do
 * @param count   how many, 0 or more
 * @param dst     count views
 * @param src     count views
 * @param stream  as of sv_copy()
 * @param failed  as of sv_copy_batch(), of which all else is true here too
 *
 * Statuses as of sv_plan_execute_views() and sv_copy_batch().
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_execute_views_batch(const sv_plan *plan, int64_t count, sv_view *const *dst,
                                             sv_view *const *src, uintptr_t stream, SV_OPT int64_t *failed);

/**
 * What kind of copy it is: "empty", "contiguous", "rows", "repeat", "reversed",
 * "transpose", "gather", "scatter", "strided" or "cast". Static text; later versions
 * may know more kinds.
 *
 * Since 0.1.
 */
SV_API const char *sv_plan_class(const sv_plan *plan);

/**
 * Name of the kernel that does it: static text for eyes and tests, which may
 * change from version to version. "nothing" where there are no elements.
 *
 * A kernel of the host is the loop that runs on this processor for addresses at
 * which pages begin; others may be copied by another loop.
 *
 * Since 0.1.
 */
SV_API const char *sv_plan_kernel(const sv_plan *plan);

/**
 * Write what a plan does and why, in lines of English text for people: its
 * canonical form, the traffic, and which loops of the host were asked before the
 * one that does the copy, marked "->", what each is for, its kind of stores, and
 * the blocks, streams and prefetch distances that it goes by (doc/tuning.md). The
 * text may change from version to version. Nothing is copied.
 *
 * The loop depends on the processor, its caches and where in a cache line both
 * sides begin: the answer is of this machine and these addresses.
 *
 * @param plan      which
 * @param dst       address of the element [0,...,0] of the destination, which is
 *                  not read or written; NULL: one where a page begins
 * @param src       the same of the source
 * @param capacity  bytes that text has room for; with 0 only the length is told
 * @param text      receives the text, NUL-terminated
 * @param length    receives its bytes without the NUL
 *
 * SV_ERROR_BUFFER  capacity too small; 16384 is always enough
 * SV_ERROR_MEMORY  no memory to write it in
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_explain(const sv_plan *plan, SV_OPT const void *dst, SV_OPT const void *src, size_t capacity,
                                 SV_OUT SV_OPT char *text, SV_OUT SV_OPT size_t *length);

/**
 * Bytes that are written, each once.
 *
 * Since 0.1.
 */
SV_API int64_t sv_plan_nbytes(const sv_plan *plan);

/**
 * Bytes that go to and from memory, in whole cache lines of 64 bytes, where
 * every line is moved once: an estimate, exact where elements follow each other
 * from the beginning of a line and gaps are lines.
 *
 * @param plan     which
 * @param read     receives the bytes of the source's lines
 * @param written  receives the bytes of the destination's lines
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_traffic(const sv_plan *plan, SV_OUT int64_t *read, SV_OUT int64_t *written);

/**
 * How many operations one execution gives to a stream: launches of kernels and
 * copies by a device's copy engine. 0 where the host does it all; 1 for copies
 * within the memory of a device, but for those of 2^31 items and more.
 *
 * Told for aligned addresses of two sides that share no bytes, and with all the
 * memory for chunks that the copy asks for; events and allocations are not
 * counted. It takes longer the more chunks there are.
 *
 * Since 0.1.
 */
SV_API int64_t sv_plan_launches(const sv_plan *plan);

/* --- threads ------------------------------------------------------------ */

/**
 * One of the tasks that a copy is split into. It may be called by any thread,
 * and fails silently: the copy tells.
 */
typedef void (*sv_task_callback)(void *ctx, int64_t index);

/**
 * The caller's threads: calls task(task_ctx, index) once for each index from 0
 * to count - 1, in any order, by any threads, this one among them or not, and
 * returns when all calls have returned. libsv has no threads of its own.
 *
 * Tasks never wait for each other, so any number of threads will do, and all
 * indices in one thread. Returns SV_OK; or an error, and then it must still not
 * return before the calls that it has begun. examples/threads.c has one for
 * OpenMP and one for a pool of POSIX threads.
 */
typedef sv_status (*sv_parallel_callback)(void *ctx, int64_t count, sv_task_callback task, void *task_ctx);

/**
 * sv_copy() by several threads of the caller.
 *
 * Copies between host memories are split where they move 1 MiB or more, in cache
 * lines of both sides together as sv_plan_traffic() predicts them, or 256 KiB
 * where items do not move in runs (classes other than contiguous, rows and
 * repeat): along whole cache lines of the destination, into one task for each
 * thread, and about four where these are as large. Smaller copies, those with a
 * device, and those of a source and a destination that share bytes are done as
 * by sv_copy(), and run is not called. The smallest that are split gain from
 * threads that wait awake, as OpenMP's do for a while. Where run must wake them,
 * which takes as long as a copy of some MiB, threads is best 1 for what moves
 * less than about 8 MiB, in runs 16 MiB: whether they sleep only the caller knows.
 *
 * @param dst      as of sv_copy()
 * @param src      as of sv_copy()
 * @param threads  how many threads run has, 1 or more
 * @param run      the caller's threads; NULL only where threads is 1
 * @param ctx      what run needs
 * @param flags    SV_COPY bits
 * @param stream   as of sv_copy()
 *
 * Statuses as of sv_copy(), the first failure of a task among them, told on
 * this thread; what run answered, if that is an error; and
 * SV_ERROR_INVALID  threads is less than 1
 * SV_ERROR_STATE    run called a task twice (the second call does nothing), one
 *                   that is none, or not all
 * After these dst may be written in part.
 *
 * Since 0.1.
 */
SV_API sv_status sv_copy_parallel(const sv_view *dst, const sv_view *src, int32_t threads,
                                  SV_OPT sv_parallel_callback run, SV_OPT void *ctx, uint32_t flags, uintptr_t stream);

/**
 * sv_copy_scaled() by several threads of the caller, where sv_copy_parallel()
 * would share a copy that converts: from 256 KiB of both sides on. One that works
 * in place, or needs a temporary, is done by this thread.
 *
 * @param dst      as of sv_copy_scaled()
 * @param src      as of sv_copy_scaled()
 * @param scale    as of sv_copy_scaled()
 * @param nscale   as of sv_copy_scaled()
 * @param bias     as of sv_copy_scaled()
 * @param nbias    as of sv_copy_scaled()
 * @param axis     as of sv_copy_scaled()
 * @param threads  how many threads run has, 1 or more
 * @param run      the caller's threads; NULL only where threads is 1
 * @param ctx      what run needs
 * @param flags    as of sv_copy_scaled()
 * @param stream   as of sv_copy_scaled()
 *
 * Statuses as of sv_copy_scaled(), and what sv_copy_parallel() answers about
 * threads and run, after which dst may be written in part. Since 0.1.
 */
SV_API sv_status sv_copy_scaled_parallel(const sv_view *dst, const sv_view *src, SV_OPT const double *scale,
                                         int64_t nscale, SV_OPT const double *bias, int64_t nbias, int32_t axis,
                                         int32_t threads, SV_OPT sv_parallel_callback run, SV_OPT void *ctx,
                                         uint32_t flags, uintptr_t stream);

/**
 * The same plan, executed by several threads of the caller, as
 * sv_copy_parallel() does.
 *
 * @param plan     which; it stays as it is
 * @param threads  as of sv_copy_parallel()
 * @param run      as of sv_copy_parallel(); called by each execution, so it is
 *                 to serve as many at a time as there are
 * @param ctx      what run needs, while the plan is executed
 * @param out      receives the plan
 *
 * SV_ERROR_INVALID  threads is less than 1
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_with_threads(const sv_plan *plan, int32_t threads, SV_OPT sv_parallel_callback run,
                                  SV_OPT void *ctx, SV_OUT sv_plan **out);

/**
 * A plan that does the same with memory of the caller's, as sv_copy_with() does.
 *
 * @param plan     the other plan, which stays as it is
 * @param scratch  as of sv_copy_with(); the new plan keeps a reference. NULL: the
 *                 default pool
 * @param out      receives the new plan
 *
 * SV_ERROR_INVALID  scratch allocates no memory of a CUDA device
 * SV_ERROR_MEMORY   out of memory
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_with_allocator(const sv_plan *plan, SV_OPT const sv_allocator *scratch, SV_OUT sv_plan **out);

/**
 * The same plan, done by the loop that is the fastest on this memory: the loops
 * of the host that can do the copy are timed, the likeliest first. For copies
 * that are executed thousands of times.
 *
 * Every loop does the whole copy, so dst holds the copy afterwards. A loop that
 * is clearly slower than another is dropped; measuring ends when one is left, when
 * the difference is certain, or when the time is over. What sv_plan_new() chose
 * stays unless another loop is faster by more than 3 %. Times are of repeated
 * copies between the same arrays, which are in the caches as far as they fit.
 *
 * Nobody else may use dst during the call. The new plan is as any other: several
 * threads may execute it at a time, between any addresses. Where its loop cannot
 * do a copy, because the memory is aligned in another way or there is no memory
 * for a block, the loop that sv_plan_new() would choose does it. sv_plan_kernel()
 * tells the loop, sv_plan_explain() all times. A plan of sv_plan_with_threads() is
 * measured with its threads; made from a measured plan, it keeps the loop. A
 * measured plan can be measured again, and begins anew.
 *
 * Where there is nothing to choose from, the copy is done and the new plan is like
 * the given one: with a device, without a clock, without elements, and where one
 * loop alone can do the copy. The call returns when dst holds the copy, even if
 * the plan has SV_COPY_NO_WAIT.
 *
 * @param plan      what to do; it stays as it is
 * @param dst       where to, as of sv_plan_execute_views()
 * @param src       where from, the same
 * @param limit_ns  time limit in nanoseconds; 0: one second. The runs that have
 *                  begun end, and the chosen loop is always run
 * @param stream    as of sv_copy()
 * @param out       receives the plan
 *
 * Statuses as of sv_plan_execute_views(), and
 * SV_ERROR_OVERLAP  dst and src are host memory and share bytes, or may
 * SV_ERROR_INVALID  limit_ns is negative
 * SV_ERROR_STATE    the copy is a device's, and its stream is being captured
 * SV_ERROR_MEMORY   out of memory; dst may be written
 *
 * Since 0.1.
 */
SV_API sv_status sv_plan_measure(const sv_plan *plan, const sv_view *dst, const sv_view *src, int64_t limit_ns,
                                 uintptr_t stream, SV_OUT sv_plan **out);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_H */
