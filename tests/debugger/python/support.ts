import { afterEach, beforeAll } from 'vitest';
import {
  ensureDebugpy,
  launch,
  launchTest,
  pythonProject,
  removeProject,
  type Run,
  type SetupParts,
} from './harness.ts';
import type { LaunchSpec } from '../../../src/engine/debugger/model.ts';

export type TestProject = Awaited<ReturnType<typeof pythonProject>>;

export interface Scene {
  project: TestProject;
  run: Run;
  file: string;
}

/** Small programs under the debugger; everything they started is gone after each test. */
export function scenes(): {
  program(text: string, parts?: (file: string) => SetupParts, more?: Partial<LaunchSpec>): Promise<Scene>;
  test(files: Record<string, string>, test: string, parts?: SetupParts): Promise<Scene>;
  project(files: Record<string, string>): Promise<TestProject>;
  keep(run: Run): Run;
} {
  const runs: Run[] = [];
  const projects: TestProject[] = [];
  beforeAll(ensureDebugpy, 180_000);
  afterEach(async () => {
    for (const run of runs.splice(0)) await run.target.dispose();
    for (const project of projects.splice(0)) await removeProject(project);
  });
  const project = async (files: Record<string, string>) => {
    const made = await pythonProject(files);
    projects.push(made);
    return made;
  };
  const keep = (run: Run) => {
    runs.push(run);
    return run;
  };
  return {
    project,
    keep,
    program: async (text, parts = () => ({}), more = {}) => {
      const made = await project({ 'app.py': text });
      const file = made.path('app.py');
      return { project: made, file, run: keep(await launch(made, 'app.py', parts(file), more)) };
    },
    test: async (files, test, parts = {}) => {
      const made = await project(files);
      return {
        project: made,
        file: made.path(test.split(':')[0] ?? ''),
        run: keep(await launchTest(made, test, parts)),
      };
    },
  };
}
