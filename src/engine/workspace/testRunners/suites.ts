import type { SuiteRunner } from '../tests/model.ts';
import { ctest } from './cpp/ctest.ts';
import { goTest } from './go/goTest.ts';
import { gradle } from './java/gradle.ts';
import { maven } from './java/maven.ts';
import { cargoTest } from './rust/cargoTest.ts';
import { jest, jestRun } from './jest.ts';
import { mocha, mochaRun } from './mocha.ts';
import type { ScriptRun, TestRunner } from './model.ts';
import { nodeTest, nodeTestRun } from './nodeTest.ts';
import { packageFolder } from './packages.ts';
import { pythonSuite } from './pythonSuite.ts';
import { scriptPackageOf, scriptPackages } from './scriptSuites.ts';
import { vitest, vitestRun } from './vitest.ts';

/** Every runner whose runs are data. */
export const suiteRunners: readonly SuiteRunner[] = [
  scriptSuite(vitest, vitestRun),
  scriptSuite(jest, jestRun),
  scriptSuite(mocha, mochaRun),
  scriptSuite(nodeTest, nodeTestRun),
  pythonSuite,
  goTest,
  cargoTest,
  maven,
  gradle,
  ctest,
];

function scriptSuite(runner: TestRunner, run: ScriptRun): SuiteRunner {
  const { collect } = run;
  return {
    id: runner.id,
    packages: (project, files) => scriptPackages(runner, run.command, project, files),
    packageOf: (project, file) => scriptPackageOf(runner, project, file),
    plan: (request) => run.plan(request, packageFolder(request.package.folder)),
    ...(collect === undefined ? {} : { collect: (request) => collect(request, packageFolder(request.package.folder)) }),
  };
}
