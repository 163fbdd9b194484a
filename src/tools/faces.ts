/** A face is one MCP endpoint: the tools of one seed under that seed's names. `default` is the lean set; `all` lists everything. */
export const faceNames = ['default', 'debugger', 'index', 'workspace', 'probe', 'all'] as const;
export type FaceName = (typeof faceNames)[number];

/** How a face answers: the seeds' JSON shapes with structured content, or compact text made for a model. */
export const outputForms = ['json', 'text', 'both'] as const;
export type OutputForm = (typeof outputForms)[number];

interface Face {
  name: FaceName;
  /** HTTP path of Streamable HTTP; the older HTTP+SSE transport answers on `<path>/sse` (`/sse` for the default face). */
  path: string;
  ssePath: string;
  output: OutputForm;
  /** Which seed's meaning the numeric error codes have. */
  numericCodes: 'debugger' | 'index';
}

export const faces: Readonly<Record<FaceName, Face>> = {
  default: { name: 'default', path: '/mcp', ssePath: '/sse', output: 'text', numericCodes: 'debugger' },
  debugger: {
    name: 'debugger',
    path: '/debugger-mcp',
    ssePath: '/debugger-mcp/sse',
    output: 'json',
    numericCodes: 'debugger',
  },
  index: { name: 'index', path: '/index-mcp', ssePath: '/index-mcp/sse', output: 'json', numericCodes: 'index' },
  workspace: {
    name: 'workspace',
    path: '/workspace-mcp',
    ssePath: '/workspace-mcp/sse',
    output: 'json',
    numericCodes: 'index',
  },
  probe: { name: 'probe', path: '/probe-mcp', ssePath: '/probe-mcp/sse', output: 'text', numericCodes: 'debugger' },
  all: { name: 'all', path: '/all-mcp', ssePath: '/all-mcp/sse', output: 'text', numericCodes: 'debugger' },
};

/** Groups of tools that a client can turn on beyond its face, by `--toolsets`, `?toolsets=` or `sightline_tools`. */
export const toolsets = {
  probe: 'debug in one call, or with nine plain-text commands',
  ask: 'ask a run: calls, writes, comparisons, hypotheses',
  debugger: 'sessions, breakpoints, stepping, stack, variables, evaluation',
  navigation: 'definitions, references, hierarchies, symbols, outlines',
  diagnostics: 'problems, quick fixes, completions, documentation',
  refactoring: 'rename, extract, inline, move, safe delete, with preview and undo',
  project: 'project information, files, structure, dependencies, index status',
  editing: 'read, write and edit files with history; format; undo',
  tests: 'find and run tests, results, coverage',
  run: 'run configurations, commands, jobs, HTTP requests',
  git: 'status, diff, log, commit, branches, stashes, blame',
  terminals: 'terminals, logs, notifications',
} as const;
export type ToolsetName = keyof typeof toolsets;
export const toolsetNames = Object.keys(toolsets) as readonly ToolsetName[];
