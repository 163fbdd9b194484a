'use strict';
/**
 * What the reporters share. They run inside the test runners of projects, whatever their version, and write one event in each line of
 * a file that lies outside the project; `TestEvent` in src/engine/workspace/tests/model.ts says what stands in it. Written at once and
 * in one piece: a runner that is killed has told all it knew.
 */
const { openSync, writeSync } = require('node:fs');
const { inspect } = require('node:util');

let descriptor;

function emit(event) {
  descriptor ??= openSync(process.env.SIGHTLINE_TEST_EVENTS, 'a');
  writeSync(descriptor, JSON.stringify(event) + '\n');
}

const maxValueChars = 4000;
const maxStackChars = 8000;
const maxOutputChars = 4000;

/** A side of an assertion, as text. Texts themselves stay as they are: their lines are what is compared. */
function shown(value) {
  if (typeof value === 'string') return value.slice(0, maxValueChars);
  try {
    return inspect(value, {
      depth: 6,
      sorted: true,
      maxArrayLength: 100,
      maxStringLength: 1000,
      breakLength: 80,
    }).slice(0, maxValueChars);
  } catch {
    return undefined;
  }
}

function plain(text) {
  // Colours only; what else a message holds is the message's own.
  return String(text).replaceAll(/\u001b\[[0-9;]*m/g, '');
}

/** An error, or whatever else was thrown, as a failure. */
function failureOf(error) {
  if (error === null || typeof error !== 'object') return { message: `thrown: ${shown(error)}` };
  const message = plain(error.message ?? shown(error) ?? '');
  const hasSides = 'expected' in error && 'actual' in error && error.showDiff !== false && error.operator !== 'fail';
  const stack = typeof error.stack === 'string' ? plain(error.stack) : undefined;
  // The message stands before the frames; a long one must not push them out.
  const frames = stack === undefined ? undefined : stack.slice(Math.max(stack.search(/^\s+at /m), 0));
  return {
    type: typeof error.name === 'string' ? error.name : undefined,
    message: message.slice(0, maxStackChars),
    ...(hasSides && error.expected !== error.actual ? sides(error) : {}),
    ...(frames === undefined ? {} : { stack: frames.slice(0, maxStackChars) }),
  };
}

function sides({ expected, actual }) {
  return { expected: shown(expected), actual: shown(actual) };
}

function lastOf(text) {
  return text.length <= maxOutputChars ? text : '…' + text.slice(-maxOutputChars);
}

module.exports = { emit, failureOf, lastOf, plain, shown };
