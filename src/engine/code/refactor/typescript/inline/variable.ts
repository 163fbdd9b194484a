import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import { proposal, type Conflict, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { lineOf } from '../syntax/lines.ts';
import { absorbed } from './mergeIntoTemplate.ts';
import { compiler } from '../syntax/compiler.ts';
import { isWritten } from '../semantics/effects.ts';
import { followImports } from './followedImports.ts';
import { importedAlike, otherNames } from '../imports/importsElsewhere.ts';
import { usesOf } from './otherFiles.ts';
import { declarationStays } from './function.ts';
import { asserted, firstThatFits } from './forms.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';
import { typeArguments, valueOf, type InlinedValue } from './value.ts';
import { type ValueDeclaration, valueRemoval } from '../syntax/deletion.ts';
import { atPlace, placed } from '../syntax/placement.ts';
import { referencesOf, useAt } from '../servers/references.ts';
import { byFile, isShadowed, isValueUse, scopeOf } from '../syntax/scopes.ts';
import { readerOf } from '../semantics/loadEffects.ts';
import { addEdit, editOperations, type FileEdits } from '../servers/trial.ts';
import { substituted } from '../syntax/substitution.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { hazards } from './valueHazards.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Inlines a variable, a name that is taken out of an object, or the name of a type. */
export async function inlineVariable(
  service: TypeScriptService,
  target: RefactorTarget,
  declaration: ValueDeclaration,
  options: { all: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const tsc = compiler();
  const source = declaration.getSourceFile();
  const path = source.fileName;
  const value = valueOf(declaration);
  if (!tsc.isTypeNode(value.origin) && mentions(value.origin, declaration.name.getText()))
    throw refuse('valueRefersToItself', { name: target.name });
  const uses = tsc.isBindingElement(declaration)
    ? { nodes: localUses(declaration), imports: [], isPassedOn: false }
    : usesOf(service, await referencesOf(service, target, waiting), declaration.name, source);
  const replaced = uses.nodes.map((node) => replacedNode(node, declaration, source));
  if (replaced.length === 0) throw refuse('neverUsed', { name: target.name });
  const written = replaced.find((use) => isWritten(use));
  if (written !== undefined) throw refuse('assignedAgainOnLine', { name: target.name, line: lineOf(written) });
  const asked = useAt(replaced, target);
  const isOne = !options.all && replaced.length > 1;
  if (isOne && asked === undefined) throw refuse('pointAtUse');
  const chosen = isOne && asked !== undefined ? [asked] : replaced;
  const isExported = uses.isPassedOn || isDeclaredExported(declaration);
  if (isExported && !isOne && replaced.every((use) => use.getSourceFile() === source))
    throw refuse('exportedUnused', { name: target.name });
  const stays = isOne || isExported;
  const removal = stays ? undefined : valueRemoval(declaration);
  const conflicts = hazards(value, chosen, declaration, stays || removal?.isWhole === false).map(
    (message): Conflict => ({ kind: 'meaning', message, file: path, line: lineOf(declaration) }),
  );
  const same = await importedAlike(service, declaration, source, chosen, waiting);
  const isNested = chosen.some((one) => chosen.some((other) => other !== one && isWithin(one, other)));
  if (isNested) throw refuse('useWithinUse');
  const own = tsc.isTypeAliasDeclaration(declaration)
    ? (declaration.typeParameters ?? []).map((one) => one.name.text)
    : [];
  const carried = { home: source, own, same };
  const others = otherNames(declaration, carried, chosen);
  const editsIn = (form: ValueForm): FileEdits => {
    const edits: FileEdits = new Map();
    const edit = (file: ts.SourceFile, start: number, end: number, newText: string): void => {
      const lines = new LineIndex(file.text);
      addEdit(edits, file.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, newText);
    };
    for (const [file, nodes] of byFile(chosen)) {
      const textAt = (node: ts.Node): string =>
        reindented(
          textIn(form, value, declaration, others.get(file), node),
          indentAt(value.origin.getStart(source), source),
          indentAt(node.getStart(file), file),
        );
      for (const one of placed(
        file,
        nodes.map((node) => ({ node, text: textAt(node) })),
        file === source && removal?.text === '' && removal.leavesHole === undefined ? removal : undefined,
      )) {
        const own = { start: one.node.getStart(file), end: one.node.getEnd(), text: atPlace(one.node, one.text) };
        const { start, end, text: written } = absorbed(one.node, textAt(one.node)) ?? own;
        edit(file, start, end, written);
      }
    }
    const body = form === 'plain' ? value.origin : declaration;
    followImports(uses.imports, replaced, chosen, [body], carried, others, readerOf(service), edit);
    if (removal !== undefined) edit(source, removal.start, removal.end, removal.text);
    return edits;
  };
  const { edits, trial } = await firstThatFits(
    service,
    valueForms(declaration).map((form) => () => editsIn(form)),
    waiting,
  );
  conflicts.push(...trial.conflicts);
  return proposal(
    `inline ${tsc.isTypeAliasDeclaration(declaration) ? 'type' : 'variable'} ${target.name} in ${counted(chosen.length, 'place')}`,
    editOperations(service, edits),
    { conflicts, tried: trial.tried, notes: isExported && !isOne ? [declarationStays(target.name)] : [] },
  );
}

/** The value, and the value with the type it was declared to have, for places where it is not understood without. */
type ValueForm = 'plain' | 'checked' | 'taken';

function valueForms(declaration: ValueDeclaration): ValueForm[] {
  const isTyped = compiler().isVariableDeclaration(declaration) && declaration.type !== undefined;
  return isTyped ? ['plain', 'checked', 'taken'] : ['plain'];
}

function textIn(
  form: ValueForm,
  { text, origin }: InlinedValue,
  declaration: ValueDeclaration,
  others: ReadonlyMap<string, string> | undefined,
  use: ts.Node,
): string {
  const tsc = compiler();
  const types = tsc.isTypeAliasDeclaration(declaration) ? typeArguments(declaration, use) : undefined;
  if (types !== undefined && types.size > 0)
    return substituted(origin, { within: origin, values: new Map(), others, types });
  const how = { values: new Map<string, string>(), others };
  const isSame = others === undefined || others.size === 0;
  // Only what is declared as a whole can be used in other files.
  const value = isSame ? text : substituted(origin, { ...how, within: origin });
  const type = tsc.isVariableDeclaration(declaration) ? declaration.type : undefined;
  if (form === 'plain' || type === undefined) return value;
  const [checked, taken] = asserted(value, isSame ? type.getText() : substituted(type, { ...how, within: type }));
  return (form === 'checked' ? checked : taken) ?? value;
}

function mentions(root: ts.Node, name: string): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean =>
    (tsc.isIdentifier(node) && node.text === name && isValueUse(node) && !isShadowed(name, node, root)) ||
    (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  return visit(root);
}

/** What of a use gives way: the reference to a type is more than its name. */
function replacedNode(node: ts.Expression, declaration: ValueDeclaration, source: ts.SourceFile): ts.Node {
  const tsc = compiler();
  if (!tsc.isTypeAliasDeclaration(declaration)) {
    const isType = tsc.isTypeNode(node.parent) && !tsc.isExpressionWithTypeArguments(node.parent);
    if (isType || tsc.isJsxOpeningLikeElement(node.parent) || tsc.isJsxClosingElement(node.parent))
      throw refuse('valueCannotStand', { line: lineOf(node) });
    return node;
  }
  const { parent } = node;
  if (!tsc.isTypeReferenceNode(parent) || (source === node.getSourceFile() && isInside(node, declaration)))
    throw refuse('typeCannotStand', { line: lineOf(node) });
  return parent;
}

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  return node.getSourceFile() === outer.getSourceFile() && isInside(node, outer);
}

function isInside(node: ts.Node, other: ts.Node): boolean {
  return other.pos <= node.pos && node.end <= other.end;
}

/** The uses of a name that an object or array is taken apart into. The server takes those of the member for its own. */
function localUses(declaration: ts.BindingElement): ts.Expression[] {
  const tsc = compiler();
  const list = tsc.findAncestor(declaration, tsc.isVariableDeclarationList);
  if (list === undefined || (list.flags & tsc.NodeFlags.BlockScoped) === 0) throw refuse('parameterOrVar');
  const name = declaration.name.getText();
  const scope = scopeOf(list);
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    const isUse = tsc.isIdentifier(node) && node.text === name && node !== declaration.name;
    if (isUse && tsc.isExportSpecifier(node.parent)) throw refuse('exportedVariable');
    if (isUse && isValueUse(node) && !isShadowed(name, node, scope)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(scope);
  return found;
}

function isDeclaredExported(declaration: ValueDeclaration): boolean {
  const tsc = compiler();
  return (tsc.getCombinedModifierFlags(declaration) & tsc.ModifierFlags.Export) !== 0;
}
