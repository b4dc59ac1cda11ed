#ifndef SELECTION_H
#define SELECTION_H

#include "coins.h"
#include "list.h"
#include "noise_list.h"

#include <stdbool.h>
#include <stdint.h>

/* Which histograms are neighbours. */
enum relation { ADD_REMOVE, SWAP, L_INFINITY };

/* What is asked; nothing is promised of the numbers. */
struct question {
    double k;
    double epsilon; /* what the whole selection may spend */
    double delta;   /* accepted, and never spent */
    enum noise noise;
    enum relation relation;
    bool is_ranked; /* best first; else by item, which says nothing */
};

/* The rate 1/scale of the noise that a question about m items leads to. */
bool rate_of(const struct question *question, int64_t m, double *rate, struct failure *failure);

/* Both return k items, to be freed, or NULL. No list is read if the question is refused. */
int64_t *select_items(const struct question *question, int64_t m, struct list scores,
                      struct coins coins, struct failure *failure);

/* The same with noise of scale 1 that exists already. */
int64_t *select_with_noise(const struct question *question, int64_t m, struct list scores,
                           struct list noises, struct failure *failure);

#endif
