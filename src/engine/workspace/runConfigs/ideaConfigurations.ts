import { childrenNamed, child, parseXml, XmlError, type XmlElement } from '../../../base/text/xml.ts';
import { ideaPlan } from './ideaTypes.ts';
import type { Draft, Drafts } from './model.ts';
import { projectNames, projectText } from './projectText.ts';

/** Run configurations of JetBrains IDEs: shared ones in files of their own, the others in the workspace. */
export async function ideaConfigurations(root: string): Promise<Drafts> {
  const drafts: Draft[] = [];
  const problems: string[] = [];
  const shared = [
    ...(await projectNames(root, '.idea/runConfigurations')).map((name) => `.idea/runConfigurations/${name}`),
    ...(await projectNames(root, '.run')).map((name) => `.run/${name}`),
  ];
  for (const source of [...shared.filter((each) => each.endsWith('.xml')), '.idea/workspace.xml']) {
    const text = await projectText(root, source);
    if (text === undefined) continue;
    try {
      for (const element of configurationsIn(parseXml(text))) {
        drafts.push(await configurationDraft(element, root, source));
      }
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      problems.push(`${source}: ${error.message}`);
    }
  }
  return { drafts, problems };
}

function configurationsIn(root: XmlElement): XmlElement[] {
  const holders = [
    root,
    ...childrenNamed(root, 'component').filter((each) => each.attributes['name'] === 'RunManager'),
  ];
  return holders
    .flatMap((holder) => childrenNamed(holder, 'configuration'))
    .filter(({ attributes }) => attributes['name'] !== undefined && attributes['default'] !== 'true');
}

async function configurationDraft(element: XmlElement, root: string, source: string): Promise<Draft> {
  const { name = '', type = '', temporary, folderName } = element.attributes;
  const { title, plan, problem } = ideaPlan(element, type, root);
  const before = childrenNamed(child(element, 'method'), 'option')
    .filter(({ attributes }) => attributes['enabled'] !== 'false')
    .map(({ attributes }) => attributes['name'] ?? '')
    .filter((each) => each !== '' && each !== 'Make');
  return {
    name,
    type: title,
    typeId: type,
    source,
    isTemporary: temporary === 'true',
    folder: folderName,
    ...(before.length === 0 ? {} : { description: `Before launch in the IDE (not run here): ${before.join(', ')}` }),
    ...(plan === undefined ? {} : { plan }),
    ...(problem === undefined ? {} : { problem }),
  };
}
