/*
 * Runs of bytes between an open file and memory, for copies of files that are larger than memory (strideview/cli/files).
 *
 * A block of an array is a box of equal runs, `step` bytes apart in the file and `pitch` bytes apart in memory along each
 * axis. One call moves all of them without the interpreter's lock: a call of Python for each run takes longer than the
 * run, and threads would wait for each other's lock after every one.
 */
#include "execution/file_runs.h"

#include <errno.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/errors.h"

enum { FD, MEMORY, WRITING, RUN, EXTENTS, STEPS, PITCHES, OFFSET, VALUES };

struct runs {
    int fd;
    bool writing;
    int32_t ndim;
    int64_t run;    /* bytes */
    int64_t offset; /* of the first run in the file */
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM], pitches[SV_MAX_NDIM];
    char *memory;
};

/* Where the last run ends, with strides that are not negative; -1 where that is no int64_t. */
static int64_t end_of_runs(const struct runs *runs, const int64_t *strides, int64_t begin)
{
    int64_t end;

    if (__builtin_add_overflow(begin, runs->run, &end))
        return -1;
    for (int32_t k = 0; k < runs->ndim; k++) {
        int64_t reach;

        if (strides[k] < 0 || __builtin_mul_overflow(runs->extents[k] - 1, strides[k], &reach))
            return -1;
        if (__builtin_add_overflow(end, reach, &end))
            return -1;
    }
    return end;
}

/* ValueError where a run is not within the memory or not within what a file can be. 0 or -1. */
static int check_runs(const struct runs *runs, int64_t nbytes)
{
    int64_t end;

    if (runs->run < 0 || runs->offset < 0) {
        PyErr_SetString(PyExc_ValueError, "run and offset are not negative");
        return -1;
    }
    for (int32_t k = 0; k < runs->ndim; k++)
        if (runs->extents[k] < 1) {
            PyErr_SetString(PyExc_ValueError, "extents are positive");
            return -1;
        }
    end = end_of_runs(runs, runs->pitches, 0);
    if (end < 0 || end > nbytes) {
        PyErr_Format(PyExc_ValueError, "the runs do not fit %lld bytes of memory", (long long)nbytes);
        return -1;
    }
    if (end_of_runs(runs, runs->steps, runs->offset) < 0) {
        PyErr_SetString(PyExc_ValueError, "the runs reach beyond what a file can be");
        return -1;
    }
    return 0;
}

/* One run. The bytes that were moved: fewer where the file ends, or -1 with errno. */
static int64_t move_run(const struct runs *runs, int64_t offset, char *memory)
{
    int64_t done = 0;

    while (done < runs->run) {
        const size_t left = (size_t)(runs->run - done);
        const ssize_t now = runs->writing ? pwrite(runs->fd, memory + done, left, (off_t)(offset + done))
                                          : pread(runs->fd, memory + done, left, (off_t)(offset + done));

        if (now < 0 && errno != EINTR)
            return -1;
        if (now == 0)
            break;
        if (now > 0)
            done += now;
    }
    return done;
}

/* All runs, the last axis first. The bytes that were moved, up to the first run that is cut short; or -1 with errno. */
static int64_t move_all(const struct runs *runs)
{
    int64_t index[SV_MAX_NDIM] = {0}, offset = runs->offset, moved = 0;
    char *memory = runs->memory;

    for (;;) {
        const int64_t now = move_run(runs, offset, memory);
        int32_t axis = runs->ndim - 1;

        if (now < 0)
            return -1;
        moved += now;
        if (now < runs->run)
            return moved;
        for (; axis >= 0 && ++index[axis] == runs->extents[axis]; axis--) {
            offset -= (runs->extents[axis] - 1) * runs->steps[axis];
            memory -= (runs->extents[axis] - 1) * runs->pitches[axis];
            index[axis] = 0;
        }
        if (axis < 0)
            return moved;
        offset += runs->steps[axis];
        memory += runs->pitches[axis];
    }
}

/* 0 or -1. */
static int read_box(PyObject *const *values, struct runs *runs)
{
    if (svpy_int64(values[RUN], &runs->run) < 0)
        return -1;
    if (svpy_int64(values[OFFSET], &runs->offset) < 0)
        return -1;
    runs->ndim = svpy_extents(values[EXTENTS], runs->extents);
    if (runs->ndim < 0)
        return -1;
    for (int which = STEPS; which <= PITCHES; which++) {
        const int32_t count = svpy_extents(values[which], which == STEPS ? runs->steps : runs->pitches);

        if (count >= 0 && count != runs->ndim)
            PyErr_Format(PyExc_ValueError, "%d strides for %d extents", count, runs->ndim);
        if (count != runs->ndim)
            return -1;
    }
    return 0;
}

/* With the memory held by buffer. */
static PyObject *move_checked(struct runs *runs, const Py_buffer *buffer)
{
    int64_t moved;
    int failed = 0;

    if (check_runs(runs, buffer->len) < 0)
        return NULL;
    runs->memory = buffer->buf;
    Py_BEGIN_ALLOW_THREADS
    moved = move_all(runs);
    failed = errno;
    Py_END_ALLOW_THREADS
    if (moved < 0) {
        errno = failed;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromLongLong(moved);
}

PyObject *svpy_move_runs(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "_move_runs", 8, 8, {"fd", "memory", "writing", "run", "extents", "steps", "pitches", "offset"}};
    struct runs runs = {0};
    PyObject *values[VALUES], *moved;
    Py_buffer buffer;
    int writing = 0;

    (void)module;
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    runs.fd = PyObject_AsFileDescriptor(values[FD]);
    if (runs.fd < 0)
        return NULL;
    if (svpy_read_flag(values[WRITING], &writing) < 0)
        return NULL;
    runs.writing = writing;
    if (read_box(values, &runs) < 0)
        return NULL;
    if (PyObject_GetBuffer(values[MEMORY], &buffer, writing ? PyBUF_SIMPLE : PyBUF_WRITABLE) < 0)
        return NULL;
    moved = move_checked(&runs, &buffer);
    PyBuffer_Release(&buffer);
    return moved;
}
