import { advise, step } from '../base/text/advice.ts';
import { ToolError } from '../base/errors.ts';
import { toolAliases } from './aliases.ts';
import { closest } from './closest.ts';
import type { JsonSchema, Tool, ToolAnnotations } from './defineTool.ts';
import type { FaceName, ToolsetName } from './faces.ts';
import { ideListDependencies } from './index/ideListDependencies.ts';
import { ideProjectStructure } from './index/ideProjectStructure.ts';
import { getProjectInfo } from './workspace/getProjectInfo.ts';
import { gitTools } from './git/gitTools.ts';
import { askTools } from './ask/askTools.ts';
import { debuggerTools } from './debugger/debuggerTools.ts';
import { indexTools } from './index/indexTools.ts';
import { refactoringTools } from './index/refactor/refactoringTools.ts';
import { probeTools } from './probe/probeTools.ts';
import { terminalTools } from './terminals/terminalTools.ts';
import { getNotifications } from './workspace/getNotifications.ts';
import { listProjectFiles } from './workspace/listProjectFiles.ts';
import { listRunConfigurationsTool } from './workspace/listRunConfigurations.ts';
import { readFile } from './workspace/readFile.ts';
import { readRunOutput } from './workspace/readRunOutput.ts';
import { createRunConfiguration } from './workspace/createRunConfiguration.ts';
import { editRunConfiguration } from './workspace/editRunConfiguration.ts';
import { runConfigurationTool } from './workspace/runConfiguration.ts';
import { stopJob } from './workspace/stopJob.ts';
import { waitJob } from './workspace/waitJob.ts';
import { readIdeLog } from './workspace/readIdeLog.ts';
import { applyPlan } from './workspace/applyPlan.ts';
import { editFile } from './workspace/editFile.ts';
import { formatCode, optimizeImportsTool } from './workspace/formatCode.ts';
import { listChangesTool } from './workspace/listChanges.ts';
import { undo } from './workspace/undo.ts';
import { writeFile } from './workspace/writeFile.ts';
import { downloadSources } from './workspace/knowledge/downloadSources.ts';
import { createScratchFileTool } from './workspace/knowledge/createScratchFile.ts';
import { batch } from './workspace/batch/batch.ts';
import { sightlineTools } from './workspace/sightlineTools.ts';
import { testTools } from './tests/testTools.ts';

/** Every tool of the product. Adding one is one file and one line here. */
export const allTools: readonly Tool[] = [
  sightlineTools(() => allTools),
  batch,
  // Workspace: project and files.
  getProjectInfo,
  listProjectFiles,
  readFile,
  // Workspace: logs.
  readIdeLog,
  getNotifications,
  writeFile,
  editFile,
  formatCode,
  optimizeImportsTool,
  applyPlan,
  undo,
  listChangesTool,
  downloadSources,
  createScratchFileTool,
  // Workspace: running programs.
  listRunConfigurationsTool,
  runConfigurationTool,
  createRunConfiguration,
  editRunConfiguration,
  readRunOutput,
  waitJob,
  stopJob,
  ...terminalTools,
  // Workspace: git.
  ...gitTools,
  // Workspace: tests.
  ...testTools,
  // Debugger and probe.
  ...debuggerTools,
  ...probeTools,
  ...askTools,
  // Index.
  ...indexTools,
  ...refactoringTools,
  ideProjectStructure,
  ideListDependencies,
];

const byName = new Map(allTools.map((tool) => [tool.name, tool]));

/** The tool of that name or alias; otherwise an error that names the nearest. */
export function findTool(name: string): Tool {
  const tool = byName.get(name) ?? byName.get(toolAliases[name] ?? '');
  if (tool !== undefined) return tool;
  const near = closest(name, [...byName.keys(), ...Object.keys(toolAliases)]);
  throw new ToolError(
    'unknown_tool',
    `There is no tool "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    {
      hint: advise`tools/list shows the tools of this face; ${step('sightlineTools')} describes the others.`,
    },
  );
}

/** What a face lists, with the toolsets that the client turned on besides. The order is that of the registry. */
export function toolsOfFace(face: FaceName, extraToolsets: ReadonlySet<ToolsetName> = new Set()): Tool[] {
  return allTools.filter((tool) => face === 'all' || tool.faces.includes(face) || extraToolsets.has(tool.toolset));
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  /** Left out where it is the name in other letters: clients make it of that themselves. */
  title?: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, unknown>; required?: string[] };
  outputSchema?: { type: 'object'; properties: Record<string, unknown>; required?: string[] };
  annotations: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export function listedTool(tool: Tool, withOutputSchema: boolean): ListedTool {
  const properties: Record<string, unknown> = Object.fromEntries(
    Object.entries(tool.inputSchema.properties ?? {}).map(([name, schema]) => [name, withoutTheObvious(schema)]),
  );
  for (const name of tool.rare ?? []) delete properties[name];
  if (tool.scope !== 'none') properties['project_path'] = { type: 'string' };
  const required = tool.inputSchema.required;
  return {
    name: tool.name,
    ...(tool.title.toLowerCase().replaceAll(' ', '_') === tool.name ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties,
      ...(required === undefined || required.length === 0 ? {} : { required }),
    },
    ...(withOutputSchema ? { outputSchema: shallowOutputSchema(tool) } : {}),
    annotations: annotationsOf(tool),
    ...(tool.alwaysLoad ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

/** What a reader takes for granted and pays for all the same: that names are texts, counts are not negative, texts not empty. Answers say it when it matters. */
function withoutTheObvious(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      keyword !== 'propertyNames' &&
      !(['minimum', 'minLength', 'minItems'].includes(keyword) && (value === 0 || value === 1)) &&
      !(keyword === 'additionalProperties' && typeof value === 'object' && Object.keys(value ?? {}).length === 0),
  );
  const { properties, items, ...rest } = Object.fromEntries(kept) as JsonSchema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: withoutTheObvious(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, withoutTheObvious(each)]),
          ),
        }),
  };
}

/** The order of a declaration is that of importance. */
const maxOutputNames = 8;

/**
 * The listed output schema names the first of the top level only: a model reads it once per conversation and pays for it, and a
 * failed call answers `{error}` instead. The whole schema stands in the generated reference and is what answers are checked against.
 */
function shallowOutputSchema(tool: Tool): { type: 'object'; properties: Record<string, unknown> } {
  // The face with the most tools could not afford even these.
  const isOfLargeFace = tool.faces.includes('workspace') && !tool.faces.includes('index');
  const names = isOfLargeFace ? [] : Object.keys(tool.outputSchema.properties ?? {}).slice(0, maxOutputNames);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** Refactorings and edits change files of the project and can be undone; what runs programs may reach anything. */
function annotationsOf(tool: Tool): ToolAnnotations {
  if (tool.annotations !== undefined) return tool.annotations;
  if (tool.effect === 'read') return { readOnlyHint: true, openWorldHint: false };
  const isEdit = tool.toolset === 'editing' || tool.toolset === 'refactoring';
  const destructiveHint = tool.effect === 'destructive' || (tool.effectOf !== undefined && !isEdit);
  return { destructiveHint, openWorldHint: tool.effect === 'execute' };
}
