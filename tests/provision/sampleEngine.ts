import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../src/base/errors.ts';
import type { EngineDeclaration } from '../../src/engine/provision/model.ts';
import { inCache } from '../../src/engine/provision/programs.ts';

/** An engine whose installation is a shell script, so that a test decides how long it takes and where it fails. */
export function sampleEngine(script: string): EngineDeclaration {
  return {
    id: 'sample',
    title: 'Sample',
    role: 'languageServer',
    languages: ['bash'],
    find: [inCache('bin/sample')],
    start: (path) => [path],
    probe: async (path) => {
      const text = await readFile(path, 'utf8');
      if (!text.startsWith('sample 1')) throw new ToolError('engine_failed', `${path} is no sample.`);
      return '1.0.0';
    },
    install: {
      version: '1.0.0',
      plan: async () => ({
        version: '1.0.0',
        manualCommand: 'make sample',
        entry: 'bin/sample',
        run: async (folder, context) => {
          await writeFile(join(folder, 'started'), '');
          const result = await context.run(['sh', '-c', script], {
            cwd: folder,
            signal: context.signal,
            onLine: (line) => context.progress(line),
            timeoutMs: 60_000,
          });
          if (result.code !== 0) throw new ToolError('engine_failed', `make ended with code ${result.code}`);
        },
      }),
    },
  };
}

export const quickScript = 'mkdir bin && echo "sample 1" > bin/sample';
