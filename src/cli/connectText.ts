interface ConnectFacts {
  version: string;
  pid: number;
  url: string | undefined;
  project: string;
  /** How an agent starts the shim: program and arguments. */
  command: readonly string[];
  /** Lets one browser into the dashboard, once. */
  dashboard?: string;
  /** Whether HTTP needs the token. */
  tokenFile: string | undefined;
}

/** What a person reads after starting Sightline: where it listens and how an agent gets to it. */
export function connectText({ version, pid, url, project, command, tokenFile, dashboard }: ConnectFacts): string {
  const [program, ...args] = [...command, 'stdio'];
  const shell = [program, ...args].map(quote).join(' ');
  const json = (key: string, extra: Record<string, unknown> = {}) =>
    JSON.stringify({ [key]: { sightline: { ...extra, command: program, args } } });
  return `Sightline ${version} is ready for ${project} (process ${pid}).
${dashboard === undefined ? '' : `\nDashboard (this link works once; sightline dashboard makes another):\n  ${dashboard}\n`}
Connect an agent:
  Claude Code   claude mcp add sightline -- ${shell}
  Codex         codex mcp add sightline -- ${shell}
  Cursor        ~/.cursor/mcp.json   ${json('mcpServers')}
  VS Code       .vscode/mcp.json     ${json('servers', { type: 'stdio' })}
  others        ${json('mcpServers')}
${
  url === undefined
    ? ''
    : `
Or over HTTP:
  Streamable HTTP   ${url}/mcp   (also /debugger-mcp, /index-mcp, /workspace-mcp, /probe-mcp)
  older clients     ${url}/sse
${tokenFile === undefined ? '' : `  The header "Authorization: Bearer TOKEN" is needed; the token of this run stands in ${tokenFile}\n`}`
}
Look: sightline status.  Call a tool: sightline call sightline_tools.  End it: sightline stop.`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
