import { ToolError } from '../../../base/errors.ts';

const named: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  escape: '\x1b',
  esc: '\x1b',
  space: ' ',
  backspace: '\x7f',
  delete: '\x1b[3~',
  insert: '\x1b[2~',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
  'shift-tab': '\x1b[Z',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
};

const arrows: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D' };

/** What a terminal sends for a key: `Enter`, `Up`, `Ctrl-C`, `Alt-x`, or one character. */
export function keyText(key: string, hasApplicationCursorKeys: boolean): string {
  const name = key
    .trim()
    .toLowerCase()
    .replaceAll(/[+_\s]/g, '-');
  const arrow = arrows[name.replace(/^arrow-?|-?arrow$/, '')];
  if (arrow !== undefined) return `\x1b${hasApplicationCursorKeys ? 'O' : '['}${arrow}`;
  const known = named[name] ?? named[name.replace('-', '')];
  if (known !== undefined) return known;
  const control = /^(?:ctrl|control|c|\^)-?([a-z@[\\\]^_?])$/.exec(name)?.[1];
  if (control !== undefined)
    return control === '?' ? '\x7f' : String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31);
  const alt = /^(?:alt|meta|m)-(.)$/.exec(
    key
      .trim()
      .replaceAll('+', '-')
      .replace(/^(alt|meta|m)-/i, 'alt-'),
  )?.[1];
  if (alt !== undefined) return `\x1b${alt}`;
  if (key.length === 1) return key;
  throw new ToolError('invalid_arguments', `There is no key "${key}".`, {
    hint: 'Keys: Enter, Tab, Escape, Backspace, Delete, Up, Down, Left, Right, Home, End, PageUp, PageDown, F1-F12, Ctrl-C, Alt-x.',
  });
}
