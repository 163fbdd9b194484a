import { McpServer, ResourceTemplate, inputRequired, type ServerEvent } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Peer } from '../../../src/server/mcp/peer.ts';
import { askFor, contentOf, registerFixtureTools, stateCodec } from './fixtureTools.ts';
import { onePixelPng } from './media.ts';

/** A peer that serves what the conformance suite expects, on the product's own HTTP layer. */
export function fixturePeers(): () => Peer {
  const changes = new Emitter<ServerEvent>();
  return () => ({
    introduce: () => undefined,
    createServer: () => fixtureServer((change) => changes.fire(change)),
    onChange: (listener) => changes.on(listener),
    watchResource: () => ({ ready: Promise.resolve(), dispose: () => undefined }),
    dispose: () => undefined,
  });
}

function fixtureServer(announce: (change: ServerEvent) => void): McpServer {
  const server = new McpServer(
    { name: 'sightline-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (state, ctx) => stateCodec.verify(state, ctx) },
    },
  );
  registerFixtureTools(server, announce);
  registerResources(server);
  registerPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2 },
  }));
  return server;
}

function registerResources(server: McpServer): void {
  const fixed = (name: string, uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, uri, { mimeType, description: `Conformance: ${name}` }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  fixed('static-text', 'test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  });
  fixed('static-binary', 'test://static-binary', 'image/png', { blob: onePixelPng });
  fixed('watched-resource', 'test://watched-resource', 'text/plain', { text: 'Watched resource content' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', description: 'Conformance: a template' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function registerPrompts(server: McpServer): void {
  const say = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', { description: 'Conformance: a prompt' }, () => ({
    messages: [say('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Conformance: arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Conformance: a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' } },
        },
        say('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Conformance: an image' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: onePixelPng, mimeType: 'image/png' } },
      say('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Conformance: asks first' }, (ctx) => {
    const context = contentOf(ctx, 'user_context')?.['context'];
    if (typeof context === 'string') return { messages: [say(`Use ${context}.`)] };
    return inputRequired({ inputRequests: { user_context: askFor('What context should the prompt use?', 'context') } });
  });
}
