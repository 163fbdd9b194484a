import type { TextBudget } from '../../../base/text/textBudget.ts';
import { defaultValueLimits } from '../../../engine/debugger/model.ts';
import { type ReportOptions, stopReportOptions } from '../../../engine/debugger/report.ts';
import { failureChars } from './fitFailure.ts';

/** How much a stop is asked for: the usual, and more of everything when the caller has room for it. */
export function reportOptionsFor(budget: TextBudget): ReportOptions {
  const scale = budget.isChosen === true ? budget.maxChars / failureChars : 1;
  if (scale <= 1.2) return stopReportOptions;
  const times = (value: number, max: number) => Math.min(Math.round(value * scale), max);
  return {
    ...stopReportOptions,
    maxFrames: times(stopReportOptions.maxFrames, 60),
    maxVariables: times(stopReportOptions.maxVariables, 200),
    limits: {
      maxValueChars: times(defaultValueLimits.maxValueChars, 20_000),
      maxStringChars: times(defaultValueLimits.maxStringChars, 10_000),
      maxItems: times(defaultValueLimits.maxItems, 200),
      depth: defaultValueLimits.depth + (scale > 8 ? 3 : scale > 2 ? 2 : 1),
    },
  };
}
