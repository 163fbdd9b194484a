import { displayPath } from '../../../base/paths.ts';
import { decodeText } from '../textEncoding.ts';
import { sameVersion, type ChangePlan, type FileVersion, type Transition } from './operations.ts';
import { spannedDiff } from './text/spannedDiff.ts';
import { uniformLineEnd } from './text/textEdits.ts';
import { unifiedDiff } from './text/unifiedDiff.ts';

/** A change as callers read it. */
export interface ChangeReport {
  /** Relative to the project root, in order; a moved file is named by its new place. */
  affectedFiles: string[];
  changesCount: number;
  /** Unified, of all files that are text, at most `maxDiffChars` long. */
  diff: string;
  /** Files whose difference is not in `diff` because there was no room. */
  diffOmitted?: string[];
}

const defaultDiffChars = 12_000;

export function reportChange(root: string, plan: ChangePlan, maxDiffChars = defaultDiffChars): ChangeReport {
  const allMoves = [...plan.moves, ...plan.editedMoves];
  const movedTo = new Map(allMoves.map((move) => [move.to, move.from]));
  const movedFrom = new Set(allMoves.map((move) => move.from));
  const old = new Map(plan.transitions.map((one) => [one.path, one.before]));
  const affectedFiles: string[] = [];
  const omitted: string[] = [];
  let diff = '';
  for (const { path, before, after } of plan.transitions) {
    if (movedFrom.has(path)) continue;
    const file = displayPath(root, path);
    affectedFiles.push(file);
    // Past a few files that did not fit, the rest would not either: nothing is worked out that nobody sees.
    if (omitted.length >= 3) {
      omitted.push(file);
      continue;
    }
    const from = movedTo.get(path);
    const transition = { path, before: from === undefined ? before : (old.get(from) ?? null), after };
    const oldFile = from === undefined ? file : displayPath(root, from);
    const difference = diffOf(plan, transition, file, maxDiffChars - diff.length, oldFile);
    const isWhole = from === undefined || difference === undefined;
    const part = isWhole ? difference : `rename from ${oldFile}\nrename to ${file}\n${difference}`;
    if (part !== undefined && diff.length + part.length <= maxDiffChars) diff += part;
    else omitted.push(file);
  }
  return {
    affectedFiles,
    changesCount: plan.changesCount,
    diff,
    ...(omitted.length > 0 ? { diffOmitted: omitted } : {}),
  };
}

/** The text of a version as far as the plan holds it; null for absence, undefined when it is no text. */
export function textOf(plan: ChangePlan, version: FileVersion | null): string | null | undefined {
  if (version === null) return null;
  if (version.kind === 'symlink') return `link to ${version.target}\n`;
  const bytes = plan.contents.get(version.hash);
  return bytes === undefined ? undefined : decodeText(bytes)?.text;
}

/** Undefined when it was seen to be too long before it was whole. */
function diffOf(
  plan: ChangePlan,
  { path, before, after }: Transition,
  file: string,
  maxChars: number,
  oldFile: string,
): string | undefined {
  if (before !== null && sameVersion(before, after)) return '';
  const spans = plan.spans.get(path);
  const [old, fresh] = [plan.contents.get(before?.hash ?? ''), plan.contents.get(after?.hash ?? '')];
  if (spans !== undefined && old !== undefined && fresh !== undefined)
    return spannedDiff(file, old, fresh, spans, maxChars);
  const [a, b] = [textOf(plan, before), textOf(plan, after)];
  if (a === undefined || b === undefined) return `Binary file ${file} ${after === null ? 'deleted' : 'changed'}\n`;
  // Line ends are the file's own affair; a carriage return at the end of each line would only be noise here.
  return unifiedDiff(oldFile, withPlainLineEnds(a), withPlainLineEnds(b), file);
}

function withPlainLineEnds(text: string | null): string | null {
  if (text === null || !text.includes('\r')) return text;
  return uniformLineEnd(text) === '\r' ? text.replaceAll('\r', '\n') : text.replaceAll('\r\n', '\n');
}
