#include "noise_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const double LOG_2 = 0.693147180559945309417;

struct noise_list noise_list_of(int64_t m, enum noise noise, struct coins coins)
{
    return (struct noise_list){.m = m, .noise = noise, .coins = coins};
}

void noise_list_free(struct noise_list *noises)
{
    item_map_free(&noises->levels);
    free(noises->pending);
    *noises = (struct noise_list){0};
}

static double noise_at(enum noise noise, double level)
{
    if (noise == GUMBEL)
        return -log(level);
    return level < LOG_2 ? -log(-2 * expm1(-level)) : LOG_2 - level;
}

static bool comes_before(struct pending first, struct pending second)
{
    return first.level < second.level
        || (first.level == second.level && first.item < second.item);
}

static bool reserve_pending(struct noise_list *noises)
{
    if (noises->pending_count < noises->pending_capacity)
        return true;
    size_t capacity = 16 + 2 * noises->pending_capacity;
    struct pending *larger = realloc(noises->pending, capacity * sizeof *larger);
    if (larger == NULL)
        return false;
    noises->pending = larger;
    noises->pending_capacity = capacity;
    return true;
}

static void push_pending(struct noise_list *noises, struct pending added)
{
    struct pending *heap = noises->pending;
    size_t place = noises->pending_count++;

    while (place > 0 && comes_before(added, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = added;
}

static struct pending pop_pending(struct noise_list *noises)
{
    struct pending *heap = noises->pending, first = heap[0];
    size_t count = --noises->pending_count, place = 0, child;
    struct pending moved = heap[count];

    while ((child = 2 * place + 1) < count) {
        if (child + 1 < count && comes_before(heap[child + 1], heap[child]))
            ++child;
        if (!comes_before(heap[child], moved))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = moved;
    return first;
}

static bool look_up(void *self, int64_t item, double *value, struct failure *failure)
{
    struct noise_list *noises = self;
    double exponential;

    if (item < 1 || item > noises->m)
        return fail(failure, "unknown-item",
                    "item must be between 1 and m=%" PRId64 ", got %" PRId64, noises->m, item);
    struct known_item *known = item_map_find(&noises->levels, item);
    if (known == NULL) {
        if (!toss_exponential(&noises->coins, &exponential, failure))
            return false;
        double level = noises->frontier + exponential;
        if (!reserve_pending(noises)
            || (known = item_map_add(&noises->levels, item, level)) == NULL)
            return fail_for_memory(failure);
        push_pending(noises, (struct pending){level, item});
    }
    *value = noise_at(noises->noise, known->value);
    return true;
}

static int64_t unknown_count(const struct noise_list *noises)
{
    return noises->m - (int64_t)noises->levels.count;
}

/* By rejection: a whole list takes about m log m draws, the start of a long one 1 per item. */
static bool toss_unknown_item(struct noise_list *noises, int64_t *item, struct failure *failure)
{
    do {
        if (!toss_up_to(&noises->coins, noises->m, item, failure))
            return false;
    } while (item_map_find(&noises->levels, *item) != NULL);
    return true;
}

/* The smallest level of the unknown items, infinite if there is none. */
static bool toss_smallest(struct noise_list *noises, double *level, struct failure *failure)
{
    double exponential;

    *level = INFINITY;
    if (unknown_count(noises) == 0)
        return true;
    if (!toss_exponential(&noises->coins, &exponential, failure))
        return false;
    *level = noises->frontier + exponential / (double)unknown_count(noises);
    return true;
}

static bool next(void *self, struct entry *entry, struct failure *failure)
{
    struct noise_list *noises = self;
    double level;

    if (!toss_smallest(noises, &level, failure))
        return false;
    if (noises->pending_count > 0 && noises->pending[0].level < level) {
        struct pending first = pop_pending(noises);
        level = first.level;
        entry->item = first.item;
    } else if (isinf(level)) {
        return fail(failure, "list-exhausted",
                    "all m=%" PRId64 " items have been delivered", noises->m);
    } else if (!toss_unknown_item(noises, &entry->item, failure)) {
        return false;
    } else if (item_map_add(&noises->levels, entry->item, level) == NULL) {
        return fail_for_memory(failure);
    }
    noises->frontier = level;
    entry->value = noise_at(noises->noise, level);
    return true;
}

struct list noise_list_doors(struct noise_list *noises)
{
    return (struct list){.self = noises, .next = next, .look_up = look_up};
}
