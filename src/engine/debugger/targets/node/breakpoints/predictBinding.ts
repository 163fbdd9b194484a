import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { displayPath } from '../../../../../base/paths.ts';
import type { Project } from '../../../../workspace/project.ts';
import { launchJson } from '../../../../workspace/runConfigs/launchJson.ts';
import { readTasks } from '../../../../workspace/runConfigs/vscodeTasks.ts';
import type { BreakpointBinding } from '../../../model.ts';
import type { ForecastRequest } from '../../../target.ts';
import type { BuiltFile, BuiltFiles } from '../scripts/builtFiles.ts';
import { linesWithCode, nearestLines } from '../scripts/codeLines.ts';
import { staleness } from '../scripts/staleness.ts';

type Forecast = Omit<BreakpointBinding, 'breakpointId'>;

const maxSourceBytes = 5_000_000;

/**
 * What can be said of a breakpoint before V8 has loaded its file: where in a compiled file it will be bound, that no map
 * mentions its source, or that its line has no code. Never that it is bound. Undefined when there is nothing to say.
 */
export async function forecast(built: BuiltFiles, wanted: ForecastRequest): Promise<Forecast | undefined> {
  const { project } = wanted;
  const globs = wanted.outFiles ?? (await configuredOutFiles(project));
  const { found, lookedAt } = await built.of(project, wanted.file, globs);
  if (found.length > 0) return mappedForecast(wanted, found);
  if (isTypeScript(wanted.file)) return unmentioned(wanted, lookedAt, globs);
  const text = await sourceText(wanted.file);
  return text === undefined ? undefined : plainForecast(wanted, text);
}

async function mappedForecast(wanted: ForecastRequest, found: readonly BuiltFile[]): Promise<Forecast> {
  const { project, file, line, column } = wanted;
  const placed = found.flatMap((built) => {
    const generated = built.map.toGenerated(file, line, column);
    const at = generated?.at[0];
    return generated === undefined || at === undefined ? [] : [{ built, line: generated.line, at }];
  });
  const first = placed[0];
  const name = (built: BuiltFile) => displayPath(project.root, built.path);
  if (first === undefined)
    return {
      verified: false,
      message: `the source map of ${found.map(name).slice(0, 3).join(', ')} has no code at or after line ${line}`,
      nearestLines: nearestLines(
        found.flatMap((each) => each.map.linesWithCode(file)),
        line,
      ),
    };
  const stale = await staleness(wanted, first.built, (path) => displayPath(project.root, path));
  const others = placed.length === 1 ? '' : ` and ${placed.length - 1} more`;
  const { at } = first;
  return {
    verified: false,
    location: { file, line: first.line, ...(first.line === line && column !== undefined ? { column } : {}) },
    willBindAt: { file: first.built.path, line: at.line, column: at.column },
    message: `it will be bound at ${name(first.built)}:${at.line}:${at.column}${others} once that is loaded${stale === undefined ? '' : `; ${stale}`}`,
    ...(first.line === line ? {} : { nearestLines: nearestLines(first.built.map.linesWithCode(file), line) }),
  };
}

function unmentioned(
  wanted: ForecastRequest,
  lookedAt: readonly string[],
  globs: readonly string[],
): Forecast | undefined {
  const { root } = wanted.project;
  const way = 'build it, unless the program runs it directly';
  if (lookedAt.length === 0) {
    if (globs.length === 0) return undefined;
    const shown = globs.map((glob) => displayPath(root, glob)).join(', ');
    return { verified: false, message: `no compiled file with a source map matches outFiles (${shown}): ${way}` };
  }
  const shown = `${lookedAt.slice(0, 3).join(', ')}${lookedAt.length > 3 ? `, … ${lookedAt.length} in all` : ''}`;
  return { verified: false, message: `no source map mentions ${basename(wanted.file)} (looked at ${shown}): ${way}` };
}

function plainForecast(wanted: ForecastRequest, text: string): Forecast | undefined {
  const lines = linesWithCode(text);
  if (lines === undefined || lines.includes(wanted.line)) return undefined;
  const nearest = nearestLines(lines, wanted.line);
  const next = lines.find((line) => line > wanted.line);
  return next === undefined
    ? { verified: false, message: `there is no code at or after line ${wanted.line}`, nearestLines: nearest }
    : {
        verified: false,
        location: { file: wanted.file, line: next },
        message: 'it is bound when a session loads the file',
        nearestLines: nearest,
      };
}

/** The `outFiles` of launch.json: those of one configuration that is not started yet cannot be told from the others'. */
async function configuredOutFiles(project: Project): Promise<readonly string[]> {
  const { drafts } = await launchJson(await readTasks(project.root, project.env));
  return [...new Set(drafts.flatMap(({ plan }) => (plan?.kind === 'launch' ? (plan.outFiles ?? []) : [])))];
}

async function sourceText(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > maxSourceBytes ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isTypeScript(file: string): boolean {
  return /^\.[mc]?tsx?$/.test(extname(file));
}
