import { endOwned, reapOrphans } from '../../base/processes.ts';
import { sightlineVersion } from '../../base/version.ts';
import { serveStdio } from '../../server/mcp/stdio.ts';
import type { Command } from '../command.ts';
import { compose, type Sightline } from '../compose.ts';
import { stderrSink } from '../logSinks.ts';
import { processLife } from '../processLife.ts';
import { parseStdioOptions } from '../stdioOptions.ts';

/** Reached with `--embedded` only: without it the launcher runs the shim, which never loads this. */
export const stdio: Command = {
  name: 'stdio',
  summary: 'MCP on standard input and output, for agents',
  usage: `sightline stdio [--face default|debugger|index|workspace|probe|all] [--toolsets a,b] [--output text|json|both]
                [--project DIR] [--embedded]

Serves the agent that started it. The engines live in a process shared by all agents of this user; --embedded keeps
everything in this one process instead (containers, CI).`,
  run: async (words, context) => {
    const { face, toolsets, output, project, isProjectGiven } = parseStdioOptions(words, context.cwd);
    let sightline: Sightline | undefined;
    const life = processLife(() => sightline?.logger);
    reapOrphans();
    sightline = await compose({ env: context.env, logSink: stderrSink('warn') });
    try {
      const { backend, resources, logger } = sightline;
      const connection = serveStdio(
        { backend, resources, version: sightlineVersion },
        { input: process.stdin, output: process.stdout },
        {
          name: 'stdio',
          transport: 'embedded',
          face,
          toolsets,
          output,
          cwd: project,
          isProjectGiven,
          env: context.env,
        },
        logger.tagged('stdio'),
      );
      process.stdin.once('end', () => life.end('the client left'));
      process.stdin.once('close', () => life.end('the client left'));
      await Promise.race([connection.ended, life.ending]);
      await connection.dispose();
    } finally {
      life.end('the client left');
      await sightline.dispose();
      endOwned();
    }
    return 0;
  },
};
