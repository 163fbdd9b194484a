import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { engine, measureLanguage } from '../support/languageBench.mjs';
import { RawGdb } from '../support/rawGdb.mjs';

const source = `struct Order {
    qty: i64,
    items: Vec<i64>,
}

fn total(orders: &[Order], rounds: usize) -> i64 {
    let mut result = 0;
    for n in 0..rounds {
        let order = &orders[n % orders.len()];
        result += order.qty;
        let half = result / 2;
        let _ = half;
    }
    result
}

fn main() {
    let orders: Vec<Order> = (0..10).map(|n| Order { qty: n, items: vec![0; 100] }).collect();
    println!("{} {}", total(&orders, 100_000), orders[0].items.len());
}
`;
const line = 10;

export function measure(context) {
  const gdb = engine('gdb', context.env);
  return measureLanguage(context, {
    name: 'rust',
    files: {
      'src/main.rs': source,
      'Cargo.toml': '[package]\nname = "bench"\nversion = "0.1.0"\nedition = "2021"\n',
    },
    file: 'src/main.rs',
    line,
    debugger: 'gdb',
    rawLaunch: (project) => {
      execFileSync('cargo', ['build', '--quiet'], { cwd: project });
      return RawGdb.launch(gdb, join(project, 'target/debug/bench'), join(project, 'src/main.rs'), line);
    },
    server: { name: 'rust-analyzer', command: ['rust-analyzer'], languageId: 'rust', line: 1, column: 8, uses: 4 },
  });
}
