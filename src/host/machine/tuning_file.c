#include "host/base/tuning.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/read_file.h"
#include "host/machine/tuning_file.h"

/* --- a line ------------------------------------------------------------------- */

struct span {
    const char *at, *end;
};

/* The text up to one of some characters or its end, without the blanks around it. */
static struct span word_up_to(const char *at, const char *stops)
{
    const char *const blanks = " \t\r", *end = at + strcspn(at, stops);

    at += strspn(at, blanks);
    while (end > at && strchr(blanks, end[-1]) != NULL)
        end--;
    return (struct span){at, end};
}

static bool is_word(struct span s, const char *word)
{
    const size_t length = strlen(word);

    return (size_t)(s.end - s.at) == length && memcmp(s.at, word, length) == 0;
}

/* A decimal number of at most ten digits; -1: s is none. */
static int64_t parse_number(struct span s)
{
    char *end;
    int64_t value;

    if (s.at == s.end || *s.at < '0' || *s.at > '9' || s.end - s.at > 10)
        return -1;
    value = strtoll(s.at, &end, 10);
    return end == s.end ? value : -1;
}

/* --- what it says ------------------------------------------------------------- */

static const char *set_base(struct svi_tuning *out, struct span value, bool first)
{
    if (!first)
        return "base comes before all fields";
    for (const struct svi_tuning_family *f = svi_tuning_families; f->name != NULL; f++)
        if (is_word(value, f->name)) {
            *out = *f->tuning;
            return NULL;
        }
    return "base is amd, zen4, zen3, intel or cautious";
}

static const char *set_field(struct svi_tuning *out, struct span name, struct span value)
{
    const int64_t number = parse_number(value);

    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (is_word(name, f->name)) {
            if (number < 0)
                return "the value is no number";
            return svi_tuning_set(out, f, number) ? NULL : "the value is not one that this field can have";
        }
    return "there is no field of this name";
}

/* Reads a line. Returns what is wrong, or NULL. said: the number of lines so far that set something. */
static const char *read_line(const char *line, int *said, struct svi_tuning *out)
{
    const struct span name = word_up_to(line, "=#\n");
    const char *equal = line + strcspn(line, "=#\n");
    struct span value;

    if (*equal != '=')
        return name.at == name.end ? NULL : "this is not `name = value`";
    value = word_up_to(equal + 1, "#\n");
    (*said)++;
    return is_word(name, "base") ? set_base(out, value, *said == 1) : set_field(out, name, value);
}

/* --- all of it ---------------------------------------------------------------- */

struct svi_tuning_fault svi_tuning_parse(const char *text, const struct svi_tuning *base, struct svi_tuning *out)
{
    int said = 0;

    *out = *base;
    for (int line = 1; *text != '\0'; line++) {
        const char *why = read_line(text, &said, out);

        if (why != NULL)
            return (struct svi_tuning_fault){why, line};
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return (struct svi_tuning_fault){NULL, 0};
}

/* Reads a file to text, which has room for SVI_TUNING_FILE + 2 bytes; NULL: out of memory. Returns what is wrong, or
 * NULL. */
static const char *read_text(const char *path, char *text)
{
    const int64_t length = text != NULL ? svi_read_file(path, text, SVI_TUNING_FILE + 2) : 0;

    if (text == NULL)
        return "out of memory";
    if (length < 0)
        return "the file cannot be read";
    if (length > SVI_TUNING_FILE)
        return "the file has more than 16384 bytes";
    return strlen(text) != (size_t)length ? "the file is no text" : NULL;
}

struct svi_tuning_fault svi_tuning_read(const char *path, const struct svi_tuning *base, struct svi_tuning *out)
{
    char *text = svi_malloc(SVI_TUNING_FILE + 2);
    const struct svi_tuning_fault unread = {read_text(path, text), 0};
    const struct svi_tuning_fault fault = unread.why != NULL ? unread : svi_tuning_parse(text, base, out);

    svi_free(text);
    return fault;
}
