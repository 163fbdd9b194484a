import type { Position } from '../../../../base/positions.ts';
import type { Project } from '../../../workspace/project.ts';
import type { CodeEngine } from '../../codeEngine.ts';
import { askDefinition } from '../../queries/definitionRequest.ts';
import { locateReferences } from '../../queries/locateReferences.ts';
import type { RefactorTarget, RefactorWaiting } from '../model.ts';

export interface NamePlace {
  path: string;
  line: number;
  column: number;
}

/** What somebody who knows types says about a name; rope only guesses types. */
export interface NamePlaces {
  /** Where it is used, its declarations included. Undefined when there is nobody to ask. */
  of(target: RefactorTarget, waiting: RefactorWaiting): Promise<NamePlace[] | undefined>;
  /** Of these places, those that are known to mean something declared elsewhere. */
  others(places: readonly NamePlace[], own: readonly NamePlace[], waiting: RefactorWaiting): Promise<NamePlace[]>;
}

export function namePlaces(project: Project, code: CodeEngine): NamePlaces {
  const place = (path: string, { line, column }: Position): NamePlace => ({ path, line, column });
  return {
    async of(target, waiting) {
      const workspace = code.workspace(project);
      if ((await workspace.serverFor(target.path)) === undefined) return undefined;
      const end = { line: target.position.line, column: target.position.column + target.name.length };
      const asked = { ...target, range: { start: target.position, end }, notes: [] };
      const { locations, index } = await locateReferences(workspace, asked, waiting);
      return index.state === 'ready' ? locations.map(({ path, range }) => place(path, range.start)) : undefined;
    },
    async others(places, own, waiting) {
      const keys = new Set(own.map(keyOf));
      const found: NamePlace[] = [];
      for (const one of places) {
        const server = await code.workspace(project).serverFor(one.path);
        if (server === undefined) continue;
        await server.documents.open(one.path);
        const at = { path: one.path, position: { line: one.line, column: one.column } };
        const definitions = await askDefinition(server, 'textDocument/definition', at, waiting.signal);
        if (
          definitions.length > 0 &&
          definitions.every(({ path, range }) => !keys.has(keyOf(place(path, range.start))))
        )
          found.push(one);
      }
      return found;
    },
  };
}

export function keyOf({ path, line, column }: NamePlace): string {
  return `${path}:${line}:${column}`;
}
