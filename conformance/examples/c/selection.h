#ifndef SELECTION_H
#define SELECTION_H

#include "coins.h"
#include "list.h"
#include "noise_list.h"

#include <stdbool.h>
#include <stdint.h>

/* Which histograms are neighbours. */
enum relation { ADD_REMOVE, SWAP, L_INFINITY };

/* What is asked; the numbers may be invalid. */
struct question {
    double k;
    double epsilon; /* the budget of the whole selection */
    double delta;   /* accepted, and never spent */
    enum noise noise;
    enum relation relation;
    bool is_ranked; /* best first; else by item, which reveals nothing */
};

/* The rate 1/scale of the noise for a question about m items. */
bool rate_of(const struct question *question, int64_t m, double *rate, struct failure *failure);

/* Both return k items, to be freed, or NULL. No list is read if the question is refused. */
int64_t *select_items(const struct question *question, int64_t m, struct list scores,
                      struct coins coins, struct failure *failure);

/* The same with a given list of noises of scale 1. */
int64_t *select_with_noise(const struct question *question, int64_t m, struct list scores,
                           struct list noises, struct failure *failure);

#endif
