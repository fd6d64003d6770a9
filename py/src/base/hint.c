/*
 * Names that this package has not. hints.def has a row for each.
 *
 * A module or a type with a __getattr__() has slower functions and methods, since the interpreter remembers where the
 * attributes of plain ones are. So there are objects in their places. Those of methods are descriptors in the type's
 * dictionary, which raise AttributeError for the type, too, so that hasattr() answers as if there were none; an
 * attribute of a derived class or of its objects takes their place. Those of functions are in the module, and raise it
 * when they are called or used in any other way.
 */
#include "base/hint.h"

#include "base/attribute.h"

enum { FUNCTION, METHOD };

typedef struct {
    int of;
    const char *name, *text;
} hint_row;

static const hint_row rows[] = {
#define HINT(of, name, text) {of, name, text},
#define NUMPY(of, name) {of, name, NULL},
#include "base/hints.def"
#undef NUMPY
#undef HINT
};

enum { ROWS = sizeof rows / sizeof *rows };

/* What is written after "has no attribute 'name': ". Calculating is the part of other libraries. */
static PyObject *make_hint_text(const hint_row *row)
{
    if (row->text != NULL)
        return PyUnicode_FromString(row->text);
    if (row->of == FUNCTION)
        return PyUnicode_FromFormat("np.%s() takes views, too", row->name);
    return PyUnicode_FromFormat("np.asarray(v).%s(), or on a device torch.from_dlpack(v).%s()", row->name, row->name);
}

PyObject *svpy_all_hints(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *answers = Py_BuildValue("({}{})");

    for (int i = 0; answers != NULL && i < ROWS; i++) {
        PyObject *text = make_hint_text(&rows[i]);

        if (text == NULL || PyDict_SetItemString(PyTuple_GET_ITEM(answers, rows[i].of), rows[i].name, text) < 0)
            Py_CLEAR(answers);
        Py_XDECREF(text);
    }
    return answers;
}

/* --- in their places ---------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    const hint_row *row;
} svpy_hint;

/* object.name, or where object is NULL type.name. */
static PyObject *hint_get(PyObject *self, PyObject *object, PyObject *type)
{
    const hint_row *row = ((svpy_hint *)self)->row;
    PyObject *text = make_hint_text(row);
    const char *owner = object != NULL ? Py_TYPE(object)->tp_name : ((PyTypeObject *)type)->tp_name;
    const char *dot = strrchr(owner, '.');

    if (text != NULL)
        PyErr_Format(PyExc_AttributeError, object != NULL ? "'%.100s' object has no attribute '%s': %U"
                                                          : "type object '%.100s' has no attribute '%s': %U",
                     dot == NULL ? owner : dot + 1, row->name, text);
    Py_XDECREF(text);
    return NULL;
}

/* A function that is not here is used. */
static PyObject *refuse_use(PyObject *self)
{
    const hint_row *row = ((svpy_hint *)self)->row;
    PyObject *text = make_hint_text(row);

    if (text != NULL)
        PyErr_Format(PyExc_AttributeError, "module 'strideview' has no attribute '%s': %U", row->name, text);
    Py_XDECREF(text);
    return NULL;
}

static PyObject *hint_call(PyObject *self, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(keywords))
{
    return refuse_use(self);
}

static PyObject *hint_subscript(PyObject *self, PyObject *Py_UNUSED(key))
{
    return refuse_use(self);
}

/* What Python itself asks for is answered. */
static PyObject *hint_getattro(PyObject *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);

    if (text == NULL)
        return NULL;
    return strncmp(text, "__", 2) == 0 ? PyObject_GenericGetAttr(self, name) : refuse_use(self);
}

static PyObject *hint_repr(PyObject *self)
{
    PyObject *text = make_hint_text(((svpy_hint *)self)->row);
    PyObject *made = text == NULL ? NULL : PyUnicode_FromFormat("<not here: %U>", text);

    Py_XDECREF(text);
    return made;
}

static void hint_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *hint_doc(PyObject *self, void *Py_UNUSED(closure))
{
    return make_hint_text(((svpy_hint *)self)->row);
}

static PyGetSetDef hint_getset[] = {
    {"__doc__", hint_doc, NULL, PyDoc_STR("What is called instead."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot hint_slots[] = {
    {Py_tp_getset, hint_getset},
    {Py_tp_dealloc, hint_dealloc},
    {Py_tp_descr_get, hint_get},
    {Py_tp_repr, hint_repr},
    {Py_tp_call, hint_call},
    {Py_tp_getattro, hint_getattro},
    {Py_mp_subscript, hint_subscript},
    {0, NULL},
};

static PyType_Spec hint_spec = {
    .name = "strideview.Hint",
    .basicsize = sizeof(svpy_hint),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = hint_slots,
};

/* What is there already stays; tests find such a row. */
static int add_hint(PyObject *names, PyTypeObject *hint_type, const hint_row *row)
{
    PyObject *name = PyUnicode_InternFromString(row->name);
    svpy_hint *hint = name == NULL ? NULL : PyObject_New(svpy_hint, hint_type);
    int failed = hint == NULL;

    if (!failed) {
        hint->row = row;
        failed = PyDict_SetDefault(names, name, (PyObject *)hint) == NULL;
    }
    Py_XDECREF(hint);
    Py_XDECREF(name);
    return failed ? -1 : 0;
}

/* Put the objects of functions, or of methods, into a dictionary. */
static int add_hints(PyObject *names, PyObject *module, int of)
{
    PyObject *hint_type = PyType_FromModuleAndSpec(module, &hint_spec, NULL);
    int failed = hint_type == NULL;

    for (int i = 0; !failed && i < ROWS; i++)
        if (rows[i].of == of)
            failed = add_hint(names, (PyTypeObject *)hint_type, &rows[i]) < 0;
    Py_XDECREF(hint_type);
    return failed ? -1 : 0;
}

int svpy_hint_methods(PyTypeObject *type, PyObject *module)
{
    const int failed = add_hints(type->tp_dict, module, METHOD) < 0;

    PyType_Modified(type);
    return failed ? -1 : 0;
}

PyObject *svpy_hint_functions(PyObject *module, PyObject *names)
{
    if (!PyDict_Check(names)) {
        PyErr_SetString(PyExc_TypeError, "a dict of names is needed");
        return NULL;
    }
    return add_hints(names, module, FUNCTION) < 0 ? NULL : Py_NewRef(Py_None);
}

/* --- dir() ------------------------------------------------------------------- */

static bool is_hinted(PyObject *name)
{
    for (int i = 0; PyUnicode_Check(name) && i < ROWS; i++)
        if (rows[i].of == METHOD && PyUnicode_CompareWithASCIIString(name, rows[i].name) == 0)
            return true;
    return false;
}

PyObject *svpy_dir_without_hints(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *names = PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__dir__", "O", self);

    for (Py_ssize_t i = names == NULL ? 0 : PyList_GET_SIZE(names); i-- > 0;) {
        PyObject *name = PyList_GET_ITEM(names, i);
        const int present = is_hinted(name) ? svpy_has_attribute(self, name) : 1; /* by a derived class */

        if (present < 0 || (!present && PySequence_DelItem(names, i) < 0)) {
            Py_CLEAR(names);
            break;
        }
    }
    return names;
}
