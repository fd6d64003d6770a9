/* The options that functions share, by number: options.def has a row each. */
#ifndef SVPY_OPTIONS_H
#define SVPY_OPTIONS_H

#include "base/python.h"

enum svpy_option {
#define OPTION(identifier, name, absent, wanted) SVPY_##identifier,
#include "base/options.def"
#undef OPTION
    SVPY_OPTIONS
};

/* Of svpy_signature.options. */
#define SVPY_BIT(identifier) (1u << SVPY_##identifier)

/* No option at all. */
extern PyObject *const svpy_absent[SVPY_OPTIONS];

/* Make options of a call absent. Compilers clear more than 96 bytes by an instruction that takes longer to begin than a
 * short call has, so they are cleared in parts. */
static inline void svpy_clear_options(PyObject **options)
{
    enum { PART = 8 };

    _Static_assert(SVPY_OPTIONS > 2 * PART && SVPY_OPTIONS <= 3 * PART, "three parts");
    memset(options, 0, PART * sizeof *options);
    memset(options + PART, 0, PART * sizeof *options);
    memset(options + 2 * PART, 0, (SVPY_OPTIONS - 2 * PART) * sizeof *options);
}

const char *svpy_option_name(enum svpy_option option);

/* TypeError that says what is wanted of an option in place of what was given; -1. */
int svpy_refuse_option(enum svpy_option option, PyObject *given);

/* The truth of an argument. 0, or -1 with an exception. */
int svpy_read_flag(PyObject *given, int *out);

/* The same of one that may be absent, which leaves out as it is. */
static inline int svpy_flag(PyObject *given, int *out)
{
    return given == NULL ? 0 : svpy_read_flag(given, out);
}

/* The same where None, too, leaves out as it is. */
static inline int svpy_maybe_flag(PyObject *given, int *out)
{
    return given == Py_None ? 0 : svpy_flag(given, out);
}

#endif
