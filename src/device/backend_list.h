/* The list of backends, which a program that is linked may have another one of. */
#ifndef SVI_BACKEND_LIST_H
#define SVI_BACKEND_LIST_H

#include "backend/backend.h"

/* All of them, in the order in which they are asked; NULL ends the list. */
extern const struct svi_backend *const svi_backends[];

#endif
