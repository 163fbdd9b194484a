import { readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nodeModule, npmInstall } from '../../installers/npm.ts';
import type { LanguageId } from '../../../../base/languages/table.ts';
import type { EngineDeclaration } from '../../model.ts';
import { inCache } from '../../programs.ts';

interface Grammar {
  title: string;
  package: string;
  version: string;
  /** When it is not `<package>.wasm`. */
  wasm?: string;
  /** The languages whose `setup` brings it along. */
  languages?: readonly LanguageId[];
}

/** The official grammars, pinned: our queries name their node types. Those of Swift and Dart ship no wasm that loads: their lines are looked at. */
export const grammarPackages = {
  go: { title: 'Go', package: 'tree-sitter-go', version: '0.25.0', languages: ['go'] },
  rust: { title: 'Rust', package: 'tree-sitter-rust', version: '0.24.0', languages: ['rust'] },
  c: { title: 'C', package: 'tree-sitter-c', version: '0.24.1', languages: ['cpp'] },
  cpp: { title: 'C++', package: 'tree-sitter-cpp', version: '0.23.4', languages: ['cpp'] },
  java: { title: 'Java', package: 'tree-sitter-java', version: '0.23.5', languages: ['java'] },
  csharp: { title: 'C#', package: 'tree-sitter-c-sharp', version: '0.23.5', wasm: 'tree-sitter-c_sharp.wasm' },
  ruby: { title: 'Ruby', package: 'tree-sitter-ruby', version: '0.23.1' },
  php: { title: 'PHP', package: 'tree-sitter-php', version: '0.24.2' },
  bash: { title: 'Bash', package: 'tree-sitter-bash', version: '0.25.1', languages: ['bash'] },
  css: { title: 'CSS', package: 'tree-sitter-css', version: '0.25.0', languages: ['css'] },
  html: { title: 'HTML', package: 'tree-sitter-html', version: '0.23.2', languages: ['html'] },
  json: { title: 'JSON', package: 'tree-sitter-json', version: '0.24.8', languages: ['json'] },
  yaml: { title: 'YAML', package: '@tree-sitter-grammars/tree-sitter-yaml', version: '0.7.1', languages: ['yaml'] },
  toml: { title: 'TOML', package: '@tree-sitter-grammars/tree-sitter-toml', version: '0.7.0' },
  kotlin: { title: 'Kotlin', package: '@tree-sitter-grammars/tree-sitter-kotlin', version: '1.1.0' },
  scala: { title: 'Scala', package: 'tree-sitter-scala', version: '0.24.0' },
  lua: { title: 'Lua', package: '@tree-sitter-grammars/tree-sitter-lua', version: '0.4.1' },
  elixir: { title: 'Elixir', package: 'tree-sitter-elixir', version: '0.3.5' },
  zig: { title: 'Zig', package: '@tree-sitter-grammars/tree-sitter-zig', version: '1.1.2' },
} as const satisfies Record<string, Grammar>;

export type GrammarId = keyof typeof grammarPackages;

export function grammarEngineId(grammar: GrammarId): string {
  return `grammar-${grammar}`;
}

export const grammars: readonly EngineDeclaration[] = Object.entries<Grammar>(grammarPackages).map(([id, grammar]) =>
  grammarEngine(`grammar-${id}`, grammar),
);

/** The packages carry native builds for six platforms beside the wasm; only the wasm is kept. */
function grammarEngine(id: string, grammar: Grammar): EngineDeclaration {
  const wasm = grammar.wasm ?? `${basename(grammar.package)}.wasm`;
  const packed = npmInstall({
    name: grammar.package,
    version: grammar.version,
    entry: wasm,
    // The native binding is asked for as a peer; nothing here uses it.
    flags: ['--legacy-peer-deps', '--omit=peer'],
  });
  return {
    id,
    title: `${grammar.title} grammar`,
    role: 'grammar',
    languages: grammar.languages ?? [],
    find: [inCache(wasm)],
    start: () => [],
    probe: async (path) => {
      const head = (await readFile(path)).subarray(0, 4).toString('latin1');
      if (head !== '\0asm') throw new Error(`${path} is no WebAssembly module`);
      return grammar.version;
    },
    install: {
      version: grammar.version,
      pinned: packed.pinned,
      plan: async (context) => {
        const plan = await packed.plan(context);
        if (!('run' in plan)) return plan;
        return {
          ...plan,
          manualCommand: `sightline setup ${id}`,
          entry: wasm,
          run: async (folder, during) => {
            await plan.run(folder, during);
            await rename(join(folder, nodeModule(grammar.package, wasm)), join(folder, wasm));
            await rm(join(folder, 'node_modules'), { recursive: true, force: true });
          },
        };
      },
    },
  };
}
