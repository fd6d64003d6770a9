/*
 * The library's kernels by what their parameter blocks say, as plain loops, one
 * thread after another. What the kernels themselves do is tested elsewhere, by
 * running them; here it is what a launch asks for.
 */
#include "gpu/kernel_list.h"

#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"
#include "host/loop/facts.h"
#include "host/convert/convert.h"
#include "support/scaled.h"

#define NAME(name, block) "svi_" #name,
static const char *const names[] = {SVI_KERNELS(NAME) NULL};
#undef NAME

union block {
    struct svi_launch_sides sides; /* of the families below that walk axes */
    struct svi_launch_line line;
    struct svi_launch_rows rows;
    struct svi_launch_tile tile;
    struct svi_launch_row row;
    struct svi_launch_many many;
    struct svi_launch_batch batch;
    struct svi_launch_runs runs;
    struct svi_launch_fill fill;
    struct svi_launch_fill_row fill_row;
    struct svi_launch_cast cast;
    struct svi_launch_box box;
    struct svi_launch_box_cast box_cast;
    struct svi_launch_channels channels;
    struct svi_launch_scaled scaled;
    struct svi_launch_box_scaled box_scaled;
    struct svi_launch_permute permute;
};

/* Bytes that a kernel stores at one offset from those at another. Whether it could. */
typedef bool moved(void *with, int64_t dst, int64_t src, int64_t nbytes);

struct walk {
    const union block *block;
    uint32_t copies; /* blocks along y */
    int64_t item;    /* that the kernel's name ends with */
    moved *moved;
    void *with;
    const struct svi_axis *axis; /* of which what is moved is told the index; NULL: of none */
    uint32_t *number;            /* that index, or of a box that along the axis of which scales change */
    char *dst;                   /* the kernel's two addresses */
    const char *src;
    bool (*peek)(void *with, const char *entry, uint64_t *address); /* an entry of a table; false: it is not known yet */
};

/* --- the loops of each family ----------------------------------------------------------------- */

typedef bool body(const struct walk *walk, int64_t dst, int64_t src);

/* Once for each index of the axes, the last of which is the slowest. */
static bool for_each(const struct walk *walk, const struct svi_axis *axes, int64_t naxes, int64_t dst, int64_t src,
                     body *run)
{
    const struct svi_axis *axis = axes + naxes - 1;
    bool ok = true;

    if (naxes == 0)
        return run(walk, dst, src);
    for (uint32_t i = 0; i < axis->extent && ok; i++) {
        if (axis == walk->axis)
            *walk->number = i;
        ok = for_each(walk, axes, naxes - 1, dst + (int64_t)i * axis->dst, src + (int64_t)i * axis->src, run);
    }
    return ok;
}

static bool move_line(const struct walk *walk, int64_t dst, int64_t src)
{
    return walk->moved(walk->with, dst, src, walk->block->line.width);
}

static bool move_rows(const struct walk *walk, int64_t dst, int64_t src)
{
    const struct svi_launch_rows *p = &walk->block->rows;
    bool ok = true;

    for (int64_t i = 0; i < p->count && ok; i++)
        ok = walk->moved(walk->with, dst + i * p->dst_pitch, src + i * p->src_pitch, p->width);
    return ok;
}

static bool move_steps(const struct walk *walk, int64_t dst, int64_t src, int64_t step)
{
    const int64_t count = walk->block->row.width / walk->item;
    bool ok = true;

    for (int64_t i = 0; i < count && ok; i++)
        ok = walk->moved(walk->with, dst + i * walk->item, src + i * step, walk->item);
    return ok;
}

static bool move_repeat(const struct walk *walk, int64_t dst, int64_t src)
{
    return move_steps(walk, dst, src, 0);
}

static bool move_reverse(const struct walk *walk, int64_t dst, int64_t src)
{
    return move_steps(walk, dst, src, -walk->item);
}

static bool move_tile(const struct walk *walk, int64_t dst, int64_t src)
{
    const struct svi_launch_tile *p = &walk->block->tile;
    bool ok = true;

    for (int64_t b = 0; b < p->b_extent; b++)
        for (int64_t a = 0; a < p->a_extent && ok; a++)
            ok = walk->moved(walk->with, dst + b * p->b_dst + a * walk->item, src + b * walk->item + a * p->a_src,
                             walk->item);
    return ok;
}

/* to and from: bytes from pixel to pixel. */
static bool move_pixels(const struct walk *walk, int64_t dst, int64_t src, int64_t to, int64_t from)
{
    const struct svi_launch_channels *p = &walk->block->channels;
    const struct svi_axis *channels = &p->channels;
    bool ok = true;

    for (int64_t row = 0; row < p->row_count; row++)
        for (int64_t pixel = 0; pixel < p->row_pixels; pixel++)
            for (int64_t k = 0; k < channels->extent && ok; k++)
                ok = walk->moved(walk->with, dst + row * p->dst_pitch + pixel * to + k * channels->dst,
                                 src + row * p->src_pitch + pixel * from + k * channels->src, walk->item);
    return ok;
}

static bool move_apart(const struct walk *walk, int64_t dst, int64_t src)
{
    return move_pixels(walk, dst, src, walk->item, walk->item * walk->block->channels.pixel.extent);
}

static bool move_together(const struct walk *walk, int64_t dst, int64_t src)
{
    return move_pixels(walk, dst, src, walk->item * walk->block->channels.pixel.extent, walk->item);
}

static bool move_item(const struct walk *walk, int64_t dst, int64_t src)
{
    return walk->moved(walk->with, dst, src, walk->item);
}

/* A fill's source is its block: what is moved has an offset in the item. */
static bool move_filled_row(const struct walk *walk, int64_t dst, int64_t src)
{
    const int64_t width = walk->block->fill_row.to.width;
    bool ok = src == walk->block->sides.src_offset;

    for (int64_t i = 0; i < width && ok; i += 16)
        ok = walk->moved(walk->with, dst + i, 0, width - i < 16 ? width - i : 16);
    return ok;
}

static bool move_converted(const struct walk *walk, int64_t dst, int64_t src)
{
    return walk->moved(walk->with, dst, src, 0);
}

static bool is_among(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static bool is_scaled(const char *name)
{
    static const char *const scaled[] = {"svi_scaled", "svi_scale", "svi_batched_scaled"};

    return is_among(name, scaled, sizeof scaled / sizeof *scaled);
}

static bool is_cast(const char *name)
{
    static const char *const casts[] = {"svi_cast", "svi_convert", "svi_batched_cast"};

    return is_among(name, casts, sizeof casts / sizeof *casts);
}

/* --- boxes ---------------------------------------------------------------------------------------- */

/* Where item n of a tile is on one side, by its order of axes, and where it is in shared memory. */
static int64_t item_offset(const struct svi_box_axis *axes, uint32_t naxes, int64_t n, uint32_t *shared)
{
    int64_t offset = 0;

    *shared = 0;
    for (uint32_t k = 0; k < naxes; k++) {
        const uint32_t at = (uint32_t)(n % axes[k].extent);

        offset += (int64_t)at * axes[k].stride;
        *shared += at * axes[k].shared;
        n /= axes[k].extent;
    }
    return offset;
}

/* The index of item n of a tile along an axis; 0 where there is none. */
static uint32_t digit_of(const struct svi_box_axis *axes, int32_t axis, uint32_t n)
{
    for (int32_t k = 0; k < axis; k++)
        n /= axes[k].extent;
    return axis < 0 ? 0 : n % axes[axis].extent;
}

/* What a tile's items are put to shared memory as, and taken from it. */
static bool move_box_tile(const struct walk *walk, const struct svi_launch_box *p,
                          const struct svi_launch_affine *affine, int64_t dst, int64_t src, uint32_t number)
{
    int64_t *from = malloc(p->half * sizeof *from);
    uint32_t shared;
    bool ok = true;

    for (uint32_t i = 0; i < p->items; i++) {
        const int64_t offset = item_offset(p->by_src, p->naxes, i, &shared);

        from[shared] = src + p->first + offset;
    }
    for (uint32_t i = 0; i < p->items && ok; i++) {
        const int64_t offset = item_offset(p->by_dst, p->naxes, i, &shared);

        *walk->number = number + (affine == NULL ? 0 : digit_of(p->by_dst, affine->axis, i));
        ok = walk->moved(walk->with, dst + offset, from[shared], walk->item);
    }
    free(from);
    return ok;
}

/* Where tile n begins on both sides; the last of an axis is moved back. */
static void find_tile(const struct svi_box_outer *outer, uint32_t nouter, uint32_t n, int64_t *dst, int64_t *src)
{
    for (uint32_t k = 0; k < nouter; k++) {
        const int64_t first = (int64_t)(n % outer[k].tiles) * outer[k].step;
        const int64_t at = first < outer[k].most ? first : outer[k].most;

        *dst += at * outer[k].dst;
        *src += at * outer[k].src;
        n /= outer[k].tiles;
    }
}

/* Tile after tile, the last of an axis moved back. */
static bool move_box(const struct walk *walk, const struct svi_launch_box *p, const struct svi_launch_affine *affine)
{
    bool ok = true;

    for (uint32_t n = 0; n < p->tiles && ok; n++) {
        int64_t dst = p->dst_offset, src = p->src_offset;
        uint32_t left = n, number = 0;

        for (uint32_t k = 0; k < p->nouter; k++) {
            const struct svi_box_outer *axis = &p->outer[k];
            const int64_t first = (int64_t)(left % axis->tiles) * axis->step;
            const int64_t at = first < axis->most ? first : axis->most;

            dst += at * axis->dst;
            src += at * axis->src;
            left /= axis->tiles;
            if (affine != NULL && affine->outer == (int32_t)k)
                number = (uint32_t)at;
        }
        ok = move_box_tile(walk, p, affine, dst, src, number);
    }
    return ok;
}

/* --- tiles of permute --------------------------------------------------------------------------------- */

static int64_t place_of(const struct svi_permute_axis *axes, uint32_t naxes, int64_t n)
{
    int64_t place = 0;

    for (uint32_t k = 0; k < naxes; k++) {
        place += n % axes[k].extent * axes[k].stride;
        n /= axes[k].extent;
    }
    return place;
}

/* Items in the order of the destination, from where the segments have them. */
static bool move_permute_tile(const struct walk *walk, int64_t dst, int64_t src)
{
    const struct svi_launch_permute *p = &walk->block->permute;
    const int64_t items = p->items.extent, segment = (int64_t)p->chunks.extent * 16;
    bool ok = true;

    for (int64_t n = 0; n < p->runs * items && ok; n++) {
        const int64_t staged = p->first + place_of(p->axes, p->naxes, n);
        const int64_t to = place_of(p->run, p->nruns, n / items) + n % items * walk->item;

        ok = walk->moved(walk->with, dst + to,
                         src + place_of(p->segments, p->nsegments, staged / segment) + staged % segment, walk->item);
    }
    return ok;
}

static bool move_permute(const struct walk *walk)
{
    const struct svi_launch_permute *p = &walk->block->permute;
    bool ok = true;

    for (uint32_t n = 0; n < p->tiles && ok; n++) {
        int64_t dst = p->dst_offset, src = p->src_offset;

        find_tile(p->outer, p->nouter, n, &dst, &src);
        ok = move_permute_tile(walk, dst, src);
    }
    return ok;
}

static const struct {
    const char *prefix;
    body *run;
} families[] = {
    {"svi_line_", move_line},         {"svi_rows_", move_rows},         {"svi_repeat_", move_repeat},
    {"svi_reverse_", move_reverse},  {"svi_tile_", move_tile},         {"svi_flat_", move_item},
    {"svi_batched_line_", move_line}, {"svi_batched_rows_", move_rows}, {"svi_batched_tile_", move_tile},
    {"svi_batched_flat_", move_item}, {"svi_fill_row", move_filled_row}, {"svi_fill_", move_item},
    {"svi_apart_", move_apart},      {"svi_together_", move_together},
};

static bool is_batched_cast(const char *name)
{
    return strcmp(name, "svi_batched_cast") == 0 || strcmp(name, "svi_batched_scaled") == 0;
}

static const struct svi_launch_cast *cast_of(const char *name, const union block *block)
{
    return is_scaled(name) || is_batched_cast(name) ? &block->scaled.cast : &block->cast;
}

/* Block and kernel are those of a single copy that lies elsewhere. */
static bool walk_one(const char *name, const struct walk *walk, int64_t dst, int64_t src)
{
    const struct svi_launch_sides *p = &walk->block->sides;

    if (strncmp(name, "svi_many_", 9) == 0) {
        const struct svi_launch_many *many = &walk->block->many;

        return for_each(walk, many->axes, many->naxes, many->dst_offset, many->src_offset, move_item);
    }
    if (is_cast(name) || is_scaled(name)) {
        const struct svi_launch_many *many = &cast_of(name, walk->block)->at;

        return for_each(walk, many->axes, many->naxes, many->dst_offset + dst, many->src_offset + src, move_converted);
    }
    if (strcmp(name, "svi_box_scaled") == 0)
        return move_box(walk, &walk->block->box_scaled.cast.box, &walk->block->box_scaled.affine);
    if (strncmp(name, "svi_box_", 8) == 0)
        return move_box(walk, &walk->block->box, NULL);
    if (strncmp(name, "svi_permute_", 12) == 0)
        return move_permute(walk);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(name, families[i].prefix, strlen(families[i].prefix)) == 0)
            return for_each(walk, p->axes, p->naxes, p->dst_offset + dst, p->src_offset + src, families[i].run);
    return false;
}

static bool walk_distances(const char *name, const struct walk *walk)
{
    const uint32_t at = cast_of(name, walk->block)->distances;
    const struct svi_launch_distance *p = (const struct svi_launch_distance *)((const char *)walk->block + at);
    bool ok = at + walk->copies * sizeof *p <= SVI_LAUNCH_BLOCK;

    for (uint32_t i = 0; i < walk->copies && ok; i++)
        ok = walk_one(name, walk, p[i].dst, p[i].src);
    return ok;
}

static bool walk_batch(const char *name, const struct walk *walk)
{
    const struct svi_launch_batch *p = &walk->block->batch;
    bool ok = walk->copies <= SVI_LAUNCH_BATCH;

    for (uint32_t i = 0; i < walk->copies && ok; i++)
        ok = walk_one(name, walk, p->dst[i], p->src[i]);
    return ok;
}

/* NULL: the kernel's addresses are those of the bytes. */
static const struct svi_launch_table *table_of(const char *name, const union block *block)
{
    if (is_batched_cast(name))
        return cast_of(name, block)->distances == 0 ? &cast_of(name, block)->table : NULL;
    return strncmp(name, "svi_batched_", 12) == 0 && block->batch.has_table ? &block->batch.table : NULL;
}

/* As far as the table is known. */
static bool walk_table(const char *name, const struct walk *walk, const struct svi_launch_table *table)
{
    bool ok = true;

    for (int64_t i = 0; i < walk->copies && ok; i++) {
        uint64_t dst, src;

        if (!walk->peek(walk->with, walk->dst + i * table->dst_step, &dst) ||
            !walk->peek(walk->with, walk->src + i * table->src_step, &src))
            return true;
        ok = walk_one(name, walk, (int64_t)(dst - (uintptr_t)walk->dst), (int64_t)(src - (uintptr_t)walk->src));
    }
    return ok;
}

static bool walk_runs(const struct walk *walk)
{
    const struct svi_launch_runs *p = &walk->block->runs;
    bool ok = p->count <= SVI_LAUNCH_BATCH;

    for (uint32_t i = 0; i < p->count && ok; i++)
        ok = walk->moved(walk->with, p->runs[i].dst, p->runs[i].src, p->runs[i].nbytes);
    return ok;
}

/* All that a kernel moves, as long as it can. */
static bool walk_all(const char *name, const struct walk *walk)
{
    const struct svi_launch_table *table = table_of(name, walk->block);

    if (table != NULL)
        return walk_table(name, walk, table);
    if (is_batched_cast(name))
        return walk_distances(name, walk);
    if (strncmp(name, "svi_runs_", 9) == 0)
        return walk_runs(walk);
    if (strncmp(name, "svi_batched_", 12) != 0)
        return walk->copies == 1 && walk_one(name, walk, 0, 0);
    return walk_batch(name, walk);
}

/* Bytes of the items that a kernel moves one by one: the first number in its name; 1 for whole rows. */
static int64_t item_of(const char *name)
{
    const char *digits = name + strcspn(name, "0123456789");

    return strstr(name, "_line_") != NULL || *digits == '\0' ? 1 : atoi(digits);
}

/* --- what the fake runtime asks ---------------------------------------------------------------- */

struct taken {
    union block block;
    const unsigned char *item;     /* of a fill */
    const struct svi_chain *chain; /* NULL: nothing is converted */
    const struct svi_launch_affine *affine; /* NULL: nothing is scaled */
    uint32_t number;
    uint32_t dst_word, src_word;   /* of what is converted: an alignment, or 0 */
    char *dst;
    const char *src;
};

struct toucher {
    const struct taken *taken;
    fake_touched *touched;
    void *with;
};

static bool peek_early(void *with, const char *entry, uint64_t *address)
{
    const struct toucher *t = with;

    t->touched(t->with, entry, sizeof *address, false);
    return fake_peek(t->with, entry, sizeof *address, address);
}

static bool touch(void *with, int64_t dst, int64_t src, int64_t nbytes)
{
    const struct toucher *t = with;
    const struct svi_chain *chain = t->taken->chain;

    if (chain != NULL)
        nbytes = (int64_t)svi_chain_dst_bytes(chain);
    t->touched(t->with, t->taken->dst + dst, (size_t)nbytes, true);
    if (t->taken->src != NULL)
        t->touched(t->with, t->taken->src + src, chain != NULL ? svi_chain_src_bytes(chain) : (size_t)nbytes,
                   false);
    return true;
}

static void set_converted(struct taken *t, const struct svi_launch_cast *cast)
{
    t->chain = &cast->chain;
    t->dst_word = cast->dst_word;
    t->src_word = cast->src_word;
}

static void set_boxed(struct taken *t, const struct svi_launch_box_cast *cast)
{
    t->chain = &cast->chain;
    t->dst_word = cast->dst_word;
    t->src_word = cast->src_word;
}

static void set_chain(struct taken *t, int32_t kernel)
{
    t->chain = NULL;
    t->affine = NULL;
    switch (kernel) {
    case SVI_KERNEL_cast:
    case SVI_KERNEL_convert: set_converted(t, &t->block.cast); break;
    case SVI_KERNEL_box_cast: set_boxed(t, &t->block.box_cast); break;
    case SVI_KERNEL_batched_cast: set_converted(t, &t->block.scaled.cast); break;
    case SVI_KERNEL_scale:
    case SVI_KERNEL_scaled:
    case SVI_KERNEL_batched_scaled:
        set_converted(t, &t->block.scaled.cast);
        t->affine = &t->block.scaled.affine;
        break;
    case SVI_KERNEL_box_scaled:
        set_boxed(t, &t->block.box_scaled.cast);
        t->affine = &t->block.box_scaled.affine;
        break;
    }
}

/* The axis along which a kernel's scales change, but of boxes. */
static const struct svi_axis *axis_of(const struct taken *t)
{
    return t->affine == &t->block.scaled.affine && t->affine->axis >= 0
               ? &t->block.scaled.cast.at.axes[t->affine->axis]
               : NULL;
}

static void touch_all(const char *name, const cudaLaunchConfig_t *config, void *taken, fake_touched *touched,
                      void *with)
{
    struct taken *t = taken;
    struct toucher toucher = {t, touched, with};
    const struct walk walk = {.block = &t->block, .copies = config->gridDim.y, .item = item_of(name), .moved = touch,
                              .with = &toucher, .number = &t->number, .dst = t->dst, .src = t->src, .peek = peek_early};

    walk_all(name, &walk);
}

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    struct taken *t = malloc(sizeof *t);
    int32_t kernel = 0;

    while (strcmp(svi_kernel_name(kernel), name) != 0)
        kernel++;
    memcpy(&t->block, arguments[0], svi_kernel_block_bytes(kernel));
    t->dst = *(char **)arguments[1];
    t->src = *(const char **)arguments[2];
    t->item = kernel == SVI_KERNEL_fill_row ? t->block.fill_row.item : t->block.fill.item;
    set_chain(t, kernel);
    touch_all(name, config, t, touched, with);
    return t;
}

struct mover {
    const struct taken *taken;
    int64_t item;
};

static bool is_at_word(const void *address, uint32_t word)
{
    return word == 0 || (uintptr_t)address % word == 0;
}

static bool scales_wide(const struct svi_chain *chain)
{
    for (int32_t k = 0; k < chain->count; k++)
        if (chain->steps[k].op == SVI_SCALE_F64)
            return true;
    return false;
}

/* A scale or a bias for the item that is moved. */
static double value_of(const struct taken *t, uint32_t at, uint32_t step)
{
    const bool wide = scales_wide(t->chain);
    const char *values = (const char *)&t->block + at;

    const uint32_t number = t->affine->period == 0 ? t->number : t->number % t->affine->period;

    return test_read_number(values + number * step * (wide ? sizeof(double) : sizeof(float)), wide);
}

static bool move_through(const struct taken *t, char *to, const char *from)
{
    const struct svi_machine machine = svi_machine();

    if (!is_at_word(to, t->dst_word) || !is_at_word(from, t->src_word))
        return false;
    if (t->affine == NULL)
        svi_host_convert(machine.isa, t->chain, fake_bytes(to), fake_bytes(from), 1);
    else
        test_scale_chain(machine.isa, t->chain, value_of(t, t->affine->scale_at, t->affine->scale_step),
                         value_of(t, t->affine->bias_at, t->affine->bias_step), fake_bytes(to), fake_bytes(from));
    return true;
}

static bool move(void *with, int64_t dst, int64_t src, int64_t nbytes)
{
    const struct mover *m = with;
    char *to = m->taken->dst + dst;

    if (m->taken->src == NULL) {
        memcpy(fake_bytes(to), m->taken->item + src, (size_t)nbytes);
        return (uintptr_t)to % (uintptr_t)m->item == 0;
    }

    const char *from = m->taken->src + src;

    if (m->taken->chain != NULL)
        return move_through(m->taken, to, from);
    if (((uintptr_t)to | (uintptr_t)from) % (uintptr_t)m->item != 0)
        return false;
    memcpy(fake_bytes(to), fake_bytes(from), (size_t)nbytes);
    return true;
}

static bool peek_now(void *with, const char *entry, uint64_t *address)
{
    (void)with;
    memcpy(address, fake_bytes(entry), sizeof *address);
    return true;
}

static cudaError_t run(const char *name, const cudaLaunchConfig_t *config, void *taken)
{
    struct taken *t = taken;
    struct mover mover = {t, item_of(name)};
    const struct walk walk = {.block = &t->block, .copies = config->gridDim.y, .item = mover.item, .moved = move,
                              .with = &mover, .axis = axis_of(t), .number = &t->number, .dst = t->dst, .src = t->src,
                              .peek = peek_now};

    t->number = 0;
    return walk_all(name, &walk) ? cudaSuccess : cudaErrorMisalignedAddress;
}

const struct fake_kernels fake_launched = {take, run, names, touch_all};
