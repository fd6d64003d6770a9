/* Failing, and saying why. */
#ifndef SVI_STATUS_H
#define SVI_STATUS_H

#include "sv.h"

/* Sets this thread's message and returns code. The text adds facts (axis, extent, dtype), not the function's name. */
sv_status svi_fail(sv_status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* How often svi_fail() ran on this thread: tells whether a callback left a text of its own. */
uint32_t svi_fail_count(void);

enum { SVI_MESSAGE = 512 }; /* bytes of a message, with its NUL */

/* This thread's message, put aside while a callback runs that may fail for reasons of its own. */
struct svi_message {
    char text[SVI_MESSAGE];
};

void svi_message_keep(struct svi_message *out);
void svi_message_restore(const struct svi_message *kept);

#define SVI_TRY(call)                   \
    do {                                \
        sv_status svi_status_ = (call); \
        if (svi_status_ != SV_OK)       \
            return svi_status_;         \
    } while (0)

/* For pointers a caller must give. */
#define SVI_NEED(pointer)                                        \
    do {                                                         \
        if ((pointer) == NULL)                                   \
            return svi_fail(SV_ERROR_NULL, #pointer " is NULL"); \
    } while (0)

enum { SVI_SHOWN = 40 }; /* bytes of what is shown of foreign text, with its NUL */

/*
 * Foreign text made fit for a message, which is one line of ASCII: other characters become escapes as in Python's
 * ascii(), and a long text is cut between two of them and ends in "...". Every message that quotes a caller's text does
 * it by this. Returns out.
 */
const char *svi_printable(const char *text, char out[SVI_SHOWN]);

/* Hands out text by the rule of sv.h: whole, or SV_ERROR_BUFFER. */
sv_status svi_write_text(const char *from, size_t capacity, char *text, size_t *length);

#endif
