/*
 * The tables on the first page of sv/copy.h, who copies between which memory: they are what backend/placement.c decides,
 * and "placements --print" writes them anew.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/backends.h"
#include "tap.h"

/* That some backend serves. */
static bool is_known(int32_t type)
{
    return svi_backend_of(svi_devices[type].owner) != NULL;
}

static const char *upper_name(int32_t type)
{
    static char text[32];
    size_t k = 0;

    for (const char *name = sv_device_name(type); name[k] != '\0'; k++)
        text[k] = (char)toupper(name[k]);
    text[k] = '\0';
    return text;
}

static enum svi_relation relation_of(int32_t dst, int32_t dst_id, int32_t src)
{
    return svi_placement_make((struct svi_device){dst, dst_id}, (struct svi_device){src, 0}, true).relation;
}

/* What two types are to each other, and where the number of the device matters, what they are with another number. */
static void add_cell(int32_t dst, int32_t src, struct svi_text *out)
{
    const enum svi_relation same = relation_of(dst, 0, src), other = relation_of(dst, 1, src);
    char cell[64];

    snprintf(cell, sizeof cell, "%s%s%s", svi_relation_name(same), same == other ? "" : ", ",
             same == other ? "" : svi_relation_name(other));
    svi_text_add(out, "  %-13s", cell);
}

static void end_line(struct svi_text *out)
{
    while (out->length > 0 && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
    svi_text_add(out, "\n");
}

static void add_relations(struct svi_text *out)
{
    svi_text_add(out, " *     %-12s", "to \\ from");
    for (int32_t src = 1; src < SVI_DEVICE_TYPES; src++)
        if (is_known(src))
            svi_text_add(out, "  %-13s", upper_name(src));
    end_line(out);
    for (int32_t dst = 1; dst < SVI_DEVICE_TYPES; dst++) {
        if (!is_known(dst))
            continue;
        svi_text_add(out, " *     %-12s", upper_name(dst));
        for (int32_t src = 1; src < SVI_DEVICE_TYPES; src++)
            if (is_known(src))
                add_cell(dst, src, out);
        end_line(out);
    }
}

/* Any two types that are to each other what is asked for. */
static struct svi_placement find_example(enum svi_relation relation)
{
    for (int32_t k = 0; k < 2 * SVI_DEVICE_TYPES * SVI_DEVICE_TYPES; k++) {
        const struct svi_device dst = {k / 2 / SVI_DEVICE_TYPES, k % 2}, src = {k / 2 % SVI_DEVICE_TYPES, 0};
        const struct svi_placement example = svi_placement_make(dst, src, true);

        if (example.relation == relation && is_known(dst.type) && is_known(src.type))
            return example;
    }
    abort();
}

static void add_rule(enum svi_relation relation, struct svi_text *out)
{
    struct svi_placement p = find_example(relation);
    const bool is_by_host = p.family == SVI_FAMILY_HOST;

    svi_placement_set(&p, 0, relation == SVI_RELATION_SEND ? SV_METHOD_RING : SV_METHOD_DIRECT);
    svi_text_add(out, " *     %-9s", svi_relation_name(relation));
    svi_text_add(out, "%-26s", is_by_host ? "the host" : p.follows_stream ? "the device of the stream" : "the device");
    svi_text_add(out, "%-15s",
                 svi_is_cpu(p.where)                              ? "none"
                 : svi_device_has(p.where.type, SV_TRAIT_MANAGED) ? "any device"
                 : p.follows_stream                               ? "either device"
                                                                  : "the device");
    svi_text_add(out, "%-24s%s\n", svi_waits_words(p.waits), svi_done_words(p.done));
}

static void write_tables(struct svi_text *out)
{
    out->length = 0;
    add_relations(out);
    svi_text_add(out, " *\n *     %-9s%-26s%-15s%-24s%s\n", "", "copied by", "stream of", "waits for",
                 "done on return");
    for (int k = SVI_RELATION_NONE + 1; k < SVI_RELATIONS; k++)
        add_rule((enum svi_relation)k, out);
}

static char *read_header(void)
{
    FILE *file = fopen(SV_HEADER, "r");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL)
        abort();
    if (fread(text, 1, (1 << 20) - 1, file) == 0)
        abort();
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    struct svi_text *tables = malloc(sizeof *tables);
    char *header;

    if (tables == NULL)
        abort();
    write_tables(tables);
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        printf("%s", tables->text);
        free(tables);
        return 0;
    }
    header = read_header();
    tap_ok(strstr(header, tables->text) != NULL,
           "the tables of sv/copy.h are those that \"tests/run/placements --print\" writes");
    free(header);
    free(tables);
    return tap_done();
}
