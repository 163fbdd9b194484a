import type ts from 'typescript-classic';
import { isTypescriptFile } from '../../../../../base/languages/byPath.ts';
import { counted } from '../../../../../base/text/counted.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import type { InlineForm } from './callArguments.ts';
import { callEdits } from './callEdits.ts';
import { calleeOf, isMemberFunction, namespaceNames, type Callee, type InlinableDeclaration } from './callee.ts';
import { typesAtCalls, withEffectType } from './callTypes.ts';
import { compiler } from '../syntax/compiler.ts';
import { removalRange, tidyCuts } from '../syntax/deletion.ts';
import { methodUses, useOf, type Use } from './functionUses.ts';
import { followImports } from './followedImports.ts';
import { importedAlike, otherNames } from '../imports/importsElsewhere.ts';
import { usesOf } from './otherFiles.ts';
import { firstThatFits } from './forms.ts';
import { referencesOf, useAt } from '../servers/references.ts';
import { readerOf } from '../semantics/loadEffects.ts';
import { addEdit, editOperations, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/**
 * Inlines a function or method: its value in place of the call, or its statements before it. The TypeScript server has no such
 * refactoring, so this does only what can be shown to keep the meaning, and says why for everything else.
 */
export async function inlineFunction(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: InlinableDeclaration,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const callee = await withEffectType(service, calleeOf(declaration, target.name), waiting);
  const { home } = callee;
  const references = await referencesOf(service, target, waiting);
  const found = isMemberFunction(declaration)
    ? methodUses(service, references, declaration)
    : usesOf(service, references, declaration.name ?? declaration, home);
  const isInside = (node: ts.Node): boolean =>
    node.getSourceFile() === home && declaration.pos <= node.pos && node.end <= declaration.end;
  if (found.nodes.some(isInside)) throw refuse('callsItself');
  const uses = found.nodes.map((node) => useOf(callee, node));
  if (uses.length === 0) throw refuse('neverCalled', { name: target.name });
  const values = uses.filter((use) => use.call === undefined);
  if (values.length > 1) throw refuse('usedAsValue', { count: values.length });
  const asked = useAt(
    uses.map((use) => use.call?.expression ?? use.node),
    target,
  );
  const isOne = !options.all && uses.length > 1;
  if (isOne && asked === undefined) throw refuse('pointAtCall');
  const chosen = isOne ? uses.filter((use) => (use.call?.expression ?? use.node) === asked) : uses;
  const parameters = callee.definition.parameters.map((parameter) => parameter.name.getText());
  const typeParameters = callee.definition.typeParameters?.map((one) => one.name.text) ?? [];
  const known = [...parameters, ...typeParameters, ...(namespaceNames(callee) ?? [])];
  const body = callee.block ?? callee.expression ?? callee.definition;
  const stays = isOne || found.isPassedOn || isKnownOutside(declaration);
  const types = await typesAtCalls(service, callee, chosen, waiting);
  const same = await importedAlike(
    service,
    callee.definition,
    home,
    chosen.map((use) => use.node),
    waiting,
  );
  const carried = { home, own: known, same };
  const others = otherNames(
    callee.definition,
    carried,
    chosen.map((use) => use.node),
  );
  const editsIn = (form: InlineForm): FileEdits => {
    const edits: FileEdits = new Map();
    const edit = (file: ts.SourceFile, start: number, end: number, newText: string): void => {
      const lines = new LineIndex(file.text);
      addEdit(edits, file.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, newText);
    };
    for (const one of callEdits(callee, chosen, { types, others, form })) edit(one.file, one.start, one.end, one.text);
    const nodesOf = (list: readonly Use[]): ts.Node[] => list.map((use) => use.node);
    followImports(
      found.imports,
      nodesOf(uses),
      nodesOf(chosen),
      form === 'plain' ? [body] : form === 'named' ? [body, ...callee.definition.parameters] : [callee.definition],
      carried,
      others,
      readerOf(service),
      edit,
    );
    const gone = stays ? [] : [...overloadsOf(declaration), declaration].map((one) => removalRange(one, home));
    for (const { start, end, text } of tidyCuts(gone, home.text)) edit(home, start, end, text);
    return edits;
  };
  const { edits, trial } = await firstThatFits(
    service,
    inlineForms(callee, chosen).map((form) => () => editsIn(form)),
    waiting,
  );
  return proposal(
    `inline ${tsc.isGetAccessorDeclaration(declaration) ? 'getter' : 'function'} ${target.name} in ${counted(chosen.length, 'place')}`,
    editOperations(service, edits),
    {
      ...trial,
      notes: stays && !isOne ? [declarationStays(target.name)] : [],
    },
  );
}

/** Declared types help only where there are some, and where there is a way to write them. */
function inlineForms({ definition, home }: Callee, uses: readonly Use[]): InlineForm[] {
  const hasTypes = definition.type !== undefined || definition.parameters.some((one) => one.type !== undefined);
  if (!hasTypes || !isTypescriptFile(home.fileName)) return ['plain'];
  const isLeftOut = uses.some(({ call }) => call !== undefined && call.arguments.length < definition.parameters.length);
  return ['plain', ...(isLeftOut ? (['named'] as const) : []), 'checked', 'taken', 'hoisted'];
}

/** The signatures above a function that has several. */
function overloadsOf(declaration: InlinableDeclaration): ts.Node[] {
  const tsc = compiler();
  if (!tsc.isFunctionDeclaration(declaration) || declaration.name === undefined) return [];
  const name = declaration.name.text;
  const { parent } = declaration;
  if (!tsc.isSourceFile(parent) && !tsc.isBlock(parent) && !tsc.isModuleBlock(parent)) return [];
  return parent.statements.filter(
    (one) => tsc.isFunctionDeclaration(one) && one.body === undefined && one.name?.text === name,
  );
}

/** Somebody outside the project, or outside the class, may use it: the declaration stays. */
function isKnownOutside(declaration: InlinableDeclaration): boolean {
  const tsc = compiler();
  const flags = tsc.getCombinedModifierFlags(declaration);
  if (!isMemberFunction(declaration)) return (flags & tsc.ModifierFlags.Export) !== 0;
  if (tsc.isObjectLiteralExpression(declaration.parent)) return false;
  return (flags & tsc.ModifierFlags.Private) === 0 && !tsc.isPrivateIdentifier(declaration.name);
}

export function declarationStays(name: string): string {
  return `"${name}" can be used from outside, so its declaration stays.`;
}
