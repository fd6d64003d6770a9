/* What tracked memory resources count. */
#include "memory/resource_stats.h"

#include "base/errors.h"
#include "objects/array_memory.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

static const struct {
    const char *name;
    int32_t stat;
} stats[] = {
    {"live_bytes", SV_STAT_LIVE_BYTES},   {"live_count", SV_STAT_LIVE_COUNT},   {"peak_bytes", SV_STAT_PEAK_BYTES},
    {"peak_count", SV_STAT_PEAK_COUNT},   {"total_bytes", SV_STAT_TOTAL_BYTES}, {"total_count", SV_STAT_TOTAL_COUNT},
    {"failed_count", SV_STAT_FAILED_COUNT}, {"lost_bytes", SV_STAT_LOST_BYTES}, {"lost_count", SV_STAT_LOST_COUNT},
    {"cached_bytes", SV_STAT_CACHED_BYTES}, {"cached_count", SV_STAT_CACHED_COUNT},
};

/* Where nothing is kept, nothing is cached. */
static sv_status ask_stat(const sv_allocator *allocator, int32_t stat, int64_t *value)
{
    const sv_status status = sv_allocator_stats(allocator, stat, value);

    if (status != SV_ERROR_STATE || (stat != SV_STAT_CACHED_BYTES && stat != SV_STAT_CACHED_COUNT))
        return status;
    *value = 0;
    return SV_OK;
}

static PyObject *resource_stats(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const sv_allocator *allocator = svpy_allocator_of(self);
    PyObject *dict = allocator == NULL ? NULL : PyDict_New();

    for (size_t i = 0; dict != NULL && i < sizeof stats / sizeof *stats; i++) {
        int64_t value;
        sv_status status = ask_stat(allocator, stats[i].stat, &value);
        int64_t more = ((svpy_resource *)self)->counts_arrays ? svpy_array_stat(stats[i].stat) : 0;
        PyObject *number = status == SV_OK ? PyLong_FromLongLong(value + more) : svpy_raise(status);

        if (number == NULL || PyDict_SetItemString(dict, stats[i].name, number) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

static PyObject *resource_reset_peaks(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const sv_allocator *allocator = svpy_allocator_of(self);
    sv_status status;

    if (allocator == NULL)
        return NULL;
    if (((svpy_resource *)self)->counts_arrays)
        svpy_array_reset_peaks();
    status = sv_allocator_reset_peaks(allocator);
    return status == SV_OK ? Py_NewRef(Py_None) : svpy_raise(status);
}

/* Live blocks, gathered where no code of Python may run. */
struct block {
    int64_t number, nbytes;
    uintptr_t address, stream;
};

struct gathered {
    struct block *blocks;
    size_t count, room;
    bool failed;
};

static int32_t gather_block(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    struct gathered *all = ctx;

    if (all->count == all->room) {
        const size_t room = all->room == 0 ? 256 : 2 * all->room;
        struct block *blocks = PyMem_RawRealloc(all->blocks, room * sizeof *blocks);

        all->failed = blocks == NULL;
        if (all->failed)
            return 1;
        all->blocks = blocks;
        all->room = room;
    }
    all->blocks[all->count++] =
        (struct block){.number = number, .nbytes = nbytes, .address = (uintptr_t)pointer, .stream = stream};
    return 0;
}

static PyObject *list_of(const struct gathered *all)
{
    PyObject *list = PyList_New((Py_ssize_t)all->count);

    for (size_t i = 0; list != NULL && i < all->count; i++) {
        const struct block *block = &all->blocks[i];
        PyObject *told = Py_BuildValue("LKLK", (long long)block->number, (unsigned long long)block->address,
                                       (long long)block->nbytes, (unsigned long long)block->stream);

        if (told == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, told);
    }
    return list;
}

static PyObject *resource_blocks(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const sv_allocator *allocator = svpy_allocator_of(self);
    struct gathered all = {0};
    PyObject *list = NULL;
    sv_status status;

    if (allocator == NULL)
        return NULL;
    status = sv_allocator_visit(allocator, gather_block, &all);
    if (all.failed)
        PyErr_NoMemory();
    else
        list = status == SV_OK ? list_of(&all) : svpy_raise(status);
    PyMem_RawFree(all.blocks);
    return list;
}

PyObject *svpy_count_arrays(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *dict = PyDict_New();

    for (size_t i = 0; dict != NULL && i < sizeof stats / sizeof *stats; i++) {
        PyObject *number = PyLong_FromLongLong(svpy_array_stat(stats[i].stat));

        if (number == NULL || PyDict_SetItemString(dict, stats[i].name, number) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

PyMethodDef svpy_counting[] = {
    {"stats", resource_stats, METH_NOARGS,
     PyDoc_STR("stats($self, /)\n--\n\n"
               "What the nearest tracked resource counts, as a dict: live_bytes and live_count, peak_*, total_*,\n"
               "failed_count, lost_* of memory that could not be freed, and cached_* of what the nearest cached()\n"
               "resource keeps. RuntimeError where none is tracked.")},
    {"reset_peaks", resource_reset_peaks, METH_NOARGS,
     PyDoc_STR("reset_peaks($self, /)\n--\n\nLet the peaks of stats() start again from what is live now.")},
    {"blocks", resource_blocks, METH_NOARGS,
     PyDoc_STR("blocks($self, /)\n--\n\n"
               "The live blocks of tracked(blocks=True), as a list of (number, ptr, nbytes, stream). number\n"
               "counts the allocations from 1.")},
    {NULL, NULL, 0, NULL},
};
