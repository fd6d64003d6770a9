/*
 * Status codes and the message of the last failure, one for each thread. A function that fails calls svi_fail() once,
 * where it is known what is wrong; callers pass the code on by SVI_TRY().
 */
#ifndef SVI_STATUS_H
#define SVI_STATUS_H

#include "sv.h"

/* Sets this thread's message and returns code. The text adds facts (axis, extent, dtype), not the function's name. */
sv_status svi_fail(sv_status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The number of calls of svi_fail() on this thread. It tells whether a callback set a message. */
uint32_t svi_fail_count(void);

enum { SVI_MESSAGE = 512 }; /* bytes of a message, with its NUL */

/* A copy of this thread's message, kept while a callback runs that may replace it. */
struct svi_message {
    char text[SVI_MESSAGE];
};

void svi_message_keep(struct svi_message *out);
void svi_message_restore(const struct svi_message *kept);

/* Returns the status of a call unless it is SV_OK. */
#define SVI_TRY(call)                   \
    do {                                \
        sv_status svi_status_ = (call); \
        if (svi_status_ != SV_OK)       \
            return svi_status_;         \
    } while (0)

/* Fails if a pointer that the caller must give is NULL. */
#define SVI_NEED(pointer)                                        \
    do {                                                         \
        if ((pointer) == NULL)                                   \
            return svi_fail(SV_ERROR_NULL, #pointer " is NULL"); \
    } while (0)

enum { SVI_SHOWN = 40 }; /* bytes of a foreign text in a message, with its NUL */

/*
 * Makes a foreign text fit for a message, which is one line of ASCII. Other characters become escapes as in Python's
 * ascii(), and a long text is cut between two characters and ends in "...". Every message that quotes a caller's text
 * uses this function. Returns out.
 */
const char *svi_printable(const char *text, char out[SVI_SHOWN]);

/* Copies a text to the caller by the rule of sv/base.h: the whole text, or SV_ERROR_BUFFER. */
sv_status svi_write_text(const char *from, size_t capacity, char *text, size_t *length);

#endif
