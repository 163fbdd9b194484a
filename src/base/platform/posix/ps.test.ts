import { describe, expect, test } from 'vitest';
import { psOfDarwin } from '../darwin.ts';
import { listenersInNetstat } from '../netstat.ts';
import { cwdIn, listenersIn, programIn } from './lsof.ts';
import { psTable } from './psTable.ts';
import { cpuTimeIn, rowsIn, variablesIn } from './psText.ts';

/** In the columns and widths of macOS: `ps -axEww -o pid=,ppid=,pgid=,tpgid=,stat=,lstart=,command=`. */
const macProcesses = `    1     0     1     0 Ss   Mon Nov  2 08:00:01 2026 /sbin/launchd
  501     1   501   501 S+   Wed Nov 18 07:15:33 2026     /opt/homebrew/bin/node /Users/me/my app/sightline.js shared HOME=/Users/me SIGHTLINE_RUN=run-0-480-s1795000000_ab12 LANG=de_DE.UTF-8
  612   501   612     0 T    Wed Nov 18 07:15:34 2026     sleep 100
  613   501   501   501 Z    Wed Nov 18 07:15:34 2026     (node)
`;

describe('what ps of macOS prints', () => {
  test('is rows with parents, groups, states, starts and marks', () => {
    const rows = rowsIn(macProcesses, 'SIGHTLINE_RUN');
    expect(rows.map(({ pid, parent, group, state }) => [pid, parent, group, state])).toEqual([
      [1, 0, 1, 'living'],
      [501, 1, 501, 'living'],
      [612, 501, 612, 'stopped'],
      [613, 501, 501, 'zombie'],
    ]);
    expect(rows.map(({ mark }) => mark)).toEqual([undefined, 'run-0-480-s1795000000_ab12', undefined, undefined]);
    expect(rows[1]).toMatchObject({ front: 501, start: `s${Date.UTC(2026, 10, 18, 7, 15, 33) / 1000}` });
  });

  test.each([
    ['0:00.03', 30],
    ['12:03.50', 723_500],
    ['01:02:03', 3_723_000],
    ['2-01:00:00', 176_400_000],
    ['-', undefined],
  ])('%s of processor time is %s ms', (text, ms) => expect(cpuTimeIn(text)).toBe(ms));

  test('variables with spaces in them stay whole', () => {
    expect(variablesIn(' HOME=/Users/my me TERM=xterm SIGHTLINE_HOME=/Users/my me/s')).toEqual([
      'HOME=/Users/my me',
      'TERM=xterm',
      'SIGHTLINE_HOME=/Users/my me/s',
    ]);
  });

  test('is asked for with the options that macOS has', () => {
    const asked: string[] = [];
    const answers: Record<string, string> = {
      command: 'node /Users/me/sightline.js shared',
      environment: 'node /Users/me/sightline.js shared HOME=/Users/me A=b',
      rss: ' 81920\n',
      tty: 'ttys003\n',
    };
    const table = psTable({
      ...psOfDarwin,
      ask: (command, args) => {
        asked.push([command, ...args].join(' '));
        if (args.includes('-Eww')) return answers['environment'];
        const column = /^(\w+)=$/.exec(args.find((arg) => arg.endsWith('=') && !arg.includes(',')) ?? '')?.[1];
        return column === undefined ? macProcesses : answers[column];
      },
    });
    expect(table.all('SIGHTLINE_RUN').filter(({ mark }) => mark !== undefined)).toHaveLength(1);
    expect(table.variables(501)).toEqual(['HOME=/Users/me', 'A=b']);
    expect(table.words(501).at(-1)).toBe('shared');
    expect(table.residentBytes(501)).toBe(81_920 * 1024);
    expect(table.terminal(501)).toBe('/dev/ttys003');
    expect(asked).toContain('ps -axEww -o pid=,ppid=,pgid=,tpgid=,stat=,lstart=,command=');
    expect(asked).toContain('ps -Eww -o command= -p 501');
  });

  test('starts a second apart are one, as systems reckon them anew', () => {
    const table = psTable(psOfDarwin);
    expect([table.isSameStart('s100', 's101'), table.isSameStart('s100', 's102')]).toEqual([true, false]);
  });
});

describe('what lsof prints', () => {
  test('names the folder and the program of a process', () => {
    expect(cwdIn('p501\nfcwd\nn/Users/me/my project\n')).toBe('/Users/me/my project');
    expect(programIn('p501\nftxt\nn/opt/homebrew/Cellar/node/22.1.0/bin/node\nftxt\nn/usr/lib/dyld\n')).toBe(
      '/opt/homebrew/Cellar/node/22.1.0/bin/node',
    );
    expect(cwdIn('')).toBeUndefined();
  });

  test('names the ports of listeners, by every kind of address', () => {
    expect(listenersIn('p501\nf18\nn127.0.0.1:9229\nf19\nn[::1]:9230\np612\nf3\nn*:8080\n')).toEqual([
      { pid: 501, port: 9229 },
      { pid: 501, port: 9230 },
      { pid: 612, port: 8080 },
    ]);
  });
});

test('netstat of Windows names listeners, in any language', () => {
  const text = `
Aktive Verbindungen

  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN         1044
  TCP    127.0.0.1:9229         0.0.0.0:0              ABHÖREN         5120
  TCP    127.0.0.1:50210        127.0.0.1:50211        HERGESTELLT     5120
`;
  expect(listenersInNetstat(text.replaceAll('\n', '\r\n'))).toEqual([
    { pid: 1044, port: 135 },
    { pid: 5120, port: 9229 },
  ]);
});
