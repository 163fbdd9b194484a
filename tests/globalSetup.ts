import { grammars } from '../src/engine/provision/engines/servers/grammars.ts';
import {
  foreignCompilers,
  foreignFormatters,
  foreignRunners,
  foreignTool,
  foreignTools,
  formatterEnvironment,
  fortranTools,
  mesonTools,
  installed,
  numberLibraries,
  pythonEnvironment,
  pythonProtocol,
} from './harness/foreignTool.ts';
import { ensureEngine } from './support/engines.ts';
import { builtProgram } from './support/program.ts';
import { installAdapters } from './clients/acp/hostedClient.ts';
import { installClient } from './clients/realClient.ts';
import { realClients } from './clients/specs/all.ts';
import { installedCodeServer } from './editors/codeServer.ts';
import { mavenRepository } from './testRuns/mavenProject.ts';

/** Engines that tests drive for real. They are installed here, before the clock of any test runs. */
const engines = [
  'debugpy',
  'basedpyright',
  'ty',
  'rope',
  'coverage',
  'dlv',
  'gopls',
  'gdb',
  'clangd',
  'rust-analyzer',
  ...grammars.map(({ id }) => id),
];

/**
 * Whole runs (`npm test`, CI) prepare everything first; a run of single files prepares nothing and leaves it to the tests that need
 * something, so that it stays quick.
 */
export default async function setup(): Promise<void> {
  if (process.env['SIGHTLINE_TEST_PREPARE'] !== '1') return;
  await builtProgram();
  for (const id of engines) {
    const startedAt = Date.now();
    const { version } = await ensureEngine(id);
    console.log(`engine ${id} ${version} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
  for (const { packageSpec, bin } of Object.values(foreignTools)) await foreignTool(packageSpec, bin);
  for (const client of realClients) await installClient(client);
  await installedCodeServer();
  await installAdapters();
  await installed(foreignFormatters.npm);
  await installed(foreignCompilers);
  await installed(foreignRunners);
  const python = (await ensureEngine('python')).path;
  await formatterEnvironment(python);
  await pythonEnvironment(python, 'numbers', numberLibraries);
  await pythonEnvironment(python, 'acp', pythonProtocol);
  await pythonEnvironment('/usr/bin/python3', 'fortran', fortranTools);
  await pythonEnvironment('/usr/bin/python3', 'meson', mesonTools);
  // Without Maven its own tests fail and say so; the others need none.
  await mavenRepository().catch((error: unknown) => console.log(`Maven: ${String(error)}`));
}
