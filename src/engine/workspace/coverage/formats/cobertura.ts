import { childrenNamed, type XmlElement } from '../../../../base/text/xml.ts';
import { mergeCoverage, type NamedCoverage } from '../model.ts';

/** Cobertura XML (`coverage.xml`): classes with their file, relative to one of the sources that it names. */
export function readCobertura(root: XmlElement): { files: NamedCoverage[]; sources: string[] } {
  const sources = childrenNamed(root, 'sources').flatMap((each) =>
    childrenNamed(each, 'source').map(({ text }) => text),
  );
  const classes = childrenNamed(root, 'packages')
    .flatMap((each) => childrenNamed(each, 'package'))
    .flatMap((each) => childrenNamed(each, 'classes'))
    .flatMap((each) => childrenNamed(each, 'class'));
  const found = classes.flatMap((each) => {
    const name = each.attributes['filename'];
    if (name === undefined) return [];
    const lines = new Map<number, number>();
    for (const line of childrenNamed(each, 'lines').flatMap((group) => childrenNamed(group, 'line'))) {
      const [number, hits] = [Number(line.attributes['number']), Number(line.attributes['hits'])];
      if (Number.isInteger(number) && Number.isFinite(hits)) lines.set(number, hits);
    }
    return [{ name, lines }];
  });
  return { files: mergeCoverage(found), sources: sources.filter((each) => each !== '') };
}
