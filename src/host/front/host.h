/* The host backend. */
#ifndef SVI_HOST_FRONT_HOST_H
#define SVI_HOST_FRONT_HOST_H

#include "backend/backend.h"

extern const struct svi_backend svi_host;

#endif
