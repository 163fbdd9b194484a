import { childrenNamed, type XmlElement } from '../../../../base/text/xml.ts';
import { mergeCoverage, type NamedCoverage } from '../model.ts';

/** JaCoCo XML: source files named by their package, lines with the instructions that ran (`ci`) and did not (`mi`). */
export function readJacoco(root: XmlElement): NamedCoverage[] {
  const found: NamedCoverage[] = [];
  const visit = (element: XmlElement): void => {
    for (const group of childrenNamed(element, 'group')) visit(group);
    for (const folder of childrenNamed(element, 'package'))
      for (const file of childrenNamed(folder, 'sourcefile')) {
        const lines = new Map<number, number>();
        for (const { attributes } of childrenNamed(file, 'line')) {
          const [number, ran] = [Number(attributes['nr']), Number(attributes['ci'])];
          if (Number.isInteger(number) && Number.isFinite(ran)) lines.set(number, ran > 0 ? 1 : 0);
        }
        const inside = folder.attributes['name'] ?? '';
        found.push({ name: `${inside === '' ? '' : `${inside}/`}${file.attributes['name'] ?? ''}`, lines });
      }
  };
  visit(root);
  return mergeCoverage(found);
}
