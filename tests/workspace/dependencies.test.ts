import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testBench, type TestBench } from '../support/sightline.ts';

let bench: TestBench;

const files: Record<string, string> = {
  'npm/package.json': JSON.stringify({
    name: 'web',
    workspaces: ['packages/*'],
    dependencies: { lodash: '^4.17.0', '@scope/ui': '*' },
    devDependencies: { vitest: '~4.1.0' },
  }),
  'npm/packages/ui/package.json': JSON.stringify({
    name: '@scope/ui',
    version: '1.2.3',
    dependencies: { lodash: '^3.0.0' },
    peerDependencies: { react: '>=18' },
  }),
  'npm/package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': {},
      'node_modules/lodash': { version: '4.17.21' },
      'node_modules/vitest': { version: '4.1.12', dev: true },
      'node_modules/chai': { version: '6.0.0', dev: true },
      'node_modules/@scope/ui': { resolved: 'packages/ui', link: true },
      'packages/ui': { version: '1.2.3' },
      'packages/ui/node_modules/lodash': { version: '3.10.1' },
    },
  }),
  'yarn/package.json': JSON.stringify({ dependencies: { lodash: '^4.17.0', '@babel/core': '^7.0.0' } }),
  'yarn/yarn.lock':
    '# yarn lockfile v1\n\n"@babel/core@^7.0.0", "@babel/core@^7.1.0":\n  version "7.26.0"\n\nlodash@^4.17.0:\n  version "4.17.21"\n  resolved "https://x"\n',
  'berry/package.json': JSON.stringify({ dependencies: { lodash: '^4.17.0' } }),
  'berry/yarn.lock':
    '__metadata:\n  version: 8\n\n"lodash@npm:^4.17.0":\n  version: 4.17.21\n  resolution: "lodash@npm:4.17.21"\n',
  'pnpm/package.json': JSON.stringify({
    dependencies: { react: '^18.0.0' },
    devDependencies: { '@types/node': '^20.0.0' },
  }),
  'pnpm/pnpm-lock.yaml':
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      react:\n        specifier: ^18.0.0\n        version: 18.3.1(peer@1.0.0)\n    devDependencies:\n      '@types/node':\n        specifier: ^20.0.0\n        version: 20.19.1\n\npackages:\n\n  '@types/node@20.19.1':\n    resolution: {integrity: x}\n\n  react@18.3.1:\n    resolution: {integrity: x}\n\n  loose-envify@1.4.0:\n    resolution: {integrity: x}\n",
  'py/pyproject.toml':
    '[project]\nname = "svc"\ndependencies = ["requests>=2.31,<3 ; python_version > \'3.8\'", "Flask[async]==3.0.0", "direct @ https://x.org/d.whl"]\n[project.optional-dependencies]\ndocs = ["sphinx"]\n[dependency-groups]\ntest = ["pytest>=8"]\n',
  'py/uv.lock':
    'version = 1\n[[package]]\nname = "requests"\nversion = "2.32.3"\n[[package]]\nname = "flask"\nversion = "3.0.0"\n[[package]]\nname = "urllib3"\nversion = "2.2.0"\n',
  'poetry/pyproject.toml':
    '[tool.poetry]\nname = "p"\n[tool.poetry.dependencies]\npython = "^3.10"\ndjango = "^5.0"\n[tool.poetry.group.dev.dependencies]\nblack = { version = "^24" }\n',
  'poetry/poetry.lock':
    '[[package]]\nname = "django"\nversion = "5.1.2"\n[[package]]\nname = "black"\nversion = "24.4.0"\n',
  'req/requirements.txt':
    '# comment\n-r other.txt\nnumpy==2.1.0  # pinned\nscipy>=1.10\n--hash=sha256:x\ngit+https://x.org/a.git\n',
  'req/requirements-dev.txt': 'mypy\n',
  'go/go.mod':
    'module example.org/svc\n\ngo 1.22\n\nrequire github.com/pkg/errors v0.9.1\n\nrequire (\n\tgolang.org/x/net v0.20.0\n\tgolang.org/x/text v0.14.0 // indirect\n)\n\nreplace golang.org/x/net => ../net\n',
  'rust/Cargo.toml':
    '[workspace]\nmembers = ["core"]\n[workspace.dependencies]\nserde = { version = "1", features = ["derive"] }\n[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nserde = { workspace = true }\nrand = "0.8"\n[dev-dependencies]\ntempfile = "3"\n[target."cfg(unix)".dependencies]\nlibc = "0.2"\n',
  'rust/Cargo.lock':
    '[[package]]\nname = "serde"\nversion = "1.0.200"\n[[package]]\nname = "rand"\nversion = "0.8.5"\n[[package]]\nname = "rand"\nversion = "0.7.3"\n[[package]]\nname = "libc"\nversion = "0.2.155"\n',
  'maven/pom.xml':
    '<?xml version="1.0"?><project><groupId>org.x</groupId><artifactId>parent</artifactId><version>1.0</version><modules><module>core</module></modules><properties><junit.version>5.10.2</junit.version></properties><dependencyManagement><dependencies><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>33.0.0-jre</version></dependency></dependencies></dependencyManagement></project>',
  'maven/core/pom.xml':
    '<project><parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1.0</version></parent><artifactId>core</artifactId><dependencies><!-- <dependency/> --><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId></dependency><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>${junit.version}</version><scope>test</scope></dependency></dependencies></project>',
  'gradle/build.gradle.kts':
    'dependencies {\n  // implementation("no:no:1")\n  implementation("com.squareup.okhttp3:okhttp:4.12.0")\n  testImplementation(libs.junit.jupiter)\n  api("org.slf4j:slf4j-api")\n}\n',
  'gradle/gradle/libs.versions.toml':
    '[versions]\njunit = "5.10.0"\n[libraries]\njunit-jupiter = { module = "org.junit.jupiter:junit-jupiter", version.ref = "junit" }\n',
  'gradle/gradle.lockfile': '# comment\norg.slf4j:slf4j-api:2.0.13=compileClasspath\nempty=\n',
  'groovy/build.gradle':
    "dependencies {\n  implementation 'com.google.code.gson:gson:2.11.0'\n  testImplementation group: 'junit', name: 'junit', version: '4.13.2'\n}\n",
  'broken/package.json': '{"dependencies": {',
};

beforeAll(async () => {
  bench = await testBench({ files });
});

afterAll(() => bench.dispose());

async function found(module: string, args: Record<string, unknown> = {}): Promise<string[]> {
  const { dependencies } = await bench.data('ide_list_dependencies', { module, max_chars: 100_000, ...args });
  if (!Array.isArray(dependencies)) throw new Error('no list');
  return dependencies.map(
    (entry: { name: string; declared?: string; resolved?: string; scope: string; direct: boolean }) =>
      `${entry.name} ${entry.declared ?? ''} -> ${entry.resolved ?? '?'} ${entry.scope}${entry.direct ? '' : ' transitive'}`,
  );
}

describe('npm', () => {
  test('package-lock.json, with workspaces', async () => {
    expect(await found('npm')).toEqual([
      'lodash ^4.17.0 -> 4.17.21 runtime',
      '@scope/ui * -> 1.2.3 runtime',
      'vitest ~4.1.0 -> 4.1.12 dev',
    ]);
    expect(await found('npm/packages/ui')).toEqual(['lodash ^3.0.0 -> 3.10.1 runtime', 'react >=18 -> ? peer']);
  });

  test('what dependencies bring along', async () => {
    expect(await found('npm', { include_transitive: true })).toContain('chai  -> 6.0.0 dev transitive');
  });

  test('yarn, old and new', async () => {
    expect(await found('yarn')).toEqual(['lodash ^4.17.0 -> 4.17.21 runtime', '@babel/core ^7.0.0 -> 7.26.0 runtime']);
    expect(await found('berry')).toEqual(['lodash ^4.17.0 -> 4.17.21 runtime']);
  });

  test('pnpm', async () => {
    expect(await found('pnpm')).toEqual(['react ^18.0.0 -> 18.3.1 runtime', '@types/node ^20.0.0 -> 20.19.1 dev']);
    expect(await found('pnpm', { include_transitive: true })).toContain('loose-envify  -> 1.4.0 runtime transitive');
  });
});

test('Python: PEP 621 with uv, Poetry, requirements', async () => {
  expect(await found('py')).toEqual([
    'requests >=2.31,<3 -> 2.32.3 runtime',
    'Flask ==3.0.0 -> 3.0.0 runtime',
    'direct https://x.org/d.whl -> ? runtime',
    'sphinx * -> ? docs',
    'pytest >=8 -> ? test',
  ]);
  expect(await found('poetry')).toEqual(['django ^5.0 -> 5.1.2 runtime', 'black ^24 -> 24.4.0 dev']);
  expect(await found('req')).toEqual([
    'mypy * -> ? dev',
    'numpy ==2.1.0 -> 2.1.0 runtime',
    'scipy >=1.10 -> ? runtime',
  ]);
});

test('Go', async () => {
  expect(await found('go')).toEqual([
    'github.com/pkg/errors v0.9.1 -> v0.9.1 runtime',
    'golang.org/x/net v0.20.0 -> ../net runtime',
  ]);
  expect(await found('go', { include_transitive: true })).toContain(
    'golang.org/x/text v0.14.0 -> v0.14.0 runtime transitive',
  );
});

test('Cargo', async () => {
  expect(await found('rust')).toEqual([
    'serde 1 -> 1.0.200 runtime',
    'rand 0.8 -> 0.8.5 runtime',
    'tempfile 3 -> ? dev',
    'libc 0.2 -> 0.2.155 runtime',
  ]);
});

test('Maven, with properties and managed versions of the parent', async () => {
  expect(await found('maven/core')).toEqual([
    'com.google.guava:guava managed -> 33.0.0-jre runtime',
    'org.junit.jupiter:junit-jupiter ${junit.version} -> 5.10.2 test',
  ]);
});

test('Gradle in both languages, with version catalogue and lock file', async () => {
  expect((await found('gradle')).sort()).toEqual([
    'com.squareup.okhttp3:okhttp 4.12.0 -> 4.12.0 runtime',
    'org.junit.jupiter:junit-jupiter 5.10.0 -> 5.10.0 test',
    'org.slf4j:slf4j-api managed -> 2.0.13 runtime',
  ]);
  expect((await found('groovy')).sort()).toEqual([
    'com.google.code.gson:gson 2.11.0 -> 2.11.0 runtime',
    'junit:junit 4.13.2 -> 4.13.2 test',
  ]);
});

test('a broken manifest is named and takes nothing from the others', async () => {
  const data = await bench.data('ide_list_dependencies', { filter: 'lodash', ecosystem: 'npm' });
  expect(data['problems']).toEqual([expect.stringMatching(/^broken\/package\.json: /)]);
  expect(data['totalCount']).toBe(4);
});

test('the structure names every module with its roots', async () => {
  bench.write('npm/src/index.ts', '');
  bench.write('npm/tests/index.test.ts', '');
  bench.write('py/svc/__init__.py', '');
  bench.write('maven/core/src/main/java/org/x/A.java', '');
  bench.write('maven/core/src/test/java/org/x/ATest.java', '');
  bench.write('node_modules/x/package.json', '{"name": "not-a-module"}');
  const data = await bench.data('ide_project_structure', { max_chars: 100_000 });
  expect(data['modules']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'project', path: '.' }),
      expect.objectContaining({
        name: 'web',
        path: 'npm',
        isWorkspace: true,
        sourceRoots: ['npm/src'],
        testRoots: ['npm/tests'],
      }),
      expect.objectContaining({ name: '@scope/ui', path: 'npm/packages/ui', kinds: ['npm'], version: '1.2.3' }),
      expect.objectContaining({ name: 'svc', path: 'py', kinds: ['python'], sourceRoots: ['py/svc'] }),
      expect.objectContaining({ name: 'example.org/svc', path: 'go', kinds: ['go'] }),
      expect.objectContaining({ name: 'app', path: 'rust', isWorkspace: true }),
      expect.objectContaining({
        name: 'core',
        path: 'maven/core',
        version: '1.0',
        sourceRoots: ['maven/core/src/main/java'],
        testRoots: ['maven/core/src/test/java'],
        languages: [{ language: 'Java', files: 2 }],
      }),
    ]),
  );
  expect(JSON.stringify(data)).not.toContain('not-a-module');
});
