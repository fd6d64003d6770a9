/* The tunings of all families, and the list of fields (tuning.h). */
#include "host/base/tuning.h"

#include <string.h>

/* Values that were measured to be good on AMD's and Intel's processors. */
#define MEASURED_ON_BOTH                                                                                           \
    .nt_cache_64ths = 32, .slow_cache_l2s = 2, .repeat_store_l2s = 2, .contiguous_streams = 4,                     \
    .contiguous_stream_bytes = 16384, .row_stream_count = 8, .nt_row_bytes = 512, .row_prefetch_bytes = 4096,      \
    .fetched_run_bytes = 16384, .units_prefetch_bytes = 16384, .channels_prefetch_bytes = 16384, .block_rows = 64, \
    .block_row_bytes = 1024, .block_column_bytes = 256, .foreseen_rows = 32, .packed_row_bytes = 2048,             \
    .direct_prefetch_bytes = 32768, .packed_prefetch_bytes = 8192, .source_order_rows = 32,                        \
    .source_order_column_bytes = 128, .source_order_pitch_bytes = 2048, .panel_row_bytes = 2048,                   \
    .carried_l2_64ths = 16, .unaligned_rows = 64, .unaligned_panel_bytes = 2048, .unaligned_prefetch_bytes = 8192, \
    .cached_block_rows = 64, .cached_block_row_bytes = 256, .cast_prefetch_bytes = 8192, .cast_block_row_bytes = 1024

/* Values that were measured on AMD's processors, and that are safe where nothing is known. */
#define CAUTIOUS                                                                                                     \
    .nta_prefetch = true, .scalar_loads_in_l2 = true, .plane_bytes = 49152, .packs_rows = true, .mixes_loads = true, \
    .carried_row_bytes = 320, MEASURED_ON_BOTH

const struct svi_tuning svi_tuning_amd = {.name = "AMD",
                                          .partial_lines_nt = true,
                                          .nt_contiguous_64ths = 32,
                                          .permutes_all = true,
                                          .buffers_pieces = true,
                                          .cast_row_items = 64,
                                          .packed_item_bytes = 16,
                                          CAUTIOUS};
const struct svi_tuning svi_tuning_zen4 = {.name = "AMD Zen 4",
                                           .nt_contiguous_64ths = 48,
                                           .source_order_crowded = true,
                                           .cast_row_items = 4096,
                                           .cast_pixels = 4096,
                                           .listed_plane_items = 25,
                                           .shuffles_odd = true,
                                           .turns_rows = true,
                                           .tiles_close_sides = true,
                                           .packed_item_bytes = 16,
                                           CAUTIOUS};
const struct svi_tuning svi_tuning_zen3 = {.name = "AMD Zen 3",
                                           .nt_contiguous_64ths = 32,
                                           .source_order_crowded = true,
                                           .cast_row_items = 4096,
                                           .cast_pixels = 4096,
                                           .listed_plane_items = 50,
                                           .plain_row_bytes = 31,
                                           .nt_planes = 13,
                                           .tiles_close_sides = true,
                                           .turns_rows = true,
                                           .shuffles_odd = true,
                                           .packed_item_bytes = 4,
                                           .cast_joined_bytes = 2048,
                                           CAUTIOUS};
const struct svi_tuning svi_tuning_other = {.name = "other processors",
                                            .nt_contiguous_64ths = 32,
                                            .permutes_all = true,
                                            .buffers_pieces = true,
                                            .cast_row_items = 64,
                                            .packed_item_bytes = 16,
                                            CAUTIOUS};

const struct svi_tuning svi_tuning_intel = {
    .name = "Intel",
    .slow_last_cache = true,
    .prefetch_destination = true,
    .last_cache_l2s = 16,
    .nt_contiguous_64ths = 32,
    .row_streams = true,
    .short_rows_cached = true,
    .joins_all_rows = true,
    .buffers_pieces = true,
    .single_loads = true,
    .permutes_all = true,
    .source_order = true,
    .foresees_rows = true,
    .carried_row_bytes = 128,
    .small_planes_only = true,
    .plane_bytes = 262144,
    .cast_row_items = 4096,
    .packed_item_bytes = 16,
    MEASURED_ON_BOTH,
};

const struct svi_tuning_family svi_tuning_families[] = {{"amd", &svi_tuning_amd},        {"zen4", &svi_tuning_zen4},
                                                        {"zen3", &svi_tuning_zen3},      {"intel", &svi_tuning_intel},
                                                        {"cautious", &svi_tuning_other}, {NULL, NULL}};

#define AT(field) #field, offsetof(struct svi_tuning, field)

const struct svi_tuning_field svi_tuning_fields[] = {
    {AT(slow_last_cache), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "the last-level cache is slow line by line: copies of some L2 sizes count as larger than the cache", NULL},
    {AT(nta_prefetch), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "lines that are read once are prefetched with the NTA hint", "rows_lines_nt rows_parts_nt few_channels"},
    {AT(prefetch_destination), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "stores to lines that are in no cache are slow, so these are prefetched", "tiles register_tiles"},
    {AT(partial_lines_nt), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "non-temporal stores of parts of lines cost hardly more than those of whole ones", NULL},
    {AT(nt_cache_64ths), "64ths", SVI_TUNING_MULTIPLE, 1, 127, false,
     "share of the last-level cache beyond which copies use NT stores", NULL},
    {AT(nt_contiguous_64ths), "64ths", SVI_TUNING_MULTIPLE, 1, 127, false,
     "share of the last-level cache beyond which contiguous copies use NT stores", NULL},
    {AT(last_cache_l2s), "L2 sizes", SVI_TUNING_MULTIPLE, 1, 1024, true,
     "part of the last-level cache that serves copies where L2 is large; 0: all of it", NULL},
    {AT(slow_cache_l2s), "L2 sizes", SVI_TUNING_MULTIPLE, 1, 64, false,
     "copies larger than that count as larger than a slow last-level cache", NULL},
    {AT(repeat_store_l2s), "L2 sizes", SVI_TUNING_MULTIPLE, 1, 64, true,
     "up to there stores to crowded sets of L1 are repeated", "rows_vectors elements strided_loads"},
    {AT(row_streams), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "several streams that are read alternately are faster than one",
     "contiguous_nt rows_lines_nt rows_parts_nt few_channels reversed_long convert_rows"},
    {AT(short_rows_cached), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "lines that two short rows share are stored through the cache", "convert_rows"},
    {AT(joins_all_rows), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "contiguous rows that begin anywhere are joined whatever their length", NULL},
    {AT(buffers_pieces), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "short pieces beyond the cache are collected in a buffer that is stored by lines, not stored through the cache",
     NULL},
    {AT(turns_rows), "0 or 1", SVI_TUNING_FLAG, 0, 1, false, "short rows in another order go by blocks of two axes",
     NULL},
    {AT(shuffles_odd), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "elements of 3 to 15 bytes are turned, and drawn together, by byte shuffles", NULL},
    {AT(contiguous_streams), "streams", SVI_TUNING_POWER, 2, 16, false,
     "of a contiguous copy that are read alternately", "contiguous_nt"},
    {AT(contiguous_stream_bytes), "bytes", SVI_TUNING_MULTIPLE, 1024, 1048576, false,
     "of each of these streams in one round", "contiguous_nt"},
    {AT(row_stream_count), "streams", SVI_TUNING_POWER, 4, 16, false,
     "of short rows of whole 16 bytes that are read alternately", "rows_lines_nt"},
    {AT(nt_row_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false,
     "least length of rows that begin anywhere and use NT stores", NULL},
    {AT(row_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, true, "prefetch distance over rows",
     "rows_lines_nt rows_parts_nt"},
    {AT(fetched_run_bytes), "bytes", SVI_TUNING_MULTIPLE, 1024, 1073741824, false,
     "least length of a contiguous copy whose destination is prefetched", "contiguous"},
    {AT(plain_row_bytes), "bytes", SVI_TUNING_MULTIPLE, 1, 64, true,
     "of rows, a few at a time, up to which a call for vectors is not worth it", NULL},
    {AT(single_loads), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "elements in lines of their own go one by one, prefetched along the row", "elements strided_loads"},
    {AT(permutes_all), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "elements a small step apart are permuted whatever the number of them in a line; else where they are many", NULL},
    {AT(scalar_loads_in_l2), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "within L2, strided elements of 4 bytes and more go one by one", "strided_loads strided_vectors"},
    {AT(units_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false,
     "prefetch distance over pixels of 2 to 4 units", "few_units"},
    {AT(channels_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false,
     "prefetch distance over pixels of more channels", "few_channels"},
    {AT(nt_planes), "planes", SVI_TUNING_MULTIPLE, 1, 64, true,
     "that pixels of more channels are taken apart to by NT stores; fewer are stored through the cache",
     "few_channels"},
    {AT(source_order), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "transposes beyond the cache follow the order of the source", "blocks_direct_nt blocks_packed_nt"},
    {AT(source_order_crowded), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "the same only where rows of blocks share sets of the caches, or begin anywhere in a line", NULL},
    {AT(foresees_rows), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "the processor itself prefetches up to foreseen_rows rows at a time", "blocks_direct_nt blocks_packed_nt"},
    {AT(small_planes_only), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "of contiguous planes, only those of short rows are joined", "planes_nt"},
    {AT(mixes_loads), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "the next block of a transpose is read between the stores of one, not after some of them",
     "blocks_direct_nt blocks_packed_nt"},
    {AT(tiles_close_sides), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "transposes to rows that begin anywhere, of rows that are short or close to each other, go by tiles", NULL},
    {AT(block_rows), "rows", SVI_TUNING_POWER, 16, 256, false, "of a block of the source",
     "blocks_direct_nt blocks_packed_nt"},
    {AT(block_row_bytes), "bytes", SVI_TUNING_POWER, 256, 1024, false, "of each row of a block",
     "blocks_direct_nt blocks_packed_nt"},
    {AT(block_column_bytes), "bytes", SVI_TUNING_POWER, 128, 1024, false, "of each column of a block at least",
     "blocks_direct_nt blocks_packed_nt"},
    {AT(foreseen_rows), "rows", SVI_TUNING_POWER, 32, 128, false, "of a block where the processor foresees rows",
     "blocks_direct_nt blocks_packed_nt"},
    {AT(packed_item_bytes), "bytes", SVI_TUNING_MULTIPLE, 1, 16, true,
     "of elements, up to which blocks are packed that do not stay in the caches until all of their lines are read",
     NULL},
    {AT(packed_row_bytes), "bytes", SVI_TUNING_POWER, 512, 4096, false,
     "of each row of a block that is packed to a buffer", "blocks_packed_nt"},
    {AT(direct_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 1048576, true,
     "prefetch distance to L2 of blocks that are read in place", "blocks_direct_nt convert_transpose"},
    {AT(packed_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false,
     "prefetch distance of blocks that are packed", "blocks_packed_nt"},
    {AT(source_order_rows), "rows", SVI_TUNING_POWER, 16, 64, false,
     "that are read at a time in the order of the source", "source_order source_order_unaligned source_order_odd"},
    {AT(source_order_column_bytes), "bytes", SVI_TUNING_POWER, 64, 256, false, "that each column gets of these rows",
     "source_order source_order_unaligned source_order_odd"},
    {AT(source_order_pitch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false,
     "between rows from which on that order is faster", NULL},
    {AT(panel_row_bytes), "bytes", SVI_TUNING_POWER, 256, 2048, false,
     "of a row panel of 1- and 2-byte elements in that order", "source_order source_order_unaligned source_order_odd"},
    {AT(carried_row_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 4096, false,
     "of rows of the destination that begin anywhere in a line, at least, in that order", NULL},
    {AT(carried_l2_64ths), "64ths", SVI_TUNING_MULTIPLE, 1, 64, false,
     "share of L2 for partial lines that are carried on to the next rows", "source_order_unaligned source_order_odd"},
    {AT(unaligned_rows), "rows", SVI_TUNING_MULTIPLE, 16, 256, false,
     "of a block of a column panel where columns begin anywhere in a line", "unaligned_nt unaligned_odd"},
    {AT(unaligned_panel_bytes), "bytes", SVI_TUNING_MULTIPLE, 256, 4096, false, "of each row of such a block",
     "unaligned_nt unaligned_odd"},
    {AT(unaligned_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false, "prefetch distance of such a block",
     "unaligned_nt unaligned_odd"},
    {AT(plane_bytes), "bytes", SVI_TUNING_MULTIPLE, 1024, 1048576, false,
     "of a contiguous plane that is joined to the next one, at most", "planes_nt"},
    {AT(packs_rows), "0 or 1", SVI_TUNING_FLAG, 0, 1, false,
     "rows of the source that share few sets of L1 are packed for a transpose in cache", NULL},
    {AT(cached_block_rows), "rows", SVI_TUNING_POWER, 64, 256, false, "of a block of a transpose in cache", "tiles"},
    {AT(cached_block_row_bytes), "bytes", SVI_TUNING_POWER, 64, 1024, false, "of each row of such a block", "tiles"},
    {AT(listed_plane_items), "items", SVI_TUNING_MULTIPLE, 1, 512, true,
     "of a plane of two axes among many, up to which a list of offsets is faster than tiles; 0: never", NULL},
    {AT(cast_prefetch_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 65536, false, "prefetch distance of conversions",
     "convert_blocks convert_transpose"},
    {AT(cast_block_row_bytes), "bytes", SVI_TUNING_POWER, 256, 1024, false,
     "of each row of a block of a transpose that converts", "convert_transpose"},
    {AT(cast_joined_bytes), "bytes", SVI_TUNING_MULTIPLE, 64, 4096, true,
     "of a run of several rows of the destination that a block of a conversion stores at least; 0: of one row",
     "convert_blocks"},
    {AT(cast_row_items), "items", SVI_TUNING_MULTIPLE, 64, 1048576, false,
     "least length of rows beyond the cache that are converted one by one, not by blocks of them", NULL},
    {AT(cast_pixels), "pixels", SVI_TUNING_MULTIPLE, 64, 1048576, true,
     "least length of runs of pixels beyond the cache that are rearranged while they convert, not by blocks; 0: always",
     NULL},
    {.name = NULL},
};

/* --- a field ------------------------------------------------------------------- */

bool svi_tuning_is_of(const struct svi_tuning_field *field, const char *loop)
{
    const size_t length = strlen(loop);

    for (const char *word = field->loops; word != NULL; word = strchr(word, ' ') != NULL ? strchr(word, ' ') + 1 : NULL)
        if (strncmp(word, loop, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            return true;
    return false;
}

int32_t svi_tuning_get(const struct svi_tuning *tuning, const struct svi_tuning_field *field)
{
    const char *at = (const char *)tuning + field->offset;
    int32_t number;
    bool flag;

    if (field->kind == SVI_TUNING_FLAG) {
        memcpy(&flag, at, sizeof flag);
        return flag;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

static bool can_have(const struct svi_tuning_field *field, int64_t value)
{
    if (value == 0 && field->zero)
        return true;
    if (value < field->least || value > field->most)
        return false;
    switch (field->kind) {
    case SVI_TUNING_MULTIPLE: return value % field->least == 0;
    case SVI_TUNING_POWER: return (value & (value - 1)) == 0;
    default: return true;
    }
}

bool svi_tuning_set(struct svi_tuning *tuning, const struct svi_tuning_field *field, int64_t value)
{
    char *at = (char *)tuning + field->offset;
    const int32_t number = (int32_t)value;
    const bool flag = value != 0;

    if (!can_have(field, value))
        return false;
    if (field->kind == SVI_TUNING_FLAG)
        memcpy(at, &flag, sizeof flag);
    else
        memcpy(at, &number, sizeof number);
    return true;
}
