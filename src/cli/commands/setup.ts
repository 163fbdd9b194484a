import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CancelledError } from '../../base/errors.ts';
import { languageNamed, languageTitles, languagesOfFiles } from '../../engine/provision/languages.ts';
import { languageIds } from '../../base/languages/table.ts';
import type { InstallOutcome, InstallProgress } from '../../engine/provision/model.ts';
import type { Provision } from '../../engine/provision/provision.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { projectOfPerson, provisionFor } from '../provisioning.ts';

export const setup: Command = {
  name: 'setup',
  summary: 'install debuggers and language servers into a cache of our own',
  usage: `sightline setup [LANGUAGE... | ENGINE... | --all] [--json]

Installs what is missing for the languages named, by default those of the project in the current directory:
${languageIds.join(', ')}.
Uses your own npm, pip, go and rustup with their settings. It can be interrupted and run again at any time.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
    });
    const { provision, cacheDir } = await provisionFor(context);
    const ids = await engineIdsFor(positionals, values.all === true, provision, context);
    const interrupt = interruptSignal();
    const say = values.json ? () => undefined : progressLines(ids, context);
    try {
      const outcomes = await provision.install(ids, { progress: say, signal: interrupt.signal });
      if (values.json) context.out(JSON.stringify({ cacheDir, outcomes }, null, 2));
      else context.out(renderOutcomes(outcomes));
      return outcomes.every(({ status }) => status !== 'failed') ? 0 : 1;
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
      context.err('Interrupted. Nothing half-installed is left; run the same command again to go on.');
      return 130;
    } finally {
      interrupt.dispose();
    }
  },
};

async function engineIdsFor(
  names: readonly string[],
  all: boolean,
  provision: Provision,
  context: CommandContext,
): Promise<string[]> {
  const installable = provision.engines.filter(({ role }) => role !== 'toolchain' && role !== 'testRunner');
  if (all) return installable.map(({ id }) => id);
  const wanted = names.length > 0 ? names : await languagesHere(context);
  if (wanted.length === 0) {
    throw new UsageError('this directory is no project whose languages could be told: name them, or --all.');
  }
  const ids = wanted.flatMap((name) => {
    const engine = provision.engines.find(({ id }) => id === name || id === `grammar-${name}`);
    const language = languageNamed(name);
    if (language !== undefined) {
      return installable.filter((each) => !each.optional && each.languages.includes(language)).map(({ id }) => id);
    }
    if (engine === undefined) {
      throw new UsageError(`"${name}" is no language or engine that Sightline knows (${languageIds.join(', ')}).`);
    }
    return [engine.id];
  });
  return [...new Set(ids)];
}

async function languagesHere(context: CommandContext): Promise<string[]> {
  const project = projectOfPerson(context);
  const languages = project === undefined ? [] : languagesOfFiles(await readdir(project.root));
  if (languages.length > 0) context.err(`For ${languages.map((language) => languageTitles[language]).join(', ')}:`);
  return languages;
}

/** What the clients themselves print is shown at most this often: enough to see that it goes on. */
const clientLineEveryMs = 2000;

function progressLines(ids: readonly string[], context: CommandContext): (progress: InstallProgress) => void {
  let phase = '';
  let lastAt = 0;
  return (progress) => {
    const isNews = phase !== `${progress.engine} ${progress.phase}`;
    if (!isNews && Date.now() - lastAt < clientLineEveryMs) return;
    phase = `${progress.engine} ${progress.phase}`;
    lastAt = Date.now();
    const number = `[${ids.indexOf(progress.engine) + 1}/${ids.length}]`;
    context.err(
      isNews
        ? `${number} ${progress.engine}: ${progress.phase === 'done' ? '' : `${progress.phase}: `}${progress.message}`
        : `      ${progress.message.trim().slice(0, 110)}`,
    );
  };
}

export function renderOutcomes(outcomes: readonly InstallOutcome[]): string {
  const lines = outcomes
    .filter(({ status }) => status === 'failed')
    .map(({ title, reason, manualCommand, logFile }) =>
      [
        `\n${title} is missing. ${reason ?? ''}`,
        `  To get it: ${manualCommand}`,
        ...(logFile ? [`  Log: ${logFile}`] : []),
      ].join('\n'),
    );
  const ready = outcomes.length - lines.length;
  return [`${ready} of ${outcomes.length} ready.`, ...lines].join('\n');
}

/** The children lead groups of their own, so the terminal's Ctrl-C reaches only us: we end them. */
function interruptSignal(): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new CancelledError('Interrupted.'));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const signal of signals) process.removeListener(signal, stop);
    },
  };
}
