/* Who copies, and whose stream orders it. */
#ifndef SVPY_ORDER_H
#define SVPY_ORDER_H

#include "base/python.h"

/* Whether the host copies, and is done on return. */
int svpy_host_copies(const sv_view *target, const sv_view *source);

/* Which of the two views the stream of a copy is of; the target where no stream is read, or nobody copies. */
const sv_view *svpy_copy_owner(const sv_view *target, const sv_view *source);

#endif
