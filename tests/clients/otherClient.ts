import type { ClientHome } from './clientHome.ts';
import type { StdioProgram } from '../support/program.ts';

/** A second client of the same process, in the middle of debugging a program of its own. Nothing of the first may reach it. */
export class OtherClient {
  readonly instructions: string;
  /** The tools of the face as the server lists them. */
  readonly tools: readonly Record<string, unknown>[];
  readonly #program: StdioProgram;

  private constructor(program: StdioProgram, instructions: string, tools: readonly Record<string, unknown>[]) {
    this.#program = program;
    this.instructions = instructions;
    this.tools = tools;
  }

  static async connect(home: ClientHome): Promise<OtherClient> {
    const program = home.otherClient();
    const { instructions } = resultOf<{ instructions: string }>(await program.initialize());
    const { tools } = resultOf<{ tools: Record<string, unknown>[] }>(await program.request('tools/list'));
    const client = new OtherClient(program, instructions, tools);
    await client.text('debug_launch', { program: 'other.js' });
    await client.text('debug_breakpoint', { file: 'other.js', line: 3 });
    await client.text('debug_continue', {});
    return client;
  }

  /** The answer of a tool, as any client gets it. */
  async text(tool: string, args: Record<string, unknown>): Promise<string> {
    const { content } = resultOf<{ content: { text: string }[] }>(await this.#program.callTool(tool, args));
    return content.map(({ text }) => text).join('\n');
  }

  /** Where its program stands: the same place as long as nobody has touched it. */
  stack(): Promise<string> {
    return this.text('debug_stack', {});
  }

  async leave(): Promise<void> {
    this.#program.child.stdin.end();
    await this.#program.exited;
  }
}

/** Our own server's answers have the shapes that its schemas promise. */
function resultOf<T>(answer: Record<string, unknown>): T {
  return answer['result'] as T;
}
