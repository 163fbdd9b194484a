import { realpathSync } from 'node:fs';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { ToolError } from '../../base/errors.ts';
import { pathToUri, uriToPath } from '../../base/paths.ts';
import type { Breakpoint } from '../../engine/debugger/breakpoints/breakpointStore.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { Client } from '../../server/clients.ts';
import type { Sightline } from '../compose.ts';
import type { ProcessNotifications, SharedBreakpoint } from './feedProtocol.ts';

/** A project's breakpoints as an editor sees them. What is set there is set by a person with the tools, and agents are told so. */
export class EditorBreakpoints implements AsyncDisposer {
  readonly #sightline: Sightline;
  readonly #editor: string;
  readonly #onTold: (told: ProcessNotifications['feed/breakpoints']) => void;
  #client: Client | undefined;

  constructor(sightline: Sightline, editor: string, onTold: (told: ProcessNotifications['feed/breakpoints']) => void) {
    this.#sightline = sightline;
    this.#editor = editor;
    this.#onTold = onTold;
  }

  async tell(project: Project): Promise<void> {
    this.#onTold({ root: project.root, breakpoints: await this.#list(project) });
  }

  async set(project: Project, wanted: SharedBreakpoint): Promise<SharedBreakpoint[]> {
    const { uri, line, enabled, condition, hitCondition, logMessage } = wanted;
    await this.#call(project, 'set_breakpoint', {
      file_path: pathOf(uri),
      line,
      enabled,
      ...(condition === undefined ? {} : { condition }),
      ...(hitCondition === undefined ? {} : { hit_condition: hitCondition }),
      ...(logMessage === undefined ? {} : { log_message: logMessage }),
    });
    return this.#list(project);
  }

  async remove(project: Project, uri: string, line: number): Promise<SharedBreakpoint[]> {
    const store = await this.#sightline.engines.debugger.breakpoints(project);
    const path = pathOf(uri);
    for (const { id } of store.list().filter((each) => isShared(each) && each.file === path && each.line === line))
      await this.#call(project, 'remove_breakpoint', { breakpoint_id: id });
    return this.#list(project);
  }

  dispose(): void {
    this.#client?.dispose();
  }

  async #list(project: Project): Promise<SharedBreakpoint[]> {
    const store = await this.#sightline.engines.debugger.breakpoints(project);
    return store.list().filter(isShared).map(shared);
  }

  async #call(project: Project, tool: string, args: Record<string, unknown>): Promise<void> {
    this.#client ??= this.#sightline.backend.connect({
      name: this.#editor,
      transport: 'dashboard',
      face: 'all',
      output: 'both',
      env: project.env,
    });
    const { error } = await this.#sightline.backend.callTool({
      tool,
      args: { project_path: project.root, ...args },
      client: this.#client,
    });
    if (error !== undefined) throw new ToolError('breakpoint_error', error.message);
  }
}

/** Those of a single run are gone before a person has seen them. */
function isShared({ type, file, line, temporary }: Breakpoint): boolean {
  return type === 'line' && file !== undefined && line !== undefined && !temporary;
}

function shared({ file = '', line = 1, enabled, condition, hitCondition, logMessage }: Breakpoint): SharedBreakpoint {
  return {
    uri: pathToUri(file),
    line,
    enabled,
    ...(condition === undefined ? {} : { condition }),
    ...(hitCondition === undefined ? {} : { hitCondition }),
    ...(logMessage === undefined ? {} : { logMessage }),
  };
}

function pathOf(uri: string): string {
  const path = uriToPath(uri);
  if (path === undefined) throw new ToolError('invalid_arguments', `${uri} is no file.`);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
