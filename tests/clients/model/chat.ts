import { callId, object, objects, string, textsOf, type Json, type Turn, type Wire } from './wire.ts';

/** OpenAI Chat Completions. */
export const chat: Wire = {
  name: 'chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read: (body) => {
    const messages = objects(body['messages']);
    const isSystem = (message: Json) => message['role'] === 'system' || message['role'] === 'developer';
    return {
      system: messages
        .filter(isSystem)
        .flatMap((message) => textsOf(message['content']))
        .join('\n'),
      said: messages.filter(({ role }) => role === 'user').flatMap((message) => textsOf(message['content'])),
      tools: objects(body['tools']).map((tool) => {
        const offered = object(tool['function']);
        return {
          name: string(offered['name']),
          description: string(offered['description']),
          schema: offered['parameters'],
          deferred: false,
        };
      }),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map((message) => ({ callId: string(message['tool_call_id']), texts: textsOf(message['content']) })),
      turn: messages.filter((message) => objects(message['tool_calls']).length > 0).length,
    };
  },
  whole: (turn, number, { body }) => ({
    ...head(body, 'chat.completion', number),
    choices: [
      { index: 0, message: { role: 'assistant', ...said(turn, number) }, finish_reason: finish(turn), logprobs: null },
    ],
    usage,
  }),
  stream: (turn, number, { body }) => {
    const chunk = (delta: Json, finish_reason: string | null) => ({
      data: { ...head(body, 'chat.completion.chunk', number), choices: [{ index: 0, delta, finish_reason }] },
    });
    return [
      chunk({ role: 'assistant', content: '' }, null),
      chunk(said(turn, number), null),
      chunk({}, finish(turn)),
      { data: { ...head(body, 'chat.completion.chunk', number), choices: [], usage } },
      { data: '[DONE]' },
    ];
  },
};

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function said(turn: Turn, number: number): Json {
  if ('text' in turn) return { content: turn.text };
  return {
    content: null,
    tool_calls: turn.calls.map(({ tool, args }, index) => ({
      index,
      id: callId(number, index),
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    })),
  };
}

function finish(turn: Turn): string {
  return 'calls' in turn ? 'tool_calls' : 'stop';
}

function head(body: Json, kind: string, number: number): Json {
  return { id: `chatcmpl_${number}`, object: kind, created: 1, model: body['model'] };
}
