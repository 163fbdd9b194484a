import { drawingSource, drawingSymbol } from '../inProgram/drawing.ts';

/** Code that says whether the debugger wants to see a module before it is compiled; `wish` is in scope. */
export function isWished(content: string, filename: string): string {
  return String.raw`typeof ${content} === 'string' && !/[\\/]node_modules[\\/]/.test(${filename}) &&
    (wish.all || wish.entry === ${filename} || ${content}.includes('sourceMappingURL='))`;
}

/** Stops where Node says that nobody handled a rejection. */
const rejectionWatch = `process.on('uncaughtExceptionMonitor', (reason, origin) => {
    const isHandled = process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0;
    if (origin === 'unhandledRejection' && !isHandled) unhandled(reason);
  });
  function unhandled(reason) {
    debugger;
  }`;

/** The same for a program that was attached to, where nothing was loaded first. A second session finds it there. */
export const rejectionWatchForAttached = `(() => {
  const mark = Symbol.for('sightline.rejections');
  if (typeof process === 'undefined' || globalThis[mark]) return;
  Object.defineProperty(globalThis, mark, { value: true, configurable: true });
  ${rejectionWatch}
})()
//# sourceURL=file:///sightline-debug-attached/preload.cjs`;

const printedSymbol = 'sightline.printed';

/**
 * What every Node process of a session runs before anything else, through NODE_OPTIONS: it opens the inspector on a free
 * loopback port, announces it with a small file and waits to be attached to; that the file is gone says that it runs. Package managers are let through, because
 * nobody debugs them and each would cost a start-up; what they start is caught all the same. Workers are attached through their
 * process.
 *
 * V8 can stop before a script runs, but not before a CommonJS module does; so what compiles modules is handed to
 * the debugger, which breaks in it, if it asked for it, and binds the breakpoints of what is about to be compiled. A worker is attached to
 * before this runs in it; there modules pass through `beforeLoad` instead.
 *
 * Whether a rejection is handled shows only in the end. `unhandled` is where Node says that nobody did.
 *
 * Printing to a pipe is made to wait until it is read, as on a terminal: what a program printed before it stopped is then there to be
 * seen, and one that prints without end does not fill its memory.
 *
 * It is a string because it is written to the session's own folder, whatever Sightline itself is packed into.
 */
export const preloadSource = String.raw`'use strict';
(() => {
  const folder = process.env.SIGHTLINE_DEBUG_DIR;
  if (!folder) return;
  const Module = require('module');
  const draw = (${drawingSource})({ ...require('util').types });
  Object.defineProperty(globalThis, Symbol.for('${drawingSymbol}'), { value: draw, configurable: true });
  const { isMainThread } = require('worker_threads');
  const compile = Module.prototype._compile;
  if (isMainThread) Object.defineProperty(globalThis, Symbol.for('sightline.compile'), { value: compile, configurable: true });
  else
    Module.prototype._compile = function (content, filename, ...rest) {
      const wish = globalThis[Symbol.for('sightline.loads')];
      if (wish && ${isWished('content', 'filename')}) beforeLoad(content, filename);
      return compile.call(this, content, filename, ...rest);
    };
  function beforeLoad(content, filename) {
    debugger;
  }
  ${rejectionWatch}
  if (!isMainThread) return;
  // What was printed so far: by that a log message finds its place in it.
  let printed = () => 0;
  Object.defineProperty(globalThis, Symbol.for('${printedSymbol}'), { value: () => printed(), configurable: true });
  for (const name of ['stdout', 'stderr']) {
    const lazy = Object.getOwnPropertyDescriptor(process, name);
    if (!lazy || !lazy.get || !lazy.configurable) continue;
    const get = function () {
      const stream = lazy.get.call(process);
      Object.defineProperty(process, name, lazy);
      try { if (stream._type === 'pipe') stream._handle.setBlocking(true); } catch {}
      if (name === 'stdout') printed = () => stream._type === 'pipe' ? stream.bytesWritten : undefined;
      return stream;
    };
    Object.defineProperty(process, name, { ...lazy, get });
  }
  const main = process.argv[1] || '';
  if (/[\\/](npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack)(-cli)?(\.c?js)?$/.test(main)) return;
  if (main !== '' && main === process.env.SIGHTLINE_DEBUG_STARTER) return;
  const inspector = require('inspector');
  const fs = require('fs');
  let file;
  try {
    if (!inspector.url()) inspector.open(0, '127.0.0.1', false);
    file = folder + '/' + process.pid + '-' + process.hrtime.bigint() + '.json';
    const said = { pid: process.pid, parentPid: process.ppid, url: inspector.url(), argv: process.argv };
    fs.writeFileSync(file + '.new', JSON.stringify(said));
    fs.renameSync(file + '.new', file);
  } catch { return; }
  inspector.waitForDebugger();
  try { fs.unlinkSync(file); } catch {}
})();
`;

export const loadsSymbol = 'sightline.loads';
export const compileSymbol = 'sightline.compile';
export const debugFolderVariable = 'SIGHTLINE_DEBUG_DIR';
export const starterVariable = 'SIGHTLINE_DEBUG_STARTER';
