import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { LoadedScripts } from '../scripts/loadedScripts.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;

export async function isAtDebuggerStatement(scripts: LoadedScripts, event: PausedEvent): Promise<boolean> {
  const { text, column } = await topLine(scripts, event);
  return text.slice(column).startsWith('debugger');
}

/** A loop is paused between two turns, where V8 does not tell the variables of the loop itself. */
export async function isAtLoopHead(scripts: LoadedScripts, event: PausedEvent): Promise<boolean> {
  const top = event.callFrames[0];
  if (top === undefined || scripts.of(top)?.isLibrary !== false) return false;
  return /\bfor\s*\(\s*(let|const)\b/.test((await topLine(scripts, event)).text);
}

/** What stands on the line where the program stands. */
async function topLine(scripts: LoadedScripts, event: PausedEvent): Promise<{ text: string; column: number }> {
  const { scriptId, lineNumber, columnNumber = 0 } = event.callFrames[0]?.location ?? { scriptId: '', lineNumber: 0 };
  const source = await scripts.sourceOf(scriptId);
  return { text: source?.split('\n')[lineNumber] ?? '', column: columnNumber };
}
