/*
 * Maximum-weight assignments of parts to ranks. The exact one is the Hungarian method by shortest augmenting paths. The
 * greedy one takes a pair of a part and a rank where each is the best that the other can have: such pairs have at least
 * half of the largest weight, since each stands in the way of two pairs at most, neither of which weighs more. They are
 * found along chains from the best to the best, so that no list of all pairs is needed. Ties go to the lower number.
 */
#include "assignment.h"

#include <stdlib.h>

#include "failure.h"

/* --- exact ------------------------------------------------------------------- */

enum { WEIGHT_BITS = 52 }; /* sums of up to 2^10 weights are far from the end of int64 */

/* Rows are parts and columns are ranks; column `count` is where the path of a new row begins. */
struct matching {
    int32_t count;
    int64_t *costs;               /* [row][column] */
    int64_t *row_price, *price;   /* costs less both prices are 0 or more, and 0 for what is matched */
    int64_t *distance;            /* of the new row to a column */
    int32_t *row_of, *previous;   /* of a column: its row or -1, and the column before it on the path */
    bool *is_reached;
};

/* Makes the distances to all columns as small as a path by way of `column` makes them; the next one is the nearest. */
static int32_t extend(const struct matching *m, int32_t column)
{
    const int32_t row = m->row_of[column];
    const int64_t *costs = m->costs + (int64_t)row * m->count;
    int32_t next = -1;

    for (int32_t k = 0; k < m->count; k++) {
        if (m->is_reached[k])
            continue;

        const int64_t through = m->distance[column] + costs[k] - m->row_price[row] - m->price[k];

        if (through < m->distance[k]) {
            m->distance[k] = through;
            m->previous[k] = column;
        }
        if (next < 0 || m->distance[k] < m->distance[next])
            next = k;
    }
    return next;
}

/* A path to a free column, along which the rows move on by one column. */
static void add_row(const struct matching *m, int32_t row)
{
    int32_t column = m->count;

    for (int32_t k = 0; k < m->count; k++) {
        m->distance[k] = INT64_MAX;
        m->is_reached[k] = false;
    }
    m->row_of[column] = row;
    m->distance[column] = 0;
    m->row_price[row] = 0;
    while (m->row_of[column] >= 0) {
        if (column < m->count)
            m->is_reached[column] = true;
        column = extend(m, column);
    }

    const int64_t length = m->distance[column];

    m->row_price[row] += length;
    for (int32_t k = 0; k < m->count; k++)
        if (m->is_reached[k]) {
            m->row_price[m->row_of[k]] += length - m->distance[k];
            m->price[k] -= length - m->distance[k];
        }
    while (column != m->count) {
        m->row_of[column] = m->row_of[m->previous[column]];
        column = m->previous[column];
    }
}

static void note_cost(void *context, int32_t part, int32_t rank, int64_t elements)
{
    const struct matching *m = ((void **)context)[0];
    const struct svm_shares *shares = ((void **)context)[1];

    m->costs[(int64_t)part * m->count + rank - shares->to->first] = -elements;
}

/* Costs are 0 or more. Where elements are more than 2^52, their last bits do not count. */
static void make_costs(const struct svm_shares *shares, const struct matching *m)
{
    const int64_t pairs = (int64_t)m->count * m->count;
    const void *context[] = {m, shares};
    int64_t least = 0;
    int shift = 0;

    for (int32_t part = 0; part < m->count; part++)
        svm_shares_visit_ranks(shares, part, note_cost, context);
    for (int64_t i = 0; i < pairs; i++)
        least = m->costs[i] < least ? m->costs[i] : least;
    while (-least >> shift >> WEIGHT_BITS != 0)
        shift++;
    for (int64_t i = 0; i < pairs; i++)
        m->costs[i] = (-least >> shift) - (-m->costs[i] >> shift);
}

sv_status svm_assign_exactly(const struct svm_shares *shares, int32_t *ranks)
{
    const int32_t count = svm_distribution_parts(shares->to);
    const size_t n = (size_t)count + 1;
    int64_t *numbers = calloc(n * n + 3 * n, sizeof *numbers);
    int32_t *columns = calloc(2 * n, sizeof *columns);
    bool *is_reached = calloc(n, sizeof *is_reached);
    const struct matching m = {count,   numbers,     numbers + n * n, numbers + n * n + n, numbers + n * n + 2 * n,
                               columns, columns + n, is_reached};
    sv_status status = SV_OK;

    if (numbers == NULL || columns == NULL || is_reached == NULL) {
        status = svm_fail(SV_ERROR_MEMORY, "no memory for an assignment of %d ranks", (int)count);
    } else {
        make_costs(shares, &m);
        for (int32_t k = 0; k < count; k++)
            m.row_of[k] = -1;
        for (int32_t row = 0; row < count; row++)
            add_row(&m, row);
        for (int32_t k = 0; k < count; k++)
            ranks[m.row_of[k]] = k;
    }
    free(is_reached);
    free(columns);
    free(numbers);
    return status;
}

/* --- greedy ------------------------------------------------------------------ */

struct greedy {
    const struct svm_shares *shares;
    int32_t count, first;
    int32_t *ranks, *parts; /* of each part its rank, and of each rank its part; -1: free */
    int32_t *chain;         /* parts */
    int32_t best;           /* of a search: -1, or the number of a rank or a part */
    int64_t most;
};

static void offer(struct greedy *g, int32_t number, int64_t elements)
{
    if (elements > g->most || (elements == g->most && number < g->best)) {
        g->most = elements;
        g->best = number;
    }
}

static void offer_rank(void *context, int32_t part, int32_t rank, int64_t elements)
{
    struct greedy *g = context;

    (void)part;
    if (g->parts[rank - g->first] < 0)
        offer(g, rank - g->first, elements);
}

static void offer_part(void *context, int32_t part, int32_t rank, int64_t elements)
{
    struct greedy *g = context;

    (void)rank;
    if (g->ranks[part] < 0)
        offer(g, part, elements);
}

/* The free rank that shares most with a part, or the free part that shares most with a rank. */
static int32_t best_rank(struct greedy *g, int32_t part)
{
    g->best = -1;
    g->most = 0;
    svm_shares_visit_ranks(g->shares, part, offer_rank, g);
    return g->best;
}

static int32_t best_part(struct greedy *g, int32_t rank)
{
    g->best = -1;
    g->most = 0;
    svm_shares_visit_parts(g->shares, g->first + rank, offer_part, g);
    return g->best;
}

/* Pairs along the chains that begin at a part, until that one has a rank, or shares nothing with those that are left. */
static void follow(struct greedy *g, int32_t part)
{
    int32_t length = 1;

    g->chain[0] = part;
    while (length > 0) {
        const int32_t last = g->chain[length - 1], rank = best_rank(g, last);
        const int32_t other = rank >= 0 ? best_part(g, rank) : last;

        if (other != last) {
            g->chain[length++] = other;
            continue;
        }
        if (rank >= 0) {
            g->ranks[last] = rank;
            g->parts[rank] = last;
        }
        length--;
    }
}

/* Who shares nothing with what is left: its own rank, or the next one that is free. */
static void give_rest(struct greedy *g)
{
    int32_t next = 0;

    for (int32_t part = 0; part < g->count; part++) {
        const int32_t own = svm_distribution_rank(g->shares->to, part) - g->first;

        if (g->ranks[part] < 0 && g->parts[own] < 0) {
            g->ranks[part] = own;
            g->parts[own] = part;
        }
    }
    for (int32_t part = 0; part < g->count; part++)
        if (g->ranks[part] < 0) {
            while (g->parts[next] >= 0)
                next++;
            g->ranks[part] = next;
            g->parts[next] = part;
        }
}

sv_status svm_assign_greedily(const struct svm_shares *shares, int32_t *ranks)
{
    const int32_t count = svm_distribution_parts(shares->to);
    int32_t *numbers = malloc(2 * (size_t)count * sizeof *numbers);
    struct greedy g = {.shares = shares, .count = count, .first = shares->to->first, .ranks = ranks, .parts = numbers};

    if (numbers == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for an assignment of %d ranks", (int)count);
    g.chain = numbers + count;
    for (int32_t k = 0; k < count; k++)
        g.ranks[k] = g.parts[k] = -1;
    for (int32_t part = 0; part < count; part++)
        if (g.ranks[part] < 0)
            follow(&g, part);
    give_rest(&g);
    free(numbers);
    return SV_OK;
}
