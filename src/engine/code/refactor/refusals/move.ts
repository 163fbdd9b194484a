/** What moving a symbol or a file refuses. */
export const moveRefusals = {
  declaredWithOthers: {
    why: '"{name}" is declared in one statement with others, with comments in between',
    hint: 'Declare it in a statement of its own first.',
  },
  mixedModules: 'one of the two files is a CommonJS module, the other is not',
  exportsWhole: 'the file it goes to exports one thing as a whole',
  onlyDescribes: {
    why: '{file} only describes code that is elsewhere',
    hint: 'Move it to a source file: "{source}", or another one.',
  },
  notTopLevel: '"{name}" is not declared at the top level of its file',
  declaredInPieces: '"{name}" is declared in several places of its file, with others in between',
  serverDoesNotMove: 'the TypeScript server does not offer to move this',
  otherPackage: {
    says: 'A file of {language} is not moved to another folder: it would become part of another package.',
  },
  onlyMoved: { says: 'Files of this kind can only be moved.' },
} as const;
