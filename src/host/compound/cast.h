/* Copies that convert. */
#ifndef SVI_HOST_COMPOUND_CAST_H
#define SVI_HOST_COMPOUND_CAST_H

#include "host/convert/cast_job.h"

/* By a way. */
bool svi_cast_by(const struct svi_host_copy *copy, svi_cast_way *way);

#endif
