#ifndef LIST_H
#define LIST_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

/* Items are numbered from 1. */
struct entry {
    int64_t item;
    double value;
};

/* A list of items behind two doors: all that a selection sees of scores or of noise. */
struct list {
    void *self;

    /* Sorted access: the next entry by descending value. */
    bool (*next)(void *self, struct entry *entry, struct failure *failure);

    /* Random access: the value of an item. */
    bool (*look_up)(void *self, int64_t item, double *value, struct failure *failure);
};

#endif
