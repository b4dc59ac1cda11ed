#!/usr/bin/env node
/**
 * The selection as a child process that speaks the wire protocol: it reads and writes JSON lines.
 */

import { LineStream } from './lines.mjs';
import { SelectionError } from './selection/errors.mjs';
import { NOISES } from './selection/noise.mjs';
import { LARGEST, RELATIONS, rateOf } from './selection/parameters.mjs';
import { select } from './selection/select.mjs';

const STARTED = {
  type: 'started',
  protocol: 1,
  name: 'batched selection',
  version: '1',
  language: 'JavaScript',
  subjects: [
    {
      kind: 'selector',
      noises: Object.keys(NOISES),
      relations: RELATIONS,
      ranked: true,
      cost: 'batched',
      largest: LARGEST,
      declares_rate: true,
    },
  ],
};

/** The conversation cannot continue. */
class WireError extends Error {}

const lines = new LineStream(0, 1);

/** The number of the message that is being answered. */
let seq = 0;

/** @returns {object | null} the next message of the harness, or null at the end of the input */
function hear() {
  const line = lines.read();
  if (line === null) return null;
  try {
    const message = JSON.parse(line);
    seq = message.seq;
    return message;
  } catch (error) {
    throw new WireError(`not a message (${error.message}): ${line}`);
  }
}

/** @param {object} message */
function say(message) {
  lines.write(JSON.stringify({ ...message, seq }));
}

/**
 * @param {object} message
 * @returns {object} what the harness answers
 */
function ask(message) {
  say(message);
  const answer = hear();
  if (answer === null) throw new WireError('the input ended during a selection');
  if (answer.type === 'refused') throw new SelectionError(answer.reason, answer.message);
  return answer;
}

/** @type {import('./selection/source.mjs').Doors} */
const doors = {
  sorted: (count) => ask({ type: 'sorted', count }).entries,
  random: (items) => ask({ type: 'random', items }).values,
};

/**
 * Convert the texts that stand for NaN and infinities, which JSON does not have.
 *
 * @param {object} question
 * @returns {import('./selection/parameters.mjs').Question}
 */
function withNumbers(question) {
  return { ...question, epsilon: Number(question.epsilon), delta: Number(question.delta) };
}

/**
 * @param {object} message
 * @returns {object} the answer to it
 */
function answerTo({ type, m, question }) {
  switch (type) {
    case 'start':
      return STARTED;
    case 'run':
      return { type: 'items', items: select(m, doors, withNumbers(question)) };
    case 'rate':
      return { type: 'declared', rate: rateOf(m, withNumbers(question)) };
    default:
      return { type: 'skip', reason: `${type} is not offered` };
  }
}

/**
 * @param {Error} error of the selection
 * @returns {object} the message that reports it
 */
function failure(error) {
  if (error instanceof WireError) throw error;
  return { type: 'error', reason: error.reason ?? error.name, message: error.message };
}

/** Answer messages until `stop`, or until the input ends. */
function serve() {
  for (let message = hear(); message !== null && message.type !== 'stop'; message = hear()) {
    let answer;
    try {
      answer = answerTo(message);
    } catch (error) {
      answer = failure(error);
    }
    say(answer);
  }
}

try {
  serve();
} catch (error) {
  console.error(`adapter.mjs: ${error.message}`);
  process.exitCode = 1;
}
