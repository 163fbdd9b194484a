import { leafCount } from './leaf';

export interface Node {
  name: string;
  children: Node[];
}

export function node(name: string, ...children: Node[]): Node {
  return { name, children };
}

export function size(tree: Node): number {
  return 1 + leafCount(tree);
}

export function depth(tree: Node): number {
  return 1 + Math.max(0, ...tree.children.map(depth));
}
