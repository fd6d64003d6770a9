// Runs in both: a block copies 16 KiB of one long row (line), or some rows of up to 2 KiB (rows).
#include "gpu/cuda/kernels/kernel.cuh"

SVI_DEVICE void line_aligned(char *dst, const char *src, int64_t first, int64_t width)
{
    const int64_t at = first + threadIdx.x * 16;
    Vector v[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (at + k * STEP < width)
            v[k] = load<16>(src + at + k * STEP);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (at + k * STEP < width)
            store<16>(dst + at + k * STEP, v[k]);
}

// Bytes before a row of the destination that its first vector has.
SVI_DEVICE int before_row(const char *row)
{
    return int(uintptr_t(row) & 15);
}

// The 16 bytes of a row from byte at on, some of which may be outside it, begin at a multiple of 16 of the destination.
struct Piece {
    char *dst; // of the row
    const char *src;
    int64_t at; // -15 and more
};

SVI_DEVICE bool is_whole(const Piece &piece, int64_t width)
{
    return piece.at >= 0 && piece.at + 16 + (SVI_HAS_FAULT(VECTOR_PAST_THE_END) ? -1 : 0) <= width;
}

// Whether the two aligned vectors around a piece exist.
SVI_DEVICE bool is_readable(const Piece &piece, const char *lower, const char *upper)
{
    const char *from = piece.src + piece.at;

    from -= beyond_vector(from);
    return from >= lower && from + 32 <= upper;
}

// All loads of whole pieces are on their way before the first is shifted.
SVI_DEVICE void copy_pieces(const Piece (&piece)[VECTORS], int64_t width, const char *lower, const char *upper)
{
    Vector low[VECTORS], high[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const char *from = piece[k].src + piece[k].at;

        if (is_whole(piece[k], width) && is_readable(piece[k], lower, upper)) {
            from -= beyond_vector(from);
            low[k] = load<16>(from);
            high[k] = load<16>(from + 16);
        }
    }
    SVI_LOADS_FIRST;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (is_whole(piece[k], width) && is_readable(piece[k], lower, upper))
            store<16>(piece[k].dst + piece[k].at,
                      shifted<1>(low[k], high[k], beyond_vector(piece[k].src + piece[k].at)));
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (is_whole(piece[k], width) && !is_readable(piece[k], lower, upper))
            store<16>(piece[k].dst + piece[k].at, load_items<1>(piece[k].src + piece[k].at, 0, 16));
}

// What is left of a row before and after its whole pieces, byte by byte, by neighbouring threads: they share sectors.
SVI_DEVICE void copy_ends(char *dst, const char *src, int64_t width, unsigned lane, unsigned lanes)
{
    const int before = -before_row(dst) & 15, head = before < width ? before : int(width);
    const int tail = int((width - head) & 15);

#pragma unroll 1
    for (int k = int(lane); k < head + tail; k += int(lanes)) {
        const int64_t at = k < head ? k : width - tail + (k - head);

        store<1>(dst + at, load<1>(src + at));
    }
}

// 16 KiB of a row from byte first on; what may be read around it is from lower to upper.
SVI_DEVICE void line_any(char *dst, const char *src, int64_t first, int64_t width, const char *lower, const char *upper)
{
    const int64_t at = first + threadIdx.x * 16 - before_row(dst);
    const Piece pieces[VECTORS] = {
        {dst, src, at}, {dst, src, at + STEP}, {dst, src, at + 2 * STEP}, {dst, src, at + 3 * STEP}};

    copy_pieces(pieces, width, lower, upper);
    if (first == 0)
        copy_ends(dst, src, width, threadIdx.x, THREADS);
}

template <bool ALIGNED> SVI_DEVICE void line(const svi_launch &p, char *dst, const char *src)
{
    int64_t to = p.dst_offset, from = p.src_offset;
    uint32_t n = blockIdx.x;
    const int64_t first = int64_t(take_digit(n, p.bands)) * SVI_LAUNCH_BYTES;

    add_outer(p, n, to, from);
    if (ALIGNED)
        line_aligned(dst + to, src + from, first, p.width);
    else
        line_any(dst + to, src + from, first, p.width, src + p.src_lower, src + p.src_upper);
}

SVI_KERNEL(8) svi_line_16(const __grid_constant__ svi_launch p, char *dst, const char *src)
{
    line<true>(p, dst, src);
}

SVI_KERNEL(4) svi_line_any(const __grid_constant__ svi_launch p, char *dst, const char *src)
{
    line<false>(p, dst, src);
}

// band threads, a power of two, copy one row; the block's rows follow each other at one pitch on each side.
SVI_DEVICE void rows(const svi_launch &p, char *dst, const char *src)
{
    int64_t to = p.dst_offset, from = p.src_offset;
    uint32_t n = blockIdx.x;
    const uint32_t step = THREADS / p.band; // rows
    const int64_t row = int64_t(take_digit(n, p.tiles_a)) * step * VECTORS + threadIdx.x / p.band;
    const int lane = int(threadIdx.x & (p.band - 1));
    Piece pieces[VECTORS];

    add_outer(p, n, to, from);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int64_t at = row + k * step;

        pieces[k].dst = dst + to + at * p.b_dst;
        pieces[k].src = src + from + at * p.a_src;
        pieces[k].at = at < p.count ? lane * 16 - before_row(pieces[k].dst) : p.width;
    }
    copy_pieces(pieces, p.width, src + p.src_lower, src + p.src_upper);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        if (row + k * step < p.count)
            copy_ends(pieces[k].dst, pieces[k].src, p.width, unsigned(lane), p.band);
}

SVI_KERNEL(2) svi_rows_any(const __grid_constant__ svi_launch p, char *dst, const char *src)
{
    rows(p, dst, src);
}
