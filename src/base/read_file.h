/* The one place that opens a file. */
#ifndef SVI_READ_FILE_H
#define SVI_READ_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first bytes of a file, room - 1 at most, and a zero byte behind them. Returns how many bytes; -1, and an empty
 * text: the file cannot be read. errno stays. It waits for nobody: a pipe without a writer is an empty file.
 */
int64_t svi_read_file(const char *path, char *text, size_t room);

#endif
