/** A prompt that a person can pick in their client; its text is the recipe, in our tools' names. */
interface PromptDeclaration {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  render(args: Readonly<Record<string, string>>): string;
}

/** In the order in which they cost least; docs/skills/debug-this-failure.md has the same. */
const failureSteps = `Budget: about eight calls. Name a test as file::name, so that only it runs.

1. debug_explain on the failing test or program. It says where it failed and leads back to the call and the write that made the wrong value. If one statement is plainly wrong now, go to 4.
2. Ask about the wrong value: debug_who_changed {expression} for something that was overwritten or shared; debug_trace with a focus on the suspected file for a call with a wrong argument or result. Another test of the same code passes? debug_compare shows the first difference.
3. Not sure of the cause? debug_try sets the value you believe to be right at the line and says whether the test passes then. If it does not, there is another cause: back to 2, with another value.
4. Fix the cause, not its symptom. ide_find_references shows other callers that rely on the old behaviour.
5. run_tests {failed: true} (or the test by name, if run_tests has not seen it fail), then the tests around it, and get_problems on the changed files.
6. Report in five lines: the cause with the values seen, the change, the proof. After eight calls without a cause, report what is ruled out, and by which values.`;

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
${failureSteps}`,
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
