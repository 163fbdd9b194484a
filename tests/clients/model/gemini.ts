import { callId, object, objects, string, textsOf, type Json, type Turn, type Wire } from './wire.ts';

/** Gemini generateContent. */
export const gemini: Wire = {
  name: 'gemini',
  matches: (path) => /:(streamG|g)enerateContent$/.test(path),
  read: (body) => {
    const contents = objects(body['contents']);
    const parts = contents.map((content) => ({ role: content['role'], parts: objects(content['parts']) }));
    return {
      system: textsOf(object(body['systemInstruction'])['parts']).join('\n'),
      said: parts.filter(({ role }) => role !== 'model').flatMap((content) => textsOf(content.parts)),
      tools: objects(body['tools']).flatMap((group) =>
        objects(group['functionDeclarations']).map((tool) => ({
          name: string(tool['name']),
          description: string(tool['description']),
          schema: tool['parametersJsonSchema'] ?? tool['parameters'],
          deferred: false,
        })),
      ),
      results: parts
        .flatMap((content) => content.parts)
        .flatMap((part) => {
          const result = object(part['functionResponse']);
          if (result['name'] === undefined) return [];
          return [{ callId: string(result['id']), texts: strings(result['response']) }];
        }),
      turn: parts.filter((content) => content.parts.some((part) => part['functionCall'] !== undefined)).length,
    };
  },
  whole: (turn, number) => answer(turn, number),
  stream: (turn, number) => [{ data: answer(turn, number) }],
};

/** A response is any JSON; what a model reads of it are its strings. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}

function answer(turn: Turn, number: number): Json {
  const parts =
    'text' in turn
      ? [{ text: turn.text }]
      : turn.calls.map(({ tool, args }, index) => ({ functionCall: { id: callId(number, index), name: tool, args } }));
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'scripted',
  };
}
