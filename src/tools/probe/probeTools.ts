import type { Tool } from '../defineTool.ts';
import { debugBreakpoint } from './debugBreakpoint.ts';
import { debugContinue } from './debugContinue.ts';
import { debugEvaluate } from './debugEvaluate.ts';
import { debugLaunch } from './debugLaunch.ts';
import { debugProbe } from './debugProbe.ts';
import { debugStack } from './debugStack.ts';
import { debugStep } from './debugStep.ts';
import { debugStop } from './debugStop.ts';
import { debugVariables } from './debugVariables.ts';

export const probeTools: readonly Tool[] = [
  debugProbe,
  debugLaunch,
  debugBreakpoint,
  debugContinue,
  debugStep,
  debugEvaluate,
  debugStack,
  debugVariables,
  debugStop,
];
