import { posix } from 'node:path';
import { child, parseXml, type XmlElement } from '../../../base/text/xml.ts';
import { childText } from './xmlText.ts';
import { folderOf, inFolder, type Dependency, type EcosystemReader, type ReadText } from './model.ts';

export const maven: EcosystemReader = {
  ecosystem: 'maven',
  isManifest: (name) => name === 'pom.xml',
  read: async (manifest, read) => {
    const chain = await pomChain(manifest, read);
    const [own] = chain;
    if (own === undefined) return [];
    const properties = propertiesOf(chain);
    const managed = managedVersions(chain, properties);
    const elements = child(own, 'dependencies')?.children ?? [];
    return elements
      .filter((element) => element.name === 'dependency')
      .map((element): Dependency => {
        const name = `${interpolated(childText(element, 'groupId') ?? '?', properties)}:${interpolated(childText(element, 'artifactId') ?? '?', properties)}`;
        const declared = childText(element, 'version');
        const version = declared === undefined ? managed.get(name) : interpolated(declared, properties);
        const isKnown = version !== undefined && !/[${}[\](),]/.test(version);
        return {
          ecosystem: 'maven',
          name,
          // Without a version of its own it is managed: here, by a parent, or by a bill of materials.
          declared: declared ?? 'managed',
          ...(isKnown ? { resolved: version, lockFile: manifest } : {}),
          scope: mavenScope(childText(element, 'scope'), childText(element, 'optional')),
          module: folderOf(manifest),
          manifest,
          direct: true,
        };
      });
  },
};

function mavenScope(scope: string | undefined, optional: string | undefined): string {
  if (optional === 'true') return 'optional';
  return scope === undefined || scope === 'compile' ? 'runtime' : scope;
}

/** The project element of this file and of its parents, as far as they lie in the project. */
async function pomChain(manifest: string, read: ReadText): Promise<XmlElement[]> {
  const chain: XmlElement[] = [];
  let path: string | undefined = manifest;
  while (path !== undefined && chain.length < 10) {
    const text: string | undefined = await read(path);
    const project = text === undefined ? undefined : parseXml(text);
    if (project === undefined) break;
    chain.push(project);
    const parent = child(project, 'parent');
    if (parent === undefined) break;
    const relative: string = childText(parent, 'relativePath') ?? '../pom.xml';
    const target: string = posix.normalize(inFolder(folderOf(path), relative));
    path =
      target.startsWith('..') || target === path
        ? undefined
        : target.endsWith('.xml')
          ? target
          : inFolder(target, 'pom.xml');
  }
  return chain;
}

function propertiesOf(chain: readonly XmlElement[]): Map<string, string> {
  const properties = new Map<string, string>();
  for (const project of [...chain].reverse()) {
    for (const name of ['version', 'groupId', 'artifactId']) {
      const value = childText(project, name) ?? childText(child(project, 'parent'), name);
      if (value !== undefined) properties.set(`project.${name}`, value);
    }
    for (const property of child(project, 'properties')?.children ?? [])
      properties.set(property.name, property.text.trim());
  }
  return properties;
}

function managedVersions(chain: readonly XmlElement[], properties: Map<string, string>): Map<string, string> {
  const versions = new Map<string, string>();
  for (const project of [...chain].reverse()) {
    for (const element of child(child(project, 'dependencyManagement'), 'dependencies')?.children ?? []) {
      const version = childText(element, 'version');
      if (version === undefined) continue;
      const name = `${childText(element, 'groupId') ?? '?'}:${childText(element, 'artifactId') ?? '?'}`;
      versions.set(interpolated(name, properties), interpolated(version, properties));
    }
  }
  return versions;
}

function interpolated(text: string, properties: ReadonlyMap<string, string>): string {
  let result = text;
  for (let round = 0; round < 5 && result.includes('${'); round++)
    result = result.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
  return result;
}
