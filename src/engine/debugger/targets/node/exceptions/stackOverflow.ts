import { basename } from 'node:path';

/**
 * V8 lets no debugger stop at a stack overflow. What the program printed about it names the function that called itself; a
 * breakpoint there is the way to see its variables.
 */
export function stackOverflowOf(output: string): string | undefined {
  const at = output.lastIndexOf('Maximum call stack size exceeded');
  if (at < 0) return undefined;
  const frame = /([\w$.<>]+) \((?:file:\/\/)?(\/[^\s()]+?):(\d+):\d+\)/.exec(output.slice(at));
  const [, name = '', file = '', line = ''] = frame ?? [];
  const where = frame === null ? '' : ` in ${name} at ${basename(file)}:${line}`;
  return `stack overflow${where}, where V8 lets no debugger stop: set a breakpoint there`;
}
