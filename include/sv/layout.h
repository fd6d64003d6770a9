/*
 * libsv: layouts, which are shape, strides, item size and offset.
 *
 * Copyright (c) the libsv authors. SPDX-License-Identifier: MIT
 *
 * A layout tells where the elements of an array are, relative to an address that it does not know. Operations make
 * new layouts and never move an element:
 *
 *     sv_layout_new(2, (int64_t[]){480, 640}, NULL, 4, &image);         480 x 640 elements of 4 bytes, C order
 *     sv_layout_permute(image, 2, NULL, &transposed);                   640 x 480
 *     sv_layout_index(image, 0, -1, &last_row);                         640
 *
 * This header makes layouts, asks them, compares two of them, and rearranges them; a builder does several operations
 * in one allocation. The rules are NumPy's wherever NumPy has the operation. A view, in sv/view.h, is a layout with
 * memory, and has functions of its own for what most programs need.
 */
#ifndef SV_LAYOUT_H
#define SV_LAYOUT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* >>> declarations */

/* --- layout ------------------------------------------------------------- */

/** Shape, strides, item size and offset. A layout knows no address and no type.
 *
 * The element with index i[0], ..., i[ndim-1] begins at byte byte_offset + sum(i[k] * byte_strides[k]) from a base
 * address. Strides are signed and may be 0. The number of elements, their bytes, and the first and last byte reached
 * all fit int64 in every layout that exists; what would not answers SV_ERROR_OVERFLOW. A layout with an extent of 0
 * is empty: it has no elements, whatever its other extents. */
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

/** Make a layout from strides in elements; NULL means C order without gaps. Strides are kept as they are, also where
 * nothing moves, except that there 0 stands for one that does not fit int64 in bytes. */
SV_API sv_status sv_layout_new(int32_t ndim, const int64_t *shape, SV_OPT const int64_t *strides, int64_t itemsize,
                               SV_OUT sv_layout **out);

/** Make a layout from strides in bytes; else as sv_layout_new(). */
SV_API sv_status sv_layout_new_bytes(int32_t ndim, const int64_t *shape, SV_OPT const int64_t *byte_strides,
                                     int64_t itemsize, SV_OUT sv_layout **out);

/** Make a layout without gaps. When it is empty, all its strides are 0.
 *
 * @param order  SV_ORDER_C, SV_ORDER_F or SV_ORDER_AXES
 * @param axes   for SV_ORDER_AXES the ndim axes, the slowest first (NULL: SV_ERROR_NULL); otherwise not read */
SV_API sv_status sv_layout_new_dense(int32_t ndim, const int64_t *shape, sv_order order, SV_OPT const int32_t *axes,
                                     int64_t itemsize, SV_OUT sv_layout **out);

/** Make a layout from one line of text, as sv_layout_text() writes it:
 *
 *     layout  = numbers [":" numbers ["b"]] "*" itemsize [("+" | "-") offset]
 *     numbers = "(" [number {"," number} [","]] ")"
 *
 * The first numbers are the shape, the second the strides: in items, or in bytes where a "b" follows; without any in
 * C order, dense. itemsize and offset are in bytes. Thus "(3, 450):(1, -3)*4+5388" reads as what it means: index
 * times strides, times 4, plus 5388. Spaces may stand between all parts.
 *
 * SV_ERROR_INVALID  no such text, or another number of strides than of extents; the message tells the character, from
 *                   1 */
SV_API sv_status sv_layout_parse(const char *text, SV_OUT sv_layout **out);

SV_API sv_layout *sv_layout_retain(SV_OPT const sv_layout *layout); /**< Add a reference. */
SV_API void sv_layout_release(SV_OPT SV_TAKE sv_layout *layout);    /**< Drop a reference. */

SV_API int32_t sv_layout_ndim(const sv_layout *layout);                /**< Number of axes. */
SV_API const int64_t *sv_layout_shape(const sv_layout *layout);        /**< The ndim extents. */
SV_API const int64_t *sv_layout_byte_strides(const sv_layout *layout); /**< The ndim strides in bytes. */

/** The ndim strides in elements; SV_ERROR_LAYOUT if a stride in bytes is no multiple of the item size. Where nothing
 * moves, in empty layouts and along extents of 1, a stride that does not divide is rounded towards 0. */
SV_API sv_status sv_layout_strides(const sv_layout *layout, SV_OUT const int64_t **strides);

SV_API int64_t sv_layout_itemsize(const sv_layout *layout);    /**< Bytes of one element. */
SV_API int64_t sv_layout_size(const sv_layout *layout);        /**< Number of elements; 1 without axes. */
SV_API int64_t sv_layout_nbytes(const sv_layout *layout);      /**< Bytes of all elements: size * itemsize. */
SV_API int64_t sv_layout_byte_offset(const sv_layout *layout); /**< Bytes from the base to the element [0,...,0]. */

/** Whether the elements follow one another without gaps in an order; for another order than these three, no. These are
 * NumPy's flags: extents of 1 do not matter, an empty layout is contiguous, the offset is not looked at.
 *
 * @param order  SV_ORDER_C, SV_ORDER_F, or SV_ORDER_K for any order of the axes with positive strides */
SV_API int32_t sv_layout_is_contiguous(const sv_layout *layout, sv_order order);

/** Whether the elements fill bytes from the base on: contiguous in any order of the axes, and no offset; or empty. */
SV_API int32_t sv_layout_is_dense(const sv_layout *layout);

/** Whether every byte of every element lies in [lower, upper), relative to the base; or the layout is empty. */
SV_API int32_t sv_layout_is_within(const sv_layout *layout, int64_t lower, int64_t upper);

/** The bytes that elements occupy, relative to the base: [lower, upper). Both are 0 for an empty layout. lower is
 * negative when strides reach below the base. */
SV_API sv_status sv_layout_byte_bounds(const sv_layout *layout, SV_OUT int64_t *lower, SV_OUT int64_t *upper);

/** Bytes that memory from the base on must have to hold every element; SV_ERROR_LAYOUT if one lies below the base. */
SV_API sv_status sv_layout_required_size(const sv_layout *layout, SV_OUT int64_t *nbytes);

/** The ndim axes by the size of their stride, the slowest first. Of equal strides the larger extent comes first, then
 * the lower axis. */
SV_API sv_status sv_layout_stride_order(const sv_layout *layout, SV_OUT int32_t *axes);

/** Which axes continue the axis before them: bit i of the result is set when axis i can be merged into axis i - 1.
 * Extents of 1 continue any axis, and in an empty layout every axis does as long as extents fit int64. Any of the
 * bits may be cleared: the "and" of the masks of two layouts of one shape is what can be merged in both. */
SV_API uint64_t sv_layout_flatten_mask(const sv_layout *layout);

/** The alignment that all elements have in common: the largest power of two that divides the address of each.
 *
 * @param address    base address; 0 asks for the alignment relative to it
 * @param alignment  receives 1 to 2^62, which stands for any: there are no elements, or none but at address 0 */
SV_API sv_status sv_layout_alignment(const sv_layout *layout, uintptr_t address, SV_OUT int64_t *alignment);

/** The largest item size, a divisor of limit, that sv_layout_repack() would take with the same address and axis. It is
 * that of layout where there is none larger, and when the layout is empty.
 *
 * @param limit    bytes, at least the item size (else SV_ERROR_INVALID); 16 for vectors of 1, 2, 4, 8 or 16 bytes
 * @param address  base address; 0 is a multiple of every size
 * @param axis     axis whose items are neighbours */
SV_API sv_status sv_layout_max_itemsize(const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis,
                                        SV_OUT int64_t *itemsize);

/** Whether two layouts have the same shape, item size and, unless they are empty, offset and strides. Strides of
 * extents of 1 count too. sv_layout_same_bytes() tells whether two layouts reach the same bytes. */
SV_API int32_t sv_layout_equal(const sv_layout *layout, const sv_layout *other);

/** Hash value, the same for equal layouts. Do not store it: another version of libsv may compute another one. */
SV_API uint64_t sv_layout_hash(const sv_layout *layout);

/** Write a layout as one line, "(3, 450):(1, -3)*4+5388", which sv_layout_parse() reads back to an equal one. Strides
 * are in items where all of them are multiples of the item size, else in bytes, with a "b" behind; an offset of 0 is
 * left out. A capacity of 3072 is always enough. */
SV_API sv_status sv_layout_text(const sv_layout *layout, size_t capacity, SV_OUT SV_OPT char *text,
                                SV_OUT SV_OPT size_t *length);

/** Whether no two different indices share a byte; an empty layout is unique. The question is NP-hard, so it has a work
 * limit; the answer is never a wrong SV_YES or SV_NO. Within the default limit are all layouts whose axes nest, and
 * all that have up to four axes when neighbours that are one run are merged, whatever their strides and extents.
 *
 * @param work  steps after which to answer SV_MAYBE, 0 or more; 0 for 100000, which take a tenth of a second, though
 *              hardly any layout needs them */
SV_API sv_status sv_layout_is_unique(const sv_layout *layout, int64_t work, SV_OUT sv_answer *answer);

/** Whether elements of two layouts, of any shapes and item sizes, share a byte, each read from a base address. Decided
 * within the default limit are pairs that reach apart, slices of one array, and pairs that together have up to four
 * axes when neighbours are merged; of others, nearly all. Addresses wrap at the end of the address space.
 *
 * @param work  as for sv_layout_is_unique() */
SV_API sv_status sv_layout_overlap(const sv_layout *layout, const sv_layout *other, uintptr_t address,
                                   uintptr_t other_address, int64_t work, SV_OUT sv_answer *answer);

/** Whether two layouts of any shapes and item sizes, walked in C order, visit the same bytes; two empty ones do. */
SV_API int32_t sv_layout_same_bytes(const sv_layout *layout, const sv_layout *other);

/** Bring two layouts to the fewest axes that pair the same elements: the form in which sv_copy() reads them together.
 *
 * src is broadcast to the shape of dst. Axes of extent 1 are dropped; axes are reversed so that strides of dst are
 * positive (those of src where dst has 0); sorted by the strides of dst, then by those of src, the largest first;
 * and merged where both allow it. Which element of dst meets which of src stays the same, and so do the item
 * sizes, which may differ. Empty layouts get the shape (0).
 *
 * SV_ERROR_LAYOUT  src does not broadcast to the shape of dst */
SV_API sv_status sv_layout_common(const sv_layout *dst, const sv_layout *src, SV_OUT sv_layout **dst_out,
                                  SV_OUT sv_layout **src_out);

/** The widest word, in bytes, by which two layouts can be walked together from their base addresses. It divides limit,
 * what lies together in both, and every address that the walk comes to. Words need not be whole elements: three bytes
 * of a pixel make rows of words of four.
 *
 * @param src       of the same item size, broadcast to the shape of dst (else SV_ERROR_LAYOUT)
 * @param limit     bytes, 1 or more; 16 asks for 1, 2, 4, 8 or 16
 * @param itemsize  receives the width; limit when dst is empty */
SV_API sv_status sv_layout_common_itemsize(const sv_layout *dst, const sv_layout *src, uintptr_t dst_address,
                                           uintptr_t src_address, int64_t limit, SV_OUT int64_t *itemsize);

/** The shape that two layouts are broadcast to together; SV_ERROR_LAYOUT if two extents differ and neither is 1. Their
 * axes meet at the last, and an extent of 1 or none gives way to the other's.
 *
 * @param shape  receives ndim extents; has room for 64 */
SV_API sv_status sv_layout_broadcast_shape(const sv_layout *layout, const sv_layout *other, SV_OUT int32_t *ndim,
                                           SV_OUT int64_t *shape);

/** The ndim axes by which sv_layout_permute() makes other of layout; SV_ERROR_LAYOUT if there is no such order. Of
 * axes that are alike the lower comes first. */
SV_API sv_status sv_layout_permutation(const sv_layout *layout, const sv_layout *other, SV_OUT int32_t *axes);

/** Reorder the axes: axis i of the result is axis axes[i] of layout.
 *
 * @param ndim  number of axes given, that of layout (else SV_ERROR_INVALID); not read when axes is NULL
 * @param axes  each axis once; NULL reverses them */
SV_API sv_status sv_layout_permute(const sv_layout *layout, int32_t ndim, SV_OPT const int32_t *axes,
                                   SV_OUT sv_layout **out);

/** Take every step-th index of the first count axes, from start up to, not including, stop; the others stay whole.
 *
 * The numbers are those of a Python slice: negative ones count from the end, and what lies outside is cut to the
 * axis. INT64_MAX and INT64_MIN thus mean to the end: start 0, stop INT64_MAX, step 1 keeps an axis; start INT64_MAX,
 * stop INT64_MIN, step -1 reverses it. The offset moves to the first index taken. A layout made empty gets strides of
 * 0.
 *
 * @param step  count steps, not 0 (SV_ERROR_INVALID); NULL means 1 everywhere
 *
 * SV_ERROR_INDEX  more items than axes */
SV_API sv_status sv_layout_slice(const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop,
                                 SV_OPT const int64_t *step, SV_OUT sv_layout **out);

/** Take one index of an axis, -extent to extent - 1, and drop the axis. */
SV_API sv_status sv_layout_index(const sv_layout *layout, int32_t axis, int64_t index, SV_OUT sv_layout **out);

/** Give the same elements, in C order of their indices, another shape. No element is moved: the strides must allow it.
 *
 * @param shape  extents; one may be -1 and is then computed
 *
 * SV_ERROR_INVALID  an extent below -1, two of -1, or another number of elements
 * SV_ERROR_LAYOUT   only a copy could have this shape */
SV_API sv_status sv_layout_reshape(const sv_layout *layout, int32_t ndim, const int64_t *shape,
                                   SV_OUT sv_layout **out);

/** Broadcast to a shape: repeat along new leading axes, and along axes of extent 1, by strides of 0.
 *
 * SV_ERROR_LAYOUT  fewer axes than layout, or an extent of layout that is neither 1 nor the one in shape */
SV_API sv_status sv_layout_broadcast(const sv_layout *layout, int32_t ndim, const int64_t *shape,
                                     SV_OUT sv_layout **out);

/** Drop count axes of extent 1 (else SV_ERROR_LAYOUT); NULL drops all of them, and count is not read. */
SV_API sv_status sv_layout_squeeze(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                   SV_OUT sv_layout **out);

/** Insert count axes of extent 1, at the places that axes gives, in any order, counted in the result. Each gets the
 * stride that keeps C order: what the axis behind it spans, or after the last axis that one's stride. */
SV_API sv_status sv_layout_unsqueeze(const sv_layout *layout, int32_t count, const int32_t *axes,
                                     SV_OUT sv_layout **out);

/** The layout that a packed copy of the elements would have: the same shape, no gaps, no offset.
 *
 * @param order     order of the axes in memory. SV_ORDER_K sorts them by the size of their stride, as NumPy's copy
 *                  does; negative strides become positive, and repeated axes are laid out innermost
 * @param ndim      for SV_ORDER_AXES the number of axes given, all (else SV_ERROR_INVALID); otherwise not read
 * @param axes      for SV_ORDER_AXES each axis once, the slowest first (NULL: SV_ERROR_NULL); otherwise not read
 * @param itemsize  bytes of one element of the copy, for one of another type; 0 for those of layout */
SV_API sv_status sv_layout_to_dense(const sv_layout *layout, sv_order order, int32_t ndim, SV_OPT const int32_t *axes,
                                    int64_t itemsize, SV_OUT sv_layout **out);

/** Merge neighbouring axes that step as one, as far as the strides allow. Elements keep their order. Extents of 1 go
 * into a neighbour; a layout without axes becomes one axis of extent 1.
 *
 * @param start_axis  first axis that may be merged with those behind it: 0
 * @param end_axis    last axis that may be merged: -1 for all. Nothing is merged when it comes before start_axis */
SV_API sv_status sv_layout_flatten(const sv_layout *layout, int32_t start_axis, int32_t end_axis,
                                   SV_OUT sv_layout **out);

/** Merge each axis whose bit is set into the axis before it, where the strides allow it.
 *
 * @param mask  as sv_layout_flatten_mask() gives it, for one layout or for several by "and". Bit 0 and bits beyond
 *              the axes mean nothing */
SV_API sv_status sv_layout_flatten_masked(const sv_layout *layout, uint64_t mask, SV_OUT sv_layout **out);

/** Merge the axes from start_axis to end_axis into one.
 *
 * SV_ERROR_INVALID  the last axis comes before the first
 * SV_ERROR_LAYOUT   the axes do not step as one */
SV_API sv_status sv_layout_merge_axes(const sv_layout *layout, int32_t start_axis, int32_t end_axis,
                                      SV_OUT sv_layout **out);

/** Split one axis into several, in C order.
 *
 * @param count    axes in its place; 0 drops an axis of extent 1
 * @param extents  count extents; one may be -1 and is then computed
 *
 * SV_ERROR_INVALID  an extent below -1, two of -1, or another number of elements */
SV_API sv_status sv_layout_split_axis(const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents,
                                      SV_OUT sv_layout **out);

/** Move count axes to other places, counted in the result; the rest keep their order. This is NumPy's moveaxis. */
SV_API sv_status sv_layout_move_axes(const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places,
                                     SV_OUT sv_layout **out);

/** Exchange two axes, which may be the same. */
SV_API sv_status sv_layout_swap_axes(const sv_layout *layout, int32_t axis, int32_t other, SV_OUT sv_layout **out);

/** Reverse count axes, so that index 0 becomes the last one; NULL reverses all, and count is not read. */
SV_API sv_status sv_layout_flip(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                SV_OUT sv_layout **out);

/** Take the elements whose indices along two axes differ by offset, as the last axis of the result. The two axes go.
 * The result is empty when offset leads outside.
 *
 * @param offset  index along other (the columns) minus index along axis (the rows) */
SV_API sv_status sv_layout_diagonal(const sv_layout *layout, int64_t offset, int32_t axis, int32_t other,
                                    SV_OUT sv_layout **out);

/** Look at every place of a sliding window. Each axis given counts the places of the window along it, extent - window
 * + 1; the axes of the window come last.
 *
 * @param count   axes of the window; ndim when axes is NULL (else SV_ERROR_INVALID)
 * @param axes    count axes that the window slides along; one may come twice; NULL means each axis in turn
 * @param window  count extents of the window, 0 or more; SV_ERROR_LAYOUT if it is larger than the axis */
SV_API sv_status sv_layout_window(const sv_layout *layout, int32_t count, SV_OPT const int32_t *axes,
                                  const int64_t *window, SV_OUT sv_layout **out);

/** Read the same bytes as items of another size: along an axis, several items become one, or one becomes several.
 *
 * A larger item size must divide the offset in bytes and the strides of the other axes, so that every item is aligned
 * if the base is. Where nothing moves, strides are not looked at. The same item size changes nothing, and then
 * nothing else is looked at.
 *
 * @param itemsize  new bytes of one element; one of old and new divides the other (else SV_ERROR_INVALID)
 * @param address   for larger items the base address, which must be a multiple of itemsize (else SV_ERROR_ALIGNMENT);
 *                  0 is one
 * @param axis      axis whose items are neighbours
 * @param keep_dim  0 drops the axis when larger items leave an extent of 1
 *
 * SV_ERROR_LAYOUT  the items of the axis are no neighbours; or its extent, the offset or another stride does not
 *                  divide */
SV_API sv_status sv_layout_repack(const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis,
                                  int32_t keep_dim, SV_OUT sv_layout **out);

/* --- layout builder ----------------------------------------------------- */

/** A layout in the making: operations one after another, in place, and one allocation at the end.
 *
 * Each operation has the parameters and the statuses of the sv_layout function of its name. One that fails leaves the
 * builder as it was. What comes out is what a chain of the sv_layout functions would have given. SV_ERROR_STATE is
 * the answer before sv_layout_builder_start().
 *
 * A builder has one owner, is not counted, and is used by one thread at a time. */
typedef struct sv_layout_builder sv_layout_builder;

/** Make a builder, which has no layout yet. */
SV_API sv_status sv_layout_builder_new(SV_OUT sv_layout_builder **out);
/** End a builder. What was made with it stays. */
SV_API void sv_layout_builder_release(SV_OPT SV_TAKE sv_layout_builder *builder);
/** Start from a layout, at any time again. It is copied, not retained. */
SV_API sv_status sv_layout_builder_start(sv_layout_builder *builder, const sv_layout *layout);

/** The sv_layout operation of the same name, in place. */
SV_API sv_status sv_layout_builder_permute(sv_layout_builder *builder, int32_t ndim, SV_OPT const int32_t *axes);
SV_API sv_status sv_layout_builder_slice(sv_layout_builder *builder, int32_t count, const int64_t *start,
                                         const int64_t *stop, SV_OPT const int64_t *step);
SV_API sv_status sv_layout_builder_index(sv_layout_builder *builder, int32_t axis, int64_t index);
SV_API sv_status sv_layout_builder_reshape(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
SV_API sv_status sv_layout_builder_broadcast(sv_layout_builder *builder, int32_t ndim, const int64_t *shape);
SV_API sv_status sv_layout_builder_squeeze(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes);
SV_API sv_status sv_layout_builder_unsqueeze(sv_layout_builder *builder, int32_t count, const int32_t *axes);
SV_API sv_status sv_layout_builder_to_dense(sv_layout_builder *builder, sv_order order, int32_t ndim,
                                            SV_OPT const int32_t *axes, int64_t itemsize);
SV_API sv_status sv_layout_builder_flatten(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
SV_API sv_status sv_layout_builder_flatten_masked(sv_layout_builder *builder, uint64_t mask);
SV_API sv_status sv_layout_builder_merge_axes(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis);
SV_API sv_status sv_layout_builder_split_axis(sv_layout_builder *builder, int32_t axis, int32_t count,
                                              const int64_t *extents);
SV_API sv_status sv_layout_builder_move_axes(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                             const int32_t *places);
SV_API sv_status sv_layout_builder_swap_axes(sv_layout_builder *builder, int32_t axis, int32_t other);
SV_API sv_status sv_layout_builder_flip(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes);
SV_API sv_status sv_layout_builder_diagonal(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other);
SV_API sv_status sv_layout_builder_window(sv_layout_builder *builder, int32_t count, SV_OPT const int32_t *axes,
                                          const int64_t *window);
SV_API sv_status sv_layout_builder_repack(sv_layout_builder *builder, int64_t itemsize, uintptr_t address,
                                          int32_t axis, int32_t keep_dim);

/** Make a layout of what the builder holds, which stays as it is. */
SV_API sv_status sv_layout_builder_finish(const sv_layout_builder *builder, SV_OUT sv_layout **out);

/* <<< declarations */

#ifdef __cplusplus
}
#endif

#endif /* SV_LAYOUT_H */
