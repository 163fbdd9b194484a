import { describe, expect, test } from 'vitest';
import { entryIn, withEntry, withoutEntry } from './configText.ts';

const entry = { command: 'node', args: ['/opt/sight line/dist/sightline.js', 'stdio'] };
const json = { isToml: false, path: ['mcpServers', 'sightline'] };
const toml = { isToml: true, path: ['mcp_servers', 'sightline'] };

describe('JSON', () => {
  /** Before and after, to the byte; taking it out again gives back the first. */
  const pairs: [what: string, before: string, after: string][] = [
    [
      'a comment behind the last server stays with it',
      '{\n    // mine\n    "mcpServers": {\n        "other": { "command": "x" } // keep\n    },\n    "theme": "dark"\n}\n',
      '{\n    // mine\n    "mcpServers": {\n        "other": { "command": "x" }, // keep\n        "sightline": {\n            "command": "node",\n            "args": [\n                "/opt/sight line/dist/sightline.js",\n                "stdio"\n            ]\n        }\n    },\n    "theme": "dark"\n}\n',
    ],
    [
      'trailing commas stay the custom of the file',
      '{\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n  },\n}\n',
      '{\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n    "sightline": {\n      "command": "node",\n      "args": [\n        "/opt/sight line/dist/sightline.js",\n        "stdio"\n      ]\n    },\n  },\n}\n',
    ],
    [
      'line ends of Windows and tabs',
      '{\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" },\r\n\t\t"sightline": {\r\n\t\t\t"command": "node",\r\n\t\t\t"args": [\r\n\t\t\t\t"/opt/sight line/dist/sightline.js",\r\n\t\t\t\t"stdio"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}',
    ],
    [
      'one line stays one line',
      '{"mcpServers": {"other": {"command": "x"}}, "a": 1}',
      '{"mcpServers": {"other": {"command": "x"}, "sightline": { "command": "node", "args": ["/opt/sight line/dist/sightline.js", "stdio"] }}, "a": 1}',
    ],
    [
      'a mark at the beginning',
      '\uFEFF{\n  "mcpServers": {\n    "a": {}\n    // the end\n  }\n}\n',
      '\uFEFF{\n  "mcpServers": {\n    "a": {},\n    "sightline": {\n      "command": "node",\n      "args": [\n        "/opt/sight line/dist/sightline.js",\n        "stdio"\n      ]\n    }\n    // the end\n  }\n}\n',
    ],
  ];

  test.each(pairs)('%s', (_what, before, after) => {
    expect(withEntry(before, json, entry)).toBe(after);
    expect(withEntry(after, json, entry)).toBe(after);
    expect(withoutEntry(after, json)).toBe(before);
    expect(withoutEntry(before, json)).toBe(before);
  });

  test('what is missing on the way is made, and taken away when it was ours', () => {
    const before = '{\n  "theme": "dark"\n}\n';
    const after = withEntry(before, json, entry);
    expect(JSON.parse(after)).toEqual({ theme: 'dark', mcpServers: { sightline: entry } });
    expect(withoutEntry(after, json, false)).toBe(before);
    expect(JSON.parse(withEntry('', json, entry))).toEqual({ mcpServers: { sightline: entry } });
    expect(JSON.parse(withEntry('{}', json, entry))).toEqual({ mcpServers: { sightline: entry } });
    expect(withoutEntry('', json)).toBe('');
  });

  test('another server that came behind ours stays', () => {
    const before = '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n';
    const later = withEntry(before, json, entry).replace('    }\n  }\n', '    },\n    "b": {}\n  }\n');
    expect(withoutEntry(later, json)).toBe('{\n  "mcpServers": {\n    "a": {},\n    "b": {}\n  }\n}\n');
  });

  test('what cannot be understood is refused, with the place', () => {
    expect(() => withEntry('{\n  "mcpServers": {', json, entry)).toThrow(
      'not valid JSON: CloseBraceExpected at line 2, column 18',
    );
    expect(() => withEntry('[]', json, entry)).toThrow('not an object');
    expect(() => withEntry('{"mcpServers": []}', json, entry)).toThrow('"mcpServers" is not an object');
    expect(() => withEntry('{"mcpServers": {"sightline": 3}}', json, entry)).toThrow('is not an object');
  });

  test('how we are reached is written anew, what a person chose beside it stays', () => {
    const before =
      '{ "mcpServers": {\n  "sightline": {\n    "command": "old", // mine\n    "args": ["x"],\n    "env": { "A": "1" }\n  }\n} }';
    const after = withEntry(before, json, { ...entry, tools: ['*'] });
    expect(after).toContain('"command": "node", // mine');
    expect(entryIn(after, json)).toEqual({ ...entry, env: { A: '1' }, tools: ['*'] });
    const http = withEntry(after, json, { url: 'http://127.0.0.1:7/mcp', headers: { a: 'b' } });
    expect(entryIn(http, json)).toEqual({
      env: { A: '1' },
      tools: ['*'],
      url: 'http://127.0.0.1:7/mcp',
      headers: { a: 'b' },
    });
    const longer = '{"mcpServers": {"sightline": {"command": "node", "args": ["a", "stdio", "--face", "debugger"]}}}';
    expect(withEntry(longer, json, { command: 'node', args: ['a', 'stdio'] })).toBe(longer);
  });
});

describe('TOML', () => {
  const start = `[mcp_servers.sightline]\ncommand = "node"\nargs = ["/opt/sight line/dist/sightline.js", "stdio"]\n`;
  const before = 'model = "x" # best\n\n[mcp_servers.other]\ncommand = "y"\n';

  test('our table is added and taken out', () => {
    const after = withEntry(before, toml, entry);
    expect(after).toBe(`${before}\n${start}`);
    expect(withEntry(after, toml, entry)).toBe(after);
    expect(withoutEntry(after, toml)).toBe(before);
    const windows = before.replaceAll('\n', '\r\n');
    expect(withEntry(windows, toml, entry)).toBe(`${before}\n${start}`.replaceAll('\n', '\r\n'));
    expect(withoutEntry(withEntry(windows, toml, entry), toml)).toBe(windows);
    expect(withEntry('', toml, entry)).toBe(start);
    expect(withoutEntry(start, toml)).toBe('');
  });

  test('it is renewed in its place; what the client or the person put there stays', () => {
    const kept =
      'startup_timeout_sec = 20 # slow disk\n\n[mcp_servers.sightline.tools.debug_probe]\napproval_mode = "approve"\n';
    const old = `[mcp_servers.sightline]\ncommand = "old"\nargs = [\n  "[", # one\n  "stdio",\n]\n${kept}`;
    const later = '\n# of z\n[z]\nb = 1\n';
    expect(withEntry(`${before}\n${old}${later}`, toml, entry)).toBe(`${before}\n${start}${kept}${later}`);
    expect(withoutEntry(`${before}\n${start}${kept}${later}`, toml)).toBe(`${before}${later}`);
    expect(withEntry(`[mcp_servers.sightline.env]\nA = "1"\n`, toml, entry)).toBe(
      `${start}[mcp_servers.sightline.env]\nA = "1"\n`,
    );
    const http = withEntry(start, toml, { url: 'http://127.0.0.1:7/mcp', http_headers: { Authorization: 'Bearer x' } });
    expect(entryIn(http, toml)).toEqual({ url: 'http://127.0.0.1:7/mcp', http_headers: { Authorization: 'Bearer x' } });
  });

  test('a header inside of a string is none', () => {
    const text = 'about = """\n[mcp_servers.sightline]\ncommand = "no"\n"""\n';
    expect(withEntry(text, toml, entry)).toBe(`${text}\n${start}`);
    expect(withoutEntry(`${text}\n${start}`, toml)).toBe(text);
  });

  test('what cannot be understood or changed in place is refused', () => {
    expect(() => withEntry('a = 1\nmodel = \n', toml, entry)).toThrow(/not valid TOML: .* at line 2, column \d+/);
    expect(() => withEntry('mcp_servers = { other = { command = "x" } }\n', toml, entry)).toThrow(
      'cannot be changed safely',
    );
    expect(() => withEntry('[mcp_servers]\nsightline = { command = "x" }\n', toml, entry)).toThrow(
      'cannot be changed safely',
    );
  });
});
