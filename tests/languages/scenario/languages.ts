import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One language in the scenario: the same small shop, and how its words differ. */
export interface ScenarioLanguage {
  name: string;
  /** The name of the project's folder. */
  folder: string;
  /** Engines that must be there. */
  debugEngines: readonly string[];
  indexEngines: readonly string[];
  main: string;
  cart: string;
  /** A file that does not compile, and what is said about it. */
  broken: { file: string; problem: RegExp };
  /** How `.vscode/launch.json` starts it. */
  launch: Record<string, unknown>;
  /** Functions as the language names them. */
  total: string;
  percent: string;
  /** What the failure says. */
  failure: string;
  /** A type with subtypes, and where one of them is. */
  base?: { symbol: string; subtype: string };
  /** Does what must be there before a program can start. */
  prepare?: (root: string) => void;
}

const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

export const scenarioLanguages: readonly ScenarioLanguage[] = [
  {
    name: 'JavaScript',
    folder: 'javascript',
    debugEngines: [],
    indexEngines: [],
    main: 'main.js',
    cart: 'cart.js',
    broken: { file: 'broken.js', problem: /Gift/ },
    launch: { type: 'node', program: '${workspaceFolder}/main.js' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Item', subtype: 'Gift' },
  },
  {
    name: 'TypeScript',
    folder: 'typescript',
    debugEngines: [],
    indexEngines: [],
    main: 'main.ts',
    cart: 'cart.ts',
    broken: { file: 'broken.ts', problem: /Gift/ },
    launch: { type: 'node', program: '${workspaceFolder}/main.ts' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Item', subtype: 'Gift' },
    prepare: (root) => {
      execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.json')], { stdio: 'ignore' });
    },
  },
  {
    name: 'Python',
    folder: 'python',
    debugEngines: ['debugpy'],
    indexEngines: ['ty', 'rope'],
    main: 'main.py',
    cart: 'cart.py',
    broken: { file: 'broken.py', problem: /os/ },
    launch: { type: 'debugpy', program: '${workspaceFolder}/main.py' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Item', subtype: 'Gift' },
  },
  {
    name: 'Go',
    folder: 'go',
    debugEngines: ['dlv'],
    indexEngines: ['gopls'],
    main: 'main.go',
    cart: 'cart/cart.go',
    broken: { file: 'broken/broken.go', problem: /strings/ },
    launch: { type: 'go', program: '${workspaceFolder}' },
    total: 'Total',
    percent: 'Percent',
    failure: 'part above 100',
    base: { symbol: 'Priced', subtype: 'Gift' },
  },
  {
    name: 'C',
    folder: 'c',
    debugEngines: ['gdb'],
    indexEngines: ['clangd'],
    main: 'main.c',
    cart: 'cart.c',
    broken: { file: 'broken.c', problem: /Expected ';'/ },
    launch: { type: 'cppdbg', program: '${workspaceFolder}/main.c' },
    total: 'total',
    percent: 'percent',
    failure: 'part <= 100',
  },
  {
    name: 'C++',
    folder: 'cpp',
    debugEngines: ['gdb'],
    indexEngines: ['clangd'],
    main: 'main.cpp',
    cart: 'cart.cpp',
    broken: { file: 'broken.cpp', problem: /Expected ';'/ },
    launch: { type: 'cppdbg', program: '${workspaceFolder}/main.cpp' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Priced', subtype: 'Gift' },
  },
  {
    name: 'Rust',
    folder: 'rust',
    debugEngines: ['gdb'],
    indexEngines: ['rust-analyzer'],
    main: 'src/main.rs',
    cart: 'src/cart.rs',
    broken: { file: 'examples/broken.rs', problem: /width/ },
    launch: { type: 'lldb', program: '${workspaceFolder}/src/main.rs' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Priced', subtype: 'Gift' },
  },
  {
    name: 'Java',
    folder: 'java',
    debugEngines: [],
    indexEngines: ['jdtls'],
    main: 'src/shop/Main.java',
    cart: 'src/shop/Cart.java',
    broken: { file: 'src/shop/Broken.java', problem: /ArrayList/ },
    launch: { type: 'java', mainClass: 'shop.Main' },
    total: 'total',
    percent: 'percent',
    failure: 'part above 100',
    base: { symbol: 'Priced', subtype: 'Gift' },
  },
];

export function projectOf(language: ScenarioLanguage): string {
  return join(import.meta.dirname, 'projects', language.folder);
}

/** The line of a file that has a mark (`@add`) in a comment. */
export function lineOf(root: string, file: string, mark: string): number {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const at = lines.findIndex((line) => new RegExp(`@${mark}\\b`).test(line));
  if (at < 0) throw new Error(`${file} has no line @${mark}.`);
  return at + 1;
}

/** What stands before a text on its line, counted from 1. */
export function columnOf(root: string, file: string, line: number, text: string): number {
  const column = (readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '').indexOf(text);
  if (column < 0) throw new Error(`${file}:${line} does not have "${text}".`);
  return column + 1;
}
