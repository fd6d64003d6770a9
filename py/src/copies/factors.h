/* What elements are multiplied by and what is added to them. */
#ifndef SVPY_FACTORS_H
#define SVPY_FACTORS_H

#include <stdbool.h>

#include "base/options.h"
#include "objects/view_struct.h"

/* Bits of a signature: scale and bias, in torchvision's words mean and std, and the axis along which these go. */
#define SVPY_SCALING (SVPY_BIT(SCALE) | SVPY_BIT(BIAS) | SVPY_BIT(AXIS) | SVPY_BIT(MEAN) | SVPY_BIT(STD))

/* values is &one, or memory of its own; NULL: nothing was given. */
typedef struct {
    double one, *values;
    Py_ssize_t count;
} svpy_factor;

typedef struct {
    svpy_factor scale, bias; /* with mean and std in them */
    int32_t axis;
} svpy_factors;

/* Whether a copy scales by these options. */
bool svpy_has_factors(PyObject *const *options);

/* 0, or -1 with an exception. Ended by svpy_factors_end(); it stays where it is. */
int svpy_factors_read(PyObject *const *options, svpy_factors *out);
void svpy_factors_end(svpy_factors *factors);

/* What libsv does not check. 0, or -1 with an exception. flags: those of casting. */
int svpy_factors_check(const sv_view *target, const svpy_factors *factors);
int svpy_factors_check_casting(const sv_view *target, const sv_view *source, PyObject *casting, uint32_t flags);

sv_status svpy_plan_new_scaled(const sv_view *target, const sv_view *source, const svpy_factors *factors,
                               uint32_t flags, sv_plan **out);

#endif
