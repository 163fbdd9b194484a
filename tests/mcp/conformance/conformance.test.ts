import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { HttpServer } from '../../../src/server/http/httpServer.ts';
import { mcpRoutes } from '../../../src/server/http/routes.ts';
import { McpEndpoint } from '../../../src/server/mcp/endpoint.ts';
import { foreignTool, foreignTools } from '../../harness/foreignTool.ts';
import { fixturePeers } from './fixturePeer.ts';

/** The forms of the public suite, with how much each scored when it was pinned: less would be a silent loss. */
const revisions = [
  { revision: '2026-07-28', scenarios: 37 },
  { revision: '2025-11-25', scenarios: 30 },
];
const checksOfTheOldSuite = 44;

describe('the public conformance suite against our HTTP layer', { timeout: 300_000 }, () => {
  let endpoint: McpEndpoint;
  let http: HttpServer;

  beforeAll(async () => {
    endpoint = new McpEndpoint(fixturePeers(), silentLogger);
    // The suite knows no tokens. Who may call is tested elsewhere; everything else is as in the product.
    http = await HttpServer.start({
      token: undefined,
      routes: mcpRoutes(endpoint, '/mcp', '/sse'),
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await endpoint.dispose();
    await http.dispose();
  });

  const conformance = async (tool: 'conformance' | 'oldConformance', args: string[]) => {
    const suite = await foreignTool(foreignTools[tool].packageSpec, foreignTools[tool].bin);
    return suite.run(['server', '--url', `http://localhost:${http.port}/mcp`, ...args]);
  };

  it.each(revisions)('every required scenario of $revision', async ({ revision, scenarios }) => {
    const { stdout, stderr } = await conformance('conformance', ['--requirements', revision]);
    const { passed, failed } = scored(stdout);
    if (failed.length > 0) throw new Error(`${failed.join(', ')} failed\n${stdout}${stderr}`);
    expect(passed).toHaveLength(scenarios);
  });

  it('every check of the older suite', async () => {
    const { code, stdout, stderr } = await conformance('oldConformance', ['--suite', 'all']);
    if (code !== 0) throw new Error(`${stdout}${stderr}`);
    expect(stdout).toContain(`Total: ${checksOfTheOldSuite} passed, 0 failed`);
  });
});

/** The scenarios of the summary that count, which leaves out those that the suite itself lists as not scored. */
function scored(output: string): { passed: string[]; failed: string[] } {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [results = '', unscored = ''] = summary.split('Not scored');
  const named = (mark: string) =>
    [...results.matchAll(new RegExp(`^${mark} ([\\w-]+):`, 'gm'))].map(([, name]) => name);
  const skip = new Set([...unscored.matchAll(/^ +[✓✗] ([\w-]+) /gm)].map(([, name]) => name));
  const counted = (mark: string) => named(mark).filter((name) => name !== undefined && !skip.has(name));
  return { passed: counted('✓') as string[], failed: counted('✗') as string[] };
}
