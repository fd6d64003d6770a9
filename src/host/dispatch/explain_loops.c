#include <string.h>

#include "compound.h"
#include "host/dispatch/dispatch.h"

static void add_machine(const struct svi_machine *machine, bool beyond_cache, struct svi_text *out)
{
    svi_text_add(out, "host: %s, tuned for %s; L2 %d KiB, last-level cache %d KiB; the copy is %s\n",
                 machine->isa->name, machine->tuning->name, (int)(machine->second / SVI_KIB),
                 (int)(machine->cache / SVI_KIB), beyond_cache ? "beyond the cache" : "in cache");
}

static void add_fault(struct svi_text *out)
{
    const struct svi_tuning_fault fault = svi_machine_fault();

    if (fault.why != NULL && fault.line > 0)
        svi_text_add(out, "host: SV_HOST_TUNING is not heeded: line %d: %s\n", fault.line, fault.why);
    else if (fault.why != NULL)
        svi_text_add(out, "host: SV_HOST_TUNING is not heeded: %s\n", fault.why);
}

static int32_t number_of(const struct svi_tuning *tuning, const struct svi_tuning_field *field)
{
    const char *at = (const char *)tuning + field->offset;

    return field->kind == SVI_TUNING_FLAG ? *(const bool *)at : *(const int32_t *)(const void *)at;
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);

    for (; words != NULL; words = strchr(words, ' ') != NULL ? strchr(words, ' ') + 1 : NULL)
        if (strncmp(words, word, length) == 0 && (words[length] == ' ' || words[length] == '\0'))
            return true;
    return false;
}

/* Its kind of stores, and the blocks, streams and prefetch distances that it goes by. */
static void add_found(const struct svi_loop *loop, const struct svi_host_copy *c, struct svi_text *out)
{
    const bool nt = loop->stores == SVI_STORES_NT || (loop->stores == SVI_STORES_BY_SIZE && c->beyond_cache);

    svi_text_add(out, "   stores: %s", nt && c->machine->isa->stream_copy != NULL ? "non-temporal" : "ordinary");
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (has_word(f->loops, loop->name))
            svi_text_add(out, "; %s %d", f->name, (int)number_of(c->machine->tuning, f));
    svi_text_add(out, "\n");
}

/* The loops of a list that are asked. Whether one of them does the copy. */
static bool add_loops(const struct svi_loop *const *loops, const struct svi_host_copy *c, struct svi_text *out)
{
    const struct svi_loop *found = svi_run_loops(loops, c);

    for (; *loops != NULL; loops++) {
        svi_text_add(out, "%s %-23s %s\n", *loops == found ? "->" : "  ", (*loops)->name, (*loops)->why);
        if (*loops == found) {
            add_found(found, c, out);
            return true;
        }
    }
    return false;
}

void svi_host_explain(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                      struct svi_text *out)
{
    const struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, svi_two_passes, true);
    const struct svi_form *form;
    bool done;

    add_machine(machine, c.beyond_cache, out);
    add_fault(out);
    svi_text_add(out, "loops in the order in which they are asked:\n");
    done = add_loops(svi_front_of(plan), &c, out);
    for (form = done ? NULL : svi_form_of(plan); form != NULL && !done; form = form->rest)
        done = add_loops(svi_loops_of(form, &c), &c, out);
}
