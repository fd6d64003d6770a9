/* How notebooks draw layouts and views. */
#include "arrays/notebook.h"

#include "base/helper.h"

static PyObject *show_in_notebook(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *function = svpy_helper("strideview._draw", "svg");
    PyObject *picture = function == NULL ? NULL : PyObject_CallOneArg(function, self);

    Py_XDECREF(function);
    return picture;
}

PyMethodDef svpy_showing[] = {
    {"_repr_svg_", show_in_notebook, METH_NOARGS,
     PyDoc_STR("_repr_svg_($self, /)\n--\n\nThe picture of strideview.draw(), for notebooks.")},
    {"_repr_html_", show_in_notebook, METH_NOARGS,
     PyDoc_STR("_repr_html_($self, /)\n--\n\nThe picture of strideview.draw(), for notebooks.")},
    {NULL, NULL, 0, NULL},
};
