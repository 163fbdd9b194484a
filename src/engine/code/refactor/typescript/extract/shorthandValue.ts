import type ts from 'typescript-classic';
import type { ExtractRequest } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import { wholeFile } from './names.ts';
import { editedTexts, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** Where a new variable is called like the property it is the value of, people write the name once. */
export async function withShorthand(
  service: TypeScriptService,
  { path, newName }: ExtractRequest,
  edits: FileEdits,
): Promise<FileEdits> {
  const after = (await editedTexts(service, edits)).get(path) ?? '';
  const before = (await service.text(path)).text;
  const known = doubledNames(path, before, newName).length;
  const doubled = doubledNames(path, after, newName);
  // What was written twice before is the person's own style.
  return doubled.length === 0 || known > 0 ? edits : wholeFile(service, path, textWith(after, doubled));
}

function doubledNames(path: string, text: string, name: string): Change[] {
  const tsc = compiler();
  const source = parse(path, text);
  const found: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (
      tsc.isPropertyAssignment(node) &&
      tsc.isIdentifier(node.name) &&
      tsc.isIdentifier(node.initializer) &&
      node.name.text === name &&
      node.initializer.text === name &&
      /^\s*:\s*$/.test(text.slice(node.name.getEnd(), node.initializer.getStart(source)))
    )
      found.push({ start: node.getStart(source), end: node.getEnd(), text: name });
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
