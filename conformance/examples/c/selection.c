#include "selection.h"

#include "item_map.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double LARGEST_SCORE = 9007199254740992.0; /* 2^53 */

static bool is_answerable(const struct question *question, int64_t m, struct failure *failure)
{
    double k = question->k, epsilon = question->epsilon, delta = question->delta;

    if (m < 1)
        return fail(failure, "empty-domain", "m must be at least 1, got %" PRId64, m);
    if (!(k >= 1 && k <= (double)m && k == floor(k)))
        return fail(failure, "k-out-of-range",
                    "k must be a whole number between 1 and m=%" PRId64 ", got %.17g", m, k);
    if (!(epsilon > 0 && isfinite(epsilon)))
        return fail(failure, "epsilon-out-of-range",
                    "epsilon must be positive and finite, got %.17g", epsilon);
    if (!(delta >= 0 && delta < 1))
        return fail(failure, "delta-out-of-range",
                    "delta must be at least 0 and below 1, got %.17g", delta);
    if (question->is_ranked && question->noise == LAPLACE)
        return fail(failure, "ranked-laplace",
                    "a ranked list needs gumbel noise: laplace noise covers the set only");
    return true;
}

/*
 * Pure composition: each of k items costs the largest change of the difference of two scores when
 * one client is added, removed or replaced.
 */
bool rate_of(const struct question *question, int64_t m, double *rate, struct failure *failure)
{
    if (!is_answerable(question, m, failure))
        return false;
    double range = question->relation == ADD_REMOVE ? 1 : 2;
    *rate = question->epsilon / (question->k * range);
    if (*rate == 0)
        return fail(failure, "epsilon-out-of-range",
                    "epsilon=%.17g is too small to be shared by k=%.17g items",
                    question->epsilon, question->k);
    return true;
}

/* An item with both parts of its noisy score. */
struct candidate {
    int64_t item;
    double score;
    double noise; /* in scales of the noise */
};

/* A run of the threshold algorithm. */
struct run {
    struct list scores, noises;
    int64_t m;
    double rate;
    struct item_map seen; /* the score of every item seen on either list */
    struct candidate *best; /* best first, ties by the smaller item */
    size_t k, best_count;
    double last_score, last_noise; /* the last value of each list */
};

/*
 * The difference of two noisy scores, in scales of the noise. The difference of the scores is
 * exact, so no noise is rounded away even at 2^53 votes.
 */
static double lead(double rate, struct candidate first, struct candidate second)
{
    return rate * (first.score - second.score) + (first.noise - second.noise);
}

static bool is_better(double rate, struct candidate first, struct candidate second)
{
    double difference = lead(rate, first, second);

    return difference > 0 || (difference == 0 && first.item < second.item);
}

/* Keep a candidate if it is among the k best. */
static void consider(struct run *run, struct candidate candidate)
{
    struct candidate *best = run->best;
    size_t place = run->best_count;

    if (place == run->k) {
        if (!is_better(run->rate, candidate, best[place - 1]))
            return;
        --place;
    } else {
        ++run->best_count;
    }
    for (; place > 0 && is_better(run->rate, candidate, best[place - 1]); --place)
        best[place] = best[place - 1];
    best[place] = candidate;
}

static bool is_item(const struct run *run, int64_t item, struct failure *failure)
{
    return (item >= 1 && item <= run->m)
        || fail(failure, "faulty-source", "sorted access left the domain of the items");
}

static bool is_score(double score, struct failure *failure)
{
    return (score >= 0 && score <= LARGEST_SCORE && score == floor(score))
        || fail(failure, "faulty-source", "a score is not a whole number from 0 to 2^53");
}

static bool is_next(const struct run *run, struct entry entry, struct failure *failure)
{
    if (!is_item(run, entry.item, failure) || !is_score(entry.value, failure))
        return false;
    if (entry.value > run->last_score)
        return fail(failure, "faulty-source", "the scores of sorted access rise");
    const struct known_item *known = item_map_find(&run->seen, entry.item);
    if (known != NULL && known->is_delivered)
        return fail(failure, "faulty-source", "sorted access delivered an item twice");
    if (known != NULL && known->value != entry.value)
        return fail(failure, "faulty-source", "the two doors disagree on a score");
    return true;
}

static bool read_score(struct run *run, struct failure *failure)
{
    struct entry entry;
    double noise;

    if (!run->scores.next(run->scores.self, &entry, failure) || !is_next(run, entry, failure))
        return false;
    struct known_item *known = item_map_find(&run->seen, entry.item);
    if (known == NULL) {
        if (!run->noises.look_up(run->noises.self, entry.item, &noise, failure))
            return false;
        if ((known = item_map_add(&run->seen, entry.item, entry.value)) == NULL)
            return fail_for_memory(failure);
        consider(run, (struct candidate){entry.item, entry.value, noise});
    }
    known->is_delivered = true;
    run->last_score = entry.value;
    return true;
}

static bool read_noise(struct run *run, struct failure *failure)
{
    struct entry entry;
    double score;

    if (!run->noises.next(run->noises.self, &entry, failure)
        || !is_item(run, entry.item, failure))
        return false;
    run->last_noise = entry.value;
    if (item_map_find(&run->seen, entry.item) != NULL)
        return true;
    if (!run->scores.look_up(run->scores.self, entry.item, &score, failure)
        || !is_score(score, failure))
        return false;
    if (score > run->last_score)
        return fail(failure, "faulty-source", "sorted access passed over an item");
    if (item_map_add(&run->seen, entry.item, score) == NULL)
        return fail_for_memory(failure);
    consider(run, (struct candidate){entry.item, score, entry.value});
    return true;
}

/* Whether k items are at least as good as any unseen item can be. */
static bool is_done(const struct run *run)
{
    struct candidate threshold = {.score = run->last_score, .noise = run->last_noise};

    return run->best_count == run->k
        && lead(run->rate, run->best[run->k - 1], threshold) >= 0;
}

static int ascending(const void *first, const void *second)
{
    int64_t a = *(const int64_t *)first, b = *(const int64_t *)second;

    return (a > b) - (a < b);
}

static int64_t *items_of(const struct run *run, bool is_ranked)
{
    int64_t *items = malloc(run->k * sizeof *items);

    if (items == NULL)
        return NULL;
    for (size_t i = 0; i < run->k; ++i)
        items[i] = run->best[i].item;
    if (!is_ranked)
        qsort(items, run->k, sizeof *items, ascending);
    return items;
}

/* The threshold algorithm: a round reads an entry of each list, and both items' other values. */
static int64_t *run_rounds(struct run *run, const struct question *question,
                           struct failure *failure)
{
    int64_t *items = NULL;
    bool is_right = true;

    run->last_score = INFINITY;
    run->k = (size_t)question->k;
    run->best = calloc(run->k, sizeof *run->best);
    if (run->best == NULL)
        is_right = fail_for_memory(failure);
    while (is_right && !is_done(run))
        is_right = read_score(run, failure) && read_noise(run, failure);
    if (is_right && (items = items_of(run, question->is_ranked)) == NULL)
        fail_for_memory(failure);
    free(run->best);
    item_map_free(&run->seen);
    return items;
}

int64_t *select_items(const struct question *question, int64_t m, struct list scores,
                      struct coins coins, struct failure *failure)
{
    struct noise_list noises = noise_list_of(m, question->noise, coins);
    struct run run = {.scores = scores, .noises = noise_list_doors(&noises), .m = m};

    if (!rate_of(question, m, &run.rate, failure))
        return NULL;
    int64_t *items = run_rounds(&run, question, failure);
    noise_list_free(&noises);
    return items;
}

int64_t *select_with_noise(const struct question *question, int64_t m, struct list scores,
                           struct list noises, struct failure *failure)
{
    struct run run = {.scores = scores, .noises = noises, .m = m, .rate = 1};

    if (!is_answerable(question, m, failure))
        return NULL;
    return run_rounds(&run, question, failure);
}
