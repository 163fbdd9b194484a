import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';
import type { RealClient } from '../realClient.ts';

/** Every client that the product is tried with. A whole run installs them before the clock of any test starts. */
export const realClients: readonly RealClient[] = [claudeCode, codex, opencode, gemini, qwen, copilot];
