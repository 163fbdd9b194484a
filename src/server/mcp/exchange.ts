import type { IncomingMessage, ServerResponse } from 'node:http';

/** One HTTP request that has passed the guards, with its body read and parsed. */
export interface HttpExchange {
  req: IncomingMessage;
  res: ServerResponse;
  query: URLSearchParams;
  /** `undefined` for methods without a body. */
  body: unknown;
}

export function jsonRpcError(res: ServerResponse, status: number, code: number, message: string): void {
  const text = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
