import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Draft, Drafts } from './model.ts';
import { asRecord, asText, parseJsonObject, projectText } from './projectText.ts';

/** The scripts of the package.json files given, relative to the root. */
export async function packageScripts(root: string, manifests: readonly string[]): Promise<Drafts> {
  const drafts: Draft[] = [];
  const problems: string[] = [];
  for (const source of manifests) {
    const text = await projectText(root, source);
    if (text === undefined) continue;
    const { value, problem } = parseJsonObject(text, source);
    if (problem !== undefined) problems.push(problem);
    const scripts = asRecord(value['scripts']) ?? {};
    const folder = dirname(source);
    for (const [script, line] of Object.entries(scripts)) {
      if (asText(line) === undefined || isHook(script, scripts)) continue;
      drafts.push(scriptDraft(root, source, folder, script, asText(line) ?? ''));
    }
  }
  return { drafts, problems };
}

function scriptDraft(root: string, source: string, folder: string, script: string, line: string): Draft {
  const where = folder === '.' ? '' : ` (${folder})`;
  const manager = packageManager(root);
  return {
    name: `${manager}: ${script}${where}`,
    type: 'package.json script',
    typeId: 'npm',
    source,
    description: line,
    plan: {
      kind: 'launch',
      language: 'node',
      form: 'command',
      command: [manager, 'run', script],
      args: [],
      cwd: join(root, folder),
      env: {},
      stopOnEntry: false,
      isTest: /\b(vitest|jest|mocha|ava|tap|node\s+--test|playwright\s+test)\b/.test(line),
      before: [],
    },
  };
}

/** `pretest` runs by itself before `test`; nobody starts it. */
function isHook(script: string, scripts: Readonly<Record<string, unknown>>): boolean {
  const of = /^(?:pre|post)(.+)$/.exec(script)?.[1];
  return of !== undefined && of in scripts;
}

/** The package manager whose lock file lies at the root. */
export function packageManager(root: string): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  if (existsSync(join(root, 'pnpm-lock.yaml'))) return 'pnpm';
  if (existsSync(join(root, 'yarn.lock'))) return 'yarn';
  if (existsSync(join(root, 'bun.lock')) || existsSync(join(root, 'bun.lockb'))) return 'bun';
  return 'npm';
}
