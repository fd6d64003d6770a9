/* Reads a small file, such as /proc/meminfo or a file of tuning. Nothing else in the library but own_pages.c opens files. */
#ifndef SVI_READ_FILE_H
#define SVI_READ_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads at most room - 1 bytes of a file and adds a NUL. Returns the number of bytes. -1: the file cannot be read, and
 * text is empty. errno stays as it was. The call does not block: a pipe without a writer is an empty file.
 */
int64_t svi_read_file(const char *path, char *text, size_t room);

#endif
