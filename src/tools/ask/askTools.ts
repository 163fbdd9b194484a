import type { Tool } from '../defineTool.ts';
import { debugCompare } from './debugCompare.ts';
import { debugExplain } from './debugExplain.ts';
import { debugHypotheses } from './debugHypotheses.ts';
import { debugStuck } from './debugStuck.ts';
import { debugTrace } from './debugTrace.ts';
import { debugTraceNode } from './debugTraceNode.ts';
import { debugTrigger } from './debugTrigger.ts';
import { debugTry } from './debugTry.ts';
import { debugUntil } from './debugUntil.ts';
import { debugWhoChanged } from './debugWhoChanged.ts';

export const askTools: readonly Tool[] = [
  debugExplain,
  debugTrace,
  debugWhoChanged,
  debugCompare,
  debugHypotheses,
  debugUntil,
  debugTry,
  debugTrigger,
  debugStuck,
  debugTraceNode,
];
