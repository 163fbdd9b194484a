import { get } from 'node:http';
import { delay } from '../../../../../base/cancellation.ts';
import { errorMessage, isErrnoException, ToolError } from '../../../../../base/errors.ts';
import { platform } from '../../../../../base/platform/here.ts';
import { identityOf, isAlive } from '../../../../../base/processIdentity.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';

interface InspectorEndpoint {
  url: string;
  title: string;
  /** Set when we opened the inspector and must close it again. */
  wokenPid?: number;
}

/** The inspector behind a debug port. */
export async function inspectorOf(host: string, port: number): Promise<InspectorEndpoint> {
  let targets: unknown;
  try {
    targets = JSON.parse(await httpGet(host, port));
  } catch (error) {
    throw new ToolError('attach_failed', `No Node inspector answers at ${host}:${port} (${errorMessage(error)}).`, {
      hint: `Start the program with node --inspect=${port}, or attach by pid.`,
    });
  }
  const first: unknown = Array.isArray(targets) ? targets[0] : undefined;
  if (typeof first !== 'object' || first === null || !('webSocketDebuggerUrl' in first))
    throw new ToolError('attach_failed', `What listens at ${host}:${port} offers nothing to debug.`, {
      hint: 'Another debugger may be attached already; Node shows a target only then not.',
    });
  // The address it announces is its own; behind a tunnel or in a container only ours is right.
  const url = new URL(String(first.webSocketDebuggerUrl));
  url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { url: url.href, title: 'title' in first ? String(first.title) : `${host}:${port}` };
}

/** Opens the inspector of a Node process that was not started for debugging. */
export async function wakeInspector(pid: number): Promise<InspectorEndpoint> {
  // Zero and negative numbers name whole groups of processes, or all there are.
  if (!Number.isSafeInteger(pid) || pid <= 0) throw noProcess(pid);
  if (pid === process.pid)
    throw new ToolError('attach_failed', `The process ${pid} is Sightline itself.`, {
      hint: 'Name the pid of the program to debug.',
    });
  const already = await inspectorPort(pid);
  if (already !== undefined) return inspectorOf('127.0.0.1', already);
  requireNode(pid);
  try {
    process.kill(pid, 'SIGUSR1');
  } catch (error) {
    if (isErrnoException(error, 'ESRCH')) throw noProcess(pid);
    throw new ToolError('attach_failed', `The process ${pid} may not be signalled: ${errorMessage(error)}`, {
      hint: 'It belongs to another user.',
    });
  }
  for (let waited = 0; waited < 3000; waited += 25) {
    await delay(25);
    const port = await inspectorPort(pid);
    if (port !== undefined) return { ...(await inspectorOf('127.0.0.1', port)), wokenPid: pid };
  }
  throw new ToolError('attach_failed', `The process ${pid} did not open its inspector within 3 s of SIGUSR1.`, {
    hint: 'Its port 9229 may be taken by another program, or it handles SIGUSR1 itself.',
  });
}

/** Closes an inspector that we opened, once we are gone. */
export async function releaseInspector(session: CdpSession): Promise<void> {
  await session
    .send('Runtime.evaluate', {
      expression: `setTimeout((inspector) => inspector.close(), 100, require('inspector')).unref()`,
      includeCommandLineAPI: true,
      silent: true,
    })
    .catch(() => undefined);
}

function requireNode(pid: number): void {
  const executable = platform.processes.executable(pid);
  if (executable === 'gone') throw noProcess(pid);
  if (executable === 'denied')
    throw new ToolError('attach_failed', `It cannot be told what the process ${pid} is.`, {
      hint: 'It belongs to another user.',
    });
  if (executable === 'unknown') {
    if (!isAlive(identityOf(pid))) throw noProcess(pid);
    return;
  }
  const command = `${platform.processes.words(pid)[0] ?? ''} ${executable.path}`;
  // SIGUSR1 ends most other programs, so it is never sent on a guess.
  if (!/node|electron|bun/i.test(command))
    throw new ToolError('attach_failed', `The process ${pid} is not a Node program (${command.trim()}).`, {
      hint: 'Name the pid of the node process itself, not of its shell.',
    });
}

function noProcess(pid: number): ToolError {
  return new ToolError('attach_failed', `There is no process ${pid}.`);
}

async function inspectorPort(pid: number): Promise<number | undefined> {
  // Where the system does not tell, the usual one.
  for (const port of platform.processes.listeningPorts(pid) ?? [9229]) {
    try {
      if (/webSocketDebuggerUrl/.test(await httpGet('127.0.0.1', port))) return port;
    } catch {
      // A port of the program's own.
    }
  }
  return undefined;
}

function httpGet(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/json/list', timeout: 2000 }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > 1_000_000) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => resolve(body));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
}
