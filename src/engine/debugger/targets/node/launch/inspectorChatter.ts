/** Lines that Node's inspector itself writes to the program's stderr; they are ours, not the program's. */
const chatter =
  /^(Debugger listening on ws:\/\/.*|For help, see: https:\/\/nodejs\.org\/.*inspector.*|Debugger attached\.|Waiting for the debugger to disconnect\.\.\.|Debugger ending on ws:\/\/.*)\r?\n/gm;

/** A filter for chunks of stderr. Text that may be the beginning of such a line is held back until the line tells. */
export function dropInspectorChatter(): (text: string) => string {
  let held = '';
  return (text) => {
    const whole = (held + text).replace(chatter, '');
    const lineStart = whole.lastIndexOf('\n') + 1;
    const last = whole.slice(lineStart);
    held = last !== '' && beginnings.some((line) => line.startsWith(last) || last.startsWith(line)) ? last : '';
    return held === '' ? whole : whole.slice(0, lineStart);
  };
}

const beginnings = [
  'Debugger listening on ws://',
  'For help, see: https://nodejs.org/',
  'Debugger attached.',
  'Waiting for the debugger to disconnect',
  'Debugger ending on ws://',
];
