import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import { listFiles } from '../../fileListing.ts';
import type { Project } from '../../project.ts';
import type { RunPlan, RunRequest, SuiteRunner, TestPackage, TestRef } from '../../tests/model.ts';
import { emptyPlan } from '../emptyPlan.ts';
import { CargoEvents, mark } from './cargoEvents.ts';
import { nextestPlan, wantsNextest } from './nextest.ts';
import { placeOf, testsIn, type RustFunction } from './rustSource.ts';

/**
 * Runs as Cargo's `runner` before each binary with tests: it says which one it is, lets it list its tests, and runs it. Cargo gives it
 * the folder, environment and arguments that the binary is to have. rustdoc uses it too, for each example, and those are only run.
 */
const listAndRun = `case "$1" in */rustdoctest*) exec "$@";; esac
name=\${1##*/}
[ -n "$SIGHTLINE_OBJECTS" ] && printf '%s\\n' "$1" >> "$SIGHTLINE_OBJECTS"
case " $SIGHTLINE_OWN_MAIN " in
  *" \${name%-*} "*) [ $# -gt 1 ] && exit 0; printf '${mark} plain %s\\n' "$1";;
  *) printf '${mark} binary %s\\n' "$1"; "$@" --list --format terse; printf '${mark} run\\n';;
esac
[ -n "$SIGHTLINE_LIST_ONLY" ] && exit 0
"$@"
code=$?
printf '\\n${mark} end %s\\n' "$code"
exit "$code"`;

/** `cargo test`: one package of ours is a Cargo workspace, or a Cargo package that is in none. */
export const cargoTest: SuiteRunner = {
  id: 'cargo test',
  packages: (_project, files) => {
    const folders = files.filter((file) => file.endsWith('/Cargo.toml')).map((file) => dirname(file));
    const sources = files.filter((file) => file.endsWith('.rs'));
    return folders
      .filter((folder) => !folders.some((outer) => outer !== folder && isInside(outer, folder) && isWorkspace(outer)))
      .filter((folder) => sources.some((file) => isInside(folder, file) && hasTests(file)))
      .map(packageAt);
  },
  packageOf: (project, file) => {
    if (!file.endsWith('.rs') || !hasTests(file)) return undefined;
    const folder = workspaceOf(project, file);
    return folder === undefined ? undefined : packageAt(folder);
  },
  plan: async (request) => {
    const { folder } = request.package;
    const known = await sourceTests(request.project, folder, undefined);
    const choice = choiceOf(request, known);
    if (choice === undefined)
      return emptyPlan(
        folder,
        known.map(({ path }) => path.join('::')),
      );
    const isNextest = wantsNextest(folder) && request.coverage !== true;
    const nextest = isNextest ? await nextestPlan(request, choice, choice.functions ?? known) : undefined;
    if (nextest !== undefined) return nextest;
    const { targets, filters } = choice;
    const cargo = await request.locate('cargo');
    const runner = `target.'cfg(all())'.runner=${JSON.stringify(['sh', '-c', listAndRun, 'sh'])}`;
    const command = [cargo, 'test', '--no-fail-fast', '--message-format=json', '--config', runner];
    const plan: RunPlan = {
      command: [...command, ...targets, ...(filters.length === 0 ? [] : ['--', ...filters])],
      cwd: folder,
      env: { SIGHTLINE_OWN_MAIN: ownMains(request.project, folder).join(' '), CARGO_TERM_COLOR: 'never' },
      stdoutIsEvents: true,
      reader: new CargoEvents(folder, choice.functions ?? known),
      notes: isNextest
        ? ['The project is set up for nextest, which is not installed: cargo install cargo-nextest.']
        : [],
    };
    return request.coverage === true ? withCoverage(plan, request.scratch, folder) : plan;
  },
  // Examples in documentation would have to be run to be known.
  collect: async (request) => {
    const plan = await cargoTest.plan({ ...request, selection: {} });
    return { ...plan, command: [...plan.command, '--tests'], env: { ...plan.env, SIGHTLINE_LIST_ONLY: '1' } };
  },
  // Which crate needs which is Cargo's business: rather all tests of the workspace than too few.
  affectedTests: ({ folder }, changed, files) =>
    changed.some((file) => isInside(folder, file) && /\.rs$|\/Cargo\.(?:toml|lock)$/.test(file))
      ? files.filter((file) => file.endsWith('.rs') && isInside(folder, file) && hasTests(file))
      : [],
  testsInFile: (project, file) => {
    const place = placeOf(file, crateFolder(project, file) ?? dirname(file));
    return testsIn(read(file), file, place?.modules ?? []).map(refOf);
  },
};

function refOf({ path, file, line }: RustFunction): TestRef {
  return { suite: path.slice(0, -1), name: path.at(-1) ?? '', file, line };
}

interface Choice {
  /** What was chosen, where the source tells. */
  functions?: readonly RustFunction[];
  targets: readonly string[];
  filters: readonly string[];
}

/** What the selection means to Cargo and libtest. A regular expression and a file are matched with what the source shows. */
function choiceOf({ project, selection }: RunRequest, known: readonly RustFunction[]): Choice | undefined {
  const { files, pattern, tests } = selection;
  const name = selection.name?.replaceAll(' > ', '::');
  if (tests !== undefined) return exactly(project, tests, known);
  if (files === undefined && pattern === undefined) {
    const isWhole = known.some(({ path }) => path.join('::') === name);
    return { targets: [], filters: name === undefined ? [] : [...(isWhole ? ['--exact'] : []), name] };
  }
  const wanted = pattern === undefined ? undefined : new RegExp(pattern);
  const near = known.filter(
    ({ path, file }) =>
      (files === undefined || files.some((place) => isInside(place, file))) &&
      (wanted?.test(path.join(' ')) ?? true) &&
      (name === undefined || path.join('::').includes(name)),
  );
  const exact = near.filter(({ path }) => path.join('::') === name);
  const matching = exact.length > 0 ? exact : near;
  if (matching.length === 0) return undefined;
  const targets = targetsOf(
    project,
    matching.map(({ file }) => file),
  );
  return {
    functions: matching,
    targets,
    filters: ['--exact', ...new Set(matching.map(({ path }) => path.join('::')))],
  };
}

function exactly(project: Project, tests: readonly TestRef[], known: readonly RustFunction[]): Choice {
  const names = tests.map((test) => [...test.suite, test.name].filter((part) => part !== 'doc').join('::'));
  const docs = tests.filter(({ suite }) => suite[0] === 'doc').length;
  if (docs === tests.length) return { targets: ['--doc'], filters: names };
  // Examples are not found by their exact name, and Cargo runs them apart from targets.
  if (docs > 0) return { targets: [], filters: names };
  const places = tests.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const functions = known.filter(({ path }) => names.includes(path.join('::')));
  return { functions, targets: targetsOf(project, places), filters: ['--exact', ...names] };
}

async function sourceTests(
  project: Project,
  folder: string,
  places: readonly string[] | undefined,
): Promise<RustFunction[]> {
  const { files } = await listFiles(project, { folder, globs: ['**/*.rs'] });
  return files
    .map((file) => join(project.root, file))
    .filter((file) => places === undefined || places.some((place) => isInside(place, file)))
    .flatMap((file) => {
      const at = placeOf(file, crateFolder(project, file) ?? folder);
      return at === undefined ? [] : testsIn(read(file), file, at.modules);
    });
}

/** The Cargo packages and targets that files belong to. */
function targetsOf(project: Project, files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const folder = crateFolder(project, file);
    const place = folder === undefined ? undefined : placeOf(file, folder);
    if (folder === undefined || place === undefined) return [];
    const name = /^\s*name\s*=\s*["']([^"']+)/m.exec(read(join(folder, 'Cargo.toml')))?.[1];
    if (name !== undefined) found.add(`--package=${name}`);
    const { kind, name: target } = place.target;
    found.add(kind === 'lib' ? '--lib' : target === '' ? '--bins' : `--${kind}=${target}`);
  }
  return [...found];
}

/** Targets that Cargo is told not to give libtest's `main`: they cannot be asked for a list. */
function ownMains(project: Project, folder: string): string[] {
  const manifests = [folder, ...memberFolders(project, folder)].map((each) => read(join(each, 'Cargo.toml')));
  return manifests
    .flatMap((text) => text.split(/^(?=\[)/m))
    .filter((part) => /^\[\[(?:test|bench|bin|example)\]\]/.test(part) && /^\s*harness\s*=\s*false/m.test(part))
    .flatMap((part) => /^\s*name\s*=\s*["']([^"']+)/m.exec(part)?.[1]?.replaceAll('-', '_') ?? []);
}

function memberFolders(project: Project, folder: string): string[] {
  const members = /^\s*members\s*=\s*\[([^\]]*)\]/m.exec(read(join(folder, 'Cargo.toml')))?.[1] ?? '';
  return [...members.matchAll(/["']([^"'*]+)["']/g)]
    .map(([, name = '']) => join(folder, name))
    .filter((each) => isInside(project.root, each));
}

/** The compiler counts, and LLVM's own tools of the toolchain read what it counted; in a target folder of its own, as flags differ. */
const measureAndRun = `tools="$(rustc --print target-libdir)/../bin"
[ -x "$tools/llvm-profdata" ] || exec "$@"
export RUSTFLAGS="$RUSTFLAGS -Cinstrument-coverage" CARGO_TARGET_DIR="$SIGHTLINE_TARGET"
export LLVM_PROFILE_FILE="$SIGHTLINE_SCRATCH/%p-%m.profraw" SIGHTLINE_OBJECTS="$SIGHTLINE_SCRATCH/objects"
"$@"
code=$?
[ -f "$SIGHTLINE_OBJECTS" ] || exit "$code"
set --
while IFS= read -r object; do set -- "$@" -object "$object"; done < "$SIGHTLINE_OBJECTS"
cd "$SIGHTLINE_SCRATCH" && "$tools/llvm-profdata" merge -sparse ./*.profraw -o all.profdata \\
  && "$tools/llvm-cov" export -instr-profile all.profdata "$@" > llvm-cov.json
exit "$code"`;

function withCoverage(plan: RunPlan, scratch: string, folder: string): RunPlan {
  const missing = 'rustup component add llvm-tools brings what measures Rust';
  return {
    ...plan,
    command: ['sh', '-c', measureAndRun, 'sh', ...plan.command],
    env: { ...plan.env, SIGHTLINE_SCRATCH: scratch, SIGHTLINE_TARGET: join(folder, 'target', 'llvm-cov-target') },
    coverage: [{ format: 'llvm-cov', path: join(scratch, 'llvm-cov.json'), missing }],
  };
}

function packageAt(folder: string): TestPackage {
  return {
    runner: 'cargo test',
    folder,
    reason: isWorkspace(folder) ? 'it is a Cargo workspace' : 'it is a Cargo package',
  };
}

function hasTests(file: string): boolean {
  return /#\[(?:\w+::)*(?:test|rstest|test_case)\b/.test(read(file));
}

function crateFolder(project: Project, file: string): string | undefined {
  return foldersUp(project, file).find((folder) => /^\[package\]/m.test(read(join(folder, 'Cargo.toml'))));
}

/** The outermost workspace around the file, else the package itself. */
function workspaceOf(project: Project, file: string): string | undefined {
  const folders = foldersUp(project, file).filter((folder) => existsSync(join(folder, 'Cargo.toml')));
  return folders.find(isWorkspace) ?? folders[0];
}

function foldersUp(project: Project, file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); isInside(project.root, folder); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === project.root) break;
  }
  return folders;
}

function isWorkspace(folder: string): boolean {
  return /^\[workspace\]/m.test(read(join(folder, 'Cargo.toml')));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
