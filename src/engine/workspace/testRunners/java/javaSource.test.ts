import { expect, test } from 'vitest';
import { testsIn } from './javaSource.ts';

test('methods of JUnit 5 and 4, nested classes, JUnit 3, Kotlin', () => {
  const java = `package demo.core;
/** class Comment */
public class CalcTest extends Base {
  @Test
  void adds() throws Exception {
    helper(1);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {1, 2})
  void many(int n) {}

  @Nested
  class Inner {
    @Test public void deep() {}
  }

  @RepeatedTest(3) @DisplayName("again") void again() {}
  void helper(int x) {}
}
class Old extends TestCase {
  public void testOld() {}
}
`;
  expect(testsIn(java, 'x').map(({ className, method, line }) => `${className}#${method}:${line}`)).toEqual([
    'demo.core.CalcTest#adds:5',
    'demo.core.CalcTest#many:11',
    'demo.core.CalcTest$Inner#deep:15',
    'demo.core.CalcTest#again:18',
    'demo.core.Old#testOld:22',
  ]);
  const kotlin = 'package k\nclass CalcTest {\n  @Test\n  fun `adds two numbers`() {}\n}\n';
  expect(testsIn(kotlin, 'x')).toMatchObject([{ className: 'k.CalcTest', method: 'adds two numbers', line: 4 }]);
});
