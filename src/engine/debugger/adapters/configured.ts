import { createServer } from 'node:net';
import { basename } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { scratchFolder } from '../../../base/scratchFolders.ts';
import type { ConfiguredLanguage, ConfiguredLanguages } from '../../workspace/settings/languages.ts';
import type { BuildStep, LaunchSpec } from '../model.ts';
import type { AdapterDescription, ProgramRequest } from '../target.ts';
import { AdapterBackend } from '../targets/dap/adapterBackend.ts';
import type { DapAdapter } from '../targets/dap/dapAdapter.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';

type DebuggerSettings = NonNullable<ConfiguredLanguage['debugger']>;
type Values = Readonly<Record<string, unknown>>;

/** Debug adapters that a person or a project names in the settings. Debugging is for trusted projects only, whoever names them. */
export function configuredAdapters(languages: ConfiguredLanguages): AdapterDescription[] {
  return Object.entries(languages).flatMap(([language, { extensions, debugger: settings }]) =>
    settings === undefined ? [] : [description(language, extensions, settings)],
  );
}

function description(language: string, extensions: readonly string[], settings: DebuggerSettings): AdapterDescription {
  return {
    language,
    aliases: [],
    fileExtensions: extensions,
    createTarget: (context) => new DapTarget(language, new AdapterBackend(adapter(language, settings)), context),
    resolveProgram: (request) => programLaunch(language, settings, request),
    resolveTest: () =>
      Promise.reject(
        new ToolError('unsupported', `Tests of ${language} are not known: its debugger comes from the settings.`, {
          hint: 'Pass program, with args.',
        }),
      ),
    // Nothing is known of its syntax: the rules look at the whole text.
    codeOf: (expression) => expression,
    dangerousPatterns: [],
  };
}

async function programLaunch(
  language: string,
  settings: DebuggerSettings,
  request: ProgramRequest,
): Promise<LaunchSpec> {
  const { program, args, env, stopOnEntry } = request;
  const cwd = request.cwd ?? request.project.root;
  const spec = { language, name: basename(program), kind: 'program', args, cwd, env, stopOnEntry } as const;
  if (settings.build === undefined) return { ...spec, program };
  const scratch = await scratchFolder('debug');
  const binary = `${scratch}/program`;
  const command = settings.build.map((word) => String(filled(word, { program, cwd, binary })));
  const build: BuildStep = {
    title: command.slice(0, 3).join(' '),
    command,
    cwd,
    scratch,
    problems: (output) => compilerProblems(output),
  };
  return { ...spec, program: binary, build };
}

/** `file:line:column: message` and `file:line:column:` with the message below it, as most compilers write. */
function compilerProblems(output: string): { file: string; line: number; column: number; message: string }[] {
  return [...output.matchAll(/^(\S[^:\n]*):(\d+):(\d+):(?: *(\S.*)|[\s\S]*?\n(?:Error|error): (.*))$/gm)].map(
    ([, file = '', line, column, here, below]) => ({
      file,
      line: Number(line),
      column: Number(column),
      message: here ?? below ?? '',
    }),
  );
}

function adapter(language: string, settings: DebuggerSettings): DapAdapter {
  const { transport = 'stdio', request = 'launch' } = settings;
  const [command = ''] = settings.command;
  return {
    name: basename(command),
    adapterId: settings.adapterId ?? language,
    launchRequest: request,
    start: async (spec) => {
      const values = { ...valuesOf(spec), port: transport === 'stdio' ? 0 : await freePort() };
      const [program = '', ...args] = settings.command.flatMap((word) => words(filled(word, values)));
      return transport === 'stdio'
        ? { kind: 'stdio', command: program, args }
        : { kind: 'listens', command: program, args, portPattern: new RegExp(transport.listens) };
    },
    launchArguments: (spec) =>
      filledAll(settings.arguments ?? { program: '${program}', args: '${args}', cwd: '${cwd}' }, valuesOf(spec)),
    attachArguments: () => {
      throw new ToolError('unsupported', `The settings of ${language} say how to launch, not how to attach.`);
    },
    quirks: {
      replTakesCommands: true,
      ...(settings.stopsAtEntry === true ? { stopsAtEntry: true } : {}),
      ...(settings.sharesOutput === true ? { sharesOutput: true } : {}),
    },
  };
}

function valuesOf(spec: object): Values {
  const { program, args, cwd, env, stopOnEntry } = spec as Partial<LaunchSpec>; // an attachment has none of these
  return { program, args: args ?? [], cwd, env: env ?? {}, stopOnEntry: stopOnEntry ?? false };
}

/** A word that is one variable becomes its value, whatever that is; variables inside a word are written into it. */
function filled(word: string, values: Values): unknown {
  const [, only] = /^\$\{(\w+)\}$/.exec(word) ?? [];
  if (only !== undefined && only in values) return values[only];
  return word.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

function filledAll(template: Values, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, typeof value === 'string' ? filled(value, values) : value]),
  );
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
