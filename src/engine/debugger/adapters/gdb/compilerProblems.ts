import { resolve } from 'node:path';
import type { BuildProblem } from '../../model.ts';

/** What gcc, clang and the linker complain of: `main.cpp:5:2: error: ...`. */
export function compilerProblems(output: string, folder: string): BuildProblem[] {
  const plain = withoutColours(output);
  const places = plain.matchAll(/^([^\s:][^:\n]*):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$/gm);
  const found = [...places].map(([, file = '', line, column, message = '']): BuildProblem => ({
    file: resolve(folder, file),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    message: message.trim(),
  }));
  if (found.length > 0) return found;
  const linker = [
    ...plain.matchAll(/^.*?(undefined reference to .*|multiple definition of .*|cannot find -l\S+.*)$/gm),
  ];
  const unlinked = [...new Set(linker.map(([, message = '']) => message))].map((message) => ({ message }));
  if (unlinked.length > 0) return unlinked;
  const said = plain.split('\n').filter((line) => /\berror\b|\*\*\*|No such file|not found/i.test(line));
  return said.length === 0 ? [] : [{ message: said.slice(0, 8).join('\n').slice(0, 1500) }];
}

/** What rustc complains of: `error[E0308]: mismatched types`, with its place and label below. */
export function rustProblems(output: string, folder: string): BuildProblem[] {
  const parts = withoutColours(output).split(/^(?=error(?:\[|:))/m);
  return parts.flatMap((part): BuildProblem[] => {
    const head = /^error(?:\[(E\d+)\])?: (.*)/.exec(part);
    if (head === null || /^(?:aborting due to|could not compile)/.test(head[2] ?? '')) return [];
    const place = /^\s*--> (.*?):(\d+):(\d+)$/m.exec(part);
    const label = /^\s*\|\s+[\s|_]*\^+ (.+)$/m.exec(part)?.[1];
    const message = `${head[1] === undefined ? '' : `${head[1]}: `}${head[2] ?? ''}${label === undefined ? '' : ` (${label})`}`;
    if (place === null) return [{ message }];
    return [{ file: resolve(folder, place[1] ?? ''), line: Number(place[2]), column: Number(place[3]), message }];
  });
}

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}
