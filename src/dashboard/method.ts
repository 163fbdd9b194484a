import type { z } from 'zod';
import type { MethodName, Params, Result } from './channel.ts';

/** A method of the channel: what it takes is checked, whoever sends it. */
interface Method<Name extends MethodName = MethodName> {
  name: Name;
  params: z.ZodType<Params<Name>>;
  handle(params: Params<Name>, signal: AbortSignal): Result<Name> | Promise<Result<Name>>;
}

/** A method whose types are forgotten, for code that handles all alike. */
export interface AnyMethod {
  name: MethodName;
  params: z.ZodType;
  handle(params: never, signal: AbortSignal): unknown;
}

export function method<Name extends MethodName>(
  name: Name,
  params: z.ZodType<Params<Name>>,
  handle: Method<Name>['handle'],
): AnyMethod {
  return { name, params, handle };
}
