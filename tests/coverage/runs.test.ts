import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreignRunners, installed } from '../harness/foreignTool.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

let ide: RunningSightline;
let agent: TestClient;

/** Lines with code: 2, 3, 5, 8; the third never runs. */
const code = (numbers: string, head: string) => `${head} divide(a${numbers}, b${numbers})${numbers} {
  if (b === 0) {
    throw new Error('by zero');
  }
  return a / b;
}

const half = (a${numbers}) => divide(a, 2);
`;
const cases = (head: string, assertion: string) => `${head}
test('halves', () => {
  ${assertion}
});
test('fails', () => {
  throw new Error('but is measured');
});
`;
const manifest = (runner: string, type = 'commonjs') =>
  `{"type":"${type}","scripts":{"test":"${runner}"},"devDependencies":{"${runner.split(' ')[0]}":"*"}}`;
const common = `${code('', 'function')}module.exports = { half };\n`;
const required = "const { half } = require('./calc.js');\nconst assert = require('assert');";

beforeAll(async () => {
  await ensureEngine('coverage');
  ide = await startSightline({
    project: {
      'vi/package.json': manifest('vitest run', 'module'),
      'vi/calc.ts': `${code(': number', 'export function')}export { half };\n`,
      'vi/calc.test.ts': cases(
        "import { expect, test } from 'vitest';\nimport { half } from './calc.ts';",
        'expect(half(4)).toBe(2);',
      ),
      'je/package.json': manifest('jest'),
      'je/calc.js': common,
      'je/calc.test.js': cases("const { half } = require('./calc.js');", 'expect(half(4)).toBe(2);'),
      'mo/package.json': manifest('mocha calc.spec.js'),
      'mo/calc.js': common,
      'mo/calc.spec.js': cases(`${required}\nconst test = it;`, 'assert.equal(half(4), 2);'),
      'no/package.json': manifest('node --test'),
      'no/calc.js': common,
      'no/calc.test.js': cases(`${required}\nconst test = require('node:test');`, 'assert.equal(half(4), 2);'),
      'py/pyproject.toml': '[tool.pytest.ini_options]\n',
      'py/calc.py':
        'def divide(a, b):\n    if b == 0:\n        raise ValueError("by zero")\n\n    return a / b\n\n\ndef half(a):\n    return divide(a, 2)\n',
      'py/test_calc.py':
        'from calc import half\n\n\ndef test_halves():\n    assert half(4) == 2\n\n\ndef test_fails():\n    assert half(4) == 3\n',
    },
  });
  const foreign = await installed(foreignRunners);
  await Promise.all([
    symlink(resolve('node_modules'), join(ide.root, 'vi', 'node_modules')),
    symlink(foreign, join(ide.root, 'je', 'node_modules')),
    symlink(foreign, join(ide.root, 'mo', 'node_modules')),
  ]);
  agent = await ide.connect({ face: 'workspace' });
}, 300_000);

afterAll(() => ide.dispose());

test.each([
  ['vi', 'calc.ts', 'v8', { lines: 4, covered: 3 }],
  ['je', 'calc.js', 'istanbul', { lines: 5, covered: 4 }],
  ['mo', 'calc.js', 'v8', { lines: 5, covered: 4 }],
  ['no', 'calc.js', 'v8', { lines: 5, covered: 4 }],
])(
  '%s: run_tests measures %s (%s), get_coverage tells the line that did not run',
  async (folder, file, format, tally) => {
    const { runs } = await agent.data('run_tests', { files: [folder], coverage: true });
    expect(runs).toMatchObject([{ passed: 1, failed: 1, coverage: { ...tally, files: 1 } }]);
    const data = await agent.data('get_coverage');
    expect(data).toMatchObject({
      format,
      total: tally,
      files: [
        { file: `${folder}/${file}`, uncovered: '3', uncoveredLines: [{ text: "    throw new Error('by zero');" }] },
      ],
    });
  },
);

test('pytest with a coverage.py that is not in its environment: also which tests ran a line', async () => {
  const { runs } = await agent.data('run_tests', { files: ['py'], coverage: true });
  expect(runs).toMatchObject([{ passed: 1, failed: 1, coverage: { lines: 6, covered: 5, files: 1 } }]);
  const data = await agent.data('get_coverage', { files: ['py/calc.py'], line: 5 });
  expect(data).toMatchObject({
    format: 'coverage.py',
    files: [{ uncovered: '3' }],
    line: { ran: true, text: 'return a / b', tests: ['test_calc.test_fails', 'test_calc.test_halves'] },
  });
  await writeFile(join(ide.root, 'py', 'calc.py'), 'def half(a):\n    return a / 2\n');
  const later = await agent.data('get_coverage');
  expect(later).toMatchObject({ files: [{ file: 'py/calc.py', stale: true }] });
});

test('several packages in one call are measured together', async () => {
  await agent.data('run_tests', { files: ['mo', 'no'], coverage: true });
  expect(await agent.data('get_coverage')).toMatchObject({ total: { lines: 10, covered: 8, files: 2 } });
});
