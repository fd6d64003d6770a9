/* Memory resources of each kind. */
#include "memory/resource_create.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/state.h"
#include "objects/place.h"
#include "objects/resource_object.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

static PyObject *wrap_made(PyObject *type, sv_status status, sv_allocator *made)
{
    PyTypeObject *class = (PyTypeObject *)type;

    return status == SV_OK
               ? svpy_resource_wrap(svpy_state_of_derived(class, svpy_resource_dealloc), class, made, NULL)
               : svpy_raise(status);
}

static PyObject *make_host(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"host", 1, 0, {"huge_pages"}, 0};
    const uint32_t flags[] = {SV_ALLOCATOR_NO_HUGE_PAGES, SV_ALLOCATOR_HUGE_PAGES};
    PyObject *huge;
    sv_allocator *made = NULL;
    sv_status status;
    int wanted = -1; /* not said: as libsv has it */

    if (svpy_arguments(&signature, args, nargs, kwnames, &huge) < 0)
        return NULL;
    if (svpy_maybe_flag(huge, &wanted) < 0)
        return NULL;
    status = sv_allocator_host(wanted < 0 ? 0 : flags[wanted], &made);
    return wrap_made(type, status, made);
}

static PyObject *make_pinned(PyObject *type, PyObject *Py_UNUSED(unused))
{
    sv_allocator *made = NULL;
    sv_status status;

    Py_BEGIN_ALLOW_THREADS /* the driver is loaded, which can take a second */
    status = sv_allocator_pinned(&made);
    Py_END_ALLOW_THREADS
    return wrap_made(type, status, made);
}

typedef sv_status maker(int32_t device_id, sv_allocator **out);

static PyObject *make_on_device(PyObject *type, const svpy_signature *signature, maker *make, PyObject *const *args,
                                Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *given;
    int32_t device_id;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(signature, args, nargs, kwnames, &given) < 0)
        return NULL;
    if (svpy_ordinal(given, &device_id) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = make(device_id, &made);
    Py_END_ALLOW_THREADS
    return wrap_made(type, status, made);
}

static PyObject *make_device(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"device", 1, 0, {"device_id"}, 0};

    return make_on_device(type, &signature, sv_allocator_device, args, nargs, kwnames);
}

static PyObject *make_managed(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"managed", 1, 0, {"device_id"}, 0};

    return make_on_device(type, &signature, sv_allocator_managed, args, nargs, kwnames);
}

/* Read a size that may be absent or None. */
static int read_size(PyObject *object, const char *name, int64_t *out)
{
    return object == NULL || object == Py_None ? 0 : svpy_size(object, name, out);
}

static PyObject *make_pool(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"pool", 2, 0, {"kind", "device_id", "initial", "threshold", "most"}, 0};
    PyObject *values[5], *pool;
    sv_memory kind = SV_MEMORY_DEVICE;
    int32_t device_id;
    int64_t initial = 0, threshold = INT64_MAX, most = 0;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[0] != NULL && svpy_memory_kind(values[0], &kind) < 0)
        return NULL;
    if (svpy_ordinal(values[1], &device_id) < 0)
        return NULL;
    if (read_size(values[2], "initial", &initial) < 0)
        return NULL;
    if (read_size(values[3], "threshold", &threshold) < 0)
        return NULL;
    if (read_size(values[4], "most", &most) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sv_allocator_pool(kind, device_id, initial, threshold, most, &made);
    Py_END_ALLOW_THREADS
    pool = wrap_made(type, status, made);
    if (pool != NULL && most > 0) {
        SELF(pool)->is_limited = true;
        SELF(pool)->limit = most;
    }
    return pool;
}

static PyObject *make_pool_view(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"pool_view", 3, 0, {"pool", "kind", "device_id"}, 0};
    PyObject *values[3];
    sv_memory kind = SV_MEMORY_DEVICE;
    int32_t device_id;
    uintptr_t pool = 0;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_address(values[0], &pool) < 0)
        return NULL;
    if (values[1] != NULL && svpy_memory_kind(values[1], &kind) < 0)
        return NULL;
    if (svpy_ordinal(values[2], &device_id) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = sv_allocator_pool_view(kind, device_id, pool, &made);
    Py_END_ALLOW_THREADS
    return wrap_made(type, status, made);
}

static PyObject *make_from_handler(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "from_handler", 4, 2, {"allocate", "free", "ctx", "device_id", "owner"}, 0};
    PyObject *values[5], *self;
    uintptr_t allocate = 0, release = 0, ctx = 0;
    int32_t device_id;
    sv_allocator *made = NULL;
    sv_status status;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    if (svpy_address(values[0], &allocate) < 0)
        return NULL;
    if (svpy_address(values[1], &release) < 0)
        return NULL;
    if (svpy_address(values[2], &ctx) < 0)
        return NULL;
    if (svpy_ordinal(values[3], &device_id) < 0)
        return NULL;
    status = sv_allocator_from_handler(device_id, (sv_handler_allocate_callback)allocate,
                                       (sv_handler_free_callback)release, NULL, (void *)ctx, &made);
    self = wrap_made(type, status, made);
    if (self != NULL)
        SELF(self)->callable = Py_XNewRef(values[4]);
    return self;
}

#define MAKER(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS | METH_CLASS

PyMethodDef svpy_resource_making[] = {
    {"host", MAKER(make_host),
     PyDoc_STR("host($type, /, huge_pages=None)\n--\n\n"
               "Ordinary memory of the host. Linux is asked for huge pages for blocks of 4 MiB and more; with\n"
               "huge_pages=True from 2 MiB on, with False for none. A hint; SV_HOST_HUGE_PAGES=0 in the\n"
               "environment leaves it out where huge_pages is None.")},
    {"pinned", (PyCFunction)make_pinned, METH_NOARGS | METH_CLASS,
     PyDoc_STR("pinned($type, /)\n--\n\n"
               "Page-locked memory of the host, which all CUDA devices read and write too.")},
    {"device", MAKER(make_device),
     PyDoc_STR("device($type, /, device_id=0)\n--\n\nMemory of a CUDA device, by cudaMalloc().")},
    {"managed", MAKER(make_managed),
     PyDoc_STR("managed($type, /, device_id=0)\n--\n\n"
               "Memory with one address for the host and CUDA devices; the driver moves its pages.")},
    {"pool", MAKER(make_pool),
     PyDoc_STR("pool($type, /, kind='device', device_id=0, *, initial=0, threshold=None, most=0)\n--\n\n"
               "A new pool, whose memory is allocated and freed in the order of streams. Pinned memory, which the\n"
               "host touches at once, waits until its stream has allocated it.\n\n"
               "kind is 'device', 'pinned' or 'managed'; NotImplementedError where the driver has no such pool.\n"
               "initial: bytes reserved at once. threshold: bytes that stay reserved when unused; None: all.\n"
               "most: the limit in bytes; 0: none.")},
    {"pool_view", MAKER(make_pool_view),
     PyDoc_STR("pool_view($type, /, pool=0, kind='device', device_id=0)\n--\n\n"
               "An existing cudaMemPool_t, given as an int, which is not destroyed; 0 is the device's default pool.")},
    {"from_handler", MAKER(make_from_handler),
     PyDoc_STR("from_handler($type, /, allocate, free, ctx=0, device_id=0, *, owner=None)\n--\n\n"
               "Memory of a device by two functions of C, of the type that the DeviceMemHandler structures of\n"
               "NVIDIA's libraries have. allocate, free and ctx are addresses; owner is kept with the resource.")},
    {NULL, NULL, 0, NULL},
};
