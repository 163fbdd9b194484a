import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { ways } from './toolsOnly.ts';

describe.each(ways)('resources over $name', (way) => {
  let ide: RunningSightline;
  const fileUri = (name: string) => pathToFileURL(join(ide.root, name)).href;

  beforeAll(async () => {
    ide = await startSightline({
      project: { 'package.json': '{"name":"tiny"}', 'notes.txt': 'one\n', 'src/deep/order.ts': 'export {};\n' },
    });
  });
  afterAll(() => ide.dispose());

  it('are listed and read', async () => {
    const agent = await ide.connect(way);
    const { resources } = await agent.mcp.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['project://structure', 'index://status']);
    const { resourceTemplates } = await agent.mcp.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('file:///{+path}');
    const { contents } = await agent.mcp.readResource({ uri: fileUri('notes.txt') });
    expect(contents).toMatchObject([{ uri: fileUri('notes.txt'), text: 'one\n' }]);
    await agent.close();
  });

  it('that are not there, or not ours to show, are an error that says so', async () => {
    const agent = await ide.connect(way);
    const code = -32602;
    await expect(agent.mcp.readResource({ uri: fileUri('nothing.txt') })).rejects.toMatchObject({ code });
    await expect(agent.mcp.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code });
    await expect(agent.mcp.readResource({ uri: 'gopher://x' })).rejects.toMatchObject({ code });
    await agent.close();
  });

  it('complete their names', async () => {
    const agent = await ide.connect(way);
    const { completion } = await agent.mcp.complete({
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value: 'order' },
    });
    expect(completion.values).toEqual([join(ide.root, 'src/deep/order.ts').slice(1)]);
    await agent.close();
  });

  it('tell that they have changed, until that is no longer wanted', async () => {
    const heard: string[] = [];
    let tell: () => void = () => undefined;
    const agent = await ide.connect({
      ...way,
      prepare: (client) =>
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          heard.push(params.uri);
          tell();
        }),
    });
    const uri = fileUri('notes.txt');
    const stop =
      way.era === 'auto'
        ? await agent.mcp.listen({ resourceSubscriptions: [uri] }).then((stream) => () => stream.close())
        : await agent.mcp.subscribeResource({ uri }).then(() => async () => {
            await agent.mcp.unsubscribeResource({ uri });
          });
    const changed = new Promise<void>((resolve) => (tell = resolve));
    await writeFile(join(ide.root, 'notes.txt'), 'two\n');
    await changed;
    expect(new Set(heard)).toEqual(new Set([uri]));
    const { contents } = await agent.mcp.readResource({ uri });
    expect(contents).toMatchObject([{ text: 'two\n' }]);
    await writeFile(join(ide.root, 'notes.txt'), 'one\n');
    await stop();
    await agent.close();
  });
});
