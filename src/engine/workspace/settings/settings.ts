import { z } from 'zod';
import { configuredLanguage } from './languages.ts';

/**
 * Every setting there is: the reference in docs/generated is made from this table, and so are the environment variables.
 * A project's own file comes with the project, perhaps from a stranger: `scope` says what it may do to a setting.
 */
type SettingScope =
  /** Only the person: `config.json`, environment, flags. */
  | 'person'
  /** A project's file may make it stricter, never looser. `strictness` orders the values. */
  | 'tighten'
  /** A project's file may set it. */
  | 'project';

interface SettingDeclaration<Schema extends z.ZodType> {
  schema: Schema;
  default: z.output<Schema>;
  scope: SettingScope;
  description: string;
  /** Of `tighten`: a larger number is stricter. */
  strictness?: (value: z.output<Schema>) => number;
  /** Of `tighten`, for lists: what the project gives is added to what the person gave. */
  additive?: boolean;
  /** Looked at only when the process starts. */
  readAtStart?: boolean;
  /** Taken when the given value cannot be understood: a misspelt prohibition must not become a permission. */
  whenBroken?: z.output<Schema>;
}

const policyDecision = z.enum(['allow', 'ask', 'deny']);
const evaluationModes = ['unrestricted', 'default_blocklist', 'read_only'] as const;

const settingsTable = {
  'policy.read': policy('allow', 'ask', 'Calls that only look.'),
  'policy.edit': policy('allow', 'ask', 'Calls that change files of the project, with undo.'),
  'policy.execute': policy('allow', 'ask', 'Calls that run code: tests, commands, debugging, evaluation.'),
  'policy.destructive': policy(
    'ask',
    'ask',
    'Calls that cannot be undone or that write configuration which later executes.',
  ),
  'projects.openByCall': declare({
    schema: z.boolean(),
    default: true,
    scope: 'person',
    whenBroken: false,
    description:
      'Whether a call may open a project by naming a path in it. Otherwise only starting Sightline there does.',
  }),
  'projects.trusted': declare({
    readAtStart: true,
    schema: z.array(z.string()),
    default: [],
    scope: 'person',
    description: 'Folders whose projects are trusted, besides those trusted with `sightline trust`.',
  }),
  'evaluation.mode': declare({
    schema: z.enum(evaluationModes),
    default: 'default_blocklist',
    scope: 'tighten',
    strictness: (value) => evaluationModes.indexOf(value),
    whenBroken: 'read_only',
    description: 'What expressions may do in the debugger: anything, anything but the blocklist, or nothing but read.',
  }),
  'evaluation.blockedPatterns': declare({
    schema: z.array(z.string()),
    default: [],
    scope: 'tighten',
    additive: true,
    description:
      'Regular expressions that an evaluated expression may not match (comments and strings are removed first).',
  }),
  'debugger.rememberedStops': declare({
    schema: z.int().min(0).max(1000),
    default: 100,
    scope: 'person',
    description: 'Stops that a debug session remembers, so that a person can go back to them; 0 remembers none.',
  }),
  'history.maxEntries': declare({
    readAtStart: true,
    schema: z.int().min(1).max(100_000),
    default: 500,
    scope: 'person',
    description: 'Calls kept per project in the command history.',
  }),
  'log.level': declare({
    readAtStart: true,
    schema: z.enum(['debug', 'info', 'warn', 'error']),
    default: 'info',
    scope: 'person',
    description: 'Records below this level are not written to the log file.',
  }),
  'log.maxFileBytes': declare({
    readAtStart: true,
    schema: z.int().min(10_000),
    default: 5_000_000,
    scope: 'person',
    description: 'Size at which the log file is rotated.',
  }),
  'log.files': declare({
    readAtStart: true,
    schema: z.int().min(1).max(50),
    default: 3,
    scope: 'person',
    description: 'Log files kept, the current one included.',
  }),
  'server.port': declare({
    readAtStart: true,
    schema: z.int().min(0).max(65_535),
    default: 0,
    scope: 'person',
    description: 'Port for HTTP; 0 takes a free one.',
  }),
  'server.idleExitMinutes': declare({
    readAtStart: true,
    schema: z.number().min(0),
    default: 10,
    scope: 'person',
    description: 'The shared process leaves after so long without client, session or job; 0 keeps it.',
  }),
  'output.maxChars': declare({
    schema: z.int().min(200).max(200_000),
    default: 6000,
    scope: 'project',
    description: 'Characters an answer may have unless the call passes max_chars.',
  }),
  'engines.paths': declare({
    schema: z.record(z.string(), z.string()),
    default: {},
    scope: 'person',
    description: 'Where to find an engine: `{"gopls": "/opt/go/bin/gopls"}`. Names as `sightline doctor` shows them.',
  }),
  languages: declare({
    schema: z.record(z.string(), configuredLanguage),
    default: {},
    scope: 'project',
    description:
      'Languages beyond the built-in ones: the command of a language server and of a debug adapter each. They are run in trusted projects only. See docs/guides/languages.md.',
  }),
  'paths.map': declare({
    readAtStart: true,
    schema: z.record(z.string(), z.string()),
    default: {},
    scope: 'person',
    description:
      'Paths as clients write them and where that is here: `{"/workspace": "/srv/project"}`, for agents in a container, in WSL or on another machine.',
  }),
  'http.hosts': declare({
    schema: z.array(z.string()),
    default: [],
    scope: 'person',
    description:
      'Hosts besides this machine that http_request may reach: names, addresses, `*.example.com`, or `*` for everything public.',
  }),
  'ide.protocols': declare({
    schema: z.array(z.enum(['claude', 'copilot', 'gemini', 'qwen'])),
    default: [],
    scope: 'person',
    whenBroken: [],
    description:
      'Command lines for which Sightline is the IDE of trusted projects: `claude` (also opencode), `copilot`, `gemini`, `qwen`. Edits that they ask their person about are then reviewed here or at their terminal, whichever is first; only `policy.edit` = `deny` answers by itself.',
  }),
  'agents.default': declare({
    schema: z.string(),
    default: '',
    scope: 'person',
    description: 'The agent that `sightline agent` starts when none is named; empty: the first one found.',
  }),
  'agents.permissions': declare({
    schema: z.enum(['ask', 'policy', 'allow', 'deny']),
    default: 'ask',
    scope: 'person',
    whenBroken: 'ask',
    description:
      'Who answers when a hosted agent asks for permission: the person, the policy above (the person where it says ask), or always yes or no.',
  }),
  'agents.custom': declare({
    schema: z.record(
      z.string(),
      z.object({
        title: z.string().optional(),
        command: z.string(),
        args: z.array(z.string()).optional(),
        env: z.record(z.string(), z.string()).optional(),
      }),
    ),
    default: {},
    scope: 'person',
    description: 'Agents of your own that speak ACP: `{"mine": {"command": "my-agent", "args": ["--acp"]}}`.',
  }),
  'files.exclude': declare({
    schema: z.array(z.string()),
    default: [],
    scope: 'project',
    description: 'Globs of files that listing and searching leave out, besides what git ignores.',
  }),
  'files.maxReadBytes': declare({
    schema: z.int().min(1000),
    default: 10_000_000,
    scope: 'person',
    description: 'Files larger than this are not read whole; a range of lines still is.',
  }),
} as const;

export type SettingKey = keyof typeof settingsTable;
export type Settings = { readonly [Key in SettingKey]: z.output<(typeof settingsTable)[Key]['schema']> };

/** A declaration whose value type is forgotten, for code that handles all settings alike. */
interface AnySetting {
  default: unknown;
  scope: SettingScope;
  description: string;
  additive: boolean;
  whenBroken: unknown;
  readAtStart: boolean;
  strictness(value: unknown): number;
  /** The value, or what is wrong with it. */
  check(value: unknown): { value: unknown } | { problem: string };
  jsonSchema(): Record<string, unknown>;
}

export const settingKeys = Object.keys(settingsTable) as readonly SettingKey[];

export function settingOf(key: SettingKey): AnySetting {
  // Each declaration is consistent in itself, which the compiler checked where it was declared.
  const declaration = settingsTable[key] as SettingDeclaration<z.ZodType>;
  return {
    default: declaration.default,
    scope: declaration.scope,
    description: declaration.description,
    additive: declaration.additive ?? false,
    whenBroken: declaration.whenBroken ?? declaration.default,
    readAtStart: declaration.readAtStart ?? false,
    strictness: (value) => declaration.strictness?.(value) ?? 0,
    check: (value) => {
      const parsed = declaration.schema.safeParse(value);
      if (parsed.success) return { value: parsed.data };
      const [issue] = parsed.error.issues;
      const inside = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
      return { problem: `${inside}${issue?.message ?? 'the value does not fit'}` };
    },
    jsonSchema: () => z.toJSONSchema(declaration.schema, { io: 'input' }),
  };
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key);
}

/** `history.maxEntries` is `SIGHTLINE_HISTORY_MAX_ENTRIES`. */
export function environmentVariable(key: SettingKey): string {
  return `SIGHTLINE_${key
    .replaceAll('.', '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;
}

function declare<Schema extends z.ZodType>(declaration: SettingDeclaration<Schema>): SettingDeclaration<Schema> {
  return declaration;
}

function policy(
  byDefault: z.output<typeof policyDecision>,
  whenBroken: z.output<typeof policyDecision>,
  description: string,
): SettingDeclaration<typeof policyDecision> {
  return {
    schema: policyDecision,
    default: byDefault,
    scope: 'tighten',
    strictness: (value) => policyDecision.options.indexOf(value),
    whenBroken,
    description,
  };
}
