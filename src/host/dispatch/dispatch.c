/* The tables of loops: dispatch.h. */
#include "dispatch.h"

/* --- loops of a line --------------------------------------------------------- */

static bool nothing(const struct svi_host_copy *c)
{
    (void)c;
    return true;
}

static bool lacks_tiles(const struct svi_host_copy *c)
{
    return c->two_pass != NULL && svi_lacks_tiles(c->machine, c->plan);
}

static bool may_take_two(const struct svi_host_copy *c)
{
    return c->two_pass != NULL;
}

static bool two_pass(const struct svi_host_copy *c)
{
    return c->two_pass(c);
}

static bool is_few_channels(const struct svi_host_copy *c)
{
    return !svi_is_apart_by_tiles(c) && svi_is_few_channels(c);
}

static bool is_buffered(const struct svi_host_copy *c)
{
    return c->beyond_cache && c->machine->isa->stream_copy != NULL && c->machine->tuning->buffers_pieces;
}

/* --- the loops ---------------------------------------------------------------- */

typedef const struct svi_loop loop;

static loop no_elements = {"nothing", NULL, nothing, false, SVI_STORES_ORDINARY, "there is no element"};

static loop contiguous_nt = {"contiguous_nt", svi_is_contiguous_nt, svi_contiguous_nt, false, SVI_STORES_NT,
                             "one run beyond the cache, by non-temporal stores"};
static loop contiguous = {"contiguous", NULL, svi_contiguous, false, SVI_STORES_ORDINARY, "one run in cache"};

/* Rows beyond the cache: the loop depends on where rows begin and end in their cache lines. */
static loop rows_lines_nt = {"rows_lines_nt", svi_is_rows_lines_nt, svi_rows_lines_nt, false, SVI_STORES_NT,
                             "rows beyond the cache that make whole cache lines, each or, of 16-byte units, together"};
static loop rows_parts_nt = {"rows_parts_nt", svi_is_rows_parts_nt, svi_rows_parts_nt, false, SVI_STORES_NT,
                             "rows beyond the cache that begin anywhere: a line that two rows share is stored once"};
static loop rows_padded_nt = {"rows_padded_nt", NULL, svi_rows_padded_nt, true, SVI_STORES_NT,
                              "short rows beyond the cache, with gaps of up to a cache line in the destination"};

/* Rows in cache. */
static loop rows_prefetched = {"rows_prefetched", svi_is_rows_prefetched, svi_rows_prefetched, false,
                               SVI_STORES_ORDINARY, "rows beyond L1 whose destination is worth a prefetch"};
static loop rows_vectors = {"rows_vectors", svi_is_rows_vectors, svi_rows_vectors, false, SVI_STORES_ORDINARY,
                            "rows, by vectors"};
static loop rows_plain = {"rows_plain", NULL, svi_rows_plain, false, SVI_STORES_ORDINARY,
                          "rows, without an instruction set's vectors"};

static loop fill_nt = {"fill_nt", svi_is_fill_nt, svi_fill_nt, false, SVI_STORES_NT,
                       "long runs of one element beyond the cache"};
static loop fill_words = {"fill_words", svi_is_fill_words, svi_fill_words, false, SVI_STORES_ORDINARY,
                          "runs of one element whose size divides 16 bytes"};
static loop fill_elements = {"fill_elements", svi_is_fill_elements, svi_fill_elements, false, SVI_STORES_ORDINARY,
                             "runs of one element of any size, doubled"};

static loop reversed_long = {"reversed_long", svi_is_reversed_long, svi_reversed_long, false, SVI_STORES_BY_SIZE,
                             "long runs backwards, by whole cache lines"};
static loop reversed_short = {"reversed_short", svi_is_reversed_short, svi_reversed_short, false, SVI_STORES_ORDINARY,
                              "short runs backwards, by vectors"};

/* Permutations: a table of where bytes come from, made once for a period. */
static loop permute_period = {"permute_period", svi_is_permute_period, svi_permute_period, true, SVI_STORES_ORDINARY,
                              "elements a small step apart, by a periodic permutation (AVX-512 VBMI)"};
static loop permute_records = {"permute_records", svi_is_permute_records, svi_permute_records, true, SVI_STORES_BY_SIZE,
                               "small records, each vector of which comes from a few places of the source"};

/* Few units: of 2 to 4 in a pixel, or a short axis of up to 64. */
static loop few_units = {"few_units", svi_is_few_units, svi_few_units, false, SVI_STORES_BY_SIZE,
                         "pixels of 2 to 4 units, deinterleaved, interleaved or swizzled in registers"};
static loop few_units_of_channels = {"few_units", svi_is_few_units_of_channels, svi_few_units, false,
                                     SVI_STORES_BY_SIZE, "2 or 3 channels, by byte shuffles"};
static loop few_channels = {"few_channels", is_few_channels, svi_few_channels, false, SVI_STORES_BY_SIZE,
                            "one short axis, whose channels are deinterleaved or interleaved"};
static loop strided_vectors = {"strided_vectors", svi_is_strided_vectors, svi_strided_vectors, false,
                               SVI_STORES_ORDINARY, "every second to fourth element in cache, without masks"};
static loop strided_loads = {"strided_loads", svi_is_strided_loads, svi_strided_loads, false, SVI_STORES_BY_SIZE,
                             "elements a step apart in the source, contiguous in the destination"};
static loop scatter_padded_nt = {"scatter_padded_nt", NULL, svi_scatter_padded_nt, true, SVI_STORES_NT,
                                 "every second to fourth place beyond the cache, partly by non-temporal stores"};
static loop scatter_masked = {"scatter_masked", svi_is_scatter_masked, svi_scatter_masked, false, SVI_STORES_ORDINARY,
                              "every second to fourth place, by masked stores"};

/* Transposes. */
static loop source_order_odd = {
    "source_order_odd",   svi_is_odd_streamed,
    svi_source_order_odd, true,
    SVI_STORES_NT,        "elements of odd sizes beyond the cache, source line by source line (Intel)"};
static loop unaligned_odd = {"unaligned_odd",   svi_is_odd_streamed,
                             svi_unaligned_odd, true,
                             SVI_STORES_NT,     "elements of odd sizes, or short rows, beyond the cache"};
static loop planes_nt = {"planes_nt", svi_is_planes, svi_planes, false, SVI_STORES_NT,
                         "small planes beyond the cache that follow each other on both sides"};
static loop source_order = {"source_order",   NULL,
                            svi_source_order, true,
                            SVI_STORES_NT,    "beyond the cache, source line by source line, to whole lines (Intel)"};
static loop short_lines = {"few_channels", svi_is_few_channels_of_lines, svi_few_channels, false, SVI_STORES_BY_SIZE,
                           "channels beyond the cache whose pixels are a few whole cache lines"};
static loop blocks_direct_nt = {"blocks_direct_nt", NULL, svi_blocks_direct, true, SVI_STORES_NT,
                                "beyond the cache, to whole lines of the destination, block by block"};
static loop blocks_packed_nt = {"blocks_packed_nt", NULL, svi_blocks_packed, true, SVI_STORES_NT,
                                "the same where rows of a block share sets of the caches: packed into a buffer first"};
static loop source_order_unaligned = {"source_order_unaligned",
                                      svi_is_unaligned,
                                      svi_source_order_unaligned,
                                      true,
                                      SVI_STORES_NT,
                                      "beyond the cache, source line by source line, to rows that begin anywhere"};
static loop unaligned_nt = {"unaligned_nt",   svi_is_unaligned,
                            svi_unaligned_nt, true,
                            SVI_STORES_NT,    "beyond the cache, to rows that begin anywhere in a line"};
static loop two_pass_few = {"two_pass", may_take_two, two_pass, true, SVI_STORES_ORDINARY,
                            "two copies by way of a buffer, where an axis is very short"};
static loop two_pass_untiled = {"two_pass", lacks_tiles, two_pass, true, SVI_STORES_ORDINARY,
                                "two copies by way of a buffer, where tiles do not fit or do not pay"};
static loop packed_tiles = {"packed_tiles", svi_is_packed_tiles, svi_packed_tiles, true, SVI_STORES_ORDINARY,
                            "in cache from a packed buffer, where rows of both sides share few sets of L1 (AMD)"};
static loop tiles = {"tiles", svi_is_matrix_tiled, svi_tiles_cached, false, SVI_STORES_ORDINARY,
                     "tiles turned in registers, in cache"};
static loop offset_list_across = {"offset_list", svi_is_list_across, svi_offset_list, false, SVI_STORES_ORDINARY,
                                  "short axes: offsets of a block stand in a list"};
static loop tiles_of_elements = {"element_tiles", NULL, svi_element_tiles, false, SVI_STORES_ORDINARY,
                                 "tiles moved element by element"};

/* Any copy. */
static loop offset_list_rows = {"offset_list", svi_is_offset_list, svi_offset_list, false, SVI_STORES_ORDINARY,
                                "very short rows: offsets of a block stand in a list"};
static loop elements = {"elements", NULL, svi_elements, false, SVI_STORES_ORDINARY,
                        "element by element in the destination's order"};

/* --- by way of a buffer -------------------------------------------------------- */

/* Its pieces are in cache, and are made by the loops that are asked after it. */
static bool copy_via_buffer(const struct svi_host_copy *c)
{
    return svi_copy_via_buffer(c, svi_form_of(c->plan)->rest->loops);
}

static const char by_buffer[] = "short pieces beyond the cache, collected in a buffer that is stored by lines";
static loop via_buffer = {"via_buffer", is_buffered, copy_via_buffer, true, SVI_STORES_NT, by_buffer};
static loop via_buffer_of_units = {"via_buffer", svi_is_few_units_short, copy_via_buffer, true, SVI_STORES_NT,
                                   by_buffer};

/* --- the tables ---------------------------------------------------------------- */

typedef const struct svi_form form;
typedef loop *const list[];

static list of_nothing = {&no_elements, NULL};
static form empty = {"empty", of_nothing, NULL, NULL};

static list of_contiguous = {&contiguous_nt, &contiguous, NULL};
static form form_contiguous = {"contiguous", of_contiguous, NULL, NULL};

static list of_elements = {&offset_list_rows, &elements, NULL};
static form form_elements = {"elements", of_elements, NULL, NULL};

static list of_plain_rows = {&rows_lines_nt, &rows_parts_nt, &rows_padded_nt, &rows_prefetched, &rows_vectors,
                             &rows_plain, NULL};
static form form_plain_rows = {"rows", of_plain_rows, NULL, NULL};
static list of_rows = {&via_buffer, &permute_records, NULL};
static form form_rows = {"rows", of_rows, &form_plain_rows, NULL};

static list of_odd = {&source_order_odd, &unaligned_odd, NULL};
static form form_odd_rows = {"odd rows", of_odd, &form_plain_rows, NULL};

static list of_fills = {&fill_nt, &fill_words, &fill_elements, &offset_list_rows, &elements, NULL};
static form form_fills = {"repeat", of_fills, NULL, NULL};
static list of_repeat = {&permute_period, &via_buffer, NULL};
static form form_repeat = {"repeat", of_repeat, &form_fills, NULL};

static list of_plain_reversed = {&reversed_long, &reversed_short, &offset_list_rows, &elements, NULL};
static form form_plain_reversed = {"reversed", of_plain_reversed, NULL, NULL};
static list of_reversed = {&permute_records, &via_buffer, NULL};
static form form_reversed = {"reversed", of_reversed, &form_plain_reversed, NULL};

static list of_tiles = {&two_pass_untiled, &packed_tiles, &tiles, &offset_list_across, &tiles_of_elements, NULL};
static form form_tiles = {"transpose", of_tiles, NULL, NULL};
static list of_streamed = {&planes_nt,        &source_order,           &short_lines,  &blocks_direct_nt,
                           &blocks_packed_nt, &source_order_unaligned, &unaligned_nt, NULL};
static form form_streamed = {"transpose beyond the cache", of_streamed, &form_tiles, svi_is_matrix_streamed};
static list of_transpose = {&permute_records, NULL};
static form form_transpose = {"transpose", of_transpose, &form_streamed, NULL};
static form form_odd = {"odd elements", of_odd, &form_transpose, NULL};

static list of_channels = {&two_pass_few, &few_units_of_channels, &few_channels, NULL};
static form form_channels = {"channels", of_channels, &form_transpose, NULL};

static list of_units_across = {&two_pass_few, &few_units, &offset_list_across, &tiles_of_elements, NULL};
static form form_units_across = {"units across", of_units_across, NULL, NULL};
static list of_units = {&few_units, NULL};
static form form_units = {"units", of_units, &form_elements, NULL};
static list of_units_apart = {&strided_vectors, &permute_period, &via_buffer_of_units, &few_units, NULL};
static form form_units_apart = {"units apart", of_units_apart, &form_elements, NULL};

static list of_columns = {&strided_loads, &offset_list_rows, &elements, NULL};
static form form_columns = {"column", of_columns, NULL, NULL};
static list of_column = {&permute_period, &via_buffer, NULL};
static form form_column = {"column", of_column, &form_columns, NULL};

static list of_places = {&permute_period, &scatter_padded_nt, &scatter_masked, NULL};
static form form_places = {"places apart", of_places, &form_elements, NULL};

static list of_strided = {&permute_period, &permute_records, &via_buffer, NULL};
static form form_strided = {"strided", of_strided, &form_elements, NULL};

static form *const of_class[SVI_CLASS_CAST] = {
    [SVI_CLASS_EMPTY] = &empty,
    [SVI_CLASS_CONTIGUOUS] = &form_contiguous,
    [SVI_CLASS_ROWS] = &form_rows,
    [SVI_CLASS_REPEAT] = &form_repeat,
    [SVI_CLASS_REVERSED] = &form_reversed,
    [SVI_CLASS_TRANSPOSE] = &form_transpose,
    [SVI_CLASS_GATHER] = &form_strided,
    [SVI_CLASS_SCATTER] = &form_strided,
    [SVI_CLASS_STRIDED] = &form_strided,
};

form *const svi_forms[] = {&empty,       &form_contiguous,  &form_rows,         &form_odd_rows, &form_repeat,
                           &form_reversed, &form_units,     &form_units_apart,  &form_units_across,
                           &form_channels, &form_odd,       &form_transpose,    &form_column,   &form_places,
                           &form_strided,  NULL};

/* Permutations, where there are any, are faster for rows of elements a few times each, unless these are wide. */
enum { WIDE_ITEM = 8 /* bytes, and more */ };

static form *form_of_units(const struct svi_plan *plan)
{
    switch (plan->kind) {
    case SVI_CLASS_TRANSPOSE: return &form_units_across;
    case SVI_CLASS_GATHER: return &form_units_apart;
    case SVI_CLASS_REPEAT: return plan->ndim > 2 && plan->item < WIDE_ITEM ? &form_units_apart : &form_units;
    default: return &form_units;
    }
}

form *svi_form_of(const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return &form_contiguous;
    if (svi_is_channels(plan))
        return &form_channels;
    if (svi_is_scatter(plan))
        return &form_places;
    if (svi_is_pixels(plan))
        return form_of_units(plan);
    if (svi_is_column(plan))
        return &form_column;
    if (svi_is_odd(plan))
        return plan->kind == SVI_CLASS_ROWS ? &form_odd_rows : &form_odd;
    return of_class[plan->kind];
}

/* --- run ------------------------------------------------------------------ */

const struct svi_loop *svi_find_loop(form *first, const struct svi_host_copy *c)
{
    const struct svi_loop *found = NULL;

    for (form *f = first; f != NULL && found == NULL; f = f->rest)
        if (f->applies == NULL || f->applies(c))
            found = svi_run_loops(f->loops, c);
    return found;
}

void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  svi_host_question *two_pass_of)
{
    const struct svi_tile *tile = svi_tiles_of(machine, plan);
    struct svi_host_copy c;

    if (tile != NULL) {
        svi_host_whole_tiles(tile, plan, dst + plan->dst_offset, src + plan->src_offset);
        return;
    }
    c = svi_host_copy_of(machine, plan, dst, src, two_pass_of, false);
    svi_find_loop(svi_form_of(plan), &c);
}

void svi_host_run_leaf(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, NULL);
}
