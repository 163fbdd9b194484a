export async function late(text: string): Promise<string> {
  const { default: parse, fallback } = await import('./parse');
  const leaf = await import('./leaf');
  const tree = (await import('./tree')).node(text);
  return parse(text).key + fallback + leaf.isLeaf(tree);
}
