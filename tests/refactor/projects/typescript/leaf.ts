import { size, type Node } from './tree';

export function leafCount(tree: Node): number {
  return tree.children.reduce((sum, child) => sum + size(child), 0);
}

export function isLeaf(tree: Node): boolean {
  return size(tree) === 1;
}
