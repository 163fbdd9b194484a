import { parseArgs } from 'node:util';
import { appDirs } from '../../base/appDirs.ts';
import { sightlineVersion } from '../../base/version.ts';
import {
  refactoringCapabilities,
  refactoringTitles,
  type RefactoringName,
} from '../../engine/code/refactor/capabilities.ts';
import type { EngineRole, FoundEngine } from '../../engine/provision/model.ts';
import { survey, type LanguageReport } from '../../engine/provision/survey.ts';
import type { Command, CommandContext } from '../command.ts';
import { leavingNothing, provisionFor, projectOfPerson } from '../provisioning.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'what is there for each language, and how to get what is not',
  usage: `sightline doctor [--json]

Shows for each language the debugger, the language server and the test runners: where they were found and in which
version, or the command that installs them; and which refactorings there are.`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
    const { reports, cacheDir } = await leavingNothing(context, async (inside) => {
      const { provision, cacheDir: cache } = await provisionFor(inside, appDirs(context.env));
      return { reports: await survey(provision, projectOfPerson(inside)), cacheDir: cache };
    });
    const data = { version: sightlineVersion, cacheDir, languages: reports, refactorings: refactoringCapabilities };
    if (values.json) context.out(JSON.stringify(data, null, 2));
    else context.out(`${renderDoctor(reports, context)}\n\n${renderRefactorings()}`);
    return 0;
  },
};

const roleNames: Readonly<Record<EngineRole, string>> = {
  toolchain: 'toolchain',
  debugger: 'debugger',
  languageServer: 'code',
  refactoring: 'refactoring',
  formatter: 'formatter',
  grammar: 'syntax',
  testRunner: 'tests',
};

/** One line per language and purpose: the engine that is used, or the command that brings it. */
export function renderDoctor(reports: readonly LanguageReport[], context: Pick<CommandContext, 'cwd' | 'env'>): string {
  const rows: string[][] = [];
  for (const report of reports) {
    let title = report.title;
    for (const row of languageRows(report, context)) {
      rows.push([title, ...row]);
      title = '';
    }
  }
  const table = [['LANGUAGE', 'FOR', '', 'ENGINE', 'FOUND AT, OR HOW TO GET IT'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const incomplete = reports.filter((report) => !report.complete).map((report) => report.language);
  const advice =
    incomplete.length === 0
      ? 'Everything is there.'
      : `To install what is missing for a language: sightline setup ${incomplete.slice(0, 3).join(' ')}${incomplete.length > 3 ? ' …' : ''}`;
  return `${lines.join('\n')}\n\n${advice}`;
}

/** What can be done to code, by what, and what is refused: a line for each limit. */
export function renderRefactorings(): string {
  const lines = [refactoringRow('REFACTORING', 'ENGINE', 'NOT DONE (the answer says why)')];
  for (const { language, offers } of refactoringCapabilities) {
    lines.push(language);
    for (const [name, { engine, limits }] of Object.entries(offers)) {
      const [first = '', ...further] = limits.flatMap((limit) => folded(limit, 80));
      // The keys are those of the table's own type.
      lines.push(refactoringRow(`  ${refactoringTitles[name as RefactoringName]}`, engine, first));
      for (const line of further) lines.push(refactoringRow('', '', line));
    }
  }
  return lines.join('\n');
}

function refactoringRow(name: string, engine: string, limit: string): string {
  return `${name.padEnd(20)}${engine.padEnd(50)}${limit}`.trimEnd();
}

/** Cut at blanks; what belongs to a limit is indented below its first line. */
function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}

function languageRows(report: LanguageReport, context: Pick<CommandContext, 'cwd' | 'env'>): string[][] {
  const rows: string[][] = [];
  for (const [role, name] of Object.entries(roleNames)) {
    const ofRole = report.engines.filter((engine) => engine.role === role);
    const found = ofRole.filter((engine) => engine.found);
    const [best, ...others] = found;
    if (best !== undefined) {
      const also = others.length === 0 ? '' : `, ${others.map(nameAndVersion).join(', ')}`;
      rows.push([name, 'ok', `${nameAndVersion(best)}${also}`, placeOf(best, context)]);
      continue;
    }
    const missing = ofRole.find((engine) => !engine.optional) ?? (role === 'testRunner' ? ofRole[0] : undefined);
    if (missing !== undefined && !missing.found) {
      const old = missing.problems.length === 0 ? '' : ' (found, but unusable)';
      rows.push([name, '--', `${missing.title}${old}`, setupCommand(missing.installCommand, missing.id, report)]);
    }
  }
  return rows;
}

/** Nobody remembers engine names: what `setup` installs is asked for by language. */
function setupCommand(command: string, id: string, report: LanguageReport): string {
  return command === `sightline setup ${id}` ? `sightline setup ${report.language}` : command;
}

function nameAndVersion(engine: FoundEngine): string {
  return engine.version === undefined ? engine.title : `${engine.title} ${engine.version}`;
}

function placeOf(engine: FoundEngine, context: Pick<CommandContext, 'cwd' | 'env'>): string {
  if (engine.source === 'bundled') return 'comes with Sightline';
  if (engine.source === 'cache') return "Sightline's cache";
  const home = context.env['HOME'];
  if (engine.path.startsWith(`${context.cwd}/`)) return engine.path.slice(context.cwd.length + 1);
  return home !== undefined && engine.path.startsWith(`${home}/`) ? `~${engine.path.slice(home.length)}` : engine.path;
}
