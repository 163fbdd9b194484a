import { callId, objects, string, textsOf, type Json, type OfferedTool, type Turn, type Wire } from './wire.ts';

/** OpenAI Responses. */
export const responses: Wire = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read: (body) => {
    const items = objects(body['input']);
    return {
      system: string(body['instructions']),
      said: [
        ...items
          .filter((item) => (item['type'] ?? 'message') === 'message' && item['role'] !== 'assistant')
          .flatMap((item) => textsOf(item['content'])),
        ...namespaces(body).map((namespace) => string(namespace['description'])),
      ],
      tools: objects(body['tools']).flatMap((tool) => offered(tool)),
      results: items
        .filter((item) => item['type'] === 'function_call_output')
        .map((item) => ({ callId: string(item['call_id']), texts: textsOf(item['output']) })),
      // Calls made side by side stand side by side.
      turn: items.filter((item, index) => isCall(item) && !isCall(items[index - 1])).length,
    };
  },
  whole: (turn, number) => response('completed', number, items(turn, number)),
  stream: (turn, number) => [
    event('response.created', { response: response('in_progress', number, []) }),
    ...items(turn, number).flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } }),
      ...(item['type'] === 'message' && 'text' in turn
        ? [
            event('response.content_part.added', {
              item_id: item['id'],
              output_index,
              content_index: 0,
              part: { type: 'output_text', text: '', annotations: [] },
            }),
            event('response.output_text.delta', {
              item_id: item['id'],
              output_index,
              content_index: 0,
              delta: turn.text,
            }),
          ]
        : [
            event('response.function_call_arguments.delta', {
              item_id: item['id'],
              output_index,
              delta: item['arguments'],
            }),
          ]),
      event('response.output_item.done', { output_index, item }),
    ]),
    event('response.completed', { response: response('completed', number, items(turn, number)) }),
  ],
};

function isCall(item: Json | undefined): boolean {
  return item?.['type'] === 'function_call';
}

function namespaces(body: Json): Json[] {
  return objects(body['tools']).filter((tool) => tool['type'] === 'namespace');
}

/** A tool of a namespace is `namespace/name` here; on the wire the model gives back the two apart. */
function offered(tool: Json, namespace?: Json): OfferedTool[] {
  if (tool['type'] === 'namespace') return objects(tool['tools']).flatMap((inner) => offered(inner, tool));
  return [
    {
      name: `${namespace === undefined ? '' : `${string(namespace['name'])}/`}${string(tool['name'] ?? tool['type'])}`,
      description: string(tool['description']),
      schema: tool['parameters'],
      deferred: (tool['defer_loading'] ?? namespace?.['defer_loading']) === true,
    },
  ];
}

function items(turn: Turn, number: number): Json[] {
  if ('text' in turn)
    return [
      {
        type: 'message',
        id: `msg_${number}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, annotations: [] }],
      },
    ];
  return turn.calls.map(({ tool, args }, index) => ({
    type: 'function_call',
    id: `fc_${number}_${index}`,
    call_id: callId(number, index),
    name: tool.split('/').at(-1),
    ...(tool.includes('/') ? { namespace: tool.split('/')[0] } : {}),
    arguments: JSON.stringify(args),
    status: 'completed',
  }));
}

function response(status: string, number: number, output: Json[]): Json {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1,
    status,
    model: 'scripted',
    output,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    },
  };
}

function event(type: string, data: Json): { event: string; data: Json } {
  return { event: type, data: { type, ...data } };
}
