/**
 * Private top-k selection with few accesses: reads a prefix, then the items whose noise can win.
 *
 * Selects the k items with the largest score plus i.i.d. noise, without drawing most of the noise.
 * A prefix of the list is read by sorted access. Its k-th best noisy score is the bar. An unseen
 * item scores at most the last score read, so it passes the bar only with a large noise. The
 * unseen items with such a noise are drawn at random, and their scores are looked up.
 *
 * The prefix grows until looking up the expected candidates is as cheap as reading on, and has at
 * most sqrt(mk) items. On average this takes at most 2 sqrt(mk) accesses, whatever the scores.
 */

import { Best } from './best.mjs';
import { exponential, integerBelow } from './coins.mjs';
import { NOISES } from './noise.mjs';
import { rateOf } from './parameters.mjs';
import { Source } from './source.mjs';

/** The first prefix has 2 items per item to select. */
const FIRST = 2;

/** Each prefix is at most 4 times as long as the one before. */
const GROWTH = 4;

/** A prefix grows by at most this many items; at most as many candidates are looked up at once. */
const PAGE = 4096;

/**
 * Select k of the items 1, ..., m.
 *
 * @param {number} m
 * @param {import('./source.mjs').Doors} doors
 * @param {import('./parameters.mjs').Question} question
 * @returns {number[]} best first if the question asks for a ranked list, else in ascending order
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
 * Read items by sorted access, as long as that is cheaper than looking up candidates.
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
 * Look up the unseen items with the largest noise, until no other item can pass the bar.
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
    // A shorter page has reached the limit: drawing on would give unseen items a second chance.
    if (page.length < PAGE) return;
    frontier = page.at(-1).level;
  }
}

/**
 * Draw the unseen items with levels below a limit, by ascending level and at most one page.
 *
 * Invariant: the levels of the unseen items are i.i.d. with the law of frontier + Exp(1). So the
 * smallest of n levels is frontier + Exp(1)/n. Each item is equally likely to have it, and it is
 * the next frontier.
 *
 * @param {Source} source
 * @param {number} frontier
 * @param {number} limit
 * @returns {{item: number, level: number}[]}
 */
function drawCandidates(source, frontier, limit) {
  const found = [];
  let level = frontier;
  while (source.unseen > 0 && found.length < PAGE) {
    level += exponential() / source.unseen;
    if (level >= limit) break;
    found.push({ item: takeUnseen(source), level });
  }
  return found;
}

/**
 * @param {Source} source
 * @returns {number} a uniform unseen item; it counts as seen from now on
 */
function takeUnseen(source) {
  let item;
  do {
    item = 1 + integerBelow(source.size);
  } while (source.seen.has(item));
  source.seen.add(item);
  return item;
}
