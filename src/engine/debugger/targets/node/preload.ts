/**
 * What every Node process of a session runs before anything else, through NODE_OPTIONS: it opens the inspector on a free
 * loopback port, announces it with a small file and waits to be attached to. Package managers are let through, because
 * nobody debugs them and each would cost a start-up; what they start is caught all the same. Workers are attached through their
 * process. It is a string because it is written to the session's own folder, whatever Sightline itself is packed into.
 */
export const preloadSource = `'use strict';
(() => {
  const folder = process.env.${'SIGHTLINE_DEBUG_DIR'};
  if (!folder || !require('worker_threads').isMainThread) return;
  const main = process.argv[1] || '';
  if (/[\\\\/](npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack)(-cli)?(\\.c?js)?$/.test(main)) return;
  const inspector = require('inspector');
  const fs = require('fs');
  try {
    if (!inspector.url()) inspector.open(0, '127.0.0.1', false);
    const file = folder + '/' + process.pid + '-' + process.hrtime.bigint() + '.json';
    const said = { pid: process.pid, parentPid: process.ppid, url: inspector.url(), argv: process.argv };
    fs.writeFileSync(file + '.new', JSON.stringify(said));
    fs.renameSync(file + '.new', file);
  } catch { return; }
  inspector.waitForDebugger();
})();
`;

export const debugFolderVariable = 'SIGHTLINE_DEBUG_DIR';
