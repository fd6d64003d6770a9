/* The type StridedMemoryView: its constructors and methods. A view reads the memory of another object through a
 * layout. */
#include "arrays/view.h"

#include <structmember.h>

#include "arrays/assign.h"
#include "arrays/clone.h"
#include "arrays/compare.h"
#include "arrays/kernel_arg.h"
#include "arrays/move.h"
#include "arrays/rearrange.h"
#include "arrays/reshape.h"
#include "arrays/scalar.h"
#include "arrays/view_as.h"
#include "arrays/view_attributes.h"
#include "base/arguments.h"
#include "base/errors.h"
#include "base/helper.h"
#include "base/hint.h"
#include "base/notebook.h"
#include "base/state.h"
#include "copies/copy.h"
#include "copies/fill.h"
#include "copies/scaled.h"
#include "execution/stream.h"
#include "objects/layout_object.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/arrow_export.h"
#include "protocols/buffer.h"
#include "protocols/dlpack.h"
#include "protocols/from_buffer.h"
#include "protocols/import.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)
#define LAYOUT(object) sv_view_layout(HANDLE(object))
#define STATE(object) (((svpy_view *)(object))->state)

/* --- making one ----------------------------------------------------------- */

typedef PyObject *importer(struct svpy_state *state, PyObject *object, PyObject *stream);

static PyObject *from_object(PyObject *type, importer *import, const svpy_signature *signature, PyObject *const *args,
                             Py_ssize_t nargs, PyObject *kwnames)
{
    struct svpy_state *state = svpy_state_of_type(type);
    PyObject *values[2];

    if (nargs == 1 && kwnames == NULL)
        return import(state, args[0], NULL);
    if (svpy_arguments(signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return svpy_check_second(values[1]) < 0 ? NULL : import(state, values[0], values[1]);
}

static PyObject *view_call(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const svpy_signature signature = {"StridedMemoryView", 2, 1, {"obj", "stream_ptr"}, 0};

    return from_object(type, svpy_import, &signature, args, PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *view_from_dlpack(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"from_dlpack", 2, 1, {"obj", "stream_ptr"}, 0};

    return from_object(type, svpy_import_dlpack, &signature, args, nargs, kwnames);
}

static PyObject *view_from_any_interface(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"from_any_interface", 2, 1, {"obj", "stream_ptr"}, 0};

    return from_object(type, svpy_import, &signature, args, nargs, kwnames);
}

static PyObject *view_from_cuda_array_interface(PyObject *type, PyObject *const *args, Py_ssize_t nargs,
                                                PyObject *kwnames)
{
    static const svpy_signature signature = {"from_cuda_array_interface", 2, 1, {"obj", "stream_ptr"}, 0};

    return from_object(type, svpy_import_cuda_interface, &signature, args, nargs, kwnames);
}

static PyObject *view_from_array_interface(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"from_array_interface", 1, 1, {"obj"}, 0};
    PyObject *object;

    if (svpy_arguments(&signature, args, nargs, kwnames, &object) < 0)
        return NULL;
    return svpy_import_interface(svpy_state_of_type(type), object);
}

/* --- other views of the same memory --------------------------------------- */

/* What PyTorch's view() takes. */
static PyObject *refuse_shape(void)
{
    PyErr_SetString(PyExc_TypeError, "view() takes a layout or a dtype; another shape is had by v.reshape(shape)");
    return NULL;
}

static PyObject *view_view(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"view", 2, 0, {"layout", "dtype"}, 0};
    PyObject *values[2];

    if (nargs > 0 && (PyLong_Check(args[0]) || PyTuple_Check(args[0])))
        return refuse_shape();
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[0] == NULL || values[0] == Py_None || values[1] != NULL || svpy_is_layout(STATE(self), values[0]))
        return svpy_view_as(self, values[0], values[1]);
    return svpy_view_as(self, NULL, values[0]);
}

/* --- copying -------------------------------------------------------------- */

static PyObject *copy_with(PyObject *self, const svpy_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames, int into_self)
{
    PyObject *given, *options[SVPY_OPTIONS], *other;
    int failed;

    if (svpy_arguments_and_options(signature, args, nargs, kwnames, &given, options) < 0)
        return NULL;
    other = into_self ? svpy_import_source(STATE(self), given, options[SVPY_STREAM])
                      : svpy_import(STATE(self), given, options[SVPY_STREAM]);
    if (other == NULL)
        return NULL;
    if (!svpy_is_given(options[SVPY_BLOCKING]) && svpy_is_host(HANDLE(self)) != svpy_is_host(HANDLE(other)))
        options[SVPY_BLOCKING] = Py_True;
    failed = svpy_copy_maybe_scaled(STATE(self), (svpy_view *)(into_self ? self : other),
                                    (svpy_view *)(into_self ? other : self), options) < 0;
    Py_DECREF(other);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *view_copy_from(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy_from", 4, 1, {"other"}, SVPY_COPYING | SVPY_SCALING};

    return copy_with(self, &signature, args, nargs, kwnames, 1);
}

static PyObject *view_copy_to(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy_to", 4, 1, {"other"}, SVPY_COPYING | SVPY_SCALING};

    return copy_with(self, &signature, args, nargs, kwnames, 0);
}

/* --- as a sequence, as an array ------------------------------------------- */

/* NumPy calls this where the buffer protocol has no format. */
static PyObject *view_array(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *function = svpy_helper("strideview._dtype", "array"), *all = NULL, *answer = NULL;
    PyObject *first = function == NULL ? NULL : PyTuple_Pack(1, self);

    if (first != NULL)
        all = PySequence_Concat(first, args);
    if (all != NULL)
        answer = PyObject_Call(function, all, keywords);
    Py_XDECREF(all);
    Py_XDECREF(first);
    Py_XDECREF(function);
    return answer;
}

/* Wait for the work of a stream that is given. */
static int await_stream(const sv_view *view, PyObject *given)
{
    int64_t stream;

    if (svpy_stream(given, &stream) < 0)
        return -1;
    if (stream == SVPY_ABSENT)
        return 0;
    if (svpy_stream_on(sv_view_device_type(view), stream, &stream) < 0)
        return -1;
    return svpy_await_work(view, stream);
}

static PyObject *view_numpy(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"numpy", 1, 0, {NULL}, SVPY_BIT(STREAM)};
    PyObject *options[SVPY_OPTIONS], *function, *answer;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, NULL, options) < 0)
        return NULL;
    if (await_stream(HANDLE(self), options[SVPY_STREAM]) < 0)
        return NULL;
    function = svpy_helper("strideview._ndarray", "of_view");
    answer = function == NULL ? NULL : PyObject_CallOneArg(function, self);
    Py_XDECREF(function);
    return answer;
}

static Py_ssize_t view_length(PyObject *self)
{
    if (sv_layout_ndim(LAYOUT(self)) == 0) {
        PyErr_SetString(PyExc_TypeError, "a view without axes has no length");
        return -1;
    }
    return sv_layout_shape(LAYOUT(self))[0];
}

static PyObject *view_item(PyObject *self, Py_ssize_t index)
{
    Py_ssize_t length = view_length(self);

    if (length < 0)
        return NULL;
    if (index < 0 || index >= length) {
        PyErr_Format(svpy_bounds_error(), "index %zd is outside axis 0 of extent %zd", index, length);
        return NULL;
    }
    return svpy_finish(self, sv_layout_builder_index(svpy_start(self), 0, index));
}

static PyObject *view_iter(PyObject *self)
{
    return view_length(self) < 0 ? NULL : PySeqIter_New(self);
}

/* --- the type ------------------------------------------------------------- */

/* Static methods of the type. */
static PyMethodDef view_makers[] = {
    {"from_dlpack", SVPY_NAMED(view_from_dlpack),
     PyDoc_STR("from_dlpack(obj, stream_ptr=None)\n--\n\n"
               "View an object that speaks DLPack, or a DLPack capsule. See strideview.view().")},
    {"from_any_interface", SVPY_NAMED(view_from_any_interface),
     PyDoc_STR("from_any_interface(obj, stream_ptr=None)\n--\n\n"
               "View an object by whichever protocol it offers. See strideview.view().")},
    {"from_array_interface", SVPY_NAMED(view_from_array_interface),
     PyDoc_STR("from_array_interface(obj)\n--\n\n"
               "View an object that has __array_interface__.")},
    {"from_cuda_array_interface", SVPY_NAMED(view_from_cuda_array_interface),
     PyDoc_STR("from_cuda_array_interface(obj, stream_ptr=None)\n--\n\n"
               "View an object that has __cuda_array_interface__. The stream stream_ptr, by default the one\n"
               "that the producer works on, waits for work that the producer tells of; -1 orders nothing.")},
    {"from_buffer", SVPY_NAMED(svpy_view_of_buffer),
     PyDoc_STR("from_buffer(buffer, shape, strides=None, *, strides_in_bytes=None, offset=0, itemsize=None,\n"
               "            dtype=None, is_readonly=False)\n--\n\n"
               "View raw memory: of a Buffer as cuda.core has it (handle, size, where it can be read), or of\n"
               "whatever lends its bytes (bytearray, mmap, ...). Strides count elements, strides_in_bytes bytes;\n"
               "offset is where element [0, ..., 0] begins, in bytes. Every element must lie in the memory. dtype\n"
               "or itemsize is needed. No stream is waited for.\n"
               "from_buffer(buffer, layout, dtype=None, is_readonly=False) takes a StridedLayout.")},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef view_methods[] = {
    {"view", SVPY_NAMED(view_view),
     PyDoc_STR("view($self, /, layout=None, dtype=None)\n--\n\n"
               "Read the same memory, from the same base, through another StridedLayout, as another dtype,\n"
               "or both. view('int64') and view(dtype='int64') are the same: items of another size make the last\n"
               "axis, whose items must be neighbours, longer or shorter, as NumPy's view() does.")},
    {"copy_from", SVPY_NAMED(view_copy_from),
     PyDoc_STR("copy_from($self, /, other, stream=None, allocator=None, blocking=None, *, casting='no',\n"
               "          byteswap=False, executor=None, threads=None, progress=None, scale=None, bias=None,\n"
               "          axis=None, mean=None, std=None)\n--\n\n"
               "Copy the elements of other, a view or anything view() takes, into this view.\n"
               "See strideview.copy(). As in cuda.core, copies between host and device are done on return\n"
               "unless blocking is False. allocator, a MemoryResource of device memory, gives what copies of\n"
               "devices need for themselves; without one they take it from the device's default pool. An object\n"
               "with the interface of cuda.core's MemoryResource or of RMM's DeviceMemoryResource will do.")},
    {"copy_to", SVPY_NAMED(view_copy_to),
     PyDoc_STR("copy_to($self, /, other, stream=None, allocator=None, blocking=None, *, casting='no',\n"
               "        byteswap=False, executor=None, threads=None, progress=None, scale=None, bias=None,\n"
               "        axis=None, mean=None, std=None)\n--\n\n"
               "Copy the elements of this view into other, a view or anything view() takes.\n"
               "See copy_from().")},
    {"fill", SVPY_NAMED(svpy_view_fill),
     PyDoc_STR("fill($self, /, value, stream=None)\n--\n\n"
               "Write one value to every element. See strideview.fill().")},
    {"__array__", (PyCFunction)(void (*)(void))view_array, METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("__array__($self, /, dtype=None, copy=None)\n--\n\n"
               "The memory as a numpy.ndarray. NumPy asks the buffer protocol first.")},
    {"numpy", SVPY_NAMED(view_numpy),
     PyDoc_STR("numpy($self, /, stream=None)\n--\n\n"
               "The memory as an array of NumPy, which the host reads and writes in place.\n\n"
               "The work of a stream that is given, and that of view.stream, is waited for. Of pinned and managed\n"
               "memory it is an ndarray that kernels take too: it and its slices keep the memory, and have ptr and\n"
               "__cuda_array_interface__.")},
    {"__arrow_c_array__", SVPY_NAMED(svpy_arrow_array),
     PyDoc_STR("__arrow_c_array__($self, /, requested_schema=None)\n--\n\n"
               "Hand the memory on as an Arrow array, by the Arrow PyCapsule interface: of one axis, contiguous, of\n"
               "integers or floating numbers. Arrow takes its arrays not to change. The schema is always the view's.")},
    {"__dlpack__", SVPY_NAMED(svpy_dlpack),
     PyDoc_STR("__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
               "Hand the memory on as a DLPack capsule, by the array API standard. Without stream=, as NumPy asks,\n"
               "work on memory that the host reads is waited for.")},
    {"__dlpack_device__", svpy_dlpack_device, METH_NOARGS,
     PyDoc_STR("__dlpack_device__($self, /)\n--\n\nThe device as (DLPack device type, ordinal).")},
    {"__sizeof__", svpy_view_sizeof, METH_NOARGS,
     PyDoc_STR("__sizeof__($self, /)\n--\n\nBytes of the object, with memory that was made for it.")},
    {"__dir__", svpy_dir_without_hints, METH_NOARGS, PyDoc_STR("__dir__($self, /)\n--\n\nThe names of attributes.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef view_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(svpy_view, weakrefs), READONLY, NULL},
    {"readonly", T_OBJECT_EX, offsetof(svpy_view, readonly), READONLY,
     PyDoc_STR("Whether writing through this view is refused.")},
    {NULL, 0, 0, 0, NULL},
};

static const char view_doc[] =
    PyDoc_STR("StridedMemoryView(obj, stream_ptr=None)\n--\n\n"
              "Memory of an array, seen through a StridedLayout. A view keeps the memory alive.\n\n"
              "Indexing and the rearranging methods make other views and never copy; those of a derived class\n"
              "make objects of this one. A view without axes is compared by its value with numbers and other such\n"
              "views; every other comparison is a TypeError. hash(view) is that of the object. See strideview.view().");

static PyType_Slot view_slots[] = {
    {Py_tp_doc, (void *)view_doc},
    {Py_tp_new, svpy_view_new},
    {Py_tp_dealloc, svpy_view_dealloc},
    {Py_tp_traverse, svpy_view_traverse},
    {Py_tp_clear, svpy_view_clear},
    {Py_tp_repr, svpy_view_repr},
    {Py_tp_iter, view_iter},
    {Py_tp_richcompare, svpy_view_compare},
    {Py_tp_hash, svpy_view_hash},
    {Py_tp_methods, view_methods},
    {Py_tp_getset, svpy_view_getset},
    {Py_tp_members, view_members},
    {Py_mp_length, view_length},
    {Py_mp_subscript, svpy_view_subscript},
    {Py_mp_ass_subscript, svpy_view_assign},
    {Py_nb_int, svpy_view_int},
    {Py_nb_float, svpy_view_float},
    {Py_nb_index, svpy_view_index},
    {Py_nb_bool, svpy_view_bool},
    {Py_sq_item, view_item},
    {Py_bf_getbuffer, svpy_getbuffer},
    {0, NULL},
};

static PyType_Spec view_spec = {
    .name = "strideview.StridedMemoryView",
    .basicsize = sizeof(svpy_view),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = view_slots,
};

int svpy_view_init(struct svpy_state *state, PyObject *module)
{
    static PyMethodDef *const shared[] = {svpy_rearranging, svpy_reshaping, svpy_drawing, svpy_showing, svpy_scalars,
                                          svpy_formatting,  svpy_cloning,   svpy_moving,  svpy_kernels};
    PyObject *made = PyType_FromModuleAndSpec(module, &view_spec, NULL);
    PyTypeObject *type = (PyTypeObject *)made;

    state->view_type = type;
    if (type == NULL)
        return -1;
    type->tp_vectorcall = view_call;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (svpy_add_methods(type, shared[i]) < 0)
            return -1;
    if (svpy_add_functions(type->tp_dict, made, view_makers) < 0)
        return -1;
    if (svpy_hint_methods(type, module) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "StridedMemoryView", made);
}
