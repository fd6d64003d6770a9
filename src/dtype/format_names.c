#include "dtype/format_names.h"

#include <string.h>

#include "base/alloc.h"

/* At most half of the slots are taken, so that a search ends after a few. Two colons make a name. */
static size_t slots_for(const char *text)
{
    size_t colons = 0, slots = SVI_FEW_NAMES;

    for (const char *at = text; (at = strchr(at, ':')) != NULL; at++)
        colons++;
    while (slots < colons)
        slots *= 2;
    return slots;
}

sv_status svi_format_names_begin(struct svi_format_names *names, const char *text)
{
    const size_t slots = slots_for(text), nbytes = slots * sizeof *names->slots;

    names->text = text;
    names->mask = slots - 1;
    names->slots = slots <= SVI_FEW_NAMES ? names->few : svi_malloc(nbytes);
    if (names->slots == NULL)
        return SV_ERROR_MEMORY;
    memset(names->slots, 0, nbytes);
    return SV_OK;
}

void svi_format_names_end(struct svi_format_names *names)
{
    if (names->slots != names->few)
        svi_free(names->slots);
}

/* FNV-1a, which is short and spreads short names well. */
static size_t hash_name(uint32_t record, const char *name)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325) ^ record;

    for (; *name != ':'; name++)
        value = (value ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return (size_t)(value ^ value >> 32);
}

static bool same_name(const char *name, const char *other)
{
    for (; *name == *other; name++, other++)
        if (*name == ':')
            return true;
    return false;
}

bool svi_format_names_add(struct svi_format_names *names, const char *record, const char *name)
{
    const struct svi_format_name added = {(uint32_t)(record - names->text), (uint32_t)(name - names->text)};
    size_t place = hash_name(added.record, name) & names->mask;

    for (; names->slots[place].name != 0; place = (place + 1) & names->mask)
        if (names->slots[place].record == added.record && same_name(names->text + names->slots[place].name, name))
            return false;
    names->slots[place] = added;
    return true;
}
