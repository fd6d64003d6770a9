/*
 * Rows of elements of 3, 5, 6 and 7 bytes at a small step in the source, contiguous in the destination: for example
 * every second pixel of 3 bytes. A byte shuffle compacts the elements in 16 bytes of the source. The bytes that a store
 * writes behind them are overwritten by the next store. After strided.h, for vectors of two lanes.
 */
#ifndef SVI_HOST_ISA_STEPPED_H
#define SVI_HOST_ISA_STEPPED_H

/* The shuffle that compacts `each` elements of a lane. 128 gives 0. */
SVI_INLINE vec step_mask(int item, int64_t step, int64_t each)
{
    unsigned char bytes[LANE];

    for (int b = 0; b < LANE; b++)
        bytes[b] = (unsigned char)(b < each * item ? b / item * step + b % item : 128);
    return load_lanes((const char *)bytes, 0);
}

/*
 * A load must end within the element behind its own, and a store within the row. So the last elements, as many as both
 * lanes have, are copied one by one.
 */
SVI_INLINE void step_rows_of(struct svi_rows r, int64_t step, int item)
{
    const int64_t count = r.nbytes / item, each = (LANE - item) / step + 1, whole = (LANE + item - 1) / item;
    const int64_t least = each + (each + 1 > whole ? each + 1 : whole);
    const vec mask = step_mask(item, step, each);

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        int64_t k = 0;

        for (; count - k >= least; k += LANES * each) {
            const vec v = pick(load_lanes(r.src + k * step, each * step), mask);

            store_lane(r.dst + k * item, v, 0);
            store_lane(r.dst + (k + each) * item, v, 1);
        }
        for (; k < count; k++)
            memcpy(r.dst + k * item, r.src + k * step, (size_t)item);
    }
}

static void step_rows(const struct svi_rows *rows, int64_t step, int item)
{
    switch (item) {
    case 3: step_rows_of(*rows, step, 3); break;
    case 5: step_rows_of(*rows, step, 5); break;
    case 6: step_rows_of(*rows, step, 6); break;
    default: step_rows_of(*rows, step, 7); break;
    }
}

#endif
