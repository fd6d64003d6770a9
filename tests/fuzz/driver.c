/*
 * Stands in for libFuzzer in make check: the corpus, what becomes of it by small changes, and random bytes. The input
 * at which a target ends the program is left in fuzz-NAME.input.
 */
#define _POSIX_C_SOURCE 200809L /* scandir */

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "tap.h"
#include "support/pairs.h"

enum { LARGEST = 512, FILES = 200, SECONDS = 1 /* of random inputs in make check */ };

static struct {
    size_t size;
    uint8_t data[LARGEST];
} corpus[FILES];

static int files;
static uint8_t now[LARGEST];
static size_t now_size;
static char leave_at[64];

static void leave_input(int number)
{
    int file = open(leave_at, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (file >= 0 && write(file, now, now_size) == (ssize_t)now_size)
        close(file);
    signal(number, SIG_DFL);
    raise(number);
}

static void give(void)
{
    uint8_t *exact = malloc(now_size > 0 ? now_size : 1); /* so that sanitizers see its end */

    memcpy(exact, now, now_size);
    LLVMFuzzerTestOneInput(exact, now_size);
    free(exact);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* By name, not as the file system has them: what is made of them is the same everywhere. */
static bool read_corpus(void)
{
    struct dirent **entries;
    char path[4096];
    int count;

    snprintf(path, sizeof path, "%s/%s", SV_CORPUS, fuzz_name);
    count = scandir(path, &entries, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        FILE *file;

        snprintf(path, sizeof path, "%s/%s/%s", SV_CORPUS, fuzz_name, entries[i]->d_name);
        file = files < FILES ? fopen(path, "rb") : NULL;
        if (file != NULL) {
            corpus[files].size = fread(corpus[files].data, 1, LARGEST, file);
            files++;
            fclose(file);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return files > 0;
}

static void change_a_little(void)
{
    size_t at = now_size > 0 ? (size_t)test_between(0, (int64_t)now_size - 1) : 0;
    size_t rest = now_size - at;

    switch (test_between(0, 3)) {
    case 0:
        now[at] = (uint8_t)test_random();
        break;
    case 1:
        now[at] ^= (uint8_t)(1 << test_between(0, 7));
        break;
    case 2: /* out */
        if (now_size > 0)
            memmove(now + at, now + at + 1, rest - 1), now_size--;
        break;
    default: /* in, often what is there already */
        if (now_size < LARGEST) {
            memmove(now + at + 1, now + at, rest), now_size++;
            if (test_between(0, 1))
                now[at] = (uint8_t)test_random();
        }
        break;
    }
}

static void make_input(void)
{
    int64_t file = test_between(0, files);

    if (file < files) {
        now_size = corpus[file].size;
        memcpy(now, corpus[file].data, now_size);
        for (int64_t changes = test_between(1, 6); changes > 0; changes--)
            change_a_little();
    } else {
        now_size = (size_t)test_between(0, 100);
        for (size_t i = 0; i < now_size; i++)
            now[i] = (uint8_t)test_random();
    }
}

int main(int argc, char **argv)
{
    int64_t round = test_first_round();

    snprintf(leave_at, sizeof leave_at, "fuzz-%s.input", fuzz_name);
    signal(SIGABRT, leave_input);
    signal(SIGSEGV, leave_input);
    if (argc > 1) { /* one input, to look at */
        FILE *file = fopen(argv[1], "rb");

        if (file == NULL)
            return 1;
        now_size = fread(now, 1, sizeof now, file);
        fclose(file);
        give();
        return 0;
    }
    if (tap_ok(read_corpus(), "%s: there is a corpus", fuzz_name)) {
        for (int i = 0; i < files; i++) {
            now_size = corpus[i].size;
            memcpy(now, corpus[i].data, now_size);
            give();
        }
        tap_ok(true, "%s: %d inputs of the corpus", fuzz_name, files);
    }
    for (; test_round_within(round, SECONDS); round++) {
        make_input();
        give();
    }
    tap_ok(true, "%s: %" PRId64 " random inputs", fuzz_name, round);
    return tap_done();
}
