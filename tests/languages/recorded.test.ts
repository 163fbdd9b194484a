import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const java = `import java.util.*;

public class Hot {
    private int total;
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    void add(List<Integer> into, int n) { into.add(n); total += n; }
    static int risky(int n) {
        if (n == 2) throw new IllegalStateException("bad " + n);
        return n;
    }
    static int guarded(int n) {
        try { return risky(n); } catch (IllegalStateException e) { return -1; }
    }
    public static void main(String[] args) throws Exception {
        System.out.println(fib(16));
        Hot hot = new Hot();
        List<Integer> list = new ArrayList<>();
        for (int i = 1; i < 3; i++) hot.add(list, i);
        Thread other = new Thread(() -> guarded(1), "helper");
        other.start();
        other.join();
        guarded(2);
        System.exit(3);
    }
}
`;

const cpp = `#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Hot {
  int total = 0;
  void add(std::vector<int>& into, int n) {
    into.push_back(n);
    total += n;
  }
};
int risky(int n) {
  if (n == 2) throw std::runtime_error("bad " + std::to_string(n));
  return n;
}
int guarded(int n) {
  try {
    return risky(n);
  } catch (const std::runtime_error&) {
    return -1;
  }
}
int main() {
  printf("%d\\n", fib(12));
  Hot hot;
  std::vector<int> list;
  for (int i = 1; i < 3; i++) hot.add(list, i);
  guarded(2);
  return 3;
}
`;

/** Programs that nothing of ours runs inside: their engines are asked. */
describe('a program recorded from outside', { timeout: 240_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('gdb');
    ide = await startSightline({ project: { 'Hot.java': java, 'hot.cpp': cpp } });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('of Java shows results, changes, exceptions that are caught, threads, and how it ended', async () => {
    const text = await agent.text('debug_trace', { program: 'Hot.java', wait_ms: 40_000 });
    expect(text).toMatch(/^exit code 3; at least \d+ calls of 7 functions/);
    expect(text).toMatch(/Hot\.add\(into=ArrayList\(1\) \[1\], n=2\) → void; this\.total: 1 ⇒ 3; into\[1\] = 2/);
    expect(text).toMatch(/Hot\.guarded\(n=2\) → -1/);
    expect(text).toMatch(/Hot\.risky\(n=2\) ✗ threw IllegalStateException: bad 2 at :8/);
    expect(text).toMatch(/Hot\.main \(lambda\)\(\) → .*<thread helper>/);
    expect(text).toMatch(/Output: 987$/m);
  });

  it('of Java tells who wrote a field, and where no field is written', async () => {
    const text = await agent.text('debug_who_changed', {
      program: 'Hot.java',
      expression: 'this.total',
      wait_ms: 40_000,
    });
    expect(text).toMatch(
      /^this\.total(?: \(of #1\))?: 0 → 3 \(in 2 writes\) {2}Hot\.java:6 Hot\.add ← Hot\.main :18$/m,
    );
    const { error } = await agent.call('debug_trace', { program: 'Hot.java', lines: true });
    expect(error?.message).toContain('How often lines run is not counted for programs in java.');
  });

  it('of C++ shows results, changes, exceptions that are caught, and how it ended', async () => {
    const text = await agent.text('debug_trace', { program: 'hot.cpp', wait_ms: 40_000 });
    expect(text).toMatch(/^exit code 3; at least \d+ calls of 5 functions/);
    expect(text).toMatch(/Hot::add\(into=\[1\], n=2\) → void; this\.total: 1 ⇒ 3; into\[1\] = 2/);
    expect(text).toMatch(/risky\(n=2\) ✗ threw std::runtime_error: bad 2 at :14/);
    expect(text).toMatch(/guarded\(n=2\) → -1/);
    expect(text).toMatch(/Output: 144$/m);
  });
});
