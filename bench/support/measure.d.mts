/** Prints what was measured beside its target; a missed target makes the exit code 1. */
export function report(rows: readonly { what: string; value: number; unit: string; atMost?: number }[]): void;
export function median(numbers: readonly number[]): number;
