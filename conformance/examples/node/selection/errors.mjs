/** What a selection may be refused for. The reason is for programs, the message for people. */

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
 * A source that breaks a promise; what it delivered is not told, for it may be a score.
 *
 * @param {string} message
 * @returns {SelectionError}
 */
export function faultySource(message) {
  return new SelectionError('faulty-source', message);
}
