/* Detects memory that was never written, for which the system makes pages during the copy (front/host.c). */
#ifndef SVI_HOST_UNTOUCHED_H
#define SVI_HOST_UNTOUCHED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether nbytes from begin seem to have no pages yet. Three pages of them are tested. False: they have, or it is not
 * known. */
bool svi_is_untouched(const char *begin, int64_t nbytes);

#endif
