import type { Hover, MarkupContent } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../../base/paths.ts';
import type { Position } from '../../../../base/positions.ts';
import { toWirePosition } from '../../../../protocol/lsp/convert.ts';
import type { LanguageServer } from '../../languageServer.ts';

export interface HoverText {
  /** The code part: a signature or a type. */
  signature?: string;
  documentation?: string;
}

/** What the server says about a symbol, split into its signature and its documentation. */
export async function hoverAt(
  server: LanguageServer,
  path: string,
  position: Position,
  signal?: AbortSignal,
): Promise<HoverText> {
  const hover = await server.request<Hover | null>(
    'textDocument/hover',
    { textDocument: { uri: pathToUri(path) }, position: toWirePosition(position) },
    signal === undefined ? {} : { signal },
  );
  return hover === null || hover === undefined ? {} : splitHover(hover.contents);
}

function splitHover(contents: Hover['contents']): HoverText {
  const markdown = (Array.isArray(contents) ? contents : [contents]).map(asMarkdown).join('\n\n');
  const blocks = [...markdown.matchAll(/^```[^\n]*\n([\s\S]*?)\n```\s*$/gm)];
  const first = blocks[0];
  const signature = first?.[1]?.trim();
  const rest =
    first === undefined ? markdown : markdown.slice(0, first.index) + markdown.slice(first.index + first[0].length);
  const documentation = rest
    .replace(/^\s*(---|\*\*\*)\s*$/gm, '')
    // Where the Java server found it, in words for its own editor.
    .replace(/^Source: \*\[.*\]\(.*\)\*\s*$/gm, '')
    // Markdown breaks lines with two spaces at the end and escapes what a reader of plain text would rather see.
    .replace(/[ \t]+$/gm, '')
    .replace(/\\([_*<>`[\]#])/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return {
    ...(signature === undefined || signature === '' ? {} : { signature }),
    ...(documentation === '' ? {} : { documentation }),
  };
}

function asMarkdown(part: string | MarkupContent | { language: string; value: string }): string {
  if (typeof part === 'string') return part;
  return 'language' in part ? `\`\`\`${part.language}\n${part.value}\n\`\`\`` : part.value;
}

/** Of classes, properties and values Python's server tells what they are just there; the line that declares them tells more. */
export function withSignature(hover: HoverText, header: string | undefined): HoverText {
  const saysLittle = hover.signature === 'property' || /^<class '[^']*'>$|^Literal\[/.test(hover.signature ?? '');
  return saysLittle && header !== undefined ? { ...hover, signature: header } : hover;
}

/** What kind of symbol a signature describes, as far as its words tell. */
export function kindFromSignature(signature: string | undefined): string {
  const label = /^\(([a-z ]+)\)/.exec(signature ?? '')?.[1];
  if (label !== undefined && label !== 'alias') return label;
  const word =
    /^(?:export )?(?:default )?(class|interface|enum|function|const|let|var|type|namespace|module|def)\b/.exec(
      signature ?? '',
    )?.[1];
  if (word === 'const' || word === 'let' || word === 'var') return 'variable';
  return word === 'def' ? 'function' : (word ?? 'symbol');
}
