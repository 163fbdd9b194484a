import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import type { Classes } from './classes.ts';
import { packageOf } from './names.ts';

const sourceGlobs = ['**/*.java', '**/*.kt', '**/*.groovy', '**/*.scala'];

/** Which file a class was written in. Classes of the project's own files are the user's; all others are a library's. */
export class JavaSources {
  readonly #project: Project;
  readonly #classes: Classes;
  readonly #known = new Map<number, Promise<string | undefined>>();
  #files: Promise<Map<string, string[]>> | undefined;

  constructor(project: Project, classes: Classes) {
    this.#project = project;
    this.#classes = classes;
  }

  /** Listed while the program starts, so that the first stop need not wait for it. */
  prepare(): void {
    this.#byName().catch(() => undefined);
  }

  /** The file in the project; undefined for libraries. */
  fileOf(classId: number): Promise<string | undefined> {
    const known = this.#known.get(classId);
    if (known !== undefined) return known;
    const found = this.#find(classId);
    this.#known.set(classId, found);
    return found;
  }

  async isOwn(classId: number): Promise<boolean> {
    return (await this.fileOf(classId)) !== undefined;
  }

  async #find(classId: number): Promise<string | undefined> {
    const name = await this.#classes.nameOf(classId);
    if (isPlatform(name)) return undefined;
    const source = await this.#classes.sourceName(classId);
    return source === undefined ? undefined : this.fileNamed(packageOf(name), source);
  }

  /** The file of that name that belongs to a package. */
  async fileNamed(wanted: string, source: string): Promise<string | undefined> {
    const candidates = (await this.#byName()).get(source) ?? [];
    const inFolder = candidates.find(
      (file) => wanted !== '' && dirname(file).endsWith(`/${wanted.replaceAll('.', '/')}`),
    );
    return inFolder ?? candidates.find((file) => packageOfFile(file) === wanted);
  }

  async #byName(): Promise<Map<string, string[]>> {
    this.#files ??= this.#list();
    return this.#files;
  }

  async #list(): Promise<Map<string, string[]>> {
    const { files } = await listFiles(this.#project, { globs: sourceGlobs });
    const byName = new Map<string, string[]>();
    for (const file of files) {
      const path = join(this.#project.root, file);
      byName.set(basename(file), [...(byName.get(basename(file)) ?? []), path]);
    }
    return byName;
  }
}

/** Patterns of the classes that the platform itself brings. */
export const platformPatterns: readonly string[] = ['java.*', 'javax.*', 'jdk.*', 'sun.*', 'com.sun.*'];

export function isPlatform(className: string): boolean {
  return /^(?:java|javax|jdk|sun|com\.sun)\./.test(className);
}

function packageOfFile(file: string): string {
  try {
    return packageIn(readFileSync(file, 'utf8'));
  } catch {
    return '';
  }
}

export function packageIn(text: string): string {
  return /^\s*package\s+([\w.]+)/m.exec(text.replaceAll(/\/\*[\s\S]*?\*\//g, ''))?.[1] ?? '';
}

/** The member of the JDK's own sources that holds a class, where they are installed. */
export function platformSource(javaHome: string | undefined, className: string, source: string): string | undefined {
  if (javaHome === undefined || !isPlatform(className)) return undefined;
  const archive = join(javaHome, 'lib', 'src.zip');
  if (!existsSync(archive)) return undefined;
  const folder = packageOf(className).replaceAll('.', '/');
  return `${archive}!/java.base/${folder}/${source}`;
}
