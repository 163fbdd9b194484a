import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-classic';
import { Provision } from '../../src/engine/provision/provision.ts';
import { Judge, type Opinion } from '../code/pythonJudge.ts';
import type { Place } from '../code/pythonPlaces.ts';
import { cache, pythonPackage } from '../code/pythonPackages.ts';

/** Other engines: each says of places with a symbol's name whether they mean it. */
export interface Engines {
  /** One list of opinions for each engine. */
  opinions(symbol: Place, places: readonly Place[]): Promise<Opinion[][]>;
  end(): Promise<void>;
}

const here = fileURLToPath(new URL('../../../bench/truth/', import.meta.url));

/** basedpyright and jedi. */
export async function pythonEngines(root: string): Promise<Engines> {
  const provision = new Provision({ cacheDir: cache, env: process.env });
  const engine = await provision.locate('basedpyright');
  if (!engine.found) throw new Error(`basedpyright is needed: ${engine.installCommand}`);
  const judge = await Judge.start(engine.command, root, root);
  const jedi = spawn('python3', [`${here}jediOpinions.py`, root], {
    env: { ...process.env, PYTHONPATH: pythonPackage('jedi') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: jedi.stdout })[Symbol.asyncIterator]();
  return {
    async opinions(symbol, places) {
      jedi.stdin.write(`${JSON.stringify({ symbol, places })}\n`);
      const pyright: Opinion[] = [];
      for (const place of places) pyright.push(await judge.opinion(place, symbol, new Set()));
      const { value } = (await answers.next()) as { value: string };
      return [pyright, JSON.parse(value) as Opinion[]];
    },
    async end() {
      jedi.stdin.end();
      await judge.end();
    },
  };
}

/**
 * The classic compiler, in two ways that fail differently: what it lists as references of the symbol, and where it leads from each place.
 * There is no second engine for TypeScript's types.
 */
export function scriptEngines(root: string, files: readonly string[], options: ts.CompilerOptions): Engines {
  const versions = new Map<string, string>();
  const read = (path: string): string | undefined => {
    const known = versions.get(path) ?? (ts.sys.fileExists(path) ? readFileSync(path, 'utf8') : undefined);
    if (known !== undefined) versions.set(path, known);
    return known;
  };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    readDirectory: (...args) => ts.sys.readDirectory(...args),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  });
  const offsetOf = ([path, line, column]: Place): number =>
    ts.getPositionOfLineAndCharacter(
      service.getProgram()?.getSourceFile(path) ?? ts.createSourceFile(path, read(path) ?? '', ts.ScriptTarget.Latest),
      line - 1,
      column - 1,
    );
  /** The compiler does not read the JavaScript beside declarations of the same name. */
  const isRead = (path: string): boolean => service.getProgram()?.getSourceFile(path) !== undefined;
  const keyOf = (path: string, start: number): string => `${path}:${start}`;
  const definitions = (place: Place): Set<string> =>
    new Set(
      (isRead(place[0]) ? (service.getDefinitionAtPosition(place[0], offsetOf(place)) ?? []) : []).map(
        ({ fileName, textSpan }) => keyOf(fileName, textSpan.start),
      ),
    );
  return {
    async opinions(symbol, places) {
      const listed = new Set(
        (isRead(symbol[0]) ? (service.getReferencesAtPosition(symbol[0], offsetOf(symbol)) ?? []) : []).map(
          ({ fileName, textSpan }) => keyOf(fileName, textSpan.start),
        ),
      );
      const own = definitions(symbol).add(keyOf(symbol[0], offsetOf(symbol)));
      const led = places.map((place): Opinion => {
        const meant = definitions(place);
        if ([...meant].some((one) => own.has(one))) return 'same';
        return meant.size === 0 ? 'unknown' : 'different';
      });
      const references = places.map((place, index): Opinion => {
        if (listed.has(keyOf(place[0], offsetOf(place)))) return 'same';
        return led[index] === 'different' ? 'different' : 'unknown';
      });
      return [references, led];
    },
    async end() {
      service.dispose();
    },
  };
}
