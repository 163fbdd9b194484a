import { withTimeout } from '../../../../base/cancellation.ts';
import { ToolError } from '../../../../base/errors.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';
import { injectInto } from './injection.ts';
import type { WireHello } from './wire.ts';

interface JoinedAdapter {
  hello: WireHello;
  /** The answer to `attach`, which comes only after the configuration is done. */
  attached: Promise<unknown>;
}

/**
 * Joins a program that listens with `python -m debugpy --listen`: there debugpy's own adapter stands between us and the program,
 * and passes on the requests of our part unseen.
 */
export async function joinAdapter(connection: DapConnection, args: Record<string, unknown>): Promise<JoinedAdapter> {
  const initialized = new Promise<void>((resolve) => {
    connection.events.on((event) => {
      if (event.event === 'initialized') resolve();
    });
  });
  await connection.request('initialize', {
    adapterID: 'debugpy',
    clientID: 'sightline',
    pathFormat: 'path',
    linesStartAt1: true,
    columnsStartAt1: true,
  });
  const attached = connection.request('attach', args);
  attached.catch(() => undefined);
  // If the adapter refuses, `initialized` never comes.
  await withTimeout(
    Promise.race([initialized, attached]),
    10_000,
    () =>
      new ToolError(
        'attach_failed',
        'debugpy took the connection but did not begin a session: another debugger may hold it.',
      ),
  );
  await injectInto(connection);
  const hello = await connection.requestCustom<WireHello>('sightlineHello', {}, { timeoutMs: 5000 });
  return { hello, attached };
}
