/** A test method as the source shows it. */
export interface JavaTest {
  /** `demo.CalcTest$Inner`, as reports name it. */
  className: string;
  method: string;
  file: string;
  line: number;
}

const annotation = /^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b/;
const classHead = /^(\s*)(?:[\w@()"]+\s+)*?(?:class|object|record)\s+(\w+)([^{]*)/;
const methodHead = /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[\w<>[\],.?\s]+\s+)?(?:fun\s+(?:`([^`]+)`|(\w+))|(\w+))\s*\(/;

/** The tests written in a file of Java or Kotlin: JUnit 4, 5 and 6, TestNG, and the methods of a JUnit 3 TestCase. */
export function testsIn(text: string, file: string): JavaTest[] {
  const packageName = /^\s*package\s+([\w.]+)/m.exec(text)?.[1];
  const found: JavaTest[] = [];
  const open: { name: string; indent: number; isCase: boolean }[] = [];
  let isTest = false;
  for (const [index, line] of text.split('\n').entries()) {
    const head = classHead.exec(line);
    if (head !== null && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) {
      const [, space = '', name = '', rest = ''] = head;
      while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop();
      open.push({ name, indent: space.length, isCase: /\bextends\s+TestCase\b|:\s*TestCase\(/.test(rest) });
      continue;
    }
    const closing = /^(\s*)\}/.exec(line)?.[1];
    if (closing !== undefined) while ((open.at(-1)?.indent ?? -1) >= closing.length) open.pop();
    if (annotation.test(line)) isTest = true;
    const isOld = open.at(-1)?.isCase === true && /^\s*public\s+void\s+test\w*\s*\(\s*\)/.test(line);
    if (!isTest && !isOld) continue;
    const match = /^\s*@[\w.]+(?:\(.*\))?\s*$/.test(line) ? null : methodHead.exec(line);
    const method = match?.[1] ?? match?.[2] ?? match?.[3];
    if (method === undefined) continue;
    isTest = false;
    const classes = open.map(({ name }) => name).join('$');
    found.push({
      className: packageName === undefined ? classes : `${packageName}.${classes}`,
      method,
      file,
      line: index + 1,
    });
  }
  return found;
}
