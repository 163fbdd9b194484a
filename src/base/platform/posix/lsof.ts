/** The answers of `lsof -F`: a line per field, `p` before a process, `f` before one of its files, `n` before the name of that file. */

/** `-d cwd -F fn` */
export function cwdIn(text: string): string | undefined {
  return filesIn(text).find(({ descriptor }) => descriptor === 'cwd')?.name;
}

/** `-d txt -F fn`: the program comes before the libraries that it has loaded. */
export function programIn(text: string): string | undefined {
  return filesIn(text).find(({ descriptor }) => descriptor === 'txt')?.name;
}

/** `-iTCP -sTCP:LISTEN -Fn`: names such as `127.0.0.1:9229`, `[::1]:9229` and `*:80`. */
export function listenersIn(text: string): { pid: number; port: number }[] {
  return filesIn(text).flatMap(({ pid, name }) => {
    const port = /:(\d+)$/.exec(name)?.[1];
    return port === undefined ? [] : [{ pid, port: Number(port) }];
  });
}

function filesIn(text: string): { pid: number; descriptor: string; name: string }[] {
  let [pid, descriptor] = [0, ''];
  return text.split('\n').flatMap((line) => {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = Number(value);
    else if (line.startsWith('f')) descriptor = value;
    return line.startsWith('n') ? [{ pid, descriptor, name: value }] : [];
  });
}
