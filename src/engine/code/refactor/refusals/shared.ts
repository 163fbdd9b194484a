/** What more than one operation refuses. */
export const sharedRefusals = {
  spreadsArguments: 'the call on line {line} spreads its arguments',
  collectsRest: 'it collects what is left over',
  meansOtherInUsingFile: '"{name}" means something else in another file that uses it',
  cannotBeImported: 'it needs "{name}", which other files cannot import',
  serverFails: { why: 'the TypeScript server fails on this code ({failure})', hint: 'Do it in smaller steps.' },
  serverChangesNothing: 'the TypeScript server found nothing to change',
  brokenCode: { why: 'the code around the selection is not valid (line {line})', hint: 'Mend its syntax first.' },
  restDepends: 'a rest element beside it depends on it',
  isParameter: 'it is a parameter',
  readDifferently: 'the code would be read differently with the value in its place (a missing semicolon, perhaps)',
  // Of a language server, or of the list in python/_sightline_refactor/refusals.py.
  engineSays: '{reason}',
  serverRefuses: { says: '{reason}. Nothing was changed.', isConflict: true },
  actionDisabled: { says: '{action}: {reason}.' },
  pythonConflict: { says: '{reason}. Nothing was changed.', hint: 'Choose another name.', isConflict: true },
  noEngineOffers: { says: '{path}: no engine offers {what} for {files}.', hint: 'It is offered for {languages}.' },
  notOfferedFor: { says: '{what} is not offered for {language}.' },
  unsavedChanges: {
    says: 'An editor has unsaved changes in {files}; this refactoring works on what is saved. Nothing was changed.',
    hint: 'A person can save the file in the editor; then try again.',
  },
  hasConflicts: {
    says: '{summary}: {conflict}. Nothing was changed.',
    hint: 'preview: true shows the change; force: true makes it nevertheless.',
    isConflict: true,
  },
  takenBack: { says: '{summary}: {errors}. It was taken back; the files are as before.', isConflict: true },
  declaredInLibrary: {
    says: `"{name}" is declared in {path}, which is a library's.`,
    hint: 'It can only be changed there.',
    isConflict: true,
  },
  declaredInBuilt: {
    says: '"{name}" is declared in {path}, which is built from other files.',
    hint: 'Start from its declaration in the sources. References in tsconfig.json ("references") make packages one program, with the sources in place of what is built.',
    isConflict: true,
  },
  scriptWouldNotFollow: {
    says: '"{name}" is declared in {path} for {script}, which would not follow.',
    hint: 'Change {script} and {path} by hand.',
    isConflict: true,
  },
} as const;
