import { stripVTControlCharacters } from 'node:util';
import type { EventReader, TestEvent } from './model.ts';

const kinds: ReadonlySet<string> = new Set<TestEvent['type']>([
  'runner',
  'collected',
  'expected',
  'files',
  'fileCount',
  'fileStarted',
  'fileEnded',
  'started',
  'ended',
  'dropped',
  'problem',
  'deselected',
  'available',
  'over',
]);

/** The lines of our own reporters. A line cut off by the end of a process is none. */
export const ownEvents: EventReader = {
  line: (text) => {
    let value: unknown;
    try {
      value = JSON.parse(stripVTControlCharacters(text));
    } catch {
      return [];
    }
    const isEvent = typeof value === 'object' && value !== null && 'type' in value && kinds.has(String(value.type));
    // Our reporters write nothing else, and the program under test does not know the file.
    return isEvent ? [value as TestEvent] : [];
  },
};
