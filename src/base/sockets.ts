import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The sockets that listen at a port of this machine, as the system numbers them. Undefined where there is no /proc. */
export function listeningInodes(port: number): Set<string> | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found = new Set<string>();
  let isKnown = false;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(table, 'latin1');
    } catch {
      continue;
    }
    isKnown = true;
    for (const line of text.split('\n')) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === listening && local.endsWith(wanted)) found.add(inode);
    }
  }
  return isKnown ? found : undefined;
}

const listening = '0A';

/** The sockets a process holds. */
export function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
