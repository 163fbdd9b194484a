import { type Node, parse } from 'acorn';

/** Reads JavaScript as a module or a script, whichever it is; undefined when it is neither. */
export function parseLeniently(source: string): Node | undefined {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(source, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowSuperOutsideMethod: true,
        allowImportExportEverywhere: true,
      });
    } catch {
      // The other kind of script, or none we can read.
    }
  }
  return undefined;
}

export function children(node: Node): Node[] {
  const found: Node[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) found.push(...value.filter(isNode));
  }
  return found;
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
  );
}

export function isFunction(node: Node): boolean {
  return /Function/.test(node.type);
}

/** A field that only some kinds of node have. */
export function field(node: Node, name: string): unknown {
  return Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined;
}

export function nodeField(node: Node, name: string): Node | undefined {
  const value = field(node, name);
  return isNode(value) ? value : undefined;
}

export function textField(node: Node, name: string): string | undefined {
  const value = field(node, name);
  return typeof value === 'string' ? value : undefined;
}

export function listField(node: Node, name: string): Node[] {
  const value = field(node, name);
  return Array.isArray(value) ? value.filter(isNode) : [];
}
