import type { Tool } from '../defineTool.ts';
import { gitBlameTool } from './gitBlame.ts';
import { gitBranch } from './gitBranch.ts';
import { gitCommit } from './gitCommit.ts';
import { gitDiffTool } from './gitDiff.ts';
import { gitLogTool } from './gitLog.ts';
import { gitShowTool } from './gitShow.ts';
import { gitStage } from './gitStage.ts';
import { gitStash } from './gitStash.ts';
import { gitStatusTool } from './gitStatus.ts';
import { gitUnstage } from './gitUnstage.ts';

export const gitTools: readonly Tool[] = [
  gitStatusTool,
  gitDiffTool,
  gitLogTool,
  gitShowTool,
  gitBlameTool,
  gitStage,
  gitUnstage,
  gitCommit,
  gitBranch,
  gitStash,
];
