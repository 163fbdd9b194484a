import type { ToolAnnotations } from '../defineTool.ts';

/** What is typed can do whatever the person could. */
export const anything: ToolAnnotations = { destructiveHint: true, openWorldHint: true };
