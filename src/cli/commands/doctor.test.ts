import { expect, test } from 'vitest';
import type { LanguageReport } from '../../engine/provision/survey.ts';
import { renderDoctor, renderRefactorings } from './doctor.ts';
import { renderOutcomes } from './setup.ts';

const reports: LanguageReport[] = [
  {
    language: 'python',
    title: 'Python',
    complete: true,
    engines: [
      found('python', 'Python', 'toolchain', '3.12.1', '/home/me/project/.venv/bin/python', 'project'),
      found('debugpy', 'debugpy', 'debugger', '1.8.22', '/home/me/.cache/sightline/engines/debugpy/1.8.22', 'cache'),
      missing('ty', 'ty', 'languageServer', 'sightline setup ty'),
      found('basedpyright', 'basedpyright', 'languageServer', '1.40.1', '/home/me/.npm/bin/basedpyright', 'path'),
      found('pytest', 'pytest', 'testRunner', '8.3.4', '/usr/bin/python3', 'project'),
      found('unittest', 'unittest', 'testRunner', undefined, '/usr/bin/python3', 'project'),
    ],
  },
  {
    language: 'rust',
    title: 'Rust',
    complete: false,
    engines: [
      {
        ...missing('cargo', 'Cargo', 'toolchain', 'sightline setup cargo'),
        problems: ['x'],
      },
      missing('gdb', 'gdb', 'debugger', 'sightline setup gdb'),
      found('rust-analyzer', 'rust-analyzer', 'languageServer', '1.95.0', '/usr/bin/rust-analyzer', 'path'),
    ],
  },
];

test('the table says per language what is there and what to type for the rest', () => {
  expect(renderDoctor(reports, { cwd: '/home/me/project', env: { HOME: '/home/me' } })).toMatchInlineSnapshot(`
    "LANGUAGE  FOR            ENGINE                       FOUND AT, OR HOW TO GET IT
    Python    toolchain  ok  Python 3.12.1                .venv/bin/python
              debugger   ok  debugpy 1.8.22               Sightline's cache
              code       ok  basedpyright 1.40.1          ~/.npm/bin/basedpyright
              tests      ok  pytest 8.3.4, unittest       /usr/bin/python3
    Rust      toolchain  --  Cargo (found, but unusable)  sightline setup rust
              debugger   --  gdb                          sightline setup rust
              code       ok  rust-analyzer 1.95.0         /usr/bin/rust-analyzer

    To install what is missing for a language: sightline setup rust"
  `);
});

test('what could not be installed ends with the command to type', () => {
  expect(
    renderOutcomes([
      { id: 'ty', title: 'ty', status: 'installed', version: '0.0.100' },
      {
        id: 'gopls',
        title: 'gopls',
        status: 'failed',
        reason: 'Go was not found.',
        manualCommand: 'go install golang.org/x/tools/gopls@v0.24.0',
        logFile: '/logs/gopls.log',
      },
    ]),
  ).toMatchInlineSnapshot(`
    "1 of 2 ready.

    gopls is missing. Go was not found.
      To get it: go install golang.org/x/tools/gopls@v0.24.0
      Log: /logs/gopls.log"
  `);
});

type Engine = LanguageReport['engines'][number];

function found(
  id: string,
  title: string,
  role: Engine['role'],
  version: string | undefined,
  path: string,
  source: 'project' | 'path' | 'cache',
): Engine {
  return { found: true, id, title, role, version, path, source, command: [path], problems: [], optional: false };
}

function missing(id: string, title: string, role: Engine['role'], installCommand: string): Engine {
  return {
    found: false,
    id,
    title,
    role,
    reason: `${title} was not found.`,
    installCommand,
    problems: [],
    optional: false,
  };
}

test('says what can be done to code, by what, and what is refused', () => {
  const lines = renderRefactorings().split('\n');
  expect(lines).toContain('Python');
  expect(lines.find((line) => line.startsWith('  move symbol'))).toContain('TypeScript 6 server');
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}move symbol +Sightline.* only definitions at the top level of a module/),
  );
  expect(lines.filter((line) => line.length > 160)).toEqual([]);
});
