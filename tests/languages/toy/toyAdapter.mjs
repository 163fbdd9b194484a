// A debug adapter for Toy, a language whose programs are lines of `name value`: each line gives a variable its value.
import { readFileSync } from 'node:fs';

let lines = [];
let at = 0;
let path = '';
let breakpoints = [];
let buffered = Buffer.alloc(0);
let seq = 0;

const send = (message) => {
  const text = JSON.stringify({ seq: ++seq, ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
const event = (name, body = {}) => send({ type: 'event', event: name, body });

function run() {
  while (at < lines.length && !breakpoints.includes(at + 1)) at++;
  if (at < lines.length) return event('stopped', { reason: 'breakpoint', threadId: 1, allThreadsStopped: true });
  event('output', { category: 'stdout', output: 'done\n' });
  event('exited', { exitCode: 0 });
  event('terminated');
}

const handlers = {
  initialize: () => ({ supportsConfigurationDoneRequest: true }),
  launch: ({ program }) => {
    path = program;
    lines = readFileSync(program, 'utf8').trimEnd().split('\n');
    setImmediate(() => event('initialized'));
  },
  setBreakpoints: ({ breakpoints: wanted = [] }) => {
    breakpoints = wanted.map(({ line }) => line);
    return { breakpoints: wanted.map(({ line }, index) => ({ id: index + 1, verified: true, line })) };
  },
  configurationDone: () => void setImmediate(run),
  threads: () => ({ threads: [{ id: 1, name: 'main' }] }),
  stackTrace: () => ({
    stackFrames: [{ id: 1, name: 'main', line: at + 1, column: 1, source: { path } }],
    totalFrames: 1,
  }),
  scopes: () => ({ scopes: [{ name: 'Locals', variablesReference: 1, expensive: false }] }),
  variables: () => ({
    variables: lines.slice(0, at).map((line) => {
      const [name, value] = line.split(' ');
      return { name, value, type: 'number', variablesReference: 0 };
    }),
  }),
  continue: () => {
    at++;
    setImmediate(run);
    return { allThreadsContinued: true };
  },
  disconnect: () => void setImmediate(() => process.exit(0)),
};

process.stdin.on('data', (chunk) => {
  buffered = Buffer.concat([buffered, chunk]);
  for (;;) {
    const end = buffered.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/.exec(buffered.subarray(0, Math.max(end, 0)).toString())?.[1]);
    if (end === -1 || buffered.length < end + 4 + length) return;
    const {
      seq: request,
      command,
      arguments: args,
    } = JSON.parse(buffered.subarray(end + 4, end + 4 + length).toString());
    buffered = buffered.subarray(end + 4 + length);
    const body = handlers[command]?.(args ?? {}) ?? {};
    send({ type: 'response', request_seq: request, success: true, command, body });
  }
});
