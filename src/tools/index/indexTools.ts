import type { Tool } from '../defineTool.ts';
import { findReferences } from './findReferences.ts';
import { getDocumentation } from './getDocumentation.ts';
import { getFileOutline } from './getFileOutline.ts';
import { getProblems } from './getProblems.ts';
import { ideAnalyzeCode } from './ideAnalyzeCode.ts';
import { ideApplyQuickFix } from './ideApplyQuickFix.ts';
import { ideCallHierarchy } from './ideCallHierarchy.ts';
import { ideCodeCompletions } from './ideCodeCompletions.ts';
import { ideFileStructure } from './ideFileStructure.ts';
import { ideFindDefinition } from './ideFindDefinition.ts';
import { ideFindImplementations } from './ideFindImplementations.ts';
import { ideFindReferences } from './ideFindReferences.ts';
import { ideIndexStatus } from './ideIndexStatus.ts';
import { ideInspectSymbol } from './ideInspectSymbol.ts';
import { ideListQuickFixes } from './ideListQuickFixes.ts';
import { ideTypeHierarchy } from './ideTypeHierarchy.ts';
import { searchSymbols } from './searchSymbols.ts';
import { searchTextTool } from './searchText.ts';

/** The tools of the code index, in the order faces list them. */
export const indexTools: readonly Tool[] = [
  ideFindReferences,
  ideFindDefinition,
  ideTypeHierarchy,
  ideCallHierarchy,
  ideFindImplementations,
  ideInspectSymbol,
  ideCodeCompletions,
  ideAnalyzeCode,
  ideListQuickFixes,
  ideApplyQuickFix,
  ideFileStructure,
  ideIndexStatus,
  searchSymbols,
  searchTextTool,
  getFileOutline,
  findReferences,
  getProblems,
  getDocumentation,
];
