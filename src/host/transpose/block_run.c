/*
 * Stores the blocks of a transpose, from the source or from a packed buffer. Meanwhile the next block is fetched: it is
 * prefetched, or packed into a second buffer.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "host/transpose/blocking.h"
#include "host/base/memory_hints.h"
#include "host/transpose/block_run.h"
#include "host/transpose/blocks.h"

enum {
    PIECE_BYTES = 512 /* most bytes that are packed or prefetched at a time, after as many are stored */
};

/* --- rows of the next block ----------------------------------------------------- */

/* A cursor over the rows of the blocks: the next row of a block, and the bytes of it that were read. */
struct reader {
    struct svi_blocks blocks;
    bool joins;     /* contiguous rows of a dense blocking are read as one */
    int64_t row;    /* the next row of the block */
    int64_t rows;   /* rows that are read as one */
    int64_t nbytes; /* bytes of these rows together */
    int64_t done;   /* bytes of them that were read */
    int64_t most;   /* bytes that are read at a time */
};

/* A piece of a row that is fetched at a time. */
struct piece {
    const char *from, *ahead;
    int64_t nbytes, nbytes_ahead;
    int64_t lines; /* of both that are brought between stores */
};

struct svi_walk {
    struct svi_bring bring;
    struct piece piece;
    struct svi_blocks blocks;
    struct reader from, ahead; /* the rows that are fetched, and those that are prefetched meanwhile */
    bool packs;                /* rows are copied to a buffer; else they are prefetched to L1 */
    bool further;              /* rows of ahead are prefetched to L2 */
    bool mixes;                /* rows are fetched between the stores of the block before, else after some of them */
    char *to;                  /* the place in the buffer for the next row */
    int64_t skip;              /* bytes from the end of a row in the buffer to the next */
    int64_t blocks_left;       /* blocks after the one that is fetched */
    int64_t nbytes;            /* bytes of the block that is fetched */
    int64_t left;              /* bytes of it that are not fetched yet */
    int64_t due;               /* bytes to fetch now, times the parts of the block that is stored */
};

/* Bytes from row to row of a buffer: an odd number of lines, so that rows share no sets of the caches. */
static int64_t choose_buffer_pitch(const struct svi_blocks *b)
{
    const int64_t nbytes = b->columns * b->blocking->item;

    return svi_blocking_is_dense(b->blocking) ? nbytes : (nbytes / SVI_LINE | 1) * SVI_LINE;
}

static int64_t nbytes_of(const struct svi_blocks *b)
{
    return b->rows * b->columns * b->blocking->item;
}

static void enter_block(struct reader *r)
{
    const struct svi_blocks *b = &r->blocks;
    const int64_t row = b->columns * b->blocking->item;

    r->row = 0;
    r->rows = svi_blocking_is_dense(b->blocking) || (r->joins && b->pitch == row) ? b->rows : 1;
    r->nbytes = r->rows * row;
}

/* The next piece. After the last block comes the first again. */
static inline const char *next_piece(struct reader *r, int64_t *nbytes)
{
    const char *at = r->blocks.src + r->blocks.row[r->row] + r->done;

    *nbytes = svi_smaller(r->most, r->nbytes - r->done);
    r->done += *nbytes;
    if (r->done == r->nbytes) {
        r->done = 0;
        r->row += r->rows;
        if (r->row == r->blocks.rows) {
            svi_blocks_next(&r->blocks);
            enter_block(r);
        }
    }
    return at;
}

SVI_INLINE void prefetch_bytes(const char *at, int64_t nbytes, bool to_l1)
{
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        if (to_l1)
            svi_prefetch(at + k);
        else
            svi_prefetch_l2(at + k);
}

/* Prepares the next piece. */
static void take_piece(struct svi_walk *w)
{
    struct piece *p = &w->piece;

    p->from = next_piece(&w->from, &p->nbytes);
    p->ahead = p->from;
    p->nbytes_ahead = 0;
    if (w->further)
        p->ahead = next_piece(&w->ahead, &p->nbytes_ahead);
}

/* Fetches the rest of a piece, of which `done` bytes are fetched. */
static void finish_piece(struct svi_walk *w, int64_t done)
{
    const struct piece *p = &w->piece;

    if (w->packs) {
        prefetch_bytes(p->ahead + done, p->nbytes_ahead - done, true);
        memcpy(w->to + done, p->from + done, (size_t)(p->nbytes - done));
        w->to += p->nbytes + (w->from.done == 0 ? w->skip : 0);
    } else {
        prefetch_bytes(p->from + done, p->nbytes - done, true);
        prefetch_bytes(p->ahead + done, p->nbytes_ahead - done, false);
    }
    w->left -= p->nbytes;
}

void svi_bring_part(struct svi_walk *w, int64_t part, int64_t all)
{
    w->due += part * w->nbytes;
    while (w->due >= all && w->left > 0) {
        take_piece(w);
        finish_piece(w, 0);
        w->due -= w->piece.nbytes * all;
    }
}

/* svi_bring.next of lines that are fetched between stores. bring is the first member of its walk. */
static void next_lines(struct svi_bring *bring)
{
    struct svi_walk *w = (struct svi_walk *)(void *)bring;
    struct piece *p = &w->piece;

    if (p->nbytes > 0)
        finish_piece(w, (p->lines - bring->lines) * SVI_LINE);
    *bring = (struct svi_bring){.next = NULL};
    p->nbytes = 0;
    if (w->left == 0)
        return;
    take_piece(w);
    p->lines = svi_smaller(p->nbytes, w->further ? p->nbytes_ahead : p->nbytes) / SVI_LINE;
    *bring = (struct svi_bring){p->from, p->ahead, w->to, p->lines, next_lines};
}

static void bring_rest(struct svi_walk *w)
{
    while (w->bring.next != NULL)
        w->bring.next(&w->bring);
    while (w->left > 0) {
        take_piece(w);
        finish_piece(w, 0);
    }
}

/* Begins to fetch the next block, unless this is the last. */
static void begin_next(struct svi_walk *w, char *buffer)
{
    const struct svi_blocks *b = &w->from.blocks;

    w->to = buffer;
    w->skip = choose_buffer_pitch(b) - b->columns * b->blocking->item;
    w->due = 0;
    w->nbytes = w->left = w->blocks_left > 0 ? nbytes_of(b) : 0;
    w->blocks_left--;
    w->piece.nbytes = 0;
    w->bring = (struct svi_bring){.next = w->mixes && w->left > 0 ? next_lines : NULL};
}

/* --- a walk --------------------------------------------------------------------- */

/* Begins with the first block. The reader ahead is run->ahead bytes before the other. */
static void begin_walk(struct svi_walk *w, const struct svi_blocking *blocking, const struct svi_block_run *run,
                       char *dst, const char *src)
{
    int64_t ahead = run->ahead;

    svi_blocks_begin(&w->blocks, blocking, dst, src);
    w->blocks_left = svi_blocks_count(&w->blocks, 0);
    w->from = (struct reader){
        .blocks = w->blocks, .joins = run->mixes && !run->packs, .most = run->mixes ? INT64_MAX : PIECE_BYTES};
    enter_block(&w->from);
    w->ahead = w->from;
    w->packs = run->packs;
    w->mixes = run->mixes;
    w->further = run->packs || ahead > 0;
    while (ahead > 0) {
        int64_t nbytes;
        const char *at = next_piece(&w->ahead, &nbytes);

        prefetch_bytes(at, nbytes, true);
        ahead -= nbytes;
    }
}

/* Bytes of one buffer. */
static int64_t buffer_nbytes(const struct svi_blocking *s)
{
    const int64_t rows = svi_larger(svi_axis_group_largest(&s->rows), s->rows.block);

    return (rows + 1) * (svi_axis_group_largest(&s->columns) * s->item + SVI_LINE);
}

/* Stores a block from the source, of which lines of items of 8 bytes and more are read whole, or from a buffer. */
static void store_walk_block(struct svi_walk *w, svi_stream_tiles *stream_tiles, enum svi_op op, const char *buffer)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = b->blocking->item, width = SVI_TILES_WIDTH(item, buffer != NULL);
    struct svi_line_tiles t = {b->dst, b->offset, b->src,         b->row,   b->pitch, width, b->rows * item / SVI_LINE,
                               item,   op,        buffer != NULL, &w->bring};

    if (buffer != NULL) {
        t.src = buffer;
        t.pitch = choose_buffer_pitch(b);
    } else if (t.pitch != 0) {
        t.src += b->row[0];
    }
    if (t.pitch != 0)
        t.row = NULL;
    for (int64_t i = 0; i < b->columns; i += width / item, t.column += width / item, t.src += width) {
        stream_tiles(&t);
        if (!w->mixes)
            svi_bring_part(w, width / item, b->columns);
    }
}

/* While a block is stored, the next one is packed or prefetched, and rows further ahead are prefetched. */
bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_run *run,
                    char *dst, const char *src)
{
    const int64_t nbytes = run->packs ? buffer_nbytes(blocking) : 0;
    svi_stream_tiles *const stream_tiles = run->op == SVI_OP_COUNT ? isa->nt->tiles : isa->cast->tiles;
    struct svi_walk *w = svi_malloc(sizeof *w + (size_t)(2 * nbytes) + SVI_LINE);
    char *now, *later;

    if (w == NULL || !svi_blocking_open(blocking)) {
        svi_free(w);
        return false;
    }
    now = svi_line_from((char *)(w + 1));
    later = now + nbytes;
    begin_walk(w, blocking, run, dst, src);
    begin_next(w, now);
    do {
        char *done = now;

        bring_rest(w);
        begin_next(w, later);
        if (run->store != NULL)
            run->store(run->work, &(struct svi_packed){&w->blocks, now, choose_buffer_pitch(&w->blocks), w});
        else
            store_walk_block(w, stream_tiles, run->op, run->packs ? now : NULL);
        now = later;
        later = done;
    } while (svi_blocks_next(&w->blocks));
    svi_blocking_close(blocking);
    svi_free(w);
    return true;
}
