/** Errors of a selection. The reason is for programs, the message for people. */

export class SelectionError extends Error {
  /**
   * @param {string} reason a stable word, such as k-out-of-range
   * @param {string} message
   */
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The error for a source that breaks a promise; the message must not contain a score.
 *
 * @param {string} message
 * @returns {SelectionError}
 */
export function faultySource(message) {
  return new SelectionError('faulty-source', message);
}
