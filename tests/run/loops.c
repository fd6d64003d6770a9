/*
 * Which loop does each of the benchmark's copies, by instruction set and maker: as tests/run/loops.txt has it, which
 * "loops --print" writes anew. And that the loop which is told is the one that does the copy. Nothing is copied to find
 * it out, so the copies are as large as they are measured.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/copy_cases.h"
#include "host/dispatch/dispatch.h"
#include "host/dispatch/loops.h"
#include "run/played.h"
#include "tap.h"
#include "host/front/compound.h"
#include "host/compound/two_pass.h"

enum { LINE = 1024, MEMORY = 64 << 20 };

/* The loop for addresses where pages begin and, if that is another one, for those 16 bytes behind. */
static void write_loops(const struct svi_machine *machine, const struct svi_plan *plan, char *out)
{
    char *const page = (char *)SVI_SOME_PAGE;
    const char *const other = (const char *)SVI_OTHER_PAGE;
    const char *even = svi_host_loop(machine, plan, page, other)->name;
    const char *odd = svi_host_loop(machine, plan, page + SVI_UNIT, other + SVI_UNIT)->name;

    snprintf(out, LINE, strcmp(even, odd) == 0 ? "%s" : "%s or %s", even, odd);
}

static void write_line(const struct bench_case *c, const struct svi_plan *plan, int k, char *line)
{
    const struct svi_machine machine = played_machine(k);
    char loops[LINE];

    write_loops(&machine, plan, loops);
    snprintf(line, 3 * LINE, "%s | %s | %s | %s", c->group, c->name, played_name(k), loops);
}

/* --- as the file has it --------------------------------------------------------- */

static void print(int count, const struct bench_case *cases)
{
    char line[3 * LINE];

    for (int i = 0; i < count; i++) {
        const struct svi_plan plan = played_plan(&cases[i]);

        for (int k = 0; k < PLAYED; k++) {
            write_line(&cases[i], &plan, k, line);
            printf("%s\n", line);
        }
    }
}

/* Lines of other architectures' instruction sets are passed over. */
static void compare(int count, const struct bench_case *cases)
{
    FILE *file = fopen(SV_LOOPS, "r");
    char line[3 * LINE], told[3 * LINE];
    int wrong = 0, compared = 0, lines = 0;

    for (int i = 0; file != NULL && i < count; i++) {
        const struct svi_plan plan = played_plan(&cases[i]);

        for (int k = 0; k < PLAYED && fgets(told, sizeof told, file) != NULL; k++, lines++) {
            told[strcspn(told, "\n")] = '\0';
            if (!is_played(k))
                continue;
            write_line(&cases[i], &plan, k, line);
            compared++;
            if (strcmp(line, told) != 0 && wrong++ < 10)
                tap_note("%s\n#   but loops.txt has: %s", line, told);
        }
    }
    if (file != NULL)
        fclose(file);
    if (compared == 0)
        tap_skip("loops.txt", "it is of another architecture");
    else
        tap_ok(wrong == 0 && lines == count * PLAYED,
               "each of %d loops is that of tests/run/loops.txt, which \"tests/run/loops --print\" writes", compared);
}

/* --- as the document has it ------------------------------------------------------- */

static const char *const shown[] = {"RGB 224^2 mirrored",   "rows of 32 B, pitch 64, 64 KiB", "T 7264^2 f32",
                                    "T 8191^2 f32", "a[::2, ::3] f32", "RGB to planes, rows of 400 of 410"};

/* What doc/internals/copy.md shows of a case, on the machine with AVX-512 that is none of Intel's. */
static void explain(const struct bench_case *c, struct svi_text *out)
{
    const struct svi_machine machine = played_machine(3);
    const struct svi_plan plan = played_plan(c);

    out->length = 0;
    svi_text_add(out, "%s (%s)\n", c->name, c->dtype);
    svi_host_explain(&machine, &plan, (char *)SVI_SOME_PAGE, (const char *)SVI_OTHER_PAGE, NULL, out);
}

static void add_list(const struct svi_loop *const *loops, struct svi_text *out)
{
    for (; *loops != NULL; loops++)
        svi_text_add(out, " `%s`", (*loops)->name);
}

static void add_forms(struct svi_text *out)
{
    for (int k = 0; svi_forms[k] != NULL; k++) {
        svi_text_add(out, "| %s |", svi_forms[k]->name);
        for (const struct svi_form *form = svi_forms[k]; form != NULL; form = form->rest)
            add_list(form->loops, out);
        svi_text_add(out, " |\n");
    }
}

/* A row for each loop, where it is first seen. */
static void add_rows(const struct svi_loop *const *loops, struct svi_text *out)
{
    char row[LINE];

    for (; *loops != NULL; loops++) {
        snprintf(row, sizeof row, "| `%s` | %s |\n", (*loops)->name, (*loops)->what);
        if (strstr(out->text, row) == NULL)
            svi_text_add(out, "%s", row);
    }
}

static void add_loops(struct svi_text *out)
{
    add_rows(svi_front_of(&(struct svi_plan){.kind = SVI_CLASS_ROWS}), out);
    for (int k = 0; svi_forms[k] != NULL; k++)
        for (const struct svi_form *form = svi_forms[k]; form != NULL; form = form->rest)
            add_rows(form->loops, out);
    add_rows(svi_front_of(&(struct svi_plan){.kind = SVI_CLASS_CAST}), out);
}

/* Calls with each part of doc/internals/copy.md that is made here: a line of a table, or an example. */
static void for_parts(int count, const struct bench_case *cases, void (*each)(void *ctx, char *part), void *ctx)
{
    static struct svi_text part;

    for (int table = 0; table < 2; table++) {
        part.length = 0;
        part.text[0] = '\0';
        (table == 0 ? add_forms : add_loops)(&part);
        for (char *line = strtok(part.text, "\n"); line != NULL; line = strtok(NULL, "\n"))
            each(ctx, line);
    }
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        for (int i = 0; i < count; i++)
            if (strcmp(cases[i].name, shown[k]) == 0) {
                explain(&cases[i], &part);
                each(ctx, part.text);
            }
}

static void print_part(void *ctx, char *part)
{
    (void)ctx;
    printf(*part == '|' ? "%s\n" : "\n```\n%s```\n", part);
}

struct document {
    char text[1 << 16];
    int parts, missing;
};

static void find_part(void *ctx, char *part)
{
    struct document *d = ctx;

    d->parts++;
    if (strstr(d->text, part) == NULL && d->missing++ < 3)
        tap_note("doc/internals/copy.md lacks: %s", part);
}

static void read_document(int count, const struct bench_case *cases)
{
    static struct document document;
    FILE *file = fopen(SV_DOCUMENT, "r");

    if (!is_played(3)) {
        tap_skip("doc/internals/copy.md", "its examples are of x86-64");
        return;
    }
    if (file != NULL) {
        document.text[fread(document.text, 1, sizeof document.text - 1, file)] = '\0';
        fclose(file);
    }
    for_parts(count, cases, find_part, &document);
    tap_ok(document.missing == 0 && document.parts > 50,
           "doc/internals/copy.md has %d rows and examples, which \"tests/run/loops --document\" writes",
           document.parts);
}

/* --- as it is done ---------------------------------------------------------------- */

static char *memory(void)
{
    char *out = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (out == MAP_FAILED)
        abort();
    return out;
}

static const struct svi_loop *find(struct svi_host_copy *copy)
{
    return svi_find_loop(svi_front_of(copy->plan), NULL, copy);
}

/* In cache and beyond it, where pages begin and not: what is told is what the copy then runs. */
static int run_small(const struct bench_case *c, int k, char *dst, const char *src)
{
    const struct svi_plan plan = played_plan(c);
    const int64_t caches[] = {(int64_t)32 << 20, 1};
    int wrong = 0;

    if (plan.kind == SVI_CLASS_EMPTY)
        return 0;
    for (int place = 0; place < 4; place++) {
        struct svi_machine machine = played_machine(k);
        struct svi_host_copy copy = {.machine = &machine, .plan = &plan, .two_pass = &svi_loop_two_pass};
        const struct svi_loop *told, *done;

        machine.cache = caches[place % 2];
        copy.dst = dst + plan.dst_offset + place / 2 * SVI_UNIT;
        copy.src = src + plan.src_offset;
        copy.beyond_cache = svi_is_beyond_cache(&machine, &plan);
        copy.dry_run = true;
        told = find(&copy);
        copy.dry_run = false;
        done = find(&copy);
        if (told != done && ++wrong < 3)
            tap_note("%s by %s, place %d: %s, told %s", c->name, played_name(k), place,
                     done == NULL ? "none" : done->name, told == NULL ? "none" : told->name);
    }
    return wrong;
}

static void run(int count, const struct bench_case *cases)
{
    char *const dst = memory(), *const src = memory();
    int wrong = 0, done = 0;

    for (int i = 0; i < count; i++) {
        const struct bench_case small = bench_case_small(&cases[i]);

        for (int k = 0; k < PLAYED && bench_span(small.dst) < MEMORY / 2 && bench_span(small.src) < MEMORY / 2; k++)
            if (runs_here(k)) {
                wrong += run_small(&small, k, dst + MEMORY / 4, src + MEMORY / 4);
                done++;
            }
        sv_layout_release(small.dst);
        sv_layout_release(small.src);
    }
    if (done == 0)
        tap_skip("what is told is what runs", "none of the instruction sets is here");
    else
        tap_ok(wrong == 0, "what is told is what runs: %d copies, %d by another loop", done, wrong);
}

int main(int argc, char **argv)
{
    static struct bench_case cases[BENCH_CASES];
    const int count = bench_cases_read(SV_CASES, cases);

    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        print(count, cases);
    } else if (argc > 1 && strcmp(argv[1], "--document") == 0) {
        for_parts(count, cases, print_part, NULL);
    } else {
        compare(count, cases);
        read_document(count, cases);
        run(count, cases);
    }
    bench_cases_release(count, cases);
    return argc > 1 ? 0 : tap_done();
}
