import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { child, parseXml } from '../../base/text/xml.ts';
import { childText } from './dependencies/xmlText.ts';
import { folderOf, recordOf, textOf } from './dependencies/model.ts';
import { listFiles } from './fileListing.ts';
import { codeLanguageOfPath } from '../../base/languages/byPath.ts';
import { countLanguages } from './languages.ts';
import type { Project } from './project.ts';
import { readProjectText } from './projectText.ts';

/** A part of the project that is built as one: a package, crate, Go module, Maven or Gradle module. */
export interface ProjectModule {
  name: string;
  /** Relative to the root; `.` is the root itself. */
  path: string;
  kinds: string[];
  version?: string;
  /** It gathers other modules: npm workspaces, a Cargo workspace, a Maven aggregator, … */
  isWorkspace: boolean;
  sourceRoots: string[];
  testRoots: string[];
  languages: { language: string; files: number }[];
}

export interface ProjectStructure {
  name: string;
  basePath: string;
  modules: ProjectModule[];
  fileCount: number;
  languages: { language: string; files: number }[];
  /** More modules were found than are given. */
  capped: boolean;
}

const maxModules = 300;
const foreignFolders = /(^|\/)(node_modules|vendor|third_party|testdata|fixtures|__fixtures__)(\/|$)/;

/** Manifests there belong to other people's code, or to made-up projects of tests. */
export function isForeign(path: string): boolean {
  return foreignFolders.test(path);
}

interface ModuleFacts {
  name?: string;
  version?: string;
  isWorkspace?: boolean;
}

interface ModuleKind {
  kind: string;
  file: RegExp;
  facts(text: string): ModuleFacts;
}

const moduleKinds: readonly ModuleKind[] = [
  { kind: 'npm', file: /^package\.json$/, facts: npmFacts },
  { kind: 'npm', file: /^pnpm-workspace\.yaml$/, facts: () => ({ isWorkspace: true }) },
  { kind: 'python', file: /^(pyproject\.toml|setup\.py|setup\.cfg)$/, facts: pythonFacts },
  { kind: 'go', file: /^go\.mod$/, facts: (text) => ({ name: /^module\s+(\S+)/m.exec(text)?.[1] }) },
  { kind: 'go-workspace', file: /^go\.work$/, facts: () => ({ isWorkspace: true }) },
  { kind: 'cargo', file: /^Cargo\.toml$/, facts: cargoFacts },
  { kind: 'maven', file: /^pom\.xml$/, facts: mavenFacts },
  { kind: 'gradle', file: /^build\.gradle(\.kts)?$/, facts: () => ({}) },
  { kind: 'gradle', file: /^settings\.gradle(\.kts)?$/, facts: gradleSettingsFacts },
  {
    kind: 'cmake',
    file: /^CMakeLists\.txt$/,
    facts: (text) => ({ name: /\bproject\s*\(\s*([\w.-]+)/i.exec(text)?.[1] }),
  },
  { kind: 'dotnet', file: /\.(csproj|fsproj|sln)$/, facts: () => ({}) },
];

/** The modules of a project with their source roots, told from manifests and folders. Nothing is run. */
export async function projectStructure(project: Project, signal?: AbortSignal): Promise<ProjectStructure> {
  const { files } = await listFiles(project, { signal });
  const found = new Map<string, { kinds: Set<string>; manifests: { kind: ModuleKind; path: string }[] }>();
  for (const path of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const folder = folderOf(path);
    const kind = moduleKinds.find((candidate) => candidate.file.test(name));
    // A CMake project has a file in every folder; only the outermost is a module.
    if (kind === undefined || isForeign(path) || (kind.kind === 'cmake' && folder !== '.')) continue;
    const known = found.get(folder) ?? { kinds: new Set<string>(), manifests: [] };
    known.kinds.add(kind.kind);
    known.manifests.push({ kind, path });
    found.set(folder, known);
  }
  if (!found.has('.')) found.set('.', { kinds: new Set(), manifests: [] });
  const folders = [...found.keys()].sort((a, b) => (a === '.' ? -1 : b === '.' ? 1 : a < b ? -1 : 1));
  const owned = filesByModule(files, new Set(folders));
  const modules: ProjectModule[] = [];
  for (const folder of folders.slice(0, maxModules)) {
    const { kinds, manifests } = found.get(folder) ?? { kinds: new Set<string>(), manifests: [] };
    const facts = await Promise.all(
      manifests.map(async ({ kind, path }) => factsOf(kind, (await readProjectText(project, path)) ?? '')),
    );
    const own = owned.get(folder) ?? [];
    const name = facts.find((fact) => fact.name !== undefined)?.name;
    const version = facts.find((fact) => fact.version !== undefined)?.version;
    modules.push({
      name: name ?? (folder === '.' ? project.name : folder.slice(folder.lastIndexOf('/') + 1)),
      path: folder,
      kinds: [...kinds],
      version,
      isWorkspace: facts.some((fact) => fact.isWorkspace === true),
      ...rootsOf(folder, kinds, own),
      languages: countLanguages(own),
    });
  }
  return {
    name: project.name,
    basePath: project.root,
    modules,
    fileCount: files.length,
    languages: countLanguages(files),
    capped: folders.length > maxModules,
  };
}

/** Each file belongs to the innermost module around it. */
function filesByModule(files: readonly string[], folders: ReadonlySet<string>): Map<string, string[]> {
  const owned = new Map<string, string[]>();
  for (const file of files) {
    let folder = folderOf(file);
    while (!folders.has(folder)) folder = folderOf(folder);
    const list = owned.get(folder);
    if (list === undefined) owned.set(folder, [file]);
    else list.push(file);
  }
  return owned;
}

const sourceFolders = [
  'src/main/java',
  'src/main/kotlin',
  'src/main/scala',
  'src/main/resources',
  'src',
  'lib',
  'app',
  'source',
];
const goSourceFolders = ['cmd', 'internal', 'pkg', 'api'];
const testFolders = [
  'src/test/java',
  'src/test/kotlin',
  'src/test/resources',
  'tests',
  'test',
  '__tests__',
  'spec',
  'e2e',
  'benches',
];

function rootsOf(
  folder: string,
  kinds: ReadonlySet<string>,
  files: readonly string[],
): { sourceRoots: string[]; testRoots: string[] } {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const inside = files
    .filter((file) => codeLanguageOfPath(file) !== undefined || /\/resources\//.test(file))
    .map((file) => file.slice(prefix.length));
  const holds = (root: string) => inside.some((file) => file.startsWith(`${root}/`));
  const pick = (candidates: readonly string[]) =>
    candidates
      .filter((root) => holds(root))
      .filter((root, _index, all) => !(root === 'src' && all.some((other) => other.startsWith('src/'))));
  const packages = kinds.has('python')
    ? inside
        .flatMap((file) => /^([^/]+)\/__init__\.py$/.exec(file)?.[1] ?? [])
        .filter((name) => !testFolders.includes(name))
    : [];
  const candidates = kinds.has('go') ? [...sourceFolders, ...goSourceFolders] : sourceFolders;
  const sources = [...new Set([...pick(candidates), ...packages])];
  const testRoots = pick(testFolders);
  const isFlat = sources.length === 0 && inside.some((file) => !testRoots.some((root) => file.startsWith(`${root}/`)));
  return {
    sourceRoots: isFlat ? [folder] : sources.map((root) => prefix + root),
    testRoots: testRoots.map((root) => prefix + root),
  };
}

/** A manifest that cannot be understood still marks a module. */
function factsOf(kind: ModuleKind, text: string): ModuleFacts {
  try {
    return kind.facts(text);
  } catch {
    return {};
  }
}

function npmFacts(text: string): ModuleFacts {
  const parsed: unknown = parseJsonc(text);
  const content = recordOf(parsed);
  return {
    name: textOf(content['name']),
    version: textOf(content['version']),
    isWorkspace: content['workspaces'] !== undefined,
  };
}

function pythonFacts(text: string): ModuleFacts {
  if (/^\s*(from|import)\s/m.test(text) || /\bsetup\s*\(/.test(text))
    return { name: /\bname\s*=\s*['"]([\w.-]+)['"]/.exec(text)?.[1] };
  if (/^\[metadata\]/m.test(text)) return { name: /^name\s*=\s*(\S+)/m.exec(text)?.[1] };
  const content = parseToml(text);
  const project = recordOf(content['project']);
  const poetry = recordOf(recordOf(content['tool'])['poetry']);
  return {
    name: textOf(project['name']) ?? textOf(poetry['name']),
    version: textOf(project['version']) ?? textOf(poetry['version']),
    isWorkspace: recordOf(recordOf(content['tool'])['uv'])['workspace'] !== undefined,
  };
}

function cargoFacts(text: string): ModuleFacts {
  const content = parseToml(text);
  const found = recordOf(content['package']);
  return {
    name: textOf(found['name']),
    version: textOf(found['version']),
    isWorkspace: content['workspace'] !== undefined,
  };
}

function mavenFacts(text: string): ModuleFacts {
  const project = parseXml(text);
  return {
    name: childText(project, 'artifactId'),
    version: childText(project, 'version') ?? childText(child(project, 'parent'), 'version'),
    isWorkspace: child(project, 'modules') !== undefined,
  };
}

function gradleSettingsFacts(text: string): ModuleFacts {
  return { name: /rootProject\.name\s*=\s*['"]([^'"]+)/.exec(text)?.[1], isWorkspace: /^\s*include\b/m.test(text) };
}
