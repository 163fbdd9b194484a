import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { clip } from '../../base/text/textBudget.ts';
import { findDefinition } from '../../engine/code/queries/definition.ts';
import { libraryDocs } from '../../engine/workspace/libraryDocs/libraryDocs.ts';
import { introductionOf, sectionAbout, sectionsOf } from '../../engine/workspace/libraryDocs/readme.ts';
import { packageOfFile, wantedPackage } from '../../engine/workspace/sources/wantedPackage.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

/** How much of an answer is the text of one section. */
const sectionShare = 0.6;
const maxHeadings = 40;

const documentationOutput = z.object({
  symbol: z.string().optional(),
  signature: z.string().optional(),
  documentation: z.string().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  /** The package, with the version that is installed. */
  library: z.object({ name: z.string(), version: z.string().optional(), summary: z.string().optional() }).optional(),
  /** Of its README. */
  section: z.object({ heading: z.string(), text: z.string() }).optional(),
  /** What else the README tells of. */
  headings: z.array(z.string()).optional(),
  index: indexState.optional(),
});
type Documentation = z.output<typeof documentationOutput>;

export const getDocumentation = defineTool({
  name: 'get_documentation',
  title: 'Get documentation',
  description:
    'Signature and documentation of a symbol of the project or of a library; or a library’s README, by `topic`, with the installed version.',
  faces: ['workspace'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({
    ...addressShape,
    library: z.string().optional().describe('a package: "zod", "pypi:attrs"'),
    topic: z.string().optional(),
  }),
  output: documentationOutput,
  run: async (engines, args, call) => {
    const { library, topic, ...address } = args;
    const isPlaced = address.symbol !== undefined || address.file !== undefined;
    if (library === undefined) {
      if (topic !== undefined)
        throw new ToolError('invalid_arguments', 'A topic is looked for in the README of a library.');
      return ofSymbol(engines, address, call);
    }
    if (isPlaced) throw new ToolError('invalid_arguments', 'Pass either library, or a symbol or place.');
    return ofLibrary(engines, library, topic, call);
  },
  render: (data) => {
    const { library, section } = data;
    if (data.symbol === undefined)
      return [
        `${library?.name ?? ''} ${library?.version ?? ''}`.trim(),
        ...(library?.summary === undefined ? [] : [library.summary]),
        ...(section === undefined ? [] : [...(section.heading === '' ? [] : [`## ${section.heading}`]), section.text]),
        ...(data.headings === undefined ? [] : [`README: ${data.headings.join(' | ')}`]),
        ...(data.file === undefined ? [] : [data.file]),
      ].join('\n');
    return [
      ...stateLine(data.index ?? { state: 'ready' }),
      data.signature ?? data.symbol,
      data.documentation ??
        (data.index?.state === 'ready' ? 'It has no documentation.' : 'No documentation is known so far.'),
      ...(data.file === undefined ? [] : [`declared at ${data.file}:${data.line ?? 1}${ofPackage(library)}`]),
    ].join('\n');
  },
});

function ofPackage(library: Documentation['library']): string {
  return library === undefined ? '' : ` (${library.name}${library.version === undefined ? '' : ` ${library.version}`})`;
}

async function ofSymbol(
  engines: Engines,
  address: Parameters<typeof targetOf>[1],
  call: ToolCall,
): Promise<Documentation> {
  const workspace = engines.code.workspace(call.project);
  const waiting = patientWaitingOf(call);
  const target = await targetOf(workspace, address, call, waiting);
  const { signature, documentation, definitions, index } = await findDefinition(workspace, target, waiting);
  const [first] = definitions;
  const wanted = first === undefined ? undefined : (engines.sources.packageAt(first.path) ?? packageOfFile(first.path));
  // Which package it is helps; that it cannot be told is no reason to fail.
  const docs =
    wanted === undefined ? undefined : await libraryDocs(call.project, wanted, undefined).catch(() => undefined);
  const library = docs === undefined ? wanted : docs;
  return {
    symbol: target.name,
    signature,
    documentation,
    ...(first === undefined ? {} : { file: workspace.shown(first.path), line: first.position.line }),
    ...(library === undefined ? {} : { library: { name: library.name, version: library.version } }),
    index,
  };
}

async function ofLibrary(
  engines: Engines,
  name: string,
  topic: string | undefined,
  call: ToolCall,
): Promise<Documentation> {
  const wanted = await wantedPackage(call.project, name, undefined, call.signal);
  const kept = await engines.sources.kept(wanted);
  const docs = await libraryDocs(call.project, wanted, kept?.path);
  const library = { name: docs.name, version: docs.version, summary: docs.summary };
  const sections = sectionsOf(docs.readme ?? '');
  const headings = sections.map(({ heading }) => heading).filter((heading) => heading !== '');
  const section = topic === undefined ? introductionOf(sections) : sectionAbout(sections, topic);
  if (topic !== undefined && section === undefined)
    throw new ToolError(
      'text_not_found',
      `The README of ${docs.name} ${docs.version ?? ''} says nothing of "${topic}".`,
      {
        hint: headings.length === 0 ? undefined : `It tells of: ${headings.slice(0, maxHeadings).join(', ')}.`,
      },
    );
  return {
    library,
    ...(section === undefined
      ? {}
      : { section: { ...section, text: clip(section.text, Math.floor(call.budget.maxChars * sectionShare)) } }),
    ...(headings.length === 0 ? {} : { headings: headings.slice(0, maxHeadings) }),
    ...(docs.source === undefined ? {} : { file: displayPath(call.project.root, docs.source) }),
  };
}
