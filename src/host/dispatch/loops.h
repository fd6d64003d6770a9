/* The rows of all loops that only the lists of dispatch.c name. Each is defined beside its code. Rows that other loops
 * name too are declared in the header of their file. */
#ifndef SVI_HOST_DISPATCH_LOOPS_H
#define SVI_HOST_DISPATCH_LOOPS_H

#include "host/transpose/blocks_nt.h"
#include "host/transpose/cached.h"
#include "host/loop/loop.h"

/* rows/ */
extern const struct svi_loop svi_loop_contiguous_nt, svi_loop_contiguous;
extern const struct svi_loop svi_loop_rows_lines_nt, svi_loop_rows_parts_nt, svi_loop_rows_padded_nt;
extern const struct svi_loop svi_loop_rows_prefetched, svi_loop_rows_vectors, svi_loop_rows_plain;
extern const struct svi_loop svi_loop_rows_turned;
extern const struct svi_loop svi_loop_scatter_padded_nt, svi_loop_scatter_masked;

/* strided/ */
extern const struct svi_loop svi_loop_fill_nt, svi_loop_fill_words, svi_loop_fill_elements;
extern const struct svi_loop svi_loop_reversed_long, svi_loop_reversed_short;
extern const struct svi_loop svi_loop_strided_loads, svi_loop_strided_vectors, svi_loop_odd_steps;
extern const struct svi_loop svi_loop_via_buffer;
extern const struct svi_loop svi_loop_offset_list, svi_loop_plane_list, svi_loop_elements;

/* permute/ */
extern const struct svi_loop svi_loop_permute_period, svi_loop_permute_records;

/* interleave/ */
extern const struct svi_loop svi_loop_few_units, svi_loop_few_channels;

/* transpose/ */
extern const struct svi_loop svi_loop_register_tiles, svi_loop_packed_tiles, svi_loop_element_tiles;
extern const struct svi_loop svi_loop_planes_nt;
extern const struct svi_loop svi_loop_source_order, svi_loop_source_order_unaligned, svi_loop_source_order_odd;
extern const struct svi_loop svi_loop_unaligned_nt, svi_loop_unaligned_odd;

#endif
