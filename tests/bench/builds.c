/*
 * Races two builds of the library: which copies became slower.
 *
 *     builds                              small copies of the list by this build twice, verified, as TAP
 *     builds [options] OLD NEW [FILE TEXT] the time of OLD, a shared library, as a multiple of that of NEW; the table of
 *                                         groups is appended to FILE, each line with the processor and TEXT in front
 *
 *     -c FILE   another list of cases
 *     -g GROUP  those of groups whose name begins with it
 *     -r N      rounds [9]
 *
 * Both get their views by DLPack, whose structures stay when the library's own interface changes.
 */
#define _POSIX_C_SOURCE 200809L /* getopt */

#include <dlfcn.h>
#include <dlpack/dlpack.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy_field.h"
#include "copy_pattern.h"
#include "host/machine/machine.h"
#include "peer.h"
#include "race.h"
#include "tap.h"

enum { BUILDS = 2, ROUNDS = 9, GROUPS = 64, TEXT = 256 };

struct build {
    sv_status (*view_from_dltensor)(const void *tensor, uint32_t flags, sv_release_callback release, void *ctx,
                                    sv_view **out);
    sv_status (*copy)(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream);
    void (*view_release)(sv_view *view);
};

static struct build open_build(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct build b;

    if (library == NULL || !bench_function(&b.view_from_dltensor, library, "sv_", "view_from_dltensor") ||
        !bench_function(&b.copy, library, "sv_", "copy") ||
        !bench_function(&b.view_release, library, "sv_", "view_release")) {
        fprintf(stderr, "builds: %s is no build of libsv: %s\n", path, library == NULL ? dlerror() : "a name is missing");
        exit(EXIT_FAILURE);
    }
    return b;
}

/* --- one copy by both ------------------------------------------------------------- */

struct racer {
    const struct build *build;
    sv_view *dst, *src;
    uint32_t flags;
};

/* NULL: DLPack counts strides in elements. */
static sv_view *view_by(const struct build *build, const sv_layout *layout, const char *name, void *data)
{
    int64_t strides[SV_MAX_NDIM + 1];
    DLTensor tensor = {.data = data, .device = {kDLCPU, 0}, .ndim = sv_layout_ndim(layout), .strides = strides};
    sv_dtype dtype;
    sv_view *view;

    if (sv_dtype_parse(name, &dtype) != SV_OK)
        abort();
    for (int32_t k = 0; k < tensor.ndim; k++) {
        strides[k] = sv_layout_byte_strides(layout)[k] / sv_layout_itemsize(layout);
        if (strides[k] * sv_layout_itemsize(layout) != sv_layout_byte_strides(layout)[k])
            return NULL;
    }
    tensor.shape = (int64_t *)(uintptr_t)sv_layout_shape(layout);
    tensor.dtype = (DLDataType){(uint8_t)sv_dtype_code(dtype), (uint8_t)sv_dtype_bits(dtype), 1};
    return build->view_from_dltensor(&tensor, 0, NULL, NULL, &view) == SV_OK ? view : NULL;
}

static struct racer racer_of(const struct build *build, const struct bench_case *c, const struct bench_sides *s)
{
    return (struct racer){build, view_by(build, c->dst, c->dtype, s->to_data),
                          view_by(build, c->src, c->src_dtype, s->from_data), s->flags};
}

static void release(struct racer *r)
{
    if (r->dst != NULL)
        r->build->view_release(r->dst);
    if (r->src != NULL)
        r->build->view_release(r->src);
}

static void copy(void *ctx)
{
    const struct racer *r = ctx;

    if (r->build->copy(r->dst, r->src, r->flags, 0) != SV_OK)
        abort();
}

static bool is_right(const struct bench_case *c, const struct bench_sides *s, struct racer *r)
{
    memset(s->dst, 0, (size_t)s->dst_bytes);
    copy(r);
    return bench_pattern_is_right(c, s->dst, s->dst_bytes);
}

/*
 * The time of the first build as a multiple of the second one's, whose median is ns. 0: a build cannot express the copy,
 * or there are no rounds. -1: what a build wrote is wrong.
 */
static double race(const struct build *builds, const struct bench_case *c, int rounds, double *ns)
{
    struct bench_sides s = bench_sides_open(c, 1);
    struct racer r[BUILDS];
    struct bench_racer racers[BUILDS] = {{.name = "old", .run = copy}, {.name = "new", .run = copy}};
    bool can = true, right = true;
    double ratio = 0;

    bench_pattern_write(c, s.src, s.src_bytes);
    for (int k = 0; k < BUILDS; k++) {
        r[k] = racer_of(&builds[k], c, &s);
        racers[k].ctx = &r[k];
        can = can && r[k].dst != NULL && r[k].src != NULL;
    }
    for (int k = 0; k < BUILDS && can && right; k++)
        right = is_right(c, &s, &r[k]);
    if (can && right && rounds > 0) {
        bench_race(BUILDS, racers, rounds, bench_thread_seconds);
        ratio = bench_ratio(&racers[0], &racers[1]);
        *ns = bench_median(racers[1].rounds, racers[1].ns);
    }
    for (int k = 0; k < BUILDS; k++)
        release(&r[k]);
    bench_sides_close(&s);
    return right ? ratio : -1;
}

/* --- groups of copies ------------------------------------------------------------- */

struct group {
    const char *name;
    int count;
    double logs, least;
    const char *slowest; /* the case of the least ratio */
};

static struct group groups[GROUPS];
static int group_count;

static void add(const struct bench_case *c, double ratio)
{
    struct group *g = groups;

    while (g < groups + group_count && strcmp(g->name, c->group) != 0)
        g++;
    if (g == groups + group_count) {
        if (group_count == GROUPS)
            return;
        group_count++;
        *g = (struct group){.name = c->group, .least = HUGE_VAL};
    }
    g->count++;
    g->logs += log(ratio);
    if (ratio < g->least) {
        g->least = ratio;
        g->slowest = c->name;
    }
}

static void write_groups(FILE *file, const char *front)
{
    for (const struct group *g = groups; g < groups + group_count; g++)
        fprintf(file, "%s%s | %d | %.3f | %.2f %s\n", front, g->name, g->count, exp(g->logs / g->count), g->least,
                g->slowest);
}

/* --- the processor ----------------------------------------------------------------- */

static void read_field(const char *line, const char *field, char *out)
{
    const char *const value = strstr(line, ": ");

    if (strncmp(line, field, strlen(field)) == 0 && strchr("\t ", line[strlen(field)]) != NULL && value != NULL &&
        *out == '\0')
        snprintf(out, TEXT / 4, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
}

/* As Linux tells it. */
static void describe_processor(char out[TEXT])
{
    char line[TEXT], vendor[TEXT / 4] = "", family[TEXT / 4] = "", model[TEXT / 4] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        read_field(line, "vendor_id", vendor);
        read_field(line, "cpu family", family);
        read_field(line, "model", model);
    }
    if (file != NULL)
        fclose(file);
    snprintf(out, TEXT, "%s family %s model %s, %s", vendor, family, model, svi_machine().isa->name);
}

/* --- all of them ------------------------------------------------------------------- */

static int run_all(const struct build *builds, int count, const struct bench_case *cases, const char *group, int rounds)
{
    int failed = 0;

    for (int k = 0; k < count; k++) {
        double ratio, ns = 0;

        if (strncmp(cases[k].group, group, strlen(group)) != 0)
            continue;
        ratio = race(builds, &cases[k], rounds, &ns);
        if (ratio < 0)
            failed = 1;
        else if (ratio > 0)
            add(&cases[k], ratio);
        printf("%-10s %-48s %12.1f ns %s%.2f\n", cases[k].group, cases[k].name, ns, ratio < 0 ? "wrong " : "", ratio);
        fflush(stdout);
    }
    return failed;
}

static bool append(const char *path, const char *text)
{
    char processor[TEXT], front[2 * TEXT];
    FILE *file = fopen(path, "a");

    if (file == NULL)
        return false;
    describe_processor(processor);
    snprintf(front, sizeof front, "%s | %s | ", processor, text);
    write_groups(file, front);
    return fclose(file) == 0;
}

static int test(int count, const struct bench_case *cases)
{
    struct build builds[BUILDS];

    if (access(SV_LIBRARY, R_OK) != 0) {
        tap_skip("builds", "no shared library is built");
        return tap_done();
    }
    builds[0] = builds[1] = open_build(SV_LIBRARY);
    for (int k = 0; k < count; k++) {
        struct bench_case small = bench_case_small(&cases[k]);
        double ns;

        tap_ok(race(builds, &small, 0, &ns) >= 0, "%s by two builds", cases[k].name);
        bench_cases_release(1, &small);
    }
    return tap_done();
}

int main(int argc, char **argv)
{
    static struct bench_case cases[BENCH_CASES];
    const char *list = SV_CASES, *group = "";
    int rounds = ROUNDS, letter, count, failed;

    while ((letter = getopt(argc, argv, "c:g:r:")) != -1)
        switch (letter) {
        case 'c': list = optarg; break;
        case 'g': group = optarg; break;
        case 'r': rounds = atoi(optarg); break;
        default: argc = -1;
        }
    if ((argc - optind != 0 && argc - optind != 2 && argc - optind != 4) || rounds < 1 || rounds > BENCH_ROUNDS) {
        fprintf(stderr, "usage: builds [-c CASES] [-g GROUP] [-r ROUNDS] OLD NEW [FILE TEXT]\n");
        return 2;
    }
    count = bench_cases_read(list, cases);
    if (count == 0)
        return EXIT_FAILURE;
    if (argc == optind) {
        failed = test(count, cases);
    } else {
        const struct build builds[BUILDS] = {open_build(argv[optind]), open_build(argv[optind + 1])};

        failed = run_all(builds, count, cases, group, rounds);
        printf("\ngroup | copies | time of the old build / the new one's: geometric mean | least, and its copy\n");
        write_groups(stdout, "");
        if (argc - optind == 4 && !append(argv[optind + 2], argv[optind + 3]))
            failed = EXIT_FAILURE;
    }
    bench_cases_release(count, cases);
    return failed;
}
