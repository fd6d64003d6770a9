/*
 * Which kernel launch_shape.c chooses for permutations of 3 to 6 axes of 2 to 40 items: what it moves is counted, and so
 * is what each of the other families would move. The chosen one takes at most 1.3 times as long as the best of them by
 * the estimate of launch_cost.h, with the sectors that were counted in place of those that were estimated. The ten worst
 * are printed. With an argument, how many permutations are tried, from the first round on.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "gpu/launch_box.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_tile.h"
#include "support/numbers.h"
#include "support/pairs.h"
#include "tap.h"

enum {
    LARGE = 8 << 20, /* bytes: a copy of fewer is there as often as it needs to be */
    MOST = 64 << 20,
    SAMPLES = 3, /* blocks */
    TILES = 2,   /* of each of them */
    WORST = 10,
    PERMUTATIONS = 4 * (6 + 24 + 120 + 720), /* of 3 to 6 axes, for items of four sizes */
    MANY_BLOCKS = 1 << 30
};

static svi_launch_family *const families[] = {svi_family_tile, svi_family_channels, svi_family_permute,
                                              svi_family_box, svi_family_flat};

enum { FAMILIES = sizeof families / sizeof *families };

/* What a family takes: the counted sectors, accesses to memory and the time, each to a byte of the payload. */
struct counted {
    bool copies;
    int32_t kernel;
    double sectors, accesses, time;
};

struct choice {
    struct emulated_copy copy;
    int32_t order[COPY_NDIM];
    struct counted chosen, best;
};

/* --- permutations ----------------------------------------------------------------------------------------- */

/* Permutation number n of some axes. */
static void permute(int32_t count, int64_t n, int32_t *order)
{
    int32_t left[COPY_NDIM];

    for (int32_t k = 0; k < count; k++)
        left[k] = k;
    for (int32_t i = 0; i < count; i++) {
        const int32_t rest = count - i, at = (int32_t)(n % rest);

        n /= rest;
        order[i] = left[at];
        memmove(left + at, left + at + 1, (size_t)(rest - at - 1) * sizeof *left);
    }
}

/* All permutations of 3 to 6 axes follow each other, each with items of 1, 2, 4 and 8 bytes. */
static void find_permutation(int64_t round, int32_t *ndim, int64_t *number)
{
    static const int64_t counts[] = {6, 24, 120, 720};
    int64_t n = round / 4 % (PERMUTATIONS / 4);

    *ndim = 3;
    while (n >= counts[*ndim - 3])
        n -= counts[(*ndim)++ - 3];
    *number = n;
}

static int64_t choose_extents(struct emulated_copy *copy, int32_t first)
{
    int64_t nbytes;

    do {
        nbytes = copy->itemsize;
        for (int32_t k = first; k < copy->ndim; k++) {
            copy->shape[k] = test_between(2, test_between(0, 3) ? 40 : 8);
            nbytes *= copy->shape[k];
        }
    } while (nbytes > MOST);
    return nbytes;
}

/* Axis 0 is around all others on both sides. */
static void make_copy(int64_t round, struct choice *out)
{
    struct emulated_copy *copy = &out->copy;
    int64_t number, nbytes, dst, src;
    int32_t ndim;

    memset(out, 0, sizeof *out);
    find_permutation(round, &ndim, &number);
    copy->ndim = ndim + 1;
    copy->itemsize = INT64_C(1) << round % 4;
    copy->box_tiles = TILES;
    nbytes = choose_extents(copy, 1);
    copy->shape[0] = (LARGE - 1) / nbytes + 1;
    permute(ndim, number, out->order);
    dst = src = copy->itemsize;
    for (int32_t i = ndim; i >= 0; i--) {
        const int32_t k = i == 0 ? 0 : out->order[i - 1] + 1;

        copy->dst[i] = dst;
        copy->src[k] = src;
        dst *= copy->shape[i];
        src *= copy->shape[k];
    }
}

/* --- what is counted -------------------------------------------------------------------------------------- */

static double to_payload(uint64_t count, const struct emulated_result *result)
{
    return (double)count / (double)result->nbytes;
}

/* The time is that of a large copy, whose blocks are many. */
static struct counted count_family(struct emulated_copy *copy, svi_launch_family *family)
{
    struct emulated_counts counts = {0};
    struct emulated_result result;
    struct counted out = {false};

    copy->family = family;
    result = emulated_copy_count(copy, SAMPLES, &counts);
    if (result.launches == 0)
        return out;
    out.copies = true;
    out.kernel = result.fault == EMULATED_NOTHING ? result.shape.kernel : -1;
    out.sectors = to_payload(16 * (counts.block[0] + counts.block[1]), &result);
    out.accesses =
        to_payload(counts.accesses[0] + counts.accesses[1] + counts.shared[0] + counts.shared[1], &result);
    out.time = svi_cost_make(out.sectors, result.shape.cost.threads / (double)result.nbytes_of_all, MANY_BLOCKS).time;
    return out;
}

static struct choice count(int64_t round)
{
    struct choice choice;

    make_copy(round, &choice);
    choice.chosen = count_family(&choice.copy, NULL);
    choice.best.time = 1e9;
    for (size_t i = 0; i < FAMILIES; i++) {
        const struct counted other = count_family(&choice.copy, families[i]);

        if (other.copies && other.time < choice.best.time)
            choice.best = other;
    }
    return choice;
}

/* --- the test ------------------------------------------------------------------------------------------------ */

static void describe(const char *what, const struct choice *choice)
{
    const struct emulated_copy *copy = &choice->copy;
    char shape[256], *end = shape;

    for (int32_t k = 0; k < copy->ndim; k++)
        end += snprintf(end, 32, "%s%" PRId64, k > 0 ? "," : "", copy->shape[k]);
    for (int32_t k = 0; k + 1 < copy->ndim; k++)
        end += snprintf(end, 32, "%s%d", k > 0 ? "," : " P(", choice->order[k] + 1);
    tap_note("%s: items of %d, %s): %s takes %.2f, sectors %.2f, accesses %.2f; %s takes %.2f", what,
             (int)copy->itemsize, shape, svi_kernel_name(choice->chosen.kernel), choice->chosen.time,
             choice->chosen.sectors, choice->chosen.accesses, svi_kernel_name(choice->best.kernel), choice->best.time);
}

static void keep_worst(struct choice *worst, const struct choice *choice)
{
    int at = WORST;

    for (; at > 0 && worst[at - 1].chosen.time < choice->chosen.time; at--)
        if (at < WORST)
            worst[at] = worst[at - 1];
    if (at < WORST)
        worst[at] = *choice;
}

/* Sectors and accesses to a byte that a copy has at most, by the bytes of an item. */
static const double most_sectors[] = {2, 1.9, 1.7, 1.8}, most_accesses[] = {3.2, 2.1, 1.6, 1};

/* What all rounds found. */
struct found {
    int failed, second, wide, busy;
    double sectors[4], accesses[4]; /* the most of each item */
    struct choice worst[WORST];
};

static void keep_most(double *most, double value)
{
    if (value > *most)
        *most = value;
}

static void add(struct found *found, const struct choice *choice, int size)
{
    const struct counted *chosen = &choice->chosen;

    if (chosen->kernel < 0) {
        tap_note("%s", emulated_text());
        found->failed++;
        return;
    }
    keep_worst(found->worst, choice);
    if (chosen->time > 1.3 * choice->best.time) {
        describe("not the best", choice);
        found->second++;
    }
    found->wide += chosen->sectors > most_sectors[size];
    found->busy += chosen->accesses > most_accesses[size];
    keep_most(&found->sectors[size], chosen->sectors);
    keep_most(&found->accesses[size], chosen->accesses);
}

static void tell(const struct found *found)
{
    for (int i = 0; i < WORST && found->worst[i].copy.ndim > 0; i++)
        describe("worst", &found->worst[i]);
    for (int size = 0; size < 4; size++)
        tap_note("items of %d bytes: sectors %.2f, accesses %.2f at most", 1 << size, found->sectors[size],
                 found->accesses[size]);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : test_rounds(60, 1000, PERMUTATIONS);
    static struct found found;

    for (int i = 0; i < rounds; i++) {
        const int64_t round = (int64_t)i * (PERMUTATIONS / 4) / rounds * 4 + i % 4;
        struct choice choice;

        test_round(round, INT64_MAX);
        choice = count(round);
        add(&found, &choice, (int)(round % 4));
    }
    tell(&found);
    tap_ok(found.failed == 0, "%d permutations are copied without a fault", rounds);
    tap_ok(found.second == 0, "each by a kernel that takes at most 1.3 times as long as the best one would");
    tap_ok(found.wide == 0, "none moves more sectors than the bound of its items");
    tap_ok(found.busy == 0, "none accesses memory more often than the bound of its items");
    return tap_done();
}
