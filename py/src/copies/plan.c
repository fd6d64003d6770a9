/* Copies that are planned once. */
#include "copies/plan.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/notebook.h"
#include "base/state.h"
#include "copies/batch.h"
#include "copies/byteorder.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "copies/factors.h"
#include "copies/opaque.h"
#include "copies/table.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

typedef struct {
    PyObject_HEAD
    struct svpy_state *state;
    sv_plan *handle;
} svpy_plan;

enum { EXPLANATION = 16384 }; /* bytes: always enough */

#define HANDLE(self) (((svpy_plan *)(self))->handle)
#define STATE(self) (((svpy_plan *)(self))->state)

/* Views of two objects, and whether a copy between them swaps bytes. 0, or -1 with an exception. */
static int import_both(struct svpy_state *state, PyObject *dst, PyObject *src, PyObject *stream, PyObject **target,
                       PyObject **source, bool *swaps)
{
    *target = svpy_import(state, dst, stream);
    *source = *target == NULL ? NULL : svpy_import_source(state, src, stream);
    if (*source != NULL && svpy_as_numbers(target, source, swaps) == 0)
        return 0;
    Py_XDECREF(*source);
    Py_XDECREF(*target);
    return -1;
}

/* measure= in nanoseconds: True is a second, False 0. -1 with an exception. */
static int64_t limit_ns_of(PyObject *measure)
{
    const double seconds = measure == NULL || measure == Py_False ? 0 : PyFloat_AsDouble(measure);

    if (seconds == -1 && PyErr_Occurred())
        return PyErr_ExceptionMatches(PyExc_TypeError) ? svpy_refuse_option(SVPY_MEASURE, measure) : -1;
    if (!(seconds >= 0)) {
        PyErr_Format(PyExc_ValueError, "measure=%R, which is neither True, False nor a number of seconds", measure);
        return -1;
    }
    if (seconds * 1e9 >= (double)INT64_MAX)
        return INT64_MAX;
    return seconds > 0 && seconds * 1e9 < 1 ? 1 : (int64_t)(seconds * 1e9);
}

/* A plan that copies, or converts. NULL with an exception. */
static sv_plan *plan_copy(struct svpy_state *state, svpy_view *target, const svpy_view *source, uint32_t flags)
{
    sv_plan *plan = NULL;

    if (svpy_check_items(state, target->handle, (PyObject *)target, source->handle, (PyObject *)source) < 0)
        return NULL;
    if (svpy_check_casting(target->handle, source->handle, flags) < 0)
        return NULL;
    return svpy_copy_tell(sv_plan_new(target->handle, source->handle, flags & ~SVPY_SAFE, &plan)) < 0 ? NULL : plan;
}

/* A plan that scales. NULL with an exception. */
static sv_plan *plan_scaled(svpy_view *target, const svpy_view *source, PyObject *const *options, uint32_t flags)
{
    svpy_factors factors;
    sv_plan *plan = NULL;

    if (svpy_factors_read(options, &factors) < 0)
        return NULL;
    if (svpy_factors_check(target->handle, &factors) == 0 &&
        svpy_factors_check_casting(target->handle, source->handle, options[SVPY_CASTING], flags) == 0)
        svpy_copy_tell(svpy_plan_new_scaled(target->handle, source->handle, &factors, flags & ~SVPY_SAFE, &plan));
    svpy_factors_end(&factors);
    return plan;
}

/* limit_ns: 0 if the plan is not measured. NULL with an exception. */
static sv_plan *make_plan(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                          PyObject *const *options, uint32_t flags, int64_t limit_ns)
{
    const bool scales = svpy_has_factors(options);
    sv_plan *plan = scales ? plan_scaled(target, source, options, flags) : plan_copy(state, target, source, flags);
    sv_plan *measured = NULL;

    if (plan == NULL || limit_ns == 0)
        return plan;
    if (svpy_measure(state, plan, target, source, limit_ns, &measured) < 0)
        measured = NULL;
    sv_plan_release(plan);
    return measured;
}

/* Takes the plan. */
static PyObject *wrap_plan(struct svpy_state *state, sv_plan *plan)
{
    PyObject *self = state->plan_type->tp_alloc(state->plan_type, 0);

    if (self == NULL) {
        sv_plan_release(plan);
        return NULL;
    }
    STATE(self) = state;
    HANDLE(self) = plan;
    return self;
}

static PyObject *plan_call(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const svpy_signature signature = {"Plan", 2, 2, {"dst", "src"},
                                             SVPY_CONVERTING | SVPY_SCALING | SVPY_BIT(NON_TEMPORAL) |
                                                 SVPY_BIT(MEASURE)};
    struct svpy_state *state = svpy_state_of_type(type);
    PyObject *values[2], *options[SVPY_OPTIONS], *target, *source;
    uint32_t flags;
    int64_t limit_ns;
    sv_plan *plan;
    bool swaps;
    int is_non_temporal = 0;

    if (svpy_arguments_and_options(&signature, args, PyVectorcall_NARGS(nargsf), kwnames, values, options) < 0)
        return NULL;
    if (svpy_copy_flags(options, &flags) < 0)
        return NULL;
    if (svpy_flag(options[SVPY_NON_TEMPORAL], &is_non_temporal) < 0)
        return NULL;
    limit_ns = limit_ns_of(options[SVPY_MEASURE]);
    if (limit_ns < 0)
        return NULL;
    if (import_both(state, values[0], values[1], NULL, &target, &source, &swaps) < 0)
        return NULL;
    flags |= swaps ? (uint32_t)SV_COPY_SWAP : 0;
    flags |= is_non_temporal ? (uint32_t)SV_COPY_NON_TEMPORAL : 0;
    plan = make_plan(state, (svpy_view *)target, (svpy_view *)source, options, flags, limit_ns);
    Py_DECREF(target);
    Py_DECREF(source);
    return plan == NULL ? NULL : wrap_plan(state, plan);
}

/* Plan.__new__(Plan, ...); Plan(...) goes another way, by vectorcall. */
static PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    return PyObject_Call((PyObject *)type, args, keywords);
}

static void plan_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    sv_plan_release(HANDLE(self));
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *plan_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<strideview.Plan %s by %s, %lld bytes>", sv_plan_class(HANDLE(self)),
                                sv_plan_kernel(HANDLE(self)), (long long)sv_plan_nbytes(HANDLE(self)));
}

static PyObject *plan_execute(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"execute", 3, 2, {"dst", "src"}, SVPY_ORDERING | SVPY_WORKING};
    PyObject *values[2], *options[SVPY_OPTIONS], *target, *source;
    bool swaps;
    int failed;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (import_both(STATE(self), values[0], values[1], options[SVPY_STREAM], &target, &source, &swaps) < 0)
        return NULL;
    failed = svpy_copy_views(STATE(self), HANDLE(self), (svpy_view *)target, (svpy_view *)source, options) < 0;
    Py_DECREF(target);
    Py_DECREF(source);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *plan_execute_batch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"execute_batch", 3, 2, {"dst", "src"}, SVPY_ORDERING};
    PyObject *values[2], *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return svpy_batch(STATE(self), HANDLE(self), values[0], values[1], options);
}

static PyObject *plan_execute_table(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"execute_table", 3, 2, {"dst", "src"},
                                             SVPY_BIT(STREAM) | SVPY_BIT(ALIGNMENT)};
    PyObject *values[2], *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return svpy_execute_table(STATE(self), HANDLE(self), values[0], values[1], options);
}

/* The text of sv_plan_explain(). */
static PyObject *explain_addresses(const sv_plan *plan, const void *dst, const void *src)
{
    char *text = PyMem_Malloc(EXPLANATION);
    PyObject *out;
    size_t length;
    sv_status status;

    if (text == NULL)
        return PyErr_NoMemory();
    status = sv_plan_explain(plan, dst, src, EXPLANATION, text, &length);
    out = status == SV_OK ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length) : svpy_raise(status);
    PyMem_Free(text);
    return out;
}

static PyObject *explain_arrays(PyObject *self, PyObject *dst, PyObject *src)
{
    PyObject *target, *source, *out;
    bool swaps;

    if (import_both(STATE(self), dst, src, NULL, &target, &source, &swaps) < 0)
        return NULL;
    out = explain_addresses(HANDLE(self), sv_view_data(((svpy_view *)target)->handle),
                            sv_view_data(((svpy_view *)source)->handle));
    Py_DECREF(target);
    Py_DECREF(source);
    return out;
}

/* Explain the copy between two arrays, or between page-aligned addresses. */
static PyObject *plan_explain(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"explain", 2, 0, {"dst", "src"}, 0};
    PyObject *values[2];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_is_given(values[0]) != svpy_is_given(values[1])) {
        PyErr_SetString(PyExc_TypeError, "explain() takes both arrays, or none");
        return NULL;
    }
    return svpy_is_given(values[0]) ? explain_arrays(self, values[0], values[1])
                                    : explain_addresses(HANDLE(self), NULL, NULL);
}

static PyObject *plan_kind(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(sv_plan_class(HANDLE(self)));
}

static PyObject *plan_kernel(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(sv_plan_kernel(HANDLE(self)));
}

static PyObject *plan_nbytes(PyObject *self, void *Py_UNUSED(unused))
{
    return PyLong_FromLongLong(sv_plan_nbytes(HANDLE(self)));
}

static PyObject *plan_traffic(PyObject *self, void *Py_UNUSED(unused))
{
    int64_t read, written;
    sv_status status = sv_plan_traffic(HANDLE(self), &read, &written);

    return status == SV_OK ? Py_BuildValue("LL", (long long)read, (long long)written) : svpy_raise(status);
}

static PyObject *plan_launches(PyObject *self, void *Py_UNUSED(unused))
{
    return PyLong_FromLongLong(sv_plan_launches(HANDLE(self)));
}

static PyMethodDef plan_methods[] = {
    {"execute", SVPY_NAMED(plan_execute),
     PyDoc_STR("execute($self, /, dst, src, stream=None, *, blocking=None, executor=None,\n"
               "        threads=None, progress=None, allocator=None)\n--\n\n"
               "Copy between these arrays, which have the dtypes, shapes, strides and devices of those that\n"
               "the plan was made of. stream and blocking as for strideview.copy().")},
    {"execute_batch", SVPY_NAMED(plan_execute_batch),
     PyDoc_STR("execute_batch($self, /, dst, src, stream=None, *, blocking=None)\n--\n\n"
               "execute(dst[i], src[i]) for each i: in this order between arrays of the CPU, else in any order.\n\n"
               "All are checked before the first is copied. See strideview.copy_batch().")},
    {"execute_table", SVPY_NAMED(plan_execute_table),
     PyDoc_STR("execute_table($self, /, dst, src, stream=None, *, alignment=0)\n--\n\n"
               "Copy between addresses of elements [0, ..., 0] that lie in two arrays of int64 or uint64 of one\n"
               "axis, dst[i] from src[i], in any order: pages of a cache. Arrays of a device are read there, by one\n"
               "launch for up to 65,535 copies, which a graph may record, in the order of the stream of dst's\n"
               "producer, and have to stay until then; those of the CPU are read before the call returns.\n\n"
               "That the memory is there, and no dst shares bytes with another dst or a src, is the caller's word.\n"
               "alignment: a power of two of which all addresses are multiples; 16 and more give the fastest\n"
               "kernels. 0: the largest one, up to 16, that divides the item sizes of both sides.")},
    {"explain", SVPY_NAMED(plan_explain),
     PyDoc_STR("explain($self, /, dst=None, src=None)\n--\n\n"
               "What the copy does and why, in lines of English text for people: its canonical form, the\n"
               "traffic, the loops that are asked and, marked \"->\", the one that does it. The loop depends on\n"
               "where both sides begin: those of these arrays, else where pages do. Nothing is copied.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef plan_getset[] = {
    {"kind", plan_kind, NULL, PyDoc_STR("What kind of copy it is: 'contiguous', 'rows', 'transpose', ..."), NULL},
    {"kernel", plan_kernel, NULL, PyDoc_STR("Name of what does it; for eyes."), NULL},
    {"nbytes", plan_nbytes, NULL, PyDoc_STR("Bytes that are written."), NULL},
    {"traffic", plan_traffic, NULL,
     PyDoc_STR("Bytes read and written in whole cache lines, each line once: an estimate."), NULL},
    {"launches", plan_launches, NULL,
     PyDoc_STR("Operations that one execution gives to a stream: kernels and calls of a copy engine; 0 on the host."),
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(plan_doc, "Plan(dst, src, *, casting='no', byteswap=False, non_temporal=False, scale=None, bias=None, axis=None,\n"
                       "     mean=None, std=None, measure=False)\n--\n\n"
                       "A copy decided once and done many times, by execute(), between other arrays of the same\n"
                       "layouts. The arrays it is made of are not kept, the numbers of scale and bias are. See\n"
                       "strideview.copy().\n\n"
                       "non_temporal=True stores past the caches of the host, as it is done for large copies anyway: for blocks\n"
                       "of a large array, and for what another processor reads. measure= decides that by the times.\n\n"
                       "measure=True times the loops that can do the copy for up to a second, measure=0.1 for up to\n"
                       "0.1 s, and keeps the fastest. dst holds the copy afterwards; the two arrays must not overlap.\n"
                       "explain() tells the times. A copy with a device is done once, and nothing is timed.");

static PyType_Slot plan_slots[] = {
    {Py_tp_doc, (void *)plan_doc},  {Py_tp_new, plan_new},          {Py_tp_dealloc, plan_dealloc},
    {Py_tp_repr, plan_repr},        {Py_tp_methods, plan_methods},  {Py_tp_getset, plan_getset},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "strideview.Plan",
    .basicsize = sizeof(svpy_plan),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plan_slots,
};

int svpy_plan_init(struct svpy_state *state, PyObject *module)
{
    state->plan_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &plan_spec, NULL);
    if (state->plan_type == NULL)
        return -1;
    state->plan_type->tp_vectorcall = plan_call;
    if (svpy_add_methods(state->plan_type, svpy_showing) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Plan", (PyObject *)state->plan_type);
}
