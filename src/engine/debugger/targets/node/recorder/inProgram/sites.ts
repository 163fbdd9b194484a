/** What the rewritten code and the recorder in the program know of each other by number. */

export interface FunctionSite {
  id: number;
  name: string;
  file: string;
  line: number;
  endLine: number;
  params: readonly string[];
  kind?: 'async' | 'generator' | 'asyncGenerator';
}

/** A place that writes: an assignment, a deletion, or a call that changes its receiver. */
export interface WriteSite {
  id: number;
  file: string;
  line: number;
  /** As the code names it. */
  target: string;
  /** The property, when the code names one. */
  key?: string;
  /** `member`: a property that an object or a class begins with. */
  kind: 'assign' | 'delete' | 'call' | 'variable' | 'read' | 'member';
}

export interface ProbeSite {
  id: number;
  probe: string;
  file: string;
  line: number;
}

/** A statement that begins at a line. */
export interface LineSite {
  id: number;
  file: string;
  line: number;
}

export interface FileSites {
  functions: FunctionSite[];
  writes: WriteSite[];
  probes: ProbeSite[];
  lines: LineSite[];
}

/** Numbers are unique in a process: each thread that rewrites code has a range of its own. */
export interface SiteNumbers {
  next(): number;
}

export function siteNumbers(range: number): SiteNumbers {
  let last = range * 1_000_000;
  return { next: () => ++last };
}
