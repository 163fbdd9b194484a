import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { displayPath } from '../../../../../base/paths.ts';
import { proposal, type DeleteOptions, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { listSourceFiles } from '../../../sourceFiles.ts';
import { stillUsed, type Usage } from '../../stillUsed.ts';
import type { RenameBackend } from '../servers/backend.ts';
import { checkDeclarations, usesOfBuilt } from '../imports/builtFiles.ts';
import { classicRename } from '../servers/classicRename.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import {
  implementationsOf,
  isExport,
  isIdle,
  isImport,
  memberAround,
  mentionedStill,
  shownUsage,
  usesOf,
  type Use,
} from './usages.ts';
import { registeringDecorator } from './decorators.ts';
import { deletedPart } from './parts.ts';
import { whyNotIdle } from './hazards.ts';
import { hasEffects } from '../semantics/effects.ts';
import { survey } from '../semantics/mentions.ts';
import { definitionOf, referencesOf, type Reference } from '../servers/references.ts';
import type { ToolError } from '../../../../../base/errors.ts';
import { Removal } from './removal.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/**
 * Deletes a declaration that nothing uses any more, with its documentation and the imports only it needed. Cascading, also what
 * exists only because of it: re-exports, imports without a use, members that implement it, helpers that nothing else uses.
 */
export async function safeDelete(
  service: TypeScriptService,
  target: RefactorTarget,
  options: DeleteOptions,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const part = await deletedPart(service, target, options, waiting);
  if (part !== undefined) return part;
  const definition = await definitionOf(service, target, waiting);
  const path = definition?.path ?? target.path;
  const text = await service.text(path);
  const offset = definition?.offset ?? text.offsetAt(target.position);
  const name = tokenAt(parse(path, text.text), offset);
  const references = await referencesOf(service, { ...target, path, position: text.positionAt(offset) }, waiting);
  const declarations = declarationsOf(service, references, name);
  if (declarations.length === 0) throw notDeletable(target.name, name);

  const isInside = (ref: Reference): boolean =>
    declarations.some(
      (one) => one.getSourceFile().fileName === ref.path && one.pos <= ref.offset && ref.offset < one.end,
    );
  const { uses, mentions } = usesOf(
    service,
    references.filter((ref) => !isInside(ref)),
  );
  const implementations = implementationsOf(declarations, uses);
  const goesAlong = (use: Use): boolean => {
    // An export beside the declaration is as little a use as one in front of it.
    if (isExport(use) && use.ref.path === path && !isFromElsewhere(use)) return true;
    if (!options.cascade) return false;
    return (isImport(use) || isExport(use)) && isIdle(use, uses) ? true : canGo(use, implementations);
  };
  const along = uses.filter(goesAlong);
  const blocking = uses.filter((use) => !along.includes(use));
  const backend = classicRename(service);
  const declaredIn = declarations.map((one) => one.getSourceFile().fileName);
  await checkDeclarations(backend, target.name, declaredIn, waiting);
  const built = await builtUses(backend, target.name, declaredIn, waiting);
  if (blocking.length + built.length > 0 && !options.force) {
    const shown = [...blocking.map((use) => shownUsage(service.project.root, use, implementations)), ...built];
    throw stillUsed(
      target.name,
      shown,
      options.cascade ? undefined : 're-exports, idle imports, implementations and helpers that only it used',
    );
  }
  const working = options.force ? undefined : whyNotIdle(declarations);
  if (working !== undefined) throw working;
  const decorator = await registeringDecorator(service, declarations, waiting);
  if (decorator !== undefined && !options.force)
    throw refuse('decoratorMayRegister', { decorator: decorator.getText() });
  const removal = new Removal(service);
  for (const declaration of declarations) removal.node(declaration);
  for (const use of along) removal.use(use);
  const helpers = await removal.whatIsLeftOver(options.cascade, waiting);
  await stayModules(service, removal.edits, waiting);
  const texts = await editedTexts(service, removal.edits);
  const reached = declarations.some(changesTypes) ? await filesReached(service, declaredIn, waiting) : [];
  const blockedIn = [...new Set(blocking.map(({ ref }) => ref.path))];
  const trial = await tryContents(service, texts, blockedIn, waiting, { further: reached, tellsFurther: true });
  const goneAlong = new Map<string, number>();
  for (const use of along) {
    const { kind } = shownUsage(service.project.root, use, implementations);
    goneAlong.set(kind, (goneAlong.get(kind) ?? 0) + 1);
  }
  const also = [...goneAlong].map(([kind, count]) => counted(count, kind));
  if (helpers.length > 0) also.push(`what only it used (${helpers.join(', ')})`);
  const summary = `delete ${target.name}${also.length === 0 ? '' : ` with ${also.join(', ')}`}`;
  const notes = [...trial.notes, ...mentionedStill(service.project.root, mentions)];
  return proposal(summary, editOperations(service, removal.edits), { ...trial, notes });
}

/** A type, or what a type has, decides about types elsewhere without being named there: by inference, by conditions, by structure. */
function changesTypes(declaration: ts.Node): boolean {
  const tsc = compiler();
  return !tsc.isFunctionDeclaration(declaration) && !tsc.isVariableDeclaration(declaration);
}

/** All TypeScript files, those that import what changes first: the compiler is asked about them as long as there is time. */
async function filesReached(
  service: TypeScriptService,
  changed: readonly string[],
  waiting: RefactorWaiting,
): Promise<string[]> {
  const files = await listSourceFiles(service.project, ['ts', 'tsx', 'mts', 'cts'], waiting.signal);
  const near = new Set<string>();
  for (const modulePath of new Set(changed)) {
    const { imports } = await survey(service.project, { oldName: 'export', newName: 'export', modulePath }, waiting);
    for (const one of imports) near.add(one.path);
  }
  return files.sort((a, b) => Number(near.has(b)) - Number(near.has(a)));
}

/** A file that others import stays a module when its last import or export goes. */
async function stayModules(service: TypeScriptService, edits: FileEdits, waiting: RefactorWaiting): Promise<void> {
  const tsc = compiler();
  for (const [path, after] of await editedTexts(service, edits)) {
    const text = await service.text(path);
    if (!tsc.isExternalModule(parse(path, text.text)) || tsc.isExternalModule(parse(path, after))) continue;
    const { imports } = await survey(
      service.project,
      { oldName: 'export', newName: 'export', modulePath: path },
      waiting,
    );
    if (imports.every((one) => one.path === path || one.before === undefined)) continue;
    const end = text.positionAt(text.text.length);
    addEdit(edits, path, { start: end, end }, `export {};${text.text.includes('\r\n') ? '\r\n' : '\n'}`);
  }
}

/** Uses in other packages, which know this one by what was built of it. */
async function builtUses(
  backend: RenameBackend,
  name: string,
  declaredIn: readonly string[],
  waiting: RefactorWaiting,
): Promise<Usage[]> {
  const [modulePath = ''] = declaredIn;
  const { old } = await survey(backend.project, { oldName: name, newName: name, modulePath }, waiting);
  const found = await usesOfBuilt(backend, declaredIn, old.places, waiting);
  return found.map(({ path, range, lineText }) => ({
    file: displayPath(backend.project.root, path),
    ...range.start,
    kind: 'use',
    context: lineText.trim().slice(0, 160),
  }));
}

function notDeletable(name: string, token: ts.Node): ToolError {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return refuse('declaredInComment', { name });
  // Pointed at where they are declared, these are found before.
  if (tsc.isParameter(parent) || tsc.isBindingElement(parent)) return refuse('usedAtThisPlace', { name });
  return refuse('notDeletable', { name });
}

function isFromElsewhere({ token }: Use): boolean {
  const tsc = compiler();
  return tsc.isExportSpecifier(token.parent) && token.parent.parent.parent.moduleSpecifier !== undefined;
}

function canGo(use: Use, implementations: readonly Use[]): boolean {
  const tsc = compiler();
  const member = implementations.includes(use) ? memberAround(use.token) : undefined;
  if (member === undefined) return false;
  return !(tsc.isPropertyDeclaration(member) && member.initializer !== undefined && hasEffects(member.initializer));
}

/** All declarations of the symbol: the overloads of a function, the parts of a merged interface. */
function declarationsOf(service: TypeScriptService, references: readonly Reference[], name: ts.Node): ts.Node[] {
  const found = new Map<string, ts.Node>();
  const add = (token: ts.Node): void => {
    const declaration = declarationAround(token);
    if (declaration !== undefined) found.set(`${declaration.getSourceFile().fileName}:${declaration.pos}`, declaration);
  };
  add(name);
  for (const ref of references) {
    if (!ref.isDefinition) continue;
    const token =
      ref.path === name.getSourceFile().fileName
        ? tokenAt(name.getSourceFile(), ref.offset)
        : tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
    add(token);
  }
  return [...found.values()];
}

function declarationAround(token: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  // In a comment the file itself is found.
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  const isNamed =
    tsc.isFunctionDeclaration(parent) ||
    tsc.isClassDeclaration(parent) ||
    tsc.isInterfaceDeclaration(parent) ||
    tsc.isTypeAliasDeclaration(parent) ||
    tsc.isEnumDeclaration(parent) ||
    tsc.isEnumMember(parent) ||
    tsc.isModuleDeclaration(parent) ||
    tsc.isMethodDeclaration(parent) ||
    tsc.isMethodSignature(parent) ||
    tsc.isPropertyDeclaration(parent) ||
    tsc.isPropertySignature(parent) ||
    tsc.isGetAccessorDeclaration(parent) ||
    tsc.isSetAccessorDeclaration(parent) ||
    (tsc.isVariableDeclaration(parent) && tsc.isIdentifier(parent.name));
  return isNamed && parent.name === token ? parent : undefined;
}
