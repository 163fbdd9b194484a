/** Configurations as people have them, one per agent: where, as it was, and as it is with Sightline in it (`PROGRAM` is our file). */
export interface AgentSample {
  file: string;
  before: string;
  after: string;
}

const ours = (indent: string, unit = '  ') =>
  [
    '"sightline": {',
    `${unit}"command": "node",`,
    `${unit}"args": [`,
    `${unit}${unit}"PROGRAM",`,
    `${unit}${unit}"stdio"`,
    `${unit}]`,
    '}',
  ].join(`\n${indent}`);

export const samples: Readonly<Record<string, AgentSample>> = {
  'claude-code': {
    file: '.claude.json',
    before:
      '{\n  "numStartups": 12,\n  "mcpServers": {},\n  "projects": {\n    "/srv/shop": {\n      "mcpServers": {}\n    }\n  }\n}',
    after: `{\n  "numStartups": 12,\n  "mcpServers": {\n    ${ours('    ')}\n  },\n  "projects": {\n    "/srv/shop": {\n      "mcpServers": {}\n    }\n  }\n}`,
  },
  'claude-desktop': {
    file: '.config/Claude/claude_desktop_config.json',
    before:
      '{\r\n  "globalShortcut": "",\r\n  "mcpServers": {\r\n    "files": {\r\n      "command": "npx",\r\n      "args": ["-y", "server-files"]\r\n    }\r\n  }\r\n}\r\n',
    after:
      `{\n  "globalShortcut": "",\n  "mcpServers": {\n    "files": {\n      "command": "npx",\n      "args": ["-y", "server-files"]\n    },\n    ${ours('    ').replace('"node"', '"NODE"')}\n  }\n}\n`.replaceAll(
        '\n',
        '\r\n',
      ),
  },
  cursor: {
    file: '.cursor/mcp.json',
    before: '{\n  // mine\n  "mcpServers": {\n    "other": { "url": "https://mcp.example.com" }, // keep\n  }\n}\n',
    after: `{\n  // mine\n  "mcpServers": {\n    "other": { "url": "https://mcp.example.com" }, // keep\n    ${ours('    ')},\n  }\n}\n`,
  },
  vscode: {
    file: '.config/Code/User/mcp.json',
    before:
      '{\n\t"inputs": [{ "type": "promptString", "id": "key", "password": true }],\n\t"servers": {\n\t\t"github": { "type": "http", "url": "https://mcp.example.com" }\n\t}\n}',
    after: `{\n\t"inputs": [{ "type": "promptString", "id": "key", "password": true }],\n\t"servers": {\n\t\t"github": { "type": "http", "url": "https://mcp.example.com" },\n\t\t${ours('\t\t', '\t').replace('{\n', '{\n\t\t\t"type": "stdio",\n')}\n\t}\n}`,
  },
  windsurf: {
    file: '.codeium/windsurf/mcp_config.json',
    before: '{"mcpServers": {"other": {"command": "x"}}}',
    after:
      '{"mcpServers": {"other": {"command": "x"}, "sightline": { "command": "node", "args": ["PROGRAM", "stdio"] }}}',
  },
  codex: {
    file: '.codex/config.toml',
    before:
      'model = "gpt-5" # fast\n\n[mcp_servers.docs]\nurl = "https://mcp.example.com"\n\n[projects."/srv/shop"]\ntrust_level = "trusted"',
    after:
      'model = "gpt-5" # fast\n\n[mcp_servers.docs]\nurl = "https://mcp.example.com"\n\n[projects."/srv/shop"]\ntrust_level = "trusted"\n\n[mcp_servers.sightline]\ncommand = "node"\nargs = ["PROGRAM", "stdio"]\n',
  },
  gemini: {
    file: '.gemini/settings.json',
    before: '{\n  "security": { "auth": { "selectedType": "oauth" } }\n}\n',
    after: `{\n  "security": { "auth": { "selectedType": "oauth" } },\n  "mcpServers": {\n    ${ours('    ')}\n  }\n}\n`,
  },
  qwen: {
    file: '.qwen/settings.json',
    before: '{}\n',
    after: `{\n  "mcpServers": {\n    ${ours('    ')}\n  }\n}\n`,
  },
  zed: {
    file: '.config/zed/settings.json',
    before:
      '// Zed settings\n//\n// see the documentation\n{\n  "ui_font_size": 16,\n  "theme": {\n    "mode": "system", // or light\n  },\n}\n',
    after: `// Zed settings\n//\n// see the documentation\n{\n  "ui_font_size": 16,\n  "theme": {\n    "mode": "system", // or light\n  },\n  "context_servers": {\n    ${ours('    ').replace(/\]\n {4}\}$/, '],\n      "env": {}\n    }')}\n  },\n}\n`,
  },
  junie: {
    file: '.junie/mcp/mcp.json',
    before: '{\n    "mcpServers": {\n        "a": {\n            "command": "a"\n        }\n    }\n}',
    after: `{\n    "mcpServers": {\n        "a": {\n            "command": "a"\n        },\n        ${ours('        ', '    ')}\n    }\n}`,
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    before: '{\n  "mcpServers": {\n  }\n}\n',
    after: `{\n  "mcpServers": {\n    ${ours('    ')
      .replace('{\n', '{\n      "type": "local",\n')
      .replace(/\]\n {4}\}$/, '],\n      "tools": [\n        "*"\n      ]\n    }')}\n  }\n}\n`,
  },
  opencode: {
    file: '.config/opencode/opencode.jsonc',
    before: '{\n  "$schema": "https://opencode.ai/config.json", /* theirs */\n  "mcp": { /* none yet */ }\n}\n',
    after:
      '{\n  "$schema": "https://opencode.ai/config.json", /* theirs */\n  "mcp": { /* none yet */\n    "sightline": {\n      "type": "local",\n      "command": [\n        "node",\n        "PROGRAM",\n        "stdio"\n      ],\n      "enabled": true\n    }\n  }\n}\n',
  },
  cline: {
    file: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    before: '{\n  "mcpServers": {\n    "a": { "command": "a", "disabled": true }\n  }\n}\n',
    after: `{\n  "mcpServers": {\n    "a": { "command": "a", "disabled": true },\n    ${ours('    ').replace(/\]\n {4}\}$/, '],\n      "disabled": false,\n      "autoApprove": []\n    }')}\n  }\n}\n`,
  },
};
