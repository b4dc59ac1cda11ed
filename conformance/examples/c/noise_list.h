#ifndef NOISE_LIST_H
#define NOISE_LIST_H

#include "coins.h"
#include "item_map.h"
#include "list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum noise { GUMBEL, LAPLACE };

/* An item that was looked up and that sorted access has not delivered. */
struct pending {
    double level;
    int64_t item;
};

/*
 * A list of m independent noises of scale 1, generated while it is read.
 *
 * A noise Z with distribution function F is stored as its level E = -log F(Z): a standard
 * exponential variable, which is smaller for a larger noise. Invariant: every item with a level
 * up to the frontier is known. Given everything revealed so far, the levels of the unknown items
 * are independent and have the law of frontier + E.
 *
 * So an item that is looked up gets the level frontier + E. The smallest of n unknown levels is
 * frontier + E / n, and each unknown item is equally likely to have it. If a pending item has a
 * smaller level, the drawn level is dropped: only the fact that it was larger has been used.
 */
struct noise_list {
    int64_t m;
    enum noise noise;
    struct coins coins;
    double frontier;
    struct item_map levels;
    struct pending *pending; /* a binary heap: the smallest level first */
    size_t pending_count, pending_capacity;
};

struct noise_list noise_list_of(int64_t m, enum noise noise, struct coins coins);

void noise_list_free(struct noise_list *noises);

/* Its two doors. */
struct list noise_list_doors(struct noise_list *noises);

#endif
