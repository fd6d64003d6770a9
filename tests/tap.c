#include "tap.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "balance.h"
#include "failure.h"

static int count, failed;
static void (*teller)(void);

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

void failure_call(void (*tell)(void))
{
    if (teller == NULL)
        atexit(failure_tell);
    teller = tell;
}

void failure_tell(void)
{
    if (teller != NULL)
        teller();
}

void failure_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

void failure_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
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
