import { readFile, stat } from 'node:fs/promises';
import { LineIndex } from '../../../../../base/positions.ts';
import type { ScriptMap } from '../../../../../base/sourceMaps.ts';

/** Clocks of file systems are coarse, and a build writes its files within a moment. */
const toleranceMs = 1000;

/** Why a compiled file may not fit a line of its source any more; undefined when it does, or nothing tells. */
export async function staleness(
  source: { file: string; line: number },
  compiled: { path: string; map: ScriptMap },
  show: (path: string) => string,
): Promise<string | undefined> {
  const { file, line } = source;
  const [shownSource, shownCompiled] = [show(file), show(compiled.path)];
  try {
    const then = compiled.map.content(file);
    if (then !== undefined) {
      const [was, is] = [then, await readFile(file, 'utf8')].map((each) => new LineIndex(each).lineText(line)?.trim());
      if (was === is) return undefined;
      return `${shownSource} has changed since ${shownCompiled} was built (line ${line} was \`${(was ?? '').slice(0, 60)}\`): build it again`;
    }
    const [now, built] = await Promise.all([stat(file), stat(compiled.path)]);
    if (now.mtimeMs <= built.mtimeMs + toleranceMs) return undefined;
    return `${shownSource} is newer than ${shownCompiled}, so its lines may be off: build it again`;
  } catch {
    // Without the files there is nothing to compare.
    return undefined;
  }
}
