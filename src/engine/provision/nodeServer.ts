import { inCache, inProject, onPath, packageVersion } from './programs.ts';
import { answersInitialize } from './probes.ts';
import { nodeModule, npmInstall } from './installers/npm.ts';
import type { LanguageId } from '../../base/languages/table.ts';
import type { EngineDeclaration } from './model.ts';

interface NodeServer {
  id: string;
  title: string;
  languages: readonly LanguageId[];
  package: string;
  version: string;
  /** The script that is the server, relative to the package. */
  script: string;
  /** Its name when it is installed globally. */
  program: string;
  args?: readonly string[];
  also?: readonly string[];
  optional?: boolean;
  installedAs?: string;
}

/** A language server that is a Node script from npm: found in the project, on PATH or in our cache; started by our own Node. */
export function nodeServer(server: NodeServer): EngineDeclaration {
  const place = nodeModule(server.package, server.script);
  const args = server.args ?? ['--stdio'];
  // What lies in a package is a script for Node; what lies on PATH may be a wrapper of another kind.
  const start = (path: string) => (path.endsWith(server.script) ? [process.execPath, path, ...args] : [path, ...args]);
  return {
    id: server.id,
    title: server.title,
    role: 'languageServer',
    languages: server.languages,
    optional: server.optional,
    installedAs: server.installedAs,
    find: [inProject(place), onPath(server.program), inCache(place)],
    start,
    probe: packageVersion,
    verify: (path, context, scratch) => answersInitialize(start(path), scratch, context),
    install: npmInstall({
      name: server.package,
      version: server.version,
      entry: server.script,
      also: server.also,
    }),
  };
}
