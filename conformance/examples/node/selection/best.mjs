/**
 * The k items with the largest noisy scores so far.
 *
 * Score and noise are never added: added to a score of 2^53, the noise would be rounded away. Two
 * items are compared by the difference of their scores, which is exact, plus that of their noises.
 */

/** @typedef {{item: number, score: number, noise: number}} Entry */

export class Best {
  #k;
  #rate;
  #noise;
  /** @type {Entry[]} */
  #entries = [];

  /**
   * @param {number} k
   * @param {number} rate 1/scale of the noise
   * @param {import('./noise.mjs').Noise} noise
   */
  constructor(k, rate, noise) {
    this.#k = k;
    this.#rate = rate;
    this.#noise = noise;
  }

  /**
   * Add items, each of them once.
   *
   * @param {{item: number, score: number, level: number}[]} found
   */
  admit(found) {
    for (const { item, score, level } of found) {
      this.#entries.push({ item, score, noise: this.#noise.value(level) });
    }
    this.#entries.sort((a, b) => this.#lead(b, a) || a.item - b.item);
    this.#entries.length = Math.min(this.#entries.length, this.#k);
  }

  /**
   * The level below which an item enters; infinite while there are fewer than k items.
   *
   * @param {number} score of that item
   * @returns {number}
   */
  level(score) {
    if (this.#entries.length < this.#k) return Infinity;
    return this.#noise.level(this.#lead(this.#entries[this.#k - 1], { score, noise: 0 }));
  }

  /** @returns {number[]} the items, best first */
  ranked() {
    return this.#entries.map((entry) => entry.item);
  }

  /**
   * The difference of two noisy scores, in scales of the noise.
   *
   * @param {{score: number, noise: number}} one
   * @param {{score: number, noise: number}} other
   * @returns {number}
   */
  #lead(one, other) {
    return (one.score - other.score) * this.#rate + (one.noise - other.noise);
  }
}
