import { ToolError } from '../../base/errors.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { AcpConnection } from '../../protocol/acp/connection.ts';
import { list, record, text, type Loose } from './loose.ts';
import type { SlashCommand, ThreadView } from './model.ts';
import { optionsOf, withConfig, withValue, type KnownOptions } from './options.ts';

/** What an agent tells of its session beside the conversation: options, commands, usage, a title. */
export class SessionFacts {
  title: string;
  commands: SlashCommand[] = [];
  usage: ThreadView['usage'];
  #known: KnownOptions = { options: [], routes: new Map() };

  constructor(title: string) {
    this.title = title;
  }

  get options(): ThreadView['options'] {
    return this.#known.options;
  }

  /** The answer to `session/new`, `load` or `resume`. */
  opened(session: Loose): void {
    this.#known = optionsOf(session);
  }

  /** False for a kind that nobody here knows; it is in the protocol log. */
  take(update: Loose): boolean {
    switch (update['sessionUpdate']) {
      case 'available_commands_update':
        this.commands = list(update['availableCommands']).flatMap(slashCommand);
        return true;
      case 'current_mode_update':
        this.#known = withValue(this.#known, 'mode', text(update['currentModeId']) ?? '');
        return true;
      case 'config_option_update':
        this.#known = withConfig(this.#known, update['configOptions']);
        return true;
      case 'session_info_update':
        this.title = clip(text(update['title']) ?? this.title, 200);
        return true;
      case 'usage_update':
        this.usage = usageOf(update);
        return true;
      default:
        return false;
    }
  }

  async choose(
    { connection, sessionId, title }: { connection: AcpConnection; sessionId: string; title: string },
    id: string,
    value: string | boolean,
  ): Promise<void> {
    const option = this.options.find((each) => each.id === id);
    if (option === undefined)
      throw new ToolError('invalid_arguments', `${title} has no option ${id}.`, {
        hint: `It has: ${this.options.map((each) => each.id).join(', ') || 'none'}.`,
      });
    if (option.type === 'select' && !option.choices.some((choice) => choice.value === value))
      throw new ToolError('invalid_arguments', `${id} cannot be ${String(value)}.`, {
        hint: `It can be: ${option.choices.map((choice) => choice.value).join(', ')}.`,
      });
    const route = this.#known.routes.get(id);
    if (route === 'mode') await connection.request('session/set_mode', { sessionId, modeId: value });
    else if (route === 'model') await connection.request('session/set_model', { sessionId, modelId: value });
    else {
      const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
      const answer = await connection.request('session/set_config_option', { sessionId, configId: id, ...typed });
      if (Array.isArray(answer['configOptions'])) this.#known = withConfig(this.#known, answer['configOptions']);
    }
    if (this.options.some((each) => each.id === id)) this.#known = withValue(this.#known, id, value);
  }
}

function slashCommand(value: unknown): SlashCommand[] {
  const { name, description, input } = record(value);
  if (typeof name !== 'string') return [];
  const hint = text(record(input)['hint']);
  return [{ name, description: clip(text(description) ?? '', 500), ...(hint === undefined ? {} : { hint }) }];
}

function usageOf(update: Loose): ThreadView['usage'] {
  const { used, size } = update;
  const { amount, currency } = record(update['cost']);
  if (typeof used !== 'number' || typeof size !== 'number') return undefined;
  return {
    used,
    size,
    ...(typeof amount === 'number' && typeof currency === 'string' ? { cost: { amount, currency } } : {}),
  };
}
