#ifndef FAILURE_H
#define FAILURE_H

#include <stdbool.h>

/* Why a call failed. */
struct failure {
    const char *reason; /* a stable word that programs compare */
    char message[200];  /* what was given and what is required, for people */
};

/* Record a failure; returns false, so that a function can fail in one statement. */
__attribute__((format(printf, 3, 4)))
bool fail(struct failure *failure, const char *reason, const char *format, ...);

bool fail_for_memory(struct failure *failure);

#endif
