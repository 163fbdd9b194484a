import type { NewBreakpoint } from '../../engine/debugger/breakpointStore.ts';

/** A breakpoint as the probe tools take it. */
export interface ProbeBreakpoint {
  file: string;
  line: number;
  condition?: string | undefined;
  hit_condition?: string | undefined;
  log_message?: string | undefined;
}

export function newBreakpoint(wanted: ProbeBreakpoint): NewBreakpoint {
  return {
    type: 'line',
    file: wanted.file,
    line: wanted.line,
    enabled: true,
    temporary: false,
    suspendPolicy: wanted.log_message === undefined ? 'all' : 'none',
    ...(wanted.condition === undefined ? {} : { condition: wanted.condition }),
    ...(wanted.hit_condition === undefined ? {} : { hitCondition: wanted.hit_condition }),
    ...(wanted.log_message === undefined ? {} : { logMessage: wanted.log_message }),
  };
}
