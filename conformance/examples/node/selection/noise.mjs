/**
 * The two noises, of scale 1, by their levels.
 *
 * A noise Z with distribution function F is kept as its level E = -log F(Z), a standard
 * exponential variable: the largest noise has the smallest level, and far up in the tail, where
 * F(Z) would round to 1, a level has all its digits.
 */

/**
 * @typedef {object} Noise
 * @property {(level: number) => number} value the noise that a level stands for
 * @property {(value: number) => number} level the level of a noise
 */

/** @type {Noise} */
const gumbel = {
  value: (level) => -Math.log(level),
  level: (value) => Math.exp(-value),
};

/** @type {Noise} */
const laplace = {
  value: (level) =>
    level >= Math.LN2 ? Math.LN2 - level : -Math.log(-2 * Math.expm1(-level)),
  level: (value) =>
    value < 0 ? Math.LN2 - value : -Math.log1p(-Math.exp(-value) / 2),
};

/** @type {Record<string, Noise>} */
export const NOISES = { gumbel, laplace };
