import { basename, dirname, join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import { readText } from '../packages.ts';

/** The test files of a module that changes can affect: those of packages that changed, and of packages that import them. */
export function goAffected(
  folder: string,
  modulePath: string,
  changed: readonly string[],
  files: readonly string[],
): string[] {
  const own = files.filter((file) => file.endsWith('.go') && isInside(folder, file));
  const tests = own.filter((file) => file.endsWith('_test.go'));
  const inside = changed.filter((file) => isInside(folder, file));
  if (inside.some((file) => /^go\.(?:mod|sum|work)$/.test(basename(file)))) return tests;
  const importers = importersOf(folder, modulePath, own);
  const packages = new Set(own.map((file) => dirname(file)));
  const open = inside.flatMap((file) => packageAround(file, folder, packages) ?? []);
  const reached = new Set(open);
  for (let place = open.pop(); place !== undefined; place = open.pop())
    for (const importer of importers.get(place) ?? [])
      if (!reached.has(importer)) {
        reached.add(importer);
        open.push(importer);
      }
  return tests.filter((file) => reached.has(dirname(file)));
}

/** What lies beside or below a package (testdata, embedded files) belongs to it. */
function packageAround(file: string, folder: string, packages: ReadonlySet<string>): string | undefined {
  for (let place = dirname(file); isInside(folder, place); place = dirname(place))
    if (packages.has(place)) return place;
  return undefined;
}

/** From the folder of a package to those whose files import it. */
function importersOf(folder: string, modulePath: string, files: readonly string[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    const heads = (readText(file) ?? '').matchAll(/^import\s*(?:\(([\s\S]*?)^\)|(?:[\w.]+\s+)?("[^"\n]+"))/gm);
    const names = [...heads].flatMap(([, block, single]) => [...(block ?? single ?? '').matchAll(/"([^"\n]+)"/g)]);
    for (const [, name = ''] of names) {
      if (name !== modulePath && !name.startsWith(`${modulePath}/`)) continue;
      const place = join(folder, name.slice(modulePath.length));
      importers.set(place, (importers.get(place) ?? new Set()).add(dirname(file)));
    }
  }
  return importers;
}
