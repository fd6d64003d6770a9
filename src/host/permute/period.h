/*
 * What permutations by a table have in common. The destination consists of records of `pitch` bytes. After some of its
 * cache lines, a period, a line begins with a record again; each line up to there has a table of where its bytes come
 * from, and the source moves on by the same step from period to period.
 */
#ifndef SVI_HOST_PERIOD_H
#define SVI_HOST_PERIOD_H

#include "checked.h"
#include "host/isa/isa.h"

/* Cache lines of a period. */
static inline int64_t svi_period_lines(int64_t pitch)
{
    return pitch / svi_smaller(pitch & -pitch, SVI_LINE);
}

/* Bytes of the source from period to period, where records are record_step bytes apart there. */
static inline int64_t svi_period_step(int64_t pitch, int64_t record_step)
{
    return svi_period_lines(pitch) * SVI_LINE / pitch * record_step;
}

/* Periods [first, end). */
struct svi_periods {
    int64_t first, end;
};

/*
 * Those of count periods that read nothing behind the end of a run: period i reads the bytes before i * step + reach,
 * and the run ends at end.
 */
static inline struct svi_periods svi_safe_periods(int64_t count, int64_t step, int64_t reach, int64_t end)
{
    const int64_t room = end - reach;

    if (step < 0)
        return (struct svi_periods){room < 0 ? svi_smaller((-room - step - 1) / -step, count) : 0, count};
    return (struct svi_periods){0, room < 0 ? 0 : step == 0 ? count : svi_smaller(room / step + 1, count)};
}

/*
 * The count lines of each of so many periods, which are dst_step and src_step bytes apart: permute_sources.c. whole: a
 * vector may be read of each window.
 */
void svi_permute_periods(const struct svi_isa *isa, const struct svi_sources_line *line, int64_t count, char *dst,
                         int64_t dst_step, const char *src, int64_t src_step, int64_t periods, bool whole,
                         bool beyond_cache);

#endif
