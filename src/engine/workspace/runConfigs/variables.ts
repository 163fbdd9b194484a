import { basename, sep } from 'node:path';
import type { RunInput } from './model.ts';
import { asList, asRecord, asText } from './projectText.ts';

export interface VariableContext {
  root: string;
  env: NodeJS.ProcessEnv;
  /** `.vscode/settings.json`, for `${config:...}`. */
  settings: Readonly<Record<string, unknown>>;
  /** The `inputs` of the same file, by id. */
  inputs: ReadonlyMap<string, RunInput>;
  /** What whoever starts it says for them. */
  answers: Readonly<Record<string, string>>;
  /** Inputs that were met and not answered; their places keep the variable. */
  open: Map<string, RunInput>;
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

function valueOf(variable: string, context: VariableContext): string {
  const { root, env, settings } = context;
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
    case 'input':
      return inputValue(name, context);
    case 'command':
      throw new UnresolvedVariable(variable, 'a command of an editor');
    default:
      throw new UnresolvedVariable(variable, 'which only an editor with an open file knows');
  }
}

/** Never a default and never the first option: what a person would be asked, whoever starts it has to say. */
function inputValue(id: string, { inputs, answers, open }: VariableContext): string {
  const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
  const input = inputs.get(id) ?? { id };
  if (answer === undefined) {
    open.set(id, input);
    return `\${input:${id}}`;
  }
  if (input.options !== undefined && !input.options.includes(answer))
    throw new UnresolvedVariable(`input:${id}`, `which is one of ${input.options.join(', ')}, not "${answer}"`);
  return answer;
}

/** The `inputs` of launch.json or tasks.json. */
export function readInputs(list: unknown): Map<string, RunInput> {
  const inputs = new Map<string, RunInput>();
  for (const entry of asList(list).map(asRecord)) {
    const id = asText(entry?.['id']);
    if (id === undefined) continue;
    const description = asText(entry?.['description']);
    const usual = asText(entry?.['default']);
    const options = asList(entry?.['options'])
      .map((each) => asText(each) ?? asText(asRecord(each)?.['value']))
      .filter((each) => each !== undefined);
    inputs.set(id, {
      id,
      ...(description === undefined ? {} : { description }),
      ...(options.length === 0 ? {} : { options }),
      ...(usual === undefined ? {} : { default: usual }),
    });
  }
  return inputs;
}
