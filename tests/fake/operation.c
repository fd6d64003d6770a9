/*
 * What streams were given: operations in the order of the calls, each after those that it has to wait for. They stay
 * until they are done and the host has waited for them; until then their pages are protected and races are looked for.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

void fake_join(struct fake_clock *clock, const struct fake_clock *other)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (other->at[i] > clock->at[i])
            clock->at[i] = other->at[i];
}

/* --- by number -------------------------------------------------------------------- */

/* The first that is not before it. */
static int position(uint64_t number)
{
    int low = 0, high = fake.noperations;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (fake.operations[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct fake_operation *find(uint64_t number)
{
    const int at = position(number);

    return at < fake.noperations && fake.operations[at]->number == number ? fake.operations[at] : NULL;
}

bool fake_is_done(uint64_t number)
{
    const struct fake_operation *o = find(number);

    return o == NULL || o->done;
}

/* --- making ------------------------------------------------------------------------ */

static void wait_for_stream(struct fake_operation *o, struct fake_stream *other)
{
    if (other->last == 0)
        return;
    o->after[o->nafter++] = other->last;
    fake_join(&o->clock, &other->clock);
}

/* The legacy stream waits for all blocking streams of its device, and they for it. */
static void wait_as_default(struct fake_operation *o, struct fake_stream *s)
{
    if (!fake_is_legacy(s)) {
        if (s->blocking)
            wait_for_stream(o, &fake.streams[s->device]);
        return;
    }
    for (int i = fake.settings.devices; i < MAX_STREAMS; i++)
        if (fake.streams[i].blocking && fake.streams[i].device == s->device)
            wait_for_stream(o, &fake.streams[i]);
}

struct fake_operation *fake_new_operation(struct fake_stream *s, const char *what)
{
    struct fake_operation *o = calloc(1, sizeof *o);

    o->what = what;
    o->stream = (int)(s - fake.streams);
    o->device = s->device;
    o->capture = s->capture;
    if (o->capture != NULL)
        return o;
    o->clock = s->clock;
    fake_join(&o->clock, &fake.host);
    if (s->last != 0)
        o->after[o->nafter++] = s->last;
    wait_as_default(o, s);
    return o;
}

void fake_touch(struct fake_operation *o, const void *pointer, size_t nbytes, bool write)
{
    struct fake_spans *spans = write ? &o->writes : &o->reads;
    const uintptr_t from = (uintptr_t)fake_bytes(pointer), to = from + nbytes;

    if (nbytes == 0)
        return;
    if (spans->count > 0 && spans->at[spans->count - 1].to == from) {
        spans->at[spans->count - 1].to = to;
        return;
    }
    if (spans->count == spans->room) {
        spans->room = spans->room * 2 + 4;
        spans->at = realloc(spans->at, spans->room * sizeof *spans->at);
    }
    spans->at[spans->count++] = (struct fake_span){from, to};
}

void fake_drop(struct fake_operation *o)
{
    free(o->reads.at);
    free(o->writes.at);
    free(o->held);
    free(o);
}

/* --- doing -------------------------------------------------------------------------- */

static void run(struct fake_operation *o)
{
    o->done = true;
    if (o->illegal)
        fake.sticky = cudaErrorIllegalAddress;
    if (o->run == NULL || o->illegal)
        return;
    fake_open(o, true);
    fake_lose(&o->reads);
    o->run(o);
    fake_lose(&o->writes);
    fake_open(o, false);
}

/* With all that comes before it: its numbers are smaller. */
void fake_perform(uint64_t number)
{
    static bool needed[MAX_OPERATIONS];
    const int end = position(number + 1);

    if (fake_is_done(number))
        return;
    memset(needed, 0, (size_t)end);
    needed[end - 1] = true;
    for (int i = end - 1; i >= 0; i--)
        for (int k = 0; needed[i] && k < fake.operations[i]->nafter; k++)
            if (find(fake.operations[i]->after[k]) != NULL)
                needed[position(fake.operations[i]->after[k])] = true;
    for (int i = 0; i < end; i++)
        if (needed[i] && !fake.operations[i]->done)
            run(fake.operations[i]);
}

void fake_perform_all(int device)
{
    for (int i = 0; i < fake.noperations; i++)
        if (device < 0 || fake.operations[i]->device == device)
            fake_perform(fake.operations[i]->number);
}

static bool is_ready(const struct fake_operation *o)
{
    for (int k = 0; k < o->nafter; k++)
        if (!fake_is_done(o->after[k]))
            return false;
    return !o->done;
}

/* So that asking again and again comes to an end. */
void fake_perform_one(uint64_t before)
{
    for (int i = 0; i < fake.noperations && fake.operations[i]->number <= before; i++)
        if (is_ready(fake.operations[i])) {
            run(fake.operations[i]);
            return;
        }
}

/* The time of devices goes by. */
void fake_perform_some(void)
{
    if (fake.settings.policy != FAKE_RANDOM || fake.noperations == 0)
        return;
    for (unsigned n = fake_random() % 4; n > 0; n--) {
        const int from = (int)(fake_random() % (unsigned)fake.noperations);

        for (int k = 0; k < fake.noperations; k++) {
            struct fake_operation *o = fake.operations[(from + k) % fake.noperations];

            if (is_ready(o)) {
                run(o);
                break;
            }
        }
    }
}

/* --- what the host knows -------------------------------------------------------------- */

/* Nothing that follows can run into these any more. */
static void forget(bool (*is_over)(const struct fake_operation *o))
{
    int left = 0;

    for (int i = 0; i < fake.noperations; i++) {
        struct fake_operation *o = fake.operations[i];

        if (!o->done || !is_over(o)) {
            fake.operations[left++] = o;
            continue;
        }
        fake_use(o, -1);
        fake_drop(o);
    }
    fake.noperations = left;
}

static bool is_known(const struct fake_operation *o)
{
    return o->clock.at[o->stream] <= fake.host.at[o->stream];
}

void fake_learn(const struct fake_clock *clock)
{
    fake_join(&fake.host, clock);
    forget(is_known);
}

void fake_learn_all(int device)
{
    for (int i = 0; i < fake.noperations; i++)
        if (fake.operations[i]->done && (device < 0 || fake.operations[i]->device == device))
            fake_join(&fake.host, &fake.operations[i]->clock);
    forget(is_known);
}

/* Programs that never wait for their streams: the older half is forgotten. */
static bool is_old(const struct fake_operation *o)
{
    return o->number + MAX_OPERATIONS / 2 < fake.number;
}

static void make_room(void)
{
    if (fake.noperations < MAX_OPERATIONS)
        return;
    fake_perform_all(-1);
    forget(is_old);
}

/* --- giving ----------------------------------------------------------------------------- */

/* Kernels reach memory of their own device, of peers that were enabled, the host's that devices know, and managed. */
static bool reaches(const struct fake_operation *o, const struct fake_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        const struct fake_region *r = fake_find((void *)spans->at[i].from);

        if (r == NULL ? fake.attributes[o->device][cudaDevAttrPageableMemoryAccess] == 0
                      : r->kind == HELD_DEVICE && r->device != o->device &&
                            (r->pool != NULL ? r->pool->access[o->device] == cudaMemAccessFlagsProtNone
                                             : !fake.enabled[o->device][r->device]))
            return false;
        if (r != NULL && spans->at[i].to > (uintptr_t)r->at + r->nbytes)
            return false;
    }
    return true;
}

cudaError_t fake_give(struct fake_operation *o)
{
    struct fake_stream *s = &fake.streams[o->stream];

    if (o->capture != NULL)
        return fake_add_node(o);
    fake_sort(&o->reads);
    fake_sort(&o->writes);
    if (o->kernel && !(reaches(o, &o->reads) && reaches(o, &o->writes))) {
        o->illegal = true;
        fake_fault("%s touches memory that its device does not reach", o->what);
    }
    make_room();
    o->number = ++fake.number;
    o->clock.at[o->stream] = ++fake.ticks[o->stream];
    s->clock = o->clock;
    s->last = o->number;
    fake_look_for_races(o);
    fake.operations[fake.noperations++] = o;
    fake_use(o, 1);
    if (fake.settings.policy == FAKE_EAGER)
        fake_perform(o->number);
    return cudaSuccess;
}

const struct fake_operation *fake_user(const struct fake_region *r, bool *writes)
{
    struct fake_span span = {(uintptr_t)r->at, (uintptr_t)r->at + r->nbytes};
    const struct fake_spans whole = {&span, 1, 1};

    for (int i = 0; i < fake.noperations; i++) {
        *writes = fake_overlap(&fake.operations[i]->writes, &whole);
        if (*writes || fake_overlap(&fake.operations[i]->reads, &whole))
            return fake.operations[i];
    }
    return NULL;
}

int fake_unfinished(void)
{
    return fake.noperations;
}
