import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { testCacheDir } from '../../support/engines.ts';
import { ensureDebugpy } from './harness.ts';

const files = {
  'fails.py': 'wanted = 3\nraise ValueError("fails by %d" % wanted)\n',
  'test_expected.py': `import multiprocessing, subprocess, sys, threading, unittest

def work():
    raise ValueError("expected")

class Expected(unittest.TestCase):
    def test_program(self):
        self.assertEqual(subprocess.run([sys.executable, "fails.py"], capture_output=True).returncode, 1)
    def test_command(self):
        self.assertEqual(subprocess.run([sys.executable, "-c", "raise KeyError(1)"], capture_output=True).returncode, 1)
    def test_fork(self):
        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join()
        self.assertEqual(process.exitcode, 1)
    def test_thread(self):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertFalse(thread.is_alive())
    def test_hook(self):
        try:
            work()
        except ValueError:
            sys.excepthook(*sys.exc_info())
`,
  'test_after.py': `import subprocess, sys, threading, unittest

class After(unittest.TestCase):
    def test_thread(self):
        kept = []
        def fill():
            kept.append(1 // len(kept))
        thread = threading.Thread(target=fill)
        thread.start()
        thread.join()
        self.assertEqual(kept, [1])
    def test_program(self):
        self.assertEqual(subprocess.run([sys.executable, "fails.py"]).returncode, 0)
    def test_other(self):
        subprocess.run([sys.executable, "fails.py"], capture_output=True)
        self.assertEqual("found", "expected")
`,
  'forks.py': `import multiprocessing

def work(given):
    return given["absent"]

if __name__ == "__main__":
    process = multiprocessing.get_context("fork").Process(target=work, args=({},))
    process.start()
    process.join()
`,
};

describe('in a Python test, what fails in a thread or in another process', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(ensureDebugpy, 180_000);
  beforeEach(async () => {
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'probe' });
  });
  afterEach(() => ide.dispose());

  it('is no failure of a test that passes', async () => {
    const text = await agent.text('debug_probe', { test: 'test_expected.py', wait_ms: 30_000 });
    expect(text).toContain('exit code 0');
    expect(text).not.toContain('Stopped');
    const watched = await agent.text('debug_probe', {
      test: 'test_expected.py::Expected::test_program',
      breakpoints: [{ file: 'fails.py', line: 1 }],
      wait_ms: 30_000,
    });
    expect(watched).toContain('Stopped (breakpoint) at fails.py:1');
    expect(watched).toContain('exit code 0');
    expect(watched).not.toContain('exception');
  });

  it.each([
    ['test_thread', 'test_after.py:7 in After.test_thread.fill', 'test_after.py:11 in After.test_thread'],
    ['test_program', 'fails.py:2 in <module>', 'test_after.py:13 in After.test_program'],
  ])('is told before the failure that came of it, in %s', async (name, cause, failure) => {
    const text = await agent.text('debug_probe', { test: `test_after.py::After::${name}`, wait_ms: 30_000 });
    const places = [...text.matchAll(/^Stopped \(exception\) at (.*?)(?: \[.*)?$/gm)].map((match) => match[1]);
    expect(places).toEqual([cause, failure]);
  });

  it('is left out of a failure that it has nothing to do with', async () => {
    const text = await agent.text('debug_probe', { test: 'test_after.py::After::test_other', wait_ms: 30_000 });
    expect(text).toMatch(/^Stopped \(exception\) at test_after\.py:16 in After\.test_other/);
    expect(text).not.toContain('fails.py:2');
  });

  it('is a stop of a program that is no test, without frames of ours', async () => {
    const text = await agent.text('debug_probe', { program: 'forks.py', wait_ms: 30_000 });
    expect(text).toContain('Stopped (exception) at forks.py:4 in work');
    expect(text).not.toContain('launch.py');
  });
});
