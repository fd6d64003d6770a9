/*
 * The state of a buffer, in the word where other handles only count references. Each change is one atomic operation, so
 * that of two threads one comes first and the other is refused.
 *
 *     bits 0 to 31    references, exports among them
 *     bits 32 to 60   exports: what points into the memory and keeps it in place
 *     bits 61 and 62  the state
 *
 * A buffer moves, closes or is detached only while there is no export.
 *
 * What was read of it is a struct of its own, so that it is no number, and is asked by the functions below only.
 */
#ifndef SVI_BUFFER_STATE_H
#define SVI_BUFFER_STATE_H

#include "base/handle.h"

#define SVI_BUFFER_REFERENCE INT64_C(1)
#define SVI_BUFFER_REFERENCES INT64_C(0xffffffff) /* mask */
#define SVI_BUFFER_EXPORT ((INT64_C(1) << 32) + SVI_BUFFER_REFERENCE)
#define SVI_BUFFER_EXPORTS INT64_C(0x1fffffff00000000) /* mask */

#define SVI_BUFFER_OPEN INT64_C(0)
#define SVI_BUFFER_MOVING (INT64_C(1) << 61) /* one thread has the memory to itself */
#define SVI_BUFFER_DETACHED (INT64_C(2) << 61)
#define SVI_BUFFER_CLOSED (INT64_C(3) << 61)

typedef atomic_int_least64_t svi_buffer_word;

struct svi_word {
    int64_t bits;
};

static inline struct svi_word svi_word_get(const svi_buffer_word *word)
{
    return (struct svi_word){atomic_load_explicit(word, memory_order_acquire)};
}

static inline int64_t svi_word_state(struct svi_word word)
{
    return word.bits & SVI_BUFFER_CLOSED;
}

static inline int64_t svi_word_exports(struct svi_word word)
{
    return (word.bits & SVI_BUFFER_EXPORTS) >> 32;
}

/* Exports among them. */
static inline int64_t svi_word_references(struct svi_word word)
{
    return word.bits & SVI_BUFFER_REFERENCES;
}

/* Whether what is all that there is: an open buffer with one reference, or one export. */
static inline bool svi_word_is(struct svi_word word, int64_t what)
{
    return word.bits == what;
}

/* Of a buffer that no other thread knows. */
static inline void svi_word_set(svi_buffer_word *word, int64_t state, int64_t what)
{
    atomic_store_explicit(word, state + what, memory_order_relaxed);
}

/* Whether there is room for one export more. */
static inline bool svi_word_can_export(int64_t bits)
{
    return bits < SVI_BUFFER_MOVING && (bits & SVI_BUFFER_EXPORTS) != SVI_BUFFER_EXPORTS;
}

/* One export more, and a reference with it. False, with what was found, unless the buffer is open. */
static inline bool svi_word_export(svi_buffer_word *word, struct svi_word *found)
{
    int64_t bits = atomic_load_explicit(word, memory_order_relaxed);

    do {
        found->bits = bits;
        if (!svi_word_can_export(bits))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(word, &bits, bits + SVI_BUFFER_EXPORT, memory_order_acquire,
                                                    memory_order_relaxed));
    return true;
}

/* One export more of a buffer that is found without a reference. False unless it is open and still has one. */
static inline bool svi_word_export_alive(svi_buffer_word *word)
{
    int64_t bits = atomic_load_explicit(word, memory_order_relaxed);

    do
        if (!svi_word_can_export(bits) || (bits & SVI_BUFFER_REFERENCES) == 0)
            return false;
    while (!atomic_compare_exchange_weak_explicit(word, &bits, bits + SVI_BUFFER_EXPORT, memory_order_acquire,
                                                  memory_order_relaxed));
    return true;
}

/* One export, or one reference, less. True: it was the last reference. */
static inline bool svi_word_drop(svi_buffer_word *word, int64_t what)
{
    return (atomic_fetch_sub_explicit(word, what, memory_order_acq_rel) & SVI_BUFFER_REFERENCES) == 1;
}

/* From open, and without an export, to another state. alone: only with one reference. */
static inline bool svi_word_leave(svi_buffer_word *word, int64_t state, bool alone, struct svi_word *found)
{
    int64_t bits = atomic_load_explicit(word, memory_order_relaxed);

    do {
        found->bits = bits;
        if ((bits & ~SVI_BUFFER_REFERENCES) != 0 || (alone && bits != SVI_BUFFER_REFERENCE))
            return false;
    } while (
        !atomic_compare_exchange_weak_explicit(word, &bits, bits | state, memory_order_acq_rel, memory_order_relaxed));
    return true;
}

/* From a state that this thread brought about to another. */
static inline void svi_word_change(svi_buffer_word *word, int64_t from, int64_t to)
{
    atomic_fetch_add_explicit(word, to - from, memory_order_release);
}

#endif
