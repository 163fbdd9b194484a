import { createContext, Script } from 'node:vm';

/** Running `pattern.exec(text)` by itself can be stopped by nobody; a script with a deadline can. */
const context = createContext(Object.assign(Object.create(null), { pattern: /x/, text: '' }));
const match = new Script('pattern.exec(text)');

/**
 * What a regular expression of somebody else finds, unless it takes longer than is good for everybody else. A deadline counts the time in
 * which a busy machine ran others, so what misses the first has a longer one.
 */
export function boundedExec(pattern: RegExp, text: string, deadlineMs = 50): RegExpExecArray | 'too slow' | null {
  const first = execWithin(pattern, text, deadlineMs);
  return first === 'too slow' ? execWithin(pattern, text, deadlineMs * 4) : first;
}

function execWithin(pattern: RegExp, text: string, deadlineMs: number): RegExpExecArray | 'too slow' | null {
  context['pattern'] = pattern;
  context['text'] = text;
  try {
    return match.runInContext(context, { timeout: deadlineMs }) as RegExpExecArray | null;
  } catch (error) {
    // An error of the other context is no Error of ours.
    const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too slow';
    throw error;
  } finally {
    context['text'] = '';
  }
}
