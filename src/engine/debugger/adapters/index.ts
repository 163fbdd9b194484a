import type { EnginesOnNeed } from '../../provision/enginesOnNeed.ts';
import type { AdapterDescription } from '../target.ts';
import { cppAdapter } from './cpp.ts';
import { goAdapter } from './go.ts';
import { javaAdapter } from './java.ts';
import { nodeAdapter } from './node.ts';
import { pythonAdapter } from './python.ts';
import { rustAdapter } from './rust.ts';

/**
 * Every language that can be debugged; the first is meant by a port of which nothing else is known. Adding one is one file and one line
 * here.
 */
export function adapters(engines: EnginesOnNeed): AdapterDescription[] {
  return [
    nodeAdapter(),
    pythonAdapter(engines.provision),
    goAdapter(engines),
    javaAdapter(engines),
    rustAdapter(engines),
    // Last: it takes every compiled program that none of the others knows.
    cppAdapter(engines),
  ];
}
