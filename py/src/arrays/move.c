/* Arrays in memory of another kind or device: to(), cpu() and cuda(), which strideview._move does. */
#include "arrays/move.h"

#include "base/helper.h"

#define KEYWORDS(function) (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

static PyObject *move_to(PyObject *self, PyObject *args, PyObject *keywords)
{
    return svpy_call_helper("strideview._move", "to", self, args, keywords);
}

static PyObject *move_to_cpu(PyObject *self, PyObject *args)
{
    return svpy_call_helper("strideview._move", "cpu", self, args, NULL);
}

static PyObject *move_to_cuda(PyObject *self, PyObject *args, PyObject *keywords)
{
    return svpy_call_helper("strideview._move", "cuda", self, args, keywords);
}

PyMethodDef svpy_moving[] = {
    {"to", KEYWORDS(move_to),
     PyDoc_STR("to($self, /, device=None, *, memory=None, dtype=None, order='K', copy=False, stream=None,\n"
               "   blocking=None, casting='unsafe')\n--\n\n"
               "The array in other memory, without gaps; the view itself where memory and dtype are right already,\n"
               "unless copy says otherwise.\n\n"
               "device is the number of a CUDA device, 'cpu', 'cuda' or 'cuda:1'; memory as for empty(): a kind,\n"
               "or a resource, of which there is always a copy. None leaves it as it is. dtype and casting as for\n"
               "astype(), stream and blocking as for copy_from(). Pinned memory is the CPU's, too.")},
    {"cpu", move_to_cpu, METH_VARARGS, PyDoc_STR("cpu($self, /)\n--\n\nto('cpu'). Done on return.")},
    {"cuda", KEYWORDS(move_to_cuda),
     PyDoc_STR("cuda($self, /, device=None, *, stream=None, blocking=None)\n--\n\n"
               "to(device, memory='device'); None: any device that has the memory already, else device 0.")},
    {NULL, NULL, 0, NULL},
};
