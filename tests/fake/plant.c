/* Bugs that a test plants in the library: a call that orders work is left out, or work is given to another stream. */
#include <stdio.h>
#include <string.h>

#include "fake/runtime.h"

static char planted[64];

/* --- what a test asks for ----------------------------------------------------- */

static void plant(int *at, int nth)
{
    fake_lock();
    *at = nth;
    if (nth > 0)
        planted[0] = '\0';
    fake_unlock();
}

void fake_drop_order(int nth)
{
    plant(&fake.drop_at, nth);
}

void fake_divert_work(int nth, cudaStream_t other)
{
    fake.elsewhere = other;
    plant(&fake.divert_at, nth);
}

const char *fake_planted(void)
{
    return planted;
}

/* --- which calls ---------------------------------------------------------------- */

static bool is_order(int call)
{
    return call == FAKE_CALL(record) || call == FAKE_CALL(wait) || call == FAKE_CALL(event_synchronize) ||
           call == FAKE_CALL(event_query) || call == FAKE_CALL(synchronize) || call == FAKE_CALL(synchronize_device) || call == FAKE_CALL(stream_query);
}

static bool is_work(int call)
{
    return call == FAKE_CALL(launch) || call == FAKE_CALL(copy) || call == FAKE_CALL(copy_rows) ||
           call == FAKE_CALL(copy_planes) || call == FAKE_CALL(copy_peer) || call == FAKE_CALL(set) || call == FAKE_CALL(allocate_from_pool) ||
           call == FAKE_CALL(release_async);
}

static bool is_next(int *at)
{
    return *at > 0 && --*at == 0;
}

void fake_plant(int call, const char *what)
{
    fake.drops = is_order(call) && is_next(&fake.drop_at);
    fake.diverts = is_work(call) && is_next(&fake.divert_at);
    if (fake.drops || fake.diverts)
        snprintf(planted, sizeof planted, "%s %s", fake_call_name(call), what);
}

bool fake_is_dropped(void)
{
    return fake.drops;
}

cudaStream_t fake_diverted(cudaStream_t stream)
{
    const bool diverts = fake.diverts;

    fake.diverts = false;
    return diverts ? fake.elsewhere : stream;
}
