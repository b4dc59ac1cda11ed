/**
 * Checks a question before anything is read, and computes the noise that its budget allows.
 */

import { SelectionError } from './errors.mjs';
import { NOISES } from './noise.mjs';

/**
 * @typedef {object} Question
 * @property {number} k the number of items to select
 * @property {number} epsilon the budget of the whole selection
 * @property {number} delta accepted, and not spent
 * @property {string} noise 'gumbel' or 'laplace'
 * @property {string} relation 'add-remove', 'swap' or 'l-infinity'
 * @property {boolean} ranked whether to return the items best first
 */

/** The largest number of items: every item is an exact double, and so is the next number. */
export const LARGEST = Number.MAX_SAFE_INTEGER;

/** The largest change of the difference of two scores between neighbours, in votes. */
const SHIFTS = new Map([
  ['add-remove', 1],
  ['swap', 2],
  ['l-infinity', 2],
]);

export const RELATIONS = [...SHIFTS.keys()];

/**
 * The rate 1/scale of the noise: each of the k items spends an equal part of epsilon.
 *
 * This is pure accounting, which holds for any delta and for both noises.
 *
 * @param {number} m
 * @param {Question} question
 * @returns {number}
 */
export function rateOf(m, question) {
  demandSizes(m, question.k);
  demandBudget(question);
  demandChoices(question);
  const { k, epsilon, relation } = question;
  const rate = epsilon / (k * SHIFTS.get(relation));
  const wanted = `epsilon must be large enough to be shared by k=${k} items`;
  demand(1 / rate < Infinity, 'epsilon-out-of-range', wanted, epsilon);
  return rate;
}

/** @param {number} m @param {number} k */
function demandSizes(m, k) {
  demand(isWhole(m, LARGEST), 'size-out-of-range', `m must be between 1 and ${LARGEST}`, m);
  demand(isWhole(k, m), 'k-out-of-range', `k must be an integer between 1 and m=${m}`, k);
}

/** @param {Question} question */
function demandBudget({ epsilon, delta }) {
  const isBudget = epsilon > 0 && epsilon < Infinity;
  demand(isBudget, 'epsilon-out-of-range', 'epsilon must be positive and finite', epsilon);
  const isChance = delta >= 0 && delta < 1;
  demand(isChance, 'delta-out-of-range', 'delta must be at least 0 and below 1', delta);
}

/** @param {Question} question */
function demandChoices({ noise, relation, ranked }) {
  const noises = Object.keys(NOISES);
  demand(noises.includes(noise), 'unknown-noise', `noise must be ${noises.join(' or ')}`, noise);
  const relations = RELATIONS.join(' or ');
  demand(SHIFTS.has(relation), 'unknown-relation', `relation must be ${relations}`, relation);
  const isCovered = !ranked || noise === 'gumbel';
  demand(isCovered, 'ranked-laplace', 'the noise of a ranked list must be gumbel', noise);
}

/** @param {number} number @param {number} most @returns {boolean} */
function isWhole(number, most) {
  return Number.isInteger(number) && number >= 1 && number <= most;
}

/** @param {boolean} holds @param {string} reason @param {string} wanted @param {unknown} given */
function demand(holds, reason, wanted, given) {
  if (!holds) throw new SelectionError(reason, `${wanted}, got ${given}`);
}
