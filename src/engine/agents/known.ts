/**
 * The agents that Sightline knows how to start: data, one line each. `program` is looked for on PATH; `packageSpec` is what npm runs when
 * the person asks for that. Versions are those that were tried, or the latest when this was written.
 */
export interface KnownAgent {
  id: string;
  title: string;
  program: string;
  args: readonly string[];
  packageSpec?: string;
  /** Of an adapter: the program it drives comes with it. */
  isAdapter?: true;
  /** The option that takes servers as JSON, of an agent that refuses those of `session/new` which are no HTTP servers. */
  serverArgument?: string;
}

export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    title: 'Claude Code',
    program: 'claude-agent-acp',
    args: [],
    packageSpec: '@agentclientprotocol/claude-agent-acp@0.99.1',
    isAdapter: true,
  },
  {
    id: 'codex',
    title: 'Codex',
    program: 'codex-acp',
    args: [],
    packageSpec: '@agentclientprotocol/codex-acp@2.6.0',
    isAdapter: true,
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    program: 'gemini',
    // In a folder that it does not know it connects to no server; who starts an agent in a project trusts the project.
    args: ['--acp', '--skip-trust'],
    packageSpec: '@google/gemini-cli@0.61.0',
  },
  { id: 'opencode', title: 'opencode', program: 'opencode', args: ['acp'], packageSpec: 'opencode-ai@1.18.33' },
  { id: 'qwen', title: 'Qwen Code', program: 'qwen', args: ['--acp'], packageSpec: '@qwen-code/qwen-code@0.24.4' },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    program: 'copilot',
    args: ['--acp'],
    packageSpec: '@github/copilot@1.0.102',
    serverArgument: '--additional-mcp-config',
  },
  { id: 'goose', title: 'Goose', program: 'goose', args: ['acp'] },
  { id: 'cursor', title: 'Cursor Agent', program: 'cursor-agent', args: ['acp'] },
  { id: 'kimi', title: 'Kimi CLI', program: 'kimi', args: ['acp'] },
  { id: 'kilo', title: 'Kilo Code', program: 'kilo', args: ['acp'] },
  { id: 'kiro', title: 'Kiro CLI', program: 'kiro-cli-chat', args: ['acp'] },
  { id: 'junie', title: 'Junie', program: 'junie', args: ['--acp=true'] },
  { id: 'auggie', title: 'Auggie', program: 'auggie', args: ['--acp'] },
  { id: 'droid', title: 'Droid', program: 'droid', args: ['exec', '--output-format', 'acp'] },
  { id: 'vibe', title: 'Mistral Vibe', program: 'vibe-acp', args: [] },
  { id: 'pi', title: 'Pi', program: 'pi-acp', args: [], packageSpec: 'pi-acp@0.0.34', isAdapter: true },
];
