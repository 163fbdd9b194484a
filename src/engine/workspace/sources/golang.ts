import { ToolError } from '../../../base/errors.ts';
import { recordOf, textOf } from '../dependencies/model.ts';
import { filesOf } from './filesOf.ts';
import type { SourceReader } from './model.ts';

/** The module cache holds the very files that are compiled, so `go` itself fetches and keeps them there. */
export const goSources: SourceReader = async ({ name, version }, { run, progress }) => {
  progress?.(`fetching ${name}`);
  const spec = `${name}@${version ?? 'latest'}`;
  const { code, stdout, stderr } = await run(['go', 'mod', 'download', '-json', spec]);
  const answer = answerIn(stdout);
  const path = textOf(answer['Dir']);
  const found = textOf(answer['Version']);
  if (path === undefined || found === undefined) {
    const why = textOf(answer['Error']) ?? stderr.trim();
    if (code === 127) throw new ToolError('engine_missing', 'Go was not found, and Go modules are fetched with it.');
    if (/not found|unknown revision|invalid version|no matching versions/i.test(why))
      throw new ToolError('file_not_found', `There is no Go module ${spec}: ${why.slice(0, 300)}`);
    throw new ToolError('command_failed', `go could not fetch ${spec}: ${why.slice(0, 400)}`);
  }
  return {
    registry: 'go',
    name,
    version: found,
    kind: 'module',
    path,
    installedAt: path,
    files: (await filesOf(path)).length,
    notes: version === undefined ? ['No go.mod here names it; this is the newest version.'] : [],
  };
};

function answerIn(json: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(json));
  } catch {
    return {};
  }
}
