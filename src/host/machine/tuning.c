#include "tuning.h"

const struct svi_tuning svi_tuning_amd = {
    .name = "AMD",
    .nta_prefetch = true,
    .elements_near = true,
    .wide_shuffles = true,
};

const struct svi_tuning svi_tuning_intel = {
    .name = "Intel",
    .slow_last_cache = true,
    .prefetch_destination = true,
    .row_streams = true,
    .short_rows_cached = true,
    .joins_all_rows = true,
    .single_loads = true,
    .gathers = true,
    .source_order = true,
    .foresees_rows = true,
    .small_planes_only = true,
};

const struct svi_tuning svi_tuning_other = {
    .name = "other processors",
    .nta_prefetch = true,
    .elements_near = true,
    .wide_shuffles = true,
};
