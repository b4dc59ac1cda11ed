/**
 * A list of scores behind two doors; checks everything that it delivers.
 */

import { faultySource } from './errors.mjs';

/** Scores up to 2^53 are exact doubles, and so are their differences. */
const LARGEST_SCORE = 2 ** 53;

/**
 * @typedef {object} Doors
 * @property {(count: number) => [number, number][]} sorted the next items with their scores, by
 *   descending score
 * @property {(items: number[]) => number[]} random the scores of items
 */

export class Source {
  #doors;

  /**
   * The items seen so far: delivered by sorted access, or drawn to be looked up.
   *
   * @type {Set<number>}
   */
  seen = new Set();

  /** The number of items delivered by sorted access. */
  delivered = 0;

  /** The last score delivered by sorted access: no unseen item has a larger one. */
  last = LARGEST_SCORE;

  /**
   * @param {number} size the number m of items, which are numbered from 1
   * @param {Doors} doors
   */
  constructor(size, doors) {
    this.size = size;
    this.#doors = doors;
  }

  /** The number of unseen items. */
  get unseen() {
    return this.size - this.seen.size;
  }

  /**
   * @param {number} count at most the number of items left
   * @returns {[number, number][]} the next items with their scores
   */
  top(count) {
    const entries = this.#doors.sorted(count);
    requireLength(entries, count);
    for (const [item, score] of entries) {
      this.#requireItem(item);
      this.#requireScore(score);
      this.seen.add(item);
      this.last = score;
    }
    this.delivered += count;
    return entries;
  }

  /**
   * @param {number[]} items that sorted access has not delivered
   * @returns {number[]} their scores
   */
  scores(items) {
    const scores = this.#doors.random(items);
    requireLength(scores, items.length);
    for (const score of scores) this.#requireScore(score);
    return scores;
  }

  /** @param {unknown} item */
  #requireItem(item) {
    if (!Number.isInteger(item) || item < 1 || item > this.size) {
      throw faultySource('the source delivered an item outside of its domain');
    }
    if (this.seen.has(item)) throw faultySource('the source delivered an item twice');
  }

  /** @param {unknown} score */
  #requireScore(score) {
    if (!Number.isInteger(score) || score < 0 || score > LARGEST_SCORE) {
      throw faultySource('the source delivered a score that is not a whole number up to 2^53');
    }
    if (score > this.last) {
      throw faultySource('the source delivered a score above one that should have come after it');
    }
  }
}

/** @param {unknown[]} found @param {number} count */
function requireLength(found, count) {
  if (found.length !== count) {
    throw faultySource(`the source must deliver ${count} entries, got ${found.length}`);
  }
}
