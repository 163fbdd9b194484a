import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from './paths.ts';
import { platform } from './platform/here.ts';

/** Where programs are looked for when nothing usable is left: an empty PATH would mean the current folder. */
const systemPath = platform.customs.searchPath.join(delimiter);

/** A PATH without what is relative to the folder a program happens to run in: there the project would choose what runs. */
export function absolutePath(path: string): string {
  const kept = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return kept.length === 0 ? systemPath : kept.join(delimiter);
}

/**
 * The environment for a project that nobody trusts. Programs follow their environment (`mvn` starts the Java of JAVA_HOME, Python loads what
 * PYTHONPATH names), so whatever points into the project is left out. So are the folders of version managers: which program
 * stands behind a shim is chosen by files of the project.
 */
export function untrustedEnvironment(env: NodeJS.ProcessEnv, root: string): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    const parts = (value ?? '').split(delimiter).filter((part) => !isInside(root, part));
    const usable = name === 'PATH' ? parts.filter((folder) => isAbsolute(folder) && !isShimFolder(folder)) : parts;
    if (usable.length > 0) result[name] = usable.join(delimiter);
    else if (name === 'PATH') result[name] = systemPath;
  }
  // Go would fetch and run the toolchain that go.mod asks for.
  return { ...result, GOTOOLCHAIN: 'local' };
}

/** pyenv, rbenv, nodenv, asdf, mise, proto and scoop keep theirs in `shims`; the others have folders of their own. */
function isShimFolder(folder: string): boolean {
  return /(^|\/)(shims|\.volta\/bin|\.cargo\/bin|\.proto\/bin)\/*$/i.test(folder);
}

const managers =
  /^(rustup(-init)?|volta(-shim|-migrate)?|mise|rtx|asdf|proto(-shim)?|pyenv|rbenv|nodenv|jenv|goenv|tfenv|corepack|fnm|aqua(-proxy)?)(\.exe)?$/;
const rustPrograms =
  /^(rustc|rustdoc|cargo|rustfmt|rust-analyzer|rust-gdb|rust-gdbgui|rust-lldb|rls|clippy-driver|cargo-(fmt|clippy|miri))$/;

/** Whether the program is a version manager in disguise, wherever it lies. */
export function isShim(program: string): boolean {
  if (isShimFolder(dirname(program))) return true;
  try {
    const real = realpathSync(program);
    if (managers.test(basename(real)) || isShimFolder(dirname(real)) || /\/corepack\/(dist|shims)\//.test(real))
      return true;
    // Distributions install rustup and its proxies as names of one file, or side by side.
    const rustup = join(dirname(program), 'rustup');
    if (!existsSync(rustup)) return false;
    return statSync(rustup).ino === statSync(real).ino || rustPrograms.test(basename(program));
  } catch {
    return false;
  }
}
