// Builds dist/: the shim that agents wait for as one small file, the program as bundles of plain JavaScript, and the answers that
// the shim gives by itself. Packages with native or data files of their own stay outside.
import { chmod, copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sourceStamp } from './sourceStamp.mjs';
import { vsix } from './vsix.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

const external = [
  '@vscode/ripgrep',
  '@lydell/node-pty',
  'typescript',
  'typescript-classic',
  'esbuild',
  'web-tree-sitter',
];

export async function build() {
  const esbuild = await import('esbuild');
  const stamp = await sourceStamp(root);
  const common = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    // Some packages' CommonJS entry is UMD, whose inner requires a bundler cannot see; their ES module entry is whole.
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    external,
    define: { __SIGHTLINE_BUILD__: JSON.stringify(stamp.slice(-13).trim()) },
    legalComments: 'linked',
    logLevel: 'warning',
    // Bundled CommonJS packages expect to find `require`.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  };
  await clear();
  await esbuild.build({
    ...common,
    entryPoints: { main: 'src/cli/main.ts', findOrStart: 'src/server/daemon/findOrStart.ts' },
    outdir: dist,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
  await esbuild.build({
    ...common,
    banner: {},
    entryPoints: { sightline: 'src/cli/launcher.ts' },
    outdir: dist,
    minify: true,
    plugins: [heavyPartsStayOutside],
  });
  await esbuild.build({
    ...common,
    entryPoints: { 'generate-answers': 'src/cli/generateAnswers.ts' },
    outdir: join(dist, '.build'),
  });
  await buildRecorder(esbuild);
  await buildExtension(esbuild);
  await buildDashboard(esbuild);
  await mustBeAscii();
  const { generateAnswers } = await import(pathToFileURL(join(dist, '.build/generate-answers.js')).href);
  await generateAnswers(dist);
  await rm(join(dist, '.build'), { recursive: true });
  await chmod(join(dist, 'sightline.js'), 0o755);
  await writeFile(join(dist, '.stamp'), stamp);
}

/** What `sightline install vscode` gives to VS Code and its kin. */
async function buildExtension(esbuild) {
  const source = join(root, 'editors', 'vscode');
  const bundled = async (entry, options) => {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      bundle: true,
      write: false,
      entryPoints: [`editors/vscode/${entry}`],
      mainFields: ['module', 'main'],
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      logLevel: 'warning',
      ...options,
    });
    return outputFiles[0].contents;
  };
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const manifest = { ...JSON.parse(await readFile(join(source, 'package.json'), 'utf8')), version };
  const files = {
    'package.json': JSON.stringify(manifest, null, 2),
    'extension.cjs': await bundled('src/extension.ts', {
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode'],
    }),
    'bridge.js': await bundled('page/bridge.ts', { format: 'iife', target: 'es2022' }),
    'LICENSE.txt': await readFile(join(root, 'LICENSE')),
  };
  for (const name of ['icon.svg', 'README.md']) files[name] = await readFile(join(source, name));
  await writeFile(join(dist, 'sightline.vsix'), vsix(manifest, files));
}

/** What runs inside recorded Node programs: a preload, and the hooks of ES modules. */
async function buildRecorder(esbuild) {
  const room = 'src/engine/debugger/targets/node/recorder/inProgram';
  const common = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node18',
    minify: true,
    logLevel: 'warning',
  };
  const outdir = join(dist, 'recorder');
  for (const [name, format, extension] of [
    ['preload', 'cjs', '.cjs'],
    ['hooks', 'esm', '.mjs'],
  ])
    await esbuild.build({
      ...common,
      entryPoints: { [name]: `${room}/${name}.ts` },
      format,
      outdir,
      outExtension: { '.js': extension },
    });
}

/** The page: what its first view needs, and the rest in parts that are loaded when somebody wants them. */
async function buildDashboard(esbuild) {
  const outdir = join(dist, 'dashboard', 'assets');
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    target: ['chrome115', 'firefox115', 'safari16.4'],
    entryPoints: { dashboard: 'dashboard-ui/src/main.tsx' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    outdir,
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const names = Object.keys(metafile.outputs).map((path) => path.split('/').at(-1));
  const [script, styles] = [/^dashboard-.*\.js$/, /^dashboard-.*\.css$/].map((pattern) =>
    names.find((name) => pattern.test(name)),
  );
  const page = await readFile(join(root, 'dashboard-ui', 'index.html'), 'utf8');
  await writeFile(
    join(dist, 'dashboard', 'index.html'),
    page.replace('__SCRIPT__', `assets/${script}`).replace('__STYLES__', `assets/${styles}`),
  );
}

/** What the launcher imports only when it needs it is loaded from the bundles of the program. */
const heavyPartsStayOutside = {
  name: 'heavy-parts-stay-outside',
  setup(build) {
    build.onResolve({ filter: /\/(main|findOrStart)\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${/(\w+)\.ts$/.exec(path)?.[1]}.js`, external: true } : undefined,
    );
  },
};

/** One character beyond Latin 1, in a pattern or a raw template, and V8 holds the whole text of a bundle in twice the memory. */
async function mustBeAscii() {
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.js'))) {
    const text = await readFile(join(dist, name), 'latin1');
    const at = text.search(/[\x80-\xff]/);
    if (at !== -1) throw new Error(`${name} must be plain ASCII: write an escape at ${text.slice(at - 60, at + 20)}`);
  }
}

/** Takes the stamp first: a build that is interrupted is not taken for a whole one. */
async function clear() {
  await mkdir(dist, { recursive: true });
  await rm(join(dist, '.stamp'), { force: true });
  for (const name of await readdir(dist)) await rm(join(dist, name), { recursive: true });
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await build();
  // `npm ci` and `npm install` end with `prepare`: what the bootstrap would install is then there already.
  if (process.env.npm_lifecycle_event === 'prepare')
    await copyFile(join(root, 'package-lock.json'), join(root, 'node_modules', '.installed-lock'));
}
