import { readFile } from 'node:fs/promises';
import { assetPath } from '../../base/assets.ts';
import { ToolError } from '../../base/errors.ts';

/**
 * What an engine is installed from, down to the byte: `pins/engines.json` holds the hash of every file that may be fetched for it, those of what
 * it needs included, for all platforms. It is made by `node scripts/pinEngines.mjs` from what the engines declare here; nothing is installed that
 * is not in it.
 */
export type PinSubject = NpmSubject | PipSubject | GoSubject;

/** Packages that are installed side by side, as `name@version`. */
export interface NpmSubject {
  client: 'npm';
  packages: readonly string[];
  /** Flags that decide which packages there are. */
  flags: readonly string[];
}

/** A release, as `name==version`, and what it needs beside it. */
export interface PipSubject {
  client: 'pip';
  release: string;
  withDependencies: boolean;
}

export interface GoSubject {
  client: 'go';
  module: string;
  version: string;
}

interface Pins {
  /** The `packages` of a package-lock.json. */
  npm: Record<string, Record<string, unknown>>;
  /** Lines of a requirements file, each with its hashes. */
  pip: Record<string, readonly string[]>;
  /** As go.sum has them. The module brings the hashes of what it needs in a go.sum of its own. */
  go: Record<string, { zip: string; mod: string }>;
}

export const pinsFile = 'pins/engines.json';

export function pinKey(subject: PinSubject): string {
  switch (subject.client) {
    case 'npm':
      return [...subject.packages, ...subject.flags].join(' ');
    case 'pip':
      return subject.release;
    case 'go':
      return `${subject.module}@v${subject.version}`;
  }
}

export async function npmPin(subject: NpmSubject): Promise<Record<string, unknown>> {
  return demand((await readPins()).npm[pinKey(subject)], subject);
}

export async function pipPin(subject: PipSubject): Promise<readonly string[]> {
  return demand((await readPins()).pip[pinKey(subject)], subject);
}

export async function goPin(subject: GoSubject): Promise<{ zip: string; mod: string }> {
  return demand((await readPins()).go[pinKey(subject)], subject);
}

/** Read when something is installed, which is seldom: a running process does not keep it. */
async function readPins(): Promise<Pins> {
  return JSON.parse(await readFile(assetPath(pinsFile), 'utf8')) as Pins;
}

function demand<Pin>(pin: Pin | undefined, subject: PinSubject): Pin {
  if (pin !== undefined) return pin;
  throw new ToolError('engine_failed', `No hashes are pinned for ${pinKey(subject)}, so it was not installed.`);
}
