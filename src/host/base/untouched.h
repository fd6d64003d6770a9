/* Memory that nobody has written yet, for which the system makes pages while it is copied to. */
#ifndef SVI_HOST_UNTOUCHED_H
#define SVI_HOST_UNTOUCHED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the nbytes from there seem to have no pages yet: the system is asked of three of them. False: not known. */
bool svi_is_untouched(const char *begin, int64_t nbytes);

#endif
