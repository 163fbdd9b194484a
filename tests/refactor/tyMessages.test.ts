import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TypeChecker } from '../../src/engine/code/refactor/python/typeChecker.ts';
import {
  mismatchedTypes,
  missesMember,
  missesName,
  missesRequiredKey,
  refusesAssignment,
  undefinedName,
  withoutPlaces,
} from '../../src/engine/code/refactor/python/tyMessages.ts';
import { ensureEngine } from '../support/engines.ts';

const program = `from typing import Protocol, TypedDict
import store
class Shape(Protocol):
    def area(self) -> int: ...
class Square:
    def surface(self) -> int: return 1
class Point(TypedDict):
    x: int
def show(shape: Shape) -> None: ...
show(Square())
held: Shape = Square()
Square().area()
point: Point = {"y": 1}
store.LIMIT = "many"
print(missing)
from store import lost
show(form=held)
def later() -> Shape: return Square()
`;
/** What the pinned version says of it, as it says it on the command line too. */
const said = [
  '10 invalid-argument-type: Argument to function `show` is incorrect: Expected `Shape`, found `Square`',
  '11 invalid-assignment: Object of type `Square` is not assignable to `Shape`',
  '12 missing-attribute: Object of type `Square` has no attribute `area`',
  "13 missing-typed-dict-key: Missing required key 'x' in TypedDict `Point` constructor",
  '13 unknown-typed-dict-constructor-key: Unknown key "y" for TypedDict `Point`',
  '14 invalid-assignment: Object of type `Literal["many"]` is not assignable to attribute `LIMIT` of type `int`',
  '15 unresolved-reference: Name `missing` used when not defined',
  '16 import-not-found: Module `store` has no member `lost`',
  '17 missing-argument: No argument provided for required parameter `shape` of function `show`',
  '17 unknown-argument: Argument `form` does not match any known parameter of function `show`',
  '18 invalid-return-type: Return type does not match returned value: expected `Shape`, found `Square`',
];

it('what the type checker says is what is read', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ty-messages-')));
  await writeFile(join(folder, 'example.py'), program);
  await writeFile(join(folder, 'store.py'), 'LIMIT: int = 1\n');
  const { path } = await ensureEngine('ty');
  const checker = await TypeChecker.start(folder, path, undefined, process.env);
  const errors = await checker.errors();
  await checker.dispose();
  await rm(folder, { recursive: true });
  expect(errors.map(({ line, message }) => `${line} ${message}`)).toEqual(said);

  const reading = (reads: (message: string) => unknown): string[] =>
    said.filter((message) => reads(message)).map((message) => message.slice(0, 2));
  expect(reading((message) => missesName(message, 'lost'))).toEqual(['16']);
  expect(reading((message) => missesName(message, 'y'))).toEqual(['13']);
  expect(reading((message) => missesName(message, 'form'))).toEqual(['17']);
  expect(reading((message) => missesRequiredKey(message, 'x'))).toEqual(['13']);
  expect(reading((message) => missesMember(message, 'area'))).toEqual(['12']);
  expect(reading((message) => refusesAssignment(message, 'LIMIT'))).toEqual(['14']);
  expect(said.map(undefinedName).filter((name) => name !== undefined)).toEqual(['missing']);
  expect(reading((message) => mismatchedTypes(message)?.join() === 'Shape,Square')).toEqual(['10', '18']);
  expect(reading((message) => mismatchedTypes(message)?.join() === 'Square,Shape')).toEqual(['11']);
  expect(withoutPlaces('`T@first` of a/b.py:12:3')).toBe('`T` of a/b.py');
});
