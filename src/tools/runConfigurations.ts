import { listRunConfigurations, type RunConfigurationList } from '../engine/workspace/runConfigs/runConfigurations.ts';
import type { ToolCall } from './defineTool.ts';

/** Languages whose programs the debugger can start. */
export const debuggableLanguages: ReadonlySet<string> = new Set(['node', 'python']);

export function configurationsOf(call: ToolCall): Promise<RunConfigurationList> {
  return listRunConfigurations(call.project, { debuggable: debuggableLanguages, signal: call.signal });
}
