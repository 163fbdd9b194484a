import type { Logger } from '../../base/logger.ts';
import { faceNames, type FaceName } from '../../tools/faces.ts';
import { McpEndpoint } from './endpoint.ts';
import type { FaceServerParts } from './faceServer.ts';
import type { IdleTableLimits } from './idleTable.ts';
import { FacePeer } from './peer.ts';

/** An endpoint for every face, for the routes of the HTTP server. */
export function faceEndpoints(
  parts: FaceServerParts,
  logger: Logger,
  limits?: IdleTableLimits,
): Readonly<Record<FaceName, McpEndpoint>> {
  const entries = faceNames.map((face): [FaceName, McpEndpoint] => [
    face,
    new McpEndpoint((info) => new FacePeer(parts, { ...info, face }), logger, limits),
  ]);
  // `faceNames` holds every name exactly once.
  return Object.fromEntries(entries) as Record<FaceName, McpEndpoint>;
}
