import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath } from '../../../../base/assets.ts';
import { TransportError } from '../../../../base/errors.ts';
import type { DapConnection } from '../../../../protocol/dap/connection.ts';

/**
 * Brings our part into a program that runs under debugpy already, by evaluating its source there. It works on another
 * machine as well, because nothing is read from a file.
 */
export async function injectInto(connection: DapConnection): Promise<void> {
  const answer = await connection.request(
    'evaluate',
    { expression: injectionSource(), context: 'repl' },
    { timeoutMs: 10_000 },
  );
  if (answer.result.includes('Error')) {
    throw new TransportError(connection.peer, `Sightline could not join the program: ${answer.result.slice(0, 300)}`);
  }
}

/** One Python expression: pydevd evaluates expressions in the program at any time, statements only when it is paused. */
function injectionSource(): string {
  const folder = assetPath('python/_sightline_debuggee');
  const sources: Record<string, string> = {};
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.py')) sources[file.slice(0, -3)] = readFileSync(join(folder, file), 'utf8');
  }
  const encoded = Buffer.from(JSON.stringify(sources), 'utf8').toString('base64');
  const code = [
    'import base64, importlib, importlib.abc, importlib.util, json, sys',
    `sources = json.loads(base64.b64decode("${encoded}").decode("utf-8"))`,
    'package = "_sightline_debuggee"',
    'class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):',
    '    def find_spec(self, name, path=None, target=None):',
    '        head, _, tail = name.partition(".")',
    '        if head == package and (tail or "__init__") in sources:',
    '            return importlib.util.spec_from_loader(name, self, is_package=not tail)',
    '    def create_module(self, spec):',
    '        return None',
    '    def exec_module(self, module):',
    '        module.__file__ = "<sightline>/%s.py" % module.__name__',
    '        text = sources[module.__name__.partition(".")[2] or "__init__"]',
    '        exec(compile(text, module.__file__, "exec"), module.__dict__)',
    'if package not in sys.modules:',
    '    sys.meta_path.insert(0, Sources())',
    '    importlib.import_module(package + ".engine").install()',
  ].join('\n');
  return `exec(__import__("base64").b64decode("${Buffer.from(code, 'utf8').toString('base64')}").decode("utf-8"), {})`;
}
