import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { extensionsOfFamily } from '../../../../base/languages/byPath.ts';
import { isInside } from '../../../../base/paths.ts';
import type { Project } from '../../../workspace/project.ts';
import type { FoundEngine } from '../../../provision/model.ts';
import { InstallOnNeed } from '../../../provision/installOnNeed.ts';
import { expand } from '../../../provision/programs.ts';
import { nestedEnvironments } from '../../../provision/pythonEnvironments.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { ServerCommand, ServerDefinition } from '../definition.ts';
import { pythonModuleReferences } from './modules.ts';
import { repairPythonOutline } from './outline.ts';
import { classesThatFit } from './protocols.ts';
import { pythonSameSymbol } from './redefinitions.ts';

/**
 * Python through ty. It answers nothing before it knows everything, offers both hierarchies, and reads the project without
 * running any of it. See docs/decisions/code-index.md for how it was compared with pyright.
 */
export function pythonServer(provision: Provision): ServerDefinition {
  const variants = new Map<string, ServerDefinition>();
  const installation = new InstallOnNeed(provision, 'ty');
  return {
    ...definition(provision, installation),
    variantFor(project, path) {
      const environment = project.trusted ? ownEnvironment(project.root, path) : undefined;
      if (environment === undefined) return undefined;
      const known =
        variants.get(environment) ?? definition(provision, installation, { environment, root: project.root });
      variants.set(environment, known);
      return known;
    },
  };
}

interface Package {
  /** The folder of its virtual environment. */
  environment: string;
  root: string;
}

function definition(provision: Provision, installation: InstallOnNeed, own?: Package): ServerDefinition {
  const shown = own === undefined ? undefined : relative(own.root, own.environment);
  return {
    id: shown === undefined ? 'python' : `python (${shown})`,
    title: `Python language server (ty${shown === undefined ? '' : `, ${shown}`})`,
    languages: extensionsOfFamily('python'),
    configFiles: /^(pyproject\.toml|ty\.toml|setup\.(cfg|py)|pyvenv\.cfg)$/,
    builtInFiles: /\/stdlib\/builtins\.pyi$/,
    readiness: { sign: 'answersWait' },
    restartOnDependencyChange: true,
    untypedExtensions: ['py', 'pyi'],
    repairOutline: repairPythonOutline,
    repairs: {
      sameSymbol: pythonSameSymbol,
      moduleUses: pythonModuleReferences,
      fittingTypes: classesThatFit,
    },
    missing: 'Install it with: sightline setup python',
    installation,
    async locate(project): Promise<ServerCommand | undefined> {
      const engine = await provision.locate('ty', project);
      if (!engine.found) return undefined;
      const [command, ...args] = engine.command;
      if (command === undefined) return undefined;
      if (own !== undefined) {
        const interpreter = { path: own.environment, why: 'the environment of the package' };
        return { command, args, version: engine.version, interpreter };
      }
      const python = await provision.locate('python', project);
      return {
        command,
        args,
        version: engine.version,
        ...(python.found ? { interpreter: interpreterOf(python) } : {}),
        extraPaths: python.found && project.trusted ? await otherPackages(project.root, python.path) : [],
      };
    },
    configuration: (section, project, command) =>
      section === 'ty'
        ? {
            configuration: {
              environment: {
                ...(command.interpreter === undefined ? {} : { python: command.interpreter.path }),
                ...(command.extraPaths?.length ? { 'extra-paths': command.extraPaths } : {}),
                ...(choosesPlatform(project) ? {} : { 'python-platform': 'all' }),
              },
            },
            completions: { autoImport: true },
          }
        : null,
  };
}

/** The environment of the package that a file belongs to, when it is not the project's own. */
function ownEnvironment(root: string, path: string): string | undefined {
  if (!isInside(root, path)) return undefined;
  for (let folder = dirname(path); folder !== root && isInside(root, folder); folder = dirname(folder))
    for (const name of ['.venv', 'venv']) if (existsSync(join(folder, name, 'pyvenv.cfg'))) return join(folder, name);
  return undefined;
}

function interpreterOf({ path, version, why, source }: FoundEngine): ServerCommand['interpreter'] {
  const reason = why ?? (source === 'configuration' ? 'configured' : 'the first on PATH');
  return { path, version, why: reason };
}

/** In a monorepo with an environment for each package, files may import what any of them has; one server looks at one interpreter. */
async function otherPackages(root: string, python: string): Promise<string[]> {
  const folders = (await nestedEnvironments(root)).filter((folder) => !python.startsWith(`${folder}/`));
  return (await Promise.all(folders.map((folder) => expand(join(folder, 'lib', 'python*', 'site-packages'))))).flat();
}

/**
 * Code for other platforms (`if sys.platform == "win32"`) is code too: without this ty leaves it out of references and renames on
 * this one, without a sign. A project that names its platform keeps it.
 */
function choosesPlatform({ root }: Project): boolean {
  return ['ty.toml', 'pyproject.toml'].some((name) => {
    const path = join(root, name);
    return existsSync(path) && /^\s*python-platform\s*=/m.test(readFileSync(path, 'utf8'));
  });
}
