/* How notebooks show objects of the package: a block of HTML, which strideview._notebook writes, and a picture. */
#include "base/notebook.h"

#include "base/helper.h"

static PyObject *show_picture(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *function = svpy_helper("strideview._draw", "svg");
    PyObject *picture = function == NULL ? NULL : PyObject_CallOneArg(function, self);

    Py_XDECREF(function);
    return picture;
}

static PyObject *show_block(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *function = svpy_helper("strideview._notebook", "block");
    PyObject *block = function == NULL ? NULL : PyObject_CallOneArg(function, self);

    Py_XDECREF(function);
    return block;
}

PyMethodDef svpy_showing[] = {
    {"_repr_html_", show_block, METH_NOARGS,
     PyDoc_STR("_repr_html_($self, /)\n--\n\nWhat it is, as HTML for notebooks, with sections that fold.")},
    {NULL, NULL, 0, NULL},
};

PyMethodDef svpy_drawing[] = {
    {"_repr_svg_", show_picture, METH_NOARGS,
     PyDoc_STR("_repr_svg_($self, /)\n--\n\nThe picture of strideview.draw(), for notebooks.")},
    {NULL, NULL, 0, NULL},
};
