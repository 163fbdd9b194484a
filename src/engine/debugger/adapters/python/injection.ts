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
export function injectionSource(): string {
  const folder = assetPath('python/_sightline_debuggee');
  const sources: Record<string, string> = {};
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.py')) sources[file.slice(0, -3)] = readFileSync(join(folder, file), 'utf8');
  }
  const encoded = Buffer.from(JSON.stringify(sources), 'utf8').toString('base64');
  const code = [
    'import base64, json, sys, types',
    `sources = json.loads(base64.b64decode("${encoded}").decode("utf-8"))`,
    'package = "_sightline_debuggee"',
    'def load(name, text, is_package):',
    '    module = types.ModuleType(name)',
    '    module.__file__ = "<sightline>/%s.py" % name',
    '    module.__package__ = package',
    '    if is_package: module.__path__ = []',
    '    sys.modules[name] = module',
    '    exec(compile(text, module.__file__, "exec"), module.__dict__)',
    '    return module',
    'if package not in sys.modules:',
    '    root = load(package, sources["__init__"], True)',
    '    for name in ["values", "forked_evaluation", "monitoring", "children", "readonly", "evaluation", "breakpoints", "exceptions", "pausing", "loop_types", "loop_text", "loop_expressions", "loop_plan", "plain_state", "endless", "stops", "engine"]:',
    '        setattr(root, name, load(package + "." + name, sources[name], False))',
    '    root.engine.install()',
  ].join('\n');
  return `exec(__import__("base64").b64decode("${Buffer.from(code, 'utf8').toString('base64')}").decode("utf-8"), {})`;
}
