/**
 * The two noises of scale 1, as functions of their levels.
 *
 * A noise Z with distribution function F is stored as its level E = -log F(Z), a standard
 * exponential variable. The largest noise has the smallest level. In the upper tail F(Z) would
 * round to 1, but the level keeps all its digits.
 */

/**
 * @typedef {object} Noise
 * @property {(level: number) => number} value the noise of a level
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
