import { advise, parameter, step } from '../../../../base/text/advice.ts';
/** What extracting a function, a variable or a type refuses. */
export const extractRefusals = {
  usesArgumentsOrNewTarget: {
    why: 'the selection uses "arguments" or "new.target", which are those of the new function in a function of its own',
    hint: 'Give them a name before the selection first: const args = arguments;',
  },
  callsEval: { why: 'the selection calls eval, which may mean any variable around', hint: 'Select less.' },
  keepsValueInLoop: {
    why: '"{name}" keeps its value from one round of the loop to the next',
    hint: 'Declare it before the loop.',
  },
  noScopeOffered: 'no scope is offered',
  onlyDeclaresVariables: 'the selection only declares variables, there is nothing in it that a function could do',
  textOverLineEnd: {
    why: 'the text goes on over the end of a line',
    hint: 'Select text of one line, or the whole element.',
  },
  unknownEntity: '"{entity}" stands for a character that is not known here',
  serverDoesNotSayName: 'the TypeScript server does not say what it named',
  serverCannotRename: 'the TypeScript server cannot rename what it extracted',
  noValue: '"{text}" is no value here',
  assignedInStatement: '"{text}" is assigned to within the statement',
  notWholeExpression: 'the selection is not one whole expression',
  calledOrNamed: 'the expression is called or named in a way that a variable cannot stand for',
  expressionAssigned: 'the expression is assigned to on line {line}',
  conditionDecides: 'a condition decides whether the expression can be evaluated at all',
  meansOtherThere: '"{name}" means something else on line {line}',
  occurrencesDiffer: 'the occurrences need not have the same value: {why}',
  thisDiffers: '"this" is not the same everywhere the expression occurs',
  noStatementBefore: 'there is no statement to put the variable before',
  noValueYet: '"{name}" has no value yet on line {line}',
  thisIsNotClass: {
    why: '"this" is not the object of the class there',
    hint: 'Leave scope out, or choose module or function.',
  },
  noSuchScope: { why: 'there is no {scope} scope to extract to', hint: 'Offered: {offered}' },
  noScopeOfThatKind: 'there is no {scope} scope to extract to',
  partOfSomething: { why: 'the selection is a part of something', hint: 'Extract one occurrence (all: false).' },
  cannotStandForItself: 'the selection cannot stand for itself',
  typeNotValue: {
    why: 'the selection is a type, not a value',
    hint: advise`A ${parameter('newName')} with a capital makes a type of its own of it.`,
  },
  typeOccurrences: { why: 'the selection is a type', hint: 'Extract one occurrence (all: false).' },
  thisWouldDiffer: {
    why: '"this" would be another one in a function of its own',
    hint: 'Select less, or extract a method.',
  },
  setsWhatIsReadAfter: {
    why: 'the selection also sets {names}, which the code after it reads',
    hint: 'Select less, or set them outside of the selection.',
  },
  cutsEscape: { why: 'the selection begins or ends within an escape sequence', hint: 'Select whole characters.' },
  attributeHasEntities: 'the attribute has entities, backslashes or line ends, which mean something else in a template',
  stringMustBeWhole: 'the string must stand here as a whole: it is a name, a type, a directive or tagged',
  octalEscapes: 'the string has octal escapes, which a template cannot have',
  partOfChain: {
    why: 'the rest of the chain is skipped where the selection gives nothing',
    hint: 'Select the whole chain.',
  },
  noVariable: { why: '{why}', hint: 'Select more of the expression, or extract a function.' },
  returnsSometimes: {
    why: 'the selection returns in some cases and goes on in others',
    hint: 'Select up to the end of the function, or leave the return out.',
  },
  leavesLoop: {
    why: 'the selection leaves a loop, or goes on with one, that is not selected itself',
    hint: 'Select the whole loop, or leave the break or continue out.',
  },
  callWithoutValue: {
    why: 'the selection has no value: what it calls returns nothing',
    hint: advise`${step('ideRefactorExtractMethod')} makes a function of it.`,
  },
  declaresWhatIsUsed: {
    why: 'the selection declares something by a pattern or as a function or class, which the code after it uses',
    hint: 'Select less, or more of what uses it.',
  },
  nothingButName: { why: 'the selection is nothing but a name', hint: 'Select more than a name.' },
  nothingToExtract: {
    why: 'the selection is not something a {what} can be made of',
    hint: 'Select whole statements, or one whole expression.',
  },
  serverDoesNotExtract: { why: '{reason}', hint: 'Select whole statements, or one whole expression.' },
  cannotBeExtracted: {
    says: 'The selection cannot be extracted.',
    hint: 'Select whole statements of one block, or exactly one expression.',
  },
} as const;
