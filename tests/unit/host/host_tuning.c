/* The table of the fields of tuning, and files of SV_HOST_TUNING. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/machine/machine.h"
#include "sv.h"
#include "host/machine/tuning_file.h"
#include "support/no_memory.h"

/* Each family's values are ones that a field can have, and no others are taken. */
Test(host_tuning, fields)
{
    size_t bytes = sizeof(const char *);

    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++) {
        struct svi_tuning t = svi_tuning_other;

        bytes += f->kind == SVI_TUNING_FLAG ? sizeof(bool) : sizeof(int32_t);
        cr_assert_leq(strlen(f->name), 32);
        for (const struct svi_tuning_family *k = svi_tuning_families; k->name != NULL; k++)
            cr_expect(svi_tuning_set(&t, f, svi_tuning_get(k->tuning, f)), "%s of %s", f->name, k->name);
        cr_expect(svi_tuning_set(&t, f, f->least) && svi_tuning_get(&t, f) == f->least, "%s", f->name);
        cr_expect(svi_tuning_set(&t, f, f->most) && svi_tuning_get(&t, f) == f->most, "%s", f->name);
        cr_expect(!svi_tuning_set(&t, f, -1) && !svi_tuning_set(&t, f, (int64_t)f->most + 1), "%s", f->name);
        cr_expect_eq(svi_tuning_set(&t, f, 0), f->zero || f->kind == SVI_TUNING_FLAG, "%s", f->name);
        if (f->kind != SVI_TUNING_FLAG && f->least > 1)
            cr_expect(!svi_tuning_set(&t, f, f->least + 1) && svi_tuning_get(&t, f) != f->least + 1, "%s", f->name);
    }
    cr_expect(bytes <= sizeof(struct svi_tuning) && sizeof(struct svi_tuning) - bytes < 32, "a field is not in the table");
}

/* As doc/tuning.md has it. */
static void describe(const struct svi_tuning_field *f, char row[400])
{
    const bool flag = f->kind == SVI_TUNING_FLAG;
    char values[64];

    snprintf(values, sizeof values, "%s%d to %d%s", f->zero ? "0, " : "", f->least, f->most,
             f->kind == SVI_TUNING_POWER ? ", powers of 2" : "");
    snprintf(row, 400, "| `%s` | %s | %s | %d | %d | %d | %d | %d | %s |\n", f->name, flag ? "" : f->unit, flag ? f->unit : values,
             svi_tuning_get(&svi_tuning_amd, f), svi_tuning_get(&svi_tuning_zen4, f), svi_tuning_get(&svi_tuning_zen3, f),
             svi_tuning_get(&svi_tuning_intel, f), svi_tuning_get(&svi_tuning_other, f), f->purpose);
}

Test(host_tuning, document)
{
    static char text[65536], row[400];
    FILE *file = fopen(SV_TUNING, "r");

    cr_assert(file != NULL && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++) {
        describe(f, row);
        cr_expect_not_null(strstr(text, row), "doc/tuning.md lacks: %s", row);
    }
}

static const struct {
    const char *text, *why;
    int line;
} cases[] = {
    {"", NULL, 0},
    {"\n# a comment\n\t \r\n", NULL, 0},
    {"block_rows = 32", NULL, 0},
    {"base = intel # first\n block_rows=128\r\n\nblock_rows = 32#32\n", NULL, 0},
    {"base = amd\nblock_rows = 32", NULL, 0},
    {"base = cautious\nblock_rows = 32\nrow_streams = 1\n", NULL, 0},
    {"row_prefetch_bytes = 0\nblock_rows = 32", NULL, 0},
    {"base = zen", "base is amd, zen4, zen3, intel or cautious", 1},
    {"base =", "base is amd, zen4, zen3, intel or cautious", 1},
    {"block_rows = 32\nbase = intel", "base comes before all fields", 2},
    {"base = intel\nbase = amd", "base comes before all fields", 2},
    {"# nothing\n\nblock_row = 32", "there is no field of this name", 3},
    {"Block_rows = 32", "there is no field of this name", 1},
    {"= 32", "there is no field of this name", 1},
    {"name = 32", "there is no field of this name", 1},
    {"block_rows", "this is not `name = value`", 1},
    {"block_rows # = 32", "this is not `name = value`", 1},
    {"block_rows 32", "this is not `name = value`", 1},
    {"block_rows = ", "the value is no number", 1},
    {"block_rows = 0x20", "the value is no number", 1},
    {"block_rows = -32", "the value is no number", 1},
    {"block_rows = 3 2", "the value is no number", 1},
    {"block_rows = = 32", "the value is no number", 1},
    {"block_rows = 99999999999999999999", "the value is no number", 1},
    {"block_rows = 9999999999", "the value is not one that this field can have", 1},
    {"block_rows = 33", "the value is not one that this field can have", 1},
    {"block_rows = 8", "the value is not one that this field can have", 1},
    {"block_rows = 0", "the value is not one that this field can have", 1},
    {"row_streams = 2", "the value is not one that this field can have", 1},
};

Test(host_tuning, texts)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct svi_tuning t;
        const struct svi_tuning_fault fault = svi_tuning_parse(cases[k].text, &svi_tuning_intel, &t);

        cr_assert((fault.why == NULL) == (cases[k].why == NULL) && fault.line == cases[k].line, "%s: line %d, %s",
                  cases[k].text, fault.line, fault.why != NULL ? fault.why : "it is read");
        if (cases[k].why != NULL)
            cr_assert_str_eq(fault.why, cases[k].why, "%s", cases[k].text);
        else if (strstr(cases[k].text, "32") != NULL)
            cr_assert_eq(t.block_rows, 32, "%s", cases[k].text);
    }
}

/* The same of any text: it is read or it is not, and no value is one that a field cannot have. */
Test(host_tuning, damaged_texts)
{
    static const char whole[] = "base = intel # family\nblock_rows = 128\nrow_prefetch_bytes = 4096\nrow_streams = 0\n";
    static const char other[] = "=#\n 0917_a\t\r\xff";

    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (const char *c = other; *c != '\0'; c++) {
            char text[sizeof whole];
            struct svi_tuning t;

            memcpy(text, whole, sizeof whole);
            text[at] = *c;
            svi_tuning_parse(text, &svi_tuning_amd, &t);
            for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
                cr_assert(svi_tuning_set(&t, f, svi_tuning_get(&t, f)), "%s: %s", text, f->name);
        }
}

/* --- files ---------------------------------------------------------------------- */

static char path[] = "/tmp/svtuningXXXXXX";

static void write_file(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");

    cr_assert(file != NULL && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

static void make_file(void)
{
    const int file = mkstemp(path);

    cr_assert(file >= 0 && close(file) == 0);
}

static void drop_file(void)
{
    svi_alloc.allocate = malloc;
    unlink(path);
}

TestSuite(host_tuning_file, .init = make_file, .fini = drop_file);

static void expect_fault(const char *from, const char *why)
{
    struct svi_tuning t;
    const struct svi_tuning_fault fault = svi_tuning_read(from, &svi_tuning_amd, &t);

    cr_assert(fault.why != NULL && fault.line == 0, "%s", why);
    cr_assert_str_eq(fault.why, why);
}

Test(host_tuning_file, cannot_be_read)
{
    static char text[SVI_TUNING_FILE + 1];
    struct svi_tuning t;

    memset(text, '\n', sizeof text);
    write_file(text, SVI_TUNING_FILE);
    cr_assert_null(svi_tuning_read(path, &svi_tuning_amd, &t).why);
    write_file(text, sizeof text);
    expect_fault(path, "the file has more than 16384 bytes");
    write_file("a = 0\0b", 7);
    expect_fault(path, "the file is no text");
    expect_fault("/dev/zero", "the file has more than 16384 bytes");
    expect_fault("/tmp", "the file cannot be read");
    expect_fault("/nowhere/at/all", "the file cannot be read");
    svi_alloc.allocate = no_memory;
    expect_fault(path, "out of memory");
}

static void look(const char *file)
{
    setenv("SV_HOST_TUNING", file, 1);
    svi_machine_look();
}

static char *explained(void)
{
    static char text[16384];
    static const int64_t shape[] = {64, 64};
    sv_layout *layout;
    sv_view *view;
    sv_dtype dtype;
    sv_plan *plan;

    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_dtype_parse("float32", &dtype), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, text, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view), SV_OK);
    cr_assert_eq(sv_plan_new(view, view, 0, &plan), SV_OK);
    cr_assert_eq(sv_plan_explain(plan, NULL, NULL, sizeof text, text, NULL), SV_OK);
    sv_plan_release(plan);
    sv_view_release(view);
    sv_layout_release(layout);
    return text;
}

Test(host_tuning_file, is_used)
{
    static const char text[] = "base = intel\nblock_rows = 128\n";

    write_file(text, sizeof text - 1);
    look(path);
    cr_assert_eq(svi_machine().tuning->block_rows, 128);
    cr_assert(svi_machine().tuning->source_order);
    cr_assert_not_null(strstr(explained(), "tuned for Intel by /tmp/svtuning"), "%s", explained());
    write_file("block_rows = 16\n", 16); /* too late */
    cr_assert_eq(svi_machine().tuning->block_rows, 128);
}

Test(host_tuning_file, is_ignored)
{
    look("");
    cr_assert_eq(svi_machine().tuning->block_rows, 64);
    cr_assert_null(svi_machine_fault().why);
    write_file("\nblock_rows = 4\n", 16);
    look(path);
    cr_assert_eq(svi_machine().tuning->block_rows, 64);
    cr_assert_not_null(strstr(explained(), "SV_HOST_TUNING is ignored: line 2: the value"), "%s", explained());
    look("/nowhere/at/all");
    cr_assert_eq(svi_machine().tuning->block_rows, 64);
    cr_assert_not_null(strstr(explained(), "is ignored: the file cannot be read"), "%s", explained());
}

Test(host_tuning_file, without_memory)
{
    write_file("block_rows = 128\n", 17);
    svi_alloc.allocate = no_memory;
    look(path);
    cr_assert_eq(svi_machine().tuning->block_rows, 64);
    cr_assert_str_eq(svi_machine_fault().why, "out of memory");
}
