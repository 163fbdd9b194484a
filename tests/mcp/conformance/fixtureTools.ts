import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  type ServerEvent,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import contactSchema from './contactSchema.json' with { type: 'json' };
import { onePixelPng, shortestWav } from './media.ts';

type Result = CallToolResult | InputRequiredResult;

/** State that travels through the client comes back signed or not at all. */
export const stateCodec = createRequestStateCodec<{ step: string }>({ key: 'k'.repeat(32), ttlSeconds: 300 });

/** The tools whose names and answers the public conformance suite prescribes. */
export function registerFixtureTools(server: McpServer, announce: (change: ServerEvent) => void): void {
  const plain = (name: string, run: (ctx: ServerContext) => Result | Promise<Result>) =>
    server.registerTool(name, { description: `Conformance: ${name}`, inputSchema: z.object({}) }, (_args, ctx) =>
      run(ctx),
    );

  plain('test_simple_text', () => text('This is a simple text response for testing.'));
  plain('test_image_content', () => ({ content: [image] }));
  plain('test_audio_content', () => ({ content: [{ type: 'audio', data: shortestWav, mimeType: 'audio/wav' }] }));
  plain('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  plain('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  plain('test_tool_with_logging', async (ctx) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await ctx.mcpReq.log('info', step);
    return text('Tool with logging executed successfully');
  });
  plain('test_logging_tool', async (ctx) => {
    await ctx.mcpReq.log('info', 'only for those who asked');
    return text('logged');
  });
  plain('test_tool_with_progress', async (ctx) => {
    for (const progress of [0, 50, 100]) await reportProgress(ctx, progress);
    return text('progress reported');
  });
  plain('test_streaming_elicitation', async (ctx) => {
    await reportProgress(ctx, 50);
    return text('streamed');
  });
  plain('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  // A question that the client has not said it can answer: the protocol layer refuses to send it.
  plain('test_missing_capability', () => inputRequired({ inputRequests: { sampled: sample('Say hello') } }));
  plain('test_reconnection', async (ctx) => {
    ctx.http?.closeSSE?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return text('Reconnection test completed');
  });
  plain('test_trigger_tool_change', () => {
    announce({ kind: 'tools_list_changed' });
    return text('told');
  });
  plain('test_trigger_prompt_change', () => {
    announce({ kind: 'prompts_list_changed' });
    return text('told');
  });
  registerQuestions(server);
  registerSchemas(server);
  registerRounds(plain);
}

/** What the server asks the client during a call, as the 2025 revisions do it. */
function registerQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Conformance: sampling', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const answer = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 }, related(ctx));
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Conformance: elicitation', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const answer = await ctx.mcpReq.elicitInput(
        form(message, { response: { type: 'string' } }, ['response']),
        related(ctx),
      );
      return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    },
  );
  const ask = (name: string, properties: FormProperties) =>
    server.registerTool(
      name,
      { description: `Conformance: ${name}`, inputSchema: z.object({}) },
      async (_args, ctx) => {
        const answer = await ctx.mcpReq.elicitInput(form('Please fill in', properties, []), related(ctx));
        return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
      },
    );
  ask('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = (one: string, two: string, three: string) => [
    { const: 'value1', title: one },
    { const: 'value2', title: two },
    { const: 'value3', title: three },
  ];
  const three = ['option1', 'option2', 'option3'];
  ask('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: three },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: three } },
    titledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
    },
  });
}

function registerSchemas(server: McpServer): void {
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  const withHeader = { type: 'object', properties: { region }, required: ['region'] };
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Conformance: the vocabulary of JSON Schema 2020-12', inputSchema: fromJsonSchema(contactSchema) },
    (args) => text(JSON.stringify(args)),
  );
  server.registerTool(
    'test_custom_headers',
    {
      description: 'Conformance: parameters repeated in headers',
      inputSchema: fromJsonSchema(withHeader),
    },
    (args) => text(JSON.stringify(args)),
  );
}

type RegisterPlain = (name: string, run: (ctx: ServerContext) => Result | Promise<Result>) => unknown;

/** What the server asks by a result, as the 2026 revision does it. */
function registerRounds(plain: RegisterPlain): void {
  plain('test_input_required_result_elicitation', (ctx) => {
    const name = contentOf(ctx, 'user_name')?.['name'];
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } });
  });
  plain('test_input_required_result_sampling', (ctx) =>
    ctx.mcpReq.inputResponses?.['capital_question'] === undefined
      ? inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
      : text(JSON.stringify(ctx.mcpReq.inputResponses['capital_question'])),
  );
  plain('test_input_required_result_list_roots', (ctx) =>
    ctx.mcpReq.inputResponses?.['client_roots'] === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : text(JSON.stringify(ctx.mcpReq.inputResponses['client_roots'])),
  );
  const confirmed = async (ctx: ServerContext) => {
    if (ctx.mcpReq.requestState<{ step: string }>()?.step === 'confirm' && contentOf(ctx, 'confirm') !== undefined)
      return text('state-ok');
    return inputRequired({
      inputRequests: { confirm: inputRequired.elicit(form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])) },
      requestState: await stateCodec.mint({ step: 'confirm' }, ctx),
    });
  };
  plain('test_input_required_result_request_state', confirmed);
  plain('test_input_required_result_tampered_state', confirmed);
  plain('test_input_required_result_multiple_inputs', async (ctx) => {
    const given = Object.keys(ctx.mcpReq.inputResponses ?? {});
    if (['user_name', 'greeting', 'client_roots'].every((key) => given.includes(key))) return text('all there');
    return inputRequired({
      inputRequests: {
        user_name: askFor('What is your name?', 'name'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await stateCodec.mint({ step: 'many' }, ctx),
    });
  });
  plain('test_input_required_result_multi_round', async (ctx) => {
    const step = ctx.mcpReq.requestState<{ step: string }>()?.step;
    if (step === 'two' && contentOf(ctx, 'step2') !== undefined) return text('done');
    if (step === 'one' && contentOf(ctx, 'step1') !== undefined)
      return inputRequired({
        inputRequests: { step2: askFor('Step 2: What is your favorite color?', 'color') },
        requestState: await stateCodec.mint({ step: 'two' }, ctx),
      });
    return inputRequired({
      inputRequests: { step1: askFor('Step 1: What is your name?', 'name') },
      requestState: await stateCodec.mint({ step: 'one' }, ctx),
    });
  });
  plain('test_input_required_result_capabilities', (ctx) => {
    const can = capabilitiesOf(ctx);
    const inputRequests = {
      ...('sampling' in can ? { sampled: sample('Say hello') } : {}),
      ...('elicitation' in can ? { asked: askFor('What is your name?', 'name') } : {}),
    };
    if (Object.keys(inputRequests).length === 0)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The client declares nothing to ask with.');
    return inputRequired({ inputRequests });
  });
}

type FormProperties = Parameters<ServerContext['mcpReq']['elicitInput']>[0] extends infer Params
  ? Params extends { requestedSchema: { properties: infer Properties } }
    ? Properties
    : never
  : never;

export function askFor(message: string, field: string) {
  return inputRequired.elicit(form(message, { [field]: { type: 'string' } }, [field]));
}

export function contentOf(ctx: ServerContext, key: string): Record<string, unknown> | undefined {
  const response = ctx.mcpReq.inputResponses?.[key];
  if (typeof response !== 'object' || response === null || !('content' in response)) return undefined;
  const { content } = response;
  return typeof content === 'object' && content !== null ? { ...content } : undefined;
}

function form(message: string, properties: FormProperties, required: string[]) {
  return { mode: 'form' as const, message, requestedSchema: { type: 'object' as const, properties, required } };
}

/** Questions go out on the stream of the call that asks them. */
function related(ctx: ServerContext) {
  return { relatedRequestId: ctx.mcpReq.id };
}

function sample(prompt: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
}

function capabilitiesOf(ctx: ServerContext): Record<string, unknown> {
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities === 'object' && capabilities !== null ? { ...capabilities } : {};
}

async function reportProgress(ctx: ServerContext, progress: number): Promise<void> {
  const params = { progressToken: ctx.mcpReq._meta?.progressToken ?? 0, progress, total: 100 };
  await ctx.mcpReq.notify({ method: 'notifications/progress', params });
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

const image = { type: 'image' as const, data: onePixelPng, mimeType: 'image/png' };

function embedded(uri: string, mimeType: string, content: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: content } };
}
