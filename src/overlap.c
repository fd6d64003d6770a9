/*
 * Whether elements share bytes is whether a bounded linear Diophantine equation can be solved: are there z[k], 0 <=
 * z[k] <= bound[k], so that sum(stride[k] * z[k]) falls between low and high? That is NP-hard, so the search has a work
 * limit. Seeing it so is NumPy's idea (its numpy.shares_memory). Item sizes enter as the width of the interval, which
 * is one more axis of stride 1. What layouts look like in practice is decided before the search, by shortening the
 * equation.
 */
#include "overlap.h"

#include "checked.h"

struct term {
    int64_t stride; /* > 0 */
    int64_t bound;  /* > 0 */
};

struct equation {
    int64_t low, high;
    int32_t count;
    struct term terms[2 * SV_MAX_NDIM]; /* the smallest stride first, once shortened */
    int64_t reach[2 * SV_MAX_NDIM + 1]; /* largest sum of the first k terms */
    int64_t common[2 * SV_MAX_NDIM + 1]; /* greatest common divisor of the first k strides */
};

/* Sums stay below this, so that nothing here overflows. Real memory is far smaller. */
static const int64_t largest = INT64_MAX / 8;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t floor_divide(int64_t a, int64_t b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

static int64_t ceil_divide(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static void add_term(struct equation *e, int64_t stride, int64_t bound)
{
    if (stride != 0 && bound != 0)
        e->terms[e->count++] = (struct term){stride, bound};
}

static void drop_term(struct equation *e, int32_t k)
{
    e->count--;
    for (int32_t i = k; i < e->count; i++)
        e->terms[i] = e->terms[i + 1];
}

static void sort_terms(struct equation *e)
{
    for (int32_t i = 1; i < e->count; i++) {
        struct term term = e->terms[i];
        int32_t place = i;
        for (; place > 0 && e->terms[place - 1].stride > term.stride; place--)
            e->terms[place] = e->terms[place - 1];
        e->terms[place] = term;
    }
}

/* Divides by what all strides have in common; the interval keeps only the multiples of it. */
static void divide_terms(struct equation *e)
{
    uint64_t common = 0;

    for (int32_t i = 0; i < e->count; i++)
        common = common_divisor((uint64_t)e->terms[i].stride, common);
    if (common <= 1)
        return;
    for (int32_t i = 0; i < e->count; i++)
        e->terms[i].stride /= (int64_t)common;
    e->low = ceil_divide(e->low, (int64_t)common);
    e->high = floor_divide(e->high, (int64_t)common);
}

/* A term that steps no further than the interval is wide only makes it wider. */
static bool absorb_term(struct equation *e)
{
    if (e->count == 0 || e->terms[0].stride - 1 > e->high - e->low)
        return false;
    e->low -= e->terms[0].stride * e->terms[0].bound;
    drop_term(e, 0);
    return true;
}

/* Two terms that together reach an unbroken run of multiples of the smaller stride are one. */
static bool merge_terms(struct equation *e)
{
    for (int32_t j = 1; j < e->count; j++) {
        for (int32_t i = 0; i < j; i++) {
            struct term *small = &e->terms[i], *large = &e->terms[j];
            int64_t times = large->stride / small->stride;
            if (times * small->stride == large->stride && times - 1 <= small->bound) {
                small->bound += times * large->bound;
                drop_term(e, j);
                return true;
            }
        }
    }
    return false;
}

/* Least i >= 0 with low <= a * i mod m <= high, 0 < low <= high < m and 0 <= a < m; -1: none, or out of range. */
static int64_t first_hit(int64_t a, int64_t m, int64_t low, int64_t high)
{
    int64_t i, turns, way;

    if (a == 0)
        return -1;
    i = ceil_divide(low, a);
    if (a * i <= high)
        return i;
    turns = first_hit(m % a, a, a - high % a, a - low % a);
    if (turns < 0 || svi_mul(turns, m, &way) || svi_add(way, low, &way))
        return -1;
    return ceil_divide(way, a);
}

/* Two terms, 0 < low, high < reach: x of the larger stride leaves a rest that z of the smaller one must meet. */
static bool solve_two(const struct equation *e, int64_t low, int64_t high)
{
    struct term small = e->terms[0], large = e->terms[1];
    int64_t first = low > e->reach[1] ? ceil_divide(low - e->reach[1], large.stride) : 0;
    int64_t last = high / large.stride < large.bound ? high / large.stride : large.bound;
    int64_t width = high - low, rest, step, hit;

    if (first > last)
        return false;
    rest = (high - large.stride * first) % small.stride;
    if (rest <= width)
        return true;
    step = (small.stride - large.stride % small.stride) % small.stride;
    hit = first_hit(step, small.stride, small.stride - rest, small.stride - rest + width);
    return hit >= 0 && hit <= last - first;
}

/* The first count terms, largest stride first: try each z that the terms below can still make up for. */
static int32_t search(const struct equation *e, int32_t count, int64_t low, int64_t high, int64_t *work)
{
    struct term top;
    int64_t first, last;

    if (high < 0 || low > e->reach[count])
        return SVI_NO;
    if (low <= 0 || high >= e->reach[count])
        return SVI_YES;
    if (high - high % e->common[count] < low)
        return SVI_NO;
    if (count == 1)
        return SVI_YES;
    if (count == 2)
        return solve_two(e, low, high) ? SVI_YES : SVI_NO;
    top = e->terms[count - 1];
    first = low > e->reach[count - 1] ? ceil_divide(low - e->reach[count - 1], top.stride) : 0;
    last = high / top.stride < top.bound ? high / top.stride : top.bound;
    for (int64_t z = first; z <= last; z++) {
        int32_t answer;
        if (--*work < 0)
            return SVI_MAYBE;
        answer = search(e, count - 1, low - z * top.stride, high - z * top.stride, work);
        if (answer != SVI_NO)
            return answer;
    }
    return SVI_NO;
}

/* Uses e up. */
static int32_t solve(struct equation *e, int64_t *work)
{
    int64_t sum = 0;

    for (int32_t i = 0; i < e->count; i++)
        if (svi_advance(sum, e->terms[i].bound, e->terms[i].stride, &sum) || sum > largest)
            return SVI_MAYBE;
    if (e->low < -largest || e->high > largest)
        return SVI_MAYBE;
    sort_terms(e);
    do {
        divide_terms(e);
        if (e->low > e->high)
            return SVI_NO;
    } while (absorb_term(e) || merge_terms(e));

    e->reach[0] = e->common[0] = 0;
    for (int32_t i = 0; i < e->count; i++) {
        e->reach[i + 1] = e->reach[i] + e->terms[i].stride * e->terms[i].bound;
        e->common[i + 1] = (int64_t)common_divisor((uint64_t)e->terms[i].stride, (uint64_t)e->common[i]);
    }
    return search(e, e->count, e->low, e->high, work);
}

/* Lengths and strides of the axes that move, the smallest stride first. Returns their number. */
static int32_t moving_axes(const sv_layout *layout, uint64_t *strides, int64_t *bounds)
{
    int32_t count = 0;

    for (int32_t i = 0; i < layout->ndim; i++) {
        uint64_t stride = svi_abs(svi_layout_byte_strides(layout)[i]);
        int32_t place = count;
        if (svi_layout_shape(layout)[i] <= 1)
            continue;
        for (; place > 0 && strides[place - 1] > stride; place--) {
            strides[place] = strides[place - 1];
            bounds[place] = bounds[place - 1];
        }
        strides[place] = stride;
        bounds[place] = svi_layout_shape(layout)[i] - 1;
        count++;
    }
    return count;
}

/* Every axis steps over all that lies within the ones before it. The sums fit: they are less than upper - lower. */
static bool is_nested(int64_t itemsize, int32_t count, const uint64_t *strides, const int64_t *bounds)
{
    uint64_t last = (uint64_t)itemsize - 1;

    for (int32_t i = 0; i < count; i++) {
        if (strides[i] <= last)
            return false;
        last += strides[i] * (uint64_t)bounds[i];
    }
    return true;
}

/*
 * Two indices that differ share a byte when their difference d, within +-bounds, has |sum(strides * d)| <= width. With
 * d or -d, the last axis that differs, top, counts up from 1.
 */
static int32_t solve_differences(int32_t top, const int64_t *strides, const int64_t *bounds, int64_t width,
                                 int64_t *work)
{
    struct equation e = {.low = -width - strides[top], .high = width - strides[top]};

    add_term(&e, strides[top], bounds[top] - 1);
    for (int32_t i = 0; i < top; i++) {
        add_term(&e, strides[i], 2 * bounds[i]);
        e.low += strides[i] * bounds[i];
        e.high += strides[i] * bounds[i];
    }
    return solve(&e, work);
}

int32_t svi_overlap_self(const sv_layout *layout, int64_t work)
{
    uint64_t strides[SV_MAX_NDIM], length, common = 0;
    int64_t bounds[SV_MAX_NDIM], reduced[SV_MAX_NDIM];
    int32_t count, answer = SVI_NO;

    if (layout->extent.size <= 1)
        return SVI_NO;
    count = moving_axes(layout, strides, bounds);
    if (is_nested(layout->itemsize, count, strides, bounds))
        return SVI_NO;
    length = (uint64_t)layout->extent.upper - (uint64_t)layout->extent.lower;
    if (strides[0] < (uint64_t)layout->itemsize || (uint64_t)(layout->extent.size * layout->itemsize) > length)
        return SVI_YES;

    for (int32_t i = 0; i < count; i++)
        common = common_divisor(strides[i], common);
    if (length / common > (uint64_t)largest / 2)
        return SVI_MAYBE;
    for (int32_t i = 0; i < count; i++)
        reduced[i] = (int64_t)(strides[i] / common);
    for (int32_t top = 0; top < count && answer == SVI_NO; top++)
        answer = solve_differences(top, reduced, bounds, (int64_t)((uint64_t)(layout->itemsize - 1) / common), &work);
    return answer;
}

static void add_axes(struct equation *e, const sv_layout *layout)
{
    for (int32_t i = 0; i < layout->ndim; i++)
        add_term(e, (int64_t)svi_abs(svi_layout_byte_strides(layout)[i]), svi_layout_shape(layout)[i] - 1);
}

int32_t svi_overlap_two(uintptr_t base, const sv_layout *layout, uintptr_t other_base, const sv_layout *other,
                        int64_t work)
{
    struct equation e = {.count = 0};
    uint64_t start = base + (uint64_t)layout->extent.lower, other_start = other_base + (uint64_t)other->extent.lower;
    uint64_t length = (uint64_t)layout->extent.upper - (uint64_t)layout->extent.lower;
    uint64_t other_length = (uint64_t)other->extent.upper - (uint64_t)other->extent.lower;
    int64_t first;

    if (layout->extent.size == 0 || other->extent.size == 0)
        return SVI_NO;
    if (start <= other_start ? other_start - start >= length : start - other_start >= other_length)
        return SVI_NO;
    first = (int64_t)(other_base + (uint64_t)other->byte_offset - base - (uint64_t)layout->byte_offset);
    if (-other->itemsize < first && first < layout->itemsize)
        return SVI_YES; /* the elements with all indices 0 */
    if (length > (uint64_t)largest / 4 || other_length > (uint64_t)largest / 4)
        return SVI_MAYBE;

    /* The other's axes counted from their ends, so that all terms are positive. */
    e.low = (int64_t)(other_start - start) + (int64_t)other_length - other->itemsize - (layout->itemsize - 1);
    e.high = (int64_t)(other_start - start) + (int64_t)other_length - 1;
    add_axes(&e, layout);
    add_axes(&e, other);
    return solve(&e, &work);
}
