/**
 * Random numbers from the operating system's cryptographic generator.
 */

import { randomFillSync } from 'node:crypto';

const words = new Uint32Array(2048);
let used = words.length;

/** @returns {number} 32 random bits, as a number below 2^32 */
function word() {
  if (used === words.length) {
    randomFillSync(words);
    used = 0;
  }
  return words[used++];
}

/**
 * A standard exponential variable, -log U, from 64 bits. One bit decides on which side of 1/2 U
 * lies, and the others how far it is from 0 or 1. So neither tail is cut off before 2^-65.
 *
 * @returns {number}
 */
export function exponential() {
  const high = word();
  const distance = ((high >>> 1) * 2 ** 32 + word() + 0.5) * 2 ** -64;
  return high & 1 ? -Math.log(distance) : -Math.log1p(-distance);
}

/**
 * A uniform integer below a bound of at most 2^53, by rejection: draws bits until they form one.
 *
 * @param {number} bound at least 1
 * @returns {number}
 */
export function integerBelow(bound) {
  const highest = bound - 1;
  const highMask = maskOf(Math.floor(highest / 2 ** 32));
  const lowMask = highMask ? 0xffffffff : maskOf(highest);
  for (;;) {
    const high = highMask && (word() & highMask) >>> 0;
    const number = high * 2 ** 32 + ((word() & lowMask) >>> 0);
    if (number <= highest) return number;
  }
}

/** @param {number} number below 2^32 @returns {number} a mask of as many bits as the number has */
function maskOf(number) {
  return 2 ** (32 - Math.clz32(number)) - 1;
}
