import type { ProcessRow } from '../platform.ts';

const line = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d+:\d+:\d+\s+\d{4})(?:\s(.*))?$/;

/** What `ps -o pid=,ppid=,pgid=,tpgid=,stat=,lstart=` printed in UTC, with `command=` and the environment behind when a variable is wanted. */
export function rowsIn(text: string, variable?: string): ProcessRow[] {
  const wanted = variable === undefined ? undefined : new RegExp(`\\s${variable}=(\\S*)`);
  return text.split('\n').flatMap((each) => {
    const [, pid, parent, group, front, state = '', started = '', rest = ''] = line.exec(each) ?? [];
    if (pid === undefined) return [];
    const mark = wanted?.exec(rest)?.[1];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      front: Number(front),
      state: state.startsWith('Z') ? 'zombie' : state.startsWith('T') ? 'stopped' : 'living',
      // The letter tells these seconds since 1970 from what other tables count.
      start: `s${Date.parse(`${started} UTC`) / 1000}`,
      ...(mark === undefined ? {} : { mark }),
    };
  });
}

/** Where one variable ends and the next begins is not marked: a value that itself has ` NAME=` in it reads as two. */
export function variablesIn(text: string): string[] {
  return text.split(/\s+(?=[A-Za-z_]\w*=)/).filter((part) => part.includes('='));
}

/** `[[days-]hours:]minutes:seconds[.hundredths]`. */
export function cpuTimeIn(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return Math.round((((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}
