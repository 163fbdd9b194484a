import { child, type XmlElement } from '../../../base/text/xml.ts';

/** The text of the first child of that name; undefined when there is none or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  const text = child(element, name)?.text;
  return text === '' ? undefined : text;
}
