import { basename } from 'node:path';
import { counted } from '../../../base/text/counted.ts';
import { displayPath } from '../../../base/paths.ts';
import { LineIndex } from '../../../base/positions.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import { readVersion } from '../../workspace/edits/readVersion.ts';
import type { Project } from '../../workspace/project.ts';
import { decodeText } from '../../workspace/textEncoding.ts';
import { filesContaining } from '../sourceFiles.ts';
import { proposal, type LanguageRefactorer } from './model.ts';
import { parse, sourceExtensions } from './typescript/syntax/compiler.ts';
import { exactPaths } from './typescript/imports/exactPaths.ts';
import { refuse } from './refusals/refuse.ts';

/** Moves files of which no engine knows who refers to them, and says so. */
export function plainMover(project: Project): LanguageRefactorer {
  const notOffered = (): Promise<never> => Promise.reject(refuse('onlyMoved'));
  return {
    rename: notOffered,
    extractMethod: notOffered,
    extractVariable: notOffered,
    inline: notOffered,
    safeDelete: notOffered,
    moveSymbol: notOffered,
    moveFile: async (from, to, waiting) => {
      const followed = await importersOf(project, { from, to }, waiting.signal);
      const moved = `move ${displayPath(project.root, from)} to ${displayPath(project.root, to)}`;
      if (followed.length === 0)
        return proposal(moved, [{ kind: 'rename', from, to }], {
          notes: ['No engine knows who refers to this file; references to it were not changed.'],
        });
      const summary = `${moved}: imports in ${counted(followed.length, 'file')} follow`;
      return proposal(summary, [...followed, { kind: 'rename', from, to }], {
        notes: ['Only imports in TypeScript and JavaScript follow; no engine knows who else refers to it.'],
      });
    },
    problems: () => Promise.resolve([]),
    dispose: () => Promise.resolve(),
  };
}

/** Modules can import files of any kind, and name them whole. */
async function importersOf(
  project: Project,
  moved: { from: string; to: string },
  signal: AbortSignal | undefined,
): Promise<FileOperation[]> {
  const operations: FileOperation[] = [];
  for (const path of await filesContaining(project, basename(moved.from), sourceExtensions, signal)) {
    const read = await readVersion(path);
    const text = read?.bytes === undefined ? undefined : decodeText(read.bytes)?.text;
    if (read === null || text === undefined) continue;
    const lines = new LineIndex(text);
    const edits = exactPaths(parse(path, text), moved).map(({ start, end, text: newText }) => ({
      range: { start: lines.positionAt(start), end: lines.positionAt(end) },
      newText,
    }));
    if (edits.length > 0) operations.push({ kind: 'edit', path, edits, expectedHash: read.version.hash });
  }
  return operations;
}
