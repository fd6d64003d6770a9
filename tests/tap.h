/* Test results in TAP, without forking: for programs run under TSan or valgrind, or on a GPU. One thread reports. */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

/* One result. Returns ok. */
bool tap_ok(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line for whoever reads the log, after the result it belongs to. */
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One result that was not looked for. */
void tap_skip(const char *name, const char *reason);

/* Ends the report. Returns what main returns: 0 when all were ok. */
int tap_done(void);

#endif
