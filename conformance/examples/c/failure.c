#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

bool fail(struct failure *failure, const char *reason, const char *format, ...)
{
    va_list arguments;

    failure->reason = reason;
    va_start(arguments, format);
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_for_memory(struct failure *failure)
{
    return fail(failure, "out-of-memory", "there is not enough memory");
}
