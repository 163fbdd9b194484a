import { basename, sep } from 'node:path';

export interface VariableContext {
  root: string;
  env: NodeJS.ProcessEnv;
  /** `.vscode/settings.json`, for `${config:...}`. */
  settings: Readonly<Record<string, unknown>>;
  /** Defaults of the `inputs` of the same file, by id. */
  inputs: ReadonlyMap<string, string>;
}

/** A value whose `${...}` cannot be known without an editor or a person. */
export class UnresolvedVariable extends Error {
  override readonly name = 'UnresolvedVariable';
  readonly variable: string;

  constructor(variable: string, why: string) {
    super(`It uses \${${variable}}, ${why}.`);
    this.variable = variable;
  }
}

/** Replaces VS Code's variables in every string of a value. */
export function substitute(value: unknown, context: VariableContext): unknown {
  if (typeof value === 'string') return substituteText(value, context);
  if (Array.isArray(value)) return value.map((each) => substitute(each, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, substitute(each, context)]));
}

function substituteText(text: string, context: VariableContext): string {
  return text.replace(/\$\{([^{}]+)\}/g, (_whole, variable: string) => valueOf(variable, context));
}

function valueOf(variable: string, { root, env, settings, inputs }: VariableContext): string {
  const colon = variable.indexOf(':');
  const kind = colon === -1 ? variable : variable.slice(0, colon);
  const name = colon === -1 ? '' : variable.slice(colon + 1);
  switch (kind) {
    case 'workspaceFolder':
    case 'workspaceRoot':
    case 'cwd':
      return root;
    case 'workspaceFolderBasename':
    case 'workspaceRootFolderName':
      return basename(root);
    case 'userHome':
      return env['HOME'] ?? '';
    case 'pathSeparator':
    case '/':
      return sep;
    case 'env':
      return env[name] ?? '';
    case 'config': {
      const setting = settings[name];
      if (setting === undefined) throw new UnresolvedVariable(variable, 'and .vscode/settings.json does not set it');
      return typeof setting === 'string' ? setting : JSON.stringify(setting);
    }
    case 'input': {
      const value = inputs.get(name);
      if (value === undefined) throw new UnresolvedVariable(variable, 'which asks a person and has no default');
      return value;
    }
    case 'command':
      throw new UnresolvedVariable(variable, 'a command of an editor');
    default:
      throw new UnresolvedVariable(variable, 'which only an editor with an open file knows');
  }
}
