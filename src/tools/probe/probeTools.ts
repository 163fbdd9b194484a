import type { Tool } from '../defineTool.ts';
import { debugProbe } from './debugProbe.ts';

export const probeTools: readonly Tool[] = [debugProbe];
