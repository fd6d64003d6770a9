/* Attribute lookups that may have no answer. */
#ifndef SVPY_ATTRIBUTE_H
#define SVPY_ATTRIBUTE_H

#include "base/python.h"

/* An attribute, new reference; NULL without an exception where there is none. */
PyObject *svpy_get_attribute(PyObject *object, PyObject *name);
PyObject *svpy_get_attribute_text(PyObject *object, const char *name);

/* Whether there is one: 1, 0, or -1 with an exception. */
int svpy_has_attribute(PyObject *object, PyObject *name);

/* svpy_get_attribute() where the answer only helps: NULL, with an exception only if svpy_must_propagate() says so. */
PyObject *svpy_try_attribute(PyObject *object, PyObject *name);
PyObject *svpy_try_attribute_text(PyObject *object, const char *name);

/* Clear a pending exception, unless it must propagate. 0 when none is left, or -1. */
int svpy_clear_exception(void);

/* Whether the pending exception must be raised, though there may be another way: it tells of the process. */
bool svpy_must_propagate(void);

/* A module that was imported already; NULL, mostly without an exception, where it was not. */
PyObject *svpy_loaded_module(const char *name);

/* UTF-8 of the name of a dtype; NULL with an exception, a TypeError for a text that holds a NUL. */
const char *svpy_utf8(PyObject *text);

#endif
