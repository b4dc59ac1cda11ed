/**
 * Reads and writes lines of text through two file descriptors, without an event loop.
 */

import { readSync, writeSync } from 'node:fs';

const NEWLINE = 0x0a;
const PAGE = 1 << 16;

/** Milliseconds between two attempts, if a descriptor is set not to block. */
const PAUSE = 1;

export class LineStream {
  #input;
  #output;
  #buffer = Buffer.alloc(0);
  #page = Buffer.alloc(PAGE);

  /** @param {number} input @param {number} output file descriptors */
  constructor(input, output) {
    this.#input = input;
    this.#output = output;
  }

  /** @returns {string | null} the next line without its end, or null at the end of the input */
  read() {
    const parts = [];
    for (;;) {
      const end = this.#buffer.indexOf(NEWLINE);
      if (end >= 0) {
        parts.push(this.#buffer.subarray(0, end));
        this.#buffer = this.#buffer.subarray(end + 1);
        return Buffer.concat(parts).toString();
      }
      parts.push(this.#buffer);
      if (!this.#fill()) return null;
    }
  }

  /** @param {string} line without its end */
  write(line) {
    let rest = Buffer.from(`${line}\n`);
    while (rest.length > 0) {
      rest = rest.subarray(retryUntilReady(() => writeSync(this.#output, rest)));
    }
  }

  /** @returns {boolean} whether there was more to read */
  #fill() {
    const length = retryUntilReady(() => readSync(this.#input, this.#page));
    this.#buffer = Buffer.from(this.#page.subarray(0, length));
    return length > 0;
  }
}

/**
 * @param {() => number} call
 * @returns {number} what the call returns as soon as it does not block
 */
function retryUntilReady(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}
