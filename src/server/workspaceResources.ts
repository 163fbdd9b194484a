import { resolve } from 'node:path';
import type { AsyncDisposer } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import { displayPath, isInside, pathToUri, uriToPath } from '../base/paths.ts';
import { listFiles } from '../engine/workspace/fileListing.ts';
import { resolveProjectPath } from '../engine/workspace/paths.ts';
import type { Project } from '../engine/workspace/project.ts';
import { watchPath, watchPolled, watchStructure } from '../engine/workspace/watching.ts';
import type { Backend } from './backend.ts';
import type { Client } from './clients.ts';
import type { ListedResource, ListedTemplate, ResourceContent, ResourceProvider, ResourceWatch } from './resources.ts';

interface WorkspaceResourceParts {
  /** Resources are read by calling tools, so that policy, confinement, history and redaction hold for them too. */
  backend: Pick<Backend, 'callTool'>;
  /** The project a client means when it names none. */
  projectOf(client: Client): Promise<Project>;
  openProjects(): readonly Project[];
  /** Any text that differs when the state of the index does. Cheap: it is asked for again and again. */
  indexState(project: Project): string;
}

const structureUri = 'project://structure';
const statusUri = 'index://status';
const fileTemplate = 'file:///{+path}';
const maxFileChars = 10_000_000;
const statusPollMs = 1000;

/** The structure of the project, the state of the index, and every file, as resources. */
export class WorkspaceResources implements ResourceProvider {
  readonly #parts: WorkspaceResourceParts;

  constructor(parts: WorkspaceResourceParts) {
    this.#parts = parts;
  }

  async list(): Promise<ListedResource[]> {
    return [
      {
        uri: structureUri,
        name: 'Project structure',
        description: 'Modules of the project with their source roots',
        mimeType: 'application/json',
      },
      {
        uri: statusUri,
        name: 'Index status',
        description: 'Whether the code index is complete, per language',
        mimeType: 'application/json',
      },
    ];
  }

  templates(): ListedTemplate[] {
    return [
      { uriTemplate: fileTemplate, name: 'File', description: 'Text of a file of the project', mimeType: 'text/plain' },
    ];
  }

  owns(uri: string): boolean {
    return uri === structureUri || uri === statusUri || uri.startsWith('file:');
  }

  async read(uri: string, client: Client, signal: AbortSignal): Promise<ResourceContent[]> {
    if (uri === structureUri) return [await this.#json(uri, 'ide_project_structure', client, signal)];
    if (uri === statusUri) return [await this.#json(uri, 'ide_index_status', client, signal)];
    return [{ uri, mimeType: 'text/plain', text: await this.#fileText(uri, client, signal) }];
  }

  watch(uri: string, client: Client, onChange: () => void): ResourceWatch {
    return deferredWatch(async () => {
      if (uri === statusUri) {
        const project = await this.#parts.projectOf(client);
        return watchPolled(statusPollMs, () => this.#parts.indexState(project), onChange);
      }
      if (uri === structureUri) return watchStructure(await this.#parts.projectOf(client), onChange);
      const { project, path } = await this.#locate(uri, client);
      return watchPath((await resolveProjectPath(project.root, path, { expect: 'any' })).path, onChange);
    });
  }

  /** Which resources there are does not change; only what they say does. */
  watchList(): AsyncDisposer {
    return { dispose: () => undefined };
  }

  /** Paths below the project that begin or continue with what was typed, in the form the template wants. */
  async complete(_uriTemplate: string, _variable: string, typed: string, client: Client): Promise<string[]> {
    const project = await this.#parts.projectOf(client);
    const { files } = await listFiles(project);
    const wanted = displayPath(project.root, resolve('/', typed));
    const relative = wanted.startsWith('/') ? typed.replace(/^\/+/, '') : wanted;
    const starting = files.filter((file) => relative === '.' || file.startsWith(relative));
    const containing = files.filter(
      (file) => !file.startsWith(relative) && file.toLowerCase().includes(relative.toLowerCase()),
    );
    return [...starting, ...containing].slice(0, 100).map((file) => resolve(project.root, file).replace(/^\//, ''));
  }

  async #json(uri: string, tool: string, client: Client, signal: AbortSignal): Promise<ResourceContent> {
    const data = await this.#call(tool, {}, client, signal);
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
  }

  async #fileText(uri: string, client: Client, signal: AbortSignal): Promise<string> {
    const { project, path } = await this.#locate(uri, client);
    let text = '';
    for (let line: unknown = 1; typeof line === 'number' && text.length < maxFileChars;) {
      const page = await this.#call(
        'read_file',
        { file_path: path, project_path: project.root, start_line: line },
        client,
        signal,
      );
      text += String(page['content']);
      line = page['nextLine'];
    }
    return text;
  }

  /** An absolute path in an open project, or a path that clients took to be relative to the project. */
  async #locate(uri: string, client: Client): Promise<{ project: Project; path: string }> {
    const path = uriToPath(uri);
    if (path === undefined) throw new ToolError('invalid_arguments', `${uri} is not a file URI of this machine.`);
    const around = this.#parts
      .openProjects()
      .filter((project) => isInside(project.root, path))
      .sort((a, b) => b.root.length - a.root.length)[0];
    if (around !== undefined) return { project: around, path };
    const project = await this.#parts.projectOf(client);
    if (isInside(project.root, path)) return { project, path };
    const inside = resolve(project.root, `.${path}`);
    const resolved = await resolveProjectPath(project.root, inside, { expect: 'any' });
    if (resolved.kind === 'file') return { project, path: inside };
    throw new ToolError('path_outside_project', `${uri} lies in no open project.`, {
      hint: `Files of this project are read as ${pathToUri(project.root)}/…`,
    });
  }

  async #call(
    tool: string,
    args: Record<string, unknown>,
    client: Client,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const answer = await this.#parts.backend.callTool({ tool, args: { ...args, max_chars: 200_000 }, client, signal });
    if (answer.error !== undefined) {
      const { code, message, hint, data } = answer.error;
      throw new ToolError(code, message, { hint, data });
    }
    return answer.data ?? {};
  }
}

/** A watch whose beginning takes a moment; disposing it before then is as good as after. */
function deferredWatch(start: () => Promise<AsyncDisposer>): ResourceWatch {
  const starting = start();
  // Nothing to watch is nothing to tell: reading the same address says what is wrong with it.
  const ready = starting.then(
    () => undefined,
    () => undefined,
  );
  return {
    ready,
    dispose: async () => {
      const started = await starting.catch(() => undefined);
      await started?.dispose();
    },
  };
}
