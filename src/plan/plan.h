/*
 * A copy, described completely without an address: plain data that backends and
 * loops take by pointer. Kernels of devices never see it: gpu/launch_shape.c makes
 * their parameters (gpu/launch.h) of it.
 */
#ifndef SVI_PLAN_H
#define SVI_PLAN_H

#include <stdint.h>

#include "dtype/chain.h"
#include "plan/class.h"

enum { SVI_PLAN_NDIM = 64, SVI_PLAN_ITEM = 16 };

/*
 * Only plan.c and part.c write a plan's fields; all others make plans by their functions. tests/abi/sealed.py compiles
 * all other sources of the library with const fields.
 */
#ifndef SVI_SEALED
#define SVI_SEALED
#endif

/*
 * Axis 0 is the slowest of the destination, axis ndim - 1 the fastest; extents
 * are 2 or more, and ndim is 0 for a single item. No two axes are one run in
 * both. svi_plan_fault() has all that holds.
 *
 * item is the bytes moved as one, 1 to SVI_PLAN_ITEM. It is the element; or,
 * where elements run together in both for SVI_PLAN_ITEM bytes at most, that
 * whole run (three bytes of a pixel, four float32), whose axis is then gone.
 * A larger element is a run of items of the largest power of two that divides
 * it. Addresses and strides need not be multiples of item.
 *
 * In CAST both items are one lane of an element. A CAST may scale: then its chain
 * tells no more than the sizes of both items, and scaled by what numbers are
 * multiplied. The axis along which that changes is no part of another one, though
 * it may be one run with a neighbour.
 *
 * src_axis is the fastest axis of the source, or -1 where it has none: it differs
 * from ndim - 1 in TRANSPOSE, and maybe in ROWS, REPEAT, REVERSED and CAST.
 */
struct svi_affine;

/* By what a plan multiplies and adds: index k of the axis has scale and bias number first + k * step. */
struct svi_scaled {
    const struct svi_affine *affine; /* borrowed: affine.h; NULL: the plan does not scale, the rest is not used */
    int64_t first, step;
    int32_t axis; /* of the plan; -1: all items have number first */
};

struct svi_plan {
    SVI_SEALED int32_t kind; /* enum svi_class */
    SVI_SEALED int32_t ndim;
    SVI_SEALED int32_t src_axis;       /* the fastest axis of the source */
    SVI_SEALED struct svi_chain chain; /* of CAST, else without a step */
    SVI_SEALED struct svi_scaled scaled;
    SVI_SEALED int64_t item;           /* bytes, of the destination */
    SVI_SEALED int64_t src_item;       /* the same but for CAST */
    SVI_SEALED int64_t nbytes;         /* payload: what is written, each byte once */
    SVI_SEALED uint64_t reach; /* bytes of memory that both sides need, about; of the whole copy if this is a part */
    SVI_SEALED int64_t dst_offset; /* bytes from the address of element [0,...,0] to the first item of the walk */
    SVI_SEALED int64_t src_offset;
    SVI_SEALED int64_t shape[SVI_PLAN_NDIM];
    SVI_SEALED int64_t dst[SVI_PLAN_NDIM]; /* byte strides, >= 0 */
    SVI_SEALED int64_t src[SVI_PLAN_NDIM]; /* byte strides, any sign */
};

#ifndef __CUDACC__
#include <stdbool.h>

#include "overlap/canonical.h"

static inline bool svi_scales(const struct svi_plan *plan)
{
    return plan->scaled.affine != NULL;
}

/*
 * Pure, without allocation. shape has ndim extents; strides are in bytes; src
 * is already broadcast (strides of 0).
 */
void svi_plan_make(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int64_t itemsize,
                   struct svi_plan *out);

/* The same with elements of so many lanes, each of which goes through a chain of one step or more. */
void svi_plan_make_cast(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                        const struct svi_chain *chain, int32_t lanes, struct svi_plan *out);

/* The first rule of the canonical form that a plan breaks, as a sentence; NULL: it keeps all of them. */
const char *svi_plan_fault(const struct svi_plan *plan);

/* The same for parts (part.h), which need not keep all of them. */
const char *svi_part_fault(const struct svi_plan *part);

/* What makes a plan or a part calls it: builds with --enable-checks end where it is wrong, and a debugger shows why. */
static inline void svi_plan_assure(const struct svi_plan *plan, const char *(*fault_of)(const struct svi_plan *))
{
#ifdef SVI_CHECKS
    const char *fault = fault_of(plan);

    if (fault != NULL)
        __builtin_trap();
#else
    (void)plan;
    (void)fault_of;
#endif
}
#endif

#endif
