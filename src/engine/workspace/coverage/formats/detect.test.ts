import { expect, test } from 'vitest';
import { parseReport } from './detect.ts';

function plain(text: string) {
  const { format, files, sources } = parseReport(text, 'report');
  return {
    format,
    files: files.map(({ name, lines, tests }) => ({
      name,
      lines: Object.fromEntries(lines),
      ...(tests === undefined ? {} : { tests: Object.fromEntries(tests) }),
    })),
    ...(sources === undefined ? {} : { sources }),
  };
}

test('lcov, with the tests that it names; records of one file are added', () => {
  const text = 'TN:adds\nSF:src/a.js\nDA:1,2\nDA:2,0\nLF:2\nend_of_record\nTN:\nSF:src/a.js\nDA:2,1\nend_of_record\n';
  expect(plain(text)).toEqual({
    format: 'lcov',
    files: [{ name: 'src/a.js', lines: { 1: 2, 2: 1 }, tests: { 1: ['adds'] } }],
  });
});

test('Istanbul: the line where a statement begins counts, the most of several', () => {
  const at = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } });
  const file = { path: '/x/a.ts', statementMap: { 0: at(1), 1: at(3), 2: at(3) }, s: { 0: 4, 1: 0, 2: 2 }, fnMap: {} };
  expect(plain(JSON.stringify({ '/x/a.ts': file }))).toEqual({
    format: 'istanbul',
    files: [{ name: '/x/a.ts', lines: { 1: 4, 3: 2 } }],
  });
});

test('coverage.py, with contexts as tests', () => {
  const file = {
    executed_lines: [1, 2],
    missing_lines: [5],
    excluded_lines: [9],
    contexts: { 1: [''], 2: ['', 'test_a.py::test_x|run', 'test_a.py::test_x|setup', 'test_a.test_y'] },
  };
  expect(plain(JSON.stringify({ meta: { version: '7' }, files: { 'pkg/a.py': file }, totals: {} }))).toEqual({
    format: 'coverage.py',
    files: [{ name: 'pkg/a.py', lines: { 1: 1, 2: 1, 5: 0 }, tests: { 2: ['test_a.py::test_x', 'test_a.test_y'] } }],
  });
});

test('Cobertura: several classes of one file, and the folders that names start from', () => {
  expect(
    plain(`<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5"><sources><source>/build/src</source></sources><packages><package name="p"><classes>
<class filename="a.py" name="A"><methods><method name="m"><lines><line number="1" hits="7"/></lines></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="0" branch="false"/></lines></class>
<class filename="a.py" name="B"><lines><line number="8" hits="1"/></lines></class></classes></package></packages></coverage>`),
  ).toEqual({
    format: 'cobertura',
    files: [{ name: 'a.py', lines: { 1: 3, 2: 0, 8: 1 } }],
    sources: ['/build/src'],
  });
});

test('JaCoCo: groups of modules, lines by the instructions that ran', () => {
  expect(
    plain(`<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="all"><group name="core"><package name="demo/core"><class name="demo/core/Calc" sourcefilename="Calc.java"/>
<sourcefile name="Calc.java"><line nr="3" mi="0" ci="4" mb="0" cb="0"/><line nr="4" mi="2" ci="0" mb="0" cb="0"/></sourcefile>
</package></group><package name=""><sourcefile name="Main.java"><line nr="1" mi="1" ci="1"/></sourcefile></package></report>`),
  ).toEqual({
    format: 'jacoco',
    files: [
      { name: 'demo/core/Calc.java', lines: { 3: 1, 4: 0 } },
      { name: 'Main.java', lines: { 1: 1 } },
    ],
  });
});

test('a go profile: a line on the border of two blocks ran when one of them did', () => {
  expect(plain('mode: count\nexample.com/m/a.go:3.20,4.12 1 5\nexample.com/m/a.go:4.12,6.3 1 0\n')).toEqual({
    format: 'go',
    files: [{ name: 'example.com/m/a.go', lines: { 3: 5, 4: 5, 5: 0, 6: 0 } }],
  });
});

test('llvm-cov: lines from the places where the count changes', () => {
  // fn f(x) { ... } on 1-6 ran twice, with a branch on 3-4 that never did; then a function on 8-9 that was never called.
  const segments = [
    [1, 1, 2, true, true, false],
    [3, 10, 0, true, true, false],
    [4, 6, 2, true, false, false],
    [6, 2, 0, false, false, false],
    [8, 1, 0, true, true, false],
    [9, 2, 0, false, false, false],
  ];
  const report = {
    type: 'llvm.coverage.json.export',
    version: '2.0.1',
    data: [{ files: [{ filename: '/x/lib.rs', segments }] }],
  };
  expect(plain(JSON.stringify(report))).toEqual({
    format: 'llvm-cov',
    files: [{ name: '/x/lib.rs', lines: { 1: 2, 2: 2, 3: 2, 4: 0, 5: 2, 6: 2, 8: 0, 9: 0 } }],
  });
});

test.each([
  ['hello', 'no coverage report'],
  ['{"a": 1}', 'no coverage report'],
  ['{"a": ', 'no whole JSON'],
  ['<coverage><project/></coverage>', 'no coverage report'],
  ['<testsuites/>', 'results of tests, not coverage'],
  ['<report>', 'no whole XML'],
])('%s is refused', (text, message) => {
  expect(() => parseReport(text, 'x')).toThrow(message);
});
