/* __sycl_usm_array_interface__, dpctl's array interface. */
#ifndef SVPY_SYCL_H
#define SVPY_SYCL_H

#include "base/python.h"

struct svpy_state;

/* __sycl_usm_array_interface__ of memory that the host reads, or does not; NULL without an exception for the other. */
sv_view *svpy_from_sycl(struct svpy_state *state, PyObject *object, bool shared);

#endif
