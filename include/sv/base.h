/*
 * libsv: the rules that hold for every function, statuses, and the version.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * The comments of functions tell only what is particular to them. This page has what is the same for all.
 *
 * Results    A function that can fail returns sv_status: SV_OK, or a negative SV_ERROR code, with the facts in
 *            sv_last_message(). Any other function returns its answer, and 0 or NULL for a handle that is NULL.
 *            A yes-or-no question is answered by 1 or 0.
 * Outputs    A parameter marked SV_OUT, such as out, is written on SV_OK and left as it was after any other status.
 * Handles    A handle that comes out through SV_OUT holds one reference, which the caller ends with the release
 *            function of its type. Retaining returns the same handle, with one reference more. The last release
 *            frees the object; releasing NULL does nothing. An object keeps alive the handles that it was made from.
 * Ownership  SV_TAKE moves ownership to libsv, with SV_OK only: after any other status nothing was called and the
 *            caller still owns the thing. A pointer that a getter returns is borrowed and lives as long as the
 *            handle.
 * Callbacks  A release callback is called once with its ctx, when the last reference to what was made with it is
 *            gone, on the thread that dropped it. Without one, the caller keeps alive what is used.
 * Threads    Layouts, views, plans and allocators do not change once made. Any threads may use them at the same time,
 *            and any may drop the last reference. sv/memory.h has the rules for buffers.
 * Effects    libsv prints nothing, starts no thread, does not use errno, and never ends the process. Loading it runs
 *            no code.
 * Copies     Several copies of libsv may live in one process. A handle must not cross from one to another; arrays
 *            cross as DLPack tensors.
 *
 * Parameters that always mean the same:
 *
 *     ndim, shape        number of axes, 0 to 64, and their extents, 0 or more
 *     axis, axes         0 to ndim - 1; negative ones count from the end
 *     byte_strides       ndim strides in bytes, of any sign, which need not be multiples of the item size; NULL
 *                        means C order without gaps. strides are the same in elements
 *     itemsize, nbytes   bytes of one element, 1 or more; bytes of memory, 0 or more
 *     device_type        SV_DEVICE number, such as SV_DEVICE_CPU
 *     device_id          ordinal of the device, 0 or more; 0 for host memory
 *     flags              bits of the enum that is named; 0 for none
 *     stream             in which order a device works, see sv/device.h; 0 for host memory
 *     capacity, text,    room for a text in bytes, the text, and its length without the closing NUL. A text is
 *       length           never cut. With capacity 0 only the length is told, and text may be NULL
 *
 * Any function can answer these statuses for these reasons; its comment does not repeat them:
 *
 *     SV_ERROR_NULL      a pointer is NULL that is not marked SV_OPT. An array of ndim or count items may be NULL
 *                        when there are none, and so may an address with no elements or bytes behind it
 *     SV_ERROR_INVALID   an unknown flag or enum number, an axis given twice, or a number below its least one, such
 *                        as a negative count, extent or number of bytes
 *     SV_ERROR_INDEX     an axis or an index outside the array
 *     SV_ERROR_RANGE     ndim or itemsize outside its limits, or a result of more than 64 axes
 *     SV_ERROR_OVERFLOW  a size, stride or offset does not fit int64 in bytes, or an element or byte lies past the
 *                        end of the address space
 *     SV_ERROR_DTYPE     a number that is no element type
 *     SV_ERROR_DEVICE    no such device type, a negative device_id, or, where devices are used, no such device or one
 *                        that cannot be used
 *     SV_ERROR_BUFFER    capacity is too small
 *     SV_ERROR_MEMORY    out of memory: of functions that make something, and of copies that need a temporary
 *     SV_ERROR_STATE     a handle that is not alive, in a library with SV_FEATURE_CHECKS
 *
 * and any function that works with CUDA devices, or asks their driver, these:
 *
 *     SV_ERROR_UNSUPPORTED  there is no CUDA here; the message says what is missing
 *     SV_ERROR_CUDA         the CUDA runtime failed, which may be an earlier error of the caller's kernels
 *     SV_ERROR_FORKED       CUDA was opened before this process was forked
 *     SV_ERROR_STATE        the process is exiting
 */
#ifndef SV_BASE_H
#define SV_BASE_H

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
 * In every header, the text between the two marks is plain declarations only: parsers of other languages read it. It
 * is the source of every binding. A function that is younger than libsv 0.1 says so: "Since 0.2."
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

/** What the library was built with: bits of sv_features().
 *
 * Handles are trusted to be alive. A library that was configured with --enable-checks, for development, answers
 * SV_ERROR_STATE, or 0 or NULL where there is no status, to a handle that was released, has another type or is none
 * at all. It cannot tell when a new handle of the same type has the same address. */
enum {
    SV_FEATURE_CUDA = 1,  /**< the CUDA backend is compiled in */
    SV_FEATURE_CHECKS = 2 /**< every call finds out whether its handles are alive and of the right type */
};

/** Version of the library that runs: 10000 * major + 100 * minor + patch. */
SV_API int32_t sv_version(void);

/** Version of the library that runs, as static text: "0.1.0". */
SV_API const char *sv_version_text(void);

/** SV_ABI_VERSION of the library that runs. A binding compares it with its header's before any other call. */
SV_API int32_t sv_abi_version(void);

/** The SV_FEATURE bits this library was built with. */
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

/** Name of a status as static text, "SV_ERROR_INDEX"; of an unknown number "SV_ERROR_UNKNOWN". */
SV_API const char *sv_status_name(sv_status status);

/** What went wrong in the last call on this thread that failed.
 *
 * One line of ASCII, never NULL, shorter than 512 bytes, empty before the first failure; other characters of a text
 * that it quotes are escaped as by Python's ascii(). It is meaningful only right after a failed call on the same
 * thread, and changes with the next one. Languages that move work between threads can rely on the status alone. */
SV_API const char *sv_last_message(void);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_BASE_H */
