import { appDirs } from '../base/appDirs.ts';
import { ToolError } from '../base/errors.ts';
import type { HttpServer } from '../engine/install/model.ts';
import { loadSettings } from '../engine/workspace/settings/loader.ts';
import { makeLastingToken } from '../server/http/lastingToken.ts';
import type { CommandContext } from './command.ts';
import { joinShared } from './sharedClient.ts';

/** Where an agent finds Sightline over HTTP tomorrow as well: the port of the settings and the lasting token. Starts the process. */
export async function lastingAddress(context: CommandContext): Promise<HttpServer> {
  const { config } = appDirs(context.env);
  const { settings } = await loadSettings({ configDir: config, env: context.env });
  const port = settings['server.port'];
  if (port === 0)
    throw new ToolError(
      'unsupported',
      'Over HTTP an agent needs an address that stays; server.port is 0, a free port each time.',
      {
        hint: `Put {"server": {"port": 7411, "idleExitMinutes": 0}} into ${config}/config.json, run sightline stop, and try again.`,
      },
    );
  const url = `http://127.0.0.1:${port}`;
  const control = await joinShared(context);
  try {
    const running = await control.request('status', {});
    if (running.url !== url)
      throw new ToolError('unsupported', `Sightline runs on ${running.url ?? 'no port'}, not on ${url}.`, {
        hint: 'End it, so that it starts anew: sightline stop',
      });
  } finally {
    control.dispose();
  }
  return { url: `${url}/mcp`, headers: { Authorization: `Bearer ${makeLastingToken(config)}` } };
}
