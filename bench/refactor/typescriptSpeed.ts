// How long a person waits for previews of TypeScript renames: the first call in a project, and random targets one after the other.
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startSightline } from '../../tests/harness/harness.ts';
import { testCacheDir } from '../../tests/support/engines.ts';
import { type PackageName, packageSources } from '../code/packages.ts';
import { median, report } from '../support/measure.mjs';

interface Target {
  file: string;
  line: number;
  column: number;
  new_name: string;
}

/** Sources as their authors publish them. */
const packages: readonly PackageName[] = ['rxjs', 'zod', 'effect'];
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    typescript: { type: 'boolean' },
    packages: { type: 'string', default: packages.join(',') },
    project: { type: 'string' },
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    slow: { type: 'boolean' },
  },
});

const rows: { what: string; value: number; unit: string; atMost?: number }[] = [];
if (values.project === undefined)
  for (const name of values.packages.split(',') as PackageName[]) await measure(name, packageSources(name));
else await measure('project', values.project);
report(rows);

async function measure(name: string, from: string): Promise<void> {
  const ide = await startSightline({ project: {}, env: { SIGHTLINE_CACHE: testCacheDir } });
  cpSync(from, ide.root, { recursive: true });
  const agent = await ide.connect({ face: 'index' });
  let pending = 0;
  const preview = async (target: Target): Promise<number> => {
    const startedAt = performance.now();
    const { error, data } = await agent.call('ide_refactor_rename', { ...target, preview: true });
    const ms = performance.now() - startedAt;
    if (data?.['verified'] === 'pending') pending++;
    if (values.slow === true)
      console.log(
        `${ms.toFixed(0).padStart(6)} ${target.file}:${target.line}:${target.column} ${error?.message.slice(0, 120) ?? JSON.stringify(data?.['verified'] ?? '')}`,
      );
    return ms;
  };
  const [first, ...others] = targetsOf(ide.root);
  if (first === undefined) throw new Error(`nothing to rename in ${name}`);
  rows.push({ what: `${name}: first call`, value: (await preview(first)) / 1000, unit: ' s' });
  const times: number[] = [];
  for (const target of others) times.push(await preview(target));
  times.sort((a, b) => a - b);
  const p90 = times[Math.floor(times.length * 0.9)] ?? 0;
  rows.push({
    what: `${name}: rename, median of ${times.length}`,
    value: median(times) / 1000,
    unit: ' s',
    atMost: 0.7,
  });
  rows.push({ what: `${name}: rename, p90`, value: p90 / 1000, unit: ' s', atMost: 2 });
  rows.push({ what: `${name}: answered before their proof, of ${times.length}`, value: pending, unit: '' });
  await agent.close();
  await ide.dispose();
}

/** Declarations at random: exported names, methods, parameters and locals. */
function targetsOf(root: string): Target[] {
  const random = randomFrom(Number(values.seed));
  const declaration =
    /\b(?:function|class|interface|type|const|let)\s+([A-Za-z_$][\w$]{2,})|^ {2,4}(?:readonly |private )?([a-z][\w$]{3,})(?=[(:])/;
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|test|spec|bench/.test(file))
    .sort()
    .flatMap((file) => {
      const path = join(root, 'src', file);
      return readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          const match = /^\s*(\*|\/\/|if|for|while|switch|return|catch)/.test(text) ? null : declaration.exec(text);
          const name = match?.[1] ?? match?.[2];
          if (match === null || name === undefined) return [];
          const column = match.index + match[0].lastIndexOf(name) + 1;
          return [{ file: relative(root, path), line: index + 1, column, new_name: `${name}Renamed` }];
        });
    });
  return Array.from({ length: Number(values.count) + 1 }, () => found[Math.floor(random() * found.length)]).filter(
    (target): target is Target => target !== undefined,
  );
}

/** Mulberry32: the same targets for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
