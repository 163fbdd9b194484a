import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { ava } from './ava.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import type { Evidence, TestFile, TestRunner } from './model.ts';
import { nodeTest } from './nodeTest.ts';
import { tap, tape } from './tap.ts';
import { vitest } from './vitest.ts';

/** The runners of JavaScript and TypeScript. */
export const scriptRunners: readonly TestRunner[] = [vitest, jest, mocha, ava, nodeTest, tap, tape];

/** The runner that is meant for a file; undefined when it is a plain program. */
export function runnerFor(file: TestFile): { runner: TestRunner; evidence: Evidence } | undefined {
  const found = scriptRunners.flatMap((runner) => {
    const evidence = runner.detect(file);
    return evidence === undefined ? [] : [{ runner, evidence }];
  });
  const best = found.toSorted((a, b) => b.evidence.strength - a.evidence.strength)[0];
  // What only the package says concerns files that look like tests: others are programs.
  const looksLikeTest = /\b(describe|it|test|suite)\s*(\.\w+)*\s*[(`]/.test(file.text);
  if (best !== undefined && (best.evidence.strength > 4 || looksLikeTest)) return best;
  if (!looksLikeTest || importsTest(file.text)) return undefined;
  const scripts = file.folders.flatMap((folder) => folder.scripts['test'] ?? []);
  throw new ToolError('launch_failed', `It cannot be told which test runner runs ${file.path}.`, {
    hint: advise`Known are ${scriptRunners.map(({ id }) => id).join(', ')}, by an import, a configuration, a script or a dependency${
      scripts[0] === undefined ? '' : `; the test script is "${scripts[0]}"`
    }. As a plain program it is ${step('debugProbe', ['program'])}.`,
  });
}

/** The file brings its own `test` or `it`. */
function importsTest(text: string): boolean {
  return /\b(?:function|const|let|var)\s+(?:describe|it|test|suite)\b|import\b[^;]*\b(?:describe|it|test|suite)\b[^;]*from|\b(?:describe|it|test|suite)\b[^;=]*=\s*(?:await\s+import|require)\b/.test(
    text,
  );
}
