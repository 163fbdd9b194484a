import { StringDecoder } from 'node:string_decoder';
import { delay } from '../../../../../base/cancellation.ts';
import type { ManagedProcess, ProcessExit } from '../../../../../base/processes.ts';
import type { OutputChunk } from '../../../model.ts';
import { dropInspectorChatter } from './inspectorChatter.ts';

/** After the program's end its pipes are read to their end, but a child that inherited them may keep them open. */
const drainMs = 150;

/** Passes on what a program prints. Answers how it ended, once everything it printed before that has been passed on. */
export async function followOutput(child: ManagedProcess, onChunk: (chunk: OutputChunk) => void): Promise<ProcessExit> {
  let lastAt = 0;
  const pipe = (stream: NodeJS.ReadableStream, category: 'stdout' | 'stderr', clean: (text: string) => string) => {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (bytes: Buffer) => {
      const text = clean(decoder.write(bytes));
      lastAt = Date.now();
      if (text !== '') onChunk({ category, text });
    });
    return new Promise<void>((resolve) => {
      stream.once('end', resolve);
      stream.once('close', resolve);
    });
  };
  const ends = [pipe(child.stdout, 'stdout', (text) => text), pipe(child.stderr, 'stderr', dropInspectorChatter())];
  const exit = await child.exited;
  const isOver = Promise.all(ends).then(() => true);
  // Everything in the pipes is the program's own; only when a child that inherited them keeps them open do we stop waiting.
  while (Date.now() - lastAt < drainMs || lastAt === 0) {
    lastAt ||= Date.now();
    if (await Promise.race([isOver, delay(drainMs / 3).then(() => false)])) break;
  }
  return exit;
}
