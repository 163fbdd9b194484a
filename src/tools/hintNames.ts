import type { FaceName } from './faces.ts';

/**
 * Engines name the next call in the words of the `debugger` face. Faces that list the plain-text tools instead have their own
 * words for it, and a model can only call what it was shown.
 */
const plainNames: Readonly<Record<string, string>> = {
  start_debug_session: 'debug_launch',
  get_debug_session_status: 'debug_continue',
  pause_execution: 'debug_stop',
  stop_debug_session: 'debug_stop',
  get_stack_trace: 'debug_stack',
  list_threads: 'debug_stack',
  get_variables: 'debug_variables',
  expand_variable: 'debug_variables',
  evaluate_expression: 'debug_evaluate',
  set_breakpoint: 'debug_breakpoint',
};

export function hintOn(face: FaceName, hint: string): string {
  if (face !== 'probe' && face !== 'default') return hint;
  return hint.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => plainNames[name] ?? name);
}
