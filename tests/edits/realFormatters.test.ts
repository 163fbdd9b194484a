import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignFormatters, formatterEnvironment, installed } from '../harness/foreignTool.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  const python = (await ensureEngine('python')).path;
  await ensureEngine('ruff');
  const [modules, environment] = await Promise.all([installed(foreignFormatters.npm), formatterEnvironment(python)]);
  ide = await startSightline({
    project: {
      'package.json': '{"type":"module"}',
      '.gitignore': 'node_modules\n.venv\n',
      'prettier/.prettierrc': '{"singleQuote":true,"semi":false}',
      'biome/biome.json': '{"root":false,"formatter":{"indentStyle":"space","indentWidth":2}}',
      'eslint/eslint.config.js':
        'export default [{ rules: { "prefer-const": "error", semi: "off", "no-undef": "error" } }];\n',
      'black/pyproject.toml': '[tool.black]\nskip-string-normalization = true\n[tool.isort]\nprofile = "black"\n',
      'ruff/ruff.toml': '[format]\nquote-style = "single"\n',
      'go/go.mod': 'module x\n',
      'rust/Cargo.toml': '[package]\nname = "x"\nedition = "2018"\n',
      'java/README': '',
      'c/.clang-format': 'BasedOnStyle: LLVM\nIndentWidth: 4\n',
    },
    env: { SIGHTLINE_CACHE: testCacheDir },
  });
  await symlink(modules, join(ide.root, 'node_modules'));
  await symlink(environment, join(ide.root, '.venv'));
  agent = await ide.connect({ face: 'workspace' });
}, 240_000);
afterAll(async () => {
  await agent.close();
  await ide.dispose();
});

interface Case {
  formatter: string;
  file: string;
  before: string;
  after: string;
  lines?: [number, number];
}

const cases: Case[] = [
  { formatter: 'Prettier', file: 'prettier/a.ts', before: 'const a  = "x";\n', after: "const a = 'x'\n" },
  {
    formatter: 'Prettier',
    file: 'prettier/b.ts',
    before: 'const a  = "x";\n\nconst b  = "y";\n',
    after: 'const a  = "x";\n\nconst b = \'y\'\n',
    lines: [3, 3],
  },
  { formatter: 'Prettier', file: 'prettier/a.css', before: 'a{color:red}\n', after: 'a {\n  color: red;\n}\n' },
  {
    formatter: 'Biome',
    file: 'biome/a.ts',
    before: "export function f(){\nreturn 'x'\n}\n",
    after: 'export function f() {\n  return "x";\n}\n',
  },
  {
    formatter: 'ESLint',
    file: 'eslint/a.js',
    before: 'let a = 1\nexport { a }\nunknown()\n',
    after: 'const a = 1\nexport { a }\nunknown()\n',
  },
  { formatter: 'Black', file: 'black/a.py', before: "x = {'a':1}\n", after: "x = {'a': 1}\n" },
  {
    formatter: 'Black',
    file: 'black/b.py',
    before: "x = {'a':1}\ny = {'b':2}\n",
    after: "x = {'a':1}\ny = {'b': 2}\n",
    lines: [2, 2],
  },
  { formatter: 'Ruff', file: 'ruff/a.py', before: 'x = {"a":1}\n', after: "x = {'a': 1}\n" },
  {
    formatter: 'gofmt',
    file: 'go/a.go',
    before: 'package x\nfunc f( )  int {\nreturn 1 }\n',
    after: 'package x\n\nfunc f() int {\n\treturn 1\n}\n',
  },
  {
    formatter: 'rustfmt',
    file: 'rust/a.rs',
    before: 'fn  main( ){println!("x");}\n',
    after: 'fn main() {\n    println!("x");\n}\n',
  },
  {
    formatter: 'clang-format',
    file: 'c/a.c',
    before: 'int main( ){return 0 ;}\r\nint  f;\r\n',
    after: 'int main() { return 0; }\r\nint  f;\r\n',
    lines: [1, 1],
  },
  {
    formatter: 'google-java-format',
    file: 'java/A.java',
    before: 'import java.util.List;\nimport java.io.File;\nclass  A{ File f ; }\n',
    after: 'import java.io.File;\n\nclass A {\n  File f;\n}\n',
  },
  {
    formatter: 'google-java-format',
    file: 'java/B.java',
    before: 'class  B {\n  int  x;\n  int  y;\n}\n',
    after: 'class  B {\n  int  x;\n  int y;\n}\n',
    lines: [3, 3],
  },
];

describe('formatters as they are', () => {
  it.each(cases)('$formatter formats $file', async ({ formatter, file, before, after, lines }) => {
    await writeFile(join(ide.root, file), before);
    const range = lines === undefined ? {} : { start_line: lines[0], end_line: lines[1] };
    const done = await agent.data('format_code', { file_path: file, ...range });
    expect(done).toMatchObject({ formatted: [{ file, formatter, changed: true }] });
    expect(await readFile(join(ide.root, file), 'utf8')).toBe(after);
    await agent.data('undo', { history_id: done['historyId'] });
    expect(await readFile(join(ide.root, file), 'utf8')).toBe(before);
  });

  it('isort sorts where the project is configured for it, after unused imports are gone', async () => {
    await writeFile(join(ide.root, 'black/c.py'), 'import sys\nimport os, json\n\nprint(os, sys)\n');
    expect(await agent.data('optimize_imports', { file_path: 'black/c.py' })).toMatchObject({
      formatted: [{ formatter: 'isort', changed: true }],
    });
    expect(await readFile(join(ide.root, 'black/c.py'), 'utf8')).toBe('import os\nimport sys\n\nprint(os, sys)\n');
  });

  it('sorts and drops imports of JavaScript', async () => {
    await writeFile(
      join(ide.root, 'm.js'),
      "import { b, a } from './n.js';\nimport fs from 'node:fs';\nconsole.log(a);\n",
    );
    await writeFile(join(ide.root, 'n.js'), 'export const a = 1;\nexport const b = 2;\n');
    await agent.data('optimize_imports', { file_path: 'm.js' });
    expect(await readFile(join(ide.root, 'm.js'), 'utf8')).toBe("import { a } from './n.js';\nconsole.log(a);\n");
  });

  it('a file that does not parse is left as it is, with the reason', async () => {
    for (const file of [
      'prettier/x.ts',
      'biome/x.ts',
      'eslint/x.js',
      'black/x.py',
      'go/x.go',
      'rust/x.rs',
      'java/X.java',
    ]) {
      await writeFile(join(ide.root, file), 'def ( {\n');
      expect((await agent.call('format_code', { file_path: file })).error).toMatchObject({ name: 'command_failed' });
      expect(await readFile(join(ide.root, file), 'utf8')).toBe('def ( {\n');
    }
  });
});
