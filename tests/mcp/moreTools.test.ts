import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { ways } from './toolsOnly.ts';

let ide: RunningSightline;

beforeAll(async () => {
  ide = await startSightline({ project: { 'package.json': '{}', 'a.txt': 'one\n' } });
});

afterAll(() => ide.dispose());

describe.each(ways)('sightline_tools over $name', (way) => {
  it('holds its answer until the client has listed again', async () => {
    const events: string[] = [];
    const clients: Client[] = [];
    const listAgain = async () => {
      // As real clients do it: a moment after they were told.
      await new Promise((done) => setTimeout(done, 150));
      const tools = await clients[0]?.listTools();
      events.push(tools?.tools.some((tool) => tool.name === 'get_notifications') ? 'listed' : 'listed too early');
    };
    const agent = await ide.connect({
      ...way,
      client: {
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void listAgain().catch(() => undefined) },
        },
      },
      prepare: (client) => void clients.push(client),
    });
    await agent.listTools();
    const text = await agent.text('sightline_tools', { enable: ['terminals'] });
    events.push('answered');
    expect(text).toContain('Turned on: terminals');
    expect(text).not.toContain('"call"');
    // Over HTTP it is told on two streams, and lists twice.
    expect(events.slice(0, events.indexOf('answered') + 1)).toEqual(expect.arrayContaining(['listed', 'answered']));
    expect(events).not.toContain('listed too early');
    await agent.close();
  });
});

describe('a client that never lists again', () => {
  it('is answered soon, and told how each tool is called', async () => {
    const agent = await ide.connect({ transport: 'stdio', name: 'some client' });
    const startedAt = Date.now();
    const text = await agent.text('sightline_tools', { enable: ['terminals'] });
    expect(Date.now() - startedAt).toBeLessThan(4000);
    expect(text).toContain('sightline_tools {"call": NAME, "arguments": {…}}');
    expect(text).toMatch(/get_notifications\(.*\): /);
    await agent.close();
  });

  it.each(['codex-mcp-client', 'qwen-cli-mcp-client'])('%s is not waited for, and status says why', async (name) => {
    const agent = await ide.connect({ transport: 'stdio', name });
    const startedAt = Date.now();
    expect(await agent.text('sightline_tools', { enable: ['terminals'] })).toContain('"call": NAME');
    expect(Date.now() - startedAt).toBeLessThan(1500);
    const client = ide.sightline.backend.clients.find((one) => one.name.startsWith(name));
    expect(client?.quirks.map((quirk) => quirk.about)).toEqual([expect.stringContaining('does not list tools again')]);
    await agent.close();
  });
});

describe('a tool called through sightline_tools', () => {
  it('answers as itself, keeps its own rules and is in the history by its own name', async () => {
    const agent = await ide.connect({ transport: 'stdio' });
    expect(await agent.text('sightline_tools', { call: 'list_project_files', arguments: {} })).toContain('a.txt');
    const edit = { file_path: 'a.txt', old_text: 'one', new_text: 'two' };
    await agent.text('sightline_tools', { call: 'edit_file', arguments: JSON.stringify(edit) });
    expect(readFileSync(join(ide.root, 'a.txt'), 'utf8')).toBe('two\n');
    const [project] = ide.sightline.projects.list();
    const tools = ide.sightline.history.list(project).map((entry) => entry.toolName);
    expect(tools).toEqual(expect.arrayContaining(['edit_file', 'list_project_files']));
    await agent.close();
  });

  it.each([
    ['that does not exist', { call: 'no_such_tool' }, 'unknown_tool', 'no_such_tool'],
    ['with wrong arguments', { call: 'edit_file', arguments: { nonsense: 1 } }, 'invalid_arguments', 'nonsense'],
    ['with a list for arguments', { call: 'edit_file', arguments: [1] }, 'invalid_arguments', 'arguments'],
    [
      'outside the project',
      { call: 'edit_file', arguments: { file_path: '/etc/hosts', old_text: 'a', new_text: 'b' } },
      'path_outside_project',
      'hosts',
    ],
  ])('%s fails as a result, not as a protocol error', async (_what, args, name, says) => {
    const agent = await ide.connect({ transport: 'stdio' });
    const { error, text } = await agent.call('sightline_tools', args);
    expect(error?.name).toBe(name);
    expect(text).toContain(says);
    await agent.close();
  });
});

it('an error is told once: nothing of it stands in _meta', async () => {
  const agent = await ide.connect({ transport: 'stdio' });
  const result = await agent.mcp.callTool({ name: 'debug_stack', arguments: {} });
  expect(result.isError).toBe(true);
  expect(Object.keys(result).sort()).toEqual(['content', 'isError']);
  await agent.close();
});
