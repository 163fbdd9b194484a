// Something in a package's sources that a refactoring could be asked for, picked by chance.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript-classic');

export function candidateFor(kind, project, next) {
  const pick = (items) => items[Math.floor(next() * items.length)];
  const file = pick(project.files);
  const text = readFileSync(file, 'utf8');
  const kindOfScript = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kindOfScript);
  const nodes = [];
  const visit = (node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const shown = project.shown(file);
  const place = (offset) => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return { line: line + 1, column: character + 1 };
  };
  const at = (node) => ({ file: shown, ...place(node.getStart(source)) });
  const range = (start, end) => {
    const [from, to] = [place(start), place(end)];
    return { file: shown, start_line: from.line, start_column: from.column, end_line: to.line, end_column: to.column };
  };
  const asked = (tool, args) => ({ tool, args, what: JSON.stringify(args) });
  switch (kind) {
    case 'rename': {
      const name = pick(nodes.filter((node) => ts.isIdentifier(node) && !isForeign(node)));
      return name && asked('ide_refactor_rename', { ...at(name), new_name: `${name.text}Renamed` });
    }
    case 'extract': {
      if (next() < 0.5) {
        const node = pick(nodes.filter(isValue));
        return (
          node &&
          asked('ide_refactor_extract_variable', {
            ...range(node.getStart(source), node.getEnd()),
            new_name: 'extractedValue',
          })
        );
      }
      const block = pick(nodes.filter((node) => ts.isBlock(node) && node.statements.length > 1));
      if (block === undefined) return undefined;
      const from = Math.floor(next() * block.statements.length);
      const to = Math.min(block.statements.length - 1, from + Math.floor(next() * 3));
      const [first, last] = [block.statements[from], block.statements[to]];
      return asked('ide_refactor_extract_method', {
        ...range(first.getStart(source), last.getEnd()),
        new_name: 'extractedPart',
      });
    }
    case 'inline': {
      const declared = pick(
        nodes.filter(
          (node) =>
            (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) ||
            (ts.isFunctionDeclaration(node) && node.name !== undefined && node.body !== undefined),
        ),
      );
      return declared && asked('ide_refactor_inline', at(declared.name));
    }
    case 'move': {
      const statement = pick(
        source.statements.filter(
          (node) =>
            ts.isFunctionDeclaration(node) ||
            ts.isInterfaceDeclaration(node) ||
            ts.isTypeAliasDeclaration(node) ||
            ts.isClassDeclaration(node),
        ),
      );
      const target = shown.replace(/(\.tsx?)$/, 'Moved$1');
      return statement?.name && asked('ide_refactor_move', { ...at(statement.name), target_file: target });
    }
    case 'moveFile':
      return asked('ide_refactor_move', { file: shown, target_file: shown.replace(/(\.tsx?)$/, 'Renamed$1') });
    default:
      throw new Error(`no such kind of refactoring: ${kind}`);
  }
}

function isValue(node) {
  return (
    (ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node)
  );
}

/** Names that can only belong to others: keywords written as names, imports' sources. */
function isForeign(node) {
  return ['const', 'default', 'undefined', 'this'].includes(node.text);
}
