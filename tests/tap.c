#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

#include "balance.h"

static int count, failed;

bool tap_ok(bool ok, const char *format, ...)
{
    va_list args;

    failed += !ok;
    printf("%s %d - ", ok ? "ok" : "not ok", ++count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
    return ok;
}

void tap_note(const char *format, ...)
{
    va_list args;

    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

void tap_skip(const char *name, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++count, name, reason);
}

int tap_done(void)
{
    const char *left = balance_fault();

    tap_ok(left == NULL, "libsv owns no memory at the end%s%s", left == NULL ? "" : ": ", left == NULL ? "" : left);
    printf("1..%d\n", count);
    return failed > 0;
}
