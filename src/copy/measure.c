#include "copy/measure.h"

#include <float.h>

#include "base/clock.h"
#include "copy/job_run.h"

enum {
    BATCH_NS = 20000,      /* least time of a batch: hundreds of steps of the clock, */
    MAX_RUNS = 1 << 14,    /* or so many copies */
    LIKELIEST = 3,         /* loops that are compared before the others are tried, */
    FIRST_ROUNDS = 3,      /* by so many batches each */
    ROUNDS = 8,            /* batches of each loop that is left after that, */
    CONFIRM_NS = 50000000, /* or more in this time: other programs slow some loops more than others */
    LEAST_BATCHES = 3      /* of a loop before it is compared closely */
};

/* A loop that takes so many times the least time is dropped. The chosen one stays, to be compared with the best. */
static const double hopeless = 3;    /* after its first copy */
static const double unlikely = 1.15; /* after LEAST_BATCHES */

static const double clearly = 1.03; /* times as fast as the chosen loop is what replaces it */

struct measuring {
    struct svi_job *job;
    char *dst;
    const char *src;
    uintptr_t stream;
    int64_t end_ns;
    struct svi_measured *measured;
    int32_t tried;                /* loops, from the first */
    bool dropped[SVI_CANDIDATES];
    int32_t runs[SVI_CANDIDATES]; /* copies of a batch */
};

void svi_measured_keep(const struct svi_measured *measured, struct svi_job *job)
{
    const struct svi_candidate *kept = &measured->row[measured->kept].candidate;

    job->kept = measured->kept > 0 ? kept : NULL;
    svi_job_choose(job);
    job->choice.kernel = kept->name;
}

/* --- time ------------------------------------------------------------------ */

/* Called where svi_measure() has found a clock. */
static int64_t now_ns(void)
{
    int64_t now = 0;

    svi_clock(&now);
    return now;
}

static bool has_time(const struct measuring *m)
{
    return now_ns() < m->end_ns;
}

static sv_status run_repeatedly(struct measuring *m, int32_t runs)
{
    for (int32_t i = 0; i < runs; i++)
        SVI_TRY(svi_job_run(m->job, m->dst, m->src, m->stream));
    return SV_OK;
}

static void select_loop(struct measuring *m, int32_t k)
{
    m->measured->kept = k;
    svi_measured_keep(m->measured, m->job);
}

static sv_status time_batch(struct measuring *m, int32_t k)
{
    struct svi_timed *row = &m->measured->row[k];
    const int64_t begin = now_ns();
    double each;

    SVI_TRY(run_repeatedly(m, m->runs[k]));
    each = (double)(now_ns() - begin) / m->runs[k];
    if (row->batches == 0 || each < row->least_ns)
        row->least_ns = each;
    row->batches++;
    return SV_OK;
}

/* The copy before the batch is not timed: it leaves the caches as this loop does, not as the one before it. */
static sv_status run_batch(struct measuring *m, int32_t k)
{
    select_loop(m, k);
    SVI_TRY(run_repeatedly(m, 1));
    return time_batch(m, k);
}

static double find_least(const struct svi_measured *measured)
{
    double least = DBL_MAX;

    for (int32_t k = 0; k < measured->count; k++)
        if (measured->row[k].batches > 0 && measured->row[k].least_ns < least)
            least = measured->row[k].least_ns;
    return least;
}

/* --- loops ------------------------------------------------------------------- */

/* The first copy tells whether more are worth it, unless it is so short that fetching the loop's code is most of its
 * time. Then the copies of a batch are doubled until they take BATCH_NS. */
static sv_status try_loop(struct measuring *m, int32_t k)
{
    struct svi_timed *row = &m->measured->row[k];

    m->tried = k + 1;
    m->runs[k] = 1;
    select_loop(m, k);
    SVI_TRY(time_batch(m, k));
    if (row->least_ns > BATCH_NS && row->least_ns > hopeless * find_least(m->measured)) {
        m->dropped[k] = true;
        return SV_OK;
    }
    while (row->least_ns * m->runs[k] < BATCH_NS && m->runs[k] < MAX_RUNS) {
        m->runs[k] *= 2;
        row->batches = 0;
        SVI_TRY(time_batch(m, k));
    }
    return SV_OK;
}

static sv_status try_loops(struct measuring *m, int32_t count)
{
    for (int32_t k = m->tried; k < count && (k == 0 || has_time(m)); k++)
        SVI_TRY(try_loop(m, k));
    return SV_OK;
}

/* How many loops are left. */
static int32_t drop_slow(struct measuring *m)
{
    const double least = find_least(m->measured);
    int32_t left = 0;

    for (int32_t k = 0; k < m->tried; k++) {
        const struct svi_timed *row = &m->measured->row[k];

        m->dropped[k] |= k > 0 && row->least_ns > least * (row->batches < LEAST_BATCHES ? hopeless : unlikely);
        left += !m->dropped[k];
    }
    return left;
}

/* Whether less than duration_ns has passed since begin_ns. False if the clock has not advanced. */
static bool is_within(int64_t begin_ns, int64_t duration_ns)
{
    const int64_t elapsed_ns = now_ns() - begin_ns;

    return elapsed_ns > 0 && elapsed_ns < duration_ns;
}

/* The loops take turns, so that a change of the clock rate affects all of them. More rounds if they take less time. */
static sv_status take_turns(struct measuring *m, int32_t rounds, int64_t duration_ns)
{
    const int64_t begin_ns = now_ns();

    for (int32_t round = 0; has_time(m) && drop_slow(m) > 1 && (round < rounds || is_within(begin_ns, duration_ns));
         round++)
        for (int32_t k = 0; k < m->tried; k++)
            if (!m->dropped[k] && has_time(m))
                SVI_TRY(run_batch(m, k));
    return SV_OK;
}

static sv_status measure_loops(struct measuring *m)
{
    const int32_t count = m->measured->count;

    SVI_TRY(try_loops(m, count < LIKELIEST ? count : LIKELIEST));
    SVI_TRY(take_turns(m, FIRST_ROUNDS, 0));
    SVI_TRY(try_loops(m, count));
    return take_turns(m, ROUNDS, CONFIRM_NS);
}

/* The chosen one, unless another is clearly faster. */
static int32_t find_best(const struct svi_measured *measured)
{
    const struct svi_timed *row = measured->row;
    int32_t best = 0;

    if (row[0].batches < LEAST_BATCHES)
        return 0;
    for (int32_t k = 1; k < measured->count; k++)
        if (row[k].batches >= LEAST_BATCHES && row[k].least_ns < row[best].least_ns)
            best = k;
    return row[best].least_ns * clearly < row[0].least_ns ? best : 0;
}

sv_status svi_measure(struct svi_job *job, char *dst, const char *src, uintptr_t stream, int64_t limit_ns,
                      struct svi_measured *measured)
{
    struct measuring m = {.job = job, .dst = dst, .src = src, .stream = stream, .measured = measured};
    sv_status status = SV_OK;
    int64_t begin;

    if (measured->count > 1 && svi_clock(&begin)) {
        m.end_ns = limit_ns < INT64_MAX - begin ? begin + limit_ns : INT64_MAX;
        status = measure_loops(&m);
    }
    select_loop(&m, status == SV_OK ? find_best(measured) : 0);
    return status;
}
