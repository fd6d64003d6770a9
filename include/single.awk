# Writes a header and the headers that it includes with quotes as one, each of them once, where a compiler reads it:
#
#     awk -f include/single.awk include/sv.h >sv-single.h

function write_header(path,    folder, line, status) {
    if (path in written)
        return
    written[path] = 1
    folder = path
    sub(/[^\/]*$/, "", folder)
    while ((status = (getline line < path)) > 0)
        if (line ~ /^#include "/) {
            gsub(/^#include "|"$/, "", line)
            write_header(folder line)
        } else
            print line
    close(path)
    if (status < 0) {
        print path ": cannot be read" | "cat >&2"
        exit 1
    }
}

BEGIN {
    write_header(ARGV[1])
}
