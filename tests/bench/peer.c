#define _GNU_SOURCE /* dlopen */

#include "peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- libraries ------------------------------------------------------------- */

static void *open_with(const char *file, const char *symbol)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (library != NULL && dlsym(library, symbol) == NULL) {
        dlclose(library);
        library = NULL;
    }
    return library;
}

static void *open_given(const char *files, const char *symbol)
{
    char *list = strdup(files), *rest = NULL;
    void *library = NULL;

    if (list == NULL)
        abort();
    for (char *file = strtok_r(list, ":", &rest); file != NULL && library == NULL; file = strtok_r(NULL, ":", &rest))
        library = open_with(file, symbol);
    free(list);
    return library;
}

void *bench_library(const char *files, const char *const *names, const char *symbol)
{
    void *library = files != NULL ? open_given(files, symbol) : NULL;

    for (; *names != NULL && library == NULL; names++)
        library = open_with(*names, symbol);
    return library;
}

bool bench_function(void *function, void *library, const char *prefix, const char *name)
{
    char whole[96];
    void *symbol;

    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    symbol = library != NULL ? dlsym(library, whole) : NULL;
    memcpy(function, &symbol, sizeof symbol); /* POSIX lets a function's address be an object's */
    return symbol != NULL;
}

/* --- matrices -------------------------------------------------------------- */

static bool has_items(const sv_layout *layout)
{
    const int64_t *strides = sv_layout_byte_strides(layout);

    for (int32_t k = 0; k < sv_layout_ndim(layout); k++)
        if (strides[k] <= 0 || strides[k] % sv_layout_itemsize(layout) != 0)
            return false;
    return true;
}

/* Of two layouts of the fewest axes. */
static bool read_matrix(const sv_layout *dst, const sv_layout *src, struct bench_matrix *m)
{
    const int64_t *shape = sv_layout_shape(dst), item = sv_layout_itemsize(dst);
    const int64_t *to = sv_layout_byte_strides(dst), *from = sv_layout_byte_strides(src);
    int32_t ndim = sv_layout_ndim(dst);

    if (ndim < 1 || ndim > 2 || !has_items(dst) || !has_items(src) || (ndim == 1 && to[0] == item && from[0] == item))
        return false;
    if (ndim == 2)
        *m = (struct bench_matrix){shape[0], shape[1], to[0] / item, to[1] / item, from[0] / item, from[1] / item};
    else
        *m = (struct bench_matrix){
            1, shape[0], shape[0] * to[0] / item, to[0] / item, shape[0] * from[0] / item, from[0] / item};
    return true;
}

bool bench_matrix_of(const struct bench_case *c, struct bench_matrix *m)
{
    sv_layout *dst, *src;
    bool found;

    if (strcmp(c->dtype, c->src_dtype) != 0 || sv_layout_common(c->dst, c->src, &dst, &src) != SV_OK)
        return false;
    /* An offset that differs from the case's is of an axis that was turned round. */
    found = sv_layout_byte_offset(dst) == sv_layout_byte_offset(c->dst) &&
            sv_layout_byte_offset(src) == sv_layout_byte_offset(c->src) && read_matrix(dst, src, m);
    sv_layout_release(dst);
    sv_layout_release(src);
    return found;
}
