/* __array__(), of objects that have no other protocol: Series and DataFrames of pandas, arrays of xarray. */
#include "protocols/array.h"

#include "base/attribute.h"
#include "base/helper.h"

PyObject *svpy_array_of(PyObject *object, bool may_copy)
{
    PyObject *method = svpy_try_attribute_text((PyObject *)Py_TYPE(object), "__array__"), *function, *array;

    if (method == NULL)
        return NULL;
    Py_DECREF(method);
    function = svpy_helper("strideview._array_protocol", "array");
    array = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, object, may_copy ? Py_True : Py_False, NULL);
    Py_XDECREF(function);
    if (array == Py_None)
        Py_CLEAR(array);
    return array;
}
