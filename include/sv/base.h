/*
 * libsv: what all other headers need: version, status, and the rules that hold for every function.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
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
 */
SV_API int32_t sv_version(void);

/**
 * Version of the library that runs, as static text: "0.1.0".
 */
SV_API const char *sv_version_text(void);

/**
 * SV_ABI_VERSION of the library that runs. A binding compares it with the
 * header it was made from before any other call.
 */
SV_API int32_t sv_abi_version(void);

/**
 * The SV_FEATURE bits this library was built with.
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
 */
SV_API const char *sv_last_message(void);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_BASE_H */
