import { parse as parseJsonc } from 'jsonc-parser';
import { recordOf, textOf } from '../dependencies/model.ts';
import type { Project } from '../project.ts';
import { readProjectText } from '../projectText.ts';

/** A version of a language that the project asks for, and where it says so. */
export interface RuntimeRequest {
  runtime: string;
  version: string;
  source: string;
}

interface RuntimeSource {
  file: string;
  runtime: string;
  version(text: string): string | undefined;
}

const wholeFile = (text: string) => text.trim().split(/\s/)[0];

const runtimeSources: readonly RuntimeSource[] = [
  { file: '.nvmrc', runtime: 'node', version: wholeFile },
  { file: '.node-version', runtime: 'node', version: wholeFile },
  { file: 'package.json', runtime: 'node', version: (text) => packageField(text, 'engines', 'node') },
  { file: '.python-version', runtime: 'python', version: wholeFile },
  {
    file: 'pyproject.toml',
    runtime: 'python',
    version: (text) => /^requires-python\s*=\s*["']([^"']+)/m.exec(text)?.[1],
  },
  { file: 'go.mod', runtime: 'go', version: (text) => /^go\s+(\S+)/m.exec(text)?.[1] },
  { file: 'rust-toolchain.toml', runtime: 'rust', version: (text) => /^\s*channel\s*=\s*"([^"]+)/m.exec(text)?.[1] },
  { file: 'rust-toolchain', runtime: 'rust', version: wholeFile },
  { file: 'Cargo.toml', runtime: 'rust', version: (text) => /^rust-version\s*=\s*"([^"]+)/m.exec(text)?.[1] },
  {
    file: 'pom.xml',
    runtime: 'java',
    version: (text) =>
      /<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>\s*([\d.]+)/.exec(text)?.[1],
  },
  ...['build.gradle', 'build.gradle.kts'].map((file) => ({
    file,
    runtime: 'java',
    version: (text: string) =>
      /(?:JavaLanguageVersion\.of\(|sourceCompatibility\s*=\s*['"]?(?:JavaVersion\.VERSION_)?)([\d._]+)/.exec(
        text,
      )?.[1],
  })),
  { file: '.java-version', runtime: 'java', version: wholeFile },
];

export async function requestedRuntimes(project: Project): Promise<RuntimeRequest[]> {
  const found = await Promise.all(
    runtimeSources.map(async (source) => {
      const text = await readProjectText(project, source.file);
      const version = text === undefined ? undefined : source.version(text);
      return version === undefined || version === '' ? [] : [{ runtime: source.runtime, version, source: source.file }];
    }),
  );
  return found.flat();
}

function packageField(text: string, ...path: string[]): string | undefined {
  let value: unknown = parseJsonc(text);
  for (const name of path) value = recordOf(value)[name];
  return textOf(value);
}
