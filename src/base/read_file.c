#define _POSIX_C_SOURCE 200809L
#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int64_t read_whole_file(int file, char *text, size_t most)
{
    size_t length = 0;

    while (length < most) {
        const ssize_t some = read(file, text + length, most - length);

        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return -1;
        if (some == 0)
            break;
        length += (size_t)some;
    }
    return (int64_t)length;
}

int64_t svi_read_file(const char *path, char *text, size_t room)
{
    const int before = errno, file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int64_t length = -1;

    if (file >= 0) {
        length = read_whole_file(file, text, room - 1);
        close(file);
    }
    text[length > 0 ? length : 0] = '\0';
    errno = before;
    return length;
}
