// gdb's own debug adapter over its standard streams, one request after the other.
import { spawn } from 'node:child_process';
import { RawDap } from '../debug/rawDap.mjs';

export class RawGdb extends RawDap {
  static async launch(gdb, program, file, line) {
    const args = ['-nx', '-q', '-iex', 'set debuginfod enabled off', '-i=dap'];
    const raw = new RawGdb(spawn(gdb, args, { stdio: ['pipe', 'pipe', 'ignore'] }));
    // It comes together with the answer.
    const initialized = raw.event('initialized');
    await raw.request('initialize', { adapterID: 'gdb', pathFormat: 'path' });
    const launched = raw.request('launch', { program });
    await initialized;
    await raw.request('setBreakpoints', { source: { path: file }, breakpoints: [{ line }] });
    const stopped = raw.event('stopped');
    await raw.request('configurationDone');
    await launched;
    raw.threadId = (await stopped).threadId;
    await raw.look();
    return raw;
  }

  /** What a function was given and has are two scopes here. */
  async look() {
    const { stackFrames } = await this.request('stackTrace', { threadId: this.threadId, startFrame: 0, levels: 20 });
    const { scopes } = await this.request('scopes', { frameId: stackFrames[0].id });
    for (const { variablesReference, presentationHint } of scopes)
      if (presentationHint === 'arguments' || presentationHint === 'locals')
        await this.request('variables', { variablesReference });
  }
}
