/* Whether libsv still owns memory. Every test ends with this question. */
#ifndef BALANCE_H
#define BALANCE_H

/* NULL: it owns none, and none waits to be freed. Else what is left, as static text: one thread asks. */
const char *balance_fault(void);

#endif
