#ifndef COINS_H
#define COINS_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

/* A source of words of 64 fair coins. */
struct coins {
    void *self;
    bool (*toss)(void *self, uint64_t *word, struct failure *failure);
};

/* The kernel's cryptographic generator; for one thread. */
struct coins system_coins(void);

/* A standard exponential variable. */
bool toss_exponential(const struct coins *coins, double *exponential, struct failure *failure);

/* A uniform integer from 1 to n. */
bool toss_up_to(const struct coins *coins, int64_t n, int64_t *integer, struct failure *failure);

#endif
