/** The listeners in what `netstat -ano -p TCP` of Windows prints. Its words are translated, so a listener is known by the end that nobody has. */
export function listenersInNetstat(text: string): { pid: number; port: number }[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, port, pid] = /^\s*TCP\s+\S+:(\d+)\s+(?:0\.0\.0\.0|\[::\]):0\s+\S+\s+(\d+)\s*$/.exec(line) ?? [];
    return port === undefined ? [] : [{ pid: Number(pid), port: Number(port) }];
  });
}
