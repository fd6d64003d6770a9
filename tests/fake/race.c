/*
 * Races, by vector clocks: of two operations that touch the same bytes one has to come before the other. It is looked
 * for when an operation is given to its stream, so that every order in which they are done shows the same races.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake/runtime.h"

static int compare(const void *a, const void *b)
{
    const struct fake_span *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* By addresses, and without overlaps. */
void fake_sort(struct fake_spans *spans)
{
    size_t left = 0;

    if (spans->count < 2)
        return;
    qsort(spans->at, spans->count, sizeof *spans->at, compare);
    for (size_t i = 1; i < spans->count; i++)
        if (spans->at[i].from > spans->at[left].to)
            spans->at[++left] = spans->at[i];
        else if (spans->at[i].to > spans->at[left].to)
            spans->at[left].to = spans->at[i].to;
    spans->count = left + 1;
}

bool fake_overlap(const struct fake_spans *a, const struct fake_spans *b)
{
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->at[i].from < b->at[k].to && b->at[k].from < a->at[i].to)
            return true;
        if (a->at[i].to <= b->at[k].from)
            i++;
        else
            k++;
    }
    return false;
}

static bool is_before(const struct fake_operation *a, const struct fake_operation *b)
{
    return a->clock.at[a->stream] <= b->clock.at[a->stream];
}

static const char *name_of(int stream, char *name, size_t size)
{
    const struct fake_stream *s = &fake.streams[stream];

    if (s->number > 0)
        snprintf(name, size, "stream s%d", s->number);
    else
        snprintf(name, size, "%s stream of device %d", s->thread ? "a thread's default" : "the legacy", s->device);
    return name;
}

void fake_look_for_races(const struct fake_operation *o)
{
    char first[64], second[64];

    for (int i = 0; i < fake.noperations; i++) {
        const struct fake_operation *other = fake.operations[i];

        if (!is_before(other, o) &&
            (fake_overlap(&other->writes, &o->writes) || fake_overlap(&other->writes, &o->reads) ||
             fake_overlap(&other->reads, &o->writes)))
            fake_fault("%s on %s and %s on %s touch the same bytes in no order", other->what,
                       name_of(other->stream, first, sizeof first), o->what,
                       name_of(o->stream, second, sizeof second));
    }
}
