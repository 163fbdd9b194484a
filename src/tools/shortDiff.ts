/** Beyond as many changed lines, files in which little changes are told by their counts. */
const fewLines = 40;
/** As many changed lines of one file are little. */
const little = 6;

interface FileDiff {
  title: string;
  lines: string[];
  added: number;
  removed: number;
}

/**
 * A unified difference for a model that knows the files: the changed lines with their numbers and nothing around them. When many
 * files change a little each (imports that follow a move, uses of a renamed name), these are a line each.
 */
export function shortDiff(diff: string): string {
  const files = filesOf(diff);
  if (files === undefined) return diff.trimEnd();
  const total = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const isFolded = ({ lines }: FileDiff): boolean => total > fewLines && lines.length <= little;
  const shown = files.filter((file) => !isFolded(file));
  const folded = files.filter(isFolded).map(({ title, added, removed }) => `${title} (+${added} -${removed})`);
  // One of those that are alike shows how the others look.
  const example = shown.length === 0 ? files.slice(0, 1) : [];
  const rest = folded.slice(example.length);
  return [
    ...[...example, ...shown].flatMap(({ title, lines }) => [title, ...lines]),
    ...(rest.length === 0 ? [] : [`${rest.length} files with up to ${little} changed lines each:`, ...rest]),
  ].join('\n');
}

/** Undefined when it is no unified difference. */
function filesOf(diff: string): FileDiff[] | undefined {
  const files: FileDiff[] = [];
  let [oldLine, newLine] = [0, 0];
  let from = '';
  for (const line of diff.trimEnd().split('\n')) {
    const file = files.at(-1);
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) [oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])];
    else if (/^--- (?:a\/|\/dev\/null)/.test(line)) from = line.slice(4);
    else if (line.startsWith('rename from ')) from = `a/${line.slice(12)}`;
    else if (/^(?:rename to |\+\+\+ (?:b\/|\/dev\/null))/.test(line)) {
      const title = titleOf(from, line.startsWith('rename') ? `b/${line.slice(10)}` : line.slice(4));
      // A moved file is told once, also when it changes on the way.
      if (title !== file?.title) files.push({ title, lines: [], added: 0, removed: 0 });
    } else if (file === undefined) return undefined;
    else if (line.startsWith('-')) {
      file.lines.push(`${oldLine++}-${line.slice(1)}`);
      file.removed++;
    } else if (line.startsWith('+')) {
      file.lines.push(`${newLine++}+${line.slice(1)}`);
      file.added++;
    } else if (line.startsWith(' ')) [oldLine, newLine] = [oldLine + 1, newLine + 1];
    else if (line.startsWith('…')) file.lines.push(line);
  }
  return files.length === 0 ? undefined : files;
}

function titleOf(from: string, to: string): string {
  if (from === '/dev/null') return `new ${to.slice(2)}`;
  if (to === '/dev/null') return `deleted ${from.slice(2)}`;
  return from.slice(2) === to.slice(2) ? to.slice(2) : `${from.slice(2)} -> ${to.slice(2)}`;
}
