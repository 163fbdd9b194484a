import { ToolError } from '../../base/errors.ts';
import { resolveProjectPath } from './paths.ts';
import type { Project } from './project.ts';
import { openForReading } from './safeOpen.ts';
import { decodeText } from './textEncoding.ts';

const maxBytes = 50_000_000;

/** The text of a small file that Sightline itself looks at: manifests, lock files. Undefined when it is not there or not text. */
export async function readProjectText(project: Project, path: string): Promise<string | undefined> {
  try {
    const resolved = await resolveProjectPath(project.root, path, { expect: 'any' });
    if (resolved.kind !== 'file') return undefined;
    const file = await openForReading([project.root], resolved.path);
    try {
      if ((await file.stat()).size > maxBytes) return undefined;
      return decodeText(await file.readFile())?.text;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
