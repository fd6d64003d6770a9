/* Running a copy that converts in one of several ways (cast_job.h). */
#ifndef SVI_HOST_COMPOUND_CAST_H
#define SVI_HOST_COMPOUND_CAST_H

#include "host/convert/cast_job.h"
#include "host/loop/loop.h"

/* Runs a copy by a way. */
bool svi_cast_by(const struct svi_host_copy *copy, svi_cast_way *way);

extern const struct svi_loop svi_loop_convert_one, svi_loop_convert_rows, svi_loop_convert_transpose;
extern const struct svi_loop svi_loop_convert_units, svi_loop_convert_blocks, svi_loop_convert_elements;

#endif
