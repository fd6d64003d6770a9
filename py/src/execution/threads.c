/*
 * A copy by the threads of an executor: sv_parallel_callback in the words of concurrent.futures, or in a capsule.
 *
 * Waking threads takes 0.1 ms, and some come late or never. So the calling thread copies too: it begins alone, asks
 * the executor for help when what is left takes much longer than asking, and then all take tasks from one counter.
 */
#include "execution/threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <structmember.h>
#include <time.h>

#include "base/arguments.h"
#include "base/helper.h"
#include "base/state.h"

enum {
    WORTH_NS = 500000,  /* of work left, of which asking the executor, by the thread that works, takes a twentieth */
    LONG_BYTES = 1 << 24, /* of a copy that takes longer than that in any case */
    LOOK_NS = 5000000,  /* between two looks at signals */
    YIELDS = 200,       /* of a thread that waits for others, before it sleeps */
    SLEEP_NS = 50000
};

/* What the executor's threads call. It outlives the copy where they keep it. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    _Atomic(sv_task_callback) run; /* NULL once the copy has ended */
    void *ctx;
    int64_t count;
    atomic_int_least64_t next; /* the first task that nobody has taken */
    atomic_int running;        /* threads of the executor that are in a call, */
    int most;                  /* of which so many work */
} svpy_task;

static const char capsule_name[] = "sv_parallel_callback";

static int64_t read_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* --- a thread of the executor -------------------------------------------------- */

/* Run the next task. False where none was left. */
static bool run_next(svpy_task *task, sv_task_callback run)
{
    const int64_t index = atomic_fetch_add(&task->next, 1);

    if (index < task->count)
        run(task->ctx, index);
    return index < task->count;
}

/* Run tasks until none is left. A late call finds none. */
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
    Py_BEGIN_ALLOW_THREADS
    if (atomic_fetch_add(&task->running, 1) < task->most) { /* before the look at run: who ends the copy looks the other
                                                               way round */
        run = atomic_load(&task->run);
        while (run != NULL && run_next(task, run))
            continue;
    }
    atomic_fetch_sub(&task->running, 1);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static svpy_task *new_task(const svpy_threads *threads, int64_t first, int64_t count, sv_task_callback run, void *ctx)
{
    svpy_task *task = PyObject_New(svpy_task, threads->task_type);

    if (task == NULL)
        return NULL;
    task->call = task_call;
    atomic_init(&task->run, run);
    task->ctx = ctx;
    task->count = count;
    atomic_init(&task->next, first);
    atomic_init(&task->running, 0);
    task->most = threads->count < count - first ? threads->count : (int)(count - first);
    return task;
}

static void task_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    type->tp_free(self);
    Py_DECREF(type);
}

/* --- the calling thread ---------------------------------------------------------- */

/* Called without the interpreter's lock. Stop handing out tasks and wait for those that run. */
static void end_task(svpy_task *task)
{
    const struct timespec moment = {0, SLEEP_NS};

    atomic_store(&task->run, NULL);
    for (int waited = 0; atomic_load(&task->running) > 0; waited++)
        if (waited < YIELDS)
            sched_yield();
        else
            nanosleep(&moment, NULL);
}

/* Tell how many tasks were taken, of which the last ones may still run. */
static int tell_tasks(svpy_threads *threads, svpy_task *task)
{
    const int64_t taken = atomic_load(&task->next) - atomic_load(&task->running) - 1;

    threads->progress.total = threads->nbytes;
    if (threads->nbytes == 0 || taken <= 0 || taken >= task->count)
        return 0;
    return svpy_progress_tell(&threads->progress, taken, task->count);
}

/* Called without the interpreter's lock, which it takes now and then to handle signals. 0, or -1 with an exception. */
static int take_part(svpy_threads *threads, svpy_task *task, sv_task_callback run)
{
    int64_t looked = read_clock();
    int failed = 0;

    while (!failed && run_next(task, run))
        if (read_clock() - looked > LOOK_NS) {
            PyEval_RestoreThread(threads->state);
            failed = PyErr_CheckSignals();
            if (!failed)
                failed = tell_tasks(threads, task);
            threads->state = PyEval_SaveThread();
            looked = read_clock();
        }
    return failed;
}

/* executor.map(task, range(threads)): one too many, since a map() may also do the work before it returns. */
static int ask_for_help(PyObject *executor, svpy_task *task)
{
    PyObject *indices = PyObject_CallFunction((PyObject *)&PyRange_Type, "i", task->most);
    PyObject *answers = indices == NULL ? NULL : PyObject_CallMethod(executor, "map", "OO", task, indices);
    PyObject *iterator = answers == NULL ? NULL : PyObject_GetIter(answers);

    Py_XDECREF(iterator);
    Py_XDECREF(answers);
    Py_XDECREF(indices);
    return iterator == NULL ? -1 : 0;
}

/* On failure an exception is set. */
static sv_status run_with_help(svpy_threads *threads, int64_t first, int64_t count, sv_task_callback run, void *ctx)
{
    svpy_task *task;
    int failed = 1;

    PyEval_RestoreThread(threads->state);
    task = new_task(threads, first, count, run, ctx);
    if (task != NULL) {
        failed = ask_for_help(threads->executor, task);
        threads->state = PyEval_SaveThread();
        if (!failed)
            failed = take_part(threads, task, run);
        end_task(task);
        PyEval_RestoreThread(threads->state);
        Py_DECREF(task);
    }
    threads->state = PyEval_SaveThread();
    return failed ? SV_ERROR_STATE : SV_OK;
}

/* Run tasks alone until help is worth asking for. Returns the first task that is left; count where none is. */
static int64_t begin_alone(int64_t count, sv_task_callback run, void *ctx)
{
    const int64_t begun = read_clock();
    int64_t done = 0;

    do
        run(ctx, done++);
    while (done < count && (read_clock() - begun) / done * (count - done) < WORTH_NS);
    return done;
}

static sv_status run_by_map(void *ctx, int64_t count, sv_task_callback run, void *run_ctx)
{
    svpy_threads *threads = ctx;
    const int64_t first = threads->nbytes < LONG_BYTES ? begin_alone(count, run, run_ctx) : 0;

    return first < count ? run_with_help(threads, first, count, run, run_ctx) : SV_OK;
}

/* --- what the caller gives ------------------------------------------------------- */

static int count_processors(int64_t *out)
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

/* How many threads copy: those that are given, or one a processor. */
static int read_count(PyObject *threads, int64_t *out)
{
    return threads == NULL ? count_processors(out) : svpy_int64(threads, out);
}

/* A capsule has the address of a function of C, and its ctx as context. Whether anything else has a map() is found out
 * at once, not when the first copy is large enough. 0, or -1 with an exception. */
static int find_run(svpy_threads *out)
{
    PyObject *map;
    int callable;

    out->run = run_by_map;
    out->ctx = out;
    out->runs_python = out->executor != NULL;
    if (out->executor == NULL)
        return 0;
    if (PyCapsule_IsValid(out->executor, capsule_name)) {
        out->run = (sv_parallel_callback)(uintptr_t)PyCapsule_GetPointer(out->executor, capsule_name);
        out->ctx = PyCapsule_GetContext(out->executor);
        out->runs_python = false;
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

int svpy_threads_of(struct svpy_state *state, PyObject *const *options, svpy_threads *out)
{
    PyObject *executor = options[SVPY_EXECUTOR], *threads = options[SVPY_THREADS];
    const int given = threads != NULL && threads != Py_None;
    int64_t count = 1;

    if (executor == NULL && threads == NULL && options[SVPY_PROGRESS] == NULL) {
        *out = (svpy_threads){.count = 1};
        return 0;
    }
    out->executor = executor == Py_None ? NULL : executor;
    if (given && out->executor == NULL) {
        PyErr_SetString(PyExc_ValueError, "threads are those of an executor, which is missing");
        return -1;
    }
    if (given && !PyIndex_Check(threads))
        return svpy_refuse_option(SVPY_THREADS, threads);
    if (out->executor != NULL && read_count(given ? threads : NULL, &count) < 0)
        return -1;
    if (count < 1 || count > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "threads must be 1 or more, not %lld", (long long)count);
        return -1;
    }
    out->count = (int32_t)count;
    out->nbytes = 0;
    out->task_type = state->task_type;
    out->progress.callable = NULL;
    if (options[SVPY_PROGRESS] != NULL && svpy_progress_of(options[SVPY_PROGRESS], &out->progress) < 0)
        return -1;
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
