import { basename } from 'node:path';
import type { Breakpoint } from './breakpointStore.ts';
import type { BreakpointBinding, BreakpointStatistics } from '../model.ts';
import type { NeverHit } from '../report.ts';

const neverLoaded = 'the file was never loaded by the program';

/** Why a breakpoint never stopped the program that has just ended; undefined when it did, or was not meant to. */
export function whyNeverHit(
  breakpoint: Breakpoint,
  stops: number,
  statistics: BreakpointStatistics | undefined,
  binding: BreakpointBinding | undefined,
): NeverHit | undefined {
  if (!breakpoint.enabled || breakpoint.type === 'exception' || breakpoint.type === 'data' || stops > 0)
    return undefined;
  const isSilent = breakpoint.logMessage !== undefined || breakpoint.suspendPolicy === 'none';
  if (isSilent && (statistics?.hits ?? 0) > 0) return undefined;
  return {
    breakpointId: breakpoint.id,
    file: breakpoint.file,
    line: breakpoint.line,
    functionName: breakpoint.functionName,
    reason: reason(breakpoint, statistics, binding),
  };
}

function reason(
  breakpoint: Breakpoint,
  statistics: BreakpointStatistics | undefined,
  binding: BreakpointBinding | undefined,
): string {
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
  if (statistics !== undefined && statistics.conditionErrors > 0)
    return `its condition failed ${times(statistics.conditionErrors)}: ${statistics.lastConditionError ?? 'unknown error'}`;
  if (statistics !== undefined && statistics.hits > 0 && breakpoint.hitCondition !== undefined)
    return `reached ${times(statistics.hits)}, but its hit condition is ${breakpoint.hitCondition}`;
  if (statistics !== undefined && statistics.conditionFalse > 0)
    return `its condition was false ${times(statistics.conditionFalse)}`;
  if (binding?.verified !== true) {
    const near = binding?.nearestLines ?? [];
    const nearby = near.length === 0 ? '' : `; lines with code nearby: ${near.join(', ')}`;
    if (binding?.message !== undefined && binding.isPending !== true) return `${binding.message}${nearby}`;
    if (breakpoint.type === 'function') return `no function ${breakpoint.functionName ?? ''} was loaded`;
    if (binding?.willBindAt?.file !== undefined)
      return `${neverLoaded}, nor was ${basename(binding.willBindAt.file)}, where it would be bound`;
    return `${neverLoaded}${binding?.message === undefined ? '' : `: ${binding.message}`}${nearby}`;
  }
  // Some languages bind from the source text, before any process has loaded the file.
  if (breakpoint.type === 'line' && statistics?.fileLoaded === false) return neverLoaded;
  if (statistics?.countsStopsOnly === true && (breakpoint.condition ?? breakpoint.hitCondition) !== undefined)
    return 'its line was never reached, or never with its condition true (this debugger counts only stops)';
  const moved = binding.location?.line !== undefined && binding.location.line !== breakpoint.line;
  return moved
    ? `line ${binding.location?.line ?? 0}, where it was bound, was never reached`
    : 'its line was never reached';
}
