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
 * A list of m independent noises of scale 1 that is made while it is read.
 *
 * A noise Z with distribution function F is kept as its level E = -log F(Z): a standard
 * exponential variable, the smaller the larger the noise. Invariant: there is a frontier such
 * that every item with a level up to it is known, and the levels of the unknown items are
 * independent and have, given all that was told, the law of frontier + E.
 *
 * So an item that is looked up gets frontier + E. The smallest of n unknown levels is
 * frontier + E / n, and any unknown item may hold it. If a pending item has a smaller one, the
 * one drawn is forgotten: only that it was larger has been used.
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
