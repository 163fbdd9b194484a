import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where Sightline keeps things on this machine. Everything is overridable, so that tests never touch a person's own state. */
export interface AppDirs {
  /** `config.json` of the person. */
  config: string;
  /** Command history, local history, breakpoints, trust, logs. */
  state: string;
  /** Installed engines; may be deleted at any time. */
  cache: string;
  /** Discovery file, locks and the socket. */
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
  const user = folder(env, 'HOME') ?? userInfo().homedir;
  const usualState = join(user, '.local', 'state');
  const state = join(folder(env, 'XDG_STATE_HOME') ?? usualState, 'sightline');
  return {
    config: join(folder(env, 'XDG_CONFIG_HOME') ?? join(user, '.config'), 'sightline'),
    state,
    cache: env['SIGHTLINE_CACHE'] ?? join(folder(env, 'XDG_CACHE_HOME') ?? join(user, '.cache'), 'sightline'),
    // By the home directory alone: some clients pass on few variables, and everybody must find the same process.
    runtime: join(usualState, 'sightline', 'run'),
  };
}

/** Empty and relative ones are to be ignored, says the XDG specification; they would also mean another place in each directory. */
function folder(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}
