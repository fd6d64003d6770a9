/* A copy by the threads of an executor: sv_parallel_callback in the words of concurrent.futures, or in a capsule. */
#include "svpy.h"

#include <stdatomic.h>
#include <structmember.h>
#include <time.h>

/* What the executor's threads call with the index of a task. It outlives the copy where they keep it. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    _Atomic(sv_task_callback) run; /* NULL once the copy has ended */
    void *ctx;
    atomic_int running; /* calls */
} svpy_task;

static const char capsule_name[] = "sv_parallel_callback";

static PyObject *task_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    svpy_task *task = (svpy_task *)self;
    sv_task_callback run;
    int64_t index;

    if (PyVectorcall_NARGS(nargsf) != 1 || kwnames != NULL) {
        PyErr_SetString(PyExc_TypeError, "a task is called with its index");
        return NULL;
    }
    if (svpy_int64(args[0], &index) < 0)
        return NULL;
    atomic_fetch_add(&task->running, 1); /* before the look at run: who ends the copy looks the other way round */
    run = atomic_load(&task->run);
    if (run != NULL) {
        Py_BEGIN_ALLOW_THREADS
        run(task->ctx, index);
        Py_END_ALLOW_THREADS
    }
    atomic_fetch_sub(&task->running, 1);
    if (run != NULL)
        Py_RETURN_NONE;
    PyErr_SetString(PyExc_RuntimeError, "the copy has ended");
    return NULL;
}

static PyObject *new_task(PyTypeObject *type, sv_task_callback run, void *ctx)
{
    svpy_task *task = PyObject_New(svpy_task, type);

    if (task == NULL)
        return NULL;
    task->call = task_call;
    atomic_init(&task->run, run);
    task->ctx = ctx;
    atomic_init(&task->running, 0);
    return (PyObject *)task;
}

/* Other threads may still be at it where an exception ended the wait for them. */
static void end_task(PyObject *self)
{
    const struct timespec moment = {0, 50000};
    svpy_task *task = (svpy_task *)self;

    atomic_store(&task->run, NULL);
    while (atomic_load(&task->running) > 0) {
        Py_BEGIN_ALLOW_THREADS
        nanosleep(&moment, NULL);
        Py_END_ALLOW_THREADS
    }
}

static void task_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    type->tp_free(self);
    Py_DECREF(type);
}

/* for _ in executor.map(task, range(count)): pass */
static int map_task(PyObject *executor, PyObject *task, int64_t count)
{
    PyObject *indices = PyObject_CallFunction((PyObject *)&PyRange_Type, "L", (long long)count);
    PyObject *answers = indices == NULL ? NULL : PyObject_CallMethod(executor, "map", "OO", task, indices);
    PyObject *iterator = answers == NULL ? NULL : PyObject_GetIter(answers), *answer;

    while (iterator != NULL && (answer = PyIter_Next(iterator)) != NULL)
        Py_DECREF(answer);
    Py_XDECREF(iterator);
    Py_XDECREF(answers);
    Py_XDECREF(indices);
    return PyErr_Occurred() ? -1 : 0;
}

/* Where it fails an exception is set. */
static sv_status run_by_map(void *ctx, int64_t count, sv_task_callback run, void *run_ctx)
{
    svpy_threads *threads = ctx;
    PyObject *task;
    int failed = 1;

    PyEval_RestoreThread(threads->state);
    task = new_task(threads->task_type, run, run_ctx);
    if (task != NULL) {
        failed = map_task(threads->executor, task, count) < 0;
        end_task(task);
        Py_DECREF(task);
    }
    threads->state = PyEval_SaveThread();
    return failed ? SV_ERROR_STATE : SV_OK;
}

static int processors(int64_t *out)
{
    PyObject *function = svpy_helper("os", "cpu_count");
    PyObject *count = function == NULL ? NULL : PyObject_CallNoArgs(function);
    int failed = count == NULL;

    *out = 1;
    if (count != NULL && count != Py_None) /* which says that it cannot be told */
        failed = svpy_int64(count, out) < 0;
    Py_XDECREF(count);
    Py_XDECREF(function);
    return failed ? -1 : 0;
}

/* A capsule has the address of a function of C, and its ctx as context. Whether anything else has a map() is found out
 * at once, not when the first copy is large enough. 0, or -1 with an exception. */
static int find_run(svpy_threads *out)
{
    PyObject *map;
    int callable;

    out->run = run_by_map;
    out->ctx = out;
    if (out->executor == NULL)
        return 0;
    if (PyCapsule_IsValid(out->executor, capsule_name)) {
        out->run = (sv_parallel_callback)(uintptr_t)PyCapsule_GetPointer(out->executor, capsule_name);
        out->ctx = PyCapsule_GetContext(out->executor);
        return 0;
    }
    map = PyObject_GetAttrString(out->executor, "map");
    if (map == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return -1;
    callable = map != NULL && PyCallable_Check(map);
    if (!callable)
        PyErr_Format(map == NULL ? PyExc_AttributeError : PyExc_TypeError,
                     "executor must have a map(), as those of concurrent.futures have, or be a capsule named '%s', "
                     "not %.100s", capsule_name, Py_TYPE(out->executor)->tp_name);
    Py_XDECREF(map);
    return callable ? 0 : -1;
}

int svpy_threads_of(struct svpy_state *state, PyObject *executor, PyObject *threads, svpy_threads *out)
{
    const int given = threads != NULL && threads != Py_None;
    int64_t count = 1;

    out->executor = executor == Py_None ? NULL : executor;
    if (given && out->executor == NULL) {
        PyErr_SetString(PyExc_ValueError, "threads are those of an executor, which is missing");
        return -1;
    }
    if (out->executor != NULL && (given ? svpy_int64(threads, &count) : processors(&count)) < 0)
        return -1;
    if (count < 1 || count > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "threads must be 1 or more, not %lld", (long long)count);
        return -1;
    }
    out->count = (int32_t)count;
    out->task_type = state->task_type;
    return find_run(out);
}

static PyMemberDef task_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(svpy_task, call), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot task_slots[] = {
    {Py_tp_dealloc, task_dealloc},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_members, task_members},
    {0, NULL},
};

static PyType_Spec task_spec = {
    .name = "strideview.Task",
    .basicsize = sizeof(svpy_task),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION |
             Py_TPFLAGS_HAVE_VECTORCALL,
    .slots = task_slots,
};

int svpy_threads_init(struct svpy_state *state, PyObject *module)
{
    state->task_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &task_spec, NULL);
    return state->task_type == NULL ? -1 : 0;
}
