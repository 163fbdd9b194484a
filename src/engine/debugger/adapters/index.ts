import type { AdapterDescription } from '../target.ts';
import { nodeAdapter } from './node.ts';
import { pythonAdapter, type PythonEngines } from './python.ts';

/** Every language that can be debugged. Adding one is one file and one line here. */
export function adapters(engines: PythonEngines): AdapterDescription[] {
  return [nodeAdapter(), pythonAdapter(engines)];
}
