import type { Tool } from '../defineTool.ts';
import { getCoverage } from './getCoverage.ts';
import { getTestResults } from './getTestResults.ts';
import { listTests } from './listTests.ts';
import { runTests } from './runTests.ts';

export const testTools: readonly Tool[] = [listTests, runTests, getTestResults, getCoverage];
