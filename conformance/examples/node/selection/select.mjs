/**
 * Private top-k selection by few accesses: a prefix of the list, then the noise that can still win.
 *
 * The k largest of scores plus i.i.d. noise are selected, but the noise of most items is never
 * drawn. A prefix of the list is read by sorted access. Its k-th best noisy score is a bar: an
 * unseen item scores at most the last score read, so only a large noise lifts it over the bar.
 * Which unseen items have so large a noise is drawn at random, and their scores are looked up.
 *
 * The prefix grows until reading the expected candidates costs no more than reading on, and has
 * at most sqrt(mk) items. This takes at most 2 sqrt(mk) accesses in the mean, whatever the scores.
 */

import { Best } from './best.mjs';
import { exponential, integerBelow } from './coins.mjs';
import { NOISES } from './noise.mjs';
import { rateOf } from './parameters.mjs';
import { Source } from './source.mjs';

/** The first prefix has so many items for each one to select. */
const FIRST = 2;

/** Each prefix is at most so many times longer than the one before. */
const GROWTH = 4;

/** By so many items a prefix grows at most, and so many candidates are looked up at once. */
const PAGE = 4096;

/**
 * Select k of the items 1, ..., m.
 *
 * @param {number} m
 * @param {import('./source.mjs').Doors} doors
 * @param {import('./parameters.mjs').Question} question
 * @returns {number[]} best first if the question is for a ranked list, else in ascending order
 */
export function select(m, doors, question) {
  const rate = rateOf(m, question);
  const source = new Source(m, doors);
  const best = new Best(question.k, rate, NOISES[question.noise]);
  readPrefix(source, best, question.k);
  readCandidates(source, best);
  return question.ranked ? best.ranked() : best.ranked().sort((a, b) => a - b);
}

/**
 * Read items by sorted access, as long as that can pay.
 *
 * @param {Source} source
 * @param {Best} best
 * @param {number} k
 */
function readPrefix(source, best, k) {
  const latest = Math.min(source.size, Math.ceil(Math.sqrt(source.size * k)));
  let length = Math.min(latest, FIRST * k);
  for (;;) {
    const entries = source.top(length - source.delivered);
    best.admit(entries.map(([item, score]) => ({ item, score, level: exponential() })));
    const candidates = source.unseen * -Math.expm1(-best.level(source.last));
    if (length === latest || candidates <= latest - length) return;
    length = Math.min(latest, GROWTH * length, length + PAGE);
  }
}

/**
 * Look up the unseen items with the largest noise, until none of the others can enter.
 *
 * @param {Source} source
 * @param {Best} best
 */
function readCandidates(source, best) {
  let frontier = 0;
  for (;;) {
    const page = drawCandidates(source, frontier, best.level(source.last));
    if (page.length > 0) {
      const scores = source.scores(page.map(({ item }) => item));
      best.admit(page.map((candidate, place) => ({ ...candidate, score: scores[place] })));
    }
    // A shorter page has met the bar: to draw on would give the unseen items a second chance.
    if (page.length < PAGE) return;
    frontier = page.at(-1).level;
  }
}

/**
 * Draw the unseen items with levels below a bar by ascending level, a page of them at most.
 *
 * Invariant: the levels of the unseen items are i.i.d. with the law of frontier + Exp(1). So the
 * smallest of n is frontier + Exp(1)/n, may belong to any of them, and is the next frontier.
 *
 * @param {Source} source
 * @param {number} frontier
 * @param {number} bar
 * @returns {{item: number, level: number}[]}
 */
function drawCandidates(source, frontier, bar) {
  const found = [];
  let level = frontier;
  while (source.unseen > 0 && found.length < PAGE) {
    level += exponential() / source.unseen;
    if (level >= bar) break;
    found.push({ item: takeUnseen(source), level });
  }
  return found;
}

/**
 * @param {Source} source
 * @returns {number} a uniform item that was unseen; it is seen now
 */
function takeUnseen(source) {
  let item;
  do {
    item = 1 + integerBelow(source.size);
  } while (source.seen.has(item));
  source.seen.add(item);
  return item;
}
