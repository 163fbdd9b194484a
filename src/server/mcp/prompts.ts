/** A prompt that a person can pick in their client; its text is the recipe, in our tools' names. */
export interface PromptDeclaration {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  render(args: Readonly<Record<string, string>>): string;
}

export const prompts: readonly PromptDeclaration[] = [
  {
    name: 'debug-this-failure',
    title: 'Debug this failure',
    description:
      'Finds the cause of a failing test, crash or wrong result with the debugger, then fixes and proves it.',
    arguments: [
      { name: 'failure', description: 'The error message, stack trace, or what is wrong', required: true },
      { name: 'command', description: 'The program or test that shows it', required: false },
    ],
    render: (args) => `Find and fix the cause of this failure. Do not guess: look at the running program.

Failure:
${args['failure'] ?? ''}
${args['command'] === undefined || args['command'] === '' ? '' : `\nIt shows when running: ${args['command']}\n`}
1. Reproduce it with debug_probe and read the exact error.
2. Choose the line where the state is last known to be right and the one where it is wrong. Call debug_probe with breakpoints there and the expressions that tell.
3. Narrow down with conditions until one statement is left that turns right state into wrong. Say which one, and show the values.
4. Fix that cause, not its symptom. Check ide_find_references for other callers that rely on the old behaviour.
5. Run the failing test again, then the tests around it, and get_problems on the changed files.
6. Report: the cause with the values seen, the change, the proof.`,
  },
  {
    name: 'safe-refactor',
    title: 'Refactor safely',
    description: 'Changes structure without changing behaviour: look, preview, apply, prove, and undo when in doubt.',
    arguments: [
      { name: 'change', description: 'What to rename, extract, inline, move or delete, and to what', required: true },
      { name: 'file', description: 'Where it is', required: false },
    ],
    render: (args) => `Carry out this refactoring without changing behaviour: ${args['change'] ?? ''}
${args['file'] === undefined || args['file'] === '' ? '' : `It is in ${args['file']}.\n`}
1. ide_index_status must say ready; otherwise wait, because a half-built index finds only some of the places.
2. Run the tests that cover the code, so that you know how things stood before.
3. ide_find_references on the symbol. Look for uses that no index sees: strings, configuration, generated code, reflection.
4. Call the fitting ide_refactor_* tool with preview and read the whole diff. Exclude what does not belong.
5. apply_plan. Compare the diagnostics that appeared and vanished; get_problems on the affected files.
6. Run the same tests. If something broke and the reason is not plain, undo and think again.
7. Report: what changed where, what was checked, what you left alone and why.`,
  },
];
