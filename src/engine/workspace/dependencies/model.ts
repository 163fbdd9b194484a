import { isRecord } from '../../../base/text/records.ts';
export const ecosystems = ['npm', 'python', 'go', 'cargo', 'maven', 'gradle'] as const;
export type Ecosystem = (typeof ecosystems)[number];

export interface Dependency {
  ecosystem: Ecosystem;
  name: string;
  /** What the manifest asks for: `^4.17.0`, `>=2,<3`, `*`. Absent for a transitive one. */
  declared?: string;
  /** What a lock file says is used. Absent when nothing says. */
  resolved?: string;
  /** `runtime`, `dev`, `peer`, `optional`, `build`, `test`, or the name of an extra or group. */
  scope: string;
  /** Folder of the module that declares it, relative to the root; `.` for the root itself. */
  module: string;
  /** The file that says so. */
  manifest: string;
  /** Where `resolved` comes from. */
  lockFile?: string;
  direct: boolean;
}

/** The text of a project file, or undefined when there is none; what cannot be read is reported, not thrown. */
export type ReadText = (path: string) => Promise<string | undefined>;

export interface EcosystemReader {
  ecosystem: Ecosystem;
  /** Names of the files that declare dependencies. */
  isManifest(name: string): boolean;
  /** The dependencies that one manifest declares, resolved where a lock file can tell. */
  read(manifest: string, read: ReadText, files: ReadonlySet<string>): Promise<Dependency[]>;
  /** Everything that lock files list, for those who ask for transitive ones too. */
  locked?(files: ReadonlySet<string>, read: ReadText): Promise<Dependency[]>;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

export function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

/** The folder itself and those above it, up to the root: where a lock file for it may lie. */
export function foldersUp(folder: string): string[] {
  const result = [folder];
  for (let at = folder; at !== '.';) {
    at = folderOf(at);
    result.push(at);
  }
  return result;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
