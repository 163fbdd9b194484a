import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Sightline keeps things on this machine. Everything is overridable, so that tests never touch a person's own state. */
export interface AppDirs {
  /** `config.json` of the person. */
  config: string;
  /** Command history, local history, breakpoints, trust, logs. */
  state: string;
  /** Installed engines; may be deleted at any time. */
  cache: string;
  /** Discovery file and locks; emptied by a reboot. */
  runtime: string;
}

export function appDirs(env: NodeJS.ProcessEnv): AppDirs {
  const home = env['SIGHTLINE_HOME'];
  if (home !== undefined && home !== '') {
    return {
      config: join(home, 'config'),
      state: join(home, 'state'),
      cache: env['SIGHTLINE_CACHE'] ?? join(home, 'cache'),
      runtime: join(home, 'run'),
    };
  }
  const user = env['HOME'] ?? homedir();
  const state = join(env['XDG_STATE_HOME'] ?? join(user, '.local', 'state'), 'sightline');
  return {
    config: join(env['XDG_CONFIG_HOME'] ?? join(user, '.config'), 'sightline'),
    state,
    cache: env['SIGHTLINE_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(user, '.cache'), 'sightline'),
    runtime: env['XDG_RUNTIME_DIR'] === undefined ? join(state, 'run') : join(env['XDG_RUNTIME_DIR'], 'sightline'),
  };
}
