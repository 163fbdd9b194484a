import { createInterface } from 'node:readline/promises';

/** The answer of the person at this terminal; undefined when there is none to ask at. */
export async function askPerson(question: string): Promise<string | undefined> {
  // What the question is about was written to stdout, and may have gone to a file.
  if (![process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY)) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input is no answer, and would otherwise be waited for without end.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(question), closed])).trim().toLowerCase();
  } finally {
    lines.close();
  }
}
