import type { AppDirs } from '../base/appDirs.ts';
import type { DebugEngine } from '../engine/debugger/debugEngine.ts';
import type { Provision } from '../engine/provision/provision.ts';
import type { BufferStore } from '../engine/workspace/buffers/bufferStore.ts';
import type { EditApplier } from '../engine/workspace/edits/applier.ts';
import type { PlanStore } from '../engine/workspace/edits/planStore.ts';
import type { JobStore } from '../engine/workspace/jobs/jobStore.ts';
import type { HttpRequests } from '../engine/workspace/http/httpRequests.ts';
import type { TerminalStore } from '../engine/workspace/terminals/terminalStore.ts';
import type { LocalHistory } from '../engine/workspace/localHistory/localHistory.ts';
import type { WorkingTree } from '../engine/workspace/localHistory/workingTree.ts';
import type { LogFile } from '../engine/workspace/logFile.ts';
import type { NotificationStore } from '../engine/workspace/notifications.ts';
import type { ProjectStore } from '../engine/workspace/projectStore.ts';
import type { SettingsStore } from '../engine/workspace/settings/store.ts';
import type { SourceStore } from '../engine/workspace/sources/sourceStore.ts';
import type { TestEngine } from '../engine/workspace/tests/testEngine.ts';
import type { CodeEngine } from '../engine/code/codeEngine.ts';
import type { RefactorEngine } from '../engine/code/refactor/refactorEngine.ts';

/** What tools may call. Composed once in `cli/compose`. Each engine is plain data in, plain data out. */
export interface Engines {
  readonly dirs: AppDirs;
  readonly projects: ProjectStore;
  readonly settings: SettingsStore;
  readonly log: LogFile;
  readonly notifications: NotificationStore;
  readonly provision: Provision;
  /** What editors hold unsaved. */
  readonly buffers: BufferStore;
  readonly edits: EditApplier;
  readonly localHistory: LocalHistory;
  /** Records what programs change: wrap running one in `recordAround`. */
  readonly workingTree: WorkingTree;
  readonly plans: PlanStore;
  readonly code: CodeEngine;
  readonly refactor: RefactorEngine;
  readonly debugger: DebugEngine;
  readonly jobs: JobStore;
  readonly sources: SourceStore;
  readonly terminals: TerminalStore;
  readonly tests: TestEngine;
  readonly http: HttpRequests;
}
