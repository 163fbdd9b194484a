import { describe, expect, it } from 'vitest';
import { refuseBroken } from './brokenCode.ts';

describe('refuseBroken', () => {
  const element = 'function view(name) {\n  return <b title={name + name}>text</b>;\n}\n';

  it('refuses where the parser had to guess what stands around the selection', () => {
    const change = (): void =>
      refuseBroken('/a.ts', element, element.replace('name + name', 'twice'), element.indexOf('name +'));
    expect(change).toThrow('not valid (line 2)');
  });

  it('lets pass what is broken elsewhere, or not broken afterwards', () => {
    const other = `${element}const one = 1 + 2;\n`;
    expect(() => refuseBroken('/a.ts', other, other, other.indexOf('1 + 2'))).not.toThrow();
    expect(() => refuseBroken('/a.ts', 'const one = "1', 'const one = "1"', 12)).not.toThrow();
  });
});
