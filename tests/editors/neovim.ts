import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/program.ts';
import type { EditorBench } from './bench.ts';

/** The real editor without a screen, with the configuration that the guide shows. */
export class Neovim {
  readonly child: ChildProcess;
  readonly #socket: string;

  private constructor(child: ChildProcess, socket: string) {
    this.child = child;
    this.#socket = socket;
  }

  static async open(bench: EditorBench, file: string): Promise<Neovim> {
    const { home, env, project } = bench.home;
    const socket = join(home, 'nvim.sock');
    const init = join(home, 'init.lua');
    writeFileSync(init, configuration([process.execPath, bench.program, 'editor-feed']));
    const args = ['--headless', '--clean', '-n', '-u', init, '--listen', socket, file];
    const child = spawn('nvim', args, { cwd: project, env, stdio: 'ignore' });
    await eventually(() => existsSync(socket), 20_000);
    return new Neovim(child, socket);
  }

  /** The value of an expression in Lua. */
  async lua(expression: string): Promise<string> {
    const quoted = expression.replaceAll("'", "''");
    const args = ['--server', this.#socket, '--remote-expr', `luaeval('${quoted}')`];
    const { stdout, stderr } = await promisify(execFile)('nvim', args);
    return `${stdout}${stderr}`.trim();
  }

  /** Keys as a person presses them. */
  async type(keys: string): Promise<void> {
    await this.lua(`vim.api.nvim_input("${keys}")`);
  }

  text(): Promise<string> {
    return this.lua('table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")');
  }
}

function configuration(command: readonly string[]): string {
  return `
local feed = { name = 'sightline', cmd = ${`{ ${command.map((word) => `'${word}'`).join(', ')} }`}, root_dir = vim.fn.getcwd(),
  flags = { debounce_text_changes = 0 } }
vim.api.nvim_create_autocmd('BufReadPost', { callback = function(args)
  if vim.lsp.start then
    vim.lsp.start(feed, { bufnr = args.buf })
  else
    feed.id = feed.id or vim.lsp.start_client(feed)
    vim.lsp.buf_attach_client(args.buf, feed.id)
  end
end })
`;
}
