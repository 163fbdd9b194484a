import { ToolError } from '../../../../base/errors.ts';
import { child, parseXml, XmlError, type XmlElement } from '../../../../base/text/xml.ts';
import type { CoverageFormat, NamedCoverage } from '../model.ts';
import { readCobertura } from './cobertura.ts';
import { readCoveragePy } from './coveragePy.ts';
import { readGoProfile } from './goProfile.ts';
import { readIstanbul } from './istanbul.ts';
import { readJacoco } from './jacoco.ts';
import { readLcov } from './lcov.ts';
import { isLlvmCov, readLlvmCov } from './llvmCov.ts';
import { isRecord } from '../../../../base/text/records.ts';

interface ParsedReport {
  format: CoverageFormat;
  files: readonly NamedCoverage[];
  /** Folders that names in it are relative to. */
  sources?: readonly string[];
}

/** A report is known by what stands in it: names of files are only habits. */
export function parseReport(text: string, shownName: string): ParsedReport {
  const start = text
    .slice(0, 2000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  const found = start.startsWith('{')
    ? jsonReport(text, shownName)
    : start.startsWith('<')
      ? xmlReport(text, shownName)
      : textReport(text, start);
  if (found === undefined)
    throw new ToolError('invalid_arguments', `${shownName} is no coverage report that can be read.`, {
      hint: 'Known: lcov, Cobertura XML, JaCoCo XML, Istanbul JSON, coverage.py JSON, go cover profiles, llvm-cov export JSON.',
    });
  return found;
}

function textReport(text: string, start: string): ParsedReport | undefined {
  if (/^mode: (?:set|count|atomic)\s/.test(start)) return { format: 'go', files: readGoProfile(text) };
  if (/^(?:TN|SF):/m.test(start)) return { format: 'lcov', files: readLcov(text) };
  return undefined;
}

function jsonReport(text: string, shownName: string): ParsedReport | undefined {
  let report: unknown;
  try {
    report = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ToolError('invalid_arguments', `${shownName} is no whole JSON document.`, { cause: error });
  }
  if (!isRecord(report)) return undefined;
  if (isLlvmCov(report)) return { format: 'llvm-cov', files: readLlvmCov(report) };
  if (isRecord(report['meta']) && isRecord(report['files']))
    return { format: 'coverage.py', files: readCoveragePy(report) };
  const files = readIstanbul(report);
  return files.length > 0 ? { format: 'istanbul', files } : undefined;
}

function xmlReport(text: string, shownName: string): ParsedReport | undefined {
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ToolError('invalid_arguments', `${shownName} is no whole XML document: ${error.message}`, {
      cause: error,
    });
  }
  if (root.name === 'report') return { format: 'jacoco', files: readJacoco(root) };
  if (root.name === 'coverage' && child(root, 'packages') !== undefined)
    return { format: 'cobertura', ...readCobertura(root) };
  if (root.name === 'testsuite' || root.name === 'testsuites')
    throw new ToolError('invalid_arguments', `${shownName} holds results of tests, not coverage.`);
  return undefined;
}
