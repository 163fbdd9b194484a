import { resolve } from 'node:path';
import type { RunProblem } from '../../tests/model.ts';

/** A binary with tests that Cargo has built. */
export interface TestArtifact {
  executable: string;
  /** The file that its crate begins with. */
  srcPath?: string;
}

/** From a `compiler-artifact` message. */
export function testArtifact(message: unknown): TestArtifact | undefined {
  if (!isRecord(message) || message['reason'] !== 'compiler-artifact') return undefined;
  const { executable, profile, target } = message;
  if (typeof executable !== 'string' || !isRecord(profile) || profile['test'] !== true) return undefined;
  const srcPath = isRecord(target) ? target['src_path'] : undefined;
  return { executable, ...(typeof srcPath === 'string' ? { srcPath } : {}) };
}

/** An error of the compiler: why tests could not be built. */
export function compilerProblem(message: unknown, root: string): RunProblem | undefined {
  if (!isRecord(message) || message['reason'] !== 'compiler-message' || !isRecord(message['message'])) return undefined;
  const { level, message: text, code, spans, children } = message['message'];
  if (level !== 'error' || typeof text !== 'string' || text.startsWith('aborting due to ')) return undefined;
  const places = Array.isArray(spans) ? spans.filter(isRecord) : [];
  const main = places.find((each) => each['is_primary'] === true) ?? places[0];
  const label = main?.['label'];
  const help = Array.isArray(children)
    ? children
        .filter(isRecord)
        .flatMap(({ level: kind, message: words }) =>
          typeof words === 'string' && kind === 'help' ? [`help: ${words}`] : [],
        )
    : [];
  const name = isRecord(code) && typeof code['code'] === 'string' ? `${code['code']}: ` : '';
  return {
    kind: 'collection',
    message: [`${name}${text}`, ...(typeof label === 'string' ? [label] : []), ...help].join('\n'),
    ...(typeof main?.['file_name'] === 'string' ? { file: resolve(root, main['file_name']) } : {}),
    ...(typeof main?.['line_start'] === 'number' ? { line: main['line_start'] } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
