/** What a safe delete refuses. */
export const deleteRefusals = {
  argumentsWouldMoveUp: {
    why: 'whoever is given the function passes arguments by their places, and those behind it would move up',
    hint: 'Rename it to begin with _ to say that it is not used.',
  },
  argumentHasEffects: {
    why: 'what the call on line {line} passes for it comes from something that may have to happen',
    hint: 'Take it out of the call first; force: true deletes it as it is.',
  },
  notPlainParameter: 'it is not a plain parameter',
  collectsArguments: 'it collects all further arguments',
  parameterDecorated: 'it is decorated, so that others know of it',
  defaultHasEffects: 'its default value comes from something that may have to happen',
  othersMustMatch: {
    why: 'it belongs to a declaration that others must match',
    hint: 'Change what implements it first.',
  },
  readsArgumentsObject: 'the function reads its "arguments"',
  classWithoutName: 'its class has no name',
  severalConstructorSignatures: 'the constructor has several signatures',
  functionDeclaredElsewhere: {
    why: '{where} declares the function too, or uses it in another way than by calling it',
    hint: 'Rename it to begin with _ to say that it is not used.',
  },
  subclassTakesSameArguments: 'the class at {where} is made with the same arguments',
  loopNeedsVariable: { why: 'a loop over something needs its variable', hint: 'Rename it, or change the loop.' },
  notCaught: 'it is not caught',
  valueHasEffects: {
    why: 'its value comes from something that may have to happen',
    hint: 'Keep that as a statement and delete the rest; force: true deletes all of it.',
  },
  exportedPart: { why: 'it is exported, so others may use it', hint: 'Do not export it first.' },
  loopNeedsVariables: { why: 'a loop needs its variables', hint: 'Take the value apart inside of the loop.' },
  leavesOutOfRest: { why: 'the rest that is collected beside it leaves it out', hint: 'It must be named for that.' },
  decoratorMayRegister: {
    why: '{decorator} may hand it to somebody who uses it',
    hint: 'Remove the decorator first if nobody does; force: true deletes it as it is.',
  },
  classDoesSomething: {
    why: 'the class does something as it is declared',
    hint: 'Keep that as a statement and delete the rest; force: true deletes all of it.',
  },
  languageAsksForMethod: {
    why: 'the language itself asks objects for "{name}"',
    hint: 'force: true deletes it nevertheless.',
  },
  compilerAsksForType: {
    why: 'the compiler itself asks the JSX namespace for "{name}"',
    hint: 'force: true deletes it nevertheless.',
  },
  otherEnumValues: {
    why: '"{name}" and what follows it would get other values',
    hint: 'Write the value of "{name}" down first; force: true deletes it as it is.',
  },
  declaredInComment: '"{name}" is declared in a comment',
  usedAtThisPlace: '"{name}" is used at this very place',
  notDeletable: '"{name}" is not a declaration that can be deleted',
  notTakenOutAlone: { says: '"{name}" is no declaration that can be taken out alone.' },
  cannotBeDeleted: { says: '"{name}" cannot be deleted: {why}.' },
  sharesItsLine: { says: '"{name}" shares its line with other code; it is not taken out by itself.' },
  countsWithIota: 'it counts in a group of constants with iota',
  stillUsed: {
    says: '"{name}" is still used in {uses}. Nothing was changed.',
    hint: 'Remove these uses first{cascading}. force: true deletes it nevertheless.',
    isConflict: true,
  },
} as const;
