/* Ordinary memory whose pages are of the process alone, of a file, or shared. */
#ifndef ORDINARY_H
#define ORDINARY_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/own_pages.h"

struct ordinary {
    const char *name;
    int flags, access;
    bool touched, of_file;
    enum svi_pages pages;
};

static const struct ordinary ordinary[] = {
    {"memory of its own", MAP_PRIVATE | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, true, false, SVI_PAGES_OWN},
    {"memory not touched", MAP_PRIVATE | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, false, false, SVI_PAGES_UNKNOWN},
    {"shared memory", MAP_SHARED | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, true, false, SVI_PAGES_FILE},
    {"a file", MAP_SHARED, PROT_READ | PROT_WRITE, true, true, SVI_PAGES_FILE},
    {"a file not touched", MAP_SHARED, PROT_READ | PROT_WRITE, false, true, SVI_PAGES_UNKNOWN},
    {"a file, copied when written", MAP_PRIVATE, PROT_READ | PROT_WRITE, true, true, SVI_PAGES_OWN},
    {"a file, read alone", MAP_PRIVATE, PROT_READ, true, true, SVI_PAGES_FILE},
};

enum { RUN = 5 << 20, PAGE = 4096 };

/* The file has no name any more. NULL: there is no room for it. */
static inline char *map_ordinary(const struct ordinary *o)
{
    FILE *file = o->of_file ? tmpfile() : NULL;
    char *memory = MAP_FAILED;

    if (o->of_file && (file == NULL || ftruncate(fileno(file), RUN) != 0))
        return NULL;
    memory = mmap(NULL, RUN, o->access, o->flags, o->of_file ? fileno(file) : -1, 0);
    if (file != NULL)
        fclose(file);
    cr_assert_neq(memory, MAP_FAILED, "%s", o->name);
    if (o->touched && (o->access & PROT_WRITE))
        memset(memory, 3, RUN);
    else if (o->touched)
        for (size_t i = 0; i < RUN; i += PAGE)
            (void)*(volatile char *)(memory + i);
    return memory;
}

#endif
