import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { mavenProject, mavenRepository } from '../testRuns/mavenProject.ts';

const app = `package demo;

public class App {
  public static void main(String[] args) {
    int half = Calc.divide(Integer.parseInt(args[0]), 2);
    System.out.println("half " + half);
    Calc.divide(half, 0);
  }
}
`;

describe('Java in a Maven build', { timeout: 240_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await mavenRepository();
    ide = await startSightline({ project: { ...mavenProject, 'src/main/java/demo/App.java': app } });
    agent = await ide.connect({ face: 'default' });
  }, 400_000);
  afterAll(() => ide.dispose());

  /** Maven may take longer than one call on a busy machine; the same call made again goes on. */
  async function probe(args: Record<string, unknown>): Promise<string> {
    for (;;) {
      const { text, error } = await agent.call('debug_probe', args);
      if (error?.name !== 'timeout') return text;
    }
  }

  it('debugs a test by its name to the failing assertion, and says which tests there are when it has another', async () => {
    const failing = await probe({ test: 'src/test/java/demo/CalcTest.java::divides', wait_ms: 40_000 });
    expect(failing).toContain('AssertionFailedError');
    expect(failing).toContain('expected: <3> but was: <2>');
    expect(failing).toContain('src/test/java/demo/CalcTest.java:12');
    const { error } = await agent.call('debug_probe', { test: 'src/test/java/demo/CalcTest.java::divide' });
    expect(error).toMatchObject({ name: 'test_not_found', hint: expect.stringContaining('divides') as string });
  });

  it('runs a main class with the class path of the build, and does not build again what has not changed', async () => {
    const first = await probe({ module: 'demo.App', language: 'java', args: ['9'] });
    expect(first).toContain('IllegalArgumentException: by zero');
    expect(first).toContain('half 4');
    expect(first).toContain('src/main/java/demo/Calc.java:6');
    const before = Date.now();
    expect(await probe({ program: 'src/main/java/demo/App.java', args: ['7'] })).toContain('half 3');
    expect(Date.now() - before).toBeLessThan(8000);
  });
});
