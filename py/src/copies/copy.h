/* One copy and its options. */
#ifndef SVPY_COPY_H
#define SVPY_COPY_H

#include "copies/order.h"

/* How one copy may be done, as bits of a signature. Functions below take options[SVPY_OPTIONS], each maybe NULL. */
#define SVPY_ORDERING (SVPY_BIT(STREAM) | SVPY_BIT(BLOCKING))
#define SVPY_CONVERTING (SVPY_BIT(CASTING) | SVPY_BIT(BYTESWAP))
#define SVPY_WORKING \
    (SVPY_BIT(EXECUTOR) | SVPY_BIT(THREADS) | SVPY_BIT(ALLOCATOR) | SVPY_BIT(PROGRESS))
#define SVPY_COPYING (SVPY_ORDERING | SVPY_CONVERTING | SVPY_WORKING)

/* The stream and blocking= as they are named, and SV_COPY bits. */
int svpy_copy_how(PyObject *const *options, svpy_ordering *out);

/* Before and after what a plan does: both wait for the stream where the flags of this execution say so, as plans
 * themselves do not. The first refuses a stream that is captured before anything is recorded. */
int svpy_plan_begin(const sv_view *target, const sv_view *source, const svpy_ordering *order);
int svpy_plan_finish(const sv_view *target, const sv_view *source, const svpy_ordering *order);

/* 0, or -1 with an exception: the executor's own, if it raised one. */
int svpy_copy_tell(sv_status status);

/* sv_copy(), or a plan unless it is NULL, without holding the interpreter for long. 0 or -1. */
int svpy_copy_views(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                    PyObject *const *options);

/* svpy_copy_views() with no option but casting, which may be NULL. */
int svpy_copy_converted(svpy_view *target, const svpy_view *source, PyObject *casting);

/* sv_plan_measure(), without holding the interpreter. 0 or -1. */
int svpy_measure(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                 int64_t limit_ns, sv_plan **out);

/* SV_COPY bits of options. */
int svpy_copy_flags(PyObject *const *options, uint32_t *flags);

#endif
