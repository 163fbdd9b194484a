import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../../base/positions.ts';
import { classifyReference, type ClassifyHints } from './classify.ts';

const value = { isType: false, isOnlyType: false };
const klass = { isType: true, isOnlyType: false };
const type = { isType: true, isOnlyType: true };

describe('kinds of references in TypeScript and JavaScript', () => {
  it.each<[string, ClassifyHints, string]>([
    ['import { a, «X» } from "x"', value, 'import'],
    ['import type { a,\n  b as c,\n  «X» } from "x"', type, 'import'],
    ['import «X» from "x"', value, 'import'],
    ['export { «X» }', value, 'import'],
    ['export { «X» as y } from "z"', value, 'import'],
    ['export const q = { «X» }', value, 'read'],
    ['«X»(1)', value, 'call'],
    ['a.«X»(1)', value, 'call'],
    ['a?.«X»?.(1)', value, 'call'],
    ['«X»<Map<string, number>>(1)', value, 'call'],
    ['`${«X»(1)}`', value, 'call'],
    ['`a ${ {b: «X»} } c`', value, 'read'],
    ['new «X»()', klass, 'call'],
    ['new ns.«X»', klass, 'call'],
    ['@«X» class A {}', value, 'call'],
    ['const e = <«X» a={1} />', value, 'call'],
    ['«X» = 1', value, 'write'],
    ['a.«X» += 1', value, 'write'],
    ['«X»++', value, 'write'],
    ['if («X» === 1) {}', value, 'read'],
    ['f(«X»)', value, 'read'],
    ['const b = { «X»: 1 }', value, 'write'],
    ['const c = a ? «X» : b', value, 'read'],
    ['class B extends «X» {}', klass, 'inheritance'],
    ['class B<T extends Q> extends ns.«X»<T> implements C {}', klass, 'inheritance'],
    ['class B implements C<D>, «X» {}', type, 'inheritance'],
    ['interface B extends C, «X» {}', type, 'inheritance'],
    ['class B extends C<«X»> {}', klass, 'type'],
    ['function f<T extends «X»>() {}', klass, 'type'],
    ['type Q = A extends «X» ? 1 : 2', klass, 'type'],
    ['let a: «X» = b', klass, 'type'],
    ['let a: «X»[] = []', klass, 'type'],
    ['let a: Map<string, «X»>', klass, 'type'],
    ['a as «X»', klass, 'type'],
    ['function f(): «X» | undefined {}', klass, 'type'],
    ['a instanceof «X»', klass, 'read'],
    ['const s = «X».of(1)', klass, 'read'],
    ['function «X»() {}', value, 'declaration'],
    ['export const «X» = 1', value, 'declaration'],
    ['class A { «X»() { return 1 } }', value, 'declaration'],
    ['class A { private async «X»(a: B): Promise<void> { } }', value, 'declaration'],
    ['class A { get «X»() { return 1 } }', value, 'declaration'],
    ['const a = b ? «X»(1) : c', value, 'call'],
    ['// X\nconst r = /[/"]/.test(«X»)', value, 'read'],
  ])('%s', (source, hints, kind) => {
    expect(classify('tsx', source, hints)).toBe(kind);
  });
});

describe('kinds of references in Python', () => {
  it.each<[string, ClassifyHints, string]>([
    ['from a import (b,\n  «X»)', value, 'import'],
    ['import «X»', value, 'import'],
    ['«X»(1)', value, 'call'],
    ['y = a.«X»(1)', value, 'call'],
    ['f(\n  1,\n  «X»(2),\n)', value, 'call'],
    ['@«X»\ndef f(): pass', value, 'call'],
    ['class A(B, «X»): pass', klass, 'inheritance'],
    ['class A(B[«X»]): pass', klass, 'type'],
    ['def «X»(a): pass', value, 'declaration'],
    ['class «X»: pass', klass, 'declaration'],
    ['def f(a: «X», b=1): pass', klass, 'type'],
    ['def f(a) -> list[«X»]: pass', klass, 'type'],
    ['a: «X» = 1', klass, 'type'],
    ['self.a: dict[str, «X»] = {}', klass, 'type'],
    ['«X» = 1', value, 'write'],
    ['self.«X» = 1', value, 'write'],
    ['«X» += 1', value, 'write'],
    ['a, «X» = 1, 2', value, 'write'],
    ['for «X» in y: pass', value, 'write'],
    ['with a as «X»: pass', value, 'write'],
    ['if «X» == 1: pass', value, 'read'],
    ['f(a=«X»)', value, 'read'],
    ['d = {"a": «X»}', value, 'read'],
    ['return «X»', value, 'read'],
    ['"""X\n"""\nprint(f(«X»))', value, 'read'],
  ])('%s', (source, hints, kind) => {
    expect(classify('py', source, hints)).toBe(kind);
  });
});

function classify(extension: string, marked: string, hints: ClassifyHints): string {
  const offset = marked.indexOf('«');
  const text = new LineIndex(marked.replace('«', '').replace('»', ''));
  return classifyReference(extension, text, text.positionAt(offset), hints);
}
