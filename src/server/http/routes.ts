import type { IncomingMessage } from 'node:http';
import { faceNames, faces, type FaceName } from '../../tools/faces.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { HttpExchange } from '../mcp/exchange.ts';
import type { Refusal } from './guards.ts';

/** One line of the router's table. The server serves exactly these, and the test of the guards walks exactly these. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Everything below the path that no other route serves. */
  isPrefix?: boolean;
  /** Decides instead of the bearer token, which browsers cannot send when they load a page. Host and Origin are checked for all. */
  admits?: (req: IncomingMessage) => Refusal | undefined;
  handle(exchange: HttpExchange): void | Promise<void>;
}

/** The routes of one MCP endpoint. */
export function mcpRoutes(endpoint: McpEndpoint, path: string, ssePath: string): Route[] {
  const messagePath = `${ssePath}/message`;
  const streamable = (exchange: HttpExchange) => endpoint.streamable(exchange);
  return [
    { method: 'POST', path, handle: streamable },
    { method: 'GET', path, handle: streamable },
    { method: 'DELETE', path, handle: streamable },
    { method: 'GET', path: ssePath, handle: (exchange) => endpoint.openSse(exchange, messagePath) },
    // Some clients are given the SSE address and try Streamable HTTP on it first.
    { method: 'POST', path: ssePath, handle: streamable },
    { method: 'POST', path: messagePath, handle: (exchange) => endpoint.receiveSse(exchange) },
  ];
}

export function faceRoutes(endpoints: Readonly<Record<FaceName, McpEndpoint>>): Route[] {
  return faceNames.flatMap((name) => mcpRoutes(endpoints[name], faces[name].path, faces[name].ssePath));
}
