/* DLPack's exchange table of our own views. */
#ifndef SVPY_EXCHANGE_EXPORT_H
#define SVPY_EXCHANGE_EXPORT_H

#include "base/python.h"

struct svpy_state;

/* Give the type of views its table. 0, or -1 with an exception. */
int svpy_exchange_init(struct svpy_state *state);

#endif
