import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignTool, foreignTools, type ForeignTool } from '../harness/foreignTool.ts';
import { removeDirectory, startSightline, temporaryDirectory, type RunningSightline } from '../harness/harness.ts';
import { faceNames, faces } from '../../src/tools/faces.ts';
import { builtProgram } from '../support/program.ts';

const project = { 'package.json': '{"name":"tiny","version":"1.2.3"}', 'src/index.js': 'export const a = 1;\n' };

/** Clients that others wrote: the Inspector of today, in both eras, and the last one of the years before. */
const clients = [
  { name: 'Inspector 2.12, 2026', tool: 'inspector', more: ['--protocol-era', 'modern', '--format', 'json'] },
  { name: 'Inspector 2.12, 2025', tool: 'inspector', more: ['--protocol-era', 'legacy', '--format', 'json'] },
  { name: 'Inspector 1.0.3', tool: 'oldInspector', more: [] },
] as const;

describe.each(clients)('$name', ({ tool, more }) => {
  let ide: RunningSightline;
  let inspector: ForeignTool;
  let program: string;
  let inspectorHome: string;

  beforeAll(async () => {
    program = await builtProgram();
    inspector = await foreignTool(foreignTools[tool].packageSpec, foreignTools[tool].bin);
    inspectorHome = await temporaryDirectory('inspector');
    ide = await startSightline({ project });
  }, 240_000);
  afterAll(async () => {
    await ide.dispose();
    await removeDirectory(inspectorHome);
  });

  const isOld = tool === 'oldInspector';
  const stdio = ['stdio', '--face', 'workspace', '--project'];
  const inspect = async (way: 'http' | 'sse' | 'embedded' | 'shim', args: string[]): Promise<unknown> => {
    const url = `${ide.url}/workspace-mcp${way === 'sse' ? '/sse' : ''}`;
    const remote = [...(isOld ? [] : ['--server-url']), url, '--transport', way];
    const header = ['--header', `Authorization: Bearer ${ide.token}`];
    const local = [process.execPath, program, ...stdio, ide.root, ...(way === 'embedded' ? ['--embedded'] : [])];
    const own = [...args, ...more];
    // It hands on only what it is told to. The shared process that the shim starts leaves soon after.
    const variables = ['-e', `SIGHTLINE_HOME=${ide.home}`, '-e', 'SIGHTLINE_SERVER_IDLE_EXIT_MINUTES=0.01'];
    // The old one takes the command of the server before its own flags, the new one after them.
    const command = isOld ? [...variables, ...local, ...own] : [...variables, ...own, '--', ...local];
    const words = way === 'http' || way === 'sse' ? [...remote, ...own, ...header] : command;
    const { code, stdout, stderr } = await inspector.run(['--cli', ...words], environment(inspectorHome));
    if (code !== 0) throw new Error(`${words.join(' ')}\nexit ${code}\n${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  };

  // The revision of 2026 left HTTP+SSE behind.
  const ways = (['http', 'sse', 'embedded', 'shim'] as const).filter(
    (way) => way !== 'sse' || !more.some((word) => word === 'modern'),
  );

  it.each(ways)('lists tools over %s', async (way) => {
    const listed = JSON.stringify(await inspect(way, ['--method', 'tools/list']));
    expect(listed).toContain('"list_project_files"');
    expect(listed).toContain('"get_project_info"');
  });

  it.each(ways)('calls a tool over %s', async (way) => {
    const answer = JSON.stringify(await inspect(way, ['--method', 'tools/call', '--tool-name', 'list_project_files']));
    expect(answer).toContain('src/index.js');
  });
});

describe('Inspector 2.12 --strict', { timeout: 240_000 }, () => {
  it.each(faceNames)('finds no fault in the schemas of the face %s', async (face) => {
    const inspector = await foreignTool(foreignTools.inspector.packageSpec, foreignTools.inspector.bin);
    const home = await temporaryDirectory('inspector');
    const ide = await startSightline({ project });
    const url = `${ide.url}${faces[face].path}`;
    const words = ['--server-url', url, '--transport', 'http', '--method', 'tools/list', '--strict'];
    const header = ['--header', `Authorization: Bearer ${ide.token}`];
    const { code, stderr } = await inspector.run(['--cli', ...words, ...header], environment(home));
    await ide.dispose();
    await removeDirectory(home);
    if (code !== 0) throw new Error(stderr);
    expect(code).toBe(0);
  });
});

function environment(home: string): NodeJS.ProcessEnv {
  return { MCP_INSPECTOR_SECRET_STORE: 'memory', HOME: home };
}
