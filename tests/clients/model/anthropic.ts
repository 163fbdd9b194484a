import { callId, object, objects, string, textsOf, type Json, type Turn, type Wire } from './wire.ts';

/** Anthropic Messages. */
export const anthropic: Wire = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/v1/messages'),
  read: (body) => {
    const messages = objects(body['messages']);
    const parts = (role: string) =>
      messages.filter((message) => message['role'] === role).map((message) => objects(message['content']));
    return {
      system: textsOf(body['system']).join('\n'),
      said: messages
        .filter((message) => message['role'] !== 'assistant')
        .flatMap((message) => textsOf(message['content'])),
      tools: objects(body['tools']).map((tool) => ({
        name: string(tool['name']),
        description: string(tool['description']),
        schema: tool['input_schema'],
        deferred: tool['defer_loading'] === true,
      })),
      results: parts('user')
        .flat()
        .filter((part) => part['type'] === 'tool_result')
        .map((part) => ({ callId: string(part['tool_use_id']), texts: textsOf(part['content']) })),
      turn: parts('assistant').filter((content) => content.some((part) => part['type'] === 'tool_use')).length,
    };
  },
  whole: (turn, number, { body }) => ({
    ...message(body, number),
    content: blocks(turn, number),
    stop_reason: 'calls' in turn ? 'tool_use' : 'end_turn',
  }),
  stream: (turn, number, { body }) => [
    event('message_start', { message: message(body, number) }),
    ...blocks(turn, number).flatMap((block, index) => {
      const isText = block['type'] === 'text';
      const delta = isText
        ? { type: 'text_delta', text: block['text'] }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
      return [
        event('content_block_start', {
          index,
          content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
        }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ];
    }),
    event('message_delta', {
      delta: { stop_reason: 'calls' in turn ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    event('message_stop', {}),
  ],
};

function blocks(turn: Turn, number: number): Json[] {
  if ('text' in turn) return [{ type: 'text', text: turn.text }];
  return turn.calls.map(({ tool, args }, index) => ({
    type: 'tool_use',
    id: callId(number, index),
    name: tool,
    input: args,
  }));
}

function message(body: Json, number: number): Json {
  return {
    // One id per turn: clients take messages of the same id for parts of one.
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
}

function event(type: string, data: Json): { event: string; data: Json } {
  return { event: type, data: { type, ...object(data) } };
}
