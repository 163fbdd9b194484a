import fc from 'fast-check';
import { expect, test } from 'vitest';
import { XmlError, child, childrenNamed, parseXml, type XmlElement } from './xml.ts';

test('elements, attributes, text, comments, CDATA and entities', () => {
  const root = parseXml(`<?xml version="1.0"?>
<!-- a > b -->
<project name='a &lt; b &#65;&#x42;'>
  <dependency><groupId> org.x </groupId><version>1&amp;2</version></dependency>
  <dependency kind="empty" />
  <script><![CDATA[if (a < b) {}]]></script>
</project>`);
  expect(root.attributes['name']).toBe('a < b AB');
  const [first, second] = childrenNamed(root, 'dependency');
  expect(child(first, 'groupId')?.text).toBe('org.x');
  expect(child(first, 'version')?.text).toBe('1&2');
  expect(second?.attributes['kind']).toBe('empty');
  expect(child(root, 'script')?.text).toBe('if (a < b) {}');
});

test('a document type that only names itself is passed over', () => {
  const type = '<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">';
  expect(parseXml(`<?xml version="1.0"?>${type}<report name="x"/>`).attributes['name']).toBe('x');
});

test.each([
  ['', 'no element'],
  ['<a>', 'not closed'],
  ['<a></b>', 'closes'],
  ['<a/><b/>', 'more than one root'],
  ['<a b=c/>', 'malformed'],
  ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'Document types'],
  ['<a><!DOCTYPE b></a>', 'Document types'],
  ['<a><!-- x </a>', 'missing'],
  ['x<a/>', 'outside'],
])('%s is refused', (source, message) => {
  expect(() => parseXml(source)).toThrow(message);
});

test('elements nested beyond reason are refused', () => {
  expect(() => parseXml('<a>'.repeat(300) + '</a>'.repeat(300))).toThrow('too deeply');
});

test('any text either parses or is refused as XML, and what is written is read back', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(failureOf(text) ?? new XmlError()).toBeInstanceOf(XmlError);
    }),
  );
  const text = fc.string().map((each) => each.trim());
  const level = (children: fc.Arbitrary<XmlElement[]>): fc.Arbitrary<XmlElement> =>
    fc.record({
      name: fc.constantFrom('a', 'b-c', 'd.e'),
      attributes: fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.string()),
      children,
      text,
    });
  const leaves = level(fc.constant([]));
  const element = level(fc.array(level(fc.array(leaves, { maxLength: 3 })), { maxLength: 3 }));
  fc.assert(
    fc.property(element, (written) => {
      expect(JSON.stringify(parseXml(write(written)))).toBe(JSON.stringify(written));
    }),
    { numRuns: 50 },
  );
});

function failureOf(source: string): unknown {
  try {
    parseXml(source);
    return undefined;
  } catch (error) {
    return error;
  }
}

function write({ name, attributes, text, children }: XmlElement): string {
  const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  return `<${name}${shown.join('')}>${escape(text)}${children.map(write).join('')}</${name}>`;
}

function escape(text: string): string {
  return text.replace(/[&<"]/g, (each) => `&#${each.codePointAt(0)};`);
}
