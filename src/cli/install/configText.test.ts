import { describe, expect, test } from 'vitest';
import type { JsonFormat } from './agentClient.ts';
import { withServer } from './configText.ts';

const entry = { command: 'node', args: ['/opt/sight line/dist/sightline.js', 'stdio'] };
const json = { kind: 'json', path: ['mcpServers', 'sightline'] } as const;
const toml = { kind: 'toml', table: 'mcp_servers.sightline' } as const;

describe('JSON', () => {
  test('comments, order and indentation of the rest stay, and removing gives back the text', () => {
    const before = `{
    // my servers
    "mcpServers": {
        "other": { "command": "x" }, // keep
    },
    "theme": "dark"
}
`;
    const after = withServer(before, json, entry);
    expect(after).toContain('// my servers');
    expect(after).toContain('// keep');
    expect(after).toContain('"/opt/sight line/dist/sightline.js"');
    expect(withServer(after, json, entry)).toBe(after);
    const removed = withServer(after, json, undefined);
    expect(removed).not.toContain('sightline');
    expect(removed).toContain('"theme": "dark"');
  });

  test('an empty or missing file gets an object, and removing from nothing changes nothing', () => {
    expect(JSON.parse(withServer('', json, entry))).toEqual({ mcpServers: { sightline: entry } });
    expect(withServer('', json, undefined)).toBe('');
    expect(withServer('{"a": 1}', json, undefined)).toBe('{"a": 1}');
  });

  test('what cannot be understood is refused, not overwritten', () => {
    expect(() => withServer('{"mcpServers": {', json, entry)).toThrow('not valid JSON');
    expect(() => withServer('[]', json, entry)).toThrow('not an object');
  });

  test('further keys that a client wants are set', () => {
    const format: JsonFormat = {
      kind: 'json',
      path: ['servers', 'sightline'],
      entry: (server) => ({ type: 'stdio', ...server, tools: ['*'] }),
    };
    const after = withServer('', format, entry);
    expect(JSON.parse(after)).toEqual({ servers: { sightline: { type: 'stdio', ...entry, tools: ['*'] } } });
    // What a person chose there survives the next installation.
    const chosen = after.replace('"*"', '"debug_probe"').replace('"type"', '// mine\n      "env": {},\n      "type"');
    expect(withServer(chosen.replace('"node"', '"old"'), format, entry)).toBe(chosen);
  });
});

describe('TOML', () => {
  const before = 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n';

  test('our table is added, renewed and removed', () => {
    const after = withServer(before, toml, entry);
    expect(after).toBe(
      `${before}\n[mcp_servers.sightline]\ncommand = "node"\nargs = ["/opt/sight line/dist/sightline.js", "stdio"]\n`,
    );
    expect(withServer(after, toml, entry)).toBe(after);
    const withEnv = `[mcp_servers.sightline]\ncommand = "old"\n[mcp_servers.sightline.env]\nA = "1"\n[z]\nb = 1\n`;
    expect(withServer(withEnv, toml, entry)).not.toContain('old');
    expect(withServer(withEnv, toml, undefined)).toBe('[z]\nb = 1\n');
    expect(withServer(after, toml, undefined)).toBe(before);
    expect(withServer(before, toml, undefined)).toBe(before);
  });

  test('what the client or the person put beside it stays', () => {
    const kept =
      'startup_timeout_sec = 20 # slow disk\n\n[mcp_servers.sightline.tools.debug_probe]\napproval_mode = "approve"\n';
    const start = `[mcp_servers.sightline]\ncommand = "node"\nargs = ["/opt/sight line/dist/sightline.js", "stdio"]\n`;
    const old = `[mcp_servers.sightline]\ncommand = "old"\nargs = [\n  "[", # one\n  "stdio",\n]\n${kept}`;
    expect(withServer(`${before}\n${old}`, toml, entry)).toBe(`${before}\n${start}${kept}`);
    expect(withServer(`[mcp_servers.sightline.env]\nA = "1"\n`, toml, entry)).toBe(
      `${start}[mcp_servers.sightline.env]\nA = "1"\n`,
    );
    expect(withServer(`${before}\n${start}${kept}`, toml, undefined)).toBe(before);
  });
});
