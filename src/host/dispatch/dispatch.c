/*
 * The tables of loops: for each form of a plan the list of its loops, in the order in which they are tried; and the
 * choice of the form. To see why a copy is slow, start here: the first loop that can and does not refuse does it.
 */
#include "host/dispatch/dispatch.h"

#include "host/dispatch/loops.h"
#include "host/transpose/transpose.h"
#include "host/interleave/few_units.h"
#include "host/interleave/few_channels.h"
#include "host/strided/strided_runs.h"
#include "host/rows/padded_rows.h"
#include "host/transpose/element_tiles.h"

/* --- two loops without code --------------------------------------------------- */

static bool run_empty_copy(const struct svi_host_copy *c)
{
    (void)c;
    return true;
}

static const struct svi_loop no_elements = {.name = "nothing", .run = run_empty_copy, .what = "there is no element"};

/* The row two_pass calls the loop that a copy names for two passes, so that this file need not know compound copies. */
static bool can_take_two(const struct svi_host_copy *c)
{
    return c->two_pass != NULL;
}

static bool refuses_two(const struct svi_host_copy *c)
{
    return c->two_pass != NULL && c->two_pass->refuses(c);
}

static bool take_two(const struct svi_host_copy *c)
{
    return c->two_pass->run(c);
}

static const struct svi_loop two_pass = {
    .name = "two_pass",
    .can = can_take_two,
    .refuses = refuses_two,
    .run = take_two,
    .late = true,
    .what = "two copies by way of a buffer, where an axis is very short, or tiles do not fit or do not pay",
};

/* --- the tables ---------------------------------------------------------------- */

/* clang-format off */
typedef const struct svi_form form;
typedef const struct svi_loop *const list[];

static list of_nothing = {&no_elements, NULL};
static form empty = {"empty", of_nothing, NULL, NULL, NULL};

static list of_contiguous = {&svi_loop_contiguous_nt, &svi_loop_contiguous, NULL};
static form form_contiguous = {"contiguous", of_contiguous, NULL, NULL, NULL};

static list of_elements = {&svi_loop_offset_list, &svi_loop_elements, NULL};
static form form_elements = {"elements", of_elements, NULL, NULL, NULL};

static list of_plain_rows = {&svi_loop_rows_lines_nt, &svi_loop_rows_parts_nt, &svi_loop_rows_padded_nt,
                             &svi_loop_rows_turned, &svi_loop_rows_prefetched, &svi_loop_rows_vectors,
                             &svi_loop_rows_plain, NULL};
static form form_plain_rows = {"rows", of_plain_rows, NULL, NULL, NULL};
static list of_rows = {&svi_loop_via_buffer, &svi_loop_permute_records, NULL};
static form form_rows = {"rows", of_rows, &form_plain_rows, NULL, NULL};

static list of_odd = {&svi_loop_source_order_odd, &svi_loop_unaligned_odd, NULL};
static form form_odd_rows = {"odd rows", of_odd, &form_plain_rows, NULL, NULL};

static list of_fills = {&svi_loop_fill_nt, &svi_loop_fill_words, &svi_loop_fill_elements, &svi_loop_offset_list,
                        &svi_loop_elements, NULL};
static form form_fills = {"repeat", of_fills, NULL, NULL, NULL};
static list of_repeat = {&svi_loop_permute_period, &svi_loop_via_buffer, NULL};
static form form_repeat = {"repeat", of_repeat, &form_fills, NULL, NULL};

static list of_plain_reversed = {&svi_loop_reversed_long, &svi_loop_reversed_short, &svi_loop_offset_list,
                                 &svi_loop_elements, NULL};
static form form_plain_reversed = {"reversed", of_plain_reversed, NULL, NULL, NULL};
static list of_reversed = {&svi_loop_permute_records, &svi_loop_via_buffer, NULL};
static form form_reversed = {"reversed", of_reversed, &form_plain_reversed, NULL, NULL};

static list of_tiles = {&two_pass, &svi_loop_plane_list, &svi_loop_packed_tiles, &svi_loop_tiles, &svi_loop_offset_list,
                        &svi_loop_element_tiles, NULL};
static form form_tiles = {"transpose", of_tiles, NULL, NULL, NULL};
static list of_streamed = {&svi_loop_planes_nt, &svi_loop_source_order, &svi_loop_few_channels,
                           &svi_loop_blocks_direct_nt, &svi_loop_blocks_packed_nt, &svi_loop_source_order_unaligned,
                           &svi_loop_unaligned_nt, NULL};
static form form_streamed = {"transpose beyond the cache", of_streamed, &form_tiles, svi_can_stream_matrix,
                             svi_refuses_to_stream_matrix};
static list of_transpose = {&svi_loop_permute_records, NULL};
static form form_transpose = {"transpose", of_transpose, &form_streamed, NULL, NULL};
static form form_odd = {"odd elements", of_odd, &form_transpose, NULL, NULL};

static list of_channels = {&two_pass, &svi_loop_few_units, &svi_loop_few_channels, NULL};
static form form_channels = {"channels", of_channels, &form_transpose, NULL, NULL};

static list of_units_across = {&two_pass, &svi_loop_few_units, &svi_loop_offset_list, &svi_loop_element_tiles, NULL};
static form form_units_across = {"units across", of_units_across, NULL, NULL, NULL};
static list of_units = {&svi_loop_few_units, NULL};
static form form_units = {"units", of_units, &form_elements, NULL, NULL};
static list of_units_apart = {&svi_loop_strided_vectors, &svi_loop_permute_period, &svi_loop_via_buffer,
                              &svi_loop_few_units, NULL};
static form form_units_apart = {"units apart", of_units_apart, &form_elements, NULL, NULL};

static list of_columns = {&svi_loop_strided_loads, &svi_loop_offset_list, &svi_loop_elements, NULL};
static form form_columns = {"column", of_columns, NULL, NULL, NULL};
static list of_column = {&svi_loop_permute_period, &svi_loop_via_buffer, NULL};
static form form_column = {"column", of_column, &form_columns, NULL, NULL};

static list of_places = {&svi_loop_permute_period, &svi_loop_scatter_padded_nt, &svi_loop_scatter_masked, NULL};
static form form_places = {"places apart", of_places, &form_elements, NULL, NULL};

static list of_strided = {&svi_loop_odd_steps, &svi_loop_permute_period, &svi_loop_permute_records,
                          &svi_loop_via_buffer, NULL};
static form form_strided = {"strided", of_strided, &form_elements, NULL, NULL};

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
/* clang-format on */

/* Elements of fewer bytes that are repeated a few times each are copied by permutations, if the processor has them. */
enum { WIDE_ITEM_BYTES = 8 };

static form *form_of_units(const struct svi_plan *plan)
{
    switch (plan->kind) {
    case SVI_CLASS_TRANSPOSE: return &form_units_across;
    case SVI_CLASS_GATHER: return &form_units_apart;
    case SVI_CLASS_REPEAT: return plan->ndim > 2 && plan->item < WIDE_ITEM_BYTES ? &form_units_apart : &form_units;
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

const struct svi_loop *svi_find_loop(const struct svi_loop *const *front, form *first, struct svi_host_copy *c)
{
    const struct svi_loop *found = svi_run_loops(front, c);

    if (found != NULL || c->plan->kind == SVI_CLASS_CAST)
        return found;
    for (form *f = first != NULL ? first : svi_form_of(c->plan); f != NULL && found == NULL; f = f->rest)
        if (svi_enter_form(f, c))
            found = svi_run_loops(f->loops, c);
    return found;
}

/* The loops that parts of compound copies try first. */
static list of_parts = {&svi_loop_register_tiles, NULL};

void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  const struct svi_loop *two_pass_of)
{
    struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, two_pass_of, false);

    svi_find_loop(of_parts, NULL, &c);
}

void svi_host_run_leaf(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    svi_run_plan(machine, plan, dst, src, NULL);
}
