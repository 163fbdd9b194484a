/**
 * What scenario tests are written with.
 *
 *   const ide = await startSightline({ project: fixture });       // a copy, opened and trusted, on a home of its own
 *   const agent = await ide.connect({ face: 'debugger' });         // the real MCP client over HTTP (or 'sse', 'stdio')
 *   const stop = await agent.data('start_debug_session', {...});   // structured answer; throws if the call failed
 *   const { error } = await agent.call('step_over');               // both outcomes
 *   await expectGolden(join(here, 'x.golden.txt'), normalise(await agent.text('debug_probe', {...}), ide));
 *   await ide.dispose();                                           // everything ends, all directories go
 */
export { startSightline, type ConnectOptions, type RunningSightline, type StartOptions } from './startSightline.ts';
export {
  TestClient,
  httpTransport,
  processTransport,
  sseTransport,
  streamPair,
  type CallOutcome,
} from './testClient.ts';
export { normalise, type RunFacts } from './normalise.ts';
export { expectGolden } from './golden.ts';
export { removeDirectory, temporaryDirectory, temporaryProject } from './temporary.ts';
