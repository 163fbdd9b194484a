import type { AgentHost } from '../engine/agents/agentHost.ts';
import type { Logger } from '../base/logger.ts';
import type { Redactor } from '../base/text/redact.ts';
import type { InstallPlace } from '../engine/install/model.ts';
import type { ProjectStore } from '../engine/workspace/projectStore.ts';
import type { TrustStore } from '../engine/workspace/trust.ts';
import type { AgentDesk } from '../server/agents/agentDesk.ts';
import type { Backend } from '../server/backend.ts';
import type { IdeServers } from '../server/ide/ideServers.ts';
import type { PersonNotes } from '../server/personNotes.ts';
import type { Reviews } from '../server/reviews.ts';
import type { CommandHistory } from '../server/history.ts';
import type { Engines } from '../tools/engines.ts';

/** What the dashboard shows and does things with. */
export interface DashboardParts {
  backend: Backend;
  history: CommandHistory;
  projects: ProjectStore;
  trust: TrustStore;
  engines: Engines;
  personNotes: PersonNotes;
  reviews: Reviews;
  ide: IdeServers;
  agentHost: AgentHost;
  agents: AgentDesk;
  redactor: Redactor;
  logger: Logger;
  env: NodeJS.ProcessEnv;
  /** How an agent starts this Sightline, and where agents keep their configuration. */
  installPlace: InstallPlace;
}
