import { isInside } from '../../../../base/paths.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { askDefinition } from '../../queries/requests/definition.ts';
import { outlineOf, symbolNamedAt } from '../../queries/requests/outline.ts';
import type { TypeNode, TypeSource } from '../../queries/requests/typeNode.ts';

/** `impl<T> Trait<T> for Type`: where the two names are, counted from 0. */
const implementation = /\bimpl(?:\s*<[^{]*?>)?\s+(?:[\w:]*::)?(\w+)(?:<[^{]*?>)?\s+for\s+&?(?:[\w:]*::)?(\w+)/d;

/** Type hierarchy of Rust, whose server offers none: what implements a trait, and which traits a type implements. */
export function implTypes(
  workspace: CodeWorkspace,
  server: LanguageServer,
  signal: AbortSignal | undefined,
): TypeSource {
  const related = async (node: TypeNode, group: 1 | 2): Promise<TypeNode[]> => {
    await server.documents.open(node.path);
    const places = await askDefinition(server, 'textDocument/implementation', node, signal);
    const found = await Promise.all(
      places.map(async ({ path, range }): Promise<TypeNode | undefined> => {
        const line = (await workspace.texts.tryGet(path))?.lineText(range.start.line) ?? '';
        const [start = 0, end = 0] = implementation.exec(line)?.indices?.[group] ?? [];
        const name = line.slice(start, end);
        const isOther = name !== '' && name !== node.name && isInside(workspace.project.root, path);
        const position = { line: range.start.line, column: start + 1 };
        const kind = group === 1 ? 'interface' : 'struct';
        return isOther ? { name, kind, path, position, edge: 'implements', children: [] } : undefined;
      }),
    );
    return found.filter((each) => each !== undefined);
  };
  return {
    async find(target) {
      const [definition] = await askDefinition(server, 'textDocument/definition', target, signal);
      const place = definition === undefined ? target : { path: definition.path, position: definition.range.start };
      const symbol = symbolNamedAt(await outlineOf(server, place.path, signal), place.position);
      if (symbol === undefined || !['struct', 'enum', 'interface', 'class', 'type'].includes(symbol.kind))
        return undefined;
      return { name: symbol.name, kind: symbol.kind, path: place.path, position: symbol.nameRange.start, children: [] };
    },
    supertypes: (node) => (node.kind === 'interface' ? Promise.resolve([]) : related(node, 1)),
    subtypes: (node) => (node.kind === 'interface' ? related(node, 2) : Promise.resolve([])),
  };
}
