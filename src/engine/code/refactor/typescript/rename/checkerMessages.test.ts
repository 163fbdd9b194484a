import { expect, it } from 'vitest';
import { checkerMessages } from './checkerMessages.ts';

const says = checkerMessages('size', 'width');

/** As TypeScript 7 words them: an update that words them otherwise must change this file too. */
it('what the checker says of a rename that is not whole', () => {
  expect(says.lackingTypes("Property 'width' is missing in type 'Box' but required in type 'Shape'.")).toEqual(['Box']);
  expect(says.lackingTypes("Property 'width' does not exist on type 'Box<number>'.")).toEqual(['Box']);
  expect(says.lackingTypes("Property 'size' is missing in type 'Box' but required in type 'Shape'.")).toEqual([
    'Shape',
  ]);
  const nameless = "Property 'width' is missing in type '{ size: number; }' but required in type 'Shape'.";
  expect(says.isLackedByObject(nameless)).toBe(true);
  expect(says.lackingShapes(nameless)).toEqual(['{ size: number; }']);
  expect(says.isUnfound("Property 'size' does not exist on type 'Shape'.")).toBe(true);
  expect(says.isRefusedKey(`Type '"size"' is not assignable to type 'keyof Shape'.`)).toBe(true);
  expect(says.isRefusedKey(`Argument of type '"size"' is not assignable to parameter of type 'keyof Shape'.`)).toBe(
    true,
  );
  expect(says.lackingOld("Property 'size' is missing in type 'typeof Box' but required")).toBe('Box');
  expect(says.isLackingNew(nameless)).toBe(true);
});
