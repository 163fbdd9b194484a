#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../base/errors.ts';
import { platform } from '../base/platform/here.ts';
import { runShim } from './shim/runShim.ts';
import { parseStdioOptions } from './stdioOptions.ts';

// Only the shim is part of this file: an agent waits for it. Everything else is loaded by the commands that need it.
const entry = fileURLToPath(import.meta.url);
const [command, ...rest] = process.argv.slice(2);
const isShim = command === 'stdio' && !['--embedded', '--help', '-h'].some((flag) => rest.includes(flag));
if (isShim) startShim();
else await runMain();

function startShim(): void {
  try {
    runShim(parseStdioOptions(rest, process.cwd()), platform.customs.environment(process.env), entry);
  } catch (error) {
    process.stderr.write(`sightline stdio: ${errorMessage(error)}\n`);
    process.exitCode = 2;
  }
}

async function runMain(): Promise<void> {
  const { main } = await import('./main.ts');
  const code = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    env: platform.customs.environment(process.env),
    entry,
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
  });
  // Everything is disposed by now; what an engine's library left open must not keep the process.
  process.stdout.write('', () => process.exit(code));
}
