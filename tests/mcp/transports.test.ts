import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type ConnectOptions, type RunningSightline } from '../harness/harness.ts';

const ways: { name: string; options: ConnectOptions }[] = [
  { name: 'Streamable HTTP, 2025', options: { transport: 'http', era: 'legacy' } },
  { name: 'Streamable HTTP, 2026', options: { transport: 'http', era: 'auto' } },
  { name: 'HTTP+SSE', options: { transport: 'sse', era: 'legacy' } },
  { name: 'stdio, 2025', options: { transport: 'stdio', era: 'legacy' } },
  { name: 'stdio, 2026', options: { transport: 'stdio', era: 'auto' } },
];

describe.each(ways)('over $name', ({ options }) => {
  let ide: RunningSightline;

  beforeAll(async () => {
    ide = await startSightline({ project: { 'package.json': '{"name":"tiny"}' } });
  });
  afterAll(() => ide.dispose());

  it('tells who it is and how to use it', async () => {
    const agent = await ide.connect(options);
    expect(agent.mcp.getServerVersion()).toMatchObject({ name: 'sightline' });
    const words = (agent.mcp.getInstructions() ?? '').split(/\s+/);
    expect(words.length).toBeGreaterThan(50);
    expect(words.length).toBeLessThanOrEqual(120);
    await agent.close();
  });

  it('lists and calls tools as compact text on the default face', async () => {
    const agent = await ide.connect(options);
    expect(await agent.listTools()).toContain('sightline_tools');
    const answer = await agent.call('sightline_tools');
    expect(answer.text).toMatch(/^- /m);
    expect(answer.data).toBeUndefined();
    await agent.close();
  });

  it('answers with JSON and the same structured content where the face says so', async () => {
    const agent = await ide.connect({ ...options, face: 'debugger' });
    const answer = await agent.call('sightline_tools');
    expect(answer.data).toHaveProperty('toolsets');
    expect(JSON.parse(answer.text)).toEqual(answer.data);
    await agent.close();
  });

  it('makes a failed call a result, and an unknown tool a protocol error', async () => {
    const agent = await ide.connect({ ...options, face: 'debugger' });
    const { error } = await agent.call('sightline_tools', { enable: 'everything' });
    expect(error).toMatchObject({ code: -32602, name: 'invalid_arguments' });
    await expect(agent.call('sightline_tool')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Did you mean "sightline_tools"?'),
    });
    await agent.close();
  });

  it('announces that the list of tools has changed', async () => {
    let heard: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (heard = resolve));
    const agent = await ide.connect({
      ...options,
      client: { listChanged: { tools: { onChanged: () => heard() } } },
    });
    await agent.call('sightline_tools', { enable: ['git'] });
    await changed;
    await agent.close();
  });

  it('has prompts', async () => {
    const agent = await ide.connect(options);
    const { prompts } = await agent.mcp.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(['debug-this-failure', 'safe-refactor']);
    const got = await agent.mcp.getPrompt({ name: 'debug-this-failure', arguments: { failure: 'it is 4' } });
    expect(JSON.stringify(got.messages)).toContain('it is 4');
    await expect(agent.mcp.getPrompt({ name: 'safe-refactor', arguments: {} })).rejects.toThrow(/needs "change"/);
    await agent.close();
  });
});

describe('the address', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    ide = await startSightline();
  });
  afterAll(() => ide.dispose());

  it.each(['legacy', 'auto'] as const)('widens a face and chooses the form of answers (%s)', async (era) => {
    const plain = await ide.connect({ era, face: 'probe' });
    const wide = await ide.connect({ era, face: 'probe', toolsets: 'debugger,nonsense', output: 'both' });
    expect(await plain.listTools()).not.toContain('set_breakpoint');
    expect(await wide.listTools()).toEqual(expect.arrayContaining([...(await plain.listTools()), 'set_breakpoint']));
    const both = await wide.call('sightline_tools');
    expect(both.data).toHaveProperty('toolsets');
    expect(both.text).toContain('* debugger:');
    expect((await plain.call('sightline_tools')).data).toBeUndefined();
  });

  it('turns toolsets on for the client that asked, not for others', async () => {
    const [one, other] = [await ide.connect(), await ide.connect()];
    await one.call('sightline_tools', { enable: ['debugger'] });
    expect(await one.listTools()).toContain('set_breakpoint');
    expect(await other.listTools()).not.toContain('set_breakpoint');
  });

  it('never shows the token in what is logged', async () => {
    const agent = await ide.connect();
    await agent.call('sightline_tools', { enable: [ide.token] });
    await fetch(`${ide.url}/mcp?token=${ide.token}`, { method: 'POST', body: 'x' });
    expect(ide.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(ide.log)).not.toContain(ide.token);
  });
});
