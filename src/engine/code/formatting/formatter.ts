import type { Project } from '../../workspace/project.ts';

export interface LineRange {
  startLine: number;
  endLine: number;
}

/** A program that formats, as a filter from standard input to standard output. */
export interface Formatter {
  name: string;
  extensions: RegExp;
  /** Where the project says that it uses it. Without this it is used only when nothing else is configured, if at all. */
  isConfigured(project: Project, file: string): boolean;
  /** The program, found in the project or on the PATH. */
  programs(project: Project, file: string): string[];
  /** Runs code of the project (plugins, configuration written as code): only in trusted projects. */
  runsProjectCode: boolean;
  /** Also good without configuration, because the language has one style. */
  isStandard?: boolean;
  /** Undefined for a range when the program formats whole files only; the lines are then taken out of its result. */
  args(file: string, range: LineRange | undefined, project: Project): string[] | undefined;
  /** The text in what it wrote, where that is more than the text. */
  textOf?(written: string, input: string): string;
  /** Exit codes besides 0 that are no failure. */
  okCodes?: readonly number[];
}
