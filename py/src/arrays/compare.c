/*
 * view == other and format(view, spec). A view without axes is compared and formatted by its value, with numbers and
 * other such views. Every other comparison raises TypeError: that of two objects would be False however equal the
 * elements are. A view is hashed as the object that it is, so that it can be a key and be weakly referred to.
 */
#include "arrays/compare.h"

#include "arrays/scalar.h"
#include "base/arguments.h"
#include "base/helper.h"
#include "base/state.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)

static const char *const operators[] = {
    [Py_LT] = "<", [Py_LE] = "<=", [Py_EQ] = "==", [Py_NE] = "!=", [Py_GT] = ">", [Py_GE] = ">=",
};

static bool is_single(PyObject *self)
{
    return sv_layout_ndim(sv_view_layout(HANDLE(self))) == 0;
}

/* The value of the other side, new reference; NULL without an exception where it has none. */
static PyObject *read_other(const struct svpy_state *state, PyObject *other)
{
    if (svpy_is_view(state, other))
        return is_single(other) ? svpy_read_single((svpy_view *)other) : NULL;
    return svpy_is_number(other) ? Py_NewRef(other) : NULL;
}

static PyObject *refuse_comparison(PyObject *self, PyObject *other, int op)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     is_single(self) ? "a view without axes is compared with a number or another such view, not with "
                                       "%.100s; np.asarray(v) %s w compares arrays"
                                     : "a view is not compared as a whole, here with %.100s: np.asarray(v) %s w "
                                       "compares elements",
                     Py_TYPE(other)->tp_name, operators[op]);
    return NULL;
}

PyObject *svpy_view_compare(PyObject *self, PyObject *other, int op)
{
    PyObject *wanted = is_single(self) ? read_other(((svpy_view *)self)->state, other) : NULL, *value, *answer;

    if (wanted == NULL)
        return refuse_comparison(self, other, op);
    value = svpy_read_single((svpy_view *)self);
    answer = value == NULL ? NULL : PyObject_RichCompare(value, wanted, op);
    Py_XDECREF(value);
    Py_DECREF(wanted);
    return answer;
}

Py_hash_t svpy_view_hash(PyObject *self)
{
    return PyBaseObject_Type.tp_hash(self);
}

/* --- format() ---------------------------------------------------------------- */

static PyObject *format_view(PyObject *self, PyObject *spec)
{
    PyObject *value, *text;

    if (PyUnicode_Check(spec) && PyUnicode_GET_LENGTH(spec) == 0)
        return PyObject_Str(self);
    if (!is_single(self)) {
        PyErr_Format(PyExc_TypeError, "only a view without axes is formatted by '%S'; item() gives an element", spec);
        return NULL;
    }
    value = svpy_read_single((svpy_view *)self);
    text = value == NULL ? NULL : PyObject_Format(value, spec);
    Py_XDECREF(value);
    return text;
}

PyMethodDef svpy_formatting[] = {
    {"__format__", format_view, METH_O,
     PyDoc_STR("__format__($self, spec, /)\n--\n\nf\"{view[0]:.2f}\" formats the value of a view without axes.")},
    {NULL, NULL, 0, NULL},
};
