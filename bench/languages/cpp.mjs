import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { engine, measureLanguage } from '../support/languageBench.mjs';
import { RawGdb } from '../support/rawGdb.mjs';

const source = `#include <cstdio>
#include <vector>

struct Order {
    int qty;
    std::vector<int> items;
};

int total(const std::vector<Order>& orders, int rounds) {
    int result = 0;
    for (int n = 0; n < rounds; n++) {
        const Order& order = orders[n % orders.size()];
        result += order.qty;
        int half = result / 2;
        (void)half;
    }
    return result;
}

int main() {
    std::vector<Order> orders;
    for (int n = 0; n < 10; n++) orders.push_back(Order{n, std::vector<int>(100)});
    std::printf("%d\\n", total(orders, 100000));
}
`;
const line = 13;

export function measure(context) {
  const { env } = context;
  const gdb = engine('gdb', env);
  return measureLanguage(context, {
    name: 'cpp',
    files: { 'main.cpp': source },
    file: 'main.cpp',
    line,
    debugger: 'gdb',
    rawLaunch: (project) => {
      const [file, program] = [join(project, 'main.cpp'), join(project, '__bench')];
      execFileSync('g++', ['-g', '-O0', '-o', program, file]);
      return RawGdb.launch(gdb, program, file, line);
    },
    server: { name: 'clangd', command: [engine('clangd', env)], languageId: 'cpp', line: 4, column: 8, uses: 5 },
  });
}
