#define _DEFAULT_SOURCE

#include "coins.h"

#include <math.h>
#include <stddef.h>
#include <unistd.h>

/* The kernel delivers at most this much per call. */
enum { POOL_WORDS = 256 / sizeof(uint64_t) };

static const double LOG_2 = 0.693147180559945309417;

static struct pool {
    uint64_t words[POOL_WORDS];
    size_t left;
} system_pool;

static bool toss_from_pool(void *self, uint64_t *word, struct failure *failure)
{
    struct pool *pool = self;

    if (pool->left == 0) {
        if (getentropy(pool->words, sizeof pool->words) != 0)
            return fail(failure, "no-randomness", "the system has no randomness to give");
        pool->left = POOL_WORDS;
    }
    *word = pool->words[--pool->left];
    pool->words[pool->left] = 0;
    return true;
}

struct coins system_coins(void)
{
    return (struct coins){.self = &system_pool, .toss = toss_from_pool};
}

/* The number of tails before the first heads. */
static bool toss_until_heads(const struct coins *coins, int *tails, struct failure *failure)
{
    uint64_t word;

    for (*tails = 0;; *tails += 64) {
        if (!coins->toss(coins->self, &word, failure))
            return false;
        if (word != 0)
            break;
    }
    for (; (word & 1) == 0; word >>= 1)
        ++*tails;
    return true;
}

/*
 * -log U, where U = 2^-tails (1 - below_half). A double keeps few digits of a U close to 1, but
 * all digits of below_half. Neither tail is cut off.
 */
bool toss_exponential(const struct coins *coins, double *exponential, struct failure *failure)
{
    int tails;
    uint64_t word;

    if (!toss_until_heads(coins, &tails, failure) || !coins->toss(coins->self, &word, failure))
        return false;
    double below_half = ldexp((double)word + 0.5, -65);
    *exponential = tails * LOG_2 - log1p(-below_half);
    return true;
}

/* Words above the last multiple of n are rejected: they would favour small remainders. */
bool toss_up_to(const struct coins *coins, int64_t n, int64_t *integer, struct failure *failure)
{
    uint64_t count = (uint64_t)n, limit = UINT64_MAX / count * count, word;

    do {
        if (!coins->toss(coins->self, &word, failure))
            return false;
    } while (word >= limit);
    *integer = 1 + (int64_t)(word % count);
    return true;
}
