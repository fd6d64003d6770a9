/* Questions about two layouts or views, and questions that may be too hard to answer. */
#include "arrays/layout_pair.h"

#include "arrays/rearrange.h"
#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/layout_object.h"
#include "objects/layout_struct.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

#define HANDLE(object) (((svpy_layout *)(object))->handle)
#define STATE(object) (((svpy_layout *)(object))->state)

/* Read the arguments of a method whose first argument is another layout. */
static int read_other_layout(PyObject *self, const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames, PyObject **values)
{
    if (svpy_arguments(signature, args, nargs, kwnames, values) < 0)
        return -1;
    if (svpy_is_layout(STATE(self), values[0]))
        return 0;
    PyErr_Format(PyExc_TypeError, "other must be a StridedLayout, not %.100s", Py_TYPE(values[0])->tp_name);
    return -1;
}

static PyObject *has_same_bytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"same_bytes", 1, 1, {"other"}, 0};
    PyObject *values[1];

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return PyBool_FromLong(sv_layout_same_bytes(HANDLE(self), HANDLE(values[0])));
}

static PyObject *find_common_form(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"common_form", 1, 1, {"other"}, 0};
    PyObject *values[1], *first, *second;
    sv_layout *ours, *theirs;
    sv_status status;

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    status = sv_layout_common(HANDLE(self), HANDLE(values[0]), &ours, &theirs);
    if (status != SV_OK)
        return svpy_raise(status);
    first = svpy_layout_wrap(STATE(self), ours);
    second = svpy_layout_wrap(STATE(self), theirs);
    return Py_BuildValue("(NN)", first, second);
}

static PyObject *find_common_itemsize(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "common_itemsize", 4, 1, {"other", "max_itemsize", "address", "other_address"}, 0};
    PyObject *values[4];
    int64_t limit = 16, itemsize;
    uintptr_t address = 0, other_address = 0;
    sv_status status;

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[1] != NULL && svpy_int64(values[1], &limit) < 0)
        return NULL;
    if (svpy_address(values[2], &address) < 0)
        return NULL;
    if (svpy_address(values[3], &other_address) < 0)
        return NULL;
    status = sv_layout_common_itemsize(HANDLE(self), HANDLE(values[0]), address, other_address, limit, &itemsize);
    return status == SV_OK ? PyLong_FromLongLong(itemsize) : svpy_raise(status);
}

static PyObject *find_broadcast_shape(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"broadcast_shape", 1, 1, {"other"}, 0};
    PyObject *values[1];
    int64_t shape[SV_MAX_NDIM];
    int32_t ndim;
    sv_status status;

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    status = sv_layout_broadcast_shape(HANDLE(self), HANDLE(values[0]), &ndim, shape);
    return status == SV_OK ? svpy_tuple(shape, ndim) : svpy_raise(status);
}

static PyObject *find_permutation(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"permutation_to", 1, 1, {"other"}, 0};
    PyObject *values[1];
    int32_t axes[SV_MAX_NDIM];
    sv_status status;

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    status = sv_layout_permutation(HANDLE(self), HANDLE(values[0]), axes);
    return status == SV_OK ? svpy_axes_tuple(axes, sv_layout_ndim(HANDLE(self))) : svpy_raise(status);
}

/* --- questions that can be too hard ---------------------------------------- */

enum {
    DEFAULT_WORK = 100000, /* what a limit of 0 means */
    QUICK_WORK = 1000      /* steps that take less than a millisecond, so the GIL is kept */
};

/* The limit: 1 and more, or below 0, which libsv refuses. */
static int read_work(PyObject *object, int64_t *work)
{
    *work = 0;
    if (object != NULL && svpy_int64(object, work) < 0)
        return -1;
    *work = *work == 0 ? DEFAULT_WORK : *work;
    return 0;
}

/*
 * libsv cannot go on where a work limit stopped it, so a hard question is asked
 * again with four times the limit, up to the caller's. Repeating costs a third
 * of the time at most; in return, easy questions need no release of the GIL, and
 * hard ones let signals in between.
 */
PyObject *svpy_decide(const svpy_question *question, int64_t work)
{
    int fourths = 0; /* the limit is work, divided by 4 so often */
    sv_answer answer = SV_MAYBE;
    sv_status status;

    while (work >> 2 * fourths > QUICK_WORK)
        fourths++;
    status = question->ask(question, work >> 2 * fourths, &answer);
    while (status == SV_OK && answer == SV_MAYBE && fourths > 0) {
        if (PyErr_CheckSignals() < 0)
            return NULL;
        fourths--;
        Py_BEGIN_ALLOW_THREADS
        status = question->ask(question, work >> 2 * fourths, &answer);
        Py_END_ALLOW_THREADS
    }
    return svpy_decided(status, answer);
}

static sv_status ask_unique(const svpy_question *question, int64_t work, sv_answer *answer)
{
    return sv_layout_is_unique(question->one, work, answer);
}

static sv_status ask_layouts(const svpy_question *question, int64_t work, sv_answer *answer)
{
    return sv_layout_overlap(question->one, question->other, question->address, question->other_address, work, answer);
}

static sv_status ask_views(const svpy_question *question, int64_t work, sv_answer *answer)
{
    return sv_view_overlap(question->one, question->other, work, answer);
}

PyObject *svpy_decide_unique(const sv_layout *layout)
{
    return svpy_decide(&(svpy_question){.ask = ask_unique, .one = layout}, DEFAULT_WORK);
}

static PyObject *find_overlap(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"overlaps", 4, 1, {"other", "address", "other_address", "work"}, 0};
    PyObject *values[4];
    svpy_question question = {.ask = ask_layouts};
    int64_t work;

    if (read_other_layout(self, &signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_address(values[1], &question.address) < 0)
        return NULL;
    if (svpy_address(values[2], &question.other_address) < 0)
        return NULL;
    if (read_work(values[3], &work) < 0)
        return NULL;
    question.one = HANDLE(self);
    question.other = HANDLE(values[0]);
    return svpy_decide(&question, work);
}

PyMethodDef svpy_pairing[] = {
    {"overlaps", SVPY_NAMED(find_overlap),
     PyDoc_STR("overlaps($self, /, other, address=0, other_address=0, work=0)\n--\n\n"
               "Whether elements of two layouts share a byte, with their bases at these addresses.\n"
               "TooHardError where that is not decided within work steps, 0 for the default.")},
    {"same_bytes", SVPY_NAMED(has_same_bytes),
     PyDoc_STR("same_bytes($self, /, other)\n--\n\n"
               "Whether two layouts, walked in C order, visit the same bytes in the same order, whatever their\n"
               "shapes and item sizes.")},
    {"common_form", SVPY_NAMED(find_common_form),
     PyDoc_STR("common_form($self, /, other)\n--\n\n"
               "Both layouts with the fewest axes that still pair the same elements, as copying other into\n"
               "this one reads them. other is broadcast to the shape of this one.")},
    {"common_itemsize", SVPY_NAMED(find_common_itemsize),
     PyDoc_STR("common_itemsize($self, /, other, max_itemsize=16, address=0, other_address=0)\n--\n\n"
               "Bytes of the widest word, a divisor of max_itemsize, by which the bytes of both layouts can be\n"
               "walked together, with their bases at these addresses.")},
    {"broadcast_shape", SVPY_NAMED(find_broadcast_shape),
     PyDoc_STR("broadcast_shape($self, /, other)\n--\n\n"
               "The shape that both are broadcast to together. ValueError where there is none.")},
    {"permutation_to", SVPY_NAMED(find_permutation),
     PyDoc_STR("permutation_to($self, /, other)\n--\n\n"
               "The axes with which permute() makes other of this layout. ValueError where there are none.")},
    {NULL, NULL, 0, NULL},
};

/* --- functions of the package ---------------------------------------------- */

static PyObject *is_unique(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"is_unique", 2, 1, {"obj", "work"}, 0};
    struct svpy_state *state = svpy_state_of_module(module);
    PyObject *values[2], *object, *decided;
    int64_t work;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_work(values[1], &work) < 0)
        return NULL;
    object = svpy_is_layout(state, values[0]) ? Py_NewRef(values[0]) : svpy_import(state, values[0], NULL);
    if (object == NULL)
        return NULL;
    decided = svpy_decide(&(svpy_question){.ask = ask_unique, .one = svpy_layout_of(object)}, work);
    Py_DECREF(object);
    return decided;
}

static PyObject *find_shared_memory(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"shares_memory", 3, 2, {"a", "b", "work"}, 0};
    struct svpy_state *state = svpy_state_of_module(module);
    PyObject *values[3], *a, *b, *decided = NULL;
    int64_t work;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_work(values[2], &work) < 0)
        return NULL;
    a = svpy_import(state, values[0], NULL);
    b = a == NULL ? NULL : svpy_import(state, values[1], NULL);
    if (b != NULL)
        decided = svpy_decide(&(svpy_question){.ask = ask_views, .one = ((svpy_view *)a)->handle,
                                               .other = ((svpy_view *)b)->handle}, work);
    Py_XDECREF(b);
    Py_XDECREF(a);
    return decided;
}

PyMethodDef svpy_deciding[] = {
    {"is_unique", SVPY_NAMED(is_unique),
     PyDoc_STR("is_unique(obj, work=0)\n--\n\n"
               "Whether no two different indices of a layout, a view or an array share a byte.\n\n"
               "The answer is exact. Where it is not found within work steps, 0 for the default of some tens of\n"
               "milliseconds, TooHardError is raised; with up to four axes it always is found. Other threads\n"
               "run meanwhile. Ctrl-C is answered now and then: the search is made in slices, each four times\n"
               "as long as the one before.")},
    {"shares_memory", SVPY_NAMED(find_shared_memory),
     PyDoc_STR("shares_memory(a, b, work=0)\n--\n\n"
               "Whether elements of two views, or of anything view() takes, share a byte.\n\n"
               "The answer is exact, or TooHardError; see is_unique().")},
    {NULL, NULL, 0, NULL},
};
