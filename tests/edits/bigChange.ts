import type { FileOperation } from '../../src/engine/workspace/edits/operations.ts';

/** A rename through twenty files as a refactoring makes it, with a moved, a created, a deleted file and a directory that goes. */
export const bigProject: Record<string, string> = {
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`src/f${i}.ts`, `import { old } from './old';\nold(${i});\n`]),
  ),
  'src/old.ts': 'export const old = 1;\n',
  'gone/a.txt': 'a',
  'gone/b/c.txt': 'c',
  'whole/kept.bin': 'moved untouched',
};

export const bigChange: FileOperation[] = [
  ...Array.from({ length: 20 }, (_, i): FileOperation => ({
    kind: 'write',
    path: `src/f${i}.ts`,
    content: `import { fresh } from './lib/fresh';\nfresh(${i});\n`,
  })),
  { kind: 'rename', from: 'src/old.ts', to: 'src/lib/fresh.ts' },
  { kind: 'write', path: 'src/lib/fresh.ts', content: 'export const fresh = 1;\n' },
  { kind: 'rename', from: 'whole', to: 'src/whole' },
  { kind: 'create', path: 'new/deep/file.txt', content: 'new' },
  { kind: 'delete', path: 'gone', recursive: true },
];
