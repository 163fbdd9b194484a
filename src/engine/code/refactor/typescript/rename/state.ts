import type { WordPlace } from '../../../sourceFiles.ts';
import type { RefactorTarget, RefactorWaiting } from '../../model.ts';
import type { Check, Follower, Following } from '../../rename/pipeline.ts';
import type { Survey } from '../semantics/mentions.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import type { FileEdits } from '../servers/trial.ts';
import type { ProofTime } from './proofTime.ts';
import type { RenameTrial } from './trial.ts';

/** What stays the same as long as a rename is worked out. */
export interface RenameState extends Survey {
  backend: RenameBackend;
  target: RefactorTarget;
  newName: string;
  /** How the module is handled as an object; looked for while the server still collects the places. */
  asObject: Promise<string | undefined>;
  time: ProofTime;
  waiting: RefactorWaiting;
}

export type RenameRound = RenameState & Following<RenamePlace>;

/** What trying out a rename showed. */
export interface Tried {
  edits: FileEdits;
  /** All that gets the new name. */
  changed: readonly RenamePlace[];
  isMember: boolean;
  /** Why the places alone do not show that nothing changes its meaning. */
  why: string | undefined;
  trial: RenameTrial;
  /** Files that mention one of the names and do not change. */
  dependents: readonly string[];
  /** Files in which types could fail to fit all the same. */
  further: readonly string[];
  /** Of a member: where its old name is left as it is, by the text alone. */
  left: readonly WordPlace[];
}

export type RenameFollower = Follower<RenameState, RenamePlace>;
export type RenameWidener = Follower<RenameState & Tried, RenamePlace>;
export type RenameCheck = Check<RenameState, RenamePlace>;

/** All that gets the new name. */
export function changedPlaces({ places, extra }: Pick<RenameRound, 'places' | 'extra'>): RenamePlace[] {
  return [...places, ...extra];
}
