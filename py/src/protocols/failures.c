/*
 * Why the ways to view an object failed, and the exception that tells it. strideview._advice knows what to type instead
 * for the objects that people try first.
 */
#include "protocols/failures.h"

#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"

void svpy_drop_failures(struct svpy_failures *failed)
{
    for (int i = 0; i < 3; i++)
        Py_CLEAR(failed->first[i]);
    Py_CLEAR(failed->text);
}

void svpy_record_failure(struct svpy_failures *failed, const char *way)
{
    PyObject *error[3], *text;

    if (svpy_must_propagate())
        return;
    failed->type_errors = (failed->count == 0 || failed->type_errors) && PyErr_ExceptionMatches(PyExc_TypeError);
    PyErr_Fetch(&error[0], &error[1], &error[2]);
    PyErr_NormalizeException(&error[0], &error[1], &error[2]);
    text = failed->text == NULL ? PyUnicode_FromFormat("%s: %S", way, error[1])
                                : PyUnicode_FromFormat("%U; %s: %S", failed->text, way, error[1]);
    if (text == NULL)
        svpy_clear_exception(); /* an exception that cannot be told */
    else
        Py_XSETREF(failed->text, text);
    for (int i = 0; i < 3; i++) {
        if (failed->count == 0)
            failed->first[i] = error[i];
        else
            Py_XDECREF(error[i]);
    }
    failed->count++;
}

/* What strideview._advice says of an object: a text, new reference, or NULL, mostly without an exception. */
static PyObject *find_advice(const char *name, PyObject *object)
{
    PyObject *function = svpy_helper("strideview._advice", name);
    PyObject *text = function == NULL ? NULL : PyObject_CallOneArg(function, object);

    Py_XDECREF(function);
    if (text != NULL && !PyUnicode_Check(text))
        Py_CLEAR(text);
    if (text == NULL)
        svpy_clear_exception();
    return text;
}

static void refuse_without_protocol(PyObject *object)
{
    PyObject *text = find_advice("without_protocol", object);

    if (text != NULL)
        PyErr_SetObject(svpy_protocol_error(), text);
    else if (!PyErr_Occurred())
        PyErr_Format(svpy_protocol_error(),
                     "%.100s has no __dlpack__(), no array interface and no buffer, so its memory cannot be viewed",
                     Py_TYPE(object)->tp_name);
    Py_XDECREF(text);
}

/* Let the pending exception tell of the first failure as its cause. */
static void add_cause(struct svpy_failures *failed)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL)
        PyException_SetCause(value, Py_XNewRef(failed->first[1]));
    PyErr_Restore(type, value, traceback);
}

void svpy_give_up(PyObject *object, struct svpy_failures *failed)
{
    PyObject *text;

    if (failed->count == 0) {
        refuse_without_protocol(object);
        return;
    }
    text = find_advice("of_elements", object);
    if (text != NULL) {
        PyErr_SetObject(PyType_Check(object) ? PyExc_TypeError : PyExc_BufferError, text);
        Py_DECREF(text);
    } else if (!PyErr_Occurred() && (failed->count == 1 || failed->text == NULL)) {
        PyErr_Restore(failed->first[0], failed->first[1], failed->first[2]);
        failed->first[0] = failed->first[1] = failed->first[2] = NULL;
        svpy_drop_failures(failed);
        return;
    } else if (!PyErr_Occurred()) {
        PyErr_Format(failed->type_errors ? PyExc_TypeError : PyExc_BufferError, "%.100s cannot be viewed by %U",
                     Py_TYPE(object)->tp_name, failed->text);
    }
    add_cause(failed);
    svpy_drop_failures(failed);
}
